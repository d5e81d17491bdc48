"""Where something repeats on a page, and where its records begin and end: one module a method.
The registry: a new method is one new file here and one line below."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array

LIMITS = {
    "clusters": "siblings of one tag were of too many kinds to be compared, and taken for alike",
    "segmentation": "a list had more kinds of heads or separators than are tried",
    "matching": "trees were no longer compared, and taken for unlike",
    "edits": "sequences were no longer compared, and taken for unlike",
    "variety": "records were no longer read, and left out",
    "siblings": "what stands beside the records of further lists was not looked at",
    "regions": "only the longest of very many regions were searched",
}
"""The steps that have a budget, and what it means that one was met."""


class FoundRegion(NamedTuple):
    """A list on a page: the spans of its records, and why it is one."""

    records: Int32Array
    """[k, 2] Each record is the nodes from the first number up to the second: a run of adjacent siblings with
    all below them. In document order, never overlapping."""
    score: float
    """How the method ranks the region among those of the page; larger is better."""
    why: Mapping[str, float | str] = MappingProxyType({})
    """Scores by name: what the ranking and the cutting rest on."""
    confidence: float | None = None
    """In [0, 1], that it is the list that the page exists for, where the method knows."""
    limits: tuple[str, ...] = ()
    """The steps whose budget was met while the regions of the page were found; see `LIMITS`."""


class Method(Protocol):
    """What a module of this package offers."""

    def find(self, page: Page, *, met: set[str] | None = None, **options: Any) -> list[FoundRegion]:
        """The regions of a page, best first; no two share a node. The names of LIMITS that were met are added to `met`:
        so these are known where no region was found, too."""


# The order is that of `fastwrap.methods()`.
METHODS = {
    "auto": "autorm's regions, ranked by what makes a list the main one (weights fitted on many sites)",
    "mdr": "runs of similar siblings (Liu, Grossman & Zhai 2003; seed 002)",
    "depta": "mdr with tree matching, items aligned into columns (Zhai & Liu 2005)",
    "classes": "the most frequent structural classes (Valiente 2001; seed 003)",
    "signal": "periods of the tag path signal (DSRE, Velloso & Dorneles 2020; seed 001)",
    "autorm": "clusters of children cut by separators or heads (AutoRM, Shi et al. 2015; seed 000)",
    "gstm": "lists found by matching the page with itself (G-STM, Jindal & Liu 2010; seed 000)",
}


def methods() -> dict[str, str]:
    """The names of the methods, each with what it does and where it is from.

    >>> list(methods())
    ['auto', 'mdr', 'depta', 'classes', 'signal', 'autorm', 'gstm']
    """
    return dict(METHODS)


def find(page: Page, method: str, options: Mapping[str, Any], met: set[str] | None = None) -> list[FoundRegion]:
    """The regions that a method finds on a page, in the method's own order, none sharing a node with another.

    The names of LIMITS that were met are added to `met`, whether or not there are regions.

    >>> met = set()
    >>> find(Page("<p>"), "auto", {}, met), met
    ([], set())
    """
    if method not in METHODS:
        raise FastwrapError(f"there is no method {method!r}: choose one of {', '.join(METHODS)}")
    finder = importlib.import_module(f"fastwrap.regions.{method}").find
    if options:
        unknown = [name for name in options if name not in inspect.signature(finder).parameters or name == "met"]
        if unknown:
            raise FastwrapError(f"the method {method!r} has no option {', '.join(map(repr, unknown))}")
    found: list[FoundRegion] = finder(page, met=met, **options)
    return found


def disjoint(regions: list[FoundRegion], nodes: int) -> list[FoundRegion]:
    """The regions without those that share a node with one before them.

    >>> import numpy as np
    >>> spans = [[1, 3], [3, 5]], [[4, 6]], [[5, 9]]
    >>> found = [FoundRegion(np.array(records, dtype=np.int32), 1.0) for records in spans]
    >>> [region.records.tolist() for region in disjoint(found, 9)]
    [[[1, 3], [3, 5]], [[5, 9]]]
    """
    taken = bytearray(nodes)  # searched and filled in C, span by span: faster here than arrays of booleans
    kept = []
    for region in regions:
        spans = region.records.tolist()
        if all(taken.find(1, start, end) < 0 for start, end in spans):
            for start, end in spans:
                taken[start:end] = b"\1" * (end - start)
            kept.append(region)
    return kept
