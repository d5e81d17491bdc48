"""How the children of an element are cut into records: by the role of each one's symbol, or by an expression.
Symbols are as coarse as the examples allow: tags, then classes, then the tags below, then whether there is a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt

from fastwrap._core.wrapper import wrapping as kernel
from fastwrap.common.lazy import lazy_property
from fastwrap.grammar import SKIPPED, Expression, Induction, Match, Matcher
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import CUSTOM, TAG_NUMBER, TAGS, number_of
from fastwrap.wrapper.hashes import BY_CLASS, BY_SHAPE, BY_TEXT, HEAD, INSIDE, OUTSIDE, UNKNOWN, symbol_hash, table_of
from fastwrap.wrapper.hashes import tokens_of as tokens_without_digits
from fastwrap.wrapper.location import CLASS, class_of

if TYPE_CHECKING:
    from fastwrap.page import Page

MOST_SYMBOLS = 300
"""Different children of the elements that hold the records. With more of them, a finer level tells nothing."""

LEAST_LIKENESS = 0.5
"""Share of class tokens that a child has in common with a known one, to be given its role."""

RECORD_SHARE = 0.6
"""A child that looks like nothing known is a record if so much of it has tag paths that records have."""

INDUCTION_BUDGET = 2_000
LONGEST_STRING = 1_000
"""Children, of one element, that an expression is induced from: some milliseconds."""

MATCHING_BUDGET = 20_000
"""Steps for the children of one element that the expression does not match, ..."""

TOTAL_BUDGET = 1_000_000
"""... and for all that are read together: a second or two."""

LIKENESS_BUDGET = 200_000
"""Known children that those of a page are compared with, which were never seen."""

MOST_PARENTS = 200
"""Parents of records on a page that are learned from."""

MOST_CUTTINGS = 5
"""Pages whose way of cutting is tried on the others."""

LEVEL_COST = 0.02
"""What a finer level must gain, as a share of the records; an expression twice as much."""

ROLES = ("outside", "head", "inside")


class Symbol(NamedTuple):
    """What the children of one kind have in common; what the level leaves out is empty."""

    tag: str
    tokens: tuple[str, ...] = ()
    shape: str = ""
    """The tags below that have something below them, such as `td(a(b))td`; unusual letters as in addresses."""
    has_text: bool = False

    def number(self, level: int) -> int:
        """As the kernel computes it."""
        name = " ".join(self.tokens).encode("utf-8", "surrogatepass")
        return symbol_hash(level, number_of(self.tag, TAG_NUMBER, {}), name, read_shape(self.shape), self.has_text)


def read_shape(shape: str) -> list[tuple[int, int]]:
    """Depths and tag numbers of what a shape names.

    >>> read_shape("td(a)td") == [(1, TAG_NUMBER["td"]), (2, TAG_NUMBER["a"]), (1, TAG_NUMBER["td"])]
    True
    """
    found = []
    depth, name = 1, ""
    for letter in shape + " ":
        if letter in "() ":
            if name:
                found.append((depth, number_of(unquote(name), TAG_NUMBER, {})))
                name = ""
            depth += (letter == "(") - (letter == ")")
        else:
            name += letter
    return found


def write_shape(page: Page, node: int) -> str:
    """The tags below a node, without leaves.

    >>> from fastwrap.page import Page
    >>> write_shape(Page("<table><tr><td><a href=/>x</a><br><td>y"), 5)
    'td(a)td'
    """
    found: list[str] = []
    top = before = int(page.depth[node])
    below = np.flatnonzero(page.size[node + 1 : node + int(page.size[node])] > 1) + node + 1
    for tag, depth in zip(page.tag[below].tolist(), page.depth[below].tolist(), strict=True):
        if depth > before:
            found.append("(" if before > top else "")
        else:
            found.append(")" * (before - depth) or " ")
        found.append(TAGS[tag] if tag < CUSTOM else quote(page.custom_names[tag], safe=":"))
        before = depth
    return "".join(found) + ")" * max(0, before - top - 1)


def symbol_of(page: Page, node: int, level: int) -> Symbol:
    """The symbol of a node, spelled out."""
    tokens = tokens_without_digits(class_of(page, node)) if level >= BY_CLASS else []
    return Symbol(
        page.tag_name(node),
        tuple(token.decode("utf-8", "replace") for token in tokens),
        write_shape(page, node) if level >= BY_SHAPE else "",
        level >= BY_TEXT and bool(page.text_start[node] < page.text_start[node + int(page.size[node])]),
    )


class Cut(NamedTuple):
    """The records among the children of some elements."""

    spans: Int32Array
    children: Int32Array
    roles: npt.NDArray[np.uint8]
    """UNKNOWN for those that were never seen, and that look like nothing that was."""
    unknown: int
    """How many of these there are."""
    limits: tuple[str, ...] = ()
    """"expression" if a child may be unknown for want of steps to match it; "likeness" if for want of comparisons."""


class Children(NamedTuple):
    """The children of one element of a page that is learned from."""

    symbols: list[int]
    """As numbers of the cutting's symbols."""
    roles: list[int]

    def items(self) -> list[tuple[int, ...]]:
        """The list of records, as `fastwrap.grammar.induce` takes it: where each one begins, and the end of the last.

        What is between two records, such as a separator, belongs to the first of them.
        """
        begins = [place for place, role in enumerate(self.roles) if role == HEAD]
        if not begins:
            return []
        end = max(place for place, role in enumerate(self.roles) if role != OUTSIDE)
        return [(*begins, end + 1)]

    def first(self, count: int) -> Children:
        """The first few of them, up to where a record begins."""
        while count > 1 and self.roles[count] != HEAD:
            count -= 1
        return Children(self.symbols[:count], self.roles[:count])


@dataclass(frozen=True)
class Cutting:
    """The roles of symbols; or, where symbols have several, an expression that tells which."""

    level: int
    symbols: tuple[Symbol, ...]
    roles: tuple[int, ...]
    """For each symbol OUTSIDE, HEAD or INSIDE; the role that it has most often, if there is an expression."""
    expression: Expression | None = None
    """Over the numbers of symbols. Its first repeat is a record and what follows it outside of any."""
    position_roles: tuple[int, ...] = ()
    """For each position of the expression OUTSIDE, HEAD or INSIDE."""
    repeat: int = 0
    strings: tuple[Children, ...] = field(default=(), repr=False, compare=False)
    """The children of the elements that it was learned from."""
    written_as: str | None = None
    """The expression of a file, where it is only to be read."""
    limits: tuple[str, ...] = field(default=(), compare=False)
    """Steps of learning whose budget was met: "cutting" if there were too many kinds of children to tell, or too many
    examples to look at all of them; and those of the induction, if there is an expression."""

    @lazy_property
    def numbers(self) -> list[int]:
        """The symbols as the kernel computes them."""
        return [symbol.number(self.level) for symbol in self.symbols]

    @classmethod
    def by_roles(cls, trial: Trial) -> Cutting:
        """Where the roles of symbols are enough."""
        cutting = cls(trial.level, trial.symbols(), trial.roles, strings=tuple(trial.children))
        cutting.__dict__["numbers"] = trial.numbers
        return cutting

    @lazy_property
    def table(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
        """The symbols and their roles, as the kernels take them."""
        keys, places = table_of(self.numbers)
        roles = np.zeros(len(keys), dtype=np.uint8)
        roles[places] = self.roles
        return keys, roles

    @lazy_property
    def _matcher(self) -> Matcher:
        assert self.expression is not None
        return Matcher(self.expression)

    @lazy_property
    def _head_tags(self) -> frozenset[str]:
        return frozenset(symbol.tag for symbol, role in zip(self.symbols, self.roles, strict=True) if role == HEAD)

    def apply(self, page: Page, parents: Int32Array, known: npt.NDArray[np.uint64]) -> Cut:
        """Cut the children of elements; `known` are the tag paths that records have."""
        spans, children, symbols, roles, unknown = run_cut(page, parents, self.level, *self.table)
        more: dict[int, int] = {}
        limits: tuple[str, ...] = ()
        if unknown:
            more, limits = self._roles_of_unknown(page, children[roles == UNKNOWN], symbols[roles == UNKNOWN], known)
        if self.expression is not None:
            return self._match(page, children, symbols, more, limits)
        if more:
            keys, places = table_of([*self.numbers, *more])
            table_roles = np.zeros(len(keys), dtype=np.uint8)
            table_roles[places] = [*self.roles, *more.values()]
            spans, children, symbols, roles, unknown = run_cut(page, parents, self.level, keys, table_roles)
        return Cut(spans, children, roles, unknown, limits)

    def _roles_of_unknown(
        self, page: Page, children: Int32Array, symbols: npt.NDArray[np.uint64], known: npt.NDArray[np.uint64]
    ) -> tuple[dict[int, int], tuple[str, ...]]:
        """Roles for symbols that were not seen: that of the most similar one, or what they look like; and limits."""
        found: dict[int, int] = {}
        examples = dict(zip(reversed(symbols.tolist()), reversed(children.tolist()), strict=True))
        left = LIKENESS_BUDGET
        for number, child in examples.items():
            own = symbol_of(page, child, min(self.level, BY_CLASS))
            left -= len(self._alike.get(own.tag, ()))
            if left < 0:
                return found, ("likeness",)
            role = self._role_of(page, child, own, known)
            if role != UNKNOWN:
                found[number] = role
        return found, ()

    @lazy_property
    def _alike(self) -> dict[str, list[tuple[frozenset[str], int]]]:
        """By tag, the class tokens of the symbols that have it, and their roles."""
        found: dict[str, dict[tuple[frozenset[str], int], None]] = {}
        for symbol, role in zip(self.symbols, self.roles, strict=True):
            found.setdefault(symbol.tag, {})[frozenset(symbol.tokens), role] = None
        return {tag: list(alike) for tag, alike in found.items()}

    def _role_of(self, page: Page, child: int, own: Symbol, known: npt.NDArray[np.uint64]) -> int:
        tokens = set(own.tokens)
        likeness: dict[int, float] = {}
        for others, role in self._alike.get(own.tag, ()):
            both = len(others & tokens)
            either = len(others) + len(tokens) - both
            likeness[role] = max(likeness.get(role, 0.0), both / either if either else 1.0)
        best = max(likeness.values(), default=0.0)
        roles = [role for role, value in likeness.items() if value == best]
        if best >= LEAST_LIKENESS and len(roles) == 1:
            return roles[0]
        if own.tag in self._head_tags:
            spans = np.array([[child, child + int(page.size[child])]], dtype=np.int32)
            if kernel.known_shares(page.tag, page.parent, spans, known)[1] >= RECORD_SHARE:
                return HEAD
        return UNKNOWN

    def _match(
        self,
        page: Page,
        children: Int32Array,
        symbols: npt.NDArray[np.uint64],
        more: dict[int, int],
        limits: tuple[str, ...],
    ) -> Cut:
        """Cut by the expression, element by element."""
        numbered = {number: place for place, number in enumerate(self.numbers)}
        for number, role in more.items():
            # What looks like a known symbol is read as one: the first that has its role.
            numbered[number] = self.roles.index(role) if role in self.roles else SKIPPED
        string = [numbered.get(symbol, SKIPPED) for symbol in symbols.tolist()]
        owners = page.parent[children]
        bounds = [0, *(np.flatnonzero(owners[1:] != owners[:-1]) + 1).tolist(), len(string)]
        spans: list[list[int]] = []
        roles = np.full(len(string), UNKNOWN, dtype=np.uint8)
        nodes, sizes = children.tolist(), page.size[children].tolist()
        reading = Reading(self._matcher)
        for first, last in pairwise(bounds):
            own, records = self._read(reading.match(string[first:last]))
            roles[first:last] = own
            for begin, end in records:
                behind = first + end - 1
                spans.append([nodes[first + begin], nodes[behind] + sizes[behind]])
        cut = np.array(spans, dtype=np.int32).reshape(-1, 2)
        return Cut(cut, children, roles, int((roles == UNKNOWN).sum()), (*limits, *reading.limits))

    def _read(self, match: Match) -> tuple[list[int], list[tuple[int, int]]]:
        """The roles of the children of one element, and where records begin and end."""
        roles = [UNKNOWN if position == SKIPPED else self.position_roles[position] for position in match.positions]
        records = []
        for begin, end in match.iterations(self.repeat):
            # An iteration goes up to the next one: what is outside at its end is between the records. Further inside,
            # it is part of this one, even if the same position of the expression is mostly read between records.
            while end > begin + 1 and roles[end - 1] in (OUTSIDE, UNKNOWN):
                end -= 1
            records.append((begin, end))
        return roles, records

    @lazy_property
    def written(self) -> str | None:
        """The expression that the children of an element match; only to be read, where roles alone tell the records."""
        if self.expression is not None:
            return str(self.expression)
        return str(induced(self.strings)[0]) if self.strings else self.written_as


class Reading:
    """Matches the children of several elements with one expression, within one budget."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        self.left = TOTAL_BUDGET
        self.limits: tuple[str, ...] = ()
        """Of the matches so far."""
        self._known: dict[tuple[int, ...], Match] = {}

    def match(self, string: Sequence[int]) -> Match:
        """The match of one string."""
        key = tuple(string)
        if key not in self._known:
            match = self.matcher.tolerant(key, min(MATCHING_BUDGET, self.left), self.left)
            self.left = max(0, self.left - match.steps)
            self.limits = self.limits or match.limits
            self._known[key] = match
        return self._known[key]


def induced(strings: Sequence[Children]) -> tuple[Expression, tuple[str, ...]]:
    """An expression for the children of elements, in which the records are a repeat; and limits."""
    shown = [children for children in strings if len(children.symbols) <= LONGEST_STRING]
    if not shown:
        shown = [strings[0].first(LONGEST_STRING)]
    induction = Induction(INDUCTION_BUDGET)
    expression = induction.run([children.symbols for children in shown], [children.items() for children in shown])
    whole = all(len(children.symbols) <= LONGEST_STRING for children in strings)
    return expression, induction.limits if whole else (*induction.limits, "cutting")


def run_cut(
    page: Page, parents: Int32Array, level: int, keys: npt.NDArray[np.uint64], roles: npt.NDArray[np.uint8]
) -> tuple[Int32Array, Int32Array, npt.NDArray[np.uint64], npt.NDArray[np.uint8], int]:
    """The kernel, on a page."""
    arrays = page.arrays
    return kernel.cut(
        page.tag, page.size, page.depth, page.text_start, page.attribute_start, arrays.attribute_name,
        arrays.value_start, arrays.values, CLASS, parents, level, keys, roles,
    )  # fmt: skip


NO_KEYS = np.zeros(2, dtype=np.uint64)
NO_ROLES = np.zeros(2, dtype=np.uint8)


class Example(NamedTuple):
    """The elements of a page whose children are records, and these."""

    page: Page
    parents: Int32Array
    spans: Int32Array


class Trial(NamedTuple):
    """The children of examples at one level, and the roles that would be given to their symbols."""

    level: int
    numbers: list[int]
    """The different symbols, as the kernel computes them."""
    roles: tuple[int, ...]
    """The role that each symbol has most often."""
    where: list[tuple[Page, int]]
    """A child for each symbol."""
    children: list[Children]

    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols spelled out."""
        return tuple(symbol_of(page, child, self.level) for page, child in self.where)


def agreed(examples: Sequence[Example]) -> tuple[list[Example], bool]:
    """The examples with their records cut in one way: the one of a single page that suits all of them best; and
    whether the ways of all pages were tried, or one that is right on all.

    Methods cut each page by itself, and may put what is between two records into a record on one page only.
    """
    if len(examples) == 1:
        return list(examples), True
    best: tuple[float, float, list[Int32Array]] | None = None
    for example in examples[:MOST_CUTTINGS]:
        cutting = learn_cutting([example])
        spans = [cutting.apply(page, parents, NO_KEYS).spans for page, parents, _ in examples]
        share = _share_right(spans, examples)
        worth = share - LEVEL_COST * (cutting.level + 2 * (cutting.expression is not None))
        if best is None or worth > best[0]:
            best = worth, share, spans
    assert best is not None
    _, share, cut = best
    return [
        example._replace(spans=spans) if len(spans) else example for example, spans in zip(examples, cut, strict=True)
    ], len(examples) <= MOST_CUTTINGS or share == 1.0


def sampled(example: Example) -> Example:
    """The example with some of its parents, evenly spread, if there are very many: what is learned is the same."""
    if len(example.parents) <= MOST_PARENTS:
        return example
    parents = example.parents[np.linspace(0, len(example.parents) - 1, MOST_PARENTS).astype(np.intp)]
    inside = np.isin(example.page.parent[example.spans[:, 0]], parents)
    return example._replace(parents=parents, spans=example.spans[inside])


def learn_cutting(examples: Sequence[Example]) -> Cutting:
    """How to cut children so that the records of the examples come out."""
    some = [sampled(example) for example in examples]
    cutting, right, complete = _best_cutting(some)
    if any(one is not other for one, other in zip(some, examples, strict=True)):
        spans = [cutting.apply(page, parents, NO_KEYS).spans for page, parents, _ in examples]
        complete = complete and _share_right(spans, examples) >= right
    return cutting if complete else replace(cutting, limits=(*cutting.limits, "cutting"))


def _best_cutting(examples: Sequence[Example]) -> tuple[Cutting, float, bool]:
    """How to cut children, the share of records that come out, and whether nothing better was left untried."""
    trials = []
    complete = True
    for level in range(BY_TEXT + 1):
        trial = _try(level, examples)
        if trial is None:
            complete = False
            break
        keys, places = table_of(trial.numbers)
        roles = np.zeros(len(keys), dtype=np.uint8)
        roles[places] = trial.roles
        spans = [run_cut(page, parents, level, keys, roles)[0] for page, parents, _ in examples]
        right = _share_right(spans, examples)
        if right == 1.0:
            return Cutting.by_roles(trial), right, True
        trials.append((right, trial))
    right, cutting = -1.0, Cutting(0, (), ())
    if trials:
        right, best = max(trials, key=lambda each: each[0])
        cutting = Cutting.by_roles(best)
    # By classes rather than by tags alone, which would tell records by counting.
    for _, trial in [*trials[BY_CLASS : BY_SHAPE + 1], *trials[:1]]:
        expressed = _by_expression(Cutting.by_roles(trial))
        spans = [expressed.apply(page, parents, NO_KEYS).spans for page, parents, _ in examples]
        share = _share_right(spans, examples)
        if share > right:
            right, cutting = share, expressed
        if right == 1.0:
            break
    return cutting, right, complete or right == 1.0


def _try(level: int, examples: Sequence[Example]) -> Trial | None:
    """What there is at a level; None if there are too many symbols to tell anything."""
    counts: dict[int, list[int]] = {}
    where: list[tuple[Page, int]] = []
    found = []
    for page, parents, spans in examples:
        _, children, symbols, _, _ = run_cut(page, parents, level, NO_KEYS, NO_ROLES)
        record = np.searchsorted(spans[:, 0], children, side="right") - 1
        inside = (record >= 0) & (children < spans[record, 1])
        roles = np.where(inside, INSIDE, OUTSIDE)
        roles[inside & (spans[record, 0] == children)] = HEAD
        listed, nodes = symbols.tolist(), children.tolist()
        for node, symbol, role in zip(nodes, listed, roles.tolist(), strict=True):
            own = counts.get(symbol)
            if own is None:
                own = counts[symbol] = [0, 0, 0]
                where.append((page, node))
            own[role] += 1
        if len(counts) > MOST_SYMBOLS:
            return None
        owners = page.parent[children]
        bounds = [0, *(np.flatnonzero(owners[1:] != owners[:-1]) + 1).tolist(), len(nodes)]
        found += [(listed[first:last], roles[first:last].tolist()) for first, last in pairwise(bounds)]
    order = {symbol: place for place, symbol in enumerate(counts)}
    return Trial(
        level,
        list(counts),
        tuple(max((HEAD, INSIDE, OUTSIDE), key=own.__getitem__) for own in counts.values()),
        where,
        [Children([order[symbol] for symbol in listed], roles) for listed, roles in found],
    )


def _share_right(cut: Sequence[Int32Array], examples: Sequence[Example]) -> float:
    """The share of records that come out as they are, less those that are none."""
    right = wrong = total = 0
    for spans, (_, _, meant) in zip(cut, examples, strict=True):
        if np.array_equal(spans, meant):
            right += len(meant)
        else:
            wanted, got = set(map(tuple, meant.tolist())), set(map(tuple, spans.tolist()))
            right += len(wanted & got)
            wrong += len(got - wanted)
        total += len(meant)
    return (right - wrong) / total if total else 0.0


def _by_expression(cutting: Cutting) -> Cutting:
    """Cut by an expression instead of roles."""
    expression, limits = induced(cutting.strings)
    matcher = Matcher(expression)
    reading = Reading(matcher)
    votes: dict[int, list[int]] = {}
    repeats: dict[int, int] = {}
    for children in cutting.strings:
        match = reading.match(children.symbols)  # it may have been too long to learn from
        heads = {place for place, role in enumerate(children.roles) if role == HEAD}
        for number in range(len(match.repeats)):
            starts = {first for first, _ in match.iterations(number)}
            repeats[number] = repeats.get(number, 0) + len(starts & heads) - len(starts - heads)
        for position, role in zip(match.positions, children.roles, strict=True):
            if position != SKIPPED:
                votes.setdefault(position, [0, 0, 0])[role] += 1
    size = len(matcher.automaton.symbols)
    roles = tuple(
        max((HEAD, INSIDE, OUTSIDE), key=votes[position].__getitem__) if position in votes else OUTSIDE
        for position in range(size)
    )
    best = max(repeats, key=repeats.__getitem__, default=0)
    limits = (*limits, *reading.limits)
    return Cutting(
        cutting.level, cutting.symbols, cutting.roles, expression, roles, best, cutting.strings, limits=limits
    )
