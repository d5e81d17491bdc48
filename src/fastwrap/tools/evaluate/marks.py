"""Marks: labels on the nodes of a page that say which spans of nodes are records of which region.
The same whoever made them, so that what an extractor found can be held against what a key says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.names import TEXT


@dataclass(frozen=True)
class Marks:
    """Records marked on a page. Making marks costs next to nothing: texts are read when they are asked for.

    >>> marks = Marks(Page("<p><b>one</b> 1<p><b>two</b> 2"), [[(3, 7), (7, 11)]])
    >>> marks.texts
    [['one 1', 'two 2']]
    >>> marks.items(0)
    [['one', '1'], ['two', '2']]
    """

    page: Page
    """The page as whoever marked it saw it: noise may have been removed."""
    regions: Sequence[Sequence[tuple[int, int]]]
    """For each region, best first, its records in order: the first node, and the node after the last."""
    confidence: float = 1.0
    """In [0, 1]: how sure whoever marked is that the first region is a main list."""

    @lazy_property
    def texts(self) -> list[list[str]]:
        """The text of each record of each region."""
        return [[self.page.span_text(start, end) for start, end in region] for region in self.regions]

    def items(self, region: int) -> list[list[str]]:
        """The data items of each record of a region: its texts, one a node."""
        page = self.page
        return [
            [page.text(node) for node in (np.flatnonzero(page.tag[start:end] == TEXT) + start).tolist()]
            for start, end in self.regions[region]
        ]
