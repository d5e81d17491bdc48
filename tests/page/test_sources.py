"""What a page may be given as, for real: files, responses of clients, trees of parsers; and what is no page."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import os
import random
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bs4
import httpx2
import lxml.etree
import lxml.html
import pytest
import requests
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

import fastwrap
from fastwrap import FastwrapError, Page
from fastwrap.page.kinds import BEGINNINGS, is_binary, is_json, named_instead, other_kind
from fastwrap.page.sources import page_of, pages_of
from tests.helpers.server import Site, answer

WORDS = "ämber bïrch çedar dünë émber".split()
ITEMS = "".join(f"<li><a href=/{k}>{word}</a> <b>{k}.50 EUR</b></li>" for k, word in enumerate(WORDS, 1))
HTML = f"<!doctype html><html><head><title>Woods</title></head><body><ul>{ITEMS}</ul></body></html>"
LATIN = HTML.encode("latin-1")
TEXTS = [[f"/{k}", word, f"{k}.50 EUR"] for k, word in enumerate(WORDS, 1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "woods.html"
    path.write_bytes(HTML.encode())
    return path


def soup(html: str) -> bs4.BeautifulSoup:
    return bs4.BeautifulSoup(html, "html.parser")


SOURCES: dict[str, Callable[[Path], Any]] = {
    "bytes": lambda path: path.read_bytes(),
    "a bytearray": lambda path: bytearray(path.read_bytes()),
    "a memoryview": lambda path: memoryview(path.read_bytes()),
    "a str": lambda path: path.read_text(encoding="utf-8"),
    "a Path": lambda path: path,
    "a file": lambda path: path.open("rb"),
    "a text file": lambda path: path.open(encoding="utf-8"),
    "a stream": lambda path: io.BytesIO(path.read_bytes()),
    "a text stream": lambda path: io.StringIO(path.read_text(encoding="utf-8")),
    "an lxml document": lambda path: lxml.html.document_fromstring(HTML),
    "an lxml tree": lambda path: lxml.html.parse(str(path), lxml.html.HTMLParser(encoding="utf-8")),
    "an lxml element": lambda path: lxml.html.fragment_fromstring(f"<ul>{ITEMS}</ul>"),
    "an etree": lambda path: lxml.etree.HTML(HTML),
    "a selectolax parser": lambda path: LexborHTMLParser(HTML),
    "a selectolax node": lambda path: LexborHTMLParser(HTML).css_first("ul"),
    "a soup": lambda path: soup(HTML),
    "a tag of a soup": lambda path: soup(HTML).ul,
    "a Page": lambda path: Page(HTML),
}


@pytest.fixture
def source(request: pytest.FixtureRequest, path: Path) -> Iterator[Any]:
    made = SOURCES[request.param](path)
    yield made
    if isinstance(made, io.IOBase):
        made.close()


@pytest.mark.parametrize("source", SOURCES, indirect=True)
def test_extract_takes(source: Any) -> None:
    found = fastwrap.extract(source, url="https://a.example/list")
    assert [record.texts for record in found.records] == TEXTS
    assert found.records[0].link == "https://a.example/1"


@pytest.mark.parametrize("source", SOURCES, indirect=True)
def test_learn_takes_one(source: Any) -> None:
    wrapper = fastwrap.learn(source, url="https://a.example/list")
    assert (wrapper.pages, wrapper.url) == (1, "https://a.example/list")
    assert [record.texts for record in wrapper.extract(HTML).records] == TEXTS


def test_learn_takes_several(path: Path) -> None:
    several: tuple[Any, ...] = ([path, HTML], (path, soup(HTML)), iter([HTML, LexborHTMLParser(HTML)]))
    for pages in several:
        assert fastwrap.learn(pages).pages == 2
    assert pages_of({HTML: 1}) == [HTML]


def test_every_door_takes_them(path: Path) -> None:
    wrapper = fastwrap.learn(path)
    wrappers = fastwrap.WrapperSet([wrapper])
    for tree in (LexborHTMLParser(HTML), lxml.html.document_fromstring(HTML), path):
        assert fastwrap.clean(tree).text() == fastwrap.clean(HTML).text()
        assert wrapper.check(tree).fit == 1
        assert wrappers.choose(tree) is wrapper
        assert len(wrappers.extract(tree)) == len(wrapper.extract(tree)) == 5
        assert wrapper.to_css(tree) == wrapper.to_css()
        assert Page.of(tree).text() == Page(HTML).text()


@pytest.mark.parametrize("door", ["extract", "learn", "clean", "wrapper", "wrappers", "check"])
def test_an_encoding_goes_before_all_else(door: str) -> None:
    html = HTML.replace("<title>", "<meta charset=koi8-r><title>").encode("latin-1")
    wrapper = fastwrap.learn(HTML)
    text: Callable[[str | None], str] = {
        "extract": lambda label: fastwrap.extract(html, encoding=label).page.text(),
        "learn": lambda label: fastwrap.learn([html], encoding=label).patterns[0].example.page.text(),  # type: ignore[union-attr]
        "clean": lambda label: fastwrap.clean(html, encoding=label).text(),
        "wrapper": lambda label: wrapper.extract(html, encoding=label).page.text(),
        "wrappers": lambda label: fastwrap.WrapperSet([wrapper]).extract(html, encoding=label).page.text(),
        "check": lambda label: WORDS[0] if wrapper.check(html, encoding=label).fit else "",
    }[door]
    assert WORDS[0] in text("latin1")
    with pytest.raises(FastwrapError, match="no encoding of the web is labelled 'klingon'"):
        text("klingon")


# Responses


@pytest.fixture
def woods(site: Site) -> str:
    site.answers["/woods"] = answer(LATIN, content_type="text/html; charset=ISO-8859-1")
    return site.url + "/woods"


def fetched_by_requests(url: str) -> Any:
    return requests.get(url, timeout=10)


def fetched_by_httpx2(url: str) -> Any:
    return httpx2.get(url, trust_env=False)


def fetched_by_urllib(url: str) -> Any:
    return urllib.request.urlopen(url, timeout=10)  # noqa: S310 - of this machine


def fetched_by_fastwrap(url: str) -> Any:
    return fastwrap.fetch(url, allow_private=True)


@pytest.mark.parametrize("get", [fetched_by_requests, fetched_by_httpx2, fetched_by_urllib, fetched_by_fastwrap])
def test_a_response_brings_its_address_and_its_encoding(get: Callable[[str], Any], woods: str) -> None:
    found = fastwrap.extract(get(woods))
    assert (found.url, found.page.encoding) == (woods, "windows-1252")
    assert [record.texts for record in found.records] == TEXTS
    assert found.records[0].link == woods.replace("woods", "1")
    assert fastwrap.learn(get(woods)).url == woods
    assert fastwrap.extract(get(woods), url="https://b.example/").url == "https://b.example/"
    assert fastwrap.extract(get(woods), encoding="koi8-r").page.encoding == "koi8-r"


def test_responses_that_are_not_whole(woods: str) -> None:
    assert fastwrap.extract(httpx2.Response(200, content=HTML.encode())).url is None  # it answers no request
    with httpx2.stream("GET", woods, trust_env=False) as response:
        with pytest.raises(FastwrapError, match="the page cannot be read: Attempted to access streaming response"):
            fastwrap.extract(response)
        response.read()
        assert len(fastwrap.extract(response)) == 5


def test_what_must_be_awaited() -> None:
    async def read() -> bytes:
        await asyncio.sleep(0)
        return b"<p>x"

    response = SimpleNamespace(url="https://a.example/", read=read)
    with pytest.raises(TypeError, match=r"read\(\) must be awaited"):
        fastwrap.extract(response)


# Strings


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("https://shop.example/pans?page=2", "fastwrap.fetch('https://shop.example/pans?page=2')"),
        (" HTTP://shop.example ", "fastwrap.fetch('HTTP://shop.example')"),
        ("www.shop.example/pans", "fastwrap.fetch('https://www.shop.example/pans')"),
        ("shop.example:8080/pans", "fastwrap.fetch('https://shop.example:8080/pans')"),
        ("page.html", "Path('page.html')"), ("pages/my list.htm", "Path('pages/my list.htm')"),
        ("./page", "Path('./page')"), ("../a/b", "Path('../a/b')"), ("/etc/passwd", "Path('/etc/passwd')"),
        ("~/page.html", "Path('~/page.html')"), (r"C:\pages\list.html", r"Path('C:\\pages\\list.html')"),
        ("export.json", "Path('export.json')"),
    ],
)  # fmt: skip
def test_a_str_that_names_a_page_is_told(text: str, instead: str) -> None:
    calls: list[Callable[[Any], Any]] = [
        fastwrap.extract, fastwrap.learn, fastwrap.clean, Page.of, fastwrap.learn(HTML).extract,
        lambda text: fastwrap.learn([HTML, text]),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(FastwrapError, match=r"a str is HTML, and this one is an? (address|path)") as told:
            call(text)
        assert instead in str(told.value)
        assert isinstance(told.value, ValueError)


@pytest.mark.parametrize(
    "text",
    ["", "word", "Two words.", "either/or", "3.14", "n/a", "a.b", "see page.html for more", "x" * 5_000 + ".html",
     "<p>https://shop.example/", "page.html<br>", "line\npage.html", "1/2/2003", "e.g."],
)  # fmt: skip
def test_other_strings_are_pages(text: str) -> None:
    assert named_instead(text) is None
    assert fastwrap.extract(text).records == []


WATCHED = """
import sys, fastwrap
for call in (fastwrap.extract, fastwrap.learn, fastwrap.clean):
    call("<p>a<p>b<p>c")  # loads all that is loaded once
def watch(event, arguments):
    if event in ("open", "os.listdir", "os.scandir", "socket.connect", "socket.getaddrinfo", "subprocess.Popen"):
        raise SystemExit(f"{event} {arguments}")
found = []
sys.addaudithook(watch)
for text in sys.argv[1:]:
    for call in (fastwrap.extract, fastwrap.learn, fastwrap.clean, fastwrap.Page.of, fastwrap.Page):
        try:
            found.append(call(text))
        except fastwrap.FastwrapError:
            pass
"""


def test_no_str_opens_a_file_or_an_address(path: Path) -> None:
    """Whatever a stranger writes: the process is watched while it looks at the strings."""
    texts = [
        str(path),
        path.name,
        "https://127.0.0.1:9/",
        "//127.0.0.1/x.html",
        "file:///etc/passwd",
        "/dev/zero",
        "-",
        "~",
    ]
    done = subprocess.run([sys.executable, "-c", WATCHED, *texts], cwd=path.parent, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


# Files


def test_files_that_cannot_be_read(tmp_path: Path, path: Path) -> None:
    with pytest.raises(FastwrapError, match=r"the page cannot be read: .*none\.html: No such file"):
        fastwrap.extract(tmp_path / "none.html")
    with pytest.raises(FastwrapError, match=f"the page cannot be read: {tmp_path} is a folder"):
        fastwrap.extract(tmp_path)
    with path.open("rb") as file:
        pass
    with pytest.raises(FastwrapError, match=r"the page cannot be read: .*closed file"):
        fastwrap.extract(file)
    with path.open("ab") as writing, pytest.raises(FastwrapError, match=r"the page cannot be read: .*read"):
        fastwrap.extract(writing)
    path.write_bytes(LATIN)
    with path.open(encoding="utf-8") as file_of_text, pytest.raises(FastwrapError, match=r"not in utf-8: .*'rb'"):
        fastwrap.extract(file_of_text)
    with path.open("rb") as file:
        assert len(fastwrap.extract(file)) == 5


class Named(os.PathLike[str]):
    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


def test_any_path_will_do(path: Path) -> None:
    assert len(fastwrap.extract(Named(path))) == 5


@pytest.mark.parametrize("wrong", [5, None, object(), len, int, [1], 1.5, {"html": "<p>"}, lxml.etree, "<p>".encode])
def test_anything_else_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="a page is bytes, a str of HTML, a Path, an open file, a response, a tree"):
        page_of(wrong)


# What is no page


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_other_kinds_are_named(beginning: bytes, tmp_path: Path) -> None:
    data = beginning + b" and so on, <b>whatever</b> it is"
    path = tmp_path / "page.html"
    path.write_bytes(data)
    for source in (data, path, io.BytesIO(data), bytearray(data)):
        with pytest.raises(FastwrapError) as told:
            fastwrap.extract(source)
        assert f"this is {BEGINNINGS[beginning]}, not HTML" in str(told.value)
    assert str(told.value).startswith("this is ")
    with pytest.raises(FastwrapError, match=r"page\.html: this is "):
        fastwrap.learn(path)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (gzip.compress(HTML.encode()), "gzip data (gzip.decompress unpacks it)"),
        (json.dumps({"html": HTML}).encode(), "JSON"),
        (b"\n [1, 2, {}]\n", "JSON"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "a WebP image"),
        (b"\0\0\0\x20ftypavif", "a video file, or an AVIF or HEIC image"),
        (random.Random(1).randbytes(3_000), "binary data"),
        (bytes(3_000), "binary data"),
    ],
)  # fmt: skip
def test_kinds(data: bytes, kind: str) -> None:
    assert other_kind(data) == kind


def test_json_in_a_str_is_named() -> None:
    with pytest.raises(FastwrapError, match="this is JSON, not HTML"):
        fastwrap.extract(json.dumps([{"a": 1}]))
    assert not is_json("[" * 100_000)
    assert not is_json("{ left: 3 }")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "iso2022_jp"]
)
def test_pages_of_all_encodings_are_pages(encoding: str) -> None:
    html = "日本語の一覧 " * 20 + HTML.translate({ord(letter): "日" for letter in "äïçüëé"})
    assert other_kind(html.encode(encoding)) is None
    assert other_kind(f"{{{{ head }}}} {html}".encode(encoding)) is None


@given(
    st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"]), max_size=300),
    st.sampled_from(["utf-8", "cp1252"]),
)
@example("\x1b$B" * 20, "utf-8")
def test_text_is_not_binary(text: str, encoding: str) -> None:
    assert not is_binary(text.encode(encoding, "replace"))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_page_or_told(data: bytes) -> None:
    kind = other_kind(data)
    if kind is None:
        assert Page.of(data).text() == Page(data).text()
    else:
        with pytest.raises(FastwrapError, match="not HTML"):
            Page.of(data)
