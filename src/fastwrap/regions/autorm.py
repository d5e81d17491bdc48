"""AutoRM: children are clustered, and what repeats among them is cut at heads or separators (Shi et al. 2015).
The steps are `fastwrap._core.regions.record_sets`; docs/methods.md tells them, and what differs from the paper."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from fastwrap._core.regions import record_sets
from fastwrap._core.regions.ranking import FEATURE_NAMES
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, TAGS, TEXT
from fastwrap.regions import FoundRegion, Search

SIMILARITY = 0.5
"""Trees are similar from here on: half of their nodes match."""

COVERAGE = 0.01
"""The least share of the page's content that a region has."""

CUTS = ("single nodes", "head to head", "between separators")
"""How a set of records was cut, as `Region.why` says it."""

NOTHING, WORDS, PICTURE, CONTROL = range(4)
SEEN_AS = np.full(len(TAGS) + 1, NOTHING, dtype=np.uint8)
"""What a node is to a reader, by its tag number. The last entry is that of names that are not in the table."""
SEEN_AS[TEXT] = WORDS
SEEN_AS[[TAG_NUMBER[name] for name in ("img", "video", "canvas", "object", "embed")]] = PICTURE
SEEN_AS[[TAG_NUMBER[name] for name in ("select", "option", "optgroup", "textarea", "datalist", "label")]] = CONTROL


class Options(NamedTuple):
    """The options of the kernel. Those that are no options of `find` are constants of the method."""

    seen_as: npt.NDArray[np.uint8] = SEEN_AS
    letter: float = 8 * 16
    """Pixels of a letter."""
    image: float = 40
    """Letters that an image of unknown size is worth: about 70 x 70 pixels."""
    largest_image: float = 200
    """Letters that an image is worth at most: 160 x 160 pixels, a usual thumbnail."""
    spacer: float = 5
    """Pixels: an image that is no wider, or no higher, is there for the layout."""
    hidden: float = 0.2
    """What a letter is worth that the page hides at first: a tab, a further part of the list, or a menu."""
    odd_record: float = 1 / 3
    """A first or last record is left out if its likeness to its neighbour times its content is less than this share of
    what the others have."""
    full_record: float = 3.0
    """Different items of a record that lacks nothing."""
    similarity: float = SIMILARITY
    coverage: float = COVERAGE
    budget: int = 20_000_000
    """Cells of tree matching to cluster the siblings of a page; to choose its sets, three times as many. A page of
    thousands of nodes takes some 10,000."""
    pairs: int = 200_000
    """Pairs of siblings on a page that are compared to cluster them. A page of thousands of nodes has some hundreds."""


OPTIONS = Options()


Order: TypeAlias = Sequence[tuple[int, int, float, float | None, int]]
"""Sets of records, the best one first: where the records of each begin and end, its score, where it was ranked the
logarithm of the odds that it is a main list, and its number, which is its row of `why`."""


def chance(odds: float) -> float:
    """The probability of something, from the logarithm of its odds.

    >>> chance(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-odds)) if -700 < odds < 700 else 1 / (1 + math.exp(-min(max(odds, -700.0), 700.0)))


class Reasons(Mapping[str, float | str]):
    """Why a region was cut and ranked as it is, by name: read when somebody asks."""

    NAMES = ("coverage", "similarity", "variety", "cut", "parts", "left out", "added", *FEATURE_NAMES)
    """Of the columns of `why`, as the kernel returns it; the features only where the regions were ranked."""

    def __init__(self, why: npt.NDArray[np.float64], number: int) -> None:
        self._row = why, number

    @lazy_property
    def _reasons(self) -> dict[str, float | str]:
        why, number = self._row
        reasons: dict[str, float | str] = dict(zip(self.NAMES, why[number].tolist(), strict=False))
        for name in ("parts", "left out", "added"):
            reasons[name] = int(reasons[name])
        reasons["cut"] = CUTS[int(reasons["cut"])]
        return reasons

    def __getitem__(self, name: str) -> float | str:
        return self._reasons[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._reasons)

    def __len__(self) -> int:
        return len(self._reasons)

    def __repr__(self) -> str:
        return repr(self._reasons)


class Regions(Sequence[FoundRegion]):
    """The regions of a page, each described when it is first asked for: most callers look at the first one alone."""

    __slots__ = ("_made", "_order", "_records", "_why")

    def __init__(self, records: Int32Array, order: Order, why: npt.NDArray[np.float64]) -> None:
        self._records, self._order, self._why = records, order, why
        self._made: dict[int, FoundRegion] = {}

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, place: int) -> FoundRegion: ...
    @overload
    def __getitem__(self, place: slice) -> list[FoundRegion]: ...
    def __getitem__(self, place: int | slice) -> FoundRegion | list[FoundRegion]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        place += len(self) * (place < 0)
        found = self._made.get(place)
        if found is None:
            first, end, score, odds, number = self._order[place]
            sure = None if odds is None else chance(odds)
            made = FoundRegion(self._records[first:end], score, Reasons(self._why, number), sure)
            found = self._made.setdefault(place, made)
        return found


def regions_of(records: Int32Array, order: Order, why: npt.NDArray[np.float64], limits: tuple[str, ...]) -> Search:
    """What the kernel found, as regions."""
    return Search(Regions(records, order, why) if order else [], limits)


def find(page: Page, *, similarity: float = SIMILARITY, coverage: float = COVERAGE) -> Search:
    """The regions of a page by AutoRM, in order of coverage x similarity x variety.

    Trees are similar from `similarity` on, when siblings are clustered and when sets are joined; regions with
    less than the share `coverage` of the page's content are left out.

    >>> page = Page("Found: 2<hr>" + "<a href=#>Name</a> <br>text<br>12 EUR<br><hr>" * 3)
    >>> [page.span_text(*record) for record in find(page).regions[0].records.tolist()]
    ['Name text 12 EUR', 'Name text 12 EUR', 'Name text 12 EUR']
    """
    if not (0 <= similarity <= 1 and 0 <= coverage <= 1):
        raise FastwrapError("similarity and coverage are shares, from 0 to 1")
    options = OPTIONS._replace(similarity=similarity, coverage=coverage)
    return regions_of(*record_sets.find_sets(page.native, options, None))
