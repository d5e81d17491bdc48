"""Arrow arrays that grow."""

from collections.abc import Iterable
from typing import Any, TypeAlias

Spec: TypeAlias = str | tuple[str, Any]
"""A type, by the format strings of Arrow's C data interface: "u" (string), "l" (int64), "g" (float64), "b" (bool),
"tdD" (date32), "ttu" (time64[us]), "tsu:" and "tsu:UTC" (timestamp[us]), "d:18,2" (decimal128); ("+l", type) for lists,
and ("+s", [(name, type), ...]) for structs."""

KINDS: dict[str, int]
"""The simple types, by their formats."""

class Built:
    """An array that is complete: `pyarrow.array`, `pyarrow.record_batch` (of a struct), `polars.Series` and others take
    it by the C data interface, once."""

    def __init__(self, schema: Any, array: Any) -> None: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

class Builder:
    """An array of Arrow that grows value by value, without an Arrow library."""

    def __init__(self, spec: Spec) -> None:
        """ValueError for a type that is not known."""

    def __len__(self) -> int: ...
    def append(self, value: Any) -> None:
        """Add a value: None for one that is not there; a str, an int, a float, a bool, a date, a time, a datetime, a
        Decimal; a list; of a struct a dict by names, or a tuple or list in order. TypeError, ValueError or
        OverflowError for what the type cannot hold; then nothing of it is added."""

    def extend(self, values: Iterable[Any]) -> None:
        """Add values, all or none."""

    def __arrow_c_schema__(self) -> Any: ...
    def finish(self) -> Built:
        """What has been added so far; the builder is empty then, and can be used again."""
