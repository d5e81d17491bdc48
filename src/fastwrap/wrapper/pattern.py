"""Pattern: one list of a site; where it is, how it is cut into records, what records are made of, their columns.
It is learned from the records of one page or several, and then found on other pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap import columns, limits
from fastwrap._core.wrapper import finding
from fastwrap.columns.offers import select
from fastwrap.common.lazy import lazy_property
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, number_of
from fastwrap.wrapper.cutting import Cutting, Effort, Example, agreed, learn_cutting
from fastwrap.wrapper.hashes import OUTSIDE, Keys, path_hash, table_of
from fastwrap.wrapper.location import Location, learn_location
from fastwrap.wrapper.profile import Profile, profiles_of

if TYPE_CHECKING:
    from fastwrap.page import Page

LEAST_SHARE = 0.34
"""A record is skipped if a smaller share of its nodes has tag paths that the records learned from have."""

GOOD_SHARE = 0.7
"""If the mean share is less, the list may have moved: other elements of the same tag path are tried, too."""

NEARLY = 0.8
"""Of these, those are taken whose records have at least this part of the best element's share."""

MOST_PROFILED = 4
"""Pages, besides the one that columns are learned from, whose values are looked at."""

MOST_PATHS = 4_000
"""Different tag paths of nodes in records that are kept, ..."""

MOST_CHARACTERS = 300_000
"""... and the characters of all of them: deep records have long paths."""


class FoundList(NamedTuple):
    """The records of a pattern on a page."""

    spans: Int32Array
    shares: npt.NDArray[np.float64]
    """[records] The share of each record's nodes whose tag path is known."""
    share: float
    """The mean of the shares; 0 if there are no records."""
    misses: int
    """How much the elements around the records differ from those learned from; 0 if not at all."""
    skipped: Int32Array
    """Children that are neither in records nor known to be outside, and records of a share below LEAST_SHARE."""
    limits: tuple[str, ...] = ()
    """Budgets that were met: some of what was skipped may be records."""


NO_NODES = np.empty(0, dtype=np.int32)
NOTHING = FoundList(np.empty((0, 2), dtype=np.int32), np.empty(0), 0.0, 0, NO_NODES)


@dataclass(frozen=True, eq=False)
class Pattern:
    """One list of a site."""

    location: Location
    cutting: Cutting
    paths: tuple[str, ...]
    """Tag paths of the nodes of records, such as `li/a/#text`."""
    learned: columns.Table | columns.Template
    """What the columns are known by: the table that they were learned from, or the template of a file."""
    records: int
    """How many records it was learned from."""
    several: bool
    """Whether more than one element holds records, such as the lists of several sections."""
    confidence: float
    """In [0, 1], that it is the list that the page exists for."""
    example: Example | None = field(default=None, repr=False)
    """The page that the columns were learned from; None for a list that was read from a file."""
    others: tuple[Example, ...] = field(default=(), repr=False)
    """Further pages that show what the values of the columns are like; none for a list that was read from a file."""
    limits: tuple[str, ...] = ()
    """Budgets of learning that were met; none for a list that was read from a file."""

    @property
    def layout(self) -> columns.Layout:
        """What the columns are read from; their names are not needed for it."""
        return self.learned if isinstance(self.learned, columns.Template) else self.learned.layout

    @property
    def width(self) -> int:
        """How many columns are shown."""
        return self.learned.shown.width

    @lazy_property
    def template(self) -> columns.Template:
        """What the columns are read by, with their names, which are found when this is asked for."""
        return self.learned if isinstance(self.learned, columns.Template) else self.learned.template

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return [name.name for name in self.template.names]

    @lazy_property
    def profiles(self) -> tuple[Profile, ...]:
        """What the values of each column were like."""
        return profiles_of(self.table, [columns.apply(self.template, page, spans) for page, _, spans in self.others])

    @lazy_property
    def table(self) -> columns.Table:
        """The table of the page that the columns were learned from, read by the template as those of other pages are,
        which are compared with it."""
        assert self.example is not None  # a file has the profiles
        return columns.apply(self.template, self.example.page, self.example.spans)

    def __getstate__(self) -> dict[str, Any]:
        # Without the finder, which is native: it is made again of the rest.
        return {name: value for name, value in self.__dict__.items() if name != "_finder"}

    @classmethod
    def with_profiles(cls, profiles: tuple[Profile, ...], **fields: Any) -> Pattern:
        """A list whose profiles are known, but not the page that they describe."""
        pattern = cls(**fields)
        pattern.__dict__["profiles"] = profiles
        return pattern

    def with_columns(self, chosen: Sequence[tuple[int, str]]) -> Pattern:
        """The list with some of its columns: their places, in order, and what they shall be called."""
        kept = replace(self, learned=select(self.template, chosen))
        kept.__dict__["profiles"] = tuple(self.profiles[place] for place, _ in chosen)
        return kept

    @lazy_property
    def known(self) -> Keys:
        """The tag paths as the kernels take them."""
        hashes = (path_hash(number_of(tag, TAG_NUMBER, {}) for tag in path.split("/")) for path in self.paths)
        return table_of(sorted(set(hashes)))[0]

    @lazy_property
    def _finder(self) -> finding.Finder | None:
        """Finds the records of pages that are as those learned from; None if an expression must tell them."""
        cutting = self.cutting
        if cutting.expression is not None:
            return None
        return finding.Finder(self.location.steps, cutting.level, *cutting.table, self.known)

    def find(self, page: Page, sharing: int = 1) -> FoundList:
        """The records of a page; `sharing` is how many lists share the budget of matching expressions."""
        if self._finder is not None:
            expected = self._finder.find(page.native, LEAST_SHARE)
            if expected is not None and expected[2] >= GOOD_SHARE:
                return FoundList(*expected, 0, NO_NODES)
        parents, misses = self.location.find(page)
        found = self._records(page, parents, misses, sharing) if len(parents) else NOTHING
        if misses == 0 and found.share >= GOOD_SHARE:
            return found
        empty = misses == 0 and len(parents) > 0 and not len(found.spans) and self._is_empty(page, parents)
        if empty and self.location.path[-1].tokens:
            return found
        return self._elsewhere(page, parents, found, sharing, GOOD_SHARE if empty else 0.0)

    def _is_empty(self, page: Page, parents: Int32Array) -> bool:
        """Whether elements have nothing below them but what is known to be outside of records."""
        roles = finding.cut(page.native, parents, self.cutting.level, *self.cutting.table)[3]
        return bool((roles == OUTSIDE).all())

    def _records(self, page: Page, parents: Int32Array, misses: int, sharing: int) -> FoundList:
        spans, skipped, met = self.cutting.apply(page, parents, self.known, sharing)
        shares, least, mean = finding.known_shares(page.native, spans, self.known)
        if least < LEAST_SHARE:
            good = shares >= LEAST_SHARE
            skipped = np.append(skipped, spans[~good, 0])
            spans, shares = np.ascontiguousarray(spans[good]), shares[good]
            mean = float(shares.mean()) if len(shares) else 0.0
        return FoundList(spans, shares, mean, misses, skipped, met)

    def _elsewhere(self, page: Page, parents: Int32Array, found: FoundList, sharing: int, least: float) -> FoundList:
        """The records in elements of the same tag path, if there are better ones. Where the list seems to be empty,
        these must be at least two, with more than `least` of their nodes known."""
        others, _ = self.location.find(page, by_tags=True)
        if len(others) == len(parents):
            return found
        tried = self._records(page, others, found.misses + 1, sharing)
        if not len(tried.spans):
            return found
        holders, owner = np.unique(page.parent[tried.spans[:, 0]], return_inverse=True)
        count = np.bincount(owner)
        likeness = np.bincount(owner, tried.shares) / count
        best = int((likeness * np.sqrt(count)).argmax())
        if likeness[best] <= max(found.share, least) or (least and count[best] < 2):
            return found
        chosen = likeness >= NEARLY * likeness[best] if self.several else np.arange(len(holders)) == best
        return self._records(page, holders[chosen].astype(np.int32), found.misses + 1, sharing)


def tag_paths(examples: Iterable[Example]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tag paths of all nodes of records, from the top of the record on, or the first of very many; and limits.

    >>> from fastwrap.page import Page
    >>> page = Page("<ul><li><b>a</b><li><b>b</b><i>c</i></ul>")
    >>> tag_paths([Example(page, np.array([3]), np.array([[4, 7], [7, 12]]))])
    (('li', 'li/b', 'li/b/#text', 'li/i', 'li/i/#text'), ())
    """
    kept: dict[str, None] = {}
    characters = 0
    for page, _, spans in examples:
        known: dict[tuple[str, int], str] = {}
        seen: set[tuple[int, ...]] = set()
        class_of, size_of = page.structural_class.item, page.size.item
        for start, end in spans.tolist():
            # Records of the same structure have the same paths.
            structure, top = [], start
            while top < end:
                structure.append(class_of(top))
                top += size_of(top)
            if tuple(structure) in seen:
                continue
            seen.add(tuple(structure))
            paths: list[str] = []
            for up, tag in zip(page.parent[start:end].tolist(), page.tag[start:end].tolist(), strict=True):
                above = paths[up - start] if up >= start else ""
                path = known.get((above, tag))
                if path is None:
                    name = page.tag_name(start + len(paths))
                    path = known[above, tag] = f"{above}/{name}" if above else name
                    characters += len(path)
                    if path not in kept and (len(kept) == MOST_PATHS or characters > MOST_CHARACTERS):
                        return tuple(kept), ("wrapper.tag_paths",)
                    kept[path] = None
                paths.append(path)
    return tuple(kept), ()


def learn_pattern(
    examples: Sequence[Example], confidence: float, choose: bool = True, effort: Effort | None = None
) -> Pattern:
    """The pattern of a list, given its records on some pages. Columns are learned from the page with most records, and
    chosen, or all are shown. `effort` is what learning may still take, where further lists are learned with it."""
    effort = Effort(len(examples)) if effort is None else effort
    several = any(len(example.parents) > 1 for example in examples)
    location = learn_location([(example.page, example.parents.tolist()) for example in examples])
    # Whatever else is in such a place, rows of headings for example, shows what is not a record.
    examples, untried = agreed(
        [example._replace(parents=location.find(example.page)[0]) for example in examples], effort
    )
    fullest = max(examples, key=lambda example: len(example.spans))
    table = columns.learn(fullest.page, fullest.spans, choose=choose)
    cutting = learn_cutting(examples, effort)
    paths, left_out = tag_paths(examples)
    return Pattern(
        location=location,
        cutting=cutting,
        paths=paths,
        learned=table,
        records=sum(len(example.spans) for example in examples),
        several=several,
        confidence=round(confidence, 6),  # as a file has it
        example=fullest,
        others=tuple(example for example in examples if example is not fullest)[:MOST_PROFILED],
        limits=limits.union(location.limits, cutting.limits, table.limits, untried, left_out),
    )
