"""Reads the records of pages by a template: what depends on the template alone is made once, in a `Reader`.
It remembers the slots of records: the next page of a site has many that are equal in tags, shape and symbols."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy

from fastwrap._core.columns.alignment cimport (
    NOWHERE, ROOT, Aligner, Records, TreeSlot, add_slot, close_records, close_tables, close_tree, distinct_records,
    length_of, open_records, open_tables, open_tree, place, start_of,
)
from fastwrap._core.columns.items cimport ItemAttributes, PlacedRecords, take_attributes
from fastwrap._core.columns.presenting cimport Presenter
from fastwrap._core.columns.symbols cimport TellingSymbols, symbols_to_read
from fastwrap._core.columns.table cimport TableLayout, read_rows
from fastwrap._core.common.buffers cimport data_of, held_numbers
from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport NativePage, PageArrays

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32)
cdef tuple ALIGNMENT_LIMIT = ("columns.alignment",)

cdef enum:
    MAX_RECORDS = 384           # that a reader remembers, ...
    MAX_REMEMBERED = 1 << 18    # ... and their bytes
    MANY_NODES = 10000          # of fewer, records are read before another thread could take the global lock


cdef class Reader:
    """Reads the records of pages by a template; see `reading.pyi`."""
    cdef Aligner tree           # with the slots of the template; never written to after it is made
    cdef ItemAttributes attributes
    cdef TellingSymbols known
    cdef TableLayout layout
    cdef uint8_t *marks         # the memory of `known.telling` and `layout.takes`
    cdef int32_t *shifted       # slot of the tree -> the one that further nodes like those in it go to, or NOWHERE
    cdef object arrays          # what `known` and `layout` point into
    # By its hash, a record that has been placed, see `remember`: as its symbols mean the same on every page, the next
    # page may have equal ones. All are forgotten when they are too many.
    cdef dict remembered
    cdef Py_ssize_t remembered_bytes

    def __cinit__(self, tree not None, repeats not None, labels not None, attributes not None, column_of not None,
                  unit not None, list_of not None):
        cdef int32_t count = <int32_t>tree.shape[1], kinds = <int32_t>len(attributes) + 1
        cdef const int32_t *slots = held_numbers(tree, <size_t>len(tree) * count)
        cdef const int32_t *again = held_numbers(repeats, count)
        if len(tree) < 3:
            raise ValueError("arrays that belong together differ in length")
        self.arrays = labels, column_of, unit, list_of
        self.known.label_count = len(labels)
        self.known.labels = held_numbers(labels, len(labels))
        self.layout.slot_count = count
        self.layout.column_of = held_numbers(column_of, <size_t>count * kinds)
        self.layout.unit = held_numbers(unit, count)
        self.layout.width = <int32_t>len(list_of)
        self.layout.list_of = held_numbers(list_of, self.layout.width)
        take_attributes(&self.attributes, attributes)
        self.check(slots, again, kinds)
        self.marks = <uint8_t *>calloc(2 * (<size_t>count + 1), 1)
        self.shifted = <int32_t *>malloc(2 * (<size_t>count + 1) * sizeof(int32_t))
        self.remembered = {}
        if self.marks == NULL or self.shifted == NULL or open_tree(&self.tree, count + 1, count + 1) < 0:
            raise MemoryError("no memory for the slots of the template")
        self.fill(slots, again, kinds)

    def __dealloc__(self):
        close_tree(&self.tree)
        free(self.marks)
        free(self.shifted)

    cdef int check(self, const int32_t *slots, const int32_t *again, int32_t kinds) except -1:
        """Raise ValueError for numbers that point out of the template; `slots` are rows of tags and parents."""
        cdef int32_t count = self.layout.slot_count, slot, column
        cdef const int32_t *parent = slots + count
        cdef int64_t i
        for slot in range(count):
            if not NOWHERE <= parent[slot] < slot:
                raise ValueError(f"slot {slot} is not in document order")
            if again[slot] != NOWHERE and not (0 <= again[slot] < count and parent[again[slot]] == parent[slot]
                                               and slots[again[slot]] == slots[slot]):
                raise ValueError(f"slot {slot} is not repeated by one of its siblings")
            if self.layout.unit[slot] < NOWHERE:
                raise ValueError(f"slot {slot} begins a unit of no list")
        for i in range(<int64_t>count * kinds):
            if not NOWHERE <= self.layout.column_of[i] < self.layout.width:
                raise ValueError("a column is not within the table")
        for column in range(self.layout.width):
            if self.layout.list_of[column] < NOWHERE:
                raise ValueError(f"column {column} is in no list")
        return 0

    cdef void fill(self, const int32_t *slots, const int32_t *again, int32_t kinds) noexcept nogil:
        """Make the tree, and what is known of its slots; `slots` are rows of tags, parents and symbols."""
        cdef int32_t count = self.layout.slot_count, slot, above, number, kind
        cdef uint8_t *telling = self.marks
        cdef uint8_t *takes = self.marks + count + 1
        cdef TreeSlot *made
        self.known.telling = telling
        self.layout.takes = takes
        self.tree.repeats = self.shifted
        self.tree.first_repeat = self.shifted + count + 1
        self.shifted[ROOT] = NOWHERE
        for slot in range(count + 1):
            self.tree.first_repeat[slot] = NOWHERE
        # `add_slot` takes tags and symbols of nodes: those of the template's slots.
        self.tree.tag = slots
        self.tree.symbol = slots + 2 * <int64_t>count
        for slot in range(count):
            above = slots[count + slot] + 1
            number = add_slot(&self.tree, slot, above, self.tree.slots[above].last)
            self.shifted[number] = NOWHERE if again[slot] == NOWHERE else again[slot] + 1
            if again[slot] != NOWHERE and self.tree.first_repeat[above] == NOWHERE:
                self.tree.first_repeat[above] = number
            for kind in range(kinds - 1):
                takes[slot] |= self.layout.column_of[<int64_t>slot * kinds + kind] != NOWHERE
            made = &self.tree.slots[number]
            telling[made.path] |= made.symbol != 0 or (again[slot] != NOWHERE and made.tag != TEXT)

    cdef int remember(self, const Aligner *aligner, const Records *records, int32_t record, const int32_t *slots,
                      int64_t cells) except -1:
        """Keep the slots, tags, sizes and symbols of a record's nodes, and what placing them took of the budget."""
        cdef size_t length = length_of(records, record) * sizeof(int32_t)
        cdef bytes block = PyBytes_FromStringAndSize(NULL, 4 * length + sizeof(int64_t))
        cdef char *at = PyBytes_AS_STRING(block)
        if len(block) > MAX_REMEMBERED // 4:
            return 0
        memcpy(at, slots, length)
        memcpy(at + length, aligner.tag + start_of(records, record), length)
        memcpy(at + 2 * length, aligner.size + start_of(records, record), length)
        memcpy(at + 3 * length, aligner.symbols + records.first_node[record], length)
        memcpy(at + 4 * length, &cells, sizeof(int64_t))
        with cython.critical_section(self):
            if len(self.remembered) == MAX_RECORDS or self.remembered_bytes + len(block) > MAX_REMEMBERED:
                self.remembered.clear()
                self.remembered_bytes = 0
            self.remembered[records.hashes[record]] = block
            self.remembered_bytes += len(block)
        return 0

    cdef bint recall(self, Aligner *aligner, const Records *records, int32_t record, int32_t *slots) except -1:
        """Write the slots of a record that is remembered. Returns whether it is, and the budget allows it.

        What is remembered changes nothing but the time: it takes of the budget what placing took.
        """
        cdef size_t length = length_of(records, record) * sizeof(int32_t)
        cdef bytes block = self.remembered.get(records.hashes[record])
        cdef const char *at
        cdef int64_t cells
        if block is None or <size_t>len(block) != 4 * length + sizeof(int64_t):
            return False
        at = PyBytes_AS_STRING(block)
        memcpy(&cells, at + 4 * length, sizeof(int64_t))
        if (cells > aligner.budget
                or memcmp(at + length, aligner.tag + start_of(records, record), length) != 0
                or memcmp(at + 2 * length, aligner.size + start_of(records, record), length) != 0
                or memcmp(at + 3 * length, aligner.symbols + records.first_node[record], length) != 0):
            return False
        aligner.budget -= cells
        memcpy(slots, at, length)
        return True

    cdef bint place_one(self, Aligner *aligner, const Records *records, int32_t record) noexcept nogil:
        """Whether there is no memory to find the slots of a record."""
        if aligner.path == NULL and open_tables(aligner, self.layout.slot_count + 1, records.longest) < 0:
            return True
        return place(aligner, records, record, False) < 0

    cdef int place_all(self, Aligner *aligner, const Records *records, int32_t *slots) except -1:
        """Write the slots of all nodes; NOWHERE for those without one. Equal records are placed once."""
        cdef int64_t before
        cdef int32_t record, i
        cdef int32_t *own
        cdef bint failed
        for record in range(records.count):
            own = slots + records.first_node[record]
            if records.like[record] != record:
                memcpy(own, slots + records.first_node[records.like[record]],
                       length_of(records, record) * sizeof(int32_t))
            elif not self.recall(aligner, records, record, own):
                before = aligner.budget
                if records.nodes < MANY_NODES:
                    failed = self.place_one(aligner, records, record)
                else:
                    with nogil:
                        failed = self.place_one(aligner, records, record)
                if failed:
                    raise MemoryError("no memory for placing the records")
                for i in range(length_of(records, record)):
                    own[i] = aligner.placed[i] - 1 if aligner.placed[i] != NOWHERE else NOWHERE
                # Of those beyond the budget nothing is to be remembered.
                if before > aligner.budget:
                    self.remember(aligner, records, record, own, before - aligner.budget)
        return 0

    def read(self, NativePage native not None, spans not None, int64_t budget, Presenter presenter=None):
        """The slots of all nodes of all records, the table, and the limits; see `reading.pyi`."""
        cdef const PageArrays *page = &native.arrays
        cdef Aligner aligner = self.tree
        cdef Records records
        cdef PlacedRecords placed
        cdef int32_t *symbols = NULL
        cdef int32_t *slots
        cdef bint failed
        open_records(&records, spans, page)
        try:
            slots_array = empty(records.nodes, INT32)
            slots = <int32_t *>data_of(slots_array)
            if records.count:
                symbols = <int32_t *>malloc((<size_t>records.nodes + records.longest) * sizeof(int32_t))
                if symbols == NULL:
                    raise MemoryError("no memory for the symbols of the records")
                aligner.tag = page.tag
                aligner.size = page.size
                aligner.parent = page.parent
                aligner.symbols = symbols
                aligner.budget = budget
                if records.nodes < MANY_NODES:
                    symbols_to_read(page, &aligner, &records, &self.known, symbols, symbols + records.nodes)
                    failed = distinct_records(&aligner, &records) < 0
                else:
                    with nogil:
                        symbols_to_read(page, &aligner, &records, &self.known, symbols, symbols + records.nodes)
                        failed = distinct_records(&aligner, &records) < 0
                if failed:
                    raise MemoryError("no memory for comparing the records")
                self.place_all(&aligner, &records, slots)
            placed = PlacedRecords(page, &records, slots, &self.attributes)
            rows = read_rows(&placed, &self.layout, presenter)
        finally:
            free(symbols)
            close_records(&records)
            close_tables(&aligner)
        return slots_array, rows, ALIGNMENT_LIMIT if aligner.exceeded else ()
