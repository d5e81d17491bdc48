"""Listings of several pages as one table: all of it, nothing twice, politely, and never without end."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastwrap
from fastwrap import FastwrapError, follow
from fastwrap.crawling import Polite
from fastwrap.crawling.tables import Doubles, Row
from fastwrap.fetching import Fetched
from fastwrap.fetching.client import Fetcher
from fastwrap.types import Money
from tests.helpers.server import Site, answer, redirect

URL = "http://shop.example/list?page="


def item(number: int, extra: str = "") -> str:
    return (
        f"<li class=pan><a href=/pan/{number}><img src=/p/{number}.jpg></a><h3>Pan number {number}</h3>"
        f"<b>{number}.90 EUR</b> <i>{1 + number % 28} March 2024</i> {extra}</li>"
    )


def listing(numbers: Any, following: str = "") -> str:
    return f"<html lang=en><title>Pans</title><ul>{''.join(map(item, numbers))}</ul>{following}"


def shop(pages: int, size: int = 8, last: int = 1) -> dict[str, str]:
    """A shop with so many pages, the last of which has few records."""
    made = {}
    for number in range(1, pages + 1):
        first = (number - 1) * size
        numbers = range(first, first + (last if number == pages else size))
        following = f"<a rel=next href='?page={number + 1}'>next</a>" if number < pages else ""
        made[f"{URL}{number}"] = listing(numbers, following)
    return made


def asker(pages: dict[str, str]) -> tuple[Callable[[str], str], list[str]]:
    asked: list[str] = []

    def fetch(url: str) -> str:
        asked.append(url)
        if url not in pages:
            raise FastwrapError(f"{url}: the server says 404")
        return pages[url]

    return fetch, asked


def test_all_pages_are_one_table() -> None:
    pages = shop(5)
    fetch, asked = asker(pages)
    found = follow(URL + "1", fetch=fetch, pause=0)
    assert asked == list(pages)
    assert (len(found), found.stopped, found.next_page, found.doubles) == (33, "end", None, 0)
    assert [record["title"] for record in found] == [f"Pan number {k}" for k in range(33)]
    assert found[20]["price"] == Money(Decimal("20.90"), "EUR")
    assert found[20]["date"] == date(2024, 3, 21)
    assert [record.link for record in found][32] == "http://shop.example/pan/32"
    assert found.to_dicts()[9]["link"] == "http://shop.example/pan/9"
    assert [(page.records, page.by_wrapper) for page in found.pages] == [(8, True)] * 4 + [(1, True)]
    # As any other extraction.
    assert isinstance(found, fastwrap.Extraction)
    assert found.kind == "list"
    said = json.loads(found.to_json())
    assert len(said["regions"][0]["records"]) == 33
    assert len(found.to_csv().splitlines()) == 34
    assert found.to_arrow().num_rows == 33
    assert found.regions[0].why["cut"]
    assert "33 records of 5 pages, end" in repr(found)
    assert found[3].text == fastwrap.extract(pages[URL + "1"], URL + "1")[3].text


def test_one_page() -> None:
    fetch, _ = asker(shop(1, last=8))
    found = follow(URL + "1", fetch=fetch, pause=0)
    alone = fastwrap.extract(shop(1, last=8)[URL + "1"], URL + "1")
    assert (len(found.pages), found.stopped) == (1, "end")
    assert found.to_dicts() == alone.to_dicts()
    assert not found.pages[0].by_wrapper


def test_as_many_pages_as_are_asked_for() -> None:
    fetch, asked = asker(shop(9))
    found = follow(URL + "1", fetch=fetch, pause=0, most=3)
    assert (len(asked), len(found), found.stopped, found.next_page) == (3, 24, "limit", URL + "4")
    assert "as many pages" in found.why
    rest = follow(str(found.next_page), fetch=fetch, pause=0)
    assert len(rest) == 41


def test_the_first_page_may_be_given() -> None:
    pages = shop(3)
    fetch, asked = asker(pages)
    found = follow(fastwrap.Page(pages[URL + "1"], URL + "1"), fetch=fetch, pause=0)
    assert (len(found), asked) == (17, [URL + "2", URL + "3"])
    unknown = follow(fastwrap.Page(pages[URL + "1"]), fetch=fetch, pause=0)
    assert (len(unknown), unknown.stopped) == (8, "no address")


def test_what_is_wanted() -> None:
    fetch, _ = asker(shop(3))
    found = follow(URL + "1", fetch=fetch, pause=0, want={"price": float, "title": str})
    assert found.rows[16] == {"price": 16.9, "title": "Pan number 16"}
    assert [column.name for column in found.columns] == ["price", "title"]

    @dataclass
    class Pan:
        title: str
        price: float

    assert follow(URL + "1", fetch=fetch, pause=0, want=Pan).rows[16] == Pan("Pan number 16", 16.9)
    missing = follow(URL + "1", fetch=fetch, pause=0, want=["title", "sound"])
    assert missing.missing == ["sound"]
    assert len(missing) == 17


def test_by_a_wrapper() -> None:
    pages = shop(3)
    wrapper = fastwrap.learn(pages[URL + "1"], want=["title"])
    fetch, _ = asker(pages)
    found = follow(URL + "1", fetch=fetch, pause=0, wrapper=wrapper)
    assert [column.name for column in found.columns] == ["title"]
    assert len(found) == 17
    assert all(page.by_wrapper for page in found.pages)


def test_other_methods_read_every_page_by_itself() -> None:
    fetch, _ = asker(shop(3, last=8))
    found = follow(URL + "1", fetch=fetch, pause=0, method="signal", columns="all")
    assert len(found) == 24
    assert not any(page.by_wrapper for page in found.pages)
    alone = fastwrap.extract(shop(3)[URL + "1"], URL + "1", method="signal", columns="all")
    assert [column.name for column in found.columns] == [column.name for column in alone.columns]


def test_columns_that_differ() -> None:
    pages = shop(3)
    other = "".join(f"<tr><td><b>Lid {k}</b><td>{k} EUR<td>{k} cm<td>in stock" for k in range(30, 40))
    pages[URL + "3"] = f"<html lang=en><table>{other}</table>"
    fetch, _ = asker(pages)
    found = follow(URL + "1", fetch=fetch, pause=0)
    assert [page.by_wrapper for page in found.pages] == [True, True, False]
    assert len(found) == 26
    assert found[20]["price"] == Money(Decimal(34), "EUR")
    assert found[20]["date"] is None


def test_nested_lists_and_units() -> None:
    def page(number: int) -> str:
        items = "".join(
            f"<li><h3>Pan {k}</h3> <b>{k + 10} km</b><ul>"
            f"{''.join(f'<li>tag {k}-{n}' for n in range(1 + k % 3))}</ul></li>"
            for k in range(9 * number, 9 * number + 9)
        )
        return f"<ul>{items}</ul>" + ("" if number == 3 else f"<a rel=next href='?page={number + 1}'>next</a>")

    found = follow(URL + "1", fetch=lambda url: page(int(url[-1])), pause=0)
    local = fastwrap.extract(page(1), URL + "1")
    assert len(found) == 27
    assert [column.unit for column in found.columns] == [column.unit for column in local.columns]
    assert "km" in [column.unit for column in found.columns]
    assert found.to_dicts()[:9] == local.to_dicts()


# Doubles


def test_doubles_are_left_out() -> None:
    pages = shop(4)
    # What is promoted stands on all pages; and the second page repeats two of the first.
    for number, html in enumerate(list(pages.values()), 1):
        pages[f"{URL}{number}"] = html.replace("<ul>", "<ul>" + item(1000))
    pages[URL + "2"] = pages[URL + "2"].replace("</ul>", item(0) + item(7) + "</ul>")
    fetch, _ = asker(pages)
    found = follow(URL + "1", fetch=fetch, pause=0)
    titles = [record["title"] for record in found]
    assert len(titles) == len(set(titles)) == 26
    assert found.doubles == 5
    kept = follow(URL + "1", fetch=fetch, pause=0, keep_doubles=True)
    assert (len(kept), kept.doubles) == (31, 0)


words = st.sampled_from(["a", "b", "c", None])
some_rows = st.lists(
    st.builds(lambda link, *texts: Row((), list(texts), list(texts), " ".join(map(str, texts)), link),
              st.sampled_from([None, "http://a.example/1", "http://a.example/2", "http://a.example/2?utm_source=x"]),
              words, words),
    max_size=5,
)  # fmt: skip


@given(st.lists(some_rows, max_size=5))
def test_doubles(pages: list[list[Row]]) -> None:
    doubles, kept = Doubles(False), Doubles(True)
    earlier: list[Row] = []
    for rows in pages:
        new = doubles.without(rows)
        assert kept.without(rows) == rows
        assert [row for row in rows if row in new] == [row for row in rows if any(row is each for each in new)]
        for row in rows:
            if row not in new:  # said before, wholly or by its link
                assert any(
                    row.text == other.text or (row.link and other.link and row.link[:18] == other.link[:18])
                    for other in earlier
                )
            elif row.link is None:
                assert all(row.text != other.text for other in earlier if other.link is None)
        earlier += rows
    assert not Doubles(False).without([])


def test_records_that_share_a_link_are_no_doubles() -> None:
    def page(number: int) -> str:
        rows = "".join(f"<tr><td><a href=/all>see all</a><td>Name {number}{k}<td>{k}.5" for k in range(6))
        return f"<table>{rows}</table>" + ("" if number == 3 else f"<a rel=next href='?page={number + 1}'>next</a>")

    found = follow(URL + "1", fetch=lambda url: page(int(url[-1])), pause=0)
    assert (len(found), found.doubles) == (18, 0)


# Where it ends


def test_loops() -> None:
    pages = shop(3)
    pages[URL + "3"] = listing(range(16, 24), "<a rel=next href='?page=1'>next</a>")
    fetch, asked = asker(pages)
    found = follow(URL + "1", fetch=fetch, pause=0, most=100)
    assert (len(found), len(asked), found.stopped) in [(24, 3, "loop"), (24, 3, "end")]
    # Every address is new, and every page the same.
    counter = itertools.count(2)
    found = follow(
        URL + "1", fetch=lambda _: listing(range(8), f"<a rel=next href='?page={next(counter)}'>next</a>"), pause=0,
        most=100,
    )  # fmt: skip
    assert (len(found), len(found.pages), found.stopped) == (8, 2, "nothing new")
    assert "not there before" in found.why


def test_an_endless_listing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(url: str) -> str:
        number = int(url.rpartition("=")[2])
        return listing(range(8 * number, 8 * number + 8), f"<a rel=next href='?page={number + 1}'>next</a>")

    found = follow(URL + "1", fetch=fetch, pause=0, most=25)
    assert (len(found), found.stopped, found.next_page) == (200, "limit", URL + "26")
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    # A clock of its own: what passes between two pages is the pause, however busy the machine is.
    monkeypatch.setattr("fastwrap.crawling.following.Polite", partial(Polite, clock=lambda: now, sleep=sleep))
    found = follow(URL + "1", fetch=fetch, pause=0.2, seconds=0.5, most=1_000)
    assert (len(found.pages), found.stopped) == (3, "failed")
    assert "no time left" in found.why


def test_a_page_that_is_empty() -> None:
    pages = shop(3)
    pages[URL + "3"] = "<html lang=en><p>Nothing here<a rel=next href='?page=4'>next</a>"
    fetch, asked = asker(pages)
    found = follow(URL + "1", fetch=fetch, pause=0)
    assert (len(found), found.stopped, len(asked)) == (16, "nothing new", 3)


def test_other_sites_are_not_gone_to() -> None:
    page = listing(
        range(8), "<div class=pagination><b>1</b> <a rel=next href='http://evil.example/list?page=2'>next</a></div>"
    )
    asked: list[str] = []

    def fetch(url: str) -> str:
        asked.append(url)
        return page

    found = follow(URL + "1", fetch=fetch, pause=0)
    assert asked == [URL + "1"]
    assert found.stopped in ("other site", "end")


@pytest.mark.parametrize("error", [FastwrapError("gone"), OSError("gone"), RuntimeError("gone"), KeyError("gone")])
def test_what_was_read_is_kept(error: Exception) -> None:
    pages = shop(4)

    def fetch(url: str) -> str:
        if url.endswith("3"):
            raise error
        return pages[url]

    found = follow(URL + "1", fetch=fetch, pause=0)
    assert (len(found), found.stopped, found.next_page) == (16, "failed", URL + "3")
    assert "gone" in found.why
    with pytest.raises(type(error)):
        follow(URL + "3", fetch=fetch, pause=0)


def test_a_second_page_that_is_none() -> None:
    found = follow(
        URL + "1", fetch=lambda url: b"%PDF-1.7" if url[-1] == "2" else listing(range(8), "<a href='?page=2'>next</a>"),
        pause=0,
    )  # fmt: skip
    assert (len(found), found.stopped) == (8, "failed")
    assert "PDF" in found.why


def test_buttons_that_load_more() -> None:
    parts = {
        URL + "1": listing(range(8), "<button class=load-more data-url='/list?page=2'>Load more</button>"),
        URL + "2": "".join(map(item, range(8, 16)))
        + "<button class=load-more data-url='/list?page=3'>Load more</button>",
        URL + "3": "".join(map(item, range(16, 22))),
    }
    fetch, asked = asker(parts)
    found = follow(URL + "1", fetch=fetch, pause=0)
    assert asked == list(parts)
    assert ([record["title"] for record in found], found.stopped) == ([f"Pan number {k}" for k in range(22)], "end")
    script = listing(range(8), "<button class=load-more onclick=more()>Load more</button>")
    found = follow(URL + "1", fetch=lambda _: script, pause=0)
    assert (len(found), found.stopped) == (8, "no address")
    assert "a button ('Load more') loads more, by a script" in found.why


def test_cursors() -> None:
    tokens = {"": "q8zT", "q8zT": "Lm3x", "Lm3x": ""}

    def fetch(url: str) -> str:
        token = url.partition("after=")[2]
        place = list(tokens).index(token)
        following = f"<a href='/list?after={tokens[token]}'>Next page</a>" if tokens[token] else ""
        return listing(range(8 * place, 8 * place + 8), following)

    found = follow("http://shop.example/list", fetch=fetch, pause=0)
    assert (len(found), found.stopped) == (24, "end")


def test_no_list() -> None:
    detail = "<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"
    found = follow(URL + "1", fetch=lambda _: detail, pause=0)
    assert (len(found), found.stopped, found.kind) == (0, "no list", "detail")
    assert found.record is not None
    assert found.record["Width"] == 80
    assert follow(URL + "1", fetch=lambda _: "<p>x", pause=0).to_dicts() == []


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"most": 0}, FastwrapError, "most is a number of pages"),
        ({"most": "3"}, TypeError, "most is a whole number"),
        ({"pause": -1}, FastwrapError, "pause is a number of seconds"),
        ({"pause": "1"}, TypeError, "pause is a number of seconds"),
        ({"seconds": float("nan")}, FastwrapError, "seconds is a number"),
        ({"wnat": ["title"]}, TypeError, "there is no option 'wnat'"),
        ({"method": "none"}, FastwrapError, "method"),
    ],
)
def test_bad_use(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        follow(URL + "1", fetch=lambda _: listing(range(8)), **options)


# Politeness


def test_pauses() -> None:
    now, slept = [0.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    def fetch(url: str) -> str:
        now[0] += 0.25
        return url

    polite = Polite(fetch, 1.0, 100.0, lambda: now[0], sleep)
    for url in ("http://a.example/1", "http://a.example/2", "http://b.example/1", "http://a.example/3"):
        polite(url)
    assert slept == [1.0, 0.75]
    polite.note("http://b.example/2")
    polite("http://b.example/3")
    assert slept[-1] == 1.0
    now[0] = 99.5
    polite.note("http://a.example/4")
    with pytest.raises(FastwrapError, match="no time left"):
        polite("http://a.example/5")


def test_robots_are_asked_and_their_delay_is_kept(site: Site) -> None:
    for number in range(1, 5):
        following = f"<a rel=next href='/list?page={number + 1}'>next</a>"
        site.answers[f"/list?page={number}"] = answer(listing(range(8 * number, 8 * number + 8), following).encode())
    site.answers["/robots.txt"] = answer(b"User-agent: *\nCrawl-delay: 0.3\nDisallow: /*page=4")
    with Fetcher(allow_private=True) as fetcher:
        began = time.monotonic()
        found = follow(f"{site.url}/list?page=1", fetch=fetcher, pause=0)
        assert time.monotonic() - began >= 0.6
        assert fetcher.crawl_delay(site.url) == 0.3
    assert (len(found), found.stopped) == (24, "failed")
    assert "robots.txt does not allow it" in found.why
    assert site.paths() == ["/robots.txt", "/list?page=1", "/list?page=2", "/list?page=3"]
    with Fetcher(allow_private=True, robots=False) as fetcher:
        assert fetcher.crawl_delay(site.url) == 0.0
        assert len(follow(f"{site.url}/list?page=1", fetch=fetcher, pause=0)) == 32
    site.answers["/robots.txt"] = answer(b"User-agent: *\nCrawl-delay: 9999")
    with Fetcher(allow_private=True) as fetcher:
        found = follow(f"{site.url}/list?page=1", fetch=fetcher, pause=0, seconds=50)
    assert (len(found.pages), found.stopped) == (1, "failed")
    assert "robots.txt asks for 9999 s" in found.why


def test_busy_sites_are_asked_later(site: Site) -> None:
    busy = [answer(b"", 429, Retry_After="1"), answer(b"", 503, Retry_After="0")]
    page = answer(listing(range(8)).encode())
    site.answers["/list"] = lambda handler: (busy.pop() if busy else page)(handler)
    now = [0.0]
    slept: list[float] = []
    with Fetcher(allow_private=True, robots=False) as fetcher:
        polite = Polite(fetcher, 0.5, 100.0, lambda: now[0], slept.append)
        assert len(fastwrap.extract(polite(f"{site.url}/list"))) == 8
        assert slept == [0.5, 1.0]
        busy += [answer(b"", 503)] * 3
        with pytest.raises(FastwrapError, match="503 Service Unavailable"):
            polite(f"{site.url}/list")
        assert slept[2:] == [0.5, 10.0, 10.0]
        busy += [answer(b"", 503, Retry_After="3600")]
        with pytest.raises(FastwrapError, match="no time left"):
            polite(f"{site.url}/list")


def test_redirects_lead_to_no_loop(site: Site) -> None:
    site.answers |= {
        "/list": answer(listing(range(8), "<a rel=next href='/list?page=2'>next</a>").encode()),
        "/list?page=2": redirect("/list"),
    }
    with Fetcher(allow_private=True, robots=False) as fetcher:
        found = follow(f"{site.url}/list", fetch=fetcher, pause=0)
    assert (len(found), found.stopped) == (8, "loop")
    assert "read already" in found.why


def test_private_addresses_are_not_fetched() -> None:
    with pytest.raises(FastwrapError, match="not a public address"):
        follow("http://127.0.0.1:9/list")
    first = fastwrap.Page(listing(range(8), "<a rel=next href='/list?page=2'>next</a>"), "http://127.0.0.1:9/list")
    found = follow(first, pause=0)
    assert (len(found), found.stopped) == (8, "failed")
    assert "not a public address" in found.why


def test_whatever_is_fetched() -> None:
    pages = shop(2)
    fetched = {url: Fetched(html.encode(), url, {"content-type": "text/html"}) for url, html in pages.items()}
    found = follow(URL + "1", fetch=lambda url: fetched[url], pause=0)
    assert len(found) == 9
