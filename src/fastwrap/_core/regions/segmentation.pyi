"""Child sequences into records (AutoRM, Shi et al. 2015): clusters of siblings, coarse regions, ways to cut them."""

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array

MOST_KINDS: int
"""Of one label in a sequence: with more, these are one cluster and no similarity is asked for."""
MOST_HEADS: int
"""Symbols of a coarse region that are tried as heads: the most frequent ones."""
MOST_SPLITS: int
"""Different runs of separators that a coarse region is split at: the first ones."""

SINGLE_NODES: int
"""Form of a candidate: each node of one symbol is a record."""
HEAD_TO_HEAD: int
"""Form of a candidate: a record reaches from one node of a symbol to the next."""
BETWEEN_SEPARATORS: int
"""Form of a candidate: a record is what stands between two equal runs of separators."""

def kind_pairs(
    label: Int32Array, class_id: Int32Array, start: Int32Array, budget: int
) -> tuple[Int32Array, Int32Array]:
    """The pairs of places whose similarity `cluster` needs: the first ones of two kinds with one label.

    Sequence i has the places start[i] up to start[i + 1] of `label` and `class_id`. The *kinds* of a sequence are
    the different classes in it. Kinds are compared if they have the same label; equal classes must have equal
    labels. There are at most `budget` pairs: a label with too many, or with more than MOST_KINDS kinds, has none.

    Raises ValueError for arrays that differ in length, sequences that do not cover them, and negative numbers.

    >>> import numpy as np
    >>> label, class_id, start = (np.array(a, dtype=np.int32) for a in ([0, 0, 1, 0], [5, 6, 7, 5], [0, 4]))
    >>> [places.tolist() for places in kind_pairs(label, class_id, start, 100)]
    [[1], [0]]
    """

def cluster(
    label: Int32Array,
    class_id: Int32Array,
    start: Int32Array,
    similarity: npt.NDArray[np.float64],
    threshold: float,
    budget: int,
) -> Int32Array:
    """The symbol of every place: the first place of its cluster (average linkage, Kaufman & Rousseeuw 1990).

    The two most similar clusters of a label are merged for as long as they are at least as similar as the
    `threshold`. `similarity` has one number for each pair that `kind_pairs` gives for the other arguments. A
    label that has no pairs is one cluster.

    Raises ValueError as `kind_pairs` does, and if the similarities are more or less than the pairs.

    >>> import numpy as np
    >>> label, class_id, start = (np.array(a, dtype=np.int32) for a in ([0, 0, 1, 0], [5, 6, 7, 5], [0, 4]))
    >>> cluster(label, class_id, start, np.array([0.4]), 0.5, 100).tolist()
    [0, 1, 2, 0]
    >>> cluster(label, class_id, start, np.array([0.6]), 0.5, 100).tolist()
    [0, 0, 2, 0]
    """

def segment(
    symbol: Int32Array, separator: npt.NDArray[np.uint8], start: Int32Array
) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """Every way to cut the sequences into two or more records.

    `symbol` has one row for each way to cluster the places, such as `cluster` gives; `separator` is not 0 where a
    node has no content. A *coarse region* of a sequence (CG-Region) is a union of overlapping intervals, each from
    the first to the last content node of a symbol that has two or more. It is cut in three ways:

    - SINGLE_NODES: the content nodes of one symbol are the records.
    - HEAD_TO_HEAD (head-order-based segmentation): they begin the records. The last one has what may follow its
      head: symbols that follow the heads before it, and no more places than the longest of their records.
    - BETWEEN_SEPARATORS (separator-based segmentation): records are what stands between runs of separators with
      the same symbols. The first record begins like one between the ends, if it has a node like that, and the
      last one ends with a symbol that is in another.

    Records have no separators at their ends. No two candidates of a sequence have the same records.

    Returns `(records, first, of_sequence, form)`: candidate i has the records first[i] up to first[i + 1], each a
    first place and the place after the last; it is of a sequence and of one of the three forms.

    Raises ValueError for arrays that differ in length, sequences that do not cover them, and symbols that are not
    the first place of their sequence that has them.

    >>> import numpy as np
    >>> symbol = np.array([[0, 1, 2, 0, 1, 2]], dtype=np.int32)  # a text hr a text hr
    >>> separator = np.array([0, 0, 1, 0, 0, 1], dtype=np.uint8)
    >>> records, first, _, form = segment(symbol, separator, np.array([0, 6], dtype=np.int32))
    >>> [records[a:b].tolist() for a, b in zip(first, first[1:])]
    [[[0, 1], [3, 4]], [[0, 2], [3, 5]], [[1, 2], [4, 5]], [[1, 4], [4, 5]]]
    >>> form.tolist()
    [0, 1, 0, 1]
    """
