"""What the data of a page lists: names and addresses of items, and hashes of these to compare with texts and links.
An address counts from its path on: data has it with the host, links often without."""

from cpython.dict cimport PyDict_Check
from cpython.list cimport PyList_Check
from cpython.unicode cimport PyUnicode_Check, PyUnicode_GET_LENGTH, PyUnicode_Substring
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memchr

from fastwrap._core.common.characters cimport PyUnicode_READ_CHAR
from fastwrap._core.common.hashing cimport hashed

cdef tuple ADDRESSES = ("url", "@id"), NAMES = ("name", "headline", "title")


cdef uint64_t address_hash(const unsigned char *address, int32_t length) noexcept nogil:
    """The hash of an address without scheme, host, fragment and the slash at its end; 0 where nothing is left."""
    cdef int32_t start = host_end(address, length), end = length
    cdef const unsigned char *fragment = <const unsigned char *>memchr(address + start, 35, length - start)
    if fragment != NULL:
        end = <int32_t>(fragment - address)
    if end > start and address[end - 1] == 47:
        end -= 1
    return hashed(address + start, end - start, 1) if end > start else 0


def sorted_hashes(names not None, addresses not None):
    """The hashes of names and of addresses, sorted; see `listed.pyi`."""
    cdef bytes data
    hashes = {hashed(data, <int32_t>len(data), 0) for data in names}
    hashes |= {address_hash(data, <int32_t>len(data)) for data in addresses}
    hashes.discard(0)
    return sorted(hashes)


cdef str short(str name):
    """The name of a type without its vocabulary: `short` of `fastwrap.structured.things`."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(name), at = length
    cdef Py_UCS4 sign
    while at:
        sign = PyUnicode_READ_CHAR(name, at - 1)
        if sign == 47 or sign == 35 or sign == 58:
            return PyUnicode_Substring(name, at, length)
        at -= 1
    return name


cdef str kind_of(thing):
    """The type of a thing, the first of several; nothing where it has none."""
    cdef object kind = (<dict>thing).get("@type") if PyDict_Check(thing) else None
    if PyList_Check(kind) and len(<list>kind):
        kind = (<list>kind)[0]
    return short(kind) if PyUnicode_Check(kind) else ""


cdef class Gatherer:
    """Gathers what items of lists are called, and where they lead."""
    cdef set names, addresses
    cdef tuple trails

    cdef int add(self, dict item) except -1:
        """Add what an item is called and where it leads."""
        if kind_of(item) in self.trails:
            return 0
        for key in ADDRESSES:
            said = item.get(key)
            if PyUnicode_Check(said) and PyUnicode_GET_LENGTH(said) > 0:
                self.addresses.add(said)
        for key in NAMES:
            said = item.get(key)
            if PyUnicode_Check(said) and PyUnicode_GET_LENGTH(said) > 1:
                self.names.add(said)
        return 0

    cdef int add_alike(self, list things, Py_ssize_t least) except -1:
        """Add the things of a list of which there are enough of one type."""
        cdef list kinds = [kind_of(entry) for entry in things]
        cdef dict count = {}
        cdef Py_ssize_t k
        cdef str kind
        for kind in kinds:
            if kind:
                count[kind] = count.get(kind, 0) + 1
        for k in range(len(things)):
            kind = kinds[k]
            if kind and count[kind] >= least:
                self.add(things[k])
        return 0

    cdef int add_elements(self, dict thing) except -1:
        """Add the items of an ItemList."""
        elements = thing.get("itemListElement")
        if not PyList_Check(elements):
            return 0
        for entry in <list>elements:
            if PyDict_Check(entry):
                self.add(entry)
                item = (<dict>entry).get("item")
                self.add(item if PyDict_Check(item) else {"url": item})
        return 0


def gather(root, Py_ssize_t left, set names not None, set addresses not None, tuple trails not None,
           Py_ssize_t least):
    """Add what data lists; see `listed.pyi`."""
    cdef Gatherer gatherer = Gatherer.__new__(Gatherer)
    cdef list waiting = [root]
    gatherer.names, gatherer.addresses, gatherer.trails = names, addresses, trails
    while waiting and left >= 0:
        thing = waiting.pop()
        left -= 1
        if PyList_Check(thing):
            gatherer.add_alike(thing, least)
            for entry in <list>thing:
                if PyDict_Check(entry) or PyList_Check(entry):
                    waiting.append(entry)
        elif PyDict_Check(thing) and kind_of(thing) not in trails:
            gatherer.add_elements(thing)
            for entry in (<dict>thing).values():
                if PyDict_Check(entry) or PyList_Check(entry):
                    waiting.append(entry)
    return left
