"""Where nodes stand on their page, in plain Python: navigation, the main landmark, what is named as beside the point.
`fastwrap._core.regions.places` does it natively; `fastwrap.regions.ranking` has the words."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap import Page
from fastwrap.page.names import TAG_NUMBER, TEXT
from fastwrap.regions.ranking import Options

LONGEST_WORD, LONGEST_NAME = 12, 500
"""Letters of a word, and bytes of a name, that count."""
MOST_BESIDE = 3
LEAST_MAIN = 0.1
"""Of the content of a page, what a main landmark has that says something."""
WORD = re.compile(rb"[A-Z]+[a-z]*|[a-z]+")


def unpacked(words: npt.NDArray[np.uint64]) -> set[str]:
    """The words that the kernel is given as numbers: letters of five bits."""
    found = set()
    for number in words.tolist():
        letters = ""
        while number:
            letters = chr(96 + number % 32) + letters
            number //= 32
        found.add(letters)
    return found


def words_of(name: bytes) -> set[str]:
    """The words of a class, an id or a role."""
    return {word.decode().lower()[:LONGEST_WORD] for word in WORD.findall(name[:LONGEST_NAME])}


class Place(NamedTuple):
    """Where a node stands."""

    navigation: bool = False
    main: bool = False
    beside: int = 0
    """Levels that are named as beside the point, up to MOST_BESIDE."""


def places(page: Page, options: Options) -> list[Place]:
    """The place of every node."""
    names, roles = unpacked(options.words), unpacked(options.roles)
    found: list[Place] = []
    for node in range(len(page)):
        tag, parent = int(page.tag[node]), int(page.parent[node])
        around = found[parent] if parent >= 0 else Place()
        if tag in (TEXT, TAG_NUMBER["html"], TAG_NUMBER["body"]):
            found.append(around)
            continue
        own = {name: value.encode() for name, value in page.attributes(node).items()}
        role = own.get("role", b"")
        is_main = tag == TAG_NUMBER["main"] or role == b"main"
        navigates = bool(options.is_navigation[min(tag, len(options.is_navigation) - 1)])
        if role != b"main":
            navigates |= not roles.isdisjoint(words_of(role))
        beside = any(not names.isdisjoint(words_of(own.get(name, b""))) for name in ("class", "id"))
        found.append(
            Place(around.navigation or navigates, around.main or is_main, min(around.beside + beside, MOST_BESIDE))
        )
    return found


def main_landmark(page: Page) -> int | None:
    """The first main element, or else the first element within the body that has its role."""
    mains = np.flatnonzero(page.tag == TAG_NUMBER["main"]).tolist()
    roles = (node for node in range(page.body + 1, len(page)) if page.attributes(node).get("role") == "main")
    return next(iter(mains), None) if mains else next(roles, None)


def has_main(page: Page, before: npt.NDArray[np.float64], total: float) -> bool:
    """Whether the main landmark has much of the content; `before` is the content before each node."""
    main = main_landmark(page)
    return main is not None and bool(before[main + page.size[main]] - before[main] >= LEAST_MAIN * total)
