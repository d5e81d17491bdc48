"""Reads and writes wrapper files: readable, versioned JSON, whose format is in `fastwrap.wrapper.format`.
What is read is checked in full before anything is made of it; nothing in a file is ever executed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, cast, get_args

import msgspec
from msgspec import UNSET

from fastwrap import columns
from fastwrap.errors import FastwrapError
from fastwrap.grammar import Automaton, parse_expression
from fastwrap.template import DetailTemplate
from fastwrap.wrapper import format as entries
from fastwrap.wrapper.cutting import Cutting
from fastwrap.wrapper.format import FORMAT, VERSION, Level, Role
from fastwrap.wrapper.hashes import BY_CLASS, BY_SHAPE, BY_TEXT
from fastwrap.wrapper.location import Location
from fastwrap.wrapper.pattern import Pattern
from fastwrap.wrapper.symbols import Symbol

MAX_CHARACTERS = 10_000_000
"""Of a file: thirty times what the lists of a large page take."""

MAX_EXPRESSIONS = 500_000
"""Characters of all expressions of a file, ..."""

LONGEST_SHOWN = 20_000
"""... and of one that is only there for people to read."""

MAX_PLACES = 20_000_000
"""Slots times kinds of items of a list, which has a table of so many entries."""

LEVELS: tuple[Level, ...] = get_args(Level)
"""By number, as in `fastwrap.wrapper.hashes`."""

ROLES: tuple[Role, ...] = get_args(Role)


class Header(msgspec.Struct):
    """What tells whether a file is a wrapper that can be read."""

    format: Any = None
    version: Any = None


def write(
    patterns: Iterable[Pattern],
    url: str | None,
    pages: int,
    limits: Sequence[str] = (),
    detail: DetailTemplate | None = None,
) -> str:
    """The file of a wrapper; FastwrapError if it could not be read again."""
    lists, met = tuple(_list_entry(pattern) for pattern in patterns), tuple(limits)
    # A template writes itself, in the shape of the struct.
    record = UNSET if detail is None else cast(entries.Detail, detail.to_json())
    file = entries.WrapperFile(
        format=FORMAT, version=VERSION, url=url, pages=pages, limits=met, lists=lists, detail=record
    )
    text = entries.readable(msgspec.to_builtins(file)) + "\n"
    try:
        if len(text) > MAX_CHARACTERS:
            text = msgspec.json.encode(file).decode()  # without the white space, which nobody would read
        read(text)
    except (FastwrapError, UnicodeError) as error:
        raise FastwrapError(f"the wrapper cannot be written: what would be in its file is {error}") from None
    return text


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a file; FastwrapError if there is none, or more than a wrapper may have."""
    # A pipe that nobody writes to is empty, rather than waited for.
    at_once: int = getattr(os, "O_NONBLOCK", 0)
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | at_once)) as file:
            if at_once:
                os.set_blocking(file.fileno(), True)
            # A character takes up to four bytes; a device may have any number of them.
            return file.read(4 * MAX_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        raise FastwrapError(f"the wrapper cannot be read: {error}") from None


def _list_entry(pattern: Pattern) -> entries.RecordList:
    cutting, expression = pattern.cutting, pattern.cutting.written
    if cutting.expression is None and expression is not None and len(expression) > LONGEST_SHOWN:
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


def read(text: str | bytes) -> tuple[tuple[Pattern, ...], str | None, int, tuple[str, ...], DetailTemplate | None]:
    """The lists, the address, the number of pages, the limits and the record of a wrapper's file; FastwrapError for
    other files."""
    # Before anything is made of it; a character takes up to four bytes.
    if len(text) > (4 * MAX_CHARACTERS if isinstance(text, bytes) else MAX_CHARACTERS):
        raise FastwrapError(f"not a wrapper: the file has more than {MAX_CHARACTERS:,} characters")
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        _check_header(text)
        file = msgspec.json.decode(text, type=entries.WrapperFile)
        if sum(len(entry.expression or "") for entry in file.lists) > MAX_EXPRESSIONS:
            raise _refuse(f"the expressions have more than {MAX_EXPRESSIONS:,} characters", "$.lists")
        patterns = tuple(_pattern(entry, f"$.lists[{number}]") for number, entry in enumerate(file.lists))
        detail = None if file.detail is UNSET else _detail(file.detail)
    except msgspec.ValidationError as error:
        raise FastwrapError(f"not a wrapper: {str(error)[:300]}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise FastwrapError(f"not a wrapper, or a truncated one: {str(error)[:200]}") from None
    return patterns, file.url, file.pages, file.limits, detail


def _detail(entry: entries.Detail) -> DetailTemplate:
    try:
        return DetailTemplate.from_json(msgspec.to_builtins(entry))
    except ValueError as error:
        raise _refuse(str(error), "$.detail") from None


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
    width = sum(1 if item.rule is UNSET else _width(item.rule) for item in entry.template.items)
    if entry.template.choice is not UNSET:
        if width > entries.MAX_COLUMNS:
            raise _refuse(f"the items have {width} columns: expected up to {entries.MAX_COLUMNS}", f"{where}.template")
        width = len(entry.template.choice)
    width += entry.template.heading is not None
    if len(entry.columns) != width:
        why = f"there are {len(entry.columns)} columns, and the template has {width}"
        raise _refuse(why, f"{where}.columns")
    template_data = msgspec.to_builtins(entry.template)
    template_data["slots"] = [list(slot) for slot in entry.template.slots]
    try:
        template = columns.Template.from_json(template_data)
    except ValueError as error:
        raise _refuse(str(error), f"{where}.template") from None
    if template.tree.shape[1] * len(template.kinds) > MAX_PLACES:
        raise _refuse("there are too many slots for so many kinds of items", f"{where}.template")
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


def _width(rule: entries.Rule) -> int:
    """How many columns a rule makes."""
    return sum(map(_width, rule.parts)) if rule.parts else 1


def _cutting(entry: entries.RecordList, where: str) -> Cutting:
    level = LEVELS.index(entry.level)
    symbols = tuple(_symbol(child, level, f"{where}.children[{number}]") for number, child in enumerate(entry.children))
    roles = tuple(ROLES.index(child.role) for child in entry.children)
    cutting = Cutting(level, symbols, roles, **_expression(entry, where))
    if len(set(cutting.hashes)) != len(symbols):
        raise _refuse("the same child is there twice", f"{where}.children")
    return cutting


def _expression(entry: entries.RecordList, where: str) -> dict[str, Any]:
    """The fields of a cutting that are about its expression."""
    if entry.expression is None:
        if entry.expression_roles is not None:
            raise _refuse("there are roles, but no expression", f"{where}.expression_roles")
        return {}
    try:
        expression = parse_expression(entry.expression)
    except ValueError as error:
        raise _refuse(str(error), f"{where}.expression") from None
    if entry.expression_roles is None:
        return {"written_as": entry.expression}
    automaton = Automaton.of(expression)
    if len(entry.expression_roles) != len(automaton.symbols):
        why = f"the expression has {len(automaton.symbols)} symbols, and there are {len(entry.expression_roles)} roles"
        raise _refuse(why, f"{where}.expression_roles")
    if entry.expression_repeat >= len(automaton.repeats):
        raise _refuse(f"the expression has {len(automaton.repeats)} repeats", f"{where}.expression_repeat")
    position_roles = tuple(ROLES.index(role) for role in entry.expression_roles)
    return {"expression": expression, "position_roles": position_roles, "repeat": entry.expression_repeat}


def _symbol(child: entries.Child, level: int, where: str) -> Symbol:
    """The symbol of a child, which must have the fields of the level, and no others."""
    fields = (child.tokens, child.shape, child.text)
    if [field is not UNSET for field in fields] != [number <= level for number in (BY_CLASS, BY_SHAPE, BY_TEXT)]:
        wanted = ", ".join(("tag", *LEVELS[1 : level + 1], "role"))
        raise _refuse(f"a child of the level {LEVELS[level]!r} has {wanted}", where)
    return Symbol(child.tag, child.tokens or (), child.shape or "", child.text or False)
