"""Remainders: what the value of a cell does not say of its text, for outputs to keep beside it.
Found when a table is written; reading it needs none of this."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from fastwrap._core.types.numbers import split_numbers
from fastwrap.types.affixes import alike, read_affixes
from fastwrap.types.dates import words_around
from fastwrap.types.reading import Value

STRINGS = frozenset("text url image email phone".split())
"""Types whose values are strings: what does not read as one of them is a value as well."""

_NUMBERS = frozenset("integer number money percent rating".split())

_Words: TypeAlias = tuple[str, str]
"""What stands before and after the value in a text."""


def remainders(name: str, texts: Sequence[str | None], values: Sequence[Value | None]) -> list[str | None]:
    """The texts of a column that their values do not say all of, None for the others: they do not read as the type, or
    have other words around the value than most. The words that most have are the column's name or unit.

    `name` is the type; `values` are what `type_column` makes of the texts.

    >>> remainders("integer", ["12 km", "9 km", "far"], [12, 9, "far"])
    [None, None, 'far']
    >>> remainders("number", ["1.5", None, "2.5"], [1.5, None, 2.5])
    [None, None, None]
    """
    if name in STRINGS and name != "phone":
        return [None] * len(values)
    cleaned = [None if text is None else " ".join(text.split()) for text in texts]
    kept = [name in STRINGS or not isinstance(value, str) for value in values]
    left = [None if keeps else str(value) for keeps, value in zip(kept, values, strict=True)]
    read = [
        (place, text, value)
        for place, (text, value) in enumerate(zip(cleaned, values, strict=True))
        if text and value is not None and kept[place]
    ]
    found = _words_around(name, [text for _, text, _ in read], [value for _, _, value in read])
    if len(set(found)) > 1:
        usual = Counter(found).most_common(1)[0][0]
        for (place, text, _), words in zip(read, found, strict=True):
            if not all(map(alike, words, usual)):
                left[place] = text
    return left


def _words_around(name: str, texts: list[str], values: list[Value]) -> list[_Words]:
    """What stands around the value in each text, if it is of a type that may have words around it."""
    if name in _NUMBERS:
        split = split_numbers(texts, len(texts))
        around = [] if split is None else [read_affixes(*pair) for pair in split[0]]
        words = [("", "") if each is None else each.words for each in around]
        return [] if split is None else [("", "") if place < 0 else words[place] for place in split[1]]
    if name in ("date", "datetime"):
        return list(map(words_around, texts))
    if name == "phone":
        return [(text.partition(str(value))[0].strip(), "") for text, value in zip(texts, values, strict=True)]
    return []
