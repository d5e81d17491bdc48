"""Tokens that the reader has recorded, as the tests of html5lib write them."""

from __future__ import annotations

from typing import Any

from fastwrap.page.tree import Recorded


def tokens_of(recorded: bytes) -> list[list[Any]]:
    """The tokens; characters that follow each other are one."""
    record = Recorded(recorded)
    found: list[list[Any]] = []
    while letter := record.letter():
        if letter == "S":
            name, closing = record.string(), record.data[record.at] == 1
            record.at += 1
            attributes = {record.string(): record.string() for _ in range(record.number())}
            found.append(["StartTag", name, attributes, *[True] * closing])
        elif letter == "E":
            found.append(["EndTag", record.string()])
        elif letter == "C":
            found.append(["Comment", record.string()])
        elif letter == "D":
            parts: list[str | None] = []
            for _ in range(3):
                there = record.data[record.at] == 1
                record.at += 1
                part = record.string()
                parts.append(part if there else None)
            found.append(["DOCTYPE", *parts, record.data[record.at] == 0])
            record.at += 1
        elif found and found[-1][0] == "Character":
            found[-1][1] += record.string()
        else:
            found.append(["Character", record.string()])
    return found
