"""Partial tree alignment in plain Python, for where the compiled module cannot be imported.
The same functions, arguments and results as `fastwrap._core.alignment`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fastwrap.arrays import Int32Array
from fastwrap.names import NO_NODE, TEXT

SAME_TAG = 2
SAME_SYMBOL = 1
ATTEMPTS = 3
WINDOW = 64
MAX_NODES = 1 << 28


def checked_spans(size: Int32Array, start: Int32Array, end: Int32Array) -> list[tuple[int, int]]:
    """The spans, if they are runs of whole subtrees."""
    nodes, sizes = len(size), size.tolist()
    if len(start) != len(end):
        raise ValueError("start and end differ in length")
    spans = list(zip(start.tolist(), end.tolist(), strict=True))
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

    def __init__(self, tag: Int32Array, size: Int32Array, parent: Int32Array, budget: int) -> None:
        self.tag, self.size, self.parent = tag.tolist(), size.tolist(), parent.tolist()
        self.budget = budget
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

    def place(self, start: int, end: int, symbols: list[int], forced: bool) -> list[Slot] | None:
        """The slots of a record's nodes; None if the places of some can be known only later."""
        path: list[int] = []
        cells = 0
        for node in range(start, end):
            up = self.parent[node] - start
            above = 0 if up < 0 else path[up]
            path.append(NO_NODE if above == NO_NODE else self.path_number.get((above, self.tag[node]), NO_NODE))
            cells += 0 if above == NO_NODE else self.children_of[above]
            cells += 0 if path[-1] == NO_NODE else len(self.slots_of[path[-1]])
        weighed = cells <= self.budget
        weights: dict[tuple[int, int, int], int] = {}  # by node, path and rank of the slot
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
        placed: dict[int, Slot] = {}
        complete = True
        stack = [(self.siblings(start, end), self.root)]
        while stack:
            nodes, slot = stack.pop()
            pairs = pair(nodes, slot.children, weights) if weighed else self.pair_by_tag(nodes, slot.children)
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

    def pair_by_tag(self, nodes: list[int], slots: list[Slot]) -> dict[int, Slot]:
        """Siblings with the next slot of their tag, where weighing them would exceed the budget."""
        pairs, at = {}, 0
        for node in nodes:
            reach = next((j for j in range(at, min(at + WINDOW, len(slots))) if slots[j].tag == self.tag[node]), None)
            if reach is not None:
                pairs[node] = slots[reach]
                at = reach + 1
        return pairs


def table(nodes: list[int], slots: list[Slot], weights: dict[tuple[int, int, int], int]) -> list[list[int]]:
    """What the best mapping of the first nodes into the first slots weighs, for each number of them."""
    found = [[0] * (len(slots) + 1)]
    for node in nodes:
        row = [0]
        for j, slot in enumerate(slots):
            weight = weights.get((node, slot.path, slot.rank), 0)
            row.append(max(row[j], found[-1][j + 1], found[-1][j] + weight))
        found.append(row)
    return found


def pair(nodes: list[int], slots: list[Slot], weights: dict[tuple[int, int, int], int]) -> dict[int, Slot]:
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


def align(
    tag: Int32Array,
    size: Int32Array,
    parent: Int32Array,
    start: Int32Array,
    end: Int32Array,
    symbols: Int32Array,
    budget: int,
) -> Int32Array:
    """The slots of all nodes of all records."""
    spans = checked_spans(size, start, end)
    if len({len(tag), len(size), len(parent)}) > 1 or len(symbols) != sum(last - first for first, last in spans):
        raise ValueError("arrays that belong together differ in length")
    tree = GrownTree(tag, size, parent, budget)
    rest = symbols.tolist()
    first_like: dict[tuple[tuple[int, ...], ...], int] = {}
    like, own_symbols = [], []
    for record, (first, last) in enumerate(spans):
        own, rest = rest[: last - first], rest[last - first :]
        key = tuple(tree.tag[first:last]), tuple(tree.size[first:last]), tuple(own)
        like.append(first_like.setdefault(key, record))
        own_symbols.append(own)
    richness = [(tree.tag[first:last].count(TEXT), last - first) for first, last in spans]
    seed = like[richness.index(max(richness))] if spans else 0
    waiting = sorted(first_like.values(), key=lambda record: (record != seed, record))
    slots: dict[int, list[Slot]] = {}
    for attempt in range(ATTEMPTS):
        for record in waiting:
            found = tree.place(*spans[record], own_symbols[record], attempt == ATTEMPTS - 1)
            if found is not None:
                slots[record] = found
        waiting = [record for record in waiting if record not in slots]
    stack, number = tree.root.children[::-1], 0
    while stack:
        slot = stack.pop()
        slot.number, number = number, number + 1
        stack += slot.children[::-1]
    return np.array([slot.number for record in like for slot in slots[record]], dtype=np.int32)


def node_symbols(
    tag: Int32Array,
    size: Int32Array,
    style: Int32Array,
    text_start: Int32Array,
    text: bytes,
    start: Int32Array,
    end: Int32Array,
    enough: int,
) -> Int32Array:
    """The symbols of all nodes of all records."""
    spans = checked_spans(size, start, end)
    if len({len(tag), len(size), len(style), len(text_start) - 1}) > 1:
        raise ValueError("arrays that belong together differ in length")
    tags, styles, starts = tag.tolist(), style.tolist(), text_start.tolist()
    if tags and (starts[0] < 0 or starts[-1] > len(text)):
        raise ValueError("the texts are not within the text")
    numbers: dict[bytes, int] = {}
    records_with: Counter[int] = Counter()
    found: list[tuple[bool, int]] = []
    for first, last in spans:
        of_record = set()
        for node in range(first, last):
            if tags[node] != TEXT:
                found.append((False, styles[node]))
                continue
            number = numbers.setdefault(text[starts[node] : starts[node + 1]], len(numbers) + 1)
            of_record.add(number)
            found.append((True, number))
        records_with.update(of_record)
    symbols = [0 if is_text and records_with[symbol] < enough else symbol for is_text, symbol in found]
    return np.array(symbols, dtype=np.int32)


def tabulate(
    tag: Int32Array,
    size: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    text_start: Int32Array,
    text: bytes,
    wanted: Int32Array,
    start: Int32Array,
    end: Int32Array,
    slots: Int32Array,
    cells: int,
) -> tuple[Int32Array, npt.NDArray[np.int64], Int32Array]:
    """The items of all records in columns."""
    spans = checked_spans(size, start, end)
    if (
        len({len(tag), len(size), len(attribute_start) - 1, len(text_start) - 1}) > 1
        or len(value_start) != len(attribute_name) + 1
        or len(slots) != sum(last - first for first, last in spans)
    ):
        raise ValueError("arrays that belong together differ in length")
    tags, names, order = tag.tolist(), attribute_name.tolist(), wanted.tolist()
    attributes, bounds, starts = attribute_start.tolist(), value_start.tolist(), text_start.tolist()
    if tags and (starts[-1] > len(text) or attributes[-1] > len(names) or bounds[-1] > len(values)):
        raise ValueError("the texts are not within the text, or the values not within theirs")
    if len(slots) and slots.min() < 0:
        raise ValueError("a slot is negative")
    kinds = len(order) + 1
    columns: dict[int, list[tuple[int, int, bytes]]] = {}  # by slot and kind: record, node and value of each item
    slot = iter(slots.tolist())
    for record, (first, last) in enumerate(spans):
        for node in range(first, last):
            key = next(slot) * kinds
            if tags[node] == TEXT:
                said = text[starts[node] : starts[node + 1]]
                columns.setdefault(key + kinds - 1, []).append((record, node, said))
            for entry in range(attributes[node], attributes[node + 1]):
                if names[entry] in order and bounds[entry] < bounds[entry + 1]:
                    said = values[bounds[entry] : bounds[entry + 1]]
                    columns.setdefault(key + order.index(names[entry]), []).append((record, node, said))
    kept = sorted(columns)
    if len(kept) * len(spans) > cells:
        fewest = sorted((len(column) for column in columns.values()), reverse=True)[cells // len(spans)] + 1
        kept = [key for key in kept if len(columns[key]) >= fewest]
    nodes = np.full((len(spans), len(kept)), NO_NODE, dtype=np.int32)
    equal = []
    for place, key in enumerate(kept):
        for record, node, _ in columns[key]:
            nodes[record, place] = node
        _, most = Counter(said for _, _, said in columns[key]).most_common(1)[0]
        equal.append(most if 2 * most > len(columns[key]) else 0)
    return nodes, np.array(kept, dtype=np.int64), np.array(equal, dtype=np.int32)
