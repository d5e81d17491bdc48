"""The automatic method: the regions of AutoRM, ranked by what makes a list the one that its page exists for.
Cutting is `fastwrap.regions.autorm`; the order and the confidence are `fastwrap.regions.ranking`."""

from __future__ import annotations

from fastwrap._core.regions import record_sets
from fastwrap.page import Page
from fastwrap.regions import Search, autorm, ranking
from fastwrap.structured import NOTHING_LISTED, listed


def find(page: Page, structured: bool = True) -> Search:
    """The regions of a page, the main list first; their `why` has what they were cut by and what they were ranked by.
    With `structured`, what the data of the page lists counts.

    >>> page = Page("<nav><a href=/>Home</a> <a href=/a>About</a></nav>" + "<p><b>Name</b> text <i>1 EUR</i></p>" * 4)
    >>> [len(region.records) for region in find(page).regions]
    [4, 2]
    """
    hashes, met = listed(page) if structured else NOTHING_LISTED
    options = ranking.options()._replace(listed=hashes) if len(hashes) else ranking.options()
    found = autorm.regions_of(*record_sets.find_sets(page.native, autorm.OPTIONS, options))
    return found._replace(limits=(*found.limits, *met)) if met else found
