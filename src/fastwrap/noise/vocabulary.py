"""What tags and roles mean for telling content from noise, as tables that the kernels read by the number of a tag.
A model is trained with these tables, so a change here wants a new one (`training/`)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import INLINE_NAMES, TAGS

FLAGS = """
    nav header footer aside main article form table li figure button select blockquote pre dl section p heading a label
    details
""".split()
"""What a block may stand in, by bit."""
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
AS_FLAG = {
    **dict.fromkeys(HEADINGS, "heading"),
    "textarea": "select", "option": "select", "menu": "nav", "dialog": "aside", "figcaption": "figure", "code": "pre",
}  # fmt: skip
"""Tags that count as another one."""
ROLES = {
    "navigation": "nav", "menu": "nav", "menubar": "nav", "toolbar": "nav", "tablist": "nav", "banner": "header",
    "contentinfo": "footer", "complementary": "aside", "dialog": "aside", "alertdialog": "aside", "search": "form",
    "main": "main", "article": "article", "listitem": "li",
}  # fmt: skip
"""Roles that say what a tag would (WAI-ARIA 1.2)."""
OWNERS = """
    p li td th div section article span a button label dt dd figcaption pre blockquote h1 h2 h3 h4 h5 h6 header footer
    nav aside form main ul center font body address summary legend option caption time strong em
""".split()
"""The usual owners of blocks; all others are one kind, and names that are in no table another."""

SEED, FACTOR, WORD = 14695981039346656037, 1099511628211, (1 << 64) - 1
BUCKETS = 1 << 15
"""Places where the linear part of a model has weights."""


def hash_of(word: bytes) -> int:
    """The hash of a word (FNV-1a: Fowler, Noll & Vo 1991).

    >>> hex(hash_of(b"a"))
    '0xaf63dc4c8601ec8c'
    """
    hashed = SEED
    for byte in word:
        hashed = ((hashed ^ byte) * FACTOR) & WORD
    return hashed


def bucket_of(hashed: int, kind: int) -> int:
    """Where a model has the weight of a word that is used in some way.

    >>> 0 <= bucket_of(hash_of(b"nav"), 0) < BUCKETS
    True
    """
    return (((hashed ^ (kind * 0x9E3779B97F4A7C15 & WORD)) * 0xBF58476D1CE4E5B9) & WORD) >> 49


class Vocabulary(NamedTuple):
    """The tables as the kernels take them. Those by tag have one more entry, for names that have no number."""

    begins: npt.NDArray[np.uint8]
    """Whether an element begins a block and ends it."""
    flags: Int32Array
    """Bits: what it says of the blocks within it."""
    owners: Int32Array
    """Its number as the owner of a block."""
    tag_buckets: Int32Array
    """Where a model has its weights."""
    role: npt.NDArray[np.uint64]
    """The hashes of roles that say something."""
    role_flags: Int32Array
    """What they say."""


@cache
def vocabulary() -> Vocabulary:
    """The tables of the field."""
    names = (*TAGS, "")
    inline = INLINE_NAMES | {"br"}
    bit = {name: 1 << number for number, name in enumerate(FLAGS)}
    flags = [bit.get(AS_FLAG.get(name, name), 0) for name in names]
    owner = {name: number for number, name in enumerate(OWNERS)}
    owners = [owner.get(name, len(OWNERS)) for name in TAGS] + [len(OWNERS) + 1]
    roles = {hash_of(role.encode()): bit[name] for role, name in ROLES.items()}
    return Vocabulary(
        np.array([name not in inline for name in names], dtype=np.uint8),
        np.array(flags, dtype=np.int32),
        np.array(owners, dtype=np.int32),
        np.array([bucket_of(hash_of(b"<" + name.encode()), 0) for name in names], dtype=np.int32),
        np.array(list(roles), dtype=np.uint64),
        np.array(list(roles.values()), dtype=np.int32),
    )
