"""Symbols of the nodes of records in plain Python: the oracle of `fastwrap._core.columns.symbols`."""

from __future__ import annotations

from collections import Counter

from fastwrap.page.names import ATTRIBUTE_NUMBER, TEXT
from tests.reference.columns.items import Items

CLASS, STYLE = ATTRIBUTE_NUMBER["class"], ATTRIBUTE_NUMBER["style"]


def hashed(text: bytes) -> int:
    """FNV-1a, 64 bits (Fowler, Noll & Vo)."""
    mixed = 0xCBF29CE484222325
    for byte in text:
        mixed = (mixed ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return mixed


def folded(mixed: int) -> int:
    """A hash as a symbol: 31 bits, never 0."""
    return (mixed ^ mixed >> 32) & 0x7FFFFFFF or 1


def style_symbol(items: Items, node: int) -> int:
    """The symbol of the class and style attribute of an element; 0 if both are empty."""
    given = dict(items.given(node))
    if CLASS not in given and STYLE not in given:
        return 0
    classes, declared = (hashed(given.get(name, b"")) for name in (CLASS, STYLE))
    return folded((classes ^ declared >> 7) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF ^ declared)


def text_symbol(items: Items, node: int) -> int:
    """The symbol of what a text says."""
    return folded(hashed(items.letters(node) + b" ") | 1)


def node_symbols(items: Items, records: list[tuple[int, int]], enough: int) -> list[int]:
    """The symbols of all nodes of all records."""
    records_with: Counter[bytes] = Counter()
    for first, last in records:
        records_with.update({items.letters(node) for node in range(first, last) if items.tags[node] == TEXT})
    symbols = []
    for first, last in records:
        for node in range(first, last):
            if items.tags[node] != TEXT:
                symbols.append(style_symbol(items, node))
            else:
                symbols.append(text_symbol(items, node) if records_with[items.letters(node)] >= enough else 0)
    return symbols
