"""Fits the weights by which the method `signal` tells content from noise, and reports them on other sites.

    python benchmarks/fit_signal.py CORPUS... [--write]

A list that the method finds is content when it is the page's true list (F1 of its records at least 0.5), else noise;
on pages without an answer key (articles) every list is noise. Logistic regression on the six features, scaled to unit
variance for the ridge penalty, by Newton's method. Sites are halved by a hash of their names: one half is fitted, the
other one tells how well. With --write the weights go to where the method reads them.
"""

from __future__ import annotations

import argparse
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap import Page
from fastwrap.regions import signal
from fastwrap.tools.evaluate.corpora import Folder
from fastwrap.tools.evaluate.pairing import Pairing, tokens

Floats: TypeAlias = npt.NDArray[np.float64]

WEIGHTS = Path(signal.__file__).with_name("signal_weights.json")
SAME_TEXT = 0.8
"""Dice coefficient of a found and a true record, as in the referee."""
SAME_LIST = 0.5
"""F1 of a list's records."""
RIDGE = 1.0


class Example(NamedTuple):
    """A page with the lists found on it."""

    corpus: str
    site: str
    features: Floats
    right: npt.NDArray[np.int64]
    """Of each list, its records that are true ones."""
    found: npt.NDArray[np.int64]
    """Of each list, its records."""
    true: int
    """The records that should be found."""

    @property
    def f1(self) -> Floats:
        """Of each list."""
        return 2 * self.right / (self.found + self.true)


def examples(folder: Path) -> Iterator[Example]:
    """The pages of a corpus."""
    corpus = Folder(folder)
    for document in corpus:
        page = Page(document.read())
        true = document.key.records if document.key else []
        pairing = Pairing([tokens(text) for text in true], least=SAME_TEXT)
        lists = signal.find(page).regions
        texts = [[tokens(page.span_text(*span)) for span in region.records.tolist()] for region in lists]
        yield Example(
            corpus.name,
            # Two pages of one site differ in a number at most.
            re.sub(r"[-_]?\d+$", "", Path(document.name).stem) or document.name,
            np.array([[region.why[name] for name in signal.FEATURES] for region in lists]).reshape(len(lists), -1),
            np.array([len(pairing.pair(records)) if true else 0 for records in texts], dtype=np.int64),
            np.array([len(records) for records in texts], dtype=np.int64),
            len(true),
        )


def fit(features: Floats, content: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
    """Weights and intercept of a logistic regression with a ridge penalty, by Newton's method."""
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    scaled = np.column_stack([(features - mean) / deviation, np.ones(len(features))])
    penalty = np.diag([RIDGE] * features.shape[1] + [0.0])
    weights = np.zeros(scaled.shape[1])
    for _ in range(100):
        likely = 1 / (1 + np.exp(-scaled @ weights))
        gradient = scaled.T @ (content - likely) - penalty @ weights
        hessian = (scaled * (likely * (1 - likely))[:, None]).T @ scaled + penalty
        step = np.linalg.solve(hessian, gradient)
        weights += step
        if np.abs(step).max() < 1e-10:
            break
    unscaled = weights[:-1] / deviation
    return unscaled, float(weights[-1] - unscaled @ mean)


def report(pages: list[Example], weights: Floats, intercept: float) -> str:
    """How the weights do on pages: what is first, what could have been, and how many decisions are right."""
    right = found = true = best_right = best_found = decided = lists = 0
    for page in pages:
        true += page.true
        if not len(page.found):
            continue
        likely = page.features @ weights + intercept
        decided += int(np.count_nonzero((likely > 0) == (page.f1 >= SAME_LIST)))
        lists += len(page.found)
        if page.true:
            first, best = int(likely.argmax()), int(page.f1.argmax())
            right, found = right + int(page.right[first]), found + int(page.found[first])
            best_right, best_found = best_right + int(page.right[best]), best_found + int(page.found[best])
    decisions = f"{len(pages):3} pages, {lists:4} decisions, {decided / max(lists, 1):.1%} right"
    if not true:
        return decisions
    first_f1, best_f1 = 2 * right / (found + true), 2 * best_right / (best_found + true)
    return f"{decisions}; F1 of the first list {first_f1:.3f}, of the best {best_f1:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help="replace the weights that the method uses")
    options = parser.parse_args()
    pages = [page for folder in options.corpus for page in examples(folder)]
    halves: tuple[list[Example], list[Example]] = ([], [])
    for page in pages:
        halves[zlib.crc32(page.site.encode()) & 1].append(page)
    fitted, held_out = halves
    features = np.concatenate([page.features for page in fitted if len(page.found)])
    content = np.concatenate([page.f1 >= SAME_LIST for page in fitted if len(page.found)])
    weights, intercept = fit(features, content)
    by_name = dict(zip(signal.FEATURES, weights.round(3).tolist(), strict=True))
    print(f"{len(features)} lists, {np.count_nonzero(content)} of them content: {by_name}, intercept {intercept:.3f}")
    for corpus in dict.fromkeys(page.corpus for page in pages):
        for name, half in (("fitted", fitted), ("held out", held_out)):
            print(f"{corpus:10} {name:9}", report([page for page in half if page.corpus == corpus], weights, intercept))
    if options.write:
        WEIGHTS.write_text(json.dumps({"weights": by_name, "intercept": round(intercept, 3)}, indent=2) + "\n")


if __name__ == "__main__":
    main()
