"""The opening post of a thread, above its list: part of the twin of `record_sets`."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from fastwrap.page.names import TAG_NUMBER, TEXT
from tests.reference.regions.chosen import ChosenSet, Search, Span, vote
from tests.reference.regions.ranking import Kind
from tests.reference.regions.siblings import class_tokens

LINK = TAG_NUMBER["a"]
OPENED, SAMPLED, MOST_KNOWN, LEVELS = 3, 8, 512, 5
FEWEST_STYLES, FEWEST_COMMON, MANY_COMMON = 3, 4, 20
LEAST_PROSE, LEAST_CONTENT, LONGEST_NAME = 60, 0.2, 30
COMMON, SAME, ALIKE, KINDRED, ALL = 0.7, 0.8, 0.45, 0.6, 0.8
ONCE, SINGLE, MOST_TOKENS = 1.5, 0.1, 3.0


def tokens_in(search: Search, start: int, end: int) -> list[bytes]:
    """All tokens of classes of some nodes."""
    return [token for node in range(start, end) for token in class_tokens(search, node)]


def longest_text(search: Search, start: int, end: int) -> float:
    """The content of the longest text that is in no link."""
    longest = 0.0
    for node in range(start, end):
        above = node
        while above >= start and search.tag[above] != LINK:
            above = search.parent[above]
        if search.tag[node] == TEXT and search.is_item[node] and above < start:
            longest = max(longest, search.letters(node, node + 1))
    return longest


@dataclass
class Common:
    """What the posts of a set have in common."""

    records: int
    """Those that were looked at."""
    all: Counter[bytes]
    """How often they have each common token."""
    often: float
    letters: float
    kind: Kind | None


def sample(spans: list[Span]) -> list[Span]:
    """Some of the records."""
    sampled = min(len(spans), SAMPLED)
    return [spans[k * len(spans) // sampled] for k in range(sampled)]


def are_names(search: Search, spans: list[Span], kind: Kind) -> bool:
    """Whether the texts of links to a kind of page are short."""
    start = search.nodes.text_start
    longest = [
        max([start[search.end(node)] - start[node] for node in range(*span) if search.kind[node] == kind] or [0])
        for span in sample(spans)
    ]
    return bool(sum(longest) <= LONGEST_NAME * len(longest))


def describe(search: Search, spans: list[Span]) -> Common | None:
    """What records have in common; None if they are no posts."""
    sampled = sample(spans)
    if sum(longest_text(search, *span) for span in sampled) < LEAST_PROSE * len(sampled):
        return None
    own = [tokens_in(search, *span) for span in sampled]
    known = set(list(dict.fromkeys(token for tokens in own for token in tokens))[:MOST_KNOWN])
    having = Counter(token for tokens in own for token in set(tokens) & known)
    fewest = math.floor(COMMON * len(sampled) + 0.999)
    common = {token for token, count in having.items() if count >= fewest}
    if len(common) < FEWEST_COMMON:
        return None
    every = Counter(token for tokens in own for token in tokens if token in common)
    kind, count = vote([search.first_kind(*span) for span in spans])
    if kind is None or count < KINDRED * len(spans) or not are_names(search, spans, kind):
        kind = None
    letters = sum(search.letters(*span) / len(spans) for span in spans)
    return Common(len(sampled), every, every.total() / len(sampled), letters, kind)


def counted(search: Search, common: Common, node: int) -> Counter[bytes]:
    """How often a block has the common tokens."""
    return Counter(token for token in tokens_in(search, node, search.end(node)) if token in common.all)


def is_opening(search: Search, common: Common, block: int) -> bool:
    """Whether a block is a post like the records."""
    own, many = counted(search, common, block), len(common.all) >= MANY_COMMON
    if len(own) < ALIKE * len(common.all) or own.total() > MOST_TOKENS * common.often + 1e-9:
        return False
    single = sum(count * common.records < ONCE * common.all[token] for token, count in own.items())
    if single < SINGLE * len(own):
        return False
    if many and len(own) >= SAME * len(common.all):
        return True
    is_linked = common.kind is not None and common.kind in search.kinds(block, search.end(block))
    return is_linked and (many or longest_text(search, block, search.end(block)) >= LEAST_PROSE)


def core_of(search: Search, common: Common, block: int) -> int:
    """The innermost node that has all common tokens of a block."""
    enough, different = ALL * search.letters_of(block), len(counted(search, common, block))
    for _ in range(LEVELS):
        child = next((child for child in search.children(block) if search.letters_of(child) >= enough), None)
        if child is None or len(counted(search, common, child)) < different:
            break
        block = child
    return block


def styles_in(search: Search, span: Span) -> set[int]:
    """The styles of some nodes."""
    return {search.style[node] for node in range(*span)} - {0}


def find_block(search: Search, common: Common, spans: list[Span]) -> int | None:
    """The nearest block before records that is the opening post."""
    node = record = spans[0][0]
    styles = {style for span in sample(spans) for style in styles_in(search, span)}
    for _ in range(LEVELS):
        above = search.parent[node]
        if above < search.body:
            return None
        for block in reversed([child for child in search.children(above) if child < node]):
            is_other = search.tag[block] == search.tag[record] and search.style[block] == search.style[record] != 0
            if is_other or search.letters_of(block) < LEAST_CONTENT * common.letters:
                continue
            shared = styles & styles_in(search, (block, search.end(block)))
            if len(shared) >= FEWEST_STYLES and is_opening(search, common, block):
                return core_of(search, common, block)
        node = above
    return None


def make_room(search: Search, chosen: list[ChosenSet], one: ChosenSet, block: int) -> bool:
    """Take what is within a block out of the other sets, and drop those that are left one record or none."""
    end = search.end(block)

    def is_within(span: Span) -> bool:
        return span[0] < end and span[1] > block

    for other in chosen:
        for span in filter(is_within, other.spans):
            if other is one or span[0] < block or span[1] > end:
                return False
    for other in chosen[:]:
        left = [span for span in other.spans if not is_within(span)]
        if len(left) < len(other.spans):
            other.left_out += len(other.spans) - len(left)
            other.spans = left
            if len(left) < 2:
                chosen.remove(other)
    return True


def add_openings(search: Search, chosen: list[ChosenSet]) -> None:
    """Add to the best sets of posts the post above each."""
    number = 0
    while number < min(len(chosen), OPENED):
        one = chosen[number]
        common = describe(search, one.spans)
        block = None if common is None else find_block(search, common, one.spans)
        if block is not None and make_room(search, chosen, one, block):
            one.spans = [(block, search.end(block)), *one.spans]
            one.added += 1
            number = next(place for place, other in enumerate(chosen) if other is one)
        number += 1
