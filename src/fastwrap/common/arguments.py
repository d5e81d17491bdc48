"""Checks of what callers give: a wrong type is told at once, by a TypeError that names the argument.
What is of the right type and still makes no sense is a FastwrapError, raised where it is found."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex


def expect(value: object, types: type | tuple[type, ...], what: str) -> None:
    """Raise TypeError unless a value is of one of the types; `what` says which these are.

    >>> expect(3, (str, type(None)), "url is a str or None")
    Traceback (most recent call last):
        ...
    TypeError: url is a str or None, not int
    """
    if not isinstance(value, types):
        raise TypeError(f"{what}, not {type(value).__name__}")


def whole_number(value: SupportsIndex, what: str) -> int:
    """A whole number, of Python or of numpy, as an int.

    >>> whole_number(2.0, "a node")
    Traceback (most recent call last):
        ...
    TypeError: a node is a whole number, not float
    """
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {type(value).__name__}") from None


def like(default: Any, value: object, what: str) -> None:
    """Raise TypeError unless a value is of the kind of a default: a truth value, a whole number, or a number. A number
    may stand where there is none (None); what is none of these is not looked at.

    >>> like(0.5, 1, "threshold")
    >>> like(0.5, "1", "threshold")
    Traceback (most recent call last):
        ...
    TypeError: threshold is a number, not str
    """
    if isinstance(default, bool):
        expect(value, bool, f"{what} is True or False")
    elif isinstance(default, int):
        whole_number(value, what)  # type: ignore[arg-type]
    elif isinstance(default, float) or (default is None and value is not None):
        expect(value, (int, float), f"{what} is a number")
