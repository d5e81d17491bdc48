"""What `addresses` offers other native modules: its functions, for lists and strings that are not None."""

cdef list resolve_in_place(list addresses, str scheme, str origin, str directory)
cdef str kind_of(list addresses, bint pictures, double misses)
