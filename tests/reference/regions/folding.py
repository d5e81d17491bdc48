"""The lists of G-STM (Jindal & Liu 2010) over nested tuples, as the paper describes them.
The twin of `fastwrap._core.regions.folding`; no memo but `cache`, no budget."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

from tests.reference.similarity.matching import stm, stm_forest
from tests.reference.trees import Tree

NEAR = 64
LONGEST_ITEM = 100
REFERENCES = 4

Run: TypeAlias = tuple[Tree, ...]


class FoundList(NamedTuple):
    """A list among the children of one node."""

    items: list[tuple[int, int]]
    """Children of each item: the number of the first, and of the one after the last."""
    likenesses: list[float]
    level: int
    example: Run


@dataclass
class Part:
    """One child, or a list folded to one item."""

    symbol: object
    begin: int
    end: int
    trees: Run
    level: int = 0


@cache
def size(tree: Tree) -> int:
    return 1 + sum(map(size, tree[1]))


@cache
def score(left: Tree, right: Tree) -> int:
    return stm(left, right)


@cache
def run_score(left: Run, right: Run) -> int:
    return stm_forest(left, right)


def run_size(run: Run) -> int:
    return sum(map(size, run))


def symbols_of(trees: Sequence[Tree], threshold: float, relative: float) -> list[int]:
    """DetectLists: the same number for children that are alike."""
    distinct = list(dict.fromkeys(trees))
    likeness: dict[tuple[int, int], float] = {}
    best = [1.0 if trees.count(tree) > 1 else 0.0 for tree in distinct]
    for j, right in enumerate(distinct):
        for i in range(max(0, j - NEAR), j):
            left = distinct[i]
            larger = max(size(left), size(right))
            matched = score(left, right)
            if matched > threshold * larger:
                likeness[i, j] = matched / larger
                best[i] = max(best[i], matched / larger)
                best[j] = max(best[j], matched / larger)
    fine = list(range(len(distinct)))
    coarse = list(range(len(distinct)))
    for (i, j), value in likeness.items():
        join(coarse, i, j)
        if value >= relative * best[i] and value >= relative * best[j]:
            join(fine, i, j)
    place = {tree: i for i, tree in enumerate(distinct)}
    before_context = [fine[place[tree]] for tree in trees]
    seen: dict[tuple[int, int, int], int] = {}
    padded = [-1, *before_context, -1]
    for child, tree in enumerate(trees):
        symbol = before_context[child]
        other = seen.setdefault((padded[child], padded[child + 2], coarse[place[tree]]), symbol)
        join(fine, other, symbol)
    return [fine[place[tree]] for tree in trees]


def join(sets: list[int], one: int, other: int) -> None:
    first, second = sorted((sets[one], sets[other]))
    sets[:] = [first if number == second else number for number in sets]


def fold_children(trees: Run, threshold: float, relative: float) -> tuple[Run, list[FoundList]]:
    """UpdateW: the children with each list folded to one item, and the lists."""
    symbols = symbols_of(trees, threshold, relative)
    parts = [
        Part(symbol, child, child + 1, (tree,)) for child, (symbol, tree) in enumerate(zip(symbols, trees, strict=True))
    ]
    lists: list[FoundList] = []
    while True:
        parts = fold_runs(parts, lists)
        found = best_repeat(parts, threshold)
        if found is None:
            break
        starts, end = found
        folded = record(parts, starts, end, lists)
        folded.symbol = object()
        parts[starts[0] : end] = [folded]
    return trees_of(parts), lists


def trees_of(parts: Sequence[Part]) -> Run:
    return tuple(tree for part in parts for tree in part.trees)


def record(parts: list[Part], starts: list[int], end: int, lists: list[FoundList]) -> Part:
    items = [parts[start:stop] for start, stop in zip(starts, [*starts[1:], end], strict=True)]
    runs = [trees_of(item) for item in items]
    likenesses = [0.0]
    for before, run in itertools.pairwise(runs):
        likenesses.append(run_score(run, before) / max(run_size(run), run_size(before)))
    level = 1 + max(part.level for item in items for part in item)
    example = max(runs, key=run_size)
    lists.append(FoundList([(item[0].begin, item[-1].end) for item in items], likenesses, level, example))
    return Part(items[0][0].symbol, items[0][0].begin, items[-1][-1].end, example, level)


def fold_runs(parts: list[Part], lists: list[FoundList]) -> list[Part]:
    folded = []
    start = 0
    while start < len(parts):
        end = start
        while end < len(parts) and parts[end].symbol == parts[start].symbol:
            end += 1
        folded.append(parts[start] if end == start + 1 else record(parts, list(range(start, end)), end, lists))
        start = end
    return folded


def best_repeat(parts: list[Part], threshold: float) -> tuple[list[int], int] | None:
    """Where the items of the best tandem repeat start, and where its last one ends."""
    symbols = [part.symbol for part in parts]
    best = None
    best_saved = 0.0
    for anchor in dict.fromkeys(symbols):
        starts = [place for place, symbol in enumerate(symbols) if symbol == anchor]
        gaps = [after - start for start, after in itertools.pairwise(starts)]
        if not gaps or max(gaps) > LONGEST_ITEM:
            continue
        for shift in range(min(gaps)):
            if shift:
                starts = [start - 1 for start in starts]
                if starts[0] < 0 or len({symbols[start] for start in starts}) > 1:
                    break
                if symbols.count(symbols[starts[0]]) == len(starts):
                    break  # an anchor itself
            end = end_of_last(parts, starts)
            saved = saving(parts, starts, end, threshold)
            if saved > best_saved:
                best, best_saved = (starts, end), saved
    return best


def end_of_last(parts: list[Part], starts: list[int]) -> int:
    references = [trees_of(parts[start:stop]) for start, stop in itertools.pairwise(starts)][-REFERENCES:]
    begin = starts[-1]
    ends = range(begin + 1, min(len(parts), begin + LONGEST_ITEM) + 1)

    def likeness(end: int) -> float:
        run = trees_of(parts[begin:end])
        return max(run_score(run, other) / max(run_size(run), run_size(other)) for other in references)

    return max(ends, key=likeness)


def saving(parts: list[Part], starts: list[int], end: int, threshold: float) -> float:
    runs = [trees_of(parts[start:stop]) for start, stop in zip(starts, [*starts[1:], end], strict=True)]
    saved = 0.0
    for before, run in itertools.pairwise(runs):
        saved += run_score(run, before) - threshold * max(run_size(run), run_size(before))
    return saved


class PageList(NamedTuple):
    """A list of a page, as the kernel reports it."""

    node: int
    region: int
    items: list[tuple[int, int]]
    """First node of each item, and the node after its last."""
    likenesses: list[float]


def find_lists(page: Tree, threshold: float, relative: float) -> list[PageList]:
    """All lists of a page, in document order of their parents."""

    @cache
    def fold(tree: Tree) -> tuple[Tree, list[FoundList]]:
        children, lists = fold_children(tuple(fold(child)[0] for child in tree[1]), threshold, relative)
        return (tree[0], children), lists

    regions: list[tuple[object, Run]] = []
    found: list[PageList] = []

    def region_of(key: object, example: Run) -> int:
        for region in reversed(range(len(regions))):
            other_key, other = regions[region]
            larger = max(run_size(example), run_size(other))
            if other_key == key and run_score(other, example) > threshold * larger:
                return region
        regions.append((key, example))
        return len(regions) - 1

    def visit(tree: Tree, node: int, path: tuple[int, ...]) -> None:
        path = (*path, tree[0])
        starts = [node + 1]
        for child in tree[1]:
            starts.append(starts[-1] + size(child))
        for items, likenesses, level, example in fold(tree)[1]:
            spans = [(starts[begin], starts[end]) for begin, end in items]
            found.append(PageList(node, region_of((path, level), example), spans, likenesses))
        for child, start in zip(tree[1], starts, strict=False):
            visit(child, start, path)

    visit(page, 0, ())
    return found
