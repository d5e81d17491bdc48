"""JSON-LD (W3C 2020) with the words of schema.org: which types of things a page has data about, and what it lists.
Only what choosing a list needs: nothing is resolved, and data that is no JSON is passed over."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.structured.listed import sorted_hashes
from fastwrap.page import Page

TYPE = re.compile(rb'"@type"\s*:\s*(?:\[\s*)?"([\w:/.]+)"')
KEY = b'"@type"'
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
    found: dict[str, int] = {}
    for start, end in scripts(page):
        for match in TYPE.finditer(page.arrays.values, start, end):
            name = match[1].decode().rpartition("/")[2]
            found[name] = found.get(name, 0) + 1
    return found


def listed(page: Page) -> Listed:
    """The items that the JSON-LD of a page lists: those of an ItemList, or several things of one type.

    >>> data = '{"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "name": "Tea", "url": "/tea"}]}'
    >>> len(listed(Page(f'<script type="application/ld+json">{data}</script>')).hashes)
    2
    """
    names: set[str] = set()
    addresses: set[str] = set()
    left, things_left = MOST_BYTES, MOST_THINGS
    values = page.arrays.values
    for start, end in scripts(page):
        if values.find(b'"itemListElement"', start, end) < 0 and len(TYPE.findall(values, start, end)) < LEAST_LIKE:
            continue
        left -= end - start
        if left < 0:
            return Listed(NO_HASHES, ("structured.json",))
        try:
            root = json.loads(values[start:end])
        except (ValueError, RecursionError):
            continue
        things_left = read_items(root, names, addresses, things_left)
        if things_left < 0:
            return Listed(NO_HASHES, ("structured.json",))
    if not names and not addresses:
        return NOTHING
    parts = ([" ".join(text.split()).encode("utf-8", "replace") for text in found] for found in (names, addresses))
    return Listed(np.array(sorted_hashes(*parts), dtype=np.uint64))


def read_items(root: Any, names: set[str], addresses: set[str], left: int) -> int:
    """Add the names and addresses of all listed items; returns how many things may still be looked at."""
    waiting = [root]
    while waiting:
        thing = waiting.pop()
        left -= 1
        if left < 0:
            break
        if isinstance(thing, list):
            kinds = Counter(kind_of(entry) for entry in thing if isinstance(entry, dict))
            for entry in thing:
                if isinstance(entry, dict) and kinds[kind_of(entry)] >= LEAST_LIKE:
                    add_item(entry, names, addresses)
            waiting += thing
        elif isinstance(thing, dict) and kind_of(thing) not in TRAILS:
            elements = thing.get("itemListElement")
            if isinstance(elements, list):
                for entry in elements:
                    if isinstance(entry, dict):
                        item = entry.get("item")
                        add_item(entry, names, addresses)
                        add_item(item if isinstance(item, dict) else {"url": item}, names, addresses)
            waiting += [value for value in thing.values() if isinstance(value, (dict, list))]
    return left


def kind_of(thing: dict[str, Any]) -> str:
    kind = thing.get("@type")
    if isinstance(kind, list) and kind:
        kind = kind[0]
    return kind if isinstance(kind, str) else ""


def add_item(item: dict[str, Any], names: set[str], addresses: set[str]) -> None:
    """Add what an item is called and where it leads, if it has an address: what has none is no item of a list."""
    if kind_of(item) in TRAILS:
        return
    for key in ("url", "@id"):
        if isinstance(item.get(key), str) and item[key]:
            addresses.add(item[key])
    for key in ("name", "headline", "title"):
        if isinstance(item.get(key), str) and len(item[key]) > 1:
            names.add(item[key])
