"""The link to the pages of records, and their pictures: of several links and images those that are the records' own.
Where some records lack one, it is filled up with those that only these have."""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memchr

from fastwrap._core.columns.alignment cimport NOWHERE
from fastwrap._core.columns.cells cimport (
    Cell, CellTable, Column, count_different, distinct_of, fill_up, measure, share_records,
)
from fastwrap._core.columns.choosing cimport (
    HEADING, HREF, IMAGE, LINK, NO_RELATION, PICTURE, SOURCE, SRC, SRCSET, Chooser, end_of_slot,
)
from fastwrap._core.columns.shapes cimport is_page
from fastwrap._core.common.hashing cimport same_bytes


# Links


cdef int32_t best_link(Chooser *chooser) noexcept nogil:
    """The link to the records' own pages: NOWHERE if there is none."""
    cdef CellTable *table = chooser.table
    cdef int32_t item, other, record, best = NOWHERE, end
    cdef int64_t pages, score, most = 0
    cdef Column *column
    cdef const Cell *cell
    for item in range(table.width):
        column = &table.columns[item]
        if column.kind != HREF or column.list != NOWHERE or 2 * <int64_t>column.filled < chooser.records:
            continue
        pages = 0
        for record in range(table.records):
            cell = &column.cells[record]
            pages += cell.length > 0 and is_page(cell.text, cell.length)
        if 2 * pages < chooser.records or pages == 0:
            continue
        end = end_of_slot(chooser, column.slot)
        score = 10 * <int64_t>count_different(table, column, True)
        other = item + 1        # items are in the order of slots
        while other < table.width and table.columns[other].slot < end:
            if (table.columns[other].kind == chooser.text_kind and table.columns[other].list == NOWHERE
                    and table.columns[other].slot > column.slot and distinct_of(table, &table.columns[other]) > 1):
                score += 5 * chooser.records
                break
            other += 1
        if chooser.around[column.slot] & HEADING or chooser.headings[end] > chooser.headings[column.slot]:
            score += 3 * chooser.records
        if score > most:
            best, most = item, score
    return best


cdef bint may_stand_in(Chooser *chooser, const Column *link, const Column *found) noexcept nogil:
    """Whether links lead to pages, differ, and are those of records that have no other."""
    cdef int32_t record
    cdef const Cell *cell
    if share_records(chooser.table, found, link):
        return False
    for record in range(chooser.table.records):
        cell = &link.cells[record]
        if cell.length and not is_page(cell.text, cell.length):
            return False
    return 5 * <int64_t>count_different(chooser.table, link, False) >= 4 * <int64_t>link.filled


cdef void add_links(Chooser *chooser, int32_t best) noexcept nogil:
    """Fill up the links to the records' own pages with links that only other records have, the most frequent first."""
    cdef CellTable *table = chooser.table
    cdef Column *found = &table.columns[best]
    cdef Column *link
    cdef int32_t item, fullest = 0, least
    while fullest != NOWHERE and found.filled < chooser.records:
        # The links with most records of those not looked at, among these the first: `order` is not in use yet.
        fullest = NOWHERE
        least = 0
        for item in range(table.width):
            link = &table.columns[item]
            if (link.kind == HREF and link.list == NOWHERE and item != best and link.relation == NO_RELATION
                    and link.filled > least):
                fullest, least = item, link.filled
        table.work -= table.width
        if fullest != NOWHERE:
            link = &table.columns[fullest]
            link.relation = LINK        # it was looked at
            if may_stand_in(chooser, link, found):
                fill_up(table, found, link)


cdef int32_t find_link(Chooser *chooser) noexcept nogil:
    """The column of the links to the records' own pages; NOWHERE if there is none."""
    cdef int32_t best = best_link(chooser)
    if best != NOWHERE:
        add_links(chooser, best)
    return best


# Pictures


cdef bint is_data(const Cell *cell) noexcept nogil:
    """Whether the address of a picture is the picture itself, small most often, and in place of another."""
    return cell.length >= 5 and same_bytes(cell.text, b"data:", 5)


cdef bint is_picture(const Chooser *chooser, const Column *column) noexcept nogil:
    """Whether an attribute of an image has addresses."""
    cdef int32_t record
    cdef int64_t paths = 0
    if column.list != NOWHERE or column.filled == 0:
        return False
    if column.kind == SRC or column.kind == SRCSET:
        return True
    if column.kind < chooser.first_data or column.kind == chooser.text_kind:
        return False
    for record in range(chooser.table.records):
        paths += column.cells[record].length > 0 and memchr(
            column.cells[record].text, c"/", column.cells[record].length) != NULL
    return 5 * paths >= 4 * <int64_t>column.filled


cdef bint has_several(const Chooser *chooser, const Column *column) noexcept nogil:
    """Whether the pictures of a column are given in several sizes."""
    cdef int32_t record
    cdef int64_t spaced = 0
    for record in range(chooser.table.records):
        spaced += column.cells[record].length > 0 and memchr(
            column.cells[record].text, c" ", column.cells[record].length) != NULL
    return 2 * spaced >= column.filled


cdef void drop_data(Chooser *chooser, Column *column) noexcept nogil:
    """Drop pictures that stand for others."""
    cdef int32_t record, dropped = 0
    for record in range(chooser.table.records):
        if is_data(&column.cells[record]):
            column.cells[record].length = 0
            dropped += 1
    if dropped:
        measure(chooser.table, column)


cdef int32_t pictures_of(Chooser *chooser, int32_t first, int32_t end) noexcept nogil:
    """The pictures of a slot with these items, as one column: the real ones before those that stand for them.
    NOWHERE if there are none."""
    cdef CellTable *table = chooser.table
    cdef int32_t item, step, found = NOWHERE, kind
    cdef int64_t filled
    cdef bint real = False
    cdef Column *column
    # What each item is: the plain ones of `src` (0), those of other attributes (1), several in one (2)
    for item in range(first, end):
        column = &table.columns[item]
        column.relation = NO_RELATION
        if is_picture(chooser, column):
            column.relation = PICTURE
            column.label = 2 if has_several(chooser, column) else column.kind != SRC
            filled = column.filled
            drop_data(chooser, column)
            real |= column.label == 0 and 10 * <int64_t>count_different(table, column, False) >= 7 * filled
    for step in range(3):
        kind = step if real or step == 2 else 1 - step
        for item in range(first, end):
            column = &table.columns[item]
            if column.relation != PICTURE or column.label != kind:
                continue
            if found == NOWHERE:
                found = item
            else:
                fill_up(table, &table.columns[found], column)
    for item in range(first, end):
        if table.columns[item].relation == PICTURE:
            table.columns[item].label = NOWHERE
            table.columns[item].relation = NO_RELATION
    return found


cdef int32_t find_pictures(Chooser *chooser, int32_t link) noexcept nogil:
    """The column of the pictures of the records, with those of other slots where these have none; or NOWHERE."""
    cdef CellTable *table = chooser.table
    cdef int32_t item = 0, end, made, best = NOWHERE, count = 0, slot, different, k
    cdef int64_t score, most = 0
    cdef Column *column
    while item < table.width:
        slot = table.columns[item].slot
        end = item + 1
        while end < table.width and table.columns[end].slot == slot:
            end += 1
        made = pictures_of(chooser, item, end) if chooser.traits[slot] & IMAGE else NOWHERE
        item = end
        if made == NOWHERE or table.columns[made].filled == 0:
            continue
        column = &table.columns[made]
        chooser.order[count] = made
        count += 1
        if 10 * <int64_t>column.filled < 3 * chooser.records:
            continue
        different = count_different(table, column, False)
        if (different < 2 or 4 * <int64_t>different < column.filled) and chooser.records > 5:
            continue
        score = 10 * <int64_t>column.filled + 12 * <int64_t>different
        if link != NOWHERE and table.columns[link].slot <= slot < end_of_slot(chooser, table.columns[link].slot):
            score += 2 * chooser.records
        if chooser.traits[slot] & SOURCE:
            score -= 3 * chooser.records
        if score > most:
            best, most = made, score
    if best != NOWHERE:
        for k in range(count):
            column = &table.columns[chooser.order[k]]
            if chooser.order[k] != best and not share_records(table, &table.columns[best], column):
                fill_up(table, &table.columns[best], column)
    return best
