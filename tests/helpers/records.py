"""Regions as tests look at them: the texts of records, what holds of the regions of any page, numbered HTML."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fastwrap import Page, regions
from fastwrap.regions import FoundRegion, disjoint


def texts(page: Page, region: FoundRegion) -> list[str]:
    """The texts of the records."""
    return [page.span_text(start, end) for start, end in region.records.tolist()]


def main_list(body: str, method: str, **options: object) -> list[str]:
    """The texts of the records of the first region that a method finds; none if there is no region."""
    page = Page(f"<body>{body}</body>")
    found = regions.find(page, method, options).regions
    return texts(page, found[0]) if found else []


def numbered(template: str, count: int, first: int = 0) -> str:
    """The template as often, each with its number in place of #."""
    return "".join(template.replace("#", str(number)) for number in range(first, first + count))


def check_regions(page: Page, found: Sequence[FoundRegion], fewest: int = 2) -> None:
    """Regions are best first and share no node; their records are runs of siblings in the body, in order."""
    scores = [region.score for region in found]
    assert scores == sorted(scores, reverse=True)
    assert len(disjoint(found, len(page))) == len(found)
    body_end = page.body + int(page.size[page.body])
    for region in found:
        spans = region.records.tolist()
        assert region.records.dtype == np.int32
        assert len(spans) >= fewest
        assert page.body < spans[0][0]
        assert spans[-1][1] <= body_end
        for (_, end), (start, _) in pairwise(spans):
            assert end <= start
        for start, end in spans:
            node = start
            while node < end:
                assert page.parent[node] == page.parent[start]
                node += int(page.size[node])
            assert node == end > start
