"""What `addresses` offers other native modules."""

cpdef str kind_of(list links, bint pictures, double misses)
