"""Posts: which members of an object say who wrote something and when, and arrays of objects that are what people wrote
one after the other: the posts of a thread, answers, comments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from fastwrap._core.structured.flattening import Member, scalar
from fastwrap._core.structured.keys import Names
from fastwrap.structured.sentences import plain, prose_weight

AUTHORS = (
    "author creator postedby createdby submittedby writtenby writer poster user owner member by username"
    " displayusername userlogin authorname nickname screenname byline displayname"
).split()
"""Keys to who wrote something, the surest first; without signs, in small letters."""
NAMES = "displayname name username screenname fullname nickname login handle title".split()
"""Keys to what somebody is called."""
DATES = (
    "datepublished datecreated createdat created createdutc creationdate createtime createdtime datecreation dateposted"
    " postedat postedon postdate publishedat published publishedon publisheddate publishdate publicationdate pubdate"
    " firstpublished uploaddate displaydate date datetime timestamp time"
).split()
"""Keys to when it was written, the surest first."""
HEADS = frozenset("title headline heading subject caption".split())
"""Keys to what an object is called that is something else than a post."""
BODIES = frozenset(
    """
    text body content html cooked message comment post answer reply description articlebody bodyhtml contenthtml
    bodytext rendered markdown raw selftext copy richtext summary value story review fulltext longdescription
    """.split()
)
"""Keys that often lead to prose; a hint, no more."""
RATED = frozenset("rating ratings ratingvalue reviewrating stars starrating reviewbody reviewtext reviewtitle".split())
"""Keys that what customers say of a thing has, and posts have not."""
ABOUT_PEOPLE = ("bio", "about", "signature", "tagline")
"""In keys of what people say of themselves."""
DATE = re.compile(r"\d{4}-\d\d-\d\d")
FIRST_SECOND, LAST_SECOND = 500_000_000, 4_200_000_000
"""Numbers that are times: seconds from 1970 on, of the years 1985 to 2103; or thousandths of them."""
TITLES = "headline title heading question subject".split()
"""Keys to what an object is called whoever wrote it, the surest first."""
OF_PEOPLE = [key for key in NAMES if key not in HEADS and key != "name"]
"""Keys to what people are called, and nothing else."""
SIGNS, CALLED = Names((*AUTHORS, *DATES)), Names((*TITLES, *NAMES))
OF_AUTHORS, OF_DATES = Names(AUTHORS), Names(DATES)
"""What is looked up at once: who wrote something and when, and what it is called."""
LONGEST_NAME = 80
MOST_KEYS = 40
"""Keys of an object that are remembered."""
SAMPLE = 10
"""Objects that are looked at."""


class PostKeys(NamedTuple):
    """Where posts have what every post has: the keys down to it."""

    author: tuple[str, ...]
    date: tuple[str, ...]
    text: tuple[str, ...]


@lru_cache(4096)
def bare(key: str) -> str:
    """A key without signs, in small letters.

    >>> bare("created_at"), bare("datePublished")
    ('createdat', 'datepublished')
    """
    return "".join(letter for letter in key.lower() if letter.isalpha())


def date_of(value: Any) -> str:
    """A value as a date of ISO 8601, with its time if it has one; nothing if it is none.

    >>> date_of("2024-09-05T23:15:08.120Z"), date_of(1725578108), date_of(1725578108000), date_of("soon"), date_of(7)
    ('2024-09-05T23:15:08.120Z', '2024-09-05T23:15:08+00:00', '2024-09-05T23:15:08+00:00', '', '')
    """
    if isinstance(value, str):
        value = value.strip()
        return value if len(value) < 40 and DATE.match(value) else ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ""
    seconds = value / 1000 if value > LAST_SECOND else value
    if not FIRST_SECOND < seconds < LAST_SECOND:
        return ""
    return datetime.fromtimestamp(int(seconds), UTC).isoformat()


def name_of(value: Any) -> str:
    """What somebody is called, by a string, an object or an array of them; nothing if it does not say.

    >>> name_of({"id": 7, "displayName": "Ann"}), name_of([{"name": "Ann"}, {"name": "Ben"}]), name_of(7)
    ('Ann', 'Ann, Ben', '')
    """
    if isinstance(value, list):
        return ", ".join(filter(None, map(name_of, value[:3])))
    if isinstance(value, dict):
        named = {bare(key): entry for key, entry in value.items() if isinstance(entry, str)}
        value = next((named[key] for key in NAMES if named.get(key)), "")
    text = scalar(value)
    if not isinstance(text, str) or len(text) > LONGEST_NAME or "<" in text or "//" in text:
        return ""
    return " ".join(text.split())


def byline(thing: dict[str, Any]) -> tuple[str, str]:
    """Who wrote an object and when, by its own members; nothing for what it does not say.

    >>> byline({"id": 1, "username": "ann", "created_at": "2024-09-05T23:15:08Z", "cooked": "<p>Hello"})
    ('ann', '2024-09-05T23:15:08Z')
    """
    members = SIGNS.members(thing)
    return author_in(members), date_in(members)


def author_in(members: Mapping[str, Any]) -> str:
    """Who wrote an object, by its members that may say so; nothing if they do not."""
    return next((name for key in AUTHORS if key in members and (name := name_of(members[key]))), "")


def date_in(members: Mapping[str, Any]) -> str:
    """When it was written, likewise."""
    return next((date for key in DATES if key in members and (date := date_of(members[key]))), "")


def is_signed(thing: dict[str, Any]) -> bool:
    """Whether an object says who wrote it, and when."""
    if len(thing) <= MOST_KEYS and not may_be_signed(tuple(thing)):
        return False
    return all(byline(thing))


@lru_cache(1024)
def may_be_signed(keys: tuple[str, ...]) -> bool:
    """Whether any of the keys leads to who wrote something, and any to when: told once for objects of the same keys.

    >>> may_be_signed(("id", "createdAt", "user")), may_be_signed(("id", "user"))
    (True, False)
    """
    return OF_AUTHORS.are_in(keys) and OF_DATES.are_in(keys)


def head_of(value: dict[str, Any]) -> str:
    """What an object is called; nothing if it is not called anything. The name of one that is signed is that of a
    person.

    >>> head_of({"headline": "Tea", "name": "tea-1"}), head_of({"name": "Ann", "username": "ann", "text": "Tea"})
    ('Tea', '')
    """
    named = CALLED.texts(value)
    text = next((named[key] for key in TITLES if key in named), "")
    if not text and "name" in named and not any(key in named for key in OF_PEOPLE):
        signs = SIGNS.members(value)
        text = "" if author_in({key: signs[key] for key in signs if key not in NAMES}) else named["name"]
    return plain(text) if len(text) < 500 else ""


def rank_of(path: tuple[str, ...]) -> int:
    """How surely a member says who wrote an object, by its keys: less is surer; -1 where it does not."""
    for place, key in enumerate(map(bare, path)):
        if key in AUTHORS:
            after = [bare(later) for later in path[place + 1 :]]
            if not after:
                return AUTHORS.index(key) * 100
            if len(after) == 1 and after[0] in NAMES:
                return AUTHORS.index(key) * 100 + NAMES.index(after[0])
            return -1
    return -1


def post_keys(members: Sequence[Member], count: int) -> PostKeys | None:
    """Where similar objects have author, date and text, if they are posts: not if they are called something, as
    articles and products are, or are what customers say of a thing.

    >>> from fastwrap._core.structured.flattening import flatten
    >>> said = "I would take the kettle off the fire a little earlier, and wait for a minute or two: "
    >>> posts = [{"user": {"name": "Ann"}, "created": f"2024-09-0{k}", "body": said + str(k)} for k in range(5)]
    >>> post_keys(flatten(posts), 5)
    PostKeys(author=('user', 'name'), date=('created',), text=('body',))
    """
    if not any(OF_AUTHORS.are_in(member.path) for member in members) or not any(
        OF_DATES.are_in(member.path) for member in members
    ):
        return None  # sooner told than all that is below
    authors: list[tuple[int, tuple[str, ...]]] = []
    dates: list[tuple[int, tuple[str, ...]]] = []
    others: list[tuple[Member, list[str]]] = []
    for member in members:
        if member.is_list or sum(value is not None for value in member.values) * 2 < count:
            continue
        key = bare(member.key)
        if not RATED.isdisjoint(map(bare, member.path)):
            return None
        strings = [value for value in member.values if isinstance(value, str)]
        differ = len(set(strings)) * 10 >= 7 * len(strings)
        if strings and not HEADS.isdisjoint(map(bare, member.path[:2])) and (differ or count < 3):
            return None
        if (rank := rank_of(member.path)) >= 0 and any(map(name_of, strings)):
            authors.append((rank, member.path))
        elif key in DATES and len(member.path) <= 2 and any(map(date_of, member.values)):
            dates.append((DATES.index(key), member.path))
        elif strings and differ and not any(word in key for word in ABOUT_PEOPLE):
            others.append((member, strings[:SAMPLE]))
    if not (authors and dates):
        return None
    texts = [(found, member.path) for member, strings in others if (found := body_weight(member, strings))]
    return PostKeys(min(authors)[1], min(dates)[1], max(texts)[1]) if texts else None


def body_weight(member: Member, strings: Sequence[str]) -> float:
    """How likely some strings that a member has are what posts say: by how much they say, and by its key."""
    weights = [prose_weight(value) for value in strings]
    if sum(map(bool, weights)) * 2 < len(weights):
        return 0.0
    markup = sum("</" in value for value in strings) * 2 >= len(weights)
    return sum(weights) * (5 + (bare(member.key) in BODIES) + markup) / len(member.path)
