"""What is known of a column while it is named, and the words by which columns are named."""

from typing import Any

class Words:
    """The words and expressions by which columns are named, with what is remembered of what they say."""

    given: Any
    """What they were made of."""
    def __init__(self, given: Any) -> None:
        """Take them from an object with the members of `fastwrap.columns.naming.Vocabulary`."""

class Known:
    """What is known of a column."""

    texts: list[str]
    """All that there are; of a list, those of all records."""
    values: list[Any]
    """One per record, of its type; none for lists."""
    type: str
    records: int
    held: int
    """How many records have something."""
    label: str
    """What is written before the texts."""
    relation: str
    """What it is, if the choice of columns tells."""
    role: str
    is_text: bool
    """Whether it is of texts, not of an attribute."""
    is_list: bool
    in_heading: bool
    in_link: bool
    """Whether the texts are in the link to the record's own page."""
    is_hidden: bool
    is_profile: bool
    """Whether the texts are in a link to a page about somebody."""
    is_moment: bool
    """Whether markup says that it is a time."""
    is_said: bool
    """Whether a header, a label, markup or the texts themselves say the role, not the type alone."""

    def __init__(self, texts: list[str], values: list[Any], type: str, records: int, held: int) -> None:
        """Take what is known from the beginning; TypeError for texts that are none."""
