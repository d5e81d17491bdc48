"""The bodies of records: what somebody wrote, in paragraphs, quotes, lists and code, no two of them alike in shape.
All of it is one text. Titles, names, dates and labels are no part of it: most records have them, and they are short."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from fastwrap._core.columns.alignment cimport NOWHERE
from fastwrap._core.columns.folding cimport CELL, HEADING, INLINE, PARAGRAPH, PART, QUOTED, Folding, trait_of
from fastwrap._core.common.names cimport TAG_A, TAG_BR, TEXT

cdef enum:
    BODY = 80               # bytes of a body, or of a paragraph, on average, at least
    LONGEST_FIELD = 80      # bytes that no text of a field has
    FEWEST_PATTERNS = 3     # ways to fill a body, unless there are fewer records
    FEWEST_UNITS = 3        # of a list
    WORK = 10_000           # slots that are read, ...
    WORK_PER_CELL = 64      # ... and further ones for each slot of each record: levels that are looked at one by one
    # Shares in percent
    HELD = 50               # records that have the body
    REGULAR = 60            # records with the body that have a short text, from which it is a field
    USUAL = 70              # records with the body that have a link or a heading, from which it is a title
    WRITTEN = 50            # of a body: what is in long texts, ...
    IN_UNITS = 50           # ... and what units of a list have, from which it is that list
    INNER = 90              # records with a body that have the element in it that holds it all, ...
    MOST = 50               # ... and how much of the body that holds, at least


cdef struct Bodies:
    Folding *folding
    int64_t *letters_before     # [slots + 1] bytes of all texts before each slot
    int32_t *long_before        # [slots + 1] texts before it that are long on average
    int32_t *styled_before      # [slots + 1] elements before it with a class or a style
    int32_t *quote              # slot -> the innermost quote or code that it is within, or NOWHERE, ...
    int32_t *head               # ... and link or heading
    int64_t work                # slots of records that may still be read


cdef inline int32_t end_of_slot(const Bodies *bodies, int32_t slot) noexcept nogil:
    return slot + bodies.folding.tree.size[slot]


cdef inline int64_t letters_in(const Bodies *bodies, int32_t slot) noexcept nogil:
    return bodies.letters_before[end_of_slot(bodies, slot)] - bodies.letters_before[slot]


cdef void read_slots(Bodies *bodies) noexcept nogil:
    """Fill in what is known of slots."""
    cdef Folding *folding = bodies.folding
    cdef int32_t slot, above
    cdef bint is_text
    bodies.letters_before[0] = 0
    bodies.long_before[0] = bodies.styled_before[0] = 0
    for slot in range(folding.tree.count):
        is_text = folding.tree.tag[slot] == TEXT
        above = folding.tree.parent[slot]
        bodies.letters_before[slot + 1] = bodies.letters_before[slot] + (folding.letters[slot] if is_text else 0)
        bodies.long_before[slot + 1] = bodies.long_before[slot] + (
            is_text and folding.letters[slot] >= LONG * <int64_t>folding.times[slot])
        bodies.styled_before[slot + 1] = bodies.styled_before[slot] + (
            not is_text and folding.tree.symbol[slot] != 0)
        bodies.quote[slot] = NOWHERE if above == NOWHERE else bodies.quote[above]
        bodies.head[slot] = NOWHERE if above == NOWHERE else bodies.head[above]
        if not is_text and trait_of(folding, slot) & QUOTED:
            bodies.quote[slot] = slot
        if folding.tree.tag[slot] == TAG_A or (not is_text and trait_of(folding, slot) & HEADING):
            bodies.head[slot] = slot


cdef bint in_prose(Bodies *bodies, int32_t slot, int32_t body) noexcept nogil:
    """Whether a text, link or heading in a body is quoted, or stands in a paragraph that has more to say, and that most
    records do not cut into lines."""
    cdef const Folding *folding = bodies.folding
    cdef int32_t above = folding.tree.parent[slot], child
    if bodies.quote[slot] > body:
        return True
    while above > body and trait_of(bodies.folding, above) & INLINE:
        above = folding.tree.parent[above]
    if above <= body or not trait_of(bodies.folding, above) & PARAGRAPH:
        return False
    child = above + 1
    while child < end_of_slot(bodies, above):
        if folding.tree.tag[child] == TAG_BR and (
                100 * <int64_t>folding.times[child] >= REGULAR * <int64_t>folding.times[above]):
            return False
        child = end_of_slot(bodies, child)
    return letters_in(bodies, above) >= 2 * letters_in(bodies, slot) and (
        letters_in(bodies, above) >= BODY * <int64_t>folding.times[above]
        or bodies.long_before[end_of_slot(bodies, above)] > bodies.long_before[above])


cdef bint has_fields(Bodies *bodies, int32_t body) noexcept nogil:
    """Whether most records have the same link, heading, marked words or short text in an element, or a text in it is a
    label."""
    cdef Folding *folding = bodies.folding
    cdef int64_t times, up = folding.times[body]
    cdef int32_t slot
    for slot in range(body + 1, end_of_slot(bodies, body)):
        times = 100 * <int64_t>folding.times[slot]
        if folding.tree.tag[slot] == TEXT:
            if folding.named[slot + 1] == folding.named[slot] and (
                    times < REGULAR * up or folding.letters[slot] >= LONG * <int64_t>folding.times[slot]
                    or folding.longest[slot] >= LONGEST_FIELD):
                continue
        elif times < USUAL * up or letters_in(bodies, slot) == 0:
            continue
        elif folding.tree.tag[slot] != TAG_A and not trait_of(folding, slot) & HEADING and (
                not trait_of(folding, slot) & INLINE or 2 * letters_in(bodies, slot) > letters_in(bodies, body)):
            continue
        if not in_prose(bodies, slot, body):
            return True
    return False


cdef bint has_units(const Bodies *bodies, int32_t body, int32_t slot) noexcept nogil:
    """Whether most of a body is in children of a slot in it that are units of a list: at least three in a row with the
    same class, and with elements that have one."""
    cdef Folding *folding = bodies.folding
    cdef int32_t child = slot + 1, tag = TEXT, symbol = 0, count = 0
    cdef int64_t letters = 0
    cdef bint styled = False
    while child < end_of_slot(bodies, slot):
        if folding.tree.tag[child] != TEXT:
            if folding.tree.tag[child] != tag or folding.tree.symbol[child] != symbol:
                tag = folding.tree.tag[child]
                symbol = folding.tree.symbol[child]
                count = 0
                letters = 0
                styled = False
            count += 1
            letters += letters_in(bodies, child)
            styled |= bodies.styled_before[end_of_slot(bodies, child)] > bodies.styled_before[child + 1]
            if (count >= FEWEST_UNITS and styled and symbol != 0
                    and 100 * letters >= IN_UNITS * letters_in(bodies, body)
                    and not trait_of(folding, child) & (INLINE | QUOTED | PART | CELL)):
                return True
        child = end_of_slot(bodies, child)
    return False


cdef bint differs(Bodies *bodies, int32_t body) noexcept nogil:
    """Whether the records differ in which texts of a body they have, and few begin with a link or a heading."""
    cdef const Folding *folding = bodies.folding
    cdef const uint8_t *filled
    cdef uint64_t pattern
    cdef uint64_t[FEWEST_PATTERNS] found
    cdef int32_t record, slot, different = 0, k
    cdef int64_t headed = 0
    bodies.work -= <int64_t>folding.records * folding.tree.size[body]
    for record in range(folding.records):
        filled = folding.filled + <int64_t>record * folding.tree.count
        if not filled[body]:
            continue
        pattern = 0
        for slot in range(body + 1, end_of_slot(bodies, body)):
            if filled[slot] and folding.tree.tag[slot] == TEXT:
                if pattern == 0 and bodies.head[slot] > body:
                    headed += not in_prose(bodies, bodies.head[slot], body)
                pattern = (pattern ^ <uint64_t>slot) * <uint64_t>0x9E3779B97F4A7C15 | 1
        for k in range(different):
            if found[k] == pattern:
                break
        else:
            if different < FEWEST_PATTERNS:
                found[different] = pattern
                different += 1
    return 100 * headed < USUAL * <int64_t>folding.times[body] and (
        different == FEWEST_PATTERNS or different >= folding.times[body])


cdef bint is_body(Bodies *bodies, int32_t slot) noexcept nogil:
    """Whether all that is in an element is what somebody wrote."""
    cdef Folding *folding = bodies.folding
    cdef int32_t below, up = folding.times[slot]
    cdef int64_t letters = letters_in(bodies, slot), prose = 0
    cdef bint several = False
    if (folding.tree.tag[slot] == TEXT or trait_of(folding, slot) & (INLINE | PART) or letters < BODY * <int64_t>up
            or up < 2 or 100 * <int64_t>up < HELD * <int64_t>folding.records):
        return False
    bodies.work -= folding.tree.size[slot]
    for below in range(slot + 1, end_of_slot(bodies, slot)):
        if folding.tree.tag[below] == TEXT:
            prose += folding.prose[below]
        else:
            several |= not trait_of(folding, below) & INLINE
    if not several or 100 * prose < WRITTEN * letters or has_fields(bodies, slot):
        return False
    for below in range(slot, end_of_slot(bodies, slot)):
        if folding.tree.tag[below] != TEXT and has_units(bodies, slot, below):
            return False
    return differs(bodies, slot)


cdef int32_t core_of(const Bodies *bodies, int32_t body) noexcept nogil:
    """The innermost element that holds the prose of a body: without a note or a signature beside it."""
    cdef Folding *folding = bodies.folding
    cdef int32_t child = body + 1, other, core
    while child < end_of_slot(bodies, body):
        if folding.tree.tag[child] == TEXT:
            return body
        child = end_of_slot(bodies, child)
    core = NOWHERE
    child = body + 1
    while child < end_of_slot(bodies, body) and core == NOWHERE:
        if trait_of(folding, child) == 0 and folding.tree.size[child] > 1 and (
                100 * <int64_t>folding.times[child] >= INNER * <int64_t>folding.times[body]) and (
                100 * letters_in(bodies, child) >= MOST * letters_in(bodies, body)):
            core = child
        child = end_of_slot(bodies, child)
    if core == NOWHERE:
        return body
    other = body + 1
    while other < end_of_slot(bodies, body):
        if other != core and folding.tree.tag[other] == folding.tree.tag[core] and (
                folding.tree.symbol[other] == folding.tree.symbol[core]):
            return body
        other = end_of_slot(bodies, other)
    return core


cdef int32_t longest_of(const Bodies *bodies, int32_t body) noexcept nogil:
    """The text that has most of a body, which stands for all; NOWHERE if there is none."""
    cdef const Folding *folding = bodies.folding
    cdef int32_t slot, longest = NOWHERE
    for slot in range(body, end_of_slot(bodies, body)):
        if folding.tree.tag[slot] == TEXT and (
                longest == NOWHERE or folding.letters[slot] > folding.letters[longest]):
            longest = slot
    return longest


cdef void join_body(const Bodies *bodies, int32_t body, int32_t into) noexcept nogil:
    """Let all texts of a body go to one."""
    cdef Folding *folding = bodies.folding
    cdef int32_t slot
    for slot in range(body, end_of_slot(bodies, body)):
        folding.settled[slot] = 1
        if folding.tree.tag[slot] == TEXT:
            folding.tree.into[slot] = into


cdef bint share_records(const Folding *folding, int32_t one, int32_t other) noexcept nogil:
    """Whether any record has two slots both."""
    cdef const uint8_t *filled = folding.filled
    for _record in range(folding.records):
        if filled[one] and filled[other]:
            return True
        filled += folding.tree.count
    return False


cdef void join_like(Bodies *bodies, int32_t body, int32_t into) noexcept nogil:
    """Let the texts of elements with the class of a body go where its texts go, if no record has both: some records
    have it in another place."""
    cdef Folding *folding = bodies.folding
    cdef int32_t slot = 0
    if folding.tree.symbol[body] == 0:
        return
    while slot < folding.tree.count:
        if (folding.settled[slot] or folding.tree.tag[slot] != folding.tree.tag[body]
                or folding.tree.symbol[slot] != folding.tree.symbol[body] or share_records(folding, slot, body)):
            slot += 1
            continue
        join_body(bodies, slot, into)
        slot = end_of_slot(bodies, slot)


cdef int32_t find_bodies(Folding *folding) noexcept nogil:
    """Join the texts of all bodies, or of those that are found within the budget. -1: no memory."""
    cdef int32_t slot = 0, count = folding.tree.count, core, inner, into
    cdef Bodies bodies
    cdef char *block = <char *>malloc((<size_t>count + 1) * (sizeof(int64_t) + 4 * sizeof(int32_t)))
    if block == NULL:
        return -1
    bodies.folding = folding
    bodies.letters_before = <int64_t *>block
    bodies.long_before = <int32_t *>(bodies.letters_before + count + 1)
    bodies.styled_before = bodies.long_before + count + 1
    bodies.quote = bodies.styled_before + count + 1
    bodies.head = bodies.quote + count + 1
    bodies.work = WORK + WORK_PER_CELL * <int64_t>folding.records * count
    read_slots(&bodies)
    while slot < count and bodies.work >= 0:
        if folding.settled[slot] or not is_body(&bodies, slot):
            slot += 1
            continue
        core = slot
        inner = core_of(&bodies, core)
        while inner != core:
            core = inner
            inner = core_of(&bodies, core)
        into = longest_of(&bodies, core)
        join_body(&bodies, core, into)
        join_like(&bodies, core, into)
        slot = end_of_slot(&bodies, slot)
    folding.exceeded = bodies.work < 0
    free(block)
    return 0
