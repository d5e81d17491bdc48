"""Listings and their detail pages: pairs by links and by values, columns that confirm each other, what is missing."""

from __future__ import annotations

import json
import random
import weakref
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

import fastwrap
from fastwrap import Extraction, FastwrapError, Joined, Page, Wrapper, extract, join, learn
from fastwrap.linking import details, pairing, sides
from tests.helpers import catalogue
from tests.helpers.catalogue import LABELS

SHOP = "https://shop.example/"
NAMES = ("Small pan", "Wide pan", "Deep pot", "Iron lid", "Oven tray")
MAKERS = ("Acme", "Bolt", "Acme", "Cravon", "Delmar")


def listing(names: tuple[str, ...] = NAMES, more: str = "<p>{maker}</p>", links: bool = True) -> str:
    rows = []
    for number, name in enumerate(names):
        title = f"<a href='/p/{number}'>{name}</a>" if links else f"<b>{name}</b>"
        rows.append(f"<li><h3>{title}</h3> <div>{number + 3}.90 EUR</div> {more.format(maker=MAKERS[number])}</li>")
    return f"<html lang=en><ul>{''.join(rows)}</ul>"


def detail(number: int, **more: str) -> str:
    facts = {"Manufacturer": MAKERS[number], "Weight": f"{number + 2}00 g", **more}
    rows = "".join(f"<tr><th>{label}</th><td>{text}</td></tr>" for label, text in facts.items())
    name = NAMES[number]
    return (
        f"<html lang=en><title>{name} | Shop</title><h1>{name}</h1><p class=price>{number + 3}.90 EUR</p>"
        f"<table>{rows}</table>"
    )


def pairs_of(joined: Joined) -> list[tuple[int, int]]:
    return [(link.record, link.page) for link in joined.links]


@pytest.mark.parametrize(
    "address",
    [
        "https://shop.example/p/{}",
        "http://www.shop.example/p/{}/",
        "https://shop.example/p/{}?utm_source=list&gclid=5",
        "https://shop.example/p/{}#reviews",
    ],
)
def test_pairs_by_the_address_of_the_page(address: str) -> None:
    """The pages say nothing, so that only the addresses can tell."""
    pages = {address.format(number): "<p>Nothing to see" for number in (3, 0, 4)}
    joined = join(extract(listing(), url=SHOP), pages)
    assert pairs_of(joined) == [(0, 1), (3, 0), (4, 2)]
    assert all(link.score > 0.9 for link in joined.links)
    assert joined.links[0].why == {"link": "https://shop.example/p/0"}
    assert (joined.unmatched_records, joined.unmatched_pages) == ([1, 2], [])


@pytest.mark.parametrize("mark", ["<link rel=canonical href='{}'>", "<meta property=og:url content='{}'>"])
def test_pairs_by_the_address_that_a_page_gives(mark: str) -> None:
    pages = [mark.format(f"https://shop.example/p/{number}") for number in (2, 1)]
    assert pairs_of(join(extract(listing(), url=SHOP), pages)) == [(1, 1), (2, 0)]


def test_a_listing_without_an_address_is_paired_by_paths() -> None:
    pages = {f"https://shop.example/p/{number}": "<p>Nothing" for number in (2, 1)}
    assert pairs_of(join(listing(), pages)) == [(1, 1), (2, 0)]


def test_pairs_by_values_alone() -> None:
    joined = join(listing(links=False), [detail(4), detail(1), detail(0)])
    assert pairs_of(joined) == [(0, 2), (1, 1), (4, 0)]
    assert all(0.5 <= link.score <= 1 for link in joined.links)
    assert next(iter(joined.links[0].why)) == "title"


def test_pages_of_other_things_are_left_out() -> None:
    other = "<title>About us</title><h1>About us</h1><p>We have sold pans since 1990."
    joined = join(extract(listing(), url=SHOP), [other, detail(2), "", "<p>"])
    assert pairs_of(joined) == [(2, 1)]
    assert joined.unmatched_pages == [0, 2, 3]


def test_what_all_records_share_pairs_nothing() -> None:
    rows = "".join(f"<li><b>Pan {number}</b> <a href=/cart>buy</a> <i>5.00 EUR</i></li>" for number in range(6))
    joined = join(extract(f"<ul>{rows}</ul>", url=SHOP), {f"{SHOP}cart": "<h1>Cart</h1><p>5.00 EUR"})
    assert joined.links == []


def test_columns_confirm_each_other_and_the_better_name_is_kept() -> None:
    joined = join(extract(listing(), url=SHOP), [detail(number) for number in range(5)])
    agreed = {each.listing: each for each in joined.agreements}
    assert {each.detail for each in joined.agreements} >= {"title", "price", "Manufacturer"}
    assert all(each.share == 1 and each.pairs == 5 for each in agreed.values())
    names = [column.name for column in joined.columns]
    assert "Manufacturer" in names
    column = joined.columns[names.index("Manufacturer")]
    assert column.why["label"] == "Manufacturer"
    assert "of the listing has the same values" in column.why["agreement"]
    assert [record["Manufacturer"] for record in joined] == list(MAKERS)
    assert [record["Weight"] for record in joined] == [200, 300, 400, 500, 600]
    assert joined.columns[names.index("Weight")].unit == "g"
    assert names.count("title") == names.count("price") == 1


def test_columns_that_differ_stay_apart() -> None:
    pages = [detail(number).replace(f"{number + 3}.90 EUR", f"{number + 30}.00 EUR") for number in range(5)]
    joined = join(extract(listing(), url=SHOP), pages)
    assert len(joined.links) == 5
    assert (joined[1]["price"].amount, joined[1]["price 2"].amount) == (Decimal("4.90"), 31)


def test_records_without_a_page_have_none() -> None:
    joined = join(extract(listing(), url=SHOP), [detail(1)])
    assert [record["Weight"] for record in joined] == [None, 300, None, None, None]
    assert [record["title"] for record in joined] == list(NAMES)


def test_titles_that_the_listing_cuts_off_are_made_whole() -> None:
    cut = tuple(f"{name} of the kitchen…" for name in NAMES)
    pages = [detail(number).replace(NAMES[number], f"{NAMES[number]} of the kitchen drawer") for number in range(5)]
    joined = join(extract(listing(cut), url=SHOP), {f"{SHOP}p/{number}": page for number, page in enumerate(pages)})
    assert joined[0]["title"] == "Small pan of the kitchen drawer"


def test_the_table_can_be_written() -> None:
    joined = join(extract(listing(), url=SHOP), [detail(number) for number in (0, 2)])
    assert len(joined) == len(joined.to_dicts()) == len(joined.to_pandas()) == len(joined.to_polars()) == 5
    assert joined.to_dicts()[2]["Weight"] == 400
    assert joined.to_csv().splitlines()[0].split(",")[0] == joined.columns[0].name
    written = json.loads(joined.to_json())
    assert [column["name"] for column in written["columns"]] == [column.name for column in joined.columns]
    assert "<table>" in joined._repr_html_()
    assert repr(joined) == "<Joined: 5 records, 2 with a detail page>"
    assert 0.5 <= joined.score <= 1
    assert joined[0].link == f"{SHOP}p/0"


def test_pages_may_be_extractions_regions_and_what_a_wrapper_reads() -> None:
    html = listing()
    wrapper = learn(html, url=SHOP)
    wanted = pairs_of(join(extract(html, url=SHOP), [detail(0), detail(3)]))
    assert wanted == [(0, 0), (3, 1)]
    assert pairs_of(join(wrapper.extract(html, SHOP), [extract(detail(0)), extract(detail(3))])) == wanted
    assert pairs_of(join(extract(html, url=SHOP).regions[0], iter([detail(0), detail(3)]))) == wanted
    assert pairs_of(join(extract(html, url=SHOP), {"https://x.example/": extract(detail(0))})) == [(0, 0)]
    assert pairs_of(join(extract(html, url=SHOP), extract(detail(0)))) == [(0, 0)]  # one page by itself


def test_detail_pages_are_read_by_the_wrapper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a wrapper says of a page is its record: here one that reads the weight alone."""
    wrapper = learn(listing())

    def read(self: Wrapper, html: Page) -> Extraction:
        assert self is wrapper
        weight = html.text().partition("Weight ")[2]
        return extract(f"<title>x</title><h1>x</h1><p>Own weight: {weight}", url=html.url)

    monkeypatch.setattr(Wrapper, "extract", read)
    pages = {f"{SHOP}p/{number}": detail(number) for number in range(5)}
    joined = join(extract(listing(), url=SHOP), pages, wrapper=wrapper)
    assert len(joined.links) == 5
    assert [record["Own weight"] for record in joined] == [200, 300, 400, 500, 600]


def test_nothing_to_join() -> None:
    empty = join("<p>no list", [detail(0)])
    assert (len(empty), empty.columns, empty.links, empty.unmatched_pages, empty.score) == (0, [], [], [0], 0.0)
    assert (empty.to_dicts(), empty.to_csv()) == ([], "")
    alone = join(extract(listing(), url=SHOP), [])
    assert [column.name for column in alone.columns] == [column.name for column in extract(listing()).columns]
    assert alone.unmatched_records == [0, 1, 2, 3, 4]
    assert join("", []).links == []


def test_equal_pages_and_records_are_given_once() -> None:
    rows = "".join("<li><b>Pan</b> <i>5.00 EUR</i></li>" for _ in range(4))
    page = "<title>Pan</title><h1>Pan</h1><p>Price: 5.00 EUR<p>Weight: 5 g"
    joined = join(f"<ul>{rows}</ul>", [page] * 6)
    assert len({link.record for link in joined.links}) == len({link.page for link in joined.links})
    assert len(joined) == 4


def test_lists_and_texts_of_one_name_come_together() -> None:
    pages = [
        f"<title>{name}</title><h1>{name}</h1><h2>Features</h2><ul>{'<li>good one' * (number % 3 + 1)}</ul>"
        f"<dl><dt>Care<dd>{'5 years' if number else 'ask us'}</dl>"
        for number, name in enumerate(NAMES)
    ]
    joined = join(extract(listing(), url=SHOP), pages)
    assert len(joined.links) == 5
    assert len(joined.to_dicts()) == len(joined.to_arrow()) == 5


def test_what_cannot_be_joined_is_named() -> None:
    with pytest.raises(FastwrapError, match=r"detail page 1: .*JSON"):
        join(listing(), [detail(0), b'{"a": 1}'])
    with pytest.raises(TypeError, match="wrapper is a Wrapper or None, not str"):
        join(listing(), [], wrapper="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the keys of detail_pages are addresses, not int"):
        join(listing(), {5: detail(0)})  # type: ignore[dict-item]


def test_budgets_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "BUDGET", 2)
    joined = join(extract(listing(), url=SHOP), [detail(number) for number in range(5)])
    assert "linking.pairs" in joined.limits
    monkeypatch.undo()
    monkeypatch.setattr(details, "MOST_CELLS", 20)
    pages = [detail(number, **({"Rare": "yes"} if number == 3 else {})) for number in range(5)]
    joined = join(extract(listing(), url=SHOP), pages)
    assert "linking.width" in joined.limits
    assert "Rare" not in [column.name for column in joined.columns]
    assert join(extract(listing(), url=SHOP), pages[:1]).limits == ()


def test_very_wide_tables_are_compared_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "MOST_COLUMNS", 2)
    joined = join(extract(listing(), url=SHOP), [detail(number) for number in range(5)])
    assert "linking.columns" in joined.limits
    assert len(joined.links) == 5
    assert len(joined.agreements) <= 2


def test_pages_are_read_one_by_one() -> None:
    alive: weakref.WeakSet[Page] = weakref.WeakSet()
    most = 0

    def pages() -> Iterator[Page]:
        nonlocal most
        for number in range(5):
            page = Page(detail(number))
            alive.add(page)
            yield page
            del page
            most = max(most, len(alive))

    assert len(join(extract(listing(), url=SHOP), pages()).links) == 5
    assert most <= 3  # the first one, which says how texts are typed, and the last


def test_a_column_that_was_called_wrongly_has_the_role_of_its_label() -> None:
    site = catalogue.sites("places", 1, count=40, styles=(2,))[0]
    pages = [site.detail(record, random.Random(1)) for record in range(len(site.rows))]
    joined = join(extract(site.listing(linked=False), url=site.url, min_confidence=0), pages)
    roles = {column.name: column.role for column in joined.columns}
    assert "Street" in roles
    assert roles["Street"] != "title"
    assert roles["title"] == "title"


@pytest.mark.parametrize("domain", ["products", "books", "jobs"])
@pytest.mark.parametrize("linked", [True, False])
def test_catalogues_are_joined(domain: str, linked: bool) -> None:
    right = found = there = 0
    for seed in range(500, 503):
        site = catalogue.sites(domain, seed, count=40, styles=(seed % 3,))[0]
        rng = random.Random(seed)
        records = rng.sample(range(len(site.rows)), len(site.rows) * 2 // 3)
        pages = [site.detail(record, rng) for record in records]
        given: Any = pages
        if linked:
            given = {
                f"http://{site.name}.example{site.link(record)}": page
                for record, page in zip(records, pages, strict=True)
            }
        joined = join(extract(site.listing(linked), url=site.url, min_confidence=0), given)
        right += sum(records[link.page] == link.record for link in joined.links)
        found += len(joined.links)
        there += len(records)
        assert not {each.detail for each in joined.agreements} & {"Warranty", "Stock number"}
        if domain == "books" and site.meaning.get("c7") != "publisher":
            assert LABELS["author"] in {each.detail for each in joined.agreements}
    assert right >= 0.97 * there
    assert right >= 0.97 * found


def test_the_front_door_has_it() -> None:
    assert fastwrap.join is join
    assert isinstance(join(listing(), []), fastwrap.Joined)
