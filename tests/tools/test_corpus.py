"""The corpus that ships with the project: its truths are those of its pages; docs/accuracy.md has what eval prints."""

from __future__ import annotations

import itertools
import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import lxml.html
import pytest

from fastwrap.cli import main
from fastwrap.page.decode import decode
from tests.helpers.paths import EXAMPLES, ROOT

CORPUS = EXAMPLES / "corpus"
COMMANDS = ["fastwrap eval examples/corpus", "fastwrap eval examples/corpus/tables.jsonl"]
TIMES = ("ms/page", "x parse", "95%")
"""The columns that differ from run to run: milliseconds, and multiples of the parse."""


def truths(name: str = "truth.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPUS / name).read_text(encoding="utf-8").splitlines()]


def nodes_of(html: bytes, spec: str, spans: bool) -> Iterator[list[lxml.html.HtmlElement]]:
    """What an XPath selects; with `spans`, each with what follows it, up to the next one or a ruler."""
    heads = lxml.html.document_fromstring(decode(html).html.decode()).xpath(spec)
    for head in heads:
        after = itertools.takewhile(lambda node: node not in heads and node.tag != "hr", head.itersiblings())
        yield [head, *(after if spans else ())]


def records_of(html: bytes, spec: str, spans: bool) -> list[str]:
    """The text of each record."""
    return [
        " ".join(" ".join(part for node in nodes for part in (*node.itertext(), (spans and node.tail) or "")).split())
        for nodes in nodes_of(html, spec, spans)
    ]


def strings_of(nodes: list[lxml.html.HtmlElement]) -> set[str]:
    """What may be a value of a record: texts of elements, texts between them, and attributes."""
    elements = [element for node in nodes for element in node.iter()]
    texts = [" ".join(element.itertext()) for element in elements]
    texts += [text for node in nodes for text in node.xpath(".//text()")]
    texts += [value for element in elements for value in element.attrib.values()]
    return {" ".join(text.split()) for text in texts}


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


PARTS = {("shop.html", "reviews"), ("search.html", "description"), ("search.html", "date"), ("forum.html", "date")}
"""Values that are a part of a text: of a count in brackets, a date before a text, a date behind its label."""


@pytest.mark.parametrize("table", truths("tables.jsonl"), ids=lambda table: table["page"])
def test_the_values_of_a_table_stand_in_their_records(table: dict[str, Any]) -> None:
    (truth,) = (truth for truth in truths() if truth["page"] == table["page"])
    html = (CORPUS / table["page"]).read_bytes()
    nodes = list(nodes_of(html, truth["spec"], truth.get("spans", False)))
    headings = strings_of(nodes[0][0].getroottree().xpath("//h2 | //th"))
    assert len(table["records"]) == len(nodes)
    filled = set()
    for record, strings in zip(table["records"], map(strings_of, nodes), strict=True):
        for field, cell in zip(table["fields"], record, strict=True):
            for value in cell if isinstance(cell, list) else [cell] if cell is not None else []:
                filled.add(field["name"])
                if (table["page"], field["name"]) in PARTS:
                    assert any(value in string for string in strings)
                else:
                    assert value in strings or (field.get("optional") and value in headings)
    assert filled == {field["name"] for field in table["fields"]}
    assert len({field["name"] for field in table["fields"]}) == len(table["fields"])


@pytest.mark.parametrize("command", COMMANDS)
def test_the_documentation_has_the_figures(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(command.split()[1:]) == 0
    document = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    shown = re.search(rf"^    \$ {re.escape(command)}\n((?:    .*\n|\n(?=    ))+)", document, re.MULTILINE)
    assert shown is not None, f"docs/accuracy.md does not show what {command!r} prints"
    printed = without_times(capsys.readouterr().out)
    assert without_times(textwrap.dedent(shown[1])) == printed, "`make figures` puts there what is printed now"


def without_times(text: str) -> list[list[dict[str, str]]]:
    """The rows of each table, by the names of the columns; these and the cells are at least two blanks apart."""
    tables = []
    for table in text.strip().split("\n\n"):
        head, *rows = (re.split(r"\s{2,}", line.strip()) for line in table.splitlines())
        cells = [dict(zip(head, row, strict=True)) for row in rows]
        tables.append([{name: cell for name, cell in row.items() if name not in TIMES} for row in cells])
    return tables
