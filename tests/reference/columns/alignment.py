"""Partial tree alignment in plain Python: the oracle of `fastwrap._core.columns.alignment`."""

from __future__ import annotations

from dataclasses import dataclass, field

from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TEXT

SAME_TAG = 2
SAME_SYMBOL = 1
ATTEMPTS = 3
WINDOW = 64


def checked_spans(size: Int32Array, given: Int32Array) -> list[tuple[int, int]]:
    """The spans, if they are runs of whole subtrees."""
    nodes, sizes = len(size), size.tolist()
    spans = [(first, last) for first, last in given.tolist()]
    for record, (first, last) in enumerate(spans):
        if not 0 <= first < last <= nodes:
            raise ValueError(f"span {record} is not within the {nodes} nodes of the page")
        node = first
        while node < last:
            node += sizes[node]
        if node != last:
            raise ValueError(f"span {record} is not a run of whole subtrees")
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
