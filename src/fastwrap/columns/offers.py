"""What a table offers to those who want something of it: every column that it shows or could show, and how it is made.
Some of them, with names of one's own, make a template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from fastwrap.columns.choice import LIST, REASONS, TAKE, WHOLE, Choice, Source
from fastwrap.columns.layout import Layout
from fastwrap.columns.naming import Name
from fastwrap.columns.records import Cell
from fastwrap.columns.shown import ShownColumns
from fastwrap.columns.splitting import Rule
from fastwrap.columns.table import Column, Table
from fastwrap.columns.template import Template
from fastwrap.page.names import NO_NODE


class Offer(NamedTuple):
    """A column that may be chosen."""

    column: Column
    source: Source | None
    """How it is made; None for the headings of groups of records."""
    kind: str
    """"text", or the name of the attribute."""
    is_list: bool
    is_shown: bool
    """Whether a person would have shown it."""
    cells: Sequence[Cell]
    """One per record."""
    rule: Rule | None = None
    """How its texts are split, if it is a part of them."""


class Selected(NamedTuple):
    """A column that was chosen, and what it shall be called."""

    name: str
    source: Source | None
    why: Mapping[str, str]
    role: str = ""
    rule: Rule | None = None
    """How its texts are split, if it is a part of them."""


def offers_of(table: Table, is_shown: bool = True) -> list[Offer]:
    """The columns of a table."""
    shown = table.shown
    cells = list(zip(*table.texts, strict=True)) or [()] * shown.width
    offers = []
    for place, (column, source) in enumerate(zip(table.columns, sources_of(shown), strict=True)):
        rule = None if source is None or source.part == WHOLE else table.layout.rules[source.first_item]
        is_list = place in shown.list_columns
        offers.append(Offer(column, source, shown.column_kinds[place], is_list, is_shown, cells[place], rule))
    return offers


def sources_of(shown: Layout | ShownColumns) -> list[Source | None]:
    """How the columns that are shown are made of items; None for headings, which come last."""
    sources: list[Source | None] = []
    if isinstance(shown, ShownColumns):
        sources += shown.choice.sources
    else:
        for number, item in enumerate(shown.items):
            operation = TAKE if item.list == NO_NODE else LIST
            parts = [WHOLE] if item.rule is None else range(item.width)
            sources += [Source(operation, ((number,),), part=part) for part in parts]
    return sources + [None] * (shown.width - len(sources))


def template_of(table: Table, selected: Sequence[Selected]) -> Template:
    """The template of a table that shows what was chosen: headings last, which are in no record."""
    template = table.template
    ordered = sorted(selected, key=lambda each: each.source is None)
    sources = tuple(each.source for each in ordered if each.source is not None)
    rules = {each.source.first_item: each.rule for each in ordered if each.source is not None and each.rule is not None}
    links = [place for place, each in enumerate(ordered) if each.role == "link"]
    return replace(
        template,
        rules=rules,
        heading=template.heading if len(sources) < len(ordered) else None,
        names=tuple(Name(each.name, each.why, each.role) for each in ordered),
        link=links[0] if links else NO_NODE,
        choice=Choice(sources),
    )


class LeftOutOffer(NamedTuple):
    """A column that is not shown, and why."""

    offer: Offer
    why: str
    """One of `fastwrap.columns.choice.REASONS`."""


def left_out_of(table: Table, every: Table) -> list[LeftOutOffer]:
    """The columns that the choice of a table leaves out, of one that is made of the same items and shows all."""
    if table.chosen is None:
        return []
    reasons = table.chosen.reasons
    return [
        LeftOutOffer(offer, REASONS[reasons[offer.source.first_item]])
        for offer in offers_of(every, is_shown=False)
        if offer.source is not None and reasons[offer.source.first_item]
    ]


def select(template: Template, selected: Sequence[tuple[int, str]]) -> Template:
    """The template that shows some of the columns of another one: their places there, and what they shall be called.
    Headings come last."""
    sources, names = sources_of(template.shown), template.names
    ordered = sorted(selected, key=lambda each: sources[each[0]] is None)
    kept = [source for place, _ in ordered if (source := sources[place]) is not None]
    parts = {source.first_item for source in kept if source.part != WHOLE}
    places = [place for place, _ in ordered]
    return replace(
        template,
        rules={item: rule for item, rule in template.rules.items() if item in parts},
        heading=template.heading if len(kept) < len(ordered) else None,
        names=tuple(names[place]._replace(name=name) for place, name in ordered),
        link=places.index(template.link) if template.link in places else NO_NODE,
        choice=Choice(tuple(kept)),
    )
