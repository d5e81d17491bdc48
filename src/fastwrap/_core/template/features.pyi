"""What the nodes of pages about one thing are told apart by: hashes of classes, names and what may be a label."""

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage

CONNECTORS: list[str]
"""Words between the values of a list, which are no labels."""

def label_hash(text: bytes) -> int:
    """The hash of what may be a label, without the marks at its ends (FNV-1a); 0 for what has fewer than two letters,
    or more than 80 bytes."""

def features(native: NativePage) -> npt.NDArray[np.uint64]:
    """[5, n] For each node the hashes of: the class (tokens without digits, in any order); id, name, property, itemprop
    and rel (without digits); a text that may be a label; what stands before the colon of a text; and what is a label
    where its siblings are: the prefix, or a text of at most 40 bytes. 0 where there is nothing."""
