"""What is beside the point of a page about one thing: navigation, comments, what is related, shared or sold with it.
By tags, roles and the words of classes and ids; never what holds the main heading or most of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.detail.names import hash_of_word, meanings
from fastwrap.detail.words import CLASS_WORDS, INGREDIENTS, INSTRUCTIONS, RELATED_HEADINGS
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER, TAGS, TEXT

H1 = TAG_NUMBER["h1"]

BESIDE_TAGS = np.zeros(len(TAGS) + 1, dtype=bool)
"""Whether an element is beside the point, by the number of its tag; the last entry is that of unknown names."""
BESIDE_TAGS[
    [TAG_NUMBER[name] for name in ("nav", "footer", "aside", "dialog", "select", "menu", "textarea", "svg")]
] = True
HEADER, BUTTON, ASIDE_TAG, ARTICLE, MAIN = (
    TAG_NUMBER[name] for name in ("header", "button", "aside", "article", "main")
)
PART_MARK = re.compile(r"__?|-|\s|$")
FIRST_HEADING = TAG_NUMBER["h1"]

MOST_TEXT = 0.5
"""Share of the page's text that something named as beside the point may have."""

MOST_HIDDEN = 0.45
"""Share of the page's text that may be hidden for good."""

WORDS = frozenset(
    """
    ad ads advert advertisement advertising alsolike alsobought banner breadcrumb breadcrumbs captcha carousel cart
    comment comments commentlist commentform consent cookie cookies copyright dialog disqus dropdown facebook flyout
    footer gdpr hamburger instagram lightbox login logo masthead megamenu menu minicart modal modals nav navbar
    navigation navi newsletter offcanvas overlay pager pagination pinterest pingback popover popular popup promo promos
    recent recently recommendation recommendations recommended related respond share sharing shares sidebar sidenav
    signin signup similar skip sitemap social socials subscribe subscription suggested suggestions taboola outbrain
    toast toolbar tooltip topbar trending tweet twitter upsell upsells userreviews viewed
    reviewlist reviewslist customerreviews replies paywall morefrom sponsored crosssell preloader
    """.split()
)
"""Words of class names and ids."""
CONTENT = frozenset(
    """
    article content description detail details directions entry feature features ingredient ingredients instruction
    instructions main method nutrition post preparation product recipe spec specification specifications specs steps
    summary zutaten zubereitung
    """.split()
)
"""Words beside these that say that it is a part of the thing all the same: `sidebar-ingredients`."""
KEPT = frozenset(
    """
    directions ingredient ingredients instruction instructions nutrition preparation spec specification specifications
    specs zutaten zubereitung
    """.split()
)
"""Words of what is a part of the thing even within something that is beside it."""
UNSEEN = frozenset(
    "sr-only screen-reader-text screen-reader screenreader visually-hidden visuallyhidden sr_only show-for-sr "
    "u-visually-hidden a11y-hidden element-invisible screen-reader-only visually-hidden-focusable".split()
)
"""Class names of what only screen readers read."""
ROLES = frozenset("navigation banner contentinfo complementary dialog alertdialog menu menubar toolbar search".split())
NO_PLACE = frozenset("has with no without is hide hidden show not remove count number link links anchor".split())
"""Words before or after one of these that make it say something of another thing."""

STRONG = frozenset("comment comments related recommended similar nav navigation breadcrumb breadcrumbs share".split())
"""Words that say so whatever stands beside them: `related-products`."""
OTHERS = frozenset(
    """
    alsobought alsolike crosssell recommendation recommendations recommended related similar suggested suggestions
    upsell upsells viewed morefrom
    """.split()
)
"""Words of what is about other things of its kind."""
OPENING = re.compile(r"[^a-z]*([a-z]+)")
"""The first word of a heading, as far as the kernel reads it."""
OPENINGS = {match[1] for heading in RELATED_HEADINGS if (match := OPENING.match(heading))}
"""What the headings begin with that other things of its kind stand below."""
NOTHING, ASIDE, HIDDEN, PART, OTHER = range(5)
WHERE = 7
"""The bits that say one of these; those above say what an element has."""
KINDS = ("", INGREDIENTS, INSTRUCTIONS)
BITS = {
    1: WORDS, 2: NO_PLACE, 4: CONTENT, 8: KEPT, 16: STRONG, 32: OTHERS, 64: CLASS_WORDS[INGREDIENTS].split(),
    128: CLASS_WORDS[INSTRUCTIONS].split(), 256: UNSEEN, 512: ROLES, 1024: OPENINGS,
}  # fmt: skip
"""What words are, as the kernel has it in bits."""


@cache
def word_table() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """The hashes of all words, sorted, and what each is, as the kernel takes them."""
    table: dict[int, int] = {}
    for bit, words in BITS.items():
        for word in words:
            hashed = hash_of_word(word.encode())
            table[hashed] = table.get(hashed, 0) | bit
    hashes = np.array(sorted(table), dtype=np.uint64)
    return hashes, np.array([table[hashed] for hashed in sorted(table)], dtype=np.int32)


def is_heading(tags: Int32Array) -> npt.NDArray[np.bool_]:
    """Whether tags are those of headings."""
    return (tags >= FIRST_HEADING) & (tags < FIRST_HEADING + 6)


def outermost(nodes: list[int], size: Int32Array) -> Iterator[int]:
    """Those of some nodes, in order, that are not within another."""
    reached = 0
    for node in nodes:
        if node >= reached:
            reached = node + size.item(node)
            yield node


def is_shown_later(page: Page) -> bool:
    """Whether most of a page is hidden: a script shows it, once it is loaded."""
    hidden = page.hidden & (page.tag == TEXT)
    nodes = np.flatnonzero(hidden)
    letters = int((page.text_start[nodes + 1] - page.text_start[nodes]).sum())
    return letters > MOST_HIDDEN * max(int(page.text_start[-1]), 1)


def within_parts(page: Page, nodes: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    """Whether nodes stand in an article or in the main part: a header there is no banner of the site (WAI-ARIA 1.2)."""
    parts = np.flatnonzero((page.tag == ARTICLE) | (page.tag == MAIN))
    reached = np.maximum.accumulate(parts + page.size[parts]) if len(parts) else parts
    before = np.searchsorted(parts, nodes) - 1
    return (before >= 0) & (nodes < (reached[np.maximum(before, 0)] if len(parts) else 0))


def block_of(page: Page, node: int) -> str:
    """The block that the class names of an element say it is a part of (BEM): `masthead` of `masthead__info`."""
    return PART_MARK.split(page.attributes(node).get("class", ""), maxsplit=1)[0]


class Beside(NamedTuple):
    """What is beside the point of a page."""

    out: npt.NDArray[np.bool_]
    """[n] Whether a node is hidden, or within something that is beside the point."""
    others: npt.NDArray[np.bool_]
    """[n] Whether it is within something that is about other things of its kind."""
    named: list[tuple[str, int]]
    """The elements that are named for what they have (ingredients, instructions), outer ones first."""
    unseen: list[int]
    """The elements that only screen readers read."""


def beside(page: Page) -> Beside:
    """What is beside the point of a page.

    >>> page = Page("<body><div class=sidebar>Other<p>things</div><h1>One</h1><p>that is told of")
    >>> [page.text(node) for node in range(len(page)) if page.tag[node] == 0 and beside(page).out[node]]
    ['Other', 'things']
    """
    tag, size = page.tag, page.size
    said: dict[int, list[int]] = {ASIDE: [], HIDDEN: [], PART: [], OTHER: []}
    named: list[tuple[str, int]] = []
    for node, meaning in zip(*meanings(page.native, *word_table()), strict=True):
        if meaning & WHERE:
            said[meaning & WHERE].append(node)
        if meaning > WHERE:
            named.append((KINDS[meaning >> 3], node))
    is_tagged = BESIDE_TAGS[np.minimum(tag, len(TAGS))]
    buttons = np.flatnonzero(tag == BUTTON)
    above = page.parent[buttons]
    buttons = buttons[~(is_heading(tag[above]) | is_heading(tag[page.parent[above]]))]
    found = np.zeros(len(page), dtype=bool)
    found[said[ASIDE]] = found[said[OTHER]] = found[buttons] = True
    headers = np.flatnonzero(tag == HEADER)
    found[headers[~within_parts(page, headers)]] = True
    nodes = np.flatnonzero(found | is_tagged)
    ends = nodes + size[nodes]
    main = np.flatnonzero(tag == H1)
    # Never what holds the main heading or most of the page, unless its tag says so.
    kept = np.searchsorted(main, nodes) < np.searchsorted(main, ends)
    around = np.maximum(page.parent[nodes], 0)
    of_main = np.searchsorted(main, around) < np.searchsorted(main, around + size[around])
    for place in np.flatnonzero(~kept & of_main & (around > page.body)).tolist():
        kept[place] = block_of(page, nodes.item(place)) == (block_of(page, around.item(place)) or None)
    kept |= page.text_start[ends] - page.text_start[nodes] > MOST_TEXT * max(int(page.text_start[-1]), 1)
    gone = (is_tagged[nodes] | ~kept) & (nodes > page.body)
    change = np.zeros(len(page) + 1, dtype=np.int32)
    np.add.at(change, nodes[gone], 1)
    np.add.at(change, ends[gone], -1)
    within = np.cumsum(change[:-1]) > 0
    for node in outermost(said[PART], size):
        if not is_tagged[node] or tag.item(node) == ASIDE_TAG:
            within[node : node + size.item(node)] = False
    for node in outermost(said[HIDDEN], size):
        within[node : node + size.item(node)] = True
    if not is_shown_later(page):
        within |= page.hidden
    within[: page.body] = True
    others = np.zeros(len(page), dtype=bool)
    for node in outermost(said[OTHER], size):
        others[node : node + size.item(node)] = within[node]
    return Beside(within, others, named, list(outermost(said[HIDDEN], size)))
