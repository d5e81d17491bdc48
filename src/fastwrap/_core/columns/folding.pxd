"""What `folding` offers other native modules: it finds texts in pieces and lists among the slots of a tree."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastwrap._core.columns.alignment cimport Records, TemplateTree
from fastwrap._core.common.page cimport PageArrays


cdef enum:
    # Traits of tags, as bits; see `fastwrap.columns.records.TRAIT_TAGS`
    FORMATTING = 1
    CELL = 2
    INLINE = 4
    PARAGRAPH = 8
    QUOTED = 16
    HEADING = 32
    PART = 64


cdef struct TagTraits:
    # What tags are for, by number. Tags beyond the table have no trait.
    const uint8_t *by_tag
    int32_t count


cdef struct AlignmentBudget:
    int64_t cells           # that may still be filled
    bint exceeded           # whether more would have been


cdef struct Folding:
    TemplateTree *tree
    int32_t records
    int32_t *times          # slot -> records that fill it
    int32_t *solid          # [slots + 1] slots before each that are neither texts nor line breaks nor mere formatting
    int32_t *named          # [slots + 1] slots before each that name what follows them
    int32_t *first          # slot -> the first node in it
    int32_t *letters        # slot -> bytes of all texts in it, ...
    int32_t *prose          # ... of those that are long, ...
    int32_t *longest        # ... and of the longest
    uint8_t *filled         # [records, slots]
    uint8_t *settled        # slot -> whether it is within a list or a joined text
    int32_t *run            # siblings that are looked at
    int32_t *line           # those of them between two line breaks
    int32_t *numbers        # [members + 1] of a list -> records that have so many
    uint64_t *patterns      # one per record: which siblings it has
    int32_t lists           # how many there are
    bint exceeded           # whether bodies were looked for beyond the budget
    TagTraits traits
    const PageArrays *page


cdef inline int32_t trait_of(Folding *folding, int32_t slot) noexcept nogil:
    return folding.traits.by_tag[folding.tree.tag[slot]] if folding.tree.tag[slot] < folding.traits.count else 0


cdef inline bint has_name(Folding *folding, int32_t slot) noexcept nogil:
    """Whether such a text is in a slot or below it."""
    return folding.named[slot + folding.tree.size[slot]] != folding.named[slot]


cdef int32_t fold_tree(TemplateTree *tree, const Records *records, const int32_t *slots, const PageArrays *page,
                       TagTraits traits, AlignmentBudget *budget) noexcept nogil
