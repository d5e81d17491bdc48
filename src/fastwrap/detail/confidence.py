"""How sure it is that a page is about one thing: a logistic regression on what the page shows and says of itself.
The weights are data, fitted by `benchmarks/fit_detail.py`."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Evidence(NamedTuple):
    """What speaks for or against a page about one thing; or what each of these weighs."""

    thing: float
    """How much the type of the thing that the data is about says that it has a page of its own, from 0 to 1, times how
    well its name agrees with the title."""
    named: float
    """How well the name of that thing agrees with the title."""
    meta: float
    """1 if the Open Graph type is that of one thing, -1 if it is that of a site, else 0."""
    heading: float
    """1 if the title is a main heading, and the only one."""
    agreement: float
    """How well the title agrees with what the page calls itself."""
    prose: float
    """Letters of prose: their logarithm, from 0 to 1."""
    prose_share: float
    """Share of the letters on the page that are prose."""
    linked: float
    """Share of the letters on the page that are in links."""
    pairs: float
    """Labels with values: their logarithm, from 0 to 1."""
    price: float
    """1 if there is a price beside the title."""
    byline: float
    """1 if there is an author or a date beside the title, 2 if both."""
    sections: float
    """Known sections (ingredients, instructions, features, a description), up to 2."""
    lines: float
    """Lines of the page: their logarithm, from 0 to 1."""
    list: float
    """The confidence that the first region is the list that the page exists for."""


@cache
def weights() -> tuple[Evidence, float]:
    """Those that are shipped, and the intercept."""
    data = json.loads(Path(__file__).with_name("detail_weights.json").read_text(encoding="utf-8"))
    return Evidence(**data["weights"]), float(data["intercept"])


def scaled(count: float, most: float) -> float:
    """A count by its logarithm, from 0 to 1.

    >>> scaled(0, 100), scaled(100, 100), scaled(1000, 100)
    (0.0, 1.0, 1.0)
    """
    return min(math.log1p(max(count, 0)) / math.log1p(most), 1.0)


def chance(evidence: Evidence, list_confidence: float) -> float:
    """In [0, 1], that a page is about one thing, given how sure its main list is."""
    known = evidence._replace(list=list_confidence)
    weight, intercept = weights()
    odds = intercept + sum(one * other for one, other in zip(known, weight, strict=True))
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, odds))))
