"""The store of wrappers: each has an id in a namespace, versions, and a current one. One interface, two databases.
`open_store` opens the one that a setting names: SQLite by the path of a file, PostgreSQL by its DSN."""

from __future__ import annotations

from fastwrap.server.store.records import Expected, Head, Store, StoreError, Version
from fastwrap.server.store.sql import SqlStore, etag_of

__all__ = ["Expected", "Head", "Store", "StoreError", "Version", "etag_of", "is_postgres", "open_store"]


def is_postgres(where: str) -> bool:
    """Whether a setting is the DSN of PostgreSQL.

    >>> is_postgres("postgresql://me@localhost/wrappers"), is_postgres("host=/run/pg dbname=a"), is_postgres("a.db")
    (True, True, False)
    """
    return where.startswith(("postgresql://", "postgres://")) or "dbname=" in where


def open_store(where: str) -> Store:
    """The store that a setting names, its tables made or brought up to date.

    >>> store = open_store(":memory:")
    >>> version = store.put("default", "shop", b"{}", "put")
    >>> version.number, store.head("default", "shop").current, store.version("default", "shop", 1).document
    (1, 1, b'{}')
    >>> store.close()
    """
    if is_postgres(where):
        from fastwrap.server.store.postgres import Postgres  # which needs psycopg

        return SqlStore(Postgres(where))
    from fastwrap.server.store.sqlite import Sqlite

    return SqlStore(Sqlite(where))
