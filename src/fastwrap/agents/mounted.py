"""The tools as an ASGI app, to be mounted in a server, at /mcp.
The SDK takes half a second to load, and is imported when the first request comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from fastwrap.agents.server import Agents


class HttpDoor:
    """The tools as an ASGI app, to be mounted: each request is answered by itself, so that any process of a server may
    take the next one. Whoever mounts it checks tokens, Host and Origin before.

    `make` makes the tools when they are first asked for.
    """

    def __init__(self, make: Callable[[], Agents], most_body: int = 16_000_000) -> None:
        self._make = make
        self._most_body = most_body
        self._manager: StreamableHTTPSessionManager | None = None
        self._running: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._end = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One request."""
        if scope["method"] != "POST":  # there are no sessions to end, and nothing to listen to
            await send({"type": "http.response.start", "status": 405, "headers": [(b"allow", b"POST")]})
            await send({"type": "http.response.body", "body": b""})
            return
        async with self._starting:
            if self._manager is None:
                await self._start()
        assert self._manager is not None
        await self._manager.handle_request(scope, receive, send)

    async def _start(self) -> None:
        server = self._make().server()  # says how to install the SDK where it is missing
        from mcp.server.transport_security import TransportSecuritySettings

        server.streamable_http_app(
            stateless_http=True,
            json_response=True,
            max_request_body_size=self._most_body,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # checked already
        )
        self._manager = server.session_manager
        ready = asyncio.Event()
        self._running = asyncio.create_task(self._run(self._manager, ready))
        await ready.wait()

    async def _run(self, manager: StreamableHTTPSessionManager, ready: asyncio.Event) -> None:
        # In a task of its own: what enters the manager must leave it.
        async with manager.run():
            ready.set()
            await self._end.wait()

    async def close(self) -> None:
        """End what runs."""
        self._end.set()
        if self._running is not None:
            with suppress(asyncio.CancelledError):
                await self._running
