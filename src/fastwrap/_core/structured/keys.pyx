"""Keys: the members of objects that have one of some names, whatever signs and capitals the keys are written with.
A key of ASCII is looked at letter by letter, so that most are passed over without a string of their own."""

from cpython.unicode cimport PyUnicode_Check, PyUnicode_DATA, PyUnicode_DecodeASCII, PyUnicode_GET_LENGTH
from libc.stdint cimport uint32_t
from libc.string cimport memset

from fastwrap._core.common.characters cimport PyUnicode_IS_ASCII

cdef enum:
    LONGEST = 31            # letters of a name


cdef str letters_of(str key):
    """A key without signs, in small letters."""
    return "".join([letter for letter in key.lower() if letter.isalpha()])


cdef class Names:
    """Some names of members, to be looked up; see `keys.pyi`."""
    cdef frozenset names
    cdef uint32_t lengths[26]       # by first letter: the lengths of names, as bits

    def __init__(self, names not None):
        cdef str name
        self.names = frozenset(names)
        memset(self.lengths, 0, sizeof(self.lengths))
        for name in self.names:
            if not (name.isascii() and name.isalpha() and name.islower() and 0 < len(name) <= LONGEST):
                raise ValueError(f"{name!r} is no name of a member")
            self.lengths[<int>(<Py_UCS4>name[0]) - 97] |= <uint32_t>1 << <int>len(name)

    cdef str name_of(self, str key):
        """Which of the names a key has; None for none of them."""
        cdef char found[LONGEST]
        cdef const unsigned char *text
        cdef Py_ssize_t k, count = 0
        cdef unsigned char letter
        cdef str name
        if not PyUnicode_IS_ASCII(key):
            name = letters_of(key)
            return name if name in self.names else None
        text = <const unsigned char *>PyUnicode_DATA(key)
        for k in range(PyUnicode_GET_LENGTH(key)):
            letter = text[k] | 32
            if 97 <= letter <= 122:
                if count == LONGEST:
                    return None
                found[count] = letter
                count += 1
        if count == 0 or not self.lengths[found[0] - 97] >> count & 1:
            return None
        name = PyUnicode_DecodeASCII(found, count, NULL)
        return name if name in self.names else None

    def members(self, dict thing not None):
        """The members of an object that have one of the names and say something, by it; see `keys.pyi`."""
        cdef dict found = {}
        cdef str name
        for key, value in thing.items():
            name = self.name_of(key)
            if name is not None and value:
                found[name] = value
        return found

    def texts(self, dict thing not None):
        """The same of those that are texts; see `keys.pyi`."""
        cdef dict found = {}
        cdef str name
        for key, value in thing.items():
            if PyUnicode_Check(value):
                name = self.name_of(key)
                if name is not None and not (<str>value).isspace() and PyUnicode_GET_LENGTH(value):
                    found[name] = value
        return found

    def are_in(self, thing not None):
        """Whether an object has a member with one of the names."""
        for key in thing:
            if self.name_of(key) is not None:
                return True
        return False
