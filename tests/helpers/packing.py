"""The zstd of this Python: the standard library's from 3.14 on, its backport before."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression import zstd as zstd
else:
    from backports import zstd as zstd

__all__ = ["zstd"]
