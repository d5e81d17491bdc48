"""Names columns, and tells their roles: by headers, labels, markup, the texts themselves, and their relations.
One call a table: what stands around its columns is read from the arrays of the page; what classes say is remembered."""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.tuple cimport PyTuple_GET_ITEM
from cpython.unicode cimport PyUnicode_Check
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free

from fastwrap._core.columns.known cimport Known, Words
from fastwrap._core.columns.posts cimport find_posts
from fastwrap._core.columns.relations cimport settle
from fastwrap._core.common.names cimport (
    ATTRIBUTE_HREF, ATTRIBUTE_ITEMPROP, ATTRIBUTE_ITEMSCOPE, ATTRIBUTE_REL, TAG_A, TAG_H1, TAG_H6, TAG_TD, TAG_TH,
    TAG_TIME, TAG_TR, TEXT,
)
from fastwrap._core.common.page cimport (
    NO_ENTRY, NO_NODE, NativePage, PageArrays, Spans, attribute_of, open_spans, value_length,
)
from fastwrap._core.page.symbols cimport need_symbols

cdef enum:
    MOST_LEVELS = 3         # elements around an item that are asked what they call it
    MOST_AROUND = 12        # elements around one that are looked at for whose property it names
    SAMPLES = 8             # texts that are looked at for where their links lead
    WHOLE = -1              # instead of the number of a part: the whole text
    MOST_REMEMBERED = 8192  # values of attributes of which is remembered what they say ...
    LONGEST_REMEMBERED = 400    # ... and their bytes
    LONGEST_REASON = 1000   # characters of a class name that are kept as the reason of a name

    # The attributes that name what is in an element, by their place in `attributes`; those between are in order.
    ITEMPROP = 0
    DATA_TITLE = 1
    DATA_LABEL = 2
    FIRST_NAMING = 3
    MOST_ATTRIBUTES = 16

cdef double PROFILES = 0.75     # of the links of a column, that lead to pages about somebody

cdef frozenset OF_DIGITS = frozenset((
    "price", "old price", "unit price", "discount", "reviews", "rating", "date", "time", "views", "votes", "replies",
    "number", "year", "phone", "salary", "duration", "id",
))
cdef frozenset OF_MONEY = frozenset((
    "price", "old price", "unit price", "discount", "shipping", "salary", "size",
))
cdef frozenset OF_DATES = frozenset(("date", "time", "year", "availability", "status", "shipping", "duration"))
cdef frozenset NOT_OF_NUMBERS = frozenset((
    "title", "description", "author", "location", "date", "category", "brand", "url", "badge",
))


cdef inline bint is_number(str kind) except -1:
    return kind == "integer" or kind == "number" or kind == "money" or kind == "percent" or kind == "rating"


cdef inline bint is_nameless(str kind) except -1:
    """Whether a type says little of what a column is."""
    return kind == "text" or kind == "integer" or kind == "number"


cdef bint may_be(str role, Known column) except -1:
    """Whether a column may have a role, by its type and its texts."""
    cdef str kind = column.type
    if role == "link" or role == "image":
        return kind == "url" or kind == "image"
    if kind == "text":
        if column.digits() < 0.5 and role in OF_DIGITS:
            return (role == "price" or role == "old price" or role == "date") and column.digits() > 0.1
        if role == "title":
            return True
        if role == "description":
            return column.length() >= 15
        if role == "author":
            return column.length() <= 60
    elif role == "title" or role == "description" or role == "author":
        return False
    elif kind == "money":
        return role in OF_MONEY
    elif kind == "date" or kind == "datetime" or kind == "time":
        return role in OF_DATES
    elif is_number(kind):
        return role not in NOT_OF_NUMBERS
    return role != "url" or kind == "url" or column.points() >= 0.5


cdef struct Place:
    # Where the first item of a column is.
    int32_t slot
    int32_t node            # of the page; NO_NODE until it is found
    int32_t record          # the number of its record
    int32_t levels          # elements around it that are in the record
    int32_t elements[MOST_LEVELS]   # the inner ones first


cdef struct Around:
    # What stands around the columns of a table.
    const PageArrays *page
    Spans spans
    Py_ssize_t count        # columns, without headings of groups
    Place *places           # [count]
    int32_t *inside         # [slots] columns of texts in each slot; 0 everywhere where there are not several
    int32_t attributes[MOST_ATTRIBUTES]     # numbers of those that name; NO_NODE for what the page has not
    int32_t attribute_count


@cython.final
cdef class Naming:
    """The columns of one table, and what stands around them; see `naming.pyi`."""
    cdef Words words
    cdef object table
    cdef NativePage native
    cdef Around around
    cdef list columns       # `Known`
    cdef list kinds         # the attribute of each, or "text"
    cdef list types         # `TypedColumn`
    cdef list labels        # of each column: what is written before it, and whether that is a name
    cdef dict headers
    cdef const int32_t[:] slots
    cdef const int32_t[:] into
    cdef const int32_t[:, :] tree

    def __cinit__(self, Words words not None, table, list attributes not None):
        cdef Py_ssize_t number, slots
        cdef object layout = table.layout, records = table.records, page = records.page
        cdef list items = table.shown.item_numbers
        cdef const int32_t[:, :] places = layout.places
        self.words, self.table = words, table
        self.native = page.native
        need_symbols(self.native)
        self.around.page = &self.native.arrays
        open_spans(&self.around.spans, records.spans, self.around.page)
        if not 0 < PyList_GET_SIZE(attributes) <= MOST_ATTRIBUTES:
            raise ValueError(f"there are 1 to {MOST_ATTRIBUTES} attributes that name")
        self.around.attribute_count = <int32_t>PyList_GET_SIZE(attributes)
        for number in range(self.around.attribute_count):
            self.around.attributes[number] = attributes[number]
        self.slots, self.into, self.tree = table.slots, layout.into, layout.tree
        slots = self.into.shape[0]
        if self.tree.shape[0] != 4 or self.tree.shape[1] != slots:
            raise ValueError("there are not as many slots in the tree")
        self.kinds, self.types = table.shown.column_kinds, table.typed
        self.around.count = PyList_GET_SIZE(items)
        if PyList_GET_SIZE(self.kinds) < self.around.count or PyList_GET_SIZE(self.types) < self.around.count:
            raise ValueError("there are not as many types as columns")
        self.around.places = <Place *>calloc(<size_t>self.around.count + 1, sizeof(Place))
        self.around.inside = <int32_t *>calloc(<size_t>slots + 1, sizeof(int32_t))
        if self.around.places == NULL or self.around.inside == NULL:
            raise MemoryError("no memory for the columns")
        for number in range(self.around.count):
            if not 0 <= <Py_ssize_t>items[number] < places.shape[1]:
                raise ValueError(f"there is no item {items[number]}")
            self.around.places[number].slot = places[0, items[number]]
            if not 0 <= self.around.places[number].slot < slots:
                raise ValueError(f"there is no slot {self.around.places[number].slot}")
        self.find_places()
        self.find_columns(table.texts, table.shown.list_columns)
        self.count_inside()

    def __dealloc__(self):
        free(self.around.places)
        free(self.around.inside)

    # What there is around the columns

    cdef int find_places(self) except -1:
        """Find the first node of each column, and the elements around it."""
        cdef Spans *spans = &self.around.spans
        cdef const PageArrays *page = self.around.page
        cdef Py_ssize_t number, entry = 0
        cdef int32_t record, node, slot, left = 0
        cdef int32_t *sought = self.around.inside   # by slot, 1 as long as its first node is not found
        cdef Place *place
        for number in range(self.around.count):
            place = &self.around.places[number]
            place.node = NO_NODE
            left += sought[place.slot] == 0
            sought[place.slot] = 1
        for record in range(spans.count):
            if left == 0:
                break
            for node in range(spans.bounds[2 * record], spans.bounds[2 * record + 1]):
                if entry == self.slots.shape[0]:
                    raise ValueError("there are not as many slots as nodes")
                slot = self.slots[entry]
                entry += 1
                if not 0 <= slot < self.into.shape[0]:
                    continue
                slot = self.into[slot]
                if not 0 <= slot < self.into.shape[0] or not sought[slot]:
                    continue
                sought[slot] = 0
                left -= 1
                for number in range(self.around.count):
                    place = &self.around.places[number]
                    if place.slot == slot:
                        place.node, place.record = node, record
        for number in range(self.around.count):
            place = &self.around.places[number]
            sought[place.slot] = 0
            if place.node == NO_NODE:
                if spans.count == 0:
                    raise ValueError("there are no records")
                place.node, place.record = spans.bounds[0], 0
            place.levels = elements_of(page, place.node, spans.bounds[2 * place.record], place.elements)
        return 0

    cdef int find_columns(self, list rows, lists) except -1:
        """Find what is known of the columns."""
        cdef Py_ssize_t number
        cdef const PageArrays *page = self.around.page
        cdef object chosen = self.table.chosen
        cdef list hints = None if chosen is None else chosen.hints
        cdef Py_ssize_t link = self.table.link
        cdef int32_t first = 0, end = 0, slot
        cdef Known column
        if 0 <= link < self.around.count:
            first = self.around.places[link].slot
            end = first + self.tree[3, first]
        self.columns = []
        self.labels = self.words.labels_of(self.table) if hints is None else self.labels_chosen(chosen, hints)
        if PyList_GET_SIZE(self.labels) < self.around.count:
            raise ValueError("there are not as many labels as columns")
        for number in range(self.around.count):
            slot = self.around.places[number].slot
            column = known_column(rows, number, number in lists, <tuple>self.types[number])
            column.is_text = self.kinds[number] == "text"
            column.in_heading = self.is_in_heading(slot)
            column.in_link = first < slot < end
            column.is_hidden = page.hidden[self.around.places[number].node]
            if hints is not None:
                column.relation = <object>PyTuple_GET_ITEM(hints[number], 0)
            elif number == link:
                column.relation = "link"
            self.columns.append(column)
        return 0

    cdef list labels_chosen(self, chosen, list hints):
        """For each column what is written before its values, in a text of its own or at the beginning of each; and
        whether it is written as a name."""
        cdef list labels = []
        cdef object rules = self.table.layout.rules, hint, rule
        cdef tuple sources = chosen.choice.sources
        cdef Py_ssize_t number
        if len(hints) != len(sources) or len(sources) < self.around.count:
            raise ValueError("there are not as many hints as columns")
        for number in range(self.around.count):
            hint = hints[number]
            label = <object>PyTuple_GET_ITEM(hint, 1)
            if label == "" and sources[number].part != WHOLE:
                rule = rules.get(sources[number].first_item)
                if rule is not None:
                    labels.append((self.words.tidy(rule.prefix), False))
                    continue
            labels.append((label, <object>PyTuple_GET_ITEM(hint, 2)))
        return labels

    cdef bint is_in_heading(self, int32_t slot) noexcept:
        """Whether a slot is within one of an element h1 to h6."""
        slot = self.tree[1, slot]
        while slot != NO_NODE:
            if TAG_H1 <= self.tree[0, slot] <= TAG_H6:
                return True
            slot = self.tree[1, slot]
        return False

    cdef int count_inside(self) except -1:
        """Count the columns of texts in each slot, if there are several. What a container is called names none of
        several."""
        cdef Py_ssize_t number, texts = 0
        cdef int32_t slot
        for number in range(self.around.count):
            texts += (<Known>PyList_GET_ITEM(self.columns, number)).is_text
        if texts < 2:
            return 0
        for number in range(self.around.count):
            if (<Known>PyList_GET_ITEM(self.columns, number)).is_text:
                slot = self.around.places[number].slot
                while slot != NO_NODE:
                    self.around.inside[slot] += 1
                    slot = self.tree[1, slot]
        return 0

    # Names

    def names(self):
        """The names of all columns, none of them twice; see `naming.pyi`."""
        cdef Py_ssize_t number
        cdef Known column
        cdef dict posts, roles, claimed = {}, why
        cdef list names = []
        cdef object name, called, heading = self.table.layout.heading
        cdef const PageArrays *page = self.around.page
        self.headers = {}
        if self.around.spans.count and page.tag[self.around.spans.bounds[0]] == TAG_TR:
            self.headers = self.words.header_names(
                self.table.records,
                [self.around.places[number].node for number in range(self.around.count)],
                [self.around.places[number].record for number in range(self.around.count)])
        for number in range(self.around.count):
            names.append(self.name_of(number))
        for number in range(self.around.count):
            column, name = <Known>PyList_GET_ITEM(self.columns, number), names[number]
            why = <dict>PyTuple_GET_ITEM(name, 1)
            column.role, column.is_said = <object>PyTuple_GET_ITEM(name, 2), "type" not in why
            if "label" in why or "header" in why:
                column.label = (why.get("label", "") + " " + why.get("header", "")).strip()
        posts = find_posts(self.columns, self, self.words)
        for number, called in posts.items():
            column = <Known>PyList_GET_ITEM(self.columns, number)
            column.role, column.is_said = called, True
        roles = settle(self.columns, bool(posts), self.words)
        for number, called in posts.items():
            if called:
                roles[number] = claimed[number] = "text" if called == "description" else called
            else:
                names[number] = names[number]._replace(role="")
        for number, called in roles.items():
            self.rename(names, number, called)
        if heading is not None:
            names.append(self.words.name("section", {"heading": " ".join(heading.tags)}, "category"))
        if len({<object>PyTuple_GET_ITEM(name, 0) for name in names}) == len(names):
            return tuple(names)
        return self.words.unique(names, [number for number, called in claimed.items() if names[number].name == called])

    cdef int rename(self, list names, Py_ssize_t number, str called) except -1:
        """Call a column by what its place among the others makes it; a header, or a label that is a name, stays."""
        cdef object name = names[number]
        cdef dict why = <dict>PyTuple_GET_ITEM(name, 1)
        cdef str role = "description" if called == "subtitle" or called == "text" else called
        if "header" not in why and not ("label" in why and self.labels[number][1]):
            why = {"relation": called} if called != "" else {
                "type": (<Known>PyList_GET_ITEM(self.columns, number)).type}
            names[number] = self.words.name(called or "text", why, role)
        elif role != "":
            names[number] = name._replace(role=role)
        return 0

    cdef object name_of(self, Py_ssize_t number):
        """The name of a column, by what stands around it and what its texts say."""
        cdef Known column = <Known>PyList_GET_ITEM(self.columns, number)
        cdef str kind = self.kinds[number], label, header, name
        cdef bint is_name
        cdef object make = self.words.name, named
        if column.relation != "":
            return make(column.relation, {"relation": column.relation}, column.relation)
        label, is_name = <tuple>self.labels[number]
        if number in self.headers and column.is_text:
            header = self.headers[number]
            if label != "" and is_name:
                return make(f"{header} {label}", {"header": header, "label": label}, self.role(label, column))
            return make(header, {"header": header}, self.role(header, column))
        if label != "":
            named = self.by_label(label, is_name, column)
            if named is not None:
                return named
        if kind.startswith("data-"):
            name = " ".join(kind[5:].split("-"))
            if name != "":
                return make(name, {"markup": kind}, self.role(name, column))
        if column.type == "rating":
            return make("rating", {"type": "rating"}, "rating")
        named = self.by_markup(number, kind, column)
        if named is None:
            named = self.by_texts(number, column)
        if named is None and label != "" and is_nameless(column.type) and label.lower() not in self.words.particles:
            named = make(label, {"label": label})
        if named is None:
            # What its type makes it.
            name = self.words.type_roles.get(column.type, "") if column.is_text else ""
            named = make(self.words.attribute_names.get(kind) or name or "text", {"type": column.type}, name)
        return named

    cdef str role(self, str said, Known column):
        """The role that a label says, if the column may have it."""
        cdef str role = self.words.role_of_words(said)
        return role if may_be(role, column) else ""

    cdef object by_label(self, str label, bint is_name, Known column):
        """The name that a label gives: one that is written as a name, or that says a role."""
        cdef object make = self.words.name, why = {"label": label}
        cdef str lower, role
        if self.words.is_currency(label):
            return make("price", why, "price") if is_number(column.type) else None
        lower = label.lower()
        role = "author" if lower in self.words.by else self.role(label, column)
        if lower in self.words.particles:
            return make(role, why, role) if role != "" else None
        if role != "" and not is_name and len(label.split()) > 2:
            return make(role, why, role)    # "starting from": words that say what it is, but no name
        return make(label, why, role) if role != "" or is_name else None

    cdef object by_markup(self, Py_ssize_t number, str kind, Known column):
        """The name that the nearest element gives that says anything, of those that hold no other column."""
        cdef Place *place = &self.around.places[number]
        cdef int32_t slot = place.slot, depth
        cdef bint fits
        cdef str name, role
        for depth in range(place.levels):
            if slot != NO_NODE and (depth or column.is_text):
                slot = self.tree[1, slot]
            if depth and slot != NO_NODE and self.around.inside[slot] > 1:
                break
            for name, role, why in self.said_by(place.elements[depth]):
                if kind in self.words.attribute_names:
                    return self.words.name(f"{name} {self.words.attribute_names[kind]}", {"markup": why})
                if role in self.words.said_better:
                    phrase = self.words.phrase_of(column.texts)
                    if phrase is not None and phrase.role and phrase.role in self.words.said_better[role]:
                        role = name = phrase.role
                if role == "link" and column.is_text:
                    role = name = "url"
                if role != "":
                    fits = may_be(role, column)
                else:
                    fits = is_nameless(column.type) if name in self.words.telling else column.type == "text"
                if fits:
                    return self.words.name(name, {"markup": why}, role)
        return None

    cdef object by_texts(self, Py_ssize_t number, Known column):
        """The name that the texts say themselves: by the words behind numbers, or in most of them."""
        cdef str unit, role
        if not column.is_text or PyList_GET_SIZE(column.texts) == 0:
            return None
        phrase = self.words.phrase_of(column.texts)
        if phrase is not None:
            role = phrase.role
            if role == "" or role == "location" or role == "author" or may_be(role, column):
                return self.words.name(phrase.name, {"text": (<str>column.texts[0])[:LONGEST_REASON]}, role)
        if column.type != "integer" and column.type != "number":
            return None
        unit = self.types[number].unit
        if unit is None or unit == "" or "…" in unit or unit.isupper():
            return None
        units = self.words.units_in(unit)
        if not units:
            return None
        role = self.words.role_of_words(unit)
        role = "reviews" if role == "rating" else role if role in self.words.counted else ""
        return self.words.name(role or units[len(units) - 1].lower(), {"text": unit}, role)

    # Markup

    cdef list said_by(self, int32_t element):
        """What an element calls what is in it, best first: the name, the role, and what said so."""
        cdef const PageArrays *page = self.around.page
        cdef int32_t entries[MOST_ATTRIBUTES]
        cdef int32_t entry, number
        cdef bint any_said = False
        cdef list found = []
        cdef str label, name
        for number in range(self.around.attribute_count):
            entries[number] = NO_ENTRY
        for entry in range(page.attribute_start[element], page.attribute_start[element + 1]):
            for number in range(self.around.attribute_count):
                if page.attribute_name[entry] == self.around.attributes[number] and entries[number] == NO_ENTRY:
                    if value_length(page, entry) == 0:
                        entries[number] = NO_ENTRY - 1      # the first one counts, which says nothing
                        continue
                    entries[number] = entry
                    any_said = True
        if not any_said:
            return found
        for number in range(self.around.attribute_count):
            if entries[number] < 0 or number == DATA_TITLE or number == DATA_LABEL:
                continue
            said = self.said(element, number, entries[number])
            if said is not None:
                found.append(said)
        number = DATA_TITLE if entries[DATA_TITLE] >= 0 else DATA_LABEL
        if entries[number] >= 0 and (page.tag[element] == TAG_TD or page.tag[element] == TAG_TH):
            label = self.value(entries[number])
            name = self.words.tidy(label)
            if name != "":
                found.append((name, self.words.role_of_words(name), f"data-title={name}"))
        return found

    cdef object said(self, int32_t element, int32_t number, int32_t entry):
        """What the value of an attribute calls what is in its element; remembered for the pages to come, but for what
        belongs to something else."""
        cdef const PageArrays *page = self.around.page
        cdef int32_t length = value_length(page, entry)
        cdef object key, found
        cdef str role
        if length > LONGEST_REMEMBERED:
            found = self.meaning(number, self.value(entry))
        else:
            key = (number, PyBytes_FromStringAndSize(<const char *>page.values + page.value_start[entry], length))
            found = self.words.said.get(key, self)
            if found is self:
                found = self.meaning(number, self.value(entry))
                if len(self.words.said) >= MOST_REMEMBERED:
                    self.words.said.clear()
                self.words.said[key] = found
        if number == ITEMPROP and found is not None and found[1] == "title":
            role = self.owner_of(element)
            if role != "":
                # The name of an author is no title, and neither is the title of his job.
                name = found[2][9:]
                role = role if name == "name" else ""
                return (role or name, role, found[2])
        return found

    cdef object meaning(self, int32_t number, str said):
        """What a value of an attribute calls what is in its element: the name, the role, and what said so."""
        cdef str name, role, attribute, word
        if number == ITEMPROP:
            name = self.words.tidy(said)
            if name == "":
                return None
            role = self.words.role_of_words(said)
            return (role or name, role, f"itemprop={name}")
        attribute = self.words.naming_attributes[number - FIRST_NAMING]
        role = self.words.role_of_words(said, True)
        if role != "":
            name = "subtitle" if role == "description" and "subtitle" in said.lower() else role
            return (name, role, f"{attribute}={said}"[:LONGEST_REASON])
        word = self.words.telling_word(said)
        return (word, "", f"{attribute}={said}"[:LONGEST_REASON]) if word != "" else None

    cdef str value(self, int32_t entry):
        """What an attribute says."""
        cdef const PageArrays *page = self.around.page
        cdef const char *value = <const char *>page.values + page.value_start[entry]
        return value[:value_length(page, entry)].decode("utf-8", "replace")

    cdef str owner_of(self, int32_t element):
        """The role of what has a name, of which an element names a property; nothing for properties of the record."""
        cdef const PageArrays *page = self.around.page
        cdef int32_t above = page.parent[element], _level, item, scope
        cdef str role
        for _level in range(MOST_AROUND):
            if above == NO_NODE:
                break
            item = attribute_of(page, above, ATTRIBUTE_ITEMPROP)
            scope = attribute_of(page, above, ATTRIBUTE_ITEMSCOPE)
            if item != NO_ENTRY and value_length(page, item):
                role = self.words.role_of_words(self.value(item))
                return role if role in self.words.named else ""
            if scope != NO_ENTRY and value_length(page, scope):
                return ""
            above = page.parent[above]
        return ""

    # Posts

    def is_profile(self, Py_ssize_t number):
        """Whether most texts of a column are in links to pages about somebody; some of the records tell."""
        cdef Spans *spans = &self.around.spans
        cdef const PageArrays *page = self.around.page
        cdef Place *place = &self.around.places[number]
        cdef int32_t *nodes
        cdef int32_t record, node, slot, k
        cdef int32_t levels[MOST_LEVELS]
        cdef Py_ssize_t entry = 0, found = 0, step, leading = 0, looked_at = 0
        cdef set slots
        for k in range(place.levels):
            if page.tag[place.elements[k]] == TAG_A:
                break
        else:
            return False
        slots = {place.slot}
        if self.table.chosen is not None:
            places = self.table.layout.places
            slots = {int(places[0, item]) for part in self.table.chosen.choice.sources[number].items for item in part}
        nodes = <int32_t *>calloc(2 * self.slots.shape[0] + 2, sizeof(int32_t))
        if nodes == NULL:
            raise MemoryError("no memory for the nodes of a column")
        try:
            for record in range(spans.count):
                for node in range(spans.bounds[2 * record], spans.bounds[2 * record + 1]):
                    if entry == self.slots.shape[0]:
                        raise ValueError("there are not as many slots as nodes")
                    slot = self.slots[entry]
                    entry += 1
                    if 0 <= slot < self.into.shape[0] and self.into[slot] in slots:
                        nodes[2 * found], nodes[2 * found + 1] = node, record
                        found += 1
            step = max(1, found // SAMPLES)
            entry = 0
            while entry < found and looked_at < SAMPLES:
                looked_at += 1
                node, record = nodes[2 * entry], nodes[2 * entry + 1]
                entry += step
                for k in range(elements_of(page, node, spans.bounds[2 * record], levels)):
                    if page.tag[levels[k]] == TAG_A:
                        leading += self.leads_to_somebody(levels[k])
                        break
        finally:
            free(nodes)
        return leading >= PROFILES * looked_at

    cdef bint leads_to_somebody(self, int32_t link) except -1:
        """Whether a link leads to a page about somebody."""
        cdef const PageArrays *page = self.around.page
        cdef int32_t address = attribute_of(page, link, ATTRIBUTE_HREF)
        cdef int32_t relation = attribute_of(page, link, ATTRIBUTE_REL)
        if relation != NO_ENTRY and self.value(relation) == "author":
            return True
        return self.words.leads_to_somebody("" if address == NO_ENTRY else self.value(address))

    def is_moment(self, Py_ssize_t number):
        """Whether markup says that a column is of times."""
        cdef Place *place = &self.around.places[number]
        cdef int32_t k
        for k in range(place.levels):
            if self.around.page.tag[place.elements[k]] == TAG_TIME:
                return True
        return self.kinds[number] == "datetime"


cdef int32_t elements_of(const PageArrays *page, int32_t node, int32_t top, int32_t *levels) noexcept:
    """The element of a node, and the two around it, none before the top of its record; how many there are."""
    cdef int32_t count = 0
    if page.tag[node] == TEXT:
        node = page.parent[node]
    while node >= top and count < MOST_LEVELS:
        levels[count] = node
        count += 1
        node = page.parent[node]
    return count


cdef Known known_column(list rows, Py_ssize_t number, bint is_list, tuple typed):
    """What is known of a column by itself: the texts that rows have there; of a list, all of them."""
    cdef Known column = Known.__new__(Known)
    cdef Py_ssize_t k, count = PyList_GET_SIZE(rows), held = 0
    cdef list texts = [], row
    cdef object cell, kind = <object>PyTuple_GET_ITEM(typed, 0), values = <object>PyTuple_GET_ITEM(typed, 1)
    for k in range(count):
        row = <list>PyList_GET_ITEM(rows, k)
        if number >= PyList_GET_SIZE(row):
            raise ValueError("the rows differ in length")
        cell = <object>PyList_GET_ITEM(row, number)
        if cell is None:
            continue
        if PyUnicode_Check(cell):
            held += cell != ""
            texts.append(cell)
        else:
            held += bool(cell)
            texts.extend([<str?>part for part in <list?>cell if part is not None])
    column.held = held
    column.is_list = is_list
    column.fill(texts, [] if is_list else values, kind, count)
    return column
