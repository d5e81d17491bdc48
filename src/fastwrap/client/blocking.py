"""`fastwrap.Client`: the methods of the library, done by a server.
Its twin for asyncio and trio is in `fastwrap.client.asynchronous`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
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


class Client:
    """A server of fastwrap, with the methods of the library. For several threads; `close` it, or use it with `with`.

    `url` is where the server is, `token` what it knows us by. `timeout` is in seconds for each wait of one request. A
    server that is busy is asked again, as `patience` says.

    >>> Client("ftp://tables.example")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: 'ftp://tables.example' is no address of a server: expected one such as \
http://127.0.0.1:8080
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        patience: Patience | None = None,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        from fastwrap.client.talking import Connection  # needs httpx2

        self._connection = Connection(url, token, timeout, patience or Patience(), transport)
        self.url = str(self._connection.address)

    def __repr__(self) -> str:
        return f"<Client of {self.url}>"

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._connection.close()

    def ask(self, call: Call[T]) -> T:
        """What the server makes of a call (internal: may change)."""
        return self._connection.ask(call)

    def extract(
        self, html: HtmlSource | None, url: str | None = None, method: str = "auto", **options: Unpack[Reading]
    ) -> ReceivedExtraction:
        """Read a page as `fastwrap.extract` does, with its keywords. `html` is None to have the server fetch `url`, if
        it was started so."""
        return self.ask(calls.extract(html, url, {"method": method, **options}))

    def auto_extract(
        self, html: HtmlSource | None, url: str | None = None, **options: Unpack[ReadingByWrapper]
    ) -> ReceivedFromWrapper:
        """Read a page by the wrapper that the server has of its site; it learns one, or heals it, where that is
        needed: `wrapper.happened` says which."""
        return self.ask(calls.extract_by("/v1/auto/extract", html, url, options))

    def content(self, html: HtmlSource | None, url: str | None = None, *, encoding: str | None = None) -> ContentAnswer:
        """The main content of a page: `text`, `markdown`, `title`, `language`, as `fastwrap.content` has them."""
        return self.ask(calls.content(html, url, encoding))

    def methods(self) -> dict[str, str]:
        """The names of the server's methods, each with what it does."""
        return self.ask(calls.methods()).methods

    def learn(
        self, pages: HtmlSource | Iterable[HtmlSource], url: str | None = None, **options: Unpack[Learning]
    ) -> RemoteWrapper:
        """Learn a wrapper as `fastwrap.learn` does. The server keeps it, as `id` if one is given; if there is one of
        this id, columns keep their names, and it has a new version."""
        return RemoteWrapper(self, self.ask(calls.learn(pages, url, options)))

    def wrapper(self, id: str) -> RemoteWrapper:
        """A wrapper that the server has."""
        return RemoteWrapper(self, *self.ask(calls.wrapper_file(id)))

    def wrappers(self) -> Iterator[str]:
        """The ids of the wrappers that the server has."""
        after: str | None = None
        while True:
            found = self.ask(calls.wrappers(after))
            yield from (each.id for each in found.wrappers)
            if found.next is None or found.next == after:
                return
            after = found.next

    def keep(self, id: str, wrapper: Wrapper | str | bytes) -> RemoteWrapper:
        """Have the server keep a wrapper, which may be a file that was read."""
        return RemoteWrapper(self, self.ask(calls.put(id, wrapper)))


class RemoteWrapper:
    """A wrapper that a server has: reads pages there, and can be saved here."""

    def __init__(self, client: Client, learned: LearnedAnswer, file: bytes | None = None) -> None:
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
        return f"<RemoteWrapper {self.id!r}, version {self.version}, at {self._client.url}>"

    def extract(
        self, html: HtmlSource | None, url: str | None = None, **options: Unpack[ReadingByWrapper]
    ) -> ReceivedFromWrapper:
        """Read a page by the current version."""
        return self._client.ask(calls.extract_by(f"{calls.path_of(self.id)}/extract", html, url, options))

    def dumps(self) -> str:
        """The wrapper as the text of a file, which `fastwrap.Wrapper.loads` reads."""
        if self._file is None:
            self._file = self._client.ask(calls.wrapper_file(self.id))[1]
        return self._file.decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the wrapper to a file, which `fastwrap.Wrapper.load` and `fastwrap apply` read."""
        write_beside(path, self.dumps())

    def delete(self) -> None:
        """Have the server forget it, with all versions."""
        self._client.ask(calls.delete(self.id))

    def __reduce__(self) -> Any:
        raise TypeError("a RemoteWrapper belongs to its Client: pickle its id, or what dumps() gives")
