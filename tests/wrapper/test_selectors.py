"""Selectors to take away: parsel and Scrapy select with them what the wrapper reads on the page it was learned from."""

from __future__ import annotations

from functools import partial
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, learn
from fastwrap.wrapper.conditions import BUDGET, escaped
from fastwrap.wrapper.selecting import LIMIT, Selectors, learn_selectors
from tests.helpers.sites import SITES, forum, shop

parsel = pytest.importorskip("parsel")


def texts_of(selection: Any) -> list[str]:
    return [text for text in (" ".join(text.split()) for text in selection.getall()) if text]


def cells_of(cell: Any) -> list[str]:
    return [text for text in (cell if isinstance(cell, list) else [cell]) if text is not None]


def check(wrapper: Wrapper, page: str, language: str) -> int:
    """Compare what the selectors of a language select with what the wrapper reads; how many columns have one."""
    selectors = wrapper.to_xpath() if language == "xpath" else wrapper.to_css()
    region = wrapper.extract(page).region(0)
    root = parsel.Selector(page)
    records = getattr(root, language)(selectors["records"])
    assert len(records) == len(region)
    names = [name.name for name in region.pattern.template.names]
    split = {
        item.column + k for item in region.pattern.template.items for k in range(item.width) if item.rule is not None
    }
    for record, row in zip(records, region.table.texts, strict=True):
        for name, path in selectors["columns"].items():
            column = names.index(name)
            selected = texts_of(getattr(record, language)(path))
            wanted = cells_of(row[column])
            if column in split:
                assert not wanted or wanted[0] in " ".join(selected)
            else:
                assert selected == wanted
    return len(selectors["columns"])


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("language", ["xpath", "css"])
def test_parsel_selects_the_same(site: str, number: int, language: str) -> None:
    page = SITES[site](number)
    wrapper = learn(page)
    known = check(wrapper, page, language)
    # A heading above the records is in none of them, and CSS has no way from a row to the next.
    assert known >= (5 if language == "xpath" else 3)


def test_without_tbody() -> None:
    """Parsers other than those of HTML5 add none, and the page has none."""
    assert "<tbody" not in forum(1)
    selectors = learn(forum(1)).to_xpath()
    assert len(parsel.Selector(forum(1)).xpath(selectors["records"])) == forum(1).count("class='thing'")
    with_bodies = forum(1).replace("<table>", "<table><tbody>").replace("</table>", "</tbody></table>")
    assert len(parsel.Selector(with_bodies).xpath(selectors["records"])) == forum(1).count("class='thing'")


def test_a_wrapper_from_a_file_needs_a_page() -> None:
    wrapper = learn(shop(1))
    read = Wrapper.loads(wrapper.dumps())
    with pytest.raises(FastwrapError, match="give one"):
        read.to_css()
    assert read.to_css(shop(1)) == wrapper.to_css()
    assert read.to_xpath(Page(shop(1))) == wrapper.to_xpath()
    with pytest.raises(FastwrapError, match="no records"):
        read.to_css("<p>other")
    with pytest.raises(FastwrapError, match="no list"):
        learn("<p>").to_css()


def test_records_that_no_selector_can_tell() -> None:
    page = "<body>" + "".join(f"Text {k}<br><b>{k} EUR</b><br><br>" for k in range(8))
    with pytest.raises(FastwrapError, match="order"):
        learn(page).to_xpath()


# The budget


def table_of(columns: int, records: int) -> str:
    """A table of numbers."""
    rows = ("".join(f"<td>{row * column}</td>" for column in range(columns)) for row in range(records))
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def own_classes(columns: int, records: int) -> str:
    """A list in which no class is there twice; letters, for classes with digits are not looked at."""

    def letters(number: int) -> str:
        return "".join("abcdefghij"[int(digit)] for digit in str(number))

    rows = (
        "".join(f"<b class={letters(row * columns + column)}>t{column}</b>" for column in range(columns))
        for row in range(records)
    )
    return "<div>" + "".join(f"<p>{row}</p>" for row in rows) + "</div>"


def chains(levels: int, records: int) -> str:
    """A text at every level of every record."""
    return "<ul>" + "".join(f"<li>{'<div>t' * levels}{'</div>' * levels}</li>" for _ in range(records)) + "</ul>"


@pytest.mark.parametrize("page", [table_of(60, 60), own_classes(30, 60)], ids=["table", "classes"])
def test_every_column_of_a_wide_list_has_a_selector(page: str) -> None:
    wrapper = learn(page)
    width = len(wrapper.patterns[0].template.names)
    for language in ("xpath", "css"):
        assert check(wrapper, page, language) == width >= 30
    assert wrapper.to_xpath()["left_out"] == wrapper.to_css()["left_out"] == {}


@pytest.mark.parametrize(
    "page", [table_of(40, 40), own_classes(20, 40), chains(40, 5), shop(1)], ids=["table", "classes", "chains", "shop"]
)
def test_a_search_of_any_budget_finds_right_selectors_and_says_what_it_left_out(page: str) -> None:
    wrapper = learn(page)
    pattern = wrapper.patterns[0]
    region = wrapper.extract(page).region(0)

    def search(budget: int) -> Selectors:
        return learn_selectors(region.page, pattern.location, region.table, budget)

    whole = search(BUDGET)
    assert all(selector.why != LIMIT for selector in (whole.records, *whole.columns))
    none = search(0)
    assert [selector.xpath for selector in (none.records, *none.columns)] == [None] * (1 + len(none.columns))
    assert {selector.why for selector in (none.records, *none.columns)} == {LIMIT}
    counts = []
    budget = 1_000
    while budget < BUDGET:
        some = search(budget)
        limited = [selector.why == LIMIT for selector in some.columns]
        # What is found is the same as with more of a budget; and it is said of the rest that it was not looked for.
        assert all(less in (more, (None, None, LIMIT)) for less, more in zip(some.columns, whole.columns, strict=True))
        assert some.records == whole.records or all(limited)
        counts.append(sum(limited))
        budget *= 2
    assert counts[0] == len(whole.columns)
    assert counts[-1] == 0
    assert any(0 < count < len(whole.columns) for count in counts)


def with_budget(monkeypatch: pytest.MonkeyPatch, budget: int) -> None:
    """Search for selectors with another budget."""
    monkeypatch.setattr("fastwrap.wrapper.wrapper.learn_selectors", partial(learn_selectors, budget=budget))


def test_what_is_left_out_of_a_table_that_is_too_wide_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with_budget(monkeypatch, 1_000_000)
    wrapper = learn(table_of(60, 60))
    names = [name.name for name in wrapper.patterns[0].template.names]
    for selectors in (wrapper.to_xpath(), wrapper.to_css()):
        assert len(selectors["columns"]) >= 10
        assert set(selectors["left_out"].values()) == {LIMIT}
        assert [*selectors["columns"], *selectors["left_out"]] == names
    source = wrapper.to_scrapy()
    assert source.count(f"is left out: {LIMIT}") == len(wrapper.to_xpath()["left_out"])
    compile(source, "spider.py", "exec")


def test_records_beyond_the_budget_are_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with_budget(monkeypatch, 100)
    for selectors in (learn(shop(1)).to_xpath, learn(shop(1)).to_css, learn(shop(1)).to_scrapy):
        with pytest.raises(FastwrapError, match="met its budget"):
            selectors()


def test_reasons() -> None:
    """Columns that no path leads to are named, with the reason."""
    page = "<ul>" + "".join(f"<li>{k} pieces<b>Name {k}</b> of {k} kinds</li>" for k in range(5)) + "</ul>"
    wrapper = learn(page)
    assert wrapper.to_xpath()["left_out"] == {}
    left_out = wrapper.to_css()["left_out"]
    assert left_out
    assert all("use to_xpath" in why for why in left_out.values())
    items = ("<p><a href='/{0}'>Name {0}</a> x</p>", "<p><i><a href='/{0}'>Name {0}</a></i> x</p>")
    mixed = learn("<div>" + "".join(items[k % 3 == 0].format(k) for k in range(12)) + "</div>").to_xpath()
    assert not set(mixed["left_out"]) & set(mixed["columns"])


def spider_of(source: str) -> Any:
    module = ModuleType("spider")
    exec(compile(source, "spider.py", "exec"), module.__dict__)  # noqa: S102 - what is tested is that it runs
    return module.ListSpider()


@pytest.mark.parametrize("site", SITES)
def test_spider(site: str) -> None:
    http = pytest.importorskip("scrapy.http")
    page = SITES[site](1)
    wrapper = learn(page, url='http://site.example/\'"""\\list')
    spider = spider_of(wrapper.to_scrapy())
    assert spider.start_urls == [wrapper.url]
    response = http.HtmlResponse("http://site.example/list", body=page.encode(), encoding="utf-8")
    items = list(spider.parse(response))
    assert len(items) == len(wrapper.extract(page).records)
    links = [record.link for record in wrapper.extract(page).records]
    assert [item["link"] for item in items] == links


@given(
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Z"), exclude_characters='&<>"\\\\'), min_size=1, max_size=8)
)
def test_escaped_class_names(name: str) -> None:
    """Any class can be written in CSS."""
    root = parsel.Selector(f'<p class="{name}">x</p>')
    if root.xpath("//p/@class").get() == name:
        assert root.css("." + escaped(name)).get() is not None
