"""Richness: which regions of a page hold most text of most kinds, and what beside them continues them."""

from fastwrap.page.arrays import Int32Array

def richest(
    regions: Int32Array,
    tag: Int32Array,
    parent: Int32Array,
    size: Int32Array,
    depth: Int32Array,
    text_start: Int32Array,
    body: int,
    known_tags: int,
    link: int,
    link_weight: float,
    rival: float,
    alike: float,
) -> Int32Array:
    """The regions that hold most, [k, 2], in the order given, each extended over what continues it.

    `regions` are spans of nodes [k, 2] within the body; anything else raises ValueError. The arrays after it
    are the page's, `link` is the number of the tag a; tags numbered `known_tags` or more count as one.

    The *kind* of a node is its depth and tag; of a text, its depth and the tag that it is in. The score of a
    region is the length of its text, that in links times `link_weight`, times one more than the kinds of text
    that it has several of. Regions with `rival` times the best score or more are kept.

    Such a region is extended over the siblings of its nodes, and over those of whatever it is within, that are
    like it, and over all between them: alike are two parts of a page whose kinds of node have a Jaccard
    coefficient of `alike` or more.
    """
