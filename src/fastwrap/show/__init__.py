"""The view: one HTML file that shows a page as it is, what was found on it, and why.
The page stands in a frame in which nothing runs and, unless asked for, nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache

from fastwrap._version import __version__
from fastwrap.common.arguments import expect
from fastwrap.common.resources import filled, resource
from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction
from fastwrap.page.nesting import check
from fastwrap.show.frame import frame, markup, policy, quoted
from fastwrap.show.marks import as_read, marks
from fastwrap.show.panel import MAX_RENAMED, choices, counted, section, shortened
from fastwrap.show.plot import plot
from fastwrap.show.regions import MAX_COLUMNS, MAX_REGIONS, ShownRegion, shown_regions

__all__ = ["MAX_RENAMED", "MODULES", "parts", "script", "style", "view"]

MAX_NODES = 200_000
MAX_BYTES = 8_000_000  # a larger page is not shown itself; all else about it is
MAX_NAME = 200

MODULES = ("marked.js", "table.js", "view.js")
"""Each imports from those before it alone."""

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


def parts(
    html: bytes | str,
    extraction: Extraction,
    shown: Sequence[ShownRegion],
    name: str,
    *,
    online: bool = False,
    editable: bool = False,
) -> str:
    """What is in a view, as HTML: a line about the page, the page in its frame, the tables and the plot; `editable` if
    columns can be renamed."""
    sections = "".join(section(each, editable) for each in shown)
    return filled(
        resource(__name__, "parts.html"),
        name=shortened(name, MAX_NAME),
        facts=facts(extraction),
        page=framed(html, extraction, shown, online),
        choices=choices(shown),
        sections=sections or '<p class="message">Nothing repeats on this page.</p>',
        plot=plot(extraction.page, shown),
    )


@cache
def script() -> str:
    """The modules of the view's script as one, for a file that stands alone."""
    imports = re.compile(r"^import .*\n", re.MULTILINE)
    return "".join(imports.sub("", resource(__name__, name)) for name in MODULES) + "new View(document.body);\n"


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
    try:
        check(markup(html, page))
    except FastwrapError as refusal:
        # Node arrays can be made of more than a tree can be built of.
        return f'<p class="message">The page itself is not shown: {quoted(str(refusal))}.</p>'
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
        "about one thing" if extraction.kind == "detail" else "",
        counted(records, "record") if records else "probably no list",
        f"confidence {extraction.confidence:.2f}",
        f"{found} places where something repeats" if found > 1 else "nothing else repeats",
        f"the first {MAX_REGIONS} are shown" if found > MAX_REGIONS else "",
        nodes,
        f"next page {shortened(extraction.next_page, MAX_NAME)}" if extraction.next_page else "",
    ]
    return " · ".join(filter(None, parts))
