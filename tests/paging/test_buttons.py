"""Buttons that load more: the address of the next part where the page has it, and that it has none where it has not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap.paging.buttons import More, more
from tests.helpers.hangs import ends_soon

URL = "http://shop.example/list"
LIST = "<ul><li>one<li>two<li>three</ul>"


@pytest.mark.parametrize(
    ("html", "address"),
    [
        ('<button data-url="/list?page=2">Load more</button>', "/list?page=2"),
        ('<button data-next-page-url="/list?page=2">Show more results</button>', "/list?page=2"),
        ('<a href="#" data-href="?page=2">Mehr anzeigen</a>', "/list?page=2"),
        ('<a href="javascript:void(0)" data-load-more-url="?offset=20">Ver más</a>', "/list?offset=20"),
        ('<button hx-get="/list?cursor=abc" hx-swap=outerHTML>More</button>', "/list?cursor=abc"),
        ('<div hx-get="/list?after=xyz1" class=load-more><button>Load more</button></div>', "/list?after=xyz1"),
        ('<div class="infinite-scroll" data-next-url="/list/page/2/"></div>', "/list/page/2/"),
        ('<input type=button value="Load more" data-ajax-url="/list?page=2">', "/list?page=2"),
        ('<div role=button class=load-more data-url="/list?page=2">もっと見る</div>', "/list?page=2"),
        ('<form action=/list><input type=hidden name=page value=2><button>Load more</button></form>', "/list?page=2"),
        ('<form action=/list><input type=hidden name=q value=a><button name=start value=20>More results</button>',
         "/list?q=a&start=20"),
        ('<button>Load more</button><script type=application/json>{"next_page_url":"\\/list?page=2"}</script>',
         "/list?page=2"),
        ('<button class="btn js-load-more" data-endpoint="/list?page=2"></button>', "/list?page=2"),
    ],
)  # fmt: skip
def test_addresses_that_are_there(html: str, address: str) -> None:
    found = more(Page(LIST + html, URL))
    assert found is not None
    assert found.address == "http://shop.example" + address


@pytest.mark.parametrize(
    ("html", "label"),
    [
        ("<button onclick=load()>Load more</button>", "Load more"),
        ('<button class="load-more" data-page=2>Load more</button>', "Load more"),
        ("<a href=# class=load-more>Show more</a>", "Show more"),
        ('<button data-url="https://other.example/list?page=2">Load more</button>', "Load more"),
        ('<button data-url="/list">Load more</button>', "Load more"),
        ('<button data-url="javascript:alert(1)">Load more</button>', "Load more"),
        ("<div class=infinite-scroll></div>", ""),
        ("<form method=post action=/list><input type=hidden name=page value=2><button>More results", "More results"),
        ('<button>Load more</button><script type=application/json>{"next": "/about"}</script>', "Load more"),
    ],
)  # fmt: skip
def test_addresses_that_are_not_there(html: str, label: str) -> None:
    assert more(Page(LIST + html, URL)) == More(None, label)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<button>Buy</button>",
        "<button disabled class=load-more data-url='?page=2'>Load more</button>",
        "<button class='load-more disabled' data-url='?page=2'>Load more</button>",
        "<a href=/about>More</a>",
        "<button>Previous</button>",
        "<button data-url='/list?page=2'>Delete</button>",
        "<input type=text value='Load more'>",
        "<button>\u25ba</button>",
        "<div class=carousel><button>Next</button></div>",
    ],
)
def test_nothing_to_press(html: str) -> None:
    assert more(Page(LIST + html, URL)) is None


def test_the_last_button_counts() -> None:
    cards = "".join(f"<li>{k} <button data-url='/item/{k}'>More about {k}</button>" for k in range(30))
    page = Page(f"<ul>{cards}</ul><button data-url='?page=2'>Load more</button>", URL)
    assert more(page) == More("http://shop.example/list?page=2", "Load more")


def test_addresses_without_that_of_the_page() -> None:
    assert more(Page(LIST + "<button data-url='/list?page=2'>Load more</button>")) == More("/list?page=2", "Load more")


pieces = st.sampled_from(
    [
        "<button", "<div", " class=load-more", " data-url=/list?page=2", " hx-get='?cursor=a'", ">", "Load more",
        "</button>", "<form>", "<input type=hidden name=page value=2>", "<a href=#>", "mehr", " disabled",
        "<script type=application/json>", '{"next":"/list?page=3"}', "</script>", "\x00", "é",
    ]
)  # fmt: skip


@given(st.lists(pieces, max_size=25).map("".join), st.sampled_from([None, URL, "http://[", "x"]))
def test_anything(html: str, url: str | None) -> None:
    found = more(Page(html, url))
    assert found is None or found.address is None or len(found.address) <= 2_100


def test_hostile_pages() -> None:
    with ends_soon():
        more(Page("<button data-" + "next-" * 100_000 + "x=/list?page=2>Load more</button>", URL))
        more(Page("<div class=load-more>" * 2_000 + "<button data-url=/>Load more</button>" * 20_000, URL))
        more(Page("<script type=application/json>" + '{"next":"/' * 100_000 + "</script>", URL))
        more(Page("<form>" + "<input type=hidden name=a value=b>" * 20_000 + "<button>Load more</button>" * 2_000, URL))
