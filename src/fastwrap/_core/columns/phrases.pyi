"""What texts can be at all, by the beginnings of words in them."""

import numpy as np
import numpy.typing as npt

class Kinds:
    """The kinds that texts may be of, and what they need."""

    def __init__(
        self, grams: npt.NDArray[np.uint64], bits: npt.NDArray[np.uint32], needs: npt.NDArray[np.uint32]
    ) -> None:
        """`grams` are sorted: four characters of 16 bits each, small letters and digits as they are, others as 0, as is
        what is before a text, and after it. A text that has one has its `bits`, besides 1 for a digit, 2 for a comma, 4
        for letters of languages that set no words apart, 8 for a slash, 16 for a letter with which units of areas begin
        right behind a number, and 32 for two of "./-" behind digits, with one or two characters between them. By kind,
        each of the two `needs` has the bits of which a text has at least one."""

    def may_be(self, texts: list[str], misses: int) -> int:
        """Which kinds some texts may be of, all but so many of them, as bits."""
