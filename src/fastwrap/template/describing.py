"""Which slots of aligned pages are columns, what these are called, and in which order a person wants them.
Texts that differ are values; of those that are equal, only what stands in the place of a value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap._core.columns import markup
from fastwrap._core.template.aligning import LOOSE_FLAG, NEAR_FLAG, RICH_FLAG, STRICT_FLAG, VARIES_FLAG
from fastwrap.columns.headers import tidy
from fastwrap.columns.layout import TEXT_ITEM
from fastwrap.columns.naming import Name, unique
from fastwrap.columns.roles import role_of_words, words_of
from fastwrap.columns.splitting import PARTICLES, Rule, common_beginning, find_rule
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER, TEXT
from fastwrap.template.places import BESIDE, MILD, Places
from fastwrap.template.template import NO_UNIT, DetailColumn, Hashes, Slots
from fastwrap.types import type_columns

ATTRIBUTES = {
    "a": "href", "img": "src", "meta": "content", "time": "datetime", "link": "href", "source": "src", "video": "src",
    "iframe": "src", "data": "value",
}  # fmt: skip
"""By tag, the attribute that is a column where it differs."""

ATTRIBUTE_OF = {TAG_NUMBER[tag]: (ATTRIBUTE_NUMBER[name], name) for tag, name in ATTRIBUTES.items()}
NAMING = [ATTRIBUTE_NUMBER[name] for name in ("property", "name", "itemprop", "rel")]
MARKUP = [ATTRIBUTE_NUMBER[name] for name in ("itemprop", "class", "id")]

LABEL_LEVELS = 5
"""Elements around a value that may begin with its label."""

FIRST_IMAGES = 2
"""Pictures that come with what matters."""

MANY_LINKS = 4
"""So many links that differ in the same thing say nothing by it."""

MOST_COLUMNS = 250
MOST_TEXTS = 30
"""Texts of one slot that are looked at."""

LONGEST_SAMPLE = 80

HEADINGS = {TAG_NUMBER[f"h{level}"]: level for level in range(1, 7)}
ROW_TAGS = frozenset(
    TAG_NUMBER[name] for name in ("tr", "li", "p", "div", "dl", "dd", "td", "span", "label", "section")
)
HEAD = TAG_NUMBER["head"]
CONTROLS = frozenset(TAG_NUMBER[name] for name in ("button", "option", "select", "input", "textarea"))
HEADING_TAGS = frozenset((*HEADINGS, *(TAG_NUMBER[name] for name in ("b", "strong", "caption", "legend", "th", "dt"))))

LARGE_PART = 0.6
"""A part of the page with this share of its texts has no heading."""

KEY_ROLES = ("price", "old price", "rating", "image", "author", "date")
"""Roles that come before the others."""

TITLE, KEY, LABELLED, PLAIN, SELDOM, PARTS, LISTS, RARE, HEADS, IMAGES, LINKS, NOISE = range(12)
"""The order of columns: ranks."""


class Found(NamedTuple):
    """A column before it has its final name."""

    slot: int
    kind: str
    texts: list[list[str]]
    """By page."""
    label: str = ""
    rule: Rule | None = None
    part: int = 0
    name: str = ""
    why: Mapping[str, str] = {}
    role: str = ""
    rank: int = PLAIN
    type: str = "text"

    def column(self) -> DetailColumn:
        """The column as the template has it."""
        occurs = "".join("1" if any(page) else "0" for page in self.texts)
        samples = tuple(text[:LONGEST_SAMPLE] for texts in self.texts for text in texts[:1])[:3]
        return DetailColumn(
            self.name, self.slot, self.kind, self.label, self.rule, self.part, dict(self.why), self.role,
            occurs, self.type, samples,
        )  # fmt: skip


class Aligned:
    """Pages that have been aligned: the nodes of each slot, and what is above and below it."""

    def __init__(
        self, forest: Page, page_of: npt.NDArray[np.intp], slots: Slots, slot_of: Int32Array, features: Hashes
    ) -> None:
        self.forest, self.slots, self.features = forest, slots, features
        self.tag, self.parent, self.flags, self.unit = slots.numbers.tolist()
        self.label, self.context = slots.hashes[2].tolist(), slots.hashes[3].tolist()
        self.count = len(self.tag)
        self.pages = int(page_of[-1]) + 1
        nodes = np.flatnonzero(slot_of >= 0)
        order = nodes[np.argsort(slot_of[nodes], kind="stable")]
        self.node_list = order.tolist()
        self.first = np.searchsorted(slot_of[order], np.arange(self.count + 1)).tolist()
        self.page_list = page_of[order].tolist()
        pairs = np.unique(slot_of[nodes].astype(np.int64) * self.pages + page_of[nodes])
        self.page_counts = np.bincount(pairs // self.pages, minlength=self.count).tolist()
        together = np.bincount(slot_of[nodes], minlength=self.count)[np.array(self.page_counts) > 1].sum()
        self.shared = round(float(together) / (len(forest) - 1), 4)
        self.sets: list[int] = []
        for slot in range(self.count):
            above = self.sets[self.parent[slot]] if self.parent[slot] != NO_NODE else NO_UNIT
            own = NO_UNIT if self.flags[slot] & LOOSE_FLAG else self.unit[slot]
            self.sets.append(own if above == NO_UNIT else above)
        self.text_slots = [0] * self.count
        """How many texts stand below each slot."""
        for slot in range(self.count - 1, -1, -1):
            if self.tag[slot] == TEXT or self.flags[slot] & RICH_FLAG:
                self.text_slots[slot] = 1
            if self.parent[slot] != NO_NODE:
                self.text_slots[self.parent[slot]] += self.text_slots[slot]

    @cached_property
    def set_texts(self) -> Counter[int]:
        """How many texts that differ stand in each unit that repeats."""
        return Counter(
            self.sets[slot]
            for slot in range(self.count)
            if (self.tag[slot] == TEXT or self.flags[slot] & RICH_FLAG) and self.flags[slot] & VARIES_FLAG
        )

    def example(self, slot: int) -> int:
        """A node of a slot."""
        node: int = self.node_list[self.first[slot]]
        return node

    def nodes(self, slot: int) -> list[tuple[int, int]]:
        """The nodes of a slot, each with its page."""
        first, end = self.first[slot], min(self.first[slot + 1], self.first[slot] + MOST_TEXTS)
        return list(zip(self.node_list[first:end], self.page_list[first:end], strict=True))

    def texts(self, slot: int) -> list[list[str]]:
        """What stands in a slot, by page."""
        found: list[list[str]] = [[] for _ in range(self.pages)]
        for node, page in self.nodes(slot):
            if text := self.forest.text(node):
                found[page].append(text)
        return found

    @cached_property
    def headings(self) -> list[str]:
        """For each slot the heading that it begins with, if all pages have the same; empty for large parts."""
        first = [NO_NODE] * self.count
        for slot in range(self.count - 1, -1, -1):
            if self.tag[slot] == TEXT:
                first[slot] = slot
            if self.parent[slot] != NO_NODE and first[slot] != NO_NODE:
                first[self.parent[slot]] = first[slot]
        found = []
        for slot, text in enumerate(first):
            heading = ""
            is_part = 2 < self.text_slots[slot] < LARGE_PART * self.text_slots[0]
            is_fixed = is_part and text != NO_NODE and not self.flags[text] & VARIES_FLAG
            if is_fixed and self.tag[self.parent[text]] in HEADING_TAGS:
                heading = self.forest.text(self.example(text))
            found.append(heading)
        return found

    @cached_property
    def label_nodes(self) -> dict[int, int]:
        """By hash, a text that is or begins with the label."""
        found: dict[int, int] = {}
        for hashes in self.features[2:4]:
            there = np.flatnonzero(hashes)
            values, at = np.unique(hashes[there], return_index=True)
            found.update(zip(values.tolist(), there[at].tolist(), strict=True))
        return found

    def label_text(self, label: int) -> str:
        """What a label says."""
        node = self.label_nodes.get(label)
        if node is None:
            return ""
        text = self.forest.text(node)
        if int(self.features[3][node]) == label:
            text = text.partition(":")[0]
        return text


def describe(aligned: Aligned) -> list[Found]:
    """The columns of aligned pages, the best first, with their names."""
    examples = [aligned.example(slot) for slot in range(aligned.count)]
    places = Places(aligned.forest, aligned.parent, examples, aligned.headings)
    found = [*text_columns(aligned, places), *attribute_columns(aligned, places)]
    found = [ranked(aligned, places, column) for column in found]
    found = [column for column in found if column.rank != NOISE or is_told(aligned, column)]
    found = with_image(with_title(aligned, places, found))
    found.sort(key=lambda column: column.rank)
    found = without_doubles(aligned, without_sessions(found))[:MOST_COLUMNS]
    strings = [[text for texts in column.texts for text in texts[:1]] for column in found]
    typed = type_columns(strings, [column.kind for column in found], None, aligned.forest.language, None)
    found = [column._replace(type=each.type) for column, each in zip(found, typed, strict=True)]
    names = unique(Name(column.name or fallback(column), column.why, column.role) for column in found)
    return [column._replace(name=name.name) for column, name in zip(found, names, strict=True)]


def fallback(column: Found) -> str:
    """What a column is called that nothing names: by its kind or type."""
    return {"href": "link", "src": "image", "content": "meta"}.get(column.kind, column.type)


def text_columns(aligned: Aligned, places: Places) -> list[Found]:
    """The columns of texts, in the order of the slots."""
    found = []
    for slot in range(aligned.count):
        if aligned.tag[slot] != TEXT and not aligned.flags[slot] & RICH_FLAG:
            continue
        if aligned.sets[slot] != NO_UNIT and places.of(slot) == BESIDE:
            continue
        label, is_row = label_of(aligned, slot)
        varies = bool(aligned.flags[slot] & VARIES_FLAG)
        if not varies and not is_row and aligned.label[slot]:
            continue
        if not varies and not label and aligned.page_counts[slot] > 1 and not is_value_place(aligned, slot):
            continue
        if not varies and ((label and not is_row) or is_label_of_row(aligned, slot) or places.of(slot) == BESIDE):
            continue
        texts = aligned.texts(slot)
        if not any(texts) or not any(any(map(str.isalnum, text)) for page in texts for text in page):
            continue
        found += split_columns(Found(slot, TEXT_ITEM, texts, label), aligned.tag[aligned.parent[slot]] in HEADINGS)
    return found


def label_of(aligned: Aligned, slot: int) -> tuple[str, bool]:
    """The label in front of a text; and whether that is the place of a value, which may be equal on all pages."""
    own = aligned.label[slot]
    prefix = int(aligned.features[3][aligned.example(slot)])
    above = aligned.parent[slot]
    if prefix and (own == prefix or (above != NO_NODE and aligned.label[above] == prefix)):
        return aligned.label_text(prefix), True  # "Label: value" in one text
    up = slot
    for _ in range(LABEL_LEVELS):
        if aligned.tag[up] in HEADINGS:
            break
        if aligned.flags[up] & NEAR_FLAG and aligned.text_slots[up] <= 2 and is_behind_label(aligned, up):
            return aligned.label_text(aligned.context[up]), True
        up = aligned.parent[up]
        if up == NO_NODE or aligned.text_slots[up] > 3:
            break
        if aligned.label[up] and aligned.label[up] != own and aligned.text_slots[up] > 1:
            strict = bool(aligned.flags[up] & STRICT_FLAG) or aligned.tag[up] in ROW_TAGS
            return aligned.label_text(aligned.label[up]), strict and aligned.text_slots[up] == 2
    return "", False


def is_behind_label(aligned: Aligned, slot: int) -> bool:
    """Whether the sibling before a slot, whose label is its context, is that label and nothing else."""
    before = slot - 1
    while before >= 0 and aligned.parent[before] == aligned.parent[slot]:
        if aligned.label[before] == aligned.context[slot]:
            whole = aligned.tag[before] != TEXT or int(aligned.features[3][aligned.example(before)]) == 0
            return whole and aligned.text_slots[before] == 1 and aligned.tag[before] not in CONTROLS
        before -= 1
    return False


def is_label_of_row(aligned: Aligned, slot: int) -> bool:
    """Whether a text is the label of the row that it is in."""
    node = aligned.example(slot)
    raw = int(aligned.features[4][node])
    up = aligned.parent[slot]
    for _ in range(LABEL_LEVELS):
        if not raw or up == NO_NODE or int(aligned.features[3][node]) == raw:
            return False
        if aligned.label[up] == raw and (aligned.text_slots[up] > 1 or aligned.flags[up] & STRICT_FLAG):
            return True
        up = aligned.parent[up]
    return False


def is_value_place(aligned: Aligned, slot: int) -> bool:
    """Whether an equal text stands alone in an element whose markup names a role."""
    up = aligned.parent[slot]
    if up == NO_NODE or aligned.text_slots[up] != 1:
        return False
    item, classes, _ = markup.values(aligned.forest.native, aligned.example(up), MARKUP)
    role = role_of_words(item) if item else role_of_words(classes, in_class=True)
    return role not in ("", "link", "image", "title")


def split_columns(column: Found, is_heading: bool) -> list[Found]:
    """A column of texts as it is, without what all texts begin with; and its parts, if its texts have several."""
    label = column.label
    texts = [[strip_label(text, label) for text in page] for page in column.texts]
    column = column._replace(texts=texts)
    values = list(dict.fromkeys(text for page in texts for text in page if text))
    if len(values) < 2:
        return [column]
    if is_heading:
        return [column]
    if not label and (prefix := shared_words(values)):
        texts = [[text.removeprefix(prefix) for text in page] for page in texts]
        return [column._replace(texts=texts, rule=Rule(prefix=prefix, label=prefix.strip()), label="")]
    rule = find_rule(values)
    if rule is None or rule.is_plain:
        return [column]
    if not rule.parts:
        texts = [[rule.apply(text)[0] or "" for text in page] for page in texts]
        return [column._replace(texts=texts, rule=rule)]
    found = [column]
    for part, name in enumerate(rule.labels):
        cut = [[value for text in page if (value := rule.apply(text)[part])] for page in texts]
        if any(cut):
            found.append(column._replace(texts=cut, rule=rule, part=part, rank=PARTS, name=tidy(name)))
    return found


def strip_label(text: str, label: str) -> str:
    """A text without the label that it begins with."""
    return DetailColumn("", 0, label=label).value_of(text) or "" if label else text


def shared_words(values: Sequence[str]) -> str:
    """The words that all of several texts begin with, if they lead to a value ("Published by ").

    >>> shared_words(["Published by Penguin", "Published by Orbit"]), shared_words(["The one", "The other"])
    ('Published by ', '')
    """
    shared = common_beginning(min(values), max(values))
    match = re.match(r"(?:[^\W\d_]+\s+)+", shared)
    if match is None:
        return ""
    words = match[0].split()
    if len(words) > 1 and words[-1].lower() in PARTICLES and all(len(text) > len(match[0]) for text in values):
        return match[0]
    return ""


def attribute_columns(aligned: Aligned, places: Places) -> list[Found]:
    """The columns of attributes: those whose values differ between the pages, but not of what is beside the point."""
    found = []
    for slot in range(aligned.count):
        kind = ATTRIBUTE_OF.get(aligned.tag[slot])
        if kind is None or aligned.page_counts[slot] < 2 or places.of(slot) == BESIDE:
            continue
        number, name = kind
        texts: list[list[str]] = [[] for _ in range(aligned.pages)]
        for node, page in aligned.nodes(slot):
            if value := markup.values(aligned.forest.native, node, [number])[0]:
                texts[page].append(value)
        if len({text for page in texts for text in page}) > 1:
            said = markup.values(aligned.forest.native, aligned.example(slot), NAMING)
            meta = next(filter(None, said), "") if aligned.tag[slot] != TAG_NUMBER["a"] else ""
            found.append(Found(slot, name, texts, name=tidy(meta)))
    return found


def ranked(aligned: Aligned, places: Places, column: Found) -> Found:
    """A column with its name, its role and its rank."""
    place = places.of(column.slot)
    in_head = is_in_head(aligned, column.slot)
    in_set = aligned.sets[column.slot] != NO_UNIT and aligned.set_texts[aligned.sets[column.slot]] > 1
    filled = sum(map(bool, column.texts))
    name, why, role = named(aligned, column)
    rank = column.rank
    if place == BESIDE:
        rank = NOISE
    elif in_head:
        rank = HEADS
    elif column.kind != TEXT_ITEM:
        rank = IMAGES if column.kind == "src" and not in_set and place != MILD else LINKS
    elif in_set:
        rank = LISTS
    elif filled < 2 and aligned.pages > 2 and not column.label:
        rank = RARE
    elif rank == PARTS:
        pass
    elif role in KEY_ROLES and place != MILD and 2 * filled >= aligned.pages:
        rank = KEY
    elif column.label:
        rank = LABELLED if 2 * filled >= aligned.pages else SELDOM
    return column._replace(name=name, why=why, role=role, rank=rank)


def is_told(aligned: Aligned, column: Found) -> bool:
    """Whether what is beside the point is a column all the same: a text of its own, which all pages have."""
    return column.kind == TEXT_ITEM and aligned.sets[column.slot] == NO_UNIT and all(column.texts)


def is_in_head(aligned: Aligned, slot: int) -> bool:
    """Whether a slot is in the head of the pages."""
    while slot != NO_NODE:
        if aligned.tag[slot] == HEAD:
            return True
        slot = aligned.parent[slot]
    return False


def named(aligned: Aligned, column: Found) -> tuple[str, Mapping[str, str], str]:
    """What a column is called, what that rests on, and its role."""
    if column.name and column.kind != TEXT_ITEM:
        return column.name, {"markup": column.name}, role_of_words(column.name)
    said = column.name or tidy(column.label)
    if said:
        role = role_of_words(said)
        name = role if role == "price" else said
        return (f"{name} {column.part + 1}" if column.part and not column.name else name), {"label": said}, role
    if column.rule is not None and column.rule.label:
        said = tidy(column.rule.label)
        if said:
            return said, {"label": said}, role_of_words(said)
    slot = aligned.parent[column.slot] if aligned.tag[column.slot] == TEXT else column.slot
    for _ in range(3):
        if slot == NO_NODE:
            break
        item, classes, name = markup.values(aligned.forest.native, aligned.example(slot), MARKUP)
        if item := tidy(item):
            return item, {"markup": f"itemprop={item}"}, role_of_words(item)
        for attribute, said in (("class", classes[:200]), ("id", name[:200])):
            if said and (role := role_of_words(said, in_class=True)):
                return role, {"markup": f"{attribute}={said}"[:80]}, role
        if said := (classes or name).strip():
            words = [word for word in words_of(said.split()[0][:60]) if len(word) > 2]
            if words and aligned.text_slots[slot] == 1:
                return " ".join(words), {"markup": f"class={said}"[:80]}, ""
        if aligned.text_slots[slot] > 2:
            break
        slot = aligned.parent[slot]
    return "", {}, ""


def with_title(aligned: Aligned, places: Places, found: list[Found]) -> list[Found]:
    """The columns, of which the one that says what the page is about is the title."""
    title_tag = TAG_NUMBER["title"]
    titles = next((c.texts for c in found if aligned.tag[aligned.parent[c.slot]] == title_tag), None)
    best, chosen = 2.0, None
    for number, column in enumerate(found):
        if column.kind != TEXT_ITEM or column.rank in (NOISE, HEADS, LISTS) or column.label or column.part:
            continue
        if not all(len(page) == 1 for page in column.texts):
            continue
        points = 0.0
        up = aligned.parent[column.slot] if aligned.tag[column.slot] == TEXT else column.slot
        for _ in range(3):
            if up == NO_NODE:
                break
            if aligned.tag[up] in HEADINGS:
                points += max(0.0, 3.5 - 0.5 * HEADINGS[aligned.tag[up]])
                break
            up = aligned.parent[up]
        if titles is not None and all(
            page and title and page[0].lower() in title[0].lower()
            for page, title in zip(column.texts, titles, strict=True)
        ):
            points += 2.5 if len(set(map(tuple, column.texts))) > 1 else 0
        if column.role == "title":
            points += 1.5
        points -= 0.01 * number / max(1, len(found))
        if points > best:
            best, chosen = points, number
    if chosen is None:
        return found
    column = found[chosen]
    why = {**column.why, "relation": "what the page is about"}
    return [*found[:chosen], column._replace(name="title", why=why, role="title", rank=TITLE), *found[chosen + 1 :]]


def with_image(found: list[Found]) -> list[Found]:
    """The columns, of which the first pictures that all pages have come with what matters."""
    left = FIRST_IMAGES
    ranked_again = []
    for column in found:
        if column.rank == IMAGES and left and all(column.texts):
            left -= 1
            column = column._replace(rank=KEY)
        ranked_again.append(column)
    return ranked_again


def without_sessions(found: list[Found]) -> list[Found]:
    """The columns, but of links that differ in one and the same thing, such as the number of a session, none."""
    differences: dict[int, tuple[str, ...]] = {}
    for number, column in enumerate(found):
        if column.kind in ("href", "value"):
            firsts = [texts[0] for texts in column.texts if texts]
            if len(firsts) > 1:
                before = len(common_beginning(min(firsts), max(firsts)))
                turned = [text[before:][::-1] for text in firsts]
                after = len(common_beginning(min(turned), max(turned)))
                differences[number] = tuple(text[before : len(text) - after] for text in firsts)
    counts = Counter(differences.values())
    return [column for number, column in enumerate(found) if counts[differences.get(number, ())] < MANY_LINKS]


def without_doubles(aligned: Aligned, found: list[Found]) -> list[Found]:
    """The columns without those that say what an earlier one says, and have no other label."""
    seen: set[tuple[object, ...]] = set()
    kept = []
    for column in found:
        cells = tuple(tuple(page) for page in column.texts)
        some = {cell for cell in cells if cell}
        if column.rank == TITLE or len(some) > 1 or column.rank in (RARE, NOISE):
            keys = [(cells, label) for label in {"", column.label}]
            if (cells, column.label) in seen:
                continue
            seen.update(keys)
        kept.append(column)
    return kept
