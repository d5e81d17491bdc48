"""Texts taken apart by a rule."""

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
        None for other separators. `tidied` cuts the marks that a prefix may leave behind."""

    def apply(self, text: str) -> list[str | None]:
        """The values of a text, one per column: the first is the whole text where it has not as many parts."""
