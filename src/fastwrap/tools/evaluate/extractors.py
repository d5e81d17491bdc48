"""Extractors: what is measured. Anything that takes HTML and gives marks is one.
`method` makes one of a method of fastwrap and its options, as they are written on a command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from fastwrap.errors import FastwrapError
from fastwrap.extraction import extract
from fastwrap.tools.evaluate.marks import Marks

Find: TypeAlias = Callable[[bytes], Marks]


@dataclass(frozen=True)
class Extractor:
    """Something that finds records on pages, and what to call it."""

    name: str
    find: Find
    find_uncleaned: Find | None = None
    """For one that removes noise first: the same without that, to tell what was removed."""


def method(written: str, **defaults: Any) -> Extractor:
    """A method of fastwrap as an extractor, from `NAME` or `NAME:option=value,option=value`.

    Options are those of the method and those of `fastwrap.extract` (clean, main, ...); `defaults` hold where
    an option is not written. Raises FastwrapError for a method or an option that does not exist.

    >>> method("mdr:dt")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: mdr:dt: 'dt' is not of the form option=value
    """
    name, _, list_of_options = written.partition(":")
    options = dict(defaults)
    for option in list_of_options.split(",") if list_of_options else ():
        key, equals, text = option.partition("=")
        if not (key and equals):
            raise FastwrapError(f"{written}: {option!r} is not of the form option=value")
        options[key.strip()] = value(text.strip())
    find = with_options(name, options)
    try:
        find(b"<p>")
    except (FastwrapError, TypeError, ImportError) as error:
        # A name or option that is wrong is told here, once.
        raise FastwrapError(f"{written}: {error}") from error
    except Exception:  # noqa: S110 - a fault of the method: it will be counted, page by page
        pass
    uncleaned = with_options(name, {**options, "clean": False}) if options.get("clean") else None
    return Extractor(written, find, uncleaned)


def with_options(method: str, options: Mapping[str, Any]) -> Find:
    """What `fastwrap.extract` finds with these options, as marks."""

    def find(html: bytes) -> Marks:
        found = extract(html, method=method, **options)
        return Marks(found.page, [region.spans.tolist() for region in found.regions], found.confidence)

    return find


def value(text: str) -> Any:
    """The value of an option as it is written: true, false, a number, or else a text.

    >>> value("true"), value("10"), value("0.3"), value("dt")
    (True, 10, 0.3, 'dt')
    """
    try:
        return json.loads(text)
    except ValueError:
        return text
