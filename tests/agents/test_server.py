"""The tools as a server of the Model Context Protocol, asked by the client of the official SDK: over standard input and
output, over HTTP, and in this process. Nothing is fetched unless it is allowed, and no file is read."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs fastwrap[mcp]")

import httpx2
from mcp import Client, StdioServerParameters, stdio_client

import fastwrap
from fastwrap import FastwrapError
from fastwrap.agents import server as agents_server
from fastwrap.agents.keeping import KeptPage, Shelf, WrappersInFolder, WrappersInMemory
from fastwrap.agents.mounted import HttpDoor
from fastwrap.agents.server import Agents, guarded_fetch
from fastwrap.fetching import Fetched
from tests.helpers.running import running
from tests.helpers.server import Site, answer

ITEMS = "".join(f"<li><a href=/{k}>Pan {k}</a> <i>{k}.90 EUR</i></li>" for k in range(1, 40))
HTML = f"<html lang=en><ul class=pans>{ITEMS}</ul>"


def talk(server: Any, ask: Callable[[Client], Awaitable[None]], mode: str = "auto") -> None:
    """Ask a server, whatever a client takes for one."""

    async def run() -> None:
        async with Client(server, mode=mode) as client:
            await ask(client)

    asyncio.run(run())


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool says; its text and its data are the same."""
    found = await client.call_tool(tool, arguments)
    assert not found.is_error, found.content
    assert json.loads(found.content[0].text) == found.structured_content  # type: ignore[union-attr]
    return dict(found.structured_content)


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Why a tool says nothing."""
    found = await client.call_tool(tool, arguments)
    assert found.is_error
    return str(found.content[0].text)  # type: ignore[union-attr]


async def ask_all(client: Client) -> None:
    """All tools, as an agent would use them."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(listed) == {"extract_table", "page_content", "learn_wrapper", "apply_wrapper", "explain_table"}
    assert all(tool.description for tool in listed.values())
    assert {name for name, tool in listed.items() if tool.annotations and tool.annotations.read_only_hint} == (
        set(listed) - {"learn_wrapper"}
    )
    for tool in listed.values():
        assert not {"path", "file", "context"} & tool.input_schema["properties"].keys()
    found = await call(client, "extract_table", html=HTML, url="https://shop.example/", want=["title", "price"])
    assert found["rows"][1] == ["Pan 2", {"amount": "2.90", "currency": "EUR"}]
    page = found["page"]
    again = await call(client, "extract_table", page=page, start=38)
    assert (again["page"], again["first_row"], again["next_start"]) == (page, 38, None)
    assert again["rows"][0][0] == "https://shop.example/39"
    why = await call(client, "explain_table", page=page)
    assert why["reasons"][0]["because"]
    text = await call(client, "page_content", page=page, format="text")
    assert "Pan 3" in text["text"]
    learned = await call(client, "learn_wrapper", pages=[{"page": page}, {"html": HTML}], name="pans")
    assert (learned["wrapper"], learned["kind"]) == ("pans", "list")
    applied = await call(client, "apply_wrapper", wrapper="pans", html=HTML.replace("Pan", "Lid"))
    assert (applied["fits"], applied["rows"][4][1]) == (True, "Lid 5")
    assert "fetches nothing" in await refused(client, "extract_table", url="https://shop.example/")
    assert "there is no wrapper 'other'; there are: pans" in await refused(
        client, "apply_wrapper", wrapper="other", page=page
    )
    assert "give the page" in await refused(client, "extract_table")
    assert "not kept any more" in await refused(client, "page_content", page="page-0")
    assert "this one is a path" in await refused(client, "extract_table", html="/etc/passwd")
    assert "cannot name a wrapper" in await refused(client, "learn_wrapper", pages=[{"page": page}], name="../x")
    assert "this is a PDF" not in await refused(client, "extract_table", html="{}")
    assert "validation error" in await refused(client, "extract_table", page=page, start=-1)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_standard_input_and_output(mode: str) -> None:
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "fastwrap", "mcp"])
    talk(stdio_client(parameters), ask_all, mode)


@pytest.fixture
def door() -> Iterator[str]:
    """The address of the tools, mounted in a web server."""
    with running(HttpDoor(lambda: Agents())) as url:
        yield f"{url}/mcp"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_http(door: str, mode: str) -> None:
    talk(door, ask_all, mode)


def test_http_bodies_are_bounded(door: str) -> None:
    answered = httpx2.post(
        door, content=b"x" * 16_000_001, headers={"content-type": "application/json"}, trust_env=False
    )
    assert answered.status_code == 413
    assert httpx2.post(door, content=b"{}", headers={"content-type": "text/html"}, trust_env=False).status_code == 400
    assert httpx2.get(door, trust_env=False).status_code == httpx2.delete(door, trust_env=False).status_code == 405


def test_a_mounted_door_is_opened_late_and_closed() -> None:
    made: list[Agents] = []

    def make() -> Agents:
        made.append(Agents())
        return made[-1]

    async def ask() -> list[int]:
        door = HttpDoor(make)
        assert not made
        said = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        headers = {"accept": "application/json, text/event-stream"}
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(door), base_url="http://t.example") as client:
            answers = await asyncio.gather(*(client.post("/mcp", json=said, headers=headers) for _ in range(5)))
        await door.close()
        assert len(answers[0].json()["result"]["tools"]) == 5
        return [each.status_code for each in answers]

    assert asyncio.run(ask()) == [200] * 5
    assert len(made) == 1
    asyncio.run(HttpDoor(make).close())


# Fetching


def test_fetching_where_it_is_allowed(site: Site) -> None:
    site.answers |= {"/list": answer(HTML.encode()), "/robots.txt": answer(b"User-agent: *\nDisallow: /no")}

    async def ask(client: Client) -> None:
        found = await call(client, "extract_table", url=site.url + "/list")
        assert (found["total_rows"], found["url"]) == (39, site.url + "/list")
        asked = len(site.asked)
        assert (await call(client, "extract_table", page=found["page"], start=3))["first_row"] == 3
        assert len(site.asked) == asked
        # A page that is not kept any more is fetched again.
        assert (await call(client, "extract_table", page="page-0", url=site.url + "/list"))["total_rows"] == 39
        assert "robots.txt does not allow it" in await refused(client, "page_content", url=site.url + "/no")
        tools = (await client.list_tools()).tools
        assert all(tool.annotations and tool.annotations.open_world_hint for tool in tools)

    talk(Agents(fetch=guarded_fetch(allow_private=True)).server(), ask)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://2130706433/", "http://[::ffff:10.0.0.1]/", "http://169.254.169.254/latest/",
        "file:///etc/passwd", "ftp://a.example/", "/etc/passwd", "http://user:word@a.example/",
    ],
)  # fmt: skip
def test_what_is_never_fetched(url: str) -> None:
    async def ask(client: Client) -> None:
        said = await refused(client, "extract_table", url=url)
        assert "not a public address" in said or "only http and https" in said or "with a password" in said
        said = await refused(client, "learn_wrapper", pages=[{"url": url}])
        assert "not a public address" in said or "only http and https" in said or "with a password" in said

    talk(Agents(fetch=guarded_fetch()).server(), ask)


def test_the_command_line_fetches_public_addresses_alone() -> None:
    async def ask(client: Client) -> None:
        assert "not a public address" in await refused(client, "extract_table", url="http://127.0.0.1:9/")

    arguments = ["-m", "fastwrap", "mcp", "--allow-fetch", "--most", "2000"]
    talk(stdio_client(StdioServerParameters(command=sys.executable, args=arguments)), ask)


# What is kept


def test_callers_do_not_see_each_other() -> None:
    who = ["a"]
    agents = Agents(caller=lambda _: who[0])

    async def ask(client: Client) -> None:
        page = (await call(client, "extract_table", html=HTML))["page"]
        await call(client, "learn_wrapper", pages=[{"page": page}], name="pans")
        who[0] = "b"
        assert "not kept" in await refused(client, "extract_table", page=page)
        assert "there are: none yet" in await refused(client, "apply_wrapper", wrapper="pans", html=HTML)

    talk(agents.server(), ask)


def test_shelves_are_bounded() -> None:
    shelf = Shelf(pages=3, most=1_200)
    names = [shelf.put("a", KeptPage("x" * 300, None)).name for _ in range(3)]
    assert shelf.get("a", names[0]) is not None
    last = shelf.put("a", KeptPage("x" * 350, None)).name
    assert [shelf.get("a", name) is not None for name in (*names, last)] == [True, False, True, True]
    huge = shelf.put("a", KeptPage("x" * 2_000, None)).name
    assert [shelf.get("a", name) is not None for name in (*names, last, huge)] == [False] * 4 + [True]


def test_wrappers_in_memory_and_in_a_folder(tmp_path: Path) -> None:
    file = fastwrap.learn(HTML).dumps()

    async def ask() -> None:
        memory, folder = WrappersInMemory(), WrappersInFolder(tmp_path / "new" / "wrappers")
        for kept in (memory, folder):
            assert await kept.get("a", "pans") is None
            await kept.put("a", "pans", file)
            assert await kept.get("a", "pans") == file
            assert await kept.names("a") == ["pans"]
            with pytest.raises(FastwrapError, match="cannot name"):
                await kept.put("a", "../pans", file)
        assert fastwrap.Wrapper.load(tmp_path / "new" / "wrappers" / "pans.json").dumps() == file
        with pytest.raises(FastwrapError, match="cannot name"):
            await folder.get("a", "/etc/passwd")
        for number in range(WrappersInMemory.MOST + 5):
            await memory.put("a", f"w{number}", "x")
        assert await memory.get("a", "w4") is None
        assert await memory.get("a", "w5") == "x"
        assert len(await memory.names("a")) == 20

    asyncio.run(ask())


def test_learned_in_one_run_and_applied_in_the_next(tmp_path: Path) -> None:
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "fastwrap", "mcp", "--wrappers", str(tmp_path)]
    )

    async def learn(client: Client) -> None:
        assert (await call(client, "learn_wrapper", pages=[{"html": HTML}], name="pans"))["lists"] == 1

    async def apply(client: Client) -> None:
        assert (await call(client, "apply_wrapper", wrapper="pans", html=HTML))["total_rows"] == 39

    talk(stdio_client(parameters), learn)
    talk(stdio_client(parameters), apply)


# Limits


def test_calls_are_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents_server, "SECONDS", 0.1)
    end = threading.Event()

    async def slow(_: str) -> Fetched:
        return await agents_server.in_a_thread(lambda: Fetched(str(end.wait(20)).encode(), ""))

    async def ask(client: Client) -> None:
        began = time.monotonic()
        assert "it took longer than 0.1 s" in await refused(client, "extract_table", url="http://a.example/")
        assert time.monotonic() - began < 15
        end.set()

    talk(Agents(fetch=slow).server(), ask)


def test_the_logging_of_the_process_is_left_alone() -> None:
    before = logging.root.handlers[:], logging.root.level
    Agents().server()
    assert (logging.root.handlers, logging.root.level) == before


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents_server, "MOST_LETTERS", 100)

    async def ask(client: Client) -> None:
        assert "more than 100" in await refused(client, "extract_table", html="<p>" * 50)
        assert "at most 20 pages" in await refused(client, "learn_wrapper", pages=[{"html": "<p>"}] * 21)

    talk(Agents().server(), ask)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--most", "1"], "--most takes"), (["--timeout", "0", "--allow-fetch"], "--timeout takes")],
)
def test_bad_use(arguments: list[str], message: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fastwrap", "mcp", *arguments], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_without_the_sdk() -> None:
    code = "import sys; sys.modules['mcp'] = None\nfrom fastwrap.cli import main\nsys.exit(main(['mcp']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "fastwrap: mcp is not installed: pip install 'fastwrap[mcp]'\n"
    loaded = "import sys, fastwrap.agents.mounted, fastwrap.cli.mcp; print('mcp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
