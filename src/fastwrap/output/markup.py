"""Markdown and HTML: tables for people to read. Nothing of the page's text acts as markup.
Only addresses of the web become links."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

from fastwrap.output.table import Field, Table, for_people
from fastwrap.output.values import plain_text

_MARKS = re.compile(r"[\\`*_\[\]<>|~&]")
_BLANKS = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_WEB = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)

_STYLE = (
    "body{font:14px/1.4 system-ui,sans-serif;margin:2em}table{border-collapse:collapse}"
    "th,td{border:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "th{background:#f4f4f4}.n{text-align:right;white-space:nowrap}"
)


def to_markdown(table: Table) -> bytes:
    """A table as Markdown (of GitHub's flavour).

    >>> print(to_markdown(Table((Field("a|b", "text"), Field("n", "integer")), [["*x*", 5], [None, 12]])).decode())
    | a\\|b | n |
    | --- | --: |
    | \\*x\\* | 5 |
    |  | 12 |
    <BLANKLINE>
    """
    table = for_people(table)
    lines = [
        [markdown_text(field.name) for field in table.fields],
        ["--:" if field.is_number else "---" for field in table.fields],
        *([*map(markdown_cell, table.fields, row)] for row in table.rows),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines if line).encode("utf-8", "replace")


def markdown_cell(field: Field, value: Any) -> str:
    """A cell; an address of the web is a link."""
    text = plain_text(value)
    if not text:
        return ""  # most cells of a wide table are empty
    if field.type in ("url", "image") and _WEB.fullmatch(text) and "\\" not in text:
        return f"<{text.replace('|', '%7C').replace('`', '%60')}>"
    return markdown_text(text)


def markdown_text(text: str) -> str:
    """A text in which nothing is markup, in one line."""
    return _MARKS.sub(r"\\\g<0>", _BLANKS.sub(" ", text))


def to_html(table: Table) -> bytes:
    """A table as an HTML page by itself: no scripts, nothing loaded from elsewhere.

    >>> b"<td>&lt;b&gt;</td>" in to_html(Table((Field("a", "text"),), [["<b>"]]))
    True
    """
    return (
        '<!doctype html>\n<html><head><meta charset="utf-8"><title>Records</title>\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f'<meta name="referrer" content="no-referrer"><style>{_STYLE}</style></head><body>\n'
        f"<table>\n{rows_html(table)}</table>\n</body></html>\n"
    ).encode("utf-8", "replace")


def rows_html(table: Table) -> str:
    """The head and the body of a table."""
    table = for_people(table)
    classes = [' class="n"' if field.is_number else "" for field in table.fields]

    def line(tag: str, cells: Iterable[str]) -> str:
        return "".join(f"<{tag}{name}>{cell}</{tag}>" for name, cell in zip(classes, cells, strict=True))

    head = line("th", [html_text(field.name) for field in table.fields])
    body = "".join(f"<tr>{line('td', map(html_cell, table.fields, row))}</tr>\n" for row in table.rows)
    return f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n"


def html_cell(field: Field, value: Any) -> str:
    """A cell; addresses of the web are links, those of pictures too: they are not loaded."""
    if field.type in ("url", "image"):
        addresses = value if isinstance(value, list) else [value]
        if all(isinstance(each, str) and _WEB.fullmatch(each) for each in addresses):
            return "<br>".join(
                f'<a rel="nofollow noopener" href="{html_text(each)}">{html_text(each)}</a>' for each in addresses
            )
    return html_text(plain_text(value))


def html_text(text: str) -> str:
    """A text in which nothing is markup."""
    return html.escape(_BLANKS.sub(" ", text))
