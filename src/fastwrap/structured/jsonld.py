"""JSON-LD (W3C 2020) with the words of schema.org: which types of things a page has data about, and what it lists.
Only what choosing a list needs: nothing is resolved, and data that is no JSON is passed over."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.structured.listed import sorted_hashes
from fastwrap.page import Page

KEY = b'"@type"'
NAME = re.compile(rb'\s*:\s*(?:\[\s*)?"([\w:/.]+)"')
"""What follows the key: the name of the type, or the first of several."""
MOST_BYTES = 2_000_000
"""Of JSON on a page that is parsed for its lists."""
MOST_THINGS = 20_000
"""Of the parsed JSON that are looked at."""
LEAST_LIKE = 3
"""Things of one type side by side that are a list."""
TRAILS = ("BreadcrumbList", "SiteNavigationElement")
"""Lists that lead elsewhere."""
NO_HASHES = np.empty(0, dtype=np.uint64)


class Listed(NamedTuple):
    """What the data of a page lists."""

    hashes: npt.NDArray[np.uint64]
    """Sorted: of the names and addresses of all items, as the kernels compare them with texts and links."""
    limits: tuple[str, ...] = ()


NOTHING = Listed(NO_HASHES)
TOO_MUCH = Listed(NO_HASHES, ("structured.json",))


def scripts(page: Page) -> Iterator[tuple[int, int]]:
    """Where the JSON scripts of a page start and end in its values, those that have a type."""
    values, start = page.arrays.values, page.arrays.script_start
    if values.find(KEY, start.item(0)) < 0:
        return
    for first, end in itertools.pairwise(start.tolist()):
        if values.find(KEY, first, end) >= 0:
            yield first, end


def types(page: Page) -> dict[str, int]:
    """How often each type is named in the JSON-LD of a page, without the address of the vocabulary.

    >>> types(Page('<script type="application/ld+json">{"@type": "https://schema.org/Recipe"}</script>'))
    {'Recipe': 1}
    """
    values = page.arrays.values
    found: dict[str, int] = {}
    for start, end in scripts(page):
        place = values.find(KEY, start, end)
        while place >= 0:
            place += len(KEY)
            if match := NAME.match(values, place, end):
                name = short(match[1].decode())
                found[name] = found.get(name, 0) + 1
            place = values.find(KEY, place, end)
    return found


def listed(page: Page) -> Listed:
    """The items that the JSON-LD of a page lists: those of an ItemList, or several things of one type.

    >>> data = '{"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "name": "Tea", "url": "/tea"}]}'
    >>> len(listed(Page(f'<script type="application/ld+json">{data}</script>')).hashes)
    2
    """
    items = Items(set(), set())
    bytes_left, things_left = MOST_BYTES, MOST_THINGS
    values = page.arrays.values
    for start, end in scripts(page):
        if values.find(b'"itemListElement"', start, end) < 0 and values.count(KEY, start, end) < LEAST_LIKE:
            continue
        bytes_left -= end - start
        if bytes_left < 0:
            return TOO_MUCH
        things_left = items.read(decoded(values[start:end]), things_left)
        if things_left < 0:
            return TOO_MUCH
    if not items.names and not items.addresses:
        return NOTHING
    parts = ([" ".join(text.split()).encode("utf-8", "replace") for text in found] for found in items)
    return Listed(np.array(sorted_hashes(*parts), dtype=np.uint64))


def decoded(data: bytes) -> Any:
    """JSON as Python has it; None for what is none, or is nested too deeply."""
    import msgspec  # here, since most pages have no data

    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def short(name: str) -> str:
    """The name of a type without its vocabulary.

    >>> short("https://schema.org/Book"), short("schema:Book")
    ('Book', 'Book')
    """
    return name.rpartition("/")[2].rpartition(":")[2]


def kind_of(thing: Any) -> str:
    """The type of a thing, the first of several; nothing where it has none."""
    kind = thing.get("@type") if isinstance(thing, dict) else None
    if isinstance(kind, list) and kind:
        kind = kind[0]
    return short(kind) if isinstance(kind, str) else ""


class Items(NamedTuple):
    """What items of lists are called, and where they lead."""

    names: set[str]
    addresses: set[str]

    def read(self, root: Any, left: int) -> int:
        """Add all that is listed; returns how many things may still be looked at, less than 0 if it stopped early."""
        waiting = [root]
        while waiting and left >= 0:
            thing = waiting.pop()
            left -= 1
            if isinstance(thing, list):
                kinds = [kind_of(entry) for entry in thing]
                count = Counter(kinds)
                for entry, kind in zip(thing, kinds, strict=True):
                    if kind and count[kind] >= LEAST_LIKE:
                        self.add(entry)
                waiting += [entry for entry in thing if isinstance(entry, (dict, list))]
            elif isinstance(thing, dict) and kind_of(thing) not in TRAILS:
                elements = thing.get("itemListElement")
                for entry in elements if isinstance(elements, list) else ():
                    if isinstance(entry, dict):
                        self.add(entry)
                        item = entry.get("item")
                        self.add(item if isinstance(item, dict) else {"url": item})
                waiting += [value for value in thing.values() if isinstance(value, (dict, list))]
        return left

    def add(self, item: dict[str, Any]) -> None:
        """Add what an item is called and where it leads."""
        if kind_of(item) in TRAILS:
            return
        for key in ("url", "@id"):
            if isinstance(address := item.get(key), str) and address:
                self.addresses.add(address)
        for key in ("name", "headline", "title"):
            if isinstance(name := item.get(key), str) and len(name) > 1:
                self.names.add(name)
