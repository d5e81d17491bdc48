"""Reads a page: from bytes in UTF-8 to its node arrays, in one native pass without the GIL.
`tokenizer.h` follows the HTML standard (13.2.5), `construction.h` builds its tree (13.2.6), `arrays.h` writes that."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF
from libc.stdint cimport INT32_MAX, int32_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from fastwrap._core.common.atomic cimport exchange
from fastwrap._core.common.buffers cimport held_numbers

import numpy as np

from fastwrap.errors import FastwrapError, TooComplexError
from fastwrap.page.names import ATTRIBUTE_NUMBER, SVG_ATTRIBUTE_CASE, TAG_NUMBER, number_of

cdef extern from "arrays.h" nogil:
    const char *FASTWRAP_SIMD
    enum:
        OUT_OF_MEMORY, TOO_LARGE, TOO_DEEP, TOO_MANY, TOO_LABORIOUS
        MOST_OPEN, MOST_WORK
        UNNUMBERED, NAME_BITS, TOUCHING

    ctypedef struct Name:
        uint32_t hash, at, length

    ctypedef struct Names:
        Name *names
        int32_t count

    ctypedef struct Reader:
        unsigned char *beside
        const unsigned char *html
        size_t beside_capacity
        Names tags, attribute_names
        int32_t capacity, attribute_capacity
        unsigned char *recorded
        size_t recorded_length

    ctypedef struct Kept:
        uint32_t at, length
        bint is_markup

    ctypedef struct Arrays:
        int32_t nodes
        int32_t *tag
        int32_t *parent
        int32_t *size
        int32_t *depth
        int32_t *text_start
        int32_t *attribute_start
        int32_t attributes, attribute_capacity
        int32_t *attribute_name
        int32_t *value_start
        unsigned char *text
        unsigned char *values
        size_t text_length, text_capacity, values_length, values_capacity
        Kept *kept
        int32_t kept_count

    enum Wanted:
        ARRAYS, TREE, TOKENS, VERBATIM

    void begin_reading()
    int read_page(Reader *reader, Arrays *page, const unsigned char *html, size_t length, int wanted, int content,
                  const char *element)
    const unsigned char *bytes_at(const Reader *reader, uint32_t at)
    void release_reader(Reader *reader)
    void release_arrays(Arrays *page)

cdef enum:
    POOLED = 8
    KEPT_NODES = 1 << 17  # arenas with more are not kept for the next page
    KEPT_BYTES = 1 << 23
    PLACES = 1 << 12  # for names that are remembered
    # of `NodeArrays`: arrays of numbers, ...
    FIELDS = 10
    COPIED = 8      # ... those that are copied as they are, ...
    SCRIPTS = 8     # ... and the one of scripts, which that of noscripts follows

SIMD = FASTWRAP_SIMD.decode()
LEVELS = MOST_OPEN

cdef object frombuffer = np.frombuffer, INT32 = np.dtype(np.int32)

# By the kind of a name (a tag, or an attribute of HTML, SVG, MathML): the numbers of the tables, and how those are spelled
# that are not in lower case.
cdef tuple KNOWN = (TAG_NUMBER, ATTRIBUTE_NUMBER, ATTRIBUTE_NUMBER, ATTRIBUTE_NUMBER)
cdef tuple CASES = ({}, {}, SVG_ATTRIBUTE_CASE, {b"definitionurl": b"definitionURL"})

cdef struct Remembered:
    # A name that a page had: other pages have it, too. By its hash, and only the last one.
    uint32_t hash
    int32_t kind
    int32_t number
    PyObject *written
    PyObject *spelled

cdef Remembered REMEMBERED[PLACES]
memset(REMEMBERED, 0, sizeof(REMEMBERED))

begin_reading()

# Arenas wait here for the next page: memory fresh from the system costs a third of the time in page faults. Taken and
# put back by atomic exchange, so any thread may use any of them.
cdef Machine *POOL[POOLED]
memset(POOL, 0, sizeof(POOL))

cdef struct Machine:
    Reader *reader
    Arrays *page


cdef void destroy(Machine *machine) noexcept nogil:
    release_reader(machine.reader)
    release_arrays(machine.page)
    free(machine)


cdef Machine *borrow() noexcept nogil:
    """An arena that no other thread has; NULL when there is no memory."""
    cdef Machine *machine
    cdef int k
    for k in range(POOLED):
        machine = <Machine *>exchange(<void **>&POOL[k], NULL)
        if machine != NULL:
            return machine
    machine = <Machine *>calloc(1, sizeof(Machine))
    if machine == NULL:
        return NULL
    machine.reader = <Reader *>calloc(1, sizeof(Reader))
    machine.page = <Arrays *>calloc(1, sizeof(Arrays))
    if machine.reader == NULL or machine.page == NULL:
        destroy(machine)
        return NULL
    return machine


cdef void give_back(Machine *machine, int failed) noexcept nogil:
    """Keep an arena for the next page, unless it is a large one or there are enough."""
    cdef Reader *reader = machine.reader
    cdef Arrays *page = machine.page
    cdef int k
    if (failed == 0 and reader.capacity <= KEPT_NODES and reader.attribute_capacity <= KEPT_NODES
            and page.attribute_capacity <= KEPT_NODES and reader.beside_capacity <= KEPT_BYTES
            and page.text_capacity + page.values_capacity <= KEPT_BYTES):
        for k in range(POOLED):
            machine = <Machine *>exchange(<void **>&POOL[k], machine)
            if machine == NULL:
                return
    destroy(machine)


cdef int check(int failed) except -1:
    """Raise for what a page was not read for."""
    if failed == 0:
        return 0
    if failed == OUT_OF_MEMORY:
        raise MemoryError("no memory for the page")
    if failed == TOO_DEEP:
        raise TooComplexError(f"the page nests more than {MOST_OPEN:,} elements: refused")
    if failed == TOO_MANY:
        raise TooComplexError(
            "the page makes too many elements, counting those that are re-opened in every block because they are never "
            "closed: refused, since they would fill the memory"
        )
    if failed == TOO_LABORIOUS:
        raise TooComplexError(
            f"the page takes more than {MOST_WORK:,} steps to read, in searches through open elements, attributes and "
            "names: refused, since this takes seconds to minutes"
        )
    raise FastwrapError("the page has more than 2 GiB of text, attributes or nodes: it cannot be read")


cdef int remember(Remembered *place, const Reader *reader, Name name, int kind) except -1:
    """Find the number of a name and its spelling, in place of those of another one."""
    cdef bytes written = <bytes>(reader.beside + name.at)[:name.length]
    cdef PyObject *dropped
    spelled = <str>CASES[kind].get(written, written).decode("utf-8", "replace")
    place.number = number_of(spelled, KNOWN[kind], {})
    place.hash = name.hash
    place.kind = kind
    Py_INCREF(written)
    Py_INCREF(spelled)
    dropped = place.written
    place.written = <PyObject *>written
    Py_XDECREF(dropped)
    dropped = place.spelled
    place.spelled = <PyObject *>spelled
    Py_XDECREF(dropped)
    return 0


cdef bint is_remembered(const Remembered *place, const Reader *reader, Name name, int kind) noexcept:
    return (place.hash == name.hash and place.kind == kind and place.written != NULL
            and PyBytes_GET_SIZE(<object>place.written) == name.length
            and memcmp(PyBytes_AS_STRING(<object>place.written), reader.beside + name.at, name.length) == 0)


cdef int32_t numbered(const Reader *reader, Name name, int kind, dict custom) except -1:
    """The number of a name, and an entry in `custom` if it is not in the tables; another name of the page may have the
    number already."""
    cdef Remembered *place = &REMEMBERED[(name.hash + kind) & (PLACES - 1)]
    cdef int32_t number
    with cython.critical_section(CASES):
        if not is_remembered(place, reader, name, kind):
            remember(place, reader, name, kind)
        number = place.number
        spelled = <str>place.spelled
    if number >= UNNUMBERED:
        there = custom.setdefault(number, spelled)
        if there is not spelled and there != spelled:
            return number_of(spelled, KNOWN[kind], custom)
    return number


cdef int number_names(const Reader *reader, const Names *names, int32_t *numbers, int32_t count, int bits,
                      dict custom) except -1:
    """Replace places among the names of this page by numbers. Those of attributes have `bits` for the namespace, since
    SVG and MathML spell some in their own way."""
    cdef size_t bytes_needed = (<size_t>names.count << bits) * sizeof(int32_t)
    cdef int32_t *resolved
    cdef int32_t k, place
    if names.count == 0:
        return 0
    resolved = <int32_t *>malloc(bytes_needed)
    if resolved == NULL:
        raise MemoryError("no memory for the names of the page")
    memset(resolved, 0xFF, bytes_needed)
    try:
        for k in range(count):
            if numbers[k] & UNNUMBERED:
                place = numbers[k] ^ UNNUMBERED
                if resolved[place] < 0:
                    resolved[place] = numbered(reader, names.names[place >> bits],
                                               1 + (place & ((1 << NAME_BITS) - 1)) if bits else 0, custom)
                numbers[k] = resolved[place]
    finally:
        free(resolved)
    return 0


cdef Py_ssize_t count_kept(const Arrays *page, bint is_markup, Py_ssize_t *length) noexcept nogil:
    """How many texts of scripts that hold data there are, or of noscripts; adds up their bytes."""
    cdef Py_ssize_t count = 0
    cdef int32_t k
    for k in range(page.kept_count):
        if page.kept[k].is_markup == is_markup:
            length[0] += page.kept[k].length
            count += 1
    return count


cdef void copy_kept(const Reader *reader, const Arrays *page, bint is_markup, int32_t *starts, char *values,
                    int32_t at) noexcept nogil:
    """Append these texts to the values, from `at` on, and write where each starts; the last one is where they end."""
    cdef int32_t k
    for k in range(page.kept_count):
        if page.kept[k].is_markup == is_markup:
            starts[0] = at
            starts += 1
            memcpy(values + at, bytes_at(reader, page.kept[k].at), page.kept[k].length)
            at += page.kept[k].length
    starts[0] = at


cdef tuple fields_of(const Reader *reader, Arrays *page, dict custom):
    """The fields of `NodeArrays` from an arena: all numbers stand in one block, which is of the right size."""
    cdef const int32_t *sources[COPIED]
    cdef Py_ssize_t lengths[FIELDS]         # of the arrays of numbers
    cdef Py_ssize_t scripts_end = page.values_length, end, total = 0, at = 0
    cdef bytes block, text, values
    cdef int32_t *numbers
    cdef char *kept
    cdef list fields
    cdef int k
    number_names(reader, &reader.tags, page.tag, page.nodes, 0, custom)
    number_names(reader, &reader.attribute_names, page.attribute_name, page.attributes, NAME_BITS, custom)
    page.text_start[page.nodes] = <int32_t>page.text_length
    page.attribute_start[page.nodes] = page.attributes
    page.value_start[page.attributes] = <int32_t>page.values_length
    sources[:] = [page.tag, page.parent, page.size, page.depth, page.text_start, page.attribute_start,
                  page.attribute_name, page.value_start]
    lengths[:] = [page.nodes, page.nodes, page.nodes, page.nodes, page.nodes + 1, page.nodes + 1,
                  page.attributes, page.attributes + 1, 0, 0]
    lengths[SCRIPTS] = 1 + count_kept(page, False, &scripts_end)
    end = scripts_end
    lengths[SCRIPTS + 1] = 1 + count_kept(page, True, &end)
    if end > INT32_MAX:
        check(TOO_LARGE)
    for k in range(FIELDS):
        total += lengths[k]
    block = PyBytes_FromStringAndSize(NULL, total * sizeof(int32_t))
    text = PyBytes_FromStringAndSize(<char *>page.text, page.text_length)
    values = PyBytes_FromStringAndSize(NULL, end)
    numbers = <int32_t *>PyBytes_AS_STRING(block)
    kept = PyBytes_AS_STRING(values)
    # Nobody else has these yet, so other threads may run while they are filled.
    with nogil:
        for k in range(COPIED):
            memcpy(numbers, sources[k], lengths[k] * sizeof(int32_t))
            numbers += lengths[k]
        memcpy(kept, page.values, page.values_length)
        copy_kept(reader, page, False, numbers, kept, <int32_t>page.values_length)
        copy_kept(reader, page, True, numbers + lengths[SCRIPTS], kept, <int32_t>scripts_end)
    whole = frombuffer(block, INT32)        # not to be written to, since `bytes` are not
    fields = []
    for k in range(FIELDS):
        fields.append(whole[at:at + lengths[k]])
        at += lengths[k]
    fields[COPIED:COPIED] = [text, values]
    return tuple(fields)


def read(bytes html not None, dict custom not None):
    """The fields of the node arrays of a page; see `reading.pyi`."""
    cdef Machine *machine
    cdef const unsigned char *start = html
    cdef size_t length = len(html)
    cdef int failed = OUT_OF_MEMORY
    with nogil:
        machine = borrow()
        if machine != NULL:
            failed = read_page(machine.reader, machine.page, start, length, ARRAYS, 0, NULL)
    if machine == NULL:
        raise MemoryError("no memory for the page")
    try:
        check(failed)
        return fields_of(machine.reader, machine.page, custom)
    finally:
        give_back(machine, failed)


cdef bytes read_otherwise(bytes html, int wanted, int content, const char *element):
    """What a reader records of a page."""
    cdef Machine *machine
    cdef const unsigned char *start = html
    cdef size_t length = len(html)
    cdef int failed = OUT_OF_MEMORY
    with nogil:
        machine = borrow()
        if machine != NULL:
            failed = read_page(machine.reader, machine.page, start, length, wanted, content, element)
    if machine == NULL:
        raise MemoryError("no memory for the page")
    try:
        check(failed)
        return <bytes>machine.reader.recorded[:machine.reader.recorded_length]
    finally:
        give_back(machine, failed)


def recorded_tree(bytes html not None):
    """The whole tree of a page; see `reading.pyi`."""
    return read_otherwise(html, TREE, 0, NULL)


def recorded_preformatted(bytes html not None):
    """The preformatted texts of a page; see `reading.pyi`."""
    return read_otherwise(html, VERBATIM, 0, NULL)


def recorded_tokens(bytes html not None, int content=0, str element=""):
    """The tokens of a page; see `reading.pyi`."""
    cdef bytes name = element.encode()
    return read_otherwise(html, TOKENS, content, name)


def has_tag(tag not None, int number):
    """Whether a page has an element of a tag; see `reading.pyi`."""
    cdef Py_ssize_t count = len(tag), k
    cdef const int32_t *at = held_numbers(tag, count)
    cdef int found = 0
    for k in range(count):
        found |= at[k] == number
    return found != 0
