"""The native scan for links worth a look, and what it is told to look for.
Found are links with labels or marks, and rows of numbers; `fastwrap.paging` judges them."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from fastwrap._core.paging import pager as kernel
from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER, ATTRIBUTES, TAG_NUMBER
from fastwrap.paging.labels import MAX_LABEL
from fastwrap.paging.words import (
    ARROWS,
    MORE_WORDS,
    NEXT_CHARACTERS,
    NEXT_WORDS,
    OLDER_WORDS,
    PAGE_FIRST,
    VERBS,
)

MAX_MORE = 4
"""Nodes that an element around a link may have more for its names to be those of the link."""
MAX_UNLINKED = 2
"""Numbers of a row that are no links: where the reader is, perhaps how many pages there are. Calendars have more."""
GAP = 16
"""Nodes between two numbers of one row."""

LINK_ELEMENT = TAG_NUMBER["link"]
LINK_TAGS = np.array([TAG_NUMBER["a"], TAG_NUMBER["area"]], dtype=np.int32)
CLASS, ID, HREF, SRC, ALT, TITLE, REL, ARIA_LABEL = (
    ATTRIBUTE_NUMBER[name] for name in ("class", "id", "href", "src", "alt", "title", "rel", "aria-label")
)
ROLES = np.zeros(len(ATTRIBUTES), dtype=np.uint8)
"""[attributes] What they may tell to the scan: 1 for the address, 2 within links, 4 anywhere, 8 for class."""
ROLES[HREF] = 1
ROLES[[ALT, TITLE, ARIA_LABEL, SRC]] = 2
ROLES[[ID, REL]] = 4
ROLES[CLASS] = 4 + 8

# What the scan finds: of a link, bits (1 is labelled); of a number, that it is a link (0: none; 2: to this page).
MARKED, POINTING = 2, 4
LINK = 1


def scan(page: Page) -> tuple[list[list[int]], list[list[int]]]:
    """The links with labels or marks, as node and bits; and the numbers, as node, first, last, kind and row."""
    arrays = page.arrays
    links, numbers = kernel.scan(
        page.tag, page.parent, page.size, page.text_start, page.attribute_start, arrays.attribute_name,
        arrays.value_start, arrays.text, arrays.values, LINK_TAGS, LINK_ELEMENT, ROLES, label_heads(), MAX_LABEL,
        MAX_MORE, GAP, MAX_UNLINKED,
    )  # fmt: skip
    return links.tolist(), numbers.tolist()


@cache
def label_heads() -> npt.NDArray[np.uint64]:
    """The first bytes of all that a label may start with, as the scan wants them."""
    words = NEXT_WORDS | OLDER_WORDS | MORE_WORDS | PAGE_FIRST | VERBS | NEXT_CHARACTERS
    spelled = {case(word) for word in words for case in (str.lower, str.upper, str.capitalize)}
    spelled |= {word.replace("I", "İ") for word in spelled}  # as in Turkish
    heads = {arrow.encode() for arrow in ARROWS}
    for word in map(str.encode, spelled):
        heads.add(word.lower()[: 6 if word[0] >= 0xE3 else 8])
    return np.array(sorted(int.from_bytes(head, "little") for head in heads), dtype=np.uint64)
