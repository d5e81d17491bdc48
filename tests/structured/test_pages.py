"""Pages whose lists stand in their data: alone, or beside what they show. And data that is nobody's list."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fastwrap import extract, show, structured
from fastwrap.extraction import DataRegion
from fastwrap.types import Money

CITIES = ["Aachen", "Basel", "Cremona", "Delft", "Evora", "Faro", "Ghent", "Hasselt", "Izola", "Jena"]
HOMES: list[dict[str, Any]] = [
    {
        "id": f"h{100 + k}",
        "title": f"House number {k} in {city}",
        "url": f"/homes/{100 + k}",
        "photos": [{"href": f"/img/{k}a.jpg"}, {"href": f"/img/{k}b.jpg"}],
        "price": {"amount": 100_000 + 7_000 * k, "currency": "EUR"},
        "address": {"city": city, "street": f"Long lane {k}"},
        "tags": ["garden", "quiet"][: k % 3],
        "rooms": 2 + k % 4,
        "sold": k % 2 == 0,
        "listed": f"2024-05-{k + 1:02}",
        "agent": [{"name": f"Agent {k % 3}"}],
    }
    for k, city in enumerate(CITIES)
]
SETTINGS = {
    "config": {"routes": [{"path": f"/r{k}", "name": f"route {k}"} for k in range(30)]},
    "i18n": {"messages": [{"key": f"home.title{k}", "text": f"A text that is translated {k}"} for k in range(40)]},
    "flags": [{"name": f"flag-{k}", "enabled": k % 2 == 0} for k in range(20)],
    "menu": {"items": [{"title": f"Entry {k}", "url": f"/entry/{k}"} for k in range(12)]},
    "user": {"name": "guest"},
}


def linked_data(value: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def list_of_things() -> dict[str, Any]:
    entries = [
        {"@type": "ListItem", "position": k + 1, "item": {"@type": "House", "name": home["title"], "url": home["url"],
         "offers": {"@type": "Offer", "price": home["price"]["amount"], "priceCurrency": "EUR"}}}
        for k, home in enumerate(HOMES)
    ]  # fmt: skip
    return {"@context": "https://schema.org", "@type": "ItemList", "itemListElement": entries}


def chunks(text: str) -> str:
    parts = [text[k : k + 700] for k in range(0, len(text), 700)]
    return "".join(f"<script>self.__next_f.push([1,{json.dumps(part)}])</script>" for part in parts)


STATE = {"props": {"pageProps": {"search": {"total": 10, "results": HOMES}, **SETTINGS}}}
SHELL = "<header><a href=/>Home</a></header><div id=root>Loading...</div>"
PAGES = {
    "__NEXT_DATA__": f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(STATE)}</script>',
    "application/json": f'<script type="application/json">{json.dumps(HOMES)}</script>',
    "streamed": chunks(f'0:["$","main",null,{{}}]\n1:{json.dumps(["$", "$L2", None, {"results": HOMES}])}\n'),
    "window state": f"<script>window.__STATE__ = {json.dumps(STATE)};</script>",
    "parsed string": f"<script>window.__STATE__ = JSON.parse({json.dumps(json.dumps(STATE))})</script>",
    "a call": f"<script>App.start('#root', {json.dumps(STATE)})</script>",
    "an attribute": f"<div data-state='{json.dumps({'results': HOMES})}'></div>",
}


@pytest.mark.parametrize("name", PAGES)
def test_a_list_that_stands_in_data_alone(name: str) -> None:
    found = extract(SHELL + PAGES[name], "https://homes.example/search")
    region = found.regions[0]
    assert isinstance(region, DataRegion)
    assert found.confidence >= 0.5
    assert len(found.records) == len(HOMES)
    names = [column.name for column in region.columns]
    assert names[0] == "title"
    assert {"id", "url", "city", "street", "rooms", "sold", "listed", "agent", "tags"} <= set(names)
    record = found.records[3]
    assert record["title"] == HOMES[3]["title"]
    assert record["rooms"] == 5
    assert record["sold"] is False
    assert record["listed"] == datetime.date(2024, 5, 4)
    assert record["city"] == "Delft"
    assert record["agent"] == "Agent 0"
    assert record["tags"] is None
    assert found.records[2]["tags"] == ["garden", "quiet"]
    assert record["photos"] == ["https://homes.example/img/3a.jpg", "https://homes.example/img/3b.jpg"]
    assert record.link == "https://homes.example/homes/103"
    assert (record.start, record.end) == (-1, -1)
    assert "Long lane 3" in record.text


def test_types_and_reasons() -> None:
    region = extract(SHELL + PAGES["application/json"]).regions[0]
    columns = {column.name: column for column in region.columns}
    kinds = {"rooms": "integer", "sold": "boolean", "listed": "date", "url": "url", "title": "text", "photos": "image"}
    assert {name: columns[name].type for name in kinds} == kinds
    assert columns["city"].why == {"data": "state address.city"}
    assert columns["title"].role == "title"
    price = next(column for name, column in columns.items() if name.startswith("price") and column.type == "money")
    assert region.records[1][price.name] == Money(Decimal(107_000), "EUR")


def test_a_list_of_json_ld() -> None:
    found = extract(SHELL + linked_data(list_of_things()))
    region = found.regions[0]
    assert isinstance(region, DataRegion)
    assert [column.name for column in region.columns][:1] == ["name"]
    price = next(column for column in region.columns if column.name == "price")
    assert (price.type, price.why) == ("money", {"data": "json-ld House.offers.price"})
    assert found.records[0]["price"] == Money(Decimal(100_000), "EUR")
    assert found.confidence >= 0.5


def test_without_structured_data() -> None:
    for html in PAGES.values():
        found = extract(SHELL + html, structured=False)
        assert found.records == []
        assert not any(isinstance(region, DataRegion) for region in found.regions)
    with pytest.raises(TypeError, match="structured"):
        extract("<p>", structured="no")  # type: ignore[arg-type]


def test_structured_data_off_leaves_no_trace_in_the_ranking() -> None:
    cards = "".join(f"<li><b>{home['title']}</b> <i>{home['price']['amount']} EUR</i></li>" for home in HOMES)
    plain = f"<ul>{cards}</ul>"
    marked = linked_data(list_of_things()) + linked_data({"@type": "Product", "name": "x"}) + plain
    off, bare = extract(marked, structured=False), extract(plain)
    assert [region.score for region in off.regions] == [region.score for region in bare.regions]
    assert off.confidence == bare.confidence


@pytest.mark.parametrize("key", SETTINGS)
def test_what_programs_need_is_not_shown(key: str) -> None:
    html = f"{SHELL}<script>window.app = {json.dumps({key: SETTINGS[key]})}</script>"
    assert extract(html).regions == []


def test_breadcrumbs_are_not_shown() -> None:
    trail = {"@type": "BreadcrumbList", "itemListElement": [
        {"@type": "ListItem", "position": k, "item": {"@id": f"/{k}", "name": f"Level number {k}"}} for k in range(6)
    ]}  # fmt: skip
    assert extract(SHELL + linked_data(trail)).regions == []


def test_what_is_wanted_of_data() -> None:
    found = extract(SHELL + PAGES["streamed"], want={"title": str, "city": str, "rooms": int, "stars": int})
    assert found.rows[1] == {"title": HOMES[1]["title"], "city": "Basel", "rooms": 3, "stars": None}
    assert found.missing == ["stars"]
    assert [column.name for column in found.columns] == ["title", "city", "rooms"]


def test_data_is_written_in_every_format(tmp_path: Path) -> None:
    found = extract(SHELL + PAGES["window state"])
    assert len(found.to_dicts()) == len(HOMES)
    document = json.loads(found.to_json())
    assert document["regions"][0]["records"][0]
    for ending in ("csv", "json", "jsonl", "html", "md"):
        path = tmp_path / f"out.{ending}"
        found.write(path)
        assert "House number 3" in path.read_text(encoding="utf-8")
    assert "House number 3" in found._repr_html_()


def test_data_is_shown() -> None:
    html = SHELL + PAGES["window state"]
    view = show.view(html, extract(html))
    assert "House number 3" in view
    assert "state props.pageProps.search.results" in view


def test_data_beside_a_list_is_shown() -> None:
    html = cards(RECIPES) + PAGES["window state"]
    found = extract(html)
    assert [isinstance(region, DataRegion) for region in found.regions] == [False, True]
    assert "House number 3" in show.view(html, found)


def test_data_as_frames() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = extract(SHELL + PAGES["window state"]).to_arrow()
    assert table.num_rows == len(HOMES)
    assert table.schema.field("rooms").type == pyarrow.int64()


# Data beside what is shown

RECIPES: list[dict[str, Any]] = [
    {"@type": "Recipe", "name": f"Soup number {k} of {city}", "totalTime": f"PT{20 + 5 * k}M", "recipeYield": 2 + k,
     "url": f"/soup/{k}"}
    for k, city in enumerate(CITIES)
]  # fmt: skip


def cards(recipes: list[dict[str, Any]]) -> str:
    return "<ul>" + "".join(
        f"<li><a href='{each['url']}'><b>{each['name']}</b></a><p>{each['totalTime'][2:-1]} minutes</p>"
        f"<em>{each['recipeYield']}</em></li>"
        for each in recipes
    ) + "</ul>"  # fmt: skip


def test_a_list_that_is_shown_is_no_second_region() -> None:
    found = extract(cards(RECIPES) + linked_data(RECIPES))
    assert not any(isinstance(region, DataRegion) for region in found.regions)
    assert len(found.records) == len(RECIPES)
    assert found.records[0].start > 0


def test_data_names_what_is_shown() -> None:
    """The page gives the form, the data the name: an ISO duration beside "45 minutes"."""
    found = extract(cards(RECIPES) + linked_data(RECIPES))
    bare = extract(cards(RECIPES))
    names, before = ([column.name for column in each.columns] for each in (found, bare))
    assert found.records[1].texts == bare.records[1].texts
    named = {column.name: column.why for column in found.columns if "data" in column.why}
    assert named == {
        "totalTime": {"data": "json-ld Recipe.totalTime"}, "recipeYield": {"data": "json-ld Recipe.recipeYield"}
    }  # fmt: skip
    assert (before, names) == (["link", "title", "minutes", "number"], ["link", "title", "totalTime", "recipeYield"])
    assert found.records[1]["totalTime"] == 25


def test_data_gives_the_type_of_what_is_shown() -> None:
    """A day without its year is a date where the data has it in full."""
    events = [
        {"@type": "Event", "name": f"Concert {k} in {city}", "startDate": f"2024-05-{2 * k + 3:02}", "url": f"/e/{k}"}
        for k, city in enumerate(CITIES)
    ]
    items = "".join(
        f"<li><a href={each['url']}>{each['name']}</a> <i>May {each['startDate'][8:].lstrip('0')}</i></li>"
        for each in events
    )
    found = extract(f"<ul>{items}</ul>" + linked_data(events))
    column = next(column for column in found.columns if column.name == "startDate")
    assert (column.type, column.why) == ("date", {"data": "json-ld Event.startDate"})
    assert found.records[2]["startDate"] == datetime.date(2024, 5, 7)
    assert found.records[2].texts[found.columns.index(column)] == "May 7"
    assert found.to_dicts()[2]["startDate"] == datetime.date(2024, 5, 7)


def test_columns_that_have_names_keep_them() -> None:
    head = "<table><tr><th>Dish<th>Time<th>For</tr>"
    rows = "".join(
        f"<tr><td>{each['name']}<td>{each['totalTime'][2:-1]} min<td>{each['recipeYield']}</tr>" for each in RECIPES
    )
    page = f"{head}{rows}</table>"
    names = [column.name for column in extract(page).columns]
    assert [column.name for column in extract(page + linked_data(RECIPES)).columns] == names


def test_texts_are_read_without_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    from fastwrap.regions import data

    monkeypatch.setattr(data, "find", lambda *_: pytest.fail("the data was read"))
    found = extract(cards(RECIPES) + linked_data(RECIPES))
    assert found.records[0].texts
    assert found.confidence > 0.5


def test_data_without_a_likely_list_is_not_compared_with_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    from fastwrap.regions import data

    monkeypatch.setattr(data, "find", lambda *_: pytest.fail("the data was compared"))
    flags = json.dumps({"flags": [{"key": f"flag_{k}", "value": True} for k in range(6)]})
    found = extract(f"<nav><a href=/a>One</a> <a href=/b>Two</a></nav><script>let state = {flags}</script>")
    assert found.confidence < 0.5
    assert found.records == []


def test_microdata_that_is_shown_is_no_second_region() -> None:
    items = "".join(
        "<div itemscope itemtype='https://schema.org/Product'>"
        f"<a itemprop=url href=/p/{k}><b itemprop=name>Product {k} of {city}</b></a>"
        f"<i itemprop=price>{k}.50 EUR</i></div>"
        for k, city in enumerate(CITIES)
    )
    found = extract(f"<main>{items}</main>")
    assert [len(region) for region in found.regions][:1] == [len(CITIES)]
    assert not any(isinstance(region, DataRegion) for region in found.regions)
    [array] = structured.read(found.page).arrays
    assert (array.source, array.path, len(array.nodes)) == ("microdata", "Product", len(CITIES))


def test_an_article_is_no_list_because_of_its_data() -> None:
    prose = "".join(f"<p>{'The text of the article goes on for quite a while. ' * 8}</p>" for _ in range(12))
    article = linked_data({"@type": "NewsArticle", "headline": "News"})
    plain = f"<article><h1>News</h1>{prose}</article>{article}"
    found = extract(plain + PAGES["window state"])
    assert found.confidence == extract(plain).confidence
    assert found.records == []
