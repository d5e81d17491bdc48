"""The references that grow: found wherever they are, and all of those that HTML has."""

from __future__ import annotations

from html.entities import html5

from hypothesis import given
from hypothesis import strategies as st

from fastwrap import Page
from fastwrap.page.references import GROWING, spell_out

parts = st.sampled_from(["&", "n", "G", "L", "t", ";", "&nGt;", "&nLt;", "&nGt", "&nGtv;", "é", " "])


@given(st.lists(parts, max_size=30).map("".join))
def test_spelled_out_wherever_they_are(text: str) -> None:
    expected = text.replace("&nGt;", "≫⃒").replace("&nLt;", "≪⃒")
    assert spell_out(text.encode()).decode() == expected


def test_a_page_without_them_is_not_copied() -> None:
    html = b"<p>&amp; &nGt &nLtv; n"
    assert spell_out(html) is html


def test_they_are_all_that_grow() -> None:
    """A reference is a danger when it is shorter than the UTF-8 it stands for."""
    growing = {f"&{name}".encode() for name, text in html5.items() if len(text.encode()) > len(name) + 1}
    assert growing == set(GROWING)


def test_a_page_of_them_survives() -> None:
    assert Page(b"<p title='&nLt;'>" + b"&nGt;" * 300_000).text() == "≫⃒" * 300_000
