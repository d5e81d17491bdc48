"""What is wanted of a page: names and types of columns, from a list, a dict or a type; and rows made as that.
Values are converted one by one, so that an error can say which record has what instead."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import msgspec

from fastwrap.errors import FastwrapError
from fastwrap.types import Money, type_column

Want: TypeAlias = Iterable[str] | Mapping[str, Any] | type
"""What a caller may want: names, names with types, or a class whose fields are both."""

Converter: TypeAlias = Callable[[Any, Any], Any]
"""Makes the value that is wanted of a typed value and the text that it was read from; None if they are none."""

MAX_NAME = 300
"""Characters of a name, as in the file of a wrapper."""

MAX_WISHES = 100
"""More than a table that people read has columns."""

NUMBERS = frozenset(("integer", "number", "money", "percent", "rating"))

COLUMN_TYPES: dict[Any, frozenset[str]] = {
    int: NUMBERS,
    float: NUMBERS,
    Decimal: NUMBERS,
    Money: frozenset(("money", "number", "integer")),
    date: frozenset(("date", "datetime")),
    datetime: frozenset(("datetime", "date")),
    time: frozenset(("time", "datetime")),
    bool: frozenset(("boolean",)),
}
"""By the type that is wanted, the types of columns whose values can be made that; any column can be made a str."""


class Wish(NamedTuple):
    """A column that is wanted."""

    name: str
    annotation: Any = Any
    """The type that its values shall have; Any for that of the column."""
    has_default: bool = False
    """Whether the class has something to put in its place."""
    alias: str = ""
    """What the class calls it where it reads data, if that is another name."""

    @property
    def needed(self) -> bool:
        """Whether there is nothing to put in its place: neither a default nor None."""
        return not self.has_default and not may_be_none(self.annotation)

    @property
    def types(self) -> frozenset[str]:
        """The types of columns that can be what is wanted; none if any can.

        >>> sorted(Wish("when", date | None).types), Wish("what", str).types
        (['date', 'datetime'], frozenset())
        """
        found = [COLUMN_TYPES.get(each, frozenset()) for each in plain_types(self.annotation)]
        return frozenset().union(*found) if all(found) else frozenset()

    @property
    def is_list(self) -> bool:
        """Whether several values of each record are wanted."""
        return any(is_sequence(typing.get_origin(each) or each) for each in alternatives(self.annotation))


def made_as_dict(_: Any, values: dict[str, Any]) -> Any:
    """A row that is a dict."""
    return values


def made_by_call(target: Any, values: dict[str, Any]) -> Any:
    """A row that is made by calling its class: a dataclass, a NamedTuple, a TypedDict."""
    return target(**values)


def made_by_msgspec(target: Any, values: dict[str, Any]) -> Any:
    """A row that is a Struct, its constraints checked."""
    return msgspec.convert(values, target, strict=False, dec_hook=lambda _, value: value)


def made_by_pydantic(target: Any, values: dict[str, Any]) -> Any:
    """A row that is a model, its constraints checked."""
    return target.model_validate(values)


@dataclass(frozen=True)
class Wanted:
    """All that is wanted of each record, and how a row is made of it."""

    wishes: tuple[Wish, ...]
    target: Any = None
    """The class of the rows; None for dicts."""
    maker: Callable[[Any, dict[str, Any]], Any] = made_as_dict
    """Makes a row of the class and the values that there are."""

    def __reduce__(self) -> tuple[Any, ...]:
        # By what was wanted: some annotations cannot be pickled, while their class can.
        plain = {wish.name: wish.annotation for wish in self.wishes}
        return wanted_of, (plain if self.target is None else self.target,)

    @property
    def strict(self) -> bool:
        """Whether what is needed must be there; else it is None."""
        return self.target is not None

    def rows(self, columns: Sequence[tuple[Sequence[Any], Sequence[Any]] | None], count: int) -> list[Any]:
        """The rows, given for each wish the values and the texts of its column, None if there is none.

        >>> wanted = wanted_of({"title": str, "price": float})
        >>> wanted.rows([(["Pan"], ["Pan"]), ([Money(Decimal("24.90"), "EUR")], ["24,90 €"])], 1)
        [{'title': 'Pan', 'price': 24.9}]
        """
        rows: list[dict[str, Any]] = [{} for _ in range(count)]
        for wish, column in zip(self.wishes, columns, strict=True):
            if column is None:
                continue
            convert = converter_of(wish.annotation)
            for number, (value, text) in enumerate(zip(*column, strict=True)):
                converted = convert(value, text)
                if converted is not None:
                    rows[number][wish.name] = converted
                elif self.strict and wish.needed:
                    raise FastwrapError(f"record {number + 1} has {what_there_is(text)}: {advice(wish)}")
        nothing = {
            wish.alias or wish.name: None
            for wish in self.wishes
            if not wish.has_default and (may_be_none(wish.annotation) or not self.strict)
        }
        called = {wish.name: wish.alias or wish.name for wish in self.wishes}
        made = []
        for number, row in enumerate(rows):
            try:
                made.append(self.maker(self.target, nothing | {called[name]: row[name] for name in row}))
            except ValueError as error:  # of msgspec and of pydantic, which say what is wrong with the values
                raise FastwrapError(f"record {number + 1} is not what is wanted: {error}") from None
        return made


def what_there_is(text: Any) -> str:
    """For people: what a record has in the place of a value."""
    return "nothing there" if text is None else f"{str(text)[:60]!r} there"


def advice(wish: Wish) -> str:
    """For people: what is wanted, and how to do without."""
    called = name_of_type(wish.annotation)
    return f"{wish.name} is wanted as {called}; give it a default, or want {called} | None"


def name_of_type(annotation: Any) -> str:
    """A type as it is written.

    >>> name_of_type(Money), name_of_type(list[str]), name_of_type(int | None)
    ('Money', 'list[str]', 'int | None')
    """
    is_plain = isinstance(annotation, type) and not typing.get_args(annotation)
    return annotation.__name__ if is_plain else str(annotation).removeprefix("typing.")


def wanted_of(want: Want) -> Wanted:
    """What is wanted, from names, names with types, or a class: a dataclass, a TypedDict, a NamedTuple, a msgspec
    Struct, or a pydantic model.

    >>> [wish.name for wish in wanted_of(["title", "price"]).wishes]
    ['title', 'price']
    """
    if isinstance(want, type):
        wanted = wanted_of_class(want)
    elif isinstance(want, Mapping):
        wanted = Wanted(tuple(Wish(name, annotation) for name, annotation in want.items()))
    elif isinstance(want, (str, bytes)) or not isinstance(want, Iterable):
        raise TypeError(f"want is a list of names, a dict of names and types, or a class, not {type(want).__name__}")
    else:
        wanted = Wanted(tuple(Wish(name) for name in want))
    names = [wish.name for wish in wanted.wishes]
    if wrong := [name for name in names if not isinstance(name, str)]:
        raise TypeError(f"what is wanted is named by a str, not {type(wrong[0]).__name__}")
    if not names or not all(map(str.strip, names)):
        raise FastwrapError("want names no column" if not names else "want has an empty name")
    if max(map(len, names)) > MAX_NAME:
        raise FastwrapError(f"want has a name of {max(map(len, names)):,} characters, more than {MAX_NAME}")
    if len(set(names)) < len(names):
        raise FastwrapError(f"want has {next(name for name in names if names.count(name) > 1)!r} twice")
    if len(names) > MAX_WISHES:
        raise FastwrapError(f"want has {len(names):,} names, more than {MAX_WISHES}")
    for wish in wanted.wishes:
        if isinstance(wish.annotation, str) or not is_type(wish.annotation):
            raise FastwrapError(
                f"want has {wish.annotation!r} for {wish.name!r}: expected a type, such as str or Money"
            )
    return wanted


def is_type(annotation: Any) -> bool:
    """Whether something is a type, as annotations have it."""
    return annotation in (Any, None) or isinstance(annotation, type) or typing.get_origin(annotation) is not None


def wanted_of_class(want: type) -> Wanted:
    """Rows as instances of a class: what has no default must be there."""
    if hasattr(want, "model_validate") and hasattr(want, "model_fields"):  # pydantic, which need not be there
        return Wanted(tuple(pydantic_wishes(want)), want, made_by_pydantic)
    if issubclass(want, msgspec.Struct):
        fields = msgspec.structs.fields(want)
        aliases = {field.name: field.encode_name for field in fields if field.name != field.encode_name}
        wishes = [Wish(each.name, each.type, not each.required, aliases.get(each.name, "")) for each in fields]
        return Wanted(tuple(wishes), want, made_by_msgspec)
    try:
        hints = typing.get_type_hints(want, include_extras=True)
    except Exception as error:
        raise FastwrapError(f"the fields of {want.__name__} cannot be read: {error}") from None
    if typing.is_typeddict(want):
        # Not by its `__required_keys__`, which are wrong where annotations are strings.
        total = getattr(want, "__total__", True)
        wishes = [Wish(name, hint, not is_required(hint, total)) for name, hint in hints.items()]
    elif dataclasses.is_dataclass(want):
        wishes = [
            Wish(field.name, hints[field.name], has_default(field)) for field in dataclasses.fields(want) if field.init
        ]
    elif issubclass(want, tuple) and hasattr(want, "_fields"):
        defaults = getattr(want, "_field_defaults", {})
        wishes = [Wish(name, hints.get(name, Any), name in defaults) for name in want._fields]
    else:
        raise TypeError(
            f"want is {want.__name__}: expected names, a dict, or a class with fields (a dataclass, a TypedDict, a "
            "NamedTuple, a msgspec Struct, a pydantic model)"
        )
    return Wanted(tuple(wishes), want, made_by_call)


def has_default(field: dataclasses.Field[Any]) -> bool:
    """Whether a field of a dataclass has a default."""
    return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING


def pydantic_wishes(want: Any) -> Iterator[Wish]:
    """The fields of a pydantic model, which is known by its public attributes alone."""
    for name, field in want.model_fields.items():
        alias = field.validation_alias if isinstance(field.validation_alias, str) else field.alias
        yield Wish(name, field.annotation, not field.is_required(), alias if isinstance(alias, str) else "")


def is_required(hint: Any, total: bool) -> bool:
    """Whether a key of a TypedDict must be there."""
    origin = typing.get_origin(hint)
    return total if origin not in (typing.Required, typing.NotRequired) else origin is typing.Required


def may_be_none(annotation: Any) -> bool:
    """Whether None is as good as a value.

    >>> may_be_none(int | None), may_be_none(int), may_be_none(Any)
    (True, False, True)
    """
    return any(each in (None, type(None), Any, object) for each in alternatives(annotation))


# Types


def alternatives(annotation: Any) -> list[Any]:
    """The types that a value may have, of several or of one; what is written around them is left out."""
    origin = typing.get_origin(annotation)
    if origin in (typing.Annotated, typing.Required, typing.NotRequired):
        return alternatives(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        return [each for argument in typing.get_args(annotation) for each in alternatives(argument)]
    return [annotation]


def plain_types(annotation: Any) -> list[Any]:
    """The types of single values: those in lists, too."""
    found = []
    for each in alternatives(annotation):
        if each in (None, type(None)):
            continue
        if is_sequence(typing.get_origin(each)) and typing.get_args(each):
            found += plain_types(typing.get_args(each)[0])
        else:
            found.append(each)
    return found


def is_sequence(origin: Any) -> bool:
    """Whether a type is that of lists and their like."""
    if not isinstance(origin, type) or issubclass(origin, (str, bytes)) or hasattr(origin, "_fields"):
        return False
    return issubclass(origin, (list, tuple, set, frozenset)) or origin in (Sequence, Iterable)


def converter_of(annotation: Any) -> Converter:
    """What makes values of a type.

    >>> converter_of(int)(None, "12"), converter_of(str)(12, "12 pieces"), converter_of(list[str])("a", "a")
    (12, '12 pieces', ['a'])
    """
    choices = [one_converter(each) for each in alternatives(annotation) if each not in (None, type(None))]
    if len(choices) == 1:
        return choices[0]

    def first(value: Any, text: Any) -> Any:
        return next((made for convert in choices if (made := convert(value, text)) is not None), None)

    return first


def one_converter(annotation: Any) -> Converter:
    """What makes values of a type that is no choice between several."""
    origin = typing.get_origin(annotation) or annotation
    if annotation in (Any, object):
        return lambda value, text: text if value is None else value
    if origin is typing.Literal:
        return partial_match({str(each): each for each in typing.get_args(annotation)})
    if is_sequence(origin):
        arguments = typing.get_args(annotation)
        return list_converter(origin, converter_of(arguments[0] if arguments else Any))
    if isinstance(annotation, type):
        if annotation in PLAIN_CONVERTERS:
            return typed_converter(PLAIN_CONVERTERS[annotation])
        if annotation is str:
            return as_text
        if issubclass(annotation, Enum):
            return partial_match({str(label): each for each in annotation for label in (each.name, each.value)})
    try:
        is_known = not isinstance(msgspec.inspect.type_info(annotation), msgspec.inspect.CustomType)
    except TypeError:
        is_known = False
    if is_known:
        return lambda value, text: converted_by_msgspec(text if value is None else value, annotation)
    return lambda value, text: text if value is None else value  # what only a model of its own knows


def converted_by_msgspec(value: Any, annotation: Any) -> Any:
    """A value as any other type that msgspec knows."""
    try:
        return None if value is None else msgspec.convert(value, annotation, strict=False)
    except msgspec.ValidationError:
        return None


def as_text(value: Any, text: Any) -> str | None:
    """A text as it was read; of an address, the whole one; of a list, its texts."""
    if isinstance(value, str):
        return value
    if isinstance(text, list):
        return ", ".join(each for each in text if isinstance(each, str))
    return text if isinstance(text, str) else None


def partial_match(choices: dict[str, Any]) -> Converter:
    """Finds one of a few values by its text: as it is, else whatever its case."""
    folded = {label.casefold(): each for label, each in choices.items()}

    def match(value: Any, text: Any) -> Any:
        for each in (text, value):
            if each is not None and (label := str(each).strip().casefold()) in folded:
                return choices.get(str(each).strip(), folded[label])
        return None

    return match


def list_converter(origin: Any, convert: Converter) -> Converter:
    """Makes lists: of a single value, a list of one."""
    build = origin if origin in (list, tuple, set, frozenset) else list

    def listed(value: Any, text: Any) -> Any:
        if value is None and text is None:
            return None
        values = value if isinstance(value, list) else [value]
        texts = text if isinstance(text, list) else [text]
        if len(values) != len(texts):
            values = [None] * len(texts)
        made = (convert(*pair) for pair in zip(values, texts, strict=True))
        return build(each for each in made if each is not None)

    return listed


def typed_converter(make: Callable[[Any], Any]) -> Converter:
    """Makes values of a typed value, or else of what the text reads as by itself."""

    def typed(value: Any, text: Any) -> Any:
        if value is not None and (made := make(value)) is not None:
            return made
        return make(read_alone(text)) if isinstance(text, str) else None

    return typed


@lru_cache(maxsize=4096)
def read_alone(text: str) -> Any:
    """What a text reads as, without others of its column; the text if it is only that."""
    return type_column([text]).values[0]


def as_decimal(value: Any) -> Decimal | None:
    """A number or an amount of money, exactly."""
    if isinstance(value, Money):
        return value.amount
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            return Decimal(str(value))
        except InvalidOperation:
            return None
    return value if isinstance(value, Decimal) else None


def as_float(value: Any) -> float | None:
    """A number."""
    return None if (number := as_decimal(value)) is None else float(number)


def as_int(value: Any) -> int | None:
    """A whole number; None for others."""
    number = as_decimal(value)
    return int(number) if number is not None and number.is_finite() and number == int(number) else None


def as_money(value: Any) -> Money | None:
    """An amount of money, which may have no currency."""
    if isinstance(value, Money):
        return value
    return None if (amount := as_decimal(value)) is None else Money(amount, None)


def as_date(value: Any) -> date | None:
    """A day."""
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None


def as_datetime(value: Any) -> datetime | None:
    """A moment: of a day, its beginning."""
    if isinstance(value, datetime):
        return value
    return datetime.combine(value, time()) if isinstance(value, date) else None


def as_time(value: Any) -> time | None:
    """A time of day."""
    if isinstance(value, datetime):
        return value.timetz()
    return value if isinstance(value, time) else None


def as_bool(value: Any) -> bool | None:
    """Yes or no."""
    return value if isinstance(value, bool) else None


PLAIN_CONVERTERS: dict[type, Callable[[Any], Any]] = {
    int: as_int,
    float: as_float,
    Decimal: as_decimal,
    Money: as_money,
    date: as_date,
    datetime: as_datetime,
    time: as_time,
    bool: as_bool,
}
