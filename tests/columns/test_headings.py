"""Headings above groups of records: the kernel against its oracle, and which texts are headings."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core.columns import headings as native
from fastwrap._core.common.page import NativePage
from fastwrap.columns import headings
from fastwrap.columns.headings import Heading, find_heading
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import CUSTOM, NO_NODE
from tests.helpers.columns import spans_of
from tests.helpers.pages import page_of
from tests.reference.columns import headings as plain
from tests.reference.trees import TEXT, Arrays, Tree, arrays_from_tuple, trees

ROOT, HEADING, ITEM = 1, 2, 3
IS_HEADING = bytes([0, 0, 1])
UNLIMITED = (9.0, 9_000)


class Records(NamedTuple):
    native: NativePage
    spans: Int32Array
    is_heading: bytes = IS_HEADING
    max_gap: int = 80


@pytest.fixture(scope="module", params=[native, plain], ids=["native", "plain"])
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    module: ModuleType = request.param
    return module


def native_page(arrays: Arrays) -> NativePage:
    return page_of(arrays.tag, arrays.parent).native


@st.composite
def pages(draw: st.DrawFn) -> Arrays:
    """A root around trees."""
    forest = draw(st.lists(trees(max_leaves=6, tags=4), min_size=1, max_size=8))
    # A list repeats what it has, and so do the headings of its parts.
    forest = [draw(st.sampled_from(forest)) for _ in range(draw(st.integers(1, 16)))]
    return arrays_from_tuple((ROOT, tuple(forest)))


def apart(random: Random, nodes: int) -> Int32Array:
    """Spans that do not overlap, in order, many of which touch."""
    bounds = sorted(random.choices(range(nodes + 1), k=random.randrange(24)))
    return spans_of([span for span in itertools.pairwise(bounds) if span[0] < span[1] and random.randrange(4)])


def anyhow(random: Random, nodes: int) -> Int32Array:
    """Spans in any order, which may overlap."""
    pairs = [random.choices(range(nodes + 1), k=2) for _ in range(random.randrange(12))]
    return spans_of([(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]])


@st.composite
def sections_of_records(draw: st.DrawFn) -> Records:
    """Groups of records below headings of a few kinds, as pages have them: here most gaps have some kind."""
    gaps: list[tuple[Tree, ...]] = draw(
        st.lists(st.lists(trees(max_leaves=3, tags=3), min_size=1, max_size=3).map(tuple), min_size=1, max_size=4)
    )
    children: list[Tree] = []
    places: list[int] = []
    for _ in range(draw(st.integers(1, 12))):
        children += draw(st.sampled_from([*gaps, ()]))
        for _ in range(draw(st.integers(1, 3))):
            places.append(len(children))
            children.append((ITEM, ((TEXT, ()),)))
    arrays = arrays_from_tuple((ROOT, tuple(children)))
    roots = np.flatnonzero(arrays.parent == 0).tolist()
    return Records(native_page(arrays), spans_of([(roots[place], roots[place] + 2) for place in places]), IS_HEADING)


def compare(given_: Records, max_share: float, max_groups: int) -> int:
    """How many kinds both kernels find."""
    found = native.kinds(*given_, max_share, max_groups)
    assert found == plain.kinds(*given_, max_share, max_groups)
    # Kinds that there are, and some that there may be.
    for kind in [*(kind for kind, _ in found[1]), (HEADING,), (ITEM, ROOT), (NO_NODE,), (1, 1, 1, 1)]:
        assert native.nodes(*given_, kind) == plain.nodes(*given_, kind)
    return len(found[1])


@pytest.mark.parametrize("spans", [apart, anyhow])
@given(arrays=pages(), random=st.randoms(use_true_random=False))
@settings(max_examples=250)
def test_random_records(spans: Callable[[Random, int], Int32Array], arrays: Arrays, random: Random) -> None:
    # Pages take long to draw, so each has several sets of records; numbers that hypothesis draws take long as well.
    own, page = Random(random.getrandbits(32)), native_page(arrays)
    for _ in range(10):
        given_ = Records(
            page,
            spans(own, len(arrays.tag)),
            bytes(own.choices(range(2), k=own.randrange(6))),
            own.choice([80, 5, 3, 1, 0]),
        )
        compare(given_, own.choice([0.7, 9.0, 0.2]), own.choice([2_000, 3]))


@given(sections_of_records(), st.sampled_from([(0.7, 2_000), UNLIMITED, (9.0, 3)]))
@settings(max_examples=300)
def test_sections(given_: Records, limits: tuple[float, int]) -> None:
    compare(given_, *limits)


def test_many_kinds() -> None:
    """More than the first table of kinds holds; the numbers of unknown tags are large."""
    forest: list[Tree] = []
    for k in range(300):
        forest += [(CUSTOM + k % 70, ((TEXT, ()),)), (ITEM, ())]
    arrays = arrays_from_tuple((ROOT, tuple(forest)))
    spans = spans_of([(node, node + 1) for node in np.flatnonzero(arrays.tag == ITEM).tolist()])
    given_ = Records(native_page(arrays), spans)
    assert native.kinds(*given_, *UNLIMITED)[1] == [((CUSTOM + k, ROOT), 5) for k in (1, 2, 3)]
    assert compare(given_, *UNLIMITED) == 3


@pytest.mark.corpus
def test_real_pages(corpus: list[Path]) -> None:
    found = 0
    for path in corpus[::20]:
        page = Page(path.read_bytes())
        for name in ("li", "tr", "p", "div"):
            spans = [(node, node + int(page.size[node])) for node in range(len(page)) if page.tag_name(node) == name]
            found += compare(Records(page.native, spans_of(spans), headings.IS_HEADING), *UNLIMITED)
    assert found


# What is counted


def records_below(*children: Tree) -> tuple[Records, list[int]]:
    """A root with children, of which the items are records; and the texts in the others."""
    arrays = arrays_from_tuple((ROOT, children))
    items = np.flatnonzero((arrays.tag == ITEM) & (arrays.parent == 0)).tolist()
    texts = [node for node in np.flatnonzero(arrays.tag == TEXT).tolist() if arrays.tag[arrays.parent[node]] != ITEM]
    spans = spans_of([(node, node + int(arrays.size[node])) for node in items])
    return Records(native_page(arrays), spans), texts


WORDS: Tree = (TEXT, ())
TITLE: Tree = (HEADING, (WORDS,))
CELL: Tree = (ITEM, (WORDS,))
NOTE: Tree = (4, (WORDS,))
DEEP: Tree = (4, ((5, (TITLE, (6, ((7, ((8, (WORDS,)),)),)))),))


def kinds_of(kernel: ModuleType, given_: Records) -> tuple[int, dict[tuple[int, ...], int]]:
    groups, found = kernel.kinds(*given_, *UNLIMITED)
    return groups, dict(found)


def test_headings_of_groups(kernel: ModuleType) -> None:
    given_, (first, second) = records_below(TITLE, CELL, CELL, TITLE, CELL, CELL)
    assert kinds_of(kernel, given_) == (2, {(HEADING,): 1})
    assert kernel.nodes(*given_, (HEADING,)) == [first, first, second, second]


def test_the_gap_before_the_first_group_is_not_counted(kernel: ModuleType) -> None:
    given_, (note, _) = records_below(NOTE, CELL, CELL, TITLE, CELL)
    assert kinds_of(kernel, given_) == (2, {(HEADING,): 1})
    assert kernel.nodes(*given_, (4, ROOT)) == [note] * 3


def test_no_heading_so_far(kernel: ModuleType) -> None:
    """Records before the first heading have none; a group without one has that of the group before."""
    given_, (title, _) = records_below(CELL, CELL, TITLE, CELL, NOTE, CELL)
    assert kernel.nodes(*given_, (HEADING,)) == [NO_NODE, NO_NODE, title, title]


def test_the_last_text_of_a_gap_is_the_heading(kernel: ModuleType) -> None:
    given_, texts = records_below(CELL, CELL, TITLE, TITLE, NOTE, CELL)
    assert kinds_of(kernel, given_) == (2, {(HEADING,): 1})
    assert kernel.nodes(*given_, (HEADING,)) == [NO_NODE, NO_NODE, texts[1]]


def test_texts_that_are_in_no_heading_stand_alone(kernel: ModuleType) -> None:
    alone, _ = records_below(CELL, CELL, NOTE, CELL)
    assert kinds_of(kernel, alone)[1] == {(4, ROOT): 1}
    two, _ = records_below(CELL, CELL, NOTE, NOTE, CELL)
    assert kinds_of(kernel, two)[1] == {}


def test_a_kind_ends_at_a_heading_or_after_four_tags(kernel: ModuleType) -> None:
    given_, (inner, deep) = records_below(CELL, CELL, DEEP, CELL)
    assert kinds_of(kernel, given_)[1] == {(HEADING,): 1}
    assert kernel.nodes(*given_, (HEADING,))[2] == inner
    assert kernel.nodes(*given_, (8, 7, 6, 5))[2] == deep
    assert kernel.nodes(*given_, (8, 7, 6))[2] == NO_NODE
    assert kernel.nodes(*given_, (HEADING, 5))[2] == NO_NODE


def test_a_tag_beyond_the_table_is_not_for_headings(kernel: ModuleType) -> None:
    given_, _ = records_below(CELL, CELL, TITLE, CELL)
    assert kinds_of(kernel, given_._replace(is_heading=b""))[1] == {(HEADING, ROOT): 1}


def test_the_gap_is_as_long_as_is_said(kernel: ModuleType) -> None:
    given_, (title,) = records_below(CELL, CELL, TITLE, (4, ()), (4, ()), CELL)
    enough, short = given_._replace(max_gap=3), given_._replace(max_gap=2)
    assert kinds_of(kernel, enough)[1] == {(HEADING,): 1}
    assert kinds_of(kernel, short)[1] == {}
    assert kernel.nodes(*enough, (HEADING,))[2] == title
    assert kernel.nodes(*short, (HEADING,))[2] == NO_NODE


def test_the_three_most_frequent_kinds_the_first_of_equals_first(kernel: ModuleType) -> None:
    gaps = [9, 4, 5, 6, 5, 6]
    given_, _ = records_below(CELL, CELL, *itertools.chain.from_iterable([(tag, (WORDS,)), CELL] for tag in gaps))
    assert kernel.kinds(*given_, *UNLIMITED) == (7, [((5, ROOT), 2), ((6, ROOT), 2), ((9, ROOT), 1)])


@pytest.mark.parametrize(
    ("children", "max_share", "max_groups", "groups"),
    [
        ([CELL, TITLE, CELL], 9.0, 9, 2),              # two records
        ([TITLE, CELL, CELL, CELL], 9.0, 9, 1),        # one group
        ([CELL, TITLE, CELL, TITLE, CELL, CELL], 0.5, 9, 3),
        ([CELL, TITLE, CELL, TITLE, CELL, CELL], 9.0, 2, 3),
        ([TITLE], 9.0, 9, 0),
        ([], 9.0, 9, 0),
    ],
)  # fmt: skip
def test_where_nothing_is_looked_for(
    kernel: ModuleType, children: list[Tree], max_share: float, max_groups: int, groups: int
) -> None:
    assert kernel.kinds(*records_below(*children)[0], max_share, max_groups) == (groups, [])


# What is refused


@pytest.mark.parametrize(
    "wrong",
    [
        {"spans": np.array([[0, 1, 2]] * 4, dtype=np.int32)}, {"spans": np.array([0, 1, 2, 3], dtype=np.int32)},
        {"spans": spans_of([(0, 1), (1, 2), (4, 99)])}, {"spans": spans_of([(-1, 1), (1, 2), (4, 5)])},
        {"spans": spans_of([(0, 1), (1, 2), (4, 3)])}, {"max_gap": -1},
    ],
)  # fmt: skip
def test_what_is_refused(kernel: ModuleType, wrong: dict[str, Any]) -> None:
    given_, _ = records_below(CELL, CELL, TITLE, CELL)
    assert kernel.kinds(*given_, *UNLIMITED) == (2, [((HEADING,), 1)])
    given_ = given_._replace(**wrong)
    with pytest.raises(ValueError, match=r"first node|not within|no nodes"):
        kernel.kinds(*given_, *UNLIMITED)
    with pytest.raises(ValueError, match=r"first node|not within|no nodes"):
        kernel.nodes(*given_, (HEADING,))


@pytest.mark.parametrize("kind", [(), (1, 2, 3, 4, 5)])
def test_wrong_kinds_are_refused(kernel: ModuleType, kind: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="1 to 4 tags"):
        kernel.nodes(*records_below(CELL, CELL, TITLE, CELL)[0], kind)


# The headings of a page


@pytest.fixture
def chosen(kernel: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the kernels in turn for what follows."""
    monkeypatch.setattr(headings, "kernel", kernel)


def items_of(page: Page) -> list[list[int]]:
    return [[node, node + int(page.size[node])] for node in range(len(page)) if page.tag_name(node) == "li"]


@pytest.mark.usefixtures("chosen")
def test_headings_of_a_page() -> None:
    page = Page("<h2><b>Red</b> things</h2><ul><li>a<li>b</ul><h2><b>Blue</b> things</h2><ul><li>c<li>d</ul>")
    heading = Heading(("b", "h2"), "", " things")
    assert find_heading(page, items_of(page)) == (heading, ["Red", "Red", "Blue", "Blue"])
    other = Page("<ul><li>x</ul><h2><b>New</b> things</h2><ul><li>y</ul><p>-</p><ul><li>z</ul>")
    assert heading.texts(other, items_of(other)) == [None, "New", "New"]
    assert Heading(("x-unknown",)).texts(other, items_of(other)) == [None] * 3
    assert heading.texts(other, []) == []


@pytest.mark.usefixtures("chosen")
@pytest.mark.parametrize("spans", [[], [[0, 1]], np.array([[3, 4], [5, 6]])])
def test_too_few_records(spans: Any) -> None:
    assert find_heading(Page("<ul><li>a<li>b</ul>"), spans) is None


@pytest.mark.usefixtures("chosen")
def test_records_outside_the_page() -> None:
    page = Page("<ul><li>a<li>b</ul>")
    with pytest.raises(ValueError, match="not within"):
        find_heading(page, [[3, 4], [5, 6], [7, 99]])
    with pytest.raises(ValueError, match="not within"):
        Heading(("h2",)).texts(page, [[3, 4], [5, 6], [7, 99]])
