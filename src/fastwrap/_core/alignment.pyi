"""Partial tree alignment (PTA, Zhai & Liu 2005): symbols of the nodes of records, their slots, and their columns.

Records are runs of whole subtrees, [start, end). All functions raise ValueError for those that are not, and for
arrays that differ in length. "All nodes" are those of all records, record by record.
"""

import numpy as np
import numpy.typing as npt

from fastwrap.arrays import Int32Array

def node_symbols(
    tag: Int32Array,
    size: Int32Array,
    style: Int32Array,
    text_start: Int32Array,
    text: bytes,
    start: Int32Array,
    end: Int32Array,
    enough: int,
) -> Int32Array:
    """What nodes of one tag are told apart by, for all nodes.

    An element has its style; a text that `enough` records have, a number of its own, other texts 0.

    >>> import numpy as np
    >>> tag = np.array([1, 0, 1, 0, 1, 0], dtype=np.int32)  # <p>a</p> <p>b</p> <p>a</p>
    >>> size = np.array([2, 1, 2, 1, 2, 1], dtype=np.int32)
    >>> style = np.array([5, 0, 5, 0, 6, 0], dtype=np.int32)
    >>> text_start = np.array([0, 0, 2, 2, 4, 4, 6], dtype=np.int32)
    >>> start, end = np.array([[0, 2], [2, 4], [4, 6]], dtype=np.int32).T.copy()
    >>> node_symbols(tag, size, style, text_start, b"a b a ", start, end, enough=2).tolist()
    [5, 1, 5, 0, 6, 1]
    """

def align(
    tag: Int32Array,
    size: Int32Array,
    parent: Int32Array,
    start: Int32Array,
    end: Int32Array,
    symbols: Int32Array,
    budget: int,
) -> Int32Array:
    """The slot of a grown tree that each of all nodes is placed in, slots being numbered in document order.

    No two nodes of a record are in one slot; nodes of a slot have the same tag, parents of a slot, and, within a
    record, the order of their slots. Not every slot need be in use. The record with most texts is placed first. A
    record is mapped into the tree so that the mapping is heaviest (2 a pair of nodes, 3 if their symbols are equal
    and not 0), and of several such mappings the one farthest to the left. A run of siblings without partners is
    inserted between the partners of its neighbours if these adjoin; a record for which they do not is placed again
    when all others are, and then, if need be, right after the left one. Equal records are placed once.

    `budget` bounds the cells of all tables; a record that exceeds it is mapped by tags alone, from left to right.

    >>> import numpy as np
    >>> tag = np.array([1, 2, 3, 1, 2, 4, 3, 1, 3], dtype=np.int32)  # <p><b><i></p> <p><b><u><i></p> <p><i></p>
    >>> size = np.array([3, 1, 1, 4, 1, 1, 1, 2, 1], dtype=np.int32)
    >>> parent = np.array([-1, 0, 0, -1, 3, 3, 3, -1, 7], dtype=np.int32)
    >>> start, end = np.array([[0, 3], [3, 7], [7, 9]], dtype=np.int32).T.copy()
    >>> align(tag, size, parent, start, end, np.zeros(9, dtype=np.int32), budget=1000).tolist()
    [0, 1, 3, 0, 1, 2, 3, 0, 3]
    """

def tabulate(
    tag: Int32Array,
    size: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    text_start: Int32Array,
    text: bytes,
    wanted: Int32Array,
    start: Int32Array,
    end: Int32Array,
    slots: Int32Array,
    cells: int,
) -> tuple[Int32Array, npt.NDArray[np.int64], Int32Array]:
    """The items of all records in columns, given the slots of all nodes: texts, and attributes that are not empty.

    Returns `(nodes, key, equal)`: for each record and column the node of the item, or -1; for each column its slot
    times the number of kinds plus its kind (the place of the attribute in `wanted`; texts come after these), in
    ascending order; and how many items are equal, if more than half of the column's items are, else 0.

    If there are more than `cells` records times columns, columns with the fewest items are left out.
    """
