"""What `separators` offers other native modules: whether the texts of a slot agree on separators or first words."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastwrap._core.columns.alignment cimport Records
from fastwrap._core.common.page cimport PageArrays

cdef enum:
    SEPARATORS = 12     # kinds of what may separate values within a text, see `separators_in`
    WORDS_BIT = 1 << SEPARATORS     # of the ways to split: all texts of a slot begin with the same words, ...
    FILES_BIT = 2 << SEPARATORS     # ... or they are names of image files


cdef struct SlotTexts:
    # What the texts of a slot have in common.
    int32_t items
    int64_t length          # of all of them
    int32_t first           # the first of them, ...
    int32_t prefix          # ... and how many of its bytes all begin with
    bint attributed         # whether attributes of the slot are items, ...
    bint named              # ... and the first that stands for an image is the name of a file
    bint compared           # whether they are looked at for separators
    int32_t possible        # kinds of these, as bits, that not too many lack
    int32_t lacking[SEPARATORS]     # texts that do
    uint8_t usual[SEPARATORS]       # how many separators more than half have
    int32_t votes[SEPARATORS]
    int32_t agreeing[SEPARATORS]    # texts that have so many


cdef inline int32_t first_text(const SlotTexts *texts, const PageArrays *page) noexcept nogil:
    """Where the first text of a slot begins."""
    return page.text_start[texts.first]


cdef inline int32_t first_length(const SlotTexts *texts, const PageArrays *page) noexcept nogil:
    """How long the first text of a slot is."""
    return page.text_start[texts.first + 1] - 1 - page.text_start[texts.first]


cdef int32_t compare_separators(const PageArrays *page, const Records *records, const int32_t *slots,
                                SlotTexts *texts, int32_t slot_count, int32_t compared) noexcept nogil
cdef int32_t ways_to_split(const SlotTexts *texts, const PageArrays *page) noexcept nogil
