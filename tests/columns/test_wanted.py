"""Wishes: what may be wanted, which columns serve it, and the rows that are made of them."""

from __future__ import annotations

import dataclasses
import itertools
import pickle
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import FastwrapError
from fastwrap.columns.wanted import Candidate, assign, best_pairs
from fastwrap.columns.wishes import MAX_WISHES, Wish, wanted_of
from fastwrap.types import Money

EURO = Money(Decimal("24.90"), "EUR")


@dataclasses.dataclass
class Product:
    title: str
    price: Money
    stars: float | None
    sku: str = "none"


class ProductStruct(msgspec.Struct, rename="camel"):
    title: str
    unit_price: Annotated[float, msgspec.Meta(gt=0)]
    tags: list[str] = []


class ProductDict(TypedDict):
    title: str
    price: NotRequired[float]


class ProductTuple(NamedTuple):
    title: str
    reviews: int = 0


class Condition(Enum):
    NEW = "new"
    USED = "second hand"


class Field:
    """As those of pydantic: what the engine may know of them."""

    def __init__(self, annotation: Any, required: bool = True, alias: str | None = None) -> None:
        self.annotation, self.alias, self.validation_alias = annotation, alias, alias
        self._required = required

    def is_required(self) -> bool:
        return self._required


class Model:
    """A class with the two attributes that a pydantic model is known by."""

    model_fields = {  # noqa: RUF012
        "title": Field(str, alias="productTitle"),
        "price": Field(Money),
        "old_price": Field(Money | None),
        "count": Field(int, required=False),
    }

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    @classmethod
    def model_validate(cls, values: dict[str, Any]) -> Model:
        if values["price"].amount < 0:
            raise ValueError("a price below 0")
        return cls(values)


def wishes_of(want: Any) -> list[tuple[str, bool]]:
    return [(wish.name, wish.needed) for wish in wanted_of(want).wishes]


def test_what_may_be_wanted() -> None:
    assert wishes_of(["title", "price"]) == [("title", False), ("price", False)]
    assert wishes_of({"title": str}) == [("title", True)]
    assert not wanted_of({"title": str}).strict
    assert wishes_of(Product) == [("title", True), ("price", True), ("stars", False), ("sku", False)]
    assert wishes_of(ProductStruct) == [("title", True), ("unit_price", True), ("tags", False)]
    assert wishes_of(ProductDict) == [("title", True), ("price", False)]
    assert wishes_of(ProductTuple) == [("title", True), ("reviews", False)]
    assert wishes_of(Model) == [("title", True), ("price", True), ("old_price", False), ("count", False)]


@pytest.mark.parametrize("want", ["title", b"title", 5, None, str, [5], {3: str}, object])
def test_other_things_cannot_be_wanted(want: Any) -> None:
    with pytest.raises(TypeError, match=r"want|expected"):
        wanted_of(want)


@pytest.mark.parametrize(
    ("want", "why"),
    [
        ([], "no column"),
        ([" "], "empty name"),
        (["a", "a"], "'a' twice"),
        (["a" * 301], "301 characters"),
        ([f"n{k}" for k in range(MAX_WISHES + 1)], "more than 100"),
        ({"price": "Money"}, "expected a type"),
        ({"price": 3}, "expected a type"),
    ],
)
def test_wishes_that_make_no_sense(want: Any, why: str) -> None:
    with pytest.raises(FastwrapError, match=why):
        wanted_of(want)


def rows(want: Any, *columns: tuple[Any, Any] | None) -> list[Any]:
    """The rows of one record: for each wish its value and text."""
    return wanted_of(want).rows([None if each is None else ([each[0]], [each[1]]) for each in columns], 1)


PAN, PRICE = ("Pan", "Pan"), (EURO, "24,90 €")


def test_rows_are_what_was_wanted() -> None:
    assert rows(["title", "price", "sku"], PAN, PRICE, None) == [{"title": "Pan", "price": EURO, "sku": None}]
    assert rows(Product, PAN, PRICE, None, None) == [Product("Pan", EURO, None, "none")]
    assert rows(ProductStruct, PAN, PRICE, (["a", "b"], ["a", "b"])) == [ProductStruct("Pan", 24.9, ["a", "b"])]
    assert rows(ProductDict, PAN, None) == [{"title": "Pan"}]
    assert rows(ProductTuple, PAN, (12, "12 reviews")) == [ProductTuple("Pan", 12)]
    (model,) = rows(Model, PAN, PRICE, None, None)
    assert model.values == {"productTitle": "Pan", "price": EURO, "old_price": None}


def test_a_default_goes_before_none() -> None:
    @dataclasses.dataclass
    class Rated:
        title: str | None
        rating: float | None = 3.0

    assert rows(Rated, None, (None, None)) == [Rated(None, 3.0)]


@pytest.mark.parametrize("want", [["title"], {"title": str}, Product, ProductStruct, ProductDict, ProductTuple, Model])
def test_what_is_wanted_can_be_pickled(want: Any) -> None:
    again = pickle.loads(pickle.dumps(wanted_of(want)))  # noqa: S301
    assert [(wish.name, wish.needed) for wish in again.wishes] == wishes_of(want)


def test_pydantic_models() -> None:
    pydantic = pytest.importorskip("pydantic")

    model = pydantic.create_model(
        "Item", title=(str, ...), price=(Decimal, pydantic.Field(gt=0)), link=(pydantic.HttpUrl | None, None)
    )
    (row,) = rows(model, PAN, PRICE, ("https://example.org/1", "/1"))
    assert (row.title, row.price, str(row.link)) == ("Pan", Decimal("24.90"), "https://example.org/1")
    with pytest.raises(FastwrapError, match="record 1 is not what is wanted"):
        rows(model, PAN, (0, "0"), None)


def test_what_a_record_lacks_is_said() -> None:
    with pytest.raises(FastwrapError, match=r"record 1 has nothing there: price is wanted as Money; .*Money \| None"):
        rows(Product, PAN, (None, None), None, None)
    with pytest.raises(FastwrapError, match="record 1 has 'Call us' there: price"):
        rows(Product, PAN, (None, "Call us"), None, None)
    with pytest.raises(FastwrapError, match=r"record 1 is not what is wanted: .*unitPrice"):
        rows(ProductStruct, PAN, (0, "0"), None)
    with pytest.raises(FastwrapError, match="record 1 is not what is wanted: a price below 0"):
        rows(Model, PAN, (Money(Decimal(-1), None), "-1"), None, None)


@pytest.mark.parametrize(
    ("annotation", "value", "text", "wanted"),
    [
        (str, EURO, "24,90 €", "24,90 €"),
        (str, "https://example.org/a", "/a", "https://example.org/a"),
        (str, ["a", "b"], ["a", "b"], "a, b"),
        (int, 12, "12 reviews", 12),
        (int, None, "12", 12),
        (int, 12.5, "12.5", None),
        (float, EURO, "24,90 €", 24.9),
        (Decimal, EURO, "24,90 €", Decimal("24.90")),
        (Decimal, 0.1, "0.1", Decimal("0.1")),
        (Money, 5, "5", Money(Decimal(5), None)),
        (Money, None, "Sold out", None),
        (Money, None, "€ 5,50", Money(Decimal("5.50"), "EUR")),
        (bool, True, "in stock", True),
        (bool, 1, "1", None),
        (date, datetime(2026, 6, 17, 8), "", date(2026, 6, 17)),
        (datetime, date(2026, 6, 17), "", datetime(2026, 6, 17)),
        (date | None, None, "June 17, 2026", date(2026, 6, 17)),
        (time, time(9, 30), "9:30", time(9, 30)),
        (list[int], [1, None], ["1", "2"], [1, 2]),
        (list[str], "a", "a", ["a"]),
        (set[str], ["a", "a"], ["a", "a"], {"a"}),
        (tuple[str, ...], "a", "a", ("a",)),
        (Literal["New", "Used"], "new", "new", "New"),
        (Literal["New", "Used"], "broken", "broken", None),
        (Condition, "Second hand", "Second hand", Condition.USED),
        (Condition, "new", "new", Condition.NEW),
        (int | str, "many", "many", "many"),
        (Annotated[int, {}], 3, "3", 3),
        (Any, EURO, "24,90 €", EURO),
        (Any, None, "Call us", "Call us"),
        (list, [1, 2], ["1", "2"], [1, 2]),
    ],
)
def test_conversions(annotation: Any, value: Any, text: Any, wanted: Any) -> None:
    assert rows({"it": annotation}, (value, text)) == [{"it": wanted}]
    assert rows({"it": annotation}, (None, None)) == [{"it": None}]


SHOP = [
    Candidate("text", "text", filled=0.1),
    Candidate("title", "text"),
    Candidate("title link", "url", kind="href"),
    Candidate("image", "image", kind="src"),
    Candidate("price", "money"),
    Candidate("old price", "money", filled=0.3),
    Candidate("data sku", "text", kind="data-sku", shown=False),
    Candidate("rating", "rating"),
    Candidate("hinzugefügt", "date", words="class=date-added"),
]


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("title", 1), ("name", 1), ("Produkt", 1), ("product_name", 1), ("url", 2), ("link", 2), ("href", 2),
        ("picture", 3), ("price", 4), ("preis", 4), ("prix", 4), ("price_old", 5), ("list_price", 5), ("sku", 6),
        ("stars", 7), ("date", 8), ("dateAdded", 8), ("author", None), ("anything", None),
    ],
)  # fmt: skip
def test_a_wish_finds_its_column(name: str, column: int | None) -> None:
    assert assign([Wish(name)], SHOP) == [column]


def test_columns_serve_one_wish_each() -> None:
    assert assign([Wish("price"), Wish("old_price"), Wish("cost")], SHOP) == [4, 5, None]
    assert assign([Wish("name"), Wish("title")], SHOP) == [None, 1]


def test_types_decide_where_names_do_not() -> None:
    assert assign([Wish("when", date)], SHOP) == [8]
    assert assign([Wish("anything", date | None)], SHOP) == [8]
    assert assign([Wish("link", Money)], SHOP) == [None]
    assert assign([Wish("title", int)], [Candidate("title", "text"), Candidate("title", "integer")]) == [1]
    assert assign([Wish("tags", list[str])], [Candidate("tags", "text"), Candidate("tags", "text", is_list=True)]) == [
        1
    ]


def test_ids_of_one_kind_are_no_others() -> None:
    columns = [Candidate("data sku", "text"), Candidate("rank", "integer"), Candidate("EAN", "text")]
    assert assign([Wish("isbn"), Wish("sku"), Wish("ean")], columns) == [None, 0, 2]
    assert assign([Wish("isbn")], [Candidate("reference", "text")]) == [0]


def test_names_in_other_languages() -> None:
    columns = [
        Candidate("タイトル", "text"),
        Candidate("価格", "money"),
        Candidate("Ville", "text"),
        Candidate("Cena", "money"),
    ]
    assert assign([Wish("title"), Wish("location"), Wish("price")], columns) == [0, 2, 1]


@given(st.lists(st.dictionaries(st.integers(0, 5), st.sampled_from([1.0, 2.0, 3.5, 5.0, 8.0])), max_size=4))
def test_the_best_pairs_are_found(scores: list[dict[int, float]]) -> None:
    found = best_pairs(scores)
    taken = [column for column in found if column is not None]
    assert len(taken) == len(set(taken))
    ways = itertools.product(*([None, *row] for row in scores))
    best = max(
        sum(row[column] for row, column in zip(scores, way, strict=True) if column is not None)
        for way in ways
        if len(used := [column for column in way if column is not None]) == len(set(used))
    )
    assert sum(row[column] for row, column in zip(scores, found, strict=True) if column is not None) == best
