"""Learning the template of records in plain Python: the oracle of `fastwrap._core.columns.learning`."""

from __future__ import annotations

import numpy as np

from fastwrap._core.common.page import NativePage
from fastwrap.columns.records import Learned, LearningOptions
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE
from tests.reference.columns.alignment import GrownTree, checked_spans, grow, numbered
from tests.reference.columns.choice import chosen
from tests.reference.columns.folding import fold_list, fold_slots, join_touching, touching
from tests.reference.columns.items import MAX_KINDS, Items, Wanted, find_columns
from tests.reference.columns.symbols import node_symbols
from tests.reference.columns.table import read_rows


def learn(native: NativePage, spans: Int32Array, names: dict[int, str], options: LearningOptions) -> Learned:
    """The template of records, and their table."""
    items, page = Items(native), native.node_arrays
    attributes = options.attributes.tolist()
    if len(attributes) > MAX_KINDS:
        raise ValueError(f"more than {MAX_KINDS} attributes are wanted")
    data = [number for number, name in names.items() if name.startswith("data-")]
    data = data[: min(options.most_data, MAX_KINDS - len(attributes))]
    records = checked_spans(page.size, spans)
    budget = options.alignment_cells
    grown = GrownTree(page.tag.tolist(), page.size.tolist(), page.parent.tolist(), budget)
    placed = grow(grown, records, node_symbols(items, records, options.label_records))
    tree = numbered(grown, placed)
    slots = [slot.number for slot in placed]
    into, unit = list(range(len(tree))), [NO_NODE] * len(tree)
    list_of, repeats = unit[:], unit[:]
    lists, exceeded = 0, grown.exceeded
    folds = len(records) * len(tree) <= options.folding_cells
    if folds and tree:
        folder = fold_slots(tree, slots, records, items, options.traits)
        into, unit, lists = folder.into, folder.unit, folder.lists
        for number in range(lists):
            units = [slot for slot, own in enumerate(unit) if own == number]
            folded_list = fold_list(tree, into, list_of, repeats, units, number, budget)
            budget, exceeded = folded_list.budget, exceeded or folded_list.exceeded
        into = [slot if list_of[slot] != list_of[other] else other for slot, other in enumerate(into)]
        join_touching(touching(slots, records, items, folder), into, list_of)
    wanted = Wanted([*attributes, *data], options.first_data, options.alternative)
    places, column_of, split, left_out = find_columns(items, records, slots, wanted, into, list_of, options)
    rows = read_rows(items, wanted.order, records, slots, column_of[into], np.array(unit, dtype=np.int32), places[2])
    columns = [*zip(*tree, strict=True)] if tree else [()] * 4
    whole = np.array([*columns, into, unit, list_of, repeats], dtype=np.int32).reshape(8, -1)
    met = {"columns.alignment": exceeded, "columns.folding": not folds, "columns.width": left_out}
    limits = tuple(name for name, is_met in met.items() if is_met)
    learned = Learned(np.array(slots, dtype=np.int32), whole, places, rows, data, split, lists, None, limits)
    return with_choice(learned, len(wanted.order) + 1, options) if options.choose else learned


def with_choice(learned: Learned, kinds: int, options: LearningOptions) -> Learned:
    """The same with a choice of columns, and without what is of no use for these."""
    outputs, left_out = chosen(learned, kinds, options.first_data, options.choice_traits.tolist())
    used = {item for output in outputs for items in output.sources for item in (*items, output.label)}
    return learned._replace(
        rows=[[cell if item in used else None for item, cell in enumerate(row)] for row in learned.rows],
        split=[(item, ways) for item, ways in learned.split if item in used],
        choice=([(*output,) for output in outputs], left_out),
    )
