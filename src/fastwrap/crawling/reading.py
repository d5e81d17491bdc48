"""How the pages of a listing are read: by a wrapper of the first two, so that all have the same columns, and the last
page, which may have one record, is read as the others; by itself, if that does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastwrap.columns.wishes import wanted_of
from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction, extract
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, learn
from fastwrap.wrapper.fitting import ALARM


class Reader:
    """Reads the pages of one listing."""

    def __init__(self, wrapper: Wrapper | None, reading: Mapping[str, Any]) -> None:
        self.wrapper = wrapper
        self._given = wrapper is not None
        self._reading = reading

    def learn(self, first: Page, second: Page) -> None:
        """Learn from the first two pages, unless a wrapper was given; kept only if it finds on both what there is."""
        if self._given or self._reading.get("method", "auto") != "auto":
            return
        here = extract(first, **self._reading)
        options: dict[str, Any] = {} if self._reading.get("columns") is None else {"columns": self._reading["columns"]}
        if (want := self._reading.get("want")) is not None:
            # What no page has cannot be learned, and the rest can.
            options["want"] = {
                wish.name: wish.annotation for wish in wanted_of(want).wishes if wish.name not in here.missing
            }
        try:
            wrapper = learn([first, second], kind="list", **options)
        except FastwrapError:  # the second page lacks what is wanted, say
            return
        if not wrapper.patterns:
            return
        found = wrapper.extract(first)
        if found.fit >= ALARM and len(found) >= len(here) and wrapper.extract(second).fit >= ALARM:
            self.wrapper = wrapper

    def read(self, page: Page) -> tuple[Extraction, bool]:
        """What a page has, and whether that was read by the wrapper."""
        if self.wrapper is not None:
            read = self.wrapper.extract(page, want=self._reading.get("want") if self._given else None)
            if self._given or (read.fit >= ALARM and read.records):
                return read, True
        return extract(page, **self._reading), False
