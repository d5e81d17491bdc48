"""Levenshtein distance between spans of integer symbols, bit-parallel and in batches.
The method, for a pattern (the shorter span, down the rows) and a text (along the columns):

- what the two share at either end is stripped, which cannot change the distance;
- 64 rows of the dynamic programming matrix are one machine word, whose vertical differences move one
  column at a time (Myers 1999, Hyyrö 2003);
- a longer pattern is cut into stripes of four words. Each word runs one column behind the one above it, so
  the four are independent of each other within a step, and two of them share a vector register;
- between stripes only the columns that can still be part of an alignment within a cut-off are kept
  (Ukkonen 1985), and the cut-off grows until the distance is within it.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.buffers cimport data_of, held_numbers
from fastwrap._core.common.scratch cimport piece, put_back, take
from fastwrap._core.similarity.pairs cimport SpanPair, SpanPairs, open_pairs

import numpy as np

cdef extern from *:
    """
    /* Two 64-bit lanes: SSE2 on x86-64, NEON on arm64, which every such processor has.
       The vector types are those of GCC and Clang. */
    typedef uint64_t fastwrap_lanes __attribute__((vector_size(16)));
    #define fastwrap_lanes_of(first, second) ((fastwrap_lanes){(first), (second)})
    #define fastwrap_lane(lanes, index) ((lanes)[index])
    """
    ctypedef uint64_t lanes_t "fastwrap_lanes"
    lanes_t lanes_of "fastwrap_lanes_of"(uint64_t first, uint64_t second) noexcept nogil
    uint64_t lane "fastwrap_lane"(lanes_t lanes, int32_t index) noexcept nogil
    int popcount "__builtin_popcountll"(uint64_t word) noexcept nogil

UNKNOWN = -1

cdef enum:
    WORD = 64              # rows in a machine word
    WORDS = 4              # words in a stripe
    STRIPE = WORDS * WORD  # rows in a stripe
    DIRECT = 256           # the symbols from 0 to here need no renumbering
    ABSENT = -1            # a symbol that matches no row
    READ_PER_STEP = 16     # symbols read (stripped, renumbered) at the price of one word step
    OUT_OF_BUDGET = -1     # becomes UNKNOWN


cdef struct SymbolPair:
    const int32_t *pattern
    const int32_t *text
    Py_ssize_t rows        # symbols of the pattern, at most `columns`
    Py_ssize_t columns     # symbols of the text


cdef struct SymbolSlot:
    int32_t symbol
    int32_t number         # of the symbol, from 1; 0 in a free slot


cdef struct DistanceMemory:
    uint64_t *match        # by symbol, from ABSENT: bits of the rows that carry it; all zero between uses
    uint8_t *step          # by column: the step into it along the last row of a stripe, see `Lanes`
    int32_t *numbered      # a pair's symbols after renumbering, pattern first
    SymbolSlot *slots      # hash table for renumbering
    int64_t budget         # word steps left


cdef struct Lanes:
    # Two words of the matrix, each at its own column.
    lanes_t rise           # bit i: the score rises by one from row i - 1 to row i
    lanes_t fall           # bit i: it falls by one
    # The step from the column before along the word's last row; packed into a byte: level + 2 * descent.
    lanes_t level          # 1: the score does not rise
    lanes_t descent        # 1: it falls


cdef struct Stripe:
    Lanes upper            # first and second word
    Lanes lower            # third and fourth
    Py_ssize_t second      # symbol of the column into which the second word moves next
    Py_ssize_t third       # and the third
    Py_ssize_t fourth      # and the fourth


cdef inline bint pay(DistanceMemory *memory, int64_t steps) noexcept nogil:
    if steps > memory.budget:
        return False
    memory.budget -= steps
    return True


cdef inline Py_ssize_t climb(uint64_t rise, uint64_t fall, Py_ssize_t rows) noexcept nogil:
    """By how much the score rises down the first `rows` rows of a word; words below the pattern have none."""
    cdef uint64_t used = ~<uint64_t>0
    if rows <= 0:
        return 0
    if rows < WORD:
        used >>= WORD - rows
    return popcount(rise & used) - popcount(fall & used)


cdef Py_ssize_t one_word(const SymbolPair *pair, uint64_t *match) noexcept nogil:
    """Distance where the pattern fits in a word: Myers 1999 with the horizontal rises negated (`levels`), which saves
    two complements per column."""
    cdef Py_ssize_t i
    cdef uint64_t rise = ~<uint64_t>0, fall = 0, matched, carried, levels
    for i in range(pair.rows):
        match[pair.pattern[i]] |= <uint64_t>1 << i
    for i in range(pair.columns):
        matched = match[pair.text[i]]
        carried = ((matched & rise) + rise) ^ rise
        levels = ((carried | (matched | rise)) & ~fall) << 1
        rise = ((carried | matched) & rise) << 1 | (~(matched | fall) & levels)
        fall = (matched | fall) & ~levels
    for i in range(pair.rows):
        match[pair.pattern[i]] = 0
    return pair.columns + climb(rise, fall, pair.rows)


cdef inline void advance(Lanes *words, lanes_t match, lanes_t level, lanes_t descent) noexcept nogil:
    """Move two words by one column, after the step along the row above each: Hyyrö 2003 (the form that carries from
    word to word), the horizontal rises negated as in `one_word`."""
    cdef lanes_t matched = match | descent
    cdef lanes_t diagonal = (((matched & words.rise) + words.rise) ^ words.rise) | matched | words.fall
    cdef lanes_t levels = (diagonal | words.rise) & ~words.fall
    cdef lanes_t descents = diagonal & words.rise
    cdef lanes_t shifted = levels + levels + level
    words.rise = (descents + descents + descent) | (~diagonal & shifted)
    words.fall = diagonal & ~shifted
    words.level = levels >> (WORD - 1)
    words.descent = descents >> (WORD - 1)


cdef inline void sweep(Stripe *stripe, Py_ssize_t symbol, const uint64_t *match, uint8_t *step) noexcept nogil:
    """Move every word of a stripe by one column, the first one into the column of `symbol` and `step`.

    Reads that column's step along the row above the stripe and writes, three columns back, where the
    fourth word is, the one along the stripe's last row.
    """
    cdef Lanes *upper = &stripe.upper
    cdef Lanes *lower = &stripe.lower
    advance(lower, lanes_of(match[WORDS * stripe.third + 2], match[WORDS * stripe.fourth + 3]),
            lanes_of(lane(upper.level, 1), lane(lower.level, 0)),
            lanes_of(lane(upper.descent, 1), lane(lower.descent, 0)))
    advance(upper, lanes_of(match[WORDS * symbol], match[WORDS * stripe.second + 1]),
            lanes_of(step[0] & 1, lane(upper.level, 0)),
            lanes_of(step[0] >> 1, lane(upper.descent, 0)))
    step[1 - WORDS] = <uint8_t>(lane(lower.level, 1) + 2 * lane(lower.descent, 1))
    stripe.fourth = stripe.third
    stripe.third = stripe.second
    stripe.second = symbol


cdef Py_ssize_t four_words(const int32_t *text, Py_ssize_t columns, Py_ssize_t rows, const uint64_t *match,
                           uint8_t *step) noexcept nogil:
    """Turn the steps along the row above a stripe into those along its last row.

    Returns by how much the score rises down its `rows` rows in the last column. A word that has yet to
    come to its first column sees neither matches nor steps, which leaves it as it is. What a word does
    after its last column has no effect. Writes from step[-3] and reads up to step[columns + 2].
    """
    cdef Stripe stripe
    cdef Py_ssize_t j, total
    stripe.upper.rise = lanes_of(~<uint64_t>0, ~<uint64_t>0)
    stripe.upper.level = lanes_of(1, 1)
    stripe.upper.fall = stripe.upper.descent = lanes_of(0, 0)
    stripe.lower = stripe.upper
    stripe.second = stripe.third = stripe.fourth = ABSENT
    for j in range(columns):
        sweep(&stripe, text[j], match, step + j)
    total = climb(lane(stripe.upper.rise, 0), lane(stripe.upper.fall, 0), rows)
    sweep(&stripe, ABSENT, match, step + columns)
    total += climb(lane(stripe.upper.rise, 1), lane(stripe.upper.fall, 1), rows - WORD)
    sweep(&stripe, ABSENT, match, step + columns + 1)
    total += climb(lane(stripe.lower.rise, 0), lane(stripe.lower.fall, 0), rows - 2 * WORD)
    sweep(&stripe, ABSENT, match, step + columns + 2)
    return total + climb(lane(stripe.lower.rise, 1), lane(stripe.lower.fall, 1), rows - 3 * WORD)


cdef inline Py_ssize_t rise_of(uint8_t step) noexcept nogil:
    return 1 - (step & 1) - (step >> 1)


cdef inline Py_ssize_t detour(const SymbolPair *pair, Py_ssize_t row, Py_ssize_t column) noexcept nogil:
    """The insertions or deletions that an alignment needs after this cell, to end in the last one."""
    cdef Py_ssize_t surplus = (pair.columns - column) - (pair.rows - row)
    return surplus if surplus > 0 else -surplus


cdef Py_ssize_t banded(const SymbolPair *pair, Py_ssize_t cutoff, DistanceMemory *memory) noexcept nogil:
    """The distance if it is within the cut-off, else a guess at it that is beyond, or OUT_OF_BUDGET.

    Of a stripe's last row the columns from `low` to `high` go on into the next: outside of them the score
    and the detour after it exceed the cut-off. The next stripe sees a score that rises with every row down
    column `low` and with every column after `high`, so each score is that of some alignment, and it is
    the least one wherever that is within the cut-off.
    """
    cdef Py_ssize_t row = 0, low = 0, high = 0, low_score = 0, high_score = 0
    cdef Py_ssize_t i, end, height, bound, least
    cdef uint64_t *match = memory.match
    cdef uint8_t *step = memory.step
    while True:
        height = min(pair.rows - row, <Py_ssize_t>STRIPE)
        # The farthest that an alignment through `high` can stray to the right and still come back.
        end = height + (cutoff + pair.columns - pair.rows + high + row - high_score) // 2
        end = min(end, pair.columns)
        if not pay(memory, WORDS * (end - low)):
            return OUT_OF_BUDGET
        memset(step + high, 0, end - high + WORDS)
        for i in range(height):
            match[WORDS * pair.pattern[row + i] + i // WORD] |= <uint64_t>1 << (i % WORD)
        high_score += end - high + four_words(pair.text + low, end - low, height, match, step + low)
        for i in range(height):
            memset(match + WORDS * pair.pattern[row + i], 0, WORDS * sizeof(uint64_t))
        row += height
        high = end
        low_score += height
        if row == pair.rows:
            return high_score
        least = bound = low_score + detour(pair, row, low)
        while bound > cutoff:
            if low == high:
                # As many edits in the rows to come, and some more, since a cut-off that is too low costs an
                # attempt and one that is too high only a wider band. The limit is for a bad beginning.
                least = least * pair.rows // row
                return max(2 * cutoff, min(16 * cutoff, least + least // 16))
            low_score += rise_of(step[low])
            low += 1
            bound = low_score + detour(pair, row, low)
            least = min(least, bound)
        while high_score + detour(pair, row, high) > cutoff:
            high -= 1
            high_score -= rise_of(step[high])


cdef Py_ssize_t many_words(const SymbolPair *pair, DistanceMemory *memory) noexcept nogil:
    """Distance of a pair of any length, or OUT_OF_BUDGET."""
    cdef Py_ssize_t cutoff = pair.columns, score
    # A single stripe gains nothing from a band. Where there are more, the first cut-off finds similar pairs
    # and is cheap to have tried in vain; its terms took the fewest steps over pairs with 1 to 40 % of edits.
    if pair.rows > STRIPE:
        cutoff = min(cutoff, pair.columns - pair.rows + min(32 + pair.rows // 16, <Py_ssize_t>256))
    while True:
        score = banded(pair, cutoff, memory)
        if score <= cutoff:
            return score
        cutoff = min(score, pair.columns)


cdef inline SymbolSlot *slot_of(int32_t symbol, SymbolSlot *slots, Py_ssize_t last, int32_t shift,
                                int64_t *budget) noexcept nogil:
    """The slot of a symbol, or the free one where it belongs (Fibonacci hashing, Knuth vol. 3, 6.4).

    Every probe after the first is a step of the budget, since a page may choose symbols that collide.
    """
    cdef Py_ssize_t slot = <Py_ssize_t>(<uint64_t><uint32_t>symbol * 0x9E3779B97F4A7C15u >> shift)
    while slots[slot].number and slots[slot].symbol != symbol and budget[0] > 0:
        slot = (slot + 1) & last
        budget[0] -= 1
    return slots + slot


cdef void renumber(SymbolPair *pair, DistanceMemory *memory) noexcept nogil:
    """Replace the pair's symbols by numbers from 0 on, those that the pattern lacks by ABSENT. Leaves no budget if it
    ends on the way."""
    cdef int32_t shift = 63, numbers = 0
    cdef Py_ssize_t i, capacity = 2
    cdef SymbolSlot *slot
    cdef int64_t budget = memory.budget
    while capacity < 2 * pair.rows:
        capacity *= 2
        shift -= 1
    memset(memory.slots, 0, capacity * sizeof(SymbolSlot))
    for i in range(pair.rows):
        slot = slot_of(pair.pattern[i], memory.slots, capacity - 1, shift, &budget)
        if slot.number == 0:
            numbers += 1
            slot.number = numbers
            slot.symbol = pair.pattern[i]
        memory.numbered[i] = slot.number - 1
    for i in range(pair.columns):
        slot = slot_of(pair.text[i], memory.slots, capacity - 1, shift, &budget)
        memory.numbered[pair.rows + i] = slot.number - 1
    pair.pattern = memory.numbered
    pair.text = memory.numbered + pair.rows
    memory.budget = budget


cdef Py_ssize_t distance(SymbolPair *pair, DistanceMemory *memory) noexcept nogil:
    """Distance of a pair, or OUT_OF_BUDGET."""
    cdef Py_ssize_t i
    cdef uint32_t bits = 0
    if pair.rows > pair.columns:
        pair.pattern, pair.text = pair.text, pair.pattern
        pair.rows, pair.columns = pair.columns, pair.rows
    if not pay(memory, 1 + (pair.rows + pair.columns) // READ_PER_STEP):
        return OUT_OF_BUDGET
    while pair.rows and pair.pattern[0] == pair.text[0]:
        pair.pattern += 1
        pair.text += 1
        pair.rows -= 1
        pair.columns -= 1
    while pair.rows and pair.pattern[pair.rows - 1] == pair.text[pair.columns - 1]:
        pair.rows -= 1
        pair.columns -= 1
    if pair.rows == 0:
        return pair.columns
    for i in range(pair.rows):
        bits |= <uint32_t>pair.pattern[i]
    for i in range(pair.columns):
        bits |= <uint32_t>pair.text[i]
    if bits >= DIRECT:
        renumber(pair, memory)
    if pair.rows > WORD:
        return many_words(pair, memory)
    return one_word(pair, memory.match) if pay(memory, pair.columns) else <Py_ssize_t>OUT_OF_BUDGET


cdef void *allocate(DistanceMemory *memory, size_t rows, size_t columns) except NULL:
    """Room for pairs of up to so many rows and columns, as a block to put back."""
    cdef size_t capacity = 4 * rows + 2, symbols = WORDS + DIRECT
    if rows > WORD:
        symbols = WORDS + WORDS * max(<size_t>DIRECT, rows)
    cdef void *block = take(symbols * sizeof(uint64_t) + capacity * sizeof(SymbolSlot)
                            + (rows + columns) * sizeof(int32_t) + 2 * WORDS + columns + 48)
    cdef char *at = <char *>block
    # Before the first symbol comes ABSENT, before the first column what a stripe writes before its own.
    memory.match = <uint64_t *>piece(&at, symbols * sizeof(uint64_t)) + WORDS
    memory.slots = <SymbolSlot *>piece(&at, capacity * sizeof(SymbolSlot))
    memory.numbered = <int32_t *>piece(&at, (rows + columns) * sizeof(int32_t))
    memory.step = <uint8_t *>at + WORDS
    memset(block, 0, symbols * sizeof(uint64_t))
    return block


def distances(symbols not None, pairs not None, int64_t budget):
    """Levenshtein distances of the pairs of spans; see `levenshtein.pyi`."""
    cdef Py_ssize_t k
    cdef const int32_t *first = held_numbers(symbols, len(symbols))
    cdef const SpanPair *spans
    cdef SpanPairs opened
    cdef int32_t *out
    cdef SymbolPair pair
    cdef DistanceMemory memory
    open_pairs(&opened, pairs, len(symbols))
    result = np.empty(opened.count, dtype=np.int32)
    out = <int32_t *>data_of(result)
    cdef void *block = allocate(&memory, opened.most_shorter, opened.most_longer)
    memory.budget = budget
    with nogil:
        for k in range(opened.count):
            spans = &opened.pair[k]
            pair = SymbolPair(pattern=first + spans.left, text=first + spans.right,
                              rows=spans.left_end - spans.left, columns=spans.right_end - spans.right)
            out[k] = <int32_t>distance(&pair, &memory)
        put_back(block)
    return result
