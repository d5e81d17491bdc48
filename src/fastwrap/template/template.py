"""The template of pages about one thing: the slots that their nodes stand in, and which of them are columns.
Plain numbers and strings: `fastwrap.wrapper.files` writes them as JSON, and reads them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.columns import markup
from fastwrap._core.template.aligning import LOOSE_FLAG, STRICT_FLAG
from fastwrap._core.template.matching import Matcher
from fastwrap.columns import GivenColumn, GivenTable
from fastwrap.columns.given import zipped
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.columns.splitting import Rule
from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER, TAGS, TEXT, number_of

NO_UNIT = -1
"""The unit of a slot that does not repeat."""

MOST_EXTRA = 100
"""Labels that were never seen before, of one page."""

LONGEST_LABEL = 60
"""Characters of a label."""

MARKS = " :：\u00a0-–—|·•"
"""What may stand between a label and its value."""

Hashes = npt.NDArray[np.uint64]


NODE, TEXT_TOO = 1, 2
"""What the kernel gives of the nodes of a slot."""


class Slots(NamedTuple):
    """The places of the template, each after the one that it is in; the children of each are one after the other."""

    numbers: Int32Array
    """[4, slots] The tag, the slot of the parent (NO_NODE for the root), the flags of `_core.template.alignment`, and
    the unit: slots of one unit repeat together."""
    hashes: Hashes
    """[6, slots] The class, the names (id, itemprop, ...), the label, the label before it, and two words of 64 bits
    for the labels and for the elements below."""


@dataclass(frozen=True)
class DetailColumn:
    """A column of the one record of a page: where its values stand, and what they are called."""

    name: str
    slot: int
    kind: str = TEXT_ITEM
    """TEXT_ITEM, or the name of the attribute."""
    label: str = ""
    """What stands before the values and names them; not part of them."""
    rule: Rule | None = None
    """How the text is taken apart; None to take it whole."""
    part: int = 0
    """Which of the values that the rule gives."""
    why: Mapping[str, str] = field(default_factory=dict)
    role: str = ""
    occurs: str = "1"
    """Which of the pages learned from have it: a 1 for each, else a 0 (its occurrence vector)."""
    type: str = "text"
    """The type of its values there."""
    samples: tuple[str, ...] = ()
    """Some of them."""

    def to_json(self) -> dict[str, Any]:
        """As plain data; what has its default is left out."""
        found: dict[str, Any] = {
            spec.name: value
            for spec in fields(self)
            if (value := getattr(self, spec.name)) and spec.name not in ("rule", "why")
        }
        found |= {"slot": self.slot, "occurs": self.occurs}
        if self.why:
            found["why"] = dict(self.why)
        if self.rule is not None:
            found["rule"] = self.rule.to_json()
        return found

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DetailColumn:
        """A column from what `to_json` gives; ValueError for one that cannot be read by."""
        rule = Rule.from_json(data["rule"]) if "rule" in data else None
        if (rule is None and data.get("part", 0)) or (rule is not None and data.get("part", 0) >= rule.width):
            raise ValueError("a column is a part of a text that has no such part")
        return cls(**{**data, "rule": rule, "samples": tuple(data.get("samples", ()))})

    @property
    def filled(self) -> float:
        """The share of the pages learned from that have it."""
        return self.occurs.count("1") / max(1, len(self.occurs))

    def value_of(self, text: str) -> str | None:
        """The value that a text holds; None if it holds none.

        >>> DetailColumn("ISBN", 3, label="ISBN").value_of(": 9780316125581")
        '9780316125581'
        >>> DetailColumn("Publisher", 3, label="Publisher").value_of("Publisher: Penguin")
        'Penguin'
        """
        if self.label and self.kind == TEXT_ITEM:
            if text.startswith(self.label):
                text = text[len(self.label) :]
            text = text.lstrip(MARKS) if text[:1] in MARKS and not text[1:2].isdigit() else text
        if self.rule is None:
            return text or None
        values = self.rule.apply(text)
        return values[self.part] if self.part < len(values) else None


class Reading(NamedTuple):
    """What a template reads on a page."""

    cells: list[Any]
    """For each column a string, a list of strings for what repeats, None where there is none."""
    slot_of: Int32Array
    """[n] The slot of each node, or NO_NODE."""
    limits: tuple[str, ...]


class Readers(NamedTuple):
    """What is read of which slots."""

    used: npt.NDArray[np.uint8]
    """[slots] As the kernel wants it: 0 for nothing, NODE or TEXT_TOO."""
    texts: dict[int, list[tuple[int, DetailColumn | None]]]
    """By slot the columns of its text: None for one that takes it whole."""
    attributes: dict[int, list[tuple[int, list[int]]]]
    """By slot the columns of attributes, each with the number of its name."""


@dataclass(frozen=True)
class DetailTemplate:
    """The template of pages about one thing."""

    slots: Slots
    labels: Hashes
    """Hashes of the labels, sorted."""
    columns: tuple[DetailColumn, ...]
    """The best first."""
    pages: int
    """How many pages it was learned from."""
    confidence: float = 1.0
    """In [0, 1], the share of the pages that they have in common."""
    limits: tuple[str, ...] = ()
    tag_names: Mapping[int, str] = field(default_factory=dict)
    """Names of tags that are in no table."""
    in_lists: float = 0.0
    """The share of the texts of the records that stands in lists, where it was learned; a file does not have it."""

    @lazy_property
    def matcher(self) -> Matcher:
        """What gives nodes of pages their slots."""
        return Matcher(self.slots.numbers, self.slots.hashes, self.labels)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "matcher"}

    @lazy_property
    def sets(self) -> list[int]:
        """For each slot the outermost unit that it is in, or NO_UNIT."""
        _, parents, flags, units = self.slots.numbers.tolist()
        found: list[int] = []
        for parent, flag, unit in zip(parents, flags, units, strict=True):
            above = found[parent] if parent != NO_NODE else NO_UNIT
            own = NO_UNIT if flag & LOOSE_FLAG else unit
            found.append(own if above == NO_UNIT else above)
        return found

    @lazy_property
    def units(self) -> list[int]:
        """For each slot its own unit."""
        found: list[int] = self.slots.numbers[3].tolist()
        return found

    @lazy_property
    def readers(self) -> Readers:
        """What is read of which slots."""
        used = np.zeros(len(self.sets), dtype=np.uint8)
        texts: dict[int, list[tuple[int, DetailColumn | None]]] = {}
        attributes: dict[int, list[tuple[int, list[int]]]] = {}
        read_units = {self.sets[column.slot] for column in self.columns} - {NO_UNIT}
        for slot, unit in enumerate(self.units):
            if unit in read_units and self.sets[slot] == unit:
                used[slot] = NODE
        for number, column in enumerate(self.columns):
            if column.kind == TEXT_ITEM:
                used[column.slot] = TEXT_TOO
                is_whole = column.rule is None and not column.label
                texts.setdefault(column.slot, []).append((number, None if is_whole else column))
            else:
                used[column.slot] |= NODE
                kind = [number_of(column.kind, ATTRIBUTE_NUMBER, {})]
                attributes.setdefault(column.slot, []).append((number, kind))
        return Readers(used, texts, attributes)

    @lazy_property
    def lists(self) -> dict[tuple[int, int], list[int]]:
        """The columns of what repeats, those that are shown together in one list: of a unit with several texts all, of
        others each by itself. By the unit and the first column."""
        units: dict[int, list[int]] = {}
        for number, column in enumerate(self.columns):
            if (unit := self.sets[column.slot]) != NO_UNIT:
                units.setdefault(unit, []).append(number)
        found = {}
        for unit, numbers in units.items():
            together = sum(self.columns[number].kind == TEXT_ITEM for number in numbers) > 1
            for group in [numbers] if together else [[number] for number in numbers]:
                found[unit, group[0]] = group
        return found

    @lazy_property
    def groups(self) -> dict[int, list[int]]:
        """By column, those that are shown together with it in one list."""
        return {number: group for group in self.lists.values() if len(group) > 1 for number in group}

    @lazy_property
    def labelled(self) -> frozenset[int]:
        """The slots whose children are told by their labels."""
        parents, flags = self.slots.numbers[1], self.slots.numbers[2]
        return frozenset(parents[(flags & STRICT_FLAG) != 0].tolist())

    def read(self, page: Page) -> Reading:
        """The record of a page."""
        used, of_slot, attributes = self.readers
        slot_of, nodes, slots, texts, limits = self.matcher.read(page.native, used)
        sets, units = self.sets, self.units
        cells: list[Any] = [None] * len(self.columns)
        rows: dict[int, list[int]] = {}  # by unit: the row, and the last slot of it
        for node, slot, text in zip(nodes, slots, texts, strict=True):
            unit = sets[slot]
            if unit != NO_UNIT and units[slot] == unit:
                at = rows.setdefault(unit, [-1, slot])
                if slot <= at[1]:
                    at[0] += 1
                at[1] = slot
            if text is not None:
                for number, column in of_slot.get(slot, ()):
                    value = text if column is None else column.value_of(text)
                    if unit == NO_UNIT and cells[number] is None:
                        cells[number] = value
                    elif value is not None:
                        put(cells, number, value, NO_UNIT if unit == NO_UNIT else rows[unit][0])
            if slot in attributes:
                for number, kind in attributes[slot]:
                    if value := markup.values(page.native, node, kind)[0]:
                        put(cells, number, value, NO_UNIT if unit == NO_UNIT else rows[unit][0])
        for (unit, _), numbers in self.lists.items():
            if len(numbers) > 1:
                if any(cells[number] for number in numbers):
                    for number in numbers:
                        cell = cells[number] = cells[number] or []
                        cell += [None] * (rows[unit][0] + 1 - len(cell))
            elif cells[numbers[0]]:
                cells[numbers[0]] = [value for value in cells[numbers[0]] if value is not None]
        return Reading(cells, slot_of, limits)

    def unknown(self, page: Page, slot_of: Int32Array) -> dict[str, str]:
        """Labels that were never seen, with their values: what is left among siblings that are told by their labels."""
        found: dict[str, str] = {}
        if not self.labelled:
            return found
        holders = np.flatnonzero(np.isin(slot_of, list(self.labelled)))
        strict = self.strict_tags
        for holder in holders.tolist()[:MOST_EXTRA]:
            children = list(page.children(holder))
            for place, child in enumerate(children):
                if slot_of.item(child) != NO_NODE or page.tag.item(child) not in strict[slot_of.item(holder)]:
                    continue
                label, value = pair_of(page, child)
                if label and not value and place + 1 < len(children) and slot_of.item(children[place + 1]) == NO_NODE:
                    value = page.text(children[place + 1]).lstrip(MARKS)
                if label and value and len(found) < MOST_EXTRA:
                    found.setdefault(label, value)
        return found

    @lazy_property
    def strict_tags(self) -> dict[int, set[int]]:
        """By slot, the tags of its children that are told by their labels."""
        found: dict[int, set[int]] = {}
        for tag, parent, flag, _ in self.slots.numbers.T.tolist():
            if flag & STRICT_FLAG:
                found.setdefault(parent, set()).add(tag)
        return found

    def to_json(self) -> dict[str, Any]:
        """The template as plain data: numbers, strings, lists and dicts."""
        tag, parent, flags, unit = self.slots.numbers.tolist()
        hashes = self.slots.hashes.T.tolist()
        return {
            "pages": self.pages,
            "confidence": self.confidence,
            "labels": [f"{label:x}" for label in self.labels.tolist()],
            "slots": [
                [self.tag_names.get(tag[slot]) or TAGS[tag[slot]], parent[slot], flags[slot], unit[slot]]
                + [f"{word:x}" for word in words]
                for slot, words in enumerate(hashes)
            ],
            "columns": [column.to_json() for column in self.columns],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DetailTemplate:
        """A template from data in the shape of `fastwrap.wrapper.format.Detail`; ValueError, which says why, where the
        numbers in it do not fit each other."""
        names: dict[int, str] = {}
        numbers = [(number_of(tag, TAG_NUMBER, names), *more[:3]) for tag, *more in data["slots"]]
        hashes = [[int(word, 16) for word in slot[4:]] for slot in data["slots"]]
        slots = Slots(
            np.ascontiguousarray(np.array(numbers, dtype=np.int32).reshape(-1, 4).T),
            np.ascontiguousarray(np.array(hashes, dtype=np.uint64).reshape(-1, 6).T),
        )
        labels = np.array([int(label, 16) for label in data["labels"]], dtype=np.uint64)
        if bool((labels[1:] <= labels[:-1]).any()):
            raise ValueError("the labels are not in order")
        columns = tuple(DetailColumn.from_json(column) for column in data["columns"])
        if max((column.slot for column in columns), default=0) >= len(numbers):
            raise ValueError("a column has no slot")
        if len({column.name for column in columns}) < len(columns):
            raise ValueError("a column is there twice")
        template = cls(slots, labels, columns, data["pages"], data["confidence"], (), names)
        if not numbers:
            raise ValueError("a template has at least one slot")
        _ = template.matcher  # which checks the slots
        return template

    def table(self, page: Page, reading: Reading) -> GivenTable:
        """The record as a table of one row: what repeats together is one column with columns of its own."""
        return RecordTable(page, self, reading)


class RecordTable(GivenTable):
    """The record of a page: a table of one row, whose columns are described when somebody asks for them."""

    def __init__(self, page: Page, template: DetailTemplate, reading: Reading) -> None:
        super().__init__(page, (), 1, reading.limits)
        del self.given  # which is computed
        self._template = template
        self._cells = reading.cells

    @lazy_property
    def given(self) -> Sequence[GivenColumn]:
        """The columns with their cells."""
        return given_columns(self._template, self._cells)

    @lazy_property
    def nested_texts(self) -> list[list[Any]]:
        """One string per column, None where absent, a list for a nested list; without describing the columns."""
        if not self._template.groups:
            return [list(self._cells)]
        row = []
        for number, cell in enumerate(self._cells):
            group = self._template.groups.get(number)
            if group is None:
                row.append(cell)
            elif group[0] == number:
                row.append(zipped(tuple(self._cells[k] for k in group)))
        return [row]


def put(cells: list[Any], number: int, value: str, row: int) -> None:
    """Put a value into a cell; those of one row of a list together, further ones of no list into a list."""
    cell = cells[number]
    if row != NO_UNIT:
        if cell is None:
            cell = cells[number] = []
        cell += [None] * (row + 1 - len(cell))
        cell[row] = value if cell[row] is None else f"{cell[row]} {value}"
    elif cell is None:
        cells[number] = value
    elif isinstance(cell, list):
        cell.append(value)
    else:
        cells[number] = [cell, value]


def pair_of(page: Page, node: int) -> tuple[str, str]:
    """The label at the beginning of an element or a text, and what stands behind it.

    >>> page = Page("<ul><li><b>Weight</b>: 3 kg</li></ul>")
    >>> pair_of(page, 4)
    ('Weight', '3 kg')
    """
    if page.tag.item(node) == TEXT:
        label, colon, value = page.text(node).partition(":")
        return (label.strip(), value.strip()) if colon and len(label) <= LONGEST_LABEL else ("", "")
    end = node + page.size.item(node)
    first = next((k for k in range(node, end) if page.tag.item(k) == TEXT), end)
    if first == end:
        return "", ""
    text = page.text(first)
    label, colon, value = text.partition(":")
    rest = page.span_text(first + 1, end).lstrip(MARKS) if first + 1 < end else ""
    if not any(map(str.isalpha, label)) or len(label) > LONGEST_LABEL:
        return "", ""
    return label.strip(), " ".join(part for part in (value.strip(), rest) if part)


def given_columns(template: DetailTemplate, cells: Sequence[Any]) -> list[GivenColumn]:
    """The columns with their cells; those of a unit that repeats in one, where it stands first."""
    made = []
    for number, column in enumerate(template.columns):
        group = template.groups.get(number)
        if group is None:
            made.append(given(column, cells[number]))
        elif number == group[0]:
            inner = tuple(given(template.columns[k], cells[k]) for k in group)
            made.append(GivenColumn(list_name(template, group), (), {"list": column.name}, columns=inner))
    return made


def list_name(template: DetailTemplate, numbers: Sequence[int]) -> str:
    """What a list of several columns is called: after its first one."""
    first = template.columns[numbers[0]].name
    names = {column.name for column in template.columns}
    name = f"{first} list"
    while name in names:
        name += " 2"
    return name


def given(column: DetailColumn, cell: Any) -> GivenColumn:
    """A column with its one cell."""
    return GivenColumn(column.name, [cell], column.why, column.role, "", column.kind)
