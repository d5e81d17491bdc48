"""What `scratch` offers other native modules: the memory of one call, the next piece of it, and that of a new array."""

from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer

cdef void *take(size_t size) noexcept nogil
cdef void put_back(void *block) noexcept nogil


cdef inline void *piece(char **at, size_t size) noexcept nogil:
    """The next `size` bytes of a block, and those that fill up its last 16."""
    cdef char *own = at[0]
    at[0] = own + ((size + 15) & ~<size_t>15)
    return own


cdef inline void *data_of(array) except? NULL:
    """The memory of a numpy array that was made a moment ago, which lives as long as the array does.

    A typed memoryview costs microseconds where its code is not in the cache, which is so after every parse.
    """
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_WRITABLE)
    PyBuffer_Release(&view)
    return view.buf
