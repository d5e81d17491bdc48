"""fastwrap in Crawlee: an extractor for `PydanticAiCrawler` that asks no model, and what any crawler's handler calls.
Needs `fastwrap[crawlee]`."""

from __future__ import annotations

import asyncio
import typing
from typing import Any, TypeVar

from fastwrap.errors import FastwrapError
from fastwrap.extraction import Extraction, extract

try:
    from crawlee.crawlers import PydanticAiUsageStats
    from parsel import Selector
    from pydantic import BaseModel, ValidationError
except ImportError as error:
    raise FastwrapError(f"{error.name} is not installed: pip install 'fastwrap[crawlee]'") from error

__all__ = ["RecordExtractor", "extraction_of"]

SchemaT = TypeVar("SchemaT", bound=BaseModel)


async def extraction_of(context: Any, **options: Any) -> Extraction:
    """What fastwrap makes of the page of a crawling context, of any crawler: those over HTTP, and Playwright's.

    `options` are those of `fastwrap.extract`. In a handler:

        found = await extraction_of(context, want=["title", "price"])
        await context.push_data(found.to_dicts(json=True))
        if found.next_page:
            await context.add_requests([found.next_page])
    """
    if (page := getattr(context, "page", None)) is not None:  # a browser
        html, url, encoding = await page.content(), page.url, None
    else:
        response = context.http_response
        html, url = await response.read(), context.request.loaded_url or context.request.url
        encoding = response.headers.get("content-type")
    return await asyncio.to_thread(lambda: extract(html, url, encoding=encoding, **options))


class RecordExtractor:
    """Crawlee's `PydanticAiHtmlExtractor`, without a model: `PydanticAiCrawler(extractor=RecordExtractor())`.

    A schema with a field that is a list of models gets the records of the page in it, as that; any other schema is
    filled from the one thing that the page is about.
    """

    def __init__(self) -> None:
        self._usage = PydanticAiUsageStats()

    async def extract(
        self,
        content: str | Selector,
        schema: type[SchemaT],
        *,
        scope: str | None = None,
        cache_tag: str | None = None,
        additional_instructions: str | None = None,
    ) -> SchemaT:
        """An instance of the schema. `scope` restricts it to the first element that a CSS selector matches; what is
        said to a model (`cache_tag`, `additional_instructions`) does not matter here. ValueError for a page that does
        not have what the schema needs."""
        if scope is not None:
            selector = content if isinstance(content, Selector) else Selector(text=content)
            if not (within := selector.css(scope)):
                raise ValueError(f"Extraction scope {scope!r} matched nothing on the page.")
            content = within[0]
        html = content if isinstance(content, str) else str(content.get())
        return await asyncio.to_thread(filled, schema, html)

    @property
    def ai_usage(self) -> PydanticAiUsageStats:
        """Tokens that were used: none."""
        return self._usage

    def set_ai_usage(self, value: PydanticAiUsageStats) -> None:
        """Share the count of tokens with others, who may use some."""
        self._usage = value


def filled(schema: type[SchemaT], html: str) -> SchemaT:
    """An instance of a schema, of a page.

    >>> import pydantic
    >>> class Pan(pydantic.BaseModel):
    ...     title: str
    ...     price: float
    >>> Shop = pydantic.create_model("Shop", pans=(list[Pan], ...))
    >>> page = "".join(f"<li><b>Pan {k}</b> <i>{k}.50 EUR</i></li>" for k in range(1, 5))
    >>> filled(Shop, f"<ul>{page}</ul>").pans[1]
    Pan(title='Pan 2', price=2.5)
    """
    for name, field in schema.model_fields.items():
        if (inner := listed(field.annotation)) is not None:
            rows = extract(html, want=inner).rows
            return valid(schema, {name: [row.model_dump() for row in rows]})
    rows = extract(html, want=schema).rows
    if len(rows) != 1:
        raise FastwrapError("the page is about no one thing: a schema with a list of models gets its records")
    return typing.cast(SchemaT, rows[0])


def listed(annotation: Any) -> type[BaseModel] | None:
    """The model of which a field is a list; None if it is something else."""
    inner = typing.get_args(annotation)
    is_list = typing.get_origin(annotation) in (list, tuple, set)
    return inner[0] if is_list and inner and isinstance(inner[0], type) and issubclass(inner[0], BaseModel) else None


def valid(schema: type[SchemaT], values: dict[str, Any]) -> SchemaT:
    """An instance of these values; FastwrapError if they are not what the schema has."""
    try:
        return schema.model_validate(values)
    except ValidationError as error:
        raise FastwrapError(f"the records are not what is wanted: {error}") from None
