"""What may be read in a column, as bits of `Strings.families` and for `Strings.may_be`."""

DIGITS: int
ADDRESSES: int
STARS: int
MAIL: int
ANSWERS: int
DATES: int
CLOCKS: int
PHONES: int
RATINGS: int
