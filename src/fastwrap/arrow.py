"""Pages in Arrow tables: one function that every engine with Arrow can call, with a schema that is known beforehand.
`extract_batch` takes HTML in a column and gives rows; `extract_column` gives one value for each page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any

from fastwrap.columns.wishes import Want
from fastwrap.common.arguments import expect
from fastwrap.errors import FastwrapError, told
from fastwrap.extraction import MIN_CONFIDENCE, Extraction, check_confidence, extract
from fastwrap.output.frames import require
from fastwrap.output.nested import PageRows, WantedRows, page_schema, wanted_schema
from fastwrap.page import Page
from fastwrap.page.sources import page_of
from fastwrap.regions import check_method
from fastwrap.wrapper import Wrapper, WrapperSet
from fastwrap.wrapper.fitting import ALARM

if TYPE_CHECKING:
    import pyarrow

__all__ = ["MAX_PAGE", "column_type", "extract_batch", "extract_column", "schema"]

MAX_PAGE = 32 << 20
"""Bytes of a page; one with more is an error, so that time and memory of each page are bounded."""


def schema(want: Want | None = None, keep: Iterable[pyarrow.Field] = ()) -> pyarrow.Schema:
    """The schema of what `extract_batch` gives: the fields of the columns that are kept, and then, without `want`, a
    row for each page; with `want`, a row for each record, with the columns that are wanted.

    >>> schema(keep=[]).names
    ['url', 'kind', 'confidence', 'next_page', 'columns', 'records', 'error']
    >>> schema({"title": str, "price": float}).field("price").type
    DataType(double)
    """
    arrow = require("pyarrow", "arrow")
    found = page_schema() if want is None else wanted_schema(want)
    fields = list(keep)
    if taken := [field.name for field in fields if field.name in found.names]:
        raise FastwrapError(f"the column {taken[0]!r} cannot be kept: there is another one of this name")
    return arrow.schema([*fields, *found])


def extract_batch(
    batch: pyarrow.RecordBatch,
    want: Want | None = None,
    *,
    wrapper: Wrapper | WrapperSet | None = None,
    method: str = "auto",
    min_confidence: float = MIN_CONFIDENCE,
    html: str = "html",
    url: str = "url",
    keep: Sequence[str] = (),
) -> pyarrow.RecordBatch:
    """Extract the pages of a batch: `html` names the column with them, of bytes or texts, and `url` that with their
    addresses, which need not be there. Columns of the batch that are to be in the result are named by `keep`.

    Without `want`, there is one row for each page: `url`, `kind` ("list", "detail" or "none"), `confidence`,
    `next_page`, `columns` (`name`, `type`, `role`, `unit`), `records` (`link` and `values`: texts in the order of the
    columns, numbers and dates as in JSON, money as "12.50 EUR", lists as JSON), and `error`. With `want`, as in
    `fastwrap.extract`, there is one row for each record: `page` is the number of its page in the batch, `page_url` its
    address, then come the columns that are wanted, of the types that are wanted (str for names alone), and `error`. A
    value that the type cannot hold is null. A page that fails has a row with the reason in `error`; nothing is raised
    for it. FastwrapError for columns that are not there, and for options that make no sense.

    With a `wrapper`, or a set of them, pages are read by the one that fits, and without one where none does.

    >>> import pyarrow
    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> pages = pyarrow.record_batch({"html": [page, None], "id": [7, 8]})
    >>> extract_batch(pages, keep=["id"]).select(["id", "kind", "error"]).to_pylist()
    [{'id': 7, 'kind': 'list', 'error': None}, {'id': 8, 'kind': None, 'error': 'there is no html'}]
    >>> extract_batch(pages, want={"title": str, "price": float}).to_pylist()[1]
    {'page': 0, 'page_url': None, 'title': 'Beech', 'price': 5.5, 'error': None}
    """
    arrow = require("pyarrow", "arrow")
    # What makes no sense is told once, and not by every page.
    check_method(method)
    check_confidence(min_confidence)
    if isinstance(keep, str):
        raise TypeError("keep is a list of names, not str")
    expect(wrapper, (Wrapper, WrapperSet, NoneType), "wrapper is a Wrapper, a WrapperSet or None")
    rows: Any = PageRows() if want is None else WantedRows(want)
    wanted = None if want is None else rows.wanted
    wrappers = WrapperSet([wrapper]) if isinstance(wrapper, Wrapper) else wrapper

    def found_on(page: Page) -> Extraction:
        chosen = None if wrappers is None else wrappers.choose(page)
        if chosen is not None:
            found = chosen.extract(page, want=wanted)
            if found.fit >= ALARM:
                return found
        return extract(page, method=method, min_confidence=min_confidence, want=wanted)

    kept = [batch.column(place_of(batch, name)) for name in keep]
    fields = [batch.schema.field(name) for name in keep]
    result = schema(want, fields)
    pages = batch.column(place_of(batch, html))
    urls: Any = batch.column(place_of(batch, url)) if url in batch.schema.names else [None] * len(batch)
    for cell, address in zip(pages, urls, strict=True):
        where = None if address is None else address_of_cell(address.as_py())
        try:
            rows.add(found_on(page_of_cell(cell.as_py(), where)), where)
        except Exception as error:  # whatever it is, it is the page's
            rows.fail(where, told(error))
    found = rows.batch()
    if want is not None:
        kept = [column.take(found.column("page")) for column in kept]
    return arrow.RecordBatch.from_arrays([*kept, *found.columns], schema=result)


def extract_column(
    html: pyarrow.Array, url: pyarrow.Array | None = None, want: Want | None = None, **options: Any
) -> pyarrow.Array:
    """What `extract_batch` finds, as one value for each page, for engines that ask for a column: without `want` a
    struct of the columns of its row; with `want` a struct of `records`, a list of structs of what is wanted, and
    `error`.

    >>> import pyarrow
    >>> page = "".join(f"<li><b>{wood}</b> <i>{len(wood)}.50 EUR</i></li>" for wood in "Ash Beech Cedar Oak".split())
    >>> extract_column(pyarrow.array([page, "%PDF-1.4"]), want={"price": float}).to_pylist()[0]["records"][1]
    {'price': 5.5}
    """
    arrow = require("pyarrow", "arrow")
    columns = {"html": html} if url is None else {"html": html, "url": url}
    found = extract_batch(arrow.record_batch(columns), want, **options)
    if want is None:
        return arrow.StructArray.from_arrays(found.columns, fields=list(found.schema))
    import numpy as np

    names = [name for name in found.schema.names if name not in ("page", "page_url", "error")]
    failed = found.column("error").is_valid().to_numpy(zero_copy_only=False)
    numbers = found.column("page").to_numpy()
    good = found.filter(arrow.array(~failed))
    counts = np.bincount(numbers[~failed], minlength=len(html))
    entry = column_type(want).field("records").type.value_type
    records = arrow.StructArray.from_arrays([good.column(name) for name in names], fields=list(entry))
    until = arrow.array(np.concatenate([[0], np.cumsum(counts)]), arrow.int32())
    errors: list[str | None] = [None] * len(html)
    for number, error in zip(numbers[failed].tolist(), found.column("error").filter(arrow.array(failed)), strict=True):
        errors[number] = error.as_py()
    arrays = [arrow.ListArray.from_arrays(until, records), arrow.array(errors, arrow.string())]
    return arrow.StructArray.from_arrays(arrays, fields=list(column_type(want)))


def column_type(want: Want | None = None) -> pyarrow.DataType:
    """The type of what `extract_column` gives.

    >>> str(column_type(["title"]))
    'struct<records: list<item: struct<title: string>>, error: string>'
    """
    arrow = require("pyarrow", "arrow")
    if want is None:
        return arrow.struct(list(page_schema()))
    wishes = [field for field in wanted_schema(want) if field.name not in ("page", "page_url", "error")]
    return arrow.struct([("records", arrow.list_(arrow.struct(wishes))), ("error", arrow.string())])


def place_of(batch: pyarrow.RecordBatch, name: str) -> int:
    """Which column of a batch has a name; FastwrapError if none, or several have."""
    places: list[int] = batch.schema.get_all_field_indices(name)
    if len(places) != 1:
        what = "there is no column" if not places else "there are several columns"
        raise FastwrapError(f"{what} {name!r} in the batch: it has {', '.join(map(repr, batch.schema.names))}")
    return places[0]


def address_of_cell(url: Any) -> str | None:
    """The address in a cell; what is neither text nor bytes is none.

    >>> address_of_cell(b"https://a.example/\\xff"), address_of_cell(5)
    ('https://a.example/�', None)
    """
    if isinstance(url, bytes):
        return url.decode("utf-8", "replace")
    return url if isinstance(url, str) else None


def page_of_cell(html: Any, url: str | None) -> Page:
    """The page of a cell; FastwrapError for what is none."""
    if html is None:
        raise FastwrapError("there is no html")
    if isinstance(html, str):
        html, encoding = html.encode("utf-8", "replace"), "utf-8"
    else:
        encoding = None
    if not isinstance(html, bytes):
        raise FastwrapError(f"html is bytes or a text, not {type(html).__name__}")
    if len(html) > MAX_PAGE:
        raise FastwrapError(f"it has more than {MAX_PAGE:,} bytes")
    return page_of(html, url, encoding)
