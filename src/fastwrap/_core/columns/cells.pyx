"""The texts of records by item, and columns that come together of them: joined, filled up, measured, compared.
Texts stay where the page has them; only those that are joined of pieces are written."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from fastwrap._core.columns.alignment cimport NOWHERE, TemplateTree, end_of, start_of
from fastwrap._core.columns.items cimport Columns, PlacedRecords, kind_of
from fastwrap._core.columns.shapes cimport NOTHING, SHAPES, WORDS, is_page, normalise, shape_of
from fastwrap._core.common.hashing cimport hashed, same_bytes
from fastwrap._core.common.names cimport TEXT
from fastwrap._core.common.page cimport TOUCHES, PageArrays, value_length

cdef enum:
    BLOCK = 1 << 16         # bytes of a block, at least
    WORK = 100_000_000      # some tenths of a second


# Memory


cdef void *taken(Arena *arena, size_t size) noexcept nogil:
    """A piece of an arena, with anything in it; NULL: no memory."""
    cdef char *block
    cdef char *piece
    cdef size_t room
    size = (size + 16) & ~<size_t>15
    if <size_t>(arena.end - arena.at) < size:
        room = max(<size_t>BLOCK, size + 16)
        block = <char *>malloc(room)
        if block == NULL:
            return NULL
        (<void **>block)[0] = arena.blocks
        arena.blocks = block
        arena.at = block + 16
        arena.end = block + room
    piece = arena.at
    arena.at += size
    return piece


cdef void close_arena(Arena *arena) noexcept nogil:
    cdef void *block
    while arena.blocks != NULL:
        block = arena.blocks
        arena.blocks = (<void **>block)[0]
        free(block)
    arena.at = arena.end = NULL


# Reading


cdef inline bint follows(const Cell *cell, const unsigned char *text) noexcept nogil:
    """Whether a text is the next of the page after one of it, so that both are one piece with a space between."""
    return cell.room == 0 and cell.text + cell.length + 1 == text and cell.text[cell.length] == c" "


cdef inline void enter(CellTable *table, Cell *cell, const unsigned char *text, int32_t length) noexcept nogil:
    """Enter a text; after one that is there already, with a space between them, unless they touch."""
    cdef unsigned char *wider
    cdef int32_t size = cell.length + 1 + length
    cdef bint touches
    if cell.length == 0:
        cell.text = text
        cell.length = length
        cell.end = text + length
        return
    if length == 0:
        return
    touches = cell.end + 1 == text and cell.end[0] == TOUCHES
    cell.end = text + length
    if follows(cell, text):
        cell.length = size
        return
    if cell.room < size:
        wider = <unsigned char *>taken(&table.arena, 2 * <size_t>size)
        if wider == NULL:
            table.failed = True
            return
        memcpy(wider, cell.text, cell.length)
        cell.text = wider
        cell.room = 2 * size
    wider = <unsigned char *>cell.text
    if not touches:
        wider[cell.length] = c" "
        cell.length += 1
    memcpy(wider + cell.length, text, length)
    cell.length += length


cdef void read_cells(CellTable *table, const PlacedRecords *placed, const TemplateTree *tree, const Columns *items,
                     int32_t *times, int32_t *begun) noexcept nogil:
    """Enter all items of all records, and count the nodes of each slot."""
    cdef const PageArrays *page = placed.page
    cdef int32_t kinds = placed.attributes.count + 1, record, node, entry, kind, slot, i = -1
    cdef const int32_t *own
    cdef const int32_t *lists = items.places + 2 * <int64_t>items.width
    for record in range(table.records):
        for node in range(start_of(placed.records, record), end_of(placed.records, record)):
            i += 1
            slot = placed.slots[i]
            times[slot] += 1
            if tree.unit[slot] != NOWHERE:
                begun[tree.unit[slot]] = record
            own = items.column_of + <int64_t>slot * kinds
            if page.tag[node] == TEXT:
                # As in rows, what is before the first unit of a list is no part of it.
                if own[kinds - 1] != NOWHERE and (
                        lists[own[kinds - 1]] == NOWHERE or begun[lists[own[kinds - 1]]] == record):
                    enter(table, &table.columns[own[kinds - 1]].cells[record], page.text + page.text_start[node],
                          page.text_start[node + 1] - 1 - page.text_start[node])
            elif items.takes[slot]:
                for entry in range(page.attribute_start[node], page.attribute_start[node + 1]):
                    kind = kind_of(placed.attributes, page.attribute_name[entry])
                    if kind != NOWHERE and own[kind] != NOWHERE and value_length(page, entry) != 0 and (
                            lists[own[kind]] == NOWHERE or begun[lists[own[kind]]] == record):
                        enter(table, &table.columns[own[kind]].cells[record],
                              page.values + page.value_start[entry], value_length(page, entry))


cdef int32_t open_cells(CellTable *table, const PlacedRecords *placed, const TemplateTree *tree, const Columns *items,
                        int32_t *times) noexcept nogil:
    """The columns of the items, and how many nodes each slot has; the arena may be in use already. -1: no memory."""
    cdef int32_t item, slot, lists = 0, width = items.width, records = placed.records.count
    cdef size_t places = 8
    cdef Column *column
    cdef Cell *cells
    cdef uint64_t *sets
    cdef int32_t *begun
    table.records = records
    table.words = (records + 63) >> 6
    table.width = width
    table.work = WORK
    while places < 2 * <size_t>records:
        places *= 2
    table.mask = places - 1
    for slot in range(tree.count):
        lists = max(lists, tree.unit[slot] + 1)
    table.columns = <Column *>taken(&table.arena, width * sizeof(Column))
    table.following = <int32_t *>taken(&table.arena, width * sizeof(int32_t))
    table.begins = <uint8_t *>taken(&table.arena, width)
    table.hashes = <uint64_t *>taken(&table.arena, records * sizeof(uint64_t))
    table.places = <int32_t *>taken(&table.arena, places * sizeof(int32_t))
    begun = <int32_t *>taken(&table.arena, lists * sizeof(int32_t))
    cells = <Cell *>taken(&table.arena, <size_t>width * records * sizeof(Cell))
    sets = <uint64_t *>taken(&table.arena, <size_t>width * table.words * sizeof(uint64_t))
    if (table.columns == NULL or table.following == NULL or table.begins == NULL or table.hashes == NULL
            or table.places == NULL or begun == NULL or cells == NULL or sets == NULL):
        return -1
    memset(begun, 0xFF, lists * sizeof(int32_t))    # NOWHERE
    memset(cells, 0, <size_t>width * records * sizeof(Cell))
    memset(table.begins, 1, width)
    for item in range(width):
        column = &table.columns[item]
        memset(column, 0, sizeof(Column))
        column.cells = cells + <int64_t>item * records
        column.records = sets + <int64_t>item * table.words
        column.first = column.last = item
        column.where_first = column.where_last = column.label = NOWHERE
        column.slot = items.places[item]
        column.kind = items.places[width + item]
        column.list = items.places[2 * <int64_t>width + item]
        column.operation = TAKE
    read_cells(table, placed, tree, items, times, begun)
    for item in range(width):
        measure(table, &table.columns[item])
    return -1 if table.failed else 0


# Making columns of columns


cdef void measure(const CellTable *table, Column *column) noexcept nogil:
    """Find which records have a column; all else about it is unknown."""
    cdef int32_t record
    cdef uint64_t bits = 0
    column.filled = 0
    column.bytes = 0
    column.normals = NULL
    column.distinct = column.shape = column.fixed = column.name = UNKNOWN
    for record in range(table.records):
        column.filled += column.cells[record].length > 0
        column.bytes += column.cells[record].length
        bits |= <uint64_t>(column.cells[record].length > 0) << (record & 63)
        if record & 63 == 63 or record + 1 == table.records:
            column.records[record >> 6] = bits
            bits = 0


cdef void join_cells(CellTable *table, const int32_t *parts, int32_t count, int32_t record) noexcept nogil:
    """Join the texts of a record into the first of several columns, with spaces between them."""
    cdef Cell *joined = &table.columns[parts[0]].cells[record]
    cdef const Cell *cell
    cdef int32_t part, texts = joined.length > 0, length
    cdef unsigned char *text
    cdef Cell piece = joined[0]     # of the page, that all texts are
    length = joined.length
    for part in range(1, count):
        cell = &table.columns[parts[part]].cells[record]
        if cell.length == 0:
            continue
        if texts == 0:
            joined[0] = piece = cell[0]
        elif piece.length and follows(&piece, cell.text) and cell.room == 0:
            piece.length += 1 + cell.length
        else:
            piece.length = 0
        length += cell.length + (texts > 0)
        texts += 1
    if texts < 2:
        return
    if piece.length:
        joined[0] = piece
        return
    table.work -= length
    text = <unsigned char *>taken(&table.arena, length) if table.work >= 0 else NULL
    if text == NULL:
        table.failed = table.failed or table.work >= 0
        return
    length = 0
    for part in range(count):
        # The first column may have been given the text of a later one, above.
        cell = &table.columns[parts[part]].cells[record]
        if cell.length == 0 or (part > 0 and cell.text == joined.text):
            continue
        if length:
            text[length] = c" "
            length += 1
        memcpy(text + length, cell.text, cell.length)
        length += cell.length
    joined.text = text
    joined.length = joined.room = length


cdef void join_columns(CellTable *table, const int32_t *parts, int32_t count, int32_t operation) noexcept nogil:
    """Make one column of several: the first of them takes the items and texts of all."""
    cdef Column *column = &table.columns[parts[0]]
    cdef Column *other
    cdef int32_t part, record
    column.operation = operation
    for part in range(1, count):
        other = &table.columns[parts[part]]
        table.following[column.last] = other.first
        table.begins[other.first] = False
        column.last = other.last
    table.work -= <int64_t>count * table.records
    if count > 1:
        for record in range(table.records):
            join_cells(table, parts, count, record)
        measure(table, column)
    column.label = NOWHERE


cdef void fill_up(CellTable *table, Column *column, const Column *other) noexcept nogil:
    """Make one column of two: where the first has no text, that of the other."""
    cdef int32_t record
    table.following[column.last] = other.first
    column.last = other.last
    column.operation = FIRST
    column.list = NOWHERE
    for record in range(table.records):
        if column.cells[record].length == 0:
            column.cells[record] = other.cells[record]
    measure(table, column)


# What texts have in common


cdef const Cell *first_cell(const Column *column) noexcept nogil:
    """The first text of a column that has any."""
    cdef const Cell *cell = column.cells
    while cell.length == 0:
        cell += 1
    return cell


cdef inline bint is_same(const Cell *one, const Cell *other) noexcept nogil:
    return one.length == other.length and same_bytes(one.text, other.text, one.length)


cdef int32_t distinct_of(const CellTable *table, Column *column) noexcept nogil:
    """How many different texts a column has, at most MANY."""
    cdef const Cell *found[MANY]
    cdef int32_t record, k, count = 0
    if column.distinct != UNKNOWN:
        return column.distinct
    for record in range(table.records):
        if column.cells[record].length == 0:
            continue
        for k in range(count):
            if is_same(&column.cells[record], found[k]):
                break
        else:
            found[count] = &column.cells[record]
            count += 1
            if count == MANY:
                break
    column.distinct = count
    return count


cdef inline bint look_up(CellTable *table, const Cell *cells, int32_t record, const Column *own) noexcept nogil:
    """Whether the text of a record is in the table of texts of a column; if it is one of these, it is put there."""
    cdef const Cell *cell = &cells[record]
    cdef uint64_t hash = hashed(cell.text, cell.length, 0), at = (hash ^ (hash >> 32)) & table.mask
    while table.places[at]:
        if table.hashes[table.places[at] - 1] == hash and is_same(&own.cells[table.places[at] - 1], cell):
            return True
        at = (at + 1) & table.mask
    if cells == own.cells:
        table.places[at] = record + 1
        table.hashes[record] = hash
    return False


cdef int32_t count_different(CellTable *table, const Column *column, bint pages) noexcept nogil:
    """How many different texts a column has; only of links that lead to pages, if so wanted."""
    cdef int32_t record, count = 0
    cdef const Cell *cell
    memset(table.places, 0, (table.mask + 1) * sizeof(int32_t))
    for record in range(table.records):
        cell = &column.cells[record]
        if cell.length and (not pages or is_page(cell.text, cell.length)):
            count += not look_up(table, column.cells, record, column)
    return count


cdef bint share_text(CellTable *table, const Column *one, const Column *other) noexcept nogil:
    """Whether a text of one column is also a text of the other."""
    cdef int32_t record
    table.work -= 2 * table.records
    memset(table.places, 0, (table.mask + 1) * sizeof(int32_t))
    for record in range(table.records):
        if one.cells[record].length:
            look_up(table, one.cells, record, one)
    for record in range(table.records):
        if other.cells[record].length and look_up(table, other.cells, record, one):
            return True
    return False


cdef int32_t shape_of_column(const CellTable *table, Column *column) noexcept nogil:
    """The shape of at least 70% of the texts, else WORDS; NOTHING if there is no text."""
    cdef int32_t counts[SHAPES]
    cdef int32_t record, shape = NOTHING, k, left = column.filled
    cdef const Cell *before = NULL
    cdef const Cell *cell
    if column.shape != UNKNOWN:
        return column.shape
    column.shape = WORDS if column.filled else NOTHING
    memset(counts, 0, sizeof(counts))
    for record in range(table.records):
        cell = &column.cells[record]
        if cell.length == 0:
            continue
        if before == NULL or not is_same(before, cell):
            shape = shape_of(cell.text, cell.length)
        before = cell
        counts[shape] += 1
        left -= 1
        if 10 * <int64_t>counts[shape] >= 7 * <int64_t>column.filled:
            column.shape = shape
            break
        for k in range(SHAPES):
            if 10 * <int64_t>(counts[k] + left) >= 7 * <int64_t>column.filled:
                break
        else:
            break       # none can be the shape of so many
    return column.shape


cdef bint find_normal(CellTable *table, Column *column, int32_t record, Normal *normal) noexcept nogil:
    """The text that a record has in a column, without case and signs; False: no memory, or no more work."""
    cdef Normal *kept
    cdef const Cell *cell = &column.cells[record]
    cdef unsigned char *text
    cdef int32_t k
    if column.normals == NULL:
        column.normals = <Normal *>taken(&table.arena, NORMALS * sizeof(Normal))
        if column.normals == NULL:
            table.failed = True
            return False
        for k in range(NORMALS):
            column.normals[k].record = NOWHERE
    kept = &column.normals[record & (NORMALS - 1)]
    if kept.record != record:
        table.work -= cell.length
        text = <unsigned char *>taken(&table.arena, cell.length) if table.work >= 0 else NULL
        if text == NULL:
            table.failed = table.failed or table.work >= 0
            return False
        kept.text = text
        kept.length = normalise(cell.text, cell.length, text)
        kept.record = record
    normal[0] = kept[0]
    return True


cdef bint find_fixed(CellTable *table, Column *column) noexcept nogil:
    """Whether at least 90% of the texts say the same, and there are at most three different ones."""
    cdef Cell found[MANY]
    cdef Normal normals[MANY]
    cdef int32_t counts[MANY]
    cdef int32_t record, k, j, count = 0
    cdef int64_t same
    if column.filled == 0 or distinct_of(table, column) == MANY:
        return False
    if column.distinct == 1:
        return True
    for record in range(table.records):
        if column.cells[record].length == 0:
            continue
        for k in range(count):
            if is_same(&column.cells[record], &found[k]):
                counts[k] += 1
                break
        else:
            found[count] = column.cells[record]
            counts[count] = 1
            if not find_normal(table, column, record, &normals[count]):
                return False
            count += 1
    for k in range(count):
        same = 0
        for j in range(count):
            if normals[j].length == normals[k].length and same_bytes(
                    normals[j].text, normals[k].text, normals[k].length):
                same += counts[j]
        if 10 * same >= 9 * <int64_t>column.filled:
            return True
    return False


cdef bint is_fixed(CellTable *table, Column *column) noexcept nogil:
    """The same, remembered."""
    if column.fixed == UNKNOWN:
        column.fixed = find_fixed(table, column)
    return column.fixed
