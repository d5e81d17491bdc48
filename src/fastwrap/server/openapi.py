"""The description of the routes, as OpenAPI 3.1 has it; the routes themselves are made of the same list.
What requests say is taken from the structs that check them."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fastwrap._version import __version__
from fastwrap.common.ids import ID
from fastwrap.common.resources import resource
from fastwrap.server import about, automatic, batch, pages, wrappers
from fastwrap.server.answers import CONTENTS, TABLES
from fastwrap.server.problems import KINDS, MEDIA_TYPE
from fastwrap.server.requests import Document, Options, PageDocument, PageOptions, ReadDocument, ReadOptions

Schema: TypeAlias = dict[str, Any]
Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

REFERENCE = "#/components/schemas/{name}"

PAGE_PROBLEMS = (
    "bad-request", "body-too-large", "body-too-slow", "fetch-failed", "fetching-not-allowed", "not-a-page",
    "not-acceptable", "overloaded", "page-too-deep", "page-too-large", "time-limit",
    "unsupported-media-type", "unusable",
)  # fmt: skip
"""What may be wrong with any page."""

ALWAYS = ("host-not-allowed", "internal-error", "origin-not-allowed", "too-many-requests", "unauthorized", "overloaded")
"""What may be wrong with any request."""


class Named(Struct):
    """A version of a wrapper."""

    id: str
    version: int
    etag: str
    state: str


class Misfit(Struct):
    """A page that a wrapper was learned from and does not fit."""

    page: int
    fit: float
    why: str


class Learned(Struct):
    """A wrapper that was learned."""

    id: str | None
    version: int | None
    etag: str | None
    kind: str
    misfits: list[Misfit]
    limits: list[str]
    wrapper: dict[str, Any]


class Head(Struct):
    """A wrapper of a list."""

    id: str
    version: int
    etag: str
    candidate: int | None
    site: str | None
    created: float
    changed: float


class Heads(Struct):
    """Wrappers."""

    wrappers: list[Head]
    next: str | None


class OneVersion(Struct):
    """A version of a list."""

    version: int
    etag: str
    state: str
    origin: str
    created: float


class Versions(Struct):
    """The versions of a wrapper, the latest first."""

    id: str
    versions: list[OneVersion]


class Content(Struct):
    """What a page says."""

    url: str | None
    title: str | None
    language: str | None
    text: str
    markdown: str


class Methods(Struct):
    """The methods that find lists."""

    methods: dict[str, str]
    default: str


class Health(Struct):
    """That the process lives."""

    status: str
    version: str


class Ready(Struct):
    """That requests may come."""

    status: str


class Problem(Struct):
    """A problem (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    request_id: str
    limit: int | None = None


class Operation(NamedTuple):
    """A route: what it is for, what requests say, and what is answered."""

    method: str
    path: str
    endpoint: Endpoint
    what: str
    query: type[Struct] | None = None
    """What the query may say."""
    body: type[Struct] | str | None = None
    """What JSON says; or the kind of a body that is something else."""
    takes_pages: bool = False
    """Whether the body may be a page, too, with the options in the query."""
    answers: Mapping[str, str] | type[Struct] | str | None = None
    """The formats of a table or of content, a document, or the kind of something else."""
    statuses: Sequence[int] = (200,)
    problems: Sequence[str] = ()


OPERATIONS = (
    Operation("POST", "/v1/extract", pages.extract, "The records of a page", Options, Document, True, TABLES,
              problems=PAGE_PROBLEMS),
    Operation("POST", "/v1/extract/batch", batch.extract, "The records of many pages: a line for each, in order", None,
              batch.LINES, False, batch.LINES, problems=("not-acceptable", "bad-request", "unsupported-media-type")),
    Operation("POST", "/v1/content", pages.content, "What a page says, without what is around it", PageOptions,
              PageDocument, True, CONTENTS, problems=PAGE_PROBLEMS),
    Operation("POST", "/v1/auto/extract", automatic.extract, "The records of a page, read by the wrapper of its site,"
              " which is learned, healed and learned again as is needed", ReadOptions, ReadDocument, True, TABLES,
              problems=("conflict", *PAGE_PROBLEMS)),
    Operation("POST", "/v1/learn", wrappers.learn, "Learn a wrapper from pages, and keep it", wrappers.LearnedQuery,
              wrappers.LearnRequest, True, Learned, (200, 201), ("nothing-to-learn", "conflict", *PAGE_PROBLEMS)),
    Operation("GET", "/v1/wrappers", wrappers.heads, "The wrappers of the token's namespace", wrappers.ListQuery,
              answers=Heads, problems=("bad-request",)),
    Operation("GET", "/v1/wrappers/{id}", wrappers.get, "The file of a wrapper", wrappers.Query,
              answers="application/json", statuses=(200, 304), problems=("bad-request", "not-found")),
    Operation("PUT", "/v1/wrappers/{id}", wrappers.put, "Keep a wrapper", None, "application/json", False, Named,
              (200, 201), ("bad-request", "not-found", "precondition-failed", "conflict", "body-too-large", "unusable",
              "body-too-slow", "unsupported-media-type", "time-limit")),
    Operation("DELETE", "/v1/wrappers/{id}", wrappers.delete, "Forget a wrapper, with all its versions",
              statuses=(204,), problems=("bad-request", "not-found", "precondition-failed")),
    Operation("GET", "/v1/wrappers/{id}/versions", wrappers.versions, "The versions of a wrapper, the latest first",
              answers=Versions, problems=("bad-request", "not-found")),
    Operation("POST", "/v1/wrappers/{id}/extract", wrappers.extract, "The records of a page, read by a wrapper",
              wrappers.ReadQuery, ReadDocument, True, TABLES, problems=("not-found", *PAGE_PROBLEMS)),
    Operation("GET", "/v1/methods", about.methods, "The methods that find lists", answers=Methods),
    Operation("GET", "/health", about.health, "That the process lives", answers=Health),
    Operation("GET", "/ready", about.ready, "That requests may come", answers=Ready),
    Operation("GET", "/metrics", about.metrics_of_all, "The numbers of all workers, for Prometheus",
              answers="text/plain"),
)  # fmt: skip


def structs() -> list[type[Struct]]:
    """All structs that the description names."""
    told = [each for operation in OPERATIONS for each in (operation.query, operation.body, operation.answers)]
    found: set[type[Struct]] = {Problem, Content, *(each for each in told if isinstance(each, type))}
    return sorted(found, key=lambda each: each.__name__)


def extraction_schemas() -> dict[str, Schema]:
    """The schemas of `to_json`, as components."""
    text = resource("fastwrap.schema", "extraction.schema.json")
    whole = json.loads(re.sub(r'"#/\$defs/(\w+)"', r'"#/components/schemas/extraction-\1"', text))
    inner = whole.pop("$defs")
    for name in ("$schema", "$id"):
        whole.pop(name)
    return {"Extraction": whole, **{f"extraction-{name}": schema for name, schema in inner.items()}}


def parameters(operation: Operation, components: Mapping[str, Schema]) -> list[Schema]:
    """What stands in the path and the query of a request."""
    found: list[Schema] = []
    if "{id}" in operation.path:
        pattern = {"type": "string", "pattern": f"^{ID}$"}
        found.append({"name": "id", "in": "path", "required": True, "schema": pattern})
    if operation.query is not None:
        for name, schema in components[operation.query.__name__]["properties"].items():
            plain = {key: value for key, value in schema.items() if key not in ("default", "description")}
            if name == "want":
                plain = {"type": "string", "minLength": 1, "pattern": r"^\w[\w -]{0,99}$"}
            if "anyOf" in plain and {"type": "null"} in plain["anyOf"]:
                others = [each for each in plain["anyOf"] if each != {"type": "null"}]
                plain = others[0] if len(others) == 1 else {"anyOf": others}
            if "enum" in plain:
                plain = {**plain, "enum": [each for each in plain["enum"] if each is not None]}
            what = schema.get("description")
            found.append({"name": name, "in": "query", "schema": plain, **({"description": what} if what else {})})
    if isinstance(operation.answers, Mapping):
        names = {"type": "string", "enum": list(operation.answers)}
        found.append(
            {"name": "format", "in": "query", "schema": names, "description": "Goes before the header Accept."}
        )  # fmt: skip
    return found


def reference(kind: type[Struct]) -> Schema:
    """Where the schema of a struct is."""
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def body(operation: Operation) -> Schema | None:
    """What a request carries."""
    if operation.body is None:
        return None
    kinds: dict[str, Schema] = {}
    if isinstance(operation.body, str):
        lines = {"schema": {"type": "string"}} if operation.body == batch.LINES else {"schema": {"type": "object"}}
        kinds[operation.body] = lines
    else:
        kinds["application/json"] = {"schema": reference(operation.body)}
    if operation.takes_pages:
        kinds["text/html"] = {"schema": {"type": "string", "minLength": 1}}
    return {"required": operation.body != batch.LINES, "content": kinds}


def answer(operation: Operation) -> Schema:
    """What is answered where nothing is wrong."""
    answers = operation.answers
    if answers is None:
        return {}
    if isinstance(answers, str):
        schema = {"type": "object"} if answers == "application/json" else {"type": "string"}
        return {answers: {"schema": schema}}
    if isinstance(answers, type):
        return {"application/json": {"schema": reference(answers)}}
    found: dict[str, Schema] = {kind: {"schema": {"type": "string"}} for kind in answers.values()}
    name = "Extraction" if answers is TABLES else "Content"
    found["application/json"] = {"schema": {"$ref": REFERENCE.format(name=name)}}
    return found


def responses(operation: Operation) -> Schema:
    """All that may be answered."""
    found: Schema = {}
    for status in operation.statuses:
        content = answer(operation) if status in (200, 201) else {}
        found[str(status)] = {"description": operation.what, **({"content": content} if content else {})}
    told: dict[int, list[str]] = {}
    for name in dict.fromkeys((*operation.problems, *ALWAYS)):
        told.setdefault(KINDS[name].status, []).append(name)
    for status, names in sorted(told.items()):
        what = "; ".join(f"{KINDS[name].title} ({name})" for name in names)
        found[str(status)] = {"description": what, "content": {MEDIA_TYPE: {"schema": reference(Problem)}}}
    return found


def routes() -> list[Route]:
    """The routes, one for each path."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = operation.endpoint
    return [Route(path, chosen(methods), methods=list(methods)) for path, methods in paths.items()]


def chosen(methods: Mapping[str, Endpoint]) -> Endpoint:
    """What answers a request by its method; a HEAD is a GET."""
    if len(methods) == 1:
        return next(iter(methods.values()))

    async def endpoint(request: Request) -> Response:
        return await methods["GET" if request.method == "HEAD" else request.method](request)

    return endpoint


@cache
def document() -> bytes:
    """The description, as JSON."""
    _, components = msgspec.json.schema_components(structs(), ref_template=REFERENCE)
    paths: dict[str, Schema] = {}
    for operation in OPERATIONS:
        told: Schema = {
            "summary": operation.what,
            "operationId": f"{operation.method.lower()} {operation.path}",
            "parameters": parameters(operation, components),
            "responses": responses(operation),
        }
        if (carried := body(operation)) is not None:
            told["requestBody"] = carried
        if operation.path in ("/health", "/ready"):
            told["security"] = []
        paths.setdefault(operation.path, {})[operation.method.lower()] = told
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "fastwrap", "version": __version__,
                "description": "Turns web pages into tables: what the library does, over HTTP.",
            },
            "paths": paths,
            "components": {
                "schemas": {**components, **extraction_schemas()},
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
            "security": [{}, {"token": []}],
        }
    )  # fmt: skip
