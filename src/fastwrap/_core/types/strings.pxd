"""What `strings` offers other native modules: the first look at a column."""

cimport cython
from libc.stdint cimport uint8_t, uint64_t


@cython.final
cdef class Look:
    cdef Py_ssize_t longest
    cdef frozenset unknown
    cdef object answers
    cdef str stars
    cdef double misses
    cdef double miss_of_words
    # By the first character: whether a string may be unknown, and how long answers are.
    cdef bint begins_unknown[128]
    cdef uint64_t lengths_of_answers[128]

    cdef Strings look_at(self, list cleaned)
    cdef int class_of_string(self, str string) except -1
    cdef int families_of(self, Strings column) except -1
    cdef int families_of_string(self, str string, int found) except -1
    cdef bint is_answer(self, str string) except -1
    cdef int families_with_digits(self, Strings column) except -1


@cython.final
cdef class Strings:
    cdef Look look
    cdef readonly list cleaned
    cdef readonly Py_ssize_t total
    cdef readonly double slack
    cdef readonly int families
    cdef bint are_integers          # nothing but a few digits in each filled string
    cdef bytes kept
    cdef const uint8_t *classes     # one per cleaned string, in `kept`; 0 if it is not filled
    # What is found when it is first asked for, and whether that was so.
    cdef list filled_strings
    cdef dict counted
    cdef tuple split
    cdef bint is_split
    cdef bint is_told

    cdef list those_filled(self)
    cdef tuple split_into_numbers(self)
    cdef int look_again(self) except -1
    cdef list integers(self)
