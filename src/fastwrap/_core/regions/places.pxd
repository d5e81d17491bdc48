"""What `places` offers other native modules: where a node stands on its page, as landmarks and names say it."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastwrap._core.common.page cimport PageArrays

cdef enum:                  # what is known of a node: bits
    KNOWN = 1
    IN_NAVIGATION = 2       # it is, or is within, an element or a role for navigation, or a dialog
    IN_MAIN = 4             # the same of the main landmark
    BESIDE = 8              # one of the levels around it that are named as beside the point; with the next bit, up to 3
    MOST_BESIDE = 24


cdef struct PlaceRules:
    # The tables of `fastwrap.regions.ranking.Options`, where they are described.
    const uint8_t *is_navigation    # [tags + 1] by tag; the last entry is for all tags that are not in the table
    int32_t known_tags
    const uint64_t *words           # sorted, as `letters_of_word` packs them ...
    int32_t word_count              # ... and how many there are
    const uint64_t *roles
    int32_t role_count


cdef struct Places:
    const PageArrays *page
    const PlaceRules *rules
    uint8_t *known              # [n] what is known of each node; 0 before it was asked for
    int32_t *path               # room for the nodes from one up to the root
    const unsigned char *last_class     # the class that was looked at last ...
    int32_t class_length                # ... its bytes, -1 before any was ...
    bint class_is_beside                # ... and whether it has one of the words


cdef uint8_t place_of(Places *places, int32_t node) noexcept nogil
cdef bint is_main_role(const PageArrays *page, int32_t entry) noexcept nogil
