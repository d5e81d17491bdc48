"""The client and the server of this version speak the same language: what the library gives, the server gives."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("granian", reason="needs fastwrap[server]")

import fastwrap
from fastwrap import AsyncClient, Client, FastwrapError
from fastwrap.client import Patience, RemoteError
from fastwrap.server.application import build
from fastwrap.server.settings import Limits, Settings
from tests.helpers.running import running

TOKEN = "a-token-long-enough"  # noqa: S105 - of this test alone
URL = "https://shop.example/list"
ITEMS = "".join(f"<li><a href=/{k}>Pan {k}</a> <i>{k}.90 EUR</i> <u>{k + 1} March 2024</u></li>" for k in range(1, 9))
HTML = f"<html lang=en><ul class=pans>{ITEMS}</ul><a rel=next href='?page=2'>next</a>"
DETAIL = "<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    store = tmp_path_factory.mktemp("store") / "wrappers.db"
    settings = Settings(store=str(store), tokens={TOKEN: "tests"}, limits=Limits(body=300_000, depth=100))
    with running(build(settings)) as url:
        yield url


@pytest.fixture
def client(server: str) -> Iterator[Client]:
    with Client(server, TOKEN) as made:
        yield made


@pytest.mark.parametrize(
    "options",
    [
        {}, {"method": "signal"}, {"clean": True}, {"clean": "printed"}, {"min_confidence": 1.0}, {"columns": "all"},
        {"main": "longest"}, {"structured": False}, {"want": ["price", "title"]},
        {"want": {"price": float, "title": str, "what": Any}}, {"want": ["a, b: c"]}, {"encoding": "latin-1"},
    ],
)  # fmt: skip
def test_options(client: Client, options: dict[str, Any]) -> None:
    html = HTML.encode()
    remote, local = client.extract(html, URL, **options), fastwrap.extract(html, URL, **options)
    assert remote.to_json() == local.to_json()
    assert (remote.to_dicts(), remote.rows, remote.limits) == (local.to_dicts(), local.rows, local.limits)


def test_pages(client: Client, example: bytes) -> None:
    assert client.extract(example, URL).to_json() == fastwrap.extract(example, URL).to_json()
    assert client.content(example, URL).to_dict() == fastwrap.content(example, URL).to_dict()


def test_strings_and_encodings(client: Client) -> None:
    for html, encoding in ((HTML.replace("Pan", "Pfännchen €"), None), (HTML.encode("utf-16"), None)):
        assert client.extract(html, encoding=encoding).to_json() == fastwrap.extract(html).to_json()
    latin = HTML.replace("Pan", "Pf\xe4nnchen").encode("latin-1")
    local = fastwrap.extract(latin, encoding="text/html; charset=latin-1")
    assert client.extract(latin, encoding="text/html; charset=latin-1").to_json() == local.to_json()


def test_methods_and_one_thing(client: Client) -> None:
    assert client.methods() == fastwrap.methods()
    assert client.extract(DETAIL).rows == fastwrap.extract(DETAIL).rows


def test_wrappers(client: Client, tmp_path: Path) -> None:
    wrapper = client.learn([HTML, HTML.replace("Pan", "Lid")], URL, id="pans", want=["title", "price"])
    local = fastwrap.learn([HTML, HTML.replace("Pan", "Lid")], URL, want=["title", "price"])
    assert (wrapper.id, wrapper.version) == ("pans", 1)
    assert json.loads(wrapper.dumps()) == json.loads(local.dumps())
    read, here = wrapper.extract(HTML, URL), local.extract(HTML, URL)
    assert read.to_dicts() == here.to_dicts()
    assert read.fit == pytest.approx(here.fit)
    assert (read.wrapper.id, read.wrapper.version) == ("pans", 1)
    wrapper.save(tmp_path / "pans.json")
    assert fastwrap.Wrapper.load(tmp_path / "pans.json").extract(HTML, URL).to_dicts() == here.to_dicts()
    again = client.learn(HTML, URL, previous=wrapper, examples=[{"what": "Pan 3", "cost": 3.9}])
    assert (again.id, again.version) == ("pans", 2)
    assert again.extract(HTML)[1]["what"] == "Pan 2"
    assert client.keep("others", local).version == 1
    assert list(client.wrappers()) == ["others", "pans"]
    assert client.wrapper("others").dumps() == local.dumps()
    for id in ("others", "pans"):
        client.wrapper(id).delete()
    assert list(client.wrappers()) == []
    with pytest.raises(RemoteError, match="there is no wrapper 'pans'") as raised:
        client.wrapper("pans")
    assert (raised.value.status, raised.value.problem) == (404, "not-found")
    assert raised.value.request_id
    with pytest.raises(RemoteError) as raised:
        client.learn("<p>x")
    assert raised.value.problem == "nothing-to-learn"


def test_auto(client: Client) -> None:
    first = client.auto_extract(HTML, URL)
    assert (first.wrapper.happened, len(first)) == ("learned", 8)
    second = client.auto_extract(HTML.replace("Pan", "Lid"), URL + "?page=2")
    assert (second.wrapper.happened, second[0]["title"]) == ("applied", "Lid 1")
    assert second.fit > 0.5
    assert (second.wrapper.fits, second.wrapper.is_candidate, second.wrapper.site) == (True, False, "shop.example")
    table = "".join(f"<tr><td>{k}.<td><a href=/n/{k}>Story no. {k}</a><td>{k * 7} points" for k in range(9))
    other = client.auto_extract(f"<table>{table}</table>", URL)
    assert (other.wrapper.happened, other.wrapper.is_candidate) == ("learned again", True)
    drift = client.wrapper(other.wrapper.id or "").extract(HTML.replace("EUR", "")).drift
    assert [each.detail for each in drift if each.column == "price"] != [""]
    for id in client.wrappers():
        client.wrapper(id).delete()


@pytest.mark.parametrize(
    ("html", "problem", "status"),
    [
        ("<p>x" * 100_000, "body-too-large", 413),
        ("<div>" * 200, "page-too-deep", 422),
        (None, "fetching-not-allowed", 403),
    ],
)
def test_problems(client: Client, html: str | None, problem: str, status: int) -> None:
    with pytest.raises(RemoteError) as raised:
        client.extract(html, URL)
    assert (raised.value.problem, raised.value.status) == (problem, status)


def test_tokens(server: str) -> None:
    for token in (None, "another-token-than-that"):
        with Client(server, token) as client, pytest.raises(RemoteError) as raised:
            client.methods()
        assert (raised.value.problem, raised.value.status) == ("unauthorized", 401)


def test_rates(tmp_path: Path) -> None:
    limits = Limits(rate=1.0, burst=1.0)
    with running(build(Settings(store=str(tmp_path / "w.db"), limits=limits))) as url:
        with Client(url, patience=Patience(retries=0)) as client:
            for _ in range(9):
                with suppress(RemoteError):
                    client.methods()
            with pytest.raises(RemoteError) as raised:
                client.methods()
            assert (raised.value.problem, raised.value.status) == ("too-many-requests", 429)
        with Client(url) as client:  # which waits as long as it is told to
            assert client.methods() == fastwrap.methods()


def test_the_async_client(server: str) -> None:
    async def ask() -> None:
        async with AsyncClient(server, TOKEN) as client:
            found = await asyncio.gather(*(client.extract(HTML, f"{URL}?page={number}") for number in range(9)))
            assert [each.url for each in found] == [f"{URL}?page={number}" for number in range(9)]
            assert found[0].to_dicts() == fastwrap.extract(HTML, URL).to_dicts()
            wrapper = await client.learn(HTML, URL)
            assert len(await wrapper.extract(HTML)) == 8
            await wrapper.delete()
            with pytest.raises(FastwrapError, match="there is no wrapper"):
                await client.wrapper(wrapper.id)

    asyncio.run(ask())
