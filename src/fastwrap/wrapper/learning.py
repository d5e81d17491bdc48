"""Learns a wrapper: the lists of one page, and of further pages of the same template, become patterns.
A list that is joined from several sections is also learned section by section, after all others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from fastwrap import limits
from fastwrap.columns.choice import is_chosen
from fastwrap.columns.learning import learn as table_of
from fastwrap.columns.template import MAX_SLOTS
from fastwrap.columns.wanted import serve
from fastwrap.columns.wishes import Want, Wanted, wanted_of
from fastwrap.common.arguments import expect
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER
from fastwrap.page.sources import HtmlSource, page_of, pages_of
from fastwrap.regions import auto, ranking
from fastwrap.wrapper import files
from fastwrap.wrapper.cutting import Example
from fastwrap.wrapper.details import ALL_LISTS, LIKELY, LISTS_BESIDE, detail_of
from fastwrap.wrapper.examples import find_list, values_of
from fastwrap.wrapper.format import MAX_COLUMNS, MAX_TEXT
from fastwrap.wrapper.keeping import keep_columns
from fastwrap.wrapper.location import LONGEST_PATH, class_of, path_of
from fastwrap.wrapper.pattern import Pattern, learn_pattern
from fastwrap.wrapper.wrapper import Wrapper

MOST_REGIONS = 20
"""Lists of a page or a wrapper, sections included."""

MOST_SECTIONS = 8
"""Sections of the first lists that are also learned as lists of their own."""

MOST_PAGES = 50

SHORT_NAME = 300
"""Class attributes and names up to this length fit into every field of a wrapper's file."""

LARGE = files.MAX_CHARACTERS // 10
"""Characters of all lists: with fewer, they fit into one file without being written to find out."""

SLOT_SIZE, COLUMN_SIZE = 60, 1_000
"""Characters of a slot and of a column in a file, or a little more."""

MISSING_RANKS = 1.5
"""By how many ranks a list that no page has would fall behind."""


class Place(NamedTuple):
    """A region of a page, as an example of a list."""

    example: Example
    path: tuple[int, ...]
    """The tags from the root to the elements whose children the records are."""
    names: set[tuple[int, str]]
    """The class tokens of these elements, each with its depth."""
    rank: int
    """Its place among the regions of its page."""
    confidence: float


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
    most records. `url` is the address of the first page, `encoding` how the bytes of all are encoded. With `previous`,
    columns keep the names and ids that they had in an older wrapper, where their values show that they are the same.
    `columns` is None for the columns that a person would have made, or "all" for one for each text and attribute that
    any record has. `Wrapper.limits` names the budgets that were met.

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
    read = [page_of(first, url, encoding), *(page_of(other, encoding=encoding) for other in others)]
    address = address_of(read[0].url)
    lists, met = ([], []) if kind == "detail" else lists_of(read)
    detail = None
    if wanted is None and values is None:
        detail = detail_of(read, kind, share_of_text(lists), lists[0][1] if lists else 0.0, met)
    if detail is not None and detail.in_lists < ALL_LISTS:
        lists = lists_beside(lists)
    if len(documents) > MOST_PAGES:
        met.append("wrapper.pages")
    if values is not None:
        patterns = [find_list([same for same, _ in lists], read, values)]
    else:
        patterns = [learn_pattern(same, confidence, choose) for same, confidence in lists]
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
    return Wrapper(tuple(patterns), address, len(read), limits.union(met), detail=detail)


def lists_beside(lists: list[tuple[list[Example], float]]) -> list[tuple[list[Example], float]]:
    """The lists that are learned of pages that have a record: the first one, and if that may be a main list, the next
    that may be."""
    if not lists or lists[0][1] < LIKELY:
        return lists[:1]
    return [found for found in lists if found[1] >= LIKELY][:LISTS_BESIDE]


def share_of_text(lists: Sequence[tuple[list[Example], float]]) -> float:
    """The share of the text of pages that their first list has, on the page where it is largest."""
    if not lists:
        return 0.0
    shares = []
    for example in lists[0][0]:
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


def places_of(page: Page) -> tuple[list[Place], list[str]]:
    """The regions of a page, the main one first; and limits."""
    places = []
    regions, limits = auto.find(page)
    met = [*limits, "wrapper.lists"] if len(regions) > MOST_REGIONS else list(limits)
    for rank, region in enumerate(regions[:MOST_REGIONS]):
        parents = np.unique(page.parent[region.records[:, 0]])
        if int(page.depth[parents[0]]) >= LONGEST_PATH:
            met.append("wrapper.depth")  # no location is that deep
            continue
        example = Example(page, parents, region.records)
        nodes = path_of(page, int(parents[0]))
        tokens = (class_of(page, node).decode("utf-8", "replace").split() for node in nodes)
        names = {(depth, token) for depth, listed in enumerate(tokens) for token in listed}
        confidence = ranking.confidence(page, regions) if rank == 0 else region.confidence or 0.0
        places.append(Place(example, tuple(page.tag[nodes].tolist()), names, rank, confidence))
    return places, met


def lists_of(pages: Sequence[Page]) -> tuple[list[tuple[list[Example], float]], list[str]]:
    """The lists of pages of one template, each with its confidence: regions of different pages that are the same list,
    best first, then sections; and limits."""
    groups: list[list[Place]] = []
    met: list[str] = []
    for page in pages:
        taken: set[int] = set()
        places, more = places_of(page)
        met += more
        for place in places:
            same = [k for k, group in enumerate(groups) if k not in taken and group[0].path == place.path]
            if same:
                best = max(same, key=lambda k: likeness(groups[k][0], place))
                groups[best].append(place)
            else:
                best = len(groups)
                groups.append([place])
            taken.add(best)

    def order(group: list[Place]) -> float:
        # A list that only some of the pages have falls behind, but only a little: others may have one record of it.
        return sum(place.rank for place in group) / len(group) + MISSING_RANKS * (1 - len(group) / len(pages))

    groups.sort(key=order)
    # Sections are told apart by their place, which is learned from the first page that has them.
    sections = [section for group in groups[:3] for section in sections_of(group[0].example)]
    if len(sections) > MOST_SECTIONS:
        met.append("wrapper.sections")
        sections = sections[:MOST_SECTIONS]
    if len(groups) > MOST_REGIONS - len(sections):
        met.append("wrapper.lists")
        groups = groups[: MOST_REGIONS - len(sections)]
    lists = [
        ([place.example for place in group], sum(place.confidence for place in group) / len(group)) for group in groups
    ]
    return lists + [([section], 0.0) for section in sections], met


def likeness(one: Place, other: Place) -> tuple[float, int]:
    """How alike two places are: in the class names around them, then in their ranks."""
    return len(one.names & other.names) / max(1, len(one.names | other.names)), -abs(one.rank - other.rank)


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
