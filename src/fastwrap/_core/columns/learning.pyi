"""Learns the template of records (partial tree alignment, PTA, Zhai & Liu 2005), and reads them into a table."""

from fastwrap._core.common.page import NativePage
from fastwrap.columns.records import Cell, LearningOptions, Output
from fastwrap.page.arrays import Int32Array

WORDS: int
FILES: int
"""Of the ways in which texts may be split: they begin with the same words; they are names of image files. Smaller bits
are kinds of separators."""

def learn(
    native: NativePage, spans: Int32Array, names: dict[int, str], options: LearningOptions
) -> tuple[
    Int32Array,
    Int32Array,
    Int32Array,
    list[list[Cell]],
    list[int],
    list[tuple[int, int]],
    int,
    tuple[list[Output], bytes] | None,
    tuple[str, ...],
]:
    """The template of records, and their table: the fields of `fastwrap.columns.records.Learned`.

    `spans` are records, runs of whole subtrees: of each the first node, and the node after its last one; ValueError for
    others. `names` are the names of the page that are not in the tables.

    Slots. No two nodes of a record are in one slot; nodes of a slot have the same tag, parents of a slot, and, within a
    record, the order of their slots. The record with most texts is placed first. A record is mapped into the tree so
    that the mapping is heaviest (2 for a pair of nodes, 3 if their symbols are equal and not 0), and of several such
    mappings the one farthest to the left. A run of siblings without partners is inserted between the partners of its
    neighbours if these adjoin; a record for which they do not is placed again when all others are, and then, if need
    be, right after the left one. A record that exceeds the budget is mapped by tags alone, from left to right.

    Foldings. Like siblings (same tag and symbol, only texts and line breaks between them) are a list if some record has
    at least 3 of them, records differ in their number, and not 60% of those that have any have the same number above 1;
    unless their tag has the trait CELL, or they have names of their own (texts with a symbol that end with a colon).
    Its units are aligned as records are: what is alike goes to the first slot that has it.

    A line is a run of siblings that are texts or, without symbol, elements with the trait FORMATTING, links that fewer
    than 30% of the records have, with only such below, and no names; line breaks are between lines. Its texts are
    joined if at least half of the records have text outside elements in it, and they fill it in at least 3 ways, of
    which none is that of 90%. All lines of a run are joined if the records fill them in at least 3 ways, of which none
    is that of half of them.

    Columns. Items are texts, and attributes that are not empty. Those from `first_data` on are items only if they are
    not JSON, at least half as many as records, and not all the same. Columns are in the order of slots, then of kinds.
    Texts may be split by separators that 90% of them have equally often.

    Choice. Of the items some are shown, alone or together: one link and one picture of the records, and texts, of which
    those are joined that are one text in pieces; texts that name the next are its label. What has no words, is the same
    in all records, is clicked, or says what another column says is left out (`_core/columns/choice.pyx`). If that is
    too much work, no choice is made.
    """
