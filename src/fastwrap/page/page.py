"""Page: the HTML of one page as integer-coded node arrays, with what a person asks of a node.
Owns all its data: the parser's tree is gone once a Page exists, so it pickles and crosses processes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap._core.page import symbols
from fastwrap._core.page.reading import has_tag
from fastwrap.common.arguments import expect, whole_number
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.page import selectors
from fastwrap.page.addresses import base_with
from fastwrap.page.arrays import Int32Array, NodeArrays
from fastwrap.page.decode import decode
from fastwrap.page.names import ATTRIBUTE_NUMBER, ATTRIBUTES, NO_NODE, TAG_NUMBER, TAGS, TEXT
from fastwrap.page.reading import read
from fastwrap.page.reversed_paths import ReversedPaths

if TYPE_CHECKING:
    from fastwrap.page.sources import HtmlSource

MAX_BYTES = 2**31 - 1
"""Spans are 32-bit, so this is the largest page that can be read."""

BASE, PREFORMATTED = TAG_NUMBER["base"], TAG_NUMBER["pre"]
LANGUAGE = ATTRIBUTE_NUMBER["lang"]


class Page:
    """One page as node arrays.

    `html` is bytes in any encoding or a str; `encoding` a label or a Content-Type header that comes with
    it; `url` is kept for links. Nodes are numbers, in document order, 0 being the html element.

    >>> page = Page("<ul class=a><li>one</li><li><a href='/2'>two</a></li></ul>")
    >>> len(page)
    9
    >>> page.tag_name(3), page.attributes(3), page.text(3)
    ('ul', {'class': 'a'}, 'one two')
    >>> page.css_path(7)
    ':root > body > ul > li:nth-of-type(2) > a'

    The arrays (see `fastwrap.page.arrays.NodeArrays` for the first six) are read-only numpy arrays: `tag`,
    `parent`, `size`, `depth`, `text_start`, `attribute_start`, and, computed on first use, `style_symbol`,
    `path_symbol`, `hidden`, `structural_class`, `leafless_class`.

    Raises FastwrapError for a page that nests too deeply or is larger than 2 GiB.
    """

    url: str | None
    encoding: str
    """The encoding that the bytes were decoded with, as the WHATWG names it."""
    arrays: NodeArrays
    original: Page | None = None
    """The page that this one was cleaned from, or None."""
    origin: Int32Array | None = None
    """[n] The node of `original` that each node was."""
    limits: tuple[str, ...] = ()
    """Of a page that was cleaned, or made of what another one carries: the limits that were met (`fastwrap.limits`).
    More may be left than need be, or something be missing."""
    source: bytes | None = None
    """The HTML in UTF-8, of a page with preformatted text (`verbatim`); None for all others."""

    def __init__(self, html: bytes | str, url: str | None = None, encoding: str | None = None) -> None:
        if url is not None:
            expect(url, str, "url is a str or None")
        decoded = decode(html, encoding)
        if len(decoded.html) > MAX_BYTES:
            raise FastwrapError(f"the page has {len(decoded.html):,} bytes: more than {MAX_BYTES:,} cannot be read")
        custom: dict[int, str] = {}
        self._fill(read(decoded.html, custom), custom, url, decoded.encoding)
        if has_tag(self.tag, PREFORMATTED):
            self.source = decoded.html

    @classmethod
    def of(cls, source: HtmlSource, url: str | None = None, encoding: str | None = None) -> Page:
        """The page of anything that `fastwrap.extract` takes: bytes, a str of HTML, a Path, an open file, a response of
        an HTTP client, a tree of selectolax, lxml or BeautifulSoup, or a Page.

        What is no page (a PDF, JSON, an image, ...) is a FastwrapError that says what it is.

        >>> from selectolax.lexbor import LexborHTMLParser
        >>> Page.of(LexborHTMLParser("<p>one<p>two")).text()
        'one two'
        """
        from fastwrap.page.sources import page_of  # which makes Pages

        return page_of(source, url, encoding)

    def _fill(self, arrays: NodeArrays, custom: dict[int, str], url: str | None, encoding: str) -> None:
        self.tag, self.parent, self.size, self.depth, self.text_start, self.attribute_start = arrays[:6]
        self.arrays, self.custom_names, self.url, self.encoding = arrays, custom, url, encoding

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (
            tuple(self.arrays), self.custom_names, self.url, self.encoding, self.original, self.origin, self.limits,
            self.source,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.tag)

    def __repr__(self) -> str:
        where = f" of {self.url}" if self.url else ""
        return f"<Page{where}: {len(self):,} nodes>"

    @property
    def nbytes(self) -> int:
        """Bytes that the page's arrays and texts hold at the moment, without those of `original`."""
        held: list[Any] = [*self.arrays, *self.__dict__.get("name_letters", ())]
        held += [self.origin, self.source, self.__dict__.get("leafless_class")]
        if (native := self.__dict__.get("native")) is not None:
            held += [native.style_symbol, native.path_symbol, native.hidden, native.structural_class]
        return sum(memoryview(part).nbytes for part in held if part is not None)

    # What is computed on first use

    @lazy_property
    def native(self) -> NativePage:
        """The arrays as the kernels take them, checked."""
        return NativePage(self.arrays)

    @property
    def style_symbol(self) -> Int32Array:
        """[n] One number for each pair of class and style attribute; 0 for neither."""
        symbols.need_symbols(self.native)
        return self.native.style_symbol

    @property
    def path_symbol(self) -> Int32Array:
        """[n] One number for each tag path: the tags and styles from the root to the node."""
        symbols.need_symbols(self.native)
        return self.native.path_symbol

    @property
    def hidden(self) -> npt.NDArray[np.bool_]:
        """[n] Whether the node or an ancestor is hidden (attribute, display:none or visibility:hidden)."""
        symbols.need_symbols(self.native)
        return self.native.hidden

    @property
    def structural_class(self) -> Int32Array:
        """[n] The same number exactly where subtrees are equal in tags and shape."""
        symbols.need_classes(self.native)
        return self.native.structural_class

    @lazy_property
    def leafless_class(self) -> Int32Array:
        """[n] The same number exactly where subtrees are equal without their leaves; 0 for a leaf."""
        return symbols.leafless_classes(self.native)

    @lazy_property
    def notes(self) -> dict[str, Any]:
        """What other rooms have read of the page and do not want to read again, by their names; never the page itself,
        which would then not be freed when it is let go."""
        return {}

    @lazy_property
    def language(self) -> str | None:
        """The language that the page says it is in: the `lang` of its root."""
        arrays, starts = self.arrays, self.arrays.value_start
        for k in range(self.attribute_start.item(1)):
            if arrays.attribute_name.item(k) == LANGUAGE:
                return arrays.values[starts.item(k) : starts.item(k + 1)].decode("utf-8", "replace")
        return None

    @lazy_property
    def base(self) -> str | None:
        """What the addresses of links are relative to: `url`, or what the first `<base href>` makes of it; None where
        neither is known.

        >>> Page("<base href=/shop/><a href=1>one</a>", "https://a.example/list").base
        'https://a.example/shop/'
        """
        if self.original is not None:
            return self.original.base  # the element may have been removed
        for node in np.flatnonzero(self.tag == BASE).tolist():
            if (href := self.attributes(node).get("href")) is not None:
                return base_with(self.url, href)
        return self.url

    @property
    def body(self) -> int:
        """The body element; the root where there is none (frames)."""
        return self.native.body

    @lazy_property
    def name_letters(self) -> tuple[Int32Array, Int32Array]:
        """The letters of all tag names in order (texts have none), and [n + 1] where each node's start."""
        numbers, place = np.unique(self.tag, return_inverse=True)
        names = ["" if number == TEXT else self.tag_name_of(number) for number in numbers.tolist()]
        lengths = np.array([len(name) for name in names], dtype=np.int64)
        offsets = np.cumsum(lengths) - lengths
        starts = np.zeros(len(self) + 1, dtype=np.int32)
        np.cumsum(lengths[place], out=starts[1:])
        alphabet = np.frombuffer("".join(names).encode("utf-32-le", "surrogatepass"), dtype="<u4")
        within = np.arange(starts[-1]) + np.repeat(offsets[place] - starts[:-1], lengths[place])
        letters = alphabet[within].astype(np.int32)
        letters.flags.writeable = starts.flags.writeable = False
        return letters, starts

    # Nodes

    def _checked(self, node: int) -> int:
        """The node, if the page has it: numpy would count a negative number from the end."""
        number = node if type(node) is int else whole_number(node, "a node")
        if not 0 <= number < len(self.tag):
            raise FastwrapError(f"the page has nodes 0 to {len(self) - 1}, not {number}")
        return number

    def _checked_span(self, start: int, end: int) -> tuple[int, int]:
        """The nodes from `start` up to `end`, if the page has them."""
        if type(start) is not int or type(end) is not int:
            start, end = whole_number(start, "a node"), whole_number(end, "a node")
        if not 0 <= start <= end <= len(self.tag):
            raise FastwrapError(f"the page has nodes 0 to {len(self) - 1}, not those from {start} up to {end}")
        return start, end

    def tag_name_of(self, number: int) -> str:
        """The tag name that a number of `tag` stands for."""
        if type(number) is not int:
            number = whole_number(number, "the number of a tag")
        if 0 <= number < len(TAGS):
            return TAGS[number]
        if number not in self.custom_names:
            raise FastwrapError(f"no tag of the page has the number {number}")
        return self.custom_names[number]

    def tag_name(self, node: int) -> str:
        """The tag name in lower case; '#text' for a text."""
        return self.tag_name_of(int(self.tag[self._checked(node)]))

    def text(self, node: int = 0) -> str:
        """All text of the subtree, white space normalised. Texts are joined by a space where something is between them,
        and by nothing where only formatting is.

        >>> Page("<p>19<sup>,90</sup> EUR<p>H<sub>2</sub>O").text()
        '19,90 EUR H2O'
        """
        node = self._checked(node)
        return self.native.text(node, node + self.size.item(node))

    @lazy_property
    def _preformatted(self) -> dict[int, str | None]:
        from fastwrap.page.preformatted import preformatted  # few pages have such texts

        nodes = np.flatnonzero(self.tag == PREFORMATTED).tolist()
        return {} if self.source is None else dict(zip(nodes, preformatted(self.source), strict=True))

    def verbatim(self, node: int) -> str | None:
        """The text of a `pre` as it stands, with its line breaks and indents; None where that is not known: of other
        elements, of one that another one is in, and on a page that was not made from HTML.

        >>> page = Page("<pre>if a:\\n    <b>b</b></pre>")
        >>> page.verbatim(3), page.text(3)
        ('if a:\\n    b', 'if a: b')
        """
        page, there = self._original_node(node)
        said = page._preformatted.get(there)
        # of a page that was cleaned, a part of it may be gone
        return said if said is not None and "".join(said.split()) == "".join(self.text(node).split()) else None

    def text_count(self, start: int, end: int) -> int:
        """How many texts there are among the nodes from `start` up to `end`."""
        start, end = self._checked_span(start, end)
        return int(np.count_nonzero(self.tag[start:end] == TEXT))

    def span_text(self, start: int, end: int) -> str:
        """All text of the nodes from `start` up to `end`, as that of a subtree."""
        return self.native.text(*self._checked_span(start, end))

    def attributes(self, node: int) -> dict[str, str]:
        """The attributes of an element, in order; a text has none."""
        return self.native.attributes(self._checked(node), ATTRIBUTES, self.custom_names)

    def children(self, node: int) -> Iterator[int]:
        """The children of a node, first to last."""
        node = self._checked(node)
        child, end = node + 1, node + int(self.size[node])
        while child < end:
            yield child
            child += int(self.size[child])

    def ancestors(self, node: int) -> Iterator[int]:
        """The ancestors of a node, from its parent up to the root."""
        up = int(self.parent[self._checked(node)])
        while up != NO_NODE:
            yield up
            up = int(self.parent[up])

    def retps(self, tokens: Mapping[str, str] | None = None) -> ReversedPaths:
        """The reversed enhanced tag path (reTPS, EDREW: Nunes & Dorneles 2023) of every text: where it stands, in words
        that a classifier can learn from. `tokens` are further values to search in attributes, each with its own token.

        >>> paths = Page("<p class=author>Ada").retps(tokens={"author": "<#AUTHOR>"})
        >>> dict(paths)
        {4: '<#CNT><#SEP><#AUTHOR><#SEP><#CLSS><#SEP>p|100<#SEP>body|100<#SEP>html|21'}
        """
        return ReversedPaths(self, tokens)

    @property
    def data_scripts(self) -> list[str]:
        """The texts of the scripts that hold data: those whose type says JSON (JSON-LD among them), and those that look
        as if they had some in their first kilobyte.

        >>> Page('<script>state = {"items": [{"name": "Tea"}, {"name": "Milk"}]}</script>').data_scripts
        ['state = {"items": [{"name": "Tea"}, {"name": "Milk"}]}']
        """
        return self._kept(self.arrays.script_start)

    @property
    def noscripts(self) -> list[str]:
        """The markup of the noscript elements that have a kilobyte of it: what the page shows where no scripts run.

        >>> Page("<noscript>" + "<p>All that the page says.</p>" * 40 + "</noscript>").noscripts[0][:30]
        '<p>All that the page says.</p>'
        """
        return self._kept(self.arrays.noscript_start)

    def _kept(self, starts: Int32Array) -> list[str]:
        """The texts that are kept behind the values of attributes."""
        pairs = itertools.pairwise(starts.tolist())
        return [self.arrays.values[start:end].decode("utf-8", "replace") for start, end in pairs]

    def css_path(self, node: int) -> str:
        """A CSS selector for this element alone; for a text, the one of its parent.

        Selects the same element in the page's HTML as it was, also on a cleaned page.

        >>> Page("<p>a<p>b").css_path(5)
        ':root > body > p:nth-of-type(2)'
        """
        return selectors.css_path(*self._original_node(node))

    def xpath(self, node: int) -> str:
        """An XPath for this node alone, an element or a text, in the page's HTML as it was.

        >>> page = Page("<p>one<p>two")
        >>> page.xpath(5), page.text(5)
        ('/html/body/p[2]', 'two')
        """
        return selectors.xpath(*self._original_node(node))

    def _original_node(self, node: int) -> tuple[Page, int]:
        """The page that this one was cleaned from, or itself; and the node that a node was there."""
        page = self
        node = self._checked(node)
        while page.original is not None and page.origin is not None:
            node = int(page.origin[node])
            page = page.original
        return page, node


def restore(
    arrays: tuple[Any, ...],
    custom: dict[int, str],
    url: str | None,
    encoding: str,
    original: Page | None,
    origin: Int32Array | None,
    limits: tuple[str, ...] = (),
    source: bytes | None = None,
) -> Page:
    """Make a Page of its parts: for pickle, and for `noise`."""
    page = Page.__new__(Page)
    for array in (*arrays, origin):
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    page._fill(NodeArrays(*arrays), custom, url, encoding)
    page.original, page.origin, page.limits, page.source = original, origin, limits, source
    return page
