"""Levenshtein distances of spans, on both backends: equal to the textbook's table, within the budget."""

from __future__ import annotations

import importlib
import random
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from types import ModuleType
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap.common.backend import CHOICES
from tests.helpers.hangs import ends_soon
from tests.reference.similarity.levenshtein import distance

Sequences: TypeAlias = tuple[list[int], ...]
Spans: TypeAlias = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]

AMPLE = 10**12
INT32 = np.iinfo(np.int32)

# Few symbols, tag numbers and bytes, symbols around the 256 that need no renumbering, hashes of either sign.
ALPHABETS = {
    "two": range(2),
    "bytes": range(256),
    "around 256": range(250, 262),
    "hashes": range(INT32.min, INT32.max, 97_000_001),
    "any": range(INT32.min, INT32.max),
}
# On both sides of a word, two words, a stripe of four, and several stripes.
LENGTHS = (63, 64, 65, 127, 128, 129, 200, 255, 256, 257, 511, 513, 600)


@pytest.fixture(params=["cython", "numba"], scope="module")
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    if request.param == "numba":
        pytest.importorskip("numba")
    return importlib.import_module(f"fastwrap.{CHOICES[request.param]}.similarity.levenshtein")


def spans(pairs: Sequence[Sequences]) -> Spans:
    """All sequences one after the other, and where those of each pair start and end."""
    symbols = [symbol for pair in pairs for sequence in pair for symbol in sequence]
    edges = np.cumsum([0] + [len(sequence) for pair in pairs for sequence in pair])
    bounds = np.column_stack((edges[:-1:2], edges[1::2], edges[1::2], edges[2::2]))
    return np.array(symbols, dtype=np.int32), bounds.astype(np.int32)


def distances(kernel: ModuleType, pairs: Sequence[Sequences], budget: int = AMPLE) -> list[int]:
    found = kernel.distances(*spans(pairs), budget)
    assert found.dtype == np.int32
    return [int(value) for value in found]


def edited(rng: random.Random, sequence: list[int], edits: int, alphabet: Sequence[int]) -> list[int]:
    """A copy after so many random edits."""
    copy = list(sequence)
    for _ in range(edits):
        place = rng.randrange(len(copy) + 1)
        copy[place : place + rng.randrange(2)] = [rng.choice(alphabet)] * rng.randrange(2)
    return copy


def random_pair(rng: random.Random, length: int, alphabet: Sequence[int], kind: str) -> Sequences:
    """Two sequences of about one length: with a few edits, with many, or unrelated."""
    left = rng.choices(alphabet, k=length)
    if kind == "unrelated":
        return left, rng.choices(alphabet, k=rng.randint(length // 2, length + 2))
    return left, edited(rng, left, rng.randint(1, 6 if kind == "few edits" else max(6, length // 3)), alphabet)


kinds = st.sampled_from(["few edits", "many edits", "unrelated"])
alphabets = st.sampled_from(list(ALPHABETS.values()))
seeds = st.integers(0, 2**32)


@st.composite
def short_pairs(draw: st.DrawFn) -> list[Sequences]:
    """Pairs of sequences that hypothesis can shrink."""
    alphabet = draw(alphabets)
    sequence = st.lists(st.sampled_from(alphabet), max_size=24)
    return draw(st.lists(st.tuples(sequence, sequence), max_size=8))


@given(pairs=short_pairs())
@settings(max_examples=150)
def test_short_pairs_equal_the_twin(kernel: ModuleType, pairs: list[Sequences]) -> None:
    assert distances(kernel, pairs) == [distance(*pair) for pair in pairs]


@pytest.mark.parametrize("length", LENGTHS)
@given(seed=seeds, kind=kinds, alphabet=alphabets)
@settings(max_examples=4)
def test_lengths_around_the_words_equal_the_twin(
    kernel: ModuleType, length: int, seed: int, kind: str, alphabet: range
) -> None:
    pair = random_pair(random.Random(seed), length, alphabet, kind)
    assert distances(kernel, [pair, pair[::-1]]) == [distance(*pair)] * 2


@pytest.mark.parametrize("rows", [1, 64, 65, 256, 257])
def test_very_different_lengths_equal_the_twin(kernel: ModuleType, rows: int) -> None:
    rng = random.Random(rows)
    pair = rng.choices(range(5), k=rows), rng.choices(range(7), k=900)
    assert distances(kernel, [pair]) == [distance(*pair)]


def test_a_bad_beginning_equals_the_twin(kernel: ModuleType) -> None:
    """The start promises a distance that the rest does not keep, and the other way round."""
    rng = random.Random(7)
    alike, one, other = (rng.choices(range(20), k=length) for length in (400, 300, 300))
    pairs = [(one + alike, other + alike + [1]), (alike + one, [1, *alike, *other])]
    assert distances(kernel, pairs) == [distance(*pair) for pair in pairs]


@pytest.mark.parametrize("common", [280, 610, 1_500])
def test_alignments_along_the_edge_of_the_band(kernel: ModuleType, common: int) -> None:
    """One side begins with `before` symbols of its own, the other ends with `after`, all symbols differ: an
    alignment with any match deletes the ones and inserts the others, and strays as far as it may."""
    middle = list(range(1_000, 1_000 + common))
    sizes = [(before, before + more) for before in range(15, 75) for more in (-2, -1, 0, 1, 2)]
    pairs = [(list(range(before)) + middle, middle + list(range(500, 500 + after))) for before, after in sizes]
    expected = [before + after for before, after in sizes]
    assert distances(kernel, pairs) == expected
    assert distances(kernel, [pair[::-1] for pair in pairs]) == expected


@given(seed=seeds, alphabet=alphabets, length=st.integers(0, 700), kind=kinds)
@settings(max_examples=60)
def test_it_is_a_metric_within_its_bounds(
    kernel: ModuleType, seed: int, alphabet: range, length: int, kind: str
) -> None:
    rng = random.Random(seed)
    left, right = random_pair(rng, length, alphabet, kind)
    third = edited(rng, left, 10, alphabet)
    pairs = [(left, left), (left, right), (right, left), (left, third), (third, right)]
    same, there, back, first, second = distances(kernel, pairs)
    assert same == 0
    assert there == back
    assert (there == 0) == (left == right)
    assert abs(len(left) - len(right)) <= there <= max(len(left), len(right))
    assert there <= first + second


def test_a_batch_equals_its_pairs(kernel: ModuleType) -> None:
    """Nothing of one pair stays behind for the next, whichever way each of them is computed."""
    rng = random.Random(11)
    pairs = [
        random_pair(rng, rng.choice((0, 3, 64, 70, 300)), alphabet, kind)
        for alphabet in ALPHABETS.values()
        for kind in ("few edits", "unrelated")
        for _ in range(10)
    ]
    rng.shuffle(pairs)
    assert distances(kernel, pairs) == [distances(kernel, [pair])[0] for pair in pairs]


def test_spans_may_overlap_and_arrays_may_be_read_only(kernel: ModuleType) -> None:
    symbols = np.array(random.Random(3).choices(range(4), k=300), dtype=np.int32)
    starts, ends = np.arange(0, 100, 25, dtype=np.int32), np.arange(200, 300, 25, dtype=np.int32)
    pairs = np.column_stack((starts, ends, starts[::-1], ends[::-1]))
    symbols.flags.writeable = pairs.flags.writeable = False
    whole = symbols.tolist()
    expected = [distance(whole[a:b], whole[c:d]) for a, b, c, d in pairs.tolist()]
    assert kernel.distances(symbols, pairs, AMPLE).tolist() == expected


def test_empty_input(kernel: ModuleType) -> None:
    assert distances(kernel, []) == []
    assert distances(kernel, [([], [])]) == [0]
    assert distances(kernel, [([], [4, 5]), ([1] * 300, [])]) == [2, 300]


budgeted_pairs = st.builds(
    lambda seed, lengths, alphabet, kind: [
        random_pair(random.Random(seed + n), length, alphabet, kind) for n, length in enumerate(lengths)
    ],
    seeds, st.lists(st.sampled_from([5, 64, 65, 300, 800]), min_size=1, max_size=6), alphabets, kinds,
)  # fmt: skip


@given(pairs=budgeted_pairs, budget=st.integers(-1, 8_000))
@settings(max_examples=80)
def test_within_a_budget_every_distance_is_exact_or_unknown(
    kernel: ModuleType, pairs: list[Sequences], budget: int
) -> None:
    within = distances(kernel, pairs, budget)
    exact = distances(kernel, pairs)
    assert all(some in (kernel.UNKNOWN, full) for some, full in zip(within, exact, strict=True))
    # Pairs are taken in order: what comes later takes nothing from what comes before.
    assert distances(kernel, pairs[:-1], budget) == within[:-1]
    if budget < len(pairs):
        assert kernel.UNKNOWN in within


def test_unknown_pairs_leave_the_rest_of_the_budget_to_the_others(kernel: ModuleType) -> None:
    pairs = [([1, 2], [2, 1]), ([1, 2] * 500, [3, 4] * 500), ([1], [2])]
    assert distances(kernel, pairs, 1_000) == [2, kernel.UNKNOWN, 1]
    assert distances(kernel, pairs, 0) == [kernel.UNKNOWN] * 3


@given(seed=seeds, length=st.sampled_from([5, 64, 65, 300, 800]), alphabet=alphabets, kind=kinds)
@settings(max_examples=50)
def test_both_backends_spend_the_budget_alike(seed: int, length: int, alphabet: range, kind: str) -> None:
    pytest.importorskip("numba")
    cython, numba = (importlib.import_module(f"fastwrap.{name}.similarity.levenshtein") for name in CHOICES.values())
    pair = random_pair(random.Random(seed), length, alphabet, kind)
    enough = bisect_left(range(100_000), True, key=lambda budget: distances(cython, [pair], budget)[0] >= 0)
    assert distances(numba, [pair], enough - 1) == [numba.UNKNOWN]
    assert distances(numba, [pair], enough) == distances(cython, [pair], enough) != [cython.UNKNOWN]


@pytest.mark.parametrize(
    "bounds", [(-1, 2, 0, 2), (0, 4, 0, 2), (2, 1, 0, 2), (0, 2, -3, 2), (0, 2, 0, 9), (0, 2, 3, 0)]
)
def test_spans_outside_the_symbols_are_refused(kernel: ModuleType, bounds: tuple[int, ...]) -> None:
    symbols = np.arange(3, dtype=np.int32)
    pairs = np.array([[0, 0, 0, 0], bounds, [0, 0, 0, 0]], dtype=np.int32)
    with pytest.raises(ValueError, match="pair 1 has a span that is not within 0 to 3"):
        kernel.distances(symbols, pairs, AMPLE)


def test_arrays_that_do_not_fit_are_refused(kernel: ModuleType) -> None:
    symbols, pairs = spans([([1, 2], [1]), ([3], [4])])
    for other in (pairs[0], pairs[:, :3], pairs.reshape(4, 2)):
        with pytest.raises(ValueError, match="four numbers"):
            kernel.distances(symbols, other, AMPLE)
    for other in (pairs.astype(np.int64), np.asfortranarray(pairs)):
        with pytest.raises(ValueError, match=r"int32|length|contiguous"):
            kernel.distances(symbols, other, AMPLE)
    with pytest.raises(ValueError, match=r"int32|length"):
        kernel.distances(symbols.astype(np.int64), pairs, AMPLE)
    with pytest.raises(ValueError, match="contiguous"):
        kernel.distances(np.repeat(symbols, 2)[::2], pairs, AMPLE)


def test_long_pairs_are_exact_or_unknown_at_once(kernel: ModuleType) -> None:
    rng = random.Random(5)
    numbers = rng.sample(range(INT32.min, INT32.max), 200_020)
    left, fresh = numbers[:200_000], numbers[200_000:]
    right = list(left)
    for place, symbol in zip(range(5_000, 200_000, 9_000), fresh, strict=False):
        right[place] = symbol
    del right[100_000:100_010]
    substituted = sum(symbol in set(fresh) for symbol in right)
    unrelated = rng.choices(range(20), k=200_000), rng.choices(range(20), k=200_000)
    distances(kernel, [([1], [2])])  # numba compiles here, not below
    arrays = spans([(left, right), unrelated])
    with ends_soon():
        # All symbols of `left` differ, so each deletion and each fresh symbol takes an edit of its own.
        assert kernel.distances(*arrays, 50_000_000).tolist() == [substituted + 10, kernel.UNKNOWN]


def test_symbols_that_collide_are_paid_from_the_budget(kernel: ModuleType) -> None:
    """All symbols want the same one of 2,048 slots: quadratic, unless the budget says no."""
    candidates = np.arange(2**22, dtype=np.uint64)
    wanted = candidates * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(64 - 11)
    colliding = candidates[wanted == 7][:1_800].tolist()
    rng = random.Random(17)
    pair = rng.choices(range(1_800), k=900), rng.choices(range(1_800), k=900)
    same_pair = tuple([colliding[number] for number in sequence] for sequence in pair)
    budget = 20_000
    expected = distances(kernel, [pair], budget)
    assert expected != [kernel.UNKNOWN]
    assert distances(kernel, [same_pair], budget) == [kernel.UNKNOWN]
    assert distances(kernel, [same_pair]) == expected


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_long_pairs_equal_rapidfuzz(kernel: ModuleType, alphabet: str) -> None:
    rapidfuzz = pytest.importorskip("rapidfuzz.distance")
    rng = random.Random(alphabet)
    pairs = [
        random_pair(rng, rng.randrange(3_000), ALPHABETS[alphabet], kind)
        for kind in ("few edits", "many edits", "unrelated")
        for _ in range(15)
    ]
    assert distances(kernel, pairs) == [rapidfuzz.Levenshtein.distance(*pair) for pair in pairs]


def test_every_pair_of_a_path_of_edits(kernel: ModuleType) -> None:
    """One edit more each time: neighbours are at most one apart, and the ends no further than the path."""
    rng = random.Random(13)
    path = [rng.choices(range(20), k=500)]
    for _ in range(300):
        path.append(edited(rng, path[-1], 1, range(20)))
    steps = distances(kernel, list(pairwise(path)))
    assert set(steps) == {0, 1}
    assert distances(kernel, [(path[0], path[-1])])[0] <= sum(steps)
