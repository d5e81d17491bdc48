"""Style, tag path, hidden and structural classes against their twins, native and plain."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest
from hypothesis import given, settings

from fastwrap import Page
from fastwrap import page as page_module
from fastwrap._core.page import symbols as native
from tests.reference.html import html
from tests.reference.page import symbols as plain
from tests.reference.page.symbols_brute import is_hidden, numbered, path_strings, tree, without_leaves


@pytest.fixture(params=[native, plain], ids=["native", "plain"], autouse=True)
def backend(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    module: ModuleType = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_module, "symbols", module)
        yield module


def check_page(page: Page) -> None:
    assert page.path_symbol.tolist() == numbered(path_strings(page))
    given = [page.attributes(node) for node in range(len(page))]
    styles = [(attributes.get("class", ""), attributes.get("style", "")) for attributes in given]
    assert page.style_symbol.tolist() == numbered([("", ""), *styles])[1:]
    assert page.hidden.tolist() == [is_hidden(page, node) for node in range(len(page))]


def check_classes(page: Page) -> None:
    trees = [tree(page, node) for node in range(len(page))]
    assert numbered(page.structural_class.tolist()) == numbered(trees)
    stripped = [without_leaves(whole) for whole in trees]
    assert numbered(page.leafless_class.tolist()) == numbered(stripped)
    assert [number == 0 for number in page.leafless_class] == [whole is None for whole in stripped]


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
