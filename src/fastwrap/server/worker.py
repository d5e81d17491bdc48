"""One worker process: Granian serves the app on a port that all workers share (SO_REUSEPORT).
Started by the supervisor, which writes the settings to its standard input, and whose end is its end."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import signal
import sys
from contextlib import suppress

import msgspec
import uvloop
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server

from fastwrap.errors import FastwrapError
from fastwrap.server.application import App, build
from fastwrap.server.logs import log
from fastwrap.server.metrics import STUCK
from fastwrap.server.rates import Rates
from fastwrap.server.settings import Settings
from fastwrap.server.store import StoreError

READY, REPLACE = b"r", b"x"
"""What a worker tells the supervisor: that requests may come; that it needs to be replaced."""

CANNOT_START = 2
"""The exit code of a worker that cannot work with its settings: another one could not, either."""

MOST_CONNECTIONS = 65_536
"""Of one worker. Idle ones cost no Python, and are closed when their next request does not come."""

BACKLOG = 4_096

GRACE = 20.0
"""Seconds that a page may run on when its time is over, before its thread counts as stuck."""

LOOKS = 1.0
"""Seconds between two looks at the threads."""

SWITCH = 0.0005
"""Seconds for which a thread may keep the lock while another one waits."""

STOPPING = 0.2
"""Seconds between /ready saying that the end is near, and no more connections."""


class Start(msgspec.Struct):
    """What a worker is told."""

    settings: Settings
    rates: int
    """The descriptor of the table of rates."""
    tell: int
    """The descriptor that the supervisor reads."""


class Worker:
    """The one worker of this process."""

    def __init__(self, start: Start) -> None:
        self._settings = start.settings
        self._tell = start.tell
        limits = start.settings.limits
        self._app: App = build(start.settings, Rates(limits.rate, limits.burst, start.rates))
        self._end = asyncio.Event()

    async def run(self) -> None:
        """Serve until a signal, the end of the supervisor, or threads that are stuck."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end.set)
        loop.add_reader(sys.stdin.fileno(), self._supervisor_spoke)
        server = Server(
            self._app,
            address=self._settings.host,
            port=self._settings.port,
            interface=Interfaces.ASGINL,
            http=HTTPModes.http1,
            websockets=False,
            backlog=BACKLOG,
            backpressure=MOST_CONNECTIONS,
            http1_settings=HTTP1Settings(header_read_timeout=int(1000 * self._settings.limits.idle)),
            log_enabled=False,
        )
        await self._app.start()
        serving = asyncio.create_task(server.serve())
        watching = asyncio.create_task(self._watch())
        await asyncio.sleep(0.05)  # the socket listens as soon as the server's task has run
        self._say(READY)
        await self._end.wait()
        self._app.stopping = True
        await asyncio.sleep(STOPPING)
        watching.cancel()
        with suppress(TimeoutError):
            # No more than the time limit: then what was accepted is answered, or will never be.
            async with asyncio.timeout(self._settings.limits.seconds + 1):
                await self._app.finished()
        server.stop()  # type: ignore[no-untyped-call]
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                await serving
        await self._app.close()

    def _supervisor_spoke(self) -> None:
        if not os.read(sys.stdin.fileno(), 1_024):
            self._end.set()

    def _say(self, what: bytes) -> None:
        with suppress(OSError):
            os.write(self._tell, what)

    async def _watch(self) -> None:
        """Ask to be replaced when all threads are stuck."""
        pool = self._app.services.pool
        while True:
            await asyncio.sleep(LOOKS)
            if pool.stuck(GRACE) >= pool.threads:
                log("stuck", threads=pool.threads)
                STUCK.inc()
                self._say(REPLACE)
                return  # the supervisor ends this worker as soon as another one has its place


def main() -> None:
    """Run the worker that standard input describes."""
    line = bytearray()
    while not line.endswith(b"\n"):
        piece = os.read(sys.stdin.fileno(), 1)
        if not piece:
            return
        line += piece
    start = msgspec.json.decode(line, type=Start)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 1 << 20)), hard))

    # The event loop waits for the lock while a page is read in Python: not for long. What is there before the first
    # request stays, and is not looked through for garbage again and again.
    sys.setswitchinterval(SWITCH)
    gc.collect()
    gc.freeze()

    async def serve() -> None:
        try:
            worker = Worker(start)
        except (FastwrapError, StoreError) as error:
            print(f"fastwrap: {error}", file=sys.stderr, flush=True)
            os._exit(CANNOT_START)
        await worker.run()

    uvloop.run(serve())
    sys.stderr.flush()
    os._exit(0)  # a thread that is stuck would keep the process


if __name__ == "__main__":
    main()
