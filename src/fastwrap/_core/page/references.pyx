"""Finds the two character references that Lexbor cannot take: see `fastwrap/page/references.py`.
Every page pays for this, so it jumps from one ampersand to the next."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.string cimport memchr


def has_growing(bytes html not None):
    """Whether the page holds `&nGt;` or `&nLt;`; see `references.pyi`."""
    cdef const char *at = PyBytes_AS_STRING(html)
    cdef const char *end = at + PyBytes_GET_SIZE(html) - 4
    # Under the lock: to give it away and take it again may cost more.
    while at < end:
        at = <const char *>memchr(at, c"&", end - at)
        if at == NULL:
            break
        if at[1] == c"n" and (at[2] == c"G" or at[2] == c"L") and at[3] == c"t" and at[4] == c";":
            return True
        at += 1
    return False
