"""Members by the letters of their keys, in plain Python: all keys are rewritten.
The twin of `fastwrap._core.structured.keys`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def bare(key: str) -> str:
    """A key without signs, in small letters."""
    return "".join(letter for letter in key.lower() if letter.isalpha())


class Names:
    """Some names of members."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)

    def members(self, thing: dict[str, Any]) -> dict[str, Any]:
        """The members of an object that have one of the names and say something."""
        found = {bare(key): value for key, value in thing.items() if value}
        return {name: value for name, value in found.items() if name in self.names}

    def texts(self, thing: dict[str, Any]) -> dict[str, str]:
        """The same of those that are texts."""
        return self.members({key: text for key, text in thing.items() if isinstance(text, str) and text.strip()})

    def are_in(self, thing: Iterable[str]) -> bool:
        """Whether any of some keys has one of the names."""
        return not self.names.isdisjoint(map(bare, thing))
