"""How alike subtrees are: simple tree matching, Levenshtein over tags and over tag names, many pairs in one call."""

from fastwrap.similarity.measures import (
    name_distance,
    name_edits,
    tag_distance,
    tag_edits,
    tree_distance,
    tree_mapping,
    tree_matching,
)

__all__ = ["name_distance", "name_edits", "tag_distance", "tag_edits", "tree_distance", "tree_mapping", "tree_matching"]
