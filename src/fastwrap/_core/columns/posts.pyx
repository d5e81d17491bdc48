"""Roles of the columns of posts: who wrote each, when, and what. Posts have no titles of their own.
What is posted shows by its length, its author by markup, by the address of a profile, or by looks."""

from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE

from datetime import date, datetime

from fastwrap._core.columns.known cimport Known, Words

cdef enum:
    WRITTEN = 80        # characters of what is posted, on average, at least
    LONGEST_NICK = 18   # of the names of authors, on average, at most, where nothing but their looks tells, and ...
    LONGEST_NAME = 30   # ... of those that lead to a page about somebody
    NOWHERE = -1

cdef double SHARE = 0.9         # of the records, that have an author or a date; of neighbours, in order of time
cdef double HELD = 0.5          # of the records, that have the text
cdef double TITLES_DIFFER = 0.2     # of the records: from so many different titles on they are no posts


cdef inline Known at(list columns, Py_ssize_t place):
    return <Known>PyList_GET_ITEM(columns, place)


cpdef dict find_posts(list columns, markup, Words words):
    """Author, date and description of posts; see `posts.pyi`."""
    cdef Py_ssize_t place, records = 0, count = PyList_GET_SIZE(columns), text, author, when
    cdef Known column
    cdef bint is_told
    cdef dict found = {}
    for place in range(count):
        records = max(records, at(columns, place).records)
    if records < 2:
        return found
    text = find_text(columns, records)
    if text == NOWHERE:
        return found
    for place in range(count):
        column = at(columns, place)
        if column.type == "text" and column.is_text and not column.is_list and 2 <= column.length() <= LONGEST_NAME:
            column.is_profile = markup.is_profile(place)
        column.is_moment = markup.is_moment(place)
    author = find_author(columns, records, text)
    when = find_date(columns, records, words)
    if author == NOWHERE and when != NOWHERE:
        author = guess_author(columns, records, text)
    if author == NOWHERE or has_titles(columns, records, text, words):
        return found
    column = at(columns, author)
    is_told = column.role == "author" or (at(columns, text).is_said and at(columns, text).label == "")
    if when == NOWHERE and not is_told and column.different() == PyList_GET_SIZE(column.texts):
        return found    # a list of people, each with a page
    for place in range(count):
        column = at(columns, place)
        if column.role == "date" and words.is_joined(column.label):
            found[place] = ""
    found[author] = "author"
    found[text] = "description"
    if when != NOWHERE:
        found[when] = "date"
    return found


cdef Py_ssize_t find_text(list columns, Py_ssize_t records) except -2:
    """The column of what is posted: the longest one."""
    cdef Py_ssize_t place, best = NOWHERE
    cdef double most = 0, length
    cdef Known column
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        if not column.is_text or column.in_heading or column.type != "text":
            continue
        length = column.length_of_cells()
        if length < WRITTEN or column.held < HELD * records:
            continue
        if column.role != "" and column.role != "title" and column.role != "description":
            continue
        if best == NOWHERE or column.held * length > most:
            best, most = place, column.held * length
    return best


cdef Py_ssize_t find_author(list columns, Py_ssize_t records, Py_ssize_t text) except -2:
    """The column of authors, by what markup, labels or addresses say of it."""
    cdef Py_ssize_t place, best = NOWHERE
    cdef double most = 0, score
    cdef bint is_called
    cdef Known column
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        if not column.is_text or column.is_list or place == text or column.type != "text" or column.length() < 2:
            continue
        is_called = column.role == "author"
        if not is_called and not (column.is_profile and column.role == ""):
            continue
        score = <double>column.held / records + 0.3 * column.is_profile + 0.2 * is_called - 0.01 * place
        if best == NOWHERE or score > most:
            best, most = place, score
    return best if best != NOWHERE and at(columns, best).held >= HELD * records else NOWHERE


cdef Py_ssize_t guess_author(list columns, Py_ssize_t records, Py_ssize_t text) except -2:
    """The first column of short words that differ, before the text: as names that people give themselves look."""
    cdef Py_ssize_t place
    cdef Known column
    for place in range(text):
        column = at(columns, place)
        if (
            column.is_text and not column.is_list and column.type == "text" and column.role == "" and not column.is_said
            and 2 <= column.length() <= LONGEST_NICK and column.held >= SHARE * records and column.different() > 1
        ):
            return place
    return NOWHERE


cdef Py_ssize_t find_date(list columns, Py_ssize_t records, Words words) except -2:
    """The column of when the posts were written: what markup says is a time goes first, and what goes on from post to
    post; not when their authors came."""
    cdef Py_ssize_t place, best = NOWHERE
    cdef double most = 0, score
    cdef Known column
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        if column.type != "date" and column.type != "datetime" and column.role != "date":
            continue
        if column.is_list or column.held < SHARE * records or words.is_joined(column.label):
            continue
        score = column.is_moment + 1.5 * goes_on(column) + column.is_text + 0.5 * (column.label != "") - 0.01 * place
        if best == NOWHERE or score > most:
            best, most = place, score
    return best


cdef bint goes_on(Known column) except -1:
    """Whether the dates of a column are in order of time, but for a few."""
    cdef Py_ssize_t count, later = 0, i
    cdef list days = [value.replace(tzinfo=None) for value in column.values if isinstance(value, datetime)]
    if not days:
        days = [value for value in column.values if isinstance(value, date)]
    count = PyList_GET_SIZE(days)
    if count < 2:
        return False
    for i in range(count - 1):
        later += bool(days[i] <= days[i + 1])
    return max(later, count - 1 - later) >= SHARE * (count - 1)


cdef bint has_titles(list columns, Py_ssize_t records, Py_ssize_t text, Words words) except -1:
    """Whether records have titles that differ, answers to one aside, in headings, in the link to their own page, or
    called so."""
    cdef Py_ssize_t place
    cdef Known column
    for place in range(PyList_GET_SIZE(columns)):
        column = at(columns, place)
        if place == text or column.type != "text" or not column.is_text or column.is_list:
            continue
        if column.is_profile or column.is_moment or column.role != ("title" if column.is_said else ""):
            continue
        if not (column.in_heading or column.in_link or column.role != ""):
            continue
        titles = {words.without_reply("", title) for title in column.texts if len(title) > 1}
        if len(titles) > max(1.0, TITLES_DIFFER * records):
            return True
    return False
