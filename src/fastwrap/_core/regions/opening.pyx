"""The opening post of a thread: a block above the list that has the same parts as the posts in it is the first of them.
A question stands above its answers, a story above the comments. Nothing here is for Python."""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from fastwrap._core.common.hashing cimport hashed
from fastwrap._core.common.names cimport ATTRIBUTE_CLASS, TAG_A, TEXT
from fastwrap._core.common.page cimport (
    NO_ENTRY, PageArrays, Tokens, attribute_of, next_token, subtree_end, tokens_of, value_length,
)
from fastwrap._core.common.scratch cimport numbers, piece
from fastwrap._core.regions.autorm cimport NONE, RecordSearch, letters_of
from fastwrap._core.regions.links cimport first_kind, has_kind, kind_of_link, majority
from fastwrap._core.regions.sets cimport RecordSet, RecordSets

cdef enum:
    OPENED = 3              # chosen sets, the best ones, whose opening post is looked for
    SAMPLED = 8             # records that are looked at, from first to last
    MOST_KNOWN = 512        # different tokens that are counted ...
    PLACES = 1024           # ... in a table of so many places
    LONGEST_CLASS = 500     # bytes: longer classes are not read
    LEVELS = 5              # above the list, on which a block may stand
    FEWEST_STYLES = 3       # classes that a block and the records have, for it to be compared at all
    FEWEST_COMMON = 4       # tokens that the records have in common, ...
    MANY_COMMON = 20        # ... and from which on they are enough by themselves

cdef double LEAST_PROSE = 60    # letters of the longest text of a post, on average
cdef double LEAST_CONTENT = 0.2     # of the content of a record on average: what an opening post has
cdef double COMMON = 0.7        # of the records: those that have a token, for it to be common
cdef double SAME = 0.8          # of the common tokens: those of a block that is a post, for sure, ...
cdef double ALIKE = 0.45        # ... and one that links to somebody as the posts do; with a long text if few are common
cdef double LONGEST_NAME = 30   # bytes that a link has on average whose text is a name
cdef double ONCE = 1.5          # times that a block has a token, for each time that a record does: less in one post ...
cdef double SINGLE = 0.1        # ... for at least so many of the common tokens that it has
cdef double MOST_TOKENS = 3.0   # times as many common tokens as a record
cdef double KINDRED = 0.6       # of the records: those that link to one kind of page, for it to be theirs
cdef double ALL = 0.8           # of the content of a block: what the node in it has that is the post


cdef struct Counted:
    # The common tokens of a block.
    int32_t different
    int32_t all


cdef size_t size_of_opening(size_t nodes) noexcept nogil:
    """The scratch memory that `open_opening` takes."""
    return PLACES * sizeof(KnownToken) + (nodes + 1) * (3 * sizeof(int32_t) + sizeof(uint64_t)) + 5 * 16


cdef void open_opening(Opening *opening, const RecordSearch *search, int32_t styles, char **memory) noexcept nogil:
    """Take the memory for the sets of a page, from `memory` on; the styles of nodes are less than `styles`."""
    opening.known = <KnownToken *>piece(memory, PLACES * sizeof(KnownToken))
    opening.blocks = numbers(memory, search.page.count)
    opening.kinds = <uint64_t *>piece(memory, search.page.count * sizeof(uint64_t))
    opening.styles = numbers(memory, styles)
    opening.seen = numbers(memory, styles)
    opening.blocks_seen = opening.sets_seen = 0
    memset(opening.styles, 0, styles * sizeof(int32_t))
    memset(opening.seen, 0, styles * sizeof(int32_t))


# Tokens


cdef inline KnownToken *place_of(Opening *opening, uint64_t hash) noexcept nogil:
    """The entry of a token, or the free one where it belongs."""
    cdef uint64_t place = hash & (PLACES - 1)
    while opening.known[place].hash != 0 and opening.known[place].hash != hash:
        place = (place + 1) & (PLACES - 1)
    return &opening.known[place]


cdef inline Tokens class_of(const PageArrays *page, int32_t node) noexcept nogil:
    """The tokens of the class of a node; none of a class that is too long."""
    cdef int32_t entry = NO_ENTRY if page.tag[node] == TEXT else attribute_of(page, node, ATTRIBUTE_CLASS)
    if entry != NO_ENTRY and value_length(page, entry) > LONGEST_CLASS:
        entry = NO_ENTRY
    return tokens_of(page, entry)


cdef void learn_tokens(const RecordSearch *search, Opening *opening, int32_t start, int32_t end) noexcept nogil:
    """Count a record for each token that it has."""
    cdef int32_t node
    cdef Tokens tokens
    cdef KnownToken *known
    cdef uint64_t hash
    opening.turn += 1
    for node in range(start, end):
        tokens = class_of(search.page, node)
        while next_token(&tokens):
            hash = hashed(tokens.token, tokens.length, 0) | 1
            known = place_of(opening, hash)
            if known.hash == 0:
                if opening.known_count == MOST_KNOWN:
                    continue
                known.hash = hash
                known.records = known.all = 0
                opening.known_count += 1
            known.all += 1
            if known.turn != opening.turn:
                known.turn = opening.turn
                known.records += 1


cdef Counted count_tokens(const RecordSearch *search, Opening *opening, int32_t start, int32_t end) noexcept nogil:
    """Count the common tokens of some nodes."""
    cdef int32_t node
    cdef Tokens tokens
    cdef KnownToken *known
    cdef Counted counted
    counted.different = counted.all = 0
    opening.turn += 1
    for node in range(start, end):
        tokens = class_of(search.page, node)
        while next_token(&tokens):
            known = place_of(opening, hashed(tokens.token, tokens.length, 0) | 1)
            if known.hash and known.records >= opening.fewest:
                if known.turn != opening.turn:
                    known.turn = opening.turn
                    known.own = 0
                    counted.different += 1
                known.own += 1
                counted.all += 1
    return counted


cdef bint is_one(const Opening *opening, int32_t different) noexcept nogil:
    """Whether the block whose tokens were counted last is one post: it has some of them no more often than a record."""
    cdef int32_t k, single = 0
    for k in range(PLACES):
        if opening.known[k].hash != 0 and opening.known[k].turn == opening.turn:
            single += opening.known[k].own * opening.sampled < ONCE * opening.known[k].all
    return single >= SINGLE * different


# What posts have in common


cdef bint is_in_link(const PageArrays *page, int32_t node, int32_t start) noexcept nogil:
    """Whether a node is in a link that is not before another one."""
    while node >= start:
        if page.tag[node] == TAG_A:
            return True
        node = page.parent[node]
    return False


cdef double longest_text(const RecordSearch *search, int32_t start, int32_t end) noexcept nogil:
    """The letters of the longest text among some nodes that is in no link."""
    cdef const double *letters_before = search.content.letters_before
    cdef int32_t k, node
    cdef double longest = 0
    for k in range(search.content.shown_before[start], search.content.shown_before[end]):
        node = search.content.shown[k]
        if search.page.tag[node] == TEXT and letters_before[node + 1] - letters_before[node] > longest and (
                not is_in_link(search.page, node, start)):
            longest = letters_before[node + 1] - letters_before[node]
    return longest


cdef bint are_names(const RecordSearch *search, const int32_t *records, int32_t count, uint64_t kind) noexcept nogil:
    """Whether the texts of links to a kind of page are short: names of authors, not titles."""
    cdef const int32_t *text_start = search.page.text_start
    cdef int32_t sampled = min(count, SAMPLED), k, node, number, most
    cdef double bytes = 0
    cdef const int32_t *span
    for k in range(sampled):
        span = records + 2 * (k * count // sampled)
        most = 0
        for number in range(search.links.before[span[0]], search.links.before[span[1]]):
            if kind_of_link(&search.links, number) == kind:
                node = search.links.nodes[number]
                most = max(most, text_start[subtree_end(search.page, node)] - text_start[node])
        bytes += most
    return bytes <= LONGEST_NAME * sampled


cdef bint describe(const RecordSearch *search, Opening *opening, const int32_t *records, int32_t count) noexcept nogil:
    """Fill in what records have in common; returns whether they are posts, as far as can be said: they have long texts,
    and tokens in common."""
    cdef int32_t sampled = min(count, SAMPLED), k, equal
    cdef const int32_t *span
    cdef double prose = 0
    for k in range(sampled):
        span = records + 2 * (k * count // sampled)
        prose += longest_text(search, span[0], span[1])
    if prose < LEAST_PROSE * sampled:
        return False
    memset(opening.known, 0, PLACES * sizeof(KnownToken))
    opening.known_count = opening.turn = opening.common = 0
    opening.sampled = sampled
    opening.fewest = <int32_t>(COMMON * sampled + 0.999)
    for k in range(sampled):
        span = records + 2 * (k * count // sampled)
        learn_tokens(search, opening, span[0], span[1])
    opening.often = 0
    for k in range(PLACES):
        if opening.known[k].hash != 0 and opening.known[k].records >= opening.fewest:
            opening.common += 1
            opening.often += <double>opening.known[k].all / sampled
    if opening.common < FEWEST_COMMON:
        return False
    for k in range(count):
        opening.kinds[k] = first_kind(&search.links, records[2 * k], records[2 * k + 1])
    opening.kind = majority(opening.kinds, count, &equal)
    if equal < KINDRED * count or not are_names(search, records, count, opening.kind):
        opening.kind = 0
    return True


# The block


cdef bint is_opening(const RecordSearch *search, Opening *opening, int32_t block, Counted counted) noexcept nogil:
    """Whether a block whose common tokens were just counted is a post like the records."""
    cdef int32_t end = subtree_end(search.page, block)
    cdef bint many = opening.common >= MANY_COMMON
    if counted.different < ALIKE * opening.common or counted.all > MOST_TOKENS * opening.often or not is_one(
            opening, counted.different):
        return False
    if many and counted.different >= SAME * opening.common:
        return True
    return opening.kind != 0 and has_kind(&search.links, block, end, opening.kind) and (
        many or longest_text(search, block, end) >= LEAST_PROSE)


cdef int32_t core_of(const RecordSearch *search, Opening *opening, int32_t block, int32_t different) noexcept nogil:
    """The innermost node of a block that has all of its common tokens, and nearly all of its content."""
    cdef const PageArrays *page = search.page
    cdef double enough = ALL * letters_of(search, block)
    cdef int32_t child
    for _level in range(LEVELS):
        child = block + 1
        while child < subtree_end(page, block) and letters_of(search, child) < enough:
            child = subtree_end(page, child)
        if child >= subtree_end(page, block) or count_tokens(
                search, opening, child, subtree_end(page, child)).different < different:
            break
        block = child
    return block


cdef void mark_styles(const RecordSearch *search, Opening *opening, const int32_t *records,
                      int32_t count) noexcept nogil:
    """Mark the styles that the records of the next set have, and fill in how much these have to say."""
    cdef const double *letters_before = search.content.letters_before
    cdef int32_t sampled = min(count, SAMPLED), k, node
    cdef const int32_t *span
    opening.letters = 0
    opening.sets_seen += 1
    for k in range(count):
        opening.letters += (letters_before[records[2 * k + 1]] - letters_before[records[2 * k]]) / count
    for k in range(sampled):
        span = records + 2 * (k * count // sampled)
        for node in range(span[0], span[1]):
            opening.styles[search.page.style_symbol[node]] = opening.sets_seen


cdef bint shares_styles(const RecordSearch *search, Opening *opening, int32_t block) noexcept nogil:
    """Whether a block has some of the classes of the records."""
    cdef const int32_t *style = search.page.style_symbol
    cdef int32_t node, shared = 0
    opening.blocks_seen += 1
    for node in range(block, subtree_end(search.page, block)):
        if style[node] and opening.styles[style[node]] == opening.sets_seen and (
                opening.seen[style[node]] != opening.blocks_seen):
            opening.seen[style[node]] = opening.blocks_seen
            shared += 1
            if shared == FEWEST_STYLES:
                return True
    return False


cdef int32_t find_block(const RecordSearch *search, Opening *opening, const int32_t *records,
                        int32_t count) noexcept nogil:
    """The post above a list, or 0: the nearest block on the nearest level that is one."""
    cdef const PageArrays *page = search.page
    cdef int32_t record = records[0], node = record, above, block, blocks
    cdef bint described = False
    cdef Counted counted
    mark_styles(search, opening, records, count)
    for _level in range(LEVELS):
        above = page.parent[node]
        if above < page.body:
            break
        blocks = 0
        block = above + 1
        while block < node:
            opening.blocks[blocks] = block
            blocks += letters_of(search, block) >= LEAST_CONTENT * opening.letters
            block = subtree_end(page, block)
        while blocks:
            blocks -= 1
            block = opening.blocks[blocks]
            # What has the class of the records is one of another list, if it is not one of theirs.
            if (page.tag[block] == page.tag[record] and page.style_symbol[block] == page.style_symbol[record] != 0
                    or not shares_styles(search, opening, block)):
                continue
            # Few lists have such a block: what they have in common is looked at no sooner.
            if not described and not describe(search, opening, records, count):
                return 0
            described = True
            counted = count_tokens(search, opening, block, subtree_end(page, block))
            if is_opening(search, opening, block, counted):
                return core_of(search, opening, block, counted.different)
        node = above
    return 0


cdef bint make_room(const RecordSearch *search, RecordSets *sets, int32_t number, int32_t block) noexcept nogil:
    """Take out of the other chosen sets what is within a block, and drop those of which less than two records are left;
    returns whether it was done: not if a record is around the block, or within it and of the set itself."""
    cdef RecordSet *other
    cdef const int32_t *span
    cdef int32_t k, record, left, kept = 0, end = subtree_end(search.page, block)
    for k in range(sets.chosen_count):
        for record in range(sets.chosen[k].first, sets.chosen[k].end):
            span = sets.records + 2 * record
            if span[0] < end and span[1] > block and (k == number or span[0] < block or span[1] > end):
                return False
    for k in range(sets.chosen_count):
        other = sets.chosen[k]
        left = other.first
        for record in range(other.first, other.end):
            span = sets.records + 2 * record
            if span[1] <= block or span[0] >= end:
                sets.records[2 * left] = span[0]
                sets.records[2 * left + 1] = span[1]
                left += 1
        if left == other.end or left - other.first >= 2:
            other.left_out += other.end - left
            other.end = left
            sets.chosen[kept] = other
            kept += 1
    sets.chosen_count = kept
    return True


cdef void add_first(const RecordSearch *search, RecordSets *sets, RecordSet *chosen, int32_t block) noexcept nogil:
    """Give a set its records anew, behind the one above them."""
    cdef int32_t first = sets.record_count, count = chosen.end - chosen.first
    sets.records[2 * first] = block
    sets.records[2 * first + 1] = subtree_end(search.page, block)
    memcpy(sets.records + 2 * first + 2, sets.records + 2 * chosen.first, 2 * count * sizeof(int32_t))
    sets.record_count += count + 1
    chosen.first = first
    chosen.end = sets.record_count
    chosen.model = NONE
    chosen.added += 1


cdef void add_openings(RecordSearch *search, Opening *opening, RecordSets *sets) noexcept nogil:
    """Add to the best chosen sets of posts the post above each that they are about."""
    cdef int32_t number = 0, block
    cdef const int32_t *records
    cdef RecordSet *chosen
    while number < min(sets.chosen_count, OPENED):
        chosen = sets.chosen[number]
        records = sets.records + 2 * chosen.first
        block = find_block(search, opening, records, chosen.end - chosen.first)
        if block and make_room(search, sets, number, block):
            add_first(search, sets, chosen, block)
            while sets.chosen[number] != chosen:
                number -= 1     # sets before it were dropped
        number += 1
