"""Finds the two character references that Lexbor cannot take: see `fastwrap/references.py`.
Every page pays for this, so the loop has no branches and compilers vectorise it."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE


def has_growing(bytes html not None):
    """Whether the page holds `&nGt;` or `&nLt;`; see `references.pyi`."""
    cdef const unsigned char *at = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef Py_ssize_t length = PyBytes_GET_SIZE(html) - 4
    cdef Py_ssize_t i
    cdef unsigned char found = 0
    with nogil:
        for i in range(length):
            found |= ((at[i] == c"&") & (at[i + 1] == c"n") & ((at[i + 2] == c"G") | (at[i + 2] == c"L"))
                      & (at[i + 3] == c"t") & (at[i + 4] == c";"))
    return found != 0
