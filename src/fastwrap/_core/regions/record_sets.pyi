"""Sets of records (AutoRM, Shi et al. 2015) in one native pass: content, siblings, clusters, cuts, quality, joins.

`rules` has the constants of the method (`fastwrap.regions.autorm.Rules`).
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array
from fastwrap.regions.autorm import Rules
from fastwrap.regions.ranking import Rules as RankingRules

Floats: TypeAlias = npt.NDArray[np.float64]

MOST_JOINED: int
"""Joined sets of a kind: around the best set, around the best one that is left, and so on."""

LIMITS: tuple[str, ...]
"""What the limits are called that may be met, in order; `fastwrap.regions.LIMITS` tells of them."""

def best_sets(
    native: NativePage, rules: Rules, similarity: float, coverage: float
) -> tuple[Int32Array, Int32Array, Floats, Int32Array, Floats, tuple[str, ...]]:
    """The best sets of records of a page, no two of which share a node, in order of their quality.

    Trees are similar from `similarity` on; sets with less than the share `coverage` of the content are left out.
    Returns `(records, first, scores, cuts, before, limits)`, which `fastwrap.regions.autorm.RecordSets` tells of.
    """

def ranked_sets(
    native: NativePage,
    rules: Rules,
    similarity: float,
    coverage: float,
    ranking_rules: RankingRules,
) -> tuple[Int32Array, list[tuple[int, int, float, float, int]], Floats, tuple[str, ...]]:
    """The same sets in order of their rank: one call for all that the automatic method asks of a page.

    Returns `(records, order, why, limits)`:

    - `records` are those of all sets; the tuples of `order` say of each set, the main list first, its first record and
      the one after its last, its rank, its confidence, and its number, which is its row of `why`.
    - A row of `why` has coverage, similarity and variety, the four numbers of `cuts`, then the features
      (`fastwrap._core.regions.ranking.NAMES`).

    The rules of the ranking have two rows of weights, for the rank and the confidence (logistic).
    """

def measure_sets(native: NativePage, rules: Rules, records: Int32Array, first: Int32Array) -> tuple[Floats, Floats]:
    """The coverage, similarity and variety of given sets, all of whose records count, a row each; then `before`.

    Set i has the `records` first[i] up to first[i + 1]. The similarity of a single record is 0.
    """
