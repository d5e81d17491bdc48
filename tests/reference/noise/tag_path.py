"""The tag path sequence filter (TPS, Velloso 2014), algorithms 1 to 5 line by line, with sets and dicts.
The twin of `fastwrap._core.noise.tag_path` and `fastwrap._numba.noise.tag_path`, which do algorithms 3 and 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

LEFT, RIGHT = 0, 1


@dataclass(eq=False)
class Element:
    """A node of the DOM tree; `position` is its place in the sequence, once it has been converted."""

    tag: str
    style: str = ""
    children: list[Element] = field(default_factory=list)
    position: int = -1


@dataclass(frozen=True)
class Region:
    """The window that is left of a sequence, and the cuts (position, threshold, side kept) that led to it."""

    start: int
    end: int
    cuts: list[tuple[int, int, int]]


def tag_path_sequence_filter(root: Element) -> Element:
    """Algorithm 1: the tree without whatever is outside its main region."""
    sequence: list[int] = []
    convert_to_sequence(root, "", sequence, {})
    region = search_region(sequence)
    prune_tree(root, region)
    return root


def convert_to_sequence(node: Element, tag_path: str, sequence: list[int], codes: dict[str, int]) -> None:
    """Algorithm 2: the code of every node's tag path and style, depth first; codes start at 0 here."""
    tag_path = f"{tag_path}/{node.tag}{node.style}"
    if tag_path not in codes:
        codes[tag_path] = len(codes)
    node.position = len(sequence)
    sequence.append(codes[tag_path])
    for child in node.children:
        convert_to_sequence(child, tag_path, sequence, codes)


def search_region(sequence: Sequence[int], gives_up: bool = False) -> Region:
    """Algorithm 3, with the recursion of line 44 as a loop: cut the sequence until it cannot be cut."""
    start, end = 0, len(sequence)
    cuts: list[tuple[int, int, int]] = []
    while found := find_region(sequence[start:end], gives_up):
        i, threshold = found
        if i < (end - start) / 2:
            start += i
            cuts.append((start, threshold, RIGHT))
        else:
            end = start + i
            cuts.append((end, threshold, LEFT))
    return Region(start, end, cuts)


def find_region(sequence: Sequence[int], gives_up: bool) -> tuple[int, int] | None:
    """Algorithm 3, lines 2 to 37: how many elements to put on the left, and by which threshold; or None."""
    n = len(sequence)
    alphabet: set[int] = set()
    symbol_count: dict[int, int] = {}
    for symbol in sequence:
        if symbol not in alphabet:
            alphabet.add(symbol)
            symbol_count[symbol] = 0
        symbol_count[symbol] += 1
    for threshold in sorted(set(symbol_count.values())):
        current_alphabet = filter_alphabet(alphabet, symbol_count, threshold)
        if len(current_alphabet) < 2:
            break
        current_count = dict(symbol_count)
        region_alphabet: set[int] = set()
        for i, symbol in enumerate(sequence, 1):
            if symbol in current_alphabet:
                region_alphabet.add(symbol)
                current_count[symbol] -= 1
                if current_count[symbol] == 0:
                    current_alphabet.remove(symbol)
                    if not current_alphabet & region_alphabet:
                        # printed without the bars, though the lines after it keep whichever side is larger
                        if current_alphabet and abs(n - 2 * i) / n > 0.20:
                            return i, threshold
                        if gives_up:  # line 33
                            break
    return None


def filter_alphabet(alphabet: set[int], symbol_count: Mapping[int, int], threshold: int) -> set[int]:
    """Algorithm 4: the symbols that are frequent enough."""
    filtered: set[int] = set()
    for symbol in alphabet:
        if symbol_count[symbol] >= threshold:
            filtered.add(symbol)
    return filtered


def prune_tree(node: Element, region: Region) -> bool:
    """Algorithm 5: remove the nodes outside the region that have no child left; True if this one is to go."""
    for child in list(node.children):
        if prune_tree(child, region):
            node.children.remove(child)
    return not region.start <= node.position < region.end and not node.children
