"""Tables of data: the objects of an array in columns that their keys name, with the values that they have already.
Numbers and booleans are typed by JSON; texts, dates and addresses are read as those of records are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from fastwrap._core.structured.flattening import Member, flatten
from fastwrap.columns.given import GivenColumn, GivenTable
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.columns.roles import role_of_words
from fastwrap.page import Page
from fastwrap.structured import ObjectArray
from fastwrap.structured.posts import PostKeys, date_of, post_keys
from fastwrap.structured.sentences import plain
from fastwrap.types import Money

MOST_COLUMNS = 80
"""Of a table: those that most objects have come first."""
GENERIC = frozenset(
    "name value id url href src text type title label amount content key code slug count description src".split()
)
"""Keys that say something only with the one before them."""
OPAQUE = re.compile(r"[\W\d_]*")
PLAIN_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,6})?")
CURRENCY = re.compile(r"[A-Z]{3}")
ADDRESS = re.compile(r"(?:https?:)?//\S+|/[^\s<>]*|\S+\.(?:html?|php|aspx?)\S*")
PICTURE = re.compile(r"\S+\.(?:jpe?g|png|webp|gif|svg|avif)(?:[?#]\S*)?", re.IGNORECASE)
PICTURES = ("image", "img", "photo", "thumb", "picture", "poster", "logo", "avatar")
PRICES = frozenset(("price", "old price", "unit price", "salary", "shipping"))
LARGEST = 2**63 - 1
LAST = 9


def names_of(paths: Sequence[tuple[str, ...]]) -> list[str]:
    """What columns are called: by the last key, and by as many keys before it as tell it from others. A key that says
    nothing by itself has the one before it, too, and gives way to it where it is the only one there.

    >>> names_of([("name",), ("offers", "price"), ("brand", "name"), ("by", "seller", "name"), ("by", "seller", "id")])
    ['name', 'price', 'brand', 'seller.name', 'seller.id']
    """
    inside = Counter(path[:-1] for path in paths)
    tails = Counter(path[-length:] for path in paths for length in range(1, len(path) + 1))
    taken: set[str] = set()
    names = []
    for path in paths:
        least = 2 if path[-1].lower() in GENERIC and len(path) > 1 else 1
        own = path[:-1] if least == 2 and inside[path[:-1]] == 1 and not OPAQUE.fullmatch(path[-2]) else path
        length = next((size for size in range(1, len(own) + 1) if tails[own[-size:]] <= 1), len(own))
        name = ".".join(own[-max(length, least if own is path else 1) :])
        if name in taken:
            name = ".".join(path)
        number = 2
        while name in taken:
            name = f"{'.'.join(path)} {number}"
            number += 1
        taken.add(name)
        names.append(name)
    return names


def written(value: Any) -> Any:
    """A value as text: what JSON writes."""
    if isinstance(value, list):
        return [written(each) for each in value]
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)


def scalars(member: Member) -> list[Any]:
    """The values of a member, those of lists one by one, without what is absent."""
    found: list[Any] = []
    for value in member.values:
        found += value if isinstance(value, list) else [value]
    return [value for value in found if value is not None]


def json_type(values: Sequence[Any]) -> str:
    """The type that JSON gives all values; nothing where they are texts, or of several types. Whole numbers that 64
    bits do not hold are texts: they are the numbers of things, and few formats can write them.

    >>> json_type([1, 2]), json_type([1, 2.5]), json_type([True]), json_type(["1"]), json_type([2**64])
    ('integer', 'number', 'boolean', '', '')
    """
    kinds = {type(value) for value in values}
    if int in kinds and any(isinstance(value, int) and abs(value) > LARGEST for value in values):
        return ""
    if kinds == {bool}:
        return "boolean"
    return "integer" if kinds == {int} else "number" if kinds and kinds <= {int, float} else ""


def kind_of(key: str, values: Sequence[Any]) -> str:
    """The attribute that addresses would stand in; "text" for other strings."""
    texts = [value for value in values if isinstance(value, str)]
    if not texts or len(texts) < len(values):
        return TEXT_ITEM
    if 5 * sum(bool(PICTURE.fullmatch(text)) for text in texts) >= 4 * len(texts):
        return "src"
    if 5 * sum(bool(ADDRESS.fullmatch(text)) for text in texts) < 4 * len(texts):
        return TEXT_ITEM
    return "src" if any(word in key.lower() for word in PICTURES) else "href"


def amounts(member: Member, currencies: Member | None) -> list[Any] | None:
    """The values of a member as money, by the currency that stands beside it; None if they are no amounts."""
    if currencies is None or member.is_list:
        return None
    found: list[Any] = []
    for value, currency in zip(member.values, currencies.values, strict=True):
        text = written(value)
        if text is not None and (isinstance(value, bool) or not PLAIN_NUMBER.fullmatch(text)):
            return None
        found.append(None if text is None else Money(Decimal(text), currency if isinstance(currency, str) else None))
    return found


def currency_beside(member: Member, members: Sequence[Member]) -> Member | None:
    """The member that has the currency of an amount: in the same object, else the only one."""
    found = [
        other
        for other in members
        if "currency" in other.key.lower()
        and not other.is_list
        and all(value is None or (isinstance(value, str) and CURRENCY.fullmatch(value)) for value in other.values)
    ]
    beside = [other for other in found if other.path[:-1] == member.path[:-1]]
    return beside[0] if beside else found[0] if len(found) == 1 else None


def place_of(array: ObjectArray, member: Member) -> str:
    """Where the values of a member stand: the notation, then the keys down to them.

    >>> place_of(ObjectArray("json-ld", "Product", []), Member(("offers", "price"), []))
    'json-ld Product.offers.price'
    """
    return f"{array.source} {'.'.join((*filter(None, (array.path,)), *member.path))}"


def column_of(member: Member, name: str, array: ObjectArray, currency: Member | None) -> GivenColumn:
    """A member as a column."""
    why = {"data": place_of(array, member)}
    path = ".".join(member.path)
    if member.members:
        inner = names_of([each.path for each in member.members])
        columns = tuple(
            column_of(each, each_name, array, None) for each, each_name in zip(member.members, inner, strict=True)
        )
        return (
            replace(columns[0], name=name)
            if len(columns) == 1
            else GivenColumn(name, why=why, path=path, columns=columns)
        )
    values = scalars(member)
    role = role_of_words(name)
    texts = [written(value) for value in member.values]
    money = amounts(member, currency) if role in PRICES else None
    if money is not None:
        return GivenColumn(name, texts, why, role, path, TEXT_ITEM, "money", money)
    kind = kind_of(member.key, values)
    if kind != TEXT_ITEM:
        role = "image" if kind == "src" else role if role == "image" else "link" if role in ("", "url", "link") else ""
    type_name = json_type(values)
    return GivenColumn(name, texts, why, role, path, kind, type_name, member.values if type_name else None)


def order_of(member: Member, count: int) -> tuple[int, float]:
    """What comes first: the title, then what most objects have; last what is the same in all."""
    if member.members:
        return 5, 0
    values = scalars(member)
    if count >= 3 and len(values) >= 3 and not member.is_list and len(set(map(str, values))) == 1:
        return LAST, 0
    role = role_of_words(".".join(member.path[-2:])) if len(member.path) == 1 else ""
    rare = sum(value is not None for value in member.values) * 5 < count
    return (0 if role == "title" else 3 if not rare else 7), 0


def posts_first(members: Sequence[Member], posts: PostKeys) -> list[Member]:
    """The members of posts, author, date and text before all others: dates as they are written, texts without markup.

    >>> post = {"id": 7, "body": "<p>Tea", "at": 1725578108, "by": "Ann"}
    >>> members = [Member((key,), [value]) for key, value in post.items()]
    >>> [member.values for member in posts_first(members, PostKeys(("by",), ("at",), ("body",)))]
    [['Ann'], ['2024-09-05T23:15:08+00:00'], ['Tea'], [7]]
    """
    by_path = {member.path: member for member in members}
    author, date, text = (by_path.pop(path) for path in posts)
    dates = [date_of(value) or value for value in date.values]
    texts = [plain(value) if isinstance(value, str) else value for value in text.values]
    return [author, Member(date.path, dates), Member(text.path, texts), *by_path.values()]


def table_of(page: Page, array: ObjectArray, limits: tuple[str, ...] = ()) -> GivenTable:
    """The table of an array of objects.

    >>> rows = [{"name": "Tea", "offers": {"price": 2.5, "priceCurrency": "EUR"}}, {"name": "Milk", "url": "/milk"}]
    >>> table = table_of(Page(""), ObjectArray("json-ld", "Product", rows))
    >>> [(column.name, column.type) for column in table.nested_columns]
    [('name', 'text'), ('price', 'money'), ('priceCurrency', 'text'), ('url', 'url')]
    >>> table.nested_columns[1].why
    {'data': 'json-ld Product.offers.price'}
    """
    count = len(array.objects)
    members = sorted(flatten(array.objects), key=lambda member: order_of(member, count))
    posts = post_keys(members, count)
    if posts is not None:
        members = posts_first(members, posts)
    if len(members) > MOST_COLUMNS:
        members, limits = members[:MOST_COLUMNS], (*limits, "columns.width")
    names = names_of([member.path for member in members])
    if posts is not None:
        names = [*PostKeys._fields, *(f"{name} 2" if name in PostKeys._fields else name for name in names[3:])]
    columns = [
        column_of(member, name, array, currency_beside(member, members))
        for member, name in zip(members, names, strict=True)
    ]
    links = [place for place, column in enumerate(columns) if column.role == "link" and not column.is_list]
    return GivenTable(page, columns, count, limits, links[0] if links else None)
