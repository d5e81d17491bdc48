"""Addresses: how that of a link relates to that of its page. One number larger is what paging looks like.
Patterns are compiled when they are first needed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from urllib.parse import unquote

from fastwrap.page.addresses import absolute, is_web, scheme_of
from fastwrap.paging.labels import NEVER
from fastwrap.paging.words import CURSOR_NAMES, ID_NAMES, PAGE_NAMES, TIME_NAMES

MAX_ADDRESS = 2000
"""Characters of an address."""

PAGE_WORD = (
    r"(?:page|pages|paged|p|pg|pag|pagina|página|paginas|seite|strona|sayfa|sida|side|strana|stranka|stran|sivu|oldal|"
    r"puslapis|index|start|startindex|offset|trang|halaman|list)"
)
PAGE_STEP = rf"(?i)[-_/.,;]?(?:{PAGE_WORD}[-_/=:.,]{{0,2}}(?:st[-_/=:.,]{{1,2}})?)?(\d{{1,5}})(?:/|\.\w{{2,5}})?"
"""What is added to the end of a path for a later page of the listing."""
PAGE_PART = rf"(?i){PAGE_WORD}[-_/=:.,~]?\d{{1,5}}"
"""What is added in the midst of it."""
PAGE_WITHIN = rf"(?i)(?:^|[/;,&_.~-])(?!p\d|side|list|index){PAGE_WORD}[-_/=:.,~]\d{{1,5}}(?=$|[/;,&?.~-])"
LAST_NAME = r"([^\W\d_]+)[-_/=:.,]?$"
NAMED_NUMBER = r"([^\W\d_]+)[-_/=:.,]{0,2}\d{1,6}(?:\.\w{2,5})?$"
"""At the end of a path."""
DIGITS = r"(\d+)"
YEAR = "(?:19|20)[0-9]{2}"


class Relation(Enum):
    """How the address of a link relates to that of the page; and the points that the link has for it."""

    STEP = "one number larger, or the first number added", 3
    BACK = "one number smaller, or the number gone", -6
    SAME = "the page itself", NEVER
    PAGED = "another listing or none, but with the number of a page", 1
    KIN = "the same place, without the number of a page", 0
    OTHER = "the same site", -2
    FOREIGN = "another site", -4
    NOWHERE = "none that can be fetched", NEVER
    TOO_LONG = "too long to be looked at", NEVER
    LIKELY = "that of the page is not known; with the number of a page", 2
    UNKNOWN = "that of the page is not known", 1


def limits_met(relations: Iterable[Relation]) -> tuple[str, ...]:
    """The limits that were met where addresses had these relations."""
    return ("paging.addresses",) if Relation.TOO_LONG in relations else ()


class Address:
    """An address taken apart."""

    __slots__ = ("path", "query", "site")

    def __init__(self, address: str) -> None:
        rest, _, query = address.partition("#")[0].partition("?")
        scheme, colon, after = rest.partition(":")
        if scheme and colon and "/" not in scheme:
            rest = after
        host, path = "", rest
        if rest.startswith("//"):
            host, slash, path = rest[2:].partition("/")
            path = slash + path
        labels = host.lower().rpartition("@")[2].partition(":")[0].split(".")
        # www.shop.example.org and m.example.org are one site; so are those of example.co.uk.
        self.site = labels[-2:] if len(labels) < 3 or len(labels[-2]) > 3 else labels[-3:]
        pairs = unquote(query).replace(";", "&").split("&") if query else []
        if query.startswith("/") and "=" not in pairs[0]:
            path += "?" + pairs.pop(0)  # the path goes on: index.php?/topic/12/page/2
        self.path = (unquote(path) if "%" in path else path).rstrip("/")
        self.query: dict[str, str] = {}
        """The parameters, the last one of each name."""
        if pairs:
            for pair in pairs:
                name, _, value = pair.partition("=")
                if name:
                    self.query[name] = value


@lru_cache(maxsize=1024)
def counts_pages(parameter: str) -> bool:
    """Whether a parameter of this name may count pages, or the records before them.

    >>> counts_pages("page"), counts_pages("list[start]"), counts_pages("p2"), counts_pages("sort"), counts_pages("id")
    (True, True, True, False, False)
    >>> counts_pages("b_start:int"), counts_pages("per_page"), counts_pages("pageSize")
    (True, False, False)
    """
    whole = parameter.lower().rstrip("]").removesuffix(":int")
    name = whole[max(map(whole.rfind, "[.:_-")) + 1 :]
    if ID_NAMES.fits(whole):
        return False
    return PAGE_NAMES.fits(name) or (name[:1] == "p" and name[1:].isdecimal() and len(name) == 2)


@lru_cache(maxsize=1024)
def is_cursor(parameter: str) -> bool:
    """Whether a parameter of this name may say after which record a page begins, in whatever way.

    >>> is_cursor("after"), is_cursor("page[cursor]"), is_cursor("updated-max"), is_cursor("page"), is_cursor("id")
    (True, True, True, False, False)
    """
    return CURSOR_NAMES.fits("".join(filter(str.isalnum, parameter.lower())))


def as_number(value: str | None) -> int | None:
    """The number that a parameter has, if it is one that pages may have; of several lists, that of the last.

    >>> as_number("12"), as_number("0,2"), as_number("12345678"), as_number("x")
    (12, 2, None, None)
    """
    if value is None or len(value) >= 8 or not value.isascii():
        return None
    while value.startswith("0,"):
        value = value[2:]
    return int(value) if value.isdigit() else None


def relation(here: Address, there: Address) -> Relation:
    """How the address of a link relates to that of its page.

    >>> def name(here, there):
    ...     return relation(Address("http://a.org" + here), Address("http://a.org" + there)).name
    >>> name("/list", "/list?page=2"), name("/list?start=20", "/list?start=40"), name("/list/page/4/", "/list/page/3/")
    ('STEP', 'STEP', 'BACK')
    >>> name("/list", "/search?page=3"), name("/list?sort=a", "/list?sort=b"), name("/list", "/about")
    ('PAGED', 'KIN', 'OTHER')
    """
    if here.site != there.site:
        return Relation.FOREIGN
    by_query = query_relation(here.query, there.query)
    if here.path == there.path:
        return by_query
    by_path = path_relation(here.path, there.path)
    if by_path in (Relation.STEP, Relation.BACK):
        return by_path
    if by_query is Relation.STEP and (here.path.endswith(there.path) or is_below(there.path, here.path)):
        return Relation.STEP  # the first page is often reached by a longer or shorter path
    return Relation.PAGED if is_paged(there) else by_path


def is_paged(address: Address) -> bool:
    """Whether an address has the number of a page, or of the records before it.

    >>> is_paged(Address("/list?start=20")), is_paged(Address("/list/page/2")), is_paged(Address("/list?id=2"))
    (True, True, False)
    """
    if any(as_number(value) and counts_pages(name) for name, value in address.query.items()):
        return True
    ending = re.search(NAMED_NUMBER, address.path[-40:])
    return (ending is not None and counts_pages(ending[1])) or re.search(PAGE_WITHIN, address.path) is not None


def is_below(path: str, directory: str) -> bool:
    """Whether one path is the other or begins with it."""
    return path == directory or path.startswith(directory + "/") or directory.startswith(path + "/")


def query_relation(here: dict[str, str], there: dict[str, str]) -> Relation:
    """The relation of two addresses with equal paths."""
    kinship = Relation.SAME
    for name, value in there.items():
        old = here.get(name, "")
        if old == value:
            continue
        kinship = Relation.KIN
        number, before = as_number(value), as_number(old)
        if number is not None and before is not None and (counts_pages(name) or is_step(before, number, name)):
            return Relation.STEP if number > before else Relation.BACK
        if counts_pages(name) and (old if number is None else number > 0 and not old):
            return Relation.STEP  # the first number, or another token of a cursor
        if number is None and not old and value and is_cursor(name):
            return Relation.STEP  # the first token
    gone = [name for name, value in here.items() if value and name not in there]
    if kinship is Relation.SAME and any(as_number(here[name]) and counts_pages(name) for name in gone):
        return Relation.BACK
    return Relation.KIN if gone else kinship


def path_relation(here: str, there: str) -> Relation:
    """The relation of two addresses with different paths."""
    old, new = re.split(DIGITS, here), re.split(DIGITS, there)
    if old[::2] == new[::2]:
        places = [k for k in range(1, len(old), 2) if old[k] != new[k]]
        place = places[0]
        before, number = as_number(old[place]), as_number(new[place])
        if len(places) == 1 and before is not None and number is not None:
            name = re.search(LAST_NAME, old[place - 1][-40:])
            if (name and counts_pages(name[1])) or (is_step(before, number) and not is_date(new, place)):
                return Relation.STEP if number > before else Relation.BACK
        return range_relation(old, new, places)
    for first, later, direction in ((here, there, Relation.STEP), (there, here, Relation.BACK)):
        for stem in (first, without_suffix(first)):
            if later.startswith(stem):
                added = re.fullmatch(PAGE_STEP, later[len(stem) :])
                if added and not re.fullmatch(YEAR, added[1]):
                    return direction
        if re.fullmatch(PAGE_PART, inserted(first, later)):
            return direction
    directory = here.rpartition("/")[0]
    is_near = is_below(there, here) or (directory and is_below(there, directory))
    return Relation.KIN if is_near else Relation.OTHER


def is_date(parts: list[str], place: int) -> bool:
    """Whether a number of an address, which is every other part, is a year, or a month or day after one."""
    return any(re.fullmatch(YEAR, part) for part in parts[max(place - 4, 1) : place + 1 : 2])


def range_relation(old: list[str], new: list[str], places: list[int]) -> Relation:
    """The relation of two paths that differ in these numbers: ranges of records, such as 1-10 and 11-20, may follow
    one another."""
    if len(places) == 2 and places[0] + 2 == places[1] and new[places[0] + 1] in ("-", "_", "/", ","):
        before, after = ([as_number(parts[place]) for place in places] for parts in (old, new))
        for (first, last), (later, _), direction in ((before, after, Relation.STEP), (after, before, Relation.BACK)):
            if first is not None and last is not None and later is not None and first < last and 0 <= later - last <= 1:
                return direction
    return Relation.KIN


def inserted(path: str, longer: str) -> str:
    """The steps that one path has more than another, if they are together; else nothing.

    >>> inserted("/a/b", "/a/page/2/b"), inserted("/a/b", "/a/c"), inserted("/a/b", "/c/a/d/b")
    ('page/2', '', '')
    """
    steps, more = path.split("/"), longer.split("/")
    if len(more) <= len(steps):
        return ""
    start = 0
    while start < len(steps) and steps[start] == more[start]:
        start += 1
    rest = len(steps) - start
    return "/".join(more[start : len(more) - rest]) if steps[start:] == more[len(more) - rest :] else ""


def is_step(before: int, number: int, name: str = "") -> bool:
    """Whether two numbers are those of pages in sequence, or of the records before them, whatever they are called.

    >>> is_step(1, 2), is_step(20, 40), is_step(60, 40), is_step(20, 33), is_step(5123, 5124), is_step(3, 4, "month")
    (True, True, True, False, False, False)
    """
    distance = abs(number - before)
    return (
        (distance == 1 or (5 <= distance <= 100 and before % distance <= 1))
        and max(before, number) < 1000
        and not TIME_NAMES.fits(name.lower())
    )


def without_suffix(path: str) -> str:
    """A path without the suffix of its file, and without the file if that is an index."""
    directory, _, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    if not dot:
        return path
    return directory if stem in ("index", "default", "home") else f"{directory}/{stem}"


def joined(base: str, href: str) -> str:
    """The address of a link, without its fragment; empty where it leads nowhere on the web.

    >>> joined("http://a.org/list/", "?page=2#top"), joined("", "2.html"), joined("http://a.org", "javascript:go()")
    ('http://a.org/list/?page=2', '2.html', '')
    """
    if len(href) > MAX_ADDRESS:
        return ""
    address = absolute(base, href.strip().partition("#")[0] or base) or ""
    # Where the address of the page is not known, that of a link is relative, or a path.
    return address if is_web(address) or (base[:1] in ("", "/") and not scheme_of(address)) else ""
