"""The walk: from Lexbor's tree to integer-coded node arrays in one pass, without the GIL."""

from typing import Any

from fastwrap.page.arrays import Int32Array

OFFSETS: dict[str, int]
"""Byte offset of every field of Lexbor's structures that the walk reads: what `layout.py` verifies."""

def walk(
    root: int, tags: Int32Array, attributes: Int32Array, type_name: int, custom: dict[int, str]
) -> tuple[Any, ...] | None:
    """Read the tree below the element at the address `root` into the fields of `NodeArrays`, in order.

    `tags` and `attributes` map Lexbor's static numbers (4,096 entries) to ours: -1 unseen, -2 left out, -3
    script, bit 29 an element whose children are raw text. `type_name` is Lexbor's number of the attribute
    `type`. Names outside Lexbor's tables are numbered by `number_of`, which enters into `custom` those that are not
    in ours either. The caller keeps the parser alive meanwhile.

    Returns None when the tree holds a static number that the tables do not know. Raises MemoryError,
    OverflowError beyond 2 GiB of text or attributes, or ValueError where `root` is 0 or a table is too short.
    """
