"""The app: every request passes the guard, which knows who may ask, and makes problems of what goes wrong.
`build` puts the routes together."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from fastwrap.errors import FastwrapError
from fastwrap.server import docs, metrics, openapi
from fastwrap.server.access import OPEN, Access
from fastwrap.server.agents import AgentsDoor
from fastwrap.server.logs import log, request_id
from fastwrap.server.page.routes import routes as page_routes
from fastwrap.server.problems import MEDIA_TYPE, Problem
from fastwrap.server.rates import Rates
from fastwrap.server.services import Services
from fastwrap.server.settings import Settings

OF_HTTP = {404: "not-found", 405: "method-not-allowed"}
"""By a status of Starlette's own, the problem that it is."""


class Guard:
    """Lets requests in that may come in, and answers problems; logs and counts every request."""

    def __init__(self, app: Starlette, settings: Settings, rates: Rates) -> None:
        self._app = app
        self._access = Access(settings)
        self._rates = rates
        self._most = settings.limits.requests
        self.open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return
        scope["app"] = self._app
        exchange = Exchange(scope, send)
        self.open += 1
        try:
            await self._admit(scope, exchange)
            await self._app.router(scope, receive, exchange.send)  # without middleware: this is it
        except Problem as problem:
            await exchange.answer(problem)
        except HTTPException as error:
            headers = {name.title(): value for name, value in (error.headers or {}).items()}
            await exchange.answer(Problem(OF_HTTP.get(error.status_code, "bad-request"), headers=headers))
        except FastwrapError as error:
            await exchange.answer(Problem("unusable", str(error)))
        except ClientDisconnect:
            # Nobody hears it, if the client went away; one that framed its body wrongly does.
            await exchange.answer(Problem("bad-request", "the body broke off"))
        except Exception as error:
            log("error", request_id=exchange.id, error=f"{type(error).__name__}: {error}"[:500])
            await exchange.answer(Problem("internal-error"))
        finally:
            self.open -= 1
            exchange.end()

    async def _admit(self, scope: Scope, exchange: Exchange) -> None:
        """Problem for a request that must not come in."""
        if sum(name == b"host" for name, _ in scope["headers"]) > 1:
            raise Problem("bad-request", "the header Host is there twice")  # which of them a proxy believed is unknown
        namespace = self._access.check(scope["path"], exchange.headers)
        scope["state"]["namespace"] = namespace
        if scope["path"] in OPEN:
            return
        if self.open > self._most:
            raise Problem("overloaded", "too many requests are open", headers={"Retry-After": "1"})
        client = scope.get("client") or ("",)
        wait = self._rates.wait(f"{namespace} {client[0]}")
        if wait:
            raise Problem("too-many-requests", headers={"Retry-After": str(int(wait) + 1)})


class Exchange:
    """One request and its answer: what is added to its headers, logged and counted."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        self.id = request_id(self.headers.get("x-request-id"))
        self.status = 0
        self._scope = scope
        self._send = send
        self._began = time.perf_counter()
        self._sent = 0
        scope.setdefault("state", {})["request_id"] = self.id

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [
                *message.get("headers", ()),
                (b"x-request-id", self.id.encode()),
                (b"x-content-type-options", b"nosniff"),
            ]
        else:
            self._sent += len(message.get("body", b""))
        await self._send(message)

    async def answer(self, problem: Problem) -> None:
        """Answer a problem, if nothing has been answered yet."""
        if self.status:
            return
        body = problem.encoded(self.id)
        headers = {"content-type": MEDIA_TYPE, "content-length": str(len(body)), "cache-control": "no-store"}
        if problem.status in (408, 413):
            headers["connection"] = "close"  # what is left of the body is not read
        headers |= {name.lower(): value for name, value in problem.headers.items()}
        encoded = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
        await self.send({"type": "http.response.start", "status": problem.status, "headers": encoded})
        await self.send({"type": "http.response.body", "body": body})

    def end(self) -> None:
        """Log and count the request."""
        seconds = time.perf_counter() - self._began
        route = getattr(self._scope.get("route"), "path", "")
        metrics.REQUESTS.labels(route, str(self.status)).inc()
        metrics.SECONDS.labels(route).observe(seconds)
        metrics.BYTES_OUT.inc(self._sent)
        log(
            "request", request_id=self.id, method=self._scope["method"], route=route or "-", status=self.status,
            ms=round(seconds * 1000, 2), bytes=self._sent,
            namespace=self._scope["state"].get("namespace"),
            client=(self._scope.get("client") or ("",))[0],
        )  # fmt: skip


class App:
    """The app of one worker process, as ASGI has it."""

    def __init__(self, services: Services, guard: Guard, agents: AgentsDoor) -> None:
        self.services = services
        self._guard = guard
        self._agents = agents

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        await self._guard(scope, receive, send)

    @property
    def stopping(self) -> bool:
        """Whether the process is about to end."""
        return self.services.stopping

    @stopping.setter
    def stopping(self, value: bool) -> None:
        self.services.stopping = value

    async def start(self) -> None:
        """Open what requests need."""

    async def finished(self) -> None:
        """Wait until all requests that have come are answered."""
        while self._guard.open:
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Close what is open."""
        await self._agents.close()
        self.services.close()


def build(settings: Settings, rates: Rates | None = None) -> App:
    """The app of one worker process."""
    settings.check()
    services = Services(settings)
    agents = AgentsDoor(services)
    routes: list[Any] = [*openapi.routes(), Route("/mcp", agents), *docs.routes(), *page_routes()]
    app = Starlette(routes=routes)
    app.state.services = services
    limits = settings.limits
    return App(services, Guard(app, settings, Rates(limits.rate, limits.burst) if rates is None else rates), agents)
