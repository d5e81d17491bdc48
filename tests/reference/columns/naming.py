"""Names columns, and tells their roles, in plain Python: the twin of `fastwrap._core.columns.naming`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from fastwrap._core.columns import markup
from fastwrap.columns.choice import WHOLE
from fastwrap.columns.headers import CELL_TAGS, header_names, tidy
from fastwrap.columns.layout import TEXT_ITEM, Item
from fastwrap.columns.naming import (
    ATTRIBUTE_NAMES,
    BY,
    COUNTED,
    CURRENCY_SIGN,
    NAMING_ATTRIBUTES,
    SAID_BETTER,
    TELLING,
    TYPE_ROLES,
    UNIT,
    Name,
    telling_word,
    unique,
)
from fastwrap.columns.naming import labels_of as labels_of_all
from fastwrap.columns.phrases import phrase_of
from fastwrap.columns.posts import leads_to_somebody
from fastwrap.columns.roles import NAMED, role_of_words
from fastwrap.columns.splitting import PARTICLES
from fastwrap.columns.table import Table
from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER
from tests.reference.columns.posts import find_posts
from tests.reference.columns.relations import SUBTITLE, Known, settle
from tests.reference.columns.table import transposed

LINK_TAG, TIME_TAG = TAG_NUMBER["a"], TAG_NUMBER["time"]
LINK_ATTRIBUTES = [ATTRIBUTE_NUMBER["href"], ATTRIBUTE_NUMBER["rel"]]

SAMPLES = 8
"""Texts that are looked at for where their links lead."""

PROFILES = 0.75
"""Of the links of a column, that lead to pages about somebody."""

PLAIN = {"description": TEXT_ITEM}
"""What a role of posts is called, if not as itself."""

NUMBERS = frozenset(("integer", "number", "money", "percent", "rating"))
NAMELESS = frozenset(("text", "integer", "number"))
"""Types that say little of what a column is."""

WHEN = frozenset(("date", "datetime", "time"))
OF_DIGITS = frozenset(
    (
        "price", "old price", "unit price", "discount", "reviews", "rating", "date", "time", "views", "votes",
        "replies", "number", "year", "phone", "salary", "duration", "id",
    )
)  # fmt: skip
"""Roles whose texts have digits."""

OF_MONEY = frozenset(("price", "old price", "unit price", "discount", "shipping", "salary", "size"))
OF_DATES = frozenset(("date", "time", "year", "availability", "status", "shipping", "duration"))
NOT_OF_NUMBERS = frozenset(("title", "description", "author", "location", "date", "category", "brand", "url", "badge"))

MOST_AROUND = 12
"""Elements around one that are looked at for whose property it names."""

LONGEST_REASON = 1_000
"""Characters of a class name that are kept as the reason of a name."""


class MarkupRoles:
    """What attributes of elements say of what is in them; each element is looked at once, and so are classes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        names = ("itemprop", "data-title", "data-label", *NAMING_ATTRIBUTES)
        self.attributes = [number_on(page, name) for name in names]
        self.known: dict[int, list[tuple[str, str, str]]] = {}
        self.by_class: dict[str, str] = {"": ""}

    def at(self, element: int) -> list[tuple[str, str, str]]:
        """What an element calls what is in it, best first: the name, the role, and what said so."""
        if element not in self.known:
            self.known[element] = list(self.found_at(element))
        return self.known[element]

    def owner_of(self, element: int) -> str:
        """The role of what has a name, of which an element names a property; nothing for properties of the record."""
        attributes = [ATTRIBUTE_NUMBER["itemscope"], ATTRIBUTE_NUMBER["itemprop"]]
        above = int(self.page.parent[element])
        for _ in range(MOST_AROUND):
            if above == NO_NODE:
                break
            scope, item = markup.values(self.page.native, above, attributes)
            if item or scope:
                role = role_of_words(item)
                return role if role in NAMED else ""
            above = int(self.page.parent[above])
        return ""

    def found_at(self, element: int) -> Iterable[tuple[str, str, str]]:
        """The same, not remembered."""
        values = markup.values(self.page.native, element, self.attributes)
        if not any(values):
            return
        item, title, label, *names = values
        if item and (name := tidy(item)):
            role = role_of_words(item)
            if role == "title" and (owner := self.owner_of(element)):
                # The name of an author is no title, and neither is the title of his job.
                role = owner if name == "name" else ""
            yield role or name, role, f"itemprop={name}"
        for attribute, said in zip(NAMING_ATTRIBUTES, names, strict=True):
            if not said:
                continue
            role = self.by_class.get(said, "?")
            if role == "?":
                role = self.by_class[said] = role_of_words(said, in_class=True)
            if role:
                name = SUBTITLE if role == "description" and SUBTITLE in said.lower() else role
                yield name, role, f"{attribute}={said}"[:LONGEST_REASON]
            elif word := telling_word(said):
                yield word, "", f"{attribute}={said}"[:LONGEST_REASON]
        label = title or label
        if label and int(self.page.tag[element]) in CELL_TAGS and (name := tidy(label)):
            yield name, role_of_words(name), f"data-title={name}"


def number_on(page: Page, attribute: str) -> int:
    """The number of an attribute's name on a page; NO_NODE if nothing there has it."""
    if attribute in ATTRIBUTE_NUMBER:
        return ATTRIBUTE_NUMBER[attribute]
    return next((number for number, name in page.custom_names.items() if name == attribute), NO_NODE)


def data_name(kind: str) -> str:
    """What the name of a data attribute calls its values; nothing for other items.

    >>> data_name("data-unit-price"), data_name("href")
    ('unit price', '')
    """
    return " ".join(kind[5:].split("-")) if kind.startswith("data-") else ""


def may_be(role: str, column: Known) -> bool:
    """Whether a column may have a role, by its type and its texts."""
    kind = column.type
    if role in ("link", "image"):
        return kind in ("url", "image")
    if role in OF_DIGITS and kind == "text" and column.digits < 0.5:
        return role in ("price", "old price", "date") and column.digits > 0.1
    if role == "title":
        return kind == "text"
    if role == "description":
        return kind == "text" and column.length >= 15
    if role == "author":
        return kind == "text" and column.length <= 60
    if kind == "money":
        return role in OF_MONEY
    if kind in WHEN:
        return role in OF_DATES
    if kind in NUMBERS:
        return role not in NOT_OF_NUMBERS
    return role != "url" or kind == "url" or column.points >= 0.5


def name_columns(table: Table) -> tuple[Name, ...]:
    """The names of all columns, none of them twice, of a table on the page that its layout was learned from."""
    items = [item for item in table.shown.column_items if item is not None]
    nodes, first_records = table.records.nodes_at(first_places(table, items))
    columns = known_columns(table, nodes)
    naming = Naming(table, columns, items, nodes, first_records)
    names = [naming.name_of(place) for place in range(len(columns))]
    for column, name in zip(columns, names, strict=True):
        column.role, column.is_said = name.role, "type" not in name.why
        column.label = " ".join(name.why.get(said, "") for said in ("label", "header")).strip()
    posts = find_posts(columns, naming)
    for place, role in posts.items():
        columns[place].role, columns[place].is_said = role, True
    roles = settle(columns, bool(posts))
    claimed = {place: PLAIN.get(role, role) for place, role in posts.items() if role}
    for place in posts.keys() - claimed.keys():
        names[place] = names[place]._replace(role="")
    for place, called in (roles | claimed).items():
        role = "description" if called in (SUBTITLE, TEXT_ITEM) else called
        if "header" not in names[place].why and not (naming.labels[place][1] and "label" in names[place].why):
            why = {"relation": called} if called else {"type": columns[place].type}
            names[place] = Name(called or TEXT_ITEM, why, role)
        elif role:
            names[place] = names[place]._replace(role=role)
    if table.layout.heading is not None:
        names.append(Name("section", {"heading": " ".join(table.layout.heading.tags)}, "category"))
    return unique(names, [place for place, called in claimed.items() if names[place].name == called])


def known_columns(table: Table, nodes: Sequence[int]) -> list[Known]:
    """What is known of the columns of a table, without headings of groups; given the first node of each."""
    shown, layout = table.shown, table.layout
    hidden, in_heading, typed, lists = table.records.page.hidden, layout.in_heading, table.typed, shown.list_columns
    hints = None if table.chosen is None else table.chosen.hints
    first, end = link_of(table)
    found = []
    columns: list[list[Any]] = transposed(table.texts, shown.width)
    for place, item in enumerate(shown.column_items):
        if item is None:
            continue
        cells, is_list = columns[place], place in lists
        if is_list:
            parts = (
                part for cell in cells if cell is not None for part in (cell if isinstance(cell, list) else [cell])
            )
            texts = [text for text in parts if text is not None]
        else:
            texts = [cell for cell in cells if cell is not None]
        found.append(
            Known(
                texts=texts,
                cells=cells,
                values=[] if is_list else typed[place].values,
                type=typed[place].type,
                is_text=item.kind == TEXT_ITEM,
                is_list=is_list,
                in_heading=in_heading[item.slot],
                in_link=first < item.slot < end,
                is_hidden=hidden.item(nodes[place]),
                relation=hints[place].relation if hints is not None else "link" if place == table.link else "",
            )
        )
    return found


def link_of(table: Table) -> tuple[int, int]:
    """The slot of the link to the record's own page, and the one after the last in it; the same ones for no link."""
    item = None if table.link == NO_NODE else table.shown.column_items[table.link]
    return (0, 0) if item is None else (item.slot, item.slot + table.layout.tree[3].item(item.slot))


class Naming:
    """What the columns of a table are called, by what stands around them."""

    def __init__(
        self, table: Table, columns: list[Known], items: list[Item], nodes: list[int], first_records: list[int]
    ) -> None:
        self.table = table
        self.columns = columns
        self.items = items
        records = table.records
        self.headers = header_names(records, nodes, first_records)
        self.roles = MarkupRoles(records.page)
        self.parents: list[int] = table.layout.tree[1].tolist()
        self.elements = markup.elements(records.page.native, nodes, records.spans[first_records, 0].tolist())
        self.labels = labels_of(table)
        self.inside = self.columns_inside()

    def columns_inside(self) -> dict[int, int]:
        """By slot: how many columns of texts are in it, if there are several. What a container is called names none of
        several."""
        counted: dict[int, int] = {}
        if sum(column.is_text for column in self.columns) < 2:
            return counted
        parents = self.parents
        for item, column in zip(self.items, self.columns, strict=True):
            slot = item.slot if column.is_text else NO_NODE
            while slot != NO_NODE:
                counted[slot] = counted.get(slot, 0) + 1
                slot = parents[slot]
        return counted

    def name_of(self, place: int) -> Name:
        """The name of a column."""
        item, column = self.items[place], self.columns[place]
        if column.relation:
            return Name(column.relation, {"relation": column.relation}, column.relation)
        label, is_name = self.labels[place]
        if place in self.headers and item.kind == TEXT_ITEM:
            header = self.headers[place]
            if label and is_name:
                return Name(f"{header} {label}", {"header": header, "label": label}, self.role(label, column))
            return Name(header, {"header": header}, self.role(header, column))
        if label and (named := self.by_label(label, is_name, column)):
            return named
        if name := data_name(item.kind):
            return Name(name, {"markup": item.kind}, self.role(name, column))
        if column.type == "rating":
            return Name("rating", {"type": "rating"}, "rating")
        named = self.by_markup(place) or self.by_texts(place)
        if named is None and label and column.type in NAMELESS and label.lower() not in PARTICLES:
            named = Name(label, {"label": label})
        return named or self.by_type(place)

    def role(self, words: str, column: Known) -> str:
        """The role that a label says, if the column may have it."""
        role = role_of_words(words)
        return role if may_be(role, column) else ""

    def by_label(self, label: str, is_name: bool, column: Known) -> Name | None:
        """The name that a label gives: one that is written as a name, or that says a role."""
        if CURRENCY_SIGN.fullmatch(label):
            return Name("price", {"label": label}, "price") if column.type in NUMBERS else None
        role = "author" if label.lower() in BY else self.role(label, column)
        if label.lower() in PARTICLES:
            return Name(role, {"label": label}, role) if role else None
        if role and not is_name and len(label.split()) > 2:
            return Name(role, {"label": label}, role)  # "starting from": words that say what it is, but no name
        return Name(label, {"label": label}, role) if role or is_name else None

    def by_markup(self, place: int) -> Name | None:
        """The name that the nearest element gives that says anything, of those that hold no other column."""
        item, column = self.items[place], self.columns[place]
        slot = item.slot
        for depth, element in enumerate(self.elements[place]):
            slot = self.parents[slot] if depth or item.kind == TEXT_ITEM else slot
            if depth and self.inside.get(slot, 0) > 1:
                break
            for name, role, why in self.roles.at(element):
                if item.kind in ATTRIBUTE_NAMES:
                    return Name(f"{name} {ATTRIBUTE_NAMES[item.kind]}", {"markup": why})
                if role in SAID_BETTER and (phrase := phrase_of(column.texts)) and phrase.role in SAID_BETTER[role]:
                    role = name = phrase.role
                if role == "link" and item.kind == TEXT_ITEM:
                    role = name = "url"
                if may_be(role, column) if role else column.type in (NAMELESS if name in TELLING else ("text",)):
                    return Name(name, {"markup": why}, role)
        return None

    def by_texts(self, place: int) -> Name | None:
        """The name that the texts say themselves: by the words behind numbers, or in most of them."""
        item, column = self.items[place], self.columns[place]
        if item.kind != TEXT_ITEM or not column.texts:
            return None
        if (phrase := phrase_of(column.texts)) is not None and (
            phrase.role in ("", "location", "author") or may_be(phrase.role, column)
        ):
            return Name(phrase.name, {"text": column.texts[0][:LONGEST_REASON]}, phrase.role)
        unit = self.table.typed[place].unit or ""
        if (
            column.type in ("integer", "number")
            and "…" not in unit
            and not unit.isupper()
            and (words := UNIT.findall(unit))
        ):
            role = role_of_words(unit)
            role = "reviews" if role == "rating" else role if role in COUNTED else ""
            return Name(role or words[-1].lower(), {"text": unit}, role)
        return None

    def is_profile(self, place: int) -> bool:
        """Whether most texts of a column are in links to pages about somebody; some of the records tell."""
        table, page = self.table, self.table.records.page
        if all(int(page.tag[element]) != LINK_TAG for element in self.elements[place]):
            return False
        slots = [self.items[place].slot]
        if table.chosen is not None:
            parts = table.chosen.choice.sources[place].items
            slots = [int(table.layout.places[0, item]) for part in parts for item in part]
        places = np.flatnonzero(np.isin(table.layout.into[table.slots], slots))
        places = places[:: max(1, len(places) // SAMPLES)][:SAMPLES]
        nodes, numbers = table.records.nodes_at(places.tolist())
        around = markup.elements(page.native, nodes, table.records.spans[numbers, 0].tolist())
        return sum(map(self.leads_to_somebody, around)) >= PROFILES * len(around)

    def leads_to_somebody(self, elements: list[int]) -> bool:
        """Whether the innermost link of elements leads to a page about somebody."""
        page = self.roles.page
        for element in elements:
            if int(page.tag[element]) == LINK_TAG:
                address, relation = markup.values(page.native, element, LINK_ATTRIBUTES)
                return relation == "author" or leads_to_somebody(address)
        return False

    def is_moment(self, place: int) -> bool:
        """Whether markup says that a column is of times."""
        tags = self.roles.page.tag
        return self.items[place].kind == "datetime" or any(
            int(tags[element]) == TIME_TAG for element in self.elements[place]
        )

    def by_type(self, place: int) -> Name:
        """The name that the type gives."""
        item, column = self.items[place], self.columns[place]
        role = TYPE_ROLES.get(column.type, "") if item.kind == TEXT_ITEM else ""
        name = ATTRIBUTE_NAMES.get(item.kind) or role or TEXT_ITEM
        return Name(name, {"type": column.type}, role)


def labels_of(table: Table) -> list[tuple[str, bool]]:
    """For each column what is written before its values, in a text of its own or at the beginning of each; and whether
    it is written as a name."""
    if table.chosen is not None:
        labels = [(hint.label, hint.is_name) for hint in table.chosen.hints]
        for place, source in enumerate(table.chosen.choice.sources):
            rule = table.layout.rules.get(source.first_item)
            if source.part != WHOLE and not labels[place][0] and rule is not None:
                labels[place] = tidy(rule.prefix), False
        return labels
    return labels_of_all(table)


def first_places(table: Table, items: list[Item]) -> list[int]:
    """For each item the place of the first node that it was read from, among all nodes of all records."""
    layout = table.layout
    first = np.zeros(len(layout.into), dtype=np.intp)
    # Of several places of a slot the last that is assigned stays: the first one.
    first[layout.into[table.slots[::-1]]] = np.arange(len(table.slots) - 1, -1, -1)
    places: list[int] = first[[item.slot for item in items]].tolist()
    return places
