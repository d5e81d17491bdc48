"""The plain twin of `_core/columns/choice`: which items of records are shown, and how they come together in columns.
Written for reading, not for speed; the kernel does the same on the node arrays."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fastwrap.columns.records import Learned

NOWHERE = -1

# Kinds of items
HREF, SRC, SRCSET, ALT, TITLE, OTHER, DATA, TEXT = range(8)

# Traits of tags, as bits
INLINE, IS_TEXT, BREAK, HEADING, ACTION, CELL, TABLE_CELL, NAMING, IMAGE, SOURCE = (1 << bit for bit in range(10))

# What the texts of a column look like
NOTHING, WORDS, NUMBER, COUNT, MONEY, PERCENT, DATE, TIME, ADDRESS, MAIL = range(10)

# Operations
TAKE, FIRST, JOIN, LIST, REST = range(5)

# What a column is, where its place among the others tells
NO_RELATION, LINK, PICTURE, PRICE, OLD_PRICE = range(5)

# Why an item is not shown
SHOWN, LABEL, NO_WORDS, CONSTANT, ACTION_TEXT, COPY, ATTRIBUTE = range(7)

MONTHS = tuple(b"jan feb mar apr may mai jun jul aug ago sep oct okt out nov dec dez dic".split())
CURRENCIES = frozenset(b"usd eur gbp chf rs inr brl kr pln sek nok dkk aud cad".split())
NO_PAGES = (b"javascript:", b"mailto:", b"tel:", b"#", b"data:")
COLONS = (b":", b"\xef\xbc\x9a")
NUMERIC_DATE = re.compile(rb"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")
CLOCK = re.compile(rb"\d{1,2}:\d\d")
COUNTED = re.compile(rb"\(?\d[\d.,]*[kKmM]?\+?\)? [^ ]+( [^ ]+)?$")
SIGN = re.compile(
    rb"\$|R\$|US\$|\xc2[\xa3\xa5]|\xe2\x82[\xa0-\xbf]|\xe2\x80[\x90-\x95]|-|EUR|USD|GBP|CHF|kr\.?|z\xc5\x82|K\xc4\x8d"
)
WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
FRACTION = re.compile(rb"[.,]\d")
AMOUNT = re.compile(rb"\d[\d.,]*")

SAMPLE = 16
"""Records in which two columns are compared."""

NEAREST = 200
"""Columns before one that it is compared with."""


class Item(NamedTuple):
    """A text or an attribute of records."""

    slot: int
    kind: int
    list: int
    cells: Sequence[bytes | None]
    """One per record; of a nested list, its texts joined by a space."""


class Output(NamedTuple):
    """A column that is shown."""

    operation: int
    relation: int
    label: int
    """The item whose text names it; NOWHERE if none does."""
    shape: int
    sources: tuple[tuple[int, ...], ...]
    """Items that are joined; several of these where the first that a record has is taken."""
    where: tuple[int, ...] = ()
    """Of REST: only records that have one of these items have it."""


@dataclass(eq=False)
class Column:
    """Items that come together."""

    sources: tuple[tuple[int, ...], ...]
    slot: int
    kind: int
    nested: bool
    operation: int
    cells: list[bytes | None]
    label: int = NOWHERE
    relation: int = NO_RELATION
    where: tuple[int, ...] = ()

    @property
    def items(self) -> tuple[int, ...]:
        return tuple(item for items in self.sources for item in items)

    @cached_property
    def records(self) -> frozenset[int]:
        return frozenset(record for record, cell in enumerate(self.cells) if cell)

    @property
    def filled(self) -> int:
        return len(self.records)

    @cached_property
    def different(self) -> int:
        return len({cell for cell in self.cells if cell})

    @cached_property
    def length(self) -> int:
        return sum(len(cell) for cell in self.cells if cell)

    @cached_property
    def shape(self) -> int:
        """That of at least 70% of the texts, else WORDS."""
        counted = Counter(shape_of(cell) for cell in self.cells if cell)
        for shape, times in counted.items():
            if 10 * times >= 7 * self.filled:
                return shape
        return WORDS if counted else NOTHING

    @cached_property
    def normals(self) -> list[bytes | None]:
        return [normal(cell) if cell else None for cell in self.cells]

    @cached_property
    def fixed(self) -> bool:
        """Whether at least 90% of the texts say the same, and there are at most three."""
        if not self.filled or self.different > 3:
            return False
        return 10 * max(Counter(text for text in self.normals if text is not None).values()) >= 9 * self.filled


class Tree:
    """The slots of the records."""

    def __init__(
        self,
        traits: Sequence[int],
        tags: Sequence[int],
        parents: Sequence[int],
        symbols: Sequence[int],
        times: Sequence[int],
        records: int,
    ) -> None:
        self.traits, self.tags, self.parents, self.symbols, self.times = traits, tags, parents, symbols, times
        self.records = records
        self.children: dict[int, list[int]] = defaultdict(list)
        self.depth: list[int] = []
        self.size = [1] * len(parents)
        self.inline = [bool(trait & INLINE) for trait in traits]
        for slot, parent in enumerate(parents):
            self.children[parent].append(slot)
            self.depth.append(0 if parent == NOWHERE else self.depth[parent] + 1)
        for slot in range(len(parents) - 1, -1, -1):
            if parents[slot] != NOWHERE:
                self.size[parents[slot]] += self.size[slot]
                self.inline[parents[slot]] &= self.inline[slot]

    def up(self, slot: int) -> Iterator[int]:
        """A slot and those around it, the nearest first."""
        while slot != NOWHERE:
            yield slot
            slot = self.parents[slot]

    def is_in(self, slot: int, trait: int) -> bool:
        return any(self.traits[above] & trait for above in self.up(slot))

    def has_below(self, slot: int, trait: int) -> bool:
        return any(self.traits[below] & trait for below in range(slot, slot + self.size[slot]))

    def shared_depth(self, one: Column, other: Column) -> int:
        """How deep the innermost element around both is; NOWHERE if there is none."""
        around = set(self.up(one.slot))
        return next((self.depth[slot] for slot in self.up(other.slot) if slot in around), NOWHERE)

    def is_near(self, one: Column, other: Column, levels: int) -> bool:
        """Whether one of the next elements around both is the same."""
        return bool(set(list(self.up(one.slot))[1:levels]) & set(list(self.up(other.slot))[1:levels]))


def count_letters(text: bytes) -> tuple[int, int, bool]:
    """Letters and digits of a text, and whether it has a sign of a currency."""
    letters = digits = at = 0
    currency = False
    while at < len(text):
        byte, after = text[at], text[at + 1] if at + 1 < len(text) else 0
        if byte < 0x80:
            digits += 0x30 <= byte <= 0x39
            letters += 0x41 <= byte <= 0x5A or 0x61 <= byte <= 0x7A
            currency = currency or byte == 0x24
            at += 1
        elif byte < 0xE0:
            letters += byte != 0xC2
            currency = currency or (byte == 0xC2 and after in (0xA3, 0xA5))
            at += 2
        elif byte < 0xF0:
            symbol = byte == 0xE2 or (byte == 0xE3 and after == 0x80) or (byte == 0xEF and after in (0xBB, 0xBC, 0xBF))
            letters += not symbol
            currency = currency or (byte == 0xE2 and after == 0x82) or text[at : at + 3] == b"\xef\xbf\xa5"
            at += 3
        else:
            letters += after != 0x9F  # pictures
            at += 4
    return letters, digits, currency


def shape_of(text: bytes) -> int:
    """What a text looks like."""
    letters, digits, currency = count_letters(text)
    if not letters and not digits:
        return NOTHING
    if text[0] in b"{[" and text[-1] in b"}]" and len(text) > 2 and (b'"' in text or b":" in text):
        return NOTHING  # data of a program
    if text[:8].lower().startswith((b"http://", b"https://", b"www.")):
        return ADDRESS
    if digits and len(text) <= 60:
        words = [word.lower() for word in WORD.findall(text)]
        if letters <= 12 and (currency or any(word in CURRENCIES for word in words)):
            return MONEY
        if letters <= 8 and b"%" in text:
            return PERCENT
        if len(text) < 40 and (NUMERIC_DATE.search(text) or any(word[:3] in MONTHS for word in words)):
            return DATE
        if len(text) < 20 and CLOCK.search(text):
            return TIME
        if not letters:
            return NUMBER
        if letters < 20 and COUNTED.match(text):
            return COUNT
    return MAIL if b"@" in text and b" " not in text else WORDS


def normal(text: bytes) -> bytes:
    """A text without case, and without all that is neither letter nor digit in ASCII."""
    return bytes(byte for byte in text.lower() if byte >= 0x80 or chr(byte).isalnum())


def amount(text: bytes) -> int:
    """The first amount in a text, in hundredths; 0 if there is none. The last point or comma with one or two digits
    after it is the decimal sign."""
    match = AMOUNT.search(text)
    if match is None:
        return 0
    digits = match[0].rstrip(b".,")[:16]
    place = max(digits.rfind(b"."), digits.rfind(b","))
    after = len(digits) - place - 1 if place >= 0 else 0
    whole = int(re.sub(rb"[.,]", b"", digits))
    return whole * 100 if after not in (1, 2) else whole * (10 if after == 1 else 1)


def joined(parts: Sequence[Column], operation: int = JOIN) -> Column:
    """The texts of columns as one."""
    first = parts[0]
    cells = [
        b" ".join(cell for part in parts if (cell := part.cells[record])) or None for record in range(len(first.cells))
    ]
    return Column(
        (tuple(item for part in parts for item in part.items),), first.slot, first.kind, first.nested, operation, cells
    )


def first_of(one: Column, other: Column) -> Column:
    """The texts of one column, and where it has none those of the other."""
    cells = [a or b for a, b in zip(one.cells, other.cells, strict=True)]
    return Column(one.sources + other.sources, one.slot, one.kind, False, FIRST, cells)


class Chooser:
    """The choice of the columns of records."""

    def __init__(self, tree: Tree, items: Sequence[Item]) -> None:
        self.tree = tree
        self.columns = [
            Column(((number,),), item.slot, item.kind, item.list != NOWHERE, TAKE, list(item.cells))
            for number, item in enumerate(items)
        ]
        self.lists = [item.list for item in items]
        self.left_out = [ATTRIBUTE if item.kind != TEXT else NO_WORDS for item in items]
        self.title_link = NOWHERE

    # Links and pictures

    def find_link(self) -> tuple[Column | None, Column | None]:
        """The link to the records' own pages, and the column of it, with links that only other records have."""
        tree = self.tree
        best, most = None, 0
        differing = [c.slot for c in self.columns if c.kind == TEXT and not c.nested and c.different > 1]
        links = [c for c in self.columns if c.kind == HREF and not c.nested]
        for column in links:
            pages = [cell for cell in column.cells if cell and is_page(cell)]
            if 2 * len(pages) < tree.records or not pages:
                continue
            end = column.slot + tree.size[column.slot]
            score = 10 * len(set(pages))
            if any(column.slot < slot < end for slot in differing):
                score += 5 * tree.records
            if tree.is_in(column.slot, HEADING) or tree.has_below(column.slot, HEADING):
                score += 3 * tree.records
            if score > most:
                best, most = column, score
        if best is None:
            return None, None
        found = best
        for column in sorted(links, key=lambda c: -c.filled):
            if column is best or not column.filled or found.filled == tree.records:
                continue
            if (
                not found.records & column.records
                and all(is_page(cell) for cell in column.cells if cell)
                and 5 * column.different >= 4 * column.filled
            ):
                found = first_of(found, column)
        return best, found

    def find_picture(self, link: Column | None) -> Column | None:
        """The pictures of the records: of each place the real ones before those that stand for them."""
        tree = self.tree
        places: dict[int, list[Column]] = defaultdict(list)
        for column in self.columns:
            if tree.traits[column.slot] & IMAGE and not column.nested and column.filled and is_picture(column):
                places[column.slot].append(column)
        best, most, made = None, 0, []
        for slot, group in places.items():
            several = [c for c in group if 2 * sum(b" " in cell for cell in c.cells if cell) >= c.filled]
            plain = [c for c in group if c.kind == SRC and c not in several]
            lazy = [c for c in group if c not in plain and c not in several]
            shown = [{cell for cell in c.cells if cell and not cell.startswith(b"data:")} for c in plain]
            is_real = bool(plain) and 10 * len(shown[0]) >= 7 * plain[0].filled
            order = plain + lazy + several if is_real else lazy + plain + several
            cells = [
                next((cell for c in order if (cell := c.cells[record]) and not cell.startswith(b"data:")), None)
                for record in range(tree.records)
            ]
            operation = FIRST if len(order) > 1 else TAKE
            column = Column(tuple(c.sources[0] for c in order), slot, order[0].kind, False, operation, cells)
            if not column.filled:
                continue
            made.append(column)
            if 10 * column.filled < 3 * tree.records or (
                (column.different < 2 or 4 * column.different < column.filled) and tree.records > 5
            ):
                continue
            score = 10 * column.filled + 12 * column.different
            if link is not None and link.slot <= slot < link.slot + tree.size[link.slot]:
                score += 2 * tree.records
            if tree.traits[slot] & SOURCE:
                score -= 3 * tree.records
            if score > most:
                best, most = column, score
        if best is None:
            return None
        for column in made:
            if column.slot != best.slot and not best.records & column.records:
                best = first_of(best, column)
        return best

    # Lines of text

    def is_name(self, column: Column) -> bool:
        """Whether short texts name what follows them: they end with a colon, or are in an element for names."""
        if not column.filled or column.length > 30 * column.filled:
            return False
        named = sum(cell.endswith(COLONS) for cell in column.cells if cell)
        if 5 * named >= 4 * column.filled:
            return column.different <= max(2, column.filled // 4)
        parent = self.tree.parents[column.slot]
        return parent != NOWHERE and bool(self.tree.traits[parent] & NAMING) and column.fixed

    def in_title(self, column: Column) -> bool:
        """Whether a text is in the link that titles are in."""
        link = self.title_link
        return link != NOWHERE and link < column.slot < link + self.tree.size[link]

    def is_cut(self, parts: Sequence[Column]) -> bool:
        """Whether there are two bare texts that differ, with something between them: it is one text, marked up."""
        depth = min(self.tree.depth[part.slot] for part in parts)
        last, length, found = NOWHERE, 0, False
        for place, part in enumerate(parts):
            if (
                self.tree.depth[part.slot] == depth
                and part.different > 1
                and part.shape == WORDS
                and part.operation == TAKE
            ):
                found = found or (last != NOWHERE and place - last > 1)
                last = place
                length += part.length // part.filled
        return found and length >= 12

    def is_one(self, parts: Sequence[Column], bare: bool, up: int) -> bool:
        """Whether parts of a line are one text."""
        signs = [SIGN.fullmatch(first_text(part)) is not None for part in parts]
        fractions = [FRACTION.match(first_text(part)) is not None for part in parts[1:]]
        amounts = [part.shape in (NOTHING, MONEY, NUMBER) for part in parts]
        if all(part.filled for part in parts) and all(map(or_, signs, amounts)) and (any(signs) or any(fractions)):
            return True  # R$ 19 ,90, or 2.50 € – 7.00 €
        if len(parts) == 2:
            before, after = parts
            if before.shape == NUMBER and after.length < 9 * after.filled and SIGN.match(first_text(after)):
                return True
            if before.shape == DATE and after.shape == TIME:
                return True
        if self.is_cut(parts):
            return True
        if any(part.nested for part in parts):
            return False
        filled = sum(min(part.filled, up) for part in parts)
        together = len(frozenset().union(*[part.records for part in parts]))
        if 20 * filled <= 21 * together:
            return True  # one or the other
        values = any(part.shape > WORDS and 2 * part.filled >= up for part in parts)
        return bare and 10 * filled < 8 * len(parts) * up and not values

    def join_line(self, parts: list[Column], bare: bool, up: int) -> list[Column]:
        """The texts of a line; what is one text is joined, but for names, and for the title."""
        if len(parts) < 2:
            return parts
        cut = self.is_cut(parts)
        runs: list[list[Column]] = [[]]
        for part in parts:
            if not cut and self.is_name(part):
                runs += [[part], []]
            elif runs[-1] and self.in_title(part) != self.in_title(runs[-1][-1]):
                runs.append([part])
            else:
                runs[-1].append(part)
        made = []
        for run in runs:
            made += [joined(run)] if len(run) > 1 and self.is_one(run, bare, up) else run
        return made

    def join_lines(self, lines: list[tuple[list[Column], bool]], is_cell: bool, up: int) -> list[Column]:
        """The texts of lines between breaks; lines of plain words that follow each other are one text. In a cell of a
        table, so are other texts if some records lack one of them."""
        made: list[Column] = []
        run: list[Column] = []

        def end() -> None:
            one = all(part.shape == WORDS for part in run) or 5 * min(part.filled for part in run) < 4 * up
            made.extend([joined(run)] if len(run) > 1 and one else run)
            run.clear()

        for line, bare in lines:
            if len(line) == 1 and bare and self.may_go_on(line[0], is_cell):
                run.append(line[0])
                continue
            if run:
                end()
            made += line
        if run:
            end()
        return made

    def may_go_on(self, part: Column, is_cell: bool) -> bool:
        """Whether a line may be one text with the next."""
        return (
            (part.shape == WORDS or (is_cell and part.shape != ADDRESS))
            and not part.nested
            and not self.in_title(part)
            and not self.is_name(part)
            and not is_labelled(part)
        )

    def texts_below(self, slot: int) -> list[Column]:
        """The texts in a slot; NOWHERE for all of the record."""
        tree = self.tree
        up = tree.records if slot == NOWHERE else max(tree.times[slot], 1)
        is_cell = slot != NOWHERE and bool(tree.traits[slot] & TABLE_CELL)
        made: list[Column] = []
        lines: list[tuple[list[Column], bool]] = []
        line: list[int] = []
        parts: list[Column] = []

        def end_line() -> None:
            if parts:
                often = any(tree.traits[child] & IS_TEXT and 10 * tree.times[child] >= 3 * up for child in line)
                bare = any(tree.traits[child] & IS_TEXT for child in line)
                lines.append((self.join_line(list(parts), often, up), bare))
            line.clear()
            parts.clear()

        def end_lines() -> None:
            end_line()
            made.extend(self.join_lines(lines, is_cell, up))
            lines.clear()

        for child in tree.children[slot]:
            if tree.traits[child] & BREAK:
                end_line()
            elif tree.inline[child]:
                line.append(child)
                parts += self.texts_at(child)
            else:
                end_lines()
                made += self.texts_at(child)
        end_lines()
        return made

    def texts_at(self, slot: int) -> list[Column]:
        """The text of a slot, or the texts in it."""
        return self.text_of[slot] if slot in self.text_of else self.texts_below(slot)

    @cached_property
    def text_of(self) -> dict[int, list[Column]]:
        """By slot: the column of its texts."""
        return {column.slot: [column] for column in self.columns if column.kind == TEXT}

    # What comes together

    def fold_siblings(self, columns: list[Column]) -> list[Column]:
        """Texts of like siblings, at least three, that say the same kind of thing: a list."""
        tree = self.tree
        groups: dict[tuple[object, ...], list[Column]] = defaultdict(list)
        for column in columns:
            if column.nested or column.shape == NOTHING or self.in_title(column):
                continue
            path = [tree.tags[column.slot]]
            for slot in list(tree.up(column.slot))[1:5]:
                path.append(tree.tags[slot])
                parent = tree.parents[slot]
                like = [
                    child
                    for child in tree.children[parent]
                    if tree.tags[child] == tree.tags[slot] and tree.symbols[child] == tree.symbols[slot]
                ]
                if len(like) >= 3 and not tree.traits[slot] & CELL:
                    before = sum(bool(tree.traits[inner] & IS_TEXT) for inner in range(slot, column.slot))
                    groups[parent, tree.symbols[slot], tuple(path), before].append(column)
                    break
        folded: dict[int, Column | None] = {}
        for group in groups.values():
            if len(group) < 3 or any(c.shape != WORDS or self.is_name(c) for c in group):
                continue
            said = [{cell for cell in c.cells if cell} for c in group]
            shared = sum(bool(one & other) for one, other in pairwise(said))
            if 2 * shared >= len(group) - 1:
                folded[id(group[0])] = joined(group, LIST)
                folded |= {id(c): None for c in group[1:]}
        return [made for c in columns if (made := folded.get(id(c), c)) is not None]

    def gather_lists(self, columns: list[Column]) -> list[Column]:
        """The texts of each nested list as one column."""
        made = []
        parts: dict[int, list[Column]] = defaultdict(list)
        # Without those that have no words, such as commas between the entries.
        columns = [column for column in columns if not (column.nested and column.shape == NOTHING)]
        for column in columns:
            if column.nested:
                parts[self.lists[column.items[0]]].append(column)
        for column in columns:
            if not column.nested:
                made.append(column)
            elif (group := parts.pop(self.lists[column.items[0]], None)) is not None:
                made.append(joined(group, LIST))
        return made

    def take_names(self, columns: list[Column]) -> list[Column]:
        """Without the texts that name what is beside them, which are kept as labels of that."""
        kept = []
        for place, column in enumerate(columns):
            after = columns[place + 1] if place + 1 < len(columns) else None
            before = columns[place - 1] if place else None
            names = self.is_name(column)
            named = after
            if not names and column.fixed and column.shape == WORDS and column.length <= 30 * column.filled:
                if (
                    before is not None
                    and before.shape == NUMBER
                    and self.goes_with(column, before)
                    and (
                        after is None or self.tree.shared_depth(column, before) > self.tree.shared_depth(column, after)
                    )
                ):
                    names, named = True, before  # 3 bed
                elif after is not None and self.goes_with(column, after):
                    heads_prose = (
                        5 * column.filled >= 4 * self.tree.records
                        and after.shape == WORDS
                        and after.length > 40 * after.filled
                    )
                    names = not heads_prose
            if not names:
                kept.append(column)
                continue
            self.drop(column, LABEL)
            both = column.records & named.records if named is not None else frozenset()
            if named is not None and named.label == NOWHERE and 10 * len(both) >= 7 * named.filled:
                named.label = column.items[0]
        return kept

    def goes_with(self, name: Column, column: Column) -> bool:
        """Whether a fixed text stands by texts that differ, in the same records."""
        both, either = name.records & column.records, name.records | column.records
        return column.different > 1 and 10 * len(both) >= 9 * len(either) and self.tree.is_near(name, column, 4)

    def keys_of(self, column: Column) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The tags and symbols of the elements around a text, up to the nearest that has a class, and up to the one
        around that; empty if none of the nearest has one."""
        around = list(self.tree.up(column.slot))[1:]
        for place, slot in enumerate(around[:3]):
            if self.tree.symbols[slot]:
                numbers = [
                    number for each in around[: place + 2] for number in (self.tree.tags[each], self.tree.symbols[each])
                ]
                return tuple(numbers[: 2 * place + 2]), tuple(numbers)
        return (), ()

    def come_together(self, columns: list[Column]) -> list[Column]:
        """Columns of which no record has both, in elements of the same class: records differ in shape."""
        made: list[Column] = []
        for column in columns:
            nearest, whole = self.keys_of(column)
            if column.operation == LIST or not nearest:
                made.append(column)
                continue
            for place in range(max(0, len(made) - NEAREST), len(made)):
                other = made[place]
                if other.operation == LIST or other.records & column.records:
                    continue
                of_other = self.keys_of(other)
                fills = 20 * (other.filled + column.filled) >= 19 * self.tree.records
                if of_other[0] == nearest and (
                    of_other[1] == whole or (other.shape == column.shape and (column.shape != WORDS or fills))
                ):
                    made[place] = first_of(other, column)
                    made[place].label = other.label if other.label != NOWHERE else column.label
                    break
            else:
                made.append(column)
        return made

    def settle_prices(self, columns: list[Column]) -> None:
        """Of two amounts near each other, of which fewer records have the smaller one: this is the price where it is
        there, and the other the old price."""
        amounts = sorted((c for c in columns if c.shape == MONEY and c.filled > 1), key=lambda c: -c.filled)
        for one in amounts:
            for other in amounts:
                if one is other or 6 * one.filled > 5 * other.filled:
                    continue
                both = one.records & other.records
                if 10 * len(both) < 9 * one.filled or not self.tree.is_near(one, other, 5):
                    continue
                pairs = [(amount(one.cells[record] or b""), amount(other.cells[record] or b"")) for record in both]
                if 10 * sum(0 < new < old <= 3 * new for new, old in pairs) < 9 * len(both):
                    continue
                price = first_of(one, other)
                cells = [old if new else None for new, old in zip(one.cells, other.cells, strict=True)]
                rest = Column(
                    other.sources, other.slot, other.kind, False, REST, cells, other.label, OLD_PRICE, one.items
                )
                price.relation = PRICE
                columns[columns.index(one)], columns[columns.index(other)] = price, rest
                return

    # What is left out

    def drop(self, column: Column, why: int) -> None:
        for item in column.items:
            self.left_out[item] = why

    def reason_against(self, column: Column) -> int:
        """Why a column is not shown: SHOWN if nothing speaks against it."""
        tree = self.tree
        if column.shape == NOTHING or not column.filled:
            return NO_WORDS
        if column.label != NOWHERE or tree.records < 2:
            return SHOWN
        is_action = tree.is_in(column.slot, ACTION)
        in_title = self.in_title(column)
        if (
            column.shape == WORDS
            and is_action
            and not in_title
            and column.filled >= 4
            and column.different <= 3
            and 20 * column.different <= max(20, column.filled)
        ):
            return ACTION_TEXT
        if (
            column.different == 1
            and column.shape != MONEY
            and (
                5 * column.filled >= 4 * tree.records
                or column.shape in (NUMBER, COUNT)
                or is_action
                or 10 * column.filled < tree.records
            )
        ):
            return CONSTANT
        return SHOWN

    def is_copy(self, column: Column, shown: Sequence[Column], loosely: bool) -> bool:
        """Whether a column says the same as one that is shown, or a part of it."""
        for other in shown[-NEAREST:]:
            both = column.records & other.records
            if 10 * other.filled < 6 * column.filled or 10 * len(both) < 7 * min(column.filled, other.filled):
                continue
            pairs = [(column.normals[record] or b"", other.normals[record] or b"") for record in sorted(both)[:SAMPLE]]
            pairs = [(own, seen) for own, seen in pairs if own and seen]
            if not pairs:
                continue
            if 5 * sum(own == seen for own, seen in pairs) >= 4 * len(pairs):
                return True
            if loosely:
                if 5 * sum(own in seen or seen in own for own, seen in pairs) >= 4 * len(pairs):
                    return True
            elif column.length >= 8 * column.filled and 10 * sum(own in seen for own, seen in pairs) >= 9 * len(pairs):
                return True
        return False

    def choose(self) -> tuple[list[Output], list[int]]:
        """The columns that are shown, in the order of their first items, and why others are not."""
        tree = self.tree
        link, links = self.find_link()
        pictures = self.find_picture(link)
        if link is not None:
            self.title_link = link.slot
            end = link.slot + tree.size[link.slot]
            inside = [
                c
                for c in self.columns
                if c.kind == TEXT and link.slot < c.slot < end and c.different > 1 and 10 * c.filled >= 3 * tree.records
            ]
            if len(inside) > 1 and not tree.inline[link.slot]:
                self.title_link = NOWHERE  # the link is around the whole record
        columns = self.texts_below(NOWHERE)
        columns = self.gather_lists(self.fold_siblings(columns))
        columns = self.take_names(columns)
        columns = self.come_together([c for c in columns if c.shape != NOTHING])
        kept = []
        for column in columns:
            why = self.reason_against(column)
            self.drop(column, why)
            if why == SHOWN:
                kept.append(column)
        self.settle_prices(kept)
        shown: list[Column] = []
        for column in kept:
            if self.is_copy(column, shown, False):
                self.drop(column, COPY)
            else:
                shown.append(column)
        for column in self.columns:
            if column.kind in (ALT, TITLE) and not column.nested and is_telling(column):
                if self.is_copy(column, shown, True):
                    self.drop(column, COPY)
                else:
                    self.drop(column, SHOWN)
                    shown.append(column)
        for found, relation in ((links, LINK), (pictures, PICTURE)):
            if found is not None:
                self.drop(found, SHOWN)
                found.relation = relation
                shown.append(found)
        shown.sort(key=lambda c: c.items[0])
        return [Output(c.operation, c.relation, c.label, c.shape, c.sources, c.where) for c in shown], self.left_out


def first_text(column: Column) -> bytes:
    return next((cell for cell in column.cells if cell), b"")


def is_page(link: bytes) -> bool:
    return not link[:11].lower().startswith(NO_PAGES)


def is_picture(column: Column) -> bool:
    """Whether an attribute of an image has addresses."""
    if column.kind in (SRC, SRCSET):
        return True
    return column.kind == DATA and 5 * sum(b"/" in cell for cell in column.cells if cell) >= 4 * column.filled


def is_labelled(column: Column) -> bool:
    """Whether all texts begin with the same name: "Phone: 12"."""
    texts = [cell for cell in column.cells if cell]
    if not texts:
        return False
    least, most = min(texts), max(texts)
    shared = 0
    while shared < min(len(least), len(most), 30) and least[shared] == most[shared]:
        shared += 1
    return any(colon in least[:shared] for colon in COLONS)


def is_telling(column: Column) -> bool:
    """Whether texts for images and hints are short, differ, and have numbers: "4.5 of 5"."""
    if column.shape == NOTHING or column.different < 2 or column.length > 40 * column.filled:
        return False
    with_digit = sum(any(0x30 <= byte <= 0x39 for byte in cell) for cell in column.cells if cell)
    if column.shape == WORDS and 2 * with_digit < column.filled:
        return False
    return 2 * sum(is_file_name(cell) for cell in column.cells if cell) < column.filled


def is_file_name(text: bytes) -> bool:
    return b" " not in text and (
        text.count(b"-") > 1 or b"_" in text or (b"." in text and not any(0x30 <= byte <= 0x39 for byte in text))
    )


def choose(tree: Tree, items: Sequence[Item]) -> tuple[list[Output], list[int]]:
    """The columns that are shown, and for each item why it is not."""
    return Chooser(tree, items).choose()


Cell = str | list[str | None] | None
Row = Sequence[Cell]


def texts_of(cell: Cell) -> list[str]:
    """The texts of a cell: those of a nested list, or one."""
    return [text for text in (cell if isinstance(cell, list) else [cell]) if text]


def kind_of(number: int, first_data: int, text: int) -> int:
    """The kind of an item, of its number among the attributes that are items; `text` is that of texts."""
    if number == text:
        return TEXT
    return number if number < OTHER else OTHER if number < first_data else DATA


def chosen(learned: Learned, kinds: int, first_data: int, traits: Sequence[int]) -> tuple[list[Output], bytes]:
    """The choice among what was learned without one, with rows that have all items."""
    tag, parent, symbol, *_ = learned.tree.tolist()
    times = Counter(learned.slots.tolist())
    own_traits = [traits[number] if number < len(traits) else 0 for number in tag]
    slot_times = [times[slot] for slot in range(len(tag))]
    tree = Tree(own_traits, tag, parent, symbol, slot_times, len(learned.rows))
    cells = [
        [" ".join(texts_of(row[item])).encode() or None for row in learned.rows]
        for item in range(learned.places.shape[1])
    ]
    items = [
        Item(slot, kind_of(kind, first_data, kinds - 1), number, own)
        for (slot, kind, number), own in zip(learned.places.T.tolist(), cells, strict=True)
    ]
    outputs, left_out = choose(tree, items)
    return outputs, bytes(left_out)


# Rows


def is_size(text: str) -> bool:
    """Whether a text begins like the size of a picture among several."""
    size, unit = text.split(",")[0][:-1], text.split(",")[0][-1:]
    return unit in ("w", "x", "h") and size.replace(".", "", 1).isdecimal()


def address_of(text: str) -> str:
    """The address of a picture; the first if there are several, "" if it is the picture itself."""
    parts = text.split() if " " in text else []
    if text.startswith("data:"):
        return ""
    return parts[0].rstrip(",") if len(parts) > 1 and (parts[0][-1] == "," or is_size(parts[1])) else text


def presented(row: Row, output: Output) -> Cell:
    """The cell of a column that is shown."""
    if output.operation == LIST:
        return [text for items in output.sources for item in items for text in texts_of(row[item])] or None
    if output.where and not any(texts_of(row[item]) for item in output.where):
        return None
    for items in output.sources:
        texts = [" ".join(texts_of(row[item])) for item in items]
        if output.relation == PICTURE:
            texts = [address_of(text) for text in texts]
        if any(texts):
            return joined_texts([text for text in texts if text])
    return None


def joined_texts(texts: Sequence[str]) -> str:
    """Texts with a space between them, but for a number that goes on: 19 and ,90."""
    whole = ""
    for text in texts:
        goes_on = whole[-1:].isdigit() and text[:1] in (",", ".") and text[1:2].isdigit()
        whole += text if goes_on or not whole else f" {text}"
    return whole


def present(rows: Sequence[Row], outputs: Sequence[Output]) -> list[list[Cell]]:
    """The rows of the columns that are shown."""
    return [[presented(row, output) for output in outputs] for row in rows]
