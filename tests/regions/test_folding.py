"""Lists by folded likeness: the kernel against its twin, lists planted in random pages, and its budget.
Thresholds are halves and quarters, so that both sides compute the same numbers to the last bit."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.regions import folding
from tests.helpers.pages import page_of
from tests.helpers.tree_pages import tree_page
from tests.reference.regions.folding import LONGEST_ITEM, NEAR, PageList, find_lists
from tests.reference.trees import Tree, record_pages, trees

PLENTY = 10**12


def kernel_lists(page: Page, threshold: float = 0.5, relative: float = 0.75) -> list[PageList]:
    """The lists of a page without a budget, as the twin has them."""
    return lists_and_met(page, PLENTY, threshold, relative)[0]


def lists_and_met(
    page: Page, budget: int, threshold: float = 0.5, relative: float = 0.75
) -> tuple[list[PageList], bool]:
    """The lists of a page, and whether the budget was met."""
    region, first, spans, likeness, met = folding.find_lists(page.native, threshold, relative, budget)
    assert [array.dtype for array in (region, first, spans)] == [np.int32] * 3
    items = [tuple(span) for span in spans.tolist()]
    node = page.parent[spans[first[:-1], 0]].tolist()
    lists = [
        PageList(node[k], region[k], items[first[k] : first[k + 1]], likeness[first[k] : first[k + 1]].tolist())
        for k in range(len(node))
    ]
    return lists, met


@st.composite
def listings(draw: st.DrawFn) -> Tree:
    """A page of one node whose children repeat a pattern: parts left out, doubled, varied; noise anywhere."""
    alphabet = draw(st.lists(trees(4, 3), min_size=2, max_size=5))
    part = st.sampled_from(alphabet)
    pattern = draw(st.lists(part, min_size=1, max_size=4))
    children: list[Tree] = draw(st.lists(part, max_size=2))
    for change in draw(st.lists(st.sampled_from(["", "", "", "drop", "double", "noise"]), min_size=2, max_size=6)):
        item = list(pattern)
        where = draw(st.integers(0, len(item) - 1))
        if change == "drop":
            del item[where]
        elif change:
            item.insert(where, item[where] if change == "double" else draw(part))
        children += item
    children += draw(st.lists(part, max_size=2))
    return (draw(st.integers(1, 3)), tuple(children))


pages = st.one_of(
    trees(25, 2), record_pages(8, 6), listings(), st.builds(lambda a, b: (9, (a, b)), listings(), listings())
)
thresholds = st.sampled_from([(0.5, 0.75), (0.5, 0.5), (0.25, 0.75), (0.75, 1.0), (0.0, 0.0)])


@settings(max_examples=500)
@given(page=pages, limits=thresholds)
def test_lists_are_those_of_the_twin(page: Tree, limits: tuple[float, float]) -> None:
    found, met = lists_and_met(tree_page(page), PLENTY, *limits)
    assert found == find_lists(page, *limits)
    assert met is False


@settings(max_examples=200)
@given(page=pages, budget=st.integers(0, 60))
def test_lists_are_sound_whatever_the_budget(page: Tree, budget: int) -> None:
    tree = tree_page(page)
    within_region: dict[int, list[tuple[int, int]]] = {}
    lists, met = lists_and_met(tree, budget)
    assert met or lists == kernel_lists(tree)
    for found in lists:
        assert len(found.items) == len(found.likenesses) >= 2
        assert found.likenesses[0] == 0
        assert all(0 <= likeness <= 1 for likeness in found.likenesses)
        for (_, end), (start, _) in zip(found.items, found.items[1:], strict=False):
            assert end == start
        for start, end in found.items:
            while start < end:
                assert tree.parent[start] == found.node
                start += int(tree.size[start])
            assert start == end
        within_region.setdefault(found.region, []).extend(found.items)
    assert sorted(within_region) == list(range(len(within_region)))
    for items in within_region.values():
        items.sort()
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(items))


@settings(max_examples=100)
@given(page=pages, before=trees(4), after=trees(4))
def test_the_lists_are_those_of_the_body(page: Tree, before: Tree, after: Tree) -> None:
    whole: Tree = (9, (before, page, after))
    body = 1 + int(tree_page(whole).size[1])
    moved = [
        found._replace(node=found.node + body, items=[(start + body, end + body) for start, end in found.items])
        for found in kernel_lists(tree_page(page))
    ]
    assert kernel_lists(tree_page(whole, body)) == moved


def leaf(tag: int) -> Tree:
    return (tag, ())


def big(tag: int, leaves: int) -> Tree:
    return (tag, tuple(leaf(100 + place) for place in range(leaves)))


@settings(max_examples=300)
@given(
    kept=st.lists(st.sets(st.sampled_from([3, 4, 5])), min_size=2, max_size=12),
    before=st.lists(st.integers(20, 25), max_size=3, unique=True),
    after=st.lists(st.integers(30, 35), max_size=3, unique=True),
)
def test_items_start_at_their_head_with_parts_left_out(
    kept: list[set[int]], before: list[int], after: list[int]
) -> None:
    """Items of a head, up to three optional parts, and a tail; what comes before and after is left out.

    Head and tail are so large that no choice of parts makes two items together the better item.
    """
    items = [[big(1, 40), *map(leaf, sorted(parts)), big(2, 40)] for parts in kept]
    children = [*map(leaf, before), *(part for item in items for part in item), *map(leaf, after)]
    page = tree_page((9, tuple(children)))
    starts = [1 + len(before)]
    for item in items:
        starts.append(starts[-1] + sum(1 + len(part[1]) for part in item))
    (found,) = kernel_lists(page)
    assert found.items == list(itertools.pairwise(starts))


def test_a_variant_between_the_same_neighbours_is_an_item() -> None:
    """Too far from the others for the second threshold, near enough for the first, and in their place."""
    full, lesser = big(1, 9), big(1, 5)
    (found,) = kernel_lists(tree_page((9, (full, full, full, lesser, full))))
    assert [end - start for start, end in found.items] == [10, 10, 10, 6, 10]


def test_parts_of_an_item_are_told_apart_by_the_second_threshold() -> None:
    full, lesser = big(1, 9), big(1, 5)
    (found,) = kernel_lists(tree_page((9, (full, lesser) * 3)))
    assert [end - start for start, end in found.items] == [16, 16, 16]


def test_lists_fold_before_what_holds_them_is_compared() -> None:
    """A record with two prices and one with twenty are the same once the lists in them are folded."""

    def record(prices: int) -> Tree:
        return (1, (leaf(2), (3, tuple(big(4, 1) for _ in range(prices)))))

    outer = kernel_lists(tree_page((9, (record(2), record(20), record(3)))))[0]
    assert outer.node == 0
    assert outer.likenesses == [0, 1, 1]


def test_lists_of_one_kind_are_one_region_wherever_they_are() -> None:
    def section(items: int) -> Tree:
        return (1, (leaf(2), (3, tuple(big(4, 2) for _ in range(items)))))

    other = (1, (leaf(2), (3, (big(5, 3), big(5, 3)))))
    page = (9, (section(2), section(4), (8, (section(3),)), other))
    regions: dict[int, int] = {}
    for found in kernel_lists(tree_page(page)):
        regions[found.region] = regions.get(found.region, 0) + len(found.items)
    # The two sections; the items of both; those of the section on another path; the other items on this path.
    assert sorted(regions.values()) == [2, 2, 3, 6]


@pytest.mark.parametrize(("between", "lists"), [(NEAR - 1, 1), (NEAR, 0)])
def test_only_near_siblings_are_compared(between: int, lists: int) -> None:
    page = (9, (big(1, 200), *(leaf(1000 + place) for place in range(between)), big(1, 201)))
    assert len(kernel_lists(tree_page(page))) == lists


@pytest.mark.parametrize("parts", [LONGEST_ITEM, LONGEST_ITEM + 1])
def test_items_have_a_longest_length(parts: int) -> None:
    page = (9, tuple(leaf(1000 + place) for place in range(parts)) * 3)
    found = kernel_lists(tree_page(page))
    assert [len(one.items) for one in found] == ([3] if parts == LONGEST_ITEM else [])


def chain(depth: int, leaves: int) -> Page:
    """Two equal deep trees that differ at the bottom, without recursion."""
    tags, parents = [9], [-1]
    for extra in (0, 1):
        parents += [0, *range(len(tags), len(tags) + depth - 1)]
        tags += [10 + place % 3 for place in range(depth)]
        parents += [len(tags) - 1] * (leaves + extra)
        tags += [0] * (leaves + extra)
    return page_of(tags, parents)


def test_depth_needs_no_recursion() -> None:
    found = kernel_lists(chain(50_000, 3))
    assert [len(one.items) for one in found if one.node == 0] == [2]


def test_a_wide_node_keeps_to_its_share_of_the_budget() -> None:
    """Siblings all different and all alike, folded first, are too much for the budget; what is left does for others."""
    chooser = np.random.default_rng(1)
    wide = (1, tuple((2, tuple(map(leaf, chooser.integers(3, 9, 30).tolist()))) for _ in range(60)))
    page = (9, ((8, (big(7, 4), big(7, 5), big(7, 6))), wide))
    lists, met = lists_and_met(tree_page(page), 200_000)
    assert met is True
    assert lists[0].likenesses == [0, 5 / 6, 6 / 7]


def test_the_last_item_ends_where_one_of_the_four_before_it_does() -> None:
    head, one, other = big(1, 9), big(2, 3), big(3, 3)
    (found,) = kernel_lists(tree_page((9, (head, one, *(head, other) * 3, head, one, leaf(4)))))
    assert [end - start for start, end in found.items] == [14] * 5


def test_threads_find_the_same() -> None:
    """The work is done without the GIL and shares nothing."""
    chooser = np.random.default_rng(2)
    page = (9, tuple((2, tuple(map(leaf, chooser.integers(3, 6, 9).tolist()))) for _ in range(300)))
    whole = tree_page(page)
    expected = kernel_lists(whole)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(kernel_lists, [whole] * 8))
