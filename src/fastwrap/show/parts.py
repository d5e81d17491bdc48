"""The parts of a view: a line about the page, the page in its frame, the tables, the plot; and its styles and scripts.
`fastwrap.show.view` puts them into one file, the server's page into itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from fastwrap.common.resources import filled, resource
from fastwrap.extraction import Extraction
from fastwrap.show.frame import frame, quoted
from fastwrap.show.marks import as_read, marks
from fastwrap.show.panel import choices, counted, section, shortened
from fastwrap.show.plot import plot
from fastwrap.show.regions import MAX_COLUMNS, MAX_REGIONS, ShownRegion

MAX_NODES = 200_000
MAX_BYTES = 8_000_000  # a larger page is not shown itself; all else about it is
MAX_NAME = 200

MODULES = ("marked.js", "table.js", "view.js")
"""Each imports from those before it alone."""

REGION_HUES = (214, 24, 158, 280, 335, 188, 46, 0)


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
        resource("fastwrap.show", "parts.html"),
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
    return "".join(imports.sub("", resource("fastwrap.show", name)) for name in MODULES) + "new View(document.body);\n"


@cache
def style(name: str) -> str:
    """The style sheet of the "view", or of the "page" in it; each region and each column has a colour of its own."""
    # The colours of neighbouring columns are far apart, by the golden angle.
    hues = {"region": REGION_HUES, "column": [int(140 + 137.508 * number) % 360 for number in range(MAX_COLUMNS)]}
    rules = {
        f"{kind}s": "".join(
            filled(resource("fastwrap.show", f"{name}_{kind}.css"), number=number, hue=hue)
            for number, hue in enumerate(hues[kind])
        )
        for kind in hues
    }
    return filled(resource("fastwrap.show", f"{name}.css"), **rules)


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
        "about one thing" if extraction.kind == "detail" else "",
        counted(records, "record") if records else "probably no list",
        f"confidence {extraction.confidence:.2f}",
        f"{found} places where something repeats" if found > 1 else "nothing else repeats",
        f"the first {MAX_REGIONS} are shown" if found > MAX_REGIONS else "",
        nodes,
        f"next page {shortened(extraction.next_page, MAX_NAME)}" if extraction.next_page else "",
    ]
    return " · ".join(filter(None, parts))
