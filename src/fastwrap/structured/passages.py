"""Passages: the strings of a page's data that people read, gathered into runs of those that stand at the same keys:
the paragraphs of an article, the posts of a thread. Found by walking all objects and arrays once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from fastwrap._core.structured.strings import Reader, Spot
from fastwrap.structured.jsonld import kind_of
from fastwrap.structured.posts import bare
from fastwrap.structured.sentences import prose_weight

MOST_RUNS = 60
"""Runs that are compared with each other, those with the most prose."""
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
    reader = Reader(name_of_key, prose_weight, SKIPPED)
    for name, root in roots:
        reader.read(root, name)
    found = sorted(reader.runs(), key=lambda run: -run[0])[:MOST_RUNS]
    runs = [Run(path, list(map(Passage, texts, spots, weights))) for _, path, texts, spots, weights in found]
    return joined(runs), reader.limits
