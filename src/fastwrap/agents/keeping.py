"""What is kept between two calls of a tool: pages, so that an agent sends one only once, and wrappers.
Each caller has its own; what has not been used for longest goes first."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from pathlib import Path
from sys import getsizeof
from typing import Protocol

from fastwrap.agents.bounded import cut
from fastwrap.common.files import write_beside
from fastwrap.common.ids import is_id
from fastwrap.errors import FastwrapError
from fastwrap.wrapper import Wrapper


def checked(id: str) -> str:
    """The name of a wrapper, FastwrapError for what cannot be one: it may be that of a file.

    >>> checked("../a")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: '../a' cannot name a wrapper: letters, digits, and . _ - within
    """
    if not is_id(id):
        raise FastwrapError(f"{cut(id, 100)!r} cannot name a wrapper: letters, digits, and . _ - within")
    return id


class KeptPage:
    """A page as it was given or fetched."""

    def __init__(self, html: str | bytes, url: str | None, encoding: str | None = None) -> None:
        self.html = html
        self.url = url
        self.encoding = encoding
        self.name = ""
        """By which tools are given it again."""


class Shelf:
    """The pages that were read last, each with a name that nobody can guess.

    >>> shelf = Shelf(pages=2)
    >>> names = [shelf.put("me", KeptPage(f"<p>{k}", None)).name for k in range(3)]
    >>> shelf.get("me", names[2]).html, shelf.get("me", names[0]), shelf.get("you", names[2])
    ('<p>2', None, None)
    """

    def __init__(self, pages: int = 64, most: int = 64_000_000) -> None:
        self._pages = pages
        self._most = most
        self._held = 0
        self._by_name: OrderedDict[tuple[str, str], KeptPage] = OrderedDict()

    def put(self, caller: str, page: KeptPage) -> KeptPage:
        """Keep a page, and give it a name."""
        page.name = f"page-{secrets.token_hex(8)}"
        self._by_name[caller, page.name] = page
        self._held += getsizeof(page.html)  # a str may take four bytes for each letter
        while len(self._by_name) > 1 and (len(self._by_name) > self._pages or self._held > self._most):
            self._held -= getsizeof(self._by_name.popitem(last=False)[1].html)
        return page

    def get(self, caller: str, name: str) -> KeptPage | None:
        """The page that a caller was told this name of; None if it is not kept any more."""
        if (page := self._by_name.get((caller, name))) is not None:
            self._by_name.move_to_end((caller, name))
        return page


class Wrappers(Protocol):
    """Where wrappers are kept, each caller's apart."""

    async def put(self, caller: str, id: str, file: str) -> None:
        """Keep the file of a wrapper, in place of the one that has this name."""

    async def get(self, caller: str, id: str) -> str | None:
        """The file of a wrapper; None if there is none of this name."""

    async def names(self, caller: str) -> list[str]:
        """The names of a caller's wrappers, some of them if there are many."""


class WrappersInMemory:
    """Wrappers that are kept as long as the process runs; the last hundred of them."""

    MOST = 100

    def __init__(self) -> None:
        self._files: OrderedDict[tuple[str, str], str] = OrderedDict()

    async def put(self, caller: str, id: str, file: str) -> None:
        """Keep the file of a wrapper."""
        self._files[caller, checked(id)] = file
        while len(self._files) > self.MOST:
            self._files.popitem(last=False)

    async def get(self, caller: str, id: str) -> str | None:
        """The file of a wrapper."""
        return self._files.get((caller, id))

    async def names(self, caller: str) -> list[str]:
        """The names of a caller's wrappers."""
        return [id for who, id in self._files if who == caller][-20:]


class WrappersInFolder:
    """Wrappers in a folder that whoever started the process has named, one file each: `fastwrap apply` reads them. All
    callers share it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    async def put(self, caller: str, id: str, file: str) -> None:
        """Write the file of a wrapper."""
        write_beside(self._folder / f"{checked(id)}.json", file)

    async def get(self, caller: str, id: str) -> str | None:
        """The file of a wrapper."""
        path = self._folder / f"{checked(id)}.json"
        return Wrapper.load(path).dumps() if path.is_file() else None

    async def names(self, caller: str) -> list[str]:
        """The names of the wrappers."""
        return sorted(path.stem for path in self._folder.glob("*.json"))[:20]
