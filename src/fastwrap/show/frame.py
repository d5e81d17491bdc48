"""The frame: the HTML of a page as it is, save for all that could run, load or lead away, with marks on its nodes.
Written out anew from the parser's tree, so that nothing that a page's author typed reaches the view as markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import NamedTuple

import numpy as np

from fastwrap._core.page.tables import BITS
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.addresses import is_web
from fastwrap.page.decode import decode
from fastwrap.page.names import TAG_NUMBER, TEXT
from fastwrap.page.tree import LEFT_OUT, RAW_TEXT, Node, tree
from fastwrap.page.tree import TEXT as TEXT_NODE
from fastwrap.show.styles import is_own, without_addresses

MARK = "data-fastwrap"  # how the names of our attributes begin; attributes of the page that are called so are removed
WRAP = "fastwrap-text"  # the element around a marked text that has neighbours: no style sheet of a page knows it
NOTHING = "<!---->"  # in place of what is left out: texts before and after it stay two
DROPPED = frozenset("base meta bgsound animate animatemotion animatetransform set".split())
"""What is left out, with all in it, besides what the walk leaves out. Animations of SVG can set an address."""

RENAMED = {
    **{name: f"fastwrap-{name}" for name in "embed fencedframe frame frameset iframe noembed noframes portal".split()},
    # To a parser an applet is what an object is, so that what is in it stays there; to browsers it is nothing.
    "object": "applet",
    "xmp": "pre", "plaintext": "pre",
}  # fmt: skip
"""Elements that load something, or hold no markup, and what they become: nodes stay nodes."""

VOID = frozenset("area basefont br col hr img input keygen link param source track wbr".split())

IN_HEAD = frozenset(("title", "style", "link"))  # what may stay in the head: anything else would end it
KEEP_NEWLINE = frozenset(("pre", "textarea", "listing"))  # after their start tags a parser skips one line feed
NO_ELEMENTS = frozenset("select optgroup option title textarea".split())  # a text in one of these cannot be wrapped
INTEGRATION = frozenset("foreignobject desc title annotation-xml mi mo mn ms mtext".split())
"""Elements of SVG and MathML in which HTML may stand again."""

SCOPES = frozenset("applet object marquee table td th caption button html".split()) | INTEGRATION
"""A start tag in one of these does not close a p around it (HTML Standard: "in button scope")."""

PARTING = frozenset(BITS["SPECIAL"].split()) - frozenset(BITS["PASSED"].split())
"""A start tag of an item in one of these does not close an item around it."""

FIELDS = frozenset(("button", "option", "optgroup", "select"))
ITEMS = frozenset(("li", "dd", "dt"))
HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
CLOSED_BY = {
    **{name: frozenset((name,)) for name in ("a", "form", "nobr", "li", *FIELDS)},
    **dict.fromkeys(("dd", "dt"), frozenset(("dd", "dt"))),
}
"""Open elements that the start tag of another one closes, or that make a parser ignore it. In a tree they may be inside
one another all the same: what a table does not allow is put before it, in what the table is in."""

TAG_NAME = re.compile(r"[a-z][a-z0-9:_.-]*", re.ASCII)
ATTRIBUTE_NAME = re.compile(r"[a-z_][a-z0-9:_.-]*", re.ASCII)

STRIPPED = frozenset(
    "accesskey action archive attributionsrc autofocus autoplay classid code codebase data download formaction"
    " formmethod formtarget http-equiv imagesrcset integrity is manifest method nonce object ping sandbox srcdoc"
    " target".split()
)
"""Attributes that are removed, besides all that begin with "on"."""

ADDRESSES = frozenset(
    "background cite dynsrc href longdesc lowsrc poster profile src srcset usemap xlink:href xml:base".split()
)
STYLES = frozenset("style fill stroke filter mask clip-path cursor marker marker-start marker-mid marker-end".split())
"""Attributes that hold CSS, in which there may be addresses."""

LINKS = frozenset(("a", "area"))
"""Elements whose addresses are where one may go; those of others are what they show, or are about."""

PICTURES = frozenset("img image input source video feimage".split())
"""Elements that may show a picture that an address holds."""

PROGRAM = re.compile(r"(javascript|vbscript|livescript|mocha|data):", re.IGNORECASE)
"""The schemes of addresses that are a program or a document themselves."""
IGNORED_IN_ADDRESSES = dict.fromkeys(range(0x21))


def policy(online: bool) -> str:
    """The Content-Security-Policy: no script, and nothing is loaded, or pictures, fonts and style sheets alone."""
    web = " http: https:" if online else ""
    return (
        f"default-src 'none'; style-src 'unsafe-inline'{web}; img-src data:{web}; font-src data:{web};"
        " form-action 'none'"
    )


class Place(NamedTuple):
    """Where in the tree the walk is."""

    parent: str
    foreign: bool  # in SVG or MathML
    open: frozenset[str]  # the elements that a parser would ignore here, or close what is open before it opens them

    def makes_foreign(self, name: str) -> bool:
        """Whether an element called so is one of SVG or MathML here: in a few of theirs, HTML stands again."""
        return name in ("svg", "math") or (self.foreign and self.parent not in INTEGRATION)


def quoted(text: str) -> str:
    """A text as it stands in HTML, between tags or in an attribute's quotes.

    >>> quoted("</iframe>\\r'\\"")
    '&lt;/iframe&gt;&#13;&#x27;&quot;'
    """
    return escape(text).replace("\r", "&#13;")


def frame(html: bytes | str, page: Page, marks: Mapping[int, str], style: str = "", *, online: bool = False) -> str:
    """The document for the frame.

    `html` is what `page` was made of. `marks` holds attributes, as text, for nodes: an element gets them itself, a
    text is wrapped, save in SVG and in lists of choices. `style` is added to the page's style sheets.

    >>> html = "<p onclick=f()>one <a href='javascript:f()'>two</a><script>f()</script>"
    >>> print(frame(html, Page(html), {4: "data-fastwrap-x=1"}).partition("<body>")[2])
    <p><fastwrap-text data-fastwrap-x=1>one </fastwrap-text><a>two</a><!----></p></body></html>
    """
    document = tree(decode(html, page.encoding).html)
    writer = Writer(page, marks, style, online)
    writer.write(next(node for node in document.children if node.is_element))
    if writer.number != len(page):
        raise FastwrapError("the page and the HTML to show it by are not the same")
    return "<!doctype html>" + "".join(writer.parts)


class Writer:
    """Walks the whole tree in the order in which the nodes of a page are numbered, and writes it."""

    def __init__(self, page: Page, marks: Mapping[int, str], style: str, online: bool) -> None:
        self.marks = {number: f" {mark}" for number, mark in marks.items()}
        self.style = style
        self.online = online
        self.base = page.base if page.base and is_web(page.base) else None
        self.size = page.size.tolist()
        self.is_text = (page.tag == TEXT).tolist()
        self.paragraphs = with_tables(page)
        self.parts: list[str] = []
        self.number = 0
        """Of the next node."""

    def write(self, root: Node) -> None:
        """Write all from the html element on."""
        # What is still to be visited: a node, or an end tag.
        stack: list[tuple[Node | str, Place]] = [(root, Place("", False, frozenset()))]
        while stack:
            node, place = stack.pop()
            if isinstance(node, str):
                self.parts.append(node)
                continue
            if node.name == TEXT_NODE:
                self.text(node.text, place)
                continue
            name = node.name
            if not node.is_element or name in LEFT_OUT:
                if name == "style" and not place.foreign:
                    self.style_sheet(node)
                else:
                    self.parts.append(NOTHING)
                continue
            if self.is_left_out(node, name, place):
                number = self.take(False)
                self.number = number + self.size[number]
                self.parts.append(NOTHING)
                continue
            end_tag, within = self.start(node, name, place)
            stack.append((end_tag, place))
            if name not in RAW_TEXT:
                stack += [(child, within) for child in reversed(node.children)]

    def start(self, node: Node, name: str, place: Place) -> tuple[str, Place]:
        """Write the start tag of an element; its end tag, and the place in it."""
        number = self.take(False)
        foreign = place.makes_foreign(name)
        written = self.written_name(number, name, place, foreign)
        described = "".join(attributes(node, name, self.online))
        self.parts.append(f"<{written}{described}{self.marks.get(number, '')}>")
        if written in KEEP_NEWLINE and not foreign:
            self.parts.append("\n")
        opened = place.open
        if name in SCOPES and name != "button":
            opened -= FIELDS
        if name in PARTING:
            opened -= ITEMS
        if name in ("td", "th", "caption", "object", "applet", "marquee"):
            opened &= {"form"}
        opened |= CLOSED_BY.get(name, frozenset())
        end_tag = "" if written in VOID and not foreign else f"</{written}>"
        if name == "head" and place.parent == "html":
            self.parts.append(self.head())
            end_tag = f"<style>{self.style}</style>{end_tag}"
        return end_tag, Place(name, foreign, opened)

    def written_name(self, number: int, name: str, place: Place, foreign: bool) -> str:
        """What an element is called here: its own name, unless that would make a parser do something else."""
        if foreign:
            return name if TAG_NAME.fullmatch(name) and name not in RENAMED and name != "link" else "g"
        if name in place.open or number in self.paragraphs or (name in HEADINGS and place.parent in HEADINGS):
            return f"fastwrap-{name}"
        return RENAMED.get(name, name) if TAG_NAME.fullmatch(name) else "fastwrap-element"

    def text(self, text: str, place: Place) -> None:
        """Write a text, wrapped if it is marked."""
        if text and not text.isspace():
            mark = self.marks.get(self.take(True))
            if mark and not place.foreign and place.parent not in NO_ELEMENTS:
                self.parts.append(f"<{WRAP}{mark}>{quoted(text)}</{WRAP}>")
                return
        self.parts.append(quoted(text))

    def style_sheet(self, node: Node) -> None:
        """Write a style element: the page would not be as it is without."""
        text = "".join(child.text for child in node.children)
        kind = node.attributes.get("type") or "text/css"
        if kind.lower() == "text/css" and "</style" not in text.lower():
            media = f' media="{quoted(media)}"' if (media := node.attributes.get("media")) else ""
            self.parts.append(f"<style{media}>{text if self.online else without_addresses(text)}</style>")

    def is_left_out(self, node: Node, name: str, place: Place) -> bool:
        """Whether an element of the page is not written, nor what is in it."""
        if name == "link" and not place.makes_foreign(name):
            return not (self.online and "stylesheet" in (node.attributes.get("rel") or "").lower().split())
        return name in DROPPED or (place.parent == "head" and name not in IN_HEAD and not place.foreign)

    def head(self) -> str:
        """What every head begins with. All links lead to new windows, which the sandbox does not let open."""
        base = f' href="{quoted(self.base)}"' if self.online and self.base else ""
        return (
            f'<meta charset="utf-8"><base{base} target="_blank">'
            f'<meta http-equiv="Content-Security-Policy" content="{policy(self.online)}">'
            '<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">'
        )

    def take(self, is_text: bool) -> int:
        """The number of the node that is being written."""
        number = self.number
        if number >= len(self.size) or self.is_text[number] is not is_text:
            raise FastwrapError("the page and the HTML to show it by are not the same")
        self.number += 1
        return number


def attributes(node: Node, name: str, online: bool) -> Iterator[str]:
    """The attributes of an element that do nothing but describe it; unless `online`, nothing that it would load."""
    for key, value in node.attributes.items():
        key, value = key.lower(), value or ""
        if key in STRIPPED or key.startswith(("on", MARK)) or not ATTRIBUTE_NAME.fullmatch(key):
            continue
        if key in ADDRESSES and value and (is_program(value, name) or not (online or is_at_hand(value, key, name))):
            continue
        if key in STYLES and not online:
            value = without_addresses(value)
        yield f' {key}="{quoted(value)}"'


def is_at_hand(address: str, key: str, name: str) -> bool:
    """Whether an address of an element called so can stay where nothing may be loaded: that of a link, a picture that
    the address itself holds, a part of the page.

    >>> is_at_hand("http://h/", "href", "a"), is_at_hand("http://h/", "src", "img"), is_at_hand("#x", "href", "use")
    (True, False, True)
    """
    if key in ("href", "xlink:href") and name in LINKS:
        return True
    return key != "srcset" and is_own(address) and (name in PICTURES or address.lstrip().startswith("#"))


def is_program(address: str, name: str) -> bool:
    """Whether an address of an element called so holds a program or a document, and no picture.

    >>> is_program(" java\\nscript:f()", "a"), is_program("data:image/png;base64,", "img"), is_program("/data:", "a")
    (True, False, False)
    """
    # Parsers of addresses leave out white space and control characters.
    address = address.translate(IGNORED_IN_ADDRESSES)
    is_picture = name not in LINKS and address[:11].lower() == "data:image/"
    return PROGRAM.match(address) is not None and not is_picture


def with_tables(page: Page) -> set[int]:
    """The p elements that a table does not close, as in documents in quirks mode; a frame is never in that mode."""
    found, seen = set(), set()
    for table in np.flatnonzero(page.tag == TAG_NUMBER["table"]).tolist():
        for up in page.ancestors(table):
            if up in seen or page.tag_name(up) in SCOPES:
                break
            seen.add(up)
            if page.tag[up] == TAG_NUMBER["p"]:
                found.add(up)
    return found
