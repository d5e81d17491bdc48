"""`fastwrap extract URL --follow N`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fastwrap.cli import main
from tests.helpers.server import Site, answer

NEXT = "<a rel=next href='/list?page={}'>next</a>"


def page(number: int, last: bool = False) -> bytes:
    items = "".join(
        f"<li><a href=/pan/{k}>Pan number {k}</a> <b>{k}.90 EUR</b></li>" for k in range(5 * number, 5 * number + 5)
    )
    return f"<html lang=en><ul>{items}</ul>{'' if last else NEXT.format(number + 1)}".encode()


@pytest.fixture
def shop(site: Site) -> str:
    for number in range(1, 4):
        site.answers[f"/list?page={number}"] = answer(page(number, number == 3))
    return f"{site.url}/list?page=1"


def test_one_table(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", shop, "--follow", "9", "--pause", "0", "--allow-private"]) == 0
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert [record["values"][1] for record in said["regions"][0]["records"]] == [
        f"Pan number {k}" for k in range(5, 20)
    ]
    assert err == "fastwrap: 3 pages read; stopped: there is no next page\n"
    assert (
        main(["extract", shop, "--follow", "2", "--pause", "0", "--allow-private", "-f", "csv", "--want", "title"]) == 0
    )
    out, err = capsys.readouterr()
    assert out.splitlines() == ["title", *(f"Pan number {k}" for k in range(5, 15))]
    assert "2 pages read; stopped: as many pages as were asked for (2)" in err


def test_from_a_file(shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, table = tmp_path / "first.html", tmp_path / "all.jsonl"
    first.write_bytes(page(1))
    arguments = ["extract", str(first), "--url", shop, "--follow", "9", "--pause", "0", "--allow-private"]
    assert main([*arguments, "-o", str(table), "-q"]) == 0
    assert len(table.read_text().splitlines()) == 15
    assert capsys.readouterr().err == ""
    assert main([*arguments[:-1], "-f", "csv"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 6
    assert "1 page read; stopped:" in err
    assert "127.0.0.1 is not a public address" in err


def test_pages_without_a_list(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.answers["/"] = answer(b"<p>nothing")
    assert main(["extract", site.url + "/", "--follow", "3", "--allow-private"]) == 1
    assert "there is no list on the first page" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--follow", "0"], ["--follow", "2", "--pause", "-1"]])
def test_bad_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "http://127.0.0.1:9/", *arguments]) == 2
    assert "takes a number of" in capsys.readouterr().err
