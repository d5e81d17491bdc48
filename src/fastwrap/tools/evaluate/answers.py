"""Answer keys: what should be found on a page.
A key gives texts, as people write them down; `locate` puts them on the nodes of a page."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fastwrap.page import Page
from fastwrap.page.names import TEXT
from fastwrap.tools.evaluate.marks import Marks
from fastwrap.tools.evaluate.pairing import tokens

SEPARATOR = "\n"
"""Between tokens, which never hold white space."""


@dataclass(frozen=True)
class AnswerKey:
    """The records of a page's main list."""

    records: Sequence[str]
    """The visible text of each record, in order."""

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
    words: list[str] = []
    homes: list[int] = []
    for node in np.flatnonzero(page.tag == TEXT).tolist():
        found = tokens(page.text(node))
        words += found
        homes += [node] * len(found)
    sentence = SEPARATOR.join(["", *words, ""])
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(SEPARATOR) + len(word))
    spans: list[tuple[int, int]] = []
    after = 0
    end = 0
    for text in texts:
        sought = SEPARATOR.join(["", *tokens(text), ""])
        at = sentence.find(sought, after)
        if at < 0:
            at = sentence.find(sought)
        if at < 0 or len(sought) <= len(SEPARATOR):
            spans.append((end, end))
            continue
        # The separator after a text is the one before the next.
        after = at + len(sought) - len(SEPARATOR)
        end = homes[bisect_left(starts, after) - 1] + 1
        spans.append((homes[bisect_right(starts, at) - 1], end))
    return spans
