"""The columns of a choice, described as a `Layout` describes those of all items.
What is shown of a table is one of the two; both have the same properties."""

from __future__ import annotations

from fastwrap.columns.choice import LIST, Choice
from fastwrap.columns.layout import TEXT_ITEM, Item, Layout
from fastwrap.common.lazy import lazy_property


class ShownColumns:
    """The columns of a choice among the items of a layout; the headings of groups of records come last."""

    def __init__(self, layout: Layout, choice: Choice) -> None:
        self.layout = layout
        self.choice = choice

    @lazy_property
    def column_items(self) -> list[Item | None]:
        """The item that each column is called after; None for headings."""
        found: list[Item | None] = [self.layout.items[source.first_item] for source in self.choice.sources]
        return found + [None] * (self.layout.heading is not None)

    @lazy_property
    def item_numbers(self) -> list[int]:
        """The number of the item that each column is called after; headings are called after none."""
        return [source.items[0][0] for source in self.choice.sources]

    def items_of(self, column: int) -> list[Item]:
        """The items that a column is made of; none for headings."""
        if column == len(self.choice.sources):
            return []
        return [self.layout.items[item] for items in self.choice.sources[column].items for item in items]

    @lazy_property
    def column_kinds(self) -> list[str]:
        """The kind of each column, as in `Item`."""
        names, kinds = self.layout.kinds, self.layout.places[1].tolist()
        return [names[kinds[number]] for number in self.item_numbers] + [TEXT_ITEM] * (self.layout.heading is not None)

    @lazy_property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.choice.sources) + (self.layout.heading is not None)

    @lazy_property
    def lists(self) -> int:
        """How many of them are lists."""
        return len(self.list_columns)

    @lazy_property
    def list_columns(self) -> frozenset[int]:
        """The columns that are lists."""
        return frozenset(column for column, source in enumerate(self.choice.sources) if source.operation == LIST)

    @property
    def groups(self) -> list[list[int]]:
        """The columns that are shown as one: there are none, since a list is one column."""
        return []

    @property
    def main_columns(self) -> list[int]:
        """For each column that is shown, the one that it is called after: itself."""
        return list(range(self.width))

    @lazy_property
    def paths(self) -> list[str]:
        """The path of each column, as that of the item it is called after."""
        return ["heading" if item is None else self.layout.path_of(item) for item in self.column_items]
