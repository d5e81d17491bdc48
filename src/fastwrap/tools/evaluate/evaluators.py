"""Evaluators: marks compared with the answer key, page by page and over all pages; each is one small class.
Figures are plain numbers by name, which is all that tables, JSON and the report know of an evaluator."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from fastwrap.extraction import MIN_CONFIDENCE
from fastwrap.page import Page
from fastwrap.tools.evaluate.marks import AnswerKey, Marks
from fastwrap.tools.evaluate.pairing import Pairing, distinct, tokens
from fastwrap.tools.evaluate.tables import Comparison
from fastwrap.tools.timing import percentile

Figures: TypeAlias = dict[str, float]  # of one page
Totals: TypeAlias = dict[str, Any]  # of all pages: numbers, or groups of them, by name; None where no page had a say


@dataclass(frozen=True)
class Attempt:
    """One extractor on one page: all that an evaluator may want to know."""

    page: Page  # as it was served; an empty one where it cannot be read
    found: Marks  # by the extractor; none where it failed
    key: AnswerKey | None = None
    true: Marks | None = None  # the key as marks on the page
    uncleaned: Marks | None = None  # what the extractor finds without removing noise first, if it removes any
    seconds: float | None = None  # processor time of the extractor, from the bytes on; None where it failed
    parse_seconds: float | None = None  # of the bare parse
    comparison: Comparison | None = None  # of the table that was found with the true one, where the page has that truth


class Evaluator(Protocol):
    """What the benchmark asks of an evaluator."""

    name: str  # what its figures are called

    def measure(self, attempt: Attempt) -> Figures | None:
        """The figures of one page; None where there is nothing to say about it."""

    def total(self, pages: Sequence[Figures]) -> Totals:
        """The figures of all pages, from those of each; there is at least one."""


def scores(right: float, found: float, true: float) -> Totals:
    """Precision, recall and F1 of counts.

    >>> scores(right=3, found=4, true=5)
    {'precision': 0.75, 'recall': 0.6, 'f1': 0.6667}
    """
    return {
        "precision": rounded(right / found if found else 0.0),
        "recall": rounded(right / true if true else 0.0),
        "f1": rounded(f1(right, found, true)),
    }


def f1(right: float, found: float, true: float) -> float:
    """The harmonic mean of precision and recall; 1 where there is nothing to find and nothing was found."""
    return 2 * right / (found + true) if found + true else 1.0


def scored(pages: Sequence[Figures], right: str, found: str, true: str) -> Totals:
    """Precision, recall and F1 over all pages, by the names of the counts."""
    return scores(*(sum(page[name] for page in pages) for name in (right, found, true)))


def rounded(figure: float) -> float:
    """A figure as it is printed everywhere: no more digits than mean something."""
    return round(figure, 4)


def mean(figures: Iterable[float]) -> float | None:
    """The arithmetic mean; None of no figures."""
    values = list(figures)
    return rounded(sum(values) / len(values)) if values else None


class Referee:
    """Records by the referee's rule: right when its tokens and those of a true record agree (Dice >= 0.8).

    `main` is the first region alone, `any` the best of the first 20, so that the gap between them is what
    choosing the wrong region costs. `count` is the weak measure of the papers: the number of records is right.
    """

    name = "referee"
    LEAST = 0.8
    REGIONS = 20

    def measure(self, attempt: Attempt) -> Figures | None:
        """Records found and right, of the first region and of the best."""
        if attempt.key is None:
            return None
        true = len(attempt.key.records)
        pairing = Pairing([tokens(text) for text in attempt.key.records], self.LEAST)
        regions = [
            (len(pairing.pair(map(tokens, texts))), len(texts)) for texts in attempt.found.texts[: self.REGIONS]
        ] or [(0, 0)]
        best = max(range(len(regions)), key=lambda number: f1(*regions[number], true))
        return {
            "true": true,
            "main_found": regions[0][1],
            "main_right": regions[0][0],
            "main_f1": f1(*regions[0], true),
            "main_count": regions[0][1] == true,
            "any_found": regions[best][1],
            "any_right": regions[best][0],
            "any_f1": f1(*regions[best], true),
            "any_count": any(found == true for _, found in regions),
            "any_region": best,
        }

    def total(self, pages: Sequence[Figures]) -> Totals:
        """Of all records; and of the pages the mean F1, the share without a fault, the share counted right."""
        return {
            view: {
                **scored(pages, f"{view}_right", f"{view}_found", "true"),
                "page_f1": mean(page[f"{view}_f1"] for page in pages),
                "pages_exact": mean(page[f"{view}_f1"] == 1.0 for page in pages),
                "count_hit": mean(page[f"{view}_count"] for page in pages),
            }
            for view in ("main", "any")
        }


class ItemSets:
    """Records and their data items of the first region, by the rule of Moura (2018, section 4.1).

    A record is the set of its items (texts, one per node). Items of more than 80% of the records belong to the
    template and are dropped: on both sides, since the true items are read off the page as well. Two records
    correspond when the F of their items exceeds 0.35; items count as right in such records only.
    """

    name = "items"
    ABOVE = 0.35
    TEMPLATE = 0.8

    def measure(self, attempt: Attempt) -> Figures | None:
        """Records and items: true, found and right."""
        if attempt.true is None:
            return None
        true = self.item_sets(attempt.true)
        found = self.item_sets(attempt.found)
        # F is the Dice coefficient of two sets, and the next number above 0.35 is the least that exceeds it.
        pairs = Pairing(true, math.nextafter(self.ABOVE, 1)).pair(found)
        return {
            "records_true": len(true),
            "records_found": len(found),
            "records_right": len(pairs),
            "items_true": sum(map(len, true)),
            "items_found": sum(map(len, found)),
            "items_right": sum(len(found[one] & true[other]) for one, other in pairs),
        }

    def item_sets(self, marks: Marks) -> list[set[str]]:
        """The items of each record of the first region, without those of the template."""
        records = [set(items) for items in marks.items(0)] if marks.regions else []
        if len(records) < 2:
            return records  # what one record holds is in all of them
        frequency = Counter(item for record in records for item in record)
        template = {item for item, count in frequency.items() if count > self.TEMPLATE * len(records)}
        return [record - template for record in records]

    def total(self, pages: Sequence[Figures]) -> Totals:
        """Precision, recall and F1 of all records, and of all items."""
        return {what: scored(pages, f"{what}_right", f"{what}_found", f"{what}_true") for what in ("records", "items")}


class NoiseRemoval:
    """What removing noise first removes (Velloso 2014): false records, and nodes; and whether it keeps the list.

    Records are counted over all regions, by the referee's rule. The list is kept when every true record still
    has 80% of its tokens in the cleaned page. Noise removed is equation 4.1, on pages whose list is kept, as in
    table 2 of the thesis: it means nothing where what is gone is the list.
    """

    name = "noise"
    KEPT = 0.8

    def measure(self, attempt: Attempt) -> Figures | None:
        """Nodes of the body and records of all regions, before and after."""
        if attempt.key is None or attempt.uncleaned is None:
            return None
        pairing = Pairing([tokens(text) for text in attempt.key.records], Referee.LEAST)
        figures: Figures = {"true": len(attempt.key.records)}
        for when, marks in (("before", attempt.uncleaned), ("after", attempt.found)):
            texts = [text for region in marks.texts for text in region]
            figures[f"{when}_found"] = len(texts)
            figures[f"{when}_right"] = len(pairing.pair(map(tokens, texts)))
            figures[f"{when}_nodes"] = int(marks.page.size[marks.page.body])
        left = distinct(tokens(attempt.found.page.text()))
        figures["kept"] = all(len(record & left) >= self.KEPT * len(record) for record in pairing.true)
        return figures

    def total(self, pages: Sequence[Figures]) -> Totals:
        """Shares of pages, nodes and noise records; precision, recall and F1 of the records of all regions."""
        return {
            "main_list_kept": mean(page["kept"] for page in pages),
            "nodes_pruned": mean(1 - page["after_nodes"] / page["before_nodes"] for page in pages),
            "noise_removed": mean(share for page in pages if page["kept"] and (share := removed(page)) is not None),
            **{when: scored(pages, f"{when}_right", f"{when}_found", "true") for when in ("before", "after")},
        }


def removed(page: Figures) -> float | None:
    """The share of noise records removed from a page (Velloso 2014, equation 4.1); None where there were none.

    >>> removed({"before_found": 82, "before_right": 20, "after_found": 20, "after_right": 20})
    1.0
    """
    before = page["before_found"] - page["before_right"]
    return 1 - (page["after_found"] - page["after_right"]) / before if before else None


class Confidence:
    """How sure an extractor is, on which share of the pages sure enough to answer, and how far that is what it says.

    A page is right when the F1 of its first region is at least 0.9; one without a list is never right. The reliability
    curve has ten bins of equally many pages, in order of their confidence; the expected calibration error is the mean
    distance, over the pages, of the confidence of a bin from the share of its pages that are right.
    """

    name = "confidence"
    RIGHT = 0.9
    BINS = 10

    def measure(self, attempt: Attempt) -> Figures | None:
        """The confidence in the first region, and whether that is right."""
        if attempt.comparison is not None:
            return None  # its truth has some fields of the records, which do not say whether these are cut right
        sure, right = attempt.found.confidence, False
        if attempt.key is not None and attempt.found.texts:
            pairing = Pairing([tokens(text) for text in attempt.key.records], Referee.LEAST)
            first = attempt.found.texts[0]
            right = f1(len(pairing.pair(map(tokens, first))), len(first), len(attempt.key.records)) >= self.RIGHT
        return {"confidence": sure, "answers": sure >= MIN_CONFIDENCE, "right": right}

    def total(self, pages: Sequence[Figures]) -> Totals:
        """The means, which on pages without a list should be 0; the error and the curve, least sure pages first."""
        bins = in_equal_parts(sorted(pages, key=lambda page: page["confidence"]), self.BINS)
        error = sum(abs(sum(page["confidence"] - page["right"] for page in part)) for part in bins) / len(pages)
        return {
            **{name: mean(page[name] for page in pages) for name in ("confidence", "answers", "right")},
            "calibration_error": rounded(error),
            "reliability": [
                {**{name: mean(page[name] for page in part) for name in ("confidence", "right")}, "pages": len(part)}
                for part in bins
            ],
        }


def in_equal_parts(pages: Sequence[Figures], count: int) -> list[Sequence[Figures]]:
    """Pages in so many parts, in order, that differ by one page at most; fewer where there are fewer pages.

    >>> [len(part) for part in in_equal_parts([{}] * 16, 10)], len(in_equal_parts([{}] * 3, 10))
    ([1, 2, 1, 2, 2, 1, 2, 1, 2, 2], 3)
    """
    count = min(count, len(pages))
    ends = [len(pages) * number // count for number in range(count + 1)]
    return [pages[start:end] for start, end in itertools.pairwise(ends)]


class Time:
    """Milliseconds a page, and as a multiple of the bare parse of the same page in the same run."""

    name = "time"

    def measure(self, attempt: Attempt) -> Figures | None:
        """Time of the extractor and of the bare parse, and the size of the page."""
        if attempt.seconds is None or not attempt.parse_seconds:
            return None
        return {
            "nodes": len(attempt.page),
            "ms": 1000 * attempt.seconds,
            "parse_ms": 1000 * attempt.parse_seconds,
            "multiple": attempt.seconds / attempt.parse_seconds,
        }

    def total(self, pages: Sequence[Figures]) -> Totals:
        """Mean, median and 95th percentile."""
        times = [page["ms"] for page in pages]
        multiples = [page["multiple"] for page in pages]
        return {
            "ms_per_page": mean(times),
            "median_ms": rounded(statistics.median(times)),
            "median_multiple": rounded(statistics.median(multiples)),
            "percentile_95_multiple": rounded(percentile(multiples, 0.95)),
            "slowest_ms": rounded(max(times)),
        }


RECORD_EVALUATORS: tuple[Evaluator, ...] = (Referee(), ItemSets(), NoiseRemoval(), Confidence(), Time())
"""What `fastwrap eval` measures on pages with the truth of records, or none."""
