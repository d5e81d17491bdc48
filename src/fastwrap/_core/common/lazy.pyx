"""Properties that are computed when they are first asked for, and then kept.
As `functools.cached_property`, which in Python 3.11 lets only one thread at a time compute a property of any object."""

cimport cython


cdef extern from "Python.h":
    object PyObject_GenericGetDict(object instance, void *unused)


@cython.final
cdef class lazy_property:
    """Computes a property once for each object; see `lazy.pyi`."""
    cdef object compute
    cdef str name

    def __init__(self, compute not None):
        self.compute, self.name = compute, compute.__name__

    @property
    def __doc__(self):
        return self.compute.__doc__

    def __get__(self, instance, owner):
        cdef object value
        cdef dict kept
        if instance is None:
            return self
        value = self.compute(instance)
        # From now on the object's own attribute is found before this one.
        kept = PyObject_GenericGetDict(instance, NULL)
        return kept.setdefault(self.name, value)
