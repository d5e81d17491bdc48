"""The tools for agents at /mcp: those of `fastwrap mcp`, within the server's limits, with the wrappers of its store.
The SDK is loaded when the first request comes; who has not installed it gets an answer that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from fastwrap.agents.keeping import KeptPage, checked
from fastwrap.agents.mounted import HttpDoor
from fastwrap.errors import FastwrapError
from fastwrap.fetching import Fetched
from fastwrap.page import Page
from fastwrap.server.problems import Problem
from fastwrap.server.requests import Given, PageOptions, page_of
from fastwrap.server.services import Services

if TYPE_CHECKING:
    from fastwrap.agents.server import Agents

MOST_NAMES = 20
"""Wrappers that an agent is told of."""


class AgentsDoor:
    """What answers at /mcp."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._door = HttpDoor(lambda: tools_of(services), services.limits.body)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. Its body is read here, counted and timed as all bodies are."""
        if scope["method"] != "POST":
            raise Problem("method-not-allowed", headers={"Allow": "POST"})
        async with self._services.held.body(Request(scope, receive)) as body:
            messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

            async def again() -> Message:
                return messages.pop() if messages else await receive()

            await self._door(scope, again, send)

    async def close(self) -> None:
        """End what runs."""
        await self._door.close()


def tools_of(services: Services) -> Agents:
    """The tools, with what the server has."""
    from fastwrap.agents.server import Agents

    async def run(function: Callable[[], Any]) -> Any:
        try:
            return await services.run(function)
        except Problem as problem:
            raise FastwrapError(problem.detail) from None

    async def fetch(url: str) -> Fetched:
        try:
            given = await services.fetched(Given(None, PageOptions(url=url)))
        except Problem as problem:
            raise FastwrapError(problem.detail) from None
        assert isinstance(given.html, bytes)
        headers = {} if given.charset is None else {"content-type": given.charset}
        return Fetched(given.html, given.options.url or url, headers)

    def read(kept: KeptPage) -> Page:
        return page_of(kept.html, kept.url, kept.encoding, services.limits)

    return Agents(
        fetch=fetch if services.settings.allow_fetch else None,
        run=run,
        wrappers=StoredWrappers(services),
        caller=lambda context: str(context.request_context.request.scope["state"]["namespace"]),
        read=read,
    )


class StoredWrappers:
    """The wrappers of the server's store, as the tools keep them: a caller is a namespace."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def put(self, caller: str, id: str, file: str) -> None:
        """Keep a version of a wrapper."""
        try:
            await self._services.shelf.put(caller, checked(id), file.encode(), "learned")
        except Problem as problem:
            raise FastwrapError(problem.detail) from None

    async def get(self, caller: str, id: str) -> str | None:
        """The file of the current version; None if there is no such wrapper."""
        try:
            kept = await self._services.shelf.kept(caller, checked(id))
        except Problem as problem:
            if problem.name == "not-found":
                return None
            raise FastwrapError(problem.detail) from None
        return kept.document.decode()

    async def names(self, caller: str) -> list[str]:
        """The names of some wrappers."""
        return [head.id for head in await self._services.shelf.heads(caller, "", MOST_NAMES)]
