"""Blocks in plain Python: the twin of `fastwrap._core.noise.blocks`, with lists and regular expressions."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from fastwrap.noise.vocabulary import SEED, Vocabulary, bucket_of, hash_of
from fastwrap.noise.vocabulary import WORD as ALL_BITS
from fastwrap.page import Page
from fastwrap.page.arrays import TOUCHES
from fastwrap.page.names import TAG_NUMBER, TEXT

MOST_TITLE = 32
FIRST_WORD, LAST_WORD, PAIR, WHOLE, HEAD_WORD, HEAD_WHOLE = range(1, 7)

WORD = re.compile(rb"[0-9A-Za-z'\x80-\xff]+")
WIDE_STOPS = ("。".encode(), "！".encode(), "？".encode(), "…".encode())
SENTENCE = re.compile(rb"[.!?](?=[ \"')\]\xe2]|\Z)|" + b"|".join(WIDE_STOPS))
SEPARATOR = re.compile(rb"\||(?<= )/(?= )|" + "·|»|•|›".encode())
CLOSING = (b" ", b'"', b"'", b")", b"]", "”".encode(), "’".encode(), "“".encode())
OPEN, IN_SENTENCE, IN_COLON, IN_COMMA = range(4)


class Block(NamedTuple):
    """A block of a page."""

    start: int
    end: int
    owner: int
    text: bytes
    words: list[bytes]
    """In small letters."""
    of_title: int
    """Words, of the first ones, that the title has."""
    copies: int
    """Blocks with the same text, itself included."""


class Blocks:
    """The blocks of the body of a page."""

    def __init__(self, page: Page, vocabulary: Vocabulary) -> None:
        tag, parent = page.tag.tolist(), page.parent.tolist()
        nodes = range(page.body, page.body + int(page.size[page.body]))
        parts = [vocabulary.begins[min(number, len(vocabulary.begins) - 1)] or node == page.body
                 for node, number in enumerate(tag)]  # fmt: skip
        for node in (node for node in nodes if tag[node] == TAG_NUMBER["math"] and node != page.body):
            size = int(page.size[node])
            parts[node : node + size] = [False] * size
        spans: list[tuple[int, int, int]] = []
        for node in (node for node in nodes if tag[node] == TEXT and node != page.body):
            owner = parent[node]
            while not parts[owner]:
                owner = parent[owner]
            if spans and spans[-1][2] == owner and not any(parts[spans[-1][1] : node]):
                spans[-1] = (spans[-1][0], node + 1, owner)
            else:
                spans.append((node, node + 1, owner))
        title = tag.index(TAG_NUMBER["title"]) if TAG_NUMBER["title"] in tag else None
        self.title = words_of(text_of(page, title, title + int(page.size[title])))[:MOST_TITLE] if title else []
        texts = [text_of(page, start, end) for start, end, _ in spans]
        copies = Counter(texts)
        self.all: list[Block] = []
        for (start, end, owner), text in zip(spans, texts, strict=True):
            words = words_of(text)
            found = sum(word in self.title for word in words[:MOST_TITLE])
            self.all.append(Block(start, end, owner, text, words, found, copies[text]))


def text_of(page: Page, start: int, end: int) -> bytes:
    """The text of some nodes."""
    first, last = int(page.text_start[start]), int(page.text_start[end])
    return page.arrays.text[first : max(first, last - 1)].replace(TOUCHES, b"")


def words_of(text: bytes) -> list[bytes]:
    return [word.lower() for word in WORD.findall(text)]


def ending(text: bytes) -> int:
    """How a text ends, quotation marks and brackets aside."""
    while mark := next((mark for mark in CLOSING if text.endswith(mark)), None):
        text = text.removesuffix(mark)
    if text.endswith((b".", b"!", b"?", *WIDE_STOPS)):
        return IN_SENTENCE
    if text.endswith((b":", "：".encode())):
        return IN_COLON
    return IN_COMMA if text.endswith((b",", b";", b"-")) else OPEN


def beginning(text: bytes) -> int:
    """What a text begins with: nothing, a capital, a small letter, a digit, another character, or anything else."""
    kinds = (rb"\Z", rb"[A-Z]", rb"[a-z]", rb"[0-9]", rb"[\x80-\xff]", rb"(?s:.)")
    return next(kind for kind, pattern in enumerate(kinds) if re.match(pattern, text))


# Where a model has the weights of words


def mixed(one: int, other: int) -> int:
    mix = ((one ^ (other * 0x9E3779B97F4A7C15 & ALL_BITS)) * 0xBF58476D1CE4E5B9) & ALL_BITS
    return mix ^ (mix >> 29)


def joined(words: list[bytes]) -> int:
    """One hash of several words."""
    hashed = SEED
    for word in words:
        hashed = mixed(hashed, hash_of(word))
    return hashed


def word_buckets(words: list[bytes]) -> list[int]:
    """The words of a block: the first ones, the last ones, pairs, and all of a short one."""
    found = [bucket_of(hash_of(word), FIRST_WORD) for word in words[:12]]
    found += [bucket_of(hash_of(word), LAST_WORD) for word in words[-3:]]
    found += [bucket_of(joined(words[at : at + 2]), PAIR) for at in range(min(8, len(words) - 1))]
    return found + ([bucket_of(joined(words), WHOLE)] if 0 < len(words) <= 6 else [])


def head_buckets(words: list[bytes]) -> list[int]:
    """The words of a heading, for what follows it."""
    found = [bucket_of(hash_of(word), HEAD_WORD) for word in words[:8]]
    return found + ([bucket_of(joined(words[:4]), HEAD_WHOLE)] if words else [])
