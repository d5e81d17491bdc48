"""Takes texts apart by a rule: what is cut from both ends, then the separator, then how each part is taken apart.
Wrappers do it to every text of a column, on every page."""

cdef str MARKS = "-–—:|·•»"     # LEFT_OVER_MARKS of `fastwrap.columns.splitting`


cdef class Splitter:
    """A rule, ready to take texts apart; see `splitting.pyi`."""
    cdef str prefix, suffix, separator
    cdef tuple parts
    cdef Py_ssize_t width
    cdef bint is_plain
    cdef object split_dated     # splits texts that may have dates; None where the separator is no part of dates
    cdef object tidied          # a text without the marks at its beginning

    def __init__(self, tuple ends not None, str separator not None, tuple parts not None, split_dated, tidied not None):
        cdef Splitter part
        self.prefix, self.suffix = ends
        if self.prefix is None or self.suffix is None:
            raise TypeError("what is cut from a text is a str")
        self.separator, self.parts = separator, parts
        self.split_dated, self.tidied = split_dated, tidied
        self.is_plain = not (self.prefix or self.suffix or parts)
        self.width = 0 if parts else 1
        for part in parts:
            if part is None:
                raise TypeError("a part of a rule is a Splitter")
            self.width += part.width

    def apply(self, str text not None):
        """The values of a text; see `splitting.pyi`."""
        cdef list values = []
        self.add(text, values)
        return values

    cdef int add(self, str text, list values) except -1:
        """Add the values of a text."""
        cdef list pieces
        cdef Splitter part
        cdef Py_ssize_t place
        if self.prefix or self.suffix:
            text = text.removeprefix(self.prefix).removesuffix(self.suffix)
        text = text.strip()
        if not self.parts:
            if self.prefix and text and text[0] in MARKS:
                text = self.tidied(text)
            values.append(text or None)
            return 0
        if self.split_dated is not None and self.separator in text:
            pieces = self.split_dated(self.separator, text)
        else:
            pieces = text.split(self.separator)
        if len(pieces) != len(self.parts):
            values.append(text or None)
            values.extend([None] * (self.width - 1))
            return 0
        for place in range(len(pieces)):
            part = self.parts[place]
            text = (<str>pieces[place]).strip()
            if part.is_plain:
                values.append(text or None)
            else:
                part.add(text, values)
        return 0
