"""Selectors to take away: CSS and XPath that select the same nodes as a wrapper on the page it was learned from.
Each step of a path has a tag and the fewest conditions that tell the nodes to select from their siblings.

Parsers other than those of HTML5 add no tbody to tables, so a path through one is written both with it and without.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastwrap.columns import Table, Template
from fastwrap.columns.choice import LIST, PICTURE, Source
from fastwrap.columns.layout import TEXT_ITEM, Item
from fastwrap.columns.shown import ShownColumns
from fastwrap.common.lazy import lazy_property
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TEXT
from fastwrap.page.selectors import FILLED_TEXT, PLAIN_NAME
from fastwrap.wrapper.conditions import (
    BUDGET,
    STEP_WORK,
    BudgetMetError,
    Condition,
    SearchBudget,
    Siblings,
    at_place,
    escaped,
    has_class,
    predicates,
    xpath_tag,
)
from fastwrap.wrapper.location import Location, within

LIMIT = "the search for selectors met its budget"
ABSENT = "no record has it on this page"
APART = "its items are at different paths of the records"
ALIKE = "no path tells its items from others"
BARE = "a record that is a text, or begins with one, has no paths"
HEADING = "a heading above the records is in none of them"
DRAWN = "data:"
"""Such an address is a picture itself."""

NO_CSS = "CSS has no way to say it: use to_xpath"
NO_XPATH = "XPath has no way to say the name of the attribute: use to_css"


class Selector(NamedTuple):
    """A path to nodes; None in a language that cannot say it."""

    xpath: str | None = None
    css: str | None = None
    why: str = NO_CSS
    """Why there is none, or one in only one language."""


class Selectors(NamedTuple):
    """What selects the records of a list, and, from there, the items of each column."""

    records: Selector
    columns: tuple[Selector, ...]


class Step(NamedTuple):
    """One step of a path."""

    tag: str
    conditions: tuple[Condition, ...] = ()

    @property
    def xpath(self) -> str:
        """In XPath."""
        return xpath_tag(self.tag) + predicates(self.conditions)

    @property
    def css(self) -> str | None:
        """In CSS."""
        said = [condition.css for condition in self.conditions]
        if None in said:
            return None
        return escaped(self.tag) + "".join(sorted(filter(None, said), key=lambda part: part[0] == ":"))


def variants(steps: Sequence[Step]) -> list[Sequence[Step]]:
    """The steps of a path; if it goes through a tbody, also those without it."""
    without = [step for step in steps if step.tag != "tbody"]
    return [steps] if len(without) == len(steps) else [steps, without]


def written(starts: str, steps: Sequence[Step], *ends: str) -> str:
    """A path in XPath."""
    return " | ".join("/".join([starts, *(step.xpath for step in variant), *ends]) for variant in variants(steps))


def written_css(steps: Sequence[Step], ends: str = "", starts: str = ":scope") -> str | None:
    """A path in CSS, None if CSS cannot say it; from a record on, if it does not start elsewhere."""
    if any(step.css is None for step in steps):
        return None
    return ", ".join(
        " > ".join(filter(None, [starts, *(step.css for step in variant)])) + ends for variant in variants(steps)
    )


def learn_selectors(page: Page, location: Location, table: Table, budget: int = BUDGET) -> Selectors:
    """The selectors of a list and its columns, from the table of the page that it was learned from."""
    search = Search(page, table.records.spans, budget)
    try:
        records = search.records(location)
    except BudgetMetError:
        return Selectors(Selector(why=LIMIT), (Selector(why=LIMIT),) * table.shown.width)
    items = ItemSearch(search, table)
    return Selectors(records, tuple(items.column(column) for column in range(table.shown.width)))


class ItemSearch:
    """The search for the selectors of a table's items, and of the columns that are made of them."""

    def __init__(self, search: Search, table: Table) -> None:
        self.search = search
        self.shown = table.shown
        self.items = table.template.items
        into = np.where(table.slots == NO_NODE, NO_NODE, table.template.into[table.slots])
        order = np.argsort(into, kind="stable")
        self._into = into[order]
        self._nodes: Int32Array = np.array(table.records.nodes_at(order.tolist())[0], dtype=np.int32)
        self._found: dict[tuple[object, ...], Selector] = {}

    def column(self, column: int) -> Selector:
        """The selector of a column."""
        if not self.shown.items_of(column):
            return Selector(why=HEADING)
        if not isinstance(self.shown, ShownColumns):
            return self._selector(self.shown.items_of(column)[0])
        try:
            return self._made(self.shown.choice.sources[column])
        except BudgetMetError:
            return Selector(why=LIMIT)

    def _made(self, source: Source) -> Selector:
        """The selector of a column that is chosen. Where a record of this page has several of which one is taken, or
        what is only taken beside another, the path says when."""
        is_picture = source.operation == PICTURE
        groups = [[self.items[number] for number in group] for group in source.items]
        if source.operation == LIST:
            groups = [[item for group in groups for item in group]]
        if len(groups) == 1 and not source.where:
            return union([self._selector(item, "", is_picture) for item in groups[0]])
        have = [self._records(group, is_picture) for group in groups]
        needed = [self.items[number] for number in source.where]
        wanted: list[Selector] = []
        if needed and not set().union(*have) <= self._records(needed):
            wanted = [self._selector(item, filled=True) for item in needed]
        others: list[Selector] = []
        taken: set[int] = set()
        found: list[Selector] = []
        for group, records in zip(groups, have, strict=True):
            conditions = [union(wanted)] if wanted else []
            conditions += [union(others)] if records & taken else []
            failed = next((condition for condition in conditions if condition.xpath is None), None)
            if failed is not None:
                return failed
            said = [condition.xpath or "" for condition in conditions]
            if records & taken:
                said[-1] = f"not({said[-1]})"
            found += [self._selector(item, " and ".join(said), is_picture) for item in group]
            others += [self._selector(item, "", is_picture, filled=True) for item in group]
            taken |= records
        return union(found)

    def _selector(self, item: Item, when: str = "", is_picture: bool = False, filled: bool = False) -> Selector:
        key = (item, when, is_picture, filled)
        if key not in self._found:
            try:
                self._found[key] = self.search.column(self._nodes_of(item), item.kind, when, is_picture, filled)
            except BudgetMetError:
                self._found[key] = Selector(why=LIMIT)
        return self._found[key]

    def _nodes_of(self, item: Item) -> Int32Array:
        """The nodes that have an item."""
        first, last = np.searchsorted(self._into, [item.slot, item.slot + 1])
        return self._nodes[first:last]

    def _records(self, items: Sequence[Item], is_picture: bool = False) -> set[int]:
        """The first nodes of the records that have one of several items."""
        nodes = [self.search.having(self._nodes_of(item), item.kind, is_picture) for item in items]
        return set(self.search.heads_of(np.concatenate(nodes)).tolist())


def union(selectors: Sequence[Selector]) -> Selector:
    """What selects all that some selectors do, but for those of what is not on this page."""
    there = [selector for selector in selectors if selector.why != ABSENT] or list(selectors)
    if len(there) == 1:
        return there[0]
    failed = next((selector for selector in there if selector.xpath is None and selector.css is None), None)
    if failed is not None:
        return failed
    xpaths, css = [selector.xpath for selector in there], [selector.css for selector in there]
    return Selector(
        None if None in xpaths else " | ".join(filter(None, xpaths)),
        None if None in css else ", ".join(filter(None, css)),
        next((selector.why for selector in there if selector.xpath is None or selector.css is None), NO_CSS),
    )


class Search:
    """The search for the selectors of one list: its columns share what was found out about siblings, and the budget."""

    def __init__(self, page: Page, spans: Int32Array, budget: int) -> None:
        self.page = page
        self.budget = SearchBudget(budget)
        self.heads: Int32Array = np.ascontiguousarray(spans[:, 0])
        """The first node of each record."""
        self._siblings: dict[tuple[bytes, int], Siblings] = {}
        self._steps: dict[tuple[bytes, bytes], tuple[Step, Int32Array]] = {}
        self._owners: dict[tuple[str, bool], Int32Array] = {}

    def siblings(self, parents: Int32Array, tag: int) -> Siblings:
        """The children of one tag of some elements."""
        self.budget.take(STEP_WORK + len(parents))
        key = parents.tobytes(), tag
        if key not in self._siblings:
            self._siblings[key] = Siblings(self.page, parents, tag, self.budget)
        return self._siblings[key]

    def step(self, parents: Int32Array, chosen: Int32Array) -> tuple[Step, Int32Array]:
        """The step from elements to some of their children, which have one tag, and the nodes that it leads to."""
        key = parents.tobytes(), chosen.tobytes()
        if key not in self._steps:
            conditions, kept = self.siblings(parents, int(self.page.tag[chosen[0]])).tell_apart(chosen)
            self._steps[key] = Step(self.page.tag_name(int(chosen[0])), conditions), kept
        return self._steps[key]

    # Records

    def records(self, location: Location) -> Selector:
        """The path from the root to the first nodes of the records."""
        page = self.page
        above, parents = self._steps_to(location)
        selectors: list[Selector] = []
        for tag in dict.fromkeys(page.tag[self.heads].tolist()):
            meant = self.heads[page.tag[self.heads] == tag]
            step, kept = self.step(parents, meant)
            if tag == TEXT or not np.array_equal(kept, meant):
                return Selector(why=ALIKE)
            steps = [*above, step]
            selectors.append(Selector(written("", steps), written_css(steps, starts="")))
        css = ", ".join(part.css or "" for part in selectors) if all(part.css for part in selectors) else None
        return Selector(" | ".join(part.xpath or "" for part in selectors), css)

    def _steps_to(self, location: Location) -> tuple[list[Step], Int32Array]:
        """The steps from the root to the elements that hold records, and these elements."""
        page = self.page
        levels = [np.unique(page.parent[self.heads])]
        while levels[-1][0] > 0:
            self.budget.take(STEP_WORK + len(levels[-1]))
            levels.append(np.unique(page.parent[levels[-1]]))
        levels.reverse()
        steps = [Step(location.path[0].tag)]
        frontier = levels[0]
        for step, meant in zip(location.path[1:], levels[1:], strict=True):
            conditions = [has_class(token) for token in step.tokens]
            siblings = self.siblings(frontier, int(page.tag[meant[0]]))
            among = np.ones(len(siblings.nodes), dtype=np.bool_)
            for token in step.tokens:
                among &= siblings.has_class(token)
            if step.nth:
                place, from_last = abs(step.nth) - 1, step.nth < 0
                conditions.insert(0, at_place(place, from_last))
                among &= siblings.places[from_last] == place
            more, frontier = siblings.tell_apart(meant, among)
            steps.append(Step(step.tag, tuple(dict.fromkeys((*conditions, *more)))))
        return steps, frontier

    # Columns

    def column(
        self, meant: Int32Array, kind: str, when: str = "", is_picture: bool = False, filled: bool = False
    ) -> Selector:
        """The path from a record, that is its first node, to the items of one column; `when` is what a record must
        have for it. With `filled`, blank texts are not selected."""
        page = self.page
        meant = self.having(meant, kind)
        if not len(meant):
            return Selector(why=ABSENT)
        levels = self._levels(meant)
        offset = None if levels is None else self._offset(levels[0])
        if levels is None or offset is None:
            return Selector(why=APART)
        tags = [int(page.tag[level[0]]) for level in levels]
        if tags == [TEXT]:
            return Selector(why=BARE)
        frontier = self.heads if offset == 0 else self._after_heads(offset, tags[0])
        steps: list[Step] = []
        for level in levels[1 : len(levels) - (tags[-1] == TEXT)]:
            step, frontier = self.step(frontier, level)
            steps.append(step)
        first = page.tag_name(int(levels[0][0]))
        here = f"self::*[{when}]" if when else "."
        if offset:
            here += f"/following-sibling::*[{offset}][self::{xpath_tag(first)}]"
        has_css = offset == 0 and not when
        if kind != TEXT_ITEM:
            if not np.array_equal(self._having(frontier, kind, filled=False), meant):
                return Selector(why=ALIKE)
            is_drawn = is_picture and len(self.having(meant, kind, is_picture)) < len(meant)
            css = written_css(steps, f"::attr({kind})") if has_css and not is_drawn else None
            if not PLAIN_NAME.fullmatch(kind):
                return Selector(None, css, NO_XPATH)
            return Selector(written(here, steps, f"@{kind}" + f"[not(starts-with(., '{DRAWN}'))]" * is_drawn), css)
        texts = self.siblings(frontier, TEXT)
        if np.array_equal(texts.nodes, meant):
            css = written_css(steps, "::text") if has_css else None
            return Selector(written(here, steps, FILLED_TEXT if filled else "text()"), css)
        conditions, kept = texts.tell_apart(meant)
        if not np.array_equal(kept, meant) or not all(condition.counts for condition in conditions):
            return Selector(why=ALIKE)
        return Selector(written(here, steps, FILLED_TEXT + predicates(conditions)), None)

    def having(self, nodes: Int32Array, kind: str, is_picture: bool = False) -> Int32Array:
        """Those of the nodes that have an item of a kind; of pictures, those that are at an address."""
        if kind != TEXT_ITEM:
            nodes = self._having(nodes, kind, filled=True)
        if is_picture:
            kept = [node for node in nodes.tolist() if not self.page.attributes(node).get(kind, "").startswith(DRAWN)]
            nodes = np.array(kept, dtype=np.int32)
        return nodes

    def heads_of(self, nodes: Int32Array) -> Int32Array:
        """The first nodes of the records that nodes are in."""
        return self.heads[np.searchsorted(self.heads, nodes, side="right") - 1]

    def _levels(self, meant: Int32Array) -> list[Int32Array] | None:
        """The elements from the top of records down to nodes, level by level; None if tags or depths differ."""
        page = self.page
        heads = self.heads_of(meant)
        levels = []
        nodes = meant
        while True:
            self.budget.take(STEP_WORK + len(nodes))
            if (page.tag[nodes] != page.tag[nodes[0]]).any():
                return None
            levels.append(np.unique(nodes))
            up = page.parent[nodes]
            inside = up >= heads
            if not inside.any():
                return levels[::-1]
            if not inside.all():
                return None
            nodes = up

    @lazy_property
    def _elements(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The elements in the order of their parents, and the place of each node there; a text has that of the next
        element."""
        order = np.argsort(self.page.parent, kind="stable")
        is_element = self.page.tag[order] != TEXT
        place = np.empty(len(order), dtype=np.intp)
        place[order] = np.cumsum(is_element) - is_element
        return order[is_element], place

    def _offset(self, tops: Int32Array) -> int | None:
        """How many elements after the first node of a record the one is that holds a column, if that is the same in all
        records; None otherwise."""
        heads = self.heads_of(tops)
        if np.array_equal(heads, tops):
            return 0
        if (self.page.tag[self.heads] == TEXT).any():
            return None
        _, place = self._elements
        offsets = place[tops] - place[heads]
        return int(offsets[0]) if (offsets == offsets[0]).all() else None

    def _after_heads(self, offset: int, tag: int) -> Int32Array:
        """The elements of a tag, so many elements after the first nodes of records, in the same record or not."""
        page = self.page
        elements, place = self._elements
        places = place[self.heads] + offset
        exists = places < len(elements)
        nodes = elements[places[exists]].astype(np.int32)
        alike = (page.parent[nodes] == page.parent[self.heads[exists]]) & (page.tag[nodes] == tag)
        return np.unique(nodes[alike])

    def _having(self, nodes: Int32Array, attribute: str, filled: bool) -> Int32Array:
        """Those of the nodes that have an attribute; with `filled`, one that is not empty."""
        arrays = self.page.arrays
        if (attribute, filled) not in self._owners:
            self.budget.take(len(arrays.attribute_name))
            entries = np.flatnonzero(arrays.attribute_name == self._attribute_numbers.get(attribute, NO_NODE))
            if filled:
                entries = entries[arrays.value_start[entries] < arrays.value_start[entries + 1]]
            nodes_having = np.searchsorted(arrays.attribute_start, entries, side="right") - 1
            self._owners[attribute, filled] = nodes_having.astype(np.int32)
        owners = self._owners[attribute, filled]
        return nodes[within(nodes, owners)]

    @lazy_property
    def _attribute_numbers(self) -> dict[str, int]:
        return {name: number for number, name in self.page.custom_names.items()} | ATTRIBUTE_NUMBER


SPIDER = '''"""Reads the records of a list: written by fastwrap from a wrapper."""

import scrapy


def clean(texts, joined=False):
    """The texts of a column, white space normalised: one as a string, several as a list or joined, None for none."""
    found = [text for text in (" ".join(text.split()) for text in texts) if text]
    if joined and found:
        return " ".join(found)
    return found[0] if len(found) == 1 else found or None


class ListSpider(scrapy.Spider):
    name = "list"
    start_urls = {urls!r}

    def parse(self, response):
        for record in response.xpath({records!r}):
            yield {{
{columns}
            }}
'''


def spider(selectors: Selectors, template: Template, url: str | None) -> str:
    """The source of a Scrapy spider."""
    named = list(zip([name.name for name in template.names], selectors.columns, strict=True))
    sources = () if template.choice is None else template.choice.sources
    joined = {
        name
        for (name, _), source in zip(named, sources, strict=False)  # without headings
        if source.operation != LIST and max(map(len, source.items)) > 1
    }
    lines = [
        f"{name!r}: clean(record.xpath({selector.xpath!r}).getall(){', joined=True' * (name in joined)}),"
        for name, selector in named
        if selector.xpath
    ]
    lines += [f"# {name!r} is left out: {selector.why}" for name, selector in named if not selector.xpath]
    return SPIDER.format(
        urls=[url] if url else [], records=selectors.records.xpath, columns=indent("\n".join(lines), " " * 16)
    )
