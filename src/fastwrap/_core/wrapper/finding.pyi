import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array
from fastwrap.wrapper.hashes import Keys, Roles
from fastwrap.wrapper.location import Steps

def locate(native: NativePage, steps: Steps, by_tags: bool) -> tuple[Int32Array, int]:
    """The elements at the end of a path from the root, and how much they differ from what it says: a wrong place counts
    1, wrong tokens 2. Of the elements of the right tag those are followed that have the tokens and the place of the
    step, or else the tokens, or else the place, or else all; with `by_tags` all."""

def cut(
    native: NativePage, parents: Int32Array, level: int, keys: Keys, roles: Roles
) -> tuple[Int32Array, Int32Array, Keys, Roles, int]:
    """The spans of records among the children of elements; all children, their symbols and roles; how many of the
    children are unknown. `keys` is a table of symbols (see `fastwrap.wrapper.hashes.table_of`) with their `roles`: a
    child that is not in it ends no record, and is in one if something inside follows."""

def known_shares(native: NativePage, spans: Int32Array, keys: Keys) -> tuple[npt.NDArray[np.float64], float, float]:
    """For each record the share of its nodes whose tag path, from the top of the record, is in the table; the least
    of the shares (1 for no records), and their mean (0 for none)."""

class Finder:
    """Finds the records of a list on pages that are as those it was learned from: `locate`, `cut` and `known_shares`
    at once, with what depends on the list alone checked when it is made."""

    def __init__(self, steps: Steps, level: int, keys: Keys, roles: Roles, known: Keys) -> None: ...
    def find(self, native: NativePage, least: float) -> tuple[Int32Array, npt.NDArray[np.float64], float] | None:
        """The spans of the records, how much of each is known, and the mean of that.

        None if there is no record, or something is not as expected: the elements at the end of the path are not quite
        what it says, one of their children is not in the table, or less than `least` of a record is known.
        """
