"""Selectors to take away: parsel and Scrapy select with them what the wrapper reads on the page it was learned from."""

from __future__ import annotations

import sys
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.columns.choice import LIST, WHOLE
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, learn
from fastwrap.wrapper.conditions import BUDGET, escaped
from fastwrap.wrapper.selecting import LIMIT, Selectors, learn_selectors
from tests.helpers.sites import SITES, WORDS, forum, shop

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
    template = region.pattern.template
    names = [name.name for name in template.names]
    if template.choice is None:
        split = {item.column + k for item in template.items for k in range(item.width) if item.rule is not None}
        joined = set()
    else:
        sources = list(enumerate(template.choice.sources))
        split = {column for column, source in sources if source.part != WHOLE or source.trim}
        joined = {column for column, source in sources if max(map(len, source.items)) > 1 and source.operation != LIST}
    for record, row in zip(records, region.table.texts, strict=True):
        for name, path in selectors["columns"].items():
            column = names.index(name)
            selected = texts_of(getattr(record, language)(path))
            wanted = cells_of(row[column])
            if column in joined:
                selected = [" ".join(selected)] if selected else []
            if column in split:
                assert len(selected) == 1 if wanted else len(selected) <= 1
                assert not wanted or wanted[0] in selected[0]
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
    width = wrapper.patterns[0].width - (site == "catalogue")
    assert known == (width if language == "xpath" else {"shop": 6, "forum": 4, "catalogue": 3}[site])
    # Every item has one, as every column that is shown has.
    assert check(learn(page, columns="all"), page, language) >= (5 if language == "xpath" else 3)


def sale(old: str = "<s>{}.00 EUR</s>", new: str = "<u>{}.00 EUR</u>") -> str:
    """A list in which half of the records have a new price, and one picture is loaded later; texts in pieces."""
    records = (
        f"<li><a href=/{k}><img src='{'data:image/gif;base64,R0' if k == 4 else f'/{k}.png'}'"
        f"{f' data-src=/{k}.png' * (k == 4)}>Name {k}</a>"
        f"<p>The {WORDS[k]} lamp <b>{WORDS[-k]}</b> is good for {k} {WORDS[k]} chairs</p>{old.format(k + 9)}"
        f"{new.format(k + 5) * (k % 2)}<q>Town {k} | {k} km</q></li>"
        for k in range(1, 12)
    )
    return f"<ul class=list>{''.join(records)}</ul>"


PRICES = {
    "elements": sale(),
    "a class": sale("<s class=price>{}.00 EUR</s>", "<u class=now>{}.00 EUR</u>"),
    "blank texts": sale().replace("</s><q>", "</s><u> </u><q>"),
    "blank texts of other spaces": sale().replace("</s><q>", "</s><u>\N{NO-BREAK SPACE}</u><q>"),
}


@pytest.mark.parametrize("name", PRICES)
def test_what_is_put_together_of_several_items_is_selected(name: str) -> None:
    """Prices with and without a sale, pictures, texts in pieces, parts of texts."""
    page = PRICES[name]
    wrapper = learn(page)
    choice = wrapper.patterns[0].template.choice
    assert choice is not None
    assert {"first", "rest", "join", "picture"} <= {source.operation for source in choice.sources}
    assert check(wrapper, page, "xpath") == wrapper.patterns[0].width
    assert wrapper.to_xpath()["left_out"] == {}
    check(wrapper, page, "css")
    # CSS has no "where the record has none of that", and does not count texts.
    left_out = wrapper.to_css()["left_out"]
    assert set(left_out) == {"price", "old price", "image", "description"}
    assert all("use to_xpath" in why for why in left_out.values())


def test_alternatives_of_which_no_record_has_two_are_selected_in_both_languages() -> None:
    records = (f"<li><a href=/{k}>Name {k}</a><{'bi'[k % 2]} class=tag>{k} EUR</{'bi'[k % 2]}></li>" for k in range(11))
    page = f"<ul>{''.join(records)}</ul>"
    wrapper = learn(page)
    for language in ("xpath", "css"):
        assert check(wrapper, page, language) == wrapper.patterns[0].width == 3


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
    wrapper = learn(page, columns="all")
    width = len(wrapper.patterns[0].template.names)
    for language in ("xpath", "css"):
        assert check(wrapper, page, language) == width >= 30
    assert wrapper.to_xpath()["left_out"] == wrapper.to_css()["left_out"] == {}


@pytest.mark.parametrize(
    "page",
    [table_of(40, 40), own_classes(20, 40), chains(40, 5), shop(1), sale()],
    ids=["table", "classes", "chains", "shop", "sale"],
)
@pytest.mark.parametrize("columns", [None, "all"])
def test_a_search_of_any_budget_finds_right_selectors_and_says_what_it_left_out(page: str, columns: str | None) -> None:
    wrapper = learn(page, columns=columns)
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
        some = search(budget - budget // 7)
        limited = [selector.why == LIMIT for selector in some.columns]
        # What is found is the same as with more of a budget; and it is said of the rest that it was not looked for.
        assert all(less in (more, (None, None, LIMIT)) for less, more in zip(some.columns, whole.columns, strict=True))
        assert some.records == whole.records or all(limited)
        counts.append(sum(limited))
        budget *= 2
    assert counts[0] == len(whole.columns)
    assert counts[-1] == 0
    assert len(whole.columns) == 1 or any(0 < count < len(whole.columns) for count in counts)


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
    page = "<ul>" + "".join(f"<li>{k} pieces <b>Name {k}</b> of {k} kinds</li>" for k in range(5)) + "</ul>"
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


def test_a_spider_joins_what_is_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Scrapy: what a spider needs of a response, a selector has."""
    monkeypatch.setitem(sys.modules, "scrapy", SimpleNamespace(Spider=object))
    page = sale()
    wrapper = learn(page)
    items = list(spider_of(wrapper.to_scrapy()).parse(parsel.Selector(page)))
    names = [name.name for name in wrapper.patterns[0].template.names]
    choice = wrapper.patterns[0].template.choice
    assert choice is not None
    whole = [name for name, source in zip(names, choice.sources, strict=True) if source.part == WHOLE]
    assert len(whole) == len(names) - 2
    rows = [dict(zip(names, record.texts, strict=True)) for record in wrapper.extract(page).records]
    assert [[item[name] for name in whole] for item in items] == [[row[name] for name in whole] for row in rows]


@given(
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Z"), exclude_characters='&<>"\\\\'), min_size=1, max_size=8)
)
def test_escaped_class_names(name: str) -> None:
    """Any class can be written in CSS."""
    root = parsel.Selector(f'<p class="{name}">x</p>')
    if root.xpath("//p/@class").get() == name:
        assert root.css("." + escaped(name)).get() is not None
