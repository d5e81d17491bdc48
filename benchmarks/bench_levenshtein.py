"""Levenshtein over lists of tags: both backends, rapidfuzz and the Python twin on the same 64 pairs a group.
Each group is one length and one kind of pair; the factors within a group compare like with like.

rapidfuzz gets its input in the form in which it is fastest. Of list, array, bytes and str of the same 20 symbols
that is bytes or str (there is no difference between the two): lists and arrays take it twice to four times as
long up to 256 symbols, because it hashes their items one by one. `cpdist` is its own loop over pairs, on one core.

"similar" pairs are a list and a copy with one edit for every 30 symbols, as records of one region are;
"dissimilar" ones are drawn independently.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from random import Random
from typing import TypeAlias

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.reference.similarity.levenshtein import distance

Pairs: TypeAlias = list[tuple[list[int], list[int]]]

PAIRS = 64
TAGS = range(20)
BUDGET = 10**9
LENGTHS = (16, 67, 256, 2048)
KINDS = ("similar", "dissimilar")


def edited(random: Random, tags: list[int]) -> list[int]:
    """A copy with one random edit for every 30 tags, one at least."""
    copy = list(tags)
    for _ in range(max(1, len(tags) // 30)):
        place = random.randrange(len(copy))
        copy[place : place + random.randrange(2)] = random.choices(TAGS, k=random.randrange(2))
    return copy


def pairs_of(length: int, kind: str) -> Pairs:
    random = Random(length)
    left = [random.choices(TAGS, k=length) for _ in range(PAIRS)]
    return [(tags, edited(random, tags) if kind == "similar" else random.choices(TAGS, k=length)) for tags in left]


@pytest.fixture(
    params=[(length, kind) for length in LENGTHS for kind in KINDS], ids=lambda param: f"{param[0]}-{param[1]}"
)
def pairs(request: pytest.FixtureRequest, benchmark: BenchmarkFixture) -> Pairs:
    length, kind = request.param
    benchmark.group = f"{PAIRS} {kind} pairs of {length:,} tags"
    return pairs_of(length, kind)


@pytest.mark.parametrize("backend", ["_core", "_numba"])
def test_fastwrap(benchmark: BenchmarkFixture, pairs: Pairs, backend: str) -> None:
    if backend == "_numba":
        pytest.importorskip("numba")
    kernel = importlib.import_module(f"fastwrap.{backend}.similarity.levenshtein")
    symbols = np.array([tag for pair in pairs for tags in pair for tag in tags], dtype=np.int32)
    edges = np.cumsum([0] + [len(tags) for pair in pairs for tags in pair]).astype(np.int32)
    spans = np.column_stack((edges[:-1:2], edges[1::2], edges[1::2], edges[2::2]))
    found = benchmark(kernel.distances, symbols, spans, BUDGET)
    assert kernel.UNKNOWN not in found


def test_rapidfuzz_in_a_loop(benchmark: BenchmarkFixture, pairs: Pairs) -> None:
    levenshtein = pytest.importorskip("rapidfuzz.distance").Levenshtein.distance
    texts = [(bytes(left), bytes(right)) for left, right in pairs]
    benchmark(lambda: [levenshtein(left, right) for left, right in texts])


def test_rapidfuzz_cpdist(benchmark: BenchmarkFixture, pairs: Pairs) -> None:
    levenshtein = pytest.importorskip("rapidfuzz.distance").Levenshtein.distance
    process = pytest.importorskip("rapidfuzz.process")
    left, right = ([bytes(tags).decode("latin-1") for tags in side] for side in zip(*pairs, strict=True))
    benchmark(process.cpdist, left, right, scorer=levenshtein, workers=1, dtype=np.int32)


def test_twin(benchmark: BenchmarkFixture, pairs: Pairs) -> None:
    if len(pairs[0][0]) > 67:
        pytest.skip("the Python twin takes minutes here")
    benchmark(lambda: [distance(left, right) for left, right in pairs])
