"""Answers of a column: yes and no, in stock and sold out, in the main languages.
Words with other meanings, such as "x", are read only beside their opposite."""

from __future__ import annotations

from fastwrap._core.types import families
from fastwrap._core.types.strings import Strings
from fastwrap.types.reading import Context, Reader, Reading, Value, read_as
from fastwrap.types.words import ANSWERS


def read_answers(strings: Strings, _: Context) -> Reading | None:
    """Read a column as answers.

    >>> from fastwrap.types.reading import look_at
    >>> read_answers(look_at(["In stock", "Sold out", "In stock"]), Context()).values
    [True, False, True]
    """
    values: dict[str, Value] = {}
    misses = 0
    readable_alone = False
    for string, count in strings.counts.items():
        answer = ANSWERS.get(string.lower().rstrip(".! "))
        if answer is None:
            misses += count
            if misses > strings.slack:
                return None
        else:
            values[string] = answer[0]
            readable_alone = readable_alone or answer[1]
    if not readable_alone and len(set(values.values())) < 2:
        return None
    return read_as("boolean", strings, values)


READER = Reader(("boolean",), families.ANSWERS, read_answers)
