"""The native page: accepts the arrays of every page, and refuses all that would lead a kernel astray."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap._core.common.page import NativePage
from fastwrap._core.page.symbols import need_classes, need_symbols
from fastwrap.page import names
from fastwrap.page.arrays import NodeArrays
from fastwrap.wrapper.location import Location, Step
from tests.helpers.pages import page_of_forest
from tests.helpers.paths import ROOT
from tests.reference.common.page import attributes_of, is_page, text_of
from tests.reference.html import html
from tests.reference.trees import trees

PAGE = Page("<html lang=en><p class='a b' id=c>one<b>two</b></p><p style=x>three</p><script type=json>{}</script>")
FIELDS = [name for name in NodeArrays._fields if name not in ("script_start", "noscript_start")]
NUMBERS = [name for name in FIELDS if name not in ("text", "values")]


def with_field(arrays: NodeArrays, name: str, value: Any) -> NodeArrays:
    return arrays._replace(**{name: value})


def is_accepted(arrays: NodeArrays) -> bool:
    try:
        NativePage(arrays)
    except ValueError:
        return False
    return True


def body_of(page: Page) -> int:
    """The first child of the root that is a body, or the root."""
    return next((child for child in page.children(0) if page.tag_name(child) == "body"), 0)


@settings(max_examples=500)
@given(html)
def test_every_page_is_accepted(source: str) -> None:
    page = Page(source)
    assert is_page(page.arrays)
    assert page.native.node_arrays is page.arrays
    assert page.native.body == page.body == body_of(page)


def says_the_same(page: Page, places: list[int]) -> bool:
    """Whether the native page and its twin say the same of all nodes, and of those between any two of some places."""
    return all(
        page.native.attributes(node, names.ATTRIBUTES, page.custom_names)
        == attributes_of(page.arrays, node, page.custom_names)
        for node in range(len(page))
    ) and all(
        page.native.text(start, end) == text_of(page.arrays, start, end)
        for start, end in itertools.combinations_with_replacement(places, 2)
    )


@settings(max_examples=1000)
@given(html)
def test_nodes_say_the_same_as_in_python(source: str) -> None:
    page = Page(source)
    assert says_the_same(page, [*range(0, len(page) + 1, 1 + len(page) // 12), len(page)])


@settings(max_examples=300)
@given(st.binary(max_size=12), st.binary(max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_bytes_that_are_no_text_say_the_same_as_in_python(text: bytes, value: bytes, first: int, second: int) -> None:
    one = Page("<p class=a b>x")
    count = len(one)
    starts = np.array([min(k * first // 3, len(text)) for k in range(count)] + [len(text)], dtype=np.int32)
    middle = min(second, len(value))
    arrays = one.arrays._replace(
        text=text, values=value, text_start=starts, value_start=np.array([0, middle, len(value)], dtype=np.int32)
    )
    assert is_accepted(arrays)
    native = NativePage(arrays)
    for node in range(count):
        assert native.attributes(node, names.ATTRIBUTES, one.custom_names) == attributes_of(
            arrays, node, one.custom_names
        )
        for end in range(node, count + 1):
            assert native.text(node, end) == text_of(arrays, node, end)


@pytest.mark.parametrize("node", [-1, len(PAGE), 2**31 - 1])
def test_nodes_that_are_not_there_have_no_attributes(node: int) -> None:
    with pytest.raises(IndexError):
        PAGE.native.attributes(node, names.ATTRIBUTES, {})


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 1), (0, len(PAGE) + 1), (2**31 - 1, 2**31 - 1)])
def test_nodes_that_are_not_there_have_no_text(start: int, end: int) -> None:
    with pytest.raises(IndexError):
        PAGE.native.text(start, end)


def test_frames_have_no_body() -> None:
    page = Page("<frameset><frame></frameset>")
    assert page.body == body_of(page) == 0


@settings(max_examples=200)
@given(st.lists(trees(), max_size=3))
def test_every_tree_is_accepted(forest: list[Any]) -> None:
    assert is_accepted(page_of_forest(forest).arrays)


def test_real_pages_are_accepted(example: bytes) -> None:
    page = Page(example)
    assert is_page(page.arrays)
    assert page.body == body_of(page)


numbers = st.one_of(
    st.integers(-2, 20),
    st.sampled_from([2**31 - 1, -(2**31), 2**31 - 2, 2**30, -(2**30)]),
    st.integers(-(2**31), 2**31 - 1),
)
"""Numbers that nearly fit, and all others."""


@settings(max_examples=3000)
@given(html, st.data())
def test_damaged_arrays_are_refused_or_those_of_a_page(source: str, data: st.DataObject) -> None:
    """One to three numbers are changed: accepted exactly if the twin says that a page may have such arrays."""
    arrays = Page(source).arrays
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(NUMBERS))
        array = np.array(getattr(arrays, name))
        if len(array):
            place = data.draw(st.integers(0, len(array) - 1))
            nearly = [shift + int(array[place]) for shift in (-2, -1, 1, 2)]
            number = data.draw(st.sampled_from(nearly) | numbers)
            array[place] = min(max(number, -(2**31)), 2**31 - 1)
            arrays = with_field(arrays, name, array)
    accepted = is_accepted(arrays)
    assert accepted == is_page(arrays)
    if accepted:
        native = NativePage(arrays)
        need_symbols(native)
        need_classes(native)


@settings(max_examples=300)
@given(st.lists(trees(max_leaves=6), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_shuffled_parents_and_sizes_are_refused_or_a_tree(forest: list[Any], chooser: Any) -> None:
    arrays = page_of_forest(forest).arrays
    for name in ("parent", "size", "depth"):
        values = getattr(arrays, name).tolist()
        one, other = chooser.randrange(len(values)), chooser.randrange(len(values))
        values[one], values[other] = values[other], values[one]
        changed = with_field(arrays, name, np.array(values, dtype=np.int32))
        assert is_accepted(changed) == is_page(changed)


@pytest.mark.parametrize("name", NUMBERS)
def test_arrays_of_other_lengths_are_refused(name: str) -> None:
    array = getattr(PAGE.arrays, name)
    for other in (array[:-1], np.append(array, array[-1:]), array[:0]):
        with pytest.raises(ValueError, match=r"length|no nodes"):
            NativePage(with_field(PAGE.arrays, name, other))


@pytest.mark.parametrize("name", NUMBERS)
def test_arrays_of_other_types_are_refused(name: str) -> None:
    array = getattr(PAGE.arrays, name)
    for other in (array.astype(np.int64), array.astype(np.int16), np.repeat(array, 2)[::2]):
        with pytest.raises(ValueError, match=r"length|contiguous"):
            NativePage(with_field(PAGE.arrays, name, other))
    with pytest.raises(TypeError):
        NativePage(with_field(PAGE.arrays, name, None))
    with pytest.raises(TypeError):
        NativePage(with_field(PAGE.arrays, name, array.tolist()))


@pytest.mark.parametrize("name", ["text", "values"])
def test_texts_that_are_too_short_are_refused(name: str) -> None:
    # The values are followed by the scripts, so those of the attributes may have more after them.
    whole = getattr(PAGE.arrays, name)
    needed = int((PAGE.arrays.text_start if name == "text" else PAGE.arrays.value_start)[-1])
    assert is_accepted(with_field(PAGE.arrays, name, whole[:needed]))
    assert is_accepted(with_field(PAGE.arrays, name, whole + b"x"))
    for other in (whole[: needed - 1], b""):
        with pytest.raises(ValueError, match="not those of a page"):
            NativePage(with_field(PAGE.arrays, name, other))
    with pytest.raises(TypeError):
        NativePage(with_field(PAGE.arrays, name, "text"))


def test_a_page_without_nodes_is_refused() -> None:
    nothing, zero = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int32)
    arrays = NodeArrays(nothing, nothing, nothing, nothing, zero, zero, nothing, zero, b"", b"", zero, zero)
    with pytest.raises(ValueError, match="no nodes"):
        NativePage(arrays)


def test_what_is_no_page_is_refused() -> None:
    for other in (None, 1, (), PAGE, tuple(PAGE.arrays)[:-1]):
        with pytest.raises((TypeError, ValueError)):
            NativePage(other)  # type: ignore[arg-type]


def test_what_is_computed_is_computed_once() -> None:
    native = NativePage(PAGE.arrays)
    before: list[Any] = [native.style_symbol, native.path_symbol, native.hidden, native.structural_class]
    assert before == [None] * 4
    need_symbols(native)
    need_classes(native)
    computed = native.style_symbol, native.path_symbol, native.hidden, native.structural_class
    need_symbols(native)
    need_classes(native)
    again = native.style_symbol, native.path_symbol, native.hidden, native.structural_class
    assert all(one is other for one, other in zip(computed, again, strict=True))


def test_the_names_that_kernels_know_have_their_numbers() -> None:
    source = (ROOT / "src" / "fastwrap" / "_core" / "common" / "names.pxd").read_text(encoding="utf-8")
    constants = {name: int(number) for name, number in re.findall(r"^ +([A-Z_0-9]+) = (\d+)", source, re.MULTILINE)}
    assert constants.pop("TEXT") == names.TEXT
    assert constants.pop("KNOWN_TAGS") == len(names.TAGS)
    assert len(constants) > 10
    for constant, number in constants.items():
        kind, _, name = constant.partition("_")
        table = {"TAG": names.TAG_NUMBER, "ATTRIBUTE": names.ATTRIBUTE_NUMBER}[kind]
        spelled = name.lower().replace("_", "-").replace("xlink-", "xlink:")
        assert table[spelled] == number, constant
    for one, other in itertools.pairwise(constants.items()):
        assert one[1] < other[1] or one[0].partition("_")[0] != other[0].partition("_")[0], "in order of the numbers"


@given(
    value=st.text("ab \t\n\f\r\v\x1c\xa0é", max_size=10),
    token=st.text("ab\v\x1c\xa0é", min_size=1, max_size=2),
    name=st.sampled_from(["class", "id"]),
)
def test_classes_have_the_tokens_that_html_says(value: str, token: str, name: str) -> None:
    """The token helpers of `page.pxd`, through a path that asks for one token of a class."""
    page = Page(f"<p title='{token}' {name}='{value}' lang='{token}'>")
    tokens = re.split("[ \t\n\f\r]+", page.attributes(3).get("class", ""))
    path = (Step("html"), Step("body"), Step("p", (token,)))
    nodes, misses = Location(path).find(page)
    assert nodes.tolist() == [3]
    assert misses == (0 if token in tokens else 2)
