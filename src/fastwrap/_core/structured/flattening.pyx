"""Similar objects as columns, one for each scalar that they have, however deep it stands: one pass over all members.
Arrays with one entry count as that entry; arrays of scalars and of objects become lists."""

import html
import re

from cpython.dict cimport PyDict_Check, PyDict_Size
from cpython.list cimport PyList_Check, PyList_GET_SIZE
from cpython.unicode cimport PyUnicode_Check, PyUnicode_GET_LENGTH

from fastwrap._core.common.characters cimport Py_UNICODE_ISSPACE, PyUnicode_FindChar, PyUnicode_READ_CHAR

cdef enum:
    MOST_MEMBERS = 400      # scalars of an object that are read
    DEEPEST = 6             # objects within an object of an array that are read

cdef tuple TOLD_ELSEWHERE = ("@context", "@type", "__typename")
# Keys whose values say what an object is, not what it says.

cdef object REFERENCE = re.compile(r"&(?:\w{2,8}|#\d{2,6}|#x[0-9a-fA-F]{2,6});")


cdef class Member:
    """What objects have at one place; see `flattening.pyi`."""
    cdef readonly tuple path
    cdef public list values
    cdef readonly list members

    def __init__(self, tuple path not None, list values not None, list members=None):
        self.path, self.values, self.members = path, values, [] if members is None else members

    def __repr__(self):
        return f"Member(path={self.path!r}, values={self.values!r}, members={self.members!r})"

    @property
    def key(self):
        """The last key."""
        return self.path[len(self.path) - 1]

    @property
    def is_list(self):
        """Whether objects have several values here."""
        if self.members:
            return True
        for value in self.values:
            if PyList_Check(value):
                return True
        return False


cdef read_scalar(value):
    """A value as it is shown."""
    cdef Py_ssize_t length
    cdef str text
    if PyUnicode_Check(value):
        text = value
        if PyUnicode_FindChar(text, 38, 0, PyUnicode_GET_LENGTH(text), 1) >= 0 and REFERENCE.search(text):
            text = html.unescape(text)
        length = PyUnicode_GET_LENGTH(text)
        if length == 0:
            return None
        if (Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, 0))
                or Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, length - 1))):
            return text.strip() or None
        return text
    return value if isinstance(value, (int, float)) else None


def scalar(value):
    """A value as it is shown; see `flattening.pyi`."""
    return read_scalar(value)


cdef bint has_any(list values):
    """Whether any value is there."""
    for value in values:
        if value is not None:
            return True
    return False


cdef list members_of(list objects, tuple path, bint lists):
    """The members of objects, in the order of their keys."""
    cdef dict columns = {}
    cdef list members = []
    cdef Py_ssize_t k, count = PyList_GET_SIZE(objects)
    for k in range(count):
        each = objects[k]
        if not PyDict_Check(each):
            continue
        for key, value in (<dict>each).items():
            found = columns.get(key)
            if found is None:
                if PyDict_Size(columns) == MOST_MEMBERS:
                    continue
                found = columns[key] = [None] * count
            (<list>found)[k] = value
    for key, found in columns.items():
        if key not in TOLD_ELSEWHERE:
            members += column_of(found, (*path, key), lists)
        if PyList_GET_SIZE(members) > MOST_MEMBERS:
            break
    return members[:MOST_MEMBERS]


cdef list column_of(list column, tuple path, bint lists):
    """The members of one key, whose values may be scalars, objects and arrays."""
    cdef Py_ssize_t longest = -1, k, count = PyList_GET_SIZE(column)
    cdef bint has_scalar = False, has_object = False
    cdef list values, found = []
    for value in column:
        if PyList_Check(value):
            longest = max(longest, PyList_GET_SIZE(value))
    if longest > 1:
        return lists_of(column, path) if lists else found
    values = [None] * count
    for k in range(count):
        value = column[k]
        if longest >= 0 and PyList_Check(value):
            value = (<list>value)[0] if PyList_GET_SIZE(value) else None
            column[k] = value
        if PyDict_Check(value):
            has_object = has_object or PyDict_Size(value) > 0
        elif value is not None:
            value = read_scalar(value)
            has_scalar = has_scalar or value is not None
            values[k] = value
    if has_scalar:
        found.append(Member(path, values))
    if has_object and len(path) < DEEPEST:
        found += members_of(column, path, lists)
    return found


cdef list lists_of(list column, tuple path):
    """The members of one key whose values are arrays: a list of scalars, or what the objects in them have."""
    cdef list values = [], entries = [], inner, kept
    cdef bint has_object = False
    cdef Py_ssize_t start
    cdef Member member
    for value in column:
        if PyList_Check(value):
            entries += value
        else:
            entries.append(value)
    for entry in entries:
        if PyDict_Check(entry):
            has_object = True
            break
    if not has_object:
        for value in column:
            kept = []
            for entry in value if PyList_Check(value) else (value,):
                entry = read_scalar(entry)
                if entry is not None:
                    kept.append(entry)
            values.append(kept or None)
        return [Member(path, values)] if has_any(values) else []
    if len(path) >= DEEPEST:
        return []
    inner = []
    for each in members_of(entries, path, True):
        member = each
        if member.is_list:
            continue
        start, values = 0, []
        for value in column:
            count = PyList_GET_SIZE(value) if PyList_Check(value) else 1
            values.append(member.values[start:start + count] if count else None)
            start += count
        member.values = values
        inner.append(member)
    return [Member(path, [], inner)] if inner else []


def flatten(objects not None, tuple path=(), bint lists=True):
    """The members of objects; see `flattening.pyi`."""
    return members_of(list(objects), path, lists)
