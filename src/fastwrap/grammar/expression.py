"""Expressions over symbols: sequence, alternative, optional, repeat; and their text, such as `(3 5? (7|8))+ 2`.
Depth and size are bounded where a node is made, so that whatever walks an expression may recurse."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from fastwrap.errors import FastwrapError

MAX_DEPTH = 128
MAX_SIZE = 250_000
"""Nodes; one that is used twice counts twice."""

MAX_TEXT = 1_000_000
MAX_DIGITS = 18
"""Of a symbol, so that it fits into 64 bits."""


@dataclass(frozen=True, slots=True)
class Expression:
    """What the five kinds of node have in common. `str(expression)` is the text.

    Nodes are made by `Symbol(number)`, `sequence`, `alternative`, `optional` and `repeat`, which keep to one form:
    a sequence is no part of a sequence, an optional part is not optional again.
    """

    depth: int = field(init=False, repr=False, compare=False)
    size: int = field(init=False, repr=False, compare=False)
    nullable: bool = field(init=False, repr=False, compare=False)
    """Whether the empty string matches."""

    def __post_init__(self) -> None:
        parts: tuple[Expression, ...] = ()
        match self:
            case Sequence(parts=parts):
                nullable = all(part.nullable for part in parts)
            case Alternative(parts=parts):
                nullable = any(part.nullable for part in parts)
            case Optional(part=part) | Repeat(part=part):
                parts, nullable = (part,), isinstance(self, Optional) or part.nullable
            case _:
                nullable = False
        depth = 1 + max((part.depth for part in parts), default=0)
        size = 1 + sum(part.size for part in parts)
        if depth > MAX_DEPTH or size > MAX_SIZE:
            raise FastwrapError(f"an expression has at most {MAX_DEPTH} levels and {MAX_SIZE:,} nodes")
        object.__setattr__(self, "depth", depth)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "nullable", nullable)

    def __str__(self) -> str:
        return _write(self)


@dataclass(frozen=True, slots=True)
class Symbol(Expression):
    """One symbol."""

    number: int


@dataclass(frozen=True, slots=True)
class Sequence(Expression):
    """Parts one after the other; with no parts, the empty string."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Alternative(Expression):
    """One of the parts; the first that matches is preferred."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Optional(Expression):
    """The part or nothing; the part is preferred."""

    part: Expression


@dataclass(frozen=True, slots=True)
class Repeat(Expression):
    """The part one or more times, as often as possible. Zero or more times is an optional repeat."""

    part: Expression


EMPTY = Sequence(())


def sequence(*parts: Expression) -> Expression:
    """Parts one after the other.

    >>> str(sequence(Symbol(1), sequence(Symbol(2), Symbol(3))))
    '1 2 3'
    """
    flat: list[Expression] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Sequence) else (part,))
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def alternative(*parts: Expression) -> Expression:
    """One of the parts.

    >>> str(alternative(Symbol(1), alternative(Symbol(2), optional(Symbol(3)))))
    '(1|2|3)?'
    """
    flat: list[Expression] = []
    may_be_empty = False
    for part in parts:
        if isinstance(part, Optional):
            may_be_empty, part = True, part.part
        if part == EMPTY:
            may_be_empty = True
        else:
            flat.extend(part.parts if isinstance(part, Alternative) else (part,))
    if not flat:
        if may_be_empty:
            return EMPTY
        raise FastwrapError("an alternative has at least one part")
    one_of = flat[0] if len(flat) == 1 else Alternative(tuple(flat))
    return optional(one_of) if may_be_empty else one_of


def optional(part: Expression) -> Expression:
    """The part or nothing.

    >>> str(optional(repeat(Symbol(1))))
    '1*'
    """
    return part if part.nullable else Optional(part)


def repeat(part: Expression) -> Expression:
    """The part one or more times.

    >>> str(repeat(optional(Symbol(1))))
    '1*'
    """
    if isinstance(part, Optional):
        return optional(repeat(part.part))
    return part if isinstance(part, Repeat) or part == EMPTY else Repeat(part)


def _write(expression: Expression) -> str:
    match expression:
        case Symbol(number=number):
            return str(number)
        case Sequence(parts=()):
            return "()"
        case Sequence(parts=parts):
            return " ".join(_write_atom(part) if isinstance(part, Alternative) else _write(part) for part in parts)
        case Alternative(parts=parts):
            return "|".join(_write(part) for part in parts)
        case Optional(part=Repeat(part=part)):
            return _write_atom(part) + "*"
        case Optional(part=part):
            return _write_atom(part) + "?"
        case Repeat(part=part):
            return _write_atom(part) + "+"
    raise TypeError(f"{type(expression).__name__} is no kind of expression")


def _write_atom(expression: Expression) -> str:
    text = _write(expression)
    return text if isinstance(expression, Symbol) or expression == EMPTY else f"({text})"


_TOKEN = re.compile(r"\s*(?:(-?[0-9]+)|(\S)|$)")


class _Group:
    """A part of a text: what stands in parentheses, or a symbol, with the marks after it.

    Expressions are made of the whole text at the end. A sequence in a sequence is one sequence, and so are a hundred:
    it is put together once, not once for each of them, and the same is true of alternatives.
    """

    __slots__ = ("branches", "nullable", "optional", "repeated")

    def __init__(self, branches: list[list[_Part]]) -> None:
        filled = [[part for part in parts if not _is_empty(part)] for parts in branches]
        self.branches = [parts for parts in filled if parts] or [[]]
        self.nullable: bool = any(all(part.nullable for part in parts) for parts in self.branches)
        self.repeated = self.optional = False
        if not all(filled):
            self.mark("?")

    def mark(self, mark: str) -> None:
        """Add a mark, unless it changes nothing."""
        if not _is_empty(self):
            self.repeated = self.repeated or mark != "?"
            self.optional = self.optional or (mark != "+" and not self.nullable)
            self.nullable = self.nullable or self.optional

    def expression(self) -> Expression:
        """What it stands for."""
        if len(self.branches) == 1:
            made = _sequence_of(self.branches[0])
        else:
            flat: list[Expression] = []
            may_be_empty = _add_branches(self.branches, flat)
            made = optional(Alternative(tuple(flat))) if may_be_empty else Alternative(tuple(flat))
        made = repeat(made) if self.repeated else made
        return optional(made) if self.optional else made


_Part: TypeAlias = Symbol | _Group


def _is_empty(part: _Part) -> bool:
    return isinstance(part, _Group) and part.branches == [[]]


def _sequence_of(parts: list[_Part]) -> Expression:
    flat: list[Expression] = []
    _add_parts(parts, flat)
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def _add_parts(parts: list[_Part], flat: list[Expression]) -> None:
    """Add parts to those of a sequence; of a sequence in it, its parts."""
    for part in parts:
        if isinstance(part, Symbol):
            flat.append(part)
        elif part.optional or part.repeated or len(part.branches) > 1:
            flat.append(part.expression())
        else:
            _add_parts(part.branches[0], flat)


def _add_branches(branches: list[list[_Part]], flat: list[Expression]) -> bool:
    """Add branches to those of an alternative; of an alternative in it, its branches. Whether one may be left out."""
    may_be_empty = False
    for parts in branches:
        group = parts[0] if len(parts) == 1 else None
        if isinstance(group, _Group) and not group.repeated:
            may_be_empty |= _add_branches(group.branches, flat) | group.optional
            continue
        made = _sequence_of(parts)
        may_be_empty |= isinstance(made, Optional)
        flat.append(made.part if isinstance(made, Optional) else made)
    return may_be_empty


def parse_expression(text: str) -> Expression:
    """Read what `str(expression)` writes; FastwrapError if the text is no expression, or too long or too deep.

    Symbols are whole numbers; after a part, `?` means optional, `+` one or more times, `*` zero or more times.

    >>> str(parse_expression("( 3 5? (7 | 8) )+ 2"))
    '(3 5? (7|8))+ 2'
    >>> parse_expression("3 | ")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: not an expression: nothing on one side of | at character 4
    """
    if len(text) > MAX_TEXT:
        raise FastwrapError(f"the text of an expression has at most {MAX_TEXT:,} characters")
    symbols: dict[str, Symbol] = {}
    # For each open parenthesis the branches up to here, the last of which goes on.
    branches: list[list[_Part]] = [[]]
    open_groups: list[list[list[_Part]]] = []

    def refuse(why: str, where: int) -> FastwrapError:
        return FastwrapError(f"not an expression: {why} at character {where}")

    for token in _TOKEN.finditer(text):
        number, mark = token.groups()
        where = token.end() - 1
        parts = branches[-1]
        if number is not None:
            if number not in symbols:
                if len(number.lstrip("-")) > MAX_DIGITS:
                    raise refuse(f"a number of more than {MAX_DIGITS} digits", where)
                symbols[number] = Symbol(int(number))
            parts.append(symbols[number])
        elif mark == "(":
            if len(open_groups) >= MAX_DEPTH:
                raise refuse(f"more than {MAX_DEPTH} open parentheses", where)
            open_groups.append(branches)
            branches = [[]]
        elif mark == ")":
            if not open_groups:
                raise refuse("a parenthesis that was not opened", where)
            if len(branches) > 1 and not parts:
                raise refuse("nothing on one side of |", where)
            group = _Group(branches)
            branches = open_groups.pop()
            branches[-1].append(group)
        elif mark == "|":
            if not parts:
                raise refuse("nothing on one side of |", where)
            branches.append([])
        elif mark in ("?", "+", "*"):
            if not parts:
                raise refuse(f"nothing before {mark}", where)
            last = parts[-1]
            marked = last if isinstance(last, _Group) else _Group([[last]])
            marked.mark(mark)
            parts[-1] = marked
        elif mark is not None:
            raise refuse(f"{mark!r}", where)
    if open_groups:
        raise refuse("a parenthesis that is not closed", len(text))
    if not branches[-1]:
        raise refuse("nothing on one side of |" if len(branches) > 1 else "nothing", len(text))
    return _Group(branches).expression()
