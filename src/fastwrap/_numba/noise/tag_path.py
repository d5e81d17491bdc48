"""Region search over a tag path sequence (TPS, algorithms 3 and 4 of Velloso 2014), in numba.
The same method, budget and results as `fastwrap._core.noise.tag_path`, which explains them."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from fastwrap.page.arrays import Int32Array

Bits: TypeAlias = npt.NDArray[np.uint64]

NO_CUT = -1
OUT_OF_BUDGET = -2
LEFT = 0
RIGHT = 1

ONE = np.uint64(1)
EMPTY = np.uint64(0)

# Index of a lone bit by multiplication (Leiserson, Prokop and Randall 1998): numba has no function for it.
SEQUENCE = np.uint64(0x03F79D71B4CB0A89)
LONE_BIT = np.array([int(SEQUENCE) << index >> 58 & 63 for index in range(64)]).argsort()


class Counts(NamedTuple):
    """What is known of the symbols in the window; numba passes it on as it is."""

    first: Bits
    """The positions where a symbol occurs first in the window, as a set of bits, ..."""
    first_words: Bits
    """... and the words of it that may hold any, as another."""
    times: Int32Array
    """By symbol: its occurrences in the window."""
    last: Int32Array
    """By symbol: the last of them."""
    symbols_with: Int32Array
    """By frequency: how many symbols have it."""
    hidden: Int32Array
    """Positions taken out of `first` while their symbols are filtered out."""


@njit(cache=True, nogil=True)
def bit(position: int) -> np.uint64:
    """Return the mask of a position within its word."""
    return ONE << np.uint64(position & 63)


@njit(cache=True, nogil=True)
def lowest_bit(word: np.uint64) -> int:
    """Return the index of the lowest bit of a word that has one."""
    return int(LONE_BIT[((word & (~word + ONE)) * SEQUENCE) >> np.uint64(58)])


@njit(cache=True, nogil=True)
def add_first(first: Bits, first_words: Bits, position: int) -> None:
    """Make a position a member of the set of first positions."""
    first[position >> 6] |= bit(position)
    first_words[position >> 12] |= bit(position >> 6)


@njit(cache=True, nogil=True)
def next_word(first: Bits, first_words: Bits, word: int) -> int:
    """Return the next word of `first` that may hold members; drop this one if it holds none."""
    group = word >> 6
    if first[word] == EMPTY:
        first_words[group] &= ~bit(word)
    later = first_words[group] >> np.uint64(word & 63) >> ONE
    if later != EMPTY:
        return word + 1 + lowest_bit(later)
    group += 1
    while first_words[group] == EMPTY:
        group += 1
    return (group << 6) + lowest_bit(first_words[group])


@njit(cache=True, nogil=True)
def find_cut(
    symbols: Int32Array, counts: Counts, lo: int, hi: int, budget: int, gives_up: bool
) -> tuple[int, int, int, int]:
    """Return where to cut [lo, hi) (or why not), the threshold, the symbols hidden and the budget left."""
    first, first_words, count, last, symbols_with, hidden = counts
    filtered = len(count) - symbols_with[0]
    threshold = 1
    hidden_count = 0
    while filtered >= 2:
        while symbols_with[threshold] == 0:
            threshold += 1
        word = lo >> 6
        members = first[word] >> np.uint64(lo & 63) << np.uint64(lo & 63)
        end = lo
        while end < hi:
            while members == EMPTY:
                word = next_word(first, first_words, word)
                members = first[word]
            position = (word << 6) + lowest_bit(members)
            if position >= hi:
                break
            budget -= 1
            if budget < 0:
                return OUT_OF_BUDGET, threshold, hidden_count, budget
            symbol = symbols[position]
            rare = count[symbol] < threshold
            if lo < end <= position and not rare:
                if 5 * max(end - lo, hi - end) > 3 * (hi - lo):
                    return end, threshold, hidden_count, budget
                if gives_up:
                    break
            end = max(end, lo if rare else last[symbol] + 1)
            first[word] ^= np.uint64(rare) << np.uint64(position & 63)
            hidden[hidden_count] = position
            hidden_count += rare
            members &= members - ONE
        filtered -= symbols_with[threshold]
        threshold += 1
    return NO_CUT, threshold, hidden_count, budget


@njit(cache=True, nogil=True)
def retire(symbol: int, count: Int32Array, symbols_with: Int32Array) -> None:
    """Count a symbol once less."""
    symbols_with[count[symbol]] -= 1
    count[symbol] -= 1
    symbols_with[count[symbol]] += 1


@njit(cache=True, nogil=True)
def shrink_window(symbols: Int32Array, alphabet: int, budget: int, gives_up: bool) -> tuple[int, int, Int32Array, bool]:
    """Cut until nothing more can be cut, or until the budget runs out."""
    n = len(symbols)
    lo, hi = 0, n
    first = np.zeros((n >> 6) + 1, dtype=np.uint64)
    first_words = np.zeros((n >> 12) + 1, dtype=np.uint64)
    count = np.zeros(alphabet, dtype=np.int32)
    last = np.full(alphabet, -1, dtype=np.int32)
    previous = np.empty(n, dtype=np.int32)
    following = previous[:0]
    for position in range(n):
        symbol = symbols[position]
        previous[position] = last[symbol]
        if last[symbol] < 0:
            add_first(first, first_words, position)
        last[symbol] = position
        count[symbol] += 1
    add_first(first, first_words, n)
    symbols_with = np.zeros(count.max() + 1, dtype=np.int32)
    for symbol in range(alphabet):
        symbols_with[count[symbol]] += 1
    hidden = np.empty(alphabet, dtype=np.int32)
    counts = Counts(first, first_words, count, last, symbols_with, hidden)
    cuts = np.empty((n, 3), dtype=np.int32)
    cut_count = 0
    while True:
        cut, threshold, hidden_count, budget = find_cut(symbols, counts, lo, hi, budget, gives_up)
        if cut < 0:
            return lo, hi, cuts[:cut_count].copy(), cut == NO_CUT
        side = RIGHT if cut - lo < hi - cut else LEFT
        cuts[cut_count] = cut, threshold, side
        cut_count += 1
        if side == LEFT:
            for position in range(hi - 1, cut - 1, -1):
                retire(symbols[position], count, symbols_with)
                last[symbols[position]] = previous[position]
            hi = cut
        else:
            if hidden_count > 0 and len(following) == 0:
                following = np.full(n, hi, dtype=np.int32)  # the next position of the same symbol, `hi` for none
                for position in range(lo, hi):
                    if previous[position] >= 0:
                        following[previous[position]] = position
            for position in range(lo, cut):
                retire(symbols[position], count, symbols_with)
                if hidden_count > 0 and cut <= following[position] < hi:
                    add_first(first, first_words, following[position])
            lo = cut
        for place in range(hidden_count):
            add_first(first, first_words, hidden[place])


def search_region(symbols: Int32Array, budget: int, gives_up: bool = False) -> tuple[int, int, Int32Array, bool]:
    """Find the main region of a tag path sequence and the cuts that led to it; see `fastwrap._core.noise.tag_path`.

    >>> start, end, cuts, complete = search_region(np.array([0, 1, 2, 3, 3, 2, 3, 3], dtype=np.int32), 1_000)
    >>> start, end, complete
    (2, 8, True)
    >>> cuts.tolist()
    [[1, 1, 1], [2, 1, 1]]
    """
    if not isinstance(symbols, np.ndarray):
        raise TypeError(f"symbols must be an array, not {type(symbols).__name__}")
    if symbols.dtype != np.int32 or symbols.ndim != 1 or not symbols.flags.c_contiguous:
        raise ValueError("symbols must be a contiguous array of int32 with one dimension")
    n = len(symbols)
    if n == 0:
        return 0, 0, np.empty((0, 3), dtype=np.int32), True
    lowest, highest = int(symbols.min()), int(symbols.max())
    if lowest < 0 or highest >= n:
        raise ValueError(f"symbols must be between 0 and {n - 1}, not {lowest if lowest < 0 else highest}")
    if n > np.iinfo(np.int32).max - 64:
        raise ValueError("too many symbols")
    frozen = symbols.view()
    frozen.flags.writeable = False  # numba would compile once more for arrays that may be written to
    start, end, cuts, complete = shrink_window(frozen, highest + 1, budget, gives_up)
    return start, end, cuts, complete
