"""Fits the weights of `fastwrap.wrapper.healing_columns` and `healing_lists` on a quarter of the pages of the corpus.
`python -m benchmarks.fit_healing columns` prints weights for the module; then, with these in place, `... lists`."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from tests.helpers.redesign import LIST_GONE, words_in, words_of

from benchmarks.healing import OTHER, RECORDS, SAME_CELLS, Case, cases, f_measure, foreign_cases, matches, sites
from fastwrap.page import Page
from fastwrap.page.names import TEXT
from fastwrap.wrapper.healing_columns import NewList, features, new_columns, old_columns, sameness
from fastwrap.wrapper.healing_lists import MOST_LISTS, find_again, read_page

KINDS = (
    "classes", "tags", "classes and tags", "values wrapped", "all wrapped", "columns moved", "moved and renamed",
    "gone and renamed", "news first", "all at once",
)  # fmt: skip

RIDGE = 1.0
"""How strongly weights are held near zero."""


def fit(rows: Sequence[dict[str, float]], labels: Sequence[bool], weights: Sequence[float]) -> dict[str, float]:
    """A logistic regression, by Newton's method."""
    names = list(rows[0])
    x = np.array([[row[name] for name in names] for row in rows])
    y, w = np.array(labels, dtype=float), np.array(weights)
    ridge = np.array([0.0 if name == "bias" else RIDGE for name in names])
    found: npt.NDArray[np.float64] = np.zeros(len(names))
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        gradient = x.T @ (w * (y - p)) - ridge * found
        step = np.linalg.solve((x.T * (w * p * (1 - p))) @ x + np.diag(ridge) + 1e-6 * np.eye(len(names)), gradient)
        found += step
        if np.abs(step).max() < 1e-6:
            break
    return {name: round(float(weight), 2) for name, weight in zip(names, found, strict=True)}


def right_list(case: Case, page: Page) -> NewList | None:
    """The list of the page that is the old one."""
    pattern = case.wrapper.patterns[0]
    read = read_page(page, old_columns(pattern), pattern.find(page).spans)
    best, most = None, 0.9
    for new in read.lists:
        found = records_in(new)
        score = f_measure(len(matches(found, case.records)), len(found), len(case.records))
        if score > most:
            best, most = new, score
    return best


def records_in(new: NewList) -> list[Counter[str]]:
    """The words of the records of a list."""
    page = new.example.page
    return [
        words_of(" ".join(page.text(node) for node in range(start, end) if page.tag[node] == TEXT))
        for start, end in new.example.spans.tolist()
    ]


def choices_of(case: Case) -> Iterator[tuple[list[dict[str, float]], list[bool]]]:
    """For each old column what speaks for each of the new ones, and which of these are right: they have the same
    cells. None is right for a column that is gone."""
    page = Page(case.html)
    new = right_list(case, page) if case.records else None
    if new is None:
        return
    whole = records_in(new)
    pairs = matches(whole, case.records)
    old = old_columns(case.wrapper.patterns[0])
    offered, _ = new_columns(old, new)
    same = sameness(old, offered)
    for column in old:
        right = [False] * len(offered)
        if column.name in case.columns:
            cells = case.columns[column.name][1]
            true = {place: words_in(cells[place]) for place in pairs}
            for place, other in enumerate(offered):
                alike = sum(true[a] == words_in(other.offer.cells[b]) for a, b in pairs.items())
                right[place] = alike >= SAME_CELLS * len(cells)
            if not any(right):
                continue
        yield [features(column, other, same) for other in offered], right


def fit_columns(chosen: Sequence[Case]) -> dict[str, float]:
    """Weights for pairs of columns: those that make the right one, or none, most likely among all (conditional logit,
    McFadden 1974)."""
    groups = [group for case in chosen for group in choices_of(case)]
    names = list(groups[0][0][0])
    print(len(groups), "columns,", sum(not any(right) for _, right in groups), "of them gone")
    x = np.array([[row.get(name, 0.0) for name in names] for rows, _ in groups for row in (*rows, {})])
    y = np.array([label for _, right in groups for label in (*right, not any(right))], dtype=float)
    start = np.cumsum([0, *(len(right) + 1 for _, right in groups)])[:-1]
    owner = np.repeat(np.arange(len(groups)), np.diff(np.append(start, len(y))))
    found = np.zeros(len(names))
    mean, spread = np.zeros(len(names)), np.zeros(len(names))
    for turn in range(1, 1001):  # Adam, Kingma & Ba 2015
        odds = np.exp(np.clip(x @ found, -30, 30))
        p = odds / np.add.reduceat(odds, start)[owner]
        likely = odds * y
        q = likely / np.maximum(np.add.reduceat(likely, start), 1e-30)[owner]
        gradient = x.T @ (q - p) / len(groups) - RIDGE * 1e-3 * found
        mean, spread = 0.9 * mean + 0.1 * gradient, 0.99 * spread + 0.01 * gradient**2
        found += 0.05 * (mean / (1 - 0.9**turn)) / (np.sqrt(spread / (1 - 0.99**turn)) + 1e-9)
    best = np.maximum.reduceat(x @ found, start)
    hits = np.maximum.reduceat(np.where(y > 0, x @ found, -np.inf), start) >= best
    print(f"right first: {hits.mean():.3f}")
    return {name: round(float(weight), 2) for name, weight in zip(names, found, strict=True)}


def fit_lists(chosen: Sequence[Case]) -> dict[str, float]:
    """Weights for the best list of a page, which is right if it has the records."""
    rows, labels, weights = [], [], []
    for case in chosen:
        page = Page(case.html)
        pattern = case.wrapper.patterns[0]
        read = read_page(page, old_columns(pattern), pattern.find(page).spans)
        found = find_again(case.wrapper.patterns, 0, read, MOST_LISTS)
        if found.best is None:
            continue
        texts = records_in(found.best.new)
        score = f_measure(len(matches(texts, case.records)), len(texts), len(case.records)) if case.records else 0.0
        rows.append(found.features)
        labels.append(score >= 0.5)
        weights.append(1.0 if case.records else 3.0)
    print(len(rows), "lists,", sum(labels), "right")
    return fit(rows, labels, weights)


def main() -> None:
    """Fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("columns", "lists"))
    options = parser.parse_args()
    pages = list(sites(0))
    chosen = [case for seed, site in enumerate(pages) for case in cases(site, seed, list(RECORDS), (*KINDS, LIST_GONE))]
    if options.what == "lists":
        chosen += foreign_cases(pages)
        assert any(case.records_are == OTHER for case in chosen)
    print((fit_columns if options.what == "columns" else fit_lists)(chosen))


if __name__ == "__main__":
    main()
