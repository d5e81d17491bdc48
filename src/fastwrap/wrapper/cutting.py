"""How the children of an element are cut into records: by the role of each one's symbol, or by an expression.
Symbols are as coarse as the examples allow: tags, then classes, then the tags below, then whether there is a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fastwrap import limits
from fastwrap._core.wrapper import expressed, finding
from fastwrap.common.lazy import lazy_property
from fastwrap.grammar import SKIPPED, Expression, Induction, Match, Matcher
from fastwrap.grammar.matching import BUDGET_MET, ELEMENT_COST, EXACT_EFFORT
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import NO_NODE
from fastwrap.wrapper.hashes import BY_CLASS, BY_SHAPE, BY_TEXT, HEAD, INSIDE, OUTSIDE, UNKNOWN, Keys, Roles, table_of
from fastwrap.wrapper.symbols import Symbol, symbol_of

if TYPE_CHECKING:
    from fastwrap.page import Page

MOST_SYMBOLS = 300
"""Different kinds of children of the elements that hold the records. With more of them, a finer level tells nothing."""

LEAST_LIKENESS = 0.5
"""A child that was never seen gets the role of a known one with which it has this share of class tokens in common."""

RECORD_SHARE = 0.6
"""A child that looks like no known one is a record if this share of its nodes has tag paths that records have."""

INDUCTION_BUDGET = 2_000
LONGEST_STRING = 1_000
"""Children of one element that an expression is induced from, which takes some milliseconds."""

MATCHING_BUDGET = 20_000
"""Steps of matching the children of one element, where the expression does not match them exactly, ..."""

TOTAL_BUDGET = 1_000_000
"""... and of matching those of all elements of a page, in all lists that have an expression: a second or two."""

LEARNING_BUDGET = 300_000
"""Steps of matching and inducing for each page that is learned from, in all lists together: about half a second, ..."""

INDUCTION_STEPS, SYMBOL_STEPS = 20_000, 40
"""... of which an induction counts for so many, or for so many per child that it looks at."""

LIKENESS_BUDGET = 200_000
"""Comparisons of children that were never seen with known ones; one with very many class tokens counts for several."""

MANY_TOKENS = 20

MOST_PARENTS = 200
"""Parents of records on a page that are learned from."""

MOST_CUTTINGS = 5
"""Pages whose way of cutting is tried on the other pages."""

LEVEL_COST = 0.02
"""The share of the records that a finer level must gain to be worth it; an expression must gain twice as much."""


class Effort:
    """What learning may still take: one budget of steps for all lists of all pages that are learned from together."""

    def __init__(self, pages: int = 1) -> None:
        self.left = LEARNING_BUDGET * pages

    def spend(self, steps: int) -> None:
        """Take steps off the budget."""
        self.left -= steps

    @property
    def limits(self) -> tuple[str, ...]:
        """ "wrapper.cutting" if there is nothing left: expressions are not tried any more."""
        return ("wrapper.cutting",) if self.left <= 0 else ()


class Cut(NamedTuple):
    """The records among the children of some elements."""

    spans: Int32Array
    unknown: Int32Array
    """The children that were never seen and are like none that was."""
    limits: tuple[str, ...] = ()
    """Budgets that were met, of matching ("grammar.expression") or comparing ("wrapper.likeness"): a child may be
    unknown for that reason."""


class Children(NamedTuple):
    """The children of one element of a page that is learned from."""

    symbols: list[int]
    """Places among the symbols of the cutting."""
    roles: list[int]

    def items(self) -> list[tuple[int, ...]]:
        """The list of records, as `fastwrap.grammar.induce` takes it: where each one begins, and the end of the last.

        A separator, or whatever else is between two records, belongs to the first of them.
        """
        begins = [place for place, role in enumerate(self.roles) if role == HEAD]
        if not begins:
            return []
        end = max(place for place, role in enumerate(self.roles) if role != OUTSIDE)
        return [(*begins, end + 1)]

    def some(self, count: int) -> Children:
        """At most `count` of them, the first record among them, up to where a further record begins."""
        begins = [place for place, role in enumerate(self.roles) if role == HEAD]
        first, second, *_ = *begins, len(self.roles), len(self.roles)
        # From the first child on, unless the first record would not be complete.
        start = 0 if second <= count or first == len(self.roles) else max(0, first - count // 2)
        ends = [place for place in begins if first < place <= start + count]
        end = ends[-1] if ends and start + count < len(self.roles) else start + count
        return Children(self.symbols[start:end], self.roles[start:end])


@dataclass(frozen=True)
class Cutting:
    """How children are cut into records: by the roles of symbols, or, where a symbol has several, by an expression."""

    level: int
    symbols: tuple[Symbol, ...]
    roles: tuple[int, ...]
    """For each symbol OUTSIDE, HEAD or INSIDE; if there is an expression, the role that it has most often."""
    expression: Expression | None = None
    """Over the places of symbols in `symbols`."""
    position_roles: tuple[int, ...] = ()
    """For each position of the expression OUTSIDE, HEAD or INSIDE."""
    repeat: int = 0
    """Which repeat of the expression is the list: an iteration is a record and what follows it outside of any."""
    strings: tuple[Children, ...] = field(default=(), repr=False, compare=False)
    """The children of the elements that it was learned from."""
    written_as: str | None = None
    """The expression of a file, where it is there for people to read and the roles are enough."""
    limits: tuple[str, ...] = field(default=(), compare=False)
    """Budgets of learning that were met: "wrapper.cutting" if there were too many kinds of children to tell apart, or
    too many examples to look at all of them; and those of the induction, if there is an expression."""

    @lazy_property
    def hashes(self) -> list[int]:
        """The symbols as the kernels compute them."""
        return [symbol.hash(self.level) for symbol in self.symbols]

    @lazy_property
    def table(self) -> tuple[Keys, Roles]:
        """The symbols and their roles, as the kernels take them."""
        return role_table(self.hashes, self.roles)

    @lazy_property
    def matcher(self) -> Matcher:
        """The matcher of the expression."""
        assert self.expression is not None
        return Matcher(self.expression)

    def apply(
        self, page: Page, parents: Int32Array, known: Keys, sharing: int = 1, effort: Effort | None = None
    ) -> Cut:
        """Cut the children of elements; `known` are the tag paths that records have, `sharing` is how many lists share
        the budget of matching, `effort` what learning may still take."""
        spans, children, symbols, roles, unknown = finding.cut(page.native, parents, self.level, *self.table)
        guessed: dict[int, int] = {}
        met: tuple[str, ...] = ()
        if unknown:
            guessed, met = self._roles_of_unknown(page, children[roles == UNKNOWN], symbols[roles == UNKNOWN], known)
        if self.expression is not None:
            cut = self._match(page, children, symbols, guessed, Reading(self.matcher, sharing, effort))
            return cut._replace(limits=limits.union(met, cut.limits))
        if guessed:
            table = role_table([*self.hashes, *guessed], [*self.roles, *guessed.values()])
            spans, children, symbols, roles, unknown = finding.cut(page.native, parents, self.level, *table)
        return Cut(spans, children[roles == UNKNOWN], met)

    def _roles_of_unknown(
        self, page: Page, children: Int32Array, symbols: Keys, known: Keys
    ) -> tuple[dict[int, int], tuple[str, ...]]:
        """Roles for symbols that were never seen, where they can be guessed; and limits."""
        guessed: dict[int, int] = {}
        examples = dict(zip(reversed(symbols.tolist()), reversed(children.tolist()), strict=True))
        left = LIKENESS_BUDGET
        for unseen, child in examples.items():
            symbol = symbol_of(page, child, min(self.level, BY_CLASS))
            left -= self._likeness_work.get(symbol.tag, 0)
            if left < 0:
                return guessed, ("wrapper.likeness",)
            role = self._role_of(page, child, symbol, known)
            if role != UNKNOWN:
                guessed[unseen] = role
        return guessed, ()

    @lazy_property
    def _alike(self) -> dict[str, list[tuple[frozenset[str], int]]]:
        """By tag, the class tokens of the symbols that have it, and their roles."""
        by_tag: dict[str, dict[tuple[frozenset[str], int], None]] = {}
        for symbol, role in zip(self.symbols, self.roles, strict=True):
            by_tag.setdefault(symbol.tag, {})[frozenset(symbol.tokens), role] = None
        return {tag: list(alike) for tag, alike in by_tag.items()}

    @lazy_property
    def _likeness_work(self) -> dict[str, int]:
        """By tag, what it takes of the budget to compare a child with all symbols that have it."""
        return {tag: sum(1 + len(tokens) // MANY_TOKENS for tokens, _ in alike) for tag, alike in self._alike.items()}

    def _role_of(self, page: Page, child: int, symbol: Symbol, known: Keys) -> int:
        """The role of the known symbol that is most like this one; HEAD for what is made like a record."""
        tokens = set(symbol.tokens)
        likeness: dict[int, float] = {}
        for others, role in self._alike.get(symbol.tag, ()):
            both = len(others & tokens)
            either = len(others) + len(tokens) - both
            likeness[role] = max(likeness.get(role, 0.0), both / either if either else 1.0)
        best = max(likeness.values(), default=0.0)
        if best >= LEAST_LIKENESS and list(likeness.values()).count(best) == 1:
            return max(likeness, key=likeness.__getitem__)
        if HEAD in likeness:
            spans = np.array([[child, child + int(page.size[child])]], dtype=np.int32)
            if finding.known_shares(page.native, spans, known)[1] >= RECORD_SHARE:
                return HEAD
        return UNKNOWN

    def _match(self, page: Page, children: Int32Array, symbols: Keys, guessed: dict[int, int], reading: Reading) -> Cut:
        """Cut by the expression, element by element."""
        known, places = self._places
        at = np.minimum(np.searchsorted(known, symbols), len(known) - 1)
        found = np.where(known[at] == symbols, places[at], SKIPPED)
        string = found.tolist()
        if guessed:
            # A symbol whose role was guessed is read as the first known one of that role.
            of_role = {role: self.roles.index(role) if role in self.roles else SKIPPED for role in guessed.values()}
            for child in np.flatnonzero(found == SKIPPED).tolist():
                if (role := guessed.get(int(symbols[child]))) is not None:
                    string[child] = of_role[role]
        matches = [reading.match(string[first:last]) for first, last in pairwise(bounds_of_parents(page, children))]
        repeat = (self.repeat, *self.matcher.automaton.repeats[self.repeat])
        readings = [(match.positions, match.begun) for match in matches]
        ends = children + page.size[children]
        return Cut(*expressed.cut(children, ends, readings, bytes(self.position_roles), repeat), reading.limits)

    @lazy_property
    def _places(self) -> tuple[Keys, Int32Array]:
        """The symbols as the kernels compute them, in order, and their places."""
        place_of = {symbol: place for place, symbol in enumerate(self.hashes)}
        known = sorted(place_of)
        return np.array(known, dtype=np.uint64), np.array([place_of[symbol] for symbol in known], dtype=np.int32)

    @lazy_property
    def written(self) -> str | None:
        """The expression that the children of an element match; for people to read, where the roles are enough."""
        if self.expression is not None:
            return str(self.expression)
        return str(induced(self.strings)[0]) if self.strings else self.written_as


class Reading:
    """Matches the children of several elements with one expression, within one budget for all of them.

    When it is used up, children that match exactly are still found out, which takes little, until as much again and
    what that may take is used up, too: then all of the rest is left out.
    """

    def __init__(self, matcher: Matcher, sharing: int = 1, effort: Effort | None = None) -> None:
        self.matcher = matcher
        self.effort = effort
        self.left = TOTAL_BUDGET // sharing
        if effort is not None:
            self.left = max(0, min(self.left, effort.left))
        self.least = -self.left
        self.limits: tuple[str, ...] = ()
        """Of the matches so far."""
        self._known: dict[tuple[int, ...], Match] = {}

    def match(self, string: Sequence[int]) -> Match:
        """The match of one string."""
        known = self._known.get(key := tuple(string))
        if known is None:
            left = max(0, self.left)
            if self.left < self.least:
                nothing = (SKIPPED,) * len(key), ((),) * len(key)
                known = Match(*nothing, self.matcher.automaton.repeats, cost=ELEMENT_COST * len(key), limits=BUDGET_MET)
            else:
                known = self.matcher.tolerant(key, min(MATCHING_BUDGET, left), left)
            self._known[key] = known
            self.left -= known.steps
            if self.effort is not None:
                self.effort.spend(known.steps)
            self.least -= EXACT_EFFORT * len(key)
            self.limits = self.limits or known.limits
        return known


def induced(strings: Sequence[Children]) -> tuple[Expression, tuple[str, ...]]:
    """An expression for the children of elements, in which the records are a repeat; and limits."""
    shown = [children for children in strings if len(children.symbols) <= LONGEST_STRING]
    complete = len(shown) == len(strings)
    if not any(HEAD in children.roles for children in shown):
        # Nothing would show what a record is.
        longest = next((children for children in strings if HEAD in children.roles), strings[0])
        shown.append(longest.some(LONGEST_STRING))
    induction = Induction(INDUCTION_BUDGET)
    expression = induction.run([children.symbols for children in shown], [children.items() for children in shown])
    return expression, induction.limits if complete else (*induction.limits, "wrapper.cutting")


def role_table(hashes: Sequence[int], roles: Sequence[int]) -> tuple[Keys, Roles]:
    """A table of symbols with their roles, for the kernels."""
    keys, places = table_of(hashes)
    entries = np.zeros(len(keys), dtype=np.uint8)
    entries[places] = roles
    return keys, entries


def bounds_of_parents(page: Page, children: Int32Array) -> list[int]:
    """Where the children of each parent begin among those of several, and the end of the last."""
    owners = page.parent[children]
    return [0, *(np.flatnonzero(owners[1:] != owners[:-1]) + 1).tolist(), len(children)]


NO_KEYS = np.zeros(2, dtype=np.uint64)
NO_ROLES = np.zeros(2, dtype=np.uint8)


class Example(NamedTuple):
    """The elements of a page whose children are records, and the records."""

    page: Page
    parents: Int32Array
    spans: Int32Array


def agreed(examples: Sequence[Example], effort: Effort | None = None) -> tuple[list[Example], tuple[str, ...]]:
    """The examples with their records cut in one way: the one of a single page that suits all of them best; and limits,
    if neither the ways of all pages were tried nor one that is right on all.

    Methods cut each page by itself, and may put what is between two records into a record on one page only. Of ways
    that suit the pages equally, the one is taken whose records are of the fewest kinds.
    """
    if len(examples) == 1:
        return list(examples), ()
    effort = Effort(len(examples)) if effort is None else effort
    cuttings = [learn_cutting([example], effort) for example in examples[:MOST_CUTTINGS]]
    trials = [_trial(cutting, examples, effort) for cutting in cuttings]

    def worth(number: int) -> float:
        cutting = cuttings[number]
        return round(trials[number].right - LEVEL_COST * (cutting.level + 2 * (cutting.expression is not None)), 9)

    most = max(map(worth, range(len(cuttings))))
    equal = [number for number in range(len(cuttings)) if worth(number) == most]
    best = equal[0] if len(equal) == 1 else min(equal, key=lambda number: kinds_of(examples, trials[number].spans))
    met: tuple[str, ...] = ()
    if trials[best].right < 1.0:
        untried = ("wrapper.cutting",) if len(examples) > MOST_CUTTINGS else ()
        met = limits.union(untried, effort.limits, *(trial.limits for trial in trials))
    recut = [each._replace(spans=spans) for each, spans in zip(examples, trials[best].spans, strict=True)]
    return [new if len(new.spans) else old for new, old in zip(recut, examples, strict=True)], met


def sampled(example: Example) -> Example:
    """The example with some of its parents, evenly spread, if there are very many: what is learned is the same."""
    page, parents, spans = example
    if len(parents) <= MOST_PARENTS:
        return example
    holders = page.parent[spans[:, 0]]
    holds = np.isin(parents, holders)
    if holds.all():
        parents = spread(parents, MOST_PARENTS)
    else:  # few hold records, and these are what is learned from
        some = spread(parents[holds], MOST_PARENTS // 2)
        parents = np.union1d(some, spread(parents[~holds], MOST_PARENTS - len(some)))
    return Example(page, parents, np.ascontiguousarray(spans[np.isin(holders, parents)]))


def spread(nodes: Int32Array, most: int) -> Int32Array:
    """At most so many of the nodes, evenly spread."""
    return nodes if len(nodes) <= most else nodes[np.linspace(0, len(nodes) - 1, most).astype(np.intp)]


def learn_cutting(examples: Sequence[Example], effort: Effort | None = None) -> Cutting:
    """How to cut children so that the records of the examples come out; `effort` is what learning may still take."""
    effort = Effort(len(examples)) if effort is None else effort
    some = [sampled(example) for example in examples]
    cutting, right, complete = _best_cutting(some, effort)
    if any(one is not other for one, other in zip(some, examples, strict=True)):
        complete = complete and _trial(cutting, examples, effort).right >= right
    return cutting if complete else replace(cutting, limits=limits.union(cutting.limits, ("wrapper.cutting",)))


def _best_cutting(examples: Sequence[Example], effort: Effort) -> tuple[Cutting, float, bool]:
    """How to cut children, the share of records that come out, and whether nothing better was left untried."""
    trials: list[Cutting] = []
    right, best = -inf, Cutting(0, (), ())
    for level in range(BY_TEXT + 1):
        trial = _try(level, examples)
        if trial is None:
            break
        trials.append(trial)
        share = _trial(trial, examples, effort).right
        if share > right:
            right, best = share, trial
        if right == 1.0:
            return best, right, True
    met: tuple[str, ...] = ()
    # By classes rather than by tags alone: an expression over tags tells records by counting.
    for trial in [*trials[BY_CLASS : BY_SHAPE + 1], *trials[:1]]:
        if effort.left <= 0:
            met = limits.union(met, effort.limits)
            break
        expressed = _by_expression(trial, effort)
        if expressed is None:
            continue
        outcome = _trial(expressed, examples, effort)
        met = limits.union(met, expressed.limits, outcome.limits)
        if outcome.right > right:
            right, best = outcome.right, expressed
        if right == 1.0:
            return best, right, True
    # What met a limit may be better than it seems.
    return replace(best, limits=limits.union(best.limits, met)), right, len(trials) > BY_TEXT


def _try(level: int, examples: Sequence[Example]) -> Cutting | None:
    """The cutting by the roles that symbols of a level have most often; None if there are too many of them."""
    counts: dict[int, list[int]] = {}
    where: list[tuple[Page, int]] = []
    """A child for each symbol."""
    strings = []
    for page, parents, spans in examples:
        _, children, symbols, _, _ = finding.cut(page.native, parents, level, NO_KEYS, NO_ROLES)
        record = np.searchsorted(spans[:, 0], children, side="right") - 1
        # What is before the first record, or on a page without one, is in the record -1, which has no nodes.
        first, end = np.append(spans, [[NO_NODE, NO_NODE]], axis=0).T
        roles = np.where(children < end[record], INSIDE, OUTSIDE)
        roles[children == first[record]] = HEAD
        listed = symbols.tolist()
        for node, symbol, role in zip(children.tolist(), listed, roles.tolist(), strict=True):
            times = counts.get(symbol)
            if times is None:
                times = counts[symbol] = [0, 0, 0]
                where.append((page, node))
            times[role] += 1
        if len(counts) > MOST_SYMBOLS:
            return None
        strings += [
            (listed[first:last], roles[first:last].tolist())
            for first, last in pairwise(bounds_of_parents(page, children))
        ]
    order = {symbol: place for place, symbol in enumerate(counts)}
    cutting = Cutting(
        level,
        tuple(symbol_of(page, child, level) for page, child in where),
        tuple(_most(times) for times in counts.values()),
        strings=tuple(Children([order[symbol] for symbol in listed], roles) for listed, roles in strings),
    )
    cutting.__dict__["hashes"] = list(counts)
    return cutting


def _most(times: Sequence[int]) -> int:
    """The most frequent role, given how often each is there."""
    return max((HEAD, INSIDE, OUTSIDE), key=times.__getitem__)


class Trial(NamedTuple):
    """What a way of cutting makes of examples."""

    right: float
    """The share of the examples' records that are cut as they should be, less those that should not be there."""
    spans: list[Int32Array]
    """The records of each example."""
    limits: tuple[str, ...]


def _trial(cutting: Cutting, examples: Sequence[Example], effort: Effort) -> Trial:
    """Cut the examples."""
    right = wrong = total = 0
    cut: list[Int32Array] = []
    met: tuple[str, ...] = ()
    for page, parents, meant in examples:
        spans, _, more = cutting.apply(page, parents, NO_KEYS, effort=effort)
        met = limits.union(met, more)
        cut.append(spans)
        if np.array_equal(spans, meant):
            right += len(meant)
        else:
            wanted, got = set(map(tuple, meant.tolist())), set(map(tuple, spans.tolist()))
            right += len(wanted & got)
            wrong += len(got - wanted)
        total += len(meant)
    share = (right - wrong) / total if total else 0.0
    # A way that finds nothing at all is no way, even where others find mostly what is wrong.
    return Trial(share if not total or any(map(len, cut)) else -inf, cut, met)


def kinds_of(examples: Sequence[Example], cut: Sequence[Int32Array]) -> int:
    """How many kinds of records there are, by the tags of the children in them, if examples are cut in a way.

    >>> from fastwrap.page import Page
    >>> spans = np.array([[4, 6], [6, 10], [10, 14]], dtype=np.int32)
    >>> kinds_of([Example(Page("<dl><dt>a<dt>b<dd>c<dt>d<dd>e"), spans[:1, 0], spans)], [spans])
    2
    """
    kinds = set()
    for (page, _, _), spans in zip(examples, cut, strict=True):
        size_of, tag = page.size.item, page.tag
        for start, end in spans.tolist():
            tops = [start]
            while (after := tops[-1] + size_of(tops[-1])) < end:
                tops.append(after)
            kinds.add(tag[tops].tobytes())
    return len(kinds)


def _by_expression(cutting: Cutting, effort: Effort) -> Cutting | None:
    """Cut by an expression instead of roles; None if nothing repeats in it."""
    size = sum(len(children.symbols) for children in cutting.strings)
    effort.spend(min(INDUCTION_STEPS, SYMBOL_STEPS * size))
    expression, met = induced(cutting.strings)
    matcher = Matcher(expression)
    if not matcher.automaton.repeats:
        return None
    reading = Reading(matcher, effort=effort)
    votes: dict[int, list[int]] = {}
    repeats: dict[int, int] = {}
    for children in cutting.strings:
        match = reading.match(children.symbols)  # which may have been too long to learn from
        heads = {place for place, role in enumerate(children.roles) if role == HEAD}
        for number in range(len(match.repeats)):
            starts = {first for first, _ in match.iterations(number)}
            repeats[number] = repeats.get(number, 0) + len(starts & heads) - len(starts - heads)
        for position, role in zip(match.positions, children.roles, strict=True):
            if position != SKIPPED:
                votes.setdefault(position, [0, 0, 0])[role] += 1
    roles = tuple(_most(votes.get(position, (1, 0, 0))) for position in range(len(matcher.automaton.symbols)))
    best = max(repeats, key=repeats.__getitem__)
    return replace(
        cutting, expression=expression, position_roles=roles, repeat=best, limits=limits.union(met, reading.limits)
    )
