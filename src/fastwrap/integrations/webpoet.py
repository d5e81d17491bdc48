"""fastwrap as page objects of web-poet: a page is an item, or a listing of items, and nobody writes selectors.
Needs `fastwrap[web-poet]`; scrapy-poet and other frameworks make the pages and hand over their responses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction, extract

try:
    from web_poet import Returns, WebPage, cached_method
except ImportError as error:
    raise FastwrapError(f"{error.name} is not installed: pip install 'fastwrap[web-poet]'") from error

__all__ = ["ListingPage", "RecordPage", "RecordsPage"]

ItemT = TypeVar("ItemT")


@dataclass
class Listing(Generic[ItemT]):
    """The records of one page of a listing."""

    url: str
    records: list[ItemT] = field(default_factory=list)
    next_page: str | None = None
    confidence: float = 0.0


class RecordsPage(WebPage[Any]):
    """A page that fastwrap reads."""

    def want(self) -> Any:
        """What is wanted of each record: the class of the items, if one is named; see `fastwrap.extract`."""
        return None

    @cached_method
    def extraction(self) -> Extraction:
        """What fastwrap makes of the page; `self.response` is not asked for more than its bytes and headers."""
        headers = self.response.headers
        return extract(
            bytes(self.response.body),
            str(self.response.url),
            encoding=headers.get("content-type") or None,
            want=self.want(),
        )


class ListingPage(RecordsPage, Returns[Listing[Any]]):
    """A page of a listing: its records, and where it goes on. Derive a class to name the item of a record:

    class Pans(ListingPage):
        item = Pan
    """

    item: type | None = None
    """The class of the records: a dataclass, an attrs class with annotations, a pydantic model, ...; None for dicts."""

    def want(self) -> Any:
        """The class of the records."""
        return self.item

    async def to_item(self) -> Listing[Any]:
        """The listing."""
        found = self.extraction()
        records = found.rows if self.item is not None and found.records else found.to_dicts()
        return Listing(str(self.response.url), records, found.next_page, found.confidence)


class RecordPage(RecordsPage):
    """A page about one thing: the item is its record, a dict, or an instance of `item`."""

    item: type | None = None

    def want(self) -> Any:
        """The class of the item."""
        return self.item

    async def to_item(self) -> Any:
        """The record of the page; FastwrapError where it is about nothing."""
        found = self.extraction()
        if self.item is not None:
            rows = found.rows
            if len(rows) == 1:
                return rows[0]
        elif found.record is not None:
            return found.record.to_dict()
        raise FastwrapError(f"{self.response.url}: the page is about no one thing")
