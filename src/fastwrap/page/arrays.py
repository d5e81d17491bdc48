"""The node arrays: what a page is made of once the parser's tree is gone.
One structure of arrays in preorder; the subtree of node i is the slice [i, i + size[i])."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Int32Array: TypeAlias = npt.NDArray[np.int32]

TOUCHES = b"\xff"
"""In place of the space behind a text that the next one touches. No character of UTF-8 has this byte."""


def joined(text: bytes) -> str:
    """What a slice of `NodeArrays.text` says.

    >>> joined(b"19\\xff,90 EUR")
    '19,90 EUR'
    """
    return text.replace(TOUCHES, b"").decode("utf-8", "replace")


class NodeArrays(NamedTuple):
    """What a walk over the parser's tree gives; all arrays are int32 and read-only.

    Nodes are elements and texts. Left out with everything below them: script, style, template, noscript,
    comments; left out too: texts of white space alone, and the markup that iframe, noframes and noembed hold
    as text. White space in texts is normalised (as `" ".join(text.split())` does), attribute values are as
    they stand.
    """

    tag: Int32Array
    """[n] Number of the tag name (`fastwrap.page.names`); TEXT for a text."""
    parent: Int32Array
    """[n] The parent node; NO_NODE for the root."""
    size: Int32Array
    """[n] Nodes in the subtree, the node itself included."""
    depth: Int32Array
    """[n] Ancestors of the node; 0 for the root."""
    text_start: Int32Array
    """[n + 1] Where the text of the subtree starts in `text`: it ends at `text_start[i + size[i]]`."""
    attribute_start: Int32Array
    """[n + 1] The attributes of node i are attribute_start[i] up to attribute_start[i + 1]."""
    attribute_name: Int32Array
    """[m] Number of the attribute's name."""
    value_start: Int32Array
    """[m + 1] The value of attribute k is values[value_start[k]:value_start[k + 1]]."""
    text: bytes
    """UTF-8: every text in order, each followed by one byte, so that a subtree's text is one slice. That byte is a
    space, or `TOUCHES` where the next text touches this one: no white space is between them, and no tag but those of
    formatting (`names.FORMATTING`) and of what is left out. Two numbers do not touch, nor do two formatting elements
    side by side, unless a sign says that the text goes on (`names.JOINTS`). `joined` reads a slice."""
    values: bytes
    """UTF-8: every attribute value in order, then the scripts that hold data: those whose type says JSON, and those
    that look like it (by their first kilobyte: `holds_data` in `_core/page/arrays.h`); then the markup of each noscript
    that has a kilobyte of it."""
    script_start: Int32Array
    """[s + 1] Script k is values[script_start[k]:script_start[k + 1]]."""
    noscript_start: Int32Array
    """[q + 1] The markup of noscript k is values[noscript_start[k]:noscript_start[k + 1]]."""
