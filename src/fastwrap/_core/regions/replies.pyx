"""Threads in which replies stand below what they reply to: all posts are records, on whatever level they are.
Posts are elements of one class, of which one begins a list right behind another, or items of lists
without what is in the lists within them. Nothing here is for Python."""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memchr

from fastwrap._core.common.names cimport ATTRIBUTE_CLASS, TAG_LI, TAG_OL, TAG_UL, TEXT
from fastwrap._core.common.page cimport (
    NO_ENTRY, PageArrays, Tokens, attribute_of, has_token, next_token, subtree_end, tokens_of, value_length,
)
from fastwrap._core.common.scratch cimport numbers, piece
from fastwrap._core.regions.autorm cimport NONE, RecordSearch, items_of, letters_of, likeness, most_alike
from fastwrap._core.regions.groups cimport Grouping, replace_records
from fastwrap._core.regions.sets cimport RecordSet, RecordSets, measure_whole

cdef enum:
    FEWEST = 3              # posts of a thread, ...
    FEWEST_REPLIES = 2      # ... replies among them that begin a level, unless the posts are few, ...
    FEW = 6                 # ... fewer than these
    LEAST_ITEMS = 3         # of a post on average: nodes with content
    LONGEST_CLASS = 500     # bytes: longer classes are not compared token by token
    COMPARED = 12           # pairs of neighbours that tell whether posts are alike

cdef double LEAST_LETTERS = 50  # of a post on average
cdef double LEAST_HELD = 0.6    # of the content of the records of a set: what a thread has, for it to be meant


cdef struct StyledGroup:
    # The elements of one class and style.
    int32_t tag
    int32_t last            # the last one so far
    int32_t count           # 0 where two are of different tags, or one is within another
    int32_t replies         # those that begin a level below one before them
    int32_t thread          # which it is, or NONE


cdef size_t size_of_replies(size_t nodes) noexcept nogil:
    """The scratch memory that `find_replies` takes."""
    return (nodes + 1) * sizeof(StyledGroup) + nodes * sizeof(int32_t) + 2 * 16


cdef inline bint is_reply(const PageArrays *page, int32_t node, int32_t before) noexcept nogil:
    """Whether a node is in a sibling of the one before it, not a sibling itself."""
    cdef int32_t above = page.parent[before]
    return above != page.parent[node] and node < subtree_end(page, above)


cdef int32_t read_groups(const RecordSearch *search, StyledGroup *groups) noexcept nogil:
    """Fill in the groups of the page, by their style; returns how many there may be. Styles are numbered in order."""
    cdef const PageArrays *page = search.page
    cdef const int32_t *styles = page.style_symbol
    cdef int32_t node, style, known = 1
    cdef StyledGroup *group
    for node in range(page.body, page.body_end):
        style = styles[node]
        if style == 0:
            continue
        while known <= style:
            groups[known].last = NONE
            known += 1
        group = &groups[style]
        if group.last == NONE:
            group.tag = page.tag[node]
            group.count = group.replies = 0
            group.thread = NONE
        elif group.count == 0 or group.tag != page.tag[node] or node < subtree_end(page, group.last):
            group.count = 0
            continue
        else:
            group.replies += is_reply(page, node, group.last)
        group.last = node
        group.count += 1
    return known


cdef inline bint may_be_thread(const StyledGroup *group) noexcept nogil:
    return group.last != NONE and group.count >= FEWEST and (
        group.replies >= (1 if group.count < FEW else FEWEST_REPLIES))


cdef int32_t list_threads(const RecordSearch *search, Replies *replies, StyledGroup *groups,
                          int32_t known) noexcept nogil:
    """List what may be threads, those with most posts, in order of their numbers; returns how many posts they have."""
    cdef Thread *threads = replies.threads
    cdef int32_t style, k, found = 0
    replies.thread_count = 0
    for style in range(1, known):
        if not may_be_thread(&groups[style]):
            continue
        # Of equals, the first one comes first.
        k = replies.thread_count
        while k and threads[k - 1].count < groups[style].count:
            if k < THREADS:
                threads[k] = threads[k - 1]
            k -= 1
        if k < THREADS:
            threads[k].style = style
            threads[k].count = groups[style].count
            replies.thread_count = min(replies.thread_count + 1, THREADS)
    for k in range(replies.thread_count):
        threads[k].first = found
        threads[k].given = False
        groups[threads[k].style].thread = k
        found += threads[k].count
    return found


cdef bint have_enough(const RecordSearch *search, const int32_t *posts, int32_t count) noexcept nogil:
    """Whether posts have something to say."""
    cdef int32_t k, items = 0
    cdef double letters = 0
    for k in range(count):
        items += items_of(search, posts[k])
        letters += letters_of(search, posts[k])
    return items >= LEAST_ITEMS * <double>count and letters >= LEAST_LETTERS * count


cdef void find_replies(const RecordSearch *search, Replies *replies, char **memory) noexcept nogil:
    """Find the threads of a page; takes memory from `memory` on, of which the posts are kept."""
    cdef const PageArrays *page = search.page
    cdef StyledGroup *groups
    cdef Thread *thread
    cdef int32_t node, style, k
    replies.posts = numbers(memory, page.count)
    groups = <StyledGroup *>piece(memory, (<size_t>page.count + 1) * sizeof(StyledGroup))
    replies.styles = read_groups(search, groups)
    if list_threads(search, replies, groups, replies.styles) == 0:
        return
    for k in range(replies.thread_count):
        replies.threads[k].count = 0
    for node in range(page.body, page.body_end):
        style = page.style_symbol[node]
        if style and groups[style].thread != NONE:
            thread = &replies.threads[groups[style].thread]
            replies.posts[thread.first + thread.count] = node
            thread.count += 1
    for k in range(replies.thread_count):
        thread = &replies.threads[k]
        thread.given = not have_enough(search, replies.posts + thread.first, thread.count)


cdef bint is_meant(const RecordSearch *search, const int32_t *posts, int32_t count, const RecordSets *sets,
                   const RecordSet *chosen) noexcept nogil:
    """Whether at least half of the records of a set hold posts of a thread, or are in one each, and these have most of
    their content."""
    cdef const int32_t *span
    cdef const double *letters_before = search.content.letters_before
    cdef int32_t record, k = 0, touched = 0, last = NONE
    cdef double held = 0, total = 0
    cdef bint is_touched
    for record in range(chosen.first, chosen.end):
        span = sets.records + 2 * record
        total += letters_before[span[1]] - letters_before[span[0]]
        while k < count and subtree_end(search.page, posts[k]) <= span[0]:
            k += 1
        if k < count and posts[k] <= span[0]:
            touched += k != last
            last = k
            held += letters_before[span[1]] - letters_before[span[0]]
            continue
        is_touched = False
        while k < count and posts[k] < span[1]:
            is_touched = True
            held += letters_of(search, posts[k])
            k += 1
        touched += is_touched
    return 2 * touched >= chosen.end - chosen.first and held >= LEAST_HELD * total


cdef bint are_alike(RecordSearch *search, const int32_t *nodes, int32_t count) noexcept nogil:
    """Whether nodes are alike, each to the next one on average: some tell."""
    cdef const PageArrays *page = search.page
    cdef int32_t pairs = min(count - 1, COMPARED), k, one, other
    cdef double alike = 0
    for k in range(pairs):
        one = nodes[k * (count - 1) // pairs]
        other = nodes[k * (count - 1) // pairs + 1]
        # Large trees that differ in size are not compared.
        if most_alike(page.size[one], page.size[other], min(page.size[one], page.size[other])) > 0.5:
            alike += likeness(search, one, subtree_end(page, one), other, subtree_end(page, other))
    return alike >= search.options.similarity * pairs


cdef bint has_class(const PageArrays *page, int32_t node, int32_t entry) noexcept nogil:
    """Whether a node has all tokens of a class, and further ones."""
    cdef int32_t own = attribute_of(page, node, ATTRIBUTE_CLASS)
    cdef Tokens tokens = tokens_of(page, entry)
    if own == NO_ENTRY or value_length(page, own) <= value_length(page, entry) or value_length(
            page, own) > LONGEST_CLASS:
        return False
    while next_token(&tokens):
        if not has_token(tokens_of(page, own), tokens.token, tokens.length):
            return False
    return True


cdef int32_t list_posts(const RecordSearch *search, const Replies *replies, const Thread *thread, const uint8_t *taken,
                        int32_t *nodes) noexcept nogil:
    """List the posts of a thread, and, among them, those that have its class and a further one: of the author of the
    first post, of a moderator. Returns how many there are."""
    cdef const PageArrays *page = search.page
    cdef const int32_t *posts = replies.posts + thread.first
    cdef int32_t entry = attribute_of(page, posts[0], ATTRIBUTE_CLASS), k = 0, found = 0, end
    cdef int32_t above = page.parent[posts[0]], node
    while subtree_end(page, above) <= posts[thread.count - 1]:
        above = page.parent[above]
    node = above + 1
    while node < subtree_end(page, above):
        end = subtree_end(page, node)
        if k < thread.count and posts[k] == node:
            k += 1
        elif entry == NO_ENTRY or page.tag[node] != page.tag[posts[0]] or (k < thread.count and posts[k] < end) or not (
                has_class(page, node, entry) and letters_of(search, node) > 0):
            node += 1
            continue
        if memchr(taken + node, 1, end - node) == NULL:
            nodes[found] = node
            found += 1
        node = end
    return found


# Threads that lists within lists tell, without a class


cdef inline bint is_list(const PageArrays *page, int32_t node) noexcept nogil:
    return page.tag[node] == TAG_UL or page.tag[node] == TAG_OL


cdef int32_t post_of(const RecordSearch *search, int32_t item, int32_t *below) noexcept nogil:
    """The one child of an item that has content, but for a list of replies behind it, which `below` receives, or NONE;
    NONE if the item has more, or nothing."""
    cdef const PageArrays *page = search.page
    cdef int32_t child = item + 1, post = NONE
    below[0] = NONE
    while child < subtree_end(page, item):
        if letters_of(search, child) > 0:
            if post == NONE:
                post = child
            elif below[0] == NONE and is_list(page, child):
                below[0] = child
            else:
                below[0] = NONE
                return NONE
        child = subtree_end(page, child)
    return post


cdef int32_t outermost(const PageArrays *page, int32_t item) noexcept nogil:
    """The list around all items of a thread, of which one is given; NONE if it is in no list."""
    cdef int32_t around = NONE
    while page.tag[item] == TAG_LI and is_list(page, page.parent[item]):
        around = page.parent[item]
        item = page.parent[around]
    return around


cdef int32_t list_held(const RecordSearch *search, int32_t around, const uint8_t *taken, int32_t *nodes,
                       int32_t *lists) noexcept nogil:
    """List the posts of the items of a list, and of those in the lists below them; returns how many there are, and in
    `lists` how many lists are below posts. All are of one tag: what says that there is more to load is not."""
    cdef const PageArrays *page = search.page
    cdef int32_t node = around + 1, found = 0, tag = NONE, post, below
    lists[0] = 0
    while node < subtree_end(page, around):
        post = below = NONE
        if page.tag[node] == TAG_LI:
            post = post_of(search, node, &below)
        if post != NONE and page.tag[post] != TEXT and (tag == NONE or page.tag[post] == tag) and (
                memchr(taken + post, 1, page.size[post]) == NULL):
            tag = page.tag[post]
            nodes[found] = post
            found += 1
        lists[0] += below != NONE
        node = subtree_end(page, node) if below == NONE else below + 1
    return found


cdef bint gather_nested(RecordSearch *search, Grouping *grouping, RecordSets *sets, RecordSet *chosen,
                        const uint8_t *taken) noexcept nogil:
    """Give a chosen set the posts of lists within lists, if its records are some of their items, or of the posts;
    returns whether they are."""
    cdef const PageArrays *page = search.page
    cdef int32_t item = sets.records[2 * chosen.first], around, found, lists
    if page.tag[item] != TAG_LI:
        item = page.parent[item]
    around = outermost(page, item)
    if around == NONE:
        return False
    found = list_held(search, around, taken, grouping.nodes, &lists)
    if found < FEWEST or lists < (1 if found < FEW else FEWEST_REPLIES) or not have_enough(
            search, grouping.nodes, found) or not is_meant(search, grouping.nodes, found, sets, chosen) or not (
            are_alike(search, grouping.nodes, found)):
        return False
    replace_records(search, grouping, sets, chosen, found)
    measure_whole(search, sets, chosen)
    return True


cdef bint gather_replies(RecordSearch *search, Replies *replies, Grouping *grouping, RecordSets *sets,
                         RecordSet *chosen, const uint8_t *taken) noexcept nogil:
    """Give a chosen set the posts of a thread, if its records are some of them, parts of them, or hold several; returns
    whether they are."""
    cdef Thread *thread
    cdef int32_t number, found
    for number in range(replies.thread_count):
        thread = &replies.threads[number]
        if thread.given or not is_meant(
                search, replies.posts + thread.first, thread.count, sets, chosen):
            continue
        found = list_posts(search, replies, thread, taken, grouping.nodes)
        if found < FEWEST or not are_alike(search, grouping.nodes, found):
            continue
        thread.given = True
        replace_records(search, grouping, sets, chosen, found)
        measure_whole(search, sets, chosen)
        return True
    return gather_nested(search, grouping, sets, chosen, taken)
