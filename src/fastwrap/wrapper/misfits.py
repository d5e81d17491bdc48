"""Which of the pages that a wrapper was learned from it does not fit, and why.
Such a page has none of the records, or is of another template: `fastwrap.learn_all` learns it by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.wrapper.fitting import ALARM, fit_of_structure
from fastwrap.wrapper.pattern import Pattern
from fastwrap.wrapper.wrapper import Misfit, Wrapper

FEWEST_READ = 0.5
"""The share of the records learned from that are read again, if the wrapper fits."""

MOST_NAMED = 3
"""Columns that are named in a reason."""


def misfits_of(wrapper: Wrapper, pages: Sequence[Page]) -> tuple[Misfit, ...]:
    """Those of the pages that the first list, or the record of a "detail" wrapper, does not fit, in order.

    >>> from fastwrap.wrapper import learn
    >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
    >>> misfits_of(learn(page), [Page(page), Page("<p>Something else.")])
    (Misfit(page=1, fit=0.0, why='it has no place for the list'),)
    """
    misfits = []
    for number, page in enumerate(pages):
        extraction = wrapper.extract(page)
        if wrapper.kind == "detail":
            if extraction.fit < ALARM:
                misfits.append(Misfit(number, round(extraction.fit, 4), "it lacks most columns of the record"))
            continue
        if not wrapper.patterns:
            misfits.append(Misfit(number, 0.0, "nothing repeats on it"))
            continue
        region = extraction.region(0)
        meant = learned_spans(region.pattern, page)
        if meant is not None:
            if np.array_equal(region.spans, meant) and not region.pattern.others:
                continue  # it is read as it was learned, from this page alone
            read = len(set(map(tuple, meant.tolist())).intersection(map(tuple, region.spans.tolist())))
            if read < FEWEST_READ * len(meant):
                why = f"its records cannot be told apart: {read} of {len(meant)} are read"
                misfits.append(Misfit(number, round(min(extraction.fit, read / len(meant)), 4), why))
                continue
        fit = extraction.fit
        if fit < ALARM:
            misfits.append(Misfit(number, round(fit, 4), reason(wrapper, page)))
    return tuple(misfits)


def learned_spans(pattern: Pattern, page: Page) -> Int32Array | None:
    """The records of a page that a list was learned from; None if it was not, or they are not kept."""
    examples = pattern.others if pattern.example is None else (pattern.example, *pattern.others)
    return next((example.spans for example in examples if example.page is page), None)


def reason(wrapper: Wrapper, page: Page) -> str:
    """Why the first list does not fit a page."""
    region = wrapper.extract(page).region(0)
    if not len(region):
        parents, misses = region.pattern.location.find(page)
        return (
            "it has the place of the list, but no record"
            if len(parents) and not misses
            else "it has no place for the list"
        )
    check = wrapper.check(page)
    lost = [f"{column.name} ({column.state})" for column in check.troubles[:MOST_NAMED]]
    if fit_of_structure(region.found_list) < ALARM:
        return f"what it has in place of the list is made otherwise: {region.found_list.share:.0%} of it is known"
    if lost:
        return f"its records have other columns: {', '.join(lost)}"
    return "its records lack most of the columns"
