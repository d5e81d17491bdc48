"""Wrappers in PostgreSQL, which several machines share (psycopg 3). A connection that was lost is opened anew.
Commits are as durable as the server's `synchronous_commit` says, which is fully unless it was changed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from fastwrap.errors import FastwrapError
from fastwrap.server.store.records import StoreError

try:
    import psycopg
except ImportError as error:
    raise FastwrapError(f"{error.name} is not installed: pip install 'fastwrap[postgres]'") from error

CONNECT = 10
"""Seconds to connect."""

STATEMENT = 20_000
"""Milliseconds of a statement, and of waiting for a lock."""

MIGRATION_LOCK = 7_102_305_011
"""The advisory lock that migrations take: any number, as long as it is ours."""


class PostgresTransaction:
    """A transaction of a connection."""

    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a query gives."""
        return self._connection.execute(translated(sql), values).fetchall()

    def run(self, sql: str, *values: Any) -> int:
        """Change rows; how many."""
        return self._connection.execute(translated(sql), values).rowcount


def translated(sql: str) -> bytes:
    """A statement with the placeholders of psycopg; ours have no other question marks.

    >>> translated("SELECT id FROM a WHERE b = ?")
    b'SELECT id FROM a WHERE b = %s'
    """
    return sql.replace("?", "%s").encode()


class Postgres:
    """The connections of a process to a server, one for each thread."""

    types = {"real": "DOUBLE PRECISION", "bytes": "BYTEA"}  # noqa: RUF012 - as the protocol has it
    locking = " FOR UPDATE"

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._own = threading.local()
        self._all: list[psycopg.Connection[tuple[Any, ...]]] = []
        try:
            self._connection()
        except psycopg.Error as error:
            # The message of the driver names the host and the database, never the password.
            raise FastwrapError(f"the store cannot be opened: {str(error).strip()}") from None

    def _connection(self) -> psycopg.Connection[tuple[Any, ...]]:
        connection: psycopg.Connection[tuple[Any, ...]] | None = getattr(self._own, "connection", None)
        if connection is None or connection.closed or connection.broken:
            if connection is not None:
                self._all.remove(connection)
            connection = psycopg.connect(
                self._dsn,
                autocommit=True,
                connect_timeout=CONNECT,
                options=f"-c statement_timeout={STATEMENT} -c lock_timeout={STATEMENT}",
                application_name="fastwrap",
            )
            self._own.connection = connection
            self._all.append(connection)
        return connection

    @contextmanager
    def _transaction(self) -> Iterator[PostgresTransaction]:
        begun = False
        try:
            connection = self._connection()
            with connection.transaction():
                begun = True
                yield PostgresTransaction(connection)
        except psycopg.Error as error:
            if begun and self._own.connection is not None:
                self._own.connection.close()  # whatever state it is in: the next one is new
            raise StoreError(f"{type(error).__name__}: {str(error).strip()}") from error

    def reading(self) -> AbstractContextManager[PostgresTransaction]:
        """A transaction that only reads."""
        return self._transaction()

    writing = reading

    @contextmanager
    def migrating(self) -> Iterator[PostgresTransaction]:
        """One that no other process has at the same time."""
        with self._transaction() as at:
            at.rows("SELECT pg_advisory_xact_lock(?)", MIGRATION_LOCK)
            yield at

    def close(self) -> None:
        """Close the connections."""
        for connection in self._all:
            connection.close()
        self._all.clear()
