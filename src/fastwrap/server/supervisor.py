"""The supervisor: starts the workers, replaces those that end, and ends them in good order.
It reserves the port, so that no worker is without it, and knows no request."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from types import FrameType

import msgspec
from prometheus_client import multiprocess

from fastwrap.errors import FastwrapError
from fastwrap.server.logs import log
from fastwrap.server.metrics import FOLDER_VARIABLE
from fastwrap.server.rates import Rates
from fastwrap.server.settings import Settings
from fastwrap.server.worker import CANNOT_START, READY, REPLACE, Start

PAUSE = 0.1
"""Seconds before a worker that ended is replaced; doubled for each that ended before it was ready."""

LONGEST_PAUSE = 5.0

FIRST_TRIES = 3
"""So often a worker may end before any was ready: then the server does not work at all."""

ENDING = 5.0
"""Seconds beyond the time limit that workers have to end, before they are killed."""


@dataclass
class Child:
    """A worker process."""

    process: subprocess.Popen[bytes]
    told: int
    """The descriptor that it writes to."""
    ready: bool = False
    replaced: bool = False
    """Whether another one gets, or has, its place."""
    until: float = inf
    """When it is killed, if it has been told to end."""


@dataclass
class Supervisor:
    """The workers of one server."""

    settings: Settings
    _children: list[Child] = field(default_factory=list)
    _failures: int = 0
    _was_ready: bool = False
    _next: float = 0.0
    """When the next worker may be started."""
    _signal: int = 0

    def run(self) -> int:
        """Serve until a signal; the exit code."""
        held = reserve(self.settings.host, self.settings.port)
        self.settings = replace(self.settings, port=held.getsockname()[1])
        folder = tempfile.mkdtemp(prefix="fastwrap-metrics-")
        os.environ[FOLDER_VARIABLE] = folder
        rates = Rates.shared()
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            return self._serve(rates)
        finally:
            self._end()
            for number, handler in before.items():
                signal.signal(number, handler)
            held.close()
            os.close(rates)
            shutil.rmtree(folder, ignore_errors=True)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._signal = number

    def _serve(self, rates: int) -> int:
        told = False
        while not self._signal:
            missing = self.settings.workers - sum(not child.replaced for child in self._children)
            if missing > 0 and time.monotonic() >= self._next:
                self._start(rates)
            self._listen()
            self._bury()
            if self._failures >= FIRST_TRIES and not self._was_ready:
                raise FastwrapError("the workers end before they are ready: see the messages above")
            if not told and sum(child.ready for child in self._children) >= self.settings.workers:
                told = True
                host = f"[{self.settings.host}]" if ":" in self.settings.host else self.settings.host
                print(f"fastwrap: listening on http://{host}:{self.settings.port}", file=sys.stderr, flush=True)
        return 0

    def _start(self, rates: int) -> None:
        reads, writes = os.pipe()
        os.set_blocking(reads, False)
        process = subprocess.Popen(
            [sys.executable, "-m", "fastwrap.server.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=(rates, writes),
            start_new_session=True,  # Ctrl-C is for the supervisor, which ends the workers in order
            env={"MALLOC_ARENA_MAX": "2", **os.environ},
        )
        os.close(writes)
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            process.stdin.write(msgspec.json.encode(Start(self.settings, rates, writes)) + b"\n")
            process.stdin.flush()
        self._children.append(Child(process, reads))

    def _listen(self) -> None:
        """Hear what workers say, for a moment."""
        with selectors.DefaultSelector() as selector:
            for child in self._children:
                selector.register(child.told, selectors.EVENT_READ, child)
            for key, _ in selector.select(0.1):
                child = key.data
                said = os.read(child.told, 16)
                if READY in said:
                    child.ready = self._was_ready = True
                    self._failures = 0
                    for other in self._children:
                        if other.replaced and other.until == inf:
                            other.until = time.monotonic() + self.settings.limits.seconds + ENDING
                            other.process.terminate()
                if REPLACE in said:
                    child.replaced = True
                if not said:
                    time.sleep(0.01)  # it is about to end

    def _bury(self) -> None:
        """Forget the workers that have ended, and kill those that do not."""
        for child in self._children:
            if time.monotonic() > child.until:
                child.process.kill()
        for child in [child for child in self._children if child.process.poll() is not None]:
            self._children.remove(child)
            os.close(child.told)
            multiprocess.mark_process_dead(child.process.pid)  # type: ignore[no-untyped-call]
            if child.replaced or self._signal:
                continue
            self._failures += FIRST_TRIES if child.process.returncode == CANNOT_START else not child.ready
            self._next = time.monotonic() + min(LONGEST_PAUSE, PAUSE * 2**self._failures)
            log("worker ended", worker=child.process.pid, code=child.process.returncode)

    def _end(self) -> None:
        """End all workers: what they have accepted is answered."""
        for child in self._children:
            with suppress(ProcessLookupError):
                child.process.terminate()
        end = time.monotonic() + self.settings.limits.seconds + ENDING
        for child in self._children:
            try:
                child.process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()
            os.close(child.told)


def reserve(host: str, port: int) -> socket.socket:
    """A socket that holds a port for the workers, and never listens; FastwrapError where that cannot be had."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        held = socket.socket(family, socket.SOCK_STREAM)
        try:
            # Without the option, as any other server would: with it, two servers would share the port unseen.
            probe = socket.socket(family, socket.SOCK_STREAM)
            with probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            held.bind(address)
        except BaseException:
            held.close()
            raise
    except OSError as error:
        raise FastwrapError(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None
    return held
