"""JSON-LD (W3C 2020) with the words of schema.org: which types of things a page has data about, and what it lists.
Only what choosing a list needs: nothing is resolved, and data that is no JSON is passed over."""

from __future__ import annotations

import html
import re
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.structured.listed import gather, sorted_hashes
from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.structured.scripts import scripts_of
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


NOTHING_LISTED = Listed(NO_HASHES)
TOO_MUCH = Listed(NO_HASHES, ("structured.json",))


def typed_scripts(page: Page) -> list[tuple[int, int, int]]:
    """The scripts of a page that are nothing but data and have a type: the number of each, where it starts and ends.
    They are looked for once: the regions are ranked by what they list, and then judged by what they are about."""
    found: list[tuple[int, int, int]] | None = page.notes.get("typed scripts")
    if found is None:
        found = page.notes["typed scripts"] = []
        values = page.arrays.values
        if values.find(KEY, page.arrays.script_start.item(0)) >= 0:
            scripts = scripts_of(page)
            for number, (start, end) in enumerate(scripts.spans):
                if values.find(KEY, start, end) >= 0 and scripts.is_json(number):
                    found.append((number, start, end))
    return found


def types(page: Page) -> dict[str, int]:
    """How often each type is named in the JSON-LD of a page, without the address of the vocabulary.

    >>> types(Page('<script type="application/ld+json">{"@type": "https://schema.org/Recipe"}</script>'))
    {'Recipe': 1}
    """
    values = page.arrays.values
    found: dict[str, int] = {}
    for _, start, end in typed_scripts(page):
        place = values.find(KEY, start, end)
        while place >= 0:
            place += len(KEY)
            if match := NAME.match(values, place, end):
                name = short(match[1].decode())
                found[name] = found.get(name, 0) + 1
            place = values.find(KEY, place, end)
    return found


def has_several(values: bytes, start: int, end: int) -> bool:
    """Whether a script names the types of as many things as a list has: the rest of it is not read."""
    for _ in range(LEAST_LIKE):
        start = values.find(KEY, start, end) + len(KEY)
        if start < len(KEY):
            return False
    return True


def listed(page: Page) -> Listed:
    """The items that the JSON-LD of a page lists: those of an ItemList, or several things of one type.

    >>> data = '{"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "name": "Tea", "url": "/tea"}]}'
    >>> len(listed(Page(f'<script type="application/ld+json">{data}</script>')).hashes)
    2
    """
    names: set[str] = set()
    addresses: set[str] = set()
    bytes_left, things_left = MOST_BYTES, MOST_THINGS
    values = page.arrays.values
    for number, start, end in typed_scripts(page):
        if not has_several(values, start, end) and values.find(b'"itemListElement"', start, end) < 0:
            continue
        bytes_left -= end - start
        if bytes_left < 0:
            return TOO_MUCH
        for value in scripts_of(page).values(number):
            things_left = gather(value, things_left, names, addresses, TRAILS, LEAST_LIKE)
        if things_left < 0:
            return TOO_MUCH
    if not names and not addresses:
        return NOTHING_LISTED
    parts = ([" ".join(text.split()).encode("utf-8", "replace") for text in found] for found in (names, addresses))
    return Listed(np.array(sorted_hashes(*parts), dtype=np.uint64))


def kind_of(thing: Any) -> str:
    """The type of a thing, the first of several; nothing where it has none."""
    kind = thing.get("@type") if isinstance(thing, dict) else None
    if isinstance(kind, list) and kind:
        kind = kind[0]
    return short(kind) if isinstance(kind, str) else ""


MARK = re.compile(rb'"@(?:type|graph|context)"')
MARKS = frozenset(("@type", "@graph", "@context"))
DEEPEST = 50
"""Things within things that are read."""


def is_linked_data(value: Any) -> bool:
    """Whether decoded JSON is JSON-LD: an object that says its type, context or graph, or an array of such.

    >>> is_linked_data([{"@type": "Book"}]), is_linked_data({"type": "Book"})
    (True, False)
    """
    if isinstance(value, list):
        return bool(value) and is_linked_data(value[0])
    return isinstance(value, dict) and not MARKS.isdisjoint(value)


def read_things(page: Page) -> Found:
    """The things that the JSON-LD of a page is about: graphs are opened, what is a property of a thing stays there.

    >>> data = '{"@graph": [{"@type": "Book", "name": "Emma", "author": {"@type": "Person", "name": "Jane Austen"}}]}'
    >>> read_things(Page(f'<script type="application/ld+json">{data}</script>')).things[0].first("author").types
    ('Person',)
    """
    scripts = scripts_of(page)
    reader = ThingReader(MOST_THINGS)
    for number, (start, end) in enumerate(scripts.spans):
        # The two signs are found faster than the names.
        if (
            scripts.is_json(number)
            and scripts.texts.find(b'"@', start, end) >= 0
            and MARK.search(scripts.texts, start, end)
        ):
            for value in scripts.values(number):
                if is_linked_data(value):
                    reader.read_roots(value)
    return Found(reader.found, union(scripts.limits, reader.limits))


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
