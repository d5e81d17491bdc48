"""How well threads are read: forum threads, questions with their answers, stories with comments.

    python benchmarks/threads.py ../shared/corpus [--half 0|1] [--pages] [--facts FILE]

The facts (`benchmarks/threads.jsonl`) are node numbers of `fastwrap.Page`, found by eye: each post, and within it the
elements of author, date and text, -1 where it has none; "opening" is false where a page has no post above its answers.
A record is right where its words and those of a post agree by a Dice coefficient of 0.8. A column is found where it has
what 80% of the posts have that are right, and named where it also has the role. Sites are split by their hosts: rules
were mended by half 0 alone.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import fastwrap
from fastwrap.page import Page
from fastwrap.page.names import NO_NODE, TEXT

ALIKE, MOST = 0.8, 0.8
OPENING = 0.6
"""Dice coefficient from which the first record is the opening post: more or less of its frame may belong to it."""
SAME_DAY = 0.5
"""The same of words of a date: a page may write it twice, once with the time."""
FIELDS = {"author": "author", "date": "date", "text": "description"}
"""What is looked for, and the role of its column."""
TOKEN = re.compile(r"\w+")
FACTS = Path(__file__).with_name("threads.jsonl")
Words = collections.Counter[str]


def words(text: str) -> Words:
    return collections.Counter(TOKEN.findall(text.lower()))


def dice(one: Words, other: Words) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def pair(predicted: list[Words], true: list[Words]) -> dict[int, int]:
    """By the number of a post: the record that it is, best pairs first."""
    pairs = sorted(((dice(p, t), i, j) for i, p in enumerate(predicted) for j, t in enumerate(true)), reverse=True)
    found: dict[int, int] = {}
    taken: set[int] = set()
    for likeness, i, j in pairs:
        if likeness >= ALIKE and j not in found and i not in taken:
            found[j] = i
            taken.add(i)
    return found


def flat(cell: Any) -> str:
    """A cell as one text."""
    if isinstance(cell, list):
        return " ".join(map(flat, cell))
    return "" if cell is None else str(cell)


def forms(page: Page, node: int, field: str) -> list[str]:
    """What an element says: its text, and of a date what its attributes say."""
    found = [page.text(node)]
    if field == "date":
        around = [node, *range(node + 1, node + int(page.size[node])), int(page.parent[node])]
        found += [
            value
            for inner in around
            if page.tag[inner] != TEXT
            for name, value in page.attributes(inner).items()
            if name in ("datetime", "title", "data-time")
        ]
    return found


def says(cell: Any, value: Any, known: Iterable[str], field: str) -> bool:
    """Whether a cell, or its value, has what a post has."""
    text = flat(cell)
    if not text:
        return False
    if field != "date":
        return any(dice(words(text), words(form)) >= ALIKE for form in known)
    day = value.isoformat()[:10] if hasattr(value, "isoformat") else None
    return any(dice(words(text), words(form)) >= SAME_DAY or (day and form.startswith(day)) for form in known)


class Outcome(NamedTuple):
    """What was found on a page."""

    page: str
    is_list: bool
    confidence: float
    right: int
    predicted: int
    true: int
    opening: bool | None
    found: dict[str, bool]
    named: dict[str, bool]

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.predicted + self.true) if self.predicted + self.true else 0.0


def measure(folder: Path, facts: dict[str, Any]) -> Outcome:
    """Read a page, and compare."""
    data = (folder / facts["page"]).read_bytes()
    page = Page(gzip.decompress(data) if facts["page"].endswith(".gz") else data, facts.get("url") or None)
    x = fastwrap.extract(page)
    posts = facts["posts"]
    texts = [own(page, posts, number) for number in range(len(posts))]
    records = x.regions[0].records if x.regions else []
    told = [words(record.text) for record in records]
    pairs = pair(told, texts)
    opening = None
    if facts["opening"]:
        first = [texts[0]] + ([words(page.text(posts[0][3]))] if posts[0][3] != NO_NODE else [])
        opening = bool(told) and max(dice(told[0], form) for form in first) >= OPENING
    found, named = {}, {}
    for place, field in enumerate(FIELDS, 1):
        known = {j: forms(page, post[place], field) for j, post in enumerate(posts) if post[place] != NO_NODE}
        known = {j: form for j, form in known.items() if j in pairs}
        if len([post for post in posts if post[place] != NO_NODE]) < len(posts) / 2:
            continue
        found[field] = named[field] = False
        for number, column in enumerate(x.regions[0].columns if known else []):
            hits = sum(
                says(records[pairs[j]].texts[number], records[pairs[j]].values[number], form, field)
                for j, form in known.items()
            )
            if hits >= MOST * len(known):
                found[field] = True
                named[field] |= column.role == FIELDS[field]
    return Outcome(
        facts["page"], x.kind == "list", x.confidence, len(pairs), len(told), len(texts), opening, found, named
    )


def own(page: Page, posts: list[list[int]], number: int) -> Words:
    """The words of a post, without those of the posts that stand within it."""
    start = posts[number][0]
    end = start + int(page.size[start])
    total = words(page.text(start))
    last = start + 1
    for other, *_ in posts[number + 1 :]:
        if last <= other < end:
            total -= words(page.text(other))
            last = other + int(page.size[other])
    return total


def share(values: Iterable[bool | float]) -> str:
    kept = [float(value) for value in values]
    return f"{sum(kept) / len(kept):.3f}" if kept else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--facts", type=Path, default=FACTS)
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--pages", action="store_true", help="print every page")
    o = parser.parse_args()
    outcomes = []
    for line in o.facts.read_text(encoding="utf-8").splitlines():
        facts = json.loads(line)
        if o.half is None or facts["half"] == o.half:
            outcomes.append(measure(o.corpus, facts))
            if o.pages:
                it = outcomes[-1]
                marks = " ".join(
                    f"{field}:{'named' if it.named[field] else 'found' if it.found[field] else '-'}"
                    for field in it.found
                )
                print(
                    f"{it.page:28} conf {it.confidence:.2f} {'list' if it.is_list else 'none'} posts {it.true:3} "
                    f"records {it.predicted:3} right {it.right:3} opening {it.opening} {marks}"
                )
    right, predicted, true = (sum(getattr(it, name) for it in outcomes) for name in ("right", "predicted", "true"))
    print(f"pages {len(outcomes)}")
    print(f"posts are the first region (F1 >= 0.5) {share(it.f1 >= 0.5 for it in outcomes)}")
    print(f"exact {share(it.right == it.predicted == it.true for it in outcomes)}")
    print(f"record F1 {2 * right / (predicted + true):.3f}, mean over pages {share(it.f1 for it in outcomes)}")
    print(f"opening post is the first record {share(it.opening for it in outcomes if it.opening is not None)}")
    print(f"confidence of 0.5 or more {share(it.confidence >= 0.5 for it in outcomes)}")
    for field in FIELDS:
        there = [it for it in outcomes if field in it.found]
        print(
            f"{field:7} found {share(it.found[field] for it in there)} named {share(it.named[field] for it in there)}"
        )


if __name__ == "__main__":
    main()
