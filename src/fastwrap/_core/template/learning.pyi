"""Aligns pages of one template into a tree of slots (FiVaTech, Kayed & Chang 2010)."""

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

def learn(
    native: NativePage, roots: Int32Array, labels: npt.NDArray[np.uint64], most: int
) -> tuple[Int32Array, npt.NDArray[np.uint64], Int32Array, tuple[str, ...]]:
    """The slots of the trees below `roots`: numbers and hashes as `matching.Matcher` takes them; the slot of each node,
    -1 for none; and the limits that were met. With more than `most` slots, what is deeper is left out.

    From the roots down, the children of all nodes of a slot are aligned. Peers among them (same tag, class and label,
    trees alike) have one symbol; runs of symbols of which the nodes have different numbers are units that repeat; the
    rest is aligned node by node, and what has no slot yet is given one. Raises ValueError for roots that are no nodes.
    """
