"""Properties that are computed when they are first asked for, and then kept."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")

class lazy_property(Generic[T]):  # noqa: N801 - used as `property` is
    """Computes a property once for each object. Two threads that ask for it at once may both compute it; both have what
    the first has found."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        """`compute` makes the value of an object, which must have a `__dict__`."""

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
