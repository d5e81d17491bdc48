"""What is found about the thing of a page: facts, each with a name, what it says, and where that stands.
Columns are made of facts at the end (`fastwrap.detail.finding`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.page.names import NO_NODE


@dataclass(slots=True)
class Fact:
    """One thing that a page says of what it is about."""

    name: str
    text: str | list[str]
    """What it says; a list if it says several things."""
    rank: float = 0.0
    """The smaller, the sooner a person would want it."""
    role: str = ""
    """One of `fastwrap.columns.roles.ROLES`, if it is known."""
    why: Mapping[str, str] = field(default_factory=dict)
    """What the name rests on: see `fastwrap.Column.why`."""
    node: int = NO_NODE
    """Its first node; NO_NODE if the page does not show it."""
    end: int = NO_NODE
    kind: str = TEXT_ITEM
    """TEXT_ITEM, or the name of the attribute that the text is of."""
    type: str = ""
    value: Any = None
    """Of a fact that data tells: its type and its value, where they are known."""

    @property
    def items(self) -> list[str]:
        """The texts, one by one."""
        return self.text if isinstance(self.text, list) else [self.text]
