"""Who may use a server: tokens, namespaces, Host and Origin."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fastwrap.errors import FastwrapError
from fastwrap.server.settings import Settings, tokens_of
from tests.helpers.problems import problem
from tests.helpers.serving import Caller, calling, shop

ANN, BOB = "token-of-ann-0123456789", "token-of-bob-0123456789"


@pytest.fixture(scope="module")
def guarded() -> Iterator[Caller]:
    with calling(host="0.0.0.0", tokens={ANN: "ann", BOB: "bob"}) as caller:  # noqa: S104 - nothing listens
        yield caller


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


PATHS = ["/", "/docs", "/openapi.json", "/metrics", "/v1/methods", "/v1/wrappers", "/mcp", "/nothing"]


@pytest.mark.parametrize("path", PATHS)
def test_everything_needs_the_token(guarded: Caller, path: str) -> None:
    answer = guarded.get(path)
    problem(answer, "unauthorized", 401)
    assert "Bearer" in answer.headers["www-authenticate"]
    for wrong in ("", "x", ANN[:-1], ANN + "x", ANN.upper(), "é" * 20):
        assert guarded.get(path, headers=bearer(wrong).copy() if wrong.isascii() else {}).status_code == 401
    assert guarded.get(path, headers=bearer(ANN)).status_code != 401


def test_health_and_ready_need_none(guarded: Caller) -> None:
    assert guarded.get("/health").status_code == 200
    assert guarded.get("/ready").status_code == 200


def test_a_browser_sends_the_token_as_a_password(guarded: Caller) -> None:
    def basic(text: str) -> dict[str, str]:
        return {"authorization": "Basic " + base64.b64encode(text.encode()).decode()}

    assert guarded.get("/v1/methods", headers=basic(f"me:{BOB}")).status_code == 200
    assert guarded.get("/v1/methods", headers=basic(f"{BOB}:")).status_code == 401
    assert guarded.get("/v1/methods", headers={"authorization": "Basic !"}).status_code == 401


def test_wrappers_belong_to_a_namespace(guarded: Caller) -> None:
    def learn(token: str) -> Any:
        return guarded.post("/v1/learn", params={"id": "shop"}, content=shop(), headers=bearer(token))

    assert learn(ANN).status_code == 201
    problem(guarded.get("/v1/wrappers/shop", headers=bearer(BOB)), "not-found", 404)
    assert guarded.get("/v1/wrappers", headers=bearer(BOB)).json()["wrappers"] == []
    assert learn(BOB).status_code == 201
    assert guarded("DELETE", "/v1/wrappers/shop", headers=bearer(BOB)).status_code == 204
    assert guarded.get("/v1/wrappers/shop", headers=bearer(ANN)).status_code == 200


def test_hosts_on_loopback(app: Caller) -> None:
    for good in ("localhost", "localhost:8080", "127.0.0.1:1", "[::1]:80", "LOCALHOST"):
        assert app.get("/health", headers={"host": good}).status_code == 200, good
    for bad in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8080", "[::2]", "", "0.0.0.0"):  # noqa: S104
        problem(app.get("/health", headers={"host": bad}), "host-not-allowed", 403)
    with calling(allowed_hosts=("wraps.example",)) as named:
        assert named.get("/health", headers={"host": "wraps.example"}).status_code == 200


def test_two_hosts_are_refused(app: Caller) -> None:
    answer = app.get("/v1/methods", headers=[("host", "evil.example"), ("host", "localhost")])
    problem(answer, "bad-request", 400)


def test_origins(app: Caller) -> None:
    host = {"host": "localhost:8080"}
    assert app.get("/health", headers={**host, "origin": "http://localhost:8080"}).status_code == 200
    for bad in (
        "http://evil.example",
        "null",
        "http://localhost:8081",
        "http://127.0.0.1:8080",
        "file://",
        "http://a:b",
    ):
        problem(app.post("/v1/extract", content=shop(), headers={**host, "origin": bad}), "origin-not-allowed", 403)
    assert "access-control-allow-origin" not in app.get("/health").headers


def test_an_open_bind_needs_a_token() -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "example.org"):  # noqa: S104 - nothing listens
        with pytest.raises(FastwrapError, match="give a token"):
            Settings(host=host).check()
        Settings(host=host, tokens={ANN: "ann"}).check()
    for host in ("127.0.0.1", "::1", "localhost", "127.3.2.1"):
        Settings(host=host).check()


def test_tokens(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"# ours\nann {ANN}  # of Ann\n\n{BOB}\n")
    assert tokens_of(file, {}) == {ANN: "ann", BOB: "default"}
    assert tokens_of(None, {}) == {}
    assert "token" not in repr(Settings(tokens={ANN: "ann"}))
    file.write_text(f"{ANN}#1 # a sign within a token is one of its own")
    assert tokens_of(file, {}) == {f"{ANN}#1": "default"}
    for text in ("", "# nothing", "a b c", "ann short", f"a {ANN}\nb {ANN}", "ann " + "é" * 20):
        file.write_text(text)
        with pytest.raises(FastwrapError) as raised:
            tokens_of(file, {})
        assert ANN not in str(raised.value)
    with pytest.raises(FastwrapError, match="cannot be read"):
        tokens_of(tmp_path / "nowhere", {})


def test_tokens_are_not_logged(guarded: Caller, capfd: pytest.CaptureFixture[str]) -> None:
    guarded.get("/v1/methods", headers=bearer(ANN))
    guarded.get("/v1/methods", headers=bearer("wrong-" + ANN))
    logged = capfd.readouterr().err
    assert '"namespace":"ann"' in logged
    assert ANN not in logged
