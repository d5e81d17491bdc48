"""What the tools answer, of pages that are read already: dicts as JSON has them, none larger than it may be.
Nothing is fetched here, and no file is opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fastwrap.agents.bounded import MOST, MOST_OF_A_CELL, address, cut, filled, size
from fastwrap.errors import FastwrapError
from fastwrap.extraction import DataRegion, Extraction, Record, Region, extract
from fastwrap.limits import LIMITS
from fastwrap.noise.content import content
from fastwrap.output.values import json_value
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, learn
from fastwrap.wrapper.fitting import ALARM

MOST_COLUMNS = 60
ROOM_OF_A_COLUMN = 300
"""Bytes of an answer for each column that is shown."""

MOST_ROWS = 500
"""Of one answer."""

MOST_OTHERS = 8
"""Other lists of a page that are told."""

MOST_LETTERS = 12_000
"""Of a page's content in one answer."""


def table(page: Page, want: Sequence[str] | None, number: int | None, start: int, most: int = MOST) -> dict[str, Any]:
    """The records of a page, from the row `start` on: of its main list, of the list of a number (from 1), or the one
    record of a page about one thing.

    >>> page = Page("".join(f"<li><b>Pan {k}</b> <i>{k}.50 EUR</i></li>" for k in range(1, 5)))
    >>> found = table(page, None, None, 2)
    >>> [column["name"] for column in found["columns"]], found["rows"][0], found["total_rows"], found["next_start"]
    (['title', 'price'], ['Pan 3', {'amount': '3.50', 'currency': 'EUR'}], 4, None)
    """
    found = extract(page, want=list(want) if want else None)
    return told(found, number, start, most, notes_on(found))


def applied(wrapper: Wrapper, page: Page, number: int | None, start: int, most: int = MOST) -> dict[str, Any]:
    """The records of a page, read by a wrapper, and how well it fits."""
    found = wrapper.extract(page)
    notes = []
    if found.fit < ALARM:
        notes.append("The wrapper does not fit this page: learn it again from this one, or extract the table.")
    state = {"fit": round(found.fit, 3), "fits": found.fit >= ALARM}
    return {**state, **told(found, number, start, most - size(state), notes)}


def told(found: Extraction, number: int | None, start: int, most: int, notes: Iterable[str]) -> dict[str, Any]:
    """What was found on a page, as one table."""
    if start < 0:
        raise FastwrapError("start is a row, counted from 0")
    columns, records = chosen(found, number)
    shown = max(4, min(MOST_COLUMNS, most // ROOM_OF_A_COLUMN))
    answer: dict[str, Any] = {
        "url": address(found.url),
        "kind": found.kind,
        "confidence": round(found.confidence, 3),
        "total_rows": len(records),
        "first_row": start,
        "columns": [column_told(each) for each in columns[:shown]],
        "next_page": address(found.next_page),
        "other_lists": others(found, number),
        "notes": [*notes, *width_note(columns, shown), *limit_notes(found.limits)],
    }
    rows = [[json_value(value) for value in record.values[:shown]] for record in records[start : start + MOST_ROWS]]
    told = filled(answer, "rows", rows, start, most)
    if told["next_start"] is None and start + len(rows) < len(records):
        told["next_start"] = start + len(rows)
    return told


def chosen(found: Extraction, number: int | None) -> tuple[Sequence[Any], Sequence[Record]]:
    """The columns and the records that are asked for."""
    if number is not None:
        if not 1 <= number <= len(found.regions):
            there = f"lists 1 to {len(found.regions)}" if found.regions else "no list"
            raise FastwrapError(f"there is no list {number} on this page: it has {there}")
        region = found.regions[number - 1]
        return region.columns, region.records
    if found.kind == "detail" and found.record is not None:
        return found.record.columns, [found.record]
    return found.columns, found.records


def column_told(column: Any) -> dict[str, Any]:
    """A column: its name and its type, and what its numbers count."""
    said = {"name": cut(column.name, 80), "type": column.type}
    if column.columns:
        said["type"] = f"list of {column.columns[0].type}" if len(column.columns) == 1 else "list of rows"
    return {**said, "unit": cut(column.unit, 40)} if column.unit else said


def others(found: Extraction, number: int | None) -> list[dict[str, Any]]:
    """The other lists of a page, by which an agent may ask for one."""
    shown = (1 if found.records and found.kind != "detail" else None) if number is None else number
    told = []
    for place, region in enumerate(found.regions[: MOST_OTHERS + 1], 1):
        if place != shown and len(region):
            told.append({"list": place, "rows": len(region), "begins": cut(region.records[0].text, 80)})
    return told[:MOST_OTHERS]


def notes_on(found: Extraction) -> list[str]:
    """What an agent should know of a result before it relies on it."""
    notes = []
    if found.missing:
        notes.append(f"Nothing on the page serves {cut(', '.join(found.missing), 400)}: left out.")
    if not found.records and found.kind != "detail":
        sure = "Nothing repeats on this page." if not found.regions else (
            f"No list is sure to be what the page is for (best: {found.confidence:.2f}); ask for list 1 to see it."
        )  # fmt: skip
        notes.append(f"{sure} A page whose content is made by scripts has to be rendered by a browser first.")
    return notes


def width_note(columns: Sequence[Any], shown: int) -> list[str]:
    """That there are more columns than are shown."""
    if len(columns) <= shown:
        return []
    return [f"Only the first {shown} of {len(columns)} columns are shown: say with `want` which ones are needed."]


def limit_notes(limits: Iterable[str]) -> list[str]:
    """What was left undone."""
    return [f"{name}: {LIMITS.get(name, '')}" for name in limits][:5]


def text_of(page: Page, kind: str, start: int, most: int = MOST) -> dict[str, Any]:
    """The main content of a page as text or Markdown, from a letter on, cut between lines where that can be.

    >>> page = Page("<main><h1>Tea</h1>" + "".join(f"<p>Tea {k} is pale, and not dark.</p>" for k in range(20)))
    >>> text_of(page, "text", 0)["text"][:8], text_of(page, "text", 0, 300)["next_start"]
    ('Tea 0 is', 150)
    """
    if kind not in ("text", "markdown"):
        raise FastwrapError("format is text or markdown")
    if start < 0:
        raise FastwrapError("start is a letter, counted from 0")
    found = content(page)
    whole = found.text if kind == "text" else found.markdown
    answer: dict[str, Any] = {
        "url": address(found.url), "title": cut(found.title, 300), "language": cut(found.language, 20),
        "total_letters": len(whole), "text": "", "next_start": 1_000_000_000,
        "notes": limit_notes(found.limits) + ([] if whole else ["The page has no content, or makes it by scripts."]),
    }  # fmt: skip
    end = min(len(whole), start + MOST_LETTERS)
    room = max(200, most - size(answer))
    while end > start + 1 and size(whole[start:end]) > room:
        end = start + max(1, (end - start) * 9 // 10)
    if end < len(whole) and (line := whole.rfind("\n", start + (end - start) // 2, end)) > start:
        end = line + 1
    answer["text"] = whole[start:end]
    answer["next_start"] = end if end < len(whole) else None
    return answer


def learned(
    pages: Sequence[Page], want: Sequence[str] | None, examples: Sequence[Mapping[str, Any]] | None
) -> tuple[Wrapper, dict[str, Any]]:
    """A wrapper of pages, and what it has."""
    wrapper = learn(pages, want=list(want) if want else None, examples=list(examples) if examples else None)
    if not wrapper.patterns and wrapper.detail is None:
        raise FastwrapError("nothing repeats on these pages: there is nothing to learn")
    names = wrapper.patterns[0].column_names if wrapper.kind == "list" else [
        column.name for column in (wrapper.detail.columns if wrapper.detail is not None else ())
    ]  # fmt: skip
    misfits = [f"Page {each.page + 1} does not fit: {cut(each.why, 200)}." for each in wrapper.misfits[:10]]
    return wrapper, {
        "kind": wrapper.kind,
        "lists": len(wrapper.patterns),
        "columns": [cut(name, 80) for name in names[:MOST_COLUMNS]],
        "learned_from": len(pages),
        "notes": [*misfits, *limit_notes(wrapper.limits)],
    }


def explained(
    page: Page, want: Sequence[str] | None, number: int | None, start: int, most: int = MOST
) -> dict[str, Any]:
    """Why a list was taken for the main one (or another list for one): its scores, what each column's name rests on,
    and what of the records is no column, and why. The columns come first, then what was left out, from `start` on.

    >>> page = Page("".join(f"<li><b>Pan {k}</b> <i>{k}.50 EUR</i></li>" for k in range(1, 5)))
    >>> found = explained(page, None, None, 0)
    >>> found["records_are"], found["reasons"][1]["column"], found["reasons"][1]["because"]
    ('single nodes', 'price', {'type': 'money'})
    """
    if start < 0:
        raise FastwrapError("start is a reason, counted from 0")
    found = extract(page, want=list(want) if want else None)
    if found.kind == "detail" and number is None and found.record is not None:
        scores: dict[str, Any] = {}
        columns: Sequence[Any] = found.record.columns
        left_out: Sequence[Any] = ()
    elif not found.regions:
        scores, columns, left_out = {}, (), ()
    else:
        chosen(found, number)  # says which lists there are
        region = found.regions[(number or 1) - 1]
        scores, columns, left_out = why_region(region), region.columns, left_out_of(region)
    reasons = [
        *({"column": column.name, "type": column.type, "stands_in": cut(column.path, 200), "because": dict(column.why)}
          for column in columns),
        *({"left_out": cut(each.path, 200), "because": each.why} for each in left_out),
    ]  # fmt: skip
    answer = {
        "url": address(found.url),
        "kind": found.kind,
        "confidence": round(found.confidence, 3),
        **scores,
        "other_lists": others(found, number),
        "total_reasons": len(reasons),
        "notes": [*notes_on(found), *limit_notes(found.limits)],
    }
    return filled(answer, "reasons", reasons[start:], start, most)


def why_region(region: Region) -> dict[str, Any]:
    """What the ranking and the cutting of a list rest on."""
    scores = {
        name: round(value, 4) if isinstance(value, float) else cut(value, MOST_OF_A_CELL)
        for name, value in list(region.why.items())[:40]
    }
    stands = {} if isinstance(region, DataRegion) or not len(region) else {
        "stands_in": cut(region.page.css_path(int(region.spans[0][0])), 300)
    }  # fmt: skip
    return {"score": round(region.score, 4), "records_are": scores.pop("cut", "data"), "evidence": scores, **stands}


def left_out_of(region: Region) -> Sequence[Any]:
    """What of the records is no column."""
    return () if isinstance(region, DataRegion) else region.table.left_out
