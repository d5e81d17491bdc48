"""Roles of the columns of posts, in plain Python: the twin of `fastwrap._core.columns.posts`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from itertools import pairwise
from typing import Protocol

from fastwrap.columns.posts import JOINED, REPLY
from tests.reference.columns.relations import Known

WRITTEN = 80
"""Characters of what is posted, on average, at least."""

LONGEST_NICK = 18
"""Characters of the names of authors, on average, at most, where nothing but their looks tells."""

LONGEST_NAME = 30
"""The same, of those that lead to a page about somebody."""

SHARE = 0.9
"""Of the records, that have an author or a date; and of neighbours, that are in order of time."""

HELD = 0.5
"""Of the records, that have the text."""

TITLES_DIFFER = 0.2
"""Of the records: those that have a title of their own, from which on they are no posts. In a thread it is the same."""

WHEN = ("date", "datetime")


class Markup(Protocol):
    """What markup says of columns, by their numbers."""

    def is_profile(self, place: int) -> bool:
        """Whether texts are in links to pages about somebody."""

    def is_moment(self, place: int) -> bool:
        """Whether it is a time."""


def find_posts(columns: Sequence[Known], markup: Markup) -> dict[int, str]:
    """By the number of a column: author, date or, of what is posted, description; nothing for other dates, as that of
    when an author came. None at all if the records are no posts.

    Posts have a text that is long, and an author; what has titles that differ, in headings or links, is none.
    """
    records = max((len(column.cells) for column in columns), default=0)
    if records < 2:
        return {}
    text = find_text(columns, records)
    if text < 0:
        return {}
    for place, column in enumerate(columns):
        if column.type == "text" and column.is_text and not column.is_list and 2 <= column.length <= LONGEST_NAME:
            column.is_profile = markup.is_profile(place)
        column.is_moment = markup.is_moment(place)
    author = find_author(columns, records, text)
    when = find_date(columns, records)
    if author < 0 and when >= 0:
        author = guess_author(columns, records, text)
    if author < 0 or has_titles(columns, records, text):
        return {}
    is_told = columns[author].role == "author" or (columns[text].is_said and not columns[text].label)
    if when < 0 and not is_told and columns[author].different == len(columns[author].texts):
        return {}  # a list of people, each with a page
    others = [place for place, column in enumerate(columns) if column.role == "date" and JOINED.search(column.label)]
    found = dict.fromkeys(others, "") | {author: "author", text: "description"}
    return found | ({when: "date"} if when >= 0 else {})


def find_text(columns: Sequence[Known], records: int) -> int:
    """The column of what is posted: the longest one."""
    texts = [
        place
        for place, column in enumerate(columns)
        if column.is_text
        and column.type == "text"
        and not column.in_heading
        and column.role in ("", "title", "description")
        and column.length_of_cells >= WRITTEN
        and column.held >= HELD * records
    ]
    return max(texts, key=lambda place: columns[place].held * columns[place].length_of_cells, default=-1)


def find_author(columns: Sequence[Known], records: int, text: int) -> int:
    """The column of authors, by what markup, labels or addresses say of it."""
    authors = [
        place
        for place, column in enumerate(columns)
        if column.is_text
        and not column.is_list
        and place != text
        and column.type == "text"
        and (column.role == "author" or (column.is_profile and not column.role))
        and column.length >= 2
    ]

    def score(place: int) -> float:
        column = columns[place]
        return column.held / records + 0.3 * column.is_profile + 0.2 * (column.role == "author") - 0.01 * place

    best = max(authors, key=score, default=-1)
    return best if best >= 0 and columns[best].held >= HELD * records else -1


def guess_author(columns: Sequence[Known], records: int, text: int) -> int:
    """The first column of short words that differ, before the text: as names that people give themselves look."""
    for place, column in enumerate(columns[:text]):
        if (
            column.is_text
            and not column.is_list
            and column.type == "text"
            and not column.role
            and not column.is_said
            and column.different > 1
            and 2 <= column.length <= LONGEST_NICK
            and column.held >= SHARE * records
        ):
            return place
    return -1


def find_date(columns: Sequence[Known], records: int) -> int:
    """The column of when the posts were written: what markup says is a time goes first, and what goes on from post to
    post; not when their authors came."""
    dates = [
        place
        for place, column in enumerate(columns)
        if (column.type in WHEN or column.role == "date")
        and not column.is_list
        and column.held >= SHARE * records
        and not JOINED.search(column.label)
    ]

    def score(place: int) -> float:
        column = columns[place]
        return column.is_moment + 1.5 * goes_on(column) + column.is_text + 0.5 * bool(column.label) - 0.01 * place

    return max(dates, key=score, default=-1)


def goes_on(column: Known) -> bool:
    """Whether the dates of a column are in order of time, but for a few."""
    moments = [value.replace(tzinfo=None) for value in column.values if isinstance(value, datetime)]
    days: Sequence[date] = moments or [value for value in column.values if isinstance(value, date)]
    if len(days) < 2:
        return False
    later = sum(one <= other for one, other in pairwise(days))
    return max(later, len(days) - 1 - later) >= SHARE * (len(days) - 1)


def has_titles(columns: Sequence[Known], records: int, text: int) -> bool:
    """Whether records have titles that differ, in headings, in the link to their own page, or called so."""
    for place, column in enumerate(columns):
        if place == text or column.type != "text" or not column.is_text or column.is_list:
            continue
        if column.is_profile or column.is_moment:
            continue
        if column.role != ("title" if column.is_said else ""):
            continue
        if not (column.in_heading or column.in_link or column.role):
            continue
        if differ(column) > max(1.0, TITLES_DIFFER * records):
            return True
    return False


def differ(column: Known) -> int:
    """How many titles there are that differ, answers to one aside."""
    return len({REPLY.sub("", text) for text in column.texts if len(text) > 1})
