"""The scan for pagers in plain Python: the twin of `fastwrap._core.paging.pager`."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from fastwrap.page import Page
from fastwrap.page.arrays import TOUCHES, Int32Array
from fastwrap.page.names import NO_NODE
from fastwrap.paging.scanning import ScanRules

LABELS = ("alt", "title", "aria-label", "src")
NAMES = ("class", "id", "rel")
ADDRESSES = ("href", "xlink:href")
LABELLED, MARKED, POINTING = 1, 2, 4
NO_LINK, LINK, CURRENT = 0, 1, 2
MAX_NUMBER = 40
MAX_LEAD = 24
IN_ONE = 256
DIGIT = rb"(?:[0-9]|\xd9[\xa0-\xa9]|\xdb[\xb0-\xb9]|\xe0[\xa5\xa7][\xa6-\xaf]|\xe0\xb9[\x90-\x99]|\xef\xbc[\x90-\x99])"
NUMBER = re.compile(
    rb"[\[({|]? ?(%(digit)b{1,5})(?: ?(?:-|\xe2\x80\x93) ?(%(digit)b{1,5}))? ?[\])}|.,]?" % {b"digit": DIGIT}
)
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
    page: Page, label_heads: npt.NDArray[np.uint64], page_heads: npt.NDArray[np.uint64], rules: ScanRules
) -> tuple[Int32Array, Int32Array]:
    """Links worth a look [k, 2], node and kinds; and numbers [k, 5], node, first, last, what it is, and its row."""
    sizes, parents, texts = page.size.tolist(), page.parent.tolist(), page.text_start.tolist()
    is_head, is_page_head = (set(heads.tolist()).__contains__ for heads in (label_heads, page_heads))
    all_attributes = [
        {name: value.encode() for name, value in page.attributes(node).items()} for node in range(len(page))
    ]

    def is_current(node: int) -> bool:
        """Whether a link is where the reader is."""
        href = all_attributes[node]["href"]
        around = [node] if parents[node] == NO_NODE else [node, parents[node]]
        names = [all_attributes[element].get("class", b"") for element in around]
        return not href or href.startswith(b"#") or any(map(names_current, names))

    def around_marked(node: int) -> bool:
        """Whether "next" is in a name of the parent or its parent, if these hold little else than the link."""
        up = parents[node]
        for _ in range(2):
            if up == NO_NODE or sizes[up] > sizes[node] + rules.max_more:
                break
            if any(b"next" in all_attributes[up].get(name, b"").lower() for name in NAMES):
                return True
            up = parents[up]
        return False

    kinds = dict.fromkeys(range(len(page)), 0)
    numbers = []
    link = link_end = 0
    empty = silent = False
    for node, attributes in enumerate(all_attributes):
        tag_name = page.tag_name(node)
        is_link = tag_name in ("a", "area") and "href" in attributes
        if is_link or (tag_name == "#text" and node >= link_end):
            label = page.arrays.text[texts[node] : max(texts[node], texts[node + sizes[node]] - 1)]
            if is_link:
                if len(label) <= IN_ONE:
                    label = label.replace(TOUCHES, b"")
                link, link_end = node, node + sizes[node]
                empty = not label
                silent = len(label) <= rules.max_label and not LETTERS.search(label)
                if 0 < len(label) <= rules.max_label and is_head(head_of(label)):
                    kinds[node] = LABELLED
            number = NUMBER.fullmatch(label) if len(label) <= MAX_NUMBER else None
            ending = LAST_NUMBER.fullmatch(label) if len(label) <= MAX_LEAD else None
            if is_link and not is_page_head(head_of(label)):
                ending = None
            if number or ending:
                silent = False
                kind = NO_LINK if not is_link else CURRENT if is_current(node) else LINK
                first, last = number.groups() if number else (ending[1], None) if ending else (b"", None)
                numbers.append((node, int(first.decode()), int((last or first).decode()), kind))
        if is_link and around_marked(node):
            kinds[node] |= MARKED
        if node >= link_end:
            if tag_name != "link":
                continue
            link, empty, silent = node, False, False
        for name, value in attributes.items():
            if name in LABELS + NAMES + (ADDRESSES if empty and node != link else ()):
                end = value[max(0, len(value) - rules.max_label) :].lower()
                if silent and name in LABELS and 0 < len(value) <= rules.max_label and is_head(head_of(value)):
                    kinds[link] |= LABELLED
                kinds[link] |= POINTING if empty and (b"right" in end or b"forward" in end) else 0
                kinds[link] |= MARKED if b"next" in end else 0
    links = [(node, kind) for node, kind in kinds.items() if kind]
    rows: list[list[tuple[int, int, int, int]]] = []
    for entry in numbers:
        if not rows or entry[0] - rows[-1][-1][0] > rules.gap or entry[1] <= rows[-1][-1][2]:
            rows.append([])
        rows[-1].append(entry)
    kept = [row for row in rows if len(row) > 1 and is_row([kind for *_, kind in row], rules.max_unlinked)]
    numbered = [(*entry, place) for place, row in enumerate(kept) for entry in row]
    return np.array(links, dtype=np.int32).reshape(-1, 2), np.array(numbered, dtype=np.int32).reshape(-1, 5)


def is_row(kinds: list[int], max_unlinked: int) -> bool:
    """Whether numbers of these kinds may be a pager."""
    return LINK in kinds and kinds.count(NO_LINK) <= max_unlinked
