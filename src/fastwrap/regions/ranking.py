"""Ranking: which region is the list that its page exists for, and how sure that is.
Weighted sums of a few features of regions; the weights are data, fitted by `benchmarks/fit_ranking.py`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.regions import record_sets
from fastwrap._core.regions.ranking import FEATURE_NAMES
from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER, TAGS
from fastwrap.regions import FoundRegion, autorm

NAVIGATION = np.zeros(len(TAGS) + 1, dtype=np.uint8)
"""Whether an element is there for navigation or beside the point, by its tag number. The last entry is that of names
that are not in the table."""
NAVIGATION[[TAG_NUMBER[name] for name in ("nav", "header", "footer", "aside", "menu")]] = 1

FEATURES = FEATURE_NAMES
"""The features of a region, in order; `fastwrap/_core/regions/record_sets.pyi` describes them."""

PURPOSES = ("order", "confidence")
"""What the features are weighed for: which region is first, and whether that one is a main list."""


class Options(NamedTuple):
    """The options of the kernel."""

    is_navigation: npt.NDArray[np.uint8]
    prose: float
    """Letters from which on a text is prose, not a label or a title."""
    weights: npt.NDArray[np.float64]
    """[purposes, features + 1] The last of a row is the intercept."""


@cache
def options() -> Options:
    """Those of the weights that are shipped."""
    data = json.loads(Path(__file__).with_name("ranking_weights.json").read_text(encoding="utf-8"))
    weights = [[data[purpose]["weights"].get(name, 0.0) for name in (*FEATURES, "intercept")] for purpose in PURPOSES]
    return Options(NAVIGATION, 80.0, np.array(weights))


def confidence(page: Page, regions: list[FoundRegion]) -> float:
    """In [0, 1], that the first of the regions is the list that the page exists for; 0 where there is none.

    >>> page = Page("<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i> <p>Text {k}</p></li>" for k in range(9)))
    >>> confidence(page, autorm.find(page).regions) > 0.5
    True
    """
    if not regions:
        return 0.0
    if regions[0].confidence is not None:
        return regions[0].confidence
    records = regions[0].records
    first = np.array([0, len(records)], dtype=np.int32)
    _, order, *_ = record_sets.rank_sets(page.native, autorm.OPTIONS, options(), records, first)
    return order[0][3]
