"""AutoRM: children are clustered, and what repeats among them is cut at heads or separators (Shi et al. 2015;
seed 000, 2.3). Every way to cut is tried everywhere on the page; the best set of records wins, then the next best.

The steps, in the paper's words:

- The children of every node are *clustered*, twice: by their tag, and by the similarity of their trees (average
  linkage). Equal trees need no comparing; the others are compared in one batch for the whole page.
- *Coarse regions* (CG-Regions) are the intervals of the clusters, united where they overlap (properties 1 and 2).
- A coarse region is cut into candidate records (C-Records) in every way: at the nodes of one cluster, its *heads*,
  which are the records or begin them (head-order-based); and at equal runs of *separators*, which have no content
  (separator-based).
- *Objects that contain records* (ASO): sets of records that are similar and begin at the same tag path are tried
  as one set too, such as the cells of all rows or the lists of all sections. A row with a single cell joins them.
- The *quality* of a set is its coverage (property 3), times the similarity between its records, times the variety
  within them (property 4). Where sets share nodes, only the best one stays: so rows give way to cells, or cells
  to rows.

What differs from the paper:

- It has a browser say how many pixels a node covers. Here content is counted in letters, an image being worth
  those that fit into it.
- It goes down from the root, and into records for as long as their quality is above a limit. Here all levels of
  the page compete, which needs no limit but the least coverage.
- A first or last record that is odd and small is left out: a heading or a pager with the tag of the records.
- Its similarity within a record, which should be low, is taken of the items, by their tag paths.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap import backend
from fastwrap.arrays import Int32Array
from fastwrap.backend import kernel
from fastwrap.errors import FastwrapError
from fastwrap.names import ATTRIBUTE_NUMBER, TAG_NUMBER, TAGS, TEXT
from fastwrap.page import Page
from fastwrap.regions import FoundRegion

if backend.compiled():
    from fastwrap._core import quality, segmentation, symbols
else:
    from fastwrap._plain import quality, segmentation, symbols  # type: ignore[no-redef]

Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]

SIMILARITY = 0.5
"""Trees are similar from here on: half of their nodes match."""

COVERAGE = 0.01
"""The least share of the page's content that a region has."""

FULL_RECORD = 3.0
"""Different items of a record that lacks nothing (seed 000, 3.3)."""

ODD_RECORD = 1 / 3
"""A first or last record is left out if its likeness to its neighbour times its content is less than this share of
what the others have."""

LETTER = 8 * 16
"""Pixels of a letter."""

IMAGE = 40
"""Letters that an image of unknown size is worth: about 70 x 70 pixels."""

LARGEST_IMAGE = 200
"""Letters that an image is worth at most: 160 x 160 pixels, a usual thumbnail."""

SPACER = 5
"""Pixels: an image that is no wider, or no higher, is there for the layout."""

BUDGET = 20_000_000
"""Cells of tree matching a call; there are three calls a page. A page of thousands of nodes takes some 10,000."""

PAIRS = 200_000
"""Pairs of siblings a page that are compared to cluster them. A page of thousands of nodes has some hundreds."""

NOTHING, WORDS, PICTURE, CONTROL = range(4)
SEEN_AS = np.full(len(TAGS) + 1, NOTHING, dtype=np.uint8)
"""What a node is to a reader, by its tag number. The last entry is that of names that are not in the table."""
SEEN_AS[TEXT] = WORDS
SEEN_AS[[TAG_NUMBER[name] for name in ("img", "video", "canvas", "object", "embed")]] = PICTURE
SEEN_AS[[TAG_NUMBER[name] for name in ("select", "option", "optgroup", "textarea", "datalist")]] = CONTROL


class Content(NamedTuple):
    """What a reader sees of a page, in letters."""

    before: Floats
    """[n + 1] The content of all nodes before each one."""
    item: Int32Array
    """[n] Which item of a record each text and picture is; -1 for other nodes, and for what is not seen."""
    total: float
    """Of the body, at least 1."""


class Sequences(NamedTuple):
    """The children of many nodes, one sequence after the other. A *place* is an index of the whole."""

    start: Int32Array
    """[s + 1] Sequence i has the places start[i] up to start[i + 1]."""
    spans: Int32Array
    """[c, 2] The child, and the node after its subtree."""
    path: Int32Array
    """[c] The child's tag path, without styles: sections of one kind may differ in these."""
    separator: Flags
    """[c] Whether the child has no content."""


class RecordSets(NamedTuple):
    """Sets of records, one after the other."""

    records: Int32Array
    """[r, 2] The spans of the records, in order within a set."""
    first: Int32Array
    """[s + 1] Set i has the records first[i] up to first[i + 1], at least two."""
    coverage: Floats
    """[s] Property 3: the share of the page's content that is in the records."""
    similarity: Floats
    """[s] Property 4: of the records to each other."""
    variety: Floats
    """[s] Property 4: of the items within a record."""

    @property
    def quality(self) -> Floats:
        """[s] The product of the three."""
        product: Floats = self.coverage * self.similarity * self.variety
        return product


def find(page: Page, *, similarity: float = SIMILARITY, coverage: float = COVERAGE) -> list[FoundRegion]:
    """The regions of a page by AutoRM, in order of coverage x similarity x variety.

    Trees are similar from `similarity` on, when siblings are clustered and when sets are joined; regions with
    less than the share `coverage` of the page's content are left out.

    >>> page = Page("Found: 2<hr>" + "<a href=#>Name</a> <br>text<br>12 EUR<br><hr>" * 3)
    >>> [page.span_text(*record) for record in find(page)[0].records.tolist()]
    ['Name text 12 EUR', 'Name text 12 EUR', 'Name text 12 EUR']
    """
    if not (0 <= similarity <= 1 and 0 <= coverage <= 1):
        raise FastwrapError("similarity and coverage are shares, from 0 to 1")
    content = read_content(page)
    sequences = child_sequences(page, content, coverage)
    by_tag, by_tree = clusters(page, sequences, similarity)
    places, first, of_sequence, form = segmentation.segment(
        np.stack((by_tag, by_tree)), sequences.separator.view(np.uint8), sequences.start
    )
    if len(form) == 0:
        return []
    spans = sequences.spans
    records = np.stack((spans[places[:, 0], 0], spans[places[:, 1] - 1, 1]), axis=1)
    sets = measure(page, content, records, first)
    # Sets whose records begin at the same tag path may be joined: single nodes with single nodes, runs with runs.
    kind = 2 * sequences.path[places[first[:-1], 0]] + (form != segmentation.SINGLE_NODES)
    lone = lone_nodes(sequences, by_tag, kind)
    groups = Groups(
        kind=np.append(kind, 2 * sequences.path[lone]),
        of_sequence=np.append(of_sequence, len(sequences.start) + lone),
        quality=np.append(sets.quality, np.zeros(len(lone))),
        first=np.append(sets.first, sets.first[-1] + 1 + np.arange(len(lone))),
        records=np.concatenate((sets.records, spans[lone])),
    )
    joined = measure(page, content, *join(page, groups, similarity))
    return best_sets((sets, joined), coverage, len(page))


# What is seen


def read_content(page: Page) -> Content:
    """The content of every node: of texts by their length, of pictures by their size, none of what is hidden.

    >>> content = read_content(Page("<p>12 EUR</p><img width=16 height=16><img width=1><select><option>a</select>"))
    >>> content.before.tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 6.0, 8.0, 8.0, 8.0, 8.0, 8.0]
    """
    seen_as = SEEN_AS[np.minimum(page.tag, len(TAGS))]
    letters = np.where(seen_as == WORDS, np.diff(page.text_start) - 1.0, 0.0)
    pictures = seen_as == PICTURE
    letters[pictures] = IMAGE
    for node, (width, height) in picture_sizes(page, pictures).items():
        if min(width, height) <= SPACER:
            letters[node] = 0
        elif max(width, height) < np.inf:
            letters[node] = min(width * height / LETTER, LARGEST_IMAGE)
    for control in np.flatnonzero(seen_as == CONTROL).tolist():
        letters[control : control + page.size[control]] = 0
    # Where most is hidden, a script shows it once the page is loaded.
    visible = np.where(page.hidden, 0, letters)
    if 2 * visible.sum() >= letters.sum():
        letters = visible
    before = np.zeros(len(page) + 1)
    np.cumsum(letters, out=before[1:])
    body = page.body
    return Content(before, items(page, letters > 0), max(1.0, float(before[body + page.size[body]] - before[body])))


def items(page: Page, seen: Flags) -> Int32Array:
    """[n] Which item of a record each seen text or picture is: one number for each tag path; -1 for other nodes.

    What is alone in a table cell is told from what is in the other columns as well: a row of such cells is a
    record of a data table, while cells with several items may be records themselves.
    """
    cells = np.flatnonzero((page.tag == TAG_NUMBER["td"]) | (page.tag == TAG_NUMBER["th"]))
    item = np.where(seen, page.path_symbol, np.int32(-1))
    if len(cells) == 0:
        return item
    row = page.parent[cells]
    order = np.argsort(row, kind="stable")
    row_start = np.flatnonzero(np.diff(row[order], prepend=-1))
    place = np.empty(len(cells), dtype=np.int64)
    place[order] = np.arange(len(cells)) - np.repeat(row_start, np.diff(row_start, append=len(cells)))
    nodes = np.flatnonzero(seen)
    content, end = np.searchsorted(nodes, cells), np.searchsorted(nodes, cells + page.size[cells])
    alone = np.flatnonzero(end == content + 1)[::-1]  # of cells within cells, the outermost is written last
    column = np.zeros(len(nodes), dtype=np.int64)
    column[content[alone]] = 1 + place[alone]
    item[nodes] = np.unique(
        item[nodes].astype(np.int64) * (1 + int(column.max(initial=0))) + column, return_inverse=True
    )[1]
    return item


def picture_sizes(page: Page, pictures: Flags) -> dict[int, tuple[float, float]]:
    """Width and height of the pictures that say one of them in pixels; infinity for the other."""
    width = ATTRIBUTE_NUMBER["width"]
    names, values, value_start = page.arrays.attribute_name, page.arrays.values, page.arrays.value_start
    places = np.flatnonzero((names == width) | (names == ATTRIBUTE_NUMBER["height"]))
    nodes = np.searchsorted(page.attribute_start, places, side="right") - 1
    of_picture = pictures[nodes]
    places, nodes = places[of_picture], nodes[of_picture]
    sizes: dict[int, tuple[float, float]] = {}
    for node, name, start, end in zip(
        nodes.tolist(),
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


# Where records may be


def tag_paths(page: Page) -> Int32Array:
    """[n] One number for each tag path, without styles."""
    none = np.zeros(len(page) + 1, dtype=np.int32)
    paths: Int32Array = symbols.style_path_hidden(page.tag, page.parent, none, none[:0], none[:1], b"", 0, 0, 0)[1]
    return paths


def child_sequences(page: Page, content: Content, coverage: float) -> Sequences:
    """The children of the nodes whose tag path has at least this share of the content."""
    path = tag_paths(page)
    body, end = page.body, page.body + int(page.size[page.body])
    after = np.arange(len(page), dtype=np.int32) + page.size
    below = content.before[after] - content.before[:-1]
    of_path = np.bincount(path[body:end], below[body:end], minlength=int(path.max()) + 1)
    is_parent = (of_path >= coverage * content.total)[path] & (below > 0)
    child = np.flatnonzero(is_parent[page.parent[body + 1 : end]]) + (body + 1)
    # Siblings are in order of their numbers, so a stable sort by parent makes sequences of them.
    parent = page.parent[child]
    order = np.argsort(parent, kind="stable")
    child = child[order]
    start = np.append(np.flatnonzero(np.diff(parent[order], prepend=-1)), len(child))
    spans = np.empty((len(child), 2), dtype=np.int32)
    spans[:, 0] = child
    spans[:, 1] = after[child]
    return Sequences(start.astype(np.int32), spans, path[child], below[child] <= 0)


def likeness(page: Page, left: Int32Array, right: Int32Array) -> Floats:
    """The share of the nodes of two runs that a maximum matching pairs, for each pair of runs (STM, Yang 1991).

    Twice the pairs divided by the nodes of both; 0 where the budget ran out.
    """
    ends = (np.ascontiguousarray(runs[:, end]) for runs in (left, right) for end in (0, 1))
    matched = kernel("matching").scores(page.tag, page.size, page.structural_class, *ends, BUDGET)
    nodes = left[:, 1] - left[:, 0] + right[:, 1] - right[:, 0]
    share: Floats = np.maximum(2 * matched, 0) / nodes
    return share


def clusters(page: Page, sequences: Sequences, similarity: float) -> tuple[Int32Array, Int32Array]:
    """The clusters of the children by tag, and by tree: the first place of its cluster for each place."""
    start, path = sequences.start, sequences.path
    class_id = page.structural_class[sequences.spans[:, 0]]
    left, right = segmentation.kind_pairs(path, class_id, start, PAIRS)
    alike = likeness(page, sequences.spans[left], sequences.spans[right])
    return (
        segmentation.cluster(path, path, start, alike[:0], similarity, PAIRS),
        segmentation.cluster(path, class_id, start, alike, similarity, PAIRS),
    )


# Which of them are


def measure(page: Page, content: Content, records: Int32Array, first: Int32Array) -> RecordSets:
    """The sets without the odd records at their ends, and with their quality."""
    last = first[1:] - 1
    has_next = np.ones(len(records), dtype=np.bool_)
    has_next[last] = False
    place = np.flatnonzero(has_next)
    to_next = np.zeros(len(records))
    to_next[place] = likeness(page, records[place], records[place + 1])
    kept, letters, similarity, variety = quality.measure(
        records, first, to_next, content.before, content.item, ODD_RECORD, FULL_RECORD
    )
    first = np.append(np.int32(0), np.cumsum(kept, dtype=np.int32)[last])
    return RecordSets(records[kept], first, letters / content.total, similarity, variety)


class Groups(NamedTuple):
    """Sets of records and single nodes, which may be joined."""

    kind: Int32Array
    """[g] Groups are joined with groups of the same kind only, ..."""
    of_sequence: Int32Array
    """[g] ... one of a sequence, ..."""
    quality: Floats
    """[g] ... the best one."""
    first: Int32Array
    """[g + 1] Group i has the records first[i] up to first[i + 1]."""
    records: Int32Array
    """[r, 2] Their spans."""


def lone_nodes(sequences: Sequences, by_tag: Int32Array, kind: Int32Array) -> npt.NDArray[np.intp]:
    """The places of nodes that are alone with their tag among their siblings, where others are records elsewhere."""
    seen = ~sequences.separator
    count = np.bincount(by_tag[seen], minlength=len(by_tag))
    known = np.zeros(int(sequences.path.max()) + 1, dtype=np.bool_)
    known[kind[kind % 2 == 0] // 2] = True
    return np.flatnonzero(seen & (count == 1)[by_tag] & known[sequences.path])


def join(page: Page, groups: Groups, similarity: float) -> tuple[Int32Array, Int32Array]:
    """The records of several groups as one set: of all that are similar to the best one of their kind.

    Of each group, the record in the middle is compared. Gives the records, and where each set begins.
    """
    kind, first = groups.kind.astype(np.int64), groups.first
    of_sequence = kind * (int(groups.of_sequence.max()) + 1) + groups.of_sequence
    chosen = np.lexsort((-groups.quality, of_sequence))
    chosen = chosen[np.diff(of_sequence[chosen], prepend=-1) != 0]
    chosen = chosen[np.lexsort((-groups.quality[chosen], kind[chosen]))]
    is_best = np.diff(kind[chosen], prepend=-1) != 0
    number = np.cumsum(is_best) - 1
    several = np.bincount(number)[number] > 1
    chosen, number, best = chosen[several], number[several], chosen[is_best][number[several]]
    middle = (first[:-1] + first[1:]) // 2
    similar = likeness(page, groups.records[middle[best]], groups.records[middle[chosen]]) >= similarity
    chosen, number = chosen[similar], number[similar]
    several = np.bincount(number, minlength=1)[number] > 1
    chosen, number = chosen[several], number[several]
    count = first[chosen + 1] - first[chosen]
    of_set = np.repeat(number, count)
    place = np.arange(len(of_set)) + np.repeat(first[chosen] - (np.cumsum(count) - count), count)
    # Records of one kind are at one depth below different parents, so they never overlap.
    place = place[np.lexsort((groups.records[place, 0], of_set))]
    start = np.append(np.flatnonzero(np.diff(of_set, prepend=-1)), len(of_set))
    return groups.records[place], start.astype(np.int32)


def best_sets(found: tuple[RecordSets, ...], coverage: float, nodes: int) -> list[FoundRegion]:
    """The sets in order of their quality, without those that share a node with a better one."""
    ranked = [
        (score, number, sets)
        for sets in found
        for number, score in enumerate((sets.quality * (sets.coverage >= coverage)).tolist())
        if score > 0
    ]
    ranked.sort(key=lambda candidate: -candidate[0])
    taken = bytearray(nodes)
    regions = []
    for score, number, sets in ranked:
        first, end = sets.first[number], sets.first[number + 1]
        if taken[sets.records[first, 0]]:
            continue
        records = sets.records[first:end]
        spans = records.tolist()
        if any(taken.find(1, start, end) >= 0 for start, end in spans):
            continue
        for start, end in spans:
            taken[start:end] = b"\1" * (end - start)
        why = {name: float(getattr(sets, name)[number]) for name in ("coverage", "similarity", "variety")}
        regions.append(FoundRegion(records, score, why))
    return regions
