"""What `matching` offers other native modules: scores of pairs of runs, one memo for all of a page's."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastwrap._core.common.page cimport PageArrays

cdef enum:
    OUT_OF_BUDGET = -1


cdef struct MemoSlot:
    uint64_t key        # two class ids, the smaller one in the high half; 0 = empty (equal ids are never stored)
    int32_t score


cdef struct TableColumn:
    # A right tree of an open pair of runs, copied so that a row of the table reads memory in order.
    int32_t tag
    int32_t size
    int32_t class_id    # the structural class
    int32_t node
    int32_t best        # the rolling row of the table: the best score up to this tree


cdef struct MatchFrame:
    # A pair of runs whose table is being filled.
    uint64_t key        # the pair of classes whose score this will be, 0 if it is not to be remembered
    int32_t outside     # pairs found outside the table: roots, equal first trees and equal last trees
    int32_t left        # the left tree of the current row
    int32_t rows        # rows to fill, the current one included
    int32_t columns     # where its right trees begin in the arena
    int32_t width       # right trees
    int32_t column      # the current cell, which waits for the score of two trees ...
    int32_t diagonal    # ... the score before both of them ...
    int32_t beside      # ... and the score with the left one only


cdef struct Matcher:
    const int32_t *tag
    const int32_t *size
    const int32_t *class_id
    int64_t budget      # cells that may still be filled
    MemoSlot *memo      # scores by pair of classes: open addressing with linear probing
    int32_t memo_bits   # 2 ** bits slots
    int32_t memo_room   # scores that it takes before it is half full
    TableColumn *arena  # columns of all open frames
    int32_t arena_used
    int32_t *lefts      # left trees of the pair of runs that is being opened
    MatchFrame *frames  # the start of a block that holds the arena and `lefts` as well
    int32_t depth       # open frames


# The page has its structural classes (`need_classes`); no span is longer than `longest`.
cdef int32_t start(Matcher *matcher, const PageArrays *page, int64_t longest, int64_t budget) except -1
cdef void stop(Matcher *matcher) noexcept nogil
cdef int32_t score_runs(Matcher *matcher, int32_t left, int32_t left_end, int32_t right,
                        int32_t right_end) noexcept nogil
