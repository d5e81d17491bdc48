"""fastwrap in Scrapy: a spider for any listing, a loader that fills items from records, a pipeline that reads pages.
Needs `fastwrap[scrapy]`; Scrapy does the crawling, with its own politeness, queues and exports."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from fastwrap.crawling.tables import Doubles, rows_of
from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction, Record, extract
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper

try:
    import scrapy
    from itemadapter import ItemAdapter
    from scrapy.http import Response
    from scrapy.loader import ItemLoader
except ImportError as error:
    raise FastwrapError(f"{error.name} is not installed: pip install 'fastwrap[scrapy]'") from error

__all__ = ["ListingSpider", "RecordLoader", "RecordsPipeline"]

DETAIL = "detail"
"""The key of an item under which the record of its own page is."""


class ListingSpider(scrapy.Spider):
    """A spider for any listing: an item for each record, of all pages, nothing twice.

        class Pans(ListingSpider):
            name = "pans"
            start_urls = ["https://shop.example/pans"]
            want = ["title", "price"]

    in a file is all that `scrapy runspider` needs. What is here as an attribute may be given by `-a`, too:
    `-a url=https://shop.example/lids -a want=title,price`.
    """

    name = "listing"
    # Scrapy asks robots.txt only of projects that say so, and does not wait between requests.
    custom_settings = {"ROBOTSTXT_OBEY": True, "AUTOTHROTTLE_ENABLED": True}  # noqa: RUF012 - as Scrapy has it

    url: str = ""
    """The listing, in place of `start_urls`."""
    want: Any = None
    """The columns that items have, as in `fastwrap.extract`; by `-a`, names with commas."""
    most: int = 100
    """Pages of each listing."""
    details: bool = False
    """Whether the page of each record is read, too: what it says is under the key "detail"."""
    wrapper: Any = None
    """A Wrapper that pages are read by, or the path of its file."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if isinstance(self.want, str):
            self.want = [name.strip() for name in self.want.split(",")]
        self.most = int(self.most)
        self.details = self.details in (True, "1", "true", "True", "yes")
        if self.wrapper is not None and not isinstance(self.wrapper, Wrapper):
            self.wrapper = Wrapper.load(self.wrapper)
        self._doubles: dict[str, Doubles] = {}
        if self.url:
            self.start_urls = [self.url]

    async def start(self) -> AsyncIterator[Any]:
        """The first page of each listing."""
        for url in self.start_urls:
            self._doubles[url] = Doubles(False)
            yield scrapy.Request(url, callback=self.parse, cb_kwargs={"listing": url})

    def parse(self, response: Response, listing: str = "", number: int = 1) -> Iterator[Any]:
        """The items of a page, the next page, and the pages of the records if these are wanted."""
        found = self.extraction(response)
        rows = rows_of(found)
        new = self._doubles.setdefault(listing, Doubles(False)).without(rows)
        if not rows:
            self.logger.warning("no list on %s (confidence %.2f)", response.url, found.confidence)
        places = {id(row): place for place, row in enumerate(rows)}
        for row in new:
            record = found.records[places[id(row)]]
            item = self.item(record)
            if self.details and record.link:
                yield response.follow(record.link, self.parse_detail, cb_kwargs={"item": item}, errback=self.no_detail)
            else:
                yield item
        if new and number < self.most and found.next_page is not None:
            yield response.follow(found.next_page, self.parse, cb_kwargs={"listing": listing, "number": number + 1})

    def extraction(self, response: Response) -> Extraction:
        """What fastwrap makes of a page of the listing."""
        if self.wrapper is not None:
            found: Extraction = self.wrapper.extract(response, want=self.want)
            return found
        return extract(response, want=self.want)

    def item(self, record: Record) -> dict[str, Any]:
        """The item of a record, as its exporters take it."""
        return record.to_dict(json=True)

    def parse_detail(self, response: Response, item: dict[str, Any]) -> Iterator[Any]:
        """The item with what the page of its record says."""
        record = extract(response).record
        yield {**item, DETAIL: None if record is None else record.to_dict(json=True)}

    def no_detail(self, failure: Any) -> Iterator[Any]:
        """The item without it, where that page could not be had."""
        self.logger.warning("%s: %s", failure.request.url, failure.value)
        yield {**failure.request.cb_kwargs["item"], DETAIL: None}


class RecordLoader(ItemLoader):
    """An item loader that takes values from records, by the names of the fields of the item.

    >>> import dataclasses
    >>> @dataclasses.dataclass
    ... class Pan:
    ...     title: list = dataclasses.field(default_factory=list)
    ...     price: list = dataclasses.field(default_factory=list)
    >>> page = "".join(f"<li><b>Pan {k}</b> <i>{k}.50 EUR</i></li>" for k in range(1, 5))
    >>> loader = RecordLoader(item=Pan())
    >>> loader.add_record(extract(page)[1])
    >>> loader.load_item().title
    ['Pan 2']
    """

    def add_record(self, record: Record | Mapping[str, Any]) -> None:
        """Add what a record has in the columns that are called as fields of the item."""
        for name in list(ItemAdapter(self.item).field_names()) or record.keys():  # of a dict that is empty: all
            if (value := record.get(name)) is not None:
                self.add_value(name, value if isinstance(value, list) else [value])  # money is a tuple, and one value


class RecordsPipeline:
    """An item pipeline: the HTML that an item holds becomes records.

    Settings: FASTWRAP_HTML, the field that holds a page (default "html"); FASTWRAP_URL, the field with its address
    ("url"); FASTWRAP_RECORDS, the field that the records are put into ("records"); FASTWRAP_WANT, names of columns;
    FASTWRAP_WRAPPER, the path of a wrapper to read by; FASTWRAP_KEEP_HTML, whether the page stays in the item.

    >>> page = "".join(f"<li><b>Pan {k}</b> <i>{k}.50 EUR</i></li>" for k in range(1, 5))
    >>> RecordsPipeline({"FASTWRAP_WANT": ["title"]}).process_item({"html": page, "url": "https://shop.example/"})
    {'url': 'https://shop.example/', 'records': [{'title': 'Pan 1'}, {'title': 'Pan 2'}, {'title': 'Pan 3'}, \
{'title': 'Pan 4'}]}
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._html = settings.get("FASTWRAP_HTML") or "html"
        self._url = settings.get("FASTWRAP_URL") or "url"
        self._records = settings.get("FASTWRAP_RECORDS") or "records"
        self._want = settings.get("FASTWRAP_WANT") or None
        self._keep = bool(settings.get("FASTWRAP_KEEP_HTML"))
        path = settings.get("FASTWRAP_WRAPPER")
        self._wrapper = None if path is None else Wrapper.load(path)

    @classmethod
    def from_crawler(cls, crawler: Any) -> RecordsPipeline:
        """As Scrapy makes it."""
        return cls(crawler.settings)

    def process_item(self, item: Any) -> Any:
        """The item with its records."""
        adapter = ItemAdapter(item)
        html = adapter.get(self._html)
        if not html:
            return item
        url = adapter.get(self._url)
        try:
            page = Page.of(html, url if isinstance(url, str) else None)
            read = extract(page, want=self._want) if self._wrapper is None else self._wrapper.extract(page)
        except FastwrapError as error:
            raise scrapy.exceptions.DropItem(f"{url}: {error}") from error
        adapter[self._records] = read.to_dicts(json=True)
        if not self._keep:
            del adapter[self._html]
        return item
