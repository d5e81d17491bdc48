"""Features of regions: what tells the list that a page exists for from its menus and side lists."""

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array
from fastwrap.regions.ranking import Rules

NAMES: tuple[str, ...]
"""The features, in order of the columns."""

def features(
    tag: Int32Array,
    parent: Int32Array,
    size: Int32Array,
    text_start: Int32Array,
    text: bytes,
    before: npt.NDArray[np.float64],
    body: int,
    rules: Rules,
    records: Int32Array,
    first: Int32Array,
    scores: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The features of every region, a row each, and their sums by each row of the weights.

    Region i has the `records` first[i] up to first[i + 1]; its `scores` are coverage, similarity and variety.
    `before` is the content of all nodes before each node, and in all; that of the node `body` is the total.
    Of the `rules`, `is_navigation` says of a tag whether it is for navigation, its last entry of all tags beyond;
    `link`, `picture` and `words` are the tags of links, pictures and texts; texts of `prose` letters or more are prose.
    The features:

    - quality: the product of the three scores; coverage, similarity, variety: these
    - count: the records
    - letters: the content of a record; longest: of the longest text in a record (means over the records)
    - linked: the share of the text that is in links
    - pictures: the share of records with a picture
    - items: nodes with content in a record
    - unique: the share of records whose text is different
    - navigation: the share of records in an element for navigation
    - prose: letters of prose on the page outside the region and in no link, as a share of the total

    A row of weights has one for each feature, then the intercept. Of quality and coverage the logarithm is weighed,
    of letters, longest and items that of one more, and of the count that of one more than it or 12.

    Raises ValueError for arrays that differ in length and numbers that are out of range.
    """
