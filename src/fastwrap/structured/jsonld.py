"""JSON-LD (W3C 2020) with the words of schema.org: which types of things a page has data about, and what it lists.
Only what choosing a list needs: nothing is resolved, and data that is no JSON is passed over."""

from __future__ import annotations

import html
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.structured.listed import sorted_hashes
from fastwrap.page import Page
from fastwrap.structured.things import JSON_LD, Found, Thing, short

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


MARK = re.compile(rb'"@(?:type|graph)"')
DEEPEST = 50
"""Things within things that are read."""


def read_things(page: Page) -> Found:
    """The things that the JSON-LD of a page is about: graphs are opened, what is a property of a thing stays there.

    >>> data = '{"@graph": [{"@type": "Book", "name": "Emma", "author": {"@type": "Person", "name": "Jane Austen"}}]}'
    >>> read_things(Page(f'<script type="application/ld+json">{data}</script>')).things[0].first("author").types
    ('Person',)
    """
    values = page.arrays.values
    starts = page.arrays.script_start.tolist()
    reader = ThingReader(MOST_THINGS)
    bytes_left = MOST_BYTES
    for start, end in itertools.pairwise(starts):
        if MARK.search(values, start, end):
            bytes_left -= end - start
            if bytes_left < 0:
                reader.limits.append("structured.json")
                break
            reader.read_roots(decoded(values[start:end]))
    return Found(reader.found, tuple(dict.fromkeys(reader.limits)))


class ThingReader:
    """Makes Things of JSON-LD, as many as may be."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.limits: list[str] = []
        self.found: list[Thing] = []

    def read_roots(self, root: Any, depth: int = 0) -> None:
        """Add the things of a script: its objects, those of arrays, and those of graphs."""
        if depth > DEEPEST:
            self.limits.append("structured.depth")
        elif isinstance(root, list):
            for entry in root:
                self.read_roots(entry, depth + 1)
        elif isinstance(root, dict):
            graph = root.get("@graph")
            if isinstance(graph, (dict, list)):
                self.read_roots(graph, depth + 1)
            if kind_of(root) or graph is None:
                thing = self.thing(root, 0)
                if thing is not None and (thing.types or thing.properties):
                    self.found.append(thing)

    def thing(self, data: dict[str, Any], depth: int) -> Thing | None:
        """One thing with all below it; None if there are too many."""
        self.left -= 1
        if depth > DEEPEST or self.left < 0:
            self.limits.append("structured.depth" if depth > DEEPEST else "structured.things")
            return None
        kinds = data.get("@type")
        types = tuple(short(kind) for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str))
        thing = Thing(types, {}, JSON_LD)
        for key, value in data.items():
            if key == "@id" or not key.startswith("@"):
                values: list[Any] = []
                self.add(values, value, depth + 1)
                if values:
                    thing.properties.setdefault(key if key == "@id" else short(key), []).extend(values)
        return thing

    def add(self, values: list[Any], value: Any, depth: int) -> None:
        """Add a value of a property: one of an array after the other, strings without the character references that
        sites write there by mistake."""
        if isinstance(value, str):
            values.append(html.unescape(value) if "&" in value else value)
        elif isinstance(value, list):
            if depth > DEEPEST:
                self.limits.append("structured.depth")
                return
            for entry in value:
                self.add(values, entry, depth + 1)
        elif isinstance(value, dict):
            for wrapper in ("@value", "@list", "@set"):
                if wrapper in value:
                    self.add(values, value[wrapper], depth + 1)
                    return
            thing = self.thing(value, depth)
            if thing is not None:
                values.append(thing)
        elif value is not None:
            values.append(value)
