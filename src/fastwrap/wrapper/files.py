"""Wrappers as files: readable, versioned JSON, described in `fastwrap/schema/wrapper.schema.json`.
What is read is checked in full before anything is made of it; nothing in a file is ever executed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from fastwrap import columns
from fastwrap.errors import FastwrapError
from fastwrap.grammar import Matcher, parse_expression
from fastwrap.types import TYPES
from fastwrap.wrapper.cutting import ROLES, Cutting
from fastwrap.wrapper.symbols import Symbol
from fastwrap.wrapper.hashes import BY_CLASS, BY_SHAPE, BY_TEXT
from fastwrap.wrapper.location import LONGEST_PATH, Location, Step
from fastwrap.wrapper.pattern import MOST_PATHS, Pattern
from fastwrap.wrapper.profile import LONGEST_SAMPLE, SAMPLES, Profile

FORMAT = "fastwrap wrapper"
VERSION = 1

LEVELS = ("tag", "class", "shape", "text")

MAX_CHARACTERS = 50_000_000
MAX_LISTS = 1_000
MAX_LIMITS = 100
MAX_COLUMNS = 100_000
MAX_CHILDREN = 10_000
MAX_NAME = 1_000
MAX_TEXT = 200_000
MAX_COUNT = 10**9

Made = TypeVar("Made")


def write(patterns: Iterable[Pattern], url: str | None, pages: int, limits: Sequence[str] = ()) -> str:
    """The file of a wrapper. One entry a line where entries are short, so that versions can be compared."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "url": url,
        "pages": pages,
        **({"limits": list(limits)} if limits else {}),
        "lists": [_list(pattern) for pattern in patterns],
    }
    return _lines(data) + "\n"


def _list(pattern: Pattern) -> dict[str, Any]:
    cutting = pattern.cutting
    expression = cutting.written
    if cutting.expression is None and expression is not None and len(expression) > MAX_TEXT:
        expression = None  # it would only be there to be read
    return {
        "confidence": round(pattern.confidence, 6),
        "records": pattern.records,
        "several": pattern.several,
        "path": [
            {"tag": step.tag}
            | ({"class": list(step.tokens)} if step.tokens else {})
            | ({"nth": step.nth} if step.nth else {})
            for step in pattern.location.path
        ],
        "level": LEVELS[cutting.level],
        "children": [
            _child(symbol, role, cutting.level) for symbol, role in zip(cutting.symbols, cutting.roles, strict=True)
        ],
        "expression": expression,
        "expression_roles": None if cutting.expression is None else [ROLES[role] for role in cutting.position_roles],
        "expression_repeat": cutting.repeat,
        "tag_paths": list(pattern.paths),
        "columns": [_column(profile) for profile in pattern.profiles],
        "template": pattern.template.to_json(),
    }


def _child(symbol: Symbol, role: int, level: int) -> dict[str, Any]:
    found: dict[str, Any] = {"tag": symbol.tag}
    if level >= BY_CLASS:
        found["class"] = list(symbol.tokens)
    if level >= BY_SHAPE:
        found["shape"] = symbol.shape
    if level >= BY_TEXT:
        found["text"] = symbol.has_text
    return found | {"role": ROLES[role]}


def _column(profile: Profile) -> dict[str, Any]:
    return {
        "id": profile.id,
        "filled": profile.filled,
        "type": profile.type,
        "length": profile.length,
        "length_spread": profile.length_spread,
        "digits": profile.digits,
        "digit_spread": profile.digit_spread,
        "samples": list(profile.samples),
    }


def _lines(value: Any, indent: str = "") -> str:
    """JSON that is easy to read: what fits into a line is one."""
    short = json.dumps(value, ensure_ascii=False)
    if len(short) + len(indent) <= 120 or not isinstance(value, (dict, list)):
        return short
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(key, ensure_ascii=False)}: {_lines(part, inner)}" for key, part in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + _lines(part, inner) for part in value) + f"\n{indent}]"


def read(text: str | bytes) -> tuple[tuple[Pattern, ...], str | None, int, tuple[str, ...]]:
    """The lists, the address, the number of pages and the limits of a wrapper's file; FastwrapError for other files."""
    if len(text) > MAX_CHARACTERS:
        raise FastwrapError(f"not a wrapper: the file has more than {MAX_CHARACTERS:,} characters")
    try:
        data = json.loads(text, parse_constant=_no_number)
        json.dumps(data, ensure_ascii=False).encode()  # JSON may have half a character, which no output can have
    except (ValueError, RecursionError) as error:
        raise FastwrapError(f"not a wrapper, or a truncated one: {str(error)[:200]}") from None
    try:
        return _wrapper(data)
    except ValueError as error:
        raise FastwrapError(f"not a wrapper: {str(error)[:300]}") from None


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _wrapper(data: Any) -> tuple[tuple[Pattern, ...], str | None, int, tuple[str, ...]]:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"it does not say that its format is {FORMAT!r}")
    version = data.get("version")
    if type(version) is not int or version < 1:
        raise ValueError("it has no version")
    if version > VERSION:
        raise ValueError(
            f"it has version {str(version)[:20]}, and this fastwrap reads versions up to {VERSION}: upgrade fastwrap"
        )
    _keys(data, "the wrapper", "format version url pages lists", "limits")
    url = None if data["url"] is None else _text(data["url"], "the url", MAX_TEXT)
    pages = _whole(data["pages"], 1, MAX_COUNT, "the number of pages")
    limits = tuple(_each(data.get("limits", []), _text, "the limits", MAX_LIMITS))
    return tuple(_each(data["lists"], _pattern, "the lists", MAX_LISTS)), url, pages, limits


def _pattern(data: Any, what: str) -> Pattern:
    _keys(
        data,
        what,
        "confidence records several path level children expression expression_roles expression_repeat tag_paths "
        "columns template",
    )
    try:
        template = columns.Template.from_json(data["template"])
    except ValueError as error:
        raise ValueError(f"the template of {what}: {error}") from None
    profiles = tuple(_each(data["columns"], _profile, f"the columns of {what}", MAX_COLUMNS))
    if len(profiles) != template.width:
        raise ValueError(f"{what} has {len(profiles)} columns, and its template {template.width}")
    path = tuple(_each(data["path"], _step, f"the path of {what}", LONGEST_PATH))
    if not path:
        raise ValueError(f"{what} has no path")
    return Pattern.with_profiles(
        profiles,
        location=Location(path),
        cutting=_cutting(data, what),
        paths=tuple(
            _each(
                data["tag_paths"],
                lambda path, name: _text(path, name, MAX_TEXT),
                f"the tag paths of {what}",
                MOST_PATHS,
            )
        ),
        template=template,
        records=_whole(data["records"], 1, MAX_COUNT, f"the records of {what}"),
        several=_truth(data["several"], f"'several' of {what}"),
        confidence=_share(data["confidence"], f"the confidence of {what}"),
    )


def _step(data: Any, what: str) -> Step:
    _keys(data, what, "tag", "class nth")
    return Step(
        _text(data["tag"], f"the tag of {what}"),
        tuple(_tokens(data.get("class", []), what)),
        _whole(data.get("nth", 0), -MAX_COUNT, MAX_COUNT, f"the place of {what}"),
    )


def _cutting(data: dict[str, Any], what: str) -> Cutting:
    if data["level"] not in LEVELS:
        raise ValueError(f"the level of {what} is not one of {', '.join(LEVELS)}")
    level = LEVELS.index(data["level"])

    def child(entry: Any, name: str) -> tuple[Symbol, int]:
        _keys(entry, name, " ".join(("tag", "role", *LEVELS[1 : level + 1])))
        symbol = Symbol(
            _text(entry["tag"], f"the tag of {name}"),
            tuple(_tokens(entry.get("class", []), name)),
            _text(entry.get("shape", ""), f"the shape of {name}", MAX_TEXT, least=0),
            _truth(entry.get("text", False), f"the text of {name}"),
        )
        return symbol, _role(entry["role"], name)

    children = list(_each(data["children"], child, f"the children of {what}", MAX_CHILDREN))
    symbols, roles = tuple(symbol for symbol, _ in children), tuple(role for _, role in children)
    if len({symbol.hash(level) for symbol in symbols}) != len(symbols):
        raise ValueError(f"{what} has the same child twice")
    if data["expression_roles"] is None:
        if data["expression"] is not None:
            parse_expression(_text(data["expression"], f"the expression of {what}", MAX_TEXT))
        return Cutting(level, symbols, roles, written_as=data["expression"])
    expression = parse_expression(_text(data["expression"], f"the expression of {what}", MAX_TEXT))
    automaton = Matcher(expression).automaton
    position_roles = tuple(_each(data["expression_roles"], _role, f"the expression of {what}", MAX_TEXT))
    if len(position_roles) != len(automaton.symbols):
        raise ValueError(f"the expression of {what} has {len(automaton.symbols)} symbols, not {len(position_roles)}")
    if not automaton.repeats:
        raise ValueError(f"the expression of {what} repeats nothing")
    repeat = _whole(data["expression_repeat"], 0, len(automaton.repeats) - 1, f"the repeat of {what}")
    return Cutting(level, symbols, roles, expression, position_roles, repeat)


def _profile(data: Any, what: str) -> Profile:
    _keys(data, what, "id filled type length length_spread digits digit_spread samples")
    if data["type"] not in TYPES:
        raise ValueError(f"the type of {what} is not one of {', '.join(TYPES)}")
    length, length_spread, digits, digit_spread = (
        _number(data[key], 0.0, 64.0, f"{key!r} of {what}")
        for key in ("length", "length_spread", "digits", "digit_spread")
    )
    samples = _each(
        data["samples"], lambda text, name: _text(text, name, LONGEST_SAMPLE, 0), f"the samples of {what}", SAMPLES
    )
    return Profile(
        _whole(data["id"], 0, MAX_COUNT, f"the id of {what}"),
        _share(data["filled"], f"'filled' of {what}"),
        data["type"],
        length,
        length_spread,
        digits,
        digit_spread,
        tuple(samples),
    )


def _each(data: Any, make: Callable[[Any, str], Made], what: str, most: int) -> list[Made]:
    """What is made of each entry of a list."""
    if not isinstance(data, list):
        raise ValueError(f"{what}: not a list")
    if len(data) > most:
        raise ValueError(f"{what}: more than {most:,}")
    return [make(entry, f"entry {number} of {what}") for number, entry in enumerate(data)]


def _keys(data: Any, what: str, needed: str, also: str = "") -> None:
    if not isinstance(data, dict):
        raise ValueError(f"{what} is not an object")
    missing = [key for key in needed.split() if key not in data]
    unknown = [key for key in data if key not in needed.split() and key not in also.split()]
    if missing or unknown:
        raise ValueError(f"{what} lacks {missing[:5]}, and has {[key[:40] for key in unknown[:5]]} too many")


def _tokens(data: Any, what: str) -> list[str]:
    return _each(data, lambda token, name: _text(token, name), f"the class of {what}", MAX_NAME)


def _text(data: Any, what: str, most: int = MAX_NAME, least: int = 1) -> str:
    if not isinstance(data, str) or not least <= len(data) <= most:
        raise ValueError(f"{what} is not a text of {least} to {most:,} characters")
    return data


def _whole(data: Any, least: int, most: int, what: str) -> int:
    if type(data) is not int or not least <= data <= most:
        raise ValueError(f"{what} is not a whole number from {least:,} to {most:,}")
    return data


def _number(data: Any, least: float, most: float, what: str) -> float:
    if type(data) not in (int, float) or not math.isfinite(data) or not least <= data <= most:
        raise ValueError(f"{what} is not a number from {least} to {most}")
    return float(data)


def _share(data: Any, what: str) -> float:
    return _number(data, 0.0, 1.0, what)


def _truth(data: Any, what: str) -> bool:
    if not isinstance(data, bool):
        raise ValueError(f"{what} is neither true nor false")
    return data


def _role(data: Any, what: str) -> int:
    if data not in ROLES:
        raise ValueError(f"the role of {what} is not one of {', '.join(ROLES)}")
    return ROLES.index(data)
