"""Pages with a list and a pager, for tests of the next page."""

from __future__ import annotations

from fastwrap import Page
from fastwrap.paging import next_page

HOME = "http://example.org/list"
RECORDS = (
    "<ul>" + "".join(f"<li><a href='/item/{k}'>Thing number {k}</a> <b>{k} EUR</b></li>" for k in range(9)) + "</ul>"
)


def found(links: str, url: str | None = HOME, head: str = "") -> str | None:
    """What is found on a page with these links below its list."""
    return next_page(Page(f"<html><head>{head}</head><body><h1>List</h1>{RECORDS}{links}</body></html>", url))
