"""Properties that are computed once for each object, in plain Python. The twin of `fastwrap._core.common.lazy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy_property(Generic[T]):  # noqa: N801 - used as `property` is
    """Computes a property once for each object. Two threads that ask for it at once may both compute it; both have what
    the first has found.

    >>> class Circle:
    ...     @lazy_property
    ...     def area(self) -> float:
    ...         print("computed")
    ...         return 3.14
    >>> circle = Circle()
    >>> circle.area, circle.area
    computed
    (3.14, 3.14)
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> lazy_property[T] | T:
        if instance is None:
            return self
        # From now on the object's own attribute is found before this one.
        value: T = instance.__dict__.setdefault(self._name, self._compute(instance))
        return value
