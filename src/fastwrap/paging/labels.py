"""What labels and names of links say: that a link leads to the next page, or elsewhere; as points.
Patterns are compiled when they are first needed: many pages have no pager."""

from __future__ import annotations

import re
from functools import lru_cache

from fastwrap.paging import words
from fastwrap.paging.words import ARROWS, BACK_ARROWS

# Points: a full label needs nothing but an address that is not against it; a weak one needs an address that pages on
# from this one.
LABEL = 4
MARK = 3
WEAK = 2
ELSEWHERE = -3
PREVIOUS = -4
NEVER = -100

MAX_LABEL = 60
"""Bytes of a text or title that may be a label."""

WORD = (
    r"(?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0980-\u09e3\u0a00-\u0a65\u0a80-\u0ae5"
    r"\u0b00-\u0b65\u0b80-\u0be5\u0c00-\u0c65\u0c80-\u0ce5\u0d00-\u0d65\u0d80-\u0de5\u0e00-\u0e4e\u0e80-\u0ece"
    r"\u1000-\u103f\u1780-\u17d3])+"
)
"""Letters, and the signs of vowels that many scripts of Asia set on them."""
ALL_ARROWS = frozenset(ARROWS + BACK_ARROWS)
NAME_PART = "[A-Z]?[a-z]+|[A-Z]+"


def words_of(text: str) -> list[str]:
    """The words of a text.

    >>> words_of("Next 20 results"), words_of("अगला पृष्ठ")
    (['Next', 'results'], ['अगला', 'पृष्ठ'])
    """
    return re.findall(WORD, text)


def saying(text: str) -> int:
    """Points for what a label says: that it leads to the next page, or (negative) elsewhere.

    >>> saying("Next »"), saying("nächste Seite"), saying("次の20件"), saying("›"), saying("more"), saying("News")
    (4, 4, 4, 3, 2, 0)
    >>> saying("« Previous"), saying("Last page »"), saying("next month")
    (-4, -3, -3)
    """
    return points_of(text) if 0 < len(text) <= MAX_LABEL else 0


@lru_cache(maxsize=1024)
def points_of(text: str) -> int:
    """The points of a text that is short enough for a label."""
    text = text.replace("\ufe0f", "")  # that makes a coloured picture of an arrow
    if text in words.ARROW_NAMES:
        return MARK
    arrows = [letter for letter in text if letter in ALL_ARROWS]
    if arrows:
        if not any(arrow in ARROWS for arrow in arrows):
            return PREVIOUS
        together = "".join(text.split())
        if together[-2:] == arrows[-1] + "|" and together[0] == arrows[0]:
            return 1  # to the very end, unless more is said
        bare = together.lstrip("[(|.-").rstrip("])|.-")
        if bare == arrows[0] * len(bare):  # nothing else, and all of one kind
            return MARK if len(bare) == 1 else WEAK
    lower = text.replace("İ", "i").lower()  # Turkish: Python leaves a dot above the i
    spoken = words_of(lower)
    if not words.PREVIOUS_WORDS.isdisjoint(spoken) or has_any(lower, words.PREVIOUS_CHARACTERS):
        return PREVIOUS
    if not words.FAR_WORDS.isdisjoint(spoken) or has_any(lower, words.FAR_CHARACTERS):
        return ELSEWHERE
    if has_any(lower, words.OTHER_CHARACTERS):
        return ELSEWHERE
    if has_any(lower, words.NEXT_CHARACTERS):
        return LABEL
    others = [word for word in spoken if word not in words.FAMILIAR_WORDS]
    unknown = sum(word not in words.NEXT_WORDS for word in others)
    if unknown < len(others):
        if not words.OTHER_WORDS.isdisjoint(spoken):
            return ELSEWHERE
        return LABEL if unknown == 0 else WEAK if unknown <= 2 else 0
    if not words.OLDER_WORDS.isdisjoint(spoken):
        return MARK if words.OTHER_WORDS.isdisjoint(spoken) else ELSEWHERE
    if not words.MORE_WORDS.isdisjoint(spoken) or has_any(lower, words.MORE_CHARACTERS):
        # "More results" and "more »" say more than "more", or than "more" of something.
        return 0 if unknown > 3 else WEAK if unknown > 1 or not (spoken[1:] or arrows) else MARK
    return 1 if arrows and len(spoken) == 1 and text[-1] in ARROWS else 0


def has_any(text: str, characters: frozenset[str]) -> bool:
    """Whether a text has any of some words of languages that put no space between words."""
    return not text.isascii() and any(word in text for word in characters)


def parts(names: list[str]) -> set[str]:
    """The parts of class names, ids and file names, in lower case.

    >>> sorted(parts(["pagination_Next", "btnNext page-numbers"]))
    ['btn', 'next', 'numbers', 'page', 'pagination']
    """
    return {part.lower() for part in re.findall(NAME_PART, " ".join(names))}
