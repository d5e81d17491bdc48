"""Roles of columns by how they stand to each other: one is the title, the larger of two amounts is the old price.
What headers and labels said stays; what markup said does too, but for a title that another column is more likely."""

from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from libc.math cimport trunc

from fastwrap._core.columns.known cimport Known, Words
from fastwrap._core.common.characters cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, character, uint8_t, uint16_t, uint32_t,
)

cdef enum:
    SHORTEST_PROSE = 25     # characters on average of texts that are a description, if nothing else tells
    LONGEST_CATEGORY = 30   # characters on average of texts that come again
    MOST_WORDS = 4          # of the name of somebody
    NOWHERE = -1
    NO_TITLE = -2           # no column is before or after it

cdef double REPEATED = 0.6          # texts of which only this share is different, and which are short, are categories
cdef double PERSON_SHARE = 0.8      # of texts, that look like names of people
cdef double LARGER_SHARE = 0.9      # of the records that have two amounts, in which one must be the larger


cdef inline Known at(list columns, Py_ssize_t place):
    return <Known>PyList_GET_ITEM(columns, place)


cpdef dict settle(list columns, bint are_posts, Words words):
    """The roles that places among the others give or take; see `relations.pyi`."""
    cdef Py_ssize_t title
    cdef dict roles = {}
    title = find_title(columns, are_posts, roles)
    find_price(columns, roles)
    find_old_price(columns, words, roles)
    find_rating(columns, roles)
    find_reviews(columns, roles)
    guess_rest(columns, title, words, roles)
    return roles


cdef inline str role_of(list columns, Py_ssize_t place, dict roles):
    """The role of a column, as far as it is known."""
    return roles.get(place, at(columns, place).role)


cdef inline bint is_called(list columns, str role) except -1:
    """Whether any column has been called so before."""
    cdef Py_ssize_t place
    for place in range(PyList_GET_SIZE(columns)):
        if at(columns, place).role == role:
            return True
    return False


cdef inline bint is_together(Known column, Known title) noexcept:
    """Whether texts stand in the heading or the link of a title."""
    return (column.in_heading and title.in_heading) or (column.in_link and title.in_link)


cdef inline bint is_before_title(Known column, Known title) noexcept:
    """Whether short words stand in the heading or the link of a title: the brand of what is sold, most often."""
    return (is_together(column, title) and column.length() <= LONGEST_CATEGORY
            and 2 * column.length() <= title.length() + 20)


# Titles


cdef bint may_be_title(Known column, bint are_posts) except -1:
    """Whether a column is of texts without a type, one per record, that differ, and nothing says that they are
    something else. Posts have a title only where it stands in a heading or a link."""
    if not column.is_text or column.is_list or column.type != "text":
        return False
    if column.role != "" and column.role != "title" and column.role != "description":
        return False
    if column.different() <= 1:
        return False
    if not are_posts:
        return True
    return (column.role == ("title" if column.is_said else "") and (column.in_heading or column.in_link)
            and not column.is_moment)


cdef double likeness_to_title(Known column, Py_ssize_t place, Py_ssize_t records) except? -1:
    """How much a column is like titles; `place` is that among those that may be."""
    cdef bint is_title = column.role == "title"
    cdef double length = column.length(), points
    points = <double>PyList_GET_SIZE(column.texts) / records + 0.8 * column.different() / records - 0.02 * place
    points += 1.0 * is_title + 1.0 * column.in_heading + 0.8 * column.in_link
    points += 0.3 * (10 <= length <= 120) - (length < 4) - (length > 200)
    points -= 0.5 * (column.letters() < 0.5) + column.is_hidden
    return points - (column.is_said and not is_title)


cdef Py_ssize_t find_title(list columns, bint are_posts, dict roles) except -2:
    """The column of titles, and that others which markup calls so are none; NOWHERE if there is none."""
    cdef Py_ssize_t place, title = NOWHERE, candidates = 0, records = 0
    cdef double score, best = 0
    cdef Known column
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        records = max(records, column.records)
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        if column.role == "title" and may_be_title(column, False):
            roles[place] = ""
        if not may_be_title(column, are_posts):
            continue
        score = likeness_to_title(column, candidates, records)
        if candidates == 0 or score > best:
            title, best = place, score
        candidates += 1
    if title != NOWHERE:
        roles[title] = "title"
    return title


# Numbers


cdef int find_price(list columns, dict roles) except -1:
    """The column of prices, if none is called so: the only amounts that there are, whatever the class that they share
    with the price of something else."""
    cdef Py_ssize_t place, amounts = 0, only = NOWHERE
    cdef Known column
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        if column.type == "money" and column.role != "old price":
            amounts += 1
            only = place
    if amounts == 1 and at(columns, only).role == "shipping" and not is_called(columns, "price"):
        roles[only] = "price"
    return 0


cdef bint is_larger(Known column, Known other, Words words) except -1:
    """Whether the amounts of a column are larger than those beside them in another, in no more of the records."""
    cdef Py_ssize_t texts = PyList_GET_SIZE(column.texts), pairs = 0, larger = 0
    if texts > PyList_GET_SIZE(other.texts):
        return False
    for mine, its in zip(column.values, other.values, strict=True):
        if isinstance(mine, words.money) and isinstance(its, words.money):
            pairs += 1
            larger += bool(mine.amount > its.amount)
    return pairs > 0 and larger >= LARGER_SHARE * pairs and 2 * pairs >= texts


cdef int find_old_price(list columns, Words words, dict roles) except -1:
    """The column of old prices, if none is called so: the larger one of two."""
    cdef Py_ssize_t place
    cdef list prices = []
    cdef Known column
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        if column.type == "money" and column.role == "price" and not column.is_list:
            prices.append(place)
    if len(prices) < 2 or is_called(columns, "old price"):
        return 0
    for mine in prices:
        for other in prices:
            if mine != other and is_larger(at(columns, mine), at(columns, other), words):
                roles[mine] = "old price"
                return 0
    return 0


cdef int find_rating(list columns, dict roles) except -1:
    """The column of ratings: numbers up to five, most of them with a decimal, if none is known."""
    cdef Py_ssize_t place, count, fractions
    cdef Known column
    cdef double most, number
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        if column.role == "rating" and (column.type == "number" or column.type == "rating"):
            return 0
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        if column.type != "number" or (column.role != "" and column.role != "number" and column.role != "size"):
            continue
        count = fractions = 0
        most = 0
        for value in column.values:
            if isinstance(value, float):
                number = value
                most = number if count == 0 else max(most, number)
                count += 1
                fractions += number != trunc(number)
        if count >= 2 and most <= 5 and 2 * fractions >= count:
            roles[place] = "rating"
            return 0
    return 0


cdef bint are_many(Known column) except -1:
    """Whether numbers that markup calls a rating count reviews: there are larger ones than of ratings, or all stand in
    brackets."""
    for value in column.values:
        if isinstance(value, int) and value > 5:
            return True
    for text in column.texts:
        if not (<str>text).strip().startswith("("):
            return False
    return True


cdef int find_reviews(list columns, dict roles) except -1:
    """The column of how many reviews there are: whole numbers that markup calls a rating, or right after one."""
    cdef Py_ssize_t place
    cdef Known column
    cdef str role
    if is_called(columns, "reviews"):
        return 0
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        if column.type != "integer":
            continue
        role = role_of(columns, place, roles)
        if role != "" and role != "number" and role != "rating":
            continue
        if (role == "rating" and are_many(column)) or (
                place > 0 and role_of(columns, place - 1, roles) == "rating" and (role != "" or not column.is_said)):
            roles[place] = "reviews"
            return 0
    return 0


# Texts


cdef bint begins_small(const character *text, Py_ssize_t length) noexcept:
    """Whether a word right behind a space begins with a small letter or no letter (in ASCII), or too many words do
    begin: no name of somebody then, and no expression need be searched for."""
    cdef Py_ssize_t i, words = 0
    for i in range(1, length):
        if text[i - 1] != 32 or text[i] > 127:
            continue
        if 97 <= text[i] <= 122 or 48 <= text[i] <= 57 or text[i] == 95:
            return True
        words += 65 <= text[i] <= 90
    return words > MOST_WORDS


cdef inline bint is_no_name(object text) noexcept:
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    if PyUnicode_KIND(text) == 1:
        return begins_small(<const uint8_t *>data, length)
    if PyUnicode_KIND(text) == 2:
        return begins_small(<const uint16_t *>data, length)
    return begins_small(<const uint32_t *>data, length)


cdef bint are_people(Known column, Words words) except -1:
    """Whether texts look like names of people, and none has a digit."""
    cdef Py_ssize_t count = PyList_GET_SIZE(column.texts), misses = 0, i
    cdef object text
    if column.digits() != 0:
        return False
    for i in range(count):
        text = <object>PyList_GET_ITEM(column.texts, i)
        if is_no_name(text) or words.is_person(text) is None:
            misses += 1
            if count - misses < PERSON_SHARE * count:
                return False
    return True


cdef int guess_rest(list columns, Py_ssize_t title, Words words, dict roles) except -1:
    """Roles of texts of which nothing tells what they are: the longest are the description, those that come again are
    the category, and those that look like names of people the author."""
    cdef Py_ssize_t place, count = PyList_GET_SIZE(columns), longest = NOWHERE
    cdef bint is_described = False, has_price = False, has_brand = False, has_author = False, has_category = False
    cdef Known column
    cdef str role
    cdef list unknown = []
    cdef double most = 0
    for place in range(count):
        column = at(columns, place)
        role = role_of(columns, place, roles)
        if role == "":
            if not column.is_said and column.is_text and column.type == "text" and column.different() > 1:
                unknown.append(place)
            continue
        is_described = is_described or role == "description"
        has_price = has_price or role == "price"
        has_brand = has_brand or role == "brand"
        has_author = has_author or role == "author"
        has_category = has_category or role == "category"
    if not unknown:
        return 0
    if title == NOWHERE:
        title = NO_TITLE    # nothing stands beside it
    if not is_described:
        for place in unknown:
            column = at(columns, place)
            if place == title + 1 and is_together(column, at(columns, title)):
                continue
            if longest == NOWHERE or column.length_of_cells() > most:
                longest, most = place, column.length_of_cells()
        if longest != NOWHERE and most >= SHORTEST_PROSE:
            roles[longest] = "description"
        else:
            longest = NOWHERE
    for place in unknown:
        column = at(columns, place)
        if place == longest or column.is_list:
            continue
        if not has_brand and has_price and place + 1 == title and is_before_title(column, at(columns, title)):
            roles[place] = "brand"
            has_brand = True
        elif place == title + 1 and is_together(column, at(columns, title)):
            roles[place] = "subtitle"
        elif not has_author and are_people(column, words):
            roles[place] = "author"
            has_author = True
        elif (not has_category and column.different() <= REPEATED * PyList_GET_SIZE(column.texts)
                and column.length() <= LONGEST_CATEGORY):
            roles[place] = "category"
            has_category = True
    return 0
