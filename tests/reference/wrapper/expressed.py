"""Children cut into records by the readings of an expression, child by child.
The twin of `fastwrap._core.wrapper.expressed`."""

from __future__ import annotations

from collections.abc import Sequence

from fastwrap.grammar import SKIPPED, Match
from fastwrap.wrapper.hashes import OUTSIDE, UNKNOWN


def cut(
    children: Sequence[int], ends: Sequence[int], matches: Sequence[Match], position_roles: Sequence[int], repeat: int
) -> tuple[list[list[int]], list[int]]:
    """The spans of the records, and the children that are unknown."""
    spans: list[list[int]] = []
    roles: list[int] = []
    for match in matches:
        first = len(roles)
        roles += [UNKNOWN if position == SKIPPED else position_roles[position] for position in match.positions]
        for begin, end in match.iterations(repeat):
            final = first + end - 1
            while final > first + begin and roles[final] in (OUTSIDE, UNKNOWN):
                final -= 1
            spans.append([children[first + begin], ends[final]])
    return spans, [child for child, role in zip(children, roles, strict=True) if role == UNKNOWN]
