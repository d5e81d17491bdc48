"""Children of a node aligned with the slots of a template: what learning and matching share."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastwrap._core.template.features cimport Tree

cdef enum:
    # Flags of slots.
    IS_LABEL = 1            # what stands there names what is behind it
    IS_STRICT = 2           # only the same label may stand there
    IS_RICH = 4             # running text: taken whole, whatever markup is in it
    IS_LOOSE = 8            # repeats where a page has it several times, though no page that was learned from has
    IS_NEAR = 16            # right behind the label that is its context
    VARIES = 32             # a text that is not the same on all pages
    IS_KIND = 64            # of a kind (tag and class) whose elements are mostly labels

    NO_PLACE = -1
    MOST_CELLS = 1000000    # of one table


cdef struct Slot:
    int32_t tag
    int32_t parent
    int32_t flags
    int32_t unit            # slots of one unit repeat together; -1 for none
    uint64_t key
    uint64_t name
    uint64_t label
    uint64_t context        # the label before it among its siblings
    uint64_t labels         # one bit for each label below ...
    uint64_t elements       # ... and for each tag with class
    bint in_value           # whether it is what stands behind a label, or in that
    int32_t first_node      # the nodes that stand there: a list by `next_node`
    int32_t last_node


cdef struct Child:
    int32_t node
    int32_t tag
    uint64_t key
    uint64_t name
    uint64_t label
    uint64_t raw
    uint64_t context
    bint near
    bint is_label
    bint is_kind
    bint is_single


cdef struct Table:
    # Memory of alignments, kept from one to the next.
    int64_t budget          # cells that may still be filled
    bint exceeded
    size_t room             # cells
    int32_t *from_child     # [children * slots] where the best alignment that ends in a pair comes from ...
    int32_t *from_slot
    int32_t width           # slots that there is room for
    int64_t *score          # [width + 1] of the best alignment of the children so far in the first slots, ...
    int32_t *last_child     # ... and its last pair
    int32_t *last_slot
    int64_t *row            # [width] of the current child
    int64_t *unit_score     # [width] by the first slot of a unit
    int32_t *unit_child
    int32_t *unit_slot


cdef int32_t fill_children(Child *children, const Tree *tree, int32_t node) noexcept nogil
cdef int32_t count_children(const Tree *tree, int32_t node) noexcept nogil
cdef void set_contexts(Child *children, int32_t count) noexcept nogil
cdef int32_t overlap(uint64_t one, uint64_t other) noexcept nogil
cdef int align(Table *table, const Tree *tree, const Slot *slots, int32_t width, const Child *children, int32_t height,
               int32_t *places) except -1 nogil
cdef void close_table(Table *table) noexcept nogil
cdef bint is_cell(int32_t tag) noexcept nogil
