"""Which attributes of a page hold data, in plain Python, by what `Page.attributes` says of each node.
Arguments and results are those of `fastwrap._core.structured.attributes`."""

from __future__ import annotations

from fastwrap import Page


def entries_of(page: Page) -> list[tuple[int, int, int, bytes]]:
    """All attributes: the node, the place among all, the number of the name, the value."""
    arrays, found = page.arrays, []
    for node in range(len(page)):
        for entry in range(arrays.attribute_start[node], arrays.attribute_start[node + 1]):
            value = arrays.values[arrays.value_start[entry] : arrays.value_start[entry + 1]]
            found.append((node, entry, int(arrays.attribute_name[entry]), value))
    return found


def with_names(page: Page, first: int, second: int) -> tuple[list[int], list[int]]:
    """The nodes that have an attribute of the one number, and of the other."""
    found = entries_of(page)
    one, other = ([node for node, _, name, _ in found if name == wanted] for wanted in (first, second))
    return one, other


def has_data(page: Page, first: int, second: int, custom: int, least: int) -> bool:
    """Whether there is any."""
    return any(map(bool, (*with_names(page, first, second), *with_json(page, custom, least))))


def with_json(page: Page, custom: int, least: int) -> tuple[list[int], list[int]]:
    """The attributes that may hold JSON: their nodes and places."""
    found = [
        (node, entry)
        for node, entry, name, value in entries_of(page)
        if name >= custom and len(value) >= least and value[:1] in (b"{", b"[")
    ]
    return [node for node, _ in found], [entry for _, entry in found]
