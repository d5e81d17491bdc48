"""Where the records of a wrapper are: the path of tags from the root to the elements whose children they are.
Of elements with that tag path, class tokens choose first, and places among siblings where classes do not suffice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap import backend
from fastwrap._plain.wrapping import tokens_of
from fastwrap.arrays import Int32Array
from fastwrap.names import ATTRIBUTE_NUMBER, TAG_NUMBER, number_of

if backend.compiled():
    from fastwrap._core import wrapping as kernel
else:
    from fastwrap._plain import wrapping as kernel  # type: ignore[no-redef]

if TYPE_CHECKING:
    from fastwrap.page import Page

CLASS = ATTRIBUTE_NUMBER["class"]

MOST_TOKENS = 12
"""Class tokens of a step."""

MOST_PARENTS = 400
"""Elements whose places are compared when a location is learned."""

LONGEST_PATH = 1_000
"""Steps: pages are not that deep, a file that says so is refused."""


class Step(NamedTuple):
    """One element of a path."""

    tag: str
    tokens: tuple[str, ...] = ()
    """Class tokens that it has; without digits, which are often numbers of things."""
    nth: int = 0
    """Its place among the siblings of its tag: from the first (1), from the last (-1), or 0 for any."""


class Steps(NamedTuple):
    """A path as the kernel takes it."""

    tags: Int32Array
    first_token: Int32Array
    token_start: Int32Array
    tokens: bytes
    nth: Int32Array


@dataclass(frozen=True)
class Location:
    """A path from the root to the elements whose children the records are.

    >>> from fastwrap.page import Page
    >>> page = Page("<div><p>a<p>b</div><div class='main x3'><p>c<p>d</div>")
    >>> location = learn_location([(page, [8])])
    >>> location.path[-1]
    Step(tag='div', tokens=('main',), nth=0)
    >>> location.find(page)[0].tolist()
    [8]
    """

    path: tuple[Step, ...]

    @cached_property
    def steps(self) -> Steps:
        """The path in numbers."""
        tokens = [token.encode("utf-8", "surrogatepass") for step in self.path for token in step.tokens]
        return Steps(
            tags=np.array([number_of(step.tag, TAG_NUMBER, {}) for step in self.path], dtype=np.int32),
            first_token=_starts(len(step.tokens) for step in self.path),
            token_start=_starts(len(token) for token in tokens),
            tokens=b"".join(tokens),
            nth=np.array([step.nth for step in self.path], dtype=np.int32),
        )

    def find(self, page: Page, by_tags: bool = False) -> tuple[Int32Array, int]:
        """The elements that are meant, and how much they differ from what the path says; 0 if not at all.

        With `by_tags`, all elements that have the path's tags.
        """
        arrays = page.arrays
        return kernel.locate(
            page.tag, page.size, page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values, CLASS,
            *self.steps, by_tags,
        )  # fmt: skip


def _starts(lengths: Iterable[int]) -> Int32Array:
    ends = np.cumsum([0, *lengths])
    return ends.astype(np.int32)


def class_of(page: Page, node: int) -> bytes:
    """The class of an element, as it stands."""
    arrays = page.arrays
    for entry in range(int(page.attribute_start[node]), int(page.attribute_start[node + 1])):
        if arrays.attribute_name[entry] == CLASS:
            return arrays.values[int(arrays.value_start[entry]) : int(arrays.value_start[entry + 1])]
    return b""


def path_of(page: Page, node: int) -> list[int]:
    """The elements from the root down to a node."""
    return [*reversed([*page.ancestors(node)]), node]


def learn_location(examples: Sequence[tuple[Page, Sequence[int]]]) -> Location:
    """The location of elements of one tag path, on one page or on several."""
    path: list[Step] = []
    first = True
    for page, parents in examples:
        # Elements of one path symbol have the same classes all the way up.
        alike: dict[int, int] = {}
        for symbol, parent in zip(page.path_symbol[list(parents)].tolist(), parents, strict=True):
            alike.setdefault(symbol, parent)
        for parent in alike.values():
            nodes = path_of(page, parent)
            own = [
                [token.decode("utf-8", "replace") for token in tokens_of(class_of(page, node))[:MOST_TOKENS]]
                for node in nodes
            ]
            if first:
                path = [
                    Step(page.tag_name(node), tuple(dict.fromkeys(tokens)))
                    for node, tokens in zip(nodes, own, strict=True)
                ]
                first = False
            else:
                path = [
                    step._replace(tokens=tuple(token for token in step.tokens if token in tokens))
                    for step, tokens in zip(path, own, strict=True)
                ]
    location = Location(tuple(path))
    wanted = [set(parents) for _, parents in examples]
    while True:
        others = [
            [node for node in location.find(page)[0].tolist() if node not in meant]
            for (page, _), meant in zip(examples, wanted, strict=True)
        ]
        count = sum(map(len, others))
        if not count:
            return location
        place = _telling_place(location, examples, others)
        if place is None:
            return location
        step, nth = place
        steps = list(location.path)
        steps[step] = steps[step]._replace(nth=nth)
        location = Location(tuple(steps))


def _telling_place(
    location: Location, examples: Sequence[tuple[Page, Sequence[int]]], others: Sequence[Sequence[int]]
) -> tuple[int, int] | None:
    """A step and a place there that all elements have that are meant, and fewest of the others; None if all have it."""
    here = [_places(page, list(parents)[:MOST_PARENTS]) for page, parents in examples]
    there = [_places(page, list(nodes)[:MOST_PARENTS]) for (page, _), nodes in zip(examples, others, strict=True)]
    best, most = None, 0
    for step in range(len(location.path) - 1, 0, -1):
        if location.path[step].nth:
            continue
        for direction in (0, 1):
            meant = {int(place) for places in here for place in places[step, :, direction]}
            if len(meant) != 1:
                continue
            (nth,) = meant
            excluded = sum(int(np.count_nonzero(places[step, :, direction] != nth)) for places in there)
            if excluded > most:
                best, most = (step, nth), excluded
    return best


def _places(page: Page, nodes: list[int]) -> npt.NDArray[np.int64]:
    """[steps, nodes, 2] The places of the elements on the paths of some nodes of one depth, from both ends."""
    known: dict[int, tuple[int, int]] = {}
    found = []
    for node in nodes:
        row = []
        for step in path_of(page, node):
            if step not in known:
                known[step] = _place(page, step)
            row.append(known[step])
        found.append(row)
    if not found:
        return np.empty((LONGEST_PATH, 0, 2), dtype=np.int64)
    return np.array(found, dtype=np.int64).transpose(1, 0, 2)


def _place(page: Page, node: int) -> tuple[int, int]:
    up = int(page.parent[node])
    if up < 0:
        return 1, -1
    below = slice(up + 1, up + int(page.size[up]))
    alike = (page.parent[below] == up) & (page.tag[below] == page.tag[node])
    before = int(np.count_nonzero(alike[: node - up]))
    return before, before - int(np.count_nonzero(alike)) - 1
