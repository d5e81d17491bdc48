"""What may be read in a column, as bits, and the native function that says it of one string with digits."""

cpdef enum:
    DIGITS = 1          # a number in each string, or something else that has digits
    ADDRESSES = 2
    STARS = 4
    MAIL = 8
    ANSWERS = 16        # yes and no
    DATES = 32
    CLOCKS = 64
    PHONES = 128
    RATINGS = 256

cdef enum:
    TOLD_BY_DIGITS = 32 | 64 | 128 | 256    # known after a second look, at the numbers of each string

cdef int families_by_digits(str string) noexcept
