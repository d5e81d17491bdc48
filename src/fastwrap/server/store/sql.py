"""The store in SQL that SQLite and PostgreSQL both read; what they do not share is in a `Database` of each.
Every change is one transaction, and is kept when the method returns."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from fastwrap.errors import FastwrapError
from fastwrap.server.store.migrations import MIGRATIONS
from fastwrap.server.store.records import ANYTHING, ConflictError, Expected, Head, Sited, Version

MOST_OLD = 50
"""Versions of a wrapper that once were current, and are kept."""

MOST_DROPPED = 5
"""Candidates that never became current, and are kept."""

HEAD = "id, current, etag, candidate, site, created, changed"
VERSION = "number, etag, state, origin, sample, created"
OF_ID = "WHERE namespace = ? AND id = ?"


class Transaction(Protocol):
    """A transaction."""

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a query gives."""

    def run(self, sql: str, *values: Any) -> int:
        """Change rows; how many."""


class Database(Protocol):
    """One kind of database: its connections, and what its SQL calls things. Whatever goes wrong is a StoreError."""

    types: dict[str, str]
    """By `real` and `bytes`, the types of columns."""
    locking: str
    """What locks the rows that a SELECT reads."""

    def reading(self) -> AbstractContextManager[Transaction]:
        """A transaction that only reads."""

    def writing(self) -> AbstractContextManager[Transaction]:
        """A transaction that is kept when it is left."""

    def migrating(self) -> AbstractContextManager[Transaction]:
        """One that no other process has at the same time."""

    def close(self) -> None:
        """Close the connections."""


def etag_of(document: bytes) -> str:
    """The entity tag of a document: its hash."""
    return hashlib.sha256(document).hexdigest()[:32]


class SqlStore:
    """The store in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        with database.migrating() as at:
            at.run("CREATE TABLE IF NOT EXISTS fastwrap_schema (version INTEGER NOT NULL)")
            rows = at.rows("SELECT version FROM fastwrap_schema")
            done = rows[0][0] if rows else 0
            if done > len(MIGRATIONS):
                raise FastwrapError("the store was made by a later version of fastwrap")
            for step in MIGRATIONS[done:]:
                for statement in step:
                    at.run(statement.format(**database.types))
            if not rows:
                at.run("INSERT INTO fastwrap_schema VALUES (?)", len(MIGRATIONS))
            elif done < len(MIGRATIONS):
                at.run("UPDATE fastwrap_schema SET version = ?", len(MIGRATIONS))

    def head(self, namespace: str, id: str) -> Head | None:
        """A wrapper; None if there is none."""
        with self._database.reading() as at:
            rows = at.rows(f"SELECT {HEAD} FROM fastwrap_wrapper {OF_ID}", namespace, id)  # noqa: S608
        return Head(*rows[0]) if rows else None

    def heads(self, namespace: str, after: str, most: int) -> list[Head]:
        """The wrappers of a namespace whose ids come after one, in order of their ids."""
        with self._database.reading() as at:
            rows = at.rows(
                f"SELECT {HEAD} FROM fastwrap_wrapper WHERE namespace = ? AND id > ? ORDER BY id LIMIT ?",  # noqa: S608
                namespace, after, most,
            )  # fmt: skip
        return [Head(*row) for row in rows]

    def version(self, namespace: str, id: str, number: int) -> Version | None:
        """A version, with its document."""
        with self._database.reading() as at:
            rows = at.rows(
                f"SELECT {VERSION}, document FROM fastwrap_version {OF_ID} AND number = ?",  # noqa: S608
                namespace, id, number,
            )  # fmt: skip
        return Version(*rows[0])._replace(document=bytes(rows[0][6])) if rows else None

    def versions(self, namespace: str, id: str) -> list[Version]:
        """All versions, without documents, the latest first."""
        with self._database.reading() as at:
            rows = at.rows(
                f"SELECT {VERSION} FROM fastwrap_version {OF_ID} ORDER BY number DESC", namespace, id  # noqa: S608
            )  # fmt: skip
        return [Version(*row) for row in rows]

    def put(
        self,
        namespace: str,
        id: str,
        document: bytes,
        origin: str,
        *,
        expected: Expected = ANYTHING,
        sample: str | None = None,
        sited: Sited | None = None,
    ) -> Version:
        """Keep a new version: the current one, or a candidate if it has a sample."""
        etag, now = etag_of(document), time.time()
        with self._database.writing() as at:
            found = self._locked(at, namespace, id, expected)
            if found is not None and sample is None and found.etag == etag:
                rows = at.rows(
                    f"SELECT {VERSION} FROM fastwrap_version {OF_ID} AND number = ?",  # noqa: S608
                    namespace, id, found.current,
                )  # fmt: skip
                return Version(*rows[0])
            is_candidate = sample is not None and found is not None
            number = 1
            if found is None:
                site, sketch = ("", "") if sited is None else (sited.site, sited.sketch)
                made = at.run(
                    "INSERT INTO fastwrap_wrapper VALUES (?, ?, 1, ?, NULL, 1, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    namespace, id, etag, site or None, sketch, now, now,
                )  # fmt: skip
                if not made:
                    raise ConflictError("it was made at the same time")
                if sited is not None:
                    self._keep_keys(at, namespace, id, sited)
            else:
                number = at.rows(f"SELECT latest FROM fastwrap_wrapper {OF_ID}", namespace, id)[0][0] + 1  # noqa: S608
                self._retire(at, namespace, id, found, is_candidate)
                at.run(
                    "UPDATE fastwrap_wrapper SET current = ?, etag = ?, candidate = ?, latest = ?, changed = ?"  # noqa: S608
                    f" {OF_ID}",
                    *((found.current, found.etag, number) if is_candidate else (number, etag, None)),
                    number, now, namespace, id,
                )  # fmt: skip
            state = "candidate" if is_candidate else "current"
            at.run(
                "INSERT INTO fastwrap_version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                namespace, id, number, etag, state, origin, sample or "", now, document,
            )  # fmt: skip
        return Version(number, etag, state, origin, sample or "", now, is_new=True)

    def _locked(self, at: Transaction, namespace: str, id: str, expected: Expected) -> Head | None:
        """A wrapper, which nobody else changes at the same time; ConflictError if it is not what is expected."""
        locking = self._database.locking
        rows = at.rows(f"SELECT {HEAD} FROM fastwrap_wrapper {OF_ID}{locking}", namespace, id)  # noqa: S608
        found = Head(*rows[0]) if rows else None
        if expected.absent and found is not None:
            raise ConflictError("there is one already")
        if expected.etags and (found is None or not {"*", found.etag} & set(expected.etags)):
            raise ConflictError("there is none" if found is None else f'its ETag is "{found.etag}"')
        return found

    @staticmethod
    def _retire(at: Transaction, namespace: str, id: str, found: Head, is_candidate: bool) -> None:
        """Make place for a new version: what it replaces is old or dropped, and the oldest of these are forgotten."""
        change = f"UPDATE fastwrap_version SET state = ? {OF_ID} AND number = ?"  # noqa: S608
        if found.candidate is not None:
            at.run(change, "dropped", namespace, id, found.candidate)
        if not is_candidate:
            at.run(change, "old", namespace, id, found.current)
        for state, most in (("old", MOST_OLD), ("dropped", MOST_DROPPED)):
            at.run(
                f"DELETE FROM fastwrap_version {OF_ID} AND state = ? AND number NOT IN (SELECT number FROM"  # noqa: S608
                f" fastwrap_version {OF_ID} AND state = ? ORDER BY number DESC LIMIT ?)",
                namespace, id, state, namespace, id, state, most,
            )  # fmt: skip

    def confirm(self, namespace: str, id: str, number: int) -> bool:
        """Make a candidate the current version; False if it is no candidate any more."""
        with self._database.writing() as at:
            found = self._locked(at, namespace, id, ANYTHING)
            if found is None or found.candidate != number:
                return False
            change = f"UPDATE fastwrap_version SET state = ? {OF_ID} AND number = ?"  # noqa: S608
            at.run(change, "old", namespace, id, found.current)
            at.run(change, "current", namespace, id, number)
            at.run(
                "UPDATE fastwrap_wrapper SET current = ?, candidate = NULL, changed = ?, etag ="  # noqa: S608
                f" (SELECT etag FROM fastwrap_version {OF_ID} AND number = ?) {OF_ID}",
                number, time.time(), namespace, id, number, namespace, id,
            )  # fmt: skip
        return True

    def settle(self, namespace: str, id: str, sited: Sited) -> None:
        """Have a wrapper found by pages of a site, as one that was learned from them."""
        with self._database.writing() as at:
            if at.run(
                f"UPDATE fastwrap_wrapper SET site = ?, sketch = ? {OF_ID}",  # noqa: S608
                sited.site, sited.sketch, namespace, id,
            ):  # fmt: skip
                self._keep_keys(at, namespace, id, sited)

    @staticmethod
    def _keep_keys(at: Transaction, namespace: str, id: str, sited: Sited) -> None:
        for key in dict.fromkeys(sited.keys):
            at.run("INSERT INTO fastwrap_site VALUES (?, ?, ?) ON CONFLICT DO NOTHING", namespace, key, id)

    def delete(self, namespace: str, id: str, expected: Expected = ANYTHING) -> bool:
        """Forget a wrapper, with all versions; False if there is none."""
        with self._database.writing() as at:
            if self._locked(at, namespace, id, expected) is None:
                return False
            for table in ("wrapper", "version", "site"):
                at.run(f"DELETE FROM fastwrap_{table} {OF_ID}", namespace, id)  # noqa: S608
        return True

    def of_site(self, namespace: str, keys: Sequence[str]) -> list[tuple[str, str]]:
        """The ids of wrappers that have one of these keys, each with its sketch, the last changed first."""
        if not keys:
            return []
        places = ", ".join("?" * len(keys))
        with self._database.reading() as at:
            rows = at.rows(
                "SELECT w.id, w.sketch FROM fastwrap_wrapper w WHERE w.namespace = ? AND w.id IN (SELECT s.id FROM"  # noqa: S608
                f" fastwrap_site s WHERE s.namespace = ? AND s.key IN ({places})) ORDER BY w.changed DESC LIMIT 100",
                namespace, namespace, *keys,
            )  # fmt: skip
        return [(id, sketch) for id, sketch in rows]

    def ping(self) -> None:
        """Raise StoreError if the store does not answer."""
        with self._database.reading() as at:
            at.rows("SELECT version FROM fastwrap_schema")

    def close(self) -> None:
        """Close the store."""
        self._database.close()
