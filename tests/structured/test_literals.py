"""Literals of plain data in scripts: the kernel against its twin, what is rewritten, and what takes how long."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fastwrap._core.structured import literals
from tests.helpers.hangs import ends_soon
from tests.reference.structured import literals as plain

PIECES = st.sampled_from(
    ['{', '}', '[', ']', ',', ':', '"', "'", '"a"', "'b'", '"a":', "key:", "1", "-2.5", "0", "007", "1.", ".5", "+3",
     "1e5", "1e999", "1E-400", "9" * 320, "true", "false", "null", "undefined", "NaN", "Infinity", "-Infinity", "+NaN",
     "!0", "!1", "void 0", "f()", " ", "\n", "\t", "/* c */", "// c\n", "/*", "\\", "\\u00e9", "\\ud83d\\ude00",
     "\\ud800", "\\x41", "\\x4", "\\v", "\\0", "\\q", "\\'", "\x01", "\u00a0", "\ufeff", "é", "JSON.parse(", "J",
     "JSON.parse( '", "x = ", ";", '{"a": [1, 2, {"b": "c"}]}', "[[[", "]]]", "\u2028", "\\é", "xInfinity"]
)  # fmt: skip


def found_by(data: bytes, least: int = 2, fruitless: int = 10_000) -> tuple[list[tuple[int, int, Any]], bool]:
    """What the kernel finds, with values instead of strict JSON."""
    found, is_deep = literals.find(data, 0, len(data), least, fruitless)
    return [(start, end, json.loads(data[start:end] if text is None else text)) for start, end, text in found], is_deep


@settings(max_examples=3_000)
@given(st.lists(PIECES, max_size=40), st.sampled_from([2, 8]), st.sampled_from([5, 10_000]))
@example(["[", "1.", "]"], 2, 10_000)
@example(["{", "key:", "'b'", ",", "}"], 2, 10_000)
def test_both_find_the_same(pieces: list[str], least: int, fruitless: int) -> None:
    data = "".join(pieces).encode()
    assert found_by(data, least, fruitless) == plain.find(data, 0, len(data), least, fruitless)


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(-1e300, 1e300), st.text()),
    lambda below: st.one_of(st.lists(below, max_size=5), st.dictionaries(st.text(max_size=5), below, max_size=5)),
    max_leaves=25,
)


@settings(max_examples=500)
@given(st.lists(VALUES, min_size=1, max_size=4), st.booleans(), st.text(st.sampled_from("ab =;(.\n"), max_size=20))
def test_the_end_of_any_json_is_found(value: list[Any], ascii_only: bool, around: str) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "replace")
    data = around.encode() + text + b";" + around.encode()
    [(start, end, strict)], is_deep = literals.find(data, 0, len(data), 2, 10_000)
    assert (data[start:end], is_deep) == (text, False)
    assert strict is None
    assert json.loads(text) == value


@settings(max_examples=500)
@given(st.binary(max_size=200), st.integers(0, 200), st.integers(0, 200))
def test_any_bytes_are_searched(data: bytes, start: int, end: int) -> None:
    if not start <= end <= len(data):
        with pytest.raises(ValueError, match="no part"):
            literals.find(data, start, end, 2, 100)
        return
    found, _ = literals.find(data, start, end, 2, 100)
    ends = [start, *(place for first, last, _ in found for place in (first, last)), end]
    assert ends == sorted(ends)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("{a: 1, 'b': \"c\", $d_1: [ , ]}", None),
        ("{a: 1, 'b': \"c\", $d_1: [2, ], }", {"a": 1, "b": "c", "$d_1": [2]}),
        ("[NaN, Infinity, -Infinity, undefined, void 0, !0, !1]", [None, None, None, None, None, True, False]),
        ("[1e999, -1e999, 1e-999, 12345678901234567890, 007, .5, 5., +5]",
         [None, None, 0.0, 12345678901234567890, 7, 0.5, 5.0, 5]),
        (r'["\ud800", "\ud83d\ude00", "\x41\v\0", "it\'s", "\q"]', ["\ufffd", "😀", "A\v\0", "it's", "q"]),
        ("['say \"no\"', 'it\\'s']", ['say "no"', "it's"]),
        ('["a\x01b\nc"]', ["a\x01b\nc"]),
        ("[1, /* two */ 2, // three\n 3]", [1, 2, 3]),
        ("\ufeff[\u00a01 \u2028]", [1]),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ("[new Date(1), 2]", None),
        ("[x, 2]", None),
        ("[1,, 2]", None),
        ("[1 2]", None),
        ("{a: b}", None),
    ],
)  # fmt: skip
def test_what_is_taken_and_what_it_becomes(written: str, value: Any) -> None:
    found, _ = found_by(written.encode(), 4)
    assert [each for _, _, each in found] == ([] if value is None else [value])


def test_what_is_strict_is_not_rewritten() -> None:
    data = b'a = {"a": [1, -2.5e3, "\\u00e9\\n", true, null]};'
    assert literals.find(data, 0, len(data), 2, 100) == ([(4, len(data) - 1, None)], False)


def test_strings_that_are_parsed() -> None:
    data = rb"""a = JSON.parse("{\"a\": 1}"); b = JSON.parse( '{"b": "it\'s"}');"""
    assert [value for _, _, value in found_by(data)[0]] == ['{"a": 1}', '{"b": "it\'s"}']


def test_what_comes_after_code_that_must_be_run_is_found() -> None:
    data = b'{"a": f(), "b": [1, 2]} g({"c": 3})'
    assert [value for _, _, value in found_by(data)[0]] == [[1, 2], {"c": 3}]


def test_the_search_ends_where_there_is_nothing() -> None:
    data = b'{"a": 1}' + b" " * 100 + b'{"b": 2}' + b" " * 101 + b'{"c": 3}'
    assert len(found_by(data, fruitless=101)[0]) == 2


def test_deep_data_is_told() -> None:
    depth = literals.MOST_DEPTH
    assert found_by(b"[" * depth + b"]" * depth)[1] is False
    _, is_deep = literals.find(b"[" * (depth + 1) + b"]" * (depth + 1), 0, 2 * depth + 2, 2, 10_000)
    assert is_deep


HOSTILE = {
    "open arrays": lambda n: b"[" * n,
    "nested arrays": lambda n: b"[" * (n // 2) + b"]" * (n // 2),
    "open objects": lambda n: b'{"a":' * (n // 5),
    "open strings": lambda n: b'["' * (n // 2),
    "apostrophes": lambda n: b"['" * (n // 2),
    "open comments": lambda n: b"{/*" * (n // 3),
    "commas and space": lambda n: b"[1," + b" " * n,
    "long string": lambda n: b'["' + b"x" * n + b'"]',
    "long number": lambda n: b"[" + b"9" * n + b"]",
    "numbers that are none": lambda n: (b"[" + b"1" * 50 + b"x") * (n // 52),
    "escapes": lambda n: b'["' + b"\\u" * (n // 2) + b'"]',
    "surrogates": lambda n: b'["' + b"\\ud800" * (n // 6) + b'"]',
    "backslashes": lambda n: b"['" + b"\\" * n,
    "parse calls": lambda n: b"JSON.parse('" * (n // 12),
    "trailing commas": lambda n: b"[" + b"[1, ]," * (n // 6),
    "keys": lambda n: b"{" + b"a:{" * (n // 3),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_scripts_take_linear_time(name: str) -> None:
    """Were any of them quadratic, three megabytes would take minutes."""
    data = HOSTILE[name](3_000_000)
    with ends_soon():
        literals.find(data, 0, len(data), 2, len(data))


@pytest.mark.parametrize(
    "arguments", [(None, 0, 0, 2, 2), (b"", 0, 1, 2, 2), (b"ab", 2, 1, 2, 2), (b"ab", 0, 2, -1, 2)]
)
def test_wrong_arguments(arguments: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        literals.find(*arguments)
