"""Rows of text as tables: for a terminal, and for Markdown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

Row: TypeAlias = Sequence[str]


def aligned(rows: Iterable[Row], left: Collection[int] = (0,)) -> Iterator[str]:
    """Rows for a terminal: columns as wide as they must be, those in `left` flush left.

    >>> list(aligned([("a", "bb"), ("ccc", "1")]))
    ['a    bb', 'ccc   1']
    """
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (
            f"{cell:<{width}}" if place in left else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def markdown(rows: Iterable[Row]) -> Iterator[str]:
    """Rows as a table of Markdown, the first one as its head.

    >>> list(markdown([("a", "b"), ("1", "2")]))
    ['| a | b |', '|---|---|', '| 1 | 2 |']
    """
    for number, row in enumerate(rows):
        yield "| " + " | ".join(row) + " |"
        if number == 0:
            yield "|" + "---|" * len(row)
