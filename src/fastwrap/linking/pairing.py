"""Which detail page belongs to which record of a listing: by links and shared values, rare ones weighing more.
The score of a pair is the probability of Fellegi & Sunter 1969, with frequencies by value (Winkler 2000)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import exp, log
from typing import Any, NamedTuple, TypeAlias

from fastwrap.linking.addresses import plain_address
from fastwrap.linking.assignment import assign
from fastwrap.linking.details import DetailPage, short_texts
from fastwrap.linking.sides import Side
from fastwrap.linking.values import Key, Words, is_code, key_of, key_of_text, left_of, of_measures, words_in
from fastwrap.page import Page

BUDGET = 500_000
"""Pairs of a record and a page with a value in common that are looked at; the rarest values come first."""

DOUBT = 1.0
"""What speaks against any pair, besides that there are many."""

BONUS = {"link": 5.0, "title": 3.0, "id": 2.0}
"""What speaks for a pair that shares a rare value of this kind, besides that it is rare."""

IN_RECORD, ELSEWHERE, OF_WORD, OF_SMALL_NUMBER = 0.7, 0.3, 0.4, 0.3
"""How much of its rarity counts for a value of the page's record, for one that stands anywhere on the page, for a word
of the title, and for a small whole number."""

OTHER_TITLE, OTHER_CODE, NO_CODE, OTHER_PRICE, OTHER_LINK = -2.0, -5.0, -1.5, -1.0, -1.0
"""What speaks against a pair with other titles, other codes in them, a code that the page is not headed by, other
prices, other links."""

HEAD, RECORD, PAGE = "head", "record", "page"
"""Where a value stands on a page, the most telling place first."""

LINK, WORDS = -1, -2
"""In place of a column of the listing: its links, and the words of its titles."""


class Link(NamedTuple):
    """A record of a listing and its detail page."""

    record: int
    """The number of the record."""
    page: int
    """The number of the page, in the order in which they were given."""
    score: float
    """In [0, 1]; pairs below 0.5 are not linked."""
    why: dict[str, str]
    """What they share: by "link", or the name of a column, the value."""


class Fact(NamedTuple):
    """Something that a record of the listing has and a page may have, too."""

    record: int
    column: int
    """LINK or WORDS for what is of no single column."""
    kind: str
    """"link", "title", "id", "small", "word" or nothing in particular."""


Facts: TypeAlias = dict[Key, list[Fact]]
"""By key, the records of a listing that have it."""


@dataclass(slots=True)
class Evidence:
    """What speaks for a record and a page as a pair."""

    by_column: dict[int, float] = field(default_factory=dict)
    """By column of the listing; of several values that are shared in it the most telling."""
    words: float = 0.0
    """Of all words of the title that are shared."""
    against: float = 0.0
    has_title: bool = False
    """Whether the whole title is shared."""

    @property
    def total(self) -> float:
        """All together."""
        of_words = 0.0 if self.has_title else self.words
        return sum(self.by_column.values()) + of_words + self.against


def probability(odds: float) -> float:
    """The probability of what has these odds, which are given as a logarithm.

    >>> probability(0.0), round(probability(4), 3), probability(-2000)
    (0.5, 0.982, 0.0)
    """
    return 1 / (1 + exp(-odds)) if odds > -700 else 0.0


def pair(
    listing: Side, pages: Sequence[DetailPage], facts: Facts, on_pages: Sequence[dict[Key, str]]
) -> tuple[list[Link], tuple[str, ...]]:
    """The pairs of records and pages that belong together, none of them twice, and the limits that were met. `on_pages`
    are those of the `facts` that the pages have: see `found_on`."""
    many = max(len(listing), len(pages))
    evidence, limits = gathered(facts, on_pages, many)
    prior = -log(many) - DOUBT if many else 0.0
    likely = {each: found for each, found in evidence.items() if prior + found.total > 0}
    weigh_differences(likely, listing, pages)
    odds = {each: prior + found.total for each, found in likely.items() if prior + found.total > 0}
    chosen, more = assign(odds)
    links = [
        Link(record, page, probability(odds[record, page]), reasons(listing, record, evidence[record, page]))
        for record, page in chosen
    ]
    return links, limits + more


def facts_of(listing: Side) -> Facts:
    """By key, the records that have it."""
    facts: dict[Key, set[Fact]] = defaultdict(set)
    for place, column in enumerate(listing.columns):
        if column.type == "image" or len(column.columns) > 1:
            continue
        for record, (values, texts) in enumerate(zip(listing.values, listing.texts, strict=True)):
            value, text = values[place], texts[place]
            if value is None:
                continue
            if column.type == "url":
                for each in entries(value):
                    facts["address", plain_address(each)].add(Fact(record, LINK, "link"))
                continue
            kind = "title" if column.role == "title" else "id" if column.role == "id" else ""
            for each in (*entries(value), *entries(text)):
                key = key_of_text(each) if isinstance(each, str) else key_of(each)
                if key is not None:
                    facts[key].add(Fact(record, place, kind or kind_of(key)))
            if kind == "title" and isinstance(text, str):
                for word in words_in(text).words:
                    facts["word", word].add(Fact(record, WORDS, "word"))
    for record, link in enumerate(listing.links):
        if link is not None:
            facts["address", plain_address(link)].add(Fact(record, LINK, "link"))
    return {key: sorted(found) for key, found in facts.items()}


def entries(value: Any) -> Iterable[Any]:
    """The entries of a list, else the value alone."""
    return value if isinstance(value, list) else (value,)


def kind_of(key: Key) -> str:
    """What a value of no known role is: an id if it is a text like one, or a small whole number.

    >>> kind_of(("text", "9780131103627")), kind_of(("number", 4.0)), kind_of(("text", "in stock"))
    ('id', 'small', '')
    """
    assert isinstance(key, tuple)
    sort, said = key[0], key[1]
    if sort == "text" and " " not in said and len(said) >= 6 and sum(map(str.isdigit, said)) >= 3:
        return "id"
    if sort == "number" and isinstance(said, float) and said.is_integer() and abs(said) < 100:
        return "small"
    return "small" if sort == "text" and len(said) < 3 else ""


def found_on(page: Page, about: DetailPage, facts: Facts) -> dict[Key, str]:
    """Those of the facts that a page has, and where."""
    found: dict[Key, str] = {}

    def add(key: Key | None, where: str) -> None:
        if key in facts:
            found.setdefault(key, where)

    for address in about.addresses:
        add(("address", address), HEAD)
        add(("address", address[address.find("/") :] if "/" in address else ""), HEAD)  # of a listing without its own
    titles = [*about.heads]
    for column, value, text in zip(about.columns, about.values, about.texts, strict=True):
        if column.role == "title" and isinstance(text, str):
            titles.append(text)
        if len(column.columns) < 2 and value is not None:
            for each in (*entries(value), *entries(text)):
                add(key_of_text(each) if isinstance(each, str) else key_of(each), RECORD)
    for title in titles:
        key = key_of_text(title)
        if key in facts:
            found[key] = HEAD
        for word in words_in(title).words:
            add(("word", word), HEAD)
    for text in short_texts(page):
        add(key_of_text(text), PAGE)
    return found


def gathered(
    facts: Facts, on_pages: Sequence[dict[Key, str]], many: int
) -> tuple[dict[tuple[int, int], Evidence], tuple[str, ...]]:
    """What speaks for each pair that has anything in common, and the limits that were met."""
    pages_with: dict[Key, list[int]] = defaultdict(list)
    for number, found in enumerate(on_pages):
        for key in found:
            pages_with[key].append(number)
    evidence: dict[tuple[int, int], Evidence] = defaultdict(Evidence)
    left = BUDGET
    most = log(many + 4)
    for key in sorted(pages_with, key=lambda key: len(facts[key]) * len(pages_with[key])):
        left -= len(facts[key]) * len(pages_with[key])
        if left < 0:
            return evidence, ("linking.pairs",)
        records = len({fact.record for fact in facts[key]})
        rarity = log((many + 4) / max(records, len(pages_with[key])))
        for number in pages_with[key]:
            where = on_pages[number][key]
            for fact in facts[key]:
                about = evidence[fact.record, number]
                if fact.kind == "word":
                    about.words = min(about.words + OF_WORD * rarity, most + 1.5)
                    continue
                # What a page is headed by is the title of the record, whatever the listing takes it for.
                kind = fact.kind or ("title" if where == HEAD else "")
                is_whole = kind in BONUS and (where == HEAD or (kind == "id" and where == RECORD))
                share = 1.0 if is_whole else ELSEWHERE if where == PAGE else IN_RECORD
                if fact.kind == "small":
                    share *= OF_SMALL_NUMBER
                weight = share * rarity + (BONUS[kind] * rarity / most if is_whole else 0.0)
                about.has_title |= is_whole and kind == "title"
                about.by_column[fact.column] = max(weight, about.by_column.get(fact.column, 0.0))
    return evidence, ()


def weigh_differences(evidence: dict[tuple[int, int], Evidence], listing: Side, pages: Sequence[DetailPage]) -> None:
    """Say of the pairs what speaks against them: other titles, other prices, other links."""
    titles = [place for place, column in enumerate(listing.columns) if column.role == "title"][:1]
    prices = [place for place, column in enumerate(listing.columns) if column.role == "price"][:1]
    heads = [[words_in(head) for head in page.heads] for page in pages]
    known = [set(page.addresses) for page in pages]
    hosts = [{address.partition("/")[0] for address in addresses} for addresses in known]
    price_on = [
        {key_of(value) for column, value in zip(page.columns, page.values, strict=True) if column.role == "price"}
        - {None}
        for page in pages
    ]
    for (record, number), about in evidence.items():
        row = listing.values[record]
        for place in titles:
            if isinstance(row[place], str) and heads[number] and not about.has_title:
                about.against += of_heads(words_in(row[place]), heads[number])
        for place in prices:
            if row[place] is not None and price_on[number] and key_of(row[place]) not in price_on[number]:
                about.against += OTHER_PRICE
        link = listing.links[record]
        if link is not None and LINK not in about.by_column and known[number]:
            plain = plain_address(link)
            if plain not in known[number] and plain.partition("/")[0] in hosts[number]:
                about.against += OTHER_LINK


def of_heads(title: Words, heads: Sequence[Words]) -> float:
    """What speaks against a record with this title on a page with these heads: the one that says the least counts."""
    return max(of_head(title, head) for head in heads)


def of_head(title: Words, head: Words) -> float:
    """What speaks against a title and a head as those of one thing.

    >>> of_head(words_in("Pan HV-846 16 cm"), words_in("Pan HV 846 160 mm | Shop"))
    0.0
    >>> of_head(words_in("Pan HV-846 16 cm"), words_in("Pan HV 846 20 cm")) < -5
    True
    """
    shared = (title.words & (head.words | head.codes)) | (head.words & title.codes)
    mine, theirs = left_of(title.words, shared), left_of(head.words, shared)
    odds = min(0.0, of_measures(title.measures, head.measures))
    if any(map(is_code, mine)):
        odds += OTHER_CODE if any(map(is_code, theirs)) else NO_CODE
    if 3 * len(mine) > 2 * len(title.words):
        odds += OTHER_TITLE
    return odds


def reasons(listing: Side, record: int, about: Evidence) -> dict[str, str]:
    """What a pair shares, the most telling first."""
    found = Counter(about.by_column)
    if about.words and not about.has_title:
        found[WORDS] = about.words  # type: ignore[assignment]
    why: dict[str, str] = {}
    for place, _ in found.most_common():
        if place == LINK:
            why["link"] = listing.links[record] or "an address of the record"
        elif place == WORDS:
            why["words"] = "words of the title"
        else:
            why[listing.columns[place].name] = str(listing.texts[record][place])
    return why
