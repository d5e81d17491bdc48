"""Corpora: the pages that extractors are run on, each with its answer key where there is one.
A corpus of another format is one class with a name, a length and documents to iterate over."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from fastwrap.errors import FastwrapError
from fastwrap.tools.evaluate.marks import AnswerKey
from fastwrap.tools.evaluate.tables import Cell, Field, TableKey

KEYS = "truth.jsonl"
DETAIL = "detail"  # the kind of a page about one thing


@dataclass(frozen=True)
class Document:
    """One page of a corpus."""

    name: str
    read: Callable[[], bytes]  # reads the HTML, when it is needed: a corpus may be larger than memory
    key: AnswerKey | None = None  # None for a page without a list
    table: TableKey | None = None  # the truth of its table, in place of a key


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
    for number, line in lines_of(folder / KEYS):
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


class TableFile(list[Document]):
    """The pages of a file with the tables that a person would have made of them.

    One line per page: `page`, its path from the folder of the file; `fields`; and `records`, of which each has one
    value for every field, null where there is none, or a list of values. A field is an object with its `name`, further
    `names` that are as good, and `optional`; or it is a name alone, where the fields are not all that a person would
    keep. `subset` says that the list goes on past these records. Lines of the `kind` "detail" are about one thing, not
    about a list, and left out; anything else in a line is ignored.
    """

    def __init__(self, path: Path, name: str | None = None) -> None:
        if not path.is_file():
            raise FastwrapError(f"{path} is neither a folder nor a file of tables")
        self.name = name or path.stem
        super().__init__(with_tables(path))


def with_tables(path: Path) -> Iterator[Document]:
    """The pages that the lines of a file of tables name; one that is named again has a number."""
    named: Counter[str] = Counter()
    for number, line in lines_of(path):
        try:
            truth = json.loads(line)
            page, key = truth["page"], table_key(truth)
            if not isinstance(page, str):
                raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError):
            raise FastwrapError(
                f'{path}, line {number}: expected {{"page": path, "fields": [...], "records": [[value, ...], ...]}}'
                " with one value for each field"
            ) from None
        if truth.get("kind") == DETAIL:
            continue
        named[page] += 1
        name = page if named[page] == 1 else f"{page} ({named[page]})"
        yield Document(name, (path.parent / page).read_bytes, table=key)


def table_key(truth: dict[str, Any]) -> TableKey:
    """The table of one line; whatever is wrong with it raises ValueError, KeyError, TypeError or AttributeError.

    >>> table_key({"fields": ["name", "price"], "records": [["Cup", "3 EUR"]]}).is_complete
    False
    """
    if not (isinstance(truth["fields"], list) and isinstance(truth["records"], list)):
        raise TypeError
    fields = [field_of(each) for each in truth["fields"]]
    for record in truth["records"]:
        if not isinstance(record, list) or len(record) != len(fields) or not all(map(is_cell, record)):
            raise ValueError
    is_complete = not any(isinstance(each, str) for each in truth["fields"])
    return TableKey(fields, truth["records"], is_complete, bool(truth.get("subset")))


def field_of(given: Any) -> Field:
    """A field as it is written: a name, or an object."""
    if isinstance(given, str):
        return Field(given)
    name, others = given["name"], given.get("names", [])
    if not (isinstance(name, str) and isinstance(others, list) and all(isinstance(other, str) for other in others)):
        raise TypeError
    return Field(name, others, bool(given.get("optional")))


def is_cell(cell: Cell) -> bool:
    """Whether a value of a line is one that a cell may have."""
    return all(
        value is None or isinstance(value, (str, int, float)) for value in (cell if isinstance(cell, list) else [cell])
    )


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not empty, and their numbers. JSON may hold every end of a line but a line feed.

    Raises FastwrapError for a file that is not UTF-8.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FastwrapError(f"{path} is not UTF-8") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line
