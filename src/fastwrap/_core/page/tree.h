/* What the reader keeps of a page while it reads it: nodes, attributes, names and open elements, in one arena.
   A step that cannot go on (no memory, a limit) leaves by `fail`, so that no other has to look for that. */
#ifndef FASTWRAP_TREE_H
#define FASTWRAP_TREE_H

#include <setjmp.h>
#include <stdlib.h>

#include "scan.h"
#include "tables.h"

enum {
    NO_NODE = -1,
    DOCUMENT = 0,                  /* the node above the root */
    /* names: a number of tables.h, or CUSTOM and a place among the names of the page; then the namespace */
    CUSTOM = 1 << 27,
    SVG_NAMESPACE = 1 << 28,
    MATH_NAMESPACE = 2 << 28,
    NAMESPACE = 3 << 28,
    /* and what nodes have that are no elements: texts have TEXT_NODE */
    COMMENT = CUSTOM - 1,
    DOCTYPE = CUSTOM - 2,
    CONTINUES = 1 << 30,           /* flag of a text: it goes on with what the text before it says */
    /* why reading ended early */
    OUT_OF_MEMORY = 1,
    TOO_LARGE = 2,
    TOO_DEEP = 3,
    TOO_MANY = 4,
    TOO_LABORIOUS = 5,
    /* limits: see SECURITY.md */
    MOST_OPEN = 50000,             /* open elements, so levels of the tree */
    FREE_COPIES = 1 << 25,         /* bytes of elements that are opened again, and ... */
    COPIES_A_BYTE = 64,            /* ... these for every byte of the page */
    FEW_ATTRIBUTES = 24            /* of a tag: up to so many, each is compared with all before */
};
#define MOST_WORK 250000000LL      /* steps of searches */
#define BESIDE 0x80000000U         /* flag of a position: not in the page, but in the buffer beside it */
#define PARAGRAPH_OPEN 0x80000000U /* flag of the bits of an open element: a p is in button scope */

typedef struct {
    int32_t parent, first, last, next, prev;
    uint32_t name;
    uint32_t at;                   /* of a text or comment: where it is; of an element: its first attribute ... */
    uint32_t length;               /* ... and how many it has */
} Node;

typedef struct {
    uint32_t name;
    uint32_t at, length;           /* of its value */
} Attribute;

typedef struct {
    int32_t node;
    uint32_t name;
    uint32_t bits;
} Open;

typedef struct {
    uint32_t hash, at, length;     /* in the buffer beside */
} Name;

typedef struct {
    Name *names;
    int32_t *slots;                /* open addressing: places of names, from 1 */
    int32_t count, capacity;       /* twice as many slots; a power of two */
} Names;

typedef struct {
    uint32_t name;
    bool self_closing;
    int32_t first;                 /* its attributes are the last ones of the page, from here on */
} Tag;

typedef struct {
    jmp_buf *leave;
    const byte *html, *end;
    Node *nodes;
    int32_t count, capacity;
    Attribute *attributes;
    int32_t attribute_count, attribute_capacity;
    byte *beside;                  /* names in lower case, and texts and values that are not as in the page */
    size_t beside_length, beside_capacity;
    Names tags, attribute_names;
    /* names of attributes, by the mark of the last tag with many of them that had one */
    uint32_t *seen;
    int32_t seen_capacity;
    uint32_t seen_mark;
    Open *stack;
    int32_t depth, stack_capacity;
    Open *formatting;              /* the list of active formatting elements; a marker has no node */
    int32_t formats, format_capacity;
    byte *template_modes;
    int32_t templates, template_capacity;
    byte mode;
    byte content;                  /* how the text behind a start tag is read: KIND of reading in tokenizer.h */
    bool quirks, foster, frameset_ok, skips_newline;
    int32_t head, form;
    int64_t work, copied, most_copied;
    byte *recorded;                /* tokens instead of a tree, for tests */
    size_t recorded_length, recorded_capacity;
    bool records;
} Reader;

NEVER_INLINE void fail(Reader *r, int why) {
    longjmp(*r->leave, why);
}

ALWAYS_INLINE void count_work(Reader *r, int64_t steps) {
    r->work += steps;
    if (UNLIKELY(r->work > MOST_WORK)) fail(r, TOO_LABORIOUS);
}

/* Room for `wanted` of something, and for as many again. */
NEVER_INLINE void *grown(Reader *r, void *block, size_t wanted, size_t size) {
    void *moved = wanted > SIZE_MAX / 2 / size ? NULL : realloc(block, wanted * size);
    if (moved == NULL) fail(r, OUT_OF_MEMORY);
    return moved;
}

#define MAKE_ROOM(r, array, count, room) \
    do { \
        if (UNLIKELY((count) == (room))) { \
            (array) = grown(r, array, 2 * (size_t)(room) + 16, sizeof *(array)); \
            (room) = 2 * (room) + 16; \
        } \
    } while (0)

/* Room beside the page for so many more bytes; they count when `beside_length` says so. */
ALWAYS_INLINE byte *room_beside(Reader *r, size_t bytes) {
    size_t wanted = r->beside_length + bytes + 16;
    if (UNLIKELY(wanted > r->beside_capacity)) {
        if (wanted > INT32_MAX) fail(r, TOO_LARGE);
        r->beside = grown(r, r->beside, 2 * wanted, 1);
        r->beside_capacity = 2 * wanted;
    }
    return r->beside + r->beside_length;
}

ALWAYS_INLINE const byte *bytes_at(const Reader *r, uint32_t at) {
    return at & BESIDE ? r->beside + (at ^ BESIDE) : r->html + at;
}

/* Names */

/* The short names of a table: open addressing, small enough to stay close to the processor. */
enum { KNOWN_BITS = 10, KNOWN_SLOTS = 1 << KNOWN_BITS, SHORT_NAME = 16, MOST_KNOWN = 255 };
typedef struct {
    byte slots[KNOWN_SLOTS];       /* numbers, from 1 */
    uint64_t words[MOST_KNOWN][2];
} Known;
static Known KNOWN_TAGS, KNOWN_ATTRIBUTES;
typedef char tables_are_small[(int)TAG_COUNT <= (int)MOST_KNOWN && (int)ATTRIBUTE_COUNT <= (int)MOST_KNOWN ? 1 : -1];
static const byte NAME_MASKS[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

/* A hash of a short name; its highest bits are the best. By these factors few names of the tables are at one place. */
ALWAYS_INLINE uint64_t mixed(uint64_t low, uint64_t high) {
    return low * 0x202430C6329BA921ULL + high * 0x2FDB934A03766BE9ULL;
}

ALWAYS_INLINE uint32_t known_name(const Known *known, uint64_t low, uint64_t high) {
    size_t slot = (size_t)(mixed(low, high) >> (64 - KNOWN_BITS));
    for (; known->slots[slot]; slot = (slot + 1) % KNOWN_SLOTS) {
        uint32_t number = known->slots[slot] - 1u;
        if (LIKELY(known->words[number][0] == low && known->words[number][1] == high)) return number;
    }
    return CUSTOM;
}

static void enter_known(Known *known, const char *const *names, uint32_t count) {
    for (uint32_t number = 0; number < count; number++) {
        uint64_t words[2] = {0, 0};
        size_t slot, length = strlen(names[number]);
        if (length > SHORT_NAME) continue;
        memcpy(words, names[number], length);
        slot = (size_t)(mixed(words[0], words[1]) >> (64 - KNOWN_BITS));
        while (known->slots[slot]) slot = (slot + 1) % KNOWN_SLOTS;
        known->slots[slot] = (byte)(number + 1);
        known->words[number][0] = words[0];
        known->words[number][1] = words[1];
    }
}

/* Fills the tables; once, before anything is read. */
static void begin_reading(void) {
    if (KNOWN_TAGS.words[TAG_HTML][0]) return;
    enter_known(&KNOWN_TAGS, TAG_NAMES, TAG_COUNT);
    enter_known(&KNOWN_ATTRIBUTES, ATTRIBUTE_NAMES, ATTRIBUTE_COUNT);
}

NEVER_INLINE void grow_names(Reader *r, Names *names) {
    int32_t capacity = names->capacity ? 2 * names->capacity : 128;
    names->names = grown(r, names->names, (size_t)capacity, sizeof(Name));
    names->slots = grown(r, names->slots, 2 * (size_t)capacity, sizeof(int32_t));
    names->capacity = capacity;
    memset(names->slots, 0, 2 * (size_t)capacity * sizeof(int32_t));
    for (int32_t k = 0; k < names->count; k++) {
        uint32_t slot = names->names[k].hash & (2 * (uint32_t)capacity - 1);
        while (names->slots[slot]) slot = (slot + 1) & (2 * (uint32_t)capacity - 1);
        names->slots[slot] = k + 1;
    }
}

/* The place of a name, in lower case and not in the tables, among those of the page. */
NEVER_INLINE uint32_t custom_name(Reader *r, Names *names, const byte *name, size_t length, uint64_t hash) {
    uint32_t key = (uint32_t)((hash ^ hash >> 32) * 0x9E3779B97F4A7C15ULL >> 32), slot;
    Name *entry;
    if (2 * names->count >= names->capacity) grow_names(r, names);
    slot = key & (2 * (uint32_t)names->capacity - 1);
    while (names->slots[slot]) {
        entry = &names->names[names->slots[slot] - 1];
        if (entry->hash == key && entry->length == length && !memcmp(r->beside + entry->at, name, length))
            return CUSTOM | (uint32_t)(names->slots[slot] - 1);
        count_work(r, 1 + (entry->hash == key ? (int64_t)length / 16 : 0));
        slot = (slot + 1) & (2 * (uint32_t)names->capacity - 1);
    }
    if (names->count >= COMMENT / 2) fail(r, TOO_MANY);
    entry = &names->names[names->count];
    entry->hash = key;
    entry->length = (uint32_t)length;
    if (name != r->beside + r->beside_length) memcpy(room_beside(r, length), name, length);
    entry->at = (uint32_t)r->beside_length;
    r->beside_length += length;
    names->slots[slot] = ++names->count;
    return CUSTOM | (uint32_t)(names->count - 1);
}

ALWAYS_INLINE uint32_t short_name(Reader *r, const Known *known, Names *names, uint64_t low, uint64_t high, size_t length) {
    uint32_t number = known_name(known, low, high);
    byte letters[16];
    if (LIKELY(number != CUSTOM)) return number;
    memcpy(letters, &low, 8);
    memcpy(letters + 8, &high, 8);
    return custom_name(r, names, letters, length, mixed(low, high));
}

/* A name in lower case, with U+FFFD for zero bytes; returns how long it is. */
static size_t write_name(const Reader *r, byte *out, const byte *start, size_t length) {
    size_t n = 0;
    if (memchr(start, 0, length) == NULL) {
        size_t k = 0;
        for (; k < length && r->end - (start + k) >= 16; k += 16) store(out + k, lowered(load(start + k)));
        for (; k < length; k++) out[k] = lower(start[k]);
        return length;
    }
    for (size_t k = 0; k < length; k++) {
        if (start[k] == 0) {
            memcpy(out + n, "\xEF\xBF\xBD", 3);
            n += 3;
        } else {
            out[n++] = lower(start[k]);
        }
    }
    return n;
}

/* Any name; `length` bytes of the page. */
NEVER_INLINE uint32_t long_name(Reader *r, bool is_tag, const byte *start, size_t length) {
    byte *out = room_beside(r, 3 * length + SHORT_NAME);
    size_t n = write_name(r, out, start, length);
    uint64_t hash = n, words[2] = {0, 0};
    if (n <= SHORT_NAME) {
        memcpy(words, out, n);
        return short_name(r, is_tag ? &KNOWN_TAGS : &KNOWN_ATTRIBUTES, is_tag ? &r->tags : &r->attribute_names,
                          words[0], words[1], n);
    }
    if (is_tag)
        for (size_t k = 0; k < sizeof LONG_TAGS / sizeof *LONG_TAGS; k++)
            if (strlen(TAG_NAMES[LONG_TAGS[k]]) == n && !memcmp(TAG_NAMES[LONG_TAGS[k]], out, n)) return LONG_TAGS[k];
    for (size_t k = 0; k < n; k += 16) {
        words[0] = words[1] = 0;
        memcpy(words, out + k, n - k < 16 ? n - k : 16);
        hash = mixed(words[0] ^ (hash ^ hash >> 32) * 0x9E3779B97F4A7C15ULL, words[1]);
    }
    return custom_name(r, is_tag ? &r->tags : &r->attribute_names, out, n, hash);
}

/* The name of a tag or attribute, and where it ends: `at` is moved on. */
ALWAYS_INLINE uint32_t read_name(Reader *r, bool is_tag, const byte **at) {
    const byte *start = *at, *p = start;
    if (LIKELY(r->end - p >= 16)) {
        Block b = load(p);
        uint32_t ends = below_or_at(b, ' ') | equal2(b, '/', '>');
        if (!is_tag) ends |= equal(b, '=');
        if (LIKELY(ends)) {
            unsigned length = lowest_bit(ends);
            byte last = p[length];
            if (LIKELY(length && (last > ' ' || is_space(last)))) {
                Block name = both(lowered(b), load(NAME_MASKS + 16 - length));
                *at = p + length;
                return short_name(r, is_tag ? &KNOWN_TAGS : &KNOWN_ATTRIBUTES, is_tag ? &r->tags : &r->attribute_names,
                                  low_word(name), high_word(name), length);
            }
        }
    }
    if (!is_tag && *p == '=') p++;  /* a name may begin with it */
    while (r->end - p >= 16) {
        Block b = load(p);
        uint32_t ends = below_or_at(b, ' ') | equal2(b, '/', '>');
        if (!is_tag) ends |= equal(b, '=');
        p += ends ? lowest_bit(ends) : 16;
        if (ends && (*p > ' ' || is_space(*p))) break;
        p += ends != 0;
    }
    while (p < r->end && *p != '/' && *p != '>' && !is_space(*p) && (is_tag || *p != '=')) p++;
    *at = p;
    return long_name(r, is_tag, start, (size_t)(p - start));
}

/* Memory */

static bool prepare(Reader *r, const byte *html, size_t length) {
    r->html = html;
    r->end = html + length;
    r->count = r->attribute_count = r->depth = r->formats = r->templates = 0;
    r->beside_length = r->recorded_length = 0;
    r->tags.count = r->attribute_names.count = 0;
    if (r->tags.slots) memset(r->tags.slots, 0, 2 * (size_t)r->tags.capacity * sizeof(int32_t));
    if (r->attribute_names.slots)
        memset(r->attribute_names.slots, 0, 2 * (size_t)r->attribute_names.capacity * sizeof(int32_t));
    r->mode = r->content = 0;
    r->quirks = r->foster = r->skips_newline = r->records = false;
    r->frameset_ok = true;
    r->head = r->form = NO_NODE;
    r->work = r->copied = 0;
    r->most_copied = FREE_COPIES + COPIES_A_BYTE * (int64_t)length;
    if (r->nodes) return true;
    /* First capacities: what an ordinary page needs. */
    r->capacity = r->attribute_capacity = 1 << 13;
    r->stack_capacity = r->format_capacity = 256;
    r->beside_capacity = 1 << 16;
    r->nodes = malloc((size_t)r->capacity * sizeof(Node));
    r->attributes = malloc((size_t)r->attribute_capacity * sizeof(Attribute));
    r->stack = malloc((size_t)r->stack_capacity * sizeof(Open));
    r->formatting = malloc((size_t)r->format_capacity * sizeof(Open));
    r->beside = malloc(r->beside_capacity);
    return r->nodes && r->attributes && r->stack && r->formatting && r->beside;
}

static void release_reader(Reader *r) {
    if (r == NULL) return;
    free(r->nodes);
    free(r->attributes);
    free(r->beside);
    free(r->tags.names);
    free(r->tags.slots);
    free(r->attribute_names.names);
    free(r->attribute_names.slots);
    free(r->seen);
    free(r->stack);
    free(r->formatting);
    free(r->template_modes);
    free(r->recorded);
    free(r);
}

/* Nodes */

ALWAYS_INLINE int32_t add_node(Reader *r, uint32_t name, int32_t parent, int32_t before) {
    Node *node;
    int32_t here = r->count, after;
    if (UNLIKELY(here == r->capacity)) {
        if (r->capacity > (1 << 29)) fail(r, TOO_MANY);
        MAKE_ROOM(r, r->nodes, r->count, r->capacity);
    }
    node = &r->nodes[here];
    r->count++;
    node->parent = parent;
    node->first = node->last = NO_NODE;
    node->next = before;
    node->name = name;
    node->at = node->length = 0;
    node->prev = NO_NODE;
    if (parent != NO_NODE) {
        after = before == NO_NODE ? r->nodes[parent].last : r->nodes[before].prev;
        node->prev = after;
        if (after == NO_NODE) r->nodes[parent].first = here;
        else r->nodes[after].next = here;
        if (before == NO_NODE) r->nodes[parent].last = here;
        else r->nodes[before].prev = here;
    }
    return here;
}

static void unlink_node(Reader *r, int32_t here) {
    Node *node = &r->nodes[here];
    if (node->parent == NO_NODE) return;
    if (node->prev != NO_NODE) r->nodes[node->prev].next = node->next;
    else r->nodes[node->parent].first = node->next;
    if (node->next != NO_NODE) r->nodes[node->next].prev = node->prev;
    else r->nodes[node->parent].last = node->prev;
    node->parent = node->prev = node->next = NO_NODE;
}

static void link_node(Reader *r, int32_t here, int32_t parent, int32_t before) {
    Node *node = &r->nodes[here];
    int32_t after = before == NO_NODE ? r->nodes[parent].last : r->nodes[before].prev;
    node->parent = parent;
    node->prev = after;
    node->next = before;
    if (after == NO_NODE) r->nodes[parent].first = here;
    else r->nodes[after].next = here;
    if (before == NO_NODE) r->nodes[parent].last = here;
    else r->nodes[before].prev = here;
}

#endif
