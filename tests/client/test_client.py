"""Clients: what the server makes of a page is what the library makes of it, typed and whole; both clients ask alike."""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx2
import pytest

import fastwrap
from fastwrap import AsyncClient, Client, FastwrapError
from fastwrap.client import Patience, RemoteError
from fastwrap.types import Money
from tests.helpers.table_server import TableServer

ITEMS = "".join(
    f"<li><a href=/{k}>Pan {k}</a> <i>{k}.90 EUR</i> <u>{k + 1} March 2024</u> <b>{k * 3} reviews</b>"
    f"<p><span>tag {k}</span><span>other {k}</span><span>third</span></p></li>"
    for k in range(1, 8)
)
HTML = f"<html lang=en><ul class=pans>{ITEMS}</ul><a rel=next href='?page=2'>next</a>"
URL = "https://shop.example/list"
DETAIL = "<title>Oak table</title><h1>Oak table</h1><p>Price: 120 EUR<p>Width: 80 cm"


@pytest.fixture
def server() -> TableServer:
    return TableServer()


@pytest.fixture
def client(server: TableServer) -> Client:
    return Client("https://tables.example", "secret", transport=server.transport)


def same(remote: fastwrap.Extraction, local: fastwrap.Extraction) -> None:
    """All that both have is the same."""
    assert remote.to_json() == local.to_json()
    for name in ("url", "confidence", "next_page", "kind", "missing", "columns"):
        if name != "columns":
            assert getattr(remote, name) == getattr(local, name), name
    assert remote.to_dicts() == local.to_dicts()
    assert remote.to_csv() == local.to_csv()
    assert len(remote.regions) == len(local.regions)
    for ours, theirs in zip(local.regions, remote.regions, strict=True):
        assert theirs.score == ours.score
        assert [record.values for record in theirs] == [record.values for record in ours]
        assert [record.texts for record in theirs] == [record.texts for record in ours]
        assert [(record.text, record.link) for record in theirs] == [(record.text, record.link) for record in ours]
        told = [(each.name, each.type, each.role, each.unit, len(each.columns)) for each in theirs.columns]
        assert told == [(each.name, each.type, each.role, each.unit, len(each.columns)) for each in ours.columns]
    assert (remote.record is None) == (local.record is None or local.kind == "list")  # of a list it is not sent
    if remote.record is not None and local.record is not None:
        assert dict(remote.record) == dict(local.record)


def test_a_page(client: Client, server: TableServer) -> None:
    found = client.extract(HTML, URL)
    same(found, fastwrap.extract(HTML, URL))
    assert isinstance(found, fastwrap.Extraction)
    assert isinstance(found[0], fastwrap.Record)
    assert isinstance(found.regions[0], fastwrap.Region)
    assert found[1]["price"] == Money(Decimal("2.90"), "EUR")
    assert found[1]["date"] == date(2024, 3, 3)
    assert found.next_page == "https://shop.example/list?page=2"
    assert found.limits == ("regions.edits", "columns.width")
    assert found.page.text() == fastwrap.Page(HTML).text()
    (request,) = server.asked
    assert request.headers["authorization"] == "Bearer secret"
    assert (request.method, request.url.path, request.content) == ("POST", "/v1/extract", HTML.encode())


def test_examples(client: Client, example: bytes) -> None:
    same(client.extract(example, URL), fastwrap.extract(example, URL))


def test_frames(client: Client) -> None:
    assert client.extract(HTML, URL).to_arrow().equals(fastwrap.extract(HTML, URL).to_arrow())


@pytest.mark.parametrize(
    "options",
    [
        {"method": "signal"},
        {"clean": True},
        {"clean": "printed"},
        {"min_confidence": 1.0},
        {"columns": "all"},
        {"main": "longest"},
        {"structured": False},
        {"want": ["price", "title"]},
        {"want": {"price": float, "title": str, "what": Any}},
        {"want": ["a, b: c"]},
    ],
)
def test_options(client: Client, options: dict[str, Any]) -> None:
    remote, local = client.extract(HTML, URL, **options), fastwrap.extract(HTML, URL, **options)
    same(remote, local)
    assert remote.rows == local.rows


def test_rows_of_a_class(client: Client) -> None:
    @dataclass
    class Pan:
        title: str
        price: float
        colour: str = "black"

    assert client.extract(HTML, want=Pan).rows[0] == Pan("Pan 1", 1.9) == fastwrap.extract(HTML, want=Pan).rows[0]

    @dataclass
    class Tree:
        height: float

    for extract in (client.extract, fastwrap.extract):
        with pytest.raises(FastwrapError, match="there is no column for 'height'"):
            _ = extract(HTML, want=Tree).rows


def test_a_page_about_one_thing(client: Client) -> None:
    found = client.extract(DETAIL)
    same(found, fastwrap.extract(DETAIL))
    assert found.kind == "detail"
    assert found.record is not None
    assert found.record["Price"] == Money(Decimal(120), "EUR")
    assert client.extract(DETAIL, want=["Width"]).rows == [{"Width": 80}]


def test_what_pages_are_given_as(client: Client, server: TableServer, tmp_path: Path) -> None:
    latin = "<meta charset=utf-8><p>caf\xe9".encode("latin-1")
    path = tmp_path / "page.html"
    path.write_bytes(HTML.encode())
    same(client.extract(path, URL), fastwrap.extract(path, URL))
    with path.open("rb") as file:
        same(client.extract(file), fastwrap.extract(path))
    response = httpx2.Response(200, content=latin, headers={"content-type": "text/html; charset=latin-1"})
    response.request = httpx2.Request("GET", URL)
    client.extract(response)
    assert dict(server.asked[-1].url.params) == {"url": URL, "method": "auto", "encoding": "text/html; charset=latin-1"}
    client.extract(latin, encoding="latin-1")
    assert server.asked[-1].url.params["encoding"] == "latin-1"
    assert server.asked[-1].content == latin
    client.extract(latin, encoding="latin-1", want=["title"])
    assert json.loads(server.asked[-1].content)["html"] == "<meta charset=utf-8><p>caf\xe9"
    with pytest.raises(FastwrapError, match="this is a PDF document"):
        client.extract(b"%PDF-1.7 ...")
    with pytest.raises(FastwrapError, match="a str is HTML"):
        client.extract("list.html")
    with pytest.raises(TypeError, match="a Page has no HTML"):
        client.extract(fastwrap.Page(HTML))
    with pytest.raises(TypeError, match="there is no option 'methd'"):
        client.extract(HTML, methd="signal")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="a page or its address"):
        client.extract(None)


def test_the_server_fetches(client: Client, server: TableServer) -> None:
    server.busy = [server.table(fastwrap.extract(HTML, URL))]
    found = client.extract(None, URL)
    assert json.loads(server.asked[0].content) == {"url": URL, "method": "auto"}
    assert len(found) == 7
    with pytest.raises(FastwrapError, match="the server fetched the page"):
        _ = found.page


def test_content_and_methods(client: Client) -> None:
    article = "<nav>Home</nav><main><h1>Tea</h1><p>Tea is green, or <a href=/b>black</a>.</main>"
    found, local = client.content(article, URL), fastwrap.content(article, URL)
    assert found.to_dict() == local.to_dict()
    assert found.text == local.text
    assert found
    assert not client.content("<p></p>")
    assert client.methods() == fastwrap.methods()


def test_wrappers(client: Client, server: TableServer, tmp_path: Path) -> None:
    wrapper = client.learn([HTML, HTML.encode()], URL, id="pans", want=["title", "price"])
    assert (wrapper.id, wrapper.version, wrapper.limits) == ("pans", 1, ())
    assert json.loads(server.asked[-1].content)["pages"][0]["url"] == URL
    local = fastwrap.learn([HTML, HTML.encode()], URL, want=["title", "price"])
    assert json.loads(wrapper.dumps()) == json.loads(local.dumps())
    read = wrapper.extract(HTML.replace("Pan 3", "Lid"), URL)
    assert [record["title"] for record in read][1:4] == ["Pan 2", "Lid", "Pan 4"]
    assert read.fit == local.extract(HTML, URL).fit
    assert (read.wrapper.id, read.drift) == ("pans", [])
    wrapper.save(tmp_path / "pans.json")
    same(fastwrap.Wrapper.load(tmp_path / "pans.json").extract(HTML), local.extract(HTML))
    assert client.keep("pans", local).version == 2
    assert client.keep("other", local.dumps()).id == "other"
    assert client.keep("third", local.dumps().encode()).version == 1
    assert list(client.wrappers()) == ["other", "pans", "third"]
    again = client.wrapper("pans")
    assert (again.version, again.etag) == (2, '"2"')
    assert again.dumps() == local.dumps()
    again.delete()
    assert list(client.wrappers()) == ["other", "third"]
    with pytest.raises(RemoteError, match="there is no wrapper pans") as raised:
        client.wrapper("pans")
    assert (raised.value.status, raised.value.problem, raised.value.request_id) == (404, "not-found", "r7")
    copy = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 - our own
    assert (str(copy), copy.status, copy.problem) == (str(raised.value), 404, "not-found")
    for wrong in ("", "..", ".hidden", "a/b", "a?b", "-a", "a" * 101):
        with pytest.raises(FastwrapError, match="cannot be the id"):
            client.wrapper(wrong)
    assert server.asked[-1].url.path == "/v1/wrappers/pans"


def test_auto(client: Client) -> None:
    found = client.auto_extract(HTML, URL)
    assert (found.wrapper.happened, len(found), found.fit) == ("learned", 7, 0.0)


def test_both_clients_ask_the_same(server: TableServer) -> None:
    async def ask() -> list[Any]:
        async with AsyncClient("http://t.example/below/", "secret", transport=server.transport) as client:
            wrapper = await client.learn(HTML, URL, examples=[{"what": "Pan 3", "cost": 3.9}])
            found = [await client.extract(HTML, URL), await client.auto_extract(HTML), await wrapper.extract(HTML)]
            content, methods = await client.content(HTML), await client.methods()
            kept = await client.keep("b", await wrapper.dumps())
            ids = [id async for id in client.wrappers()]
            again = await client.wrapper("b")
            await kept.delete()
            return [*(each.to_dicts() for each in found), content.text, methods, ids, again.version]

    answers = asyncio.run(ask())
    asked, server.asked, server.files = server.asked, [], {}
    with Client("http://t.example/below/", "secret", transport=server.transport) as client:
        wrapper = client.learn(HTML, URL, examples=[{"what": "Pan 3", "cost": 3.9}])
        found = [client.extract(HTML, URL), client.auto_extract(HTML), wrapper.extract(HTML)]
        content, methods = client.content(HTML), client.methods()
        kept = client.keep("b", wrapper.dumps())
        ids = list(client.wrappers())
        again = client.wrapper("b")
        kept.delete()
    assert answers == [
        *(each.to_dicts() for each in found), content.text, methods, ids, again.version
    ]  # fmt: skip
    assert [(each.method, each.url, each.content) for each in asked] == [
        (each.method, each.url, each.content) for each in server.asked
    ]
    assert {each.url.path.split("/")[1] for each in asked} == {"below"}
    assert answers[2][2] == {"what": "Pan 3", "cost": Money(Decimal("3.90"), "EUR")}


def test_the_clients_have_the_same_methods() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert public(AsyncClient) ^ public(Client) == {"aclose", "close"}
    assert public(fastwrap.client.AsyncRemoteWrapper) == public(fastwrap.client.RemoteWrapper)
    for name in ("extract", "learn", "content", "methods"):
        assert name in public(Client)
        assert callable(getattr(fastwrap, name))


# Errors, and asking again


def busy(status: int = 503, **headers: str) -> httpx2.Response:
    problem = {"type": "/docs/problems#overloaded", "title": "Overloaded", "detail": "come back later"}
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(status, json=problem, headers=names)


def test_a_busy_server_is_asked_again(server: TableServer, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("fastwrap.client.talking.time.sleep", slept.append)
    server.busy = [busy(Retry_After="3"), busy(429, Retry_After="0"), httpx2.ConnectError("refused"), busy()]
    client = Client("http://t.example", transport=server.transport)
    assert len(client.extract(HTML)) == 7
    assert slept[:2] == [3.0, 0.0]
    assert len(slept) == 4
    assert len(server.asked) == 5

    async def ask() -> int:
        async with AsyncClient("http://t.example", transport=server.transport) as client:
            return len(await client.extract(HTML))

    server.busy = [busy(Retry_After="0"), busy(429, Retry_After="0")]
    assert asyncio.run(ask()) == 7


@pytest.mark.parametrize(
    ("patience", "answers", "asked"),
    [
        (Patience(retries=2), [busy(Retry_After="0") for _ in range(9)], 3),
        (Patience(retries=0), [busy()], 1),
        (Patience(seconds=10), [busy(Retry_After="11")], 1),
        (Patience(seconds=10), [busy(Retry_After="6"), busy(Retry_After="6")], 2),
        (Patience(), [busy(Retry_After="Fri, 31 Dec 2100 23:59:59 GMT")], 1),
        (Patience(), [busy(500)], 1),
    ],
)
def test_patience_ends(
    server: TableServer,
    monkeypatch: pytest.MonkeyPatch,
    patience: Patience,
    answers: list[httpx2.Response | Exception],
    asked: int,
) -> None:
    monkeypatch.setattr("fastwrap.client.talking.time.sleep", lambda _: None)
    server.busy = list(answers)
    client = Client("http://t.example", transport=server.transport, patience=patience)
    with pytest.raises(RemoteError, match="come back later") as raised:
        client.extract(HTML)
    assert raised.value.problem == "overloaded"
    assert len(server.asked) == asked


@pytest.mark.parametrize(
    ("outcome", "message", "status", "problem"),
    [
        (httpx2.Response(404, text="<h1>nginx"), "the server answers with status 404", 404, ""),
        (httpx2.Response(302, headers={"location": "https://e.example/"}), "sends us elsewhere", 302, ""),
        (httpx2.Response(200, text="<h1>Hello"), "this is no answer of fastwrap serve", None, ""),
        (httpx2.Response(200, json={"regions": 3}), "this is no answer of fastwrap serve", None, ""),
        (httpx2.ReadTimeout("slow"), "did not answer in time", None, "no-answer"),
        (httpx2.RemoteProtocolError("no HTTP"), "no HTTP", None, "unreachable"),
        (httpx2.Response(401, json={"type": "/docs/problems#unauthorized"}), "status 401", 401, "unauthorized"),
    ],
)
def test_errors(
    server: TableServer, client: Client, outcome: httpx2.Response | Exception, message: str, status: int, problem: str
) -> None:
    server.busy = [outcome]
    with pytest.raises(RemoteError, match=message) as raised:
        client.extract(HTML)
    assert (raised.value.status, raised.value.problem) == (status, problem)
    assert len(server.asked) == 1
    assert "secret" not in repr(raised.value) + repr(client)


def test_records_that_do_not_fit_their_columns(server: TableServer, client: Client) -> None:
    said = json.loads(fastwrap.extract(HTML).to_json())
    said["regions"][0]["records"][0]["values"] = [1]
    server.busy = [httpx2.Response(200, json=said)]
    with pytest.raises(RemoteError, match="no answer of fastwrap serve"):
        client.extract(HTML).to_dicts()


@pytest.mark.parametrize(
    "url",
    ["", "tables.example", "ftp://t.example", "http://", "http://u:p@t.example", "http://t.example?a=b", "http://a\0b"],
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(FastwrapError, match=r"no address of a server|has no password"):
        Client(url)


def test_tokens_that_are_none() -> None:
    for token in ("", "two words", "line\nfeed", "tök"):
        with pytest.raises(FastwrapError, match="a token has neither") as raised:
            Client("http://t.example", token)
        assert not token or token not in str(raised.value)


def test_proxies_are_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    for url in ("http://127.0.0.1:9", "http://localhost:9", "http://[::1]:9"):
        with pytest.raises(RemoteError) as raised:
            Client(url, patience=Patience(retries=0)).methods()
        assert raised.value.problem == "unreachable"


def test_without_httpx2() -> None:
    code = "import sys; sys.modules['httpx2'] = None\nfrom fastwrap import *\nClient('https://a.example/')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("FastwrapError: httpx2 is not installed: pip install 'fastwrap[client]'\n")
