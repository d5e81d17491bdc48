"""Headings and what is below them: the ingredients, the steps, the features of a thing, as lists of texts.
A heading is what is marked as one, stands in bold by itself, or introduces a list; its section ends at the next one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fastwrap.columns.headers import tidy
from fastwrap.detail.durations import timed
from fastwrap.detail.facts import Fact
from fastwrap.detail.lines import DEEPEST, IS_INLINE, Line, Lines
from fastwrap.detail.words import (
    BESIDE,
    CALL,
    CONTROL,
    DESCRIPTION,
    FEATURES,
    INGREDIENTS,
    INSTRUCTIONS,
    NOTES,
    RELATED,
    SERVES,
    kind_of_heading,
)  # fmt: skip
from fastwrap.page.names import NO_NODE, TAG_NUMBER, TAGS

LI, TR, UL, OL, DT, DD = (TAG_NUMBER[name] for name in ("li", "tr", "ul", "ol", "dt", "dd"))
LISTS = (UL, OL)
CELLS = tuple(TAG_NUMBER[name] for name in ("td", "th", "dt", "dd", "li", "a", "button", "label", "option"))

BOLD_LEVEL, PLAIN_LEVEL = 7, 8
"""Levels of what looks like a heading: in bold, and what only stands right before a list."""
LONGEST_HEADING = 120
SHORT_HEADING = 70
"""Characters of headings that are marked as such, and of others."""
MOST_SECTIONS = 400
"""Headings whose sections are read."""
LONGEST_GROUP = 40
"""Characters of the name of a group of items."""
NEAR = 6
"""Levels around a line in which the item is looked for that it is in."""
ENOUGH_STEPS = 250
"""Letters of prose below a heading that says "recipe": they tell how it is made."""
MOST_CLIMBS = 3
"""Levels above what holds a heading and the next line, where more of a section is looked for."""

STEP = re.compile(
    r"(?:step|schritt|étape|etape|paso|passo|stap|krok|шаг|steg|trin|vaihe|pas|etapa|adım|手順|步骤)?\W{0,3}\d{0,2}\W{0,3}",
    re.IGNORECASE,
)
"""What numbers a step, and says nothing more."""
AMOUNT = re.compile(r"\W{0,3}(?:\d|[½⅓¼¾⅔⅛⅜⅝⅞]|an? |one |two |half |ein|eine |un |une |uma? |een )", re.IGNORECASE)


NUMBERED = re.compile(r"\W{0,2}\d{1,2}\s?[.):]\s?\D")
"""How lines begin that somebody numbered."""
RECIPE = re.compile(
    r"re[cz]ept|receta|receita|recette|ricetta|recipe|przepis|рецепт|op?pskrift|レシピ|食谱|tarif", re.IGNORECASE
)


class Content(NamedTuple):
    """What stands below a heading, or in an element that is named for it."""

    kind: str
    """One of `fastwrap.detail.words`; nothing for another one."""
    sure: float
    """How surely it is of the kind."""
    heading: str
    items: list[str]
    prose: list[str]
    """What is no part of the list."""
    first: int
    """Its first line, and the one after its last."""
    last: int
    own: list[int]
    """The lines of the list."""
    is_list: bool
    """Whether its items are marked as those of a list."""
    is_one: bool = False
    """Whether they are those of one list."""


class Headings:
    """The headings of a page: where they are, and what is below them."""

    def __init__(self, lines: Lines, title: int) -> None:
        self.all = lines
        self.lines = lines.lines
        self.title = title
        self.styles = lines.page.style_symbol
        self.are_ingredients: dict[int, bool] = {}
        """By symbol of class and style: whether the class names speak of ingredients."""
        self.levels = [self.level_of(line) for line in self.lines]
        self.kinds = [
            kind_of_heading(line.text) if level else ("", 0)
            for line, level in zip(self.lines, self.levels, strict=True)
        ]

    def block(self, node: int) -> int:
        """The element that a text has its line in."""
        tag, parent = self.all.tag, self.all.parent
        node = parent[node]
        for _ in range(DEEPEST):
            if node <= 0 or tag[node] >= len(TAGS) or not IS_INLINE[tag[node]]:
                break
            node = parent[node]
        return node

    def level_of(self, line: Line) -> int:
        """The level of a heading; 0 for what is none."""
        length = len(line.text)
        if line.heading:
            return line.heading if length <= LONGEST_HEADING else 0
        if length > SHORT_HEADING or line.number + 1 >= len(self.lines) or line.linked > 0.5 or length < 3:
            return 0
        is_bold = line.bold > 0.9
        if line.text[-1] in (".!,;" if is_bold else ".!,;?") or self.all.tag[self.block(line.first)] in CELLS:
            return 0
        if is_bold:
            return BOLD_LEVEL
        following = self.lines[line.number + 1].first
        opens_list = following != NO_NODE and self.list_around(following, line.end) != NO_NODE
        kind, sure = kind_of_heading(line.text)
        if opens_list or (sure == 3 and kind not in (BESIDE, RELATED)):
            return PLAIN_LEVEL
        return 0

    def list_around(self, node: int, start: int) -> int:
        """The list around a text that starts at a node or after it; NO_NODE for none."""
        tag, parent = self.all.tag, self.all.parent
        node, found = parent[node], NO_NODE
        for _ in range(DEEPEST):
            if node < start:
                break
            if tag[node] in LISTS:
                found = node
            node = parent[node]
        return found

    def end_of(self, number: int) -> int:
        """The line after the section of a heading: before the next one of its level or above, or of another kind."""
        level, kind = self.levels[number], self.kinds[number][0]
        for other in range(number + 1, len(self.lines)):
            found = self.levels[other]
            if found and found <= level and not self.is_group(number, other, kind):
                return other
            if found and (said := self.kinds[other])[0] and said[0] != kind and said[1] >= 2:
                return other
        return len(self.lines)

    def is_group(self, number: int, other: int, kind: str) -> bool:
        """Whether a heading is that of a part of a section, though it looks like that of the section: "For the sauce",
        between lists that stand side by side."""
        if kind not in (INGREDIENTS, INSTRUCTIONS) or self.kinds[other][0] or other + 1 >= len(self.lines):
            return False
        if kind == INGREDIENTS and not AMOUNT.match(self.lines[other + 1].text):
            return False
        end = self.lines[other].end
        following = self.list_around(self.lines[other + 1].first, end)
        if kind == INGREDIENTS and following == NO_NODE:
            return self.levels[other] >= BOLD_LEVEL and len(self.lines[other + 1].text) <= SHORT_HEADING
        if following == NO_NODE or (kind == INSTRUCTIONS and self.all.tag[following] != OL):
            return False
        if other == number + 1:
            return kind == INGREDIENTS
        before = self.list_around(self.lines[number + 1].first, self.lines[number].end)
        if before == NO_NODE and other > number + 2:
            before = self.list_around(self.lines[number + 2].first, self.lines[number].end)
        return before != NO_NODE and self.all.parent[before] == self.all.parent[following]

    def content(self, number: int) -> tuple[int, int]:
        """The lines of a section: those below its heading, and within what holds both."""
        end = self.end_of(number)
        first = number + 1
        if first >= end:
            return first, first
        parent, size = self.all.parent, self.all.size
        node = parent[self.lines[number].first]
        following = self.lines[first].first
        while node > 0 and following >= node + size[node]:
            node = parent[node]
        last = self.within(node, first, end)
        wanted = self.kinds[number][0] in (INGREDIENTS, INSTRUCTIONS)
        for _ in range(MOST_CLIMBS if wanted else 0):
            letters = sum(len(self.lines[other].text) for other in range(first, last))
            if node <= 0 or last >= end or (last - first >= 3 and letters >= 60) or letters > 200:
                break
            node = parent[node]
            last = self.within(node, first, end)
        return first, last

    def within(self, node: int, first: int, end: int) -> int:
        """The line after the last one within a node, of some lines."""
        limit = node + self.all.size[node]
        while end > first and self.lines[end - 1].first >= limit:
            end -= 1
        return end

    def items(self, first: int, last: int, start: int, kind: str) -> tuple[list[str], list[str], list[int], bool]:
        """The items of the list that some lines are, what else they say, the lines of the list, and whether the items
        are marked as such. `start` is the node from which on elements are looked at."""
        marked: dict[int, list[int]] = {}
        others: list[int] = []
        wanted = kind in (INGREDIENTS, INSTRUCTIONS)
        for number in range(first, last):
            if 0 < self.levels[number] < BOLD_LEVEL or (wanted and self.is_no_item(number, kind)):
                continue
            item = self.item_around(self.lines[number].first, start, wanted)
            if wanted and item != NO_NODE and self.all.tag[item] == DD and marked:
                item = next(reversed(marked))  # what is told of the term before it
            if item == NO_NODE:
                others.append(number)
            else:
                marked.setdefault(item, []).append(number)
        if wanted:
            marked = self.without_group_names(marked)
        in_items, beside = (
            sum(len(self.lines[n].text) for n in numbers)
            for numbers in ([n for numbers in marked.values() for n in numbers], others)
        )
        least = 0.55 if kind in (INSTRUCTIONS, DESCRIPTION) else 0.05
        if len(marked) > 1 and in_items >= least * (in_items + beside):
            numbers = [number for group in marked.values() for number in group]
            prose = [text for number in others if len(text := self.lines[number].text) > 1]
            return self.texts(marked.values(), kind), prose, numbers, True
        if wanted:
            last = self.last_of(first, last, kind)
        groups = self.groups(first, last, start)
        if wanted:
            groups = [kept for group in groups if (kept := [n for n in group if not self.is_no_item(n, kind)])]
        return self.texts(groups, kind), [], [number for group in groups for number in group], False

    def is_no_item(self, number: int, kind: str) -> bool:
        """Whether a line among ingredients or steps is neither: a control, how much it makes, how long it takes, or an
        ingredient that is said again beside the step that it is for."""
        text = self.lines[number].text
        if kind == INSTRUCTIONS and AMOUNT.match(text) and self.is_named(number):
            return True
        if len(text) > SHORT_HEADING:
            return False
        if CONTROL.fullmatch(text):
            return True
        if kind == INGREDIENTS:
            return SERVES.fullmatch(text) is not None
        return bool(timed(text))

    def is_named(self, number: int) -> bool:
        """Whether a line stands, within its item, in an element that is named for ingredients."""
        parent, node = self.all.parent, self.lines[number].first
        for _ in range(NEAR):
            node = parent[node]
            if node <= 0 or self.all.tag[node] in (LI, TR):
                break
            symbol = self.styles.item(node)
            if symbol not in self.are_ingredients:
                names = self.all.page.attributes(node).get("class", "")
                self.are_ingredients[symbol] = "ingredient" in names.lower()
            if self.are_ingredients[symbol]:
                return True
        return False

    def last_of(self, first: int, last: int, kind: str) -> int:
        """The line after the last one of a list that nothing marks as one: before what speaks to the reader, and, where
        lines are numbered, after the last of these."""
        if kind == INSTRUCTIONS:
            for number in range(first + 1, last):
                if CALL.match(self.lines[number].text):
                    last = number
                    break
        numbered = [number for number in range(first, last) if NUMBERED.match(self.lines[number].text)]
        if len(numbered) > 1 and 2 * len(numbered) > last - first:
            return numbered[-1] + 1
        return last

    def has_items(self, first: int, last: int) -> bool:
        """Whether any of some lines is in an item of a list, or in a row of a table."""
        tag, parent = self.all.tag, self.all.parent
        for number in range(first, last):
            node = parent[self.lines[number].first]
            for _ in range(NEAR):
                if node < 0:
                    break
                if tag[node] in (LI, TR):
                    return True
                node = parent[node]
        return False

    def is_one_list(self, numbers: Sequence[int]) -> bool:
        """Whether lines are within one list."""
        first, last = self.lines[numbers[0]].first, self.lines[numbers[-1]].first
        node = self.list_around(first, 0)
        return node != NO_NODE and last < node + self.all.size[node]

    def item_around(self, node: int, start: int, inner: bool = False) -> int:
        """The outermost item of a list, or row of a table, around a text that starts at a node or after it; with
        `inner` the innermost item, also of a definition list."""
        tag, parent = self.all.tag, self.all.parent
        node, found = parent[node], NO_NODE
        for _ in range(DEEPEST):
            if node < start:
                break
            if tag[node] in (LI, TR):
                found = node
                if inner and tag[node] == LI:
                    break
            elif inner and tag[node] in (DT, DD):
                return node
            node = parent[node]
        return found

    def without_group_names(self, marked: dict[int, list[int]]) -> dict[int, list[int]]:
        """Items without those that hold others, and say of these only what they are for."""
        size, found = self.all.size, {}
        places = list(marked)
        for place, item in enumerate(places):
            numbers = marked[item]
            holds = place + 1 < len(places) and item < places[place + 1] < item + size[item]
            if holds:
                numbers = [n for n in numbers if len(text := self.lines[n].text) > LONGEST_GROUP or AMOUNT.match(text)]
            if numbers:
                found[item] = numbers
        return found

    def groups(self, first: int, last: int, start: int) -> list[list[int]]:
        """Lines that are one item each: those of an element that has others of its kind beside it."""
        parent, page = self.all.parent, self.all.page
        few = last - first < 3
        kept = (0, PLAIN_LEVEL, BOLD_LEVEL) if few else (0, PLAIN_LEVEL)
        numbers = [number for number in range(first, last) if self.levels[number] in kept]
        if len(numbers) < 2:
            return [[number] for number in numbers]
        style, tag = page.style_symbol, self.all.tag
        blocks = {number: self.block(self.lines[number].first) for number in numbers}
        chains: dict[int, list[int]] = {}
        counted: Counter[tuple[int, int, int]] = Counter()
        seen: set[int] = set()
        for number, node in blocks.items():
            chain: list[int] = []
            while node >= start and len(chain) < DEEPEST:
                chain.append(node)
                if node not in seen:
                    seen.add(node)
                    counted[parent[node], tag[node], int(style[node])] += 1
                node = parent[node]
            chains[number] = chain
        groups: dict[int, list[int]] = {}
        for number, chain in chains.items():
            found = next((node for node in chain if counted[parent[node], tag[node], int(style[node])] > 1), NO_NODE)
            # Lines of one element, between which there are only line breaks, are items each.
            key = -number - 2 if found == NO_NODE or found == chain[0] else found
            groups.setdefault(key, []).append(number)
        return list(groups.values())

    def texts(self, groups: Iterable[Sequence[int]], kind: str) -> list[str]:
        """What items say; of instructions, without what only numbers a step."""
        found = []
        for group in groups:
            lines = [self.lines[number].text for number in group]
            if kind == INSTRUCTIONS:
                lines = [text for text in lines if not STEP.fullmatch(text)]
            if lines:
                found.append(" ".join(lines))
        return found


def name_above(headings: Headings, section: Content) -> Line | None:
    """The heading of the part of a page that a section is in, if that is not the title: what a recipe at the end of an
    article is called."""
    number = section.first - 1
    own = headings.levels[number] if number >= 0 else 0
    while number > 0 and number > headings.title:
        level = headings.levels[number]
        is_above = 0 < level < (own or BOLD_LEVEL) and level < BOLD_LEVEL and number < section.first - 1
        if is_above and not headings.kinds[number][0]:
            return headings.lines[number]
        number -= 1
    return None


def quality(kind: str, items: Sequence[str], is_list: bool) -> float:
    """How much some items look like ingredients or instructions."""
    if not items:
        return -9.0
    lengths = [len(item) for item in items]
    mean = sum(lengths) / len(lengths)
    score = min(len(items), 4) * 0.25 + (0.5 if is_list else 0.0)
    if kind == INGREDIENTS:
        amounts = sum(bool(AMOUNT.match(item)) for item in items) / len(items)
        return (
            score + 3 * amounts + (1.0 if mean <= 70 else -2.0 if mean > 140 else -0.5) - (2 if len(items) < 2 else 0)
        )
    if kind == INSTRUCTIONS:
        return score + (1.5 if mean >= 40 else -2.0 if mean < 15 else 0.0) + (0.5 if sum(lengths) > 150 else 0)
    return score


class Sections(NamedTuple):
    """The sections of a page."""

    found: list[Content]
    beside: set[int]
    """The lines of what is beside the thing."""
    related: set[int]
    """Those of them that are about other things of its kind."""
    headings: Headings
    limits: tuple[str, ...]


def read_sections(lines: Lines, title: int) -> Sections:
    """The sections of a page, by their headings, and by the names of elements."""
    headings = Headings(lines, title)
    found: list[Content] = []
    beside: set[int] = set()
    related: set[int] = set()
    numbers = [number for number, level in enumerate(headings.levels) if level and number != title]
    limits: tuple[str, ...] = ("detail.sections",) if len(numbers) > MOST_SECTIONS else ()
    for number in numbers[:MOST_SECTIONS]:
        kind, sure = headings.kinds[number]
        level = headings.levels[number]
        if number in beside:
            continue
        first, last = headings.content(number)
        if kind in (BESIDE, RELATED):
            if sure == 3 or (sure == 2 and level < BOLD_LEVEL):
                beside.update(range(number, last))
                if kind == RELATED:
                    related.update(range(number, last))
            continue
        if first >= last:
            continue
        kind = "" if kind == NOTES else kind
        text = lines.lines[number].text
        if not kind and not headings.has_items(first, last) and not RECIPE.search(text):
            continue  # prose, which is a part of the text
        items, prose, own, is_list = headings.items(first, last, lines.lines[number].end, kind)
        if items:
            score = sure + quality(kind, items, is_list) if kind else 0.0
            if not kind and RECIPE.search(text) and not is_list and sum(map(len, items)) > ENOUGH_STEPS:
                kind, score = INSTRUCTIONS, quality(INSTRUCTIONS, items, is_list)
            one = is_list and headings.is_one_list(own)
            found.append(Content(kind, score, text, items, prose, first, last, own, is_list, one))
    found += named_contents(headings, beside)
    return Sections(found, beside, related, headings, limits)


def named_contents(headings: Headings, beside: set[int]) -> list[Content]:
    """What stands in elements that are named for it."""
    lines = headings.lines
    if not lines:
        return []
    starts = np.array([line.first for line in lines])
    elements: dict[str, list[tuple[int, int, int]]] = {INGREDIENTS: [], INSTRUCTIONS: []}
    size = headings.all.size
    whole = sum(len(line.text) for line in lines)
    reached = {INGREDIENTS: 0, INSTRUCTIONS: 0}
    for kind, node in headings.all.named:
        if node < reached[kind] or headings.all.out[node] or node <= headings.all.page.body:
            continue
        first, last = (int(np.searchsorted(starts, place)) for place in (node, node + size[node]))
        letters = sum(len(line.text) for line in lines[first:last])
        if first == last or letters > 0.6 * whole or len(elements[kind]) > MOST_SECTIONS:
            continue
        reached[kind] = node + size[node]
        elements[kind].append((node, first, last))
    found = []
    for kind, places in elements.items():
        for node, first, last in joined_places(headings, places):
            while first < last and headings.levels[first]:
                first += 1
            if first >= last or first in beside:
                continue
            items, prose, own, is_list = headings.items(first, last, node, kind)
            score = 2.5 + quality(kind, items, is_list)
            if items and score > 3:
                one = is_list and headings.is_one_list(own)
                found.append(Content(kind, score, kind, items, prose, first, last, own, is_list, one))
    return found


def joined_places(headings: Headings, places: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Elements named for something, with their lines; several small ones beside each other are one place."""
    parent = headings.all.parent
    waiting: tuple[int, int, int] | None = None
    for node, first, last in places:
        if waiting is not None and parent[waiting[0]] == parent[node] and first - waiting[2] <= 1:
            waiting = (waiting[0], waiting[1], last)
            continue
        if waiting is not None:
            yield waiting
        waiting = (node, first, last)
    if waiting is not None:
        yield waiting


def is_recipe(section: Content) -> bool:
    """Whether a section without a known heading is a recipe: a list of amounts, and how they are put together."""
    if section.kind or not section.is_list or sum(map(len, section.prose)) < 100 or len(section.items) < 3:
        return False
    amounts = sum(bool(AMOUNT.match(item)) for item in section.items)
    return 2 * amounts >= len(section.items) and RECIPE.search(section.heading) is not None


RANKS = {INGREDIENTS: 40.0, INSTRUCTIONS: 41.0, FEATURES: 45.0, DESCRIPTION: 46.0, "": 70.0}


def chosen(found: Sequence[Content]) -> list[Content]:
    """The best of the sections of each known kind, and all others that share no line with one of them."""
    best: list[Content] = []
    for kind in (INGREDIENTS, INSTRUCTIONS, FEATURES, DESCRIPTION):
        of_kind = sorted((each for each in found if each.kind == kind), key=lambda each: -each.sure)
        taken = {line for each in best for line in each.own}
        for each in of_kind:
            shared = sum(line in taken for line in each.own)
            if shared < 0.5 * len(each.own) and each.sure > 2:
                best.append(each)
                break
    taken = {line for each in best for line in each.own}
    others = [each for each in found if each not in best and taken.isdisjoint(each.own)]
    return [*best, *others]


def facts_of(sections: Sequence[Content], headings: Headings, used: set[int]) -> list[Fact]:
    """The facts of sections: lists as lists, a single text as a text. Lines that are used already are no list."""
    found = []
    given: set[int] = set()
    known: set[str] = set()
    for section in sections:
        lines = set(section.own)
        if not lines or 2 * len(lines & used) > len(lines) or 2 * len(lines & given) > len(lines):
            continue
        name = tidy(section.heading)
        if section.kind in (INGREDIENTS, INSTRUCTIONS) and section.kind not in known:
            name = section.kind
        if section.kind in (DESCRIPTION,) and section.kind not in known:
            name = DESCRIPTION
        if not name:
            continue
        is_known = section.kind != "" and section.kind not in known
        if not section.is_list and not is_known:
            continue  # prose, which is a part of the text
        known.add(section.kind)
        given |= lines
        links = [headings.lines[number].linked for number in section.own]
        if not is_known and sum(links) > 0.7 * len(links):
            continue
        text: str | list[str] = section.items
        if len(section.items) == 1 and section.kind not in (INGREDIENTS, INSTRUCTIONS):
            text = section.items[0]
        first, last = headings.lines[min(lines)], headings.lines[max(lines)]
        role = DESCRIPTION if section.kind == DESCRIPTION else ""
        rank = RANKS[section.kind] if is_known else RANKS[""]
        why = {"header": section.heading}
        found.append(Fact(name, text, rank, role, why, first.first, last.end, is_one_list=section.is_one))
        if is_recipe(section) and INGREDIENTS not in known:
            found[-1].name, found[-1].rank = INGREDIENTS, RANKS[INGREDIENTS]
            prose = [item for item in section.prose if len(item) > 40]
            found.append(Fact(INSTRUCTIONS, prose, RANKS[INSTRUCTIONS], "", why, first.first, last.end))
    used |= given
    return found
