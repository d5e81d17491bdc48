"""Regular expressions that are compiled when they are first used, and what several readers ask of a string.
To compile one takes longer than to read a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any


class Expression:
    """A regular expression that is compiled when it is first used; its source may be made only then, too.

    >>> Expression("[0-9]+").findall("1 and 23")
    ['1', '23']
    """

    fullmatch: Callable[[str], re.Match[str] | None]
    match: Callable[[str], re.Match[str] | None]
    search: Callable[[str], re.Match[str] | None]
    findall: Callable[[str], list[str]]
    split: Callable[..., list[str]]
    sub: Callable[..., str]

    def __init__(self, source: str | Callable[[], str], flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Called for what is not there yet; from then on it is.
        if name[:1] == "_":
            raise AttributeError(name)
        source = self._source if isinstance(self._source, str) else self._source()
        method = getattr(re.compile(source, self._flags), name)
        setattr(self, name, method)
        return method


DIGIT = Expression(r"[0-9]")


def has_digit(string: str) -> bool:
    """Whether a string has a digit of any script.

    >>> has_digit("no 5"), has_digit("٥"), has_digit("five")
    (True, True, False)
    """
    return DIGIT.search(string) is not None or (not string.isascii() and any(map(str.isdigit, string)))
