"""Finds the columns of an old list among those that a new one offers: by values, types, texture, names and order.
Each old column is paired with at most one, so that all of them together are most alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import NamedTuple

import numpy as np

from fastwrap import columns
from fastwrap._core.columns.amounts import amount_in
from fastwrap.columns import Cell, Table, Template
from fastwrap.columns.choice import JOIN, LIST, MOST_USES, TAKE, WHOLE, Source
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.columns.offers import Offer, Selected, offers_of, sources_of, template_of
from fastwrap.columns.splitting import Rule
from fastwrap.columns.table import Column
from fastwrap.columns.wanted import best_pairs
from fastwrap.common.lazy import lazy_property
from fastwrap.page.names import NO_NODE, TEXT
from fastwrap.types import type_columns
from fastwrap.wrapper.cutting import Example
from fastwrap.wrapper.examples import run_in
from fastwrap.wrapper.pattern import Pattern
from fastwrap.wrapper.profile import LONGEST_SAMPLE, Profile, profile_of, texts_of

LEAST_CHANCE = 0.5
"""Columns are not taken for the same if less than this speaks for it."""

MOST_ALTERNATIVES = 12
"""Columns of a new list that are considered for an old one: the most alike."""

MOST_COLUMNS = 150
"""Columns of the old list that are looked for, ..."""

MOST_OFFERS = 400
"""... and those of a new one that are compared with them."""

MOST_ASSIGNED = 50
"""Of more old columns, the most alike are paired first, instead of all together in the best way."""

MOST_RECORDS = 200
"""Records whose values tell what a column is like, from first to last, ..."""

MOST_VALUES = 2_000
"""... and those whose values are looked up among the old ones, which are of the first records of a page."""

MOST_MADE = 100_000
"""Cells of texts that further columns are made of."""

MOST_RULES = 8
"""Ways of splitting texts that are tried."""

MOST_STEPS = 2_000_000
"""Texts that are compared with the beginnings of old values."""

JOINED_RECORDS = 30
"""Records in which pieces of a value are looked for."""

LONGEST_JOIN = 4
"""Texts side by side that may be one column where nothing but their likeness tells."""

ADDRESSES = frozenset(("href", "src", "srcset"))

TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
LONGEST_TEXT = 60
"""Characters of a value whose words are looked at."""

TELLING = 0.25
"""Words that a smaller share of the values has are no part of what the column looks like."""


class OldColumn(NamedTuple):
    """A column as the wrapper knows it."""

    profile: Profile
    name: str
    role: str
    kind: str
    """TEXT_ITEM, or the name of the attribute."""
    is_list: bool
    place: float
    """In [0, 1], where it stands in the records."""
    path: tuple[str, ...]
    """The tags from the top of a record down to it."""
    samples: frozenset[str]
    texture: dict[str, float]
    source: Source | None
    rule: Rule | None


@dataclass(frozen=True)
class NewColumn:
    """A column that a list of the page offers."""

    offer: Offer
    profile: Profile
    place: float
    path: tuple[str, ...]
    values: frozenset[str]
    texture: dict[str, float]
    is_made: bool
    """Whether it was made to be like an old column: no table of this list has it."""


class NewList:
    """A list of the page, with its tables, which are learned when they are asked for."""

    def __init__(self, rank: int, example: Example) -> None:
        self.rank = rank
        """Its place among the lists of the page."""
        self.example = example

    @lazy_property
    def whole(self) -> Table:
        """The table of all items."""
        return columns.learn(self.example.page, self.example.spans)

    @lazy_property
    def shown(self) -> Table:
        """The table of the columns that a person would choose."""
        return columns.learn(self.example.page, self.example.spans, choose=True)

    @lazy_property
    def offers(self) -> list[Offer]:
        """The columns of both."""
        return [*offers_of(self.shown), *offers_of(self.whole, is_shown=False)]

    @lazy_property
    def texts(self) -> frozenset[str]:
        """What is written in the records, text by text."""
        page = self.example.page
        found: set[str] = set()
        for start, end in self.example.spans.tolist():
            nodes = np.flatnonzero(page.tag[start:end] == TEXT) + start
            found.update(page.text(node)[:LONGEST_SAMPLE] for node in nodes.tolist())
        return frozenset(found)


class Pairing(NamedTuple):
    """The columns of an old list that a new one has."""

    pairs: dict[int, tuple[NewColumn, float]]
    """By the number of the old column, the new one, and how likely it is that they are the same."""
    score: float
    """In [0, 1], how much of the old list there is."""
    shared: float
    """In [0, 1], how many of the old values there are."""
    complete: bool
    """Whether all columns were compared."""


def texture_of(texts: Iterable[str]) -> dict[str, float]:
    """What recurs in texts: words, signs and numbers, each with the share of the texts that have it.

    >>> texture_of(["$5.50", "$12.00"]) == {"$": 1.0, "0": 1.0, ".": 1.0}
    True
    """
    counts: Counter[str] = Counter()
    number = 0
    for text in texts:
        number += 1
        found = TOKEN.findall(text[:LONGEST_TEXT].lower())
        counts.update({"0" if token.isdigit() else token for token in found})
    return {token: count / number for token, count in counts.items() if count >= TELLING * number and count > 1}


def texture_likeness(one: dict[str, float], other: dict[str, float]) -> float:
    """In [0, 1], how alike two textures are; one half if neither has anything."""
    if not one and not other:
        return 0.5
    tokens = one.keys() | other.keys()
    both = sum(min(one.get(token, 0.0), other.get(token, 0.0)) for token in tokens)
    return both / sum(max(one.get(token, 0.0), other.get(token, 0.0)) for token in tokens)


def steps_of(path: str) -> tuple[str, ...]:
    """The tags of a path, without the text or attribute at its end.

    >>> steps_of("li/a/#text")
    ('li', 'a')
    """
    return tuple(path.split("/")[:-1])


def path_likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """In [0, 1], how many of the last tags of two paths are the same."""
    longest = max(len(one), len(other))
    same = 0
    while same < min(len(one), len(other)) and one[-1 - same] == other[-1 - same]:
        same += 1
    return same / longest if longest else 1.0


def old_columns(pattern: Pattern) -> list[OldColumn]:
    """The columns of a wrapper's list."""
    template = pattern.template
    shown = template.shown
    sources = sources_of(shown)
    items = max(1, len(template.items))
    found = []
    for number, (profile, name) in enumerate(zip(pattern.profiles, template.names, strict=True)):
        source = sources[number]
        rule = None if source is None or source.part == WHOLE else template.rules.get(source.first_item)
        place = 1.0 if source is None else source.first_item / items
        samples = frozenset(profile.samples)
        found.append(
            OldColumn(
                profile, name.name, name.role, shown.column_kinds[number], number in shown.list_columns, place,
                steps_of(shown.paths[number]), samples, texture_of(profile.samples), source, rule,
            )
        )  # fmt: skip
    return found


# What a list offers


def new_columns(old: Sequence[OldColumn], new: NewList) -> tuple[list[NewColumn], bool]:
    """All that may be an old column in the tables of a list, and whether that is all of it."""
    whole, offers = new.whole, new.offers
    made, complete = made_offers(old, whole, offers)
    unique: dict[object, tuple[Offer, bool]] = {}
    for number, offer in enumerate([*offers, *made]):
        unique.setdefault((offer.source, offer.rule), (offer, number >= len(offers)))
    kept = list(unique.values())[:MOST_OFFERS]
    step = max(1, len(whole.texts) // MOST_RECORDS)
    items = max(1, len(whole.layout.items))
    found = []
    for number, (offer, is_made) in enumerate(kept):
        cells = offer.cells[::step]
        texts = texts_of(cells)
        place = 1.0 if offer.source is None else offer.source.first_item / items
        profile = profile_of(cells, offer.column.type, number)
        values = frozenset(text[:LONGEST_SAMPLE] for text in texts_of(offer.cells[:MOST_VALUES]))
        if texts:
            path, texture = steps_of(offer.column.path), texture_of(profile.samples)
            found.append(NewColumn(offer, profile, place, path, values, texture, is_made))
    return found, complete and len(kept) == len(unique)


def made_offers(old: Sequence[OldColumn], whole: Table, offers: Sequence[Offer]) -> tuple[list[Offer], bool]:
    """Columns that are made as the old ones were: split by their rules, trimmed to the amount, joined of several
    texts, or not split where a text is. And whether all texts were looked at."""
    plain = whole_texts(whole, offers)
    most = max(1, MOST_MADE // max(1, len(whole.texts)))
    texts = [offer for offer in plain if offer.kind == TEXT_ITEM and not offer.is_list]
    complete = len(texts) <= most
    texts = texts[:most]
    there = {offer.source for offer in offers}
    found = [offer for offer in plain if offer.source not in there]
    for rule in list(dict.fromkeys(column.rule for column in old if column.rule is not None))[:MOST_RULES]:
        for offer in texts:
            found += split_by(rule, offer)
    if any(column.source is not None and column.source.trim for column in old):
        shown = [offer for offer in offers if offer.is_shown and offer.kind == TEXT_ITEM and not offer.is_list]
        found += [trimmed for offer in [*shown[:most], *texts] if (trimmed := with_amounts(offer)) is not None]
    if any(column.is_list for column in old):
        found += listed(texts)
    runs, all_tried = runs_of(old, texts, len(whole.texts))
    for run in runs[:MOST_OFFERS]:
        parts = [texts[place] for place in run]
        items = tuple(part.source.first_item for part in parts if part.source is not None)
        pieces = zip(*(part.cells for part in parts), strict=True)
        cells = [" ".join(cell for cell in row if isinstance(cell, str)) or None for row in pieces]
        found.append(remade(parts[0], Source(JOIN, (items,)), cells))
    return found, complete and all_tried


def with_amounts(offer: Offer) -> Offer | None:
    """The amounts in the texts of a column; None if it has nothing but these, or none."""
    if offer.source is None or offer.source.trim or offer.source.part != WHOLE:
        return None
    cells = [amount_in(cell) for cell in offer.cells]
    return remade(offer, offer.source._replace(trim=True), cells) if cells != list(offer.cells) else None


def runs_of(old: Sequence[OldColumn], texts: Sequence[Offer], records: int) -> tuple[list[tuple[int, ...]], bool]:
    """Texts that follow each other and are an old value together, or may be, as an old column was joined of such; and
    whether all values were looked for."""
    rows = [
        ["".join(cell.split()) if isinstance(cell := offer.cells[record], str) else "" for offer in texts]
        for record in range(min(JOINED_RECORDS, records))
    ]
    runs: dict[tuple[int, ...], None] = {}
    left = MOST_STEPS
    for column in old:
        if column.kind != TEXT_ITEM or column.is_list:
            continue
        values = ["".join(sample.split()) for sample in column.profile.samples if len(sample) < LONGEST_SAMPLE]
        left -= len(rows) * len(values) * len(texts)
        if left < 0:
            break
        for row in rows:
            for value in values:
                if run := run_in(value, row):
                    runs[run] = None
        if column.source is not None and column.source.operation == JOIN:
            for length in range(2, LONGEST_JOIN + 1):
                runs.update(dict.fromkeys(tuple(range(k, k + length)) for k in range(len(texts) - length + 1)))
    return list(runs), left >= 0


def listed(texts: Sequence[Offer]) -> list[Offer]:
    """Texts of the same path as lists: columns side by side, where old records had any number of them."""
    same: dict[str, list[Offer]] = {}
    for offer in texts:
        same.setdefault(offer.column.path, []).append(offer)
    found = []
    for parts in same.values():
        items = tuple(part.source.first_item for part in parts if part.source is not None)
        if len(items) > 1:
            rows = zip(*(part.cells for part in parts), strict=True)
            cells: list[Cell] = [[cell for cell in row if isinstance(cell, str)] or None for row in rows]
            offer = parts[0]
            found.append(Offer(offer.column, Source(LIST, (items,)), offer.kind, True, False, cells))
    return found


def whole_texts(whole: Table, offers: Sequence[Offer]) -> list[Offer]:
    """One column for each item, no text of which is split."""
    rules = whole.layout.rules
    every = (offer for offer in offers if not offer.is_shown and offer.source is not None)
    plain = [offer for offer in every if offer.source is not None and offer.source.part == WHOLE]
    if not rules:
        return plain
    split = sorted(rules)
    sources = [Source(TAKE, ((item,),)) for item in split]
    selected = [Selected(str(item), source, {}) for item, source in zip(split, sources, strict=True)]
    table = columns.apply(template_of(whole, selected), whole.records.page, whole.records.spans)
    kinds = [whole.layout.items[item].kind for item in split]
    cells = list(zip(*table.texts, strict=True)) or [()] * len(split)
    for place, (source, kind) in enumerate(zip(sources, kinds, strict=True)):
        plain.append(Offer(table.columns[place], source, kind, False, False, cells[place]))
    return sorted(plain, key=lambda offer: offer.source.first_item if offer.source is not None else 0)


def remade(offer: Offer, source: Source, cells: Sequence[Cell], rule: Rule | None = None) -> Offer:
    """An offer of other cells, which are made of the same items."""
    typed = type_columns([[cell if isinstance(cell, str) else None for cell in cells]], [offer.kind])[0]
    column: Column = replace(offer.column, type=typed.type, unit=typed.unit or "")
    return Offer(column, source, offer.kind, offer.is_list, False, cells, rule)


def split_by(rule: Rule, offer: Offer) -> list[Offer]:
    """The parts of a text, if the rule of an old column fits most of its values."""
    applied = [rule.apply(cell) if isinstance(cell, str) else None for cell in offer.cells]
    filled = [parts for parts in applied if parts is not None]
    if offer.source is None or not filled:
        return []
    # One that does not fit leaves the text whole, and the other parts empty.
    if rule.width > 1 and sum(sum(part is not None for part in parts) > 1 for parts in filled) < len(filled) / 2:
        return []
    if rule.width == 1 and not any(parts[0] != cell for parts, cell in zip(applied, offer.cells, strict=True) if parts):
        return []
    return [
        remade(offer, offer.source._replace(part=part), [parts[part] if parts else None for parts in applied], rule)
        for part in range(rule.width)
    ]


# How alike two columns are

WEIGHTS = {
    "bias": -0.8, "shared": 2.5, "unshared": -2.0, "near": 3.5, "far": -1.3, "family": 0.15, "attribute": -2.7,
    "address": -1.1, "name": 0.6, "other role": -0.6, "texture": 1.5, "filled": -3.2, "place": -2.2,
    "list": -1.0, "path": 1.6, "link": -1.6, "split": -1.5, "rule": 1.5, "operation": -1.0, "made": -1.2, "shown": 1.0,
}  # fmt: skip
"""What speaks for and against two columns being the same: weights of a conditional logit (McFadden 1974)."""


def features(old: OldColumn, new: NewColumn, same: float) -> dict[str, float]:
    """What two columns have in common; `same` is how much the records of the two lists are the same."""
    shared = len(old.samples & new.values) / len(old.samples) if old.samples else 0.0
    # One value that all records have, or yes and no, are found in many a column.
    weight = min(1.0, len(old.samples) / 4)
    distance = old.profile.distance(new.profile)
    column, kind, source, rule = new.offer.column, new.offer.kind, new.offer.source, new.offer.rule
    operation, part = (old.source.operation, old.source.part) if old.source is not None else ("", WHOLE)
    here, part_here = (source.operation, source.part) if source is not None else ("", WHOLE)
    return {
        "bias": 1.0,
        "shared": shared * (0.5 + 0.5 * weight),
        "unshared": same * weight * (shared == 0.0),
        "near": max(0.0, 1.0 - distance),
        "far": min(3.0, max(0.0, distance - 1.0)),
        "family": float(old.profile.family == new.profile.family),
        "attribute": float((old.kind == TEXT_ITEM) != (kind == TEXT_ITEM)),
        "address": float((old.kind in ADDRESSES) != (kind in ADDRESSES)),
        "name": float(old.name == column.name),
        "other role": float(bool(old.role) and bool(column.role) and old.role != column.role),
        "texture": texture_likeness(old.texture, new.texture) - 0.5,
        "filled": abs(old.profile.filled - new.profile.filled),
        "place": abs(old.place - new.place),
        "list": float(old.is_list != new.offer.is_list),
        "path": path_likeness(old.path, new.path),
        "link": float(("a" in old.path) != ("a" in new.path)),
        "split": float((old.rule is None) != (rule is None)),
        "rule": float(old.rule is not None and old.rule == rule and part == part_here),
        "operation": float(operation != here),
        "made": float(new.is_made),
        "shown": float(new.offer.is_shown),
    }


def chance(old: OldColumn, new: NewColumn, same: float) -> float:
    """How likely it is that two columns are the same."""
    odds = sum(WEIGHTS[name] * value for name, value in features(old, new, same).items())
    return 1 / (1 + exp(-odds))


def sameness(old: Sequence[OldColumn], new: Sequence[NewColumn]) -> float:
    """In [0, 1], how much of the values of the old columns is among those of the new ones."""
    total = weights = 0.0
    for column in old:
        if len(column.samples) < 3:
            continue
        weight = min(4, len(column.samples)) * column.profile.filled
        best = max((len(column.samples & other.values) for other in new), default=0) / len(column.samples)
        total += weight * best
        weights += weight
    return total / weights if weights else 0.0


def pair(old: Sequence[OldColumn], candidate: NewList) -> Pairing:
    """The old columns in the records of a list."""
    new, complete = new_columns(old, candidate)
    same = sameness(old, new)
    scores: list[dict[int, float]] = []
    for column in old[:MOST_COLUMNS]:
        scored = [
            (score, place) for place, other in enumerate(new) if (score := chance(column, other, same)) >= LEAST_CHANCE
        ]
        scores.append({place: score for score, place in sorted(scored, reverse=True)[:MOST_ALTERNATIVES]})
    found = best_pairs(scores) if len(scores) <= MOST_ASSIGNED else greedy_pairs(scores)
    pairs = {number: (new[place], scores[number][place]) for number, place in enumerate(found) if place is not None}
    pairs = compatible(pairs)
    total = sum(map(weight_of, old[:MOST_COLUMNS]))
    score = sum(weight_of(old[number]) * chance for number, (_, chance) in pairs.items()) / total if total else 0.0
    return Pairing(pairs, score, same, complete and len(old) <= MOST_COLUMNS)


def greedy_pairs(scores: Sequence[dict[int, float]]) -> list[int | None]:
    """As `best_pairs`, but the best pairs are taken first, whatever is left for the others.

    >>> greedy_pairs([{0: 5, 1: 4}, {0: 5, 1: 1}, {0: 6}])
    [1, None, 0]
    """
    found: list[int | None] = [None] * len(scores)
    ordered = sorted(((-score, row, place) for row, places in enumerate(scores) for place, score in places.items()))
    taken: set[int] = set()
    for _, row, place in ordered:
        if found[row] is None and place not in taken:
            found[row] = place
            taken.add(place)
    return found


def weight_of(column: OldColumn) -> float:
    """How much a column says of its list."""
    return column.profile.filled * (1.0 if len(column.samples) > 1 else 0.3) + 0.01


def compatible(pairs: dict[int, tuple[NewColumn, float]]) -> dict[int, tuple[NewColumn, float]]:
    """The pairs, the likeliest first, as far as one template can have them: a text is split in one way."""
    kept: dict[int, tuple[NewColumn, float]] = {}
    rules: dict[int, Rule] = {}
    uses: Counter[int] = Counter()
    for number, (new, score) in sorted(pairs.items(), key=lambda each: -each[1][1]):
        source, rule = new.offer.source, new.offer.rule
        if source is not None:
            if rule is not None and rules.setdefault(source.first_item, rule) != rule:
                continue
            items = [item for part in (*source.items, source.where) for item in part]
            if source.part == WHOLE and any(uses[item] >= MOST_USES for item in items):
                continue
            uses.update(items if source.part == WHOLE else ())
        kept[number] = new, score
    return dict(sorted(kept.items()))


def healed_template(pattern: Pattern, whole: Table, pairing: Pairing) -> tuple[Template, list[int]]:
    """The template of the new list with the columns of the old one, and which of these they are."""
    names = pattern.template.names
    chosen = sorted(pairing.pairs.items(), key=lambda each: (each[1][0].offer.source is None, each[0]))
    numbers = [number for number, _ in chosen]
    selected = [
        Selected(names[number].name, new.offer.source, names[number].why, names[number].role, new.offer.rule)
        for number, (new, _) in chosen
    ]
    template = template_of(whole, selected)
    link = pattern.template.link
    return replace(template, link=numbers.index(link) if link in numbers else NO_NODE), numbers
