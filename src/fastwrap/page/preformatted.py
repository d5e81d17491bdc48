"""Preformatted text as it stands, with the line breaks and indents that the node arrays do not keep.
The page is read again, from the HTML that it was made of."""

from __future__ import annotations

import re

from fastwrap._core.page.reading import recorded_preformatted
from fastwrap.page.tree import Recorded

BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+|\s+\Z")


def preformatted(html: bytes) -> list[str | None]:
    """The texts of all `pre` of a page in UTF-8, in order; None for one that has another one in it.

    >>> preformatted(b"<p>x<pre class=a>if a:\\n    b<br>c</pre>")
    ['if a:\\n    b\\nc']
    """
    record = Recorded(recorded_preformatted(html))
    return [BLANK_LINES.sub("", record.string()) if letter == "P" else None for letter in iter(record.letter, "")]
