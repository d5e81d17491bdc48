"""Numbers of the tag and attribute names that kernels know, as `fastwrap.page.names` has them (a test compares)."""

cdef enum:
    TEXT = 0                # the tag of a text
    TAG_HTML = 1
    TAG_BODY = 3
    TAG_LINK = 6
    TAG_A = 14
    TAG_BR = 16
    TAG_IMG = 17
    TAG_UL = 18
    TAG_OL = 19
    TAG_LI = 20
    TAG_TR = 31
    TAG_TD = 32
    TAG_TH = 33
    TAG_H1 = 34
    TAG_H6 = 39
    TAG_INPUT = 60
    TAG_SELECT = 62
    TAG_TEXTAREA = 65
    TAG_LABEL = 66
    TAG_MAIN = 76
    TAG_AREA = 95
    TAG_TIME = 195
    KNOWN_TAGS = 224        # tags that are in the table of names: the numbers of all others are larger

    ATTRIBUTE_CLASS = 0
    ATTRIBUTE_STYLE = 1
    ATTRIBUTE_HIDDEN = 2
    ATTRIBUTE_ID = 3
    ATTRIBUTE_HREF = 4
    ATTRIBUTE_SRC = 5
    ATTRIBUTE_ALT = 6
    ATTRIBUTE_TITLE = 7
    ATTRIBUTE_REL = 11
    ATTRIBUTE_ITEMPROP = 14
    ATTRIBUTE_ITEMSCOPE = 15
    ATTRIBUTE_WIDTH = 19
    ATTRIBUTE_HEIGHT = 20
    ATTRIBUTE_ROLE = 34
    ATTRIBUTE_ARIA_LABEL = 35
    ATTRIBUTE_FOR = 38
    ATTRIBUTE_XLINK_HREF = 139
