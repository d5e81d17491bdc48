"""Addresses: the base of a page, links made absolute as browsers and urllib do, and the kernel against its twin."""

from __future__ import annotations

import copy
from typing import Any
from urllib.parse import urljoin

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import Page
from fastwrap._core.page import addresses as kernel
from fastwrap.page.addresses import Base, absolute
from tests.reference.page import addresses as plain

PAGE = "https://example.org/shop/list?page=2"
BASES = [("https:", "https://h", "https://h/d/"), ("", "", "")]

odd = st.sampled_from(list("0123456789" * 2 + ".,'’ -/$€%@:#?;\\ abAht wp★☆\xa0\n\t\u2009é漢😀\x1f\x85"))
links = st.one_of(
    st.text(odd, max_size=14),
    st.text(max_size=10),
    st.sampled_from(
        ["http://a.b/c", "www.x.y", "../a", "/a/./b", "//x/y", "mailto:a@b.c", "tel:1", "data:,x", "a.b/c.PNG?d", "#",
         "javascript:f()", "JavaScript:f()", "?a", "#a", "", " ", "a\\b?c\\d", "///x", "http://[", "https://a b"]
    ),
)  # fmt: skip


@settings(max_examples=3000)
@given(found=st.lists(st.none() | links, max_size=12), base=st.sampled_from(BASES))
def test_native_and_plain_resolve_alike(found: list[str | None], base: tuple[str, str, str]) -> None:
    resolved, plain_resolved = list(found), list(found)
    assert kernel.resolve(resolved, *base) == plain.resolve(plain_resolved, *base)
    assert resolved == plain_resolved


def test_bad_arguments_are_refused() -> None:
    wrong: Any = None
    with pytest.raises(TypeError):
        kernel.resolve(wrong, "", "", "")


path_pieces = st.text(st.sampled_from(list("ab./?#=&:-~%")), max_size=12)


@settings(max_examples=2000)
@given(path_pieces, st.sampled_from([PAGE, "http://example.org", "https://example.org/a/b/", "http://h/x;y?z#w"]))
@example("..", PAGE)
def test_addresses_resolve_as_in_urllib(address: str, url: str) -> None:
    resolved = absolute(url, address)
    if resolved is None or ":" in address.partition("/")[0] or "//" in address[1:]:
        return  # urljoin joins empty steps of a path, browsers do not
    # It drops an empty query or fragment.
    assert resolved.replace("?#", "#").rstrip("?#") == urljoin(url, address).replace("?#", "#").rstrip("?#")


def listing(head: str) -> str:
    items = "".join(f"<li><a href=item/{k}><b>Name {k}</b></a> <img src=pic/{k}.png> {k} EUR</li>" for k in range(1, 7))
    return f"<html><head>{head}</head><body><ul>{items}</ul><a href='?page=3'>Next</a></body></html>"


@pytest.mark.parametrize(
    ("url", "head", "base"),
    [
        (PAGE, "", PAGE),
        (PAGE, "<base href='https://cdn.example/x/'>", "https://cdn.example/x/"),
        (PAGE, "<base href=/a/b.html>", "https://example.org/a/b.html"),
        (PAGE, "<base href='../up/'>", "https://example.org/up/"),
        (PAGE, "<base href=//other.example/>", "https://other.example/"),
        (PAGE, "<base target=_top><base href=/a/><base href=/b/>", "https://example.org/a/"),
        (PAGE, "<base href=''><base href=/b/>", PAGE),
        (PAGE, "<base href=' /a/ '>", "https://example.org/a/"),
        # What is no base is passed over, and so is what comes after it.
        (PAGE, "<base href='javascript:alert(1)'><base href=/b/>", PAGE),
        (PAGE, "<base href='data:text/html,x'>", PAGE),
        (PAGE, "<base href='JaVaScRiPt:x'>", PAGE),
        (PAGE, "<base href='http://['>", PAGE),
        (PAGE, "<base href='mailto:a@example.org'>", PAGE),
        (None, "<base href='https://example.org/x/'>", "https://example.org/x/"),
        (None, "<base href=/x/>", "/x/"),
        (None, "<base href=x/>", None),
        (None, "<base href='javascript:0'>", None),
        (None, "", None),
    ],
)  # fmt: skip
def test_the_base_of_a_page_decides_everywhere(url: str | None, head: str, base: str | None) -> None:
    page = Page(listing(head), url)
    assert page.base == base
    assert copy.copy(page).base == base
    assert fastwrap.clean(page).base == base
    found = fastwrap.extract(page, min_confidence=0)
    wanted = [f"item/{k}" if base is None else urljoin(base, f"item/{k}") for k in range(1, 7)]
    assert [record.link for record in found.records] == wanted
    types = [column.type for column in found.regions[0].columns]
    shown = [dict(zip(types, record.values, strict=True)) for record in found.records]
    assert [row["url"] for row in shown] == wanted
    assert [row["image"] for row in shown] == [
        f"pic/{k}.png" if base is None else urljoin(base, f"pic/{k}.png") for k in range(1, 7)
    ]
    foreign = url is not None and not (base or "").startswith("https://example.org/")
    assert found.next_page == (None if foreign else urljoin(base or "", "?page=3"))


def test_a_base_is_remembered_and_unknown_ones_change_nothing() -> None:
    assert Base(None).resolve(["a", "../b", None, "#"]) == ["a", "../b", None, None]
    assert Base("/x/y").resolve(["a", "/b", "../c", "//h/d", "http://h/", "javascript:0", None]) == [
        "/x/a", "/b", "/c", "//h/d", "http://h/", None, None,
    ]  # fmt: skip
