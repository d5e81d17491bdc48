"""Applies a wrapper, in plain Python: the twin of `fastwrap._core.wrapper.wrapping`."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array
from fastwrap.wrapper.hashes import HEAD, INSIDE, SEED, UNKNOWN, Keys, classes_key, mixed, symbol_hash

_SPACES = re.compile(rb"[\t\n\f\r ]+")


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
