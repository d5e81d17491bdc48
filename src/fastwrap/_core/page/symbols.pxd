"""What `symbols` offers other native modules: the computed arrays of a page, found if it does not have them, and
whether a style hides."""

from fastwrap._core.common.page cimport NativePage

cpdef object need_symbols(NativePage native)
cpdef object need_classes(NativePage native)
cdef bint style_hides(const unsigned char *at, const unsigned char *end) noexcept nogil
