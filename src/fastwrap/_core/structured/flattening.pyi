"""Similar objects as columns, one for each scalar that they have, however deep it stands."""

from collections.abc import Sequence
from typing import Any

class Member:
    """What objects have at one place."""

    values: list[Any]
    """For each object a str, int, float or bool, or a list of these; None where it has none."""

    def __init__(self, path: tuple[str, ...], values: list[Any], members: list[Member] | None = None) -> None: ...
    @property
    def path(self) -> tuple[str, ...]:
        """The keys down to it."""

    @property
    def members(self) -> list[Member]:
        """Of an array of objects in each object: what these have, each with a list of values for each object."""

    @property
    def key(self) -> str:
        """The last key."""

    @property
    def is_list(self) -> bool:
        """Whether objects have several values here."""

def scalar(value: Any) -> Any:
    """A value as it is shown: strings without character references and outer white space, None for nothing.

    >>> scalar(" Tea &amp; Milk "), scalar(""), scalar(0)
    ('Tea & Milk', None, 0)
    """

def flatten(objects: Sequence[Any], path: tuple[str, ...] = (), lists: bool = True) -> list[Member]:
    """The members of objects, in the order of their keys, the first 400; entries that are no objects have none. With
    `lists`, arrays of several entries as well.

    >>> members = flatten([{"a": 1, "b": {"c": ["x"]}}, {"b": {"c": ["y"]}, "d": [2, 3]}])
    >>> [(member.path, member.values) for member in members]
    [(('a',), [1, None]), (('b', 'c'), ['x', 'y']), (('d',), [None, [2, 3]])]
    """
