"""The view: one HTML file that shows a page as it is, what was found on it, and why.
The page stands in a frame in which nothing runs and, unless asked for, nothing is loaded."""

from __future__ import annotations

import base64
import hashlib

from fastwrap._version import __version__
from fastwrap.common.arguments import expect
from fastwrap.common.resources import filled, resource
from fastwrap.extraction import Extraction
from fastwrap.show.frame import policy, quoted
from fastwrap.show.panel import shortened
from fastwrap.show.parts import MAX_NAME, parts, script, style
from fastwrap.show.regions import shown_regions

__all__ = ["view"]


def view(html: bytes | str, extraction: Extraction, *, name: str = "", online: bool = False) -> str:
    """One self-contained HTML file: the page, with regions, records and columns marked, beside the tables.

    `html` is what was extracted from; `name` is what to call the page. `online` lets the view load the page's
    pictures, fonts and style sheets from the web; without it, the view loads nothing. At most 200 records of 8
    regions are in the tables, and a page of more than 8 MB or 200,000 nodes is not shown itself.

    >>> import fastwrap
    >>> html = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} kg</i></li>" for k in range(5)) + "</ul>"
    >>> view(html, fastwrap.extract(html)).count("<tr data-record=")
    5

    Raises FastwrapError if the extraction is of another page.
    """
    expect(html, (bytes, bytearray, memoryview, str), "html is bytes or a str")
    expect(extraction, Extraction, "extraction is an Extraction")
    expect(name, str, "name is a str")
    code = script()
    script_hash = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    called = name or extraction.url or "page"
    return filled(
        resource(__name__, "view.html"),
        policy=f"{policy(online)}; script-src 'sha256-{script_hash}'",  # so it holds nothing of a page
        name=shortened(called, MAX_NAME),
        style=style("view"),
        parts=parts(html, extraction, shown_regions(extraction), called, online=online),
        version=quoted(__version__),
        script=code,
    )
