"""Wrappers: what is learned from one page of a site is read on the others; nothing that is read makes them fail."""

from __future__ import annotations

import gc
import pickle
import random
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import columns
from fastwrap.columns.table import described
from fastwrap.errors import FastwrapError
from fastwrap.extraction import extract
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, WrapperSet, learn
from fastwrap.wrapper.pattern import FoundList, Pattern
from tests.helpers.sites import SITES, catalogue, forum, separated, shop

PAGES = range(1, 7)


def rows(wrapper: Wrapper, page: str) -> list[list[object]]:
    return [record.texts for record in wrapper.extract(page).records]


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("number", PAGES)
def test_the_page_learned_from_is_read_as_without_a_wrapper(site: str, number: int) -> None:
    page = SITES[site](number)
    found = extract(page)
    wrapped = learn(page).extract(page)
    assert wrapped.regions[0].spans.tolist() == found.regions[0].spans.tolist()
    assert wrapped.regions[0].texts == found.regions[0].texts
    assert [column.name for column in wrapped.regions[0].columns] == [
        column.name for column in found.regions[0].columns
    ]
    assert wrapped.fit == 1.0
    assert wrapped.skipped == []


@pytest.mark.parametrize("pages", [[1], [2, 3], [1, 4, 5]])
def test_shop(pages: list[int]) -> None:
    wrapper = learn([shop(number) for number in pages])
    for number in PAGES:
        page = shop(number)
        found = rows(wrapper, page)
        assert len(found) == page.count('class="card ')
        for k, (image, link, title, old, price, tags) in enumerate(found):
            assert link == f"/item/{number}-{k}"
            assert image == f"/img/{number}-{k}.png"
            assert str(title).endswith(f"{number}{k}")
            assert old is None or str(old).endswith(".00 EUR")
            assert str(price).endswith(".50 EUR")
            assert isinstance(tags, list)
            assert 1 <= len(tags) <= 3
        assert sum(row[3] is not None for row in found) == page.count("<s ")


@pytest.mark.parametrize("pages", [[1], [2, 3]])
def test_records_of_several_rows(pages: list[int]) -> None:
    wrapper = learn([forum(number) for number in pages])
    for number in PAGES:
        page = forum(number)
        found = rows(wrapper, page)
        assert len(found) == page.count("class='thing'")
        assert [row[0] for row in found] == [f"{k + 1}." for k in range(len(found))]
        assert [row[1] for row in found] == [f"/t/{number}{k}" for k in range(len(found))]
        assert all(str(row[4]).endswith("points") for row in found)
        assert sum(row[6] is not None for row in found) == page.count("comments")


@pytest.mark.parametrize("pages", [[1], [2, 3]])
def test_sections_without_classes(pages: list[int]) -> None:
    wrapper = learn([catalogue(number) for number in pages])
    for number in PAGES:
        page = catalogue(number)
        found = rows(wrapper, page)
        assert len(found) == page.count("details")
        assert all(len(str(row[1])) == 4 and str(row[3]).startswith(f"/d/{number}-") for row in found)
        assert sum(row[2] is not None for row in found) == page.count(" kg<")
        assert len({row[4] for row in found}) == page.count("<h2>")


def test_sections_are_lists_of_their_own_too() -> None:
    page = catalogue(1)
    wrapper = learn(page)
    lengths = [len(region) for region in wrapper.extract(page).regions]
    assert lengths[0] == page.count("details")
    sections = [part.count("details") for part in page.split("<h2>")[1:]]
    assert lengths[-len(sections) :] == sections


def test_only_lists_that_somebody_asks_for_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formats, fit and limits of the first list find no other list, and limits find none at all."""
    page, wrapper = catalogue(1), learn(catalogue(1))
    asked: list[int] = []
    find = Pattern.find

    def counted(pattern: Pattern, page: Page, sharing: int = 1) -> FoundList:
        asked.append(wrapper.patterns.index(pattern))
        return find(pattern, page, sharing)

    monkeypatch.setattr(Pattern, "find", counted)
    extraction = wrapper.extract(page)
    assert extraction.limits == ()
    assert len(extraction.regions) == len(wrapper.patterns) > 2
    assert repr(extraction.regions) == f"<{len(wrapper.patterns)} lists of a wrapper>"
    assert asked == []
    assert len(extraction.to_dicts()) == len(extraction.to_arrow()) == page.count("details")
    assert extraction.fit == 1.0
    assert extraction.confidence > 0.9
    assert extraction.skipped == []
    assert extraction.regions[0] is extraction.region(0)
    assert asked == [0]
    assert extraction.regions[-1] is extraction.regions[len(wrapper.patterns) - 1]
    assert asked == [0, len(wrapper.patterns) - 1]
    assert [len(region) for region in extraction.regions] == [len(region) for region in extraction.regions[:]]
    assert sorted(asked) == list(range(len(wrapper.patterns)))
    with pytest.raises(IndexError):
        extraction.regions[99]


def test_what_does_not_match_is_skipped_and_reported() -> None:
    wrapper = learn(shop(1))
    page = shop(2).replace(
        '<div class="card card-23">', '<section><form><input><p>Vote!</p></form></section><div class="card card-23">'
    )
    found = wrapper.extract(page)
    assert [record.texts for record in found.records] == rows(wrapper, shop(2))
    assert [(skipped.path.split(" > ")[-1], skipped.text) for skipped in found.skipped] == [("section", "Vote!")]
    assert found.fit > 0.5


def test_a_class_that_was_never_seen() -> None:
    wrapper = learn(shop(1))
    page = shop(2).replace('class="card card-22"', 'class="card sold"')
    assert rows(wrapper, page) == rows(wrapper, shop(2))


def test_another_place_with_the_same_tags() -> None:
    """A wrong place among siblings is noticed by what is there, and the list found where it is now."""
    wrapper = learn("<body>" + "<p>Notice</p>" * 2 + listing("ul", 6) + "<ul><li>x</ul>")
    page = "<body><ul><li>a<li>b</ul><ul><li>News</ul>" + listing("ul", 4)
    assert len(rows(wrapper, page)) == 4


def listing(tag: str, count: int) -> str:
    return (
        f"<{tag}>" + "".join(f"<li><a href=/{k}>Name {k}</a><b>{k}.50 EUR</b></li>" for k in range(count)) + f"</{tag}>"
    )


def test_separators_and_symbols_with_several_roles() -> None:
    wrapper = learn(separated(9))
    assert wrapper.patterns[0].cutting.expression is not None
    for count in (3, 8, 20):
        assert rows(wrapper, separated(count)) == [
            [f"/{k}", f"Name {k}", f"Text about thing {k}", "only today" if k % 3 == 1 else None, f"{k}.50 EUR"]
            for k in range(count)
        ]


def test_several_pages_in_any_form() -> None:
    texts: list[bytes | str | Page] = [shop(1), shop(2).encode(), Page(shop(3))]
    wrapper = learn(texts, url="http://shop.example/list")
    assert wrapper.pages == 3
    assert wrapper.url == "http://shop.example/list"
    extraction = wrapper.extract(shop(4), url="http://shop.example/4")
    assert extraction.records[0].link == "http://shop.example/item/4-0"
    with pytest.raises(FastwrapError, match="no page"):
        learn([])


def test_pages_with_no_list() -> None:
    wrapper = learn("<p>nothing")
    assert wrapper.extract(shop(1)).records == []
    assert wrapper.extract(shop(1)).fit == 0.0
    assert wrapper.check(shop(1)).alarm
    assert learn(shop(1)).extract("<p>nothing").records == []
    assert learn(shop(1)).extract("").fit == 0.0


SNIPPETS = """
    <div class='main'>|</div>|<div class='grid'>|<div class='card'>|<a href=x>|text|<table>|<tr>|<td>|<li>|<!-- -->
    |</table>|<b>1.50 EUR</b>|<svg>|&amp;
    """.split("|")


@settings(max_examples=150)
@given(
    st.sampled_from(sorted(SITES)),
    st.lists(st.sampled_from(SNIPPETS), max_size=40),
    st.integers(0, 3000),
    st.integers(0, 500),
)
def test_applying_never_fails(site: str, snippets: list[str], at: int, without: int) -> None:
    """Pages with anything put in, or cut out."""
    wrapper = WRAPPERS[site]
    page = SITES[site](2)
    broken = page[:at] + "".join(snippets) + page[at + without :]
    extraction = wrapper.extract(broken)
    for region in extraction.regions:
        spans = region.spans.tolist()
        assert spans == sorted(spans)
        assert all(len(record.texts) == len(region.columns) for record in region.records)
    assert 0.0 <= extraction.fit <= 1.0
    assert wrapper.check(broken).fit == pytest.approx(extraction.fit)
    for skipped in extraction.skipped:
        assert skipped.path


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_learning_and_applying_on_random_lists(seed: int) -> None:
    """Records of any make: what is learned from a page is what is read on it."""
    source = random.Random(seed)
    inner = [
        "<b>{k} of {n}</b>",
        "<a href=/{k}>link {k}</a>",
        "<i>{n}.50 EUR</i>",
        "text {n} ",
        "<p class=x>par {k}</p>",
        "<br>",
    ]
    shape = [source.choice(inner) for _ in range(source.randint(2, 6))]
    records = []
    for k in range(source.randint(4, 12)):
        parts = [part for part in shape if source.random() < 0.9]
        records.append(f"<div class='r'>{''.join(part.format(k=k, n=source.randint(1, 99)) for part in parts)}</div>")
    page = f"<body><h1>Title</h1><div>{''.join(records)}</div><p>End</p>"
    found = extract(page).regions
    if found and all(found[0].page.attributes(start) == {"class": "r"} for start in found[0].spans[:, 0].tolist()):
        wrapped = learn(page).extract(page)
        assert wrapped.regions[0].spans.tolist() == found[0].spans.tolist()
        assert wrapped.fit == 1.0


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("choose", [True, False])
def test_what_json_says_of_columns_is_what_they_are(site: str, choose: bool) -> None:
    """Also where a template has remembered it of an earlier page."""
    first, *others = (extract(SITES[site](number)).regions[0] for number in PAGES)
    template = columns.learn(first.page, first.spans, choose=choose).template
    for region in [first, *others, first]:
        table = columns.apply(template, region.page, region.spans)
        assert table.described == [described(column) for column in table.nested_columns]


WRAPPERS = {site: learn(make(1)) for site, make in SITES.items()}


def test_a_set_chooses_by_structure() -> None:
    wrappers = WrapperSet(WRAPPERS.values())
    assert len(wrappers) == 3
    assert list(wrappers) == list(WRAPPERS.values())
    for site, make in SITES.items():
        for number in PAGES:
            assert wrappers.choose(make(number)) is WRAPPERS[site]
            assert rows(WRAPPERS[site], make(number)) == [r.texts for r in wrappers.extract(make(number)).records]
    assert wrappers.choose("<p>none of them") is None
    assert wrappers.extract("<p>none of them").records == []
    assert WrapperSet().choose(shop(1)) is None


def test_a_set_of_many() -> None:
    """Sites that differ in their classes alone are told apart, however many there are."""

    def page(number: int, count: int) -> str:
        name = "".join("abcdefghij"[int(digit)] for digit in str(number))
        return f"<body><div class='site-{name}'>{listing('ul', count)}</div>"

    wrappers = [learn(page(number, 4)) for number in range(60)]
    many = WrapperSet(wrappers)
    for number in range(0, 60, 7):
        assert many.choose(page(number, 6)) is wrappers[number]


def test_a_set_is_pickled() -> None:
    wrappers = WrapperSet(WRAPPERS.values())
    assert wrappers.choose(shop(2)) is WRAPPERS["shop"]
    again = pickle.loads(pickle.dumps(wrappers))  # noqa: S301
    assert [r.texts for r in again.extract(shop(2)).records] == rows(WRAPPERS["shop"], shop(2))


def test_pickle() -> None:
    wrapper = pickle.loads(pickle.dumps(WRAPPERS["shop"]))  # noqa: S301
    assert rows(wrapper, shop(3)) == rows(WRAPPERS["shop"], shop(3))


def test_names_and_ids_stay_across_a_redesign() -> None:
    def old(k: int) -> str:
        return f"<li><a href=/item{k}>Thing number {k * 7}</a> <i>{k}.50 EUR</i> <u>Maker {k}</u></li>"

    def new(k: int) -> str:
        title = f"<h3><a href=/item{k}>Thing number {k * 7}</a></h3>"
        return f"<tr><td>{k * 3} pieces<td><b>{k}.50 EUR</b><td>{title}<td>Maker {k}"

    before = learn("<ul>" + "".join(map(old, range(9))) + "</ul>")
    page = "<table>" + "".join(map(new, range(9))) + "</table>"
    after = learn(page, previous=before)

    def column(wrapper: Wrapper, value: str, page: str) -> tuple[int, str]:
        record = wrapper.extract(page).records[3]
        pattern = wrapper.patterns[0]
        place = record.texts.index(value)
        return pattern.profiles[place].id, wrapper.extract(page).regions[0].columns[place].name

    first = "<ul>" + "".join(map(old, range(9))) + "</ul>"
    for value in ("/item3", "Thing number 21", "3.50 EUR", "Maker 3"):
        assert column(after, value, page) == column(before, value, first)
    ids = [profile.id for profile in after.patterns[0].profiles]
    assert len(set(ids)) == len(ids)
    assert max(ids) >= len(before.patterns[0].profiles)  # of the new column
    again = Wrapper.loads(after.dumps())
    assert [profile.id for profile in again.patterns[0].profiles] == ids


def test_a_list_with_headings_that_is_absent() -> None:
    def section(name: str, numbers: range) -> str:
        items = "".join(f"<p><a href=/{k}>Name {k}</a> <i>text {k}</i> <b>{k} EUR</b></p>" for k in numbers)
        return f"<h2>{name}</h2>{items}"

    page = "<main>" + section("First", range(6)) + section("Second", range(6, 12)) + "</main>"
    wrapper = learn(page)
    assert "section" in [column.name for column in wrapper.extract(page).regions[0].columns]
    absent = wrapper.extract("<p>nothing of the kind")
    assert absent.records == []
    assert absent.to_dicts() == []
    assert '"records":[]' in absent.to_json()


def test_very_many_parents_are_learned_from_some() -> None:
    """A grid of a thousand rows: what is learned from some of them holds for all."""
    cells = [
        f"<td><a href=/{k}>Name {k}</a> <b>{k} EUR</b> <i>text</i>{'<p>new' * (k % 3 == 0)}</td>" for k in range(3000)
    ]
    page = "<table>" + "".join("<tr>" + "".join(cells[k : k + 3]) + "</tr>" for k in range(0, 3000, 3)) + "</table>"
    assert len(extract(page).records) == 3000
    assert len(learn(page).extract(page).records) == 3000


def test_a_page_is_freed_without_the_garbage_collector() -> None:
    wrapper = learn(shop(1))
    gc.disable()
    try:
        for by_wrapper in (False, True):
            page = Page(shop(2))
            extraction = wrapper.extract(page) if by_wrapper else extract(page)
            read = [(record.text, record.texts, record.values, record.link) for record in extraction.records]
            assert read
            assert extraction.regions[0].columns
            known = weakref.ref(page)
            del page, extraction
            assert known() is None
    finally:
        gc.enable()


def test_an_empty_column_keeps_its_id() -> None:
    # Found by the state machine: what is split off a text may be empty in all records.
    rows = "".join(f"<li><b>Name {k}</b> <i>{'x ' * (k == 3)}|</i> <u>{k} EUR</u></li>" for k in range(9))
    first = learn(f"<ul>{rows}</ul>", columns="all")
    again = learn(f"<ul>{rows}</ul>", previous=first, columns="all")
    assert any(profile.filled == 0 for profile in first.patterns[0].profiles)
    assert [profile.id for profile in again.patterns[0].profiles] == [p.id for p in first.patterns[0].profiles]


def test_a_wrapper_takes_whatever_a_page_is_made_of(tmp_path: Path) -> None:
    html = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
    file = tmp_path / "page.html"
    file.write_text(html)

    class Chunks(SimpleNamespace):
        """A response that can be iterated over, as those of requests can."""

        def __iter__(self) -> Iterator[bytes]:
            yield self.content[:10]

    response = Chunks(content=html.encode(), url="https://shop.example/")
    assert learn(response).url == learn([response, file]).url == "https://shop.example/"
    wrapper = learn(file)
    texts = wrapper.extract(html).region(0).texts
    for source in (file, response, Page(html)):
        assert wrapper.extract(source).region(0).texts == texts
        assert wrapper.check(source).fit == 1.0
        assert WrapperSet([wrapper]).choose(source) is wrapper
        assert wrapper.to_xpath(source) == wrapper.to_xpath()
