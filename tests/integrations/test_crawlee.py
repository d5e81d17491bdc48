"""The extractor and the helper for handlers, in crawlers of Crawlee against a shop on this machine."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("crawlee", reason="needs fastwrap[crawlee]")

from parsel import Selector
from pydantic import BaseModel

from fastwrap import FastwrapError
from fastwrap.integrations.crawlee import RecordExtractor
from tests.helpers.server import Site
from tests.helpers.shop import open_shop

HTML = "<html lang=en><ul>" + "".join(f"<li><b>Pan {k}</b> <i>{k}.50 EUR</i></li>" for k in range(1, 6)) + "</ul>"
DETAIL = "<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"

CRAWL = """
import asyncio, json, sys, warnings
warnings.simplefilter("ignore")
from crawlee.crawlers import ParselCrawler, PydanticAiCrawler
from crawlee.storage_clients import MemoryStorageClient
from pydantic import BaseModel
from fastwrap.integrations.crawlee import RecordExtractor, extraction_of

class Pan(BaseModel):
    title: str
    price: float

class Shop(BaseModel):
    pans: list[Pan]

async def main(url):
    options = dict(storage_client=MemoryStorageClient(), max_requests_per_crawl=9, configure_logging=False)
    found, asked = [], []
    parsel = ParselCrawler(**options)

    @parsel.router.default_handler
    async def read(context):
        page = await extraction_of(context, want=["title"])
        found.extend(page.to_dicts(json=True))
        if page.next_page:
            await context.add_requests([page.next_page])

    await parsel.run([url])
    crawler = PydanticAiCrawler(extractor=RecordExtractor(), **options)

    @crawler.router.default_handler
    async def fill(context):
        shop = await context.extract(Shop, scope="ul")
        asked.append([pan.model_dump() for pan in shop.pans])

    await crawler.run([url + "&again"])
    print(json.dumps([found, asked, crawler.ai_usage.requests]))

asyncio.run(main(sys.argv[1]))
"""


class Pan(BaseModel):
    title: str
    price: float


class Shop(BaseModel):
    pans: list[Pan]


class Table(BaseModel):
    title: str
    width: int
    wood: str | None = None


def test_crawlers(site: Site, tmp_path: Path) -> None:
    url = open_shop(site)
    site.answers["/list?page=1&again"] = site.answers["/list?page=1"]
    script = tmp_path / "crawl.py"
    script.write_text(CRAWL)
    done = subprocess.run(
        [sys.executable, str(script), url], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    found, asked, requests = json.loads(done.stdout.splitlines()[-1])
    assert sorted({record["title"] for record in found}) == sorted(f"Pan number {k}" for k in range(17))
    assert asked == [[{"title": f"Pan number {k}", "price": k + 0.9} for k in range(6)]]
    assert requests == 0


def test_schemas() -> None:
    extractor = RecordExtractor()
    shop = asyncio.run(extractor.extract(HTML, Shop))
    assert shop.pans[4] == Pan(title="Pan 5", price=5.5)
    assert asyncio.run(extractor.extract(Selector(text=HTML), Shop, cache_tag="a", additional_instructions="b")) == shop
    assert asyncio.run(extractor.extract(DETAIL, Table)) == Table(title="Oak table", width=80)
    scoped = HTML.replace("<ul>", "<div id=a>").replace("</ul>", "</div>") + HTML.replace("Pan", "Lid")
    assert asyncio.run(extractor.extract(scoped, Shop, scope="#a")).pans[0].title == "Pan 1"
    with pytest.raises(ValueError, match="matched nothing"):
        asyncio.run(extractor.extract(HTML, Shop, scope="#none"))
    with pytest.raises(FastwrapError, match="no one thing"):
        asyncio.run(extractor.extract("<p>", Pan))
    with pytest.raises(FastwrapError, match="there is no column for 'width'"):
        asyncio.run(extractor.extract("<h1>Oak</h1><title>Oak</title><p>Price: 120 EUR<p>Age: 3 years", Table))
    usage = extractor.ai_usage
    extractor.set_ai_usage(usage)
    assert extractor.ai_usage is usage
