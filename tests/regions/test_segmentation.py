"""Child sequences into records: the native kernel against the plain one, and what candidates promise."""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap.page.arrays import Int32Array
from tests.reference.regions import segmentation as plain

native = pytest.importorskip("fastwrap._core.regions.segmentation", reason="the compiled modules are not installed")

Records: TypeAlias = list[tuple[int, int]]

ENOUGH = 10**6


@pytest.fixture(scope="module", params=[native, plain], ids=["native", "plain"])
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    module: ModuleType = request.param
    return module


def int32(numbers: object) -> Int32Array:
    return np.array(numbers, dtype=np.int32)


class Siblings(NamedTuple):
    label: Int32Array
    class_id: Int32Array
    start: Int32Array


@st.composite
def siblings(draw: st.DrawFn, classes: int = 12, longest: int = 30) -> Siblings:
    """Sequences of siblings: a class says which label it has, as a tree says its tag."""
    labels = draw(st.lists(st.integers(0, 3), min_size=classes, max_size=classes))
    sequences = draw(st.lists(st.lists(st.integers(0, classes - 1), max_size=longest), max_size=4))
    class_id = [number for sequence in sequences for number in sequence]
    start = [0, *itertools.accumulate(map(len, sequences))]
    return Siblings(int32([labels[number] for number in class_id]), int32(class_id), int32(start))


@st.composite
def sequences(draw: st.DrawFn) -> tuple[Int32Array, npt.NDArray[np.uint8], Int32Array]:
    """Symbols of two levels, separators and starts: few symbols, so that much repeats."""
    words = draw(st.lists(st.text("abcde-=", max_size=25), max_size=4))
    text = "".join(words)
    start = [0, *itertools.accumulate(map(len, words))]
    coarse, fine = [], []
    for word, begin in zip(words, start, strict=False):
        merged = word.replace("b", "a").replace("=", "-")
        coarse += [begin + merged.index(letter) for letter in merged]
        fine += [begin + word.index(letter) for letter in word]
    empty = draw(st.sampled_from(["-=", "", "-", "e"]))
    return int32([coarse, fine]), np.array([letter in empty for letter in text], dtype=np.uint8), int32(start)


def candidates(kernel: ModuleType, symbol: object, separator: object, start: object) -> list[tuple[int, int, Records]]:
    """Sequence, form and records of each candidate, after a look at the types."""
    records, first, of_sequence, form = kernel.segment(int32(symbol), np.array(separator, dtype=np.uint8), int32(start))
    assert {array.dtype for array in (records, first, of_sequence, form)} == {np.dtype(np.int32)}
    spans = [tuple(span) for span in records.tolist()]
    sets = [spans[a:b] for a, b in itertools.pairwise(first.tolist())]
    return list(zip(of_sequence.tolist(), form.tolist(), sets, strict=True))


def cuts(kernel: ModuleType, word: str, separators: str = "-=") -> dict[int, list[list[str]]]:
    """The candidates of one sequence, spelled as words, by form."""
    symbol = [[word.index(letter) for letter in word]]
    found: dict[int, list[list[str]]] = {0: [], 1: [], 2: []}
    for _, form, records in candidates(kernel, symbol, [c in separators for c in word], [0, len(word)]):
        found[form].append([word[first:end] for first, end in records])
    return found


# Clusters


@given(siblings(), st.integers(0, 60), st.integers(0, 8), st.randoms(use_true_random=False))
@settings(max_examples=500)
def test_clusters_are_those_of_plain_python(given_: Siblings, budget: int, threshold: int, random: object) -> None:
    left, right = native.kind_pairs(*given_, budget)
    plain_left, plain_right = plain.kind_pairs(*given_, budget)
    assert (left.tolist(), right.tolist()) == (plain_left.tolist(), plain_right.tolist())
    # Eighths are exact, and repeat: ties are part of what is compared.
    similarity = np.array([random.randint(0, 8) / 8 for _ in left])  # type: ignore[attr-defined]
    arguments = (*given_, similarity, threshold / 8, budget)
    assert native.cluster(*arguments).tolist() == plain.cluster(*arguments).tolist()


@given(siblings(classes=80, longest=80))
def test_many_kinds_are_one_cluster(given_: Siblings) -> None:
    left, _ = native.kind_pairs(*given_, ENOUGH)
    symbol = native.cluster(*given_, np.zeros(len(left)), 0.5, ENOUGH).tolist()
    for first, end in itertools.pairwise(given_.start.tolist()):
        for label in set(given_.label[first:end].tolist()):
            places = [place for place in range(first, end) if given_.label[place] == label]
            kinds = len({int(given_.class_id[place]) for place in places})
            assert len({symbol[place] for place in places}) == (kinds if kinds <= native.MOST_KINDS else 1)


@given(siblings())
def test_a_pair_is_two_kinds_of_one_label(given_: Siblings) -> None:
    left, right = native.kind_pairs(*given_, ENOUGH)
    sequence = np.repeat(np.arange(len(given_.start) - 1), np.diff(given_.start))
    assert (given_.label[left] == given_.label[right]).all()
    assert (given_.class_id[left] != given_.class_id[right]).all()
    assert (sequence[left] == sequence[right]).all()
    assert len(set(zip(left.tolist(), right.tolist(), strict=True))) == len(left)


def test_average_linkage(kernel: ModuleType) -> None:
    """Three kinds: a and b merge first; c is then compared with their average, weighted by how often they occur."""
    label, class_id, start = int32([0] * 5), int32([0, 0, 0, 1, 2]), int32([0, 5])
    similarity = np.array([0.75, 0.625, 0.125])  # b-a, c-a, c-b: c is (3 x 0.625 + 0.125) / 4 = 0.5 like both
    assert kernel.cluster(label, class_id, start, similarity, 0.5, ENOUGH).tolist() == [0, 0, 0, 0, 0]
    assert kernel.cluster(label, class_id, start, similarity, 0.51, ENOUGH).tolist() == [0, 0, 0, 0, 4]


def test_similarities_are_as_many_as_pairs(kernel: ModuleType) -> None:
    given_ = Siblings(int32([0, 0]), int32([0, 1]), int32([0, 2]))
    for wrong in (0, 2):
        with pytest.raises(ValueError, match="one similarity"):
            kernel.cluster(*given_, np.zeros(wrong), 0.5, ENOUGH)


@pytest.mark.parametrize(
    ("label", "class_id", "start"),
    [([0], [0, 1], [0, 1]), ([0], [0], [0]), ([0], [0], [1]), ([0, 0], [0, 0], [0, 3, 2]), ([-1], [0], [0, 1]),
     ([0], [-1], [0, 1]), ([0], [0], [])],
)  # fmt: skip
def test_wrong_siblings_are_refused(
    kernel: ModuleType, label: list[int], class_id: list[int], start: list[int]
) -> None:
    with pytest.raises(ValueError, match=r"differ|cover|order|0 or more"):
        kernel.kind_pairs(int32(label), int32(class_id), int32(start), ENOUGH)
    with pytest.raises(ValueError, match=r"differ|cover|order|0 or more"):
        kernel.cluster(int32(label), int32(class_id), int32(start), np.zeros(0), 0.5, ENOUGH)


# Candidates


@given(sequences())
@settings(max_examples=1000)
def test_candidates_are_those_of_plain_python(
    given_: tuple[Int32Array, npt.NDArray[np.uint8], Int32Array],
) -> None:
    assert candidates(native, *given_) == candidates(plain, *given_)


@given(sequences())
def test_records_are_in_order_and_begin_and_end_with_content(
    given_: tuple[Int32Array, npt.NDArray[np.uint8], Int32Array],
) -> None:
    _, separator, start = given_
    found = candidates(native, *given_)
    assert len({(sequence, tuple(records)) for sequence, _, records in found}) == len(found)
    for sequence, _, records in found:
        assert len(records) > 1
        bounds = [bound for record in records for bound in record]
        assert bounds == sorted(bounds)
        assert start[sequence] <= bounds[0] < bounds[-1] <= start[sequence + 1]
        assert not any(separator[first] or separator[end - 1] or first == end for first, end in records)


def test_single_nodes_and_heads(kernel: ModuleType) -> None:
    found = cuts(kernel, "abcabac")
    assert ["a", "a", "a"] in found[native.SINGLE_NODES]
    assert ["abc", "ab", "ac"] in found[native.HEAD_TO_HEAD]


def test_the_last_record_ends_where_it_may(kernel: ModuleType) -> None:
    """x does not follow an earlier head; and the third b would make it longer than the longest record."""
    assert ["ab", "ab"] in cuts(kernel, "ababxbb")[native.HEAD_TO_HEAD]
    assert ["abb", "abb"] in cuts(kernel, "abbabbb")[native.HEAD_TO_HEAD]


def test_separators(kernel: ModuleType) -> None:
    """One separator is a line break within a record, two stand between records."""
    assert ["a-b", "a-a", "b-a", "a-b"] in cuts(kernel, "a-b--a-a--b-a--a-b")[native.BETWEEN_SEPARATORS]
    assert ["ab", "a=b", "ba", "ab"] in cuts(kernel, "ab-a=b-ba-ab")[native.BETWEEN_SEPARATORS]


def test_what_stands_before_the_first_and_after_the_last_record(kernel: ModuleType) -> None:
    """h and p repeat, so the coarse region has them; but no record between the ends begins or ends so."""
    assert ["tat", "tat", "tat"] in cuts(kernel, "hptat-tat-tathp")[native.BETWEEN_SEPARATORS]


def test_coarse_regions_are_cut_by_themselves(kernel: ModuleType) -> None:
    found = cuts(kernel, "aa-aabb-b")
    assert found[native.BETWEEN_SEPARATORS] == [["aa", "aa"], ["bb", "b"]]
    assert found[native.SINGLE_NODES] == [["a", "a", "a", "a"], ["b", "b", "b"]]


def test_the_most_frequent_heads_are_tried(kernel: ModuleType) -> None:
    word = "".join(map(chr, range(200, 220))) * 2 + "zzz" + chr(200)
    heads = [records[0] for records in cuts(kernel, word)[native.SINGLE_NODES]]
    assert len(heads) == native.MOST_HEADS
    assert heads[:3] == [chr(200), "z", chr(201)]


@pytest.mark.parametrize(
    ("symbol", "separator", "start"),
    [([[0, 2]], [0, 0], [0, 2]), ([[0, 0]], [0], [0, 2]), ([[0, 0]], [0, 0], [0, 1, 2]), ([[0, 0]], [0, 0], [0, 1]),
     ([[-1, 0]], [0, 0], [0, 2]), ([[0, 0]], [0, 0], [0, 3, 2])],
)  # fmt: skip
def test_wrong_symbols_are_refused(
    kernel: ModuleType, symbol: list[list[int]], separator: list[int], start: list[int]
) -> None:
    with pytest.raises(ValueError, match=r"first place|differ|cover|order"):
        candidates(kernel, symbol, separator, start)


def test_nothing_to_cut(kernel: ModuleType) -> None:
    assert candidates(kernel, np.empty((2, 0)), [], [0]) == []
    assert candidates(kernel, [[0, 1]], [0, 0], [0, 2]) == []
    assert [array.tolist() for array in kernel.kind_pairs(int32([]), int32([]), int32([0]), ENOUGH)] == [[], []]
    assert kernel.cluster(int32([]), int32([]), int32([0]), np.zeros(0), 0.5, ENOUGH).tolist() == []


def test_the_output_is_linear_in_the_places() -> None:
    """Words of one sequence that repeat in every way: no more records than the forms allow a place."""
    for word in ("ab" * 50_000, "".join(map(chr, range(200, 20_200))) * 3, "a-b=" * 30_000, "aabb" * 30_000):
        codes = np.array([ord(letter) for letter in word])
        _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        separator = (codes == ord("-")) | (codes == ord("="))
        records, *_ = native.segment(int32([first[inverse]]), separator.view(np.uint8), int32([0, len(word)]))
        assert len(records) <= (2 + native.MOST_SPLITS) * len(word)
