"""Siblings that belong to a chosen set, and records that do not: part of the twin of `record_sets`."""

from __future__ import annotations

import re
from collections import Counter

from fastwrap.page.names import TAG_NUMBER, TEXT
from tests.reference.regions.chosen import ChosenSet, Search, kind_of_most
from tests.reference.regions.segmentation import SINGLE_NODES

LEAST, LEAST_STYLED = 1 / 3, 0.2
"""Of the content of a record on average: what a sibling has that belongs to the set, and if it has their style."""
MOST_BESIDE = 3.0
"""The same: what one has at most that is not among the records and has their class."""
LONGEST_CLASS, MOST_TOKENS = 500, 32
"""Bytes: longer classes are not compared; and tokens that are."""
MOST_OF_BOX, BOXES = 0.7, 4
"""Of the content of a box, what a record in it has; and how many boxes are opened around one."""
KINDRED, SHARED = 0.6, 0.6
"""Of the records, those that link to one kind of page; and those that have a token of a class, or as many cells."""
ONE_HOST = 0.95
"""Of the records, those that link to one host, for others that do to be records too."""
MOST_FOREIGN, FEWEST_COMMON = 0.4, 2
"""Of the records, those that are left out as foreign; and items that they have in common for others to be."""


def class_tokens(search: Search, node: int) -> list[bytes]:
    """The tokens of the attribute `class`; none where it is too long."""
    value = search.classes[node]
    if value is None or len(value) > LONGEST_CLASS:
        return []
    # White space of HTML; bytes.split has the vertical tab among it.
    return [token for token in re.split(rb"[ \t\n\f\r]", value) if token]


def cells_of(search: Search, row: int) -> int:
    """The cells of a row; none if it has headings."""
    cells = [search.tag[cell] for cell in search.children(row)] if search.tag[row] == TAG_NUMBER["tr"] else []
    return 0 if TAG_NUMBER["th"] in cells else cells.count(TAG_NUMBER["td"])


def has_digit(search: Search, node: int) -> bool:
    """Whether there is a digit in the text of a node."""
    return re.search(rb"[0-9]", search.text(node)) is not None


class Records:
    """What siblings are compared with."""

    def __init__(self, search: Search, chosen: ChosenSet) -> None:
        self.search, self.nodes = search, chosen.starts
        count, middle = len(self.nodes), self.nodes[len(self.nodes) // 2]
        self.tag = search.tag[self.nodes[0]]
        self.letters = sum(map(search.letters_of, self.nodes)) / count
        self.items_each = sum(map(search.items_of, self.nodes)) / count
        self.styles = {search.path_with_styles[node] for node in self.nodes}
        self.all_styled = all(search.style[node] for node in self.nodes)
        holders = Counter(path for node in self.nodes for path in self.items(node))
        self.known = set(holders)
        self.core = {path for path, held in holders.items() if 2 * held >= count}
        self.kind = kind_of_most([search.first_kind(node, search.end(node)) for node in self.nodes], KINDRED)
        kinds = [search.first_kind(node, search.end(node)) for node in self.nodes]
        self.host = kind_of_most([None if kind is None else kind[0] for kind in kinds], ONE_HOST)
        self.have_digits = all(has_digit(search, node) for node in self.nodes)
        cells = [cells_of(search, node) for node in self.nodes]
        self.cells = cells_of(search, middle) if cells.count(cells_of(search, middle)) >= SHARED * count else 0
        tokens = Counter(token for node in self.nodes for token in set(class_tokens(search, node)))
        self.shared = {token for token in class_tokens(search, middle)[:MOST_TOKENS] if tokens[token] >= SHARED * count}

    def items(self, node: int) -> set[int]:
        """The tag paths of the items of a node."""
        return {self.search.paths[item] for item in range(node, self.search.end(node)) if self.search.is_item[item]}

    def shares_class(self, node: int) -> bool:
        """Whether a node has all tokens that most records have, if there are any."""
        return bool(self.shared) and self.shared <= set(class_tokens(self.search, node))

    def links_to_kind(self, node: int) -> bool:
        """Whether a node has a link to the kind of page that the records link to."""
        return self.kind is not None and self.kind in self.search.kinds(node, self.search.end(node))

    def is_foreign(self, node: int) -> bool:
        """Whether a node has next to nothing in common with the records, links elsewhere, and looks different."""
        own, count = self.items(node), self.search.items_of(node)
        repeats = 2 * len(own) <= count and count > FEWEST_COMMON and 2 * len(self.core) > self.items_each
        is_poor = 2 * count <= self.items_each and 2 * self.search.letters_of(node) <= self.letters
        times = 2 if repeats or (is_poor and self.kind is not None) else 4
        if len(self.core) < FEWEST_COMMON or len(own & self.core) * times >= len(self.core):
            return False
        if self.links_to_kind(node) or (self.cells > 1 and cells_of(self.search, node) == self.cells):
            return False
        if repeats or (self.shared and not self.shares_class(node)):
            return True
        kind = self.search.first_kind(node, self.search.end(node))
        links_elsewhere = self.kind is not None and kind is not None and kind != self.kind
        return is_poor or (links_elsewhere and 2 * count <= self.items_each)

    def is_row(self, node: int, is_among: bool) -> bool:
        """Whether a node is a row with as many cells; before or after the records, with no less to say."""
        if self.cells < 2 or cells_of(self.search, node) != self.cells:
            return False
        says_enough = 2 * self.search.letters_of(node) >= self.letters and has_digit(self.search, node)
        return is_among or (self.have_digits and says_enough)

    def is_box(self, node: int, record: int, has_style: bool = False) -> bool:
        """Whether a node is a box around one that is like a record, with its style if asked for, and little else."""
        search, least = self.search, MOST_OF_BOX * self.search.letters_of(node)
        for _ in range(BOXES):
            child = next((child for child in search.children(node) if search.letters_of(child) >= least), None)
            if child is None:
                return False
            node = child
            spans = (node, search.end(node)), (record, search.end(record))
            is_styled = search.style[node] == search.style[record] != 0
            is_alike = search.alike(*spans) >= search.nodes.options.similarity
            if search.tag[node] == self.tag and (is_styled or not has_style) and is_alike:
                return True
        return False

    def has_items(self, node: int) -> bool:
        """Whether a node has most of what the records have in common, and few other items."""
        own = self.items(node)
        has_core = 4 * len(own & self.core) >= 3 * len(self.core) > 0
        return has_core and 4 * len(own & self.known) >= 3 * len(own)

    def is_kin(self, node: int) -> bool:
        """Whether a node links to the host of nearly all records, if not to one kind of page, and is of their size."""
        search, kind = self.search, self.search.first_kind(node, self.search.end(node))
        has_host = self.kind is None and self.host is not None and kind is not None and kind[0] == self.host
        pairs = (search.letters_of(node), self.letters), (search.items_of(node), self.items_each)
        return has_host and all(mean <= 2 * own <= 4 * mean for own, mean in pairs)

    def belongs(self, node: int, record: int | None, styles: set[int]) -> bool:
        """Whether a sibling is a record too; `record` is the last one before it, if it is among them."""
        search, letters = self.search, self.search.letters_of(node)
        has_tag = search.tag[node] == self.tag
        has_style = self.all_styled and search.style[node] != 0 and search.path_with_styles[node] in styles
        if has_tag and has_style and letters >= LEAST_STYLED * self.letters and not self.is_foreign(node):
            return True
        if self.is_row(node, record is not None):
            return True
        if search.tag[node] == TEXT or letters < LEAST * self.letters:
            return False
        if has_tag and self.has_items(node):
            return True
        if has_tag and self.is_kin(node):
            return not self.is_foreign(node)
        is_as_full = 2 * search.items_of(node) >= self.items_each and 2 * letters >= self.letters
        is_too_large = record is None and letters > MOST_BESIDE * self.letters
        if has_tag and is_as_full and self.shares_class(node) and not is_too_large:
            return not self.is_foreign(node)
        if record is None:
            return self.is_box(node, self.nodes[-1], not self.links_to_kind(node))
        return self.is_box(node, record)


def leave_out_foreign(records: Records, chosen: ChosenSet) -> None:
    """Leave out the records that are foreign, unless these are many."""
    kept = [span for span in chosen.spans if not records.is_foreign(span[0])]
    foreign = len(chosen.spans) - len(kept)
    if foreign and len(kept) >= 2 and foreign <= MOST_FOREIGN * len(chosen.spans):
        chosen.spans = kept
        chosen.left_out += foreign


def found_siblings(search: Search, records: Records, refused: int | None, styles: set[int]) -> list[int]:
    """The siblings of the records that belong to them."""
    found = []
    for above in dict.fromkeys(search.parent[node] for node in records.nodes):
        own = [node for node in records.nodes if search.parent[node] == above]
        for child in search.children(above):
            if child in own or child == refused or search.letters_of(child) <= 0:
                continue
            before = max((node for node in own if node < child), default=None)
            is_among = before is not None and child < own[-1]
            if search.is_free(child, search.end(child)) and records.belongs(
                child, before if is_among else None, styles
            ):
                found.append(child)
    return found


def gather(search: Search, chosen: ChosenSet) -> None:
    """Leave out of a set of single nodes what is foreign, and add the siblings that belong to it."""
    if chosen.form != SINGLE_NODES or search.tag[chosen.starts[0]] == TEXT:
        return
    records = Records(search, chosen)
    styles = records.styles  # what was left out may come back for its style, if it is not foreign to what is kept
    leave_out_foreign(records, chosen)
    found = found_siblings(search, Records(search, chosen), chosen.refused, styles)
    chosen.spans = sorted(chosen.spans + [(node, search.end(node)) for node in found])
    chosen.added += len(found)
