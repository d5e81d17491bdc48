"""Arrays of similar objects among decoded data, and strings put in place of others."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

LEAST_OBJECTS: int
"""Of an array that is a list."""
MOST_CONTAINERS: int
"""Objects and arrays that are walked."""

Array = TypeVar("Array")

def unwrapped(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The objects of a list without what wraps each of them, as the edges of GraphQL and the items of schema.org do.

    >>> unwrapped([{"position": 1, "item": {"name": "Tea"}}, {"position": 2, "item": {"name": "Milk"}}])
    [{'position': 1, 'name': 'Tea'}, {'position': 2, 'name': 'Milk'}]
    """

def are_similar(objects: list[dict[str, Any]], is_signed: Callable[[dict[str, Any]], bool]) -> bool:
    """Whether objects are those of one list: most of their keys are those that most of them have, and there are three
    of them, or two that are signed."""

class Walk(Generic[Array]):
    """Walks values, and keeps the arrays of similar objects that it meets, as `array_of` makes them: of a source, a
    path, a list of objects, and the array whose objects they stand in, or None. What it makes has these as `objects`,
    and is given `is_map` and `within`. Objects of the types `trails` are passed over."""

    found: list[Array]
    limits: list[str]
    """The budgets that were met so far."""

    def __init__(
        self,
        source: str,
        array_of: Callable[..., Array],
        is_signed: Callable[[dict[str, Any]], bool],
        trails: tuple[str, ...],
    ) -> None: ...
    def visit(self, root: Any, path: str = "") -> None:
        """Walk an object or array, in document order."""

    def kept(self, value: list[Any], path: str) -> Array | None:
        """Keep an array, if it is one of similar objects; None if it is none."""

    def arrays(self) -> list[Array]:
        """What was found, each list once however often it is there."""

def unfold(root: Any, folded: Callable[[str], Any], least: int, levels: int, most: int) -> None:
    """Put in place of strings that may be JSON, of `least` characters or more, what `folded` says that they stand for;
    None leaves them. In so many levels, and no more once so many objects and arrays are to be looked at."""

def put_in_place(values: list[Any], texts: dict[str, str], longest: int, left: int) -> None:
    """Put texts in place of the strings of at most so many characters that refer to them, in objects and arrays at any
    depth, as long as all of them together have no more than `left` characters."""
