"""What a batch run reads and how far: pages as they come out of files and archives, cut into parts of bounded size.
The cuts depend on what is in the input alone, so that every run of it has the same parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from fastwrap.arrow import MAX_PAGE as MAX_PAGE

MOST_PAGES = 500
"""Pages of a part, ..."""

MOST_BYTES = 16 << 20
"""... and bytes of their HTML: a part is in memory while it is worked on."""


class RawPage(NamedTuple):
    """A page as it was read."""

    source: str
    """The file that it stands in; of a member of an archive, with its name."""
    position: int
    """Where in that file: a byte, or the number of a line, a row or a member; 0 for a file of its own."""
    html: bytes = b""
    url: str | None = None
    encoding: str | None = None
    """A label, or a header Content-Type."""
    error: str = ""
    """Why it could not be read."""


class Reach(NamedTuple):
    """The pages of one part, and where the next one begins."""

    pages: list[RawPage]
    end: int | None
    """Where the next part of the same source begins; None behind the last one."""
    consumed: int
    """Bytes of the input that are done with it."""
    skipped: int = 0
    """What is no page: other records of a WARC, other members of an archive."""


class Item(NamedTuple):
    """One thing in a source: a page, or something else (None)."""

    position: int
    """Where it begins, as `read` takes it."""
    page: RawPage | None
    offset: int
    """Bytes of the input before it, for telling how far a run is."""
    is_boundary: bool = True
    """Whether a part may begin here."""


def fill(items: Iterable[Item], start: int, size: int) -> Reach:
    """The next part of a source: items up to the limits of a part. Items behind it may be taken, and are lost.

    >>> fill([Item(0, RawPage("a", 0, b"<p>"), 0), Item(1, None, 9)], 0, 20)
    Reach(pages=[RawPage(source='a', position=0, html=b'<p>', url=None, encoding=None, error='')], end=None, \
consumed=20, skipped=1)
    """
    pages: list[RawPage] = []
    read = skipped = 0
    begun: int | None = None
    for item in items:
        begun = item.offset if begun is None else begun
        full = len(pages) + skipped // 10 >= MOST_PAGES or read >= MOST_BYTES
        if full and item.is_boundary and item.position > start:
            return Reach(pages, item.position, item.offset - begun, skipped)
        if item.page is None:
            skipped += 1
        else:
            pages.append(item.page)
            read += len(item.page.html)
    return Reach(pages, None, max(0, size - (size if begun is None else begun)), skipped)
