"""Headings above groups of records: which kinds of texts stand between groups, and which one is above each record.

A group is a run of records with nothing between them. The gap before it has at most `max_gap` nodes, none of them
before the end of the record before it. The kind of a text is the tags of the elements around it, the nearest first, at
most LEVELS of them, up to one that is for headings: `is_heading` has a byte for each tag number, and says no for larger
ones. ValueError for spans that are not on the page.
"""

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

LEVELS: int

def kinds(
    native: NativePage, spans: Int32Array, is_heading: bytes, max_gap: int, max_share: float, max_groups: int
) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
    """The number of groups, and the three most frequent kinds of texts between them, with the gaps that have each.

    A text counts if it is the only one of its gap, or if its kind ends with a tag that is for headings. Of equally
    frequent kinds the first is the one that comes first. No kinds where there are less than three records, one group,
    or `max_groups` gaps between groups, and where these are `max_share` of the records.
    """

def nodes(native: NativePage, spans: Int32Array, is_heading: bytes, max_gap: int, kind: tuple[int, ...]) -> list[int]:
    """For each record the last text of a kind in the gap before its group, or else before the groups above it;
    NO_NODE if there is none. ValueError for a kind without tags or with more than LEVELS."""
