"""`fastwrap content`: the main content of pages, without menus and what else is around it: text, Markdown or JSON."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fastwrap.cli import inputs
from fastwrap.cli.messages import printable
from fastwrap.cli.outputs import Target
from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
    from fastwrap.noise.content import Content

FORMATS = ("text", "md", "json")
SUFFIXES = {"txt": "text", "text": "text", "md": "md", "markdown": "md", "json": "json", "jsonl": "json"}
"""By the suffix of a file, its format."""


class PageOutput(NamedTuple):
    """What one page gave."""

    name: str
    data: bytes
    found: bool
    limits: tuple[str, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap content`."""
    inputs.add_arguments(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to this file, in the format of its suffix; - is standard output"
    )
    parser.add_argument(
        "-f", "--format", choices=FORMATS,
        help="text (the default), md (Markdown), or json: one page per line, with its address, title, language, text"
        " and Markdown",
    )  # fmt: skip
    parser.add_argument("--model", metavar="FILE", help="a model of your own, which fastwrap train made")


def run(options: argparse.Namespace) -> int:
    """Write the content of all inputs; 1 where there was none, 2 where an input failed."""
    from fastwrap.noise.content import content
    from fastwrap.noise.model import Model

    pages = inputs.Inputs(options)
    target = Target(options.output)
    format = chosen_format(options)
    pages.spare(options.output)
    model = None if options.model is None else Model.load(options.model)
    several = len(pages.names) > 1
    to_terminal = not target.is_file and sys.stdout.isatty()
    found = written = 0

    def work(name: str, source: inputs.Source) -> PageOutput:
        said = content(source.page(), model=model)
        text = as_json(said, name, several) if format == "json" else as_text(said, name, several, format)
        if to_terminal:
            text = "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))
        return PageOutput(name, text.encode("utf-8", "replace"), bool(said), said.limits)

    with target:
        for page in pages.each(work):
            between = b"\n" if written and page.data and format != "json" else b""
            target.write(between + page.data, worth=page.found)
            written += bool(page.data)
            found += page.found
            pages.note_limits(page.limits, page.name)
            if not page.found:
                pages.note(f"{page.name}: no content")
    if target.is_file:
        counted = f"{found:,} page{'s' if found != 1 else ''} written to {options.output}"
        pages.note(counted if found else f"{options.output} is not written")
    return pages.exit_code(bool(found))


def chosen_format(options: argparse.Namespace) -> str:
    """The format that was asked for, or that of the suffix of the file."""
    if options.format is not None or options.output in (None, "-"):
        return options.format or "text"
    suffix = Path(options.output).suffix.lstrip(".").lower()
    if suffix not in SUFFIXES:
        raise FastwrapError(
            f"{options.output}: give it one of the suffixes .{', .'.join(SUFFIXES)}, or a format with -f"
        )
    return SUFFIXES[suffix]


def as_text(content: Content, name: str, several: bool, format: str) -> str:
    """The text or the Markdown of a page, below its name if there are several; nothing if it has no content."""
    if not content:
        return ""
    if format == "text":
        return f"==> {printable(name)} <==\n\n{content.text}\n" if several else f"{content.text}\n"
    from fastwrap.noise.inline import escaped

    return f"==> {escaped(printable(name))} \\<==\n\n{content.markdown}\n" if several else f"{content.markdown}\n"


def as_json(content: Content, name: str, several: bool) -> str:
    """One line of JSON."""
    from fastwrap.output.document import encode

    source = {"source": printable(name)} if several else {}
    return encode({**source, **content.to_dict()}).decode("utf-8") + "\n"
