"""The native scan for links worth a look, and what it looks for.
It finds links with labels or marks, and rows of numbers; `fastwrap.paging.choosing` judges them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.paging import pager as kernel
from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER
from fastwrap.paging.labels import MAX_LABEL
from fastwrap.paging.words import (
    ARROW_NAMES,
    ARROWS,
    MORE_CHARACTERS,
    MORE_WORDS,
    NEXT_CHARACTERS,
    NEXT_WORDS,
    NUMBER_FIRST,
    OLDER_WORDS,
    PAGE_FIRST,
    VERBS,
)

MAX_MORE = 4
"""Nodes that an element around a link may have more for its names to be those of the link."""

LINK_ELEMENT = TAG_NUMBER["link"]

# What the scan finds: of a link, bits (1 is labelled); of a number, that it is a link (0: none; 2: to this page).
MARKED, POINTING = 2, 4
LINK, CURRENT = 1, 2


class ScanRules(NamedTuple):
    """What the scan takes for a label, a name, and a row."""

    max_label: int = MAX_LABEL
    max_more: int = MAX_MORE
    gap: int = 16
    """Nodes between two numbers of one row."""
    max_unlinked: int = 2
    """Numbers of a row that are no links: the current page, perhaps the number of pages. Calendars have more."""


ALL = ScanRules()


def scan(page: Page, rules: ScanRules = ALL) -> tuple[list[list[int]], list[list[int]]]:
    """The links with labels or marks, as node and bits; and the numbers, as node, first, last, kind and row."""
    links, numbers = kernel.scan(page.native, label_heads(), page_heads(), rules)
    return links.tolist(), numbers.tolist()


@cache
def label_heads() -> npt.NDArray[np.uint64]:
    """The first bytes of all that a label may start with, as the scan wants them."""
    words = NEXT_WORDS | OLDER_WORDS | MORE_WORDS | PAGE_FIRST | VERBS | NEXT_CHARACTERS | MORE_CHARACTERS
    words |= {name.partition("_")[0] for name in ARROW_NAMES}
    return heads_of(words, ARROWS)


@cache
def page_heads() -> npt.NDArray[np.uint64]:
    """The same of links to pages by number that say more than the number."""
    return heads_of(NUMBER_FIRST, "")


def heads_of(words: frozenset[str], arrows: str) -> npt.NDArray[np.uint64]:
    """The first bytes of words and arrows, in the cases that they are written in, as sorted numbers."""
    spelled = {case(word) for word in words for case in (str.lower, str.upper, str.capitalize)}
    spelled |= {word.replace("I", "İ") for word in spelled}  # as in Turkish
    heads = {arrow.encode() for arrow in arrows}
    for word in map(str.encode, spelled):
        heads.add(word.lower()[: 6 if word[0] >= 0xE3 else 8])
    return np.array(sorted(int.from_bytes(head, "little") for head in heads), dtype=np.uint64)
