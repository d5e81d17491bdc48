# Lexbor's own node structures, as far as the walk reads them: the selectolax wheel has no headers.
# Nothing here is trusted: `layout.py` checks every offset before the first page is read, against a document it knows.

from libc.stdint cimport uint32_t, uintptr_t


cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>

    typedef struct {
        unsigned char *data;      /* UTF-8, not terminated */
        size_t         length;
    } fw_string;

    typedef struct fw_node {
        void           *event_target;
        uintptr_t       local_name;      /* a small number, or the address of an fw_name */
        uintptr_t       prefix;
        uintptr_t       ns;
        void           *owner_document;
        struct fw_node *next;
        struct fw_node *prev;
        struct fw_node *parent;
        struct fw_node *first_child;
        struct fw_node *last_child;
        void           *user;
        uint32_t        type;
    } fw_node;

    typedef struct {
        fw_node   node;
        fw_string data;
    } fw_text;

    typedef struct fw_attribute {
        fw_node              node;             /* node.local_name: the name in lower case */
        uintptr_t            upper_name;
        uintptr_t            qualified_name;   /* the name as written (svg), or 0 */
        fw_string           *value;            /* NULL for an attribute without one */
        void                *owner;            /* the element */
        struct fw_attribute *next;
        struct fw_attribute *prev;
    } fw_attribute;

    typedef struct {
        fw_node       node;
        uintptr_t     upper_name;
        uintptr_t     qualified_name;
        fw_string    *is_value;
        fw_attribute *first_attribute;
        fw_attribute *last_attribute;
    } fw_element;

    /* An entry of Lexbor's hash of names that are not in its static tables. */
    typedef struct {
        union {
            unsigned char *long_name;          /* of more than 16 bytes */
            unsigned char  short_name[17];
        } name;
        size_t length;
    } fw_name;
    """

    ctypedef struct fw_string:
        unsigned char *data
        size_t length

    ctypedef struct fw_node:
        uintptr_t local_name
        fw_node *next
        fw_node *parent
        fw_node *first_child
        uint32_t type

    ctypedef struct fw_text:
        fw_node node
        fw_string data

    ctypedef struct fw_attribute:
        fw_node node
        uintptr_t qualified_name
        fw_string *value
        fw_attribute *next

    ctypedef struct fw_element:
        fw_node node
        fw_attribute *first_attribute

    ctypedef union fw_name_bytes:
        unsigned char *long_name
        unsigned char short_name[17]

    ctypedef struct fw_name:
        fw_name_bytes name
        size_t length

    size_t offsetof_next "offsetof(fw_node, next)"
    size_t offsetof_prev "offsetof(fw_node, prev)"
    size_t offsetof_parent "offsetof(fw_node, parent)"
    size_t offsetof_first_child "offsetof(fw_node, first_child)"
    size_t offsetof_last_child "offsetof(fw_node, last_child)"
    size_t offsetof_local_name "offsetof(fw_node, local_name)"
    size_t offsetof_type "offsetof(fw_node, type)"
    size_t offsetof_text_data "offsetof(fw_text, data.data)"
    size_t offsetof_text_length "offsetof(fw_text, data.length)"
    size_t offsetof_first_attribute "offsetof(fw_element, first_attribute)"
    size_t offsetof_last_attribute "offsetof(fw_element, last_attribute)"
    size_t offsetof_qualified_name "offsetof(fw_attribute, qualified_name)"
    size_t offsetof_value "offsetof(fw_attribute, value)"
    size_t offsetof_owner "offsetof(fw_attribute, owner)"
    size_t offsetof_attribute_next "offsetof(fw_attribute, next)"
    size_t offsetof_name_length "offsetof(fw_name, length)"

cdef enum:
    ELEMENT_NODE = 1
    TEXT_NODE = 3
    SHORT_NAME = 16          # names up to this many bytes are stored in place
    STATIC_NAMES = 4096      # a local_name from here on is an address, below it a number of Lexbor's tables
