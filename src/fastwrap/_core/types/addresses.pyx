"""Addresses of a column, told apart by where they lead: to pages, pictures or contacts."""

from fastwrap._core.common.characters cimport PyUnicode_FindChar, PyUnicode_GET_LENGTH, PyUnicode_READ_CHAR

cdef frozenset PICTURE_ENDINGS = frozenset(".jpg .jpeg .png .gif .webp .svg .avif .bmp .tif .tiff .ico".split())
cdef frozenset OTHER_ENDINGS = frozenset(".html .htm .js .mp3 .mp4 .webm .ogg .wav .m4a .m4v .pdf .swf".split())

cdef enum:
    LONGEST_ENDING = 5


cdef bint has_ending(str address, frozenset endings) except -1:
    """Whether what is before "?" and "#" has one of the endings."""
    cdef Py_ssize_t width, mark, end = PyUnicode_GET_LENGTH(address)
    mark = PyUnicode_FindChar(address, 63, 0, end, 1)
    end = end if mark < 0 else mark
    mark = PyUnicode_FindChar(address, 35, 0, end, 1)
    end = end if mark < 0 else mark
    for width in range(3, min(end, LONGEST_ENDING) + 1):
        if PyUnicode_READ_CHAR(address, end - width) == 46:
            return address[end - width:end].lower() in endings
    return False


cdef Py_ssize_t count_endings(list addresses, frozenset endings) except -1:
    cdef Py_ssize_t count = 0
    cdef str address
    for address in addresses:
        count += has_ending(address, endings)
    return count


cpdef bint are_pictures(list addresses, double misses) except -1:
    """Whether addresses lead to pictures; see `addresses.pyi`."""
    cdef Py_ssize_t total = len(addresses)
    # If none of the first few is a picture, too many are none.
    cdef list few = addresses[:<Py_ssize_t>(misses * total) + 1]
    return count_endings(few, PICTURE_ENDINGS) and count_endings(addresses, PICTURE_ENDINGS) >= (1.0 - misses) * total


cpdef str kind_of(list links, bint pictures, double misses):
    """What the addresses of a column lead to; see `addresses.pyi`."""
    cdef list addresses = [link for link in links if link is not None], few
    cdef Py_ssize_t total = len(addresses)
    cdef str address = addresses[0] if total else ""
    # Those of schema.org say whether a thing is to be had.
    if total == 0 or address.startswith("http://schema.org/") or address.startswith("https://schema.org/"):
        return ""
    few = addresses[:<Py_ssize_t>(misses * total) + 1]
    if pictures:
        if count_endings(few, OTHER_ENDINGS) and 2 * count_endings(addresses, OTHER_ENDINGS) >= total:
            return "url"
        return "image"
    if are_pictures(addresses, misses):
        return "image"
    for address in few:
        if address.startswith("mailto:") or address.startswith("tel:"):
            return "contact"
    return "url"
