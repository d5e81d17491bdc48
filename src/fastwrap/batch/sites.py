"""Wrappers of sites, learned as pages of them are met: one for each template, kept as files beside the output.
A part sees the wrappers of parts well before it, so that a run of any number of processes learns the same."""

from __future__ import annotations

import hashlib
import os
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from fastwrap.batch.pages import RawPage
from fastwrap.batch.reading import Reading
from fastwrap.batch.sources import kind_of
from fastwrap.common.files import write_beside
from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, WrapperSet, learn_all
from fastwrap.wrapper.choosing import keys_of
from fastwrap.wrapper.fitting import ALARM

FOLDER = "wrappers"

SAMPLE = 24
"""Pages that are looked at for some to learn from, spread over those of a site that no wrapper fits."""

LEARN_FROM = 16
"""At most so many of them are learned from, ..."""

FEWEST = 3
"""... and at least so many: a site of fewer pages is not learned."""

MOST_WRAPPERS = 20
"""A site that has more is not learned any further."""

MOST_TRIED = 5
"""Wrappers that are tried on a page, the newest ones first, where the one that was chosen has drifted."""

CACHED = 64
"""Sites whose wrappers a process keeps."""

AGAIN = "-again"
"""In the name of a file: learned because another one has drifted."""


class Learned(NamedTuple):
    """A wrapper that was learned, as the manifest has it."""

    site: str
    file: str
    why: str
    """"new site", "new template" or "drift"."""
    kind: str
    pages: int


class Chosen(NamedTuple):
    """What a wrapper has read."""

    file: str
    extraction: Extraction
    fit: float


@dataclass
class Known:
    """The wrappers of a site that a part may use."""

    wrappers: dict[str, Wrapper] = field(default_factory=dict)
    """By file, in order of learning."""
    choice: WrapperSet = field(default_factory=WrapperSet)

    def add(self, file: str, wrapper: Wrapper) -> None:
        """Add a wrapper."""
        self.wrappers[file] = wrapper
        self.choice.add(wrapper)

    def copy(self) -> Known:
        """The same wrappers, to which others may be added."""
        return Known(dict(self.wrappers), WrapperSet(self.wrappers.values()))

    def read(self, page: Page, reading: Reading) -> tuple[Chosen | None, bool]:
        """What the wrapper that fits best reads on a page, None if none fits; and whether one was chosen that has
        drifted."""
        chosen = self.choice.choose(page)
        if chosen is None:
            return None, False
        newest = [each for each in reversed(self.wrappers.values()) if each is not chosen][: MOST_TRIED - 1]
        for wrapper in (chosen, *newest):
            found: Any = reading.apply(wrapper, page)
            if found.fit >= ALARM:
                file = next(file for file, each in self.wrappers.items() if each is wrapper)
                return Chosen(file, found, float(found.fit)), False
        return None, True


class Store:
    """The wrappers of all sites, as files below the folder of the output."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._cache: OrderedDict[tuple[str, ...], Known] = OrderedDict()

    def known(self, site: str, before: int) -> Known:
        """What parts with numbers below `before` have learned of a site; not to be changed."""
        inside = place_of(site)
        path = os.path.join(self._folder, inside)
        there = sorted(os.listdir(path)) if before > 0 and os.path.isdir(path) else []
        learned = [name for name in there if name.endswith(".json") and int(name.partition("-")[0]) < before]
        files = [f"{inside}/{name}" for name in learned]
        key = tuple(files)
        if key not in self._cache:
            self._cache[key] = self._load(files)
            while len(self._cache) > CACHED:
                self._cache.popitem(last=False)
        self._cache.move_to_end(key)
        return self._cache[key]

    def _load(self, files: Sequence[str]) -> Known:
        known = Known()
        templates: set[Any] = set()
        for file in files:
            wrapper = Wrapper.load(os.path.join(self._folder, file))
            template = template_of(wrapper)
            # The first part that has met a template has learned it; the others did so before they could know.
            if template not in templates or AGAIN in file:
                templates.add(template)
                known.add(file, wrapper)
        return known

    def keep(self, site: str, number: int, place: int, wrapper: Wrapper, again: bool) -> str:
        """Write a wrapper that a part has learned; its file. A part that is worked on again writes it again."""
        inside = place_of(site)
        path = os.path.join(self._folder, inside)
        os.makedirs(path, exist_ok=True)
        file = f"{inside}/{number:08d}-{place:02d}{AGAIN if again else ''}.json"
        write_beside(os.path.join(self._folder, file), wrapper.dumps())
        with open(os.path.join(self._folder, file), "rb") as written:
            os.fsync(written.fileno())
        return file


def place_of(site: str) -> str:
    """The folder of a site's wrappers.

    >>> place_of("shop.example:8080")
    'wrappers/b8/shop.example-8080-b850d419f1a9'
    """
    digest = hashlib.sha256(site.encode("utf-8", "replace")).hexdigest()
    return f"{FOLDER}/{digest[:2]}/{re.sub(r'[^a-z0-9.]+', '-', site.lower())[-60:].strip('-.')}-{digest[:12]}"


def template_of(wrapper: Wrapper) -> Any:
    """What tells the templates of wrappers apart: where their first list is; or the columns of the record."""
    if wrapper.patterns and wrapper.kind == "list":
        return tuple(keys_of(wrapper.patterns[0])[:2])
    return str(wrapper.schema)


def site_of(raw: RawPage) -> str:
    """The site of a page: its host; without an address, the folder that it is in, or the file.

    >>> site_of(RawPage("a.warc", 0, url="https://www.Shop.example/list")), site_of(RawPage("saved/shop/1.html", 0))
    ('shop.example', 'saved/shop')
    """
    if raw.url:
        try:
            host = urlsplit(raw.url).netloc.rpartition("@")[2].lower()
        except ValueError:
            host = ""
        if host:
            return host.removeprefix("www.")
    return os.path.dirname(raw.source) or "." if kind_of(raw.source) == "page" else raw.source


def by_site(pages: Sequence[RawPage]) -> dict[str, list[int]]:
    """The numbers of the pages of each site, in order of appearance."""
    sites: dict[str, list[int]] = {}
    for number, raw in enumerate(pages):
        sites.setdefault(site_of(raw), []).append(number)
    return sites


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """So many of the numbers at most, spread over them.

    >>> spread(range(10), 4), spread([3, 5], 4)
    ([0, 2, 5, 7], [3, 5])
    """
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[place * len(numbers) // most] for place in range(most)]


def learned_from(pages: Sequence[Page], reading: Reading) -> Iterator[tuple[Wrapper, list[int]]]:
    """Wrappers of the templates of some pages, each with the numbers of those that it is chosen for."""
    try:
        found = learn_all(pages)
    except FastwrapError:
        return
    sure = [wrapper for wrapper in found if is_sure(wrapper, reading.min_confidence)]
    chosen = WrapperSet(sure)
    members: dict[int, list[int]] = {}
    for number, page in enumerate(pages):
        best = chosen.choose(page)
        if best is not None and best.extract(page).fit >= ALARM:
            members.setdefault(id(best), []).append(number)
    for wrapper in sure:
        if id(wrapper) in members:
            yield wrapper, members[id(wrapper)]


def is_sure(wrapper: Wrapper, min_confidence: float) -> bool:
    """Whether a wrapper reads what its pages are there for, not a menu that they happen to have."""
    if wrapper.kind == "detail":
        return True
    confidence = wrapper.patterns[0].confidence if wrapper.patterns else None
    return confidence is not None and confidence >= min_confidence
