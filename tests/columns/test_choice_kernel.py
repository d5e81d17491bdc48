"""The choice of columns: the kernel against its plain twin, on random lists and on pages, and choices we know."""

from __future__ import annotations

import random
from html import escape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page, regions
from fastwrap._core.columns import learning
from fastwrap._core.columns.presenting import Presenter
from fastwrap.columns.records import BUDGET, CHOICE_TRAITS, ITEMS, KINDS, NUMBERS, Cell, Learned, Output, Records
from fastwrap.limits import LIMITS
from tests.helpers import columns as helpers
from tests.helpers.choosing import random_list
from tests.helpers.columns import children_of, first_children, plainly, record_parts
from tests.reference.columns import choice as plain
from tests.reference.columns import learning as plain_learning
from tests.reference.html import html

OPTIONS = helpers.OPTIONS._replace(
    attributes=NUMBERS, first_data=len(ITEMS), alternative=ITEMS.index("alt"), choose=True
)


def twin_of(learned: Learned) -> tuple[list[Output], bytes]:
    """The choice of the twin among what was learned without one."""
    outputs, left_out = plain.chosen(learned, len(KINDS) + len(learned.data) + 1, len(ITEMS), CHOICE_TRAITS.tolist())
    return [(*output,) for output in outputs], left_out


def check(records: Records) -> Learned:
    """The kernel chooses what its twin does, and reads all that is of use for it, and nothing else."""
    whole, learned = records.learn(BUDGET), records.learn(BUDGET, choose=True)
    assert whole.choice is None
    assert learned.choice == twin_of(whole)
    assert plainly(learned[:3]) == plainly(whole[:3])
    assert learned.limits == whole.limits
    outputs, left_out = learned.choice
    assert len(left_out) == whole.places.shape[1]
    used = {item for output in outputs for items in (*output[4], output[5]) for item in (*items, output[2])}
    assert learned.split == [(item, ways) for item, ways in whole.split if item in used]
    for row, all_cells in zip(learned.rows, whole.rows, strict=True):
        assert row == [cell if item in used else None for item, cell in enumerate(all_cells)]
    made = Presenter(outputs).rows(learned.rows)
    assert made == Presenter(outputs).rows(whole.rows)
    assert made == plain.present(whole.rows, [plain.Output(*output) for output in outputs])
    return learned


def chosen(source: str) -> tuple[list[Output], list[list[Cell]]]:
    """The columns of the children of the page's first element, and their rows."""
    page = Page(source)
    learned = check(Records(page, children_of(page, page.body + 1)))
    assert learned.choice is not None
    return learned.choice[0], Presenter(learned.choice[0]).rows(learned.rows)


def in_list(*records: str) -> str:
    return "<ul>" + "".join(f"<li>{record}</li>" for record in records) + "</ul>"


def rows(*records: str) -> list[list[Cell]]:
    return chosen(in_list(*records))[1]


# Against the twin


@settings(max_examples=3_000)
@given(st.integers(0, 2**40))
def test_random_lists(seed: int) -> None:
    page = Page(random_list(random.Random(seed)))
    check(Records(page, first_children(page)))


@settings(max_examples=600)
@given(parts=st.lists(st.one_of(record_parts, html), min_size=1, max_size=9))
def test_random_pages(parts: list[str]) -> None:
    page = Page("<section>" + "".join(f"<div data-id={k}>{part}</div>" for k, part in enumerate(parts)) + "</section>")
    spans = first_children(page)
    found, wanted = (
        module.learn(page.native, spans, page.custom_names, OPTIONS) for module in (learning, plain_learning)
    )
    assert plainly(tuple(found)) == plainly(tuple(wanted))


@settings(max_examples=1_500)
@given(
    st.lists(
        st.one_of(
            st.text("0123456789.,:/-%$€£¥￥ ()+kmKM@ajnEURuspt日é★😀'\"{}[]\n", min_size=1, max_size=14),
            st.sampled_from(
                ["http://a", "HTTPS://a", "www.a", "wWw.1", "1 kr", "2 Krs", "RS 5", "12 jan", "january", "31 Maio",
                 "1.234 words and", "(1,5k+) two", "1m x", "1 2 3 4", "a" * 59 + "1", "a" * 60 + "1", "5% " + "a" * 40,
                 "１２", "①", "\u200b", "mai1", "x" * 12 + "$1", "x" * 13 + "$1", "12:30 " + "y" * 14,
                 "1-2-3" + "z" * 36]
            ),
        ),
        min_size=1,
        max_size=8,
    )
)  # fmt: skip
def test_shapes(texts: list[str]) -> None:
    page = Page(in_list("".join(f"<p>{escape(text)}</p>" for text in texts)))
    check(Records(page, first_children(page)))


def test_example_pages(example: bytes) -> None:
    page = Page(example)
    for region in regions.find(page, "auto", {}).regions:
        check(Records(page, region.records))


@pytest.mark.corpus
def test_real_pages(corpus: list[Path]) -> None:
    for path in random.Random(0).sample(corpus, min(len(corpus), 60)):
        page = Page(path.read_bytes())
        for region in regions.find(page, "auto", {}).regions[:3]:
            check(Records(page, region.records))


cells = st.one_of(
    st.none(),
    st.sampled_from(
        ["a", "b c", "", "data:x", "/i.jpg", "/i.jpg 1x, /j.jpg 2x", "/i.jpg, /j.jpg", "my photo.jpg", " /a  300w",
         ", ,", "/a 1.5x,/b 2x", "/a wx", "/a ²x"]
    ),
    st.lists(st.sampled_from(["d", "e f", None, ""]), max_size=3),
)  # fmt: skip
some_items = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple)
some_outputs = st.tuples(
    st.integers(0, 4),
    st.integers(0, 4),
    st.just(-1),
    st.integers(0, 9),
    st.lists(some_items, min_size=1, max_size=3).map(tuple),
    st.one_of(st.just(()), some_items),
)


@settings(max_examples=1_500)
@given(table=st.lists(st.lists(cells, min_size=4, max_size=4), max_size=4), outputs=st.lists(some_outputs, max_size=4))
def test_rows_of_columns(table: list[list[Any]], outputs: list[Output]) -> None:
    assert Presenter(outputs).rows(table) == plain.present(table, [plain.Output(*output) for output in outputs])


@pytest.mark.parametrize(
    ("sources", "where", "message"),
    [
        (((2,),), (), "no such item"),
        (((-1,),), (), "no such item"),
        (((0,),), (2,), "no such item"),
        ((), (), "source"),
    ],
)
def test_columns_that_are_refused(sources: Any, where: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Presenter([(0, 0, -1, 1, sources, where)]).rows([["a", "b"]])


# Choices that are known


def test_texts_that_say_nothing_are_left_out() -> None:
    page = Page(in_list(*(f"<b>{name}</b> <i>|</i> <u>♡</u> <button>Buy now</button>" for name in "abcdef")))
    learned = check(Records(page, first_children(page)))
    assert learned.choice is not None
    assert [output[4] for output in learned.choice[0]] == [((0,),)]
    assert list(learned.choice[1]) == [plain.SHOWN, plain.NO_WORDS, plain.NO_WORDS, plain.ACTION_TEXT]
    assert learned.rows[0] == ["a", None, None, None]


def test_a_label_names_the_next_column() -> None:
    outputs, made = chosen(in_list(*(f"<b>{name}</b><i>Size:</i><u>{k} m</u>" for k, name in enumerate("abcd"))))
    assert [output[2] for output in outputs] == [-1, 1]
    assert made[1] == ["b", "1 m"]


def test_a_cut_text_is_joined() -> None:
    assert rows(*(f"<p>The {a} pan <b>of</b> iron, {a} {a}</p>" for a in ("old", "new", "red", "big"))) == [
        [f"The {a} pan of iron, {a} {a}"] for a in ("old", "new", "red", "big")
    ]


def test_lines_of_words_are_one_text() -> None:
    words = ("north", "south", "east", "west")
    assert rows(*(f"<p>{a} side<br>of the {a} hill</p>" for a in words)) == [
        [f"{a} side of the {a} hill"] for a in words
    ]


def test_an_amount_and_its_sign_are_one_text() -> None:
    assert rows(*(f"<b>thing {k}</b><p><i>{k}.50</i><u>€</u></p>" for k in range(1, 5)))[0] == ["thing 1", "1.50 €"]


def test_the_smaller_of_two_amounts_is_the_price() -> None:
    records = [f"<b>thing {k}</b><div>{f'<i>${k}0.00</i>' if k % 2 else ''}<u>${k}5.00</u></div>" for k in range(1, 9)]
    outputs, made = chosen(in_list(*records))
    assert [(output[0], output[1]) for output in outputs] == [
        (plain.TAKE, plain.NO_RELATION),
        (plain.FIRST, plain.PRICE),
        (plain.REST, plain.OLD_PRICE),
    ]
    assert made[:2] == [["thing 1", "$10.00", "$15.00"], ["thing 2", "$25.00", None]]


def test_one_link_and_the_real_picture() -> None:
    records = [
        f"<a href=/p/{k}><img src='data:image/gif;base64,R0' data-src=/i/{k}.jpg></a><a href=/p/{k}>thing {k}</a>"
        f"<a href=/all>all things</a>"
        for k in range(6)
    ]
    outputs, made = chosen(in_list(*records))
    assert [output[1] for output in outputs] == [plain.PICTURE, plain.LINK, plain.NO_RELATION]
    assert made[3] == ["/i/3.jpg", "/p/3", "thing 3"]


def test_copies_are_shown_once() -> None:
    names = ("Copper pan", "Iron pot", "Tin cup", "Glass jar")
    assert rows(*(f"<h3>{a}</h3><p>{a.upper()}!</p><img alt='{a} 5' src=/{k}>" for k, a in enumerate(names))) == [
        [a, f"/{k}"] for k, a in enumerate(names)
    ]


def test_records_of_different_shape_have_the_same_columns() -> None:
    records = [
        f"<{tag}><p class=name><b class=n>thing {k} of iron</b></p></{tag}>"
        for k, tag in enumerate(["section", "div", "div"] * 3)
    ]
    outputs, made = chosen(in_list(*records))
    assert [output[0] for output in outputs] == [plain.FIRST]
    assert made == [[f"thing {k} of iron"] for k in range(9)]


def test_like_siblings_are_a_list() -> None:
    tags = [("wool", "blue", "new"), ("silk", "wool", "blue"), ("blue", "new", "silk"), ("new", "silk", "wool")]
    records = [f"<b>thing {k}</b>" + "".join(f"<em class=t>{tag}</em>" for tag in own) for k, own in enumerate(tags)]
    outputs, made = chosen(in_list(*records))
    assert [output[0] for output in outputs] == [plain.TAKE, plain.LIST]
    assert [row[1] for row in made] == [list(own) for own in tags]


# Limits


def test_a_table_that_is_too_large_is_shown_as_it_is() -> None:
    page = Page("<ul>" + "".join("<li>" + f"<b>{k}</b><i>x</i>" * 500 for k in range(2_100)) + "</ul>")
    records = Records(page, first_children(page))
    learned = records.learn(BUDGET, choose=True)
    assert learned.choice is None
    assert "columns.choice" in learned.limits
    assert "columns.choice" in LIMITS
    assert learned.rows == records.learn(BUDGET).rows


def test_deep_and_wide_records_take_no_time() -> None:
    for inner in (
        "<b>word and {}" * 300,
        "<span>" * 400 + "<u>{}</u><u>and</u>" * 300,
        "a{}<br>" * 900,
        "<p>$ {}0</p>" * 900,
    ):
        page = Page(in_list(*(inner.replace("{}", str(k)) for k in range(20))))
        Records(page, first_children(page)).learn(BUDGET, choose=True)
