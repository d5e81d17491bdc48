"""A guard against hangs: what takes time with the square of its input, not what is slow on a busy machine.
Speed is measured in benchmarks/; inputs given here would take minutes or hours if a step were quadratic."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

MOST_SECONDS = 60.0
"""Of the processor. Each guarded step takes a second or less on a machine of its own."""


@contextmanager
def ends_soon() -> Iterator[None]:
    """Fail if what is done inside takes longer than a step without a hang could on any machine.

    >>> with ends_soon():
    ...     _ = sorted(range(1000))
    """
    begun = time.process_time()
    yield
    taken = time.process_time() - begun
    assert taken < MOST_SECONDS, f"took {taken:.0f} seconds of the processor"
