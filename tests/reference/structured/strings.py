"""The strings of decoded data by the keys to them, in plain Python: each with the tuple of its keys.
The twin of `fastwrap._core.structured.strings`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastwrap.structured.jsonld import kind_of
from fastwrap.structured.sentences import LONGEST, is_long

MOST_CONTAINERS, MOST_STRINGS, MOST_CHARACTERS, DEEPEST = 100_000, 300_000, 4_000_000, 60


@dataclass(slots=True, eq=False)
class Spot:
    """An object, and where it stands."""

    value: dict[str, Any]
    above: Spot | None
    """The object around it."""
    number: int
    """In document order."""


class Reader:
    """Walks values, and keeps their strings by the keys to them."""

    def __init__(self, name_of: Callable[[str], str], weight_of: Callable[[str], int], skipped: frozenset[str]) -> None:
        self.name_of, self.weight_of, self.skipped = name_of, weight_of, skipped
        self.limits: list[str] = []
        self._strings: dict[tuple[str, ...], list[tuple[str, Spot]]] = {}
        self._containers = self._kept = self._number = 0

    def read(self, root: Any, name: str = "") -> None:
        """Keep the strings of an object or array, in document order; `name` is that of what it stands in."""
        path: tuple[str, ...] = (name,) if name else ()
        top = Spot({}, None, self._number)
        waiting: list[tuple[Any, tuple[str, ...], Spot, int]] = [(root, path, top, 0)]
        while waiting:
            value, path, spot, depth = waiting.pop()
            self._containers += 1
            if self._containers > MOST_CONTAINERS or self._kept > MOST_STRINGS:
                self.limits.append("structured.json")
                return
            if depth > DEEPEST:
                self.limits.append("structured.depth")
                continue
            below: list[tuple[Any, tuple[str, ...], Spot, int]] = []
            if isinstance(value, dict):
                if "@type" in value and kind_of(value) in self.skipped:
                    continue
                self._number += 1
                spot = Spot(value, spot, self._number)
                for key, entry in value.items():
                    if isinstance(entry, str):
                        self._keep(entry, (*path, self.name_of(key)), spot)
                    elif entry and isinstance(entry, (dict, list)):
                        named = self.name_of(key)
                        below.append((entry, path if named in path else (*path, named), spot, depth + 1))
            else:
                for entry in value:
                    if isinstance(entry, str):
                        self._keep(entry, (*path, ""), spot)
                    elif entry and isinstance(entry, (dict, list)):
                        below.append((entry, path, spot, depth + 1))
            waiting += reversed(below)

    def _keep(self, text: str, path: tuple[str, ...], spot: Spot) -> None:
        if text:
            self._kept += 1
            self._strings.setdefault(path, []).append((text, spot))

    def runs(self) -> list[tuple[int, tuple[str, ...], list[str], list[Spot], list[int]]]:
        """Of the keys whose strings are prose for the most part, all that is kept."""
        left = MOST_CHARACTERS
        found = []
        for path, pairs in self._strings.items():
            if not any(is_long(text) for text, _ in pairs):
                continue
            kept = []
            for text, spot in pairs:
                left -= min(LONGEST, len(text)) if is_long(text) else 0
                if left < 0:
                    self.limits.append("structured.json")
                    break
                kept.append((text, spot, self.weight_of(text)))
            prose = sum(len(text) for text, _, weight in kept if weight)
            if prose and prose * 2 >= sum(len(text) for text, _, _ in kept):
                texts, spots, weights = map(list, zip(*kept, strict=True))
                found.append((sum(weights), path, texts, spots, weights))
            if left < 0:
                break
        return found
