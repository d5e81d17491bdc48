"""Gives the nodes of a page their slots in a template."""

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

class Matcher:
    """The slots of a template.

    `numbers`, [4, slots]: the tag, the slot of the parent (-1 for the first slot, the root), the flags of `aligning`
    and the unit (slots of one unit repeat together; -1 for none). A slot stands behind its parent, and beside its
    siblings. `hashes`, [6, slots]: class, names, label, the label before it, and words of bits for the labels and the
    elements below. `labels` are all labels that are known, sorted. Raises ValueError for arrays that do not fit.
    """

    def __init__(self, numbers: Int32Array, hashes: npt.NDArray[np.uint64], labels: npt.NDArray[np.uint64]) -> None: ...
    def match(self, native: NativePage) -> tuple[Int32Array, tuple[str, ...]]:
        """[n] The slot of each node, -1 for none; and the limits that were met."""
    def read(
        self, native: NativePage, used: npt.NDArray[np.uint8]
    ) -> tuple[Int32Array, list[int], list[int], list[str | None], tuple[str, ...]]:
        """What `match` gives, and between the two: the nodes of the slots that are `used` in document order, their
        slots, and their texts where `used` is 2; None where it is 1, or where there is no text."""
