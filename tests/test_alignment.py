"""Kernels of the alignment: what holds of every tree and table, and the compiled ones against the plain ones."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core import alignment as native
from fastwrap._plain import alignment as plain
from fastwrap.arrays import Int32Array
from fastwrap.columns.records import CLASS, LINE_BREAK, LINK, NO_LABELS, STYLE, TRAITS
from fastwrap.names import ATTRIBUTE_NUMBER, NO_NODE
from reference.html import html
from reference.trees import Tree, arrays_from_forest, trees

PLENTY = 10**7
WANTED = np.array([ATTRIBUTE_NUMBER[name] for name in ("href", "src", "title", "data-id", "data-name")], dtype=np.int32)
FIRST_DATA = 3


def children_of(page: Page, node: int) -> Int32Array:
    """The children of a node as records: their first nodes, and those after their last."""
    spans = [[child, child + int(page.size[child])] for child in page.children(node)]
    return np.array(spans, dtype=np.int32).reshape(-1, 2).T.copy()


def symbols_of(
    module: ModuleType, page: Page, start: Int32Array, end: Int32Array, enough: int, labels: Int32Array
) -> Any:
    arrays = page.arrays
    return module.node_symbols(
        page.tag, page.size, page.style_symbol, page.attribute_start, arrays.attribute_name, arrays.value_start,
        arrays.values, CLASS, STYLE, page.text_start, arrays.text, start, end, enough, labels,
    )  # fmt: skip


def plainly(result: Any) -> Any:
    """Arrays as lists, with their types."""
    if isinstance(result, np.ndarray):
        return result.dtype, result.shape, result.tolist()
    return [plainly(part) for part in result] if isinstance(result, tuple) else result


def items_of(page: Page) -> list[Any]:
    arrays = page.arrays
    return [
        page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values,
        page.text_start, arrays.text, WANTED,
    ]  # fmt: skip


@settings(max_examples=400)
@given(
    forest=st.lists(trees(10), min_size=1, max_size=7),
    chooser=st.randoms(use_true_random=False),
    budget=st.sampled_from([0, 20, 100, 400, PLENTY]),
)
def test_slots(forest: list[Tree], chooser: random.Random, budget: int) -> None:
    arrays = arrays_from_forest(forest)
    tops = [0, *np.cumsum([arrays.size[n] for n in np.flatnonzero(arrays.depth == 0)]).tolist()]
    cuts = sorted(chooser.sample(tops[1:-1], chooser.randint(0, len(tops) - 2)))
    start = np.array([0, *cuts], dtype=np.int32)
    end = np.array([*cuts, tops[-1]], dtype=np.int32)
    symbols = np.array(chooser.choices([0, 0, 1, 2], k=len(arrays.tag)), dtype=np.int32)
    given_arrays = (arrays.tag, arrays.size, arrays.parent, start, end, symbols)
    slots, tree = native.align(*given_arrays, budget)
    assert plainly((slots, tree)) == plainly(plain.align(*given_arrays, budget))
    # The tree has the slots that are in use, each subtree one run.
    tag, parent, _, size = tree.tolist()
    assert set(slots.tolist()) == set(range(len(tag)))
    for slot, up in enumerate(parent):
        assert up < slot < (len(tag) if up == NO_NODE else up + size[up])
    # Within a record slots ascend; a slot has one tag and one slot of the parents.
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        own = slots[first:last].tolist()
        assert own == sorted(set(own))
        for node in range(first, last):
            up = int(arrays.parent[node])
            assert tag[slots[node]] == arrays.tag[node]
            assert parent[slots[node]] == (int(slots[up]) if up >= first else NO_NODE)
    # The records fit into their own tree, whole or, beyond the budget, in part; never out of order.
    repeats = np.array(
        [chooser.choice([NO_NODE, slot]) for slot in range(len(tag))]
        if chooser.random() < 0.5
        else [NO_NODE] * len(tag),
        dtype=np.int32,
    )
    placed = native.place_records(*given_arrays, tree, repeats, budget)
    assert plainly(placed) == plainly(plain.place_records(*given_arrays, tree, repeats, budget))
    if budget == PLENTY:
        assert (placed != NO_NODE).all()
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        for node in range(first, last):
            if placed[node] != NO_NODE:
                assert tag[placed[node]] == arrays.tag[node]
    # Other records, of the same tags, in a tree that was not grown of them.
    other = arrays_from_forest(forest[::-1])
    spans = np.array([[0], [len(other.tag)]], dtype=np.int32)
    given_arrays = (other.tag, other.size, other.parent, *spans, symbols)
    placed = native.place_records(*given_arrays, tree, repeats, budget)
    assert plainly(placed) == plainly(plain.place_records(*given_arrays, tree, repeats, budget))


PARTS = st.lists(
    st.sampled_from(
        ["text", "<br>", "<b>bold</b>", "<i>x</i>", "name:", "<b>Price:</b>", "<p>p</p>", "<a href=/1>l</a>", "a, b",
         "a | b",
         "<span class=c>s</span>", "<em>e<u>u</u></em>", "by me", "12 EUR", "<img src=x data-id=1>", "<li>q</li>"]
    ),
    max_size=6,
).map(" ".join)  # fmt: skip


@settings(max_examples=600)
@given(
    parts=st.lists(st.one_of(PARTS, html), min_size=1, max_size=9),
    cells=st.sampled_from([1, 6, PLENTY]),
    enough=st.integers(1, 4),
    longest=st.sampled_from([3, 300]),
)
def test_symbols_foldings_and_tables(parts: list[str], cells: int, enough: int, longest: int) -> None:
    page = Page("<section>" + "".join(f"<div data-id={k}>{part}</div>" for k, part in enumerate(parts)) + "</section>")
    start, end = children_of(page, page.body + 1 if len(page) > page.body + 1 else page.body)
    results = []
    for module in (native, plain):
        symbols = symbols_of(module, page, start, end, enough, NO_LABELS)
        slots, tree = module.align(page.tag, page.size, page.parent, start, end, symbols, PLENTY)
        folded = module.fold_slots(
            tree, slots, page.size, start, end, page.text_start, page.arrays.text, TRAITS, LINE_BREAK, LINK, PLENTY
        )
        into, unit, lists = folded
        list_of = np.where(unit == NO_NODE, np.roll(unit, 1), unit).astype(np.int32)
        table = module.tabulate(*items_of(page), FIRST_DATA, start, end, slots, into, unit, list_of, cells, longest)
        labels = np.unique(symbols[symbols != 0])
        again = symbols_of(module, page, start, end, 2**31 - 1, labels)
        results.append([symbols, slots, tree, folded, table, again])
    assert plainly(tuple(results[0])) == plainly(tuple(results[1]))
    symbols, _, _, (into, unit, lists), (columns, rows), again = results[0]
    assert (symbols == again).all()  # what is a label by number is one by name
    assert (into <= np.arange(len(into))).all()
    assert set(unit.tolist()) - {NO_NODE} == set(range(lists))
    assert len(rows) == len(start)
    for row in rows:
        assert len(row) == columns.shape[1]
        for cell, number in zip(row, columns[2].tolist(), strict=True):
            assert cell is None or isinstance(cell, str if number == NO_NODE else list)


def test_a_style_has_the_same_symbol_on_every_page() -> None:
    pages = [Page("<p class=a>x<p class=b style=c>y"), Page("<div><p class=z><p style=c class=b>y</div>")]
    found = []
    for page in pages:
        spans = np.array([[0], [len(page)]], dtype=np.int32)
        symbols = symbols_of(native, page, spans[0], spans[1], 2, NO_LABELS).tolist()
        found.append({page.attributes(node).get("style"): symbols[node] for node in range(len(page))})
    assert found[0]["c"] == found[1]["c"] != 0


@pytest.fixture(params=[native, plain], ids=["native", "plain"])
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    module: ModuleType = request.param
    return module


def test_arrays_that_do_not_belong_together_are_refused(kernel: ModuleType) -> None:
    page = Page("<ul><li class=c title=t>a<li title=t>b</ul>")
    arrays = page.arrays
    start, end = np.array([[4, 6], [6, 8]], dtype=np.int32).T.copy()
    symbols = np.zeros(4, dtype=np.int32)
    slots = np.array([0, 1, 0, 1], dtype=np.int32)
    tree = np.array([[20, 0], [-1, 0], [0, 0], [2, 1]], dtype=np.int32)
    nothing = np.full(2, NO_NODE, dtype=np.int32)
    into = np.arange(2, dtype=np.int32)
    column_of = np.full((2, len(WANTED) + 1), NO_NODE, dtype=np.int32)
    nodes = [page.tag, page.size, page.parent]
    given_items = items_of(page)
    calls: dict[str, list[Any]] = {
        "align": [*nodes, start, end, symbols, PLENTY],
        "place_records": [*nodes, start, end, symbols, tree, nothing, PLENTY],
        "node_symbols": [
            page.tag, page.size, page.style_symbol, page.attribute_start, arrays.attribute_name, arrays.value_start,
            arrays.values, CLASS, STYLE, page.text_start, arrays.text, start, end, 2, NO_LABELS,
        ],
        "fold_slots": [
            tree, slots, page.size, start, end, page.text_start, arrays.text, TRAITS, LINE_BREAK, LINK, PLENTY
        ],
        "tabulate": [*given_items, FIRST_DATA, start, end, slots, into, nothing, nothing, PLENTY, 300],
        "read_items": [*given_items, start, end, slots, column_of, nothing, nothing[:0]],
    }  # fmt: skip
    for name, arguments in calls.items():
        getattr(kernel, name)(*arguments)
        for place, argument in enumerate(arguments):
            free = any(argument is other for other in (WANTED, TRAITS, NO_LABELS))
            if free or not isinstance(argument, bytes | np.ndarray) or not len(argument):
                continue
            shorter = argument[:1] if isinstance(argument, bytes) else argument[..., :-1].copy()
            with pytest.raises(ValueError, match=r"length|within|span|order"):
                getattr(kernel, name)(*arguments[:place], shorter, *arguments[place + 1 :])
    for wrong in (symbols - 2, symbols + 9):
        for name, place in (("fold_slots", 1), ("tabulate", 12), ("read_items", 11)):
            arguments = calls[name]
            with pytest.raises(ValueError, match="not within the tree"):
                getattr(kernel, name)(*arguments[:place], wrong, *arguments[place + 1 :])
    with pytest.raises(ValueError, match="not repeated"):
        kernel.place_records(*nodes, start, end, symbols, tree, np.array([1, -1], dtype=np.int32), PLENTY)
    with pytest.raises(ValueError, match="order"):
        kernel.place_records(*nodes, start, end, symbols, tree[:, ::-1].copy(), nothing, PLENTY)
