"""Lists by folded likeness: the kernel against its twin, lists planted in random pages, limits and bad input.
Thresholds are halves and quarters, so that both sides compute the same numbers to the last bit."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core.regions import folding
from tests.reference.regions.folding import LONGEST_ITEM, NEAR, PageList, find_lists
from tests.reference.trees import Arrays, Tree, arrays_from_tuple, record_pages, trees

PLENTY = 10**12


def kernel_lists(
    arrays: Arrays, threshold: float = 0.5, relative: float = 0.75, budget: int = PLENTY, root: int = 0
) -> list[PageList]:
    node, region, first, start, end, likeness = folding.find_lists(
        arrays.tag, arrays.size, arrays.class_id, root, threshold, relative, budget
    )
    assert [array.dtype for array in (node, region, first, start, end)] == [np.int32] * 5
    items = list(zip(start.tolist(), end.tolist(), strict=True))
    return [
        PageList(node[k], region[k], items[first[k] : first[k + 1]], likeness[first[k] : first[k + 1]].tolist())
        for k in range(len(node))
    ]


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
    assert kernel_lists(arrays_from_tuple(page), *limits) == find_lists(page, *limits)


@settings(max_examples=200)
@given(page=pages, budget=st.integers(0, 60))
def test_lists_are_sound_whatever_the_budget(page: Tree, budget: int) -> None:
    arrays = arrays_from_tuple(page)
    within_region: dict[int, list[tuple[int, int]]] = {}
    for found in kernel_lists(arrays, budget=budget):
        assert len(found.items) == len(found.likenesses) >= 2
        assert found.likenesses[0] == 0
        assert all(0 <= likeness <= 1 for likeness in found.likenesses)
        for (_, end), (start, _) in zip(found.items, found.items[1:], strict=False):
            assert end == start
        for start, end in found.items:
            while start < end:
                assert arrays.parent[start] == found.node
                start += int(arrays.size[start])
            assert start == end
        within_region.setdefault(found.region, []).extend(found.items)
    assert sorted(within_region) == list(range(len(within_region)))
    for items in within_region.values():
        items.sort()
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(items))


@settings(max_examples=100)
@given(page=pages)
def test_classes_are_a_short_cut_only(page: Tree) -> None:
    arrays = arrays_from_tuple(page)
    apart = replace(arrays, class_id=np.arange(len(arrays.tag), dtype=np.int32))
    assert kernel_lists(apart) == kernel_lists(arrays)


@settings(max_examples=100)
@given(page=pages, before=trees(4), after=trees(4))
def test_a_root_hides_the_rest_of_the_page(page: Tree, before: Tree, after: Tree) -> None:
    arrays = arrays_from_tuple((9, (before, page, after)))
    root = 1 + int(arrays.size[1])
    moved = [
        found._replace(node=found.node + root, items=[(start + root, end + root) for start, end in found.items])
        for found in kernel_lists(arrays_from_tuple(page))
    ]
    assert kernel_lists(arrays, root=root) == moved


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
    arrays = arrays_from_tuple((9, tuple(children)))
    starts = [1 + len(before)]
    for item in items:
        starts.append(starts[-1] + sum(1 + len(part[1]) for part in item))
    (found,) = kernel_lists(arrays)
    assert found.items == list(itertools.pairwise(starts))


def test_a_variant_between_the_same_neighbours_is_an_item() -> None:
    """Too far from the others for the second threshold, near enough for the first, and in their place."""
    full, lesser = big(1, 9), big(1, 5)
    (found,) = kernel_lists(arrays_from_tuple((9, (full, full, full, lesser, full))))
    assert [end - start for start, end in found.items] == [10, 10, 10, 6, 10]


def test_parts_of_an_item_are_told_apart_by_the_second_threshold() -> None:
    full, lesser = big(1, 9), big(1, 5)
    (found,) = kernel_lists(arrays_from_tuple((9, (full, lesser) * 3)))
    assert [end - start for start, end in found.items] == [16, 16, 16]


def test_lists_fold_before_what_holds_them_is_compared() -> None:
    """A record with two prices and one with twenty are the same once the lists in them are folded."""

    def record(prices: int) -> Tree:
        return (1, (leaf(2), (3, tuple(big(4, 1) for _ in range(prices)))))

    outer = kernel_lists(arrays_from_tuple((9, (record(2), record(20), record(3)))))[0]
    assert outer.node == 0
    assert outer.likenesses == [0, 1, 1]


def test_lists_of_one_kind_are_one_region_wherever_they_are() -> None:
    def section(items: int) -> Tree:
        return (1, (leaf(2), (3, tuple(big(4, 2) for _ in range(items)))))

    other = (1, (leaf(2), (3, (big(5, 3), big(5, 3)))))
    page = (9, (section(2), section(4), (8, (section(3),)), other))
    regions: dict[int, int] = {}
    for found in kernel_lists(arrays_from_tuple(page)):
        regions[found.region] = regions.get(found.region, 0) + len(found.items)
    # The two sections; the items of both; those of the section on another path; the other items on this path.
    assert sorted(regions.values()) == [2, 2, 3, 6]


@pytest.mark.parametrize(("between", "lists"), [(NEAR - 1, 1), (NEAR, 0)])
def test_only_near_siblings_are_compared(between: int, lists: int) -> None:
    page = (9, (big(1, 200), *(leaf(1000 + place) for place in range(between)), big(1, 201)))
    assert len(kernel_lists(arrays_from_tuple(page))) == lists


@pytest.mark.parametrize("parts", [LONGEST_ITEM, LONGEST_ITEM + 1])
def test_items_have_a_longest_length(parts: int) -> None:
    page = (9, tuple(leaf(1000 + place) for place in range(parts)) * 3)
    found = kernel_lists(arrays_from_tuple(page))
    assert [len(one.items) for one in found] == ([3] if parts == LONGEST_ITEM else [])


def chain(depth: int, leaves: int) -> Arrays:
    """Two equal deep trees that differ at the bottom, without recursion."""
    tags = [9]
    sizes = [1 + 2 * depth + 2 * leaves + 1]
    for extra in (0, 1):
        tags += [1 + place % 3 for place in range(depth)] + [0] * (leaves + extra)
        sizes += [depth - place + leaves + extra for place in range(depth)] + [1] * (leaves + extra)
    count = len(tags)
    tag, size = np.array(tags, dtype=np.int32), np.array(sizes, dtype=np.int32)
    numbers = np.arange(count, dtype=np.int32)
    return Arrays(tag, numbers, size, numbers, numbers)


def test_depth_needs_no_recursion() -> None:
    found = kernel_lists(chain(50_000, 3))
    assert [len(one.items) for one in found if one.node == 0] == [2]


def test_a_wide_node_keeps_to_its_share_of_the_budget() -> None:
    """Siblings all different and all alike, folded first, are too much for the budget; what is left does for others."""
    chooser = np.random.default_rng(1)
    wide = (1, tuple((2, tuple(map(leaf, chooser.integers(3, 9, 30).tolist()))) for _ in range(60)))
    page = (9, ((8, (big(7, 4), big(7, 5), big(7, 6))), wide))
    first = kernel_lists(arrays_from_tuple(page), budget=200_000)[0]
    assert first.likenesses == [0, 5 / 6, 6 / 7]


def test_the_last_item_ends_where_one_of_the_four_before_it_does() -> None:
    head, one, other = big(1, 9), big(2, 3), big(3, 3)
    (found,) = kernel_lists(arrays_from_tuple((9, (head, one, *(head, other) * 3, head, one, leaf(4)))))
    assert [end - start for start, end in found.items] == [14] * 5


def test_threads_find_the_same() -> None:
    """The work is done without the GIL and shares nothing."""
    chooser = np.random.default_rng(2)
    page = (9, tuple((2, tuple(map(leaf, chooser.integers(3, 6, 9).tolist()))) for _ in range(300)))
    arrays = arrays_from_tuple(page)
    expected = kernel_lists(arrays)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(kernel_lists, [arrays] * 8))


def test_bad_arrays_are_refused() -> None:
    arrays = arrays_from_tuple((9, (big(1, 2), big(1, 2))))
    short = arrays.tag[:-1].copy()
    with pytest.raises(ValueError, match="differ in length"):
        folding.find_lists(short, arrays.size, arrays.class_id, 0, 0.5, 0.75, PLENTY)
    with pytest.raises(ValueError, match="no node"):
        kernel_lists(arrays, root=len(arrays.tag))
    for sizes in ([7, 4, 1, 1, 3, 1, 1], [7, 3, 1, 1, 0, 1, 1], [7, 2, 2, 1, 3, 1, 1]):
        with pytest.raises(ValueError, match="not those of a tree"):
            kernel_lists(replace(arrays, size=np.array(sizes, dtype=np.int32)))
    with pytest.raises(ValueError, match="outside the arrays"):
        kernel_lists(replace(arrays, size=arrays.size + 1))
    with pytest.raises(ValueError, match="no more classes"):
        kernel_lists(replace(arrays, class_id=arrays.class_id + 100))
    with pytest.raises(ValueError, match="differ in their children"):
        kernel_lists(replace(arrays, class_id=np.zeros_like(arrays.class_id)))
