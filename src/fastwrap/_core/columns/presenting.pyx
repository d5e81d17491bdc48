"""The cells of the columns that are chosen, of rows with a cell for each item: pieces joined, the first source taken.
What depends on the columns alone is made once, in a `Presenter`."""

cimport cython
from cpython.list cimport PyList_GET_ITEM, PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_FindChar, PyUnicode_GET_LENGTH, PyUnicode_READ_CHAR
from libc.stdlib cimport free, malloc

from fastwrap._core.columns.cells cimport LIST, TAKE
from fastwrap._core.columns.choosing cimport PICTURE


cdef object text_of(cell):
    """A cell as one text: that of a nested list with a space between its texts. None for nothing."""
    if type(cell) is list:
        cell = " ".join([text for text in <list>cell if text])
    return cell or None


cdef bint is_size(str text):
    """Whether a text begins like the size of a picture among several: "300w", "1.5x, ..."."""
    cdef str size = text.partition(",")[0]
    return size[-1:] in ("w", "x", "h") and size[:-1].replace(".", "", 1).isdecimal()


cdef object address_of(text):
    """The address of a picture; the first if there are several, None if it is the picture itself."""
    cdef list parts
    if text is None or (PyUnicode_READ_CHAR(text, 0) == c"d" and (<str>text).startswith("data:")):
        return None
    if PyUnicode_FindChar(text, c" ", 0, PyUnicode_GET_LENGTH(text), 1) < 0:
        return text
    parts = (<str>text).split(None, 2)
    if len(parts) > 1 and (parts[0].endswith(",") or is_size(parts[1])):
        return parts[0].rstrip(",") or None
    return text


cdef object taken_from(list row, tuple items, bint picture):
    """The texts of items, with a space between them; None for nothing."""
    cdef list found
    cdef Py_ssize_t item
    if len(items) == 1:
        item = items[0]
        text = text_of(row[item])
        return address_of(text) if picture else text
    found = []
    for item in items:
        text = text_of(row[item])
        if picture:
            text = address_of(text)
        if text is not None:
            found.append(text)
    return joined_texts(found) if found else None


cdef str joined_texts(list texts):
    """Texts with a space between them, but for a number that goes on: 19 and ,90."""
    cdef str text, whole
    cdef Py_ssize_t k
    for k in range(1, len(texts)):
        text = texts[k]
        if len(text) > 1 and text[0] in ",." and text[1].isdigit() and (<str>texts[k - 1])[-1:].isdigit():
            break
    else:
        return " ".join(texts)
    whole = texts[0]
    for k in range(1, len(texts)):
        text = texts[k]
        is_rest = len(text) > 1 and text[0] in ",." and text[1].isdigit() and whole[-1:].isdigit()
        whole = whole + text if is_rest else f"{whole} {text}"
    return whole


cdef object listed_in(list row, tuple sources):
    """All texts of sources as a list; None for nothing."""
    cdef list found = []
    cdef Py_ssize_t item
    cdef tuple items
    for items in sources:
        for item in items:
            cell = row[item]
            if type(cell) is list:
                for text in <list>cell:
                    if text:
                        found.append(text)
            elif cell:
                found.append(cell)
    return found or None


cdef bint has_any(list row, tuple items):
    """Whether a row has one of several items."""
    cdef Py_ssize_t item
    for item in items:
        if text_of(row[item]) is not None:
            return True
    return False


cdef Py_ssize_t checked(tuple sources, tuple where) except -1:
    """One more than the largest item of a column; ValueError for one without sources, or with items below 0."""
    cdef Py_ssize_t width = 0, item
    cdef tuple items
    if not sources or not all(sources):
        raise ValueError("a column has a source or more, and a source has an item or more")
    for items in (*sources, where):
        for item in items:
            if item < 0:
                raise ValueError("there is no such item")
            width = max(width, item + 1)
    return width


cdef object present_cell(list row, tuple column):
    """The cell of a column that is not just an item."""
    cdef tuple sources = <tuple>column[2], where = <tuple>column[3], items
    if column[0] == LIST:
        return listed_in(row, sources)
    if where and not has_any(row, where):
        return None
    for items in sources:
        text = taken_from(row, items, column[1])
        if text is not None:
            return text
    return None


@cython.final
cdef class Presenter:
    """Makes the cells of columns; see `presenting.pyi`."""

    def __cinit__(self, outputs not None):
        cdef tuple sources, where
        self.outputs, self.columns, self.width = outputs, [], 0
        self.alone = <Py_ssize_t *>malloc((<size_t>len(outputs) + 1) * sizeof(Py_ssize_t))
        if self.alone == NULL:
            raise MemoryError("no memory for the columns")
        for operation, relation, _, _, given, needed in outputs:
            sources = tuple([tuple(items) for items in given])
            where = tuple(needed)
            self.width = max(self.width, checked(sources, where))
            self.alone[len(self.columns)] = sources[0][0] if (
                operation == TAKE and relation != PICTURE and not where and len(sources) == len(sources[0]) == 1
            ) else -1
            self.columns.append((operation, relation == PICTURE, sources, where))

    def __dealloc__(self):
        free(self.alone)

    def __reduce__(self):
        return Presenter, (self.outputs,)

    cdef list present(self, list row):
        """The cells of the columns, of a row that has all items."""
        cdef Py_ssize_t shown = len(self.columns), k
        cdef list cells = PyList_New(shown)
        for k in range(shown):
            if self.alone[k] < 0:
                cell = present_cell(row, <tuple>PyList_GET_ITEM(self.columns, k))
            else:
                cell = <object>PyList_GET_ITEM(row, self.alone[k])
                if type(cell) is not str or PyUnicode_GET_LENGTH(cell) == 0:
                    cell = text_of(cell)
            Py_INCREF(cell)     # which the list keeps
            PyList_SET_ITEM(cells, k, cell)
        return cells

    def rows(self, list rows not None):
        """The rows of the columns; see `presenting.pyi`."""
        cdef list made = [], row
        for row in rows:
            if len(row) < self.width:
                raise ValueError("there is no such item")
            made.append(self.present(row))
        return made
