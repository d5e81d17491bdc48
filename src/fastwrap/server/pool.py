"""The threads that read pages: so many at once, so many waiting, each page with a time limit that frees its thread.
Native steps run without the GIL; each has a budget, and after it a page that is out of time is given up."""

from __future__ import annotations

import asyncio
import ctypes
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from fastwrap.server.problems import Problem

P = ParamSpec("P")
T = TypeVar("T")

AGAIN = 0.5
"""Seconds after which a thread is interrupted once more: what runs may have swallowed the first time."""

PENDING = 0.1
"""Seconds that an interrupt may take from being sent to being raised."""


class Interrupted(BaseException):
    """Raised within a thread whose page is out of time."""


class OutOfTimeError(Exception):
    """What comes of a job that was interrupted."""


class Job:
    """A call on one of the threads, which can be interrupted while it runs Python code."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self._lock = threading.Lock()
        self._thread = 0
        self._interrupted = False
        self.started = 0.0
        """When it began, by the monotonic clock; 0 while it waits."""

    def __call__(self) -> Any:
        """Run it; OutOfTimeError if it was interrupted."""
        error: Exception | None = None
        result = None
        try:
            with self._lock:
                self._thread = threading.get_ident()
                self.started = time.monotonic()
            try:
                result = self._call()
            except Exception as raised:
                error = raised
            with self._lock:
                self._thread = 0  # nobody interrupts the thread from here on
            # What was sent a moment ago is raised here, and not in whatever the thread does next.
            end = time.monotonic() + PENDING
            while self._interrupted and time.monotonic() < end:
                time.sleep(0)
        except Interrupted:
            raise OutOfTimeError from None
        if error is not None:
            raise error
        return result

    def interrupt(self) -> None:
        """Raise Interrupted in the thread of the job, as soon as it runs Python code again."""
        with self._lock:
            if self._thread:
                self._interrupted = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Interrupted))


class Pool:
    """The threads of one worker process, used from its event loop."""

    def __init__(self, threads: int, queue: int, seconds: float) -> None:
        self.threads = threads
        self.seconds = seconds
        self._capacity = threads + queue
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="pages")
        self._jobs: dict[Job, Future[Any]] = {}
        self._usual = 0.05
        """Seconds that a page takes, on the average of the last ones."""

    def __len__(self) -> int:
        """Jobs that wait or run."""
        return len(self._jobs)

    @property
    def running(self) -> int:
        """Jobs that run."""
        return sum(job.started > 0 for job in self._jobs)

    def stuck(self, grace: float) -> int:
        """Jobs that still run so many seconds after their time is over."""
        late = time.monotonic() - self.seconds - grace
        return sum(0 < job.started < late for job in self._jobs)

    async def room(self) -> None:
        """Wait until a job may wait for its turn, rather than have it refused."""
        while len(self._jobs) >= self._capacity:
            await asyncio.sleep(AGAIN / 10)

    async def run(self, function: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T:
        """Call a function on a thread; Problem where there is no room or no time for it."""
        if len(self._jobs) >= self._capacity:
            wait = max(1, round(self._usual * len(self._jobs) / self.threads))
            raise Problem("overloaded", "too many pages are waiting", headers={"Retry-After": str(wait)})
        loop = asyncio.get_running_loop()
        job = Job(lambda: function(*arguments, **keywords))
        future = self._executor.submit(job)
        self._jobs[job] = future
        answer: asyncio.Future[T] = loop.create_future()

        def ended(future: Future[T]) -> None:
            self._jobs.pop(job, None)
            if job.started:
                self._usual += 0.05 * (time.monotonic() - job.started - self._usual)
            if answer.done() or future.cancelled():
                return
            if (error := future.exception()) is not None:
                answer.set_exception(error)
            else:
                answer.set_result(future.result())

        def out_of_time() -> None:
            if not answer.done():
                answer.set_exception(OutOfTimeError())
            give_up()

        def give_up() -> None:
            if job in self._jobs and not future.cancel():
                job.interrupt()
                loop.call_later(AGAIN, give_up)

        future.add_done_callback(lambda future: loop.call_soon_threadsafe(ended, future))
        timer = loop.call_later(self.seconds, out_of_time)
        try:
            return await answer
        except OutOfTimeError:
            if not job.started:
                raise Problem(
                    "overloaded", f"the page waited {self.seconds:g} s for its turn", headers={"Retry-After": "5"}
                ) from None
            raise Problem("time-limit", f"the page took longer than {self.seconds:g} s") from None
        except asyncio.CancelledError:
            give_up()
            raise
        finally:
            timer.cancel()

    def close(self) -> None:
        """End the threads when their jobs are done."""
        self._executor.shutdown(wait=False, cancel_futures=True)
