"""The automatic method: the regions of AutoRM, ranked by what makes a list the one that its page exists for.
Cutting is `fastwrap.regions.autorm`; the order and the confidence are `fastwrap.ranking`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from fastwrap import ranking
from fastwrap.page import Page
from fastwrap.regions import FoundRegion, autorm


class Reasons(Mapping[str, float | str]):
    """Why a region was cut and ranked as it is: read when somebody asks."""

    def __init__(self, sets: autorm.RecordSets, ranked: ranking.Ranked, number: int) -> None:
        self._of = sets, ranked, number

    @cached_property
    def _reasons(self) -> dict[str, float | str]:
        sets, ranked, number = self._of
        features = dict(zip(ranking.FEATURES, ranked.features[number].tolist(), strict=True))
        return autorm.reasons(sets.scores[number].tolist(), sets.cuts[number].tolist()) | features

    def __getitem__(self, name: str) -> float | str:
        return self._reasons[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._reasons)

    def __len__(self) -> int:
        return len(self._reasons)

    def __repr__(self) -> str:
        return repr(self._reasons)


def find(page: Page) -> list[FoundRegion]:
    """The regions of a page, the main list first.

    Their `why` has the features that they were ranked by, besides those that they were cut by.

    >>> page = Page("<nav><a href=/>Home</a> <a href=/a>About</a></nav>" + "<p><b>Name</b> text <i>1 EUR</i></p>" * 4)
    >>> [len(region.records) for region in find(page)]
    [4, 2]
    """
    sets = autorm.best_sets(page)
    ranked = ranking.rank(page, sets.records, sets.first, sets.scores, sets.before)
    order, certain = ranked.sums.tolist()
    first = sets.first.tolist()
    return [
        FoundRegion(
            sets.records[first[k] : first[k + 1]],
            order[k],
            Reasons(sets, ranked, k),
            ranking.probability(certain[k]),
        )
        for k in sorted(range(len(order)), key=order.__getitem__, reverse=True)
    ]
