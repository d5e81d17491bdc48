"""Pages of several templates: they are told apart by the paths of tags and classes that they have, and each template is
learned by itself. `learn_all` is `learn` for a heap of pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.names import NO_NODE
from fastwrap.page.sources import HtmlSource, page_of, pages_of
from fastwrap.wrapper.choosing import WrapperSet
from fastwrap.wrapper.fitting import ALARM
from fastwrap.wrapper.hashes import tokens_without_digits
from fastwrap.wrapper.learning import learn
from fastwrap.wrapper.lists import in_order
from fastwrap.wrapper.location import class_of
from fastwrap.wrapper.wrapper import Wrapper

LEAST_SHARED = 0.6
"""Pages of one template have at least this share of their paths in common."""

MOST_TEMPLATES = 100
"""Further pages are taken for those of the template that they are most like."""

MOST_PATHS = 5_000
"""Paths of a page that are compared, the first ones."""

ROUNDS = 3
"""How often pages that fit none of the wrappers are learned by themselves."""


def learn_all(
    pages: HtmlSource | Iterable[HtmlSource], *, encoding: str | None = None, columns: str | None = None
) -> WrapperSet:
    """Learn the lists of pages of several templates: a wrapper for each template, of which `WrapperSet.extract` chooses
    the one that fits a page.

    Pages are put together by the tags and classes that they have, not by their order. A page that does not fit the
    wrapper of its template is learned with others of that kind; `Wrapper.misfits` of each wrapper has the numbers of
    pages among those that it was learned from. `encoding` and `columns` are those of `fastwrap.learn`.

    >>> goods = "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(9))
    >>> news = "".join(f"<p><a href=/{k}>Title {k}</a> text of {k}</p>" for k in range(9))
    >>> pages = [f"<ul class=goods>{goods}</ul>", f"<main>{news}</main>", f"<main>{news * 2}</main>"]
    >>> wrappers = learn_all(pages)
    >>> [wrapper.pages for wrapper in wrappers]
    [2, 1]
    >>> len(wrappers.extract(pages[0]).records), len(wrappers.extract(pages[2]).records)
    (9, 18)
    """
    read = [page_of(source, encoding=encoding) for source in pages_of(pages)]
    if not read:
        raise FastwrapError("there is no page to learn from")
    wrappers: list[Wrapper] = []
    left: list[Page] = []
    for group in by_template(read):
        group = unfit_of(group, wrappers)
        if group:
            wrapper = learn(group, columns=columns)
            unfit = [group[misfit.page] for misfit in wrapper.misfits]
            if len(unfit) < len(group):
                wrappers.append(wrapper)
            left += unfit
    for _ in range(ROUNDS):
        left = unfit_of(left, wrappers)
        if not left:
            break
        wrapper = learn(left, columns=columns)
        if len(wrapper.misfits) == len(left):
            break
        wrappers.append(wrapper)
    return WrapperSet(wrappers)


def unfit_of(pages: Sequence[Page], wrappers: Sequence[Wrapper]) -> list[Page]:
    """Those of the pages that none of the wrappers fits."""
    return [page for page in pages if not any(fits(wrapper, page) for wrapper in wrappers)]


def fits(wrapper: Wrapper, page: Page) -> bool:
    """Whether a page has records of the first list that fit, or what holds it, by its class, without any record."""
    if not wrapper.patterns:
        return False
    extraction = wrapper.extract(page)
    if extraction.records:
        return extraction.fit >= ALARM
    location = wrapper.patterns[0].location
    parents, misses = location.find(page)
    return bool(len(parents)) and not misses and bool(location.path[-1].tokens)


def by_template(pages: Sequence[Page]) -> list[list[Page]]:
    """The pages, those of one template together, largest groups first; within them in the order given."""
    numbers: dict[tuple[int, int, tuple[bytes, ...]], int] = {}
    leaders: list[tuple[frozenset[int], list[int]]] = []
    signatures = [signature(page, numbers) for page in pages]
    # The page with most paths speaks for its template: others lack what is optional.
    order = sorted(in_order(pages), key=lambda number: -len(signatures[number]))
    for number in order:
        mine = signatures[number]
        likeness = [shared(mine, theirs) for theirs, _ in leaders]
        best = max(range(len(leaders)), key=likeness.__getitem__, default=None)
        if best is not None and (likeness[best] >= LEAST_SHARED or len(leaders) == MOST_TEMPLATES):
            leaders[best][1].append(number)
        else:
            leaders.append((mine, [number]))
    leaders.sort(key=lambda leader: -len(leader[1]))
    return [[pages[number] for number in sorted(members)] for _, members in leaders]


def shared(one: frozenset[int], other: frozenset[int]) -> float:
    """The share of paths that two pages have in common (Jaccard)."""
    either = len(one | other)
    return len(one & other) / either if either else 1.0


def signature(page: Page, numbers: dict[tuple[int, int, tuple[bytes, ...]], int]) -> frozenset[int]:
    """The paths of tags and classes of a page, numbered by `numbers`, which further pages share."""
    symbols, first = np.unique(page.path_symbol, return_index=True)
    order = np.argsort(first)[:MOST_PATHS]
    own: dict[int, int] = {}
    for symbol, node in zip(symbols[order].tolist(), first[order].tolist(), strict=True):
        above = int(page.parent[node])
        over = -1 if above == NO_NODE else own[int(page.path_symbol[above])]
        key = over, int(page.tag[node]), tuple(sorted(tokens_without_digits(class_of(page, node))))
        own[symbol] = numbers.setdefault(key, len(numbers))
    return frozenset(own.values())
