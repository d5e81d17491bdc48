"""The strings of decoded data by the keys to them, whatever entries of arrays are around."""

from collections.abc import Callable
from typing import Any

MOST_CONTAINERS: int
"""Objects and arrays that are walked."""
MOST_STRINGS: int
"""Strings that are kept until it is known whether others at their keys are prose."""
MOST_CHARACTERS: int
"""Of strings that are looked at."""

class Spot:
    """An object, and where it stands."""

    def __init__(self, value: dict[str, Any], above: Spot | None, number: int) -> None: ...
    @property
    def value(self) -> dict[str, Any]:
        """The object itself."""

    @property
    def above(self) -> Spot | None:
        """The object around it."""

    @property
    def number(self) -> int:
        """In document order."""

    def chain(self, most: int = ...) -> list[Spot]:
        """The object and those around it, from within, so many of them at most, else all."""

class Reader:
    """Walks values, and keeps their strings by the keys to them, as `name_of` writes each key; not those of objects of
    the types `skipped`. What a string says as prose is asked of `weight_of`."""

    limits: list[str]
    """The budgets that were met so far."""

    def __init__(
        self, name_of: Callable[[str], str], weight_of: Callable[[str], int], skipped: frozenset[str]
    ) -> None: ...
    def read(self, root: Any, name: str = "") -> None:
        """Keep the strings of an object or array, in document order; `name` is that of what it stands in."""

    def runs(self) -> list[tuple[int, tuple[str, ...], list[str], list[Spot], list[int]]]:
        """Of the keys whose strings are prose for the most part, in the order of the first of these: how much they say,
        the keys, each once, and of each string its text, the object that it stands in, and how much it says."""
