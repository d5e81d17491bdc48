"""datatrove: an extractor for its pipelines."""

from __future__ import annotations

from fastwrap.integrations.texts import check, text_of
from fastwrap.output.frames import require

base = require("datatrove.pipeline.extractors.base", "datatrove")


class Fastwrap(base.BaseExtractor):  # type: ignore[misc, name-defined]
    """The main content of pages as text or Markdown, or their records as JSON lines.

        LocalPipelineExecutor(pipeline=[WarcReader(folder), Fastwrap("records"), JsonlWriter(out)])

    `timeout` is the seconds that a page may take; datatrove sees to that in a process of its own.
    """

    name = "⛏ fastwrap"
    _requires_dependencies = ["fastwrap"]  # noqa: RUF012 - as datatrove reads it

    def __init__(self, what: str = "text", timeout: float = 10) -> None:
        super().__init__(timeout)
        self.what = check(what)

    def extract(self, text: str) -> str:
        """What is found on a page; nothing where that is nothing, and datatrove drops it then."""
        return text_of(text, self.what)
