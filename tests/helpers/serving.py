"""Servers for tests: the app within the process, and `fastwrap serve` as processes of its own; and pages of a shop."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2

from fastwrap.server.application import App, build
from fastwrap.server.settings import Settings

T = TypeVar("T")

WOODS = "Ash Beech Cedar Oak Elm Fir Yew Teak Pine Birch Maple Larch Alder Hazel Rowan Aspen".split()

HANG = 300.0
"""Seconds after which a test is taken to hang."""


def shop(start: int = 0, count: int = 6) -> str:
    """A listing of a shop, with these of its things."""
    items = "".join(
        f"<li class=item><a href=/p/{k}>{WOODS[k % 16]} table no. {k}</a> <span class=price>{k + 10}.50 EUR</span>"
        f" <i>{k % 5} in stock</i></li>"
        for k in range(start, start + count)
    )
    return f"<title>Shop</title><nav><a href=/>Home</a></nav><ul class=list>{items}</ul>"


def redesigned(start: int = 0, count: int = 6) -> str:
    """The same listing, after a redesign."""
    items = "".join(
        f"<article class=card><h3><a href=/p/{k}>{WOODS[k % 16]} table no. {k}</a></h3>"
        f"<div><b>{k + 10}.50 EUR</b></div><p>{k % 5} in stock</p></article>"
        for k in range(start, start + count)
    )
    return f"<title>Shop</title><header><a href=/>Home</a></header><div class=grid>{items}</div>"


class Caller:
    """The app, called without a network, on one event loop."""

    def __init__(self, settings: Settings) -> None:
        self.loop = asyncio.new_event_loop()
        self.app: App = build(settings)
        transport = httpx2.ASGITransport(self.app, raise_app_exceptions=False)
        self.client = httpx2.AsyncClient(transport=transport, base_url="http://localhost:8080")
        self.run(self.app.start())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for something on the loop."""

        async def bounded() -> T:
            return await asyncio.wait_for(work, HANG)

        return self.loop.run_until_complete(bounded())

    def __call__(self, method: str, path: str, **keywords: Any) -> httpx2.Response:
        """A request, and its answer."""
        return self.run(self.client.request(method, path, **keywords))

    def get(self, path: str, **keywords: Any) -> httpx2.Response:
        """A GET."""
        return self("GET", path, **keywords)

    def post(self, path: str, **keywords: Any) -> httpx2.Response:
        """A POST."""
        return self("POST", path, **keywords)

    def close(self) -> None:
        """End the app."""
        self.run(self.client.aclose())
        self.run(self.app.close())
        self.loop.close()


@contextmanager
def calling(**keywords: Any) -> Iterator[Caller]:
    """The app of these settings, in memory unless they say where."""
    caller = Caller(Settings(**{"store": ":memory:", **keywords}))
    try:
        yield caller
    finally:
        caller.close()


class Served:
    """`fastwrap serve`, running."""

    def __init__(self, arguments: Sequence[str], folder: Path, environment: dict[str, str] | None = None) -> None:
        self.lines: list[str] = []
        self._said = threading.Condition()
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "fastwrap",
                "serve",
                "--port",
                "0",
                "--store",
                str(folder / "wrappers.db"),
                *arguments,
            ],
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            cwd=folder,
            env={**os.environ, **(environment or {})},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        line = self.wait_for("listening on|fastwrap: ")
        found = re.search(r"http://(\S+):(\d+)", line)
        assert found is not None, self.lines
        self.host, self.port = found[1], int(found[2])
        self.url = f"http://{self.host}:{self.port}"

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._said:
                self.lines.append(line)
                self._said.notify_all()
        with self._said:
            self.lines.append("ended")
            self._said.notify_all()

    def wait_for(self, pattern: str) -> str:
        """The first line on standard error that has a pattern."""
        end = time.monotonic() + HANG
        with self._said:
            while True:
                for line in self.lines:
                    if re.search(pattern, line):
                        return line
                assert "ended" not in self.lines, self.lines
                assert time.monotonic() < end, self.lines
                self._said.wait(1.0)

    def events(self, event: str) -> list[dict[str, Any]]:
        """The lines of the log about an event."""
        parsed = [json.loads(line) for line in list(self.lines) if line.startswith("{")]
        return [line for line in parsed if line["event"] == event]

    def workers(self) -> list[int]:
        """The processes of the workers."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(word) for word in path.read_text().split()]

    def end(self, number: int = signal.SIGTERM) -> int:
        """End the server; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(HANG)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self._reader.join(HANG)
            assert self.process.stderr is not None
            self.process.stderr.close()


@contextmanager
def serving(folder: Path, *arguments: str, environment: dict[str, str] | None = None) -> Iterator[Served]:
    """A server while this is entered."""
    served = Served(arguments, folder, environment)
    try:
        yield served
    finally:
        served.end()
