"""Pager: which links of a page are labelled or marked as pagers do, and which links and texts are page numbers."""

import numpy as np
import numpy.typing as npt

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import Int32Array
from fastwrap.paging.scanning import ScanRules

def scan(
    native: NativePage, label_heads: npt.NDArray[np.uint64], page_heads: npt.NDArray[np.uint64], rules: ScanRules
) -> tuple[Int32Array, Int32Array]:
    """Links worth a look [k, 2], node and kinds; and numbers [k, 5], node, first, last, what it is, and its row.

    Links are elements `a` and `area` that have an href. `label_heads` are sorted: of each word that labels start with,
    the first eight bytes, little-endian, or six where the first byte is 0xE3 or more; of arrows all bytes. `page_heads`
    are the same of links that lead to a numbered page and say more than the number. Labels are the attributes alt,
    title, aria-label and src; names are class, id and rel, and href within links that have no text.

    The kinds of a link are the sum of
    1, labelled: its text, of at most `max_label` bytes, starts with one of these words or arrows, in either case of
    ASCII letters and after brackets; or the text has no letters and is no number, and a label in the link does so;
    2, marked: "next" is in a label or name of the link or of an element in it (in its last `max_label` bytes), or in a
    name of its parent or grandparent, if these have at most `max_more` nodes more; an element `link` may be marked too;
    4, pointing: it has no text, and "right" or "forward" is in a label or name, as above.

    A number is the text of a link, or a text outside links, of one to five digits, of some scripts, or two such numbers
    with a dash between them, with at most a bracket before and a bracket or stop after; first and last are the two, or
    one twice. A text of at most 24 bytes outside links, or of a link that starts as `page_heads` say, may also end in a
    number, as "Pages: 1" does. A number is 0, no link; 1, a
    link; or 2, a link marked as where the reader is, by class (of it or its parent) or because it leads nowhere.

    A row is numbers that increase, each at most `gap` nodes after the one before. Only rows of two numbers or more are
    returned, with a link of kind 1 and at most `max_unlinked` numbers of kind 0.
    """
