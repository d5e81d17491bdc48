"""The automatic method: the regions of AutoRM, ranked by what makes a list the one that its page exists for.
Cutting is `fastwrap.regions.autorm`; the order and the confidence are `fastwrap.regions.ranking`."""

from __future__ import annotations

from fastwrap import structured
from fastwrap._core.regions import record_sets
from fastwrap.page import Page
from fastwrap.regions import Search, autorm, ranking


def find(page: Page) -> Search:
    """The regions of a page, the main list first; their `why` has what they were cut by and what they were ranked by.

    >>> page = Page("<nav><a href=/>Home</a> <a href=/a>About</a></nav>" + "<p><b>Name</b> text <i>1 EUR</i></p>" * 4)
    >>> [len(region.records) for region in find(page).regions]
    [4, 2]
    """
    listed, met = structured.listed(page)
    options = ranking.options()._replace(listed=listed) if len(listed) else ranking.options()
    found = autorm.regions_of(*record_sets.find_sets(page.native, autorm.OPTIONS, options))
    return found._replace(limits=(*found.limits, *met)) if met else found
