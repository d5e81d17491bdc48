"""The description of the routes, for programs and for people: /openapi.json, /docs and /docs/problems.
The pages are made here, and load nothing."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fastwrap.server.answers import answer, packing_of
from fastwrap.server.openapi import document
from fastwrap.server.problems import KINDS

STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "code{font:13px ui-monospace,monospace}h2{margin-top:2em;border-top:1px solid #8884;padding-top:.6em}"
    "table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.2em 1em .2em 0}"
    "b{display:inline-block;min-width:4em}"
    "@media(max-width:40em){table{font-size:13px}td,th{padding-right:.6em}td:nth-child(n+3){overflow-wrap:anywhere}}"
)

HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
}


def page(title: str, parts: Iterable[str]) -> bytes:
    """A page of ours."""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style><h1>{title}</h1>{"".join(parts)}'
    ).encode()


def kind_of(schema: dict[str, Any]) -> str:
    """What a value is, in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(map(kind_of, schema["anyOf"]))
    if schema.get("type") == "array":
        return f"[{kind_of(schema.get('items', {}))}, ...]"
    return str(schema.get("type", "any"))


def row(*cells: str) -> str:
    """A row of a table, its cells escaped."""
    return "<tr>" + "".join(f"<td>{html.escape(cell)}" for cell in cells)


def fields(schema: dict[str, Any]) -> str:
    """The members of a JSON document."""
    rows = [
        row(name + ("" if name in schema.get("required", ()) else "?"), kind_of(each), each.get("description", ""))
        for name, each in schema.get("properties", {}).items()
    ]
    return f"<table>{''.join(rows)}</table>" if rows else ""


@cache
def reference() -> bytes:
    """The page of all routes."""
    told = json.loads(document())
    parts = [
        '<p>As <a href="/openapi.json">OpenAPI</a>; <a href="/docs/problems">what may be wrong</a>;'
        ' <a href="/">the page to try it on</a>.'
        "<p>Where the server has tokens: <code>Authorization: Bearer TOKEN</code>."
    ]
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            parts.append(f"<h2><code><b>{method.upper()}</b> {html.escape(path)}</code></h2>")
            parts.append(f"<p>{html.escape(operation['summary'])}")
            if operation["parameters"]:
                rows = [
                    row(each["name"], each["in"], kind_of(each["schema"]), each.get("description", ""))
                    for each in operation["parameters"]
                ]
                parts.append(f"<table><tr><th>parameter<th>in<th>value<th>what it says{''.join(rows)}</table>")
            if carried := operation.get("requestBody"):
                kinds = ", ".join(f"<code>{html.escape(kind)}</code>" for kind in carried["content"])
                parts.append(f"<p>Takes {kinds}")
            statuses = [row(status, each["description"]) for status, each in operation["responses"].items()]
            parts.append(f"<details><summary>Answers</summary><table>{''.join(statuses)}</table></details>")
    for name, schema in told["components"]["schemas"].items():
        parts.append(f"<h2 id={name}><code>{html.escape(name)}</code></h2>{fields(schema)}")
    return page("fastwrap", parts)


@cache
def problems() -> bytes:
    """The page of all problems: the address of each is its type."""
    parts = ["<p>Problems are answered as <code>application/problem+json</code> (RFC 9457); their types are these."]
    for name, kind in KINDS.items():
        told = html.escape(f"{kind.status}: {kind.title}. {kind.advice}")
        parts.append(f"<h2 id={name}><code>{name}</code></h2><p>{told}")
    return page("Problems", parts)


async def openapi(request: Request) -> Response:
    """The description, for programs."""
    return answer(document(), "application/json", packing_of(request)).response()


async def all_routes(request: Request) -> Response:
    """The description, for people."""
    return Response(reference(), headers=HEADERS)


async def all_problems(request: Request) -> Response:
    """What problems mean, for people."""
    return Response(problems(), headers=HEADERS)


def routes() -> list[Route]:
    """The routes."""
    return [
        Route("/openapi.json", openapi, methods=["GET"]),
        Route("/docs", all_routes, methods=["GET"]),
        Route("/docs/problems", all_problems, methods=["GET"]),
    ]
