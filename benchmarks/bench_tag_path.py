"""Region search, time per node: that at 200,000 nodes must be 1.5 times that at 2,000 at most.
On sequences like a page's, and on all-different ones, which are cut one symbol at a time."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.reference.noise import tag_path as twin

SMALL, LARGE = 2_000, 200_000


def page_like(nodes: int) -> npt.NDArray[np.int32]:
    """Menu, records with optional parts and now and then a style attribute of their own, footer."""
    random = Random(nodes)
    paths = ["html", "body", "menu", *["item", "link", "text"] * 40, "main"]
    while len(paths) < nodes - 100:
        paths += ["record", "image", "title", "link", "text"]
        paths += ["badge"] * random.randint(0, 1) + ["star"] * random.randint(0, 5) + ["price", "amount"]
        if random.random() < 0.3:
            paths.append(f"swatch {random.randrange(10_000)}")
    paths += ["footer", *["entry", "reference", "words"] * 33]
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(path, len(numbers)) for path in paths[:nodes]], dtype=np.int32)


def all_different(nodes: int) -> npt.NDArray[np.int32]:
    return np.arange(nodes, dtype=np.int32)


def search_with(backend: str) -> Callable[[npt.NDArray[np.int32]], object]:
    if backend == "twin":
        return lambda symbols: twin.search_region(symbols.tolist())
    module = importlib.import_module(f"fastwrap.{ {'cython': '_core', 'numba': '_numba'}[backend] }.noise.tag_path")
    return lambda symbols: module.search_region(symbols, 64 * len(symbols) + 100_000)


@pytest.mark.parametrize("sequence", [page_like, all_different])
@pytest.mark.parametrize(
    ("backend", "nodes"), [("cython", SMALL), ("cython", LARGE), ("numba", SMALL), ("numba", LARGE), ("twin", SMALL)]
)
def test_search_region(
    benchmark: Any, sequence: Callable[[int], npt.NDArray[np.int32]], backend: str, nodes: int
) -> None:
    if backend == "numba":
        pytest.importorskip("numba")
    benchmark.group = f"tag path region search, {sequence.__name__}"
    search = search_with(backend)
    symbols = sequence(nodes)
    search(symbols)  # numba compiles, the allocator warms up
    benchmark(search, symbols)
    benchmark.extra_info["nodes"] = len(symbols)
    # the minimum: a search of milliseconds is interrupted more often than one of microseconds
    benchmark.extra_info["ns_per_node"] = round(benchmark.stats.stats.min / len(symbols) * 1e9, 2)
