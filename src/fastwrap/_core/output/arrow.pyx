"""Builds Arrow arrays value by value: buffers that grow from page to page, handed over by the C data interface.
Needs no Arrow library: whoever takes them has one (https://arrow.apache.org/docs/format/CDataInterface.html)."""

from cpython.bool cimport PyBool_Check
from cpython.datetime cimport PyDate_Check, PyDateTime_Check, PyTime_Check, import_datetime
from cpython.dict cimport PyDict_Check
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.list cimport PyList_Check
from cpython.long cimport PyLong_AsLongLong, PyLong_CheckExact
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.tuple cimport PyTuple_Check
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_Check
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from fastwrap._core.common.scratch cimport reserve

from decimal import Decimal

import_datetime()

cdef extern from *:
    """
    #ifndef ARROW_C_DATA_INTERFACE
    #define ARROW_C_DATA_INTERFACE
    #include <stdint.h>
    struct ArrowSchema {
        const char *format, *name, *metadata;
        int64_t flags, n_children;
        struct ArrowSchema **children, *dictionary;
        void (*release)(struct ArrowSchema *);
        void *private_data;
    };
    struct ArrowArray {
        int64_t length, null_count, offset, n_buffers, n_children;
        const void **buffers;
        struct ArrowArray **children, *dictionary;
        void (*release)(struct ArrowArray *);
        void *private_data;
    };
    #endif
    """
    struct ArrowSchema:
        const char *format
        const char *name
        const char *metadata
        int64_t flags
        int64_t n_children
        ArrowSchema **children
        ArrowSchema *dictionary
        void (*release)(ArrowSchema *) noexcept nogil
        void *private_data

    struct ArrowArray:
        int64_t length
        int64_t null_count
        int64_t offset
        int64_t n_buffers
        int64_t n_children
        const void **buffers
        ArrowArray **children
        ArrowArray *dictionary
        void (*release)(ArrowArray *) noexcept nogil
        void *private_data

cdef enum:
    NULLABLE = 2
    MOST_DEPTH = 32         # types within each other
    DECIMAL_BYTES = 16
    MOST_BYTES = 0x7FFFFFFF     # of strings, and entries of lists: offsets have 32 bits

    TEXT = 0
    INTEGER = 1
    FLOAT = 2
    BOOLEAN = 3
    DATE = 4
    TIME = 5
    MOMENT = 6
    DECIMAL = 7
    LIST = 8
    STRUCT = 9

KINDS = {"u": TEXT, "l": INTEGER, "g": FLOAT, "b": BOOLEAN, "tdD": DATE, "ttu": TIME, "tsu:": MOMENT, "tsu:UTC": MOMENT}
cdef int64_t EPOCH = 719163     # the ordinal of the first day of 1970
cdef int64_t MICROSECONDS = 1000000


# Handing over

cdef void release_schema(ArrowSchema *schema) noexcept nogil:
    cdef int64_t k
    for k in range(schema.n_children):
        if schema.children[k].release != NULL:
            schema.children[k].release(schema.children[k])
        free(schema.children[k])
    free(schema.children)
    free(<void *>schema.format)
    free(<void *>schema.name)
    schema.release = NULL


cdef void release_array(ArrowArray *array) noexcept nogil:
    cdef int64_t k
    for k in range(array.n_buffers):
        free(<void *>array.buffers[k])
    free(array.buffers)
    for k in range(array.n_children):
        if array.children[k].release != NULL:
            array.children[k].release(array.children[k])
        free(array.children[k])
    free(array.children)
    array.release = NULL


cdef void close_schema(object capsule) noexcept:
    cdef ArrowSchema *schema = <ArrowSchema *>PyCapsule_GetPointer(capsule, "arrow_schema")
    if schema.release != NULL:
        schema.release(schema)
    free(schema)


cdef void close_array(object capsule) noexcept:
    cdef ArrowArray *array = <ArrowArray *>PyCapsule_GetPointer(capsule, "arrow_array")
    if array.release != NULL:
        array.release(array)
    free(array)


cdef char *copied(bytes text) except NULL:
    cdef char *copy = <char *>malloc(len(text) + 1)
    if copy == NULL:
        raise MemoryError("no memory for a schema")
    memcpy(copy, <const char *>text, len(text) + 1)
    return copy


cdef inline void set_bit(uint8_t *bits, int64_t place, bint value) noexcept nogil:
    """Write a bit; those behind it are 0 from then on."""
    bits[place >> 3] = <uint8_t>((bits[place >> 3] & (1 << (place & 7)) - 1) | value << (place & 7))


cdef class Column:
    """The values of one type, of which there may be others inside."""
    cdef int32_t kind
    cdef str format
    cdef str name
    cdef list children
    cdef dict places                # of the children, by name
    cdef int64_t length, nulls
    cdef uint8_t *validity
    cdef uint8_t *data              # values; the bytes of strings
    cdef int32_t *offsets           # of strings and lists
    cdef int64_t validity_room, data_room, offsets_room
    cdef object most                # of decimals: one more than the largest without its point
    cdef int32_t scale

    def __dealloc__(self):
        free(self.validity)
        free(self.data)
        free(self.offsets)

    @staticmethod
    cdef Column of(str name, spec, int32_t depth):
        """A column of a type; ValueError for one that is not known."""
        cdef Column column = Column.__new__(Column)
        if depth > MOST_DEPTH:
            raise ValueError("a type has too many levels")
        column.name, column.children, column.places = name, [], {}
        if isinstance(spec, str):
            column.format = spec
            if spec[:2] == "d:":
                precision, scale = map(int, spec[2:].split(","))
                if not 0 < precision <= 38 or not 0 <= scale <= precision:
                    raise ValueError(f"there are no decimals of the format {spec!r}")
                column.kind, column.scale, column.most = DECIMAL, scale, 10**precision
            elif spec in KINDS:
                column.kind = KINDS[spec]
            else:
                raise ValueError(f"there is no type of the format {spec!r}")
        else:
            column.format, inner = spec
            if column.format == "+l":
                column.kind = LIST
                column.children.append(Column.of("item", inner, depth + 1))
            elif column.format == "+s":
                column.kind = STRUCT
                for child, child_spec in inner:
                    column.places[child] = len(column.children)
                    column.children.append(Column.of(child, child_spec, depth + 1))
            else:
                raise ValueError(f"there is no type of the format {column.format!r}")
        column.begin()
        return column

    cdef int begin(self) except -1:
        """Make the first offset."""
        if self.kind == TEXT or self.kind == LIST:
            reserve(<void **>&self.offsets, &self.offsets_room, 1, sizeof(int32_t))
            self.offsets[0] = 0
        return 0

    cdef int cut(self, int64_t length) except -1:
        """Take back all values from the one of this number on."""
        cdef Column child
        cdef int64_t k
        for k in range(length, self.length):
            self.nulls -= not self.validity[k >> 3] >> (k & 7) & 1
        self.length = min(length, self.length)
        for child in self.children:
            # Where one of them failed, others have more.
            child.cut(length if self.kind == STRUCT else self.offsets[self.length])
        return 0

    cdef int mark(self, bint valid) except -1:
        """Count the next value, and whether it is there."""
        cdef int64_t byte = self.length >> 3
        reserve(<void **>&self.validity, &self.validity_room, byte + 1, 1)
        set_bit(self.validity, self.length, valid)
        self.nulls += not valid
        self.length += 1
        return 0

    cdef int64_t width(self) noexcept:
        """Bytes of a value; 0 for those that have no width of their own."""
        if self.kind == DECIMAL:
            return DECIMAL_BYTES
        if self.kind == DATE:
            return 4
        return 0 if self.kind == TEXT or self.kind == BOOLEAN or self.kind >= LIST else 8

    cdef int put(self, const void *value) except -1:
        """Write a value of a width."""
        cdef int64_t width = self.width()
        reserve(<void **>&self.data, &self.data_room, (self.length + 1) * width, 1)
        memcpy(self.data + self.length * width, value, width)
        return self.mark(True)

    cdef int end_at(self, int64_t end) except -1:
        """Write where a string or a list ends."""
        if end > MOST_BYTES:
            raise OverflowError("an array of Arrow holds at most 2 GB of text, or so many entries of lists")
        reserve(<void **>&self.offsets, &self.offsets_room, self.length + 2, sizeof(int32_t))
        self.offsets[self.length + 1] = <int32_t>end
        return 0

    cdef int put_text(self, const char *letters, int64_t size) except -1:
        cdef int64_t start = self.offsets[self.length]
        self.end_at(start + size)
        reserve(<void **>&self.data, &self.data_room, start + size + 1, 1)
        memcpy(self.data + start, letters, size)
        return self.mark(True)

    cdef int put_bit(self, bint value) except -1:
        cdef int64_t byte = self.length >> 3
        reserve(<void **>&self.data, &self.data_room, byte + 1, 1)
        set_bit(self.data, self.length, value)
        return self.mark(True)

    cdef int put_nothing(self) except -1:
        """A value that is not there."""
        cdef uint8_t zeros[DECIMAL_BYTES]
        cdef Column child
        if self.kind == TEXT or self.kind == LIST:
            self.end_at(self.offsets[self.length])
            return self.mark(False)
        if self.kind == STRUCT:
            for child in self.children:
                child.put_nothing()
            return self.mark(False)
        if self.kind == BOOLEAN:
            self.put_bit(False)
        else:
            memset(zeros, 0, DECIMAL_BYTES)
            self.put(zeros)
        self.length -= 1    # which has been counted as there
        return self.mark(False)

    cdef int add(self, object value) except -1:
        """The next value; TypeError, OverflowError or ValueError for one that the type cannot hold."""
        cdef const char *letters
        cdef Py_ssize_t size
        cdef int64_t number
        cdef int32_t day
        cdef double real
        if value is None:
            return self.put_nothing()
        if self.kind == TEXT and PyUnicode_Check(value):
            letters = PyUnicode_AsUTF8AndSize(value, &size)
            return self.put_text(letters, size)
        if self.kind == INTEGER and PyLong_CheckExact(value):
            number = PyLong_AsLongLong(value)
            return self.put(&number)
        if self.kind == FLOAT and PyFloat_CheckExact(value):
            real = PyFloat_AS_DOUBLE(value)
            return self.put(&real)
        if self.kind == BOOLEAN and PyBool_Check(value):
            return self.put_bit(value is True)
        if self.kind == DATE and PyDate_Check(value) and not PyDateTime_Check(value):
            day = <int32_t>(<int64_t>value.toordinal() - EPOCH)
            return self.put(&day)
        if self.kind == TIME and PyTime_Check(value) and value.tzinfo is None:
            number = moment_of(value)
            return self.put(&number)
        if self.kind == MOMENT and PyDateTime_Check(value):
            number = self.since_epoch(value)
            return self.put(&number)
        if self.kind == LIST and PyList_Check(value):
            return self.add_list(value)
        if self.kind == STRUCT:
            return self.add_struct(value)
        if self.kind == DECIMAL:
            return self.add_decimal(value)
        raise TypeError(f"a {type(value).__name__} is no value of the format {self.format!r}")

    cdef int64_t since_epoch(self, value) except? -1:
        """Microseconds since the first day of 1970, in UTC if the type says so."""
        cdef object offset = value.utcoffset()
        cdef int64_t shift = 0
        if (offset is not None) != (self.format == "tsu:UTC"):
            raise TypeError("a time with a zone is none without one")
        if offset is not None:
            shift = (<int64_t>offset.days * 86400 + <int64_t>offset.seconds) * MICROSECONDS
            shift += <int64_t>offset.microseconds
        return (<int64_t>value.toordinal() - EPOCH) * 86400 * MICROSECONDS + moment_of(value) - shift

    cdef int add_list(self, list values) except -1:
        cdef Column child = self.children[0]
        for value in values:
            child.add(value)
        self.end_at(child.length)
        return self.mark(True)

    cdef int add_struct(self, value) except -1:
        """Fields by their names, or in order."""
        cdef Column child
        cdef Py_ssize_t place
        if PyDict_Check(value):
            if not value.keys() <= self.places.keys():
                raise ValueError("a value has a field that its type does not have")
            for child in self.children:
                child.add(value.get(child.name))
            return self.mark(True)
        if not PyTuple_Check(value) and not PyList_Check(value):
            raise TypeError(f"a {type(value).__name__} has no fields")
        if len(value) != len(self.children):
            raise ValueError("a value has not as many fields as its type")
        for place in range(len(self.children)):
            child = self.children[place]
            child.add(value[place])
        return self.mark(True)

    cdef int add_decimal(self, value) except -1:
        cdef bytes number
        if not isinstance(value, Decimal):
            raise TypeError(f"a {type(value).__name__} is no decimal")
        sign, digits, exponent = value.as_tuple()
        if not isinstance(exponent, int):
            raise ValueError("a decimal is no number")
        whole = int("".join(map(str, digits)))
        shift = exponent + self.scale
        if shift < 0:
            whole, lost = divmod(whole, 10 ** -shift)
            if lost:
                raise OverflowError("a decimal has more decimals than its type")
        elif shift <= 38:
            whole *= 10 ** shift
        elif whole:
            raise OverflowError("a decimal has more digits than its type")
        if whole >= self.most:
            raise OverflowError("a decimal has more digits than its type")
        number = (-whole if sign else whole).to_bytes(DECIMAL_BYTES, "little", signed=True)
        return self.put(<const char *>number)

    # Handing over

    cdef int give_schema(self, ArrowSchema *schema) except -1:
        """Describe the type; all that is given is released by `schema.release`."""
        cdef Py_ssize_t k, count = len(self.children)
        cdef Column child
        memset(schema, 0, sizeof(ArrowSchema))
        schema.release = release_schema
        schema.flags = NULLABLE
        schema.format = copied(self.format.encode())
        schema.name = copied(self.name.encode("utf-8", "replace"))
        schema.children = <ArrowSchema **>calloc(count + 1, sizeof(ArrowSchema *))
        if schema.children == NULL:
            raise MemoryError("no memory for a schema")
        for k in range(count):
            child = self.children[k]
            schema.children[k] = <ArrowSchema *>calloc(1, sizeof(ArrowSchema))
            if schema.children[k] == NULL:
                raise MemoryError("no memory for a schema")
            schema.n_children = k + 1
            child.give_schema(schema.children[k])
        return 0

    cdef int give_array(self, ArrowArray *array) except -1:
        """Hand over the values; there are none afterwards."""
        cdef Py_ssize_t k, count = len(self.children)
        cdef bint has_offsets = self.kind == TEXT or self.kind == LIST
        cdef Column child
        memset(array, 0, sizeof(ArrowArray))
        array.release = release_array
        array.length, array.null_count = self.length, self.nulls
        array.buffers = <const void **>calloc(3, sizeof(void *))
        array.children = <ArrowArray **>calloc(count + 1, sizeof(ArrowArray *))
        if array.buffers == NULL or array.children == NULL:
            raise MemoryError("no memory for an array")
        # Buffers of nothing are none, but where that is not allowed.
        reserve(<void **>&self.validity, &self.validity_room, 1, 1)
        if not has_offsets and self.kind != STRUCT or self.kind == TEXT:
            reserve(<void **>&self.data, &self.data_room, 1, 1)
        array.buffers[0], self.validity, self.validity_room = self.validity, NULL, 0
        array.n_buffers = 1
        if has_offsets:
            array.buffers[1], self.offsets, self.offsets_room = self.offsets, NULL, 0
            array.n_buffers = 2
        if self.kind != LIST and self.kind != STRUCT:
            array.buffers[array.n_buffers], self.data, self.data_room = self.data, NULL, 0
            array.n_buffers += 1
        for k in range(count):
            child = self.children[k]
            array.children[k] = <ArrowArray *>calloc(1, sizeof(ArrowArray))
            if array.children[k] == NULL:
                raise MemoryError("no memory for an array")
            array.n_children = k + 1
            child.give_array(array.children[k])
        self.length = self.nulls = 0
        return self.begin()


cdef int64_t moment_of(value) except? -1:
    """Microseconds since midnight."""
    return ((<int64_t>value.hour * 60 + <int64_t>value.minute) * 60 + <int64_t>value.second) * MICROSECONDS + (
        <int64_t>value.microsecond)


cdef class Builder:
    """An array of Arrow that grows; see `arrow.pyi`."""
    cdef Column column

    def __init__(self, spec):
        self.column = Column.of("", spec, 0)

    def __len__(self):
        return self.column.length

    def append(self, value):
        """Add a value; see `arrow.pyi`."""
        cdef int64_t length = self.column.length
        try:
            self.column.add(value)
        except BaseException:
            self.column.cut(length)
            raise

    def extend(self, values):
        """Add values; see `arrow.pyi`."""
        cdef int64_t length = self.column.length
        try:
            for value in values:
                self.column.add(value)
        except BaseException:
            self.column.cut(length)
            raise

    def __arrow_c_schema__(self):
        """The type, as the C data interface has it."""
        return schema_of(self.column)

    def finish(self):
        """What has been added; see `arrow.pyi`."""
        cdef ArrowArray *array = <ArrowArray *>calloc(1, sizeof(ArrowArray))
        if array == NULL:
            raise MemoryError("no memory for an array")
        capsule = PyCapsule_New(array, "arrow_array", close_array)
        schema = schema_of(self.column)
        self.column.give_array(array)
        return Built(schema, capsule)


cdef object schema_of(Column column):
    cdef ArrowSchema *schema = <ArrowSchema *>calloc(1, sizeof(ArrowSchema))
    if schema == NULL:
        raise MemoryError("no memory for a schema")
    capsule = PyCapsule_New(schema, "arrow_schema", close_schema)
    column.give_schema(schema)
    return capsule


cdef class Built:
    """An array that is complete; see `arrow.pyi`."""
    cdef object schema, array

    def __init__(self, schema not None, array not None):
        self.schema, self.array = schema, array

    def __arrow_c_array__(self, requested_schema=None):
        """The array, as the C data interface has it; it can be taken once."""
        if self.array is None:
            raise ValueError("the array has been taken already")
        schema, array = self.schema, self.array
        self.schema = self.array = None
        return schema, array
