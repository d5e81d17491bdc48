"""From the records of a region to its table: `learn` finds the template of the records, `apply` reads by one."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urljoin

import numpy as np
import numpy.typing as npt

from fastwrap.columns.layout import TEXT_ITEM, Layout
from fastwrap.columns.naming import ATTRIBUTE_NAMES, HEADINGS, NAMING_TAGS, TYPE_NAMES, Namer, tidy, unique
from fastwrap.columns.records import BUDGET, FILES, KINDS, WORDS, Cell, Learned, Records, limits_of, nested, transposed
from fastwrap.columns.sections import Heading, find_heading
from fastwrap.columns.splitting import Rule, file_name_rule, find_rule
from fastwrap.columns.template import Description, Template
from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import CUSTOM, NO_NODE
from fastwrap.types import TypedColumn, type_columns

NO_PAGES = ("javascript:", "mailto:", "tel:", "#", "data:")
"""What links that lead to no page begin with."""

TEMPLATE_SHARE = 0.8
"""An item that is the same in more of the records belongs to the template (seed 000, 4.1)."""


class Described(NamedTuple):
    """What a column is."""

    name: str
    type: str
    path: str
    template: bool
    why: Mapping[str, str]
    columns: tuple[Described, ...] = ()


class Findings(NamedTuple):
    """What `learn` finds: all that a template is made of."""

    learned: Learned
    rules: Mapping[int, Rule]
    heading: Heading | None


class Table:
    """The items of records in columns."""

    def __init__(
        self,
        source: Template | Findings,
        records: Records,
        slots: Int32Array,
        texts: list[list[Cell]],
        limits: tuple[str, ...],
    ) -> None:
        self._source = source
        self.records = records
        self.slots = slots
        """Where each node of all records is in the template's tree; NO_NODE for what it does not know."""
        self.texts = texts
        """For each record one raw string a column, None where one is absent. A nested list is as many columns as it
        has itself, each with a list of strings, which are in step."""
        self.limits = limits
        """The steps that stopped at their budget: "alignment" (some records were placed by their tags alone), "folding"
        (no lists were looked for), "columns" (those with the fewest items were left out)."""

    def __repr__(self) -> str:
        return f"<Table of {len(self.texts)} records, {self.layout.width} columns>"

    @lazy_property
    def template(self) -> Template:
        """What the records are read by; made when it is asked for, if it was learned from them."""
        if isinstance(self._source, Template):
            return self._source
        template = template_of(self.records.page, self.layout, self._source.learned)
        # A table knows its template. Were the reverse true, too, only the garbage collector could free the page.
        known, records, slots, texts, limits = weakref.ref(self), self.records, self.slots, self.texts, self.limits
        template.learned_from(lambda own: describe(known() or Table(own, records, slots, texts, limits)))
        return template

    @lazy_property
    def layout(self) -> Layout:
        """Which columns there are."""
        if isinstance(self._source, Template):
            return self._source
        learned, rules, heading = self._source
        names = self.records.page.custom_names
        kinds = (*KINDS, *[names[number] for number in learned.data], TEXT_ITEM)
        return Layout(learned.places, kinds, rules, heading)

    @property
    def unknown(self) -> int:
        """How many nodes of the records the template does not know."""
        return int(np.count_nonzero(self.slots == NO_NODE))

    @lazy_property
    def nested_texts(self) -> list[list[Any]]:
        """The texts with one column for each nested list: a list of strings, or, if the list has several columns
        itself, of rows."""
        if isinstance(self._source, Findings) and not self._source.learned.lists:
            return self.texts
        return nested(self.texts, self.layout.groups) if self.layout.groups else self.texts

    @lazy_property
    def nested_values(self) -> list[list[Any]]:
        """The same as values of the columns' types; None for what does not read as the type."""
        if not self.layout.groups:
            return transposed([column.values for column in self.typed], len(self.texts))
        found: list[list[Any]] = []
        for group in self.layout.groups:
            own: list[list[Any]] = [self.typed[column].values for column in group]
            if self.layout.is_list(group[0]):
                entries = own[0] if len(group) == 1 else transposed(own, len(own[0]))
                start, cells = 0, []
                for row in self.texts:
                    cell = row[group[0]]
                    # A record without the list has one None among the entries of all lists.
                    end = start + (1 if cell is None else len(cell))
                    cells.append(None if cell is None else entries[start:end])
                    start = end
                found.append(cells)
            else:
                found.append(own[0])
        return transposed(found, len(self.texts))

    @lazy_property
    def fixed(self) -> list[bool]:
        """For each column whether more than 80% of the records have the same there."""
        enough = TEMPLATE_SHARE * len(self.texts)
        found = []
        for column in zip(*self.texts, strict=True):
            filled = Counter(tuple(cell) if isinstance(cell, list) else cell for cell in column if cell is not None)
            found.append(bool(filled) and max(filled.values()) > enough)
        if found and self.layout.heading is not None:
            found[-1] = False  # there are several, which is what makes them a column
        return found or [False] * self.layout.width

    @lazy_property
    def typed(self) -> list[TypedColumn]:
        """The type of each column, and its values as that type; those of all lists one after the other."""
        page = self.records.page
        columns: list[list[Any]] = transposed(self.texts, self.layout.width)
        if self.layout.groups:
            for number, column in enumerate(columns):
                if self.layout.is_list(number):
                    columns[number] = [part for cell in column for part in (cell if isinstance(cell, list) else [cell])]
        return type_columns(columns, self.layout.column_kinds, page.url, page.language)

    def described(self) -> list[Described]:
        """What the columns are."""
        template = self.template
        paths = [template.path(item) for item in template.items for _ in range(item.width)]
        paths += ["heading"] * (template.width - len(paths))
        return [
            Described(name, typed.type, path, fixed, why)
            for (name, why), typed, path, fixed in zip(template.names, self.typed, paths, self.fixed, strict=True)
        ]

    def nested_columns(self) -> list[Described]:
        """What the columns of the nested texts are. A list has columns of its own, and is called as its first text."""
        flat = self.described()
        if not self.layout.groups:
            return flat
        found = []
        for group in self.layout.groups:
            own = [flat[column] for column in group]
            if self.layout.is_list(group[0]):
                main = next((column for column in own if column.path.endswith("#text")), own[0])
                found.append(main._replace(type="text" if len(own) > 1 else main.type, columns=tuple(own)))
            else:
                found.append(own[0])
        return found

    @lazy_property
    def links(self) -> list[str | None]:
        """The address of each record's own page, absolute where the address of the list is known."""
        column, url = self.template.link, self.records.page.url
        found: list[str | None] = []
        for row in self.texts:
            link = None if column == NO_NODE else row[column]
            found.append((join_address(url, link) if url else link) if isinstance(link, str) else None)
        return found


def learn(page: Page, spans: npt.ArrayLike, budget: int = BUDGET) -> Table:
    """Find the template of records, and read them by it: a table, of which `.template` is what was learned.

    `spans` are runs of siblings with all below them, as first nodes and nodes after the last.

    >>> page = Page("<ul><li><b>a</b><i>1</i><li><b>b</b><u>new</u><i>2</i><li><b>c</b></ul>")
    >>> learn(page, [[4, 9], [9, 16], [16, 19]]).texts
    [['a', None, '1'], ['b', 'new', '2'], ['c', None, None]]
    """
    records = Records(page, spans)
    learned = records.learn(budget)
    rows = learned.rows
    rules = find_rules(learned)
    split_all(rows, rules)
    heading = None
    if records.extent != len(learned.slots) and (found := find_heading(page, records.spans)) is not None:
        heading, texts = found
        add_column(rows, texts)
    return Table(Findings(learned, rules, heading), records, learned.slots, rows, limits_of(learned.limits))


def template_of(page: Page, layout: Layout, learned: Learned) -> Template:
    """The template that was learned from the records of a page."""
    names = page.custom_names
    tag, _, _, _, into, unit, _, repeats = learned.tree
    return Template(
        places=layout.places,
        kinds=layout.kinds,
        rules=layout.rules,
        heading=layout.heading,
        tree=learned.tree[:4],
        into=into,
        unit=unit,
        repeats=repeats,
        tag_names={number: names[number] for number in tag.tolist() if number >= CUSTOM},
    )


def apply(template: Template, page: Page, spans: npt.ArrayLike, budget: int = BUDGET) -> Table:
    """Read the records of a page by a template that was learned from it or from another page of the site.

    >>> page = Page("<ul><li><b>a</b><i>1</i><li><b>b</b><u>new</u><i>2</i><li><b>c</b></ul>")
    >>> template = learn(page, [[4, 9], [9, 16], [16, 19]]).template
    >>> other = Page("<ol><li><i>8</i><q>?</q><li><b>z</b><i>9</i></ol>")
    >>> table = apply(template, other, [[4, 9], [9, 14]])
    >>> table.texts, table.unknown
    ([[None, None, '8'], ['z', None, '9']], 2)
    """
    records = Records(page, spans)
    slots, rows, limits = records.read(template.reader, budget)
    split_all(rows, template.rules)
    if template.heading is not None:
        add_column(rows, template.heading.texts(page, records.spans))
    return Table(template, records, slots, rows, limits)


def find_rules(learned: Learned) -> dict[int, Rule]:
    """The rules of items that are to be split."""
    rules = {}
    for place, ways in learned.split:
        texts = [cell for row in learned.rows if type(cell := row[place]) is str]
        rule = file_name_rule(texts) if ways == FILES else find_rule(texts, ways != WORDS)
        if rule is not None:
            rules[place] = rule
    return rules


def split_all(rows: list[list[Cell]], rules: Mapping[int, Rule]) -> None:
    """Split the items that have a rule, in place."""
    for place in sorted(rules, reverse=True):
        rule = rules[place]
        nothing: list[str | None] = [None] * rule.width
        for row in rows:
            cell = row[place]
            row[place : place + 1] = rule.apply(cell) if isinstance(cell, str) else nothing


def add_column(rows: list[list[Cell]], texts: list[str | None]) -> None:
    """Add a last column."""
    for row, text in zip(rows, texts, strict=True):
        row.append(text)


def join_address(url: str, link: str) -> str:
    """An absolute address; the link as it stands if it is none."""
    try:
        return urljoin(url, link.strip())
    except ValueError:
        return link


def describe(table: Table) -> Description:
    """Name the columns of a table that a template was learned from, and find the link to each record's own page."""
    template, records = table.template, table.records
    page = records.page
    places = first_places(table)
    nodes, of_records = records.nodes_at(places)
    namer = Namer(page, records, nodes, of_records)
    headers = namer.header_names()
    titled = main_title(table, link := main_link(table))
    found: list[tuple[str, dict[str, str]]] = []
    for number, item in enumerate(template.items):
        node, top = nodes[number], int(records.spans[namer.first_records[number], 0])
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
            elif given := next(namer.markup_names(node, item.kind, top), None):
                name, why = given[0], {"markup": given[1]}
                if item.kind in ATTRIBUTE_NAMES:
                    name = f"{name} {ATTRIBUTE_NAMES[item.kind]}"
            else:
                own_type = table.typed[column].type
                name = ATTRIBUTE_NAMES.get(item.kind) or TYPE_NAMES.get(own_type, TEXT_ITEM)
                why = {"type": own_type}
                if column == titled:
                    name = "title"
            found.append((name, why))
    if template.heading is not None:
        found.append(("section", {"heading": " ".join(template.heading.tags)}))
    return Description(unique(found), link)


def first_places(table: Table) -> list[int]:
    """For each item the place of the first node that it was read from, among all nodes of all records."""
    into = table.template.into[table.slots]
    slot, first = np.unique(into, return_index=True)
    by_slot = dict(zip(slot.tolist(), first.tolist(), strict=True))
    return [by_slot[item.slot] for item in table.template.items]


def label_before(table: Table, number: int) -> str:
    """What the fixed text before a text calls it: if it ends with a colon, or is in an element for names."""
    template = table.template
    item = template.items[number]
    if number == 0:
        return ""
    before = template.items[number - 1]
    if before.kind != TEXT_ITEM or before.rule is not None or before.list != NO_NODE or item.list != NO_NODE:
        return ""
    said = {row[before.column] for row in table.texts} - {None}
    if len(said) != 1:
        return ""
    text = said.pop()
    tag, parent = template.tree[0], template.tree[1]
    above = int(parent[before.slot])
    names = isinstance(text, str) and (text.endswith(":") or (above >= 0 and int(tag[above]) in NAMING_TAGS))
    return tidy(text) if names and isinstance(text, str) else ""


def main_link(table: Table) -> int:
    """The column of the links to the records' own pages: of those that differ most, the one with a title in it."""
    template = table.template
    tag, parent, _, size = template.tree
    best, best_score = NO_NODE, 0.0
    texts = {item.slot: item for item in template.items if item.kind == TEXT_ITEM}
    for item in template.items:
        if item.kind != "href" or item.list != NO_NODE:
            continue
        links = [row[item.column] for row in table.texts if isinstance(row[item.column], str)]
        links = [link for link in links if not str(link).lower().startswith(NO_PAGES)]
        if 2 * len(links) < len(table.texts) or not links:
            continue
        score = len(set(links)) / len(table.texts)
        slot = item.slot
        inside = [texts[below] for below in range(slot, slot + int(size[slot])) if below in texts]
        if any(not table.fixed[own.column] for own in inside):
            score += 0.5  # a text that differs is in it
        around = [slot, *ancestors_of(parent, slot), *range(slot, slot + int(size[slot]))]
        if any(int(tag[near]) in HEADINGS for near in around):
            score += 0.3
        if score > best_score:
            best, best_score = item.column, score
    return best


def main_title(table: Table, link: int) -> int:
    """The column of the titles: the texts in a heading, else those of the main link, else the first that differ."""
    template = table.template
    tag, parent, _, size = template.tree
    texts = [
        item
        for item in template.items
        if item.kind == TEXT_ITEM
        and item.list == NO_NODE
        and not table.fixed[item.column]
        and table.typed[item.column].type == "text"
    ]
    linked = next((item.slot for item in template.items if item.column == link), NO_NODE)
    for item in texts:
        if any(int(tag[above]) in HEADINGS for above in ancestors_of(parent, item.slot)):
            return item.column
    for item in texts:
        if linked != NO_NODE and linked < item.slot < linked + int(size[linked]):
            return item.column
    return texts[0].column if texts else NO_NODE


def ancestors_of(parent: Int32Array, slot: int) -> list[int]:
    """The slots around a slot, up to the top."""
    found = []
    while (slot := int(parent[slot])) != NO_NODE:
        found.append(slot)
    return found
