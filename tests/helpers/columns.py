"""Records and options for tests of columns, and pages of random trees with classes and texts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap.columns.records import CHOICE_TRAITS, TRAITS, LearningOptions
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, TEXT
from fastwrap.page.page import restore
from tests.helpers.pages import arrays_of
from tests.reference.trees import Tree, arrays_from_tuple

PLENTY = 10**7
ATTRIBUTES = np.array(
    [ATTRIBUTE_NUMBER[name] for name in ("href", "src", "alt", "data-id", "data-name")], dtype=np.int32
)
OPTIONS = LearningOptions(
    attributes=ATTRIBUTES, first_data=3, alternative=2, most_data=2, traits=TRAITS, label_records=2,
    alignment_cells=PLENTY, folding_cells=PLENTY, table_cells=PLENTY, longest=300,
    choose=False, choice_traits=CHOICE_TRAITS,
)  # fmt: skip


record_parts = st.lists(
    st.sampled_from(
        ["text", "<br>", "<b>bold</b>", "<i>x</i>", "name:", "<b>Price:</b>", "<p>p</p>", "<a href=/1>l</a>", "a, b",
         "a | b",
         "<span class=c>s</span>", "<em>e<u>u</u></em>", "by me", "12 EUR", "<img src=x data-id=1>",
         "<img alt=a.gif data-new=1>", "<li>q</li>", "19<sup>,90</sup>", "<b>Price:</b>12", "<b>now</b>: 1",
         "a<i>b</i>c", "a text that is as long as a sentence is, and some more words to go"]
    ),
    max_size=6,
).flatmap(lambda parts: st.sampled_from([" ", ""]).map(lambda between: between.join(parts)))  # fmt: skip
"""The HTML of a record, of few different parts: records are often alike."""


SENTENCE = "a sentence that somebody wrote, longer than any name or date, and then some more of it"
post_parts = st.lists(
    st.sampled_from(
        [f"<p>{SENTENCE}</p>", f"<p>{SENTENCE}.</p><p>Yes.</p>", "<p>short</p>", f"{SENTENCE}<br>", "Thanks<br>",
         f"<p><a href=/u>@Ann</a> {SENTENCE}</p>", f"<blockquote><i>Ann said:</i><p>{SENTENCE}</p></blockquote>",
         "<ul><li>one<li>two</ul>", "<pre><code>x = 1</code></pre>", f"<h4>Head</h4><p>{SENTENCE}</p>",
         f"<ul><li class=c><u class=d>Bo</u> {SENTENCE}</ul>", f"<div class=c><i class=d>1</i>{SENTENCE}</div>",
         f"<div class=in><p>{SENTENCE}</p><p>{SENTENCE}</p></div>", "<p class=note>Edited: 1</p>", "<b>Name:</b> x",
         f"<div><div class=deep>{SENTENCE}<br>{SENTENCE}</div><i>2</i></div>", "<a href=/x>more</a>", "<p>a<br>b</p>"]
    ),
    max_size=5,
).map("".join)  # fmt: skip
"""The HTML of what somebody wrote, and of what stands beside it."""


def spans_of(spans: Sequence[Sequence[int]]) -> Int32Array:
    """Spans as the kernels take them."""
    return np.array(spans, dtype=np.int32).reshape(-1, 2)


def children_of(page: Page, node: int) -> Int32Array:
    """The children of a node as records: their first nodes, and those after their last."""
    return spans_of([[child, child + int(page.size[child])] for child in page.children(node)])


def first_children(page: Page) -> Int32Array:
    """The children of the first element of the body as records; those of the body if there is none."""
    return children_of(page, page.body + 1 if len(page) > page.body + 1 else page.body)


def styled_page(forest: Sequence[Tree], chooser: random.Random) -> Page:
    """A root around trees, with some classes and texts."""
    trees = arrays_from_tuple((1, tuple(forest)))
    arrays = arrays_of(trees.tag, trees.parent)
    tags = trees.tag.tolist()
    classes = [chooser.choice(["", "", "a", "b"]) if tag != TEXT else "" for tag in tags]
    texts = [chooser.choice(["x ", "y ", "z: "]) if tag == TEXT else "" for tag in tags]
    given = [own for own in classes if own]
    arrays = arrays._replace(
        text_start=np.cumsum([0, *map(len, texts)]).astype(np.int32),
        text="".join(texts).encode(),
        attribute_start=np.cumsum([0, *map(bool, classes)]).astype(np.int32),
        attribute_name=np.full(len(given), ATTRIBUTE_NUMBER["class"], dtype=np.int32),
        value_start=np.cumsum([0, *map(len, given)]).astype(np.int32),
        values="".join(given).encode(),
    )
    return restore(tuple(arrays), {}, None, "utf-8", None, None)


def plainly(result: Any) -> Any:
    """Arrays as lists, with their types: what can be compared."""
    if isinstance(result, np.ndarray):
        return result.dtype, result.shape, result.tolist()
    return [plainly(part) for part in result] if isinstance(result, tuple) else result
