"""What the doors to pipelines of texts share: one page in, one text out."""

from __future__ import annotations

from fastwrap.errors import FastwrapError
from fastwrap.extraction import extract
from fastwrap.noise.content import content
from fastwrap.output.document import encode
from fastwrap.page import Page

WHAT = ("text", "markdown", "records")


def text_of(html: str | bytes, what: str) -> str:
    """The main content of a page as text or Markdown, or its records as JSON lines; nothing for what is no page.

    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> text_of(page, "records").splitlines()[1]
    '{"title":"Beech","price":{"amount":"5.50","currency":"EUR"}}'
    >>> text_of(b"%PDF-1.7", "text")
    ''
    """
    try:
        page = Page.of(html)
        if what == "records":
            return "".join(encode(row).decode("utf-8") + "\n" for row in extract(page).to_dicts(json=True))
        found = content(page)
        return found.markdown if what == "markdown" else found.text
    except FastwrapError:
        return ""


def check(what: str) -> str:
    """FastwrapError unless this is something that `text_of` gives."""
    if what not in WHAT:
        raise FastwrapError(f"what is {what!r}: expected one of {', '.join(WHAT)}")
    return what
