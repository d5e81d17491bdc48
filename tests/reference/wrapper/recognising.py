"""Recognises the site of a page in plain Python: the twin of `fastwrap._core.wrapper.recognising`."""

from __future__ import annotations

from fastwrap.page import Page
from fastwrap.wrapper.choosing import PathIndex
from fastwrap.wrapper.hashes import SEED, classes_key, mixed
from tests.reference.wrapper.finding import class_of


def recognise(index: PathIndex, page: Page) -> dict[int, float]:
    """The wrappers that share something with a page, and what speaks for each."""
    entry_of = {key: entry for entry, key in enumerate(index.keys.tolist()) if key}
    paths: list[int] = []
    seen: dict[int, None] = {}
    for node, up in enumerate(page.parent.tolist()):
        paths.append(mixed(SEED if up < 0 else paths[up], int(page.tag[node])))
        entry = entry_of.get(paths[node] | 1)
        if entry is None:
            continue
        seen[entry] = None
        if index.by_class[entry]:
            classes = [class_of(page, above) for above in [node, *page.ancestors(node)]]
            told = entry_of.get(classes_key(paths[node] | 1, reversed(classes)))
            if told is not None:
                seen[told] = None
    sums: dict[int, float] = {}
    for entry in seen:
        for number in index.wrappers[int(index.first[entry]) : int(index.first[entry + 1])].tolist():
            sums[number] = sums.get(number, 0.0) + float(index.votes[entry])
    return {number: total + float(index.least[number]) for number, total in sums.items()}
