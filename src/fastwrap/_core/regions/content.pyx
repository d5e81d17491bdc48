"""What a reader sees of a page: the letters of texts, pictures by their size, and which item of a record each one is.
Linear in the nodes. Nothing here is for Python."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from fastwrap._core.common.hashing cimport Numbers, eight_bytes, number_of, size_of_numbers, start_numbers
from fastwrap._core.common.names cimport (
    ATTRIBUTE_FOR, ATTRIBUTE_HEIGHT, ATTRIBUTE_WIDTH, TAG_A, TAG_INPUT, TAG_LABEL, TAG_SELECT, TAG_TD, TAG_TEXTAREA,
    TAG_TH,
)
from fastwrap._core.common.page cimport NO_ENTRY, PageArrays, attribute_of, subtree_end
from fastwrap._core.common.scratch cimport piece
from fastwrap._core.regions.autorm cimport AutormOptions, Content, RecordSearch, items_of
from fastwrap._core.regions.links cimport Links

cdef enum:
    DATA = 100              # bytes from which on a hidden text may be data
    LABEL = 64              # nodes before and after a label among which its control is looked for

cdef enum:
    NOTHING, WORDS, PICTURE, CONTROL    # what a node is to a reader, as `fastwrap.regions.autorm` numbers it


# Letters

cdef inline double pixels(const PageArrays *page, int32_t entry) noexcept nogil:
    """The value of an attribute if it is a plain number, else infinity."""
    cdef const unsigned char *at = page.values + page.value_start[entry]
    cdef const unsigned char *end = page.values + page.value_start[entry + 1]
    cdef double number = 0
    if at == end:
        return INFINITY
    while at < end:
        if not 48 <= at[0] <= 57:
            return INFINITY
        number = 10 * number + (at[0] - 48)
        at += 1
    return number


cdef double picture_letters(const PageArrays *page, const AutormOptions *options, int32_t node) noexcept nogil:
    """What a picture is worth: by its size where the page says it, and nothing if it is there for the layout."""
    cdef double width = INFINITY, height = INFINITY
    cdef int32_t entry
    for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
        if page.attribute_name[entry] == ATTRIBUTE_WIDTH:
            width = pixels(page, entry)
        elif page.attribute_name[entry] == ATTRIBUTE_HEIGHT:
            height = pixels(page, entry)
    if min(width, height) <= options.spacer:
        return 0
    if width == INFINITY or height == INFINITY:
        return options.image
    return min(width * height / options.letter, options.largest_image)


cdef inline int32_t continued(const unsigned char *text, int32_t begin, int32_t end) noexcept nogil:
    """How many bytes of a text in UTF-8 continue a letter."""
    cdef int32_t k, count = 0
    for k in range(begin, end):
        count += (text[k] & 0xC0) == 0x80
    return count


cdef inline int32_t next_beyond_ascii(const unsigned char *text, int32_t begin, int32_t end) noexcept nogil:
    """The first byte from `begin` on that is not a letter by itself, or `end`."""
    while end - begin >= 8 and eight_bytes(text + begin) & <uint64_t>0x8080808080808080 == 0:
        begin += 8
    while begin < end and text[begin] < 0x80:
        begin += 1
    return begin


cdef inline bint is_data(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text is an object or an array of JSON, by its looks: nobody reads it where it is hidden."""
    return length > DATA and (text[0] == 123 or text[0] == 91) and (
        text[1] == 34 or text[1] == 123 or text[1] == 91 or text[1] <= 32)


cdef bint is_for_control(const PageArrays *page, int32_t label) noexcept nogil:
    """Whether a label is that of a control: it has one in it or beside it or, if it names one, in the next box."""
    cdef int32_t node, around = max(page.parent[label], 0)
    if attribute_of(page, label, ATTRIBUTE_FOR) != NO_ENTRY:
        around = max(page.parent[around], 0)
    for node in range(max(around, label - LABEL), min(subtree_end(page, around), label + LABEL)):
        if page.tag[node] == TAG_INPUT or page.tag[node] == TAG_SELECT or page.tag[node] == TAG_TEXTAREA:
            return True
    return False


cdef void list_links(Links *links) noexcept nogil:
    """List the links of a page, none of which is read."""
    cdef const PageArrays *page = links.page
    cdef const int32_t *tag = page.tag
    cdef int32_t *before = links.before
    cdef int32_t *nodes = links.nodes
    cdef int32_t node, count = 0
    for node in range(page.count):
        before[node] = count
        nodes[count] = node
        count += tag[node] == TAG_A
    before[page.count] = count
    memset(links.kinds, 0, count * sizeof(uint64_t))
    links.known.length = 0


cdef bint read_letters(const PageArrays *page, const AutormOptions *options, Content *content,
                       bint with_hidden) noexcept nogil:
    """Fill in all but the items and the tag paths; returns whether most is hidden."""
    cdef int32_t node, control_end = 0, shown = 0, begin, end, beyond
    cdef int32_t text_end = page.text_start[page.count]
    cdef uint8_t seen_as
    cdef double letters, before = 0, plain = 0, all_letters = 0
    beyond = next_beyond_ascii(page.text, page.text_start[0], text_end)
    for node in range(page.count):
        content.letters_before[node] = before
        content.shown_before[node] = shown
        seen_as = options.seen_as[min(page.tag[node], options.known_tags)]
        if seen_as == NOTHING:
            continue
        if seen_as == CONTROL and (page.tag[node] != TAG_LABEL or is_for_control(page, node)):
            control_end = max(control_end, subtree_end(page, node))
        if node < control_end:
            continue
        letters = 0
        if seen_as == WORDS:
            # The letters of a text are all bytes but those that continue one, without the space that follows it.
            begin = page.text_start[node]
            end = page.text_start[node + 1]
            letters = end - begin - 1
            if beyond < end:
                letters -= continued(page.text, begin, end)
                beyond = next_beyond_ascii(page.text, end, text_end)
            if page.hidden[node] and is_data(page.text + begin, end - begin):
                letters = 0
        elif seen_as == PICTURE:
            letters = picture_letters(page, options, node)
        all_letters += letters
        if page.hidden[node] and not with_hidden:
            letters *= options.hidden
        else:
            plain += letters
        before += letters
        content.shown[shown] = node
        shown += letters > 0
    content.letters_before[page.count] = before
    content.shown_before[page.count] = shown
    content.total = max(1.0, content.letters_before[page.body_end] - content.letters_before[page.body])
    return 2 * plain < all_letters


# Items

cdef inline bint is_cell(const PageArrays *page, int32_t node) noexcept nogil:
    return (page.tag[node] == TAG_TD) | (page.tag[node] == TAG_TH)


cdef inline bint is_within_link(const PageArrays *page, int32_t node, int32_t cell) noexcept nogil:
    """Whether there is a link around a node, in its cell."""
    while node > cell:
        node = page.parent[node]
        if page.tag[node] == TAG_A:
            return True
    return False


cdef int32_t mark_columns(const RecordSearch *search, int32_t *column, char *memory) noexcept nogil:
    """Write the column of what is alone in its table cell, from 1; returns how many nodes have one.

    Links in cells that are alike are objects in a grid, not the columns of a row: they keep column 0.
    """
    cdef const PageArrays *page = search.page
    cdef size_t room = page.count * sizeof(int32_t)
    cdef int32_t *place = <int32_t *>piece(&memory, room)       # cell -> its place in its row, from 1 ...
    cdef int32_t *alike = <int32_t *>piece(&memory, room)       # ... whether a cell next to it has an equal tree ...
    cdef int32_t *last = <int32_t *>piece(&memory, room)        # ... row -> the last cell met so far, plus one
    cdef int32_t node, cell, row, before, marked = 0
    memset(last, 0, room)
    for cell in range(1, page.count):
        if is_cell(page, cell):
            row = page.parent[cell]
            before = last[row] - 1
            last[row] = cell + 1
            place[cell] = place[before] + 1 if before >= 0 else 1
            alike[cell] = before >= 0 and page.structural_class[before] == page.structural_class[cell]
            if alike[cell]:
                alike[before] = True
    # Of cells within cells, the outermost has the last word.
    for cell in range(page.count - 1, 0, -1):
        if is_cell(page, cell) and items_of(search, cell) == 1:
            node = search.content.shown[search.content.shown_before[cell]]
            marked += column[node] == 0
            column[node] = 0 if alike[cell] and is_within_link(page, node, cell) else place[cell]
    return marked


cdef void read_items(RecordSearch *search) noexcept nogil:
    """Fill in `items` and `tag_path`: numbers by tag path, with styles and without.

    What is alone in a table cell is told from what is in the other columns as well.
    """
    cdef const PageArrays *page = search.page
    cdef Content *content = &search.content
    cdef int32_t node, path, number, k, distinct = page.path_count, cells = 0, columns = 0
    cdef uint64_t key
    cdef Numbers numbers
    cdef char *memory = <char *>search.scratch
    cdef void *table = piece(&memory, size_of_numbers(page.count))
    cdef int32_t *column = <int32_t *>piece(&memory, page.count * sizeof(int32_t))
    cdef int32_t *without_styles = search.seen_in_turn      # tag path -> without styles, plus one; cleared below
    for node in range(page.count):
        cells |= is_cell(page, node)
    if cells:
        memset(column, 0, page.count * sizeof(int32_t))
        columns = mark_columns(search, column, memory)
    start_numbers(&numbers, table, page.count, distinct // 4)
    memset(without_styles, 0, distinct * sizeof(int32_t))
    content.tag_path_count = 0
    for node in range(page.count):
        path = page.path_symbol[node]
        number = without_styles[path]
        if number == 0:
            # Paths are numbered by that of their parent and their tag.
            key = 0 if page.parent[node] < 0 else content.tag_path[page.parent[node]] + 1
            number = number_of(&numbers, key, page.tag[node], &content.tag_path_count) + 1
            without_styles[path] = number
        content.tag_path[node] = number - 1
    for k in range(content.shown_before[page.count]):
        content.items[k] = page.path_symbol[content.shown[k]]
    if columns:
        start_numbers(&numbers, table, page.count, columns // 4)
        for k in range(content.shown_before[page.count]):
            node = content.shown[k]
            if column[node]:
                content.items[k] = number_of(&numbers, <uint64_t>content.items[k], column[node], &distinct)
    memset(search.seen_in_turn, 0, distinct * sizeof(int32_t))


cdef size_t size_of_content(size_t nodes) noexcept nogil:
    """The scratch memory that `read_content` needs."""
    return size_of_numbers(nodes) + 4 * (nodes * sizeof(int32_t) + 16) + 16


cdef void read_content(RecordSearch *search) noexcept nogil:
    """Fill in all about the content, and list the links. Where most is hidden, a script shows it later."""
    if read_letters(search.page, &search.options, &search.content, False):
        read_letters(search.page, &search.options, &search.content, True)
    read_items(search)
    list_links(&search.links)
