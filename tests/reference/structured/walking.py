"""Arrays of similar objects among decoded data, in plain Python: all objects and arrays are walked once.
The twin of `fastwrap._core.structured.walking`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fastwrap.structured.arrays import ObjectArray
from fastwrap.structured.jsonld import TRAILS, kind_of

LEAST_OBJECTS, LEAST_POSTS, LIKE, SAMPLE, MOST_SECTIONS = 3, 2, 0.6, 40, 50
MOST_CONTAINERS, NEAR, DEEPEST = 100_000, 3, 60

Signed = Callable[[dict[str, Any]], bool]


def is_most(part: int, whole: int) -> bool:
    """Whether so many are nearly all."""
    return part * 5 >= whole * 4


def unwrapped(objects: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The objects of a list without what wraps each of them, as the edges of GraphQL and the items of schema.org do."""
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


def are_similar(objects: Sequence[dict[str, Any]], is_signed: Signed) -> bool:
    """Whether objects are those of one list: most of their keys are those that most of them have."""
    sample = objects[:SAMPLE]
    count = Counter(key for each in sample for key in each)
    common = [number for number in count.values() if number * 2 >= len(sample)]
    return is_long(objects, is_signed) and len(common) >= 2 and sum(common) >= LIKE * sum(count.values())


def is_long(objects: Sequence[dict[str, Any]], is_signed: Signed) -> bool:
    """Whether objects are so many that they may be a list."""
    return len(objects) >= LEAST_OBJECTS or (len(objects) >= LEAST_POSTS and all(map(is_signed, objects)))


def is_map(value: dict[str, Any], is_signed: Signed) -> bool:
    """Whether an object is a list of objects by their numbers or names, as stores of programs have them."""
    if len(value) < LEAST_OBJECTS or not isinstance(next(iter(value.values())), dict):
        return False
    inner = [each for each in value.values() if isinstance(each, dict)]
    if not is_most(len(inner), len(value)):
        return False
    named = sum(any(letter.isdigit() for letter in key) for key in value)
    return is_most(named, len(value)) and are_similar(inner, is_signed)


def signature_of(objects: Sequence[dict[str, Any]]) -> Any:
    """What tells lists apart: their length, and the scalars of the first and the last object."""
    ends = (objects[0], objects[-1])
    said = [(key, value) for each in ends for key, value in each.items() if isinstance(value, (str, int, float))]
    return len(objects), tuple(objects[0]), tuple(said)


class Walk:
    """Walks values, and keeps the arrays of similar objects that it meets."""

    def __init__(self, source: str, is_signed: Signed) -> None:
        self.source, self.is_signed = source, is_signed
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
                if "@type" in value and kind_of(value) in TRAILS:
                    continue
                if not is_map(value, self.is_signed):
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

    def kept(self, value: list[Any], path: str, around: ObjectArray | None = None) -> ObjectArray | None:
        """The array of similar objects that an array is, which is kept; None if it is none, or joins another."""
        objects = [entry for entry in value if isinstance(entry, dict)]
        is_part = around is not None and len(objects) < len(around.objects)
        if not objects or not is_most(len(objects), len(value)) or not (is_part or is_long(objects, self.is_signed)):
            return None
        objects = unwrapped(objects)
        if is_part and (known := self._parts.get((id(around), path))) is not None:
            known.objects += objects
            return None
        if not is_part and not are_similar(objects, self.is_signed):
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
            if are_similar(array.objects, self.is_signed):
                signature = signature_of(array.objects)
                if signature not in seen:
                    seen.add(signature)
                    arrays.append(array)
        return arrays


def unfold(root: Any, folded: Callable[[str], Any], least: int, levels: int, most: int) -> None:
    """Put in place of strings that may be JSON what they stand for, in the first levels."""
    waiting = [(root, 1)]
    for value, depth in waiting:
        if not isinstance(value, (dict, list)) or len(waiting) > most:
            continue
        for key, entry in list(value.items() if isinstance(value, dict) else enumerate(value)):
            if isinstance(entry, str) and len(entry) >= least and entry[0] in "{[" and entry[-1] in "]}":
                inner = folded(entry)
                if inner is None:
                    continue
                value[key] = entry = inner
            if depth < levels and isinstance(entry, (dict, list)):
                waiting.append((entry, depth + 1))


def put_in_place(values: list[Any], texts: Mapping[str, str], longest: int, left: int) -> None:
    """Put texts in place of the strings that refer to them."""
    waiting: list[Any] = [values]
    while waiting:
        value = waiting.pop()
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(entry, (dict, list)):
                waiting.append(entry)
            elif isinstance(entry, str) and len(entry) <= longest and entry in texts:
                left -= len(texts[entry])
                if left >= 0:
                    value[key] = texts[entry]
