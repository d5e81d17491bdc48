"""Content or noise, for every block of a page: lines of text as a reader sees them (EDREW, with a classifier of ours).
Where a page has a main list, all of its records are content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.noise import labelling
from fastwrap.noise.model import Model
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.regions import auto, ranking
from fastwrap.structured.prose import carried_prose

if TYPE_CHECKING:
    from fastwrap._core.noise.labelling import Address

LEAST_CONFIDENCE = 0.5
"""As `fastwrap.extract` has it, for a list that is the main one of a page."""
LEAST_KEPT, LEAST_PROSE = 0.5, 0.7
"""Shares: of the words of a page that are content, and of the words of content that are prose. Pages with more of both
are not searched for lists."""
HOST = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


class Labels(NamedTuple):
    """Content or noise, for every block of a page: a line of text as a reader sees it, or several that `br` parts."""

    page: Page
    """The page that has the blocks."""
    starts: Int32Array
    """[k] The first text of each block, in document order."""
    ends: Int32Array
    """[k] The node after its last text; all texts in between belong to the block."""
    content: npt.NDArray[np.bool_]
    """[k] Whether the block is content."""
    probability: npt.NDArray[np.float32]
    """[k] How likely that is."""
    limits: tuple[str, ...]


def address_of(url: str | None) -> Address:
    """What the address of a page is like, as a model knows it.

    >>> address_of("https://a.example/news/2024/a-long-title?page=2"), address_of(None)
    ((3.0, 12.0, 2.0, 1.0), (0.0, 0.0, 0.0, 0.0))
    """
    path, query, _ = HOST.sub("", url or "").partition("?")
    parts = [part for part in path.partition("#")[0].split("/") if part]
    last = parts[-1] if parts else ""
    return float(len(parts)), float(len(last)), float(last.count("-")), float(bool(query))


def label(page: Page, model: Model | None = None) -> Labels:
    """The labels of a page, by the model that is shipped or one of your own.

    Where a page shows nothing and carries its content as data, the labels are those of a page made of that, and all of
    it is content.

    >>> text = "A dome of stone keeps the rain out, and the light of the sun as well."
    >>> labels = label(Page(f"<nav><a href=/>Home</a></nav><main><p>{text}</p></main><footer>Imprint</footer>"))
    >>> labels.content.tolist()
    [False, True, False]
    """
    classifier = (model or Model.shipped()).classifier
    if (carried := carried_prose(page)) is not None:
        starts, ends, content, probability, _ = labelling.label(carried.native, classifier, address_of(page.url))
        content[:] = True
        probability[:] = 1
        return Labels(carried, starts, ends, content, probability, carried.limits)
    starts, ends, content, probability, counts = labelling.label(page.native, classifier, address_of(page.url))
    limits: tuple[str, ...] = ()
    if may_list(*counts):
        limits = add_records(page, starts, content)
    return Labels(page, starts, ends, content, probability, limits)


def may_list(words: int, kept: int, prose: int) -> bool:
    """Whether a page may have a main list that its content lacks: most pages of prose have none, and looking for one
    costs as much as all the rest.

    >>> may_list(900, 700, 650), may_list(900, 200, 180), may_list(900, 700, 100)
    (False, True, True)
    """
    return kept < LEAST_KEPT * words or prose < LEAST_PROSE * kept


def add_records(page: Page, starts: Int32Array, content: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    """Make all of a record content where nothing of it is, for the records that `fastwrap.extract` finds with a
    confidence of one half or more. Returns the limits that were met."""
    found = auto.find(page)
    if ranking.is_at_least(page, found.regions, LEAST_CONFIDENCE):
        first, end = np.searchsorted(starts, found.regions[0].records).T
        before = np.append(0, np.cumsum(content))
        for record in np.flatnonzero(before[first] == before[end]).tolist():
            content[first[record] : end[record]] = True
    return found.limits
