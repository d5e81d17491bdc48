"""Which parts there are, and which wrappers each may use, depends on the input alone: not on who is done when."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastwrap.batch.pages import RawPage, Reach
from fastwrap.batch.parts import Task
from fastwrap.batch.plan import Chain, Plan, identity
from fastwrap.errors import FastwrapError


@dataclass
class Made:
    """A source with so many parts."""

    name: str
    parts: int
    by_worker: bool
    size: int = 1

    def read(self, start: int) -> Reach:
        end = start + 1 if start + 1 < self.parts else None
        return Reach([RawPage(self.name, start)], end, 1)


def made(shape: list[tuple[int, bool]]) -> list[Any]:
    return [Made(f"source {number}", *each) for number, each in enumerate(shape)]


def simulate(sources: list[Any], lag: int | None, seed: int, workers: int = 3, done: Any = None) -> dict[int, Any]:
    """Run a plan with workers that are fast and slow as a seed has it; by number, where each part begins and what it
    may use. A part must find all done that it may use."""
    random = Random(seed)
    plan = Plan(sources, done or {}, lag)
    finished = set(done or {})
    taken: dict[int, Any] = {}
    reading: list[tuple[Task, Chain]] = []
    working: list[Task] = []
    while True:
        take = plan.take_ahead if working and random.random() < 0.3 else plan.take
        if len(reading) + len(working) < workers and (found := take()) is not None:
            task, chain = found
            assert set(range(task.learned_before)) <= finished
            taken[task.number] = (chain.source.name, task.start, task.learned_before)
            if task.reach is None:
                reading.append(found)
            else:
                working.append(task)
            if random.random() < 0.5:
                continue
        elif not reading and not working:
            return taken
        if reading and (not working or random.random() < 0.5):
            task, chain = reading.pop(random.randrange(len(reading)))
            plan.has_read(chain, chain.source.read(task.start).end)
            working.append(task)
        elif working:
            task = working.pop(random.randrange(len(working)))
            finished.add(task.number)
            plan.has_done(task.number)


SHAPES = st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=15)


@given(SHAPES, st.sampled_from([None, 1, 2, 5, 16]), st.integers(), st.integers(1, 6))
def test_the_parts_are_the_same_whoever_is_done_first(
    shape: list[tuple[int, bool]], lag: int | None, seed: int, workers: int
) -> None:
    first = simulate(made(shape), lag, 0, 1)
    assert sorted(first) == list(range(sum(parts for parts, _ in shape)))
    assert len({(name, start) for name, start, _ in first.values()}) == len(first)
    assert simulate(made(shape), lag, seed, workers) == first


@given(SHAPES, st.integers(), st.data())
def test_a_run_that_goes_on_has_the_parts_that_are_left(shape: list[tuple[int, bool]], seed: int, data: Any) -> None:
    whole = simulate(made(shape), 4, 0)
    ends = {source.name: source.parts for source in made(shape)}
    identities = {source.name: identity(source) for source in made(shape)}
    is_done = data.draw(st.sets(st.sampled_from(sorted(whole)))) if whole else set()
    recorded = {
        number: {
            "part": number, "from": identities[name], "start": start,
            "end": start + 1 if start + 1 < ends[name] else None,
        }
        for number, (name, start, _) in whole.items() if number in is_done
    }  # fmt: skip
    left = simulate(made(shape), 4, seed, done=recorded)
    assert left == {number: part for number, part in whole.items() if number not in is_done}


def test_a_busy_worker_leaves_to_others_what_they_can_read_themselves() -> None:
    plan = Plan(made([(3, True)]), {}, None)
    first = plan.take()
    assert first is not None
    assert plan.take() is None  # nobody knows yet where it begins
    plan.has_read(first[1], 1)
    assert plan.take_ahead() is None
    second = plan.take()
    assert second is not None
    assert second[0].start == 1


def test_a_busy_worker_has_its_next_part_read_where_only_one_process_can_read() -> None:
    plan = Plan(made([(3, False)]), {}, None)
    plan.take()
    ahead = plan.take_ahead()
    assert ahead is not None
    assert ahead[0].reach is not None
    assert ahead[0].start == 1


def test_an_input_that_has_changed_is_told() -> None:
    recorded = {0: {"part": 0, "from": "another 5", "start": 0, "end": None}}
    plan = Plan(made([(2, True)]), recorded, None)
    with pytest.raises(FastwrapError, match="no longer what it was"):
        plan.take()
