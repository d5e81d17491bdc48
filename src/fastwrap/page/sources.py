"""What a page is made of: HTML, a file, the response of a server, or a Page that there is already."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from fastwrap.common.arguments import expect
from fastwrap.errors import FastwrapError
from fastwrap.page.page import Page


class Response(Protocol):
    """What requests, httpx, Scrapy and others give for a page: an address, with the bytes in `content` or `body`."""

    @property
    def url(self) -> Any:
        """The address that it came from."""


HtmlSource: TypeAlias = bytes | str | os.PathLike[str] | Page | Response


def page_of(source: HtmlSource, url: str | None = None) -> Page:
    """The page; `url` is its address, where the source does not know it.

    A str is HTML; files are given as a Path. Of a response the Content-Type header says the encoding.

    >>> from types import SimpleNamespace
    >>> page = page_of(SimpleNamespace(content=b"<p>caf\\xe9", url="https://a.example/", headers={"content-type":
    ...     "text/html; charset=latin-1"}))
    >>> page.text(), page.url
    ('café', 'https://a.example/')
    """
    if isinstance(source, bytes | str):
        return Page(source, url)
    if isinstance(source, Page):
        if url is not None and url != source.url:
            expect(url, str, "url is a str or None")
            raise FastwrapError(f"the page is of {source.url!r}, not of {url!r}: give the address to Page")
        return source
    if isinstance(source, os.PathLike):
        try:
            return Page(Path(source).read_bytes(), url)
        except OSError as error:
            raise FastwrapError(f"the page cannot be read: {error}") from None
    for name in ("content", "body", "text"):
        html = getattr(source, name, None)
        if isinstance(html, bytes | str):
            headers = getattr(source, "headers", None) or {}
            if not callable(getattr(headers, "get", None)):
                raise TypeError(f"the headers of a response are a mapping, not {type(headers).__name__}")
            encoding = headers.get("content-type") or headers.get("Content-Type")
            if isinstance(encoding, bytes):
                encoding = encoding.decode("latin-1")
            address = getattr(source, "url", None)
            return Page(html, url or (None if address is None else str(address)), encoding)
    return Page(source, url)  # type: ignore[arg-type]  # a bytearray, say; others are refused
