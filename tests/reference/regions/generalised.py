"""Generalised nodes in plain Python, for where the compiled module cannot be imported.
The same functions, arguments and results as `fastwrap._core.regions.generalised`."""

from __future__ import annotations

import ctypes
import itertools

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TEXT

MAX_SIBLINGS = 64
EPSILON = 1e-9
RICH = 3.0
HASH = 0x9E3779B97F4A7C15

NONE, RECORDS, ROWS = range(3)


def check_arguments(size: Int32Array, other: Int32Array, root: int, longest: int) -> None:
    """Refuse what the compiled module refuses."""
    nodes = len(size)
    if len(other) != nodes:
        raise ValueError("the arrays differ in length")
    if not 0 <= root < nodes or not 1 <= size[root] <= nodes - root:
        raise ValueError(f"the root is not one of the {nodes} nodes")
    if not 1 <= longest <= MAX_SIBLINGS:
        raise ValueError(f"generalised nodes have 1 to {MAX_SIBLINGS} siblings")


def sibling_lists(size: list[int], root: int) -> list[tuple[int, list[int]]]:
    """Each parent from the root on, with its children."""
    found = []
    for node in range(root, root + size[root]):
        children, child = [], node + 1
        while child < node + size[node]:
            if size[child] < 1 or child + size[child] > node + size[node]:
                raise ValueError("the sizes are not those of a tree")
            children.append(child)
            child += size[child]
        if children:
            found.append((node, children))
    return found


def candidates(
    tag: Int32Array, size: Int32Array, class_id: Int32Array, root: int, longest: int
) -> tuple[
    Int32Array, npt.NDArray[np.uint64], Int32Array, Int32Array,
    Int32Array, Int32Array, Int32Array, npt.NDArray[np.bool_],
]:  # fmt: skip
    """Lists of siblings and the pairs of adjacent runs in them."""
    check_arguments(size, tag, root, longest)
    check_arguments(size, class_id, root, longest)
    sizes, tags, classes = size.tolist(), tag.tolist(), class_id.tolist()
    list_start, children, pair_start = [0], [], [0]
    paths: list[int] = []
    reached = {root: 0}
    pairs: list[tuple[int, int, int, bool]] = []
    for parent, siblings in sibling_lists(sizes, root):
        children += siblings
        list_start.append(len(children))
        path = (reached[parent] ^ tags[parent]) * HASH % 2**64
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
    left_start, left_end, right_end, is_equal = zip(*pairs, strict=True) if pairs else ((), (), (), ())
    return (
        np.array(list_start, dtype=np.int32), np.array(paths, dtype=np.uint64), np.array(children, dtype=np.int32),
        np.array(pair_start, dtype=np.int32), np.array(left_start, dtype=np.int32),
        np.array(left_end, dtype=np.int32), np.array(right_end, dtype=np.int32),
        np.array(is_equal, dtype=np.bool_),
    )  # fmt: skip


def explain(
    tag: Int32Array, size: Int32Array, root: int, distance: npt.NDArray[np.float64], threshold: float, longest: int
) -> Int32Array:
    """The regions that together explain most nodes of a page."""
    check_arguments(size, tag, root, longest)
    sizes = size.tolist()
    lists = sibling_lists(sizes, root)
    pairs = [min(longest, (len(children) - first) // 2) for _, children in lists for first in range(len(children))]
    if len(distance) != sum(pairs):
        raise ValueError(f"there are {sum(pairs)} pairs, and {len(distance)} distances")
    pair_start = [0, *itertools.accumulate(pairs)]
    texts = [0, *itertools.accumulate(int(number == TEXT) for number in tag.tolist())]
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
            choice = (NONE, 1, 1)
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
    found, looked_into = [], {root}
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


def distances(
    address: int,
    tag: Int32Array,
    size: Int32Array,
    left_start: Int32Array,
    left_end: Int32Array,
    right_start: Int32Array,
    right_end: Int32Array,
) -> npt.NDArray[np.float64]:
    """What a function given by its address says of each pair of runs."""
    if address == 0:
        raise ValueError("0 is the address of no function")
    bounds = (left_start, left_end, right_start, right_end)
    if len(size) != len(tag) or len({len(bound) for bound in bounds}) > 1:
        raise ValueError("arrays that belong together differ in length")
    for pair, (first, last, other_first, other_last) in enumerate(zip(*(b.tolist() for b in bounds), strict=True)):
        if not (0 <= first <= last <= len(tag) and 0 <= other_first <= other_last <= len(tag)):
            raise ValueError(f"a span of pair {pair} is not within the {len(tag)} nodes")
    pointer, number = ctypes.POINTER(ctypes.c_int32), ctypes.c_int32
    function = ctypes.CFUNCTYPE(ctypes.c_double, pointer, pointer, number, number, number, number)(address)
    tags, sizes = (array.ctypes.data_as(pointer) for array in (tag, size))
    said = [function(tags, sizes, *ends) for ends in zip(*(bound.tolist() for bound in bounds), strict=True)]
    return np.array(said, dtype=np.float64)
