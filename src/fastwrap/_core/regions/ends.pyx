"""The ends of a chosen set, once more: a first or last record that links where the others do is one, and one that does
not, where all others do, is a heading or a pager. Nothing here is for Python."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memchr

from fastwrap._core.regions.autorm cimport RecordSearch
from fastwrap._core.regions.links cimport first_kind, has_kind, majority, read_first_link
from fastwrap._core.regions.sets cimport RecordSet, RecordSets

cdef enum:
    FEWEST = 4              # records that say what the others link to

cdef double SAME = 0.2          # of the records: those that link to the kind of page that one left out links to
cdef double LINKED = 0.95       # of the other records: those that have a link, for one without to be none
cdef double LARGER = 2.5        # times the content of a record on average: what is no record has more, ...
cdef double SMALLER = 0.4       # ... or less
cdef double TINY = 0.2          # the same, where it links as all records do


cdef inline double letters_in(const RecordSearch *search, const int32_t *record) noexcept nogil:
    return search.content.letters_before[record[1]] - search.content.letters_before[record[0]]


cdef bint is_none(const RecordSearch *search, const RecordSets *sets, const RecordSet *chosen, int32_t record,
                  const uint64_t *kinds, const uint64_t *hosts) noexcept nogil:
    """Whether a record at an end has no link, where the others do; or links elsewhere, and is of another size."""
    cdef const int32_t *span = sets.records + 2 * record
    cdef int32_t count = chosen.end - chosen.first, k, linked = 0, equal
    cdef uint64_t own = kinds[record - chosen.first], kind
    cdef double letters, mean = 0
    for k in range(count):
        linked += kinds[k] != 0
        mean += letters_in(search, sets.records + 2 * (chosen.first + k))
    letters = letters_in(search, span)
    mean = (mean - letters) / (count - 1)
    if own == 0:
        return linked >= LINKED * (count - 1)
    kind = majority(kinds, count, &equal)
    if equal >= LINKED * (count - 1):
        if has_kind(&search.links, span[0], span[1], kind):
            return False
    else:
        kind = majority(hosts, count, &equal)
        if equal < LINKED * (count - 1) or hosts[record - chosen.first] == kind:
            return False
    return letters > LARGER * mean or letters < SMALLER * mean


cdef bint is_record(const RecordSearch *search, const RecordSets *sets, const RecordSet *chosen, int32_t record,
                    const uint64_t *kinds, const uint8_t *taken) noexcept nogil:
    """Whether what was left out as odd links to a kind of page that the records link to, is not that small, and shares
    no node with what is taken."""
    cdef const int32_t *span = sets.records + 2 * record
    cdef uint64_t kind = first_kind(&search.links, span[0], span[1])
    cdef int32_t count = chosen.end - chosen.first, k, same = 0
    cdef double mean = 0
    for k in range(count):
        same += kinds[k] == kind
        mean += letters_in(search, sets.records + 2 * (chosen.first + k)) / count
    if kind == 0 or same < SAME * count or memchr(taken + span[0], 1, span[1] - span[0]) != NULL:
        return False
    return letters_in(search, span) >= (TINY if same >= LINKED * count else SMALLER) * mean


cdef void settle_ends(RecordSearch *search, RecordSets *sets, RecordSet *chosen, const uint8_t *taken,
                      uint64_t *kinds, uint64_t *hosts) noexcept nogil:
    """Take back the ends that were left out as odd ones though they link where the records do, and leave out those that
    do not; `kinds` and `hosts` have room for one per record."""
    cdef const int32_t *records = sets.records
    cdef const int32_t *span
    cdef int32_t count = chosen.end - chosen.first, record
    cdef bint with_first, with_last
    if count < FEWEST:
        return
    for record in range(count):
        span = records + 2 * (chosen.first + record)
        read_first_link(&search.links, span[0], span[1], &kinds[record], &hosts[record])
    # Both are judged by the records, before either is one.
    with_first = chosen.odd_first and is_record(search, sets, chosen, chosen.first - 1, kinds, taken)
    with_last = chosen.odd_last and is_record(search, sets, chosen, chosen.end, kinds, taken)
    chosen.first -= with_first
    chosen.end += with_last
    chosen.left_out -= with_first + with_last
    if with_first or with_last:
        return
    if is_none(search, sets, chosen, chosen.first, kinds, hosts):
        chosen.refused = records[2 * chosen.first]
        chosen.first += 1
        chosen.left_out += 1
    elif is_none(search, sets, chosen, chosen.end - 1, kinds, hosts):
        chosen.end -= 1
        chosen.refused = records[2 * chosen.end]
        chosen.left_out += 1
