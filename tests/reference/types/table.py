"""Twin of `fastwrap._core.types.table`: the first look at all columns of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.reference.types.addresses import judge, resolve
from tests.reference.types.strings import Look, Strings

TEXTS, PAGES, PICTURES, SETS, PRICES = range(5)


def first_look(
    look: Look,
    columns: Sequence[Sequence[str | None]],
    kinds: list[int],
    base: tuple[str, str, str],
    typed: Callable[[str, list[Any], str | None, str], Any],
) -> tuple[list[Any], list[tuple[int, Strings | None]]]:
    """The columns that need no reader, typed; and those that are still to be read."""
    found: list[Any] = []
    unread: list[tuple[int, Strings | None]] = []
    for place, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
        strings = look.at(column)
        finished: tuple[str, list[Any]] | None = None
        if kind in (PAGES, PICTURES, SETS):
            links = list(column)
            name = "contact" if kind == SETS or resolve(links, *base) else judge(links, kind == PICTURES, look.misses)
            if name == "contact":
                unread.append((place, None))
                found.append(None)
                continue
            finished = (name, links) if name else None
        if finished is None and not strings.families:
            finished = "text", strings.cleaned
        if finished is None and strings.are_integers and kind != PRICES:
            finished = "integer", strings.spread([int(string) for string in strings.filled])
        if finished is None:
            unread.append((place, strings))
        found.append(None if finished is None else typed(*finished, None, ""))
    return found, unread
