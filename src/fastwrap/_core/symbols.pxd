"""What `symbols` offers other native modules: the symbols and the structural classes of all nodes, as plain arrays."""

from libc.stdint cimport int32_t, uint8_t


cdef struct Attributed:
    # What the symbols are read from: node arrays, and the numbers of three names of attributes.
    const int32_t *tag
    const int32_t *parent
    const int32_t *attribute_start
    const int32_t *attribute_name
    const int32_t *value_start
    const unsigned char *values
    int32_t n
    int32_t class_name
    int32_t style_name
    int32_t hidden_name


cdef size_t size_of_symbols(size_t nodes, size_t attributes) noexcept nogil
cdef int32_t read_symbols(const Attributed *nodes, void *memory, int32_t *style, int32_t *path,
                          uint8_t *hidden) noexcept nogil
cdef size_t size_of_classes(size_t nodes) noexcept nogil
cdef int32_t read_classes(const int32_t *tag, const int32_t *parent, const int32_t *size, int32_t n, void *memory,
                          int32_t *classes) noexcept nogil
