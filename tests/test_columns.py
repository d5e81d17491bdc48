"""Columns: what holds of every alignment, the compiled kernels against the plain ones, and tables that are known."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page, columns
from fastwrap._core import alignment as native
from fastwrap._plain import alignment as plain
from fastwrap.columns import TEXT_ITEM, Alignment, align, paths, texts
from fastwrap.names import ATTRIBUTE_NUMBER, NO_NODE, TEXT
from fastwrap.regions import mdr
from reference.html import html
from reference.trees import Tree, arrays_from_forest, trees

PLENTY = 10**7
ITEMS = ("href", "src", "alt", "title")


@pytest.fixture(params=[native, plain], ids=["native", "plain"])
def kernel(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    module: ModuleType = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "kernel", module)
        yield module


def children_of(page: Page, node: int) -> list[list[int]]:
    """The children of a node as records."""
    return [[child, child + int(page.size[child])] for child in page.children(node)]


def table(source: str, spans: list[list[int]] | None = None) -> list[list[str | None]]:
    """The aligned items of the children of the page's first element."""
    page = Page(source)
    return texts(page, align(page, children_of(page, page.body + 1) if spans is None else spans))


def items_of(page: Page, start: int, end: int) -> list[tuple[int, int]]:
    """Nodes and attributes (TEXT_ITEM for a text) of a record's items, in order."""
    found = []
    for node in range(start, end):
        if page.tag[node] == TEXT:
            found.append((node, TEXT_ITEM))
        given = page.attributes(node)
        found += [(node, ATTRIBUTE_NUMBER[name]) for name in ITEMS if given.get(name)]
    return found


def check(page: Page, aligned: Alignment) -> None:
    """What holds of every alignment."""
    records, width = aligned.nodes.shape
    assert len(aligned.spans) == records
    assert width == len(aligned.attribute) == len(aligned.slot) == len(aligned.template)
    for span, row in zip(aligned.spans.tolist(), aligned.nodes.tolist(), strict=True):
        # Every item in exactly one column, columns in the order of items.
        present = [(node, int(name)) for node, name in zip(row, aligned.attribute, strict=True) if node != NO_NODE]
        assert present == items_of(page, *span)
    assert (aligned.nodes != NO_NODE).any(axis=0).all()  # no column without items
    said = texts(page, aligned)
    for column in range(width):
        values = [row[column] for row in said]
        most = max(values.count(value) for value in values if value is not None)
        assert aligned.template[column] == (most > 0.8 * records)
        assert {tuple(page.tag_name(n) for n in path_of(page, aligned, r, column)) for r in range(records)} - {()} == {
            tuple(step for step in paths(page, aligned)[column].split("/") if not step.startswith("@"))
        }


def path_of(page: Page, aligned: Alignment, record: int, column: int) -> list[int]:
    """The nodes from the top of a record down to an item."""
    node, found = int(aligned.nodes[record, column]), []
    while node != NO_NODE and node >= aligned.spans[record, 0]:
        found.append(node)
        node = int(page.parent[node])
    return found[::-1]


# What holds of every alignment


@settings(max_examples=300)
@given(parts=st.lists(html, min_size=1, max_size=6), budget=st.sampled_from([0, 30, PLENTY]))
def test_every_item_is_in_one_column_in_order(parts: list[str], budget: int) -> None:
    page = Page("<ul>" + "".join(f"<li>{part}</li>" for part in parts) + "</ul>")
    spans = [span for span in children_of(page, page.body) if span[1] - span[0] < 400]
    check(page, align(page, spans, budget))
    for node in range(page.body, min(len(page), page.body + 12)):
        check(page, align(page, children_of(page, node), budget))


def test_examples(example: bytes) -> None:
    page = Page(example)
    for region in mdr.find(page)[:6]:
        check(page, align(page, region.records))


@settings(max_examples=200)
@given(part=html, count=st.integers(1, 6))
def test_equal_records_align_node_by_node(part: str, count: int) -> None:
    page = Page(f"<div><section>{part}</section></div>" * count)
    sections = [n for n in range(len(page)) if page.tag_name(n) == "div" and n + 1 < len(page)]
    spans = [[n, n + int(page.size[n])] for n in sections if int(page.parent[n]) == page.body]
    first = page.structural_class[[start for start, _ in spans]]
    if len(spans) != count or len(set(first.tolist())) > 1:
        return  # the part closed the div, or moved to where the parser wants it
    aligned = align(page, spans)
    assert (aligned.nodes != NO_NODE).all()
    assert (aligned.nodes - aligned.spans[:, :1] == aligned.nodes[0] - aligned.spans[0, 0]).all()


@settings(max_examples=300)
@given(
    fields=st.lists(st.sampled_from("b i u em p q a".split()), min_size=1, max_size=7, unique=True),
    chooser=st.randoms(use_true_random=False),
    count=st.integers(1, 12),
)
def test_optional_items_shift_no_others(fields: list[str], chooser: random.Random, count: int) -> None:
    """Whichever fields a record has: as many columns as fields, each with one field only."""
    rows = [[field for field in fields if chooser.random() < 0.7] for _ in range(count)]
    source = "".join(
        "<section>" + "".join(f"<{field}>{field}{k}</{field}>" for field in row) + "</section>"
        for k, row in enumerate(rows)
    )
    said = table(f"<div>{source}</div>")
    for k, (row, values) in enumerate(zip(rows, said, strict=True)):
        assert [value for value in values if value] == [f"{field}{k}" for field in row]
    for column in zip(*said, strict=True):
        assert len({value.rstrip("0123456789") for value in column if value}) == 1
    if fields in rows:
        assert [next(v for v in column if v).rstrip("0123456789") for column in zip(*said, strict=True)] == fields


# The kernels


@settings(max_examples=400)
@given(
    forest=st.lists(trees(10), min_size=1, max_size=7),
    chooser=st.randoms(use_true_random=False),
    budget=st.sampled_from([0, 20, 100, 400, PLENTY]),
)
def test_slots_are_the_same_compiled_and_plain(forest: list[Tree], chooser: random.Random, budget: int) -> None:
    arrays = arrays_from_forest(forest)
    tops = [0, *np.cumsum([arrays.size[n] for n in np.flatnonzero(arrays.depth == 0)]).tolist()]
    cuts = sorted(chooser.sample(tops[1:-1], chooser.randint(0, len(tops) - 2)))
    start = np.array([0, *cuts], dtype=np.int32)
    end = np.array([*cuts, tops[-1]], dtype=np.int32)
    symbols = np.array(chooser.choices([0, 0, 1, 2], k=len(arrays.tag)), dtype=np.int32)
    given_arrays = (arrays.tag, arrays.size, arrays.parent, start, end, symbols, budget)
    slots = native.align(*given_arrays)
    assert slots.tolist() == plain.align(*given_arrays).tolist()
    # Within a record slots ascend; across records a slot has one tag and one slot of the parents.
    above: dict[int, tuple[int, int]] = {}
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        own = slots[first:last].tolist()
        assert own == sorted(set(own))
        for node in range(first, last):
            up = int(arrays.parent[node])
            kind = int(arrays.tag[node]), int(slots[up]) if up >= first else NO_NODE
            assert above.setdefault(int(slots[node]), kind) == kind


@settings(max_examples=200)
@given(source=html, cells=st.sampled_from([1, 6, PLENTY]), enough=st.integers(1, 4))
def test_symbols_and_tables_are_the_same_compiled_and_plain(source: str, cells: int, enough: int) -> None:
    page = Page(f"<ul><li>{source}<li>{source}<li><b>text</b> text <img src=x alt=text></ul>")
    arrays = page.arrays
    start, end = np.array(children_of(page, page.body), dtype=np.int32).reshape(-1, 2).T.copy()
    results = []
    for module in (native, plain):
        symbols = module.node_symbols(
            page.tag, page.size, page.style_symbol, page.text_start, arrays.text, start, end, enough
        )
        slots = module.align(page.tag, page.size, page.parent, start, end, symbols, PLENTY)
        found = module.tabulate(
            page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values,
            page.text_start, arrays.text, columns.ITEM_KINDS[:-1], start, end, slots, cells,
        )  # fmt: skip
        results.append([symbols.tolist(), *((part.dtype, part.shape, part.tolist()) for part in found)])
    assert results[0] == results[1]


def test_arrays_that_do_not_belong_together_are_refused(kernel: ModuleType) -> None:
    page = Page("<ul><li>a<li>b</ul>")
    arrays, wanted = page.arrays, columns.ITEM_KINDS[:-1]
    start, end = np.array([[4, 6], [6, 8]], dtype=np.int32).T.copy()
    symbols = np.zeros(4, dtype=np.int32)
    calls = {
        "align": [page.tag, page.size, page.parent, start, end, symbols, PLENTY],
        "node_symbols": [page.tag, page.size, page.style_symbol, page.text_start, arrays.text, start, end, 2],
        "tabulate": [
            page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values,
            page.text_start, arrays.text, wanted, start, end, symbols, PLENTY,
        ],
    }  # fmt: skip
    for name, arguments in calls.items():
        getattr(kernel, name)(*arguments)
        for place, argument in enumerate(arguments):
            if isinstance(argument, np.ndarray) and argument is not wanted and len(argument):
                with pytest.raises(ValueError, match=r"length|within|span"):
                    getattr(kernel, name)(*arguments[:place], argument[:-1], *arguments[place + 1 :])
            elif isinstance(argument, bytes) and argument:
                with pytest.raises(ValueError, match="within"):
                    getattr(kernel, name)(*arguments[:place], argument[:1], *arguments[place + 1 :])
    with pytest.raises(ValueError, match="negative"):
        kernel.tabulate(*calls["tabulate"][:-2], symbols - 1, PLENTY)


# Tables that are known


def test_labels_keep_optional_fields_apart(kernel: ModuleType) -> None:
    """No class tells the fields apart, and most records lack one of them: the label text does."""
    fields = ("Author", "Year", "Pages")
    rows = [("A1", None, "P1"), ("A2", "Y2", "P2"), (None, "Y3", "P3"), ("A4", "Y4", None), (None, None, "P5")]
    source = "".join(
        "<li>" + "".join(f"<b>{field}:</b> {value}<br>" for field, value in zip(fields, row, strict=True) if value)
        for row in rows
    )
    expected = [
        [
            text
            for field, value in zip(fields, row, strict=True)
            for text in ((f"{field}:", value) if value else (None, None))
        ]
        for row in rows
    ]
    assert table(f"<ul>{source}</ul>") == expected


def test_classes_keep_optional_fields_apart(kernel: ModuleType) -> None:
    rows = [("n0", "p0", "s0"), ("n1", None, "s1"), ("n2", "p2", None), ("n3", None, "s3")]
    source = "".join(
        "<li>" + "".join(f"<span class={c}>{v}</span>" for c, v in zip("nps", row, strict=True) if v) for row in rows
    )
    assert table(f"<ul>{source}</ul>") == [list(row) for row in rows]


def test_items_that_the_seed_lacks_are_inserted(kernel: ModuleType) -> None:
    source = (
        "<li><b>1</b><i>2</i><u>3</u><li><b>1</b><em>new</em><i>2</i><li><q>first</q><b>1</b><li><u>3</u><s>last</s>"
    )
    assert table(f"<ul>{source}</ul>") == [
        [None, "1", None, "2", "3", None],
        [None, "1", "new", "2", None, None],
        ["first", "1", None, None, None, None],
        [None, None, None, None, "3", "last"],
    ]


def test_a_record_waits_for_the_order_of_its_items(kernel: ModuleType) -> None:
    """Where `s` belongs, after `b` or after `i`, the second record does not show, but the third."""
    source = (
        "<li><b>1</b><i>2</i><u>3</u><em>4</em><q>5</q><li><b>1</b><s>x</s><u>3</u><li><b>1</b><i>2</i><s>y</s><u>3</u>"
    )
    assert table(f"<ul>{source}</ul>") == [
        ["1", "2", None, "3", "4", "5"],
        ["1", None, "x", "3", None, None],
        ["1", "2", "y", "3", None, None],
    ]


def test_what_a_list_lacks_is_missing_at_its_end(kernel: ModuleType) -> None:
    source = "<li><p>1<p>2<p>3<li><p>1<li><p>1<p>2"
    assert table(f"<ul>{source}</ul>") == [["1", "2", "3"], ["1", None, None], ["1", "2", None]]


def test_attributes_are_items_of_their_element(kernel: ModuleType) -> None:
    source = (
        "<li><a title=t href=/1>one</a><img src=1.png alt=''><li><a href=/2>two</a><img src=2.png alt=b>"
        "<li><a href=/3 class=x>three</a>"
    )
    page = Page(f"<ul>{source}</ul>")
    aligned = align(page, children_of(page, page.body + 1))
    assert paths(page, aligned) == ["li/a/@href", "li/a/@title", "li/a/#text", "li/img/@src", "li/img/@alt"]
    assert texts(page, aligned) == [
        ["/1", "t", "one", "1.png", None],
        ["/2", None, "two", "2.png", "b"],
        ["/3", None, "three", None, None],
    ]


def test_what_most_records_say_is_template(kernel: ModuleType) -> None:
    page = Page("<ul>" + "".join(f"<li><b>Price:</b><i>{k}</i><u>{min(k, 8)}</u><s>{min(k, 2)}</s>" for k in range(10)))
    aligned = align(page, children_of(page, page.body + 1))
    assert aligned.template.tolist() == [True, False, False, False]
    page = Page("<ul>" + "".join(f"<li><b>{'a' if k < 9 else k}</b><i>{'a' if k < 8 else k}</i>" for k in range(10)))
    assert align(page, children_of(page, page.body + 1)).template.tolist() == [True, False]  # more than 80%


def test_records_of_several_siblings(kernel: ModuleType) -> None:
    page = Page("<dl><dt>a<dd>1<dt>b<dd>2<dd>3<dt>c</dl>")
    tops = [node for node, _ in children_of(page, page.body + 1)]
    spans = [[tops[0], tops[2]], [tops[2], tops[5]], [tops[5], len(page)]]
    assert table("<dl><dt>a<dd>1<dt>b<dd>2<dd>3<dt>c</dl>", spans) == [
        ["a", "1", None],
        ["b", "2", "3"],
        ["c", None, None],
    ]


def test_rare_columns_are_left_out_of_a_table_that_is_too_large(
    kernel: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "<ul>" + "".join(f"<li><b>{k}</b><i>{k}</i><x-{k}>rare</x-{k}>" for k in range(5)) + "</ul>"
    assert len(table(source)[0]) == 7
    monkeypatch.setattr(columns, "MAX_CELLS", 12)
    assert table(source) == [[str(k), str(k)] for k in range(5)]


def test_without_a_budget_items_follow_their_tags(kernel: ModuleType) -> None:
    page = Page("<ul><li><b>1</b><i>2</i><u>3</u><li><b>1</b><u>3</u><li><i>2</i></ul>")
    aligned = align(page, children_of(page, page.body + 1), budget=0)
    assert texts(page, aligned) == [["1", "2", "3"], ["1", None, "3"], [None, "2", None]]


def test_no_records_no_columns(kernel: ModuleType) -> None:
    page = Page("<p>a")
    aligned = align(page, [])
    assert aligned.nodes.shape == (0, 0)
    assert texts(page, aligned) == []
    assert paths(page, aligned) == []
    empty = align(Page("<ul><li></li><li></li></ul>"), [[4, 5], [4, 5]])
    assert empty.nodes.shape == (2, 0)


@pytest.mark.parametrize("span", [[-1, 3], [3, 3], [4, 3], [0, 99], [3, 4]])
def test_what_is_no_record_is_refused(kernel: ModuleType, span: list[int]) -> None:
    page = Page("<ul><li>a<li>b</ul>")
    with pytest.raises(FastwrapError, match=r"cannot be aligned: record 1 is not a (span|run)"):
        align(page, [[4, 6], span])


def test_many_records_that_are_all_different(kernel: ModuleType) -> None:
    """Each has a tag of its own, so that the tree grows by one with every record; the budget keeps it linear."""
    count = 20_000 if kernel is native else 300
    page = Page("<ul>" + "".join(f"<li><b>{k}</b><x-{k}>{k}</x-{k}>" for k in range(count)) + "</ul>")
    spans = children_of(page, page.body + 1)
    aligned = align(page, spans, budget=10_000)
    assert (aligned.nodes[:, 0] == [start + 1 + 1 for start, _ in spans]).all()
