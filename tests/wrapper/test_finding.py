"""The kernels of wrappers against their plain twins: locating, cutting, known shares, recognising pages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap._core.wrapper import finding
from fastwrap._core.wrapper.recognising import Recogniser
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import TAG_NUMBER
from fastwrap.wrapper.choosing import PathIndex
from fastwrap.wrapper.hashes import classes_key, path_hash, table_of
from fastwrap.wrapper.location import Location, Step, Steps
from tests.reference.wrapper import finding as plain
from tests.reference.wrapper.recognising import recognise

TAGS = ("div", "ul", "li", "b")
NAMES = ("", "", "one", "one two", " two  one ", "row-17", "one\tthree")
NO_KEYS, NO_ROLES = np.zeros(2, dtype=np.uint64), np.zeros(2, dtype=np.uint8)


def markup(depth: int) -> st.SearchStrategy[str]:
    inner = st.just("text") if depth == 0 else st.lists(markup(depth - 1), max_size=4).map("".join)
    element = st.tuples(st.sampled_from(TAGS), st.sampled_from(NAMES), inner).map(
        lambda parts: (
            f'<{parts[0]} class="{parts[1]}">{parts[2]}</{parts[0]}>'
            if parts[1]
            else f"<{parts[0]}>{parts[2]}</{parts[0]}>"
        )
    )
    return st.one_of(element, st.just("text ")) if depth else element


PAGES = st.lists(markup(3), max_size=6).map(lambda parts: Page("<html><body>" + "".join(parts)))


def numbers(values: list[Any]) -> Int32Array:
    return np.array(values, dtype=np.int32)


@settings(max_examples=1000)
@given(
    PAGES,
    st.lists(
        st.builds(
            Step,
            st.sampled_from(TAGS),
            st.lists(st.sampled_from(["one", "two", "three"]), max_size=2).map(tuple),
            st.integers(-3, 3),
        ),
        max_size=3,
    ),
    st.booleans(),
)
def test_locate(page: Page, path: list[Step], by_tags: bool) -> None:
    location = Location((Step("html"), Step("body"), *path))
    nodes, misses = finding.locate(page.native, location.steps, by_tags)
    expected, expected_misses = plain.locate(page, location.steps, by_tags)
    assert nodes.tolist() == expected.tolist()
    assert misses == expected_misses
    for node in nodes.tolist():
        way = [node, *page.ancestors(node)][::-1]
        assert [page.tag_name(step) for step in way] == [step.tag for step in location.path]


@settings(max_examples=500)
@given(PAGES, st.integers(0, 3), st.data())
def test_cut(page: Page, level: int, data: st.DataObject) -> None:
    parents = numbers(sorted(data.draw(st.sets(st.integers(0, len(page) - 1), max_size=4))))
    symbols = sorted(set(plain.cut(page, parents, level, NO_KEYS, NO_ROLES)[2].tolist()))
    known = [symbol for symbol in symbols if data.draw(st.booleans())]
    keys, places = table_of(known)
    roles = np.zeros(len(keys), dtype=np.uint8)
    roles[places] = [data.draw(st.integers(0, 2)) for _ in known]
    ours: tuple[Any, ...] = finding.cut(page.native, parents, level, keys, roles)
    theirs: tuple[Any, ...] = plain.cut(page, parents, level, keys, roles)
    assert ours[-1] == theirs[-1]
    for own, other in zip(ours[:-1], theirs[:-1], strict=True):
        assert own.dtype == other.dtype
        assert own.tolist() == other.tolist()


@settings(max_examples=500)
@given(PAGES, st.data())
def test_known_shares(page: Page, data: st.DataObject) -> None:
    nodes = sorted(data.draw(st.sets(st.integers(0, len(page) - 1), max_size=4)))
    spans = numbers([[node, node + int(page.size[node])] for node in nodes]).reshape(-1, 2)
    paths = [[TAG_NUMBER[tag] for tag in path] for path in (["li"], ["li", "b"], ["div"], ["div", "ul", "li"], ["ul"])]
    keys = table_of([path_hash(path) for path in paths if data.draw(st.booleans())])[0]
    shares, least, mean = finding.known_shares(page.native, spans, keys)
    expected = plain.known_shares(page, spans, keys)
    assert shares.tolist() == expected[0].tolist()
    assert (least, mean) == pytest.approx(expected[1:])
    assert all(0 <= share <= 1 for share in shares.tolist())


@settings(max_examples=500)
@given(PAGES, st.integers(0, 3), st.sampled_from(TAGS), st.sampled_from([0.0, 0.5, 1.0]), st.data())
def test_finder(page: Page, level: int, tag: str, least: float, data: st.DataObject) -> None:
    steps = Location(tuple(map(Step, ["html", "body", tag][: data.draw(st.integers(2, 3))]))).steps
    parents = finding.locate(page.native, steps, False)[0]
    symbols = finding.cut(page.native, parents, level, NO_KEYS, NO_ROLES)[2].tolist()
    keys, places = table_of(sorted(set(symbols[: data.draw(st.sampled_from([0, 1, 99, 99]))])))
    roles = np.zeros(len(keys), dtype=np.uint8)
    roles[places] = [data.draw(st.integers(0, 2)) for _ in places]
    tags = [["li"], ["li", "b"], ["div"], ["p"], ["ul"], ["b"]]
    known = table_of([path_hash(TAG_NUMBER[name] for name in path) for path in tags])[0]
    ours = finding.Finder(steps, level, keys, roles, known).find(page.native, least)
    theirs = plain.Finder(steps, level, keys, roles, known).find(page, least)
    assert (ours is None) == (theirs is None)
    if ours is not None and theirs is not None:
        np.testing.assert_array_equal(ours[0], theirs[0])
        np.testing.assert_allclose(ours[1], theirs[1])
        assert ours[2] == pytest.approx(theirs[2])
        assert len(ours[0]) > 0
        assert (ours[1] >= least).all()


@settings(max_examples=500)
@given(PAGES, st.data())
def test_recognise(page: Page, data: st.DataObject) -> None:
    tags = [
        [TAG_NUMBER[tag] for tag in path.split()] for path in ("html", "html body", "html body div", "html body ul li")
    ]
    paths = [path_hash(path) for path in tags]
    told = [classes_key(path, [b"", b"", b"one"]) for path in paths]
    keys, places = table_of([*paths, *told])
    by_class = np.zeros(len(keys), dtype=np.uint8)
    by_class[places[: len(paths)]] = [data.draw(st.booleans()) for _ in paths]
    owners = [data.draw(st.lists(st.integers(0, 4), max_size=2, unique=True)) for _ in range(len(keys))]
    index = PathIndex(
        keys,
        by_class,
        np.cumsum([0, *map(len, owners)]).astype(np.int32),
        numbers([number for wrappers in owners for number in wrappers]),
        np.array([float(k + 1) for k in range(len(keys))]),
        -np.arange(5.0),
    )
    wrappers, totals = Recogniser(index).recognise(page.native)
    assert dict(zip(wrappers.tolist(), totals.tolist(), strict=True)) == pytest.approx(recognise(index, page))


@settings(max_examples=300)
@given(st.lists(st.integers(1, 2**64 - 1), unique=True, max_size=70))
def test_table_of(keys: list[int]) -> None:
    table, places = table_of(keys)
    assert table[places].tolist() == keys
    assert len(table) & (len(table) - 1) == 0
    assert np.count_nonzero(table) == len(keys) < len(table)


def test_refuses_what_is_not_on_the_page() -> None:
    native = Page("<p>a").native
    spans = numbers([[0, 99]]).reshape(1, 2)
    with pytest.raises(ValueError, match="not within"):
        finding.known_shares(native, spans, NO_KEYS)
    with pytest.raises(ValueError, match="not on the page"):
        finding.cut(native, numbers([77]), 0, NO_KEYS, NO_ROLES)


def test_refuses_tables_that_are_none() -> None:
    native = Page("<p>a").native
    spans = numbers([]).reshape(0, 2)
    with pytest.raises(ValueError, match="full"):
        finding.known_shares(native, spans, np.ones(2, dtype=np.uint64))
    with pytest.raises(ValueError, match="power of 2"):
        finding.known_shares(native, spans, np.zeros(3, dtype=np.uint64))
    with pytest.raises(ValueError, match="differ in length"):
        finding.cut(native, numbers([0]), 0, NO_KEYS, np.zeros(3, dtype=np.uint8))


@pytest.mark.parametrize(
    "wrong",
    [
        {"first_token": [0, 2, 1]},
        {"first_token": [0, 1, 3]},
        {"first_token": [-1, 1, 2]},
        {"token_start": [0, 3, 2]},
        {"token_start": [0, 3, 99]},
        {"nth": [0]},
    ],
)
def test_refuses_paths_that_are_none(wrong: dict[str, list[int]]) -> None:
    steps = Location((Step("html", ("one",)), Step("body", ("two",)))).steps
    broken = Steps(**steps._asdict() | {name: numbers(values) for name, values in wrong.items()})
    native = Page("<p>a").native
    assert finding.locate(native, steps, False)[0].tolist() == [2]
    for run in (
        lambda: finding.locate(native, broken, False),
        lambda: finding.Finder(broken, 0, NO_KEYS, NO_ROLES, NO_KEYS),
    ):
        with pytest.raises(ValueError, match=r"differ|lists"):
            run()


def test_refuses_indexes_that_are_none() -> None:
    index = PathIndex.of([[(path_hash([1]),)], [(path_hash([1, 2]),)]])
    Recogniser(index)
    with pytest.raises(ValueError, match="not one of those"):
        Recogniser(index._replace(wrappers=index.wrappers + np.int32(1)))
    with pytest.raises(ValueError, match="within their entries"):
        Recogniser(index._replace(first=index.first + np.int32(1)))
    with pytest.raises(ValueError, match="differ in length"):
        Recogniser(index._replace(votes=index.votes[:-1].copy()))
