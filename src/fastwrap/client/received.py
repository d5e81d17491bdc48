"""What servers answer, read: tables as `fastwrap.Extraction`s whose values have their types again, contents, wrappers.
The JSON is checked against the structs below; what does not fit them is told as the fault of the server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

import msgspec

from fastwrap.client.errors import RemoteError
from fastwrap.columns import Column, GivenTable
from fastwrap.columns.wishes import Wanted
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction, GivenContents, Places, Record, Region
from fastwrap.page import Page
from fastwrap.page.sources import Given
from fastwrap.types import Money

T = TypeVar("T")


class ColumnAnswer(msgspec.Struct):
    """A column."""

    name: str
    type: str
    role: str = ""
    unit: str = ""
    columns: list[ColumnAnswer] = []

    def column(self) -> Column:
        """As the library has it; where it stands on the page, and what its name rests on, was not sent."""
        inner = tuple(each.column() for each in self.columns)
        return Column(self.name, self.type, "", False, {}, inner, self.role, self.unit)


class RecordAnswer(msgspec.Struct):
    """A record."""

    text: str
    link: str | None
    values: list[Any]
    texts: list[Any]


class TableAnswer(msgspec.Struct):
    """Columns and the records that have them."""

    columns: list[ColumnAnswer]
    records: list[RecordAnswer]
    score: float = 0.0


class ColumnDrift(msgspec.Struct, frozen=True):
    """What happened to a column of a wrapper: it is empty now, has moved, or has other values."""

    column: str
    state: str
    fit: float = 0.0
    detail: str = ""


class WrapperAnswer(msgspec.Struct, frozen=True):
    """Which wrapper read a page, and how well."""

    id: str | None = None
    version: int | None = None
    etag: str | None = None
    fit: float | None = None
    fits: bool = False
    happened: str = ""
    """Of `auto_extract`: what was done (docs/server.md)."""
    is_candidate: bool = False
    """Whether the version waits for a second page that it fits."""
    site: str | None = None
    drift: list[ColumnDrift] = []


class ExtractionAnswer(msgspec.Struct):
    """What `to_json` says of a page, and the wrapper, if one read it."""

    url: str | None
    confidence: float
    next_page: str | None
    kind: str
    record: TableAnswer | None
    regions: list[TableAnswer]
    wrapper: WrapperAnswer | None = None


class ContentAnswer(msgspec.Struct, frozen=True):
    """The main content of a page."""

    url: str | None
    title: str | None
    language: str | None
    text: str
    markdown: str

    def __bool__(self) -> bool:
        return bool(self.text)

    def to_dict(self) -> dict[str, str | None]:
        """The address, the title, the language, the text and the Markdown."""
        return msgspec.structs.asdict(self)


class LearnedAnswer(msgspec.Struct, frozen=True):
    """A wrapper that was learned or stored."""

    id: str | None
    version: int | None
    etag: str | None = None
    state: str = "current"
    kind: str = "list"
    limits: list[str] = []
    misfits: list[dict[str, Any]] = []
    wrapper: msgspec.Raw = msgspec.Raw()


class StoredWrapper(msgspec.Struct, frozen=True):
    """A wrapper that a server has."""

    id: str
    version: int
    etag: str
    candidate: int | None = None
    site: str | None = None


class WrappersAnswer(msgspec.Struct):
    """Some of the wrappers that a server has."""

    wrappers: list[StoredWrapper]
    next: str | None = None


class MethodsAnswer(msgspec.Struct):
    """The methods of a server."""

    methods: dict[str, str]


def read_as(kind: type[T], body: bytes) -> T:
    """What the JSON of a server says.

    >>> read_as(MethodsAnswer, b'{"methods": {"auto": "the best"}, "default": "auto"}').methods
    {'auto': 'the best'}
    >>> read_as(MethodsAnswer, b"<p>Hello")
    Traceback (most recent call last):
        ...
    fastwrap.client.errors.RemoteError: this is no answer of fastwrap serve: JSON is malformed: \
invalid character (byte 0)
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RemoteError(f"this is no answer of fastwrap serve: {error}") from error


# Values


def of_type(value: Any, kind: str) -> Any:
    """A value of JSON as its column's type has it; what does not read as the type is a string, and stays one.

    >>> of_type({"amount": "12.50", "currency": "EUR"}, "money"), of_type("2003-01-02", "date"), of_type("soon", "date")
    (Money(amount=Decimal('12.50'), currency='EUR'), datetime.date(2003, 1, 2), 'soon')
    """
    if kind not in TYPED or value is None:
        return value
    if isinstance(value, list):
        return [of_type(each, kind) for each in value]
    try:
        return TYPED[kind](value)
    except (ValueError, TypeError, KeyError, InvalidOperation):
        return value


def money(value: Any) -> Any:
    """An amount of money."""
    return Money(Decimal(value["amount"]), value["currency"]) if isinstance(value, dict) else value


TYPED: dict[str, Callable[[Any], Any]] = {
    "money": money,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}
"""By the types that JSON does not have, what makes values of it."""


def typed_row(values: Sequence[Any], columns: Sequence[Column]) -> list[Any]:
    """The values of a record; lists of several columns row by row."""
    row = []
    for value, column in zip(values, columns, strict=True):
        if len(column.columns) > 1 and value is not None:
            row.append([typed_row(entry, column.columns) for entry in value])
        else:
            row.append(of_type(value, column.columns[0].type if column.columns else column.type))
    return row


class ReceivedTable(GivenTable):
    """Columns and records as a server sent them."""

    def __init__(self, page: Page, answer: TableAnswer) -> None:
        super().__init__(page, (), len(answer.records))
        self._answer = answer

    @lazy_property
    def nested_columns(self) -> list[Column]:
        """What the columns are."""
        return [each.column() for each in self._answer.columns]

    @lazy_property
    def nested_texts(self) -> list[list[Any]]:
        """For each record one raw string per column."""
        return [record.texts for record in self._answer.records]

    @lazy_property
    def nested_values(self) -> list[list[Any]]:
        """The same as values of the columns' types."""
        try:
            return [typed_row(record.values, self.nested_columns) for record in self._answer.records]
        except (ValueError, TypeError) as error:
            raise RemoteError(f"this is no answer of fastwrap serve: {error}") from error

    @lazy_property
    def links(self) -> list[str | None]:
        """The address of each record's own page."""
        return [record.link for record in self._answer.records]

    def text(self, record: int) -> str:
        """All text of a record."""
        return self._answer.records[record].text


def contents_of(page: Page, answer: TableAnswer, wanted: Wanted | None) -> GivenContents:
    """What records hold, and which columns serve what was wanted: they are called as it was."""
    contents = GivenContents(ReceivedTable(page, answer))
    if wanted is not None:
        names = [each.name for each in answer.columns]
        places = [names.index(wish.name) if wish.name in names else None for wish in wanted.wishes]
        contents.wanted, contents.served = wanted, Places(places, names)
    return contents


class ReceivedRegion(Region):
    """A list that a server found. Where its records stand on the page was not sent: `spans` are -1."""

    def __init__(self, page: Page, answer: TableAnswer, wanted: Wanted | None = None) -> None:
        self.page = page
        self._contents = contents_of(page, answer, wanted)  # type: ignore[assignment]
        self.spans = self._contents.spans
        self.score = answer.score
        self.why = {}
        self._limits = ()


class ReceivedExtraction(Extraction):
    """What a server found on a page: as `fastwrap.extract` gives it, without where on the page it stands."""

    def __init__(
        self,
        answer: ExtractionAnswer,
        sent: Given | None,
        min_confidence: float = 0.0,
        limits: tuple[str, ...] = (),
        wanted: Wanted | None = None,
    ) -> None:
        self.url = answer.url
        self.min_confidence = min_confidence
        self.structured = True
        self._answer = answer
        self._sent = sent
        self._limits = limits
        self._wanted = wanted

    @lazy_property
    def _empty_page(self) -> Page:
        """What records are told to stand on: they are nowhere on it."""
        return Page("", self._answer.url)

    @lazy_property
    def page(self) -> Page:
        """The page that was sent, parsed here when it is asked for."""
        if self._sent is None:
            raise FastwrapError("the server fetched the page, and did not send it")
        return Page(self._sent.html, self._answer.url, self._sent.encoding)

    @lazy_property
    def regions(self) -> Sequence[Region]:
        """What repeats on the page, ranked."""
        return [ReceivedRegion(self._empty_page, each, self._wanted) for each in self._answer.regions]

    @lazy_property
    def _first(self) -> Region | None:
        return self.regions[0] if self.regions else None

    @lazy_property
    def confidence(self) -> float:
        """In [0, 1], that the first region is the list that the page exists for."""
        return self._answer.confidence

    @property
    def _is_sure(self) -> bool:
        return self.confidence >= self.min_confidence

    @lazy_property
    def kind(self) -> str:
        """What the page is mainly about: "list", "detail" (one thing) or "none"."""
        return self._answer.kind

    @lazy_property
    def next_page(self) -> str | None:
        """The address of the listing's next page; None where there is none."""
        return self._answer.next_page

    @lazy_property
    def _record_contents(self) -> GivenContents | None:
        answer = self._answer.record
        return None if answer is None else contents_of(self._empty_page, answer, self._wanted)

    @lazy_property
    def record(self) -> Record | None:
        """The one record of a page about one thing; None where the page is about nothing, and where it has a list: then
        it is not sent."""
        return None if self._record_contents is None else Record(self._record_contents, 0)

    @lazy_property
    def _record_table(self) -> tuple[GivenTable, list[int | None]] | None:
        contents = self._record_contents
        if contents is None:
            return None
        return contents.table, [] if contents.served is None else contents.served.places

    @property
    def limits(self) -> tuple[str, ...]:
        """The budgets of `fastwrap.limits` that the server met."""
        return tuple(self._limits)


class ReceivedFromWrapper(ReceivedExtraction):
    """What a server read on a page by a wrapper that it has."""

    def __init__(
        self, answer: ExtractionAnswer, sent: Given | None, limits: tuple[str, ...] = (), wanted: Wanted | None = None
    ) -> None:
        super().__init__(answer, sent, 0.0, limits, wanted)
        self.wrapper = answer.wrapper or WrapperAnswer()
        """Which wrapper, and, of `auto`, what happened to it."""

    @property
    def fit(self) -> float:
        """In [0, 1], how well the wrapper fits the page; below 0.5 the page has changed."""
        return self.wrapper.fit or 0.0

    @property
    def drift(self) -> list[ColumnDrift]:
        """The columns that emptied, moved, or have other values than they had."""
        return self.wrapper.drift
