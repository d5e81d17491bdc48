"""The next-page link: which link of a listing page leads to the following page of the same listing.
Labels (words, arrows, rel, class names) and rows of numbers propose links; the addresses of link and page decide.

Few links are worth a look; a native scan finds them: links whose text, title or alternative text starts like something
that pagers say, links with "next" in an attribute, and rows of numbers. Each gets points for what it says, how it is
marked, for its number, and for how its address relates to that of the page: one number larger is what paging looks
like, whatever the language. Which way is next is the page's own word: "older posts" lead on, unless the page marks
them as previous.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from urllib.parse import unquote, urljoin, urlsplit

import numpy as np
import numpy.typing as npt

from fastwrap import backend
from fastwrap.names import ATTRIBUTE_NUMBER, ATTRIBUTES, NO_NODE, TAG_NUMBER, TEXT
from fastwrap.page import Page

if backend.compiled():
    from fastwrap._core import pager as kernel
else:
    from fastwrap._plain import pager as kernel  # type: ignore[no-redef]

# Points, and how many make a next page. A full label or number (4) needs nothing but an address that is not against
# it; a weak one (2) needs an address that pages on from this one (3).
ENOUGH = 5
SURE = 7
"""A known number and an address that pages on: labels would add nothing."""
LABEL = 4
MARK = 3
WEAK = 2
ELSEWHERE = -3
PREVIOUS = -4
NEVER = -100
NUMBER_KNOWN = 4
NUMBER_GUESSED = 3
PAGER = 1
TRAP = -6

# Budgets: what is looked at, whatever the page.
MAX_LABEL = 60
"""Bytes of a text or title that may be a label."""
MAX_ADDRESS = 2000
"""Bytes of an address."""
MAX_WITHIN = 8
"""Nodes of a link that are looked into."""
MAX_MORE = 4
"""Nodes that an element around a link may have more for its names to be those of the link."""
MAX_LINKS = 128
"""Links that have labels or marks: the first and last ones."""
MAX_ALIKE = 4
"""Links to one address."""
MAX_CANDIDATES = 8
"""Links that follow a current number, the first and last ones; and links that are compared with others in the end."""
MAX_ROW = 32
"""Numbers of a row of links alone."""
MAX_UNCLEAR = 4
"""Rows of links alone, which do not show where the reader is."""
MAX_UNLINKED = 2
"""Numbers of a row that are no links: where the reader is, perhaps how many pages there are. Calendars have more."""
GAP = 16
"""Nodes between two numbers of one row."""
READ_MORE = 3
"""A label on more different links than this is part of every record."""

# What links say. One list a meaning, languages mixed: a page rarely speaks two.
NEXT_WORDS = frozenset(
    """
    next nxt forward onward
    weiter weitere nächste nächster nächstes nächsten naechste vorwärts vor folgende
    suivant suivante suivants suivantes
    siguiente siguientes sig proximo próximo próxima proxima próximos próximas proximos proximas seguinte seguintes
    adelante avançar seguent següent
    avanti successivo successiva successivi successive prossimo prossima prossimi prossime
    volgende nästa næste neste næsta seuraava seuraavat
    dalej następna następne następny nastepna další dalsi následující ďalší ďalšia nasledujúca naprej naslednja
    sljedeća sljedeće sledeća dalje következő tovább următoarea urmatoarea următorul înainte kitas toliau
    nākamā nākamais järgmine edasi
    ileri sonraki επόμενη επόμενο επομενη επόμενα επόμενες
    далее дальше следующая следующие следующее следующий вперед вперёд наступна наступні далі следваща напред
    следна التالي التالية التالى بعدی הבא הבאה अगला आगे পরবর্তী ถัดไป ต่อไป
    sau tiếp berikutnya selanjutnya seterusnya
    """.split()
)
NEXT_CHARACTERS = frozenset("下一页 下一頁 下页 下頁 后一页 次へ 次の 次ページ 次頁 다음".split())
OLDER_WORDS = frozenset(
    "older ältere anciens anciennes antiguas antiguos antigas oudere äldre ældre eldre starsze vecchi старые".split()
)
MORE_WORDS = frozenset(
    "more mehr plus más mas mais altri altro meer fler flere więcej více viac еще ещё больше daha 更多 더보기".split()
)
PREVIOUS_WORDS = frozenset(
    """
    prev previous back zurück zurueck vorherige vorherigen vorheriger vorige précédent précédente précédents
    précédentes precedent precedente anterior anteriores indietro precedenti terug föregående forrige edellinen
    wstecz poprzednia poprzednie poprzedni předchozí predchozi zpět előző vissza önceki geri
    назад предыдущая предыдущие попередня προηγούμενη πίσω السابق السابقة
    """.split()
)
PREVIOUS_CHARACTERS = frozenset("上一页 上一頁 上页 前へ 前の 前ページ 이전".split())
PAGE_WORDS = frozenset(
    """
    page pages pg results result items records hits entries posts articles products matches threads topics list
    seite seiten ergebnisse treffer einträge beiträge artikel résultats articles billets página pagina páginas pagine
    resultados artículos entradas risultati resultaten berichten sida sidan resultat side sivu strona stronę stron
    wyniki strana stránka stránky výsledky oldal pagini sayfa σελίδα страница страницы страницу страниц сторінка
    записи результаты الصفحة صفحه صفحة דף עמוד trang halaman laman ページ
    """.split()
)
PAGE_FIRST = frozenset("page página pagina strona stránka strana страница الصفحة صفحه صفحة דף trang halaman".split())
"""Of these, those that come before "next"."""
FILLER_WORDS = frozenset("the to of on a la le les el die der das à vers de du zu na po naar till til s на".split())
VERBS = frozenset(
    """
    go show view see load get zur zum zeige anzeigen laden ver voir afficher charger ir cargar mostrar carregar vedi
    mostra toon laad pokaż показать
    """.split()
)
FAMILIAR_WORDS = PAGE_WORDS | FILLER_WORDS | VERBS
# Pages far away, or all of them on one.
FAR_WORDS = frozenset(
    """
    last first newest oldest latest all letzte letzten erste ersten neueste alle dernière dernières dernier première
    début fin tous toutes tout última última último ultimas primera primero primeira todos todas todo ultima prima
    tutti tutte laatste eerste sista första siste første ostatnia pierwsza wszystko wszystkie poslední první son ilk
    tümü последняя первая все
    """.split()
)
FAR_CHARACTERS = frozenset("最後 最初 首页 尾页 末页 처음 마지막".split())
# The next article is a page of its own, the next month another month.
OTHER_WORDS = frozenset(
    """
    article post story topic thread entry chapter photo picture image slide video movie item product question
    step month week day year event lesson section issue episode game song profile user member blog site tip
    beitrag thema bild monat woche tag jahr termin nachricht kapitel foto
    billet sujet mois semaine jour année artículo entrada tema mes semana día dia año ano noticia artigo imagen
    articolo mese settimana giorno anno notizia discussione bericht onderwerp maand dag jaar
    artykuł wpis temat zdjęcie miesiąc měsíc článek rok статья тема фото месяц неделя день год новость запись
    """.split()
)

ARROWS = ">›»→▶►❯⟩〉⇒➔➜➡⟶▸▷≻❱＞"
BACK_ARROWS = "<‹«←◀◄❮⟨〈⇐⬅⟵◂◁≺❰＜"
WORD = re.compile(r"[^\W\d_]+")
CHARACTERS = re.compile("|".join(sorted(NEXT_CHARACTERS | PREVIOUS_CHARACTERS | FAR_CHARACTERS)))
ARROW = re.compile(f"[{ARROWS}{BACK_ARROWS}]")
ONLY_ARROWS = re.compile(rf"[\s\[(|.-]*([{ARROWS}])(\s*\1)*[\s\])|.-]*")

# What class names, ids and file names are made of.
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
NEXT_PARTS = frozenset(
    "next nextpage nextlink nextpostslink nextposts nextbtn nextbutton pagenext pagernext btnnext pagingnext".split()
)
PREVIOUS_PARTS = frozenset("prev previous previouspostslink prevpage prevlink".split())
DISABLED_PARTS = frozenset({"disabled", "inactive", "disable"})
PAGER_PARTS = frozenset(
    "pagination pager paging paginator pagenav pagenavi pages pagelinks pagelist paginate pagebar paginacion".split()
)
# What turns a calendar, a show of pictures, or the articles of a site.
TRAP_PARTS = frozenset(
    "calendar month datepicker carousel slider slideshow slides slide gallery lightbox swiper slick related".split()
)

PAGE_PARAMETER = re.compile(
    r"pag|^p\d?$|^pg|^pn$|start|offset|skip|first|begin|seite|strona|sayfa|^sida$|^side$|stran|^fr(om)?$|^st$|^stq$|"
    r"^[sobnir]$|pos$|index$|row|^hal$|trang|^cp$|^cur|cursor|after|before|max|token|^next|^nr$|^no$|^num|sivu|oldal|"
    r"base|desde|inicio"
)
"""Names of parameters that count pages, or the records before them."""
TIME_PARAMETER = re.compile(r"^[mydw]$|mon|year|day|date|week|time|jahr|tag$|mes$|mois|annee|^ano$|^anno$")
PAGE_STEP = re.compile(
    r"[-_/.,;]?(?:(?:page|pages|p|pg|pag|pagina|página|seite|strona|sayfa|sida|side|strana|stranka|sivu|index|start|"
    r"offset|trang|halaman|list)[-_/=:.,]?)?(\d{1,5})(?:/|\.\w{2,5})?",
    re.IGNORECASE,
)
"""What is added to a path for a later page of the listing."""
LAST_NAME = re.compile(r"([^\W\d_]+)[-_/=:.,]?$")
NAMED_NUMBER = re.compile(r"([^\W\d_]+)[-_/=:.,]?\d{1,6}(?:\.\w{2,5})?$")
"""At the end of a path."""
ADDRESS = re.compile(r"([^:/?#]+:)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?")  # RFC 3986, appendix B
DIGITS = re.compile(r"(\d+)")
YEAR = re.compile("(?:19|20)[0-9]{2}")

LINK_ELEMENT = TAG_NUMBER["link"]
LINK_TAGS = np.array([TAG_NUMBER["a"], TAG_NUMBER["area"]], dtype=np.int32)
BASE_ELEMENT = TAG_NUMBER["base"]
CLASS, ID, HREF, SRC, ALT, TITLE, REL, ARIA_LABEL = (
    ATTRIBUTE_NUMBER[name] for name in ("class", "id", "href", "src", "alt", "title", "rel", "aria-label")
)
ROLES = np.zeros(len(ATTRIBUTES), dtype=np.uint8)
"""[attributes] What they may tell to the scan: 1 for the address, 2 within links, 4 anywhere, 8 for class."""
ROLES[HREF] = 1
ROLES[[ALT, TITLE, ARIA_LABEL, SRC]] = 2
ROLES[[ID, REL]] = 4
ROLES[CLASS] = 4 + 8
# What the scan finds: of a link, bits (1 is labelled); of a number, that it is a link (0: none; 2: to this page).
MARKED, POINTING = 2, 4
LINK = 1


class Relation(Enum):
    """How the address of a link relates to that of the page."""

    STEP = "one number larger, or the first number added"
    BACK = "one number smaller, or the number gone"
    SAME = "the page itself"
    PAGED = "another listing or none, but with the number of a page"
    KIN = "the same place, without the number of a page"
    OTHER = "the same site"
    FOREIGN = "another site"
    NOWHERE = "none that can be fetched"
    LIKELY = "that of the page is not known; with the number of a page"
    UNKNOWN = "that of the page is not known"


RELATION_POINTS = {
    Relation.STEP: 3,
    Relation.BACK: -6,
    Relation.SAME: NEVER,
    Relation.PAGED: 1,
    Relation.KIN: 0,
    Relation.OTHER: -2,
    Relation.FOREIGN: -4,
    Relation.NOWHERE: NEVER,
    Relation.LIKELY: 2,
    Relation.UNKNOWN: 1,
}


class Address:
    """An address taken apart."""

    __slots__ = ("path", "query", "site")

    def __init__(self, address: str) -> None:
        _, host, path, query = ADDRESS.match(address).groups("")  # type: ignore[union-attr] # it always matches
        labels = host.lower().rpartition("@")[2].partition(":")[0].split(".")
        # www.shop.example.org and m.example.org are one site; so are those of example.co.uk.
        self.site = labels[-2:] if len(labels) < 3 or len(labels[-2]) > 3 else labels[-3:]
        self.path = (unquote(path) if "%" in path else path).rstrip("/")
        self.query: dict[str, str] = {}
        """The parameters, the last one of each name."""
        if query:
            for pair in unquote(query).replace(";", "&").split("&"):
                name, _, value = pair.partition("=")
                if name:
                    self.query[name] = value


@lru_cache(maxsize=1024)
def counts_pages(parameter: str) -> bool:
    """Whether a parameter of this name may count pages, or the records before them."""
    return PAGE_PARAMETER.search(re.split(r"[\[.:_-]", parameter.lower().rstrip("]"))[-1]) is not None


def as_number(value: str | None) -> int | None:
    """The number that a parameter has, if it is one that pages may have."""
    return int(value) if value is not None and len(value) < 8 and value.isascii() and value.isdigit() else None


def relation(here: Address, there: Address) -> Relation:
    """How the address of a link relates to that of its page.

    >>> def of(here, there):
    ...     return relation(Address("http://a.org" + here), Address("http://a.org" + there)).name
    >>> of("/list", "/list?page=2"), of("/list?start=20", "/list?start=40"), of("/list/page/4/", "/list/page/3/")
    ('STEP', 'STEP', 'BACK')
    >>> of("/list", "/search?page=2"), of("/list?sort=a", "/list?sort=b"), of("/list", "/about")
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
    ending = NAMED_NUMBER.search(address.path[-40:])
    return ending is not None and counts_pages(ending[1])


def is_below(path: str, directory: str) -> bool:
    """Whether one path is the other or begins with it."""
    return path == directory or path.startswith(directory + "/") or directory.startswith(path + "/")


def query_relation(here: dict[str, str], there: dict[str, str]) -> Relation:
    """The relation of two addresses with equal paths."""
    found = Relation.SAME
    for name, value in there.items():
        old = here.get(name, "")
        if old == value:
            continue
        found = Relation.KIN
        number, before = as_number(value), as_number(old)
        if number is not None and before is not None and (counts_pages(name) or is_step(before, number, name)):
            return Relation.STEP if number > before else Relation.BACK
        if counts_pages(name) and (old if number is None else number > 0 and not old):
            return Relation.STEP  # the first number, or another token of a cursor
    gone = [name for name, value in here.items() if value and name not in there]
    if found is Relation.SAME and any(as_number(here[name]) and counts_pages(name) for name in gone):
        return Relation.BACK
    return Relation.KIN if gone else found


def path_relation(here: str, there: str) -> Relation:
    """The relation of two addresses with different paths."""
    old, new = DIGITS.split(here), DIGITS.split(there)
    if old[::2] == new[::2]:
        places = [k for k in range(1, len(old), 2) if old[k] != new[k]]
        place = places[0]
        before, number = as_number(old[place]), as_number(new[place])
        if len(places) == 1 and before is not None and number is not None:
            name = LAST_NAME.search(old[place - 1][-40:])
            # Numbers after a year are months and days.
            is_date = any(YEAR.fullmatch(part) for part in new[max(place - 4, 1) : place + 1 : 2])
            if (name and counts_pages(name[1])) or (is_step(before, number) and not is_date):
                return Relation.STEP if number > before else Relation.BACK
        return Relation.KIN
    for first, later, direction in ((here, there, Relation.STEP), (there, here, Relation.BACK)):
        for stem in (first, without_suffix(first)):
            if later.startswith(stem):
                added = PAGE_STEP.fullmatch(later, len(stem))
                if added and not YEAR.fullmatch(added[1]):
                    return direction
    directory = here.rpartition("/")[0]
    is_near = is_below(there, here) or (directory and is_below(there, directory))
    return Relation.KIN if is_near else Relation.OTHER


def is_step(before: int, number: int, name: str = "") -> bool:
    """Whether two numbers are those of pages in sequence, or of the records before them, whatever they are called.

    >>> is_step(1, 2), is_step(20, 40), is_step(60, 40), is_step(20, 33), is_step(5123, 5124), is_step(3, 4, "month")
    (True, True, True, False, False, False)
    """
    distance = abs(number - before)
    return (
        (distance == 1 or (5 <= distance <= 100 and before % distance <= 1))
        and max(before, number) < 1000
        and TIME_PARAMETER.search(name.lower()) is None
    )


def without_suffix(path: str) -> str:
    """A path without the suffix of its file, and without the file if that is an index."""
    directory, _, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    if not dot:
        return path
    return directory if stem in ("index", "default", "home") else f"{directory}/{stem}"


@lru_cache(maxsize=1024)
def saying(text: str) -> int:
    """Points for what a label says: that it leads to the next page, or (negative) elsewhere.

    >>> saying("Next »"), saying("nächste Seite"), saying("次の20件"), saying("›"), saying("more"), saying("News")
    (4, 4, 4, 3, 2, 0)
    >>> saying("« Previous"), saying("Last page »"), saying("next month")
    (-4, -3, -3)
    """
    if not text or len(text) > MAX_LABEL:
        return 0
    arrows = ARROW.findall(text)
    forward = not arrows or any(arrow in ARROWS for arrow in arrows)
    if not forward:
        return PREVIOUS
    if arrows and (only := ONLY_ARROWS.fullmatch(text)):
        return WEAK if only[2] else MARK
    lower = text.replace("İ", "i").lower()  # Turkish: Python leaves a dot above the i
    words = WORD.findall(lower)
    characters = CHARACTERS.findall(lower) if not lower.isascii() else ()
    if not PREVIOUS_WORDS.isdisjoint(words) or not PREVIOUS_CHARACTERS.isdisjoint(characters):
        return PREVIOUS
    if not FAR_WORDS.isdisjoint(words) or not FAR_CHARACTERS.isdisjoint(characters):
        return ELSEWHERE
    if not NEXT_CHARACTERS.isdisjoint(characters):
        return LABEL
    others = [word for word in words if word not in FAMILIAR_WORDS]
    unknown = sum(word not in NEXT_WORDS for word in others)
    if unknown < len(others):
        if not OTHER_WORDS.isdisjoint(words):
            return ELSEWHERE
        return LABEL if unknown == 0 else WEAK if unknown <= 2 else 0
    if not OLDER_WORDS.isdisjoint(words):
        return MARK
    if not MORE_WORDS.isdisjoint(words):
        # "More results" and "more »" say more than "more".
        return 0 if unknown > 1 else MARK if len(words) > 1 or arrows else WEAK
    return 1 if arrows and len(words) == 1 and text[-1] in ARROWS else 0


def parts(names: list[bytes]) -> set[str]:
    """The parts of class names, ids and file names, in lower case.

    >>> sorted(parts([b"pagination_Next", b"btnNext page-numbers"]))
    ['btn', 'next', 'numbers', 'page', 'pagination']
    """
    return {part.lower() for part in NAME_PART.findall(b" ".join(names).decode("utf-8", "replace"))}


def label_heads() -> npt.NDArray[np.uint64]:
    """The first bytes of all that a label may start with, as the scan wants them."""
    words = NEXT_WORDS | OLDER_WORDS | MORE_WORDS | PAGE_FIRST | VERBS | NEXT_CHARACTERS
    spelled = {case(word) for word in words for case in (str.lower, str.upper, str.capitalize)}
    spelled |= {word.replace("I", "İ") for word in spelled}  # as in Turkish
    heads = {arrow.encode() for arrow in ARROWS}
    for word in map(str.encode, spelled):
        heads.add(word.lower()[: 6 if word[0] >= 0xE3 else 8])
    return np.array(sorted(int.from_bytes(head, "little") for head in heads), dtype=np.uint64)


HEADS = label_heads()


@lru_cache(maxsize=16)
def origin(address: str) -> str:
    """An address up to its path: what an absolute path is joined to; empty where it has no host.

    >>> origin("http://a.org/list?page=2"), origin("list/")
    ('http://a.org', '')
    """
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def joined(base: str, href: bytes) -> str:
    """The address of a link, without its fragment; empty where it leads nowhere.

    >>> joined("http://a.org/list/", b"?page=2#top"), joined("", b"2.html"), joined("http://a.org", b"javascript:go()")
    ('http://a.org/list/?page=2', '2.html', '')
    """
    if len(href) > MAX_ADDRESS:
        return ""
    address = href.decode("utf-8", "replace").strip().partition("#")[0]
    plain = "/." not in address and "[" not in address and address.isprintable()
    try:
        # What urljoin does, without its cost, where nothing is relative.
        if plain and address.startswith(("http://", "https://")):
            return address
        if plain and address[:1] == "/" != address[1:2] and (start := origin(base)).startswith("http"):
            return start + address
        address = urljoin(base, address)
        scheme = urlsplit(address).scheme
    except ValueError:
        return ""
    return address if scheme in ("http", "https") or not (scheme or base) else ""


@dataclass(slots=True)
class Candidate:
    """A link that may lead to the next page, with the points of all links to the same address."""

    node: int
    relation: Relation
    label: int = 0
    number: int = 0
    surroundings: int = 0

    @property
    def points(self) -> int:
        """The sum."""
        # Which way is next is the page's own word: what it calls so may have the smaller number.
        labelled_back = self.relation is Relation.BACK and self.label >= MARK
        direction = RELATION_POINTS[Relation.STEP if labelled_back else self.relation]
        return self.label + self.number + direction + self.surroundings


class Links:
    """The links of a page, and what tells about each of them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.arrays = page.arrays

    @cached_property
    def base(self) -> str:
        """What the addresses of links are relative to; empty where it is not known."""
        base = self.page.url or ""
        for node in np.flatnonzero(self.page.tag == BASE_ELEMENT).tolist():
            if href := self.href(node):
                return joined(base, href) or base
        return base

    def attributes(self, node: int) -> dict[int, bytes]:
        """The attributes of a node, by the numbers of their names."""
        arrays = self.arrays
        first, end = arrays.attribute_start[node : node + 2].tolist()
        bounds = arrays.value_start[first : end + 1].tolist()
        names = arrays.attribute_name[first:end].tolist()
        return {name: arrays.values[bounds[k] : bounds[k + 1]] for k, name in enumerate(names)}

    def href(self, node: int) -> bytes:
        """The address of a link as it stands."""
        return self.attributes(node).get(HREF, b"")

    def with_value(self, attribute: int, value: bytes) -> list[int]:
        """The nodes that have an attribute of exactly this value."""
        arrays = self.arrays
        places = np.flatnonzero(arrays.attribute_name == attribute)
        starts = arrays.value_start[places]
        alike = np.flatnonzero(arrays.value_start[places + 1] - starts == len(value)).tolist()
        equal = [places[k] for k in alike if arrays.values.startswith(value, starts[k])]
        found: list[int] = (np.searchsorted(arrays.attribute_start, equal, side="right") - 1).tolist()
        return found

    @cached_property
    def address(self) -> str:
        """Where the page came from, or else what it states as its address; empty where neither is known."""
        if self.page.url:
            return self.page.url
        stated = self.with_value(REL, b"canonical")
        return joined(self.base, self.href(stated[0])) if stated else ""

    @cached_property
    def here(self) -> Address | None:
        """The address of the page, taken apart; None where it is not known."""
        return Address(self.address) if self.address else None

    def relation(self, href: bytes) -> Relation:
        """How the address of a link relates to that of the page."""
        address = joined(self.base or self.address, href)
        if not address:
            return Relation.NOWHERE
        there = Address(address)
        if self.here is not None:
            return relation(self.here, there)
        return Relation.LIKELY if is_paged(there) else Relation.UNKNOWN

    # Rows of numbers

    def following(self, numbers: list[list[int]]) -> dict[int, int]:
        """The links that follow the number of the current page in a row of numbers, with points."""
        found = {}
        unclear: dict[int, list[list[int]]] = {}
        clear = set()
        last, was, before = 0, LINK, NO_NODE
        for number in numbers:
            node, first, end, kind, row = number
            if kind != LINK:
                clear.add(row)
            elif was != LINK and first == last + 1 and row == before:
                found[node] = NUMBER_KNOWN
            unclear.setdefault(row, []).append(number)
            last, was, before = end, kind, row
        # Many rows of links alone are the pages of as many threads, not those of a listing.
        if len(unclear) - len(clear) <= MAX_UNCLEAR and self.here is not None:
            for row in [row for row in unclear if row not in clear]:
                if (node := self.first_step(unclear[row])) != NO_NODE:
                    found[node] = NUMBER_GUESSED
        if len(found) > MAX_CANDIDATES:
            nodes = [*found]
            found = {node: found[node] for node in nodes[: MAX_CANDIDATES // 2] + nodes[-MAX_CANDIDATES // 2 :]}
        return found

    def first_step(self, row: list[list[int]]) -> int:
        """The first link of a row that leads on from this page; NO_NODE if none does, or the last one does not."""
        if self.relation(self.href(row[-1][0])) is Relation.STEP:
            last = 1
            for node, first, end, _, _ in row[:MAX_ROW]:
                if first == last + 1 and self.relation(self.href(node)) is Relation.STEP:
                    return node
                last = end
        return NO_NODE

    # Labels

    def label(self, node: int, attributes: dict[int, bytes]) -> int:
        """Points of a link's label and marks; PREVIOUS where they say so, NEVER where the link is disabled."""
        page = self.page
        rel = attributes.get(REL, b"").lower().split()
        title = attributes.get(TITLE, b"").decode("utf-8", "replace").strip()
        if b"prev" in rel or b"previous" in rel:
            return PREVIOUS
        if page.tag[node] == LINK_ELEMENT:
            # With a title that is no label it leads to the next article, whose title this is.
            return 0 if b"next" not in rel else LABEL if not title or saying(title) > 0 else WEAK
        text = page.text(node)
        labels = [text, title]
        labels += [attributes[name].decode("utf-8", "replace") for name in (ALT, ARIA_LABEL) if name in attributes]
        names = [attributes.get(CLASS, b""), attributes.get(ID, b"")]
        size = int(page.size[node])
        for below in range(node + 1, node + size if size <= MAX_WITHIN else 0):
            if page.tag[below] != TEXT:
                inner = self.attributes(below)
                labels += [inner[name].decode("utf-8", "replace") for name in (ALT, TITLE) if name in inner]
                names += [inner.get(CLASS, b""), inner.get(SRC, b"").rpartition(b"/")[2]]
        up = int(page.parent[node])
        for _ in range(2):
            if up == NO_NODE or page.size[up] > size + MAX_MORE:
                break
            outer = self.attributes(up)
            names += [outer.get(CLASS, b""), outer.get(ID, b"")]
            up = int(page.parent[up])
        says = max(map(saying, labels), key=lambda points: (abs(points), -points))
        if says < 0:
            return PREVIOUS if says == PREVIOUS else 0
        found = parts(names)
        if not DISABLED_PARTS.isdisjoint(found):
            return NEVER
        is_next, is_previous = not NEXT_PARTS.isdisjoint(found), not PREVIOUS_PARTS.isdisjoint(found)
        if is_previous and not is_next:
            return PREVIOUS
        points = [
            says,
            LABEL if b"next" in rel else 0,
            MARK if is_next and not is_previous else 0,
            WEAK if not text and "right" in found else 0,
        ]
        agreeing = sum(point > 0 for point in points)
        best = min(LABEL, max(points) + agreeing - 1) if agreeing else 0
        # A link of many words is the title of something: of the next article, say.
        return min(best, WEAK) if says == 0 and len(WORD.findall(text)) > 2 else best

    def surroundings(self, node: int) -> int:
        """Points for what the elements around a link are called."""
        names = []
        up = int(self.page.parent[node])
        for _ in range(5):
            if up == NO_NODE:
                break
            attributes = self.attributes(up)
            names += [attributes.get(CLASS, b""), attributes.get(ID, b"")]
            up = int(self.page.parent[up])
        found = parts(names)
        return (0 if TRAP_PARTS.isdisjoint(found) else TRAP) + (0 if PAGER_PARTS.isdisjoint(found) else PAGER)

    # All together

    def labelled(self, scanned: list[list[int]]) -> Iterator[tuple[bytes, int, int]]:
        """The links that have a label for them: address as it stands, node, and points."""
        # Icons that point to the right say little: they count where nothing else is said, and where they are few.
        links = [link for link in scanned if link[1] != POINTING] or (scanned if len(scanned) <= READ_MORE else [])
        if len(links) > MAX_LINKS:
            links = links[: MAX_LINKS // 2] + links[-MAX_LINKS // 2 :]
        by_text: dict[str, dict[bytes, tuple[int, dict[int, bytes]]]] = {}
        for node, kinds in links:
            text = self.page.text(node)
            # What starts like a label need not be one.
            if kinds & MARKED or not text or saying(text) > 0:
                attributes = self.attributes(node)
                same = by_text.setdefault(text.lower() or str(node), {})
                same.setdefault(attributes.get(HREF, b""), (node, attributes))
        for same in by_text.values():
            for href, (node, attributes) in same.items() if len(same) <= READ_MORE else ():
                if (points := self.label(node, attributes)) > 0:
                    yield href, node, points

    def ranked(self) -> list[Candidate]:
        """The links that may lead to the next page, best first; of sure ones no more than that."""
        page, arrays = self.page, self.arrays
        scanned, numbers = kernel.scan(
            page.tag, page.parent, page.size, page.text_start, page.attribute_start, arrays.attribute_name,
            arrays.value_start, arrays.text, arrays.values, LINK_TAGS, LINK_ELEMENT, ROLES, HEADS, MAX_LABEL, MAX_MORE,
            GAP, MAX_UNLINKED,
        )  # fmt: skip
        found: dict[bytes, Candidate] = {}
        for node, points in self.following(numbers.tolist()).items():
            href = self.href(node)
            found[href] = Candidate(node, self.relation(href), number=points)
        sure = [candidate for candidate in found.values() if candidate.points >= SURE]
        if len(sure) == 1:
            return sure
        for href, node, points in self.labelled(scanned.tolist()):
            candidate = found.get(href)
            if candidate is None:
                candidate = found[href] = Candidate(node, self.relation(href))
            candidate.label = max(candidate.label, points)
        likely = [candidate for candidate in found.values() if candidate.points >= ENOUGH - PAGER]
        for candidate in likely:
            if candidate.relation is not Relation.STEP:
                candidate.surroundings = self.surroundings(candidate.node)
        return sorted(likely, key=lambda candidate: (-candidate.points, -candidate.number, candidate.node))

    def is_previous(self, candidate: Candidate) -> bool:
        """Whether another link to the same address is labelled as previous."""
        # Only what the head says may be at odds with what is seen, and only what leads back is worth the doubt.
        if candidate.relation is not Relation.BACK and self.page.tag[candidate.node] != LINK_ELEMENT:
            return False
        nodes = self.with_value(HREF, self.href(candidate.node))[:MAX_ALIKE]
        return any(self.label(node, self.attributes(node)) == PREVIOUS for node in nodes if node != candidate.node)


def next_page(page: Page) -> str | None:
    """The address of the next page of the listing that a page is of; None where there is none.

    It is absolute where the address of the page is known, else as it stands; never that of the page itself. Of a page
    that noise was removed from, the original is asked.

    >>> html = "<ul><li>one<li>two</ul> <a href='?page=1'>1</a> <b>2</b> <a href='?page=3'>3</a>"
    >>> next_page(Page(html, "http://example.org/list?page=2"))
    'http://example.org/list?page=3'
    >>> next_page(Page("<a href='/list/2'>Suivant &rsaquo;</a>"))
    '/list/2'
    >>> next_page(Page("<a href='/list/1'>Previous</a>")) is None
    True
    """
    while page.original is not None:
        page = page.original
    links = Links(page)
    for candidate in links.ranked()[:MAX_CANDIDATES]:
        if candidate.points >= ENOUGH and not links.is_previous(candidate):
            return joined(links.base, links.href(candidate.node))
    return None
