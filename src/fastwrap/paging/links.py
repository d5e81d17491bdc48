"""The links of a page: their attributes, their addresses, and how these relate to that of the page."""

from __future__ import annotations

import numpy as np

from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.names import TAG_NUMBER
from fastwrap.paging.addresses import MAX_ADDRESS, Address, Relation, is_paged, joined, relation
from fastwrap.paging.scanning import HREF, REL

BASE_ELEMENT = TAG_NUMBER["base"]


class Links:
    """The links of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.arrays = page.arrays

    @lazy_property
    def base(self) -> str:
        """What the addresses of links are relative to; empty where it is not known."""
        base = self.page.url or ""
        for node in np.flatnonzero(self.page.tag == BASE_ELEMENT).tolist():
            if href := self.href(node):
                return joined(base, href) or base
        return base

    def attributes(self, node: int) -> dict[int, bytes]:
        """The attributes of a node, by the numbers of their names."""
        arrays = self.arrays
        first, end = arrays.attribute_start[node : node + 2].tolist()
        bounds = arrays.value_start[first : end + 1].tolist()
        names = arrays.attribute_name[first:end].tolist()
        return {name: arrays.values[bounds[k] : bounds[k + 1]] for k, name in enumerate(names)}

    def href(self, node: int) -> bytes:
        """The address of a link as it stands."""
        return self.attributes(node).get(HREF, b"")

    def with_value(self, attribute: int, value: bytes) -> list[int]:
        """The nodes that have an attribute of exactly this value."""
        arrays = self.arrays
        places = np.flatnonzero(arrays.attribute_name == attribute)
        starts = arrays.value_start[places]
        alike = np.flatnonzero(arrays.value_start[places + 1] - starts == len(value)).tolist()
        equal = [places[k] for k in alike if arrays.values.startswith(value, starts[k])]
        nodes: list[int] = (np.searchsorted(arrays.attribute_start, equal, side="right") - 1).tolist()
        return nodes

    @lazy_property
    def address(self) -> str:
        """Where the page came from, or else what it states as its address; empty where neither is known."""
        if self.page.url:
            return self.page.url
        stated = self.with_value(REL, b"canonical")
        return joined(self.base, self.href(stated[0])) if stated else ""

    @lazy_property
    def here(self) -> Address | None:
        """The address of the page, taken apart; None where it is not known."""
        return Address(self.address) if self.address else None

    def relation(self, href: bytes) -> Relation:
        """How the address of a link relates to that of the page."""
        if len(href) > MAX_ADDRESS:
            return Relation.TOO_LONG
        address = joined(self.base or self.address, href)
        if not address:
            return Relation.NOWHERE
        there = Address(address)
        if self.here is not None:
            return relation(self.here, there)
        return Relation.LIKELY if is_paged(there) else Relation.UNKNOWN
