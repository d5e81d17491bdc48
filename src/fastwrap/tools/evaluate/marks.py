"""Marks: labels on the nodes of a page that say which spans of nodes are records of which region; and answer keys.
Marks are the same whoever made them, so that what an extractor found can be held against what a key says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.names import TEXT
from fastwrap.tools.evaluate.pairing import tokens
from fastwrap.tools.evaluate.tables import NO_TABLE, ShownTable

SEPARATOR = "\n"  # between tokens, which never hold white space


@dataclass(frozen=True)
class Marks:
    """Records marked on a page. Making marks costs next to nothing: texts are read when they are asked for.

    >>> marks = Marks(Page("<p><b>one</b> 1<p><b>two</b> 2"), [[(3, 7), (7, 11)]])
    >>> marks.texts
    [['one 1', 'two 2']]
    >>> marks.items(0)
    [['one', '1'], ['two', '2']]
    """

    page: Page  # the page as whoever marked it saw it: noise may have been removed
    regions: Sequence[Sequence[tuple[int, int]]]
    """For each region, best first, its records in order: the first node, and the node after the last."""
    confidence: float = 1.0  # in [0, 1]: how sure whoever marked is that the first region is a main list
    table: ShownTable = NO_TABLE  # of the first region, where it was asked for

    @lazy_property
    def texts(self) -> list[list[str]]:
        """The text of each record of each region."""
        return [[self.page.span_text(start, end) for start, end in region] for region in self.regions]

    def items(self, region: int) -> list[list[str]]:
        """The data items of each record of a region: its texts, one per node."""
        page = self.page
        return [
            [page.text(node) for node in (np.flatnonzero(page.tag[start:end] == TEXT) + start).tolist()]
            for start, end in self.regions[region]
        ]


@dataclass(frozen=True)
class AnswerKey:
    """The records of a page's main list."""

    records: Sequence[str]  # the visible text of each record, in order

    def marks(self, page: Page) -> Marks:
        """The records as marks on the page.

        >>> key = AnswerKey(["one 1", "two 2"])
        >>> key.marks(Page("<p>list:<p><b>One</b> 1<p><b>Two</b> 2")).items(0)
        [['One', '1'], ['Two', '2']]
        """
        return Marks(page, [locate(page, self.records)])


def locate(page: Page, texts: Sequence[str]) -> list[tuple[int, int]]:
    """Where on a page texts stand: the span from the first to the last text node of each.

    Texts are sought word for word, each after the one before it or else anywhere; the span of one that is not
    on the page, or has no words, is empty.

    >>> locate(Page("<p>one<p>two<p>one"), ["two", "one", "three"])
    [(6, 7), (8, 9), (9, 9)]
    """
    sentence = ""
    homes: list[int] = []  # by letter of the sentence, the node that it is from
    for node in np.flatnonzero(page.tag == TEXT).tolist():
        words = "".join(SEPARATOR + word for word in tokens(page.text(node)))
        sentence += words
        homes += [node] * len(words)
    sentence += SEPARATOR
    spans: list[tuple[int, int]] = []
    after = end = 0
    for text in texts:
        sought = SEPARATOR.join(["", *tokens(text), ""])
        at = sentence.find(sought, after)
        if at < 0:
            at = sentence.find(sought)
        if at < 0 or sought == SEPARATOR:
            spans.append((end, end))
            continue
        after = at + len(sought) - 1  # the separator after a text is the one before the next
        end = homes[after - 1] + 1
        spans.append((homes[at], end))
    return spans
