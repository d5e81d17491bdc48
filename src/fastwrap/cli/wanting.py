"""What a command line wants: names of columns (`--want`), and values of records as people read them (`--example`)."""

from __future__ import annotations

import argparse
import json
import re
from typing import TYPE_CHECKING, Any

from fastwrap.cli.messages import tell

if TYPE_CHECKING:
    from fastwrap.extraction import Extraction

_KEY = re.compile(r"(?:^|,)\s*([^=,]+?)\s*=")


def add_want(parser: argparse.ArgumentParser) -> None:
    """The option of commands that choose columns."""
    parser.add_argument(
        "--want", type=names_of, metavar="NAMES",
        help="just these columns, in this order, such as title,price: found by name, role and type, whatever the page"
        " calls them",
    )  # fmt: skip


def add_example(parser: argparse.ArgumentParser) -> None:
    """The option of commands that learn."""
    parser.add_argument(
        "--example", type=example_of, action="append", metavar="VALUES",
        help="values of one record as they stand on the page, as JSON ({\"title\": \"Milk pan\", \"price\": \"24.90\"})"
        " or as title=Milk pan,price=24.90: learn the list that has them, and these columns; may be given again",
    )  # fmt: skip


def tell_missing(extraction: Extraction, quiet: bool) -> Extraction:
    """The extraction, after saying what it lacks of what was wanted."""
    if extraction.missing and not quiet and (extraction.records or extraction.kind == "detail"):
        tell(f"no column for {', '.join(extraction.missing)}; --columns all shows what there is")
    return extraction


def names_of(text: str) -> list[str]:
    """The names of columns in a list with commas.

    >>> names_of("title, price")
    ['title', 'price']
    """
    names = [" ".join(name.split()) for name in text.split(",")]
    if not all(names):
        raise argparse.ArgumentTypeError("takes names with commas between them, such as title,price")
    return names


def example_of(text: str) -> dict[str, Any]:
    """The values of a record, as JSON or as names and values.

    >>> example_of('{"title": "Milk pan", "price": 24.9}'), example_of("title=Pan, blue, price=24.90")
    ({'title': 'Milk pan', 'price': 24.9}, {'title': 'Pan, blue', 'price': '24.90'})
    """
    if text.lstrip().startswith("{"):
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise argparse.ArgumentTypeError(f"is not JSON: {error}") from None
        return dict(values)
    keys = list(_KEY.finditer(text))
    if not keys or keys[0].start():
        raise argparse.ArgumentTypeError('takes {"title": "Milk pan", "price": "24.90"} or title=Milk pan,price=24.90')
    ends = [key.start() for key in keys[1:]] + [len(text)]
    return {key[1]: text[key.end() : end].strip() for key, end in zip(keys, ends, strict=True)}
