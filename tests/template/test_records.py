"""Records of pages about one thing: what was put into pages of made-up sites is read again on pages never seen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import FastwrapError, Record, Wrapper
from fastwrap.limits import LIMITS
from tests.helpers.detail_sites import Site


def flat(cell: Any) -> list[str]:
    """The strings of a cell, one by one."""
    if isinstance(cell, list):
        return [text for each in cell for text in flat(each)]
    return [] if cell is None else [cell]


def record_of(wrapper: Wrapper, html: str) -> Record:
    """The record that a wrapper reads."""
    record = wrapper.extract(html).record
    assert record is not None
    return record


def best_column(rows: list[list[Any]], wanted: list[Any]) -> int:
    """The column that has what was put in most often."""
    return max(range(len(rows[0])), key=lambda k: sum(row[k] == want for row, want in zip(rows, wanted, strict=True)))


def learned(site: Site, count: int) -> tuple[Wrapper, set[str]]:
    """The wrapper of some pages, and the names of what they have."""
    pages = [site.page(number) for number in range(count)]
    wrapper = Wrapper.loads(fastwrap.learn([page.html for page in pages]).dumps())
    return wrapper, {name for page in pages for name in page.fields}


def test_what_was_put_in_is_read() -> None:
    """On pages that were never seen, each value is in the column of its name, whatever rows come and go."""
    for seed in range(40):
        site = Site(1_000 + seed)
        wrapper, seen = learned(site, 3)
        pages = [site.page(number) for number in range(50, 56)]
        rows = [record_of(wrapper, page.html).texts[:40] for page in pages]
        for name in seen:
            wanted = [page.fields.get(name) for page in pages]
            column = best_column(rows, wanted)
            assert [row[column] for row in rows] == wanted, (seed, site.layout, name)


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_two_pages_suffice(seed: int) -> None:
    site = Site(seed)
    wrapper, seen = learned(site, 2)
    pages = [site.page(number) for number in range(50, 54)]
    rows = [record_of(wrapper, page.html).texts[:40] for page in pages]
    right = sum(
        row[best_column(rows, [page.fields.get(name) for page in pages])] == page.fields.get(name)
        for name in seen
        for page, row in zip(pages, rows, strict=True)
    )
    assert right >= 0.9 * len(seen) * len(pages)


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_labels_never_seen_are_extra(seed: int) -> None:
    """They are there with their values, and those of the known labels stay where they were."""
    site = Site(seed)
    wrapper, seen = learned(site, 3)
    page = site.page(70, unknown=True)
    record = record_of(wrapper, page.html)
    assert {label: record.extra.get(label) for label in page.unknown} == page.unknown
    values = {text for cell in record.texts for text in flat(cell)}
    assert {page.fields[name] for name in seen if name in page.fields} <= values


def test_lists_are_nested() -> None:
    def page(name: str, reviews: list[tuple[str, str]]) -> str:
        some = "".join(f"<div class=review><b>{who}</b><p>{said}</p></div>" for who, said in reviews)
        return f"<title>{name}</title><h1>{name}</h1><div id=reviews>{some}</div>"

    wrapper = fastwrap.learn(
        [page("Lamp", [("Ann", "fine"), ("Bob", "bad")]), page("Chair", [("Cy", "good")]), page("Bed", [])]
    )
    assert "{<" in repr(wrapper.schema)
    record = record_of(wrapper, page("Desk", [("Di", "so so"), ("Ed", "ok"), ("Flo", "great")]))
    (rows,) = (cell for cell in record.texts if isinstance(cell, list))
    assert rows == [["Di", "so so"], ["Ed", "ok"], ["Flo", "great"]]


def shop(name: str, **pairs: str) -> str:
    rows = "".join(f"<tr><td>{label}</td><td>{value}</td></tr>" for label, value in pairs.items())
    return (
        f"<title>{name} - shop</title><ul id=menu><li><a href=/a>Home</a><li><a href=/b>Help</a></ul><h1>{name}</h1>"
        f"<p>Published by {name[0]}. House</p><table>{rows}</table><button>Add to cart</button>"
        "<p id=footer>All rights</p>"
    )


SHOP = [shop("Lamp", Weight="3 kg", Color="red"), shop("Bed", Weight="3 kg", Color="blue"), shop("Desk", Weight="3 kg")]


def test_an_equal_value_is_a_column_and_a_button_is_none() -> None:
    wrapper = fastwrap.learn(SHOP)
    record = record_of(wrapper, shop("Sofa", Color="grey", Weight="44 kg", Depth="2 m"))
    assert dict(zip(record.keys(), record.texts, strict=True))["Weight"] == "44 kg"
    assert record["title"] == "Sofa"
    assert record["Color"] == "grey"
    assert record.extra == {"Depth": "2 m"}
    assert "S. House" in record.texts
    texts = [text for cell in record.texts for text in flat(cell)]
    assert not {"Add to cart", "Home", "Help", "All rights", "Weight"} & set(texts)


def test_pages_that_are_the_same_count_once() -> None:
    assert fastwrap.learn([SHOP[0], SHOP[0]]).detail is None
    detail = fastwrap.learn([SHOP[0], SHOP[0], SHOP[1]]).detail
    assert detail is not None
    assert detail.pages == 2


def test_the_kind_can_be_said() -> None:
    assert fastwrap.learn(SHOP, kind="list").detail is None
    detail = fastwrap.learn(SHOP, kind="detail")
    assert detail.kind == "detail"
    assert detail.patterns == ()
    assert "columns" in repr(detail)
    with pytest.raises(FastwrapError, match="kind"):
        fastwrap.learn(SHOP, kind="page")


def test_a_sure_list_alone_has_no_record() -> None:
    def listing(first: int) -> str:
        items = "".join(
            f"<li><a href=/{k}><b>Thing {k}</b></a> <i>{k}.50 EUR</i> <p>Some words about {k}</p></li>"
            for k in range(first, first + 20)
        )
        return f"<ul>{items}</ul>"

    wrapper = fastwrap.learn([listing(0), listing(100)])
    assert wrapper.kind == "list"
    assert wrapper.detail is None
    assert wrapper.schema is None


def test_files_have_the_record() -> None:
    wrapper = fastwrap.learn(SHOP)
    again = Wrapper.loads(wrapper.dumps())
    assert again.dumps() == wrapper.dumps()
    assert repr(again.schema) == repr(wrapper.schema)
    assert again.kind == wrapper.kind
    page = shop("Sofa", Color="grey")
    assert record_of(again, page).texts == record_of(wrapper, page).texts
    assert again.schema is not None
    assert again.schema.to_json() == json.loads(json.dumps(again.schema.to_json()))
    assert set(again.schema.names) == {column.name for column in again.detail.columns} if again.detail else False


def test_fit_and_drift() -> None:
    wrapper = fastwrap.learn(SHOP, kind="detail")
    good = wrapper.check(shop("Sofa", Weight="9 kg"))
    assert good.fit > 0.8
    assert not good.alarm
    assert not good.troubles
    other = wrapper.check("<h2>Something</h2><div><div>else</div></div>")
    assert other.alarm
    assert wrapper.extract("<p>nothing").fit < 0.5
    lost = wrapper.check(shop("Sofa"))
    assert [(column.name, column.state) for column in lost.troubles] == [("Weight", "emptied")]


def test_a_set_chooses_by_the_record() -> None:
    lamps = fastwrap.learn(SHOP, kind="detail")
    wrappers = fastwrap.WrapperSet([fastwrap.learn([Site(3).page(k).html for k in range(2)], kind="detail"), lamps])
    assert wrappers.choose(shop("Sofa", Weight="4 kg")) is lamps
    assert wrappers.choose("<p>something else") is None


def test_paths_select_what_is_read() -> None:
    selectolax = pytest.importorskip("selectolax.lexbor")
    wrapper = fastwrap.learn(SHOP, kind="detail")
    page = shop("Sofa", Weight="9 kg", Color="grey")
    css = wrapper.to_css(page)
    tree = selectolax.LexborHTMLParser(page)
    assert tree.css_first(css["columns"]["Weight"].removesuffix("::text")).text() == "9 kg"
    assert wrapper.to_xpath(page)["columns"]["title"].startswith("/html/body/h1")
    with pytest.raises(FastwrapError, match="give it"):
        wrapper.to_css()


def test_hostile_pages_end_with_their_limit_told() -> None:
    many = ["<div>" + f"<p>{k}</p><i>x</i>" * 50_000 for k in range(2)]
    wrapper = fastwrap.learn(many, kind="detail")
    assert set(wrapper.limits) <= set(LIMITS)
    deep = ["<div>" * 400 + str(k) for k in range(2)]
    assert fastwrap.learn(deep, kind="detail").detail is not None
    different = ["".join(f"<p class=c{chr(97 + k % 26)}{word}>{k}</p>" for k in range(3_000)) for word in "abc"]
    assert set(fastwrap.learn(different, kind="detail").limits) <= set(LIMITS)


def test_a_list_of_related_things_is_not_what_pages_about_one_thing_exist_for() -> None:
    related = "".join(f"<li><a href=/{k}><b>Thing no. {k}</b></a> <i>{k}.90 EUR</i></li>" for k in range(9))
    pages = [Site(7).page(number).html + f"<h2>Related items</h2><ul>{related}</ul>" for number in range(3)]
    wrapper = fastwrap.learn(pages)
    assert wrapper.kind == "detail"
    assert wrapper.extract(pages[0]).kind == "detail"
    assert Wrapper.loads(wrapper.dumps()).kind == "detail"
