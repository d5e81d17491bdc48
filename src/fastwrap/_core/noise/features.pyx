"""Features: what a classifier knows of the blocks of a page, from the node arrays alone.
`fastwrap.noise.features` names them; every step is linear in the nodes."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.hashing cimport Numbers, number_of, size_of_numbers, start_numbers
from fastwrap._core.common.names cimport (
    ATTRIBUTE_ARIA_LABEL,
    ATTRIBUTE_CLASS,
    ATTRIBUTE_ID,
    ATTRIBUTE_ROLE,
    KNOWN_TAGS,
    TAG_A,
    TAG_H1,
    TAG_H6,
    TAG_IMG,
    TAG_LABEL,
    TAG_TD,
    TEXT,
)
from fastwrap._core.common.page cimport NO_NODE, PageArrays, subtree_end, value_length
from fastwrap._core.common.scratch cimport numbers, piece
from fastwrap._core.noise.blocks cimport HEAD_BUCKETS, TEXT_BUCKETS, Blocks, Look, bucket_of, with_byte

cdef enum:
    TAG_P = 15
    TAG_LI = 20
    TAG_B = 41
    TAG_STRONG = 46
    TAG_BUTTON = 61
    TAG_OPTION = 63
    TAG_ARTICLE = 78
    ATTRIBUTE_ITEMPROP = 14
    ATTRIBUTE_ITEMTYPE = 16

    FLAG_FORM = 6           # bit of what stands in a form
    MOST_INSIDE = 16        # inline elements around a whole block that are read

cdef uint64_t SEED = 14695981039346656037u


cdef struct Sums:
    # Counted over the nodes, or the blocks, before each.
    int32_t *linked             # [nodes + 1] bytes in links
    int32_t *links              # [nodes + 1]
    int32_t *bold               # [nodes + 1] bytes
    int32_t *pressed            # [nodes + 1] bytes in buttons and labels
    int32_t *images             # [nodes + 1]
    int32_t *first              # [nodes + 1] blocks that start before the node
    double *length              # [blocks + 1] bytes
    double *prose               # [blocks + 1] bytes of prose
    double *in_links            # [blocks + 1] bytes


cdef struct Around:
    # What holds blocks.
    int32_t *flags              # [nodes]
    int32_t *up                 # [nodes] the nearest element above that has more blocks
    int32_t *joined             # [nodes] the deepest element above it, or itself, that has the main element in it
    int32_t *alike              # [nodes] siblings of one tag path, itself included
    int32_t *above              # [nodes] the weights of all names above, its own included
    int32_t *near               # [nodes, 4] the weights of its own names: inside a block, its owner, the next, the next
    int32_t main                # the deepest element with most of the prose
    int32_t most_alike
    int32_t *of_style           # [nodes, NAME_KINDS + 1] the weights of class names, by style symbol; whether known


cdef struct Group:
    # The blocks whose owners have one tag path.
    int32_t blocks
    int32_t texts               # different ones
    double length
    double linked
    double prose
    double weight
    double scores[SCORES]


cdef int32_t words_of(const unsigned char *value, int32_t length, int32_t prefix, int32_t *buckets) noexcept nogil:
    """Where a model has the weights of the words of a name: `navBar-item` has three."""
    cdef int32_t k, count = 0
    cdef uint64_t start = with_byte(SEED, prefix) if prefix else SEED, hash = start
    cdef bint within = False, was_small = False, is_small, is_letter
    cdef unsigned char byte
    length = min(length, MOST_NAME_BYTES)
    for k in range(length + 1):
        byte = value[k] if k < length else 32
        is_small = 97 <= byte <= 122
        is_letter = is_small or 65 <= byte <= 90
        if within and (not is_letter or (was_small and not is_small)):
            buckets[count] = bucket_of(hash, 0)
            count += 1
            if count == MOST_NAMES:
                return count
            hash = start
            within = False
        if is_letter:
            hash = with_byte(hash, byte | 32)
            within = True
        was_small = is_small
    return count


cdef inline int32_t prefix_of(int32_t name) noexcept nogil:
    """What the words of an attribute are told apart by; -1 for one that is not read."""
    if name == ATTRIBUTE_CLASS or name == ATTRIBUTE_ID or name == ATTRIBUTE_ROLE:
        return 0
    if name == ATTRIBUTE_ITEMPROP or name == ATTRIBUTE_ITEMTYPE:
        return 64
    return 126 if name == ATTRIBUTE_ARIA_LABEL else -1


cdef int32_t names_of(const PageArrays *page, int32_t node, const Vocabulary *vocabulary,
                      int32_t *buckets) noexcept nogil:
    """Where a model has the weights of the names of an element: its tag, and the words of its attributes."""
    cdef int32_t entry, prefix, count = 0
    if page.tag[node] < KNOWN_TAGS:
        buckets[0] = vocabulary.tag_buckets[page.tag[node]]
        count = 1
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        prefix = prefix_of(page.attribute_name[entry])
        if prefix >= 0 and count + MOST_NAMES <= MOST_BUCKETS:
            count += words_of(page.values + page.value_start[entry], value_length(page, entry), prefix, buckets + count)
    return count


cdef void add_weights(const Weights *weights, const int32_t *buckets, int32_t count, int32_t *sums) noexcept nogil:
    """Add the weights of names, of every kind."""
    cdef const int8_t *of_name
    cdef int32_t k, kind
    for k in range(count):
        of_name = weights.names + NAME_KINDS * <size_t>buckets[k]
        for kind in range(NAME_KINDS):
            sums[kind] += of_name[kind]


cdef void weigh_names(const PageArrays *page, int32_t node, const Vocabulary *vocabulary, const Weights *weights,
                      int32_t *of_style, int32_t *sums) noexcept nogil:
    """The weights of the names of an element, as `names_of` has them. Those of a class are looked up once."""
    cdef int32_t buckets[MOST_NAMES]
    cdef int32_t entry, name, prefix, kind
    cdef int32_t *known
    memset(sums, 0, NAME_KINDS * sizeof(int32_t))
    if page.tag[node] < KNOWN_TAGS:
        add_weights(weights, &vocabulary.tag_buckets[page.tag[node]], 1, sums)
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        name = page.attribute_name[entry]
        prefix = prefix_of(name)
        if prefix < 0:
            continue
        if name == ATTRIBUTE_CLASS:
            known = of_style + (NAME_KINDS + 1) * <size_t>page.style_symbol[node]
            if not known[NAME_KINDS]:
                known[NAME_KINDS] = True
                add_weights(weights, buckets, words_of(
                    page.values + page.value_start[entry], value_length(page, entry), 0, buckets), known)
            for kind in range(NAME_KINDS):
                sums[kind] += known[kind]
        else:
            add_weights(weights, buckets, words_of(
                page.values + page.value_start[entry], value_length(page, entry), prefix, buckets), sums)


cdef int32_t role_flags_of(const PageArrays *page, int32_t node, const Vocabulary *vocabulary) noexcept nogil:
    """What the role of an element says of the blocks within it."""
    cdef int32_t entry, k, at, end
    cdef uint64_t hash
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        if page.attribute_name[entry] == ATTRIBUTE_ROLE:
            at = page.value_start[entry]
            end = page.value_start[entry + 1]
            while at < end and page.values[at] == 32:
                at += 1
            while at < end and page.values[end - 1] == 32:
                end -= 1
            hash = SEED
            for k in range(at, min(end, at + 40)):
                hash = with_byte(hash, page.values[k] | 32)
            for k in range(vocabulary.roles):
                if vocabulary.role[k] == hash:
                    return vocabulary.role_flags[k]
    return 0


cdef void sum_nodes(const PageArrays *page, const Blocks *blocks, Sums *sums) noexcept nogil:
    """Sum up what is before each node."""
    cdef int32_t node, tag, length, block = 0, link_end = 0, bold_end = 0, button_end = 0
    sums.linked[0] = sums.links[0] = sums.bold[0] = sums.pressed[0] = sums.images[0] = 0
    for node in range(page.count):
        tag = page.tag[node]
        if tag == TAG_A:
            link_end = max(link_end, subtree_end(page, node))
        elif tag == TAG_BUTTON or tag == TAG_LABEL or tag == TAG_OPTION:
            button_end = max(button_end, subtree_end(page, node))
        elif tag == TAG_B or tag == TAG_STRONG:
            bold_end = max(bold_end, subtree_end(page, node))
        length = page.text_start[node + 1] - page.text_start[node]
        sums.linked[node + 1] = sums.linked[node] + (length if node < link_end else 0)
        sums.links[node + 1] = sums.links[node] + (tag == TAG_A)
        sums.bold[node + 1] = sums.bold[node] + (length if node < bold_end else 0)
        sums.pressed[node + 1] = sums.pressed[node] + (length if node < button_end else 0)
        sums.images[node + 1] = sums.images[node] + (tag == TAG_IMG)
        while block < blocks.count and blocks.start[block] < node:
            block += 1
        sums.first[node] = block
    sums.first[page.count] = blocks.count


cdef inline double link_share(const PageArrays *page, const Blocks *blocks, const Sums *sums,
                              int32_t block) noexcept nogil:
    cdef int32_t start = blocks.start[block], end = blocks.end[block]
    return <double>(sums.linked[end] - sums.linked[start]) / max(1, page.text_start[end] - page.text_start[start])


cdef void sum_blocks(const PageArrays *page, const Blocks *blocks, Sums *sums) noexcept nogil:
    """Sum up what is before each block. Prose is what has an end of a sentence, six words, and is no link."""
    cdef int32_t block
    cdef const Look *look
    cdef double share
    sums.length[0] = sums.prose[0] = sums.in_links[0] = 0
    for block in range(blocks.count):
        look = &blocks.look[block]
        share = link_share(page, blocks, sums, block)
        sums.length[block + 1] = sums.length[block] + look.length
        sums.in_links[block + 1] = sums.in_links[block] + look.length * share
        sums.prose[block + 1] = sums.prose[block] + (
            look.length if look.sentences > 0 and share < 0.5 and look.words >= 6 else 0)


cdef inline double prose_in(const PageArrays *page, const Sums *sums, int32_t node) noexcept nogil:
    return sums.prose[sums.first[subtree_end(page, node)]] - sums.prose[sums.first[node]]


cdef inline int32_t blocks_in(const PageArrays *page, const Sums *sums, int32_t node) noexcept nogil:
    return sums.first[subtree_end(page, node)] - sums.first[node]


cdef int32_t main_element(const PageArrays *page, const Sums *sums, int32_t count) noexcept nogil:
    """The deepest element that has, level by level, most of the prose."""
    cdef int32_t main = page.body, child, following
    if sums.prose[count] <= 1:
        return main
    while True:
        following = NO_NODE
        child = main + 1
        while child < subtree_end(page, main):
            if prose_in(page, sums, child) >= 0.6 * prose_in(page, sums, main):
                following = child
            child = subtree_end(page, child)
        if following == NO_NODE or page.tag[following] == TEXT or blocks_in(page, sums, following) <= 1:
            return main
        main = following


cdef void count_alike(const PageArrays *page, Around *around, int32_t *count, void *memory) noexcept nogil:
    """Count the siblings of one tag path."""
    cdef Numbers known
    cdef int32_t node, different = 0
    start_numbers(&known, memory, page.count, page.count // 2)
    memset(count, 0, page.count * sizeof(int32_t))
    around.most_alike = 0
    for node in range(page.body, page.body_end):
        if page.tag[node] != TEXT:
            around.alike[node] = number_of(&known, <uint64_t>page.parent[node], page.path_symbol[node], &different)
            count[around.alike[node]] += 1
    for node in range(page.body, page.body_end):
        if page.tag[node] != TEXT:
            around.alike[node] = count[around.alike[node]]
            around.most_alike = max(around.most_alike, around.alike[node])


cdef void look_around(const PageArrays *page, const Sums *sums, const Vocabulary *vocabulary, const Weights *weights,
                      Around *around) noexcept nogil:
    """What is around each node, from what is around its parent."""
    cdef int32_t node, above, tag, kind
    cdef int32_t sums_of_names[NAME_KINDS]
    cdef bint on_the_way
    for node in range(page.body, page.body_end):
        above = page.parent[node]
        tag = page.tag[node]
        around.flags[node] = 0 if node == page.body else around.flags[above]
        if tag == TEXT:
            continue
        if node == page.body:
            around.up[node] = NO_NODE
            around.above[node] = 0
            around.joined[node] = node
        else:
            around.up[node] = (
                above if blocks_in(page, sums, above) > blocks_in(page, sums, node) else around.up[above])
            around.above[node] = around.above[above]
            on_the_way = node <= around.main < subtree_end(page, node)
            around.joined[node] = node if on_the_way else around.joined[above]
        around.flags[node] |= vocabulary.flags[min(tag, KNOWN_TAGS)] | role_flags_of(page, node, vocabulary)
        weigh_names(page, node, vocabulary, weights, around.of_style, sums_of_names)
        around.above[node] += sums_of_names[0]
        for kind in range(4):
            around.near[4 * <size_t>node + kind] = sums_of_names[kind + 1]


cdef int32_t heading_level(const PageArrays *page, int32_t owner) noexcept nogil:
    """The level of the heading that a block is in; 0 for none."""
    cdef int32_t _above
    for _above in range(3):
        if owner == NO_NODE:
            return 0
        if TAG_H1 <= page.tag[owner] <= TAG_H6:
            return page.tag[owner] - TAG_H1 + 1
        owner = page.parent[owner]
    return 0


cdef inline double overlap(const Blocks *blocks, int32_t block) noexcept nogil:
    """How much of a block and of the title of the page is the same."""
    return <double>blocks.look[block].of_title / max(1, max(blocks.look[block].words, blocks.title_words))


cdef int32_t title_block(const Blocks *blocks, const int32_t *level) noexcept nogil:
    """The heading that is most like the title of the page, one of the first level if there is any; -1 for none."""
    cdef int32_t block, best = -1, highest = 7
    for block in range(blocks.count):
        if level[block]:
            highest = min(highest, 1 if level[block] == 1 else 6)
    for block in range(blocks.count):
        if level[block] and (highest > 1 or level[block] == 1):
            if best < 0 or overlap(blocks, block) > overlap(blocks, best):
                best = block
    return best


cdef void sum_groups(const PageArrays *page, const Blocks *blocks, const Sums *sums, Group *groups,
                     void *memory) noexcept nogil:
    """Sum up the blocks of each tag path."""
    cdef Numbers known
    cdef int32_t block, before, different = 0
    cdef const Look *look
    cdef Group *group
    memset(groups, 0, page.path_count * sizeof(Group))
    start_numbers(&known, memory, blocks.count, blocks.count)
    for block in range(blocks.count):
        look = &blocks.look[block]
        group = &groups[page.path_symbol[blocks.owner[block]]]
        group.blocks += 1
        group.length += look.length
        group.linked += look.length * link_share(page, blocks, sums, block)
        group.prose += sums.prose[block + 1] - sums.prose[block]
        before = different
        number_of(&known, <uint64_t>page.path_symbol[blocks.owner[block]], look.group, &different)
        group.texts += different > before


cdef float *own_features(const PageArrays *page, const Blocks *blocks, const Sums *sums, const int32_t *level,
                         const Around *around, const Vocabulary *vocabulary, int32_t block, float *to) noexcept nogil:
    """What the text of a block looks like, and what it stands in."""
    cdef const Look *look = &blocks.look[block]
    cdef int32_t start = blocks.start[block], end = blocks.end[block], owner = blocks.owner[block], k
    cdef double length = max(1, look.length), span = max(1, page.text_start[end] - page.text_start[start])
    to[0] = length
    to[1] = look.words
    to[2] = length / max(1, look.words)
    to[3] = link_share(page, blocks, sums, block)
    to[4] = sums.links[end] - sums.links[start]
    to[5] = look.digits / length
    to[6] = look.capitals / length
    to[7] = look.others / length
    to[8] = look.commas
    to[9] = look.sentences
    to[10] = look.ends
    to[11] = look.begins
    to[12] = look.separators
    to[13] = (sums.bold[end] - sums.bold[start]) / span
    to[14] = (sums.pressed[end] - sums.pressed[start]) / span
    to[15] = vocabulary.owners[min(page.tag[owner], KNOWN_TAGS)]
    to[16] = level[block]
    to[17] = page.depth[owner]
    for k in range(FLAGS):
        to[18 + k] = (around.flags[start] >> k) & 1
    to[39] = page.hidden[start]
    return to + 40


cdef float *place_features(const PageArrays *page, const Blocks *blocks, const Sums *sums, int32_t title,
                           int32_t block, float *to) noexcept nogil:
    """Where on the page a block stands, and how it goes with the title."""
    cdef double total = max(1, page.text_start[page.body_end] - page.text_start[page.body])
    to[0] = <double>block / blocks.count
    to[1] = sums.length[block] / total
    to[2] = <double>(blocks.start[block] - page.body) / max(1, page.size[page.body])
    to[3] = blocks.count - block
    to[4] = block
    to[5] = block - title if title >= 0 else -999
    to[6] = (sums.length[block] - sums.length[title]) / total if title >= 0 else -2
    to[7] = overlap(blocks, block)
    to[8] = <double>blocks.look[block].of_title / max(1, blocks.look[block].words)
    return to + 9


cdef float *level_features(const PageArrays *page, const Blocks *blocks, const Sums *sums, const Around *around,
                           int32_t block, float *to) noexcept nogil:
    """What the elements around a block hold, each with more blocks than the one before."""
    cdef int32_t node = blocks.owner[block], level = 0, first, end, k, depth = page.depth[node], owner = node
    cdef double length, count, whole = max(1, page.text_start[page.body_end] - page.text_start[page.body])
    cdef double all_prose = max(1, sums.prose[blocks.count]), prose
    if blocks_in(page, sums, node) <= 1:
        node = around.up[node]
    while node != NO_NODE and level < LEVELS:
        first = sums.first[node]
        end = sums.first[subtree_end(page, node)]
        count = end - first
        length = sums.length[end] - sums.length[first]
        prose = sums.prose[end] - sums.prose[first]
        to[0] = length / whole
        to[1] = (sums.in_links[end] - sums.in_links[first]) / max(1.0, length)
        to[2] = count
        to[3] = length / count
        to[4] = prose / max(1.0, length)
        to[5] = prose / all_prose
        to[6] = (block - first) / count
        to[7] = around.alike[node]
        to[8] = sums.images[subtree_end(page, node)] - sums.images[node]
        to[9] = depth - page.depth[node]
        to += LEVEL_FEATURES
        node = around.up[node]
        level += 1
    while level < LEVELS:
        for k in range(LEVEL_FEATURES):
            to[k] = to[k - LEVEL_FEATURES] if level else 0
        if not level:
            to[0] = to[5] = to[7] = 1
            to[1] = link_share(page, blocks, sums, block)
        to += LEVEL_FEATURES
        level += 1
    to[0] = around.alike[owner]
    return to + 1


cdef float *group_features(const PageArrays *page, const Group *group, float *to) noexcept nogil:
    """What the blocks of its tag path are like."""
    cdef double total = max(1, page.text_start[page.body_end] - page.text_start[page.body])
    to[0] = group.blocks
    to[1] = group.length / total
    to[2] = group.length / group.blocks
    to[3] = group.linked / max(1.0, group.length)
    to[4] = group.prose / max(1.0, group.length)
    to[5] = <double>group.texts / group.blocks
    return to + 6


cdef void page_features(const PageArrays *page, const Blocks *blocks, const Sums *sums, const Around *around,
                        const int32_t *level, float *to) noexcept nogil:
    """What the page is like."""
    cdef double total = max(1, page.text_start[page.body_end] - page.text_start[page.body])
    cdef double count = max(1, blocks.count), prose = max(1, sums.prose[blocks.count])
    cdef int32_t node, block, paragraphs = 0, items = 0, cells = 0, articles = 0
    cdef int32_t titles = 0, headings = 0, in_forms = 0
    for node in range(page.body, page.body_end):
        paragraphs += page.tag[node] == TAG_P
        items += page.tag[node] == TAG_LI
        cells += page.tag[node] == TAG_TD
        articles += page.tag[node] == TAG_ARTICLE
    for block in range(blocks.count):
        titles += level[block] == 1
        headings += level[block] > 0
        in_forms += (around.flags[blocks.start[block]] >> FLAG_FORM) & 1
    to[0] = blocks.count
    to[1] = total
    to[2] = sums.linked[page.body_end] / total
    to[3] = prose / total
    to[4] = prose
    to[5] = titles
    to[6] = headings / count
    to[7] = paragraphs / count
    to[8] = items / count
    to[9] = cells / count
    to[10] = articles
    to[11] = around.most_alike
    to[12] = sums.images[page.body_end] / count
    to[13] = in_forms / count


cdef void score(const PageArrays *page, const Blocks *blocks, const Around *around, const Weights *weights,
                int32_t block, int32_t heading, float *scores) noexcept nogil:
    """The linear part of the model: names above, names near by, words, and the words of the heading before."""
    cdef int32_t owner = blocks.owner[block], node = page.parent[blocks.start[block]], k, _inside, kind = 1
    cdef int64_t names = 0, words = 0, heads = 0
    for _inside in range(MOST_INSIDE):
        if node == owner:
            break
        if subtree_end(page, node) >= blocks.end[block]:
            names += around.near[4 * <size_t>node]
        node = page.parent[node]
    node = owner
    while kind < 4 and node >= page.body:
        names += around.near[4 * <size_t>node + kind]
        node = page.parent[node]
        kind += 1
    for k in range(blocks.look[block].word_buckets):
        words += weights.words[blocks.word_bucket[<size_t>block * TEXT_BUCKETS + k]]
    if heading >= 0:
        for k in range(blocks.look[heading].head_buckets):
            heads += weights.heads[blocks.head_bucket[<size_t>heading * HEAD_BUCKETS + k]]
    scores[0] = weights.scale[0] * around.above[owner] + weights.intercept[0]
    scores[1] = weights.scale[1] * names + weights.intercept[1]
    scores[2] = weights.scale[2] * words + weights.intercept[2]
    scores[3] = weights.scale[3] * heads + weights.intercept[3]


cdef void neighbour_features(const float *features, int32_t block, int32_t other, int32_t count,
                             float *to) noexcept nogil:
    """What a block knows of another one."""
    cdef const float *of_other = features + <size_t>other * FEATURES
    cdef int32_t k
    if not 0 <= other < count:
        for k in range(NEIGHBOUR_FEATURES):
            to[k] = 0
        return
    to[0] = of_other[LENGTH]
    to[1] = of_other[WORDS]
    to[2] = of_other[LINKED]
    to[3] = of_other[SENTENCES]
    to[4] = of_other[OWNER]
    to[5] = of_other[HEADING]
    for k in range(SCORES):
        to[6 + k] = of_other[OWN_FEATURES + k]


cdef size_t size_of_features(const PageArrays *page) noexcept nogil:
    """Bytes that `make_features` takes of a block of memory, at most."""
    cdef size_t nodes = page.count + 1
    return (
        nodes * ((17 + NAME_KINDS + 1) * sizeof(int32_t) + 3 * sizeof(double))
        + 2 * size_of_numbers(nodes) + page.path_count * sizeof(Group) + 30 * 16
    )


cdef void make_features(const PageArrays *page, const Blocks *blocks, const Vocabulary *words, const Weights *weights,
                        const float *address, float *features, char **at) noexcept nogil:
    """Write the features of all blocks, FEATURES for each. `address` has those of the page's own address."""
    cdef int32_t nodes = page.count + 1, block, k, heading = -1, title, other, count = blocks.count
    cdef Sums sums
    cdef Around around
    cdef Group *groups
    cdef Group *group
    cdef float *to
    cdef float *page_part
    cdef double total = max(1, page.text_start[page.body_end] - page.text_start[page.body]), weight, sum_of_words = 0
    cdef double mean[SCORES]
    cdef double by_words[SCORES]
    cdef int32_t *level
    cdef void *memory
    if not count:
        return
    sums.linked = numbers(at, nodes)
    sums.links = numbers(at, nodes)
    sums.bold = numbers(at, nodes)
    sums.pressed = numbers(at, nodes)
    sums.images = numbers(at, nodes)
    sums.first = numbers(at, nodes)
    sums.length = <double *>piece(at, (count + 1) * sizeof(double))
    sums.prose = <double *>piece(at, (count + 1) * sizeof(double))
    sums.in_links = <double *>piece(at, (count + 1) * sizeof(double))
    around.flags = numbers(at, nodes)
    around.up = numbers(at, nodes)
    around.joined = numbers(at, nodes)
    around.alike = numbers(at, nodes)
    around.above = numbers(at, nodes)
    around.near = numbers(at, 4 * <size_t>nodes)
    around.of_style = numbers(at, (NAME_KINDS + 1) * <size_t>nodes)
    level = numbers(at, nodes)
    groups = <Group *>piece(at, page.path_count * sizeof(Group))
    memory = piece(at, size_of_numbers(nodes))
    memset(around.of_style, 0, (NAME_KINDS + 1) * <size_t>nodes * sizeof(int32_t))

    sum_nodes(page, blocks, &sums)
    sum_blocks(page, blocks, &sums)
    around.main = main_element(page, &sums, count)
    count_alike(page, &around, level, memory)
    look_around(page, &sums, words, weights, &around)
    for block in range(count):
        level[block] = heading_level(page, blocks.owner[block])
    title = title_block(blocks, level)
    sum_groups(page, blocks, &sums, groups, memory)
    for k in range(SCORES):
        mean[k] = by_words[k] = 0

    for block in range(count):
        to = features + <size_t>block * FEATURES
        group = &groups[page.path_symbol[blocks.owner[block]]]
        to = own_features(page, blocks, &sums, level, &around, words, block, to)
        to = place_features(page, blocks, &sums, title, block, to)
        to = level_features(page, blocks, &sums, &around, block, to)
        to = group_features(page, group, to)
        other = around.joined[blocks.owner[block]]
        to[0] = around.main <= blocks.start[block] < subtree_end(page, around.main)
        to[1] = page.depth[around.main] - page.depth[other]
        to[2] = <double>(blocks.start[block] - around.main) / max(1, page.size[around.main])
        to[3] = block - heading if heading >= 0 else 999
        to[4] = level[heading] if heading >= 0 else 0
        to[5] = (sums.length[block] - sums.length[heading]) / total if heading >= 0 else 1
        to[6] = blocks.look[block].copies
        to += 7
        score(page, blocks, &around, weights, block, heading, to)
        weight = blocks.look[block].words + 1
        group.weight += weight
        sum_of_words += weight - 1
        for k in range(SCORES):
            group.scores[k] += weight * to[k]
            mean[k] += to[k]
            by_words[k] += (weight - 1) * to[k]
        if level[block]:
            heading = block

    page_part = features + OWN_FEATURES + SCORES + NEIGHBOURS * NEIGHBOUR_FEATURES + 2 + SCORES
    page_features(page, blocks, &sums, &around, level, page_part)
    for k in range(ADDRESS_FEATURES):
        page_part[14 + k] = address[k]
    for k in range(SCORES):
        page_part[14 + ADDRESS_FEATURES + k] = mean[k] / count
        page_part[14 + ADDRESS_FEATURES + SCORES + k] = by_words[k] / max(1.0, sum_of_words)
    for block in range(count):
        to = features + <size_t>block * FEATURES + OWN_FEATURES + SCORES
        for k in range(NEIGHBOURS):
            neighbour_features(features, block, block + (-1 - k if k < 2 else k - 1), count, to)
            to += NEIGHBOUR_FEATURES
        group = &groups[page.path_symbol[blocks.owner[block]]]
        to[0] = block > 0 and page.path_symbol[blocks.owner[block - 1]] == page.path_symbol[blocks.owner[block]]
        to[1] = block + 1 < count and page.path_symbol[blocks.owner[block + 1]] == page.path_symbol[blocks.owner[block]]
        for k in range(SCORES):
            to[2 + k] = group.scores[k] / group.weight
        if block:
            for k in range(14 + ADDRESS_FEATURES + 2 * SCORES):
                to[2 + SCORES + k] = page_part[k]
