"""Days in bytes by regular expressions. The twin of `fastwrap._core.structured.days`."""

from __future__ import annotations

import re

DAY = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}")
ESCAPE = re.compile(rb"\\(?:[0-7]|u\{|(?:u00|x)(?:3[0-9]|2[dD]))")


def may_have_days(data: bytes) -> bool:
    """Whether there may be a day in some bytes."""
    return DAY.search(data.replace(b"\xff", b"")) is not None or ESCAPE.search(data) is not None
