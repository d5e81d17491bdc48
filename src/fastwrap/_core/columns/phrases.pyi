"""What texts can be at all, by the beginnings of words in them."""

import numpy as np
import numpy.typing as npt

def may_be(
    texts: list[str],
    grams: npt.NDArray[np.uint64],
    bits: npt.NDArray[np.uint32],
    needs: npt.NDArray[np.uint32],
    misses: int,
) -> int:
    """Which kinds some texts may be of, all but so many of them, as bits: a text may be of a kind if it has one of each
    of its two `needs`. What it has: 1 for a digit, 2 for a comma, 4 for letters of languages that set no words apart,
    and the `bits` of the `grams` in it, which are sorted: four characters, 16 bits each, small letters and digits as
    they are, others as 0, as is what is before a text, and after it."""
