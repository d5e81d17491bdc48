"""A shop on this machine: a listing of several pages, and a page for each thing, for tests of crawlers."""

from __future__ import annotations

from tests.helpers.server import Site, answer

PAGES, SIZE = 3, 6


def open_shop(site: Site) -> str:
    """Have a site answer as the shop; the address of its first page."""
    for page in range(1, PAGES + 1):
        numbers = range(SIZE * (page - 1), SIZE * page - (page == PAGES))
        items = "".join(f"<li class=pan><a href=/pan/{k}>Pan number {k}</a> <b>{k}.90 EUR</b></li>" for k in numbers)
        if page == 2:
            items += "<li class=pan><a href=/pan/0>Pan number 0</a> <b>0.90 EUR</b></li>"  # once more
        following = f"<a rel=next href='/list?page={page + 1}'>next</a>" if page < PAGES else ""
        html = f"<html lang=en><title>Pans</title><ul>{items}</ul>{following}"
        site.answers[f"/list?page={page}"] = answer(html.encode())
        for k in numbers:
            detail = (
                f"<html lang=en><title>Pan number {k}</title><h1>Pan number {k}</h1><p>Price: {k}.90 EUR"
                f"<p>Material: iron<p>Weight: {k + 1} kg"
            )
            site.answers[f"/pan/{k}"] = answer(detail.encode())
    site.answers["/robots.txt"] = answer(b"User-agent: *\nDisallow: /pan/3", content_type="text/plain")
    return f"{site.url}/list?page=1"
