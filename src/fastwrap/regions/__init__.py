"""Where something repeats on a page, and where its records begin and end: one module per method.
The registry: a new method is one new file here and one line below."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from fastwrap.common.arguments import expect, like
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array


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
    """The limits that were met while the regions of its page were found: those of the `Search`, which `find` adds."""


class Search(NamedTuple):
    """What a method found on a page."""

    regions: Sequence[FoundRegion]
    """Best first; no two share a node."""
    limits: tuple[str, ...]
    """The limits that were met on the way, whether or not a region was found; see `fastwrap.limits`."""


# Each is a module with `find(page, **options) -> Search`, whose options are keywords with defaults. The order is that
# of `fastwrap.methods()`.
METHODS = {
    "auto": "the regions of autorm, ranked by what makes a list the main one (weights fitted on many sites)",
    "mdr": "runs of similar siblings (MDR: Liu, Grossman & Zhai 2003)",
    "depta": "mdr with tree matching, items aligned into columns (DEPTA: Zhai & Liu 2005)",
    "classes": "the most frequent structural classes (classes of subtrees: Valiente 2001)",
    "signal": "periods of the tag path signal (DSRE: Velloso & Dorneles 2020)",
    "autorm": "clusters of children, cut at separators or heads (AutoRM: Shi et al. 2015)",
    "gstm": "lists found by matching the page with itself (G-STM: Jindal & Liu 2010)",
}


def methods() -> dict[str, str]:
    """The names of the methods, each with what it does and where it is from.

    >>> list(methods())
    ['auto', 'mdr', 'depta', 'classes', 'signal', 'autorm', 'gstm']
    """
    return dict(METHODS)


def check_method(method: str) -> None:
    """FastwrapError, or TypeError, for what is no name of a method."""
    if method not in METHODS:
        expect(method, str, "method is a str")
        raise FastwrapError(f"there is no method {method!r}: choose one of {', '.join(METHODS)}")


@cache
def finder_of(method: str) -> Callable[..., Search]:
    """The search by a method, whose module is loaded when it is first asked for."""
    finder: Callable[..., Search] = importlib.import_module(f"fastwrap.regions.{method}").find
    return finder


def find(page: Page, method: str, options: Mapping[str, Any]) -> Search:
    """Search a page for regions by the method of that name.

    >>> find(Page("<p>"), "auto", {})
    Search(regions=[], limits=())
    """
    check_method(method)
    finder = finder_of(method)
    if options:
        known = inspect.signature(finder).parameters
        unknown = [name for name in options if name not in known]
        if unknown:
            raise FastwrapError(f"the method {method!r} has no option {', '.join(map(repr, unknown))}")
        for name, value in options.items():
            like(known[name].default, value, name)
    regions, limits = finder(page, **options)
    if limits:
        regions = [region._replace(limits=limits) for region in regions]
    return Search(regions, limits)


def disjoint(regions: Sequence[FoundRegion], nodes: int) -> list[FoundRegion]:
    """The regions in order of their scores, without those that share a node with a better one.

    >>> import numpy as np
    >>> spans = [[1, 3], [3, 5]], [[4, 6]], [[5, 9]]
    >>> found = [FoundRegion(np.array(records, dtype=np.int32), 1.0) for records in spans]
    >>> [region.records.tolist() for region in disjoint(found, 9)]
    [[[1, 3], [3, 5]], [[5, 9]]]
    """
    taken = bytearray(nodes)  # searched and filled in C, span by span: faster here than arrays of booleans
    kept = []
    for region in sorted(regions, key=lambda region: -region.score):
        spans = region.records.tolist()
        if all(taken.find(1, start, end) < 0 for start, end in spans):
            for start, end in spans:
                taken[start:end] = b"\1" * (end - start)
            kept.append(region)
    return kept
