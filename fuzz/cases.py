"""The cases of the attack: number k of a seed is always the same page, made of the same files.
A case is cut out of real pages and of the fragments of html5lib-tests, spliced, and changed by a few operations."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

import operations
from operations import OPERATIONS, Operation, Pieces, often, some, split

SMALLEST, ORDINARY, LARGEST = 2_000, 100_000, 1_000_000
"""Bytes: nearly all cases are below the second, small ones as often as large ones; LARGE of them are above it."""

LARGE = 0.04
FILLED = 0.5
"""How often a case that is far smaller than it may be is made larger."""

OTHER_METHOD, CLEANED, TRANSCODED, OTHER_PAGE = 0.3, 0.1, 0.03, 0.15
URLS = (None, "https://site.example/list?page=1", "http://site.example/a/b/3/", "https://[x", "")
URL_SHARES = (20, 20, 10, 1, 1)
ENCODINGS = ("utf-16", "utf-16-be", "shift_jis", "iso-2022-jp", "koi8-r", "gb18030")
MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"<meta charset=utf-16>", b"<meta charset=gb18030>", b"\0\0")


@dataclass(frozen=True)
class Case:
    """What one run through the library is given."""

    page: bytes
    second: bytes
    """A damaged copy of the page, or another page."""
    url: str | None
    method: str
    clean: bool


@dataclass(frozen=True)
class Sources:
    """What cases are made of."""

    corpus: Path
    """A folder whose pages (html, htm, also gzipped) are taken, at any depth."""
    fragments_folder: Path
    """html5lib-tests, or a folder that is not there."""
    methods: Sequence[str]
    """Those that are tried beside the automatic one."""

    @cached_property
    def paths(self) -> list[Path]:
        """The pages, in an order that is the same everywhere."""
        return sorted(path for ending in ("html", "htm", "html.gz") for path in self.corpus.rglob(f"*.{ending}"))

    @cached_property
    def fragments(self) -> list[bytes]:
        """The inputs of the tree construction tests."""
        return [
            test.partition(b"\n#errors")[0]
            for path in sorted(self.fragments_folder.rglob("tree-construction/*.dat"))
            for test in path.read_bytes().split(b"#data\n")[1:]
        ]

    def some_of_a_page(self, random: Random, size: int) -> Pieces:
        """A stretch of a page, or one of its elements."""
        path = random.choice(self.paths)
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        start = data.find(b"<", random.randint(0, max(0, len(data) - size)))
        parts = split(data[max(0, start) :][:size])
        if random.random() < 0.3:
            first, last = max((some(parts, random) for _ in range(5)), key=lambda ends: ends[1] - ends[0])
            return parts[first:last]
        return parts

    def some_fragments(self, random: Random, size: int) -> Pieces:
        """Several fragments, one after the other; a stretch of a page where there are none."""
        if not self.fragments:
            return self.some_of_a_page(random, size)
        made: Pieces = []
        for _ in range(often(random, 40)):
            made += [random.choice(self.fragments), b"\n"]
        return split(b"".join(made)[:size])

    def begin(self, random: Random, size: int) -> Pieces:
        """What a case begins with."""
        match random.random():
            case x if x < 0.55:
                return self.some_of_a_page(random, size)
            case x if x < 0.7:
                return self.some_fragments(random, size)
            case x if x < 0.95:
                return splice(
                    self.some_of_a_page(random, size // 2 + 1),
                    random.choice((self.some_of_a_page, self.some_fragments))(random, size // 2 + 1),
                    random,
                )
            case _:
                return []

    def case(self, seed: int, number: int) -> Case:
        """Case `number` of a seed."""
        random = Random(f"{seed} {number}")  # noqa: S311 - the same input every time is the point
        least, most = (ORDINARY, LARGEST) if random.random() < LARGE else (SMALLEST, ORDINARY)
        size = int(least * (most / least) ** random.random())
        parts = self.begin(random, random.randint(100, size))
        chosen: list[Operation] = random.choices(
            list(OPERATIONS), list(OPERATIONS.values()), k=random.choice((0, 1, 1, 2, 2, 3, 4))
        )
        for operation in chosen:
            parts = operation(parts, random, max(0, size - sum(map(len, parts))))
        if sum(map(len, parts)) < size / 4 and random.random() < FILLED:
            parts = random.choice(operations.GROWING)(parts, random, size)
        page = b"".join(parts)[: 2 * size]
        if random.random() < TRANSCODED:
            page = transcoded(page, random)
        if random.random() < OTHER_PAGE:
            other = self.begin(random, size)
        else:
            other = operations.small_changes(split(page), random, size)
        return Case(
            page,
            b"".join(other)[: 2 * size],
            random.choices(URLS, URL_SHARES)[0],
            random.choice(self.methods) if random.random() < OTHER_METHOD else "auto",
            random.random() < CLEANED,
        )


def splice(first: Pieces, second: Pieces, random: Random) -> Pieces:
    """Two pages as one, joined where a tag begins: the first half of one and the rest of the other, or one in the
    other, or stretches of both in turn."""
    here, there = random.randint(0, len(first)), random.randint(0, len(second))
    match random.randrange(3):
        case 0:
            return first[:here] + second[there:]
        case 1:
            return first[:here] + second + first[here:]
        case _:
            step = often(random, 40)
            turns = range(0, max(len(first), len(second)), step)
            return [part for k in turns for part in first[k : k + step] + second[k : k + step]]


def transcoded(page: bytes, random: Random) -> bytes:
    """In another encoding, or with the mark of one."""
    if random.random() < 0.5:
        return random.choice(MARKS) + page
    text = page.decode("utf-8", "replace")
    return text.encode(
        random.choice(("utf-16", "utf-16-be", "shift_jis", "iso-2022-jp", "koi8-r", "gb18030")), "ignore"
    )
