"""The bodies of records in plain Python: the oracle of `fastwrap._core.columns.bodies`."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from fastwrap.page.names import NO_NODE, TAG_NUMBER, TEXT

if TYPE_CHECKING:
    from tests.reference.columns.folding import Folder

LINE_BREAK, LINK = TAG_NUMBER["br"], TAG_NUMBER["a"]
INLINE, PARAGRAPH, QUOTED, HEADING, PART = 4, 8, 16, 32, 64
CELL = 2
LONG = 40
BODY, LONGEST_FIELD, FEWEST_PATTERNS, FEWEST_UNITS = 80, 80, 3, 3
HELD, REGULAR, USUAL, WRITTEN, IN_UNITS, INNER, MOST = 50, 60, 70, 50, 50, 90, 50


class BodyFinder:
    """Finds bodies among the slots of a folder, and joins their texts."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.tag, self.symbol, self.times = folder.tag, folder.symbol, folder.times

    def is_text(self, slot: int) -> bool:
        return self.tag[slot] == TEXT

    def has(self, slot: int, traits: int) -> bool:
        return bool(self.folder.trait(self.tag[slot]) & traits)

    def inside(self, slot: int) -> range:
        """The slots in one."""
        return range(slot + 1, self.folder.below(slot).stop)

    def texts(self, slot: int) -> list[int]:
        return [below for below in self.folder.below(slot) if self.is_text(below)]

    def letters(self, slot: int) -> int:
        return sum(self.folder.letters[text] for text in self.texts(slot))

    def around(self, slot: int, body: int) -> list[int]:
        """The slots around one in a body, the inner ones first."""
        found = []
        above = self.folder.parent[slot]
        while above > body:
            found.append(above)
            above = self.folder.parent[above]
        return found

    def is_long(self, text: int) -> bool:
        return self.folder.letters[text] >= LONG * self.times[text]

    def run(self) -> None:
        slot = 0
        while slot < len(self.tag):
            if self.folder.settled[slot] or not self.is_body(slot):
                slot += 1
                continue
            core = slot
            while (inner := self.core_of(core)) != core:
                core = inner
            into = max(self.texts(core), key=lambda text: (self.folder.letters[text], -text))
            self.join(core, into)
            self.join_like(core, into)
            slot = self.folder.below(slot).stop

    def is_body(self, slot: int) -> bool:
        up, letters = self.times[slot], self.letters(slot)
        if self.is_text(slot) or self.has(slot, INLINE | PART):
            return False
        if letters < BODY * up or up < 2 or 100 * up < HELD * len(self.folder.filled):
            return False
        several = any(not self.is_text(below) and not self.has(below, INLINE) for below in self.inside(slot))
        prose = sum(self.folder.prose[text] for text in self.texts(slot))
        if not several or 100 * prose < WRITTEN * letters:
            return False
        if any(self.is_field(below, slot) for below in self.inside(slot)):
            return False
        elements = [below for below in self.folder.below(slot) if not self.is_text(below)]
        return not any(self.has_units(below, letters) for below in elements) and self.differs(slot)

    def is_field(self, slot: int, body: int) -> bool:
        times, up = 100 * self.times[slot], self.times[body]
        if self.is_text(slot):
            short = not self.is_long(slot) and self.folder.longest[slot] < LONGEST_FIELD
            telling = self.folder.is_name(slot) or (times >= REGULAR * up and short)
        else:
            is_head = self.tag[slot] == LINK or self.has(slot, HEADING)
            is_mark = self.has(slot, INLINE) and 2 * self.letters(slot) <= self.letters(body)
            telling = times >= USUAL * up and self.letters(slot) > 0 and (is_head or is_mark)
        return telling and not self.in_prose(slot, body)

    def in_prose(self, slot: int, body: int) -> bool:
        around = self.around(slot, body)
        own = [] if self.is_text(slot) else [slot]
        if any(self.has(above, QUOTED) for above in own + around):
            return True
        paragraph = next((above for above in around if not self.has(above, INLINE)), NO_NODE)
        if paragraph == NO_NODE or not self.has(paragraph, PARAGRAPH):
            return False
        breaks = [child for child in self.folder.children(paragraph) if self.tag[child] == LINE_BREAK]
        if any(100 * self.times[child] >= REGULAR * self.times[paragraph] for child in breaks):
            return False
        letters = self.letters(paragraph)
        is_prose = letters >= BODY * self.times[paragraph] or any(map(self.is_long, self.texts(paragraph)))
        return letters >= 2 * self.letters(slot) and is_prose

    def has_units(self, slot: int, letters: int) -> bool:
        elements = [child for child in self.folder.children(slot) if not self.is_text(child)]
        for (_, symbol), group in itertools.groupby(elements, key=lambda child: (self.tag[child], self.symbol[child])):
            run = list(group)
            for end in range(FEWEST_UNITS, len(run) + 1):
                styled = any(
                    self.symbol[below] and not self.is_text(below) for unit in run[:end] for below in self.inside(unit)
                )
                if (
                    symbol
                    and styled
                    and 100 * sum(map(self.letters, run[:end])) >= IN_UNITS * letters
                    and not self.has(run[0], INLINE | QUOTED | PART | CELL)
                ):
                    return True
        return False

    def differs(self, body: int) -> bool:
        texts = self.texts(body)
        patterns, headed = set(), 0
        for row in self.folder.filled:
            if not row[body]:
                continue
            own = tuple(text for text in texts if row[text])
            patterns.add(own)
            if own:
                heads = [
                    above for above in self.around(own[0], body) if self.tag[above] == LINK or self.has(above, HEADING)
                ]
                headed += bool(heads) and not self.in_prose(heads[0], body)
        if 100 * headed >= USUAL * self.times[body]:
            return False
        return len(patterns) >= min(FEWEST_PATTERNS, self.times[body])

    def core_of(self, body: int) -> int:
        children = self.folder.children(body)
        if any(map(self.is_text, children)):
            return body
        for child in children:
            if (
                self.folder.trait(self.tag[child]) == 0
                and self.folder.size[child] > 1
                and 100 * self.times[child] >= INNER * self.times[body]
                and 100 * self.letters(child) >= MOST * self.letters(body)
            ):
                kind = self.tag[child], self.symbol[child]
                others = [(self.tag[other], self.symbol[other]) for other in children if other != child]
                return body if kind in others else child
        return body

    def join(self, body: int, into: int) -> None:
        for slot in self.folder.below(body):
            self.folder.settled[slot] = True
            if self.is_text(slot):
                self.folder.into[slot] = into

    def join_like(self, body: int, into: int) -> None:
        if not self.symbol[body]:
            return
        kind = self.tag[body], self.symbol[body]
        for slot in range(len(self.tag)):
            both = (self.folder.filled[:, slot] & self.folder.filled[:, body]).any()
            if (self.tag[slot], self.symbol[slot]) == kind and not self.folder.settled[slot] and not both:
                self.join(slot, into)
