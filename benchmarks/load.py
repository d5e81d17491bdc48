"""A load test of `fastwrap serve`, by a client of its own on the same machine: `make load`.

Ratios in one run: the server's throughput against the same calls in a bare loop on as many processes; the 99th
percentile of the time to an answer against the median at 70% of that throughput; the memory of workers after very many
requests; and how much longer other requests take during attacks.

    python benchmarks/load.py --pages FOLDER [--seconds 10] [--rounds 5] [--requests 100000]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import zlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import fastwrap
from fastwrap.common.packing import packed

Attack: TypeAlias = Callable[[int, int], Awaitable[list[asyncio.Task[None]]]]

EXAMPLES = Path(__file__).parent.parent / "examples"

KINDS = ("extract", "wrapper")

CONNECTIONS = 16
"""Open at once while throughput is measured: more than the threads of all workers."""


# The bare loop


def bare(kind: str, files: Sequence[str], seconds: float) -> tuple[float, float]:
    """Calls per second of the library in one process, and processor seconds of a call."""
    pages = [Path(file).read_bytes() for file in files]
    calls: list[Callable[[], object]] = []
    for page in pages:
        if kind == "extract":
            calls.append(lambda page=page: fastwrap.extract(page).to_json().encode())  # type: ignore[misc]
        else:
            wrapper = fastwrap.Wrapper.loads(fastwrap.learn(page).dumps())
            calls.append(lambda page=page, wrapper=wrapper: wrapper.extract(page).to_json().encode())  # type: ignore[misc]
    for call in calls:
        call()
    done, began, used = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - began < seconds:
        calls[done % len(calls)]()
        done += 1
    return done / (time.perf_counter() - began), (time.process_time() - used) / done


def bare_on_all(kind: str, files: Sequence[str], seconds: float, processes: int) -> tuple[float, float]:
    """Calls per second of the library on so many processes, and processor seconds of a call."""
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        rates, costs = zip(*pool.starmap(bare, [(kind, files, seconds)] * processes), strict=True)
    return sum(rates), statistics.mean(costs)


# The client


class Answers(asyncio.Protocol):
    """A connection that sends requests, one after the other, and knows when each is answered."""

    def __init__(self) -> None:
        self.answered: asyncio.Future[int] | None = None
        self.transport: asyncio.WriteTransport | None = None
        self._head = b""
        self._left = -1
        self._status = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        """The connection is gone."""
        if self.answered is not None and not self.answered.done():
            self.answered.set_result(self._status or -1)

    def data_received(self, data: bytes) -> None:
        """A piece of an answer."""
        if self._left < 0:
            self._head += data
            end = self._head.find(b"\r\n\r\n")
            if end < 0:
                return
            head = self._head[:end].lower()
            self._status = int(head[9:12])
            length = re.search(rb"content-length: (\d+)", head)
            self._left = (int(length[1]) if length else 0) - (len(self._head) - end - 4)
            self._head = b""
        else:
            self._left -= len(data)
        if self._left <= 0:
            self._left = -1
            if self.answered is not None and not self.answered.done():
                self.answered.set_result(self._status)

    async def ask(self, request: bytes) -> int:
        """Send a request; the status of its answer."""
        assert self.transport is not None
        self._status = 0
        self.answered = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await self.answered


async def connected(port: int) -> Answers:
    """A connection to the server."""
    _, made = await asyncio.get_running_loop().create_connection(Answers, "127.0.0.1", port)
    return made


def request_of(path: str, page: bytes, extra: str = "") -> bytes:
    """A request for a page."""
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: text/html\r\n{extra}"
    return f"{head}content-length: {len(page)}\r\n\r\n".encode() + page


async def throughput(port: int, requests: Sequence[bytes], seconds: float) -> float:
    """Answers per second, with CONNECTIONS requests open at all times."""
    connections = [await connected(port) for _ in range(CONNECTIONS)]
    done = 0
    end = time.perf_counter() + seconds

    async def run(connection: Answers) -> None:
        nonlocal done
        while time.perf_counter() < end:
            number = done
            done += 1
            status = await connection.ask(requests[number % len(requests)])
            assert status == 200, status

    began = time.perf_counter()
    await asyncio.gather(*map(run, connections))
    took = time.perf_counter() - began
    for connection in connections:
        assert connection.transport is not None
        connection.transport.close()
    return done / took


async def latencies(port: int, requests: Sequence[bytes], rate: float, seconds: float) -> list[float]:
    """Times to an answer, in seconds, of requests that come at a steady rate whether or not others are answered."""
    free = [await connected(port) for _ in range(4 * CONNECTIONS)]
    times: list[float] = []
    tasks = set()
    began = time.perf_counter()

    async def one(number: int, due: float) -> None:
        connection = free.pop() if free else await connected(port)
        assert await connection.ask(requests[number % len(requests)]) == 200
        times.append(time.perf_counter() - due)
        free.append(connection)

    number = 0
    while (due := began + number / rate) < began + seconds:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        task = asyncio.create_task(one(number, due))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        number += 1
    await asyncio.gather(*tasks)
    return sorted(times)


# The server


class Serving:
    """`fastwrap serve`, with its wrappers in a temporary folder."""

    def __init__(self, workers: int, *options: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.log = open(Path(self.folder.name) / "log", "w+")  # noqa: SIM115 - closed by `end`
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fastwrap", "serve", "--port", "0", "--workers", str(workers), "--store",
             str(Path(self.folder.name) / "wrappers.db"), *options],
            stderr=self.log,
        )  # fmt: skip
        self.port = self._port()

    def _port(self) -> int:
        while True:
            text = Path(self.log.name).read_text()
            if found := re.search(r"http://127.0.0.1:(\d+)", text):
                return int(found[1])
            assert self.process.poll() is None, text
            time.sleep(0.05)

    def workers(self) -> list[str]:
        """The processes of the workers."""
        return sorted(Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split())

    def used(self) -> float:
        """Processor seconds that the workers have used."""
        ticks = 0
        for child in self.workers():
            ticks += sum(map(int, Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self) -> list[float]:
        """MB that each worker holds."""
        found = []
        for child in self.workers():
            status = Path(f"/proc/{child}/status").read_text()
            held = re.search(r"VmRSS:\s+(\d+)", status)
            assert held is not None
            found.append(int(held[1]) / 1024)
        return found

    def end(self) -> None:
        """End it."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.log.close()
        self.folder.cleanup()


@contextlib.contextmanager
def serving(workers: int, *options: str) -> Iterator[Serving]:
    """A server while this is entered."""
    server = Serving(workers, *options)
    try:
        yield server
    finally:
        server.end()


def requests_of(kind: str, server: Serving, pages: Sequence[bytes]) -> list[bytes]:
    """A request for each page; by a wrapper of its own that the server keeps, where that is the kind."""
    if kind == "extract":
        return [request_of("/v1/extract", page) for page in pages]
    made = []
    for number, page in enumerate(pages):
        url = f"http://127.0.0.1:{server.port}/v1/wrappers/p{number}"
        file = fastwrap.learn(page).dumps().encode()
        urllib.request.urlopen(urllib.request.Request(url, data=file, method="PUT",
                                                      headers={"Content-Type": "application/json"}))  # fmt: skip
        made.append(request_of(f"/v1/wrappers/p{number}/extract", page))
    return made


# What is measured


def measure_speed(files: Sequence[str], workers: int, seconds: float, rounds: int) -> None:
    """Throughput against the bare loop, and the tail of the times to an answer."""
    pages = [Path(file).read_bytes() for file in files]
    for kind in KINDS:
        with serving(workers) as server:
            requests = requests_of(kind, server, pages)
            asyncio.run(throughput(server.port, requests, 2))
            ratios, costs, shares = [], [], []
            for _ in range(rounds):
                alone, cost = bare_on_all(kind, files, seconds, workers)
                used, own = server.used(), time.process_time()
                served = asyncio.run(throughput(server.port, requests, seconds))
                used, own = server.used() - used, time.process_time() - own
                costs.append(cost / ((used + own) / (served * seconds)))
                times = asyncio.run(latencies(server.port, requests, 0.7 * served, seconds))
                median, last = statistics.median(times), times[int(0.99 * len(times))]
                ratios.append(served / alone)
                shares.append(last / median)
                print(
                    f"  {kind}: bare {alone:,.0f}/s, served {served:,.0f}/s, ratio {ratios[-1]:.2f}; processor"
                    f" {1000 * cost:.2f} ms, served {1000 * used / served / seconds:.2f} + client"
                    f" {1000 * own / served / seconds:.2f} ms, ratio {costs[-1]:.2f}; at 70%:"
                    f" median {1000 * median:.1f} ms, p99 {1000 * last:.1f} ms, ratio {shares[-1]:.1f}",
                    flush=True,
                )
        print(
            f"{kind}: {statistics.median(ratios):.2f} x the bare loop on {workers} processes (median of {rounds};"
            f" {min(ratios):.2f} to {max(ratios):.2f}), {statistics.median(costs):.2f} x by processor time with the"
            f" client's, p99 at 70% load {statistics.median(shares):.1f} x the median"
            f" ({min(shares):.1f} to {max(shares):.1f})",
            flush=True,
        )


def measure_memory(files: Sequence[str], workers: int, total: int) -> None:
    """How much memory workers hold after a tenth of the requests, and after all."""
    pages = [Path(file).read_bytes() for file in files]
    with serving(workers) as server:
        requests = [*requests_of("extract", server, pages[:8]), *requests_of("wrapper", server, pages)]

        async def run(count: int) -> None:
            connections = [await connected(server.port) for _ in range(CONNECTIONS)]
            numbers = iter(range(count))

            async def one(connection: Answers) -> None:
                for number in numbers:
                    assert await connection.ask(requests[number % len(requests)]) == 200

            await asyncio.gather(*map(one, connections))
            for connection in connections:
                assert connection.transport is not None
                connection.transport.close()

        begun = time.perf_counter()
        asyncio.run(run(total // 10))
        before = server.memory()
        for part in range(9):
            asyncio.run(run(total // 10))
            held = ", ".join(f"{each:.0f}" for each in server.memory())
            print(f"  {(part + 2) * total // 10:,} requests: {held} MB", flush=True)
        after = server.memory()
        grown = max(now - then for now, then in zip(after, before, strict=True))
    took = time.perf_counter() - begun
    print(f"memory: {grown:+.1f} MB per worker from request {total // 10:,} to {total:,}, in {took:.0f} s")


async def usual(port: int, requests: Sequence[bytes], count: int = 150) -> float:
    """The median time of some requests, one after the other, each on a connection of its own."""
    times = []
    for number in range(count):
        began = time.perf_counter()
        connection = await connected(port)
        status = await connection.ask(requests[number % len(requests)])
        assert status == 200, status
        times.append(time.perf_counter() - began)
        assert connection.transport is not None
        connection.transport.close()
    return statistics.median(times)


async def idle(port: int, count: int) -> list[asyncio.Task[None]]:
    """Connections that send half a head, and then a letter at times."""

    async def one() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /v1/extract HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: ")
        try:
            while True:
                await asyncio.sleep(5)
                writer.write(b"a")
                await writer.drain()
        except ConnectionError:
            pass  # the server has waited long enough
        finally:
            writer.close()

    tasks = []
    for number in range(count):
        tasks.append(asyncio.create_task(one()))
        if number % 200 == 199:
            await asyncio.sleep(0.05)
    await asyncio.sleep(1)
    return tasks


async def endless(port: int, count: int) -> list[asyncio.Task[None]]:
    """Bodies that never end: some come slowly, some as fast as they can; each that is refused comes again."""

    async def one(pause: float) -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(b"POST /v1/extract HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n")
                answered = asyncio.create_task(reader.read(100))
                try:
                    while not answered.done():
                        writer.write(b"4000\r\n" + b"x" * 0x4000 + b"\r\n")
                        await writer.drain()
                        await asyncio.sleep(pause)
                finally:
                    answered.cancel()
                    writer.close()
            await asyncio.sleep(0.1)

    return [asyncio.create_task(one(0.02 if number % 10 == 0 else 1.0)) for number in range(count)]


async def bombs(port: int, count: int) -> list[asyncio.Task[None]]:
    """Bodies of 1 GB in a few kB, one after the other."""
    made = [request_of("/v1/extract", bomb(each), f"content-encoding: {each}\r\n") for each in ("gzip", "br", "zstd")]

    async def one(number: int) -> None:
        while True:
            with contextlib.suppress(OSError):
                connection = await connected(port)
                assert await connection.ask(made[number % len(made)]) == 413
                assert connection.transport is not None
                connection.transport.close()
            await asyncio.sleep(0.25)

    return [asyncio.create_task(one(number)) for number in range(count)]


def bomb(packing: str) -> bytes:
    """1 GB of nothing, packed."""
    if packing == "gzip":
        stream = zlib.compressobj(9, wbits=31)
        return b"".join([*(stream.compress(bytes(1 << 20)) for _ in range(1024)), stream.flush()])
    return packed(bytes(1 << 30), packing)


ATTACKS: dict[str, tuple[Attack, int]] = {
    "10,000 connections that never send a whole head": (idle, 10_000),
    "100 bodies that never end": (endless, 100),
    "6 clients that send bombs of 1 GB": (bombs, 6),
}


async def attacked(name: str, port: int, requests: Sequence[bytes], rounds: int) -> float:
    """How much longer others take during an attack: the median of some rounds."""
    attack, count = ATTACKS[name]
    ratios = []
    await usual(port, requests, 30)
    for _ in range(rounds):
        alone = await usual(port, requests)
        tasks = await attack(port, count)
        during = await usual(port, requests)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.5)
        ratios.append(during / alone)
        print(f"  {name}: {1000 * alone:.1f} ms, then {1000 * during:.1f} ms", flush=True)
    return statistics.median(ratios)


def measure_attacks(files: Sequence[str], workers: int, rounds: int) -> None:
    """How much longer others take while somebody attacks."""
    requests = [request_of("/v1/extract", Path(file).read_bytes()) for file in files]
    for name in ATTACKS:
        with serving(workers) as server:
            ratio = asyncio.run(attacked(name, server.port, requests, rounds))
        print(f"{name}: others take {ratio:.2f} x their usual time (median of {rounds})", flush=True)


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=Path, default=EXAMPLES, help="a folder of pages (default: examples/)")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--requests", type=int, default=20_000, help="after which memory is compared")
    parser.add_argument("--only", choices=["speed", "memory", "attacks"])
    options = parser.parse_args()
    files = [str(file) for file in sorted(options.pages.rglob("*.htm*"))]
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(f"{len(files)} pages, {options.workers} workers, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    if options.only in (None, "speed"):
        measure_speed(files, options.workers, options.seconds, options.rounds)
    if options.only in (None, "attacks"):
        measure_attacks(files, options.workers, options.rounds)
    if options.only in (None, "memory"):
        measure_memory(files, options.workers, options.requests)


if __name__ == "__main__":
    main()
