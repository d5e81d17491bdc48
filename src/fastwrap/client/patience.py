"""When a server that is busy is asked again: as it says (Retry-After), a few times, and never without end."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True)
class Patience:
    """How often and how long a server that is busy is asked again."""

    retries: int = 4
    seconds: float = 60.0
    """For all waits of one call together."""

    def wait(self, tried: int, waited: float, retry_after: str | None = None) -> float | None:
        """Seconds to wait after so many tries and so many seconds of waiting; None to give up.

        >>> Patience().wait(1, 0.0, "2"), Patience().wait(1, 59.0, "2"), Patience(retries=0).wait(1, 0.0, "2")
        (2.0, None, None)
        """
        if tried > self.retries:
            return None
        said = seconds_of(retry_after)
        # Where nothing is said: half a second, and twice as long each time; clients do not come back all at once.
        pause = min(8.0, 0.25 * 2**tried) * random.uniform(0.5, 1.0) if said is None else said  # noqa: S311
        return pause if waited + pause <= self.seconds else None


def seconds_of(retry_after: str | None) -> float | None:
    """What a header Retry-After says, a number of seconds or a date; None where it says nothing.

    >>> seconds_of("120"), seconds_of("Fri, 31 Dec 1999 23:59:59 GMT"), seconds_of("soon"), seconds_of(None)
    (120.0, 0.0, None, None)
    """
    if retry_after is None:
        return None
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        when = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
