"""First look at the columns of a table, for where the compiled module cannot be imported.
The same functions and results as `fastwrap._core.types.strings`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Split: TypeAlias = tuple[list[tuple[str, str]], list[int], list[str], list[int], int, int]

DIGITS, ADDRESSES, STARS, MAIL, ANSWERS, DATES, CLOCKS, PHONES, RATINGS, CONTACTS = (1 << bit for bit in range(10))
PAGES, PICTURES, SETS, PRICES, MACHINES = (1 << bit for bit in range(5))

DECIMAL_POINT, DECIMAL_COMMA, GROUP_POINT, GROUP_COMMA, GROUP_SPACE, GROUP_APOSTROPHE = 1, 2, 4, 8, 16, 32
EITHER_POINT, EITHER_COMMA, NO_NUMBER = 64, 128, 256
CODES = ~0xFE

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif", ".bmp", ".tif", ".tiff", ".ico")
OTHER_ENDINGS = (".html", ".htm", ".js", ".mp3", ".mp4", ".webm", ".ogg", ".wav", ".m4a", ".m4v", ".pdf", ".swf")

LONGEST_ANSWER = 40
FEWEST_OF_PHONE = 7
WITH_DIGITS = DIGITS | DATES | CLOCKS | PHONES | RATINGS

_GROUPS = {".": GROUP_POINT, ",": GROUP_COMMA, " ": GROUP_SPACE, "'": GROUP_APOSTROPHE, "’": GROUP_APOSTROPHE}
_DECIMALS = {".": DECIMAL_POINT, ",": DECIMAL_COMMA}
_EITHER = {".": EITHER_POINT, ",": EITHER_COMMA}

# Every part begins with what the part before it cannot contain.
_PARTS = re.compile(r"([^0-9]{0,41})([0-9]+(?:[.,'’ ][0-9]+)*)([^0-9]{0,40})")
_NO_DIGIT = re.compile(r"[^0-9]")
_HAS_DIGIT = re.compile(r"[0-9]")
_RUN = re.compile(r"[0-9]+")
_INTEGER = re.compile(r"0|[1-9][0-9]{0,6}")
_DATE = re.compile(r"([^0-9]{0,40})(?:[0-9]{1,2}|[0-9]{4})([^0-9]{1,24})(?:[0-9]{1,2}|[0-9]{4})(?![0-9])")
_THIRD = re.compile(r"(?:\. |[^0-9])[0-9]")
_WORD = re.compile(r"[A-Za-z\x80-\U0010ffff]{3}|[\x80-\U0010ffff]")
_LAST_WORD = re.compile(r"(?:[A-Za-z'\x80-\U0010ffff]{3}|[\x80-\U0010ffff][A-Za-z'\x80-\U0010ffff]*)[ ,\-./]*\Z")
_CLOCK = re.compile(r"[0-9]{1,2}(?:[:.]| ?[AaPpUuHh])")
_LINK = re.compile(r"[0-9][ /A-\U0010ffff]*[/A-\U0010ffff][ /A-\U0010ffff]*[0-9]")
_PHONE = re.compile(r"[^0-9]{0,16}[0-9][0-9 ().\-/+extnsioEXTNSIO\x80-\U0010ffff]*")
_ABSOLUTE = re.compile(r"https?://[^\x00-\x20]*|(?:data|mailto|tel):[\x21-\x7f]*")
_RELATIVE = re.compile(r"[!-\x22$-.0-9;->@-\[\]-\x7f]*(?:[/?#][!-\[\]-\x7f]*)?")
_NOT_SIMPLE = re.compile(r"[.#?;]|.*[\s\x00-\x20\\]|.*/\.|[^/?#]*:|//(?:[\x00-/?]|$)", re.DOTALL)
_QUERY = re.compile(r"[?#]")


def _shape(number: str) -> int:
    separators, runs = _NO_DIGIT.findall(number), [len(run) for run in _NO_DIGIT.split(number)]
    if not separators:
        return 0
    bits = [_GROUPS[separator] for separator in separators]
    last = separators[-1]
    head = runs[0] <= 3 and number[0] != "0"
    if len(separators) == 1 and last in ".,":
        return (_EITHER if head and runs[1] == 3 else _DECIMALS)[last]
    decimals = 0
    if len(set(bits)) == 2 and last in ".," and separators.count(last) == 1:
        decimals = _DECIMALS[last]
        bits.pop()
        runs.pop()
    if len(set(bits)) != 1:
        return NO_NUMBER
    middle = set(runs[1:-1])
    in_groups = middle <= {3} or (middle <= {2} and bits[0] == GROUP_COMMA)
    return bits[0] | decimals if head and runs[-1] == 3 and in_groups else NO_NUMBER


def count(things: list[T]) -> dict[T, int]:
    """How often each thing is there, in order of first appearance."""
    return dict(Counter(things))


def split_numbers(strings: list[str], most_missed: int) -> Split | None:
    """The one number of each string and what stands around it; see `strings.pyi`.

    >>> split_numbers(["$ 1.50", "1-2"], 1)
    ([('$ ', '')], [0, -1], ['1.50', ''], [1, 256], 1, 0)
    """
    place_of: dict[tuple[str, str], int] = {}
    places, numbers, shapes = [], [], []
    all_shapes = widths = missed = 0
    for string in strings:
        found = _PARTS.fullmatch(string)
        if found is None:
            missed += 1
            if missed > most_missed:
                return None
            places.append(-1)
            numbers.append("")
            shapes.append(NO_NUMBER)
            continue
        before, number, after = found.groups()
        if before[-1:] in _DECIMALS and not before[-2:-1].isalpha() and number.isdigit():
            before, number, shape = before[:-1], f"0{before[-1]}{number}", _DECIMALS[before[-1]]
        else:
            shape = _shape(number)
            if shape == 0:
                widths |= 1 << min(len(number), 31) | (number[0] == "0" and len(number) > 1)
        places.append(place_of.setdefault((before, after), len(place_of)))
        numbers.append(number)
        shapes.append(shape)
        all_shapes |= shape
    return list(place_of), places, numbers, shapes, all_shapes, widths


def relevant(widths: int, shapes: int) -> int:
    """The widths of numbers if something depends on them, else 0.

    >>> relevant(8, 0), relevant(8, EITHER_POINT)
    (0, 8)
    """
    return widths if widths & CODES or shapes & (EITHER_POINT | EITHER_COMMA) else 0


def _value_of(
    number: str, scale: int, group: str | None, comma: bool, convert: Callable[[str], Any], money: Any, currency: Any
) -> Any:
    if group is not None:
        number = number.replace(group, "").replace("’", "")
    if comma:
        number = number.replace(",", ".")
    value = convert(number) if scale == 1 else scale * convert(number)
    return value if money is None else money(value, currency)


def values_of(
    strings: list[str],
    numbers: list[str],
    places: list[int],
    group: str | None,
    comma: bool,
    convert: Callable[[str], Any],
    scales: list[int],
    money: Callable[[Any, str | None], Any] | None,
    currencies: list[str | None],
) -> dict[str, Any]:
    """The values of strings; see `strings.pyi`.

    >>> values_of(["-1.5 km", "1 to 2"], ["1.5", ""], [0, -1], None, False, float, [-1], None, [None])
    {'-1.5 km': -1.5}
    """
    return {
        string: _value_of(number, scales[place], group, comma, convert, money, currencies[place])
        for string, number, place in zip(strings, numbers, places, strict=True)
        if place >= 0 and scales[place]
    }


def answers_of(strings: list[str], answers: Mapping[str, tuple[bool, bool]], slack: float) -> dict[str, bool] | None:
    """The answers that strings are; see `strings.pyi`.

    >>> answers_of(["Yes", "no"], {"yes": (True, True), "no": (False, True)}, 0)
    {'Yes': True, 'no': False}
    """
    found = {string: answers.get(string.lower().rstrip(".! ")) for string in strings}
    known = {string: answer for string, answer in found.items() if answer is not None}
    if sum(found[string] is None for string in strings) > slack:
        return None
    values = {string: value for string, (value, _) in known.items()}
    return values if any(alone for _, alone in known.values()) or len(set(values.values())) == 2 else None


def resolve(
    strings: list[str | None], scheme: str, origin: str, directory: str, by_hand: Callable[[str], str | None]
) -> list[str | None]:
    """Addresses made absolute; see `strings.pyi`.

    >>> resolve(["a", "/b", None], "https:", "https://example.org", "https://example.org/c/", str)
    ['https://example.org/c/a', 'https://example.org/b', None]
    """
    resolved: list[str | None] = []
    for string in strings:
        if not string or string == "#" or string.startswith("javascript:"):
            resolved.append(None)
        elif _ABSOLUTE.fullmatch(string) or (not origin and _RELATIVE.fullmatch(string)):
            resolved.append(string)
        elif not _NOT_SIMPLE.match(string):
            resolved.append((directory if string[0] != "/" else scheme if string[1:2] == "/" else origin) + string)
        else:
            resolved.append(by_hand(string))
    return resolved


def _count_endings(addresses: Sequence[str], endings: tuple[str, ...]) -> int:
    paths = [_QUERY.split(address, maxsplit=1)[0] for address in addresses]
    return sum(path[-5:].lower().endswith(endings) for path in paths)


def count_pictures(addresses: list[str]) -> int:
    """How many addresses have the ending of a picture.

    >>> count_pictures(["/a.PNG?b", "/a.html"])
    1
    """
    return _count_endings(addresses, PICTURE_ENDINGS)


def _judge(addresses: list[str], pictures: bool, misses: float) -> str:
    """What the addresses of a column are: "url", "image", contacts ("contact"), or none ("")."""
    if not addresses or addresses[0].startswith(("http://schema.org/", "https://schema.org/")):
        return ""
    few = addresses[: int(misses * len(addresses)) + 1]
    if pictures:
        others = _count_endings(few, OTHER_ENDINGS) and _count_endings(addresses, OTHER_ENDINGS)
        return "image" if not others or 2 * others < len(addresses) else "url"
    if count_pictures(few) and count_pictures(addresses) >= (1 - misses) * len(addresses):
        return "image"
    return "contact" if any(address.startswith(("mailto:", "tel:")) for address in few) else "url"


class Look:
    """The first look at columns; see `strings.pyi`."""

    def __init__(
        self,
        longest: int,
        unknown: frozenset[str],
        answers: Mapping[str, tuple[bool, bool]],
        stars: str,
        misses: float,
        miss_of_words: float,
        affixes: Callable[[str, str], Any],
        plan: Callable[[str, str, int, int, Any, bool], Any],
    ) -> None:
        self._longest, self._unknown, self._answers, self._stars = longest, unknown, answers, stars
        self._misses, self._miss_of_words, self._affixes, self._plan = misses, miss_of_words, affixes, plan

    def table(
        self,
        columns: Sequence[Sequence[str | None]],
        kinds: list[int],
        scheme: str,
        origin: str,
        directory: str,
        by_hand: Callable[[str], str | None],
        conventions: Any,
        for_machines: Any,
        typed: Callable[[str, list[Any], str | None, str], Any],
    ) -> tuple[list[Any], list[tuple[int, int, list[str | None], list[str], Split | None, Any]]]:
        """The columns of a table; see `strings.pyi`."""
        found: list[Any] = []
        unfinished: list[Any] = []
        for place, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
            if kind & (PAGES | PICTURES):
                strings = list(column)
                if kind & SETS:
                    firsts = [(string or "").split(None, 1)[:1] for string in strings]
                    strings = [first[0].rstrip(",") if first else None for first in firsts]
                resolved = resolve(strings, scheme, origin, directory, by_hand)
                addresses = [address for address in resolved if address is not None]
                verdict = _judge(addresses, bool(kind & PICTURES), self._misses)
                if verdict == "contact":
                    unfinished.append((place, CONTACTS, resolved, [], None, None))
                    found.append(None)
                    continue
                if verdict:
                    found.append(typed(verdict, resolved, None, ""))
                    continue
            known = for_machines if kind & MACHINES else conventions
            found.append(self._column(place, kind, column, known, typed, unfinished))
        return found, unfinished

    def _column(
        self, place: int, kind: int, strings: Sequence[str | None], conventions: Any, typed: Any, unfinished: list[Any]
    ) -> Any:
        cleaned = [None if string is None else " ".join(string.split()) or None for string in strings]
        filled = [string for string in cleaned if string is not None and string not in self._unknown]
        if filled and all(map(_INTEGER.fullmatch, filled)) and not kind & PRICES:
            numbers = [None if string is None or string in self._unknown else int(string) for string in cleaned]
            return typed("integer", numbers, None, "")
        slack = self._misses * len(filled)
        families = self._families_of(filled, slack)
        split = plan = None
        if families & DIGITS:
            split = split_numbers(filled, int(slack / self._miss_of_words))
            if split is None:
                families ^= DIGITS
            elif len(split[0]) == 1:
                around, places, _, _, shapes, widths = split
                plan = self._plan(*around[0], shapes, relevant(widths, shapes), conventions, bool(kind & PRICES))
                missed = [string for string, number in zip(filled, places, strict=True) if number < 0]
                if plan is None:
                    families ^= DIGITS
                elif plan[0] <= len(filled) and sum(map(self._miss_of, missed)) <= slack:
                    families |= WITH_DIGITS
                    return self._planned(place, families, cleaned, filled, split, plan, typed, unfinished)
            elif self._too_many_are_none(split, slack):
                families ^= DIGITS
            families |= self._families_with_digits(filled, slack)
        if families & ANSWERS and not families & WITH_DIGITS:
            answers = answers_of(filled, self._answers, slack)
            if answers is not None:
                values = [None if string is None else answers.get(string) for string in cleaned]
                return typed("boolean", values, None, "")
            families ^= ANSWERS
        if not families:
            return typed("text", cleaned, None, "")
        unfinished.append((place, families, cleaned, filled, split, None))
        return None

    def _planned(
        self,
        place: int,
        families: int,
        cleaned: list[str | None],
        filled: list[str],
        split: Split,
        plan: Any,
        typed: Any,
        unfinished: list[Any],
    ) -> Any:
        _, name, convert, scale, group, comma, money, currency, unit, why, shown, wanted, _ = plan
        of_string: dict[str | None, Any] = {
            string: _value_of(number, scale, group, comma, convert, money, currency)
            for string, of, number in zip(filled, split[1], split[2], strict=True)
            if of >= 0
        }
        if wanted or any(known is not None for known in shown):
            unfinished.append((place, families, cleaned, filled, split, plan))
        return typed(name, [of_string.get(string) for string in cleaned], unit, why)

    def _miss_of(self, string: str) -> float:
        return 1 if len(string) > self._longest or _HAS_DIGIT.search(string) else self._miss_of_words

    def _too_many_are_none(self, split: Split, slack: float) -> bool:
        weights = count(split[1])
        return sum(weights[place] for place, pair in enumerate(split[0]) if self._affixes(*pair) is None) > slack

    def _families_of(self, filled: list[str], slack: float) -> int:
        families = 0
        for string in filled[: int(slack) + 1]:
            families |= self._families_of_one(string)
        if filled and sum(map(self._least_miss, filled)) <= slack:
            families |= DIGITS
        return families

    def _least_miss(self, string: str) -> float:
        return 1 if len(string) > self._longest else 0 if _HAS_DIGIT.search(string) else self._miss_of_words

    def _families_with_digits(self, filled: list[str], slack: float) -> int:
        short = [string for string in filled if len(string) <= self._longest]
        families = 0
        for family, fits in ((DATES, _may_be_date), (CLOCKS, _CLOCK.match), (RATINGS, _may_be_rating)):
            if sum(self._miss_of(string) for string in short if not fits(string)) <= slack:
                families |= family
        if sum(not _may_be_phone(string) for string in short) <= slack:
            families |= PHONES
        return families

    def _families_of_one(self, string: str) -> int:
        families = 0
        if " " not in string:
            host, slash, _ = string.partition("/")
            if (slash and string[0].isalpha() and "." in host) or (
                len(string) > 4 and string[:4].lower() in ("http", "www.")
            ):
                families |= ADDRESSES
        has_digit = None
        if len(string) <= self._longest:
            has_digit = _HAS_DIGIT.search(string)
            if string[0] in self._stars:
                families |= STARS
            name, _, host = string.partition("@")
            if name and "." in host and " " not in name:
                families |= MAIL
        if not has_digit and len(string) <= LONGEST_ANSWER and string.lower().rstrip(".! ") in self._answers:
            families |= ANSWERS
        return families


def _may_be_date(string: str) -> bool:
    found = _DATE.match(string)
    if found is None:
        return False
    before, between = found.groups()
    if between in ("-", "/", ".", ". "):
        return _THIRD.match(string, found.end()) is not None
    return _WORD.search(between) is not None or _LAST_WORD.search(before) is not None


def _may_be_rating(string: str) -> bool:
    runs = _RUN.findall(string)
    return len(runs) <= 4 and max(map(len, runs), default=0) <= 3 and _LINK.search(string) is not None


def _may_be_phone(string: str) -> bool:
    runs = _RUN.findall(string)
    enough = sum(map(len, runs)) >= FEWEST_OF_PHONE and (len(runs) > 1 or "+" in string)
    return enough and _PHONE.fullmatch(string) is not None
