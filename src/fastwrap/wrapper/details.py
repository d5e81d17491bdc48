"""The record of a page about one thing, read by a wrapper: how well it fits, what has become of its columns, and paths.
`fastwrap.template` learns and reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fastwrap import template
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.common.lazy import lazy_property
from fastwrap.extraction import GivenContents, Record
from fastwrap.page import Page
from fastwrap.page.names import NO_NODE, TEXT
from fastwrap.template import DetailTemplate
from fastwrap.types import type_columns
from fastwrap.wrapper.fitting import ALARM, Check, ColumnCheck
from fastwrap.wrapper.pattern import Pattern

MAIN_COLUMNS = 40
"""The first columns, which the fit is measured by: what comes after them is beside the point."""

ENOUGH = 0.8
"""If this share of the columns that all pages had is there, the page fits."""

SURE, LIKELY = 0.9, 0.5
"""Confidences of lists: a sure one that has most of the text is all that a page is for; below the other, a page is
about one thing."""

MOST_OF_TEXT = 0.5

LISTS_BESIDE = 3
"""Lists that are learned of pages about one thing."""

ALL_LISTS = 0.85
"""Records with this share of their texts in lists are but lists: all of these are learned."""


class Extra(Mapping[str, str]):
    """Labels that were never seen while learning, each with what follows it; looked for when somebody asks."""

    def __init__(self, read: ReadRecord) -> None:
        self._read = read

    @lazy_property
    def _found(self) -> dict[str, str]:
        return self._read.detail.unknown(self._read.page, self._read.reading.slot_of)

    def __getitem__(self, label: str) -> str:
        return self._found[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return repr(self._found)


class ReadRecord:
    """The record of a page, each part read when it is asked for."""

    def __init__(self, page: Page, detail: DetailTemplate) -> None:
        self.page, self.detail = page, detail
        self.reading = detail.read(page)

    @lazy_property
    def record(self) -> Record:
        """What a user holds."""
        table = self.detail.table(self.page, self.reading)
        whole = np.array([[0, len(self.page)]], dtype=np.int32)
        return Record(GivenContents(table, whole, Extra(self)), 0)

    @lazy_property
    def fit(self) -> float:
        """In [0, 1], how many of the columns that all pages had this one has; below 0.5 the page has changed."""
        usual = [number for number, column in enumerate(self.main) if "0" not in column.occurs]
        if not usual:
            return 1.0 if any(cell is not None for cell in self.reading.cells) else 0.0
        there = sum(self.reading.cells[number] is not None for number in usual)
        return min(1.0, there / len(usual) / ENOUGH)

    @property
    def main(self) -> Sequence[template.DetailColumn]:
        """The first columns."""
        return self.detail.columns[:MAIN_COLUMNS]

    def check(self) -> Check:
        """What has become of the columns."""
        texts = [first_text(cell) for cell in self.reading.cells[: len(self.main)]]
        strings = [[] if text is None else [text] for text in texts]
        page = self.page
        typed = type_columns(strings, [column.kind for column in self.main], page.url, page.language, page.base)
        checked = []
        for column, text, now in zip(self.main, texts, typed, strict=True):
            state, fit, told = "ok", 1.0, ""
            if text is None and "0" not in column.occurs:
                state, fit, told = "emptied", 0.0, f"all {len(column.occurs)} pages had it"
            elif text is not None and column.type != "text" and now.type == "text" and not text.isdigit():
                was = f", which was {column.samples[0][:40]!r}" if column.samples else ""
                state, fit, told = "changed", ALARM, f"such as {text[:40]!r}{was}"
            checked.append(ColumnCheck(column.name, state, fit, told))
        return Check(self.fit, tuple(checked), 1, 0, self.reading.limits)

    def paths(self, language: str) -> dict[str, Any]:
        """Where the values of this page are, in CSS or XPath; for a list, each of its values."""
        nodes: dict[int, list[int]] = {}
        for node, slot in enumerate(self.reading.slot_of.tolist()):
            if slot != NO_NODE:
                nodes.setdefault(slot, []).append(node)
        found: dict[str, Any] = {}
        left_out = {}
        for column, cell in zip(self.detail.columns, self.reading.cells, strict=True):
            if cell is None or column.slot not in nodes:
                left_out[column.name] = "this page does not have it"
                continue
            paths = [path_of(self.page, node, column.kind, language) for node in nodes[column.slot]]
            if None in paths:
                left_out[column.name] = "CSS cannot tell it from the texts beside it: use to_xpath"
            else:
                found[column.name] = paths[0] if len(paths) == 1 else paths
        return {"records": ":root" if language == "css" else "/html", "columns": found, "left_out": left_out}


def first_text(cell: Any) -> str | None:
    """A cell, or the first value of one that is a list.

    >>> first_text("a"), first_text([None, "b"]), first_text(None)
    ('a', 'b', None)
    """
    if isinstance(cell, list):
        return next((text for text in cell if text is not None), None)
    return cell if isinstance(cell, str) else None


def path_of(page: Page, node: int, kind: str, language: str) -> str | None:
    """The path of one value; None if CSS has none.

    >>> page = Page("<p>one <b>two</b> three")
    >>> path_of(page, 5, "text", "xpath"), path_of(page, 6, "text", "css"), path_of(page, 4, "text", "css")
    ('/html/body/p/b', ':root > body > p > b::text', None)
    """
    if kind != TEXT_ITEM:
        return f"{page.css_path(node)}::attr({kind})" if language == "css" else f"{page.xpath(node)}/@{kind}"
    if language == "xpath":
        return page.xpath(node)
    if page.tag[node] != TEXT:
        return f"{page.css_path(node)} *::text" if page.size[node] > 2 else f"{page.css_path(node)}::text"
    up = int(page.parent[node])
    texts = sum(int(page.tag[child]) == TEXT for child in page.children(up))
    return f"{page.css_path(up)}::text" if texts == 1 else None


def detail_of(
    pages: Sequence[Page], kind: str | None, share: float, confidence: float, met: list[str]
) -> DetailTemplate | None:
    """The template of pages about one thing; None if `kind` says that they are none, or if a sure list has most of
    their text. `share` is that of the first list, which is the main one by `confidence`; limits are added to `met`."""
    if kind == "list" or len(pages) < 2:
        return None
    if kind is None and confidence >= SURE and share >= MOST_OF_TEXT:
        return None
    return template.learn(pages, met)


def judged(pattern: Pattern) -> Pattern:
    """The first list of pages that have a record, as sure as the page that shows it best allows: a list of related
    things, or of labels, is none that a page about one thing exists for."""
    if pattern.confidence < LIKELY or pattern.example is None:
        return pattern
    from fastwrap import detail  # only when it is asked for: its word lists take time to load

    page, _, spans = pattern.example
    one_thing, of_list = detail.find(page).confidence(pattern.confidence, spans)
    if one_thing < max(of_list, LIKELY):
        return pattern
    return replace(pattern, confidence=round(min(pattern.confidence, 1 - one_thing), 6))


def is_about_one_thing(detail: DetailTemplate | None, patterns: Sequence[Pattern]) -> bool:
    """Whether pages are mainly about one thing: they have a template, and probably no main list."""
    return detail is not None and (not patterns or patterns[0].confidence < LIKELY)
