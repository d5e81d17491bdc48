"""Pages aligned into one tree of slots, in plain Python: the oracle of `fastwrap._core.template.alignment`."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import NodeArrays
from fastwrap.page.names import FORMATTING, NO_NODE, TAG_NUMBER, TEXT

LONGEST_PERIOD = 6
LONG_REPEAT = 8
LABELLED, LABELLED_ROWS = (7, 10), (1, 2)
MOST_CELLS = 1_000_000
INLINE = frozenset(TAG_NUMBER[name] for name in (*FORMATTING, "#text", "a", "br"))
CELLS = frozenset(TAG_NUMBER[name] for name in ("td", "th", "span", "font", "b", "strong", "i", "em", "a", "label"))
TABLE_CELLS = frozenset(TAG_NUMBER[name] for name in ("td", "th"))
LABEL_TAGS = frozenset(TAG_NUMBER[name] for name in ("b", "strong", "dt", "th", "label"))
LOOSE = frozenset(TAG_NUMBER[name] for name in ("a", "li"))
MOST_LABELS = 2
LARGE_TREE = 4
ALIKE, RECORDS_ALIKE, MOST_PEERS = 4, 3, 8
LONGEST_SEPARATOR = 8
MOST_UNITS, MOST_TRIED, MOST_KINDS = 16, 64, 64
DIGIT = re.compile(rb"[0-9]")
FOLLOWING = 4, 5
IS_LABEL, IS_STRICT, IS_RICH, IS_LOOSE, IS_NEAR, VARIES, IS_KIND = 1, 2, 4, 8, 16, 32, 64
LOOSE_COST = 3


@dataclass
class Slot:
    """A place of the template, and the nodes of the pages that stand there."""

    tag: int
    parent: int
    key: int = 0
    name: int = 0
    label: int = 0
    context: int = 0
    near: bool = False
    flags: int = 0
    unit: int = -1
    in_value: bool = False
    words: list[int] = field(default_factory=lambda: [0, 0])
    nodes: list[int] = field(default_factory=list)


@dataclass
class Child:
    """A node among its siblings."""

    node: int
    tag: int
    key: int
    name: int
    label: int
    raw: int = 0
    context: int = 0
    near: bool = False
    is_label: bool = False
    words: tuple[int, int] = (0, 0)


def bit(value: int) -> int:
    return 1 << (value * 0x9E3779B97F4A7C15 >> 58 & 63)


class Tree:
    """The node arrays with what nodes are told apart by."""

    def __init__(self, arrays: NodeArrays, features: tuple[npt.NDArray[np.uint64], ...], labels: set[int]) -> None:
        self.arrays = arrays
        self.tag, self.size, self.parent = arrays.tag.tolist(), arrays.size.tolist(), arrays.parent.tolist()
        self.key, self.name, text, prefix, raw = (part.tolist() for part in features)
        count = len(self.tag)
        self.label, self.raw, self.has_text = [0] * count, [0] * count, [False] * count
        self.has_colon = [False] * count
        self.has_prefix, self.is_inline = [False] * count, [tag in INLINE for tag in self.tag]
        self.labels_below, self.texts_below = [0] * count, [0] * count
        self.words = [[0, 0] for _ in range(count)]
        for node in range(count - 1, -1, -1):
            if self.tag[node] == TEXT:
                known = prefix[node] if prefix[node] in labels else text[node] if text[node] in labels else 0
                self.label[node], self.raw[node], self.has_text[node] = known, raw[node], True
                self.texts_below[node], self.has_prefix[node] = 1, prefix[node] != 0
                end = int(arrays.text_start[node + 1]) - 1
                self.has_colon[node] = arrays.text[arrays.text_start[node] : end].endswith(b":")
                if known:
                    self.words[node][0] |= bit(known)
                    self.labels_below[node] = 1
            else:
                self.words[node][1] |= bit(self.key[node] + self.tag[node])
            up = self.parent[node]
            if up != NO_NODE:
                self.is_inline[up] &= self.is_inline[node]
                if self.has_text[node]:  # nodes come last to first: the first text is written last
                    self.label[up], self.raw[up], self.has_text[up] = self.label[node], self.raw[node], True
                    self.has_prefix[up], self.has_colon[up] = self.has_prefix[node], self.has_colon[node]
                self.words[up][0] |= self.words[node][0]
                self.words[up][1] |= self.words[node][1]
                self.labels_below[up] += self.labels_below[node]
                self.texts_below[up] += self.texts_below[node]

    def children(self, node: int) -> list[Child]:
        found, at, end = [], node + 1, node + self.size[node]
        while at < end:
            words = (self.words[at][0], self.words[at][1])
            # What holds many labels is named by none of them.
            few = self.labels_below[at] <= MOST_LABELS
            label, raw = (self.label[at], self.raw[at]) if few else (0, 0)
            found.append(Child(at, self.tag[at], self.key[at], self.name[at], label, raw, words=words))
            at += self.size[at]
        return found


@dataclass
class Labels:
    """Which children of a slot are labels: kinds of elements that mostly are, and single labels that every page has."""

    kinds: set[tuple[int, int]]
    single: set[tuple[int, int, int]]


def set_contexts(children: list[Child], labels: Labels) -> None:
    """Say which children are labels, and give the others the label before them."""
    context, distance, previous = 0, 0, False
    for child in children:
        is_kind = (child.tag, child.key) in labels.kinds
        if is_kind and not child.label:
            child.label = child.raw
        is_label = is_kind or (child.tag, child.key, child.label) in labels.single
        if is_label and child.tag in CELLS:
            is_label = child.label != 0 and not previous  # a cell behind a label has its value
        if is_label and child.tag == TEXT and not child.label:
            is_label = False  # a comma, or a word between the values of a list
        elif is_label:
            context, distance = child.label, 0
        if not is_label:
            distance += 1
            child.context, child.near = context, distance == 1 and context != 0
        child.is_label = previous = is_label


def overlap(one: int, other: int) -> int:
    """From 0 to 4, how alike two words are."""
    union = (one | other).bit_count()
    return 4 * (one & other).bit_count() // union if union else 4


def score(slot: Slot, child: Child) -> int:
    """How well a node fits a slot; 0 if it may not be there."""
    if slot.tag != child.tag:
        return 0
    same_label = slot.label != 0 and slot.label == child.label
    if slot.flags & IS_STRICT and not same_label:
        return 0
    # What has several labels may begin with another one of them.
    several = (slot.words[0] & child.words[0]).bit_count() > 1 and overlap(slot.words[0], child.words[0]) > 1
    if slot.flags & IS_LABEL and slot.label and child.label and not same_label and not several:
        return 0
    total = 4
    if slot.context and child.context:
        if slot.context == child.context:
            total += 8
        elif slot.near and child.near:
            return 0
    elif slot.near != child.near:
        total -= 2
    if same_label:
        total += 16 if slot.flags & IS_LABEL else 4
    if slot.tag == TEXT:
        return total
    alike = overlap(slot.words[0], child.words[0]) + overlap(slot.words[1], child.words[1])
    same_name = slot.name != 0 and slot.name == child.name
    if same_name:
        total += 12
    elif slot.name and child.name:
        total -= 2
    if slot.key == child.key:
        total += 8 if slot.key else 2
    elif slot.key and child.key and not same_name and not same_label:
        if alike < 4:
            return 0
        total -= 2
    return total + alike


def align_middle(slots: list[Slot], children: list[Child]) -> list[int]:
    """For each child the place of its slot, or -1: the alignment of the best score.

    Slots of one unit may take several rounds of children.
    """
    width, height = len(slots), len(children)
    places = [-1] * height
    if not width or not height or width * height > MOST_CELLS:
        for k in range(min(width, height) if width * height > MOST_CELLS else 0):
            places[k] = k if score(slots[k], children[k]) else -1
        return places
    units: dict[int, tuple[int, int, int]] = {}
    matched: list[list[int]] = [[-1] * width for _ in range(height)]
    back: list[list[tuple[int, int]]] = [[(-1, -1)] * width for _ in range(height)]
    # best[j] = (score, i, j) of the best match that ends in a slot up to j, of children before the current one
    best: list[tuple[int, int, int]] = [(0, -1, -1)] * (width + 1)
    for i, child in enumerate(children):
        row = []
        for j, slot in enumerate(slots):
            gain = score(slot, child)
            if not gain:
                continue
            total, from_i, from_j = best[j]
            again = units.get(slot.unit, (0, -1, -1)) if slot.unit >= 0 else (0, -1, -1)
            again = again[0] - (LOOSE_COST if slot.flags & IS_LOOSE else 0), again[1], again[2]
            if again[0] > total:
                total, from_i, from_j = again
            matched[i][j] = total + gain
            back[i][j] = from_i, from_j
            row.append(j)
        highest = 0, -1, -1
        for j in range(width):
            value = matched[i][j]
            if slots[j].unit >= 0 and value > units.get(slots[j].unit, (0, -1, -1))[0]:
                units[slots[j].unit] = value, i, j
            if value > highest[0]:
                highest = value, i, j
            if highest[0] > best[j + 1][0]:
                best[j + 1] = highest
    _, i, j = best[width]
    while i >= 0:
        places[i] = j
        i, j = back[i][j]
    return places


def is_exact(slot: Slot, child: Child, even: bool) -> bool:
    """Whether a node is just what a slot has had before; `even` if there are as many nodes as slots."""
    return (
        (slot.unit < 0 or (even and bool(slot.flags & IS_LOOSE)))
        and (slot.tag, slot.key, slot.name, slot.label) == (child.tag, child.key, child.name, child.label)
        and (slot.context, slot.near) == (child.context, child.near)
        and (slot.tag == TEXT or all(overlap(slot.words[k], child.words[k]) == 4 for k in range(2)))
    )


def align(slots: list[Slot], children: list[Child]) -> list[int]:
    """For each child the place of its slot among the slots of its parent, or -1.

    What is equal at both ends is taken as it is; what is between is aligned.
    """
    width, height = len(slots), len(children)
    even = width == height
    first = 0
    while first < min(width, height) and is_exact(slots[first], children[first], even):
        first += 1
    last = 0
    while last < min(width, height) - first and is_exact(slots[width - 1 - last], children[height - 1 - last], even):
        last += 1
    middle = align_middle(slots[first : width - last], children[first : height - last])
    places = [*range(first), *(place + first if place >= 0 else -1 for place in middle), *range(width - last, width)]
    # Labels keep their slots whatever order they come in, and so does what stands right behind one.
    free = set(range(width)) - set(places)
    for i, child in enumerate(children if width * height <= MOST_CELLS else ()):
        if places[i] < 0 and (child.label or child.near):
            for j in sorted(free):
                slot = slots[j]
                by_label = slot.flags & IS_LABEL and slot.label and slot.label == child.label
                by_context = slot.near and child.near and slot.context == child.context
                if (by_label or by_context) and score(slot, child):
                    places[i] = j
                    free.discard(j)
                    break
    return places


def are_peers(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether trees are alike; where neither has labels, the elements tell alone."""
    alike = overlap(one[1], other[1])
    return alike + (overlap(one[0], other[0]) if one[0] | other[0] else alike) >= ALIKE


Symbol = tuple[int, int, int, int]
SEPARATOR = TEXT, 0, 0


def runs_of(symbols: list[Symbol]) -> list[tuple[int, int, int]]:
    """Tandem repeats: where each begins, its period and how often it is there; those that cover most, apart."""
    found: list[tuple[int, int, int]] = []
    count = len(symbols)
    for period in range(1, min(LONGEST_PERIOD, count // 2) + 1):
        start = 0
        while start + period < count:
            end = start
            while end + period < count and symbols[end] == symbols[end + period]:
                end += 1
            repeats = (end - start) // period + 1
            if period == 2 and end > start and symbols[start][0] != TEXT and symbols[start + 1][:3] == SEPARATOR:
                repeats = (end - start + 1) // 2 + 1  # the last one has no separator behind it
            if repeats >= 2:
                found.append((start, period, repeats))
            start = end + 1
    found.sort(key=lambda run: (-run[1] * run[2], run[1], run[0]))
    taken = [False] * count
    chosen = []
    for start, period, repeats in found:
        end = min(count, start + period * repeats)
        if not any(taken[start:end]) and any(tag != TEXT for tag, *_ in symbols[start : start + period]):
            taken[start:end] = [True] * (end - start)
            chosen.append((start, period, repeats))
    return sorted(chosen)


class Learner:
    """Aligns the pages of a forest, from the roots down."""

    def __init__(self, tree: Tree, page_of: list[int], most_slots: int) -> None:
        self.tree, self.page_of, self.most_slots = tree, page_of, most_slots
        self.slots: list[Slot] = []
        self.limit = False
        self.units = 0

    def learn(self, roots: list[int]) -> None:
        root = self.tree
        self.slots = [Slot(root.tag[roots[0]], -1, nodes=list(roots))]
        todo = [0]
        while todo:
            slot = todo.pop()
            if len(self.slots) > self.most_slots:
                self.limit = True
                break
            if self.is_leaf(self.slots[slot]):
                continue
            todo += reversed(self.align_children(slot))

    def is_leaf(self, slot: Slot) -> bool:
        return slot.tag == TEXT or all(self.tree.size[node] == 1 for node in slot.nodes)

    def align_children(self, above: int) -> list[int]:
        members = [self.tree.children(node) for node in self.slots[above].nodes]
        # What stands alone behind a label is its value, and no label itself.
        alone = self.slots[above].in_value and all(self.tree.texts_below[n] == 1 for n in self.slots[above].nodes)
        labels = Labels(set(), set()) if alone else self.labels_of(members)
        for children in members:
            set_contexts(children, labels)
        if self.is_rich(members):
            self.slots[above].flags |= IS_RICH
            return []

        symbols = self.symbols_of(members)
        units = self.units_of(members, symbols)
        order = sorted(range(len(members)), key=lambda k: (-len(set(symbols[k])), -len(members[k]), k))
        made: list[Slot] = []
        for number, member in enumerate(order):
            children = members[member]
            if number == 0:
                self.fold(made, children, symbols[member], units, above, labels)
                continue
            places = align(made, children)
            self.insert(made, children, places, above, labels)
        strict: Counter[tuple[int, int]] = Counter()
        for slot in made:
            if slot.flags & IS_LABEL and slot.label and slot.unit < 0:
                strict[slot.tag, slot.key] += 1
        for slot in made:
            if slot.flags & IS_LABEL and slot.label and slot.unit < 0 and strict[slot.tag, slot.key] >= 2:
                slot.flags |= IS_STRICT
        for slot in made:
            if (
                (slot.tag in LOOSE or slot.key)
                and slot.tag != TEXT
                and slot.unit < 0
                and not slot.label
                and not slot.name
            ):
                slot.flags |= IS_LOOSE
                slot.unit = self.units
                self.units += 1
        for slot in made:
            slot.in_value = slot.near or self.slots[above].in_value
        first = len(self.slots)
        self.slots += made
        return list(range(first, len(self.slots)))

    def labels_of(self, members: list[list[Child]]) -> Labels:
        """Labels are told by what many pages have, if each has a value: in the same element, or right behind it."""
        counted: Counter[tuple[int, int]] = Counter()
        labelled: Counter[tuple[int, int]] = Counter()
        rows: Counter[tuple[int, int]] = Counter()
        leading: Counter[tuple[int, int]] = Counter()
        once: Counter[tuple[int, int, int]] = Counter()
        several: set[tuple[int, int]] = set()
        for children in members:
            here = Counter((child.tag, child.key, child.label) for child in children)
            different = Counter((tag, key) for tag, key, label in here if label)
            several.update(symbol for symbol, count in different.items() if count > 1)
            for (tag, key, label), count in here.items():
                counted[tag, key] += count
                once[tag, key, label] += label != 0 and count == 1
            for child, following in zip_longest(children, children[1:]):
                labelled[child.tag, child.key] += child.label != 0 or self.has_form(child)
                rows[child.tag, child.key] += self.is_row(child)
                leading[child.tag, child.key] += self.leads(child, following)
        kinds: set[tuple[int, int]] = set()
        followers: set[tuple[int, int]] = set()
        for symbol in counted:  # in the order of their first appearance
            behind = sum(
                (before.tag, before.key) in kinds and (child.tag, child.key) == symbol
                for children in members
                for before, child in pairwise(children)
            )
            if behind * FOLLOWING[1] >= counted[symbol] * FOLLOWING[0]:
                followers.add(symbol)
            elif symbol in several and len(kinds) < MOST_KINDS:
                are_rows = 2 * rows[symbol] >= counted[symbol] or symbol[0] in LABEL_TAGS
                share, of = LABELLED_ROWS if are_rows else LABELLED
                has_values = 2 * max(rows[symbol], leading[symbol]) >= counted[symbol]
                if has_values and labelled[symbol] * of >= counted[symbol] * share:
                    kinds.add(symbol)
        single: set[tuple[int, int, int]] = set()
        previous = False
        for child, following in zip_longest(members[0], members[0][1:]):
            named = child.tag, child.key, child.label
            if named[:2] in kinds:
                previous = True
                continue
            is_single = len(members) > 1 and once[named] == len(members)
            is_single = is_single and (self.is_row(child) or self.leads(child, following))
            previous = is_single and named[:2] not in followers and not previous
            if previous:
                single.add(named)
        return Labels(kinds, single)

    def is_row(self, child: Child) -> bool:
        """Whether a child may hold a label and its value."""
        return self.tree.texts_below[child.node] > 1 or self.tree.has_prefix[child.node]

    def has_form(self, child: Child) -> bool:
        """Whether a child looks like a label, whatever other pages have: by its colon."""
        return child.raw != 0 and (self.tree.has_prefix[child.node] or self.tree.has_colon[child.node])

    def leads(self, child: Child, following: Child | None) -> bool:
        """Whether a child may be the label of the one behind it."""
        if following is None or self.separates(following):
            return False
        return child.tag in CELLS or (child.tag, child.key) != (following.tag, following.key)

    def is_rich(self, members: list[list[Child]]) -> bool:
        """Whether it is running text, whose markup says nothing: only texts in lines, of different shapes, no label."""
        shapes = {tuple(child.tag for child in children) for children in members}
        if len(shapes) < 2:
            return False
        if not all(self.tree.is_inline[child.node] for children in members for child in children):
            return False
        some = [sum(child.label != 0 for child in children) for children in members]
        return 2 * sum(count > 0 for count in some) < len(members)

    def symbols_of(self, members: list[list[Child]]) -> list[list[Symbol]]:
        """Symbols of peers: children of one tag, class and label whose trees are alike have the same one."""
        peers: dict[tuple[int, int, int, bool], list[tuple[int, int]]] = {}
        symbols = []
        for children in members:
            own = []
            for child in children:
                label = child.label if child.is_label else 0
                # Pictures alone are no peer of texts.
                silent = self.tree.size[child.node] >= LARGE_TREE and not self.tree.texts_below[child.node]
                known = peers.setdefault((child.tag, child.key, label, silent), [])
                alike = [are_peers(words, child.words) for words in known]
                number = alike.index(True) if any(alike) else len(known)
                if number == len(known) < MOST_PEERS:
                    known.append(child.words)
                own.append((child.tag, child.key, label, number - 100 * silent))
            symbols.append(own)
        return symbols

    def is_record(self, children: list[Child]) -> bool:
        """Whether siblings look like the records of a list: each of several texts, and all alike."""
        head = children[0]
        return (
            (head.key != 0 or head.tag in LOOSE)
            and head.tag not in TABLE_CELLS
            and all(self.tree.texts_below[child.node] > 1 and not child.label for child in children)
            and all(overlap(head.words[1], child.words[1]) >= RECORDS_ALIKE for child in children[1:])
            and all(
                overlap(head.words[0], child.words[0]) >= RECORDS_ALIKE
                or self.tree.labels_below[head.node] + self.tree.labels_below[child.node] <= 2 * MOST_LABELS
                for child in children[1:]
            )
        )

    def units_of(self, members: list[list[Child]], symbols: list[list[Symbol]]) -> list[tuple[Symbol, ...]]:
        """What repeats: runs of symbols of which the pages have different numbers, or very many."""
        longest: dict[tuple[Symbol, ...], int] = {}
        for children, sequence in zip(members, symbols, strict=True):
            for start, period, repeats in runs_of(sequence):
                unit = tuple(sequence[start : start + period])
                if period == 2 and unit[1][:3] == SEPARATOR and self.separates(children[start + 1]):
                    repeats = LONG_REPEAT  # a comma or an "and" says that it is a list
                if period == 1 and self.is_record(children[start : start + repeats]):
                    repeats = LONG_REPEAT
                longest[unit] = max(longest.get(unit, 0), repeats)
        found: list[tuple[Symbol, ...]] = []
        for unit, most in sorted(longest.items(), key=lambda item: -item[1] * len(item[0]))[:MOST_TRIED]:
            if len(found) == MOST_UNITS:
                break
            head = next(symbol for symbol in unit if symbol[0] != TEXT)
            counts = {sum(symbol == head for symbol in sequence) for sequence in symbols}
            if len(counts) > 1 or (most >= LONG_REPEAT and unit[0][0] not in TABLE_CELLS):
                found.append(unit)
        return found

    def separates(self, child: Child) -> bool:
        """Whether a text is one that stands between the values of a list."""
        starts = self.tree.arrays.text_start
        text = self.tree.arrays.text[starts[child.node] : starts[child.node + 1] - 1]
        return child.tag == TEXT and not child.raw and len(text) <= LONGEST_SEPARATOR and not DIGIT.search(text)

    def slot_of(self, child: Child, above: int, labels: Labels, unit: int = -1) -> Slot:
        slot = Slot(child.tag, above, child.key, child.name, child.label, child.context, child.near)
        slot.flags = (IS_LABEL if child.is_label else 0) | (IS_KIND if (child.tag, child.key) in labels.kinds else 0)
        slot.unit, slot.words, slot.nodes = unit, list(child.words), [child.node]
        return slot

    def fold(
        self,
        made: list[Slot],
        children: list[Child],
        symbols: list[Symbol],
        units: list[tuple[Symbol, ...]],
        above: int,
        labels: Labels,
    ) -> None:
        """Make the slots of the first page: one for each child, but what repeats is there once."""
        at = 0
        while at < len(children):
            best: tuple[int, tuple[Symbol, ...]] = 0, ()
            for unit in units:
                end = at
                while tuple(symbols[end : end + len(unit)]) == unit:
                    end += len(unit)
                if end == at:
                    continue
                while end < len(children) and symbols[end] == unit[(end - at) % len(unit)]:
                    end += 1
                if end - at > best[0]:
                    best = end - at, unit
            length, unit = best
            if length:
                number = self.units
                self.units += 1
                base = len(made)
                made += [self.slot_of(children[at + k], above, labels, number) for k in range(len(unit))]
                for k in range(len(unit), length):
                    self.take(made[base + k % len(unit)], children[at + k])
                at += length
            else:
                made.append(self.slot_of(children[at], above, labels))
                at += 1

    def take(self, slot: Slot, child: Child) -> None:
        """Add a node to a slot."""
        slot.nodes.append(child.node)
        if slot.label != child.label:
            slot.label = 0
        if slot.context != child.context:
            slot.context, slot.near = 0, False
        if slot.name != child.name:
            slot.name = 0
        slot.words[0] |= child.words[0]
        slot.words[1] |= child.words[1]

    def insert(self, made: list[Slot], children: list[Child], places: list[int], above: int, labels: Labels) -> None:
        """Add the children of a further page: to their slots, or as new ones behind that of the child before them."""
        added: list[tuple[int, Slot]] = []
        after = -1
        for child, place in zip(children, places, strict=True):
            if place >= 0:
                self.take(made[place], child)
                after = place
            else:
                # Units stay together.
                while (
                    after >= 0
                    and after + 1 < len(made)
                    and made[after].unit >= 0
                    and made[after + 1].unit == made[after].unit
                ):
                    after += 1
                added.append((after, self.slot_of(child, above, labels)))
        old = list(made)
        made.clear()
        for place in range(-1, len(old)):
            made += [old[place]] if place >= 0 else []
            made += [slot for after, slot in added if after == place]


def learn(
    arrays: NodeArrays,
    features: tuple[npt.NDArray[np.uint64], ...],
    roots: npt.NDArray[np.int32],
    labels: set[int],
    most: int,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint64], npt.NDArray[np.int32], bool]:
    """The slots of a forest, numbers and hashes; the slot of each node; and whether there would have been more."""
    tree = Tree(arrays, features, labels)
    learner = Learner(tree, [], most)
    learner.learn(roots.tolist())
    slot_of = np.full(len(arrays.tag), -1, dtype=np.int32)
    starts = arrays.text_start.tolist()
    for number, slot in enumerate(learner.slots):
        slot_of[slot.nodes] = number
        slot.flags |= IS_NEAR if slot.near else 0
        if slot.tag == TEXT or slot.flags & IS_RICH:
            texts = {arrays.text[starts[node] : starts[node + tree.size[node]]] for node in slot.nodes}
            slot.flags |= VARIES if len({text[:-1] for text in texts}) > 1 else 0
    numbers = np.array([[s.tag, s.parent, s.flags, s.unit] for s in learner.slots], dtype=np.int32).T
    hashes = [[s.key, s.name, s.label, s.context, *s.words] for s in learner.slots]
    return np.ascontiguousarray(numbers), np.array(hashes, dtype=np.uint64).T.copy(), slot_of, learner.limit


def match(
    arrays: NodeArrays,
    features: tuple[npt.NDArray[np.uint64], ...],
    numbers: npt.NDArray[np.int32],
    hashes: npt.NDArray[np.uint64],
    labels: set[int],
) -> npt.NDArray[np.int32]:
    """The slot of each node of a page."""
    tree = Tree(arrays, features, labels)
    slots = []
    below: dict[int, list[int]] = {}
    for number, ((tag, parent, flags, unit), words) in enumerate(
        zip(numbers.T.tolist(), hashes.T.tolist(), strict=True)
    ):
        key, name, label, context, *bits = words
        near = bool(flags & IS_NEAR)
        slots.append(Slot(tag, parent, key, name, label, context, near, flags, unit, words=bits))
        below.setdefault(parent, []).append(number)
    slot_of = np.full(len(arrays.tag), -1, dtype=np.int32)
    slot_of[0] = 0
    todo = [(0, 0)]
    while todo:
        node, slot = todo.pop()
        if slot not in below or slots[slot].flags & IS_RICH:
            continue
        children = tree.children(node)
        own = [slots[k] for k in below[slot]]
        kinds = {(each.tag, each.key) for each in own if each.flags & IS_KIND}
        single = {
            (each.tag, each.key, each.label) for each in own if each.flags & IS_LABEL and not each.flags & IS_KIND
        }
        set_contexts(children, Labels(kinds, single))
        for child, place in zip(children, align(own, children), strict=True):
            if place >= 0:
                slot_of[child.node] = below[slot][place]
                todo.append((child.node, below[slot][place]))
    return slot_of
