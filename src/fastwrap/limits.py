"""The registry of limits: every step that has a budget, what it means that one was met, and what you can do about it.
Whatever has `limits` names the budgets that were met while it was computed; ordinary pages meet none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

LIMITS: Mapping[str, str] = MappingProxyType(
    {
        "noise.search": "The search for noise stopped early, too much or too little may be gone: check the page.",
        "regions.clusters": "Siblings of very many kinds were taken for alike: try `clean=True` or another method.",
        "regions.segmentation": "Not every way to cut a list was tried: compare with the records of another method.",
        "regions.matching": "Further trees were taken for unlike: try the method 'signal', which compares no trees.",
        "regions.edits": "Further sequences of tags were taken for unlike: try `clean=True` or the method 'auto'.",
        "regions.variety": "Further lists were left out: try `clean=True`, which leaves less to read.",
        "regions.siblings": "Only the first 100 lists were given siblings that belong to them: these lists are right.",
        "regions.candidates": "Only the longest of very many regions were searched: try `clean=True`.",
        "regions.folding": "Further lists were not folded, so that some may be missing: try the method 'auto'.",
        "structured.json": "The page has too much data, some was not read: check that the first list is the main one.",
        "structured.depth": "Data that is nested very deeply was cut off there: read its script by another tool.",
        "structured.things": "The page has data about very many things: only the first of them were read.",
        "columns.alignment": "Further records were aligned by their tags alone: check their columns.",
        "columns.folding": "No nested lists were looked for: their items stand in columns side by side.",
        "columns.width": "The columns with the fewest items were left out: there would have been too many of them.",
        "columns.splitting": "Further texts were not split into columns: there would have been too many of them.",
        "columns.choice": "No columns were chosen, all of them are shown: the table is very large.",
        "detail.lines": "Only the first 20,000 lines of the page were looked at: the record may lack what is below.",
        "detail.sections": "Not all headings of the page were looked at: the record may lack sections.",
        "detail.pairs": "Only the first labels and values are in the record: the page may rather have a list.",
        "detail.prose": "Only the first 500 paragraphs are in the text of the record: `Page.text` has all of it.",
        "detail.items": "Only the first 400 items of a list of the data are in the record: the page shows the others.",
        "detail.columns": "Only the first columns of the record are kept: there would have been too many of them.",
        "paging.labels": "Not all links with labels like those of pagers were looked at: check `next_page`.",
        "paging.numbers": "Not all rows of page numbers were looked at: check `next_page`.",
        "paging.addresses": "A link has an address that is too long to be looked at: check `next_page`.",
        "grammar.induction": "Not all repetitions were looked for: give fewer or shorter examples, or a larger budget.",
        "grammar.alternatives": "Parts that exclude each other were taken for optional ones: give fewer examples.",
        "grammar.folding": "Lists that are alike were taken for different ones: give fewer examples.",
        "grammar.expression": "A better match may have been missed: give a larger budget, or check the records.",
        "template.pages": "Not all pages were aligned, they are too large: give smaller ones, or fewer.",
        "template.slots": "What is deep in the pages was not aligned: columns of the record may be missing.",
        "template.alignment": "Very many siblings were aligned by their order alone: check the columns of the record.",
        "wrapper.pages": "Only the first 50 pages were learned from: give those that differ most.",
        "wrapper.lists": "Only the first 20 lists of a page were learned: the main list is among them.",
        "wrapper.sections": "Only the first 8 sections of joined lists were learned: the joined list has all of them.",
        "wrapper.depth": "A list stands too deep in the page to be learned: extract it without a wrapper.",
        "wrapper.levels": "Of records on several levels, as replies are, those of one were learned: extract has all.",
        "wrapper.names": "A list was left out because it or its names are too long for a file: extract it without one.",
        "wrapper.location": "The list may be taken for another one on later pages: check the fit on a second page.",
        "wrapper.cutting": "Not all ways to cut the list were compared: check the records, or learn from fewer pages.",
        "wrapper.tag_paths": "Not everything that the records may hold was kept: the fit is measured by the rest.",
        "wrapper.keeping": "Columns may have lost their old names: compare them with those of `previous`.",
        "wrapper.likeness": "What is new on the page was not compared with what is known: check `skipped`.",
        "wrapper.skipped": "Only the first of what was left out is listed: the page may be of another template.",
        "wrapper.healing": "Not all of the page was compared with what is known: check what the report calls lost.",
        "wrapper.moved": "Not all columns that may have moved were looked for: learn the wrapper again.",
        "linking.pairs": "Records that share only what very many have were not compared: link fewer records at once.",
        "linking.assignment": "Where very many records compete, the best pairs were taken first: check the links.",
        "linking.columns": "Only the 120 fullest columns of a table were compared: link tables with fewer columns.",
        "linking.width": "Columns that the fewest detail pages have were left out: join fewer pages at once.",
    }
)
"""By name, "room.step": what was left undone, and what you can do about it."""


def union(*groups: Iterable[str]) -> tuple[str, ...]:
    """The limits of all groups, each once, in order of first appearance.

    >>> union(["regions.edits"], ("columns.width", "regions.edits"))
    ('regions.edits', 'columns.width')
    """
    return tuple(dict.fromkeys(limit for group in groups for limit in group))
