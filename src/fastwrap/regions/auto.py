"""The automatic method: the regions of AutoRM, ranked by what makes a list the one that its page exists for.
Cutting is `fastwrap.regions.autorm`; the order and the confidence are `fastwrap.regions.ranking`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from fastwrap._core.regions import record_sets as kernel
from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.regions import FoundRegion, Search, autorm, ranking


class Reasons(Mapping[str, float | str]):
    """Why a region was cut and ranked as it is: read when somebody asks."""

    def __init__(self, why: npt.NDArray[np.float64], number: int) -> None:
        self._of = why, number

    @lazy_property
    def _reasons(self) -> dict[str, float | str]:
        why, number = self._of
        own = why[number].tolist()
        # Coverage, similarity and variety; how the set was cut; the features.
        features = dict(zip(ranking.FEATURES, own[7:], strict=True))
        return autorm.reasons(own[:3], list(map(int, own[3:7]))) | features

    def __getitem__(self, name: str) -> float | str:
        return self._reasons[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._reasons)

    def __len__(self) -> int:
        return len(self._reasons)

    def __repr__(self) -> str:
        return repr(self._reasons)


def find(page: Page) -> Search:
    """The regions of a page, the main list first; their `why` has what they were cut by and what they were ranked by.

    >>> page = Page("<nav><a href=/>Home</a> <a href=/a>About</a></nav>" + "<p><b>Name</b> text <i>1 EUR</i></p>" * 4)
    >>> [len(region.records) for region in find(page).regions]
    [4, 2]
    """
    records, order, why, limits = kernel.ranked_sets(
        page.native, autorm.RULES, autorm.SIMILARITY, autorm.COVERAGE, ranking.rules()
    )
    regions = [
        FoundRegion(records[first:end], score, Reasons(why, number), confidence, limits)
        for first, end, score, confidence, number in order
    ]
    return Search(regions, limits)
