"""What a list offers to who may choose its columns: those that it shows, and those that were left out, with the reason.
All of them together are a region again, and some of them a wrapper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fastwrap import columns
from fastwrap.columns.offers import Selected, left_out_of, offers_of, select, template_of
from fastwrap.errors import FastwrapError
from fastwrap.extraction import DataRegion, Region
from fastwrap.output.table import unused_name
from fastwrap.regions import FoundRegion
from fastwrap.wrapper import Wrapper
from fastwrap.wrapper.cutting import Example
from fastwrap.wrapper.learning import learn_one
from fastwrap.wrapper.location import in_one_place
from fastwrap.wrapper.wrapper import WrappedRegion

MOST_OFFERED = 40
"""Columns that were left out and are offered all the same; some forums have thousands."""


class Offered(NamedTuple):
    """A region with more columns than it shows."""

    region: Region
    left_out: dict[str, str]
    """By the names of its columns that would not be shown: why."""
    more: int = 0
    """How many more there are, which are not offered."""


def with_left_out(region: Region) -> Offered:
    """A region that also has the columns which the choice of columns left out: the first of very many.

    >>> import fastwrap
    >>> items = "".join(f"<li><b>Name {k}</b> <i>{k}.50 EUR</i> <u>in stock</u></li>" for k in range(5))
    >>> offered = with_left_out(fastwrap.extract(f"<ul>{items}</ul>").regions[0])
    >>> [column.name for column in offered.region.columns], offered.left_out
    (['title', 'price', 'availability'], {'availability': 'all records have the same'})
    """
    table = region.table
    if isinstance(region, DataRegion | WrappedRegion) or not isinstance(table, columns.Table) or table.chosen is None:
        return Offered(region, {})
    every = columns.learn(region.page, region.spans, choose=False)
    selected = [
        Selected(column.name, offer.source, column.why, column.role, offer.rule)
        for column, offer in zip(region.columns, offers_of(table), strict=True)
    ]
    taken = {each.name for each in selected}
    left_out: dict[str, str] = {}
    found = left_out_of(table, every)
    for offer, why in found[:MOST_OFFERED]:
        name = unused_name(offer.column.name, taken)
        taken.add(name)
        left_out[name] = why
        selected.append(Selected(name, offer.source, offer.column.why, "", offer.rule))
    if not left_out:
        return Offered(region, {})
    again = Region(region.page, FoundRegion(region.spans, region.score, region.why), template_of(every, selected))
    return Offered(again, left_out, len(found) - len(left_out))


def wrapper_of(region: Region, chosen: Sequence[tuple[int, str]], confidence: float) -> Wrapper:
    """The wrapper of one list of a page, with some of its columns: their places, and what they shall be called.

    >>> import fastwrap
    >>> items = "".join(f"<li><b>Name {k}</b> <i>{k}.50 EUR</i> <u>in stock</u></li>" for k in range(5))
    >>> region = with_left_out(fastwrap.extract(f"<ul>{items}</ul>").regions[0]).region
    >>> wrapper_of(region, [(2, "state"), (0, "name")], 0.9).extract("<ul><li><b>A</b><u>sold</u></ul>").to_dicts()
    [{'state': 'sold', 'name': 'A'}]

    Raises FastwrapError where a wrapper cannot have the list: because the page does not show it.
    """
    if isinstance(region, DataRegion):
        raise FastwrapError("the page has this list as data alone, and wrappers read what a page shows")
    spans = in_one_place(region.page, region.spans)
    example = Example(region.page, np.unique(region.page.parent[spans[:, 0]]), spans)
    return learn_one(example, confidence, select(region.table.template, chosen))
