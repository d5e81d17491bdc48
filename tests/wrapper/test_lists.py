"""Several pages at once: the right list whatever their order, with one record on some pages, none on others, and lists
beside it that come and go; pages that do not fit are named, and pages of two templates are learned one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page, extract, learn, learn_all
from fastwrap.wrapper import cutting, learning, templates
from fastwrap.wrapper.hashes import HEAD, INSIDE
from fastwrap.wrapper.lists import in_order, main_first, match_lists
from fastwrap.wrapper.pattern import Pattern, learn_pattern
from tests.helpers.sites import catalogue, forum, shop
from tests.reference.html import html as any_html

MENU = "<nav><ul>" + "".join(f"<li><a href=/c/{k}>Section {k}</a></li>" for k in range(8)) + "</ul></nav>"
FOOT = "<footer><ul>" + "".join(f"<li><a href=/f/{k}>Our terms {k}</a></li>" for k in range(6)) + "</ul></footer>"


def record(number: int) -> str:
    extra = f"<em>only {number % 5} left</em>" * (number % 3 == 0)
    return (
        f"<div class=item><h3><a href=/item/{number}>Thing number {number}</a></h3><p>What is said of {number}, and a "
        f"little more of it</p>{extra}<b class=price>{number}.90 EUR</b></div>"
    )


def promotion(number: int) -> str:
    return f"<li class=promo><a href=/p/{number}>Offer {number * 17}</a> <i>-{number % 70} %</i></li>"


def listing(records: range, promotions: range = range(0)) -> str:
    """A page of a shop: a menu, offers of the day, the list, a footer."""
    offers = f"<aside><ul class=promos>{''.join(map(promotion, promotions))}</ul></aside>" if promotions else ""
    return (
        f"<body>{MENU}{offers}<main><h1>Found</h1><div class=results>{''.join(map(record, records))}</div></main>{FOOT}"
    )


COUNTS = st.sampled_from([0, 0, 1, 1, 2, 5, 9, 14])
pages_of_a_shop = st.lists(st.tuples(st.integers(0, 900), COUNTS, st.integers(0, 6)), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(pages_of_a_shop, st.integers(0, 900), st.integers(5, 20))
def test_the_order_of_pages_changes_nothing(others: list[tuple[int, int, int]], first: int, count: int) -> None:
    """One page shows the list; what the others have does not matter, nor does the order."""
    counts = [count, *(records for _, records, _ in others)]
    starts = [(first, 4), *((start, promotions) for start, _, promotions in others)]
    pages = [
        listing(range(start, start + records), range(start, start + promotions))
        for (start, promotions), records in zip(starts, counts, strict=True)
    ]
    files = set()
    for order in permutations(range(len(pages))):
        wrapper = learn([pages[k] for k in order])
        files.add(wrapper.dumps())
        assert [len(wrapper.extract(pages[k]).records) for k in order] == [counts[k] for k in order]
        assert {order[misfit.page] for misfit in wrapper.misfits} == {
            k for k, records in enumerate(counts) if not records
        }
    assert len(files) == 1


@settings(max_examples=80, deadline=None)
@given(st.lists(any_html, min_size=1, max_size=3))
def test_any_pages_are_learned_from_in_any_order(sources: list[str]) -> None:
    pages = [
        Page(f"{source}<ul>{'<li><b>x</b> text</li>' * (number % 3)}</ul>") for number, source in enumerate(sources)
    ]
    wrapper = learn(pages)
    assert wrapper.dumps() == learn(pages[::-1]).dumps()
    assert all(0 <= misfit.page < len(pages) and misfit.fit < 0.5 for misfit in wrapper.misfits)
    named = {misfit.page for misfit in wrapper.misfits}
    assert all(wrapper.extract(page).fit >= 0.5 for number, page in enumerate(pages) if number not in named)
    for each in learn_all(pages):
        assert each.patterns or each.detail is not None


def test_the_address_is_that_of_the_first_page_and_all_else_is_the_same() -> None:
    pages = [Page(listing(range(9)), "https://a.example/1"), Page(listing(range(20, 21)), "https://a.example/2")]
    one, other = learn(pages), learn(pages[::-1])
    assert (one.url, other.url) == ("https://a.example/1", "https://a.example/2")
    assert one.dumps().replace("example/1", "example/2") == other.dumps()


def test_pages_are_put_in_order_by_their_content() -> None:
    pages = [Page(shop(number)) for number in range(1, 5)]
    for given_pages in permutations(pages):
        assert [given_pages[k] for k in in_order(given_pages)] == [pages[k] for k in in_order(pages)]


def test_a_page_with_one_record_reads_that_record() -> None:
    wrapper = learn([listing(range(30, 31)), listing(range(12))])
    (only,) = wrapper.extract(listing(range(30, 31))).records
    assert only["title"] == "Thing number 30"
    assert wrapper.misfits == ()
    assert wrapper.extract(listing(range(30, 31))).fit >= 0.5


def test_a_list_inside_the_only_record_is_not_the_list() -> None:
    def page(numbers: range) -> str:
        rows = "".join(
            f"<section class=hotel><h2>Hotel {k}</h2><p>By the sea, {k} steps away from it</p><ul>"
            + "".join(
                f"<li><a href=/{k}/{room}>Room {room} of {k}</a> <b>{room * 9 + k} EUR</b></li>" for room in range(4)
            )
            + "</ul></section>"
            for k in numbers
        )
        return f"<body>{MENU}<div class=hotels>{rows}</div>{FOOT}"

    pages = [page(range(3, 4)), page(range(10, 22))]
    for order in (pages, pages[::-1]):
        wrapper = learn(order)
        assert [len(wrapper.extract(html).records) for html in pages] == [1, 12]


def test_rows_of_headings_on_a_page_with_few_records_are_no_records() -> None:
    """Such a page shows three like rows, of which the pages with many records tell that two are headings."""

    def page(numbers: range) -> str:
        rows = "".join(
            f"<tr><td><a href=/{k}>Plant {k}</a></td><td>{k} cm tall</td><td>{k}.50 EUR</td></tr>" for k in numbers
        )
        head = "<tr><td colspan=3></td></tr><tr><td>Name</td><td>Height</td><td>Price</td></tr>"
        return f"<body>{MENU}<table>{head}{rows}</table>{FOOT}"

    pages = [page(range(1)), page(range(5, 25)), page(range(40, 58))]
    for order in permutations(pages):
        wrapper = learn(list(order))
        assert [len(wrapper.extract(html).records) for html in pages] == [1, 20, 18]


def test_what_says_the_same_on_all_pages_is_not_the_main_list() -> None:
    """Of two lists of the same make, the one with other records on every page."""

    def page(numbers: range) -> str:
        fixed = "".join(f"<li><h3>Guide {k}</h3><p>How to choose a thing of kind {k}</p></li>" for k in range(9))
        found = "".join(f"<div class=card><h3>Thing {k}</h3><p>It has a weight of {k}</p></div>" for k in numbers)
        return f"<body><ul class=guides>{fixed}</ul><div class=found>{found}</div>"

    pages = [page(range(k, k + 6)) for k in (10, 50, 90)]
    assert [len(learn(html).extract(html).records) for html in pages] == [9, 9, 9]
    wrapper = learn(pages)
    assert [r.texts[0] for r in wrapper.extract(page(range(200, 202))).records] == ["Thing 200", "Thing 201"]


def test_two_templates_are_named_and_learned_one_by_one() -> None:
    pages = [shop(1), forum(1), shop(2), catalogue(1), shop(3), forum(2)]
    wrapper = learn(pages)
    assert [misfit.page for misfit in wrapper.misfits] == [1, 3, 5]
    assert all(misfit.fit < 0.5 and misfit.why for misfit in wrapper.misfits)
    for order in (pages, pages[::-1]):
        wrappers = learn_all(order)
        assert [each.pages for each in wrappers] == [3, 2, 1]
        assert all(each.misfits == () for each in wrappers)
        for html in pages:
            assert len(wrappers.extract(html).records) == len(extract(html).records) > 4


def test_templates_that_share_all_but_the_list_are_told_apart_by_their_fit() -> None:
    frame = "".join(
        f"<section class=part{chr(97 + k)}><h4>Part</h4><p class=x>Text <u>{k}</u></p></section>" for k in range(26)
    )

    def other(numbers: range) -> str:
        rows = "".join(f"<tr><td>{k}</td><td>Person {k}</td><td><i>{k * 7} points</i></td></tr>" for k in numbers)
        return f"{frame}<table class=scores>{rows}</table>"

    pages = [frame + listing(range(9)), frame + listing(range(20, 34)), other(range(8)), other(range(30, 44))]
    wrappers = learn_all(pages)
    assert [len(wrappers.extract(html).records) for html in pages] == [9, 14, 8, 14]


def test_learning_all_of_nothing() -> None:
    with pytest.raises(FastwrapError, match="no page"):
        learn_all([])
    assert len(learn_all("<p>nothing repeats")) == 0


def test_further_templates_join_those_that_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [Page(shop(1)), Page(forum(1)), Page(catalogue(1))]
    assert [len(group) for group in templates.by_template(pages)] == [1, 1, 1]
    monkeypatch.setattr(templates, "MOST_TEMPLATES", 2)
    assert [len(group) for group in templates.by_template(pages)] == [2, 1]


def test_a_page_that_does_not_fit_is_named_with_the_reason() -> None:
    full, none, odd = listing(range(9)), listing(range(0)), "<p>Something else.</p>"
    wrapper = learn([none, full, odd])
    assert [(misfit.page, misfit.fit) for misfit in wrapper.misfits] == [(0, 0.0), (2, 0.0)]
    assert wrapper.misfits[0].why == "it has the place of the list, but no record"
    assert wrapper.misfits[1].why == "it has no place for the list"
    assert learn([odd]).misfits[0].why == "nothing repeats on it"
    changed = full.replace("<b class=price>", "<!--").replace(" EUR</b>", "-->")
    poor = learn([full, listing(range(20, 40)), changed])
    assert [misfit.page for misfit in poor.misfits] == [2]
    assert "price (emptied)" in poor.misfits[0].why


def test_records_that_a_wrapper_cannot_tell_apart_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fit knows nothing of records that are not read; the page that was learned from does."""

    def cut_badly(*given: Any, **more: Any) -> Pattern:
        pattern = learn_pattern(*given, **more)
        return replace(pattern, cutting=replace(pattern.cutting, roles=(HEAD, INSIDE, INSIDE)))

    page = "<main><h2>First of them</h2>" + "".join(f"<h3>Name {k}</h3><p>Text of {k} is long</p>" for k in range(9))
    wrapper = learn(page)
    assert (len(wrapper.extract(page).records), wrapper.misfits) == (9, ())
    monkeypatch.setattr(learning, "learn_pattern", cut_badly)
    (misfit,) = learn(page).misfits
    assert misfit == (0, 0.0, "its records cannot be told apart: 0 of 9 are read")


def test_a_page_with_other_promotions_does_not_vote_for_them() -> None:
    pages = [Page(listing(range(1), range(5))), Page(listing(range(0), range(90, 98))), Page(listing(range(8, 19)))]
    pages = [pages[k] for k in in_order(pages)]
    lists = match_lists(pages)
    patterns = [learn_pattern(group.examples, group.confidence) for group in lists.groups]
    main = lists.groups[main_first(lists, patterns, pages)[0]]
    assert [len(place.example.spans) for place in main.places.values()] == [11]


# Budgets


def irregular(seed: int) -> str:
    """Lists whose children no role tells apart."""
    kinds = "abcdefg"
    lists = []
    for number in range(6):
        children = []
        for k in range(30):
            children.append(f"<h3><a href=/{k}>Name {k} {seed}</a></h3>")
            for j in range((k * 7 + seed + number) % 5):
                tag = ("h3", "p", "div")[(k + j + number) % 3]
                children.append(f"<{tag} class={kinds[(k * j + number) % 7]}>text {k} {j}<i>x</i></{tag}>")
        lists.append(
            "<div>" * number + f"<section class=s{kinds[number]}>{''.join(children)}</section>" + "</div>" * number
        )
    return "".join(lists)


def test_one_budget_is_shared_by_all_lists_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [irregular(seed) for seed in range(3)]
    assert "wrapper.cutting" not in learn(listing(range(9))).limits
    spent: list[int] = []
    spend = cutting.Effort.spend

    def counted(effort: cutting.Effort, steps: int) -> None:
        spent.append(steps)
        spend(effort, steps)

    monkeypatch.setattr(cutting.Effort, "spend", counted)
    learn(pages)
    whole = sum(spent)
    assert whole > 0
    spent.clear()
    monkeypatch.setattr(cutting, "LEARNING_BUDGET", whole // 30)
    wrapper = learn(pages)
    assert "wrapper.cutting" in wrapper.limits
    assert sum(spent) < whole / 2
    assert [len(wrapper.extract(html).records) > 0 for html in pages] == [True] * 3


def test_the_limit_of_a_way_to_cut_that_was_not_taken_is_told() -> None:
    """It might have been better with a larger budget."""
    page = Page(irregular(1))
    region = extract(page, min_confidence=0).regions[0]
    parents = page.parent[region.spans[:, 0]]
    uneven = cutting.Example(page, parents[:1], region.spans[::2].copy())
    effort = cutting.Effort()
    effort.spend(effort.left)
    assert cutting.learn_cutting([uneven], effort).limits == ("wrapper.cutting",)
