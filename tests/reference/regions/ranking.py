"""Features of regions, in plain Python: what tells a main list from menus and side lists.
`fastwrap._core.regions.ranking` describes them."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, TEXT
from fastwrap.regions.ranking import Options
from tests.reference.regions.places import has_main, places
from tests.reference.structured.listed import address_hash, authority, hashed

NAMES = (
    "quality", "coverage", "similarity", "variety", "count", "letters", "longest", "items", "unique", "navigation",
    "prose", "beside", "outside", "start", "links", "kindred", "digits", "headings", "listed", "hidden",
)  # fmt: skip
LEAST = 1e-4
"""In place of a smaller quality or coverage, for the logarithm's sake."""
ENOUGH = 12
"""Records: more of them say no more."""
UNLINKED = 0.6
"""How kindred records are of which less than half have a link."""
LINK_AROUND = 8
"""Levels around a record in which a link is looked for."""
MOST_SEGMENTS = 12
"""Of the path of an address that are counted."""
NO_PAGE = re.compile(rb"#|(?:javascript|mailto|tel):", re.IGNORECASE)
"""How an address starts that leads to no other page."""
HEADINGS = [TAG_NUMBER[f"h{level}"] for level in range(1, 7)]
LINK = TAG_NUMBER["a"]

Kind: TypeAlias = tuple[bytes, int, bytes, bytes | None]


def kind_of_address(address: bytes) -> Kind | None:
    """Host, segments of the path, the first of several, and the name of the first parameter."""
    address = address.lstrip(bytes(range(33)))
    if not address or NO_PAGE.match(address):
        return None
    host = authority(address)
    path, asks, query = address.removeprefix(host).partition(b"#")[0].partition(b"?")
    segments = [segment for segment in path.split(b"/") if segment]
    first = segments[0] if len(segments) > 1 else b""
    if len(segments) >= MOST_SEGMENTS:
        return host, MOST_SEGMENTS, first, None
    return host, len(segments), first, re.split(b"[=&]", query)[0] if asks else None


def href_of(page: Page, node: int) -> bytes | None:
    """The address of a link."""
    address = page.attributes(node).get("href") if page.tag[node] == LINK else None
    return None if address is None else address.encode()


def kind_of_record(page: Page, start: int, end: int) -> Kind | None:
    """The kind of the first link of a record that leads to a page; without one, of the link that it is in."""
    for node in range(start, end):
        address = href_of(page, node)
        if address is not None and (kind := kind_of_address(address)) is not None:
            return kind
    node = int(page.parent[start])
    for _ in range(LINK_AROUND):
        if node < 0:
            break
        if page.tag[node] == LINK:
            return kind_of_address(href_of(page, node) or b"")
        node = int(page.parent[node])
    return None


def kindred(kinds: list[Kind | None]) -> float:
    """The share of records that link to the most frequent kind of page, or to other sites, if these are many."""
    linked = Counter(kind for kind in kinds if kind is not None)
    if 2 * linked.total() < len(kinds):
        return UNLINKED
    hosts = [kind[0] for kind in kinds if kind is not None and kind[0]]
    to_sites = len(hosts) if 2 * len(set(hosts)) >= len(hosts) else 0
    return max(*linked.values(), to_sites) / len(kinds)


def is_listed(page: Page, listed: set[int], start: int, end: int) -> bool:
    """Whether a record has a text or an address that the data of the page lists."""
    for node in range(start, end):
        if page.tag[node] == TEXT:
            own = hashed(page.text(node).encode(), 0)
        else:
            own = address_hash(href_of(page, node) or b"")
        if own in listed:
            return True
    return False


def features(
    page: Page,
    before: npt.NDArray[np.float64],
    options: Options,
    records: Int32Array,
    first: Int32Array,
    scores: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The features of every region, a row each, and their sums by each row of the weights.

    Region i has the `records` first[i] up to first[i + 1]; its `scores` are coverage, similarity and variety. `before`
    is the content of all nodes before each node, and in all.
    """
    weights, listed = options.weights, set(options.listed.tolist())
    tag, size, text_start, text, body = page.tag, page.size, page.text_start, page.arrays.text, page.body
    n = len(page)
    total = max(1.0, float(before[body + size[body]] - before[body]))
    letters = np.diff(before)
    in_link = np.zeros(n, dtype=np.bool_)
    for node in range(n):
        in_link[node : node + size[node]] |= bool(tag[node] == LINK)
    is_text = tag == TEXT
    place, with_main = places(page, options), has_main(page, before, total)
    # Bytes count; what is hidden at first counts for less than the longest letters have.
    length = np.diff(text_start) - 1
    is_prose = is_text & ~in_link & (length >= options.prose) & (4 * letters >= length)
    is_prose &= [not one.navigation for one in place]
    rows = []
    for (begin, end), score in zip(itertools.pairwise(first.tolist()), scores.tolist(), strict=True):
        spans = [slice(*span) for span in records[begin:end].tolist()]
        texts = [text[text_start[span.start] : text_start[span.stop]] for span in spans]
        kinds = [kind_of_record(page, span.start, span.stop) for span in spans]
        at = [place[span.start] for span in spans]
        own_prose = sum(float(letters[span][is_prose[span]].sum()) for span in spans)
        rows.append(
            {
                "quality": max(score[0] * score[1] * score[2], LEAST),
                "coverage": max(score[0], LEAST),
                "similarity": score[1],
                "variety": score[2],
                "count": len(spans),
                "letters": np.mean([letters[span].sum() for span in spans]),
                "longest": np.mean([letters[span][is_text[span]].max(initial=0) for span in spans]),
                "items": np.mean([(letters[span] > 0).sum() for span in spans]),
                "unique": len(set(texts)) / len(spans),
                "navigation": np.mean([one.navigation for one in at]),
                "prose": (letters[is_prose].sum() - own_prose) / total,
                "beside": np.mean([one.beside for one in at]),
                "outside": np.mean([with_main and not one.main for one in at]),
                "start": float(before[spans[0].start] - before[body]) / total,
                "links": np.mean([kind is not None for kind in kinds]),
                "kindred": kindred(kinds),
                "digits": np.mean([re.search(rb"[0-9]", own) is not None for own in texts]),
                "headings": np.mean([np.isin(tag[span], HEADINGS).any() for span in spans]),
                "listed": np.mean([is_listed(page, listed, span.start, span.stop) for span in spans]),
                "hidden": np.mean([page.hidden[span.start] for span in spans]),
            }
        )
    found = np.array([[row[name] for name in NAMES] for row in rows], dtype=np.float64).reshape(-1, len(NAMES))
    scaled = found.copy()
    scaled[:, :2] = np.log(found[:, :2])
    scaled[:, NAMES.index("count")] = np.minimum(found[:, NAMES.index("count")], ENOUGH)
    amounts = [NAMES.index(name) for name in ("count", "letters", "longest", "items")]
    scaled[:, amounts] = np.log1p(scaled[:, amounts])
    return found, weights[:, :-1] @ scaled.T + weights[:, -1:]
