"""Routes that tell of the server itself: whether it lives, whether it is ready, its numbers, its methods."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from fastwrap._version import __version__
from fastwrap.regions import METHODS
from fastwrap.server import metrics
from fastwrap.server.answers import json_answer
from fastwrap.server.problems import Problem
from fastwrap.server.services import services_of


async def health(request: Request) -> Response:
    """That the process lives."""
    return json_answer({"status": "ok", "version": __version__}).response()


async def ready(request: Request) -> Response:
    """That requests may come: the store answers, and the process is not about to end."""
    services = services_of(request)
    if services.stopping:
        raise Problem("overloaded", "the server is about to end", headers={"Retry-After": "2"})
    await services.shelf.ping()
    return json_answer({"status": "ready"}).response()


async def methods(request: Request) -> Response:
    """The methods that find lists."""
    return json_answer({"methods": METHODS, "default": "auto"}).response()


async def metrics_of_all(request: Request) -> Response:
    """The numbers of all workers."""
    return Response(metrics.exposition(), headers={"content-type": metrics.MEDIA_TYPE})
