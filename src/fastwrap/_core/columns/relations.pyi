"""Roles of columns by how they stand to each other."""

from fastwrap._core.columns.known import Known, Words

def settle(columns: list[Known], are_posts: bool, words: Words) -> dict[int, str]:
    """By the number of a column: the role that its place among the others gives it, or takes from it. Posts have a
    title only where it stands in a heading or a link."""
