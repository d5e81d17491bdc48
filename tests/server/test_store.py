"""The store: the same of SQLite and of PostgreSQL, which the tests start in a folder where it is installed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fastwrap.errors import FastwrapError
from fastwrap.server.store import Store, StoreError, etag_of, open_store
from fastwrap.server.store.migrations import MIGRATIONS
from fastwrap.server.store.records import ConflictError, Expected, Sited
from fastwrap.server.store.sql import MOST_DROPPED, MOST_OLD
from fastwrap.server.store.sqlite import Sqlite


def postgres_folder() -> Path | None:
    """Where the programs of PostgreSQL are."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    if found:
        return found[0].parent
    program = shutil.which("initdb")
    return None if program is None else Path(program).parent


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The DSN of a PostgreSQL of our own."""
    programs = postgres_folder()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql): the store is tested with SQLite alone")
    # Not within the folders of pytest: each of its sessions closes them anew to other users, and PostgreSQL is one.
    folder = Path(tempfile.mkdtemp(prefix="fastwrap-postgres-"))
    user = None
    if os.geteuid() == 0:  # PostgreSQL does not run as root
        user = "postgres" if "postgres" in {each.pw_name for each in pwd.getpwall()} else "nobody"
        shutil.chown(folder, user)

    def run(*command: str) -> None:
        done = subprocess.run(command, user=user, cwd=folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = folder / "data"
    run(str(programs / "initdb"), "-D", str(data), "-U", "wraps", "-A", "trust", "--no-sync", "-E", "UTF8")
    options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off -c max_connections=40"
    control = str(programs / "pg_ctl")
    run(control, "-D", str(data), "-l", str(folder / "log"), "-o", options, "-w", "start")
    try:
        yield f"postgresql://wraps@127.0.0.1:{port}/postgres"
    finally:
        run(control, "-D", str(data), "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        dsn: str = request.getfixturevalue("postgres")
        import psycopg

        with psycopg.connect(dsn, autocommit=True) as connection:
            for table in ("schema", "wrapper", "version", "site"):
                connection.execute(f"DROP TABLE IF EXISTS fastwrap_{table}".encode())
        return dsn
    return ":memory:" if request.param == "memory" else str(tmp_path / "a.db")


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    made = open_store(where)
    yield made
    made.close()


def test_versions(store: Store) -> None:
    first = store.put("n", "a", b"one", "put")
    assert (first.number, first.state, first.is_new) == (1, "current", True)
    again = store.put("n", "a", b"one", "put")
    assert (again.number, again.is_new) == (1, False)
    store.put("n", "a", "zwei – ☃".encode(), "learned")
    head = store.head("n", "a")
    assert head is not None
    assert (head.current, head.candidate, head.etag) == (2, None, etag_of("zwei – ☃".encode()))
    assert [(each.number, each.state, each.document) for each in store.versions("n", "a")] == [
        (2, "current", b""), (1, "old", b""),
    ]  # fmt: skip
    found = store.version("n", "a", 2)
    assert found is not None
    assert found.document == "zwei – ☃".encode()
    assert store.version("n", "a", 3) is None
    assert store.head("n", "b") is None
    assert store.head("m", "a") is None


def test_candidates(store: Store) -> None:
    store.put("n", "a", b"one", "put")
    second = store.put("n", "a", b"two", "healed", sample="s")
    assert (second.number, second.state) == (2, "candidate")
    head = store.head("n", "a")
    assert head is not None
    assert (head.current, head.candidate) == (1, 2)
    store.put("n", "a", b"three", "learned again", sample="t")
    assert not store.confirm("n", "a", 2)
    assert store.confirm("n", "a", 3)
    assert not store.confirm("n", "a", 3)
    assert not store.confirm("n", "b", 1)
    head = store.head("n", "a")
    assert head is not None
    assert (head.current, head.candidate, head.etag) == (3, None, etag_of(b"three"))
    assert [each.state for each in store.versions("n", "a")] == ["current", "dropped", "old"]
    store.put("n", "a", b"four", "healed", sample="u")
    store.put("n", "a", b"five", "put")
    assert [each.state for each in store.versions("n", "a")] == ["current", "dropped", "old", "dropped", "old"]


def test_expectations(store: Store) -> None:
    with pytest.raises(ConflictError):
        store.put("n", "a", b"one", "put", expected=Expected(("*",)))
    store.put("n", "a", b"one", "put", expected=Expected(absent=True))
    with pytest.raises(ConflictError):
        store.put("n", "a", b"two", "put", expected=Expected(absent=True))
    with pytest.raises(ConflictError):
        store.delete("n", "a", Expected(("x",)))
    store.put("n", "a", b"two", "put", expected=Expected(("x", etag_of(b"one"))))
    assert store.delete("n", "a", Expected((etag_of(b"two"),)))
    assert not store.delete("n", "a")
    assert store.versions("n", "a") == []


def test_old_versions_are_bounded(store: Store) -> None:
    for k in range(MOST_OLD + 5):
        store.put("n", "a", b"%d" % k, "put")
    for k in range(MOST_DROPPED + 5):
        store.put("n", "a", b"c%d" % k, "healed", sample="s")
    states = [each.state for each in store.versions("n", "a")]
    assert states.count("old") <= MOST_OLD
    assert states.count("dropped") <= MOST_DROPPED + 1
    assert (states.count("current"), states.count("candidate")) == (1, 1)


def test_lists_and_sites(store: Store) -> None:
    for id in ("b", "a", "c"):
        store.put("n", id, b"x", "learned", sited=Sited("s.example", ["host s.example", f"k {id}"], "sketch"))
    store.put("m", "z", b"x", "put")
    assert [head.id for head in store.heads("n", "", 2)] == ["a", "b"]
    assert [head.id for head in store.heads("n", "b", 2)] == ["c"]
    assert store.of_site("n", ["host s.example", "k a"]) == [("c", "sketch"), ("a", "sketch"), ("b", "sketch")]
    assert store.of_site("n", ["k a"]) == [("a", "sketch")]
    assert store.of_site("n", []) == store.of_site("m", ["k a"]) == []
    store.delete("n", "a")
    assert store.of_site("n", ["k a"]) == []


def test_a_wrapper_is_settled_at_a_site(store: Store) -> None:
    store.settle("n", "none", Sited("x.example", ["host x"], "sketch"))
    assert store.of_site("n", ["host x"]) == []
    store.put("n", "a", b"one", "put")
    for _ in range(2):
        store.settle("n", "a", Sited("x.example", ["host x", "host y"], "sketch"))
    assert store.of_site("n", ["host y"]) == [("a", "sketch")]
    head = store.head("n", "a")
    assert head is not None
    assert head.site == "x.example"
    assert store.delete("n", "a")
    assert store.of_site("n", ["host x"]) == []


def test_many_threads(where: str) -> None:
    if where == ":memory:":
        stores = [open_store(where)] * 2
    else:
        with ThreadPoolExecutor(4) as threads:  # they meet while the tables are made
            stores = list(threads.map(open_store, [where] * 4))

    def work(k: int) -> int:
        while True:
            try:
                return stores[k % len(stores)].put("n", f"w{k % 5}", b"%d" % k, "put").number
            except ConflictError:
                continue  # made at the same time

    with ThreadPoolExecutor(8) as threads:
        numbers = list(threads.map(work, range(100)))
    for name in range(5):
        assert sorted(number for k, number in enumerate(numbers) if k % 5 == name) == list(range(1, 21))
    for each in set(stores):
        each.close()


def test_what_is_kept_is_there_for_others(where: str) -> None:
    if where == ":memory:":
        pytest.skip("a store in memory is its process's own")
    one, other = open_store(where), open_store(where)
    one.put("n", "a", b"one", "put")
    assert other.head("n", "a") == one.head("n", "a")
    one.close()
    third = open_store(where)
    assert third.head("n", "a") is not None
    third.close()
    other.close()


def test_sqlite_writes_through(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "a.db"))
    store.put("n", "a", b"one", "put")
    with sqlite3.connect(tmp_path / "a.db") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    # A process that was killed leaves its log behind: another one finds all in it.
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in tmp_path.glob("a.db*"):
        shutil.copy(file, copy)
    other = open_store(str(copy / "a.db"))
    assert other.head("n", "a") is not None
    other.close()
    store.close()


def test_a_commit_that_fails_leaves_nothing_open(tmp_path: Path) -> None:
    database = Sqlite(str(tmp_path / "a.db"))
    with database.writing() as at:
        at.run("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        at.run("CREATE TABLE b (a INTEGER REFERENCES a DEFERRABLE INITIALLY DEFERRED)")
    database._connection().execute("PRAGMA foreign_keys = ON")
    with pytest.raises(StoreError), database.writing() as at:
        at.run("INSERT INTO b VALUES (1)")  # which only the commit complains of
    with database.writing() as at:
        assert at.rows("SELECT * FROM b") == []
    database.close()


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.db").write_text("no database, but long enough to be looked at" * 30)
    for bad in ("folder", "text.db", "nowhere/a.db"):
        with pytest.raises((FastwrapError, StoreError)):
            open_store(str(tmp_path / bad))


def test_a_later_schema_is_left_alone(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    open_store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE fastwrap_schema SET version = 99")
    connection.close()
    with pytest.raises(FastwrapError, match="later version"):
        open_store(path)
    assert len(MIGRATIONS) < 99


def test_a_lost_connection_is_made_anew(postgres: str) -> None:
    import psycopg

    store = open_store(postgres)
    store.put("lost", "a", b"one", "put")
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fastwrap'")
    with pytest.raises(StoreError):
        store.ping()
    assert store.head("lost", "a") is not None
    store.close()


def test_a_lock_that_is_not_given_back_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastwrap.server.store.sqlite.WAIT", 0.1)
    store = open_store(str(tmp_path / "a.db"))
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        store.put("n", "a", b"one", "put")
    other.execute("ROLLBACK")
    other.close()
    assert store.put("n", "a", b"one", "put").number == 1
    store.close()
