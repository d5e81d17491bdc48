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
from fastwrap.columns.records import CLASS, LINE_BREAK, LINK, STYLE, TRAITS
from fastwrap.names import ATTRIBUTE_NUMBER, NO_NODE, TEXT
from reference.html import html
from reference.trees import Tree, arrays_from_forest, trees

PLENTY = 10**7
WANTED = np.array([ATTRIBUTE_NUMBER[name] for name in ("href", "src", "title", "data-id", "data-name")], dtype=np.int32)
FIRST_DATA = 3
NO_LABELS = np.empty(0, dtype=np.int32)


def children_of(page: Page, node: int) -> Int32Array:
    """The children of a node as records: their first nodes, and those after their last."""
    spans = [[child, child + int(page.size[child])] for child in page.children(node)]
    return np.array(spans, dtype=np.int32).reshape(-1, 2)


def symbols_of(module: ModuleType, page: Page, spans: Int32Array, enough: int) -> Any:
    arrays = page.arrays
    return module.node_symbols(
        page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values, CLASS,
        STYLE, page.text_start, arrays.text, spans, enough,
    )  # fmt: skip


def plainly(result: Any) -> Any:
    """Arrays as lists, with their types."""
    if isinstance(result, np.ndarray):
        return result.dtype, result.shape, result.tolist()
    return [plainly(part) for part in result] if isinstance(result, tuple) else result


def items_of(page: Page) -> list[Any]:
    arrays = page.arrays
    return [
        page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values, page.text_start, arrays.text
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
    spans = np.array([[0, *cuts], [*cuts, tops[-1]]], dtype=np.int32).T.copy()
    symbols = np.array(chooser.choices([0, 0, 1, 2], k=len(arrays.tag)), dtype=np.int32)
    given_arrays = (arrays.tag, arrays.size, arrays.parent, spans, symbols)
    slots, tree = native.align(*given_arrays, budget)
    assert plainly((slots, tree)) == plainly(plain.align(*given_arrays, budget))
    # The tree has the slots that are in use, each subtree one run.
    tag, parent, _, size = tree.tolist()
    assert set(slots.tolist()) == set(range(len(tag)))
    for slot, up in enumerate(parent):
        assert up < slot < (len(tag) if up == NO_NODE else up + size[up])
    # Within a record slots ascend; a slot has one tag and one slot of the parents.
    for first, last in spans.tolist():
        own = slots[first:last].tolist()
        assert own == sorted(set(own))
        for node in range(first, last):
            up = int(arrays.parent[node])
            assert tag[slots[node]] == arrays.tag[node]
            assert parent[slots[node]] == (int(slots[up]) if up >= first else NO_NODE)


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
    spans = children_of(page, page.body + 1 if len(page) > page.body + 1 else page.body)
    results = []
    for module in (native, plain):
        symbols = symbols_of(module, page, spans, enough)
        slots, tree = module.align(page.tag, page.size, page.parent, spans, symbols, PLENTY)
        folded = module.fold_slots(
            tree, slots, page.size, spans, page.text_start, page.arrays.text, TRAITS, LINE_BREAK, LINK, PLENTY
        )
        into, unit, lists = folded
        list_of = np.where(unit == NO_NODE, np.roll(unit, 1), unit).astype(np.int32)
        table = module.tabulate(
            page.tag, page.size, *items_of(page), WANTED, FIRST_DATA, spans, slots, into, unit, list_of, cells, longest
        )
        results.append([symbols, slots, tree, folded, table])
        assert module.transposed(table[1], table[0].shape[1]) == [
            list(column) for column in zip(*table[1], strict=True)
        ]
    assert plainly(tuple(results[0])) == plainly(tuple(results[1]))
    _, _, _, (into, unit, lists), (columns, rows) = results[0]
    assert (into <= np.arange(len(into))).all()
    assert set(unit.tolist()) - {NO_NODE} == set(range(lists))
    assert len(rows) == len(spans)
    for row in rows:
        assert len(row) == columns.shape[1]
        for cell, number in zip(row, columns[2].tolist(), strict=True):
            assert cell is None or isinstance(cell, str if number == NO_NODE else list)


@settings(max_examples=400)
@given(
    parts=st.lists(st.one_of(PARTS, html), min_size=1, max_size=7),
    others=st.lists(st.lists(st.one_of(PARTS, html), max_size=7), max_size=3),
    chooser=st.randoms(use_true_random=False),
    enough=st.integers(1, 3),
)
def test_reader(parts: list[str], others: list[list[str]], chooser: random.Random, enough: int) -> None:
    pages = [Page("<ul>" + "".join(f"<li>{part}</li>" for part in own) + "</ul>") for own in (parts, *others)]
    found = [children_of(page, page.body + 1 if len(page) > page.body + 1 else page.body) for page in pages]
    symbols = symbols_of(native, pages[0], found[0], enough)
    _, tree = native.align(pages[0].tag, pages[0].size, pages[0].parent, found[0], symbols, PLENTY)
    count = tree.shape[1]
    repeats = np.array([chooser.choice([NO_NODE, NO_NODE, slot]) for slot in range(count)], dtype=np.int32)
    width = chooser.randint(0, 2 * count)
    column_of = np.array(
        [[chooser.randrange(-1, width) for _ in range(len(WANTED) + 1)] for _ in range(count)], dtype=np.int32
    ).reshape(count, len(WANTED) + 1)
    unit = np.array([chooser.choice([NO_NODE, NO_NODE, 0, 1]) for _ in range(count)], dtype=np.int32)
    lists = np.array([chooser.choice([NO_NODE, NO_NODE, 0, 1]) for _ in range(width)], dtype=np.int32)
    labels = np.unique(tree[2][(tree[0] == TEXT) & (tree[2] != 0)])
    template = (tree, repeats, labels, WANTED, column_of, unit, lists, CLASS, STYLE)
    reader, reference = native.Reader(*template), plain.Reader(*template)
    # What a reader remembers of pages changes nothing, also where a record exceeds the budget.
    for turn in chooser.choices(range(len(pages)), k=5):
        page, spans = pages[turn], found[turn]
        budget = chooser.choice([0, 20, 100, 400, PLENTY])
        given_arrays = (page.tag, page.size, page.parent, *items_of(page), spans, budget)
        placed, rows = reader.read(*given_arrays)
        assert plainly((placed, rows)) == plainly(reference.read(*given_arrays))
        nodes = [node for first, last in spans.tolist() for node in range(first, last)]
        for node, slot in zip(nodes, placed.tolist(), strict=True):
            assert slot == NO_NODE or tree[0, slot] == page.tag[node]
        # The records fit into their own tree.
        assert turn or budget < PLENTY or (placed != NO_NODE).all()


def test_a_reader_forgets() -> None:
    # More shapes, and more nodes, than it remembers.
    page = Page("".join(f"<p>{'<b></b>' * (k % 90)}{'<i>x</i>' * (k // 90)}</p>" for k in range(900)))
    spans = children_of(page, page.body)
    tree = np.array([[int(page.tag[spans[0, 0]]), 0], [NO_NODE, 0], [0, 0], [2, 1]], dtype=np.int32)
    nothing = np.full(2, NO_NODE, dtype=np.int32)
    column_of = np.full((2, 1), NO_NODE, dtype=np.int32)
    template = (tree, nothing, nothing[:0], nothing[:0], column_of, nothing, nothing[:0], CLASS, STYLE)
    reader = native.Reader(*template)
    given_arrays = (page.tag, page.size, page.parent, *items_of(page), spans, PLENTY)
    first, again = reader.read(*given_arrays), reader.read(*given_arrays)
    assert plainly(first) == plainly(again)
    assert first[0][spans[:, 0] - spans[0, 0]].tolist() == [0] * len(spans)


def test_a_style_has_the_same_symbol_on_every_page() -> None:
    pages = [Page("<p class=a>x<p class=b style=c>y"), Page("<div><p class=z><p style=c class=b>y</div>")]
    found = []
    for page in pages:
        symbols = symbols_of(native, page, np.array([[0, len(page)]], dtype=np.int32), 2).tolist()
        found.append({page.attributes(node).get("style"): symbols[node] for node in range(len(page))})
    assert found[0]["c"] == found[1]["c"] != 0


@pytest.fixture(params=[native, plain], ids=["native", "plain"])
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    module: ModuleType = request.param
    return module


def test_arrays_that_do_not_belong_together_are_refused(kernel: ModuleType) -> None:
    page = Page("<ul><li class=c title=t>a<li title=t>b</ul>")
    arrays = page.arrays
    spans = np.array([[4, 6], [6, 8]], dtype=np.int32)
    symbols = np.zeros(4, dtype=np.int32)
    slots = np.array([0, 1, 0, 1], dtype=np.int32)
    tree = np.array([[20, 0], [-1, 0], [0, 0], [2, 1]], dtype=np.int32)
    nothing = np.full(2, NO_NODE, dtype=np.int32)
    into = np.arange(2, dtype=np.int32)
    column_of = np.full((2, len(WANTED) + 1), NO_NODE, dtype=np.int32)
    nodes = [page.tag, page.size, page.parent]
    given_items = items_of(page)
    calls: dict[str, list[Any]] = {
        "align": [*nodes, spans, symbols, PLENTY],
        "node_symbols": [
            page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values, CLASS,
            STYLE, page.text_start, arrays.text, spans, 2,
        ],
        "fold_slots": [tree, slots, page.size, spans, page.text_start, arrays.text, TRAITS, LINE_BREAK, LINK, PLENTY],
        "tabulate": [
            page.tag, page.size, *given_items, WANTED, FIRST_DATA, spans, slots, into, nothing, nothing, PLENTY, 300
        ],
        "Reader": [tree, nothing, NO_LABELS, WANTED, column_of, nothing, nothing[:0], CLASS, STYLE],
        "read": [*nodes, *given_items, spans, PLENTY],
    }  # fmt: skip
    reader = kernel.Reader(*calls["Reader"])
    for name, arguments in calls.items():
        call = reader.read if name == "read" else getattr(kernel, name)
        call(*arguments)
        for place, argument in enumerate(arguments):
            free = any(argument is other for other in (TRAITS, NO_LABELS)) or (
                name == "tabulate" and argument is WANTED
            )
            if free or not isinstance(argument, bytes | np.ndarray) or not len(argument):
                continue
            shorter = argument[:1] if isinstance(argument, bytes) else argument[..., :-1].copy()
            with pytest.raises(ValueError, match=r"length|within|span|order"):
                call(*arguments[:place], shorter, *arguments[place + 1 :])
    for wrong in (symbols - 2, symbols + 9):
        for name, place in (("fold_slots", 1), ("tabulate", 11)):
            arguments = calls[name]
            with pytest.raises(ValueError, match="not within the tree"):
                getattr(kernel, name)(*arguments[:place], wrong, *arguments[place + 1 :])
    with pytest.raises(ValueError, match="length"):
        kernel.transposed([[1, 2], [3]], 2)
    more = calls["Reader"][2:]
    with pytest.raises(ValueError, match="not repeated"):
        kernel.Reader(tree, np.array([1, -1], dtype=np.int32), *more)
    with pytest.raises(ValueError, match="order"):
        kernel.Reader(tree[:, ::-1].copy(), nothing, *more)
    with pytest.raises(ValueError, match="column"):
        kernel.Reader(tree, nothing, NO_LABELS, WANTED, column_of + 1, *more[3:])
