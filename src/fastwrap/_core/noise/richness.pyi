"""Richness: which regions of a page hold most text of most kinds, and what beside them continues them."""

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

def richest(native: NativePage, regions: Int32Array, link_weight: float, rival: float, alike: float) -> Int32Array:
    """The regions that hold most, [k, 2], in the order given, each extended over what continues it.

    `regions` are spans of nodes [k, 2] within the body; anything else raises ValueError.

    The *kind* of a node is its depth and tag; of a text, its depth and the tag that it is in. The score of a
    region is the length of its text, that in links times `link_weight`, times one more than the kinds of text
    that it has several of. Regions with `rival` times the best score or more are kept.

    Such a region is extended over the siblings of its nodes, and over those of whatever it is within, that are
    like it, and over all between them: alike are two parts of a page whose kinds of node have a Jaccard
    coefficient of `alike` or more.
    """
