"""Texts taken apart by a rule, in plain Python: the oracle of `fastwrap._core.columns.splitting`."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile

from fastwrap.columns.splitting import LEFT_OVER, LEFT_OVER_MARKS, Rule, split_at


def apply(rule: Rule, text: str) -> list[str | None]:
    """The values of a text, one per column."""
    text = text.removeprefix(rule.prefix).removesuffix(rule.suffix).strip()
    if not rule.parts:
        return [(LEFT_OVER.sub("", text) if rule.prefix and text[:1] in LEFT_OVER_MARKS else text) or None]
    pieces = split_at(rule.separator, text)
    if len(pieces) != len(rule.parts):
        return [text or None, *[None] * (rule.width - 1)]
    return [value for part, piece in zip(rule.parts, pieces, strict=True) for value in apply(part, piece.strip())]


def columns(rule: Rule, texts: list[str]) -> list[list[str | None]]:
    """The values of texts, column by column."""
    rows = [apply(rule, text) for text in texts]
    return [[row[place] for row in rows] for place in range(rule.width)]


def parted(texts: list[str], separator: str) -> tuple[int, list[list[str]]]:
    """How many texts have as many separators as most have, and what is between these, as columns."""
    split = [split_at(separator, text) for text in texts]
    counts = Counter(map(len, split))
    usual = max(counts, key=counts.__getitem__)  # of several the first
    kept = [pieces for pieces in split if len(pieces) == usual]
    return len(kept), [[piece.strip() for piece in column] for column in zip(*kept, strict=True)]


def extremes(texts: list[str]) -> tuple[str, str, int]:
    """The first and the last of texts in the order of their characters, and how much both begin with."""
    least, most = min(texts), max(texts)
    return least, most, len(list(takewhile(lambda pair: pair[0] == pair[1], zip(least, most, strict=False))))
