"""Ways to cut siblings into records: heads, separators, coarse regions, clusters; on pages of few siblings.
That all cuts are those of the twin is tested in `test_record_sets`, on thousands of pages like these."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from fastwrap import Page
from fastwrap.regions import autorm
from tests.helpers.listings import PARTS, sequence, words
from tests.reference.regions import segmentation as plain


def cuts(word: str, similarity: float = 0.5) -> list[list[str]]:
    """The records of all regions on a page of one sequence, spelled as words."""
    page = Page(sequence(word))
    children = np.flatnonzero(page.parent == page.body + 1).tolist()
    regions = autorm.find(page, similarity=similarity, coverage=0.0).regions
    return [
        [
            "".join(letter for letter, child in zip(word, children, strict=True) if start <= child < end)
            for start, end in region.records.tolist()
        ]
        for region in regions
    ]


def test_single_nodes() -> None:
    assert cuts("dddd")[0] == ["d", "d", "d", "d"]


def test_heads_begin_records() -> None:
    assert cuts("abcabcabac")[0] == ["abc", "abc", "ab", "ac"]


def test_the_last_record_ends_where_it_may() -> None:
    """f does not follow an earlier head; and the third c would make it longer than the longest record."""
    assert cuts("acacacfcc")[0] == ["ac", "ac", "ac"]
    assert cuts("accaccaccc")[0] == ["acc", "acc", "acc"]


def test_separators_part_records() -> None:
    """One separator is a line break within a record, two stand between records."""
    assert cuts("fc-a--bc-a--bc-a--fc-a--bc-a")[0] == ["fc-a", "bc-a", "bc-a", "fc-a", "bc-a"]
    assert cuts("abc=a-bc=bca=abc")[0] == ["abc", "a-bc", "bca", "abc"]


@pytest.mark.parametrize("separator", ["-", "=", ".", ":", "=-="])
def test_what_shows_nothing_is_a_separator(separator: str) -> None:
    assert cuts(separator.join(["abc", "bac", "abc", "cba"]))[0] == ["abc", "bac", "abc", "cba"]


def test_headings_and_pagers_are_not_of_the_records() -> None:
    """The coarse region has them; but no record between the ends begins or ends so."""
    found = cuts("ebcac=bcac=bcac=bcaceb")[0]
    assert found[1:3] == ["bcac", "bcac"]
    assert found[0].endswith("bcac")
    assert found[3].startswith("bcac")


def test_siblings_of_one_tag_are_told_by_their_trees() -> None:
    """Names and prices are both p: one cluster where little must match, two where more must."""
    assert cuts("aeaeaeae", similarity=0.8)[0] == ["ae"] * 4


def test_average_linkage() -> None:
    """Three kinds: a and b merge first; c is then compared with their average, weighted by how often they occur."""
    similarity = [0.75, 0.625, 0.125]  # b-a, c-a, c-b: c is (3 x 0.625 + 0.125) / 4 = 0.5 like both
    assert plain.average_linkage(similarity, [3, 1, 1], 0.5) == [0, 0, 0]
    assert plain.average_linkage(similarity, [3, 1, 1], 0.51) == [0, 0, 2]


@given(words.filter(lambda word: "gg" not in word))  # adjacent texts are one node
@settings(max_examples=300)
def test_records_begin_and_end_with_content(word: str) -> None:
    for records in cuts(word):
        spelled = [record for record in records if record]  # others are below a sibling
        assert not any(record[0] in "-=.:" or record[-1] in "-=.:" for record in spelled)
        assert all(record in word for record in spelled)


def test_time_is_linear_in_the_siblings() -> None:
    """Sequences that repeat in every way: no more records than siblings, and no minutes."""
    letters = "".join(letter for letter in PARTS if letter != "l")
    for word in ("ac" * 20_000, letters * 3_000, "a-c=" * 10_000, "aacc" * 10_000):
        page = Page(sequence(word))
        regions = autorm.find(page).regions
        assert sum(len(region.records) for region in regions) <= len(word)
        assert all(len(region.records) > 1 for region in regions)
    assert len(list(itertools.chain(*cuts("ac" * 500)))) >= 500
