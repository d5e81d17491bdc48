"""Names columns, and tells their roles."""

from fastwrap._core.columns.known import Words
from fastwrap.columns.naming import Name
from fastwrap.columns.table import Table

class Naming:
    """The columns of one table, on the page that its layout was learned from, and what stands around them."""

    def __init__(self, words: Words, table: Table, attributes: list[int]) -> None:
        """Look at the columns of a table. `attributes` are the numbers that the page has for itemprop, data-title,
        data-label and the `naming_attributes` of the words; -1 for those that it has not."""

    def names(self) -> tuple[Name, ...]:
        """The names of all columns, none of them twice."""

    def is_profile(self, number: int) -> bool:
        """Whether most texts of a column are in links to pages about somebody; some of the records tell."""

    def is_moment(self, number: int) -> bool:
        """Whether markup says that a column is of times."""
