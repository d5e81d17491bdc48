"""What `matching` offers other native modules: scores of pairs of runs, one memo for all of a page's."""

from libc.stdint cimport int64_t, uint64_t

cdef enum:
    OUT_OF_BUDGET = -1


cdef struct Slot:
    uint64_t key    # two class ids, the smaller one in the high half; 0 = empty (equal ids are never stored)
    int score


cdef struct Column:
    # A right tree of an open pair of runs, copied so that a row of the table reads memory in order.
    int tag
    int size
    int class_id
    int node
    int best        # the rolling row of the table: the best score up to this tree


cdef struct Frame:
    # A pair of runs whose table is being filled.
    uint64_t key    # the pair of classes whose score this will be, 0 if it is not to be remembered
    int outside     # pairs found outside the table: roots, equal first trees and equal last trees
    int left        # the left tree of the current row
    int rows        # rows to fill, the current one included
    int columns     # where its right trees begin in the arena
    int width       # how many they are
    int column      # the current cell, which waits for the score of two trees ...
    int diagonal    # ... the score before both of them ...
    int beside      # ... and the score with the left one only


cdef struct Matcher:
    const int* tag
    const int* size
    const int* class_id
    int64_t budget      # cells that may still be filled
    Slot* memo          # scores by pair of classes: open addressing with linear probing
    int memo_bits       # 2 ** bits slots
    int memo_room       # scores that it takes before it is half full
    Column* arena       # columns of all open frames
    int arena_used
    int* lefts          # left trees of the pair of runs that is being opened
    Frame* frames
    int depth           # open frames


cdef int start(Matcher* matcher, const int* tag, const int* size, const int* class_id, int64_t longest,
               int64_t budget) except -1
cdef void stop(Matcher* matcher) noexcept nogil
cdef int score_runs(Matcher* matcher, int left, int left_end, int right, int right_end) noexcept nogil
