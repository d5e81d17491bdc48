"""Matches what is wanted with the columns that there are: by name, role, words of the markup, and type.
Each column serves one wish, so that all of them together are served best."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from fastwrap.columns.offers import Offer, Selected, offers_of, template_of
from fastwrap.columns.roles import role_of_words, roles_wanted, words_of
from fastwrap.columns.wishes import Wish

if TYPE_CHECKING:
    from fastwrap.columns.given import GivenColumn, GivenTable
    from fastwrap.columns.table import Table
    from fastwrap.columns.template import Template

TYPES_OF_ROLE = {
    "title": ("text",), "link": ("url",), "url": ("url", "text"), "image": ("image", "url"),
    "price": ("money", "number", "integer"), "old price": ("money", "number", "integer"),
    "unit price": ("money", "number", "integer", "text"), "discount": ("percent", "money", "number", "integer", "text"),
    "salary": ("money", "number", "integer", "text"), "rating": ("rating", "number", "integer", "percent"),
    "reviews": ("integer", "number"), "views": ("integer", "number"), "replies": ("integer", "number"),
    "votes": ("integer", "number"), "number": ("integer", "number", "text"), "year": ("integer", "date", "text"),
    "date": ("date", "datetime", "text"), "time": ("time", "datetime", "text"), "email": ("email", "text"),
    "phone": ("phone", "text"), "author": ("text",), "description": ("text",), "location": ("text",),
    "category": ("text",), "brand": ("text",), "seller": ("text",), "company": ("text",),
}  # fmt: skip
"""By role, the types that its values have, the usual one first; other roles may have any."""

SAME_NAME = 100.0
SAME_ROLE = 80.0
OTHER_ROLE = (45.0, 40.0, 35.0)
"""By its place, a further role that the wish may mean."""
NAME_WORDS = 55.0
"""All words of the wish are in the name of the column, ..."""
MARKUP_WORDS = 50.0
"""... or in what the markup calls it."""
ONLY_TYPE = 34.0
"""Nothing but the type speaks for it, which few columns have."""
NO_NUMBER = 10.0
"""Of several columns of a name, the first is called just so."""
USUAL_TYPE, ONLY_TEXT, UNUSUAL_TYPE = 12.0, -8.0, -25.0
LEAST = 30.0
"""With less, a column is not what is wanted."""

SHOWN, FILLED, VARIES, IS_TEXT, IS_LIST = 8.0, 10.0, 8.0, 5.0, 8.0
"""What speaks for one of several columns that could be meant."""

ROLE_OF_ATTRIBUTE = {"href": "link", "src": "image", "srcset": "image", "datetime": "date"}

NUMBERINGS = frozenset("sku asin isbn ean gtin upc mpn doi issn pzn".split())
"""Words for ids of one kind."""

TELLING_TYPES = frozenset("money date datetime time boolean rating percent email phone image".split())
"""Types that few columns of a table have."""

MOST_ALTERNATIVES = 12
"""Columns that are considered for each wish: the best ones."""

LONGEST_WORDS = 400
"""Characters of what the markup says that are looked at."""


@dataclass(frozen=True)
class Candidate:
    """A column that may be what is wanted."""

    name: str
    type: str
    """One of `fastwrap.types.TYPES`."""
    role: str = ""
    """One of `fastwrap.columns.roles.ROLES`; found by the name, if it is not given."""
    words: str = ""
    """What headers, labels or the markup say of it."""
    kind: str = "text"
    """"text", or the name of the attribute."""
    filled: float = 1.0
    """The share of records that have it."""
    varies: bool = True
    """Whether it differs between the records."""
    shown: bool = True
    """Whether it would be shown if nothing were wanted."""
    is_list: bool = False


class Served(NamedTuple):
    """The columns that serve wishes."""

    template: Template
    """It has these columns alone, called as the wishes are."""
    places: list[int | None]
    """By wish, its column in the template; None where there is none."""
    there: list[str]
    """The names of the columns that there were."""


def serve(tables: Sequence[Table], wishes: Sequence[Wish]) -> Served:
    """The columns that serve wishes, of tables that are made of the same items: the first has the columns that would be
    shown, the last may have all."""
    offers = [offer for number, table in enumerate(tables) for offer in offers_of(table, is_shown=number == 0)]
    found = assign(wishes, [candidate_of(offer) for offer in offers])
    selected = []
    for wish, place in zip(wishes, found, strict=True):
        if place is not None:
            column, source, rule = offers[place].column, offers[place].source, offers[place].rule
            selected.append(Selected(wish.name, source, {"wanted": column.name}, column.role, rule))
    template = template_of(tables[-1], selected)
    numbers = {name.name: number for number, name in enumerate(template.names)}
    return Served(template, [numbers.get(wish.name) for wish in wishes], [each.name for each in tables[0].names])


def serve_given(table: GivenTable, wishes: Sequence[Wish]) -> tuple[list[GivenColumn], list[int | None]]:
    """The columns of a table that serve wishes, called as these are, and by wish the place of its column among them;
    None where there is none.

    >>> from fastwrap.columns.given import GivenColumn, GivenTable
    >>> from fastwrap.page import Page
    >>> table = GivenTable(Page(""), [GivenColumn("Preis", ["5 EUR"]), GivenColumn("title", ["Pan"])])
    >>> columns, places = serve_given(table, [Wish("title"), Wish("author"), Wish("price")])
    >>> [(column.name, column.texts) for column in columns], places
    ([('title', ['Pan']), ('price', ['5 EUR'])], [0, None, 1])
    """
    candidates = [
        Candidate(column.name, column.type, column.role, " ".join(column.why.values()), given.kind, is_list=given.is_list)
        for given, column in zip(table.given, table.nested_columns, strict=True)
    ]
    found: list[GivenColumn] = []
    places: list[int | None] = []
    for wish, place in zip(wishes, assign(wishes, candidates), strict=True):
        places.append(None if place is None else len(found))
        if place is not None:
            column = table.given[place]
            found.append(replace(column, name=wish.name, why={"wanted": column.name}))
    return found, places


def candidate_of(offer: Offer) -> Candidate:
    """What is known of a column that may be chosen."""
    column = offer.column
    return Candidate(
        name=column.name,
        type=column.type,
        role=column.role,
        words=" ".join(column.why.values()),
        kind=offer.kind,
        filled=sum(cell is not None for cell in offer.cells) / max(1, len(offer.cells)),
        varies=not column.template,
        shown=offer.is_shown,
        is_list=offer.is_list,
    )


def assign(wishes: Sequence[Wish], candidates: Sequence[Candidate]) -> list[int | None]:
    """For each wish the place of its column; None where no column is what is wanted.

    >>> columns = [Candidate("Preis", "money"), Candidate("product name", "text"), Candidate("data sku", "text")]
    >>> assign([Wish("title"), Wish("price"), Wish("sku"), Wish("author")], columns)
    [1, 0, 2, None]
    """
    scores = []
    described = [describe(candidate) for candidate in candidates]
    for asked in map(ask, wishes):
        scored = [
            (score - place / (1 + len(candidates)), place)  # of equal ones the first
            for place, (candidate, about) in enumerate(zip(candidates, described, strict=True))
            if (score := score_of(asked, candidate, about)) >= LEAST
        ]
        scores.append({place: score for score, place in sorted(scored, reverse=True)[:MOST_ALTERNATIVES]})
    return best_pairs(scores)


class About(NamedTuple):
    """What the words of a column say."""

    role: str
    name: str
    name_words: frozenset[str]
    words: frozenset[str]


def describe(candidate: Candidate) -> About:
    """What a column is, by its attribute, its name and its markup."""
    role = candidate.role or ROLE_OF_ATTRIBUTE.get(candidate.kind, "")
    own = words_of(candidate.name)
    if not role and candidate.kind not in ("alt", "title"):
        role = role_of_words(candidate.name)
    return About(role, " ".join(own), frozenset(own), frozenset(words_of(candidate.words[:LONGEST_WORDS])))


class Asked(NamedTuple):
    """What a wish says."""

    names: tuple[str, str]
    """What the column may be called."""
    words: list[str]
    roles: tuple[str, ...]
    """What it may mean, the most likely first."""
    types: frozenset[str]
    """The types that it must have, or be text; none if any will do."""
    usual: Collection[str]
    """The types that such columns have."""
    is_list: bool

    @property
    def is_address(self) -> bool:
        """Whether only an address can be meant."""
        return self.roles[:1] in (("link",), ("image",))


def ask(wish: Wish) -> Asked:
    """What a wish says."""
    words, roles = words_of(wish.name), roles_wanted(wish.name) or roles_wanted(wish.alias)
    usual = wish.types or TYPES_OF_ROLE.get(roles[0] if roles else "", ())
    return Asked((" ".join(words), " ".join(words_of(wish.alias))), words, roles, wish.types, usual, wish.is_list)


def score_of(asked: Asked, candidate: Candidate, about: About) -> float:
    """How much speaks for a column as what is wanted; 0 where its type or its role rules it out."""
    if asked.types and candidate.type not in asked.types and candidate.type != "text":
        return 0.0
    if asked.is_address and candidate.type not in ("url", "image"):
        return 0.0
    score = score_of_words(asked, about)
    if not score and (not about.role or not asked.roles) and is_telling(asked, candidate.type):
        score = ONLY_TYPE
    if not score:
        return 0.0
    if asked.usual:
        score += (
            USUAL_TYPE if candidate.type in asked.usual else ONLY_TEXT if candidate.type == "text" else UNUSUAL_TYPE
        )
    if not asked.is_address and candidate.kind == "text":
        score += IS_TEXT
    if not candidate.name[-1:].isdigit():
        score += NO_NUMBER
    score += SHOWN * candidate.shown + FILLED * candidate.filled + VARIES * candidate.varies
    return score + IS_LIST * (candidate.is_list == asked.is_list)


def score_of_words(asked: Asked, about: About) -> float:
    """How much the name of a column, its role and its markup speak for it."""
    if about.name and about.name in asked.names:
        return SAME_NAME
    if asked.roles and about.role:
        if about.role not in asked.roles:
            return 0.0  # it is known to be something else
        place = asked.roles.index(about.role)
        if numbering := NUMBERINGS.intersection(asked.words):
            theirs = NUMBERINGS & (about.name_words | about.words)
            if place or (theirs and not theirs & numbering):
                return 0.0  # an ISBN is no SKU, nor any other number
        return SAME_ROLE if place == 0 else OTHER_ROLE[min(place, len(OTHER_ROLE)) - 1]
    if asked.words and about.name_words.issuperset(asked.words):
        return NAME_WORDS
    return MARKUP_WORDS if asked.words and about.words.issuperset(asked.words) else 0.0


def is_telling(asked: Asked, type_name: str) -> bool:
    """Whether a type alone says that a column is what is wanted."""
    if type_name not in TELLING_TYPES or type_name not in asked.usual:
        return False
    # A number may be anything: only the role says that it is money.
    return type_name in TYPES_OF_ROLE.get(asked.roles[0], ())[:2] if asked.roles else "rating" not in asked.usual


def best_pairs(scores: Sequence[dict[int, float]]) -> list[int | None]:
    """For each row one of its columns, no column twice, so that the sum of the scores is the largest: rows take their
    columns one after the other, and those before them make room along the cheapest path (Jonker, Volgenant 1987).

    >>> best_pairs([{0: 5, 1: 4}, {0: 5}, {}])
    [1, 0, None]
    """
    most = max((score for row in scores for score in row.values()), default=0.0)
    columns = sorted({column for row in scores for column in row})
    # A column of its own for each row, for nothing: it stands for being without.
    nothing = len(columns)
    place_of = {column: place for place, column in enumerate(columns)}
    width = nothing + len(scores)
    costs = [[inf] * width for _ in scores]
    for number, alternatives in enumerate(scores):
        costs[number][nothing + number] = most
        for column, score in alternatives.items():
            costs[number][place_of[column]] = most - score
    owner = [-1] * width
    of_column = [0.0] * width
    of_row = [0.0] * len(scores)
    for start in range(len(scores)):
        least, before, seen = [inf] * width, [-1] * width, [False] * width
        row, column, reached = start, -1, 0.0
        while True:
            near, best = inf, -1
            for other in range(width):
                if seen[other]:
                    continue
                cost = reached + costs[row][other] - of_row[row] - of_column[other]
                if cost < least[other]:
                    least[other], before[other] = cost, column
                if least[other] < near:
                    near, best = least[other], other
            column, reached = best, near
            seen[column] = True
            if owner[column] < 0:
                break
            row = owner[column]
        for other in range(width):
            if seen[other] and other != column:
                of_row[owner[other]] += reached - least[other]
                of_column[other] -= reached - least[other]
        of_row[start] += reached
        while column >= 0:
            owner[column] = owner[before[column]] if before[column] >= 0 else start
            column = before[column]
    found: list[int | None] = [None] * len(scores)
    for place, column in enumerate(columns):
        if owner[place] >= 0:
            found[owner[place]] = column
    return found
