"""What a page may be given as: HTML, a file, the response of a server, the tree of a parser, or a Page.
A str is HTML, never the name of something to open: strings that strangers wrote come in here."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from fastwrap.common.arguments import expect
from fastwrap.errors import FastwrapError
from fastwrap.page.kinds import is_json, named_instead, other_kind
from fastwrap.page.page import MAX_BYTES, Page, restore


class Response(Protocol):
    """What requests, httpx, Scrapy and others give for a page: an address, with the bytes in `content` or `body`."""

    @property
    def url(self) -> Any:
        """The address that it came from."""


class Readable(Protocol):
    """An open file, of bytes or of text."""

    def read(self, size: int = -1, /) -> bytes | str:
        """What is left of the file, at most so much of it."""


class SelectolaxTree(Protocol):
    """A parser or a node of selectolax."""

    @property
    def html(self) -> str | None:
        """Its HTML."""


class LxmlTree(Protocol):
    """A tree or an element of lxml."""

    def xpath(self, path: str, /) -> Any:
        """What is at a path."""


class Soup(Protocol):
    """A document or a tag of BeautifulSoup."""

    def prettify(self) -> Any:
        """Its HTML, indented."""


Tree: TypeAlias = SelectolaxTree | LxmlTree | Soup
HtmlSource: TypeAlias = bytes | bytearray | memoryview | str | os.PathLike[str] | Page | Response | Readable | Tree


class Given(NamedTuple):
    """A page as it was given, before it is read."""

    html: bytes | str
    url: str | None = None
    encoding: str | None = None
    """A label, or the header Content-Type."""
    name: str = ""
    """Of a file."""


def page_of(source: HtmlSource, url: str | None = None, encoding: str | None = None) -> Page:
    """The page. `url` and `encoding` go before what the source says of itself.

    >>> from types import SimpleNamespace
    >>> page = page_of(SimpleNamespace(content=b"<p>caf\\xe9", url="https://a.example/", headers={"content-type":
    ...     "text/html; charset=latin-1"}))
    >>> page.text(), page.url
    ('café', 'https://a.example/')
    >>> page_of("https://a.example/")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: a str is HTML, and this one is an address: fastwrap.fetch('https://a.example/') \
fetches the page
    """
    if isinstance(source, Page):
        return readdressed(source, url, encoding)
    given = given_as(source)
    return Page(given.html, given.url if url is None else url, given.encoding if encoding is None else encoding)


def given_as(source: Any) -> Given:
    """What anything but a Page has of a page, unread; FastwrapError for what is none, and says what it is.

    >>> given_as(b"<p>one")
    Given(html=b'<p>one', url=None, encoding=None, name='')
    """
    if isinstance(source, str):
        given = Given(source)
        if "<" not in source and (instead := named_instead(source)) is not None:
            raise FastwrapError(f"a str is HTML, and this one is {instead}")
    elif isinstance(source, bytes | bytearray | memoryview):
        given = Given(bytes(source))
    else:
        given = given_by(source)
    refuse_other_kinds(given)
    return given


def pages_of(source: HtmlSource | Iterable[HtmlSource]) -> list[HtmlSource]:
    """What was given where there may be one page or several: an open file and a tree are one, though they are iterable.

    >>> pages_of("<p>one"), pages_of(("<p>one", b"<p>two"))
    (['<p>one'], ['<p>one', b'<p>two'])
    """
    single = isinstance(source, bytes | bytearray | memoryview | str | os.PathLike | Page) or (
        library_of(source) in TREES or "url" in dir(source) or callable(getattr(source, "read", None))
    )
    if single or not isinstance(source, Iterable):
        return [cast(HtmlSource, source)]
    return list(cast(Iterable[HtmlSource], source))


def readdressed(page: Page, url: str | None, encoding: str | None) -> Page:
    """The page itself; one like it that has this address, if it has another one."""
    if encoding is not None:
        expect(encoding, str, "encoding is a str or None")
        raise FastwrapError(f"the page has been decoded already, as {page.encoding}: give the encoding to Page")
    if url is None or url == page.url:
        return page
    expect(url, str, "url is a str or None")
    _, (arrays, names, _, *others) = page.__reduce__()
    return restore(arrays, names, url, *others)


def refuse_other_kinds(given: Given) -> None:
    """Raise FastwrapError for what is no page, and say what it is."""
    kind = other_kind(given.html) if isinstance(given.html, bytes) else "JSON" if is_json(given.html) else None
    if kind is not None:
        raise FastwrapError(f"{given.name}{': ' * bool(given.name)}this is {kind}, not HTML")


def given_by(source: Any) -> Given:
    """What a file, a tree or a response has; TypeError for anything else."""
    if isinstance(source, os.PathLike):
        return of_file(source)
    if (library := library_of(source)) in TREES:
        return TREES[library](source)
    response = of_response(source)
    if response is not None:
        return response
    raise TypeError(
        "a page is bytes, a str of HTML, a Path, an open file, a response, a tree of selectolax, lxml or"
        f" BeautifulSoup, or a Page, not {type(source).__name__}"
    )


def library_of(source: object) -> str:
    """The package that the type of something is from."""
    return type(source).__module__.partition(".")[0]


def of_file(path: os.PathLike[str]) -> Given:
    """The file at a path."""
    name = os.fsdecode(path)
    try:
        with open(name, "rb") as file:
            return Given(file.read(MAX_BYTES + 1), name=name)
    except IsADirectoryError:
        raise FastwrapError(f"the page cannot be read: {name} is a folder") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise FastwrapError(f"the page cannot be read: {name}: {getattr(error, 'strerror', None) or error}") from None


def of_response(source: Any) -> Given | None:
    """The response of a server, or an open file, which has no more than what is read of it; None if it is neither."""
    try:
        html = body_of(source)
    except UnicodeDecodeError as error:
        raise FastwrapError(
            f"the file is not in {error.encoding}: open it in binary mode, as open(path, 'rb')"
        ) from None
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: httpx, of a stream that nobody has read
        raise FastwrapError(f"the page cannot be read: {error}") from None
    if html is None:
        return None
    headers = getattr(source, "headers", None) or {}
    if not callable(getattr(headers, "get", None)):
        raise TypeError(f"the headers of a response are a mapping, not {type(headers).__name__}")
    encoding = headers.get("content-type") or headers.get("Content-Type")
    if isinstance(encoding, bytes):
        encoding = encoding.decode("latin-1")
    name = getattr(source, "name", "")
    return Given(html, address_of(source), encoding, name if isinstance(name, str) else "")


def address_of(response: Any) -> str | None:
    """The address of a response, if it has one."""
    try:
        url = getattr(response, "url", None)
    except RuntimeError:  # httpx, of a response that answers no request
        return None
    return None if url is None else str(url)


def body_of(source: Any) -> bytes | str | None:
    """The HTML of a response, or what is left of an open file; None if there is no such thing."""
    if "url" in dir(source):  # what has a text, but can have no address, is something else
        for name in ("content", "body", "text"):
            html = getattr(source, name, None)
            if isinstance(html, bytes | str):
                return html
    if not callable(getattr(source, "read", None)) or isinstance(source, type):
        return None
    html = source.read()
    if inspect.isawaitable(html):
        if inspect.iscoroutine(html):
            html.close()
        raise TypeError(f"{type(source).__name__}.read() must be awaited: give what it returns")
    return bytes(html) if isinstance(html, bytearray | memoryview) else html if isinstance(html, bytes | str) else None


# Trees, by the public interfaces of their libraries: they are written as HTML again.


def of_selectolax(tree: Any) -> Given:
    """A parser or a node of selectolax."""
    html = getattr(tree, "html", None)
    if not isinstance(html, str | None):
        raise TypeError(f"a tree of selectolax is a parser or a node, not {type(tree).__name__}")
    return Given(html or "")


def of_lxml(tree: Any) -> Given:
    """A tree or an element of lxml."""
    from lxml import etree

    root = tree.getroot() if hasattr(tree, "getroot") else tree
    if not etree.iselement(root):
        raise TypeError(f"a tree of lxml is an ElementTree or an Element, not {type(tree).__name__}")
    html = etree.tostring(tree, method="html", encoding="unicode", with_tail=False)
    address = root.getroottree().docinfo.URL or ""
    return Given(html, address if address.lower().startswith(("http://", "https://")) else None)


def of_beautiful_soup(tree: Any) -> Given:
    """A soup or a tag of BeautifulSoup."""
    return Given(str(tree))


TREES = {"selectolax": of_selectolax, "lxml": of_lxml, "bs4": of_beautiful_soup}
"""By library, what writes its trees."""
