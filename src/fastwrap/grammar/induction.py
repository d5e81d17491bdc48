"""Induces an expression from example strings: their automaton is cut into loops, the loops into iterations, and so
on inside. Of several expressions that all match the examples, the one of least description length is taken.

Jindal & Liu (2010; Moura 2018, 3.1.3) grow an automaton symbol by symbol, which may refuse its own examples. Here the
automaton has an edge for each pair of neighbours (Garcia & Vidal 1990): its strongly connected components are the
parts that may repeat (Bex, Neven, Schwentick & Vansummeren 2010; Freydenberger & Koetzing 2015), and the components
have an order. Each is then read in three ways: as columns of tandem repeats and single symbols, as iterations that
begin with one of its symbols, and as any of its symbols in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise
from math import inf

from fastwrap.errors import FastwrapError
from fastwrap.grammar.alignment import OPERATOR_BITS, SYMBOL_BITS, Assembly, Columns, Described, align, choice_bits
from fastwrap.grammar.expression import EMPTY, MAX_SIZE, Expression, Symbol, alternative, optional, repeat, sequence
from fastwrap.grammar.folding import Element, Folder, Run, String, key_of

BUDGET = 100_000
"""Elements looked at: one or two seconds. Loops that nobody looks into any more become any of their symbols."""

LEAST_BUDGET = 500
"""What is looked at in short strings, ..."""

EFFORT = 10
"""... and so much more for each of their elements, up to the budget."""

LEVELS = 6
"""How deep repeats are nested."""

FIXED = 8
"""A unit that is repeated at most so many times, ..."""

FIXED_STRINGS = 20
"""... and equally often in so many strings, may be a sequence rather than a list: a few that agree do so by chance."""

FIXED_SHARE = 0.9
FIXED_COUNTS = 3
"""Where the items of a list begin as they end, only a count tells one from the next: then this share of equal counts,
and at most so many different ones, suffice."""

CUTS = 3
"""How many ways to cut a loop into iterations are tried."""

TAIL_BITS = 0.05
"""Records more often begin alike than end alike: this share of bits is added to a reading in which they end alike."""


def induce(
    strings: Iterable[Sequence[int]], lists: Iterable[Sequence[Sequence[int]]] | None = None, budget: int = BUDGET
) -> Expression:
    """An expression that matches the strings, and others like them.

    A string that occurs twice counts twice. What comes twice in a row may come any number of times, unless very many
    strings, twenty or more, all have the same small number of it, as the rows of a table have cells. `lists` are the
    lists already known in each string, each as the places where its items begin and the place after the last: they
    become repeats, whatever their items. Lists of different strings are the same list if most of their symbols are
    the same.

    >>> str(induce([[1, 2, 1, 2, 3]])), str(induce([[1, 2, 1, 2, 3, 1, 2]]))
    ('(1 2)+ 3', '(1 2 3?)+')
    >>> str(induce([[1, 2, 4], [1, 3, 4], [1, 4]]))
    '1 (2|3)? 4'
    >>> str(induce([[1, 2, 3, 3, 4], [1, 2, 2, 3, 3]]))  # Moura 2018, figure 8
    '1 2+ 3+ 4?'
    >>> str(induce([[1, 5, 5, 6]] * 50)), str(induce([[1, 5, 5, 6]] * 50, [[(1, 2, 3)]] * 50))
    ('1 5 5 6', '1 5+ 6')
    """
    return Induction(budget).run(strings, lists)


class Induction:
    """One induction: what `induce` does, for callers who want to know whether a budget was met.

    >>> induction = Induction(budget=10)
    >>> str(induction.run([[1, 2, 3, 1, 2, 4, 1, 3, 2] * 9])), induction.limits
    ('(1|2|3|4)+', ('grammar.induction',))
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget
        self.folder = Folder()
        self._met: set[str] = set()
        self._counting = False
        """Whether what is induced is the item of a list of which nothing but its length tells where it ends."""
        self._symbols: list[int] = []
        """Symbols by their number here, from 0; lists have numbers below 0."""

    @property
    def limits(self) -> tuple[str, ...]:
        """Budgets that were met: the expression matches the examples, but may say less about them than it could.

        "grammar.induction": loops were not looked into, and are any of their symbols; "grammar.alternatives": parts
        that exclude each other are all optional; "grammar.folding": lists that are alike are different ones.
        """
        return tuple(sorted(self._met.union(self.folder.limits)))

    def run(
        self, strings: Iterable[Sequence[int]], lists: Iterable[Sequence[Sequence[int]]] | None = None
    ) -> Expression:
        """Number the symbols, fold the lists that are known, and induce."""
        numbers: dict[int, int] = {}
        plain = [tuple(numbers.setdefault(symbol, len(numbers)) for symbol in string) for string in strings]
        self._symbols = [int(symbol) for symbol in numbers]
        if not plain:
            raise FastwrapError("there are no strings to induce an expression from")
        samples: Counter[String] = Counter(plain if lists is None else self.folder.fold_known(plain, list(lists)))
        size = _size(samples)
        if size > MAX_SIZE // 4:  # more nodes than an expression may have, perhaps
            self._met.add("grammar.induction")
            expression = self._anything({string: weight for string, weight in samples.items() if string}).expression
            return optional(expression) if () in samples else expression
        return self._level(samples, LEVELS, min(self._budget, LEAST_BUDGET + EFFORT * size)).expression

    def _level(self, samples: Mapping[String, int], levels: int, budget: int) -> Described:
        """Induce from strings and how often they occur: the order of what does not repeat, and the loops in between."""
        strings = sorted(samples, key=len, reverse=True)
        successors: dict[int, dict[int, None]] = {}
        for string in strings:
            before: dict[int, None] = {}
            for element in string:
                key = key_of(element)
                before[key] = None
                before = successors.setdefault(key, {})
        component = _components(successors)
        sizes = Counter(component.values())
        stretches: dict[int, Counter[String]] = {}
        inside: Counter[int] = Counter()
        for number, string in enumerate(strings):
            for here, stretch in groupby(string, key=lambda element: component[key_of(element)]):
                stretches.setdefault(here, Counter())[tuple(stretch)] += samples[string]
                inside[here] += 1 << number
        columns = []
        whole = _size(samples)
        for here in sorted(stretches):
            parts = stretches[here]
            share = budget * _size(parts) // whole
            key = key_of(next(iter(parts))[0])
            if sizes[here] > 1 or key in successors[key]:
                part = self._component(parts, levels, share)
            else:
                part = self._element(Counter({string[0]: weight for string, weight in parts.items()}), levels, share)
            columns.append((part, inside[here]))
        return self._assembled([samples[string] for string in strings], columns)

    def _assembled(self, weights: Sequence[int], columns: Columns) -> Described:
        assembly = Assembly(weights)
        described = assembly.assemble(columns)
        self._met.update(assembly.limits)
        return described

    def _component(self, stretches: Counter[String], levels: int, budget: int) -> Described:
        """Strings of one strongly connected component, read in all three ways."""
        best = self._anything(stretches)
        budget -= _size(stretches)
        if levels <= 0 or budget < 0:
            self._met.add("grammar.induction")
            return best
        known = any(key_of(element) in self.folder.known_lists for string in stretches for element in string)
        columns = self._columns(stretches, levels, budget >> CUTS, inf if known else best.bits)
        if columns is not None and (known or columns.bits <= best.bits):
            best = columns
        keys = len({key_of(element) for string in stretches for element in string})
        for runs, ends_alike in _cuts(stretches):
            budget //= 2
            # An iteration has all of the symbols, and it takes bits to tell where each one ends.
            if _ends(runs) + OPERATOR_BITS + SYMBOL_BITS * keys < best.bits:
                loop, _ = self._repeat(runs, levels, budget)
                if ends_alike:
                    loop = loop._replace(data=loop.data + TAIL_BITS * loop.bits)
                best = min(best, loop, key=lambda reading: reading.bits)
        return best

    def _columns(self, stretches: Counter[String], levels: int, budget: int, bits: float) -> Described | None:
        """Tandem repeats folded and strings aligned; None if this takes too long, or more than `bits`."""
        strings = self.folder.fold(list(stretches))
        enough, most = bits / SYMBOL_BITS, 16 * budget / len(strings)
        columns = align(list(zip(strings, stretches.values(), strict=True)), min(enough, most))
        if columns is None:
            if most < enough:
                self._met.add("grammar.induction")
            return None
        share = budget // max(1, sum(column.key < 0 for column in columns))
        elements = [(self._element(column.elements, levels, share), column.strings) for column in columns]
        return self._assembled(list(stretches.values()), elements)

    def _element(self, elements: Counter[Element], levels: int, budget: int) -> Described:
        """One column: a symbol, or a list."""
        runs: Counter[Run] = Counter()
        for element, weight in elements.items():
            if isinstance(element, int):
                return Described(Symbol(self._symbols[element]), SYMBOL_BITS, 0)
            runs[element] += weight
        listed, unit = self._repeat(runs, levels, budget)
        counts: Counter[int] = Counter()
        for run, weight in runs.items():
            counts[len(run.items)] += weight
        most = max(counts)
        known = next(iter(runs)).key in self.folder.known_lists
        if self._counting:
            even = len(counts) <= FIXED_COUNTS and max(counts.values()) >= FIXED_SHARE * counts.total()
        else:
            even = len(counts) == 1 and counts.total() >= FIXED_STRINGS
        if known or most > FIXED or not even:
            return listed
        fixed: Expression = EMPTY
        for more, fewer in pairwise(sorted((0, *counts), reverse=True)):
            fixed = sequence(*[unit.expression] * (more - fewer), optional(fixed))
        model = unit.model * most + OPERATOR_BITS * (len(counts) - 1)
        return min(Described(fixed, model, unit.data + choice_bits(counts.values())), listed, key=lambda d: d.bits)

    def _repeat(self, runs: Counter[Run], levels: int, budget: int) -> tuple[Described, Described]:
        """The expression of a list, and that of its unit."""
        items: Counter[String] = Counter()
        for run, weight in runs.items():
            for item in run.items:
                items[item] += weight
        outside = self._counting
        starts, ends = ({key_of(item[place]) for item in items if item} for place in (0, -1))
        self._counting = not starts.isdisjoint(ends)
        unit = self._level(items, levels - 1, budget)
        self._counting = outside
        return Described(repeat(unit.expression), unit.model + OPERATOR_BITS, unit.data + _ends(runs)), unit

    def _anything(self, samples: Mapping[String, int]) -> Described:
        """Any of the symbols in any order; none of the strings is empty."""
        counts: Counter[int] = Counter()
        several = False
        for string, weight in samples.items():
            plain = [symbol for element in string for symbol in _plain(element)]
            for symbol in plain:
                counts[symbol] += weight
            several = several or len(plain) > 1
        expression = alternative(*(Symbol(self._symbols[symbol]) for symbol in counts))
        strings = sum(samples.values())
        return Described(
            repeat(expression) if several else expression,
            (SYMBOL_BITS + OPERATOR_BITS) * len(counts) + OPERATOR_BITS,
            choice_bits(counts.values()) + choice_bits([strings, counts.total() - strings]),
        )


def _ends(runs: Mapping[Run, int]) -> float:
    """Bits to tell where lists end: after each item a list goes on or not."""
    lists = sum(runs.values())
    return choice_bits([lists, sum(len(run.items) * weight for run, weight in runs.items()) - lists])


def _size(strings: Iterable[String]) -> int:
    """Symbols, those in lists included."""
    return sum(1 for string in strings for element in string for _ in _plain(element))


def _plain(element: Element) -> Iterator[int]:
    if isinstance(element, int):
        yield element
    else:
        for inner in chain.from_iterable(element.items):
            yield from _plain(inner)


def _cuts(stretches: Mapping[String, int]) -> list[tuple[Counter[Run], int]]:
    """Cut a loop into iterations before each element of one key (0), or after each (1): the best ways.

    The best ways leave the automaton of the iterations smallest. A cut before a key removes the edges to it from its
    predecessors, but iterations may then also begin with the key, and end with the predecessors; a cut after a key is
    the mirror image.
    """
    occurrences: Counter[int] = Counter()
    ends: tuple[set[int], set[int]] = set(), set()
    neighbours: tuple[dict[int, set[int]], dict[int, set[int]]] = {}, {}
    for string in stretches:
        keys = [key_of(element) for element in string]
        occurrences.update(keys)
        ends[0].add(keys[0])
        ends[1].add(keys[-1])
        for left, right in pairwise(keys):
            neighbours[0].setdefault(right, set()).add(left)
            neighbours[1].setdefault(left, set()).add(right)

    def rank(cut: tuple[int, int]) -> tuple[int, int, int]:
        key, after = cut
        return (key not in ends[after]) - len(ends[1 - after] & neighbours[after][key]), after, -occurrences[key]

    ranked = sorted(((key, after) for after in (0, 1) for key in neighbours[after]), key=rank)
    cut_up: list[tuple[Counter[Run], int]] = []
    for chosen, after in ranked[:CUTS]:
        runs: Counter[Run] = Counter()
        for string, weight in stretches.items():
            cuts = (place + after for place, element in enumerate(string) if key_of(element) == chosen)
            bounds = sorted({0, *cuts, len(string)})
            runs[Run(0, tuple(string[a:b] for a, b in pairwise(bounds)))] += weight
        if all(runs != other for other, _ in cut_up):
            cut_up.append((runs, after))
    return cut_up


def _components(successors: Mapping[int, dict[int, None]]) -> dict[int, int]:
    """The strongly connected component of each key, numbered in the order of the graph (Kosaraju, Sharir 1981)."""
    predecessors: dict[int, list[int]] = {key: [] for key in successors}
    finished: list[int] = []
    seen: set[int] = set()
    for root in reversed(list(successors)):
        stack = [] if root in seen else [(root, reversed(successors[root]))]
        seen.add(root)
        while stack:
            key, rest = stack[-1]
            for successor in rest:
                predecessors[successor].append(key)
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, reversed(successors[successor])))
                    break
            else:
                finished.append(key)
                stack.pop()
    component: dict[int, int] = {}
    for number, root in enumerate(reversed(finished)):
        pending = [root]
        while pending:
            key = pending.pop()
            if key not in component:
                component[key] = number
                pending += predecessors[key]
    return component
