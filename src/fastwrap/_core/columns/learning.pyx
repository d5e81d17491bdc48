"""Learns the template of records in one call: symbols, alignment, folding, columns, and the table that they make.
Each step is a module of its own; from the symbols to the columns the lock of the interpreter is not held."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from fastwrap._core.columns.alignment cimport (
    TEMPLATE_ROWS, Aligner, Records, TemplateTree, close_records, close_tables, close_tree, grow_tree, open_records,
    write_tree,
)
from fastwrap._core.columns.choice cimport Choice, ChoiceTraits, choose_columns, chosen, close_choice
from fastwrap._core.columns.folding cimport AlignmentBudget, TagTraits, fold_tree
from fastwrap._core.columns.items cimport (
    MAX_KINDS, Columns, ItemAttributes, PlacedRecords, add_data_attributes, close_columns, find_columns, keep_used,
    take_attributes,
)
from fastwrap._core.columns.separators cimport FILES_BIT, WORDS_BIT
from fastwrap._core.columns.symbols cimport symbols_to_learn
from fastwrap._core.columns.table cimport TableLayout, read_rows
from fastwrap._core.common.buffers cimport data_of, held
from fastwrap._core.common.page cimport NativePage, PageArrays
from fastwrap._core.page.symbols cimport need_symbols

import numpy as np

cdef object empty = np.empty, INT32 = np.dtype(np.int32)

WORDS = WORDS_BIT
FILES = FILES_BIT

cdef struct LearningOptions:
    # See `fastwrap.columns.records.LearningOptions`.
    int32_t label_records
    int64_t alignment_cells
    int64_t folding_cells
    int64_t table_cells
    int32_t longest
    bint choose


cdef struct Template:
    # What is learned, before it is arrays.
    ItemAttributes attributes
    TagTraits traits
    TemplateTree tree
    Columns columns
    ChoiceTraits choice_traits
    Choice choice
    int32_t lists
    bint alignment_met          # budgets
    bint folding_met


cdef int32_t learn_template(const PlacedRecords *placed, Records *records, const LearningOptions *options,
                            int32_t *slots, Template *template) noexcept nogil:
    """Learn from at least one record, and write the slots of all nodes. -1: no memory."""
    cdef const PageArrays *page = placed.page
    cdef Aligner aligner
    cdef AlignmentBudget budget
    cdef int32_t *symbols = <int32_t *>malloc(records.nodes * sizeof(int32_t))
    cdef int32_t done = -1
    cdef bint grown
    memset(&aligner, 0, sizeof(Aligner))
    aligner.tag = page.tag
    aligner.size = page.size
    aligner.parent = page.parent
    aligner.symbols = symbols
    aligner.budget = options.alignment_cells
    grown = (symbols != NULL and symbols_to_learn(page, records, options.label_records, symbols) == 0
             and grow_tree(&aligner, records, slots) == 0
             and write_tree(&aligner, records, slots, &template.tree) == 0)
    # Before the rest takes as much memory again.
    free(symbols)
    close_tree(&aligner)
    close_tables(&aligner)
    if grown:
        budget = AlignmentBudget(options.alignment_cells, aligner.exceeded)
        if <int64_t>records.count * template.tree.count > options.folding_cells:
            template.folding_met = True
        else:
            template.lists = fold_tree(&template.tree, records, slots, page, template.traits, &budget)
        template.alignment_met = budget.exceeded
        if template.lists >= 0:
            done = find_columns(placed, &template.tree, options.table_cells, options.longest, &template.columns)
        if done == 0 and options.choose:
            done = choose_columns(placed, &template.tree, &template.columns, template.choice_traits, &template.choice)
    return done


def learn(NativePage native not None, spans not None, dict names not None, options not None):
    """The template of records, and their table; see `learning.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef LearningOptions numbers
    cdef Template template
    cdef Records records
    cdef PlacedRecords placed
    cdef TableLayout layout
    cdef uint8_t[MAX_KINDS + 1] kinds      # the kinds that records have -> all kinds
    cdef int32_t *slots
    cdef int32_t *places
    cdef const int32_t *ways
    cdef const uint8_t *wanted = NULL
    cdef int32_t column, width, most_data
    cdef list data, split = []
    cdef bint failed
    cdef object choice = None
    memset(&template, 0, sizeof(Template))
    (attributes, template.attributes.first_data, template.attributes.alternative, most_data, traits,
     numbers.label_records, numbers.alignment_cells, numbers.folding_cells, numbers.table_cells,
     numbers.longest, numbers.choose, choice_traits) = options
    take_attributes(&template.attributes, attributes)
    data = add_data_attributes(&template.attributes, names, most_data)
    template.traits.count = <int32_t>len(traits)
    template.traits.by_tag = <const uint8_t *>held(traits, template.traits.count, 1)
    template.choice_traits.count = <int32_t>len(choice_traits)
    template.choice_traits.by_tag = <const uint16_t *>held(
        choice_traits, template.choice_traits.count, sizeof(uint16_t))
    need_symbols(native)
    open_records(&records, spans, page)
    try:
        slots_array = empty(records.nodes, INT32)
        slots = <int32_t *>data_of(slots_array)
        keep_used(&template.attributes, page, &records, kinds)
        placed = PlacedRecords(page, &records, slots, &template.attributes)
        if records.count:
            with nogil:
                failed = learn_template(&placed, &records, &numbers, slots, &template) < 0
            if failed:
                raise MemoryError("no memory for the alignment of the records")
        width = template.columns.width
        tree_array = empty((TEMPLATE_ROWS, template.tree.count), INT32)
        places_array = empty((3, width), INT32)
        if template.tree.count:
            memcpy(data_of(tree_array), template.tree.tag,
                   <size_t>template.tree.count * TEMPLATE_ROWS * sizeof(int32_t))
        if width:
            places = <int32_t *>data_of(places_array)
            memcpy(places, template.columns.places, 3 * <size_t>width * sizeof(int32_t))
            for column in range(width):
                places[width + column] = kinds[places[width + column]]
        if numbers.choose and not template.choice.exceeded:
            choice = chosen(&template.choice)
            wanted = template.choice.wanted
        ways = template.columns.places + 3 * <int64_t>width
        for column in range(width):
            if ways[column] and (wanted == NULL or wanted[column]):
                split.append((column, ways[column]))
        layout = TableLayout(template.tree.count, template.columns.column_of, template.columns.takes,
                             template.tree.unit, width, template.columns.places + 2 * <int64_t>width, wanted)
        rows = read_rows(&placed, &layout, None)
    finally:
        free(template.tree.tag)
        close_choice(&template.choice)
        close_columns(&template.columns)
        close_records(&records)
    limits = tuple([name for met, name in ((template.alignment_met, "columns.alignment"),
                                           (template.folding_met, "columns.folding"),
                                           (template.columns.left_out, "columns.width"),
                                           (template.choice.exceeded, "columns.choice")) if met])
    return slots_array, tree_array, places_array, rows, data, split, template.lists, choice, limits
