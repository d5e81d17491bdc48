"""The kernels that walk decoded data do what their twins in plain Python do, on any data."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.structured import flattening, keys, looks, strings, walking
from fastwrap.structured.arrays import STATE, are_similar, walk
from fastwrap.structured.jsonld import TRAILS
from fastwrap.structured.passages import SKIPPED, name_of_key
from fastwrap.structured.posts import AUTHORS, DATES, is_signed
from fastwrap.structured.scripts import scripts_of
from fastwrap.structured.sentences import prose_weight
from tests.helpers.hangs import ends_soon
from tests.reference.structured import flattening as plain_flattening
from tests.reference.structured import keys as plain_keys
from tests.reference.structured import looks as plain_looks
from tests.reference.structured import strings as plain_strings
from tests.reference.structured import walking as plain_walking

SAID = "Boil the water, take it from the fire, and wait for a minute before you pour it, or two."
TEXTS = st.sampled_from(
    [
        "", " ", "Tea", " Milk ", "a &amp; b", "&nbsp;", "/tea/1", "https://a.example/b c", "pic.png", "a.b.jpg", "//a",
        "2024-05-03T10:00", "２０２４-05-03", "grid-col-12345", "#main x", ".a", "{a}", "<p>x", SAID, SAID + " No. 2",
        "茶を飲む" * 9, "x" * 70, "$1", "$2", '{"name": "' + "Tea " * 12 + '"}', "[" + "1, " * 30 + "1]",
        "[" + "x " * 30 + "]", "É", "ß9",
    ]
) | st.text(max_size=12)  # fmt: skip
KEYS = st.sampled_from(
    [
        "a", "b", "id", "1", "k2", "topic_88", "item", "node", "name", "createdAt", "created_at", "user", "By", "title",
        "@type", "posts", "", "K", "__typename", "datePublished", "x1", "x2",
    ]
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers(-5, 2_000_000_000) | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(
    SCALARS
    | st.sampled_from(["ListItem", "BreadcrumbList", "Offer", "Book"]).map(lambda kind: {"@type": kind, "a": 1}),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(KEYS, inner, max_size=6)
        | st.tuples(st.dictionaries(KEYS, inner, min_size=1, max_size=4), st.integers(2, 60)).map(
            lambda pair: [copy.deepcopy(pair[0]) for _ in range(pair[1])]
        )
        | st.tuples(st.dictionaries(KEYS, inner, min_size=1, max_size=4), st.integers(2, 5)).map(
            lambda pair: {f"id{k}": copy.deepcopy(pair[0]) for k in range(pair[1])}
        )
    ),
    max_leaves=25,
)
ROOTS = VALUES.filter(lambda value: isinstance(value, (dict, list)))


def written(arrays: list[Any]) -> list[Any]:
    """All that is told of arrays."""
    return [
        (array.source, array.path, array.objects, array.is_map, array.within, array.around and array.around.path)
        for array in arrays
    ]


@given(st.lists(ROOTS, min_size=1, max_size=3), st.sampled_from(["", "data-x"]))
def test_arrays(roots: list[Any], name: str) -> None:
    native, plain = walk(STATE), plain_walking.Walk(STATE, is_signed)
    for root in roots:
        native.visit(root, name)
        plain.visit(root, name)
    assert native.limits == plain.limits
    assert written(native.found) == written(plain.found)
    assert written(native.arrays()) == written(plain.arrays())


@given(st.lists(st.dictionaries(KEYS, VALUES, max_size=6), max_size=5))
def test_objects_of_one_list(objects: list[dict[str, Any]]) -> None:
    assert walking.unwrapped(objects) == plain_walking.unwrapped(objects)
    if objects:
        assert are_similar(objects) == plain_walking.are_similar(objects, is_signed)
    native, plain = walk(STATE), plain_walking.Walk(STATE, is_signed)
    native.kept(objects, "x")
    plain.kept(objects, "x")
    assert written(native.found) == written(plain.found)


def folded(text: str) -> Any:
    """What a string stands for, if that is an object or array."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, (dict, list)) else None


@given(ROOTS, st.integers(1, 5), st.integers(1, 30))
def test_strings_put_in_place(root: Any, levels: int, most: int) -> None:
    native, plain = copy.deepcopy(root), copy.deepcopy(root)
    walking.unfold(native, folded, 48, levels, most)
    plain_walking.unfold(plain, folded, 48, levels, most)
    assert native == plain
    texts = {"$1": "one", "$2": "two" * 10}
    walking.put_in_place([native], texts, 9, most)
    plain_walking.put_in_place([plain], texts, 9, most)
    assert native == plain


@given(st.lists(VALUES, max_size=12), st.booleans())
def test_columns(objects: list[Any], lists: bool) -> None:
    found = []
    for module in (flattening, plain_flattening):
        members = module.flatten(objects, (), lists)
        inner = [[(each.path, each.values) for each in member.members] for member in members]
        found.append(([(member.path, member.values, member.is_list) for member in members], inner))
    assert found[0] == found[1]


def test_columns_of_very_many_keys() -> None:
    objects = [{f"k{number}-{k}": k for k in range(300)} for number in range(4)]
    native, plain = (module.flatten(objects) for module in (flattening, plain_flattening))
    assert [member.path for member in native] == [member.path for member in plain]
    assert len(native) == 400


@given(st.lists(ROOTS, min_size=1, max_size=3), st.sampled_from(["", "data-x"]))
def test_strings_by_their_keys(roots: list[Any], name: str) -> None:
    found = []
    for module in (strings, plain_strings):
        reader = module.Reader(name_of_key, prose_weight, SKIPPED)
        for root in roots:
            reader.read(root, name)
        runs = [
            (
                said,
                path,
                texts,
                [(spot.value, spot.number, spot.above and spot.above.number) for spot in spots],
                weights,
            )
            for said, path, texts, spots, weights in reader.runs()
        ]
        found.append((runs, reader.limits))
    assert found[0] == found[1]


def test_spots_in_others() -> None:
    outer = strings.Spot({"a": 1}, None, 1)
    inner = strings.Spot({"b": 1}, outer, 2)
    assert [spot.number for spot in inner.chain()] == [2, 1]
    assert inner.chain(1) == [inner]


@given(st.dictionaries(KEYS | st.text(max_size=9), SCALARS, max_size=8))
@example({"\u212aey": 1, "user": 0, "USER": "x", "us_er": ""})
def test_members_by_their_names(thing: dict[str, Any]) -> None:
    for names in ((*AUTHORS, *DATES), ("name", "title", "k", "key", "user")):
        native, plain = keys.Names(names), plain_keys.Names(names)
        assert native.members(thing) == plain.members(thing)
        assert native.texts(thing) == plain.texts(thing)
        assert native.are_in(thing) == plain.are_in(thing)


@given(
    st.text(
        alphabet=st.characters() | st.sampled_from("aZ09-_/:.=#%+*{}<>|;,·•،。茶ก\U00020001\U00040001"), max_size=60
    )
)
def test_signs_of_sentences(text: str) -> None:
    assert looks.count(text) == plain_looks.count(text)


@given(st.lists(SCALARS, max_size=10), st.integers(0, 12))
def test_looks_of_values(values: list[Any], count: int) -> None:
    native = looks.look(values)
    assert native == plain_looks.look(values)
    assert looks.are_names(native[0], count) == plain_looks.are_names(native[0], count)


def test_trails_are_passed_over() -> None:
    rows = [{"@type": "ListItem", "name": f"Tea {k}", "position": k} for k in range(4)]
    walked = walk(STATE)
    walked.visit({"@type": TRAILS[0], "itemListElement": rows})
    assert walked.arrays() == []


def test_comments_before_a_program_are_looked_at_once() -> None:
    data = '{"name": "Green tea", "kind": "leaves"}'
    page = Page(f"<script type=application/json>{'/* a */ ' * 20_000}f({data})</script>")
    with ends_soon():
        assert not scripts_of(page).is_json(0)
    assert scripts_of(Page(f"<script type=application/json>/* a */ // b\n {data}</script>")).is_json(0)
