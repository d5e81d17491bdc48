"""Items of records, and the columns they make: texts and attributes, counted by slot and kind.
What too few records have, or all the same, is no column; so are the rarest where a table would be too large."""

from cpython.unicode cimport PyUnicode_GET_LENGTH
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from fastwrap._core.columns.alignment cimport NOWHERE, TemplateTree, end_of, start_of
from fastwrap._core.columns.separators cimport (
    FILES_BIT, WORDS_BIT, SlotTexts, compare_separators, first_length, first_text, ways_to_split,
)
from fastwrap._core.common.buffers cimport held_numbers
from fastwrap._core.common.hashing cimport hashed
from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport PageArrays, value_length


cdef void add_kind(ItemAttributes *attributes, int32_t name) noexcept nogil:
    """Let an attribute be an item; there is room for it."""
    cdef int32_t byte = name & (LAST_BYTES - 1)
    attributes.names[attributes.count] = name
    attributes.before[attributes.count] = attributes.by_byte[byte]
    attributes.count += 1
    attributes.by_byte[byte] = <uint8_t>attributes.count


cdef int take_attributes(ItemAttributes *attributes, names) except -1:
    """Take the numbers of attributes that are items; ValueError for too many of them."""
    cdef Py_ssize_t count = len(names)
    cdef const int32_t *numbers
    cdef int32_t kind
    if count > MAX_KINDS:
        raise ValueError(f"more than {MAX_KINDS} attributes are wanted")
    numbers = held_numbers(names, count)
    attributes.count = 0
    memset(attributes.by_byte, 0, LAST_BYTES)
    for kind in range(<int32_t>count):
        add_kind(attributes, numbers[kind])
    return 0


cdef list add_data_attributes(ItemAttributes *attributes, dict names, int32_t most):
    """Add the attributes of a page called data-..., at most so many. Returns their numbers."""
    cdef list added = []
    cdef str name
    for number, written in names.items():
        name = written
        if PyUnicode_GET_LENGTH(name) >= 5 and name[0] == "d" and name.startswith("data-"):
            if len(added) == most or attributes.count == MAX_KINDS:
                break
            added.append(number)
            add_kind(attributes, number)
    return added


cdef void keep_used(ItemAttributes *attributes, const PageArrays *page, const Records *records,
                    uint8_t *numbers) noexcept nogil:
    """Drop the kinds of data that no record has: most pages have few, and tables are as wide as there are kinds.

    Writes the former number of each kind, with that of texts, which comes last.
    """
    cdef ItemAttributes given = attributes[0]
    cdef uint8_t[MAX_KINDS] used
    cdef int32_t record, entry, kind
    memset(used, 0, MAX_KINDS)
    for record in range(records.count):
        for entry in range(page.attribute_start[start_of(records, record)],
                           page.attribute_start[end_of(records, record)]):
            kind = kind_of(&given, page.attribute_name[entry])
            if kind != NOWHERE:
                used[kind] = True
    attributes.count = 0
    memset(attributes.by_byte, 0, LAST_BYTES)
    for kind in range(given.count):
        if kind < given.first_data or kind == given.alternative or used[kind]:
            if kind == given.alternative:
                attributes.alternative = attributes.count
            numbers[attributes.count] = <uint8_t>kind
            add_kind(attributes, given.names[kind])
    numbers[attributes.count] = <uint8_t>given.count


cdef inline void compare_text(SlotTexts *texts, const PageArrays *page, int32_t node) noexcept nogil:
    """Count a text of a slot, and how much of its beginning it shares with the first one."""
    cdef const unsigned char *text = page.text + page.text_start[node]
    cdef int32_t length = page.text_start[node + 1] - 1 - page.text_start[node], shared = 0
    cdef const unsigned char *first
    if texts.items == 0:
        texts.first = node
        texts.prefix = length
    else:
        first = page.text + first_text(texts, page)
        length = min(texts.prefix, length)
        while shared < length and text[shared] == first[shared]:
            shared += 1
        texts.prefix = shared
    texts.length += page.text_start[node + 1] - 1 - page.text_start[node]
    texts.items += 1


cdef inline bint may_be_split(const SlotTexts *texts, const PageArrays *page, int32_t longest) noexcept nogil:
    """Whether texts are several, not all the same, and not so long that separators mean nothing in them."""
    return texts.items >= 2 and texts.length <= <int64_t>longest * texts.items and not (
        texts.prefix == first_length(texts, page) and texts.length == <int64_t>texts.items * texts.prefix)


cdef bint is_file_name(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text ends like the name of an image file: a point among the last five bytes, and no space."""
    cdef int32_t at
    for at in range(length):
        if text[at] == c" ":
            return False
    for at in range(max(1, length - 5), length - 2):
        if text[at] == c".":
            return True
    return False


cdef inline bint is_structure(const PageArrays *page, int32_t entry) noexcept nogil:
    """Whether a value is JSON: data of a program, not an item."""
    cdef unsigned char first = page.values[page.value_start[entry]]
    return first == c"{" or first == c"["


cdef void count_items(const PlacedRecords *placed, const int32_t *into, ItemCount *counts,
                      SlotTexts *texts) noexcept nogil:
    """Count the items of each slot and kind, and compare the texts of each slot."""
    cdef const PageArrays *page = placed.page
    cdef const ItemAttributes *attributes = placed.attributes
    cdef int32_t kinds = attributes.count + 1, record, node, entry, kind, i = -1, slot
    cdef ItemCount *count
    cdef uint64_t hash
    for record in range(placed.records.count):
        for node in range(start_of(placed.records, record), end_of(placed.records, record)):
            i += 1
            if page.tag[node] == TEXT:
                slot = placed.slots[i]
                counts[<int64_t>into[slot] * kinds + kinds - 1].items += 1
                compare_text(&texts[slot], page, node)
                continue
            for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
                kind = kind_of(attributes, page.attribute_name[entry])
                if (kind == NOWHERE or value_length(page, entry) == 0
                        or (kind >= attributes.first_data and is_structure(page, entry))):
                    continue
                slot = into[placed.slots[i]]
                texts[slot].attributed = True
                count = &counts[<int64_t>slot * kinds + kind]
                if kind >= attributes.first_data and not count.differ:
                    hash = hashed(page.values + page.value_start[entry], value_length(page, entry), 0)
                    if count.items == 0:
                        count.first = hash
                    count.differ = hash != count.first
                elif kind == attributes.alternative and count.items == 0:
                    texts[slot].named = is_file_name(page.values + page.value_start[entry], value_length(page, entry))
                count.items += 1


cdef int32_t count_columns(const PlacedRecords *placed, const TemplateTree *tree, Columns *columns) noexcept nogil:
    """Count the items of all slots and kinds, 0 for those that are no column. Returns how many columns there are."""
    cdef int32_t kinds = placed.attributes.count + 1, slot, kind, width = 0
    cdef ItemCount *of_slot
    count_items(placed, tree.into, columns.counts, columns.texts)
    for slot in range(tree.count):
        of_slot = &columns.counts[<int64_t>slot * kinds]
        if columns.texts[slot].attributed:
            for kind in range(kinds - 1):
                if kind >= placed.attributes.first_data and (
                        not of_slot[kind].differ or 2 * <int64_t>of_slot[kind].items < placed.records.count):
                    of_slot[kind].items = 0
                width += of_slot[kind].items > 0
        width += of_slot[kinds - 1].items > 0
    return width


cdef int32_t compare_texts(const PlacedRecords *placed, const TemplateTree *tree, int32_t longest,
                           Columns *columns) noexcept nogil:
    """Look for separators in the texts of columns that may be split. -1: no memory."""
    cdef int32_t kinds = placed.attributes.count + 1, slot, items, compared = 0
    cdef SlotTexts *texts
    for slot in range(tree.count):
        texts = &columns.texts[slot]
        items = columns.counts[<int64_t>slot * kinds + kinds - 1].items
        if (items and texts.items == items and tree.list_of[slot] == NOWHERE
                and may_be_split(texts, placed.page, longest)):
            texts.compared = True
            texts.possible = WORDS_BIT - 1
            compared += items
    if compared == 0:
        return 0
    return compare_separators(placed.page, placed.records, placed.slots, columns.texts, tree.count, compared)


cdef int32_t leave_out(Columns *columns, int64_t all_kinds, int64_t most) noexcept nogil:
    """Keep so many columns, those with most items, among these the first; there are more. -1: no memory."""
    cdef int32_t fewest = 0     # items of those that are kept
    cdef int64_t key, first = most      # columns with just as many, that are kept
    cdef int64_t *having        # items -> columns that have so many
    for key in range(all_kinds):
        fewest = max(fewest, columns.counts[key].items)
    having = <int64_t *>calloc(<size_t>fewest + 1, sizeof(int64_t))
    if having == NULL:
        return -1
    for key in range(all_kinds):
        having[columns.counts[key].items] += 1
    while having[fewest] <= first:
        first -= having[fewest]
        fewest -= 1
    free(having)
    columns.width = <int32_t>most
    for key in range(all_kinds):
        if columns.counts[key].items < fewest or (columns.counts[key].items == fewest and first == 0):
            columns.counts[key].items = 0
        elif columns.counts[key].items == fewest:
            first -= 1
    return 0


cdef void write_columns(const PlacedRecords *placed, const TemplateTree *tree, Columns *columns) noexcept nogil:
    """Number the columns, and write what each is read from."""
    cdef int32_t kinds = placed.attributes.count + 1, slot, kind, column = 0, ways
    cdef int64_t width = columns.width
    cdef SlotTexts *texts
    memset(columns.column_of, 0xFF, <size_t>tree.count * kinds * sizeof(int32_t))   # NOWHERE
    for slot in range(tree.count):
        texts = &columns.texts[slot]
        for kind in range(0 if texts.attributed else kinds - 1, kinds):
            if columns.counts[<int64_t>slot * kinds + kind].items == 0:
                continue
            columns.column_of[<int64_t>slot * kinds + kind] = column
            columns.takes[slot] |= kind < kinds - 1
            ways = 0
            if kind == placed.attributes.alternative:
                ways = FILES_BIT if texts.named and tree.list_of[slot] == NOWHERE else 0
            elif kind == kinds - 1 and texts.compared:
                ways = ways_to_split(texts, placed.page)
            columns.places[column] = slot
            columns.places[width + column] = kind
            columns.places[2 * width + column] = tree.list_of[slot]
            columns.places[3 * width + column] = ways
            column += 1
    for slot in range(tree.count):
        if tree.into[slot] != slot:
            memcpy(columns.column_of + <int64_t>slot * kinds, columns.column_of + <int64_t>tree.into[slot] * kinds,
                   kinds * sizeof(int32_t))
            columns.takes[slot] = columns.takes[tree.into[slot]]


cdef int32_t find_columns(const PlacedRecords *placed, const TemplateTree *tree, int64_t most_cells, int32_t longest,
                          Columns *columns) noexcept nogil:
    """Find the columns of at least one record, and how their texts may be split. -1: no memory."""
    cdef int64_t all_kinds = <int64_t>tree.count * (placed.attributes.count + 1)
    cdef int32_t failed = 0
    columns.counts = <ItemCount *>calloc(<size_t>all_kinds + 1, sizeof(ItemCount))
    columns.texts = <SlotTexts *>calloc(<size_t>tree.count + 1, sizeof(SlotTexts))
    columns.column_of = <int32_t *>malloc((<size_t>all_kinds + 1) * sizeof(int32_t))
    columns.takes = <uint8_t *>calloc(<size_t>tree.count + 1, 1)
    if columns.counts == NULL or columns.texts == NULL or columns.column_of == NULL or columns.takes == NULL:
        return -1
    columns.width = count_columns(placed, tree, columns)
    if <int64_t>columns.width * placed.records.count > most_cells:
        columns.left_out = True
        failed = leave_out(columns, all_kinds, most_cells // placed.records.count)
    columns.places = <int32_t *>malloc((PLACE_ROWS * <size_t>columns.width + 1) * sizeof(int32_t))
    if failed or columns.places == NULL or compare_texts(placed, tree, longest, columns) < 0:
        return -1
    write_columns(placed, tree, columns)
    return 0


cdef void close_columns(Columns *columns) noexcept nogil:
    free(columns.counts)
    free(columns.texts)
    free(columns.column_of)
    free(columns.takes)
    free(columns.places)
