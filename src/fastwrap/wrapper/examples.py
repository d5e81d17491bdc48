"""Learning by example: from the values of a record or two, as a person reads them, the list and its columns.
A value is found as a whole text, whatever its case, white space and currency sign, or as a part of one."""

from __future__ import annotations

import difflib
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fastwrap import columns
from fastwrap.columns.choice import JOIN, TAKE, WHOLE, Source
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.columns.offers import Offer, Selected, offers_of, template_of
from fastwrap.columns.records import ITEMS
from fastwrap.columns.splitting import AGREEMENT, MAX_PARTS, SEPARATORS, Rule
from fastwrap.columns.template import MAX_NAME
from fastwrap.columns.wanted import best_pairs
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.names import TEXT
from fastwrap.wrapper.cutting import Effort, Example
from fastwrap.wrapper.pattern import Pattern, learn_pattern

Values: TypeAlias = dict[str, tuple[str, ...]]
"""By name, the values of a record; several where the record has a list of them."""

EXACT, SAME, SAME_NUMBER, PART = 5.0, 4.0, 3.0, 2.0
"""How well a text is a value: as it is; but for case, white space and accents; as a number; or in a part of it."""

BETTER = 0.5
"""By how much a list must fit better than one that is ranked before it."""

RARE, NO_TEXT, HIDDEN = 0.5, 0.4, 0.2
"""What speaks against one of several columns that have the value: few records have it; it is an attribute; a person
would not have shown it."""

MAX_EXAMPLES = 10
MAX_VALUES = 50
MAX_VALUE = 5_000
"""Characters of a value."""

MAX_RUN = 50
"""Columns that follow each other in which the pieces of a value are looked for."""

MAX_PLACES = 200
"""Places of a value on a page that are looked at."""

MAX_SIZE = 16
"""Nodes of an element whose text may be a value."""

MAX_LEVELS = 200
"""Elements around a record that are looked at for siblings like it."""

MAX_NEAR = 3_000
"""Texts of a page that one which is not there is compared with."""

SHORTEST_PART = 2
"""Characters of a value that may be a part of a text."""

NUMBER = re.compile(r"\d(?:[\d.,'’\u00a0\u202f ]*\d)?")
DECIMALS = re.compile(r"[.,](\d{1,2})$")
NO_DIGIT = re.compile(r"\D")


def values_of(examples: Iterable[Mapping[str, Any]]) -> list[Values]:
    """The examples as texts; TypeError or FastwrapError for what is none.

    >>> values_of([{"title": " Enamel  pan", "price": 24.9, "tags": ["new", "blue"]}])
    [{'title': ('Enamel pan',), 'price': ('24.9',), 'tags': ('new', 'blue')}]
    """
    if isinstance(examples, (str, bytes, Mapping)) or not isinstance(examples, Iterable):
        raise TypeError(f"examples is a list of dicts, one for each record, not {type(examples).__name__}")
    found: list[Values] = []
    for example in examples:
        if not isinstance(example, Mapping):
            raise TypeError(f"an example is a dict of names and values, not {type(example).__name__}")
        values = {}
        for name, value in example.items():
            if not isinstance(name, str):
                raise TypeError(f"the name of a value is a str, not {type(name).__name__}")
            parts = list(value) if isinstance(value, (list, tuple)) else [value]
            texts = tuple(text_of(name, part) for part in parts)
            if len(name) > MAX_NAME:
                raise FastwrapError(f"a name has {len(name):,} characters, more than {MAX_NAME}")
            if not name.strip() or not texts or not all(texts):
                raise FastwrapError(f"the example has no value for {name!r}" if name.strip() else "a name is empty")
            values[name] = texts
        if not values:
            raise FastwrapError("an example has no values")
        found.append(values)
    if not found:
        raise FastwrapError("there is no example to learn from")
    if len(found) > MAX_EXAMPLES or len({name for values in found for name in values}) > MAX_VALUES:
        raise FastwrapError(f"examples are at most {MAX_EXAMPLES}, of at most {MAX_VALUES} values")
    return found


def text_of(name: str, value: object) -> str:
    """A value as a text, white space normalised."""
    if isinstance(value, bool) or not isinstance(value, (str, Real, Decimal)):
        raise TypeError(f"the value of {name!r} is a str or a number, not {type(value).__name__}")
    text = " ".join(str(value).split())
    if len(text) > MAX_VALUE:
        raise FastwrapError(f"the value of {name!r} has {len(text):,} characters, more than {MAX_VALUE:,}")
    return text


def normal(text: str) -> str:
    """A text without case, accents and white space, which pages write in many ways.

    >>> normal("Café  Noir") == normal("cafe noir")
    True
    """
    if text.isascii():
        return "".join(text.split()).lower()
    text = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in text if not letter.isspace() and not unicodedata.combining(letter))


def number_in(text: str) -> Decimal | None:
    """The only number of a text, whatever its signs; None where there is none, or several.

    >>> number_in("24,90 €"), number_in("1.299"), number_in("$1,299.00"), number_in("4 of 5")
    (Decimal('24.90'), Decimal('1299'), Decimal('1299.00'), None)
    """
    found = NUMBER.findall(text)
    if len(found) != 1 or len(found[0]) > 30:
        return None
    decimals = DECIMALS.search(found[0])
    whole = NO_DIGIT.sub("", found[0][: decimals.start()] if decimals else found[0])
    return Decimal(f"{whole}.{decimals[1]}" if decimals else whole)


class Reading(NamedTuple):
    """A text, prepared for many comparisons."""

    text: str
    normal: str
    number: Decimal | None

    @classmethod
    def of(cls, text: str) -> Reading:
        """A text of the page."""
        return cls(text, normal(text), number_in(text))

    @classmethod
    def of_value(cls, text: str) -> Reading:
        """A value, which is a number only if it is little else."""
        return cls(text, normal(text), number_in(text) if sum(map(str.isalpha, text)) <= 3 else None)


def likeness(value: Reading, there: Reading) -> float:
    """How well a text is a value; 0 for not at all.

    >>> price, texts = Reading.of_value("24.90"), ("24.90", "EUR 24,90", "24.90, but never 30", "124.90", "25")
    >>> [likeness(price, Reading.of(text)) for text in texts]
    [5.0, 3.0, 2.0, 0.0, 0.0]
    """
    if there.text == value.text:
        return EXACT
    if there.normal == value.normal:
        return SAME
    if value.number is not None and there.number == value.number:
        return SAME_NUMBER
    if "/" in value.text and " " not in value.text:  # an address, or the end of one
        return SAME_NUMBER if there.normal.rstrip("/").endswith(value.normal.rstrip("/").lstrip(".")) else 0.0
    if len(value.text) < SHORTEST_PART or value.normal not in there.normal:
        return 0.0
    return PART if part_of(value.text, there.text) is not None else 0.0


def part_of(value: str, text: str) -> tuple[int, int] | None:
    """Where a value stands in a text, not within a word or a number; None if it does not.

    >>> part_of("pan", "Milk Pan, blue"), part_of("pan", "Spanish")
    ((5, 8), None)
    """
    pattern = r"\s*".join(map(re.escape, value.split()))
    left = r"(?<![^\W_])" if value[0].isalnum() else ""
    right = r"(?![^\W_])(?![.,]\d)" if value[-1].isalnum() else ""
    if value[0].isdigit():
        left = r"(?<![\w])(?<!\d[.,])"
    found = re.search(left + pattern + right, text, re.IGNORECASE)
    return found.span() if found else None


Cells: TypeAlias = Sequence[Any]
"""The cells of a column, one per record: a text, a list of texts, or None."""


def texts_in(cell: Any) -> list[str]:
    """The texts of a cell."""
    return [cell] if isinstance(cell, str) else [text for text in cell or () if isinstance(text, str)]


def cell_likeness(values: Sequence[Reading], texts: Sequence[Reading]) -> float:
    """How well the texts of a cell are some values; 0 unless all of these are there."""
    if not texts:
        return 0.0
    found = [max(likeness(value, text) for text in texts) for value in values]
    if not all(found):
        return 0.0
    # Some entries of a list are a part of it.
    return min(found) if len(texts) == len(values) else min(*found, PART)


def find_columns(
    examples: Sequence[Values], cells: Sequence[Cells], against: Sequence[float]
) -> tuple[float, dict[str, int]] | None:
    """By name, the column that has the values of the examples, each example in one record, and how well they fit; None
    if there is an example that no record has. `against` is what speaks against each column.

    >>> find_columns([{"title": ("Pan",), "price": ("5",)}], [["Pot", "Pan"], ["3 €", "5 €"]], [0, 0])
    (4.0, {'title': 0, 'price': 1})
    """
    names = list(dict.fromkeys(name for values in examples for name in values))
    count = len(cells[0]) if cells else 0
    read = [[[Reading.of(text) for text in texts_in(cell)] for cell in column] for column in cells]
    less = [RARE * (1 - sum(map(bool, read[k])) / max(1, count)) + against[k] for k in range(len(cells))]
    total: dict[str, dict[int, float]] = {}
    for example in examples:
        values = {name: [Reading.of_value(text) for text in texts] for name, texts in example.items()}
        best: dict[str, dict[int, float]] = {}
        most = 0.0
        for record in records_with(values, read):
            found = {name: places_in(record, parts, read, less) for name, parts in values.items()}
            worth = sum(max(fits.values()) for fits in found.values())
            if worth > most:
                best, most = found, worth
        if not best:
            return None
        for name, fits in best.items():
            known = total.get(name)
            total[name] = fits if known is None else {k: known[k] + fits[k] for k in known.keys() & fits.keys()}
    if not all(total.values()):
        return None
    columns_of = {}
    for name, place in zip(names, best_pairs([total[name] for name in names]), strict=True):
        # Two values may be parts of one text.
        columns_of[name] = max(total[name], key=total[name].__getitem__) if place is None else place
    return sum(total[name][columns_of[name]] for name in names) / len(examples) / len(names), columns_of


ReadColumns: TypeAlias = Sequence[Sequence[Sequence[Reading]]]


def places_in(record: int, values: Sequence[Reading], read: ReadColumns, against: Sequence[float]) -> dict[int, float]:
    """The columns in which a record has some values, and how well these fit."""
    fits = ((place, cell_likeness(values, cells[record])) for place, cells in enumerate(read))
    return {place: fit - against[place] for place, fit in fits if fit > 0}


def records_with(values: Mapping[str, Sequence[Reading]], read: ReadColumns) -> list[int]:
    """The records that have all of the values, each in some column."""
    found = list(range(len(read[0]))) if read else []
    for parts in values.values():
        found = [record for record in found if any(cell_likeness(parts, cells[record]) > 0 for cells in read)]
    return found


def runs_of(examples: Sequence[Values], cells: Sequence[Cells]) -> list[tuple[int, ...]]:
    """Columns that follow each other and together are a value in some record.

    >>> runs_of([{"price": ("19,90 €",)}], [["Pan", "Pot"], ["19", "24"], [",90", ",50"], ["€", "€"]])
    [(1, 2, 3)]
    """
    count = len(cells[0]) if cells else 0
    texts = [[normal(cell) if isinstance(cell := column[k], str) else "" for column in cells] for k in range(count)]
    found: dict[tuple[int, ...], None] = {}
    for value in (normal(text) for values in examples for parts in values.values() for text in parts):
        for record in texts:
            if run := run_in(value, record):
                found[run] = None
    return list(found)


def run_in(value: str, texts: Sequence[str]) -> tuple[int, ...]:
    """The places of texts that make a value, one after the other; absent ones between them do not matter."""
    for first, beginning in enumerate(texts):
        if not beginning or not value.startswith(beginning):
            continue
        run, done = [first], len(beginning)
        for place in range(first + 1, min(len(texts), first + MAX_RUN)):
            if done == len(value):
                break
            if texts[place]:
                if not value.startswith(texts[place], done):
                    break
                run.append(place)
                done += len(texts[place])
        if done == len(value) and len(run) > 1:
            return tuple(run)
    return ()


def part_rule(values: Sequence[str], texts: Sequence[str]) -> tuple[Rule, list[int]] | None:
    """How texts are split so that each of some values is a part of one of them, and which part each is; None if they
    have neither the same words around a value nor the same separators.

    >>> part_rule(["Ann"], ["by Ann (staff)", "by Bob (staff)", "by Carl (staff)"])
    (Rule(prefix='by ', suffix=' (staff)', separator='', parts=(), label=''), [0])
    >>> part_rule(["OR", "Salem"], ["Salem, OR", "Austin, TX"])[1]
    [1, 0]
    """
    text = next((text for text in texts if all(part_of(value, text) for value in values)), None)
    if text is None:
        return None
    if len(values) == 1 and (place := part_of(values[0], text)) is not None:
        prefix, suffix = text[: place[0]], text[place[1] :]
        agreeing = sum(other.startswith(prefix) and other.endswith(suffix) for other in texts)
        if agreeing >= AGREEMENT * len(texts):
            return Rule(prefix, suffix), [0]
    for separator in SEPARATORS:
        pieces = [normal(piece) for piece in text.split(separator)]
        agreeing = sum(other.count(separator) == len(pieces) - 1 for other in texts)
        if 1 < len(pieces) <= MAX_PARTS and agreeing >= AGREEMENT * len(texts):
            parts = [pieces.index(normal(value)) for value in values if normal(value) in pieces]
            if len(parts) == len(values):
                return Rule(separator=separator, parts=(Rule(),) * len(pieces)), parts
    return None


# On the page


class PageTexts:
    """All that may be a value on a page: the texts of small elements, and attributes; read once for all values."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: list[tuple[int, Reading, float]] = []
        """Nodes, what they have, and what speaks against it."""
        small = np.flatnonzero((page.size <= MAX_SIZE) & (page.text_start[np.arange(len(page)) + page.size] > 0))
        for node in small.tolist():
            if text := page.text(node):
                self.found.append((node, Reading.of(text), 0.0))
        for node in np.flatnonzero(np.diff(page.attribute_start)).tolist():
            for name, text in page.attributes(node).items():
                if text and (name in ITEMS or name.startswith("data-")):
                    self.found.append((node, Reading.of(" ".join(text.split())), NO_TEXT))

    def places(self, value: Reading) -> list[int]:
        """The nodes that hold a value best; of those within each other, the smallest."""
        fits = [(fit - against, node) for node, there, against in self.found if (fit := likeness(value, there)) > 0]
        most = max((fit for fit, _ in fits), default=0.0)
        nodes = sorted({node for fit, node in fits if fit >= most - 1.0})
        # In document order what is within a node comes right after it.
        after = [*nodes[1:], len(self.page)]
        inner = [node for k, node in enumerate(nodes) if after[k] >= node + int(self.page.size[node])]
        return inner[:MAX_PLACES]


def around(page: Page, places: Sequence[Sequence[int]]) -> int | None:
    """The smallest element that has one of the places of each value, which are in order; None if there is none."""
    anchors = min(places, key=len)
    best: int | None = None
    for anchor in anchors:
        node = anchor
        for _ in range(MAX_LEVELS):
            end = node + int(page.size[node])
            if all(bisect_left(nodes, node) < bisect_left(nodes, end) for nodes in places):
                if best is None or page.size[node] < page.size[best]:
                    best = node
                break
            node = int(page.parent[node])
            if node < 0:
                break
    return best


def alike(page: Page, node: int) -> list[int]:
    """An element, and its siblings of the same tag that have the same class, or children of the same tags."""
    parent = int(page.parent[node])
    if parent < 0 or page.tag[node] == TEXT:
        return [node]
    own = {int(page.tag[child]) for child in page.children(node)}

    def is_like(other: int) -> bool:
        if page.tag[other] != page.tag[node]:
            return False
        theirs = {int(page.tag[child]) for child in page.children(other)}
        same_class = page.style_symbol[other] == page.style_symbol[node] != 0
        return same_class or 2 * len(own & theirs) >= max(1, len(own | theirs))

    return [sibling for sibling in page.children(parent) if is_like(sibling)]


def repeating(texts: PageTexts, example: Values) -> Iterator[Example]:
    """What repeats around the values of an example, the smallest first: siblings like the element that has them all, or
    like one around it."""
    page = texts.page
    places = [texts.places(Reading.of_value(part)) for parts in example.values() for part in parts]
    node = around(page, places) if all(places) else None
    for _ in range(MAX_LEVELS):
        if node is None or page.parent[node] < 0:
            return
        siblings = alike(page, node)
        if len(siblings) > 1:
            spans = np.array([[each, each + int(page.size[each])] for each in siblings], dtype=np.int32)
            yield Example(page, np.array([page.parent[node]], dtype=np.int32), spans)
        node = int(page.parent[node])


def find_list(lists: Sequence[Sequence[Example]], pages: Sequence[Page], values: Sequence[Values]) -> Pattern:
    """The list whose records have the values, of those that were found on pages, or else of what repeats around the
    values; its columns are these. FastwrapError, which says what is not there, if there is none."""
    best: tuple[float, Pattern] | None = None
    tables = []
    effort = Effort(len(pages))
    for examples in lists:
        worth, pattern, cells = by_values(examples, values, effort)
        tables.append(cells)
        if pattern is not None and (best is None or worth >= best[0] + BETTER):
            best = worth, pattern
    if best is not None:
        return best[1]
    there = list(map(PageTexts, pages))
    for texts in there:
        for example in repeating(texts, values[0]):
            _, pattern, _ = by_values([example], values, effort)
            if pattern is not None:
                return pattern
    raise not_found(there, values, tables)


def by_values(
    examples: Sequence[Example], values: Sequence[Values], effort: Effort
) -> tuple[float, Pattern | None, list[Sequence[Any]]]:
    """How well the records of a list have the values, the pattern of the list with their columns, None if they have not
    all of them; and the cells of all columns."""
    pattern = learn_pattern(examples, 1.0, effort=effort)
    assert pattern.example is not None
    whole = columns.learn(pattern.example.page, pattern.example.spans)
    offers = [
        merged([offers_of(columns.apply(template, *example[::2]), is_shown) for example in examples])
        for template, is_shown in ((pattern.template, True), (whole.template, False))
    ]
    everything = [*offers[0], *offers[1], *joined(values, offers[1])]
    cells = [offer.cells for offer in everything]
    against = [NO_TEXT * (offer.kind != TEXT_ITEM) + HIDDEN * (not offer.is_shown) for offer in everything]
    found = find_columns(values, cells, against)
    if found is None:
        return 0.0, None, cells
    selected = with_parts({name: everything[place] for name, place in found[1].items()}, values)
    return found[0], replace(pattern, learned=template_of(whole, selected)), cells


def merged(pages: Sequence[Sequence[Offer]]) -> list[Offer]:
    """What the same table offers on several pages."""
    return [
        same[0]._replace(cells=[cell for offer in same for cell in offer.cells]) for same in zip(*pages, strict=True)
    ]


def joined(values: Sequence[Values], offers: Sequence[Offer]) -> list[Offer]:
    """What texts offer that follow each other and together are a value."""
    single = [
        offer
        for offer in offers
        if offer.source is not None and offer.kind == TEXT_ITEM and not offer.is_list and offer.source.part == WHOLE
    ]
    found = []
    for run in runs_of(values, [offer.cells for offer in single]):
        parts = [single[place] for place in run]
        items = tuple(part.source.first_item for part in parts if part.source is not None)
        rows = zip(*(part.cells for part in parts), strict=True)
        cells = [" ".join(cell for cell in row if isinstance(cell, str)) or None for row in rows]
        found.append(parts[0]._replace(source=Source(JOIN, (items,)), cells=cells))
    return found


def with_parts(found: Mapping[str, Offer], values: Sequence[Values]) -> list[Selected]:
    """The columns of names, split where values are parts of their texts."""
    split = {offer.source.first_item for offer in found.values() if offer.source is not None and offer.rule is not None}
    selected = []
    for name, offer in found.items():
        given = next(example[name] for example in values if name in example)
        chosen = Selected(name, offer.source, {"example": given[0][:MAX_NAME]}, offer.column.role, offer.rule)
        source = offer.source
        is_whole = source is not None and source.operation == TAKE and source.part == WHOLE and len(given) == 1
        if source is not None and is_whole and source.first_item not in split:
            texts = [cell for cell in offer.cells if isinstance(cell, str)]
            # Values of other names may be in the same texts: one rule splits them for all.
            same = {
                other: next(example[other][0] for example in values if other in example)
                for other, theirs in found.items()
                if theirs.source == source
            }
            value = Reading.of_value(given[0])
            is_part = max((likeness(value, Reading.of(text)) for text in texts), default=0.0) == PART
            rule = part_rule(list(same.values()), texts) if is_part or len(same) > 1 else None
            if rule is not None:
                part = rule[1][list(same).index(name)]
                chosen = chosen._replace(source=source._replace(part=part), rule=rule[0], role="")
        selected.append(chosen)
    return selected


def not_found(
    there: Sequence[PageTexts], examples: Sequence[Values], tables: Sequence[Sequence[Cells]]
) -> FastwrapError:
    """The error that says which of the values is not on the pages, and what is there instead; or else which of them is
    not in the record that has most."""
    for values in examples:
        for name, texts in values.items():
            for text in texts:
                value = Reading.of_value(text)
                if not any(each.places(value) for each in there):
                    near = near_texts(there, text)
                    instead = f"; near it: {', '.join(map(repr, near))}" if near else ""
                    return FastwrapError(f"the value of {name!r}, {text[:80]!r}, is not on the page{instead}")
    for values in examples:
        lacking = min((lacking_in(values, cells) for cells in tables), key=len, default=list(values))
        if 0 < len(lacking) < len(values):
            what = " and ".join(f"{name!r}, {values[name][0][:80]!r}," for name in lacking)
            return FastwrapError(f"the value of {what} is on the page, but not in the record that has the others")
    return FastwrapError("the values are on the page, but not together in records of one list")


def lacking_in(values: Values, cells: Sequence[Cells]) -> list[str]:
    """The names of the values that are not in the record of a list that has most of them."""
    read = [[[Reading.of(text) for text in texts_in(cell)] for cell in column] for column in cells]
    having = {
        name: set(records_with({name: [Reading.of_value(text) for text in texts]}, read))
        for name, texts in values.items()
    }
    best = max(
        range(len(cells[0]) if cells else 0), key=lambda k: sum(k in found for found in having.values()), default=-1
    )
    return [name for name, found in having.items() if best not in found]


def near_texts(there: Sequence[PageTexts], text: str) -> list[str]:
    """Texts of pages that are nearly this one."""
    lengths = range(3 * len(text) // 4, 4 * len(text) // 3 + 1)
    alike: dict[str, None] = {}
    for _, reading, against in (found for each in there for found in each.found):
        if len(reading.text) in lengths and not against:
            alike[reading.text] = None
            if len(alike) == MAX_NEAR:
                break
    return difflib.get_close_matches(text[:200], [each[:200] for each in alike], n=3, cutoff=0.6)
