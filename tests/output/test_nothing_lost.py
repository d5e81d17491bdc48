"""Nothing is lost: units, signs, and texts among numbers come back from frames, files and the tables for people."""

from __future__ import annotations

import csv
import io
import json
import re
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap.columns import Column
from fastwrap.columns.table import described
from fastwrap.extraction import Cells, Extraction
from fastwrap.output import to_arrow, to_json, to_pandas, write
from fastwrap.output.flat import guarded
from fastwrap.output.table import for_people, joined, table_of
from fastwrap.output.values import plain_text
from fastwrap.types import STRINGS, Money, type_column
from fastwrap.types.affixes import alike
from fastwrap.types.words import UNKNOWN


def column(name: str, kind: str = "text", unit: str = "", columns: tuple[Column, ...] = ()) -> Column:
    return Column(name, kind, "", False, {}, columns, unit=unit)


def holding(columns: list[Column], rows: list[tuple[list[Any], list[Any]]]) -> Extraction:
    """What a page would give whose records have these values and texts."""
    records = [SimpleNamespace(values=values, texts=texts, text="", link=None) for values, texts in rows]
    cells = Cells([values for values, _ in rows], [texts for _, texts in rows], [None] * len(rows), [""] * len(rows))
    said = [described(each) for each in columns]
    region = SimpleNamespace(columns=columns, described=said, records=records, score=1.0, cells=cells)
    found = SimpleNamespace(
        regions=[region], records=records, url=None, confidence=1.0, next_page=None, kind="list", record=None
    )
    return cast(Extraction, found)


def extraction(columns: dict[str, list[str | None]]) -> Extraction:
    """What a page with such texts would give."""
    typed = {name: type_column(texts) for name, texts in columns.items()}
    values = zip(*(each.values for each in typed.values()), strict=True)
    rows = zip(map(list, values), map(list, zip(*columns.values(), strict=True)), strict=True)
    return holding([column(name, each.type, each.unit or "") for name, each in typed.items()], [*rows])


def written(each: Extraction, form: str) -> bytes:
    stream = io.BytesIO()
    write(each, stream, form)
    return stream.getvalue()


def csv_rows(each: Extraction) -> list[list[str]]:
    return list(csv.reader(io.StringIO(written(each, "csv").decode("utf-8"), newline="")))


CARS = {
    "title": ["Ash", "Bee", "Cob", "Dun", "Elk", "Fox", "Gnu", "Hob", "Ibis", "Jay"],
    "mileage": [*(f"{k}000 km" for k in range(166, 175)), "new"],
    "price": [*(f"{k}.500,00 €" for k in range(1, 8)), "ab 9.900,00 €", "Auf Anfrage", "N/A"],
    "discount": ["- 43%", "12%", "– 5%", "-7%", None, "-", "3%", "4%", "5%", "6%"],
    "reviews": [*(f"{k} reviews" for k in range(2, 11)), "1 review"],
}


def test_units_signs_and_texts_among_numbers_are_kept() -> None:
    found = extraction(cast(Any, CARS))
    table = to_arrow(found)
    assert table.column_names == [
        "title", "mileage", "mileage unit", "mileage text", "price", "price currency", "price text", "discount",
        "discount unit", "reviews",
    ]  # fmt: skip
    rows = table.to_pylist()
    assert rows[0] == {
        "title": "Ash", "mileage": 166000, "mileage unit": "km", "mileage text": None, "price": Decimal("1500.00"),
        "price currency": "EUR", "price text": None, "discount": -43.0, "discount unit": "%", "reviews": 2,
    }  # fmt: skip
    assert [row["mileage"] for row in rows][-1] is rows[-1]["mileage unit"] is None
    assert rows[-1]["mileage text"] == "new"
    assert [row["price text"] for row in rows][-3:] == ["ab 9.900,00 €", "Auf Anfrage", "N/A"]
    assert [row["price"] for row in rows][-3:] == [Decimal("9900.00"), None, None]
    assert [row["discount"] for row in rows][:6] == [-43.0, 12.0, -5.0, -7.0, None, None]
    assert to_pandas(found).mileage.mean() == 170000
    names, *lines = csv_rows(found)
    assert names == table.column_names
    assert lines[7] == ["Hob", "173000", "km", "", "9900.00", "EUR", "ab 9.900,00 €", "4", "%", "9"]
    last = json.loads(written(found, "jsonl").splitlines()[-1])
    assert (last["price"], last["price text"], last["mileage text"]) == (None, "N/A", "new")
    assert json.loads(to_json(found))["regions"][0]["columns"][1] == {
        "name": "mileage",
        "type": "integer",
        "unit": "km",
    }
    assert found.records[-1].values[2] == "N/A"
    # For people, in one column.
    for_reading = for_people(table_of(found.regions[0]))
    assert [each.name for each in for_reading.fields] == list(CARS)
    assert for_reading.rows[0][1:4] == ["166000 km", Money(Decimal("1500.00"), "EUR"), "-43%"]
    assert for_reading.rows[7][2] == "ab 9.900,00 €"
    assert "| 166000 km | 1500.00 EUR | -43% |" in written(found, "md").decode()
    assert '<td class="n">Auf Anfrage</td>' in written(found, "html").decode()


def test_lists_lose_nothing() -> None:
    single = column("weights", "integer", "kg", (column("weights", "integer", "kg"),))
    mixed = column("fees", "money", columns=(column("fees", "money"),))
    several = column("shop", columns=(column("shop"), column("range", "integer", "km")))
    values = [[1, 2], [Money(Decimal("1299.00"), "EUR"), "ask"], [["A", 5], ["B", None]]]
    texts = [["1 kg", "2 kg"], ["1299.00 EUR", "ask"], [["A", "5 km"], ["B", None]]]
    found = holding([single, mixed, several], [(values, texts), ([None] * 3, [None] * 3)])
    assert to_arrow(found).to_pylist() == [
        {
            "weights": [1, 2], "weights unit": "kg", "fees": ["1299.00 EUR", "ask"],
            "shop": [{"shop": "A", "range": "5 km"}, {"shop": "B", "range": None}],
        },
        dict.fromkeys(["weights", "weights unit", "fees", "shop"]),
    ]  # fmt: skip
    assert values[2] == [["A", 5], ["B", None]]  # left as they were


cells = st.one_of(
    st.none(),
    st.sampled_from(
        ["5 km", "7 km", "1 km", "$5", "$7.50", "from $8", "$9 / kg", "Call us", "N/A", "-", "12%", "- 43%", "− 5%",
         "4/5", "3.5/5", "2003-01-02", "June 17, 2026", "Posted: May 5, 2003", "in stock", "sold out", "soon", "x",
         "9:30 am", "a@example.org", "205-854-1688", "Fax 205-854-1689", "★★★☆☆", "1,234.50", "", "  a  b "]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)  # fmt: skip
columns_of_cells = st.one_of(
    st.lists(cells, min_size=12, max_size=12),
    st.builds(
        lambda form, number, odd: [*(form.format(k + number) for k in range(11)), odd],
        st.sampled_from(["{} km", "${}.50", "from ${}", "{}%", "- {}%", "{} reviews", "{}/100", "May {}, 2003", "#{}"]),
        st.integers(1, 15),
        cells,
    ),
)


@settings(max_examples=300)
@given(columns_of_cells)
def test_every_text_comes_back_from_every_table(texts: list[str | None]) -> None:
    found = extraction({"a": texts, "b": ["x"] * len(texts)})
    table = to_arrow(found)
    lines = csv_rows(found)
    kinds = found.regions[0].columns[0].type
    for place, (text, row) in enumerate(zip(texts, table.to_pylist(), strict=True)):
        cleaned = " ".join((text or "").split())
        value = found.records[place].values[0]
        line = dict(zip(lines[0], lines[place + 1], strict=True))
        if cleaned in UNKNOWN and not cleaned[:1].isalpha() and kinds != "text":
            assert value is row["a"] is row.get("a text") is None
            continue
        assert (value is None) == (not cleaned)
        if not cleaned:
            assert row["a"] is None
        elif type(value) is str and kinds not in STRINGS:
            assert value == cleaned == row["a text"]
            assert row["a"] is None
            assert line["a text"] == guarded(cleaned)
        else:
            amount = value.amount if isinstance(value, Money) else value
            assert row["a"] in (amount, plain_text(amount))
            assert line["a"] == (guarded(amount) if isinstance(amount, str) else plain_text(amount))
            # What is no part of the value is beside it, or what all have.
            said = " ".join(str(each) for name, each in row.items() if name != "b" and each is not None)
            said += " " + plain_text(value)
            if kinds in ("integer", "number", "money", "percent"):
                for word in re.findall(r"[^\W\d_]+|%", cleaned):
                    assert word in said or alike_in(word, said), (cleaned, row)


def alike_in(word: str, said: str) -> bool:
    return any(alike(word, other) for other in said.split())


def test_pages_with_other_units_and_texts_are_joined() -> None:
    one = table_of(extraction({"range": ["5 km", "7 km", "9 km"], "title": ["a", "b", "c"]}).regions[0])
    other = table_of(extraction({"range": ["5 mi", "7 mi", "9 mi"], "title": ["d", "e", "f"]}).regions[0])
    assert [row[0] for row in joined([one, other]).rows] == ["5 km", "7 km", "9 km", "5 mi", "7 mi", "9 mi"]
    odd = table_of(extraction({"range": [*(f"{k} km" for k in range(9)), "far"], "title": ["x"] * 10}).regions[0])
    both = joined([one, odd])
    assert [field.name for field in both.fields] == ["range", "range text", "title"]
    assert (both.rows[0][:2], both.rows[-1][:2]) == ([5, None], ["far", "far"])


def test_a_page_of_cars() -> None:
    items = "".join(
        f"<li><b>Car {k}</b> <i class=mileage>{k}66000 km</i> <u>{'Ask us' if k == 3 else f'{k}9.900,00 €'}</u></li>"
        for k in range(1, 8)
    )
    found = fastwrap.extract(f"<ul>{items}</ul>", min_confidence=0)
    columns = {each.type: each for each in found.regions[0].columns}
    assert columns["integer"].unit == "km"
    row = to_arrow(found).to_pylist()[2]
    assert [row[f"{columns[kind].name}{beside}"] for kind, beside in [
        ("integer", ""), ("integer", " unit"), ("money", ""), ("money", " currency"), ("money", " text"),
    ]] == [366000, "km", None, None, "Ask us"]  # fmt: skip
    assert "Ask us" in found.records[2].values
    assert json.loads(to_json(found))["regions"][0]["records"][2]["values"].count("Ask us") == 1
