"""NeMo Curator: an algorithm for its extractors of HTML, such as `CommonCrawlHTMLExtractor(algorithm=...)`."""

from __future__ import annotations

from fastwrap.integrations.texts import check, text_of
from fastwrap.output.frames import require

base = require("nemo_curator.stages.text.download.html_extractors.base", "nemo-curator")


class FastwrapExtractor(base.HTMLExtractorAlgorithm):  # type: ignore[misc, name-defined]
    """The main content of pages, paragraph by paragraph, as text or Markdown; or their records as JSON lines.

    Stop words are not asked for: what is content is told by what stands around it, in any language.
    """

    def __init__(self, what: str = "text") -> None:
        self.what = check(what)

    def extract_text(self, html: str, stop_words: frozenset[str], language: str) -> list[str] | None:
        """The paragraphs of a page, or its records; None where there are none."""
        between = "\n\n" if self.what == "markdown" else "\n"
        return [part for part in text_of(html, self.what).split(between) if part.strip()] or None
