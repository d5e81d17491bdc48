/* Fuzzes the reader without Python: whatever the bytes, it ends, and what it makes is a tree.
   The first byte says what is made of the others, so that tokens, trees and texts are looked at, too. */
#include "arrays.h"

#include <stdio.h>

static void expect(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

static void expect_tree(const Arrays *page) {
    expect(page->nodes > 0 && page->parent[0] == NO_NODE && page->size[0] == page->nodes, "root");
    for (int32_t node = 1; node < page->nodes; node++) {
        int32_t up = page->parent[node];
        expect(up >= 0 && up < node && node + page->size[node] <= up + page->size[up], "a node is within its parent");
        expect(page->depth[node] == page->depth[up] + 1, "depth");
        expect(page->text_start[node] >= page->text_start[node - 1], "texts are in order");
        expect(page->attribute_start[node] >= page->attribute_start[node - 1], "attributes are in order");
        expect(page->tag[node] != TEXT_NODE || (size_t)page->text_start[node] < page->text_length, "a text says something");
    }
    for (int32_t k = 1; k < page->attributes; k++)
        expect(page->value_start[k] >= page->value_start[k - 1], "values are in order");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Reader *reader;
    static Arrays *page;
    int wanted = size ? data[0] & 3 : 0, content = size ? (data[0] >> 2 & 7) - 1 : 0;
    byte *exact;
    if (!reader) {
        begin_reading();
        reader = calloc(1, sizeof(Reader));
        page = calloc(1, sizeof(Arrays));
    }
    if (size) data++, size--;
    exact = malloc(size ? size : 1);  /* so that reading beyond the end is seen */
    if (size) memcpy(exact, data, size);
    if (content > PLAIN_TEXT) content = MARKUP;
    if (read_page(reader, page, exact, size, wanted, content, "title") == 0 && wanted == ARRAYS) expect_tree(page);
    free(exact);
    return 0;
}
