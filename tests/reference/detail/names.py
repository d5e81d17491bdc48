"""Names in plain Python: the twin of `fastwrap._core.detail.names`."""

from __future__ import annotations

import re

from fastwrap.page import Page

SPACE = re.compile(rb"[ \t\n\f\r]+")
WORD = re.compile(rb"[A-Z]*[a-z]+|[A-Z]+")
BESIDE, ELSEWHERE, CONTENT, KEPT, STRONG, OTHER, INGREDIENT, INSTRUCTION, UNSEEN, ROLE, OPENING = (
    1 << k for k in range(11)
)
FIRST = re.compile(rb"[^A-Za-z\x80-\xff]*([A-Za-z]*)([\x80-\xff]?)")


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


def opens(text: bytes, table: dict[int, int]) -> bool:
    """Whether a text begins with one of the words that are sought, or with a letter that is not looked up."""
    first = FIRST.match(text)
    assert first is not None
    return bool(first[2]) or bool(table.get(hash_of_word(first[1].lower()), 0) & OPENING)


def others_around(page: Page, spans: list[list[int]], table: dict[int, int], apart: set[str]) -> tuple[bool, list[int]]:
    """Whether an element around, in or between records is named for other things, and the texts that may be headings
    which say so."""
    if not spans:
        return False, []
    first, end = spans[0][0], spans[-1][1]
    is_named = any(
        meaning & 7 == 4 and node < end and node + int(page.size[node]) > first
        for node, meaning in meanings(page, table)
    )
    starts, nodes = page.text_start, []
    for node in range(page.body + 1, end):
        text = page.arrays.text[int(starts[node]) : int(starts[node + 1])]
        around = [page.tag_name(above) for above in page.ancestors(node) if above > page.body]
        if page.tag_name(node) == "#text" and opens(text, table) and apart.intersection(around):
            nodes.append(node)
    return is_named, nodes
