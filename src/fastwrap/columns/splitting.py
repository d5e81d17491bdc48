"""Splits texts that hold several values: where the records agree on separators or constant text, and only there.
A rule is learned from the texts of a column and applied to others; one that does not fit stays whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fastwrap._core.columns.splitting import Splitter, extremes, parted
from fastwrap.common.lazy import lazy_property
from fastwrap.types import is_text
from fastwrap.types.words import MONTHS, WEEKDAYS

STRONG = ("|", "¦", "‖", "•", "·", "●", "→", "»", "::", ";", " – ", " — ", " -- ", " - ", " / ", " ~ ")
"""Separators that have no other use within a value, the strongest first."""

BRACKETS = ("(", ")", "[", "]")

WEAK = ", "
"""A separator that values have, too ("Writer, Ann"): it needs a part that is of a kind of its own."""

SEPARATORS = (*STRONG, *BRACKETS, WEAK)
ANY_SEPARATOR = re.compile("|".join(map(re.escape, sorted(SEPARATORS, key=len, reverse=True))))

PAIRS = {"(": ")", "[": "]", "{": "}", "«": "»", "“": "”"}
"""What encloses a whole value."""

OPENING = {closing: opening for opening, closing in PAIRS.items()}

AGREEMENT = 0.9
"""Of the texts, that must have a separator equally often."""

LEFT_OVER_MARKS = "-–—:|·•»"
LEFT_OVER = re.compile(rf"^[{LEFT_OVER_MARKS}]+\s+")
"""What may be left at the beginning of a value when the text before it is cut."""

MAX_PARTS = 12
MAX_DEPTH = 4

LONGEST = 300
"""Characters of the texts on average: what is longer is prose, in which separators mean nothing."""

SAMPLES = 8
"""Texts that are looked at first."""

MAX_TEXTS = 400
"""Texts that a rule is learned from."""

LABEL = re.compile(r"(?=[^:]*[^\W\d])[^:]{1,40}:(?!//)\s*")
WORDS = re.compile(r"(?:[^\W\d_]+\s+)+")
LAST_WORD = re.compile(r"\s[^\W\d_]+$")
PARTICLES = frozenset(
    "by of in at on to for from since until per via de da do du des von vom aus bei im am par por di del della em en "
    "van af av fra från od".split()
)
"""Words that join a value to what is before it, in the main languages."""

IN_DATES = frozenset((WEAK, " – ", " - "))
"""Separators that are also part of dates."""

WRITTEN_DATE = re.compile(
    r"(?:\b([^\W\d_]{3,12})\.?, )?\b(?:([^\W\d_]{3,12})\.?(?: [0-9]{1,2}(?:st|nd|rd|th)?(?: ?[–-] ?[0-9]{1,2})?)?,"
    r" (?:1[5-9]|20)[0-9]{2}\b|([0-9]{1,2})(?=\.? [^\W\d_]{3}))"
)
"""June 17, 2026, with the weekday or without; and a weekday before 17 June 2026."""

BEFORE_DAY_OR_YEAR = re.compile(", [0-9]")
"""What all of these have that are made one word: most texts are told by it."""

SINGLE_WORD = re.compile(r"\S*\s[^\W\d_]+$")
FILE_NAME = re.compile(r"[\w%-]+(\.(?:gif|jpe?g|png|svg|webp|bmp))", re.IGNORECASE)
CODE = re.compile(r"[A-Z]{2,3}")


@dataclass(frozen=True)
class Rule:
    """How a text is taken apart: what is cut from both ends, then the separator, then how each part is taken apart."""

    prefix: str = ""
    suffix: str = ""
    separator: str = ""
    parts: tuple[Rule, ...] = ()
    label: str = ""
    """What the prefix calls the value, if it does."""

    @lazy_property
    def width(self) -> int:
        """How many columns it makes."""
        return sum(part.width for part in self.parts) if self.parts else 1

    @property
    def is_plain(self) -> bool:
        """Whether it leaves texts whole."""
        return not (self.prefix or self.suffix or self.parts)

    @lazy_property
    def labels(self) -> list[str]:
        """What the columns are called, as far as the text says."""
        if not self.parts:
            return [self.label]
        found = [label for part in self.parts for label in part.labels]
        return [found[0] or self.label, *found[1:]]

    def apply(self, text: str) -> list[str | None]:
        """The values of a text, one per column.

        >>> rule = Rule(prefix="by ", separator=", ", parts=(Rule(), Rule()))
        >>> rule.apply("by A. Writer, 2003"), rule.apply("by A. Writer")
        (['A. Writer', '2003'], ['A. Writer', None])
        """
        return self.splitter.apply(text)

    @lazy_property
    def splitter(self) -> Splitter:
        """The same as the kernel takes it."""
        parts = tuple(part.splitter for part in self.parts)
        dated = split_at if self.separator in IN_DATES else None
        return Splitter((self.prefix, self.suffix), self.separator, parts, dated, without_marks)

    def __getstate__(self) -> dict[str, Any]:
        # Without the splitter, which is native: it is made again of the rest.
        return {name: value for name, value in self.__dict__.items() if name != "splitter"}

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        found: dict[str, Any] = {
            key: value for key in ("prefix", "suffix", "separator", "label") if (value := getattr(self, key))
        }
        if self.parts:
            found["parts"] = [part.to_json() for part in self.parts]
        return found

    @classmethod
    def from_json(cls, data: dict[str, Any], depth: int = 0) -> Rule:
        """A rule from what `to_json` gives; ValueError for one that `apply` cannot follow."""
        parts = data.get("parts", [])
        if depth > MAX_DEPTH:
            raise ValueError("a rule of a column has too many parts")
        if bool(parts) != bool(data.get("separator")):
            raise ValueError("a rule of a column has parts without a separator, or a separator without parts")
        return cls(**{**data, "parts": tuple(cls.from_json(part, depth + 1) for part in parts)})


PLAIN = Rule()


def without_marks(text: str) -> str:
    """A value without what may be left at its beginning when the text before it is cut.

    >>> without_marks("- 12 EUR"), without_marks("-12 EUR")
    ('12 EUR', '-12 EUR')
    """
    return LEFT_OVER.sub("", text)


def split_at(separator: str, text: str) -> list[str]:
    """The parts of a text between separators; those within a date are none.

    >>> split_at(", ", "Paris, June 17, 2026"), split_at(", ", "a, b")
    (['Paris', 'June 17, 2026'], ['a', 'b'])
    """
    if separator not in IN_DATES or separator not in text:
        return text.split(separator)
    whole = with_whole_dates(text)
    parts = whole.split(separator)
    return parts if whole is text or "\0" not in whole else [part.replace("\0", " ") for part in parts]


def with_whole_dates(text: str) -> str:
    """A text in which the blanks of dates with a comma are zeros, so that it is not split there."""
    return text if BEFORE_DAY_OR_YEAR.search(text) is None else joined_dates(text)


@lru_cache(1024)
def joined_dates(text: str) -> str:
    """The same of a text that may have such a date: it is split to find a rule, and then by it."""
    return WRITTEN_DATE.sub(one_word, text)


def one_word(found: re.Match[str]) -> str:
    """A date without blanks, if it is one: the first word is a weekday, the second a month."""
    weekday, month, day = found.groups()
    if (month or "").lower() not in MONTHS and day is None:
        return found[0]
    if weekday is None or weekday.lower() in WEEKDAYS:
        return found[0].replace(" ", "\0")
    start = len(found[0]) if month is None else found.start(2) - found.start()
    return found[0][:start] + found[0][start:].replace(" ", "\0")


def find_rule(texts: Sequence[str], separated: bool = True) -> Rule | None:
    """The rule that the texts of a column agree on; None if they are to stay whole.

    `separated` says whether they may have separators.

    >>> find_rule(["Seattle, WA | $12", "Portland, OR | $9", "Austin, TX | $20"]).apply("Salem, OR | $1")
    ['Salem', 'OR', '$1']
    >>> find_rule(["Price: 12", "Price: 9"]).labels
    ['Price']
    >>> find_rule(["Writer, Ann", "Poet, Bob", "Other, Carl"])
    """
    if not separated and not may_have_prefix(texts[0]):
        return None
    texts = list(dict.fromkeys(texts[:MAX_TEXTS]))
    if len(texts) < 2 or sum(map(len, texts)) > LONGEST * len(texts):
        return None
    if not separated or not is_text(spread(texts)):
        prefix, suffix, label = ends_of(texts, False)
        if prefix.rstrip().endswith(":"):
            return Rule(prefix, label=label)
        # A number or date stays whole, but for its name: "Posted: Jan 5, 2003".
        if separated or not (prefix or suffix) or not is_text(spread(texts)):
            return None
    rule = rule_of(texts, 0 if separated else MAX_DEPTH)
    return None if rule is PLAIN else rule


def may_have_prefix(text: str) -> bool:
    """Whether a whole text may begin with something that is no part of its value: a name, or words that join it.

    >>> may_have_prefix("by A. Writer"), may_have_prefix("Price: 3"), may_have_prefix("Chapter 1")
    (True, True, False)
    """
    if LABEL.match(text):
        return True
    words = WORDS.match(text)
    return words is not None and (not words[0][0].isupper() or is_particle(words[0].split(maxsplit=1)[0]))


def common_beginning(one: str, other: str) -> str:
    """What two texts begin with; of the first and the last of many in alphabetical order: what all begin with."""
    length = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:length]


def label_of(prefix: str) -> str:
    """What a prefix calls the value after it."""
    return prefix.strip().rstrip(":").strip()


def spread(texts: list[str]) -> list[str]:
    """Some of the texts, from first to last."""
    return texts if len(texts) <= SAMPLES else [texts[len(texts) * k // SAMPLES] for k in range(SAMPLES)]


def agreed_separators(samples: Sequence[str]) -> set[str]:
    """Separators that most of some texts have equally often."""
    if len(samples) < 2 or not (ANY_SEPARATOR.search(samples[0]) or ANY_SEPARATOR.search(samples[-1])):
        return set()
    counted: Counter[tuple[str, int]] = Counter()
    for text in samples:
        found = ANY_SEPARATOR.findall(with_whole_dates(text)) if len(text) <= LONGEST else ()
        for separator in set(found):
            counted[separator, found.count(separator)] += 1
    return {separator for (separator, _), times in counted.items() if 2 * times > len(samples)}


def file_name_rule(texts: Sequence[str]) -> Rule | None:
    """Cuts the extension from texts that are names of image files, where an author had nothing else to say."""
    if not texts or not FILE_NAME.fullmatch(texts[0]):
        return None
    endings = {match[1] if (match := FILE_NAME.fullmatch(text)) else None for text in texts}
    ending = endings.pop()
    return Rule(suffix=ending) if ending and not endings else None


def rule_of(texts: list[str], depth: int) -> Rule:
    """The rule for texts that are all there."""
    prefix, suffix, label = ends_of(texts, 0 < depth < MAX_DEPTH)
    inner = [inside for text in texts if (inside := text.removeprefix(prefix).removesuffix(suffix).strip())]
    if not inner:
        return PLAIN
    likely = agreed_separators(spread(inner)) if depth < MAX_DEPTH else ()
    if likely and depth and not is_text(spread(inner)):
        likely = ()
    for separator in SEPARATORS if likely else ():
        if separator in likely:
            parts = parts_of(inner, separator, depth)
            if parts is not None:
                return Rule(prefix, suffix, separator, parts, label)
    return Rule(prefix, suffix, label=label) if prefix or suffix else PLAIN


def parts_of(texts: list[str], separator: str, depth: int) -> tuple[Rule, ...] | None:
    """The rules of the parts between separators; None if the texts do not agree on these."""
    agreeing, columns = parted(texts, separator, split_at if separator in IN_DATES else None)
    if not 1 < len(columns) <= MAX_PARTS or agreeing < AGREEMENT * len(texts):
        return None
    if separator == WEAK and not any(is_of_a_kind(column) for column in columns):
        return None
    if separator in BRACKETS and not all(any(column) for column in columns):
        return None
    return tuple(
        rule_of(filled, depth + 1) if (filled := [part for part in column if part]) else PLAIN for column in columns
    )


def is_of_a_kind(texts: list[str]) -> bool:
    """Whether texts are codes, numbers or dates, or words of a small set: what is a value of its own."""
    few = len(texts) >= 4 and len(set(texts)) <= len(texts) / 3
    return few or all(CODE.fullmatch(text) for text in texts) or not is_text(spread(texts))


def ends_of(texts: list[str], is_part: bool) -> tuple[str, str, str]:
    """Constant text before and after the values, and what it calls them."""
    if len(texts) < 2:
        return "", "", ""
    least, most, length = extremes(texts)
    if least == most:
        return "", "", ""
    first = least[:1]
    if first in PAIRS:
        closing = PAIRS[first]
        enclosed = sum(t[0] == first and t[-1] == closing and t.count(first) == 1 for t in texts)
        if enclosed >= AGREEMENT * len(texts):
            return first, closing, ""
    last = least[-1:]
    if last in OPENING and all(text.endswith(last) and OPENING[last] not in text for text in texts):
        return "", last, ""
    shared = least[:length]
    if match := LABEL.match(shared):
        return match[0], "", label_of(match[0])
    prefix = match[0] if (match := WORDS.match(shared)) else ""
    if (
        prefix
        and all(len(text) > len(prefix) for text in texts)
        and (
            prefix.islower()
            or is_particle(prefix.strip())
            # "Elected 1980" within a text; but "Chapter 1" may be the whole title.
            or (is_part and not is_text([text[len(prefix) :] for text in spread(texts)]))
        )
    ):
        return prefix, "", "" if prefix.islower() or is_particle(prefix.strip()) else prefix.strip()
    word = LAST_WORD.search(least)
    if word and word[0].islower() and all(SINGLE_WORD.match(text) and text.endswith(word[0]) for text in texts):
        # The unit of a number stays: its type tells it.
        return "", word[0] if is_text(spread(texts)) else "", ""
    return "", "", ""


def is_particle(prefix: str) -> bool:
    """Whether a prefix is a word like By or Of."""
    return prefix.lower() in PARTICLES
