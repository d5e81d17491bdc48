"""What repeats among the children of all nodes of a slot."""

from fastwrap._core.template.features cimport Tree
from fastwrap._core.template.groups cimport Group

cdef int find_peers(const Tree *tree, Group *group) except -1 nogil
cdef int find_units(const Tree *tree, Group *group) except -1 nogil
