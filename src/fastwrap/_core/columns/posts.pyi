"""Roles of the columns of posts."""

from typing import Protocol

from fastwrap._core.columns.known import Known, Words

class Markup(Protocol):
    """What markup says of columns, by their numbers."""

    def is_profile(self, number: int) -> bool:
        """Whether texts are in links to pages about somebody."""

    def is_moment(self, number: int) -> bool:
        """Whether it is a time."""

def find_posts(columns: list[Known], markup: Markup, words: Words) -> dict[int, str]:
    """By the number of a column: author, date or, of what is posted, description; nothing for other dates, as that of
    when an author came. None at all if the records are no posts.

    Posts have a text that is long, and an author; what has titles that differ, in headings or links, is none.
    """
