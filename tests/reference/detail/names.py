"""Names in plain Python: the twin of `fastwrap._core.detail.names`."""

from __future__ import annotations

import re

from fastwrap.page import Page

SPACE = re.compile(rb"[ \t\n\f\r]+")
WORD = re.compile(rb"[A-Z]*[a-z]+|[A-Z]+")
BESIDE, ELSEWHERE, CONTENT, KEPT, STRONG, OTHER, INGREDIENT, INSTRUCTION, UNSEEN, ROLE = (1 << k for k in range(10))


def hash_of_word(word: bytes) -> int:
    """FNV-1a (Fowler, Noll, Vo 1991)."""
    found = 14695981039346656037
    for byte in word:
        found = (found ^ byte) * 1099511628211 % 2**64
    return found


def meaning_of(value: bytes, is_role: bool, table: dict[int, int]) -> int:
    """What the value of a class, an id or a role means."""
    tokens = [token[:80] for token in SPACE.split(value) if token][:12]
    found = has = 0
    for token in tokens:
        whole = table.get(hash_of_word(token), 0)
        if is_role:
            if whole & ROLE:
                return 1
            continue
        if whole & UNSEEN:
            return 2
        words = [table.get(hash_of_word(word.lower()), 0) for word in WORD.findall(token)]
        bits = 0
        for each in words:
            bits |= each
            if not has and each & (INGREDIENT | INSTRUCTION):
                has = 8 if each & INGREDIENT else 16
        if bits & ELSEWHERE or len(words) > 5:
            bits &= ~BESIDE
        found |= bits
    if found & KEPT:
        return 3 | has
    if found & BESIDE and (not found & CONTENT or found & STRONG):
        return (4 if found & OTHER else 1) | has
    return has


def meanings(page: Page, table: dict[int, int]) -> list[tuple[int, int]]:
    """The nodes of the body whose class, id or role means something, and what."""
    found = []
    for node in range(page.body + 1, page.body + int(page.size[page.body])):
        for name, value in page.attributes(node).items():
            if name in ("class", "id", "role") and (
                meaning := meaning_of(value.encode("utf-8", "replace"), name == "role", table)
            ):
                found.append((node, meaning))
    return found
