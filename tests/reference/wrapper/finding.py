"""Finds the records of a learned list in plain Python: the twin of `fastwrap._core.wrapper.finding`."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.wrapper.hashes import HEAD, INSIDE, SEED, UNKNOWN, Keys, Roles, mixed, symbol_hash
from fastwrap.wrapper.location import Steps

SPACES = re.compile(rb"[\t\n\f\r ]+")


def class_of(page: Page, node: int) -> bytes:
    """The class of an element, as it stands."""
    return page.attributes(node).get("class", "").encode()


def locate(page: Page, steps: Steps, by_tags: bool) -> tuple[Int32Array, int]:
    """The elements at the end of a path from the root."""
    tags, first_token, token_start, tokens, nth = steps
    misses = 0
    frontier = [0] if len(tags) and page.tag[0] == tags[0] else []
    for step in range(1, len(tags)):
        wanted = {
            tokens[int(token_start[token]) : int(token_start[token + 1])]
            for token in range(int(first_token[step]), int(first_token[step + 1]))
        }
        reached: list[tuple[int, int]] = []
        for node in frontier:
            alike = [child for child in page.children(node) if page.tag[child] == tags[step]]
            for place, child in enumerate(alike):
                in_place = nth[step] in (0, place + 1, place - len(alike))
                has_tokens = wanted.issubset(SPACES.split(class_of(page, child)))
                reached.append((3 if by_tags else 2 * has_tokens + in_place, child))
        best = max((agreement for agreement, _ in reached), default=3)
        misses += 3 - best
        frontier = [child for agreement, child in reached if agreement == best]
        if not frontier:
            break
    return np.array(frontier, dtype=np.int32), misses


def cut(
    page: Page, parents: Int32Array, level: int, keys: Keys, roles: Roles
) -> tuple[Int32Array, Int32Array, Keys, Roles, int]:
    """The records among the children of elements."""
    role_of = {key: role for key, role in zip(keys.tolist(), roles.tolist(), strict=True) if key}
    spans: list[list[int]] = []
    children: list[int] = []
    symbols: list[int] = []
    for node in parents.tolist():
        is_open = False
        for child in page.children(node):
            end = child + int(page.size[child])
            shape = [
                (int(page.depth[k] - page.depth[child]), int(page.tag[k]))
                for k in range(child + 1, end)
                if page.size[k] > 1
            ]
            has_text = bool(page.text_start[child] < page.text_start[end])
            children.append(child)
            symbols.append(symbol_hash(level, int(page.tag[child]), class_of(page, child), shape, has_text))
            role = role_of.get(symbols[-1], UNKNOWN)
            if role == HEAD:
                spans.append([child, end])
                is_open = True
            elif role == INSIDE and is_open:
                spans[-1][1] = end
            elif role != UNKNOWN:
                is_open = False
    child_roles = [role_of.get(symbol, UNKNOWN) for symbol in symbols]
    return (
        np.array(spans, dtype=np.int32).reshape(-1, 2),
        np.array(children, dtype=np.int32),
        np.array(symbols, dtype=np.uint64),
        np.array(child_roles, dtype=np.uint8),
        child_roles.count(UNKNOWN),
    )


def known_shares(page: Page, spans: Int32Array, keys: Keys) -> tuple[npt.NDArray[np.float64], float, float]:
    """For each record the share of its nodes whose tag path is known."""
    known = set(keys.tolist()) - {0}
    shares = []
    for start, end in spans.tolist():
        paths: dict[int, int] = {}
        for node in range(start, end):
            paths[node] = mixed(paths.get(int(page.parent[node]), SEED), int(page.tag[node]))
        shares.append(sum(path | 1 in known for path in paths.values()) / (end - start))
    mean = sum(shares) / len(shares) if shares else 0.0
    return np.array(shares, dtype=np.float64), min(shares, default=1.0), mean


class Finder:
    """Finds the records of a list on pages that are as those it was learned from."""

    def __init__(self, steps: Steps, level: int, keys: Keys, roles: Roles, known: Keys) -> None:
        self.steps = steps
        self.cutting = (level, keys, roles)
        self.known = known

    def find(self, page: Page, least: float) -> tuple[Int32Array, npt.NDArray[np.float64], float] | None:
        """The records, if all of them are as expected."""
        parents, misses = locate(page, self.steps, False)
        if misses:
            return None
        spans, _, _, _, unknown = cut(page, parents, *self.cutting)
        shares, worst, mean = known_shares(page, spans, self.known)
        return None if unknown or not len(spans) or worst < least else (spans, shares, mean)
