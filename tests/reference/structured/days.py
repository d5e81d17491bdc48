"""Days in bytes by regular expressions. The twin of `fastwrap._core.structured.days`."""

from __future__ import annotations

import re

DAY = re.compile(rb"(?=([0-9]{4}-[0-9]{2}-([0-9]{2})))")
ESCAPE = re.compile(rb"\\(?:[0-7]|u\{|(?:u00|x)(?:3[0-9]|2[dD]))")


def days_in(data: bytes) -> int:
    """The days that may be in some bytes."""
    if ESCAPE.search(data):
        return 2**32 - 2
    joined = data.replace(b"\xff", b"")
    days = {int(match[2]) for match in DAY.finditer(joined)}
    return sum(1 << day for day in days if 1 <= day <= 31)
