"""What a page shows in words: how much prose there is, what it calls itself, and whether it says a given text.
Told from the node arrays and the head, before any data is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fastwrap.page import Page
from fastwrap.page.names import NO_NODE, TAG_NUMBER, TEXT
from fastwrap.structured.meta import read_meta
from fastwrap.structured.sentences import plain

PROSE = 80
"""Bytes of a text that is prose."""
MOST_TEXTS, PIECES, PIECE = 60, 24, 40
"""Texts that are looked for, and pieces of each, evenly spread; and the letters of a piece."""
LEAST_TITLE = 3
"""Letters of what may be a title."""
BEGINNING = 40
"""Letters of a description that a text agrees with."""
PARTS = re.compile(r"\s+[-–—|·•»:/]+\s+|\s*[|»]\s*")
"""What parts the title of a page from the name of the site."""
NO_WORD = re.compile(r"[\W_]+")
TITLE, HEADING = TAG_NUMBER["title"], TAG_NUMBER["h1"]


def prose_of(page: Page) -> int:
    """Bytes of the long texts of a page.

    >>> prose_of(Page("<p>short</p><p>" + "long " * 30))
    150
    """
    lengths = np.diff(page.text_start)[page.tag == TEXT]
    return int(lengths[lengths >= PROSE].sum())


def letters(text: str) -> str:
    """The letters and digits of a text, in small letters: what remains of it however it is written.

    >>> letters("Tea &amp; Milk, 2 oz.")
    'teamilk2oz'
    """
    return NO_WORD.sub("", plain(text)).lower()


@dataclass(frozen=True, slots=True)
class Called:
    """What a page calls itself."""

    title: str
    """Nothing if it has none."""
    titles: frozenset[str]
    """The letters of all that may be its title."""
    description: str
    """The letters that its description begins with; nothing if it has none."""

    def agrees(self, text: str) -> bool:
        """Whether something is called what the page is called."""
        return len(text) < 500 and letters(text) in self.titles

    def describes(self, text: str) -> bool:
        """Whether the description of the page is the beginning of a text, or nearly."""
        return bool(self.description) and self.description in letters(text[: 20 * BEGINNING])


def called(page: Page) -> Called:
    """What a page calls itself, in its head and in its first headings.

    >>> told = called(Page("<title>Green tea | Tea House</title><meta property=og:site_name content='Tea House'>"))
    >>> told.title, told.agrees("Green Tea"), told.agrees("Tea house")
    ('Green tea', True, False)
    """
    meta = read_meta(page)
    node = next(iter(np.flatnonzero(page.tag == TITLE).tolist()), NO_NODE)
    whole = "" if node == NO_NODE else page.text(node)
    shared = [*meta.get("og:title", ()), *meta.get("twitter:title", ())]
    parts = [part for part in PARTS.split(whole) if part.strip()]
    heads = [page.text(head) for head in np.flatnonzero(page.tag == HEADING).tolist()[:3]]
    site = {letters(name) for name in meta.get("og:site_name", ())}
    titles = [*shared, *heads, whole, *parts[:1], *sorted(parts, key=len)[-1:]]
    kept = [title.strip() for title in titles if len(letters(title)) >= LEAST_TITLE and letters(title) not in site]
    said = next(iter(meta.get("og:description", meta.get("description", meta.get("twitter:description", ())))), "")
    first = next((title for title in [*shared[:1], *parts[:1]] if title.strip() in kept), kept[0] if kept else "")
    start = letters(said)[:BEGINNING]
    return Called(first.strip(), frozenset(map(letters, kept)), start if len(start) == BEGINNING else "")


def pieces_of(text: str) -> list[str]:
    """Some pieces of a text, evenly spread, by their letters: enough to tell whether another has it."""
    said = letters(text)
    if len(said) <= PIECE:
        return [said] if said else []
    count = min(PIECES, len(said) // PIECE)
    step = (len(said) - PIECE) / max(1, count - 1)
    return [said[int(k * step) : int(k * step) + PIECE] for k in range(count)]


def share_within(texts: Sequence[str], whole: str) -> float:
    """How much of some texts stands in another one, from 0 to 1, by pieces of them.

    >>> share_within(["Boil the water first.", "Wait for a minute."], letters("Now wait for a minute!"))
    0.5
    """
    step = -(-len(texts) // MOST_TEXTS)
    pieces = [piece for text in texts[:: max(1, step)] for piece in pieces_of(text)]
    return sum(piece in whole for piece in pieces) / len(pieces) if pieces else 0.0
