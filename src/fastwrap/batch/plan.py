"""The parts of a run, in order: which there are is found out while they are read, and is the same in every run.
Several sources are read at a time, in turns, so that no process waits for another one's reading."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fastwrap.batch.parts import Task
from fastwrap.batch.sources import Files, Source
from fastwrap.errors import FastwrapError

TURNS = 8
"""Sources that are read at a time."""


@dataclass
class Chain:
    """A source of which parts are left."""

    source: Source
    next: int | None = 0
    """Where the next part begins; None behind the last one, ..."""
    is_known: bool = True
    """... if that is known: not while the part before it is still being read."""


class Plan:
    """Hands out parts, in order, to several threads.

    A part is handed out when the one before it in its source has been read, and, where parts learn from each other,
    when all parts of which it may use the wrappers are done. Whose turn it is depends on the sources alone.
    """

    def __init__(self, sources: Iterable[Source], done: Mapping[int, Mapping[str, Any]], lag: int | None) -> None:
        self._sources: Iterator[Source] = iter(sources)
        self._chains: deque[Chain] = deque()
        """Those whose turn comes, the next one first."""
        self._done = done
        """What was recorded of parts that were done before; read only."""
        self._lag = lag
        self._number = 0
        """Of the next part."""
        self._open: set[int] = set()
        """Parts that were handed out, and are not done."""
        self._changed = threading.Condition()
        self.failed: BaseException | None = None
        """Why the run must end."""

    def take(self, seconds: float = 0.0) -> tuple[Task, Chain] | None:
        """The next part, with its chain; None if there is none yet after so many seconds, or none any more."""
        until = time.monotonic() + seconds
        with self._changed:
            taken = self._take()
            while taken is None and not self._is_over() and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
                taken = self._take()
        return taken if taken is None or taken[1].source.by_worker else self._read(*taken)

    def take_ahead(self) -> tuple[Task, Chain] | None:
        """The next part for a worker that is still busy, if it is one that is read here, which is done meanwhile.

        What a worker reads by itself is left to the one that is free first: nobody knows where the part behind it
        begins before it has been read.
        """
        with self._changed:
            taken = self._take(ahead=True)
        return None if taken is None else self._read(*taken)

    def _read(self, task: Task, chain: Chain) -> tuple[Task, Chain]:
        """Read what only one process can read, in turns that the chain sees to."""
        reach = chain.source.read(task.start)
        self.has_read(chain, reach.end)
        return replace(task, reach=reach), chain

    @property
    def is_over(self) -> bool:
        """Whether no part is to be handed out any more."""
        with self._changed:
            return self._is_over()

    def _is_over(self) -> bool:
        return self.failed is not None or self._turn() is None

    def _take(self, ahead: bool = False) -> tuple[Task, Chain] | None:
        while self.failed is None and (chain := self._turn()) is not None and chain.is_known:
            if ahead and chain.source.by_worker:
                return None
            assert chain.next is not None
            start, number = chain.next, self._number
            recorded = self._done.get(number)
            if recorded is None and not self._is_due():
                return None
            self._number += 1
            self._chains.rotate(-1)
            if recorded is not None:
                check(recorded, chain.source, start)
                chain.next = recorded["end"]
                continue
            self._open.add(number)
            chain.next, chain.is_known = None, isinstance(chain.source, Files)
            before = 0 if self._lag is None else max(0, number - self._lag + 1)
            return Task(number, chain.source if chain.source.by_worker else None, start, before), chain
        return None

    def _turn(self) -> Chain | None:
        """The chain whose turn it is; a new one stands in the place of one that is done with."""
        while len(self._chains) < TURNS and (source := next(self._sources, None)) is not None:
            self._chains.append(Chain(source))
        while self._chains:
            chain = self._chains[0]
            if chain.next is not None or not chain.is_known:
                return chain
            self._chains.popleft()
            if (source := next(self._sources, None)) is not None:
                self._chains.appendleft(Chain(source))
        return None

    def _is_due(self) -> bool:
        return self._lag is None or not self._open or min(self._open) > self._number - self._lag

    def check_done(self) -> None:
        """FastwrapError if parts were recorded of an input that is no longer there, when none is left."""
        with self._changed:
            beyond = [recorded for number, recorded in self._done.items() if number >= self._number]
        if self.failed is None and beyond:
            raise gone(beyond[0])

    def has_read(self, chain: Chain, end: int | None) -> None:
        """Tell how far the part of a chain that was handed out last reaches."""
        with self._changed:
            chain.next, chain.is_known = end, True
            self._changed.notify_all()

    def has_done(self, number: int) -> None:
        """Tell that a part is done."""
        with self._changed:
            self._open.discard(number)
            self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        """Hand out no more parts."""
        with self._changed:
            self.failed = self.failed or error
            self._changed.notify_all()


def identity(source: Source) -> str:
    """What tells whether a source is still the same."""
    if not isinstance(source, Files):
        return f"{source.name} {source.size}"
    digest = hashlib.sha256("\0".join(source.names).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f"{source.name} {digest}"


def check(recorded: Mapping[str, Any], source: Source, start: int) -> None:
    """FastwrapError unless a part that was recorded is the one that stands in its place now."""
    if (recorded["from"], recorded["start"]) != (identity(source), start):
        raise gone(recorded, f", and would be of {identity(source)}")


def gone(recorded: Mapping[str, Any], now: str = "") -> FastwrapError:
    """The error that a part was recorded of what is no longer there."""
    return FastwrapError(
        f"the input is no longer what it was when the run began: part {recorded['part']} was of {recorded['from']}{now}"
    )
