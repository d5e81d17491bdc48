"""What is beside the point of a page about one thing: navigation, comments, what is related, shared or sold with it.
By tags, roles and the words of classes and ids; never what holds the main heading or most of the page."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER, TAG_NUMBER

CLASS, ID, ROLE = (ATTRIBUTE_NUMBER[name] for name in ("class", "id", "role"))
NAMES = (CLASS, ID, ROLE)
H1 = TAG_NUMBER["h1"]

BESIDE_TAGS = tuple(TAG_NUMBER[name] for name in ("nav", "footer", "aside", "dialog", "select", "menu", "textarea", "svg"))
HEADER, BUTTON = TAG_NUMBER["header"], TAG_NUMBER["button"]
HEADINGS = tuple(TAG_NUMBER[f"h{level}"] for level in range(1, 7))

MOST_TEXT = 0.5
"""Share of the page's text that something named as beside the point may have."""

WORDS = frozenset(
    """
    ad ads advert advertisement advertising alsolike alsobought banner breadcrumb breadcrumbs captcha carousel cart
    comment comments commentlist commentform consent cookie cookies copyright dialog disqus dropdown facebook flyout
    footer gdpr hamburger instagram lightbox login logo masthead megamenu menu minicart modal modals nav navbar
    navigation navi newsletter offcanvas overlay pager pagination pinterest pingback popover popular popup promo promos
    recent recently recommendation recommendations recommended related respond share sharing shares sidebar sidenav
    signin signup similar skip sitemap social socials subscribe subscription suggested suggestions taboola outbrain
    toast toolbar tooltip topbar trending tweet twitter upsell upsells userreviews viewed widget widgets
    reviewlist reviewslist customerreviews replies sticky paywall morefrom sponsored crosssell preloader
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
NOTHING, ASIDE, HIDDEN, PART = range(4)
WORD = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+")


@lru_cache(4096)
def is_beside(name: str) -> bool:
    """Whether a class name or an id says that something is beside the point.

    >>> [is_beside(name) for name in ("post-comments", "has-sidebar", "relatedItems", "recipe-card", "comment-count")]
    [True, False, True, False, False]
    """
    words = [word.lower() for word in WORD.findall(name[:80])]
    if len(words) > 5 or not NO_PLACE.isdisjoint(words):
        return False
    return not WORDS.isdisjoint(words)


@lru_cache(4096)
def says(names: str, is_role: bool = False) -> int:
    """What class names, an id or a role say of an element: that it is beside the point, unseen, kept, or nothing.

    >>> [says(names) for names in ("sidebar", "sr-only", "ingredients", "sidebar recipe-ingredients", "card")]
    [1, 2, 3, 3, 0]
    """
    tokens = names.split()[:12]
    if is_role:
        return ASIDE if not ROLES.isdisjoint(tokens) else NOTHING
    if not UNSEEN.isdisjoint(tokens):
        return HIDDEN
    words = {word.lower() for token in tokens for word in WORD.findall(token[:80])}
    if not KEPT.isdisjoint(words):
        return PART
    if WORDS.isdisjoint(words) or not any(map(is_beside, tokens)):
        return NOTHING
    return ASIDE if CONTENT.isdisjoint(words) or not STRONG.isdisjoint(words) else NOTHING


def beside(page: Page) -> npt.NDArray[np.bool_]:
    """[n] Whether each node is hidden, or within something that is beside the point.

    >>> page = Page("<body><div class=sidebar>Other<p>things</div><h1>One</h1>")
    >>> [page.text(node) for node in range(len(page)) if page.tag[node] == 0 and beside(page)[node]]
    ['Other', 'things']
    """
    tag, size, arrays = page.tag, page.size, page.arrays
    names = arrays.attribute_name
    entries = np.flatnonzero(np.isin(names, NAMES))
    nodes = np.searchsorted(page.attribute_start, entries, side="right") - 1
    starts, ends = arrays.value_start[entries].tolist(), arrays.value_start[entries + 1].tolist()
    values = arrays.values
    known: dict[bytes, int] = {}
    said: dict[int, list[int]] = {ASIDE: [], HIDDEN: [], PART: []}
    for node, name, start, end in zip(nodes.tolist(), names[entries].tolist(), starts, ends, strict=True):
        value = values[start:end]
        answer = known.get(value, -1)
        if answer < 0 or name == ROLE:
            answer = known[value] = says(value.decode("utf-8", "replace")[:800], name == ROLE)
        if answer:
            said[answer].append(node)
    tagged = np.flatnonzero(np.isin(tag, (*BESIDE_TAGS, HEADER)))
    buttons = np.flatnonzero(tag == BUTTON)
    above = page.parent[buttons]
    tagged = np.union1d(tagged, buttons[~np.isin(tag[above], HEADINGS) & ~np.isin(tag[page.parent[above]], HEADINGS)])
    found = np.unique(np.concatenate([tagged, np.array(said[ASIDE], dtype=np.intp)]))
    main = np.flatnonzero(tag == H1)
    total = max(int(page.text_start[-1]), 1)
    change = np.zeros(len(page) + 1, dtype=np.int32)
    for node in found.tolist():
        end = node + size.item(node)
        text = page.text_start.item(end) - page.text_start.item(node)
        holds_main = len(main) and int(np.searchsorted(main, node)) < int(np.searchsorted(main, end))
        if node <= page.body or (holds_main and text > 400) or (tag.item(node) == HEADER and holds_main):
            continue
        if text > MOST_TEXT * total and tag.item(node) not in BESIDE_TAGS:
            continue
        change[node] += 1
        change[end] -= 1
    within = np.cumsum(change[:-1]) > 0
    for node in said[PART]:
        if tag.item(node) not in BESIDE_TAGS and page.body < node:
            within[node : node + size.item(node)] = False
    for node in said[HIDDEN]:
        within[node : node + size.item(node)] = True
    within |= page.hidden
    within[: page.body] = True
    return within
