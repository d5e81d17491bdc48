"""The next-page link: on pages of many kinds and languages, on traps, and never a wrong kind of address."""

from __future__ import annotations

import json
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page, clean
from fastwrap._core.paging import pager as native
from fastwrap.paging import find, next_page, scanning
from fastwrap.paging.addresses import Address, Relation, relation
from fastwrap.paging.labels import points_of, saying
from tests.helpers.paths import CORPUS
from tests.paging.pages import HOME, RECORDS, found
from tests.reference.html import html
from tests.reference.paging import pager as plain

PAGING_CORPUS = CORPUS / "paging"

# Labels

LABELS = """
    Next|NEXT|Next page|Next >|next ›|[Next]|Next 20 results|Go to next page|Weiter|nächste Seite|Nächste »|Suivant
    Page suivante|Suivante ›|Siguiente|página siguiente|Próxima|Próximo ›|Seguinte|Avanti|Pagina successiva|Volgende
    Volgende pagina|Nästa|Næste|Neste|Seuraava|Dalej|Następna strona|Další|Následující ›|Ďalší|Következő|Următoarea
    İleri|Sonraki sayfa|Επόμενη|Далее|Следующая страница|ВПЕРЕД|Наступна|التالي|הבא|下一页|下一頁 >|次へ|次のページ
    次の20件|다음|Trang sau|Berikutnya|>|›|»|→|▶|&gt;&gt;|[&gt;]|Older posts|Ältere Beiträge|More results|Mehr
    """


@pytest.mark.parametrize("label", [label.strip() for label in LABELS.strip().replace("\n", "|").split("|")])
def test_a_label_is_understood(label: str) -> None:
    assert found(f"<p><a href='/about'>About us</a> <a href='/list?page=2'>{label}</a></p>") == HOME + "?page=2"


@pytest.mark.parametrize(
    "link",
    [
        "<a href='?page=2' rel=next>mehr davon</a>",
        "<a href='?page=2' rel='nofollow next'>2</a>",
        "<a href='?page=2' class=pager-next></a>",
        "<a href='?page=2' class='btnNext'>Vidare</a>",
        "<a href='?page=2' id=nextPage><i></i></a>",
        "<li class=next><a href='?page=2'>edasi</a></li>",
        "<a href='?page=2' title='Nächste Seite'>&gt;&gt;|</a>",
        "<a href='?page=2' aria-label='Page suivante'><svg></svg></a>",
        "<a href='?page=2'><img src='/i/arrow.gif' alt='Weiter'></a>",
        "<a href='?page=2'><img src='/i/next.gif'></a>",
        "<a href='?page=2'><i class='icon-chevron-right'></i></a>",
        "<map><area href='?page=2' alt='Next'></map>",
    ],
)
def test_a_mark_is_understood(link: str) -> None:
    assert found(f"<div class=pagination>{link}</div>") == HOME + "?page=2"


@pytest.mark.parametrize(
    ("links", "url", "expected"),
    [
        # The current page is no link, is marked, or leads nowhere.
        ("<b>1</b> <a href='?page=2'>2</a> <a href='?page=3'>3</a>", HOME, HOME + "?page=2"),
        (
            "<a href='?page=1'>1</a> <span>2</span> <a href='?page=3'>3</a> ... <a href='?page=9'>9</a>",
            HOME + "?page=2",
            HOME + "?page=3",
        ),
        (
            "<ul><li><a href='/list/1'>1</a><li class=active><a href='/list/2'>2</a><li><a href='/list/3'>3</a></ul>",
            "http://example.org/list/2",
            "http://example.org/list/3",
        ),
        ("<a href='#'>1</a> <a href='?s=20'>2</a> <a href='?s=40'>3</a>", HOME, HOME + "?s=20"),
        ("Pages: 1 <a href='?page=2'>2</a> <a href='?page=3'>3</a>", HOME, HOME + "?page=2"),
        ("| 1 | <a href='?page=2'>2</a> | <a href='?page=3'>3</a> |", HOME, HOME + "?page=2"),
        ("[1] <a href='?page=2'>[2]</a> <a href='?page=3'>[3]</a>", HOME, HOME + "?page=2"),
        ("1-10 <a href='?from=11'>11-20</a> <a href='?from=21'>21-30</a>", HOME, HOME + "?from=11"),
        # All are links: the address of the page tells.
        ("".join(f"<a href='?p={k}'>{k}</a> " for k in range(1, 9)), HOME + "?p=4", HOME + "?p=5"),
        ("".join(f"<a href='?p={k}'>{k}</a> " for k in range(1, 9)), HOME, HOME + "?p=2"),
        # "Next" may lead to the next few pages.
        ("<b>1</b> <a href='?page=2'>2</a> <a href='?page=3'>3</a> <a href='?page=9'>Next</a>", HOME, HOME + "?page=2"),
        # Numbers of pages and of records before them, in paths and queries.
        ("<a href='/list/page/2/'>Next</a>", HOME + "/", "http://example.org/list/page/2/"),
        ("<a href='/list-2.html'>Next</a>", "http://example.org/list.html", "http://example.org/list-2.html"),
        ("<a href='index2.html'>Next</a>", "http://example.org/l/", "http://example.org/l/index2.html"),
        ("<a href='/list?start=40&q=a'>Next</a>", HOME + "?q=a&start=20", HOME + "?start=40&q=a"),
        ("<a href='/list?after=t3_abc'>next ›</a>", HOME + "?after=t3_aaa", HOME + "?after=t3_abc"),
        # The address of the page does not look like that of the next, but the label is plain.
        ("<a href='/cgi/results?q=a&offset=10'>Next 10</a>", HOME, "http://example.org/cgi/results?q=a&offset=10"),
        ("<div class=pager><a href='/list?token=xyz'>Next</a></div>", HOME, HOME + "?token=xyz"),
        # Two pagers: that of this listing counts on from here.
        (
            "<b>1</b> <a href='/news/page/2'>2</a> <a href='/news/page/3'>3</a><p>"
            "<a href='/list/page/1'>1</a> <b>2</b> <a href='/list/page/3'>3</a>",
            "http://example.org/list/page/2",
            "http://example.org/list/page/3",
        ),
        # On the first of two pages, next and last are one.
        ("<a href='?page=2'>next</a> <a href='?page=2'>last</a>", HOME, HOME + "?page=2"),
        ("<a href='?page=2'>2</a> <a href='?page=2' class='next last'>›</a>", HOME, HOME + "?page=2"),
        # What the page itself calls next is next.
        (
            "<div class=nav-previous><a href='/list/page/5'>Older posts</a></div>"
            "<div class=nav-next><a href='/list/page/3'>Newer posts</a></div>",
            "http://example.org/list/page/4",
            "http://example.org/list/page/3",
        ),
    ],
)  # fmt: skip
def test_the_next_page_is_found(links: str, url: str, expected: str) -> None:
    assert found(links, url) == expected


@pytest.mark.parametrize(
    ("links", "url"),
    [
        ("", HOME),
        # The last page.
        ("<a href='?page=1'>« Previous</a> <a href='?page=1'>1</a> <a href='?page=2'>2</a> <b>3</b>", HOME + "?page=3"),
        ("<a href='?page=2'>Vorherige</a> <a class='next disabled' href='?page=3'>Weiter</a>", HOME + "?page=3"),
        ("<ul><li class=disabled><a href='?page=4'>Next</a></li></ul>", HOME + "?page=3"),
        ("<a href='?page=3'>Next</a>", HOME + "?page=3"),
        ("<a href='/list/?page=3#top'>Next</a>", HOME + "?page=3"),
        # The first, the last, and all pages are not the next one.
        ("<a href='?page=9'>Last »</a>", HOME),
        ("<a href='?page=9' title='Letzte Seite'>»</a>", HOME),
        ("<a class=next href='?limit=all'>Show all</a>", HOME + "?page=3"),
        # Pictures that change without a new page.
        ("<div class=carousel><a href='#' class=prev>‹</a><a href='#' class=next>›</a></div>", HOME),
        ("<a href='javascript:show(2)'>Next</a>", HOME),
        ("<a href='javascript:void(0)' class=next>2</a>", HOME),
        ("<div class=slideshow><a href='/slides/two' class=next>next</a></div>", HOME),
        # Articles and threads.
        ("<a href='/2016/05/another-story/' rel=next>Another story about things →</a>", "http://example.org/2016/05/a/"),
        ("<div class=nav-next><a href='/another-story/'>Another story about things</a></div>", "http://example.org/a/"),
        ("<a href='/another-story'>Next article</a>", HOME),
        ("<a href='/t/2'>Nächstes Thema</a> <a href='/t/0'>Previous topic</a>", "http://example.org/t/1"),
        ("<a href='showthread.php?t=12&goto=nextnewest'>Next Thread</a>", "http://example.org/showthread.php?t=12"),
        # Calendars.
        ("<a href='/list?month=2016-04'>Next month</a>", HOME),
        ("<table class=calendar><tr><td><a href='?m=2'>« Feb</a><td><a href='?m=4'>Apr »</a></table>", HOME),
        ("<table><tr>" + "".join(f"<td>{k}" for k in range(1, 9)) + "<td><a href='/2016/03/09'>9</a></table>", HOME),
        ("<a href='/2016/04/'>Next</a>", "http://example.org/2016/03/"),
        # Every record has it.
        ("".join(f"<p>A thing. <a href='/list/{k}'>more »</a></p>" for k in range(5)), HOME),
        ("".join(f"<p><a href='/weiter?p={k}'>weiter</a></p>" for k in range(5)), HOME),
        # Pages of threads in a list of threads.
        ("".join(f"<p>Talk <a href='/t/{k}?page=2'>2</a> <a href='/t/{k}?page=3'>3</a></p>" for k in range(9)), HOME),
        # Elsewhere.
        ("<a href='http://another.example/list?page=2'>Next</a>", HOME),
        ("<a href='mailto:next@example.org'>next</a> <a href='ftp://example.org/next'>next</a>", HOME),
        ("<a href='http://[next'>Next</a>", HOME),
        ("<a href='/ratings'>1</a> <a href='/votes'>2</a>", HOME),
        ("<a href='/nextgen'>The next generation of things is here</a>", HOME),
    ],
)  # fmt: skip
def test_what_is_not_the_next_page(links: str, url: str) -> None:
    assert found(links, url) is None


# What the head says

HEAD = "<link rel=next href='/list?page=2'>"


def test_the_head_tells() -> None:
    assert found("", head=HEAD) == HOME + "?page=2"
    assert found("", head="<link rel=next title='A story about things' href='/stories/7'>") is None


def test_the_head_is_not_believed_where_the_page_says_the_contrary() -> None:
    assert found("<div class=nav-previous><a href='/list?page=2'>Older posts</a></div>", head=HEAD) is None


def test_links_are_relative_to_the_base() -> None:
    base = "<base href='http://example.org/a/b/'>"
    assert found("<a href='list?page=2'>Next</a>", "http://example.org/a/b/list", base) == (
        "http://example.org/a/b/list?page=2"
    )
    assert found("<a href='?page=2'>Next</a>", None, base) == "http://example.org/a/b/?page=2"


def test_without_an_address_the_link_is_as_it_stands() -> None:
    assert found("<a href='list?page=2'>Next</a>", None) == "list?page=2"
    assert found("<b>1</b> <a href='list-2'>2</a> <a href='list-3'>3</a>", None) == "list-2"
    assert found("<a href='about'>About</a>", None) is None


def test_the_address_that_a_page_states_is_as_good() -> None:
    numbers = "".join(f"<a href='/list?p={k}'>{k}</a> " for k in range(1, 9))
    assert found(numbers, None, "<link rel=canonical href='http://example.org/list?p=4'>") == "/list?p=5"
    assert found(numbers, None) is None


def test_a_cleaned_page_is_asked_for_the_original() -> None:
    page = Page(f"<h1>List</h1>{RECORDS}<div><p><a href='/list?page=2'>Next</a></p></div>", HOME)
    assert next_page(clean(page)) == HOME + "?page=2"


# Addresses


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        ("/l", "/l?page=2", "STEP"),
        ("/l?page=2", "/l?page=3", "STEP"),
        ("/l?page=3", "/l?page=2", "BACK"),
        ("/l?page=2", "/l", "BACK"),
        ("/l?page=2", "/l?sort=price", "KIN"),
        ("/l", "/l/", "SAME"),
        ("/l?a=1&b=2", "/l?b=2&a=1", "SAME"),
        ("/l", "/l?sort=price", "KIN"),
        ("/l?offset=20", "/l?offset=40", "STEP"),
        ("/l?x=3", "/l?x=4", "STEP"),
        ("/l?page=0,2", "/l?page=0,1", "BACK"),
        ("/l", "/l?page=about", "KIN"),
        ("/l", "/l?per_page=48", "KIN"),
        ("/l?b_start:int=20", "/l?b_start:int=40", "STEP"),
        ("/l", "/l?cursor=abc", "STEP"),
        ("/l", "/l?offset=1762241520670", "STEP"),
        ("/l/1-10", "/l/11-20", "STEP"),
        ("/l/11-20", "/l/1-10", "BACK"),
        ("/l/1-10", "/l/31-40", "KIN"),
        ("/a/b", "/a/page-2/b", "STEP"),
        ("/a/page/2/b", "/a/b", "BACK"),
        ("/a/b", "/a/color-2/b", "KIN"),
        ("/a/b", "/a/sort:new/seite:2/b", "PAGED"),
        ("/i.php?/t/12-a/", "/i.php?/t/12-a/page/2/", "STEP"),
        ("/l?id=5001", "/l?id=5002", "KIN"),
        ("/l?month=3", "/l?month=4", "KIN"),
        ("/l", "/l/page/2", "STEP"),
        ("/l/page/2", "/l/page/3/", "STEP"),
        ("/l/page/2", "/l", "BACK"),
        ("/l.html", "/l-2.html", "STEP"),
        ("/index.html", "/page2.html", "STEP"),
        ("/a.b.123/", "/a.b.123/page-2", "STEP"),
        ("/l/2016/01", "/l/2016/01/page/2", "STEP"),
        ("/l/2016/01/page/2", "/l/2016/01/page/3", "STEP"),
        ("/2016/03", "/2016/04", "KIN"),
        ("/l", "/l/2016", "KIN"),
        ("/l/20", "/l/40", "STEP"),
        ("/l/20", "/l/33", "KIN"),
        ("/forum", "/forum/new/page/2", "PAGED"),
        ("/2016/index.php?c=1", "/index.php?c=1&page=2", "STEP"),
        ("/a/b", "/c/d", "OTHER"),
    ],
)
def test_relations_of_addresses(here: str, there: str, expected: str) -> None:
    site = "http://www.example.org"
    assert relation(Address(site + here), Address("https://example.org" + there)) is Relation[expected]
    assert relation(Address(site + here), Address("http://example.com" + there)) is Relation.FOREIGN


# Properties

PARTS = st.sampled_from(
    [
        "<a href='?page=2'>", "<a href='/list?page=3'>", "<a href='#'>", "<a href=''>", "<a>", "<a href='javascript:'>",
        "<a href='http://example.org/list' class=next>", "<a href='//example.com/2' rel=next>", "<a href='http://[2'>",
        "<a href='/list/page/2' title='Next page'>", "<area href='?start=20' alt=weiter>", "<a href=x aria-label='次'>",
        "<link rel=next href='?page=2'>", "<link rel='prev' href='?page=2'>", "<link rel=canonical href=/list>",
        "<base href='/b/'>", "<base href='http://example.net/b/'>", "<base href='http://['>", "<base>",
        "</a>", "<p>", "</p>", "<li class='next active'>", "<div class=nav-previous>", "</div>", "<b>", "</b>",
        "<i class='icon-right'>", "<img src='/i/next.gif'>", "<img alt='Nächste' src=x>",
        "<svg><use xlink:href='#next'/></svg>", "<svg><use href='#arrow-forward'/></svg>",
        "<svg><a href='?p=2'>2</a>",
        "1", "2", " 3 ", "[4]", "(5)", "11-20", "21 – 30", "5-3", "9-1", "6.", "7 -", "123456",
        "| 8 |", "Pages: 1", "page 2,", "-9",
        "Next", "next »", "NEXT PAGE", "weiter", "»", "›", ">", "<<", "→", "»»", "［", "次へ", "下一页", "다음",
        "İleri", "Page 2", "Go to page 3",
        "صفحه 4", "٢", "۳", "१", "২", "๒", "［５］", "１-２", "\u0669\u066a",
        "Older posts", "more", "last", "« prev", "Ä", "é", "\u2003", "\x80", "text",
    ]
)  # fmt: skip
pagers_html = st.lists(st.one_of(PARTS, PARTS, html), max_size=30).map("".join)
"""Pages with much that looks like a pager."""
urls = st.sampled_from(
    [None, HOME, HOME + "?page=2", "http://example.org/list/page/2/", "list", "http://[", "", "file:///a"]
)


@settings(max_examples=2000)
@given(pagers_html, urls)
def test_the_next_page_is_an_address_other_than_the_own(source: str, url: str | None) -> None:
    page = Page(source, url)
    address = next_page(page)
    if address is not None:
        assert address
        assert "#" not in address
        if url:
            assert urlsplit(address).scheme in ("http", "https")
            assert address != urldefrag(url)[0]


@settings(max_examples=500)
@given(html)
def test_random_html_is_no_harm(source: str) -> None:
    assert next_page(Page(source, HOME)) != HOME


def scans(page: Page, rules: scanning.ScanRules) -> list[list[list[list[int]]]]:
    """What the kernel and its twin find."""
    found = []
    for links, numbers in (
        native.scan(page.native, scanning.label_heads(), scanning.page_heads(), rules),
        plain.scan(page, scanning.label_heads(), scanning.page_heads(), rules),
    ):
        assert links.dtype == numbers.dtype == "int32"
        assert links.shape[1:] == (2,)
        assert numbers.shape[1:] == (5,)
        found.append([links.tolist(), numbers.tolist()])
    return found


rules = st.builds(scanning.ScanRules, st.integers(0, 70), st.integers(-1, 9), st.integers(1, 20), st.integers(0, 3))


@settings(max_examples=2000)
@given(pagers_html, rules)
def test_the_kernel_finds_what_its_twin_finds(source: str, rules: scanning.ScanRules) -> None:
    compiled, in_plain = scans(Page(source), rules)
    assert compiled == in_plain


def test_the_kernel_finds_what_its_twin_finds_on_the_examples(example: bytes) -> None:
    compiled, in_plain = scans(Page(example), scanning.ScanRules())
    assert compiled == in_plain


def test_heads_of_another_type_are_refused() -> None:
    heads = scanning.label_heads()
    wrong = heads.astype("uint32")
    for label_heads, page_heads in ((wrong, heads), (heads, wrong)):
        with pytest.raises(ValueError, match="length"):
            native.scan(Page("x").native, label_heads, page_heads, scanning.ScanRules())


@pytest.mark.parametrize(
    "repeated",
    [
        "<a href='?page={0}'>Next {0}</a>",
        "<a class=next href='/{0}'>{0}</a>",
        "<b>{0}</b> <a href='?page={0}'>{1}</a><p><p><p>",
        "<link rel=next href='?page={0}'><link rel=prev href='?page={0}'>",
        "<a href='" + "a" * 3000 + "{0}'>Next</a>",
    ],
)
def test_large_pages_are_read_in_linear_time(repeated: str) -> None:
    # A quadratic step would take minutes here.
    source = "".join(repeated.format(k, k + 1) for k in range(20_000))
    address = next_page(Page(source, HOME))
    assert address is None or address.startswith("http://example.org/")


# What is said when a budget is met


def on_page(links: str) -> Page:
    """A page with these links below its list."""
    return Page(f"<h1>List</h1>{RECORDS}{links}", HOME)


HOSTILE = {
    # Links with labels in the middle of very many are not looked at.
    "paging.labels": "".join(f"<a href='/other/{k}'>Next {k} days of {k}</a> " for k in range(300)),
    # So are the links that follow current numbers, ...
    "paging.numbers": "".join(
        f"<div><b>{k}</b> <a href='/other/{k}'>{k + 1}</a></div><p><p><p><p><p>" for k in range(1, 60)
    ),
    "paging.addresses": "<a href='/" + "a" * 3000 + "'>Next</a>",
}


@pytest.mark.parametrize("limit", HOSTILE)
def test_a_budget_that_was_met_is_said(limit: str) -> None:
    found = find(on_page(HOSTILE[limit]))
    assert limit in found.limits
    assert found.address == next_page(on_page(HOSTILE[limit]))


def test_a_long_row_of_links_is_a_limit_if_no_step_was_seen() -> None:
    row = "".join(f"<a href='/list?p={k}'>{k}</a> " for k in range(1, 60))
    shown = find(Page(RECORDS + row, HOME + "?p=5"))
    assert shown == (HOME + "?p=6", ())
    beyond = find(Page(RECORDS + row, HOME + "?p=50"))
    assert beyond == (None, ("paging.numbers",))


def test_ranges_that_run_backwards_are_no_harm() -> None:
    assert found("<b>4</b> <a href='?a=5'>5-3</a> <a href='?a=6'>5</a> <a href='?a=7'>6</a>") is None


@pytest.mark.parametrize("links", ["", "<a href='?page=2'>Next</a>", "<b>1</b> <a href='?page=2'>2</a>"])
def test_usual_pages_have_no_limits(links: str) -> None:
    assert find(on_page(links)).limits == ()


def test_long_texts_are_not_kept_as_labels() -> None:
    before = points_of.cache_info().currsize
    assert saying("Next " * 1_000_000) == 0
    assert points_of.cache_info().currsize == before


@pytest.mark.corpus
def test_real_pages() -> None:
    if not PAGING_CORPUS.is_dir():
        pytest.skip(f"no pages in {PAGING_CORPUS}: this test needs the shared corpus")
    right = wrong = missed = false = 0
    for line in (PAGING_CORPUS / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        wanted = {urldefrag(address)[0] for address in truth["next"]}
        address = next_page(Page((PAGING_CORPUS / truth["page"]).read_bytes(), truth["url"]))
        assert address is None or urljoin(truth["url"], address) == address
        right += address in wanted
        missed += bool(wanted) and address is None
        wrong += bool(wanted) and address is not None and address not in wanted
        false += not wanted and address is not None
    assert 2 * right / (2 * right + missed + 2 * wrong + false) >= 0.96
