"""Selectors to take away: CSS and XPath that select the same nodes as a wrapper on the page it was learned from.
Each step of a path has a tag and the fewest conditions that tell the nodes that are meant from their siblings.

Parsers other than those of HTML5 add no tbody to tables, so that a path through one is written with it and without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fastwrap._plain.wrapping import tokens_of
from fastwrap.columns import Table
from fastwrap.names import NO_NODE, SVG_CASE, TEXT
from fastwrap.page import PLAIN_NAME, SPACES, Page, xpath_string
from fastwrap.wrapper.location import Location, class_of, path_of

MOST_CONDITIONS = 4
"""Conditions of a step."""

MOST_NODES = 4_000
"""Nodes that a step is learned from."""

MOST_PLACES = 9
"""Places from the first and the last that are looked at."""

FILLED_TEXT = f"text()[normalize-space(translate(., '{SPACES}', '{' ' * len(SPACES)}'))]"
"""Texts that are not blank: others are no nodes of a page."""


class Condition(NamedTuple):
    """What may be true of a node, in XPath and in CSS; None where CSS has no way to say it."""

    xpath: str
    css: str | None
    cost: int
    """Of conditions that tell the same, the one of least cost is taken."""
    counts: bool = False
    """Whether it is about the place among the siblings of the tag."""


class Selector(NamedTuple):
    """A path to nodes; None where it cannot be said."""

    xpath: str | None
    css: str | None


class Selectors(NamedTuple):
    """What selects the records of a list, and, from there, the items of each column."""

    records: Selector
    columns: tuple[Selector, ...]


@dataclass(frozen=True)
class Siblings:
    """Nodes of one tag, children of some elements: what is true of each."""

    page: Page
    nodes: Sequence[int]

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """For each node how many siblings of its tag are before it, and how many behind."""
        found: dict[int, tuple[int, int]] = {}
        page = self.page
        for up in dict.fromkeys(page.parent[list(self.nodes)].tolist()):
            tags: dict[int, list[int]] = {}
            for child in page.children(up):
                tags.setdefault(int(page.tag[child]), []).append(child)
            for alike in tags.values():
                for before, child in enumerate(alike):
                    found[child] = before, len(alike) - 1 - before
        return [found[node] for node in self.nodes]

    def outside(self) -> dict[Condition, list[bool]]:
        """What can be said of the nodes without looking into them, and of which of them it is true."""
        found: dict[Condition, list[bool]] = {}
        before = [place for place, _ in self.places]
        behind = [place for _, place in self.places]
        tokens = [{t.decode("utf-8", "replace") for t in tokens_of(class_of(self.page, node))} for node in self.nodes]
        for token in sorted(set().union(*tokens)):
            has = [token in own for own in tokens]
            quoted = xpath_string(f" {token} ")
            holds = f"contains(concat(' ', normalize-space(@class), ' '), {quoted})"
            found[Condition(holds, f".{escaped(token)}", 1)] = has
            found[Condition(f"not({holds})", f":not(.{escaped(token)})", 3)] = [not true for true in has]
        for place in sorted(set(before))[:MOST_PLACES]:
            here = Condition(f"position() = {place + 1}", f":nth-of-type({place + 1})", 2, True)
            found[here] = [own == place for own in before]
            if place:
                later = Condition(f"position() > {place}", f":nth-of-type(n+{place + 1})", 5, True)
                found[later] = [own >= place for own in before]
        for place in sorted(set(behind))[:MOST_PLACES]:
            last = f"last() - {place}" if place else "last()"
            here = Condition(f"position() = {last}", f":nth-last-of-type({place + 1})", 3, True)
            found[here] = [own == place for own in behind]
            if place:
                sooner = Condition(f"position() <= {last}", f":nth-last-of-type(n+{place + 1})", 5, True)
                found[sooner] = [own >= place for own in behind]
        return found

    def inside(self) -> dict[Condition, list[bool]]:
        """What can be said of what is in them."""
        found: dict[Condition, list[bool]] = {}
        below = [self._paths_below(node) for node in self.nodes]
        for path in sorted(set().union(*below)):
            has = [path in own for own in below]
            inside = " > ".join(escaped(tag) for tag in path)
            steps = "/".join(xpath_tag(tag) for tag in path)
            found[Condition(steps, f":has(> {inside})", 4)] = has
            found[Condition(f"not({steps})", f":not(:has(> {inside}))", 6)] = [not true for true in has]
        # Not of tables: whether rows are their children depends on the parser.
        children = [sum(self.page.tag[child] != TEXT for child in self.page.children(node)) for node in self.nodes]
        for count in sorted(set(children))[1:MOST_PLACES] if self.page.tag_name(self.nodes[0]) != "table" else ():
            many = Condition(f"*[{count}]", f":has(> :nth-child({count}))", 5)
            found[many] = [own >= count for own in children]
            few = Condition(f"not(*[{count}])", f":not(:has(> :nth-child({count})))", 6)
            found[few] = [own < count for own in children]
        texts = [
            self.page.text_start[node] < self.page.text_start[node + int(self.page.size[node])] for node in self.nodes
        ]
        found[Condition("normalize-space()", None, 7)] = [bool(true) for true in texts]
        return found

    def _paths_below(self, node: int) -> set[tuple[str, ...]]:
        """The tag paths of the elements below a node, up to three levels; none through a table, whose rows may move."""
        page = self.page
        found: set[tuple[str, ...]] = set()
        paths: dict[int, tuple[str, ...]] = {node: ()}
        for below in range(node + 1, min(node + int(page.size[node]), node + 200)):
            above = paths.get(int(page.parent[below]))
            tag = page.tag_name(below)
            if above is not None and len(above) < 3 and page.tag[below] != TEXT and tag != "tbody" and plain(tag):
                paths[below] = (*above, tag)
                found.add(paths[below])
        return found


def plain(tag: str) -> bool:
    """Whether a tag can be written in CSS as it is."""
    return PLAIN_NAME.fullmatch(tag) is not None and tag not in ("svg", "math")


def escaped(name: str) -> str:
    """A name as an identifier of CSS.

    >>> escaped("a:b"), escaped("-2")
    ('a\\\\3a b', '-\\\\32 ')
    """
    found = ""
    for place, letter in enumerate(name):
        starts = place == 0 or (place == 1 and name[0] == "-")
        if (letter.isdigit() and starts) or not (letter.isalnum() or letter in "-_" or ord(letter) > 127):
            found += f"\\{ord(letter):x} "
        else:
            found += letter
    return found if found != "-" else "\\-"


def xpath_tag(tag: str) -> str:
    """A tag as a step of XPath."""
    if PLAIN_NAME.fullmatch(tag) and tag not in ("svg", "math"):
        return tag
    return f"*[local-name()={xpath_string(SVG_CASE.get(tag, tag))}]"


def predicates(conditions: Sequence[Condition]) -> str:
    """Conditions in XPath. Places come first, and in one predicate: another one would count what it leaves."""
    counted = " and ".join(condition.xpath for condition in conditions if condition.counts)
    return (f"[{counted}]" if counted else "") + "".join(
        f"[{condition.xpath}]" for condition in conditions if not condition.counts
    )


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


def tell_apart(page: Page, nodes: Sequence[int], meant: set[int]) -> tuple[tuple[Condition, ...], list[int]]:
    """The fewest conditions that are true of all nodes that are meant, and of as few others as can be; and those
    nodes of which they are true."""
    others = [node not in meant for node in nodes]
    if not any(others) or len(nodes) > MOST_NODES:
        return (), list(nodes)
    siblings = Siblings(page, nodes)
    outside = siblings.outside()
    chosen, left = choose(outside, others)
    if any(left):
        inside = siblings.inside()
        chosen, left = choose(inside, others)
        if any(left):
            chosen, left = choose(outside | inside, others)
    return tuple(chosen), [node for node, other in zip(nodes, left, strict=True) if other or node in meant]


def choose(conditions: Mapping[Condition, list[bool]], others: list[bool]) -> tuple[list[Condition], list[bool]]:
    """Conditions that hold for all but the others, greedily; and which of the others they still hold for."""
    known = {
        condition: true
        for condition, true in conditions.items()
        if all(holds or other for holds, other in zip(true, others, strict=True))
    }
    chosen: list[Condition] = []
    left = others
    while any(left) and known and len(chosen) < MOST_CONDITIONS:
        counts = {
            condition: sum(holds and other for holds, other in zip(true, left, strict=True))
            for condition, true in known.items()
        }
        best = min(counts, key=lambda condition: (counts[condition], condition.cost))
        if counts[best] == sum(left):
            break
        left = [holds and other for holds, other in zip(known[best], left, strict=True)]
        chosen.append(best)
    return chosen, left


def written(starts: str, steps: Sequence[Step], ends: str = "") -> str:
    """A path in XPath; twice, if it goes through a tbody."""
    whole = "/".join(filter(None, [starts, *(step.xpath for step in steps), ends]))
    if all(step.tag != "tbody" for step in steps):
        return whole
    return (
        whole + " | " + "/".join(filter(None, [starts, *(step.xpath for step in steps if step.tag != "tbody"), ends]))
    )


def written_css(steps: Sequence[Step], ends: str = "", starts: str = ":scope") -> str | None:
    """A path in CSS, if it can be said; from a record on, if it does not start elsewhere."""
    parts = [step.css for step in steps]
    if None in parts:
        return None
    variants = [parts]
    if any(step.tag == "tbody" for step in steps):
        variants.append([step.css for step in steps if step.tag != "tbody"])
    return ", ".join(" > ".join(filter(None, [starts, *variant])) + ends for variant in variants)


def steps_to(page: Page, location: Location, heads: Sequence[int]) -> tuple[list[Step], list[int]]:
    """The steps from the root to the elements that hold records, and these."""
    ancestors = {up for head in heads for up in page.ancestors(head)}
    found = [Step(location.path[0].tag)]
    frontier = [0]
    for step in location.path[1:]:
        conditions = []
        if step.nth:
            place = abs(step.nth)
            last = "last()" if place == 1 else f"last() - {place - 1}"
            conditions.append(
                Condition(f"position() = {place}", f":nth-of-type({place})", 2, True)
                if step.nth > 0
                else Condition(f"position() = {last}", f":nth-last-of-type({place})", 2, True)
            )
        for token in step.tokens:
            has = f"contains(concat(' ', normalize-space(@class), ' '), {xpath_string(f' {token} ')})"
            conditions.append(Condition(has, f".{escaped(token)}", 1))
        nodes = [child for node in frontier for child in page.children(node) if page.tag_name(child) == step.tag]
        siblings = Siblings(page, nodes)
        said = siblings.outside()
        true = [said[condition] for condition in conditions if condition in said]
        nodes = [node for k, node in enumerate(nodes) if all(own[k] for own in true)]
        more, frontier = tell_apart(page, nodes, ancestors)
        found.append(Step(step.tag, tuple(dict.fromkeys((*conditions, *more)))))
    return found, frontier


def learn_selectors(page: Page, location: Location, table: Table) -> Selectors:
    """The selectors of a list and its columns, from the table of the page that it was learned from."""
    spans = table.records.spans
    heads = spans[:, 0].tolist()
    above, parents = steps_to(page, location, heads)
    records = Selector(None, None)
    tags = dict.fromkeys(page.tag[heads].tolist())
    parts: list[Selector] = []
    for tag in tags:
        nodes = [child for parent in parents for child in page.children(parent) if page.tag[child] == tag]
        meant = {head for head in heads if page.tag[head] == tag}
        conditions, kept = tell_apart(page, nodes, meant)
        if tag == TEXT or set(kept) != meant:
            parts = []
            break
        step = Step(page.tag_name(nodes[0]), conditions)
        parts.append(
            Selector("/" + written("", [*above, step]).replace(" | ", " | /"), written_css([*above, step], starts=""))
        )
    if parts:
        xpath = " | ".join(part.xpath or "" for part in parts)
        css = ", ".join(part.css or "" for part in parts) if all(part.css for part in parts) else None
        records = Selector(xpath, css)
    template = table.template
    slots = table.slots
    nodes_of_slots = np.concatenate([np.arange(start, end) for start, end in spans.tolist()]) if len(spans) else slots
    into = np.where(slots == NO_NODE, NO_NODE, template.into[slots])
    columns: list[Selector] = []
    for item in template.items:
        meant_nodes = nodes_of_slots[into == item.slot]
        columns += [column_selector(page, spans.tolist(), meant_nodes.tolist(), item.kind)] * item.width
    columns += [Selector(None, None)] * (template.width - len(columns))
    return Selectors(records, tuple(columns))


def column_selector(page: Page, spans: list[list[int]], meant: list[int], kind: str) -> Selector:
    """The path from a record, that is its first node, to the items of one column."""
    if kind != "text":
        meant = [node for node in meant if kind in page.attributes(node) and page.attributes(node)[kind]]
    if not meant:
        return Selector(None, None)
    starts = [start for start, _ in spans]
    chains: set[tuple[str, ...]] = set()
    tops: set[int] = set()
    record = -1
    ancestors: set[int] = set()
    for node in meant:
        while record + 1 < len(spans) and spans[record + 1][0] <= node:
            record += 1
        chain = [step for step in path_of(page, node) if step >= starts[record]]
        chains.add(tuple(page.tag_name(step) for step in chain))
        tops.add(chain[0])
        ancestors.update(chain)
    if len(chains) != 1:
        return Selector(None, None)
    (tags,) = chains
    offset = top_offset(page, starts, spans, tops)
    if offset is None:
        return Selector(None, None)
    frontier = starts if offset == 0 else siblings_at(page, starts, offset, tags[0])
    steps: list[Step] = []
    elements = tags[1:-1] if tags[-1] == "#text" else tags[1:]
    for tag in elements:
        nodes = [child for node in frontier for child in page.children(node) if page.tag_name(child) == tag]
        conditions, frontier = tell_apart(page, nodes, ancestors)
        steps.append(Step(tag, conditions))
    here = "." if offset == 0 else f"./following-sibling::*[{offset}][self::{xpath_tag(tags[0])}]"
    if kind != "text":
        found = [node for node in frontier if kind in page.attributes(node)]
        if set(found) != set(meant):
            return Selector(None, None)
        css = written_css(steps, f"::attr({kind})") if offset == 0 else None
        return Selector(written(here, steps, f"@{kind}") if PLAIN_NAME.fullmatch(kind) else None, css)
    if tags == ("#text",):  # a record that begins with a text: nothing can be selected from it
        return Selector(None, None)
    texts = [child for node in frontier for child in page.children(node) if page.tag[child] == TEXT]
    if set(texts) == set(meant):
        css = written_css(steps, "::text") if offset == 0 else None
        return Selector(written(here, steps, "text()"), css)
    conditions, kept = tell_apart(page, texts, set(meant))
    if set(kept) != set(meant) or not all(condition.counts for condition in conditions):
        return Selector(None, None)
    return Selector(written(here, steps, FILLED_TEXT + predicates(conditions)), None)


def top_offset(page: Page, starts: list[int], spans: list[list[int]], tops: set[int]) -> int | None:
    """How many elements behind the first node of a record its node is that holds a column: the same in all, or None."""
    offsets = set()
    for start, end in spans:
        node, place = start, 0
        while node < end:
            if node in tops:
                offsets.add(place)
            if page.tag[node] != TEXT or node == start:
                place += 1
            node += int(page.size[node])
    if offsets == {0}:
        return 0
    return offsets.pop() if len(offsets) == 1 and all(page.tag[start] != TEXT for start in starts) else None


def siblings_at(page: Page, starts: list[int], offset: int, tag: str) -> list[int]:
    """The elements so many behind others, if they have a tag; whether they belong to the same record or not."""
    found = []
    for start in starts:
        end = int(page.parent[start] + page.size[page.parent[start]])
        node, place = start, 0
        while node < end and place < offset:
            node += int(page.size[node])
            place += node < end and page.tag[node] != TEXT
        if node < end and place == offset and page.tag_name(node) == tag:
            found.append(node)
    return found


SPIDER = '''"""Reads the records of a list: written by fastwrap from a wrapper."""

import scrapy


def clean(texts):
    """The texts of a column, white space normalised: one as a string, several as a list, None for none."""
    found = [text for text in (" ".join(text.split()) for text in texts) if text]
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


def spider(selectors: Selectors, names: Sequence[str], url: str | None) -> str:
    """The source of a spider of Scrapy."""
    lines = [
        f"                {name!r}: clean(record.xpath({selector.xpath!r}).getall()),"
        for name, selector in zip(names, selectors.columns, strict=True)
        if selector.xpath
    ]
    return SPIDER.format(
        urls=[url] if url else [],
        records=selectors.records.xpath,
        columns="\n".join(lines),
    )
