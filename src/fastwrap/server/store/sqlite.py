"""Wrappers in SQLite: one file, which all workers of a machine share, with a write-ahead log.
Each commit is written through to the disk (synchronous = FULL), so that nothing acknowledged is lost."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from typing import Any

from fastwrap.errors import FastwrapError
from fastwrap.server.store.records import StoreError

WAIT = 20.0
"""Seconds to wait for another process that writes."""


class SqliteTransaction:
    """A transaction of a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a query gives."""
        return self._connection.execute(sql, values).fetchall()

    def run(self, sql: str, *values: Any) -> int:
        """Change rows; how many."""
        with closing(self._connection.execute(sql, values)) as cursor:
            return cursor.rowcount


class Sqlite:
    """The connections of a process to a file, one for each thread."""

    types = {"real": "REAL", "bytes": "BLOB"}  # noqa: RUF012 - as the protocol has it
    locking = ""

    def __init__(self, path: str) -> None:
        # What is in memory is there for the connection that made it alone: threads take turns.
        self._path = path
        self._is_memory = path == ":memory:"
        self._turn = threading.Lock()
        self._all: list[sqlite3.Connection] = []
        self._own = threading.local()
        try:
            self._connection().execute("PRAGMA user_version")
        except sqlite3.Error as error:
            raise FastwrapError(f"the store {path} cannot be opened: {error}") from None

    def _connection(self) -> sqlite3.Connection:
        if self._is_memory and self._all:
            return self._all[0]
        connection: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._path, timeout=WAIT, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            self._own.connection = connection
            self._all.append(connection)
        return connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[SqliteTransaction]:
        if self._is_memory:
            self._turn.acquire()
        try:
            connection = self._connection()
            connection.execute(begin)
            try:
                yield SqliteTransaction(connection)
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise StoreError(f"{type(error).__name__}: {error}") from error
        finally:
            if self._is_memory:
                self._turn.release()

    def reading(self) -> AbstractContextManager[SqliteTransaction]:
        """A transaction that only reads."""
        return self._transaction("BEGIN")

    def writing(self) -> AbstractContextManager[SqliteTransaction]:
        """A transaction that is kept when it is left: no other one writes at the same time."""
        return self._transaction("BEGIN IMMEDIATE")

    migrating = writing

    def close(self) -> None:
        """Close the connections."""
        for connection in self._all:
            connection.close()
        self._all.clear()
