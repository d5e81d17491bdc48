"""Region search by tag path sequence: both backends against the algorithms as printed, and what cuts promise.
Cost is tested by the budget rather than by the clock: a search that is not linear runs out of it."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap.tools.bench.pages import KINDS, generate
from tests.reference.noise import tag_path as twin
from tests.reference.noise.tag_path import LEFT, RIGHT, Element
from tests.reference.trees import Tree, record_pages, trees

Symbols: TypeAlias = npt.NDArray[np.int32]
Cut: TypeAlias = tuple[int, int, int]

ENOUGH = 10**9


@pytest.fixture(scope="module", params=["cython", "numba"])
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    if request.param == "numba":
        pytest.importorskip("numba")
        return importlib.import_module("fastwrap._numba.noise.tag_path")
    return importlib.import_module("fastwrap._core.noise.tag_path")


def usual_budget(symbols: Symbols) -> int:
    """What `fastwrap.clean` gives the search."""
    return 64 * len(symbols) + 100_000


def search(
    kernel: ModuleType, symbols: Symbols, budget: int = ENOUGH, gives_up: bool = False
) -> tuple[int, int, list[Cut], bool]:
    """The answer of a kernel in plain Python, after a look at its types."""
    start, end, cuts, complete = kernel.search_region(symbols, budget, gives_up)
    assert (type(start), type(end), type(complete)) == (int, int, bool)
    assert cuts.dtype == np.int32
    assert cuts.ndim == 2
    assert cuts.shape[1] == 3
    return start, end, [tuple(row) for row in cuts.tolist()], complete


def windows(length: int, cuts: list[Cut]) -> list[tuple[int, int]]:
    """The windows on the way, from the whole sequence to what the last cut left."""
    trail = [(0, length)]
    for position, _, side in cuts:
        lo, hi = trail[-1]
        trail.append((position, hi) if side == RIGHT else (lo, position))
    return trail


# Sequences. Numbers are given out in sorted order, so symbols are not numbered by first appearance.


def numbered(labels: list[int]) -> Symbols:
    return np.unique(np.array(labels, dtype=np.int64), return_inverse=True)[1].astype(np.int32)


def element(tree: Tree) -> Element:
    return Element(str(tree[0]), "", [element(child) for child in tree[1]])


def sequence_of(root: Element) -> list[int]:
    sequence: list[int] = []
    twin.convert_to_sequence(root, "", sequence, {})
    return sequence


def random_labels(alphabet_and_bytes: tuple[int, bytes]) -> list[int]:
    alphabet, drawn = alphabet_and_bytes
    return [byte % alphabet for byte in drawn]


def drifting_labels(pace_and_bytes: tuple[int, bytes]) -> list[int]:
    """Symbols that come and go, so that many neighbouring blocks overlap a little."""
    pace, drawn = pace_and_bytes
    return [place // pace + byte % 9 for place, byte in enumerate(drawn)]


def page_labels(sections: list[tuple[bytes, int]]) -> list[int]:
    """Sections of one heading and a repeated block; headings, and now and then an item, are shared."""
    labels: list[int] = []
    for number, (block, times) in enumerate(sections, 1):
        items = [byte % 3 if byte < 24 else 8 * number + byte % 8 for byte in block[1:]]
        labels += [block[0] % 3, *items * times]
    return labels


def nested_labels(wrappings: bytes) -> list[int]:
    """Blocks inside blocks, repeated or not, with none to three of a new symbol before and after."""
    labels = [0, 1, 0]
    for symbol, byte in enumerate(wrappings, 2):
        times, before, after = 1 + byte % 2, byte // 2 % 4, byte // 8 % 4
        labels = ([symbol] * before + labels * times + [symbol] * after)[:200]
    return labels


def exactly(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=size, max_size=size)


# Bytes, because hypothesis draws them at once; their length before, because they would be short otherwise.
some_bytes = st.integers(0, 120).flatmap(exactly)
labels = st.one_of(
    st.tuples(st.sampled_from([2, 4, 10, 40]), some_bytes).map(random_labels),
    st.tuples(st.integers(1, 12), some_bytes).map(drifting_labels),
    st.lists(st.tuples(exactly(5), st.integers(1, 12)), max_size=8).map(page_labels),
    st.integers(0, 12).flatmap(exactly).map(nested_labels),
    st.integers(0, 40).map(lambda length: list(range(length, 0, -1))),
)
sequences = labels.map(numbered)
tree_sequences = (trees() | record_pages()).map(element).map(sequence_of).map(numbered)

# The first positions are kept in words of 64 bits and groups of 64 words: runs end just before and after.
edges = st.sampled_from([1, 2, 62, 63, 64, 65, 127, 128, 129, 1000, 4031, 4032, 4095, 4096, 4097, 8192])
runs = st.lists(st.tuples(st.integers(0, 9), edges), min_size=1, max_size=7)
long_sequences = runs.map(lambda pairs: numbered([symbol for symbol, count in pairs for _ in range(count)]))


def check_twin(kernel: ModuleType, symbols: Symbols) -> None:
    for gives_up in (False, True):
        expected = twin.search_region(symbols.tolist(), gives_up)
        found = search(kernel, symbols, gives_up=gives_up)
        assert found == (expected.start, expected.end, expected.cuts, True)


@settings(max_examples=500)
@given(symbols=sequences)
def test_equals_the_twin(kernel: ModuleType, symbols: Symbols) -> None:
    check_twin(kernel, symbols)


def test_equals_the_twin_thousands_of_times(kernel: ModuleType) -> None:
    """The same kinds of sequence without hypothesis, which draws them more slowly than both search them."""
    random = Random(1)
    for _ in range(1000):
        drawn = random.randbytes(random.randrange(120))
        sections = [(random.randbytes(5), random.randint(1, 12)) for _ in range(random.randrange(8))]
        for labels in (
            random_labels((random.choice([2, 4, 10, 40]), drawn)),
            drifting_labels((random.randint(1, 12), drawn)),
            page_labels(sections),
            nested_labels(drawn[:12]),
        ):
            check_twin(kernel, numbered(labels))


@settings(max_examples=100)
@given(symbols=tree_sequences)
def test_equals_the_twin_on_trees(kernel: ModuleType, symbols: Symbols) -> None:
    check_twin(kernel, symbols)


@settings(max_examples=50)
@given(symbols=long_sequences)
def test_equals_the_twin_across_words_and_groups(kernel: ModuleType, symbols: Symbols) -> None:
    check_twin(kernel, symbols)


@settings(max_examples=200)
@given(symbols=sequences)
def test_numbers_of_symbols_do_not_matter(kernel: ModuleType, symbols: Symbols) -> None:
    """Numbered from the other end, the lowest numbers are nobody's."""
    assert search(kernel, (len(symbols) - 1 - symbols).astype(np.int32)) == search(kernel, symbols)


@settings(max_examples=250)
@given(symbols=sequences)
def test_what_a_cut_promises(kernel: ModuleType, symbols: Symbols) -> None:
    start, end, cuts, _ = search(kernel, symbols)
    trail = windows(len(symbols), cuts)
    assert trail[-1] == (start, end)
    for (lo, hi), (position, threshold, side) in zip(trail, cuts, strict=False):
        assert lo < position < hi
        frequency = Counter(symbols[lo:hi].tolist())
        assert threshold in frequency.values()
        left, right = ({s for s in symbols[a:b].tolist() if frequency[s] >= threshold}
                       for a, b in ((lo, position), (position, hi)))  # fmt: skip
        assert left
        assert right
        assert left.isdisjoint(right)
        kept, lost = (position - lo, hi - position) if side == LEFT else (hi - position, position - lo)
        assert (kept - lost) / (hi - lo) > 0.20
        # what the cost of the search rests on: thresholds are paid for by what is removed
        assert lost >= threshold


@settings(max_examples=200)
@given(symbols=sequences)
def test_the_region_cannot_be_cut(kernel: ModuleType, symbols: Symbols) -> None:
    start, end, _, _ = search(kernel, symbols)
    region = numbered(symbols[start:end].tolist())
    assert search(kernel, region) == (0, end - start, [], True)


@settings(max_examples=250)
@given(symbols=sequences, budget=st.integers(0, 200))
def test_a_small_budget_ends_on_the_way(kernel: ModuleType, symbols: Symbols, budget: int) -> None:
    start, end, cuts, complete = search(kernel, symbols, budget)
    whole = search(kernel, symbols)
    assert cuts == whole[2][: len(cuts)]
    assert (start, end) == windows(len(symbols), cuts)[-1]
    if complete:
        assert (start, end, cuts, True) == whole
    else:
        # a symbol that occurs c times in a window is visited c + 1 times at most
        assert budget < 2 * sum(hi - lo for lo, hi in windows(len(symbols), cuts))


@settings(max_examples=300)
@given(symbols=sequences, budget=st.integers(0, 200))
def test_backends_count_the_same_steps(symbols: Symbols, budget: int) -> None:
    pytest.importorskip("numba")
    compiled, jitted = (importlib.import_module(f"fastwrap.{name}.noise.tag_path") for name in ("_core", "_numba"))
    assert search(compiled, symbols, budget) == search(jitted, symbols, budget)


def listing() -> Element:
    """Listing 3.1 with 4, 20 and 5 items: menu, main region, advertisements between two breaks."""

    def division(style: str, items: int) -> Element:
        return Element("div", "", [Element("span", style) for _ in range(items)])

    regions = [division("region1", 4), division("region2", 20), division("region3", 5)]
    return Element("body", "", [Element("br"), *regions, Element("br")])


def test_listing_3_1(kernel: ModuleType) -> None:
    sequence = sequence_of(listing())
    assert sequence == [0, 1, 2, *[3] * 4, 2, *[4] * 20, 2, *[5] * 5, 1]
    by_hand = [
        (1, 1, RIGHT),  # body occurs once
        (29, 3, LEFT),  # br (2) spans everything; from 3 on, the last div ends a block, and the rest goes
        (2, 1, RIGHT),  # br has lost its second place
        (7, 4, RIGHT),  # div (3) spans everything; from 4 on, the menu's items are a block of their own
    ]
    assert search(kernel, np.array(sequence, dtype=np.int32)) == (7, 29, by_hand, True)


def test_listing_3_1_pruned() -> None:
    left = twin.tag_path_sequence_filter(listing())
    assert [(child.tag, len(child.children)) for child in left.children] == [("div", 20), ("div", 0)]
    assert {span.style for span in left.children[0].children} == {"region2"}


@given(tree=trees(20), bounds=st.tuples(st.integers(0, 30), st.integers(0, 30)))
def test_pruning_keeps_the_region_and_what_is_above_it(tree: Tree, bounds: tuple[int, int]) -> None:
    def nodes(root: Element) -> Iterator[Element]:
        yield root
        for child in root.children:
            yield from nodes(child)

    root = element(tree)
    length = len(sequence_of(root))
    start, end = sorted(bounds)
    inside = range(start, min(end, length))
    needed = {node.position for node in nodes(root) if any(below.position in inside for below in nodes(node))}
    assert twin.prune_tree(root, twin.Region(start, end, [])) == (not needed)
    assert {node.position for node in nodes(root)} == needed | {0}


@pytest.mark.parametrize("values", [[], [0]])
def test_nothing_to_search(kernel: ModuleType, values: list[int]) -> None:
    assert search(kernel, np.array(values, dtype=np.int32), budget=0) == (0, len(values), [], True)


@pytest.mark.parametrize(
    "symbols",
    [
        np.array([0, -1, 0], dtype=np.int32),
        np.array([0, 3, 0], dtype=np.int32),
        np.array([0, 2**31 - 1], dtype=np.int32),
        np.array([0, 1, 2], dtype=np.int64),
        np.array([0, 1, 2], dtype=np.float32),
        np.zeros((2, 2), dtype=np.int32),
        np.zeros(8, dtype=np.int32)[::2],
    ],
    ids=["negative", "too large", "huge", "int64", "float", "two dimensions", "strided"],
)
def test_bad_symbols(kernel: ModuleType, symbols: npt.NDArray[np.generic]) -> None:
    with pytest.raises(ValueError, match=r"."):
        kernel.search_region(symbols, ENOUGH)


@pytest.mark.parametrize("symbols", [None, [0, 1, 2]])
def test_symbols_that_are_no_array(kernel: ModuleType, symbols: object) -> None:
    with pytest.raises(TypeError):
        kernel.search_region(symbols, ENOUGH)


def test_symbols_may_be_read_only(kernel: ModuleType) -> None:
    symbols = np.array([0, 1, 1, 1], dtype=np.int32)
    symbols.flags.writeable = False
    assert search(kernel, symbols) == (1, 4, [(1, 1, RIGHT)], True)


def test_a_million_symbols_all_the_same(kernel: ModuleType) -> None:
    symbols = np.zeros(1_000_000, dtype=np.int32)
    assert search(kernel, symbols, budget=0) == (0, len(symbols), [], True)


def test_a_million_symbols_all_different(kernel: ModuleType) -> None:
    symbols = np.arange(1_000_000, dtype=np.int32)
    start, end, cuts, complete = kernel.search_region(symbols, 2 * len(symbols))
    assert complete
    assert (start, end) == (len(symbols) - 2, len(symbols))
    assert np.array_equal(cuts[:, 0], symbols[1:-1])
    assert (cuts[:, 1:] == (1, RIGHT)).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("nodes", [500, 5_000])
def test_generated_pages_take_few_steps(kernel: ModuleType, kind: str, nodes: int) -> None:
    symbols = Page(generate(kind, nodes)).path_symbol
    check_twin(kernel, symbols)
    assert search(kernel, symbols, budget=2 * len(symbols))[3]


@pytest.mark.corpus
def test_real_pages_stay_far_below_the_usual_budget(kernel: ModuleType, real_symbols: list[Symbols]) -> None:
    for symbols in real_symbols:
        assert search(kernel, symbols, budget=16 * len(symbols))[3]


@pytest.fixture(scope="module")
def real_symbols(corpus: list[Path]) -> list[Symbols]:
    return [Page(path.read_bytes()).path_symbol for path in corpus]


def comb(teeth: int) -> Symbols:
    """Made to hurt: b0 a0 a0 a0 a0 b1 a1 ... then every b twice more, in turn.

    The b span the window, whatever is cut; only the a, one at a time from the left and behind two failing
    thresholds, give a cut.
    """
    blocks = [label for tooth in range(teeth) for label in [2 * tooth, *[2 * tooth + 1] * 4]]
    return numbered(blocks + [2 * tooth for tooth in range(teeth)] * 2)


def test_a_hostile_sequence_stops_within_the_budget(kernel: ModuleType) -> None:
    check_twin(kernel, comb(30))
    symbols = comb(20_000)
    start, end, cuts, complete = search(kernel, symbols, usual_budget(symbols))
    assert not complete
    assert len(cuts) > 1
    assert (start, end) == windows(len(symbols), cuts)[-1]
