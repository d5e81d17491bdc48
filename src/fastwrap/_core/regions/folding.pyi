"""The lists of G-STM (Jindal & Liu 2010): likenesses of folded siblings, runs and tandem repeats folded to one item."""

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

def find_lists(
    native: NativePage, threshold: float, relative: float, budget: int
) -> tuple[Int32Array, Int32Array, Int32Array, npt.NDArray[np.float64], bool]:
    """All lists in the body of a page, found by matching its tree with itself.

    Two siblings are alike if the maximum mapping of their folded trees, divided by the size of the larger
    one, is above `threshold` (tau 1) and at least `relative` (tau 2) times the best that either of them has
    with another sibling; or above `threshold` alone, where both stand between the same neighbours. Alike
    siblings have the same symbol. In the string of symbols, runs of one symbol and then tandem repeats with
    optional parts are lists; each is folded to its largest item and the search goes on, outwards and upwards.

    `budget` bounds the cells of all tables, and every node has its share of it; where one runs out, siblings count as
    different.

    Returns, for each list, in document order of its parent: the number of its region (lists whose parents have the same
    tag path and whose items are alike are one region); where its items begin in the arrays that follow, one more than
    there are lists. For each item: its nodes, [k, 2], from the first up to the second; its likeness to the item before
    it, 0 for the first one of a list. Last, whether the budget or a share of it was met.
    """
