"""Chooses the columns of records: which items are shown, how they come together, and which name others.
A link, a picture, and texts as people read them: what was cut is joined, what says nothing or the same is left out."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from fastwrap._core.columns.alignment cimport NOWHERE, TemplateTree
from fastwrap._core.columns.cells cimport (
    FIRST, LIST, MANY, REST, Cell, CellTable, Column, Normal, bits_of, close_arena, count_both, distinct_of,
    fill_up, find_normal, is_fixed, join_columns, measure, open_cells, shape_of_column, share_records, share_text,
    taken,
)
from fastwrap._core.columns.choosing cimport (
    ACTION, ALT, CELL, HEADING, INLINE, IS_TEXT, LINK, OLD_PRICE, PICTURE, PRICE, TITLE, Chooser, Line, column_at,
    end_of_slot, goes_on, in_title, shape_at,
)
from fastwrap._core.columns.items cimport Columns, PlacedRecords
from fastwrap._core.columns.lines cimport find_texts, is_name
from fastwrap._core.columns.links cimport find_link, find_pictures
from fastwrap._core.columns.shapes cimport (
    COUNT, MONEY, NOTHING, NUMBER, WORDS, amount_of, contains, has_digit, is_file_name,
)
from fastwrap._core.common.hashing cimport mixed, same_bytes

cdef enum:
    # Why an item is not shown
    SHOWN = 0
    LABEL = 1
    NO_WORDS = 2
    CONSTANT = 3
    ACTION_TEXT = 4
    COPY = 5
    ATTRIBUTE = 6
    SAMPLE = 16             # records in which two columns are compared
    NEAREST = 200           # columns before one that it is compared with
    MOST_CELLS = 2_000_000  # items times records: of larger tables nothing is chosen


cdef struct SiblingGroup:
    # Texts at the same place of like siblings.
    int32_t parent
    int32_t symbol
    int32_t before          # texts before it in its sibling
    uint64_t path           # hash of the tags from the text to the sibling
    int32_t first           # places of columns, chained
    int32_t last
    int32_t count


# The tree


cdef int32_t open_chooser(Chooser *chooser, const PlacedRecords *placed, const Columns *items,
                          ChoiceTraits traits) noexcept nogil:
    """Find what is known of slots, and read the items. -1: no memory."""
    cdef const TemplateTree *tree = chooser.tree
    cdef CellTable *table = chooser.table
    cdef int32_t slots = tree.count, slot, item, parent, texts = 0, headings = 0, filled = 0
    cdef size_t numbers = (<size_t>slots + 1) * sizeof(int32_t)
    cdef uint16_t trait
    chooser.records = placed.records.count
    chooser.text_kind = placed.attributes.count
    chooser.first_data = placed.attributes.first_data
    chooser.times = <int32_t *>taken(&table.arena, 6 * numbers)
    chooser.traits = <uint16_t *>taken(&table.arena, 2 * <size_t>slots * sizeof(uint16_t))
    chooser.inline = <uint8_t *>taken(&table.arena, slots)
    chooser.left_out = <uint8_t *>taken(&table.arena, items.width)
    chooser.order = <int32_t *>taken(&table.arena, items.width * sizeof(int32_t))
    chooser.lines = <Line *>taken(&table.arena, items.width * sizeof(Line))
    if (chooser.times == NULL or chooser.traits == NULL or chooser.inline == NULL or chooser.left_out == NULL
            or chooser.order == NULL or chooser.lines == NULL):
        return -1
    chooser.depth = chooser.times + slots + 1
    chooser.texts = chooser.depth + slots + 1
    chooser.headings = chooser.texts + slots + 1
    chooser.filled = chooser.headings + slots + 1
    chooser.text_item = chooser.filled + slots + 1
    chooser.around = chooser.traits + slots
    memset(chooser.times, 0, numbers)
    memset(chooser.text_item, 0xFF, numbers)    # NOWHERE
    for item in range(items.width):
        chooser.left_out[item] = ATTRIBUTE
        if items.places[items.width + item] == chooser.text_kind:
            chooser.left_out[item] = NO_WORDS
            chooser.text_item[items.places[item]] = item
    for slot in range(slots):
        parent = tree.parent[slot]
        trait = traits.by_tag[tree.tag[slot]] if tree.tag[slot] < traits.count else 0
        chooser.traits[slot] = chooser.around[slot] = trait
        chooser.inline[slot] = trait & INLINE != 0
        chooser.depth[slot] = 0
        if parent != NOWHERE:
            chooser.around[slot] |= chooser.around[parent]
            chooser.depth[slot] = chooser.depth[parent] + 1
            chooser.deepest = max(chooser.deepest, chooser.depth[slot])
        chooser.texts[slot] = texts
        chooser.headings[slot] = headings
        chooser.filled[slot] = filled
        texts += trait & IS_TEXT != 0
        headings += trait & HEADING != 0
        filled += chooser.text_item[slot] != NOWHERE
    chooser.texts[slots] = texts
    chooser.headings[slots] = headings
    chooser.filled[slots] = filled
    for slot in range(slots - 1, -1, -1):
        if not chooser.inline[slot] and tree.parent[slot] != NOWHERE:
            chooser.inline[tree.parent[slot]] = False
    return open_cells(table, placed, tree, items, chooser.times)


cdef bint is_near(const Chooser *chooser, const Column *one, const Column *other, int32_t levels) noexcept nogil:
    """Whether one of the next elements around both, so many levels up, is the same."""
    cdef const int32_t *parent = chooser.tree.parent
    cdef int32_t above = parent[one.slot], over, i = levels, k
    while above != NOWHERE and i:
        over = parent[other.slot]
        k = levels
        while over != NOWHERE and k:
            if over == above:
                return True
            over = parent[over]
            k -= 1
        above = parent[above]
        i -= 1
    return False


# What comes together


cdef bint has_like_siblings(Chooser *chooser, int32_t slot) noexcept nogil:
    """Whether there are at least three siblings of the tag and the symbol of a slot."""
    cdef const TemplateTree *tree = chooser.tree
    cdef int32_t parent = tree.parent[slot], like = 0
    cdef int32_t child = parent + 1, end = tree.count if parent == NOWHERE else end_of_slot(chooser, parent)
    while child < end and like < 3:
        like += tree.tag[child] == tree.tag[slot] and tree.symbol[child] == tree.symbol[slot]
        child += tree.size[child]
        chooser.table.work -= 1
    return like == 3


cdef bint find_group(Chooser *chooser, const Column *column, SiblingGroup *group) noexcept nogil:
    """Find the like siblings that a text is in: at most four elements up."""
    cdef const TemplateTree *tree = chooser.tree
    cdef int32_t slot = tree.parent[column.slot], level = 0
    group.path = mixed(0, tree.tag[column.slot])
    while slot != NOWHERE and level < 4:
        group.path = mixed(group.path, tree.tag[slot])
        if not chooser.traits[slot] & CELL and has_like_siblings(chooser, slot):
            group.parent = tree.parent[slot]
            group.symbol = tree.symbol[slot]
            group.before = chooser.texts[column.slot] - chooser.texts[slot]
            return True
        slot = tree.parent[slot]
        level += 1
    return False


cdef bint is_sequence(Chooser *chooser, const SiblingGroup *group, const int32_t *next_place) noexcept nogil:
    """Whether the texts of like siblings are words of the same kind, and no names."""
    cdef int32_t place = group.first, following, _
    cdef int64_t shared = 0
    if group.count < 3:
        return False
    for _ in range(group.count):
        if shape_at(chooser, &chooser.order[place]) != WORDS or is_name(chooser, column_at(chooser, place)):
            return False
        place = next_place[place]
    place = group.first
    for _ in range(group.count - 1):
        following = next_place[place]
        shared += share_text(chooser.table, column_at(chooser, place), column_at(chooser, following))
        place = following
    return 2 * shared >= group.count - 1


cdef int32_t fold_siblings(Chooser *chooser) noexcept nogil:
    """Make lists of texts of like siblings, at least three, that say the same kind of thing. -1: no memory."""
    cdef CellTable *table = chooser.table
    cdef SiblingGroup *groups = <SiblingGroup *>taken(&table.arena, chooser.count * sizeof(SiblingGroup))
    cdef int32_t *next_place = <int32_t *>taken(&table.arena, 2 * <size_t>chooser.count * sizeof(int32_t))
    cdef int32_t *parts = next_place + chooser.count
    cdef SiblingGroup found
    cdef int32_t count = 0, place, k, g, out = 0
    cdef Column *column
    if groups == NULL or next_place == NULL:
        return -1
    for place in range(chooser.count):
        column = column_at(chooser, place)
        if (column.list != NOWHERE or shape_of_column(table, column) == NOTHING or in_title(chooser, column)
                or not find_group(chooser, column, &found)):
            continue
        for g in range(count):
            if (groups[g].path == found.path and groups[g].parent == found.parent
                    and groups[g].symbol == found.symbol and groups[g].before == found.before):
                next_place[groups[g].last] = place
                groups[g].last = place
                groups[g].count += 1
                break
        else:
            found.first = found.last = place
            found.count = 1
            groups[count] = found
            count += 1
    for g in range(count):
        if not goes_on(chooser) or not is_sequence(chooser, &groups[g], next_place):
            continue
        place = groups[g].first
        for k in range(groups[g].count):
            parts[k] = chooser.order[place]
            if k:
                chooser.order[place] = NOWHERE
            place = next_place[place]
        join_columns(table, parts, groups[g].count, LIST)
    for place in range(chooser.count):
        chooser.order[out] = chooser.order[place]
        out += chooser.order[place] != NOWHERE
    chooser.count = out
    return 0


cdef int32_t gather_lists(Chooser *chooser) noexcept nogil:
    """Make one column of the texts of each nested list, without those that have no words, such as commas between its
    entries. -1: no memory."""
    cdef CellTable *table = chooser.table
    cdef int32_t *parts
    cdef int32_t place, other, count, list, out = 0
    cdef bint nested = False
    for place in range(chooser.count):
        if column_at(chooser, place).list != NOWHERE:
            nested = True
            if shape_at(chooser, &chooser.order[place]) == NOTHING:
                chooser.order[place] = NOWHERE
    if not nested:
        return 0
    parts = <int32_t *>taken(&table.arena, chooser.count * sizeof(int32_t))
    if parts == NULL:
        return -1
    for place in range(chooser.count):
        if chooser.order[place] == NOWHERE:
            continue
        list = column_at(chooser, place).list
        if list != NOWHERE:
            parts[0] = chooser.order[place]
            count = 1
            for other in range(place + 1, chooser.count):
                if chooser.order[other] != NOWHERE and column_at(chooser, other).list == list:
                    parts[count] = chooser.order[other]
                    count += 1
                    chooser.order[other] = NOWHERE
            table.work -= chooser.count - place
            join_columns(table, parts, count, LIST)
    for place in range(chooser.count):
        chooser.order[out] = chooser.order[place]
        out += chooser.order[place] != NOWHERE
    chooser.count = out
    return 0


cdef void drop(Chooser *chooser, const Column *column, int32_t why) noexcept nogil:
    """Say why the items of a column are not shown."""
    cdef int32_t item = column.first
    chooser.left_out[item] = why
    while item != column.last:
        item = chooser.table.following[item]
        chooser.left_out[item] = why


cdef int32_t shared_depth(const Chooser *chooser, const Column *one, const Column *other) noexcept nogil:
    """How deep the innermost element around two texts is; NOWHERE if there is none."""
    cdef int32_t a = one.slot, b = other.slot
    while a != b:
        if a == NOWHERE or b == NOWHERE:
            return NOWHERE
        if a > b:   # in document order: what is later is no ancestor of the other
            a = chooser.tree.parent[a]
        else:
            b = chooser.tree.parent[b]
    return chooser.depth[a]


cdef bint goes_with(Chooser *chooser, Column *name, Column *column) noexcept nogil:
    """Whether a fixed text stands by texts that differ, in the same records."""
    cdef int64_t both
    if distinct_of(chooser.table, column) < 2 or not is_near(chooser, name, column, 3):
        return False
    both = count_both(chooser.table, name, column)
    return 10 * both >= 9 * (name.filled + column.filled - both)


cdef Column *named_by(Chooser *chooser, Column *column, Column *before, Column *after) noexcept nogil:
    """What a text that is always the same names, without a sign that it does: the number before it, if that is nearer
    ("3 bed"), or what is after it; NULL for nothing."""
    cdef CellTable *table = chooser.table
    if not (is_fixed(table, column) and column.bytes <= 30 * <int64_t>column.filled
            and shape_of_column(table, column) == WORDS):
        return NULL
    if before != NULL and shape_of_column(table, before) == NUMBER and goes_with(chooser, column, before) and (
            after == NULL or shared_depth(chooser, column, before) > shared_depth(chooser, column, after)):
        return before
    if after == NULL or not goes_with(chooser, column, after):
        return NULL
    # What stands before prose in most records is rather a heading.
    if (5 * <int64_t>column.filled >= 4 * chooser.records and shape_of_column(table, after) == WORDS
            and after.bytes > 40 * <int64_t>after.filled):
        return NULL
    return after


cdef void take_names(Chooser *chooser) noexcept nogil:
    """Take out the texts that name what is beside them: they are kept as labels of that."""
    cdef int32_t place, out = 0
    cdef Column *column
    cdef Column *before
    cdef Column *after
    cdef Column *named
    for place in range(chooser.count):
        column = column_at(chooser, place)
        # What was kept is written to places before this one, and the one right before it stays as it was.
        before = column_at(chooser, place - 1) if place else NULL
        after = column_at(chooser, place + 1) if place + 1 < chooser.count else NULL
        if is_name(chooser, column):
            named = after
        else:
            named = named_by(chooser, column, before, after)
            if named == NULL:
                chooser.order[out] = chooser.order[place]
                out += 1
                continue
        drop(chooser, column, LABEL)
        if (named != NULL and named.label == NOWHERE
                and 10 * <int64_t>count_both(chooser.table, column, named) >= 7 * <int64_t>named.filled):
            named.label = column.first
    chooser.count = out


cdef int32_t nearest_class(const Chooser *chooser, const Column *column) noexcept nogil:
    """How many elements up from a text the nearest is that has a class, of the next three; 0 if none has."""
    cdef int32_t levels, slot = column.slot
    for levels in range(1, 4):
        slot = chooser.tree.parent[slot]
        if slot == NOWHERE:
            return 0
        if chooser.tree.symbol[slot] != 0:
            return levels
    return 0


cdef bint are_alike(Chooser *chooser, Column *one, Column *other, int32_t levels) noexcept nogil:
    """Whether so many elements around texts are of the same tags and classes, and the one around these too; or else
    both texts are values of the same shape, or words, which all records have together."""
    cdef const TemplateTree *tree = chooser.tree
    cdef int32_t a = one.slot, b = other.slot, shape, _
    if nearest_class(chooser, other) != levels:
        return False
    for _ in range(levels):
        a = tree.parent[a]
        b = tree.parent[b]
        if tree.tag[a] != tree.tag[b] or tree.symbol[a] != tree.symbol[b]:
            return False
    a = tree.parent[a]
    b = tree.parent[b]
    if a == b or (a != NOWHERE and b != NOWHERE and tree.tag[a] == tree.tag[b] and tree.symbol[a] == tree.symbol[b]):
        return True
    shape = shape_of_column(chooser.table, one)
    return shape == shape_of_column(chooser.table, other) and (
        shape != WORDS or 20 * (<int64_t>one.filled + other.filled) >= 19 * chooser.records)


cdef void come_together(Chooser *chooser) noexcept nogil:
    """Make one column of those of which no record has both, in elements of the same class: records differ in shape.
    Columns without words are dropped."""
    cdef CellTable *table = chooser.table
    cdef int32_t place, other, levels, label, out = 0
    cdef Column *column
    cdef Column *before
    for place in range(chooser.count):
        column = column_at(chooser, place)
        if shape_of_column(table, column) == NOTHING:
            continue
        levels = nearest_class(chooser, column)
        if column.operation != LIST and levels:
            for other in range(max(0, out - NEAREST), out):
                before = column_at(chooser, other)
                if (before.operation != LIST and are_alike(chooser, column, before, levels)
                        and not share_records(table, column, before)):
                    label = before.label if before.label != NOWHERE else column.label
                    fill_up(table, before, column)
                    before.label = label
                    break
            else:
                chooser.order[out] = chooser.order[place]
                out += 1
            continue
        chooser.order[out] = chooser.order[place]
        out += 1
    chooser.count = out


# Prices


cdef bint is_reduced(Chooser *chooser, const Column *one, const Column *other) noexcept nogil:
    """Whether nearly all records that have both have smaller amounts in the first, of the same order."""
    cdef CellTable *table = chooser.table
    cdef int32_t record
    cdef int64_t both = count_both(table, one, other), smaller = 0, new, old
    if 10 * both < 9 * <int64_t>one.filled:
        return False
    table.work -= table.records
    for record in range(table.records):
        if one.cells[record].length and other.cells[record].length:
            new = amount_of(one.cells[record].text, one.cells[record].length)
            old = amount_of(other.cells[record].text, other.cells[record].length)
            smaller += 0 < new < old <= 3 * new
    return 10 * smaller >= 9 * both


cdef void settle_prices(Chooser *chooser) noexcept nogil:
    """Of two amounts near each other, of which fewer records have the smaller one: this is the price where it is
    there, and the other the old price. Those with most records are looked at first."""
    cdef CellTable *table = chooser.table
    cdef int32_t *amounts = NULL
    cdef int32_t place, i, k, count = 0, record, column
    cdef Column *one
    cdef Column *other
    for place in range(chooser.count):
        if shape_at(chooser, &chooser.order[place]) != MONEY or column_at(chooser, place).filled < 2:
            continue
        if amounts == NULL:
            amounts = <int32_t *>taken(&table.arena, (chooser.count - place) * sizeof(int32_t))
            if amounts == NULL:
                table.failed = True
                return
        column = chooser.order[place]
        i = count
        while i and table.columns[amounts[i - 1]].filled < table.columns[column].filled:
            amounts[i] = amounts[i - 1]
            i -= 1
        amounts[i] = column
        count += 1
    for i in range(count):
        for k in range(count):
            one = &table.columns[amounts[i]]
            other = &table.columns[amounts[k]]
            if i == k or 6 * <int64_t>one.filled > 5 * <int64_t>other.filled:
                continue
            if not goes_on(chooser):
                return
            if not is_near(chooser, one, other, 4) or not is_reduced(chooser, one, other):
                continue
            other.where_first = one.first
            other.where_last = one.last
            for record in range(table.records):
                if one.cells[record].length == 0:
                    one.cells[record] = other.cells[record]
                    other.cells[record].length = 0
            table.following[one.last] = other.first
            one.last = other.last
            one.operation = FIRST
            one.list = other.list = one.label = NOWHERE
            one.relation = PRICE
            other.operation = REST
            other.relation = OLD_PRICE
            measure(table, one)
            measure(table, other)
            return


# What is left out


cdef int32_t reason_against(Chooser *chooser, Column *column) noexcept nogil:
    """Why a column is not shown: SHOWN if nothing speaks against it."""
    cdef CellTable *table = chooser.table
    cdef int32_t shape = shape_of_column(table, column), different
    cdef int64_t filled = column.filled
    cdef bint is_action
    if shape == NOTHING or filled == 0:
        return NO_WORDS
    if column.label != NOWHERE or chooser.records < 2:
        return SHOWN
    is_action = chooser.around[column.slot] & ACTION
    different = distinct_of(table, column)
    if (shape == WORDS and is_action and filled >= 4 and different < MANY and 20 * different <= max(20, filled)
            and not in_title(chooser, column)):
        return ACTION_TEXT
    if different == 1 and shape != MONEY and (
            5 * filled >= 4 * chooser.records or shape == NUMBER or shape == COUNT or is_action
            or 10 * filled < chooser.records):
        return CONSTANT
    return SHOWN


cdef bint says_the_same(Chooser *chooser, Column *column, Column *other, bint loosely) noexcept nogil:
    """Whether a column says the same as another, or a part of it; or, loosely, whether one is a part of the other."""
    cdef CellTable *table = chooser.table
    cdef int32_t both, sample, word, record, seen = 0, pairs = 0, equal = 0, parts = 0
    cdef uint64_t records
    cdef Normal own, shown
    cdef bint looks_for_parts = loosely or column.bytes >= 8 * <int64_t>column.filled
    if 10 * <int64_t>other.filled < 6 * <int64_t>column.filled:
        return False
    both = count_both(table, column, other)
    if 10 * <int64_t>both < 7 * <int64_t>min(column.filled, other.filled):
        return False
    sample = min(both, SAMPLE)
    for word in range(table.words):
        records = column.records[word] & other.records[word]
        while records and seen < sample:
            record = 64 * word + bits_of((records & (~records + 1)) - 1)
            records &= records - 1
            seen += 1
            if not find_normal(table, column, record, &own) or not find_normal(table, other, record, &shown):
                return False
            if own.length == 0 or shown.length == 0:
                continue
            pairs += 1
            if own.length == shown.length and same_bytes(own.text, shown.text, own.length):
                equal += 1
                parts += 1
            elif looks_for_parts:
                parts += contains(shown.text, shown.length, own.text, own.length, &table.work) or (
                    loosely and contains(own.text, own.length, shown.text, shown.length, &table.work))
            # Too many differ, whatever follows.
            if 5 * (pairs - equal) > sample and (
                    not looks_for_parts or (5 if loosely else 10) * (pairs - parts) > sample):
                return False
        if seen == sample:
            break
    if pairs == 0:
        return False
    if 5 * equal >= 4 * pairs:
        return True
    return looks_for_parts and (5 * parts >= 4 * pairs if loosely else 10 * parts >= 9 * pairs)


cdef bint is_copy(Chooser *chooser, Column *column, const int32_t *shown, int32_t count, bint loosely) noexcept nogil:
    """Whether a column says the same as one that is shown, or a part of it."""
    cdef int32_t k
    for k in range(max(0, count - NEAREST), count):
        if not goes_on(chooser):
            return False
        if says_the_same(chooser, column, &chooser.table.columns[shown[k]], loosely):
            return True
    return False


cdef bint is_telling(Chooser *chooser, Column *column) noexcept nogil:
    """Whether texts for images and hints are short, differ, and have numbers: "4.5 of 5"."""
    cdef CellTable *table = chooser.table
    cdef int32_t record
    cdef int64_t numbers = 0, files = 0
    cdef const Cell *cell
    if column.bytes > 40 * <int64_t>column.filled or distinct_of(table, column) < 2:
        return False
    if shape_of_column(table, column) == NOTHING:
        return False
    for record in range(table.records):
        cell = &column.cells[record]
        if cell.length:
            numbers += has_digit(cell.text, cell.length)
            files += is_file_name(cell.text, cell.length)
    return (column.shape != WORDS or 2 * numbers >= column.filled) and 2 * files < column.filled


cdef void find_title_link(Chooser *chooser, int32_t link) noexcept nogil:
    """The link that titles are in, unless it is around the whole record."""
    cdef CellTable *table = chooser.table
    cdef int32_t slot = table.columns[link].slot, item = link + 1, inside = 0
    cdef Column *column
    chooser.title_link = slot
    if chooser.inline[slot]:
        return
    while item < table.width and table.columns[item].slot < end_of_slot(chooser, slot):
        column = &table.columns[item]
        inside += (column.kind == chooser.text_kind and column.slot > slot
                   and 10 * <int64_t>column.filled >= 3 * chooser.records and distinct_of(table, column) > 1)
        item += 1
    if inside > 1:
        chooser.title_link = NOWHERE


cdef void add_shown(Chooser *chooser, Choice *choice, int32_t column) noexcept nogil:
    """Show a column at the place of its first item."""
    cdef int32_t at = choice.count
    while at and chooser.table.columns[choice.shown[at - 1]].first > chooser.table.columns[column].first:
        choice.shown[at] = choice.shown[at - 1]
        at -= 1
    choice.shown[at] = column
    choice.count += 1


cdef void mark(const CellTable *table, uint8_t *wanted, int32_t item, int32_t last) noexcept nogil:
    """Mark the items of a chain."""
    wanted[item] = True
    while item != last:
        item = table.following[item]
        wanted[item] = True


cdef int32_t show(Chooser *chooser, Choice *choice, int32_t link, int32_t pictures) noexcept nogil:
    """Leave out what says nothing, or what another column says, and write what is shown. -1: no memory."""
    cdef CellTable *table = chooser.table
    cdef int32_t place, item, why, kept = 0, count = 0
    cdef int32_t *shown = <int32_t *>taken(&table.arena, 2 * <size_t>table.width * sizeof(int32_t))
    cdef Column *column
    choice.shown = shown + table.width
    choice.wanted = <uint8_t *>taken(&table.arena, table.width)
    if shown == NULL or choice.wanted == NULL:
        return -1
    for place in range(chooser.count):
        why = reason_against(chooser, column_at(chooser, place))
        drop(chooser, column_at(chooser, place), why)
        if why == SHOWN:
            chooser.order[kept] = chooser.order[place]
            kept += 1
    chooser.count = kept
    settle_prices(chooser)
    for place in range(kept):
        column = column_at(chooser, place)
        if is_copy(chooser, column, shown, count, False):
            drop(chooser, column, COPY)
        else:
            shown[count] = chooser.order[place]
            count += 1
    for item in range(table.width):
        column = &table.columns[item]
        if (column.kind == ALT or column.kind == TITLE) and column.list == NOWHERE and is_telling(chooser, column):
            if is_copy(chooser, column, shown, count, True):
                drop(chooser, column, COPY)
            else:
                drop(chooser, column, SHOWN)
                shown[count] = item
                count += 1
    memset(choice.wanted, 0, table.width)
    if link != NOWHERE:
        table.columns[link].relation = LINK
        drop(chooser, &table.columns[link], SHOWN)
        shown[count] = link
        count += 1
    if pictures != NOWHERE:
        table.columns[pictures].relation = PICTURE
        drop(chooser, &table.columns[pictures], SHOWN)
        shown[count] = pictures
        count += 1
    for place in range(count):
        column = &table.columns[shown[place]]
        add_shown(chooser, choice, shown[place])
        shape_of_column(table, column)
        mark(table, choice.wanted, column.first, column.last)
        if column.operation == REST:
            mark(table, choice.wanted, column.where_first, column.where_last)
        if column.label != NOWHERE:
            choice.wanted[column.label] = True
    return 0


cdef int32_t choose_columns(const PlacedRecords *placed, const TemplateTree *tree, const Columns *items,
                            ChoiceTraits traits, Choice *choice) noexcept nogil:
    """Choose the columns of at least one record. -1: no memory."""
    cdef Chooser chooser
    cdef int32_t link, pictures
    if <int64_t>items.width * placed.records.count > MOST_CELLS:
        choice.exceeded = True
        return 0
    memset(&chooser, 0, sizeof(Chooser))
    chooser.table = &choice.table
    chooser.tree = tree
    chooser.title_link = NOWHERE
    if open_chooser(&chooser, placed, items, traits) < 0:
        return -1
    choice.left_out = chooser.left_out
    link = find_link(&chooser)
    if link != NOWHERE:
        find_title_link(&chooser, link)
    pictures = find_pictures(&chooser, link)
    if find_texts(&chooser) < 0 or fold_siblings(&chooser) < 0 or gather_lists(&chooser) < 0:
        return -1
    take_names(&chooser)
    come_together(&chooser)
    if show(&chooser, choice, link, pictures) < 0 or choice.table.failed:
        return -1
    choice.exceeded = choice.table.work < 0
    return 0


cdef void close_choice(Choice *choice) noexcept nogil:
    close_arena(&choice.table.arena)


# In Python


cdef tuple numbers_of(const CellTable *table, int32_t item, int32_t last):
    """The items of a chain."""
    cdef list found = [item]
    while item != last:
        item = table.following[item]
        found.append(item)
    return tuple(found)


cdef tuple sources_of(const CellTable *table, const Column *column):
    """The items of a column: each source of it those that are joined."""
    cdef list found = []
    cdef int32_t first = column.first, item = first, following
    while item != column.last:
        following = table.following[item]
        if table.begins[following]:
            found.append(numbers_of(table, first, item))
            first = following
        item = following
    found.append(numbers_of(table, first, item))
    return tuple(found)


cdef tuple chosen(const Choice *choice):
    """The columns that are shown, and why others are not; see `fastwrap.columns.records.Learned`."""
    cdef list outputs = []
    cdef const Column *column
    cdef int32_t k
    for k in range(choice.count):
        column = &choice.table.columns[choice.shown[k]]
        where = () if column.where_first == NOWHERE else numbers_of(
            &choice.table, column.where_first, column.where_last)
        outputs.append((column.operation, column.relation, column.label, column.shape,
                        sources_of(&choice.table, column), where))
    return outputs, (<const char *>choice.left_out)[:choice.table.width]
