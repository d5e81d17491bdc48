"""What a client asks of a server, as requests that are not sent yet, each with what reads its answer.
Both clients send the same ones; nothing here waits for a network."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from functools import partial
from typing import Any, Generic, Protocol, TypedDict, TypeVar

import msgspec

from fastwrap.client.received import (
    ContentAnswer,
    ExtractionAnswer,
    LearnedAnswer,
    MethodsAnswer,
    ReceivedExtraction,
    ReceivedFromWrapper,
    WrappersAnswer,
    read_as,
)
from fastwrap.columns.wishes import Want, Wanted, Wish, plain_types, wanted_of
from fastwrap.common.arguments import expect
from fastwrap.common.ids import is_id
from fastwrap.errors import FastwrapError
from fastwrap.extraction import MIN_CONFIDENCE
from fastwrap.page import Page
from fastwrap.page.decode import decode
from fastwrap.page.sources import Given, HtmlSource, given_as, pages_of
from fastwrap.types import Money
from fastwrap.wrapper import Wrapper

T = TypeVar("T")

HTML = "text/html"
JSON = "application/json"

TYPE_NAMES: dict[Any, str] = {
    int: "integer",
    float: "number",
    Decimal: "number",
    Money: "money",
    date: "date",
    datetime: "datetime",
    time: "time",
    bool: "boolean",
    str: "text",
}
"""What the server calls the types that a caller may want."""


class ReadingByWrapper(TypedDict, total=False):
    """How a page is read by a wrapper, as the keywords of `Wrapper.extract` say it."""

    encoding: str | None
    want: Want | None


class Reading(ReadingByWrapper, total=False):
    """How a page is read, as the keywords of `fastwrap.extract` say it."""

    clean: bool | str
    main: str | None
    min_confidence: float
    columns: str | None
    structured: bool


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request, and what reads the answer to it."""

    method: str
    path: str
    read: Callable[[Mapping[str, str], bytes], T]
    """Makes the result of the headers and the body of an answer."""
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


class Sent(typing.NamedTuple):
    """A page as it is sent: its bytes with the options in the query, or both in JSON."""

    given: Given | None
    wanted: Wanted | None
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


def as_sent(html: HtmlSource | None, url: str | None, options: Mapping[str, Any]) -> Sent:
    """A page and how it is read. Without a page, the server fetches the address, if it may.

    >>> sent = as_sent("<p>caf\\u00e9", "https://a.example/", {"clean": True, "min_confidence": 0.25})
    >>> sent.body, sent.query
    (b'<p>caf\\xc3\\xa9', {'url': 'https://a.example/', 'clean': 'true', 'min_confidence': '0.25', 'encoding': 'utf-8'})
    """
    if unknown := options.keys() - typing.get_type_hints(Reading).keys() - {"method"}:
        raise TypeError(f"there is no option {min(unknown)!r}")
    said = {name: value for name, value in options.items() if value is not None and name not in ("want", "encoding")}
    wanted = None if options.get("want") is None else wanted_of(options["want"])
    encoding = options.get("encoding")
    if encoding is not None:
        expect(encoding, str, "encoding is a str or None")
    given = None if html is None else given_html(html)
    if url is None and given is not None:
        url = given.url
    if url is not None:
        expect(url, str, "url is a str or None")
        said = {"url": url, **said}
    if given is None and url is None:
        raise TypeError("a page or its address is needed")
    if given is not None and isinstance(given.html, str):
        given = given._replace(html=decode(given.html).html, encoding="utf-8")
    elif given is not None and encoding is not None:
        given = given._replace(encoding=encoding)
    if given is None or wanted is not None:
        if given is not None:
            said["html"] = decode(given.html, given.encoding).html.decode()
        if wanted is not None:
            said["want"] = wishes(wanted)
        return Sent(given, wanted, {}, {"Content-Type": JSON}, encoded(said))
    if given.encoding is not None:
        said["encoding"] = given.encoding
    query = {name: in_query(value) for name, value in said.items()}
    assert isinstance(given.html, bytes)
    return Sent(given, None, query, {"Content-Type": HTML}, given.html)


def given_html(html: HtmlSource) -> Given:
    """The HTML of whatever a caller has."""
    if isinstance(html, Page):
        raise TypeError("a Page has no HTML any more that could be sent: give what it was made of")
    return given_as(html)


def in_query(value: Any) -> str:
    """A value as an address has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def wishes(wanted: Wanted) -> list[str] | dict[str, str | None]:
    """What is wanted, as JSON says it: names, or names with types where any has one.

    >>> wishes(wanted_of({"price": float, "title": str})), wishes(wanted_of(["price"]))
    ({'price': 'number', 'title': 'text'}, ['price'])
    """
    types = {wish.name: type_name(wish) for wish in wanted.wishes}
    return dict(types) if any(types.values()) else list(types)


def type_name(wish: Wish) -> str | None:
    """What the server calls the type of a wish; None for one that it need not know."""
    return next((TYPE_NAMES[each] for each in plain_types(wish.annotation) if each in TYPE_NAMES), None)


def encoded(value: Any) -> bytes:
    """JSON; FastwrapError for what it cannot say."""
    try:
        return msgspec.json.encode(value)
    except (TypeError, UnicodeEncodeError, RecursionError) as error:
        raise FastwrapError(f"cannot be sent as JSON: {error}") from None


# Calls, in the order of the methods of the clients


def extract(html: HtmlSource | None, url: str | None, options: Mapping[str, Any]) -> Call[ReceivedExtraction]:
    """Read a page."""
    sent = as_sent(html, url, options)
    least = options.get("min_confidence", MIN_CONFIDENCE)

    def read(headers: Mapping[str, str], body: bytes) -> ReceivedExtraction:
        return ReceivedExtraction(read_as(ExtractionAnswer, body), sent.given, least, limits_in(headers), sent.wanted)

    return Call("POST", "/v1/extract", read, sent.query, accepting(JSON, sent.headers), sent.body)


def extract_by(
    path: str, html: HtmlSource | None, url: str | None, options: Mapping[str, Any]
) -> Call[ReceivedFromWrapper]:
    """Read a page by a wrapper of the server."""
    sent = as_sent(html, url, options)

    def read(headers: Mapping[str, str], body: bytes) -> ReceivedFromWrapper:
        return ReceivedFromWrapper(read_as(ExtractionAnswer, body), sent.given, limits_in(headers), sent.wanted)

    return Call("POST", path, read, sent.query, accepting(JSON, sent.headers), sent.body)


def content(html: HtmlSource | None, url: str | None, encoding: str | None) -> Call[ContentAnswer]:
    """The main content of a page."""
    sent = as_sent(html, url, {"encoding": encoding})
    read = partial(answer, ContentAnswer)
    return Call("POST", "/v1/content", read, sent.query, accepting(JSON, sent.headers), sent.body)


def methods() -> Call[MethodsAnswer]:
    """The methods of the server."""
    return Call("GET", "/v1/methods", partial(answer, MethodsAnswer), {}, accepting(JSON))


class Learning(TypedDict, total=False):
    """What to learn, as the keywords of `fastwrap.learn` say it, and what to call it."""

    encoding: str | None
    columns: str | None
    want: Want | None
    examples: Iterable[Mapping[str, Any]] | None
    kind: str | None
    id: str | None
    previous: KeptWrapper | None


class KeptWrapper(Protocol):
    """A wrapper that the server has."""

    id: str


def learn(pages: HtmlSource | Iterable[HtmlSource], url: str | None, options: Mapping[str, Any]) -> Call[LearnedAnswer]:
    """Learn a wrapper, which the server keeps."""
    if unknown := options.keys() - Learning.__annotations__.keys():
        raise TypeError(f"there is no option {min(unknown)!r}")
    said: dict[str, Any] = {name: options[name] for name in ("id", "columns", "kind") if options.get(name) is not None}
    if (previous := options.get("previous")) is not None:
        if not hasattr(previous, "version"):
            raise TypeError("previous is a RemoteWrapper: have the server keep the wrapper first")
        said.setdefault("id", previous.id)
    if options.get("want") is not None:
        said["want"] = wishes(wanted_of(options["want"]))
    if (examples := options.get("examples")) is not None:
        said["examples"] = [{name: str(value) for name, value in example.items()} for example in examples]
    said["pages"] = []
    for place, page in enumerate(pages_of(pages)):
        given = given_html(page)
        text = decode(given.html, options.get("encoding") or given.encoding).html.decode()
        said["pages"].append({"html": text, "url": (url if place == 0 else None) or given.url})
    headers = accepting(JSON, {"Content-Type": JSON})
    return Call("POST", "/v1/learn", partial(answer, LearnedAnswer), {}, headers, encoded(said))


def wrapper_file(id: str) -> Call[tuple[LearnedAnswer, bytes]]:
    """The current version of a wrapper, and what it is as a file."""

    def read(headers: Mapping[str, str], body: bytes) -> tuple[LearnedAnswer, bytes]:
        version = headers.get("fastwrap-version", "")
        return LearnedAnswer(id, int(version) if version.isdecimal() else None, headers.get("etag")), body

    return Call("GET", path_of(id), read, {}, accepting(JSON))


def wrappers(after: str | None) -> Call[WrappersAnswer]:
    """Some of the wrappers that the server has, those after a name."""
    query = {} if after is None else {"after": after}
    return Call("GET", "/v1/wrappers", partial(answer, WrappersAnswer), query, accepting(JSON))


def put(id: str, wrapper: Wrapper | str | bytes) -> Call[LearnedAnswer]:
    """Keep a wrapper."""
    body = wrapper.dumps() if isinstance(wrapper, Wrapper) else wrapper
    headers = accepting(JSON, {"Content-Type": JSON})
    data = body.encode() if isinstance(body, str) else body
    return Call("PUT", path_of(id), partial(answer, LearnedAnswer), {}, headers, data)


def delete(id: str) -> Call[None]:
    """Forget a wrapper with all its versions."""
    return Call("DELETE", path_of(id), lambda *_: None)


def path_of(id: str) -> str:
    """The path of a wrapper."""
    expect(id, str, "the id of a wrapper is a str")
    if not is_id(id):
        raise FastwrapError(f"{id[:100]!r} cannot be the id of a wrapper: letters, digits, and . _ - within")
    return f"/v1/wrappers/{id}"


def accepting(kind: str, headers: Mapping[str, str] | None = None) -> dict[str, str]:
    """Headers that say which kind of answer is asked for."""
    return {**(headers or {}), "Accept": kind}


def answer(kind: type[T], _: Mapping[str, str], body: bytes) -> T:
    """The JSON of an answer."""
    return read_as(kind, body)


def limits_in(headers: Mapping[str, str]) -> tuple[str, ...]:
    """The limits that a server met, as its header names them.

    >>> limits_in({"fastwrap-limits": "regions.edits, columns.width"})
    ('regions.edits', 'columns.width')
    """
    return tuple(name for part in headers.get("fastwrap-limits", "").split(",") if (name := part.strip()))
