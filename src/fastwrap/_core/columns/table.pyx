"""The table as Python lists: rows of strings, of the items of records; and rows transposed and nested.
A constant text is made into a string once."""

from cpython.list cimport PyList_GET_ITEM, PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_DECREF, Py_INCREF, Py_XDECREF, PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memset

from fastwrap._core.columns.alignment cimport NOWHERE, Records, end_of, length_of, start_of
from fastwrap._core.columns.items cimport PlacedRecords, kind_of
from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport PageArrays, value_length


cdef struct CellText:
    # A text or a value: a cell of the table, or a part of one.
    const unsigned char *letters
    int32_t length
    int32_t column
    int32_t unit            # of a list: the one that it is in, from 1; 0 before the first
    bint same               # whether the text before it in its column says the same


cdef struct CellTexts:
    # The cells of records, before they are strings.
    int32_t width
    int32_t lists
    CellText *texts
    int32_t *first_text     # [records + 1] where those of each record begin
    int32_t *units          # [records, lists] how many units of each list a record has
    CellText *last          # column -> its last text
    PyObject **strings      # column -> the string of that


cdef int32_t open_cells(CellTexts *cells, const PlacedRecords *placed, const TableLayout *layout) noexcept nogil:
    """Take the memory for the cells of records. -1: no memory."""
    cdef const Records *records = placed.records
    cdef const int32_t *attribute_start = placed.page.attribute_start
    cdef int32_t record, slot, column
    cdef int64_t most = 0
    memset(cells, 0, sizeof(CellTexts))
    cells.width = layout.width
    for slot in range(layout.slot_count):
        cells.lists = max(cells.lists, layout.unit[slot] + 1)
    for column in range(layout.width):
        cells.lists = max(cells.lists, layout.list_of[column] + 1)
    for record in range(records.count):
        most += length_of(records, record) + (
            attribute_start[end_of(records, record)] - attribute_start[start_of(records, record)])
    cells.texts = <CellText *>malloc((most + 1) * sizeof(CellText))
    cells.first_text = <int32_t *>malloc((<size_t>records.count + 1) * sizeof(int32_t))
    cells.units = <int32_t *>calloc(<size_t>records.count * cells.lists + 1, sizeof(int32_t))
    cells.last = <CellText *>malloc((<size_t>layout.width + 1) * sizeof(CellText))
    cells.strings = <PyObject **>calloc(<size_t>layout.width + 1, sizeof(PyObject*))
    if (cells.texts == NULL or cells.first_text == NULL or cells.units == NULL or cells.last == NULL
            or cells.strings == NULL):
        return -1
    for column in range(layout.width):
        cells.last[column].length = NOWHERE
    return 0


cdef void close_cells(CellTexts *cells) noexcept:
    cdef int32_t column
    for column in range(cells.width if cells.strings != NULL else 0):
        Py_XDECREF(cells.strings[column])
    free(cells.texts)
    free(cells.first_text)
    free(cells.units)
    free(cells.last)
    free(cells.strings)


cdef inline CellText *add_text(CellTexts *cells, CellText *cell, const unsigned char *letters, int32_t length,
                               int32_t column, int32_t unit) noexcept nogil:
    """Enter a text or value of a column. Returns where the next one goes."""
    cdef CellText *last = &cells.last[column]
    cell.letters = letters
    cell.length = length
    cell.column = column
    cell.unit = unit
    # Most often it is that of the record before: constant texts are made once.
    cell.same = last.length == length and memcmp(last.letters, letters, length) == 0
    last[0] = cell[0]
    return cell + 1


cdef inline int32_t unit_of(const TableLayout *layout, int32_t column, const int32_t *units) noexcept nogil:
    """The unit of its list that a column is at."""
    return 0 if layout.list_of[column] == NOWHERE else units[layout.list_of[column]]


cdef void collect_texts(CellTexts *cells, const PlacedRecords *placed, const TableLayout *layout) noexcept nogil:
    """Find the cells of all records, in document order."""
    cdef const PageArrays *page = placed.page
    cdef int32_t kinds = placed.attributes.count + 1, record, node, entry, kind, i = -1, slot, column
    cdef const int32_t *columns
    cdef int32_t *units
    cdef CellText *cell = cells.texts
    for record in range(placed.records.count):
        cells.first_text[record] = <int32_t>(cell - cells.texts)
        units = cells.units + <int64_t>record * cells.lists
        for node in range(start_of(placed.records, record), end_of(placed.records, record)):
            i += 1
            slot = placed.slots[i]
            if slot == NOWHERE:
                continue
            if layout.unit[slot] != NOWHERE:
                units[layout.unit[slot]] += 1
            columns = layout.column_of + <int64_t>slot * kinds
            if page.tag[node] == TEXT:
                column = columns[kinds - 1]
                if column != NOWHERE:
                    cell = add_text(cells, cell, page.text + page.text_start[node],
                                    page.text_start[node + 1] - 1 - page.text_start[node], column,
                                    unit_of(layout, column, units))
            elif layout.takes[slot]:
                for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
                    kind = kind_of(placed.attributes, page.attribute_name[entry])
                    if kind != NOWHERE and columns[kind] != NOWHERE and value_length(page, entry) != 0:
                        cell = add_text(cells, cell, page.values + page.value_start[entry],
                                        value_length(page, entry), columns[kind],
                                        unit_of(layout, columns[kind], units))
    cells.first_text[placed.records.count] = <int32_t>(cell - cells.texts)


cdef list read_row(CellTexts *cells, const TableLayout *layout, int32_t record):
    """The row of a record: one string per column, None where there is none; a list for a column of a list."""
    cdef list row = PyList_New(layout.width)
    cdef const int32_t *units = cells.units + <int64_t>record * cells.lists
    cdef const CellText *cell
    cdef bint several = False
    cdef int32_t column, k
    cdef object string
    for column in range(layout.width):
        Py_INCREF(None)     # which the list keeps
        PyList_SET_ITEM(row, column, None)
    for k in range(cells.first_text[record], cells.first_text[record + 1]):
        cell = &cells.texts[k]
        if not cell.same:
            string = PyUnicode_DecodeUTF8(<const char *>cell.letters, cell.length, "replace")
            Py_INCREF(string)
            Py_XDECREF(cells.strings[cell.column])
            cells.strings[cell.column] = <PyObject *>string
        else:
            string = <object>cells.strings[cell.column]
        several |= put(row, cell.column, string, layout.list_of[cell.column], cell.unit)
    if several:
        for column in range(layout.width):
            if layout.list_of[column] == NOWHERE and type(row[column]) is list:
                row[column] = " ".join(row[column])
    if cells.lists:
        for column in range(layout.width):
            if layout.list_of[column] != NOWHERE and units[layout.list_of[column]]:
                if row[column] is None:
                    row[column] = []
                (<list>row[column]).extend([None] * (units[layout.list_of[column]] - len(<list>row[column])))
    return row


cdef list read_rows(const PlacedRecords *placed, const TableLayout *layout):
    """The rows of all records."""
    cdef CellTexts cells
    cdef list rows = []
    cdef int32_t record
    cdef bint failed
    try:
        with nogil:
            failed = open_cells(&cells, placed, layout) < 0
            if not failed:
                collect_texts(&cells, placed, layout)
        if failed:
            raise MemoryError("no memory for the table")
        for record in range(placed.records.count):
            rows.append(read_row(&cells, layout, record))
    finally:
        close_cells(&cells)
    return rows


cdef inline int32_t put(list row, int32_t column, object string, int32_t number, int32_t unit) except -1:
    """Enter a string: into its column; or, if that is one of a list, into the place of the unit that it is in.

    Returns whether the column has several, which are to be joined when the record is complete.
    """
    cdef list items
    cdef object before = <object>PyList_GET_ITEM(row, column)
    if number == NOWHERE:
        if before is None:
            Py_INCREF(string)
            PyList_SET_ITEM(row, column, string)
            Py_DECREF(None)     # which was there
            return 0
        if type(before) is list:
            (<list>before).append(string)
        else:
            row[column] = [before, string]
        return 1
    if unit == 0:
        return 0    # before the first unit
    if before is None:
        row[column] = []
    items = row[column]
    while len(items) < unit - 1:
        items.append(None)
    if len(items) == unit:
        before = items[unit - 1]
        items[unit - 1] = string if before is None else before + " " + string
    else:
        items.append(string)
    return 0


def transposed(list rows not None, Py_ssize_t width):
    """The columns of rows, or the rows of columns; see `table.pyi`."""
    cdef Py_ssize_t count = len(rows), i, j
    cdef list columns = [], column, row
    cdef object cell
    for row in rows:
        if len(row) != width:
            raise ValueError("the rows differ in length")
    for j in range(width):
        column = PyList_New(count)
        for i in range(count):
            cell = <object>PyList_GET_ITEM(<object>PyList_GET_ITEM(rows, i), j)
            Py_INCREF(cell)     # which the list keeps
            PyList_SET_ITEM(column, i, cell)
        columns.append(column)
    return columns


cdef list entries_of(list row, const Py_ssize_t *columns, Py_ssize_t count):
    """The entries of a nested list, from its columns: rows, if there are several."""
    cdef Py_ssize_t length = len(<list?>row[columns[0]]), k, j
    cdef list found = [], entry
    cdef object cell
    for j in range(1, count):
        if len(<list?>row[columns[j]]) != length:
            raise ValueError("the columns of a list differ in length")
    for k in range(length):
        entry = PyList_New(count)
        for j in range(count):
            cell = <object>PyList_GET_ITEM(<object>PyList_GET_ITEM(row, columns[j]), k)
            Py_INCREF(cell)
            PyList_SET_ITEM(entry, j, cell)
        found.append(entry)
    return found


def nested(list rows not None, list groups not None):
    """Rows in which the columns of a nested list are one; see `table.pyi`."""
    cdef Py_ssize_t width = sum(map(len, groups)), count = len(groups), least = 0, k, at = 0
    cdef Py_ssize_t *columns = <Py_ssize_t *>malloc((width + count + 2) * sizeof(Py_ssize_t))
    cdef Py_ssize_t *first = columns + width
    cdef list found = [], row, cells
    cdef object cell
    if columns == NULL:
        raise MemoryError("no memory for the columns")
    try:
        for k, group in enumerate(groups):
            first[k] = at
            for column in group:
                columns[at] = column
                if columns[at] < 0:
                    raise ValueError("there is no such column")
                least = max(least, columns[at] + 1)
                at += 1
            if at == first[k]:
                raise ValueError("a group has a column or more")
        first[count] = at
        for row in rows:
            if len(row) < least:
                raise ValueError("there is no such column")
            cells = PyList_New(count)
            for k in range(count):
                cell = <object>PyList_GET_ITEM(row, columns[first[k]])
                if cell is not None and first[k + 1] - first[k] > 1:
                    cell = entries_of(row, columns + first[k], first[k + 1] - first[k])
                Py_INCREF(cell)
                PyList_SET_ITEM(cells, k, cell)
            found.append(cells)
    finally:
        free(columns)
    return found
