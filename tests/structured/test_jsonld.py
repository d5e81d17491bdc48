"""JSON-LD: the types and the listed items of pages, whatever stands in their scripts."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page, extract, structured
from fastwrap._core.structured.listed import sorted_hashes
from fastwrap.limits import LIMITS
from fastwrap.regions import auto
from fastwrap.structured import jsonld


def page_of(*data: Any) -> Page:
    """A page with each of these as JSON-LD; a string is taken as it stands."""
    texts = [one if isinstance(one, str) else json.dumps(one) for one in data]
    return Page("".join(f'<script type="application/ld+json">{text}</script>' for text in texts) + "<p>Text</p>")


def lists_nothing(page: Page) -> bool:
    hashes, limits = structured.listed(page)
    return len(hashes) == 0 and limits == ()


def expected(names: list[str], addresses: list[str]) -> list[int]:
    return sorted_hashes([name.encode() for name in names], [address.encode() for address in addresses])


def items_of(*names: str) -> list[dict[str, str]]:
    return [{"@type": "ListItem", "name": name, "url": f"/{name}"} for name in names]


# Types


@pytest.mark.parametrize(
    ("data", "types"),
    [
        ({"@type": "Recipe"}, {"Recipe": 1}),
        ({"@type": "http://schema.org/Recipe"}, {"Recipe": 1}),
        ({"@type": "schema:Recipe"}, {"Recipe": 1}),
        ({"@type": ["Recipe", "Thing"]}, {"Recipe": 1}),
        ('{ "@type" : [ "Recipe" ] }', {"Recipe": 1}),
        ({"@type": "Recipe", "author": {"@type": "Person"}, "review": [{"@type": "Review"}] * 2},
         {"Recipe": 1, "Person": 1, "Review": 2}),
        ('{"@type": "Recipe", "name": "cut o', {"Recipe": 1}),
        ({"@type": ""}, {}),
        ({"@type": 1}, {}),
        ({"type": "Recipe"}, {}),
        ("", {}),
        ('"@type"', {}),
    ],
)  # fmt: skip
def test_types(data: Any, types: dict[str, int]) -> None:
    assert structured.types(page_of(data)) == types


def test_types_of_all_scripts_are_counted() -> None:
    assert structured.types(page_of({"@type": "Book"}, "no data", {"@type": "Book"})) == {"Book": 2}


def test_a_type_does_not_reach_over_the_end_of_its_script() -> None:
    assert structured.types(page_of('{"@type"', ':"Book"}')) == {}


def test_scripts_of_the_page_are_no_data() -> None:
    page = Page('<script>x = {"@type": "Book"}</script><p title=\'"@type": "Book"\'>"@type": "Book"</p>')
    assert structured.types(page) == {}
    assert lists_nothing(page)


# Listed items


@pytest.mark.parametrize(
    "data",
    [
        {"@type": "ItemList", "itemListElement": items_of("tea", "milk")},
        {"@type": "ItemList", "itemListElement": [{"item": item} for item in items_of("tea", "milk")]},
        {"@type": "CollectionPage", "mainEntity": {"itemListElement": items_of("tea", "milk"), "@type": "ItemList"}},
        {"@graph": [{"@type": "WebSite"}, {"@type": ["ItemList"], "itemListElement": items_of("tea", "milk")}]},
        [{"@type": "Book", "headline": name, "@id": f"https://x.example/{name}/"} for name in ("tea", "milk", "tea")],
    ],
)  # fmt: skip
def test_items_are_listed(data: Any) -> None:
    assert structured.listed(page_of(data)).hashes.tolist() == expected(["tea", "milk"], ["/tea", "/milk"])


def test_an_item_may_be_an_address() -> None:
    data = {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "position": 1, "item": "/tea"}]}
    assert structured.listed(page_of(data)).hashes.tolist() == expected([], ["/tea"])


def test_white_space_of_names_is_that_of_texts() -> None:
    data = {"@type": "ItemList", "itemListElement": [{"name": " Green\n\u00a0tea "}]}
    assert structured.listed(page_of(data)).hashes.tolist() == expected(["Green tea"], [])


@pytest.mark.parametrize("kind", ["BreadcrumbList", "https://schema.org/BreadcrumbList", ["BreadcrumbList"]])
def test_a_trail_is_no_list(kind: Any) -> None:
    data = {"@type": kind, "itemListElement": items_of("shop", "tea", "green", "leaves")}
    assert lists_nothing(page_of(data))
    assert lists_nothing(page_of({"@graph": [data, {"@type": "WebPage", "breadcrumb": data}]}))


@pytest.mark.parametrize(
    "data",
    [
        {"@type": "Product", "name": "Tea", "url": "/tea"},
        [{"@type": "Product", "name": "Tea"}, {"@type": "Product", "name": "Milk"}],
        [{"@type": "WebSite", "name": "Shop"}, {"@type": "WebPage", "name": "Tea"}, {"@type": "Person", "name": "Ann"}],
        [{"@type": "Thing"}, {"name": "one"}, {"name": "two"}, {"name": "three"}],
        {"@type": "ItemList", "itemListElement": []},
        {"@type": "ItemList", "itemListElement": None},
        {"@type": "ItemList", "itemListElement": {"name": "Tea"}},
        {"@type": "ItemList", "itemListElement": [None, 1, "Tea", [], {"name": None, "url": 1, "item": [1]}]},
        {"@type": "ItemList", "itemListElement": [{"name": "1", "url": ""}]},
        [{"@type": "SiteNavigationElement", "name": name, "url": f"/{name}"} for name in ("Home", "Shop", "Help")],
    ],
)  # fmt: skip
def test_what_is_no_list(data: Any) -> None:
    assert lists_nothing(page_of(data))


@pytest.mark.parametrize(
    "broken",
    ["", "{", "[1, 2", '{"@type": "ItemList", "itemListElement": [}', "<!-- x -->", "\x00", "\\ud800", "NaN",
     '"@type" "@type" "@type"', '{"@type": "A", "itemListElement": ' + "9" * 5000 + "}"],
)  # fmt: skip
def test_what_is_no_json_is_passed_over(broken: str) -> None:
    good = {"@type": "ItemList", "itemListElement": items_of("tea")}
    assert lists_nothing(page_of(broken))
    assert structured.listed(page_of(broken, good)).hashes.tolist() == expected(["tea"], ["/tea"])


@pytest.mark.parametrize("opening", ["[", '{"@type":', '{"itemListElement":['])
def test_deep_nesting_is_passed_over(opening: str) -> None:
    closing = "".join({"[": "]", "{": "}"}.get(letter, "") for letter in reversed(opening))
    for depth in (50, 40_000):
        text = '"@type" "@type" "itemListElement"' + opening * depth
        assert lists_nothing(page_of(text))
        assert structured.listed(page_of(opening * depth + "1" + closing * depth)).hashes.tolist() == []


def test_lists_are_read_however_deep_they_stand_in_moderate_data() -> None:
    data: Any = {"@type": "ItemList", "itemListElement": items_of("tea")}
    for _ in range(100):
        data = [{"@type": "Thing", "about": data}]
    assert structured.listed(page_of(data)).hashes.tolist() == expected(["tea"], ["/tea"])


# Limits

LONG = {"@type": "ItemList", "itemListElement": items_of(*map(str, range(10, 400)))}


def test_too_much_json_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = structured.listed(page_of(LONG, LONG))
    assert len(found.hashes) == 780
    assert found.limits == ()
    size = len(json.dumps(LONG))
    monkeypatch.setattr(jsonld, "MOST_BYTES", 2 * size)
    assert len(structured.listed(page_of(LONG, LONG)).hashes) == 780
    monkeypatch.setattr(jsonld, "MOST_BYTES", 2 * size - 1)
    found = structured.listed(page_of(LONG, LONG))
    assert (len(found.hashes), found.limits) == (0, ("structured.json",))
    assert "structured.json" in LIMITS


def test_too_many_things_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonld, "MOST_THINGS", 392)  # the data, its list, and 390 items
    assert structured.listed(page_of(LONG)).limits == ()
    assert structured.listed(page_of(LONG, {"@type": "ItemList", "itemListElement": []})).limits == ("structured.json",)
    monkeypatch.setattr(jsonld, "MOST_THINGS", 391)
    assert structured.listed(page_of(LONG)).limits == ("structured.json",)


def test_numbers_and_texts_are_no_things(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonld, "MOST_THINGS", 10)
    data = {"@type": "ItemList", "itemListElement": items_of("tea"), "keywords": ["a", 1] * 1000}
    assert structured.listed(page_of(data)).limits == ()


def test_the_extraction_tells_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    items = "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5))
    html = f'<script type="application/ld+json">{json.dumps(LONG)}</script><ul>{items}</ul>'
    usual = auto.find(Page(html))
    monkeypatch.setattr(jsonld, "MOST_BYTES", 100)
    assert extract(html).limits == ("structured.json",)
    limited = auto.find(Page(html))
    assert [region.records.tolist() for region in limited.regions] == [
        region.records.tolist() for region in usual.regions
    ]


# Anything

KEYS = st.sampled_from(["@type", "itemListElement", "item", "name", "url", "@id", "@graph", "headline", "other"])
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5),
        st.sampled_from(["ItemList", "BreadcrumbList", "Product", "ListItem", "/tea", "Tea"]),
    ),
    lambda below: st.one_of(st.lists(below, max_size=5), st.dictionaries(KEYS, below, max_size=4)),
    max_leaves=30,
)  # fmt: skip


@given(st.lists(VALUES, max_size=3), st.integers(0, 200))
@settings(max_examples=1000)
def test_any_json_is_read(data: list[Any], cut: int) -> None:
    """Whole or cut off: sorted hashes, never an exception."""
    texts = [json.dumps(one) for one in data]
    for page in (page_of(*texts), page_of(*(text[:cut] for text in texts))):
        hashes, limits = structured.listed(page)
        assert hashes.dtype == np.uint64
        assert hashes.tolist() == sorted(set(hashes.tolist()))
        assert limits == ()
        assert all(count > 0 for count in structured.types(page).values())


@given(st.text(st.sampled_from('{}[]":,@typeitemListElement 1\\')) | st.binary(max_size=60).map(repr))
@settings(max_examples=500)
def test_any_text_is_read(text: str) -> None:
    assert structured.listed(page_of('{"@type" "@type" "@type"', text)).limits == ()
