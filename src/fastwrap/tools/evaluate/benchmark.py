"""The benchmark: runs extractors (anything that takes HTML and gives marks) on corpora, times them, and collects what
the evaluators say. A page on which an extractor fails counts as one with nothing found; it never stops the run."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, TypeAlias

from fastwrap.errors import FastwrapError
from fastwrap.extraction import DataRegion, Extraction, extract
from fastwrap.page import Page
from fastwrap.tools.evaluate.column_evaluators import TABLE_EVALUATORS
from fastwrap.tools.evaluate.corpora import Corpus, Document
from fastwrap.tools.evaluate.evaluators import RECORD_EVALUATORS, Attempt, Evaluator, Figures, Totals
from fastwrap.tools.evaluate.marks import Marks
from fastwrap.tools.evaluate.tables import Comparison, ShownTable, compare, text_of
from fastwrap.tools.timing import bare_parse, seconds_of, without_collector

ALL = "all"  # what all corpora together are called
ADDRESS = "https://site.example/list"  # of a page whose table is wanted: links to other sites are told by it
EVALUATORS = (*RECORD_EVALUATORS, *TABLE_EVALUATORS)
"""What `fastwrap eval` measures."""


Find: TypeAlias = Callable[[bytes], Marks]


@dataclass(frozen=True)
class Extractor:
    """Something that finds records on pages, and what to call it."""

    name: str
    find: Find
    find_uncleaned: Find | None = None
    """For one that removes noise first: the same without that, to tell what was removed."""
    find_table: Find | None = None
    """For one that has columns: the same, with the table of the first region."""


@dataclass(frozen=True)
class PageResult:
    """One extractor on one page."""

    method: str
    corpus: str
    page: str
    figures: dict[str, Figures]  # by evaluator: of those that have something to say
    error: str | None  # why the extractor failed, if it did
    true: Sequence[str] | None  # the text of each true record; None for a page without a list
    found: Sequence[str]  # the text of each record of the first region
    comparison: Comparison | None = None  # of its table with the true one, where the page has that truth


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
            page, parse_seconds, trials = try_all(document, extractors, repeat)
            records, true = (document.key.records, document.key.marks(page)) if document.key else (None, None)
            if document.table:
                records = [text_of(record) for record in document.table.records]
            for trial in trials:
                found = trial.found or Marks(page, [], confidence=0.0)
                seconds = statistics.median(trial.seconds) if trial.error is None else None
                table = compare(found.table, document.table) if document.table else None
                attempt = Attempt(page, found, document.key, true, trial.uncleaned, seconds, parse_seconds, table)
                measured = ((evaluator.name, evaluator.measure(attempt)) for evaluator in evaluators)
                figures = {name: said for name, said in measured if said is not None}
                first = found.texts[0] if found.texts else []
                yield PageResult(
                    trial.extractor.name, corpus.name, document.name, figures, trial.error, records, first, table
                )


@dataclass
class Trial:
    """One extractor on one page, round by round."""

    extractor: Extractor
    wants_table: bool = False
    error: str | None = None  # why it failed, if it did
    seconds: list[float] = field(default_factory=list)
    found: Marks | None = None  # in the first round
    uncleaned: Marks | None = None

    def run(self, html: bytes) -> None:
        """One round; none once it has failed."""
        if self.error is not None:
            return
        try:
            find = (self.wants_table and self.extractor.find_table) or self.extractor.find
            start = time.process_time()
            marks = find(html)
            self.seconds.append(time.process_time() - start)
            if self.found is None:
                if self.extractor.find_uncleaned is not None and not self.wants_table:
                    self.uncleaned = self.extractor.find_uncleaned(html)
                marks.texts  # noqa: B018 - read now: marks that are off the page are the extractor's fault
                self.found = marks
        except Exception as error:
            self.error = named(error)


def try_all(document: Document, extractors: Sequence[Extractor], repeat: int) -> tuple[Page, float | None, list[Trial]]:
    """All extractors on one page, the page, and the seconds of its bare parse; an empty page if it cannot be read.

    Runs are interleaved, bare parse and extractors in turn, and medians taken, so that what disturbs the
    machine for a while disturbs all alike; processor time is what counts, for other processes are not ours.
    """
    try:
        html = document.read()
        page, parse = Page(html), bare_parse(html)
    except Exception as error:
        return Page(b""), None, [Trial(extractor, error=named(error)) for extractor in extractors]
    trials = [Trial(extractor, wants_table=document.table is not None) for extractor in extractors]
    parse_times = []
    with without_collector():
        for _ in range(repeat):
            parse_times.append(seconds_of(parse, time.process_time))
            for trial in trials:
                trial.run(html)
    return page, statistics.median(parse_times), trials


def named(error: Exception) -> str:
    """An error in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0]


def method(written: str, **defaults: Any) -> Extractor:
    """A method of fastwrap as an extractor, from `NAME` or `NAME:option=value,option=value`.

    Options are those of the method and those of `fastwrap.extract` (clean, main, ...); `defaults` hold where
    an option is not written. Raises FastwrapError for a method or an option that does not exist.

    >>> method("mdr:dt")
    Traceback (most recent call last):
        ...
    fastwrap.errors.FastwrapError: mdr:dt: 'dt' is not of the form option=value
    """
    name, _, list_of_options = written.partition(":")
    options = dict(defaults)
    for option in list_of_options.split(",") if list_of_options else ():
        key, equals, text = option.partition("=")
        if not (key and equals):
            raise FastwrapError(f"{written}: {option!r} is not of the form option=value")
        options[key.strip()] = value(text.strip())
    find = partial(marks_of, method=name, options=options)
    try:
        find(b"<p>")
    except (FastwrapError, TypeError, ImportError) as error:
        # A name or option that is wrong is told here, once.
        raise FastwrapError(f"{written}: {error}") from error
    except Exception:  # noqa: S110 - a fault of the method: it will be counted, page by page
        pass
    uncleaned = partial(marks_of, method=name, options={**options, "clean": False}) if options.get("clean") else None
    return Extractor(written, find, uncleaned, partial(table_of, method=name, options=options))


def marks_of(html: bytes, method: str, options: Mapping[str, Any]) -> Marks:
    """What `fastwrap.extract` finds with these options, as marks."""
    extraction = extract(html, method=method, **options)
    return Marks(extraction.page, spans_of(extraction), extraction.confidence)


def spans_of(extraction: Extraction) -> list[list[tuple[int, int]]]:
    """The records of each region; of one that stands only in the data of the page, none."""
    return [[] if isinstance(each, DataRegion) else each.spans.tolist() for each in extraction.regions]


def table_of(html: bytes, method: str, options: Mapping[str, Any]) -> Marks:
    """What `fastwrap.extract` finds with these options, as marks, with the table of the first region."""
    extraction = extract(html, ADDRESS, method, **options)
    regions = spans_of(extraction)
    if not regions:
        return Marks(extraction.page, [], extraction.confidence)
    first = extraction.regions[0]
    table = ShownTable([column.name for column in first.columns], [record.texts for record in first.records])
    return Marks(extraction.page, regions, extraction.confidence, table)


def value(text: str) -> Any:
    """The value of an option as it is written: true, false, a number, or else a text.

    >>> value("true"), value("10"), value("0.3"), value("dt")
    (True, 10, 0.3, 'dt')
    """
    try:
        return json.loads(text)
    except ValueError:
        return text


def summarise(results: Iterable[PageResult], evaluators: Sequence[Evaluator] = EVALUATORS) -> list[Summary]:
    """The totals of every extractor: corpus by corpus, then of all of them together.

    Tables are another thing than records, so their totals come after those of records, and are apart from them.
    """
    groups: dict[tuple[bool, str], dict[str, list[PageResult]]] = {}
    for result in results:
        corpora = groups.setdefault((result.comparison is not None, result.method), {})
        corpora.setdefault(result.corpus, []).append(result)
    totals = []
    for (_, method), corpora in sorted(groups.items(), key=lambda group: group[0][0]):
        for corpus, pages in [*corpora.items(), (ALL, [*chain.from_iterable(corpora.values())])]:
            records, errors = sum(len(page.true or ()) for page in pages), sum(page.error is not None for page in pages)
            total = Summary(method, corpus, len(pages), records, errors)
            for evaluator in evaluators:
                measured = [page.figures[evaluator.name] for page in pages if evaluator.name in page.figures]
                if measured:
                    total.figures[evaluator.name] = {"pages": len(measured), **evaluator.total(measured)}
            totals.append(total)
    return totals


def as_json(summaries: Iterable[Summary], results: Iterable[PageResult]) -> dict[str, Any]:
    """All figures as plain data; the names in it are kept from version to version.

    `format`: 1. `totals`: one object for each method and corpus, and one for each method over all corpora (corpus
    "all"; one of folders and one of files of tables, where both were given), with `method`, `corpus`, `pages`,
    `records`, `errors` and what each evaluator says in total, under its name: on how many `pages`, and its figures.
    `pages`: one object for each method and page, with `method`, `corpus`, `page`, `error` (null or a line of text)
    and what each evaluator says of the page, under its name. An evaluator with nothing to say is left out; a figure
    that no page gives is null. The totals:

    `referee`     main and any: precision, recall, f1, page_f1, pages_exact, count_hit
    `items`       records and items: precision, recall, f1
    `noise`       main_list_kept, nodes_pruned, noise_removed; before and after: precision, recall, f1
    `confidence`  confidence, answers, right, calibration_error; reliability: bins of confidence, right, pages
    `columns`     precision, recall, f1, macro, names, width, filled
    `alignment`   values and columns: precision, recall, f1; whole
    `time`        ms_per_page, median_ms, median_multiple, percentile_95_multiple, slowest_ms
    """

    def flat(each: Summary | PageResult, *names: str) -> dict[str, Any]:
        return {**{name: getattr(each, name) for name in names}, **each.figures}

    return {
        "format": 1,
        "totals": [flat(total, "method", "corpus", "pages", "records", "errors") for total in summaries],
        "pages": [flat(page, "method", "corpus", "page", "error") for page in results],
    }
