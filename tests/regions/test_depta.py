"""DEPTA: its distance, pages whose records are known, and what it leaves to the alignment."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Page
from fastwrap.columns import learn
from fastwrap.regions import depta, mdr
from tests.helpers.records import check_regions, texts
from tests.helpers.tree_pages import tree_page
from tests.reference.html import html
from tests.reference.similarity.matching import stm
from tests.reference.trees import Tree, trees


@settings(max_examples=200)
@given(left=trees(10), right=trees(10))
def test_the_distance_is_the_paper_s(left: Tree, right: Tree) -> None:
    page = tree_page((1, (left, right)))
    middle, end = 1 + int(page.size[1]), len(page)
    pair = np.array([[1, middle, middle, end]], dtype=np.int32)
    expected = 1 - stm(left, right) / ((end - 1) / 2)
    assert depta.tree_distance(page, pair).tolist() == pytest.approx([expected])


RECORD = "<li><h3><a href='/{0}'>Name {0}</a></h3>{1}<p>About number {0}.</p></li>"
WITH_EXTRA = (1, 2, 6)
EXTRA = "<div><span>On offer</span><b>now</b><i>only</i></div><ul><li>one<li>two</ul>"


def optional_parts() -> str:
    """Some records have as many nodes more as the others have in all."""
    return "<ul>" + "".join(RECORD.format(k, EXTRA if k in WITH_EXTRA else "") for k in range(9)) + "</ul>"


def test_optional_parts_weigh_less_than_against_the_larger_tree() -> None:
    page = Page(optional_parts())
    plain, rich = ((int(n), int(n + page.size[n])) for n in (4, 4 + int(page.size[4])))
    pair = np.array([[*plain, *rich]], dtype=np.int32)
    matched = plain[1] - plain[0]
    larger = rich[1] - rich[0]
    assert mdr.dt(page, pair)[0] == pytest.approx(1 - matched / larger)
    assert depta.tree_distance(page, pair)[0] == pytest.approx(1 - 2 * matched / (matched + larger))


def test_records_with_optional_parts_are_one_region() -> None:
    page = Page(optional_parts())
    records = texts(page, depta.find(page).regions[0])
    assert [record.partition(" About")[0][:6] for record in records] == [f"Name {k}" for k in range(9)]


def test_the_columns_of_its_records() -> None:
    page = Page(optional_parts())
    rows = learn(page, depta.find(page).regions[0].records).texts
    assert [row[:2] for row in rows] == [[f"/{k}", f"Name {k}"] for k in range(9)]
    assert [row[-1] for row in rows] == [f"About number {k}." for k in range(9)]
    assert [row[2:-1] for row in rows] == [
        ["On offer", "now", "only", "one", "two"] if k in WITH_EXTRA else [None] * 5 for k in range(9)
    ]


def test_records_side_by_side_are_cut() -> None:
    cell = "<td><b>{0}</b><i>{0} EUR</i><u>in stock</u></td>"
    rows = "".join("<tr>" + "".join(cell.format(3 * r + c) for c in range(3)) + "</tr>" for r in range(6))
    page = Page(f"<table>{rows}</table>")
    assert texts(page, depta.find(page).regions[0]) == [f"{k} {k} EUR in stock" for k in range(18)]


@settings(max_examples=200)
@given(
    source=st.lists(html, max_size=4).map(lambda parts: "".join(f"<li>{part}</li>" for part in parts * 2)),
    threshold=st.sampled_from([0.0, 0.5, 1.0]),
    siblings=st.integers(1, 10),
)
def test_any_page(source: str, threshold: float, siblings: int) -> None:
    page = Page(source)
    check_regions(page, depta.find(page, threshold=threshold, siblings=siblings).regions)


def test_examples(example: bytes) -> None:
    page = Page(example)
    found = depta.find(page).regions
    check_regions(page, found)
    for region in found:
        assert len(learn(page, region.records).texts) == len(region.records)


@pytest.mark.parametrize("options", [{"threshold": -0.1}, {"threshold": 2.0}, {"siblings": 0}, {"siblings": 99}])
def test_wrong_options_are_named(options: dict[str, float]) -> None:
    with pytest.raises(FastwrapError, match=r"threshold is|siblings, not"):
        depta.find(Page("<p>a"), **options)  # type: ignore[arg-type]
