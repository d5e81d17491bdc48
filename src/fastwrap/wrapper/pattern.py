"""One list of a site: where it is, how it is cut into records, what these are made of, and their columns.
Learned from the records of one page or several, then found on other pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap import columns
from fastwrap._core.wrapper import wrapping as kernel
from fastwrap.common.lazy import lazy_property
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, number_of
from fastwrap.wrapper.cutting import Cutting, Example, agreed, learn_cutting
from fastwrap.wrapper.hashes import UNKNOWN, path_hash, table_of
from fastwrap.wrapper.location import CLASS, Location, learn_location
from fastwrap.wrapper.profile import Profile, profiles_of

if TYPE_CHECKING:
    from fastwrap.page import Page

LEAST_SHARE = 0.34
"""A record that has less of what the records learned from are made of is none: it is skipped."""

GOOD_SHARE = 0.7
"""If records have less of it on average, they may be in another place: elements of the same tags are tried, too."""

NEARLY = 0.8
"""Of several elements that may hold records, those are taken whose records have so much of the best one's share."""

MOST_PATHS = 4_000
"""Different tag paths of nodes in records, ..."""

MOST_CHARACTERS = 5_000_000
"""... and how long all of them are: deep records have long paths."""


class Found(NamedTuple):
    """Where a pattern is on a page."""

    spans: Int32Array
    shares: npt.NDArray[np.float64]
    """[records] How much of each is known, ..."""
    share: float
    """... and of all, on average; 0 if there are none."""
    misses: int
    """How much the elements around the records differ from what they were; 0 if not at all."""
    skipped: Int32Array
    """What does not match: children that are neither in records nor known to be outside, and records unlike others."""
    limits: tuple[str, ...] = ()
    """Steps whose budget was met: some of what is skipped may be records."""


NO_NODES = np.empty(0, dtype=np.int32)
NOTHING = Found(np.empty((0, 2), dtype=np.int32), np.empty(0), 0.0, 0, NO_NODES)


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
    """That it is the list that the page exists for."""
    example: Example | None = field(default=None, repr=False)
    """The page that the columns are of; not known of a list that was read from a file."""
    limits: tuple[str, ...] = ()
    """Steps of learning whose budget was met, if that is known."""

    @property
    def layout(self) -> columns.Layout:
        """Which columns there are; their names are not needed for it."""
        return self.learned if isinstance(self.learned, columns.Template) else self.learned.layout

    @lazy_property
    def template(self) -> columns.Template:
        """What the columns are read by, with their names, which are found when this is asked for."""
        return self.learned if isinstance(self.learned, columns.Template) else self.learned.template

    @lazy_property
    def profiles(self) -> tuple[Profile, ...]:
        """What the values of each column were like; found when they are asked for."""
        return profiles_of(self.table)

    @lazy_property
    def table(self) -> columns.Table:
        """The table of the page that the columns are of. As it is read by the template: that is what other pages are
        compared with."""
        assert self.example is not None  # a file has the profiles
        return columns.apply(self.template, self.example.page, self.example.spans)

    @classmethod
    def with_profiles(cls, profiles: tuple[Profile, ...], **fields: Any) -> Pattern:
        """A list whose profiles are known, but not the page that they are from."""
        pattern = cls(**fields)
        pattern.__dict__["profiles"] = profiles
        return pattern

    @lazy_property
    def known(self) -> npt.NDArray[np.uint64]:
        """The tag paths as the kernel takes them."""
        hashes = (path_hash(number_of(tag, TAG_NUMBER, {}) for tag in path.split("/")) for path in self.paths)
        return table_of(sorted(set(hashes)))[0]

    @lazy_property
    def _finder(self) -> kernel.Finder | None:
        """What finds the records of pages that are as those learned from; None if an expression must tell them."""
        cutting = self.cutting
        if cutting.expression is not None:
            return None
        return kernel.Finder(CLASS, *self.location.steps, cutting.level, *cutting.table, self.known)

    def find(self, page: Page) -> Found:
        """The records of a page."""
        arrays = page.arrays
        if self._finder is not None:
            known = self._finder.find(
                page.tag, page.size, page.parent, page.depth, page.text_start, page.attribute_start,
                arrays.attribute_name, arrays.value_start, arrays.values, LEAST_SHARE,
            )  # fmt: skip
            if known is not None and known[2] >= GOOD_SHARE:
                return Found(*known, 0, NO_NODES)
        parents, misses = self.location.find(page)
        found = self._records(page, parents, misses) if len(parents) else NOTHING
        if misses == 0 and found.share >= GOOD_SHARE:
            return found
        return self._elsewhere(page, parents, found)

    def _records(self, page: Page, parents: Int32Array, misses: int) -> Found:
        spans, children, roles, unknown, limits = self.cutting.apply(page, parents, self.known)
        shares, least, mean = kernel.known_shares(page.tag, page.parent, spans, self.known)
        skipped = children[roles == UNKNOWN] if unknown else NO_NODES
        if least < LEAST_SHARE:
            good = shares >= LEAST_SHARE
            skipped = np.append(skipped, spans[~good, 0])
            spans, shares = np.ascontiguousarray(spans[good]), shares[good]
            mean = float(shares.mean()) if len(shares) else 0.0
        return Found(spans, shares, mean, misses, skipped, limits)

    def _elsewhere(self, page: Page, parents: Int32Array, found: Found) -> Found:
        """The records in elements of the same tag path, if there are better ones."""
        others, _ = self.location.find(page, by_tags=True)
        if len(others) == len(parents):
            return found
        tried = self._records(page, others, found.misses + 1)
        if not len(tried.spans):
            return found
        holders, owner = np.unique(page.parent[tried.spans[:, 0]], return_inverse=True)
        count = np.bincount(owner)
        likeness = np.bincount(owner, tried.shares) / count
        best = int((likeness * np.sqrt(count)).argmax())
        if likeness[best] <= found.share:
            return found
        chosen = likeness >= NEARLY * likeness[best] if self.several else np.arange(len(holders)) == best
        return self._records(page, holders[chosen].astype(np.int32), found.misses + 1)


def tag_paths(examples: Iterable[Example]) -> tuple[tuple[str, ...], bool]:
    """The tag paths of all nodes of records, from the top of the record on; of very many the first. And whether these
    are all.

    >>> from fastwrap.page import Page
    >>> page = Page("<ul><li><b>a</b><li><b>b</b><i>c</i></ul>")
    >>> tag_paths([Example(page, np.array([3]), np.array([[4, 7], [7, 12]]))])
    (('li', 'li/b', 'li/b/#text', 'li/i', 'li/i/#text'), True)
    """
    found: dict[str, None] = {}
    characters = 0
    for page, _, spans in examples:
        known: dict[tuple[str, int], str] = {}
        seen: set[tuple[int, ...]] = set()
        classes, sizes = page.structural_class, page.size
        for start, end in spans.tolist():
            # Records of the same structure have the same paths.
            structure = []
            node = start
            while node < end:
                structure.append(int(classes[node]))
                node += int(sizes[node])
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
                    if path not in found and (len(found) == MOST_PATHS or characters > MOST_CHARACTERS):
                        return tuple(found), False
                    found[path] = None
                paths.append(path)
    return tuple(found), True


def learn_pattern(examples: Sequence[Example], confidence: float) -> Pattern:
    """The pattern of a list, given its records on some pages. Columns are those of the page that has most of them."""
    several = any(len(example.parents) > 1 for example in examples)
    location = learn_location([(example.page, example.parents.tolist()) for example in examples])
    # What else there is in such a place, rows of headings for example, is an example of what is no record.
    examples, all_tried = agreed([example._replace(parents=location.find(example.page)[0]) for example in examples])
    fullest = max(examples, key=lambda example: len(example.spans))
    table = columns.learn(fullest.page, fullest.spans)
    cutting = learn_cutting(examples)
    paths, all_paths = tag_paths(examples)
    limits = [*location.limits, *cutting.limits, *table.limits]
    if not all_tried:
        limits.append("cutting")
    if not all_paths:
        limits.append("tag paths")
    return Pattern(
        location=location,
        cutting=cutting,
        paths=paths,
        learned=table,
        records=sum(len(example.spans) for example in examples),
        several=several,
        confidence=confidence,
        example=fullest,
        limits=tuple(dict.fromkeys(limits)),
    )
