"""Records as dicts and lists, written by msgspec. The twin of `fastwrap._core.output.json`."""

from __future__ import annotations

from typing import Any

import msgspec

from fastwrap.output.values import json_value


def value(plain: Any) -> bytes:
    """One value."""
    return msgspec.json.encode(json_value(plain))


def records(
    values: list[Any], texts: list[Any], links: list[str | None], said: list[str], by_column: bool = False
) -> bytes:
    """Records, one object each."""
    if by_column:
        values = [[column[number] for column in values] for number in range(len(texts))]
    rows = zip(values, texts, links, said, strict=True)
    return msgspec.json.encode(
        [{"text": text, "link": link, "values": json_value(row), "texts": cells} for row, cells, link, text in rows]
    )
