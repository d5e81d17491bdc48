"""The pages that ship with the project: the generated ones' size, density and shape, the examples' records.
Read through selectolax's public API alone, so that nothing of fastwrap vouches for itself."""

import os
import re
import statistics
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from fastwrap.errors import FastwrapError
from fastwrap.tools.bench.pages import KINDS, generate, shipped
from tests.helpers.paths import EXAMPLES

SMALLEST_ITEM = 3  # nodes of li, a and its text: a page falls short of its size by less than this
RECORD = {
    "shop": "div.product",
    "table": "tr.data__row",
    "old": "tr:has(> td[rowspan])",
    "search": "#results > h3",
    "forum": "li.post",
}

every_kind = pytest.mark.parametrize("kind", sorted(KINDS))


def parse(kind: str, nodes: int, seed: int = 0) -> LexborHTMLParser:
    return LexborHTMLParser(generate(kind, nodes, seed).decode(KINDS[kind].encoding))


def nodes_below(top: LexborNode | None) -> list[LexborNode]:
    """`top` and what it contains: elements and texts that are not blank, without script, style, comments."""
    assert top is not None
    found: list[LexborNode] = []
    for node in top.traverse(include_text=True, skip_empty=True):
        owner = node if node.is_element_node else node.parent
        if not node.is_comment_node and owner is not None and owner.tag not in ("script", "style"):
            found.append(node)
    return found


def depth_of(node: LexborNode) -> int:
    depth = 0
    while (parent := node.parent) is not None and parent.is_element_node:
        node, depth = parent, depth + 1
    return depth


def main_list(page: LexborHTMLParser, kind: str) -> LexborNode:
    """The one parent of all records."""
    parents = {record.parent.mem_id: record.parent for record in page.css(RECORD[kind]) if record.parent}
    assert len(parents) == 1
    return parents.popitem()[1]


@given(kind=st.sampled_from(sorted(KINDS)), nodes=st.integers(100, 3_000), seed=st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_a_page_has_the_nodes_asked_for(kind: str, nodes: int, seed: int) -> None:
    assert 0 <= nodes - len(nodes_below(parse(kind, nodes, seed).root)) < SMALLEST_ITEM


@every_kind
def test_the_largest_page_has_the_nodes_asked_for(kind: str) -> None:
    assert 0 <= 200_000 - len(nodes_below(parse(kind, 200_000).root)) < SMALLEST_ITEM


@pytest.mark.parametrize("nodes", [99, 200_001])
def test_other_sizes_are_refused(nodes: int) -> None:
    with pytest.raises(FastwrapError, match="100 to 200,000"):
        generate("shop", nodes)


def test_an_unknown_kind_is_refused_by_name() -> None:
    with pytest.raises(FastwrapError, match=r"'poster'.*shop, table, old, search, forum"):
        generate("poster", 1_000)


def test_the_bytes_do_not_depend_on_the_process() -> None:
    program = "import sys, fastwrap.tools.bench.pages as p; sys.stdout.buffer.write(p.generate('shop', 2_500))"
    for hash_seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        html = subprocess.check_output([sys.executable, "-c", program], env=environment)
        assert html == generate("shop", 2_500)


@every_kind
def test_seeds_give_different_pages(kind: str) -> None:
    assert len({generate(kind, 500, seed) for seed in range(20)}) == 20


@every_kind
@pytest.mark.parametrize("seed", range(10))
def test_even_the_smallest_page_has_a_list(kind: str, seed: int) -> None:
    assert len(parse(kind, 100, seed).css(RECORD[kind])) >= 2


@every_kind
def test_the_main_list_grows_with_the_page_and_the_chrome_stops(kind: str) -> None:
    small, large = parse(kind, 1_000), parse(kind, 20_000)
    assert len(small.css(RECORD[kind])) >= 12
    assert len(large.css(RECORD[kind])) >= 20 * len(small.css(RECORD[kind]))
    # The medians of real listings: 46% of the nodes are not in the main list, and up to 59% on large pages.
    assert 400 < 1_000 - len(nodes_below(main_list(small, kind))) < 600
    assert 1_700 < 20_000 - len(nodes_below(main_list(large, kind))) < 2_000


@every_kind
def test_records_vary_as_their_optional_parts_do(kind: str) -> None:
    children = [node for node in main_list(parse(kind, 5_000), kind).iter() if node.child is not None]
    shapes = Counter(tuple(node.tag for node in nodes_below(child)) for child in children)
    assert len(shapes) >= 10
    assert shapes.most_common(1)[0][1] >= 5


@every_kind
def test_pages_are_as_dense_as_real_ones(kind: str) -> None:
    # The medians of real pages of 1997-2018, counted in the same way: 60 bytes a node on shops, portals and
    # forums but 40 on old table layouts; 1.1 to 1.6 attributes an element; mean depth 9.5 to 12; 27% texts.
    nodes = nodes_below(parse(kind, 2_500).root)
    elements = [node for node in nodes if node.is_element_node]
    low, high = (35, 45) if kind == "old" else (52, 70)
    assert low < len(generate(kind, 2_500)) / len(nodes) < high
    assert 0.95 < statistics.mean(len(element.attributes) for element in elements) < 1.6
    assert 8 < statistics.mean(depth_of(node) for node in nodes) < 12
    assert 0.2 < 1 - len(elements) / len(nodes) < 0.4


@every_kind
def test_the_declared_encoding_is_the_real_one(kind: str) -> None:
    html = generate(kind, 1_000)
    declared = re.search(rb'charset="?([\w-]+)', html)
    assert declared is not None
    assert declared[1].decode() == KINDS[kind].encoding
    assert "é" in html.decode(declared[1].decode())


def test_the_shipped_pages_cover_kinds_and_sizes() -> None:
    pages = dict(shipped())
    named = [(kind, int(nodes)) for kind, nodes in (name.split("-") for name in pages)]
    assert len(pages) == 20
    assert 1_000 < statistics.median(nodes for _, nodes in named) < 2_500
    assert {kind for kind, _ in named} == set(KINDS)
    assert sorted(nodes for _, nodes in named)[:: len(named) - 1] == [100, 100_000]
    assert all(html == generate(*name) for name, html in zip(named, pages.values(), strict=True))


def example_rows() -> list[tuple[str, int, str]]:
    """The (page, records, selector) that the table of examples/README.md claims."""
    row = re.compile(r"\| \[([a-z]+\.html)\]\(\1\) \| (\d+) \| (?:`(.*?)`)? ?\|")
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    return [(page, int(records), selector) for page, records, selector in row.findall(text)]


def test_every_example_page_is_described() -> None:
    assert {page for page, *_ in example_rows()} == {path.name for path in EXAMPLES.glob("*.html")}


@pytest.mark.parametrize(("page", "records", "selector"), [row for row in example_rows() if row[2]])
def test_example_pages_have_the_records_they_claim(page: str, records: int, selector: str) -> None:
    html = (EXAMPLES / page).read_bytes()
    found = LexborHTMLParser(html.decode("windows-1252" if page == "forum.html" else "utf-8")).css(selector)
    assert len(found) == records
    assert len({record.text(strip=True) for record in found}) == records


def test_the_forum_example_is_not_utf_8() -> None:
    with pytest.raises(UnicodeDecodeError):
        (EXAMPLES / "forum.html").read_text(encoding="utf-8")
