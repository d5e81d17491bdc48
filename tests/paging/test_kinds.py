"""Kinds of pagers: icons, numbers, cursors, paths, links that load more; and what only looks like one."""

from __future__ import annotations

import pytest

from tests.paging.pages import HOME, found

SITE = "http://example.org"

FOUND = [
    ("<a href='?page=0%2C1'>›</a>", HOME, HOME + "?page=0%2C1"),
    ("<a href='?page=0,2'>›</a>", HOME + "?page=0,1", HOME + "?page=0,2"),
    ("<a href='/t/12-a/page__st__20'>Next</a>", SITE + "/t/12-a/", SITE + "/t/12-a/page__st__20"),
    ("[<b>1</b>] <a href='?t=12.15'>2</a> <a href='?t=12.30'>3</a>", HOME + "?t=12.0", HOME + "?t=12.15"),
    ("<a href='?page=2'>&gt;</a> <a href='?page=9'>&gt;|</a>", HOME, HOME + "?page=2"),
    ("| <a href='?page=2'> | &gt; | </a> |", HOME, HOME + "?page=2"),
    ("<a href='?page=2'><i class='fa fa-angle-right'></i></a>", HOME, HOME + "?page=2"),
    (
        "<a href='?page=2'><span class='glyphicon glyphicon-menu-right' aria-hidden=true></span></a>",
        HOME,
        HOME + "?page=2",
    ),
    (
        "<a href='?page=2'><svg class='icon'><use xlink:href='#icon-chevron-right'></use></svg></a>",
        HOME,
        HOME + "?page=2",
    ),
    ("<a href='?page=2'><svg><use href='/sprite.svg#arrow-next'/></svg></a>", HOME, HOME + "?page=2"),
    ("<a href='?page=2'><svg><title>Next page</title><path d='M0 0'/></svg></a>", HOME, HOME + "?page=2"),
    ("<a href='?page=2'><svg aria-label='Next'><path d='M0'/></svg></a>", HOME, HOME + "?page=2"),
    ("<a href='?page=2'><span class=sr-only>Next</span><svg></svg></a>", HOME, HOME + "?page=2"),
    ("<a href='?page=2'><i class=material-icons>chevron_right</i></a>", HOME, HOME + "?page=2"),
    ("<a href='?page=2'><img src='/img/arrow_right.png' alt=''></a>", HOME, HOME + "?page=2"),
    ("<a href='?page=2'><img src='/img/forward.png' alt=''></a>", HOME, HOME + "?page=2"),
    ("<nav aria-label=Pagination><a href='?page=2' aria-label='Next'>›</a></nav>", HOME, HOME + "?page=2"),
    ("<a href='?page=2' aria-label='Go to next page'></a>", HOME, HOME + "?page=2"),
    ("<a class='pagination__next' href='?page=2'></a>", HOME, HOME + "?page=2"),
    ("<a class='page-link' data-x rel=next href='?page=2'><span></span></a>", HOME, HOME + "?page=2"),
    (
        "<nav><a href='?page=1' aria-current=page>1</a> <a href='?page=2'>2</a> <a href='?page=3'>3</a></nav>",
        None,
        "?page=2",
    ),
    (
        "<nav><a href='?page=1'>1</a> <a href='?page=2' aria-current='true'>2</a> <a href='?page=3'>3</a></nav>",
        None,
        "?page=3",
    ),
    (
        "<ul class=pages><li class=on><a href='/list/'>1</a><li><a href='/list/20'>2</a><li>"
        "<a href='/list/40'>3</a></ul>",
        HOME,
        HOME + "/20",
    ),
    ("<span>۱</span> <a href='?page=2'>۲</a> <a href='?page=3'>۳</a>", HOME, HOME + "?page=2"),
    ("<span>１</span> <a href='?page=2'>２</a> <a href='?page=3'>３</a>", HOME, HOME + "?page=2"),
    ("<span>Page 1</span> <a href='?page=2'>Page 2</a> <a href='?page=3'>Page 3</a>", HOME, HOME + "?page=2"),
    (
        "<b>1</b> <a href='?show=50&q=a'>2</a> <a href='?show=100&q=a'>3</a>",
        HOME + "?q=a&cat=anime",
        HOME + "?show=50&q=a",
    ),
    ("<b>1</b> <a href='/results/21/20/2/x'>2</a> <a href='/results/41/20/3/x'>3</a>", None, "/results/21/20/2/x"),
    ("<a href='?page=1'>1</a> <a href='?page=3'>3</a> <a href='?page=4'>4</a>", None, "?page=3"),
    ("<a href='?page=2'>2</a> <a href='?page=3'>3</a> <a href='?page=4'>4</a>", None, "?page=2"),
    (
        "<ul><li>1<li class=next-to-active><a href='?page=2'>2</a><li class=next-to-active>"
        "<a href='?page=3'>3</a></ul>",
        HOME,
        HOME + "?page=2",
    ),
    ("<select><option>1<option>2</select> <a href='?page=2'>2</a> <a href='?page=3'>3</a>", HOME, HOME + "?page=2"),
    ("<a href='?after=t3_abc&count=25'>next ›</a>", HOME, HOME + "?after=t3_abc&count=25"),
    ("<a href='?cursor=eyJpZCI6MTB9'>Load more</a>", HOME, HOME + "?cursor=eyJpZCI6MTB9"),
    ("<a href='/list?offset=1762241520670'>Older</a>", HOME, HOME + "?offset=1762241520670"),
    ("<a href='/list?offset=1762241520670'>Older</a>", HOME + "?offset=1782241520670", HOME + "?offset=1762241520670"),
    ("<a href='?pageToken=CAUQAA'>Next page</a>", HOME, HOME + "?pageToken=CAUQAA"),
    (
        "<a href='/search?updated-max=2016-01-01T00:00:00&max-results=7&start=7'>Older Posts</a>",
        SITE + "/",
        SITE + "/search?updated-max=2016-01-01T00:00:00&max-results=7&start=7",
    ),
    ("<a href='?from=21&to=40'>Next</a>", HOME + "?from=1&to=20", HOME + "?from=21&to=40"),
    ("<a href='?continuation=abc'>Show more</a>", HOME, HOME + "?continuation=abc"),
    ("<a class='btn load-more' href='/list?page=2'>Load more</a>", HOME, HOME + "?page=2"),
    ("<div class=load-more><a href='/list/page/2/'>Mehr laden</a></div>", HOME + "/", HOME + "/page/2/"),
    ("<a href='/list?p=2'>Show more products</a>", HOME, HOME + "?p=2"),
    ("<a href='/seite:2/hunde'>Weiter</a>", SITE + "/hunde", SITE + "/seite:2/hunde"),
    ("<a href='/cat/page-2/shoes'>›</a>", SITE + "/cat/shoes", SITE + "/cat/page-2/shoes"),
    ("<a href='/cat/page/3/shoes'>›</a>", SITE + "/cat/page/2/shoes", SITE + "/cat/page/3/shoes"),
    ("<a href='/list/11-20/all.html'>›</a>", HOME + "/1-10/all.html", HOME + "/11-20/all.html"),
    (
        "<a href='/index.php?/topic/12-a/page/2/'>Next</a>",
        SITE + "/index.php?/topic/12-a/",
        SITE + "/index.php?/topic/12-a/page/2/",
    ),
    ("<a href='/list_2.html'>&gt;</a>", HOME + ".html", HOME + "_2.html"),
    ("<a href='/list/p2'>&gt;</a>", HOME, HOME + "/p2"),
    ("<a href='/list/pg/2'>&gt;</a>", HOME, HOME + "/pg/2"),
    ("<a href='/list;page=2'>&gt;</a>", HOME, HOME + ";page=2"),
    ("<a href='/forum/f12/index2.html'>&gt;</a>", SITE + "/forum/f12/", SITE + "/forum/f12/index2.html"),
    (
        "<a href='forumdisplay.php?f=12&page=2&order=desc'>&gt;</a>",
        SITE + "/forumdisplay.php?f=12",
        SITE + "/forumdisplay.php?f=12&page=2&order=desc",
    ),
    (
        "<a href='viewforum.php?f=12&start=50&sid=abc'>Next</a>",
        SITE + "/viewforum.php?f=12&sid=def",
        SITE + "/viewforum.php?f=12&start=50&sid=abc",
    ),
    ("<a href='/tag/x-f26-25.html'>Suivante</a>", SITE + "/tag/x-f26.html", SITE + "/tag/x-f26-25.html"),
    ("<a href='?page=2' rel=prev>2</a> <b>3</b> <a href='?page=4'>4</a>", HOME + "?page=3", HOME + "?page=4"),
]
NOT_FOUND = [
    ("<a href='?page=9'>&gt;|</a>", HOME),
    ("<a href='?page=9'>»|</a>", HOME),
    ("<a href='?page=0,1'>›</a> <a href='?page=0,1'>Zurück</a>", HOME + "?page=0,2"),
    ("<a href='/next-story' class=next>Next article</a>", SITE + "/story"),
    (
        "<nav class=post-navigation><div class=nav-next><a href='/another' rel=next>"
        "<span class=meta-nav>Next</span> <span class=post-title>Another fine story</span></a></div></nav>",
        SITE + "/story",
    ),
    ("<a class=next-post href='/blog/another'>Next</a>", SITE + "/blog/one"),
    (
        "<div class=next>"
        "<a href='/blog/another' aria-label='Next page'>Next Post How to do all of these fine things at home</a>"
        "</div>",
        SITE + "/blog/one",
    ),
    (
        "<nav class=pagination-nav><a class='pagination-nav__link--next' href='/docs/intro'><div>Next</div>"
        "<div>Getting started</div></a></nav>",
        SITE + "/docs",
    ),
    ("<a rel=next href='/docs/b'>Next: Installation</a>", SITE + "/docs/a"),
    ("<a href='/docs/b' class=next>Installation →</a>", SITE + "/docs/a"),
    ("<a href='#slide2' class='carousel-control-next'>Next</a>", HOME),
    (
        "<a class='carousel-control right' href='#carousel' data-slide=next>"
        "<span class='glyphicon-chevron-right'></span></a>",
        HOME,
    ),
    ("<div class=swiper-button-next><a href='/promo/2'></a></div>", HOME),
    ("<div class='slider'><a class=next href='/promo/2'>›</a></div>", HOME),
    ("<a href='/photo/12'>Next photo</a>", SITE + "/photo/11"),
    ("<a href='/gallery/12'>Nächstes Bild</a>", SITE + "/gallery/11"),
    ("<a href='/calendar/2016/04'>April »</a>", SITE + "/calendar/2016/03"),
    ("<a href='/events?month=4&year=2016'>Next Month</a>", SITE + "/events?month=3&year=2016"),
    ("<a href='/events?date=2016-04-01'>›</a>", SITE + "/events?date=2016-03-01"),
    ("<a href='/events/2016-04-08/'>Next week</a>", SITE + "/events/2016-04-01/"),
    ("<a href='showthread.php?t=12&goto=nextnewest'>Next Thread</a>", SITE + "/showthread.php?t=12"),
    ("<a href='/t/13'>Следующая тема</a>", SITE + "/t/12"),
    ("<a href='/t/13'>下一篇</a>", SITE + "/t/12"),
    ("<a href='/chapter-4'>Next Chapter</a>", SITE + "/chapter-3"),
    ("<a href='/n/5'>次の記事</a>", SITE + "/n/4"),
    ("<b>3</b> <a href='/rate?id=7&stars=4'>4</a> <a href='/rate?id=7&stars=5'>5</a>", HOME),
    ("<div class=rating><b>3</b> <a href='?stars=4'>4</a> <a href='?stars=5'>5</a></div>", HOME),
    ("<b>20</b> <a href='/2016/03/21'>21</a> <a href='/2016/03/22'>22</a>", SITE + "/blog"),
    ("<b>20</b> <a href='?day=21'>21</a> <a href='?day=22'>22</a>", SITE + "/blog"),
    ("<a href='?page=2' aria-disabled=true>Next</a>", HOME),
    ("<li class='page-item disabled'><a href='?page=2'>Next</a></li>", HOME),
    ("<span class='next disabled'>Next</span>", HOME),
    ("<a href='?page=2'>« Older Entries</a>", HOME + "?page=1"),
    ("<a href='/about'>Next steps</a>", HOME),
    ("<a href='/cart?step=2'>Weiter zur Kasse</a>", HOME),
    ("<a href='/checkout'>Continue</a>", HOME),
    ("<a href='/next'>NEXT</a> <a href='/mango'>MANGO</a> <a href='/zara'>ZARA</a>", SITE + "/brands"),
    ("<a href='/more'>More</a>", HOME),
    ("<a href='/list?sort=asc'>▶</a>", HOME),
    ("<a href='/video/2'>▶ Play</a>", HOME),
    ("<a href='/login?next=/list'>Log in</a>", HOME),
    ("<a href='/list?page=1'>1</a> <a href='/list?page=2'>2</a> <b>3</b>", HOME + "?page=3"),
    (
        "<a href='/list?page=1'>1</a> <a href='/list?page=2'>2</a> <a href='/list?page=3' class=active>3</a>",
        HOME + "?page=3",
    ),
    ("<a href='/list?page=1'>1</a> <a href='/list?page=2'>2</a> <a href='/list?page=3'>3</a>", HOME + "?page=3"),
    ("<a href='/list?page=2'>Zurück</a> Seite 3 von 3", HOME + "?page=3"),
    ("<a href='?page=2'>上一页</a> <a href='?page=1'>首页</a>", HOME + "?page=3"),
    ("<a href='?page=2'>قبلی</a>", HOME + "?page=3"),
    ("<a href='?page=2'>הקודם</a>", HOME + "?page=3"),
    ("<a href='?page=2'>ก่อนหน้า</a>", HOME + "?page=3"),
    ("<a href='?page=2'>前へ</a>", HOME + "?page=3"),
    ("<a href='?page=2'>पिछला</a>", HOME + "?page=3"),
    ("<a href='?page=2'>Sebelumnya</a>", HOME + "?page=3"),
    ("<a href='?page=2'>Trang trước</a>", HOME + "?page=3"),
    ("<a href='?page=2'>← </a>", HOME + "?page=3"),
    ("<a href='https://twitter.com/share?u=x' class='icon-right'></a>", HOME),
]


@pytest.mark.parametrize(("links", "url", "expected"), FOUND)
def test_the_next_page_is_found(links: str, url: str | None, expected: str) -> None:
    assert found(links, url) == expected


@pytest.mark.parametrize(("links", "url"), NOT_FOUND)
def test_what_only_looks_like_it(links: str, url: str) -> None:
    assert found(links, url) is None


def test_where_addresses_differ_the_word_is_preferred() -> None:
    numbers = "<b>1</b> <a href='?page=2&ref=number'>2</a> <a href='?page=3&ref=number'>3</a> "
    assert found(numbers + "<a href='?page=2&ref=word'>Next</a>") == HOME + "?page=2&ref=word"
    assert found(numbers + "<a href='?page=11&ref=word'>Next</a>") == HOME + "?page=2&ref=number"  # the next ten pages
    assert found("<p>" * 99 + numbers + "<p>" * 99 + "<a href='?page=2&x=far'>Next</a>") == HOME + "?page=2&ref=number"


def test_what_is_seen_is_preferred_to_the_head() -> None:
    head = "<link rel=next href='/list?page=2&ref=head'>"
    assert found("<a href='?page=2&ref=seen'>Next</a>", head=head) == HOME + "?page=2&ref=seen"
    assert found("", head=head) == HOME + "?page=2&ref=head"


def test_the_head_of_a_front_page_is_not_enough() -> None:
    head = "<link rel=next href='http://example.org/?paged=2'>"
    assert found("", SITE + "/", head) is None
    assert found("<a href='http://example.org/?paged=2'>2</a>", SITE + "/", head) == SITE + "/?paged=2"
    assert found("", SITE + "/?cat=3", head) == SITE + "/?paged=2"


def test_the_body_has_the_last_word_on_the_way() -> None:
    head = "<link rel=prev href='/list/page/3'><link rel=next href='/list/page/5'>"
    links = (
        "<div class=nav-previous><a href='/list/page/5'>Older posts</a></div>"
        "<div class=nav-next><a href='/list/page/3'>Newer posts</a></div>"
    )
    assert found(links, HOME + "/page/4", head) == HOME + "/page/3"


def test_icons_in_what_is_written_from_right_to_left() -> None:
    icon = "<a href='?page=2'><i class='icon-chevron-right'></i></a>"
    assert found(icon) == HOME + "?page=2"
    assert found(f"<div dir=rtl>{icon}</div>") is None
    assert found(f"<div dir=rtl><p dir=ltr>{icon}</p></div>") == HOME + "?page=2"


def test_more_of_a_list_that_a_front_page_shows_the_beginning_of() -> None:
    more = "<div><a href='/events?type=all&page=1'>More upcoming events</a></div>"
    assert found(more, SITE + "/") == SITE + "/events?type=all&page=1"
    assert found(more.replace("&page=1", ""), SITE + "/") is None
    assert found(more, SITE + "/news") is None
