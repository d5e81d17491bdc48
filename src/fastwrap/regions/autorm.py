"""AutoRM: children are clustered, and what repeats among them is cut at heads or separators (Shi et al. 2015;
seed 000, 2.3). Every way to cut is tried everywhere on the page; the best set of records wins, then the next best.

The steps, in the paper's words:

- The children of every node are *clustered*, twice: by their tag, and by the similarity of their trees (average
  linkage). Equal trees need no comparing, and the children of equal nodes are cut once.
- *Coarse regions* (CG-Regions) are the intervals of the clusters, united where they overlap (properties 1 and 2).
- A coarse region is cut into candidate records (C-Records) in every way: at the nodes of one cluster, its *heads*,
  which are the records or begin them (head-order-based); and at equal runs of *separators*, which have no content
  (separator-based).
- *Objects that contain records* (ASO): sets of records that are similar and begin at the same tag path are tried
  as one set too, such as the cells of all rows or the lists of all sections. A row with a single cell joins them.
- The *quality* of a set is its coverage (property 3), times the similarity between its records, times the variety
  within them (property 4). Where sets share nodes, only the best one stays: so rows give way to cells, or cells
  to rows.

What differs from the paper:

- It has a browser say how many pixels a node covers. Here content is counted in letters, an image being worth
  those that fit into it.
- It goes down from the root, and into records for as long as their quality is above a limit. Here all levels of
  the page compete, which needs no limit but the least coverage.
- A first or last record that is odd and small is left out: a heading or a pager with the tag of the records.
- Its similarity within a record, which should be low, is taken of the items, by their tag paths.
- Siblings of the records of a chosen set are added that have their tag and style, or most of their items, or the words
  of their class and about as much in them, or are a box around a node that is like a record (an indented or sponsored
  one): featured and optional parts make trees differ.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.regions import record_sets
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, TAGS, TEXT
from fastwrap.regions import FoundRegion, Search

SIMILARITY = 0.5
"""Trees are similar from here on: half of their nodes match."""

COVERAGE = 0.01
"""The least share of the page's content that a region has."""

FULL_RECORD = 3.0
"""Different items of a record that lacks nothing (seed 000, 3.3)."""

ODD_RECORD = 1 / 3
"""A first or last record is left out if its likeness to its neighbour times its content is less than this share of
what the others have."""

LETTER = 8 * 16
"""Pixels of a letter."""

IMAGE = 40
"""Letters that an image of unknown size is worth: about 70 x 70 pixels."""

LARGEST_IMAGE = 200
"""Letters that an image is worth at most: 160 x 160 pixels, a usual thumbnail."""

SPACER = 5
"""Pixels: an image that is no wider, or no higher, is there for the layout."""

BUDGET = 20_000_000
"""Cells of tree matching to cluster the siblings of a page; to choose its sets, three times as many. A page of
thousands of nodes takes some 10,000."""

PAIRS = 200_000
"""Pairs of siblings a page that are compared to cluster them. A page of thousands of nodes has some hundreds."""

CUTS = ("single nodes", "head to head", "between separators")
"""How a set of records was cut, as `Region.why` says it."""

NOTHING, WORDS, PICTURE, CONTROL = range(4)
SEEN_AS = np.full(len(TAGS) + 1, NOTHING, dtype=np.uint8)
"""What a node is to a reader, by its tag number. The last entry is that of names that are not in the table."""
SEEN_AS[TEXT] = WORDS
SEEN_AS[[TAG_NUMBER[name] for name in ("img", "video", "canvas", "object", "embed")]] = PICTURE
SEEN_AS[[TAG_NUMBER[name] for name in ("select", "option", "optgroup", "textarea", "datalist", "label")]] = CONTROL


class Rules(NamedTuple):
    """What the kernel is told: the constants above."""

    seen_as: npt.NDArray[np.uint8] = SEEN_AS
    letter: float = LETTER
    image: float = IMAGE
    largest_image: float = LARGEST_IMAGE
    spacer: float = SPACER
    odd_record: float = ODD_RECORD
    full_record: float = FULL_RECORD
    budget: int = BUDGET
    pairs: int = PAIRS


RULES = Rules()


class RecordSets(NamedTuple):
    """Sets of records of a page, the best one first; no two share a node."""

    records: Int32Array
    """[r, 2] The spans of the records, in order within a set."""
    first: Int32Array
    """[s + 1] Set i has the records first[i] up to first[i + 1], at least two."""
    scores: npt.NDArray[np.float64]
    """[s, 3] Coverage, similarity and variety, whose product is the quality of a set."""
    cuts: Int32Array
    """[s, 4] How it was cut (a number of CUTS), how many sets were joined, how many odd records left out, and how
    many siblings added."""
    before: npt.NDArray[np.float64]
    """[n + 1] The content of all nodes before each one."""
    limits: tuple[str, ...]
    """The steps whose budget was met, as `fastwrap.limits` names them."""


def best_sets(page: Page, similarity: float = SIMILARITY, coverage: float = COVERAGE) -> RecordSets:
    """The sets of records of a page, in order of their quality."""
    return RecordSets(*record_sets.best_sets(page.native, RULES, similarity, coverage))


def measure_sets(
    page: Page, records: Int32Array, first: Int32Array
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The coverage, similarity and variety of given sets of records, and the content before each node."""
    scores, before = record_sets.measure_sets(page.native, RULES, records, first)
    return scores, before


def reasons(scores: list[float], cut: list[int]) -> dict[str, float | str]:
    """Why a set is one, by name."""
    return {
        "coverage": scores[0],
        "similarity": scores[1],
        "variety": scores[2],
        "cut": CUTS[cut[0]],
        "parts": cut[1],
        "left out": cut[2],
        "added": cut[3],
    }


def find(page: Page, *, similarity: float = SIMILARITY, coverage: float = COVERAGE) -> Search:
    """The regions of a page by AutoRM, in order of coverage x similarity x variety.

    Trees are similar from `similarity` on, when siblings are clustered and when sets are joined; regions with
    less than the share `coverage` of the page's content are left out.

    >>> page = Page("Found: 2<hr>" + "<a href=#>Name</a> <br>text<br>12 EUR<br><hr>" * 3)
    >>> [page.span_text(*record) for record in find(page).regions[0].records.tolist()]
    ['Name text 12 EUR', 'Name text 12 EUR', 'Name text 12 EUR']
    """
    if not (0 <= similarity <= 1 and 0 <= coverage <= 1):
        raise FastwrapError("similarity and coverage are shares, from 0 to 1")
    sets = best_sets(page, similarity, coverage)
    ends = sets.first.tolist()
    regions = [
        FoundRegion(sets.records[start:end], math.prod(scores), reasons(scores, cut), None, sets.limits)
        for start, end, scores, cut in zip(ends, ends[1:], sets.scores.tolist(), sets.cuts.tolist(), strict=False)
    ]
    return Search(regions, sets.limits)
