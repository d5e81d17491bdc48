"""Redesigns pages by script: classes and tags renamed, levels added, columns moved or gone, other lists put first.
The texts of the records stay, so that what is read after healing can be compared with what was read before."""

from __future__ import annotations

import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fastwrap.columns import Cell, Table
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper
from tests.helpers.damage import VOID, Node, nodes_of

TAGS = {
    "div": "section", "section": "div", "article": "div", "ul": "div", "ol": "div", "li": "article", "span": "b",
    "b": "strong", "strong": "em", "i": "em", "em": "i", "font": "b", "small": "i", "center": "section",
    "table": "div", "thead": "div", "tbody": "div", "tfoot": "div", "tr": "section", "td": "div", "th": "div",
    "caption": "div", "dl": "section", "dt": "div", "dd": "div", "p": "div", "h1": "section", "h2": "section",
    "h3": "section", "h4": "section", "h5": "section", "h6": "section", "blockquote": "div",
}  # fmt: skip
"""What a tag is called after the redesign; lists and tables become boxes."""

IN_TABLES = frozenset("table thead tbody tfoot tr td th caption col colgroup".split())
"""Tags around which, within a table, parsers allow nothing else."""

NO_VALUES = frozenset("script style select option textarea button title svg noscript template".split())
"""Elements whose texts are no values."""

SYLLABLES = "ba ce di fo gu ka le mi no ru sa te vi zo".split()
WORD = re.compile(r"\w+")


def words_of(text: str) -> Counter[str]:
    """The words of a text, in no order: moved columns put them into another."""
    return Counter(WORD.findall(text.lower()))


def dice(one: Counter[str], other: Counter[str]) -> float:
    """How much of two texts is the same, in [0, 1]."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


@dataclass
class Design:
    """A page that is redesigned, and what is known of its list."""

    nodes: list[Node]
    records: list[list[Node]]
    """The top nodes of each record."""
    table: Table
    spans: list[list[int]]
    random: random.Random
    lost: set[int] = field(default_factory=set)
    """Columns that are no longer there."""

    @property
    def holders(self) -> list[Node]:
        """The elements that the records are in."""
        return [holder for holder in dict.fromkeys(tops[0].parent for tops in self.records) if holder is not None]


def below(node: Node) -> list[Node]:
    """A node and all in it, in document order."""
    found, stack = [], [node]
    while stack:
        each = stack.pop()
        found.append(each)
        stack.extend(reversed(each.children))
    return found


def hashed(name: str) -> str:
    return f"x{zlib.crc32(name.encode()):08x}"


def rename_classes(design: Design) -> bool:
    """All classes and ids have other names, as style sheets that are built anew give them."""
    for node in design.nodes:
        if own := node.attributes.get("class"):
            node.attributes["class"] = " ".join(map(hashed, own.split()))
        if own := node.attributes.get("id"):
            node.attributes["id"] = hashed(own)
        for name in ("itemprop", "itemtype", "itemscope", "data-testid", "role", "aria-label"):
            node.attributes.pop(name, None)
    return True


def rename_tags(design: Design) -> bool:
    """Most tags are others: boxes for lists and tables, headings and paragraphs."""
    for node in list(design.nodes):
        if node.tag in ("col", "colgroup") and node.parent is not None:
            node.detach()
        node.tag = TAGS.get(node.tag, node.tag)
    return True


def wrap_list(design: Design) -> bool:
    """Two more elements around the list."""
    for holder in design.holders:
        while holder.tag in IN_TABLES and holder.parent is not None and holder.tag != "table":
            holder = holder.parent
        if holder.parent is None or holder.tag in ("body", "html"):
            return False
        holder.wrap("div")
        holder.wrap("div")
    return True


def wrap_records(design: Design) -> bool:
    """One more element around each record; within tables, around what is in each cell."""
    for number, tops in enumerate(design.records):
        if tops[0].tag in IN_TABLES:
            for cell in [node for top in tops for node in below(top) if node.tag in ("td", "th")]:
                if cell.children:
                    around = Node("div", {"class": "cell"}, children=cell.children, parent=cell)
                    for child in cell.children:
                        child.parent = around
                    cell.children = [around]
            continue
        above = tops[0].parent
        assert above is not None
        around = Node("div", {"class": "entry"}, parent=above)
        above.children[above.children.index(tops[0])] = around
        for top in tops:
            if top.parent is above and top in above.children:
                above.children.remove(top)
            around.insert(len(around.children), top)
        design.records[number] = [around]
    return True


def wrap_values(design: Design) -> bool:
    """One more element around each text of the records."""
    for tops in design.records:
        for node in [each for top in tops for each in below(top) if each.tag == "#text" and each not in tops]:
            if node.parent is not None and node.parent.tag not in NO_VALUES | IN_TABLES - {"td", "th"}:
                node.wrap("span")
    return True


def units_of(children: Sequence[Node]) -> list[list[Node]]:
    """What stays together when children are moved: a label with its value, a line with its end."""
    units: list[list[Node]] = []
    is_label = False
    for child in children:
        if units and (is_label or child.tag in ("br", "hr")):
            units[-1].append(child)
        else:
            units.append([child])
        text = "".join(node.text for node in below(child)).strip()
        is_label = text.endswith((":", "：")) or (is_label and not text)
    return units


def key_of(unit: Sequence[Node]) -> str:
    return f"{unit[0].tag} {unit[0].attributes.get('class', '').partition(' ')[0]}"


def move_columns(design: Design) -> bool:
    """The parts of all records in another order, the same one in each."""
    seed = design.random.random()
    moved = False
    for tops in design.records:
        for top in tops:
            node = top
            while len(node.children) == 1:
                node = node.children[0]
            units = units_of(node.children)
            if len(units) < 2:
                continue
            seen: Counter[str] = Counter()
            ranks = []
            for number, unit in enumerate(units):
                key = key_of(unit)
                ranks.append((zlib.crc32(f"{seed} {key} {seen[key]}".encode()), number))
                seen[key] += 1
            ordered = [units[number] for _, number in sorted(ranks)]
            moved = moved or ordered != units
            node.children = [child for unit in ordered for child in unit]
    return moved


def remove_column(design: Design) -> bool:
    """One of several columns that most records have is no longer there."""
    table = design.table
    layout = table.layout
    into = layout.into.tolist()
    numbers = [number for start, end in design.spans for number in range(start, end)]
    slots = dict(zip(numbers, table.slots.tolist(), strict=True))
    tops = {id(top) for record in design.records for top in record}
    columns = [
        {item.slot for item in table.shown.items_of(column)} if table.shown.column_kinds[column] == "text" else set()
        for column in range(table.shown.width)
    ]
    filled = [sum(row[column] is not None for row in table.texts) for column in range(len(columns))]
    usual = [column for column, own in enumerate(columns) if own and filled[column] >= 0.9 * len(table.texts)]
    design.random.shuffle(usual)
    for column in usual:
        removed: set[int] = set()
        for number, slot in slots.items():
            if slot < 0 or into[slot] not in columns[column] or design.nodes[number].tag != "#text":
                continue
            node = design.nodes[number]
            while (
                node.parent is not None
                and len(node.parent.children) == 1
                and id(node) not in tops
                and id(node.parent) not in tops
            ):
                node = node.parent
            if id(node) not in tops:
                removed.add(id(node))
        gone = [node for node in design.nodes if id(node) in removed]
        inside = {id(each) for node in gone for each in below(node)}
        if len(gone) < 0.9 * len(design.records) or len(columns) < 3:
            continue
        touched = {into[slots[k]] for k in numbers if id(design.nodes[k]) in inside and slots[k] >= 0}
        lost = {
            other for other in range(len(columns)) if any(item.slot in touched for item in table.shown.items_of(other))
        }
        if len(lost) > len(columns) / 2:
            continue
        for node in gone:
            node.detach()
        design.lost = lost
        return True
    return False


def other_words(text: str, source: random.Random) -> str:
    """Other words and numbers of the same lengths."""

    def other(match: re.Match[str]) -> str:
        word = match[0]
        if word.isdigit():
            return "".join(source.choice("123456789") for _ in word)
        made = "".join(source.choice(SYLLABLES) for _ in range(len(word) // 2 + 1))[: len(word)]
        return made.title() if word[:1].isupper() else made

    return WORD.sub(other, text)


def copy_of(node: Node, change: Callable[[str], str]) -> Node:
    """A node and all in it, with changed texts and addresses."""
    attributes = {
        name: change(value) if name in ("href", "src", "alt", "title") else value
        for name, value in node.attributes.items()
        if name != "id"
    }
    made = Node(node.tag, attributes, change(node.text))
    for child in node.children:
        made.insert(len(made.children), copy_of(child, change))
    return made


def put_first(design: Design, records: Sequence[Sequence[Node]]) -> bool:
    """Put a list before the one of the page."""
    holder = design.holders[0]
    before = holder
    while before.tag in IN_TABLES and before.parent is not None and before.tag != "table":
        before = before.parent
    if before.parent is None or before.tag in ("body", "html"):
        return False
    own = Node("table") if holder.tag in IN_TABLES else Node(holder.tag, dict(holder.attributes))
    own.attributes.pop("id", None)
    inner = own
    if holder.tag in IN_TABLES:
        inner = Node("tbody")
        own.insert(0, inner)
    for tops in records:
        for top in tops:
            inner.insert(len(inner.children), top)
    before.parent.insert(before.parent.children.index(before), own)
    design.nodes.extend(below(own))
    return True


def put_twin_first(design: Design) -> bool:
    """A list of the same design with other words in it, before the list."""

    def change(text: str) -> str:
        return other_words(text, design.random)

    return put_first(design, [[copy_of(top, change) for top in tops] for tops in design.records])


def put_news_first(design: Design) -> bool:
    """A longer list of something else, dates and lines to read, before the list."""

    source = design.random

    def entry(number: int) -> list[Node]:
        tag = design.records[0][0].tag
        top = Node(tag if tag not in ("#text", "a", "table", "tbody", *VOID) else "div", {"class": "news"})
        cell = top
        if tag == "tr":
            cell = Node("td")
            top.insert(0, cell)
        lines = (
            Node("span", {"class": "when"}, children=[Node("#text", text=f"{number % 28 + 1} March 2021")]),
            Node("a", {"href": f"/news/{number}"}, children=[Node("#text", text=other_words("Headline " * 7, source))]),
            Node("p", {"class": "lead"}, children=[Node("#text", text=other_words("Something new " * 9, source))]),
        )
        for line in lines:
            line.children[0].parent = line
            cell.insert(len(cell.children), line)
        return [top]

    return put_first(design, [entry(number) for number in range(len(design.records) + 3)])


def put_promotion_in(design: Design) -> bool:
    """Something that is no record, between two records."""
    tops = design.records[min(2, len(design.records) - 1)]
    above = tops[0].parent
    assert above is not None
    tag = tops[0].tag if tops[0].tag not in ("#text", "a", *VOID) else "div"
    promotion = Node(tag, {"class": "promo"})
    cell = promotion
    if tag == "tr":
        cell = Node("td", {"colspan": "3"})
        promotion.insert(0, cell)
    for text in ("Subscribe to our newsletter", "and never miss anything"):
        line = Node("p", children=[Node("#text", text=text)])
        line.children[0].parent = line
        cell.insert(len(cell.children), line)
    above.insert(above.children.index(tops[0]), promotion)
    design.nodes.extend(below(promotion))
    return True


def remove_list(design: Design) -> bool:
    """The records are no longer on the page."""
    for tops in design.records:
        for top in tops:
            top.detach()
    return True


KINDS: dict[str, tuple[Callable[[Design], bool], ...]] = {
    "classes": (rename_classes,),
    "tags": (rename_tags,),
    "classes and tags": (rename_classes, rename_tags),
    "list wrapped": (wrap_list, rename_classes, rename_tags),
    "records wrapped": (wrap_records,),
    "values wrapped": (wrap_values,),
    "all wrapped": (wrap_list, wrap_records, wrap_values, rename_classes, rename_tags),
    "columns moved": (move_columns,),
    "moved and renamed": (move_columns, rename_classes, rename_tags),
    "column gone": (remove_column,),
    "gone and renamed": (remove_column, rename_classes, rename_tags),
    "news first": (put_news_first, rename_classes),
    "twin first": (put_twin_first, rename_classes, rename_tags),
    "promotion inside": (put_promotion_in, rename_classes, rename_tags),
    "all at once": (
        move_columns, put_promotion_in, put_news_first, wrap_list, wrap_records, rename_classes, rename_tags,
    ),
}  # fmt: skip
"""The kinds of redesigns that leave the data on the page, but for a column that is gone."""

LIST_GONE = "list gone"


class Redesigned(NamedTuple):
    """A page after its redesign."""

    html: str
    records: list[Counter[str]]
    """The words of each record."""
    lost: set[int]
    """The columns that are no longer there."""


def redesign(html: str, wrapper: Wrapper, kind: str, seed: int = 0, keep: slice = slice(None)) -> Redesigned | None:
    """A page, redesigned, with some of its records; None where this cannot be done."""
    page = Page(html)
    region = wrapper.extract(page).region(0)
    nodes = nodes_of(page)
    spans = region.spans.tolist()
    records = []
    for start, end in spans:
        tops, node = [], start
        while node < end:
            tops.append(nodes[node])
            node += int(page.size[node])
        records.append(tops)
    design = Design(nodes, records, region.table, spans, random.Random(f"{kind} {seed}"))
    texts = [[node for top in tops for node in below(top) if node.tag == "#text"] for tops in records]
    kept = list(range(len(records)))[keep]
    for number in range(len(records)):
        if number not in kept:
            for top in records[number]:
                top.detach()
    steps = (remove_list,) if kind == LIST_GONE else KINDS.get(kind, ())
    if len(kept) < len(records):
        # What is moved or removed is told by all records; those that stay are as the others.
        design.records = [records[number] for number in kept]
        if remove_column in steps:
            return None
    for step in steps:
        if not step(design):
            return None
    there = set(map(id, below(nodes[0])))
    words = [words_of(" ".join(node.text for node in texts[number] if id(node) in there)) for number in kept]
    return Redesigned("<!doctype html>" + nodes[0].html(), words, design.lost)


def words_in(cell: Cell) -> Counter[str]:
    """The words of a cell; those of addresses, too."""
    texts = [cell] if isinstance(cell, str) else [text for text in cell or () if text is not None]
    return words_of(" ".join(texts))
