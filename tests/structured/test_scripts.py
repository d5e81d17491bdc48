"""Data in scripts: JSON of every make, what programs assign and parse, what Next.js streams; and what is too much."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page, extract, structured
from fastwrap._core.structured import walking
from fastwrap.limits import LIMITS
from fastwrap.structured import scripts
from fastwrap.structured.scripts import scripts_of, state
from tests.helpers.hangs import ends_soon

ITEMS = [{"id": k, "name": f"Tea number {k}", "price": k + 0.5} for k in range(5)]
TEXT = json.dumps(ITEMS)


def page_of(text: str, kind: str = "") -> Page:
    return Page(f"<script{f' type={kind}' if kind else ''}>{text}</script><p>Text</p>")


@pytest.mark.parametrize(
    "program",
    [
        f"window.state = {TEXT};",
        f"window.__STATE__={TEXT}",
        f"var a = 1, b = {TEXT}, c;",
        f"App.render({TEXT}, 2);",
        f"(function(){{ var x = {TEXT}; run(x) }})()",
        f"x = JSON.parse({json.dumps(TEXT)});",
        "x = JSON.parse('" + TEXT.replace("'", "\\'") + "')",
        f"// <![CDATA[\nwindow['init']({TEXT})// ]]>",
        f"let items = {TEXT.replace('}]', ',}, ]')};",
    ],
)
def test_programs(program: str) -> None:
    assert list(state(page_of(program))) == [ITEMS]
    [array] = structured.read(page_of(program)).arrays
    assert (array.source, array.objects) == ("state", ITEMS)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"\n {TEXT}\n",
        f"\ufeff{TEXT}",
        f"<!-- {TEXT} -->",
        f"//<![CDATA[\n{TEXT}\n//]]>",
        f"/* c */{TEXT}",
        f"{TEXT};",
    ],
)
def test_json_however_it_is_wrapped(text: str) -> None:
    page = page_of(text, "application/json")
    assert scripts_of(page).is_json(0)
    assert list(state(page)) == [ITEMS]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("[NaN, Infinity, -Infinity]", [None, None, None]),
        ("[1e999, -1e999]", [None, None]),
        ('["\\ud800", "\\udc00\\ud800"]', ["\ufffd", "\ufffd\ufffd"]),
        ("[12345678901234567890, -123456789012345678901]", [12345678901234567890, -123456789012345678901]),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('["line\none\ttwo\x01"]', ["line\none\ttwo\x01"]),
        ('["C:\\dir"]', ["C:dir"]),
        ("[1, 2, ]", [1, 2]),
        ("[-0, 0.1, 1E2]", [0, 0.1, 100.0]),
        ("[" + "9" * 400 + "]", [int("9" * 400)]),
        ("[" + "9" * 400 + ".5, ]", [None]),
    ],
)
def test_one_policy_for_what_parsers_disagree_on(written: str, value: Any) -> None:
    assert list(state(page_of(written, "application/ld+json"))) == [value]


@pytest.mark.parametrize("text", ["", "nothing", "{", "[1, 2", '{"a": }', "<p>no</p>", "f({})", "null", "12", '"text"'])
def test_what_is_no_data(text: str) -> None:
    data = structured.read(page_of(text, "application/json"))
    assert (data.things, data.arrays, data.limits) == ([], [], ())


def streamed(text: str, size: int) -> str:
    chunks = [text[k : k + size] for k in range(0, len(text), size)]
    return "".join(f"<script>self.__next_f.push([1,{json.dumps(chunk)}])</script>" for chunk in chunks)


@pytest.mark.parametrize("size", [30, 37, 1000])
def test_what_next_streams(size: int) -> None:
    """Rows of JSON, of modules, and of texts with their length in bytes, cut anywhere."""
    note = "é" * 20 + "\n9:[not a row]"
    told = f"2:T{len(note.encode()):x},{note}"
    rows = ['1:I["modules",["a","b"]]', f'{told}3:{{"items":{TEXT}}}', '4:"$Sreact"', '5:["$","p",null,{}]']
    page = Page("<p>x</p>" + streamed("\n".join(rows) + "\n", size))
    assert list(state(page)) == [{"items": ITEMS}, ["$", "p", None, {}]]
    assert structured.read(page).arrays[0].path == "items"


def test_nothing_is_decoded_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    decode = scripts.decoded

    def counted(data: bytes) -> Any:
        calls.append(data)
        return decode(data)

    monkeypatch.setattr(scripts, "decoded", counted)
    page = page_of(json.dumps({"@type": "ItemList", "itemListElement": ITEMS}), "application/ld+json")
    extraction = extract(page)
    assert extraction.regions
    assert structured.read(page).things
    assert structured.read(page).arrays
    assert len(calls) == 1


def test_a_page_with_data_is_freed_when_it_is_let_go() -> None:
    import gc
    import weakref

    page = page_of(f"state = {TEXT}")
    data = structured.read(page)
    assert data.arrays
    gone = weakref.ref(page)
    gc.disable()
    try:
        del page, data
        assert gone() is None
    finally:
        gc.enable()


# Limits


def test_too_much_data_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "MOST_BYTES", len(TEXT))
    page = Page(f"<script type=application/json>{TEXT}</script>" * 2)
    data = structured.read(page)
    assert len(data.arrays) == 1
    assert data.limits == ("structured.json",)
    monkeypatch.setattr(scripts, "MOST_VALUES", 10)
    data = structured.read(page_of(TEXT, "application/json"))
    assert (data.arrays, data.limits) == ([], ("structured.json",))


def test_too_many_objects_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "MOST_CONTAINERS", 3)
    data = structured.read(page_of(TEXT, "application/json"))
    assert (len(data.arrays), data.limits) == (1, ("structured.json",))


def test_deep_data_is_told() -> None:
    deep = "[" * 100 + TEXT + "]" * 100
    data = structured.read(page_of(deep, "application/json"))
    assert (data.arrays, data.limits) == ([], ("structured.depth",))
    assert set(data.limits) <= set(LIMITS)


HOSTILE: dict[str, Callable[[int], str]] = {
    "open arrays": lambda n: "[" * n,
    "nested arrays": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "nested objects": lambda n: '{"a":' * (n // 6) + "1" + "}" * (n // 6),
    "empty objects": lambda n: "[" + "{}," * (n // 3) + "{}]",
    "small objects": lambda n: "[" + '{"a":1,"b":2},' * (n // 14) + "{}]",
    "one string": lambda n: '["' + "x" * n + '"]',
    "keys": lambda n: "{" + ",".join(f'"k{k}":{{"a":1}}' for k in range(n // 16)) + "}",
    "different objects": lambda n: "[" + ",".join(f'{{"k{k}":1,"j{k}":2}}' for k in range(n // 20)) + "]",
    "arrays of arrays": lambda n: "[" + "[{},{},{}]," * (n // 11) + "[]]",
    "numbers": lambda n: "[" + "1," * (n // 2) + "1]",
    "open strings": lambda n: '{"' * (n // 2),
    "parse calls": lambda n: 'JSON.parse("' * (n // 12),
    "maps": lambda n: '{"a1":{"b1":' * (n // 12),
}


@pytest.mark.parametrize("kind", ["application/json", "application/ld+json", ""])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data(name: str, kind: str) -> None:
    text = HOSTILE[name](2_000_000)
    page = page_of(("let state = " if not kind else "") + text, kind)
    with ends_soon():
        data = structured.read(page)
        assert isinstance(data.things, list)
        assert isinstance(data.arrays, list)
        assert set(data.limits) <= set(LIMITS)
        assert 0 <= extract(page).confidence <= 1


def test_ten_megabytes_of_brackets_are_a_limit() -> None:
    data = structured.read(page_of("[" * 10_000_000, "application/json"))
    assert data.arrays == []
    assert data.limits == ("structured.json",)


KEYS = st.sampled_from(["@type", "@graph", "@id", "@value", "@list", "name", "item", "items", "url", "price", "", "1a"])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just("Product")),
    lambda below: st.one_of(st.lists(below, max_size=5), st.dictionaries(KEYS, below, max_size=4)),
    max_leaves=40,
)


@settings(max_examples=500)
@given(st.lists(VALUES, min_size=1, max_size=3), st.sampled_from(["application/json", "application/ld+json", ""]))
def test_any_data_is_read(values: list[Any], kind: str) -> None:
    page = Page("".join(f"<script type={kind}>{'x = ' * (not kind)}{json.dumps(value)}</script>" for value in values))
    data = structured.read(page)
    assert all(thing.source == "json-ld" for thing in data.things)
    assert all(len(array.objects) >= 3 for array in data.arrays)
    extraction = extract(page)
    for region in extraction.regions:
        assert all(len(row) == len(region.columns) for row in region.texts)
        assert len({column.name for column in region.columns}) == len(region.columns)
    assert extraction.to_json()


@settings(max_examples=300)
@given(st.text(st.sampled_from("{}[]\":,@typegrahlis 1\\'=n(ab"), max_size=120))
def test_any_script_is_read(text: str) -> None:
    for kind in ("application/json", ""):
        data = structured.read(page_of(text, kind))
        assert data.limits == ()
        assert isinstance(data.things, list)
        assert isinstance(data.arrays, list)
