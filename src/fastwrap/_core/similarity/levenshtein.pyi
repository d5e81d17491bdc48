"""Levenshtein distance between spans of integer symbols, bit-parallel and in batches (Hyyrö 2003).
Over tags it is the distance DG, over the characters of the concatenated tag names the distance DC."""

from fastwrap.page.arrays import Int32Array

UNKNOWN: int
"""The distance of a pair that the budget did not reach."""

def distances(symbols: Int32Array, pairs: Int32Array, budget: int) -> Int32Array:
    """Insertions, deletions and substitutions that turn one span of each pair into the other.

    A row of `pairs`, [pairs, 4], is where the left span starts and ends in `symbols`, and where the right one does.
    The symbols may be any integers; those from 0 to 255 are the fastest.

    `budget` bounds the steps of the whole call. A step moves 64 rows of a dynamic programming matrix by one
    column; besides, a pair costs one, one more for every 16 symbols of its spans, and one for every collision
    of symbols in a hash table. Pairs are taken in order; one that does not fit into what is left of the
    budget is UNKNOWN, every other distance is exact.

    Raises ValueError for arrays of another type or shape, and for spans outside the symbols.
    """
