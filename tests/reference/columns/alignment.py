"""Partial tree alignment in plain Python, for where the compiled module cannot be imported.
The same functions, arguments and results as `fastwrap._core.columns.alignment`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TEXT

SAME_TAG = 2
SAME_SYMBOL = 1
ATTEMPTS = 3
WINDOW = 64
MAX_NODES = 1 << 28
MAX_KINDS = 250

Cell = str | list[str | None] | None
T = TypeVar("T")


def checked_spans(size: Int32Array, given: Int32Array) -> list[tuple[int, int]]:
    """The spans, if they are runs of whole subtrees."""
    nodes, sizes = len(size), size.tolist()
    if given.shape[1] != 2:
        raise ValueError("a span is a first node and the one after the last")
    spans = [(first, last) for first, last in given.tolist()]
    for record, (first, last) in enumerate(spans):
        if not 0 <= first < last <= nodes:
            raise ValueError(f"record {record} is not a span of the {nodes} nodes")
        node = first
        while node < last:
            node += sizes[node]
        if node != last:
            raise ValueError(f"record {record} is not a run of whole subtrees")
    if sum(last - first for first, last in spans) > MAX_NODES:
        raise ValueError(f"the records have more than {MAX_NODES} nodes")
    return spans


Weights = dict[tuple[int, int, int], int]
"""By node, path and rank of the slot."""


@dataclass(slots=True, eq=False)
class Slot:
    """A node of the grown tree."""

    tag: int
    symbol: int
    path: int
    rank: int
    """Its number among the slots of that path."""
    children: list[Slot] = field(default_factory=list)
    number: int = NO_NODE


class GrownTree:
    """The tree that records are placed in."""

    def __init__(self, tag: list[int], size: list[int], parent: list[int], budget: int) -> None:
        self.tag, self.size, self.parent = tag, size, parent
        self.budget = budget
        self.exceeded = False
        self.root = Slot(NO_NODE, 0, 0, 0)
        self.path_number: dict[tuple[int, int], int] = {}
        self.slots_of: list[list[Slot]] = [[self.root]]  # by path
        self.children_of: list[int] = [0]  # by path: children of all its slots

    def siblings(self, node: int, end: int) -> list[int]:
        """The top nodes of a span."""
        found = []
        while node < end:
            found.append(node)
            node += self.size[node]
        return found

    def add(self, node: int, symbol: int, above: Slot, place: int) -> Slot:
        """Make a slot for a node."""
        key = above.path, self.tag[node]
        if key not in self.path_number:
            self.path_number[key] = len(self.slots_of)
            self.slots_of.append([])
            self.children_of.append(0)
        path = self.path_number[key]
        slot = Slot(self.tag[node], symbol, path, len(self.slots_of[path]))
        self.slots_of[path].append(slot)
        self.children_of[above.path] += 1
        above.children.insert(place, slot)
        return slot

    def weigh(self, start: int, end: int, symbols: list[int]) -> Weights | None:
        """What pairs of nodes and slots weigh; None if there are too many."""
        path: list[int] = []
        cells = 0
        for node in range(start, end):
            up = self.parent[node] - start
            above = 0 if up < 0 else path[up]
            path.append(NO_NODE if above == NO_NODE else self.path_number.get((above, self.tag[node]), NO_NODE))
            cells += 0 if above == NO_NODE else self.children_of[above]
            cells += 0 if path[-1] == NO_NODE else len(self.slots_of[path[-1]])
        weighed = cells <= self.budget
        self.exceeded |= not weighed
        weights: Weights = {}
        if weighed:
            self.budget -= cells
            for node in range(end - 1, start - 1, -1):
                of_path = [] if path[node - start] == NO_NODE else self.slots_of[path[node - start]]
                for slot in of_path:
                    children = self.siblings(node + 1, node + self.size[node])
                    same = symbols[node - start] != 0 and symbols[node - start] == slot.symbol
                    weights[node, slot.path, slot.rank] = (
                        SAME_TAG + SAME_SYMBOL * same + table(children, slot.children, weights)[-1][-1]
                    )
        return weights if weighed else None

    def place(self, start: int, end: int, symbols: list[int], forced: bool) -> list[Slot] | None:
        """The slots of a record's nodes; None if the places of some can be known only later."""
        weights = self.weigh(start, end, symbols)
        placed: dict[int, Slot] = {}
        complete = True
        stack = [(self.siblings(start, end), self.root)]
        while stack:
            nodes, slot = stack.pop()
            pairs = self.pair(nodes, slot.children, weights)
            placed.update(pairs)
            stack += [(self.siblings(n + 1, n + self.size[n]), partner) for n, partner in pairs.items()]
            following = 0  # the place among the children after the partner of the node before
            first = 0
            while first < len(nodes):
                if nodes[first] in placed:
                    following = slot.children.index(placed[nodes[first]]) + 1
                    first += 1
                    continue
                last = first
                while last < len(nodes) and nodes[last] not in placed:
                    last += 1
                next_place = slot.children.index(placed[nodes[last]]) if last < len(nodes) else len(slot.children)
                if next_place == following or forced:
                    for node in nodes[first:last]:
                        placed[node] = self.add(node, symbols[node - start], slot, following)
                        following += 1
                        for below in range(node + 1, node + self.size[node]):
                            above_slot = placed[self.parent[below]]
                            placed[below] = self.add(
                                below, symbols[below - start], above_slot, len(above_slot.children)
                            )
                else:
                    complete = False
                first = last
        return [placed[node] for node in range(start, end)] if complete else None

    def fit(self, start: int, end: int, symbols: list[int], repeats: dict[Slot, Slot]) -> list[Slot | None]:
        """The slots of a record's nodes in a tree that grows no more; None for those without a partner."""
        weights = self.weigh(start, end, symbols)
        placed: dict[int, Slot] = {}
        stack = [(self.siblings(start, end), self.root)]
        while stack:
            nodes, slot = stack.pop()
            pairs = self.pair(nodes, slot.children, weights)
            following = next((place for place, child in enumerate(slot.children) if child in repeats), None)
            for node in nodes:
                if node not in pairs and following is not None:
                    for child in slot.children[following : following + WINDOW]:
                        same = self.tag[node] == TEXT or child.symbol == symbols[node - start]
                        if child in repeats and child.tag == self.tag[node] and same:
                            pairs[node] = repeats[child]
                            break
            placed.update(pairs)
            stack += [(self.siblings(n + 1, n + self.size[n]), partner) for n, partner in pairs.items()]
        return [placed.get(node) for node in range(start, end)]

    def pair(self, nodes: list[int], slots: list[Slot], weights: Weights | None) -> dict[int, Slot]:
        """Siblings with their slots: by weight, or, if there are too many pairs, by their tags."""
        return self.pair_by_tag(nodes, slots) if weights is None else pair(nodes, slots, weights)

    def pair_by_tag(self, nodes: list[int], slots: list[Slot]) -> dict[int, Slot]:
        """Siblings with the next slot of their tag, where weighing them would exceed the budget."""
        pairs, at = {}, 0
        for node in nodes:
            reach = next((j for j in range(at, min(at + WINDOW, len(slots))) if slots[j].tag == self.tag[node]), None)
            if reach is not None:
                pairs[node] = slots[reach]
                at = reach + 1
        return pairs


def table(nodes: list[int], slots: list[Slot], weights: Weights) -> list[list[int]]:
    """What the best mapping of the first nodes into the first slots weighs, for each number of them."""
    found = [[0] * (len(slots) + 1)]
    for node in nodes:
        row = [0]
        for j, slot in enumerate(slots):
            weight = weights.get((node, slot.path, slot.rank), 0)
            row.append(max(row[j], found[-1][j + 1], found[-1][j] + weight))
        found.append(row)
    return found


def pair(nodes: list[int], slots: list[Slot], weights: Weights) -> dict[int, Slot]:
    """The heaviest mapping of siblings; of several the one farthest to the left."""
    found = table(nodes, slots, weights)
    pairs, i, j = {}, len(nodes), len(slots)
    while i and j:
        if found[i][j] == found[i][j - 1]:
            j -= 1
        elif found[i][j] == found[i - 1][j]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            pairs[nodes[i]] = slots[j]
    return pairs


def grow(tree: GrownTree, records: list[tuple[int, int]], symbols: list[int]) -> list[Slot]:
    """Place all nodes of all records. Returns their slots."""
    like, own_symbols = alike(tree, records, symbols)
    richness = [(tree.tag[first:last].count(TEXT), last - first) for first, last in records]
    seed = like[richness.index(max(richness))] if records else 0
    waiting = sorted(set(like), key=lambda record: (record != seed, record))
    slots: dict[int, list[Slot]] = {}
    for attempt in range(ATTEMPTS):
        for record in waiting:
            found = tree.place(*records[record], own_symbols[record], attempt == ATTEMPTS - 1)
            if found is not None:
                slots[record] = found
        waiting = [record for record in waiting if record not in slots]
    return [slot for record in like for slot in slots[record]]


def numbered(tree: GrownTree, placed: list[Slot]) -> list[list[int]]:
    """The slots that are in use, in document order: tag, parent, symbol and size of each."""
    used = set(placed)
    stack = [(slot, NO_NODE) for slot in reversed(tree.root.children)]
    rows: list[list[int]] = []
    while stack:
        slot, above = stack.pop()
        if slot in used:
            slot.number = len(rows)
            rows.append([slot.tag, above, slot.symbol, 1])
            stack += [(child, slot.number) for child in reversed(slot.children)]
    for row in reversed(rows):
        if row[1] != NO_NODE:
            rows[row[1]][3] += row[3]
    return rows


def alike(tree: GrownTree, spans: list[tuple[int, int]], symbols: list[int]) -> tuple[list[int], list[list[int]]]:
    """For each record the first one that is equal to it, and its symbols."""
    first_like: dict[tuple[tuple[int, ...], ...], int] = {}
    like, own_symbols = [], []
    done = 0
    for record, (first, last) in enumerate(spans):
        own = symbols[done : done + last - first]
        done += last - first
        key = tuple(tree.tag[first:last]), tuple(tree.size[first:last]), tuple(own)
        like.append(first_like.setdefault(key, record))
        own_symbols.append(own)
    return like, own_symbols


# One value in pieces, and lists

FORMATTING, CELL = 1, 2
MIN_UNITS = 3
MIN_PATTERNS = 3
RARE, SAME_NUMBER, BARE, SAME_MARKUP, SAME_LINES = 30, 60, 50, 90, 50


@dataclass
class Folder:
    """Finds joined texts and lists in a grown tree."""

    tag: list[int]
    symbol: list[int]
    size: list[int]
    times: list[int]
    filled: npt.NDArray[np.bool_]
    traits: list[int]
    line_break: int
    link: int
    texts: list[bytes]
    """By slot: a text in it."""

    def __post_init__(self) -> None:
        self.into = list(range(len(self.tag)))
        self.unit = [NO_NODE] * len(self.tag)
        self.settled = [False] * len(self.tag)
        self.lists = 0
        self.loose = [
            tag in (TEXT, self.line_break) or (symbol == 0 and self.trait(tag) == FORMATTING)
            for tag, symbol in zip(self.tag, self.symbol, strict=True)
        ]

    def trait(self, tag: int) -> int:
        return self.traits[tag] if tag < len(self.traits) else 0

    def below(self, slot: int) -> range:
        return range(slot, slot + self.size[slot])

    def children(self, slot: int) -> list[int]:
        child, found = slot + 1, []
        end = len(self.tag) if slot == NO_NODE else slot + self.size[slot]
        while child < end:
            found.append(child)
            child += self.size[child]
        return found

    def is_loose(self, slot: int) -> bool:
        return all(self.loose[below] for below in self.below(slot))

    def is_name(self, slot: int) -> bool:
        return self.tag[slot] == TEXT and self.symbol[slot] != 0 and self.texts[slot].endswith(b":")

    def run(self) -> None:
        for slot in range(NO_NODE, len(self.tag)):
            if slot != NO_NODE and (self.settled[slot] or self.size[slot] < 3):
                continue
            up = len(self.filled) if slot == NO_NODE else self.times[slot]
            children = self.children(slot)
            uneven = sum(self.times[child] < up for child in children)
            if uneven and len(children) >= MIN_UNITS:
                self.find_lists(children)
            if uneven > 1:
                for run in self.text_runs(children, up):
                    self.join_run(run)

    def find_lists(self, children: list[int]) -> None:
        run: list[int] = []
        kind = (NO_NODE, 0)
        for child in [*children, None]:
            if child is not None and run and self.tag[child] in (TEXT, self.line_break):
                continue
            own = None if child is None else (self.tag[child], self.symbol[child])
            if own != kind:
                if self.is_list(run):
                    for member in run:
                        self.unit[member] = self.lists
                    for slot in range(run[0], self.below(run[-1]).stop):
                        self.settled[slot] = True
                    self.lists += 1
                run = []
            if child is not None and own is not None:
                kind = own
                if self.tag[child] not in (TEXT, self.line_break):
                    run.append(child)

    def is_list(self, run: list[int]) -> bool:
        if len(run) < MIN_UNITS:
            return False
        trait = self.trait(self.tag[run[0]])
        if trait == CELL or (trait == FORMATTING and self.is_loose(run[0])):
            return False
        numbers = Counter(self.filled[:, run].sum(axis=1).tolist())
        del numbers[0]
        usual = max(numbers, key=lambda number: (numbers[number], -number))
        if max(numbers) < MIN_UNITS or len(numbers) < 2:
            return False
        if usual > 1 and 100 * numbers[usual] >= SAME_NUMBER * numbers.total():
            return False
        return len({self.symbol[slot] for member in run for slot in self.below(member) if self.is_name(slot)}) < 2

    def text_runs(self, children: list[int], up: int) -> Iterator[list[int]]:
        run: list[int] = []
        for child in children:
            inside = [below for below in self.below(child) if below != child]
            joins = self.is_loose(child) or (
                self.tag[child] == self.link
                and 100 * self.times[child] < RARE * up
                and all(self.loose[below] for below in inside)
            )
            if joins and not self.settled[child] and not any(self.is_name(slot) for slot in self.below(child)):
                run.append(child)
                continue
            if len(run) > 1:
                yield run
            run = []
        if len(run) > 1:
            yield run

    def join_run(self, run: list[int]) -> None:
        lines: list[list[int]] = [[]]
        for child in run:
            if self.tag[child] == self.line_break:
                lines.append([])
            else:
                lines[-1].append(child)
        lines = [line for line in lines if line]
        for line in lines:
            if len(line) > 1 and self.is_marked_up(line):
                self.join(line)
        if len(lines) > 1:
            patterns = [
                tuple(row) for row in zip(*(self.filled[:, line].any(axis=1).tolist() for line in lines), strict=True)
            ]
            if self.is_irregular([pattern for pattern in patterns if any(pattern)], SAME_LINES):
                self.join(run)

    def is_marked_up(self, line: list[int]) -> bool:
        patterns = [tuple(row) for row in self.filled[:, line].tolist() if any(row)]
        texts = [place for place, child in enumerate(line) if self.tag[child] == TEXT]
        bare = sum(any(pattern[place] for place in texts) for pattern in patterns)
        return bare > 0 and 100 * bare >= BARE * len(patterns) and self.is_irregular(patterns, SAME_MARKUP)

    def is_irregular(self, patterns: list[tuple[bool, ...]], share: int) -> bool:
        counted = Counter(patterns)
        return len(counted) >= MIN_PATTERNS and 100 * max(counted.values()) < share * len(patterns)

    def join(self, run: list[int]) -> None:
        slots = [slot for child in run for slot in self.below(child)]
        texts = [slot for slot in slots if self.tag[slot] == TEXT]
        for slot in slots:
            self.settled[slot] = True
        for slot in texts:
            self.into[slot] = texts[0]


def fold_slots(
    tree: list[list[int]],
    slots: list[int],
    records: list[tuple[int, int]],
    items: Items,
    traits: list[int],
    line_break: int,
    link: int,
) -> Folder:
    """Which slots hold one text in pieces, and which a list. `tree` has the four rows of `numbered`, by slot."""
    count = len(tree)
    lengths = [last - first for first, last in records]
    filled = np.zeros((len(records), count), dtype=np.bool_)
    filled[np.repeat(np.arange(len(records)), lengths), slots] = True
    nodes = [node for first, last in records for node in range(first, last)]
    first_node = dict(zip(reversed(slots), reversed(nodes), strict=True))
    texts = [items.letters(first_node[slot]) for slot in range(count)]
    tags, _, symbols, sizes = (list(row) for row in zip(*tree, strict=True))
    times = np.bincount(slots, minlength=count).tolist()
    folder = Folder(tags, symbols, sizes, times, filled, traits, line_break, link, texts)
    folder.run()
    return folder


def fold_list(
    tree: list[list[int]], into: list[int], list_of: list[int], repeats: list[int], units: list[int], number: int,
    budget: int,
) -> GrownTree:  # fmt: skip
    """Map the units of a list onto each other: what is alike in them goes to the first slot that has it."""
    tag, parent, symbol, size = (list(row) for row in zip(*tree, strict=True))
    last = units[-1] + size[units[-1]]
    # A unit reaches to the next one: separators, or texts that belong to it, are between them.
    spans = list(zip(units, [*units[1:], last], strict=True))
    grown = GrownTree(tag, size, parent, budget)
    placed = grow(grown, spans, symbol[units[0] : last])
    earliest: dict[int, int] = {}
    for slot, place in zip(range(units[0], last), placed, strict=True):
        into[slot] = earliest.setdefault(id(place), slot)
        list_of[slot] = number
        if tag[slot] == TEXT and parent[slot] == parent[units[0]]:
            repeats[slot] = slot
    for slot in units:
        repeats[slot] = max(units, key=size.__getitem__)
    return grown


# Texts and values


def hashed(text: bytes) -> int:
    """FNV-1a, 64 bits (Fowler, Noll & Vo)."""
    mixed = 0xCBF29CE484222325
    for byte in text:
        mixed = (mixed ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return mixed


def folded(mixed: int) -> int:
    """A hash as a symbol: 31 bits, never 0."""
    return (mixed ^ mixed >> 32) & 0x7FFFFFFF or 1


def style_symbol(items: Items, node: int, class_name: int, style_name: int) -> int:
    """The symbol of the class and style attribute of an element; 0 if both are empty."""
    given = dict(items.given(node))
    if class_name not in given and style_name not in given:
        return 0
    classes, declared = (hashed(given.get(name, b"")) for name in (class_name, style_name))
    return folded((classes ^ declared >> 7) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF ^ declared)


def text_symbol(items: Items, node: int) -> int:
    """The symbol of what a text says."""
    return folded(hashed(items.letters(node) + b" ") | 1)


def node_symbols(
    items: Items, records: list[tuple[int, int]], class_name: int, style_name: int, enough: int
) -> list[int]:
    """The symbols of all nodes of all records."""
    records_with: Counter[bytes] = Counter()
    for first, last in records:
        records_with.update({items.letters(node) for node in range(first, last) if items.tags[node] == TEXT})
    symbols = []
    for first, last in records:
        for node in range(first, last):
            if items.tags[node] != TEXT:
                symbols.append(style_symbol(items, node, class_name, style_name))
            else:
                symbols.append(text_symbol(items, node) if records_with[items.letters(node)] >= enough else 0)
    return symbols


class Items:
    """The node arrays that items are read from."""

    def __init__(
        self,
        tag: Int32Array,
        size: Int32Array,
        attribute_start: Int32Array,
        attribute_name: Int32Array,
        value_start: Int32Array,
        values: bytes,
        text_start: Int32Array,
        text: bytes,
    ) -> None:
        if (
            len({len(tag), len(size), len(attribute_start) - 1, len(text_start) - 1}) > 1
            or len(value_start) != len(attribute_name) + 1
        ):
            raise ValueError("arrays that belong together differ in length")
        self.tags, self.names = tag.tolist(), attribute_name.tolist()
        self.attributes, self.bounds = attribute_start.tolist(), value_start.tolist()
        self.starts = text_start.tolist()
        self.values, self.text = values, text
        if self.tags and (
            self.starts[0] < 0
            or self.starts[-1] > len(text)
            or self.attributes[-1] > len(self.names)
            or self.bounds[-1] > len(values)
        ):
            raise ValueError("the texts are not within the text, or the values not within theirs")

    def letters(self, node: int) -> bytes:
        """What a text says."""
        return self.text[self.starts[node] : self.starts[node + 1] - 1]

    def given(self, node: int) -> Iterator[tuple[int, bytes]]:
        """The names and values of the attributes that have one."""
        for entry in range(self.attributes[node], self.attributes[node + 1]):
            if self.bounds[entry] < self.bounds[entry + 1]:
                yield self.names[entry], self.values[self.bounds[entry] : self.bounds[entry + 1]]

    def of(self, node: int, wanted: list[int]) -> Iterator[tuple[int, bytes]]:
        """The items of a node: kinds (places in `wanted`; texts come after these), and what they say."""
        if self.tags[node] == TEXT:
            yield len(wanted), self.letters(node)
        for name, value in self.given(node):
            if name in wanted:
                yield wanted.index(name), value


SEPARATORS = [
    re.compile(pattern, re.DOTALL)
    for pattern in (
        rb"\|", rb";", rb"\(", rb"\)", rb"\[", rb"\]", rb",(?= )", rb"(?<= )-", rb"(?<= )/(?= )", rb"(?<= )~",
        rb":(?=:)",
        rb"\xc2[\xa6\xb7\xbb]|\xe2(?:\x80[\x93-\x96\xa2]|\x97\x8f|\x86\x92)",
    )
]  # fmt: skip
WORDS = 1 << len(SEPARATORS)
FILES = WORDS << 1
MOST_SEPARATORS = 30


def may_split(texts: list[bytes], longest: int) -> int:
    """The kinds of separators that texts agree on, as bits, and one if they begin with the same words."""
    if len(texts) < 2 or len(set(texts)) < 2 or sum(map(len, texts)) > longest * len(texts):
        return 0
    mask = 0
    for kind, separator in enumerate(SEPARATORS):
        counts = [min(len(separator.findall(text)), 255) for text in texts]
        usual = votes = 0
        for count in counts:  # Boyer & Moore 1981
            if votes == 0:
                usual = count
            votes += 1 if count == usual else -1
        if 0 < usual <= MOST_SEPARATORS and 10 * counts.count(usual) >= 9 * len(texts):
            mask |= 1 << kind
    first = texts[0]
    least, most = min(texts), max(texts)
    prefix = least[: next((k for k, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))]
    words, letters, spaced = 0, True, False
    for at, byte in enumerate(prefix):
        if byte == ord(":"):
            return mask | WORDS
        if byte == ord(" "):
            spaced = True
            words = at + 1 if letters else words
        elif not is_letter(byte):
            letters = False
        if not letters and spaced:
            break
    small = not any(65 <= byte <= 90 for byte in prefix[:words])
    return mask | WORDS if 0 < words < len(first) and (small or words <= 4) else mask


def is_file_name(value: bytes) -> bool:
    """Whether a text ends like the name of an image file."""
    return b" " not in value and b"." in value[max(1, len(value) - 5) : -2]


def is_letter(byte: int) -> bool:
    """Whether a byte is a letter, or part of one that is not ASCII."""
    return 65 <= byte <= 90 or 97 <= byte <= 122 or byte >= 128


class Wanted(NamedTuple):
    """The attributes that are items."""

    order: list[int]
    first_data: int
    alternative: int


def tabulate(
    items: Items,
    records: list[tuple[int, int]],
    slots: list[int],
    wanted: Wanted,
    into: list[int],
    unit: list[int],
    list_of: list[int],
    cells: int,
    longest: int,
) -> tuple[Int32Array, list[list[Cell]], list[tuple[int, int]], bool]:
    """The columns, the table, how the texts of columns may be split, and whether columns were left out."""
    order, first_data, alternative = wanted
    kinds = len(order) + 1
    columns: dict[tuple[int, int], list[bytes]] = {}
    own_texts: dict[int, list[bytes]] = {}
    slot = iter(slots)
    for first, last in records:
        for node in range(first, last):
            own = next(slot)
            for kind, said in items.of(node, order):
                if not (first_data <= kind < kinds - 1 and said[:1] in (b"{", b"[")):
                    columns.setdefault((into[own], kind), []).append(said)
                if kind == kinds - 1:
                    own_texts.setdefault(own, []).append(said)
    kept = [
        key
        for key in sorted(columns)
        if not first_data <= key[1] < kinds - 1
        or (len(set(columns[key])) > 1 and 2 * len(columns[key]) >= len(records))
    ]
    left_out = len(kept) * len(records) > cells
    if left_out:
        counts = sorted((len(columns[key]) for key in kept), reverse=True)
        fewest = (counts[cells // len(records)] if cells // len(records) < len(counts) else 0) + 1
        kept = [key for key in kept if len(columns[key]) >= fewest]
    column_of = np.full((len(into), kinds), NO_NODE, dtype=np.int32)
    found, split = [], []
    for number, (place, kind) in enumerate(kept):
        of_slot = own_texts.get(place, [])
        ways = 0
        if kind == alternative and list_of[place] == NO_NODE:
            ways = FILES * is_file_name(columns[place, kind][0])
        elif kind == kinds - 1 and list_of[place] == NO_NODE and len(of_slot) == len(columns[place, kind]):
            ways = may_split(of_slot, longest)
        if ways:
            split.append((number, ways))
        found.append([place, kind, list_of[place]])
        column_of[place, kind] = number
    table = np.array(found, dtype=np.int32).reshape(-1, 3).T.copy()
    rows = read_rows(items, order, records, slots, column_of[into], np.array(unit, dtype=np.int32), table[2])
    return table, rows, split, left_out


LIMITS = {"alignment": 1, "folding": 2, "columns": 4}


def learn(
    tag: Int32Array,
    size: Int32Array,
    parent: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    text_start: Int32Array,
    text: bytes,
    styles: Int32Array,
    spans: Int32Array,
    wanted: Int32Array,
    first_data: int,
    alternative: int,
    names: dict[int, str],
    most_data: int,
    traits: npt.NDArray[np.uint8],
    line_break: int,
    link: int,
    class_name: int,
    style_name: int,
    enough: int,
    budget: int,
    most_filled: int,
    cells: int,
    longest: int,
) -> tuple[Int32Array, Int32Array, Int32Array, list[list[Cell]], list[int], list[tuple[int, int]], int, int]:
    """The template of records, and their table."""
    items = Items(tag, size, attribute_start, attribute_name, value_start, values, text_start, text)
    if len(wanted) > MAX_KINDS:
        raise ValueError(f"more than {MAX_KINDS} attributes are wanted")
    data = [number for number, name in names.items() if name.startswith("data-")]
    data = data[: min(most_data, MAX_KINDS - len(wanted))]
    if len(parent) != len(size) or len(styles) != len(size):
        raise ValueError("arrays that belong together differ in length")
    if len(styles) and styles.max() > len(styles):
        raise ValueError("the number of a style is not within the page")
    records = checked_spans(size, spans)
    grown = GrownTree(tag.tolist(), size.tolist(), parent.tolist(), budget)
    placed = grow(grown, records, node_symbols(items, records, class_name, style_name, enough))
    tree = numbered(grown, placed)
    slots = [slot.number for slot in placed]
    into, unit = list(range(len(tree))), [NO_NODE] * len(tree)
    list_of, repeats = unit[:], unit[:]
    limits, lists, exceeded = 0, 0, grown.exceeded
    if len(records) * len(tree) > most_filled:
        limits |= LIMITS["folding"]
    elif tree:
        folder = fold_slots(tree, slots, records, items, traits.tolist(), line_break, link)
        into, unit, lists = folder.into, folder.unit, folder.lists
        for number in range(lists):
            units = [slot for slot, own in enumerate(unit) if own == number]
            folded_list = fold_list(tree, into, list_of, repeats, units, number, budget)
            budget, exceeded = folded_list.budget, exceeded or folded_list.exceeded
    limits |= LIMITS["alignment"] * exceeded
    order = Wanted([*wanted.tolist(), *data], first_data, alternative)
    places, rows, split, left_out = tabulate(items, records, slots, order, into, unit, list_of, cells, longest)
    limits |= LIMITS["columns"] * left_out
    columns = [*zip(*tree, strict=True)] if tree else [()] * 4
    whole = np.array([*columns, into, unit, list_of, repeats], dtype=np.int32).reshape(8, -1)
    return np.array(slots, dtype=np.int32), whole, places, rows, data, split, lists, limits


def read_rows(
    items: Items,
    order: list[int],
    spans: list[tuple[int, int]],
    slots: list[int],
    column_of: Int32Array,
    unit: Int32Array,
    list_of: Int32Array,
) -> list[list[Cell]]:
    """The table: `column_of` has the column of each slot and kind, `list_of` the list of each column."""
    columns, begins, lists = column_of.tolist(), unit.tolist(), list_of.tolist()
    slot = iter(slots)
    rows: list[list[Cell]] = []
    for first, last in spans:
        row: list[Cell] = [None] * len(lists)
        units: Counter[int] = Counter()
        for node in range(first, last):
            own = next(slot)
            if own == NO_NODE:
                continue
            if begins[own] != NO_NODE:
                units[begins[own]] += 1
            for kind, said in items.of(node, order):
                column = columns[own][kind]
                if column == NO_NODE:
                    continue
                item = said.decode("utf-8", "replace")
                cell = row[column]
                if lists[column] == NO_NODE:
                    row[column] = item if cell is None else f"{cell} {item}"
                elif units[lists[column]]:
                    listed = cell if isinstance(cell, list) else []
                    row[column] = listed
                    listed += [None] * (units[lists[column]] - len(listed))
                    listed[-1] = item if listed[-1] is None else f"{listed[-1]} {item}"
        for column, number in enumerate(lists):
            if number != NO_NODE and units[number]:
                cell = row[column]
                listed = cell if isinstance(cell, list) else []
                row[column] = listed + [None] * (units[number] - len(listed))
        rows.append(row)
    return rows


def transposed(rows: list[list[T]], width: int) -> list[list[T]]:
    """The columns of rows, or the rows of columns."""
    if any(len(row) != width for row in rows):
        raise ValueError("the rows differ in length")
    return [[row[place] for row in rows] for place in range(width)]


def nested(rows: list[list[Any]], groups: list[list[int]]) -> list[list[Any]]:
    """Rows in which the columns of each group are one: entries that have several values are rows themselves."""
    least = max((column + 1 for group in groups for column in group), default=0)
    if any(column < 0 for group in groups for column in group) or any(len(row) < least for row in rows):
        raise ValueError("there is no such column")
    if not all(groups):
        raise ValueError("a group has a column or more")
    several = [(place, group) for place, group in enumerate(groups) if len(group) > 1]
    found = []
    for row in rows:
        cells = [row[group[0]] for group in groups]
        for place, group in several:
            if cells[place] is not None:
                cells[place] = [list(entry) for entry in zip(*[row[column] for column in group], strict=True)]
        found.append(cells)
    return found


class Reader:
    """Reads the records of pages by a template."""

    def __init__(
        self,
        tree: Int32Array,
        repeats: Int32Array,
        labels: Int32Array,
        wanted: Int32Array,
        column_of: Int32Array,
        unit: Int32Array,
        list_of: Int32Array,
        class_name: int,
        style_name: int,
    ) -> None:
        count = tree.shape[1]
        if (
            len(tree) < 3
            or any(len(part) != count for part in (repeats, column_of, unit))
            or column_of.shape[1] != len(wanted) + 1
        ):
            raise ValueError("arrays that belong together differ in length")
        if len(wanted) > MAX_KINDS:
            raise ValueError(f"more than {MAX_KINDS} attributes are wanted")
        self.rows, self.again = tree[:3].T.tolist(), repeats.tolist()
        for number, row in enumerate(self.rows):
            if not NO_NODE <= row[1] < number:
                raise ValueError(f"slot {number} is not in document order")
            other = self.again[number]
            if other != NO_NODE and not (0 <= other < count and self.rows[other][:2] == row[:2]):
                raise ValueError(f"slot {number} is not repeated by one of its siblings")
        if column_of.size and not (column_of.min() >= NO_NODE and column_of.max() < len(list_of)):
            raise ValueError("a column is not within the table")
        self.labels = set(labels.tolist())
        self.order = wanted.tolist()
        self.column_of, self.unit, self.list_of = column_of, unit, list_of
        self.class_name, self.style_name = class_name, style_name

    def read(
        self,
        tag: Int32Array,
        size: Int32Array,
        parent: Int32Array,
        attribute_start: Int32Array,
        attribute_name: Int32Array,
        value_start: Int32Array,
        values: bytes,
        text_start: Int32Array,
        text: bytes,
        spans: Int32Array,
        budget: int,
    ) -> tuple[Int32Array, list[list[Cell]], int]:
        """The slots of all nodes of all records, the table, and the limits."""
        items = Items(tag, size, attribute_start, attribute_name, value_start, values, text_start, text)
        records = checked_spans(size, spans)
        if len(parent) != len(size):
            raise ValueError("arrays that belong together differ in length")
        grown = GrownTree(tag.tolist(), size.tolist(), parent.tolist(), budget)
        node_tags, grown.tag = grown.tag, [row[0] for row in self.rows]  # `add` takes tags of nodes: those of the tree
        slots: list[Slot] = []
        for number, row in enumerate(self.rows):
            above = grown.root if row[1] == NO_NODE else slots[row[1]]
            slots.append(grown.add(number, row[2], above, len(above.children)))
            slots[-1].number = number
        grown.tag = node_tags
        more = {slots[number]: slots[other] for number, other in enumerate(self.again) if other != NO_NODE}
        like, own_symbols = alike(grown, records, self.symbols(items, grown, records, more))
        placed = {record: grown.fit(*records[record], own_symbols[record], more) for record in sorted(set(like))}
        numbers = [NO_NODE if slot is None else slot.number for record in like for slot in placed[record]]
        rows = read_rows(items, self.order, records, numbers, self.column_of, self.unit, self.list_of)
        return np.array(numbers, dtype=np.int32), rows, LIMITS["alignment"] * grown.exceeded

    def symbols(
        self, items: Items, grown: GrownTree, records: list[tuple[int, int]], more: dict[Slot, Slot]
    ) -> list[int]:
        """The symbols of all nodes: 0 for those that no symbol tells apart."""
        telling = {
            path
            for path, slots in enumerate(grown.slots_of)
            if any(slot.symbol != 0 or (slot in more and slot.tag != TEXT) for slot in slots)
        }
        found = []
        for first, last in records:
            path: dict[int, int] = {}
            for node in range(first, last):
                up = grown.parent[node]
                key = path[up] if up >= first else 0, grown.tag[node]
                path[node] = grown.path_number.get(key, NO_NODE)
                if path[node] not in telling:
                    found.append(0)
                elif grown.tag[node] != TEXT:
                    found.append(style_symbol(items, node, self.class_name, self.style_name))
                else:
                    symbol = text_symbol(items, node)
                    found.append(symbol if symbol in self.labels else 0)
        return found
