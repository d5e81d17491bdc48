"""The tag path sequence as a signal (DSRE, Velloso & Dorneles 2020), in numba.
The same functions and results as `fastwrap._core.contour`, which explains them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from fastwrap.arrays import Int32Array

Floats: TypeAlias = npt.NDArray[np.float64]

NO_NODE = -1
NO_REGION = -1


@njit(cache=True, nogil=True)
def shares(symbols: Int32Array, start: int, end: int, owner: Int32Array, region: int) -> bool:
    """Return whether a symbol from `start` up to `end` is one of the region's."""
    return bool((owner[symbols[start:end]] == region).any())


@njit(cache=True, nogil=True)
def flat_regions(symbols: Int32Array, shortest: int, out: Int32Array) -> int:
    """Fill in the regions and return their number."""
    n = len(symbols)
    seen = np.zeros(n, dtype=np.bool_)
    owner = np.full(n, NO_REGION, dtype=np.int32)
    count = 0
    i = 0
    while i < n:
        if not seen[symbols[i]]:
            seen[symbols[i]] = True
            i += 1
            continue
        start = i
        while i < n and seen[symbols[i]]:
            i += 1
        if i - start < shortest:
            continue
        if count > 0 and shares(symbols, start, i, owner, count - 1):
            start = out[count - 1, 1]
        else:
            out[count, 0] = start
            count += 1
        out[count - 1, 1] = i
        for k in range(start, i):
            owner[symbols[k]] = count - 1
    for k in range(count):
        for i in range(out[k, 0], out[k, 1]):
            owner[symbols[i]] = k
        before = out[k - 1, 1] if k > 0 else 0
        while out[k, 0] > before and owner[symbols[out[k, 0] - 1]] == k:
            out[k, 0] -= 1
    return count


@njit(cache=True, nogil=True)
def levelled(symbols: Int32Array, start: int, end: int, signal: Floats) -> float:
    """Write a region without its regression line; return the slope of the line."""
    n = end - start
    middle = 0.5 * (start + end - 1)
    mean = 0.0
    slope = 0.0
    for i in range(start, end):
        mean += symbols[i]
        slope += symbols[i] * (i - middle)
    mean /= n
    slope = 12 * slope / (float(n) * n * n - n) if n > 1 else 0.0
    for i in range(start, end):
        signal[i] = symbols[i] - mean - slope * (i - middle)
    return slope


def check_symbols(symbols: Int32Array) -> None:
    """Raise ValueError for symbols that are not between 0 and n - 1."""
    if len(symbols) and not 0 <= symbols.min() <= symbols.max() < len(symbols):
        raise ValueError(f"the symbols are not all between 0 and {len(symbols) - 1}")


def regions(symbols: Int32Array, shortest: int) -> tuple[Int32Array, Floats, Floats]:
    """Return the parts of the sequence whose contour is flat; documented in `_core/contour.pyi`."""
    if shortest < 1:
        raise ValueError("a region has one symbol or more")
    check_symbols(symbols)
    found = np.empty((len(symbols) // shortest + 1, 2), dtype=np.int32)
    found = found[: flat_regions(symbols, shortest, found)]
    signal = np.zeros(len(symbols))
    slopes = np.array([levelled(symbols, start, end, signal) for start, end in found.tolist()], dtype=np.float64)
    return found, slopes, signal


@njit(cache=True, nogil=True)
def add_runs(
    occurrence: Int32Array,
    region: int,
    length: int,
    least: int,
    pause: float,
    filled: tuple[int, int],
    position: Int32Array,
    run_start: Int32Array,
    run_region: Int32Array,
    measures: Floats,
) -> tuple[int, int]:
    """Append the runs of one symbol; return how many runs and positions there are then."""
    runs, positions = filled
    count = len(occurrence)
    limit = pause * (occurrence[-1] - occurrence[0])
    start = 0
    for i in range(1, count + 1):
        if i < count and (occurrence[i] - occurrence[i - 1]) * (count - 1) <= limit:
            continue
        if i - start >= least:
            span = occurrence[i - 1] - occurrence[start]
            period = span / (i - start - 1)
            squares = 0.0
            for k in range(start + 1, i):
                gap = occurrence[k] - occurrence[k - 1]
                squares += float(gap) * gap
            regularity = 1 - np.sqrt(max(0.0, squares / (i - start - 1) - period * period)) / period
            if regularity > 0:
                run_start[runs] = positions
                run_region[runs] = region
                measures[0, runs] = period
                measures[1, runs] = min(1.0, (span + period) / length)
                measures[2, runs] = regularity
                runs += 1
                for k in range(start, i):
                    position[positions] = occurrence[k]
                    positions += 1
        start = i
    return runs, positions


@njit(cache=True, nogil=True)
def follows_parent(
    symbols: Int32Array, parent: Int32Array, occurrence: Int32Array, region_start: int, counts: Int32Array
) -> bool:
    """Return whether a symbol occurs once in each occurrence of its parent."""
    if parent[occurrence[0]] < region_start or counts[symbols[parent[occurrence[0]]]] != len(occurrence):
        return False
    parents = parent[occurrence]
    return bool((parents[1:] != parents[:-1]).all())


@njit(cache=True, nogil=True)
def all_runs(
    symbols: Int32Array,
    parent: Int32Array,
    bounds: Int32Array,
    least: int,
    pause: float,
    position: Int32Array,
    run_start: Int32Array,
    run_region: Int32Array,
    measures: Floats,
) -> tuple[int, int]:
    """Fill in the runs of all regions; return how many runs and positions there are."""
    n = len(symbols)
    counts = np.zeros(n, dtype=np.int32)
    places = np.empty(n, dtype=np.int32)
    order = np.empty(n, dtype=np.int32)
    occurrence = np.empty(n, dtype=np.int32)
    filled = (0, 0)
    for region in range(len(bounds)):
        start, end = bounds[region]
        touched = 0
        for i in range(start, end):
            if counts[symbols[i]] == 0:
                order[touched] = symbols[i]
                touched += 1
            counts[symbols[i]] += 1
        place = 0
        for j in range(touched):
            places[order[j]] = place
            place += counts[order[j]]
        for i in range(start, end):
            occurrence[places[symbols[i]]] = i
            places[symbols[i]] += 1
        place = 0
        for j in range(touched):
            here = occurrence[place : place + counts[order[j]]]
            place += len(here)
            if len(here) >= least and not follows_parent(symbols, parent, here, start, counts):
                filled = add_runs(
                    here, region, end - start, least, pause, filled, position, run_start, run_region, measures
                )
        for j in range(touched):
            counts[order[j]] = 0
    return filled


def recurrences(
    symbols: Int32Array, parent: Int32Array, regions: Int32Array, least: int, pause: float
) -> tuple[Int32Array, Int32Array, Int32Array, Floats, Floats, Floats]:
    """Return the runs of occurrences of each symbol; documented in `_core/contour.pyi`."""
    n = len(symbols)
    if least < 2:
        raise ValueError("a run has two occurrences or more")
    check_symbols(symbols)
    if len(parent) != n:
        raise ValueError("symbols and parents differ in number")
    if (parent >= np.arange(n)).any():
        raise ValueError("a parent does not come before its children")
    if not ((regions[:, 0] >= 0) & (regions[:, 0] <= regions[:, 1]) & (regions[:, 1] <= n)).all():
        raise ValueError(f"a region is not within the {n} symbols")
    total = int((regions[:, 1] - regions[:, 0]).sum())
    position = np.empty(total, dtype=np.int32)
    run_start = np.empty(total // least + 1, dtype=np.int32)
    run_region = np.empty(total // least + 1, dtype=np.int32)
    measures = np.empty((3, total // least + 1))
    runs, positions = all_runs(symbols, parent, regions, least, pause, position, run_start, run_region, measures)
    run_start[runs] = positions
    period, coverage, regularity = measures[:, :runs]
    return position[:positions], run_start[: runs + 1], run_region[:runs], period, coverage, regularity


@njit(cache=True, nogil=True)
def ancestor(parent: Int32Array, node: int, climbs: int) -> int:
    """Return the ancestor so many levels up."""
    for _ in range(climbs):
        node = parent[node]
    return node


@njit(cache=True, nogil=True)
def cut_run(parent: Int32Array, size: Int32Array, nodes: Int32Array, spans: Int32Array) -> bool:
    """Cut one run; return False when its nodes are not all at one depth."""
    count = len(nodes)
    climbs = np.zeros(count, dtype=np.int32)
    for i in range(count - 1):
        u, v = nodes[i], nodes[i + 1]
        while parent[u] != parent[v]:
            u, v = parent[u], parent[v]
            climbs[i] += 1
            if u == NO_NODE or v == NO_NODE:
                return False
    climbs[count - 1] = climbs[count - 2]
    longest = 0
    for i in range(count):
        up = climbs[i]
        if i > 0:
            up = min(up, climbs[i - 1])
        start = ancestor(parent, nodes[i], up)
        above = parent[start]
        end = above + size[above] if above != NO_NODE else start + size[start]
        if i < count - 1:
            if climbs[i] == up:
                end = ancestor(parent, nodes[i + 1], up)
            longest = max(longest, end - start)
        else:
            child = start + size[start]
            while child < end and child + size[child] - start <= longest:
                child += size[child]
            end = child
        spans[i, 0] = start
        spans[i, 1] = end
    return True


def records(parent: Int32Array, size: Int32Array, nodes: Int32Array, run_start: Int32Array) -> Int32Array:
    """Return the records that begin at the nodes of each run; documented in `_core/contour.pyi`."""
    if len(size) != len(parent):
        raise ValueError("parents and sizes differ in number")
    if len(nodes) and not 0 <= nodes.min() <= nodes.max() < len(parent):
        raise ValueError(f"the nodes are not all between 0 and {len(parent) - 1}")
    if not len(run_start) or run_start[0] != 0 or run_start[-1] != len(nodes):
        raise ValueError("the runs do not begin with the first node and end with the last")
    if (np.diff(run_start) < 2).any():
        raise ValueError("a run has two nodes or more")
    spans = np.empty((len(nodes), 2), dtype=np.int32)
    for first, last in zip(run_start[:-1].tolist(), run_start[1:].tolist(), strict=True):
        if not cut_run(parent, size, nodes[first:last], spans[first:last]):
            raise ValueError("the nodes of a run are at different depths")
    return spans
