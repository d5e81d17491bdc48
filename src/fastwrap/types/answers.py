"""Answers of a column: yes and no, in stock and sold out, in the main languages.
Words with other meanings, such as "x", are read only beside their opposite."""

from __future__ import annotations

from fastwrap._core.types.strings import YES_OR_NO, Strings
from fastwrap.types.reading import Context, Reader, Reading, Value, read_as, read_each
from fastwrap.types.words import ANSWERS


def read_answers(strings: Strings, _: Context) -> Reading | None:
    """Read a column as answers.

    >>> from fastwrap.types.reading import look_at
    >>> read_answers(look_at(["In stock", "Sold out", "In stock"]), Context()).values
    [True, False, True]
    """
    answers = read_each(strings, lambda string: ANSWERS.get(string.lower().rstrip(".! ")))[0]
    values: dict[str, Value] = {string: answer for string, (answer, _) in answers.items()}
    if not any(alone for _, alone in answers.values()) and len(set(values.values())) < 2:
        return None
    return read_as("boolean", strings, values)


READER = Reader(("boolean",), YES_OR_NO, read_answers)
