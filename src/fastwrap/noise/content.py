"""`fastwrap.content`: the relevant texts of a page, as text, as Markdown, one by one, or as what a builder makes of
them (EDREW, algorithm 15). Nothing is computed before it is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, overload

import numpy as np

from fastwrap.common.lazy import lazy_property
from fastwrap.limits import union
from fastwrap.noise import rendering
from fastwrap.noise.labelling import Labels, label
from fastwrap.noise.model import Model, model_of
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TEXT
from fastwrap.page.reversed_paths import ReversedPaths
from fastwrap.page.sources import HtmlSource, page_of

CONTENT, NOISE = "content", "noise"
"""The labels of texts, and the names of the methods that a builder may have for them."""

MOST_SHOWN = 100
"""Blocks that a notebook shows."""


class LabelledText:
    """One text of a page, with its label."""

    __slots__ = ("_of", "label", "node", "probability")

    def __init__(self, of: Content, node: int, label: str, probability: float) -> None:
        self._of = of
        self.node = node
        """The node of the page."""
        self.label = label
        """"content" or "noise"."""
        self.probability = probability
        """In [0, 1], that it is content."""

    def __repr__(self) -> str:
        text = self.text
        return f"<{self.label}: {text if len(text) <= 60 else text[:57] + '...'}>"

    @property
    def page(self) -> Page:
        """The page."""
        return self._of.page

    @property
    def text(self) -> str:
        """What it says, white space normalised."""
        return self.page.text(self.node)

    @property
    def path(self) -> str:
        """Its reversed enhanced tag path: see `Page.retps`."""
        return self._of.paths[self.node]


class Content:
    """The relevant texts of a page. An empty one, which is false, if the page has none."""

    def __init__(self, page: Page, model: Model | None = None) -> None:
        self._given = page
        self.url = page.url
        self._model = model

    def __repr__(self) -> str:
        return f"<Content: {len(self):,} texts, {len(self.text):,} letters>"

    def __len__(self) -> int:
        return int(np.count_nonzero(self.labels.content[self._texts[1]]))

    def __bool__(self) -> bool:
        return bool(self.labels.content.any())

    def __iter__(self) -> Iterator[LabelledText]:
        return iter(self.nodes)

    @property
    def page(self) -> Page:
        """The page that has the texts: the one that was given or, where that shows nothing and carries its content
        as data or for browsers without scripts, a page made of this.

        >>> said = "Boil the water, take it from the fire, and wait for a minute before you pour it. " * 3
        >>> data = f'{{"@type": "Article", "headline": "Green tea", "articleBody": "{said}"}}'
        >>> script = f"<script type=application/ld+json>{data}</script>"
        >>> content(f"<title>Green tea</title><p>Loading ...</p>{script}").text[-26:]
        'minute before you pour it.'
        """
        return self.labels.page

    @lazy_property
    def labels(self) -> Labels:
        """What is content and what is noise, by line of the page (internal: may change)."""
        return label(self._given, self._model)

    @lazy_property
    def _texts(self) -> tuple[Int32Array, Int32Array]:
        """All texts that have a label, and the number of the line that each is in."""
        labels = self.labels
        texts = np.flatnonzero(self.page.tag == TEXT).astype(np.int32)
        line = np.searchsorted(labels.starts, texts, side="right").astype(np.int32) - 1
        in_line = texts < np.append(labels.ends, 0)[line]  # the last entry is for what is before all lines
        return texts[in_line], line[in_line]

    def labelled(self) -> Iterator[LabelledText]:
        """All texts of the page, content and noise, in document order."""
        texts, line = self._texts
        is_content, probability = self.labels.content[line].tolist(), self.labels.probability[line].tolist()
        for node, is_kept, likely in zip(texts.tolist(), is_content, probability, strict=True):
            yield LabelledText(self, node, CONTENT if is_kept else NOISE, likely)

    @lazy_property
    def paths(self) -> ReversedPaths:
        """The reversed enhanced tag path of every text: `Page.retps`."""
        return self.page.retps()

    @lazy_property
    def nodes(self) -> list[LabelledText]:
        """The relevant texts, in document order."""
        return [text for text in self.labelled() if text.label == CONTENT]

    @lazy_property
    def text(self) -> str:
        """The content as plain text: an empty line between paragraphs, and headings; items, rows and what `br` parts on
        lines of their own; a tab between the cells of a row. Every word is one of the page, and nothing is added."""
        labels = self.labels
        return rendering.text(self.page, labels.starts[labels.content], labels.ends[labels.content])

    @lazy_property
    def markdown(self) -> str:
        """The content as Markdown, with its links, pictures, lists, tables and code."""
        from fastwrap.noise.markdown import markdown  # most callers want the text alone

        return markdown(self.labels)

    @lazy_property
    def title(self) -> str | None:
        """The title of the page; None if it has none."""
        from fastwrap.noise.about import title_of  # word lists take time to load

        return title_of(self._given)

    @lazy_property
    def language(self) -> str | None:
        """The language that the page says it is in, as "en" or "pt-BR"; None if it does not say. Nothing is guessed."""
        from fastwrap.noise.about import language_of  # most callers do not ask

        return language_of(self._given)

    @property
    def limits(self) -> tuple[str, ...]:
        """The budgets of `fastwrap.limits` that were met so far. Asking computes nothing."""
        labels: Labels | None = self.__dict__.get("labels")
        return union(self._given.limits, () if labels is None else labels.limits)

    def to_dict(self) -> dict[str, str | None]:
        """The address, the title, the language, the text and the Markdown.

        >>> content("<title>Tea</title><main><p>Green, or <b>black</b>.</main>").to_dict()["markdown"]
        'Green, or **black**.'
        """
        return {
            "url": self.url,
            "title": self.title,
            "language": self.language,
            "text": self.text,
            "markdown": self.markdown,
        }

    def _repr_markdown_(self) -> str:
        """What notebooks show: the first of it, without pictures, which they would load from the web."""
        from fastwrap.noise.markdown import markdown

        labels = self.labels
        shown = labels.content & (np.cumsum(labels.content) <= MOST_SHOWN)
        left = int(np.count_nonzero(labels.content)) - int(np.count_nonzero(shown))
        return markdown(labels._replace(content=shown), pictures=False) + (f"\n\n… {left:,} more" if left else "")


@overload
def content(
    html: HtmlSource,
    url: str | None = None,
    builder: None = None,
    *,
    encoding: str | None = None,
    model: Model | str | os.PathLike[str] | None = None,
) -> Content: ...


@overload
def content(
    html: HtmlSource,
    url: str | None = None,
    builder: Any = None,
    *,
    encoding: str | None = None,
    model: Model | str | os.PathLike[str] | None = None,
) -> Any: ...


def content(
    html: HtmlSource,
    url: str | None = None,
    builder: Any = None,
    *,
    encoding: str | None = None,
    model: Model | str | os.PathLike[str] | None = None,
) -> Any:
    """The main content of a page: what a reader came for, without menus, banners, footers and what is beside the point.

    `html`, `url` and `encoding` are those of `fastwrap.extract`. `model` tells content from noise: one of your own
    (`fastwrap train`), or the path of its file; None for the one that is shipped.

    What is returned has the content as `text`, as `markdown`, and as `nodes`; it is false where there is none.

    >>> found = content("<nav>Home</nav><main><h1>Tea</h1><p>Green, or <a href=/b>black</a>.</main>", "https://a.example")
    >>> print(found.markdown)
    # Tea
    <BLANKLINE>
    Green, or [black](https://a.example/b).
    >>> [(node.node, node.text) for node in found.nodes]
    [(7, 'Tea'), (9, 'Green, or'), (11, 'black'), (12, '.')]

    `builder` makes something else of the texts: an object, or a class to make one of, with a method for each label,
    `content` and `noise`, or one of them. Each is called with one text after the other, in document order. What the
    builder's `result()` returns is returned; the builder itself if it has no such method.

    >>> class Prices:
    ...     def __init__(self):
    ...         self.found = {}
    ...         self.name = None
    ...     def content(self, node):
    ...         if node.text.endswith("EUR"):
    ...             self.found[self.name] = node.text
    ...         self.name = node.text
    ...     def result(self):
    ...         return self.found
    >>> content("<main><ul><li>Green <i>3 EUR</i><li>Black <i>2 EUR</i></ul></main>", builder=Prices)
    {'Green': '3 EUR', 'Black': '2 EUR'}
    """
    own = None if model is None else model_of(model)
    if builder is None:
        return Content(page_of(html, url, encoding), own)
    if isinstance(builder, type):
        builder = builder()
    methods = {name: getattr(builder, name, None) for name in (CONTENT, NOISE)}
    if not any(map(callable, methods.values())):
        raise TypeError(f"a builder has a method {CONTENT!r} or {NOISE!r}, {type(builder).__name__} has neither")
    for text in Content(page_of(html, url, encoding), own).labelled():
        if callable(method := methods[text.label]):
            method(text)
    return builder.result() if callable(getattr(builder, "result", None)) else builder
