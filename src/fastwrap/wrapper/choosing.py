"""WrapperSet: chooses the wrapper for a page among many, by the tag paths and classes around its lists.
One pass over the page, whatever the number of wrappers: paths are looked up in one table of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import log2
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.wrapper.recognising import Recogniser
from fastwrap.common.arguments import expect
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, number_of
from fastwrap.page.sources import HtmlSource, page_of
from fastwrap.wrapper.details import ReadRecord
from fastwrap.wrapper.fitting import ALARM, USUAL
from fastwrap.wrapper.hashes import Keys, classes_key, path_hash, table_of
from fastwrap.wrapper.pattern import Pattern
from fastwrap.wrapper.wrapper import WrappedExtraction, Wrapper

PATHS = 8
"""Tag paths of records by which a wrapper's main list is recognised: the deepest ones, which fewest pages have."""

MOST_HAVING = 24
"""A path that more wrappers have tells nothing, and is not looked up."""

MISSING = 0.3
"""The part of a path's vote for a wrapper that counts against the wrapper if the page does not have the path."""

CLOSE = 0.8
"""Wrappers with at least this part of the best one's votes are tried on the page, ..."""

MOST_TRIED = 4
"""... at most so many of them."""

MOST_READ = 50
"""Wrappers whose record is looked for on a page that no list is recognised on."""


class WrapperSet:
    """Wrappers of many sites, or of several templates of one.

    >>> from fastwrap.wrapper import learn
    >>> shop = "<ul class=shop>" + "<li><b>Name</b> <i>1 EUR</i></li>" * 4 + "</ul>"
    >>> news = "<div class=news>" + "<p><a href=/1>Title</a> text of it</p>" * 4 + "</div>"
    >>> wrappers = WrapperSet([learn(shop), learn(news)])
    >>> [record.text for record in wrappers.extract("<ul class=shop><li><b>Other</b> <i>2 EUR</i></ul>").records]
    ['Other 2 EUR']
    >>> wrappers.choose("<p>something else") is None
    True
    """

    def __init__(self, wrappers: Iterable[Wrapper] = ()) -> None:
        self._wrappers: list[Wrapper] = []
        self._keys: list[list[tuple[int, ...]]] = []
        """Of each wrapper."""
        self._recogniser: Recogniser | None = None
        for wrapper in wrappers:
            self.add(wrapper)

    def __len__(self) -> int:
        return len(self._wrappers)

    def __iter__(self) -> Iterator[Wrapper]:
        return iter(self._wrappers)

    def __reduce__(self) -> tuple[type[WrapperSet], tuple[list[Wrapper]]]:
        return WrapperSet, (self._wrappers,)

    def add(self, wrapper: Wrapper) -> None:
        """Add a wrapper."""
        expect(wrapper, Wrapper, "a WrapperSet is of Wrappers")
        self._wrappers.append(wrapper)
        self._keys.append(keys_of(wrapper.patterns[0]) if wrapper.patterns else [])
        self._recogniser = None

    def choose(self, html: HtmlSource) -> Wrapper | None:
        """The wrapper that fits the page best; None if there is none that fits."""
        page = page_of(html)
        if self._recogniser is None:
            self._recogniser = Recogniser(PathIndex.of(self._keys))
        numbers, votes = self._recogniser.recognise(page.native)
        most = max(votes.tolist(), default=0.0)
        if most <= 0.0:
            return self._by_record(page)
        close = np.flatnonzero(votes >= CLOSE * most)
        if len(close) == 1:
            return self._wrappers[int(numbers[close[0]])]
        # Among equal ones, those that were added first.
        order = np.lexsort((numbers[close], -votes[close]))[:MOST_TRIED]
        return self._wrappers[max(numbers[close[order]].tolist(), key=lambda number: self._likeness(number, page))]

    def extract(self, html: HtmlSource, url: str | None = None, *, encoding: str | None = None) -> WrappedExtraction:
        """Read a page by the wrapper that fits it best; without records, and with a fit of 0, if there is none."""
        page = page_of(html, url, encoding)
        return (self.choose(page) or Wrapper(())).extract(page)

    def _by_record(self, page: Page) -> Wrapper | None:
        """Of the wrappers that read a record of the page, the one that fits best; None if none of them fits."""
        found = [(ReadRecord(page, each.detail).fit, each) for each in self._wrappers[:MOST_READ] if each.detail]
        fit, best = max(found, key=lambda pair: pair[0], default=(0.0, None))
        return best if fit >= ALARM else None

    def _likeness(self, number: int, page: Page) -> tuple[float, float]:
        """How much the page is like those of a wrapper: in its records, and in the usual columns that they fill."""
        region = self._wrappers[number].extract(page).region(0)
        if not len(region):
            return -1.0, 0.0
        filled = [sum(cell is not None for cell in column) for column in zip(*region.table.texts, strict=True)]
        usual = [count for count, then in zip(filled, region.pattern.profiles, strict=True) if then.filled >= USUAL]
        share = sum(usual) / len(usual) / len(region) if usual else 0.0
        return round(region.found_list.share - 0.1 * region.found_list.misses, 1), share


def keys_of(pattern: Pattern) -> list[tuple[int, ...]]:
    """The hashes that a page is recognised by: of the path to the elements that hold the records, of that path with its
    classes, and of paths in records. A hash that a page can only have if it has another one comes after that one."""
    tags = pattern.location.steps.tags.tolist()
    path = path_hash(tags)
    names = (" ".join(step.tokens).encode("utf-8", "surrogatepass") for step in pattern.location.path)
    deepest = sorted(pattern.paths, key=lambda inner: inner.count("/"), reverse=True)[:PATHS]
    inside = [path_hash([*tags, *(number_of(tag, TAG_NUMBER, {}) for tag in inner.split("/"))]) for inner in deepest]
    return [(path,), (path, classes_key(path, names)), *((key,) for key in dict.fromkeys(inside) if key != path)]


class PathIndex(NamedTuple):
    """All wrappers by their keys, as `Recogniser` takes them."""

    keys: Keys
    """A table (`table_of`) of tag paths from the root, and of tag paths with their classes (`classes_key`)."""
    by_class: npt.NDArray[np.uint8]
    """[entries] Whether a path is also looked up with its classes."""
    first: Int32Array
    """[entries + 1] The wrappers that have the path of entry k are those from `first[k]` up to `first[k + 1]` ..."""
    wrappers: Int32Array
    """... in here."""
    votes: npt.NDArray[np.float64]
    """[entries] What a path speaks for its wrappers if the page has it: more than 0 where it has any."""
    least: npt.NDArray[np.float64]
    """[wrappers] What speaks for a wrapper, 0 or less, before any path is looked up."""

    @classmethod
    def of(cls, keys: Sequence[Sequence[tuple[int, ...]]]) -> PathIndex:
        """Index the keys of wrappers. A path that few of them have says most (IDF, Sparck Jones 1972)."""
        having: dict[int, list[int]] = {}
        with_classes: set[int] = set()
        for number, of_wrapper in enumerate(keys):
            for *needed, key in of_wrapper:
                having.setdefault(key, []).append(number)
                with_classes.update(needed)
        telling = {key: numbers for key, numbers in having.items() if len(numbers) <= MOST_HAVING}
        for key in with_classes:
            telling.setdefault(key, [])
        table, places = table_of(list(telling))
        by_class = np.zeros(len(table), dtype=np.uint8)
        votes = np.zeros(len(table))
        least = np.zeros(len(keys))
        listed: list[list[int]] = [[] for _ in range(len(table))]
        for place, (key, numbers) in zip(places.tolist(), telling.items(), strict=True):
            by_class[place] = key in with_classes
            listed[place] = numbers
            if numbers:
                vote = log2(1 + len(keys) / len(numbers))
                votes[place] = (1 + MISSING) * vote
                least[numbers] -= MISSING * vote
        first = np.cumsum([0, *map(len, listed)], dtype=np.int32)
        return cls(table, by_class, first, np.array([*chain(*listed)], dtype=np.int32), votes, least)
