/* Tree construction: the rules of the HTML standard (13.2.6). The tokenizer calls one of these functions for each token:
   `take_start_tag`, `take_end_tag`, `take_text`, `take_comment`, `take_doctype` and `take_end`.
   Fragments and documents without scripting are not built. */
#ifndef FASTWRAP_CONSTRUCTION_H
#define FASTWRAP_CONSTRUCTION_H

#include "tree.h"

enum Mode {
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, AFTER_HEAD, IN_BODY, IN_TABLE, IN_CAPTION, IN_COLUMN_GROUP,
    IN_TABLE_BODY, IN_ROW, IN_CELL, IN_TEMPLATE, AFTER_BODY, IN_FRAMESET, AFTER_FRAMESET, AFTER_AFTER_BODY,
    AFTER_AFTER_FRAMESET
};

/* How the tokenizer reads what is behind a start tag. */
enum Content { MARKUP, RCDATA, RAWTEXT, SCRIPT_DATA, PLAIN_TEXT };

enum { MARKER = TEXT_NODE };  /* in place of the name of a formatting element */

typedef struct { int32_t parent, before; } Place;

ALWAYS_INLINE Open *current(Reader *r) { return &r->stack[r->depth - 1]; }
ALWAYS_INLINE bool is_foreign(uint32_t name) { return (name & NAMESPACE) != 0; }
ALWAYS_INLINE int kind_of(uint32_t name) { return name < TAG_COUNT ? TAG_KINDS[name] : KIND_OTHER; }

ALWAYS_INLINE uint32_t bits_of(uint32_t name) {
    uint32_t number = name & ~(uint32_t)NAMESPACE;
    if (number >= TAG_COUNT) return 0;
    return !is_foreign(name) ? HTML_BITS[number] : (name & NAMESPACE) == SVG_NAMESPACE ? SVG_BITS[number]
                                                                                      : MATH_BITS[number];
}

/* The stack of open elements */

ALWAYS_INLINE uint32_t with_paragraph(const Open *below, uint32_t bits) {
    bits &= ~PARAGRAPH_OPEN;
    if (bits & PARAGRAPHS) return bits | PARAGRAPH_OPEN;
    return bits & BUTTON_SCOPE ? bits : bits | (below->bits & PARAGRAPH_OPEN);
}

ALWAYS_INLINE void push(Reader *r, int32_t node, uint32_t name, uint32_t bits) {
    if (UNLIKELY(r->depth >= MOST_OPEN)) fail(r, TOO_DEEP);
    MAKE_ROOM(r, r->stack, r->depth, r->stack_capacity);
    r->stack[r->depth].node = node;
    r->stack[r->depth].name = name;
    r->stack[r->depth].bits = r->depth ? with_paragraph(&r->stack[r->depth - 1], bits) : bits;
    r->depth++;
}

/* Close elements until only so many are open: the root stays. */
ALWAYS_INLINE void pop_to(Reader *r, int32_t depth) { r->depth = depth > 1 ? depth : 1; }
ALWAYS_INLINE void pop(Reader *r) { pop_to(r, r->depth - 1); }

static void see_paragraphs(Reader *r, int32_t from) {
    for (int32_t k = from > 0 ? from : 1; k < r->depth; k++)
        r->stack[k].bits = with_paragraph(&r->stack[k - 1], r->stack[k].bits);
    count_work(r, r->depth - from);
}

static void remove_open(Reader *r, int32_t place) {
    r->depth--;
    memmove(&r->stack[place], &r->stack[place + 1], (size_t)(r->depth - place) * sizeof(Open));
    see_paragraphs(r, place);
}

static void insert_open(Reader *r, int32_t place, Open element) {
    if (r->depth >= MOST_OPEN) fail(r, TOO_DEEP);
    MAKE_ROOM(r, r->stack, r->depth, r->stack_capacity);
    memmove(&r->stack[place + 1], &r->stack[place], (size_t)(r->depth - place) * sizeof(Open));
    r->stack[place] = element;
    r->depth++;
    see_paragraphs(r, place);
}

/* Where something is on the stack; -1 if it is not there. */
ALWAYS_INLINE int32_t place_of_open(Reader *r, int32_t node) {
    int32_t k = r->depth - 1;
    while (k >= 0 && r->stack[k].node != node) k--;
    count_work(r, r->depth - k);
    return k;
}

ALWAYS_INLINE int32_t in_scope(Reader *r, uint32_t name, uint32_t scope) {
    for (int32_t k = r->depth - 1; k >= 0; k--) {
        if (r->stack[k].name == name || r->stack[k].bits & scope) {
            count_work(r, r->depth - k);
            return r->stack[k].name == name ? k : -1;
        }
    }
    return -1;
}

ALWAYS_INLINE int32_t kind_in_scope(Reader *r, int kind, uint32_t scope) {
    for (int32_t k = r->depth - 1; k >= 0; k--) {
        bool found = kind_of(r->stack[k].name) == kind;
        if (found || r->stack[k].bits & scope) {
            count_work(r, r->depth - k);
            return found ? k : -1;
        }
    }
    return -1;
}

/* Close what was found, with all that is open within it; false if that is nothing. */
ALWAYS_INLINE bool close_at(Reader *r, int32_t found) {
    if (found >= 0) pop_to(r, found);
    return found >= 0;
}

/* "Generate implied end tags", except for elements of one name. */
ALWAYS_INLINE void imply_ends(Reader *r, uint32_t spared) {
    while (r->depth > 1 && current(r)->bits & IMPLIED_END && current(r)->name != spared) r->depth--;
}

ALWAYS_INLINE void close_paragraph(Reader *r) {
    if (current(r)->bits & PARAGRAPH_OPEN) close_at(r, in_scope(r, TAG_P, BUTTON_SCOPE));
}

/* "Clear the stack back to a table context", or to that of a body or row: the root and templates end it, too. */
ALWAYS_INLINE void clear_to(Reader *r, int kind) {
    while (r->depth > 1 && kind_of(current(r)->name) != kind && current(r)->name != TAG_TEMPLATE) r->depth--;
}

/* "Reset the insertion mode appropriately" */
static void reset_mode(Reader *r) {
    for (int32_t k = r->depth - 1; k >= 0; k--) {
        switch (kind_of(r->stack[k].name)) {
            case KIND_CELL: r->mode = IN_CELL; return;
            case KIND_ROW: r->mode = IN_ROW; return;
            case KIND_ROW_GROUP: r->mode = IN_TABLE_BODY; return;
            case KIND_CAPTION: r->mode = IN_CAPTION; return;
            case KIND_COLUMN_GROUP: r->mode = IN_COLUMN_GROUP; return;
            case KIND_TABLE: r->mode = IN_TABLE; return;
            case KIND_TEMPLATE: r->mode = r->template_modes[r->templates - 1]; return;
            case KIND_HEAD: r->mode = IN_HEAD; return;
            case KIND_BODY: r->mode = IN_BODY; return;
            case KIND_FRAMESET: r->mode = IN_FRAMESET; return;
            case KIND_HTML: r->mode = r->head == NO_NODE ? BEFORE_HEAD : AFTER_HEAD; return;
            default: break;
        }
        count_work(r, 1);
    }
}

/* Where nodes go */

NEVER_INLINE Place foster_place(Reader *r) {
    int32_t k = r->depth - 1;
    Place place;
    while (k > 0 && r->stack[k].name != TAG_TABLE && r->stack[k].name != TAG_TEMPLATE) k--;
    count_work(r, r->depth - k);
    place.parent = r->stack[k].node;
    place.before = NO_NODE;
    if (r->stack[k].name == TAG_TABLE) {
        if (r->nodes[place.parent].parent != NO_NODE) {
            place.before = place.parent;
            place.parent = r->nodes[place.parent].parent;
        } else {
            place.parent = r->stack[k - 1].node;
        }
    }
    return place;
}

/* "The appropriate place for inserting a node" */
ALWAYS_INLINE Place place_in(Reader *r, const Open *target) {
    Place place;
    if (UNLIKELY(r->foster) && target->bits & TABLE_PART) return foster_place(r);
    place.parent = target->node;
    place.before = NO_NODE;
    return place;
}

ALWAYS_INLINE int32_t insert_named(Reader *r, uint32_t name, const Tag *tag) {
    Place place = place_in(r, current(r));
    int32_t node = add_node(r, name, place.parent, place.before);
    if (tag) {
        r->nodes[node].at = (uint32_t)tag->first;
        r->nodes[node].length = (uint32_t)(r->attribute_count - tag->first);
    }
    push(r, node, name, bits_of(name));
    return node;
}

ALWAYS_INLINE int32_t insert(Reader *r, const Tag *tag) { return insert_named(r, tag->name, tag); }

ALWAYS_INLINE void insert_and_pop(Reader *r, const Tag *tag) {
    insert(r, tag);
    r->depth--;
}

static void insert_text(Reader *r, uint32_t at, uint32_t length) {
    Place place = place_in(r, current(r));
    int32_t node;
    uint32_t before;
    if (length == 0) return;
    node = add_node(r, TEXT_NODE, place.parent, place.before);
    r->nodes[node].at = at;
    r->nodes[node].length = length;
    if (r->nodes[node].prev != NO_NODE) {
        before = r->nodes[r->nodes[node].prev].name;
        if ((before & ~(uint32_t)CONTINUES) == TEXT_NODE) r->nodes[node].name = TEXT_NODE | CONTINUES;
    }
}

static void insert_comment(Reader *r, uint32_t name, uint32_t at, uint32_t length, int32_t parent) {
    int32_t node = add_node(r, name, parent, NO_NODE);
    r->nodes[node].at = at;
    r->nodes[node].length = length;
}

/* A text without zero bytes, or with another character in their place; written beside the page. */
NEVER_INLINE uint32_t without_zeros(Reader *r, uint32_t at, uint32_t *length, bool shown) {
    const byte *text, *end;
    byte *out = room_beside(r, shown ? 3 * (size_t)*length : *length), *start = out;
    uint32_t place = (uint32_t)r->beside_length | BESIDE;
    bool raw = !(at & BESIDE);
    for (text = bytes_at(r, at), end = text + *length; text < end; text++) {
        if (*text == '\r' && raw) {
            *out++ = '\n';
            if (text + 1 < end && text[1] == '\n') text++;
        } else if (*text) {
            *out++ = *text;
        } else if (shown) {
            memcpy(out, "\xEF\xBF\xBD", 3);
            out += 3;
        }
    }
    *length = (uint32_t)(out - start);
    r->beside_length += *length;
    return place;
}

ALWAYS_INLINE uint32_t blank_length(Reader *r, uint32_t at, uint32_t length) {
    const byte *start = bytes_at(r, at);
    return (uint32_t)(skip_spaces(start, start + length) - start);
}

/* The list of active formatting elements */

static void add_format(Reader *r, Open element) {
    MAKE_ROOM(r, r->formatting, r->formats, r->format_capacity);
    r->formatting[r->formats++] = element;
}

static void add_marker(Reader *r) {
    Open marker = {NO_NODE, MARKER, 0};
    add_format(r, marker);
}

static void clear_to_marker(Reader *r) {
    while (r->formats > 0)
        if (r->formatting[--r->formats].node == NO_NODE) return;
}

static void remove_format(Reader *r, int32_t place) {
    r->formats--;
    memmove(&r->formatting[place], &r->formatting[place + 1], (size_t)(r->formats - place) * sizeof(Open));
    count_work(r, (r->formats - place) / 16);
}

static int32_t place_of_format(Reader *r, int32_t node) {
    int32_t k = r->formats - 1;
    while (k >= 0 && r->formatting[k].node != node) k--;
    count_work(r, r->formats - k);
    return k;
}

static bool same_attributes(Reader *r, const Node *one, const Node *other) {
    if (one->length != other->length) return false;
    if (one->at == other->at || one->length == 0) return true;
    for (uint32_t k = 0; k < one->length; k++) {
        const Attribute *wanted = &r->attributes[one->at + k], *found = NULL;
        for (uint32_t step = 0; step < other->length && !found; step++) {
            /* it most often is at the same place */
            const Attribute *tried = &r->attributes[other->at + (k + step) % other->length];
            count_work(r, 1);
            if (tried->name == wanted->name) found = tried;
        }
        if (!found || found->length != wanted->length) return false;
        count_work(r, wanted->length / 16);
        if (memcmp(bytes_at(r, found->at), bytes_at(r, wanted->at), wanted->length)) return false;
    }
    return true;
}

/* Enter the element that was opened last; of more than three equal ones the first is dropped. */
static void push_formatting(Reader *r) {
    Open element = *current(r);
    int32_t equal = 0, earliest = 0;
    for (int32_t k = r->formats - 1; k >= 0 && r->formatting[k].node != NO_NODE; k--) {
        count_work(r, 1);
        if (r->formatting[k].name == element.name &&
            same_attributes(r, &r->nodes[r->formatting[k].node], &r->nodes[element.node])) {
            equal++;
            earliest = k;
        }
    }
    if (equal >= 3) remove_format(r, earliest);
    add_format(r, element);
}

/* A new element with the name and the attributes of another one, without a place. */
static int32_t copy_element(Reader *r, int32_t original, Place place) {
    int32_t node = add_node(r, r->nodes[original].name, place.parent, place.before);
    uint32_t at = r->nodes[original].at, length = r->nodes[original].length;
    r->nodes[node].at = at;
    r->nodes[node].length = length;
    r->copied += (int64_t)sizeof(Node) + 8 * (int64_t)length;
    for (uint32_t k = 0; k < length; k++) r->copied += r->attributes[at + k].length;
    count_work(r, 1 + length);
    if (r->copied > r->most_copied) fail(r, TOO_MANY);
    return node;
}

/* "Reconstruct the active formatting elements" */
NEVER_INLINE void reopen_formatting(Reader *r) {
    int32_t k = r->formats - 1;
    while (k >= 0 && r->formatting[k].node != NO_NODE && place_of_open(r, r->formatting[k].node) < 0) k--;
    for (k++; k < r->formats; k++) {
        int32_t node = copy_element(r, r->formatting[k].node, place_in(r, current(r)));
        r->formatting[k].node = node;
        push(r, node, r->formatting[k].name, r->formatting[k].bits);
    }
}

ALWAYS_INLINE void reopen(Reader *r) {
    int32_t last;
    if (LIKELY(r->formats == 0)) return;
    last = r->formatting[r->formats - 1].node;
    if (last == NO_NODE || last == current(r)->node || place_of_open(r, last) >= 0) return;
    reopen_formatting(r);
}

/* An end tag without rules of its own. */
static void close_other(Reader *r, uint32_t name) {
    for (int32_t k = r->depth - 1; k > 0; k--) {
        if (r->stack[k].name == name) {
            count_work(r, r->depth - k);
            pop_to(r, k);
            return;
        }
        if (r->stack[k].bits & SPECIAL) {
            count_work(r, r->depth - k);
            return;
        }
    }
    count_work(r, r->depth);
}

/* Steps 9 to 20 of the "adoption agency algorithm": a block that is open within a formatting element moves out of it,
   and what the block has moves into a copy. */
static void split_block(Reader *r, int32_t format, int32_t opened, int32_t furthest) {
    Open element = r->stack[opened], block = r->stack[furthest], ancestor = r->stack[opened - 1];
    int32_t last = block.node, bookmark = format, at = furthest, node, child, entry;
    static const Place NOWHERE = {NO_NODE, NO_NODE};
    Place place;
    for (int steps = 1;; steps++) {
        if (--at <= opened) break;
        entry = place_of_format(r, r->stack[at].node);
        if (steps > 3 && entry >= 0) {
            remove_format(r, entry);
            if (entry < bookmark) bookmark--;
            if (entry < format) format--;
            entry = -1;
        }
        if (entry < 0) {
            remove_open(r, at);
            continue;
        }
        node = copy_element(r, r->stack[at].node, NOWHERE);
        r->stack[at].node = r->formatting[entry].node = node;
        if (last == block.node) bookmark = entry + 1;
        unlink_node(r, last);
        link_node(r, last, node, NO_NODE);
        last = node;
    }
    unlink_node(r, last);
    place = place_in(r, &ancestor);
    link_node(r, last, place.parent, place.before);
    node = copy_element(r, element.node, NOWHERE);
    for (child = r->nodes[block.node].first; child != NO_NODE; child = r->nodes[child].next) {
        r->nodes[child].parent = node;
        count_work(r, 1);
    }
    r->nodes[node].first = r->nodes[block.node].first;
    r->nodes[node].last = r->nodes[block.node].last;
    r->nodes[block.node].first = r->nodes[block.node].last = NO_NODE;
    link_node(r, node, block.node, NO_NODE);
    remove_format(r, format);
    if (format < bookmark) bookmark--;
    remove_open(r, place_of_open(r, element.node));
    element.node = node;
    add_format(r, element);
    memmove(&r->formatting[bookmark + 1], &r->formatting[bookmark], (size_t)(r->formats - 1 - bookmark) * sizeof(Open));
    r->formatting[bookmark] = element;
    insert_open(r, place_of_open(r, block.node) + 1, element);
}

/* Close a formatting element, wherever it is open (the "adoption agency algorithm"). */
static void close_formatting(Reader *r, uint32_t name) {
    if (current(r)->name == name && place_of_format(r, current(r)->node) < 0) {
        pop(r);
        return;
    }
    for (int turn = 0; turn < 8; turn++) {
        int32_t k = r->formats - 1, opened, furthest = -1;
        while (k >= 0 && r->formatting[k].node != NO_NODE && r->formatting[k].name != name) k--;
        count_work(r, r->formats - k);
        if (k < 0 || r->formatting[k].node == NO_NODE) {
            close_other(r, name);
            return;
        }
        opened = place_of_open(r, r->formatting[k].node);
        if (opened < 0) {
            remove_format(r, k);
            return;
        }
        for (int32_t at = r->depth - 1; at > opened; at--) {
            if (r->stack[at].bits & SCOPE) return;
            if (r->stack[at].bits & SPECIAL) furthest = at;
        }
        if (furthest < 0) {
            remove_format(r, k);
            pop_to(r, opened);
            return;
        }
        split_block(r, k, opened, furthest);
    }
}

/* The modes. A rule returns false if the token is to be processed again, in the mode that it has set. */

static void read_as(Reader *r, const Tag *tag, enum Content content) {
    insert(r, tag);
    r->content = (byte)content;
}

/* A second html or body tag: the first one takes the attributes that it has not. */
static void merge_attributes(Reader *r, int32_t owner, const Tag *tag) {
    int32_t end = r->attribute_count, first = tag->first, kept;
    uint32_t at = r->nodes[owner].at, length = r->nodes[owner].length;
    if (first == end) return;
    if ((int32_t)(at + length) != first) {
        /* Those of the first are copied behind them, so that all stand in one row. */
        for (uint32_t k = 0; k < length; k++) {
            Attribute copied = r->attributes[at + k];
            MAKE_ROOM(r, r->attributes, r->attribute_count, r->attribute_capacity);
            r->attributes[r->attribute_count++] = copied;
        }
        r->copied += 12 * (int64_t)length;
        if (r->copied > r->most_copied) fail(r, TOO_MANY);
        at = (uint32_t)end;
        kept = r->attribute_count;
    } else {
        kept = first;
    }
    for (int32_t k = first; k < end; k++) {
        Attribute added = r->attributes[k];
        uint32_t there = 0;
        while (there < length && r->attributes[at + there].name != added.name) there++;
        count_work(r, there + 1);
        if (there < length) continue;
        if (kept == r->attribute_count) MAKE_ROOM(r, r->attributes, r->attribute_count, r->attribute_capacity);
        r->attributes[kept++] = added;
        if (kept > r->attribute_count) r->attribute_count = kept;
    }
    r->nodes[owner].at = at;
    r->nodes[owner].length = (uint32_t)kept - at;
    r->attribute_count = kept;
}

static bool has_value(Reader *r, const Tag *tag, uint32_t name, const char *value) {
    size_t length = strlen(value);
    for (int32_t k = tag->first; k < r->attribute_count; k++) {
        const Attribute *attribute = &r->attributes[k];
        if (attribute->name != name) continue;
        const byte *found = bytes_at(r, attribute->at);
        size_t n = 0;
        if (attribute->length != length) return false;
        while (n < length && lower(found[n]) == (byte)value[n]) n++;
        return n == length;
    }
    return false;
}

static void open_template(Reader *r, const Tag *tag) {
    insert(r, tag);
    add_marker(r);
    r->frameset_ok = false;
    MAKE_ROOM(r, r->template_modes, r->templates, r->template_capacity);
    r->template_modes[r->templates++] = IN_TEMPLATE;
    r->mode = IN_TEMPLATE;
}

static void close_template(Reader *r) {
    int32_t k = r->depth - 1;
    if (r->templates == 0) return;
    while (k > 0 && r->stack[k].name != TAG_TEMPLATE) k--;
    pop_to(r, k);
    clear_to_marker(r);
    r->templates--;
    reset_mode(r);
}

/* The start tags that are for the head, wherever they are; false for others. */
static bool start_metadata(Reader *r, const Tag *tag, int kind) {
    switch (kind) {
        case KIND_METADATA: insert_and_pop(r, tag); return true;
        case KIND_TITLE: read_as(r, tag, RCDATA); return true;
        case KIND_NO_FRAMES: case KIND_STYLE: read_as(r, tag, RAWTEXT); return true;
        case KIND_SCRIPT: read_as(r, tag, SCRIPT_DATA); return true;
        case KIND_TEMPLATE: open_template(r, tag); return true;
        default: return false;
    }
}

static void open_root(Reader *r, const Tag *tag) {
    int32_t node = add_node(r, TAG_HTML, DOCUMENT, NO_NODE);
    if (tag) {
        r->nodes[node].at = (uint32_t)tag->first;
        r->nodes[node].length = (uint32_t)(r->attribute_count - tag->first);
    }
    push(r, node, TAG_HTML, bits_of(TAG_HTML));
    r->mode = BEFORE_HEAD;
}

/* What is implied before anything in the body; for the modes up to AFTER_HEAD. */
static void imply_start(Reader *r) {
    switch (r->mode) {
        case INITIAL: r->quirks = true; r->mode = BEFORE_HTML; break;
        case BEFORE_HTML: open_root(r, NULL); break;
        case BEFORE_HEAD: r->head = insert_named(r, TAG_HEAD, NULL); r->mode = IN_HEAD; break;
        case IN_HEAD: pop(r); r->mode = AFTER_HEAD; break;
        default: insert_named(r, TAG_BODY, NULL); r->mode = IN_BODY; break;
    }
}

static bool start_before_body(Reader *r, const Tag *tag, int kind) {
    int32_t head;
    switch (r->mode) {
        case INITIAL: break;
        case BEFORE_HTML:
            if (kind == KIND_HTML) {
                open_root(r, tag);
                return true;
            }
            break;
        case BEFORE_HEAD:
            if (kind == KIND_HTML) {
                merge_attributes(r, r->stack[0].node, tag);
                return true;
            }
            if (kind == KIND_HEAD) {
                r->head = insert(r, tag);
                r->mode = IN_HEAD;
                return true;
            }
            break;
        case IN_HEAD:
            if (kind == KIND_HTML) {
                merge_attributes(r, r->stack[0].node, tag);
                return true;
            }
            if (kind == KIND_NO_SCRIPT) {
                read_as(r, tag, RAWTEXT);
                return true;
            }
            if (kind == KIND_HEAD || start_metadata(r, tag, kind)) return true;
            break;
        default:
            if (kind == KIND_HTML) {
                merge_attributes(r, r->stack[0].node, tag);
                return true;
            }
            if (kind == KIND_BODY) {
                insert(r, tag);
                r->frameset_ok = false;
                r->mode = IN_BODY;
                return true;
            }
            if (kind == KIND_FRAMESET) {
                insert(r, tag);
                r->mode = IN_FRAMESET;
                return true;
            }
            if (kind == KIND_HEAD) return true;
            if (kind == KIND_METADATA || kind == KIND_TITLE || kind == KIND_NO_FRAMES || kind == KIND_STYLE ||
                kind == KIND_SCRIPT || kind == KIND_TEMPLATE) {
                push(r, r->head, TAG_HEAD, bits_of(TAG_HEAD));
                start_metadata(r, tag, kind);
                head = place_of_open(r, r->head);
                remove_open(r, head);
                return true;
            }
            break;
    }
    imply_start(r);
    return false;
}

static bool end_before_body(Reader *r, int kind) {
    if (kind == KIND_TEMPLATE && (r->mode == IN_HEAD || r->mode == AFTER_HEAD)) {
        close_template(r);
        return true;
    }
    if (r->mode == IN_HEAD && kind == KIND_HEAD) {
        pop(r);
        r->mode = AFTER_HEAD;
        return true;
    }
    if (r->mode != INITIAL && kind != KIND_BODY && kind != KIND_HTML && kind != KIND_BREAK &&
        (kind != KIND_HEAD || r->mode == AFTER_HEAD))
        return true;
    imply_start(r);
    return false;
}

static void start_frameset(Reader *r, const Tag *tag) {
    if (r->depth < 2 || r->stack[1].name != TAG_BODY || !r->frameset_ok) return;
    unlink_node(r, r->stack[1].node);
    r->depth = 1;
    insert(r, tag);
    r->mode = IN_FRAMESET;
}

/* An end tag in the body. */
static bool end_in_body(Reader *r, uint32_t name, int kind) {
    int32_t found;
    switch (kind) {
        case KIND_BLOCK: case KIND_PREFORMATTED: case KIND_BUTTON: case KIND_SELECT: case KIND_DEFINITION:
            close_at(r, in_scope(r, name, SCOPE));
            return true;
        case KIND_LINK: case KIND_FORMAT: case KIND_NO_BREAK:
            close_formatting(r, name);
            return true;
        case KIND_PARAGRAPH:
            if (!(current(r)->bits & PARAGRAPH_OPEN)) insert_named(r, TAG_P, NULL);
            close_paragraph(r);
            return true;
        case KIND_LIST_ITEM:
            close_at(r, in_scope(r, name, LIST_SCOPE));
            return true;
        case KIND_HEADING:
            close_at(r, kind_in_scope(r, KIND_HEADING, SCOPE));
            return true;
        case KIND_OBJECT:
            if (close_at(r, in_scope(r, name, SCOPE))) clear_to_marker(r);
            return true;
        case KIND_FORM:
            if (r->templates) {
                close_at(r, in_scope(r, TAG_FORM, SCOPE));
                return true;
            }
            found = -1;
            if (r->form != NO_NODE)
                for (int32_t k = r->depth - 1; k >= 0; k--) {
                    if (r->stack[k].node == r->form) found = k;
                    count_work(r, 1);
                    if (found >= 0 || r->stack[k].bits & SCOPE) break;
                }
            r->form = NO_NODE;
            if (found > 0) {
                imply_ends(r, TEXT_NODE);
                remove_open(r, found);
            }
            return true;
        case KIND_BREAK:
            reopen(r);
            insert_named(r, TAG_BR, NULL);
            pop(r);
            r->frameset_ok = false;
            return true;
        case KIND_TEMPLATE:
            close_template(r);
            return true;
        case KIND_BODY: case KIND_HTML:
            if (in_scope(r, TAG_BODY, SCOPE) < 0) return true;
            r->mode = AFTER_BODY;
            return kind == KIND_BODY;
        default:
            close_other(r, name);
            return true;
    }
}

/* A start tag in the body. */
static void start_in_body(Reader *r, const Tag *tag, int kind) {
    int32_t k, node;
    switch (kind) {
        case KIND_OTHER:
            reopen(r);
            insert(r, tag);
            return;
        case KIND_BLOCK: case KIND_PARAGRAPH:
            close_paragraph(r);
            insert(r, tag);
            return;
        case KIND_LINK:
            for (k = r->formats - 1; k >= 0 && r->formatting[k].node != NO_NODE; k--) {
                if (r->formatting[k].name != TAG_A) continue;
                node = r->formatting[k].node;
                close_formatting(r, TAG_A);
                if ((k = place_of_format(r, node)) >= 0) remove_format(r, k);
                if ((k = place_of_open(r, node)) > 0) remove_open(r, k);
                break;
            }
            reopen(r);
            insert(r, tag);
            push_formatting(r);
            return;
        case KIND_FORMAT:
            reopen(r);
            insert(r, tag);
            push_formatting(r);
            return;
        case KIND_LIST_ITEM: case KIND_DEFINITION:
            for (k = r->depth - 1; k > 0; k--) {
                if (kind_of(r->stack[k].name) == kind) {
                    pop_to(r, k);
                    break;
                }
                if (r->stack[k].bits & SPECIAL && !(r->stack[k].bits & PASSED)) break;
                count_work(r, 1);
            }
            r->frameset_ok = false;
            close_paragraph(r);
            insert(r, tag);
            return;
        case KIND_VOID: case KIND_BREAK:
            reopen(r);
            insert_and_pop(r, tag);
            r->frameset_ok = false;
            return;
        case KIND_IMAGE: {
            Tag image = *tag;
            image.name = TAG_IMG;
            reopen(r);
            insert_and_pop(r, &image);
            r->frameset_ok = false;
            return;
        }
        case KIND_HEADING:
            close_paragraph(r);
            if (kind_of(current(r)->name) == KIND_HEADING) pop(r);
            insert(r, tag);
            return;
        case KIND_PREFORMATTED:
            close_paragraph(r);
            insert(r, tag);
            r->skips_newline = true;
            r->frameset_ok = false;
            return;
        case KIND_TABLE:
            if (!r->quirks) close_paragraph(r);
            insert(r, tag);
            r->frameset_ok = false;
            r->mode = IN_TABLE;
            return;
        case KIND_FORM:
            if (r->form != NO_NODE && !r->templates) return;
            close_paragraph(r);
            node = insert(r, tag);
            if (!r->templates) r->form = node;
            return;
        case KIND_INPUT:
            close_at(r, in_scope(r, TAG_SELECT, SCOPE));
            reopen(r);
            insert_and_pop(r, tag);
            if (!has_value(r, tag, ATTRIBUTE_TYPE, "hidden")) r->frameset_ok = false;
            return;
        case KIND_BUTTON:
            close_at(r, in_scope(r, TAG_BUTTON, SCOPE));
            reopen(r);
            insert(r, tag);
            r->frameset_ok = false;
            return;
        case KIND_SVG: case KIND_MATH:
            reopen(r);
            insert_named(r, tag->name | (kind == KIND_SVG ? SVG_NAMESPACE : MATH_NAMESPACE), tag);
            if (tag->self_closing) pop(r);
            return;
        case KIND_SELECT:
            if (close_at(r, in_scope(r, TAG_SELECT, SCOPE))) return;
            reopen(r);
            insert(r, tag);
            r->frameset_ok = false;
            return;
        case KIND_OPTION: case KIND_OPTION_GROUP:
            if (in_scope(r, TAG_SELECT, SCOPE) >= 0) imply_ends(r, kind == KIND_OPTION ? TAG_OPTGROUP : TEXT_NODE);
            else if (current(r)->name == TAG_OPTION) pop(r);
            reopen(r);
            insert(r, tag);
            return;
        case KIND_RULE:
            close_paragraph(r);
            if (in_scope(r, TAG_SELECT, SCOPE) >= 0) imply_ends(r, TEXT_NODE);
            insert_and_pop(r, tag);
            r->frameset_ok = false;
            return;
        case KIND_PARAMETER:
            insert_and_pop(r, tag);
            return;
        case KIND_TEXTAREA:
            insert(r, tag);
            r->content = RCDATA;
            r->skips_newline = true;
            r->frameset_ok = false;
            return;
        case KIND_EXAMPLE:
            close_paragraph(r);
            reopen(r);
            r->frameset_ok = false;
            read_as(r, tag, RAWTEXT);
            return;
        case KIND_FRAME_TEXT:
            if (tag->name == TAG_IFRAME) r->frameset_ok = false;
            read_as(r, tag, RAWTEXT);
            return;
        case KIND_NO_SCRIPT:
            read_as(r, tag, RAWTEXT);
            return;
        case KIND_PLAINTEXT:
            close_paragraph(r);
            read_as(r, tag, PLAIN_TEXT);
            return;
        case KIND_OBJECT:
            reopen(r);
            insert(r, tag);
            add_marker(r);
            r->frameset_ok = false;
            return;
        case KIND_NO_BREAK:
            reopen(r);
            if (in_scope(r, TAG_NOBR, SCOPE) >= 0) {
                close_formatting(r, TAG_NOBR);
                reopen(r);
            }
            insert(r, tag);
            push_formatting(r);
            return;
        case KIND_RUBY_BASE: case KIND_RUBY_TEXT:
            if (in_scope(r, TAG_RUBY, SCOPE) >= 0) imply_ends(r, kind == KIND_RUBY_BASE ? TEXT_NODE : TAG_RTC);
            insert(r, tag);
            return;
        case KIND_HTML:
            if (!r->templates) merge_attributes(r, r->stack[0].node, tag);
            return;
        case KIND_BODY:
            if (r->depth < 2 || r->stack[1].name != TAG_BODY || r->templates) return;
            r->frameset_ok = false;
            merge_attributes(r, r->stack[1].node, tag);
            return;
        case KIND_FRAMESET:
            start_frameset(r, tag);
            return;
        default:
            start_metadata(r, tag, kind);  /* and what has no place in a body is ignored */
            return;
    }
}

ALWAYS_INLINE bool is_table_kind(int kind) {
    return kind == KIND_CAPTION || kind == KIND_COLUMN || kind == KIND_COLUMN_GROUP || kind == KIND_ROW_GROUP ||
           kind == KIND_CELL || kind == KIND_ROW;
}

static bool start_in_table(Reader *r, const Tag *tag, int kind) {
    switch (kind) {
        case KIND_CAPTION:
            clear_to(r, KIND_TABLE);
            add_marker(r);
            insert(r, tag);
            r->mode = IN_CAPTION;
            return true;
        case KIND_COLUMN_GROUP:
            clear_to(r, KIND_TABLE);
            insert(r, tag);
            r->mode = IN_COLUMN_GROUP;
            return true;
        case KIND_COLUMN:
            clear_to(r, KIND_TABLE);
            insert_named(r, TAG_COLGROUP, NULL);
            r->mode = IN_COLUMN_GROUP;
            return false;
        case KIND_ROW_GROUP:
            clear_to(r, KIND_TABLE);
            insert(r, tag);
            r->mode = IN_TABLE_BODY;
            return true;
        case KIND_CELL: case KIND_ROW:
            clear_to(r, KIND_TABLE);
            insert_named(r, TAG_TBODY, NULL);
            r->mode = IN_TABLE_BODY;
            return false;
        case KIND_TABLE:
            if (!close_at(r, in_scope(r, TAG_TABLE, TABLE_SCOPE))) return true;
            reset_mode(r);
            return false;
        case KIND_STYLE: case KIND_SCRIPT: case KIND_TEMPLATE:
            start_metadata(r, tag, kind);
            return true;
        case KIND_INPUT:
            if (!has_value(r, tag, ATTRIBUTE_TYPE, "hidden")) break;
            insert_and_pop(r, tag);
            return true;
        case KIND_FORM:
            if (r->form != NO_NODE || r->templates) return true;
            r->form = insert(r, tag);
            pop(r);
            return true;
        default:
            break;
    }
    r->foster = true;
    start_in_body(r, tag, kind);
    r->foster = false;
    return true;
}

static bool end_in_table(Reader *r, uint32_t name, int kind) {
    bool done;
    if (kind == KIND_TABLE) {
        if (close_at(r, in_scope(r, TAG_TABLE, TABLE_SCOPE))) reset_mode(r);
        return true;
    }
    if (is_table_kind(kind) || kind == KIND_BODY || kind == KIND_HTML) return true;
    if (kind == KIND_TEMPLATE) {
        close_template(r);
        return true;
    }
    r->foster = true;
    done = end_in_body(r, name, kind);
    r->foster = false;
    return done;
}

static bool leave_caption(Reader *r) {
    if (!close_at(r, in_scope(r, TAG_CAPTION, TABLE_SCOPE))) return false;
    clear_to_marker(r);
    r->mode = IN_TABLE;
    return true;
}

static bool leave_column_group(Reader *r) {
    if (current(r)->name != TAG_COLGROUP) return false;
    pop(r);
    r->mode = IN_TABLE;
    return true;
}

static bool leave_table_body(Reader *r) {
    if (kind_in_scope(r, KIND_ROW_GROUP, TABLE_SCOPE) < 0) return false;
    clear_to(r, KIND_ROW_GROUP);
    pop(r);
    r->mode = IN_TABLE;
    return true;
}

static bool leave_row(Reader *r) {
    if (in_scope(r, TAG_TR, TABLE_SCOPE) < 0) return false;
    clear_to(r, KIND_ROW);
    pop(r);
    r->mode = IN_TABLE_BODY;
    return true;
}

static bool leave_cell(Reader *r) {
    if (!close_at(r, kind_in_scope(r, KIND_CELL, TABLE_SCOPE))) return false;
    clear_to_marker(r);
    r->mode = IN_ROW;
    return true;
}

/* The mode of a template, by the first tag in it. */
static bool start_in_template(Reader *r, const Tag *tag, int kind) {
    if (kind == KIND_METADATA || kind == KIND_TITLE || kind == KIND_NO_FRAMES || kind == KIND_STYLE ||
        kind == KIND_SCRIPT || kind == KIND_TEMPLATE) {
        start_metadata(r, tag, kind);
        return true;
    }
    if (kind == KIND_CAPTION || kind == KIND_COLUMN_GROUP || kind == KIND_ROW_GROUP) r->mode = IN_TABLE;
    else if (kind == KIND_COLUMN) r->mode = IN_COLUMN_GROUP;
    else if (kind == KIND_ROW) r->mode = IN_TABLE_BODY;
    else if (kind == KIND_CELL) r->mode = IN_ROW;
    else r->mode = IN_BODY;
    r->template_modes[r->templates - 1] = r->mode;
    return false;
}

static bool start_in_frameset(Reader *r, const Tag *tag, int kind) {
    if (kind == KIND_HTML) merge_attributes(r, r->stack[0].node, tag);
    else if (kind == KIND_NO_FRAMES) start_metadata(r, tag, kind);
    else if (kind == KIND_FRAMESET && r->mode == IN_FRAMESET) insert(r, tag);
    else if (kind == KIND_FRAME && r->mode == IN_FRAMESET) insert_and_pop(r, tag);
    return true;
}

static bool start_in_mode(Reader *r, const Tag *tag, int kind) {
    switch (r->mode) {
        case IN_BODY:
            start_in_body(r, tag, kind);
            return true;
        case IN_TABLE:
            return start_in_table(r, tag, kind);
        case IN_CAPTION:
            if (is_table_kind(kind)) return !leave_caption(r);
            start_in_body(r, tag, kind);
            return true;
        case IN_COLUMN_GROUP:
            if (kind == KIND_HTML) {
                start_in_body(r, tag, kind);
                return true;
            }
            if (kind == KIND_COLUMN) {
                insert_and_pop(r, tag);
                return true;
            }
            if (kind == KIND_TEMPLATE) {
                open_template(r, tag);
                return true;
            }
            return !leave_column_group(r);
        case IN_TABLE_BODY:
            if (kind == KIND_ROW || kind == KIND_CELL) {
                clear_to(r, KIND_ROW_GROUP);
                if (kind == KIND_ROW) insert(r, tag);
                else insert_named(r, TAG_TR, NULL);
                r->mode = IN_ROW;
                return kind == KIND_ROW;
            }
            if (is_table_kind(kind)) return !leave_table_body(r);
            return start_in_table(r, tag, kind);
        case IN_ROW:
            if (kind == KIND_CELL) {
                clear_to(r, KIND_ROW);
                insert(r, tag);
                r->mode = IN_CELL;
                add_marker(r);
                return true;
            }
            if (is_table_kind(kind)) return !leave_row(r);
            return start_in_table(r, tag, kind);
        case IN_CELL:
            if (is_table_kind(kind)) return !leave_cell(r);
            start_in_body(r, tag, kind);
            return true;
        case IN_TEMPLATE:
            return start_in_template(r, tag, kind);
        case AFTER_BODY: case AFTER_AFTER_BODY:
            if (kind == KIND_HTML) {
                start_in_body(r, tag, kind);
                return true;
            }
            r->mode = IN_BODY;
            return false;
        case IN_FRAMESET: case AFTER_FRAMESET: case AFTER_AFTER_FRAMESET:
            return start_in_frameset(r, tag, kind);
        default:
            return start_before_body(r, tag, kind);
    }
}

static bool end_in_mode(Reader *r, uint32_t name, int kind) {
    switch (r->mode) {
        case IN_BODY:
            return end_in_body(r, name, kind);
        case IN_TABLE:
            return end_in_table(r, name, kind);
        case IN_CAPTION:
            if (kind == KIND_CAPTION) {
                leave_caption(r);
                return true;
            }
            if (kind == KIND_TABLE) return !leave_caption(r);
            if (is_table_kind(kind) || kind == KIND_BODY || kind == KIND_HTML) return true;
            return end_in_body(r, name, kind);
        case IN_COLUMN_GROUP:
            if (kind == KIND_COLUMN_GROUP) leave_column_group(r);
            else if (kind == KIND_TEMPLATE) close_template(r);
            else if (kind != KIND_COLUMN) return !leave_column_group(r);
            return true;
        case IN_TABLE_BODY:
            if (kind == KIND_ROW_GROUP) {
                if (in_scope(r, name, TABLE_SCOPE) >= 0) leave_table_body(r);
                return true;
            }
            if (kind == KIND_TABLE) return !leave_table_body(r);
            return end_in_table(r, name, kind);
        case IN_ROW:
            if (kind == KIND_ROW) {
                leave_row(r);
                return true;
            }
            if (kind == KIND_TABLE) return !leave_row(r);
            if (kind == KIND_ROW_GROUP) return in_scope(r, name, TABLE_SCOPE) < 0 || !leave_row(r);
            return end_in_table(r, name, kind);
        case IN_CELL:
            if (kind == KIND_CELL) {
                if (!close_at(r, in_scope(r, name, TABLE_SCOPE))) return true;
                clear_to_marker(r);
                r->mode = IN_ROW;
                return true;
            }
            if (kind == KIND_TABLE || kind == KIND_ROW_GROUP || kind == KIND_ROW)
                return in_scope(r, name, TABLE_SCOPE) < 0 || !leave_cell(r);
            if (is_table_kind(kind) || kind == KIND_BODY || kind == KIND_HTML) return true;
            return end_in_body(r, name, kind);
        case IN_TEMPLATE:
            if (kind == KIND_TEMPLATE) close_template(r);
            return true;
        case AFTER_BODY:
            r->mode = kind == KIND_HTML ? AFTER_AFTER_BODY : IN_BODY;
            return kind == KIND_HTML;
        case AFTER_AFTER_BODY:
            r->mode = IN_BODY;
            return false;
        case IN_FRAMESET:
            if (kind == KIND_FRAMESET && r->depth > 1) {
                pop(r);
                if (current(r)->name != TAG_FRAMESET) r->mode = AFTER_FRAMESET;
            }
            return true;
        case AFTER_FRAMESET:
            if (kind == KIND_HTML) r->mode = AFTER_AFTER_FRAMESET;
            return true;
        case AFTER_AFTER_FRAMESET:
            return true;
        default:
            return end_before_body(r, kind);
    }
}

/* Foreign content */

ALWAYS_INLINE bool breaks_out(Reader *r, const Tag *tag) {
    if (tag->name >= TAG_COUNT) return false;
    if (HTML_BITS[tag->name] & BREAKING_OUT) return true;
    if (tag->name != TAG_FONT) return false;
    for (int32_t k = tag->first; k < r->attribute_count; k++) {
        uint32_t name = r->attributes[k].name;
        if (name == ATTRIBUTE_COLOR || name == ATTRIBUTE_FACE || name == ATTRIBUTE_SIZE) return true;
    }
    return false;
}

static void leave_foreign(Reader *r) {
    while (r->depth > 1 && is_foreign(current(r)->name) &&
           !(current(r)->bits & (HTML_INTEGRATION | TEXT_INTEGRATION)))
        r->depth--;
}

static void start_foreign(Reader *r, const Tag *tag) {
    uint32_t name = tag->name | (current(r)->name & NAMESPACE);
    insert_named(r, name, tag);
    if (name == (TAG_ANNOTATION_XML | MATH_NAMESPACE)) {
        uint32_t encoding = NAMESPACE;  /* no name of an attribute */
        for (int32_t k = tag->first; k < r->attribute_count; k++) {
            uint32_t number = r->attributes[k].name;
            if (number & CUSTOM) {
                const Name *entry = &r->attribute_names.names[number ^ CUSTOM];
                if (entry->length == 8 && !memcmp(r->beside + entry->at, "encoding", 8)) encoding = number;
            }
        }
        if (encoding != NAMESPACE && (has_value(r, tag, encoding, "text/html") ||
                                   has_value(r, tag, encoding, "application/xhtml+xml")))
            current(r)->bits |= HTML_INTEGRATION;
    }
    if (tag->self_closing) pop(r);
}

static bool end_foreign(Reader *r, uint32_t name) {
    int32_t k = r->depth - 1;
    if (name == TAG_BR || name == TAG_P) {
        leave_foreign(r);
        return false;
    }
    for (; k > 0 && is_foreign(r->stack[k].name); k--) {
        count_work(r, 1);
        if ((r->stack[k].name & ~(uint32_t)NAMESPACE) == name) {
            pop_to(r, k);
            return true;
        }
    }
    return end_in_mode(r, name, kind_of(name));
}

/* Whether a start tag is taken by the rules of HTML, though the current node is foreign. */
ALWAYS_INLINE bool is_integrated(Reader *r, const Tag *tag) {
    const Open *open = current(r);
    if (open->bits & HTML_INTEGRATION) return true;
    if (open->bits & TEXT_INTEGRATION) return tag->name != TAG_MGLYPH && tag->name != TAG_MALIGNMARK;
    return open->name == (TAG_ANNOTATION_XML | MATH_NAMESPACE) && tag->name == TAG_SVG;
}

/* The tokens */

ALWAYS_INLINE void take_start_tag(Reader *r, Tag *tag) {
    int kind = kind_of(tag->name);
    r->skips_newline = false;
    for (;;) {
        if (UNLIKELY(r->depth > 0 && is_foreign(current(r)->name)) && !is_integrated(r, tag)) {
            if (!breaks_out(r, tag)) {
                start_foreign(r, tag);
                return;
            }
            leave_foreign(r);
            if (start_in_mode(r, tag, kind)) return;
        } else if (LIKELY(r->mode == IN_BODY)) {
            start_in_body(r, tag, kind);
            return;
        } else if (start_in_mode(r, tag, kind)) {
            return;
        }
    }
}

ALWAYS_INLINE void take_end_tag(Reader *r, uint32_t name) {
    int kind = kind_of(name);
    r->skips_newline = false;
    for (;;) {
        if (UNLIKELY(r->depth > 0 && is_foreign(current(r)->name))) {
            if (end_foreign(r, name)) return;
            if (is_foreign(current(r)->name)) {
                /* an integration point: the end tag is one of HTML */
                if (end_in_mode(r, name, kind)) return;
            }
        } else if (end_in_mode(r, name, kind)) {
            return;
        }
    }
}

/* Texts */

static void text_in_body(Reader *r, uint32_t at, uint32_t length) {
    reopen(r);
    if (r->frameset_ok && blank_length(r, at, length) != length) r->frameset_ok = false;
    insert_text(r, at, length);
}

/* Text of which only white space counts: in and after framesets. */
static void text_in_frameset(Reader *r, uint32_t at, uint32_t length) {
    const byte *text = bytes_at(r, at), *end = text + length;
    while (text < end) {
        uint32_t blank = (uint32_t)(skip_spaces(text, end) - text);
        insert_text(r, at, blank);
        text += blank;
        at += blank;
        while (text < end && !is_space(*text)) {
            text++;
            at++;
        }
    }
}

static void text_in_mode(Reader *r, uint32_t at, uint32_t length, bool has_zeros) {
    while (length) {
        uint32_t blank = blank_length(r, at, length);
        switch (r->mode) {
            case IN_TABLE: case IN_TABLE_BODY: case IN_ROW:
                if (has_zeros) at = without_zeros(r, at, &length, false);
                if (blank_length(r, at, length) == length &&
                    (current(r)->bits & TABLE_PART || current(r)->name == TAG_TEMPLATE)) {
                    insert_text(r, at, length);
                    return;
                }
                r->foster = true;
                if (length) text_in_body(r, at, length);
                r->foster = false;
                return;
            case IN_COLUMN_GROUP:
                insert_text(r, at, blank);
                if (blank == length || !leave_column_group(r)) return;
                break;
            case IN_FRAMESET: case AFTER_FRAMESET: case AFTER_AFTER_FRAMESET:
                text_in_frameset(r, at, length);
                return;
            case INITIAL: case BEFORE_HTML: case BEFORE_HEAD: case IN_HEAD: case AFTER_HEAD:
                if (r->mode == IN_HEAD || r->mode == AFTER_HEAD) insert_text(r, at, blank);
                if (blank != length) imply_start(r);
                break;
            default:
                if ((r->mode == AFTER_BODY || r->mode == AFTER_AFTER_BODY) && blank != length) r->mode = IN_BODY;
                if (has_zeros) at = without_zeros(r, at, &length, false);
                if (length) text_in_body(r, at, length);
                return;
        }
        at += blank;
        length -= blank;
    }
}

/* A line feed right behind a start tag of `pre` and the like is none. */
static void skip_newline(Reader *r, uint32_t *at, uint32_t *length) {
    const byte *text = bytes_at(r, *at);
    if (!r->skips_newline) return;
    r->skips_newline = false;
    if (*length && (*text == '\n' || (*text == '\r' && !(*at & BESIDE)))) {
        uint32_t skipped = *length > 1 && *text == '\r' && text[1] == '\n' ? 2 : 1;
        *at += skipped;
        *length -= skipped;
    }
}

ALWAYS_INLINE void take_text(Reader *r, uint32_t at, uint32_t length, bool has_zeros) {
    if (UNLIKELY(r->skips_newline)) skip_newline(r, &at, &length);
    if (UNLIKELY(r->depth > 0 && is_foreign(current(r)->name)) &&
        !(current(r)->bits & (HTML_INTEGRATION | TEXT_INTEGRATION))) {
        if (r->frameset_ok) {
            const byte *text = bytes_at(r, at), *end = text + length;
            while (text < end && (is_space(*text) || *text == 0)) text++;
            r->frameset_ok = text == end;
        }
        if (has_zeros) at = without_zeros(r, at, &length, true);
        insert_text(r, at, length);
        return;
    }
    if (LIKELY(r->mode == IN_BODY && !has_zeros && length)) text_in_body(r, at, length);
    else text_in_mode(r, at, length, has_zeros);
}

static void take_comment(Reader *r, uint32_t at, uint32_t length) {
    int32_t parent;
    r->skips_newline = false;
    if (r->depth > 0 && is_foreign(current(r)->name)) parent = current(r)->node;
    else if (r->mode < BEFORE_HEAD || r->mode == AFTER_AFTER_BODY || r->mode == AFTER_AFTER_FRAMESET) parent = DOCUMENT;
    else if (r->mode == AFTER_BODY) parent = r->stack[0].node;
    else parent = current(r)->node;
    insert_comment(r, COMMENT, at, length, parent);
}

/* A part of a document type: NULL where it has none. */
typedef struct { const byte *start; size_t length; } Identifier;
typedef struct { Identifier name, public_id, system_id; bool force_quirks; } Doctype;

static bool begins(Identifier identifier, const char *with) {
    size_t k = 0;
    if (identifier.start == NULL) return false;
    while (with[k] && k < identifier.length && lower(identifier.start[k]) == (byte)with[k]) k++;
    return !with[k];
}

static bool is_exactly(Identifier identifier, const char *text) {
    return identifier.length == strlen(text) && begins(identifier, text);
}

static bool means_quirks(const Doctype *type) {
    if (type->force_quirks || !is_exactly(type->name, "html") || is_exactly(type->public_id, "-//w3o//dtd w3 html strict 3.0//en//") ||
        is_exactly(type->public_id, "-/w3c/dtd html 4.0 transitional/en") || is_exactly(type->public_id, "html") ||
        is_exactly(type->system_id, "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"))
        return true;
    for (size_t k = 0; k < sizeof QUIRKS / sizeof *QUIRKS; k++)
        if (begins(type->public_id, QUIRKS[k])) return true;
    return type->system_id.start == NULL && (begins(type->public_id, "-//w3c//dtd html 4.01 frameset//") ||
                                             begins(type->public_id, "-//w3c//dtd html 4.01 transitional//"));
}

static void take_doctype(Reader *r, const Doctype *type, uint32_t at, uint32_t length) {
    r->skips_newline = false;
    if (r->mode != INITIAL) return;
    insert_comment(r, DOCTYPE, at, length, DOCUMENT);
    r->quirks = means_quirks(type);
    r->mode = BEFORE_HTML;
}

static void take_end(Reader *r) {
    for (;;) {
        if (r->mode <= AFTER_HEAD) imply_start(r);
        else if (r->templates) close_template(r);
        else return;
    }
}

#endif
