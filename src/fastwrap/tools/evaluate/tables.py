"""The figures of an evaluation as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fastwrap.tools.evaluate.benchmark import ALL, PageResult, Summary
from fastwrap.tools.tables import Row, aligned

RECORDS = {
    "ms/page": "time.ms_per_page", "x parse": "time.median_multiple", "95%": "time.percentile_95_multiple",
    "main P": "referee.main.precision", "main R": "referee.main.recall", "main F1": "referee.main.f1",
    "page F1": "referee.main.page_f1", "exact": "referee.main.pages_exact", "count": "referee.main.count_hit",
    "any F1": "referee.any.f1", "any exact": "referee.any.pages_exact",
    "rec. F": "items.records.f1", "item F": "items.items.f1", "answers": "confidence.answers",
}  # fmt: skip
"""The columns of the table of records: the heading, and which figure of which evaluator."""

NOISE = {
    "list kept": "noise.main_list_kept", "noise removed": "noise.noise_removed", "nodes pruned": "noise.nodes_pruned",
    "before P": "noise.before.precision", "before R": "noise.before.recall", "before F1": "noise.before.f1",
    "after P": "noise.after.precision", "after R": "noise.after.recall", "after F1": "noise.after.f1",
}  # fmt: skip
"""Likewise, where noise was removed first."""


def blocks(summaries: Sequence[Summary]) -> dict[str, list[Row]]:
    """All tables by title: one row for each method and corpus."""
    if len({each.corpus for each in summaries}) == 2:
        summaries = [each for each in summaries if each.corpus != ALL]  # the same again
    return {
        "Records": list(rows_of(summaries, RECORDS)),
        "Noise removed first": list(rows_of([each for each in summaries if "noise" in each.figures], NOISE)),
    }


def rows_of(summaries: Sequence[Summary], columns: dict[str, str]) -> Iterator[Row]:
    """The rows of a table; none, not even its head, where there are no figures."""
    if summaries:
        yield ("method", "set", "pages", "records", "errors", *columns)
    for each in summaries:
        counts = (str(count) for count in (each.pages, each.records, each.errors))
        yield (each.method, each.corpus, *counts, *(as_text(each.figures, path) for path in columns.values()))


def terminal(summaries: Sequence[Summary], results: Sequence[PageResult], worst: int = 0) -> str:
    """The tables, and for each method the pages with the lowest F1, if these are asked for."""
    texts = [aligned(rows, left=(0, 1)) for rows in blocks(summaries).values() if rows]
    methods = dict.fromkeys(each.method for each in summaries) if worst > 0 else ()
    texts += (worst_pages([result for result in results if result.method == method], worst) for method in methods)
    return "\n\n".join(map("\n".join, texts))


def as_text(figures: dict[str, Any], path: str) -> str:
    """A figure as the referee prints it, times with two digits; a dash where there is none.

    >>> as_text({"time": {"ms": 1.23456}}, "time.ms"), as_text({}, "items.records.f1")
    ('1.23', '-')
    """
    figure: Any = figures
    for name in path.split("."):
        figure = figure.get(name) if figure is not None else None
    return "-" if figure is None else str(round(figure, 2 if path.startswith("time.") else 4))


def worst_pages(results: Sequence[PageResult], count: int) -> Iterator[str]:
    """The pages of a method with the lowest F1."""
    scored = [(result, result.figures["referee"]) for result in results if "referee" in result.figures]
    yield f"{results[0].method}: lowest F1"
    for result, page in sorted(scored, key=lambda row: row[1]["main_f1"])[:count]:
        yield (
            f"  {result.corpus}/{result.page}: {page['true']} true, main {page['main_found']} found"
            f" {page['main_right']} right, best region {page['any_found']} found {page['any_right']} right"
        )
