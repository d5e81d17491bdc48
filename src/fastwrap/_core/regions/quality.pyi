"""How good sets of records are (AutoRM): content, similarity between records, variety within them."""

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array

def measure(
    records: Int32Array,
    first: Int32Array,
    to_next: npt.NDArray[np.float64],
    before: npt.NDArray[np.float64],
    item: Int32Array,
    oddness: float,
    full: float,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Leave odd records out at the ends of sets; then the content, similarity and variety of each set.

    Set i has the `records` first[i] up to first[i + 1], two or more; `to_next` is the likeness of each record to
    the next one of its set. `before` is the content of all nodes before each node, and in all; `item` says of
    each node which item it is, -1 for none.

    Returns `(kept, content, similarity, variety)`, the first one by record, the others by set:

    - The first and the last of three or more records are not kept if they are less like their neighbour than the
      others are, on average, less than 0.8, and much smaller: the product of both ratios is less than `oddness`.
    - The similarity is the mean likeness of neighbours, times the mean likeness of a record to the nearer one of
      its neighbours, where records count by their content.
    - The variety is the share of items that have not been in their record before, to the power of 2/3, times the
      square of their number in a record divided by `full`, if that is less than 1.

    Raises ValueError for arrays that differ in length, sets of less than two records, and numbers that are out of
    range.

    >>> import numpy as np
    >>> records, first = np.array([[0, 3], [3, 6]], dtype=np.int32), np.array([0, 2], dtype=np.int32)
    >>> item = np.array([0, 1, 1, 0, 1, -1], dtype=np.int32)
    >>> kept, *quality = measure(records, first, np.array([0.5, 0.0]), np.arange(7.0), item, 0.3, 2.0)
    >>> kept.tolist(), [float(round(value[0], 2)) for value in quality]
    ([True, True], [6.0, 0.25, 0.86])
    """
