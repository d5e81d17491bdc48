"""Style, tag path, hidden and structural classes: equal to the twins, and standing for what they should."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from fastwrap import Page
from fastwrap._core.page.symbols import tag_paths
from fastwrap.page.names import ATTRIBUTE_NUMBER
from tests.reference.html import html
from tests.reference.page import symbols as plain
from tests.reference.page.symbols import is_hidden, numbered, path_strings, tree, without_leaves

STYLE_NAMES = [ATTRIBUTE_NUMBER[name] for name in ("class", "style", "hidden")]


def check_twins(page: Page) -> None:
    arrays = page.arrays
    start, name, value_start = arrays.attribute_start, arrays.attribute_name, arrays.value_start
    style, path, hidden = plain.style_path_hidden(
        page.tag, page.parent, start, name, value_start, arrays.values, *STYLE_NAMES
    )
    bare = plain.style_path_hidden(page.tag, page.parent, 0 * start, name[:0], value_start[:1], b"", *STYLE_NAMES)[1]
    classes = plain.structural_classes(page.tag, page.parent, page.size)
    assert page.style_symbol.tolist() == style.tolist()
    assert page.path_symbol.tolist() == path.tolist()
    assert page.hidden.tolist() == hidden.tolist()
    assert tag_paths(page.native).tolist() == bare.tolist()
    assert page.structural_class.tolist() == classes.tolist()
    leafless = plain.leafless_classes(page.tag, page.size, classes)
    assert numbered(page.leafless_class.tolist()) == numbered(leafless.tolist())


def check_page(page: Page) -> None:
    """The symbols stand for paths and styles."""
    assert page.path_symbol.tolist() == numbered(path_strings(page))
    all_attributes = map(page.attributes, range(len(page)))
    styles = [(attributes.get("class", ""), attributes.get("style", "")) for attributes in all_attributes]
    assert page.style_symbol.tolist() == numbered([("", ""), *styles])[1:]
    assert page.hidden.tolist() == [is_hidden(page, node) for node in range(len(page))]


def check_classes(page: Page) -> None:
    """The classes stand for whole trees."""
    trees = [tree(page, node) for node in range(len(page))]
    assert numbered(page.structural_class.tolist()) == numbered(trees)
    stripped = [without_leaves(whole) for whole in trees]
    assert numbered(page.leafless_class.tolist()) == numbered(stripped)
    assert [number == 0 for number in page.leafless_class] == [whole is None for whole in stripped]


@settings(max_examples=1000)
@given(html)
def test_symbols_and_classes_are_those_of_the_twins(source: str) -> None:
    check_twins(Page(source))


@settings(max_examples=500)
@given(html)
def test_symbols_stand_for_paths_and_styles(source: str) -> None:
    check_page(Page(source))


@settings(max_examples=500)
@given(html)
def test_classes_are_equal_exactly_where_trees_are(source: str) -> None:
    check_classes(Page(source))


def test_symbols_and_classes_of_the_examples(example: bytes) -> None:
    page = Page(example)
    check_twins(page)
    check_page(page)
    check_classes(page)


def test_class_and_style_are_not_mixed_up() -> None:
    page = Page("<p class=ab></p><p class=a style=b></p><p style=ab></p><p class=b style=a></p><p></p><p class></p>")
    assert page.style_symbol[3:].tolist() == [1, 2, 3, 4, 0, 0]


def test_tables_grow() -> None:
    page = Page("".join(f"<p class=c{i}><b>{'<i></i>' * (i % 90)}</b></p>" for i in range(4_000)))
    assert len(set(page.path_symbol[page.path_symbol >= 3].tolist())) > 8_000
    paragraphs = list(page.children(page.body))
    assert len({int(page.structural_class[node]) for node in paragraphs}) == 90


@pytest.mark.parametrize(
    ("style", "hides"),
    [
        ("display:none", True),
        ("DISPLAY : None !important", True),
        ("display:nonexistent", False),
        ("color:red;visibility:hidden", True),
        ("visibility:hidden-not", False),
        ("xdisplay:none", False),
    ],
)
def test_which_styles_hide(style: str, hides: bool) -> None:
    page = Page(f"<p style='{style}'>text</p>")
    assert page.hidden.tolist() == [False, False, False, hides, hides]
