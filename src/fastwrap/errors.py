"""The one exception that fastwrap raises for input it cannot work with.
Anything else that escapes is a bug."""


class FastwrapError(ValueError):
    """Input that cannot be turned into a result: the message says what and why. Wrong types are a TypeError instead.

    >>> raise FastwrapError("the page nests 250,000 elements")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: the page nests 250,000 elements
    """
