"""What the strings of data look like: names, addresses, dates, prose."""

from typing import Any

def count(text: str) -> tuple[int, int, int, int, int, int]:
    """How many there are in a string of: letters of all scripts; those of scripts that put no space between words;
    signs that programs have and sentences have not; commas and their like; ends of sentences; signs between two letters
    or digits of ASCII that put them together, as in names of classes and files.

    >>> count("Tea, a-b.")
    (5, 0, 0, 1, 1, 1)
    """

def look(values: list[Any]) -> tuple[list[str], int, int, int, int, int]:
    """The strings among scalars; how many values are not None, how many of all differ as strings, and how many are
    numbers; how many of the strings are addresses, and begin with a date of ISO 8601.

    >>> look(["/tea", 2, None, "2024-05-03"])
    (['/tea', '2024-05-03'], 3, 4, 1, 1, 1)
    """

def are_names(texts: list[str], count: int) -> bool:
    """Whether the strings of so many objects may be what these are called: nearly all have one, most differ, and they
    have words, and are no addresses and no identifiers.

    >>> are_names(["Tea", "Milk"], 2), are_names(["/tea", "/milk"], 2)
    (True, False)
    """
