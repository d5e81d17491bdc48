"""Hashes of classes, tag paths and symbols, which wrapper files and the kernels of `fastwrap._core.wrapper` share.
They are made of names, so they mean the same on every page, in every version and on every machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

BY_TAG, BY_CLASS, BY_SHAPE, BY_TEXT = range(4)
"""What a symbol is made of: the tag; and the class; and the tags below, without leaves; and whether there is a text."""

OUTSIDE, HEAD, INSIDE, UNKNOWN = range(4)
"""Roles of the children of an element that holds records: a record is a head and the inside children after it."""

Keys: TypeAlias = npt.NDArray[np.uint64]
"""A table of hashes, as `table_of` makes it, or a list of them."""

Roles: TypeAlias = npt.NDArray[np.uint8]

SEED = 0x9E3779B97F4A7C15
"""The hash of a path of no tags."""

ALL_BITS = (1 << 64) - 1

_SPACES = re.compile(rb"[\t\n\f\r ]+")


def mixed(above: int, more: int) -> int:
    """The hash of what has the hash `above`, and more."""
    above = (above ^ more) * 0x9E3779B97F4A7C15 & ALL_BITS
    return above ^ above >> 29


def tokens_without_digits(class_name: bytes) -> list[bytes]:
    """The tokens of a class that have no digit.

    >>> tokens_without_digits(b"item row-17 new")
    [b'item', b'new']
    """
    return [token for token in _SPACES.split(class_name) if token and not re.search(rb"[0-9]", token)]


def class_hash(class_name: bytes) -> int:
    """A hash of the tokens of a class, in any order; 0 for none."""
    total = 0
    for token in tokens_without_digits(class_name):
        token_hash = 0xCBF29CE484222325
        for letter in token:
            token_hash = (token_hash ^ letter) * 0x100000001B3 & ALL_BITS
        total += mixed(token_hash, 1)
    return total & ALL_BITS


def path_hash(tags: Iterable[int]) -> int:
    """A hash of a path of tags."""
    path = SEED
    for tag in tags:
        path = mixed(path, tag)
    return path | 1


def symbol_hash(level: int, tag: int, class_name: bytes, shape: Iterable[tuple[int, int]], has_text: bool) -> int:
    """The symbol of an element: `shape` is the depth and the tag of everything below it that is no leaf."""
    symbol = mixed(SEED, tag)
    if level >= BY_CLASS:
        symbol = mixed(symbol, class_hash(class_name))
    if level >= BY_SHAPE:
        for depth, below in shape:
            symbol = mixed(symbol, below << 24 | depth)
    if level >= BY_TEXT:
        symbol = mixed(symbol, has_text)
    return symbol | 1


def table_of(keys: Sequence[int]) -> tuple[Keys, npt.NDArray[np.intp]]:
    """A table of different keys, none of them 0, for the kernels (open addressing, Knuth 6.4), and the place of each.

    >>> table, places = table_of([7, 9])
    >>> len(table), table[places].tolist()
    (4, [7, 9])
    """
    room = 4
    while room < 2 * len(keys):
        room *= 2
    entries = [0] * room
    places = []
    for key in keys:
        place = key >> 7 & room - 1
        while entries[place]:
            place = place + 1 & room - 1
        entries[place] = key
        places.append(place)
    return np.array(entries, dtype=np.uint64), np.array(places, dtype=np.intp)


def classes_key(path: int, class_names: Iterable[bytes]) -> int:
    """The key of a tag path with the classes of its elements, from the root down."""
    classes = SEED
    for name in class_names:
        classes = mixed(classes, class_hash(name)) | 1
    return mixed(path, classes) | 1
