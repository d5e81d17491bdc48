"""Texts taken apart by a rule, in plain Python: the oracle of `fastwrap._core.columns.splitting`."""

from __future__ import annotations

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
