"""Names columns: by table headers, labels, what the markup calls the items, else by their type and position.
The first of these that says something decides; what it said is kept as evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fastwrap.columns.records import Records
from fastwrap.page import Page
from fastwrap.page.names import NO_NODE, TAG_NUMBER, TEXT

TELLING = frozenset(
    """
    address album amount area artist author availability bath bathroom baths bed bedroom beds brand category city color
    colour comment comments company condition country currency date day deadline department desc description discount
    distance domain duration edition email engine event excerpt format fuel genre headline hotel isbn job language lat
    likes lng location maker manufacturer mileage model month name number phone points position price product publisher
    quantity rank rating ratings region replies review reviews salary score seller shipping size sku snippet source
    speaker sponsor stars state status stock subtitle summary tag tags team tel time title topic type unit user username
    venue vendor version views votes website weight year zip
    preis titel ort datum precio titulo fecha prix titre lieu prezzo titolo preco data nome
    """.split()
)
"""Words of class names that say what an element holds."""

MODIFIERS = frozenset(
    "old new regular special sale final original list min max start end first last total short full long published "
    "release discount previous current net gross unit birth".split()
)
"""Words before them that say which one."""

GENERIC = frozenset(
    "text value wrapper label info container box field column cell item link block content data".split()
)
"""Words after them that say nothing."""

SYNONYMS = {"desc": "description", "tel": "phone", "stars": "rating", "ratings": "rating"}

ATTRIBUTE_NAMES = {"href": "link", "src": "image", "alt": "image text", "title": "hint", "datetime": "date"}
"""What the values of attributes are called."""

TYPE_NAMES = {
    "money": "price", "date": "date", "datetime": "date", "time": "time", "percent": "percent", "email": "email",
    "number": "number", "integer": "number", "phone": "phone", "rating": "rating", "url": "link", "image": "image",
}  # fmt: skip
"""What texts of a type are called."""

HEADINGS = frozenset(TAG_NUMBER[f"h{level}"] for level in range(1, 7))
CELL_TAGS = frozenset(TAG_NUMBER[name] for name in ("td", "th"))
ROW, HEADER_CELL, TABLE, HEAD = (TAG_NUMBER[name] for name in ("tr", "th", "table", "thead"))
NAMING_TAGS = frozenset(TAG_NUMBER[name] for name in ("dt", "th", "label"))

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
LONGEST = 60
"""Characters of a name."""

MAX_BACK = 400
"""Nodes before the records in which header rows are looked for."""

MAX_COLUMNS_OF_ROW = 200
"""Cells of a table row that are looked at, those that span several counted as several."""


class Name(NamedTuple):
    """The name of a column, and what it rests on: "header", "label", "markup" or "type", with what was found there."""

    name: str
    why: Mapping[str, str]


def unique(names: Iterable[tuple[str, Mapping[str, str]]]) -> tuple[Name, ...]:
    """Names of which none is twice: a number is added to those that were there before.

    >>> [name.name for name in unique([("price", {}), ("price", {}), ("price 2", {})])]
    ['price', 'price 2', 'price 2 2']
    """
    taken: set[str] = set()
    found = []
    for name, why in names:
        number, own = 1, name
        while own in taken:
            number += 1
            own = f"{name} {number}"
        taken.add(own)
        found.append(Name(own, why))
    return tuple(found)


def tidy(text: str) -> str:
    """A label or header as a name.

    >>> tidy(" Unit price: "), tidy("*"), tidy("x" * 99)
    ('Unit price', '', '')
    """
    text = " ".join(text.split()).strip(" :*·|-–—.,;#?¿")
    return text if len(text) <= LONGEST and any(letter.isalpha() for letter in text) else ""


def class_name(classes: str) -> str:
    """What class names say that an element holds; nothing if they are about layout.

    >>> class_name("col-md-3 product-price"), class_name("oldPrice"), class_name("size-small css-1x2y3z")
    ('price', 'old price', '')
    """
    for token in classes.split()[:8]:
        words = [word.lower() for word in WORD.findall(token[:80])]
        while len(words) > 1 and words[-1] in GENERIC:
            words.pop()
        if words and words[-1] in TELLING:
            word = SYNONYMS.get(words[-1], words[-1])
            return f"{words[-2]} {word}" if len(words) > 1 and words[-2] in MODIFIERS else word
    return ""


class Namer:
    """Names the columns of a table: those of one slot and kind share what the markup says."""

    def __init__(self, page: Page, records: Records, nodes: Sequence[int], first_records: Sequence[int]) -> None:
        """`nodes` has one node of each item, `first_records` the record that it is in."""
        self.page = page
        self.records = records
        self.nodes = nodes
        self.first_records = first_records
        self.said: dict[int, list[tuple[str, str]]] = {}

    def markup_names(self, node: int, kind: str, top: int) -> Iterator[tuple[str, str]]:
        """What attributes of an item's element and of the two around it call it: the name, and what said so."""
        if kind.startswith("data-"):
            yield " ".join(kind[5:].split("-")), kind
        page = self.page
        step = int(page.parent[node]) if page.tag[node] == TEXT else node
        for _ in range(3):
            if step < top:
                return
            if step not in self.said:
                self.said[step] = list(self.names_at(step))
            yield from self.said[step]
            step = int(page.parent[step])

    def names_at(self, element: int) -> Iterator[tuple[str, str]]:
        """What the attributes of an element call what is in it."""
        given = self.page.attributes(element)
        if not given:
            return
        if name := tidy(given.get("itemprop", "")):
            yield name, f"itemprop={name}"
        if name := class_name(given.get("class", "")) or class_name(given.get("id", "")):
            yield name, f"class={given.get('class') or given.get('id')}"
        label = given.get("data-title") or given.get("data-label", "")
        if int(self.page.tag[element]) in CELL_TAGS and (name := tidy(label)):
            yield name, f"data-title={name}"

    def header_names(self) -> dict[int, str]:
        """By item: the header of the table column that it is in."""
        page = self.page
        first = int(self.records.spans[0, 0]) if len(self.records) else 0
        if not len(self.records) or page.tag[first] != ROW:
            return {}
        headers = header_cells(page, first)
        if not headers:
            return {}
        found = {}
        for item, (node, record) in enumerate(zip(self.nodes, self.first_records, strict=True)):
            top = int(self.records.spans[record, 0])
            cell = node
            while cell > top and not (int(page.tag[cell]) in CELL_TAGS and page.parent[cell] == top):
                cell = int(page.parent[cell])
            if cell > top:
                column = cells_of(page, top).get(cell)
                if column is not None and headers.get(column):
                    found[item] = headers[column]
        return found


def span_of(page: Page, cell: int, name: str) -> int:
    """How many columns or rows a cell spans."""
    span = page.attributes(cell).get(name, "1")
    return min(max(1, int(span)), MAX_COLUMNS_OF_ROW) if span.isdecimal() and len(span) < 6 else 1


def cells_of(page: Page, row: int) -> dict[int, int]:
    """The cells of a table row, and the column that each is in."""
    found = {}
    column = 0
    for cell in page.children(row):
        if int(page.tag[cell]) in CELL_TAGS and column < MAX_COLUMNS_OF_ROW:
            found[cell] = column
            column += span_of(page, cell, "colspan")
    return found


def header_cells(page: Page, first: int) -> dict[int, str]:
    """By column: the header above a row. Headers of several rows are read from top to bottom.

    >>> page = Page("<table><tr><th rowspan=2>A<th colspan=2>B<tr><th>C<th>D<tr><td>1<td>2<td>3")
    >>> header_cells(page, [node for node in range(len(page)) if page.tag_name(node) == "tr"][2])
    {0: 'A', 1: 'B C', 2: 'B D'}
    """
    table = next((node for node in page.ancestors(first) if page.tag[node] == TABLE), NO_NODE)
    rows: list[int] = []
    if table == NO_NODE:
        return {}
    for row in range(first - 1, max(table, first - MAX_BACK), -1):
        if page.tag[row] == ROW and row + int(page.size[row]) <= first:
            if not is_header(page, row):
                break
            rows.append(row)
    if not rows:
        # Without such markup: the first row of the table, as wide as the others, all of it short words.
        row = next((child for child in page.children(int(page.parent[first])) if page.tag[child] == ROW), first)
        cells = [tidy(page.text(cell)) for cell in cells_of(page, row)]
        if row == first or len(cells) < 2 or len(cells) != len(cells_of(page, first)) or not all(cells):
            return {}
        rows = [row]
    grid: dict[tuple[int, int], str] = {}
    for number, row in enumerate(reversed(rows)):
        column = 0
        for cell in cells_of(page, row):
            while (number, column) in grid:
                column += 1
            text = tidy(page.text(cell))
            across, down = span_of(page, cell, "colspan"), min(span_of(page, cell, "rowspan"), len(rows) - number)
            for place in range(across * down):
                grid[number + place // across, column + place % across] = text
            column += across
    found: dict[int, str] = {}
    for (_, column), text in sorted(grid.items()):
        before = found.get(column, "")
        if text and not before.endswith(text):
            found[column] = f"{before} {text}".strip()
    return {column: tidy(text) for column, text in found.items()}


def is_header(page: Page, row: int) -> bool:
    """Whether a table row is marked up as a header."""
    cells = cells_of(page, row)
    of_headers = sum(page.tag[cell] == HEADER_CELL for cell in cells)
    return len(cells) > 1 and (2 * of_headers > len(cells) or page.tag[int(page.parent[row])] == HEAD)
