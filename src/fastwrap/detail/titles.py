"""The title of a page about one thing: the heading, or another line, that agrees with what the page calls itself."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from fastwrap.detail.lines import Lines
from fastwrap.detail.words import BESIDE, RELATED, kind_of_heading
from fastwrap.page import Page
from fastwrap.page.names import NO_NODE, TAG_NUMBER

TITLE = TAG_NUMBER["title"]
HEADINGS = tuple(TAG_NUMBER[f"h{level}"] for level in range(1, 4))
SEPARATOR = re.compile(r"\s+[|–—·•»:\-/~>]+\s+|\s*[|»·•]\s*|:\s+")
WORD = re.compile(r"\w+")
BYLINE = re.compile(r"(?:by|von|par|por|door|di)\s+[A-ZÀ-Þ]", re.IGNORECASE)
LONGEST = 250
"""Characters of a title."""
MOST_CANDIDATES = 150
"""Lines that are looked at, from the first on."""
LEVEL_POINTS = (0.0, 2.5, 1.2, 0.7, 0.4, 0.2, 0.1)
"""By the level of a heading; the first for what is none."""


@lru_cache(1024)
def words_of(text: str) -> frozenset[str]:
    """The words of a text, in small letters."""
    return frozenset(WORD.findall(text.lower()))


def dice(one: frozenset[str], other: frozenset[str]) -> float:
    """How alike two texts are by their words, from 0 to 1 (Dice 1945).

    >>> dice(words_of("an oak table"), words_of("Oak table"))
    0.8
    """
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def page_title(page: Page) -> str:
    """What the page calls itself: the text of its title element."""
    for node in np.flatnonzero(page.tag[: page.body] == TITLE)[:3].tolist():
        if text := page.text(node):
            return text[: 2 * LONGEST]
    return ""


def parts_of(title: str) -> list[str]:
    """The title of a page, and the parts that it has between separators.

    >>> parts_of("Oak table - Tables | Shop")
    ['Oak table - Tables | Shop', 'Oak table', 'Tables', 'Shop', 'Oak table - Tables']
    """
    parts = [part for part in SEPARATOR.split(title) if part and WORD.search(part)]
    found = [title, *parts] if len(parts) > 1 else [title] if title else []
    if len(parts) > 2:
        found.append(title[: title.rfind(parts[-1])].rstrip(" |–—·•»:-/~>"))
    return found


def agreement(words: frozenset[str], parts: list[frozenset[str]]) -> float:
    """How well words agree with those of the title of their page and its parts, from 0 to 1; less for what stands there
    last, the site."""
    best = 0.0
    for place, part in enumerate(parts):
        weight = 1.0 if place <= 1 or place > 3 else 0.75
        best = max(best, weight * dice(words, part))
    if parts and words and words <= parts[0]:
        best = max(best, min(0.9, 0.4 + 0.1 * len(words)))
    return best


FORMAT = re.compile(
    r"(.{2,}\S)\s*[(\[]\s*((?:mass market |trade |library |board |spiral[- ])?(?:hardcover|hardback|paperback|"
    r"softcover|binding|"
    r"board book|kindle(?: edition)?|e-?book|audio ?book|audio cd|mp3(?: cd)?|cd|dvd|blu-ray(?: disc)?|vinyl|large"
    r" print|"
    r"taschenbuch|gebundene ausgabe|gebunden|broschiert|broché|relié|poche|tapa (?:dura|blanda)|copertina \w+|brossura|"
    r"capa (?:dura|comum)))\s*[)\]]",
    re.IGNORECASE,
)
"""A title, and in brackets the form that the thing comes in."""
KIND_BEHIND = re.compile(
    r"\s+[–—|-]\s+(?:recept|rezept|recipe|recette|receta|receita|ricetta|przepis|op?pskrift|рецепт)$", re.IGNORECASE
)
"""What only says what kind of thing it is."""


def title_and_format(title: str) -> tuple[str, str]:
    """The title of a thing, and the form that it comes in, if that stands in brackets behind it.

    >>> title_and_format("Emma (Hardcover)"), title_and_format("Emma (a novel)")
    (('Emma', 'Hardcover'), ('Emma (a novel)', ''))
    >>> title_and_format("Lentil soup – recipe")
    ('Lentil soup', '')
    """
    match = FORMAT.fullmatch(KIND_BEHIND.sub("", title))
    return (match[1], match[2]) if match else (KIND_BEHIND.sub("", title), "")


def title_elsewhere(page: Page) -> tuple[str, int, int] | None:
    """A heading that agrees with the title of its page, wherever it stands; else the first part of that title."""
    parts = parts_of(page_title(page))
    if not parts:
        return None
    called = [words_of(part) for part in parts]
    for node in np.flatnonzero(np.isin(page.tag, HEADINGS) & ~page.hidden)[:MOST_CANDIDATES].tolist():
        text = page.text(node)
        if 2 < len(text) <= LONGEST and agreement(words_of(text), called) >= 0.8:
            return text, node, node + page.size.item(node)
    text = parts[1] if len(parts) > 1 else parts[0]
    return (text, NO_NODE, NO_NODE) if len(text) <= LONGEST else None


def find_title(lines: Lines) -> tuple[int, float]:
    """The line of the title, and how well it agrees with that of the page; NO_NODE and 0 where there is none.

    >>> from fastwrap.detail.lines import read
    >>> page = Page("<title>Oak table | Shop</title><b>Shop</b><h1>Oak table</h1><h2>Reviews</h2>")
    >>> find_title(read(page))
    (1, 1.0)
    """
    parts = [words_of(part) for part in parts_of(page_title(lines.page))]
    called = parts[0] if parts else frozenset()
    best, found, agreed = 0.0, NO_NODE, 0.0
    near = lines.lines[:MOST_CANDIDATES]
    # Headings first: few other lines can then still win. Of those that are as good, the first does.
    for line in (
        *(line for line in near if line.heading),
        *(line for line in lines.lines[MOST_CANDIDATES:] if line.heading == 1),
        *(line for line in near[:61] if not line.heading and line.linked <= 0.5),
    ):
        if len(line.text) > LONGEST:
            continue
        if LEVEL_POINTS[line.heading] + 3 + 0.3 * line.bold - 0.005 * line.number < best:
            continue  # even if it agreed in full
        words = words_of(line.text)
        if not words or BYLINE.match(line.text):
            continue
        agrees = agreement(words, parts) if words & called else 0.0
        if line.heading > 1 and kind_of_heading(line.text)[0] in (BESIDE, RELATED):
            continue
        score = LEVEL_POINTS[line.heading] + 3 * agrees + 0.3 * line.bold - 0.005 * line.number
        if not line.heading and agrees < 0.8 and not (line.bold > 0.9 and line.number < 5):
            continue
        if len(line.text) < 3:
            score -= 2
        if score > best or (score == best and line.number < found):
            best, found, agreed = score, line.number, agrees
    return found, round(agreed, 4)
