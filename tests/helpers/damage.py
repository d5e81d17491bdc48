"""Damages pages as redesigns do, in five kinds, to see whether wrappers notice.
`python -m tests.helpers.damage PAGE...` prints, for each kind, how much of the real damage raises the alarm."""

from __future__ import annotations

import html as entities
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, learn

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())

TENTH = 0.1
"""Rows that must differ for a change to be damage."""


@dataclass(eq=False)
class Node:
    """An element, or a text, that can be changed."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None

    def html(self) -> str:
        """As HTML."""
        pieces: list[str] = []
        stack: list[Node | str] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                pieces.append(node)
            elif node.tag == "#text":
                pieces.append(f" {entities.escape(node.text, quote=False)} ")
            else:
                own = "".join(f' {name}="{entities.escape(value)}"' for name, value in node.attributes.items())
                pieces.append(f"<{node.tag}{own}>")
                if node.tag not in VOID:
                    stack.append(f"</{node.tag}>")
                    stack.extend(reversed(node.children))
        return "".join(pieces)

    def detach(self) -> None:
        """Take it out of the page."""
        assert self.parent is not None
        self.parent.children.remove(self)
        self.parent = None

    def insert(self, place: int, child: Node) -> None:
        """Put a child in."""
        self.children.insert(place, child)
        child.parent = self

    def wrap(self, tag: str) -> None:
        """Put an element around it."""
        above = self.parent
        assert above is not None
        place = above.children.index(self)
        wrapper = Node(tag)
        above.children[place] = wrapper
        wrapper.parent = above
        wrapper.insert(0, self)


def nodes_of(page: Page) -> list[Node]:
    """All nodes of a page, as a tree."""
    nodes: list[Node] = []
    for number in range(len(page)):
        tag = page.tag_name(number)
        node = Node(tag, page.attributes(number), page.text(number) if tag == "#text" else "")
        above = int(page.parent[number])
        if above >= 0:
            nodes[above].insert(len(nodes[above].children), node)
        nodes.append(node)
    return nodes


def plain(page: bytes | str) -> str:
    """A page as this module writes it: what is compared with the damaged one."""
    return "<!doctype html>" + nodes_of(Page(page))[0].html()


@dataclass
class Site:
    """A page, its wrapper, and its nodes to change."""

    page: Page
    wrapper: Wrapper
    nodes: list[Node]
    random: random.Random

    def records(self) -> list[list[Node]]:
        """The top nodes of each record."""
        found = []
        for start, end in self.wrapper.extract(self.page).regions[0].spans.tolist():
            tops, node = [], start
            while node < end:
                tops.append(self.nodes[node])
                node += int(self.page.size[node])
            found.append(tops)
        return found

    def column(self) -> list[Node]:
        """The nodes of one of the columns that most records have."""
        region = self.wrapper.extract(self.page).region(0)
        table, pattern = region.table, region.pattern
        into = pattern.template.into.tolist()
        nodes = [node for start, end in region.spans.tolist() for node in range(start, end)]
        usual = [
            slots
            for column, profile in enumerate(pattern.profiles)
            if (slots := {item.slot for item in table.shown.items_of(column) if item.kind == "text"})
            and profile.filled >= 0.9
        ]
        tops = {id(top) for record in self.records() for top in record}
        while usual:
            column = usual.pop(self.random.randrange(len(usual)))
            in_column = [slot >= 0 and into[slot] in column for slot in table.slots.tolist()]
            found = [self.nodes[node] for node, is_item in zip(nodes, in_column, strict=True) if is_item]
            # The element around a text goes with it, if there is nothing else in it.
            for k, node in enumerate(found):
                while (
                    node.parent
                    and len(node.parent.children) == 1
                    and id(node) not in tops
                    and id(node.parent) not in tops
                ):
                    node = node.parent
                found[k] = node
            found = [node for node in dict.fromkeys(found) if id(node) not in tops]
            if len(found) >= 0.9 * len(region.spans):
                return found
        return []


def rename_class(site: Site) -> bool:
    """Another name for a class of the list: of the elements around it, of the records, or of something in them."""
    tokens: Counter[str] = Counter()
    for tops in site.records():
        stack = list(tops)
        while stack:
            node = stack.pop()
            tokens.update(node.attributes.get("class", "").split())
            stack += node.children
        above = tops[0].parent
        while above is not None:
            tokens.update(above.attributes.get("class", "").split())
            above = above.parent
    if not tokens:
        return False
    old = site.random.choice(sorted(tokens))
    for node in site.nodes:
        own = node.attributes.get("class", "").split()
        if old in own:
            node.attributes["class"] = " ".join("renamed" if token == old else token for token in own)
    return True


def remove_column(site: Site) -> bool:
    """One of the columns is no longer there."""
    column = site.column()
    for node in column:
        node.detach()
    return bool(column)


def move_column(site: Site) -> bool:
    """One of the columns is at another place in the records."""
    column = site.column()
    where = {id(top): tops for tops in site.records() for top in tops}
    to_front = site.random.random() < 0.5
    depth = site.random.randrange(3)
    for node in column:
        top = node
        while id(top) not in where:
            assert top.parent is not None
            top = top.parent
        target = where[id(top)][0]
        if target is node or target.tag == "#text":
            continue
        # Into the first element that holds texts, or the record itself.
        node.detach()
        inner = target
        for _ in range(depth):
            if inner.children and inner.children[0].tag not in ("#text", *VOID):
                inner = inner.children[0]
        inner.insert(0 if to_front else len(inner.children), node)
    return bool(column)


def add_wrapper(site: Site) -> bool:
    """One more element around the list, around each record, or around something in each."""
    records = site.records()
    kind = site.random.randrange(3)
    above = records[0][0].parent
    assert above is not None
    if kind == 0:
        holders = list(dict.fromkeys(tops[0].parent for tops in records))
        for holder in holders:
            if holder is not None and holder.parent is not None:
                holder.wrap("div")
    elif kind == 1:
        for tops in records:
            for top in tops:
                if top.tag != "#text":
                    for child in list(top.children)[:1]:
                        child.wrap("div")
    else:
        for node in site.column():
            node.wrap("span")
    return True


def reorder_records(site: Site) -> bool:
    """The records in another order."""
    records = site.records()
    if len({id(tops[0].parent) for tops in records}) != 1:
        return False
    above = records[0][0].parent
    assert above is not None
    shuffled = records[:]
    site.random.shuffle(shuffled)
    tops = {id(top) for record in records for top in record}
    rows = iter(shuffled)
    heads = {id(record[0]) for record in records}
    children: list[Node] = []
    for child in above.children:
        if id(child) in heads:
            children += next(rows)
        elif id(child) not in tops:
            children.append(child)
    above.children = children
    return True


KINDS: dict[str, Callable[[Site], bool]] = {
    "class renamed": rename_class,
    "column removed": remove_column,
    "column moved": move_column,
    "extra wrapper": add_wrapper,
    "records reordered": reorder_records,
}


def damage(page: str, wrapper: Wrapper, kind: str, seed: int = 0) -> str | None:
    """The page, damaged; None where this kind of damage cannot be done."""
    read = Page(page)
    site = Site(read, wrapper, nodes_of(read), random.Random(seed))
    return "<!doctype html>" + site.nodes[0].html() if KINDS[kind](site) else None


def rows_of(wrapper: Wrapper, page: str) -> Counter[str]:
    """The rows that a wrapper reads, in no order."""
    return Counter(repr(record.texts) for record in wrapper.extract(page).records)


def is_damaged(before: Counter[str], after: Counter[str]) -> bool:
    """Whether more than a tenth of the rows are no longer right."""
    return sum((before - after).values()) > TENTH * sum(before.values()) or sum(
        (after - before).values()
    ) > TENTH * sum(before.values())


def main() -> None:
    """Measure on pages from the command line."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for number, path in enumerate(sys.argv[1:]):
        page = plain(Path(path).read_bytes())
        wrapper = learn(page)
        if len(wrapper.extract(page).records) < 4:
            print(f"{path}: no list of at least 4 records")
            continue
        before = rows_of(wrapper, page)
        for kind, count in found.items():
            damaged = damage(page, wrapper, kind, number)
            if damaged is None:
                count["not possible"] += 1
                continue
            alarm = wrapper.extract(damaged).fit < 0.5
            real = is_damaged(before, rows_of(wrapper, damaged))
            count[
                "damage, alarm" if real and alarm else "damage, quiet" if real else "right, alarm" if alarm else "right"
            ] += 1
            if real != alarm:
                print(f"  {path}: {kind}: {'not noticed' if real else 'false alarm'}: {wrapper.check(damaged).fit:.2f}")
    for kind, count in found.items():
        print(f"{kind}: {dict(count)}")


if __name__ == "__main__":
    main()
