import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array

def locate(
    tag: Int32Array,
    size: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    class_number: int,
    steps: Int32Array,
    first_token: Int32Array,
    token_start: Int32Array,
    tokens: bytes,
    nth: Int32Array,
    by_tags: bool,
) -> tuple[Int32Array, int]:
    """The elements at the end of a path from the root, and how often they are not quite what it says.

    Step k is the tag `steps[k]`, the class tokens from `first_token[k]` up to `first_token[k + 1]`, and the place
    among the siblings of that tag: `nth[k]` from the first (1), `-nth[k]` from the last, 0 for any. Of the elements
    of the right tag those are followed that have the tokens and the place; if there are none, those that have
    the tokens, or else the place, or else all. A wrong place counts 1, wrong tokens 2. With `by_tags` nothing but
    the tags is looked at.
    """

def cut(
    tag: Int32Array,
    size: Int32Array,
    depth: Int32Array,
    text_start: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    class_number: int,
    parents: Int32Array,
    level: int,
    keys: npt.NDArray[np.uint64],
    roles: npt.NDArray[np.uint8],
) -> tuple[Int32Array, Int32Array, npt.NDArray[np.uint64], npt.NDArray[np.uint8], int]:
    """The spans of records among the children of elements; all children, their symbols and roles; how many are unknown.

    `keys` is a table of symbols (see `fastwrap.wrapper.hashes.table_of`) with their `roles`. A child that is not in
    it ends no record, and is in one if something of it follows.
    """

def known_shares(
    tag: Int32Array, parent: Int32Array, spans: Int32Array, keys: npt.NDArray[np.uint64]
) -> tuple[npt.NDArray[np.float64], float, float]:
    """For each record the share of its nodes whose tag path, from the top of the record, is in the table; the least of
    them (1 for none), and their mean (0 for none)."""

class Finder:
    """Finds the records of a list on pages that are as those it was learned from: `locate`, `cut` and `known_shares`
    at once, with what depends on the list alone made ready."""

    def __init__(
        self,
        class_number: int,
        steps: Int32Array,
        first_token: Int32Array,
        token_start: Int32Array,
        tokens: bytes,
        nth: Int32Array,
        level: int,
        keys: npt.NDArray[np.uint64],
        roles: npt.NDArray[np.uint8],
        known: npt.NDArray[np.uint64],
    ) -> None: ...
    def find(
        self,
        tag: Int32Array,
        size: Int32Array,
        parent: Int32Array,
        depth: Int32Array,
        text_start: Int32Array,
        attribute_start: Int32Array,
        attribute_name: Int32Array,
        value_start: Int32Array,
        values: bytes,
        least: float,
    ) -> tuple[Int32Array, npt.NDArray[np.float64], float] | None:
        """The spans of the records, how much of each is known, and their mean.

        None if there is no record, or something is not as expected: the elements at the end of the path are not quite
        what it says, one of their children is not in the table, or less than `least` of a record is known.
        """

def recognise(
    tag: Int32Array,
    parent: Int32Array,
    size: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    class_number: int,
    keys: npt.NDArray[np.uint64],
    by_class: npt.NDArray[np.uint8],
    first: Int32Array,
    wrappers: Int32Array,
    votes: npt.NDArray[np.float64],
    least: npt.NDArray[np.float64],
) -> tuple[Int32Array, npt.NDArray[np.float64]]:
    """The wrappers that share something with a page, and what speaks for each, `least` to begin with.

    `keys` is a table of tag paths from the root; of those that are to be told `by_class` also of the path together
    with the classes along it (see `fastwrap.wrapper.hashes.classes_key`). Entry k has `votes[k]`, more than 0, for
    the wrappers from `first[k]` up to `first[k + 1]`, which count once, however often the page has the path.
    """
