"""Answers of a bounded size: as many items as fit, each cut to what can be read, and where to go on.
A model pays for every letter of an answer, and a page may have a million."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastwrap.output.document import encode

MOST = 20_000
"""Bytes of an answer, as JSON."""

MOST_OF_A_CELL = 600
"""Letters of a text in a table."""

LEAST_OF_A_CELL = 12
"""Where there are very many columns."""

MOST_OF_AN_ADDRESS = 2_000
"""A longer one is of no use to anybody, and half of it of less."""


def size(value: Any) -> int:
    """Bytes of a value as JSON.

    >>> size({"a": ["b", None]})
    16
    """
    return len(encode(value))


def cut(value: Any, letters: int) -> Any:
    """A value of JSON whose texts, lists and objects are cut to about so many letters; "…" says where.

    >>> cut("a long text", 7), cut(["abc", "def", "ghi"], 8), cut({"amount": "1"}, 9), cut(5, 1)
    ('a long…', ['abc', '…'], {'amount': '1'}, 5)
    """
    if isinstance(value, str):
        return value if len(value) <= letters else value[: max(1, letters - 1)] + "…"
    if isinstance(value, list):
        kept: list[Any] = []
        left = letters
        for each in value:
            shown = cut(each, left)
            left -= size(shown)
            if left <= 0 and kept:
                return [*kept, "…"]
            kept.append(shown)
        return kept
    if isinstance(value, dict):
        return {name: cut(each, letters) for name, each in value.items()}
    return value


def address(url: str | None) -> str | None:
    """An address; None for one that is too long.

    >>> address("https://a.example/"), address("https://a.example/" + "a" * 9999)
    ('https://a.example/', None)
    """
    return None if url is None or len(url) > MOST_OF_AN_ADDRESS else url


def shortened(value: Any, letters: int) -> Any:
    """The same value with every text in it cut to so many letters, and nothing left out.

    >>> shortened({"names": ["abcdef", "b"], "n": 1}, 3)
    {'names': ['ab…', 'b'], 'n': 1}
    """
    if isinstance(value, list):
        return [shortened(each, letters) for each in value]
    if isinstance(value, dict):
        return {name: shortened(each, letters) for name, each in value.items()}
    return cut(value, letters)


def filled(answer: dict[str, Any], name: str, items: Sequence[Any], start: int, most: int = MOST) -> dict[str, Any]:
    """The answer with as many of the items as fit: at least one, cut if need be. The first of them is number `start` of
    all; `next_start` is where to go on, None at the end.

    >>> filled({}, "rows", [["a" * 30] for _ in range(9)], 2, 120)
    {'rows': [['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'], ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']], 'next_start': 4}
    """
    for letters in (200, 60, 20):
        if size(answer) <= most // 2:
            break
        answer = shortened(answer, letters)  # hardly ever: sixty columns with names that are texts
    answer = {**answer, name: [], "next_start": 1_000_000_000}
    left = most - size(answer)
    kept: list[Any] = answer[name]
    for item in items:
        letters = MOST_OF_A_CELL
        shown = cut_cells(item, letters)
        while size(shown) + 1 > left and not kept and letters > LEAST_OF_A_CELL:
            letters //= 2  # one that fills an answer by itself
            shown = cut_cells(item, letters)
        left -= size(shown) + 1
        if left < 0 and kept:
            break
        kept.append(shown)
    end = start + len(kept)
    answer["next_start"] = end if len(kept) < len(items) else None
    return answer


def cut_cells(item: Any, letters: int) -> Any:
    """An item with each of its cells cut to so many letters."""
    if isinstance(item, list):
        return [cut(each, letters) for each in item]
    return {name: cut(each, letters) for name, each in item.items()}
