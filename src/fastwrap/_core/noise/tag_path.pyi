"""Region search over a tag path sequence (TPS): the largest part of a page with an alphabet of its own."""

from fastwrap.page.arrays import Int32Array

def search_region(symbols: Int32Array, budget: int, gives_up: bool = False) -> tuple[int, int, Int32Array, bool]:
    """Find the main region of a tag path sequence and the cuts that led to it (Velloso 2014, algs 3 and 4).

    `symbols` are the tag path symbols of a page in preorder, each between 0 and n - 1; anything else raises
    ValueError. They may be numbered in any order, but in order of first appearance the search is fastest.

    Returns `(start, end, cuts, complete)`. The main region is `symbols[start:end]`. Each cut is a row
    `(position, threshold, side)`: the window [lo, hi), at first the whole sequence, was split into
    [lo, position) and [position, hi), which share no symbol that occurs `threshold` times or more in the
    window; the larger one was kept, the left one for side 0 and the right one for side 1.

    A scan goes on past a place whose sides are too even; with `gives_up` it ends there, as printed (line 33).
    Other differences from the printed algorithm: the margin of line 30 is the absolute |n - 2i| / n > 0.20, for
    the lines after it keep whichever side is larger; and the search stops after `budget` steps (visits of a
    symbol's first position by a scan) with the region found so far, `complete` then being False. Pages take a few
    steps per node, but a sequence can be made whose every small cut needs a long scan.
    """
