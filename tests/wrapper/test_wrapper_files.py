"""Wrappers as files: what is written is read back, the schema says what it is, and bad files give a clear error."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap.errors import FastwrapError
from fastwrap.wrapper import Wrapper, learn
from tests.helpers.sites import SITES

jsonschema = pytest.importorskip("jsonschema")

SCHEMA = json.loads((Path(fastwrap.__file__).parent / "schema" / "wrapper.schema.json").read_text(encoding="utf-8"))
SEPARATED = "<body>" + "".join(f"<a href=/{k}>Name {k}</a><br>Text {k}<br>{k}.50 EUR<br><br>" for k in range(8))
CUSTOM = (
    "<x-list>"
    + "".join(f"<x-row><b(c>Name {k}</b(c><x-y>{k} EUR</x-y></x-row>" for k in range(6))
    + "</x-list><x-row></x-row>"
)
LEARNED = {**{site: make(1) for site, make in SITES.items()}, "separated": SEPARATED, "custom": CUSTOM}
FILES = {name: learn(page).dumps() for name, page in LEARNED.items()}


@pytest.mark.parametrize("name", LEARNED)
def test_round_trip(name: str, tmp_path: Path) -> None:
    wrapper = learn(LEARNED[name])
    wrapper.save(tmp_path / "wrapper.json")
    read = Wrapper.load(tmp_path / "wrapper.json")
    assert read.dumps() == wrapper.dumps()
    pages = [LEARNED[name], *(SITES[name](number) for number in (2, 3) if name in SITES)]
    for page in pages:
        ours, theirs = read.extract(page), wrapper.extract(page)
        assert [region.spans.tolist() for region in ours.regions] == [
            region.spans.tolist() for region in theirs.regions
        ]
        assert [record.texts for record in ours.records] == [record.texts for record in theirs.records]
        assert ours.fit == pytest.approx(theirs.fit)
        assert ours.regions[0].columns == theirs.regions[0].columns


@pytest.mark.parametrize("name", LEARNED)
def test_schema(name: str) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    validator.validate(json.loads(FILES[name]))


def test_readable() -> None:
    data = json.loads(FILES["forum"])
    first = data["lists"][0]
    assert [step["tag"] for step in first["path"]] == [
        "html",
        "body",
        "center",
        "table",
        "tbody",
        "tr",
        "td",
        "table",
        "tbody",
    ]
    assert {child["role"] for child in first["children"] if child.get("class") == ["thing"]} == {"head"}
    assert "+" in first["expression"]
    assert max(map(len, FILES["forum"].splitlines())) < 400


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "truncated"),
        ("{}", "format"),
        ("[1]", "format"),
        (FILES["shop"][:-200], "truncated"),
        (FILES["shop"][: len(FILES["shop"]) // 2], "truncated"),
        ("[" * 100_000, "truncated"),
        (b"\xff\xfe\x00", "truncated"),
        (b"\x80", "truncated"),
        (FILES["shop"].replace('"version": 1', '"version": 2'), "upgrade fastwrap"),
        (FILES["shop"].replace('"version": 1', '"version": true'), "no version"),
        (FILES["shop"].replace('"version": 1', '"version": 1, "more": 1'), "more"),
        (FILES["shop"].replace('"confidence": ', '"confidence": NaN, "x": ', 1), "NaN"),
        (FILES["shop"].replace('"confidence": 0', '"confidence": 1e999, "x": 0', 1), "x"),
        ('{"format": "fastwrap wrapper", "version": ' + "9" * 5000 + "}", "digits"),
        # Found by fuzzing: half a character, which no output can have.
        (re.sub('"name": "[^"]*"', r'"name": "\\ud800"', FILES["shop"], count=1), "surrogates"),
    ],
)
def test_bad_files(text: str | bytes, says: str) -> None:
    with pytest.raises(FastwrapError, match=says):
        Wrapper.loads(text)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(FastwrapError, match="cannot be read"):
        Wrapper.load(tmp_path / "none.json")


def test_too_large() -> None:
    with pytest.raises(FastwrapError, match="more than"):
        Wrapper.loads(" " * 50_000_001)


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in a document."""
    found = [path] if path else []
    if isinstance(data, dict):
        for key in data:
            found += places(data[key], (*path, key))
    elif isinstance(data, list):
        for key in range(min(len(data), 4)):
            found += places(data[key], (*path, key))
    return found


STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([-1, 0, 1, 2**31, -(2**31), 2**63, 10**30, 1.5, -0.0, 1e300, "", "x", "((", "0 (1)+", "a" * 2000]),
    st.just([]),
    st.just({}),
    st.just([[]] * 50),
    st.just([{"tag": "p", "role": "head"}]),
)


@settings(max_examples=500)
@given(st.sampled_from(sorted(FILES)), st.data())
def test_damaged_files_never_crash(name: str, data: st.DataObject) -> None:
    """Anything in place of anything: either it is refused, or pages can be read by it."""
    document = json.loads(FILES[name])
    where = data.draw(st.sampled_from(places(document)))
    inner = document
    for key in where[:-1]:
        inner = inner[key]
    if data.draw(st.booleans()):
        inner[where[-1]] = data.draw(STRANGE)
    else:
        del inner[where[-1]]
    try:
        wrapper = Wrapper.loads(json.dumps(document))
    except FastwrapError:
        return
    extraction = wrapper.extract(LEARNED[name])
    for region in extraction.regions:
        assert all(len(record.texts) == len(region.columns) for record in region.records)
    assert 0.0 <= extraction.fit <= 1.0
    Wrapper.loads(wrapper.dumps())


@settings(max_examples=200)
@given(st.sampled_from(sorted(FILES)), st.integers(0, 10_000), st.binary(max_size=3))
def test_damaged_bytes_never_crash(name: str, at: int, more: bytes) -> None:
    text = FILES[name].encode()
    at %= len(text)
    try:
        wrapper = Wrapper.loads(text[:at] + more + text[at + len(more) :])
    except FastwrapError:
        return
    assert 0.0 <= wrapper.extract(LEARNED[name]).fit <= 1.0


def test_the_schema_refuses_what_loading_refuses() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    good = json.loads(FILES["shop"])
    for path, value in [
        (("lists", 0, "confidence"), 2),
        (("lists", 0, "level"), "other"),
        (("lists", 0, "path"), []),
        (("lists", 0, "columns", 0, "type"), "colour"),
        (("pages",), 0),
    ]:
        bad = copy.deepcopy(good)
        inner = bad
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        assert not validator.is_valid(bad)
        with pytest.raises(FastwrapError):
            Wrapper.loads(json.dumps(bad))
