"""The strings of decoded data by the keys to them, whatever entries of arrays are around: all is walked once.
Keys are kept as a tree while it is walked, so that a string costs no tuple of its keys."""

from cpython.dict cimport PyDict_Check, PyDict_Size
from cpython.list cimport PyList_Check, PyList_GET_SIZE
from cpython.unicode cimport PyUnicode_Check, PyUnicode_GET_LENGTH

from fastwrap._core.common.characters cimport PyUnicode_FindChar, PyUnicode_IS_ASCII
from fastwrap._core.structured.listed cimport kind_of

MOST_CONTAINERS = 100_000
"""Objects and arrays that are walked."""
MOST_STRINGS = 300_000
"""Strings that are kept until it is known whether others at their keys are prose."""
MOST_CHARACTERS = 4_000_000
"""Of strings that are looked at."""

cdef enum:
    DEEPEST = 60            # levels of objects and arrays that are walked
    LEAST = 60              # letters of a string that is prose by itself
    LONGEST = 200_000       # characters of a string that are looked at
    LONGEST_WORD = 60       # characters between two spaces, on average


cdef inline bint is_long(str text):
    """Whether a string is long enough to be prose: `is_long` of `fastwrap.structured.sentences`."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    return length >= LEAST or length * 3 >= LEAST and not PyUnicode_IS_ASCII(text)


cdef bint may_be_prose(str text):
    """Whether a long string has as many spaces as prose has, if it is ASCII."""
    cdef Py_ssize_t length = min(<Py_ssize_t>LONGEST, PyUnicode_GET_LENGTH(text)), place = 0, spaces = 0
    if not PyUnicode_IS_ASCII(text):
        return True
    while spaces * LONGEST_WORD < length:
        place = PyUnicode_FindChar(text, 32, place, length, 1) + 1
        if place <= 0:
            return False
        spaces += 1
    return True


cdef class Spot:
    """An object, and where it stands; see `strings.pyi`."""
    cdef readonly dict value
    cdef readonly Spot above
    cdef readonly Py_ssize_t number

    def __init__(self, dict value not None, Spot above, Py_ssize_t number):
        self.value, self.above, self.number = value, above, number

    def chain(self, Py_ssize_t most=DEEPEST + 2):
        """The object and those around it, from within, so many of them at most, else all."""
        cdef list found = []
        cdef Spot spot = self
        while spot is not None and PyList_GET_SIZE(found) < most:
            found.append(spot)
            spot = spot.above
        return found


cdef class Strings:
    """The strings at the same keys, each with the object that it stands in."""
    cdef tuple path
    cdef list texts, spots
    cdef bint has_long


cdef class Keys:
    """The keys to objects and arrays, and what stands below them."""
    cdef tuple path
    cdef dict below         # by the next key: Keys
    cdef dict strings       # by the last key: Strings

    def __cinit__(self, tuple path not None):
        self.path, self.below, self.strings = path, {}, {}


cdef class Reader:
    """Walks values, and keeps their strings by the keys to them; see `strings.pyi`."""
    cdef readonly list limits
    cdef Keys top
    cdef list all           # Strings, in the order of their first ones
    cdef dict names         # of keys, without the numbers of what they lead to
    cdef object name_of, weight_of
    cdef frozenset skipped
    cdef Py_ssize_t containers, kept, number

    def __init__(self, name_of not None, weight_of not None, frozenset skipped not None):
        self.limits, self.all, self.names, self.top = [], [], {}, Keys(())
        self.name_of, self.weight_of, self.skipped = name_of, weight_of, skipped

    cdef str named(self, str key):
        found = self.names.get(key)
        if found is None:
            found = self.names[key] = self.name_of(key)
        return found

    cdef Keys under(self, Keys keys, str name):
        """The keys with one more; the same if it is among them."""
        found = keys.below.get(name)
        if found is None:
            found = keys if name in keys.path else Keys((*keys.path, name))
            keys.below[name] = found
        return found

    cdef int keep(self, str text, Keys keys, str name, Spot spot) except -1:
        cdef Strings found
        if PyUnicode_GET_LENGTH(text) == 0:
            return 0
        self.kept += 1
        found = keys.strings.get(name)
        if found is None:
            found = keys.strings[name] = Strings.__new__(Strings)
            found.path, found.texts, found.spots = (*keys.path, name), [], []
            self.all.append(found)
        found.texts.append(text)
        found.spots.append(spot)
        found.has_long = found.has_long or is_long(text)
        return 0

    cdef bint step(self, value, Keys keys, Spot spot, Py_ssize_t depth) except -1:
        """Keep the strings of a value, those in it first; False where there were too many."""
        cdef list names, values
        cdef Py_ssize_t k
        self.containers += 1
        if self.containers > MOST_CONTAINERS or self.kept > MOST_STRINGS:
            self.limits.append("structured.json")
            return False
        if depth > DEEPEST:
            self.limits.append("structured.depth")
            return True
        names, values = [], []
        if PyDict_Check(value):
            if "@type" in <dict>value and kind_of(value) in self.skipped:
                return True
            self.number += 1
            spot = Spot(value, spot, self.number)
            for key, entry in (<dict>value).items():
                if PyUnicode_Check(entry):
                    self.keep(entry, keys, self.named(key), spot)
                elif (PyDict_Check(entry) and PyDict_Size(entry) > 0
                        or PyList_Check(entry) and PyList_GET_SIZE(entry) > 0):
                    names.append(self.named(key))
                    values.append(entry)
            for k in range(PyList_GET_SIZE(values)):
                if not self.step(values[k], self.under(keys, names[k]), spot, depth + 1):
                    return False
            return True
        for entry in <list>value:
            if PyUnicode_Check(entry):
                self.keep(entry, keys, "", spot)
        for entry in <list>value:
            if (PyDict_Check(entry) and PyDict_Size(entry) > 0
                    or PyList_Check(entry) and PyList_GET_SIZE(entry) > 0):
                if not self.step(entry, keys, spot, depth + 1):
                    return False
        return True

    def read(self, root not None, str name=""):
        """Keep the strings of an object or array, in document order; `name` is that of what it stands in."""
        self.step(root, self.under(self.top, name) if name else self.top, Spot({}, None, self.number), 0)

    def runs(self):
        """The strings that are prose for the most part; see `strings.pyi`."""
        cdef Py_ssize_t left = MOST_CHARACTERS, k, weight, said, prose, whole
        cdef Strings strings
        cdef list found = [], weights
        cdef str text
        for each in self.all:
            strings = each
            if not strings.has_long:
                continue
            weights, said, prose, whole = [], 0, 0, 0
            for k in range(PyList_GET_SIZE(strings.texts)):
                text = strings.texts[k]
                weight = 0
                if is_long(text):
                    left -= min(<Py_ssize_t>LONGEST, PyUnicode_GET_LENGTH(text))
                    if left < 0:
                        self.limits.append("structured.json")
                        break
                    if may_be_prose(text):
                        weight = self.weight_of(text)
                weights.append(weight)
                whole += PyUnicode_GET_LENGTH(text)
                if weight:
                    said += weight
                    prose += PyUnicode_GET_LENGTH(text)
            if prose and prose * 2 >= whole:
                found.append((said, strings.path, strings.texts[:len(weights)], strings.spots[:len(weights)], weights))
            if left < 0:
                break
        return found
