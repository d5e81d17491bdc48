"""The texts of records in lines, as they are shown: what is one text, marked up or broken, is joined.
It is told by the shapes of the parts, and by which records have which."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.string cimport memmove

from fastwrap._core.columns.alignment cimport NOWHERE
from fastwrap._core.columns.cells cimport (
    JOIN, MANY, TAKE, UNKNOWN, Cell, CellTable, Column, bits_of, count_different, distinct_of, first_cell, is_fixed,
    join_columns, shape_of_column, taken,
)
from fastwrap._core.columns.choosing cimport (
    BREAK, IS_TEXT, NAMING, TABLE_CELL, Chooser, Line, column_at, end_of_slot, goes_on, in_title, shape_at,
)
from fastwrap._core.columns.shapes cimport (
    ADDRESS, DATE, MONEY, NOTHING, NUMBER, TIME, WORDS, is_fraction, sign_length,
)


cdef struct Frame:
    # An element whose texts are gathered.
    int32_t slot
    int32_t child           # the next of its children
    int32_t end
    int64_t up              # nodes that it has in all records
    int32_t first_line      # where its lines begin among those of all open elements, ...
    int32_t first_part      # ... and the parts of its last line among all columns
    bint bare               # whether that line has text outside of elements, ...
    bint often              # ... and many records have that


cdef inline bint ends_with_colon(const Cell *cell) noexcept nogil:
    cdef const unsigned char *end = cell.text + cell.length
    return end[-1] == c":" or (
        cell.length >= 3 and end[-1] == 0x9A and end[-2] == 0xBC and end[-3] == 0xEF)   # a wide one


cdef bint find_name(Chooser *chooser, Column *column) noexcept nogil:
    """Whether short texts name what follows them: they end with a colon, or are in an element for names."""
    cdef int32_t record, parent, different
    cdef int64_t filled = column.filled, others = 0
    if filled == 0 or column.bytes > 30 * filled:
        return False
    for record in range(chooser.table.records):
        if column.cells[record].length and not ends_with_colon(&column.cells[record]):
            others += 1
            if 5 * others > filled:
                parent = chooser.tree.parent[column.slot]
                return parent != NOWHERE and chooser.traits[parent] & NAMING and is_fixed(chooser.table, column)
    different = distinct_of(chooser.table, column)
    if different == MANY:
        different = count_different(chooser.table, column, False)
    return different <= max(2, filled // 4)


cdef bint is_name(Chooser *chooser, Column *column) noexcept nogil:
    """The same, remembered."""
    if column.name == UNKNOWN:
        column.name = find_name(chooser, column)
    return column.name


cdef bint is_labelled(const Chooser *chooser, const Column *column) noexcept nogil:
    """Whether all texts begin with the same name: "Phone: 12"."""
    cdef const Cell *first
    cdef const Cell *cell
    cdef int32_t record, shared, at
    if column.filled == 0:
        return False
    first = first_cell(column)
    shared = min(first.length, 30)
    for record in range(chooser.table.records):
        cell = &column.cells[record]
        if cell.length:
            at = 0
            while at < shared and at < cell.length and cell.text[at] == first.text[at]:
                at += 1
            shared = at
            if shared == 0:
                return False
    for at in range(shared):
        if first.text[at] == c":" or (
                at + 2 < shared and first.text[at] == 0xEF and first.text[at + 1] == 0xBC
                and first.text[at + 2] == 0x9A):
            return True
    return False


cdef bint is_cut(Chooser *chooser, const int32_t *parts, int32_t count) noexcept nogil:
    """Whether there are two bare texts that differ, with something between them: it is one text, marked up."""
    cdef int32_t depth = chooser.deepest, k, last = NOWHERE
    cdef int64_t length = 0
    cdef bint found = False
    cdef Column *part
    if count < 3:
        return False
    for k in range(count):
        depth = min(depth, chooser.depth[chooser.table.columns[parts[k]].slot])
    for k in range(count):
        part = &chooser.table.columns[parts[k]]
        if (chooser.depth[part.slot] == depth and part.operation == TAKE and distinct_of(chooser.table, part) > 1
                and shape_of_column(chooser.table, part) == WORDS):
            found |= last != NOWHERE and k - last > 1
            last = k
            length += part.bytes // part.filled
    return found and length >= 12


cdef bint is_amount(Chooser *chooser, const int32_t *parts, int32_t count) noexcept nogil:
    """Whether parts are numbers and signs of currencies, of which there is one, or cents after a point: R$ 19 ,90, or
    2.50 € – 7.00 €."""
    cdef CellTable *table = chooser.table
    cdef const Cell *cell
    cdef int32_t k, shape
    cdef bint found = False, is_sign
    for k in range(count):
        if table.columns[parts[k]].filled == 0:
            return False
        cell = first_cell(&table.columns[parts[k]])
        is_sign = sign_length(cell.text, cell.length) == cell.length
        shape = shape_at(chooser, &parts[k])
        if not is_sign and shape != NOTHING and shape != MONEY and shape != NUMBER:
            return False
        found |= is_sign or (k > 0 and is_fraction(cell.text, cell.length))
    return found


cdef bint is_one(Chooser *chooser, const int32_t *parts, int32_t count, bint often, int64_t up) noexcept nogil:
    """Whether parts of a line are one text."""
    cdef CellTable *table = chooser.table
    cdef Column *before = &table.columns[parts[0]]
    cdef Column *after = &table.columns[parts[1]]
    cdef const Cell *cell
    cdef int32_t k, word
    cdef int64_t filled = 0, together = 0
    cdef uint64_t records
    cdef bint values = False
    if is_amount(chooser, parts, count):
        return True
    if count == 2:
        if shape_at(chooser, &parts[0]) == NUMBER and after.filled and after.bytes < 9 * <int64_t>after.filled:
            cell = first_cell(after)
            if sign_length(cell.text, cell.length):
                return True
        if before.shape == DATE and shape_at(chooser, &parts[1]) == TIME:
            return True
    if is_cut(chooser, parts, count):
        return True
    for k in range(count):
        if table.columns[parts[k]].list != NOWHERE:
            return False
        filled += min(<int64_t>table.columns[parts[k]].filled, up)
    table.work -= <int64_t>count * table.words
    for word in range(table.words):
        records = 0
        for k in range(count):
            records |= table.columns[parts[k]].records[word]
        together += bits_of(records)
    if 20 * filled <= 21 * together:
        return True     # one or the other
    if not often or 10 * filled >= 8 * count * up:
        return False
    for k in range(count):
        values |= 2 * <int64_t>table.columns[parts[k]].filled >= up and shape_at(chooser, &parts[k]) > WORDS
    return not values


cdef int32_t end_run(Chooser *chooser, int32_t start, int32_t end, int32_t out, bint one) noexcept nogil:
    """Move a run of columns to the place `out`, joined if they are one text. Returns the place after it."""
    if one:
        join_columns(chooser.table, chooser.order + start, end - start, JOIN)
        end = start + 1
    memmove(chooser.order + out, chooser.order + start, (end - start) * sizeof(int32_t))
    return out + end - start


cdef int32_t join_line(Chooser *chooser, int32_t start, int32_t end, bint often, int64_t up) noexcept nogil:
    """Join the columns of a line that are one text, but for names, and for the title. Returns the line's end then."""
    cdef int32_t k, run = start, out = start
    cdef bint cut, name
    cdef Column *part
    if end - start < 2:
        return end
    chooser.table.work -= end - start
    cut = is_cut(chooser, chooser.order + start, end - start)
    for k in range(start, end):
        part = column_at(chooser, k)
        name = not cut and is_name(chooser, part)
        if name or (k > run and in_title(chooser, part) != in_title(chooser, column_at(chooser, k - 1))):
            out = end_run(chooser, run, k, out,
                          k - run > 1 and is_one(chooser, chooser.order + run, k - run, often, up))
            run = k
        if name:
            out = end_run(chooser, k, k + 1, out, False)
            run = k + 1
    return end_run(chooser, run, end, out,
                   end - run > 1 and is_one(chooser, chooser.order + run, end - run, often, up))


cdef bint may_go_on(Chooser *chooser, int32_t place, bint is_cell) noexcept nogil:
    """Whether a line may be one text with the next."""
    cdef Column *part = column_at(chooser, place)
    cdef int32_t shape = shape_of_column(chooser.table, part)
    return ((shape == WORDS or (is_cell and shape != ADDRESS)) and part.list == NOWHERE
            and not in_title(chooser, part) and not is_name(chooser, part) and not is_labelled(chooser, part))


cdef bint are_one(Chooser *chooser, int32_t start, int32_t end, int64_t up) noexcept nogil:
    """Whether lines that may go on are one text: all are words, or some records lack one of them."""
    cdef int32_t k
    cdef bint words = True, lacking = False
    for k in range(start, end):
        words &= shape_at(chooser, &chooser.order[k]) == WORDS
        lacking |= 5 * <int64_t>column_at(chooser, k).filled < 4 * up
    return words or lacking


cdef void end_line(Chooser *chooser, Frame *frame) noexcept nogil:
    """End the line of an element at a line break, or at an element that is not inline."""
    cdef Line *line
    if chooser.count > frame.first_part:
        chooser.count = join_line(chooser, frame.first_part, chooser.count, frame.often, frame.up)
        line = &chooser.lines[chooser.line_count]
        chooser.line_count += 1
        line.start = frame.first_part
        line.count = chooser.count - frame.first_part
        line.bare = frame.bare
        frame.first_part = chooser.count
    frame.bare = frame.often = False


cdef void end_lines(Chooser *chooser, Frame *frame) noexcept nogil:
    """End the lines of an element. Lines of plain words that follow each other are one text. In a cell of a table, so
    are other texts if some records lack one of them."""
    cdef int32_t number, out, run = 0, start = 0
    cdef bint is_cell
    cdef Line *line
    end_line(chooser, frame)
    if chooser.line_count == frame.first_line:
        return
    if chooser.line_count > frame.first_line + 1:
        is_cell = frame.slot != NOWHERE and chooser.traits[frame.slot] & TABLE_CELL
        out = chooser.lines[frame.first_line].start
        for number in range(frame.first_line, chooser.line_count):
            line = &chooser.lines[number]
            if line.count == 1 and line.bare and may_go_on(chooser, line.start, is_cell):
                if run == 0:
                    start = line.start
                run += 1
                continue
            if run:
                out = end_run(chooser, start, start + run, out,
                              run > 1 and are_one(chooser, start, start + run, frame.up))
                run = 0
            out = end_run(chooser, line.start, line.start + line.count, out, False)
        if run:
            out = end_run(chooser, start, start + run, out,
                          run > 1 and are_one(chooser, start, start + run, frame.up))
        chooser.count = out
    chooser.line_count = frame.first_line
    frame.first_part = chooser.count


cdef inline void open_frame(const Chooser *chooser, Frame *frame, int32_t slot) noexcept nogil:
    """Begin with an element; NOWHERE is what is around the whole record."""
    frame.slot = slot
    frame.child = slot + 1
    frame.end = chooser.tree.count if slot == NOWHERE else end_of_slot(chooser, slot)
    frame.up = chooser.records if slot == NOWHERE else max(chooser.times[slot], 1)
    frame.first_line = chooser.line_count
    frame.first_part = chooser.count
    frame.bare = frame.often = False


cdef int32_t find_texts(Chooser *chooser) noexcept nogil:
    """Write the columns of texts in order, what is one text joined. -1: no memory."""
    cdef Frame *frames = <Frame *>taken(&chooser.table.arena, (<size_t>chooser.deepest + 2) * sizeof(Frame))
    cdef Frame *frame = frames
    cdef int32_t child, slot
    cdef uint16_t trait
    if frames == NULL:
        return -1
    open_frame(chooser, frame, NOWHERE)
    while goes_on(chooser):
        if frame.child == frame.end:
            end_lines(chooser, frame)
            if frame == frames:
                break
            slot = frame.slot
            frame -= 1
            if not chooser.inline[slot]:
                frame.first_part = chooser.count
            continue
        child = frame.child
        frame.child = end_of_slot(chooser, child)
        trait = chooser.traits[child]
        if trait & BREAK:
            end_line(chooser, frame)
            continue
        if not chooser.inline[child]:
            end_lines(chooser, frame)
        elif trait & IS_TEXT:
            frame.bare = True
            frame.often |= 10 * <int64_t>chooser.times[child] >= 3 * frame.up
        if chooser.text_item[child] != NOWHERE:
            chooser.order[chooser.count] = chooser.text_item[child]
            chooser.count += 1
            if not chooser.inline[child]:
                frame.first_part = chooser.count
        elif chooser.filled[frame.child] > chooser.filled[child]:
            frame += 1
            open_frame(chooser, frame, child)
    return 0
