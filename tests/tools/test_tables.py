"""The evaluation of tables: its comparison against a plain twin and referees, evaluators, files, command, report."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchmarks.shown_output import renewed
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

import fastwrap
from fastwrap.cli import main
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.tools.evaluate import benchmark
from fastwrap.tools.evaluate.benchmark import Extractor, as_json, method, run, summarise
from fastwrap.tools.evaluate.column_evaluators import Alignment, Columns
from fastwrap.tools.evaluate.corpora import Document, Folder, TableFile
from fastwrap.tools.evaluate.evaluators import Attempt, Figures
from fastwrap.tools.evaluate.marks import Marks
from fastwrap.tools.evaluate.report import html_report
from fastwrap.tools.evaluate.tables import Cell, Comparison, Field, ShownTable, TableKey, compare, paired, plain
from tests.helpers.paths import CORPUS, EXAMPLES
from tests.reference import tables as reference

REFEREE = CORPUS.parent / "tools" / "score_tables.py"
FIELD_REFEREE = CORPUS.parent / "tools" / "score_fields.py"
OURS = EXAMPLES / "corpus" / "tables.jsonl"

words = st.lists(st.sampled_from("abcde"), max_size=4).map(" ".join)
cells = st.one_of(st.none(), words, st.lists(words, max_size=2))


def records_of(width: int) -> st.SearchStrategy[list[list[Cell]]]:
    return st.lists(st.lists(cells, min_size=width, max_size=width), max_size=5)


def measured(evaluator: Columns | Alignment, table: Comparison) -> Figures:
    page = Page(b"")
    figures = evaluator.measure(Attempt(page, Marks(page, []), comparison=table))
    assert figures is not None
    return figures


# The comparison


@given(records_of(3), records_of(2))
def test_records_are_paired_as_in_the_reference(found: list[list[Cell]], true: list[list[Cell]]) -> None:
    assert {place: number for number, place in paired(found, true)} == reference.pair_records(found, true)


@given(records_of(3), records_of(2), st.booleans())
def test_columns_are_counted_as_in_the_reference(
    found: list[list[Cell]], true: list[list[Cell]], goes_on: bool
) -> None:
    fields = [Field("one"), Field("two", optional=True)]
    table = compare(ShownTable(["x", "y", "z"], found), TableKey(fields, true, goes_on=goes_on))
    pairs = reference.pair_records(found, [record[:1] for record in true])
    assert {place: number for number, place in table.pairs} == pairs
    assert table.hits == reference.hits(pairs, found, true)
    counted = [found[number] for number in pairs.values()] if goes_on else found
    assert [table.filled[k] for k in range(3)] == [
        sum(bool(reference.bag(row[k])) for row in counted) for k in range(3)
    ]
    # A field has a column if one is left that holds a value of it, and no two fields share one.
    assert len(set(table.column_of.values())) == len(table.column_of)
    for column, number in table.hits:
        assert number in table.column_of or column in table.column_of.values()
    if table.hits:
        best = max(table.hits.values())
        assert any(table.hits[column, number] == best for number, column in table.column_of.items())


def test_of_columns_that_serve_alike_the_name_decides_then_what_stands_beside() -> None:
    key = TableKey([Field("title", ["name"])], [["Red cup"], ["Blue pot"]])
    rows: list[list[Cell]] = [
        ["Red cup", "Red cup", "Red cup"],
        ["Blue pot", "Blue pot", "Blue pot"],
        ["Menu", "Menu", None],
    ]
    assert compare(ShownTable(["text", "Name 2", "alt"], rows), key).column_of == {0: 1}
    assert compare(ShownTable(["text", "image", "alt"], rows), key).column_of == {0: 2}


def test_a_field_that_is_wanted_comes_before_an_optional_one() -> None:
    key = TableKey([Field("full title", optional=True), Field("title")], [["Red cup", "Red cup"]])
    assert compare(ShownTable(["text"], [["Red cup"]]), key).column_of == {1: 0}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Old-Price: 12", "old price"), ("oldPrice", "old price"), ("SKU", "sku"), ("7", ""), ("", ""), ("H2O", "h2o")],
)
def test_what_does_not_matter_in_a_name(name: str, expected: str) -> None:
    assert plain(name) == expected


# Columns


SHOP = TableKey(
    [Field("title", ["name"]), Field("price"), Field("badge", optional=True)],
    [["Red cup", "3 EUR", "new"], ["Blue pot", "8 EUR", None], ["Tea", None, None]],
)


def test_clutter_costs_precision_and_optional_columns_and_headings_cost_nothing() -> None:
    shown = ShownTable(
        ["name", "text", "badge", "section", "button"],
        [["Red cup", "3 EUR", "new", "Tableware", "buy"], ["Blue pot", "9 GBP", None, "Tableware", "buy"],
         ["Tea", None, None, "Food", "buy"]],
    )  # fmt: skip
    figures = measured(Columns(), compare(shown, SHOP))
    # Title 3 and price 1 of 2 are right; shown are title 3, price 2, button 3.
    assert figures == {
        "right": 4, "shown": 8, "true": 5, "f1": pytest.approx(8 / 13),
        "fields": 2, "named": 1, "width": pytest.approx(5 / 3), "filled": pytest.approx(12 / 15),
    }  # fmt: skip
    total = Columns().total([figures, {**figures, "right": 0, "f1": 0.0, "named": 0, "width": 1.0}])
    assert total == {
        "precision": 0.25, "recall": 0.4, "f1": 0.3077, "macro": 0.3077, "names": 0.25, "width": 1.33, "filled": 0.8,
    }  # fmt: skip


def test_a_heading_that_is_a_field_counts() -> None:
    key = TableKey([Field("category")], [["Tableware"], ["Food"]])
    figures = measured(Columns(), compare(ShownTable(["section"], [["Tableware"], ["Food"]]), key))
    assert (figures["right"], figures["shown"], figures["named"]) == (2, 2, 0)


def test_a_page_with_nothing_found_has_nothing_right() -> None:
    table = compare(ShownTable(), SHOP)
    figures = measured(Columns(), table)
    assert figures == {
        "right": 0, "shown": 0, "true": 5, "f1": 0, "fields": 2, "named": 0, "width": 0, "filled": 0,
    }  # fmt: skip
    assert Columns().total([figures])["f1"] == 0
    assert Alignment().total([measured(Alignment(), table)])["columns"]["recall"] == 0


def test_fields_that_are_not_all_say_nothing_of_clutter() -> None:
    key = TableKey(SHOP.fields, SHOP.records, is_complete=False)
    page = Page(b"")
    assert Columns().measure(Attempt(page, Marks(page, []), comparison=compare(ShownTable(), key))) is None
    assert Columns().measure(Attempt(page, Marks(page, []))) is None
    assert Alignment().measure(Attempt(page, Marks(page, []))) is None


# Alignment


def aligned(right: int, elsewhere: int, foreign: int, clutter: str | None = "buy") -> Figures:
    """A field of which so many values stand in its column, and so many elsewhere, with so many others among them."""
    names = [f"name{k} word{k}" for k in range(right + elsewhere)]
    rows: list[list[Cell]] = [[name, None, clutter] for name in names[:right]]
    # What stands elsewhere has company that keeps records paired: the second column is the smaller one.
    rows += [[None, name, clutter] for name in names[right:]]
    rows += [[f"foreign{k}", None, clutter] for k in range(foreign)]
    return measured(
        Alignment(), compare(ShownTable(["a", "b", "c"], rows), TableKey([Field("x")], [[n] for n in names]))
    )


def test_alignment_by_values_counts_the_columns_in_use() -> None:
    assert aligned(right=7, elsewhere=3, foreign=1) == {
        "values_right": 7, "values_found": 8, "values_true": 10, "f1": pytest.approx(14 / 18),
        "columns_right": 1, "columns_found": 1, "columns_true": 1, "columns_whole": 0,
    }  # fmt: skip
    assert aligned(right=7, elsewhere=3, foreign=1) == aligned(right=7, elsewhere=3, foreign=1, clutter=None)


@pytest.mark.parametrize(
    ("right", "elsewhere", "foreign", "columns_right", "columns_whole"),
    [(6, 4, 0, 1, 0), (59, 41, 0, 0, 0), (6, 0, 4, 1, 1), (59, 0, 41, 0, 1), (5, 0, 0, 1, 1)],
)
def test_a_column_is_right_from_three_fifths_on(
    right: int, elsewhere: int, foreign: int, columns_right: int, columns_whole: int
) -> None:
    figures = aligned(right, elsewhere, foreign)
    assert (figures["columns_right"], figures["columns_whole"]) == (columns_right, columns_whole)


def test_alignment_over_all_pages() -> None:
    total = Alignment().total([aligned(7, 3, 1), aligned(4, 0, 0)])
    assert total["values"] == {"precision": 0.9167, "recall": 0.7857, "f1": 0.8462}
    assert total["columns"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert total["whole"] == 0.5


def test_optional_fields_and_fields_without_a_value_do_not_count() -> None:
    key = TableKey([Field("x"), Field("never"), Field("maybe", optional=True)], [["one", None, "two"]])
    figures = measured(Alignment(), compare(ShownTable(["a", "b"], [["one", "two"]]), key))
    assert (figures["columns_true"], figures["columns_found"], figures["values_found"]) == (1, 1, 1)


# Against the referees


def disturbed(truth: dict[str, Any], random: Random) -> dict[str, Any]:
    """A shown table that resembles the true one more or less: columns renamed, doubled, mixed, and clutter."""
    columns: list[str] = []
    rows: list[list[Any]] = [[] for _ in truth["records"]]
    for number, field in enumerate(truth["fields"]):
        damage = random.randrange(7)
        values = [record[number] for record in truth["records"]]
        if damage == 0:
            continue
        if damage == 1:
            values = [value if random.random() < 0.6 else None for value in values]
        elif damage == 2:
            values = [value if random.random() < 0.7 else f"{value} and more" for value in values]
        copies = 2 if damage == 3 else 1
        name = random.choice([field["name"], *field["names"], "text 3", "section"])
        for _ in range(copies):
            columns.append(f"{name} {len(columns)}")
            for row, value in zip(rows, values, strict=True):
                row.append(value)
    columns.append("Category")
    rows = [[*row, random.choice(["buy", None])] for row in rows if random.random() > 0.1]
    rows += [[None] * (len(columns) - 1) + ["more"]] * random.randrange(3)
    if random.random() < 0.3:
        random.shuffle(rows)
    return {"columns": columns, "records": rows}


def referee(*arguments: object) -> dict[str, Any]:
    ran = subprocess.run([sys.executable, *map(str, arguments), "--json"], capture_output=True, check=True)
    return dict(json.loads(ran.stdout)["all"])


@pytest.mark.corpus
@pytest.mark.parametrize("path", [CORPUS / "tables" / "tables.jsonl", OURS], ids=["shared", "ours"])
def test_figures_are_those_of_the_referee(path: Path, tmp_path: Path) -> None:
    if not (REFEREE.is_file() and path.is_file()):
        pytest.skip(f"no referee at {REFEREE}, or no tables at {path}: both are shared, not part of the repository")
    random = Random(0)
    truths = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    predictions = {truth["page"]: disturbed(truth, random) for truth in truths}
    given = tmp_path / "predictions.json"
    given.write_text(json.dumps(predictions), encoding="utf-8")
    expected = referee(REFEREE, path, "--predictions", given)
    figures = []
    for page in TableFile(path):
        assert page.table is not None
        shown = ShownTable(predictions[page.name]["columns"], predictions[page.name]["records"])
        figures.append(measured(Columns(), compare(shown, page.table)))
    assert {"pages": len(figures), **Columns().total(figures)} == expected
    assert 0.3 < expected["f1"] < 0.9
    # And so are those of what fastwrap shows.
    total, _ = summarise(run([TableFile(path)], [method("auto")], repeat=1))
    assert total.figures["columns"] == referee(REFEREE, path)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["peers", "dockets"])
def test_values_are_those_of_the_referee_of_fields(name: str) -> None:
    path = CORPUS / "fields" / f"{name}.jsonl"
    if not (FIELD_REFEREE.is_file() and path.is_file()):
        pytest.skip(
            f"no referee at {FIELD_REFEREE}, or no fields at {path}: both are shared, not part of the repository"
        )
    expected = referee(FIELD_REFEREE, path, "--kind", "list")
    total, _ = summarise(run([TableFile(path)], [method("auto")], repeat=1))
    assert "columns" not in total.figures
    values = total.figures["alignment"]["values"]
    for figure, share in values.items():
        # Columns that serve equally well are told apart by other rules.
        assert share == pytest.approx(expected["main"][f"value_{figure}"], abs=0.002)


# Files


def listing(rows: list[list[str]]) -> bytes:
    items = "".join(f"<li><a href='/p/{k}'>{name}</a> <i>{price}</i></li>" for k, (name, price) in enumerate(rows))
    return f"<p>Found</p><ul>{items}</ul>".encode()


ROWS = [
    ["Enamel milk pan", "24.90 EUR"],
    ["Copper kettle", "62.00 EUR"],
    ["Oak board", "18.50 EUR"],
    ["Tea towel", "7 EUR"],
]
TRUTH = {
    "page": "a.html",
    "fields": [{"name": "title", "names": ["name"]}, {"name": "price"}, {"name": "link", "optional": True}],
    "records": [[name, price, f"/p/{k}"] for k, (name, price) in enumerate(ROWS)],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Tables of two pages, of which one fails."""
    (tmp_path / "a.html").write_bytes(listing(ROWS))
    path = tmp_path / "goods.jsonl"
    path.write_text("\n".join(map(json.dumps, [TRUTH, {**TRUTH, "page": "gone.html"}])) + "\n", encoding="utf-8")
    return path


def test_a_file_of_tables_is_read(tmp_path: Path) -> None:
    lines = [
        TRUTH,
        {
            "page": "a.html",
            "kind": "list",
            "fields": ["title"],
            "records": [["A\u2028B"], [["x", None, 3]]],
            "subset": True,
        },
        {"page": "b.html", "kind": "detail", "fields": ["title"], "records": [["x"]]},
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("\n\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    one, other = TableFile(path)
    assert (one.name, other.name, TableFile(path).name) == ("a.html", "a.html (2)", "t")
    assert one.key is other.key is None
    assert one.table is not None
    assert other.table is not None
    assert (one.table.is_complete, one.table.goes_on) == (True, False)
    assert (other.table.is_complete, other.table.goes_on) == (False, True)
    assert one.table.fields[2] == Field("link", [], optional=True)
    assert other.table.records == [["A\u2028B"], [["x", None, 3]]]


@pytest.mark.parametrize(
    "line",
    [
        "{", "[]", "1", '{"page": "a", "fields": ["x"]}', '{"page": 1, "fields": ["x"], "records": []}',
        '{"page": "a", "fields": ["x"], "records": [["1", "2"]]}', '{"page": "a", "fields": [1], "records": []}',
        '{"page": "a", "fields": [{"name": 1}], "records": []}', '{"page": "a", "fields": ["x"], "records": [[{}]]}',
        '{"page": "a", "fields": [{"name": "x", "names": "y"}], "records": []}',
        '{"page": "a", "fields": ["x"], "records": 1}', '{"page": "a", "fields": ["x"], "records": ["y"]}',
        '{"page": "a", "fields": "xy", "records": [["1", "2"]]}',
    ],
)  # fmt: skip
def test_a_line_that_is_no_table_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(TRUTH) + "\n" + line, encoding="utf-8")
    with pytest.raises(FastwrapError, match="line 2"):
        TableFile(path)


def test_what_is_no_file_of_tables_is_told(tmp_path: Path) -> None:
    with pytest.raises(FastwrapError, match="neither a folder nor a file"):
        TableFile(tmp_path / "nowhere.jsonl")
    for kind, name in ((TableFile, "t.jsonl"), (Folder, "truth.jsonl")):
        (tmp_path / name).write_bytes(b'{"page": "\xff"}')
        with pytest.raises(FastwrapError, match="not UTF-8"):
            kind(tmp_path / "t.jsonl" if kind is TableFile else tmp_path)


# The command


def test_the_command_prints_the_figures(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", str(file), "--method", "auto", "--worst", "2", "--repeat", "1"]) == 0
    out, err = capsys.readouterr()
    head, row = (re.split(r"\s{2,}", line) for line in out.splitlines()[:2])
    cells = dict(zip(head, row, strict=True))
    assert [cells[name] for name in ("method", "set", "pages", "records", "errors")] == ["auto", "goods", "2", "8", "1"]
    assert [cells[name] for name in ("P", "R", "F1", "page F1", "names")] == ["1.0", "0.5", "0.6667", "0.5", "0.5"]
    assert [cells[name] for name in ("value P", "value R", "column P", "column R", "whole")] == [
        "1.0",
        "0.5",
        "1.0",
        "0.5",
        "0.5",
    ]
    assert "goods/gone.html: F1 0.000, values 8 true, 0 shown, 0 right; 0 of 2 fields named" in out
    assert "goods/a.html: F1 1.000, values 8 true, 8 shown, 8 right; 2 of 2 fields named" in out
    assert err.startswith("fastwrap: goods/gone.html: auto: FileNotFoundError")


def test_records_and_tables_are_told_apart(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = file.parent / "goods"
    folder.mkdir()
    (folder / "a.html").write_bytes(listing(ROWS))
    key = {"page": "a.html", "records": [" ".join(row) for row in ROWS]}
    (folder / "truth.jsonl").write_text(json.dumps(key), encoding="utf-8")
    arguments = ["eval", str(file), str(folder), "--method", "auto", "--repeat", "1"]
    assert main([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    kinds = [(total["corpus"], "alignment" in total, "referee" in total, total["pages"]) for total in report["totals"]]
    assert kinds == [
        (str(folder), False, True, 1), ("all", False, True, 1), (str(file), True, False, 2), ("all", True, False, 2),
    ]  # fmt: skip
    assert [page["page"] for page in report["pages"]] == ["a.html", "gone.html", "a.html"]
    table = report["totals"][2]
    documented = as_json.__doc__ or ""
    for name in [*table, *table["columns"], *table["alignment"]]:
        assert re.search(rf"\b{name}\b", documented), f"{name} is not documented"
    assert "confidence" not in table
    assert main([*arguments, "--worst", "9"]) == 0
    heads = [line.split()[5:8] for line in capsys.readouterr().out.splitlines() if line.startswith("method")]
    assert len(heads) == 3


def test_tables_of_some_fields_have_the_alignment_alone(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = {**TRUTH, "fields": ["title", "price", "link"]}
    file.write_text(json.dumps(truth), encoding="utf-8")
    assert main(["eval", str(file), "--method", "auto", "--worst", "1"]) == 0
    out = capsys.readouterr().out
    assert "width" not in out
    assert "goods/a.html: F1 1.000, values 12 true, 12 found, 12 right; 3 of 3 columns right" in out


def test_every_column_is_asked_for_only_if_it_is_wanted(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def recorded(*given: Any, **options: Any) -> Any:
        asked.append(dict(options))
        options.pop("columns", None)
        return fastwrap.extract(*given, **options)

    monkeypatch.setattr(benchmark, "extract", recorded)
    assert main(["eval", str(file), "--method", "auto", "--repeat", "1"]) == 0
    assert not any("columns" in options for options in asked)
    asked.clear()
    assert main(["eval", str(file), "--method", "auto", "--repeat", "1", "--columns", "all"]) == 0
    assert asked
    assert all(options["columns"] == "all" for options in asked)


def test_an_extractor_without_columns_has_none() -> None:
    class Pages(list[Document]):
        name = "pages"

    key = TableKey(SHOP.fields, SHOP.records)
    extractor = Extractor("marks", lambda html: Marks(Page(html), []))
    (result,) = run([Pages([Document("a", lambda: b"<p>x", table=key)])], [extractor], repeat=1)
    assert result.error is None
    assert result.figures["columns"]["right"] == 0


# The report


def test_the_report_shows_which_column_serves_which_field(file: Path) -> None:
    report = file.parent / "out.html"
    assert main(["eval", str(file), "--method", "auto", "--repeat", "1", "--report", str(report)]) == 0
    tree = LexborHTMLParser(report.read_text(encoding="utf-8"))
    failed, page = tree.css(".page")
    assert failed.css_first(".error") is not None
    rows = [[cell.text() for cell in row.css("td")] for row in page.css(".records tr")[1:]]
    assert [row[:2] for row in rows[:3]] == [["✓", "title"], ["✓", "price"], ["✓", "link (optional)"]]
    assert rows[0][3] == "4 of 4, 4 shown"


NASTY = '<img src=x onerror="alert(1)">'


def test_the_report_of_a_table_is_escaped_and_bounded() -> None:
    class Pages(list[Document]):
        name = NASTY

    key = TableKey(
        [Field(NASTY), Field("lost"), Field("maybe", optional=True)],
        [[f"{NASTY} {k}", f"lost {k}", None] for k in range(200)],
    )
    shown = ShownTable(
        [NASTY, "<b>clutter", "section"],
        [[f"{NASTY} {k}" if k % 2 else f"\x00 onerror alert {NASTY} more", "<i>", "s"] for k in range(200)],
    )
    extractor = Extractor("m", lambda html: Marks(Page(html), [], table=shown))
    results = list(run([Pages([Document(NASTY, lambda: b"<p>x", table=key)])], [extractor], repeat=1))
    report = html_report(summarise(results), results)
    tree = LexborHTMLParser(report)
    assert not tree.css("img, [onerror]")
    assert "\x00" not in report
    fields, values = tree.css(".page .records")
    assert [row.attributes["class"] for row in fields.css("tr[class]")] == ["near", "missed", "same", "wrong", "same"]
    assert 2 <= len(values.css("tr")) <= 53
    assert "(another name)" not in fields.text()


# What documents show


def test_the_output_of_commands_is_renewed() -> None:
    def document(one: str, other: str) -> str:
        return f"Text.\n\n    $ fastwrap eval a\n{one}\nMore.\n\n    $ fastwrap eval b\n{other}\nEnd.\n\n    code = 1\n"

    before = document("    old\n\n    older\n", "")
    after = document("    eval a:\n\n    done\n", "    eval b:\n\n    done\n")
    assert renewed(before, lambda arguments: f"{arguments}:\n\ndone\n") == after
    assert renewed(after, lambda arguments: f"{arguments}:\n\ndone\n") == after
