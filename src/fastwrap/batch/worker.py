"""A process that works on parts, and the handle by which another one has it do so.
One that dies or hangs is started again, and the page that it was working on is a row of errors."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from fastwrap.batch.parts import NOTHING, PartWork, Result, Task
from fastwrap.batch.reading import Reading
from fastwrap.errors import FastwrapError, told

MEMORY = 4 << 30
"""Bytes that a process may have: a page that takes more is an error, where the system can see to that."""

IDLE_SECONDS = 600.0
"""Starting, reading a part and writing it may take so long, ..."""

LEARNING = 10
"""... and learning a site so many times as long as a page."""

MOST_STOPS = 3
"""A process that ends so often while it works on no page in particular ends the run."""


class Read(NamedTuple):
    """What is known of a part as soon as it has been read."""

    end: int | None
    consumed: int
    skipped: int


class Stopped(Exception):  # noqa: N818 - no error of the run
    """The process is gone, or was ended because it took too long."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


def serve(connection: Connection, place: Any, folder: str, reading: Reading) -> None:
    """What the process does: work on each part that comes in, until there are none."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    parent = os.getppid()
    work = PartWork(folder, reading)

    def step(code: int) -> None:
        if os.getppid() != parent:
            os._exit(1)  # nobody would hear of the part
        place[0] = code
        place[1] += 1

    with suppress(Exception):  # what fails here does so for each page, and is told then
        work.warm_up()
    try:
        while (message := connection.recv()) is not None:
            task, skip = message
            try:
                step(NOTHING)
                reach = task.read()
                connection.send(Read(reach.end, reach.consumed, reach.skipped))
                connection.send(work.work(task, reach.pages, step, skip))
            except (OSError, FastwrapError, MemoryError) as error:  # such as a full disk
                connection.send(told(error))
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        return


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Processes that are started meanwhile do not see the Ctrl-C of a terminal, which is for all that run in it: who
    has started them ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or the first process would start it, which lets interrupts in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Worker:
    """A process that works on one part at a time: `begin`, then `finish`."""

    def __init__(self, folder: str, reading: Reading) -> None:
        self._folder = folder
        self._reading = reading
        # Not forked: this process has threads, and so have libraries in it.
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._task: Task | None = None
        self._skip: dict[int, str] = {}
        self._stops = 0
        self._is_over = False
        self._changing = threading.Lock()
        """Held while the process is started or ended, which another thread may ask for at any time."""
        self.restarts = 0

    def begin(self, task: Task) -> Read:
        """Have a part read; how far it reaches."""
        self._task, self._skip, self._stops = task, {}, 0
        while True:
            try:
                return self._send()
            except Stopped as stopped:
                self._note(stopped)

    def finish(self) -> Result:
        """What has become of the part."""
        while True:
            try:
                found: Result = self._receive(Result)
                return found
            except Stopped as stopped:
                self._note(stopped)
            while True:
                try:
                    self._send()
                    break
                except Stopped as stopped:
                    self._note(stopped)

    def rest(self) -> None:
        """Nothing: a process that waits is in nobody's way."""

    def close(self, kill: bool = False) -> None:
        """End the process, for good."""
        with self._changing:
            self._is_over = True
            self._end(kill)

    def _end(self, kill: bool) -> None:
        if self._process is None:
            return
        if not kill:
            with suppress(OSError, ValueError):
                self._connection.send(None)
            self._process.join(5)
        self._process.kill()
        self._process.join()
        self._connection.close()
        self._process = None

    def _start(self) -> None:
        with self._changing:
            if self._is_over:
                raise FastwrapError("the run was stopped")
            self._connection, theirs = self._context.Pipe()
            self._place = self._context.RawArray("q", [NOTHING, 0])
            arguments = (theirs, self._place, self._folder, self._reading)
            self._process = self._context.Process(target=serve, args=arguments, daemon=True)
            with interrupts_kept():
                self._process.start()
            theirs.close()

    def _send(self) -> Read:
        if self._process is None:
            self._start()
        try:
            self._connection.send((self._task, self._skip))
        except OSError:
            raise Stopped(NOTHING, "its process ended") from None
        read: Read = self._receive(Read)
        return read

    def _receive(self, expected: type) -> Any:
        """The next message of the process."""
        steps, since = self._place[1], time.monotonic()
        while True:
            try:
                if self._connection.poll(0.5):
                    message = self._connection.recv()
                    if not isinstance(message, expected):
                        raise FastwrapError(f"part {self._task and self._task.number} cannot be worked on: {message}")
                    return message
            except (EOFError, ConnectionError):
                self._process.join(5)
                code = self._process.exitcode
                how = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
                raise Stopped(self._place[0], f"the process that worked on it ended {how}") from None
            if self._place[1] != steps:
                steps, since = self._place[1], time.monotonic()
            elif time.monotonic() - since > (limit := self._seconds(self._place[0])):
                raise Stopped(self._place[0], f"it took longer than {limit:g} seconds")

    def _seconds(self, code: int) -> float:
        seconds = self._reading.page_seconds
        return seconds if code >= 0 else max(seconds, IDLE_SECONDS) if code == NOTHING else LEARNING * seconds

    def _note(self, stopped: Stopped) -> None:
        """Make sure that the process is gone, and that another one will not do the same again."""
        with self._changing:
            self._end(kill=True)
        self.restarts += 1
        if stopped.code == NOTHING:
            self._stops += 1
            if self._stops == MOST_STOPS:
                number = self._task and self._task.number
                raise FastwrapError(f"part {number} cannot be worked on: {stopped}, {MOST_STOPS} times in a row")
        else:
            self._skip[stopped.code] = str(stopped)
