"""`fastwrap.join`: the records of a listing, each with what its detail page says.
Pairs are found first, then the columns that both have, then the table is put together."""

from __future__ import annotations

from dataclasses import replace

from fastwrap.common.arguments import expect
from fastwrap.limits import union
from fastwrap.linking.agreement import Agreement, agree, is_better
from fastwrap.linking.details import DetailPage, DetailPages, read_pages, united
from fastwrap.linking.pairing import Link, facts_of, found_on, pair
from fastwrap.linking.result import LinkedRows
from fastwrap.linking.sides import Cells, LinkedTable, TableSource, side_of
from fastwrap.linking.values import is_start
from fastwrap.wrapper import Wrapper


class Joined(LinkedRows):
    """The records of a listing, each with what its detail page says: one row for each record."""

    def __init__(
        self, table: LinkedTable, links: list[Link], agreements: list[Agreement], pages: int, limits: tuple[str, ...]
    ) -> None:
        super().__init__(table, links, limits)
        self.links = links
        """Which page belongs to which record, and why; in order of the records."""
        self.agreements = agreements
        """Columns of the listing that detail pages have, too."""
        taken, used = {link.record for link in links}, {link.page for link in links}
        self.unmatched_records = [number for number in range(table.count) if number not in taken]
        """The numbers of the records without a page."""
        self.unmatched_pages = [number for number in range(pages) if number not in used]
        """The numbers of the pages without a record."""

    def __repr__(self) -> str:
        return f"<Joined: {len(self)} records, {len(self.links)} with a detail page>"


def join(listing: TableSource, detail_pages: DetailPages, *, wrapper: Wrapper | None = None) -> Joined:
    """Join the records of a listing with their detail pages.

    `listing` is an Extraction, a Region, or a page that `extract` takes. `detail_pages` are pages that `extract` takes,
    Extractions of them, or a mapping of addresses to either. `wrapper` is what they are read by: one that was learned
    of detail pages; without one, `extract(page).record` is what a page says.

    A record and a page belong together by the record's links, and by values that they share: rare ones weigh more. No
    page is given to two records. A column of the listing that has the same values as one of the detail pages is that
    column: it has the better of the two names, and values that the listing lacks or cuts off. A record without a page
    has None in the columns that the pages add.

    >>> from fastwrap import extract
    >>> rows = "".join(f"<li><a href=/p/{k}>{name} pan</a> <i>{k}.90 EUR</i></li>"
    ...     for k, name in enumerate(["Small", "Wide", "Deep"], 1))
    >>> def page(k, name, material):
    ...     return (f"<title>{name} pan</title><h1>{name} pan</h1><p>{k}.90 EUR</p>"
    ...         f"<table><tr><th>Material<td>{material}<tr><th>Weight<td>{k}00 g</table>")
    >>> pages = {"https://shop.example/p/3/?ref=list": page(3, "Deep", "iron"),
    ...     "https://shop.example/p/1": page(1, "Small", "steel")}
    >>> joined = join(extract(f"<ul>{rows}</ul>", url="https://shop.example/"), pages)
    >>> [(link.record, link.page) for link in joined.links], joined.unmatched_records
    ([(0, 1), (2, 0)], [1])
    """
    if wrapper is not None:
        expect(wrapper, Wrapper, "wrapper is a Wrapper or None")
    side = side_of(listing)
    facts = facts_of(side)
    pages: list[DetailPage] = []
    on_pages = []
    first = side.page
    for page, about in read_pages(detail_pages, wrapper):
        first = first if pages else page
        pages.append(about)
        on_pages.append(found_on(page, about, facts))
    links, met = pair(side, pages, facts, on_pages)
    details, more = united(pages, first) if len(side) else ([], ())
    records, numbers = [link.record for link in links], [link.page for link in links]
    agreed = agree([each.at(records) for each in side.cells], [each.at(numbers) for each in details])
    page_of = dict(zip(records, numbers, strict=True))
    in_step = [each.at(page_of.get(record) for record in range(len(side))) for each in details]
    shown = [
        confirmed(each, in_step[agreed.same[place]]) if place in agreed.same else each
        for place, each in enumerate(side.cells)
    ]
    shown += [each for number, each in enumerate(in_step) if number not in agreed.of_listing]
    limits = union(side.limits, *(page.limits for page in pages), met, more, agreed.limits)
    return Joined(LinkedTable(side.page, shown, list(side.links)), links, agreed.agreements, len(pages), limits)


def confirmed(listing: Cells, detail: Cells) -> Cells:
    """A column of the listing that the detail pages have, too: with the better name, and what the listing lacks."""
    column = listing.column
    said = f"{detail.column.name!r} of the detail pages has the same values"
    if is_better(detail.column, column):
        said = f"{column.name!r} of the listing has the same values"
        column = replace(column, name=detail.column.name, role=detail.column.role, why=detail.column.why)
    column = replace(column, why={**column.why, "agreement": said})
    values, texts = list(listing.values), list(listing.texts)
    of_one_type = column.type == detail.column.type and len(column.columns) == len(detail.column.columns)
    for place, text in enumerate(detail.texts):
        own = texts[place]
        is_cut = isinstance(own, str) and isinstance(text, str) and is_start(own, text)
        if text is not None and of_one_type and (own is None or is_cut):
            values[place], texts[place] = detail.values[place], text
    return Cells(column, values, texts)
