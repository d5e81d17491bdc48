"""Folds the slots of a grown tree: what is one text in pieces goes to one slot, and like siblings become a list.
Both show by what differs from record to record; what is the same in all records stays as it is."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memset, strchr

from fastwrap._core.columns.alignment cimport (
    NOWHERE, Aligner, Records, TemplateTree, close_records, close_tables, close_tree, end_of, fill_records, grow_tree,
    start_of,
)
from fastwrap._core.columns.bodies cimport LONG, find_bodies
from fastwrap._core.common.names cimport TAG_A, TAG_BR, TEXT
from fastwrap._core.common.page cimport TOUCHES, PageArrays

cdef enum:
    MIN_UNITS = 3       # siblings of a list, at least, in the longest record
    MIN_PATTERNS = 3    # ways to fill a run of slots: of two, one is the other with an optional part
    PROSE = 50          # bytes outside inline elements, on average, from which these are part of the text
    LONGEST_SIGN = 3    # bytes of what many records have in front of a value ("$"), ...
    LONGEST_UNIT = 4    # ... and of what they have behind it
    # Shares in percent
    USUAL = 70          # records that have a link, from which it is none
    RARE = 30           # records that have a link, below which it is part of the text around it
    SAME_NUMBER = 60    # records with the same number of like siblings, from which these are columns, not a list
    BARE = 50           # records with text outside inline elements, from which these are markup within a text
    SAME_MARKUP = 90    # records with the same markup in a line, from which its parts are columns
    SAME_LINES = 50     # records with the same lines, from which these are columns
    TOUCHING = 50       # records in which a text touches the one before it, from which they are one, ...
    CUT_WORDS = 5       # ... and in which both would be cut within a word


cdef int compare_patterns(const void *left, const void *right) noexcept nogil:
    cdef uint64_t a = (<const uint64_t *>left)[0], b = (<const uint64_t *>right)[0]
    return (a > b) - (a < b)


cdef inline bint is_loose(Folding *folding, int32_t slot) noexcept nogil:
    """Whether a slot and all below it are texts, line breaks and mere formatting."""
    return folding.solid[slot + folding.tree.size[slot]] == folding.solid[slot]


cdef bint ends_as_name(Folding *folding, int32_t slot) noexcept nogil:
    """Whether a text slot has a text that many records have, and that names what follows it ("Price:")."""
    cdef int32_t end
    if folding.tree.tag[slot] != TEXT or folding.tree.symbol[slot] == 0:
        return False
    end = folding.page.text_start[folding.first[slot] + 1] - 1
    return end > folding.page.text_start[folding.first[slot]] and folding.page.text[end - 1] == c":"


cdef bint is_list(Folding *folding, int32_t members) noexcept nogil:
    """Whether the like siblings in `run` are a list: in differing numbers, and not each with a name of its own."""
    cdef int32_t i, number, record, slot, usual = 0, most = 0, different = 0, all_records = 0, name = 0
    cdef int32_t trait = trait_of(folding, folding.run[0])
    if members < MIN_UNITS or trait & CELL or (trait & FORMATTING and is_loose(folding, folding.run[0])):
        return False
    for i in range(members + 1):
        folding.numbers[i] = 0
    for record in range(folding.records):
        number = 0
        for i in range(members):
            number += folding.filled[<int64_t>record * folding.tree.count + folding.run[i]]
        folding.numbers[number] += 1
    for i in range(1, members + 1):
        if folding.numbers[i]:
            different += 1
            most = i
            all_records += folding.numbers[i]
            if usual == 0 or folding.numbers[i] > folding.numbers[usual]:
                usual = i
    if most < MIN_UNITS or different < 2 or (
            usual > 1 and 100 * <int64_t>folding.numbers[usual] >= SAME_NUMBER * <int64_t>all_records):
        return False
    for i in range(members):
        if not has_name(folding, folding.run[i]):
            continue
        for slot in range(folding.run[i], folding.run[i] + folding.tree.size[folding.run[i]]):
            if ends_as_name(folding, slot):
                if name != 0 and name != folding.tree.symbol[slot]:
                    return False
                name = folding.tree.symbol[slot]
    return True


cdef void find_lists(Folding *folding, int32_t slot, int32_t end) noexcept nogil:
    """Mark lists among the children of a slot: like siblings with nothing but texts and line breaks between them."""
    cdef int32_t child = slot + 1, members = 0, tag = NOWHERE, symbol = 0, i
    while True:
        if child < end and members and (folding.tree.tag[child] == TEXT or folding.tree.tag[child] == TAG_BR):
            child += folding.tree.size[child]
            continue
        if (child >= end or folding.settled[child] or folding.tree.tag[child] != tag
                or folding.tree.symbol[child] != symbol):
            if is_list(folding, members):
                for i in range(members):
                    folding.tree.unit[folding.run[i]] = folding.lists
                i = folding.run[members - 1]
                memset(folding.settled + folding.run[0], 1, i + folding.tree.size[i] - folding.run[0])
                folding.lists += 1
            members = 0
            if child >= end:
                return
            tag = NOWHERE if folding.settled[child] else folding.tree.tag[child]
            symbol = folding.tree.symbol[child]
        if tag != TEXT and tag != TAG_BR and tag != NOWHERE:
            folding.run[members] = child
            members += 1
        child += folding.tree.size[child]


cdef void join(Folding *folding, const int32_t *run, int32_t length) noexcept nogil:
    """Let all texts of a run of siblings go to the first one."""
    cdef int32_t i, slot, first = NOWHERE
    for i in range(length):
        for slot in range(run[i], run[i] + folding.tree.size[run[i]]):
            folding.settled[slot] = 1
            if folding.tree.tag[slot] == TEXT:
                if first == NOWHERE:
                    first = slot
                folding.tree.into[slot] = first


cdef bint is_irregular(Folding *folding, int32_t records, int32_t share) noexcept nogil:
    """Whether the records have several of the patterns, none of which so many of them have."""
    cdef int32_t i, different = 0, same = 0, most = 0
    qsort(folding.patterns, records, sizeof(uint64_t), &compare_patterns)
    for i in range(records):
        same = same + 1 if i and folding.patterns[i] == folding.patterns[i - 1] else 1
        different += same == 1
        most = max(most, same)
    return different >= MIN_PATTERNS and 100 * <int64_t>most < share * <int64_t>records


cdef int32_t read_patterns(Folding *folding, const int32_t *run, int32_t length, bint by_line,
                           int32_t *bare) noexcept nogil:
    """Write for each record that fills any of a run of siblings which of them it does, or which of their lines.

    Returns how many records these are, and in `bare` how many have text outside elements.
    """
    cdef int32_t record, i, part, last, found = 0
    cdef uint64_t pattern
    cdef uint8_t *filled
    cdef bint any_bare, is_break
    bare[0] = 0
    for record in range(folding.records):
        filled = folding.filled + <int64_t>record * folding.tree.count
        pattern = 0
        last = 0
        part = by_line      # parts are numbered from 1
        any_bare = False
        for i in range(length):
            is_break = by_line and folding.tree.tag[run[i]] == TAG_BR
            part += is_break or not by_line
            if filled[run[i]] and not is_break and part != last:
                last = part
                pattern = (pattern ^ <uint64_t>part) * <uint64_t>0x9E3779B97F4A7C15 | 1
                any_bare = any_bare or folding.tree.tag[run[i]] == TEXT
        if pattern:
            folding.patterns[found] = pattern
            found += 1
            bare[0] += any_bare
    return found


cdef bint is_marked_up(Folding *folding, int32_t length) noexcept nogil:
    """Whether the siblings in `line` are one text, which records mark up in different ways."""
    cdef int32_t bare, found = read_patterns(folding, folding.line, length, False, &bare)
    return bare > 0 and 100 * <int64_t>bare >= BARE * <int64_t>found and is_irregular(folding, found, SAME_MARKUP)


cdef void join_run(Folding *folding, int32_t length) noexcept nogil:
    """Join the texts of lines of `run` that are marked up in different ways, and of lines that differ in number."""
    cdef int32_t i, lines = 0, in_line = 0, found, bare
    for i in range(length + 1):
        if i < length and folding.tree.tag[folding.run[i]] != TAG_BR:
            folding.line[in_line] = folding.run[i]
            in_line += 1
            continue
        lines += in_line > 0
        if in_line > 1 and is_marked_up(folding, in_line):
            join(folding, folding.line, in_line)
        in_line = 0
    if lines > 1:
        found = read_patterns(folding, folding.run, length, True, &bare)
        if found and is_irregular(folding, found, SAME_LINES):
            join(folding, folding.run, length)


cdef inline bint is_inline(Folding *folding, int32_t slot) noexcept nogil:
    """Whether a slot is loose text, or a link around it."""
    return is_loose(folding, slot) or (
        folding.tree.tag[slot] == TAG_A
        and folding.solid[slot + folding.tree.size[slot]] == folding.solid[slot + 1])


cdef inline bint is_usual_link(Folding *folding, int32_t slot, int32_t up) noexcept nogil:
    """Whether a slot is a link that most of the `up` records have: rather a title, or a value, than part of prose."""
    return folding.tree.tag[slot] == TAG_A and 100 * <int64_t>folding.times[slot] >= USUAL * <int64_t>up


cdef bint is_prose(Folding *folding, int32_t length, int32_t up) noexcept nogil:
    """Whether the siblings in `run` are prose of `up` records, with links and markup that differ among these."""
    cdef int32_t i, below, record, found, bare, pieces, whole = 0
    cdef int64_t outside = 0, inside = 0
    for i in range(length):
        if folding.tree.tag[folding.run[i]] == TEXT:
            outside += folding.letters[folding.run[i]]
        for below in range(folding.run[i] + 1, folding.run[i] + folding.tree.size[folding.run[i]]):
            inside += folding.letters[below]
    if outside < inside or outside < PROSE * <int64_t>up:
        return False
    for record in range(folding.records):
        pieces = 0
        for i in range(length):
            pieces += folding.filled[<int64_t>record * folding.tree.count + folding.run[i]]
        whole += pieces == 1
    found = read_patterns(folding, folding.run, length, False, &bare)
    # Where most records have the text in one piece, a few in several are enough.
    return is_irregular(folding, found, 101 if 2 * <int64_t>whole >= found else SAME_MARKUP)


cdef void find_prose(Folding *folding, int32_t slot, int32_t end, int32_t up) noexcept nogil:
    """Join the texts of runs of children that are prose."""
    cdef int32_t child = slot + 1, length = 0
    cdef bint in_cell = slot >= 0 and trait_of(folding, slot) & CELL
    while True:
        if (child < end and is_inline(folding, child) and (in_cell or folding.tree.tag[child] != TAG_BR)
                and not has_name(folding, child) and not is_usual_link(folding, child, up)):
            if folding.tree.tag[child] != TAG_BR:
                folding.run[length] = child
                length += 1
        else:
            if length > 1 and is_prose(folding, length, up):
                join(folding, folding.run, length)
            length = 0
            if child >= end:
                return
        child += folding.tree.size[child]


cdef bint join_cell(Folding *folding, int32_t slot, int32_t end) noexcept nogil:
    """Join the texts of a cell if no record has more than one of them: some records have it in a link, others not."""
    cdef int32_t record, below, texts
    cdef const uint8_t *filled
    for record in range(folding.records):
        filled = folding.filled + <int64_t>record * folding.tree.count
        texts = 0
        for below in range(slot + 1, end):
            texts += filled[below] != 0 and folding.tree.tag[below] == TEXT
        if texts > 1:
            return False
    folding.run[0] = slot
    join(folding, folding.run, 1)
    return True


cdef inline bint is_rare_link(Folding *folding, int32_t slot, int32_t up) noexcept nogil:
    """Whether a slot is a link around loose text that few of the `up` records have which have its parent."""
    return (folding.tree.tag[slot] == TAG_A and 100 * <int64_t>folding.times[slot] < RARE * <int64_t>up
            and folding.solid[slot + folding.tree.size[slot]] == folding.solid[slot + 1])


cdef void find_texts(Folding *folding, int32_t slot, int32_t end) noexcept nogil:
    """Join what is one text in pieces among the children of a slot."""
    cdef int32_t child = slot + 1, length = 0, up = folding.records if slot < 0 else folding.times[slot]
    while child < end:
        if (not folding.settled[child] and (is_loose(folding, child) or is_rare_link(folding, child, up))
                and not has_name(folding, child)):
            folding.run[length] = child
            length += 1
        else:
            if length > 1:
                join_run(folding, length)
            length = 0
        child += folding.tree.size[child]
    if length > 1:
        join_run(folding, length)


cdef int32_t fold_all(Folding *folding) noexcept nogil:
    """Look at the bodies of records, and at the children of all slots that are not the same in all. -1: no memory."""
    cdef int32_t slot, child, end, up, uneven, children
    if find_bodies(folding) < 0:
        return -1
    for slot in range(-1, folding.tree.count):
        if slot >= 0 and (folding.settled[slot] or folding.tree.size[slot] < 3):
            continue
        end = folding.tree.count if slot < 0 else slot + folding.tree.size[slot]
        up = folding.records if slot < 0 else folding.times[slot]
        child = slot + 1
        uneven = children = 0
        while child < end:
            children += 1
            uneven += folding.times[child] < up
            child += folding.tree.size[child]
        if uneven and slot >= 0 and trait_of(folding, slot) & CELL and join_cell(folding, slot, end):
            continue
        if uneven and children > 1:
            find_prose(folding, slot, end, up)
            if children >= MIN_UNITS:
                find_lists(folding, slot, end)
            if uneven > 1:
                find_texts(folding, slot, end)
    return 0


cdef inline bint is_among(unsigned char byte, const char *signs) noexcept nogil:
    return byte != 0 and strchr(signs, byte) != NULL


cdef inline bint goes_on(const PageArrays *page, int32_t node) noexcept nogil:
    """Whether a text touches the one before it, and no sign separates them ("Size: <b>2</b>, Type: ...")."""
    cdef const unsigned char *start = page.text + page.text_start[node]
    return ((start - 1)[0] == TOUCHES and not is_among((start - 2)[0], "([{|:,;") and not is_among(start[0], ")]}|;")
            and not (is_among(start[0], ",:") and (start[1] == c" " or start[1] == TOUCHES)))


cdef inline bint is_of_word(unsigned char byte) noexcept nogil:
    return c"0" <= byte <= c"9" or c"a" <= (byte | 0x20) <= c"z" or byte >= 0x80


cdef bint is_fraction(const unsigned char *text, int32_t length) noexcept nogil:
    """Whether a text is what follows a whole number: ".99", ",5"."""
    cdef int32_t at
    if length != 2 and length != 3 or text[0] != c"." and text[0] != c",":
        return False
    for at in range(1, length):
        if not c"0" <= text[at] <= c"9":
            return False
    return True


cdef bint is_of_value(Folding *folding, int32_t slot, int32_t longest) noexcept nogil:
    """Whether a text may be part of a value: what many records have is none, unless it is a sign, a unit or cents."""
    cdef const PageArrays *page = folding.page
    cdef int32_t start = page.text_start[folding.first[slot]], end = page.text_start[folding.first[slot] + 1] - 1, at
    if folding.tree.symbol[slot] == 0 or is_fraction(page.text + start, end - start):
        return True
    for at in range(start, end):
        if page.text[at] == c" " or c"0" <= page.text[at] <= c"9":
            return False
    return end - start <= longest


cdef void find_touching(Folding *folding, const Records *records, const int32_t *slots,
                        int32_t *partner) noexcept nogil:
    """Write for each text slot the first one whose texts touch those in it, or NOWHERE.

    They do where most records that have both have nothing between them, and where some words would be cut. What many
    records have is no part of them, unless it is short or part of such a word.
    """
    cdef const PageArrays *page = folding.page
    cdef const unsigned char *start
    cdef int32_t record, node, slot, last, i
    cdef int32_t *both = folding.run        # slot -> records that have it and its partner, side by side, ...
    cdef int32_t *touching = folding.line   # ... in which they touch, ...
    cdef int32_t *words = folding.numbers   # ... and are one word
    cdef bint again
    memset(partner, 0xFF, folding.tree.count * sizeof(int32_t))     # NOWHERE
    for again in range(2):
        i = 0
        for record in range(records.count):
            last = NOWHERE
            for node in range(start_of(records, record), end_of(records, record)):
                slot = slots[i]
                i += 1
                if page.tag[node] != TEXT:
                    continue
                if last != NOWHERE and goes_on(page, node):
                    start = page.text + page.text_start[node]
                    if not again:
                        if partner[slot] == NOWHERE or last < partner[slot]:
                            partner[slot] = last
                    else:
                        both[slot] += 1
                        touching[slot] += 1
                        words[slot] += is_of_word(start[0]) and is_of_word((start - 2)[0])
                elif again and last != NOWHERE and last == partner[slot]:
                    both[slot] += 1
                last = slot
    for slot in range(folding.tree.count):
        if (partner[slot] != NOWHERE
                and (words[slot] == 0 or 100 * <int64_t>words[slot] < CUT_WORDS * <int64_t>both[slot])
                and (100 * <int64_t>touching[slot] < TOUCHING * <int64_t>both[slot]
                     or not is_of_value(folding, partner[slot], LONGEST_SIGN)
                     or not is_of_value(folding, slot, LONGEST_UNIT))):
            partner[slot] = NOWHERE


cdef inline int32_t root_of(int32_t *roots, int32_t slot) noexcept nogil:
    """The first slot of those that a slot is one with; the way there is made shorter."""
    while roots[slot] != slot:
        roots[slot] = roots[roots[slot]]
        slot = roots[slot]
    return slot


cdef void join_touching(TemplateTree *tree, const int32_t *partner, int32_t *roots) noexcept nogil:
    """Let texts go where those go that they touch, if both are in the same list or in none."""
    cdef int32_t slot, one, other
    for slot in range(tree.count):
        roots[slot] = slot
    for slot in range(tree.count):
        if partner[slot] == NOWHERE or tree.list_of[slot] != tree.list_of[partner[slot]]:
            continue
        one = root_of(roots, tree.into[slot])
        other = root_of(roots, tree.into[partner[slot]])
        roots[max(one, other)] = min(one, other)
    for slot in range(tree.count):
        # Roots go to smaller ones, whose own are known by now.
        roots[slot] = roots[roots[slot]]
    for slot in range(tree.count):
        tree.into[slot] = roots[tree.into[slot]]


cdef int32_t fold_slots(TemplateTree *tree, const Records *records, const int32_t *slots, const PageArrays *page,
                        TagTraits traits, int32_t *partner, bint *exceeded) noexcept nogil:
    """Find the slots that hold one text in pieces, those that hold a list, and those whose texts touch.

    Returns how many lists there are; -1: no memory.
    """
    cdef int32_t count = tree.count, slot, node, i = 0, record, length
    cdef Folding folding
    memset(&folding, 0, sizeof(Folding))
    folding.tree = tree
    folding.records = records.count
    folding.traits = traits
    folding.page = page
    # Ten arrays by slot, three a little longer; and two of bytes.
    folding.times = <int32_t *>calloc(10 * <size_t>count + 3, sizeof(int32_t))
    folding.filled = <uint8_t *>calloc(<size_t>(records.count + 1) * count, 1)
    folding.patterns = <uint64_t *>malloc((records.count + 1) * sizeof(uint64_t))
    if folding.times == NULL or folding.filled == NULL or folding.patterns == NULL:
        folding.lists = -1
    else:
        folding.first = folding.times + count
        folding.run = folding.first + count
        folding.line = folding.run + count
        folding.numbers = folding.line + count
        folding.solid = folding.numbers + count + 1
        folding.named = folding.solid + count + 1
        folding.letters = folding.named + count + 1
        folding.prose = folding.letters + count
        folding.longest = folding.prose + count
        folding.settled = folding.filled + <int64_t>records.count * count
        for record in range(records.count):
            for node in range(start_of(records, record), end_of(records, record)):
                slot = slots[i]
                if folding.times[slot] == 0:
                    folding.first[slot] = node
                folding.times[slot] += 1
                if page.tag[node] == TEXT:
                    length = page.text_start[node + 1] - 1 - page.text_start[node]
                    folding.letters[slot] += length
                    folding.prose[slot] += length if length >= LONG else 0
                    folding.longest[slot] = max(folding.longest[slot], length)
                folding.filled[<int64_t>record * count + slot] = 1
                i += 1
        for slot in range(count):
            folding.solid[slot + 1] = folding.solid[slot] + (not (
                folding.tree.tag[slot] == TEXT or folding.tree.tag[slot] == TAG_BR
                or (folding.tree.symbol[slot] == 0 and trait_of(&folding, slot) & FORMATTING)))
            folding.named[slot + 1] = folding.named[slot] + ends_as_name(&folding, slot)
        find_touching(&folding, records, slots, partner)
        if fold_all(&folding) < 0:
            folding.lists = -1
        exceeded[0] |= folding.exceeded
    free(folding.times)
    free(folding.filled)
    free(folding.patterns)
    return folding.lists


cdef void write_units(const TemplateTree *tree, int32_t lists, int32_t *spans, int32_t *first_unit,
                      int32_t *units) noexcept nogil:
    """Write the units of all lists, list by list; where those of each list begin, and how many there are."""
    cdef int32_t slot, number, i
    memset(units, 0, lists * sizeof(int32_t))
    for slot in range(tree.count):
        if tree.unit[slot] != NOWHERE:
            units[tree.unit[slot]] += 1
    first_unit[0] = 0
    for number in range(1, lists):
        first_unit[number] = first_unit[number - 1] + units[number - 1]
    memset(units, 0, lists * sizeof(int32_t))
    for slot in range(tree.count):
        number = tree.unit[slot]
        if number != NOWHERE:
            i = first_unit[number] + units[number]
            # A unit reaches to the next one: separators, or texts that belong to it, are between them.
            if units[number]:
                spans[2 * i - 1] = slot
            spans[2 * i] = slot
            spans[2 * i + 1] = slot + tree.size[slot]
            units[number] += 1


cdef int32_t fold_list(TemplateTree *tree, const int32_t *spans, int32_t count,
                       AlignmentBudget *budget) noexcept nogil:
    """Map the units of a list onto each other: what is alike in them goes to the first slot that has it.

    -1: no memory.
    """
    cdef int32_t slot, first = spans[0], last = spans[2 * count - 1], i, longest = first, failed = 0
    cdef int32_t number = tree.unit[first]
    cdef Aligner aligner
    cdef Records units
    cdef int32_t *places = NULL     # of all slots from the first unit to the last
    cdef int32_t *earliest          # the first of them that has each
    for i in range(1, count):
        if tree.size[spans[2 * i]] > tree.size[longest]:
            longest = spans[2 * i]
    memset(&aligner, 0, sizeof(Aligner))
    aligner.tag = tree.tag
    aligner.size = tree.size
    aligner.parent = tree.parent
    aligner.symbols = tree.symbol + first
    aligner.budget = budget.cells
    places = <int32_t *>malloc(<size_t>(last - first) * sizeof(int32_t))
    if places == NULL or fill_records(&units, spans, count) < 0:
        failed = -1
    else:
        failed = grow_tree(&aligner, &units, places)
        close_records(&units)
    if failed == 0:
        earliest = aligner.rights
        memset(earliest, 0xFF, aligner.slot_count * sizeof(int32_t))     # NOWHERE
        for i in range(last - first):
            slot = first + i
            if earliest[places[i]] == NOWHERE:
                earliest[places[i]] = slot
            tree.into[slot] = earliest[places[i]]
            tree.list_of[slot] = number
            if tree.unit[slot] == number:
                tree.repeats[slot] = longest
            elif tree.tag[slot] == TEXT and tree.parent[slot] == tree.parent[first]:
                tree.repeats[slot] = slot
    budget.exceeded |= aligner.exceeded
    budget.cells = aligner.budget
    free(places)
    close_tree(&aligner)
    close_tables(&aligner)
    return failed


cdef void part_from_lists(TemplateTree *tree) noexcept nogil:
    """Let the texts of a body stay where they are, if those that they were joined to are in another list, or in one."""
    cdef int32_t slot
    for slot in range(tree.count):
        if tree.list_of[slot] != tree.list_of[tree.into[slot]]:
            tree.into[slot] = slot


cdef int32_t fold_tree(TemplateTree *tree, const Records *records, const int32_t *slots, const PageArrays *page,
                       TagTraits traits, AlignmentBudget *budget) noexcept nogil:
    """Find joined texts and lists, and what is alike in the units of these. Returns how many lists there are.

    -1: no memory.
    """
    cdef int32_t lists = -1, number, failed = 0
    cdef int32_t *partner = <int32_t *>malloc((2 * <size_t>tree.count + 1) * sizeof(int32_t))
    cdef int32_t *spans = NULL  # of the units of all lists
    cdef int32_t *first_unit
    cdef int32_t *units
    if partner != NULL:
        lists = fold_slots(tree, records, slots, page, traits, partner, &budget.exceeded)
    if lists > 0:
        spans = <int32_t *>malloc(2 * (<size_t>tree.count + lists) * sizeof(int32_t))
        if spans == NULL:
            lists = -1
    if lists > 0:
        first_unit = spans + 2 * <int64_t>tree.count
        units = first_unit + lists
        write_units(tree, lists, spans, first_unit, units)
        for number in range(lists):
            failed |= fold_list(tree, spans + 2 * <int64_t>first_unit[number], units[number], budget)
    if failed:
        lists = -1
    if lists > 0:
        part_from_lists(tree)
    if lists >= 0:
        join_touching(tree, partner, partner + tree.count)
    free(spans)
    free(partner)
    return lists
