"""The memory of numpy arrays and bytes, without typed memoryviews: those cost microseconds where their code is not in
the cache, which is so after every parse. Both functions need the lock of the interpreter."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t


cdef inline void *data_of(array) except? NULL:
    """The memory of an array that was made a moment ago; it lives as long as the array does."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_WRITABLE)
    PyBuffer_Release(&view)
    return view.buf


cdef inline const void *held(array, size_t count, size_t size) except? NULL:
    """The memory of an array that the caller keeps alive; ValueError unless it has `count` items of `size` bytes."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    PyBuffer_Release(&view)
    if <size_t>view.len != count * size:
        raise ValueError("arrays that belong together differ in length")
    return view.buf


cdef inline const int32_t *held_numbers(array, size_t count) except? NULL:
    """The same for an array of so many 32-bit numbers."""
    return <const int32_t *>held(array, count, sizeof(int32_t))
