"""Ranking: which region is the list that its page exists for, and how sure that is.
Weighted sums of a few features of regions; the weights are data, fitted by `benchmarks/fit_ranking.py`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.regions import record_sets
from fastwrap._core.regions.ranking import FEATURE_NAMES
from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER, TAGS
from fastwrap.regions import FoundRegion, autorm, evidence

NAVIGATION = np.zeros(len(TAGS) + 1, dtype=np.uint8)
"""Whether an element is there for navigation or beside the point, by its tag number. The last entry is that of names
that are not in the table."""
NAVIGATION[[TAG_NUMBER[name] for name in ("nav", "header", "footer", "aside", "menu", "dialog")]] = 1

ROLES = """
    alert alertdialog banner complementary contentinfo dialog listbox menu menubar navigation tablist toolbar
"""
"""Roles of elements that are there for navigation or beside the point (WAI-ARIA 1.2)."""

BESIDE = """
    about accordion account alert aside banner banners brand brands breadcrumb breadcrumbs btn button buttons
    carousel cart comment comments consent contact cookie cookies copyright cta desc description dialog disclaimer
    drawer dropdown facet facets faq faqs filter filters flyout foot footer gdpr hamburger header help hidden hide
    icon icons legal links login logo masthead mega megamenu menu minicart modal modals nav navbar navigation
    navigations newsletter notice notices notification notifications offcanvas option options overlay pager
    pagination policy popover popular popup privacy promo promos promotion promotions prose rail recent recently
    recommendation recommended refinement refinements related review reviews selector seo share sidebar sidenav
    signup similar slide slider slides social sort sponsor sponsors submenu subnav subscribe suggested suggestion
    suggestions tabs terms testimonial testimonials toast toggle toolbar tooltip topbar trending upsell utility
    viewed widget widgets
"""
"""Words of classes and ids that authors give to what is beside the point of a page, or is a part of a record."""


def packed(words: str) -> npt.NDArray[np.uint64]:
    """Words as the kernel has them, sorted: of each the first twelve letters, five bits each.

    >>> packed("ab b").tolist()
    [2, 34]
    """
    numbers = {sum((ord(letter) - 96) << 5 * k for k, letter in enumerate(word[11::-1])) for word in words.split()}
    return np.array(sorted(numbers), dtype=np.uint64)


FEATURES = FEATURE_NAMES
"""The features of a region, in order; `fastwrap/_core/regions/ranking.pyi` describes them."""

NOTHING_LISTED = np.empty(0, dtype=np.uint64)

HOPELESS, SURE = -4.0, 2.0
"""Odds (their logarithm) between which it is in doubt whether a list is the main one: confidences of 0.02 and 0.88."""

PURPOSES = ("order", "confidence")
"""What the features are weighed for: which region is first, and whether that one is a main list."""


class Options(NamedTuple):
    """The options of the kernel."""

    is_navigation: npt.NDArray[np.uint8]
    words: npt.NDArray[np.uint64]
    """Those of classes and ids that say what is beside the point."""
    roles: npt.NDArray[np.uint64]
    """Those that are there for navigation or beside the point."""
    prose: float
    """Bytes from which on a text is prose, not a label or a title."""
    weights: npt.NDArray[np.float64]
    """[purposes, features + 1] The last of a row is the intercept."""
    listed: npt.NDArray[np.uint64]
    """Sorted hashes of what the data of the page lists (`fastwrap.structured`)."""


@cache
def options() -> Options:
    """Those of the weights that are shipped."""
    data = json.loads(Path(__file__).with_name("ranking_weights.json").read_text(encoding="utf-8"))
    weights = [[data[purpose]["weights"].get(name, 0.0) for name in (*FEATURES, "intercept")] for purpose in PURPOSES]
    return Options(NAVIGATION, packed(BESIDE), packed(ROLES), 80.0, np.array(weights), NOTHING_LISTED)


@cache
def evidence_weights() -> evidence.Evidence:
    """What the evidence of a whole page adds to the odds of its first region."""
    data = json.loads(Path(__file__).with_name("ranking_weights.json").read_text(encoding="utf-8"))
    return evidence.Evidence(**data["evidence"]["weights"])


def with_next_page(odds: float, weight: float) -> float:
    """The logarithm of the odds of a list on a page that links to its next page: less doubtful, but not sure by that.

    >>> with_next_page(0.0, 0.75), with_next_page(1.5, 0.75), with_next_page(3.0, 0.75)
    (0.75, 2.0, 3.0)
    """
    return min(odds + weight, SURE) if HOPELESS < odds < SURE else odds


def own_confidence(page: Page, regions: Sequence[FoundRegion]) -> float:
    """That of the first of the regions by itself, without what the rest of the page says; 0 where there is none."""
    if not regions:
        return 0.0
    own = regions[0].confidence
    if own is None:
        records = regions[0].records
        first = np.array([0, len(records)], dtype=np.int32)
        _, order, *_ = record_sets.rank_sets(page.native, autorm.OPTIONS, options(), records, first)
        own = autorm.chance(order[0][3])
    return own


def confidence(page: Page, regions: Sequence[FoundRegion], structured: bool = True) -> float:
    """In [0, 1], that the first of the regions is the list that the page exists for; 0 where there is none.

    To the odds of the region comes the evidence of the page, that of its data only with `structured`. Its next page is
    looked for only where the list is in doubt, with odds that have a logarithm between HOPELESS and SURE, and does not
    raise it above SURE.

    >>> page = Page("<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i> <p>Text {k}</p></li>" for k in range(9)))
    >>> confidence(page, autorm.find(page).regions) > 0.5
    True
    """
    own = own_confidence(page, regions)
    if not 0 < own < 1:
        return own
    weights = evidence_weights()
    odds = math.log(own / (1 - own))
    if structured and evidence.is_about_one_thing(page):
        odds += weights.data
    if structured and evidence.is_called_a_detail(page):
        odds += weights.meta
    if HOPELESS < odds < SURE and evidence.has_next_page(page):
        odds = with_next_page(odds, weights.next_page)
    return autorm.chance(odds)


def is_at_least(page: Page, regions: Sequence[FoundRegion], least: float, structured: bool = True) -> bool:
    """Whether the confidence is so large. The evidence of the page is read only as far as it decides: what its data and
    its Open Graph type say speaks against a list, and a next page for one.

    >>> page = Page("<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i> <p>Text {k}</p></li>" for k in range(9)))
    >>> is_at_least(page, autorm.find(page).regions, 0.5), is_at_least(page, [], 0.5)
    (True, False)
    """
    own = own_confidence(page, regions)
    if not 0 < own < 1:
        return own >= least
    weights = evidence_weights()
    odds = math.log(own / (1 - own))
    if structured:
        if autorm.chance(odds + weights.data + weights.meta) >= least:
            return True
        if autorm.chance(with_next_page(odds, weights.next_page)) < least:
            return False
        odds += weights.data * evidence.is_about_one_thing(page)
        if autorm.chance(odds + weights.meta) >= least:
            return True
        if autorm.chance(with_next_page(odds, weights.next_page)) < least:
            return False
        odds += weights.meta * evidence.is_called_a_detail(page)
    if autorm.chance(odds) >= least:
        return True
    most = autorm.chance(with_next_page(odds, weights.next_page))
    return most >= least and evidence.has_next_page(page)
