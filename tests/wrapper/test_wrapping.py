"""The kernel of wrappers against its plain twin: locating, cutting, known shares, recognising pages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, TAG_NUMBER
from tests.reference.wrapper import wrapping as plain

native = pytest.importorskip("fastwrap._core.wrapper.wrapping")

CLASS = ATTRIBUTE_NUMBER["class"]
TAGS = ("div", "ul", "li", "b")
NAMES = ("", "", "one", "one two", " two  one ", "row-17", "one\tthree")


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


def attributes(page: Page) -> tuple[Any, ...]:
    arrays = page.arrays
    return page.attribute_start, arrays.attribute_name, arrays.value_start, arrays.values, CLASS


def numbers(values: list[Any]) -> Int32Array:
    return np.array(values, dtype=np.int32)


@given(
    PAGES,
    st.lists(
        st.tuples(
            st.sampled_from(TAGS), st.lists(st.sampled_from(["one", "two", "three"]), max_size=2), st.integers(-3, 3)
        ),
        max_size=3,
    ),
    st.booleans(),
)
def test_locate(page: Page, path: list[tuple[str, list[str], int]], by_tags: bool) -> None:
    steps = [("html", [], 0), ("body", [], 0), *path]
    tokens = [token.encode() for _, own, _ in steps for token in own]
    arguments: tuple[Any, ...] = (
        page.tag,
        page.size,
        *attributes(page),
        numbers([TAG_NUMBER[tag] for tag, _, _ in steps]),
        np.cumsum([0, *(len(own) for _, own, _ in steps)]).astype(np.int32),
        np.cumsum([0, *map(len, tokens)]).astype(np.int32),
        b"".join(tokens),
        numbers([nth for _, _, nth in steps]),
        by_tags,
    )
    found, misses = native.locate(*arguments)
    expected, expected_misses = plain.locate(*arguments)
    assert found.tolist() == expected.tolist()
    assert misses == expected_misses
    for node in found.tolist():
        way = [node, *page.ancestors(node)][::-1]
        assert [page.tag_name(step) for step in way] == [tag for tag, _, _ in steps]


@given(PAGES, st.integers(0, 3), st.data())
def test_cut(page: Page, level: int, data: st.DataObject) -> None:
    parents = numbers(sorted(data.draw(st.sets(st.integers(0, len(page) - 1), max_size=4))))
    shared: tuple[Any, ...] = (page.tag, page.size, page.depth, page.text_start, *attributes(page), parents, level)
    nothing: tuple[Any, ...] = np.zeros(2, dtype=np.uint64), np.zeros(2, dtype=np.uint8)
    every: tuple[Any, ...] = (*shared, *nothing)
    symbols = sorted(set(plain.cut(*every)[2].tolist()))
    known = [symbol for symbol in symbols if data.draw(st.booleans())]
    keys, places = plain.table_of(known)
    roles = np.zeros(len(keys), dtype=np.uint8)
    roles[places] = [data.draw(st.integers(0, 2)) for _ in known]
    arguments: tuple[Any, ...] = (*shared, keys, roles)
    ours: tuple[Any, ...] = native.cut(*arguments)
    theirs: tuple[Any, ...] = plain.cut(*arguments)
    assert ours[-1] == theirs[-1]
    for own, other in zip(ours[:-1], theirs[:-1], strict=True):
        assert own.dtype == other.dtype
        assert own.tolist() == other.tolist()


@given(PAGES, st.data())
def test_known_shares(page: Page, data: st.DataObject) -> None:
    nodes = sorted(data.draw(st.sets(st.integers(0, len(page) - 1), max_size=4)))
    spans = numbers([[node, node + int(page.size[node])] for node in nodes]).reshape(-1, 2)
    paths = [[TAG_NUMBER[tag] for tag in path] for path in (["li"], ["li", "b"], ["div"], ["div", "ul", "li"], ["ul"])]
    keys = plain.table_of([plain.path_hash(path) for path in paths if data.draw(st.booleans())])[0]
    shares, least, mean = native.known_shares(page.tag, page.parent, spans, keys)
    expected = plain.known_shares(page.tag, page.parent, spans, keys)
    assert shares.tolist() == expected[0].tolist()
    assert (least, mean) == pytest.approx(expected[1:])
    assert all(0 <= share <= 1 for share in shares.tolist())


@settings(max_examples=300)
@given(PAGES, st.integers(0, 3), st.sampled_from(TAGS), st.sampled_from([0.0, 0.5, 1.0]), st.data())
def test_finder(page: Page, level: int, tag: str, least: float, data: st.DataObject) -> None:
    steps = ["html", "body", tag][: data.draw(st.integers(2, 3))]
    none = np.zeros(len(steps) + 1, dtype=np.int32)
    path = (numbers([TAG_NUMBER[name] for name in steps]), none, none, b"", none[1:].copy())
    parents = native.locate(page.tag, page.size, *attributes(page), *path, False)[0]
    nothing: tuple[Any, ...] = np.zeros(2, dtype=np.uint64), np.zeros(2, dtype=np.uint8)
    symbols = native.cut(
        page.tag, page.size, page.depth, page.text_start, *attributes(page), parents, level, *nothing
    )[2].tolist()  # fmt: skip
    keys, places = plain.table_of(sorted(set(symbols[: data.draw(st.sampled_from([0, 1, 99, 99]))])))
    roles = np.zeros(len(keys), dtype=np.uint8)
    roles[places] = [data.draw(st.integers(0, 2)) for _ in places]
    tags = [["li"], ["li", "b"], ["div"], ["p"], ["ul"], ["b"]]
    known = plain.table_of([plain.path_hash(TAG_NUMBER[name] for name in own) for own in tags])[0]
    found = [
        module.Finder(CLASS, *path, level, keys, roles, known).find(
            page.tag, page.size, page.parent, page.depth, page.text_start, *attributes(page)[:-1], least
        )
        for module in (native, plain)
    ]
    assert [part is None for part in found] == [found[0] is None] * 2
    if found[0] is not None:
        for own, other in zip(*found, strict=True):
            np.testing.assert_allclose(own, other)
        assert len(found[0][0]) > 0
        assert (found[0][1] >= least).all()


@given(PAGES, st.data())
def test_recognise(page: Page, data: st.DataObject) -> None:
    tags = [
        [TAG_NUMBER[tag] for tag in path.split()] for path in ("html", "html body", "html body div", "html body ul li")
    ]
    paths = [plain.path_hash(path) for path in tags]
    told = [plain.classes_key(path, [b"", b"", b"one"]) for path in paths]
    keys, places = plain.table_of([*paths, *told])
    by_class = np.zeros(len(keys), dtype=np.uint8)
    by_class[places[: len(paths)]] = [data.draw(st.booleans()) for _ in paths]
    owners = [data.draw(st.lists(st.integers(0, 4), max_size=2, unique=True)) for _ in range(len(keys))]
    arguments: tuple[Any, ...] = (
        page.tag, page.parent, page.size, *attributes(page), keys, by_class,
        np.cumsum([0, *map(len, owners)]).astype(np.int32), numbers([n for own in owners for n in own]),
        np.array([float(k + 1) for k in range(len(keys))]), -np.arange(5.0),
    )  # fmt: skip
    ours, theirs = native.recognise(*arguments), plain.recognise(*arguments)
    assert dict(zip(*(part.tolist() for part in ours), strict=True)) == pytest.approx(
        dict(zip(*(part.tolist() for part in theirs), strict=True))
    )


@settings(max_examples=300)
@given(st.lists(st.integers(1, 2**64 - 1), unique=True, max_size=70))
def test_table_of(keys: list[int]) -> None:
    table, places = plain.table_of(keys)
    assert table[places].tolist() == keys
    assert len(table) & (len(table) - 1) == 0
    assert np.count_nonzero(table) == len(keys) < len(table)


def test_refuses_arrays_that_do_not_belong_together() -> None:
    page = Page("<p>a")
    spans = numbers([[0, 99]]).reshape(1, 2)
    with pytest.raises(ValueError, match="not on the page"):
        native.known_shares(page.tag, page.parent, spans, np.zeros(2, dtype=np.uint64))
    with pytest.raises(ValueError, match="full"):
        native.known_shares(page.tag, page.parent, spans[:0], np.ones(2, dtype=np.uint64))
    with pytest.raises(ValueError, match="power of 2"):
        native.known_shares(page.tag, page.parent, spans[:0], np.zeros(3, dtype=np.uint64))
    with pytest.raises(ValueError, match="not on the page"):
        native.cut(
            page.tag, page.size, page.depth, page.text_start, *attributes(page), numbers([77]), 0,
            np.zeros(2, dtype=np.uint64), np.zeros(2, dtype=np.uint8),
        )  # fmt: skip
