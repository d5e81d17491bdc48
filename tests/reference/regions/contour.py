"""The tag path sequence as a signal (DSRE, Velloso & Dorneles 2020): contour, recurrences, records, in plain Python.
The twin of `fastwrap._core.regions.contour`: sets, dictionaries and lists of ancestors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from statistics import fmean, pstdev
from typing import NamedTuple

NO_NODE = -1


class Run(NamedTuple):
    """A run of occurrences of one symbol."""

    region: int
    positions: list[int]
    period: float
    coverage: float
    regularity: float


def flat_stretches(symbols: Sequence[int], shortest: int) -> list[tuple[int, int]]:
    """Where the contour does not rise, for long enough."""
    contour = [-1, *accumulate(symbols, max)]
    stretches: list[list[int]] = []
    for position, (before, now) in enumerate(pairwise(contour)):
        if now > before:
            continue
        if stretches and stretches[-1][-1] == position - 1:
            stretches[-1].append(position)
        else:
            stretches.append([position])
    return [(stretch[0], stretch[-1] + 1) for stretch in stretches if len(stretch) >= shortest]


def regions(symbols: Sequence[int], shortest: int) -> list[tuple[int, int]]:
    """The flat stretches, those with a common symbol merged, each with its own symbols in front of it."""
    merged: list[tuple[int, int]] = []
    for start, end in flat_stretches(symbols, shortest):
        if merged and set(symbols[slice(*merged[-1])]) & set(symbols[start:end]):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    found: list[tuple[int, int]] = []
    for start, end in merged:
        alphabet = set(symbols[start:end])
        before = found[-1][1] if found else 0
        while start > before and symbols[start - 1] in alphabet:
            start -= 1
        found.append((start, end))
    return found


def regression_line(symbols: Sequence[int], start: int, end: int) -> tuple[float, float]:
    """Slope, and level at position 0, of the least-squares line: covariance over variance."""
    middle, mean = fmean(range(start, end)), fmean(symbols[start:end])
    variance = sum((x - middle) ** 2 for x in range(start, end))
    covariance = sum((x - middle) * (symbols[x] - mean) for x in range(start, end))
    slope = covariance / variance if variance else 0.0
    return slope, mean - slope * middle


def recurrences(
    symbols: Sequence[int], parent: Sequence[int], regions: Sequence[tuple[int, int]], least: int, pause: float
) -> list[Run]:
    """The runs of each symbol of each region."""
    runs = []
    for number, (start, end) in enumerate(regions):
        places: dict[int, list[int]] = {}
        for position in range(start, end):
            places.setdefault(symbols[position], []).append(position)
        for occurrences in places.values():
            if len(occurrences) < least:
                continue
            parents = [parent[position] for position in occurrences]
            if parents[0] >= start and len(set(parents)) == len(parents) == len(places[symbols[parents[0]]]):
                continue
            mean = (occurrences[-1] - occurrences[0]) / (len(occurrences) - 1)
            groups = [occurrences[:1]]
            for before, position in pairwise(occurrences):
                if (position - before) > pause * mean:
                    groups.append([])
                groups[-1].append(position)
            for group in groups:
                gaps = [position - before for before, position in pairwise(group)]
                if len(group) >= least and pstdev(gaps) < fmean(gaps):
                    period = fmean(gaps)
                    coverage = min(1.0, (group[-1] - group[0] + period) / (end - start))
                    runs.append(Run(number, group, period, coverage, 1 - pstdev(gaps) / period))
    return runs


def ancestors(parent: Sequence[int], node: int) -> list[int]:
    """From the root down to the node itself."""
    above = []
    while node != NO_NODE:
        above.append(node)
        node = parent[node]
    return above[::-1]


def records(parent: Sequence[int], size: Sequence[int], nodes: Sequence[int]) -> list[tuple[int, int]]:
    """The records of one run."""
    paths = [ancestors(parent, node) for node in nodes]
    # At which depth the paths of two neighbours part.
    parting = [next(d for d, (a, b) in enumerate(zip(*pair, strict=True)) if a != b) for pair in pairwise(paths)]
    spans: list[tuple[int, int]] = []
    for number, path in enumerate(paths):
        depth = max(parting[max(number - 1, 0) : number + 1])
        start, above = path[depth], path[depth - 1]
        siblings = [start]
        while siblings[-1] + size[siblings[-1]] < above + size[above]:
            siblings.append(siblings[-1] + size[siblings[-1]])
        ends = [sibling + size[sibling] for sibling in siblings]
        if number == len(paths) - 1:
            longest = max(end - begin for begin, end in spans)
            end = max([ends[0], *(end for end in ends if end - start <= longest)])
        elif parting[number] == depth:
            end = paths[number + 1][depth]
        else:
            end = ends[-1]
        spans.append((start, end))
    return spans
