"""Texts taken apart by a rule, and what many texts have in common."""

from collections.abc import Callable

class Splitter:
    """A rule, ready to take texts apart: `fastwrap.columns.splitting.Rule` says what its fields mean."""

    def __init__(
        self,
        ends: tuple[str, str],
        separator: str,
        parts: tuple[Splitter, ...],
        split_dated: Callable[[str, str], list[str]] | None,
        tidied: Callable[[str], str],
    ) -> None:
        """`ends` are the prefix and the suffix. `split_dated` splits a text at a separator that dates may have, too;
        None for other separators; it is asked only about those with a comma, a space and a digit. `tidied` cuts the
        marks that a prefix may leave behind."""

    def apply(self, text: str) -> list[str | None]:
        """The values of a text, one per column: the first is the whole text where it has not as many parts."""

    def columns(self, texts: list[str]) -> list[list[str | None]]:
        """The values of texts, column by column."""

def parted(
    texts: list[str], separator: str, split_dated: Callable[[str, str], list[str]] | None
) -> tuple[int, list[list[str]]]:
    """How many texts have as many separators as most texts have, and what is between these, without white space around
    it, as columns. `split_dated` is as in `Splitter`."""

def extremes(texts: list[str]) -> tuple[str, str, int]:
    """The first and the last of texts in the order of their characters, and how many characters both begin with, which
    are those that all begin with; ValueError for no texts."""
