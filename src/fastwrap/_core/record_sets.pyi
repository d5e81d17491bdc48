"""Sets of records (AutoRM, Shi et al. 2015) in one native pass: content, siblings, clusters, cuts, quality, joins.

The first fourteen arguments are arrays of a page (`fastwrap.arrays`, `fastwrap.page`): `class_id` is its structural
class, `path` its path symbol, `style` its style symbol. `rules` has the numbers of names and the constants of the
method (`fastwrap.regions.autorm.Rules`). Both functions raise ValueError for arrays that no page has.
"""

import numpy as np
import numpy.typing as npt

from fastwrap.arrays import Int32Array
from fastwrap.regions.autorm import Rules

MOST_JOINED: int
"""Joined sets of a kind: around the best set, around the best one that is left, and so on."""

def best_sets(
    tag: Int32Array,
    parent: Int32Array,
    size: Int32Array,
    class_id: Int32Array,
    path: Int32Array,
    style: Int32Array,
    hidden: npt.NDArray[np.uint8],
    text_start: Int32Array,
    text: bytes,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    body: int,
    rules: Rules,
    similarity: float,
    coverage: float,
) -> tuple[Int32Array, Int32Array, npt.NDArray[np.float64], Int32Array, npt.NDArray[np.float64]]:
    """The best sets of records of a page, no two of which share a node, in order of their quality.

    Trees are similar from `similarity` on; sets with less than the share `coverage` of the content are left out.
    Returns `(records, first, scores, cuts, before)`, which `fastwrap.regions.autorm.RecordSets` tells of.
    """

def measure_sets(
    tag: Int32Array,
    parent: Int32Array,
    size: Int32Array,
    class_id: Int32Array,
    path: Int32Array,
    style: Int32Array,
    hidden: npt.NDArray[np.uint8],
    text_start: Int32Array,
    text: bytes,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    body: int,
    rules: Rules,
    records: Int32Array,
    first: Int32Array,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The coverage, similarity and variety of given sets, all of whose records count, a row each; then `before`.

    Set i has the `records` first[i] up to first[i + 1]. The similarity of a single record is 0.
    """
