"""Sets of records (AutoRM, Shi et al. 2015), with numpy: siblings, clusters, cuts, quality, joins, and what is chosen.
Arguments and results are those of `fastwrap._core.regions.record_sets`, but for the page, which is a `Page`."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.regions.autorm import Options, Order
from fastwrap.regions.ranking import Options as RankingOptions
from tests.reference.regions import ends, groups, opening, ranking, replies, segmentation, siblings, strays
from tests.reference.regions.chosen import ChosenSet, RecordSets, Search, measure
from tests.reference.regions.content import Content, Flags, Floats, Nodes, likeness, read_content, tag_paths

MOST_JOINED = 4
GATHERED = 100
"""Sets, the best ones, that the further steps look at."""

STEPS: list[Callable[[Search, ChosenSet], None]] = [
    ends.settle_ends,
    siblings.gather,
    strays.gather_strays,
    groups.split_groups,
]
"""What is done with a set once it is chosen, in this order, after it was lifted, and unless it is a thread."""

LIMITS = ("regions.clusters", "regions.segmentation", "regions.matching", "regions.variety", "regions.siblings")

Found: TypeAlias = tuple[Int32Array, Order, Floats, tuple[str, ...]]


def find_sets(page: Page, options: Options, ranking_options: RankingOptions | None) -> Found:
    """The best sets of records of a page."""
    nodes = Nodes(page, options)
    content = read_content(nodes)
    return results(page, nodes, content, chosen_sets(page, nodes, content), ranking_options)


def rank_sets(
    page: Page, options: Options, ranking_options: RankingOptions, records: Int32Array, first: Int32Array
) -> Found:
    """Given sets of records, ranked."""
    nodes = Nodes(page, options._replace(odd_record=0.0))
    content = read_content(nodes)
    scores = np.zeros((len(first) - 1, 3))
    for number, (start, end) in enumerate(itertools.pairwise(first.tolist())):
        # A single record is measured as a pair with itself, and then has no similarity.
        own = records[start:end] if end - start > 1 else np.repeat(records[start:end], 2, axis=0)
        bounds = np.array([0, len(own)], dtype=np.int32)
        found = measure(nodes, content, own, bounds, bounds[:1], bounds[:1])
        single = end - start == 1
        scores[number] = (
            found.coverage[0] / 2 if single else found.coverage[0],
            0.0 if single else found.similarity[0],
            found.variety[0],
        )
    cuts = np.tile(np.array([0, 1, 0, 0], dtype=np.int32), (len(scores), 1))
    return results(page, nodes, content, (records, first, scores, cuts), ranking_options)


Chosen: TypeAlias = tuple[Int32Array, Int32Array, Floats, Int32Array]
"""The best sets: their records, where those of each begin, their scores, and how they were cut."""


def results(
    page: Page, nodes: Nodes, content: Content, chosen: Chosen, ranking_options: RankingOptions | None
) -> Found:
    """The chosen sets in order of their rank, or of their quality."""
    records, first, scores, cuts = chosen
    ends = first.tolist()
    order: list[float] = scores.prod(axis=1).tolist()
    odds: list[float | None] = [None] * len(order)
    why: Floats = np.hstack((scores, cuts.astype(np.float64)))
    if ranking_options is not None:
        features, sums = ranking.features(page, content.before, ranking_options, records, first, scores)
        order = sums[0].tolist()
        odds = sums[1].tolist()
        why = np.hstack((why, features))
    ranked = list(zip(ends[:-1], ends[1:], order, odds, range(len(order)), strict=True))
    ranked.sort(key=itemgetter(2), reverse=True)
    return records, ranked, why, tuple(name for name in LIMITS if name in nodes.met)


def chosen_sets(page: Page, nodes: Nodes, content: Content) -> Chosen:
    """The best sets, none of which shares a node with a better one."""
    similarity = nodes.options.similarity
    sequences = child_sequences(nodes, content, nodes.options.coverage)
    by_tag, by_tree = clusters(nodes, sequences, similarity)
    stacked = np.stack((by_tag, by_tree)), sequences.separator.view(np.uint8), sequences.start
    places, first, of_sequence, form = segmentation.segment(*stacked)
    if segmentation.leaves_out(*stacked):
        nodes.met.add("regions.segmentation")
    if len(form) == 0:
        nothing = np.empty((0, 2), dtype=np.int32), np.zeros(1, dtype=np.int32), np.empty((0, 3))
        return *nothing, np.empty((0, 4), dtype=np.int32)
    spans = sequences.spans
    records = np.stack((spans[places[:, 0], 0], spans[places[:, 1] - 1, 1]), axis=1)
    sets = measure(nodes, content, records, first, form, np.ones_like(form))
    # Sets whose records begin at the same tag path may be joined: single nodes with single nodes, runs with runs.
    kind = 2 * sequences.path[places[first[:-1], 0]] + (form != segmentation.SINGLE_NODES)
    lone = lone_nodes(sequences, by_tag, kind)
    to_join = Groups(
        kind=np.append(kind, 2 * sequences.path[lone]),
        of_sequence=np.append(of_sequence, len(sequences.start) + lone),
        quality=np.append(sets.quality, np.zeros(len(lone))),
        form=np.append(form, np.full(len(lone), segmentation.SINGLE_NODES)),
        first=np.append(sets.first, sets.first[-1] + 1 + np.arange(len(lone))),
        records=np.concatenate((sets.records, spans[lone])),
    )
    joined = measure(nodes, content, *join(nodes, to_join, similarity))
    return as_arrays(disjoint(Search(page, nodes, content), (sets, joined), nodes.options.coverage))


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


# Where records may be


def child_sequences(nodes: Nodes, content: Content, coverage: float) -> Sequences:
    """The children of the nodes whose tag path has at least this share of the content."""
    path = tag_paths(nodes)
    body, end = nodes.body, nodes.body + int(nodes.size[nodes.body])
    after = np.arange(len(nodes.tag), dtype=np.int32) + nodes.size
    below = content.before[after] - content.before[:-1]
    of_path = np.bincount(path[body:end], below[body:end], minlength=int(path.max()) + 1)
    is_parent = (of_path >= coverage * content.total)[path] & (below > 0)
    child = np.flatnonzero(is_parent[nodes.parent[body + 1 : end]]) + (body + 1)
    # Siblings are in order of their numbers, so a stable sort by parent makes sequences of them.
    parent = nodes.parent[child]
    order = np.argsort(parent, kind="stable")
    child = child[order]
    start = np.append(np.flatnonzero(np.diff(parent[order], prepend=-1)), len(child))
    spans = np.empty((len(child), 2), dtype=np.int32)
    spans[:, 0] = child
    spans[:, 1] = after[child]
    return Sequences(start.astype(np.int32), spans, path[child], below[child] <= 0)


def clusters(nodes: Nodes, sequences: Sequences, similarity: float) -> tuple[Int32Array, Int32Array]:
    """The clusters of the children by tag, and by tree: the first place of its cluster for each place."""
    start, path = sequences.start, sequences.path
    class_id = nodes.structural_class[sequences.spans[:, 0]]
    left, right = segmentation.kind_pairs(path, class_id, start, nodes.options.pairs)
    if not all_compared(sequences, class_id, left):
        nodes.met.add("regions.clusters")
    alike = likeness(nodes, sequences.spans[left], sequences.spans[right])
    return (
        segmentation.cluster(path, path, start, alike[:0], similarity, nodes.options.pairs),
        segmentation.cluster(path, class_id, start, alike, similarity, nodes.options.pairs),
    )


def all_compared(sequences: Sequences, class_id: Int32Array, compared: Int32Array) -> bool:
    """Whether siblings of one tag and several classes are among those that were compared, wherever a tag repeats."""
    seen = set(compared.tolist())
    for start, end in itertools.pairwise(sequences.start.tolist()):
        path, own = sequences.path[start:end].tolist(), class_id[start:end].tolist()
        shown = Counter(label for label, hides in zip(path, sequences.separator[start:end], strict=True) if not hides)
        if max(shown.values(), default=0) > 1:
            first: dict[int, int] = {}
            for place, (label, kind) in enumerate(zip(path, own, strict=True), start):
                if first.setdefault(label, kind) != kind and place not in seen and kind not in own[: place - start]:
                    return False
    return True


# Which of them are


class Groups(NamedTuple):
    """Sets of records and single nodes, which may be joined."""

    kind: Int32Array
    """[g] Groups are joined with groups of the same kind only, ..."""
    of_sequence: Int32Array
    """[g] ... one of a sequence, ..."""
    quality: Floats
    """[g] ... the best one."""
    form: Int32Array
    """[g] How the records were cut."""
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


def join(nodes: Nodes, groups: Groups, similarity: float) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """The records of several groups as one set: of all that are similar to the best one of their kind; then of those
    that are similar to the best one that is left, and so on.

    Of each group, the record in the middle is compared. Gives the records, where each set begins, how it was cut and
    how many groups it has.
    """
    best_of: dict[tuple[int, int], int] = {}
    quality = groups.quality.tolist()
    for group, key in enumerate(zip(groups.kind.tolist(), groups.of_sequence.tolist(), strict=True)):
        if key not in best_of or quality[group] > quality[best_of[key]]:
            best_of[key] = group
    of_kind: dict[int, list[int]] = {}
    for kind, sequence in sorted(best_of):
        of_kind.setdefault(kind, []).append(best_of[kind, sequence])
    first = groups.first.tolist()
    records: list[Int32Array] = [groups.records[:0]]
    start, form, parts = [0], [], []
    for members in of_kind.values():
        left = members
        for _ in range(MOST_JOINED):
            if len(left) < 2:
                break
            best = max(left, key=quality.__getitem__)
            middle = groups.records[[(first[group] + first[group + 1]) // 2 for group in [best, *left]]]
            alike = likeness(nodes, np.repeat(middle[:1], len(left), axis=0), middle[1:]) >= similarity
            joined = [group for group, is_alike in zip(left, alike.tolist(), strict=True) if is_alike]
            left = [group for group in left if group not in joined and group != best]
            if len(joined) > 1:
                # Records of one kind are at one depth below different parents, so they never overlap.
                spans = np.concatenate([groups.records[first[group] : first[group + 1]] for group in joined])
                records.append(spans[np.argsort(spans[:, 0])])
                start.append(start[-1] + len(spans))
                form.append(int(groups.form[best]))
                parts.append(len(joined))
    starts, forms, counts = (np.array(numbers, dtype=np.int32) for numbers in (start, form, parts))
    return np.concatenate(records), starts, forms, counts


# Which are chosen


def disjoint(search: Search, found: tuple[RecordSets, ...], coverage: float) -> list[ChosenSet]:
    """The sets in order of their quality, without those that share a node with a better one; and what the further steps
    make of them."""
    ranked = [
        (score, number, sets)
        for sets in found
        for number, score in enumerate((sets.quality * (sets.coverage >= coverage)).tolist())
        if score > 0
    ]
    ranked.sort(key=lambda candidate: -candidate[0])
    chosen: list[ChosenSet] = []
    threads = replies.Threads(search)
    for _, number, sets in ranked:
        one = ChosenSet.of(sets, number)
        if not all(search.is_free(*span) for span in one.spans):
            continue
        if len(chosen) < GATHERED:
            groups.lift_parts(search, one)
            if not replies.gather_replies(search, threads, one):
                for step in STEPS:
                    step(search, one)
        else:
            search.nodes.met.add("regions.siblings")
        for start, end in one.spans:
            search.taken[start:end] = b"\1" * (end - start)
        chosen.append(one)
    opening.add_openings(search, chosen)
    return strays.join_chosen(search, chosen)


def as_arrays(chosen: list[ChosenSet]) -> Chosen:
    """The chosen sets, one after the other."""
    return (
        np.array([span for one in chosen for span in one.spans], dtype=np.int32).reshape(-1, 2),
        np.cumsum([0, *(len(one.spans) for one in chosen)], dtype=np.int32),
        np.array([one.scores for one in chosen], dtype=np.float64).reshape(-1, 3),
        np.array([[one.form, one.parts, one.left_out, one.added] for one in chosen], dtype=np.int32).reshape(-1, 4),
    )
