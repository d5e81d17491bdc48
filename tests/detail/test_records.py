"""The record of pages about one thing, that they are known as such, and what it is made of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest

import fastwrap
from fastwrap.types import Money
from tests.helpers.detail_pages import ARTICLE, HOUSE, JOB, NOTHING, PAGES, PRODUCT, RELATED, DetailPage, document
from tests.helpers.paths import ROOT
from tests.helpers.recipe_pages import RECIPES

SCHEMA = json.loads((ROOT / "src/fastwrap/schema/extraction.schema.json").read_text(encoding="utf-8"))


@dataclass
class Book:
    isbn: str


def texts_of(html: str, **options: object) -> dict[str, object]:
    record = fastwrap.extract(html, **options).record  # type: ignore[arg-type]
    assert record is not None
    return dict(zip(record.keys(), record.texts, strict=True))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_person_would_want_is_there(page: DetailPage) -> None:
    found = texts_of(page.html)
    assert {name: found.get(name) for name in page.values} == page.values
    assert next(iter(found)) == "title"


@pytest.mark.parametrize("page", RECIPES, ids=lambda page: page.name)
def test_recipes_of_common_templates_are_read(page: DetailPage) -> None:
    found = texts_of(page.html)
    assert {name: found.get(name) for name in page.values} == page.values


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_about_one_thing_is_known_as_such(page: DetailPage) -> None:
    assert fastwrap.extract(page.html).kind == "detail"


@pytest.mark.parametrize("name", NOTHING)
def test_a_page_about_nothing_has_no_record(name: str) -> None:
    found = fastwrap.extract(NOTHING[name])
    assert (found.kind, found.record, found.rows) == ("none", None, [])


def test_what_is_beside_the_thing_is_not_in_its_record() -> None:
    record = fastwrap.extract(PRODUCT.html).record
    assert record is not None
    for word in ("Pan number", "Home", "Terms", "Phone"):
        assert word not in record.text


def test_a_list_is_a_list_and_has_a_record_of_its_own() -> None:
    shelf = "".join(
        f"<li><a href=/p/{k}><img src=/{k}.jpg><h3>Pan number {k}</h3></a><p>Made of {metal}.</p><b>{20 + k}.50"
        f" EUR</b></li>"
        for k, metal in enumerate("iron copper steel tin brass zinc lead gold".split() * 3)
    )
    head = "<h1>Pans</h1><p>Area: kitchen</p><p>Brand: Potters</p>"
    found = fastwrap.extract(document("Pans | Shop", f"{head}<ul class=products>{shelf}</ul>"))
    assert found.kind == "list"
    assert len(found.records) == 24
    assert found.record is not None
    assert found.record["Brand"] == "Potters"


def test_related_items_do_not_make_a_list() -> None:
    many = RELATED.replace("</ul>", RELATED[RELATED.index("<li>") : RELATED.index("</ul>")] * 3 + "</ul>")
    found = fastwrap.extract(PRODUCT.html.replace(RELATED, many))
    assert found.kind == "detail"


def test_values_are_typed() -> None:
    record = fastwrap.extract(PRODUCT.html).record
    assert record is not None
    assert record["price"] == Money(Decimal("64.90"), "EUR")
    assert record["rating"] == 4.5
    assert record["Features"] == ["Solid copper", "Handle of oak", "For gas stoves"]
    assert record.to_dict(json=True)["price"] == {"amount": "64.90", "currency": "EUR"}
    assert record.to_dict() == dict(record)
    assert {column.name: column.role for column in record.columns}["price"] == "price"


def test_what_is_wanted_is_all_there_is() -> None:
    found = fastwrap.extract(JOB.html, want=["title", "employer", "salary", "pay date"])
    assert found.record is not None
    assert list(found.record.keys()) == ["title", "employer", "salary"]
    assert found.record["employer"] == "Green Hands Ltd"
    assert found.missing == ["pay date"]
    assert found.rows[0]["title"] == "Gardener"
    assert fastwrap.extract(HOUSE.html, want={"price": float, "name": str}).rows == [
        {"price": 385000.0, "name": "Maison 5 pièces à Nantes"}
    ]
    with pytest.raises(fastwrap.FastwrapError, match="no column for 'isbn'"):
        fastwrap.extract(HOUSE.html, want=Book).rows  # noqa: B018 - asked for


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_json_is_of_the_schema(page: DetailPage, tmp_path: Path) -> None:
    found = fastwrap.extract(page.html)
    said = json.loads(found.to_json())
    jsonschema.Draft202012Validator(SCHEMA).validate(said)
    assert said["kind"] == "detail"
    names = [column["name"] for column in said["record"]["columns"]]
    assert found.record is not None
    assert names == list(found.record.keys())
    assert said["record"]["records"][0]["texts"] == found.record.texts


def test_nothing_is_computed_before_it_is_asked_for() -> None:
    found = fastwrap.extract(ARTICLE.html)
    assert not {"record", "_detail", "kind"} & set(found.__dict__)
    assert found.records == []
    assert not {"record", "_detail", "kind"} & set(found.__dict__)
    assert found.record is found.record


TEAS = "".join(f"<li><b>Tea number {k}</b> <i>{k}.50 EUR</i> {'grown on hills ' * 9}" for k in range(9))


@pytest.mark.parametrize("heading", ["All teas", "Similar products", "<b>\u00c4hnliche</b> Artikel"])
def test_of_a_list_the_record_is_not_written(heading: str) -> None:
    found = fastwrap.extract(f"<title>Teas</title><h1>Teas</h1><h2>{heading}</h2><ul>{TEAS}</ul>")
    said = json.loads(found.to_json())
    jsonschema.Draft202012Validator(SCHEMA).validate(said)
    assert (found.kind, said["kind"], said["record"]) == ("list", "list", None)
    # Where the list is surely what the page exists for, nothing else is read.
    assert ("_detail" in found.__dict__) is (heading != "All teas")
    assert (found.record is not None) is (heading == "All teas")  # what is below the others is not of the page


def test_a_wrapper_of_lists_has_no_record() -> None:
    shelf = "".join(f"<li><b>Pan {k}</b> <i>{k}.50 EUR</i> <p>Text {k}</p></li>" for k in range(9))
    found = fastwrap.learn([f"<ul>{shelf}</ul>"]).extract(f"<ul>{shelf}</ul>")
    assert (found.kind, found.record) == ("list", None)


# The data of a page


RECIPE = {
    "@type": "Recipe", "name": "Lentil soup", "image": ["/soup.jpg"], "author": {"@id": "#ann"}, "totalTime": "PT45M",
    "recipeIngredient": ["200 g red lentils", "1 onion &amp; salt"], "recipeYield": ["4", "4 bowls"],
    "recipeInstructions": [
        {"@type": "HowToSection", "name": "Soup", "itemListElement": [{"@type": "HowToStep", "text": "<p>Fry.</p>"},
            {"@type": "HowToStep", "text": "Cook."}]},
        {"@type": "HowToStep", "text": "Serve."},
    ],
    "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.8", "reviewCount": 31},
    "datePublished": "2024-05-03T08:00:00+00:00",
}  # fmt: skip


def with_data(body: str, *things: Mapping[str, object]) -> str:
    script = json.dumps({"@graph": [*things, {"@type": "Person", "@id": "#ann", "name": "Ann Lee"},
        {"@type": "Organization", "name": "Ann cooks"}, {"@type": "BreadcrumbList"}]})  # fmt: skip
    return document("Lentil soup - Ann cooks", body, head=f'<script type="application/ld+json">{script}</script>')


def test_data_gives_names_and_the_page_the_form() -> None:
    body = (
        "<h1>Lentil soup</h1><p>A soup for days of rain that is made of next to nothing and tastes of much more.</p>"
        "<p>Total time: 45 mins</p><p class=date>May 3, 2024</p><h2>Zutaten</h2><ul><li>200 g red lentils</li>"
        "<li>1 onion &amp; salt</li></ul>"
    )
    html = with_data(body, RECIPE)
    found = texts_of(html)
    assert found["total time"] == "45 mins"
    assert found["date"] == "May 3, 2024"
    assert found["author"] == "Ann Lee"
    assert found["ingredients"] == ["200 g red lentils", "1 onion & salt"]
    assert found["instructions"] == ["Fry.", "Cook.", "Serve."]
    assert (found["yield"], found["rating"], found["reviews"], found["image"]) == ("4 bowls", "4.8", "31", "/soup.jpg")
    assert "Zutaten" not in found
    assert "Total time" not in found
    shown = texts_of(html, structured=False)
    assert shown["Total time"] == "45 mins"
    assert "instructions" not in shown
    assert "reviews" not in shown


def test_an_amount_of_data_is_money() -> None:
    offer = {"@type": "Offer", "price": "64.90", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}
    product = {
        "@type": "Product",
        "name": "Lentil soup",
        "offers": offer,
        "brand": {"@type": "Brand", "name": "Potters"},
    }
    html = with_data("<h1>Lentil soup</h1><p class=price>64,90 €</p>", product)
    record = fastwrap.extract(html).record
    assert record is not None
    assert record["price"] == Money(Decimal("64.90"), "EUR")
    texts = dict(zip(record.keys(), record.texts, strict=True))
    assert (texts["price"], texts["availability"], texts["brand"]) == ("64,90 €", "in stock", "Potters")


def test_the_thing_is_the_one_that_is_named_like_the_page() -> None:
    others = [{"@type": "Product", "name": f"Soup {k}", "sku": str(k)} for k in range(5)]
    record = fastwrap.extract(with_data("<h1>Lentil soup</h1>", *others, {"@type": "Product", "name": "Lentil soup",
        "sku": "L1"})).record  # fmt: skip
    assert record is not None
    assert record["sku"] == "L1"


def test_data_that_stops_early_does_not_cut_the_list() -> None:
    steps = [
        f"Step by step we go on with number {k} of the {word} ones." for k, word in enumerate("red blue green".split())
    ]
    recipe = {"@type": "Recipe", "name": "Lentil soup", "recipeInstructions": steps[:1]}
    body = f"<h1>Lentil soup</h1><h2>Method</h2><ol>{''.join(f'<li>{step}</li>' for step in steps)}</ol>"
    assert texts_of(with_data(body, recipe))["instructions"] == steps


# Forms that pages have


def test_what_screen_readers_read_goes_before_what_they_skip() -> None:
    minutes = "<span>45<span class=sr-only> minutes</span></span> <span aria-hidden=true>mins</span>"
    html = document("Soup", f"<h1>Soup</h1><p><b class=label>Total time:</b> {minutes}</p><p>Serves: 4</p>")
    found = texts_of(html)
    assert (found["Total time"], found["Serves"]) == ("45 minutes", "4")
    alone = document("Soup", "<h1>Soup</h1><p>Time: 5 min<span class=sr-only> of waiting</span></p><p>Serves: 4</p>")
    assert texts_of(alone)["Time"] == "5 min"


@pytest.mark.parametrize(
    ("html", "label", "value"),
    [
        ("<p>Pages: 120</p><p>Year: 1999</p>", "Pages", "120"),
        ("<p><b>Pages</b> 120<br><b>Year</b> 1999</p>", "Year", "1999"),
        ("<p><b>Pages:</b> 120 <b>Year:</b> 1999</p>", "Pages", "120"),
        ("<dl><dt>Pages</dt><dd>120</dd><dt>Year</dt><dd>1999</dd></dl>", "Year", "1999"),
        ("<dl><div><dt>Pages</dt><dd>120</dd></div><div><dt>Year</dt><dd>1999</dd></div></dl>", "Year", "1999"),
        ("<table><tr><td>Pages<td>120<tr><td>Year<td>1999</table>", "Pages", "120"),
        ("<table><tr><th>Pages<td>120<th>Year<td>1999</table>", "Year", "1999"),
        ("<table><tr><th>Pages<th>Year<tr><td>120<td>1999</table>", "Year", "1999"),
        ("<div><div>Pages:</div><div>120</div></div><div><div>Year:</div><div>1999</div></div>", "Year", "1999"),
        ("<p><span class=label>Pages</span> <span class=value>120</span></p><p>Year: 1999</p>", "Pages", "120"),
        ("<ul><li><div>120</div><div>Pages</div></li><li><div>1999</div><div>Year</div></li></ul>", "Pages", "120"),
        ("<p>ページ数：120</p><p>Year: 1999</p>", "ページ数", "120"),
    ],
)
def test_labels_have_values_in_many_forms(html: str, label: str, value: str) -> None:
    assert texts_of(document("Emma", f"<h1>Emma</h1>{html}"))[label] == value


@pytest.mark.parametrize(
    "html",
    [
        "<h2>Ingredients</h2><ul><li>1 egg<li>2 cups flour</ul>",
        "<div class=recipe-ingredients><ul><li>1 egg<li>2 cups flour</ul></div>",
        "<p><strong>Ingredients:</strong></p><p>1 egg<br>2 cups flour</p>",
        "<h3>Zutaten für 4 Personen</h3><table><tr><td>1<td>egg<tr><td>2 cups<td>flour</table>",
        "<span>Ingrédients</span><ul><li>1 egg<li>2 cups flour</ul>",
        "<aside class=ingredients><h4>You will need</h4><p>1 egg</p><p>2 cups flour</p></aside>",
    ],
)
def test_ingredients_are_found_in_many_forms(html: str) -> None:
    page = document(
        "Cake", f"<h1>Cake</h1><p>{'A cake for a Sunday. ' * 9}</p>{html}<h2>Notes</h2><p>Keep it cool.</p>"
    )
    assert texts_of(page)["ingredients"] == ["1 egg", "2 cups flour"]


def test_of_two_sections_the_better_one_is_the_recipe() -> None:
    html = (
        "<h1>Cake</h1><h2>Ingredients and what they are for</h2><ul><li>Flour - the body of the cake, the best</li>"
        "<li>Eggs - they hold it together</li></ul><h2>Cake</h2><h3>Ingredients</h3><ul><li>2 cups flour</li>"
        "<li>1 egg</li></ul><h3>Instructions</h3><ol><li>Mix flour and egg in a bowl.</li><li>Bake it.</li></ol>"
    )
    found = texts_of(document("Cake", html))
    assert found["ingredients"] == ["2 cups flour", "1 egg"]
    assert found["instructions"] == ["Mix flour and egg in a bowl.", "Bake it."]


def test_a_page_that_a_script_shows_later_is_read() -> None:
    html = (
        f"<title>Oak</title><div style=display:none><h1>Oak</h1><p>Height: 20 m<p>Age: 300 years<p>{'It is old. ' * 20}"
    )
    found = fastwrap.extract(html)
    assert found.record is not None
    assert found.record["Age"] == "300 years"
