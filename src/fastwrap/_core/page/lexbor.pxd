# Lexbor's own structures, as far as the walk and the parse read them: the selectolax wheel has no headers.
# Nothing here is trusted: `layout.py` (nodes) and `functions.py` (tokens, the tree under construction, memory) check
# every offset before the first page is read, against documents they know.

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

    /* An entry of its hash of the names of attributes. */
    typedef struct {
        fw_name    entry;
        void      *next;
        uintptr_t  number;                     /* a small number, or the address of this */
    } fw_attribute_name;

    typedef struct fw_token_attribute {
        const unsigned char       *name_begin; /* in the page, as the next three */
        const unsigned char       *name_end;
        const unsigned char       *value_begin; /* NULL for an attribute without value */
        const unsigned char       *value_end;
        fw_attribute_name         *name;
        const unsigned char       *value;      /* with references resolved */
        size_t                     value_length;
        struct fw_token_attribute *next;
    } fw_token_attribute;

    typedef struct {
        const unsigned char *begin;            /* in the page */
        const unsigned char *end;
        const unsigned char *text_start;       /* with references resolved, in a buffer of the tokenizer */
        const unsigned char *text_end;
        fw_token_attribute  *first_attribute;
        fw_token_attribute  *last_attribute;
        void                *base_element;
        size_t               null_count;
        uintptr_t            tag;              /* as an element's local_name */
        int                  type;
    } fw_token;

    typedef struct {
        void  **list;
        size_t  size;
        size_t  length;
    } fw_array;

    typedef struct {
        fw_node  node;
        uint32_t quirks;                       /* 0, 1, or 2 for limited quirks */
    } fw_document;

    typedef struct {
        void      *tokenizer;
        void      *document;
        void      *fragment;
        void      *form;
        fw_array  *open_elements;
        fw_array  *active_formatting;
    } fw_tree;

    typedef struct fw_chunk {
        unsigned char   *data;
        size_t           length;
        size_t           size;
        struct fw_chunk *next;
        struct fw_chunk *prev;
    } fw_chunk;

    typedef struct {
        fw_chunk *chunk;                       /* the last one */
        fw_chunk *first;
        size_t    chunk_size;
    } fw_memory;

    typedef struct {
        fw_memory *memory;
    } fw_pool;
    """

    ctypedef struct fw_string:
        unsigned char *data
        size_t length

    ctypedef struct fw_node:
        uintptr_t local_name
        fw_node *next
        fw_node *parent
        fw_node *first_child
        fw_node *last_child
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

    ctypedef struct fw_attribute_name:
        uintptr_t number

    ctypedef struct fw_token_attribute:
        const unsigned char *value_begin
        fw_attribute_name *name
        const unsigned char *value
        size_t value_length
        fw_token_attribute *next

    ctypedef struct fw_token:
        const unsigned char *end
        const unsigned char *text_start
        const unsigned char *text_end
        fw_token_attribute *first_attribute
        size_t null_count
        uintptr_t tag
        int type

    ctypedef struct fw_array:
        size_t length

    ctypedef struct fw_document:
        fw_node node
        uint32_t quirks

    ctypedef struct fw_tree:
        fw_array *open_elements
        fw_array *active_formatting

    ctypedef struct fw_chunk:
        size_t size
        fw_chunk *prev

    ctypedef struct fw_memory:
        fw_chunk *chunk

    ctypedef struct fw_pool:
        fw_memory *memory

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
    size_t offsetof_token_end "offsetof(fw_token, end)"
    size_t offsetof_token_text_start "offsetof(fw_token, text_start)"
    size_t offsetof_token_text_end "offsetof(fw_token, text_end)"
    size_t offsetof_token_first_attribute "offsetof(fw_token, first_attribute)"
    size_t offsetof_token_last_attribute "offsetof(fw_token, last_attribute)"
    size_t offsetof_token_attribute_next "offsetof(fw_token_attribute, next)"
    size_t offsetof_token_attribute_name "offsetof(fw_token_attribute, name)"
    size_t offsetof_token_attribute_value_begin "offsetof(fw_token_attribute, value_begin)"
    size_t offsetof_token_attribute_value "offsetof(fw_token_attribute, value)"
    size_t offsetof_token_attribute_value_length "offsetof(fw_token_attribute, value_length)"
    size_t offsetof_attribute_name_number "offsetof(fw_attribute_name, number)"
    size_t offsetof_token_null_count "offsetof(fw_token, null_count)"
    size_t offsetof_token_tag "offsetof(fw_token, tag)"
    size_t offsetof_token_type "offsetof(fw_token, type)"
    size_t offsetof_array_length "offsetof(fw_array, length)"
    size_t offsetof_quirks "offsetof(fw_document, quirks)"
    size_t offsetof_open_elements "offsetof(fw_tree, open_elements)"
    size_t offsetof_active_formatting "offsetof(fw_tree, active_formatting)"
    size_t offsetof_memory "offsetof(fw_pool, memory)"
    size_t offsetof_chunk "offsetof(fw_memory, chunk)"
    size_t offsetof_chunk_size "offsetof(fw_chunk, size)"
    size_t offsetof_chunk_prev "offsetof(fw_chunk, prev)"

cdef enum:
    ELEMENT_NODE = 1
    TEXT_NODE = 3
    SHORT_NAME = 16          # names up to this many bytes are stored in place
    STATIC_NAMES = 4096      # a local_name from here on is an address, below it a number of Lexbor's tables
