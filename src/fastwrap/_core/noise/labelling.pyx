"""Labelling: blocks of a page, their features, and how likely each is content, in one native call.
The model is linear in the names and words of a page; regression trees weigh that with all else (Friedman 2001)."""

from libc.math cimport INFINITY, exp, isfinite
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.buffers cimport data_of, held, held_numbers
from fastwrap._core.common.names cimport KNOWN_TAGS
from fastwrap._core.common.page cimport NativePage, PageArrays
from fastwrap._core.common.scratch cimport put_back, take
from fastwrap._core.noise.blocks cimport HEAD_BUCKETS, TEXT_BUCKETS, Blocks, find_blocks, size_of_blocks
from fastwrap._core.noise.features cimport (
    ADDRESS_FEATURES,
    FEATURES,
    LINKED,
    MOST_BUCKETS,
    NAME_KINDS,
    SCORES,
    SENTENCES,
    WORDS,
    Vocabulary,
    Weights,
    make_features,
    names_of,
    size_of_features,
)
from fastwrap._core.page.symbols cimport need_symbols

import numpy as np

cdef enum:
    BUCKETS = 32768
    STEPS = 1024            # of the probabilities among which the best limit is looked for
    DEPTH = 6               # of a tree, at most ...
    MOST_NODES = (2 << DEPTH) - 1   # ... so that no tree needs more
    BATCH = 32              # blocks at a time
    ROUND = 30              # trees after which settled blocks are left out
    SETTLED = 3             # odds (their logarithm), for or against: later trees hardly ever change that
    LEAST_COPIED = 6        # words of a block that is left out where the same one was before


cdef struct Node:
    float threshold         # infinite for a leaf
    int16_t feature
    int16_t left            # up to the threshold; above it, the node after that. Of a leaf, itself


cdef class Classifier:
    """A model, checked once, as the kernels take it."""

    cdef Vocabulary vocabulary
    cdef Weights weights
    cdef const Node *nodes
    cdef const float *values    # what the leaves add
    cdef const int32_t *roots
    cdef int32_t trees
    cdef double base
    cdef readonly object parts  # what all these point into

    def __cinit__(self, vocabulary not None, weights not None, trees not None):
        cdef Py_ssize_t k
        cdef const int32_t *row
        self.parts = (tuple(vocabulary), tuple(weights), tuple(trees))
        self.vocabulary.begins = <const uint8_t *>held(vocabulary.begins, KNOWN_TAGS + 1, 1)
        self.vocabulary.flags = held_numbers(vocabulary.flags, KNOWN_TAGS + 1)
        self.vocabulary.owners = held_numbers(vocabulary.owners, KNOWN_TAGS + 1)
        self.vocabulary.tag_buckets = held_numbers(vocabulary.tag_buckets, KNOWN_TAGS + 1)
        self.vocabulary.roles = <int32_t>len(vocabulary.role)
        self.vocabulary.role = <const uint64_t *>held(vocabulary.role, self.vocabulary.roles, sizeof(uint64_t))
        self.vocabulary.role_flags = held_numbers(vocabulary.role_flags, self.vocabulary.roles)
        row = self.vocabulary.tag_buckets
        for k in range(KNOWN_TAGS + 1):
            if not 0 <= row[k] < BUCKETS:
                raise ValueError("a tag has no place among the weights")
        self.weights.names = <const int8_t *>held(weights.names, BUCKETS * NAME_KINDS, 1)
        self.weights.words = <const int8_t *>held(weights.words, BUCKETS, 1)
        self.weights.heads = <const int8_t *>held(weights.heads, BUCKETS, 1)
        for k in range(SCORES):
            self.weights.intercept[k] = weights.intercepts[k]
            self.weights.scale[k] = weights.scales[k]
            if not isfinite(self.weights.intercept[k]) or not isfinite(self.weights.scale[k]):
                raise ValueError("a weight is not finite")
        self.take_trees(trees)

    cdef int take_trees(self, trees) except -1:
        """Check the trees: every path from a root ends in a leaf."""
        cdef int32_t tree, node, first, end, left
        cdef Py_ssize_t count = len(trees.thresholds)
        cdef const float *thresholds = <const float *>held(trees.thresholds, count, sizeof(float))
        cdef const int16_t *features = <const int16_t *>held(trees.features, count, sizeof(int16_t))
        cdef const int16_t *lefts = <const int16_t *>held(trees.lefts, count, sizeof(int16_t))
        cdef Node *nodes
        cdef int32_t *levels
        self.trees = <int32_t>len(trees.roots) - 1
        self.roots = held_numbers(trees.roots, self.trees + 1)
        self.base = trees.base
        packed = np.empty(count, np.dtype([("threshold", "<f4"), ("feature", "<i2"), ("left", "<i2")]))
        below = np.zeros(count, np.int32)
        self.parts += (packed,)
        self.values = thresholds
        levels = <int32_t *>data_of(below)
        if self.trees < 0 or self.roots[0] != 0 or self.roots[self.trees] != count or not isfinite(self.base):
            raise ValueError("the trees do not cover their nodes")
        nodes = <Node *>data_of(packed)
        self.nodes = nodes
        for tree in range(self.trees):
            first = self.roots[tree]
            end = self.roots[tree + 1]
            if not 0 <= first < end <= count:
                raise ValueError(f"tree {tree} has no nodes")
            if end - first > MOST_NODES:
                raise ValueError(f"tree {tree} has more than {MOST_NODES} nodes")
            for node in range(first, end):
                left = first + lefts[node]
                if not isfinite(thresholds[node]):
                    raise ValueError(f"tree {tree} has a number that is not finite")
                if features[node] >= FEATURES:
                    raise ValueError(f"tree {tree} asks for a feature that there is not")
                if features[node] < 0:
                    nodes[node] = Node(INFINITY, 0, <int16_t>(node - first))
                    continue
                # Later nodes alone, so that no path is endless.
                if not node < left < end - 1 or levels[node] >= DEPTH:
                    raise ValueError(f"tree {tree} has a branch that leads nowhere")
                levels[left] = max(levels[left], levels[node] + 1)
                levels[left + 1] = max(levels[left + 1], levels[node] + 1)
                nodes[node] = Node(thresholds[node], features[node], lefts[node])
        return 0


cdef inline int32_t step_down(const Node *root, const float *features, int32_t node) noexcept nogil:
    return root[node].left + (features[root[node].feature] > root[node].threshold)


cdef void add_tree(const Node *root, const float *values, const float *features, const int32_t *blocks,
                   int32_t count, double *odds) noexcept nogil:
    """Add what a tree says of some blocks. Four go down at once, since each has to wait for its memory; a leaf leads to
    itself, so that all take the same number of steps, and a processor has nothing to guess."""
    cdef int32_t k = 0, _step, a, b, c, d
    cdef const float *one
    cdef const float *two
    cdef const float *three
    cdef const float *four
    while k + 4 <= count:
        one = features + <size_t>blocks[k] * FEATURES
        two = features + <size_t>blocks[k + 1] * FEATURES
        three = features + <size_t>blocks[k + 2] * FEATURES
        four = features + <size_t>blocks[k + 3] * FEATURES
        a = b = c = d = 0
        for _step in range(DEPTH):
            a = step_down(root, one, a)
            b = step_down(root, two, b)
            c = step_down(root, three, c)
            d = step_down(root, four, d)
        odds[blocks[k]] += values[a]
        odds[blocks[k + 1]] += values[b]
        odds[blocks[k + 2]] += values[c]
        odds[blocks[k + 3]] += values[d]
        k += 4
    while k < count:
        one = features + <size_t>blocks[k] * FEATURES
        a = 0
        for _step in range(DEPTH):
            a = step_down(root, one, a)
        odds[blocks[k]] += values[a]
        k += 1


cdef void add_trees(Classifier model, const float *features, int32_t count, double *odds) noexcept nogil:
    """Add what the trees say of all blocks, of BATCH at a time, whose features stay in the nearest cache. Blocks that
    are settled are asked no further."""
    cdef int32_t open[BATCH]
    cdef int32_t first = 0, tree, k, asked, left
    while first < count:
        left = min(BATCH, count - first)
        for k in range(left):
            open[k] = first + k
        for tree in range(model.trees):
            if tree and tree % ROUND == 0:
                asked = left
                left = 0
                for k in range(asked):
                    if -SETTLED < odds[open[k]] < SETTLED:
                        open[left] = open[k]
                        left += 1
                if not left:
                    break
            add_tree(model.nodes + model.roots[tree], model.values + model.roots[tree], features, open, left, odds)
        first += BATCH


cdef double best_limit(const Blocks *blocks, const float *probability) noexcept nogil:
    """The probability from which on blocks are kept, so that the F1 over words that is to be expected is the highest:
    half of that F1 (Lipton et al. 2014), and never more than one half."""
    cdef double words[STEPS]
    cdef double likely[STEPS]
    cdef double all_likely = 0, kept = 0, found = 0, best = 0, of_block
    cdef int32_t block, step
    memset(words, 0, sizeof(words))
    memset(likely, 0, sizeof(likely))
    for block in range(blocks.count):
        of_block = blocks.look[block].words
        step = min(STEPS - 1, <int32_t>(probability[block] * STEPS))
        words[step] += of_block
        likely[step] += of_block * probability[block]
        all_likely += of_block * probability[block]
    for step in range(STEPS - 1, -1, -1):
        kept += words[step]
        found += likely[step]
        if kept + all_likely > 0:
            best = max(best, 2 * found / (kept + all_likely))
    return min(best / 2, 0.5)


cdef void keep(const Blocks *blocks, const float *probability, uint8_t *seen, uint8_t *kept) noexcept nogil:
    """Which blocks are content: those that are likely enough; of long ones with the same text, the first."""
    cdef double limit = best_limit(blocks, probability)
    cdef int32_t block
    memset(seen, 0, blocks.count)
    for block in range(blocks.count):
        kept[block] = probability[block] > limit
        if kept[block] and blocks.look[block].words >= LEAST_COPIED:
            kept[block] = not seen[blocks.look[block].group]
            seen[blocks.look[block].group] = True


cdef tuple counts_of(const Blocks *blocks, const float *features, const uint8_t *kept):
    """Words of all blocks, of those that are content, and of those of them that are prose."""
    cdef int32_t block
    cdef const float *row
    cdef int64_t words = 0, content = 0, prose = 0
    for block in range(blocks.count):
        row = features + <size_t>block * FEATURES
        words += blocks.look[block].words
        if kept[block]:
            content += blocks.look[block].words
            if row[SENTENCES] > 0 and row[LINKED] < 0.5 and row[WORDS] >= 6:
                prose += blocks.look[block].words
    return words, content, prose


cdef object spans_of(const Blocks *blocks):
    """The first and the end of all blocks, as arrays."""
    starts, ends = np.empty(blocks.count, np.int32), np.empty(blocks.count, np.int32)
    cdef int32_t *start = <int32_t *>data_of(starts)
    cdef int32_t *end = <int32_t *>data_of(ends)
    cdef int32_t block
    for block in range(blocks.count):
        start[block] = blocks.start[block]
        end[block] = blocks.end[block]
    return starts, ends


cdef int open_address(address, float *features) except -1:
    """The features of the page's own address."""
    cdef Py_ssize_t k
    if len(address) != ADDRESS_FEATURES:
        raise ValueError(f"an address has {ADDRESS_FEATURES} features")
    for k in range(ADDRESS_FEATURES):
        features[k] = address[k]
    return 0


def features(NativePage native not None, Classifier model not None, tuple address not None):
    """The blocks of a page and their features; see `labelling.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Blocks blocks
    cdef float of_address[ADDRESS_FEATURES]
    cdef char *at
    cdef void *block
    cdef float *to
    open_address(address, of_address)
    need_symbols(native)
    block = at = <char *>take(size_of_blocks(page) + size_of_features(page))
    try:
        with nogil:
            find_blocks(page, model.vocabulary.begins, &blocks, &at)
        found = np.empty((blocks.count, FEATURES), np.float32)
        to = <float *>data_of(found)
        with nogil:
            make_features(page, &blocks, &model.vocabulary, &model.weights, of_address, to, &at)
        starts, ends = spans_of(&blocks)
        return starts, ends, found
    finally:
        put_back(block)


def label(NativePage native not None, Classifier model not None, tuple address not None):
    """The blocks of a page, which are content, and how likely each is; see `labelling.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Blocks blocks
    cdef float of_address[ADDRESS_FEATURES]
    cdef char *at
    cdef void *block
    cdef void *second = NULL
    cdef float *all_features
    cdef float *likely
    cdef double *odds
    cdef uint8_t *seen
    cdef uint8_t *chosen
    cdef int32_t k
    open_address(address, of_address)
    need_symbols(native)
    block = at = <char *>take(size_of_blocks(page) + size_of_features(page))
    try:
        with nogil:
            find_blocks(page, model.vocabulary.begins, &blocks, &at)
            second = take(<size_t>blocks.count * (FEATURES * sizeof(float) + sizeof(double) + 1) + 64)
        probability, kept = np.empty(blocks.count, np.float32), np.empty(blocks.count, np.bool_)
        likely = <float *>data_of(probability)
        chosen = <uint8_t *>data_of(kept)
        with nogil:
            odds = <double *>second
            all_features = <float *>(odds + blocks.count)
            seen = <uint8_t *>(all_features + <size_t>blocks.count * FEATURES)
            make_features(page, &blocks, &model.vocabulary, &model.weights, of_address, all_features, &at)
            for k in range(blocks.count):
                odds[k] = model.base
            add_trees(model, all_features, blocks.count, odds)
            for k in range(blocks.count):
                likely[k] = <float>(1 / (1 + exp(-odds[k])))
            keep(&blocks, likely, seen, chosen)
        starts, ends = spans_of(&blocks)
        return starts, ends, kept, probability, counts_of(&blocks, all_features, chosen)
    finally:
        put_back(block)
        if second != NULL:
            put_back(second)


def evidence(NativePage native not None, Classifier model not None):
    """What the linear part of a model is fitted on; see `labelling.pyi`."""
    cdef const PageArrays *page = &native.arrays
    cdef Blocks blocks
    cdef int32_t buckets[MOST_BUCKETS]
    cdef char *at
    cdef void *memory
    cdef int32_t block, k, count, node
    need_symbols(native)
    memory = at = <char *>take(size_of_blocks(page))
    try:
        with nogil:
            find_blocks(page, model.vocabulary.begins, &blocks, &at)
        words = [
            [blocks.word_bucket[block * TEXT_BUCKETS + k] for k in range(blocks.look[block].word_buckets)]
            for block in range(blocks.count)
        ]
        heads = [
            [blocks.head_bucket[block * HEAD_BUCKETS + k] for k in range(blocks.look[block].head_buckets)]
            for block in range(blocks.count)
        ]
        names = []
        for node in range(page.count):
            count = names_of(page, node, &model.vocabulary, buckets) if page.tag[node] else 0
            names.append([buckets[k] for k in range(count)])
        owners = [blocks.owner[block] for block in range(blocks.count)]
        starts, ends = spans_of(&blocks)
        return starts, ends, owners, words, heads, names
    finally:
        put_back(memory)
