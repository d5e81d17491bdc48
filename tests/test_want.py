"""What is wanted of a page, by names or by types: which columns serve it, the rows that come back, what is missing."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fastwrap import FastwrapError, Wrapper, extract, learn
from fastwrap.cli import main
from fastwrap.types import Money
from tests.helpers.wanted_pages import BOOKS, CITIES, JOBS, MEMBERS, POTS, PRICES, THREADS, books, forum, jobs, shop


@dataclass
class Pot:
    name: str
    price: Money
    tags: list[str]
    colour: str | None = None


class Job(msgspec.Struct):
    title: str
    company: str
    location: str
    salary: Decimal
    published: date


def test_names_are_found_whatever_the_page_calls_them() -> None:
    found = extract(shop(), url="https://pots.example/", want=["price", "name", "url", "image", "brand", "sku"])
    assert [column.name for column in found.columns] == ["price", "name", "url", "image", "brand", "sku"]
    assert found.missing == []
    assert found.rows[1] == {
        "price": Money(Decimal("1299.00"), "EUR"),
        "name": "Steel stockpot",
        "url": "https://pots.example/p/1",
        "image": "https://pots.example/i/1.jpg",
        "brand": "Fabrik B",
        "sku": "A101",
    }
    assert found.to_dicts() == found.rows
    assert len(found.records) == len(POTS)
    assert found.records[0].keys() == {"price", "name", "url", "image", "brand", "sku"}
    assert found.to_csv().splitlines()[0] == "price,price currency,name,url,image,brand,sku"


def test_labels_in_french() -> None:
    found = extract(jobs(), want=Job)
    assert found.rows[2] == Job(JOBS[2], "Maison C", CITIES[2], Decimal(2100), date(2026, 6, 12))
    assert len(found.rows) == len(JOBS)


def test_headers_of_a_table() -> None:
    found = extract(forum(), want={"title": str, "author": str, "replies": int, "views": int, "date": date})
    assert found.rows[1] == {
        "title": THREADS[1], "author": MEMBERS[1], "replies": 5, "views": 161, "date": date(2026, 6, 11)
    }  # fmt: skip


def test_labels_in_japanese() -> None:
    found = extract(books(), want=["title", "author", "price"])
    assert [row["title"] for row in found.rows] == BOOKS
    assert found.rows[0]["author"] == "作家0号"
    assert found.rows[0]["price"] == Money(Decimal(1000), "JPY")


def test_rows_are_of_the_class_that_is_wanted() -> None:
    found = extract(shop(), want=Pot)
    assert found.rows[0] == Pot("Enamel milk pan", Money(Decimal("24.90"), "EUR"), ["neu", "blau"])
    assert found.missing == ["colour"]


def test_a_field_without_a_default_must_be_there() -> None:
    @dataclass
    class Engine:
        title: str
        horsepower: int

    found = extract(shop(), want=Engine)
    assert found.missing == ["horsepower"]
    with pytest.raises(FastwrapError, match=r"there is no column for 'horsepower'; the columns are '.*'"):
        found.rows  # noqa: B018


def test_a_value_that_a_record_lacks_is_told() -> None:
    page = shop().replace("38,00 €", "auf Anfrage")
    with pytest.raises(FastwrapError, match=r"record 3 has 'auf Anfrage' there: price is wanted as Money"):
        extract(page, want=Pot).rows  # noqa: B018
    assert extract(page, want={"price": Money}).rows[2] == {"price": None}


def test_what_is_not_there_is_none_in_dicts() -> None:
    found = extract(shop(), want=["title", "author", "horsepower"])
    assert found.missing == ["author", "horsepower"]
    assert found.rows[0] == {"title": POTS[0], "author": None, "horsepower": None}
    assert list(found.to_dicts()[0]) == ["title"]


def test_a_page_without_a_list_has_no_rows() -> None:
    found = extract("<p>Nothing here</p>", want=["title"])
    assert (found.rows, found.missing, found.columns) == ([], ["title"], [])


def test_without_a_wish_rows_are_dicts() -> None:
    found = extract(forum())
    assert found.rows == found.to_dicts()
    assert found.missing == []


def test_a_wrapper_keeps_what_was_wanted(tmp_path: Path) -> None:
    wrapper = learn(shop(), want=["preis", "titel", "sku"])
    wrapper.save(tmp_path / "site.json")
    found = Wrapper.load(tmp_path / "site.json").extract(shop(POTS[:4], PRICES[:4]))
    assert [column.name for column in found.columns] == ["preis", "titel", "sku"]
    assert found.to_dicts()[3] == {"preis": Money(Decimal("12.50"), "EUR"), "titel": POTS[3], "sku": "A301"}
    assert found.fit > 0.9
    assert len(wrapper.patterns) == 1


def test_a_wrapper_reads_as_what_is_wanted() -> None:
    wrapper = learn(shop(), want=Pot)
    assert wrapper.extract(shop(), want=Pot).rows == extract(shop(), want=Pot).rows
    plain = learn(shop()).extract(shop(), want={"name": str, "cost": float})
    assert plain.rows[2] == {"name": POTS[2], "cost": 38.0}
    assert plain.missing == []


def test_a_wrapper_must_have_what_is_wanted() -> None:
    with pytest.raises(FastwrapError, match=r"no column for 'horsepower'; those of the first list are '.*'title'"):
        learn(shop(), want=["title", "horsepower"])
    assert learn(shop(), want=Pot).patterns[0].column_names == ["name", "price", "tags"]
    with pytest.raises(FastwrapError, match="nothing repeats"):
        learn("<p>one</p>", want=["title"])
    with pytest.raises(FastwrapError, match="want and previous"):
        learn(shop(), want=["title"], examples=[{"title": POTS[0]}])


def test_a_list_that_is_not_the_first_may_have_what_is_wanted() -> None:
    people = "".join(f"<tr><td>{name}</td><td>{name}@example.org</td></tr>" for name in MEMBERS)
    page = shop() + f"<table><tr><th>Member</th><th>Mail</th></tr>{people}</table>"
    read = learn(page, want=["member", "email"]).extract(page).to_dicts()
    assert read[1] == {"member": "tom77", "email": "tom77@example.org"}


def test_links_of_records_are_there_without_being_wanted() -> None:
    found = extract(shop(), url="https://pots.example/", want=["title"])
    assert found.records[2].link == "https://pots.example/p/2"
    assert found.records[2].values == [POTS[2]]


def test_headings_of_groups_may_be_wanted() -> None:
    groups = "".join(
        f"<section><h2>{group}</h2><ul>"
        + "".join(f"<li><a href=/{group}{k}>Pan {k}</a> <i>{k}.50 EUR</i> <p>Words {k}</p></li>" for k in range(8))
        + "</ul></section>"
        for group in ("Iron", "Steel", "Clay")
    )
    found = extract(f"<main>{groups}</main>", min_confidence=0, want=["section", "title"])
    assert found.rows[8] == {"section": "Steel", "title": "Pan 0"}
    assert [column.name for column in found.columns] == ["title", "section"]  # headings are in no record, and last
    alone = extract(f"<main>{groups}</main>", min_confidence=0, want=["title"])
    assert [column.name for column in alone.columns] == ["title"]


def test_what_was_found_can_be_pickled() -> None:
    found = extract(shop(), want=Pot)
    again = pickle.loads(pickle.dumps(found))  # noqa: S301
    assert again.rows == found.rows == pickle.loads(pickle.dumps(found)).rows  # noqa: S301


def test_pydantic_models_are_rows() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Model", title=(str, ...), price=(float, pydantic.Field(gt=0)), colour=(str, "none"))
    row = extract(shop(), want=model).rows[0]
    assert (row.title, row.price, row.colour) == (POTS[0], 24.9, "none")


@pytest.mark.parametrize("want", ["title", 5, int, [1]])
def test_wrong_wishes_are_told_at_once(want: Any) -> None:
    with pytest.raises(TypeError):
        extract(forum(), want=want)


def test_the_command_line_wants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "shop.html"
    page.write_text(shop(), encoding="utf-8")
    assert main(["extract", str(page), "--want", "title, price,horsepower", "-f", "jsonl"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[0]) == {"title": POTS[0], "price": {"amount": "24.90", "currency": "EUR"}}
    assert "no column for horsepower" in err
    with pytest.raises(SystemExit):
        main(["extract", str(page), "--want", "title,,price"])
    wrapper = tmp_path / "site.json"
    assert main(["learn", str(page), "--want", "title,price", "-o", str(wrapper)]) == 0
    assert main(["apply", str(wrapper), str(page), "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["title,price,price currency", "Enamel milk pan,24.90,EUR"]
    assert main(["learn", str(page), "--want", "horsepower"]) == 2
    assert "no column for 'horsepower'" in capsys.readouterr().err


def test_the_fit_is_that_of_all_columns_whatever_is_wanted() -> None:
    page = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(5)) + "</ul>"
    wrapper = learn(page)
    assert wrapper.extract(page, want=["price"]).fit == wrapper.extract(page).fit == 1.0
