"""Pages about one thing: its title, picture, price, labels and values, sections and text, as one record.
`find` makes the record of what the page shows, and of the data that it carries about the same thing."""

from fastwrap.detail.confidence import Evidence
from fastwrap.detail.finding import Detail, find

__all__ = ["Detail", "Evidence", "find"]
