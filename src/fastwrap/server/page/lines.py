"""Lines of code that do what the page did: in Python and with curl.
Names and addresses come from strangers' pages: in code they are literals, quoted as the language quotes them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import NamedTuple
from urllib.parse import quote, urlencode

from fastwrap.show.regions import RECORD


class Asked(NamedTuple):
    """What the lines are about."""

    file: str
    """The page, if it is a file; else it is fetched from its address."""
    url: str | None
    saved_as: str
    """What the wrapper is called on the server; its file is called so, too."""
    server: str
    needs_token: bool

    @property
    def wrapper_file(self) -> str:
        """The file of the wrapper."""
        return f"{self.saved_as}.json"

    @property
    def page_file(self) -> str:
        """The file of the page, which is in the folder that the lines are run in."""
        return PurePath(self.file).name


class Place(NamedTuple):
    """Which list is read, and by what."""

    rank: int
    """Which of the regions of the extraction it is; RECORD for the record of a page about one thing."""
    is_main: bool
    """Whether it is the list that the extraction itself gives."""
    names: Mapping[str, str] | None
    """The columns that were chosen, each with its new name; None for those that are there anyway."""
    by_wrapper: bool = False
    """Whether only a wrapper has these columns."""
    can_wrap: bool = True
    """Whether it can have a wrapper."""


def python(asked: Asked, place: Place) -> str:
    """The lines in Python; they leave the records in `rows`.

    >>> asked = Asked("shop.html", "https://shop.example/", "shop", "", False)
    >>> print(python(asked, Place(2, False, {"a": "b"})))
    from pathlib import Path
    <BLANKLINE>
    import fastwrap
    <BLANKLINE>
    found = fastwrap.extract(Path('shop.html'), url='https://shop.example/')
    rows = [{'b': record['a']} for record in found.regions[2]]
    <BLANKLINE>
    """
    source = f"Path({asked.page_file!r})" if asked.file else f"fastwrap.fetch({asked.url!r})"
    address = f", url={asked.url!r}" if asked.file and asked.url else ""
    head = ["from pathlib import Path", ""] if asked.file else []
    if place.by_wrapper:
        body = [
            f"wrapper = fastwrap.Wrapper.load({asked.wrapper_file!r})  # what Save wrapper writes",
            f"rows = wrapper.extract({source}{address}).to_dicts()",
        ]
    else:
        region = "[found.record]" if place.rank == RECORD else f"found.regions[{place.rank}]"
        records = "found" if place.is_main else region
        body = [f"found = fastwrap.extract({source}{address})"]
        if place.names is None:
            body.append("rows = [found.record.to_dict()]" if place.rank == RECORD else f"rows = {records}.to_dicts()")
        else:
            entries = ", ".join(f"{new!r}: record[{old!r}]" for old, new in place.names.items())
            body.append(f"rows = [{{{entries}}} for record in {records}]")
    return "\n".join([*head, "import fastwrap", "", *body, ""])


def curl(asked: Asked, place: Place) -> str:
    """The same with curl: a list that is not the main one, or has columns of its own, by its wrapper, if it can have
    one; else the lines say where in the answer it is.

    >>> print(curl(Asked("shop.html", None, "shop", "http://127.0.0.1:8080", False), Place(0, True, None)))
    curl --data-binary @shop.html -H 'Content-Type: text/html' http://127.0.0.1:8080/v1/extract
    <BLANKLINE>
    """
    token = ' -H "Authorization: Bearer $FASTWRAP_TOKEN"' if asked.needs_token else ""
    query = f"?{urlencode({'url': asked.url})}" if asked.url and asked.file else ""
    if asked.file:
        send = f"--data-binary {shlex.quote('@' + asked.page_file)} -H 'Content-Type: text/html'"
    else:
        send = f"--json {shlex.quote(json.dumps({'url': asked.url}))}"
    plain = place.is_main and place.names is None and not place.by_wrapper
    if plain or not place.can_wrap:
        where = "record" if place.rank == RECORD else f"regions[{place.rank}]"
        head = "" if plain else f"# see {where} in the answer\n"
        return f"{head}curl{token} {send} {shlex.quote(f'{asked.server}/v1/extract{query}')}\n"
    saved = f"{asked.server}/v1/wrappers/{quote(asked.saved_as, safe='')}"
    file = shlex.quote(asked.wrapper_file)
    return (
        f"# {file} is what Save wrapper writes; to put it once is enough\n"
        f"curl{token} -T {file} -H 'Content-Type: application/json' {shlex.quote(saved)}\n"
        f"curl{token} {send} {shlex.quote(f'{saved}/extract{query}')}\n"
    )
