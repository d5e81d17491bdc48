"""What is written obeys the rules of what is read: whatever was learned is saved, loaded, and reads the same.
What a file cannot hold is left out by `learn`, or refused before anything is written."""

from __future__ import annotations

import json
import os
import pickle
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastwrap import FastwrapError, Wrapper, learn
from fastwrap.wrapper import files, learning
from fastwrap.wrapper.format import MAX_TEXT
from tests.helpers.sites import SITES, shop

ODD = [
    "\ud800",
    "\0",
    "\x1f",
    "\u2028",
    "\ufffe",
    "é" * 50,
    "x" * 400,
    "日" * 301,
    "\ufeff",
    "a\tb",
    "%41",
    "(",
    ")",
    "a/b",
]
"""Parts of names and texts that are hard to write, or too long."""

odd = st.sampled_from(["", "a", "c", *ODD])
tags = st.sampled_from(["b", "i", "a", "p", "ul", "x-y", "x:y", "b(c", "é-x", "x%41", "svg", "n" * 301, "n" * 1001])
attributes = st.one_of(
    st.just(""),
    st.builds(" class='{} {}'".format, odd, odd),
    st.builds(" data-{}='{}'".format, odd, odd),
    st.builds(" {}=1 href='/{}'".format, odd, odd),
)
items = st.lists(st.tuples(tags, attributes, odd), min_size=1, max_size=5)


@st.composite
def listings(draw: st.DrawFn) -> str:
    """A list of anything; records lack some of their items."""
    around, head = draw(st.sampled_from([("ul", "li"), ("div", "p"), ("table", "tr"), ("x-list", "x-row")]))
    parts, name, between = draw(items), draw(odd), draw(odd)
    absent = draw(st.lists(st.integers(0, 40), max_size=8))
    records = []
    for number in range(draw(st.integers(0, 7))):
        shown = (part for place, part in enumerate(parts) if number * len(parts) + place not in absent)
        inner = "".join(f"<{tag}{more}>{text} {number}, x: y</{tag}>" for tag, more, text in shown)
        records.append(f"<{head} class='{name}'>{inner}</{head}>{between}")
    return f"<main class='{draw(odd)}'><{around}>{''.join(records)}</{around}></main>"


def read(wrapper: Wrapper, page: str) -> Any:
    """All that a wrapper says of a page."""
    found = wrapper.extract(page)
    selectors: list[Any] = []
    for language in (wrapper.to_xpath, wrapper.to_css, wrapper.to_scrapy):
        try:
            selectors.append(language(page))
        except FastwrapError as error:
            selectors.append(str(error))
    lists = [
        (region.spans.tolist(), region.texts, [column.name for column in region.columns]) for region in found.regions
    ]
    return lists, found.fit, wrapper.check(page), selectors


@settings(max_examples=150)
@given(
    st.lists(listings(), min_size=1, max_size=2),
    st.sampled_from([None, "", "http://x.example/", "//[", "u" * 300, *ODD]),
    st.none() | listings(),
)
def test_whatever_was_learned_is_written_and_read(pages: list[str], url: str | None, before: str | None) -> None:
    wrapper = learn(pages, url, previous=None if before is None else learn(before))
    text = wrapper.dumps()
    again = Wrapper.loads(text.encode())
    assert again.dumps() == text
    assert (again.url, again.pages, again.limits) == (wrapper.url, wrapper.pages, wrapper.limits)
    for page in pages:
        assert read(again, page) == read(wrapper, page)


@pytest.mark.parametrize(
    ("url", "kept"), [("", None), (None, None), ("http://x/\ud800", "http://x/?"), ("http://é/", "http://é/")]
)
def test_addresses_of_pages(url: str | None, kept: str | None, tmp_path: Path) -> None:
    wrapper = learn(shop(1), url)
    assert wrapper.url == kept
    wrapper.save(tmp_path / "wrapper.json")
    assert Wrapper.load(tmp_path / "wrapper.json").url == kept


UNWRITABLE = {
    "url": replace(learn(shop(1)), url="u" * (MAX_TEXT + 1)),
    "half of a character": replace(learn(shop(1)), url="\ud800"),
    "pages": replace(learn(shop(1)), pages=0),
    "lists": Wrapper(learn(shop(1)).patterns * 200),
}


@pytest.mark.parametrize("name", UNWRITABLE)
def test_what_no_file_can_have_is_not_written(name: str, tmp_path: Path) -> None:
    wrapper = UNWRITABLE[name]
    path = tmp_path / "wrapper.json"
    learn(shop(2)).save(path)
    old = path.read_bytes()
    with pytest.raises(FastwrapError, match="cannot be written"):
        wrapper.dumps()
    with pytest.raises(FastwrapError, match="cannot be written"):
        wrapper.save(path)
    with pytest.raises(FastwrapError, match="cannot be written"):
        pickle.dumps(wrapper)
    assert path.read_bytes() == old
    assert [*tmp_path.iterdir()] == [path]


def test_a_wrapper_that_cannot_be_saved_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "wrapper.json"
    wrapper = learn(shop(1))
    wrapper.save(path)
    old = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        learn(shop(2)).save(path)
    assert path.read_bytes() == old
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_that_would_be_too_long_is_written_without_white_space(monkeypatch: pytest.MonkeyPatch) -> None:
    wrapper = learn(shop(1))
    text = wrapper.dumps()
    monkeypatch.setattr(files, "MAX_CHARACTERS", len(text) - 1)
    short = wrapper.dumps()
    assert len(short) < len(text)
    assert json.loads(short) == json.loads(text)
    assert Wrapper.loads(short).dumps() == short
    monkeypatch.setattr(files, "MAX_CHARACTERS", len(short) - 1)
    with pytest.raises(FastwrapError, match=r"cannot be written: .* more than"):
        wrapper.dumps()


def test_lists_that_are_too_large_for_one_file_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    page = SITES["catalogue"](1)
    whole = learn(page)
    sizes = [len(files.write([pattern], None, 1)) for pattern in whole.patterns]
    assert len(sizes) > 2
    monkeypatch.setattr(learning, "LARGE", 0)
    assert learn(page).dumps() == whole.dumps()
    monkeypatch.setattr(files, "MAX_CHARACTERS", sum(sizes) - 1 + 2 * MAX_TEXT)
    some = learn(page)
    assert some.limits == ("wrapper.names",)
    assert 0 < len(some.patterns) < len(whole.patterns)
    assert some.patterns[0].column_names == whole.patterns[0].column_names
    assert Wrapper.loads(some.dumps()).limits == some.limits


def test_the_size_of_lists_is_told_before_they_are_written() -> None:
    for make in SITES.values():
        wrapper = learn(make(1))
        assert learning.size_of(wrapper.patterns) >= len(wrapper.dumps()) / 4


def test_names_of_columns_that_are_as_long_as_they_may_be() -> None:
    """A new column whose name an old one has gets a number, and is not longer for it."""
    data = json.loads(learn("<ul>" + "".join(f"<li><b>Ash {k}</b></li>" for k in range(5)) + "</ul>").dumps())
    (name,) = data["lists"][0]["template"]["names"]
    name["name"] = "n" * 300
    previous = Wrapper.loads(json.dumps(data))
    page = "<ul>" + "".join(f"<li><b>Ash {k}</b><i class={'n' * 300}>{k}.50 EUR</i></li>" for k in range(5)) + "</ul>"
    wrapper = learn(page, previous=previous)
    assert "n" * 300 in wrapper.patterns[0].column_names
    renamed = replace(previous, patterns=wrapper.patterns)
    again = learn(page.replace("Ash", "Elm"), previous=renamed)
    assert Wrapper.loads(again.dumps()).patterns[0].column_names == again.patterns[0].column_names


# Reading files


def test_directories_devices_and_pipes(tmp_path: Path) -> None:
    with pytest.raises(FastwrapError, match=r"cannot be read.*directory"):
        Wrapper.load(tmp_path)
    with pytest.raises(FastwrapError, match=r"cannot be read.*null"):
        Wrapper.load("a\0b")
    with pytest.raises(FastwrapError, match="not a wrapper"):
        Wrapper.load(os.devnull)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(FastwrapError, match="not a wrapper"):
        Wrapper.load(pipe)  # which nobody writes to
    text = learn(shop(1)).dumps()
    reader, writer = os.pipe()

    def feed() -> None:
        with open(writer, "wb") as stream:
            stream.write(text.encode())

    feeding = threading.Thread(target=feed)
    feeding.start()
    try:
        assert Wrapper.load(f"/dev/fd/{reader}").dumps() == text
    finally:
        feeding.join()
        os.close(reader)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_no_more_is_read_than_a_file_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_CHARACTERS", 1000)
    assert len(files.read_bytes("/dev/zero")) == 4001
    with pytest.raises(FastwrapError, match="more than 1,000 characters"):
        Wrapper.load("/dev/zero")
    with pytest.raises(FastwrapError, match="more than 1,000 characters"):
        Wrapper.loads(" " * 1001)
