"""The corpus that ships with the project: its truth is that of its pages, and docs/accuracy.md has what eval prints."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

import lxml.html
import pytest

from fastwrap.cli import main
from fastwrap.page.decode import decode
from tests.helpers.paths import EXAMPLES, ROOT

CORPUS = EXAMPLES / "corpus"
COMMAND = "fastwrap eval examples/corpus"
TIMES = ("ms/page", "x parse", "95%")
"""The columns that differ from run to run: milliseconds, and multiples of the parse."""


def truths() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPUS / "truth.jsonl").read_text(encoding="utf-8").splitlines()]


def records_of(html: bytes, spec: str, spans: bool) -> list[str]:
    """The text of what an XPath selects; with `spans`, of what follows it, too, up to the next one or a ruler."""
    nodes = lxml.html.document_fromstring(decode(html).html.decode()).xpath(spec)
    records = []
    for node in nodes:
        parts = [*node.itertext()]
        if spans:
            parts.append(node.tail or "")
            for after in node.itersiblings():
                if after in nodes or after.tag == "hr":
                    break
                parts += [*after.itertext(), after.tail or ""]
        records.append(" ".join(" ".join(parts).split()))
    return records


@pytest.mark.parametrize("truth", truths(), ids=lambda truth: truth["page"])
def test_the_truth_is_what_stands_on_the_page(truth: dict[str, Any]) -> None:
    html = (CORPUS / truth["page"]).read_bytes()
    assert len(html) < 20_000
    assert truth["records"] is None or truth["records"] == records_of(html, truth["spec"], truth.get("spans", False))


def test_every_page_has_its_line_and_is_described() -> None:
    pages = {path.name for path in CORPUS.glob("*.html")}
    assert 12 <= len(pages) <= 16
    assert {truth["page"] for truth in truths()} == pages
    described = re.findall(r"^\| \[(\S+)\]\(\1\) \| (\d*)", (CORPUS / "README.md").read_text("utf-8"), re.MULTILINE)
    assert dict(described) == {
        truth["page"]: "" if truth["records"] is None else str(len(truth["records"])) for truth in truths()
    }


def test_the_documentation_has_the_figures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(COMMAND.split()[1:]) == 0
    document = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    shown = re.search(rf"^    \$ {COMMAND}\n((?:    .*\n|\n(?=    ))+)", document, re.MULTILINE)
    assert shown is not None, f"docs/accuracy.md does not show what {COMMAND!r} prints"
    assert without_times(textwrap.dedent(shown[1])) == without_times(capsys.readouterr().out)


def without_times(text: str) -> list[list[dict[str, str]]]:
    """The rows of each table, by the names of the columns; these and the cells are at least two blanks apart."""
    tables = []
    for table in text.strip().split("\n\n"):
        head, *rows = (re.split(r"\s{2,}", line.strip()) for line in table.splitlines())
        cells = [dict(zip(head, row, strict=True)) for row in rows]
        tables.append([{name: cell for name, cell in row.items() if name not in TIMES} for row in cells])
    return tables
