"""Arrow tables and data frames: the types of Arrow follow those of the columns.
pyarrow, pandas and polars are optional; each is imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, TypeAlias

from fastwrap._core.output.arrow import Builder
from fastwrap.errors import FastwrapError
from fastwrap.output.table import Field, Table, in_columns, main_table
from fastwrap.output.values import plain_text

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from fastwrap.extraction import Extraction

Spec: TypeAlias = str | tuple[str, Any]
"""A type as `Builder` takes it."""

DIGITS, MOST_DIGITS = 18, 38  # of a decimal128: as many as leave room to calculate, and as many as it has

ALIASES = {
    "integer": "int64", "number": "float64", "percent": "float64", "rating": "float64", "boolean": "bool",
    "date": "date32", "time": "time64[us]",
}  # fmt: skip
"""What Arrow calls the types of columns; those that are not here are string, or need a closer look."""

FORMATS = {
    "integer": "l", "number": "g", "percent": "g", "rating": "g", "boolean": "b", "date": "tdD", "time": "ttu",
}  # fmt: skip
"""The same as the C data interface writes them."""


def to_arrow(extraction: Extraction) -> pyarrow.Table:
    """The main region as an Arrow table; without columns where nothing was found.

    | type | Arrow |
    |---|---|
    | text, url, image, email, phone | string |
    | integer | int64 |
    | number, percent, rating | float64 |
    | money | decimal128(18 or 38, as many decimals as needed), and a column "... currency", string |
    | date, time, datetime | date32, time64[us], timestamp[us] (in UTC if the times have zones) |
    | boolean | bool |
    | lists | list<type>, or list<struct> of several columns |

    Beside a column of numbers with a unit stands "... unit", unless its name says it; beside one with texts that do not
    read as its type, or say more than the value, "... text" with these. In lists, money is a struct of amount and
    currency. A column with a value that its Arrow type cannot hold is string. Type and unit of a column are kept in the
    field's metadata.

    >>> import fastwrap
    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> [str(field.type) for field in to_arrow(fastwrap.extract(page)).schema]
    ['string', 'decimal128(18, 2)', 'string']
    """
    return arrow_table(main_table(extraction))


def to_pandas(extraction: Extraction) -> pandas.DataFrame:
    """The main region as a pandas DataFrame, with the Arrow types of `to_arrow`: whole numbers stay whole."""
    library = require("pandas", "pandas")
    frame: pandas.DataFrame = to_arrow(extraction).to_pandas(types_mapper=library.ArrowDtype)
    return frame


def to_polars(extraction: Extraction) -> polars.DataFrame:
    """The main region as a polars DataFrame, with the types of `to_arrow`."""
    library = require("polars", "polars")
    frame: polars.DataFrame = library.from_arrow(to_arrow(extraction))
    return frame


def require(module: str, extra: str) -> Any:
    """An optional module; FastwrapError with what to install where it is missing.

    >>> require("no_such_module", "arrow")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: no_such_module is not installed: pip install 'fastwrap[arrow]'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = (error.name or module).partition(".")[0]
        raise FastwrapError(f"{missing} is not installed: pip install 'fastwrap[{extra}]'") from error


def arrow_table(table: Table) -> pyarrow.Table:
    """A table as an Arrow table."""
    arrow = require("pyarrow", "arrow")
    fields, arrays = [], []
    flat = in_columns(table)
    for place, field in enumerate(flat.fields):
        array = arrow_array(arrow, field, [row[place] for row in flat.rows])
        metadata = {"fastwrap.type": field.type} | ({"fastwrap.unit": field.unit} if field.unit else {})
        fields.append(arrow.field(field.name, array.type, metadata=metadata))
        arrays.append(array)
    return arrow.Table.from_arrays(arrays, schema=arrow.schema(fields))


def arrow_array(arrow: Any, field: Field, values: list[Any]) -> Any:
    """The values of a field; as texts if Arrow's type for them cannot hold one of them."""
    try:
        return built(arrow, spec_of(field, values), values)
    except (TypeError, ValueError, OverflowError):
        # What is no value of the type by itself may be made one by pyarrow.
        return converted(arrow, field, values)


def built(arrow: Any, spec: Spec, values: list[Any]) -> Any:
    """An array of a type that is made natively; TypeError, ValueError or OverflowError for values of another type."""
    builder = Builder(spec)
    builder.extend(values)
    return arrow.array(builder.finish())


def spec_of(field: Field, values: list[Any]) -> Spec:
    """The type of a field that has these values, as `Builder` takes it."""
    if not field.is_list:
        return decimal_spec(values) if field.type == "money" else scalar_spec(field.type, values)
    entries = [entry for value in values for entry in value or ()]
    if not field.fields:
        return "+l", scalar_spec(field.type, entries)
    inner = [(each.name, scalar_spec(each.type, [entry[each.name] for entry in entries])) for each in field.fields]
    return "+l", ("+s", inner)


def scalar_spec(name: str, values: list[Any]) -> Spec:
    """The type of the values of one type of columns."""
    if name == "datetime":
        return "tsu:UTC" if are_zoned(values) else "tsu:"
    if name == "money":
        amounts = decimal_spec([None if value is None else value.amount for value in values])
        return "+s", [("amount", amounts), ("currency", "u")]
    return FORMATS.get(name, "u")


def are_zoned(values: list[Any]) -> bool:
    """Whether times have zones; OverflowError if only some do, whom Arrow would take all for UTC."""
    zoned = {value.tzinfo is not None for value in values if value is not None}
    if len(zoned) == 2:
        raise OverflowError("times with and without zones")
    return zoned == {True}


def decimal_spec(amounts: list[Any]) -> Spec:
    """The type of decimal numbers, with as many decimals as one of them has."""
    precision, scale = digits_of(amounts)
    return f"d:{precision},{scale}"


def converted(arrow: Any, field: Field, values: list[Any]) -> Any:
    """The values of a field as pyarrow converts them; as texts if it cannot."""
    try:
        return arrow.array(values, arrow_type(arrow, field, values))
    except (arrow.ArrowInvalid, arrow.ArrowTypeError, OverflowError):
        if field.is_list:
            texts = [None if value is None else [text_or_none(each) for each in value] for value in values]
            return built(arrow, ("+l", "u"), texts)
        return built(arrow, "u", list(map(text_or_none, values)))


def text_or_none(value: Any) -> str | None:
    """A value as text; None for None."""
    return None if value is None else plain_text(value)


def arrow_type(arrow: Any, field: Field, values: list[Any]) -> Any:
    """The type of a field that has these values."""
    if not field.is_list:
        return decimal_type(arrow, values) if field.type == "money" else scalar_type(arrow, field.type, values)
    entries = [entry for value in values for entry in value or ()]
    if not field.fields:
        return arrow.list_(scalar_type(arrow, field.type, entries))
    inner = [
        (each.name, scalar_type(arrow, each.type, [entry[each.name] for entry in entries])) for each in field.fields
    ]
    return arrow.list_(arrow.struct(inner))


def scalar_type(arrow: Any, name: str, values: list[Any]) -> Any:
    """The Arrow type of a type of columns."""
    if name == "datetime":
        return arrow.timestamp("us", "UTC" if are_zoned(values) else None)
    if name == "money":
        amounts = decimal_type(arrow, [None if value is None else value.amount for value in values])
        return arrow.struct([("amount", amounts), ("currency", arrow.string())])
    return arrow.type_for_alias(ALIASES.get(name, "string"))


def decimal_type(arrow: Any, amounts: list[Any]) -> Any:
    """The same as a type of pyarrow."""
    return arrow.decimal128(*digits_of(amounts))


def digits_of(amounts: list[Any]) -> tuple[int, int]:
    """The digits of decimal numbers, and how many of them are decimals; OverflowError if they are too many."""
    scale = whole = 0
    for amount in amounts:
        if amount is not None:
            _, digits, exponent = amount.as_tuple()
            scale, whole = max(scale, -exponent), max(whole, len(digits) + exponent)
    if scale + whole > MOST_DIGITS:
        raise OverflowError("too many digits")
    return DIGITS if scale + whole <= DIGITS else MOST_DIGITS, scale
