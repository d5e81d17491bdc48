"""Random tag soups: the arrays that the reader makes of them against those of selectolax's tree, by all cores.
`python fuzz/soups.py [COUNT] [--seed S]` prints soups that differ; ends with status 1 if there are any."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the twins of the tests are the oracle

from tests.page.test_reading import DIFFERENT
from tests.reference.page.walk import parse, walk
from tests.reference.soups import ATTRIBUTES, OTHERS, TAGS

from fastwrap import FastwrapError
from fastwrap.page import reading

PART = 20_000
"""Soups of one seed, after which a process says what it has found."""

MOST_PIECES = 60
SHOWN = 20

KNOWN = re.compile(b"|".join(DIFFERENT), re.DOTALL)
"""What Lexbor may read in another way than the standard."""


def soup(chance: Random) -> bytes:
    """Start tags, end tags and what else there is, in any order; few kinds of tags in some, so that they meet often."""
    tags = chance.sample(TAGS, chance.randint(2, 8)) if chance.random() < 0.5 else TAGS
    pieces = []
    for _ in range(chance.randint(1, MOST_PIECES)):
        kind = chance.random()
        if kind < 0.45:
            pieces.append(f"<{chance.choice(tags)}{chance.choice(ATTRIBUTES)}{chance.choice(('', '', '/'))}>")
        elif kind < 0.7:
            pieces.append(f"</{chance.choice(tags)}>")
        else:
            pieces.append(chance.choice(OTHERS))
    return "".join(pieces).encode()


def differs(html: bytes) -> bool:
    """Whether the two ways disagree: in the arrays, in names, or in what they refuse."""
    ours: dict[int, str] = {}
    theirs: dict[int, str] = {}
    try:
        found = reading.read(html, ours)
    except FastwrapError:
        return True
    expected = walk(parse(html), theirs)
    pairs = zip(found, expected, strict=True)
    return ours != theirs or not all(np.array_equal(np.asarray(one), np.asarray(other)) for one, other in pairs)


def part(seed: str) -> tuple[int, int, list[bytes]]:
    """Of one part of a run: how many soups were compared, how many may differ for a known reason, which differ."""
    chance = Random(seed)  # noqa: S311 - the same soups every time are the point
    compared, known, found = 0, 0, []
    for _ in range(PART):
        html = soup(chance)
        if KNOWN.search(html):
            known += 1
            continue
        compared += 1
        if differs(html):
            found.append(html)
    return compared, known, found


def run(count: int, seed: int) -> Iterator[tuple[int, int, list[bytes]]]:
    """The parts of a run, as they end."""
    with Pool() as pool:
        yield from pool.imap_unordered(part, (f"{seed} {number}" for number in range(-(-count // PART))))


def main() -> int:
    """Run, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1_000_000, help="soups (default: a million)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    compared, known, differing = 0, 0, 0
    for one_compared, one_known, found in run(options.count, options.seed):
        compared, known = compared + one_compared, known + one_known
        for html in found:
            differing += 1
            if differing <= SHOWN:
                print(html, flush=True)
        print(
            f"{compared:,} compared, {known:,} left out: Lexbor may differ, {differing:,} differ, "
            f"{time.monotonic() - began:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
