"""The first look at all columns of a table: those that are texts, integers or simple links need no reader."""

from collections.abc import Sequence
from typing import Any, TypeVar

from fastwrap._core.types.strings import Look, Strings

T = TypeVar("T", bound=tuple[Any, ...])

# What the strings of a column are of.
TEXTS: int
PAGES: int
PICTURES: int
SETS: int
PRICES: int

def first_look(
    look: Look,
    columns: Sequence[Sequence[str | None]],
    kinds: list[int],
    base: tuple[str, str, str],
    typed: type[T],
) -> tuple[list[T], list[tuple[int, Strings | None]]]:
    """Each column as `typed`, a named tuple of type, values, unit and why; and those that are still to be read, by their
    number, which are None among the others.

    To be read are strings that may be of a type, as `look` sees them; and links, for which None is given: those of
    SETS, contacts, and those that `resolve` cannot make absolute by the parts of `base`.
    """
