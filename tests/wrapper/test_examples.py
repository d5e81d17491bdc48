"""Learning by example: the list and the columns that have the values of a record or two."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap import FastwrapError, Wrapper, extract, learn
from fastwrap.cli import main
from fastwrap.columns.splitting import Rule
from fastwrap.types import Money
from fastwrap.wrapper.examples import Reading, find_columns, likeness, normal, number_in, part_of, part_rule, values_of
from tests.helpers.paths import ROOT
from tests.helpers.wanted_pages import BOOKS, JOBS, MEMBERS, POTS, PRICES, THREADS, books, forum, jobs, shop


@pytest.mark.parametrize(
    ("value", "text", "fit"),
    [
        ("Milk pan", "Milk pan", 5.0),
        ("milk  PAN", "Milk pan", 4.0),
        ("Cafe", "Café", 4.0),
        ("24.90", "24,90 €", 3.0),
        ("24.9", "EUR 24.90", 3.0),
        ("1299", "1.299,00 €", 3.0),
        ("$1,299", "1299.00", 3.0),
        ("/p/1", "https://example.org/p/1", 3.0),
        ("Ann", "by Ann (staff)", 2.0),
        ("24.90", "only 24.90 instead of 30.00", 2.0),
        ("Ann", "Annual", 0.0),
        ("4.90", "24.90", 0.0),
        ("24", "24.90", 0.0),
        ("5", "4 of 5", 0.0),
        ("blue", "red", 0.0),
    ],
)
def test_texts_that_are_a_value(value: str, text: str, fit: float) -> None:
    assert likeness(Reading.of_value(value), Reading.of(text)) == fit


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_two_texts_can_be_compared(value: str, text: str) -> None:
    fit = likeness(Reading.of_value(value), Reading.of(text))
    assert 0 <= fit <= 5
    assert (fit == 5) == (value == text)
    if normal(value) and fit == 2:
        assert part_of(value, text) is not None


@given(st.decimals(0, 10**9, places=2))
def test_numbers_are_the_same_in_other_notations(amount: Decimal) -> None:
    english = f"{amount:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert number_in(english) == number_in(f"{german} €") == number_in(f"$ {amount}") == amount


@pytest.mark.parametrize("examples", ["title", {"title": "a"}, 5, ["title"], [{5: "a"}], [{"a": None}], [{"a": True}]])
def test_other_things_are_no_examples(examples: Any) -> None:
    with pytest.raises(TypeError, match=r"examples? is|is a str"):
        values_of(examples)


@pytest.mark.parametrize(
    ("examples", "why"),
    [
        ([], "no example"),
        ([{}], "no values"),
        ([{"a": " "}], "no value for 'a'"),
        ([{" ": "a"}], "a name is empty"),
        ([{"a": []}], "no value for 'a'"),
        ([{"a": "x" * 6000}], "6,000 characters"),
        ([{"a": "x"}] * 11, "at most 10"),
        ([{"a" * 301: "x"}], "301 characters"),
    ],
)
def test_examples_that_make_no_sense(examples: Any, why: str) -> None:
    with pytest.raises(FastwrapError, match=why):
        values_of(examples)


def test_columns_are_those_of_the_record_that_has_all_values() -> None:
    cells: list[list[Any]] = [["Pan", "Pot", "Pan"], ["1", "2", "3"], ["3 €", "2 €", "1 €"], [None, None, "Pan"]]
    found = find_columns([{"name": ("pan",), "price": ("1 €",)}], cells, [0] * 4)
    assert found is not None
    assert found[1] == {"name": 0, "price": 2}
    assert find_columns([{"name": ("Pot",), "price": ("3 €",)}], cells, [0] * 4) is None


def test_a_second_example_decides_between_columns() -> None:
    cells = [["5", "5", "7"], ["5", "6", "7"]]
    assert find_columns([{"n": ("5",)}, {"n": ("6",)}], cells, [0] * 2) == (5.0, {"n": 1})


def test_two_values_may_be_parts_of_one_text() -> None:
    found = find_columns([{"city": ("Salem",), "state": ("OR",)}], [["Salem, OR", "Austin, TX"]], [0])
    assert found is not None
    assert found[1] == {"city": 0, "state": 0}


def test_a_list_holds_its_values() -> None:
    cells: list[list[Any]] = [["a", "b"], [["x", "y"], ["z"]]]
    found = find_columns([{"tags": ("x", "y")}], cells, [0] * 2)
    assert found is not None
    assert found[1] == {"tags": 1}
    assert find_columns([{"tags": ("x", "z")}], cells, [0] * 2) is None


def test_parts_of_texts_are_cut_where_most_have_the_same_around_them() -> None:
    texts = ["by Ann (staff)", "by Bob (staff)", "by Carl (guest)"]
    assert part_rule(["Ann"], texts) is None
    assert part_rule(["Bob"], texts[:2]) == (Rule("by ", " (staff)"), [0])
    assert part_rule(["nobody"], texts) is None
    found = part_rule(["2003", "Ann"], ["Ann | 2003", "Bob | 2004"])
    assert found is not None
    rule, parts = found
    assert [rule.apply("Carl | 1999")[part] for part in parts] == ["1999", "Carl"]


def by_example(page: str, *examples: dict[str, Any], read: str | None = None) -> list[dict[str, Any]]:
    """What a wrapper that is learned by example reads on the page, or on another."""
    return learn(page, examples=list(examples)).extract(read or page).to_dicts()


def test_the_list_and_its_columns_are_found() -> None:
    rows = by_example(shop(), {"what": "steel stockpot", "cost": "1299"})
    assert [row["what"] for row in rows] == POTS
    assert list(rows[0]) == ["what", "cost"]
    assert rows[0]["cost"] == Money(Decimal("24.90"), "EUR")


def test_a_list_that_is_not_the_main_one() -> None:
    rows = by_example(shop(), {"go": "Messer", "to": "/Messer"})
    assert [row["go"] for row in rows] == ["Töpfe", "Pfannen", "Messer", "Angebote"]


def test_values_of_attributes_and_lists() -> None:
    rows = by_example(shop(), {"sku": "A201", "image": "/i/2.jpg", "tags": ["neu", "blau", "leicht", "schwer"]})
    assert rows[0] == {"sku": "A001", "image": "/i/0.jpg", "tags": ["neu", "blau"]}


def test_labels_are_no_part_of_values() -> None:
    rows = by_example(jobs(), {"poste": "Comptable", "ville": "Nantes", "salaire": 1950, "date": "11/06/2026"})
    assert rows[0] == {
        "poste": "Boulanger", "ville": "Lyon", "salaire": Money(Decimal(1800), "EUR"), "date": date(2026, 6, 10)
    }  # fmt: skip
    assert len(rows) == len(JOBS)


def test_tables_and_parts_of_texts() -> None:
    page = forum().replace("<td>nora", "<td>von nora").replace("<td>tom77", "<td>von tom77")
    for member in MEMBERS[2:]:
        page = page.replace(f"<td>{member}", f"<td>von {member}")
    rows = by_example(page, {"thread": THREADS[0], "member": "nora", "replies": 2})
    assert [row["member"] for row in rows] == MEMBERS
    assert [row["replies"] for row in rows] == [2, 5, 8, 11, 14]


def test_japanese() -> None:
    rows = by_example(books(), {"書名": "山の本", "値段": "1100"})
    assert [row["書名"] for row in rows] == BOOKS


def test_other_pages_are_read_by_the_names_of_the_example(tmp_path: Path) -> None:
    wrapper = learn(shop(), examples=[{"pot": POTS[0], "price": "24.90"}, {"pot": POTS[3], "price": "12.50"}])
    wrapper.save(tmp_path / "site.json")
    names = [f"Other {name}" for name in POTS[:4]]
    read = Wrapper.load(tmp_path / "site.json").extract(shop(names, PRICES[:4])).to_dicts()
    assert [row["pot"] for row in read] == names
    assert list(read[0]) == ["pot", "price"]


def test_a_value_that_is_made_of_several_texts() -> None:
    items = "".join(f"<li><b>Pan {k}</b> <i>{k}9</i> <u>,90</u> <s>€</s></li>" for k in range(1, 6))
    rows = by_example(f"<ul>{items}</ul>", {"name": "Pan 2", "price": "29,90 €"})
    assert [normal(str(row["name"])) for row in rows] == [f"pan{k}" for k in range(1, 6)]
    assert "29" in str(rows[1]["price"])
    assert "90" in str(rows[1]["price"])


def test_what_no_method_takes_for_a_list() -> None:
    page = "<div><p><b>Ann</b> 5</p></div><hr><main><p>One</p><p>Two</p></main><div><p><b>Bob</b> 7</p></div>"
    rows = by_example(f"<section>{page}</section>", {"who": "Bob", "points": "7"})
    assert [(row["who"], row["points"]) for row in rows if row["who"]] == [("Ann", 5), ("Bob", 7)]


@pytest.mark.parametrize("name", ["shop", "jobs", "forum", "search", "table"])
def test_what_is_shown_of_a_record_finds_its_columns(name: str) -> None:
    page = (ROOT / "examples" / f"{name}.html").read_bytes()
    found = extract(page)
    for number in (0, len(found) // 2, len(found) - 1):
        texts = dict(zip(found[number].keys(), found[number].texts, strict=True))
        example = {column: text for column, text in texts.items() if isinstance(text, str) and len(text) > 3}
        read = learn(page, examples=[example]).extract(page)
        assert list(read[0].keys()) == [column for column in texts if column in example]
        assert [[record[column] for column in example] for record in read] == [
            [record[column] for column in example] for record in found
        ]


def test_what_is_not_there_is_told() -> None:
    with pytest.raises(
        FastwrapError, match=r"value of 'name', 'Enamel milk pam', is not on the page; near it: 'Enamel"
    ):
        learn(shop(), examples=[{"name": "Enamel milk pam", "price": "24.90"}])
    with pytest.raises(FastwrapError, match=r"value of 'price', '38.00', is on the page, but not in the record"):
        learn(shop(), examples=[{"name": POTS[0], "price": "38.00", "sku": "A001"}])
    with pytest.raises(FastwrapError, match="not together in records of one list"):
        learn(shop(), examples=[{"menu": "Messer"}, {"menu": "1.299,00 €"}])


def test_the_command_line_learns_by_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, wrapper = tmp_path / "shop.html", tmp_path / "site.json"
    page.write_text(shop(), encoding="utf-8")
    example = json.dumps({"name": POTS[1], "price": "1299"})
    assert main(["learn", str(page), "--example", example, "-o", str(wrapper)]) == 0
    assert main(["apply", str(wrapper), str(page), "-f", "jsonl"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["name"] == POTS[0]
    assert main(["learn", str(page), "--example", f"name={POTS[1]},price=1299", "--example", "name=nothing"]) == 2
    assert "'nothing', is not on the page" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["learn", str(page), "--example", "nothing"])
    with pytest.raises(SystemExit):
        main(["learn", str(page), "--example", "{nothing"])
