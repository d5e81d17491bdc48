"""Names and roles of columns: the kernels against their twins, on random columns, lists and pages."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page, regions
from fastwrap._core.columns import posts as native_posts
from fastwrap._core.columns import relations as native_relations
from fastwrap._core.columns.known import Known, Words
from fastwrap._core.columns.naming import Naming
from fastwrap.columns import Table, learn
from fastwrap.columns.naming import WORDS, attributes_of
from fastwrap.types import Money
from tests.helpers import threads
from tests.helpers.choosing import random_list
from tests.helpers.columns import first_children, record_parts
from tests.reference.columns import naming as plain
from tests.reference.columns import posts as plain_posts
from tests.reference.columns import relations as plain_relations
from tests.reference.html import html

TEXTS = st.one_of(
    st.sampled_from(
        ["Ann Lee", "Jean-Luc P. Picard", "tea", "Re: tea", "AW: Re: tea", "(12)", " (3) ", "4.5", "example.com",
         "a.b.", ".", "..", "", "of a few words", "Ünal Öz", "٣ items", "茶碗", "word " * 20, "word " * 60, "²"]
    ),
    st.text(max_size=5),
)  # fmt: skip
VALUES = st.one_of(
    st.none(),
    st.integers(-2, 9),
    st.booleans(),
    st.sampled_from([1.5, 2.0, 4.5, 5.0, 7.25, 1e300]),
    st.integers(1, 4).map(lambda number: Money(Decimal(number), "EUR")),
    st.integers(1, 4).map(lambda number: date(2024, 1, number)),
    st.integers(1, 4).map(lambda number: datetime(2024, 1, number, tzinfo=UTC)),
    st.integers(1, 4).map(lambda number: datetime(2024, 1, number)),
    TEXTS,
)
TYPES = ("text", "text", "text", "integer", "number", "money", "date", "datetime", "rating", "url")
ROLES = (
    "", "", "", "title", "description", "price", "old price", "shipping", "rating", "reviews", "number", "size", "date",
    "author", "brand", "category",
)  # fmt: skip
FLAGS = ("is_text", "in_heading", "in_link", "is_hidden", "is_profile", "is_moment", "is_said")


class Case(NamedTuple):
    """Columns for both, and what markup says of them."""

    native: list[Known]
    plain: list[plain_relations.Known]
    profiles: list[bool]
    moments: list[bool]

    def is_profile(self, number: int) -> bool:
        return self.profiles[number]

    def is_moment(self, number: int) -> bool:
        return self.moments[number]


def said_of(column: Known, wanted: plain_relations.Known) -> None:
    for name in (*FLAGS, "is_list", "role", "label"):
        setattr(column, name, getattr(wanted, name))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    records = draw(st.integers(1, 6))
    found, wanted = [], []
    for _ in range(draw(st.integers(0, 5))):
        is_list = draw(st.booleans()) and draw(st.booleans())
        cells: list[Any] = draw(
            st.lists(
                st.none() | (st.lists(TEXTS, max_size=3) if is_list else TEXTS), min_size=records, max_size=records
            )
        )
        texts = [text for cell in cells if cell is not None for text in (cell if is_list else [cell])]
        values = [] if is_list else draw(st.lists(VALUES, min_size=records, max_size=records))
        column = plain_relations.Known(texts, cells, values, draw(st.sampled_from(TYPES)), True, is_list)
        flags = draw(st.integers(0, 127))
        for number, name in enumerate(FLAGS):
            setattr(column, name, bool(flags >> number & 1))
        column.role = draw(st.sampled_from(ROLES))
        column.label = draw(st.sampled_from(["", "", "Joined", "Date"]))
        held = sum(map(bool, cells))
        found.append(Known(texts, values, column.type, records, held))
        said_of(found[-1], column)
        wanted.append(column)
    answers = st.lists(st.booleans(), min_size=len(found), max_size=len(found))
    return Case(found, wanted, draw(answers), draw(answers))


@settings(max_examples=3_000)
@given(case=cases(), are_posts=st.booleans())
def test_roles_by_relation(case: Case, are_posts: bool) -> None:
    assert native_relations.settle(case.native, are_posts, WORDS) == plain_relations.settle(case.plain, are_posts)


@settings(max_examples=3_000)
@given(case=cases())
def test_roles_of_posts(case: Case) -> None:
    found = native_posts.find_posts(case.native, case, WORDS)
    assert found == plain_posts.find_posts(case.plain, case)
    assert [(each.is_profile, each.is_moment) for each in case.native] == [
        (each.is_profile, each.is_moment) for each in case.plain
    ]


def test_texts_of_columns_are_strings() -> None:
    with pytest.raises(TypeError, match="strings"):
        Known([b"a"], [], "text", 1, 1)  # type: ignore[list-item]


# Tables


def check(table: Table) -> None:
    """The kernel names columns as its twin does, twice: what it remembers says the same."""
    wanted = plain.name_columns(table)
    assert table.names == wanted
    assert [dict(name.why) for name in table.names] == [dict(name.why) for name in wanted]
    assert Naming(WORDS, table, attributes_of(table.records.page)).names() == wanted
    naming = plain.Naming(table, *parts_of(table))
    native = Naming(Words(WORDS.given), table, attributes_of(table.records.page))
    for number in range(len(naming.columns)):
        assert native.is_profile(number) == naming.is_profile(number)
        assert native.is_moment(number) == naming.is_moment(number)


def parts_of(table: Table) -> Any:
    items = [item for item in table.shown.column_items if item is not None]
    nodes, records = table.records.nodes_at(plain.first_places(table, items))
    return plain.known_columns(table, nodes), items, nodes, records


MARKED = st.lists(
    st.tuples(
        st.sampled_from(["span", "div", "a", "h3", "time", "p", "i"]),
        st.sampled_from(
            ["", "class=price", "class='card title'", "class=card-subtitle", "itemprop=name",
             "itemprop=author itemscope=x", "class=mileage", "data-testid=seller-name", "class='userTitle'",
             "id=rating", "itemprop=' Fuel: '", "class=''", "href=/members/ann.1", "href=/x rel=author",
             "data-title=Price", "class=link", f"class='{'long ' * 99}brand'", "data-price=3", "title=hint",
             "datetime=2024-01-02"]
        ),
        st.sampled_from(
            ["{k} EUR", "Name {k}", "Ann Lee", "{k}.5", "{k} km", "Joined: {k} May 2024", "3 May {k}", "by Kim {k}",
             "Free shipping {k}", "words " * 20 + "{k}", "Fuel: x{k}", "$ {k}.00", "{k} reviews", "x", ""]
        ),
        st.booleans(),
    ),
    min_size=1,
    max_size=6,
)  # fmt: skip


@settings(max_examples=1_000)
@given(parts=MARKED, around=st.sampled_from(["div", "li", "td", "section itemprop=brand", "a href=/t/{k}"]))
def test_what_markup_says(parts: list[tuple[str, str, str, bool]], around: str) -> None:
    def record(k: int) -> str:
        inner = ""
        for tag, said, text, is_around in reversed(parts):
            inner = f"<{tag} {said}>{text}{inner}</{tag}>" if is_around else f"<{tag} {said}>{text}</{tag}>{inner}"
        return f"<{around}>{inner}</{around.split()[0]}>".replace("{k}", str(k))

    source = "".join(map(record, range(2, 6)))
    page = Page(f"<table><tr>{source}</table>" if around == "td" else f"<main>{source}</main>")
    spans = np.array([span for span in first_children(page).tolist() if span[0] < span[1]]).reshape(-1, 2)
    for choose in (True, False):
        if len(spans):
            check(learn(page, spans, choose=choose))


@settings(max_examples=1_000)
@given(st.integers(0, 2**40))
def test_random_lists(seed: int) -> None:
    page = Page(random_list(random.Random(seed)))
    for choose in (True, False):
        check(learn(page, first_children(page), choose=choose))


@settings(max_examples=300)
@given(parts=st.lists(st.one_of(record_parts, html), min_size=1, max_size=9))
def test_random_pages(parts: list[str]) -> None:
    page = Page("<section>" + "".join(f"<div data-id={k}>{part}</div>" for k, part in enumerate(parts)) + "</section>")
    check(learn(page, first_children(page), choose=True))


@pytest.mark.parametrize("forum", [threads.table_forum, threads.box_forum, threads.questions, threads.nested])
def test_threads(forum: Any) -> None:
    page = Page(forum(threads.posts()))
    for region in regions.find(page, "auto", {}).regions:
        check(learn(page, region.records, choose=True))


def test_example_pages(example: bytes) -> None:
    page = Page(example)
    for region in regions.find(page, "auto", {}).regions:
        for choose in (True, False):
            check(learn(page, region.records, choose=choose))


@pytest.mark.corpus
def test_real_pages(corpus: list[Path]) -> None:
    for path in random.Random(1).sample(corpus, min(len(corpus), 60)):
        page = Page(path.read_bytes())
        for region in regions.find(page, "auto", {}).regions[:5]:
            check(learn(page, region.records, choose=True))


def test_what_is_refused() -> None:
    page = Page("<ul><li>a<li>b</ul>")
    table = learn(page, first_children(page))
    with pytest.raises(ValueError, match="attributes that name"):
        Naming(WORDS, table, [])
    with pytest.raises(ValueError, match="attributes that name"):
        Naming(WORDS, table, [1] * 17)


def test_what_is_remembered_is_bounded() -> None:
    words = Words(WORDS.given)
    for number in range(9):
        source = "".join(
            f"<li><i class='c{number}-{k} title{k}'>a{k}</i> <b class=d{number}-{k}>1{k}</b>" for k in range(1_000)
        )
        page = Page(f"<ul>{source}</ul>")
        check_table = learn(page, first_children(page))
        assert Naming(words, check_table, attributes_of(page)).names()
