"""The tools at /mcp of the server: its tokens, limits, store and fetching are theirs."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs fastwrap[mcp]")
pytest.importorskip("granian", reason="needs fastwrap[server]")

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

import fastwrap
from fastwrap.server.application import build
from fastwrap.server.settings import Limits, Settings
from tests.helpers.running import running

TOKENS = {"a-token-long-enough": "one", "another-long-token": "two"}
ITEMS = "".join(f"<li><a href=/{k}>Pan {k}</a> <i>{k}.90 EUR</i></li>" for k in range(1, 40))
HTML = f"<html lang=en><ul class=pans>{ITEMS}</ul>"
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HEADERS = {"accept": "application/json, text/event-stream"}


def talk(url: str, token: str, ask: Callable[[Client], Awaitable[None]], mode: str = "auto") -> None:
    async def run() -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
        ):
            await ask(client)

    asyncio.run(run())


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool says, or why it says nothing."""
    found = await client.call_tool(tool, arguments)
    return found.content[0].text if found.is_error else found.structured_content  # type: ignore[union-attr]


def test_the_tools_of_a_server(tmp_path: Path) -> None:
    settings = Settings(store=str(tmp_path / "w.db"), tokens=TOKENS, limits=Limits(body=200_000, depth=100))

    async def ask(client: Client) -> None:
        found = await call(client, "extract_table", html=HTML, want=["title", "price"])
        assert found["rows"][1] == ["Pan 2", {"amount": "2.90", "currency": "EUR"}]
        learned = await call(client, "learn_wrapper", pages=[{"page": found["page"]}], name="pans")
        assert learned["wrapper"] == "pans"
        assert (await call(client, "apply_wrapper", wrapper="pans", page=found["page"]))["fits"]
        assert "more than 100" in await call(client, "extract_table", html="<div>" * 200)
        assert "fetches nothing" in await call(client, "extract_table", url="https://shop.example/")
        assert "there are: pans" in await call(client, "apply_wrapper", wrapper="other", html=HTML)

    async def see_nothing(client: Client) -> None:
        assert "none yet" in await call(client, "apply_wrapper", wrapper="pans", html=HTML)

    with running(build(settings)) as url:
        for mode in ("auto", "legacy"):
            talk(url, "a-token-long-enough", ask, mode)
        talk(url, "another-long-token", see_nothing)
        # What an agent has learned is there for all who have its token.
        with fastwrap.Client(url, "a-token-long-enough") as client:
            assert len(client.wrapper("pans").extract(HTML)) == 39

        def post(**options: Any) -> httpx2.Response:
            headers = {**HEADERS, "authorization": "Bearer a-token-long-enough", **options.pop("headers", {})}
            return httpx2.post(f"{url}/mcp", headers=headers, trust_env=False, **options)

        assert len(post(json=LIST).json()["result"]["tools"]) == 5
        assert post(json=LIST, headers={"authorization": "Bearer wrong"}).status_code == 401
        assert post(json=LIST, headers={"origin": "http://evil.example"}).json()["type"].endswith("origin-not-allowed")
        assert post(json=LIST, headers={"host": "evil.example"}).json()["type"].endswith("host-not-allowed")
        assert post(content=b" " * 200_001).json()["type"].endswith("body-too-large")
        assert post(content=b"no JSON", headers={"content-type": "application/json"}).status_code == 400
        refused = httpx2.get(f"{url}/mcp", headers={"authorization": "Bearer a-token-long-enough"}, trust_env=False)
        assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


def test_fetching_is_guarded(tmp_path: Path) -> None:
    async def ask(client: Client) -> None:
        for url in ("http://127.0.0.1/", "http://2130706433/", "http://[::ffff:10.0.0.1]/", "http://169.254.169.254/"):
            assert "not a public address" in await call(client, "extract_table", url=url)
        assert "only http and https" in await call(client, "page_content", url="file:///etc/passwd")

    with running(build(Settings(store=str(tmp_path / "w.db"), allow_fetch=True))) as url:
        talk(url, "", ask)


def test_time_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: Any) -> dict[str, Any]:
        while True:
            json.dumps({})

    monkeypatch.setattr("fastwrap.agents.tools.table", slow)
    limits = Limits(seconds=0.2)

    async def ask(client: Client) -> None:
        assert "took longer than 0.2 s" in await call(client, "extract_table", html=HTML)
        assert (await call(client, "page_content", html=HTML))["text"]

    with running(build(Settings(store=str(tmp_path / "w.db"), limits=limits))) as url:
        talk(url, "", ask)


WITHOUT = """
import sys

sys.modules["mcp"] = None
from tests.helpers.serving import calling

with calling() as caller:
    print(caller.post("/mcp", json={}).json()["detail"])
"""


def test_without_the_sdk_it_says_what_to_install() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, timeout=300)
    assert done.stdout == "mcp is not installed: pip install 'fastwrap[mcp]'\n", done.stderr
