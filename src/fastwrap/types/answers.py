"""Answers of a column: yes and no, in stock and sold out, in the main languages.
Words with other meanings, such as "x", are read only beside their opposite; several words for one answer are texts."""

from __future__ import annotations

from fastwrap._core.types.strings import YES_OR_NO, Strings
from fastwrap.types.reading import Context, Reader, Reading, Value, read_as, read_each
from fastwrap.types.words import ANSWERS


def read_answers(strings: Strings, _: Context) -> Reading | None:
    """Read a column as answers. Each is written in one way, or the words say more than yes and no: "in stock" and
    "available".

    >>> from fastwrap.types.reading import look_at
    >>> read_answers(look_at(["In stock", "Sold out", "In stock"]), Context()).values
    [True, False, True]
    """
    answers = read_each(strings, lambda string: ANSWERS.get(_word(string)))[0]
    words = {word for string in answers if (word := _word(string))[0].isalpha()}
    if len(words) > len({ANSWERS[word][0] for word in words}):
        return None
    values: dict[str, Value] = {string: answer for string, (answer, _) in answers.items()}
    if not any(alone for _, alone in answers.values()) and len(set(values.values())) < 2:
        return None
    return read_as("boolean", strings, values)


def _word(string: str) -> str:
    return string.lower().rstrip(".! ")


READER = Reader(("boolean",), YES_OR_NO, read_answers)
