"""What `presenting` offers other native modules: the cells of the columns that are chosen, record by record."""

cimport cython


@cython.final
cdef class Presenter:
    cdef object outputs
    cdef list columns       # of each its operation, whether it is a picture, its sources, and what it needs
    cdef Py_ssize_t *alone  # by column, its item: nearly always it is one as it is; else -1
    cdef Py_ssize_t width   # of rows that have all items

    cdef list present(self, list row)
