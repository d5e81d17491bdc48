"""What is known of the columns of a table while they are named, and the words by which they are: see `known.pyi`."""

from libc.stdint cimport int64_t


cdef class Words:
    cdef readonly object given
    cdef object name, unique, money, is_person, is_joined, without_reply, leads_to_somebody
    cdef object role_of_words, telling_word, phrase_of, tidy, units_in, is_currency, labels_of, header_names
    cdef dict attribute_names, type_roles, said_better
    cdef object telling, named, particles, by, counted
    cdef tuple naming_attributes
    cdef dict said      # by attribute and its value in bytes: the name, the role and the reason; None for nothing


cdef class Known:
    cdef readonly list texts, values
    cdef readonly str type
    cdef readonly Py_ssize_t records, held
    cdef public str label, relation, role
    cdef public bint is_text, is_list, in_heading, in_link, is_hidden, is_profile, is_moment, is_said
    cdef int64_t characters     # of all texts
    # Counted when they are first asked for: below zero before.
    cdef Py_ssize_t _different
    cdef double _digits, _points, _letters

    cdef int fill(self, list texts, list values, str type, Py_ssize_t records) except -1
    cdef double length(self) noexcept
    cdef double length_of_cells(self) noexcept
    cdef Py_ssize_t different(self) except -1
    cdef double digits(self) noexcept
    cdef double points(self) noexcept
    cdef double letters(self) noexcept
