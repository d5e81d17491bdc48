"""Records as JSON."""

from collections.abc import Callable
from typing import Any

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array

class Writer:
    """Writes values as compact JSON in UTF-8: strings, numbers, booleans, None, lists and dicts as they are; dates and
    times as ISO 8601; money as {amount, currency}, its amount a string without an exponent."""

    def __init__(self, money: type, others: Callable[[Any], bytes]) -> None:
        """`money` is a named tuple of an amount and a currency; `others` writes what is rare: numbers that have an
        exponent or are none, and values of any other type."""

    def value(self, value: Any) -> bytes:
        """One value. UnicodeEncodeError where half of a surrogate pair is in it."""

    def records(
        self,
        values: list[Any],
        texts: list[Any],
        links: list[str | None],
        said: list[str] | tuple[NativePage, Int32Array],
        by_column: bool = False,
    ) -> bytes:
        """A list of objects {text, link, values, texts}, one for each record. `values` has a list for each record, or,
        with `by_column`, one for each column. `said` are the texts of the records, or the page and the spans of nodes
        [k, 2] whose text they are. ValueError where there are not as many of each."""
