"""What a page says of itself: its title and its language."""

from __future__ import annotations

import re

import numpy as np

from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER

META = TAG_NUMBER["meta"]
SAME_TITLE = 0.8
"""The likeness from which a heading is what a page calls itself."""
MOST_HEADINGS = 200
"""Headings that are compared with it."""
# RFC 5646, without private and grandfathered tags: a language, a script, a region, and what nobody asks for.
LANGUAGE = re.compile(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?(?:-[a-z0-9]{1,8})*", re.IGNORECASE)


def title_of(page: Page) -> str | None:
    """The title of a page: its heading, or another line, that agrees with what it calls itself; else what it does call
    itself; None if it has no title.

    >>> title_of(Page("<title>Oak table | Shop</title><h2>Shop</h2><h1>Oak table</h1>"))
    'Oak table'
    >>> title_of(Page("<title>Why oaks grow slowly</title><h1>My diary</h1><h2>Why oaks grow slowly</h2>"))
    'Why oaks grow slowly'
    >>> title_of(Page("<meta property=og:title content=Tea><p>Green, or black"))
    'Tea'
    """
    # All of this is read for the title alone, and takes time to load.
    from fastwrap.detail import lines
    from fastwrap.detail.finding import title_fact
    from fastwrap.detail.titles import dice, find_title, page_title, parts_of, words_of
    from fastwrap.structured.meta import read_meta

    shown = lines.read(page)
    fact = title_fact(shown, *find_title(shown))
    said = read_meta(page)
    called = [" ".join(said[name][0].split()) for name in ("og:title", "twitter:title") if name in said][:1]
    called += parts_of(page_title(page))[:2][-1:]
    if fact is None:
        return called[0] if called else None
    words = [words_of(name) for name in called]
    if not called or any(words_of(str(fact.text)) & each for each in words):
        return str(fact.text)
    # A heading with no word of the page's own title is that of the site, or of a section.
    headings = [line.text for line in shown.lines if line.heading and len(line.text) <= 2 * max(map(len, called))]
    likeness, heading = max(
        ((max(dice(words_of(text), each) for each in words), text) for text in headings[:MOST_HEADINGS]),
        key=lambda each: each[0], default=(0.0, ""),
    )  # fmt: skip
    return heading if likeness >= SAME_TITLE else called[0]


def language_of(page: Page) -> str | None:
    """The language that a page says it is in, as RFC 5646 writes it; None if it says nothing.

    >>> language_of(Page("<html lang=EN_us>")), language_of(Page("<meta property=og:locale content=pt_BR>"))
    ('en-US', 'pt-BR')
    """
    for said in (page.language, *languages_of_head(page)):
        if said and (language := normal_language(said)):
            return language
    return None


def languages_of_head(page: Page) -> list[str]:
    """What the `meta` elements of a page say of its language, the surest first.

    >>> languages_of_head(Page("<meta name=language content=de><meta http-equiv=Content-Language content='en, fr'>"))
    ['en', 'de']
    """
    from fastwrap.structured.meta import MOST_META, read_meta

    found = []
    for node in np.flatnonzero(page.tag == META)[:MOST_META].tolist():
        attributes = page.attributes(node)
        if attributes.get("http-equiv", "").strip().lower() == "content-language":
            found.append(attributes.get("content", "").partition(",")[0])
    said = read_meta(page)
    return [*found, *(said[name][0] for name in ("language", "og:locale", "dc.language", "inlanguage") if name in said)]


def normal_language(said: str) -> str | None:
    """A language as RFC 5646 writes it; None if it is none.

    >>> [normal_language(said) for said in ("DE", "zh_hans_cn", " en-GB-oxendict", "english", "x-default", "{{lang}}")]
    ['de', 'zh-Hans-CN', 'en-GB', None, None, None]
    """
    match = LANGUAGE.fullmatch(said.strip().replace("_", "-"))
    if match is None:
        return None
    language, script, region = match.groups()
    return "-".join(filter(None, (language.lower(), script and script.title(), region and region.upper())))
