"""Sets of records (AutoRM, Shi et al. 2015) in one native pass, and their ranking: the two calls of the method."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array
from fastwrap.regions import autorm, ranking

Floats: TypeAlias = npt.NDArray[np.float64]
Found: TypeAlias = tuple[Int32Array, autorm.Order, Floats, tuple[str, ...]]
Ranked: TypeAlias = tuple[Int32Array, Sequence[tuple[int, int, float, float, int]], Floats, tuple[str, ...]]

LIMITS: tuple[str, ...]
"""The limits that may be met; `fastwrap.limits` describes them."""

def find_sets(native: NativePage, options: autorm.Options, ranking_options: ranking.Options | None) -> Found:
    """The best sets of records of a page, no two of which share a node, ranked or in order of their quality.

    Returns `(records, order, why, limits)`:

    - `records` are the spans of the records of all sets, those of a set in order, at least two.
    - `order` has of each set, the best one first, its first record and the one after its last, its score, the logarithm
      of the odds that it is a main list, by itself (None if it was not ranked), and its number in order of quality,
      which is its row of `why`.
    - A row of `why` has coverage, similarity and variety, whose product is the quality; how the set was cut (a number
      of `autorm.CUTS`), how many sets were joined, how many odd records left out and how many siblings added; then,
      if it was ranked, the features (`ranking.FEATURE_NAMES`).
    - `limits` are those that were met.

    Raises ValueError for options that are not those of this method.
    """

def rank_sets(
    native: NativePage,
    options: autorm.Options,
    ranking_options: ranking.Options,
    records: Int32Array,
    first: Int32Array,
) -> Ranked:
    """Given sets, measured and ranked; all of their records count. Returns what `find_sets` does.

    Set i has the `records` first[i] up to first[i + 1], one or more. The similarity of a single record is 0.

    Raises ValueError for records that are not on the page, and sets that do not cover them.
    """
