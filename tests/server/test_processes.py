"""`fastwrap serve` as processes: workers that share a port and a store, end in good order, and are replaced."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import httpx2
import pytest

import fastwrap
from tests.helpers.problems import problem
from tests.helpers.serving import HANG, Served, redesigned, serving, shop


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served"), "--workers", "2", "--max-body", "200000") as made:
        yield made


def test_it_answers_what_the_library_answers(served: Served, example: bytes) -> None:
    if len(example) > 200_000:
        pytest.skip("larger than this server reads")
    with httpx2.Client(base_url=served.url, timeout=HANG) as client:
        answer = client.post("/v1/extract", content=example, headers={"content-type": "text/html"})
    assert answer.content.decode() == fastwrap.extract(example).to_json()


def test_all_workers_answer_and_metrics_are_of_all(served: Served) -> None:
    for _ in range(60):
        with httpx2.Client(base_url=served.url, timeout=HANG) as client:
            assert client.get("/v1/methods").status_code == 200
    deadline = time.monotonic() + HANG
    while time.monotonic() < deadline:
        lines = [line for line in served.events("request") if line["route"] == "/v1/methods"]
        if len(lines) >= 60:
            break
        time.sleep(0.05)
    assert {line["process"] for line in lines} == set(served.workers())
    told = httpx2.get(f"{served.url}/metrics", timeout=HANG).text
    counted = [line for line in told.splitlines() if line.startswith('fastwrap_requests_total{route="/v1/methods"')]
    assert float(counted[0].split()[-1]) >= 60


def test_a_changed_wrapper_is_seen_by_all_workers_within_a_second(served: Served) -> None:
    def seen() -> set[str]:
        tags = set()
        for _ in range(12):
            with httpx2.Client(base_url=served.url, timeout=HANG) as client:
                answer = client.post("/v1/wrappers/seen/extract", content=shop(), headers={"content-type": "text/html"})
                tags.add(answer.json()["wrapper"]["etag"])
        return tags

    with httpx2.Client(base_url=served.url, timeout=HANG) as client:
        first = client.put("/v1/wrappers/seen", content=fastwrap.learn(shop()).dumps()).json()["etag"]
        assert seen() == {first}
        second = client.put("/v1/wrappers/seen", content=fastwrap.learn(shop(), want=["price"]).dumps()).json()["etag"]
        time.sleep(1.0)
        assert seen() == {second} != {first}


def raw(served: Served, data: bytes) -> bytes:
    """What comes back for some bytes, until the server closes."""
    with closing(socket.create_connection((served.host, served.port), timeout=HANG)) as connection:
        connection.sendall(data)
        answer = b""
        while piece := connection.recv(65_536):
            answer += piece
        return answer


def test_bodies_are_counted_on_the_wire(served: Served) -> None:
    head = f"POST /v1/extract HTTP/1.1\r\nhost: {served.host}\r\ncontent-type: text/html\r\n"
    declared = raw(served, f"{head}content-length: 99999999\r\n\r\n<p>".encode())
    assert declared.startswith(b"HTTP/1.1 413 ")
    chunk = b"%x\r\n%s\r\n" % (50_000, b"x" * 50_000)
    chunked = raw(served, f"{head}transfer-encoding: chunked\r\n\r\n".encode() + 5 * chunk)
    assert chunked.startswith(b"HTTP/1.1 413 ")
    assert json.loads(chunked.partition(b"\r\n\r\n")[2])["limit"] == 200_000


def test_a_body_that_breaks_off(served: Served) -> None:
    head = f"POST /v1/extract HTTP/1.1\r\nhost: {served.host}\r\ncontent-type: text/html\r\n"
    answer = raw(served, f"{head}transfer-encoding: chunked\r\n\r\nno size\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"broke off" in answer


def test_bytes_that_are_no_request(served: Served) -> None:
    for bad in (b"GET\r\n\r\n", b"\x16\x03\x01\x02\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /a b HTTP/1.1\r\n\r\n"):
        assert b" 200 " not in raw(served, bad)


def test_batches_are_streamed(served: Served) -> None:
    """The first line is answered before the last one is sent."""
    with closing(socket.create_connection((served.host, served.port), timeout=HANG)) as connection:
        head = f"POST /v1/extract/batch HTTP/1.1\r\nhost: {served.host}\r\ntransfer-encoding: chunked\r\n\r\n"
        line = json.dumps({"html": shop()}).encode() + b"\n"
        connection.sendall(head.encode() + b"%x\r\n%s\r\n" % (len(line), line))
        answer = b""
        while b'"status":200' not in answer:
            piece = connection.recv(65_536)
            assert piece, answer
            answer += piece
        connection.sendall(b"%x\r\n%s\r\n0\r\n\r\n" % (len(line), line))
        while not answer.endswith(b"\r\n0\r\n\r\n"):
            answer += connection.recv(65_536)
    assert answer.count(b'"status":200') == 2


def test_a_worker_that_is_killed_is_replaced(served: Served) -> None:
    before = served.workers()
    for worker in before:  # one after the other, and faster than others would take
        os.kill(worker, signal.SIGKILL)
    deadline = time.monotonic() + HANG
    answered = False
    while time.monotonic() < deadline:
        now = served.workers()
        if len(now) == 2 and not set(now) & set(before):
            try:
                with httpx2.Client(base_url=served.url, timeout=HANG) as client:
                    answered = client.get("/ready").status_code == 200
            except httpx2.TransportError:
                answered = False
            if answered:
                break
        time.sleep(0.05)
    assert answered
    assert served.process.poll() is None


def test_what_was_accepted_is_answered_before_the_end(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "1", "--threads", "1") as served, ExitStack() as stack:
        pages = [shop(k, 300).encode() for k in range(4)]
        connections = []
        for page in pages:
            connection = stack.enter_context(socket.create_connection((served.host, served.port), timeout=HANG))
            head = f"POST /v1/extract HTTP/1.1\r\nhost: {served.host}\r\ncontent-type: text/html\r\n"
            connection.sendall(f"{head}content-length: {len(page)}\r\nexpect: 100-continue\r\n\r\n".encode())
            assert connection.recv(65_536).startswith(b"HTTP/1.1 100 ")  # the route waits for the body
            connections.append(connection)
        served.process.send_signal(signal.SIGTERM)
        for connection, page in zip(connections, pages, strict=True):
            connection.sendall(page)
            assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
        assert served.process.wait(HANG) == 0
        assert served.lines[-1] == "ended" or served.wait_for("ended")


def test_workers_end_with_their_supervisor(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "2") as served:
        workers = served.workers()
        served.process.kill()
        deadline = time.monotonic() + HANG
        while any(is_alive(worker) for worker in workers) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(is_alive(worker) for worker in workers)


def is_alive(process: int) -> bool:
    """Whether a process runs; one that nobody has waited for is dead."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_nothing_acknowledged_is_lost_when_all_is_killed(tmp_path: Path) -> None:
    acknowledged: dict[str, str] = {}
    learned = [fastwrap.learn(page).dumps() for page in (shop(), redesigned())]
    with serving(tmp_path, "--workers", "2") as served:
        workers = served.workers()
        killed = threading.Event()

        def put(k: int) -> None:
            with httpx2.Client(base_url=served.url, timeout=HANG) as client:
                while not killed.is_set():
                    name = f"w{k}-{len(acknowledged)}"
                    try:
                        answer = client.put(f"/v1/wrappers/{name}", content=learned[len(name) % 2])
                    except httpx2.TransportError:
                        continue
                    if answer.status_code == 201:
                        acknowledged[name] = answer.json()["etag"]

        with ThreadPoolExecutor(8) as threads:
            tasks = [threads.submit(put, k) for k in range(8)]
            end = time.monotonic() + HANG
            while len(acknowledged) < 50 and time.monotonic() < end:
                time.sleep(0.01)
            os.kill(workers[0], signal.SIGKILL)
            while len(acknowledged) < 120 and time.monotonic() < end:
                time.sleep(0.01)
            for process in [served.process.pid, *served.workers()]:
                os.kill(process, signal.SIGKILL)
            killed.set()
            for task in tasks:
                task.result()
        served.process.wait(HANG)
    with serving(tmp_path, "--workers", "1") as served, httpx2.Client(base_url=served.url, timeout=HANG) as client:
        for name, tag in acknowledged.items():
            answer = client.get(f"/v1/wrappers/{name}")
            assert answer.status_code == 200, name
            assert answer.headers["etag"] == f'"{tag}"'
        kept = client.get("/v1/wrappers", params={"limit": 1000}).json()["wrappers"]
        for each in kept:
            fastwrap.Wrapper.loads(client.get(f"/v1/wrappers/{each['id']}").content)  # none is half-written
    assert len(kept) >= len(acknowledged) >= 120


def serve(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `fastwrap serve` where it does not come to serving."""
    return subprocess.run(
        [sys.executable, "-m", "fastwrap", "serve", *arguments],
        capture_output=True,
        text=True,
        timeout=HANG,
        env={**os.environ, **environment},
    )


def test_bad_starts(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("short")
    for arguments, said in (
        (("--host", "0.0.0.0"), "give a token"),  # noqa: S104 - it does not come to that
        (("--token-file", str(tokens)), "too short"),
        (("--token-file", str(tmp_path / "nowhere")), "cannot be read"),
        (("--workers", "0"), "from 1 to 256"),
        (("--max-body", "-1"), "above 0"),
        (("--port", "99999"), "0 to 65535"),
        (("--host", "no.such.host.invalid", "--token-file", str(tokens)), "too short"),
    ):
        done = serve(*arguments)
        assert done.returncode == 2
        assert said in done.stderr
        assert done.stdout == ""
    taken = socket.create_server(("127.0.0.1", 0))
    with closing(taken):
        done = serve("--port", str(taken.getsockname()[1]))
        assert done.returncode == 2
        assert "cannot listen" in done.stderr
    done = serve("--port", "0", "--store", str(tmp_path / "no folder" / "a.db"))
    assert done.returncode == 2
    assert "cannot be opened" in done.stderr
    assert "Traceback" not in done.stderr


def test_tokens_from_the_environment(tmp_path: Path) -> None:
    token = "a-token-of-the-environment"  # noqa: S105 - of nobody
    with serving(tmp_path, "--workers", "1", environment={"FASTWRAP_TOKEN": token}) as served:
        problem(httpx2.get(f"{served.url}/metrics", timeout=HANG), "unauthorized", 401)
        allowed = httpx2.get(f"{served.url}/metrics", timeout=HANG, headers={"authorization": f"Bearer {token}"})
        assert allowed.status_code == 200
        command = Path(f"/proc/{served.workers()[0]}/cmdline").read_text()
        assert token not in command
    assert token not in "".join(served.lines)


STUCK = '''
import os
from fastwrap.server import pool

def stuck(self, grace):
    """All threads, once, when there is a file that says so."""
    try:
        os.remove("stuck")
    except FileNotFoundError:
        return 0
    return self.threads

pool.Pool.stuck = stuck
'''


def test_a_worker_whose_threads_are_stuck_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(STUCK)  # imported by every process whose path has it
    with serving(tmp_path, "--workers", "1", environment={"PYTHONPATH": str(tmp_path)}) as served:
        before = served.workers()
        (tmp_path / "stuck").touch()
        served.wait_for('"event":"stuck"')
        deadline = time.monotonic() + HANG
        while set(served.workers()) & set(before) and time.monotonic() < deadline:
            time.sleep(0.02)
        now = served.workers()
        assert len(now) == 1
        assert now != before
        with httpx2.Client(base_url=served.url, timeout=HANG) as client:
            assert client.get("/ready").status_code == 200
            assert "fastwrap_replaced_workers_total 1.0" in client.get("/metrics").text
        assert not served.events("worker ended")  # it was not one that died
