"""The table of a region: the items of its records in columns, and what the columns are.
Texts are there at once; values, names and links are found when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from fastwrap._core.columns.table import fixed, nested, transposed
from fastwrap.columns.choice import REASONS, Choice, Hint
from fastwrap.columns.layout import Layout
from fastwrap.columns.links import main_link
from fastwrap.columns.naming import Name, name_columns
from fastwrap.columns.records import Cell, Records
from fastwrap.columns.shown import ShownColumns
from fastwrap.columns.template import Template
from fastwrap.common.lazy import lazy_property
from fastwrap.page.addresses import base_of
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import CUSTOM, NO_NODE
from fastwrap.types import TypedColumn, type_columns

DIGITS = re.compile(r"\d+")

LONGEST_DATED = 40
"""Characters of a text in which the day of a date is looked for."""

LEAST_DATED = 3
"""Records of which data must say the date before it is believed."""

MOST_DESCRIPTIONS = 64
"""Descriptions of its columns that a template remembers: pages differ in the types that their values show."""

TEMPLATE_SHARE = 0.8
"""An item that is the same in more of the records belongs to the template (Moura 2018, 4.1)."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a region."""

    name: str
    """What it is called; no two columns of a region have the same name."""
    type: str
    """One of `fastwrap.types.TYPES`."""
    path: str
    """The tags from the top of a record down to the items, then #text or the attribute; of very long ones the end."""
    template: bool
    """Whether the items are the same in more than 80% of the records."""
    why: Mapping[str, str]
    """What the name rests on: header, label, markup or type, and what was found there."""
    columns: tuple[Column, ...] = ()
    """Of a nested list: its columns; none for other columns."""
    role: str = ""
    """What it is, if that is known: one of `fastwrap.columns.roles.ROLES`."""
    unit: str = ""
    """What all numbers of the column have: "km", "reviews", "% off", "out of 5"; with words before the numbers an
    ellipsis stands for these, as in "from …"."""


def described(column: Column) -> dict[str, Any]:
    """What JSON says of a column; of a list with its columns.

    >>> described(Column("price", "money", "b/#text", False, {}, role="price"))
    {'name': 'price', 'type': 'money', 'role': 'price'}
    """
    said = simple_description(column.name, column.type, column.role, column.unit)
    return {**said, "columns": [described(inner) for inner in column.columns]} if column.columns else said


def simple_description(name: str, kind: str, role: str, unit: str | None) -> dict[str, Any]:
    """The same of a column without columns."""
    said = {"name": name, "type": kind}
    if role:
        said["role"] = role
    if unit:
        said["unit"] = unit
    return said


def says_nothing(column: Column) -> bool:
    """Whether the name of a column says no more than the type or the unit of its values.

    >>> says_nothing(Column("number", "integer", "p/#text", False, {"type": "integer"}, role="number"))
    True
    """
    if column.columns:
        return False
    if column.why.keys() == {"type"}:
        return column.role in ("", "number")
    return column.why.keys() == {"text"} and bool(column.unit) and not column.role


def may_be_told(column: Column) -> bool:
    """Whether data may tell more of a column: its name says nothing, or it is a date that does not read as one."""
    return says_nothing(column) or (column.type == "text" and column.role == "date" and not column.columns)


def places_with_days(table: Table, days: int) -> list[int]:
    """The columns, lists counted as one, that data may show to be dates: texts that are none as they stand, but have
    the number of one of the days of months that data has (as bits), in as many records as it must agree with."""
    found = []
    for place, group in enumerate(table.groups):
        if len(group) > 1 or table.typed[group[0]].type != "text" or group[0] in table.shown.list_columns:
            continue
        cells = [cell[:LONGEST_DATED] for row in table.texts if isinstance(cell := row[group[0]], str)]
        # Most columns of texts have no number at all.
        if DIGITS.search(" ".join(cells)) and sum(has_day(cell, days) for cell in cells) >= LEAST_DATED:
            found.append(place)
    return found


def has_day(text: str, days: int) -> bool:
    """Whether a text has a number that is one of the days.

    >>> has_day("3 May", 1 << 3), has_day("May 2003", 1 << 3), has_day("4,3", 1 << 3)
    (True, False, True)
    """
    return any((day := int(number)) < 32 and days >> day & 1 for number in DIGITS.findall(text))


class Chosen(NamedTuple):
    """A choice of columns that was made of the records of a table."""

    choice: Choice
    hints: list[Hint]
    """What is known of each column."""
    reasons: bytes
    """For each item which of `choice.REASONS` speaks against it."""


class LeftOut(NamedTuple):
    """An item of the records that is not shown."""

    path: str
    """As in `Column`."""
    why: str


class Table:
    """The items of records in columns: all of them, or those that were chosen."""

    def __init__(
        self,
        layout: Layout | Callable[[], Layout],
        records: Records,
        slots: Int32Array,
        texts: list[list[Cell]],
        limits: tuple[str, ...],
        chosen: Chosen | None = None,
    ) -> None:
        self._layout = layout
        self.records = records
        self.slots = slots
        """Where each node of all records is in the layout's tree; NO_NODE for what it does not know."""
        self.texts = texts
        """For each record one raw string per column, None where one is absent. A nested list is as many columns as it
        has itself, each with a list of strings, which are in step."""
        self.chosen = chosen
        """The choice that was made of these records; None if there was none, or a template has it."""
        self.limits = limits
        """The budgets that were met: those of `fastwrap.limits` that begin with "columns."."""

    def __repr__(self) -> str:
        return f"<Table of {len(self.texts)} records, {self.shown.width} columns>"

    @lazy_property
    def layout(self) -> Layout:
        """Which columns there are; the `Template` itself, if the records were read by one."""
        return self._layout if isinstance(self._layout, Layout) else self._layout()

    @lazy_property
    def shown(self) -> Layout | ShownColumns:
        """The columns that are shown."""
        if isinstance(self.layout, Template):
            return self.layout.shown
        return self.layout if self.chosen is None else ShownColumns(self.layout, self.chosen.choice)

    @property
    def left_out(self) -> list[LeftOut]:
        """The items that are not shown, and why; none where all are, or where a template says what is shown."""
        if self.chosen is None:
            return []
        return [
            LeftOut(self.layout.path_of(item), REASONS[why])
            for item, why in zip(self.layout.items, self.chosen.reasons, strict=True)
            if why
        ]

    @lazy_property
    def template(self) -> Template:
        """What other records like these are read by, with the names of the columns."""
        if isinstance(self.layout, Template):
            return self.layout
        parts = {field.name: getattr(self.layout, field.name) for field in fields(Layout)}
        used = {number: self.layout.tag_names[number] for number in self.layout.tree[0].tolist() if number >= CUSTOM}
        return Template(
            **{**parts, "tag_names": used}, names=self.names, link=self.link, choice=self.chosen and self.chosen.choice
        )

    @lazy_property
    def names(self) -> tuple[Name, ...]:
        """The names of the columns, none of them twice, and what they rest on."""
        if isinstance(self.layout, Template):
            return self.layout.names
        return name_columns(self)

    @lazy_property
    def link(self) -> int:
        """The column of the links to the records' own pages; NO_NODE if there is none."""
        if isinstance(self.layout, Template):
            return self.layout.link
        if self.chosen is not None:
            links = (column for column, hint in enumerate(self.chosen.hints) if hint.relation == "link")
            return next(links, NO_NODE)
        return main_link(self)

    @property
    def unknown(self) -> int:
        """How many nodes of the records the template does not know."""
        return int(np.count_nonzero(self.slots == NO_NODE))

    @property
    def groups(self) -> list[list[int]]:
        """The columns that are shown as one, in order; nearly always each is by itself."""
        return self.shown.groups or [[column] for column in range(self.shown.width)]

    @lazy_property
    def nested_texts(self) -> list[list[Any]]:
        """The texts with one column for each nested list: a list of strings, or, if the list has several columns
        itself, of rows."""
        if self.chosen is not None or not self.shown.groups:  # of what is chosen, a list is one column
            return self.texts
        return nested(self.texts, self.shown.groups)

    @lazy_property
    def value_columns(self) -> list[list[Any]]:
        """For each column what every record has in it: a value of its type, or a list of them; what does not read as
        the type stays a string. A nested list is as many columns as it has itself."""
        columns: list[list[Any]] = [column.values for column in self.typed]
        for number in self.shown.list_columns if self.shown.lists else ():
            values, columns[number], end = columns[number], [], 0
            for row in self.texts:
                # A record without the list has one None among the entries of all lists.
                cell, start = row[number], end
                end += 1 if cell is None else len(cell)
                columns[number].append(None if cell is None else values[start:end])
        return columns

    @lazy_property
    def nested_values(self) -> list[list[Any]]:
        """The same as values of the columns' types; what does not read as the type stays a string."""
        rows = transposed(self.value_columns, len(self.texts))
        return nested(rows, self.shown.groups) if self.shown.groups else rows

    @lazy_property
    def fixed(self) -> list[bool]:
        """For each column whether more than 80% of the records have the same there."""
        found = fixed(self.texts, self.shown.width, TEMPLATE_SHARE * len(self.texts))
        if self.layout.heading is not None:
            found[-1] = False  # there are several, which is what makes them a column
        return found

    @lazy_property
    def typed(self) -> list[TypedColumn]:
        """The type of each column, and its values as that type; those of all lists one after the other."""
        page = self.records.page
        columns = self._strings
        if self.shown.lists:
            columns = [*columns]
            for number in self.shown.list_columns:
                columns[number] = [
                    part for cell in columns[number] for part in (cell if isinstance(cell, list) else [cell])
                ]
        return type_columns(columns, self.shown.column_kinds, page.url, page.language, page.base)

    @lazy_property
    def _strings(self) -> list[list[Any]]:
        """The texts by column."""
        return transposed(self.texts, self.shown.width)

    @lazy_property
    def columns(self) -> list[Column]:
        """What the columns are, those of nested lists one by one."""
        return [
            Column(name.name, typed.type, path, fixed, name.why, unit=typed.unit or "", role=name.role)
            for name, typed, path, fixed in zip(self.names, self.typed, self.shown.paths, self.fixed, strict=True)
        ]

    @lazy_property
    def nested_columns(self) -> list[Column]:
        """What the columns of the nested texts are. A list has columns of its own, and is called as its first text."""
        if not self.shown.lists:
            return self.columns
        shown = []
        for number, group in zip(self.shown.main_columns, self.groups, strict=True):
            main = self.columns[number]
            if number in self.shown.list_columns:
                columns = tuple(self.columns[column] for column in group)
                main = replace(main, columns=columns)
                if len(columns) > 1:
                    main = replace(main, type="text", unit="")
            shown.append(main)
        return shown

    @property
    def described(self) -> list[dict[str, Any]]:
        """What JSON says of the columns of the nested texts. It does not say what takes longest to find out."""
        if self.shown.groups:
            return [described(column) for column in self.nested_columns]
        # On most pages that a template reads, its columns have the same types.
        known = self.layout.descriptions if isinstance(self.layout, Template) else {}
        types = tuple([(column.type, column.unit) for column in self.typed])
        found = known.get(types)
        if found is None:
            found = [
                simple_description(name.name, kind, name.role, unit)
                for name, (kind, unit) in zip(self.names, types, strict=True)
            ]
            for number in self.shown.list_columns if self.shown.lists else ():
                found[number]["columns"] = [dict(found[number])]
            if len(known) < MOST_DESCRIPTIONS:
                known[types] = found
        return found

    @lazy_property
    def links(self) -> list[str | None]:
        """The address of each record's own page, absolute where the base of the page is known; None where it
        leads nowhere."""
        if self.link == NO_NODE:
            return [None] * len(self.texts)
        cells = self._strings[self.link]
        if self.shown.lists and self.link in self.shown.list_columns:
            cells = [cell if isinstance(cell, str) else None for cell in cells]
        return base_of(self.records.page.base).resolve(cells)
