"""`fastwrap show`: a page, what was found on it and why, as one HTML file to look at.
Written also where no list was found: then it is the picture of why."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fastwrap.cli import inputs
from fastwrap.cli.outputs import Target, refusal
from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
    from fastwrap.extraction import Extraction

MAX_NAME = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap show`."""
    inputs.add_arguments(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE.html",
        help="write the view to this file; - is standard output (default: PAGE.view.html in the current folder)",
    )  # fmt: skip
    inputs.add_method(parser)
    parser.add_argument(
        "--online", action="store_true",
        help="let the view load the page's pictures, fonts and style sheets from the web (default: it loads nothing)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Write the views of all inputs; 1 where no list was found, 2 where an input failed."""
    from fastwrap.regions import check_method

    check_method(options.method)
    pages = inputs.Inputs(options)
    files = {name: options.output or view_name(name) for name in pages.names}
    twice = [file for file, times in Counter(files[name] for name in pages.names).items() if times > 1]
    if twice:
        raise FastwrapError(f"several views would be written to {twice[0]}: show one page at a time, with -o")
    pages.spare(*files.values())
    targets = {name: Target(file) for name, file in files.items()}
    records = 0
    for name, extraction, drawn in pages.each(lambda name, source: work(name, source, options)):
        with targets[name] as target:
            target.write(drawn.encode("utf-8", "replace"))
        records += len(extraction.records)
        if extraction.records:
            said = f"{len(extraction.records):,} records, confidence {extraction.confidence:.2f}"
        else:
            said = refusal(extraction) if extraction.regions else "nothing repeats on this page"
        pages.note(f"{name}: {said}{f', view written to {files[name]}' if target.is_file else ''}")
    return pages.exit_code(bool(records))


def work(name: str, source: inputs.Source, options: argparse.Namespace) -> tuple[str, Extraction, str]:
    """Extract from one page, and draw the view: the page's name, what was found, and the HTML."""
    from fastwrap.extraction import extract
    from fastwrap.show import view

    extraction = extract(source.page(), method=options.method)
    return name, extraction, view(source.html, extraction, name="" if name == "-" else name, online=options.online)


def view_name(name: str) -> str:
    """The file that a view is written to if none is named.

    >>> view_name("pages/shop.html"), view_name("https://shop.example/list.php?page=2"), view_name("http://a.example/")
    ('shop.view.html', 'list.view.html', 'a.example.view.html')
    """
    if "://" in name:
        address = urlsplit(name)
        stems = [Path(address.path).stem, address.hostname or ""]
    else:
        stems = [Path(name).stem]
    plain = [re.sub(r"[^\w.-]+", "_", stem).lstrip(".-")[:MAX_NAME] for stem in stems]
    return f"{next(filter(None, plain), 'page')}.view.html"
