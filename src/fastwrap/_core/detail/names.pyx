"""Names: what the class names, ids and roles of elements mean for a page about one thing, by the words in them.
One pass over the attributes; a word is looked up by its hash in a sorted table."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.names cimport ATTRIBUTE_CLASS, ATTRIBUTE_ID, ATTRIBUTE_ROLE, TEXT
from fastwrap._core.common.page cimport (
    NativePage, PageArrays, Spans, Tokens, next_token, open_spans, subtree_end, tokens_of
)

cdef enum:
    # What words are, as bits.
    IS_BESIDE = 1           # beside the point
    IS_ELSEWHERE = 2        # of a name that says something of another thing
    IS_CONTENT = 4          # a part of the thing all the same
    IS_KEPT = 8             # a part of the thing wherever it stands
    IS_STRONG = 16          # beside the point whatever stands with it
    IS_OTHER = 32           # about other things of its kind
    IS_INGREDIENT = 64
    IS_INSTRUCTION = 128
    IS_UNSEEN = 256         # a whole name: only screen readers read it
    IS_ROLE = 512           # a whole role: navigation and its like
    IS_OPENING = 1024       # what the headings begin with that other things of its kind stand below

    # What names mean: where an element stands, and, above these bits, what it has.
    ASIDE = 1
    HIDDEN = 2
    PART = 3
    OTHER = 4
    HAS_INGREDIENTS = 8
    HAS_INSTRUCTIONS = 16

    MOST_TOKENS = 12
    MOST_BYTES = 80         # of a token that are read
    SLOTS = 4096            # a power of 2, many times the number of words
    MOST_WORDS = 5          # of a token that says that something is beside the point

cdef uint64_t SEED = 14695981039346656037u      # FNV-1a (Fowler, Noll, Vo 1991)
cdef uint64_t FACTOR = 1099511628211u


cdef struct Words:
    int32_t count
    const uint64_t *hashes  # [count] sorted
    const int32_t *bits     # [count] what each word is
    unsigned char may_be[SLOTS]     # by the last bits of a hash: whether any word has these


cdef int32_t bits_of(const Words *words, uint64_t hash) noexcept nogil:
    """What a word is; 0 for an unknown one."""
    cdef int32_t low = 0, high = words.count, middle
    if not words.may_be[hash & (SLOTS - 1)]:
        return 0
    while low < high:
        middle = (low + high) >> 1
        if words.hashes[middle] < hash:
            low = middle + 1
        else:
            high = middle
    return words.bits[low] if low < words.count and words.hashes[low] == hash else 0


cdef uint64_t hash_of(const unsigned char *at, int32_t length) noexcept nogil:
    """The hash of a whole token."""
    cdef uint64_t hash = SEED
    cdef int32_t k
    for k in range(length):
        hash = (hash ^ at[k]) * FACTOR
    return hash


cdef int32_t read_token(const Words *words, const unsigned char *at, int32_t length, int32_t *has) noexcept nogil:
    """What the words of a token are, all together; `has` is set by the first that says what an element has."""
    cdef int32_t k, found = 0, count = 0, bits
    cdef uint64_t hash = SEED
    cdef unsigned char byte
    cdef bint in_word = False, was_small = False, is_small, is_letter
    for k in range(length + 1):
        byte = at[k] if k < length else 0
        is_small = 97 <= byte <= 122
        is_letter = is_small or 65 <= byte <= 90
        if in_word and (not is_letter or (was_small and not is_small)):
            bits = bits_of(words, hash)
            found |= bits
            count += 1
            if has[0] == 0 and bits & (IS_INGREDIENT | IS_INSTRUCTION):
                has[0] = HAS_INGREDIENTS if bits & IS_INGREDIENT else HAS_INSTRUCTIONS
            hash = SEED
            in_word = False
        if is_letter:
            hash = (hash ^ (byte | 32)) * FACTOR
            in_word = True
        was_small = is_small
    if found & IS_ELSEWHERE or count > MOST_WORDS:
        found &= ~IS_BESIDE
    return found & ~(IS_UNSEEN | IS_ROLE | IS_OPENING)


cdef int32_t meaning_of(const PageArrays *page, int32_t entry, const Words *words) noexcept nogil:
    """What the value of a class, an id or a role means."""
    cdef Tokens tokens = tokens_of(page, entry)
    cdef int32_t count = 0, length, found = 0, has = 0, whole
    cdef bint is_role = page.attribute_name[entry] == ATTRIBUTE_ROLE
    while count < MOST_TOKENS and next_token(&tokens):
        count += 1
        length = min(tokens.length, MOST_BYTES)
        whole = bits_of(words, hash_of(tokens.token, length))
        if is_role:
            if whole & IS_ROLE:
                return ASIDE
        elif whole & IS_UNSEEN:
            return HIDDEN
        else:
            found |= read_token(words, tokens.token, length, &has)
    if found & IS_KEPT:
        return PART | has
    if found & IS_BESIDE and (not found & IS_CONTENT or found & IS_STRONG):
        return (OTHER if found & IS_OTHER else ASIDE) | has
    return has


cdef int open_words(Words *words, hashes, bits) except -1:
    """Look at a table of words."""
    cdef const uint64_t[::1] all_hashes = hashes
    cdef const int32_t[::1] all_bits = bits
    cdef int32_t place
    if all_hashes.shape[0] != all_bits.shape[0] or all_hashes.shape[0] == 0:
        raise ValueError("there are as many hashes as bits, and at least one")
    words.count = <int32_t>all_hashes.shape[0]
    words.hashes = &all_hashes[0]
    words.bits = &all_bits[0]
    memset(words.may_be, 0, SLOTS)
    for place in range(words.count):
        words.may_be[words.hashes[place] & (SLOTS - 1)] = 1
    return 0


cdef inline bint says_something(int32_t name) noexcept nogil:
    """Whether an attribute is one whose words are read."""
    return name == ATTRIBUTE_CLASS or name == ATTRIBUTE_ID or name == ATTRIBUTE_ROLE


def meanings(NativePage native not None, hashes not None, bits not None):
    """The nodes whose class, id or role means something, and what it means; a node may be there several times."""
    cdef const PageArrays *page = &native.arrays
    cdef Words words
    cdef int32_t node, entry, meaning
    cdef list nodes = [], found = []
    open_words(&words, hashes, bits)
    for node in range(page.body + 1, page.body_end):
        for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
            if says_something(page.attribute_name[entry]):
                meaning = meaning_of(page, entry, &words)
                if meaning:
                    nodes.append(node)
                    found.append(meaning)
    return nodes, found


cdef bint opens(const PageArrays *page, int32_t node, const Words *words) noexcept nogil:
    """Whether a text begins with one of the words that are sought; or with a letter that is not ASCII, which is not
    looked up."""
    cdef const unsigned char *at = page.text + page.text_start[node]
    cdef const unsigned char *end = page.text + page.text_start[node + 1]
    cdef uint64_t hash = SEED
    while at < end and at[0] < 128 and not (65 <= at[0] <= 90 or 97 <= at[0] <= 122):
        at += 1
    if at == end:
        return False
    while at < end and (65 <= at[0] <= 90 or 97 <= at[0] <= 122):
        hash = (hash ^ (at[0] | 32)) * FACTOR
        at += 1
    return (at < end and at[0] >= 128) or bits_of(words, hash) & IS_OPENING != 0


cdef bint is_set_apart(const PageArrays *page, int32_t node, const uint8_t *apart, int32_t last) noexcept nogil:
    """Whether a text stands in an element that sets it apart."""
    node = page.parent[node]
    while node > page.body:
        if apart[min(page.tag[node], last)]:
            return True
        node = page.parent[node]
    return False


def others_around(NativePage native not None, spans not None, hashes not None, bits not None, apart not None):
    """What may say that records are about other things; see `names.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef const uint8_t[::1] by_tag = apart
    cdef Spans records
    cdef Words words
    cdef int32_t node, entry, first, end
    cdef bint is_named = False
    cdef list nodes = []
    open_words(&words, hashes, bits)
    open_spans(&records, spans, page)
    if by_tag.shape[0] == 0:
        raise ValueError("no tags are told apart")
    if records.count == 0:
        return False, nodes
    first, end = records.bounds[0], records.bounds[2 * records.count - 1]
    for node in range(page.body + 1, end):
        if page.tag[node] == TEXT:
            if opens(page, node, &words) and is_set_apart(page, node, &by_tag[0], <int32_t>by_tag.shape[0] - 1):
                nodes.append(node)
        elif subtree_end(page, node) > first:
            for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
                if says_something(page.attribute_name[entry]):
                    is_named = is_named or meaning_of(page, entry, &words) & (HAS_INGREDIENTS - 1) == OTHER
    return is_named, nodes


def hash_of_word(bytes word not None):
    """The hash of a word, as `meanings` has it in its table."""
    return hash_of(word, <int32_t>len(word))
