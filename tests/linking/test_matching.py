"""The same things on several sites: links and columns on catalogues with truth, merged rows, and odd tables."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import Extraction, FastwrapError, Matched, extract, join, match
from fastwrap.linking import candidates, sides
from tests.helpers import catalogue
from tests.helpers.catalogue import Site


def table(
    *rows: Sequence[str], url: str | None = None, classes: Sequence[str] = ("title", "price", "brand")
) -> Extraction:
    items = "".join(
        "<li>" + "".join(f"<div class={kind}>{text}</div>" for kind, text in zip(classes, row, strict=False)) + "</li>"
        for row in rows
    )
    return extract(f"<html lang=en><ul>{items}</ul>", url=url, min_confidence=0)


ONE = table(
    ("Acme kettle KX-3000 1.7 l", "49.90 EUR", "Acme"),
    ("Bolt toaster T2 steel", "20.00 EUR", "Bolt"),
    ("Cravon pan 24 cm", "9.00 EUR", "Cravon"),
    ("Delmar grinder", "31.00 EUR", "Delmar"),
    url="https://one.example/list",
)
OTHER = table(
    ("Steel toaster T-2", "21,50 €", "BOLT"),
    ("Kettle KX3000 1,7l", "45,00 €", "acme"),
    ("Pan 28 cm", "12,00 €", "Cravon"),
    ("Oven gloves", "4,00 €", "Fintas"),
    url="https://www.other.example/all",
)


def pairs_of(found: Matched) -> list[tuple[int, int]]:
    return [(link.record, link.other_record) for link in found.links]


def test_records_are_linked_by_what_they_say() -> None:
    found = match([ONE, OTHER])
    assert pairs_of(found) == [(0, 1), (1, 0)]  # the pans are of another size
    assert all(0.5 <= link.score <= 1 for link in found.links)
    assert found.links[0].why["brand"].startswith("same +")
    assert {group.columns for group in found.groups} >= {("title", "title"), ("price", "price"), ("brand", "brand")}
    assert all(0.5 <= group.score <= 1 for group in found.groups)
    assert next(group.why for group in found.groups if group.name == "price")["role"] == "price"


def test_the_order_of_tables_does_not_matter() -> None:
    assert sorted((right, left) for left, right in pairs_of(match([OTHER, ONE]))) == pairs_of(match([ONE, OTHER]))


def test_rows_are_things() -> None:
    found = match([ONE, OTHER])
    assert found.entities == [(0, 1), (1, 0), (2, None), (3, None), (None, 2), (None, 3)]
    assert len(found) == 6
    row = found.to_dicts()[0]
    assert row["title"] == "Acme kettle KX-3000 1.7 l"
    assert (str(row["price one.example"].amount), str(row["price other.example"].amount)) == ("49.90", "45.00")
    assert (row["record one.example"], row["record other.example"]) == (0, 1)
    assert found.to_dicts()[4]["title"] == "Pan 28 cm"
    assert found.to_dicts()[4]["record one.example"] is None
    assert len(found.to_pandas()) == len(json.loads(found.to_json())["records"]) == 6
    assert found.to_csv().count("\n") == 7
    assert repr(found) == f"<Matched: 6 things, 2 links, {len(found.groups)} columns in common>"


def test_tables_are_called_as_they_are_given() -> None:
    names = [column.name for column in match({"a": ONE, "b": OTHER}).columns]
    assert {"price a", "price b", "record a", "record b"} <= set(names)
    same_host = [
        table(("Pan", "5 EUR"), ("Lid", "6 EUR"), ("Pot", "7 EUR"), url="https://x.example/") for _ in range(2)
    ]
    assert "record 2" in [column.name for column in match(same_host).columns]


def test_values_that_agree_everywhere_are_one_column() -> None:
    found = match([ONE, ONE])
    assert pairs_of(found) == [(number, number) for number in range(4)]
    assert [column.name for column in found.columns][:3] == ["title", "price", "brand"]


def truth_of(given: Sequence[Site], one: int, other: int) -> set[tuple[int, int]]:
    return {
        (left, right)
        for left, thing in enumerate(given[one].truth)
        for right, same in enumerate(given[other].truth)
        if thing == same
    }


@pytest.mark.parametrize("domain", ["products", "books", "jobs", "places"])
@pytest.mark.parametrize("styles", [(0, 1), (0, 2), (0, 1, 2)])
def test_catalogues_are_matched(domain: str, styles: tuple[int, ...]) -> None:
    right = found = there = 0
    for seed in range(500, 504):
        given = catalogue.sites(domain, seed, count=50, styles=styles)
        tables = [extract(site.listing(), url=site.url, min_confidence=0) for site in given]
        matched = match(tables)
        for one in range(len(given)):
            for other in range(one + 1, len(given)):
                truth = truth_of(given, one, other)
                links = {
                    (link.record, link.other_record)
                    for link in matched.links
                    if (link.table, link.other_table) == (one, other)
                }
                right += len(links & truth)
                found += len(links)
                there += len(truth)
                assert len({left for left, _ in links}) == len({right for _, right in links}) == len(links)
        seen = [
            (number, record)
            for entity in matched.entities
            for number, record in enumerate(entity)
            if record is not None
        ]
        assert sorted(seen) == [(number, record) for number, each in enumerate(tables) for record in range(len(each))]
    assert right >= 0.9 * there
    assert right >= 0.9 * found


def test_three_tables_make_one_thing() -> None:
    third = table(
        ("ACME KX3000 kettle", "47.00 EUR"),
        ("Toaster Bolt T2", "19.00 EUR"),
        ("Kettle ABC", "9 EUR"),
        ("Fork", "1 EUR"),
    )
    found = match([ONE, OTHER, third])
    assert (0, 1, 0) in found.entities
    assert (1, 0, 1) in found.entities
    assert next(group for group in found.groups if group.name == "title").columns == ("title", "title", "title")


def test_things_without_a_title_of_their_own_are_known_by_several_columns() -> None:
    """Games: each club plays many, and only all columns together say which game it is."""
    rng = random.Random(3)
    clubs = "Norwick Leaford Bramley Castel Dunmore Eastvale Farley Grimsby".split()
    games = [(*pair, rng.randint(1, 28), rng.randint(0, 5)) for pair in permutations(clubs, 2)]
    tables, chosen = [], []
    for style in range(2):
        played = rng.sample(games, 40)
        rows = "".join(
            f"<tr><td>{f'2026-03-{day:02d}' if style else f'{day} March 2026'}<td>{home}{' FC' * style}"
            f"<td>{away.upper() if style else away}<td>{goals}:1</tr>"
            for home, away, day, goals in played
        )
        html = f"<html lang=en><table><tr><th>Date<th>Home<th>Away<th>Result</tr>{rows}</table>"
        tables.append(extract(html, min_confidence=0))
        chosen.append(played)
    found = match(tables)
    assert {(chosen[0][left], chosen[1][right]) for left, right in pairs_of(found)} == {
        (game, game) for game in set(chosen[0]) & set(chosen[1])
    }


@pytest.mark.parametrize("nothing", ["", "<p>text"])
def test_empty_tables(nothing: str) -> None:
    found = match([ONE, nothing])
    assert (found.links, found.groups, len(found)) == ([], [], 4)
    assert len(match([nothing, nothing])) == 0
    assert match([nothing, ONE]).to_dicts()[0]["title"] == "Acme kettle KX-3000 1.7 l"
    assert match([nothing, nothing, nothing]).to_csv() != ""


def test_tables_that_have_nothing_in_common() -> None:
    dates = table(*((f"2026-01-{day:02d}", f"{day} km") for day in range(1, 9)), classes=("when", "far"))
    found = match([ONE, dates])
    assert found.links == []
    assert len(found) == 12


def test_duplicates_are_linked_once() -> None:
    kettle, spoon = ("Acme kettle KX-3000 1.7 l", "49.90 EUR", "Acme"), ("Fintas spoon", "2.00 EUR", "Fintas")
    twice = table(kettle, spoon, kettle, spoon, kettle, ("Ivaro whisk", "3.00 EUR", "Ivaro"))
    found = match([ONE, twice])
    assert [link.record for link in found.links] == [0]
    assert len(match([twice, twice]).links) <= 6


def test_joined_tables_are_matched() -> None:
    joined = join(ONE, ["<title>Delmar grinder</title><h1>Delmar grinder</h1><p>EAN: 4001234567890<p>Weight: 5 kg"])
    assert pairs_of(match([joined, OTHER])) == [(0, 1), (1, 0)]
    assert len(match([match([ONE, OTHER]), OTHER]).links) == 4


def test_what_cannot_be_matched_is_named() -> None:
    with pytest.raises(FastwrapError, match="two or more tables, not 1"):
        match([ONE])
    with pytest.raises(FastwrapError, match="two or more tables, not 0"):
        match({})
    with pytest.raises(FastwrapError, match="give them in a list"):
        match(ONE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a page is bytes"):
        match([ONE, 5])  # type: ignore[list-item]


def test_the_extra_is_named_where_rapidfuzz_is_missing() -> None:
    code = (
        "import sys; sys.modules['rapidfuzz'] = None\nimport fastwrap\n"
        "try: fastwrap.match(['<p>', '<p>'])\nexcept fastwrap.FastwrapError as error: print(error)\n"
        "print(len(fastwrap.join('<p>', []).links))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "rapidfuzz is not installed: pip install 'fastwrap[match]'\n0\n"


def test_budgets_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert match([ONE, OTHER]).limits == ()
    monkeypatch.setattr(candidates, "BUDGET", 1)
    monkeypatch.setattr(candidates, "LEAST_LOOKS", 1)
    given = catalogue.sites("products", 7, count=40)
    found = match([extract(site.listing(), min_confidence=0) for site in given])
    assert found.limits == ("linking.pairs",)


def test_very_wide_tables_are_compared_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "MOST_COLUMNS", 1)
    found = match([ONE, OTHER])
    assert found.limits == ("linking.columns",)
    assert [group.columns for group in found.groups] == [("title", "title")]
    assert "brand 1" not in [column.name for column in found.columns]
    assert len(found) == 8 - len(found.links)


CELLS = st.sampled_from(
    ["", "-", "Pan", "Pan 24 cm", "5,00 €", "$7", "2026-01-02", "yes", "Pot AB-12", "é" * 30, "…", "0"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=7), min_size=2, max_size=3))
def test_any_tables_are_matched(given: list[list[list[str]]]) -> None:
    tables = [table(*rows) for rows in given]
    found = match(tables)
    assert all(0.5 <= link.score <= 1 for link in found.links)
    assert sum(record is not None for entity in found.entities for record in entity) == sum(map(len, tables))
    assert len(found.to_dicts()) == len(found.entities)
    found.to_json()
    assert match(tables).links == found.links


def test_the_front_door_has_it() -> None:
    assert fastwrap.match is match
    assert isinstance(match([ONE, OTHER]), fastwrap.Matched)
