"""Ranking: which region is the list that its page exists for, and how sure that is.
Weighted sums of a few features of regions; the weights are data, fitted by `benchmarks/fit_ranking.py`."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap._core.regions import ranking as kernel
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, TAGS, TEXT
from fastwrap.regions import FoundRegion
from fastwrap.regions.autorm import measure_sets

Floats: TypeAlias = npt.NDArray[np.float64]

PROSE = 80.0
"""Letters from which on a text is prose, not a label or a title."""

NAVIGATION = np.zeros(len(TAGS) + 1, dtype=np.uint8)
"""Whether an element is there for navigation or beside the point, by its tag."""
NAVIGATION[[TAG_NUMBER[name] for name in ("nav", "header", "footer", "aside", "menu")]] = 1

LINK, PICTURE = TAG_NUMBER["a"], TAG_NUMBER["img"]

FEATURES = kernel.NAMES
"""The features of a region, in order; `fastwrap/_core/ranking.pyi` tells what they are."""

PURPOSES = ("order", "confidence")
"""What the features are weighed for: which region is first, and whether that one is a main list."""


@cache
def fitted() -> Floats:
    """[purposes, features + 1] The weights that are shipped; the last of a row is the intercept."""
    data = json.loads(Path(__file__).with_name("ranking_weights.json").read_text(encoding="utf-8"))
    return np.array(
        [[data[purpose]["weights"].get(name, 0.0) for name in (*FEATURES, "intercept")] for purpose in PURPOSES]
    )


class Rules(NamedTuple):
    """What the kernel is told: numbers of names, the constants above, and the weights."""

    is_navigation: npt.NDArray[np.uint8]
    link: int
    picture: int
    words: int
    prose: float
    weights: Floats


@cache
def rules() -> Rules:
    """Those of the weights that are shipped."""
    return Rules(NAVIGATION, LINK, PICTURE, TEXT, PROSE, fitted())


class Ranked(NamedTuple):
    """The regions of a page by what they are ranked by."""

    features: Floats
    """[r, features] In the order of FEATURES."""
    sums: Floats
    """[purposes, r] Weighted, for each of PURPOSES."""


def rank(
    page: Page, records: Int32Array, first: Int32Array, scores: Floats, before: Floats, weights: Floats | None = None
) -> Ranked:
    """Read the features of regions, and weigh them, by the weights that are shipped if none are given.

    Region i has the `records` first[i] up to first[i + 1]; `scores` are its coverage, similarity and variety, and
    `before` is the content before each node, as `fastwrap.regions.autorm` measures them.
    """
    return Ranked(
        *kernel.features(
            page.tag, page.parent, page.size, page.text_start, page.arrays.text, before, page.body,
            rules() if weights is None else rules()._replace(weights=weights), records, first, scores,
        )
    )  # fmt: skip


def probability(total: float) -> float:
    """The logistic function.

    >>> probability(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-max(total, -700.0)))


def confidence(page: Page, regions: list[FoundRegion]) -> float:
    """In [0, 1], that the first of the regions is the list that the page exists for; 0 where there is none.

    >>> page = Page("<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i> <p>Text {k}</p></li>" for k in range(9)))
    >>> from fastwrap.regions import autorm
    >>> confidence(page, autorm.find(page).regions) > 0.5
    True
    """
    if not regions:
        return 0.0
    if regions[0].confidence is not None:
        return regions[0].confidence
    records = regions[0].records
    first = np.array([0, len(records)], dtype=np.int32)
    return probability(float(rank(page, records, first, *measure_sets(page, records, first)).sums[1, 0]))
