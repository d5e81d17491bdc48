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
from fastwrap.wrapper import Wrapper, format, learn
from tests.helpers.sites import SITES, forum, separated, shop

jsonschema = pytest.importorskip("jsonschema")

SCHEMA_FILE = Path(fastwrap.__file__).parent / "schema" / "wrapper.schema.json"
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
FILES_OF_0_9 = Path(__file__).parent / "files_of_0.9"
"""Written by fastwrap 0.9 for pages of `tests.helpers.sites`; `records.json` is what it read by them."""
CUSTOM = (
    "<x-list>"
    + "".join(f"<x-row><b(c>Name {k}</b(c><x-y>{k} EUR</x-y></x-row>" for k in range(6))
    + "</x-list><x-row></x-row>"
)
LEARNED = {**{site: make(1) for site, make in SITES.items()}, "separated": separated(8), "custom": CUSTOM}
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


def test_the_schema_is_generated() -> None:
    """If this fails, write the file anew: `fastwrap.wrapper.format` says how."""
    assert SCHEMA_FILE.read_text(encoding="utf-8") == format.schema() + "\n"


@pytest.mark.parametrize(
    ("name", "page", "limits"),
    [("shop", shop(3), ()), ("forum", forum(3), ("pages",)), ("separated", separated(12), ("induction",))],
)
def test_files_of_0_9(name: str, page: str, limits: tuple[str, ...]) -> None:
    text = (FILES_OF_0_9 / f"{name}.json").read_text(encoding="utf-8")
    wrapper = Wrapper.loads(text)
    assert wrapper.limits == limits
    assert wrapper.dumps() == text
    expected = json.loads((FILES_OF_0_9 / "records.json").read_text(encoding="utf-8"))[name]
    assert len(expected) > 5
    assert [record.texts for record in wrapper.extract(page).records] == expected
    assert wrapper.extract(page).fit == 1.0


def test_a_file_with_a_byte_order_mark() -> None:
    assert Wrapper.loads(b"\xef\xbb\xbf" + FILES["shop"].encode()).dumps() == FILES["shop"]


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
        ("[" * 100_000, "expected an object"),
        (FILES["shop"].replace('"lists": [', '"lists": [' + "[" * 100_000), "recursion"),
        (b"\xff\xfe\x00", "truncated"),
        (b"\x80", "truncated"),
        (FILES["shop"].replace('"version": 1', '"version": 2'), "upgrade fastwrap"),
        (FILES["shop"].replace('"version": 1', '"version": true'), "no version"),
        (FILES["shop"].replace('"version": 1', '"version": 1, "more": 1'), "more"),
        (FILES["shop"].replace('"confidence": ', '"confidence": NaN, "x": ', 1), "malformed"),
        (FILES["shop"].replace('"confidence": 0', '"confidence": 1e999, "x": 0', 1), r"\$\.lists\[0\]\.confidence"),
        ('{"format": "fastwrap wrapper", "version": ' + "9" * 5000 + "}", r"out of range - at `\$\.version`"),
        # Found by fuzzing: half a character, which no output can have.
        (re.sub('"name": "[^"]*"', r'"name": "\\ud800"', FILES["shop"], count=1), "truncated"),
    ],
)
def test_bad_files(text: str | bytes, says: str) -> None:
    with pytest.raises(FastwrapError, match=says):
        Wrapper.loads(text)


@pytest.mark.parametrize(
    ("where", "value", "says"),
    [
        ("lists 0 columns 2 type", "colour", "Invalid enum value 'colour' - at `$.lists[0].columns[2].type`"),
        ("lists 0 columns 1 filled", 2, "Expected `float` <= 1.0 - at `$.lists[0].columns[1].filled`"),
        ("lists 0 columns", [], "there are 0 columns, and the template has"),
        ("lists 0 path", [], "Expected `array` of length >= 1 - at `$.lists[0].path`"),
        ("lists 0 path 1 nth", "first", "Expected `int`, got `str` - at `$.lists[0].path[1].nth`"),
        ("lists 0 children 0 class", ["x" * 1_001], "- at `$.lists[0].children[0].class[0]`"),
        (
            "lists 0 children 0",
            {"tag": "p", "role": "head"},
            "a child of the level 'class' has tag, class, role - at `$",
        ),
        ("lists 0 expression", "(1", "a parenthesis that is not closed at character 2 - at `$.lists[0].expression`"),
        ("lists 0 expression_roles", ["head"], "and there are 1 roles - at `$.lists[0].expression_roles`"),
        ("lists 0 template slots 3 1", 99, " - at `$.lists[0].template`"),
        ("lists 0 template slots 3 1", None, "Expected `int`, got `null` - at `$.lists[0].template.slots[3][1]`"),
        ("lists 0 template items 0 kind", "", "Expected `str` of length >= 1 - at `$.lists[0].template.items[0].kind`"),
        ("lists 0 template heading", {"tags": []}, "- at `$.lists[0].template.heading"),
        ("url", "", "Expected `str` of length >= 1 - at `$.url`"),
    ],
)
def test_errors_say_where_and_what(where: str, value: object, says: str) -> None:
    document = json.loads(FILES["shop"])
    inner = document
    *path, last = [int(key) if key.isdigit() else key for key in where.split()]
    for key in path:
        inner = inner[key]
    inner[last] = value
    with pytest.raises(FastwrapError, match=re.escape(says)):
        Wrapper.loads(json.dumps(document))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(FastwrapError, match="cannot be read"):
        Wrapper.load(tmp_path / "none.json")


def test_too_large() -> None:
    with pytest.raises(FastwrapError, match="more than"):
        Wrapper.loads(" " * 10_000_001)


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
