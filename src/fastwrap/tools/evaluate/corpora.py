"""Corpora: the pages that extractors are run on, each with its answer key where there is one.
A corpus of another format is one class with a name, a length and documents to iterate over."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fastwrap.errors import FastwrapError
from fastwrap.tools.evaluate.marks import AnswerKey

KEYS = "truth.jsonl"


@dataclass(frozen=True)
class Document:
    """One page of a corpus."""

    name: str
    read: Callable[[], bytes]  # reads the HTML, when it is needed: a corpus may be larger than memory
    key: AnswerKey | None = None  # None for a page without a list


class Corpus(Protocol):
    """Pages to run extractors on."""

    name: str  # what to call the corpus in tables

    def __iter__(self) -> Iterator[Document]: ...

    def __len__(self) -> int: ...


class Folder(list[Document]):
    """A folder of pages.

    With a `truth.jsonl`, one line per page: `page`, its path in the folder, and `records`, the text of each record
    of its main list in order, or null for a page without a list; anything else in a line is ignored. Without it,
    all .html and .htm files below the folder are pages without a list.
    """

    def __init__(self, path: Path, name: str | None = None) -> None:
        if not path.is_dir():
            raise FastwrapError(f"{path} is not a folder")
        self.name = name or path.resolve().name
        super().__init__(with_keys(path) if (path / KEYS).is_file() else without_keys(path))


def with_keys(folder: Path) -> Iterator[Document]:
    """The pages that the lines of a `truth.jsonl` name."""
    lines = (folder / KEYS).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            truth = json.loads(line)
            page, records = truth["page"], truth["records"]
            if not isinstance(page, str) or not all(isinstance(record, str) for record in records or ()):
                raise TypeError
        except (ValueError, KeyError, TypeError):
            raise FastwrapError(
                f'{folder / KEYS}, line {number}: expected {{"page": path, "records": [text, ...]}}'
            ) from None
        yield Document(page, (folder / page).read_bytes, None if records is None else AnswerKey(records))


def without_keys(folder: Path) -> Iterator[Document]:
    """All HTML files below a folder, in order of their paths."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in (".html", ".htm") and path.is_file():
            yield Document(path.relative_to(folder).as_posix(), path.read_bytes)
