"""From the records of a region to its table: `learn` finds the template of the records, `apply` reads by one."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import partial

import numpy.typing as npt

from fastwrap._core.columns.learning import FILES, WORDS
from fastwrap.columns import choice as choosing
from fastwrap.columns.headings import Heading, find_heading
from fastwrap.columns.layout import TEXT_ITEM, Layout
from fastwrap.columns.records import BUDGET, KINDS, MAX_CELLS, MAX_CELLS_READ, MAX_COLUMNS, Cell, Learned, Records
from fastwrap.columns.splitting import Rule, file_name_rule, find_rule
from fastwrap.columns.table import Chosen, Table
from fastwrap.columns.template import Template
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array


def learn(page: Page, spans: npt.ArrayLike, budget: int = BUDGET, choose: bool = False) -> Table:
    """Find the template of records, and read them by it: a table, of which `.template` is what was learned.

    `spans` are runs of siblings with all below them, as first nodes and nodes after the last. With `choose`, the table
    has the columns that a person would have made of them; else it has one for each item that any record has.

    >>> page = Page("<ul><li><b>a</b><i>1</i><li><b>b</b><u>new</u><i>2</i><li><b>c</b></ul>")
    >>> learn(page, [[4, 9], [9, 16], [16, 19]]).texts
    [['a', None, '1'], ['b', 'new', '2'], ['c', None, None]]
    """
    records = Records(page, spans)
    learned = records.learn(budget, choose)
    if learned.choice is not None and not learned.choice[0]:
        # Nothing is worth a column, as where all records are the same: better all of it than empty records.
        learned = records.learn(budget, False)
    rows = learned.rows
    limits = learned.limits
    chosen = None
    room = min(MAX_COLUMNS, MAX_CELLS // max(1, len(rows)))
    outputs, reasons = learned.choice if learned.choice is not None else ([], b"")
    rules = find_rules(learned, choosing.items_split(outputs) if outputs else None)
    if outputs:
        choice, hints, rules = choosing.finish(outputs, rows, rules)
        kept = first_rules(rules, room - len(outputs))
        if len(kept) < len(rules):
            choice, hints, rules = choosing.finish(outputs, rows, kept)
            limits = (*limits, "columns.splitting")
        rows = choice.present(rows, rules)
        chosen = Chosen(choice, hints, reasons)
    elif rules:
        kept = first_rules(rules, room - learned.places.shape[1])
        if len(kept) < len(rules):
            rules, limits = kept, (*limits, "columns.splitting")
        split_all(rows, rules)
    heading = None
    if records.extent != len(learned.slots) and (headings := find_heading(page, records.spans)) is not None:
        heading, texts = headings
        add_column(rows, texts)
    layout = partial(
        layout_of, learned.tree, learned.places, learned.data, learned.lists, rules, heading, page.custom_names
    )
    return Table(layout, records, learned.slots, rows, limits, chosen)


def layout_of(
    tree: Int32Array,
    places: Int32Array,
    data: list[int],
    lists: int,
    rules: Mapping[int, Rule],
    heading: Heading | None,
    names: Mapping[int, str],
) -> Layout:
    """The layout of what was learned; the texts alone need none."""
    into, unit, _, repeats = tree[4:]
    return Layout(
        places=places,
        kinds=(*KINDS, *[names[number] for number in data], TEXT_ITEM),
        rules=rules,
        heading=heading,
        tree=tree[:4],
        into=into,
        unit=unit,
        repeats=repeats,
        lists=lists,
        tag_names=names,
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
    if len(records) * template.widest > MAX_CELLS_READ:
        raise FastwrapError(f"{len(records):,} records of {template.widest:,} columns make too large a table")
    choice = template.choice
    slots, rows, limits = records.read(template.reader, budget, None if choice is None else choice.presenter)
    if choice is not None:
        choice.take_apart(rows, template.rules)
    elif template.rules:
        split_all(rows, template.rules)
    if template.heading is not None:
        add_column(rows, template.heading.texts(page, records.spans))
    return Table(template, records, slots, rows, limits)


def find_rules(learned: Learned, places: Set[int] | None) -> dict[int, Rule]:
    """The rules of items that are to be split; of some of them alone, if `places` says which."""
    rules = {}
    for place, ways in learned.split:
        if places is not None and place not in places:
            continue
        texts = [cell for row in learned.rows if type(cell := row[place]) is str]
        rule = file_name_rule(texts) if ways == FILES else find_rule(texts, ways != WORDS)
        if rule is not None:
            rules[place] = rule
    return rules


def first_rules(rules: Mapping[int, Rule], room: int) -> dict[int, Rule]:
    """The first rules that make no more columns of their items than there is room for."""
    kept = {}
    for place, rule in rules.items():
        room -= rule.width - 1
        if room < 0:
            break
        kept[place] = rule
    return kept


def split_all(rows: list[list[Cell]], rules: Mapping[int, Rule]) -> None:
    """Split the items that have a rule, in place."""
    ordered = [(place, rules[place], [None] * rules[place].width) for place in sorted(rules)]
    for row in rows:
        split: list[Cell] = []
        start = 0
        for place, rule, nothing in ordered:
            split += row[start:place]
            cell = row[place]
            split += rule.apply(cell) if isinstance(cell, str) else nothing
            start = place + 1
        row[:] = split + row[start:]


def add_column(rows: list[list[Cell]], texts: list[str | None]) -> None:
    """Add a last column."""
    for row, text in zip(rows, texts, strict=True):
        row.append(text)
