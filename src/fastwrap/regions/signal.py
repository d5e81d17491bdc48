"""The method `signal`: periods of the tag path sequence, read as a signal (DSRE, Velloso & Dorneles 2020).
Contour, slope, spectrum, record boundaries, centre star, and content or noise by six features of a region.
docs/methods.md tells the steps, and what differs from the paper."""

from __future__ import annotations

import json
from functools import cache, partial
from importlib import resources
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fastwrap._core.page import symbols
from fastwrap._core.regions import contour
from fastwrap.common.backend import kernel
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.regions import FoundRegion, Search, disjoint
from fastwrap.regions.cutting import Measure
from fastwrap.regions.mdr import BudgetedMeasure, share

Floats: TypeAlias = npt.NDArray[np.float64]

SHORTEST_REGION = 4
"""Symbols: shorter flat stretches of the contour say nothing."""
MOST_REGIONS = 1_000
"""Budget: of more, the longest are searched. Real pages have about 10."""
FEWEST_RECORDS = 3
"""Two records have one gap, which is always regular."""
CANDIDATES = 12
"""The most promising ways to cut a region whose records are compared."""
CLEAR_PEAK = 4.0
"""Standard deviations of the spectrum: a peak is clear from here on."""
TOLERANCE = 0.15
"""How far from a symbol's frequency its peak may be, in parts of it: gaps vary."""
SLOWEST = 1.5
"""Cycles per region: slower ones are a trend, not a period."""
MARGIN = 1.02
"""A symbol must be this much better than one before it, whose records begin earlier."""
UNLIKE = 0.5
"""First and last records go that have less than this part of the usual similarity to the centre."""
TINY = 1e-9
"""Instead of a zero that is divided by."""
EDIT_STEPS = 200
"""Budget of the edit distances: steps per node of the page. Real pages take about 5."""

FEATURES = ("size", "centre", "horizontal", "vertical", "range", "record_ratio")


class Runs(NamedTuple):
    """Runs of occurrences of one symbol each: ways to cut regions into records."""

    nodes: Int32Array
    """Those of all runs, one run after the other."""
    start: Int32Array
    """[k + 1] Where each run begins in `nodes`."""
    region: Int32Array
    """[k] The region that it is in; never falls."""
    measures: Floats
    """[3, k] Its coverage, the part of the region that it spans; its regularity, 1 - standard deviation of its gaps /
    their mean, not below 0; and its peak, the power of the spectrum at its frequency: 1 for a clear one."""

    @property
    def promise(self) -> Floats:
        """[k] How well it cuts its region, before records are compared."""
        coverage, regularity, peak = self.measures
        promise: Floats = coverage * regularity * (1 + peak)
        return promise


class CutList(NamedTuple):
    """A list cut into records, before it is known to be content."""

    spans: Int32Array
    """[k, 2] Its records."""
    centre: int
    """The record most similar to its neighbours."""
    why: dict[str, float]


def find(page: Page, *, styles: bool = False, max_slope: float = 0.3, pause: float = 2.0) -> Search:
    """The lists of a page, those most likely to be content first.

    `styles` makes class and style part of a tag path, as in the paper; `max_slope` is that of the regression line
    of a region, in symbols per node (the paper's: 0.17); `pause` is the gap, in mean gaps, that ends a list.

    >>> page = Page("<p>menu</p><ul>" + "<li><b>name</b> <i>price</i></li>" * 9 + "</ul>")
    >>> [region] = find(page).regions
    >>> len(region.records), page.span_text(*region.records[0])
    (9, 'name price')
    """
    paths = page.path_symbol if styles else symbols.tag_paths(page.native)
    body, end = page.body, page.body + int(page.size[page.body])
    # Numbered in order of appearance, the symbols of the body follow that of the body itself.
    sequence = paths[body:end] - paths[body]

    regions, slopes, signal = contour.regions(sequence, SHORTEST_REGION)
    regions = regions[np.abs(slopes) <= max_slope]
    too_many = len(regions) > MOST_REGIONS
    if too_many:
        regions = regions[np.sort(np.argsort(regions[:, 0] - regions[:, 1], kind="stable")[:MOST_REGIONS])]
    nodes, start, region, period, coverage, regularity = contour.recurrences(
        page.native, sequence, regions, FEWEST_RECORDS, pause
    )
    peak = spectral_peaks(signal, regions, region, period)
    runs = most_promising(Runs(nodes, start, region, np.array([coverage, regularity, peak])))
    spans = contour.records(page.native, runs.nodes, runs.start)
    measure = BudgetedMeasure(partial(path_distance, paths), "regions.edits")
    lists = without_strangers(measure, best_lists(measure, runs, spans))
    limits = ("regions.candidates",) * too_many + measure.limits
    if not lists:
        return Search([], limits)
    features = region_features(sequence, body, lists)
    weights, intercept = content_weights()
    content = 1 / (1 + np.exp(-(features @ weights + intercept)))
    ranked = [
        FoundRegion(cut.spans, score, {**dict(zip(FEATURES, row, strict=True)), **cut.why})
        for cut, score, row in zip(lists, content.tolist(), features.tolist(), strict=True)
    ]
    return Search(disjoint(ranked, len(page)), limits)


def spectral_peaks(signal: Floats, regions: Int32Array, region: Int32Array, period: Floats) -> Floats:
    """The power of a region's spectrum near a frequency, for pairs of region and period: 1 for a clear peak.

    `signal` has no trend in a region: the power of a trend would spill over the low frequencies.

    >>> signal = np.tile([0.75, -0.25, -0.25, -0.25], 16)
    >>> spectral_peaks(signal, np.array([[0, 64]]), np.array([0, 0]), np.array([4.0, 7.0])).tolist()
    [1.0, 0.0]
    """
    if not len(region):
        return np.zeros(0)
    used = np.bincount(region, minlength=len(regions)) > 0
    regions, region = regions[used], (np.cumsum(used) - 1)[region]
    spectra = [np.fft.rfft(signal[start:end], 1 << (end - start - 1).bit_length()) for start, end in regions.tolist()]
    # The zero is for what lies beyond the highest frequency of the last region.
    transform = np.concatenate([*spectra, [0]])
    power = transform.real**2 + transform.imag**2
    bins = np.array([len(spectrum) for spectrum in spectra])
    ends = np.cumsum(bins)
    starts = ends - bins
    variance = np.add.reduceat(power**2, starts) / bins - (np.add.reduceat(power, starts) / bins) ** 2
    points = 2 * (bins - 1)
    cycle = (points / (regions[:, 1] - regions[:, 0]))[region]
    frequency = points[region] / period
    width = np.maximum(TOLERANCE * frequency, cycle)
    lowest = np.maximum(frequency - width, SLOWEST * cycle).astype(np.intp)
    highest = np.maximum(frequency + width, lowest).astype(np.intp) + 1
    window = np.minimum(np.array([lowest, highest]) + starts[region], ends[region])
    height = np.maximum.reduceat(power, window.T.ravel())[::2]
    peaks: Floats = np.minimum(height / (CLEAR_PEAK * np.sqrt(np.maximum(variance, TINY))[region]), 1)
    return peaks


def most_promising(runs: Runs) -> Runs:
    """The few best runs of each region, in order of their first occurrence."""
    promise = runs.promise
    order = np.lexsort((-promise, runs.region))
    rank = np.arange(len(order)) - np.searchsorted(runs.region, runs.region[order])
    kept = order[(rank < CANDIDATES) & (promise[order] > 0)]
    kept = kept[np.lexsort((runs.nodes[runs.start[kept]], runs.region[kept]))]
    counts = runs.start[kept + 1] - runs.start[kept]
    start = np.zeros(len(kept) + 1, dtype=np.int32)
    np.cumsum(counts, out=start[1:])
    within = np.arange(start[-1]) + np.repeat(runs.start[kept] - start[:-1], counts)
    return Runs(runs.nodes[within], start, runs.region[kept], runs.measures[:, kept])


def path_distance(paths: Int32Array, pairs: Int32Array) -> Floats:
    """Edits between the tag paths of records, divided by the length of the longer one; NaN beyond the budget."""
    budget = EDIT_STEPS * len(paths) + 100_000
    return share(kernel("similarity.levenshtein").distances(paths, pairs, budget), pairs)


def similarity(measure: Measure, left: Int32Array, right: Int32Array) -> Floats:
    """How similar records are, for pairs of spans; 0 where it is not known."""
    return np.nan_to_num(1 - measure(np.hstack((left, right))))


def best_lists(measure: Measure, runs: Runs, spans: Int32Array) -> list[CutList]:
    """The best run of each region, then the best that shares nothing with it, and so on."""
    if not len(runs.region):
        return []
    # How similar each record is to the one before it; the first of a run has none.
    alike = np.zeros(len(spans) + 1)
    follows = np.ones(len(spans), dtype=np.bool_)
    follows[runs.start[:-1]] = False
    later = np.flatnonzero(follows)
    alike[later] = similarity(measure, spans[later - 1], spans[later])
    mean = np.add.reduceat(alike[:-1], runs.start[:-1]) / (np.diff(runs.start) - 1)
    to_neighbours = alike[:-1] + alike[1:]
    quality = (runs.promise * mean).tolist()
    starts = runs.start.tolist()
    firsts, lasts = spans[runs.start[:-1], 0].tolist(), spans[runs.start[1:] - 1, 1].tolist()
    left: dict[int, list[int]] = {}
    for run, region in enumerate(runs.region.tolist()):
        if quality[run] > 0:
            left.setdefault(region, []).append(run)
    lists = []
    for rivals in left.values():
        while rivals:
            best = rivals[0]
            for run in rivals:
                if quality[run] > quality[best] * MARGIN:
                    best = run
            coverage, regularity, peak = runs.measures[:, best].tolist()
            why = {"coverage": coverage, "regularity": regularity, "peak": peak, "similarity": float(mean[best])}
            records = slice(starts[best], starts[best + 1])
            lists.append(CutList(spans[records], int(to_neighbours[records].argmax()), why))
            rivals = [run for run in rivals if lasts[run] <= firsts[best] or firsts[run] >= lasts[best]]
    return lists


def without_strangers(measure: Measure, lists: list[CutList]) -> list[CutList]:
    """The lists without first and last records that do not align with the centre: headings and footers.

    Centre star (Gusfield 1993), but the centre is the record most similar to its neighbours, not to all others:
    those distances are known.
    """
    if not lists:
        return []
    counts = [len(cut.spans) for cut in lists]
    spans = np.concatenate([cut.spans for cut in lists])
    centres = np.repeat(np.array([cut.spans[cut.centre] for cut in lists]), counts, axis=0)
    kept = []
    for cut, to_centre in zip(
        lists, np.split(similarity(measure, spans, centres), np.cumsum(counts)[:-1]), strict=True
    ):
        like = np.flatnonzero(to_centre >= UNLIKE * np.sort(to_centre)[len(to_centre) // 2])
        kept.append(cut._replace(spans=cut.spans[like[0] : like[-1] + 1]))
    return kept


def region_features(sequence: Int32Array, body: int, lists: list[CutList]) -> Floats:
    """[k, 6] What tells content from noise, each from 0 to 1, in the order of FEATURES.

    Size and place of the region in the sequence; the mean of its symbols and the height of the contour above it,
    compared with the sequence's own; and the number of records compared with their size.
    """
    count = np.array([len(cut.spans) for cut in lists])
    first, last = np.array([[cut.spans[0, 0], cut.spans[-1, 1]] for cut in lists]).T - body
    bounds, values = np.array([first, last]).T.ravel(), np.append(sequence, 0)
    mean = np.add.reduceat(values, bounds, dtype=np.int64)[::2] / (last - first)
    height = np.maximum.reduceat(values, bounds)[::2] - mean
    length, top = len(sequence), float(sequence.max())
    whole = top - float(sequence.mean())
    place = (first + last) / (2 * length)
    nodes = (last - first) / count
    return np.array(
        [
            (last - first) / length,
            1 - np.abs(2 * place - 1),
            place,
            mean / top,
            np.minimum(height, whole) / np.maximum(np.maximum(height, whole), TINY),
            np.minimum(count, nodes) / np.maximum(count, nodes),
        ]
    ).T


@cache
def content_weights() -> tuple[Floats, float]:
    """The weights of the features and the intercept, fitted by benchmarks/fit_signal.py."""
    fitted = json.loads(resources.files("fastwrap.regions").joinpath("signal_weights.json").read_text(encoding="utf-8"))
    return np.array([fitted["weights"][name] for name in FEATURES]), float(fitted["intercept"])
