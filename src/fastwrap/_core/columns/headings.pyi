"""Headings above groups of records: which kinds of texts stand between groups, and which one is above each record.

A group is a run of records with nothing between them. The gap before it has at most `max_gap` nodes, none of them
before the end of the record before it. The kind of a text is the tags of the elements around it, the nearest first, at
most LEVELS of them; it ends at a tag that is for headings. `is_heading` says which ones are: it has a byte for each tag
number, up to one from which on none is. ValueError for spans that are not on the page.
"""

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

LEVELS: int
"""Tags of a kind, at most."""

def kinds(
    native: NativePage, spans: Int32Array, is_heading: bytes, max_gap: int, max_share: float, max_groups: int
) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
    """The number of groups, and the three most frequent kinds of texts between them, with the gaps that have each.

    A text counts if its gap has no other one, or if its kind ends with a tag that is for headings. The gap before the
    first group is not counted. Of kinds that are as frequent the one that comes first is the first.

    Nothing is looked for where there are less than three records, where there is one group, and where the gaps
    between groups are `max_groups` or more, or not less than `max_share` of the records.
    """

def nodes(native: NativePage, spans: Int32Array, is_heading: bytes, max_gap: int, kind: tuple[int, ...]) -> list[int]:
    """For each record the last text of a kind in the gap before its group, or else before the groups above it.

    It is NO_NODE where there is none so far. ValueError for a kind without tags or with more than LEVELS.
    """
