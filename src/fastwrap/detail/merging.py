"""What a page shows and what its data says of the same thing, in one: the visible text gives the form, the data the
name and the type. Nothing is said twice."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from datetime import date

from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.detail.durations import DURATION_TEXT
from fastwrap.detail.facts import Fact
from fastwrap.detail.lines import Lines
from fastwrap.detail.titles import dice, words_of
from fastwrap.detail.words import INSTRUCTIONS
from fastwrap.types import type_column

ALIKE, MOSTLY_ALIKE = 0.9, 0.6
"""How alike the words of two texts must be that say the same: single texts, and lists or prose."""
HOLDS, MORE = 0.85, 1.3
"""Share of the words of a list of the data that a list on the page has, and how much longer it is, if the data has only
the beginning of it."""
SHORT_STEP = 40
"""Characters of steps up to which they may only be the names of steps."""
NUMBER = re.compile(r"\d+")
DIGITS = re.compile(r"\d[\d.,' ]*\d|\d")
UNIT_SECONDS = (
    (re.compile(r"\s*(?:days?|tage?n?|jours?|d[ií]as?|dias?|giorn[oi]|dag(?:en|ar)?|дн|d)\b", re.IGNORECASE), 86400),
    (re.compile(r"\s*(?:h(?:ou)?rs?|stunden?|std|heures?|horas?|or[ae]|uur|uren|godz\w*|час\w*|timmar?|timer?|h)\b\.?",
        re.IGNORECASE), 3600),
    (re.compile(r"\s*(?:m[ií]n(?:ut[\w]*)?s?|мин\w*|m|分)\b\.?", re.IGNORECASE), 60),
)  # fmt: skip
LETTERS = frozenset(string.ascii_letters + string.digits)
"""With which the key of a text begins, but for case, if the text does."""
PROSE = ("text", "description")
GUESSED = frozenset(("markup", "type", "text"))
"""What the names of facts rest on that need not be believed where data says better."""


def key_of(text: str) -> str:
    """A text without what does not count where two are compared: case, white space, and signs around it."""
    return " ".join(text[:2000].lower().split()).strip(" .,;:!*•▢☐-–")


def duration_of(text: str) -> int:
    """The seconds of a duration as people write it; 0 for what is none.

    >>> duration_of("1 hr 20 mins"), duration_of("45 minutes"), duration_of("5 kg")
    (4800, 2700, 0)
    """
    if len(text) > 60:
        return 0
    total = 0
    for number in NUMBER.finditer(text):
        for unit, seconds in UNIT_SECONDS:
            if unit.match(text, number.end()):
                total += int(number[0][:6]) * seconds
                break
    return total


class Shown:
    """What a page shows, to be looked up by what it says."""

    def __init__(self, facts: list[Fact], data: list[Fact], lines: Lines) -> None:
        self.facts = facts
        self.taken: set[int] = set()
        """The facts that the data says, too, by their places."""
        self.known: dict[int, tuple[str, frozenset[str]]] = {}
        self.keys = [key_of(fact.text) if isinstance(fact.text, str) else "" for fact in facts]
        self.all_lines = lines
        firsts = {key_of(item)[:1] for fact in data for item in fact.items}
        self.lines = self.said(frozenset(letter for letter in LETTERS if letter.lower() not in firsts))

    def said(self, without: frozenset[str] = frozenset()) -> dict[str, tuple[str, int, int]]:
        """By what they say: the lines of the page, and what facts say, without what begins with some letters."""
        found: dict[str, tuple[str, int, int]] = {}
        for line in self.all_lines.lines:
            text = line.text
            if text[:1] not in without and len(text) <= 2000:
                found.setdefault(key_of(text), (text, line.first, line.end))
        for fact in self.facts:
            for item in fact.items:
                if item[:1] not in without:
                    found.setdefault(key_of(item), (item, fact.node, fact.end))
        return found

    def match(self, fact: Fact) -> None:
        """Give a fact of the data the form that the page shows it in, and mark what says the same as said."""
        if fact.kind != TEXT_ITEM:
            self.take(place for place, own in enumerate(self.facts) if own.role == fact.role)
        elif isinstance(fact.text, list):
            self.match_list(fact)
        else:
            self.match_text(fact)

    def words_at(self, place: int) -> tuple[str, frozenset[str]]:
        """What a fact of the page says, as one text, and its words."""
        if place not in self.known:
            whole = " ".join(self.facts[place].items)[:20000]
            self.known[place] = whole, words_of(whole)
        return self.known[place]

    def take(self, places: Iterable[int]) -> None:
        """The facts that need not be said again."""
        self.taken.update(places)

    def match_list(self, fact: Fact) -> None:
        """A list: item by item as the page shows them; lists that say mostly the same are said already."""
        items = []
        nodes = []
        for item in fact.text:
            text, node, end = self.lines.get(key_of(item), (item, -1, -1))
            items.append(text)
            if node >= 0:
                nodes += [node, end]
        if nodes:
            fact.node, fact.end = min(nodes), max(nodes)
        fact.text = items
        words = words_of(" ".join(items)[:20000])
        for place, own in enumerate(self.facts):
            same_name = own.name == fact.name
            if own.kind != TEXT_ITEM or not (isinstance(own.text, list) or same_name):
                continue
            whole, theirs = self.words_at(place)
            holds = len(words & theirs) >= HOLDS * len(words)
            is_longer = len(whole) > MORE * sum(map(len, items)) and len(own.items) > len(items)
            are_names = fact.name == INSTRUCTIONS and sum(map(len, items)) < SHORT_STEP * len(items)
            if same_name and holds and is_longer and (own.is_one_list or are_names):
                fact.text = own.items  # the data stops early, or has only what the steps are called
            if dice(words, theirs) >= MOSTLY_ALIKE or (same_name and holds):
                self.take([place])
                if fact.node < 0:
                    fact.node, fact.end = own.node, own.end

    def match_text(self, fact: Fact) -> None:
        """A single text: by its words, its number, its duration or its date."""
        assert isinstance(fact.text, str)
        found = self.same_fact(fact)
        if found is not None:
            own = self.facts[found]
            self.take([found])
            if isinstance(own.text, str):
                fact.text, fact.node, fact.end = own.text, own.node, own.end
                fact.rank = min(fact.rank, own.rank)
            return
        if len(fact.text) > 3 and (line := self.lines.get(key_of(fact.text))) is not None:
            fact.text, fact.node, fact.end = line
        elif fact.role == "duration" and (seconds := duration_of(fact.text)):
            for text, node, end in self.said().values():
                if len(text) < 40 and DURATION_TEXT.fullmatch(text) and duration_of(text) == seconds:
                    fact.text, fact.node, fact.end = text, node, end
                    break
        if fact.name in PROSE:
            words = words_of(fact.text[:20000])
            for place, own in enumerate(self.facts):
                if own.role == "description" and dice(words, self.words_at(place)[1]) > MOSTLY_ALIKE:
                    self.take([place])

    def same_fact(self, fact: Fact) -> int | None:
        """The place of the fact of the page that says the same; None if there is none."""
        assert isinstance(fact.text, str)
        key, role, text = key_of(fact.text), fact.role, fact.text
        weak = None
        seconds = duration_of(text) if role == "duration" else 0
        for place, own in enumerate(self.facts):
            if place in self.taken or own.kind != TEXT_ITEM or not isinstance(own.text, str):
                continue
            same_name = own.name.lower() == fact.name or bool(role and own.role == role)
            if seconds:
                if duration_of(own.text) == seconds and first_word(own.name) == first_word(fact.name):
                    return place
            elif self.keys[place] == key or (len(text) > 20 and dice(words_of(own.text), words_of(text)) >= ALIKE):
                if same_name:
                    return place
                weak = place if weak is None else weak
            elif own.role == role and is_same_value(role, own.text, text):
                return place
        return weak


def first_word(name: str) -> str:
    """The first word of a name, in small letters."""
    return name.lower().split()[0].rstrip(":") if name.split() else ""


def is_same_value(role: str, one: str, other: str) -> bool:
    """Whether two texts of a role are the same number, or the same day."""
    if role in ("price", "rating", "reviews"):
        return same_number(one, other)
    return role == "date" and same_day(one, other)


def same_number(one: str, other: str) -> bool:
    """Whether the first numbers of two texts are the same, however they are written.

    >>> same_number("24,90 €", "24.9 EUR"), same_number("1.299,00 €", "1299.00"), same_number("5", "6")
    (True, True, False)
    """
    first, second = (DIGITS.search(text) for text in (one, other))
    if first is None or second is None:
        return False
    return plain_digits(first[0]) == plain_digits(second[0])


def plain_digits(number: str) -> str:
    """The digits of a number, without those after its decimal sign that are 0."""
    match = re.search(r"[.,](\d{1,2})$", number)
    whole = number[: match.start()] if match else number
    return re.sub(r"\D", "", whole) + "." + (match[1].rstrip("0") if match else "")


def same_day(one: str, other: str) -> bool:
    """Whether two texts are the same day.

    >>> same_day("January 28, 2026", "2026-01-28T10:00:00+00:00")
    True
    """
    days = []
    for text in (one, other[:10] if re.match(r"\d{4}-\d\d-\d\d", other) else other):
        value = type_column([text]).values[0]
        if not isinstance(value, date):
            return False
        days.append((value.year, value.month, value.day))
    return days[0] == days[1]


def merged(visible: list[Fact], data: list[Fact], lines: Lines) -> list[Fact]:
    """All facts, each once: those of the data first.

    >>> from fastwrap.detail.lines import read
    >>> from fastwrap.page import Page
    >>> shown = [Fact("Cook time", "45 min", 30.0), Fact("Oven", "gas", 31.0)]
    >>> told = [Fact("cook time", "45 minutes", 26.0, "duration")]
    >>> [(fact.name, fact.text) for fact in merged(shown, told, read(Page("")))]
    [('cook time', '45 min'), ('Oven', 'gas')]
    """
    if not data:
        return visible
    shown = Shown(visible, data, lines)
    for fact in data:
        shown.match(fact)
    roles = {fact.role for fact in data if fact.role}
    rest = [
        fact for place, fact in enumerate(visible)
        if place not in shown.taken and not (fact.role in roles and not GUESSED.isdisjoint(fact.why))
    ]  # fmt: skip
    return [*data, *rest]
