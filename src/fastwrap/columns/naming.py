"""Names columns, and tells their roles: by table headers, labels, markup, the texts themselves, and their relations.
The first of these that says something decides; what it said is kept as the reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fastwrap._core.columns.known import Words
from fastwrap._core.columns.naming import Naming
from fastwrap.columns.choice import CURRENCY
from fastwrap.columns.headers import header_names, tidy
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.columns.phrases import Phrase, phrase_of
from fastwrap.columns.posts import JOINED, PERSON, REPLY, leads_to_somebody
from fastwrap.columns.records import Records
from fastwrap.columns.roles import LONGEST, MAX_TOKENS, NAMED, SOMEBODY, role_of_words, words_of
from fastwrap.columns.splitting import PARTICLES
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER
from fastwrap.types import Money

if TYPE_CHECKING:
    from fastwrap.columns.table import Table
    from fastwrap.page import Page

ATTRIBUTE_NAMES = {
    "href": "link", "src": "image", "srcset": "image", "alt": "image text", "title": "hint", "datetime": "date",
}  # fmt: skip
"""What the values of attributes are called."""

TYPE_ROLES = {
    "money": "price", "date": "date", "datetime": "date", "time": "time", "percent": "discount", "email": "email",
    "number": "number", "integer": "number", "phone": "phone", "rating": "rating", "url": "url", "image": "image",
}  # fmt: skip
"""What texts of a type are, if nothing else tells."""

COUNTED = frozenset(("reviews", "rating", "views", "replies", "votes", "duration"))
"""Roles that the words behind a number may say."""

CURRENCY_SIGN = re.compile(rf"{CURRENCY}[\s.:]*")

SAID_BETTER = {"price": ("unit price",), "id": ("phone",), "number": ("phone",)}
"""By a role that markup says: those that the texts say better."""

UNIT = re.compile(r"[^\W\d_]{2,}")
"""A word behind a number that may name it."""

BY = frozenset("by von par por di af av door przez".split())
"""Words before the name of somebody."""

TELLING = frozenset(
    """
    mileage model engine fuel transmission beds bedrooms baths bathrooms rooms area floor deadline edition genre artist
    album isbn department team venue speaker event weight version likes distance episodes seasons score pages material
    ingredients calories servings difficulty experience education deadline gender age nationality party court judge case
    rank
    """.split()
)
"""Words at the end of class names that say what an element holds, but no role."""

NAMING_ATTRIBUTES = ("class", "data-testid", "data-test", "data-qa", "data-automation", "data-test-id", "id")
"""Attributes whose words say what an element holds; those for tests are written by people where classes are not."""

NOTE = "naming attributes"
"""What their numbers are called in the notes of a page."""
KNOWN_NUMBERS = {name: number for name, number in ATTRIBUTE_NUMBER.items() if name in NAMING_ATTRIBUTES} | {
    name: ATTRIBUTE_NUMBER[name] for name in ("itemprop", "data-title")
}
"""Of those that are in the tables, their numbers."""


class Name(NamedTuple):
    """The name of a column, what it rests on (header, label, markup, text, type or relation, with what was found
    there), and the role of the column, if it has one."""

    name: str
    why: Mapping[str, str]
    role: str = ""


def unique(names: Iterable[Name], first: Sequence[int] = ()) -> tuple[Name, ...]:
    """Names of which none is twice: a number is added to those that were there before. Those at the places `first` are
    kept as they are: no two of them are the same.

    >>> [name.name for name in unique([Name("price", {}), Name("price", {}), Name("price 2", {})])]
    ['price', 'price 2', 'price 2 2']
    >>> [name.name for name in unique([Name("date", {}), Name("date", {})], [1])]
    ['date 2', 'date']
    """
    names = list(names)
    # By name, the last number that was tried: what was taken before is taken still, and is not tried again.
    taken = {names[place].name: 1 for place in first}
    numbered = []
    for place, named in enumerate(names):
        if place in first:
            numbered.append(named)
            continue
        free = named.name
        if free in taken:
            number = taken[free]
            while free in taken:
                number += 1
                free = f"{named.name} {number}"
            taken[named.name] = number
        taken[free] = 1
        numbered.append(named if free == named.name else named._replace(name=free))
    return tuple(numbered)


def telling_word(classes: str) -> str:
    """The word of class names that says what an element holds; nothing if none does.

    >>> telling_word("car__mileage u-small"), telling_word("message-userTitle"), telling_word("col-md-3 title")
    ('mileage', 'rank', '')
    """
    for token in classes.split()[:MAX_TOKENS]:
        words = words_of(token[:LONGEST])
        if words and words[-1] in TELLING:
            return words[-1]
        if words[-1:] == ["title"] and not SOMEBODY.isdisjoint(words[-2:-1]):
            return "rank"
    return ""


def attributes_of(page: Page) -> list[int]:
    """The numbers of the attributes that name what is in an element, on a page; NO_NODE for what nothing there has."""
    found: list[int] | None = page.notes.get(NOTE)
    if found is None:
        names = ("itemprop", "data-title", "data-label", *NAMING_ATTRIBUTES)
        numbers = dict.fromkeys(names, NO_NODE) | KNOWN_NUMBERS
        for number, name in page.custom_names.items():
            if numbers.get(name) == NO_NODE:
                numbers[name] = number
        found = page.notes[NOTE] = [numbers[name] for name in names]
    return found


def name_columns(table: Table) -> tuple[Name, ...]:
    """The names of all columns, none of them twice, of a table on the page that its layout was learned from."""
    return Naming(WORDS, table, attributes_of(table.records.page)).names()


NAMING_TAGS = frozenset(TAG_NUMBER[name] for name in ("dt", "th", "label"))


def labels_of(table: Table) -> list[tuple[str, bool]]:
    """For each column of a table that has all items what is written before its values, in a text of its own or at the
    beginning of each; and whether it is written as a name."""
    before = labels_before(table)
    labels = []
    for number, item in enumerate(table.layout.items):
        own = [tidy(label) for label in item.rule.labels] if item.rule is not None else [""]
        own[0] = own[0] or before[number]
        labels += [(label, True) for label in own]
    return labels


def labels_before(table: Table) -> list[str]:
    """For each item of a table that has all of them what the fixed text before it calls it, if both are texts: one that
    ends with a colon, or is in an element for names, and that most records have that have the item."""
    layout = table.layout
    tags, parents = layout.tree[0].tolist(), layout.tree[1].tolist()
    labels = [""] * len(layout.items)
    before = None
    for number, item in enumerate(layout.items):
        if item.kind != TEXT_ITEM or item.list != NO_NODE:
            before = None
            continue
        if before is not None:
            place, above = before.column, parents[before.slot]
            text = next((cell for row in table.texts if (cell := row[place]) is not None), None)
            filled = [row[place] is not None for row in table.texts if row[item.column] is not None]
            if (
                isinstance(text, str)
                and (text.endswith(":") or (above != NO_NODE and tags[above] in NAMING_TAGS))
                and all(row[place] is None or row[place] == text for row in table.texts)
                and 10 * sum(filled) >= 7 * len(filled)
            ):
                labels[number] = tidy(text)
        before = item if item.rule is None else None
    return labels


class Vocabulary(NamedTuple):
    """What columns are named by: words, and what asks for more of them than a kernel knows."""

    name: type[Name] = Name
    unique: Callable[[list[Name], list[int]], tuple[Name, ...]] = unique
    money: type[Money] = Money
    is_person: Callable[[str], object] = PERSON.fullmatch
    is_joined: Callable[[str], object] = JOINED.search
    """Whether the label of a date says that it is that of when somebody came."""
    without_reply: Callable[[str, str], str] = REPLY.sub
    leads_to_somebody: Callable[[str], bool] = leads_to_somebody
    role_of_words: Callable[..., str] = role_of_words
    telling_word: Callable[[str], str] = telling_word
    phrase_of: Callable[[list[str]], Phrase | None] = phrase_of
    tidy: Callable[[str], str] = tidy
    units_in: Callable[[str], list[str]] = UNIT.findall
    is_currency: Callable[[str], object] = CURRENCY_SIGN.fullmatch
    labels_of: Callable[[Table], list[tuple[str, bool]]] = labels_of
    header_names: Callable[[Records, Sequence[int], Sequence[int]], dict[int, str]] = header_names
    attribute_names: dict[str, str] = ATTRIBUTE_NAMES
    type_roles: dict[str, str] = TYPE_ROLES
    said_better: Mapping[str, tuple[str, ...]] = SAID_BETTER
    telling: frozenset[str] = TELLING
    named: frozenset[str] = frozenset(NAMED)
    particles: frozenset[str] = PARTICLES
    by: frozenset[str] = BY
    counted: frozenset[str] = COUNTED
    naming_attributes: tuple[str, ...] = NAMING_ATTRIBUTES


WORDS = Words(Vocabulary())
"""The same, with what is remembered of classes."""
