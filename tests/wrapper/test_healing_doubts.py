"""Doubts of healing: a list is not taken where known values stand elsewhere, or its records are cut elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, learn
from fastwrap.wrapper.cutting import Example
from fastwrap.wrapper.healing_columns import NewList, old_columns
from fastwrap.wrapper.healing_doubts import VALUES_ELSEWHERE, is_merged, is_rotated, is_torn
from fastwrap.wrapper.healing_lists import Comparison, compare, read_page

NAMES = "amber birch cedar dune ember fern grove heath iris juniper".split()
OTHERS = "anvil brass copper drill engine forge gear hammer iron joint".split()


def wrapper_of(names: list[str]) -> Wrapper:
    """A wrapper of a list of names and what is said of them."""
    items = "".join(f"<li><b>The {name} lamp</b> <i>It is made of {name} by hand</i></li>" for name in names)
    return Wrapper.loads(learn(f"<ul>{items}</ul>").dumps())


def redesigned(names: list[str]) -> Page:
    """The same records, as runs of two paragraphs."""
    return Page(
        "<section>"
        + "".join(f"<p><b>The {name} lamp</b></p><p>It is made of {name} by hand</p>" for name in names)
        + "</section>"
    )


def cut(page: Page, wrapper: Wrapper, first: int, length: int) -> Comparison:
    """The records of a page, cut into runs of `length` paragraphs from the one at place `first`."""
    section = max(range(len(page.tag)), key=lambda node: len(list(page.children(node))))
    tops = list(page.children(section))
    runs = [tops[place : place + length] for place in range(first, len(tops) - length + 1, length)]
    spans = np.array([[run[0], run[-1] + int(page.size[run[-1]])] for run in runs], dtype=np.int32)
    pattern = wrapper.patterns[0]
    return compare(pattern, old_columns(pattern), NewList(0, Example(page, np.array([section]), spans)))


@pytest.mark.parametrize(("first", "length"), [(0, 2), (1, 2), (0, 4)])
def test_records_that_are_cut_elsewhere_are_told(first: int, length: int) -> None:
    wrapper, page = wrapper_of(NAMES), redesigned(NAMES)
    pattern = wrapper.patterns[0]
    old = old_columns(pattern)
    found = cut(page, wrapper, first, length)
    new = read_page(page, old, np.empty((0, 2), dtype=np.int32))
    assert is_torn(pattern.records, old, found.pairing) == ((first, length) != (0, 2))
    assert is_merged(old, found, new) == (length == 4)


def test_records_that_are_cut_elsewhere_are_told_without_known_values() -> None:
    wrapper, page = wrapper_of(NAMES), redesigned(OTHERS)
    old = old_columns(wrapper.patterns[0])
    assert not is_rotated(old, cut(page, wrapper, 0, 2))
    assert is_rotated(old, cut(page, wrapper, 1, 2))


def test_a_list_is_not_taken_if_the_known_values_stand_elsewhere() -> None:
    wrapper = wrapper_of(NAMES)
    twin = "".join(f"<p><b>The {name} lamp</b> <u>It is made of {name} by hand</u></p>" for name in OTHERS)
    assert wrapper.heal(f"<main>{twin}</main>").report.found
    around = "<div>" * 3 + "".join(
        f"{'<div>' * (place % 3)}<b>The {name} lamp</b>{'<hr>' * (place % 4)}<i>It is made of {name} by hand</i>"
        for place, name in enumerate(NAMES)
    )
    same, report = wrapper.heal(f"<main>{twin}</main>{around}")
    assert same is wrapper
    assert not report.found
    assert report.reason == VALUES_ELSEWHERE
