"""Folds tandem repeats: where one unit of a string follows itself, the whole stretch becomes one element, a run.
The same unit makes the same run in every string, and where it stands alone it is a run of one item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from operator import eq
from typing import Any, NamedTuple, TypeAlias

from fastwrap.errors import FastwrapError

PERIODS = 64
"""Units of all lengths up to this are tried; longer ones only if many elements recur at that distance."""

LONG_PERIODS = 16
"""How many lengths of longer units are tried."""

UNITS = 8
"""Units with the same first element among which lone ones are looked for."""

MOST_COMPARED_ELEMENTS = 5_000_000
"""Elements that are compared with those of units; after that, lone units stay as they are."""

LIKE = 0.5
"""Known lists of different strings are the same list if they share at least this part of their symbols."""

MOST_COMPARED_LISTS = 100_000
"""Pairs of known lists that are compared; after that, each list of another string is a list of its own."""

ROUNDS = 3
"""Runs, runs of runs, and once again."""

BUDGET_MET = ("grammar.folding",)


class Run(NamedTuple):
    """Several items of one list."""

    key: int
    """Which list: equal in all the strings, negative."""
    items: tuple[String, ...]


Element: TypeAlias = int | Run
"""A symbol, from 0, or a list."""
String: TypeAlias = tuple[Element, ...]


def key_of(element: Element) -> int:
    """The number by which elements are compared."""
    return element if isinstance(element, int) else element.key


Bounds: TypeAlias = tuple[int, tuple[int, ...]]
"""A run: which list, where its items begin, and the end of the last."""
LoneUnits: TypeAlias = dict[int, list[tuple[tuple[int, ...], int]]]
"""Units by their first key, each with the list that it belongs to."""


class Folder:
    """Folds strings and numbers their lists: one folder serves a whole induction.

    >>> folder = Folder()
    >>> for string in folder.fold([(1, 2, 1, 2, 3), (1, 2, 3)]):
    ...     print(string)
    (Run(key=-1, items=((1, 2), (1, 2))), 3)
    (Run(key=-1, items=((1, 2),)), 3)
    """

    def __init__(self) -> None:
        self.known_lists: set[int] = set()
        """Lists that the caller knows of; they are never unfolded."""
        self._lists = 0
        self.compared_lists = 0
        self.compared_elements = 0
        self.limits: tuple[str, ...] = ()
        """"grammar.folding" if more lists, or more elements, would have been compared than may be."""

    def new_key(self) -> int:
        """The next list's number."""
        self._lists += 1
        return -self._lists

    def fold_known(self, strings: Sequence[tuple[int, ...]], lists: Sequence[Sequence[Sequence[int]]]) -> list[String]:
        """Fold the lists that the caller knows of: for each string, for each list, the bounds of its items."""
        if len(lists) != len(strings):
            raise FastwrapError(f"there are {len(strings)} strings, but lists for {len(lists)}")
        alphabets: dict[int, set[int]] = {}
        lists_with: dict[int, set[int]] = {}
        units: dict[tuple[int, ...], int] = {}
        chosen: list[list[Bounds]] = []
        for string, known in zip(strings, lists, strict=True):
            runs: list[Bounds] = []
            done = 0
            for bounds in sorted(map(tuple, known)):
                steps = (done - 1, *bounds)
                if len(bounds) < 2 or bounds[-1] > len(string) or not all(a < b for a, b in pairwise(steps)):
                    raise FastwrapError(f"items begin one after the other, and lists do not overlap: {bounds}")
                done = bounds[-1]
                symbols = set(string[bounds[0] : done])
                best = self._alike(symbols, alphabets, lists_with)
                if not best:
                    best = self.new_key()
                    self.known_lists.add(best)
                alphabets.setdefault(best, set()).update(symbols)
                for symbol in symbols:
                    lists_with.setdefault(symbol, set()).add(best)
                runs.append((best, bounds))
                units.update({string[start:end]: best for start, end in pairwise(bounds)})
            chosen.append(runs)
        lone = _by_first(units)
        return [
            self._replace(string, string, runs, lone, {key for key, _ in runs})
            for string, runs in zip(strings, chosen, strict=True)
        ]

    def _alike(self, symbols: set[int], alphabets: Mapping[int, set[int]], lists_with: Mapping[int, set[int]]) -> int:
        """The known list that shares most of some symbols; 0 if none shares enough, or too many were compared."""
        if self.compared_lists > MOST_COMPARED_LISTS:
            self.limits = BUDGET_MET
            return 0
        keys = sorted(set().union(*(lists_with.get(symbol, ()) for symbol in symbols)))
        self.compared_lists += len(keys)

        def likeness(key: int) -> float:
            return len(symbols & alphabets[key]) / len(symbols | alphabets[key])

        best = max(keys, key=likeness, default=0)
        return best if best and likeness(best) >= LIKE else 0

    def fold(self, strings: Sequence[String]) -> list[String]:
        """Fold strings, smaller units inside larger ones; the items of a run are not folded."""
        folded = list(strings)
        for _ in range(ROUNDS):
            units: dict[tuple[int, ...], int] = {}
            keyed = [[key_of(element) for element in string] for string in folded]
            chosen = [self._choose(keys, units) for keys in keyed]
            if not units:
                break
            lone = _by_first(units)
            folded = [
                self._replace(string, keys, runs, lone, set())
                for string, keys, runs in zip(folded, keyed, chosen, strict=True)
            ]
        return folded

    def _choose(self, keys: list[int], units: dict[tuple[int, ...], int]) -> list[Bounds]:
        """Runs that do not overlap, those that save most elements first; their units are added to `units`."""
        candidates = []
        for period in self._periods(keys):
            same = bytes(map(eq, keys, keys[period:]))
            unit_matches = b"\1" * period
            start = same.find(unit_matches)
            while start >= 0:
                end = same.find(b"\0", start + period)
                end = len(same) if end < 0 else end
                candidates.append((start - end, period, start, end + period))
                start = same.find(unit_matches, end)
        candidates.sort()
        covered = bytearray(len(keys))
        runs: list[Bounds] = []
        for _, period, start, end in candidates:
            start = covered.find(0, start, end)
            if start < 0:
                continue
            taken = covered.find(1, start, end)
            end = end if taken < 0 else taken
            if end - start < 2 * period:
                continue
            # The run may begin with any element of its unit; best so that its unit is one seen before.
            starts = range(start, start + min(PERIODS, (end - start) % period) + 1)
            start = next((at for at in starts if tuple(keys[at : at + period]) in units), start)
            end -= (end - start) % period
            covered[start:end] = b"\1" * (end - start)
            unit = tuple(keys[start : start + period])
            if unit not in units:
                units[unit] = self.new_key()
            runs.append((units[unit], tuple(range(start, end + 1, period))))
        return sorted(runs, key=lambda run: run[1])

    def _periods(self, keys: list[int]) -> list[int]:
        longest = len(keys) // 2
        periods = list(range(1, min(PERIODS, longest) + 1))
        if longest > PERIODS:
            last: dict[int, int] = {}
            distances: Counter[int] = Counter()
            for index, key in enumerate(keys):
                distance = index - last.get(key, index)
                if PERIODS < distance <= longest:
                    distances[distance] += 1
                last[key] = index
            periods += [distance for distance, _ in distances.most_common(LONG_PERIODS)]
        return periods

    def _replace(
        self, string: String, keys: Sequence[int], runs: Sequence[Bounds], lone: LoneUnits, but: set[int]
    ) -> String:
        """Put runs in place of their elements, and of lone units, but for those of the lists `but`."""
        folded: list[tuple[int, list[Any]]] = []
        """The items of a list, with its key; or an element, with 0."""
        index = 0
        for key, bounds in [*runs, (0, (len(string),))]:
            while index < bounds[0]:
                unit_key, end = self._lone_unit(keys, index, bounds[0], lone, but)
                if not unit_key:
                    folded.append((0, [string[index]]))
                elif folded and folded[-1][0] == unit_key:
                    folded[-1][1].append(self._unfold(string[index:end]))
                else:
                    folded.append((unit_key, [self._unfold(string[index:end])]))
                index = end
            if len(bounds) > 1:
                folded.append((key, [self._unfold(string[a:b]) for a, b in pairwise(bounds)]))
                index = bounds[-1]
        return tuple(Run(key, tuple(items)) if key else items[0] for key, items in folded)

    def _lone_unit(
        self, keys: Sequence[int], index: int, bound: int, lone: LoneUnits, but: set[int]
    ) -> tuple[int, int]:
        """The list of the unit that begins at a place, 0 if none does, and the place after it."""
        for unit, key in lone.get(keys[index], ()):
            end = index + len(unit)
            if end > bound or keys[end - 1] != unit[-1] or key in but:
                continue
            self.compared_elements += len(unit)
            if self.compared_elements > MOST_COMPARED_ELEMENTS:
                self.limits = BUDGET_MET
            elif tuple(keys[index:end]) == unit:
                return key, end
        return 0, index + 1

    def _unfold(self, string: String) -> String:
        """Undo the folding, but for lists that the caller knows of."""
        plain: list[Element] = []
        for element in string:
            if isinstance(element, int) or element.key in self.known_lists:
                plain.append(element)
            else:
                plain += chain.from_iterable(element.items)
        return tuple(plain)


def _by_first(units: dict[tuple[int, ...], int]) -> LoneUnits:
    lone: LoneUnits = {}
    for unit in sorted(units, key=len, reverse=True):
        alike = lone.setdefault(unit[0], [])
        if len(alike) < UNITS:
            alike.append((unit, units[unit]))
    return lone
