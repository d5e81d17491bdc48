"""Region search over a tag path sequence (TPS): the largest part of a page with an alphabet of its own.
Algorithms 3 and 4 of Velloso 2014. A cut costs what it removes; the scans that look for it have a budget."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memset

from fastwrap._core.common.buffers cimport data_of, held_numbers
from fastwrap._core.common.scratch cimport numbers, piece, put_back, take

import numpy as np

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int fw_lowest_bit(unsigned __int64 word) {
        unsigned long index;
        _BitScanForward64(&index, word);
        return (int)index;
    }
    #else
    #define fw_lowest_bit(word) __builtin_ctzll(word)
    #endif
    """
    int lowest_bit "fw_lowest_bit"(uint64_t word) noexcept nogil  # undefined for a word without bits

cdef enum:
    # what `find_cut` answers instead of a position
    NO_CUT = -1
    OUT_OF_BUDGET = -2
    # the side that a cut keeps
    LEFT = 0
    RIGHT = 1

cdef struct Occurrences:
    # Of one symbol inside the window; read together, so they share a cache line.
    int32_t count
    int32_t last

cdef struct Cut:
    # A row of the answer, copied there as it is.
    int32_t position
    int32_t threshold
    int32_t side

cdef struct WindowSearch:
    const int32_t *symbols
    int32_t alphabet            # symbols are 0 .. alphabet - 1; not all of them need occur
    int32_t lo                  # the window is [lo, hi)
    int32_t hi
    # The positions where a symbol occurs first in the window, as a set of bits; and the words of it that may
    # hold any, as another. Positions outside the window may be members; the end of the sequence always is.
    uint64_t *first
    uint64_t *first_words
    Occurrences *occurrences    # symbol -> its count and last position inside the window
    int32_t *symbols_with       # frequency -> symbols that have it in the window; at 0, those not there
    int32_t *hidden             # members taken out of `first` while their symbols are filtered out
    int32_t hidden_count
    int32_t *previous           # position -> the nearest earlier position of the same symbol, or -1
    int32_t *following          # position -> the nearest later one, or one beyond the window
    bint following_known        # `following` is filled in when the first cut needs it; many pages have none
    Cut *cuts
    int32_t cut_count
    int64_t budget              # first positions that may still be visited
    bint gives_up               # a scan ends at the first place to cut, even if the sides are too even (line 33)


cdef inline void add_first(WindowSearch *search, int32_t position) noexcept nogil:
    search.first[position >> 6] |= <uint64_t>1 << (position & 63)
    search.first_words[position >> 12] |= <uint64_t>1 << ((position >> 6) & 63)


cdef inline int32_t next_word(WindowSearch *search, int32_t word) noexcept nogil:
    """The next word of `first` that may hold members; drops this one from `first_words` if it holds none."""
    cdef int32_t group = word >> 6
    cdef uint64_t later
    if search.first[word] == 0:
        search.first_words[group] &= ~(<uint64_t>1 << (word & 63))
    later = search.first_words[group] >> (word & 63) >> 1
    if later:
        return word + 1 + lowest_bit(later)
    group += 1
    while search.first_words[group] == 0:  # ends, for the end of the sequence is always a member
        group += 1
    return (group << 6) + lowest_bit(search.first_words[group])


cdef size_t size_of_search(size_t n, size_t alphabet) noexcept nogil:
    """The memory that `open_search` needs."""
    return (((n >> 6) + (n >> 12) + 2) * sizeof(uint64_t) + alphabet * sizeof(Occurrences)
            + (3 * n + 3) * sizeof(int32_t) + n * sizeof(Cut) + 6 * 16)


cdef void open_search(WindowSearch *search, void *block, const int32_t *symbols, int32_t n,
                      int32_t alphabet) noexcept nogil:
    """Start with the whole sequence as the window."""
    cdef size_t words = (n >> 6) + 1, groups = (n >> 12) + 1
    cdef int32_t start, position, symbol, most = 0
    cdef uint64_t members
    cdef Occurrences *own
    cdef char *at = <char *>block
    search.first = <uint64_t *>piece(&at, (words + groups) * sizeof(uint64_t))
    search.first_words = search.first + words
    search.occurrences = <Occurrences *>piece(&at, alphabet * sizeof(Occurrences))
    search.previous = numbers(&at, 3 * <size_t>n + 3)
    search.following = search.previous + n + 1       # its entry -1 is a place to write to, never read
    search.symbols_with = search.following + n       # shares n + 2 entries with `hidden`
    search.cuts = <Cut *>at                          # n rows are enough, since every cut removes something
    search.symbols = symbols
    search.alphabet = alphabet
    search.hi = n
    memset(search.first, 0, (words + groups) * sizeof(uint64_t))
    for symbol in range(alphabet):
        search.occurrences[symbol].count = 0
        search.occurrences[symbol].last = -1
    for start in range(0, n, 64):
        members = 0
        for position in range(start, min(start + 64, n)):
            own = &search.occurrences[symbols[position]]
            search.previous[position] = own.last
            members |= <uint64_t>(own.last < 0) << (position & 63)
            own.last = position
            own.count += 1
        search.first[start >> 6] = members
        search.first_words[start >> 12] |= <uint64_t>(members != 0) << ((start >> 6) & 63)
    add_first(search, n)
    for symbol in range(alphabet):
        most = max(most, search.occurrences[symbol].count)
    memset(search.symbols_with, 0, (most + 1) * sizeof(int32_t))
    for symbol in range(alphabet):
        search.symbols_with[search.occurrences[symbol].count] += 1
    # One symbol takes up `most` positions, so at most n + 1 - most symbols are there to be hidden.
    search.hidden = search.symbols_with + most + 1


cdef int32_t find_cut(WindowSearch *search, int32_t *cut_threshold) noexcept nogil:
    """Where and by which threshold to cut the window, or NO_CUT, or OUT_OF_BUDGET.

    A scan of alg. 3 can cut where no symbol of the filtered alphabet is open. With each symbol seen as the
    interval from its first to its last position, these are the ends of blocks of overlapping intervals, so only
    first positions need be visited. The first end that leaves one side large enough is taken. Thresholds rise, so
    whatever is filtered out leaves `first` until the next cut: a symbol that occurs c times is visited c + 1 times
    at most, by all scans of a window.
    """
    cdef int32_t lo = search.lo, hi = search.hi, threshold = 1, word, position, end
    cdef int32_t filtered = search.alphabet - search.symbols_with[0]  # size of the filtered alphabet
    cdef uint64_t members
    cdef bint rare
    cdef Occurrences own
    while filtered >= 2:
        # A cut removes a symbol that occurs `threshold` times at least, which pays for this search from 1.
        while search.symbols_with[threshold] == 0:
            threshold += 1
        word = lo >> 6
        members = search.first[word] >> (lo & 63) << (lo & 63)
        end = lo
        while end < hi:
            while members == 0:
                word = next_word(search, word)
                members = search.first[word]
            position = (word << 6) + lowest_bit(members)
            if position >= hi:
                break
            search.budget -= 1
            if search.budget < 0:
                return OUT_OF_BUDGET
            own = search.occurrences[search.symbols[position]]
            rare = own.count < threshold
            if lo < end <= position and not rare:
                # |n - 2i| / n > 0.20 in whole numbers: the larger side has more than three fifths
                if 5 * <int64_t>max(end - lo, hi - end) > 3 * <int64_t>(hi - lo):
                    cut_threshold[0] = threshold
                    return end
                if search.gives_up:
                    break
            # Without a branch on `rare`, which nothing could foresee.
            end = max(end, lo if rare else own.last + 1)
            search.first[word] ^= <uint64_t>rare << (position & 63)
            search.hidden[search.hidden_count] = position
            search.hidden_count += rare
            members &= members - 1
        filtered -= search.symbols_with[threshold]
        threshold += 1
    return NO_CUT


cdef inline Occurrences *retire(WindowSearch *search, int32_t position) noexcept nogil:
    """Count the symbol at this position once less."""
    cdef Occurrences *own = &search.occurrences[search.symbols[position]]
    search.symbols_with[own.count] -= 1
    own.count -= 1
    search.symbols_with[own.count] += 1
    return own


cdef void keep_left(WindowSearch *search, int32_t cut) noexcept nogil:
    """Shrink the window to [lo, cut)."""
    cdef int32_t position
    for position in range(search.hi - 1, cut - 1, -1):
        retire(search, position).last = search.previous[position]
    search.hi = cut


cdef void keep_right(WindowSearch *search, int32_t cut) noexcept nogil:
    """Shrink the window to [cut, hi)."""
    cdef int32_t position, later
    # Only a filtered-out symbol can be on both sides, and those of them that begin on the left are hidden.
    if search.hidden_count > 0 and not search.following_known:
        for position in range(search.lo, search.hi):
            search.following[position] = search.hi
            search.following[search.previous[position]] = position
        search.following_known = True
    for position in range(search.lo, cut):
        retire(search, position)
        if search.hidden_count > 0:
            later = search.following[position]
            if cut <= later < search.hi:
                add_first(search, later)
    search.lo = cut


cdef bint shrink_window(WindowSearch *search) noexcept nogil:
    """Cut until nothing more can be cut; false if the budget ran out before."""
    cdef int32_t position, threshold = 0
    cdef Cut *cut
    while True:
        position = find_cut(search, &threshold)
        if position < 0:
            return position == NO_CUT
        cut = &search.cuts[search.cut_count]
        search.cut_count += 1
        cut.position = position
        cut.threshold = threshold
        if position - search.lo < search.hi - position:
            cut.side = RIGHT
            keep_right(search, position)
        else:
            cut.side = LEFT
            keep_left(search, position)
        while search.hidden_count > 0:
            search.hidden_count -= 1
            add_first(search, search.hidden[search.hidden_count])


def search_region(symbols not None, int64_t budget, bint gives_up=False):
    """The main region of a tag path sequence, and the cuts that led to it; see `tag_path.pyi`."""
    cdef Py_ssize_t n = len(symbols), position
    cdef const int32_t *symbol = held_numbers(symbols, n)
    cdef int32_t lowest = 0, highest = -1
    cdef WindowSearch search
    cdef void *block
    cdef bint complete
    with nogil:
        for position in range(n):
            lowest = min(lowest, symbol[position])
            highest = max(highest, symbol[position])
    if lowest < 0 or highest >= n:
        raise ValueError(f"symbols must be between 0 and {n - 1}, not {lowest if lowest < 0 else highest}")
    if n == 0:
        return 0, 0, np.empty((0, 3), np.int32), True
    if n > INT32_MAX - 64:
        raise ValueError("too many symbols")
    memset(&search, 0, sizeof(WindowSearch))
    search.budget = budget
    search.gives_up = gives_up
    block = take(size_of_search(n, highest + 1))
    try:
        with nogil:
            open_search(&search, block, symbol, <int32_t>n, highest + 1)
            complete = shrink_window(&search)
        cuts = np.empty((search.cut_count, 3), np.int32)
        memcpy(data_of(cuts), search.cuts, search.cut_count * sizeof(Cut))
        return search.lo, search.hi, cuts, complete
    finally:
        put_back(block)
