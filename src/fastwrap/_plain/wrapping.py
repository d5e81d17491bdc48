"""Applies a wrapper, in plain Python: where nothing is compiled, and to compare `fastwrap._core.wrapping` with.
Also the hashes that both use, of names instead of nodes, for what a wrapper's file says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from fastwrap.arrays import Int32Array

BY_TAG, BY_CLASS, BY_SHAPE, BY_TEXT = range(4)
"""What a symbol is made of: the tag; and the class; and the tags below, without leaves; and whether there is a text."""

OUTSIDE, HEAD, INSIDE, UNKNOWN = range(4)
"""Roles of the children of an element that has records: a record is a head and what follows of it inside."""

Keys = npt.NDArray[np.uint64]

SEED = 0x9E3779B97F4A7C15
ALL = (1 << 64) - 1

_SPACES = re.compile(rb"[\t\n\f\r ]+")


def mixed(above: int, more: int) -> int:
    """A hash of what has the hash `above`, and more."""
    above = (above ^ more) * 0x9E3779B97F4A7C15 & ALL
    return above ^ above >> 29


def tokens_of(class_name: bytes) -> list[bytes]:
    """The tokens of a class that have no digit.

    >>> tokens_of(b"item row-17 new")
    [b'item', b'new']
    """
    return [token for token in _SPACES.split(class_name) if token and not re.search(rb"[0-9]", token)]


def class_hash(class_name: bytes) -> int:
    """A hash of the tokens of a class, in any order; 0 for none."""
    total = 0
    for token in tokens_of(class_name):
        found = 0xCBF29CE484222325
        for letter in token:
            found = (found ^ letter) * 0x100000001B3 & ALL
        total += mixed(found, 1)
    return total & ALL


def path_hash(tags: Iterable[int]) -> int:
    """A hash of a path of tags."""
    found = SEED
    for tag in tags:
        found = mixed(found, tag)
    return found | 1


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
    """A table of different keys, none of them 0, for the kernels (open addressing, Knuth 6.4), and their places in it.

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


def _class_of(
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    class_number: int,
    node: int,
) -> bytes:
    for entry in range(int(attribute_start[node]), int(attribute_start[node + 1])):
        if attribute_name[entry] == class_number:
            return values[int(value_start[entry]) : int(value_start[entry + 1])]
    return b""


def _children(size: Int32Array, node: int) -> list[int]:
    child, end = node + 1, node + int(size[node])
    found = []
    while child < end:
        found.append(child)
        child += int(size[child])
    return found


def locate(
    tag: Int32Array,
    size: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    class_number: int,
    steps: Int32Array,
    first_token: Int32Array,
    token_start: Int32Array,
    tokens: bytes,
    nth: Int32Array,
    by_tags: bool,
) -> tuple[Int32Array, int]:
    """The elements at the end of a path from the root; see `fastwrap/_core/wrapping.pyi`."""
    misses = 0
    frontier = [0] if len(tag) and len(steps) and tag[0] == steps[0] else []
    for step in range(1, len(steps)):
        wanted = {
            tokens[int(token_start[token]) : int(token_start[token + 1])]
            for token in range(int(first_token[step]), int(first_token[step + 1]))
        }
        found: list[tuple[int, int]] = []
        for node in frontier:
            alike = [child for child in _children(size, node) if tag[child] == steps[step]]
            for place, child in enumerate(alike):
                in_place = nth[step] in (0, place + 1, place - len(alike))
                own = _class_of(attribute_start, attribute_name, value_start, values, class_number, child)
                has_tokens = wanted.issubset(_SPACES.split(own))
                found.append((3 if by_tags else 2 * has_tokens + in_place, child))
        best = max((agrees for agrees, _ in found), default=3)
        misses += 3 - best
        frontier = [child for agrees, child in found if agrees == best]
        if not frontier:
            break
    return np.array(frontier, dtype=np.int32), misses


def cut(
    tag: Int32Array,
    size: Int32Array,
    depth: Int32Array,
    text_start: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    class_number: int,
    parents: Int32Array,
    level: int,
    keys: Keys,
    roles: npt.NDArray[np.uint8],
) -> tuple[Int32Array, Int32Array, Keys, npt.NDArray[np.uint8], int]:
    """The records among the children of elements; see `fastwrap/_core/wrapping.pyi`."""
    role_of = {key: role for key, role in zip(keys.tolist(), roles.tolist(), strict=True) if key}
    spans: list[list[int]] = []
    children: list[int] = []
    symbols: list[int] = []
    for node in parents.tolist():
        is_open = False
        for child in _children(size, node):
            end = child + int(size[child])
            own = _class_of(attribute_start, attribute_name, value_start, values, class_number, child)
            shape = [(int(depth[k] - depth[child]), int(tag[k])) for k in range(child + 1, end) if size[k] > 1]
            has_text = bool(text_start[child] < text_start[end])
            children.append(child)
            symbols.append(symbol_hash(level, int(tag[child]), own, shape, has_text))
            role = role_of.get(symbols[-1], UNKNOWN)
            if role == HEAD:
                spans.append([child, end])
                is_open = True
            elif role == INSIDE and is_open:
                spans[-1][1] = end
            elif role != UNKNOWN:
                is_open = False
    found = [role_of.get(symbol, UNKNOWN) for symbol in symbols]
    return (
        np.array(spans, dtype=np.int32).reshape(-1, 2),
        np.array(children, dtype=np.int32),
        np.array(symbols, dtype=np.uint64),
        np.array(found, dtype=np.uint8),
        found.count(UNKNOWN),
    )


def known_shares(
    tag: Int32Array, parent: Int32Array, spans: Int32Array, keys: Keys
) -> tuple[npt.NDArray[np.float64], float, float]:
    """For each record the share of its nodes whose tag path is known; see `fastwrap/_core/wrapping.pyi`."""
    known = set(keys.tolist()) - {0}
    shares = []
    for start, end in spans.tolist():
        paths: dict[int, int] = {}
        for node in range(start, end):
            paths[node] = mixed(paths.get(int(parent[node]), SEED), int(tag[node]))
        shares.append(sum(path | 1 in known for path in paths.values()) / (end - start))
    mean = sum(shares) / len(shares) if shares else 0.0
    return np.array(shares, dtype=np.float64), min(shares, default=1.0), mean


class Finder:
    """Finds the records of a list on pages that are as those it was learned from."""

    def __init__(
        self,
        class_number: int,
        steps: Int32Array,
        first_token: Int32Array,
        token_start: Int32Array,
        tokens: bytes,
        nth: Int32Array,
        level: int,
        keys: Keys,
        roles: npt.NDArray[np.uint8],
        known: Keys,
    ) -> None:
        self.class_number = class_number
        self.path = (steps, first_token, token_start, tokens, nth)
        self.cutting = (level, keys, roles)
        self.known = known

    def find(
        self,
        tag: Int32Array,
        size: Int32Array,
        parent: Int32Array,
        depth: Int32Array,
        text_start: Int32Array,
        attribute_start: Int32Array,
        attribute_name: Int32Array,
        value_start: Int32Array,
        values: bytes,
        least: float,
    ) -> tuple[Int32Array, npt.NDArray[np.float64], float] | None:
        """The records, if they are all as expected."""
        attributes = (attribute_start, attribute_name, value_start, values, self.class_number)
        parents, misses = locate(tag, size, *attributes, *self.path, False)
        if misses:
            return None
        spans, _, _, _, unknown = cut(tag, size, depth, text_start, *attributes, parents, *self.cutting)
        shares, worst, mean = known_shares(tag, parent, spans, self.known)
        return None if unknown or not len(spans) or worst < least else (spans, shares, mean)


def recognise(
    tag: Int32Array,
    parent: Int32Array,
    size: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    values: bytes,
    class_number: int,
    keys: Keys,
    by_class: npt.NDArray[np.uint8],
    first: Int32Array,
    wrappers: Int32Array,
    votes: npt.NDArray[np.float64],
    least: npt.NDArray[np.float64],
) -> tuple[Int32Array, npt.NDArray[np.float64]]:
    """The wrappers that share something with a page; see `fastwrap/_core/wrapping.pyi`."""
    entry_of = {key: entry for entry, key in enumerate(keys.tolist()) if key}
    paths: list[int] = []
    seen: dict[int, None] = {}
    for node, up in enumerate(parent.tolist()):
        paths.append(mixed(SEED if up < 0 else paths[up], int(tag[node])))
        entry = entry_of.get(paths[node] | 1)
        if entry is None:
            continue
        seen[entry] = None
        if by_class[entry]:
            way, above = [], node
            while above >= 0:
                way.append(_class_of(attribute_start, attribute_name, value_start, values, class_number, above))
                above = int(parent[above])
            told = entry_of.get(classes_key(paths[node] | 1, reversed(way)))
            if told is not None:
                seen[told] = None
    sums: dict[int, float] = {}
    for entry in seen:
        for number in wrappers[int(first[entry]) : int(first[entry + 1])].tolist():
            sums[number] = sums.get(number, 0.0) + float(votes[entry])
    totals = [total + float(least[number]) for number, total in sums.items()]
    return np.array(list(sums), dtype=np.int32), np.array(totals, dtype=np.float64)


def classes_key(path: int, class_names: Iterable[bytes]) -> int:
    """The key of a tag path with the classes of its elements, from the root down."""
    found = SEED
    for name in class_names:
        found = mixed(found, class_hash(name)) | 1
    return mixed(path, found) | 1
