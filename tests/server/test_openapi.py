"""The description of the routes: it names all of them, and they answer as it says, whatever is asked (schemathesis)."""

from __future__ import annotations

import json
import re
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from fastwrap.server.application import build
from fastwrap.server.batch import LINES
from fastwrap.server.openapi import OPERATIONS
from fastwrap.server.problems import KINDS
from fastwrap.server.settings import Limits, Settings
from tests.helpers.paths import ROOT
from tests.helpers.serving import Caller

HOST = {"host": "localhost"}


@schemathesis.serializer(LINES)
def lines(context: Any, value: Any) -> bytes:
    """What schemathesis makes up, as a line."""
    return value if isinstance(value, bytes) else json.dumps(value).encode()


schema = schemathesis.openapi.from_asgi(
    "/openapi.json", build(Settings(store=":memory:", limits=Limits(body=100_000, seconds=60))), headers=HOST
)


# What the schema allows may make no sense all the same: options in the query of a JSON body, or a page that is none.
@schema.parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_routes_answer_as_the_description_says(case: Any) -> None:
    excluded = [positive_data_acceptance]
    if case.media_type in ("text/html", LINES):  # as bytes, a number is as good as a text
        excluded.append(negative_data_rejection)
    case.call_and_validate(headers=HOST, excluded_checks=excluded)


def test_all_routes_are_described(app: Caller) -> None:
    told = app.get("/openapi.json").json()
    described = {(method.upper(), path) for path, methods in told["paths"].items() for method in methods}
    assert described == {(operation.method, operation.path) for operation in OPERATIONS}
    for method, path in described:
        answer = app("POST" if method == "GET" else "GET", path.replace("{id}", "a"))
        if (answer.request.method, path) not in described:
            allowed = set(answer.headers["allow"].split(", ")) - {"HEAD"}
            assert allowed == {each for each, other in described if other == path}


def test_pages_of_the_description(app: Caller) -> None:
    for path in ("/docs", "/docs/problems"):
        answer = app.get(path)
        assert answer.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert not re.search(r"<script|<link|<img|src=|@import|url\(|https?://", answer.text)
    for operation in OPERATIONS:
        assert operation.path in app.get("/docs").text
    for name in KINDS:
        assert f"<h2 id={name}>" in app.get("/docs/problems").text


def test_the_manual_names_all_problems_and_routes() -> None:
    manual = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    for name in KINDS:
        assert f"`{name}`" in manual, name
    for operation in OPERATIONS:
        assert operation.path in manual, operation.path
