"""The order in which people look at columns: what a record is, what it costs, what is said of it; links last.
For tables that people read, where not all columns can be seen at once; files keep the order of the page."""

from __future__ import annotations

import re

from fastwrap.output.table import Table

ROLES = (
    "title", "name", "price", "salary", "old price", "discount", "rating", "reviews", "date", "time", "author",
    "company", "seller", "brand", "location", "category", "status", "availability", "condition", "year", "duration",
    "votes", "replies", "views", "description",
)  # fmt: skip
"""From the most telling role on; what has another role, or none, comes after them."""

ROLE_OF_TYPE = {"money": "price", "rating": "rating", "date": "date", "datetime": "date", "time": "time"}

LAST = ("url", "image")
"""Types whose values are addresses: long, and no pleasure to read."""

_NUMBER = re.compile(r"[ _]\d+$")


def telling_first(table: Table) -> list[int]:
    """The places of the columns, the most telling first: those with a role in its order, then those that most records
    have, then those that few have or that say the same everywhere, then addresses. Where the
    role of a column is not known, its name or its type stands for it.

    >>> from fastwrap.output.table import Field
    >>> kinds = {"sku": "text", "link": "url", "price": "money", "title": "text"}
    >>> rows = [["a1", "/1", 5, "Pan"], ["a2", "/2", 6, "Lid"]]
    >>> telling_first(Table(tuple(Field(name, kind) for name, kind in kinds.items()), rows))
    [3, 2, 0, 1]
    """
    ranks = {role: rank for rank, role in enumerate(ROLES)}

    def order(place: int) -> tuple[bool, int, bool, int]:
        field = table.fields[place]
        values = [str(value) for row in table.rows if (value := row[place]) is not None]
        rare = 2 * len(values) < len(table.rows)
        constant = len(table.rows) > 2 and len(set(values)) == 1
        names = (field.role, _NUMBER.sub("", field.name).replace("_", " "), ROLE_OF_TYPE.get(field.type, ""))
        rank = next((ranks[name] for name in names if name in ranks), len(ROLES))
        return field.type in LAST, len(ROLES) if rare else rank, rare or constant, place

    return sorted(range(len(table.fields)), key=order)
