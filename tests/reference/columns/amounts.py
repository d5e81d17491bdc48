"""The amount in a text, by the regular expression that the kernel stands for."""

from __future__ import annotations

import re

from fastwrap.columns.choice import CURRENCY

AMOUNT = re.compile(
    rf"{CURRENCY}?\s*\d[\d.,]*(?:\s?{CURRENCY})?(?:\s*(?:-|–|to|bis)\s*{CURRENCY}?\s*\d[\d.,]*\s?{CURRENCY}?)?"
)
"""An amount with its currency, or two: from one to the other."""


def amount_span(text: str) -> tuple[int, int] | None:
    """Where the first amount is."""
    match = AMOUNT.search(text)
    return None if match is None else match.span()


def amount_in(cell: str | list[str | None] | None) -> str | list[str | None] | None:
    """The amount in a text."""
    if not isinstance(cell, str) or (span := amount_span(cell)) is None:
        return cell
    return cell[span[0] : span[1]].strip()
