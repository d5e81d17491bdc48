"""What strings look like, in plain Python: each question is a regular expression.
The twin of `fastwrap._core.structured.looks`."""

from __future__ import annotations

import re
from typing import Any

COUNTED = (
    re.compile(r"[a-zA-Z\u00aa-\u1fff\u2c00-\u2fff\u3041-\ud7ff\uf900-\uffef\U00020000-\U0003ffff]"),
    re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"),
    re.compile(r"[{}<>\\|=;$_^~`]"),
    re.compile(r"[,،、，;|·•]"),
    re.compile(r"[.!?…:。！？।؟]"),
    re.compile(r"[a-zA-Z0-9][-_/:.=#%+*](?=[a-zA-Z0-9])"),
)
"""Letters, wide ones, signs of programs, commas, ends of sentences, signs within words."""
DATE = re.compile(r"\d{4}-\d\d-\d\d")
ADDRESS = re.compile(r"(?:https?:)?//\S+|/[\w%.~-][^\s<>]*|[\w-]+\.(?:jpe?g|png|webp|gif|svg)")
LETTERS = re.compile(r"[^\W\d_]{2,}")
TOKEN = re.compile(r"(?=\S*\d)[\w-]{12,}|[.#{<]\S.*", re.DOTALL)


def count(text: str) -> tuple[int, ...]:
    """How many letters and signs a string has."""
    return tuple(len(pattern.findall(text)) for pattern in COUNTED)


def look(values: list[Any]) -> tuple[list[str], int, int, int, int, int]:
    """What the values of a member look like."""
    texts = [value for value in values if isinstance(value, str)]
    return (
        texts,
        sum(value is not None for value in values),
        len({str(value) for value in values}),
        sum(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values),
        sum(bool(ADDRESS.fullmatch(text)) for text in texts),
        sum(bool(DATE.match(text)) for text in texts),
    )


def are_names(texts: list[str], count: int) -> bool:
    """Whether strings may be what things are called."""
    if len(texts) * 5 < count * 4 or len(set(texts)) * 10 < len(texts) * 7:
        return False
    named = sum(
        bool(LETTERS.search(text)) and not ADDRESS.fullmatch(text) and not TOKEN.fullmatch(text) for text in texts
    )
    return named * 5 >= len(texts) * 4
