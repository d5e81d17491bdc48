"""Page objects of web-poet, as a framework uses them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

pytest.importorskip("web_poet", reason="needs fastwrap[web-poet]")

from web_poet import HttpResponse
from web_poet.pages import is_injectable

import fastwrap
from fastwrap import FastwrapError
from fastwrap.integrations.webpoet import ListingPage, RecordPage

HTML = "<html lang=en><ul>" + "".join(f"<li><b>Pan {k}</b> <i>{k}.50 EUR</i></li>" for k in range(1, 6)) + "</ul>"
NEXT = "<a rel=next href='?page=2'>next</a>"
DETAIL = "<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"
URL = "https://shop.example/list"


def response(html: str, encoding: str = "utf-8") -> HttpResponse:
    return HttpResponse(URL, body=html.encode(encoding), headers={"Content-Type": f"text/html; charset={encoding}"})


@dataclass
class Pan:
    title: str
    price: float


@dataclass
class Table:
    title: str
    width: int


class Pans(ListingPage):
    item = Pan


class TablePage(RecordPage):
    item = Table


def test_listings() -> None:
    found = asyncio.run(ListingPage(response(HTML + NEXT)).to_item())
    local = fastwrap.extract(HTML + NEXT, URL)
    assert (found.url, found.records, found.next_page) == (URL, local.to_dicts(), URL + "?page=2")
    assert found.confidence == local.confidence
    assert asyncio.run(Pans(response(HTML)).to_item()).records[1] == Pan("Pan 2", 2.5)
    assert asyncio.run(Pans(response("<p>nothing")).to_item()).records == []
    assert is_injectable(Pans)


def test_records() -> None:
    assert asyncio.run(RecordPage(response(DETAIL)).to_item()) == fastwrap.extract(DETAIL, URL).record.to_dict()  # type: ignore[union-attr]
    assert asyncio.run(TablePage(response(DETAIL)).to_item()) == Table("Oak table", 80)
    for page in (RecordPage, TablePage):
        with pytest.raises(FastwrapError, match="no one thing"):
            asyncio.run(page(response("<p>")).to_item())


def test_encodings() -> None:
    page = ListingPage(response(HTML.replace("Pan", "Pf\xe4nnchen"), "latin-1"))
    assert page.extraction()[0]["title"] == "Pf\xe4nnchen 1"
    assert page.extraction() is page.extraction()
