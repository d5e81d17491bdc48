"""Names columns: by table headers, labels, what the markup calls the items, else by their type and position.
The first of these that says something decides; what it said is kept as table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fastwrap.columns.headers import CELL_TAGS, header_names, tidy
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.page import Page
from fastwrap.page.names import NO_NODE, TAG_NUMBER, TEXT

if TYPE_CHECKING:
    from fastwrap.columns.table import Table

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
NAMING_TAGS = frozenset(TAG_NUMBER[name] for name in ("dt", "th", "label"))

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


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
    numbered = []
    for name, why in names:
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name} {number}"
        taken.add(free)
        numbered.append(Name(free, why))
    return tuple(numbered)


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


def names_at(page: Page, element: int) -> Iterator[tuple[str, str]]:
    """What the attributes of an element call what is in it: the name, and what said so."""
    attributes = page.attributes(element)
    if not attributes:
        return
    if name := tidy(attributes.get("itemprop", "")):
        yield name, f"itemprop={name}"
    if name := class_name(attributes.get("class", "")) or class_name(attributes.get("id", "")):
        yield name, f"class={attributes.get('class') or attributes.get('id')}"
    label = attributes.get("data-title") or attributes.get("data-label", "")
    if int(page.tag[element]) in CELL_TAGS and (name := tidy(label)):
        yield name, f"data-title={name}"


def markup_name(page: Page, node: int, kind: str, top: int) -> tuple[str, str] | None:
    """What attributes of an item's element and of the two around it call it, and what said so; None if nothing does.

    `top` is the first node of its record.
    """
    if kind.startswith("data-"):
        return " ".join(kind[5:].split("-")), kind
    step = int(page.parent[node]) if page.tag[node] == TEXT else node
    for _ in range(3):
        if step < top:
            return None
        if said := next(names_at(page, step), None):
            return said
        step = int(page.parent[step])
    return None


def name_columns(table: Table) -> tuple[Name, ...]:
    """The names of all columns, none of them twice, of a table on the page that its layout was learned from."""
    records, layout = table.records, table.layout
    nodes, first_records = records.nodes_at(first_places(table))
    headers = header_names(records, nodes, first_records)
    titled = main_title(table)
    names: list[tuple[str, dict[str, str]]] = []
    for number, item in enumerate(layout.items):
        top = int(records.spans[first_records[number], 0])
        labels = item.rule.labels if item.rule is not None else [""]
        for part, label in enumerate(labels):
            column = item.column + part
            if number in headers and item.kind == TEXT_ITEM:
                name, why = headers[number], {"header": headers[number]}
                if len(labels) > 1 and label:
                    name, why = f"{name} {label}", {**why, "label": label}
            elif label and (name := tidy(label)):
                why = {"label": label}
            elif not part and item.kind == TEXT_ITEM and (label := label_before(table, number)):
                name, why = label, {"label": label}
            elif said := markup_name(records.page, nodes[number], item.kind, top):
                name, why = said[0], {"markup": said[1]}
                if item.kind in ATTRIBUTE_NAMES:
                    name = f"{name} {ATTRIBUTE_NAMES[item.kind]}"
            else:
                type_name = table.typed[column].type
                name = ATTRIBUTE_NAMES.get(item.kind) or TYPE_NAMES.get(type_name, TEXT_ITEM)
                why = {"type": type_name}
                if column == titled:
                    name = "title"
            names.append((name, why))
    if layout.heading is not None:
        names.append(("section", {"heading": " ".join(layout.heading.tags)}))
    return unique(names)


def first_places(table: Table) -> list[int]:
    """For each item the place of the first node that it was read from, among all nodes of all records."""
    slot, first = np.unique(table.layout.into[table.slots], return_index=True)
    by_slot = dict(zip(slot.tolist(), first.tolist(), strict=True))
    return [by_slot[item.slot] for item in table.layout.items]


def label_before(table: Table, number: int) -> str:
    """What the fixed text before a text calls it: if it ends with a colon, or is in an element for names."""
    layout = table.layout
    item = layout.items[number]
    if number == 0:
        return ""
    before = layout.items[number - 1]
    if before.kind != TEXT_ITEM or before.rule is not None or before.list != NO_NODE or item.list != NO_NODE:
        return ""
    said = {row[before.column] for row in table.texts} - {None}
    if len(said) != 1:
        return ""
    text = said.pop()
    if not isinstance(text, str):
        return ""
    above = int(layout.tree[1, before.slot])
    in_naming_tag = above != NO_NODE and int(layout.tree[0, above]) in NAMING_TAGS
    return tidy(text) if text.endswith(":") or in_naming_tag else ""


def main_title(table: Table) -> int:
    """The column of the titles: the texts in a heading, else those of the main link, else the first that differ."""
    layout = table.layout
    tag = layout.tree[0]
    texts = [
        item
        for item in layout.items
        if item.kind == TEXT_ITEM
        and item.list == NO_NODE
        and not table.fixed[item.column]
        and table.typed[item.column].type == "text"
    ]
    linked = next((item.slot for item in layout.items if item.column == table.link), NO_NODE)
    for item in texts:
        if any(int(tag[above]) in HEADINGS for above in layout.slots_around(item.slot)):
            return item.column
    for item in texts:
        if linked != NO_NODE and item.slot != linked and item.slot in layout.slots_below(linked):
            return item.column
    return texts[0].column if texts else NO_NODE
