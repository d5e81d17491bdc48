"""Arrays of similar objects among decoded data, found by walking all of it once; and strings put in place of others.
Works on the dicts and lists of the decoder, without an object per step: where the walk is stands on one stack."""

from cpython.dict cimport PyDict_Check, PyDict_Next, PyDict_Size
from cpython.list cimport PyList_Check, PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_Check, PyUnicode_GET_LENGTH

from fastwrap._core.common.characters cimport PyUnicode_READ_CHAR
from fastwrap._core.structured.listed cimport kind_of

LEAST_OBJECTS = 3
"""Of an array that is a list."""
MOST_CONTAINERS = 100_000
"""Objects and arrays that are walked."""

cdef enum:
    LEAST = 3               # objects of an array that is a list: LEAST_OBJECTS
    LEAST_POSTS = 2         # of one whose objects are signed and dated, as the posts of a thread are
    SAMPLE = 40             # objects that are looked at to tell whether they are similar
    MOST_SECTIONS = 50      # objects that may each hold a list, or a part of one: a longer array is a list itself
    NEAR = 3                # objects around an array that may say what its list is called
    DEEPEST = 60            # levels of objects and arrays that are walked
    MOST_KEYS = 5           # of an object that may be no more than what wraps another
    MOST_WRAPS = 3          # around one object

cdef double LIKE = 0.6      # of the keys of its objects that most of them have, at least


cdef inline bint is_most(Py_ssize_t part, Py_ssize_t whole) noexcept:
    """Whether so many are nearly all."""
    return part * 5 >= whole * 4


cdef inline bint is_scalar(value):
    return isinstance(value, (str, int, float))


cdef inline bint is_full(value):
    """Whether a value is an object or array with anything in it."""
    return PyDict_Check(value) and PyDict_Size(value) > 0 or PyList_Check(value) and PyList_GET_SIZE(value) > 0


cdef str most_common(dict count):
    """The key that is counted most often, the first of several; None where nothing is counted."""
    cdef Py_ssize_t most = 0
    cdef str found = None
    for key, number in count.items():
        if <Py_ssize_t>number > most:
            most, found = number, key
    return found


cdef dict without(dict wrapped, str key):
    """The object within another, with what only the other has."""
    inner = wrapped.get(key)
    if not PyDict_Check(inner):
        return wrapped
    found = {name: value for name, value in wrapped.items() if name != key and name not in <dict>inner}
    found.update(inner)
    return found


def unwrapped(list objects not None):
    """The objects of a list without what wraps each of them; see `walking.pyi`."""
    cdef list found = objects[:]
    cdef dict count, each
    cdef Py_ssize_t k, _round, sample, scalars, within, longest
    cdef str key
    for _round in range(MOST_WRAPS):
        sample = min(<Py_ssize_t>SAMPLE, PyList_GET_SIZE(found))
        longest = 0
        for k in range(sample):
            longest = max(longest, PyDict_Size(found[k]))
        if longest > MOST_KEYS:
            break
        count, scalars = {}, 0
        for k in range(sample):
            each = found[k]
            for name, value in each.items():
                if PyDict_Check(value) and PyDict_Size(value) > 0:
                    count[name] = count.get(name, 0) + 1
                elif is_scalar(value):
                    scalars += 1
        key = most_common(count)
        if key is None:
            break
        within = 0
        for k in range(sample):
            value = (<dict>found[k]).get(key)
            if PyDict_Check(value):
                within += PyDict_Size(value)
        if (not is_most(count[key], sample) or scalars > max(within, 2 * sample)
                or scalars and PyDict_Size(count) > 1):
            break
        found = [without(each, key) for each in found]
    return found


cdef bint have_common_keys(list objects):
    """Whether most keys of objects are those that most of them have."""
    cdef dict count = {}
    cdef Py_ssize_t k, sample = min(<Py_ssize_t>SAMPLE, PyList_GET_SIZE(objects)), place, number
    cdef Py_ssize_t whole = 0, common = 0, kinds = 0
    cdef PyObject *key
    for k in range(sample):
        place = 0
        while PyDict_Next(<object>PyList_GET_ITEM(objects, k), &place, &key, NULL):
            count[<object>key] = count.get(<object>key, 0) + 1
            whole += 1
    for found in count.values():
        number = found
        if number * 2 >= sample:
            common += number
            kinds += 1
    return kinds >= 2 and common >= LIKE * whole


cdef bint is_long(list objects, is_signed) except -1:
    """Whether objects are so many that they may be a list."""
    if PyList_GET_SIZE(objects) >= LEAST:
        return True
    if PyList_GET_SIZE(objects) < LEAST_POSTS:
        return False
    for each in objects:
        if not is_signed(each):
            return False
    return True


def are_similar(list objects not None, is_signed not None):
    """Whether objects are those of one list; see `walking.pyi`."""
    return have_common_keys(objects) and is_long(objects, is_signed)


cdef bint has_digit(str key):
    cdef Py_ssize_t k
    for k in range(PyUnicode_GET_LENGTH(key)):
        if PyUnicode_READ_CHAR(key, k).isdigit():
            return True
    return False


cdef tuple signature_of(list objects):
    """What tells lists apart: their length, and the scalars of the first and the last object."""
    cdef list said = []
    for each in (objects[0], objects[PyList_GET_SIZE(objects) - 1]):
        for pair in (<dict>each).items():
            if is_scalar((<tuple>pair)[1]):
                said.append(pair)
    return PyList_GET_SIZE(objects), tuple(<dict>objects[0]), tuple(said)


cdef class Walk:
    """Walks values, and keeps the arrays of similar objects that it meets; see `walking.pyi`."""
    cdef readonly list found, limits
    cdef Py_ssize_t left
    cdef str source, root
    cdef object array_of, is_signed
    cdef tuple trails
    cdef dict parts         # by the array around them and their path: arrays that are parts of one list
    cdef list keys, around  # down to where the walk is: keys, and the objects that have them

    def __init__(self, str source not None, array_of not None, is_signed not None, tuple trails not None):
        self.source, self.array_of, self.is_signed, self.trails = source, array_of, is_signed, trails
        self.left = MOST_CONTAINERS
        self.found, self.limits, self.parts, self.keys, self.around = [], [], {}, [], []

    cdef str path(self):
        """The keys to where the walk is, joined by dots."""
        cdef str found = self.root
        for key in self.keys:
            found = f"{found}.{key}" if found else key
        return found

    cdef bint is_map(self, dict value) except -1:
        """Whether an object is a list of objects by their numbers or names, as stores of programs have them."""
        cdef Py_ssize_t place = 0, count = PyDict_Size(value), inner = 0, named = 0
        cdef PyObject *key
        cdef PyObject *entry
        if count < LEAST or not PyDict_Next(value, &place, NULL, &entry) or not PyDict_Check(<object>entry):
            return False
        place = 0
        while PyDict_Next(value, &place, &key, &entry):
            inner += PyDict_Check(<object>entry)
            named += has_digit(<str>key)
        if not is_most(inner, count) or not is_most(named, count):
            return False
        return are_similar([each for each in value.values() if PyDict_Check(each)], self.is_signed)

    cdef keep(self, list value, str path, around, Py_ssize_t count_around):
        """The array of similar objects that an array is, which is kept; None if it is none, or joins another."""
        cdef list objects
        cdef Py_ssize_t count = 0, k
        cdef bint is_part
        for k in range(PyList_GET_SIZE(value)):
            count += PyDict_Check(<object>PyList_GET_ITEM(value, k))
        is_part = around is not None and count < count_around
        if count == 0 or not is_most(count, PyList_GET_SIZE(value)) or not is_part and count < LEAST_POSTS:
            return None
        objects = [entry for entry in value if PyDict_Check(entry)]
        if not is_part and not is_long(objects, self.is_signed):
            return None
        objects = unwrapped(objects)
        if path is None:
            path = self.path()
        if is_part:
            known = self.parts.get((id(around), path))
            if known is not None:
                (<list>known.objects).extend(objects)
                return None
        elif not are_similar(objects, self.is_signed):
            return None
        found = self.array_of(self.source, path, objects, around)
        if is_part:
            self.parts[id(around), path] = found
        self.found.append(found)
        return None if is_part else found

    def kept(self, list value not None, str path not None):
        """Keep an array, if it is one of similar objects."""
        return self.keep(value, path, None, 0)

    cdef bint step(self, value, Py_ssize_t depth, around, Py_ssize_t count_around) except -1:
        """Walk a value with all below it; False where there were too many."""
        cdef dict members
        cdef list objects
        cdef bint is_object = PyDict_Check(value)
        self.left -= 1
        if self.left < 0:
            self.limits.append("structured.json")
            return False
        if depth > DEEPEST:
            self.limits.append("structured.depth")
            return True
        if is_object:
            members = value
            if "@type" in members and kind_of(members) in self.trails:
                return True
            if not self.is_map(members):
                self.around.append(members)
                for key, entry in members.items():
                    if is_full(entry):
                        self.keys.append(key)
                        if not self.step(entry, depth + 1, around, count_around):
                            return False
                        self.keys.pop()
                self.around.pop()
                return True
            objects = list(members.values())
        else:
            objects = value
        for entry in objects:
            if PyDict_Check(entry):
                found = self.keep(objects, None, around, count_around)
                if found is not None:
                    found.is_map = is_object
                    found.within = tuple(self.around[:-NEAR - 1:-1])
                    objects = found.objects
                    if PyList_GET_SIZE(objects) > MOST_SECTIONS:
                        return True
                    around, count_around = found, PyList_GET_SIZE(objects)
                break
        for entry in objects:
            if is_full(entry) and not self.step(entry, depth + 1, around, count_around):
                return False
        return True

    def visit(self, root, str path=""):
        """Walk an object or array, in document order."""
        self.root = path
        self.keys.clear()
        self.around.clear()
        self.step(root, 0, None, 0)

    def arrays(self):
        """What was found, each list once however often it is there."""
        cdef set seen = set()
        cdef list arrays = []
        for array in self.found:
            if are_similar(array.objects, self.is_signed):
                signature = signature_of(array.objects)
                if signature not in seen:
                    seen.add(signature)
                    arrays.append(array)
        return arrays


# Strings put in place

def unfold(root, folded not None, Py_ssize_t least, Py_ssize_t levels, Py_ssize_t most):
    """Put in place of strings that are JSON what they stand for; see `walking.pyi`."""
    cdef list waiting = [root], depths = [1]
    cdef Py_ssize_t place = 0, depth, k
    while place < len(waiting):
        value = waiting[place]
        depth = depths[place]
        place += 1
        if PyList_GET_SIZE(waiting) > most:
            continue
        if PyDict_Check(value):
            for key, entry in (<dict>value).items():
                inner = unfolded(entry, folded, least)
                if inner is not None:
                    (<dict>value)[key] = entry = inner
                if depth < levels and (PyDict_Check(entry) or PyList_Check(entry)):
                    waiting.append(entry)
                    depths.append(depth + 1)
        elif PyList_Check(value):
            for k in range(PyList_GET_SIZE(value)):
                entry = (<list>value)[k]
                inner = unfolded(entry, folded, least)
                if inner is not None:
                    (<list>value)[k] = entry = inner
                if depth < levels and (PyDict_Check(entry) or PyList_Check(entry)):
                    waiting.append(entry)
                    depths.append(depth + 1)


cdef unfolded(entry, folded, Py_ssize_t least):
    """What a string stands for that may be JSON; None for all else."""
    cdef Py_ssize_t length
    cdef Py_UCS4 first, last
    if not PyUnicode_Check(entry):
        return None
    length = PyUnicode_GET_LENGTH(entry)
    if length < least:
        return None
    first, last = PyUnicode_READ_CHAR(entry, 0), PyUnicode_READ_CHAR(entry, length - 1)
    if first != 123 and first != 91 or last != 125 and last != 93:
        return None
    return folded(entry)


def put_in_place(list values not None, dict texts not None, Py_ssize_t longest, Py_ssize_t left):
    """Put texts in place of the strings that refer to them; see `walking.pyi`."""
    cdef list waiting = [values]
    cdef Py_ssize_t k
    while waiting:
        value = waiting.pop()
        if PyDict_Check(value):
            for key, entry in (<dict>value).items():
                if PyDict_Check(entry) or PyList_Check(entry):
                    waiting.append(entry)
                elif PyUnicode_Check(entry) and PyUnicode_GET_LENGTH(entry) <= longest:
                    text = texts.get(entry)
                    if text is not None:
                        left -= PyUnicode_GET_LENGTH(text)
                        if left >= 0:
                            (<dict>value)[key] = text
        else:
            for k in range(PyList_GET_SIZE(value)):
                entry = (<list>value)[k]
                if PyDict_Check(entry) or PyList_Check(entry):
                    waiting.append(entry)
                elif PyUnicode_Check(entry) and PyUnicode_GET_LENGTH(entry) <= longest:
                    text = texts.get(entry)
                    if text is not None:
                        left -= PyUnicode_GET_LENGTH(text)
                        if left >= 0:
                            (<list>value)[k] = text
