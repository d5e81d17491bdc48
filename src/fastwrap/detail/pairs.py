"""Labels and their values: definition lists, tables of two columns or of two rows, lines like "Label: value", and
elements in two parts that stand beside others of their kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from fastwrap.columns.headers import tidy
from fastwrap.columns.roles import role_of_words
from fastwrap.columns.splitting import PARTICLES
from fastwrap.detail.durations import timed
from fastwrap.detail.facts import Fact
from fastwrap.detail.lines import DEEPEST, IS_INLINE, ClassNames, Line, Lines, shown_text
from fastwrap.detail.money import BARE_AMOUNT, MONEY
from fastwrap.detail.sections import BOLD_LEVEL, Headings
from fastwrap.page.names import TAG_NUMBER, TAGS, TEXT

DT, DD, TR, TH, TD, TABLE, LABEL, BR = (
    TAG_NUMBER[name] for name in ("dt", "dd", "tr", "th", "td", "table", "label", "br")
)
STRONG = tuple(TAG_NUMBER[name] for name in ("b", "strong", "em", "i", "u", "th", "dt", "label"))

LONGEST_LABEL, MOST_WORDS = 45, 6
LONGEST_VALUE = 400
LONGEST_LINE = 220
"""Characters of a line that may be a label and its value with nothing but a colon between them."""
LONGEST_TIME = 40
"""Characters of a line that names a time, or says how long it is."""
LONGEST_PLAIN = 80
"""Characters of a value that says no more than that: what is longer, in words, is prose."""
MOST_PAIRS = 300
"""That are kept."""
MOST_VALUE_LINES = 4
"""Lines below a label that may be its value."""

COLON = re.compile(r"[:：]\s*$")
LABELLED = re.compile(r"([^\W\d_][^:：]{0,44}?)\s?[:：]\s+(\S.*)|([^\W\d_][^:：]{0,44}?)：(\S.*)", re.DOTALL)
NO_LABEL = re.compile(r"[.!?;,]$|https?$|[\"“”«»]")
DIGITS = re.compile(r"\d")
NUMBERING = re.compile(r"\W{0,2}(\d{1,3})\W{0,2}")
OF_MONEY = frozenset(("price", "old price", "unit price", "salary"))
OF_NUMBERS = frozenset(("date", "time", "rating", "reviews", "discount", "year", "duration", "phone", "views", "votes"))
LABEL_WORD = re.compile(
    r"(?:^|[-_\s])(?:label|labels|key|term|dt|caption|lbl|attribute-?name|spec-?name|property-?name|heading|header|"
    r"meta-?title|info-?title|name-?label|item-?title|headline)s?(?:$|[-_\s])|[a-z](?:Label|Header|Heading|Caption|Key)\b"
)
VALUE_WORD = re.compile(
    r"(?:^|[-_\s])(?:value|values|val|data|content|body|text|answer|spec-?value|info|number|detail)s?(?:$|[-_\s])"
    r"|[a-z](?:Value|Data|Content|Body|Text)\b"
)


class Pair(NamedTuple):
    """A label and its value."""

    label: str
    value: str
    lines: tuple[int, ...]
    """The lines that both stand in."""
    node: int
    end: int
    sure: bool = True
    """Whether something marks the label as one."""


@lru_cache(4096)
def label_of(text: str) -> str:
    """A text as a label; nothing if it cannot be one.

    >>> label_of("Pages:"), label_of("This is a whole sentence that goes on."), label_of("12")
    ('Pages', '', '')
    """
    if len(text) > LONGEST_LABEL + 5:
        return ""
    name = tidy(text)
    if not name or len(name) > LONGEST_LABEL or name.count(" ") >= MOST_WORDS or NO_LABEL.search(text.rstrip(" :：")):
        return ""
    digits = sum(letter.isdigit() for letter in name)
    return "" if digits * 3 > len(name) else name


@lru_cache(4096)
def is_label_class(names: str) -> bool:
    """Whether class names say that an element is a label.

    >>> is_label_class("spec__label"), is_label_class("specs")
    (True, False)
    """
    return LABEL_WORD.search(names[:400].replace("__", "-")) is not None


def is_prose(label: str, value: str) -> bool:
    """Whether what follows a colon is a sentence that goes on, and no value.

    >>> is_prose("Tip", "Mix the flour with the water, wait for half an hour, and then mix it again, but slowly.")
    True
    """
    return len(value) > LONGEST_PLAIN and not role_of_words(label) and value.count(" ") > 10


class PairReader:
    """Finds the labels of a page and their values, in lines that are not used yet."""

    def __init__(self, lines: Lines, headings: Headings, used: set[int], names: ClassNames) -> None:
        self.all = lines
        self.lines = lines.lines
        self.headings = headings
        self.used = used
        self.found: list[Pair] = []
        self.names = names
        self.styles = lines.page.style_symbol
        self.present = set(lines.tag)
        """The tags of the page."""
        self.has_digits = [
            len(line.text) <= LONGEST_LINE and DIGITS.search(line.text) is not None for line in self.lines
        ]
        """By line; of one that is too long to say how long something takes, it is not asked."""
        self.lone: dict[int, bool] = {}
        """By line: whether it is a label, and nothing else."""
        self.are_labels: dict[int, bool] = {}
        """By symbol of class and style: whether the class names say that an element is a label."""

    def add(self, label: str, value: str, lines: Iterable[int], in_prose: bool = False, sure: bool = True) -> bool:
        """Keep a pair, if it is one; `in_prose` if it may be a sentence with a colon."""
        numbers = tuple(lines)
        name, value = label_of(label), value.strip(" :：")
        if not name or not value or len(value) > LONGEST_VALUE or not self.used.isdisjoint(numbers):
            return False
        if value == label or not any(map(str.isalnum, value)) or (in_prose and is_prose(name, value)):
            return False
        first, last = self.lines[numbers[0]], self.lines[numbers[-1]]
        self.found.append(Pair(name, value, numbers, first.first, last.end, sure))
        return True

    def read(self) -> None:
        """Find all of them, the surest kinds first."""
        for find in (self.definitions, self.rows, self.time_lines, self.lone_labels, self.within_lines, self.parts):
            before = len(self.found)
            find()
            self.used.update(number for pair in self.found[before:] for number in pair.lines)

    def text(self, numbers: Sequence[int]) -> str:
        """What some lines say."""
        return " ".join(self.lines[number].text for number in numbers)

    def ancestor(self, node: int, tags: tuple[int, ...], most: int = 8) -> int:
        """The nearest element of some tags around a node; -1 if none is near."""
        tag, parent = self.all.tag, self.all.parent
        node = parent[node]
        for _ in range(most):
            if node < 0 or tag[node] in tags:
                return node
            node = parent[node]
        return -1

    def by_element(self, tags: tuple[int, ...]) -> dict[int, list[int]]:
        """The lines that are in elements of some tags, by element."""
        found: dict[int, list[int]] = {}
        if not any(tag in self.present for tag in tags):
            return found
        for line in self.lines:
            node = self.ancestor(line.first, tags)
            if node >= 0:
                found.setdefault(node, []).append(line.number)
        return found

    def definitions(self) -> None:
        """Definition lists: what stands in `dd` goes with the `dt` before it."""
        elements = self.by_element((DT, DD))
        tag = self.all.tag
        waiting: tuple[int, list[int]] | None = None
        values: list[int] = []
        for node, numbers in [*elements.items(), (-1, [])]:
            if node >= 0 and tag[node] == DD and waiting is not None and self.near(waiting[0], node):
                values += numbers
                continue
            if waiting is not None and values:
                self.add(self.text(waiting[1]), self.text(values), [*waiting[1], *values])
            waiting, values = ((node, numbers) if node >= 0 and tag[node] == DT else None), []

    def near(self, one: int, other: int) -> bool:
        """Whether two elements have the same parent, or parents that stand side by side."""
        parent = self.all.parent
        return parent[one] == parent[other] or parent[parent[one]] == parent[parent[other]]

    def rows(self) -> None:
        """Rows of tables: two cells are a label and its value, and so are four or more where every other one is a
        header; two rows, of which the first is of headers, likewise."""
        cells = self.by_element((TD, TH))
        if not cells:
            return
        tag, parent = self.all.tag, self.all.parent
        rows: dict[int, list[int]] = {}
        for cell in cells:
            row = parent[cell]
            if row >= 0 and tag[row] == TR:
                rows.setdefault(row, []).append(cell)
        tables: dict[int, list[list[int]]] = {}
        for row, there in rows.items():
            tables.setdefault(self.ancestor(row, (TABLE,), 3), []).append(there)
        for table in tables.values():
            self.table(table, cells)

    def table(self, rows: list[list[int]], cells: dict[int, list[int]]) -> None:
        """The pairs of one table."""
        tag = self.all.tag
        headers = [cell for cell in rows[0] if tag[cell] == TH]
        if len(rows) == 2 and len(headers) == len(rows[0]) == len(rows[1]) > 1 and tag[rows[1][0]] == TD:
            for head, cell in zip(rows[0], rows[1], strict=True):
                self.add(self.text(cells[head]), self.text(cells[cell]), [*cells[head], *cells[cell]])
            return
        wide = sum(len(row) > 2 for row in rows)
        two = [row for row in rows if len(row) == 2]
        labels = Counter(label_of(self.text(cells[row[0]])) for row in two)
        are_labels = wide < len(two) and len(labels) > 0.7 * len(two) and labels[""] <= 0.3 * len(two)
        for row in rows:
            if len(row) == 2:
                first = self.lines[cells[row[0]][0]]
                sure = tag[row[0]] == TH or COLON.search(first.text) or (first.bold > 0.9 and tag[row[1]] == TD)
                several = len(two) > 1 and are_labels
                if (sure or several) and len(cells[row[0]]) == 1:
                    lines = [*cells[row[0]], *cells[row[1]]]
                    self.add(first.text, self.text(cells[row[1]]), lines, sure=bool(sure))
            elif len(row) % 2 == 0 and all(tag[cell] == TH for cell in row[::2]) and tag[row[1]] == TD:
                for head, cell in zip(row[::2], row[1::2], strict=True):
                    self.add(self.text(cells[head]), self.text(cells[cell]), [*cells[head], *cells[cell]])

    def lone_labels(self) -> None:
        """Lines that are labels, and the lines below them."""
        parent, size = self.all.parent, self.all.size
        count = len(self.lines)
        for line in self.lines[:-1]:
            number = line.number
            if number in self.used or len(line.text) > LONGEST_LABEL + 2 or not self.is_lone_label(line):
                continue
            following = self.lines[number + 1]
            node = parent[line.first]
            while node > 0 and following.first >= node + size[node]:
                node = parent[node]
            limit = node + size[node]
            values = []
            for other in range(number + 1, min(count, number + 2 + MOST_VALUE_LINES)):
                below = self.lines[other]
                if below.first >= limit or 0 < self.headings.levels[other] < BOLD_LEVEL:
                    break
                if self.is_lone_label(below):
                    break
                values.append(other)
            if 0 < len(values) <= MOST_VALUE_LINES:
                several = len(values) > 1 and not COLON.search(line.text)
                self.add(line.text, self.text(values[:1] if several else values), [number, *values], in_prose=True)

    def is_lone_label(self, line: Line) -> bool:
        """Whether a line is a label, and nothing else."""
        known = self.lone.get(line.number)
        if known is None:
            known = self.lone[line.number] = self.looks_like_label(line)
        return known

    def looks_like_label(self, line: Line) -> bool:
        """The same, found out."""
        if line.heading in (1, 2):
            return False
        if line.text[-1] in ":：":
            return label_of(line.text) != ""
        tag, parent, size = self.all.tag, self.all.parent, self.all.size
        node = parent[line.first]
        for _ in range(DEEPEST):
            if node + size[node] < line.end:
                return False  # only a part of the line is a label
            if tag[node] == LABEL or self.is_label(node):
                return line.linked < 0.5 and not line.heading and label_of(line.text) != ""
            if node <= 0 or tag[node] >= len(TAGS) or not IS_INLINE[tag[node]]:
                break  # what has the line
            node = parent[node]
        return False

    def is_label(self, node: int) -> bool:
        """Whether the class names of an element say that it is a label."""
        symbol = self.styles.item(node)
        found = self.are_labels.get(symbol)
        if found is None:
            found = self.are_labels[symbol] = is_label_class(self.names.of_symbol(symbol))
        return found

    def within_lines(self) -> None:
        """Lines that have a label and its value."""
        tag = self.all.tag
        for line in self.lines:
            number = line.number
            if number in self.used or line.heading:
                continue
            if self.times(line):
                continue
            has_colon = ":" in line.text or "：" in line.text
            if not has_colon and not 0 < line.bold < 0.8 and line.end - line.first < 3:
                continue
            texts = [node for node in range(line.first, line.end) if tag[node] == TEXT and not self.all.out[node]]
            if has_colon and len(texts) > 1 and self.labelled_texts(line, texts):
                continue
            if has_colon and len(line.text) <= LONGEST_LINE and (match := LABELLED.fullmatch(line.text)):
                label, value = match[1] or match[3], match[2] or match[4]
                short = len(value) <= 80 or label.count(" ") < 2
                if short and not (line.linked > 0.95 and line.heading == 0 and len(value) > 60):
                    self.add(label, value, [number], in_prose=True)
                continue
            if len(texts) > 1:
                self.two_inline(line, texts)

    def time_lines(self) -> None:
        """A line that names a time, and one beside it that says how long that is."""
        taken = -1
        for line, following in zip(self.lines, self.lines[1:], strict=False):
            numbers = (line.number, following.number)
            if line.number == taken or len(line.text) > LONGEST_TIME or len(following.text) > LONGEST_TIME:
                continue
            if self.has_digits[line.number] == self.has_digits[following.number]:
                continue
            if self.used.isdisjoint(numbers) and len(parts := timed(f"{line.text} {following.text}")) == 1:
                self.found.append(Pair(*parts[0], numbers, line.first, following.end))
                taken = following.number

    def times(self, line: Line) -> bool:
        """Take a line apart that says how long things take. Whether it does."""
        if not self.has_digits[line.number]:
            return False
        parts = timed(line.text)
        for label, value in parts:
            self.found.append(Pair(label, value, (line.number,), line.first, line.end))
        return bool(parts)

    def labelled_texts(self, line: Line, texts: list[int]) -> bool:
        """Take a line apart at the texts that end in a colon. Whether it has any."""
        page = self.all.page
        first, second = page.text(texts[0]), page.text(texts[1])
        if not label_of(first) or not (COLON.search(first) or second.startswith(":")):
            return False
        wordings = [first, second, *(page.text(node) for node in texts[2:])]
        places = [
            place for place, wording in enumerate(wordings)
            if COLON.search(wording) and label_of(wording) and place + 1 < len(texts)
        ]  # fmt: skip
        if second.startswith(":"):
            places.insert(0, 0)
        added = False
        for place, end in zip(places, [*places[1:], len(texts)], strict=True):
            if len(self.found) > MOST_PAIRS:
                break
            value = shown_text(self.all, texts[place + 1], texts[end - 1] + 1) if end > place + 1 else ""
            name = label_of(wordings[place])
            if name and value and len(value) <= LONGEST_VALUE:
                value = value.strip(" :：|·,;")
                if value and not is_prose(name, value):
                    self.found.append(Pair(name, value, (line.number,), texts[place], texts[end - 1] + 1))
                    added = True
        return added

    def two_inline(self, line: Line, texts: list[int]) -> None:
        """A line in two parts without a colon, the first of which is set apart and says that it is a label."""
        tag = self.all.tag
        head = self.all.parent[texts[0]]
        end = head + self.all.size[head]
        if head <= 0 or texts[-1] < end or (tag[head] not in STRONG and not is_label_class(self.names.at(head))):
            return
        label, rest = shown_text(self.all, head, end), [node for node in texts if node >= end]
        value = shown_text(self.all, rest[0], line.end)
        if is_label_class(self.names.at(head)) or (tag[head] in STRONG and self.has_peers(line, head)):
            self.add(label, value, [line.number], in_prose=True)

    def has_peers(self, line: Line, head: int) -> bool:
        """Whether a line beside this one starts with a label of the same kind."""
        parent, tag = self.all.parent, self.all.tag
        for other in (line.number - 1, line.number + 1):
            if 0 <= other < len(self.lines):
                peer = self.lines[other]
                element = parent[peer.first]
                if tag[element] != tag[head] or not 0 < peer.bold < 1 or len(peer.text) > LONGEST_LINE:
                    continue
                if parent[element] == parent[head] or parent[parent[element]] == parent[parent[head]]:
                    return len(line.text) <= LONGEST_LINE
        return False

    def parts(self) -> None:
        """Elements of two lines beside others of their kind: one of them is a label."""
        parent, size, tag = self.all.parent, self.all.size, self.all.tag
        style = self.styles
        groups: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
        for line, following in zip(self.lines, self.lines[1:], strict=False):
            one, other = line.number, following.number
            if one in self.used or other in self.used or len(line.text) > 80 or len(following.text) > 80:
                continue
            node = parent[line.first]
            while node > 0 and following.first >= node + size[node]:
                node = parent[node]
            holds_before = one > 0 and self.lines[one - 1].first >= node
            holds_after = other + 1 < len(self.lines) and self.lines[other + 1].first < node + size[node]
            if node <= self.all.page.body or holds_before or holds_after:
                continue
            groups.setdefault((parent[node], tag[node], style.item(node)), []).append((one, other))
        for group in groups.values():
            if len(group) > 1:
                self.two_parts(group)

    def two_parts(self, group: list[tuple[int, int]]) -> None:
        """The pairs of elements beside each other, of which each has two lines."""
        firsts, seconds = ([self.lines[pair[k]] for pair in group] for k in (0, 1))
        if sum(line.linked > 0.5 for line in (*firsts, *seconds)) > len(group):
            return
        digits = [sum(bool(DIGITS.search(line.text)) for line in part) for part in (firsts, seconds)]
        labels = [sum(bool(label_of(line.text)) for line in part) for part in (firsts, seconds)]
        is_second = digits[0] > digits[1] and labels[1] >= labels[0]
        names, values = (seconds, firsts) if is_second else (firsts, seconds)
        if labels[is_second] < 0.7 * len(group) or len({line.text for line in names}) < len(group):
            return
        if len({line.text for line in values}) == 1 and len(group) > 3:
            return
        numbers = [NUMBERING.fullmatch(line.text) for line in values]
        if [int(match[1]) for match in numbers if match] == list(range(1, len(group) + 1)):
            return  # they are only numbered
        if not any(digits) and max(len(line.text) for line in values) > 60:
            return
        for name, value, pair in zip(names, values, group, strict=True):
            self.add(name.text, value.text, pair, sure=False)


def read_pairs(
    lines: Lines, headings: Headings, used: set[int], names: ClassNames
) -> tuple[list[Pair], tuple[str, ...]]:
    """The labels of a page and their values, in document order, and the limits that were met. What they take is added
    to the lines that are used.

    >>> from fastwrap.detail.lines import read
    >>> from fastwrap.page import Page
    >>> lines = read(Page("<dl><dt>Pages<dd>120</dl><p><b>Author:</b> Ann Lee<p>Year: 1999"))
    >>> [pair[:2] for pair in read_pairs(lines, Headings(lines, -1), set(), ClassNames(lines.page))[0]]
    [('Pages', '120'), ('Author', 'Ann Lee'), ('Year', '1999')]
    """
    reader = PairReader(lines, headings, used, names)
    if lines.lines:
        reader.read()
    found = sorted(reader.found, key=lambda pair: pair.node)
    return found[:MOST_PAIRS], ("detail.pairs",) if len(found) > MOST_PAIRS else ()


def fits(role: str, value: str) -> bool:
    """Whether a value may have the role that its label says.

    >>> fits("price", "20 mins"), fits("price", "20.00 EUR"), fits("author", "Ann")
    (False, True, True)
    """
    if role in OF_MONEY:
        return MONEY.search(value) is not None or BARE_AMOUNT.fullmatch(value) is not None
    return role not in OF_NUMBERS or DIGITS.search(value) is not None


def facts_of(pairs: Sequence[Pair]) -> list[Fact]:
    """The facts that pairs are; a label that stands several times has all its values in one."""
    found: dict[str, Fact] = {}
    for place, pair in enumerate(pairs):
        key = pair.label.lower()
        if key in PARTICLES:
            continue  # no name: "by", "from"
        if key not in found:
            rank = 30.0 + min(place, 90) / 100 if len(pair.value) <= 150 else 50.0
            role = role_of_words(pair.label)
            if not fits(role, pair.value):
                role = ""
            found[key] = Fact(pair.label, pair.value, rank, role, {"label": pair.label}, pair.node, pair.end)
        elif pair.value not in found[key].items:
            found[key].text = [*found[key].items, pair.value]
    return list(found.values())
