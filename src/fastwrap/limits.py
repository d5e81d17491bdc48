"""The registry of limits: every step that has a budget, what it means that one was met, and what you can do about it.
Whatever has `limits` names the budgets that were met while it was computed; ordinary pages meet none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

LIMITS: Mapping[str, str] = MappingProxyType(
    {
        "noise.search": "The search for what to keep stopped early: clean a smaller part of the page, or not at all.",
        "regions.clusters": "Siblings of too many kinds were taken for alike: clean the page first (`clean=True`).",
        "regions.segmentation": "Not every way to cut a list was tried: see whether another method cuts it better.",
        "regions.matching": "Further trees were taken for unlike: try the method 'signal', which compares no trees.",
        "regions.edits": "Further sequences were taken for unlike: clean the page first (`clean=True`).",
        "regions.variety": "Further records were left out: clean the page first (`clean=True`).",
        "regions.siblings": "Beside the records of further lists nothing was looked for: the first lists are complete.",
        "regions.candidates": "Only the longest of very many regions were searched: clean the page first.",
        "regions.folding": "Further lists were not folded: try the method 'auto'.",
        "columns.alignment": "Some records were placed by their tags alone: check their columns.",
        "columns.folding": "No nested lists were looked for: very many records with very many parts have none.",
        "columns.width": "Columns with the fewest items were left out: the table would have had too many cells.",
        "paging.labels": "Not all links with labels like those of pagers were looked at: check `next_page`.",
        "paging.numbers": "Not all rows of page numbers were looked at: check `next_page`.",
        "paging.addresses": "A link has an address too long to be looked at: check `next_page`.",
        "grammar.induction": "Loops were not looked into: give fewer or shorter examples.",
        "grammar.alternatives": "What excludes each other is optional: give fewer examples.",
        "grammar.folding": "Lists that are alike were taken for different ones: give fewer examples.",
        "grammar.expression": "There may be a reading of less cost: give a larger budget.",
        "wrapper.pages": "Only the first 50 pages were learned from: choose the pages that differ most.",
        "wrapper.lists": "Only the first 20 lists of a page were learned: the main list is among them.",
        "wrapper.sections": "Only the first 8 sections of joined lists were learned: the joined list has all of them.",
        "wrapper.depth": "A list stands too deep in the page to be learned: no wrapper can find it.",
        "wrapper.names": "A list has names too long for a file, and was left out.",
        "wrapper.location": "The list may be mistaken for another one: check the fit on a second page.",
        "wrapper.cutting": "Not all kinds of children of the list are known: learn from fewer pages.",
        "wrapper.tag_paths": "Not all that records may hold is known: the fit is measured by the rest.",
        "wrapper.keeping": "Columns may have lost their old names: compare the names with those of `previous`.",
        "wrapper.likeness": "What is new on the page was not compared with what is known: check `skipped`.",
        "wrapper.skipped": "`skipped` has only the first of what did not match: the page is not of this template.",
        "wrapper.moved": "Not all columns that may have moved were looked for: learn the wrapper again.",
    }
)
"""By name, "room.step": what was left undone, and what you can do about it."""


def union(*groups: Iterable[str]) -> tuple[str, ...]:
    """The limits of all groups, each once, in order of first appearance.

    >>> union(["regions.edits"], ("columns.width", "regions.edits"))
    ('regions.edits', 'columns.width')
    """
    return tuple(dict.fromkeys(limit for group in groups for limit in group))
