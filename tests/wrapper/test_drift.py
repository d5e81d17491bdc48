"""Drift: wrappers notice damage that makes what they read wrong, say which column it is, and are quiet otherwise."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.wrapper import Wrapper, learn
from fastwrap.wrapper.fitting import chance_of_fewer
from tests.helpers import damage
from tests.helpers.sites import SITES, forum, shop

PAGES = range(1, 7)
WRAPPERS: dict[str, Wrapper] = {site: learn(damage.plain(make(1))) for site, make in SITES.items()}


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("number", PAGES)
def test_quiet_on_untouched_pages(site: str, number: int) -> None:
    check = WRAPPERS[site].check(damage.plain(SITES[site](number)))
    assert not check.alarm
    assert check.troubles == []


@pytest.mark.parametrize("kind", damage.KINDS)
@pytest.mark.parametrize("site", SITES)
def test_alarm_exactly_if_rows_are_wrong(site: str, kind: str) -> None:
    wrapper = WRAPPERS[site]
    done = noticed = 0
    for number in (1, 2, 3):
        for seed in range(9):
            page = damage.plain(SITES[site](number))
            changed = damage.damage(page, wrapper, kind, seed)
            if changed is None:
                continue
            real = damage.is_damaged(damage.rows_of(wrapper, page), damage.rows_of(wrapper, changed))
            alarm = wrapper.extract(changed).fit < 0.5
            done += real
            noticed += real and alarm
            assert real or not alarm
    assert noticed >= 0.95 * done
    # What is put between the rows and cells of a table, parsers move out of it.
    assert done or kind in ("class renamed", "records reordered") or (site, kind) == ("catalogue", "extra wrapper")


def test_which_column_emptied() -> None:
    wrapper = learn(shop(1))
    page = shop(2).replace("<b>", "<i><u>").replace("</b>", "</u></i>")
    check = wrapper.check(page)
    assert check.alarm
    assert [column.name for column in check.troubles] == ["price"]
    assert check.troubles[0].state in ("emptied", "moved")


def test_which_column_moved() -> None:
    wrapper = learn(forum(1))
    page = forum(2).replace("<span class='score'>", "<div><p>").replace("points</span>", "points</p></div>")
    check = wrapper.check(page)
    assert check.alarm
    assert [(column.state, column.detail) for column in check.troubles] == [
        ("moved", "its values may be at tr/td/div/p/#text")
    ]


def two_cells(swapped: bool, first: int) -> str:
    """A table of a description and a price, or the other way round."""

    def row(k: int) -> str:
        cells = [f"A longer description of thing {k}", f"{k * 17}.50 EUR"]
        return "<tr>" + "".join(f"<td>{cell}</td>" for cell in (reversed(cells) if swapped else cells)) + "</tr>"

    return "<table>" + "".join(map(row, range(first, first + 8))) + "</table>"


def test_which_column_changed() -> None:
    """Two cells have changed places: nothing is empty, but the values are others."""
    wrapper = learn(two_cells(False, 1))
    assert not wrapper.check(two_cells(False, 20)).alarm
    check = wrapper.check(two_cells(True, 20))
    assert check.alarm
    assert {column.state for column in check.columns} == {"changed"}
    assert all(column.detail.startswith("such as '") and "which was" in column.detail for column in check.columns)


def test_a_column_without_samples_can_change() -> None:
    """Found by fuzzing: a file may leave the samples out."""
    data = json.loads(learn(two_cells(False, 1)).dumps())
    for pattern in data["lists"]:
        for column in pattern["columns"]:
            column["samples"] = []
    check = Wrapper.loads(json.dumps(data)).check(two_cells(True, 20))
    assert {column.detail for column in check.columns} == {"its values are others"}


def test_no_records_is_the_worst_fit() -> None:
    check = WRAPPERS["shop"].check("<p>Under construction")
    assert check.fit == 0.0
    assert check.alarm
    assert {column.state for column in check.columns} == {"emptied"}


@given(st.floats(0, 1), st.integers(1, 60), st.integers(1, 60), st.data())
def test_chance_of_fewer(seen: float, learned: int, records: int, data: st.DataObject) -> None:
    """A probability, and the larger the more records are filled."""
    filled = data.draw(st.integers(0, records))
    chance = chance_of_fewer(seen, learned, filled, records)
    assert -1e-9 <= chance <= 1 + 1e-6
    assert chance <= chance_of_fewer(seen, learned, records, records) + 1e-9
    assert chance_of_fewer(seen, learned, records, records) == pytest.approx(1.0)


def test_damaging_changes_what_it_says() -> None:
    """The script itself: a page that nothing is done to is read as the original."""
    for make in SITES.values():
        page = damage.plain(make(3))
        assert damage.plain(page) == page
        assert damage.rows_of(learn(make(3)), make(3)) == damage.rows_of(learn(make(3)), page)
