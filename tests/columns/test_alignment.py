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
from fastwrap._core.columns import alignment as native
from fastwrap.columns.records import CLASS, LINE_BREAK, LINK, STYLE, TRAITS
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TEXT
from tests.reference.columns import alignment as plain
from tests.reference.html import html
from tests.reference.trees import Tree, arrays_from_forest, trees

PLENTY = 10**7
WANTED = np.array([ATTRIBUTE_NUMBER[name] for name in ("href", "src", "alt", "data-id", "data-name")], dtype=np.int32)
ALTERNATIVE, FIRST_DATA = 2, 3
NO_LABELS = np.empty(0, dtype=np.int32)


def children_of(page: Page, node: int) -> Int32Array:
    """The children of a node as records: their first nodes, and those after their last."""
    spans = [[child, child + int(page.size[child])] for child in page.children(node)]
    return np.array(spans, dtype=np.int32).reshape(-1, 2)


NODES = "tag", "size", "parent", "attribute_start", "attribute_name", "value_start", "values", "text_start", "text"
"""The node arrays that the kernels take, in this order."""


def nodes_of(page: Page) -> list[Any]:
    return [getattr(page.arrays, name) for name in NODES]


def learn(
    module: ModuleType,
    nodes: list[Any],
    styles: Int32Array,
    spans: Int32Array,
    names: dict[int, str] | None = None,
    *,
    enough: int = 2,
    budget: int = PLENTY,
    most_filled: int = PLENTY,
    cells: int = PLENTY,
    longest: int = 300,
) -> Any:
    return module.learn(
        *nodes, styles, spans, WANTED, FIRST_DATA, ALTERNATIVE, names or {}, 2, TRAITS, LINE_BREAK, LINK, CLASS, STYLE,
        enough, budget, most_filled, cells, longest,
    )  # fmt: skip


def plainly(result: Any) -> Any:
    """Arrays as lists, with their types."""
    if isinstance(result, np.ndarray):
        return result.dtype, result.shape, result.tolist()
    return [plainly(part) for part in result] if isinstance(result, tuple) else result


def nodes_from_forest(forest: list[Tree], chooser: random.Random) -> tuple[list[Any], Int32Array]:
    """Node arrays of any trees, with some classes and texts; and the numbers of the styles."""
    arrays = arrays_from_forest(forest)
    count = len(arrays.tag)
    classes = [chooser.choice(["", "", "a", "b"]) if tag != TEXT else "" for tag in arrays.tag.tolist()]
    texts = [chooser.choice(["x ", "y ", "z: "]) if tag == TEXT else "" for tag in arrays.tag.tolist()]
    given_classes = [own for own in classes if own]
    starts = [np.cumsum([0, *map(len, parts)]).astype(np.int32) for parts in (texts, given_classes)]
    attribute_start = np.cumsum([0, *map(bool, classes)]).astype(np.int32)
    names = np.full(len(given_classes), CLASS, dtype=np.int32)
    assert len(attribute_start) == count + 1
    return [
        arrays.tag, arrays.size, arrays.parent, attribute_start, names, starts[1], "".join(classes).encode(), starts[0],
        "".join(texts).encode(),
    ], np.array([["", *dict.fromkeys(given_classes)].index(own) for own in classes], dtype=np.int32)  # fmt: skip


@settings(max_examples=400)
@given(
    forest=st.lists(trees(10), min_size=1, max_size=7),
    chooser=st.randoms(use_true_random=False),
    budget=st.sampled_from([0, 20, 100, 400, PLENTY]),
)
def test_slots(forest: list[Tree], chooser: random.Random, budget: int) -> None:
    nodes, styles = nodes_from_forest(forest, chooser)
    tags, sizes, parents = nodes[:3]
    tops = [0, *np.cumsum([sizes[n] for n in np.flatnonzero(parents == NO_NODE)]).tolist()]
    cuts = sorted(chooser.sample(tops[1:-1], chooser.randint(0, len(tops) - 2)))
    spans = np.array([[0, *cuts], [*cuts, tops[-1]]], dtype=np.int32).T.copy()
    found = learn(native, nodes, styles, spans, budget=budget)
    assert plainly(found) == plainly(learn(plain, nodes, styles, spans, budget=budget))
    slots, tree, limits = found[0], found[1], found[-1]
    # The tree has the slots that are in use, each subtree one run.
    tag, parent, _, size = tree[:4].tolist()
    assert set(slots.tolist()) == set(range(len(tag)))
    for slot, up in enumerate(parent):
        assert up < slot < (len(tag) if up == NO_NODE else up + size[up])
    # Within a record slots ascend; a slot has one tag and one slot of the parents.
    for first, last in spans.tolist():
        own = slots[first:last].tolist()
        assert own == sorted(set(own))
        for node in range(first, last):
            up = int(parents[node])
            assert tag[slots[node]] == tags[node]
            assert parent[slots[node]] == (int(slots[up]) if up >= first else NO_NODE)
    # Where the budget is not met, a larger one changes nothing.
    if not limits:
        assert plainly(found) == plainly(learn(native, nodes, styles, spans))
    assert not (limits and budget == PLENTY)


PARTS = st.lists(
    st.sampled_from(
        ["text", "<br>", "<b>bold</b>", "<i>x</i>", "name:", "<b>Price:</b>", "<p>p</p>", "<a href=/1>l</a>", "a, b",
         "a | b",
         "<span class=c>s</span>", "<em>e<u>u</u></em>", "by me", "12 EUR", "<img src=x data-id=1>",
         "<img alt=a.gif data-new=1>", "<li>q</li>"]
    ),
    max_size=6,
).map(" ".join)  # fmt: skip


@settings(max_examples=600)
@given(
    parts=st.lists(st.one_of(PARTS, html), min_size=1, max_size=9),
    cells=st.sampled_from([1, 6, PLENTY]),
    most_filled=st.sampled_from([20, PLENTY]),
    enough=st.integers(1, 4),
    longest=st.sampled_from([3, 300]),
)
def test_foldings_and_tables(parts: list[str], cells: int, most_filled: int, enough: int, longest: int) -> None:
    page = Page("<section>" + "".join(f"<div data-id={k}>{part}</div>" for k, part in enumerate(parts)) + "</section>")
    spans = children_of(page, page.body + 1 if len(page) > page.body + 1 else page.body)
    results = [
        learn(
            module, nodes_of(page), page.style_symbol, spans, page.custom_names, enough=enough,
            most_filled=most_filled, cells=cells, longest=longest,
        )
        for module in (native, plain)
    ]  # fmt: skip
    assert plainly(results[0]) == plainly(results[1])
    _, tree, places, rows, data, split, lists, limits = results[0]
    _, parent, _, _, into, unit, list_of, repeats = tree
    assert (into <= np.arange(len(into))).all()
    assert set(unit.tolist()) - {NO_NODE} == set(list_of.tolist()) - {NO_NODE} == set(range(lists))
    assert all(parent[other] == parent[slot] for slot, other in enumerate(repeats.tolist()) if other != NO_NODE)
    assert len(data) <= 2
    assert all(0 <= column < places.shape[1] and ways for column, ways in split)
    assert bool(limits & native.LIMITS["folding"]) == (len(spans) * tree.shape[1] > most_filled)
    assert len(rows) == len(spans)
    for row in rows:
        assert len(row) == places.shape[1]
        for cell, number in zip(row, places[2].tolist(), strict=True):
            assert cell is None or isinstance(cell, str if number == NO_NODE else list)
    assert cells == PLENTY or len(rows) * places.shape[1] <= cells or len(rows) > cells
    for module in (native, plain):
        assert module.transposed(rows, places.shape[1]) == [list(column) for column in zip(*rows, strict=True)]


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
    tree = learn(native, nodes_of(pages[0]), pages[0].style_symbol, found[0], enough=enough)[1][:4].copy()
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
        given_arrays = (*nodes_of(page), spans, budget)
        placed, rows, limits = reader.read(*given_arrays)
        assert plainly((placed, rows, limits)) == plainly(reference.read(*given_arrays))
        assert not (limits and budget == PLENTY)
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
    given_arrays = (*nodes_of(page), spans, PLENTY)
    first, again = reader.read(*given_arrays), reader.read(*given_arrays)
    assert plainly(first) == plainly(again)
    assert first[0][spans[:, 0] - spans[0, 0]].tolist() == [0] * len(spans)


def test_a_style_has_the_same_symbol_on_every_page() -> None:
    pages = [Page("<p class=a>x<p class=b style=c>y"), Page("<div><p class=z><p style=c class=b>y</div>")]
    found = []
    for page in pages:
        slots, tree, *_ = learn(native, nodes_of(page), page.style_symbol, np.array([[0, len(page)]], dtype=np.int32))
        symbols = tree[2][slots].tolist()
        found.append({page.attributes(node).get("style"): symbols[node] for node in range(len(page))})
    assert found[0]["c"] == found[1]["c"] != 0


@pytest.mark.parametrize("module", [native, plain], ids=["native", "plain"])
def test_budgets_that_are_met_are_named(module: ModuleType) -> None:
    page = Page("".join(f"<p><b>a {k}</b><i class=c{k}>x</i></p>" for k in range(6)))
    spans = children_of(page, page.body)
    nodes = nodes_of(page)
    assert learn(module, nodes, page.style_symbol, spans)[-1] == 0
    assert learn(module, nodes, page.style_symbol, spans, budget=5)[-1] == module.LIMITS["alignment"]
    assert learn(module, nodes, page.style_symbol, spans, most_filled=5)[-1] == module.LIMITS["folding"]
    assert learn(module, nodes, page.style_symbol, spans, cells=6)[-1] == module.LIMITS["columns"]


@pytest.fixture(params=[native, plain], ids=["native", "plain"])
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    module: ModuleType = request.param
    return module


def test_arrays_that_do_not_belong_together_are_refused(kernel: ModuleType) -> None:
    page = Page("<ul><li class=c title=t>a<li title=t>b</ul>")
    spans = np.array([[4, 6], [6, 8]], dtype=np.int32)
    tree = np.array([[20, 0], [-1, 0], [0, 0], [2, 1]], dtype=np.int32)
    nothing = np.full(2, NO_NODE, dtype=np.int32)
    column_of = np.full((2, len(WANTED) + 1), NO_NODE, dtype=np.int32)
    nodes = nodes_of(page)
    options = (FIRST_DATA, ALTERNATIVE, {}, 2, TRAITS, LINE_BREAK, LINK, CLASS, STYLE, 2, *[PLENTY] * 3, 300)
    calls: dict[str, list[Any]] = {
        "learn": [*nodes, page.style_symbol, spans, WANTED, *options],
        "Reader": [tree, nothing, NO_LABELS, WANTED, column_of, nothing, nothing[:0], CLASS, STYLE],
        "read": [*nodes, spans, PLENTY],
    }
    reader = kernel.Reader(*calls["Reader"])
    for name, arguments in calls.items():
        call = reader.read if name == "read" else getattr(kernel, name)
        call(*arguments)
        for place, argument in enumerate(arguments):
            free = any(argument is other for other in (TRAITS, NO_LABELS)) or (name == "learn" and argument is WANTED)
            if free or not isinstance(argument, bytes | np.ndarray) or not len(argument):
                continue
            shorter = argument[:1] if isinstance(argument, bytes) else argument[..., :-1].copy()
            with pytest.raises(ValueError, match=r"length|within|span|order"):
                call(*arguments[:place], shorter, *arguments[place + 1 :])
    with pytest.raises(ValueError, match="attributes are wanted"):
        kernel.learn(*nodes, page.style_symbol, spans, np.arange(251, dtype=np.int32), *options)
    with pytest.raises(ValueError, match="number of a style"):
        kernel.learn(*nodes, page.style_symbol + 9, spans, WANTED, *options)
    for wrong in ([[4, 5]], [[4, 9]], [[5, 5]], [[-1, 6]]):
        with pytest.raises(ValueError, match="record 0"):
            kernel.learn(*nodes, page.style_symbol, np.array(wrong, dtype=np.int32), WANTED, *options)
    with pytest.raises(ValueError, match="length"):
        kernel.transposed([[1, 2], [3]], 2)
    for module in (native, plain):
        for rows, groups, message in (
            ([[1]], [[1]], "no such column"),
            ([[1]], [[-1]], "no such column"),
            ([[1]], [[]], "a column or more"),
        ):
            with pytest.raises(ValueError, match=message):
                module.nested(rows, groups)
        with pytest.raises(ValueError, match=r"length|argument"):
            module.nested([[[1, 2], [3]]], [[0, 1]])
    more = calls["Reader"][2:]
    with pytest.raises(ValueError, match="not repeated"):
        kernel.Reader(tree, np.array([1, -1], dtype=np.int32), *more)
    with pytest.raises(ValueError, match="order"):
        kernel.Reader(tree[:, ::-1].copy(), nothing, *more)
    with pytest.raises(ValueError, match="column"):
        kernel.Reader(tree, nothing, NO_LABELS, WANTED, column_of + 1, *more[3:])


@st.composite
def grouped_rows(draw: st.DrawFn) -> tuple[list[list[Any]], list[list[int]]]:
    """Rows with nested lists, whose columns have as many entries in each row, and the groups of columns."""
    widths = draw(st.lists(st.integers(1, 3), min_size=1, max_size=5))
    groups, column = [], 0
    for width in widths:
        groups.append(list(range(column, column + width)))
        column += width
    rows = []
    for _ in range(draw(st.integers(0, 4))):
        row: list[Any] = []
        for width in widths:
            entries = draw(st.none() | st.integers(0, 3))
            if width == 1 and draw(st.booleans()):
                row.append("single")
            else:
                row += [None if entries is None else [f"{len(row)} {k}" for k in range(entries)] for _ in range(width)]
        rows.append(row)
    return rows, groups


@settings(max_examples=1_000)
@given(grouped_rows())
def test_nested_rows(given_rows: tuple[list[list[Any]], list[list[int]]]) -> None:
    rows, groups = given_rows
    found = native.nested(rows, groups)
    assert found == plain.nested(rows, groups)
    assert all(len(row) == len(groups) for row in found)
