"""Arrays of similar objects: the lists among the data of a page, in whatever notation they are written.
All objects and arrays are walked once; what wraps the objects of a list is taken off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fastwrap._core.structured import walking
from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.structured import jsonld, scripts
from fastwrap.structured.posts import is_signed
from fastwrap.structured.things import JSON_LD, Thing

SAMPLE = 40
"""Objects that are looked at to tell what type they are of."""
NEAR = 3
"""Objects around an array that are kept, which may say what its list is called."""
STATE, ATTRIBUTE = "state", "attribute"
TRAILS = frozenset(jsonld.TRAILS)


@dataclass(slots=True)
class ObjectArray:
    """An array of similar objects."""

    source: str
    """The notation: "json-ld", "microdata", "rdfa", "state" or "attribute"."""
    path: str
    """Where it stands: names of keys, joined by dots, or the type of its things."""
    objects: list[dict[str, Any]]
    """In order. Values are those of JSON."""
    around: ObjectArray | None = None
    """The array whose objects it stands in, if any."""
    is_map: bool = False
    """Whether it is an object that has the others by their numbers, as stores of programs are."""
    nodes: list[int] = field(default_factory=list)
    """Of each object the element of the page that it is written in; none if they stand in scripts."""
    within: tuple[dict[str, Any], ...] = ()
    """The objects around it, the nearest first, as many as `NEAR`."""


def walk(source: str) -> walking.Walk[ObjectArray]:
    """What walks values of a notation, and keeps the arrays of similar objects that it meets."""
    return walking.Walk(source, ObjectArray, is_signed, jsonld.TRAILS)


def are_similar(objects: list[dict[str, Any]]) -> bool:
    """Whether objects are those of one list: most of their keys are those that most of them have. Two are enough if
    they are signed and dated, as the posts of a thread are.

    >>> are_similar([{"id": 1, "name": "Tea"}, {"id": 2, "name": "Milk"}, {"id": 3, "name": "Egg", "old": True}])
    True
    >>> are_similar([{"a": 1}, {"b": 2}, {"c": 3}])
    False
    >>> are_similar([{"by": "Ann", "time": 1725578108}, {"by": "Ben", "time": 1725578208}])
    True
    """
    return walking.are_similar(objects, is_signed)


class Arrays(NamedTuple):
    """The arrays of a page."""

    arrays: list[ObjectArray]
    limits: tuple[str, ...]


def find_arrays(page: Page, things: Sequence[Thing]) -> Arrays:
    """All arrays of similar objects in the data of a page: in its scripts, in attributes, and of its things.

    >>> teas = ", ".join(f'{{"id": {k}, name: "Tea {k}"}}' for k in range(4))
    >>> page = Page(f"<script>let teas = [{teas}];</script>")
    >>> [(array.source, len(array.objects)) for array in find_arrays(page, []).arrays]
    [('state', 4)]
    """
    state, data, own = walk(STATE), walk(JSON_LD), walk(ATTRIBUTE)
    roots: list[Any] = []
    for value in scripts.state(page):
        if jsonld.is_linked_data(value):
            roots += [
                root for root in (value if isinstance(value, list) else [value]) if isinstance(root, (dict, list))
            ]
        else:
            state.visit(value)
    for root in roots:
        data.visit(root)
    for kind, group in grouped(roots, jsonld.kind_of).items():
        if kind and kind not in TRAILS:
            data.kept(group, kind)
    named: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for node, name, value in scripts.attributes(page):
        if isinstance(value, dict):
            named.setdefault(name, []).append((node, value))
        if isinstance(value, (dict, list)):
            own.visit(value, name)
    found = [*data.arrays(), *state.arrays(), *own.arrays()]
    for array in data.found:
        array.path = kind_of_most(array.objects) or array.path
    for name, pairs in named.items():
        objects = [value for _, value in pairs]
        if are_similar(objects):
            found.append(ObjectArray(ATTRIBUTE, name, objects, nodes=[node for node, _ in pairs]))
    found += arrays_of_things(things)
    return Arrays(found, union(scripts.scripts_of(page).limits, state.limits, data.limits, own.limits))


def kind_of_most(objects: Sequence[dict[str, Any]]) -> str:
    """The type that most objects have; nothing where they have none."""
    (kind, count), *_ = Counter(map(jsonld.kind_of, objects[:SAMPLE])).most_common(1)
    return kind if count * 2 > len(objects[:SAMPLE]) else ""


def grouped(values: Iterable[Any], key: Callable[[Any], str]) -> dict[str, list[Any]]:
    """Values by what a function says of them, in order."""
    groups: dict[str, list[Any]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return groups


def arrays_of_things(things: Sequence[Thing]) -> list[ObjectArray]:
    """The things of microdata and RDFa that are several of a type, wherever they stand."""
    written = [thing for root in things if root.source != JSON_LD for thing in root.things()]
    found = []
    for kind, group in grouped(written, lambda thing: f"{thing.source} {' '.join(thing.types)}").items():
        source, _, name = kind.partition(" ")
        if len(group) >= walking.LEAST_OBJECTS and name not in TRAILS and name != "ListItem":
            objects = [object_of(thing) for thing in group]
            if are_similar(objects):
                found.append(ObjectArray(source, name, objects, nodes=[thing.node for thing in group]))
    return found


def object_of(thing: Thing, depth: int = 0) -> dict[str, Any]:
    """A thing as JSON has it."""
    found: dict[str, Any] = {}
    for name, values in thing.properties.items():
        plain = [
            (object_of(value, depth + 1) if depth < 5 else None) if isinstance(value, Thing) else value
            for value in values
        ]
        found[name] = plain[0] if len(plain) == 1 else plain
    return found
