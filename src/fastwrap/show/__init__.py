"""The view: one HTML file that shows a page as it is, what was found on it, and why.
The page stands in a frame in which nothing runs and, unless asked for, nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache

from fastwrap._version import __version__
from fastwrap.common.arguments import expect
from fastwrap.common.resources import filled, resource
from fastwrap.extraction import Extraction
from fastwrap.show.frame import frame, policy, quoted
from fastwrap.show.marks import as_read, marks
from fastwrap.show.panel import choices, counted, section, shortened
from fastwrap.show.plot import plot
from fastwrap.show.regions import MAX_COLUMNS, MAX_REGIONS, ShownRegion, shown_regions

__all__ = ["view"]

MAX_NODES = 200_000
MAX_BYTES = 8_000_000  # a larger page is not shown itself; all else about it is
MAX_NAME = 200

REGION_HUES = (214, 24, 158, 280, 335, 188, 46, 0)


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
    shown = shown_regions(extraction)
    script = resource(__name__, "view.js")
    script_hash = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return filled(
        resource(__name__, "view.html"),
        policy=f"{policy(online)}; script-src 'sha256-{script_hash}'",  # so it holds nothing of a page
        name=shortened(name or extraction.url or "page", MAX_NAME),
        style=style("view"),
        facts=facts(extraction),
        page=framed(html, extraction, shown, online),
        choices=choices(shown),
        sections="".join(map(section, shown)) or '<p class="message">Nothing repeats on this page.</p>',
        plot=plot(extraction.page, shown),
        version=quoted(__version__),
        script=script,
    )


@cache
def style(name: str) -> str:
    """The style sheet of the "view", or of the "page" in it; each region and each column has a colour of its own."""
    # The colours of neighbouring columns are far apart, by the golden angle.
    hues = {"region": REGION_HUES, "column": [int(140 + 137.508 * number) % 360 for number in range(MAX_COLUMNS)]}
    rules = {
        f"{kind}s": "".join(
            filled(resource(__name__, f"{name}_{kind}.css"), number=number, hue=hue)
            for number, hue in enumerate(hues[kind])
        )
        for kind in hues
    }
    return filled(resource(__name__, f"{name}.css"), **rules)


def framed(html: bytes | str, extraction: Extraction, shown: Sequence[ShownRegion], online: bool) -> str:
    """The page in its frame, or why it is not shown."""
    page, _ = as_read(extraction.page)
    if len(html) > MAX_BYTES or len(page) > MAX_NODES:
        return (
            f'<p class="message">The page is too large to be shown: {len(html):,} bytes and'
            f" {counted(len(page), 'node')}, where {MAX_BYTES:,} bytes and {MAX_NODES:,} nodes can be shown.</p>"
        )
    document = frame(html, page, marks(shown), style("page"), online=online)
    # Without allow-scripts nothing runs in the frame; of the same origin it is so that our script can point there.
    return f'<iframe sandbox="allow-same-origin" title="the page" srcdoc="{quoted(document)}"></iframe>'


def facts(extraction: Extraction) -> str:
    """What was found, in a line."""
    found, records = len(extraction.regions), len(extraction.records)
    nodes = counted(len(extraction.page), "node")
    if not found:
        return f"nothing repeats · {nodes}"
    parts = [
        counted(records, "record") if records else "probably no list",
        f"confidence {extraction.confidence:.2f}",
        f"{found} places where something repeats" if found > 1 else "nothing else repeats",
        f"the first {MAX_REGIONS} are shown" if found > MAX_REGIONS else "",
        nodes,
        f"next page {shortened(extraction.next_page, MAX_NAME)}" if extraction.next_page else "",
    ]
    return " · ".join(filter(None, parts))
