"""The quality of sets of records: what similarity and variety mean, and which records are odd.
That they are those of the twin is tested in `test_record_sets`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from fastwrap import Page
from fastwrap._core.regions import record_sets as native
from fastwrap.regions import autorm, ranking
from tests.helpers.listings import listings, modern


def scores(*records: str) -> list[float]:
    """Coverage, similarity and variety of the elements of a page as one set."""
    page = Page("<main>" + "".join(records) + "</main>")
    nodes = np.flatnonzero(page.parent == page.body + 1)
    spans = np.stack((nodes, nodes + page.size[nodes]), axis=1).astype(np.int32)
    first = np.array([0, len(spans)], dtype=np.int32)
    _, _, why, _ = native.rank_sets(page.native, autorm.OPTIONS, ranking.options(), spans, first)
    found: list[float] = why[0, :3].tolist()
    return found


RECORD = "<div><a href=#>Name</a> <p>some text of it</p> <b>9 EUR</b> <i>x</i></div>"


def test_equal_records_are_similar() -> None:
    assert scores(RECORD, RECORD, RECORD) == [1.0, 1.0, 1.0]


def test_a_single_record_has_no_similarity() -> None:
    assert scores(RECORD) == [1.0, 0.0, 1.0]


def test_a_large_record_unlike_the_others_adds_little() -> None:
    """Half of the neighbours are alike; a fifth of the letters are in records that are like one."""
    small, large = "<p><b>1234567890</b></p>", f"<ul><li>{'x' * 160}</ul>"
    assert scores(small, small, large, small, small)[1] == pytest.approx(0.5 * 0.2)


@pytest.mark.parametrize(
    ("record", "variety"),
    [
        ("<p><b>x</b><i>y</i><u>z</u></p>", 1.0),
        ("<p><b>x</b><i>y</i></p>", (2 / 3) ** 2),
        ("<p><b>x</b><b>y</b></p>", 0.5 ** (2 / 3) * (1 / 3) ** 2),
        ("<p><b>x</b></p>", (1 / 3) ** 2),
        ("<p><br></p>", 0.0),
    ],
)
def test_variety(record: str, variety: float) -> None:
    """Different items, the same item twice, one item each, none."""
    assert scores(record, record)[2] == pytest.approx(variety)


def odd_ends(*records: str) -> tuple[int, int]:
    """How many records are found, and how many were left out."""
    region = autorm.find(Page("<main>" + "".join(records) + "</main>")).regions[0]
    return len(region.records), int(region.why["left out"])


def test_odd_ends() -> None:
    """A pager is unlike the records and small; a short record is like them; a long one may be unlike them."""
    pager = "<div><a href=#>2</a> <a href=#>3</a> <p>4</p></div>"
    short = RECORD.replace("some text of it", "text")
    long = RECORD.replace("some text of it", "<b>some</b> text <i>of</i> it " * 3)
    for records in ((pager, *[RECORD] * 4), (*[RECORD] * 4, pager)):
        assert odd_ends(*records) == (4, 1)
    assert odd_ends(pager, *[RECORD] * 5, pager) == (5, 2)
    for other in (short, long):
        assert odd_ends(*[RECORD] * 4, other) == (5, 0)
    assert odd_ends(RECORD, short) == (2, 0)


@given(listings | modern)
@settings(max_examples=500)
def test_scores_are_shares(text: str) -> None:
    _, _, why, _ = native.find_sets(Page(text).native, autorm.OPTIONS, None)
    assert (why[:, :3] > 0).all()
    assert (why[:, :3] <= 1 + 1e-12).all()
