"""Texts in pieces and lists in plain Python: the oracle of `fastwrap._core.columns.folding`."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fastwrap.page.names import NO_NODE, TAG_NUMBER, TEXT
from tests.reference.columns.alignment import GrownTree, grow
from tests.reference.columns.bodies import LONG, BodyFinder
from tests.reference.columns.items import Items

LINE_BREAK, LINK = TAG_NUMBER["br"], TAG_NUMBER["a"]
FORMATTING, CELL = 1, 2
MIN_UNITS = 3
MIN_PATTERNS = 3
PROSE, LONGEST_SIGN, LONGEST_UNIT = 50, 3, 4
USUAL, RARE, SAME_NUMBER, BARE, SAME_MARKUP, SAME_LINES, TOUCHING, CUT_WORDS = 70, 30, 60, 50, 90, 50, 50, 5


@dataclass
class Folder:
    """Finds joined texts and lists in a grown tree."""

    tag: list[int]
    symbol: list[int]
    size: list[int]
    times: list[int]
    filled: npt.NDArray[np.bool_]
    traits: bytes
    texts: list[bytes]
    """By slot: a text in it."""
    letters: list[int]
    """By slot: bytes of all texts in it, ..."""
    prose: list[int]
    """... of those that are long, ..."""
    longest: list[int]
    """... and of the longest."""
    parent: list[int]

    def __post_init__(self) -> None:
        self.into = list(range(len(self.tag)))
        self.unit = [NO_NODE] * len(self.tag)
        self.settled = [False] * len(self.tag)
        self.lists = 0
        self.loose = [
            tag in (TEXT, LINE_BREAK) or (symbol == 0 and bool(self.trait(tag) & FORMATTING))
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

    def is_of_value(self, slot: int, longest: int) -> bool:
        text = self.texts[slot]
        is_fraction = re.fullmatch(rb"[.,][0-9]{1,2}", text) is not None
        return self.symbol[slot] == 0 or is_fraction or (len(text) <= longest and not re.search(rb"[ 0-9]", text))

    def run(self) -> None:
        BodyFinder(self).run()
        for slot in range(NO_NODE, len(self.tag)):
            if slot != NO_NODE and (self.settled[slot] or self.size[slot] < 3):
                continue
            up = len(self.filled) if slot == NO_NODE else self.times[slot]
            children = self.children(slot)
            uneven = sum(self.times[child] < up for child in children)
            if uneven and slot != NO_NODE and self.trait(self.tag[slot]) & CELL and self.is_one_text(slot):
                self.join([slot])
                continue
            if uneven and len(children) > 1:
                in_cell = slot != NO_NODE and bool(self.trait(self.tag[slot]) & CELL)
                self.find_prose(children, up, in_cell)
            if uneven and len(children) >= MIN_UNITS:
                self.find_lists(children)
            if uneven > 1:
                for run in self.text_runs(children, up):
                    self.join_run(run)

    def is_one_text(self, slot: int) -> bool:
        """Whether no record has more than one text in a slot."""
        texts = [below for below in self.below(slot) if self.tag[below] == TEXT]
        return bool((self.filled[:, texts].sum(axis=1) <= 1).all())

    def is_inline(self, slot: int) -> bool:
        inside = [below for below in self.below(slot) if below != slot]
        return self.is_loose(slot) or (self.tag[slot] == LINK and all(self.loose[below] for below in inside))

    def find_prose(self, children: list[int], up: int, in_cell: bool) -> None:
        def is_part(child: int) -> bool:
            is_usual_link = self.tag[child] == LINK and 100 * self.times[child] >= USUAL * up
            is_named = any(self.is_name(slot) for slot in self.below(child))
            breaks = self.tag[child] == LINE_BREAK and not in_cell
            return self.is_inline(child) and not breaks and not is_usual_link and not is_named

        for inline, group in itertools.groupby(children, key=is_part):
            run = [child for child in group if self.tag[child] != LINE_BREAK]
            if inline and len(run) > 1 and self.is_prose(run, up):
                self.join(run)

    def is_prose(self, run: list[int], up: int) -> bool:
        outside = sum(self.letters[child] for child in run if self.tag[child] == TEXT)
        inside = sum(self.letters[below] for child in run for below in self.below(child) if below != child)
        if outside < max(inside, PROSE * up):
            return False
        patterns = [tuple(row) for row in self.filled[:, run].tolist() if any(row)]
        whole = sum(sum(pattern) == 1 for pattern in patterns)
        return self.is_irregular(patterns, 101 if 2 * whole >= len(patterns) else SAME_MARKUP)

    def find_lists(self, children: list[int]) -> None:
        run: list[int] = []
        kind = (NO_NODE, 0)
        for child in [*children, None]:
            if child is not None and run and self.tag[child] in (TEXT, LINE_BREAK):
                continue
            own = None if child is None else (self.tag[child], self.symbol[child])
            if own is not None and child is not None and self.settled[child]:
                own = NO_NODE, own[1]
            if own != kind or own[0] == NO_NODE:
                if self.is_list(run):
                    for member in run:
                        self.unit[member] = self.lists
                    for slot in range(run[0], self.below(run[-1]).stop):
                        self.settled[slot] = True
                    self.lists += 1
                run = []
            if child is not None and own is not None:
                kind = own
                if own[0] not in (TEXT, LINE_BREAK, NO_NODE):
                    run.append(child)

    def is_list(self, run: list[int]) -> bool:
        if len(run) < MIN_UNITS:
            return False
        trait = self.trait(self.tag[run[0]])
        if trait & CELL or (trait & FORMATTING and self.is_loose(run[0])):
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
                self.tag[child] == LINK
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
            if self.tag[child] == LINE_BREAK:
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
    tree: list[list[int]], slots: list[int], records: list[tuple[int, int]], items: Items, traits: bytes
) -> Folder:
    """Which slots hold one text in pieces, and which a list. `tree` has the four rows of `numbered`, by slot."""
    count = len(tree)
    lengths = [last - first for first, last in records]
    filled = np.zeros((len(records), count), dtype=np.bool_)
    filled[np.repeat(np.arange(len(records)), lengths), slots] = True
    nodes = [node for first, last in records for node in range(first, last)]
    first_node = dict(zip(reversed(slots), reversed(nodes), strict=True))
    texts = [items.letters(first_node[slot]) for slot in range(count)]
    tags, parents, symbols, sizes = (list(row) for row in zip(*tree, strict=True))
    times = np.bincount(slots, minlength=count).tolist()
    letters, prose, longest = [0] * count, [0] * count, [0] * count
    for slot, node in zip(slots, nodes, strict=True):
        length = len(items.letters(node)) if items.tags[node] == TEXT else 0
        letters[slot] += length
        prose[slot] += length if length >= LONG else 0
        longest[slot] = max(longest[slot], length)
    folder = Folder(tags, symbols, sizes, times, filled, traits, texts, letters, prose, longest, parents)
    folder.run()
    return folder


SEPARATING_END = {bytes([sign]) for sign in b"([{|:,;"}
SEPARATING_START = {bytes([sign]) for sign in b")]}|;"}


def touching(
    slots: list[int], records: list[tuple[int, int]], items: Items, folder: Folder
) -> Iterator[tuple[int, int]]:
    """Pairs of text slots whose texts touch in most records that have both: the first slot that does, and another."""
    neighbours: dict[int, Counter[tuple[int, bool]]] = {}  # by slot: the slot before it, and whether they touch
    words: Counter[int] = Counter()
    slot = iter(slots)
    for first, last in records:
        texts = [(node, own) for node, own in zip(range(first, last), slot, strict=False) if items.tags[node] == TEXT]
        for (before, one), (node, other) in itertools.pairwise(texts):
            goes = goes_on(items, before, node)
            neighbours.setdefault(other, Counter())[one, goes] += 1
            words[other] += goes and is_of_word(items.letters(before)[-1]) and is_of_word(items.letters(node)[0])
    for other, pairs in sorted(neighbours.items()):
        partner = min((one for one, touches in pairs if touches), default=NO_NODE)
        if partner == NO_NODE:
            continue
        together = sum(number for (_, touches), number in pairs.items() if touches)
        all_pairs = together + pairs[partner, False]
        are_parts = folder.is_of_value(partner, LONGEST_SIGN) and folder.is_of_value(other, LONGEST_UNIT)
        are_one = are_parts and 100 * together >= TOUCHING * all_pairs
        if are_one or (words[other] and 100 * words[other] >= CUT_WORDS * all_pairs):
            yield partner, other


def is_of_word(byte: int) -> bool:
    """Whether a byte is a digit, a letter, or not ASCII."""
    return byte >= 0x80 or chr(byte).isalnum()


def goes_on(items: Items, before: int, node: int) -> bool:
    """Whether a text touches the one before it, and no sign is there that separates them."""
    ended, begun = items.letters(before), items.letters(node)
    return (
        items.touches(before)
        and ended[-1:] not in SEPARATING_END
        and begun[:1] not in SEPARATING_START
        and not re.match(rb"[,:](?: |\Z)", begun)
    )


def join_touching(pairs: Iterable[tuple[int, int]], into: list[int], list_of: list[int]) -> None:
    """Let texts go where those go that they touch, if both are in the same list or in none."""
    for one, other in pairs:
        if list_of[one] == list_of[other]:
            first, *rest = sorted((into[one], into[other]))
            into[:] = [first if place in rest else place for place in into]


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
