"""Items and columns in plain Python: the oracle of `fastwrap._core.columns.items` and `.separators`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fastwrap._core.common.page import NativePage
from fastwrap.page.arrays import TOUCHES, Int32Array
from fastwrap.page.names import NO_NODE, TEXT

if TYPE_CHECKING:
    from fastwrap.columns.records import LearningOptions

MAX_KINDS = 250


class Items:
    """The node arrays that items are read from."""

    def __init__(self, native: NativePage) -> None:
        page = native.node_arrays
        self.tags, self.names = page.tag.tolist(), page.attribute_name.tolist()
        self.attributes, self.bounds = page.attribute_start.tolist(), page.value_start.tolist()
        self.starts, self.parents = page.text_start.tolist(), page.parent.tolist()
        self.values, self.text = page.values, page.text

    def letters(self, node: int) -> bytes:
        """What a text says."""
        return self.text[self.starts[node] : self.starts[node + 1] - 1]

    def touches(self, node: int) -> bool:
        """Whether the text after a text touches it."""
        return self.text[self.starts[node + 1] - 1 : self.starts[node + 1]] == TOUCHES

    def given(self, node: int) -> Iterator[tuple[int, bytes]]:
        """The names and values of the attributes that have one."""
        for entry in range(self.attributes[node], self.attributes[node + 1]):
            if self.bounds[entry] < self.bounds[entry + 1]:
                yield self.names[entry], self.values[self.bounds[entry] : self.bounds[entry + 1]]

    def of(self, node: int, wanted: list[int]) -> Iterator[tuple[int, bytes]]:
        """The items of a node: kinds (places in `wanted`; texts come after these), and what they say."""
        if self.tags[node] == TEXT:
            yield len(wanted), self.letters(node)
        for name, value in self.given(node):
            if name in wanted:
                yield wanted.index(name), value


SEPARATORS = [
    re.compile(pattern, re.DOTALL)
    for pattern in (
        rb"\|", rb";", rb"\(", rb"\)", rb"\[", rb"\]", rb",(?= )", rb"(?<= )-", rb"(?<= )/(?= )", rb"(?<= )~",
        rb":(?=:)",
        rb"\xc2[\xa6\xb7\xbb]|\xe2(?:\x80[\x93-\x96\xa2]|\x97\x8f|\x86\x92)",
    )
]  # fmt: skip
WORDS = 1 << len(SEPARATORS)
FILES = WORDS << 1
MOST_SEPARATORS = 30


def may_split(texts: list[bytes], longest: int) -> int:
    """The kinds of separators that texts agree on, as bits, and one if they begin with the same words."""
    if len(texts) < 2 or len(set(texts)) < 2 or sum(map(len, texts)) > longest * len(texts):
        return 0
    mask = 0
    for kind, separator in enumerate(SEPARATORS):
        counts = [min(len(separator.findall(text)), 255) for text in texts]
        usual = votes = 0
        for count in counts:  # Boyer & Moore 1981
            if votes == 0:
                usual = count
            votes += 1 if count == usual else -1
        if 0 < usual <= MOST_SEPARATORS and 10 * counts.count(usual) >= 9 * len(texts):
            mask |= 1 << kind
    first = texts[0]
    least, most = min(texts), max(texts)
    prefix = least[: next((k for k, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))]
    words, letters, spaced = 0, True, False
    for at, byte in enumerate(prefix):
        if byte == ord(":"):
            return mask | WORDS
        if byte == ord(" "):
            spaced = True
            words = at + 1 if letters else words
        elif not is_letter(byte):
            letters = False
        if not letters and spaced:
            break
    small = not any(65 <= byte <= 90 for byte in prefix[:words])
    return mask | WORDS if 0 < words < len(first) and (small or words <= 4) else mask


def is_file_name(value: bytes) -> bool:
    """Whether a text ends like the name of an image file."""
    return b" " not in value and b"." in value[max(1, len(value) - 5) : -2]


def is_letter(byte: int) -> bool:
    """Whether a byte is a letter, or part of one that is not ASCII."""
    return 65 <= byte <= 90 or 97 <= byte <= 122 or byte >= 128


class Wanted(NamedTuple):
    """The attributes that are items."""

    order: list[int]
    first_data: int
    alternative: int


def find_columns(
    items: Items,
    records: list[tuple[int, int]],
    slots: list[int],
    wanted: Wanted,
    into: list[int],
    list_of: list[int],
    options: LearningOptions,
) -> tuple[Int32Array, Int32Array, list[tuple[int, int]], bool]:
    """The columns, the column of each slot and kind, how the texts of columns may be split, and whether columns were
    left out."""
    order, first_data, alternative = wanted
    kinds = len(order) + 1
    columns: dict[tuple[int, int], list[bytes]] = {}
    own_texts: dict[int, list[bytes]] = {}
    slot = iter(slots)
    for first, last in records:
        for node in range(first, last):
            own = next(slot)
            for kind, said in items.of(node, order):
                if not (first_data <= kind < kinds - 1 and said[:1] in (b"{", b"[")):
                    columns.setdefault((into[own], kind), []).append(said)
                if kind == kinds - 1:
                    own_texts.setdefault(own, []).append(said)
    kept = [
        key
        for key in sorted(columns)
        if not first_data <= key[1] < kinds - 1
        or (len(set(columns[key])) > 1 and 2 * len(columns[key]) >= len(records))
    ]
    left_out = len(kept) * len(records) > options.table_cells
    if left_out:
        fullest = sorted(kept, key=lambda key: -len(columns[key]))  # of as many items, the first: sorting is stable
        kept = sorted(fullest[: options.table_cells // len(records)])
    column_of = np.full((len(into), kinds), NO_NODE, dtype=np.int32)
    found, split = [], []
    for number, (place, kind) in enumerate(kept):
        of_slot = own_texts.get(place, [])
        ways = 0
        if kind == alternative and list_of[place] == NO_NODE:
            ways = FILES * is_file_name(columns[place, kind][0])
        elif kind == kinds - 1 and list_of[place] == NO_NODE and len(of_slot) == len(columns[place, kind]):
            ways = may_split(of_slot, options.longest)
        if ways:
            split.append((number, ways))
        found.append([place, kind, list_of[place]])
        column_of[place, kind] = number
    places = np.array(found, dtype=np.int32).reshape(-1, 3).T.copy()
    return places, column_of, split, left_out
