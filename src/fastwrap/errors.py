"""The exception that fastwrap raises for input it cannot work with, and a kind of it that servers tell apart.
Anything else that escapes is a bug."""


class FastwrapError(ValueError):
    """Input that cannot be turned into a result: the message says what and why. Wrong types are a TypeError instead.

    >>> raise FastwrapError("the page nests 250,000 elements")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: the page nests 250,000 elements
    """


class TooComplexError(FastwrapError):
    """A page that nests too deep, or makes too many elements, to be read.

    >>> from fastwrap import Page
    >>> Page("<div>" * 200_000)
    Traceback (most recent call last):
        ...
    fastwrap.errors.TooComplexError: the page nests more than 50,000 elements: refused
    """


def told(error: BaseException) -> str:
    """An error in the words of a row, where one bad page must not stop the others.

    >>> told(FastwrapError("the page nests too deeply")), told(MemoryError())
    ('the page nests too deeply', 'MemoryError')
    """
    return str(error) if isinstance(error, FastwrapError) else f"{type(error).__name__}: {error}".rstrip(": ")
