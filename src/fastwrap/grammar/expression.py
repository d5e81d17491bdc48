"""Expressions over symbols: sequence, alternative, optional, repeat; and their text, such as `(3 5? (7|8))+ 2`.
Depth and size are bounded where a node is made, so that whatever walks an expression may recurse."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

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
            raise ValueError(f"an expression has at most {MAX_DEPTH} levels and {MAX_SIZE:,} nodes")
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
        raise ValueError("an alternative has at least one part")
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


def parse_expression(text: str) -> Expression:
    """Read what `str(expression)` writes; ValueError if the text is no expression, or too long or too deep.

    Symbols are whole numbers; after a part, `?` means optional, `+` one or more times, `*` zero or more times.

    >>> str(parse_expression("( 3 5? (7 | 8) )+ 2"))
    '(3 5? (7|8))+ 2'
    >>> parse_expression("3 | ")
    Traceback (most recent call last):
        ...
    ValueError: not an expression: nothing on one side of | at character 4
    """
    if len(text) > MAX_TEXT:
        raise ValueError(f"the text of an expression has at most {MAX_TEXT:,} characters")
    # For each open parenthesis the branches before the last |, and the parts after it.
    branches: list[Expression] = []
    parts: list[Expression] = []
    open_groups: list[tuple[list[Expression], list[Expression]]] = []

    def refuse(why: str, where: int) -> ValueError:
        return ValueError(f"not an expression: {why} at character {where}")

    def close(where: int) -> Expression:
        if not branches:
            return sequence(*parts)
        if not parts:
            raise refuse("nothing on one side of |", where)
        return alternative(*branches, sequence(*parts))

    for token in _TOKEN.finditer(text):
        number, mark = token.groups()
        where = token.end() - 1
        if number is not None:
            if len(number.lstrip("-")) > MAX_DIGITS:
                raise refuse(f"a number of more than {MAX_DIGITS} digits", where)
            parts.append(Symbol(int(number)))
        elif mark == "(":
            if len(open_groups) >= MAX_DEPTH:
                raise refuse(f"more than {MAX_DEPTH} open parentheses", where)
            open_groups.append((branches, parts))
            branches, parts = [], []
        elif mark == ")":
            if not open_groups:
                raise refuse("a parenthesis that was not opened", where)
            group = close(where)
            branches, parts = open_groups.pop()
            parts.append(group)
        elif mark == "|":
            if not parts:
                raise refuse("nothing on one side of |", where)
            branches.append(sequence(*parts))
            parts = []
        elif mark in ("?", "+", "*"):
            if not parts:
                raise refuse(f"nothing before {mark}", where)
            part = parts[-1] if mark == "?" else repeat(parts[-1])
            parts[-1] = part if mark == "+" else optional(part)
        elif mark is not None:
            raise refuse(f"{mark!r}", where)
    if open_groups:
        raise refuse("a parenthesis that is not closed", len(text))
    if not parts and not branches:
        raise refuse("nothing", len(text))
    return close(len(text))
