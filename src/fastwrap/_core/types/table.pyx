"""The first look at all columns of a table: those that are texts, integers or simple links need no reader.
They are most of what a page has, so a table costs one call."""

from cpython.list cimport PyList_GET_SIZE
from cpython.object cimport PyObject, PyTypeObject

from fastwrap._core.types.addresses cimport kind_of, resolve_in_place
from fastwrap._core.types.strings cimport Look, Strings

cpdef enum:
    # What the strings of a column are of.
    TEXTS = 0
    PAGES = 1           # links to pages
    PICTURES = 2        # links to pictures
    SETS = 3            # several links in a string
    PRICES = 4          # amounts of money, though they be bare numbers


cdef object named_tuple(type typed, str name, list values):
    """What the call of a named tuple gives, without Python code."""
    cdef tuple arguments = ((name, values, None, ""),)
    return (<PyTypeObject *>tuple).tp_new(typed, <PyObject *>arguments, NULL)


def first_look(Look look not None, columns not None, list kinds not None, tuple base not None, type typed not None):
    """Type the columns that need no reader; see `table.pyi`."""
    cdef list found = [], unread = [], strings
    cdef Py_ssize_t place = 0
    cdef Strings column
    cdef str scheme, origin, directory, name
    cdef int kind
    scheme, origin, directory = base
    if scheme is None or origin is None or directory is None:
        raise TypeError("a part of the base is None")
    if not issubclass(typed, tuple):
        raise TypeError("a typed column is no named tuple")
    if len(columns) != PyList_GET_SIZE(kinds):
        raise ValueError("there are not as many kinds as columns")
    for given in columns:
        kind = kinds[place]
        strings = list(given)
        finished = None
        column = None
        name = ""
        if kind == PAGES or kind == PICTURES:
            # What is not simple is read as contacts are, by a reader.
            not_simple = resolve_in_place(strings, scheme, origin, directory)
            name = "contact" if not_simple else kind_of(strings, kind == PICTURES, look.misses)
            if name and name != "contact":
                finished = named_tuple(typed, name, strings)
            elif not name:
                strings = list(given)
        if not name and kind != SETS:
            column = look.look_at(strings)
            if column.families == 0:
                finished = named_tuple(typed, "text", strings)
            elif column.are_integers and kind != PRICES:
                finished = named_tuple(typed, "integer", column.integers())
        found.append(finished)
        if finished is None:
            unread.append((place, column))
        place += 1
    return found, unread
