/* From the tree of a page to its node arrays, in document order: see `fastwrap.page.arrays` for what they hold. */
#ifndef FASTWRAP_ARRAYS_H
#define FASTWRAP_ARRAYS_H

#include "tokenizer.h"

enum {
    FIRST_BYTES = 1 << 16,   /* of texts and of values: room that every page gets */
    UNNUMBERED = 1 << 30,    /* flag: not a number yet, but a place among the names of the page */
    NAME_BITS = 2,           /* of the number of such a name of an attribute: its namespace */
    TOUCHING = 0xFF,         /* behind a text that the next one touches */
    /* what is between two texts */
    NOTHING = 0,
    OPENED = 1,              /* bits of formatting: that some is opened, ... */
    CLOSED = 2,              /* ... that some is closed, ... */
    ANYTHING = 0x80,         /* (and 4: that it joins; see TAG_ROLES) */
    /* of a sign, as SIGNS has them: a text that ends in it, or begins with it, goes on */
    ENDS = 1,
    BEGINS = 2,
    /* of a script that does not say that it is JSON, in bytes: those that are looked at, and how many it may have */
    BEGINNING = 1024,
    LEAST_DATA = 48,
    MOST_DATA = 1 << 23,
    LEAST_MARKUP = 1024      /* of a noscript, likewise */
};

typedef struct {
    uint32_t at, length;     /* the text of a script that holds data, or the markup of a noscript */
    bool is_markup;
} Kept;

typedef struct {
    int32_t nodes, node_capacity;
    int32_t *tag, *parent, *size, *depth, *text_start, *attribute_start;
    int32_t attributes, attribute_capacity;
    int32_t *attribute_name, *value_start;
    byte *text, *values;
    size_t text_length, text_capacity, values_length, values_capacity;
    Kept *kept;
    int32_t kept_count, kept_capacity;
} Arrays;

static void release_arrays(Arrays *page) {
    if (page == NULL) return;
    free(page->tag);
    free(page->parent);
    free(page->size);
    free(page->depth);
    free(page->text_start);
    free(page->attribute_start);
    free(page->attribute_name);
    free(page->value_start);
    free(page->text);
    free(page->values);
    free(page->kept);
    free(page);
}

static void reserve_nodes(Reader *r, Arrays *page, int32_t wanted) {
    int32_t **arrays[6] = {&page->tag, &page->parent, &page->size, &page->depth, &page->text_start, &page->attribute_start};
    if (wanted <= page->node_capacity) return;
    for (int k = 0; k < 6; k++) *arrays[k] = grown(r, *arrays[k], (size_t)wanted + 1, sizeof(int32_t));
    page->node_capacity = wanted;
}

static void reserve_attributes(Reader *r, Arrays *page, int64_t wanted) {
    if (wanted <= page->attribute_capacity) return;
    if (wanted > (1 << 29)) fail(r, TOO_MANY);
    page->attribute_name = grown(r, page->attribute_name, 2 * (size_t)wanted + 1, sizeof(int32_t));
    page->value_start = grown(r, page->value_start, 2 * (size_t)wanted + 1, sizeof(int32_t));
    page->attribute_capacity = (int32_t)(2 * wanted);
}

ALWAYS_INLINE void reserve_bytes(Reader *r, byte **buffer, size_t *capacity, size_t wanted) {
    if (LIKELY(wanted <= *capacity)) return;
    if (wanted > INT32_MAX) fail(r, TOO_LARGE);
    *buffer = grown(r, *buffer, 2 * wanted, 1);
    *capacity = 2 * wanted;
}

/* White space */

/* Bytes of the white space character at `at` (Unicode White_Space, as str.isspace), 0 where it is another. */
ALWAYS_INLINE int width_of_space(const byte *at, const byte *end) {
    byte first = at[0];
    if (first < 0x80) return first <= ' ' && (first >= 28 || (first >= 9 && first < 14));
    if (first == 0xC2) return end - at >= 2 && (at[1] == 0xA0 || at[1] == 0x85) ? 2 : 0;
    if (first < 0xE1 || first > 0xE3 || end - at < 3) return 0;
    if (first == 0xE1) return at[1] == 0x9A && at[2] == 0x80 ? 3 : 0;
    if (first == 0xE3) return at[1] == 0x80 && at[2] == 0x80 ? 3 : 0;
    if (at[1] == 0x80) return at[2] <= 0x8A || at[2] == 0xA8 || at[2] == 0xA9 || at[2] == 0xAF ? 3 : 0;
    return at[1] == 0x81 && at[2] == 0x9F ? 3 : 0;
}

/* Whether a text that is not empty ends in white space. */
static bool ends_in_space(const byte *start, const byte *end) {
    if (end[-1] < 0x80) return width_of_space(end - 1, end) != 0;
    return (end - start >= 2 && width_of_space(end - 2, end) == 2) ||
           (end - start >= 3 && width_of_space(end - 3, end) == 3);
}

/* Write a text, or more of it, with its white space normalised; there is room for 16 bytes more than it has. What is
   behind it can be read up to `readable`. */
ALWAYS_INLINE byte *write_words(byte *text, byte *out, const byte *at, const byte *end, const byte *readable) {
    int width;
    while (at < end) {
        if (out == text || out[-1] == ' ') {
            for (;;) {
                while (readable - at >= 16) {
                    uint32_t others = not_spaces(load(at));
                    if (end - at < 16) others |= 1u << (end - at);
                    at += others ? lowest_bit(others) : 16;
                    if (others) break;
                }
                if (at == end || (width = width_of_space(at, end)) == 0) break;
                at += width;
            }
        }
        /* Words with one space between them go together. */
        for (;;) {
            if (LIKELY(readable - at >= 16)) {
                Block block = load(at);
                uint32_t spaces = equal(block, ' ');
                uint32_t stops = (below_or_at(block, ' ') & ~spaces) | (spaces & spaces << 1) | suspects(block);
                if (end - at < 16) stops |= 1u << (end - at);
                store(out, block);
                if (LIKELY(!stops)) {
                    at += 16;
                    out += 16;
                    if (spaces >> 15) break;
                    continue;
                }
                at += lowest_bit(stops);
                out += lowest_bit(stops);
            }
            if (at == end) break;
            if ((width = width_of_space(at, end)) != 0) {
                at += width;
                if (out != text && out[-1] != ' ') *out++ = ' ';
                break;
            }
            *out++ = *at++;
        }
    }
    return out;
}

/* Texts that touch */

ALWAYS_INLINE int role_of(int32_t tag) { return tag < TAG_COUNT ? TAG_ROLES[tag] : ANYTHING; }

/* What is opened or closed behind a text and before `end`, the next node of `parent`: NOTHING, bits of formatting, or
   ANYTHING if anything else is. The nodes between them are opened; closed are the ancestors of the text that the node
   behind it is not within. */
static int formatting_between(const Arrays *page, int32_t text, int32_t end, int32_t parent) {
    int32_t node, common = parent;
    int between = NOTHING, role;
    for (node = text + 1; node < end; node++) {
        role = role_of(page->tag[node]);
        if (role == ANYTHING) return ANYTHING;
        between |= role | OPENED;
    }
    while (common > text) common = page->parent[common];
    for (node = page->parent[text]; node != common; node = page->parent[node]) {
        role = node != NO_NODE ? role_of(page->tag[node]) : ANYTHING;
        if (role == ANYTHING) return ANYTHING;
        between |= role | CLOSED;
    }
    return between;
}

/* Whether a text begins with a digit, or with a currency sign and a digit. */
static bool is_amount(const byte *at) {
    if (at[0] == '$') at++;
    else if (at[0] == 0xC2 && (at[1] == 0xA3 || at[1] == 0xA5)) at += 2;
    else if (at[0] == 0xE2 && at[1] == 0x82) at += 3;
    return is_digit(at[0]);
}

/* Say so if the text that follows another one, without white space between them, touches it. Two numbers do not: cents
   that are raised (738<sup>00</sup>) and powers are other numbers, as is another price. */
static void touch(Arrays *page, int32_t text, int32_t following) {
    byte *start = page->text + page->text_start[following];
    int between = formatting_between(page, text, following, page->parent[following]);
    if (between == ANYTHING) return;
    if (between == (OPENED | CLOSED) && !(SIGNS[start[-2]] & ENDS || SIGNS[start[0]] & BEGINS)) return;
    if (is_digit(start[-2]) && is_amount(start)) return;
    start[-1] = TOUCHING;
}

/* Scripts that hold data */

/* Whether the first kilobyte of a script has what begins JSON: a quote that follows a brace, or is that of
   JSON.parse(" or ([1," (the chunks that Next.js streams). */
static bool holds_data(const byte *text, size_t length) {
    const byte *at = text, *end = text + (length < BEGINNING ? length : BEGINNING), *before;
    if (length < LEAST_DATA || length > MOST_DATA) return false;
    for (;; at++) {
        at = memchr(at, '"', (size_t)(end - at));
        if (at == NULL) return false;
        if (at - text >= 4 && !memcmp(at - 4, "([1,", 4)) return true;
        if (at - text >= 11 && !memcmp(at - 11, "JSON.parse(", 11)) return true;
        for (before = at - 1; before >= text && is_space(*before);) before--;
        if (before >= text && *before == '{') return true;
    }
}

static bool says_json(Reader *r, const Node *script) {
    for (uint32_t k = 0; k < script->length; k++) {
        const Attribute *attribute = &r->attributes[script->at + k];
        const byte *value = bytes_at(r, attribute->at);
        if (attribute->name != ATTRIBUTE_TYPE) continue;
        for (uint32_t n = 4; n <= attribute->length; n++)
            if (lower(value[n - 4]) == 'j' && lower(value[n - 3]) == 's' && lower(value[n - 2]) == 'o' &&
                lower(value[n - 1]) == 'n')
                return true;
    }
    return false;
}

static bool is_data(Reader *r, uint32_t at, uint32_t length, bool is_markup, bool says_so) {
    if (is_markup) return length >= LEAST_MARKUP && length <= MOST_DATA;
    return length && (says_so || holds_data(bytes_at(r, at), length));
}

/* Remember a text of a script if it holds data, or of a noscript if it is long. */
static void keep_texts(Reader *r, Arrays *page, int32_t element) {
    bool is_markup = (r->nodes[element].name & ~(uint32_t)NAMESPACE) == TAG_NOSCRIPT;
    bool says_so = !is_markup && says_json(r, &r->nodes[element]);
    int32_t child = r->nodes[element].first;
    while (child != NO_NODE) {
        int32_t first = child, pieces = 0;
        uint32_t at = r->nodes[child].at, length = r->nodes[child].length;
        bool is_text = (r->nodes[child].name & ~(uint32_t)CONTINUES) == TEXT_NODE, is_kept;
        do {
            child = r->nodes[child].next;
            pieces++;
        } while (child != NO_NODE && r->nodes[child].name == (TEXT_NODE | CONTINUES));
        if (!is_text) continue;
        /* One that has carriage returns is judged with line feeds for them; most others are not kept. */
        is_kept = pieces > 1 || (!(at & BESIDE) && memchr(bytes_at(r, at), '\r', length < BEGINNING ? length : BEGINNING));
        if (!is_kept && !is_data(r, at, length, is_markup, says_so)) continue;
        if (is_kept || (!(at & BESIDE) && memchr(bytes_at(r, at), '\r', length))) {
            size_t beside = r->beside_length;
            for (; first != child; first = r->nodes[first].next) {
                uint32_t place = r->nodes[first].at, bytes = r->nodes[first].length;
                room_beside(r, bytes);
                if (place & BESIDE) append(r, bytes_at(r, place), bytes);
                else append_clean(r, bytes_at(r, place), bytes_at(r, place) + bytes, true);
            }
            at = (uint32_t)beside | BESIDE;
            length = (uint32_t)(r->beside_length - beside);
        }
        if (is_data(r, at, length, is_markup, says_so)) {
            MAKE_ROOM(r, page->kept, page->kept_count, page->kept_capacity);
            page->kept[page->kept_count].at = at;
            page->kept[page->kept_count].length = length;
            page->kept[page->kept_count++].is_markup = is_markup;
        }
    }
}

/* The walk */

/* Copy a value, and up to fifteen bytes more, unless these would be behind the page. */
ALWAYS_INLINE void copy_bytes(byte *out, const byte *from, size_t length, const byte *end) {
    if (UNLIKELY(end != NULL && (size_t)(end - from) < length + 16)) memcpy(out, from, length);
    else for (size_t k = 0; k < length; k += 16) store(out + k, load(from + k));
}

static void write_attributes(Reader *r, Arrays *page, const Node *element) {
    const Attribute *attribute = &r->attributes[element->at];
    uint32_t namespace_bits = element->name >> 28 & 3;
    int32_t here = page->attributes;
    reserve_attributes(r, page, (int64_t)here + element->length);
    for (uint32_t k = 0; k < element->length; k++, attribute++, here++) {
        uint32_t name = attribute->name;
        page->attribute_name[here] =
            (int32_t)(name & CUSTOM ? UNNUMBERED | (name ^ CUSTOM) << NAME_BITS | namespace_bits : name);
        page->value_start[here] = (int32_t)page->values_length;
        reserve_bytes(r, &page->values, &page->values_capacity, page->values_length + attribute->length + 16);
        copy_bytes(page->values + page->values_length, bytes_at(r, attribute->at), attribute->length,
                   attribute->at & BESIDE ? NULL : r->end);
        page->values_length += attribute->length;
    }
    page->attributes = here;
}

/* Write a text with all that continues it, and return its last node; no node is made if it is blank. */
static int32_t write_text_node(Reader *r, Arrays *page, int32_t node, int32_t up, int32_t depth, int32_t *last) {
    const byte *start = bytes_at(r, r->nodes[node].at), *end;
    size_t before = page->text_length;
    byte *out = page->text + before;
    bool begins_with_space = width_of_space(start, start + r->nodes[node].length) != 0;
    for (;;) {
        start = bytes_at(r, r->nodes[node].at);
        end = start + r->nodes[node].length;
        page->text_length = (size_t)(out - page->text);
        reserve_bytes(r, &page->text, &page->text_capacity, page->text_length + (size_t)(end - start) + 32);
        out = write_words(page->text + before, page->text + page->text_length, start, end,
                          r->nodes[node].at & BESIDE ? end + 16 : r->end);
        if (r->nodes[node].next == NO_NODE || r->nodes[r->nodes[node].next].name != (TEXT_NODE | CONTINUES)) break;
        node = r->nodes[node].next;
    }
    if (out == page->text + before) {
        *last = NO_NODE;
    } else {
        int32_t here = page->nodes++;
        if (out[-1] != ' ') *out++ = ' ';
        page->tag[here] = TEXT_NODE;
        page->parent[here] = up;
        page->depth[here] = depth;
        page->size[here] = 1;
        page->text_start[here] = (int32_t)before;
        page->attribute_start[here] = page->attributes;
        if (*last != NO_NODE && !begins_with_space) touch(page, *last, here);
        *last = ends_in_space(start, end) ? NO_NODE : here;
    }
    page->text_length = (size_t)(out - page->text);
    return node;
}

static void write_arrays(Reader *r, Arrays *page) {
    int32_t root = r->stack[0].node, node = root, up = NO_NODE, depth = 0;
    int32_t last = NO_NODE;  /* the last text, if there is no white space behind it */
    page->nodes = page->attributes = page->kept_count = 0;
    page->text_length = page->values_length = 0;
    reserve_nodes(r, page, r->count);
    reserve_attributes(r, page, r->attribute_count + 1);
    reserve_bytes(r, &page->text, &page->text_capacity, FIRST_BYTES);
    reserve_bytes(r, &page->values, &page->values_capacity, FIRST_BYTES);
    for (;;) {
        uint32_t name = r->nodes[node].name, number = name & ~(uint32_t)NAMESPACE;
        if ((name & ~(uint32_t)CONTINUES) == TEXT_NODE) {
            node = write_text_node(r, page, node, up, depth, &last);
        } else if (number < TAG_COUNT || number & CUSTOM) {
            uint32_t bits = number < TAG_COUNT ? HTML_BITS[number] : 0;
            if (UNLIKELY(bits & LEFT_OUT)) {
                if (number == TAG_SCRIPT || number == TAG_NOSCRIPT) keep_texts(r, page, node);
            } else {
                int32_t here = page->nodes++;
                page->tag[here] = (int32_t)(number & CUSTOM ? UNNUMBERED | (number ^ CUSTOM) : number);
                page->parent[here] = up;
                page->depth[here] = depth;
                page->size[here] = 1;
                page->text_start[here] = (int32_t)page->text_length;
                page->attribute_start[here] = page->attributes;
                if (r->nodes[node].length) write_attributes(r, page, &r->nodes[node]);
                if (r->nodes[node].first != NO_NODE && !(bits & RAW_TEXT)) {
                    up = here;
                    depth++;
                    node = r->nodes[node].first;
                    continue;
                }
            }
        }
        while (node != root && r->nodes[node].next == NO_NODE) {
            node = r->nodes[node].parent;
            page->size[up] = page->nodes - up;
            up = page->parent[up];
            depth--;
        }
        if (node == root) break;
        node = r->nodes[node].next;
    }
}

/* The tree with all that it has, in the order of the document, for tests: each element is recorded with the letter of
   its namespace, and "U" where it ends. */
static void record_tree(Reader *r) {
    int32_t node = r->nodes[DOCUMENT].first;
    while (node != NO_NODE) {
        const Node *here = &r->nodes[node];
        uint32_t name = here->name;
        if ((name & ~(uint32_t)CONTINUES) == TEXT_NODE) {
            record_span(r, name == TEXT_NODE ? 'T' : '+', here->at, here->length, true);
        } else if (name == COMMENT) {
            record_span(r, 'C', here->at, here->length, true);
        } else if (name == DOCTYPE) {
            record_span(r, 'D', here->at, here->length, true);
        } else {
            record(r, (const byte *)"HSM" + (name >> 28 & 3), 1);
            record_name(r, name, true);
            record(r, (const byte *)&here->length, 4);
            for (uint32_t k = 0; k < here->length; k++) {
                const Attribute *attribute = &r->attributes[here->at + k];
                record_name(r, attribute->name, false);
                record_part(r, bytes_at(r, attribute->at), attribute->length);
            }
            if (here->first != NO_NODE) {
                node = here->first;
                continue;
            }
            record(r, (const byte *)"U", 1);
        }
        while (node != DOCUMENT && r->nodes[node].next == NO_NODE) {
            node = r->nodes[node].parent;
            if (node != DOCUMENT) record(r, (const byte *)"U", 1);
        }
        node = node == DOCUMENT ? NO_NODE : r->nodes[node].next;
    }
}

/* The next node in document order within a subtree; NO_NODE behind its last one. */
ALWAYS_INLINE int32_t next_node(const Reader *r, int32_t node, int32_t root, bool enters) {
    if (enters && r->nodes[node].first != NO_NODE) return r->nodes[node].first;
    while (node != root && r->nodes[node].next == NO_NODE) node = r->nodes[node].parent;
    return node == root ? NO_NODE : r->nodes[node].next;
}

ALWAYS_INLINE uint32_t plain_bits(const Node *node) {
    uint32_t number = node->name & ~(uint32_t)(NAMESPACE | CONTINUES);
    return number < TAG_COUNT ? HTML_BITS[number] : 0;
}

/* The text of a `pre` as it stands; false if another one is in it. */
static bool write_verbatim(Reader *r, int32_t root) {
    size_t start = r->beside_length;
    for (int32_t node = next_node(r, root, root, true); node != NO_NODE;) {
        const Node *here = &r->nodes[node];
        uint32_t number = here->name & ~(uint32_t)(NAMESPACE | CONTINUES);
        if (number == TAG_PRE) return false;
        if (number == TEXT_NODE) {
            const byte *text = bytes_at(r, here->at);
            if (here->at & BESIDE) {
                room_beside(r, here->length);
                append(r, bytes_at(r, here->at), here->length);
            } else {
                append_clean(r, text, text + here->length, false);
            }
        } else if (number != COMMENT) {
            bool begins_line = !(plain_bits(here) & IN_LINE) && r->beside_length > start &&
                               r->beside[r->beside_length - 1] != '\n';
            if (number == TAG_BR || begins_line) append(r, (const byte *)"\n", 1);
        }
        node = next_node(r, node, root, !(plain_bits(here) & (LEFT_OUT | RAW_TEXT)));
    }
    return true;
}

/* The texts of all `pre` that the arrays have, in their order: each is recorded with a "P", or as "N" if it is not told. */
static void record_preformatted(Reader *r) {
    int32_t root = r->stack[0].node;
    for (int32_t node = root; node != NO_NODE;) {
        uint32_t number = r->nodes[node].name & ~(uint32_t)NAMESPACE, bits = plain_bits(&r->nodes[node]);
        if (number == TAG_PRE) {
            size_t start = r->beside_length;
            bool is_told = write_verbatim(r, node);
            record(r, (const byte *)(is_told ? "P" : "N"), 1);
            if (is_told) record_part(r, r->beside + start, r->beside_length - start);
            r->beside_length = start;
        }
        node = next_node(r, node, root, !(bits & (LEFT_OUT | RAW_TEXT)));
    }
}

/* What is to be made of a page. */
enum Wanted { ARRAYS, TREE, TOKENS, VERBATIM };

/* Read a page: 0 for success, or why it ended. For tokens, `content` and the name of an element say how it begins. */
static int read_page(Reader *r, Arrays *page, const byte *html, size_t length, int wanted, int content,
                     const char *element) {
    jmp_buf leave;
    int failed;
    if (length > INT32_MAX) return TOO_LARGE;
    if (!prepare(r, html, length)) return OUT_OF_MEMORY;
    r->leave = &leave;
    failed = setjmp(leave);
    if (failed) return failed;
    add_node(r, CUSTOM - 3, NO_NODE, NO_NODE);  /* the document */
    if (wanted == TOKENS) {
        const byte *at = html;
        r->records = true;
        r->content = (byte)(content < 0 ? MARKUP : content);
        if (content < 0) at = read_section(r, at);
        if (r->content) at = read_content(r, at, (const byte *)element, strlen(element));
        read_tokens(r, at);
        return 0;
    }
    read_tokens(r, html);
    take_end(r);
    if (wanted == TREE) record_tree(r);
    else if (wanted == VERBATIM) record_preformatted(r);
    else write_arrays(r, page);
    return 0;
}

#endif
