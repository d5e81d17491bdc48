"""Inputs and outputs of batch runs: pages of made-up sites in every kind of file, and the rows that came of them."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

WOODS = "ash beech cedar elm fir larch lime maple oak pine teak walnut yew".split()


def shop_page(number: int, shop: str = "shop", records: int = 8, table: bool = False) -> bytes:
    """A page of a shop; `number` tells it from its others. With `table` it is of another design."""
    random = Random(f"{shop} {number}")
    rows = "".join(
        f'<li class="{shop}-item"><a href="/{shop}/{number}/{k}">{random.choice(WOODS).title()} board {number}-{k}</a>'
        f' <span class="{shop}-price">{random.randint(1, 900)}.{random.randint(10, 99)} EUR</span>'
        f' <em class="{shop}-stock">{random.randint(1, 60)} in stock</em></li>'
        for k in range(records)
    )
    if table:
        for old, new in (("li", "tr"), ("a", "td"), ("span", "th"), ("em", "td")):
            rows = rows.replace(f"<{old} ", f"<{new} ").replace(f"</{old}>", f"</{new}>")
        rows = f"<table><tbody>{rows}</tbody></table>"
    menu = "".join(f"<a href=/{word}>{word}</a> " for word in ("home", "about", "basket"))
    return (
        f"<html><head><title>{shop} {number}</title></head><body><nav>{menu}</nav><main><h1>Boards, page {number}</h1>"
        f'<ul class="{shop}-list">{rows}</ul></main></body></html>'
    ).encode()


def shop_pages(count: int, shop: str = "shop") -> list[tuple[str, bytes]]:
    """Pages of a shop with their addresses."""
    return [(f"https://{shop}.example/list?page={number}", shop_page(number, shop)) for number in range(count)]


def warc_record(url: str, html: bytes, kind: str = "text/html; charset=utf-8", status: str = "200 OK") -> bytes:
    """A response as a WARC has it."""
    http = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(html)}\r\n\r\n".encode() + html
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{abs(hash(url)):032x}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def write_warc(path: Path, pages: Iterable[tuple[str, bytes]]) -> Path:
    """A WARC, each record compressed by itself if its name says .gz or .zst."""
    records = [warc_record(url, html) for url, html in pages]
    if path.suffix == ".gz":
        records = [gzip.compress(record, 1) for record in records]
    elif path.suffix == ".zst":
        import pyarrow

        records = [pyarrow.compress(record, "zstd", asbytes=True) for record in records]
    path.write_bytes(b"".join(records))
    return path


def write_input(folder: Path, kind: str, pages: Sequence[tuple[str, bytes]]) -> Path:
    """The pages in a file, or in a folder, of this kind."""
    if kind == "folder":
        for number, (_, html) in enumerate(pages):
            file = folder / "saved" / f"{number // 7}" / f"{number:05}.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(html)
        return folder / "saved"
    path = folder / f"pages.{kind}"
    lines = "".join(json.dumps({"url": url, "html": html.decode()}) + "\n" for url, html in pages).encode()
    if kind == "whole.warc.gz":
        path.write_bytes(gzip.compress(b"".join(warc_record(*page) for page in pages)))
    elif "warc" in kind:
        write_warc(path, pages)
    elif kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("readme.txt", "no page")
            for number, (_, html) in enumerate(pages):
                archive.writestr(f"saved/{number:05}.html", html)
    elif kind.startswith("tar"):
        with tarfile.open(path, "w:gz" if kind.endswith("gz") else "w") as tar:
            for number, (_, html) in enumerate(pages):
                member = tarfile.TarInfo(f"saved/{number:05}.html")
                member.size = len(html)
                tar.addfile(member, io.BytesIO(html))
    elif kind == "jsonl":
        path.write_bytes(lines)
    elif kind == "jsonl.gz":
        path.write_bytes(gzip.compress(lines))
    elif kind == "jsonl.zst":
        import pyarrow

        path.write_bytes(pyarrow.compress(lines, "zstd", asbytes=True))
    else:
        import pyarrow.parquet

        table = pyarrow.table(
            {"url": [url for url, _ in pages], "html": [html for _, html in pages], "n": [0] * len(pages)}
        )
        pyarrow.parquet.write_table(table, path, row_group_size=10)
    return path


KINDS = [
    "folder", "zip", "tar", "tar.gz", "warc", "warc.gz", "warc.zst", "whole.warc.gz", "jsonl", "jsonl.gz", "jsonl.zst",
    "parquet",
]  # fmt: skip


def rows_of(out: Path, kind: str = "data") -> list[dict[str, Any]]:
    """All rows of an output, in an order of their own."""
    rows: list[dict[str, Any]] = []
    for file in sorted((out / kind).glob("part-*")):
        if file.suffix == ".jsonl":
            rows += map(json.loads, file.read_text(encoding="utf-8").splitlines())
        else:
            import pyarrow.parquet

            rows += pyarrow.parquet.read_table(file).to_pylist()
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True, default=str))


def batch_command(*arguments: str | os.PathLike[str]) -> list[str]:
    """A command line of `fastwrap batch`."""
    return [sys.executable, "-m", "fastwrap.cli", "batch", *[os.fspath(each) for each in arguments]]


def run_batch(*arguments: str | os.PathLike[str]) -> subprocess.CompletedProcess[str]:
    """Run `fastwrap batch` to its end."""
    return subprocess.run(batch_command(*arguments), capture_output=True, text=True, check=False, timeout=300)
