"""How often one client may ask: a rate in the long run, and some seconds of it at once (generic cell rate algorithm).
All workers share one table in memory, so that a client has the same rate whichever of them it meets."""

from __future__ import annotations

import hashlib
import mmap
import os
import secrets
import struct
import tempfile
import time
from collections.abc import Callable

PLACES = 1 << 16
"""Each client has two of so many places, and is told to wait only where both say so: two clients rarely share both."""

_EIGHT = struct.Struct("=d")


class Rates:
    """The table: by place, when whoever has it has used up what it did so far."""

    def __init__(
        self, rate: float, burst: float, file: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._step = 1.0 / rate if rate else 0.0
        self._ahead = max(burst, self._step)
        self._clock = clock
        self._table = mmap.mmap(-1 if file is None else file, PLACES * _EIGHT.size)
        self._key = secrets.token_bytes(16) if file is None else os.pread(file, 16, PLACES * _EIGHT.size)

    @staticmethod
    def shared() -> int:
        """An empty table that processes share: the descriptor of a file without a name."""
        with tempfile.TemporaryFile() as file:
            file.truncate(PLACES * _EIGHT.size)
            file.seek(0, os.SEEK_END)
            file.write(secrets.token_bytes(16))
            file.flush()
            return os.dup(file.fileno())

    def wait(self, client: str) -> float:
        """Count a request of a client: 0 if it may go on, else the seconds that it has to wait.

        >>> now = [100.0]
        >>> rates = Rates(rate=2, burst=1, clock=lambda: now[0])
        >>> [rates.wait("a") for _ in range(3)], rates.wait("b")
        ([0.0, 0.0, 0.5], 0.0)
        """
        if not self._step:
            return 0.0
        digest = hashlib.blake2b(client.encode("utf-8", "replace"), digest_size=8, key=self._key).digest()
        places = [8 * (int.from_bytes(digest[half : half + 4]) % PLACES) for half in (0, 4)]
        now = self._clock()
        ends = [max(now, _EIGHT.unpack_from(self._table, place)[0]) for place in places]
        over: float = min(ends) + self._step - now - self._ahead
        if over > 1e-9:
            return over
        for place, end in zip(places, ends, strict=True):
            _EIGHT.pack_into(self._table, place, end + self._step)
        return 0.0
