"""Tables whose columns are given: their texts, values and columns agree, whatever is nested in them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fastwrap.columns.given import GivenColumn, GivenTable, flattened, in_step
from fastwrap.page import Page
from fastwrap.types import Money

TEXTS = st.text("ab 1", max_size=4)
CELLS = st.one_of(st.none(), TEXTS)


@st.composite
def tables(draw: st.DrawFn) -> GivenTable:
    count = draw(st.integers(0, 4))
    columns = []
    for number in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(("simple", "list", "rows")))
        if kind == "simple":
            texts: list[Any] = draw(st.lists(CELLS, min_size=count, max_size=count))
            columns.append(GivenColumn(f"c{number}", texts))
        elif kind == "list":
            lists = st.one_of(st.none(), st.lists(TEXTS, max_size=3))
            columns.append(GivenColumn(f"c{number}", draw(st.lists(lists, min_size=count, max_size=count))))
        else:
            lengths = draw(st.lists(st.integers(-1, 3), min_size=count, max_size=count))
            inner = tuple(
                GivenColumn(
                    f"c{number}.{part}",
                    [None if n < 0 else draw(st.lists(CELLS, min_size=n, max_size=n)) for n in lengths],
                )
                for part in range(2)
            )
            columns.append(GivenColumn(f"c{number}", columns=inner))
    return GivenTable(Page(""), columns, count)


def shape(cell: Any) -> Any:
    return [shape(part) for part in cell] if isinstance(cell, list) else None


@given(tables())
def test_texts_and_values_have_one_shape(table: GivenTable) -> None:
    texts, values = table.nested_texts, table.nested_values
    assert len(texts) == len(values) == table.count
    assert shape(texts) == shape(values)
    assert all(len(row) == len(table.nested_columns) == len(table.given) for row in texts)
    for row in texts:
        for cell, given_column, column in zip(row, table.given, table.nested_columns, strict=True):
            assert column.name == given_column.name
            if given_column.columns:
                assert [inner.name for inner in column.columns] == [inner.name for inner in given_column.columns]
                assert cell is None or all(len(entry) == len(column.columns) for entry in cell)
            elif isinstance(cell, list):
                assert len(column.columns) == 1


@given(st.lists(st.one_of(CELLS, st.lists(TEXTS, max_size=3))))
def test_values_go_back_into_their_lists(cells: list[Any]) -> None:
    assert in_step(cells, flattened(cells)) == cells


def test_given_values_are_kept_and_others_are_read() -> None:
    page = Page("<html lang=de>", url="https://a.example/b/")
    table = GivenTable(
        page,
        [
            GivenColumn("price", ["12,50 €", "9,00 €"]),
            GivenColumn("duration", ["45 minutes", None], type="text", values=["PT45M", None]),
            GivenColumn("link", ["c", "/d"], kind="href"),
        ],
        count=2,
        link=2,
    )
    assert table.nested_values == [
        [Money(Decimal("12.50"), "EUR"), "PT45M", "https://a.example/b/c"],
        [Money(Decimal("9.00"), "EUR"), None, "https://a.example/d"],
    ]
    assert table.links == ["https://a.example/b/c", "https://a.example/d"]
    assert table.text(0) == "12,50 € 45 minutes c"


def test_a_column_that_is_the_same_everywhere_is_template() -> None:
    table = GivenTable(Page(""), [GivenColumn("same", ["x"] * 5), GivenColumn("other", list("abcde"))], count=5)
    assert [column.template for column in table.nested_columns] == [True, False]
    assert not GivenTable(Page(""), [GivenColumn("same", ["x"])]).nested_columns[0].template
