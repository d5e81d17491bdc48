"""Reversed enhanced tag paths (reTPS, EDREW: Nunes & Dorneles 2023) as integer tokens."""

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

class TokenRules:
    """What tags are, and which values are searched in the attributes of elements.

    `kinds` has one byte for each tag of `page.names` and a last one for all others, made of these bits: 1 for a
    wrapper tag, 2 for a repeating one, 4 for a formatter, 8 for one that is skipped, 16 for a line break. `names` are
    the attributes of `page.names`. `values` are searched; they are in lower case, of 3 to 64 bytes. `marks` has which
    of the `tokens` stands for each of them. ValueError for what does not belong together.
    """

    def __init__(
        self, kinds: bytes, names: list[bytes], values: list[bytes], marks: list[int], tokens: list[int]
    ) -> None: ...

def reversed_paths(
    native: NativePage, rules: TokenRules, custom_names: dict[int, str]
) -> tuple[Int32Array, Int32Array, Int32Array, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The texts of a page; the number of the path of each, from 0 in order of first appearance; the number of the
    content that each is a part of; where the tokens of each different path start, and all these tokens.

    `custom_names` are the names of tags and attributes that are not in the tables, by their numbers.
    """
