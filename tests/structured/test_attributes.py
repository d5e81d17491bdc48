"""Attributes that hold data: the kernel against its twin, microdata, RDFa Lite, and JSON in attributes."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import Page, structured
from fastwrap._core.structured import attributes as kernel
from fastwrap.page.names import ATTRIBUTE_NUMBER, CUSTOM
from fastwrap.structured import microdata
from fastwrap.structured.things import Thing
from tests.reference.structured import attributes as plain

NAMES = ["itemscope", "itemprop", "typeof", "property", "class", "data-x", "x-y", "id"]
VALUES = ["", "{", "[", '{"a": 1}', "[1, 2, 3]", "name", "a b", " {}"]
ELEMENTS = st.builds(
    "<{} {}={}>{}".format,
    st.sampled_from(["p", "div", "b", "/div"]),
    st.sampled_from(NAMES),
    st.sampled_from(VALUES).map(lambda value: f'"{escape(value)}"'),
    st.sampled_from(["", "text"]),
)


@given(st.lists(ELEMENTS, max_size=20).map("".join), st.sampled_from(NAMES), st.integers(0, 9))
def test_both_find_the_same(html: str, name: str, least: int) -> None:
    page = Page(html)
    one, other = (microdata.number_on(page, each) for each in (name, "itemscope"))
    assert kernel.with_names(page.native, one, other) == plain.with_names(page, one, other)
    assert kernel.with_json(page.native, CUSTOM, least) == plain.with_json(page, CUSTOM, least)
    assert kernel.has_data(page.native, one, other, CUSTOM, least) == plain.has_data(page, one, other, CUSTOM, least)


def test_numbers_of_names() -> None:
    page = Page("<p typeof=a itemscope>")
    assert microdata.number_on(page, "itemscope") == ATTRIBUTE_NUMBER["itemscope"]
    assert page.custom_names[microdata.number_on(page, "typeof")] == "typeof"
    assert microdata.number_on(Page("<p>"), "typeof") >= CUSTOM


# Microdata: values by the element, as the HTML standard has them.


def only(html: str) -> Thing:
    [thing] = structured.read(Page(html)).things
    return thing


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("<b itemprop=x> some  <i>text</i></b>", "some text"),
        ("<meta itemprop=x content=7>", "7"),
        ("<a itemprop=x href=/a>text</a>", "/a"),
        ("<link itemprop=x href=/a>", "/a"),
        ("<img itemprop=x src=a.png alt=no>", "a.png"),
        ("<img itemprop=x data-src=b.png>", "b.png"),
        ("<object itemprop=x data=o.svg></object>", "o.svg"),
        ("<data itemprop=x value=3>three</data>", "3"),
        ("<meter itemprop=x value=4></meter>", "4"),
        ("<time itemprop=x datetime=2024-05-03>May</time>", "2024-05-03"),
        ("<time itemprop=x>2024</time>", "2024"),
        ("<span itemprop=x content=12.50>12,50</span>", "12.50"),
        ("<a itemprop=x>no link</a>", "no link"),
    ],
)
def test_values_of_properties(element: str, value: str) -> None:
    assert only(f"<div itemscope itemtype='https://schema.org/Thing'>{element}</div>").properties == {"x": [value]}


def test_items_within_items() -> None:
    thing = only(
        "<div itemscope itemtype='http://schema.org/Product' itemid=p1><b itemprop='name alternateName'>Tea</b>"
        "<p itemprop=offers itemscope itemtype='http://schema.org/Offer'><i itemprop=price>2</i></p>"
        "<i itemprop=sku>7</i></div>"
    )
    assert (thing.types, thing.source, thing.node) == (("Product",), "microdata", 3)
    assert thing.text("@id") == "p1"
    assert list(thing.properties) == ["@id", "name", "alternateName", "offers", "sku"]
    assert thing.first("offers").properties == {"price": ["2"]}


def test_references_to_elsewhere() -> None:
    thing = only(
        "<div itemscope itemref='a missing c'><b itemprop=name>Tea</b></div>"
        "<p id=a><i itemprop=price>2</i></p><p id=c itemprop=offers itemscope><i itemprop=sku>7</i></p>"
    )
    assert thing.text("name") == "Tea"
    assert thing.text("price") == "2"
    assert thing.first("offers").properties == {"sku": ["7"]}


def test_references_in_a_circle_end() -> None:
    html = "<div itemscope itemref=a></div><div id=a itemprop=x itemscope itemref=b></div>"
    assert structured.read(Page(html + "<div id=b itemprop=y itemscope itemref=a></div>")).things


def test_too_many_references_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(microdata, "MOST_REFERENCES", 3)
    data = structured.read(Page("<div itemscope itemref='a a a a'></div><p id=a itemprop=x>1"))
    assert data.things[0].properties == {"x": ["1"] * 3}
    assert data.limits == ("structured.things",)


def test_too_many_properties_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(microdata, "MOST_PROPERTIES", 3)
    data = structured.read(Page("<div itemscope>" + "<b itemprop=x>1</b>" * 5))
    assert len(data.things[0].properties["x"]) == 3
    assert data.limits == ("structured.things",)


def test_rdfa_lite() -> None:
    thing = only(
        '<div vocab="https://schema.org/" typeof="schema:Person" resource="#ann"><b property="schema:name">Ann</b>'
        "<a property=url href=/ann>x</a><p property=address typeof=PostalAddress>"
        "<i property=streetAddress>Lane 1</i></p>"
        "<span property=birthDate content=1990-01-02>long ago</span></div>"
    )
    assert (thing.types, thing.source, thing.text("@id")) == (("Person",), "rdfa", "#ann")
    assert thing.text("name") == "Ann"
    assert thing.text("birthDate") == "1990-01-02"
    assert thing.first("address").properties == {"streetAddress": ["Lane 1"]}


def test_open_graph_alone_is_no_rdfa() -> None:
    data = structured.read(Page('<meta property="og:title" content="Tea"><meta property="og:title" content="Milk">'))
    assert data.things == []
    assert data.meta == {"og:title": ["Tea", "Milk"]}


# JSON in attributes


def products(count: int) -> list[dict[str, Any]]:
    return [{"id": k, "name": f"Tea number {k}", "price": k + 0.5, "in": {"stock": k % 2 == 0}} for k in range(count)]


def test_json_in_attributes_of_cards() -> None:
    cards = "".join(f"<li data-item='{escape(json.dumps(each))}'>x</li>" for each in products(5))
    [array] = structured.read(Page(f"<ul>{cards}</ul>")).arrays
    assert (array.source, array.path, array.objects) == ("attribute", "data-item", products(5))
    assert array.nodes == sorted(array.nodes)


def test_an_array_in_one_attribute() -> None:
    [array] = structured.read(Page(f"<div data-state='{escape(json.dumps({'items': products(4)}))}'></div>")).arrays
    assert (array.path, array.objects, array.nodes) == ("data-state.items", products(4), [])


@pytest.mark.parametrize("value", ["{{ template }} and more, so that it is long enough", "[data-x] " * 9, "{" * 99])
def test_what_only_looks_like_json(value: str) -> None:
    assert structured.read(Page(f'<p data-x="{escape(value)}">')).arrays == []
