"""Simple tree matching (STM, Yang 1991) of runs of sibling subtrees, in numba.
The same method, budget and results as `fastwrap._core.similarity.matching`, which explains them."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from fastwrap._core.common.page import NativePage
from fastwrap._core.page.symbols import need_classes
from fastwrap._numba.similarity.pairs import checked_pairs, read_only
from fastwrap.page.arrays import Int32Array

UNKNOWN = -1

OPENED = -2
NOT_A_RUN = -3
MEMO_LEAST_BITS = 9
MEMO_MOST_BITS = 19
MAX_TABLE_CELLS = 1 << 26
ABOVE, BESIDE, PAIRED = range(3)

# What numba has no structures for: the fields of a column, of a frame and of the matcher's state.
TAG, SIZE, CLASS, NODE, BEST = range(5)
KEY, OUTSIDE, LEFT, ROWS, COLUMNS, PLACE, DIAGONAL, BESIDE_CELL = range(8)
BUDGET, MEMO_ROOM = range(2)

GOLDEN = np.uint64(0x9E3779B97F4A7C15)

Integer: TypeAlias = Any
"""Of Python or of numpy: numba compiles both to the same."""
Int64Array: TypeAlias = npt.NDArray[np.int64]


Nodes: TypeAlias = tuple[Int32Array, Int32Array, Int32Array]
"""The tags, sizes and structural classes of a page."""


class Matcher(NamedTuple):
    """The node arrays and the memory of one call."""

    tag: Int32Array
    size: Int32Array
    class_id: Int32Array
    memo: Int64Array
    """[slots, 2] Key and score."""
    arena: Int32Array
    """[columns, 5] TAG to BEST."""
    lefts: Int32Array
    frames: Int64Array
    """[frames, 8] KEY to BESIDE_CELL."""
    state: Int64Array
    """BUDGET and MEMO_ROOM."""


@njit(cache=True, nogil=True)
def start(nodes: Nodes, longest: Integer, pairs: Integer, budget: Integer) -> Matcher:
    """Take all the memory of a call."""
    tag, size, class_id = nodes
    bits = MEMO_LEAST_BITS
    while 1 << bits < 8 * (longest + pairs) and bits < MEMO_MOST_BITS:
        bits += 1
    state = np.array([budget, 1 << (bits - 1)], np.int64)
    return Matcher(
        tag,
        size,
        class_id,
        np.zeros((1 << bits, 2), np.int64),
        np.empty((longest + 1, 5), np.int32),
        np.empty(longest + 1, np.int32),
        np.empty((longest + 1, 8), np.int64),
        state,
    )


@njit(cache=True, nogil=True)
def pair_key(one: Integer, other: Integer) -> Integer:
    """Both orders of two class ids as one number."""
    return (np.int64(min(one, other)) << 32) | (np.int64(max(one, other)) & 0xFFFFFFFF)


@njit(cache=True, nogil=True)
def find_slot(memo: Int64Array, key: Integer) -> Integer:
    """The slot of the key, or the empty one where it belongs."""
    mask = len(memo) - 1
    place = np.int64((np.uint64(key) * GOLDEN) >> np.uint64(40)) & mask
    while memo[place, 0] != key and memo[place, 0] != 0:
        place = (place + 1) & mask
    return place


@njit(cache=True, nogil=True)
def remember(matcher: Matcher, key: Integer, score: Integer) -> None:
    """Store a score, unless the memo is half full."""
    if matcher.state[MEMO_ROOM] > 0:
        slot = find_slot(matcher.memo, key)
        if matcher.memo[slot, 0] == 0:
            matcher.state[MEMO_ROOM] -= 1
        matcher.memo[slot] = key, np.int64(score)


@njit(cache=True, nogil=True)
def is_run(matcher: Matcher, node: Integer, end: Integer) -> Integer:
    """Whether [node, end) is a run of whole subtrees; counted in the budget, a cell for each of them."""
    while node < end:
        node += matcher.size[node]
        matcher.state[BUDGET] -= 1
    return node == end


@njit(cache=True, nogil=True)
def score_runs(matcher: Matcher, left: Integer, left_end: Integer, right: Integer, right_end: Integer) -> Integer:
    """Pairs in the maximum mapping of two runs, UNKNOWN or NOT_A_RUN.

    One function where the compiled module has six, because numba counts references at every call: opening
    runs and filling tables take turns until no frame is open.
    """
    tag, size, class_id, memo = matcher.tag, matcher.size, matcher.class_id, matcher.memo
    arena, lefts, frames, state = matcher.arena, matcher.lefts, matcher.frames, matcher.state
    if left == left_end or right == right_end:
        return 0
    key: Integer = 0
    outside: Integer = 0
    if left + size[left] == left_end and right + size[right] == right_end:
        if tag[left] != tag[right]:
            return 0
        if class_id[left] == class_id[right]:
            return size[left]
        if size[left] == 1 or size[right] == 1:
            return 1
        key = pair_key(class_id[left], class_id[right])
        slot = find_slot(memo, key)
        if memo[slot, 0] != 0:
            return memo[slot, 1]
        outside = 1
        left += 1
        right += 1
    elif state[BUDGET] < 0:
        return UNKNOWN
    elif not is_run(matcher, left, left_end) or not is_run(matcher, right, right_end):
        return NOT_A_RUN
    depth = used = 0
    while True:
        # Open two runs: their score, or a frame.
        if state[BUDGET] < 0:
            return UNKNOWN
        score: Integer = OPENED
        while left + size[left] == left_end and right + size[right] == right_end:
            if tag[left] != tag[right]:
                score = outside
            elif class_id[left] == class_id[right]:
                score = outside + size[left]
            elif size[left] == 1 or size[right] == 1:
                score = outside + 1
            if score != OPENED:
                break
            outside += 1
            left += 1
            right += 1
            state[BUDGET] -= 1
        if score == OPENED:
            while left < left_end and right < right_end and class_id[left] == class_id[right]:
                outside += size[left]
                left += size[left]
                right += size[right]
                state[BUDGET] -= 1
            height = width = 0
            if left < left_end and right < right_end:
                node = left
                while node < left_end:
                    lefts[height] = node
                    height += 1
                    node += size[node]
                node = right
                while node < right_end:
                    arena[used + width] = tag[node], size[node], class_id[node], np.int32(node), np.int32(0)
                    width += 1
                    node += size[node]
                state[BUDGET] -= height + width
                while height and width and class_id[lefts[height - 1]] == arena[used + width - 1, CLASS]:
                    height -= 1
                    width -= 1
                    outside += arena[used + width, SIZE]
            if height == 0 or width == 0:
                score = outside
            elif height * width > state[BUDGET]:
                return UNKNOWN
            else:
                state[BUDGET] -= height * width
                frames[depth] = key, outside, left, height, used, used, 0, 0
                depth += 1
                used += width
        if score != OPENED and key != 0:
            remember(matcher, key, score)
        # Fill tables, until a cell needs two other runs.
        while depth:
            frame = depth - 1
            first, place = frames[frame, COLUMNS], frames[frame, PLACE]
            rows, left = frames[frame, ROWS], frames[frame, LEFT]
            diagonal, beside = frames[frame, DIAGONAL], frames[frame, BESIDE_CELL]
            while rows:
                above = np.int64(arena[place, BEST])
                best = max(above, beside)
                if score == OPENED:
                    score = np.int64(min(size[left], arena[place, SIZE]))
                    if tag[left] != arena[place, TAG]:
                        score = 0
                    if score > 1 and diagonal + score > best and class_id[left] != arena[place, CLASS]:
                        key = pair_key(class_id[left], arena[place, CLASS])
                        slot = find_slot(memo, key)
                        score = memo[slot, 1]
                        if memo[slot, 0] == 0:
                            break
                beside = max(best, diagonal + score)
                diagonal = above
                arena[place, BEST] = beside
                score = OPENED
                place += 1
                if place == used:
                    left += size[left]
                    rows -= 1
                    place = first
                    diagonal = beside = np.int64(0)
            else:
                score = frames[frame, OUTSIDE] + arena[used - 1, BEST]
                if frames[frame, KEY] != 0:
                    remember(matcher, frames[frame, KEY], score)
                used = first
                depth -= 1
                continue
            frames[frame, LEFT], frames[frame, ROWS], frames[frame, PLACE] = left, rows, place
            frames[frame, DIAGONAL], frames[frame, BESIDE_CELL] = diagonal, beside
            right = np.int64(arena[place, NODE])
            left_end, right_end = left + size[left], right + size[right]
            left += 1
            right += 1
            outside = 1
            break
        else:
            return score


@njit(cache=True, nogil=True)
def score_all(nodes: Nodes, pairs: Int64Array, longest: Integer, budget: Integer) -> Int32Array:
    """The scores; NOT_A_RUN ends them."""
    result = np.empty(len(pairs), np.int32)
    matcher = start(nodes, longest, len(pairs), budget)
    for pair in range(len(pairs)):
        left, left_end, right, right_end = pairs[pair]
        result[pair] = score_runs(matcher, left, left_end, right, right_end)
        if result[pair] == NOT_A_RUN:
            return result[: pair + 1]
    return result


class Stack(NamedTuple):
    """The pairs that are in the mapping and not yet written."""

    pairs: Int64Array
    """[pairs, 2]"""
    waiting: Int64Array
    """[1]"""


@njit(cache=True, nogil=True)
def push(stack: Stack, left: Integer, right: Integer) -> None:
    """Put a pair of the mapping on the stack."""
    stack.pairs[stack.waiting[0]] = left, right
    stack.waiting[0] += 1


@njit(cache=True, nogil=True)
def decide(matcher: Matcher, stack: Stack, lefts: Int64Array, rights: Int64Array) -> Integer:
    """Push the pairs of trees in one maximum mapping of two runs, the last one first."""
    height, width = len(lefts), len(rights)
    cells = height * width
    if cells == 1:
        if matcher.tag[lefts[0]] == matcher.tag[rights[0]]:
            push(stack, lefts[0], rights[0])
        return 0
    if cells > matcher.state[BUDGET] or cells > MAX_TABLE_CELLS:
        return UNKNOWN
    matcher.state[BUDGET] -= cells
    decisions = np.empty((height, width), np.int8)
    row = np.zeros(width + 1, np.int64)
    for i in range(height):
        left = lefts[i]
        diagonal = row[0]
        for j in range(width):
            above = row[j + 1]
            best = above
            decision = ABOVE
            if row[j] > best:
                best = row[j]
                decision = BESIDE
            right = rights[j]
            if diagonal + min(matcher.size[left], matcher.size[right]) > best:
                score = score_runs(matcher, left, left + matcher.size[left], right, right + matcher.size[right])
                if score == UNKNOWN:
                    return UNKNOWN
                if diagonal + score > best:
                    best = diagonal + score
                    decision = PAIRED
            row[j + 1] = best
            decisions[i, j] = decision
            diagonal = above
    i = height - 1
    j = width - 1
    while i >= 0 and j >= 0:
        decision = decisions[i, j]
        if decision == PAIRED:
            push(stack, lefts[i], rights[j])
        if decision != BESIDE:
            i -= 1
        if decision != ABOVE:
            j -= 1
    return 0


@njit(cache=True, nogil=True)
def pair_runs(
    matcher: Matcher, stack: Stack, left: Integer, left_end: Integer, right: Integer, right_end: Integer
) -> Integer:
    """Push the pairs of trees in one maximum mapping of two runs, so that the first one is popped first."""
    class_id = matcher.class_id
    lefts, rights = np.empty(left_end - left, np.int64), np.empty(right_end - right, np.int64)
    height = width = first = 0
    while left < left_end:
        lefts[height] = left
        height += 1
        left += matcher.size[left]
    while right < right_end:
        rights[width] = right
        width += 1
        right += matcher.size[right]
    matcher.state[BUDGET] -= height + width
    while first < height and first < width and class_id[lefts[first]] == class_id[rights[first]]:
        first += 1
    while height > first and width > first and class_id[lefts[height - 1]] == class_id[rights[width - 1]]:
        height -= 1
        width -= 1
        push(stack, lefts[height], rights[width])
    if height > first and width > first and decide(matcher, stack, lefts[first:height], rights[first:width]) == UNKNOWN:
        return UNKNOWN
    while first:
        first -= 1
        push(stack, lefts[first], rights[first])
    return 0


@njit(cache=True, nogil=True)
def map_runs(nodes: Nodes, runs: Int64Array, budget: Integer) -> tuple[Int32Array, Integer]:
    """The pairs of one maximum mapping in preorder, and their number, UNKNOWN or NOT_A_RUN."""
    left, left_end, right, right_end = runs
    longest = max(left_end - left, right_end - right)
    matcher = start(nodes, longest, 1, budget)
    size, class_id = matcher.size, matcher.class_id
    stack = Stack(np.empty((longest, 2), np.int64), np.zeros(1, np.int64))
    pairs = np.empty((left_end - left, 2), np.int32)
    written = 0
    if not is_run(matcher, left, left_end) or not is_run(matcher, right, right_end):
        return pairs, NOT_A_RUN
    while pair_runs(matcher, stack, left, left_end, right, right_end) != UNKNOWN:
        equal = True
        while equal:
            if stack.waiting[0] == 0:
                return pairs, written
            stack.waiting[0] -= 1
            left, right = stack.pairs[stack.waiting[0]]
            equal = class_id[left] == class_id[right]
            for node in range(size[left] if equal else 1):
                pairs[written, 0] = left + node
                pairs[written, 1] = right + node
                written += 1
        left_end, right_end = left + size[left], right + size[right]
        left += 1
        right += 1
    return pairs, UNKNOWN


def opened(native: NativePage, pairs: Int32Array) -> tuple[Nodes, Int64Array]:
    """What the functions above take of a page; and pairs of runs of it, checked."""
    need_classes(native)
    tag, size = native.node_arrays.tag, native.node_arrays.size
    nodes = read_only(tag), read_only(size), read_only(native.structural_class)
    return nodes, checked_pairs(pairs, len(tag)).astype(np.int64)


def scores(native: NativePage, pairs: Int32Array, budget: int) -> Int32Array:
    """Pairs of nodes in the maximum mapping of each pair of runs; see `fastwrap._core.similarity.matching`."""
    nodes, spans = opened(native, pairs)
    longest = int((spans[:, 1::2] - spans[:, ::2]).max(initial=0))
    result: Int32Array = score_all(nodes, spans, longest, budget)
    if len(result) and result[-1] == NOT_A_RUN:
        raise ValueError(f"pair {len(result) - 1} has a span that is not a run of whole subtrees")
    return result


def mapping(native: NativePage, pairs: Int32Array, budget: int) -> Int32Array | None:
    """One maximum mapping of two runs; see `fastwrap._core.similarity.matching`."""
    nodes, spans = opened(native, pairs)
    if len(spans) != 1:
        raise ValueError("a mapping is of one pair")
    mapped, written = map_runs(nodes, spans[0], budget)
    if written == NOT_A_RUN:
        raise ValueError("pair 0 has a span that is not a run of whole subtrees")
    return None if written == UNKNOWN else mapped[:written].copy()
