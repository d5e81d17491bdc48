"""Learns the template of pages about one thing: their trees are aligned, and what differs between them are columns.
Two pages suffice; with more, what is optional and what repeats is told better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from fastwrap._core.template import features as kernel
from fastwrap._core.template.learning import learn as align
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.columns.template import MAX_NAME
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE
from fastwrap.template.describing import Aligned, Found, describe
from fastwrap.template.forest import forest_of, starts_of
from fastwrap.template.template import NO_UNIT, DetailTemplate, Hashes, Slots

MOST_SLOTS = 6_000
"""Places of a template: five times what a large page has."""

LARGEST = 15_000
"""Places that a file may hold, with all siblings of those that are columns."""

MOST_NODES = 300_000
"""Nodes of all pages that are aligned."""

LEAST_SHARED = 0.25
"""Of the nodes, that must stand in slots of several pages: with fewer, the pages have no template in common."""


def different(pages: Sequence[Page]) -> list[Page]:
    """The pages without those that are there twice.

    >>> one, other = Page("<p>one"), Page("<p>two")
    >>> different([one, other, Page("<p>one")]) == [one, other]
    True
    """
    seen: dict[tuple[bytes, bytes], Page] = {}
    for page in pages:
        seen.setdefault((page.arrays.text, page.tag.tobytes()), page)
    return list(seen.values())


def labels_of(texts: Iterable[Hashes], page_of: npt.NDArray[np.intp]) -> Hashes:
    """The hashes of texts that several pages have, sorted: what may be a label."""
    found = []
    for hashes in texts:
        there = np.flatnonzero(hashes)
        there = there[np.argsort(hashes[there], kind="stable")]  # those of one page stay together
        values, pages = hashes[there], page_of[there]
        found.append(values[1:][(values[1:] == values[:-1]) & (pages[1:] != pages[:-1])])
    return np.unique(np.concatenate(found))


def learn(pages: Sequence[Page], met: list[str] | None = None) -> DetailTemplate | None:
    """The template that pages about one thing have in common; None if there are not two different ones, if they have
    nothing in common, or if it is too large for a file. The limits that were met are added to `met`.

    >>> def page(title, price):
    ...     return Page(f"<h1>{title}</h1><ul><li><b>Price:</b> {price}</li><li><b>Condition:</b> new</li></ul>")
    >>> template = learn([page("Lamp", "12 EUR"), page("Table", "80 EUR")])
    >>> [column.name for column in template.columns]
    ['title', 'price', 'Condition']
    >>> template.read(page("Chair", "35 EUR")).cells
    ['Chair', '35 EUR', 'new']
    """
    pages = different(pages)
    limits = [] if met is None else met
    total = 0
    for number, page in enumerate(pages):
        total += len(page)
        if total > MOST_NODES:
            pages = pages[:number]
            limits.append("template.pages")
            break
    if len(pages) < 2:
        return None
    forest = forest_of(pages)
    starts = starts_of(pages)
    page_of = np.repeat(np.arange(-1, len(pages)), np.diff(starts, prepend=0))
    features = kernel.features(forest.native)
    labels = labels_of(features[2:4], page_of)
    numbers, hashes, slot_of, more = align(forest.native, starts[:-1].copy(), labels, MOST_SLOTS)
    limits += more
    aligned = Aligned(forest, page_of, Slots(numbers, hashes), slot_of, features)
    if aligned.shared < LEAST_SHARED:
        return None
    described = describe(aligned)
    if not described:
        return None
    slots, places = pruned(Slots(numbers, hashes), [column.slot for column in described])
    columns = [column._replace(slot=int(places[column.slot])) for column in described]
    if len(labels) > LARGEST:
        labels = np.intersect1d(labels, slots.hashes[2:4])
    custom = forest.custom_names
    if slots.numbers.shape[1] > LARGEST or any(len(name) > MAX_NAME for name in custom.values()):
        limits.append("template.slots")
        return None
    return DetailTemplate(
        slots,
        labels,
        tuple(column.column() for column in columns),
        len(pages),
        aligned.shared,
        tuple(limits),
        {number: custom[number] for number in np.unique(slots.numbers[0]).tolist() if number in custom},
        share_in_lists(aligned, described),
    )


def share_in_lists(aligned: Aligned, columns: Sequence[Found]) -> float:
    """The share of the texts of columns that stands in what repeats."""
    inside = total = 0.0
    for column in columns:
        if column.kind == TEXT_ITEM:
            seen = sum(map(len, column.texts))  # of lists, only the first are looked at
            count = aligned.first[column.slot + 1] - aligned.first[column.slot]
            length = sum(len(text) for texts in column.texts for text in texts) * count / max(1, seen)
            total += length
            inside += length if aligned.sets[column.slot] != NO_UNIT else 0.0
    return inside / max(1.0, total)


def pruned(slots: Slots, used: Sequence[int]) -> tuple[Slots, Int32Array]:
    """The slots that are needed to find some of them: these, those around them, and the siblings of all of these; and
    the new number of each."""
    parents = slots.numbers[1].tolist()
    around = set()
    for slot in used:
        while slot != NO_NODE and slot not in around:
            around.add(slot)
            slot = parents[slot]
    kept = np.array([slot in around or (parent in around) or parent == NO_NODE for slot, parent in enumerate(parents)])
    places = (np.cumsum(kept) - 1).astype(np.int32)
    numbers = slots.numbers[:, kept].copy()
    numbers[1] = np.where(numbers[1] == NO_NODE, NO_NODE, places[numbers[1]])
    return Slots(np.ascontiguousarray(numbers), np.ascontiguousarray(slots.hashes[:, kept])), places
