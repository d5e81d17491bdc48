"""Pages whose content is known, from a file of JSON lines; and how much of it a text has, by its words.
What `fastwrap train` learns from, and how it measures what was learned."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.page import MAX_BYTES
from fastwrap.tools.evaluate.corpora import lines_of
from fastwrap.tools.tables import Row

WORD = re.compile(r"\w+")


class LabelledPage(NamedTuple):
    """A page, and the text that is its content."""

    name: str
    source: Path | str
    """The file, which is read when it is needed; or the HTML itself."""
    content: str
    url: str | None
    group: str
    """What is kept together: its host, or its name."""
    type: str
    """What kind of page it is called; empty if it is not said."""

    def page(self) -> Page:
        """The page; FastwrapError or OSError if it cannot be read."""
        if isinstance(self.source, str):
            return Page.of(self.source, self.url)
        if self.source.suffix != ".gz":
            with self.source.open("rb") as file:
                return Page.of(file.read(MAX_BYTES + 1), self.url)
        try:
            with gzip.open(self.source) as packed:
                return Page.of(packed.read(MAX_BYTES + 1), self.url)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise FastwrapError(f"no gzip data: {error}") from None


def labelled_pages(path: Path) -> list[LabelledPage]:
    """The pages of a file with one JSON object per line.

    It has `page`, the path of the page from the folder of the file (packed if it ends in .gz), or `html`; `content`,
    the text that is its content; and, if you like, its `url` and its `type`. Anything else in a line is ignored. Pages
    of one host are one group; where there is no other host, each page is one. FastwrapError for a line that is broken.
    """
    pages = list(read_lines(path))
    if len({page.group for page in pages}) == 1:
        return [page._replace(group=page.name) for page in pages]
    return pages


def read_lines(path: Path) -> Iterator[LabelledPage]:
    """One page after the other."""
    for number, line in lines_of(path):
        try:
            yield read_line(json.loads(line), path.parent, number)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise FastwrapError(
                f'{path}, line {number}: expected {{"page": path, "content": text}}, or "html" in place of "page";'
                ' and "url", if it is known'
            ) from None


def read_line(line: Any, folder: Path, number: int) -> LabelledPage:
    """The page of a line; ValueError, KeyError, TypeError or AttributeError for one that is broken.

    >>> page = read_line({"html": "<p>Tea", "content": "Tea", "url": "https://www.tea.example/a"}, Path(), 3)
    >>> page.name, page.group, len(page.page())
    ('line 3', 'tea.example', 5)
    """
    content, url, kind = line["content"], line.get("url") or None, line.get("type") or ""
    given = line["html"] if "html" in line else line["page"]
    if not (isinstance(given, str) and isinstance(content, str) and isinstance(kind, str)):
        raise TypeError
    host = "" if url is None else urlsplit(url).netloc.lower().removeprefix("www.")
    if "html" in line:
        return LabelledPage(f"line {number}", given, content, url, host or f"line {number}", kind)
    if not given or "\0" in given:
        raise ValueError
    return LabelledPage(given, folder / given, content, url, host or given, kind)


def word_scores(text: str, truth: str) -> tuple[float, float, float]:
    """Precision, recall and F1 of the words of a text, each counted as often as it stands there.

    >>> word_scores("Home. Tea is green", "tea is green, tea")
    (0.75, 0.75, 0.75)
    """
    found, wanted = (Counter(WORD.findall(each.lower())) for each in (text, truth))
    if not found or not wanted:
        same = float(not found and not wanted)
        return same, same, same
    shared = (found & wanted).total()
    precision, recall = shared / found.total(), shared / wanted.total()
    return precision, recall, 2 * shared / (found.total() + wanted.total())


class Score(NamedTuple):
    """How well the content of a page was found."""

    type: str
    precision: float
    recall: float
    f1: float


def score_rows(scores: Sequence[Score]) -> Iterator[Row]:
    """A table of means over pages: of all, and of each type if there are several.

    >>> list(score_rows([Score("forum", 1.0, 0.5, 0.6667), Score("forum", 1.0, 1.0, 1.0)]))
    [('pages', 'count', 'precision', 'recall', 'F1'), ('all', '2', '1.000', '0.750', '0.833')]
    """
    yield ("pages", "count", "precision", "recall", "F1")
    types = sorted({score.type for score in scores})
    for kind in (None, *(types if len(types) > 1 else ())):
        part = [score for score in scores if kind in (None, score.type)]
        means = (fmean(column) for column in zip(*(score[1:] for score in part), strict=True))
        yield ("all" if kind is None else kind or "other", str(len(part)), *(f"{mean:.3f}" for mean in means))
