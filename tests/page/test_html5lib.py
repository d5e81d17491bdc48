"""The reader follows the HTML standard: the tests of html5lib, on tokens and on trees, where they are at hand.
What is not tested is listed here with its reason."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fastwrap._core.page.reading import recorded_tokens
from fastwrap.page.names import SVG_ATTRIBUTE_CASE, SVG_CASE
from fastwrap.page.tree import COMMENT, DOCTYPE, TEXT, Node, tree
from tests.helpers.paths import CORPUS
from tests.helpers.tokens import tokens_of

SUITE = CORPUS.parent / "html5lib-tests"

pytestmark = pytest.mark.skipif(not SUITE.exists(), reason=f"the tests of html5lib are not at {SUITE}")

# Tokens

STATES = {
    "Data state": 0, "RCDATA state": 1, "RAWTEXT state": 2, "Script data state": 3, "PLAINTEXT state": 4,
    "CDATA section state": -1,
}  # fmt: skip
"""As `Content` in construction.h numbers them."""


def unescaped(value: Any) -> Any:
    """What a test that is escaped twice says."""
    if isinstance(value, str):
        return re.sub(r"\\u([0-9A-Fa-f]{4})", lambda match: chr(int(match[1], 16)), value)
    if isinstance(value, list):
        return [unescaped(each) for each in value]
    if isinstance(value, dict):
        return {unescaped(key): unescaped(each) for key, each in value.items()}
    return value


def is_unicode(text: str) -> bool:
    return not re.search("[\ud800-\udfff]", text)


def token_files() -> list[Path]:
    # xmlViolation: of a parser that makes XML of what it reads.
    return [path for path in sorted((SUITE / "tokenizer").glob("*.test")) if path.stem != "xmlViolation"]


@pytest.mark.parametrize("path", token_files(), ids=lambda path: path.stem)
def test_tokens(path: Path) -> None:
    failed, tried = [], 0
    for test in json.loads(path.read_text(encoding="utf-8"))["tests"]:
        html, output = test["input"], test["output"]
        if test.get("doubleEscaped"):
            html, output = unescaped(html), unescaped(output)
        if not is_unicode(html):
            continue  # a page is UTF-8, which has no surrogates
        for state in test.get("initialStates", ["Data state"]):
            tried += 1
            found = tokens_of(recorded_tokens(html.encode(), STATES[state], test.get("lastStartTag", "-")))
            if found != output:
                failed.append((test["description"], html, state, output, found))
    assert not failed, failed[:5]
    assert tried > 0


# Trees

LEFT_OUT = {
    "scripted": "what a script writes while the page is read",
    "fragment": "a page is a document, never a part of one that is set into an element",
    "script-off": "pages are read as with scripts, so that noscript is text",
    "selectedcontent": "an element that shows a copy of the chosen option: the copy would be a second text",
}


def trees_of(path: Path) -> Iterator[tuple[str, str, str]]:
    """The tests of a file: why it is left out, if it is, the HTML, and the tree."""
    for block in path.read_bytes().decode("utf-8").removeprefix("#data\n").split("\n\n#data\n"):
        data, *sections = re.split(
            r"^#(errors|new-errors|document-fragment|script-on|script-off|document)$", block, flags=re.M
        )
        section = dict(zip(sections[::2], sections[1::2], strict=True))
        why = "fragment" if "document-fragment" in section else "script-off" if "script-off" in section else ""
        if "selectedcontent" in data:
            why = "selectedcontent"
        yield why, data.removesuffix("\n"), section["document"].strip("\n")


FOREIGN = {
    f"{space}:{name}": f"{space} {name}"
    for space, names in (("xlink", "actuate arcrole href role show title type"), ("xml", "lang space"))
    for name in names.split()
} | {"xmlns": "xmlns xmlns", "xmlns:xlink": "xmlns xlink"}


def attribute_name(node: Node, name: str) -> str:
    """As the suite writes it: with its namespace, in the case of SVG and MathML."""
    if not node.namespace:
        return name
    if node.namespace == "svg":
        name = SVG_ATTRIBUTE_CASE.get(name.encode(), name.encode()).decode()
    elif name == "definitionurl":
        name = "definitionURL"
    return FOREIGN.get(name, name)


def lines_of(node: Node, depth: int) -> Iterator[str]:
    indent = "| " + "  " * depth
    if node.name == TEXT:
        yield f'{indent}"{node.text}"'
    elif node.name == COMMENT:
        yield f"{indent}<!-- {node.text} -->"
    elif node.name == DOCTYPE:
        yield f"{indent}<!DOCTYPE {node.text}>"
    else:
        name = SVG_CASE.get(node.name, node.name) if node.namespace == "svg" else node.name
        yield f"{indent}<{node.namespace + ' ' if node.namespace else ''}{name}>"
        for key, value in sorted((attribute_name(node, key), value) for key, value in node.attributes.items()):
            yield f'{indent}  {key}="{value}"'
        inner = depth + 1
        if node.name == "template" and not node.namespace:
            yield f"{indent}  content"
            inner += 1
        for child in node.children:
            yield from lines_of(child, inner)


@pytest.mark.parametrize("path", sorted((SUITE / "tree-construction").glob("*.dat")), ids=lambda path: path.stem)
def test_trees(path: Path) -> None:
    failed, count = [], Counter[str]()
    for why, html, wanted in trees_of(path):
        count[why] += 1
        if why:
            assert why in LEFT_OUT
            continue
        document = tree(html.encode())
        found = "\n".join(line for child in document.children for line in lines_of(child, 0))
        if found != wanted:
            failed.append((html, wanted, found))
    for html, wanted, found in failed[:5]:
        print(f"--- {html}\n--- wanted\n{wanted}\n--- found\n{found}")
    assert not failed, len(failed)
    assert count
