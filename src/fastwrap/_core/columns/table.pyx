"""The table as Python lists: rows of strings, of the items of records; and rows transposed and nested.
A constant text is made into a string once."""

from cpython.list cimport PyList_GET_ITEM, PyList_New, PyList_SET_ITEM
from cpython.object cimport Py_EQ, PyObject_RichCompareBool
from cpython.ref cimport Py_INCREF, Py_XDECREF, PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memset

from fastwrap._core.columns.alignment cimport NOWHERE, end_of, start_of
from fastwrap._core.columns.items cimport PlacedRecords, kind_of
from fastwrap._core.columns.presenting cimport Presenter
from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport TOUCHES, PageArrays, value_length


cdef struct ColumnText:
    # The last text of a column. Most often that of the next record says the same: constant texts are made once.
    const unsigned char *letters
    int32_t length
    PyObject *string            # NULL before the first
    bint touches                # whether the next text of the page touches it


cdef struct RowReader:
    const TableLayout *layout
    ColumnText *last            # by column
    int32_t *units              # by list: how many units of it the record has so far
    int32_t lists
    bint several                # whether a column of the record has texts that are to be joined


cdef inline bint is_wanted(const TableLayout *layout, int32_t column) noexcept nogil:
    """Whether a column is one, and is read."""
    return column != NOWHERE and (layout.wanted == NULL or layout.wanted[column])


cdef inline object string_of(ColumnText *last, const unsigned char *letters, int32_t length):
    """The string of a text of a column."""
    if last.string == NULL or last.length != length or memcmp(last.letters, letters, length) != 0:
        string = PyUnicode_DecodeUTF8(<const char *>letters, length, "replace")
        Py_INCREF(string)
        Py_XDECREF(last.string)
        last.string = <PyObject *>string
        last.length = length
    last.letters = letters
    return <object>last.string


cdef inline int enter(RowReader *reader, list row, int32_t column, const unsigned char *letters,
                      int32_t length, bint touches) except -1:
    """Enter a text into its column; or, if that is one of a list, into the place of the unit that it is in."""
    cdef ColumnText *last = &reader.last[column]
    # One byte is between texts that follow each other.
    cdef object between = "" if last.touches and last.letters + last.length + 1 == letters else " "
    cdef object before = row[column], string = string_of(last, letters, length)
    cdef int32_t unit
    cdef list items
    last.touches = touches
    if reader.layout.list_of[column] == NOWHERE:
        if before is None:
            row[column] = string
            return 0
        reader.several = True
        if type(before) is list:
            (<list>before).append(between)
            (<list>before).append(string)
        else:
            row[column] = [before, between, string]
        return 0
    unit = reader.units[reader.layout.list_of[column]]
    if unit == 0:
        return 0    # before the first unit
    if before is None:
        before = row[column] = []
    items = before
    while len(items) < unit:
        items.append(None)
    items[unit - 1] = string if items[unit - 1] is None else items[unit - 1] + between + string
    return 0


cdef int32_t column_around(const PlacedRecords *placed, const TableLayout *layout, const int32_t *slots, int32_t node,
                           int32_t start) noexcept nogil:
    """The column that a text without a slot goes to: that of the texts in the nearest element around it that has a
    slot, if all go to one; else NOWHERE."""
    cdef int32_t kinds = placed.attributes.count + 1
    while node >= start and slots[node] == NOWHERE:
        node = placed.page.parent[node]
    return NOWHERE if node < start else layout.column_of[<int64_t>slots[node] * kinds + kinds - 1]


cdef list read_row(RowReader *reader, const PlacedRecords *placed, int32_t record, list row):
    """Fill a row of None for a record: one string per column where there is one; a list for a column of a list."""
    cdef const PageArrays *page = placed.page
    cdef const TableLayout *layout = reader.layout
    cdef int32_t start = start_of(placed.records, record), kinds = placed.attributes.count + 1
    cdef const int32_t *slots = placed.slots + placed.records.first_node[record] - start
    cdef const int32_t *columns
    cdef int32_t node, entry, kind, column, units, end
    reader.several = False
    memset(reader.units, 0, reader.lists * sizeof(int32_t))
    for node in range(start, end_of(placed.records, record)):
        if slots[node] == NOWHERE:
            if page.tag[node] == TEXT:
                column = column_around(placed, layout, slots, node, start)
                if is_wanted(layout, column):
                    end = page.text_start[node + 1] - 1
                    enter(reader, row, column, page.text + page.text_start[node], end - page.text_start[node],
                          page.text[end] == TOUCHES)
            continue
        if layout.unit[slots[node]] != NOWHERE:
            reader.units[layout.unit[slots[node]]] += 1
        columns = layout.column_of + <int64_t>slots[node] * kinds
        if page.tag[node] == TEXT:
            if is_wanted(layout, columns[kinds - 1]):
                end = page.text_start[node + 1] - 1
                enter(reader, row, columns[kinds - 1], page.text + page.text_start[node],
                      end - page.text_start[node], page.text[end] == TOUCHES)
        elif layout.takes[slots[node]]:
            for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
                kind = kind_of(placed.attributes, page.attribute_name[entry])
                if kind != NOWHERE and is_wanted(layout, columns[kind]) and value_length(page, entry) != 0:
                    enter(reader, row, columns[kind], page.values + page.value_start[entry], value_length(page, entry),
                          False)
    for column in range(layout.width if reader.several or reader.lists else 0):
        if not is_wanted(layout, column):
            continue
        if layout.list_of[column] != NOWHERE:
            units = reader.units[layout.list_of[column]]
            if units:
                row[column] = row[column] or []
                (<list>row[column]).extend([None] * (units - len(<list>row[column])))
        elif type(row[column]) is list:
            row[column] = "".join(row[column])
    return row


cdef list read_rows(const PlacedRecords *placed, const TableLayout *layout, Presenter presenter):
    """The rows of all records."""
    cdef RowReader reader
    cdef int32_t record, slot, column
    cdef list rows, row
    if presenter is not None and presenter.width > layout.width:
        raise ValueError("there is no such item")
    reader.layout = layout
    reader.lists = 0
    for slot in range(layout.slot_count):
        reader.lists = max(reader.lists, layout.unit[slot] + 1)
    for column in range(layout.width):
        reader.lists = max(reader.lists, layout.list_of[column] + 1)
    reader.last = <ColumnText *>calloc(<size_t>layout.width + 1, sizeof(ColumnText))
    reader.units = <int32_t *>malloc((<size_t>reader.lists + 1) * sizeof(int32_t))
    try:
        if reader.last == NULL or reader.units == NULL:
            raise MemoryError("no memory for the table")
        if presenter is None:
            return [read_row(&reader, placed, record, [None] * layout.width) for record in range(placed.records.count)]
        rows, row = [], [None] * layout.width
        for record in range(placed.records.count):
            rows.append(presenter.present(read_row(&reader, placed, record, row)))
            for column in range(layout.width):
                row[column] = None
        return rows
    finally:
        for column in range(layout.width if reader.last != NULL else 0):
            Py_XDECREF(reader.last[column].string)
        free(reader.last)
        free(reader.units)


cpdef list transposed(list rows, Py_ssize_t width):
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


def fixed(list rows not None, Py_ssize_t width, double enough):
    """For each column whether more than so many rows have the same; see `table.pyi`."""
    cdef Py_ssize_t count = len(rows), i, j, votes, same
    cdef object cell, usual
    cdef list found = [], row
    if 2 * enough < count:
        raise ValueError("not even half of the rows would be enough")
    for row in rows:
        if len(row) != width:
            raise ValueError("the rows differ in length")
    for j in range(width):
        # What more than half of them have is left when unequal ones have cancelled out (Boyer & Moore 1981).
        usual = None
        votes = same = 0
        for i in range(count):
            cell = <object>PyList_GET_ITEM(<object>PyList_GET_ITEM(rows, i), j)
            if cell is None:
                continue
            if votes == 0:
                usual = cell
            votes += 1 if votes == 0 or PyObject_RichCompareBool(cell, usual, Py_EQ) else -1
        for i in range(count if votes else 0):
            cell = <object>PyList_GET_ITEM(<object>PyList_GET_ITEM(rows, i), j)
            same += cell is not None and PyObject_RichCompareBool(cell, usual, Py_EQ)
        found.append(same > enough)
    return found


def nested(list rows not None, list groups not None):
    """Rows in which the columns of a nested list are one; see `table.pyi`."""
    cdef list found = [], row, cells, group
    cdef Py_ssize_t width = 0, column, k
    cdef object cell
    for group in groups:
        if not group:
            raise ValueError("a group has a column or more")
        for column in group:
            if column < 0:
                raise ValueError("there is no such column")
            width = max(width, column + 1)
    for row in rows:
        if len(row) < width:
            raise ValueError("there is no such column")
        cells = PyList_New(len(groups))
        for k in range(len(groups)):
            group = <list>PyList_GET_ITEM(groups, k)
            cell = row[<Py_ssize_t>group[0]]
            if cell is not None and len(group) > 1:
                cell = transposed([row[column] for column in group], len(cell))
            Py_INCREF(cell)     # which the list keeps
            PyList_SET_ITEM(cells, k, cell)
        found.append(cells)
    return found
