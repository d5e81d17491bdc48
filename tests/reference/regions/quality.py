"""How good sets of records are (AutoRM, Shi et al. 2015), in plain Python: part of the twin of `record_sets`."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array

ALIKE = 0.8
"""A record this like its neighbour is not odd, however small it is."""


def odd_ends(likeness: list[float], letters: list[float], oddness: float) -> tuple[bool, bool]:
    """Whether the first and the last record of a set are less like their neighbours than the others, and small."""

    def is_odd(end: int) -> bool:
        other_likeness = (sum(likeness) - likeness[end]) / (len(likeness) - 1)
        other_letters = (sum(letters) - letters[end]) / (len(letters) - 1)
        ratio = likeness[end] * letters[end], oddness * other_likeness * other_letters
        return likeness[end] < min(other_likeness, ALIKE) and ratio[0] < ratio[1]

    if len(letters) < 3:
        return False, False
    first = is_odd(0)
    return first, (len(letters) > 3 or not first) and is_odd(-1)


def similarity_of(likeness: list[float], letters: list[float]) -> float:
    """Mean likeness of neighbours, times that of each record to its nearer one, weighted by content."""
    nearer = [max(sides) for sides in itertools.pairwise([0.0, *likeness, 0.0])]
    weighted = sum(near * content for near, content in zip(nearer, letters, strict=True))
    return sum(likeness) / len(likeness) * weighted / sum(letters) if sum(letters) > 0 else 0.0


def variety_of(records: list[list[int]], full: float) -> float:
    """Share of items that are new to their record, and number of them, given the items of each record."""
    items = sum(map(len, records))
    different = sum(len(set(record)) for record in records)
    return (different / items) ** (2 / 3) * min(1.0, different / len(records) / full) ** 2 if items else 0.0


def measure(
    records: Int32Array,
    first: Int32Array,
    to_next: npt.NDArray[np.float64],
    before: npt.NDArray[np.float64],
    item: Int32Array,
    oddness: float,
    full: float,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Leave odd records out at the ends of sets; then the content, similarity and variety of each set.

    Set i has the `records` first[i] up to first[i + 1], two or more; `to_next` is the likeness of each record to the
    next one of its set. `before` is the content of all nodes before each node, and in all; `item` says of each node
    which item it is, -1 for none. Returns which records are kept, then the content, similarity and variety by set.
    """
    items, spans = item.tolist(), records.tolist()
    content = (before[records[:, 1]] - before[records[:, 0]]).tolist()
    kept = np.zeros(len(records), dtype=np.bool_)
    quality = np.zeros((3, len(first) - 1))
    for number, (begin, end) in enumerate(itertools.pairwise(first.tolist())):
        odd_first, odd_last = odd_ends(to_next[begin : end - 1].tolist(), content[begin:end], oddness)
        begin, end = begin + odd_first, end - odd_last
        kept[begin:end] = True
        quality[0, number] = sum(content[begin:end])
        quality[1, number] = similarity_of(to_next[begin : end - 1].tolist(), content[begin:end])
        of_record = [[number for number in items[start:stop] if number >= 0] for start, stop in spans[begin:end]]
        quality[2, number] = variety_of(of_record, full)
    return kept, quality[0], quality[1], quality[2]
