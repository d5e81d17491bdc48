"""Output: dicts, JSON against its schema, Arrow and data frames by type, and files of every format."""

from __future__ import annotations

import csv
import html
import io
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import jsonschema
import openpyxl
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import FastwrapError
from fastwrap.columns.table import described
from fastwrap.extraction import Cells, Extraction
from fastwrap.output import FORMATS, to_arrow, to_dicts, to_json, to_pandas, to_polars, write
from fastwrap.output.files import TABLE_FORMATS
from fastwrap.output.flat import guarded
from fastwrap.output.table import Field, Table, joined, table_of, with_column
from fastwrap.output.values import plain_text
from fastwrap.types import TYPES, Money

SCHEMA = json.loads(Path(fastwrap.__file__).with_name("schema").joinpath("extraction.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@dataclass
class FakeColumn:
    name: str
    type: str = "text"
    columns: tuple[FakeColumn, ...] = ()
    unit: str = ""
    role: str = ""


@dataclass
class FakeRecord:
    values: list[Any]
    link: str | None = None

    @property
    def texts(self) -> list[Any]:
        return [as_text(value) for value in self.values]

    @property
    def text(self) -> str:
        return " ".join(str(text) for text in self.texts if text is not None)


def as_text(value: Any) -> Any:
    if value is None:
        return None
    return [as_text(each) for each in value] if type(value) is list else plain_text(value)


@dataclass
class FakeRegion:
    columns: list[FakeColumn]
    records: list[FakeRecord]
    score: float = 1.0

    @property
    def cells(self) -> Cells:
        each = [(record.values, record.texts, record.link, record.text) for record in self.records]
        return Cells(*([row[place] for row in each] for place in range(4)))  # type: ignore[arg-type]

    @property
    def described(self) -> list[dict[str, Any]]:
        return [described(column) for column in self.columns]  # type: ignore[arg-type]


@dataclass
class FakeExtraction:
    regions: list[FakeRegion]
    confidence: float = 0.9
    url: str | None = "https://example.org/list"
    next_page: str | None = None
    kind: str = "list"
    record: None = None

    @property
    def records(self) -> list[FakeRecord]:
        return self.regions[0].records if self.regions and self.confidence >= 0.5 else []


def extraction(columns: dict[str, str], *rows: list[Any], **options: Any) -> Extraction:
    """What a page with such a region would give: the functions under test look at nothing else."""
    region = FakeRegion([FakeColumn(name, kind) for name, kind in columns.items()], [FakeRecord(row) for row in rows])
    return cast(Extraction, FakeExtraction([region], **options))


EUR = Money(Decimal("1299.00"), "EUR")
COLUMNS = {
    "title": "text", "pages": "integer", "weight": "number", "price": "money", "off": "percent", "day": "date",
    "opens": "time", "at": "datetime", "link": "url", "picture": "image", "mail": "email", "phone": "phone",
    "stars": "rating", "new": "boolean",
}  # fmt: skip
ROW: list[Any] = [
    "A <b>title</b>, \"it's\"", 12, 1.5, EUR, 12.5, date(2003, 1, 2), time(9, 30), datetime(2003, 1, 2, 3, 4, 5),
    "https://example.org/1?a=1&b=2", "https://example.org/1.png", "a@example.org", "+49 30 123", 4.5, True,
]  # fmt: skip
NONE: list[Any] = [None] * len(ROW)
ONE = extraction(COLUMNS, ROW, NONE, next_page="https://example.org/list?page=2")


def nested() -> Extraction:
    columns = [
        FakeColumn("title"),
        FakeColumn("tags", columns=(FakeColumn("tags"),)),
        FakeColumn("shop", columns=(FakeColumn("shop"), FakeColumn("price", "money"))),
        FakeColumn("years", "integer", (FakeColumn("years", "integer"),)),
        FakeColumn("fees", "money", (FakeColumn("fees", "money"),)),
    ]
    rows: list[list[Any]] = [
        ["a", ["x", None, "y"], [["Shop", EUR], ["Other", None]], [2001, 2002], [EUR]],
        ["b", None, None, None, None],
        ["c", [], [], [2003], [None]],
    ]
    return cast(Extraction, FakeExtraction([FakeRegion(columns, [FakeRecord(row) for row in rows])]))


def test_the_fakes_have_every_type() -> None:
    assert set(COLUMNS.values()) == set(TYPES)


# Dicts and JSON


def test_dicts() -> None:
    first, second = to_dicts(ONE)
    assert list(first) == list(COLUMNS)
    assert list(first.values()) == ROW
    assert set(second.values()) == {None}
    assert to_dicts(nested())[0] == {
        "title": "a",
        "tags": ["x", None, "y"],
        "shop": [{"shop": "Shop", "price": EUR}, {"shop": "Other", "price": None}],
        "years": [2001, 2002],
        "fees": [EUR],
    }
    assert nested().records[0].values[2][0] == ["Shop", EUR]  # left as it was


def test_nothing_below_the_least_confidence() -> None:
    unsure = extraction(COLUMNS, ROW, confidence=0.2)
    assert to_dicts(unsure) == []
    assert to_arrow(unsure).shape == (0, 0)
    assert to_pandas(unsure).shape == (0, 0)
    assert to_polars(unsure).shape == (0, 0)
    assert len(json.loads(to_json(unsure))["regions"]) == 1  # they stay listed, with the confidence
    nothing = cast(Extraction, FakeExtraction([], 0.0))
    assert to_dicts(nothing) == []
    VALIDATOR.validate(json.loads(to_json(nothing)))


def test_json_is_of_the_schema_and_exact() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for each in (ONE, nested()):
        VALIDATOR.validate(json.loads(to_json(each)))
    document = json.loads(to_json(ONE))
    assert set(document) == {"url", "confidence", "next_page", "kind", "record", "regions"}
    assert document["next_page"] == "https://example.org/list?page=2"
    (region,) = document["regions"]
    assert region["columns"] == [{"name": name, "type": kind} for name, kind in COLUMNS.items()]
    record = region["records"][0]
    assert set(record) == {"text", "link", "values", "texts"}
    values = dict(zip(COLUMNS, record["values"], strict=True))
    assert values["price"] == {"amount": "1299.00", "currency": "EUR"}
    assert [values[name] for name in ("day", "opens", "at")] == ["2003-01-02", "09:30:00", "2003-01-02T03:04:05"]
    assert values["pages"] == 12
    assert values["new"] is True
    region = json.loads(to_json(nested()))["regions"][0]
    euros = {"amount": "1299.00", "currency": "EUR"}
    assert region["columns"][2]["columns"] == [{"name": "shop", "type": "text"}, {"name": "price", "type": "money"}]
    assert region["records"][0]["values"][1:3] == [["x", None, "y"], [["Shop", euros], ["Other", None]]]
    assert region["records"][0]["values"][4] == [euros]


def test_the_schema_knows_all_types_and_refuses_others() -> None:
    assert SCHEMA["$defs"]["column"]["properties"]["type"]["enum"] == list(TYPES)
    good = json.loads(to_json(ONE))
    for path, wrong in [
        (("confidence",), 1.5), (("url",), 3), (("extra",), 1), (("regions", 0, "columns", 0, "type"), "colour"),
        (("regions", 0, "records", 0, "values", 3), {"amount": 1299.0, "currency": "EUR"}),
        (("regions", 0, "records", 0, "text"), None),
    ]:  # fmt: skip
        document: Any = json.loads(json.dumps(good))
        at = document
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = wrong
        assert not VALIDATOR.is_valid(document), path


amounts = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20)
zones = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-8))])
strategies: dict[str, st.SearchStrategy[Any]] = {
    "text": st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    "integer": st.integers(),
    "number": st.floats(allow_nan=False, allow_infinity=False),
    "money": st.builds(Money, amounts, st.sampled_from(["EUR", "$", None])),
    "date": st.dates(),
    "time": st.times(),
    "datetime": st.datetimes() | st.datetimes(timezones=zones),
    "boolean": st.booleans(),
}


@st.composite
def tables(draw: st.DrawFn) -> Extraction:
    kinds = draw(st.lists(st.sampled_from(list(strategies)), min_size=1, max_size=4))
    rows = draw(st.lists(st.tuples(*(st.none() | strategies[kind] for kind in kinds)), min_size=1, max_size=4))
    return extraction({f"{kind} {place}": kind for place, kind in enumerate(kinds)}, *map(list, rows))


def restored(value: Any, kind: str) -> Any:
    """A value from its JSON."""
    if value is None:
        return None
    if kind == "money":
        return Money(Decimal(value["amount"]), value["currency"])
    if kind == "date":
        return date.fromisoformat(value)
    if kind == "time":
        return time.fromisoformat(value)
    return datetime.fromisoformat(value) if kind == "datetime" else value


@given(each=tables())
def test_json_loses_nothing(each: Extraction) -> None:
    document = json.loads(to_json(each))
    VALIDATOR.validate(document)
    region = document["regions"][0]
    kinds = [column["type"] for column in region["columns"]]
    for record, found in zip(region["records"], each.regions[0].records, strict=True):
        values = [restored(value, kind) for value, kind in zip(record["values"], kinds, strict=True)]
        assert values == found.values
        assert [type(value) for value in values] == [type(value) for value in found.values]


def test_dicts_for_json() -> None:
    for each in (ONE, nested()):
        rows = to_dicts(each, json=True)
        assert json.loads(json.dumps(rows)) == rows
        assert [list(row) for row in rows] == [list(row) for row in to_dicts(each)]
    first = to_dicts(ONE, json=True)[0]
    assert first["price"] == {"amount": "1299.00", "currency": "EUR"}
    assert first["day"] == "2003-01-02"
    assert to_dicts(nested(), json=True)[0]["shop"][0]["price"] == {"amount": "1299.00", "currency": "EUR"}


# Regions by themselves


LISTS = (
    "<ul>" + "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    + "</ul><h2>Offices</h2><table>" + "".join(f"<tr><td>Office {k}</td><td>{k + 20} desks</td></tr>" for k in range(4))
    + "</table>"
)  # fmt: skip


@pytest.mark.parametrize("number", [0, 1])
def test_every_region_can_be_written(number: int, tmp_path: Path) -> None:
    found = fastwrap.extract(LISTS)
    assert len(found.regions) == 2
    region = found.regions[number]
    rows = region.to_dicts()
    assert [list(row.values()) for row in rows] == [record.values for record in region.records]
    assert region.to_dicts(json=True) == json.loads(json.dumps(region.to_dicts(json=True)))
    assert json.loads(region.to_json()) == json.loads(found.to_json())["regions"][number]
    assert region.to_csv().splitlines()[0].split(",")[0] == region.columns[0].name
    assert len(region.to_csv().splitlines()) == 5
    assert region.to_arrow().num_rows == len(region.to_pandas()) == len(region.to_polars()) == 4
    for form in FORMATS:
        region.write(tmp_path / f"region.{form}")
        assert (tmp_path / f"region.{form}").stat().st_size
    assert (tmp_path / "region.csv").read_text() == region.to_csv()
    assert json.loads((tmp_path / "region.json").read_text()) == json.loads(region.to_json())


def test_methods_are_the_functions(tmp_path: Path) -> None:
    found = fastwrap.extract(LISTS)
    assert found.to_dicts() == to_dicts(found) == found.regions[0].to_dicts()
    assert found.to_json() == to_json(found)
    assert found.to_csv() == fastwrap.output.to_csv(found) == written(found, "csv").decode()
    assert found.to_arrow() == to_arrow(found)
    found.write(tmp_path / "records.tsv")
    assert (tmp_path / "records.tsv").read_bytes() == written(found, "tsv")
    stream = io.BytesIO()
    found.write(stream, "md")
    assert stream.getvalue() == written(found, "md")
    unsure = fastwrap.extract(LISTS, min_confidence=1.0)
    assert (unsure.to_dicts(), unsure.to_csv()) == ([], "")
    with pytest.raises(TypeError, match="an Extraction or a Region is what can be written, not list"):
        to_json([found])  # type: ignore[arg-type]


# Notebooks


class Tables(HTMLParser):
    """The cells of the tables of a page, and all attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.caption = ""
        self.tags: set[str] = set()
        self._into: list[str] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self._tag = tag

    def handle_data(self, data: str) -> None:
        if self._tag == "caption":
            self.caption += data
        elif self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip("\n")


def test_what_notebooks_show() -> None:
    found = fastwrap.extract(LISTS)
    shown = Tables(found._repr_html_())
    assert shown.rows[:2] == [["title", "price"], ["Ash", "3.50 EUR"]]
    assert shown.caption.strip() == f"4 records, 2 columns, confidence {found.confidence:.2f}"
    assert len(Tables(found.regions[1]._repr_html_()).rows) == 5
    assert "no list with confidence &gt;= 1 among 2 regions" in fastwrap.extract(LISTS, min_confidence=1)._repr_html_()
    assert "no list" in fastwrap.extract("")._repr_html_()


def test_notebooks_show_a_part_of_much() -> None:
    rows = "".join(
        "<tr>" + "".join(f"<td>{k * j} {chr(97 + j % 26) * 300}</td>" for j in range(40)) + "</tr>"
        for k in range(1, 60)
    )
    shown = Tables(fastwrap.extract(f"<table>{rows}</table>").regions[0]._repr_html_())
    assert len(shown.rows) == 21
    assert {len(row) for row in shown.rows} == {30}
    assert max(len(cell) for row in shown.rows for cell in row) == 201
    assert "39 more records are not shown" in shown.caption
    assert "more columns are not shown" in shown.caption


def test_nothing_of_a_page_is_markup_in_a_notebook() -> None:
    evil = "&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(1)>"
    items = "".join(
        f"<li><a href='javascript:alert({k})'>{evil} {k}</a><img src='http://x.example/{k}'></li>" for k in range(6)
    )
    html = fastwrap.extract(f"<ul>{items}</ul>", "https://a.example/").regions[0]._repr_html_()
    assert "&lt;script&gt;" in html
    assert Tables(html).tags <= {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "a", "br"}
    assert 'href="javascript' not in html


# Arrow and data frames


def test_arrow_types() -> None:
    table = to_arrow(ONE)
    assert {each.name: str(each.type) for each in table.schema} == {
        "title": "string", "pages": "int64", "weight": "double",
        "price": "decimal128(18, 2)", "price currency": "string", "off": "double", "day": "date32[day]",
        "opens": "time64[us]", "at": "timestamp[us]", "link": "string", "picture": "string", "mail": "string",
        "phone": "string", "stars": "double", "new": "bool",
    }  # fmt: skip
    assert table.schema.field("off").metadata == {b"fastwrap.type": b"percent"}
    first, second = table.to_pylist()
    assert first == {**dict(zip(COLUMNS, ROW, strict=True)), "price": EUR.amount, "price currency": "EUR"}
    assert [*first][3:5] == ["price", "price currency"]
    assert set(second.values()) == {None}


def test_list_columns_in_arrow() -> None:
    table = to_arrow(nested())
    assert [str(each.type) for each in table.schema] == [
        "string",
        "list<item: string>",
        "list<item: struct<shop: string, price: struct<amount: decimal128(18, 2), currency: string>>>",
        "list<item: int64>",
        "list<item: struct<amount: decimal128(18, 2), currency: string>>",
    ]
    assert table["fees"].to_pylist() == [[EUR._asdict()], None, [None]]
    assert table["shop"].to_pylist()[0][1] == {"shop": "Other", "price": None}
    assert to_polars(nested())["tags"].to_list() == [["x", None, "y"], None, []]
    assert to_pandas(nested())["years"].tolist()[0] == [2001, 2002]


def test_what_arrow_cannot_hold_is_text() -> None:
    india = timezone(timedelta(hours=5, minutes=30))
    table = to_arrow(
        extraction(
            {"n": "integer", "m": "money", "t": "datetime", "zoned": "datetime", "some": "money", "many": "money"},
            [10**30, Money(Decimal(10) ** 60, None), datetime(2003, 1, 2), datetime(2003, 1, 2, tzinfo=india),
             Money(Decimal("1.5"), None), Money(Decimal(10) ** 18, None)],
            [1, None, datetime(2003, 1, 2, tzinfo=UTC), None, Money(Decimal("0.125"), "KWD"), None],
        )
    )  # fmt: skip
    assert [str(each.type) for each in table.schema] == [
        "string", "string", "string", "timestamp[us, tz=UTC]", "decimal128(18, 3)", "string", "decimal128(38, 0)",
    ]  # fmt: skip
    assert table["n"].to_pylist() == [str(10**30), "1"]
    assert table["t"].to_pylist()[1] == "2003-01-02T00:00:00+00:00"
    assert table["zoned"].to_pylist()[0] == datetime(2003, 1, 1, 18, 30, tzinfo=UTC)


def test_a_list_that_arrow_cannot_hold_is_text() -> None:
    column = FakeColumn("n", "integer", (FakeColumn("n", "integer"),))
    region = FakeRegion([column], [FakeRecord([[0, 10**30, None]]), FakeRecord([None])])
    table = to_arrow(cast(Extraction, FakeExtraction([region])))
    assert table["n"].to_pylist() == [["0", str(10**30), None], None]


@given(each=tables())
@settings(max_examples=50)
def test_frames_lose_nothing(each: Extraction) -> None:
    wanted = to_dicts(each)
    found = to_arrow(each).to_pylist()
    for name in wanted[0]:
        values = [row[name] for row in wanted]
        got = [row[name] for row in found]
        if all(isinstance(value, str) or value is None for value in got) and "text" not in name:
            continue  # what Arrow has no type for
        assert got == [value.amount if isinstance(value, Money) else value for value in values]
        currencies = [value.currency if isinstance(value, Money) else None for value in values]
        assert currencies == [row.get(f"{name} currency") for row in found]
    assert to_polars(each).shape == to_pandas(each).shape == to_arrow(each).shape


PRICES = extraction(
    {"title": "text", "price": "money"},
    ["a", Money(Decimal("12.50"), "EUR")], ["b", Money(Decimal(7), "EUR")], ["c", None],
    ["d", Money(Decimal("1299.00"), "EUR")],
)  # fmt: skip


def test_prices_are_numbers_in_pandas_and_polars() -> None:
    frame = to_pandas(PRICES)
    assert float(frame.price.mean()) == pytest.approx(439.5, abs=0.01)
    assert frame.sort_values("price").title.tolist() == ["b", "a", "d", "c"]
    assert frame[frame.price > 10].title.tolist() == ["a", "d"]
    assert frame.price.sum() == Decimal("1318.50")
    assert (frame.price * 2).tolist()[0] == Decimal("25.00")
    assert frame["price currency"].dropna().unique().tolist() == ["EUR"]
    lazy = to_polars(PRICES)
    assert float(cast(float, lazy["price"].mean())) == pytest.approx(439.5)
    assert lazy.sort("price", nulls_last=True)["title"].to_list() == ["b", "a", "d", "c"]
    assert lazy.filter(polars.col("price") > 10)["title"].to_list() == ["a", "d"]


def test_amounts_without_any_currency_have_no_column_of_it() -> None:
    each = extraction({"price": "money", "price currency": "text"}, [Money(Decimal(5), None), "x"], [None, "y"])
    assert to_arrow(each).column_names == ["price", "price currency"]
    each = extraction({"price": "money", "price currency": "text"}, [Money(Decimal(5), "EUR"), "x"], [None, "y"])
    assert to_arrow(each).column_names == ["price", "price currency_2", "price currency"]
    assert csv_rows(written(each, "csv")) == [
        ["price", "price currency_2", "price currency"], ["5", "EUR", "x"], ["", "", "y"],
    ]  # fmt: skip


def test_whole_numbers_stay_whole_in_pandas() -> None:
    frame = to_pandas(extraction({"n": "integer"}, [2**53 + 1], [None]))
    assert isinstance(frame, pandas.DataFrame)
    assert frame["n"][0] == 2**53 + 1
    assert frame["n"].isna().tolist() == [False, True]
    assert isinstance(to_polars(ONE), polars.DataFrame)


# Tables of several pages


def test_tables_are_joined_by_name() -> None:
    one = table_of(extraction({"title": "text", "price": "money"}, ["a", EUR]).regions[0])
    other = table_of(extraction({"price": "text", "source": "text"}, ["ask", "x"]).regions[0])
    both = joined([with_column(one, "source", "1.html"), with_column(other, "source", "2.html")])
    assert [(each.name, each.type) for each in both.fields] == [
        ("source", "text"), ("title", "text"), ("price", "text"), ("source_2", "text"),
    ]  # fmt: skip
    assert both.rows[0] == ["1.html", "a", "1299.00 EUR", None]
    assert both.rows[1] == ["x", None, "ask", "2.html"]


# Files


def written(each: Extraction, form: str) -> bytes:
    stream = io.BytesIO()
    write(each, stream, form)
    return stream.getvalue()


def csv_rows(data: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=delimiter))


@pytest.mark.parametrize("form", FORMATS)
def test_files_are_named_by_their_suffix(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"records.{form.upper()}"
    write(ONE, path)
    data = path.read_bytes()
    assert data
    if form not in ("xlsx",):  # which has the time in it
        assert data == written(ONE, form)
    write(ONE, str(tmp_path / "records"), form)
    assert (tmp_path / "records").stat().st_size == len(data)


def test_write_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write(ONE, "-", "jsonl")
    write(ONE, "-")
    sys.stdout.flush()
    lines = capfdbinary.readouterr().out.splitlines()
    assert [json.loads(line).keys() for line in lines[:2]] == [COLUMNS.keys()] * 2
    VALIDATOR.validate(json.loads(lines[2]))


def test_write_refuses(tmp_path: Path) -> None:
    with pytest.raises(FastwrapError, match=r"no format has the suffix \.doc: choose one of json, "):
        write(ONE, tmp_path / "records.doc")
    with pytest.raises(FastwrapError, match="there is no format 'doc'"):
        write(ONE, tmp_path / "records.csv", "doc")
    with pytest.raises(FastwrapError, match="records: the name has no suffix"):
        write(ONE, tmp_path / "records")
    with pytest.raises(TypeError, match="a stream of bytes"):
        write(ONE, cast(Any, io.StringIO()), "csv")
    with pytest.raises(FileNotFoundError, match=r"there is no such folder: '.*nowhere'"):
        write(ONE, tmp_path / "nowhere" / "records.csv")
    assert list(tmp_path.iterdir()) == []


LIMITED = """
import fastwrap, pathlib, resource, sys
from fastwrap.output import FORMATS, write
found = fastwrap.extract(pathlib.Path(sys.argv[1]), min_confidence=0)
folder = pathlib.Path(sys.argv[2])
for form in FORMATS:
    for old in (None, b"old"):
        path = folder / f"{old is None}.{form}"
        if old is not None:
            path.write_bytes(old)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        try:
            write(found, path)
            raise SystemExit(f"{form} was written")
        except OSError as error:
            print(form, error.strerror)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert (path.read_bytes() if path.exists() else None) == old, form
        path.unlink(missing_ok=True)
assert not list(folder.iterdir()), "something was left behind"
"""


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    """A limit of the size of files is what a full disk is: the write fails, with a part of the data written."""
    (tmp_path / "a.html").write_text("".join(f"<li><b>Name {k}</b> <i>{k}.50 EUR</i></li>" for k in range(50)))
    (folder := tmp_path / "folder").mkdir()
    run = [sys.executable, "-c", LIMITED, str(tmp_path / "a.html"), str(folder)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [f"{form} File too large" for form in FORMATS for _ in range(2)]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("form", FORMATS)
def test_a_full_device_is_told(form: str) -> None:
    with pytest.raises(OSError, match="No space left"):
        write(ONE, "/dev/full", form)
    assert Path("/dev/full").is_char_device()


def test_json_lines() -> None:
    first, second = map(json.loads, written(nested(), "jsonl").splitlines()[:2])
    assert first["shop"][0] == {"shop": "Shop", "price": {"amount": "1299.00", "currency": "EUR"}}
    assert second == {"title": "b", "tags": None, "shop": None, "years": None, "fees": None}


def test_csv() -> None:
    names, first, second = csv_rows(written(ONE, "csv"))
    row = dict(zip(names, first, strict=True))
    assert names[3:5] == ["price", "price currency"]
    assert (row["price"], row["price currency"]) == ("1299.00", "EUR")
    assert (row["title"], row["new"], row["stars"], row["phone"]) == (ROW[0], "true", "4.5", "+49 30 123")
    assert (row["day"], row["opens"], row["at"]) == ("2003-01-02", "09:30:00", "2003-01-02T03:04:05")
    assert set(second) == {""}
    lists = csv_rows(written(nested(), "csv"))
    assert json.loads(lists[1][1]) == ["x", None, "y"]
    assert json.loads(lists[1][2])[0]["price"]["amount"] == "1299.00"


FORMULAS = ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-1+HYPERLINK(1)", "\t=1", "\r=1", "＝1"]


@pytest.mark.parametrize("form", ["csv", "tsv"])
@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_is_a_formula(form: str, formula: str) -> None:
    data = written(extraction({formula: "text", "n": "integer"}, [formula, -5]), form)
    for row in csv_rows(data, "," if form == "csv" else "\t"):
        assert row[0][0] in "' "
    assert csv_rows(data, "," if form == "csv" else "\t")[1][1] == "-5"


def taken_apart(data: str, separators: str) -> Iterator[str]:
    """The cells that spreadsheets may see in a file: by any separator or several, with quotes that count or do not."""
    for separator in separators:
        yield from itertools.chain.from_iterable(csv.reader(io.StringIO(data, newline=""), delimiter=separator))
    # LibreOffice separates by all of them at once, and quotes count where a cell begins.
    yield from itertools.chain.from_iterable(csv.reader(io.StringIO(re.sub("[;\t]", ",", data), newline="")))
    for ends in ("[;\n]", "[\t\n]"):
        for piece in re.split(ends, data):
            yield from (piece, piece.strip(" "), piece.replace('"', ""), piece.replace('"', "").strip(" "))


RUNS = re.compile(r"[=@＝＠＋－]|[+-](?![\d\s().,/-]*\Z)")


@settings(max_examples=500)
@given(
    st.lists(st.text("a;=+-@\"'\t\n\r 1＝", max_size=12), min_size=2, max_size=2),
    st.lists(st.text("a;=+-@\"'\t\n 1", max_size=8), max_size=3),
    st.sampled_from(["csv", "tsv"]),
)
def test_no_cell_is_a_formula_however_it_is_cut(texts: list[str], entries: list[str], form: str) -> None:
    table = Table(
        (Field("a", "text"), Field("b", "text"), Field("c", "text", True)), [[*texts, entries], ["x", "y", None]]
    )
    assume(
        not re.fullmatch(r"[\s\"]*[+-][\d\s().,/-]*", texts[0])
    )  # a number: what it begins goes on with the next cell
    data = TABLE_FORMATS[form](table).decode()
    for piece in taken_apart(data, ";\t" if form == "tsv" else ",;\t"):
        assert not RUNS.match(piece), (piece, data)
    row = csv_rows(data.encode(), "," if form == "csv" else "\t")[1]
    assert json.loads(row[2]) == entries


def test_what_is_no_formula_stays() -> None:
    for text in (
        "a; b; c",
        "5; -3; 1",
        "x;y=z",
        "a - b; c",
        "tel.; +49 (30) 123-45; mail",
        "a, =b",
        "50% @ home",
        "1\n2",
    ):
        assert guarded(text) == text


@given(rows=st.lists(st.lists(strategies["text"] | st.just("a\r\nb\tc\rd"), min_size=2, max_size=2), max_size=4))
def test_csv_comes_back(rows: list[list[str]]) -> None:
    each = extraction({"a": "text", "b": "text"}, *rows)
    if not rows:
        assert written(each, "csv") == written(each, "tsv") == b""
        return
    wanted = [["a", "b"], *([guarded(re.sub("\r\n?", "\n", text)) for text in row] for row in rows)]
    assert csv_rows(written(each, "csv")) == wanted
    lines = written(each, "tsv").decode("utf-8").split("\n")
    assert len(lines) == len(rows) + 2
    assert all(line.count("\t") == 1 for line in lines[:-1])


def test_markdown() -> None:
    nasty = "a|b\n*c* [d](javascript:e) <script> `f` \\ &amp; www"
    lines = written(extraction({"x|y": "text", "n": "integer", "u": "url"}, [nasty, 5, "https://e.org/a_b|c"]), "md")
    head, rule, row = lines.decode("utf-8").splitlines()
    assert head == r"| x\|y | n | u |"
    assert rule == "| --- | --: | --- |"
    assert row == (r"| a\|b \*c\* \[d\](javascript:e) \<script\> \`f\` \\ \&amp; www | 5 | <https://e.org/a_b%7Cc> |")


def test_html() -> None:
    each = extraction(
        {"<i>": "text", "u": "url", "v": "url"},
        ["<script>alert(1)</script>", "https://e.org/\"'><b>", "javascript:alert(1)"],
        ["a", "https://e.org/?a=1&b=2", None],
    )
    page = written(each, "html").decode("utf-8")
    assert page.count("<script") == 0
    assert page.count("<b>") == 0
    assert page.count("<i>") == 0
    assert '<a rel="nofollow noopener" href="https://e.org/?a=1&amp;b=2">' in page
    assert 'href="javascript' not in page
    read_back = [html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall("<t[hd][^>]*>(.*?)</t[hd]>", page)]
    assert read_back[:6] == [
        "<i>",
        "u",
        "v",
        "<script>alert(1)</script>",
        "https://e.org/\"'><b>",
        "javascript:alert(1)",
    ]


def sheet_rows(data: bytes) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in openpyxl.load_workbook(io.BytesIO(data)).worksheets[0].rows]


def test_xlsx() -> None:
    names, first = sheet_rows(written(ONE, "xlsx"))  # the second record has no cells
    row = dict(zip(names, first, strict=True))
    assert (row["title"], row["pages"], row["price"], row["price currency"]) == (ROW[0], 12, 1299, "EUR")
    assert (row["day"], row["opens"], row["at"]) == (datetime(2003, 1, 2), time(9, 30), datetime(2003, 1, 2, 3, 4, 5))
    assert row["new"] is True


def test_what_excel_cannot_hold_is_text() -> None:
    old, zoned = date(1850, 1, 2), datetime(2003, 1, 2, tzinfo=UTC)
    each = extraction(
        {"a": "integer", "b": "date", "c": "datetime", "d": "text", "e": "text", "f": "money"},
        [2**60 + 1, old, zoned, "=1+1", "x" * 40_000, Money(Decimal("12345678901234567.89"), None)],
        [1, date(2003, 1, 2), None, "a\x00\x01\uffff\x1b", "https://example.org", None],
    )
    _, first, second = sheet_rows(written(each, "xlsx"))
    assert first[:4] == [str(2**60 + 1), "1850-01-02", "2003-01-02T00:00:00+00:00", "=1+1"]
    assert len(first[4]) == 32_767
    assert first[5] == "12345678901234567.89"
    assert second[4] == "https://example.org"
    book = openpyxl.load_workbook(io.BytesIO(written(each, "xlsx")))
    assert {cell.data_type for row in book.worksheets[0].rows for cell in row} <= {"s", "n", "d"}  # no formula: "f"


@given(each=tables())
@settings(max_examples=40)
def test_every_format_takes_every_value(each: Extraction) -> None:
    rows = len(each.records)
    for form in FORMATS:
        data = written(each, form)
        if form == "xlsx":
            assert len(sheet_rows(data)) <= rows + 1
        elif form == "parquet":
            assert pyarrow.parquet.read_table(io.BytesIO(data)).num_rows == rows
        elif form == "arrow":
            assert pyarrow.ipc.open_file(io.BytesIO(data)).read_all().num_rows == rows
        else:
            assert data.decode("utf-8")


def test_too_large_for_a_sheet() -> None:
    table = Table((Field("n", "integer"),), [[1]] * 1_048_576)
    with pytest.raises(FastwrapError, match="do not fit"):
        TABLE_FORMATS["xlsx"](table)


@pytest.mark.parametrize(
    ("module", "extra", "call"),
    [
        ("pyarrow", "arrow", "output.to_arrow(x)"),
        ("pandas", "pandas", "output.to_pandas(x)"),
        ("polars", "polars", "output.to_polars(x)"),
        ("xlsxwriter", "xlsx", "output.write(x, '-', 'xlsx')"),
        ("pyarrow", "arrow", "output.write(x, '-', 'parquet')"),
    ],
)
def test_what_is_missing_is_named(module: str, extra: str, call: str) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None\nimport fastwrap\nfrom fastwrap import output\n"
        f"x = fastwrap.extract('<p>')\ntry: {call}\nexcept fastwrap.FastwrapError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{module} is not installed: pip install 'fastwrap[{extra}]'\n"


def test_real_extractions(example: bytes) -> None:
    found = fastwrap.extract(example, "https://example.org/")
    document = json.loads(to_json(found))
    VALIDATOR.validate(document)
    for region, shown in zip(found.regions, document["regions"], strict=True):
        assert len({column["name"] for column in shown["columns"]}) == len(region.columns)
        assert [record["text"] for record in shown["records"]] == [record.text for record in region.records]
    assert len(to_dicts(found)) == len(found.records) == to_arrow(found).num_rows
    for form in FORMATS:
        assert written(found, form) or not found.records
