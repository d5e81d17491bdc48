"""Columns: what holds of every table, learning against applying, and tables that are known."""

from __future__ import annotations

import copy
import gc
import json
import random
import re
import weakref
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page
from fastwrap._core.columns import learning as native
from fastwrap.columns import Table, Template, apply, learn, records
from fastwrap.columns import table as tables
from fastwrap.columns import template as templates
from fastwrap.columns.headers import header_cells
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.columns.splitting import Rule, find_rule
from fastwrap.page.names import NO_NODE, TEXT
from fastwrap.regions import mdr
from fastwrap.wrapper.format import Template as TemplateEntry
from tests.helpers.columns import children_of
from tests.reference.columns import learning as plain
from tests.reference.columns import reading as plain_reading
from tests.reference.columns import table as plain_table
from tests.reference.html import html

ITEMS = ("href", "src", "alt", "title", "datetime", "content")


@pytest.fixture(params=[native, plain], ids=["native", "plain"])
def kernel(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The kernels, and their oracles in their place."""
    module: ModuleType = request.param
    with pytest.MonkeyPatch.context() as patch:
        if module is plain:
            patch.setattr(records, "learning", plain)
            patch.setattr(templates, "Reader", plain_reading.Reader)
            patch.setattr(tables, "fixed", plain_table.fixed)
            patch.setattr(tables, "nested", plain_table.nested)
            patch.setattr(tables, "transposed", plain_table.transposed)
        yield module


def learned(source: str, url: str | None = None) -> Table:
    """The table of the children of the page's first element."""
    page = Page(source, url)
    return learn(page, children_of(page, page.body + 1))


def table(source: str) -> list[list[Any]]:
    return learned(source).nested_texts


def in_list(*records: str) -> str:
    return "<ul>" + "".join(f"<li>{record}</li>" for record in records) + "</ul>"


def names(found: Table) -> list[str]:
    return [name.name for name in found.template.names]


def paths(found: Table) -> list[str]:
    return found.layout.paths


# What holds of every table


def check(page: Page, found: Table) -> None:
    """Every item is in a column, in order, and what is written down of the template reads the same."""
    template = found.template
    assert len(found.texts) == len(found.records)
    assert all(len(row) == template.width for row in found.texts)
    assert {len(row) for row in found.nested_texts} <= {len(found.nested_columns)}
    joined = {slot for slot, into in enumerate(template.into.tolist()) if slot != into}
    split = {item.slot for item in template.items if item.rule is not None}
    for (start, end), row in zip(found.records.spans.tolist(), found.texts, strict=True):
        first = int(
            np.cumsum([0, *np.diff(found.records.spans)[:, 0]])[found.records.spans[:, 0].tolist().index(start)]
        )
        slots = found.slots[first : first + end - start].tolist()
        assert slots == sorted(set(slots))
        wanted = [
            (slot, name, value)
            for slot, node in zip(slots, range(start, end), strict=True)
            for name, value in [
                *([(TEXT_ITEM, page.text(node))] if page.tag[node] == TEXT else []),
                *((name, value) for name, value in page.attributes(node).items() if name in ITEMS and value),
            ]
        ]
        cells = {(item.slot, item.kind): row[item.column] for item in template.items}
        for slot, name, value in wanted:
            if slot not in joined | split and template.unit.max(initial=NO_NODE) == NO_NODE:
                cell = cells[slot, name]
                assert cell == value or (isinstance(cell, str) and value in cell)
        if not joined and not split and template.unit.max(initial=NO_NODE) == NO_NODE and template.heading is None:
            order = [(item.slot, item.kind) for item in template.items if row[item.column] is not None]
            assert [place for place in order if not place[1].startswith("data-")] == sorted(
                ((slot, name) for slot, name, _ in wanted), key=lambda place: order.index(place)
            )
            assert [slot for slot, _ in order] == sorted(slot for slot, _ in order)
    assert len(set(names(found))) == template.width
    assert len(found.nested_values) == len(found.links) == len(found.texts)
    for row, values in zip(found.nested_texts, found.nested_values, strict=True):
        for cell, value in zip(row, values, strict=True):
            assert isinstance(cell, list) == isinstance(value, list)
            assert cell is not None or value is None
    written = json.loads(json.dumps(template.to_json()))
    read = Template.from_json(written)
    assert read.to_json() == written
    again = apply(read, page, found.records.spans)
    assert len(again.texts) == len(found.texts)
    assert again.template.width == template.width


@settings(max_examples=300)
@given(parts=st.lists(html, min_size=1, max_size=6), budget=st.sampled_from([0, 30, 10**7]))
def test_every_item_is_in_a_column_in_order(parts: list[str], budget: int) -> None:
    page = Page(in_list(*parts))
    check(
        page, learn(page, [span for span in children_of(page, page.body).tolist() if span[1] - span[0] < 400], budget)
    )
    for node in range(page.body, min(len(page), page.body + 12)):
        check(page, learn(page, children_of(page, node), budget))


def test_examples(example: bytes) -> None:
    page = Page(example)
    for region in mdr.find(page).regions[:6]:
        check(page, learn(page, region.records))


@settings(max_examples=150)
@given(part=html, count=st.integers(1, 6))
def test_equal_records_align_node_by_node(part: str, count: int) -> None:
    page = Page(f"<div><section>{part}</section></div>" * count)
    sections = [n for n in range(len(page)) if page.tag_name(n) == "div" and n + 1 < len(page)]
    spans = [[n, n + int(page.size[n])] for n in sections if int(page.parent[n]) == page.body]
    first = page.structural_class[[start for start, _ in spans]]
    if len(spans) != count or len(set(first.tolist())) > 1:
        return  # the part closed the div, or moved to where the parser wants it
    found = learn(page, spans)
    assert all(row == found.texts[0] for row in found.texts)
    assert None not in found.texts[0]


@settings(max_examples=300)
@given(
    fields=st.lists(st.sampled_from("b i u em p q a".split()), min_size=1, max_size=7, unique=True),
    chooser=st.randoms(use_true_random=False),
    count=st.integers(1, 12),
)
def test_optional_items_shift_no_others(fields: list[str], chooser: random.Random, count: int) -> None:
    """Whichever fields a record has: as many columns as fields, each with one field only, on other pages too."""
    rows = [[field for field in fields if chooser.random() < 0.7] for _ in range(count)]
    sources = [
        "<section>" + "".join(f"<{field}>{field}{k}</{field}>" for field in row) + "</section>"
        for k, row in enumerate(rows)
    ]
    found = learned(f"<div>{''.join(sources)}</div>")
    for k, (row, values) in enumerate(zip(rows, found.texts, strict=True)):
        assert [value for value in values if value] == [f"{field}{k}" for field in row]
    meaning = [{value.rstrip("0123456789") for value in column if value} for column in zip(*found.texts, strict=True)]
    assert all(len(own) == 1 for own in meaning)
    other = Page(f"<main>{''.join(sources[::-1])}<section><s>unknown</s></section></main>")
    again = apply(found.template, other, children_of(other, other.body + 1))
    # Where a field came to have two columns, records may use the other one here; never that of another field.
    assert again.texts[-1] == [None] * found.template.width
    for before, after in zip(found.texts[::-1], again.texts[:-1], strict=True):
        assert [value for value in after if value] == [value for value in before if value]
    for own, column in zip(meaning, zip(*again.texts, strict=True), strict=True):
        assert {value.rstrip("0123456789") for value in column if value} <= own
    assert again.unknown == 2


@settings(max_examples=200)
@given(parts=st.lists(html, min_size=2, max_size=5), other=st.lists(html, max_size=5))
def test_a_template_can_be_applied_to_any_page(parts: list[str], other: list[str]) -> None:
    page = Page(in_list(*parts))
    template = learn(page, children_of(page, page.body)).template
    page = Page(in_list(*other))
    for node in range(page.body, min(len(page), page.body + 8)):
        spans = children_of(page, node)
        found = apply(template, page, spans)
        assert len(found.texts) == len(spans)
        assert all(len(row) == template.width for row in found.texts)
        assert 0 <= found.unknown <= sum(end - start for start, end in spans.tolist())


# Tables that are known: alignment


def test_labels_keep_optional_fields_apart(kernel: ModuleType) -> None:
    """No class tells the fields apart, and most records lack one of them: the label text does."""
    fields = ("Author", "Year", "Pages")
    rows = [("A1", None, "P1"), ("A2", "Y2", "P2"), (None, "Y3", "P3"), ("A4", "Y4", None), (None, None, "P5")]
    source = [
        "".join(f"<b>{field}:</b> {value}<br>" for field, value in zip(fields, row, strict=True) if value)
        for row in rows
    ]
    found = learned(in_list(*source))
    assert found.texts == [
        [
            text
            for field, value in zip(fields, row, strict=True)
            for text in ((f"{field}:", value) if value else (None, None))
        ]
        for row in rows
    ]
    assert names(found)[1::2] == list(fields)


def test_classes_keep_optional_fields_apart(kernel: ModuleType) -> None:
    rows = [("n0", "p0", "s0"), ("n1", None, "s1"), ("n2", "p2", None), ("n3", None, "s3")]
    source = ["".join(f"<span class={c}>{v}</span>" for c, v in zip("nps", row, strict=True) if v) for row in rows]
    assert table(in_list(*source)) == [list(row) for row in rows]


def test_items_that_the_seed_lacks_are_inserted(kernel: ModuleType) -> None:
    source = ["<b>1</b><i>2</i><u>3</u>", "<b>1</b><em>n</em><i>2</i>", "<q>first</q><b>1</b>", "<u>3</u><s>last</s>"]
    assert table(in_list(*source)) == [
        [None, "1", None, "2", "3", None],
        [None, "1", "n", "2", None, None],
        ["first", "1", None, None, None, None],
        [None, None, None, None, "3", "last"],
    ]


def test_a_record_waits_for_the_order_of_its_items(kernel: ModuleType) -> None:
    """Where `s` belongs, after `b` or after `i`, the second record does not show, but the third."""
    source = [
        "<b>1</b><i>2</i><u>3</u><em>4</em><q>5</q>", "<b>1</b><s>x</s><u>3</u>", "<b>1</b><i>2</i><s>y</s><u>3</u>"
    ]  # fmt: skip
    assert table(in_list(*source)) == [
        ["1", "2", None, "3", "4", "5"],
        ["1", None, "x", "3", None, None],
        ["1", "2", "y", "3", None, None],
    ]


def test_attributes_are_items_of_their_element(kernel: ModuleType) -> None:
    source = [
        "<a title=t href=/1>one</a><img src=1.png alt=''><time datetime=2001-01-01>x</time>",
        "<a href=/2>two</a><img src=2.png alt=b>",
        "<a href=/3 class=x>three</a><img src=3.png><time>y</time><meta content=3>",
    ]
    found = learned(in_list(*source))
    assert paths(found) == [
        "li/a/@href", "li/a/@title", "li/a/#text", "li/img/@src", "li/img/@alt", "li/time/@datetime", "li/time/#text",
        "li/meta/@content",
    ]  # fmt: skip
    assert found.texts == [
        ["/1", "t", "one", "1.png", None, "2001-01-01", "x", None],
        ["/2", None, "two", "2.png", "b", None, None, None],
        ["/3", None, "three", "3.png", None, None, "y", "3"],
    ]


def test_data_attributes_are_items_if_they_carry_values(kernel: ModuleType) -> None:
    source = [
        f"<b data-price={k} data-kind=b data-x-{k}=1 data-json='{{&quot;a&quot;:{k}}}'>n{k}</b>" for k in range(6)
    ]
    found = learned(in_list(*source))
    assert found.texts == [[str(k), f"n{k}"] for k in range(6)]
    assert names(found) == ["price", "title"]


def test_what_most_records_say_is_template(kernel: ModuleType) -> None:
    source = [f"<b>Price:</b><i>{k}</i><u>{min(k, 8)}</u><s>{min(k, 2)}</s>" for k in range(10)]
    assert learned(in_list(*source)).fixed == [True, False, False, False]
    source = [f"<b>{'a' if k < 9 else k}</b><i>{'a' if k < 8 else k}</i>" for k in range(10)]
    assert learned(in_list(*source)).fixed == [True, False]  # more than 80%


def test_records_of_several_siblings(kernel: ModuleType) -> None:
    page = Page("<dl><dt>a<dd>1<dt>b<dd>2<dd>3<dt>c</dl>")
    tops = children_of(page, page.body + 1)[:, 0].tolist()
    found = learn(page, [[tops[0], tops[2]], [tops[2], tops[5]], [tops[5], len(page)]])
    assert found.texts == [["a", "1", None], ["b", "2", "3"], ["c", None, None]]


def test_rare_columns_are_left_out_of_a_table_that_is_too_large(
    kernel: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = in_list(*(f"<b>{k}</b><i>{k}</i><x-{k}>rare</x-{k}>" for k in range(5)))
    assert len(table(source)[0]) == 7
    monkeypatch.setattr(records, "MAX_CELLS", 12)
    assert table(source) == [[str(k), str(k)] for k in range(5)]


def test_without_a_budget_items_follow_their_tags(kernel: ModuleType) -> None:
    page = Page(in_list("<b>1</b><i>2</i><u>3</u>", "<b>1</b><u>3</u>", "<i>2</i>"))
    found = learn(page, children_of(page, page.body + 1), budget=0)
    assert found.texts == [["1", "2", "3"], ["1", None, "3"], [None, "2", None]]


def test_no_records_no_columns(kernel: ModuleType) -> None:
    page = Page("<p>a")
    assert len(page) == 5
    found = learn(page, [])
    assert (found.texts, found.template.width, found.nested_values, found.links) == ([], 0, [], [])
    assert apply(found.template, page, [[3, 5]]).texts == [[]]
    empty = learn(Page("<ul><li></li><li></li></ul>"), [[4, 5], [4, 5]])
    assert empty.texts == [[], []]


@pytest.mark.parametrize("span", [[-1, 3], [3, 3], [4, 3], [0, 99], [3, 4]])
def test_what_is_no_record_is_refused(kernel: ModuleType, span: list[int]) -> None:
    page = Page("<ul><li>a<li>b</ul>")
    template = learn(page, [[4, 6]]).template
    with pytest.raises(FastwrapError, match=r"cannot be aligned: span 1 is not (within|a run)"):
        learn(page, [[4, 6], span])
    with pytest.raises(FastwrapError, match=r"cannot be aligned: span 1 is not (within|a run)"):
        apply(template, page, [[4, 6], span])


def test_many_records_that_are_all_different(kernel: ModuleType) -> None:
    """Each has a tag of its own, so that the tree grows by one with every record; the budget keeps it linear."""
    count = 20_000 if kernel is native else 300
    page = Page(in_list(*(f"<b>{k}</b><x-{k}>{k}</x-{k}>" for k in range(count))))
    found = learn(page, children_of(page, page.body + 1), budget=10_000)
    assert [row[0] for row in found.texts] == [str(k) for k in range(count)]


# One value in pieces


def test_highlighted_words_are_part_of_the_text(kernel: ModuleType) -> None:
    marked = [
        "The <b>red</b> house by the sea", "<b>Red</b> and blue", "All about <b>red</b> and <b>red</b> wine",
        "Nothing here", "My favourite colour is <b>red</b>",
    ]  # fmt: skip
    found = learned(in_list(*(f"<a href=/{k}>Title {k}</a><p>{text}</p>" for k, text in enumerate(marked))))
    assert [row[2] for row in found.texts] == [text.replace("<b>", "").replace("</b>", "") for text in marked]
    assert found.template.width == 3


def test_texts_that_touch_are_one_item(kernel: ModuleType) -> None:
    prices = in_list(*[f"<b>{k}. pan</b> $<big>{k}</big><sup>.{k}0</sup> <i>{k} left</i>" for k in range(5)])
    assert table(prices) == [[f"{k}. pan", f"${k}.{k}0", f"{k} left"] for k in range(5)]
    # As a template reads them: also where a piece is missing, or does not touch.
    template = learned(prices).template
    page = Page(in_list("<b>x</b> $<big>8</big>", "<b>y</b> $ <big>9</big><sup>.50</sup> <i>10 left</i>"))
    assert apply(template, page, children_of(page, page.body + 1)).texts == [
        ["x", "$8", None],
        ["y", "$ 9.50", "10 left"],
    ]


def test_a_word_is_never_cut(kernel: ModuleType) -> None:
    """Even if most records have white space there."""
    rows = [f"<b>mill</b>{'stone' if k == 3 else ' no'} {k}" for k in range(10)]
    assert [row[0] for row in table(in_list(*rows))] == [f"mill{'stone' if k == 3 else ' no'} {k}" for k in range(10)]


def test_what_is_labelled_or_separated_is_an_item_though_it_touches(kernel: ModuleType) -> None:
    rows = [f"Score: <b>{k}</b>, Size: <b>{k} kB</b>" for k in range(5)]
    assert [[row[1], row[3]] for row in table(in_list(*rows))] == [[str(k), f"{k} kB"] for k in range(5)]
    rows = [f"<b>Price:</b>{k} EUR" for k in range(5)]
    assert [row[-1] for row in table(in_list(*rows))] == [f"{k} EUR" for k in range(5)]


def test_lines_that_differ_in_number_are_one_text(kernel: ModuleType) -> None:
    lines = ["one<br>two<br>three", "one", "one<br>two", "one<br>two<br>three<br>four", "one<br>two"]
    found = table(in_list(*(f"<h3>{k}</h3><p>{text}</p>" for k, text in enumerate(lines))))
    assert found == [[str(k), text.replace("<br>", " ")] for k, text in enumerate(lines)]


def test_prose_with_links_is_one_text(kernel: ModuleType) -> None:
    prose = [
        "The clerk has filed the papers of the second hearing, which was held on Monday.",
        "The court grants <a href=/4>4</a> the motion that the clerk had filed, and sets a date for it.",
        "See the answer to <a href=/4>4</a> the motion and to the <a href=/7>7</a> order that had followed from it.",
        "A note: the <i>second</i> hearing is on <a href=/9>9</a> and will be held in the same room as the first one.",
        "All papers of the case are sealed from now on, until the court will say that they no longer are.",
    ]
    rows = "".join(f"<tr><td>{k}. May</td><td>{text}</td></tr>" for k, text in enumerate(prose))
    page = Page(f"<table><tbody>{rows}</table>")
    found = learn(page, children_of(page, page.body + 2)).texts
    assert [[row[0], row[1]] for row in found] == [
        [f"{k}. May", re.sub("<[^>]*>", "", text)] for k, text in enumerate(prose)
    ]
    assert {cell for row in found for cell in row[2:]} == {None, "/4", "/7", "/9"}


def test_a_cell_is_one_item_in_a_link_or_not(kernel: ModuleType) -> None:
    rows = "".join(f"<tr><td>{k}</td><td>{f'<a href=/{k}>{k}9</a>' if k % 2 else f'{k}9'}</td></tr>" for k in range(6))
    page = Page(f"<table><tbody>{rows}</table>")
    found = learn(page, children_of(page, page.body + 2)).texts
    assert found == [[str(k), f"{k}9", f"/{k}" if k % 2 else None] for k in range(6)]


def test_regular_markup_makes_columns(kernel: ModuleType) -> None:
    assert table(in_list(*(f"<p><b>{k}a</b> {k}b<br>{k}c</p>" for k in range(5)))) == [
        [f"{k}a", f"{k}b", f"{k}c"] for k in range(5)
    ]
    # One optional part is an optional part, not markup.
    assert table(in_list("one <b>new</b>", "two", "three <b>new</b>", "four")) == [
        ["one", "new"], ["two", None], ["three", "new"], ["four", None]
    ]  # fmt: skip


# Lists


CASTS = (("Ann", "Bob", "Carl"), ("Dora",), ("Emil", "Fay"), (), ("Gus", "Hal", "Ida", "Jo"))


def films(casts: tuple[tuple[str, ...], ...]) -> str:
    return "<section>" + "".join(
        f"<div><h2>Film {k}</h2><ul>{''.join(f'<li><a href=/{name}>{name}</a></li>' for name in cast)}</ul>"
        f"<p>{1990 + k}</p></div>"
        for k, cast in enumerate(casts)
    ) + "</section>"  # fmt: skip


def test_repeated_items_are_a_list(kernel: ModuleType) -> None:
    found = learned(films(CASTS))
    assert found.nested_texts == [
        [f"Film {k}", [[f"/{name}", name] for name in cast] or None, str(1990 + k)] for k, cast in enumerate(CASTS)
    ]
    assert [item.list for item in found.template.items] == [NO_NODE, 0, 0, NO_NODE]
    assert [len(column.columns) for column in found.nested_columns] == [0, 2, 0]
    assert [column.type for column in found.nested_columns[1].columns] == ["url", "text"]
    assert found.nested_values[1] == ["Film 1", [["/Dora", "Dora"]], 1991]


def test_a_list_goes_on_on_other_pages(kernel: ModuleType) -> None:
    template = Template.from_json(json.loads(json.dumps(learned(films(CASTS)).template.to_json())))
    longer = tuple(tuple(f"N{k}{j}" for j in range(9 * k)) for k in range(3))
    page = Page(films(longer))
    found = apply(template, page, children_of(page, page.body + 1))
    assert [row[2] for row in found.texts] == [list(cast) or None for cast in longer]
    assert [row[3] for row in found.texts] == ["1990", "1991", "1992"]
    assert found.unknown == 0


def test_units_without_an_item_keep_the_others_in_step(kernel: ModuleType) -> None:
    units = ["<p><b>a</b><i>1</i></p>", "<p><b>b</b></p>", "<p><i>3</i></p>", "<p><b>d</b><i>4</i></p>"]
    found = table(in_list(*(f"<h4>{k}</h4><div>{''.join(units[:k])}</div>" for k in (4, 1, 2, 3, 1))))
    assert found[0] == ["4", [["a", "1"], ["b", None], [None, "3"], ["d", "4"]]]
    assert found[3] == ["3", [["a", "1"], ["b", None], [None, "3"]]]
    found = table(in_list(*(f"<h4>{k}</h4><div>{'<p>x</p>' * k}</div>" for k in (4, 1, 2, 3, 1))))
    assert found[2] == ["2", ["x", "x"]]


def test_the_same_number_of_siblings_are_columns(kernel: ModuleType) -> None:
    assert table(in_list(*(f"<p>{k}</p><p>a{k}</p><p>b{k}</p>" for k in range(4)))) == [
        [str(k), f"a{k}", f"b{k}"] for k in range(4)
    ]


# Splitting


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Seattle, WA | $12", "Austin, TX | $9", "Salem, OR | $7"], ["Seattle", "WA", "$12"]),
        (["by A. Writer, 2003", "by B. Poet, 1999", "by C. Other, 2010"], ["A. Writer", "2003"]),
        (["Of Rome - Elected 1980; 3rd term", "Of Bath - Elected 1992; 1st term"], ["Rome", "1980", "3rd"]),
        (["(Langley, WA)", "(Salem, OR)", "(Austin, TX)"], ["Langley", "WA"]),
        (["Slade Hill (R)", "Pat Moor (D)", "Jim Dale (D)"], ["Slade Hill", "R"]),
        (["$31,750 - $39,450", "$1,000 - $2,000"], ["$31,750", "$39,450"]),
        (["Category: Books", "Category: Films"], ["Books"]),
        (["Posted: Jan 5, 2003", "Posted: Feb 7, 2004"], ["Jan 5, 2003"]),
        (["Paris, June 17, 2026", "Rome, May 5, 2026", "Wien, May 9, 2027"], ["Paris", "June 17, 2026"]),
        (["Ann, Mon, May 4, 2026", "Bob, Tue, May 5, 2026"], ["Ann", "Mon, May 4, 2026"]),
        (["Hall A, Wed, 17 Jun 2026", "Hall B, Fri, 3 Jul 2026"], ["Hall A", "Wed, 17 Jun 2026"]),
        (["May 4, 2026 - Hall A", "May 5, 2026 - Hall B"], ["May 4, 2026", "Hall A"]),
        (["May 4, 2026 - May 6, 2026", "Jun 5, 2026 - Jun 8, 2026"], ["May 4, 2026", "May 6, 2026"]),
        (["Red, 5 km", "Blue, 12 km", "Red, 31 km"], ["Red", "5 km"]),
    ],
)
def test_texts_are_split_where_they_agree(texts: list[str], expected: list[str]) -> None:
    rule = find_rule(texts)
    assert rule is not None
    assert rule.apply(texts[0]) == expected
    assert len(expected) == rule.width == len(rule.labels)
    found = learned(in_list(*(f"<b>n{k}</b><p>{text}</p>" for k, text in enumerate(texts))))
    assert found.texts[0] == ["n0", *expected]


@pytest.mark.parametrize(
    "texts",
    [
        ["Writer, Ann", "Poet, Bob", "Other, Carl"],
        ["Bull City,AZ 86430", "2022 Nw 21st Pl, Portland,OR 97210", "1155 O St, Gering,NE 69341"],
        ["Jan 5, 2003", "Feb 7, 2004", "Mar 1, 2001"],
        ["Wednesday, June 17, 2026", "Monday, May 4, 2026"],
        ["June 17 – 19, 2026", "July 3 – 5, 2026"],
        ["June, 2026", "July, 2027"],
        ["Posted by Ann on May 4, 2026", "Posted by Bob on May 5, 2026"],
        ["$1,234.00", "$2,345.50", "$9,999.99"],
        ["from $5", "from $9", "from $12"],
        ["The red house", "The blue house", "The end"],
        ["ACME TV 1 black", "ACME TV 2 white", "ACME TV 3 red"],
        ["10-20", "20-30", "30-40"],
        ["http://a.example/x", "http://b.example/y"],
        ["Chapter 1", "Chapter 2", "Chapter 3"],
        ["A - B", "C", "D - E - F"],
        ["only one | text"],
        [],
    ],
)
def test_texts_stay_whole_where_they_do_not(texts: list[str]) -> None:
    assert find_rule(texts) is None


def test_what_does_not_fit_the_rule_stays_in_the_first_column() -> None:
    rule = find_rule([f"City {'ABCDEFGHIJKLMNOPQRST'[k]} - S{k % 3}" for k in range(20)] + ["Elsewhere"])
    assert rule is not None
    assert rule.apply("Elsewhere") == ["Elsewhere", None]
    assert rule.apply("A - B - C") == ["A - B - C", None]
    assert rule.apply("") == [None, None]


@settings(max_examples=300)
@given(texts=st.lists(st.text(alphabet="ab1 ,|-()[]:;/$", min_size=1, max_size=20).filter(str.strip), max_size=8))
def test_a_split_loses_no_words(texts: list[str]) -> None:
    """What a rule gives of a text it was learned from is in the text, in order."""
    texts = [" ".join(text.split()) for text in texts]
    rule = find_rule(texts)
    if rule is None:
        return
    assert Rule.from_json(json.loads(json.dumps(rule.to_json()))) == rule
    for text in texts:
        values = rule.apply(text)
        assert len(values) == rule.width
        at = 0
        for value in values:
            if value is not None:
                at = text.index(value, at) + len(value)


def test_image_texts_that_are_file_names_lose_the_extension() -> None:
    found = table(in_list(*(f"<img src=/{name}.gif alt={name}.gif>" for name in ("red", "blue", "dark-red"))))
    assert [row[1] for row in found] == ["red", "blue", "dark-red"]


# Sections


def test_headings_above_groups_are_a_column() -> None:
    source = "<h2>Red things</h2><ul><li>a<li>b<li>c</ul><h2>Blue things</h2><ul><li>d<li>e</ul>"
    page = Page(f"<main>{source}</main>")
    spans = [[n, n + int(page.size[n])] for n in range(len(page)) if page.tag_name(n) == "li"]
    found = learn(page, spans)
    assert found.texts == [["a", "Red"], ["b", "Red"], ["c", "Red"], ["d", "Blue"], ["e", "Blue"]]
    assert names(found) == ["title", "section"]
    assert found.fixed == [False, False]
    other = Page("<h2>Green things</h2><ul><li>x</ul><h2>Rest</h2><ul><li>y</ul>")
    spans = [[n, n + int(other.size[n])] for n in range(len(other)) if other.tag_name(n) == "li"]
    assert apply(found.template, other, spans).texts == [["x", "Green"], ["y", "Rest"]]


@pytest.mark.parametrize(
    "source",
    [
        "<ul><li>a<li>b</ul><h2>One heading</h2><ul><li>c<li>d</ul>",
        "<ul><li>a</ul><h2>A</h2><ul><li>b</ul><h2>B</h2><ul><li>c</ul><h2>C</h2><ul><li>d</ul>",
        "<h2>Same</h2><ul><li>a<li>b</ul><h2>Same</h2><ul><li>c<li>d</ul>",
        "<ul><li>a<li>b</ul><p><img></p><ul><li>c<li>d</ul>",
    ],
)
def test_what_is_no_heading_of_a_group(source: str) -> None:
    page = Page(f"<main>{source}</main>")
    spans = [[n, n + int(page.size[n])] for n in range(len(page)) if page.tag_name(n) == "li"]
    assert learn(page, spans).texts == [[letter] for letter in "abcd"]


# Names, types, links


def rows_of(source: str) -> Table:
    page = Page(source)
    rows = [n for n in range(len(page)) if page.tag_name(n) == "tr" and "<td" in source and page.text(n)[0].isdigit()]
    return learn(page, [[n, n + int(page.size[n])] for n in rows])


def test_table_headers_name_columns() -> None:
    body = "".join(f"<tr><td>{k}<td>n{k}<td>{k} EUR" for k in range(1, 4))
    for header in ("<thead><tr><th>No.<th>Name<th>Unit price:</thead>", "<tr><td>No.<td>Name<td>Unit price"):
        found = rows_of(f"<table>{header}{body}</table>")
        assert names(found) == ["No", "Name", "Unit price"]
        assert found.template.names[1].why == {"header": "Name"}
        assert [column.type for column in found.columns] == ["integer", "text", "money"]
    found = rows_of(f"<table><tr><th rowspan=2>No<th colspan=2>Of it<tr><th>A<th>B{body}</table>")
    assert names(found) == ["No", "Of it A", "Of it B"]


def test_headers_need_a_table() -> None:
    page = Page("<p>a")
    assert header_cells(page, len(page) - 1) == {}


def test_markup_and_types_name_columns() -> None:
    source = [
        f"<a href=/{k}><h3>Thing {k}</h3></a><img src={k}.png><span itemprop=author>W. {'ABCDE'[k]}</span>"
        f"<i class='x product-price-text'>{k}.50</i><b>{k}.99 EUR</b><u>{k + 1} Jan 2010</u>"
        for k in range(5)
    ]
    found = learned(in_list(*source), url="http://example.org/list")
    assert names(found) == ["link", "title", "image", "author", "price", "price 2", "date"]
    assert found.template.names[3].why == {"markup": "itemprop=author"}
    assert found.links == [f"http://example.org/{k}" for k in range(5)]
    assert [type(value).__name__ for value in found.nested_values[0]] == [
        "str",
        "str",
        "str",
        "str",
        "float",
        "Money",
        "date",
    ]


def test_the_link_of_a_record_is_the_one_of_its_title() -> None:
    source = [
        f"<a href=/login>Log in</a><a href=#top>up</a><a href=/item/{k}>Title {k}</a>"
        f"<a href=/seller/{k % 2}>Seller {k % 2}</a>"
        for k in range(6)
    ]
    assert learned(in_list(*source)).links == [f"/item/{k}" for k in range(6)]
    assert learned(in_list("a", "b")).links == [None, None]


def test_names_are_found_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    found = learned(films(CASTS))
    with monkeypatch.context() as patch:
        patch.setattr(tables, "name_columns", None)
        patch.setattr(tables, "main_link", None)
        assert found.nested_texts
        assert found.nested_values
    assert names(found) == [name.name for name in found.names]


def test_a_template_keeps_no_page() -> None:
    gc.disable()
    try:
        page = Page(films(CASTS))
        known = weakref.ref(page)
        template = learn(page, children_of(page, page.body + 1)).template
        del page
        assert known() is None
    finally:
        gc.enable()
    assert [name.name for name in template.names] == ["title", "link", "text", "number"]


# Files


def read_template(data: Any) -> Template:
    """A template from a file, which `fastwrap.wrapper.format` checks first."""
    return Template.from_json(msgspec.to_builtins(msgspec.convert(data, TemplateEntry)))


def test_what_is_no_template_is_refused() -> None:
    good = json.loads(json.dumps(learned(films(CASTS)).template.to_json()))
    read_template(good)

    def broken(change: Any) -> Any:
        data = copy.deepcopy(good)
        change(data)
        return data

    def put(*way: Any) -> Any:
        *steps, last, value = way

        def change(data: Any) -> None:
            for step in steps:
                data = data[step]
            data[last] = value

        return change

    changes = [
        lambda data: data.pop("slots"), put("more", 1), put("slots", 5), put("slots", 1, "x"), put("slots", 1, 1, 7),
        put("slots", 1, 1, -2), put("slots", 1, 2, -1), put("slots", 1, 2, 2**31), put("slots", 1, 2, 1.5),
        put("slots", 1, 2, True), put("slots", 1, 0, ""), put("slots", 1, 0, "x" * 999), put("slots", 1, 3, 10**6),
        put("slots", 1, 4, -7), put("slots", 1, 5, 0), put("slots", 5, 1, 1), put("items", {}),
        put("items", 0, "slot", 999),
        put("items", 0, "kind", 3), put("items", 0, "list", 8), put("items", 1, "rule", 8), put("items", 0, "other", 8),
        put("items", 1, "rule", {"parts": [{}], "separator": ""}), put("items", 1, "rule", {"prefix": "x" * 999}),
        put("names", []), put("names", 0, "name", "title 2"), put("names", 0, "name", ""), put("names", 0, "why", 3),
        put("link", 99), put("link", None), put("heading", 5), put("heading", {"tags": [], "prefix": "", "suffix": ""}),
        lambda data: data["items"].append(data["items"][0]),
        lambda data: data["names"].append({"name": "x", "why": {}}),
    ]  # fmt: skip
    put("names", 1, "name", "title 2")(good)
    for change in changes:
        with pytest.raises((ValueError, msgspec.ValidationError), match=r"\w"):
            read_template(broken(change))
    wrong: Any
    for wrong in (None, [], {}, "x", 5, {"slots": []}):
        with pytest.raises(msgspec.ValidationError, match=r"Expected `object`|missing required field"):
            read_template(wrong)


@settings(max_examples=300)
@given(chooser=st.randoms(use_true_random=False))
def test_a_hostile_template_is_refused_or_harmless(chooser: random.Random) -> None:
    data = json.loads(json.dumps(learned(films(CASTS)).template.to_json()))
    for _ in range(chooser.randint(1, 4)):
        slot = chooser.choice(data["slots"])
        slot[chooser.randint(1, 5)] = chooser.randint(-1, len(data["slots"]))
        item = chooser.choice(data["items"])
        item["slot"] = chooser.randint(0, len(data["slots"]))
    try:
        template = read_template(data)
    except (ValueError, msgspec.ValidationError):
        return
    page = Page(films(CASTS))
    found = apply(template, page, children_of(page, page.body + 1))
    assert all(len(row) == template.width for row in found.texts)
