"""Roles of columns by how they stand to each other, in plain Python: the twin of `fastwrap._core.columns.relations`,
with what is known of a column (`fastwrap._core.columns.known`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastwrap.columns.posts import PERSON
from fastwrap.common.lazy import lazy_property
from fastwrap.types import Money

SHORTEST_PROSE = 25
"""Characters, on average, of texts that are a description, if nothing else tells."""

REPEATED = 0.6
"""Texts of which only this share is different, and which are short, are categories, ..."""

LONGEST_CATEGORY = 30
"""... with so many characters at most."""

SUBTITLE = "subtitle"
"""What is called so describes something: it is no role of its own."""

PERSON_SHARE = 0.8

NO_TITLE = -2
"""Instead of the number of a column: no column is before or after it."""

LARGER_SHARE = 0.9
"""Of the records that have two amounts, in which one must be the larger."""


@dataclass(eq=False)
class Known:
    """What is known of a column."""

    texts: list[str]
    cells: list[Any]
    """One per record."""
    values: list[Any]
    """One per record, of its type; none for lists."""
    type: str
    is_text: bool
    """Whether it is of texts, not of an attribute."""
    is_list: bool = False
    in_heading: bool = False
    in_link: bool = False
    """Whether the texts are in the link to the record's own page."""
    is_hidden: bool = False
    is_profile: bool = False
    """Whether the texts are in a link to a page about somebody."""
    is_moment: bool = False
    """Whether markup says that it is a time."""
    label: str = ""
    """What is written before the texts."""
    relation: str = ""
    """What it is, if the choice of columns tells."""
    role: str = ""
    is_said: bool = False
    """Whether a header, a label, markup or the texts themselves say so, not the type alone."""

    @lazy_property
    def length(self) -> float:
        """Characters of the texts on average."""
        return sum(map(len, self.texts)) / max(1, len(self.texts))

    @lazy_property
    def held(self) -> int:
        """How many records have something."""
        return sum(map(bool, self.cells))

    @lazy_property
    def length_of_cells(self) -> float:
        """Characters of what a record has, on average: of a list, all of it."""
        return sum(map(len, self.texts)) / max(1, self.held)

    @lazy_property
    def digits(self) -> float:
        """The share of texts with a digit."""
        return sum(any(map(str.isdigit, text)) for text in self.texts) / max(1, len(self.texts))

    @lazy_property
    def points(self) -> float:
        """The share of texts with a point within them, and no space."""
        return sum("." in text.strip(".") and " " not in text for text in self.texts) / max(1, len(self.texts))

    @lazy_property
    def letters(self) -> float:
        """The share of letters."""
        return sum(map(str.isalpha, "".join(self.texts))) / max(1, sum(map(len, self.texts)))

    @lazy_property
    def different(self) -> int:
        """How many texts there are that differ."""
        return len(set(self.texts))


def settle(columns: list[Known], are_posts: bool = False) -> dict[int, str]:
    """By the number of a column: the role that its place among the others gives it, or takes from it. Posts have a
    title only where it stands in a heading or a link."""
    roles = find_title(columns, are_posts)
    roles |= find_price(columns)
    roles |= find_old_price(columns)
    roles |= find_rating(columns)
    roles |= find_reviews(columns, roles)
    return roles | guess_rest(columns, roles)


def guess_rest(columns: list[Known], roles: dict[int, str]) -> dict[int, str]:
    """Roles of texts of which nothing tells what they are: the longest are the description, those that come again are
    the category, and those that look like names of people the author."""
    found: dict[int, str] = {}
    unknown = [
        place
        for place, column in enumerate(columns)
        if not roles.get(place, column.role)
        and not column.is_said
        and column.is_text
        and column.type == "text"
        and column.different > 1
    ]
    known = {roles.get(place, column.role) for place, column in enumerate(columns)}
    # Without a title nothing stands beside it.
    title = next((place for place, role in roles.items() if role == "title"), NO_TITLE)
    if "description" not in known:
        apart = [place for place in unknown if place != title + 1 or not is_together(columns[place], columns[title])]
        longest = max(apart, key=lambda place: columns[place].length_of_cells, default=-1)
        if longest >= 0 and columns[longest].length_of_cells >= SHORTEST_PROSE:
            found[longest] = "description"
    for place in unknown:
        column = columns[place]
        if place in found or column.is_list:
            continue
        if "brand" not in known and "price" in known and place + 1 == title and is_before_title(column, columns[title]):
            found[place] = "brand"
            known.add("brand")
            continue
        if place == title + 1 and is_together(column, columns[title]):
            found[place] = SUBTITLE
            continue
        people = sum(PERSON.fullmatch(text) is not None for text in column.texts)
        if "author" not in known and people >= PERSON_SHARE * len(column.texts) and column.digits == 0:
            found[place] = "author"
            known.add("author")
        elif (
            "category" not in known
            and column.different <= REPEATED * len(column.texts)
            and column.length <= LONGEST_CATEGORY
        ):
            found[place] = "category"
            known.add("category")
    return found


def is_together(column: Known, title: Known) -> bool:
    """Whether texts stand in the heading or the link of a title."""
    return (column.in_heading and title.in_heading) or (column.in_link and title.in_link)


def is_before_title(column: Known, title: Known) -> bool:
    """Whether short words stand in the heading or the link of a title: the brand of what is sold, most often."""
    return is_together(column, title) and column.length <= LONGEST_CATEGORY and 2 * column.length <= title.length + 20


def is_words(column: Known) -> bool:
    """Whether a column is of texts without a type, one per record, that differ."""
    return column.is_text and not column.is_list and column.type == "text" and column.different > 1


def find_title(columns: list[Known], are_posts: bool) -> dict[int, str]:
    """The column of titles; others that markup calls so are not."""
    records = max((len(column.cells) for column in columns), default=0)
    candidates = [
        place
        for place, column in enumerate(columns)
        if is_words(column) and column.role in ("", "title", "description")
    ]
    called = {place: "" for place in candidates if columns[place].role == "title"}
    if are_posts:
        candidates = [
            place
            for place in candidates
            if columns[place].role == ("title" if columns[place].is_said else "")
            and (columns[place].in_heading or columns[place].in_link)
            and not columns[place].is_moment
        ]
    if not candidates:
        return called

    def score(place: int) -> float:
        column = columns[place]
        points = len(column.texts) / records + 0.8 * column.different / records - 0.02 * candidates.index(place)
        points += 1.0 * (column.role == "title") + 1.0 * column.in_heading + 0.8 * column.in_link
        points += 0.3 * (10 <= column.length <= 120) - (column.length < 4) - (column.length > 200)
        points -= 0.5 * (column.letters < 0.5) + column.is_hidden
        return points - (column.is_said and column.role != "title")

    title = max(candidates, key=score)
    return called | {title: "title"}


def find_price(columns: list[Known]) -> dict[int, str]:
    """The column of prices, if none is called so: the only amounts that there are, whatever the class that they share
    with the price of something else."""
    amounts = [place for place, column in enumerate(columns) if column.type == "money" and column.role != "old price"]
    if len(amounts) != 1 or any(column.role == "price" for column in columns):
        return {}
    return {amounts[0]: "price"} if columns[amounts[0]].role == "shipping" else {}


def find_old_price(columns: list[Known]) -> dict[int, str]:
    """The column of old prices: amounts that are larger than those beside them, in no more of the records."""
    prices = [
        place
        for place, column in enumerate(columns)
        if column.type == "money" and column.role == "price" and not column.is_list
    ]
    if any(column.role == "old price" for column in columns):
        return {}
    for place in prices:
        for other in prices:
            if place == other or len(columns[place].texts) > len(columns[other].texts):
                continue
            pairs = [
                (mine.amount, its.amount)
                for mine, its in zip(columns[place].values, columns[other].values, strict=True)
                if isinstance(mine, Money) and isinstance(its, Money)
            ]
            larger = sum(mine > its for mine, its in pairs)
            if pairs and larger >= LARGER_SHARE * len(pairs) and 2 * len(pairs) >= len(columns[place].texts):
                return {place: "old price"}
    return {}


def find_rating(columns: list[Known]) -> dict[int, str]:
    """The column of ratings: numbers up to five, most of them with a decimal, if none is known."""
    if any(column.role == "rating" and column.type in ("number", "rating") for column in columns):
        return {}
    for place, column in enumerate(columns):
        if column.type != "number" or column.role not in ("", "number", "size"):
            continue
        numbers = [value for value in column.values if isinstance(value, float)]
        if len(numbers) < 2:
            continue
        if max(numbers) <= 5 and 2 * sum(number != int(number) for number in numbers) >= len(numbers):
            return {place: "rating"}
    return {}


def find_reviews(columns: list[Known], roles: dict[int, str]) -> dict[int, str]:
    """The column of how many reviews there are: whole numbers that markup calls a rating, or right after one."""
    if any(column.role == "reviews" for column in columns):
        return {}
    for place, column in enumerate(columns):
        before = columns[place - 1] if place else None
        role = roles.get(place, column.role)
        if column.type != "integer" or role not in ("", "number", "rating"):
            continue
        larger = any(isinstance(value, int) and value > 5 for value in column.values)
        if role == "rating" and (larger or all(text.strip().startswith("(") for text in column.texts)):
            return {place: "reviews"}
        if before is not None and roles.get(place - 1, before.role) == "rating" and (role or not column.is_said):
            return {place: "reviews"}
    return {}
