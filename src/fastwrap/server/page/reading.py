"""What the page asks for: a page with its lists marked, a list as a file, its wrapper, and lines of code for all that.
Each request has the page itself, so that the server keeps nothing of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fastwrap import FastwrapError
from fastwrap.extraction import DataRegion, Extraction, extract
from fastwrap.output.document import encode
from fastwrap.output.files import TABLE_FORMATS
from fastwrap.output.table import selected, table_with
from fastwrap.output.values import json_value
from fastwrap.page import Page
from fastwrap.server.page import lines
from fastwrap.server.problems import Problem
from fastwrap.server.requests import WrapperId, page_of
from fastwrap.server.settings import Limits
from fastwrap.show.offering import wrapper_of
from fastwrap.show.panel import MAX_RENAMED
from fastwrap.show.parts import parts
from fastwrap.show.regions import MAX_REGIONS, ShownRegion, shown_regions
from fastwrap.wrapper import Wrapper
from fastwrap.wrapper.wrapper import WrappedExtraction, WrappedRegion

FILES = {
    "csv": "text/csv",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""By their suffixes, the files that a list can be taken as."""

Text: TypeAlias = Annotated[str, Meta(max_length=4_096)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_RENAMED)]


class Looked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page that is looked at."""

    html: str | None = None
    """The page as text, pasted."""
    file: bytes | None = None
    """The page as bytes, of a file: its encoding is found as that of any page. In JSON they are Base64."""
    url: Text | None = None
    """Its address. Where the page itself is not there, it is fetched."""
    encoding: Text | None = None
    """How the bytes are encoded: a label, or a whole Content-Type header."""
    name: Text = ""
    """What to call it: the name of its file."""
    wrapper: msgspec.Raw = msgspec.Raw()
    """The wrapper to read it by, as its file; nothing to find what repeats."""

    fetched: bool = False
    """Whether it was fetched from its address."""

    @property
    def by(self) -> Wrapper | None:
        """The wrapper to read it by; FastwrapError for what is none."""
        return Wrapper.loads(bytes(self.wrapper)) if self.wrapper else None

    @property
    def is_to_be_fetched(self) -> bool:
        """Whether there is an address alone."""
        return self.html is None and self.file is None and bool(self.url)

    @property
    def source(self) -> bytes | str:
        """The page itself; Problem where there is none."""
        source = self.html if self.file is None else self.file
        if source is None or (self.html is not None and self.file is not None):
            raise Problem("bad-request", "there is neither html nor a file, or both")
        return source


class Chosen(Looked, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One list of a page, and its columns."""

    number: Annotated[int, Meta(ge=0, lt=MAX_REGIONS, description="Which of the lists that are shown.")] = 0
    columns: list[tuple[Annotated[int, Meta(ge=0)], Name]] | None = None
    """The columns: their numbers, as shown, and what they shall be called. None for those that are shown at first."""
    saved_as: WrapperId = "list"
    """What the wrapper is called, in lines of code."""
    server: Text = ""
    """The address of the server, in lines of code."""


class Reading(NamedTuple):
    """A page that was read."""

    source: bytes | str
    extraction: Extraction
    shown: list[ShownRegion]


def read(looked: Looked, limits: Limits) -> Reading:
    """Read a page: by a wrapper, if there is one."""
    source = looked.source
    page = page_of(source, looked.url, looked.encoding, limits)
    given = looked.by
    extraction = extract(page) if given is None else given.extract(page)
    return Reading(source, extraction, shown_regions(extraction, offering=given is None))


def look(looked: Looked, limits: Limits) -> dict[str, Any]:
    """What is shown of a page: the HTML of its view, and what its lists are called by in further requests."""
    source, extraction, shown = read(looked, limits)
    found: dict[str, Any] = {
        "url": extraction.url,
        "view": parts(source, extraction, shown, looked.name or extraction.url or "pasted page", editable=True),
        "kind": extraction.kind,
        "lists": [
            {
                "number": each.number,
                "records": len(each.records),
                "columns": [
                    {"name": column.name, "left_out": each.left_out.get(column.name, "")} for column in each.columns
                ],
                "why_no_wrapper": why_no_wrapper(each),
            }
            for each in shown
        ],
        "wrapper": None,
    }
    if looked.fetched:
        # For the calls that follow: an address may have another page by then.
        found["page"] = {"file": looked.file, "url": looked.url, "encoding": looked.encoding, "fetched": True}
    if isinstance(extraction, WrappedExtraction):
        found["wrapper"] = fit_of(extraction.wrapper, extraction.page)
    return found


def fit_of(wrapper: Wrapper, page: Page) -> dict[str, Any]:
    """How well a wrapper fits a page, and what has become of its columns."""
    check = wrapper.check(page)
    return {
        "fit": round(check.fit, 4),
        "alarm": check.alarm,
        "records": check.records,
        "skipped": check.skipped,
        "columns": [
            {"name": each.name, "state": each.state, "fit": round(each.fit, 4), "detail": each.detail}
            for each in check.columns
        ],
    }


def why_no_wrapper(shown: ShownRegion) -> str:
    """Why a list cannot have a wrapper; nothing if it can."""
    if shown.region is None:
        return "A wrapper of pages about one thing is learned from two or more of them: fastwrap learn, /v1/learn."
    if isinstance(shown.region, DataRegion):
        return "The page has this list as data alone, and wrappers read what a page shows."
    return ""


def chosen_of(shown: ShownRegion, chosen: Chosen) -> list[tuple[int, str]]:
    """The columns that are chosen, by their places in the region, in its order, and what they shall be called."""
    if chosen.columns is None:
        picked = [
            (place, column.name)
            for place, column in zip(shown.order, shown.columns, strict=True)
            if column.name not in shown.left_out
        ]
        return sorted(picked)
    if not chosen.columns or max(number for number, _ in chosen.columns) >= len(shown.order):
        raise Problem("bad-request", "there is no such column, or none at all")
    names = [name for _, name in chosen.columns]
    if len(set(names)) < len(names):
        raise Problem("bad-request", "two columns have the same name")
    if len({number for number, _ in chosen.columns}) < len(names):
        raise Problem("bad-request", "a column is chosen twice")
    return sorted((shown.order[number], name) for number, name in chosen.columns)


def list_of(reading: Reading, chosen: Chosen) -> ShownRegion:
    """The list that is chosen."""
    for shown in reading.shown:
        if shown.number == chosen.number:
            return shown
    raise Problem("bad-request", f"there is no list {chosen.number}")


def table_file(chosen: Chosen, kind: str, limits: Limits) -> bytes:
    """A list as a file; Problem for a kind that there is not."""
    if kind not in FILES:
        raise Problem("not-acceptable", f"a file is one of {', '.join(FILES)}, not {kind[:40]!r}")
    reading = read(chosen, limits)
    shown = list_of(reading, chosen)
    columns = shown.all_columns
    names = {columns[place].name: name for place, name in chosen_of(shown, chosen)}
    if kind != "json":
        return TABLE_FORMATS[kind](selected(table_with(columns, shown.records), names))
    rows = [{new: json_value(record[old]) for old, new in names.items()} for record in shown.records]
    return encode(rows)


def wrapper(chosen: Chosen, limits: Limits) -> Wrapper:
    """The wrapper of a list, with the columns that are chosen; the one that the page was read by, if that has them."""
    given = chosen.by
    if given is not None and chosen.columns is None:
        return given
    reading = read(chosen, limits)
    shown = list_of(reading, chosen)
    if given is not None and isinstance(shown.region, WrappedRegion):
        return replace(given, patterns=(shown.region.pattern.with_columns(chosen_of(shown, chosen)),))
    why = why_no_wrapper(shown)
    if why or shown.region is None:
        raise Problem("unusable", why)
    confidence = reading.extraction.confidence if shown.rank == 0 else 0.0
    return wrapper_of(shown.region, chosen_of(shown, chosen), confidence)


def code(chosen: Chosen, needs_token: bool, limits: Limits) -> dict[str, Any]:
    """Lines of code that read the list as it is chosen: in Python, with curl, and as a spider of Scrapy."""
    reading = read(chosen, limits)
    shown = list_of(reading, chosen)
    columns = shown.all_columns
    names = {columns[place].name: name for place, name in chosen_of(shown, chosen)}
    asked = lines.Asked(
        file="" if chosen.fetched else chosen.name or "page.html",
        url=reading.extraction.url,
        saved_as=chosen.saved_as,
        server=chosen.server,
        needs_token=needs_token,
    )
    place = lines.Place(
        rank=shown.rank,
        is_main=shown.rank == 0 and bool(reading.extraction.records),
        names=None if chosen.columns is None else names,
        by_wrapper=bool(chosen.wrapper) or not names.keys().isdisjoint(shown.left_out),
        can_wrap=not why_no_wrapper(shown),
    )
    spider, why = None, why_no_wrapper(shown)
    if not why:
        try:
            spider = wrapper(chosen, limits).to_scrapy(reading.extraction.page)
        except FastwrapError as error:
            why = str(error)
    return {
        "python": lines.python(asked, place),
        "curl": lines.curl(asked, place),
        "scrapy": spider,
        "why_no_scrapy": why,
    }
