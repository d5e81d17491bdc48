"""Wide and deep tables: each step is linear, which is counted; what is too wide is bounded, which is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import FastwrapError, Page, Wrapper, extract
from fastwrap._core.columns import markup as native
from fastwrap._core.columns.known import Words
from fastwrap.columns import Layout, Table, apply, headers, learn, learning, naming, records
from fastwrap.columns.layout import LONGEST_PATH, TEXT_ITEM
from fastwrap.columns.naming import Name, unique
from fastwrap.columns.roles import role_of_words
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER
from tests.helpers.columns import children_of, first_children, record_parts
from tests.reference.columns import markup as plain
from tests.reference.columns.naming import LONGEST_REASON
from tests.reference.html import html


def learned(source: str) -> Table:
    page = Page(source)
    return learn(page, children_of(page, page.body + 1))


def listed(record: Callable[[int], str], count: int = 4) -> str:
    return "<ul>" + "".join(f"<li>{record(number)}</li>" for number in range(count)) + "</ul>"


def wide(columns: int) -> str:
    return listed(lambda record: "".join(f"<b>Word {column} {record}</b>" for column in range(columns)))


def counted(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[tuple[Any, ...]]:
    """The arguments of the calls of a function, from now on."""
    calls: list[tuple[Any, ...]] = []
    function = getattr(module, name)

    def call(*given: Any, **named: Any) -> Any:
        calls.append(given)
        return function(*given, **named)

    monkeypatch.setattr(module, name, call)
    return calls


# Names


def numbered(names: list[str]) -> list[str]:
    """As the definition has it: for each name the first number that is free."""
    found: list[str] = []
    for name in names:
        numbers = [name, *(f"{name} {number}" for number in range(2, len(names) + 2))]
        found.append(next(each for each in numbers if each not in found))
    return found


@settings(max_examples=500)
@given(st.lists(st.sampled_from(["a", "a 2", "a 3", "a 2 2", "a 2 3", "b", "b 2", ""]), max_size=24))
@example(["a 2", "a", "a", "a 2", "a"])
def test_a_name_has_the_first_number_that_is_free(names: list[str]) -> None:
    assert [found.name for found in unique(Name(name, {}) for name in names)] == numbered(names)


def test_a_number_is_tried_once() -> None:
    class Counted(str):
        formatted = 0

        def __format__(self, specification: str) -> str:
            Counted.formatted += 1
            return str(self)

    count = 300
    names = [Counted("price") for _ in range(count)] + [Counted(f"price {number}") for number in range(count)]
    assert len({found.name for found in unique(Name(name, {}) for name in names)}) == 2 * count
    assert Counted.formatted < 4 * count


def test_the_words_of_a_class_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    source = listed(lambda record: "".join(f"<p class='unit-price x'>{k}.{record} EUR</p>" for k in range(60)))
    calls = []

    def role_of(*said: Any) -> str:
        calls.append(said)
        return role_of_words(*said)

    monkeypatch.setattr(naming, "WORDS", Words(naming.WORDS.given._replace(role_of_words=role_of)))
    found = learned(source)
    assert [name.name for name in found.names][:2] == ["unit price", "unit price 2"]
    assert calls.count(("unit-price x", True)) == 1


def test_a_container_names_none_of_the_columns_in_it() -> None:
    parts = "".join(f"<b>{{}} word {k}</b>" for k in range(60))
    found = learned(listed(lambda record: f"<p class='unit-price x'>{parts.replace('{}', str(record))}</p>"))
    assert not any(name.name.startswith("unit price") for name in found.names)


def test_the_reason_of_a_name_is_bounded() -> None:
    found = learned(listed(lambda record: f"<p class='price {'x' * 5000}'>{record} EUR</p>"))
    assert len(found.names[0].why["markup"]) == LONGEST_REASON


def test_the_cells_of_a_row_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    head = "".join(f"<th>Head {column}</th>" for column in range(90))
    rows = "".join("<tr>" + "".join(f"<td>{row}{column}</td>" for column in range(90)) for row in range(4))
    page = Page(f"<table><thead><tr>{head}</thead><tbody>{rows}</tbody></table>")
    body = next(node for node in range(len(page)) if page.tag_name(node) == "tbody")
    found = learn(page, children_of(page, body))
    calls = counted(monkeypatch, headers, "cells_of")
    assert [name.name for name in found.names] == [f"Head {column}" for column in range(90)]
    assert len(calls) < 10


def test_header_rows_that_span_others_are_bounded() -> None:
    head = "<tr><th colspan=150 rowspan=200>A</th><th colspan=150 rowspan=200>B</th></tr>" * 60
    page = Page(f"<table>{head}<tr><td>1<td>2<tr><td>3<td>4</table>")
    first = [node for node in range(len(page)) if page.tag_name(node) == "tr"][-2]
    assert len(headers.header_cells(page, first)) <= (headers.MAX_HEADER_ROWS + 1) * headers.MAX_COLUMNS_OF_ROW * 2


# Paths, links and titles: what is around slots and below them


def around(layout: Layout, slot: int) -> list[int]:
    """A slot and those around it, up to the top."""
    found = [slot]
    while (slot := int(layout.tree[1, slot])) != NO_NODE:
        found.append(slot)
    return found


HEADINGS = {TAG_NUMBER[f"h{level}"] for level in range(1, 7)}


@settings(max_examples=200)
@given(parts=st.lists(html | record_parts, min_size=2, max_size=5))
def test_what_is_around_slots_and_below_them(parts: list[str]) -> None:
    page = Page("<ul>" + "".join(f"<li>{part}</li>" for part in parts) + "</ul>")
    layout = learn(page, first_children(page)).layout
    slots = range(layout.tree.shape[1])
    is_heading = [int(tag) in HEADINGS for tag in layout.tree[0]]
    assert layout.heading_slots == [slot for slot in slots if is_heading[slot]]
    assert layout.in_heading == [any(is_heading[above] for above in around(layout, slot)[1:]) for slot in slots]
    for sought in ([], layout.heading_slots, sorted({item.slot for item in layout.items})):
        for slot in slots:
            below = any(slot in around(layout, each) for each in sought)
            assert layout.has_below(slot, sought) == below
    wanted = []
    for item in layout.items:
        steps = [layout.tag_name(slot) for slot in reversed(around(layout, item.slot))]
        wanted += ["/".join(steps + [f"@{item.kind}"] * (item.kind != TEXT_ITEM))] * item.width
    assert [path for path in layout.paths if path != "heading"] == wanted


@pytest.mark.parametrize(
    ("opening", "closing"), [("<div>", "</div>"), ("<x-" + "y" * 90 + ">", ""), ("<ins>", "</ins>")]
)
def test_long_paths_keep_their_lowest_steps(opening: str, closing: str) -> None:
    found = learned(listed(lambda record: f"{opening * 300}word {record}{closing * 300}"))
    path = found.layout.paths[0]
    assert path.startswith("…/")
    assert path.endswith("/#text")
    assert len(path) <= LONGEST_PATH
    assert found.columns[0].path == path


def test_a_name_that_is_longer_than_a_path() -> None:
    found = learned(listed(lambda record: f"<x-{'y' * 2 * LONGEST_PATH}>word {record}</x-{'y' * 2 * LONGEST_PATH}>"))
    assert found.layout.paths == ["…/#text"]


# Bounds


def test_of_columns_with_as_many_items_the_first_are_kept() -> None:
    found = learned(wide(records.MAX_COLUMNS + 50))
    assert found.limits == ("columns.width",)
    assert found.texts[1] == [f"Word {column} 1" for column in range(records.MAX_COLUMNS)]
    assert learned(wide(20)).limits == ()


def test_the_fullest_columns_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_COLUMNS", 3)
    source = listed(lambda record: "".join(f"<h{k}>{k}</h{k}>" for k in range(1, 7) if record >= k % 4))
    assert learned(source).texts[-1] == ["1", "4", "5"]


def test_no_texts_are_split_into_more_columns_than_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    source = listed(lambda record: "".join(f"<p class=c{k}>{record}a | {record}b | {record}c</p>" for k in range(5)))
    assert learned(source).layout.width == 15
    monkeypatch.setattr(learning, "MAX_COLUMNS", 10)
    found = learned(source)
    assert found.layout.width == 9  # the next one would make eleven
    assert found.limits == ("columns.splitting",)
    assert found.texts[0][-1] == "0a | 0b | 0c"
    assert apply(found.template, found.records.page, found.records.spans).texts == found.texts


def test_a_table_that_would_be_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    found = learned(wide(20))
    monkeypatch.setattr(learning, "MAX_CELLS_READ", 79)
    with pytest.raises(FastwrapError, match="4 records of 20 columns make too large a table"):
        apply(found.template, found.records.page, found.records.spans)


def test_all_that_a_user_asks_of_a_page_that_is_too_wide() -> None:
    rows = "".join(
        "<tr>" + "".join(f"<td>word {row} {column}</td>" for column in range(3_000)) + "</tr>" for row in range(4)
    )
    source = f"<table>{rows}</table>"
    found = extract(source, min_confidence=0)
    dicts = found.to_dicts()
    assert "columns.width" in found.limits
    assert [len(record) for record in dicts] == [records.MAX_COLUMNS] * 4
    assert len(found.regions[0].columns) == records.MAX_COLUMNS
    assert len(json.loads(found.to_json())["regions"][0]["columns"]) == records.MAX_COLUMNS
    wrapper = fastwrap.learn(source)
    assert "columns.width" in wrapper.limits
    assert Wrapper.loads(wrapper.dumps()).extract(source).to_dicts() == dicts


def test_lists_in_a_subtree_before_a_list_of_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    # The lists of a parent are found first, and are numbered before those of its first child.
    def record(number: int) -> str:
        inner = "".join(f"<li>in {k} {number}</li>" for k in range(1 + number % 4))
        return f"<div><ol>{inner}</ol><b>x</b></div>" + "".join(f"<p>out {k}</p>" for k in range(1 + (number + 1) % 4))

    found = learned(listed(record, 9))
    assert found.layout.lists == 2
    assert found.nested_texts[3] == [[f"in {k} 3" for k in range(4)], "x", ["out 0"]]
    assert found.nested_texts[2] == [[f"in {k} 2" for k in range(3)], "x", [f"out {k}" for k in range(4)]]


# What markup says: the kernel against its oracle


@settings(max_examples=200)
@given(source=html, chooser=st.randoms(use_true_random=False))
def test_elements_around_nodes_and_what_they_say(source: str, chooser: Any) -> None:
    page = Page(source)
    nodes = [chooser.randrange(len(page)) for _ in range(8)]
    tops = [chooser.randrange(node + 1) for node in nodes]
    assert native.elements(page.native, nodes, tops) == plain.elements(page.native, nodes, tops)
    names = [ATTRIBUTE_NUMBER[name] for name in ("class", "id", "href", "title")] + [NO_NODE, *page.custom_names]
    for node in nodes:
        said = native.values(page.native, node, names)
        assert said == plain.values(page.native, node, names)
        assert said[0] == page.attributes(node).get("class", "")


@pytest.mark.parametrize("module", [native, plain], ids=["native", "plain"])
def test_nodes_that_there_are_not(module: ModuleType) -> None:
    page = Page("<p>a")
    for nodes, tops in (([len(page)], [0]), ([-1], [0]), ([1], [-1]), ([1], [])):
        with pytest.raises(ValueError, match=r"no (such )?node|top for each|argument"):
            module.elements(page.native, nodes, tops)
    with pytest.raises(ValueError, match=r"no (such )?node"):
        module.values(page.native, len(page), [0])
