import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array
from fastwrap.wrapper.choosing import PathIndex

class Recogniser:
    """Recognises the pages of many wrappers; the index is checked when it is made."""

    def __init__(self, index: PathIndex) -> None: ...
    def recognise(self, native: NativePage) -> tuple[Int32Array, npt.NDArray[np.float64]]:
        """The wrappers that share something with a page, and what speaks for each: the votes of every path that the
        page has, once, however often it has it, and `least` of the wrapper."""
