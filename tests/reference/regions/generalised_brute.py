"""The searches of MDR with nothing clever in them: every set of regions tried out, and the paper's own as printed.
Twins of `fastwrap._core.regions.generalised.explain` and of `fastwrap.regions.mdr.search_mdr`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Distance = Callable[[int, int, int], float]
"""How far two adjacent runs are apart: parent, number of the first sibling among its children, length of a run."""

Region = tuple[int, int, int]
"""First sibling, siblings in a generalised node, generalised nodes."""


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
