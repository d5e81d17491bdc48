"""Limits: each has an answer of its own, and none of them keeps the server from answering others."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from fastwrap.common.packing import packed
from fastwrap.server import pool as pools
from fastwrap.server.problems import Problem
from fastwrap.server.rates import Rates
from fastwrap.server.settings import Limits
from tests.helpers.hangs import ends_soon
from tests.helpers.problems import problem
from tests.helpers.serving import Caller, calling, shop

SMALL = Limits(body=20_000, body_seconds=1.0, nodes=500, depth=50, seconds=2.0, queue=1, memory=30_000)


@pytest.fixture(scope="module")
def small() -> Iterator[Caller]:
    with calling(limits=SMALL, threads=1) as caller:
        yield caller


def test_bodies_are_counted_while_they_come(small: Caller) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1_000
            yield b"x" * 1_000

    detail = problem(small.post("/v1/extract", content=endless()), "body-too-large", 413)
    assert "20,000" in detail
    assert small.post("/v1/extract", content=b"<p>" + b"x" * 20_000).json()["limit"] == 20_000
    assert small.app.services.held.bytes == 0


@pytest.mark.parametrize("packing", ["gzip", "br", "zstd", "deflate"])
@pytest.mark.parametrize("path", ["/v1/extract", "/v1/content", "/v1/learn", "/v1/auto/extract"])
def test_bombs(small: Caller, packing: str, path: str) -> None:
    bomb = packed(b"a" * 1_000_000, packing if packing != "deflate" else "gzip")
    headers = {"content-encoding": packing}
    if packing != "deflate":
        assert "unpacked" in problem(small.post(path, content=bomb, headers=headers), "body-too-large", 413)


def test_bombs_in_batches(small: Caller) -> None:
    bomb = packed(b"a" * 1_000_000, "zstd")
    told = small.post("/v1/extract/batch", content=bomb, headers={"content-encoding": "zstd"}).text
    assert [json.loads(line)["status"] for line in told.splitlines()] == [413]


def test_slow_bodies(small: Caller) -> None:
    async def slow() -> AsyncIterator[bytes]:
        yield b"<p>"
        await asyncio.sleep(10)
        yield b"never read"

    problem(small.post("/v1/extract", content=slow()), "body-too-slow", 408)
    line = json.dumps({"html": shop()}).encode() + b"\n"

    async def slow_lines() -> AsyncIterator[bytes]:
        yield line
        await asyncio.sleep(10)

    told = small.post("/v1/extract/batch", content=slow_lines()).text
    assert [json.loads(each)["status"] for each in told.splitlines()] == [200, 408]


def test_depth_and_nodes(small: Caller) -> None:
    assert small.post("/v1/extract", content="<p>" * 200).status_code == 200
    problem(small.post("/v1/extract", content="<div>" * 100), "page-too-deep", 422)
    problem(small.post("/v1/extract", content="<p>x" * 500), "page-too-large", 422)
    with calling() as usual:
        problem(usual.post("/v1/extract", content="<div>" * 15_000), "page-too-deep", 422)
        problem(usual.post("/v1/extract", content="<div>" * 5_000), "page-too-deep", 422)


def test_bodies_that_are_held(small: Caller) -> None:
    held = small.app.services.held
    held.bytes = 25_000
    answer = small.post("/v1/extract", content=shop(0, 100))
    held.bytes -= 25_000
    problem(answer, "overloaded", 503)
    assert int(answer.headers["retry-after"]) > 0
    assert held.bytes == 0


def busy(seconds: float) -> None:
    """Work in Python, which ends by itself or when it is interrupted."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.001)


def test_a_page_without_time_frees_its_thread(small: Caller) -> None:
    services = small.app.services

    async def run() -> None:
        began = time.monotonic()
        with pytest.raises(Problem, match="longer than") as raised:
            await services.run(busy, 100.0)
        assert raised.value.name == "time-limit"
        assert time.monotonic() - began < 30
        assert await services.run(lambda: 7) == 7  # on the only thread there is
        assert len(services.pool) == 0

    small.run(run())


def test_what_waits_too_long_and_what_finds_no_room(small: Caller) -> None:
    services = small.app.services

    async def outcome(task: Any) -> str:
        try:
            await task
        except Problem as raised:
            return f"{raised.name} {raised.headers.get('Retry-After', '')}"
        return "done"

    async def run() -> list[str]:
        # One runs, one may wait; both are out of time at the same moment, the third finds no room.
        return await asyncio.gather(*(outcome(services.run(busy, 100.0)) for _ in range(3)))

    first, second, third = small.run(run())
    assert first == "time-limit "
    assert second.startswith("overloaded ")
    assert third == "overloaded 1"


def test_a_job_that_swallows_its_interrupt_is_interrupted_again(small: Caller) -> None:
    swallowed = 0

    def stubborn() -> None:
        nonlocal swallowed
        for _ in range(2):
            try:
                busy(100.0)
            except pools.Interrupted:
                swallowed += 1
        busy(100.0)

    async def run() -> None:
        with pytest.raises(Problem, match="longer than"):
            await small.app.services.run(stubborn)
        end = time.monotonic() + 30
        while len(small.app.services.pool) and time.monotonic() < end:
            await asyncio.sleep(0.01)

    small.run(run())
    assert swallowed == 2
    assert len(small.app.services.pool) == 0


def test_threads_that_are_stuck_are_counted() -> None:
    async def run() -> None:
        pool = pools.Pool(2, 2, seconds=0.05)

        over = threading.Event()

        def deaf() -> None:
            while not over.is_set():
                try:
                    busy(0.1)
                except pools.Interrupted:
                    continue

        tasks = [asyncio.create_task(pool.run(deaf)) for _ in range(2)]
        done, _ = await asyncio.wait(tasks)
        assert all(isinstance(task.exception(), Problem) for task in done)
        assert pool.stuck(60) == 0
        await asyncio.sleep(0.2)
        assert pool.stuck(0.1) == 2
        over.set()
        pool.close()
        while len(pool):
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(run(), 60))


def test_an_interrupt_that_comes_late_hits_nothing_else() -> None:
    async def run() -> None:
        pool = pools.Pool(2, 100, seconds=0.002)
        outcomes: list[str] = []

        async def one(k: int) -> None:
            try:
                await pool.run(busy, 0.0005 * (k % 8))
                outcomes.append("done")
            except Problem as raised:
                outcomes.append(raised.name)

        for k in range(300):
            await asyncio.gather(one(k), one(k + 1))
        assert len(outcomes) == 600
        assert set(outcomes) <= {"done", "time-limit", "overloaded"}
        assert {"done", "time-limit"} <= set(outcomes)
        pool.seconds = 30
        assert await asyncio.gather(*(pool.run(lambda k=k: k) for k in range(50))) == list(range(50))  # type: ignore[misc]
        pool.close()

    asyncio.run(asyncio.wait_for(run(), 120))


def test_requests_that_are_open() -> None:
    with calling(limits=Limits(requests=2)) as caller:
        release = asyncio.Event()

        async def waits() -> AsyncIterator[bytes]:
            await release.wait()
            yield b"<p>one"

        async def run() -> list[int]:
            tasks = [asyncio.create_task(caller.client.post("/v1/extract", content=waits())) for _ in range(2)]
            while caller.app._guard.open < 2:
                await asyncio.sleep(0.01)
            third = await caller.client.post("/v1/extract", content=b"<p>two")
            health = await caller.client.get("/health")
            release.set()
            return [third.status_code, health.status_code, *(each.status_code for each in await asyncio.gather(*tasks))]

        assert caller.run(run()) == [503, 200, 200, 200]


def test_rates() -> None:
    with calling(limits=Limits(rate=0.01, burst=200)) as caller:
        answers = [caller.get("/v1/methods") for _ in range(3)]
        assert [each.status_code for each in answers] == [200, 200, 429]
        problem(answers[2], "too-many-requests", 429)
        assert 1 <= int(answers[2].headers["retry-after"]) <= 101
        assert caller.get("/health").status_code == 200


def test_rates_are_shared_between_processes() -> None:
    now = [50.0]
    file = Rates.shared()
    one, other = (Rates(10.0, 1.0, file, lambda: now[0]) for _ in range(2))
    waits = [each.wait("client") for _ in range(6) for each in (one, other)]
    assert [wait > 0 for wait in waits] == [False] * 10 + [True] * 2
    assert other.wait("another client") == 0.0
    now[0] += 0.2
    assert [each.wait("client") > 0 for each in (one, other, one)] == [False, False, True]


def test_lines_of_a_batch_are_held() -> None:
    line = json.dumps({"html": shop()}).encode() + b"\n"

    with calling(limits=Limits(memory=30_000)) as caller:
        held = caller.app.services.held

        async def lines() -> AsyncIterator[bytes]:
            yield line
            while held.bytes:  # until it is answered
                await asyncio.sleep(0.01)
            held.bytes += 25_000
            yield b"x" * 10_000

        told = caller.post("/v1/extract/batch", content=lines()).text
        held.bytes -= 25_000
        assert [json.loads(each)["status"] for each in told.splitlines()] == [200, 503]
        assert held.bytes == 0


def test_blank_lines_of_a_batch_take_no_time(small: Caller) -> None:
    blank = packed(b"\n \t\r\n" * 20_000_000 + b'{"html": "<p>"}', "zstd")
    with ends_soon():  # an hour, where each is looked for by itself
        told = small.post("/v1/extract/batch", content=blank, headers={"content-encoding": "zstd"}).text
    assert [json.loads(each)["status"] for each in told.splitlines()] == [200]
