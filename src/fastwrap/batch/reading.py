"""How the pages of a run are read, and what becomes of each: the one description that all processes have.
Pages that fail are counted as such; nothing that a page does ends the run."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fastwrap import extraction
from fastwrap.batch.pages import RawPage
from fastwrap.columns.wishes import wanted_of
from fastwrap.errors import FastwrapError
from fastwrap.extraction import MIN_CONFIDENCE, Extraction
from fastwrap.output.nested import RESERVED
from fastwrap.page import Page
from fastwrap.page.sources import page_of
from fastwrap.regions import check_method
from fastwrap.wrapper import Wrapper, WrapperSet
from fastwrap.wrapper.fitting import ALARM

FORMATS = ("parquet", "jsonl")

BESIDE = (*RESERVED, "source", "position", "wrapper", "fit")
"""Columns of rows that stand beside those that are wanted."""


@dataclass(frozen=True)
class Reading:
    """How the pages of a run are read and written."""

    wrappers: tuple[str, ...] = ()
    """Files of wrappers; without them, and without `auto_site`, every page is extracted by itself."""
    auto_site: bool = False
    """Whether a wrapper is learned for each site and template, and applied to the site's other pages."""
    want: Any = None
    """As in `fastwrap.extract`: one flat row per record, with these columns."""
    method: str = "auto"
    min_confidence: float = MIN_CONFIDENCE
    format: str = "parquet"
    page_seconds: float = 60.0
    """A page that takes longer is an error."""

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise FastwrapError(f"there is no format {self.format!r} for batch runs: choose {' or '.join(FORMATS)}")
        check_method(self.method)
        extraction.check_confidence(self.min_confidence)
        if not 0 < self.page_seconds < 1e6:
            raise FastwrapError("page_seconds takes a number of seconds above 0")
        if taken := [name for name in self.wanted or () if name in BESIDE]:
            raise FastwrapError(f"want has {taken[0]!r}, which is the name of a column beside those that are wanted")

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self.wrappers, self.auto_site, self.want, self.method, self.min_confidence, self.format
        return Reading, (*parts, self.page_seconds)

    @cached_property
    def wanted(self) -> Mapping[str, Any] | None:
        """Names and types of the wanted columns; None for all columns that a person would keep."""
        return None if self.want is None else {wish.name: wish.annotation for wish in wanted_of(self.want).wishes}

    @cached_property
    def given(self) -> dict[str, Wrapper]:
        """The wrappers that were given, by their files."""
        return {name: Wrapper.load(name) for name in self.wrappers}

    @cached_property
    def given_set(self) -> WrapperSet:
        """The same, to choose from."""
        return WrapperSet(self.given.values())

    def described(self) -> dict[str, Any]:
        """What a run that goes on with another one's output must have in common with it."""
        wanted = None if self.wanted is None else {name: str(annotation) for name, annotation in self.wanted.items()}
        return {
            "wrappers": {name: digest_of(name) for name in self.wrappers}, "auto_site": self.auto_site, "want": wanted,
            "method": self.method, "min_confidence": self.min_confidence, "format": self.format,
        }  # fmt: skip

    # Pages

    def extract(self, page: Page) -> Extraction:
        """Find the records of a page without a wrapper."""
        return extraction.extract(page, method=self.method, min_confidence=self.min_confidence, want=self.wanted)

    def apply(self, wrapper: Wrapper, page: Page) -> Extraction:
        """Read a page by a wrapper."""
        return wrapper.extract(page, want=self.wanted)

    def by_given(self, page: Page) -> tuple[str, Extraction, float] | None:
        """What the best of the given wrappers reads on a page, with its file and its fit; None if none of them fits."""
        chosen = self.given_set.choose(page)
        if chosen is None:
            return None
        found = chosen.extract(page, want=self.wanted)
        name = next(name for name, wrapper in self.given.items() if wrapper is chosen)
        return (name, found, found.fit) if found.fit >= ALARM else None


def digest_of(name: str) -> str:
    """What tells whether a file is still the same."""
    with open(name, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def parsed(raw: RawPage) -> Page:
    """The page; FastwrapError for what is none."""
    if raw.error:
        raise FastwrapError(raw.error)
    return page_of(raw.html, raw.url, raw.encoding)


def wrapper_files(names: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """The files of wrappers: those given, and those of folders, by name.

    >>> wrapper_files(["no such file"])
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: no such file: there is no such file or folder
    """
    found: list[str] = []
    for name in [os.fspath(each) for each in names]:
        if os.path.isdir(name):
            there = [os.path.join(folder, file) for folder, _, files in os.walk(name) for file in files]
            inside = sorted(path for path in there if path.endswith(".json"))
            if not inside:
                raise FastwrapError(f"{name}: there are no wrappers (*.json) in this folder")
            found += inside
        elif os.path.exists(name):
            found.append(name)
        else:
            raise FastwrapError(f"{name}: there is no such file or folder")
    return tuple(dict.fromkeys(found))
