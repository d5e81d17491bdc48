"""The inputs of a batch run: folders, patterns, files of pages, archives, JSON lines, Parquet.
Each source is read part by part: `read(start)` gives the pages from there on, and where the next part begins."""

from __future__ import annotations

import glob
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

from fastwrap.batch.pages import MAX_PAGE, MOST_BYTES, MOST_PAGES, Item, RawPage, Reach, fill
from fastwrap.errors import FastwrapError

PAGES = (".html", ".htm", ".xhtml", ".shtml", ".html.gz", ".htm.gz")
WARCS = (".warc", ".warc.gz", ".warc.zst")
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst")
LINES = (".jsonl", ".ndjson")
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
PARQUET = (".parquet", ".pq")

MAX_LINE = 1 << 16
"""Bytes of a line in the head of a record."""


class Source(Protocol):
    """Something that pages are read from."""

    name: str
    size: int
    by_worker: bool
    """Whether any process can begin anywhere in it; else one process reads it from its beginning to its end."""

    def read(self, start: int) -> Reach:
        """The part that begins at a position: 0, or the end of another part."""


@dataclass
class Files:
    """Pages that are files of their own, so many as make a part."""

    name: str
    names: list[str]
    size: int
    by_worker: bool = True

    def read(self, start: int) -> Reach:
        """All of them."""
        return Reach([read_file(name) for name in self.names], None, self.size)


def read_file(name: str) -> RawPage:
    """A page from a file of its own."""
    page = RawPage(name, 0)
    try:
        with opened(name) as file:
            return sized(page._replace(html=file.read(MAX_PAGE + 1)))
    except Exception as error:  # whatever decompresses it has errors of its own for data that is damaged
        return unreadable(page, error)


def unreadable(page: RawPage, error: Exception) -> RawPage:
    """The page of which there is no HTML, with the reason."""
    why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return page._replace(error=f"it cannot be read: {why}")


def size_of(name: str) -> int:
    """The bytes of a file; none of one that is no longer there, or cannot be looked at: who reads it says so."""
    try:
        return os.stat(name).st_size
    except OSError:
        return 0


def sized(page: RawPage) -> RawPage:
    """The page; without its HTML, and with an error, if it is too large."""
    if len(page.html) <= MAX_PAGE:
        return page
    return page._replace(html=b"", error=f"it has more than {MAX_PAGE:,} bytes")


@dataclass
class Stream(ABC):
    """A source that is read in order, from its beginning; its parts begin at the numbers of items."""

    name: str
    by_worker: bool = False
    size: int = 0
    _items: Iterator[Item] | None = field(default=None, repr=False)
    _waiting: list[Item] = field(default_factory=list, repr=False)
    _at: int = 0

    def __post_init__(self) -> None:
        self.size = size_of(self.name)

    @abstractmethod
    def items(self, start: int) -> Iterator[Item]:
        """What is in it from item number `start` on."""

    def read(self, start: int) -> Reach:
        """The part that begins with an item; the source is begun again if another part was read before."""
        if self._items is None or self._at != start:
            self._items, self._waiting = guarded(self.items(start), self.name), []
        reach = fill(self._kept(self._items), start, self.size)
        self._at = -1 if reach.end is None else reach.end
        return reach

    def _kept(self, items: Iterator[Item]) -> Iterator[Item]:
        """The items; the last one that was taken waits for the next part, which begins with it."""
        yield from self._waiting
        for item in items:
            self._waiting = [item]
            yield item
        self._waiting = []


def guarded(items: Iterator[Item], name: str) -> Iterator[Item]:
    """The items of a source; where it is damaged, an error in their place, and no more of them."""
    position = offset = 0
    try:
        for item in items:
            position, offset = item.position, item.offset
            yield item
    except FastwrapError as error:
        yield Item(position + 1, RawPage(name, position, error=str(error)), offset)
    except Exception as error:  # each library has errors of its own for data that is damaged
        why = f"it cannot be read any further: {str(error) or type(error).__name__}"
        yield Item(position + 1, RawPage(name, position, error=why), offset)


class Zip(Stream):
    """The pages in a zip file."""

    def items(self, start: int) -> Iterator[Item]:
        """Its members."""
        import zipfile

        with zipfile.ZipFile(self.name) as archive:
            offset = sum(member.compress_size for member in archive.infolist()[:start])
            for number, member in enumerate(islice(archive.infolist(), start, None), start):
                page = None
                if not member.is_dir() and kind_of(member.filename) == "page":
                    page = RawPage(f"{self.name}/{member.filename}", number)
                    try:
                        with archive.open(member) as file:
                            page = sized(page._replace(html=plain(member.filename, file.read(MAX_PAGE + 1))))
                    except Exception as error:  # the next member may be whole
                        page = unreadable(page, error)
                yield Item(number, page, offset)
                offset += member.compress_size


class Tar(Stream):
    """The pages in a tar file, compressed or not."""

    def items(self, start: int) -> Iterator[Item]:
        """Its members."""
        import tarfile

        with open(self.name, "rb") as raw, decompressed(self.name, raw) as file:
            is_plain = file is raw
            with tarfile.open(fileobj=file, mode="r:" if is_plain else "r|") as archive:
                for number, member in enumerate(archive):
                    archive.members = []  # type: ignore[attr-defined]  # or it would keep them all
                    if number < start:
                        continue
                    page = None
                    if member.isfile() and kind_of(member.name) == "page":
                        page = RawPage(f"{self.name}/{member.name}", number)
                        found = archive.extractfile(member)
                        html = b"" if found is None else found.read(MAX_PAGE + 1)
                        try:
                            page = sized(page._replace(html=plain(member.name, html)))
                        except Exception as error:  # of the page, which is compressed by itself; not of the archive
                            page = unreadable(page, error)
                    yield Item(number, page, raw.tell())


class Lines(Stream):
    """JSON lines: an object with `html` and perhaps `url` and `encoding` on each."""

    def items(self, start: int) -> Iterator[Item]:
        """Its lines."""
        with open(self.name, "rb") as raw, decompressed(self.name, raw) as file:
            offset = 0
            for number, line in enumerate(lines_of(file)):
                if number >= start:
                    yield Item(number, page_of_line(self.name, number, line), offset)
                offset = raw.tell()


def lines_of(file: Any) -> Iterator[bytes]:
    """The lines of a file; of one that is too long no more than tells that it is."""
    most = 2 * MAX_PAGE  # JSON has two letters for some
    while line := file.readline(most):
        yield line
        while len(line) == most and not line.endswith(b"\n"):
            line = file.readline(most)


def page_of_line(name: str, number: int, line: bytes) -> RawPage | None:
    """The page on a line; None for a blank one."""
    import msgspec

    if not line.strip():
        return None
    page = RawPage(name, number)
    if len(line) >= 2 * MAX_PAGE:
        return page._replace(error="the line is too long")
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        return page._replace(error=f"the line is no JSON: {error}")
    html = found.get("html") if isinstance(found, dict) else None
    if not isinstance(html, str):
        return page._replace(error="the line is no object with a text html")
    url = found.get("url")
    return sized(page._replace(html=html.encode("utf-8", "replace"), encoding="utf-8", url=text_or_none(url)))


class Parquet(Stream):
    """The rows of a Parquet file with a column `html`, of texts or bytes, and perhaps `url`."""

    def items(self, start: int) -> Iterator[Item]:
        """Its rows."""
        from fastwrap.output.frames import require

        parquet = require("pyarrow.parquet", "arrow")
        # Read bit by bit: a row group may be larger than the memory.
        with parquet.ParquetFile(self.name, pre_buffer=False, buffer_size=1 << 20) as file:
            names = file.schema_arrow.names
            if "html" not in names:
                raise FastwrapError("it has no column html")
            columns = [name for name in ("html", "url") if name in names]
            rows = [file.metadata.row_group(group).num_rows for group in range(file.metadata.num_row_groups)]
            begin = 0
            for group, count in enumerate(rows):
                if begin + count > start:
                    yield from self._rows(file, group, begin, max(start, begin), columns)
                begin += count

    def _rows(self, file: Any, group: int, begin: int, start: int, columns: list[str]) -> Iterator[Item]:
        total = max(1, file.metadata.num_rows)
        number = begin
        for batch in file.iter_batches(64, row_groups=[group], columns=columns, use_threads=False):
            if number + len(batch) <= start:
                number += len(batch)
                continue
            pages, urls = batch.column(0), batch.column(1) if len(columns) > 1 else [None] * len(batch)
            for html, url in zip(pages, urls, strict=True):
                if number >= start:
                    page = page_of_cell(RawPage(self.name, number, url=None if url is None else url.as_py()), html)
                    yield Item(number, page, self.size * number // total)
                number += 1


def page_of_cell(page: RawPage, html: Any) -> RawPage:
    """The page with the HTML of a cell, which is bytes or a text."""
    value = html.as_py()
    page = page._replace(url=text_or_none(page.url))
    if value is None:
        return page._replace(error="the row has no html")
    if isinstance(value, str):
        return sized(page._replace(html=value.encode("utf-8", "replace"), encoding="utf-8"))
    return sized(page._replace(html=value)) if isinstance(value, bytes) else page._replace(error="html is no text")


class WholeWarc(Stream):
    """The pages in a WARC that is compressed as a whole, so that it is read from its beginning."""

    def items(self, start: int) -> Iterator[Item]:
        """Its records."""
        with open(self.name, "rb") as raw:
            for number, record in enumerate(records_of(raw)):
                if number >= start:
                    page = page_of_record(self.name, record)
                    yield Item(number, None if page is None else page._replace(position=number), raw.tell())
        if is_cut_off(self.name, 0):
            raise EOFError("the file ends within a record")


@dataclass
class Warc:
    """The pages in a WARC: responses with HTML. Parts begin at the bytes where records do."""

    name: str
    size: int
    by_worker: bool = True

    def read(self, start: int) -> Reach:
        """The part that begins with the record at a byte."""
        return fill(guarded(self._items(start), self.name), start, self.size)

    def _items(self, start: int) -> Iterator[Item]:
        with open(self.name, "rb") as file:
            file.seek(start)
            before = start
            for record in records_of(file):
                position = record.stream_pos
                yield Item(position, page_of_record(self.name, record), position, position != before)
                before = position
            # fastwarc ends without a word where a file does.
            if is_cut_off(self.name, before):
                raise EOFError("the file ends within a record")


def records_of(file: Any) -> Iterator[Any]:
    """The records of a WARC, from where the file stands, that may be pages."""
    from fastwrap.output.frames import require

    warc = require("fastwarc.warc", "batch")
    kinds = warc.WarcRecordType.response | warc.WarcRecordType.resource
    records: Iterator[Any] = warc.ArchiveIterator(file, record_types=kinds, parse_http=True, auto_decode="all")
    return records


def page_of_record(name: str, record: Any) -> RawPage | None:
    """The page in a record of a WARC; None for anything else, such as an image or a redirection."""
    header = record.http_headers
    if header is not None and header.status_code != 200:
        return None
    kind = (record.http_content_type if header is not None else record.headers.get("Content-Type", "")) or ""
    if not kind.lower().startswith(("text/html", "application/xhtml")):
        return None
    page = RawPage(name, record.stream_pos, url=record.headers.get("WARC-Target-URI", "").strip("<>") or None)
    try:
        html = record.reader.read(MAX_PAGE + 1)
    except Exception as error:  # what has decompressed it says so in its own ways
        return unreadable(page, error)
    is_encoded = header is not None and ("Content-Encoding" in header or "Transfer-Encoding" in header)
    if not is_encoded and len(html) < min(record.content_length, MAX_PAGE):
        return page._replace(error="it cannot be read: the file ends within it")
    charset = record.http_charset if header is not None else None
    return sized(page._replace(html=html, encoding=charset))


def is_cut_off(name: str, position: int) -> bool:
    """Whether a WARC, read from the beginning of a record on, ends within one; False if that cannot be told."""
    with open(name, "rb") as file:
        file.seek(position)
        if name.lower().endswith(".gz"):
            return ends_within_gzip(file)
        if not name.lower().endswith(".warc"):
            return False
        while line := file.readline(MAX_LINE):
            if not line.startswith(b"WARC/"):
                return line.strip() != b""
            length = 0
            while (line := file.readline(MAX_LINE)).strip():
                name_of_line, _, value = line.partition(b":")
                if name_of_line.strip().lower() == b"content-length" and value.strip().isdigit():
                    length = int(value)
            file.seek(length, os.SEEK_CUR)
            if file.read(4) != b"\r\n\r\n":
                return True
    return False


def ends_within_gzip(file: Any) -> bool:
    """Whether a file of members of gzip ends within one of them."""
    import zlib

    unpacked = zlib.decompressobj(31)
    is_begun = False
    waiting = b""
    while data := waiting or file.read(1 << 20):
        is_begun = True
        try:
            unpacked.decompress(data, 1 << 20)
        except zlib.error:
            return True
        waiting = unpacked.unconsumed_tail
        if unpacked.eof:
            waiting = unpacked.unused_data
            unpacked, is_begun = zlib.decompressobj(31), bool(waiting)
    return is_begun


def warc_of(name: str) -> Source:
    """A WARC; which kind of source it is depends on how it was compressed."""
    try:
        with open(name, "rb") as file:
            positions = [record.stream_pos for record in islice(records_of(file), 4)]
    except FastwrapError:
        raise
    except Exception:  # whoever reads it will be told, too, and say where
        positions = []
    if sorted(set(positions)) == positions:
        return Warc(name, size_of(name))
    return WholeWarc(name)


# What is asked for


def check_inputs(inputs: Iterable[str]) -> None:
    """FastwrapError if one of the inputs is not there."""
    for given in inputs:
        if not os.path.exists(given) and not (glob.has_magic(given) and next(glob.iglob(given, recursive=True), None)):
            raise FastwrapError(f"{given}: there is no such file or folder")


def sources_of(inputs: Iterable[str], out: str = "") -> Iterator[Source]:
    """The sources of inputs, in order: those of a folder by their names, without the folder of the output.
    FastwrapError for what is not there."""
    waiting: list[str] = []
    size = 0
    for name in names_of(inputs, out):
        kind = kind_of(name)
        if kind in ("page", ""):
            length = size_of(name)
            if waiting and (len(waiting) == MOST_PAGES or size + length > MOST_BYTES):
                yield Files(waiting[0], waiting, size)
                waiting, size = [], 0
            waiting.append(name)
            size += length
            continue
        if waiting:
            yield Files(waiting[0], waiting, size)
            waiting, size = [], 0
        yield warc_of(name) if kind == "warc" else STREAMS[kind](name)
    if waiting:
        yield Files(waiting[0], waiting, size)


STREAMS: dict[str, type[Stream]] = {"zip": Zip, "tar": Tar, "lines": Lines, "parquet": Parquet}


def names_of(inputs: Iterable[str], out: str) -> Iterator[str]:
    """The names of files: those given, those that patterns match, and in folders, at any depth, those with the suffix
    of something that is read."""
    for given in inputs:
        found: Sequence[str] = [given]
        if not os.path.lexists(given):
            found = sorted(glob.glob(given, recursive=True)) if glob.has_magic(given) else []
            if not found:
                raise FastwrapError(f"{given}: there is no such file")
        for name in found:
            if out and is_within(name, out):
                continue
            if os.path.isdir(name):
                yield from names_in(name, out)
            elif not os.path.exists(name) or stat.S_ISREG(os.stat(name).st_mode):
                yield name  # a link that leads nowhere, too: its row says so
            else:
                raise FastwrapError(f"{name} is no file: a batch run reads files, so that it can go on after a stop")


def is_within(name: str, folder: str) -> bool:
    """Whether a file or folder is a folder itself, or in it."""
    folder = os.path.realpath(folder)
    return os.path.join(os.path.realpath(name), "").startswith(os.path.join(folder, ""))


def names_in(folder: str, out: str) -> Iterator[str]:
    """The files in a folder and those below it that are read, by name; none of the output. A folder that cannot be
    read stands for what is in it: whoever reads it as a page says why."""
    waiting = [(folder, True)]
    while waiting:
        path, is_folder = waiting.pop()
        if not is_folder:
            if kind_of(path) and os.path.isfile(path):
                yield path
            continue
        if out and is_within(path, out):
            continue
        try:
            with os.scandir(path) as entries:
                there = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
        except OSError:
            yield path
            continue
        waiting += [(os.path.join(path, name), inside) for name, inside in reversed(there)]


def kind_of(name: str) -> str:
    """What a file is, by its suffix; "" for one that says nothing.

    >>> [kind_of(name) for name in ("a.HTML", "b.warc.gz", "c.tgz", "d.jsonl.zst", "e.parquet", "f.png")]
    ['page', 'warc', 'tar', 'lines', 'parquet', '']
    """
    name = os.path.basename(name).lower()
    if name.endswith(PAGES):
        return "page"
    if name.endswith(WARCS):
        return "warc"
    if name.endswith(ARCHIVES):
        return "zip" if name.endswith(".zip") else "tar"
    if name.endswith((*LINES, *(lines + suffix for lines in LINES for suffix in COMPRESSED))):
        return "lines"
    return "parquet" if name.endswith(PARQUET) else ""


def opened(name: str) -> Any:
    """A file of a page, open for reading."""
    if name.lower().endswith(".gz"):
        import gzip

        return gzip.open(name, "rb")
    return open(name, "rb")


def plain(name: str, html: bytes) -> bytes:
    """The HTML of a member of an archive, which may be compressed by itself."""
    if not name.lower().endswith(".gz"):
        return html
    import gzip
    import io

    return gzip.GzipFile(fileobj=io.BytesIO(html)).read(MAX_PAGE + 1)


def decompressed(name: str, raw: Any) -> Any:
    """What a file holds, by the suffix of its name; the file itself if that is not compressed."""
    suffix = os.path.splitext(name.lower())[1]
    if suffix in (".gz", ".tgz"):
        import gzip

        return gzip.GzipFile(fileobj=raw, mode="rb")
    if suffix == ".bz2":
        import bz2

        return bz2.BZ2File(raw)
    if suffix == ".xz":
        import lzma

        return lzma.LZMAFile(raw)
    if suffix == ".zst":
        import io

        from fastwrap.output.frames import require

        return io.BufferedReader(require("pyarrow", "arrow").CompressedInputStream(raw, "zstd"), 1 << 20)
    return raw


def text_or_none(value: Any) -> str | None:
    """A text; None for anything else."""
    return value if isinstance(value, str) else None
