"""The registry of readers: which types there are, and what a new one takes."""

from __future__ import annotations

import re

import pytest

from fastwrap._core.types.strings import Strings
from fastwrap.types import TYPES, registry, type_column, typed
from fastwrap.types.reading import ANYTHING, Context, Reader, Reading, read_as

COLOUR = re.compile("#[0-9a-f]{6}")


def read_colours(strings: Strings, _: Context) -> Reading | None:
    if all(map(COLOUR.fullmatch, strings.counts)):
        return read_as("colour", strings, {string: string[1:] for string in strings.counts})
    return None


def test_a_new_type_is_one_reader_more(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = ["#ff00aa", None, "#ffaabb"], ["#ffaabb"], ["#1", "#2"], ["Blue chair"]
    assert [type_column(column).type for column in columns] == ["text", "text", "integer", "text"]
    monkeypatch.setattr(registry, "READERS", (*registry.READERS, Reader(("colour",), ANYTHING, read_colours)))
    monkeypatch.setattr(typed, "ALL_ARE_ASKED", True)
    assert [type_column(column).type for column in columns] == ["colour", "colour", "integer", "text"]
    assert type_column(columns[0]).values == ["ff00aa", None, "ffaabb"]


def test_readers_find_the_types_that_there_are() -> None:
    found = {name for reader in registry.READERS for name in reader.types}
    assert found | {"text"} == set(TYPES)
    assert len(set(TYPES)) == len(TYPES)
