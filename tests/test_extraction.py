"""extract: every method behind one call, regions that share nothing, records, texts and options."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import FastwrapError, Page, columns
from fastwrap.columns import records
from fastwrap.extraction import longest_first
from fastwrap.regions import FoundRegion, disjoint, ranking
from tests.reference.html import html

METHODS = list(fastwrap.methods())
NEW = (0, 1, 4, 8)  # no period of its own
ITEMS = "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i>{'<u>new</u>' if k in NEW else ''}</li>" for k in range(9))
MENU = "<p>" + "<a href=/>home</a> " * 4 + "</p>"
PAGE = f"<div>{MENU}</div><ul>{ITEMS}</ul>"


@pytest.mark.parametrize("method", ["auto", *METHODS])
def test_a_plain_list_is_found(method: str) -> None:
    extraction = fastwrap.extract(PAGE, method=method)
    wanted = [f"Name {k} {k} EUR" + (" new" if k in NEW else "") for k in range(9)]
    found = [[record.text for record in region.records] for region in extraction.regions]
    if method == "classes":  # records of one shape alone: those with the optional part are of another
        assert any(set(wanted) & set(region) for region in found)
    else:
        assert wanted in found
    assert 0 <= extraction.confidence <= 1


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=40)
@given(source=html)
def test_regions_never_share_a_node(method: str, source: str) -> None:
    extraction = fastwrap.extract(source, method=method)
    taken: set[int] = set()
    for region in extraction.regions:
        spans = region.spans.tolist()
        assert all(start < end for start, end in spans)
        assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
        nodes = {node for start, end in spans for node in range(start, end)}
        assert not nodes & taken
        taken |= nodes
        assert [record.text for record in region.records] == [extraction.page.span_text(*span) for span in spans]


@pytest.mark.parametrize("method", METHODS)
def test_texts_are_aligned(method: str, example: bytes) -> None:
    for region in fastwrap.extract(example, method=method).regions[:3]:
        assert {len(record.texts) for record in region.records} <= {len(region.columns)}
        described = region.table.columns
        for record, row in zip(region.records, region.table.texts, strict=True):
            found = [
                text
                for column, cell in zip(described, row, strict=True)
                if column.path.endswith("#text")
                for text in (cell if isinstance(cell, list) else [cell])
                if text is not None
            ]
            # Separators and constant words of texts that are split are no items.
            assert not Counter(re.findall(r"\w+", " ".join(found))) - Counter(re.findall(r"\w+", record.text))


def test_optional_items_do_not_shift() -> None:
    region = fastwrap.extract(PAGE, method="depta").regions[0]
    column = next(k for k, column in enumerate(region.columns) if column.path.endswith("u/#text"))
    assert [record.texts[column] for record in region.records] == ["new" if k in NEW else None for k in range(9)]


@pytest.mark.parametrize("clean", [True, "plain", "printed", "joined"])
def test_clean_comes_first(clean: bool | str) -> None:
    extraction = fastwrap.extract(PAGE, method="mdr", clean=clean)
    assert extraction.page.original is not None
    assert "home" not in extraction.page.text()


@pytest.mark.parametrize(
    ("options", "says"),
    [({"method": "magic"}, "there is no method 'magic'"), ({"method": "mdr", "colour": 1}, "no option 'colour'"),
     ({"main": "best"}, "main is 'best'"), ({"clean": "best"}, "mode is 'best'")],
)  # fmt: skip
def test_bad_options(options: dict[str, object], says: str) -> None:
    with pytest.raises(FastwrapError, match=says):
        fastwrap.extract(PAGE, **options)  # type: ignore[arg-type]


def test_records_need_confidence() -> None:
    assert fastwrap.extract("<p>nothing here").records == []
    assert len(fastwrap.extract(PAGE).records) == 9
    assert fastwrap.extract(PAGE, min_confidence=1.0).records == []
    for outside in (1.1, -0.1, float("nan")):
        with pytest.raises(FastwrapError, match="from 0 to 1"):
            fastwrap.extract(PAGE, min_confidence=outside)
    for wrong in ("0.5", None):
        with pytest.raises(TypeError, match="from 0 to 1"):
            fastwrap.extract(PAGE, min_confidence=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("own", [None, "https://a.example/"])
def test_an_address_that_is_given_goes_before_that_of_a_page(own: str | None) -> None:
    page = Page(PAGE, url=own)
    assert fastwrap.extract(page).page is fastwrap.extract(page, url=own).page is page
    wrapper, other = fastwrap.learn(page), "https://b.example/list"
    addresses = [
        fastwrap.extract(page, other).url,
        fastwrap.extract(page, other, clean=True).url,
        fastwrap.clean(page, url=other).url,
        fastwrap.learn(page, other).url,
        wrapper.extract(page, other).url,
        fastwrap.WrapperSet([wrapper]).extract(page, other).url,
        Page.of(page, other).url,
    ]
    assert addresses == [other] * 7
    assert page.url == own
    assert fastwrap.extract(page, other).records[0].text == fastwrap.extract(page).records[0].text


def test_a_page_is_decoded_once() -> None:
    page = Page("<p>caf\xe9".encode("latin-1"), encoding="latin1")
    with pytest.raises(FastwrapError, match="decoded already, as windows-1252"):
        fastwrap.extract(page, encoding="koi8-r")


@dataclass
class Response:
    """As requests, httpx and Scrapy have them."""

    url: Any
    headers: Mapping[str, str | bytes]
    content: bytes | None = None
    body: bytes | None = None
    text: str = "<p>decoded by others"


@pytest.mark.parametrize(
    "response",
    [
        Response("https://a.example/l", {"content-type": "text/html; charset=koi8-r"}, content=PAGE.encode("koi8-r")),
        Response("https://a.example/l", {"Content-Type": b"text/html; charset=koi8-r"}, body=PAGE.encode("koi8-r")),
        Response("https://a.example/l", {}, text=PAGE),
    ],
)
def test_a_page_may_be_a_response(response: Response) -> None:
    extraction = fastwrap.extract(response)
    assert len(extraction.records) == 9
    assert extraction.url == "https://a.example/l"
    assert extraction.page.encoding == ("utf-8" if response.text == PAGE else "koi8-r")
    assert fastwrap.extract(response, url="https://b.example/").url == "https://b.example/"


def test_a_page_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    extraction = fastwrap.extract(tmp_path / "page.html", url="https://a.example/")
    assert (len(extraction.records), extraction.url) == (9, "https://a.example/")
    with pytest.raises(FastwrapError, match=r"the page cannot be read: .*missing\.html"):
        fastwrap.extract(tmp_path / "missing.html")
    with pytest.raises(TypeError, match="not int"):
        fastwrap.extract(5)  # type: ignore[arg-type]


# What a newcomer tries first


SHOP = (
    "<ul>"
    + "".join(
        f"<li><a href=/{k}>Pan {k}</a> <i>{k}.90 EUR</i> <p>{'<b>steel</b>' * (k % 2)}<b>iron</b></p></li>"
        for k in range(1, 8)
    )
    + "</ul><table>"
    + "".join(f"<tr><td>Shop {k}</td><td>Street {k * 7}</td></tr>" for k in range(4))
    + "</table>"
)


def test_records_are_counted_and_looped_over() -> None:
    found = fastwrap.extract(SHOP, "https://shop.example/")
    assert len(found) == len(found.records) == 7
    assert list(found) == found.records
    assert found[0] is found.records[0]
    assert found[-1] is found.records[-1]
    assert found[1:3] == found.records[1:3]
    with pytest.raises(IndexError):
        found[7]
    with pytest.raises(TypeError, match=r"\[record\['price'\] for record in \.\.\.\]"):
        found["price"]  # type: ignore[call-overload]
    assert found.columns == found.regions[0].columns
    region = found.regions[0]
    assert (len(region), list(region), region[0]) == (7, region.records, region.records[0])
    unsure = fastwrap.extract(SHOP, min_confidence=1.0)
    assert not unsure
    assert (len(unsure), list(unsure), unsure.columns) == (0, [], [])
    with pytest.raises(IndexError):
        unsure[0]
    wrapped = fastwrap.learn(SHOP).extract(SHOP)
    assert (len(wrapped), wrapped[0].text) == (7, found[0].text)
    assert [column.name for column in wrapped.columns] == [column.name for column in found.columns]


def test_records_are_like_dicts() -> None:
    found = fastwrap.extract(SHOP, "https://shop.example/")
    names = [column.name for column in found.columns]
    for record, row in zip(found, found.to_dicts(), strict=True):
        assert dict(record) == {**record} == dict(record.items()) == row
        assert list(record.keys()) == list(record) == names
        assert len(record) == len(names)
        assert isinstance(record.values, list)  # as ever: the values in the order of the columns
    record = found[1]
    assert (record["title"], record["price"].amount) == ("Pan 2", Decimal("2.90"))
    assert ("price" in record, "colour" in record) == (True, False)
    assert (record.get("price"), record.get("colour"), record.get("colour", "red")) == (record["price"], None, "red")
    with pytest.raises(KeyError, match="there is no column 'colour', but '"):
        record["colour"]
    with pytest.raises(TypeError, match="by the name of its column"):
        record[0]  # type: ignore[index]


def test_a_list_of_several_columns_is_the_same_everywhere() -> None:
    rows = "".join(
        f"<li><h2>Book {k}</h2><table>"
        + "".join(f"<tr><td>Shop {j}</td><td>{j + k}.50 EUR</td></tr>" for j in range(2 + k % 3)) + "</table></li>"
        for k in range(8)
    )  # fmt: skip
    found = fastwrap.extract(f"<ul>{rows}</ul>", columns="all")
    lists = [column.name for column in found.columns if len(column.columns) > 1]
    assert lists, found.columns
    assert [dict(record) for record in found] == found.to_dicts()
    assert all(isinstance(entry, dict) for entry in found[0][lists[0]])


def test_limits_are_those_met_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_CELLS", 9)
    extraction = fastwrap.extract(PAGE)
    region = extraction.regions[0]
    with monkeypatch.context() as patch:
        patch.setattr(columns, "learn", None)  # asking computes nothing
        patch.setattr(ranking, "confidence", None)
        assert not extraction.limits
        assert not region.limits
    assert region.texts
    assert extraction.limits == region.limits == ("columns.width",)


def test_the_longest_list_is_the_main_one() -> None:
    def listed(count: int, items: int, tag: str) -> str:
        return f"<{tag}>" + (f"<p class={tag}>" + "<b>x</b>" * items + "</p>") * count + f"</{tag}>"

    page = Page(listed(4, 5, "section") + listed(30, 1, "nav") + listed(8, 3, "main"))
    spans = {}
    for node in page.children(page.body):
        records = [[child, child + int(page.size[child])] for child in page.children(node)]
        spans[page.tag_name(node)] = FoundRegion(np.array(records, dtype=np.int32), 1.0)
    order = longest_first(page, list(spans.values()))
    assert order == [spans["main"], spans["section"], spans["nav"]]
    assert longest_first(page, [spans["nav"]]) == [spans["nav"]]


spans = st.lists(st.integers(0, 40), min_size=2, max_size=8, unique=True).map(sorted)


@given(st.lists(spans, max_size=6))
def test_disjoint_keeps_the_first_of_those_that_meet(drawn: list[list[int]]) -> None:
    regions = [
        FoundRegion(np.array(list(zip(ends[::2], ends[1::2], strict=False)), dtype=np.int32), 1.0) for ends in drawn
    ]
    nodes = [{n for start, end in region.records.tolist() for n in range(start, end)} for region in regions]
    kept: list[int] = []
    for k in range(len(regions)):
        if not any(nodes[k] & nodes[other] for other in kept):
            kept.append(k)
    assert [id(region) for region in disjoint(regions, 41)] == [id(regions[k]) for k in kept]


@pytest.mark.corpus
def test_no_method_fails_on_a_real_page(corpus: list[Path]) -> None:
    for path in corpus[::40]:
        page = Page(path.read_bytes())
        for method in METHODS:
            fastwrap.extract(page, method=method)
