"""Arrays of similar objects: the lists among the data of a page, in whatever notation they are written.
Found by walking all objects and arrays once; what wraps the objects of a list is taken off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fastwrap.limits import union
from fastwrap.page import Page
from fastwrap.structured import jsonld, scripts
from fastwrap.structured.posts import is_signed
from fastwrap.structured.things import JSON_LD, Thing

LEAST_OBJECTS = 3
"""Of an array that is a list."""
LEAST_POSTS = 2
"""Of one whose objects are signed and dated, as the posts of a thread are."""
LIKE = 0.6
"""Of the keys of its objects that most of them have, at least."""
SAMPLE = 40
"""Objects that are looked at to tell whether they are similar."""
MOST_SECTIONS = 50
"""Objects of an array that may each hold a list, or a part of one: a longer array is a list itself."""
MOST_CONTAINERS = 100_000
"""Objects and arrays that are walked."""
NEAR = 3
"""Objects around an array that may say what its list is called."""
DEEPEST = 60
"""Levels of objects and arrays that are walked."""
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


def is_most(part: int, whole: int) -> bool:
    """Whether so many are nearly all."""
    return part * 5 >= whole * 4


def unwrapped(objects: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The objects of a list without what wraps each of them, as the edges of GraphQL and the items of schema.org do.

    >>> unwrapped([{"position": 1, "item": {"name": "Tea"}}, {"position": 2, "item": {"name": "Milk"}}])
    [{'position': 1, 'name': 'Tea'}, {'position': 2, 'name': 'Milk'}]
    """
    found = list(objects)
    for _ in range(3):
        sample = found[:SAMPLE]
        if max(map(len, sample), default=0) > 5:
            break
        inner = Counter(key for each in sample for key, value in each.items() if isinstance(value, dict) and value)
        if not inner:
            break
        key, count = inner.most_common(1)[0]
        scalars = sum(isinstance(value, (str, int, float)) for each in sample for value in each.values())
        within = sum(len(value) for each in sample if isinstance(value := each.get(key), dict))
        if not is_most(count, len(sample)) or scalars > max(within, 2 * len(sample)) or (scalars and len(inner) > 1):
            break
        found = [without(each, key) for each in found]
    return found


def without(wrapped: dict[str, Any], key: str) -> dict[str, Any]:
    """The object within another, with what only the other has."""
    inner = wrapped.get(key)
    if not isinstance(inner, dict):
        return wrapped
    return {name: value for name, value in wrapped.items() if name != key and name not in inner} | inner


def are_similar(objects: Sequence[dict[str, Any]]) -> bool:
    """Whether objects are those of one list: most of their keys are those that most of them have.

    >>> are_similar([{"id": 1, "name": "Tea"}, {"id": 2, "name": "Milk"}, {"id": 3, "name": "Egg", "old": True}])
    True
    >>> are_similar([{"a": 1}, {"b": 2}, {"c": 3}])
    False
    """
    sample = objects[:SAMPLE]
    count = Counter(key for each in sample for key in each)
    common = [number for number in count.values() if number * 2 >= len(sample)]
    return is_long(objects) and len(common) >= 2 and sum(common) >= LIKE * sum(count.values())


def is_long(objects: Sequence[dict[str, Any]]) -> bool:
    """Whether objects are so many that they may be a list.

    >>> is_long([{"id": 1}, {"id": 2}]), is_long([{"by": "Ann", "time": 1725578108}, {"by": "Ben", "time": 1725578208}])
    (False, True)
    """
    return len(objects) >= LEAST_OBJECTS or (len(objects) >= LEAST_POSTS and all(map(is_signed, objects)))


def is_map(value: dict[str, Any]) -> bool:
    """Whether an object is a list of objects by their numbers or names, as stores of programs have them."""
    if len(value) < LEAST_OBJECTS or not isinstance(next(iter(value.values())), dict):
        return False
    inner = [each for each in value.values() if isinstance(each, dict)]
    if not is_most(len(inner), len(value)):
        return False
    named = sum(any(letter.isdigit() for letter in key) for key in value)
    return is_most(named, len(value)) and are_similar(inner)


def signature_of(objects: Sequence[dict[str, Any]]) -> Any:
    """What tells lists apart: their length, and the scalars of the first and the last object."""
    ends = (objects[0], objects[-1])
    said = [(key, value) for each in ends for key, value in each.items() if isinstance(value, (str, int, float))]
    return len(objects), tuple(objects[0]), tuple(said)


class Walk:
    """Walks values, and keeps the arrays of similar objects that it meets."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.left = MOST_CONTAINERS
        self.found: list[ObjectArray] = []
        self.limits: list[str] = []
        self._parts: dict[tuple[int, str], ObjectArray] = {}
        """By the array around them and their path: arrays that are parts of one list, as those of sections are."""

    def visit(self, root: Any, path: str = "") -> None:
        """Walk an object or array, in document order."""
        waiting: list[tuple[Any, str, int, ObjectArray | None, tuple[dict[str, Any], ...]]] = [
            (root, path, 0, None, ())
        ]
        while waiting:
            value, path, depth, around, within = waiting.pop()
            self.left -= 1
            if self.left < 0:
                self.limits.append("structured.json")
                return
            if depth > DEEPEST:
                self.limits.append("structured.depth")
                continue
            if isinstance(value, dict):
                if "@type" in value and jsonld.kind_of(value) in TRAILS:
                    continue
                if not is_map(value):
                    within = (value, *within[: NEAR - 1])
                    waiting += [
                        (entry, f"{path}.{key}" if path else key, depth + 1, around, within)
                        for key, entry in reversed(value.items())
                        if entry and isinstance(entry, (dict, list))
                    ]
                    continue
            objects = value if isinstance(value, list) else list(value.values())
            kept = self.kept(objects, path, around) if dict in map(type, objects) else None
            if kept is not None:
                kept.is_map, kept.within = isinstance(value, dict), within
                if len(kept.objects) > MOST_SECTIONS:
                    continue
                around, objects = kept, kept.objects
            waiting += [
                (entry, path, depth + 1, around, within)
                for entry in reversed(objects)
                if entry and isinstance(entry, (dict, list))
            ]

    def kept(self, value: list[Any], path: str, around: ObjectArray | None) -> ObjectArray | None:
        """The array of similar objects that an array is, which is kept; None if it is none, or joins another."""
        objects = [entry for entry in value if isinstance(entry, dict)]
        is_part = around is not None and len(objects) < len(around.objects)
        if not objects or not is_most(len(objects), len(value)) or not (is_part or is_long(objects)):
            return None
        objects = unwrapped(objects)
        if is_part and (known := self._parts.get((id(around), path))) is not None:
            known.objects += objects
            return None
        if not is_part and not are_similar(objects):
            return None
        found = ObjectArray(self.source, path, objects, around=around)
        if is_part:
            self._parts[id(around), path] = found
        self.found.append(found)
        return None if is_part else found

    def arrays(self) -> list[ObjectArray]:
        """What was found, each list once however often it is there."""
        seen: set[Any] = set()
        arrays = []
        for array in self.found:
            if are_similar(array.objects):
                signature = signature_of(array.objects)
                if signature not in seen:
                    seen.add(signature)
                    arrays.append(array)
        return arrays


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
    state, data, own = Walk(STATE), Walk(JSON_LD), Walk(ATTRIBUTE)
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
            data.kept(group, kind, None)
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
        if len(group) >= LEAST_OBJECTS and name not in TRAILS and name != "ListItem":
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
