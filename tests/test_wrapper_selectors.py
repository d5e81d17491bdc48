"""Selectors to take away: parsel and Scrapy select with them what the wrapper reads on the page it was learned from."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, learn
from fastwrap.wrapper.selecting import escaped
from sites import SITES, forum, shop

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
