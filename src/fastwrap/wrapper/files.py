"""Reads and writes wrapper files: readable, versioned JSON, whose format is in `fastwrap.wrapper.format`.
What is read is checked in full before anything is made of it; nothing in a file is ever executed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast, get_args

import msgspec
from msgspec import UNSET

from fastwrap import columns
from fastwrap.errors import FastwrapError
from fastwrap.grammar import Automaton, parse_expression
from fastwrap.wrapper import format as entries
from fastwrap.wrapper.cutting import Cutting
from fastwrap.wrapper.format import FORMAT, MAX_TEXT, VERSION, Level, Role
from fastwrap.wrapper.hashes import BY_CLASS, BY_SHAPE, BY_TEXT
from fastwrap.wrapper.location import Location
from fastwrap.wrapper.pattern import Pattern
from fastwrap.wrapper.symbols import Symbol

MAX_CHARACTERS = 50_000_000

LEVELS: tuple[Level, ...] = get_args(Level)
"""By number, as in `fastwrap.wrapper.hashes`."""

ROLES: tuple[Role, ...] = get_args(Role)


class Header(msgspec.Struct):
    """What tells whether a file is a wrapper that can be read."""

    format: Any = None
    version: Any = None


def write(patterns: Iterable[Pattern], url: str | None, pages: int, limits: Sequence[str] = ()) -> str:
    """The file of a wrapper."""
    lists, met = tuple(_list_entry(pattern) for pattern in patterns), tuple(limits)
    file = entries.WrapperFile(format=FORMAT, version=VERSION, url=url, pages=pages, limits=met, lists=lists)
    return entries.readable(msgspec.to_builtins(file)) + "\n"


def _list_entry(pattern: Pattern) -> entries.RecordList:
    cutting, expression = pattern.cutting, pattern.cutting.written
    if cutting.expression is None and expression is not None and len(expression) > MAX_TEXT:
        expression = None  # it would only be there for people to read
    return entries.RecordList(
        confidence=round(pattern.confidence, 6),
        records=pattern.records,
        several=pattern.several,
        path=pattern.location.path,
        level=LEVELS[cutting.level],
        children=tuple(
            _child_entry(symbol, role, cutting.level)
            for symbol, role in zip(cutting.symbols, cutting.roles, strict=True)
        ),
        expression=expression,
        expression_roles=None if cutting.expression is None else tuple(ROLES[role] for role in cutting.position_roles),
        expression_repeat=cutting.repeat,
        tag_paths=pattern.paths,
        columns=pattern.profiles,
        # A template writes itself, in the shape of the struct.
        template=cast(entries.Template, pattern.template.to_json()),
    )


def _child_entry(symbol: Symbol, role: int, level: int) -> entries.Child:
    return entries.Child(
        tag=symbol.tag,
        tokens=symbol.tokens if level >= BY_CLASS else UNSET,
        shape=symbol.shape if level >= BY_SHAPE else UNSET,
        text=symbol.has_text if level >= BY_TEXT else UNSET,
        role=ROLES[role],
    )


def read(text: str | bytes) -> tuple[tuple[Pattern, ...], str | None, int, tuple[str, ...]]:
    """The lists, the address, the number of pages and the limits of a wrapper's file; FastwrapError for other files."""
    if len(text) > MAX_CHARACTERS:
        raise FastwrapError(f"not a wrapper: the file has more than {MAX_CHARACTERS:,} characters")
    try:
        text = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        _check_header(text)
        file = msgspec.json.decode(text, type=entries.WrapperFile)
        patterns = tuple(_pattern(entry, f"$.lists[{number}]") for number, entry in enumerate(file.lists))
    except msgspec.ValidationError as error:
        raise FastwrapError(f"not a wrapper: {str(error)[:300]}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise FastwrapError(f"not a wrapper, or a truncated one: {str(error)[:200]}") from None
    return patterns, file.url, file.pages, file.limits


def _refuse(what: str, where: str) -> msgspec.ValidationError:
    """An error in the form of those of msgspec."""
    return msgspec.ValidationError(f"{what} - at `{where}`")


def _check_header(text: str) -> None:
    """Refuse other files and later versions first, whatever is in them."""
    try:
        header = msgspec.json.decode(text, type=Header)
    except msgspec.ValidationError as error:
        raise msgspec.ValidationError(f"{error}: expected an object whose format is {FORMAT!r}") from None
    if header.format != FORMAT:
        raise _refuse(f"expected {FORMAT!r}", "$.format")
    if type(header.version) is not int or header.version < 1:
        raise _refuse("it has no version", "$.version")
    if header.version > VERSION:
        why = f"it has version {header.version}, and this fastwrap reads versions up to {VERSION}: upgrade fastwrap"
        raise _refuse(why, "$.version")


def _pattern(entry: entries.RecordList, where: str) -> Pattern:
    template_data = msgspec.to_builtins(entry.template)
    template_data["slots"] = [list(slot) for slot in entry.template.slots]
    try:
        template = columns.Template.from_json(template_data)
    except ValueError as error:
        raise _refuse(str(error), f"{where}.template") from None
    if len(entry.columns) != template.width:
        why = f"there are {len(entry.columns)} columns, and the template has {template.width}"
        raise _refuse(why, f"{where}.columns")
    return Pattern.with_profiles(
        entry.columns,
        location=Location(entry.path),
        cutting=_cutting(entry, where),
        paths=entry.tag_paths,
        learned=template,
        records=entry.records,
        several=entry.several,
        confidence=entry.confidence,
    )


def _cutting(entry: entries.RecordList, where: str) -> Cutting:
    level = LEVELS.index(entry.level)
    symbols = tuple(_symbol(child, level, f"{where}.children[{number}]") for number, child in enumerate(entry.children))
    roles = tuple(ROLES.index(child.role) for child in entry.children)
    if len({symbol.hash(level) for symbol in symbols}) != len(symbols):
        raise _refuse("the same child is there twice", f"{where}.children")
    if entry.expression is None:
        if entry.expression_roles is not None:
            raise _refuse("there are roles, but no expression", f"{where}.expression_roles")
        return Cutting(level, symbols, roles)
    try:
        expression = parse_expression(entry.expression)
    except ValueError as error:
        raise _refuse(str(error), f"{where}.expression") from None
    if entry.expression_roles is None:
        return Cutting(level, symbols, roles, written_as=entry.expression)
    automaton = Automaton.of(expression)
    if len(entry.expression_roles) != len(automaton.symbols):
        why = f"the expression has {len(automaton.symbols)} symbols, and there are {len(entry.expression_roles)} roles"
        raise _refuse(why, f"{where}.expression_roles")
    if entry.expression_repeat >= len(automaton.repeats):
        raise _refuse(f"the expression has {len(automaton.repeats)} repeats", f"{where}.expression_repeat")
    position_roles = tuple(ROLES.index(role) for role in entry.expression_roles)
    return Cutting(level, symbols, roles, expression, position_roles, entry.expression_repeat)


def _symbol(child: entries.Child, level: int, where: str) -> Symbol:
    """The symbol of a child, which must have the fields of the level, and no others."""
    fields = (child.tokens, child.shape, child.text)
    if [field is not UNSET for field in fields] != [number <= level for number in (BY_CLASS, BY_SHAPE, BY_TEXT)]:
        wanted = ", ".join(("tag", *LEVELS[1 : level + 1], "role"))
        raise _refuse(f"a child of the level {LEVELS[level]!r} has {wanted}", where)
    return Symbol(child.tag, child.tokens or (), child.shape or "", child.text or False)
