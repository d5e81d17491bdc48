"""The measures on pages: nodes, runs and pairs go in as a user writes them, distances come out normalised."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from fastwrap import FastwrapError, Page
from fastwrap.similarity import measures
from tests.reference.html import html
from tests.reference.page.symbols import tree
from tests.reference.similarity.levenshtein import distance
from tests.reference.similarity.matching import stm

PAGE = Page("<ul><li><b>1</b><i>2</i></li><li><b>3</b></li><li><em>4</em></li></ul>")


@settings(max_examples=60)
@given(html)
def test_measures_are_those_of_the_twins(source: str) -> None:
    page = Page(source)
    nodes = range(len(page))
    left, right = (np.array(side) for side in zip(*((i, j) for i in nodes for j in nodes), strict=True))
    matched = measures.tree_matching(page, left, right)
    edits = measures.tag_edits(page, left, right)
    letters = measures.name_edits(page, left, right)
    names = ["" if page.tag[node] == 0 else page.tag_name(node) for node in nodes]
    for k in range(0, len(left), 7):
        i, j = int(left[k]), int(right[k])
        one, other = slice(i, i + int(page.size[i])), slice(j, j + int(page.size[j]))
        assert matched[k] == stm(tree(page, i), tree(page, j))
        assert edits[k] == distance(page.tag[one].tolist(), page.tag[other].tolist())
        assert letters[k] == distance(list("".join(names[one])), list("".join(names[other])))
    for found in (
        measures.tree_distance(page, left, right),
        measures.tag_distance(page, left, right),
        measures.name_distance(page, left, right),
    ):
        assert ((found >= 0) & (found <= 1)).all()
        assert (found[left == right] == 0).all()


def test_one_node_goes_with_many() -> None:
    assert measures.tree_matching(PAGE, 4, [4, 9, 12]).tolist() == [5, 3, 1]
    assert measures.tree_matching(PAGE, [4, 9, 12], 4).tolist() == [5, 3, 1]


def test_runs_of_siblings() -> None:
    whole, rest = [4, 15], [9, 15]
    assert measures.tree_matching(PAGE, [whole], [rest]).tolist() == [6]
    assert measures.tag_edits(PAGE, [whole], [rest]).tolist() == [5]


@pytest.mark.parametrize(
    ("left", "right", "says"),
    [([1, 2], [1, 2, 3], "2 nodes on the left, 3 on the right"), (99, 1, "nodes 0 to 14"), (-1, 1, "nodes 0 to 14"),
     (15, 1, "nodes 0 to 14")],
)  # fmt: skip
def test_bad_nodes(left: object, right: object, says: str) -> None:
    with pytest.raises(FastwrapError, match=says):
        measures.tree_matching(PAGE, left, right)  # type: ignore[arg-type]


def test_nodes_are_whole_numbers() -> None:
    with pytest.raises(TypeError, match="whole numbers"):
        measures.tree_matching(PAGE, 1.5, 1)


@pytest.mark.parametrize("run", [[9, 4], [4, 8], [2, 4], [0, 14]])
def test_a_run_that_cuts_a_subtree_is_refused(run: list[int]) -> None:
    for measure in (measures.tree_matching, measures.tree_mapping, measures.tag_edits, measures.name_edits):
        with pytest.raises(FastwrapError, match="a run goes from"):
            measure(PAGE, [run], 4)


@settings(max_examples=60)
@given(html)
def test_runs_are_what_the_kernel_takes_for_runs(source: str) -> None:
    page = Page(source)
    n = len(page)
    for start in range(0, n + 1, 3):
        for end in range(n + 1):
            node = start
            while node < end:
                node += int(page.size[node])
            if node == end:
                assert measures.spans(page, [[start, end]]).tolist() == [[start, end]]
            else:
                with pytest.raises(FastwrapError, match="a run goes from"):
                    measures.spans(page, [[start, end]])


def test_empty_runs_are_equal() -> None:
    for measure in (measures.tree_distance, measures.tag_distance, measures.name_distance):
        assert measure(PAGE, [[4, 4], [4, 4], [0, 15]], [[15, 15], [4, 15], [15, 15]]).tolist() == [0, 1, 1]
        assert measure(PAGE, [], []).tolist() == []


def test_a_mapping_is_of_one_pair() -> None:
    with pytest.raises(FastwrapError, match="one pair"):
        measures.tree_mapping(PAGE, [4, 4], [9, 12])


def test_what_the_budget_does_not_reach_is_unknown() -> None:
    # Different ends, so that nothing can be stripped before the dynamic programme.
    ends = ["<s>0</s>", "<u>0</u>", "<em>0</em>", "<q>0</q>"]
    source = "".join(
        f"<p>{ends[count % 4]}{'<b>1</b><i>2</i>' * count}{ends[count % 4]}</p>" for count in range(30, 60)
    )
    page = Page(source)
    nodes = np.array(list(page.children(page.body)))
    assert (measures.tree_matching(page, nodes[:-1], nodes[1:], budget=50) == -1).any()
    assert np.isnan(measures.tree_distance(page, nodes[:-1], nodes[1:], budget=50)).any()
    assert np.isnan(measures.tag_distance(page, nodes[:-1], nodes[::-1][1:], budget=10)).any()
    assert measures.tree_mapping(page, int(nodes[0]), int(nodes[-1]), budget=10) is None
    assert not np.isnan(measures.tree_distance(page, nodes[:-1], nodes[1:])).any()


def test_letters_are_characters() -> None:
    page = Page("<a\u2003b<div>")
    assert measures.name_edits(page, 1, 3).tolist() == [6]
