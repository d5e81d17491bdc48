"""`fastwrap.AsyncClient`: the methods of the library, done by a server, for asyncio and trio.
Its twin that waits is in `fastwrap.client.blocking`."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from fastwrap.client import calls
from fastwrap.client.calls import Call, Learning, Reading, ReadingByWrapper
from fastwrap.client.patience import Patience
from fastwrap.client.received import ContentAnswer, LearnedAnswer, ReceivedExtraction, ReceivedFromWrapper
from fastwrap.common.files import write_beside
from fastwrap.page.sources import HtmlSource
from fastwrap.wrapper import Wrapper

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")


class AsyncClient:
    """A server of fastwrap, with the methods of the library, each to be awaited. `aclose` it, or use `async with`.

    The arguments are those of `fastwrap.Client`.

    >>> AsyncClient("https://tables.example", "secret")
    <AsyncClient of https://tables.example>
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        patience: Patience | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        from fastwrap.client.talking import AsyncConnection  # needs httpx2

        self._connection = AsyncConnection(url, token, timeout, patience or Patience(), transport)
        self.url = str(self._connection.address)

    def __repr__(self) -> str:
        return f"<AsyncClient of {self.url}>"

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._connection.aclose()

    async def ask(self, call: Call[T]) -> T:
        """What the server makes of a call (internal: may change)."""
        return await self._connection.ask(call)

    async def extract(
        self, html: HtmlSource | None, url: str | None = None, method: str = "auto", **options: Unpack[Reading]
    ) -> ReceivedExtraction:
        """Read a page as `fastwrap.extract` does, with its keywords. `html` is None to have the server fetch `url`, if
        it was started so."""
        return await self.ask(calls.extract(html, url, {"method": method, **options}))

    async def auto_extract(
        self, html: HtmlSource | None, url: str | None = None, **options: Unpack[ReadingByWrapper]
    ) -> ReceivedFromWrapper:
        """Read a page by the wrapper that the server has of its site; it learns one, or heals it, where that is
        needed: `wrapper.happened` says which."""
        return await self.ask(calls.extract_by("/v1/auto/extract", html, url, options))

    async def content(
        self, html: HtmlSource | None, url: str | None = None, *, encoding: str | None = None
    ) -> ContentAnswer:
        """The main content of a page: `text`, `markdown`, `title`, `language`, as `fastwrap.content` has them."""
        return await self.ask(calls.content(html, url, encoding))

    async def methods(self) -> dict[str, str]:
        """The names of the server's methods, each with what it does."""
        return (await self.ask(calls.methods())).methods

    async def learn(
        self, pages: HtmlSource | Iterable[HtmlSource], url: str | None = None, **options: Unpack[Learning]
    ) -> AsyncRemoteWrapper:
        """Learn a wrapper as `fastwrap.learn` does. The server keeps it, as `id` if one is given; if there is one of
        this id, columns keep their names, and it has a new version."""
        return AsyncRemoteWrapper(self, await self.ask(calls.learn(pages, url, options)))

    async def wrapper(self, id: str) -> AsyncRemoteWrapper:
        """A wrapper that the server has."""
        return AsyncRemoteWrapper(self, *await self.ask(calls.wrapper_file(id)))

    async def wrappers(self) -> AsyncIterator[str]:
        """The ids of the wrappers that the server has."""
        after: str | None = None
        while True:
            found = await self.ask(calls.wrappers(after))
            for each in found.wrappers:
                yield each.id
            if found.next is None or found.next == after:
                return
            after = found.next

    async def keep(self, id: str, wrapper: Wrapper | str | bytes) -> AsyncRemoteWrapper:
        """Have the server keep a wrapper, which may be a file that was read."""
        return AsyncRemoteWrapper(self, await self.ask(calls.put(id, wrapper)))


class AsyncRemoteWrapper:
    """A wrapper that a server has: reads pages there, and can be saved here."""

    def __init__(self, client: AsyncClient, learned: LearnedAnswer, file: bytes | None = None) -> None:
        self._client = client
        self._file = file or bytes(learned.wrapper) or None
        self.id = learned.id or ""
        self.version = learned.version
        """The version that this is of; pages are read by the current one."""
        self.etag = learned.etag
        self.limits = tuple(learned.limits)
        """The budgets that were met while it was learned."""
        self.misfits = tuple(learned.misfits)
        """The pages that it was learned from and does not fit: `page`, `fit`, `why`."""

    def __repr__(self) -> str:
        return f"<AsyncRemoteWrapper {self.id!r}, version {self.version}, at {self._client.url}>"

    async def extract(
        self, html: HtmlSource | None, url: str | None = None, **options: Unpack[ReadingByWrapper]
    ) -> ReceivedFromWrapper:
        """Read a page by the current version."""
        return await self._client.ask(calls.extract_by(f"{calls.path_of(self.id)}/extract", html, url, options))

    async def dumps(self) -> str:
        """The wrapper as the text of a file, which `fastwrap.Wrapper.loads` reads."""
        if self._file is None:
            self._file = (await self._client.ask(calls.wrapper_file(self.id)))[1]
        return self._file.decode()

    async def save(self, path: str | os.PathLike[str]) -> None:
        """Write the wrapper to a file, which `fastwrap.Wrapper.load` and `fastwrap apply` read."""
        write_beside(path, await self.dumps())

    async def delete(self) -> None:
        """Have the server forget it, with all versions."""
        await self._client.ask(calls.delete(self.id))

    def __reduce__(self) -> Any:
        raise TypeError("an AsyncRemoteWrapper belongs to its AsyncClient: pickle its id, or what dumps() gives")
