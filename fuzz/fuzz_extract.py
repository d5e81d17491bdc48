#!/usr/bin/env python3
"""Fuzzes the way from bytes to an Extraction and all that can be asked of one, by every method.
Whatever the bytes: a result or FastwrapError; arrays are those of the tree; a wrapper reads as its file does."""

from __future__ import annotations

import sys
import zlib

import atheris

with atheris.instrument_imports(include=["fastwrap"]):
    import msgspec
    from steps import read_records

    from fastwrap import Extraction, FastwrapError, Page, Wrapper, clean, content, extract, learn, methods
    from fastwrap.page.decode import decode
    from fastwrap.page.tree import LEFT_OUT, RAW_TEXT, tree
    from fastwrap.show import view

from pieces import mutate_html

METHODS = [method for method in methods() if method != "auto"]
URL = "https://site.example/list?page=1"


def read(extraction: Extraction) -> None:
    """Ask for everything that an extraction has."""
    read_records(extraction)
    msgspec.json.decode(extraction.to_json())
    rows = extraction.to_dicts()
    assert [dict(record) for record in extraction[:3]] == rows[:3]
    extraction._repr_html_()
    repr(extraction)


def same_as_the_tree(page: Page, data: bytes) -> None:
    """The arrays have the elements of the whole tree, in its order."""
    names = []
    stack = [node for node in tree(decode(data).html).children if node.is_element]
    while stack:
        node = stack.pop()
        if node.is_element and node.name not in LEFT_OUT:
            names.append(node.name)
            stack += () if node.name in RAW_TEXT else reversed(node.children)
    assert [page.tag_name(node) for node in range(len(page)) if page.tag[node]] == names


def one_input(data: bytes) -> None:
    """One page: by the automatic method; then by another one, or through a wrapper, or as it is shown."""
    try:
        page = Page(data, URL)
    except FastwrapError:
        return
    same_as_the_tree(page, data)
    found = extract(page, min_confidence=0)
    read(found)
    assert found.next_page is None or isinstance(found.next_page, str)
    which = zlib.crc32(data)
    match which % 4:
        case 0 | 1:
            method = METHODS[(which >> 8) % len(METHODS)]
            read(extract(page, method=method, min_confidence=0, clean=bool(which >> 16 & 1)))
        case 2:
            through_a_wrapper(page)
        case _:
            view(data, found)
            clean(page)
            assert content(page).to_dict()["text"] is not None
            page.css_path(len(page) - 1), page.xpath(len(page) - 1)


def through_a_wrapper(page: Page) -> None:
    """Learn; the wrapper and its file read the same."""
    wrapper = learn(page)
    loaded = Wrapper.loads(wrapper.dumps())
    for number in range(len(wrapper.patterns)):
        ours, theirs = (each.extract(page).region(number) for each in (wrapper, loaded))
        assert ours.texts == theirs.texts
        assert ours.table.nested_values == theirs.table.nested_values
    read(loaded.extract(page))
    assert wrapper.check(page).fit == loaded.check(page).fit


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input, custom_mutator=mutate_html)
    atheris.Fuzz()
