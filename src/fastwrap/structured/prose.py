"""Prose that a page carries and does not show: in its scripts and attributes, in JSON-LD, or in markup for browsers
without scripts. What it exists for is told by how much is said, where, and by what the page calls itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fastwrap._core.structured.keys import Names
from fastwrap._core.structured.strings import Spot
from fastwrap.errors import FastwrapError
from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER, TEXT
from fastwrap.structured import reading, scripts
from fastwrap.structured.jsonld import kind_of
from fastwrap.structured.judging import words_of
from fastwrap.structured.passages import ARTICLES, Passage, Run, are_said, read_runs
from fastwrap.structured.posts import BODIES, bare, byline, head_of
from fastwrap.structured.sentences import markup_of, plain, prose_weight
from fastwrap.structured.shown import PROSE, Called, called, letters, prose_of, share_within
from fastwrap.structured.writing import FAR, Unit, document, units_of

NOTE = "prose"
"""What the page is called in the notes of the one that carries it."""
MOST_SHOWN, MOST_TEXT = 1_500, 5_000
"""Bytes of long texts, and of all texts, on a page that may have its content elsewhere."""
LEAST_PROSE = 80
"""What has to be said at least, in letters."""
LONGER = 2
"""How many times as much as the page shows in long texts."""
LEAST_NEW = 0.5
"""Of what is carried that the page must not have in its tree, be it hidden."""
LEAST_TEASER = 0.5
"""Of the long texts of a page that stand in the article that it carries, if they are its beginning."""
ALONE = 600
"""Letters that are enough where nothing but their keys says that they are what the page is about ..."""
MOST = 0.6
"""... and how much that is of all that the page carries."""
LEAST_POSTS = 3
"""That are a thread, whatever the page is called."""
ENOUGH = 0.8
"""Of what the markup for browsers without scripts says that data must have to be taken: it has less of what is beside
the point."""
MOST_NOSCRIPTS = 3
"""That are read, the longest ones."""
BODY = b'"articleBody"'
HEADINGS, ARTICLE = (TAG_NUMBER["h1"], TAG_NUMBER["h2"]), TAG_NUMBER["article"]
NEAR = 8
"""Objects around a passage that are looked at for what they are called."""
SAMPLE = 40
"""Objects that are looked at to tell whether each is about another thing."""
MOST_PASSAGES = 20_000
"""That are written, the first ones."""
MOST_LETTERS = 1_000_000
"""Characters of a page in which what it carries is looked for."""
TITLED, DESCRIBED, HINTED, MARKED = 3.0, 3.0, 1.5, 1.2
"""How many times as much a run counts if it stands in something that is called what the page is called; if the page's
description is its beginning; if its key often leads to prose; if it is HTML."""
BESIDE_WORDS = frozenset(
    """
    ad ads analytics announcement announcements author authors banner banners bio biography brand campaign captcha
    config configs configuration consent cookie cookies copyright dictionary disclaimer email emails error errors
    experiment experiments footer gdpr help i18n intl l10n labels lang language languages legal license locale locales
    localization menu menus messages modal modals nav navigation newsletter notification notifications option options
    organization phrases placeholder plugin plugins policies policy popup privacy profile promo promotion promotions
    publisher query rating ratings recirc recommendation recommendations recommended related review reviews schema
    script scripts seo setting settings shipping sidebar similar strings style styles suggestion suggestions svg
    template templates terms testimonial testimonials theme themes toast tooltip tooltips tracking translation
    translations trending ui upsell upsells user users validation warranty widget widgets
    """.split()
)
"""Words of keys that lead to what is said of something else, or by the program."""
LINKS = Names("url href link permalink slug uri canonicalurl detailurl producturl".split())
PLACES = frozenset("postnumber position index order sequence floor".split())
"""Keys to the place of a post in its thread."""


def needs_prose(page: Page) -> bool:
    """Whether a page shows so little prose that what it carries should be looked at: quickly told, before any data is
    read. True also where it carries an article of which it may show the beginning alone.

    >>> long = "It says all that there is to say in very many words, which nobody shows. " * 20
    >>> needs_prose(Page(f'<p>Loading<script>state = {{"text": "{long}"}}</script>')), needs_prose(Page(f"<p>{long}"))
    (True, False)
    """
    if shows_much(page):
        return carries_article(page)
    return len(page.arrays.noscript_start) > 1 or reading.has_data(page)


def shows_much(page: Page) -> bool:
    """Whether a page has texts of its own."""
    return len(page.arrays.text) > MOST_TEXT or prose_of(page) > MOST_SHOWN


def carries_article(page: Page) -> bool:
    """Whether a script has the body of an article, and is much longer than what the page shows."""
    values, starts = page.arrays.values, page.arrays.script_start
    if values.find(BODY, starts.item(0)) < 0:
        return False
    shown = prose_of(page)
    return any(
        end - start > LONGER * shown and values.find(BODY, start, end) >= 0
        for start, end in itertools.pairwise(starts.tolist())
    )


@dataclass(slots=True)
class Carried:
    """Prose that a page carries."""

    html: str
    texts: list[str]
    """What it says, part by part."""
    weight: int
    title: str = ""
    units: Sequence[Unit] = ()
    """What it is written from, if it is data."""
    limits: tuple[str, ...] = ()

    def page(self, base: str | None) -> Page | None:
        """The same as a page; None if it cannot be one."""
        for html in (self.html, document(self.title, self.units, as_text=True) if self.units else ""):
            try:
                page = Page(html, base)
            except FastwrapError:  # too deep
                continue
            # Markup that does not end would have taken other articles into itself.
            if html and np.count_nonzero(page.tag == ARTICLE) >= len(self.units):
                page.limits = self.limits
                return page
        return None


def carried_prose(page: Page) -> Page | None:
    """The prose that a page carries and does not show, as a page of its own; None where there is none, or where the
    page shows what it says.

    >>> said = "Boil the water, take it from the fire, and wait for a minute before you pour it. " * 3
    >>> data = f'{{"@type": "Article", "headline": "Green tea", "articleBody": "{said}"}}'
    >>> page = Page(f"<title>Green tea</title><p>Loading<script type=application/ld+json>{data}</script>")
    >>> carried_prose(page).text()[:31]
    'Green tea Green tea Boil the wa'
    """
    notes = page.notes
    if NOTE not in notes:
        notes[NOTE] = find(page) if needs_prose(page) else None
    found: Page | None = notes[NOTE]
    return found


def find(page: Page) -> Page | None:
    """The same, of a page that may carry some."""
    name = called(page)
    is_teaser = shows_much(page)
    data = in_data(page, name, BODY.decode().strip('"') if is_teaser else "")
    markup = None if is_teaser else in_markup(page, name)
    said = letters(page.text()[:MOST_LETTERS])
    for each in sorted(
        (each for each in (data, markup) if each is not None),
        key=lambda each: -each.weight * (ENOUGH if each is markup else 1.0),
    ):
        if not is_much_more(page, each, is_teaser) or 1 - share_within(each.texts, said) < LEAST_NEW:
            continue
        if is_teaser and share_within(long_texts(page), letters(" ".join(each.texts))) < LEAST_TEASER:
            continue
        found = each.page(page.base)
        if found is not None:
            return found
    return None


def is_much_more(page: Page, carried: Carried, is_teaser: bool) -> bool:
    """Whether a page carries much more than it shows: twice as much prose and, if it is to stand for the page without a
    beginning there, more than all short texts."""
    shown = prose_of(page)
    return carried.weight >= LONGER * shown and (is_teaser or carried.weight >= len(page.arrays.text) - shown)


def long_texts(page: Page) -> list[str]:
    """The texts of a page that are prose."""
    is_long = (page.tag == TEXT) & (np.diff(page.text_start) >= PROSE)
    return [page.text(node) for node in np.flatnonzero(is_long).tolist()]


# Markup for browsers without scripts


def in_markup(page: Page, name: Called) -> Carried | None:
    """What a page has for browsers without scripts, if it is more than a word of regret."""
    for markup in sorted(page.noscripts, key=len, reverse=True)[:MOST_NOSCRIPTS]:
        try:
            other = Page(markup)
        except FastwrapError:
            continue
        texts = list(dict.fromkeys(long_texts(other)))
        found = sum(map(prose_weight, texts))
        heads = [other.text(node) for node in np.flatnonzero(np.isin(other.tag, HEADINGS)).tolist()[:5]]
        agrees = any(map(name.agrees, heads)) or name.describes(other.text())
        if found >= LEAST_PROSE and (agrees or found >= ALONE):
            title = f"<title>{name.title.replace('<', '&lt;')}</title>" if name.title else ""
            return Carried(f"<!doctype html>{title}{markup}", texts, found)
    return None


# Data


@dataclass(slots=True)
class Claim:
    """A run, and what speaks for it."""

    run: Run
    titled: bool
    described: bool
    hinted: bool
    is_other: bool
    """Whether it is about something else: it stands in what is beside the point, or each of its strings is about a
    thing of its own."""
    score: float = field(init=False)

    def __post_init__(self) -> None:
        factors = (
            (self.titled, TITLED),
            (self.described, DESCRIBED),
            (self.hinted, HINTED),
            (any(map(markup_of, (passage.text for passage in self.run.passages if passage.weight))), MARKED),
        )
        self.score = float(self.run.weight)
        for holds, factor in factors:
            self.score *= factor if holds else 1.0


def roots_of(page: Page) -> Iterator[tuple[str, Any]]:
    """All values that the data of a page has, each with the name of the attribute that it stands in, if any."""
    for value in scripts.state(page):
        yield "", value
    for _, name, value in scripts.attributes(page):
        if isinstance(value, (dict, list)):
            yield name, value


def in_data(page: Page, name: Called, key: str = "") -> Carried | None:
    """What the data of a page says at greatest length of what the page is about; only at one key, if that is given."""
    runs, limits = read_runs(roots_of(page))
    if not runs:
        return None
    total = sum(run.weight for run in runs)
    claims = (claim_of(run, name) for run in runs if not key or run.path[-1] == key)
    best = max((claim for claim in claims if is_main(claim, total)), key=lambda claim: claim.score, default=None)
    if best is None:
        return None
    passages = in_order(with_others(best, runs))
    if len(passages) > MOST_PASSAGES:
        limits.append("structured.json")
        passages = passages[:MOST_PASSAGES]
    units = units_of(passages)
    found = sum(passage.weight for unit in units for passage in unit.passages)
    texts = [plain(passage.text) for unit in units for passage in unit.passages if passage.weight]
    limits = [*limits, *scripts.scripts_of(page).limits]
    return Carried(document(name.title, units), texts, found, name.title, units, union(limits))


def claim_of(run: Run, name: Called) -> Claim:
    """A run, and what speaks for it."""
    first = next(passage for passage in run.passages if passage.weight)
    spots = first.spot.chain(NEAR)
    words = {word for key in run.path for word in words_of(key)}
    last = bare(run.path[-1])
    return Claim(
        run,
        titled=any(map(name.agrees, (head for spot in spots if (head := head_of(spot.value))))),
        described=name.describes(first.text),
        hinted=last in BODIES,
        is_other=not BESIDE_WORDS.isdisjoint(words) or are_other_things(run, name),
    )


def are_other_things(run: Run, name: Called) -> bool:
    """Whether most strings of a run are about things that are called something, and have an address of their own."""
    spots = list({passage.spot.number: passage.spot for passage in run.passages[: 4 * SAMPLE]}.values())[:SAMPLE]
    others = 0
    for spot in spots:
        named = next((each for each in spot.chain(FAR) if head_of(each.value)), None)
        if named is not None and not name.agrees(head_of(named.value)):
            others += LINKS.are_in(named.value)
    return len(spots) > 1 and others * 2 > len(spots)


def is_main(claim: Claim, total: int) -> bool:
    """Whether a run is what a page is about."""
    found = claim.run.weight
    if found < LEAST_PROSE or claim.is_other:
        return False
    if claim.titled or claim.described:
        return True
    signed = {passage.spot.number for passage in claim.run.passages[:SAMPLE] if all(byline(passage.spot.value))}
    return len(signed) >= LEAST_POSTS or (claim.hinted and found >= ALONE and found >= MOST * total)


def with_others(best: Claim, runs: Sequence[Run]) -> list[Passage]:
    """The passages of a run, with the one that they answer, and those that answer them."""
    own = {passage.text for passage in best.run.passages}
    first = next(passage for passage in best.run.passages if passage.weight)
    around = [spot.number for spot in first.spot.chain(NEAR)]
    found = list(best.run.passages)
    openings: list[tuple[int, int, Passage]] = []
    for run in runs:
        if run is best.run:
            continue
        if are_said(run.names - best.run.names) and not kind_of(first.spot.value).endswith(ARTICLES):
            found += [
                passage
                for passage in run.passages
                if passage.text not in own and first.spot.number in (spot.number for spot in passage.spot.chain())
            ]
        elif are_said(best.run.names - run.names):
            openings += [
                (around.index(passage.spot.number), -passage.weight, passage)
                for passage in run.passages
                if passage.weight and passage.spot.number in around[1:] and passage.text not in own
            ]
    if openings:
        found.insert(0, min(openings, key=lambda opening: opening[:2])[2])
    return found


def in_order(passages: list[Passage]) -> list[Passage]:
    """Passages in the order that their objects say they have, if all do."""
    places = [place_of(passage.spot) for passage in passages]
    if any(place is None for place in places) or len(set(places)) < len({id(passage.spot) for passage in passages}):
        return passages
    return [passage for _, passage in sorted(zip(places, passages, strict=True), key=lambda pair: pair[0] or 0)]


def place_of(spot: Spot) -> int | None:
    """The place of a post in its thread; None if it does not say."""
    return next((value for key, value in spot.value.items() if bare(key) in PLACES and type(value) is int), None)
