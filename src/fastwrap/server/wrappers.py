"""Routes of wrappers: learn one, keep it, list them, and read pages by one.
They are in the namespace of the token that a request has; nobody else sees them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

import fastwrap
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.server.answers import Answer, Wished, answer, etags, json_answer, packing_of, table_answer
from fastwrap.server.bodies import packing_of as body_packing_of
from fastwrap.server.bodies import unpack
from fastwrap.server.pages import given_page
from fastwrap.server.problems import Problem
from fastwrap.server.requests import (
    HTML,
    JSON,
    Given,
    Name,
    ReadOptions,
    Text,
    Wants,
    WrapperId,
    decoded,
    media_type,
    options_of,
    page_of,
    query_of,
    refuse_query,
    wanted,
)
from fastwrap.server.services import services_of
from fastwrap.server.settings import Limits
from fastwrap.server.shelf import Kept, missing
from fastwrap.server.store import Expected, Version
from fastwrap.wrapper import Wrapper, fitting
from fastwrap.wrapper.fitting import ALARM
from fastwrap.wrapper.wrapper import WrappedExtraction

MOST_LISTED = 1_000
"""Wrappers of one list."""


Examples: TypeAlias = Annotated[
    list[dict[Name, str | int | float]],
    Meta(min_length=1, max_length=20, description="Values of records, as people read them on the pages."),
]


class LearnedPage(Struct, frozen=True, forbid_unknown_fields=True):
    """A page to learn from."""

    html: str
    url: Text | None = None


class Learning(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a wrapper is to be learned: the keywords of `fastwrap.learn`."""

    id: Annotated[
        WrapperId | None, Meta(description="Under which the wrapper is kept; a new one where it is left out.")
    ] = None
    columns: Annotated[Literal["all"] | None, Meta(description="all: every text and attribute of the records.")] = None
    want: Wants = None
    kind: Annotated[Literal["list", "detail"] | None, Meta(description="What the pages are about.")] = None
    store: Annotated[bool, Meta(description="false: keep nothing, only answer the wrapper.")] = True


class LearnedQuery(Learning, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The same in a query, of one page."""

    url: Text | None = None
    encoding: Name | None = None


class LearnRequest(Learning, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The same with the pages."""

    pages: Annotated[list[LearnedPage], Meta(min_length=1)]
    examples: Examples | None = None


class Query(Struct, frozen=True, forbid_unknown_fields=True):
    """Which version of a wrapper is meant."""

    version: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None


class ReadQuery(ReadOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The options of a page, and which version of a wrapper it is read by."""

    version: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of a list is meant."""

    after: Annotated[str, Meta(max_length=100, pattern=r"^[A-Za-z0-9._-]*\Z")] = ""
    limit: Annotated[int, Meta(ge=1, le=MOST_LISTED)] = 100


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """A query that says nothing."""


SomeReadOptions = TypeVar("SomeReadOptions", bound=ReadOptions)


def namespace_of(request: Request) -> str:
    """Whose wrappers a request is about."""
    namespace: str = request.state.namespace
    return namespace


def id_of(request: Request) -> str:
    """The id in the path; Problem where no wrapper can have it."""
    try:
        return msgspec.convert(request.path_params["id"], WrapperId)
    except msgspec.ValidationError:
        raise missing(request.path_params["id"]) from None


def version_of(query: list[tuple[str, str]]) -> int | None:
    """The version that a query asks for."""
    return options_of(query, Query).version


def learned(
    given: LearnRequest | LearnedQuery, body: bytes, charset: str | None, limits: Limits, previous: Wrapper | None
) -> Wrapper:
    """The wrapper of the pages of a request."""
    examples = None
    if isinstance(given, LearnRequest):
        if len(given.pages) > limits.pages:
            raise Problem("bad-request", f"there are {len(given.pages)} pages, more than {limits.pages}")
        pages = [page_of(page.html, page.url, None, limits) for page in given.pages]
        examples = given.examples
    else:
        pages = [page_of(body, given.url, given.encoding or charset, limits)]
    wrapper = fastwrap.learn(
        pages,
        previous=None if examples else previous,
        columns=given.columns,
        want=wanted(given.want),
        examples=examples,
        kind=given.kind,
    )
    if not wrapper.patterns and wrapper.detail is None:
        raise Problem("nothing-to-learn")
    return wrapper


async def learn(request: Request) -> Response:
    """Learn a wrapper from pages, and keep it."""
    services, namespace = services_of(request), namespace_of(request)
    kind, packing, answer_packing = media_type(request), body_packing_of(request), packing_of(request)
    if kind != JSON and kind not in HTML:
        raise Problem("unsupported-media-type", f"pages are text/html or application/json, not {kind[:60]!r}")
    charset = request.headers.get("content-type")
    query = query_of(request)
    most = services.limits.body

    def read(body: bytes) -> tuple[LearnRequest | LearnedQuery, bytes]:
        body = unpack(body, packing, most)
        if kind == JSON:
            refuse_query(query)
            return decoded(body, LearnRequest), b""
        return options_of(query, LearnedQuery), body

    def work(given: LearnRequest | LearnedQuery, body: bytes, kept: Kept | None) -> tuple[Wrapper, bytes]:
        previous = None if kept is None else services.shelf.loaded.wrapper(kept)
        wrapper = learned(given, body, charset, services.limits, previous)
        return wrapper, wrapper.dumps().encode()

    async with services.held.body(request) as body:
        given, page = await services.run(read, body)
        before = None
        if given.id is not None and given.store and await services.shelf.fresh_head(namespace, given.id) is not None:
            before = await services.shelf.kept(namespace, given.id)
        wrapper, document = await services.run(work, given, page, before)
    version, id = None, given.id
    if given.store:
        id = given.id or f"w-{secrets.token_hex(8)}"
        version = await services.shelf.put(namespace, id, document, "learned")
    told = {
        "id": id if version else None,
        "version": None if version is None else version.number,
        "etag": None if version is None else version.etag,
        "kind": wrapper.kind,
        "misfits": [misfit._asdict() for misfit in wrapper.misfits],
        "limits": wrapper.limits,
        "wrapper": msgspec.Raw(document),
    }
    status = 201 if version is not None and version.is_new and version.number == 1 else 200
    return json_answer(told, answer_packing, of_version(id, version), status).response()


def of_version(id: str | None, version: Version | None) -> dict[str, str]:
    """The headers that tell a version."""
    if version is None:
        return {}
    return {"etag": f'"{version.etag}"', "fastwrap-version": str(version.number), "location": f"/v1/wrappers/{id}"}


def expected_of(request: Request) -> Expected:
    """What must be true of a wrapper for a request to change it."""
    absent = request.headers.get("if-none-match")
    if absent is not None and etags(absent) != ["*"]:
        raise Problem("bad-request", "of what is changed, If-None-Match is *")
    return Expected(etags(request.headers.get("if-match", "")), absent is not None)


async def put(request: Request) -> Response:
    """Keep a wrapper that somebody has."""
    services, namespace, id = services_of(request), namespace_of(request), id_of(request)
    if (kind := media_type(request)) not in (JSON, ""):
        raise Problem("unsupported-media-type", f"a wrapper is application/json, not {kind[:60]!r}")
    options_of(query_of(request), Nothing)
    packing, expected = body_packing_of(request), expected_of(request)

    def checked(body: bytes) -> bytes:
        document = unpack(body, packing, services.limits.body)
        try:
            return Wrapper.loads(document).dumps().encode()  # as we write it, whoever wrote it
        except FastwrapError as error:
            raise Problem("unusable", f"this is no wrapper: {error}") from None

    async with services.held.body(request) as body:
        document = await services.run(checked, body)
    version = await services.shelf.put(namespace, id, document, "put", expected=expected)
    told = {"id": id, "version": version.number, "etag": version.etag, "state": version.state}
    return json_answer(
        told, "", of_version(id, version), 201 if version.is_new and version.number == 1 else 200
    ).response()


async def get(request: Request) -> Response:
    """The file of a wrapper."""
    services, id = services_of(request), id_of(request)
    kept = await services.shelf.kept(namespace_of(request), id, version_of(query_of(request)))
    headers = {"etag": f'"{kept.etag}"', "fastwrap-version": str(kept.number), "cache-control": "no-cache"}
    if {"*", kept.etag} & set(etags(request.headers.get("if-none-match", ""))):
        return Response(status_code=304, headers=headers)
    return answer(kept.document, JSON, packing_of(request), headers).response()


async def delete(request: Request) -> Response:
    """Forget a wrapper."""
    services, id = services_of(request), id_of(request)
    options_of(query_of(request), Nothing)
    await services.shelf.delete(namespace_of(request), id, expected_of(request))
    return Response(status_code=204)


async def versions(request: Request) -> Response:
    """The versions of a wrapper, the latest first."""
    services, id = services_of(request), id_of(request)
    options_of(query_of(request), Nothing)
    found = await services.shelf.versions(namespace_of(request), id)
    if not found:
        raise missing(id)
    told = [
        {"version": each.number, "etag": each.etag, "state": each.state, "origin": each.origin, "created": each.created}
        for each in found
    ]
    return json_answer({"id": id, "versions": told}, packing_of(request)).response()


async def heads(request: Request) -> Response:
    """The wrappers of a namespace, in order of their ids."""
    services = services_of(request)
    part = options_of(query_of(request), ListQuery)
    found = await services.shelf.heads(namespace_of(request), part.after, part.limit + 1)
    told = [
        {
            "id": head.id, "version": head.current, "etag": head.etag, "candidate": head.candidate, "site": head.site,
            "created": head.created, "changed": head.changed,
        }
        for head in found[: part.limit]
    ]  # fmt: skip
    next_one = told[-1]["id"] if len(found) > part.limit else None
    return json_answer({"wrappers": told, "next": next_one}, packing_of(request)).response()


def read_by(wrapper: Wrapper, kept: Kept, given: Given[SomeReadOptions], limits: Limits, wish: Wished) -> Answer:
    """A page, read by a wrapper; the answer says how well it fits, and what is not as it was."""
    page = given.page(limits)
    found = wrapper.extract(page, want=wanted(given.options.want))
    told = told_of(wrapper, kept, found, page, whole=given.options.want is None)
    return table_answer(found, wish, told)


def told_of(wrapper: Wrapper, kept: Kept, found: WrappedExtraction, page: Page, *, whole: bool) -> dict[str, Any]:
    """What an answer says of the wrapper that a page was read by; `whole`, if nothing was wanted in particular."""
    fit = found.fit
    drift: list[Mapping[str, Any]] = []
    if fit < 1.0:  # else nothing is to be told
        if whole and wrapper.kind == "list" and len(found.region(0)):
            region = found.region(0)  # which has been read already
            check = fitting.check(region.pattern, page, region.found_list, region.table)
        else:
            check = wrapper.check(page)
        drift = [
            {"column": each.name, "state": each.state, "fit": each.fit, "detail": each.detail}
            for each in check.troubles
        ]
    return {
        "id": kept.id, "version": kept.number, "etag": kept.etag, "fit": round(fit, 4), "fits": fit >= ALARM,
        "drift": drift,
    }  # fmt: skip


async def extract(request: Request) -> Response:
    """The records of a page, read by a wrapper."""
    services = services_of(request)
    number = version_of([pair for pair in query_of(request) if pair[0] == "version"])
    kept = await services.shelf.kept(namespace_of(request), id_of(request), number)
    loaded, limits = services.shelf.loaded, services.limits

    def work(given: Given[ReadOptions], wish: Wished) -> Answer:
        return read_by(loaded.wrapper(kept), kept, given, limits, wish)

    return await given_page(request, ReadOptions, work, but=("version",))
