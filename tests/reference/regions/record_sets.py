"""Sets of records (AutoRM, Shi et al. 2015), with numpy: content, siblings, clusters, cuts, quality, joins.
Arguments and results are those of `fastwrap._core.regions.record_sets`, but for the page, which is a `Page`."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap import Page
from fastwrap.common.backend import kernel
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, TAG_NUMBER, TEXT
from fastwrap.regions.autorm import Options, Order
from fastwrap.regions.ranking import Options as RankingOptions
from tests.reference.regions import quality, ranking, segmentation

LEAST, LEAST_STYLED = 1 / 3, 0.2
"""Of the content of a record on average: what a sibling has that belongs to the set, and if it has their style."""

LONGEST_CLASS = 500
"""Bytes: longer classes are not compared word by word."""
MOST_OF_BOX, BOXES = 0.7, 4
"""Of the content of a box, what a record in it has; and how many boxes are opened around one."""

WORDS, PICTURE, CONTROL = 1, 2, 3
"""What a node is to a reader, as `fastwrap.regions.autorm` numbers it."""

MOST_JOINED = 4

LIMITS = ("regions.clusters", "regions.segmentation", "regions.matching", "regions.variety", "regions.siblings")

Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.intp]
Found: TypeAlias = tuple[Int32Array, Order, Floats, tuple[str, ...]]


class Nodes:
    """The arrays of a page, the options, and the limits that were met so far."""

    def __init__(self, page: Page, options: Options) -> None:
        arrays = page.arrays
        self.tag, self.parent, self.size = arrays.tag, arrays.parent, arrays.size
        self.text_start, self.text = arrays.text_start, arrays.text
        self.attribute_start, self.attribute_name = arrays.attribute_start, arrays.attribute_name
        self.value_start, self.values = arrays.value_start, arrays.values
        self.style_symbol, self.path_symbol, self.hidden = page.style_symbol, page.path_symbol, page.hidden
        self.structural_class = page.structural_class
        self.native, self.body = page.native, page.body
        self.options = options
        self.met: set[str] = set()


def find_sets(page: Page, options: Options, ranking_options: RankingOptions | None) -> Found:
    """The best sets of records of a page."""
    nodes = Nodes(page, options)
    content = read_content(nodes)
    return results(page, nodes, content, chosen_sets(nodes, content), ranking_options)


def rank_sets(
    page: Page, options: Options, ranking_options: RankingOptions, records: Int32Array, first: Int32Array
) -> Found:
    """Given sets of records, ranked."""
    nodes = Nodes(page, options._replace(odd_record=0.0))
    content = read_content(nodes)
    scores = np.zeros((len(first) - 1, 3))
    for number, (start, end) in enumerate(itertools.pairwise(first.tolist())):
        # A single record is measured as a pair with itself, and then has no similarity.
        own = records[start:end] if end - start > 1 else np.repeat(records[start:end], 2, axis=0)
        bounds = np.array([0, len(own)], dtype=np.int32)
        found = measure(nodes, content, own, bounds, bounds[:1], bounds[:1])
        single = end - start == 1
        scores[number] = (
            found.coverage[0] / 2 if single else found.coverage[0],
            0.0 if single else found.similarity[0],
            found.variety[0],
        )
    cuts = np.tile(np.array([0, 1, 0, 0], dtype=np.int32), (len(scores), 1))
    return results(page, nodes, content, (records, first, scores, cuts), ranking_options)


Chosen: TypeAlias = tuple[Int32Array, Int32Array, Floats, Int32Array]
"""The best sets: their records, where those of each begin, their scores, and how they were cut."""


def results(
    page: Page, nodes: Nodes, content: Content, chosen: Chosen, ranking_options: RankingOptions | None
) -> Found:
    """The chosen sets in order of their rank, or of their quality."""
    records, first, scores, cuts = chosen
    ends = first.tolist()
    order: list[float] = scores.prod(axis=1).tolist()
    odds: list[float | None] = [None] * len(order)
    why: Floats = np.hstack((scores, cuts.astype(np.float64)))
    if ranking_options is not None:
        features, sums = ranking.features(page, content.before, ranking_options, records, first, scores)
        order = sums[0].tolist()
        odds = sums[1].tolist()
        why = np.hstack((why, features))
    ranked = list(zip(ends[:-1], ends[1:], order, odds, range(len(order)), strict=True))
    ranked.sort(key=itemgetter(2), reverse=True)
    return records, ranked, why, tuple(name for name in LIMITS if name in nodes.met)


def chosen_sets(nodes: Nodes, content: Content) -> Chosen:
    """The best sets, none of which shares a node with a better one."""
    similarity = nodes.options.similarity
    sequences = child_sequences(nodes, content, nodes.options.coverage)
    by_tag, by_tree = clusters(nodes, sequences, similarity)
    stacked = np.stack((by_tag, by_tree)), sequences.separator.view(np.uint8), sequences.start
    places, first, of_sequence, form = segmentation.segment(*stacked)
    if segmentation.leaves_out(*stacked):
        nodes.met.add("regions.segmentation")
    if len(form) == 0:
        nothing = np.empty((0, 2), dtype=np.int32), np.zeros(1, dtype=np.int32), np.empty((0, 3))
        return *nothing, np.empty((0, 4), dtype=np.int32)
    spans = sequences.spans
    records = np.stack((spans[places[:, 0], 0], spans[places[:, 1] - 1, 1]), axis=1)
    sets = measure(nodes, content, records, first, form, np.ones_like(form))
    # Sets whose records begin at the same tag path may be joined: single nodes with single nodes, runs with runs.
    kind = 2 * sequences.path[places[first[:-1], 0]] + (form != segmentation.SINGLE_NODES)
    lone = lone_nodes(sequences, by_tag, kind)
    groups = Groups(
        kind=np.append(kind, 2 * sequences.path[lone]),
        of_sequence=np.append(of_sequence, len(sequences.start) + lone),
        quality=np.append(sets.quality, np.zeros(len(lone))),
        form=np.append(form, np.full(len(lone), segmentation.SINGLE_NODES)),
        first=np.append(sets.first, sets.first[-1] + 1 + np.arange(len(lone))),
        records=np.concatenate((sets.records, spans[lone])),
    )
    joined = measure(nodes, content, *join(nodes, groups, similarity))
    return disjoint(nodes, content, (sets, joined), nodes.options.coverage, similarity)


class Content(NamedTuple):
    """What a reader sees of a page, in letters."""

    before: Floats
    """[n + 1] The content of all nodes before each one."""
    item: Int32Array
    """[n] Which item of a record each text and picture is; -1 for other nodes, and for what is not seen."""
    total: float
    """Of the body, at least 1."""


class Sequences(NamedTuple):
    """The children of many nodes, one sequence after the other. A *place* is an index of the whole."""

    start: Int32Array
    """[s + 1] Sequence i has the places start[i] up to start[i + 1]."""
    spans: Int32Array
    """[c, 2] The child, and the node after its subtree."""
    path: Int32Array
    """[c] The child's tag path, without styles: sections of one kind may differ in these."""
    separator: Flags
    """[c] Whether the child has no content."""


class RecordSets(NamedTuple):
    """Sets of records, one after the other."""

    records: Int32Array
    """[r, 2] The spans of the records, in order within a set."""
    first: Int32Array
    """[s + 1] Set i has the records first[i] up to first[i + 1], at least two."""
    coverage: Floats
    """[s] Property 3: the share of the page's content that is in the records."""
    similarity: Floats
    """[s] Property 4: of the records to each other."""
    variety: Floats
    """[s] Property 4: of the items within a record."""
    cuts: Int32Array
    """[s, 3] The form, the sets that were joined, and the odd records that were left out."""

    @property
    def quality(self) -> Floats:
        """[s] The product of the three."""
        product: Floats = self.coverage * self.similarity * self.variety
        return product


# What is seen


def read_content(nodes: Nodes) -> Content:
    """The content of every node: of texts by their length, of pictures by their size, none of what is hidden."""
    options = nodes.options
    seen_as = options.seen_as[np.minimum(nodes.tag, len(options.seen_as) - 1)]
    # Letters are all bytes but those that continue one; every text is followed by a space.
    is_letter = (np.frombuffer(nodes.text, dtype=np.uint8) & 0xC0) != 0x80
    before_byte = np.append(0, np.cumsum(is_letter))
    letters = np.where(seen_as == WORDS, np.diff(before_byte[nodes.text_start]) - 1.0, 0.0)
    pictures = seen_as == PICTURE
    letters[pictures] = options.image
    for node, (width, height) in picture_sizes(nodes, pictures).items():
        if min(width, height) <= options.spacer:
            letters[node] = 0
        elif max(width, height) < np.inf:
            letters[node] = min(width * height / options.letter, options.largest_image)
    for control in np.flatnonzero(seen_as == CONTROL).tolist():
        letters[control : control + nodes.size[control]] = 0
    # Where most is hidden, a script shows it once the page is loaded.
    visible = np.where(nodes.hidden, 0, letters)
    if 2 * visible.sum() >= letters.sum():
        letters = visible
    before = np.zeros(len(nodes.tag) + 1)
    np.cumsum(letters, out=before[1:])
    body = nodes.body
    return Content(before, items(nodes, letters > 0), max(1.0, float(before[body + nodes.size[body]] - before[body])))


def items(nodes: Nodes, seen: Flags) -> Int32Array:
    """[n] Which item of a record each seen text or picture is: one number for each tag path; -1 for other nodes.

    What is alone in a table cell is told from what is in the other columns as well: a row of such cells is a
    record of a data table, while cells with several items may be records themselves.
    """
    cells = np.flatnonzero((nodes.tag == TAG_NUMBER["td"]) | (nodes.tag == TAG_NUMBER["th"]))
    item = np.where(seen, nodes.path_symbol, np.int32(-1))
    if len(cells) == 0:
        return item
    row = nodes.parent[cells]
    order = np.argsort(row, kind="stable")
    row_start = np.flatnonzero(np.diff(row[order], prepend=-1))
    place = np.empty(len(cells), dtype=np.int64)
    place[order] = np.arange(len(cells)) - np.repeat(row_start, np.diff(row_start, append=len(cells)))
    shown = np.flatnonzero(seen)
    content, end = np.searchsorted(shown, cells), np.searchsorted(shown, cells + nodes.size[cells])
    alone = np.flatnonzero(end == content + 1)[::-1]  # of cells within cells, the outermost is written last
    column = np.zeros(len(shown), dtype=np.int64)
    column[content[alone]] = np.where(in_grid(nodes, cells, order, alone, shown[content[alone]]), 0, 1 + place[alone])
    item[shown] = np.unique(
        item[shown].astype(np.int64) * (1 + int(column.max(initial=0))) + column, return_inverse=True
    )[1]
    return item


def in_grid(nodes: Nodes, cells: Places, order: Places, alone: Places, shown: Places) -> Flags:
    """Whether the node that is alone in a cell is in a link, and the cell before or after it has an equal tree.

    Such links are objects in a grid, not the columns of a row.
    """
    row, class_id = nodes.parent[cells[order]], nodes.structural_class[cells[order]]
    as_next = (row[:-1] == row[1:]) & (class_id[:-1] == class_id[1:])
    alike = np.empty(len(cells), dtype=np.bool_)
    alike[order] = np.append(as_next, False) | np.append(False, as_next)
    found = alike[alone]
    for number in np.flatnonzero(found).tolist():
        node, cell = int(shown[number]), int(cells[alone[number]])
        while node > cell and nodes.tag[node] != TAG_NUMBER["a"]:
            node = int(nodes.parent[node])
        found[number] = node > cell
    return found


def picture_sizes(nodes: Nodes, pictures: Flags) -> dict[int, tuple[float, float]]:
    """Width and height of the pictures that say one of them in pixels; infinity for the other."""
    width = ATTRIBUTE_NUMBER["width"]
    names, values, value_start = nodes.attribute_name, nodes.values, nodes.value_start
    height = ATTRIBUTE_NUMBER["height"]
    places = np.flatnonzero((names == width) | (names == height))
    of_node = np.searchsorted(nodes.attribute_start, places, side="right") - 1
    of_picture = pictures[of_node]
    places, of_node = places[of_picture], of_node[of_picture]
    sizes: dict[int, tuple[float, float]] = {}
    for node, name, start, end in zip(
        of_node.tolist(),
        names[places].tolist(),
        value_start[places].tolist(),
        value_start[places + 1].tolist(),
        strict=True,
    ):
        pixels = values[start:end]
        if pixels.isdigit():
            known = sizes.get(node, (np.inf, np.inf))
            sizes[node] = (float(pixels), known[1]) if name == width else (known[0], float(pixels))
    return sizes


# Where records may be


def tag_paths(nodes: Nodes) -> Int32Array:
    """[n] One number for each tag path, without styles."""
    numbers: dict[tuple[int, int], int] = {}
    paths: list[int] = []
    for tag, parent in zip(nodes.tag.tolist(), nodes.parent.tolist(), strict=True):
        paths.append(numbers.setdefault((paths[parent] if parent >= 0 else -1, tag), len(numbers)))
    return np.array(paths, dtype=np.int32)


def child_sequences(nodes: Nodes, content: Content, coverage: float) -> Sequences:
    """The children of the nodes whose tag path has at least this share of the content."""
    path = tag_paths(nodes)
    body, end = nodes.body, nodes.body + int(nodes.size[nodes.body])
    after = np.arange(len(nodes.tag), dtype=np.int32) + nodes.size
    below = content.before[after] - content.before[:-1]
    of_path = np.bincount(path[body:end], below[body:end], minlength=int(path.max()) + 1)
    is_parent = (of_path >= coverage * content.total)[path] & (below > 0)
    child = np.flatnonzero(is_parent[nodes.parent[body + 1 : end]]) + (body + 1)
    # Siblings are in order of their numbers, so a stable sort by parent makes sequences of them.
    parent = nodes.parent[child]
    order = np.argsort(parent, kind="stable")
    child = child[order]
    start = np.append(np.flatnonzero(np.diff(parent[order], prepend=-1)), len(child))
    spans = np.empty((len(child), 2), dtype=np.int32)
    spans[:, 0] = child
    spans[:, 1] = after[child]
    return Sequences(start.astype(np.int32), spans, path[child], below[child] <= 0)


def likeness(nodes: Nodes, left: Int32Array, right: Int32Array) -> Floats:
    """The share of the nodes of two runs that a maximum matching pairs, for each pair of runs (STM, Yang 1991).

    Twice the pairs divided by the nodes of both; 0 where the budget ran out.
    """
    pairs = np.concatenate((left, right), axis=1).astype(np.int32)
    matched = kernel("similarity.matching").scores(nodes.native, pairs, nodes.options.budget)
    if (matched < 0).any():
        nodes.met.add("regions.matching")
    together = left[:, 1] - left[:, 0] + right[:, 1] - right[:, 0]
    share: Floats = np.maximum(2 * matched, 0) / together
    return share


def clusters(nodes: Nodes, sequences: Sequences, similarity: float) -> tuple[Int32Array, Int32Array]:
    """The clusters of the children by tag, and by tree: the first place of its cluster for each place."""
    start, path = sequences.start, sequences.path
    class_id = nodes.structural_class[sequences.spans[:, 0]]
    left, right = segmentation.kind_pairs(path, class_id, start, nodes.options.pairs)
    if not all_compared(sequences, class_id, left):
        nodes.met.add("regions.clusters")
    alike = likeness(nodes, sequences.spans[left], sequences.spans[right])
    return (
        segmentation.cluster(path, path, start, alike[:0], similarity, nodes.options.pairs),
        segmentation.cluster(path, class_id, start, alike, similarity, nodes.options.pairs),
    )


def all_compared(sequences: Sequences, class_id: Int32Array, compared: Int32Array) -> bool:
    """Whether siblings of one tag and several classes are among those that were compared, wherever a tag repeats."""
    seen = set(compared.tolist())
    for start, end in itertools.pairwise(sequences.start.tolist()):
        path, own = sequences.path[start:end].tolist(), class_id[start:end].tolist()
        shown = Counter(label for label, hides in zip(path, sequences.separator[start:end], strict=True) if not hides)
        if max(shown.values(), default=0) > 1:
            first: dict[int, int] = {}
            for place, (label, kind) in enumerate(zip(path, own, strict=True), start):
                if first.setdefault(label, kind) != kind and place not in seen and kind not in own[: place - start]:
                    return False
    return True


# Which of them are


def measure(
    nodes: Nodes, content: Content, records: Int32Array, first: Int32Array, form: Int32Array, parts: Int32Array
) -> RecordSets:
    """The sets without the odd records at their ends, and with their quality."""
    last = first[1:] - 1
    has_next = np.ones(len(records), dtype=np.bool_)
    has_next[last] = False
    place = np.flatnonzero(has_next)
    to_next = np.zeros(len(records))
    to_next[place] = likeness(nodes, records[place], records[place + 1])
    kept, letters, similarity, variety = quality.measure(
        records, first, to_next, content.before, content.item, nodes.options.odd_record, nodes.options.full_record
    )
    narrowed = np.append(np.int32(0), np.cumsum(kept, dtype=np.int32)[last])
    cuts = np.stack((form, parts, np.diff(first) - np.diff(narrowed)), axis=1).astype(np.int32)
    return RecordSets(records[kept], narrowed, letters / content.total, similarity, variety, cuts)


class Groups(NamedTuple):
    """Sets of records and single nodes, which may be joined."""

    kind: Int32Array
    """[g] Groups are joined with groups of the same kind only, ..."""
    of_sequence: Int32Array
    """[g] ... one of a sequence, ..."""
    quality: Floats
    """[g] ... the best one."""
    form: Int32Array
    """[g] How the records were cut."""
    first: Int32Array
    """[g + 1] Group i has the records first[i] up to first[i + 1]."""
    records: Int32Array
    """[r, 2] Their spans."""


def lone_nodes(sequences: Sequences, by_tag: Int32Array, kind: Int32Array) -> npt.NDArray[np.intp]:
    """The places of nodes that are alone with their tag among their siblings, where others are records elsewhere."""
    seen = ~sequences.separator
    count = np.bincount(by_tag[seen], minlength=len(by_tag))
    known = np.zeros(int(sequences.path.max()) + 1, dtype=np.bool_)
    known[kind[kind % 2 == 0] // 2] = True
    return np.flatnonzero(seen & (count == 1)[by_tag] & known[sequences.path])


def join(nodes: Nodes, groups: Groups, similarity: float) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """The records of several groups as one set: of all that are similar to the best one of their kind; then of those
    that are similar to the best one that is left, and so on.

    Of each group, the record in the middle is compared. Gives the records, where each set begins, how it was cut and
    how many groups it has.
    """
    best_of: dict[tuple[int, int], int] = {}
    quality = groups.quality.tolist()
    for group, key in enumerate(zip(groups.kind.tolist(), groups.of_sequence.tolist(), strict=True)):
        if key not in best_of or quality[group] > quality[best_of[key]]:
            best_of[key] = group
    of_kind: dict[int, list[int]] = {}
    for kind, sequence in sorted(best_of):
        of_kind.setdefault(kind, []).append(best_of[kind, sequence])
    first = groups.first.tolist()
    records: list[Int32Array] = [groups.records[:0]]
    start, form, parts = [0], [], []
    for members in of_kind.values():
        left = members
        for _ in range(MOST_JOINED):
            if len(left) < 2:
                break
            best = max(left, key=quality.__getitem__)
            middle = groups.records[[(first[group] + first[group + 1]) // 2 for group in [best, *left]]]
            alike = likeness(nodes, np.repeat(middle[:1], len(left), axis=0), middle[1:]) >= similarity
            joined = [group for group, is_alike in zip(left, alike.tolist(), strict=True) if is_alike]
            left = [group for group in left if group not in joined and group != best]
            if len(joined) > 1:
                # Records of one kind are at one depth below different parents, so they never overlap.
                spans = np.concatenate([groups.records[first[group] : first[group + 1]] for group in joined])
                records.append(spans[np.argsort(spans[:, 0])])
                start.append(start[-1] + len(spans))
                form.append(int(groups.form[best]))
                parts.append(len(joined))
    starts, forms, counts = (np.array(numbers, dtype=np.int32) for numbers in (start, form, parts))
    return np.concatenate(records), starts, forms, counts


class Gatherer:
    """Finds the siblings that belong to a chosen set of single nodes, though their trees differ.

    These have the tag and the style of the records, or most of their items; or, among the records, are a box around a
    node that is like one (an indented result, a sponsored one).
    """

    def __init__(self, nodes: Nodes, content: Content, spans: list[list[int]], similarity: float) -> None:
        self.nodes, self.content, self.similarity = nodes, content, similarity
        self.paths = tag_paths(nodes)
        self.records = [start for start, _ in spans]
        self.tag = int(nodes.tag[self.records[0]])
        self.letters = sum(map(self.letters_of, self.records)) / len(spans)
        self.shown_each = sum(map(self.shown, self.records)) / len(spans)
        self.styles = {int(nodes.path_symbol[record]) for record in self.records}
        self.styled = bool(nodes.style_symbol[self.records].all())
        holders = Counter(path for record in self.records for path in self.items(record))
        self.known = set(holders)
        self.core = {path for path, count in holders.items() if 2 * count >= len(spans)}

    def letters_of(self, node: int) -> float:
        """The content of a node and all below it."""
        return float(self.content.before[node + self.nodes.size[node]] - self.content.before[node])

    def shown(self, node: int) -> int:
        """How many nodes have content, of a node and all below it."""
        return int((self.content.item[node : node + self.nodes.size[node]] >= 0).sum())

    def items(self, node: int) -> set[int]:
        """The tag paths of the items of a node."""
        span = slice(node, node + self.nodes.size[node])
        return set(self.paths[span][self.content.item[span] >= 0].tolist())

    def children(self, node: int) -> Iterator[int]:
        """The children of a node."""
        child, end = node + 1, node + int(self.nodes.size[node])
        while child < end:
            yield child
            child += int(self.nodes.size[child])

    def is_wrapped(self, sibling: int, record: int) -> bool:
        """Whether a sibling is a box around a node that is like a record, and has little else in it."""
        nodes, least, inner = self.nodes, MOST_OF_BOX * self.letters_of(sibling), sibling
        for _ in range(BOXES):
            # The child that has most of the content.
            child = next((child for child in self.children(inner) if self.letters_of(child) >= least), None)
            if child is None:
                return False
            inner = child
            spans = np.array([[node, node + nodes.size[node]] for node in (inner, record)], dtype=np.int32)
            if nodes.tag[inner] == self.tag and likeness(nodes, spans[:1], spans[1:])[0] >= self.similarity:
                return True
        return False

    def belongs(self, sibling: int, record: int | None) -> bool:
        """Whether a sibling is a record too; `record` is the last one before it, if it is among the records."""
        nodes, letters = self.nodes, self.letters_of(sibling)
        has_tag = int(nodes.tag[sibling]) == self.tag
        if (
            has_tag
            and self.styled
            and nodes.style_symbol[sibling]
            and int(nodes.path_symbol[sibling]) in self.styles
            and letters >= LEAST_STYLED * self.letters
        ):
            return True
        if nodes.tag[sibling] == TEXT or letters < LEAST * self.letters:
            return False
        own = self.items(sibling)
        if (
            has_tag
            and self.core
            and 4 * len(own & self.core) >= 3 * len(self.core)
            and 4 * len(own & self.known) >= 3 * len(own)
        ):
            return True
        if record is None:
            return False
        if (
            has_tag
            and 2 * self.shown(sibling) >= self.shown_each
            and 2 * letters >= self.letters
            and self.shares_class(sibling)
        ):
            return True
        return self.is_wrapped(sibling, record)

    def class_words(self, node: int) -> set[bytes] | None:
        """The words of the attribute `class`; None where there is none, or it is too long."""
        nodes = self.nodes
        for entry in range(int(nodes.attribute_start[node]), int(nodes.attribute_start[node + 1])):
            if nodes.attribute_name[entry] == ATTRIBUTE_NUMBER["class"]:
                value = nodes.values[nodes.value_start[entry] : nodes.value_start[entry + 1]]
                # White space of HTML; bytes.split has the vertical tab among it.
                words = {word for word in re.split(rb"[ \t\n\f\r]", value) if word}
                return words if len(value) <= LONGEST_CLASS else None
        return None

    def shares_class(self, sibling: int) -> bool:
        """Whether a sibling has all words that the first and the last record have in their class, if there are any."""
        first, last, own = (self.class_words(node) for node in (self.records[0], self.records[-1], sibling))
        if first is None or last is None or own is None:
            return False
        return bool(first & last) and first & last <= own

    def found(self, taken: bytearray) -> list[int]:
        """The siblings, none of which shares a node with what is taken."""
        siblings = []
        for up in dict.fromkeys(int(self.nodes.parent[record]) for record in self.records):
            own = {record for record in self.records if self.nodes.parent[record] == up}
            before = None
            for child in self.children(up):
                if child in own:
                    before = child
                elif (
                    self.letters_of(child) > 0
                    and taken.find(1, child, child + int(self.nodes.size[child])) < 0
                    and self.belongs(child, before if before is None or before < max(own) else None)
                ):
                    siblings.append(child)
        return siblings


def disjoint(
    nodes: Nodes, content: Content, found: tuple[RecordSets, ...], coverage: float, similarity: float
) -> tuple[Int32Array, Int32Array, Floats, Int32Array]:
    """The sets in order of their quality, without those that share a node with a better one."""
    ranked = [
        (score, number, sets)
        for sets in found
        for number, score in enumerate((sets.quality * (sets.coverage >= coverage)).tolist())
        if score > 0
    ]
    ranked.sort(key=lambda candidate: -candidate[0])
    taken = bytearray(len(nodes.tag))
    records: list[list[int]] = []
    first, scores, cuts = [0], [], []
    for _, number, sets in ranked:
        spans = sets.records[sets.first[number] : sets.first[number + 1]].tolist()
        if any(taken.find(1, start, end) >= 0 for start, end in spans):
            continue
        added = []
        if sets.cuts[number, 0] == segmentation.SINGLE_NODES and nodes.tag[spans[0][0]] != TEXT:
            added = Gatherer(nodes, content, spans, similarity).found(taken)
        spans = sorted(spans + [[node, node + int(nodes.size[node])] for node in added])
        for start, end in spans:
            taken[start:end] = b"\1" * (end - start)
        records += spans
        first.append(len(records))
        scores.append([sets.coverage[number], sets.similarity[number], sets.variety[number]])
        cuts.append([*sets.cuts[number].tolist(), len(added)])
    return (
        np.array(records, dtype=np.int32).reshape(-1, 2),
        np.array(first, dtype=np.int32),
        np.array(scores, dtype=np.float64).reshape(-1, 3),
        np.array(cuts, dtype=np.int32).reshape(-1, 4),
    )
