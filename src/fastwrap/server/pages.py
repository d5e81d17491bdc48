"""Routes that read one page: its records, its content."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

import fastwrap
from fastwrap.server.answers import CONTENTS, TABLES, Answer, Wished, answer, json_answer, table_answer, wished
from fastwrap.server.bodies import packing_of, unpack
from fastwrap.server.requests import Given, Incoming, Options, PageOptions, SomeOptions
from fastwrap.server.services import services_of


async def given_page(
    request: Request,
    options: type[SomeOptions],
    work: Callable[[Given[SomeOptions], Wished], Answer],
    formats: dict[str, str] = TABLES,
    but: tuple[str, ...] = (),
) -> Response:
    """Read the page of a request, and answer what `work` makes of it on a thread; `but` are further names of the query,
    which the route has read."""
    services = services_of(request)
    wish, packing, incoming = wished(request, formats), packing_of(request), Incoming(request, options, *but)

    def whole(body: bytes) -> Answer | Given[SomeOptions]:
        given = incoming.given(unpack(body, packing, services.limits.body))
        return given if given.html is None else work(given, wish)

    async with services.held.body(request) as body:
        made = await services.run(whole, body)
    if isinstance(made, Given):
        made = await services.run(work, await services.fetched(made), wish)
    return made.response()


async def extract(request: Request) -> Response:
    """The records of a page."""
    limits = services_of(request).limits

    def work(given: Given[Options], wish: Wished) -> Answer:
        return table_answer(fastwrap.extract(given.page(limits), **given.options.keywords), wish)

    return await given_page(request, Options, work)


async def content(request: Request) -> Response:
    """What a page says, without menus and what else is around it."""
    limits = services_of(request).limits

    def work(given: Given[PageOptions], wish: Wished) -> Answer:
        said = fastwrap.content(given.page(limits))
        if wish.format == "json":
            return json_answer(said.to_dict(), wish.packing)
        text = said.text if wish.format == "text" else said.markdown
        return answer(text.encode("utf-8", "replace"), CONTENTS[wish.format], wish.packing)

    return await given_page(request, PageOptions, work, CONTENTS)
