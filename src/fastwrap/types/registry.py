"""The registry of readers: one line for each thing that can be read in a column, in the order in which they are asked.
A new column type is one new file in this folder that ends in a `Reader`, and one line here."""

from __future__ import annotations

from fastwrap._core.types.strings import Strings
from fastwrap.types import addresses, answers, contacts, dates, numbers, ratings, times
from fastwrap.types.reading import ANYTHING, Context, Reading

READERS = (
    numbers.READER,
    dates.READER,
    times.READER,
    ratings.READER,
    contacts.PHONE_READER,
    answers.READER,
    addresses.READER,
    contacts.MAIL_READER,
    ratings.STAR_READER,
)
"""The first that can read a column does."""

# In the order of the documentation and of the JSON Schema; what is new comes last.
_NAMES = "text integer number money percent date time datetime url image email phone rating boolean".split()
TYPES = tuple(dict.fromkeys([*_NAMES, *(name for reader in READERS for name in reader.types)]))
"""The names of all types."""

ALL_ARE_ASKED = any(reader.family == ANYTHING for reader in READERS)
"""Whether there is a reader that wants to see every column, texts as well."""


def read_strings(strings: Strings, context: Context) -> Reading | None:
    """What the first reader reads that can read the strings; None if they are only text.

    >>> from fastwrap.types.reading import look_at
    >>> read_strings(look_at(["3 stars", "4.5 stars"]), Context()).type
    'rating'
    """
    for _, family, read in READERS:
        if family == ANYTHING or strings.may_be(family):
            reading = read(strings, context)
            if reading is not None:
                return reading
    return None
