"""The choice of columns: which items of the records are shown, and how several come together in one column.
It is found once with the template, and kept in it, so that the columns mean the same on every page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fastwrap._core.columns.amounts import amount_span, trim_amounts
from fastwrap._core.columns.presenting import Presenter
from fastwrap.columns.headers import tidy
from fastwrap.columns.layout import Layout
from fastwrap.columns.records import Cell, Output
from fastwrap.columns.roles import role_of_words
from fastwrap.columns.splitting import Rule, spread
from fastwrap.common.arguments import expect
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.page.names import NO_NODE
from fastwrap.types import is_text

OPERATIONS = ("take", "first", "join", "list", "rest", "picture")
"""What is done with the items of a column: one is taken; the first of several that a record has; several are joined;
they are a list; they are what another column leaves of them, which is looked at first; they are addresses of pictures,
of which the first is taken that is no placeholder."""

TAKE, FIRST, JOIN, LIST, REST, PICTURE = OPERATIONS

RELATIONS = ("", "link", "image", "price", "old price")
"""What a column is, where its place among the others tells."""

IMAGE, PRICES = 2, (3, 4)
"""The numbers of these relations, as `_core.columns.choice` gives them."""

REASONS = (
    "",
    "it names the column after it",
    "it has no words",
    "all records have the same",
    "it is a button or a link that says what to do",
    "another column says the same",
    "it is an attribute, and what is seen says more",
)
"""Why an item is not shown; nothing for those that are."""

MONEY = 4
"""The number of the shape of amounts, as `_core.columns.choice` gives it."""

WHOLE = -1
"""Instead of the number of a part: the whole text."""

CURRENCY = r"(?:[$€£¥₹₽₺₩]|R\$|US\$|Rs\.?|BRL|USD|EUR|GBP|CHF|PKR|INR|kr\.?|zł|Kč)"
"""What stands beside an amount, as a regular expression; `_core.columns.amounts` knows the same."""

LONGEST_AROUND = 25
"""Characters of the words around amounts that are cut off."""

SAMPLES = 8
"""Amounts that are looked at for this, from first to last."""

SAME_WORDS = 0.9
"""Of the amounts, that must have the same words around them."""

NO_WORDS_AROUND = re.compile(r"[\d/]|\b(?:kg|per|pro)\b", re.IGNORECASE)
"""What is part of an amount: "/ kg" says what it is for."""

COLONS = (":", "：")

SEPARATING = ("|", "·", "•")
"""Separators that people set between things: texts that have them are always split."""

MOST_USES = 4
"""Columns that an item may be in, other than as a part of its text: twice what is ever chosen. No file may have
a long text copied into thousands of columns."""

CONSTANT_SHARE = 0.8
"""A part of a text that so many records have, all the same, is not shown."""


class Source(NamedTuple):
    """A column that is shown: the items it is made of, and how."""

    operation: str
    """One of OPERATIONS."""
    items: tuple[tuple[int, ...], ...]
    """Items that are joined; several of these where the first that a record has is taken."""
    where: tuple[int, ...] = ()
    """Of "rest": the items that the other column takes first."""
    part: int = WHOLE
    """Which part of the text it is, where the text is split by the rule of its item."""
    trim: bool = False
    """Whether only the amount in each text is taken."""

    @property
    def first_item(self) -> int:
        """The item that it is called after."""
        return self.items[0][0]


class Hint(NamedTuple):
    """What is known of a column besides its texts, when it is chosen: what its name may rest on."""

    relation: str = ""
    """One of RELATIONS."""
    label: str = ""
    """What is written before the values."""
    is_name: bool = False
    """Whether that is written as a name, with a colon."""


NUMBERS = {name: (number, 0) for number, name in enumerate(OPERATIONS)} | {PICTURE: (1, IMAGE)}
"""The operation and the relation by which `_core.columns.choice` presents a column."""

HINTS = tuple(map(Hint, RELATIONS))
"""Those of columns without a label."""


@dataclass(frozen=True)
class Choice:
    """The columns that are shown."""

    sources: tuple[Source, ...]

    @lazy_property
    def used(self) -> frozenset[int]:
        """The items that the columns are made of."""
        return frozenset(item for source in self.sources for items in (*source.items, source.where) for item in items)

    def present(self, rows: list[list[Cell]], rules: Mapping[int, Rule]) -> list[list[Cell]]:
        """The cells of the columns that are shown, of rows with one cell per item.

        >>> choice = Choice((Source("first", ((1,), (0,))), Source("join", ((0, 2),))))
        >>> choice.present([["a", None, "c"], ["d", "e", None]], {})
        [['a', 'a c'], ['e', 'd']]
        """
        shown = self.presenter.rows(rows)
        self.take_apart(shown, rules)
        return shown

    def take_apart(self, rows: list[list[Cell]], rules: Mapping[int, Rule]) -> None:
        """Split and trim the cells that the presenter has made, in place."""
        for item, parts in self._parts.items():
            rule, place = rules[item], parts[0][0]
            for row in rows:
                cell = row[place]
                values = rule.apply(cell) if isinstance(cell, str) else [None] * rule.width
                for column, part in parts:
                    row[column] = values[part]
        for column in self._trimmed:
            trim_amounts(rows, column)

    @lazy_property
    def presenter(self) -> Presenter:
        """What makes the cells of the columns."""
        return Presenter(self._operations)

    @lazy_property
    def _trimmed(self) -> list[int]:
        """The columns of which only the amount is taken."""
        return [column for column, source in enumerate(self.sources) if source.trim]

    @lazy_property
    def _operations(self) -> list[Output]:
        """The columns as the kernel takes them."""
        return [(*NUMBERS[source.operation], NO_NODE, 0, source.items, source.where) for source in self.sources]

    @lazy_property
    def _parts(self) -> dict[int, list[tuple[int, int]]]:
        """By item that is split: its columns, and the part that each is."""
        found: dict[int, list[tuple[int, int]]] = {}
        for column, source in enumerate(self.sources):
            if source.part != WHOLE:
                found.setdefault(source.first_item, []).append((column, source.part))
        return found

    def to_json(self) -> list[dict[str, Any]]:
        """As plain data."""
        return [
            {"operation": source.operation, "items": [list(items) for items in source.items]}
            | ({"where": list(source.where)} if source.where else {})
            | ({"part": source.part} if source.part != WHOLE else {})
            | ({"trim": True} if source.trim else {})
            for source in self.sources
        ]

    @classmethod
    def from_json(cls, data: Sequence[Mapping[str, Any]], layout: Layout) -> Choice:
        """A choice from what `to_json` gives; ValueError if it does not fit the items of a layout."""
        sources = []
        uses: Counter[int] = Counter()
        for entry in data:
            items = tuple(map(tuple, entry["items"]))
            source = Source(
                entry["operation"],
                items,
                tuple(entry.get("where", ())),
                entry.get("part", WHOLE),
                entry.get("trim", False),
            )
            if not items or not all(items):
                raise ValueError("a column that is shown has no items")
            if max(map(max, (*items, source.where or (0,)))) >= len(layout.items):
                raise ValueError(
                    f"a column is made of an item that there is not: expected a number below {len(layout.items)}"
                )
            rule = layout.rules.get(source.first_item)
            if source.part != WHOLE and (rule is None or source.part >= rule.width or source.operation != TAKE):
                raise ValueError("a column is a part of a text that is not split into as many")
            if source.part == WHOLE:
                uses.update(item for part in (*items, source.where) for item in part)
            elif items != ((source.first_item,),) or source.where:
                raise ValueError("a column is a part of several texts")
            sources.append(source)
        if max(uses.values(), default=0) > MOST_USES:
            raise ValueError(f"an item is in more than {MOST_USES} columns")
        return cls(tuple(sources))


def is_chosen(columns: str | None) -> bool:
    """Whether columns are to be chosen, as the argument `columns` says: None for a choice, "all" for all of them."""
    if columns is not None and columns != "all":
        expect(columns, str, "columns is a str or None")
        raise FastwrapError(f"columns is {columns!r}: expected None or 'all'")
    return columns is None


def items_split(outputs: Sequence[Output]) -> frozenset[int]:
    """The items of which `finish` looks at the rule: those that are columns as they are."""
    return frozenset(items[0][0] for operation, relation, _, _, items, _ in outputs if operation == 0 and not relation)


def finish(
    outputs: Sequence[Output], rows: Sequence[Sequence[Cell]], rules: Mapping[int, Rule]
) -> tuple[Choice, list[Hint], dict[int, Rule]]:
    """The choice that a kernel made, with texts split and trimmed where a person would; what is known of the columns;
    and the rules that are used."""
    sources: list[Source] = []
    hints: list[Hint] = []
    used: dict[int, Rule] = {}
    new = tuple.__new__  # the same as a call, without the frame of one
    for operation, relation, label, shape, items, where in outputs:
        hint = HINTS[relation]
        if label != NO_NODE:
            before = first_text(rows, label)
            hint = Hint(hint.relation, tidy(before), before.endswith(COLONS))
        if rules and operation == 0 and not relation and (item := items[0][0]) in rules:
            parts = parts_shown(rows, item, rules[item], hint)
            if parts:
                used[item] = rules[item]
                sources += [Source(TAKE, items, where, part) for part, _ in parts]
                hints += [hint for _, hint in parts]
                continue
        trim = False
        if (shape == MONEY or relation in PRICES) and OPERATIONS[operation] != LIST:
            around = words_around(rows, items)
            trim = around is not None or relation in PRICES
            if around and not hint.label:
                hint = hint._replace(label=tidy(around))
        name = PICTURE if relation == IMAGE else OPERATIONS[operation]
        sources.append(new(Source, (name, items, where, WHOLE, trim)))
        hints.append(hint)
    choice = Choice(tuple(sources))
    if not used:
        # What `present` would find out again.
        choice.__dict__["_operations"], choice.__dict__["_parts"] = outputs, {}
    return choice, hints, used


def first_text(rows: Sequence[Sequence[Cell]], item: int) -> str:
    """The first text of an item."""
    return next((cell for row in rows if isinstance(cell := row[item], str)), "")


def parts_shown(rows: Sequence[Sequence[Cell]], item: int, rule: Rule, hint: Hint) -> list[tuple[int, Hint]]:
    """The parts of the texts of an item that are columns of their own, and what the text calls them; none if a person
    would leave the texts whole."""
    columns = rule.splitter.columns([cell for row in rows if isinstance(cell := row[item], str)])
    hints = [Hint("", name, True) if (name := tidy(label)) else Hint() for label in rule.labels]
    differing = [filled for column in columns if len(set(filled := [text for text in column if text])) > 1]
    if rule.width > 1 and not any(part.label for part in hints) and not are_things(differing, rule.separator):
        return []
    if not hints[0].label:
        hints[0] = hint
    shown = []
    for part, column in enumerate(columns):
        filled = [text for text in column if text]
        fixed = len(set(filled)) == 1 and len(filled) >= CONSTANT_SHARE * len(rows)
        if any(map(has_words, filled)) and (not fixed or hints[part].label or is_amount(filled[0])):
            shown.append((part, hints[part]))
    return shown


def is_amount(text: str) -> bool:
    """Whether a text is an amount, and nothing else.

    >>> is_amount("12 EUR"), is_amount("from 12 EUR")
    (True, False)
    """
    return amount_span(text) == (0, len(text))


def has_words(text: str) -> bool:
    """Whether a text has letters or digits."""
    return any(map(str.isalnum, text))


def are_things(columns: list[list[str]], separator: str) -> bool:
    """Whether the parts of texts are things of their own, not pieces of one: a place and a price, but not the words of
    a title, the name of a place, or a date."""
    if len(columns) < 2 or min(map(len, columns)) < max(map(len, columns)) / 2:
        return False
    if separator in SEPARATING:
        return True  # whatever they are: to read them takes long
    texts = [is_text(spread(column)) for column in columns]
    return "/" not in separator and any(texts) and not all(texts)  # not 24,90 € / kg


def words_around(rows: Sequence[Sequence[Cell]], items: tuple[tuple[int, ...], ...]) -> str | None:
    """What stands before the amounts of a column, if the same words are around nearly all of them; None if there are
    no words, or if they say more than which price it is. Some of the records tell."""
    around: dict[tuple[str, str], int] = {}
    filled = 0
    for row in rows[:: max(1, len(rows) // SAMPLES)][:SAMPLES]:
        for part in items:
            if type(text := row[part[0]]) is str:
                break
        else:
            continue
        filled += 1
        if (span := amount_span(text)) is None:
            continue
        start, end = span
        if filled <= 2 and start == 0 and end == len(text):
            if filled == 2:
                return None  # most often there are no words
            continue
        words = text[:start].strip(), text[end:].strip()
        around[words] = around.get(words, 0) + 1
    if not around:
        return None
    before, after = max(around, key=around.__getitem__)
    times = around[before, after]
    both = f"{before} {after}"
    if times < SAME_WORDS * filled or max(len(before), len(after)) < 2 or len(both) > LONGEST_AROUND:
        return None
    if NO_WORDS_AROUND.search(both) or role_of_words(after) not in ("", "price", "old price", "discount"):
        return None
    return before
