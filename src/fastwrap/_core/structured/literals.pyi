"""Where the plain data of a script begins and ends, and the same as strict JSON."""

MOST_DEPTH: int
"""Objects and arrays within each other."""

def find(
    data: bytes, start: int, end: int, least: int, fruitless: int
) -> tuple[list[tuple[int, int, bytes | None]], bool]:
    """The literals of plain data in a part of a script, in order, none within another.

    Each is given by where it begins and ends, and what it is as strict JSON, None if it is that already. They are
    objects and arrays of at least `least` bytes, and the strings that `JSON.parse` is called with. The search ends
    after `fruitless` bytes without one. Also returned: whether any was nested too deeply.

    Taken besides JSON: comments, unquoted keys, single quotes, commas at the end, `undefined`, `void 0`, `!0`, `!1`,
    escapes of JavaScript (one that there is not stands for its character), control characters in strings, numbers as
    `.5`, `5.`, `+5` and `05`. NaN, infinite numbers and those that are too large are null, half of a surrogate pair is
    U+FFFD. Whatever has to be run is no data: the literal around it is passed over.
    """
