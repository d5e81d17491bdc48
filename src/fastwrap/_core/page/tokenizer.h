/* The tokenizer: the states of the HTML standard (13.2.5) in one pass over UTF-8, which hands every token to the
   construction. A text or a value is a place in the page; only where a character reference, a zero byte or a carriage
   return makes it another one, it is written beside the page. */
#ifndef FASTWRAP_TOKENIZER_H
#define FASTWRAP_TOKENIZER_H

#include "construction.h"

ALWAYS_INLINE uint32_t place_of(const Reader *r, const byte *at) { return (uint32_t)(at - r->html); }

/* What is written beside the page: it begins at `start`, and grows by `append`. */
ALWAYS_INLINE void append(Reader *r, const byte *from, size_t length) {
    memcpy(room_beside(r, length), from, length);
    r->beside_length += length;
}

/* A part of the page, with line feeds for carriage returns, and U+FFFD for zero bytes if these are to be shown. */
static void append_clean(Reader *r, const byte *from, const byte *end, bool shows_zeros) {
    while (from < end) {
        const byte *next = find2(from, end, '\r', shows_zeros ? 0 : '\r');
        append(r, from, (size_t)(next - from));
        if (next == end) return;
        if (*next == 0) {
            append(r, (const byte *)"\xEF\xBF\xBD", 3);
        } else {
            append(r, (const byte *)"\n", 1);
            if (next + 1 < end && next[1] == '\n') next++;
        }
        from = next + 1;
    }
}

/* Tokens as they are, for tests */

static void record(Reader *r, const byte *bytes, size_t length) {
    size_t wanted = r->recorded_length + length;
    if (wanted > r->recorded_capacity) {
        r->recorded = grown(r, r->recorded, 2 * wanted + 64, 1);
        r->recorded_capacity = 2 * wanted + 64;
    }
    if (length) memcpy(r->recorded + r->recorded_length, bytes, length);
    r->recorded_length = wanted;
}

static void record_part(Reader *r, const byte *bytes, size_t length) {
    uint32_t count = (uint32_t)length;
    record(r, (const byte *)&count, 4);
    record(r, bytes, length);
}

static void record_span(Reader *r, char kind, uint32_t at, uint32_t length, bool shows_zeros) {
    size_t beside = r->beside_length;
    record(r, (const byte *)&kind, 1);
    if (at & BESIDE) {
        record_part(r, bytes_at(r, at), length);
        return;
    }
    append_clean(r, bytes_at(r, at), bytes_at(r, at) + length, shows_zeros);
    record_part(r, r->beside + beside, r->beside_length - beside);
    r->beside_length = beside;
}

static void record_name(Reader *r, uint32_t name, bool is_tag) {
    const Names *names = is_tag ? &r->tags : &r->attribute_names;
    if (name & CUSTOM) {
        const Name *entry = &names->names[(name & ~(uint32_t)NAMESPACE) ^ CUSTOM];
        record_part(r, r->beside + entry->at, entry->length);
    } else {
        const char *known = is_tag ? TAG_NAMES[name & ~(uint32_t)NAMESPACE] : ATTRIBUTE_NAMES[name];
        record_part(r, (const byte *)known, strlen(known));
    }
}

static void record_tag(Reader *r, const Tag *tag) {
    uint32_t count = (uint32_t)(r->attribute_count - tag->first);
    record(r, (const byte *)"S", 1);
    record_name(r, tag->name, true);
    record(r, (const byte *)&tag->self_closing, 1);
    record(r, (const byte *)&count, 4);
    for (int32_t k = tag->first; k < r->attribute_count; k++) {
        record_name(r, r->attributes[k].name, false);
        record_part(r, bytes_at(r, r->attributes[k].at), r->attributes[k].length);
    }
}

static void record_doctype(Reader *r, const Doctype *type) {
    const Identifier parts[3] = {type->name, type->public_id, type->system_id};
    record(r, (const byte *)"D", 1);
    for (int k = 0; k < 3; k++) {
        byte is_there = parts[k].start != NULL;
        record(r, &is_there, 1);
        record_part(r, parts[k].start, parts[k].length);
    }
    record(r, (const byte *)&type->force_quirks, 1);
}

/* Character references */

ALWAYS_INLINE size_t written_utf8(byte *out, uint32_t c) {
    if (c < 0x80) {
        out[0] = (byte)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (byte)(0xC0 | c >> 6);
        out[1] = (byte)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (byte)(0xE0 | c >> 12);
        out[1] = (byte)(0x80 | (c >> 6 & 63));
        out[2] = (byte)(0x80 | (c & 63));
        return 3;
    }
    out[0] = (byte)(0xF0 | c >> 18);
    out[1] = (byte)(0x80 | (c >> 12 & 63));
    out[2] = (byte)(0x80 | (c >> 6 & 63));
    out[3] = (byte)(0x80 | (c & 63));
    return 4;
}

static const byte *read_numeric(Reader *r, const byte *at) {
    const byte *digits = at + 2;
    bool is_hex = digits < r->end && (*digits | 32) == 'x';
    uint32_t c = 0;
    if (is_hex) digits++;
    for (at = digits; at < r->end; at++) {
        uint32_t digit;
        if (is_digit(*at)) digit = *at - '0';
        else if (is_hex && (unsigned)((*at | 32) - 'a') < 6) digit = (*at | 32u) - 'a' + 10;
        else break;
        c = c > 0x10FFFF ? c : c * (is_hex ? 16 : 10) + digit;
    }
    if (at == digits) return NULL;
    if (at < r->end && *at == ';') at++;
    if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = 0xFFFD;
    else if (c >= 0x80 && c < 0xA0) c = CONTROLS[c - 0x80];
    room_beside(r, 4);
    r->beside_length += written_utf8(r->beside + r->beside_length, c);
    return at;
}

static const Reference *place_of_reference(const byte *name, size_t length, bool with_semicolon) {
    uint32_t hash = 2166136261u;
    size_t slot, full = length + with_semicolon;
    for (size_t k = 0; k < length; k++) hash = (hash ^ name[k]) * 16777619u;
    if (with_semicolon) hash = (hash ^ ';') * 16777619u;
    for (slot = (hash ^ hash >> 15) % REFERENCE_SLOTS; REFERENCES[slot].length; slot = (slot + 1) % REFERENCE_SLOTS) {
        const byte *letters = REFERENCE_LETTERS + REFERENCES[slot].at;
        if (REFERENCES[slot].length == full && !memcmp(letters, name, length) &&
            (letters[full - 1] == ';') == with_semicolon)
            return &REFERENCES[slot];
    }
    return NULL;
}

/* Write what the character reference at an ampersand stands for, and return where it ends; NULL if it is none. */
static const byte *read_reference(Reader *r, const byte *at, bool in_value) {
    const byte *name = at + 1, *end = name;
    const Reference *found = NULL;
    size_t length;
    if (name == r->end) return NULL;
    if (*name == '#') return read_numeric(r, at);
    while (end < r->end && end - name < LONGEST_REFERENCE && (is_letter(*end) || is_digit(*end))) end++;
    length = (size_t)(end - name);
    if (length == 0) return NULL;
    if (end < r->end && *end == ';' && (found = place_of_reference(name, length, true))) {
        end++;
    } else {
        if (length > LONGEST_BARE_REFERENCE) length = LONGEST_BARE_REFERENCE;
        while (length && !(found = place_of_reference(name, length, false))) length--;
        if (!found) return NULL;
        end = name + length;
        if (in_value && end < r->end && (*end == '=' || is_letter(*end) || is_digit(*end))) return NULL;
    }
    append(r, REFERENCE_LETTERS + found->at + found->length, found->written);
    return end;
}

/* A stretch of the page as it stands. */
ALWAYS_INLINE void append_from_page(Reader *r, const byte *from, const byte *end) {
    size_t length = (size_t)(end - from);
    byte *out = room_beside(r, length);
    if (LIKELY((size_t)(r->end - from) >= length + 16)) {
        for (size_t k = 0; k < length; k += 16) store(out + k, load(from + k));
    } else if (length) {
        memcpy(out, from, length);
    }
    r->beside_length += length;
}

/* What an ampersand, a carriage return or a zero byte of a text or value stands for; returns where it ends. */
NEVER_INLINE const byte *append_special(Reader *r, const byte *at, bool in_value) {
    if (*at == '&') {
        const byte *end = read_reference(r, at, in_value);
        if (end) return end;
    } else if (*at == '\r') {
        append(r, (const byte *)"\n", 1);
        return at + 1 + (r->end - at > 1 && at[1] == '\n');
    } else if (*at == 0 && in_value) {
        append(r, (const byte *)"\xEF\xBF\xBD", 3);
        return at + 1;
    }
    append(r, at, 1);
    return at + 1;
}

/* Tags */

/* Whether the tag has the attribute already: marks of other tags are older. */
NEVER_INLINE bool was_seen(Reader *r, int32_t first, uint32_t name) {
    int32_t place, from = r->attribute_count;
    if (r->attribute_count - first == FEW_ATTRIBUTES) {
        r->seen_mark++;
        from = first;
        if (r->seen_mark == 0) {
            memset(r->seen, 0, (size_t)r->seen_capacity * sizeof *r->seen);
            r->seen_mark = 1;
        }
    }
    for (;; from++) {
        uint32_t number = from < r->attribute_count ? r->attributes[from].name : name;
        place = number & CUSTOM ? ATTRIBUTE_COUNT + (int32_t)(number ^ CUSTOM) : (int32_t)number;
        if (place >= r->seen_capacity) {
            int32_t capacity = 2 * place + 256;
            r->seen = grown(r, r->seen, (size_t)capacity, sizeof *r->seen);
            memset(r->seen + r->seen_capacity, 0, (size_t)(capacity - r->seen_capacity) * sizeof *r->seen);
            r->seen_capacity = capacity;
        }
        if (from >= r->attribute_count) break;
        r->seen[place] = r->seen_mark;
    }
    if (r->seen[place] == r->seen_mark) return true;
    r->seen[place] = r->seen_mark;
    return false;
}

/* A value that has to be written beside the page, of which [start, at) is as it stands; `quote` is 0 for one without
   quotes. */
NEVER_INLINE const byte *write_value(Reader *r, const byte *start, const byte *at, byte quote, Attribute *value) {
    size_t beside = r->beside_length;
    for (;;) {
        append_from_page(r, start, at);
        if (at == r->end || (quote ? *at == quote : *at == '>' || is_space(*at))) break;
        start = at = append_special(r, at, true);
        if (quote) at = find4(at, r->end, quote, '&', 0, '\r');
        else while (at < r->end && *at && *at != '&' && *at != '>' && !is_space(*at)) at++;
    }
    value->at = (uint32_t)beside | BESIDE;
    value->length = (uint32_t)(r->beside_length - beside);
    return at;
}

/* The value of an attribute, from what is behind "=": returns where it ends, with its quote. */
ALWAYS_INLINE const byte *read_value(Reader *r, const byte *at, Attribute *value) {
    const byte *start, *end = r->end;
    byte quote;
    value->at = value->length = 0;
    while (at < end && is_space(*at)) at++;
    if (at == end || *at == '>') return at;
    quote = *at == '"' || *at == '\'' ? *at : 0;
    if (LIKELY(quote)) {
        start = ++at;
        at = find4(at, end, quote, '&', 0, '\r');
        if (at < end && UNLIKELY(*at != quote)) {
            at = write_value(r, start, at, quote, value);
        } else {
            value->at = place_of(r, start);
            value->length = (uint32_t)(at - start);
        }
        return at < end ? at + 1 : end;
    }
    for (start = at; at < end && *at != '>' && !is_space(*at); at++)
        if (*at == '&' || *at == 0) return write_value(r, start, at, 0, value);
    value->at = place_of(r, start);
    value->length = (uint32_t)(at - start);
    return at;
}

/* What is behind the name of a tag: returns where the tag ends; NULL if the page ends before. */
ALWAYS_INLINE const byte *read_attributes(Reader *r, const byte *at, Tag *tag) {
    const byte *end = r->end;
    uint64_t names = 0;  /* a bit for each that the tag has, and perhaps for others */
    tag->first = r->attribute_count;
    tag->self_closing = false;
    for (;;) {
        Attribute attribute;
        int32_t k;
        bool is_double;
        while (at < end && is_space(*at)) at++;
        if (at == end) return NULL;
        if (*at == '>') return at + 1;
        if (*at == '/') {
            if (++at < end && *at == '>') {
                tag->self_closing = true;
                return at + 1;
            }
            continue;
        }
        attribute.name = read_name(r, false, &at);
        while (at < end && is_space(*at)) at++;
        if (at < end && *at == '=') at = read_value(r, at + 1, &attribute);
        else attribute.at = attribute.length = 0;
        if (UNLIKELY(r->attribute_count - tag->first >= FEW_ATTRIBUTES)) {
            is_double = was_seen(r, tag->first, attribute.name);
        } else if (names & 1ULL << (attribute.name & 63)) {
            for (k = tag->first; k < r->attribute_count && r->attributes[k].name != attribute.name;) k++;
            is_double = k < r->attribute_count;
        } else {
            is_double = false;
        }
        names |= 1ULL << (attribute.name & 63);
        if (is_double) continue;
        if (UNLIKELY(r->attribute_count > (1 << 29))) fail(r, TOO_MANY);
        MAKE_ROOM(r, r->attributes, r->attribute_count, r->attribute_capacity);
        r->attributes[r->attribute_count++] = attribute;
    }
}

ALWAYS_INLINE const byte *read_end_tag(Reader *r, const byte *at, uint32_t *name) {
    Tag tag;
    const byte *end;
    *name = read_name(r, true, &at);
    if (LIKELY(at < r->end && *at == '>')) return at + 1;
    end = read_attributes(r, at, &tag);
    r->attribute_count = tag.first;
    return end;
}

/* Texts */

ALWAYS_INLINE void give_text(Reader *r, uint32_t at, uint32_t length, bool has_zeros) {
    if (UNLIKELY(r->records)) record_span(r, 'T', at, length, false);
    else take_text(r, at, length, has_zeros);
}

/* Whether a tag, a comment or the like begins at "<"; `</>` is nothing at all, and that is none. */
ALWAYS_INLINE bool is_markup(const Reader *r, const byte *at) {
    if (r->end - at < 2) return false;
    if (is_letter(at[1]) || at[1] == '!' || at[1] == '?') return true;
    return at[1] == '/' && r->end - at > 2 && at[2] != '>';
}

ALWAYS_INLINE bool is_nothing(const Reader *r, const byte *at) {
    return r->end - at > 2 && at[1] == '/' && at[2] == '>';
}

/* A text that has to be written beside the page, from `start` on; it goes on up to the next markup, or to an end tag
   of the element `until`. */
static bool is_end_tag(const Reader *r, const byte *at, const byte *name, size_t length) {
    if ((size_t)(r->end - at) < length + 3 || at[1] != '/') return false;
    for (size_t k = 0; k < length; k++)
        if (lower(at[2 + k]) != name[k]) return false;
    return at[2 + length] == '>' || at[2 + length] == '/' || is_space(at[2 + length]);
}

NEVER_INLINE const byte *write_text(Reader *r, const byte *start) {
    size_t beside = r->beside_length;
    const byte *at = start;
    bool has_zeros = false;
    for (;;) {
        at = find4(at, r->end, '<', '&', 0, '\r');
        if (at < r->end && *at == '<' && !is_nothing(r, at)) {
            if (is_markup(r, at)) break;
            at++;
            continue;
        }
        if (at == r->end) break;
        append_from_page(r, start, at);
        has_zeros |= *at == 0;
        start = at = *at == '<' ? at + 3 : append_special(r, at, false);
    }
    append_from_page(r, start, at);
    if (r->beside_length != beside)
        give_text(r, (uint32_t)beside | BESIDE, (uint32_t)(r->beside_length - beside), has_zeros);
    return at;
}

/* Text up to the next markup. */
ALWAYS_INLINE const byte *read_text(Reader *r, const byte *at) {
    const byte *start = at;
    bool has_zeros = false;
    for (;;) {
        at = find3(at, r->end, '<', '&', 0);
        if (at == r->end) break;
        if (*at == 0) {
            has_zeros = true;
            at++;
        } else if (*at == '&' || is_nothing(r, at)) {
            return write_text(r, start);
        } else if (is_markup(r, at)) {
            break;
        } else {
            at++;
        }
    }
    if (at != start) give_text(r, place_of(r, start), (uint32_t)(at - start), has_zeros);
    return at;
}

/* Where a script ends: it may have the beginnings of comments, and in these of further scripts. */
static const byte *end_of_script(Reader *r, const byte *at, const byte *name, size_t length, bool *has_zeros) {
    const byte *dashes = NULL;  /* where the dashes of a comment may begin that end it */
    bool escaped = false, doubly = false;
    for (;;) {
        at = escaped ? find3(at, r->end, '<', '>', 0) : find2(at, r->end, '<', 0);
        if (at == r->end) return at;
        if (*at == 0) {
            *has_zeros = true;
        } else if (*at == '>') {
            if (at - dashes >= 2 && at[-1] == '-' && at[-2] == '-') escaped = doubly = false;
        } else if (!doubly && is_end_tag(r, at, name, length)) {
            return at;
        } else if (doubly) {
            if (is_end_tag(r, at, (const byte *)"script", 6)) {
                doubly = false;
                at += 8;
            }
        } else if (!escaped) {
            if (r->end - at >= 4 && at[1] == '!' && at[2] == '-' && at[3] == '-') {
                escaped = true;
                dashes = at + 2;
                at += 3;
            }
        } else if (r->end - at >= 8 && lower(at[1]) == 's' && lower(at[2]) == 'c' && lower(at[3]) == 'r' &&
                   lower(at[4]) == 'i' && lower(at[5]) == 'p' && lower(at[6]) == 't' &&
                   (at[7] == '>' || at[7] == '/' || is_space(at[7]))) {
            doubly = true;
            at += 7;
        }
        at++;
    }
}

static void give_raw_text(Reader *r, uint32_t at, uint32_t length, bool has_zeros) {
    if (has_zeros) at = without_zeros(r, at, &length, true);
    if (r->records) record_span(r, 'T', at, length, true);
    else if (r->content == PLAIN_TEXT) take_text(r, at, length, false);
    else {
        skip_newline(r, &at, &length);
        insert_text(r, at, length);
    }
}

/* The text of an element that has nothing else, and its end tag. */
static const byte *read_content(Reader *r, const byte *at, const byte *name, size_t length) {
    const byte *start = at;
    bool has_zeros = false, is_written = false;
    size_t beside = r->beside_length;
    uint32_t closed;
    if (r->content == SCRIPT_DATA) {
        at = end_of_script(r, at, name, length, &has_zeros);
    } else if (r->content == PLAIN_TEXT) {
        has_zeros = memchr(at, 0, (size_t)(r->end - at)) != NULL;
        at = r->end;
    } else {
        byte reference = r->content == RCDATA ? '&' : '<';
        for (;;) {
            at = find3(at, r->end, '<', reference, 0);
            if (at == r->end || (*at == '<' && is_end_tag(r, at, name, length))) break;
            if (*at == 0) {
                has_zeros = true;
            } else if (*at == '&') {
                const byte *end;
                append_clean(r, start, at, true);
                start = at;
                is_written = true;
                if ((end = read_reference(r, at, false))) {
                    start = at = end;
                    continue;
                }
            }
            at++;
        }
    }
    if (is_written) {
        append_clean(r, start, at, true);
        give_raw_text(r, (uint32_t)beside | BESIDE, (uint32_t)(r->beside_length - beside), false);
    } else if (at != start) {
        give_raw_text(r, place_of(r, start), (uint32_t)(at - start), has_zeros);
    }
    if (r->content == PLAIN_TEXT) return at;
    r->skips_newline = false;
    if (at < r->end) {
        at = read_end_tag(r, at + 2, &closed);
        if (r->records && at) {
            record(r, (const byte *)"E", 1);
            record_name(r, closed, true);
        }
    }
    if (!r->records) pop(r);
    r->content = MARKUP;
    return at ? at : r->end;
}

/* Characters in foreign content that are no markup, whatever they look like. */
static const byte *read_section(Reader *r, const byte *at) {
    const byte *start = at, *end = at;
    while ((end = memchr(end, ']', (size_t)(r->end - end))) && !(r->end - end >= 3 && end[1] == ']' && end[2] == '>'))
        end++;
    at = end ? end : r->end;
    if (at != start) give_text(r, place_of(r, start), (uint32_t)(at - start), memchr(start, 0, (size_t)(at - start)) != NULL);
    return end ? end + 3 : r->end;
}

/* Comments and document types */

static void give_comment(Reader *r, const byte *start, const byte *end) {
    if (r->records) record_span(r, 'C', place_of(r, start), (uint32_t)(end - start), true);
    else take_comment(r, place_of(r, start), (uint32_t)(end - start));
}

static const byte *read_comment(Reader *r, const byte *at) {
    const byte *start = at, *end = r->end;
    if (at < end && *at == '>') {
        give_comment(r, at, at);
        return at + 1;
    }
    if (end - at > 1 && at[0] == '-' && at[1] == '>') {
        give_comment(r, at, at);
        return at + 2;
    }
    while ((at = memchr(at, '>', (size_t)(end - at)))) {
        if (at - start >= 2 && at[-1] == '-' && at[-2] == '-') {
            give_comment(r, start, at - 2);
            return at + 1;
        }
        if (at - start >= 3 && at[-1] == '!' && at[-2] == '-' && at[-3] == '-') {
            give_comment(r, start, at - 3);
            return at + 1;
        }
        at++;
    }
    if (end - start >= 3 && end[-1] == '!' && end[-2] == '-' && end[-3] == '-') end -= 3;
    else if (end - start >= 2 && end[-1] == '-' && end[-2] == '-') end -= 2;
    else if (end - start >= 1 && end[-1] == '-') end -= 1;
    give_comment(r, start, end);
    return r->end;
}

static const byte *read_bogus_comment(Reader *r, const byte *at) {
    const byte *end = memchr(at, '>', (size_t)(r->end - at));
    give_comment(r, at, end ? end : r->end);
    return end ? end + 1 : r->end;
}

/* A part of the type, up to one of two bytes; zero bytes are shown, and names are in lower case. */
static Identifier read_identifier(Reader *r, const byte **at, byte quote, size_t *written) {
    const byte *start = *at, *end = start;
    Identifier identifier;
    size_t beside = *written = r->beside_length;
    while (end < r->end && *end != '>' && (quote ? *end != quote : !is_space(*end))) end++;
    append_clean(r, start, end, true);
    if (!quote)
        for (size_t k = beside; k < r->beside_length; k++) r->beside[k] = lower(r->beside[k]);
    identifier.start = NULL;  /* until nothing moves any more */
    identifier.length = r->beside_length - beside;
    *at = end;
    return identifier;
}

static bool has_word(const Reader *r, const byte *at, const char *word, size_t length) {
    if ((size_t)(r->end - at) < length) return false;
    for (size_t k = 0; k < length; k++)
        if (lower(at[k]) != (byte)word[k]) return false;
    return true;
}

/* The identifier in quotes behind a keyword or another one; false where there is none, or where it has no end. */
static bool read_quoted(Reader *r, const byte **at, Identifier *identifier, size_t *written, bool *is_there) {
    byte quote;
    while (*at < r->end && is_space(**at)) ++*at;
    if (*at == r->end || (**at != '"' && **at != '\'')) return false;
    quote = *(*at)++;
    *identifier = read_identifier(r, at, quote, written);
    *is_there = true;
    if (*at == r->end || **at != quote) return false;
    ++*at;
    return true;
}

static const byte *read_doctype(Reader *r, const byte *at) {
    Doctype type = {{NULL, 0}, {NULL, 0}, {NULL, 0}, false};
    size_t places[3] = {0, 0, 0}, beside;
    bool there[3] = {false, false, false};
    while (at < r->end && is_space(*at)) at++;
    if (at == r->end || *at == '>') {
        type.force_quirks = true;
    } else {
        type.name = read_identifier(r, &at, 0, &places[0]);
        there[0] = true;
        while (at < r->end && is_space(*at)) at++;
        if (at == r->end) {
            type.force_quirks = true;
        } else if (has_word(r, at, "public", 6)) {
            at += 6;
            if (!read_quoted(r, &at, &type.public_id, &places[1], &there[1])) {
                type.force_quirks = true;
            } else {
                while (at < r->end && is_space(*at)) at++;
                if (at == r->end || (*at != '>' && !read_quoted(r, &at, &type.system_id, &places[2], &there[2])))
                    type.force_quirks = true;
            }
        } else if (has_word(r, at, "system", 6)) {
            at += 6;
            type.force_quirks = !read_quoted(r, &at, &type.system_id, &places[2], &there[2]);
        } else if (*at != '>') {
            type.force_quirks = true;
        }
    }
    if (there[2] && !type.force_quirks) {
        while (at < r->end && is_space(*at)) at++;
        if (at == r->end) type.force_quirks = true;
    }
    at = memchr(at, '>', (size_t)(r->end - at));
    /* The type as tests write it. */
    beside = r->beside_length;
    room_beside(r, type.name.length + type.public_id.length + type.system_id.length + 8);
    if (there[0]) type.name.start = r->beside + places[0];
    if (there[1]) type.public_id.start = r->beside + places[1];
    if (there[2]) type.system_id.start = r->beside + places[2];
    if (r->records) {
        record_doctype(r, &type);
        return at ? at + 1 : r->end;
    }
    append(r, type.name.start ? type.name.start : (const byte *)"", type.name.length);
    if (type.public_id.length || type.system_id.length) {
        append(r, (const byte *)" \"", 2);
        if (type.public_id.length) append(r, type.public_id.start, type.public_id.length);
        append(r, (const byte *)"\" \"", 3);
        if (type.system_id.length) append(r, type.system_id.start, type.system_id.length);
        append(r, (const byte *)"\"", 1);
    }
    take_doctype(r, &type, (uint32_t)beside | BESIDE, (uint32_t)(r->beside_length - beside));
    return at ? at + 1 : r->end;
}

/* What begins with "<!". */
static const byte *read_declaration(Reader *r, const byte *at) {
    size_t length = (size_t)(r->end - at);
    if (length >= 2 && at[0] == '-' && at[1] == '-') return read_comment(r, at + 2);
    if (has_word(r, at, "doctype", 7)) return read_doctype(r, at + 7);
    if (length >= 7 && !memcmp(at, "[CDATA[", 7) && r->depth > 0 && is_foreign(current(r)->name))
        return read_section(r, at + 7);
    return read_bogus_comment(r, at);
}

/* The page from one place to its end. */
static void read_tokens(Reader *r, const byte *at) {
    while (at < r->end) {
        if (*at != '<' || !is_markup(r, at)) {
            at = read_text(r, at);
        } else if (is_letter(at[1])) {
            Tag tag;
            at++;
            tag.name = read_name(r, true, &at);
            at = read_attributes(r, at, &tag);
            if (at == NULL) {
                r->attribute_count = tag.first;
                break;
            }
            if (UNLIKELY(r->records)) {
                record_tag(r, &tag);
                continue;
            }
            take_start_tag(r, &tag);
            if (UNLIKELY(r->content)) {
                const char *name = TAG_NAMES[tag.name];
                at = read_content(r, at, (const byte *)name, strlen(name));
            }
        } else if (at[1] == '/') {
            if (LIKELY(is_letter(at[2]))) {
                uint32_t name;
                at = read_end_tag(r, at + 2, &name);
                if (at == NULL) break;
                if (UNLIKELY(r->records)) {
                    record(r, (const byte *)"E", 1);
                    record_name(r, name, true);
                } else {
                    take_end_tag(r, name);
                }
            } else {
                at = read_bogus_comment(r, at + 2);
            }
        } else if (at[1] == '!') {
            at = read_declaration(r, at + 2);
        } else {
            at = read_bogus_comment(r, at + 1);
        }
    }
}

#endif
