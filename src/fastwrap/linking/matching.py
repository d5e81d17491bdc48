"""`fastwrap.match`: the same things in tables of several sites.
Columns are aligned, records that share something rare are compared, the best pairs are linked and merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple
from urllib.parse import urlsplit

from fastwrap.columns.table import Column
from fastwrap.common.arguments import expect
from fastwrap.errors import FastwrapError
from fastwrap.limits import union
from fastwrap.linking.aligning import Aligned, ColumnGroup, Profile, align, grouped, profiles_of
from fastwrap.linking.assignment import assign
from fastwrap.linking.candidates import candidates
from fastwrap.linking.pairing import probability
from fastwrap.linking.result import LinkedRows
from fastwrap.linking.scoring import PairScorer, TitleOdds, TitleScorer, compared_columns, documents, tokens_of
from fastwrap.linking.sides import Cells, LinkedTable, Side, TableSource, side_of
from fastwrap.linking.values import key_of
from fastwrap.output.frames import require
from fastwrap.output.tabular import Tabular
from fastwrap.page import Page

ROUNDS = 2
"""Times that records are linked; what is linked then says which columns agree, and how often."""

MERGED = frozenset(("text", "boolean"))
"""Types of which one value stands for those of all tables; of others each table has its own column."""


WIDE = ("linking.columns",)
"""The limit that is told where not all columns were compared."""


class RecordLink(NamedTuple):
    """Two records of two tables that are the same thing."""

    table: int
    record: int
    other_table: int
    other_record: int
    score: float
    """In [0, 1]; pairs below 0.5 are not linked."""
    why: dict[str, str]
    """What the words of the titles and each column say, as logarithms of odds: "same +2.1", "other -0.7"."""


class Linked(NamedTuple):
    """Two tables: the columns that are the same, and the records."""

    aligned: Aligned
    links: list[tuple[int, int, float, dict[str, str]]]
    limits: tuple[str, ...]


class Matched(LinkedRows):
    """The things of several tables: one row for each, whether one table has it or all."""

    def __init__(
        self,
        table: LinkedTable,
        columns: list[ColumnGroup],
        links: list[RecordLink],
        entities: list[tuple[int | None, ...]],
        limits: tuple[str, ...],
    ) -> None:
        super().__init__(table, links, limits)
        self.groups = columns
        """Columns that are the same, and why."""
        self.links = links
        """Records that are the same, and why."""
        self.entities = entities
        """For each row the number of the record in each table; None where a table does not have it."""

    def __repr__(self) -> str:
        return f"<Matched: {len(self)} things, {len(self.links)} links, {len(self.groups)} columns in common>"


def match(tables: Mapping[str, TableSource] | Iterable[TableSource]) -> Matched:
    """Find the same things in the tables of several sites.

    `tables` are two or more Extractions, Regions, joined tables or pages; as a mapping, they are called by its keys,
    else by the hosts of their pages. Needs `fastwrap[match]`.

    Columns are aligned by role, name, type and values. Two records are the same thing by the words of their titles,
    where rare words, codes and measures weigh more, and by the columns that both tables have: numbers, amounts and
    dates as values, texts by likeness. Of two tables no record is linked twice.

    The rows have one column for what all tables have as text, and one for each table of prices, links and the like;
    `record ...` is the number of the record in each table.

    >>> from fastwrap import extract
    >>> def shop(*things):
    ...     rows = "".join(f"<li><a class=title href=/{k}>{name}</a> <i>{price}</i></li>"
    ...         for k, (name, price) in enumerate(things))
    ...     return extract(f"<ul>{rows}</ul>", min_confidence=0)
    >>> one = shop(("Acme kettle KX-3000 1.7 l", "49.90 EUR"), ("Bolt toaster T2", "20.00 EUR"), ("Pan, iron", "9 EUR"))
    >>> other = shop(("Kettle ACME KX3000, 1,7l", "45,00 €"), ("Acme kettle KX3000 1 l", "39,00 €"), ("Lid", "5,00 €"))
    >>> found = match({"one": one, "other": other})
    >>> [(link.record, link.other_record) for link in found.links]
    [(0, 0)]
    >>> found[0]["price one"], found[0]["price other"]
    (Money(amount=Decimal('49.90'), currency='EUR'), Money(amount=Decimal('45.00'), currency='EUR'))
    """
    if isinstance(tables, Mapping):
        names, sources = [str(name) for name in tables], list(tables.values())
    elif isinstance(tables, Tabular | str | bytes | Page):
        raise FastwrapError("match takes two or more tables: give them in a list, or as a mapping of names to tables")
    else:
        expect(tables, Iterable, "tables are two or more, in a list or a mapping of names to tables")
        sources = list(tables)
        names = []
    if len(sources) < 2:
        raise FastwrapError(f"match takes two or more tables, not {len(sources)}")
    require("rapidfuzz", "match")
    sides = [side_of(source) for source in sources]
    profiles = [profiles_of(side) for side in sides]
    found = {
        (one, other): linked(profiles[one], profiles[other], len(sides[one]), len(sides[other]))
        for one, other in combinations(range(len(sides)), 2)
    }
    aligned = {
        (one, other): {
            (profiles[one][left].place, profiles[other][right].place): score
            for (left, right), score in each.aligned.items()
        }
        for (one, other), each in found.items()
    }
    groups = grouped(sides, aligned)
    links = [
        RecordLink(one, left, other, right, score, why)
        for (one, other), each in found.items()
        for left, right, score, why in each.links
    ]
    entities, kept = clustered(sides, links)
    table = merged(sides, names or names_of(sides), groups, entities, kept)
    wide = any(len(profile) < len(side.columns) for profile, side in zip(profiles, sides, strict=True))
    limits = union(*(side.limits for side in sides), *(each.limits for each in found.values()), WIDE if wide else ())
    return Matched(table, [group for _, group in groups], kept, entities, limits)


def linked(left: Sequence[Profile], right: Sequence[Profile], lefts: int, rights: int) -> Linked:
    """The same columns and records of two tables."""
    aligned = align(left, right)
    ours, theirs = documents(left, lefts), documents(right, rights)
    pairs, limits = candidates(tokens_of(left, ours), tokens_of(right, theirs))
    titles = TitleScorer(ours, theirs)
    title_odds: dict[tuple[int, int], TitleOdds | None] = {}
    chosen: list[tuple[int, int]] = []
    links: list[tuple[int, int, float, dict[str, str]]] = []
    more: tuple[str, ...] = ()
    scorer: PairScorer | None = None
    for _ in range(ROUNDS):
        before, aligned = aligned, align(left, right, chosen) if chosen else aligned
        if scorer is None or before.keys() != aligned.keys():
            scorer = PairScorer(compared_columns(left, right, aligned), titles, title_odds)
            scorer.look(pairs)
        agreeing = scorer.agreeing(chosen)
        odds = {pair: found for pair in pairs if (found := scorer.odds(pair, agreeing)) > 0}
        chosen, more = assign(odds)
        links = [(*pair, probability(odds[pair]), scorer.why(pair, agreeing)) for pair in chosen]
    return Linked(aligned, links, union(limits, more))


def clustered(
    sides: Sequence[Side], links: Sequence[RecordLink]
) -> tuple[list[tuple[int | None, ...]], list[RecordLink]]:
    """The records that are one thing, at most one of each table, and the links that hold them together: the surest
    come first, and those that would put two records of one table together are left out."""
    members: dict[tuple[int, int], dict[int, int]] = {}
    kept = []
    for link in sorted(links, key=lambda link: (-link.score, link[:4])):
        one, other = (link.table, link.record), (link.other_table, link.other_record)
        ours, theirs = members.get(one, dict([one])), members.get(other, dict([other]))
        if ours is theirs:
            kept.append(link)
            continue
        if not ours.keys().isdisjoint(theirs):
            continue
        kept.append(link)
        both = ours | theirs
        for each in both.items():
            members[each] = both
    entities = []
    for number, side in enumerate(sides):
        for record in range(len(side)):
            both = members.get((number, record), {number: record})
            if min(both) == number:
                entities.append(tuple(both.get(table) for table in range(len(sides))))
    return entities, sorted(kept)


def names_of(sides: Sequence[Side]) -> list[str]:
    """What tables are called: by the hosts of their pages, if each has its own, else by their numbers."""
    hosts = []
    for side in sides:
        try:
            hosts.append((urlsplit(side.page.url or "").hostname or "").removeprefix("www."))
        except ValueError:
            hosts.append("")
    if all(hosts) and len(set(hosts)) == len(hosts):
        return hosts
    return [str(number) for number in range(1, len(sides) + 1)]


def merged(
    sides: Sequence[Side],
    names: Sequence[str],
    groups: Sequence[tuple[list[int | None], ColumnGroup]],
    entities: Sequence[tuple[int | None, ...]],
    links: Sequence[RecordLink],
) -> LinkedTable:
    """One row for each thing."""
    shown: list[Cells] = []
    apart: list[Cells] = []
    grouped = {(number, place) for places, _ in groups for number, place in enumerate(places) if place is not None}
    taken = [column.name for side in sides for column in side.columns]

    def of_table(number: int, place: int) -> Cells:
        return sides[number].cells[place].at(entity[number] for entity in entities)

    for places, group in groups:
        parts = [of_table(number, place) if place is not None else None for number, place in enumerate(places)]
        there = [(number, part) for number, part in enumerate(parts) if part is not None]
        if is_one(places, there, sides, links):
            shown.append(first_of([part for _, part in there], group))
            continue
        shown += [renamed(part, f"{group.name} {names[number]}") for number, part in there]
    for number, side in enumerate(sides):
        for place, column in enumerate(side.columns):
            if (number, place) not in grouped:
                part = of_table(number, place)
                apart.append(renamed(part, f"{column.name} {names[number]}") if taken.count(column.name) > 1 else part)
    for number, name in enumerate(names):
        numbers = [entity[number] for entity in entities]
        column = Column(f"record {name}", "integer", "", False, {"match": "the number of the record in this table"})
        apart.append(Cells(column, numbers, [None if each is None else str(each) for each in numbers]))
    own = [
        next((sides[number].links[record] for number, record in enumerate(entity) if record is not None), None)
        for entity in entities
    ]
    return LinkedTable(sides[0].page, [*shown, *apart], own)


def is_one(
    places: Sequence[int | None], there: Sequence[tuple[int, Cells]], sides: Sequence[Side], links: Sequence[RecordLink]
) -> bool:
    """Whether one column stands for those of all tables: they are texts, or say the same of all that is linked."""
    kinds = {(part.column.type, len(part.column.columns)) for _, part in there}
    if len(kinds) > 1:
        return False
    if next(iter(kinds))[0] in MERGED:
        return True
    compared = 0
    for link in links:
        left, right = places[link.table], places[link.other_table]
        if left is not None and right is not None:
            one = key_of(sides[link.table].values[link.record][left])
            other = key_of(sides[link.other_table].values[link.other_record][right])
            if one is not None and other is not None:
                compared += 1
                if one != other:
                    return False
    return compared > 0


def first_of(parts: Sequence[Cells], group: ColumnGroup) -> Cells:
    """One column of several: for each record what the first table has that has anything."""
    values, texts = list(parts[0].values), list(parts[0].texts)
    for part in parts[1:]:
        for row, value in enumerate(part.values):
            if values[row] is None:
                values[row], texts[row] = value, part.texts[row]
    said = " = ".join(repr(name) for name in group.columns if name is not None)
    return Cells(replace(parts[0].column, why={**parts[0].column.why, "match": said}), values, texts)


def renamed(part: Cells, name: str) -> Cells:
    """A column with another name."""
    return replace(part, column=replace(part.column, name=name))
