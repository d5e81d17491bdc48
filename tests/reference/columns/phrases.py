"""What texts can be at all, in plain Python: the twin of `fastwrap._core.columns.phrases`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

ODD = {*"\u0345\u1fbe\u0390\u03b0\u00b5\u1e9b\u1e9e\u1fd3\u1fe3", *map(chr, range(0x3D0, 0x3F6))}
ODD |= {*map(chr, range(0x1C80, 0x1C90)), *map(chr, range(0xFB00, 0xFB07))}


def folded(letter: str) -> int:
    """A letter or digit as a small letter, others as 0."""
    if letter == "_":
        return ord(letter)
    if not letter.isalnum():
        return 0
    return min(ord({"\u0131": "i", "\u017f": "s"}.get(letter, letter.lower()[0])), 0xFFFF)


def has_area(text: str) -> bool:
    """Whether a letter with which units of areas begin stands right behind a number."""
    behind = [text[place + 1 :].lstrip()[:1] for place, letter in enumerate(text) if letter.isdecimal()]
    return any(letter == "㎡" or folded(letter) in map(ord, "mqsfк") for letter in behind if letter)


def has_date(text: str) -> bool:
    """Whether two of "./-" stand behind digits, with one or two characters between them."""
    signs = [place for place in range(1, len(text)) if text[place] in "./-" and text[place - 1].isdecimal()]
    return any(later - sign <= 3 for sign, later in pairwise(signs))


def said_by(text: str, grams: Mapping[int, int]) -> int:
    """What a text has, as bits."""
    if not ODD.isdisjoint(text):
        return 2**32 - 1
    found = 1 * any(letter.isdecimal() for letter in text) | 2 * ("," in text) | 4 * any(c >= "\u3040" for c in text)
    found |= 8 * ("/" in text) | 16 * has_area(text) | 32 * has_date(text)
    letters = [0, 0, 0, *map(folded, text), 0]
    for place in range(len(letters) - 3):
        gram = 0
        for letter in letters[place : place + 4]:
            gram = gram << 16 | letter
        found |= grams.get(gram, 0)
    return found


def may_be(texts: Sequence[str], grams: Mapping[int, int], needs: Sequence[Sequence[int]], misses: int) -> int:
    """Which kinds all of some texts but so many may be of, as bits."""
    said = [said_by(text, grams) for text in texts]
    return sum(
        1 << kind
        for kind, (one, other) in enumerate(needs)
        if sum(not (bits & one and bits & other) for bits in said) <= misses
    )
