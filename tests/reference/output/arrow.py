"""Arrow arrays as pyarrow makes them of Python values. The twin of `fastwrap._core.output.arrow`."""

from __future__ import annotations

from typing import Any

import pyarrow

SIMPLE = {
    "u": pyarrow.string(), "l": pyarrow.int64(), "g": pyarrow.float64(), "b": pyarrow.bool_(), "tdD": pyarrow.date32(),
    "ttu": pyarrow.time64("us"), "tsu:": pyarrow.timestamp("us"), "tsu:UTC": pyarrow.timestamp("us", "UTC"),
}  # fmt: skip


def type_of(spec: Any) -> pyarrow.DataType:
    """The type that a format stands for."""
    if isinstance(spec, str):
        return pyarrow.decimal128(*map(int, spec[2:].split(","))) if spec[:2] == "d:" else SIMPLE[spec]
    kind, inner = spec
    if kind == "+l":
        return pyarrow.list_(type_of(inner))
    return pyarrow.struct([(name, type_of(child)) for name, child in inner])


def array(spec: Any, values: list[Any]) -> pyarrow.Array:
    """The values as an array."""
    return pyarrow.array(values, type_of(spec))
