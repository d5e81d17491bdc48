"""Every kind of input gives each of its pages once, wherever its parts are cut; damage is an error, not the end."""

from __future__ import annotations

import gzip
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.batch import pages as limits
from fastwrap.batch.pages import Item, RawPage, fill
from fastwrap.batch.sources import Source, Warc, WholeWarc, names_of, sources_of
from fastwrap.errors import FastwrapError
from tests.helpers.batches import KINDS, shop_pages, warc_record, write_input, write_warc


def pages_in(source: Source, *, jump: bool = False) -> list[list[RawPage]]:
    """The pages of a source, part by part; with `jump` each part is read by a source of its own."""
    parts = []
    start: int | None = 0
    while start is not None:
        reader = next(iter(sources_of([source.name]))) if jump else source
        reach = reader.read(start)
        parts.append(reach.pages)
        start = reach.end
    return parts


@pytest.mark.parametrize("jump", [False, True])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "folder"])
def test_each_page_is_read_once(kind: str, jump: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_PAGES", 7)
    wanted = shop_pages(30)
    source = next(iter(sources_of([str(write_input(tmp_path, kind, wanted))])))
    parts = pages_in(source, jump=jump)
    read = [page for part in parts for page in part]
    assert [page.html for page in read] == [html for _, html in wanted]
    assert not [page for page in read if page.error]
    assert max(map(len, parts)) <= 7
    if kind not in ("zip", "tar", "tar.gz"):
        assert [page.url for page in read] == [url for url, _ in wanted]
    assert len({(page.source, page.position) for page in read}) == 30


def test_folders_are_read_in_order_and_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastwrap.batch.sources.MOST_PAGES", 7)
    wanted = shop_pages(30)
    folder = write_input(tmp_path, "folder", wanted)
    (folder / "0" / "style.css").write_text("no page")
    sources = list(sources_of([str(folder)]))
    assert len(sources) == 5
    assert [page.html for source in sources for page in source.read(0).pages] == [html for _, html in wanted]


def test_a_part_ends_where_its_bytes_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = shop_pages(20)
    source = next(iter(sources_of([str(write_warc(tmp_path / "a.warc.gz", wanted))])))
    monkeypatch.setattr(limits, "MOST_BYTES", 3 * len(wanted[0][1]))
    assert 5 <= len(pages_in(source)) <= 10


def test_which_warcs_can_be_read_from_anywhere(tmp_path: Path) -> None:
    pages = shop_pages(5)
    (several,) = sources_of([str(write_input(tmp_path, "warc.gz", pages))])
    (whole,) = sources_of([str(write_input(tmp_path, "whole.warc.gz", pages))])
    assert isinstance(several, Warc)
    assert isinstance(whole, WholeWarc)


def test_what_is_no_page_in_a_warc_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    records = [
        warc_record("http://a.example/1", b"<p>one"), warc_record("http://a.example/2", b"\x89PNG", "image/png"),
        warc_record("http://a.example/3", b"<p>gone", status="404 Not Found"),
        warc_record("http://a.example/4", b"<p>four"),
    ]  # fmt: skip
    path.write_bytes(b"".join(records))
    (source,) = sources_of([str(path)])
    reach = source.read(0)
    assert [page.html for page in reach.pages] == [b"<p>one", b"<p>four"]
    assert (reach.skipped, reach.end, reach.consumed) == (2, None, path.stat().st_size)


def test_damaged_archives_give_what_they_have_and_an_error(tmp_path: Path) -> None:
    pages = shop_pages(20)
    for kind in ("warc.gz", "whole.warc.gz", "tar.gz", "jsonl.gz", "zip", "parquet"):
        path = write_input(tmp_path, kind, pages)
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
        (source,) = sources_of([str(path)])
        read = [page for part in pages_in(source) for page in part]
        assert len(read) <= 20
        assert [page.error for page in read if page.error], kind
        good = [page for page in read if not page.error]
        assert [page.html for page in good] == [html for _, html in pages[: len(good)]]


def test_rows_that_are_no_pages_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"html": "<p>one", "url": 5}\n\n{"html": 5}\nno json\n[]\n{"html": "<p>\\ud800two"}')
    (source,) = sources_of([str(path)])
    read = source.read(0).pages
    assert [(page.position, bool(page.error)) for page in read] == [
        (0, False),
        (2, True),
        (3, True),
        (4, True),
        (5, True),
    ]
    assert read[0].url is None


def test_large_pages_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastwrap.batch.sources.MAX_PAGE", 1000)
    large = [("http://a.example/1", b"<p>" * 1000), ("http://a.example/2", b"<p>small")]
    for kind in ("folder", "zip", "tar", "warc.gz", "jsonl", "parquet"):
        read = [
            page for source in sources_of([str(write_input(tmp_path, kind, large))]) for page in source.read(0).pages
        ]
        assert [bool(page.error) for page in read] == [True, False], kind
        assert read[0].html == b""


def test_compressed_pages_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>one"))
    (tmp_path / "b.html.gz").write_bytes(b"no gzip")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("x.html.gz", gzip.compress(b"<p>two"))
    first, second, third = (page for source in sources_of([str(tmp_path)]) for page in source.read(0).pages)
    assert (first.html, third.html) == (b"<p>one", b"<p>two")
    assert "cannot be read" in second.error


def broken_gzip(html: bytes) -> bytes:
    """Whole at both ends, and not between: zlib finds that, and has an error of its own for it."""
    data = bytearray(gzip.compress(html))
    data[20:60] = b"\xff" * 40
    return bytes(data)


def test_a_page_that_is_damaged_does_not_keep_the_others_from_being_read(tmp_path: Path) -> None:
    (_, one), (_, two) = shop_pages(2)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.html.gz").write_bytes(broken_gzip(one))
    (folder / "b.html").write_bytes(two)
    with zipfile.ZipFile(tmp_path / "inner.zip", "w") as archive:
        archive.writestr("a.html.gz", broken_gzip(one))
        archive.writestr("b.html", two)
    with tarfile.open(tmp_path / "inner.tar.gz", "w:gz") as tar:
        for name in ("a.html.gz", "b.html"):
            tar.add(folder / name, name)
    with zipfile.ZipFile(tmp_path / "member.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.html", one)
        archive.writestr("b.html", two)
    data = bytearray((tmp_path / "member.zip").read_bytes())
    data[50:90] = b"\xff" * 40
    (tmp_path / "member.zip").write_bytes(data)
    for name in ("folder", "inner.zip", "inner.tar.gz", "member.zip"):
        (source,) = sources_of([str(tmp_path / name)])
        first, second = source.read(0).pages
        assert first.error.startswith("it cannot be read: Error -3 while decompressing"), name
        assert (first.html, second.html, second.error) == (b"", two, ""), name


def test_a_page_of_an_archive_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.html.gz", gzip.compress(b"<p>one" * 1000)[:-12])
        archive.writestr("b.html.gz", gzip.compress(b"<p>two") + gzip.compress(b"<p>three"))
    (source,) = sources_of([str(tmp_path / "a.zip")])
    first, second = source.read(0).pages
    assert "ended before" in first.error
    assert second.html == b"<p>two<p>three"


def test_types_of_content_are_read_in_any_case(tmp_path: Path) -> None:
    record = warc_record("http://a.example/1", b"<p>one", "Text/HTML; charset=utf-8")
    (tmp_path / "a.warc").write_bytes(record)
    (source,) = sources_of([str(tmp_path / "a.warc")])
    assert [page.html for page in source.read(0).pages] == [b"<p>one"]


def test_what_went_away_or_cannot_be_read_is_a_page_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in" / "locked").mkdir(parents=True)
    (tmp_path / "in" / "a.html").write_text("<p>one")
    (tmp_path / "in" / "b.html").symlink_to(tmp_path / "nowhere")
    (source,) = sources_of([str(tmp_path / "in" / "*.html")])
    assert [page.error for page in source.read(0).pages] == ["", "it cannot be read: No such file or directory"]
    scandir = os.scandir

    def refuse(path: str) -> Any:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    (source,) = sources_of([str(tmp_path / "in")])
    read = source.read(0).pages
    assert [Path(page.source).name for page in read] == ["a.html", "locked"]
    assert read[1].error.startswith("it cannot be read: ")


def test_folders_may_be_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(1200):
        os.mkdir("a")
        os.chdir("a")
    Path("b.html").write_text("<p>deep")
    os.chdir(tmp_path)
    try:
        (source,) = sources_of(["a"])
        assert [page.html for page in source.read(0).pages] == [b"<p>deep"]
    finally:  # what pytest removes old folders with goes down by recursion
        os.chdir("a/" * 1200)
        os.unlink("b.html")
        for _ in range(1200):
            os.chdir("..")
            os.rmdir("a")


def test_an_output_that_a_pattern_matches_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>one")
    (tmp_path / "out" / "data").mkdir(parents=True)
    (tmp_path / "out" / "data" / "b.html").write_text("<p>two")
    (tmp_path / "output.html").write_text("<p>three")
    names = list(names_of([str(tmp_path / "*.html"), str(tmp_path / "**")], str(tmp_path / "out")))
    # What two patterns match is read twice, as what is given twice is.
    assert sorted({Path(name).name for name in names}) == ["a.html", "output.html"]


def test_inputs_that_are_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(FastwrapError, match="no such file"):
        list(sources_of([str(tmp_path / "none.html")]))
    with pytest.raises(FastwrapError, match="no such file"):
        list(sources_of([str(tmp_path / "*.html")]))
    with pytest.raises(FastwrapError, match="is no file"):
        list(sources_of(["/dev/null"]))


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 4000))), st.integers(1, 5), st.integers(1, 9000))
def test_parts_are_cut_at_boundaries_alone(items: list[tuple[bool, bool, int]], most: int, size: int) -> None:
    """Whatever the items are, parts put together are the source, and each begins where one may begin."""
    made = [
        Item(place, RawPage("a", place, b"x" * length) if is_page else None, place, is_boundary)
        for place, (is_page, is_boundary, length) in enumerate(items)
    ]
    before = limits.MOST_PAGES, limits.MOST_BYTES
    limits.MOST_PAGES, limits.MOST_BYTES = most, size
    try:
        start: int | None = 0
        read: list[RawPage] = []
        skipped = 0
        while start is not None:
            reach = fill(made[start:], start, len(made))
            read += reach.pages
            skipped += reach.skipped
            if reach.end is not None:
                assert reach.end > start
                assert made[reach.end].is_boundary
            start = reach.end
    finally:
        limits.MOST_PAGES, limits.MOST_BYTES = before
    assert read == [item.page for item in made if item.page is not None]
    assert skipped == len(made) - len(read)
