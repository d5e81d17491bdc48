"""The guard before the parse: how deep, how laborious and how large the parser's tree would become."""

def is_harmless(html: bytes) -> bool:
    """Whether a page is too small to pass a limit of `nesting_rules`, whatever its tags do.

    A glance at every "<" and a bound on the elements that could be created twice: 2 to 5% of the parse, where
    `scan` takes 8 to 17%. True for nearly all real pages below 160 KB; about the others, `scan` tells.
    """

def scan(html: bytes) -> tuple[int, int, int]:
    """Follow the parser through a page, with its stacks but without its tree, as HTML with scripting enabled.

    Returns `(deepest, work, nodes)`:
    deepest: elements inside one another, html included; never less than in the tree, and more only where the
        parser moves elements up again (misnested formatting elements, content between the parts of a table).
    work: steps of the parser's searches through open elements, attributes and names, and of its copies of texts that
        go on behind tags that make no element.
    nodes: elements created, html, head and body included, exact but for what a frameset discards, plus an
        allowance for the attributes of those that are created again.

    Stops as soon as one of them passes its limit, so that none is much larger. Linear in the page but for those
    steps, which are budgeted. Raises MemoryError. Two things are not followed, since no page does them: entities
    in the `encoding` of an annotation in math, and doctypes other than `<!DOCTYPE html>` (with which a table
    would close a paragraph).
    """
