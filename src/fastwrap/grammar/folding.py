"""Folds tandem repeats: stretches of a string in which one unit follows itself become one element, a run.
The same unit is the same run in every string, and where it stands alone it is a run of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from operator import eq
from typing import NamedTuple, TypeAlias

PERIODS = 64
"""Units up to so many elements are all tried; longer ones if many elements recur at that distance."""

LONG_PERIODS = 16
UNITS = 8
"""Lone units are looked for among so many with the same first element."""

LIKE = 0.5
"""Known lists of different strings are the same list if they share so many of their symbols."""

ROUNDS = 3
"""A run of runs, and once again."""


class Run(NamedTuple):
    """Several items of one list."""

    key: int
    """Which list: equal in all the strings, negative."""
    items: tuple[String, ...]


Element: TypeAlias = int | Run
"""A symbol, from 0, or a list."""
String: TypeAlias = tuple[Element, ...]


def key_of(element: Element) -> int:
    """By what elements are compared."""
    return element if isinstance(element, int) else element.key


Bounds: TypeAlias = tuple[int, tuple[int, ...]]
"""A run: which list, where its items begin, and the place behind the last."""
LoneUnits: TypeAlias = dict[int, list[tuple[tuple[int, ...], int]]]
"""By their first key, units and the list they belong to."""


class Folder:
    """Folds strings and numbers the lists, one folder for all of an induction.

    >>> folder = Folder()
    >>> for string in folder.fold([(1, 2, 1, 2, 3), (1, 2, 3)]):
    ...     print(string)
    (Run(key=-1, items=((1, 2), (1, 2))), 3)
    (Run(key=-1, items=((1, 2),)), 3)
    """

    def __init__(self) -> None:
        self.given: set[int] = set()
        """Lists that the caller knows of; they are never unfolded."""
        self.lists = 0

    def new_key(self) -> int:
        """The next list's number."""
        self.lists += 1
        return -self.lists

    def fold_known(self, strings: Sequence[tuple[int, ...]], lists: Sequence[Sequence[Sequence[int]]]) -> list[String]:
        """Fold the lists that the caller knows of: for each string, for each list, the bounds of its items."""
        if len(lists) != len(strings):
            raise ValueError(f"there are {len(strings)} strings, but lists for {len(lists)}")
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
                    raise ValueError(f"items begin one behind the other, and lists do not overlap: {bounds}")
                done = bounds[-1]
                symbols = set(string[bounds[0] : done])
                best, likeness = 0, 0.0
                for key in sorted(set().union(*(lists_with.get(symbol, ()) for symbol in symbols))):
                    alike = len(symbols & alphabets[key]) / len(symbols | alphabets[key])
                    if alike > likeness:
                        best, likeness = key, alike
                if likeness < LIKE:
                    best = self.new_key()
                    self.given.add(best)
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

    def fold(self, strings: Sequence[String]) -> list[String]:
        """Fold strings, smaller units inside of larger ones; the items of a run are not folded."""
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
        found = []
        for period in self._periods(keys):
            same = bytes(map(eq, keys, keys[period:]))
            unit_matches = b"\1" * period
            start = same.find(unit_matches)
            while start >= 0:
                end = same.find(b"\0", start + period)
                end = len(same) if end < 0 else end
                found.append((start - end, period, start, end + period))
                start = same.find(unit_matches, end)
        found.sort()
        covered = bytearray(len(keys))
        runs: list[Bounds] = []
        for _, period, start, end in found:
            start = covered.find(0, start, end)
            if start < 0:
                continue
            taken = covered.find(1, start, end)
            end = end if taken < 0 else taken
            if end - start < 2 * period:
                continue
            # The run may begin with any element of its unit; best with that of a unit seen before.
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
        """Put runs in the place of their elements, and in the place of lone units, but for some lists."""
        folded: list[Element] = []
        index = 0
        for key, bounds in [*runs, (0, (len(string),))]:
            while index < bounds[0]:
                for unit, unit_key in lone.get(keys[index], ()):
                    end = index + len(unit)
                    if end <= bounds[0] and tuple(keys[index:end]) == unit and unit_key not in but:
                        items: tuple[String, ...] = (self._unfold(string[index:end]),)
                        before = folded[-1] if folded else None
                        if isinstance(before, Run) and before.key == unit_key:
                            items = (*before.items, *items)
                            folded.pop()
                        folded.append(Run(unit_key, items))
                        index = end
                        break
                else:
                    folded.append(string[index])
                    index += 1
            if len(bounds) > 1:
                folded.append(Run(key, tuple(self._unfold(string[a:b]) for a, b in pairwise(bounds))))
                index = bounds[-1]
        return tuple(folded)

    def _unfold(self, string: String) -> String:
        """Undo the folding, but for lists that were given."""
        plain: list[Element] = []
        for element in string:
            if isinstance(element, int) or element.key in self.given:
                plain.append(element)
            else:
                for item in element.items:
                    plain += item
        return tuple(plain)


def _by_first(units: dict[tuple[int, ...], int]) -> LoneUnits:
    lone: LoneUnits = {}
    for unit in sorted(units, key=len, reverse=True):
        alike = lone.setdefault(unit[0], [])
        if len(alike) < UNITS:
            alike.append((unit, units[unit]))
    return lone
