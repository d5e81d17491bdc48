"""When a server that is busy is asked again: as it says (Retry-After), a few times, and never without end."""

from __future__ import annotations

import random
from dataclasses import dataclass

from fastwrap.common.retry_after import seconds_of


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
