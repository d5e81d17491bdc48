"""What `folding` offers other native modules: it finds texts in pieces and lists among the slots of a tree."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastwrap._core.columns.alignment cimport Records, TemplateTree
from fastwrap._core.common.page cimport PageArrays


cdef struct TagTraits:
    # What tags are for, by number: FORMATTING, CELL or nothing. Tags beyond the table have no trait.
    const uint8_t *by_tag
    int32_t count


cdef struct AlignmentBudget:
    int64_t cells           # that may still be filled
    bint exceeded           # whether more would have been


cdef int32_t fold_tree(TemplateTree *tree, const Records *records, const int32_t *slots, const PageArrays *page,
                       TagTraits traits, AlignmentBudget *budget) noexcept nogil
