"""Types of columns: whole columns read by fastwrap, against the parsers of the field called on every cell.
price-parser, dateutil and dateparser are told nothing of the column; ours decides by all of its strings."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from fastwrap.types import type_column

CELLS = 100
WORDS = "chair table lamp oak blue large set of four with drawer and shelf for the garden".split()


def columns() -> dict[str, list[str]]:
    choose = random.Random(7)
    days = [date(2013, 1, 1) + timedelta(choose.randrange(700)) for _ in range(CELLS)]
    prices = [choose.randrange(100, 500_000) / 100 for _ in range(CELLS)]
    return {
        "text": [" ".join(choose.choices(WORDS, k=6)) for _ in range(CELLS)],
        "long text": [" ".join(choose.choices(WORDS, k=40)) for _ in range(CELLS)],
        "titles with digits": [
            f"{choose.choice(WORDS)} {choose.randrange(99)} x {choose.randrange(99)} cm" for _ in days
        ],
        "links": [f"/shop/{choose.choice(WORDS)}-{number}.html" for number in range(CELLS)],
        "absolute links": [f"https://example.org/shop/{choose.choice(WORDS)}-{number}.html" for number in range(CELLS)],
        "integers": [str(choose.randrange(5000)) for _ in range(CELLS)],
        "reviews": [f"{choose.randrange(2, 5000):,} reviews" for _ in range(CELLS)],
        "prices": [f"${price:,.2f}" for price in prices],
        "prices in euro": [f"{price:,.2f} €".replace(",", " ").replace(".", ",") for price in prices],
        "dates": [day.strftime("%d/%m/%Y") for day in days],
        "dates with months": [day.strftime("%B %d, %Y") for day in days],
        "ratings": [f"{choose.randrange(10, 51) / 10} out of 5 stars" for _ in range(CELLS)],
    }


COLUMNS = columns()


@pytest.mark.parametrize("kind", COLUMNS)
def test_type_column(benchmark: BenchmarkFixture, kind: str) -> None:
    benchmark.group = kind
    item = "href" if "links" in kind else "text"
    benchmark(lambda: type_column(COLUMNS[kind], item, "https://example.org/list"))


def each_cell(benchmark: BenchmarkFixture, kind: str, parse: Callable[[str], object]) -> None:
    benchmark.group = kind
    benchmark(lambda: [parse(string) for string in COLUMNS[kind]])


@pytest.mark.parametrize("kind", ["prices", "prices in euro", "integers", "text"])
def test_price_parser(benchmark: BenchmarkFixture, kind: str) -> None:
    price_parser = pytest.importorskip("price_parser")
    each_cell(benchmark, kind, price_parser.Price.fromstring)


@pytest.mark.parametrize("kind", ["dates", "dates with months"])
def test_dateutil(benchmark: BenchmarkFixture, kind: str) -> None:
    parser = pytest.importorskip("dateutil.parser")
    each_cell(benchmark, kind, lambda string: parser.parse(string, dayfirst=True))


@pytest.mark.parametrize("kind", ["dates", "dates with months"])
def test_dateparser(benchmark: BenchmarkFixture, kind: str) -> None:
    dateparser = pytest.importorskip("dateparser")
    settings = {"DATE_ORDER": "DMY"}
    each_cell(benchmark, kind, lambda string: dateparser.parse(string, languages=["en"], settings=settings))
