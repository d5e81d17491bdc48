"""Columns of plain numeric dates: what they show of the order of day and month, and their values once it is decided."""

from datetime import date

def survey(strings: list[str]) -> tuple[bool, tuple[int, str, int, str, str, bool, bool, bool, bool] | None] | None:
    """What the strings of a column show, if each of them is a numeric date and nothing else; None if any is not.

    All are to have the year first, of four digits (2003-4-25), or all last, of two or four digits (25/04/2003, 4.25.03,
    25. 4. 2003), with the same separator twice; and all a time of day after it (2003-04-25T12:30:00.5Z), or all one
    without a zone, or none. Whether there are such days does not matter; such times there must be.

    Returns whether there are times; and, if the year comes last: the largest first number, the first date that has it,
    the largest second number, the first date that has it, the first date of all; whether in each date the first
    number is the second one, whether all years have two digits, whether all separators have full stops, and whether
    any date may be a version (4.10.12).

    >>> survey(["3/4/2003", "25/4/2003"])
    (False, (25, '25/4/2003', 4, '3/4/2003', '3/4/2003', False, False, False, False))
    >>> survey(["2003-04-25 12:30"]), survey(["2003-04-25", "today"])
    ((True, None), None)
    """

def values(strings: list[str], order: str) -> tuple[list[date | None], int]:
    """The dates, or dates with times, of strings that `survey` knows, and how many of them are no date: these are None,
    as are days that do not exist, or are not in the years from 1000 to 2199. `order` is "dmy", "mdy" or "ymd"; dates
    with the year of four digits first have that order.

    Raises ValueError for what is no numeric date, and KeyError for what is no order.

    >>> values(["3/4/2003", "31/4/2003"], "dmy")
    ([datetime.date(2003, 4, 3), None], 1)
    """
