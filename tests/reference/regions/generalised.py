"""Generalised nodes (MDR, Liu, Grossman & Zhai 2003) in plain Python: twins of `fastwrap._core.regions.generalised`.
Then its searches with nothing clever in them: every set of regions tried out, and the paper's own as printed."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, TEXT

MAX_SIBLINGS = 64
EPSILON = 1e-9
RICH = 3.0
HASH = 0x9E3779B97F4A7C15

ALONE, RECORDS, ROWS = range(3)

Distance = Callable[[int, int, int], float]
"""How far two adjacent runs are apart: parent, number of the first sibling among its children, length of a run."""

Region = tuple[int, int, int]
"""First sibling, siblings in a generalised node, generalised nodes."""


def check_longest(longest: int) -> None:
    """Refuse what the compiled module refuses."""
    if not 1 <= longest <= MAX_SIBLINGS:
        raise ValueError(f"generalised nodes have 1 to {MAX_SIBLINGS} siblings")


def sibling_lists(native: NativePage) -> list[tuple[int, list[int]]]:
    """Each parent from the body on, with its children."""
    arrays = native.node_arrays
    tops = [0, *np.flatnonzero(arrays.parent == 0).tolist()]
    body = next((node for node in tops[1:] if arrays.tag[node] == TAG_NUMBER["body"]), 0)
    children: dict[int, list[int]] = {node: [] for node in range(body, body + int(arrays.size[body]))}
    for node in list(children)[1:]:
        children[int(arrays.parent[node])].append(node)
    return [(parent, below) for parent, below in children.items() if below]


def shapes(native: NativePage) -> list[int]:
    """A number for each different subtree."""
    numbers: dict[tuple[int, ...], int] = {}
    tag, parent, *_ = native.node_arrays
    below: list[list[int]] = [[] for _ in tag]
    found = [0] * len(tag)
    for node in range(len(tag) - 1, -1, -1):
        found[node] = numbers.setdefault((int(tag[node]), *below[node]), len(numbers))
        if node:
            below[parent[node]].append(found[node])
    return found


def candidates(
    native: NativePage, longest: int
) -> tuple[
    Int32Array, npt.NDArray[np.uint64], Int32Array, Int32Array, Int32Array, npt.NDArray[np.bool_],
]:  # fmt: skip
    """Lists of siblings and the pairs of adjacent runs in them."""
    check_longest(longest)
    sizes, tags, classes = native.node_arrays.size.tolist(), native.node_arrays.tag.tolist(), shapes(native)
    list_start, children, pair_start = [0], [], [0]
    paths: list[int] = []
    reached: dict[int, int] = {}
    pairs: list[tuple[int, int, int, bool]] = []
    for parent, siblings in sibling_lists(native):
        children += siblings
        list_start.append(len(children))
        path = (reached.get(parent, 0) ^ tags[parent]) * HASH % 2**64
        paths.append(path)
        reached.update((child, path) for child in siblings)
        ends = [child + sizes[child] for child in siblings]
        kinds = [classes[child] for child in siblings]
        for first in range(len(siblings)):
            for length in range(1, min(longest, (len(siblings) - first) // 2) + 1):
                middle, last = first + length, first + 2 * length
                equal = kinds[first:middle] == kinds[middle:last]
                pairs.append((siblings[first], siblings[middle], ends[last - 1], equal))
            pair_start.append(len(pairs))
    return (
        np.array(list_start, dtype=np.int32), np.array(paths, dtype=np.uint64), np.array(children, dtype=np.int32),
        np.array(pair_start, dtype=np.int32), np.array([pair[:3] for pair in pairs], dtype=np.int32).reshape(-1, 3),
        np.array([equal for *_, equal in pairs], dtype=np.bool_),
    )  # fmt: skip


def explain(native: NativePage, distance: npt.NDArray[np.float64], threshold: float, longest: int) -> Int32Array:
    """The regions that together explain most nodes of a page."""
    check_longest(longest)
    sizes = native.node_arrays.size.tolist()
    lists = sibling_lists(native)
    pairs = [min(longest, (len(children) - first) // 2) for _, children in lists for first in range(len(children))]
    if len(distance) != sum(pairs):
        raise ValueError(f"there are {sum(pairs)} pairs, and {len(distance)} distances")
    pair_start = [0, *itertools.accumulate(pairs)]
    texts = [0, *itertools.accumulate(int(number == TEXT) for number in native.node_arrays.tag.tolist())]
    distances = distance.tolist()
    inside, heads = [0.0] * len(sizes), [0.0] * len(sizes)
    choices: dict[int, list[tuple[int, int, int]]] = {}
    start = len(pairs)
    for parent, children in reversed(lists):
        start -= len(children)
        first_pair = pair_start[start : start + len(children)]
        ends = [child + sizes[child] for child in children]
        inner = [0.0, *itertools.accumulate(inside[child] for child in children)]
        head = [0.0, *itertools.accumulate(heads[child] for child in children)]
        best, chosen = [0.0], []
        # By length and last sibling: (explained, how many) as records, and as rows that are looked into.
        records: dict[tuple[int, int], tuple[float, int]] = {}
        rows: dict[tuple[int, int], tuple[float, int]] = {}
        for j in range(1, len(children) + 1):
            best.append(best[j - 1] + inside[children[j - 1]])
            choice = (ALONE, 1, 1)
            for k in range(1, min(longest, j) + 1):
                record, within = (best[j - k], 1), inner[j] - inner[j - k]
                row = (best[j - k] + within, 1) if within > 0 else (-1.0, 1)
                far = distances[first_pair[j - 2 * k] + k - 1] if j >= 2 * k else float("nan")
                if far <= threshold:
                    before, count = records[k, j - k]
                    total = before + (ends[j - 1] - children[j - k]) * (1 - far)
                    if total >= record[0]:
                        record = total, count + 1
                    before, count = rows[k, j - k]
                    if row[0] >= 0 and before >= 0:
                        total = before + within + (head[j] - head[j - k]) * (1 - far)
                        if total >= row[0]:
                            row = total, count + 1
                records[k, j], rows[k, j] = record, row
                if record[1] > 1 and record[0] > best[j] + EPSILON:
                    best[j], choice = record[0], (RECORDS, k, record[1])
                if row[1] > 1 and row[0] > best[j] + EPSILON:
                    best[j], choice = row[0], (ROWS, k, row[1])
            chosen.append(choice)
        inside[parent], choices[parent] = best[-1], chosen
        total, j = 0.0, len(children)
        while j:
            kind, k, count = chosen[j - 1]
            last = ends[j - 1]
            j -= k * count
            if kind != RECORDS:
                total += head[j + k] - head[j]
            elif texts[last] - texts[children[j]] >= RICH * count:
                total += ends[j + k - 1] - children[j]
        heads[parent] = total
    found, looked_into = [], {parent for parent, _ in lists[:1]}
    start = 0
    for parent, children in lists:
        j = len(children) if parent in looked_into else 0
        while j:
            kind, k, count = choices[parent][j - 1]
            j -= k * count
            if kind == RECORDS:
                found.append((start + j, k, count))
            else:
                looked_into.update(children[j : j + k * count])
        start += len(children)
    return np.array(sorted(found), dtype=np.int32).reshape(-1, 3)


def distances(native: NativePage, address: int, pairs: Int32Array) -> npt.NDArray[np.float64]:
    """What a function given by its address says of each pair of runs."""
    if address == 0:
        raise ValueError("0 is the address of no function")
    tag, _, size, *_ = native.node_arrays
    if pairs.size != 4 * len(pairs):
        raise ValueError("arrays that belong together differ in length")
    for pair, (first, last, other_first, other_last) in enumerate(pairs.tolist()):
        if not (0 <= first <= last <= len(tag) and 0 <= other_first <= other_last <= len(tag)):
            raise ValueError(f"a span of pair {pair} is not within the {len(tag)} nodes")
    pointer, number = ctypes.POINTER(ctypes.c_int32), ctypes.c_int32
    function = ctypes.CFUNCTYPE(ctypes.c_double, pointer, pointer, number, number, number, number)(address)
    tags, sizes = (array.ctypes.data_as(pointer) for array in (tag, size))
    said = [function(tags, sizes, *ends) for ends in pairs.tolist()]
    return np.array(said, dtype=np.float64)


def most_explained(
    children: dict[int, list[int]], size: Sequence[int], root: int, distance: Distance, threshold: float, longest: int
) -> float:
    """Nodes that the best set of regions explains, where no record has texts (so that rows are nothing special)."""

    def explained(parent: int, first: int) -> float:
        """In the children of a parent from the first one on: leave it alone, or start a region with it."""
        siblings = children[parent]
        if first >= len(siblings):
            return 0.0
        ways = [explained(siblings[first], 0) + explained(parent, first + 1)]
        for length in range(1, longest + 1):
            total, end = 0.0, first + length
            while end + length <= len(siblings) and distance(parent, end - length, length) <= threshold:
                nodes = sum(size[sibling] for sibling in siblings[end : end + length])
                total += nodes * (1 - distance(parent, end - length, length))
                end += length
                ways.append(total + explained(parent, end))
        return max(ways)

    return explained(root, 0)


def iden_drs(start: int, siblings: int, similar: Callable[[int, int], bool], longest: int) -> list[Region]:
    """IdenDRs of MDR as printed (Liu, Grossman & Zhai 2003), siblings counted from 0, its tail call a loop.

    `similar(first, length)` says so of the runs of that length from the first sibling on.
    """
    found: list[Region] = []
    while start < siblings:
        widest = (0, 0, 0)  # length, start, siblings covered
        for length in range(1, longest + 1):
            for first in range(start, start + length):
                current, flag = (0, 0, 0), True
                for place in range(first, siblings - 2 * length + 1, length):
                    if similar(place, length):
                        current = (length, place, 2 * length) if flag else (*current[:2], current[2] + length)
                        flag = False
                    elif not flag:
                        break
                if widest[2] < current[2] and (widest[2] == 0 or current[1] <= widest[1]):
                    widest = current
        if widest[2] == 0:
            break
        found.append((widest[1], widest[0], widest[2] // widest[0]))
        start = widest[1] + widest[2]
    return found
