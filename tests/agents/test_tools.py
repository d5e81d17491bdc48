"""What tools answer: never larger than it may be, and all of it in the end, whatever the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastwrap
from fastwrap import FastwrapError, Page
from fastwrap.agents import tools
from fastwrap.agents.bounded import cut, filled, size
from fastwrap.output.document import encode

ITEMS = "".join(
    f"<li><a href=/{k}>Pan {k}</a> <i>{k}.90 EUR</i> <b>{'long words ' * (k % 7)}</b></li>" for k in range(1, 120)
)
LIST = f"<html lang=en><ul class=pans>{ITEMS}</ul><a rel=next href='?page=2'>next</a>"
DETAIL = "<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"
WIDE = "<table>" + "".join(
    "<tr>" + "".join(f"<td>{'w' * (column % 40)}{row}{column}</td>" for column in range(150)) for row in range(40)
)
LONG_NAME, LONG_CELL = "h\U0001f600\x01" * 200, '\U0001f600"' * 3_000
HOSTILE = "<table><tr>" + "".join(f"<th>{LONG_NAME}{k}" for k in range(70))
HOSTILE += "".join("<tr>" + f"<td>{LONG_CELL}" * 70 for _ in range(5))


def walk(ask: Callable[[int], dict[str, Any]], name: str) -> tuple[list[Any], int]:
    """All that comes if one goes on to the end, and how many answers that took."""
    found: list[Any] = []
    start: int | None = 0
    answers = 0
    while start is not None:
        said = ask(start)
        answers += 1
        assert said["next_start"] is None or said["next_start"] > start
        found += [said[name]] if isinstance(said[name], str) else said[name]
        start = said["next_start"]
    return found, answers


def test_all_rows_come() -> None:
    page = Page(LIST, "https://shop.example/")
    rows, answers = walk(lambda start: tools.table(page, None, None, start, 3_000), "rows")
    assert answers > 3
    local = fastwrap.extract(page)
    assert rows == [list(row.values()) for row in local.to_dicts(json=True)]
    said = tools.table(page, None, None, 0)
    assert (said["kind"], said["total_rows"], said["next_page"]) == ("list", 119, "https://shop.example/?page=2")
    assert tools.table(page, ["price"], None, 0)["columns"] == [{"name": "price", "type": "money"}]


@pytest.mark.parametrize("most", [2_000, 6_000, 20_000])
@pytest.mark.parametrize(
    "html", [LIST, DETAIL, WIDE, HOSTILE, "", "<p>x"], ids=["list", "one", "wide", "bad", "no", "x"]
)
def test_answers_are_bounded(html: str, most: int) -> None:
    page = Page(html, "https://a.example/" + "a" * 5_000)
    answers = [
        tools.table(page, None, None, 0, most),
        tools.explained(page, None, None, 0, most),
        tools.text_of(page, "markdown", 0, most),
    ]
    if fastwrap.extract(page).regions:
        answers += [tools.table(page, None, 1, 0, most), tools.explained(page, None, 1, 0, most)]
    assert [len(encode(answer)) <= most for answer in answers] == [True] * len(answers)


cells = st.one_of(st.text(max_size=50), st.integers(), st.none(), st.lists(st.text(max_size=20), max_size=5))


@given(st.lists(st.lists(cells, min_size=1, max_size=5), max_size=30), st.integers(200, 3_000))
def test_filling(rows: list[list[Any]], most: int) -> None:
    found, start = [], 0
    while True:
        said = filled({"a": 1}, "rows", rows[start:], start, most)
        found += said["rows"]
        assert len(said["rows"]) >= (start < len(rows))
        assert size(said) <= most or len(said["rows"]) == 1
        if said["next_start"] is None:
            break
        start = said["next_start"]
    assert len(found) == len(rows)
    for row, whole in zip(found, rows, strict=True):
        assert row == whole or "…" in json.dumps(row, ensure_ascii=False)


@given(st.recursive(cells, lambda inner: st.dictionaries(st.text(max_size=5), inner, max_size=3)), st.integers(1, 40))
def test_cutting(value: Any, letters: int) -> None:
    shown = cut(value, letters)
    assert type(shown) is type(value)
    assert shown == value or "…" in json.dumps(shown, ensure_ascii=False)
    if isinstance(value, str):
        assert len(shown) <= max(2, letters)


def test_content_comes_whole() -> None:
    page = Page("<main><h1>Tea</h1>" + "".join(f"<p>Tea number {k} is green, and not too hot.</p>" for k in range(400)))
    parts, answers = walk(lambda start: tools.text_of(page, "text", start, 4_000), "text")
    assert "".join(parts) == fastwrap.content(page).text
    assert answers > 3
    assert all(part.endswith("\n") for part in parts[:-1])
    one_line = Page("<main><p>" + "wörd " * 9_000)
    parts, _ = walk(lambda start: tools.text_of(one_line, "markdown", start, 3_000), "text")
    assert "".join(parts) == fastwrap.content(one_line).markdown
    assert tools.text_of(Page("<p></p>"), "text", 0)["notes"] == ["The page has no content, or makes it by scripts."]
    with pytest.raises(FastwrapError, match="text or markdown"):
        tools.text_of(page, "html", 0)


def test_pages_about_one_thing() -> None:
    said = tools.table(Page(DETAIL), None, None, 0)
    assert (said["kind"], said["total_rows"]) == ("detail", 1)
    assert said["rows"] == [["Oak table", {"amount": "120", "currency": "EUR"}, 80]]
    assert said["columns"][2] == {"name": "Width", "type": "integer", "unit": "cm"}
    why = tools.explained(Page(DETAIL), None, None, 0)
    assert [each["column"] for each in why["reasons"]] == ["title", "Price", "Width"]


def test_what_is_not_there() -> None:
    page = Page(LIST)
    with pytest.raises(FastwrapError, match="there is no list 9 on this page: it has lists 1 to 1"):
        tools.table(page, None, 9, 0)
    with pytest.raises(FastwrapError, match="it has no list"):
        tools.table(Page("<p>x"), None, 1, 0)
    for ask in (tools.table, tools.explained):
        with pytest.raises(FastwrapError, match="start is"):
            ask(page, None, None, -1)
    assert tools.table(page, None, None, 10_000)["rows"] == []
    notes = tools.table(page, ["title", "sound"], None, 0)["notes"]
    assert notes == ["Nothing on the page serves sound: left out."]
    assert "rendered by a browser" in tools.table(Page("<p>x"), None, None, 0)["notes"][0]


def test_reasons() -> None:
    items = "".join(f"<li><b>Tea {k}</b> <i>{k}.50 EUR</i> <u>buy</u> <a href=/{k}>more</a>" for k in range(1, 9))
    page = Page(f"<ul>{items}</ul>" + "<table>" + "<tr><td>a<td>b" * 5 + "</table>")
    said = tools.explained(page, None, None, 0)
    assert said["score"] == round(fastwrap.extract(page).regions[0].score, 4)
    assert {"coverage", "navigation"} <= said["evidence"].keys()
    assert said["stands_in"]
    left_out = [each for each in said["reasons"] if "left_out" in each]
    assert left_out
    assert all(each["because"] for each in left_out)
    wide = Page(WIDE)
    reasons, answers = walk(lambda start: tools.explained(wide, None, 1, start, 3_000), "reasons")
    assert len(reasons) == tools.explained(wide, None, 1, 0)["total_reasons"]
    assert answers > 1


def test_wrappers() -> None:
    pages = [Page(LIST), Page(LIST.replace("Pan", "Lid"))]
    wrapper, said = tools.learned(pages, ["title", "price"], None)
    assert (said["kind"], said["columns"], said["learned_from"]) == ("list", ["title", "price"], 2)
    found = tools.applied(wrapper, pages[1], None, 0)
    assert (found["fits"], found["rows"][0]) == (True, ["Lid 1", {"amount": "1.90", "currency": "EUR"}])
    other = tools.applied(wrapper, Page("<p>other"), None, 0)
    assert (other["fits"], other["rows"]) == (False, [])
    assert "learn it again" in other["notes"][0]
    assert tools.learned(pages, None, [{"what": "Pan 3", "cost": "3.90"}])[1]["columns"] == ["what", "cost"]
    with pytest.raises(FastwrapError, match="nothing repeats"):
        tools.learned([Page("<p>x")], None, None)
