"""Pager in plain Python, for where the compiled module cannot be imported.
The same function, arguments and results as `fastwrap._core.paging.pager`."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE, TEXT

IS_HREF, IS_LABEL, IS_NAME, IS_CLASS = 1, 2, 4, 8
LABELLED, MARKED, POINTING = 1, 2, 4
NO_LINK, LINK, CURRENT = 0, 1, 2
MAX_NUMBER = 14
MAX_LEAD = 24
NUMBER = re.compile(rb"[\[({|]? ?([0-9]{1,5})(?: ?(?:-|\xe2\x80\x93) ?([0-9]{1,5}))? ?[\])}|.,]?")
LAST_NUMBER = re.compile(rb"(?:.*[ |\[({:])?([0-9]{1,5})[ |\])}.,]*", re.DOTALL)
LETTERS = re.compile(rb"[A-Za-z\xc0\xc1\xc3-\xe1\xe3-\xff]")
FIRST_WORD = re.compile(
    rb"[ \[(|]*(?:(\xe2[\x00-\xff]{0,2}|\xc2[\x00-\xff]?|[^A-Za-z\x80-\xff])"
    rb"|([\xe3-\xff][A-Za-z\x80-\xc1\xc3-\xe1\xe3-\xff]{0,5}|[A-Za-z\x80-\xc1\xc3-\xe1\xe3-\xff]{0,8}))",
    re.DOTALL,
)
CURRENT_NAME = re.compile(rb"current|selected", re.IGNORECASE)
ACTIVE_NAME = re.compile(rb"a[ck]tiv", re.IGNORECASE)
INACTIVE_NAME = re.compile(rb"ina[ck]tiv", re.IGNORECASE)


def head_of(label: bytes) -> int:
    """The start of a label's first word, or its first sign, as one number; ASCII letters in lower case."""
    found = FIRST_WORD.match(label)
    sign, word = found.groups() if found else (b"", b"")
    return int.from_bytes(sign if sign is not None else word.lower(), "little")


def names_current(names: bytes) -> bool:
    """Whether class names tell that this is where the reader is."""
    is_active = ACTIVE_NAME.search(names) and not INACTIVE_NAME.search(names)
    return bool(is_active or CURRENT_NAME.search(names))


def scan(
    tag: Int32Array,
    parent: Int32Array,
    size: Int32Array,
    text_start: Int32Array,
    attribute_start: Int32Array,
    attribute_name: Int32Array,
    value_start: Int32Array,
    text: bytes,
    values: bytes,
    link_tags: Int32Array,
    link_element: int,
    roles: npt.NDArray[np.uint8],
    heads: npt.NDArray[np.uint64],
    max_label: int,
    max_more: int,
    gap: int,
    max_unlinked: int,
) -> tuple[Int32Array, Int32Array]:
    """Links worth a look [k, 2], node and kinds; and numbers [k, 5], node, first, last, what it is, and its row."""
    tags, sizes, texts = tag.tolist(), size.tolist(), text_start.tolist()
    firsts, names, starts = attribute_start.tolist(), attribute_name.tolist(), value_start.tolist()
    role_of = dict(enumerate(roles.tolist()))
    is_link_tag = set(link_tags.tolist()).__contains__
    is_head = set(heads.tolist()).__contains__

    def attributes(node: int) -> list[tuple[int, bytes]]:
        """Roles and values."""
        return [
            (role_of.get(names[k], 0), values[starts[k] : starts[k + 1]]) for k in range(firsts[node], firsts[node + 1])
        ]

    def is_current(node: int) -> bool:
        """Whether a link is where the reader is."""
        href = [value for role, value in attributes(node) if role & IS_HREF][-1]
        return not href or href.startswith(b"#") or any(
            names_current(value)
            for element in (node, int(parent[node]))
            if element != NO_NODE
            for role, value in attributes(element)
            if role & IS_CLASS
        )  # fmt: skip

    def around_marked(node: int) -> bool:
        """Whether "next" is in a name of the parent or its parent, if these hold little else than the link."""
        up = parent[node]
        for _ in range(2):
            if up == NO_NODE or sizes[up] > sizes[node] + max_more:
                break
            if any(role & IS_NAME and b"next" in value.lower() for role, value in attributes(up)):
                return True
            up = parent[up]
        return False

    kinds = dict.fromkeys(range(len(tags)), 0)
    numbers = []
    link = link_end = 0
    empty = silent = False
    for node, name in enumerate(tags if names else ()):
        own = attributes(node)
        is_link = is_link_tag(name) and any(role & IS_HREF for role, _ in own)
        if is_link or (name == TEXT and node >= link_end):
            label = text[texts[node] : max(texts[node], texts[node + sizes[node]] - 1)]
            if is_link:
                link, link_end = node, node + sizes[node]
                empty = not label
                silent = len(label) <= max_label and not LETTERS.search(label)
                if 0 < len(label) <= max_label and is_head(head_of(label)):
                    kinds[node] = LABELLED
            number = NUMBER.fullmatch(label) if len(label) <= MAX_NUMBER else None
            ending = LAST_NUMBER.fullmatch(label) if not is_link and len(label) <= MAX_LEAD else None
            if number or ending:
                silent = False
                kind = NO_LINK if not is_link else CURRENT if is_current(node) else LINK
                first, last = number.groups() if number else (ending[1], None) if ending else (b"", None)
                numbers.append((node, int(first), int(last or first), kind))
        if is_link and around_marked(node):
            kinds[node] |= MARKED
        if node >= link_end:
            if name != link_element:
                continue
            link, empty, silent = node, False, False
        for role, value in own:
            if role & (IS_LABEL | IS_NAME):
                end = value[-max_label:].lower()
                if silent and role & IS_LABEL and 0 < len(value) <= max_label and is_head(head_of(value)):
                    kinds[link] |= LABELLED
                kinds[link] |= POINTING if empty and b"right" in end else 0
                kinds[link] |= MARKED if b"next" in end else 0
    found = [(node, kind) for node, kind in kinds.items() if kind]
    rows: list[list[tuple[int, int, int, int]]] = []
    for entry in numbers:
        if not rows or entry[0] - rows[-1][-1][0] > gap or entry[1] <= rows[-1][-1][2]:
            rows.append([])
        rows[-1].append(entry)
    kinds_of = [[kind for *_, kind in row] for row in rows]
    kept = [
        row
        for row, of in zip(rows, kinds_of, strict=True)
        if len(row) > 1 and LINK in of and of.count(NO_LINK) <= max_unlinked
    ]
    numbered = [(*entry, place) for place, row in enumerate(kept) for entry in row]
    return np.array(found, dtype=np.int32).reshape(-1, 2), np.array(numbered, dtype=np.int32).reshape(-1, 5)
