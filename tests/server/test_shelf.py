"""The wrappers that a process has at hand: what it knows of the store, and how much of it is kept in memory."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from fastwrap.server.problems import Problem
from fastwrap.server.shelf import Shelf
from fastwrap.server.store import Expected, Head, Store, StoreError, open_store


@pytest.fixture
def store() -> Iterator[Store]:
    made = open_store(":memory:")
    yield made
    made.close()


def test_what_is_asked_for_by_many_at_once_is_counted_once(store: Store) -> None:
    async def work() -> None:
        shelf = Shelf(store)
        await shelf.put("n", "a", b"x" * 100, "put")
        kept = await asyncio.gather(*(shelf.kept("n", "a") for _ in range(20)))
        assert {each.document for each in kept} == {b"x" * 100}
        assert shelf._bytes == 100

    asyncio.run(work())


def test_what_was_asked_before_a_change_is_not_believed_after_it(store: Store) -> None:
    class Slow:
        """A store whose answer comes late."""

        def head(self, namespace: str, id: str) -> Head | None:
            found = store.head(namespace, id)
            asked.set()
            put.wait(10)
            return found

        def __getattr__(self, name: str) -> object:
            return getattr(store, name)

    asked, put = threading.Event(), threading.Event()

    async def work() -> None:
        shelf = Shelf(Slow())  # type: ignore[arg-type]
        await shelf.put("n", "a", b"one", "put")
        early = asyncio.create_task(shelf.fresh_head("n", "a"))
        await asyncio.to_thread(asked.wait, 10)
        assert (await shelf.put("n", "a", b"two", "put")).number == 2
        put.set()
        head = await early
        assert head is not None
        assert head.current == 1
        assert (await shelf.kept("n", "a")).document == b"two"
        await shelf.delete("n", "a", Expected())
        with pytest.raises(Problem):
            await shelf.kept("n", "a")

    asyncio.run(work())


def test_clients_are_not_told_where_the_store_is(store: Store, capfd: pytest.CaptureFixture[str]) -> None:
    class Broken:
        def ping(self) -> None:
            raise StoreError("connection to 10.1.2.3 as user wraps failed")

    async def work() -> None:
        with pytest.raises(Problem) as raised:
            await Shelf(Broken()).ping()  # type: ignore[arg-type]
        assert (raised.value.name, raised.value.detail) == ("overloaded", "the store does not answer")
        assert raised.value.headers["Retry-After"]

    asyncio.run(work())
    assert "10.1.2.3" in capfd.readouterr().err
