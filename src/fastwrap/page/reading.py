"""From a page in UTF-8 to its node arrays: the guards, the parse and the walk, as one native step where possible.
Otherwise through selectolax's own interface, which gives the same arrays more slowly."""

from __future__ import annotations

import warnings
from functools import cache, partial
from typing import Any

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, SelectolaxError

from fastwrap._core.page import functions, layout, parsing
from fastwrap._core.page.walk import walk as native_walk
from fastwrap.errors import FastwrapError
from fastwrap.page import nesting
from fastwrap.page.arrays import NodeArrays
from fastwrap.page.public_walk import walk as public_walk


def parse(html: bytes) -> LexborHTMLParser:
    """The parser's tree of a page in UTF-8.

    With scripting on, noscript is one text, as in a browser, and is then left out. With events off, options of
    a select cost what other elements do: Lexbor is quadratic in them otherwise.
    """
    return LexborHTMLParser(html, scripting=True, options=LexborDocumentOptions.WO_EVENTS)


def read(html: bytes, custom: dict[int, str]) -> NodeArrays:
    """The node arrays of a page; `custom` gets the names that are not in the tables, by their numbers.

    Raises FastwrapError for a page that Lexbor would choke on, or cannot parse.
    """
    try:
        verified = verified_layout()
        if verified is None:
            nesting.check(html)
            return public_walk(parse(html), custom)
        fields = read_directly(html, custom) if has_functions() else walk_tree(html, verified, custom)
        # None: the parser used a number that the tables of its layout do not have.
        return public_walk(parse(html), custom) if fields is None else fields
    except FastwrapError:
        raise  # it is a ValueError, and says already what is wrong
    except (SelectolaxError, OverflowError, ValueError) as error:
        raise FastwrapError(f"the page cannot be parsed: {error}") from error


def read_directly(html: bytes, custom: dict[int, str]) -> NodeArrays | None:
    """By calling Lexbor's functions; the nesting of the page is checked only where that is needed."""
    fields = parsing.read(html, partial(nesting.check, html), custom)
    return None if fields is None else NodeArrays(*fields)


def walk_tree(html: bytes, verified: layout.Layout, custom: dict[int, str]) -> NodeArrays | None:
    """By selectolax's parser and the native walk over its tree."""
    nesting.check(html)
    parser = parse(html)
    root = parser.root
    fields = native_walk(
        0 if root is None else root.mem_id, verified.tags, verified.attributes, verified.type_name, custom
    )
    return None if fields is None else NodeArrays(*fields)


@cache
def verified_layout() -> layout.Layout | None:
    """The verified layout of Lexbor's nodes; None, with a warning, where there is none."""
    verified = layout.verified()
    if isinstance(verified, layout.Layout):
        return verified
    warnings.warn(
        "fastwrap reads pages through the slower public API: this selectolax lays out its nodes in another way "
        f"({verified})", RuntimeWarning, stacklevel=4,
    )  # fmt: skip
    return None


@cache
def has_functions() -> bool:
    """Whether Lexbor's functions can be called directly."""
    verified = verified_layout()
    return verified is not None and functions.ready(verified) is None and agrees(verified)


TRIALS = (
    # Implied tags, lists, headings, paragraphs; what is closed that was not open.
    b"<title>t</title>x<p>a<p>b<div>c</p></br><ul><li>d<li>e<p>f</ul></li><dl><dt>g<dd>h<dt>i</dl><h1>j<h2>k</h1>l</x>m",
    # The standard has changed its rules for these in 2025.
    b"<p>a<select><div>b<option>c<p>d<option>e<optgroup>f<option>g<hr><b>h</select>i<select><option>j<input><select>k"
    b"<select>",
    # Formatting elements: split by a block, opened again, at most three alike, held back by a cell.
    b"<b>a<p>b</b>c</p><a>d<a>e<div>f<a>g</div><i><i><i><i><p>h</i></i><nobr>j<nobr>k<font><table><td>l</font>m</table>n</b>o",
    b"<p><b><u><s><i><em><div>a</b>b</u>c<object>d</em></object>e<button>f<button>g<code><marquee></code>h",
    # Tables: implied parts, what they do not allow, forms, a table in a table; quirks.
    b"<p>a<br><table>b<tr><q>c</q><td>d<th>e<caption>f<tfoot><tr><td>g<table><tr><td>h</table>i<col><col><q>j</q><form>"
    b"<q>k</q><input><input type=hidden></form></table>l<table><select><tr><q>m</q></table><tbody>n",
    b"<!doctype html><p>a<table><tr><td><p>b<table><td>c</table></p>d",
    # Raw texts, SVG, ruby, forms, comments between texts, what comes after the body.
    b"<style>a</style><textarea>\nb</textarea><pre>\n</pre><svg viewbox=c><title>d</title><style>e<g>f</style><desc>g"
    b"<p>h</svg><ruby>i<rt>j<rb>k<rtc>l<rp>m</ruby><form><form>n</form>o</form>p<!-- -->q<?r?>s</body>t</html><!-- -->u"
    b"<body v=w>",
)
"""Pages that come out differently by other rules: of another version of the standard, or of the parser."""


def agrees(verified: layout.Layout) -> bool:
    """Whether the parser builds the same trees from its tokens as we do."""
    for html in TRIALS:
        names: tuple[dict[int, str], dict[int, str]] = {}, {}
        ours, theirs = read_directly(html, names[0]), walk_tree(html, verified, names[1])
        if ours is None or theirs is None or names[0] != names[1]:
            return False
        pairs: list[tuple[Any, Any]] = list(zip(ours, theirs, strict=True))
        if any(memoryview(our) != memoryview(their) for our, their in pairs):
            return False
    return True
