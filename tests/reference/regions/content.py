"""What a reader sees of a page, with numpy: letters, pictures and items; part of the twin of `record_sets`."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap import Page
from fastwrap.common.backend import kernel
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, TAG_NUMBER
from fastwrap.regions.autorm import Options

WORDS, PICTURE, CONTROL = 1, 2, 3
"""What a node is to a reader, as `fastwrap.regions.autorm` numbers it."""
DATA = 100
"""Bytes from which on a hidden text may be data."""
LABEL = 64
"""Nodes before and after a label, within its parent, among which its control is looked for."""
CONTROLS = [TAG_NUMBER[name] for name in ("input", "select", "textarea")]

Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.intp]


class Nodes:
    """The arrays of a page, the options, and the limits that were met so far."""

    def __init__(self, page: Page, options: Options) -> None:
        arrays = page.arrays
        self.tag, self.parent, self.size = arrays.tag, arrays.parent, arrays.size
        self.text_start, self.text = arrays.text_start, arrays.text
        self.attribute_start, self.attribute_name = arrays.attribute_start, arrays.attribute_name
        self.value_start, self.values = arrays.value_start, arrays.values
        self.style_symbol, self.path_symbol, self.hidden = page.style_symbol, page.path_symbol, page.hidden
        self.structural_class = page.structural_class
        self.native, self.body = page.native, page.body
        self.options = options
        self.met: set[str] = set()


class Content(NamedTuple):
    """What a reader sees of a page, in letters."""

    before: Floats
    """[n + 1] The content of all nodes before each one."""
    item: Int32Array
    """[n] Which item of a record each text and picture is; -1 for other nodes, and for what is not seen."""
    total: float
    """Of the body, at least 1."""


def read_content(nodes: Nodes) -> Content:
    """The content of every node: of texts by their length, of pictures by their size, less if it is hidden."""
    options = nodes.options
    seen_as = options.seen_as[np.minimum(nodes.tag, len(options.seen_as) - 1)]
    # Letters are all bytes but those that continue one; every text is followed by a space.
    is_letter = (np.frombuffer(nodes.text, dtype=np.uint8) & 0xC0) != 0x80
    before_byte = np.append(0, np.cumsum(is_letter))
    letters = np.where(seen_as == WORDS, np.diff(before_byte[nodes.text_start]) - 1.0, 0.0)
    pictures = seen_as == PICTURE
    letters[pictures] = options.image
    for node, (width, height) in picture_sizes(nodes, pictures).items():
        if min(width, height) <= options.spacer:
            letters[node] = 0
        elif max(width, height) < np.inf:
            letters[node] = min(width * height / options.letter, options.largest_image)
    for control in np.flatnonzero(seen_as == CONTROL).tolist():
        if nodes.tag[control] != TAG_NUMBER["label"] or is_for_control(nodes, control):
            letters[control : control + nodes.size[control]] = 0
    for node in np.flatnonzero((seen_as == WORDS) & (nodes.hidden != 0)).tolist():
        if is_data(nodes.text[nodes.text_start[node] : nodes.text_start[node + 1]]):
            letters[node] = 0
    # Where most is hidden, a script shows it once the page is loaded.
    if 2 * letters[nodes.hidden == 0].sum() >= letters.sum():
        letters = np.where(nodes.hidden, options.hidden * letters, letters)
    before = np.zeros(len(nodes.tag) + 1)
    np.cumsum(letters, out=before[1:])
    body = nodes.body
    return Content(before, items(nodes, letters > 0), max(1.0, float(before[body + nodes.size[body]] - before[body])))


def is_for_control(nodes: Nodes, label: int) -> bool:
    """Whether a label has a control in it or beside it or, if it names one, in the next box."""
    own = nodes.attribute_name[nodes.attribute_start[label] : nodes.attribute_start[label + 1]]
    around = max(int(nodes.parent[label]), 0)
    if ATTRIBUTE_NUMBER["for"] in own.tolist():
        around = max(int(nodes.parent[around]), 0)
    near = nodes.tag[max(around, label - LABEL) : min(around + int(nodes.size[around]), label + LABEL)]
    return bool(np.isin(near, CONTROLS).any())


def is_data(text: bytes) -> bool:
    """Whether a text, with the space after it, looks like an object or an array of JSON."""
    return len(text) > DATA and text[:1] in b"{[" and (text[1:2] in b'"{[' or text[1] <= 32)


def items(nodes: Nodes, seen: Flags) -> Int32Array:
    """[n] Which item of a record each seen text or picture is: one number for each tag path; -1 for other nodes.

    What is alone in a table cell is told from what is in the other columns as well: a row of such cells is a
    record of a data table, while cells with several items may be records themselves.
    """
    cells = np.flatnonzero((nodes.tag == TAG_NUMBER["td"]) | (nodes.tag == TAG_NUMBER["th"]))
    item = np.where(seen, nodes.path_symbol, np.int32(-1))
    if len(cells) == 0:
        return item
    row = nodes.parent[cells]
    order = np.argsort(row, kind="stable")
    row_start = np.flatnonzero(np.diff(row[order], prepend=-1))
    place = np.empty(len(cells), dtype=np.int64)
    place[order] = np.arange(len(cells)) - np.repeat(row_start, np.diff(row_start, append=len(cells)))
    shown = np.flatnonzero(seen)
    content, end = np.searchsorted(shown, cells), np.searchsorted(shown, cells + nodes.size[cells])
    alone = np.flatnonzero(end == content + 1)[::-1]  # of cells within cells, the outermost is written last
    column = np.zeros(len(shown), dtype=np.int64)
    column[content[alone]] = np.where(in_grid(nodes, cells, order, alone, shown[content[alone]]), 0, 1 + place[alone])
    item[shown] = np.unique(
        item[shown].astype(np.int64) * (1 + int(column.max(initial=0))) + column, return_inverse=True
    )[1]
    return item


def in_grid(nodes: Nodes, cells: Places, order: Places, alone: Places, shown: Places) -> Flags:
    """Whether the node that is alone in a cell is in a link, and the cell before or after it has an equal tree.

    Such links are objects in a grid, not the columns of a row.
    """
    row, class_id = nodes.parent[cells[order]], nodes.structural_class[cells[order]]
    as_next = (row[:-1] == row[1:]) & (class_id[:-1] == class_id[1:])
    alike = np.empty(len(cells), dtype=np.bool_)
    alike[order] = np.append(as_next, False) | np.append(False, as_next)
    found = alike[alone]
    for number in np.flatnonzero(found).tolist():
        node, cell = int(shown[number]), int(cells[alone[number]])
        while node > cell and nodes.tag[node] != TAG_NUMBER["a"]:
            node = int(nodes.parent[node])
        found[number] = node > cell
    return found


def picture_sizes(nodes: Nodes, pictures: Flags) -> dict[int, tuple[float, float]]:
    """Width and height of the pictures that say one of them in pixels; infinity for the other."""
    width = ATTRIBUTE_NUMBER["width"]
    names, values, value_start = nodes.attribute_name, nodes.values, nodes.value_start
    height = ATTRIBUTE_NUMBER["height"]
    places = np.flatnonzero((names == width) | (names == height))
    of_node = np.searchsorted(nodes.attribute_start, places, side="right") - 1
    of_picture = pictures[of_node]
    places, of_node = places[of_picture], of_node[of_picture]
    sizes: dict[int, tuple[float, float]] = {}
    for node, name, start, end in zip(
        of_node.tolist(),
        names[places].tolist(),
        value_start[places].tolist(),
        value_start[places + 1].tolist(),
        strict=True,
    ):
        pixels = values[start:end]
        if pixels.isdigit():
            known = sizes.get(node, (np.inf, np.inf))
            sizes[node] = (float(pixels), known[1]) if name == width else (known[0], float(pixels))
    return sizes


def tag_paths(nodes: Nodes) -> Int32Array:
    """[n] One number for each tag path, without styles."""
    numbers: dict[tuple[int, int], int] = {}
    paths: list[int] = []
    for tag, parent in zip(nodes.tag.tolist(), nodes.parent.tolist(), strict=True):
        paths.append(numbers.setdefault((paths[parent] if parent >= 0 else -1, tag), len(numbers)))
    return np.array(paths, dtype=np.int32)


def likeness(nodes: Nodes, left: Int32Array, right: Int32Array) -> Floats:
    """The share of the nodes of two runs that a maximum matching pairs, for each pair of runs (STM, Yang 1991).

    Twice the pairs divided by the nodes of both; 0 where the budget ran out.
    """
    pairs = np.concatenate((left, right), axis=1).astype(np.int32)
    matched = kernel("similarity.matching").scores(nodes.native, pairs, nodes.options.budget)
    if (matched < 0).any():
        nodes.met.add("regions.matching")
    together = left[:, 1] - left[:, 0] + right[:, 1] - right[:, 0]
    share: Floats = np.maximum(2 * matched, 0) / together
    return share


def alike(nodes: Nodes, left: tuple[int, int], right: tuple[int, int]) -> float:
    """The likeness of two runs."""
    spans = np.array([left, right], dtype=np.int32)
    return float(likeness(nodes, spans[:1], spans[1:])[0])
