"""The header Retry-After, by which a server that is busy says when it may be asked again (RFC 9110, 10.2.3)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


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
