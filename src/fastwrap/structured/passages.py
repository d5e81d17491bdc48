"""Passages: the strings of a page's data that people read, gathered into runs of those that stand at the same keys:
the paragraphs of an article, the posts of a thread. Found by walking all objects and arrays once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from fastwrap.structured.jsonld import kind_of
from fastwrap.structured.posts import bare
from fastwrap.structured.sentences import LONGEST, is_long, prose_weight

MOST_CONTAINERS = 100_000
"""Objects and arrays that are walked."""
MOST_STRINGS = 300_000
"""Strings that are kept until it is known whether others at their keys are prose."""
MOST_CHARACTERS = 4_000_000
"""Of strings that are looked at."""
MOST_RUNS = 60
"""Runs that are compared with each other, those with the most prose."""
DEEPEST = 60
"""Levels of objects and arrays that are walked."""
LIKE = 0.6
"""Of the keys of an object that one which replies to it has, or the other way round."""
CONVERSATION = frozenset(
    """
    acceptedanswer answer answers children comment comments discussion message messages post posts replies reply
    response responses suggestedanswer thread
    """.split()
)
"""Keys to what people say to each other: runs that differ in them alone are one."""
SKIPPED = frozenset(
    """
    AggregateRating Brand BreadcrumbList ContactPoint Corporation ImageObject ListItem NewsMediaOrganization Offer
    OpeningHoursSpecification Organization Person PostalAddress PropertyValue Rating Review SearchAction
    SiteNavigationElement WebPageElement WebSite WPFooter WPHeader WPSideBar
    """.split()
)
"""Types of schema.org whose texts are about something else than the page."""
ARTICLES = ("Article", "BlogPosting")
"""What the types of articles end in: comments on them are something else."""
DIGIT = re.compile(r"\d")
WORD = re.compile(r"[^\W\d]{3,}")


@dataclass(slots=True, eq=False)
class Spot:
    """An object, and where it stands."""

    value: dict[str, Any]
    above: Spot | None
    """The object around it."""
    number: int
    """In document order."""

    def chain(self) -> Iterator[Spot]:
        """The object and those around it, from within."""
        spot: Spot | None = self
        while spot is not None:
            yield spot
            spot = spot.above


class Passage(NamedTuple):
    """A string of data."""

    text: str
    spot: Spot
    """The object that it stands in, be it in an array of that."""
    weight: int
    """How much it says, as prose; 0 for one that is short or is none."""


@dataclass(slots=True)
class Run:
    """The strings that stand at the same keys, whatever entries of arrays are around them, in document order."""

    path: tuple[str, ...]
    """The keys, each once."""
    passages: list[Passage]
    weight: int = 0
    """How much is said by those that are prose."""
    names: frozenset[str] = field(init=False)
    """All keys but the last."""

    def __post_init__(self) -> None:
        self.weight = sum(passage.weight for passage in self.passages)
        self.names = frozenset(self.path[:-1])


@lru_cache(4096)
def name_of_key(key: str) -> str:
    """A key without the number of what it leads to, so that the entries of a store are alike.

    >>> name_of_key("postStream"), name_of_key("topic_88771"), name_of_key("Post:7"), name_of_key("4f1b")
    ('postStream', 'topic_#', 'Post#', '#')
    """
    if DIGIT.search(key) is None:
        return key
    word = WORD.match(key)
    return f"{word[0] if word else ''}#"


class Reader:
    """Walks values, and keeps their strings by the keys to them."""

    def __init__(self) -> None:
        self.limits: list[str] = []
        self._strings: dict[tuple[str, ...], list[tuple[str, Spot]]] = {}
        self._containers = self._kept = self._number = 0

    def read(self, root: Any, name: str = "") -> None:
        """Keep the strings of an object or array, in document order; `name` is that of what it stands in."""
        path: tuple[str, ...] = (name,) if name else ()
        top = Spot({}, None, self._number)
        waiting: list[tuple[Any, tuple[str, ...], Spot, int]] = [(root, path, top, 0)]
        while waiting:
            value, path, spot, depth = waiting.pop()
            self._containers += 1
            if self._containers > MOST_CONTAINERS or self._kept > MOST_STRINGS:
                self.limits.append("structured.json")
                return
            if depth > DEEPEST:
                self.limits.append("structured.depth")
                continue
            below: list[tuple[Any, tuple[str, ...], Spot, int]] = []
            if isinstance(value, dict):
                if "@type" in value and kind_of(value) in SKIPPED:
                    continue
                self._number += 1
                spot = Spot(value, spot, self._number)
                for key, entry in value.items():
                    if isinstance(entry, str):
                        self._keep(entry, (*path, name_of_key(key)), spot)
                    elif entry and isinstance(entry, (dict, list)):
                        named = name_of_key(key)
                        below.append((entry, path if named in path else (*path, named), spot, depth + 1))
            else:
                for entry in value:
                    if isinstance(entry, str):
                        self._keep(entry, (*path, ""), spot)
                    elif entry and isinstance(entry, (dict, list)):
                        below.append((entry, path, spot, depth + 1))
            waiting += reversed(below)

    def _keep(self, text: str, path: tuple[str, ...], spot: Spot) -> None:
        if text:
            self._kept += 1
            self._strings.setdefault(path, []).append((text, spot))

    def runs(self) -> list[Run]:
        """The runs that are prose for the most part, those with the most first."""
        left = MOST_CHARACTERS
        found: list[Run] = []
        for path, pairs in self._strings.items():
            if not any(is_long(text) for text, _ in pairs):
                continue
            passages = []
            for text, spot in pairs:
                left -= min(LONGEST, len(text)) if is_long(text) else 0
                if left < 0:
                    self.limits.append("structured.json")
                    break
                passages.append(Passage(text, spot, prose_weight(text)))
            prose = sum(len(passage.text) for passage in passages if passage.weight)
            if prose and prose * 2 >= sum(len(passage.text) for passage in passages):
                found.append(Run(path, passages))
            if left < 0:
                break
        return joined(sorted(found, key=lambda run: -run.weight)[:MOST_RUNS])


def joined(runs: list[Run]) -> list[Run]:
    """Runs, where those are one that are replies to each other, or answers of two kinds.

    >>> one, two = {"user": "Ann", "text": "a"}, {"user": "Ben", "text": "b"}
    >>> first = Run(("posts", "text"), [Passage("a", Spot(one, None, 1), 1)])
    >>> second = Run(("posts", "replies", "text"), [Passage("b", Spot(two, None, 2), 1)])
    >>> [[passage.text for passage in run.passages] for run in joined([first, second])]
    [['a', 'b']]
    """
    kept: list[Run] = []
    for run in sorted(runs, key=lambda run: len(run.path)):
        other = next((each for each in kept if are_one(each, run)), None)
        if other is None:
            kept.append(run)
        else:
            other.passages = sorted(other.passages + run.passages, key=lambda passage: passage.spot.number)
            other.weight += run.weight
    return sorted(kept, key=lambda run: -run.weight)


def are_one(outer: Run, inner: Run) -> bool:
    """Whether the strings of one run are replies to those of the other, or stand beside them."""
    if outer.path[-1] != inner.path[-1]:
        return False
    first, second = outer.passages[0].spot.value, inner.passages[0].spot.value
    if not are_said(outer.names ^ inner.names) or not are_alike(first, second):
        return False
    return are_said(outer.names) or (outer.names < inner.names and not kind_of(first).endswith(ARTICLES))


def are_said(names: frozenset[str]) -> bool:
    """Whether any of these keys leads to what people say to each other."""
    return any(bare(name) in CONVERSATION for name in names)


def are_alike(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Whether two objects have most keys in common."""
    return len(first.keys() & second.keys()) >= max(2.0, LIKE * min(len(first), len(second)))


def read_runs(roots: Iterable[tuple[str, Any]]) -> tuple[list[Run], list[str]]:
    """The runs in values, each of which stands in something of a name, with the budgets that were met.

    >>> said = "Boil the water, take it from the fire, and wait for a minute before you pour it."
    >>> posts = [{"id": 1, "raw": said}, {"id": 2, "raw": "Thanks"}]
    >>> runs, limits = read_runs([("", {"topic": {"id": 7, "posts": posts}})])
    >>> [(run.path, len(run.passages)) for run in runs]
    [(('topic', 'posts', 'raw'), 2)]
    """
    reader = Reader()
    for name, root in roots:
        reader.read(root, name)
    return reader.runs(), reader.limits
