"""Healing: after redesigns by script, lists and columns are found again; what is lost is said, nothing wrong taken."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.limits import LIMITS
from fastwrap.wrapper import Wrapper, healing, healing_columns, learn
from fastwrap.wrapper.healing import in_order
from fastwrap.wrapper.healing_columns import path_likeness, texture_likeness, texture_of
from tests.helpers.damage import plain
from tests.helpers.hangs import ends_soon
from tests.helpers.redesign import KINDS, LIST_GONE, Redesigned, redesign, words_in, words_of
from tests.helpers.sites import SITES, shop

ALL_BUT_GONE = [kind for kind in KINDS if "gone" not in kind]
CANNOT_BE_TOLD = ("catalogue", "twin first")
"""One of four tables without any class, side by side: no place and no name tells three of them from the fourth."""

SITES_AND_KINDS = [(site, kind) for site in SITES for kind in KINDS if (site, kind) != CANNOT_BE_TOLD]


@cache
def from_file(site: str) -> Wrapper:
    """A wrapper that was learned from the first page of a site, and saved."""
    return Wrapper.loads(learn(plain(SITES[site](1))).dumps())


def redesigned(site: str, number: int, kind: str) -> Redesigned:
    """A page of a site in its new design."""
    done = redesign(plain(SITES[site](number)), from_file(site), kind, seed=1)
    assert done is not None
    return done


def words_read(wrapper: Wrapper, html: str) -> list[Counter[str]]:
    """The words of the records that are read."""
    return [words_of(record.text) for record in wrapper.extract(html).records]


def columns_read(wrapper: Wrapper, html: str) -> dict[str, list[Counter[str]]]:
    """By name, the words of the cells of each column."""
    region = wrapper.extract(html).region(0)
    cells = zip(*region.table.texts, strict=True)
    names = wrapper.patterns[0].column_names
    return {name: list(map(words_in, column)) for name, column in zip(names, cells, strict=True)}


def ids_of(wrapper: Wrapper) -> dict[str, int]:
    """By name, the ids of the columns."""
    pattern = wrapper.patterns[0]
    return {name: profile.id for name, profile in zip(pattern.column_names, pattern.profiles, strict=True)}


def differing(read: list[Counter[str]], true: list[Counter[str]]) -> int:
    """How many records are not as they should be, or too many."""
    left = list(true)
    for record in read:
        if record in left:
            left.remove(record)
    return len(left) + len(read) - (len(true) - len(left))


def may_differ(kind: str) -> int:
    """Rows that follow each other without an element of their own take in what is put between them."""
    return 2 if kind in ("promotion inside", "all at once") else 0


@pytest.mark.parametrize(("site", "kind"), SITES_AND_KINDS)
def test_the_records_of_the_page_that_was_learned_from_are_found(site: str, kind: str) -> None:
    page = redesigned(site, 1, kind)
    healed, report = from_file(site).heal(page.html)
    assert report.found
    assert report.fit >= 0.5
    assert differing(words_read(healed, page.html), page.records) <= may_differ(kind)


@pytest.mark.parametrize(("site", "kind"), [each for each in SITES_AND_KINDS if each[1] in ALL_BUT_GONE])
def test_columns_keep_names_ids_order_and_values(site: str, kind: str) -> None:
    wrapper = from_file(site)
    page = redesigned(site, 1, kind)
    healed, _ = wrapper.heal(page.html)
    before, after = ids_of(wrapper), ids_of(healed)
    assert after.items() <= before.items()
    assert list(after) == [name for name in before if name in after]
    assert len(after) >= len(before) - 1  # headings above groups of records are not in these
    assert before.keys() - after.keys() <= {"section"}
    expected, read = columns_read(wrapper, plain(SITES[site](1))), columns_read(healed, page.html)
    changed = {name for name in after if read[name] != expected[name]}
    assert changed <= ({"section"} if "first" in kind or kind == "all at once" else set())  # under another heading


@pytest.mark.parametrize("kind", [kind for kind in ALL_BUT_GONE if kind != "twin first"])
@pytest.mark.parametrize("site", SITES)
def test_other_records_are_found_and_further_pages_read(site: str, kind: str) -> None:
    """The page has none of the records that were learned from; the healed wrapper reads a third page by itself."""
    second, third = redesigned(site, 2, kind), redesigned(site, 3, kind)
    healed, report = from_file(site).heal(second.html)
    assert report.found
    assert differing(words_read(healed, second.html), second.records) <= may_differ(kind)
    again = Wrapper.loads(healed.dumps())
    assert again.extract(third.html).fit >= 0.5
    assert differing(words_read(again, third.html), third.records) <= may_differ(kind)


@pytest.mark.parametrize("site", SITES)
def test_a_column_that_is_gone_is_said_to_be_lost(site: str) -> None:
    wrapper = from_file(site)
    page = redesigned(site, 1, "gone and renamed")
    healed, report = wrapper.heal(page.html)
    names = wrapper.patterns[0].column_names
    lost = {column.name for column in report.columns if column.state == "lost"}
    assert lost >= {names[number] for number in page.lost}
    assert not lost & set(healed.patterns[0].column_names)
    assert all(column.detail for column in report.columns)
    assert "lost" in str(report)


@pytest.mark.parametrize("site", SITES)
def test_the_wrapper_that_is_healed_stays_as_it_was(site: str) -> None:
    wrapper = Wrapper.loads(from_file(site).dumps())
    before = wrapper.dumps()
    healed, report = wrapper.heal(redesigned(site, 1, "classes and tags").html)
    assert report.changed
    assert wrapper.dumps() == before
    assert healed is not wrapper
    assert (healed.url, healed.pages) == (wrapper.url, wrapper.pages)
    assert pickle.loads(pickle.dumps(healed)).dumps() == healed.dumps()  # noqa: S301 - our own


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_wrapper_that_fits_is_returned(site: str, number: int) -> None:
    wrapper = from_file(site)
    healed, report = wrapper.heal(SITES[site](number))
    assert healed is wrapper
    assert (report.found, report.changed) == (True, False)
    assert report.fit == report.fit_before >= 0.5
    assert {column.state for column in report.columns} == {"kept"}
    assert "fits as it is" in str(report)


@pytest.mark.parametrize("site", SITES)
def test_a_list_that_is_gone_is_not_found(site: str) -> None:
    wrapper = from_file(site)
    healed, report = wrapper.heal(redesigned(site, 1, LIST_GONE).html)
    assert healed is wrapper
    assert (report.found, report.changed) == (False, False)
    assert report.fit < 0.5
    assert {column.state for column in report.columns} == {"lost"}
    assert "not healed" in str(report)


def test_a_list_that_cannot_be_told_from_another_is_not_taken() -> None:
    site, kind = CANNOT_BE_TOLD
    wrapper = from_file(site)
    healed, report = wrapper.heal(redesigned(site, 1, kind).html)
    assert healed is wrapper
    assert not report.found
    assert report.confidence > 0.5
    assert "tell it from others" in str(report)


def test_lists_of_other_sites_are_not_taken() -> None:
    for site in SITES:
        for other in SITES:
            if site != other:
                _, report = from_file(site).heal(plain(SITES[other](1)))
                assert not report.found, (site, other)


@pytest.mark.parametrize("html", ["", "<p>Under construction", "<ul><li>a<li>b<li>c</ul>", b"\x00\xff", "<table>" * 50])
def test_pages_without_such_a_list(html: str | bytes) -> None:
    _, report = from_file("shop").heal(html)
    assert not report.found
    assert report.records == 0


def test_a_wrapper_without_lists_heals_to_nothing() -> None:
    wrapper = learn("<p>nothing")
    healed, report = wrapper.heal(shop(1))
    assert healed is wrapper
    assert not report.found
    assert report.columns == ()


@pytest.mark.parametrize(
    "page", ["<h1>Lamp</h1><dl><dt>Price</dt><dd>5 EUR</dd></dl>", "<h2>Lamp</h2><b>5 EUR</b>", ""]
)
def test_records_of_pages_about_one_thing_are_not_healed(page: str) -> None:
    pages = [
        f"<h1>{name}</h1><dl><dt>Price</dt><dd>{price} EUR</dd></dl>" for name, price in (("Lamp", 5), ("Chair", 17))
    ]
    wrapper = learn(pages, kind="detail")
    assert wrapper.kind == "detail"
    same, report = wrapper.heal(page)
    assert same is wrapper
    assert not report.found
    assert not report.changed
    assert report.fit == report.fit_before == wrapper.check(page).fit
    assert report.reason == healing.RECORDS_ARE_NOT_HEALED
    assert report.reason in str(report)


def test_further_lists_are_healed_too() -> None:
    wrapper = from_file("shop")
    page = redesigned("shop", 1, "classes and tags").html
    healed, report = wrapper.heal(page)
    assert len(report.lists) == len(wrapper.patterns) == len(healed.patterns)
    assert report.lists[0] == "healed"
    for number, state in enumerate(report.lists):
        assert (healed.patterns[number] is wrapper.patterns[number]) == (state != "healed")
        assert state == "not found" or len(healed.extract(page).region(number))
    assert report.lists.count("healed") > 1


def test_columns_of_the_new_page_are_reported() -> None:
    wrapper = from_file("shop")
    page = redesigned("shop", 2, "classes and tags").html
    cards = page.split("<img ")
    page = cards[0] + "".join(f"<q>{k * 37 % 100} km away</q><img {card}" for k, card in enumerate(cards[1:]))
    healed, report = wrapper.heal(page)
    new = [column for column in report.columns if column.state == "new"]
    assert report.found
    assert [column.id for column in new] == [-1]
    assert not {column.name for column in new} & set(healed.patterns[0].column_names)


def test_samples_are_not_needed_where_all_else_agrees() -> None:
    """A file may leave the samples out."""
    data = json.loads(from_file("forum").dumps())
    for pattern in data["lists"]:
        for column in pattern["columns"]:
            column["samples"] = []
    page = redesigned("forum", 2, "classes")
    healed, report = Wrapper.loads(json.dumps(data)).heal(page.html)
    assert not report.found or words_read(healed, page.html) == page.records


def test_a_wrapper_of_all_columns_is_healed() -> None:
    wrapper = Wrapper.loads(learn(plain(shop(1)), columns="all").dumps())
    done = redesign(plain(shop(2)), wrapper, "moved and renamed")
    assert done is not None
    healed, report = wrapper.heal(done.html)
    assert report.found
    assert words_read(healed, done.html) == done.records
    kept = sum(column.state in ("kept", "moved") for column in report.columns)
    assert kept >= 0.8 * len(wrapper.patterns[0].column_names)


def test_healing_can_be_repeated() -> None:
    """A healed wrapper is healed again after the next redesign, and still has its names and ids."""
    first = from_file("shop")
    once, _ = first.heal(redesigned("shop", 2, "classes and tags").html)
    page = redesign(plain(shop(3)), first, "all wrapped", seed=1)
    assert page is not None
    twice, report = Wrapper.loads(once.dumps()).heal(page.html)
    assert report.found
    assert ids_of(twice).items() <= ids_of(first).items()
    assert len(ids_of(twice)) >= len(ids_of(first)) - 1


# Budgets


def wide(records: int, columns: int, tag: str) -> str:
    names = "b i u em code q s small".split()

    def cell(k: int, j: int) -> str:
        return f"<{names[j % 8]} class=k{j}>{j} v{k}</{names[j % 8]}>"

    rows = (f"<{tag}>{''.join(cell(k, j) for j in range(columns))}</{tag}>" for k in range(records))
    return f"<section>{''.join(rows)}</section>"


HOSTILE = {
    "columns": wide(4, 25_000, "p"),
    "records": wide(20_000, 4, "p"),
    "lists": "".join(f"<div class=x{k}><div>{wide(3, 2, 'p')}</div></div>" for k in range(10_000)),
    "one value": "<div>" + "<p><b>0 v1</b><i>1 v2</i><u>2 v3</u></p>" * 20_000 + "</div>",
    "long texts": "".join(f"<p><b>{'word ' * 20_000}{k}</b><i>0 v{k}</i></p>" for k in range(40)),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pages_end_soon(kind: str) -> None:
    wrapper = Wrapper.loads(learn(wide(8, 4, "li")).dumps())
    with ends_soon():
        _, report = wrapper.heal(HOSTILE[kind])
    assert set(report.limits) <= set(LIMITS)


def test_a_wide_wrapper_says_that_not_all_was_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    wrapper = from_file("shop")
    page = redesigned("shop", 1, "classes and tags").html
    assert wrapper.heal(page).report.limits == ()
    monkeypatch.setattr(healing_columns, "MOST_COLUMNS", 3)
    assert "wrapper.healing" in wrapper.heal(page).report.limits
    monkeypatch.undo()
    monkeypatch.setattr(healing_columns, "MOST_OFFERS", 3)
    assert "wrapper.healing" in wrapper.heal(page).report.limits
    monkeypatch.undo()
    monkeypatch.setattr(healing, "MOST_LISTS", 1)
    assert "wrapper.healing" in wrapper.heal(page).report.limits


# Measures


@given(st.lists(st.text("ab1 $", max_size=6), max_size=8), st.lists(st.text("ab1 $", max_size=6), max_size=8))
def test_likeness_of_textures(one: list[str], other: list[str]) -> None:
    """Symmetric, in [0, 1], and 1 for a texture and itself."""
    ours, theirs = texture_of(one), texture_of(other)
    likeness = texture_likeness(ours, theirs)
    assert 0 <= likeness <= 1
    assert likeness == pytest.approx(texture_likeness(theirs, ours))
    assert texture_likeness(ours, ours) == (1.0 if ours else 0.5)


@given(st.lists(st.sampled_from("abc"), max_size=5), st.lists(st.sampled_from("abc"), max_size=5))
def test_likeness_of_paths(one: list[str], other: list[str]) -> None:
    likeness = path_likeness(one, other)
    assert 0 <= likeness == path_likeness(other, one) <= 1
    assert (likeness == 1) == (one == other)


@given(st.lists(st.integers(0, 9), max_size=9))
def test_places_in_order(places: list[int]) -> None:
    """Those that stay go up, and none of the others could be added."""
    stays = in_order(places)
    kept = [place for place, stay in zip(places, stays, strict=True) if stay]
    assert kept == sorted(kept)
    assert all(stays) == (places == sorted(places))
    for number in range(len(places)):
        if not stays[number]:
            more = [place for k, place in enumerate(places) if stays[k] or k == number]
            assert more != sorted(more)
