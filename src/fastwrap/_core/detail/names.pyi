"""What the class names, ids and roles of elements mean for a page about one thing."""

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage

def meanings(
    native: NativePage, hashes: npt.NDArray[np.uint64], bits: npt.NDArray[np.int32]
) -> tuple[list[int], list[int]]:
    """The nodes of the body whose class, id or role means something, and what: 1 beside the point, 2 unseen, 3 a part
    of the thing, 4 about other things; 8 or 16 more for what has ingredients or instructions. A node may be there
    several times. `hashes` are those of words, sorted; `bits` say what each is. ValueError if there are not as many of
    both."""

def others_around(
    native: NativePage,
    spans: npt.NDArray[np.int32],
    hashes: npt.NDArray[np.uint64],
    bits: npt.NDArray[np.int32],
    apart: npt.NDArray[np.uint8],
) -> tuple[bool, list[int]]:
    """What may say that records, in document order, are about other things of the kind of what their page is about:
    whether an element around them, in them or between them is named so; and the texts up to the last of them that stand
    in an element that is set apart (`apart`, by tag number, the last entry for unknown names) and begin with a word
    whose bit says that such headings do, or with a letter that is not ASCII."""

def hash_of_word(word: bytes) -> int:
    """The hash of a word in small letters, or of a whole name, by which `meanings` finds it."""
