"""Learning the template of records: what holds of every tree and table, and the kernel against its oracle."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.columns import learning as native
from fastwrap.columns.records import LearningOptions
from fastwrap.limits import LIMITS
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE
from tests.helpers.columns import (
    OPTIONS,
    PLENTY,
    children_of,
    first_children,
    plainly,
    post_parts,
    record_parts,
    spans_of,
    styled_page,
)
from tests.reference.columns import items as plain_items
from tests.reference.columns import learning as plain
from tests.reference.html import html
from tests.reference.trees import Tree, trees


def learn(module: ModuleType, page: Page, spans: Int32Array, options: LearningOptions = OPTIONS) -> Any:
    return module.learn(page.native, spans, page.custom_names, options)


@settings(max_examples=400)
@given(
    forest=st.lists(trees(10), min_size=1, max_size=7),
    chooser=st.randoms(use_true_random=False),
    budget=st.sampled_from([0, 20, 100, 400, PLENTY]),
)
def test_slots(forest: list[Tree], chooser: random.Random, budget: int) -> None:
    page = styled_page(forest, chooser)
    tops = [1, *(child + int(page.size[child]) for child in page.children(0))]
    cuts = sorted(chooser.sample(tops[1:-1], chooser.randint(0, len(tops) - 2)))
    spans = spans_of(list(zip([1, *cuts], [*cuts, tops[-1]], strict=True)))
    options = OPTIONS._replace(alignment_cells=budget)
    found = learn(native, page, spans, options)
    assert plainly(found) == plainly(learn(plain, page, spans, options))
    slots, tree, limits = found[0], found[1], found[-1]
    # The tree has the slots that are in use, each subtree one run.
    tag, parent, _, size = tree[:4].tolist()
    assert set(slots.tolist()) == set(range(len(tag)))
    for slot, up in enumerate(parent):
        assert up < slot < (len(tag) if up == NO_NODE else up + size[up])
    # Within a record slots ascend; a slot has one tag and one slot of the parents.
    slot_of = [NO_NODE, *slots.tolist()]
    for first, last in spans.tolist():
        own = slot_of[first:last]
        assert own == sorted(set(own))
        for node in range(first, last):
            up = int(page.parent[node])
            assert tag[slot_of[node]] == page.tag[node]
            assert parent[slot_of[node]] == (slot_of[up] if up >= first else NO_NODE)
    # Where the budget is not met, a larger one changes nothing.
    if not limits:
        assert plainly(found) == plainly(learn(native, page, spans))
    assert not (limits and budget == PLENTY)


@settings(max_examples=600)
@given(
    parts=st.lists(st.one_of(record_parts, html), min_size=1, max_size=9),
    cells=st.sampled_from([1, 6, PLENTY]),
    filled=st.sampled_from([20, PLENTY]),
    enough=st.integers(1, 4),
    longest=st.sampled_from([3, 300]),
)
def test_foldings_and_tables(parts: list[str], cells: int, filled: int, enough: int, longest: int) -> None:
    page = Page("<section>" + "".join(f"<div data-id={k}>{part}</div>" for k, part in enumerate(parts)) + "</section>")
    spans = first_children(page)
    options = OPTIONS._replace(label_records=enough, folding_cells=filled, table_cells=cells, longest=longest)
    found = learn(native, page, spans, options)
    assert plainly(found) == plainly(learn(plain, page, spans, options))
    _, tree, places, rows, data, split, lists, _, limits = found
    _, parent, _, _, into, unit, list_of, repeats = tree
    assert (into[into] == into).all()
    assert set(unit.tolist()) - {NO_NODE} == set(list_of.tolist()) - {NO_NODE} == set(range(lists))
    assert all(parent[other] == parent[slot] for slot, other in enumerate(repeats.tolist()) if other != NO_NODE)
    assert len(data) <= 2
    assert all(0 <= column < places.shape[1] and ways for column, ways in split)
    assert ("columns.folding" in limits) == (len(spans) * tree.shape[1] > filled)
    assert len(rows) == len(spans)
    for row in rows:
        assert len(row) == places.shape[1]
        for cell, number in zip(row, places[2].tolist(), strict=True):
            assert cell is None or isinstance(cell, str if number == NO_NODE else list)
    assert cells == PLENTY or len(rows) * places.shape[1] <= cells or len(rows) > cells


@settings(max_examples=300)
@given(rows=st.lists(st.lists(record_parts, min_size=1, max_size=3), min_size=2, max_size=9))
def test_foldings_of_cells_and_prose(rows: list[list[str]]) -> None:
    """Of few different parts, as sentences are."""
    lines = ["".join(f"<td>{cell}</td>" for cell in cells) for cells in rows]
    page = Page("<table><tbody>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>")
    spans = children_of(page, page.body + 2)
    assert plainly(learn(native, page, spans)) == plainly(learn(plain, page, spans))
    words = " and some more words, so that there is enough of it"
    page = Page("<ul>" + "".join(f"<li>{words.join(cells)}{words}</li>" for cells in rows) + "</ul>")
    spans = children_of(page, page.body + 1)
    assert plainly(learn(native, page, spans)) == plainly(learn(plain, page, spans))


@settings(max_examples=800)
@given(
    rows=st.lists(st.lists(post_parts, min_size=1, max_size=4), min_size=2, max_size=7),
    apart=st.booleans(),
    enough=st.integers(2, 4),
)
def test_bodies(rows: list[list[str]], apart: bool, enough: int) -> None:
    """Records with paragraphs, quotes and lists, which may stand in another place in one of them."""
    posts = [f"<b>n{k}</b><div class=text>{''.join(parts)}</div>" for k, parts in enumerate(rows)]
    if apart:
        posts[0] = f"<h2>Title</h2><section>{posts[0]}</section>"
    page = Page("<main>" + "".join(f"<article>{post}</article>" for post in posts) + "</main>")
    spans = first_children(page)
    options = OPTIONS._replace(label_records=enough)
    assert plainly(learn(native, page, spans, options)) == plainly(learn(plain, page, spans, options))


def test_what_somebody_wrote_is_one_text() -> None:
    sentence = "This is what one of them had to say of it, at some length, with commas and all that"
    texts = [
        f"<p>{sentence}.</p><p>{sentence}!</p>",
        f"<blockquote><div>Ann said:</div><p>{sentence}.</p></blockquote><p>Yes.</p><ul><li>one</li><li>two</li></ul>",
        f"{sentence}<br><br>{sentence}? <code>make</code> <b>it</b>",
    ]
    page = Page(
        "<main>"
        + "".join(
            f"<div><i>n{k}</i><div class=post><div class=text>{text}</div><p class=note>Edited: {k}</p></div></div>"
            for k, text in enumerate(texts)
        )
        + "</main>"
    )
    tree, rows = (learn(native, page, first_children(page))[place] for place in (1, 3))
    bodies = [page.text(node) for node in range(len(page)) if page.attributes(node).get("class") == "text"]
    assert [[cell for cell in row if cell is not None] for row in rows] == [
        [f"n{k}", body, f"Edited: {k}"] for k, body in enumerate(bodies)
    ]
    assert len(set(tree[4].tolist())) < tree.shape[1]


@pytest.mark.parametrize(
    "record",
    [
        "<h3>Pan {k}</h3><p>{text}</p><p>{text}</p>",
        "<a href=/{k}>Pan {k}</a><p>{text}</p><p>{text}</p>",
        "<b>Pan {k}</b><p>{text}</p><p>{text}</p>",
        "<p>Pan {k}</p><p>{text}</p><p>{text}</p>",
        "<p>Price: {k}</p><p>{text}</p><p>{text}</p>",
    ],
)
def test_fields_are_no_part_of_what_somebody_wrote(record: str) -> None:
    words = "It is made of steel and weighs so much that nobody lifts it, they say, "
    parts = [record.format(k=k, text=words * (1 + k % 3)) + f"<p>{words}</p>" * (k % 4) for k in range(8)]
    page = Page("<main>" + "".join(f"<div class=item>{part}</div>" for part in parts) + "</main>")
    for k, row in enumerate(learn(native, page, first_children(page))[3]):
        texts = [text for cell in row for text in (cell if isinstance(cell, list) else [cell]) if text]
        assert any(str(k) in text and len(text) < 20 for text in texts)


def test_bodies_have_a_budget() -> None:
    """Elements in elements, each with a text of its own that is none of a body, for they are the same everywhere."""
    words = "these are words enough that they would be taken for what somebody wrote "
    record = "".join(f"<div><p>{words * 2}{k}</p>" for k in range(150)) + "</div>" * 150
    page = Page("<main>" + f"<section>{record}</section>" * 3 + "</main>")
    assert "columns.alignment" in learn(native, page, first_children(page))[-1]


def test_a_style_has_the_same_symbol_on_every_page() -> None:
    pages = [Page("<p class=a>x<p class=b style=c>y"), Page("<div><p class=z><p style=c class=b>y</div>")]
    found = []
    for page in pages:
        slots, tree, *_ = learn(native, page, spans_of([[0, len(page)]]))
        symbols = tree[2][slots].tolist()
        found.append({page.attributes(node).get("style"): symbols[node] for node in range(len(page))})
    assert found[0]["c"] == found[1]["c"] != 0


def test_symbols_are_those_of_saved_templates() -> None:
    """Templates keep these numbers: another hash would make files that are older unreadable."""
    page = Page("<div><p class=a>same</p><p class=b style=c>same</p><p>same</p></div>" * 2)
    tree = learn(native, page, children_of(page, page.body))[1]
    assert tree[2].tolist() == [0, 1344216234, 953135372, 1913843444, 953135372, 0, 953135372]


@pytest.mark.parametrize("module", [native, plain], ids=["native", "plain"])
def test_budgets_that_are_met_are_named(module: ModuleType) -> None:
    page = Page("".join(f"<p><b>a {k}</b><i class=c{k}>x</i></p>" for k in range(6)))
    spans = children_of(page, page.body)
    assert learn(module, page, spans)[-1] == ()
    for limits in (
        learn(module, page, spans, OPTIONS._replace(alignment_cells=5))[-1],
        learn(module, page, spans, OPTIONS._replace(folding_cells=5))[-1],
        learn(module, page, spans, OPTIONS._replace(table_cells=6))[-1],
    ):
        assert len(limits) == 1
        assert limits[0] in LIMITS
    assert learn(module, page, spans, OPTIONS._replace(alignment_cells=5, table_cells=6))[-1] == (
        "columns.alignment",
        "columns.width",
    )


@pytest.mark.parametrize("module", [native, plain], ids=["native", "plain"])
def test_what_is_refused(module: ModuleType) -> None:
    page = Page("<ul><li class=c title=t>a<li title=t>b</ul>")
    spans = spans_of([[4, 6], [6, 8]])
    learn(module, page, spans)
    with pytest.raises(ValueError, match="attributes are wanted"):
        learn(module, page, spans, OPTIONS._replace(attributes=np.arange(251, dtype=np.int32)))
    for wrong in ([[4, 5]], [[4, 9]], [[5, 5]], [[-1, 6]], [[4, 6], [6, 7]]):
        with pytest.raises(ValueError, match=f"span {len(wrong) - 1} is not"):
            learn(module, page, spans_of(wrong))
    with pytest.raises(ValueError, match=r"first node|unpack"):
        learn(module, page, np.array([[4, 6, 8]], dtype=np.int32))


def test_the_bits_of_ways_to_split() -> None:
    assert (native.WORDS, native.FILES) == (plain_items.WORDS, plain_items.FILES)
