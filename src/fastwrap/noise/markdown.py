"""The content of a page as Markdown: headings, lists, tables, quotations, code, links and pictures (CommonMark 0.31,
with the tables of GitHub). Nothing of the page acts as markup by itself, and no link runs anything."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from fastwrap._core.noise import rendering as kernel
from fastwrap.noise import rendering
from fastwrap.noise.inline import TICKS, Piece, ended, line_of, safe_address, started
from fastwrap.noise.labelling import Labels
from fastwrap.page import Page
from fastwrap.page.addresses import base_of
from fastwrap.page.arrays import Int32Array
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER

MOST_NESTED = 8
"""Lists and quotations in each other; what is deeper is set with what is around it, or lines would begin with ever more
marks."""
MOST_SPANNED = 20
"""Columns that a cell may take, and columns of a row that cells of the rows above may take."""

HREF = ATTRIBUTE_NUMBER["href"]
LINK, IMAGE, RULE, HEAD_CELL, HEAD, LIST_ITEM, ORDERED, CODE_ELEMENT = (
    TAG_NUMBER[name] for name in ("a", "img", "hr", "th", "thead", "li", "ol", "code")
)
CELLS = (TAG_NUMBER["td"], HEAD_CELL)
FIRST_HEADING = TAG_NUMBER["h1"]


def numbers(names: str) -> list[int]:
    """The numbers of some tags."""
    return [TAG_NUMBER[name] for name in names.split()]


LISTS = numbers("ul ol menu dir")
CONTAINERS = [*LISTS, LIST_ITEM, TAG_NUMBER["blockquote"]]
HEADINGS = numbers("h1 h2 h3 h4 h5 h6")
PREFORMATTED = numbers("pre listing xmp plaintext")
BOLD, ITALIC, CODE = numbers("b strong dt"), numbers("i em cite dfn var"), numbers("code kbd samp tt")

LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|highlight|brush)[-:]\s?([\w+#.-]{1,30})")
NO_LANGUAGE = frozenset("none text plain plaintext default nohighlight wrapper container".split())
NUMBER = re.compile(r"\d{1,9}")
LARGEST = 999_999_999
"""The largest number of an item."""


def markdown(labels: Labels, pictures: bool = True) -> str:
    """The content of a page as Markdown, with or without its pictures.

    >>> from fastwrap.noise.labelling import label
    >>> html = "<main><h2>Tea</h2><p>Green, <b>or</b> <a href=/b>black</a>.<ol><li>Boil.<li>Wait.</ol></main>"
    >>> labels = label(Page(html, "https://a.example"))
    >>> print(markdown(labels._replace(content=np.ones(len(labels.starts), dtype=bool))))
    ## Tea
    <BLANKLINE>
    Green, **or** [black](https://a.example/b).
    <BLANKLINE>
    1. Boil.
    2. Wait.
    """
    return Writer(labels, pictures).written()


def within(page: Page, nodes: npt.NDArray[np.intp], texts: Int32Array) -> npt.NDArray[np.intp]:
    """For each text which of some elements it is in, NO_NODE for none; of elements in each other the outermost.

    >>> page = Page("<p>one<b>two<b>three</b></b>")
    >>> within(page, np.array([5, 7]), np.array([4, 6, 8])).tolist()
    [-1, 5, 5]
    """
    if not len(nodes):
        return np.full(len(texts), NO_NODE, dtype=np.intp)
    ends = nodes + page.size[nodes]
    is_outermost = np.append(True, nodes[1:] >= np.maximum.accumulate(ends)[:-1])
    nodes, ends = nodes[is_outermost], ends[is_outermost]
    place = np.searchsorted(nodes, texts, side="right") - 1
    return np.where((place >= 0) & (texts < ends[place]), nodes[place], NO_NODE)


def nodes_of(page: Page, tags: list[int]) -> npt.NDArray[np.intp]:
    """The elements with these tags."""
    is_one = np.zeros(max(tags) + 2, dtype=bool)
    is_one[tags] = True
    return np.flatnonzero(is_one[np.minimum(page.tag, max(tags) + 1)])


def addresses(page: Page, links: Int32Array) -> dict[int, str]:
    """By node, where links lead.

    >>> addresses(Page("<a href=/a>one</a> <a href=javascript:b>two</a>", "https://a.example"), np.array([3, 5]))
    {3: 'https://a.example/a'}
    """
    arrays = page.arrays
    values: list[str | None] = []
    for link in links.tolist():
        first, last = page.attribute_start.item(link), page.attribute_start.item(link + 1)
        entry = first + int(np.argmax(arrays.attribute_name[first:last] == HREF))
        value = arrays.values[arrays.value_start.item(entry) : arrays.value_start.item(entry + 1)]
        values.append(value.decode("utf-8", "replace"))
    found = map(safe_address, base_of(page.base).resolve(values))
    return {link: address for link, address in zip(links.tolist(), found, strict=True) if address}


def links_of(page: Page) -> npt.NDArray[np.intp]:
    """The links of a page."""
    entries = np.flatnonzero(page.arrays.attribute_name == HREF)
    nodes = np.unique(np.searchsorted(page.attribute_start, entries, side="right") - 1)
    links: npt.NDArray[np.intp] = nodes[page.tag[nodes] == LINK]
    return links


def once(link: npt.NDArray[np.intp], block: npt.NDArray[np.intp], is_heading: npt.NDArray[np.bool_]) -> list[int]:
    """By text the link that it is in. A link around several blocks, such as a card, is written once: in the first of
    them that is a heading, or the first.

    >>> once(np.array([5, 5, 5, -1]), np.array([0, 1, 1, 2]), np.array([False, True, True, False]))
    [-1, 5, 5, -1]
    """
    linked = np.flatnonzero(link != NO_NODE)
    if not len(linked):
        found: list[int] = link.tolist()
        return found
    # By link; of those of one link headings first, each in the order of the page.
    order = linked[np.lexsort((~is_heading[linked], link[linked]))]
    is_first = np.append(True, np.diff(link[order]) != 0)
    chosen = block[order][is_first][np.cumsum(is_first) - 1]
    link = link.copy()
    link[order[block[order] != chosen]] = NO_NODE
    found = link.tolist()
    return found


def picture_of(page: Page, node: int) -> Piece | None:
    """A picture, None if there is none to be seen."""
    from fastwrap.detail.marks import picture_source, pixels  # its word lists take time to load

    attributes, name = picture_source(page, node)
    address = safe_address(base_of(page.base).resolve([attributes.get(name)])[0])
    if not address or any(0 < pixels(attributes.get(side, "")) <= 2 for side in ("width", "height")):
        return None
    return Piece(" ".join(attributes.get("alt", "").split()), " ", picture=address)


def language_of(page: Page, pre: int) -> str:
    """The language of code, by the class names of its element, the one around it, and the one in it.

    >>> language_of(Page("<pre><code class='hljs language-python'>x"), 3)
    'python'
    """
    around = page.parent.item(pre)
    inner = [pre + 1] if pre + 1 < len(page) and page.tag.item(pre + 1) == CODE_ELEMENT else []
    for node in (*inner, pre, around):
        attributes = page.attributes(node)
        named: list[str] = [attributes.get("data-lang", ""), *LANGUAGE.findall(attributes.get("class", ""))]
        for name in named:
            if re.fullmatch(r"[\w+#.-]{1,30}", name) and name.lower() not in NO_LANGUAGE:
                return name.lower()
    return ""


def item_numbers(page: Page) -> dict[int, int]:
    """By node, the numbers of the items of numbered lists.

    >>> item_numbers(Page("<ol start=3><li>a<li>b</ol><ul><li>c"))
    {4: 3, 6: 4}
    """
    items = np.flatnonzero(page.tag == LIST_ITEM)
    lists = page.parent[items]
    is_numbered = page.tag[lists] == ORDERED
    found: dict[int, int] = {}
    following: dict[int, int] = {}
    for item, above in zip(items[is_numbered].tolist(), lists[is_numbered].tolist(), strict=True):
        number = following.get(above)
        if number is None:
            start = page.attributes(above).get("start", "").strip()
            number = int(start) if NUMBER.fullmatch(start) else 1
        found[item] = min(number, LARGEST)
        following[above] = number + 1
    return found


def cells_of(page: Page, start: int, end: int) -> dict[int, int]:
    """The cells among some nodes, each with its row."""
    cells = start + np.flatnonzero(np.isin(page.tag[start:end], CELLS))
    return dict(zip(cells.tolist(), page.parent[cells].tolist(), strict=True))


def arranged(page: Page, rows: dict[int, dict[int, str]], cells: dict[int, int]) -> list[list[str]]:
    """Rows of a table, with what is in their cells in columns: `rows` has that by the nodes of rows and cells, `cells`
    all cells, also empty ones.

    >>> page = Page("<table><tr><td rowspan=2>a<td>b<tr><td colspan=2>c<td>d")
    >>> arranged(page, {5: {6: "a", 8: "b"}, 10: {11: "c", 13: "d"}}, cells_of(page, 3, 15))
    [['a', 'b'], ['', 'c', '', 'd']]
    """
    by_row: dict[int, list[int]] = {row: [] for row in rows}
    for cell, row in cells.items():
        if row in by_row:
            by_row[row].append(cell)
    written = []
    taken: dict[int, int] = {}  # columns, and for how many rows more cells of rows above take them
    for row, there in by_row.items():
        line: list[str] = []
        now, taken = taken, {column: left - 1 for column, left in taken.items() if left > 1}
        for cell in there:
            while len(line) in now:
                line.append("")
            attributes = page.attributes(cell)
            wide, high = (spanned(attributes.get(name, "")) for name in ("colspan", "rowspan"))
            if high > 1:
                new = range(len(line), len(line) + min(wide, MOST_SPANNED - len(taken)))
                taken.update(dict.fromkeys(new, high - 1))
            line += [rows[row].get(cell, ""), *[""] * (min(wide, MOST_SPANNED) - 1)]
        while len(line) > 1 and not line[-1]:
            line.pop()
        written.append(line)
    return written


def spanned(value: str) -> int:
    """How many columns or rows a cell takes."""
    return max(1, int(value)) if NUMBER.fullmatch(value.strip()) else 1


def is_head(page: Page, row: int) -> bool:
    """Whether a row is the head of its table."""
    cells = [page.tag.item(child) for child in page.children(row)]
    return page.tag.item(page.parent.item(row)) == HEAD or (HEAD_CELL in cells and CELLS[0] not in cells)


class Container:
    """A list, an item or a quotation that is open."""

    __slots__ = ("after", "begun", "end", "inner", "is_list", "listed", "mark", "node", "number")

    def __init__(self, node: int, end: int, *, is_list: bool = False, listed: Container | None = None) -> None:
        self.node = node
        self.end = end
        self.is_list = is_list
        self.listed = listed
        """Of an item: its list."""
        self.inner = ""
        """What lines in it begin with, once it has begun; of a list: lines in its last item."""
        self.begun = False
        """Whether a line of it has been written."""
        self.mark = ""
        """Of a list that has begun: what its items begin with, or have behind their numbers."""
        self.number = 0
        """Of a numbered list: the number of its last item."""
        self.after = ""
        """The mark of the list that was the last thing in it."""


class Writer:
    """Writes what is kept of one page."""

    def __init__(self, labels: Labels, pictures: bool) -> None:
        page = self.page = labels.page
        self.starts, self.ends = labels.starts[labels.content], labels.ends[labels.content]
        self.places = rendering.places(page, self.starts, self.ends)
        self.table: list[int] = self.places.table.tolist()
        self.read_texts()
        self.read_others(labels, pictures)
        self.number = item_numbers(page)
        self.root = Container(NO_NODE, len(page))
        self.stack: list[Container] = []
        self.last = self.root
        """What the last lines stand in."""
        self.lines: list[str] = []
        self.may_go_on = False
        """Whether an item may follow what is written without an empty line."""

    # What there is

    def read_texts(self) -> None:
        """The texts that are kept, and what each is in."""
        page = self.page
        texts, before = kernel.joints(page.native, self.starts, self.ends, rendering.KINDS)
        self.texts: list[int] = texts.tolist()
        self.before: list[int] = before.tolist()
        self.text_starts: list[int] = page.text_start[texts].tolist()
        self.text_ends: list[int] = (page.text_start[texts + 1] - 1).tolist()
        block = np.searchsorted(self.starts, texts, side="right") - 1
        self.first_text: list[int] = np.searchsorted(block, np.arange(len(self.starts) + 1)).tolist()
        heading = within(page, nodes_of(page, HEADINGS), texts)
        self.heading: list[int] = heading.tolist()
        self.preformatted: list[int] = within(page, nodes_of(page, PREFORMATTED), texts).tolist()
        self.bold, self.italic = (
            (within(page, nodes_of(page, tags), texts) != NO_NODE).tolist() for tags in (BOLD, ITALIC)
        )
        self.code: list[int] = np.maximum(within(page, nodes_of(page, CODE), texts), 0).tolist()
        links = within(page, links_of(page), texts)
        self.link = once(links, block, heading != NO_NODE)
        self.address = addresses(page, np.unique(links[links != NO_NODE]))

    def read_others(self, labels: Labels, pictures: bool) -> None:
        """Pictures and rules that stand in a kept block, or between two blocks in a row that are both kept."""
        page = self.page
        nodes = nodes_of(page, [IMAGE, RULE] if pictures else [RULE])
        before = np.searchsorted(labels.starts, nodes, side="right") - 1
        is_inside = nodes < np.append(labels.ends, 0)[before]  # the last entry is for what is before all blocks
        kept = np.append(labels.content, [False, False])
        nodes_kept = kept[before] & (is_inside | kept[before + 1])
        self.pictures: dict[int, Piece] = {}
        inside: list[int] = []
        others: list[int] = []
        for node, is_in_block in zip(nodes[nodes_kept].tolist(), is_inside[nodes_kept].tolist(), strict=True):
            if page.tag.item(node) == IMAGE:
                if (picture := picture_of(page, node)) is None:
                    continue
                self.pictures[node] = picture
            (inside if is_in_block else others).append(node)
        self.inside = inside
        """Pictures in blocks."""
        self.others = others
        """Pictures and rules between blocks."""

    def events(self) -> list[tuple[int, int]]:
        """What is written, in document order: its node, and the number of the block; -1 for pictures and rules."""
        events = [(node, block) for block, node in enumerate(self.starts.tolist())]
        return sorted([*events, *((node, -1) for node in self.others)])

    def containers(self, events: list[tuple[int, int]]) -> Iterator[int]:
        """The lists, items and quotations that have something of what is written."""
        nodes = np.array([node for node, _ in events], dtype=np.intp)
        found = nodes_of(self.page, CONTAINERS)
        is_used = np.searchsorted(nodes, found) < np.searchsorted(nodes, found + self.page.size[found])
        return iter(found[is_used].tolist())

    def written(self) -> str:
        """All of it."""
        events = self.events()
        containers = itertools.chain(self.containers(events), [len(self.page)])
        container = next(containers)
        place = 0
        while place < len(events):
            node, block = events[place]
            while container <= node:
                self.open(container)
                container = next(containers)
            self.close(node)
            if block < 0:
                picture = self.pictures.get(node)
                self.put(["***" if picture is None else line_of([picture])])
                place += 1
            elif self.table[block] != NO_NODE:
                place = self.write_table(events, place)
            elif self.preformatted[self.first_text[block]] != NO_NODE:
                place = self.write_code(events, place)
            else:
                self.write_block(block)
                place += 1
        return "\n".join(self.lines)

    # Containers

    def close(self, node: int) -> None:
        """Close what ends before a node."""
        while self.stack and self.stack[-1].end <= node:
            self.stack.pop()

    def open(self, node: int) -> None:
        """Open a list, an item or a quotation."""
        self.close(node)
        if len(self.stack) >= 2 * MOST_NESTED:  # a list and its item are two
            return
        page, stack = self.page, self.stack
        tag, end = page.tag.item(node), node + page.size.item(node)
        listed = stack[-1] if stack and stack[-1].is_list else None
        if tag in LISTS:
            if listed is not None and listed.begun:
                # A list in a list, but in none of its items, goes on with the last one.
                item = Container(NO_NODE, end, listed=listed)
                item.begun, item.inner = True, listed.inner
                stack.append(item)
            stack.append(Container(node, end, is_list=True))
        elif tag == LIST_ITEM:
            if listed is None:
                above = page.parent.item(node)
                listed = Container(NO_NODE, above + page.size.item(above), is_list=True)
                stack.append(listed)
            stack.append(Container(node, end, listed=listed))
        else:
            stack.append(Container(node, end))

    def put(self, lines: list[str], tight: bool = False) -> None:
        """Write the lines of one thing, with what they begin with in the items and quotations around them."""
        path = [each for each in self.stack if not each.is_list] if self.stack else self.stack
        known = next((place for place, each in enumerate(path) if not each.begun), len(path))
        above = path[known - 1] if known else self.root
        if self.lines and not (tight and known < len(path) and self.goes_on(path[known], above)):
            self.lines.append(above.inner.rstrip())
        first = above.inner
        for each in path[known:]:
            if each.listed is None:
                mark = each.inner = "> "
            else:
                mark = self.mark_of(each, each.listed, above)
                each.inner = " " * len(mark)
            each.inner = above.inner + each.inner
            if each.listed is not None:
                each.listed.inner = each.inner
            each.begun = True
            first += mark
            above = each
        above.after = ""
        self.last = above
        for number, line in enumerate(lines):
            prefix = above.inner if number else first
            self.lines.append(prefix + line if line else prefix.rstrip())
        self.may_go_on = True

    def goes_on(self, item: Container, above: Container) -> bool:
        """Whether an item may follow without an empty line: not where it would be read as a part of what is before, as
        numbers but the first are behind a paragraph (CommonMark 0.31, 5.3)."""
        listed = item.listed
        if listed is None or not self.may_go_on:
            return False
        return (listed.begun and self.last is not above) or self.number_of(item, listed) in (None, 1)

    def number_of(self, item: Container, listed: Container) -> int | None:
        """The number of an item, None in lists without numbers."""
        if listed.node == NO_NODE or self.page.tag.item(listed.node) != ORDERED:
            return None
        # An item that is no child of its list, because of bad HTML, goes on from the one before.
        return self.number.get(item.node, min(listed.number + 1, LARGEST))

    def mark_of(self, item: Container, listed: Container, above: Container) -> str:
        """What an item begins with. A list right behind another one has another mark, or it would be a part of it."""
        number = self.number_of(item, listed)
        if not listed.begun:
            marks = "-+" if number is None else ".)"
            listed.mark = marks[1] if above.after == marks[0] else marks[0]
            listed.begun = True
        above.after = listed.mark
        if number is None:
            return f"{listed.mark} "
        listed.number = number
        return f"{number}{listed.mark} "

    # Blocks

    def lines_of(self, block: int) -> list[tuple[bool, list[Piece]]]:
        """The lines of a block, and whether each begins a paragraph."""
        found: list[tuple[bool, list[Piece]]] = [(True, [])]
        first, last = self.first_text[block], self.first_text[block + 1]
        pictures = self.pictures_in(block) if self.inside else []
        is_heading = self.heading[first] != NO_NODE
        text = self.page.arrays.text
        written: set[int] = set()  # links of the lines before: each is written once
        for number in range(first, last):
            before, link = self.before[number], self.link[number]
            between = " " if before == kernel.SPACE else ""
            while pictures and pictures[-1] < self.texts[number]:
                picture = self.pictures[pictures.pop()]
                # What touches, or is a mark without a space before it, does so behind a picture, too.
                found[-1][1].append(picture._replace(between="") if before == kernel.NOTHING else picture)
            if before >= kernel.LINE:
                found.append((before == kernel.TWO_LINES, []))
                written.add(self.link[number - 1])
            said = text[self.text_starts[number] : self.text_ends[number]].decode("utf-8", "replace")
            if said:
                piece = Piece(
                    said, between, "" if link in written else self.address.get(link, ""), self.code[number],
                    self.bold[number] and not is_heading, self.italic[number],
                )  # fmt: skip
                found[-1][1].append(piece)
        return [line for line in found if line[1]]

    def pictures_in(self, block: int) -> list[int]:
        """The pictures in a block, the last one first."""
        first = bisect.bisect_left(self.inside, self.starts.item(block))
        last = bisect.bisect_left(self.inside, self.ends.item(block), first)
        return self.inside[first:last][::-1]

    def write_block(self, block: int) -> None:
        """Write a heading, or paragraphs."""
        tight = self.places.before[block] == kernel.LINE
        heading = self.heading[self.first_text[block]]
        lines = self.lines_of(block)
        if heading != NO_NODE:
            level = self.page.tag.item(heading) - FIRST_HEADING + 1
            said = " ".join(line_of(pieces) for _, pieces in lines)
            self.put([f"{'#' * level} {ended(said)}"], tight)
            return
        paragraph: list[str] = []
        for is_first, pieces in lines:
            if paragraph and is_first:
                self.put(paragraph, tight)
                paragraph, tight = [], False
            if paragraph:
                paragraph[-1] += "\\"
            paragraph.append(started(line_of(pieces)))
        self.put(paragraph, tight)

    def write_code(self, events: list[tuple[int, int]], place: int) -> int:
        """Write what is in a `pre`; where the events go on."""
        first = last = events[place][1]
        pre = self.preformatted[self.first_text[first]]
        end = pre + self.page.size.item(pre)
        while place < len(events) and events[place][0] < end:
            last = max(last, events[place][1])
            place += 1
        said = rendering.text(self.page, self.starts[first : last + 1], self.ends[first : last + 1])
        fence = "`" * max(3, 1 + max(map(len, TICKS.findall(said)), default=0))
        tight = self.places.before[first] == kernel.LINE
        self.put([fence + language_of(self.page, pre), *said.split("\n"), fence], tight)
        return place

    def write_table(self, events: list[tuple[int, int]], place: int) -> int:
        """Write the rows of a table; where the events go on."""
        page, first = self.page, events[place][1]
        table = self.table[first]
        end = table + page.size.item(table)
        behind = place
        while behind < len(events) and events[behind][0] < end:
            block = events[behind][1]
            if block >= 0 and self.table[block] != table:
                break  # such as a caption
            behind += 1
        cells = cells_of(page, self.places.row.item(first), events[behind - 1][0] + 1)
        in_order = list(cells)
        rows: dict[int, dict[int, list[str]]] = {}
        for node, block in events[place:behind]:
            cell = in_order[bisect.bisect_right(in_order, node) - 1]
            if block >= 0:
                cell = self.places.cell.item(block)
                said = [line_of(pieces, True) for _, pieces in self.lines_of(block)]
            elif node in self.pictures and node < cell + page.size.item(cell):
                said = [line_of([self.pictures[node]], True)]
            else:
                continue
            rows.setdefault(cells[cell], {}).setdefault(cell, []).extend(said)
        said_in = {row: {cell: " ".join(said) for cell, said in there.items()} for row, there in rows.items()}
        written = arranged(page, said_in, cells)
        head = written.pop(0) if is_head(page, next(iter(rows))) else []
        width = max(map(len, [head, *written]))
        lines = [head + [""] * (width - len(head)), ["---"] * width, *written]
        self.put([f"| {' | '.join(line)} |" for line in lines], self.places.before[first] == kernel.LINE)
        self.may_go_on = False
        return behind
