"""The kernels that compare subtrees, by the name that `fastwrap.similarity` had up to version 0.9.
The functions are the same."""

from fastwrap.similarity import (
    name_distance,
    name_edits,
    tag_distance,
    tag_edits,
    tree_distance,
    tree_mapping,
    tree_matching,
)

__all__ = ["name_distance", "name_edits", "tag_distance", "tag_edits", "tree_distance", "tree_mapping", "tree_matching"]
