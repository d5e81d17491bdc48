"""The data in the scripts and attributes of a page, decoded: JSON, and what programs assign, parse or are called with.
Nothing is run. Each is decoded when it is first asked for, and kept with the page."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from fastwrap._core.structured import literals
from fastwrap._core.structured.attributes import with_json
from fastwrap._core.structured.walking import put_in_place, unfold
from fastwrap.page import Page
from fastwrap.page.arrays import NodeArrays
from fastwrap.page.names import CUSTOM

MOST_BYTES = 8_000_000
"""Of JSON on a page that are decoded."""
MOST_VALUES = 1_000_000
"""Of one text of JSON that is decoded."""
LEAST_LITERAL = 24
"""Bytes of an object or array in a program: three objects with a member each are as long."""
FRUITLESS = 16_384
"""Bytes of a program without data, after which no more is expected."""
ATTRIBUTE_BYTES = 48
"""That JSON in an attribute has at least."""
MOST_ATTRIBUTES = 500
"""Values of attributes that are decoded."""
FOLDED_DEPTH, MOST_UNFOLDED = 4, 2_000
"""Levels of objects and arrays whose strings may be JSON in turn, and how many of them are looked at."""
JSON_START = re.compile(rb"(?:\s|\xef\xbb\xbf|//[^\n]*\n|(?>/\*.*?\*/)|<!--|<!\[CDATA\[)*+[\[{]", re.DOTALL)
"""How a script begins that is nothing but data, with what some wrap it in; nothing is tried twice."""
STREAM = b"__next_f"
NEXT_ROW = re.compile(rb"\n?([0-9a-f]*):(?:T([0-9a-f]+),)?")
"""How a row of what Next.js streams begins: its number, and for a text its length."""
LONGEST_REFERENCE = 9
"""Of "$1f", which stands for the text of row 1f."""


def decoded(data: bytes) -> Any:
    """JSON as Python has it; None for what is none, or is nested too deeply."""
    import msgspec  # here, since most pages have no data

    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


class Scripts:
    """The scripts of a page that hold data, by their number. It knows the arrays of the page, not the page, which keeps
    it."""

    def __init__(self, arrays: NodeArrays) -> None:
        self.texts = arrays.values
        self.spans = list(itertools.pairwise(arrays.script_start.tolist()))
        self.limits: list[str] = []
        """The budgets that were met so far."""
        self._left = MOST_BYTES
        self._values: dict[int, list[Any]] = {}

    def is_json(self, number: int) -> bool:
        """Whether a script is nothing but data."""
        return JSON_START.match(self.texts, *self.spans[number]) is not None

    def values(self, number: int) -> list[Any]:
        """The objects, arrays and strings that a script holds: one, if it is JSON."""
        found = self._values.get(number)
        if found is None:
            start, end = self.spans[number]
            is_streamed = self.is_streamed(number)
            found = self.read(self.texts[start:end], self.is_json(number), 2 if is_streamed else LEAST_LITERAL)
            for value in found if not is_streamed else ():  # a chunk that looks like JSON is a part of more
                self.unfold(value)
            self._values[number] = found
        return found

    def is_streamed(self, number: int) -> bool:
        """Whether a script holds a chunk of what Next.js streams."""
        start, end = self.spans[number]
        return self.texts.find(STREAM, start, min(end, start + 1024)) >= 0

    def read(self, text: bytes, is_json: bool, least: int = LEAST_LITERAL) -> list[Any]:
        """The values in a text: one, if it is nothing but data."""
        self._left -= len(text)
        if self._left < 0:
            self.limits.append("structured.json")
            return []
        start = 0
        if is_json:
            value = self.decode(text)
            if value is not None:
                return [value]
            begins = JSON_START.match(text)
            start, least = begins.end() - 1 if begins else 0, 2
        found, is_deep = literals.find(text, start, len(text), least, FRUITLESS)
        if is_deep:
            self.limits.append("structured.depth")
        values = [self.decode(text[start:end] if strict is None else strict) for start, end, strict in found]
        return [value for each in values if (value := self.parsed(each)) is not None]

    def decode(self, text: bytes) -> Any:
        """One text of JSON; None if it is none, or too much."""
        if len(text) > MOST_VALUES and text.count(b",") > MOST_VALUES:
            self.limits.append("structured.json")
            return None
        return decoded(text)

    def unfold(self, root: Any) -> None:
        """Put in place of strings that are JSON what they stand for, where they stand in the first levels: sites write
        JSON within JSON, each part as its own server gave it."""
        unfold(root, self.folded, ATTRIBUTE_BYTES, FOLDED_DEPTH, MOST_UNFOLDED)

    def folded(self, text: str) -> Any:
        """The object or array that a string stands for; None if it stands for itself."""
        data = text.encode("utf-8", "replace")
        self._left -= len(data)
        if self._left < 0:
            self.limits.append("structured.json")
            return None
        value = self.decode(data)
        return value if isinstance(value, (dict, list)) else None

    def parsed(self, value: Any) -> Any:
        """What `JSON.parse` makes of a string; other values as they are."""
        if not isinstance(value, str):
            return value
        values = self.read(value.encode("utf-8", "replace"), True) if value.lstrip()[:1] in ("{", "[") else ()
        return values[0] if values else None


def scripts_of(page: Page) -> Scripts:
    """The scripts of a page, kept with it.

    >>> scripts = scripts_of(Page('<script>let a = {"name": "Tea", kinds: ["green", "black"]}</script>'))
    >>> scripts.values(0), scripts.is_json(0)
    ([{'name': 'Tea', 'kinds': ['green', 'black']}], False)
    """
    found = page.notes.get("scripts")
    if not isinstance(found, Scripts):
        found = page.notes["scripts"] = Scripts(page.arrays)
    return found


def state(page: Page) -> Iterator[Any]:
    """All objects and arrays that the scripts of a page hold, in order: of JSON, and of programs; last what Next.js
    streams in chunks.

    >>> first, second = r'1:{\\"name\\":\\"Tea, gre', r'en\\"}\\n2:[\\"Milk\\"]\\n'
    >>> chunk = '<script>self.__next_f.push([1,"{}"]);/* more of them follow */</script>'
    >>> list(state(Page(chunk.format(first) + chunk.format(second))))
    [{'name': 'Tea, green'}, ['Milk']]
    """
    scripts = scripts_of(page)
    streamed: list[str] = []
    for number in range(len(scripts.spans)):
        is_streamed = scripts.is_streamed(number)
        for value in scripts.values(number):
            if is_streamed and isinstance(value, list):
                if len(value) == 2 and value[0] == 1 and isinstance(value[1], str):
                    streamed.append(value[1])
            elif isinstance(value, (dict, list)):
                yield value
    if streamed:
        yield from rows(scripts, "".join(streamed).encode("utf-8", "replace"))


def rows(scripts: Scripts, text: bytes) -> list[Any]:
    """The rows of what Next.js streams: each is its number, a colon, and JSON, or a long text that others refer to."""
    place = 0
    values: list[Any] = []
    texts: dict[str, str] = {}
    while place < len(text) and (match := NEXT_ROW.match(text, place)):
        place = match.end()
        if match[2]:
            end = place + int(match[2], 16)
            texts[f"${match[1].decode()}"] = text[place:end].decode("utf-8", "replace")
            place = end
            continue
        end = text.find(b"\n", place)
        end = len(text) if end < 0 else end
        if text[place : place + 1] in (b"{", b"["):
            value = scripts.decode(text[place:end])
            if isinstance(value, (dict, list)):
                values.append(value)
        place = end + 1
    if texts:
        put_in_place(values, texts, LONGEST_REFERENCE, MOST_BYTES)
    for value in values:
        scripts.unfold(value)
    return values


def attributes(page: Page) -> list[tuple[int, str, Any]]:
    """The nodes that have JSON in an attribute of their own making (`data-product='{"id": 7}'`), each with the
    name of the attribute and its value, kept with the page.

    >>> page = Page('<p data-product="{&quot;id&quot;: 7, &quot;name&quot;: &quot;Green tea leaves, one pound&quot;}">')
    >>> attributes(page)
    [(3, 'data-product', {'id': 7, 'name': 'Green tea leaves, one pound'})]
    """
    found: list[tuple[int, str, Any]] | None = page.notes.get("attributes")
    if found is None:
        found = page.notes["attributes"] = []
        nodes, entries = with_json(page.native, CUSTOM, ATTRIBUTE_BYTES)
        arrays, start, scripts = page.arrays, page.arrays.value_start, scripts_of(page)
        if len(nodes) > MOST_ATTRIBUTES:
            scripts.limits.append("structured.json")
        for node, entry in list(zip(nodes, entries, strict=True))[:MOST_ATTRIBUTES]:
            for value in scripts.read(arrays.values[start.item(entry) : start.item(entry + 1)], True):
                scripts.unfold(value)
                found.append((node, page.custom_names[arrays.attribute_name.item(entry)], value))
    return found
