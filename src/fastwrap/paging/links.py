"""The links of a page: their addresses, and how these relate to that of the page."""

from __future__ import annotations

import numpy as np

from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER
from fastwrap.paging.addresses import MAX_ADDRESS, Address, Relation, is_paged, joined, relation


class Links:
    """The links of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def base(self) -> str:
        """What the addresses of links are relative to; empty where it is not known."""
        return self.page.base or ""

    def href(self, node: int) -> str:
        """The address of a link as it stands."""
        return self.page.attributes(node).get("href", "")

    def with_value(self, attribute: str, value: str) -> list[int]:
        """The nodes that have an attribute of exactly this value."""
        arrays, wanted = self.page.arrays, value.encode()
        places = np.flatnonzero(arrays.attribute_name == ATTRIBUTE_NUMBER[attribute])
        starts = arrays.value_start[places]
        alike = np.flatnonzero(arrays.value_start[places + 1] - starts == len(wanted)).tolist()
        equal = [places[k] for k in alike if arrays.values.startswith(wanted, starts[k])]
        nodes: list[int] = (np.searchsorted(arrays.attribute_start, equal, side="right") - 1).tolist()
        return nodes

    @lazy_property
    def address(self) -> str:
        """Where the page came from, or else what it states as its address; empty where neither is known."""
        if self.page.url:
            return self.page.url
        stated = self.with_value("rel", "canonical")
        return joined(self.base, self.href(stated[0])) if stated else ""

    @lazy_property
    def here(self) -> Address | None:
        """The address of the page, taken apart; None where it is not known."""
        return Address(self.address) if self.address else None

    @property
    def is_front(self) -> bool:
        """Whether the page is known to be the front page of its site."""
        return self.here is not None and not self.here.path and not self.here.query

    def is_same_page(self, one: str, other: str) -> bool:
        """Whether two addresses with the number of a page differ in nothing that counts."""
        first, second = (Address(joined(self.base or self.address, href)) for href in (one, other))
        if first.path != second.path or not is_paged(second):
            return False
        return relation(first, second) in (Relation.SAME, Relation.KIN)

    def absolute(self, href: str) -> str:
        """The address of a link, absolute where that of the page is known; empty where it leads nowhere."""
        return joined(self.base or self.address, href)

    def relation(self, href: str) -> Relation:
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
