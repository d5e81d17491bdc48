"""What the class names, ids and roles of elements mean for a page about one thing."""

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage

def meanings(
    native: NativePage, hashes: npt.NDArray[np.uint64], bits: npt.NDArray[np.int32]
) -> tuple[list[int], list[int]]:
    """The nodes of the body whose class, id or role means something, and what: 1 beside the point, 2 unseen, 3 a part of
    the thing, 4 about other things; 8 or 16 more for what has ingredients or instructions. A node may be there several
    times. `hashes` are those of words, sorted; `bits` say what each is. ValueError if there are not as many of both."""

def hash_of_word(word: bytes) -> int:
    """The hash of a word in small letters, or of a whole name, by which `meanings` finds it."""
