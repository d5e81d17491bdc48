"""What requests say: the page and the options, from a query or from JSON, checked before a thread is taken.
`Document` is one page to be read; its `read` makes the page, within the limits on depth and elements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request

from fastwrap.columns.wishes import MAX_WISHES, Want
from fastwrap.common.ids import ID
from fastwrap.errors import FastwrapError, TooComplexError
from fastwrap.page import Page
from fastwrap.regions import METHODS
from fastwrap.server.problems import Problem
from fastwrap.server.settings import Limits

T = TypeVar("T")
SomeOptions = TypeVar("SomeOptions", bound="PageOptions")

HTML = frozenset(("text/html", "application/xhtml+xml", "text/plain", "application/octet-stream", ""))
"""Kinds of body that are a page; it is looked at whatever it is called."""

JSON = "application/json"

WANTED_TYPES: dict[str, Any] = {
    "any": Any, "text": str, "integer": int, "number": float, "money": Decimal, "date": date, "time": time,
    "datetime": datetime, "boolean": bool,
}  # fmt: skip
"""By the name that a request has for it, the type of a column that is wanted."""

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=300)]
Text: TypeAlias = Annotated[str, Meta(max_length=4_096)]
WantedType: TypeAlias = Literal["any", "text", "integer", "number", "money", "date", "time", "datetime", "boolean"]
Names: TypeAlias = Annotated[list[Name], Meta(min_length=1, max_length=MAX_WISHES)]
NamesAndTypes: TypeAlias = Annotated[dict[Name, WantedType | None], Meta(min_length=1, max_length=MAX_WISHES)]
Wants: TypeAlias = Annotated[
    Names | NamesAndTypes | None, Meta(description="Just these columns: names, or names with types.")
]
Method: TypeAlias = Literal["auto", "mdr", "depta", "classes", "signal", "autorm", "gstm"]
WrapperId: TypeAlias = Annotated[str, Meta(pattern=rf"^{ID}\Z")]
assert set(Method.__args__) == set(METHODS)  # type: ignore[attr-defined]


class PageOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is known of a page."""

    url: Annotated[Text | None, Meta(description="The address of the page: links are made absolute.")] = None
    encoding: Annotated[Name | None, Meta(description="How the bytes of the page are encoded.")] = None


class ReadOptions(PageOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a page is to be read by a wrapper."""

    want: Wants = None


class Options(ReadOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a page is to be read: the keywords of `fastwrap.extract`."""

    method: Annotated[Method, Meta(description="How lists are found.")] = "auto"
    min_confidence: Annotated[
        float, Meta(ge=0, le=1, description="Below it a page is taken to have no list.")
    ] = 0.5  # fmt: skip
    columns: Annotated[Literal["all"] | None, Meta(description="all: every text and attribute of the records.")] = None
    clean: Annotated[
        bool | Literal["plain", "printed", "joined"], Meta(description="Remove noise first, in this mode.")
    ] = False  # fmt: skip
    main: Annotated[Literal["longest"] | None, Meta(description="Which list is the main one.")] = None
    structured: Annotated[bool, Meta(description="Whether the data counts that the page carries for machines.")] = True

    @property
    def keywords(self) -> dict[str, Any]:
        """The keywords of `fastwrap.extract`, but for the page itself."""
        return {
            "method": self.method, "min_confidence": self.min_confidence, "columns": self.columns, "clean": self.clean,
            "main": self.main, "structured": self.structured, "want": wanted(self.want),
        }  # fmt: skip


Html: TypeAlias = Annotated[str | None, Meta(description="The page; without it, the one at `url` is fetched.")]


class PageDocument(PageOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page."""

    html: Html = None


class ReadDocument(ReadOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page that is read by a wrapper."""

    html: Html = None


class Document(Options, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page with all options."""

    html: Html = None


DOCUMENTS: dict[type[PageOptions], type[PageDocument | ReadDocument | Document]] = {
    PageOptions: PageDocument,
    ReadOptions: ReadDocument,
    Options: Document,
}
"""By the options of a route, its JSON."""


def wanted(want: list[str] | Mapping[str, str | None] | None) -> Want | None:
    """What is wanted, as the library takes it."""
    if isinstance(want, Mapping):
        return {name: WANTED_TYPES[kind or "any"] for name, kind in want.items()}
    return want


class Given(Struct, Generic[SomeOptions], frozen=True):
    """A page as it came, with its options."""

    html: bytes | str | None
    """None where it is to be fetched."""
    options: SomeOptions
    charset: str | None = None
    """The header Content-Type, which may name the encoding."""

    def page(self, limits: Limits) -> Page:
        """The page; Problem for what is none, or beyond the limits."""
        if self.html is None:
            raise Problem("bad-request", "there is neither html nor a page in the body")
        return page_of(self.html, self.options.url, self.options.encoding or self.charset, limits)


def page_of(html: bytes | str, url: str | None, encoding: str | None, limits: Limits) -> Page:
    """A page; Problem for what is none, or beyond the limits."""
    if isinstance(html, str):
        encoding = None
    try:
        page = Page.of(html, url, encoding)
    except TooComplexError as error:
        raise Problem("page-too-deep", str(error)) from None
    except FastwrapError as error:
        raise Problem("not-a-page", str(error)) from None
    if len(page) > limits.nodes:
        raise Problem(
            "page-too-large", f"the page has {len(page):,} nodes, more than {limits.nodes:,}", limit=limits.nodes
        )
    if len(page) and (deepest := int(page.depth.max())) > limits.depth:
        raise Problem(
            "page-too-deep", f"the page nests {deepest:,} elements, more than {limits.depth:,}", limit=limits.depth
        )
    return page


def decoded(body: bytes | str, kind: type[T], where: str = "") -> T:
    """A document of JSON; Problem where it is none, or of another shape."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem("bad-request", f"{where}{error}") from None


def options_of(query: Iterable[tuple[str, str]], kind: type[T], more: Mapping[str, Any] | None = None) -> T:
    """Options from the query of an address; Problem where one is unknown or wrong."""
    values: dict[str, Any] = dict(more or {})
    for name, value in query:
        if name in values:
            raise Problem("bad-request", f"the query has {name[:40]!r} twice")
        values[name] = wanted_of(value) if name == "want" else value
        if name == "clean" and value in ("true", "false"):
            values[name] = value == "true"
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Problem("bad-request", f"in the query: {error}") from None


def wanted_of(text: str) -> list[str] | dict[str, str]:
    """What is wanted, from a query: names with commas between them, each `name` or `name:type`.

    >>> wanted_of("title, price:money")
    {'title': 'any', 'price': 'money'}
    """
    names = [part.strip() for part in text.split(",")]
    if not any(":" in name for name in names):
        return names
    pairs = (name.rpartition(":") if ":" in name else (name, "", "any") for name in names)
    return {name.strip(): kind.strip() for name, _, kind in pairs}


def media_type(request: Request) -> str:
    """What kind of body a request has."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def query_of(request: Request, *but: str) -> list[tuple[str, str]]:
    """The query, but for what says how to answer, and what else is said."""
    return [pair for pair in request.query_params.multi_items() if pair[0] != "format" and pair[0] not in but]


class Incoming(Generic[SomeOptions]):
    """A request for one page, before its body is unpacked and read: that is done on a thread."""

    def __init__(self, request: Request, options: type[SomeOptions], *but: str) -> None:
        kind = media_type(request)
        if kind != JSON and kind not in HTML:
            raise Problem("unsupported-media-type", f"a page is text/html or application/json, not {kind[:60]!r}")
        header = request.headers.get("content-type", "")
        self._is_json = kind == JSON
        self._charset = header if "charset" in header.lower() else None
        self._query = query_of(request, *but)
        self._options = options

    def given(self, body: bytes) -> Given[SomeOptions]:
        """The page and its options, from the unpacked body."""
        if not self._is_json:
            return Given(body or None, options_of(self._query, self._options), self._charset)
        refuse_query(self._query)
        document: Any = decoded(body, DOCUMENTS[self._options])
        return Given(document.html, document)


def refuse_query(query: list[tuple[str, str]]) -> None:
    """Problem for options in the query of a request whose body has them."""
    if query:
        raise Problem("bad-request", f"of a JSON body, {query[0][0][:40]!r} stands in it, not in the query")
