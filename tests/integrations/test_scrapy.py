"""The spider, the loader and the pipeline, run by Scrapy against a shop on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy", reason="needs fastwrap[scrapy]")

import scrapy
from scrapy.http import HtmlResponse, Request

import fastwrap
from fastwrap.integrations.scrapy import ListingSpider, RecordLoader, RecordsPipeline
from tests.helpers.server import Site
from tests.helpers.shop import open_shop

SPIDER = """
from fastwrap.integrations.scrapy import ListingSpider

class Pans(ListingSpider):
    name = "pans"
    want = ["title", "price"]
"""

PAGES_SPIDER = """
import scrapy

class Pages(scrapy.Spider):
    name = "pages"
    custom_settings = {
        "ITEM_PIPELINES": {"fastwrap.integrations.scrapy.RecordsPipeline": 1}, "FASTWRAP_WANT": ["title"]
    }

    def parse(self, response):
        yield {"url": response.url, "html": response.text}
"""


def crawl(folder: Path, spider: str, *options: str) -> tuple[list[dict[str, Any]], str]:
    """The items of a spider that Scrapy runs, and its log."""
    (folder / "spider.py").write_text(spider)
    settings = ["-s", "AUTOTHROTTLE_ENABLED=0", "-s", "DOWNLOAD_DELAY=0", "-s", "TELNETCONSOLE_ENABLED=0"]
    command = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "items.jsonl", *settings, *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in (folder / "items.jsonl").read_text().splitlines()], done.stderr


def test_the_spider(site: Site, tmp_path: Path) -> None:
    url = open_shop(site)
    items, log = crawl(tmp_path, SPIDER, "-a", f"url={url}")
    assert [item["title"] for item in items] == [f"Pan number {k}" for k in range(17)]
    assert items[3] == {"title": "Pan number 3", "price": {"amount": "3.90", "currency": "EUR"}}
    assert "ERROR" not in log
    assert site.paths() == ["/robots.txt", "/list?page=1", "/list?page=2", "/list?page=3"]


def test_the_spider_reads_the_pages_of_records(site: Site, tmp_path: Path) -> None:
    url = open_shop(site)
    items, log = crawl(tmp_path, SPIDER, "-a", f"url={url}", "-a", "details=1", "-a", "most=2", "-a", "want=title")
    by_title = {item["title"]: item["detail"] for item in items}
    assert len(items) == len(by_title) == 12
    assert by_title["Pan number 5"]["Material"] == "iron"
    assert by_title["Pan number 5"]["Weight"] == 6
    assert by_title["Pan number 3"] is None  # robots.txt does not allow it
    assert "ERROR" not in log


def test_the_pipeline(site: Site, tmp_path: Path) -> None:
    url = open_shop(site)
    spider = PAGES_SPIDER.replace('name = "pages"', f'name = "pages"; start_urls = ["{url}"]')
    items, _ = crawl(tmp_path, spider)
    assert items == [{"url": url, "records": [{"title": f"Pan number {k}"} for k in range(6)]}]


HTML = "<html lang=en><ul>" + "".join(f"<li><b>Pan {k}</b> <i>{k}.50 EUR</i></li>" for k in range(1, 6)) + "</ul>"


def response(html: str = HTML, url: str = "https://shop.example/list") -> HtmlResponse:
    return HtmlResponse(url, body=html.encode(), encoding="utf-8", request=Request(url))


def test_a_spider_with_a_wrapper(tmp_path: Path) -> None:
    path = tmp_path / "pans.json"
    fastwrap.learn(HTML, want=["title"]).save(path)
    spider = ListingSpider(url="https://shop.example/list", wrapper=str(path))
    assert list(spider.parse(response()))[1] == {"title": "Pan 2"}
    assert list(ListingSpider().parse(response("<p>nothing"))) == []
    named = ListingSpider(want="price, title", most="3", details="0")
    assert (named.want, named.most, named.details) == (["price", "title"], 3, False)
    assert list(next(iter(named.parse(response())))) == ["price", "title"]
    more = response(HTML + "<a rel=next href='?page=2'>next</a>")
    assert [type(each) for each in ListingSpider(most=3).parse(more, number=2)] == [dict] * 5 + [Request]
    assert [type(each) for each in ListingSpider(most=3).parse(more, number=3)] == [dict] * 5


@dataclass
class Pan:
    title: list[str] = field(default_factory=list)
    colour: list[str] = field(default_factory=list)


class PanItem(scrapy.Item):
    title = scrapy.Field()
    price = scrapy.Field()


def test_the_loader() -> None:
    record = fastwrap.extract(HTML)[2]
    items: list[Any] = [Pan(), PanItem(), {}]
    for item in items:
        loader = RecordLoader(item=item, response=response())
        loader.add_record(record)
        loader.add_css("colour", "i::text") if isinstance(item, Pan) else None
        loaded = loader.load_item()
        titles = loaded.title if isinstance(loaded, Pan) else loaded["title"]
        assert titles == ["Pan 3"]
        if not isinstance(loaded, Pan):
            assert str(loaded["price"][0].amount) == "3.50"


def test_what_pipelines_do_with_items(tmp_path: Path) -> None:
    path = tmp_path / "pans.json"
    fastwrap.learn(HTML, want=["price"]).save(path)
    settings = {
        "FASTWRAP_HTML": "body", "FASTWRAP_RECORDS": "pans", "FASTWRAP_WRAPPER": str(path), "FASTWRAP_KEEP_HTML": True,
    }  # fmt: skip
    made = RecordsPipeline(settings).process_item({"body": HTML.encode()})
    assert made["pans"][0] == {"price": {"amount": "1.50", "currency": "EUR"}}
    assert made["body"] == HTML.encode()
    assert RecordsPipeline({}).process_item({"title": "no page"}) == {"title": "no page"}
    with pytest.raises(scrapy.exceptions.DropItem, match="PDF"):
        RecordsPipeline({}).process_item({"html": b"%PDF-1.7", "url": "https://a.example/"})
