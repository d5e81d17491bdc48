"""Bad input gives a Page or a FastwrapError: never a crash, another exception, or quadratic time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastwrap
from fastwrap import FastwrapError, Page
from fastwrap._core.common import build_info


def everything(source: bytes | str) -> Page:
    """A Page with all that is computed on first use, and its cleaned form."""
    page = Page(source)
    assert len(page.path_symbol) == len(page.structural_class) == len(page.leafless_class) == len(page)
    cleaned = fastwrap.clean(page)
    assert 0 < len(cleaned) <= len(page)
    page.css_path(len(page) - 1), page.xpath(len(page) - 1)
    return page


@settings(max_examples=300)
@given(st.binary(max_size=400))
def test_any_bytes(source: bytes) -> None:
    everything(source)


@settings(max_examples=200)
@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text(source: str) -> None:
    everything(source)


def test_truncated_anywhere(example: bytes) -> None:
    for end in range(0, len(example), 331):
        everything(example[:end])


@settings(max_examples=100)
@given(st.data())
def test_damaged_anywhere(data: st.DataObject) -> None:
    from tests.conftest import EXAMPLES

    source = bytearray(data.draw(st.sampled_from(EXAMPLES)).read_bytes())
    for _ in range(data.draw(st.integers(1, 20))):
        place = data.draw(st.integers(0, len(source) - 1))
        source[place : place + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    everything(bytes(source))


ADVERSARIAL: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "NUL bytes": lambda: b"\0" * 100_000,
    "one text of 50 MB": lambda: b"<p>" + b"word " * 10_000_000,
    "one text of 50 MB of spaces": lambda: b"<p>" + b" " * 50_000_000 + b"x",
    "a million siblings": lambda: b"<i></i>" * 1_000_000,
    "all-different siblings": lambda: b"".join(b"<p class=c%d></p>" % k for k in range(200_000)),
    "all-different custom tags": lambda: b"".join(b"<x-%d></x-%d>" % (k, k) for k in range(30_000)),
    "all-different attribute names": lambda: b"<p " + b" ".join(b"a%d=1" % k for k in range(5_000)) + b">",
    "10,000 levels": lambda: b"<div>" * 10_000 + b"x",
    "attributes of 10 MB": lambda: b"<p class='%s'>x</p><p class='%s'>" % (b"a" * 10_000_000, b"a" * 10_000_000),
    "unclosed everything": lambda: b"<p><b><font><a href=x>" * 5_000,
    "unclosed comment": lambda: b"<p>x</p><!--" + b"<p>" * 100_000,
    "40,000 options": lambda: b"<select>" + b"<option>x" * 40_000,
    "entities": lambda: b"&nGt;" * 300_000,
}  # fmt: skip


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_adversarial_pages(name: str) -> None:
    everything(ADVERSARIAL[name]())


def test_text_of_the_deepest_node_of_ten_thousand() -> None:
    page = Page(b"<div>" * 10_000 + b"x")
    assert int(page.depth.max()) == 10_002
    assert page.text() == "x"


@pytest.mark.parametrize("tags", [b"<div>", b"<b>", b"<table><td>", b"<x-a>", b"<span>"])
def test_nesting_beyond_the_limit_is_refused(tags: bytes) -> None:
    with pytest.raises(FastwrapError, match="nests"):
        Page(tags * 200_000)


def test_what_takes_too_long_or_too_much_is_refused() -> None:
    with pytest.raises(FastwrapError, match="steps to read"):
        Page(b"<span>" * 10_000 + b"</x>" * 100_000)
    with pytest.raises(FastwrapError, match="never closed"):
        Page(b"<p>" + b"".join(b"<b id=%d>" % k for k in range(5_000)) + b"</p>" + b"<p>x" * 10_000)


@pytest.mark.skipif(build_info.ADDRESS_SANITIZER, reason="AddressSanitizer keeps memory that was freed")
def test_memory_does_not_grow() -> None:
    """10,000 pages in a loop grow the process by less than 5 MB."""
    if not sys.platform.startswith("linux"):
        pytest.skip("reads /proc/self/statm")
    code = """
import fastwrap
from fastwrap.tools.bench.pages import generate
sources = [generate(kind, 300, seed=1) for kind in ("shop", "old", "table")]
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
def loop(times):
    for k in range(times):
        page = fastwrap.Page(sources[k % 3])
        page.path_symbol, page.structural_class
        if k % 10 == 0:
            fastwrap.clean(page)
loop(1_000)
before = resident()
loop(10_000)
print(resident() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 5_000_000
