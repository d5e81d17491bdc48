"""Learns a wrapper: the lists of one page, and of further pages of the same template, become patterns.
A list that is joined from several sections is also learned section by section, after all others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from fastwrap import limits
from fastwrap.columns.choice import is_chosen
from fastwrap.columns.learning import learn as table_of
from fastwrap.columns.template import MAX_SLOTS, Template
from fastwrap.columns.wanted import serve
from fastwrap.columns.wishes import Want, Wanted, wanted_of
from fastwrap.common.arguments import expect
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER
from fastwrap.page.sources import HtmlSource, page_of, pages_of
from fastwrap.wrapper import files
from fastwrap.wrapper.cutting import Effort, Example
from fastwrap.wrapper.details import ALL_LISTS, LIKELY, LISTS_BESIDE, detail_of, judged
from fastwrap.wrapper.examples import find_list, values_of
from fastwrap.wrapper.format import MAX_COLUMNS, MAX_TEXT
from fastwrap.wrapper.keeping import keep_columns
from fastwrap.wrapper.lists import MOST_REGIONS, Group, Lists, in_order, main_first, match_lists
from fastwrap.wrapper.location import LONGEST_PATH
from fastwrap.wrapper.misfits import misfits_of
from fastwrap.wrapper.pattern import Pattern, learn_pattern
from fastwrap.wrapper.wrapper import Wrapper

MOST_SECTIONS = 8
"""Sections of the first lists that are also learned as lists of their own."""

MOST_JOINED = 3
"""Of so many lists, if they are joined from sections."""

MOST_PAGES = 50

SHORT_NAME = 300
"""Class attributes and names up to this length fit into every field of a wrapper's file."""

LARGE = files.MAX_CHARACTERS // 10
"""Characters of all lists: with fewer, they fit into one file without being written to find out."""

SLOT_SIZE, COLUMN_SIZE = 60, 1_000
"""Characters of a slot and of a column in a file, or a little more."""


def learn(
    pages: HtmlSource | Iterable[HtmlSource],
    url: str | None = None,
    previous: Wrapper | None = None,
    *,
    encoding: str | None = None,
    columns: str | None = None,
    want: Want | None = None,
    examples: Iterable[Mapping[str, Any]] | None = None,
    kind: str | None = None,
) -> Wrapper:
    """Learn the lists of a site from a page or a few, to read other pages of the same template by; and from two or more
    pages about one thing, what differs between them: the record of each.

    Each page is what `fastwrap.extract` takes; of many the first 50 are used, and columns are learned from the one with
    most records. Lists are matched across the pages before one is chosen: their order changes nothing, nor does a page
    with one record, none, or other promotions. `Wrapper.misfits` names pages that the wrapper does not fit after all;
    pages of several templates are for `fastwrap.learn_all`. `url` is the address of the first page, `encoding` how the
    bytes of all are encoded. With `previous`, columns keep the names and ids that they had in an older wrapper, where
    their values show that they are the same. `columns` is None for the columns that a person would have made, or "all"
    for one for each text and attribute that any record has. `Wrapper.limits` names the budgets that were met.

    With `want`, as in `fastwrap.extract`, the wrapper has the first list that has such columns, and just these. With
    `examples`, it has the list that has the values of one record or a few, as a person reads them, and just their
    columns, by the names in the examples. FastwrapError says what is not there.

    `kind` says what the pages are about: "list" if no record of a whole page is to be learned, "detail" if no list is;
    None to learn both and decide by the confidence (`Wrapper.kind`).

    >>> page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
    >>> wrapper = learn(page)
    >>> [record.texts for record in wrapper.extract("<ul><li><b>Other</b> <i>7 EUR</i></li></ul>").records]
    [['Other', '7 EUR']]
    >>> learn(page, examples=[{"what": "name 3", "cost": "3.00"}]).extract(page).records[4].keys()
    dict_keys(['what', 'cost'])
    >>> pages = [f"<title>{k}</title><h1>Lamp {k}</h1><p>Price: {k}.50 EUR</p>" for k in range(1, 4)]
    >>> learn(pages).extract("<title>9</title><h1>Lamp 9</h1><p>Price: 9.50 EUR</p>").record["price"]
    Money(amount=Decimal('9.50'), currency='EUR')
    """
    if kind not in (None, "list", "detail"):
        raise FastwrapError(f"kind is {kind!r}: expected None, 'list' or 'detail'")
    expect(url, (str, type(None)), "url is a str or None")
    expect(previous, (Wrapper, type(None)), "previous is a Wrapper or None")
    choose = is_chosen(columns)
    wanted = None if want is None else wanted_of(want)
    values = None if examples is None else values_of(examples)
    if values is not None and (wanted is not None or previous is not None):
        raise FastwrapError("examples say what the columns are called: want and previous cannot say it, too")
    documents = pages_of(pages)
    if not documents:
        raise FastwrapError("there is no page to learn from")
    first, *others = documents[:MOST_PAGES]
    given = [page_of(first, url, encoding), *(page_of(other, encoding=encoding) for other in others)]
    address = address_of(given[0].url)
    order = in_order(given)
    read = [given[number] for number in order]
    lists = Lists([], [], []) if kind == "detail" else match_lists(read)
    met = lists.limits
    detail = None
    if wanted is None and values is None:
        confidence = lists.groups[0].confidence if lists.groups else 0.0
        detail = detail_of(read, kind, share_of_text(lists.groups), confidence, met)
    if detail is not None and detail.in_lists < ALL_LISTS:
        lists = lists._replace(groups=lists_beside(lists.groups))
    if len(documents) > MOST_PAGES:
        met.append("wrapper.pages")
    if values is not None:
        found = [group.examples for group in lists.groups[:MOST_REGIONS]]
        sections = [section for examples in found[:MOST_JOINED] for section in sections_of(examples[0])]
        patterns = [find_list([*found, *([section] for section in sections[:MOST_SECTIONS])], read, values)]
    else:
        patterns, more = patterns_of(lists, read, choose)
        met += more
    if detail is not None:
        patterns[:1] = map(judged, patterns[:1])
    met += [limit for pattern in patterns for limit in pattern.limits]
    if previous is not None:
        patterns, complete = keep_columns(previous.patterns, patterns)
        if not complete:
            met.append("wrapper.keeping")
    if wanted is not None:
        patterns = [first_serving(patterns, wanted)]
    if any(map(has_long_names, read)) or any(map(is_large, patterns)) or size_of(patterns) > LARGE:
        saved = saved_lists(patterns)
        if len(saved) < len(patterns):
            met.append("wrapper.names")
        patterns = saved
    wrapper = Wrapper(tuple(patterns), address, len(read), limits.union(met), detail=detail)
    return replace(wrapper, misfits=misfits_of(wrapper, given))


def learn_one(example: Example, confidence: float, template: Template) -> Wrapper:
    """The wrapper of one list whose records and columns are known. FastwrapError if no file can have it."""
    page = example.page
    if int(page.depth[example.parents[0]]) >= LONGEST_PATH:
        raise FastwrapError("the list is too deep in the page for a wrapper")
    pattern = replace(learn_pattern([example], confidence), learned=template)
    wrapper = Wrapper((pattern,), address_of(page.url), 1, limits.union(pattern.limits))
    wrapper.dumps()  # which says what a file cannot have
    return wrapper


def patterns_of(lists: Lists, pages: Sequence[Page], choose: bool) -> tuple[list[Pattern], list[str]]:
    """The patterns of the lists of pages, the main one first, then those of sections; and limits."""
    met = []
    groups, effort = lists.groups[:MOST_REGIONS], Effort(len(pages))
    patterns = [learn_pattern(group.examples, group.confidence, choose, effort) for group in groups]
    order = main_first(lists, patterns, pages) if len(pages) > 1 else range(len(groups))
    # Sections are told apart by their place, which is learned from the page that shows the list best.
    sections = [section for number in order[:MOST_JOINED] for section in sections_of(groups[number].examples[0])]
    if len(sections) > MOST_SECTIONS:
        met.append("wrapper.sections")
        sections = sections[:MOST_SECTIONS]
    if len(lists.groups) > MOST_REGIONS - len(sections):
        met.append("wrapper.lists")
    chosen = [patterns[number] for number in order[: MOST_REGIONS - len(sections)]]
    return chosen + [learn_pattern([section], 0.0, choose, effort) for section in sections], met


def lists_beside(groups: list[Group]) -> list[Group]:
    """The lists that are learned of pages that have a record: the first one, and if that may be a main list, the next
    that may be."""
    if not groups or groups[0].confidence < LIKELY:
        return groups[:1]
    return [group for group in groups if group.confidence >= LIKELY][:LISTS_BESIDE]


def share_of_text(groups: Sequence[Group]) -> float:
    """The share of the text of pages that their first list has, on the page where it is largest."""
    shares = [0.0]
    for example in groups[0].examples if groups else ():
        starts = example.page.text_start
        inside = int((starts[example.spans[:, 1]] - starts[example.spans[:, 0]]).sum())
        shares.append(inside / max(1, int(starts[-1])))
    return max(shares)


def first_serving(patterns: Sequence[Pattern], wanted: Wanted) -> Pattern:
    """The first list that has the columns that are wanted, with just these; FastwrapError if none has all of them."""
    lacking: tuple[list[str], list[str]] | None = None
    for pattern in patterns:
        assert pattern.example is not None  # it was just learned
        served = serve([pattern.table, table_of(pattern.example.page, pattern.example.spans)], wanted.wishes)
        missing = [
            wish.name
            for wish, place in zip(wanted.wishes, served.places, strict=True)
            if place is None and (wish.needed or not wanted.strict)
        ]
        if not missing:
            return replace(pattern, learned=served.template)
        if lacking is None:
            lacking = missing, served.there
    if lacking is None:
        raise FastwrapError("nothing repeats on these pages")
    absent, there = (", ".join(map(repr, names)) for names in lacking)
    raise FastwrapError(f"there is no column for {absent}; those of the first list are {there or 'none at all'}")


def address_of(url: str | None) -> str | None:
    """The address of a page as the file of a wrapper has it; FastwrapError for one that a file cannot have."""
    if url is not None and len(url) > MAX_TEXT:
        raise FastwrapError(f"the address of the page has {len(url):,} characters, more than {MAX_TEXT:,}")
    # No address has half of a character; UTF-8 cannot write it.
    return url.encode("utf-8", "replace").decode() if url else None


def has_long_names(page: Page) -> bool:
    """Whether a page has names that may be too long for the file of a wrapper; no ordinary page has."""
    lengths = np.diff(page.arrays.value_start)[page.arrays.attribute_name == ATTRIBUTE_NUMBER["class"]]
    return any(len(name) > SHORT_NAME for name in page.custom_names.values()) or bool((lengths > SHORT_NAME).any())


def is_large(pattern: Pattern) -> bool:
    """Whether a list has a shape or an expression that may be too long for a wrapper's file; no ordinary list has."""
    cutting = pattern.cutting
    return (
        any(len(symbol.shape) > MAX_TEXT for symbol in cutting.symbols)
        or (cutting.expression is not None and len(str(cutting.expression)) > MAX_TEXT)
        or pattern.layout.tree.shape[1] > MAX_SLOTS
        or max(pattern.width, len(pattern.layout.items)) > MAX_COLUMNS
    )


def size_of(patterns: Sequence[Pattern]) -> int:
    """How many characters the lists take in a file, as far as their numbers tell."""
    return sum(
        SLOT_SIZE * pattern.layout.tree.shape[1]
        + COLUMN_SIZE * pattern.width
        + sum(map(len, pattern.paths))
        + sum(len(symbol.shape) + sum(map(len, symbol.tokens)) for symbol in pattern.cutting.symbols)
        for pattern in patterns
    )


def saved_lists(patterns: Iterable[Pattern]) -> list[Pattern]:
    """Those of the lists that the file of a wrapper may have, the first ones if they are too large for one file."""
    saved: list[Pattern] = []
    left = files.MAX_CHARACTERS - 2 * MAX_TEXT  # for the address and what else a file has
    for pattern in patterns:
        with suppress(FastwrapError):
            size = len(files.write([pattern], None, 1))
            if size <= left:
                saved.append(pattern)
                left -= size
    return saved


def sections_of(example: Example) -> list[Example]:
    """The sections of a region that is joined from several: each with at least two records is a list of its own."""
    if not 1 < len(example.parents) <= MOST_SECTIONS:
        return []
    owners = example.page.parent[example.spans[:, 0]]
    sections = []
    for parent in example.parents.tolist():
        spans = np.ascontiguousarray(example.spans[owners == parent])
        if len(spans) > 1:
            sections.append(Example(example.page, np.array([parent], dtype=np.int32), spans))
    return sections
