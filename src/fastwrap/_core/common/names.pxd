"""Numbers of the tag and attribute names that kernels know, as `fastwrap.page.names` has them (a test compares)."""

cdef enum:
    TEXT = 0                # the tag of a text
    TAG_BODY = 3
    TAG_A = 14
    TAG_BR = 16
    TAG_IMG = 17
    TAG_TD = 32
    TAG_TH = 33
    KNOWN_TAGS = 224        # tags that are in the table of names: the numbers of all others are larger

    ATTRIBUTE_CLASS = 0
    ATTRIBUTE_STYLE = 1
    ATTRIBUTE_HIDDEN = 2
    ATTRIBUTE_HREF = 4
    ATTRIBUTE_WIDTH = 19
    ATTRIBUTE_HEIGHT = 20
