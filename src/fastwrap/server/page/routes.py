"""The routes of the page at `/`: its files, and the four calls that only it needs.
What /v1 has, the page asks there: it keeps and lists wrappers like any other client."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fastwrap.common.resources import filled, resource
from fastwrap.server.answers import Answer, answer, json_answer
from fastwrap.server.answers import packing_of as packing_wished
from fastwrap.server.bodies import packing_of, unpack
from fastwrap.server.page import reading
from fastwrap.server.page.reading import Chosen, Looked
from fastwrap.server.problems import Problem
from fastwrap.server.requests import Given, Options, decoded
from fastwrap.server.services import services_of
from fastwrap.show.parts import MODULES, style

T = TypeVar("T", bound=Looked)

SCRIPTS = ("app.js", "calls.js", "sources.js", "columns.js")

# Scripts and styles are files of ours, and nothing is loaded from elsewhere. Styles may be inline because the frame has
# the policy of the page around it on top of its own, and a stranger's page keeps its style sheets and attributes
# there. What they say stays in the frame: they reach neither this page nor the network (img-src and font-src are data
# alone). Scripts run from our files only, and in the frame not at all: its sandbox does not allow them.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; font-src data:;"
    " connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def routes() -> list[Route]:
    """The routes."""
    return [
        Route("/", index, methods=["GET"]),
        Route("/page/look", look, methods=["POST"]),
        Route("/page/table", table, methods=["POST"]),
        Route("/page/wrapper", wrapper, methods=["POST"]),
        Route("/page/code", code, methods=["POST"]),
        Route("/page/{name}", file, methods=["GET"]),
    ]


@cache
def files() -> dict[str, tuple[str, str]]:
    """The files of the page by their names: the type of each, and the text."""
    ours = {name: ("text/javascript", resource("fastwrap.server.page", name)) for name in SCRIPTS}
    shown = {name: ("text/javascript", resource("fastwrap.show", name)) for name in MODULES}
    return {
        **ours,
        **shown,
        "view.css": ("text/css", style("view")),
        "app.css": ("text/css", resource("fastwrap.server.page", "app.css")),
        "example.html": ("text/plain", resource("fastwrap.server.page", "example.html")),
    }


async def index(request: Request) -> Response:
    """The page itself."""
    settings = services_of(request).settings
    text = filled(resource("fastwrap.server.page", "index.html"), fetching="yes" if settings.allow_fetch else "no")
    return Response(text, headers=HEADERS, media_type="text/html")


async def file(request: Request) -> Response:
    """A file of the page."""
    found = files().get(request.path_params["name"])
    if found is None:
        raise Problem("not-found", "the page has no such file")
    media_type, text = found
    return answer(text.encode(), media_type, packing_wished(request), {"cache-control": "no-cache"}).response()


async def called(request: Request, kind: type[T], work: Callable[[T], Answer]) -> Response:
    """Read a request of the page, and answer what `work` makes of it on a thread."""
    services = services_of(request)
    packing = packing_of(request)

    def whole(body: bytes) -> Answer | T:
        asked = decoded(unpack(body, packing, services.limits.body), kind)
        return asked if asked.is_to_be_fetched else work(asked)

    async with services.held.body(request) as body:
        made = await services.run(whole, body)
        if isinstance(made, Looked):
            found = await services.fetched(Given(None, Options(url=made.url)))
            fetched = replace(made, file=found.html, url=found.options.url, encoding=found.charset, fetched=True)
            made = await services.run(work, fetched)
    return made.response()


async def look(request: Request) -> Response:
    """A page, marked, with its lists; one that was fetched comes with it, for the calls that follow."""
    limits = services_of(request).limits

    def work(looked: Looked) -> Answer:
        return json_answer(reading.look(looked, limits), packing_wished(request))

    return await called(request, Looked, work)


async def table(request: Request) -> Response:
    """A list as a file."""
    limits = services_of(request).limits
    kind = request.query_params.get("format", "csv")

    def work(chosen: Chosen) -> Answer:
        return answer(reading.table_file(chosen, kind, limits), reading.FILES[kind], packing_wished(request))

    return await called(request, Chosen, work)


async def wrapper(request: Request) -> Response:
    """The wrapper of a list, as its file."""
    limits = services_of(request).limits

    def work(chosen: Chosen) -> Answer:
        data = reading.wrapper(chosen, limits).dumps().encode()
        return answer(data, "application/json", packing_wished(request))

    return await called(request, Chosen, work)


async def code(request: Request) -> Response:
    """Lines of code that read a list."""
    services = services_of(request)
    needs_token = bool(services.settings.tokens)

    def work(chosen: Chosen) -> Answer:
        return json_answer(reading.code(chosen, needs_token, services.limits), packing_wished(request))

    return await called(request, Chosen, work)
