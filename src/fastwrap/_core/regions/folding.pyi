"""The lists of G-STM (Jindal & Liu 2010): likenesses of folded siblings, runs and tandem repeats folded to one item."""

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array

def find_lists(
    tag: Int32Array,
    size: Int32Array,
    class_id: Int32Array,
    root: int,
    threshold: float,
    relative: float,
    budget: int,
) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, npt.NDArray[np.float64]]:
    """All lists below a node, found by matching its tree with itself.

    Two siblings are alike if the maximum mapping of their folded trees, divided by the size of the larger
    one, is above `threshold` (tau 1) and at least `relative` (tau 2) times the best that either of them has
    with another sibling; or above `threshold` alone, where both stand between the same neighbours. Alike
    siblings have the same symbol. In the string of symbols, runs of one symbol and then tandem repeats with
    optional parts are lists; each is folded to its largest item and the search goes on, outwards and upwards.

    `class_id` are the structural classes with leaves: each of them is folded once. `budget` bounds the cells
    of all tables; where it runs out, siblings count as different.

    Returns, for each list, in document order of its parent: the parent; the number of its region (lists
    whose parents have the same tag path and whose items are alike are one region); where its items begin in
    the arrays that follow, one more than there are lists. For each item: the first node; the node after the
    last; its likeness to the item before it, 0 for the first one of a list.

    Raises ValueError for arrays that differ in length or are no tree, and for a root that is no node.

    >>> import numpy as np
    >>> tag = np.array([1, 2, 0, 2, 0, 2, 0], dtype=np.int32)  # <ul> <li>text</li> <li>text</li> <li>text</li> </ul>
    >>> size = np.array([7, 2, 1, 2, 1, 2, 1], dtype=np.int32)
    >>> class_id = np.array([3, 2, 1, 2, 1, 2, 1], dtype=np.int32)
    >>> [array.tolist() for array in find_lists(tag, size, class_id, 0, 0.5, 0.7, budget=1000)]
    [[0], [0], [0, 3], [1, 3, 5], [3, 5, 7], [0.0, 1.0, 1.0]]
    """
