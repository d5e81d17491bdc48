"""Features in plain Python: the twin of `fastwrap._core.noise.features`.
Everything is looked up where it is asked for: ancestors by walking up, what an element holds by walking through it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import chain

import numpy as np

from fastwrap.noise.model import Weights
from fastwrap.noise.vocabulary import FLAGS, Vocabulary, bucket_of, hash_of
from fastwrap.page import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER, NO_NODE, TAG_NUMBER, TEXT
from tests.reference.noise.blocks import (
    MOST_TITLE,
    SENTENCE,
    SEPARATOR,
    Block,
    Blocks,
    beginning,
    ending,
    head_buckets,
    word_buckets,
)

NAME = re.compile(rb"[A-Z]*[a-z]+|[A-Z]+")
PREFIXES = {
    ATTRIBUTE_NUMBER[name]: prefix
    for name, prefix in
    {"class": b"", "id": b"", "role": b"", "itemprop": b"@", "itemtype": b"@", "aria-label": b"~"}.items()
}  # fmt: skip
HEADINGS = [TAG_NUMBER[f"h{level}"] for level in range(1, 7)]
LINKS, PRESSED, BOLD = (
    {TAG_NUMBER[name] for name in names.split()} for names in ("a", "button label option", "b strong")
)
LEVELS = 4
MOST_INSIDE = 16


def rounded(number: float) -> float:
    """A number as one of 32 bits has it."""
    return float(np.float32(number))


class Features:
    """The features of the blocks of a page."""

    def __init__(self, page: Page, vocabulary: Vocabulary, weights: Weights, address: Iterable[float]) -> None:
        self.page, self.vocabulary, self.weights, self.address = page, vocabulary, weights, list(address)
        self.tag, self.parent, self.size = page.tag.tolist(), page.parent.tolist(), page.size.tolist()
        self.text_start, self.path = page.text_start.tolist(), page.path_symbol.tolist()
        self.body, self.depth = page.body, page.depth.tolist()
        self.roles = dict(zip(vocabulary.role.tolist(), vocabulary.role_flags.tolist(), strict=True))
        self.blocks = Blocks(page, vocabulary)
        self.all = self.blocks.all
        self.total = max(1, self.text_start[self.end(self.body)] - self.text_start[self.body])
        self.shares = [self.share(block, LINKS) for block in self.all]
        self.prose = [
            len(block.text) if SENTENCE.search(block.text) and share < 0.5 and len(block.words) >= 6 else 0
            for block, share in zip(self.all, self.shares, strict=True)
        ]
        elements = [node for node in range(self.body, self.end(self.body)) if self.tag[node] != TEXT]
        self.alike = Counter((self.parent[node], self.path[node]) for node in elements)
        self.levels = [self.heading_level(block.owner) for block in self.all]
        self.names = {node: name_buckets(page, node, vocabulary) for node in elements}
        self.main = self.main_element()
        self.title = self.title_block()

    def rows(self) -> list[list[float]]:
        """All features of all blocks."""
        scores = [[rounded(score) for score in self.scores(block)] for block in range(len(self.all))]
        own = [self.own(block) for block in range(len(self.all))]
        known = [[row[0], row[1], row[3], row[9], row[15], row[16], *of] for row, of in zip(own, scores, strict=True)]
        whole = [*self.of_page(), *self.address, *self.means(scores)] if self.all else []
        rows = []
        for block, row in enumerate(own):
            path = [self.path[other.owner] for other in self.all]
            near = [block - 1, block - 2, block + 1, block + 2]
            of_neighbours = [known[other] if 0 <= other < len(own) else [0.0] * len(known[0]) for other in near]
            same_path = [0 <= other < len(own) and path[other] == path[block] for other in (block - 1, block + 1)]
            peers = [other for other in range(len(own)) if path[other] == path[block]]
            weight = [len(self.all[other].words) + 1 for other in peers]
            summed = [sum(scores[other][kind] * times for other, times in zip(peers, weight, strict=True))
                      for kind in range(4)]  # fmt: skip
            of_path = [of_kind / sum(weight) for of_kind in summed]
            rows.append([*row, *scores[block], *chain(*of_neighbours), *same_path, *of_path, *whole])
        return [[float(number) for number in row] for row in rows]

    # Nodes

    def end(self, node: int) -> int:
        end: int = node + self.size[node]
        return end

    def above(self, node: int) -> list[int]:
        """A node and all nodes above it, innermost first."""
        found = []
        while node != NO_NODE:
            found.append(node)
            node = self.parent[node]
        return found

    def above_in_body(self, node: int) -> list[int]:
        return [other for other in self.above(node) if other >= self.body]

    def held(self, node: int) -> list[int]:
        """The blocks that begin in an element."""
        return [number for number, block in enumerate(self.all) if node <= block.start < self.end(node)]

    def prose_in(self, node: int) -> int:
        return sum(self.prose[block] for block in self.held(node))

    def images(self, node: int) -> int:
        images: int = self.tag[node : self.end(node)].count(TAG_NUMBER["img"])
        return images

    def share(self, block: Block, tags: set[int]) -> float:
        """How much of a block is in elements of some tags."""
        span = self.text_start[block.end] - self.text_start[block.start]
        within: int = sum(
            self.text_start[node + 1] - self.text_start[node]
            for node in range(block.start, block.end)
            if any(self.tag[other] in tags for other in self.above(node))
        )
        return within / int(max(1, span))

    def heading_level(self, owner: int) -> int:
        """The level of the heading that is its owner, or one of the two elements above."""
        near = [self.tag[node] for node in self.above(owner)[:3]]
        return next((HEADINGS.index(tag) + 1 for tag in near if tag in HEADINGS), 0)

    def main_element(self) -> int:
        """The deepest element that has, level by level, most of the prose."""
        main = self.body
        if sum(self.prose) <= 1:
            return main
        while True:
            children = [node for node in range(main + 1, self.end(main)) if self.parent[node] == main]
            most = [node for node in children if self.prose_in(node) >= 0.6 * self.prose_in(main)]
            if not most or self.tag[most[-1]] == TEXT or len(self.held(most[-1])) <= 1:
                return main
            main = most[-1]

    def overlap(self, block: Block) -> float:
        return block.of_title / max(1, len(block.words), min(MOST_TITLE, len(self.blocks.title)))

    def title_block(self) -> int | None:
        """The heading that is most like the title of the page."""
        headings = [block for block, level in enumerate(self.levels) if level]
        first = [block for block in headings if self.levels[block] == 1]
        return max(first or headings, key=lambda block: self.overlap(self.all[block]), default=None)

    def flags(self, node: int) -> int:
        """What a node stands in."""
        flags = 0
        for other in self.above_in_body(node):
            if self.tag[other] != TEXT:
                flags |= int(self.vocabulary.flags[min(self.tag[other], len(self.vocabulary.flags) - 1)])
                for name, value in attributes_of(self.page, other):
                    if name == ATTRIBUTE_NUMBER["role"]:
                        small = bytes(byte | 32 for byte in value.strip(b" ")[:40])
                        flags |= self.roles.get(hash_of(small), 0)
        return flags

    # Parts of a row

    def own(self, number: int) -> list[float]:
        """The features that need no model."""
        block, held = self.all[number], self.held
        length, before = max(1, len(block.text)), sum(len(other.text) for other in self.all[:number])
        ascii_digits = sum(48 <= byte <= 57 for byte in block.text)
        flags = self.flags(block.start)
        row: list[float] = [
            length, len(block.words), length / max(1, len(block.words)), self.shares[number],
            self.tag[block.start : block.end].count(TAG_NUMBER["a"]), ascii_digits / length,
            sum(65 <= byte <= 90 for byte in block.text) / length, sum(byte >= 128 for byte in block.text) / length,
            block.text.count(b","), len(SENTENCE.findall(block.text)), ending(block.text), beginning(block.text),
            len(SEPARATOR.findall(block.text)), self.share(block, BOLD), self.share(block, PRESSED),
            int(self.vocabulary.owners[min(self.tag[block.owner], len(self.vocabulary.owners) - 1)]),
            self.levels[number], self.depth[block.owner], *(flags >> bit & 1 for bit in range(len(FLAGS))),
            bool(self.page.hidden[block.start]),
        ]  # fmt: skip
        count, nodes = len(self.all), max(1, self.size[self.body])
        title = self.title
        row += [number / count, before / self.total, (block.start - self.body) / nodes, count - number, number]
        row += [number - title, self.between(title, number) / self.total] if title is not None else [-999, -2]
        row += [self.overlap(block), block.of_title / max(1, len(block.words))]
        row += self.of_levels(number)
        row += self.of_path(block.owner)
        on_the_way = next(node for node in self.above(block.owner) if node <= self.main < self.end(node))
        row += [number in held(self.main), self.depth[self.main] - self.depth[on_the_way]]
        row.append((block.start - self.main) / max(1, self.size[self.main]))
        heading = self.heading_before(number)
        if heading is None:
            row += [999, 0, 1]
        else:
            row += [number - heading, self.levels[heading], self.between(heading, number) / self.total]
        return [*row, block.copies]

    def heading_before(self, number: int) -> int | None:
        return next((other for other in range(number - 1, -1, -1) if self.levels[other]), None)

    def between(self, one: int, other: int) -> int:
        """Bytes from the beginning of one block to that of another."""
        before = [sum(len(block.text) for block in self.all[:number]) for number in (one, other)]
        return before[1] - before[0]

    def of_levels(self, number: int) -> list[float]:
        """What the elements around a block hold, each with more blocks than the one before."""
        owner = self.all[number].owner
        found: list[list[float]] = []
        count = 1
        for node in self.above_in_body(owner):
            held = self.held(node)
            if len(held) > count and len(found) < LEVELS:
                count = len(held)
                length = sum(len(self.all[block].text) for block in held)
                linked = sum(len(self.all[block].text) * self.shares[block] for block in held)
                prose = self.prose_in(node)
                found.append([
                    length / self.total, linked / max(1, length), count, length / count, prose / max(1, length),
                    prose / max(1, sum(self.prose)), (number - held[0]) / count, self.alike_of(node),
                    self.images(node), self.depth[owner] - self.depth[node],
                ])  # fmt: skip
        while len(found) < LEVELS:
            found.append(found[-1] if found else [1, self.shares[number], 0, 0, 0, 1, 0, 1, 0, 0])
        return [*chain(*found), self.alike_of(owner)]

    def alike_of(self, node: int) -> int:
        """Siblings of one tag path."""
        return self.alike[self.parent[node], self.path[node]]

    def of_path(self, owner: int) -> list[float]:
        """What the blocks of a tag path are like."""
        peers = [block for block, other in enumerate(self.all) if self.path[other.owner] == self.path[owner]]
        length = sum(len(self.all[block].text) for block in peers)
        linked = sum(len(self.all[block].text) * self.shares[block] for block in peers)
        texts = {self.all[block].text for block in peers}
        return [
            len(peers), length / self.total, length / len(peers), linked / max(1, length),
            sum(self.prose[block] for block in peers) / max(1, length), len(texts) / len(peers),
        ]  # fmt: skip

    def of_page(self) -> list[float]:
        """What the page is like."""
        nodes = range(self.body, self.end(self.body))
        count, prose = len(self.all), max(1, sum(self.prose))
        # Links that hold the body count as well; what is before the body does, too.
        linked = sum(
            self.text_start[node + 1] - self.text_start[node]
            for node in range(self.end(self.body))
            if any(self.tag[other] in LINKS for other in self.above(node))
        )
        tags = Counter(self.tag[node] for node in nodes)
        in_forms = sum(self.flags(block.start) >> FLAGS.index("form") & 1 for block in self.all)
        return [
            count, self.total, linked / self.total, prose / self.total, prose, self.levels.count(1),
            sum(level > 0 for level in self.levels) / count,
            *(tags[TAG_NUMBER[name]] / count for name in ("p", "li", "td")), tags[TAG_NUMBER["article"]],
            max(self.alike.values()), self.tag[: self.end(self.body)].count(TAG_NUMBER["img"]) / count,
            in_forms / count,
        ]  # fmt: skip

    # The linear part

    def scores(self, number: int) -> list[float]:
        """Of the names above a block, the names near by, its words, and the words of the heading before it."""
        block = self.all[number]
        inside = self.above(block.start)[1:]
        inside = inside[: inside.index(block.owner)][:MOST_INSIDE]
        near = [(node, 1) for node in inside if self.end(node) >= block.end]
        near += zip(self.above_in_body(block.owner)[:3], (2, 3, 4), strict=False)
        table = self.weights.names.reshape(-1, 5)
        above = sum(int(table[bucket, 0]) for node in self.above_in_body(block.owner) for bucket in self.names[node])
        heading = self.heading_before(number)
        heads = head_buckets(self.all[heading].words) if heading is not None else []
        sums = [
            above,
            sum(int(table[bucket, kind]) for node, kind in near for bucket in self.names[node]),
            sum(int(self.weights.words[bucket]) for bucket in word_buckets(block.words)),
            sum(int(self.weights.heads[bucket]) for bucket in heads),
        ]
        return [
            scale * float(total) + intercept
            for total, scale, intercept in zip(sums, self.weights.scales, self.weights.intercepts, strict=True)
        ]

    def means(self, scores: list[list[float]]) -> list[float]:
        """Of the scores of all blocks, and the same by words."""
        words = [len(block.words) for block in self.all]
        plain = [sum(score[kind] for score in scores) / len(scores) for kind in range(4)]
        weighed = [sum(score[kind] * count for score, count in zip(scores, words, strict=True)) / max(1, sum(words))
                   for kind in range(4)]  # fmt: skip
        return plain + weighed


def attributes_of(page: Page, node: int) -> list[tuple[int, bytes]]:
    """The names of the attributes of a node, by number, and their values."""
    arrays = page.arrays
    entries = range(int(arrays.attribute_start[node]), int(arrays.attribute_start[node + 1]))
    return [
        (int(arrays.attribute_name[entry]), arrays.values[arrays.value_start[entry] : arrays.value_start[entry + 1]])
        for entry in entries
    ]


def name_buckets(page: Page, node: int, vocabulary: Vocabulary) -> list[int]:
    """Where a model has the weights of the names of an element: its tag, and the words of its attributes."""
    known = int(page.tag[node]) < len(vocabulary.tag_buckets) - 1
    found = [int(vocabulary.tag_buckets[page.tag[node]])] if known else []
    for name, value in attributes_of(page, node):
        if name in PREFIXES:
            words = NAME.findall(value[:400])[:24]
            found += [bucket_of(hash_of(PREFIXES[name] + word.lower()), 0) for word in words]
    return found
