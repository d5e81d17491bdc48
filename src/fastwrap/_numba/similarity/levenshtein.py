"""Levenshtein distance between spans of integer symbols, bit-parallel and in batches, in numba.
The same method, budget and results as `fastwrap._core.similarity.levenshtein`, which explains them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit, types

from fastwrap._numba.similarity.pairs import checked_pairs, read_only
from fastwrap.page.arrays import Int32Array

Words: TypeAlias = npt.NDArray[np.uint64]
Steps: TypeAlias = npt.NDArray[np.uint8]
Budget: TypeAlias = npt.NDArray[np.int64]
"""The word steps left, in an array of one, so that every function counts down the same number."""

UNKNOWN = -1

WORD = 64
WORDS = 4
STRIPE = WORDS * WORD
DIRECT = 256
READ_PER_STEP = 16

ZERO = np.uint64(0)
ONE = np.uint64(1)
FULL = ~ZERO
LAST_BIT = np.uint64(WORD - 1)

SYMBOLS = types.Array(types.int32, 1, "C", readonly=True)
PAIRS = types.Array(types.int32, 2, "C", readonly=True)


@njit(cache=True, nogil=True)
def pay(budget: Budget, steps: int) -> bool:
    """Take steps from the budget; False, and nothing taken, if there are not so many left."""
    if steps > budget[0]:
        return False
    budget[0] -= steps
    return True


@njit(cache=True, nogil=True)
def popcount(word: np.uint64) -> int:
    """Return the number of bits set."""
    word -= word >> ONE & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + (word >> np.uint64(2) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64(word * np.uint64(0x0101010101010101) >> np.uint64(56)))


@njit(cache=True, nogil=True)
def climb(rise: np.uint64, fall: np.uint64, rows: int) -> int:
    """Return by how much the score rises down the first `rows` rows of a word."""
    if rows <= 0:
        return 0
    used = FULL >> np.uint64(WORD - min(rows, WORD))
    return popcount(rise & used) - popcount(fall & used)


@njit(cache=True, nogil=True)
def advance(
    rise: np.uint64, fall: np.uint64, match: np.uint64, level: np.uint64, descent: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Move a word by one column; the step along the row above it becomes the one along its last row."""
    matched = match | descent
    diagonal = (((matched & rise) + rise) ^ rise) | matched | fall
    levels = (diagonal | rise) & ~fall
    descents = diagonal & rise
    shifted = levels + levels + level
    rise = (descents + descents + descent) | (~diagonal & shifted)
    return rise, diagonal & ~shifted, levels >> LAST_BIT, descents >> LAST_BIT


@njit(cache=True, nogil=True)
def one_word(pattern: Int32Array, text: Int32Array, match: Words) -> int:
    """Return the distance where the pattern fits in a word."""
    for i in range(len(pattern)):
        match[pattern[i]] |= ONE << np.uint64(i)
    rise, fall = FULL, ZERO
    for symbol in text:
        rise, fall, _, _ = advance(rise, fall, match[symbol], ZERO, ZERO)
    for symbol in pattern:
        match[symbol] = ZERO
    return len(text) + climb(rise, fall, len(pattern))


@njit(cache=True, nogil=True)
def four_words(text: Int32Array, rows: int, match: Words, step: Steps) -> int:
    """Turn the steps along the row above a stripe into those along its last row.

    Returns by how much the score rises down its `rows` rows in the last column. The words follow each other
    within a column: numba has no vector types that would make it worth their while to be a column apart.
    """
    rise_1 = rise_2 = rise_3 = rise_4 = FULL
    fall_1 = fall_2 = fall_3 = fall_4 = ZERO
    for j in range(len(text)):
        first = WORDS * text[j]
        level, descent = np.uint64(step[j] & 1), np.uint64(step[j] >> 1)
        rise_1, fall_1, level, descent = advance(rise_1, fall_1, match[first], level, descent)
        rise_2, fall_2, level, descent = advance(rise_2, fall_2, match[first + 1], level, descent)
        rise_3, fall_3, level, descent = advance(rise_3, fall_3, match[first + 2], level, descent)
        rise_4, fall_4, level, descent = advance(rise_4, fall_4, match[first + 3], level, descent)
        step[j] = level + descent + descent
    upper = climb(rise_1, fall_1, rows) + climb(rise_2, fall_2, rows - WORD)
    return upper + climb(rise_3, fall_3, rows - 2 * WORD) + climb(rise_4, fall_4, rows - 3 * WORD)


@njit(cache=True, nogil=True)
def rise_of(step: np.uint8) -> int:
    """Return by how much a step rises."""
    return 1 - int(step & 1) - int(step >> 1)


@njit(cache=True, nogil=True)
def banded(pattern: Int32Array, text: Int32Array, cutoff: int, match: Words, step: Steps, budget: Budget) -> int:
    """Return the distance if it is within the cut-off, else a guess at it that is beyond, or UNKNOWN."""
    rows, columns = len(pattern), len(text)
    row = low = high = low_score = high_score = 0
    while True:
        height = min(rows - row, STRIPE)
        end = min(columns, height + (cutoff + columns - rows + high + row - high_score) // 2)
        if not pay(budget, WORDS * (end - low)):
            return UNKNOWN
        step[high:end] = 0
        for i in range(height):
            match[WORDS * pattern[row + i] + i // WORD] |= ONE << np.uint64(i % WORD)
        high_score += end - high + four_words(text[low:end], height, match, step[low:end])
        for i in range(height):
            for word in range(WORDS):
                match[WORDS * pattern[row + i] + word] = ZERO
        row += height
        high = end
        low_score += height
        if row == rows:
            return high_score
        # What an alignment needs after a cell of this row: the difference of the columns and the rows left.
        diagonal = columns - rows + row
        least = bound = low_score + abs(diagonal - low)
        while bound > cutoff:
            if low == high:
                least = least * rows // row
                return max(2 * cutoff, min(16 * cutoff, least + least // 16))
            low_score += rise_of(step[low])
            low += 1
            bound = low_score + abs(diagonal - low)
            least = min(least, bound)
        while high_score + abs(diagonal - high) > cutoff:
            high -= 1
            high_score -= rise_of(step[high])


@njit(cache=True, nogil=True)
def many_words(pattern: Int32Array, text: Int32Array, match: Words, step: Steps, budget: Budget) -> int:
    """Return the distance of a pair of any length, or UNKNOWN."""
    rows, columns = len(pattern), len(text)
    cutoff = columns
    if rows > STRIPE:
        cutoff = min(cutoff, columns - rows + min(32 + rows // 16, 256))
    while True:
        score = banded(pattern, text, cutoff, match, step, budget)
        if score <= cutoff:
            return score
        cutoff = min(score, columns)


@njit(cache=True, nogil=True)
def slot_of(symbol: int, slots: Int32Array, last: int, shift: np.uint64, budget: Budget) -> int:
    """Return the slot of a symbol, or the free one where it belongs."""
    slot = int(np.int64(np.uint64(np.uint32(symbol)) * np.uint64(0x9E3779B97F4A7C15) >> shift))
    while slots[slot, 1] and slots[slot, 0] != symbol and budget[0] > 0:
        slot = (slot + 1) & last
        budget[0] -= 1
    return slot


@njit(cache=True, nogil=True)
def renumber(pattern: Int32Array, text: Int32Array, slots: Int32Array, numbered: Int32Array, budget: Budget) -> None:
    """Write numbers from 0 on for the pair's symbols, pattern first, and -1 for those that it lacks."""
    rows = len(pattern)
    shift, capacity = 63, 2
    while capacity < 2 * rows:
        capacity *= 2
        shift -= 1
    slots[:capacity] = 0
    numbers = 0
    for i in range(rows):
        slot = slot_of(pattern[i], slots, capacity - 1, np.uint64(shift), budget)
        if slots[slot, 1] == 0:
            numbers += 1
            slots[slot, 1] = numbers
            slots[slot, 0] = pattern[i]
        numbered[i] = slots[slot, 1] - 1
    for i in range(len(text)):
        numbered[rows + i] = slots[slot_of(text[i], slots, capacity - 1, np.uint64(shift), budget), 1] - 1


@njit(types.int32[::1](SYMBOLS, PAIRS, types.int64), cache=True, nogil=True)
def distances_of_pairs(symbols: Int32Array, pairs: Int32Array, word_steps: int) -> Int32Array:
    """Return the distances of pairs whose spans have been checked."""
    most_rows = most_columns = 0
    for pair in range(len(pairs)):
        left, right = pairs[pair, 1] - pairs[pair, 0], pairs[pair, 3] - pairs[pair, 2]
        most_rows = max(most_rows, min(left, right))
        most_columns = max(most_columns, max(left, right))
    words = WORDS * max(DIRECT, most_rows) if most_rows > WORD else DIRECT
    # Indices below zero count from the end: the words after the last symbol belong to the absent one, -1.
    match = np.zeros(words + WORDS, dtype=np.uint64)
    step = np.empty(most_columns, dtype=np.uint8)
    numbered = np.empty(most_rows + most_columns, dtype=np.int32)
    slots = np.empty((4 * most_rows + 2, 2), dtype=np.int32)
    budget = np.array([word_steps], dtype=np.int64)
    result = np.full(len(pairs), UNKNOWN, dtype=np.int32)
    for pair in range(len(pairs)):
        pattern = symbols[pairs[pair, 0] : pairs[pair, 1]]
        text = symbols[pairs[pair, 2] : pairs[pair, 3]]
        if len(pattern) > len(text):
            pattern, text = text, pattern
        if not pay(budget, 1 + (len(pattern) + len(text)) // READ_PER_STEP):
            continue
        start = 0
        while start < len(pattern) and pattern[start] == text[start]:
            start += 1
        pattern, text = pattern[start:], text[start:]
        rows, columns = len(pattern), len(text)
        while rows and pattern[rows - 1] == text[columns - 1]:
            rows -= 1
            columns -= 1
        pattern, text = pattern[:rows], text[:columns]
        if rows == 0:
            result[pair] = columns
            continue
        bits = 0
        for symbol in pattern:
            bits |= symbol
        for symbol in text:
            bits |= symbol
        if not 0 <= bits < DIRECT:
            renumber(pattern, text, slots, numbered, budget)
            pattern, text = numbered[:rows], numbered[rows : rows + columns]
        if rows > WORD:
            result[pair] = many_words(pattern, text, match, step, budget)
        elif pay(budget, columns):
            result[pair] = one_word(pattern, text, match)
    return result


def distances(symbols: Int32Array, pairs: Int32Array, budget: int) -> Int32Array:
    """The Levenshtein distances of pairs of spans; see `fastwrap._core.similarity.levenshtein`."""
    result: Int32Array = distances_of_pairs(read_only(symbols), checked_pairs(pairs, len(symbols)), budget)
    return result
