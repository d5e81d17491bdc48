"""The tables, as steps from nothing to what they are now: a store of any earlier version is brought up to date.
A step that has been released is never changed; a new one is appended."""

from __future__ import annotations

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE fastwrap_wrapper (
            namespace TEXT NOT NULL, id TEXT NOT NULL, current INTEGER NOT NULL, etag TEXT NOT NULL,
            candidate INTEGER, latest INTEGER NOT NULL, site TEXT, sketch TEXT NOT NULL,
            created {real} NOT NULL, changed {real} NOT NULL, PRIMARY KEY (namespace, id)
        )
        """,
        """
        CREATE TABLE fastwrap_version (
            namespace TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, etag TEXT NOT NULL, state TEXT NOT NULL,
            origin TEXT NOT NULL, sample TEXT NOT NULL, created {real} NOT NULL, document {bytes} NOT NULL,
            PRIMARY KEY (namespace, id, number)
        )
        """,
        """
        CREATE TABLE fastwrap_site (
            namespace TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (namespace, key, id)
        )
        """,
        "CREATE INDEX fastwrap_site_id ON fastwrap_site (namespace, id)",
    ),
)
