"""The benchmark: runs extractors on corpora, times them, and collects what the evaluators say.
A page on which an extractor fails counts as one with nothing found; it never stops the run."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from fastwrap.page import Page
from fastwrap.tools.evaluate.corpora import Corpus, Document
from fastwrap.tools.evaluate.evaluators import EVALUATORS, Attempt, Evaluator, Figures, Totals
from fastwrap.tools.evaluate.extractors import Extractor
from fastwrap.tools.evaluate.marks import Marks

ALL = "all"
"""What all corpora together are called."""


@dataclass(frozen=True)
class PageResult:
    """One extractor on one page."""

    method: str
    corpus: str
    page: str
    figures: dict[str, Figures]
    """By evaluator: of those that have something to say."""
    error: str | None
    """Why the extractor failed, if it did."""
    true: Sequence[str] | None
    """The text of each true record; None for a page without a list."""
    found: Sequence[str]
    """The text of each record of the first region."""


@dataclass(frozen=True)
class Summary:
    """One extractor on one corpus, or on all of them."""

    method: str
    corpus: str
    pages: int
    records: int
    errors: int
    figures: dict[str, Totals] = field(default_factory=dict)
    """By evaluator, of those that had something to say: on how many pages, and what."""


def run(
    corpora: Iterable[Corpus],
    extractors: Sequence[Extractor],
    evaluators: Sequence[Evaluator] = EVALUATORS,
    repeat: int = 3,
) -> Iterator[PageResult]:
    """Run each extractor `repeat` times on each page of each corpus; results come as they are made."""
    for corpus in corpora:
        for document in corpus:
            attempts, errors = attempt_all(document, extractors, repeat)
            for extractor, attempt, error in zip(extractors, attempts, errors, strict=True):
                measured = ((evaluator.name, evaluator.measure(attempt)) for evaluator in evaluators)
                yield PageResult(
                    method=extractor.name,
                    corpus=corpus.name,
                    page=document.name,
                    figures={name: figures for name, figures in measured if figures is not None},
                    error=error,
                    true=None if attempt.key is None else attempt.key.records,
                    found=attempt.found.texts[0] if attempt.found.texts else [],
                )


def attempt_all(
    document: Document, extractors: Sequence[Extractor], repeat: int
) -> tuple[list[Attempt], list[str | None]]:
    """All extractors on one page, and why those that failed did.

    Runs are interleaved, bare parse and extractors in turn, and medians taken, so that what disturbs the
    machine for a while disturbs all alike; processor time is what counts, for other processes are not ours.
    """
    page = Page(b"")
    found = [Marks(page, [], confidence=0.0) for _ in extractors]
    uncleaned: list[Marks | None] = [None for _ in extractors]
    times: list[list[float]] = [[] for _ in extractors]
    parse_times: list[float] = []
    errors: list[str | None] = [None for _ in extractors]
    try:
        html = document.read()
        page = Page(html)
    except Exception as error:
        errors = [named(error) for _ in extractors]
    collecting = gc.isenabled()
    gc.disable()
    try:
        for round_number in range(0 if all(errors) else repeat):
            start = time.process_time()
            LexborHTMLParser(html)
            parse_times.append(time.process_time() - start)
            for number, extractor in enumerate(extractors):
                if errors[number] is not None:
                    continue
                try:
                    start = time.process_time()
                    marks = extractor.find(html)
                    times[number].append(time.process_time() - start)
                    if round_number == 0:
                        if extractor.find_uncleaned is not None:
                            uncleaned[number] = extractor.find_uncleaned(html)
                        marks.texts  # noqa: B018 - read now: marks that are off the page are the extractor's fault
                        found[number] = marks
                except Exception as error:
                    errors[number] = named(error)
    finally:
        if collecting:
            gc.enable()
    true = None if document.key is None else document.key.marks(page)
    attempts = [
        Attempt(
            page,
            found[number],
            document.key,
            true,
            uncleaned[number],
            statistics.median(times[number]) if errors[number] is None else None,
            statistics.median(parse_times) if parse_times else None,
        )
        for number in range(len(extractors))
    ]
    return attempts, errors


def named(error: Exception) -> str:
    """An error in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0]


def summarise(results: Iterable[PageResult], evaluators: Sequence[Evaluator] = EVALUATORS) -> list[Summary]:
    """The totals of every extractor: corpus by corpus, then of all of them together."""
    groups: dict[str, dict[str, list[PageResult]]] = {}
    for result in results:
        corpora = groups.setdefault(result.method, {})
        corpora.setdefault(result.corpus, []).append(result)
    return [
        summary(method, corpus, pages, evaluators)
        for method, corpora in groups.items()
        for corpus, pages in [*corpora.items(), (ALL, [page for pages in corpora.values() for page in pages])]
    ]


def summary(method: str, corpus: str, pages: Sequence[PageResult], evaluators: Sequence[Evaluator]) -> Summary:
    """The totals of some pages of one extractor."""
    measured = (
        (evaluator, [page.figures[evaluator.name] for page in pages if evaluator.name in page.figures])
        for evaluator in evaluators
    )
    return Summary(
        method,
        corpus,
        pages=len(pages),
        records=sum(len(page.true or ()) for page in pages),
        errors=sum(page.error is not None for page in pages),
        figures={
            evaluator.name: {"pages": len(figures), **evaluator.total(figures)}
            for evaluator, figures in measured
            if figures
        },
    )


def as_json(summaries: Iterable[Summary], results: Iterable[PageResult]) -> dict[str, Any]:
    """All figures as plain data; the names in it are kept from version to version.

    `format`: 1. `totals`: one object for each method and corpus, and one for each method over all corpora (corpus
    "all"), with `method`, `corpus`, `pages`, `records`, `errors` and what each evaluator says in total, under its
    name: on how many `pages`, and its figures. `pages`: one object for each method and page, with `method`,
    `corpus`, `page`, `error` (null or a line of text) and what each evaluator says of the page, under its name.
    An evaluator with nothing to say is left out; a figure that no page gives is null. The totals:

    `referee`     main and any: precision, recall, f1, page_f1, pages_exact, count_hit
    `items`       records and items: precision, recall, f1
    `noise`       main_list_kept, nodes_pruned, noise_removed; before and after: precision, recall, f1
    `confidence`  confidence, answers
    `time`        ms_per_page, median_ms, median_multiple, percentile_95_multiple, slowest_ms
    """
    return {
        "format": 1,
        "totals": [
            {
                "method": total.method,
                "corpus": total.corpus,
                "pages": total.pages,
                "records": total.records,
                "errors": total.errors,
                **total.figures,
            }
            for total in summaries
        ],
        "pages": [
            {"method": page.method, "corpus": page.corpus, "page": page.page, "error": page.error, **page.figures}
            for page in results
        ],
    }
