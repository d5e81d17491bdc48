"""What site a page is of, and what its pages are built like: by its address, and by the tag paths of its elements.
`Place` is what a page is looked up by; wrappers that were learned by themselves are kept under the same keys."""

from __future__ import annotations

import hashlib
import re
from functools import cached_property
from urllib.parse import parse_qsl

import numpy as np

from fastwrap.linking.addresses import plain_address
from fastwrap.page import Page
from fastwrap.page.addresses import is_web
from fastwrap.page.names import TEXT
from fastwrap.paging.words import PAGE_NAMES
from fastwrap.server.store.records import Sited

MINIMA = 32
"""Numbers of a sketch (MinHash, Broder 1997): the share that two have in common is about the share of tag paths."""

BAND = 4
"""Of them, that must be equal for a page without an address to be looked up by them."""

MOST_PATHS = 400
"""Tag paths that a sketch is made of."""

DEEPEST = 12
"""Levels of the tag paths: what is below is what the page says, not how it is built."""

ALIKE = 0.5
"""The likeness of sketches from which on pages are taken to be built alike."""

LONGEST_WORD = 24

_DIGIT = re.compile(r"\d")


def pattern_of(address: str) -> tuple[str, tuple[str, ...]]:
    """The site of an address, and the parts of its path and query, without what differs from page to page.

    >>> pattern_of("https://www.shop.example/c/pans/page-2?sort=price&page=3&utm_source=mail")
    ('shop.example', ('c', 'pans', '*', '?sort'))
    >>> pattern_of("https://shop.example/a-fine-pan-of-steel.html")
    ('shop.example', ('*',))
    """
    place, _, query = plain_address(address).partition("?")
    host, *words = place.lower().split("/")
    parts = ["*" if _DIGIT.search(word) or len(word) > LONGEST_WORD or word.count("-") > 2 else word for word in words]
    names = sorted({name.lower() for name, _ in parse_qsl(query, keep_blank_values=True)})
    names = [name for name in names if not PAGE_NAMES.fits(name)]
    return host, (*parts[:12], *(f"?{name[:LONGEST_WORD]}" for name in names[:12]))


class Place:
    """Where a page belongs."""

    def __init__(self, page: Page, url: str | None) -> None:
        self._page = page
        plain = "" if url is None else url.replace("\0", "")  # which PostgreSQL does not take in a text
        self.host, self.pattern = pattern_of(plain) if is_web(plain) else ("", ())

    @cached_property
    def sketch(self) -> str:
        """What the page is built like."""
        return sketch_of(self._page)

    @property
    def keys(self) -> list[str]:
        """What wrappers of the same site have one of."""
        if self.host:
            return [f"host {self.host}"]
        return bands_of(self.sketch)

    @property
    def name(self) -> str:
        """The site as people read it."""
        return self.host or f"built like {self.sketch[:8]}"

    @property
    def id(self) -> str:
        """That of a wrapper that is learned from the page."""
        what = "/".join(self.pattern) if self.host else self.sketch
        digest = hashlib.blake2b(f"{self.host}/{what}".encode(), digest_size=6).hexdigest()
        return f"auto-{re.sub('[^a-z0-9.-]', '-', self.host)[:60] or 'page'}-{digest}"

    def nearness(self, id: str, told: str) -> float:
        """How near a wrapper is, of which the store tells its pattern and its sketch: 1 for the same place."""
        pattern, _, sketch = told.rpartition(" ")
        if id == self.id:
            return 1.0
        like = likeness(self.sketch, sketch)
        if not self.host:
            return like
        theirs = tuple(pattern.split("/"))
        common = sum(1 for own, their in zip(self.pattern, theirs, strict=False) if own == their)
        return 0.5 * common / max(1, len(self.pattern), len(theirs)) + 0.4 * like

    @property
    def sited(self) -> Sited:
        """What the store keeps of it; the sketch is what `nearness` is told."""
        return Sited(self.name, self.keys, f"{'/'.join(self.pattern)} {self.sketch}")


def sketch_of(page: Page) -> str:
    """What a page is built like, as hexadecimal digits: MINIMA numbers of 16 bits.

    >>> one, two = (sketch_of(Page("<ul class=a>" + f"<li><b>{k}</b> <i>x</i>" * k)) for k in (3, 9))
    >>> likeness(one, two), likeness(one, sketch_of(Page("<table><tr><td>1<td>2")))
    (1.0, 0.21875)
    """
    shallow = np.flatnonzero((page.tag != TEXT) & (page.depth <= DEEPEST))
    _, first = np.unique(page.path_symbol[shallow], return_index=True)
    nodes = np.sort(shallow[first])[:MOST_PATHS].tolist()
    names: dict[int, str] = {}

    def path(node: int) -> str:
        if node < 0:
            return ""
        if node not in names:
            classes = page.attributes(node).get("class", "").split()
            own = ".".join([page.tag_name(node), *(each for each in classes[:2] if not _DIGIT.search(each))])
            names[node] = f"{path(int(page.parent[node]))}/{own}"
        return names[node]

    paths = {path(node) for node in nodes}
    hashes = np.array(
        [int.from_bytes(hashlib.blake2b(each.encode("utf-8", "replace"), digest_size=8).digest()) for each in paths],
        dtype=np.uint64,
    )
    if not len(hashes):
        return "0" * 4 * MINIMA
    seeds = np.random.default_rng(19).integers(1, 2**63, size=(2, MINIMA), dtype=np.uint64)
    mixed = (hashes[:, None] ^ seeds[0]) * (seeds[1] | np.uint64(1))
    minima = mixed.min(axis=0) >> np.uint64(44)
    return "".join(f"{int(number) & 0xFFFF:04x}" for number in minima)


def likeness(one: str, other: str) -> float:
    """The share of equal numbers of two sketches."""
    if len(one) != len(other) or not one:
        return 0.0
    pairs = range(0, len(one), 4)
    return sum(one[at : at + 4] == other[at : at + 4] for at in pairs) / len(pairs)


def bands_of(sketch: str) -> list[str]:
    """The keys of a page by what it is built like: pages that are alike have one in common, others hardly ever."""
    size = 4 * BAND
    return [f"built {at} {sketch[at : at + size]}" for at in range(0, len(sketch), size)]
