"""Names columns: by table headers, labels, what the markup calls the items, else by their type and position.
The first of these that says something decides; what it said is kept as table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fastwrap._core.columns import markup
from fastwrap.columns.headers import CELL_TAGS, header_names, tidy
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER

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

NAMING_TAGS = frozenset(TAG_NUMBER[name] for name in ("dt", "th", "label"))

LONGEST_REASON = 1_000
"""Characters of a class name that are kept as the reason of a name."""

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
    # By name, the last number that was tried: what was taken before is taken still, and is not tried again.
    taken: dict[str, int] = {}
    numbered = []
    for name, why in names:
        free = name
        if name in taken:
            number = taken[name]
            while free in taken:
                number += 1
                free = f"{name} {number}"
            taken[name] = number
        taken[free] = 1
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


class MarkupNames:
    """What attributes of elements call what is in them; each element is looked at once, and so are classes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.attributes = [number_on(page, name) for name in ("itemprop", "class", "id", "data-title", "data-label")]
        self.known: dict[int, tuple[str, str] | None] = {}
        self.by_class: dict[str, str] = {"": ""}

    def at(self, element: int) -> tuple[str, str] | None:
        """What an element calls what is in it, and what said so; None if nothing does."""
        item, classes, identifier, *labels = markup.values(self.page.native, element, self.attributes)
        if item and (name := tidy(item)):
            return name, f"itemprop={name}"
        named = self.by_class.get(classes)
        if named is None:
            named = self.by_class[classes] = class_name(classes)
        if named or (identifier and (named := class_name(identifier))):
            return named, f"class={classes or identifier}"[:LONGEST_REASON]
        label = labels[0] or labels[1]
        if label and int(self.page.tag[element]) in CELL_TAGS and (name := tidy(label)):
            return name, f"data-title={name}"
        return None

    def among(self, elements: list[int]) -> tuple[str, str] | None:
        """What the first of some elements says that says anything."""
        for element in elements:
            if element not in self.known:
                self.known[element] = self.at(element)
            if said := self.known[element]:
                return said
        return None


def number_on(page: Page, attribute: str) -> int:
    """The number of an attribute's name on a page; NO_NODE if nothing there has it."""
    if attribute in ATTRIBUTE_NUMBER:
        return ATTRIBUTE_NUMBER[attribute]
    return next((number for number, name in page.custom_names.items() if name == attribute), NO_NODE)


def data_name(kind: str) -> tuple[str, str] | None:
    """What the name of a data attribute calls its values; None for other items.

    >>> data_name("data-unit-price"), data_name("href")
    (('unit price', 'data-unit-price'), None)
    """
    return (" ".join(kind[5:].split("-")), kind) if kind.startswith("data-") else None


def name_columns(table: Table) -> tuple[Name, ...]:
    """The names of all columns, none of them twice, of a table on the page that its layout was learned from."""
    records, layout = table.records, table.layout
    nodes, first_records = records.nodes_at(first_places(table))
    headers = header_names(records, nodes, first_records)
    before = labels_before(table)
    markup_names = MarkupNames(records.page)
    titled = main_title(table)
    names: list[tuple[str, dict[str, str]]] = []
    elements = markup.elements(records.page.native, nodes, records.spans[first_records, 0].tolist())
    for number, item in enumerate(layout.items):
        labels = item.rule.labels if item.rule is not None else [""]
        for part, label in enumerate(labels):
            column = item.column + part
            if number in headers and item.kind == TEXT_ITEM:
                name, why = headers[number], {"header": headers[number]}
                if len(labels) > 1 and label:
                    name, why = f"{name} {label}", {**why, "label": label}
            elif label and (name := tidy(label)):
                why = {"label": label}
            elif not part and (label := before[number]):
                name, why = label, {"label": label}
            elif said := data_name(item.kind) or markup_names.among(elements[number]):
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
    layout = table.layout
    first = np.empty(len(layout.into), dtype=np.intp)
    # Of several places of a slot the last that is assigned stays: the first one.
    first[layout.into[table.slots[::-1]]] = np.arange(len(table.slots) - 1, -1, -1)
    places: list[int] = first[layout.places[0]].tolist()
    return places


def labels_before(table: Table) -> list[str]:
    """For each item what the fixed text before it calls it, if both are texts: one that ends with a colon, or is in an
    element for names; nothing for most."""
    layout = table.layout
    tags, parents = layout.tree[0].tolist(), layout.tree[1].tolist()
    labels = [""] * len(layout.items)
    before = None
    for number, item in enumerate(layout.items):
        if item.kind != TEXT_ITEM or item.list != NO_NODE:
            before = None
            continue
        if before is not None:
            place, above = before.column, parents[before.slot]
            text = next((cell for row in table.texts if (cell := row[place]) is not None), None)
            if (
                isinstance(text, str)
                and (text.endswith(":") or (above != NO_NODE and tags[above] in NAMING_TAGS))
                and all(row[place] is None or row[place] == text for row in table.texts)
            ):
                labels[number] = tidy(text)
        before = item if item.rule is None else None
    return labels


def main_title(table: Table) -> int:
    """The column of the titles: the texts in a heading, else those of the main link, else the first that differ."""
    layout = table.layout
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
        if layout.in_heading[item.slot]:
            return item.column
    for item in texts:
        if linked != NO_NODE and linked < item.slot < linked + int(layout.tree[3, linked]):
            return item.column
    return texts[0].column if texts else NO_NODE
