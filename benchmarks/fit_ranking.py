"""Fits the weights that rank regions and say how sure a main list is; writes src/fastwrap/regions/ranking_weights.json.

    python benchmarks/fit_ranking.py ../shared/corpus [--write]

Listing pages have a truth.jsonl with records, or are lists of fields/*.jsonl; the main lists of pages of seven types
are in main_lists.jsonl beside this file. Articles, and pages of some types, have no main list. Prints what the weights
of one half of the sites do on the other half; with --write, fits all and saves.

The order is a softmax over the regions of a page, drawn towards a few given weights: with few sites, these are changed
only where many pages ask for it. The confidence is a logistic regression.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from fastwrap import Page
from fastwrap.page.names import ATTRIBUTE_NUMBER
from fastwrap.regions import auto, autorm, ranking
from fastwrap.regions.evidence import Evidence
from fastwrap.regions.evidence import read as read_evidence
from fastwrap.tools.evaluate.pairing import Pairing, tokens

OUT = Path(__file__).parent.parent / "src" / "fastwrap" / "regions" / "ranking_weights.json"
ORDER = (
    "quality", "longest", "unique", "count", "navigation", "beside", "outside", "start", "kindred", "digits", "listed",
    "hidden",
)  # fmt: skip
"""What the order weighs."""
CONFIDENCE = (
    "quality", "similarity", "variety", "coverage", "count", "letters", "items", "unique", "navigation", "prose",
    "beside", "outside", "start", "links", "kindred", "digits", "headings", "listed",
    "hidden",
)  # fmt: skip
EVIDENCE = Evidence._fields
"""What the confidence weighs: of the first region, and of the whole page."""
PRIOR = {"quality": 1.5, "longest": 0.2, "listed": 2.0, "hidden": -1.0}
"""The weights that the order is drawn to: quality first, and what the data of a page lists, which few pages have."""
SIGNS = {
    "quality": 1, "similarity": 1, "variety": 1, "coverage": 1, "count": 1, "items": 1, "unique": 1, "navigation": -1,
    "prose": -1, "beside": -1, "outside": -1, "start": -1, "kindred": 1, "listed": 1, "hidden": -1, "data": -1,
    "meta": -1, "next_page": 1,
}  # fmt: skip
"""The sign that a weight may have: what is known need not be learned."""
RIGHT = 0.9
"""F1 of the records from which on a list is right."""
LABELS = Path(__file__).with_name("main_lists.jsonl")
"""The main lists of pages of seven types, by the first nodes of their records, chosen by eye: of each page those
lists that will do, none where there is no list."""
MODERN, BY_EYE = 6.0, 3.0
"""What a site of our time counts, where an old one counts 1: with checked records, with a list chosen by eye."""
WITHOUT = {"article": 0.6, "product": 0.8, "service": 0.4, "documentation": 0.4}
"""Types of pages that have no main list, and what a site with them counts: some do have one."""
ARTICLE = 2.5
"""What a page of the set of articles counts, of which none has a list."""
PER_SITE = 3
"""Pages of one site that are read: the others say the same."""
FIELDS = ("courts", "dockets", "exalg", "peers", "wien")
JUDGED = ("articles", "modern", "shops", "tbdw", "tpsf", "zhao1")
"""The sets that the calibration is printed of."""
CONTENT = ("href", "src", "alt", "title")
Floats = npt.NDArray[np.float64]


class Sample(NamedTuple):
    """A page: its regions by their features, and how right each is."""

    corpus: str
    site: str
    features: Floats
    right: Floats
    found: list[int]
    true: int
    evidence: Floats
    weight: float


def read(page: Page) -> tuple[list[list[list[int]]], Floats]:
    """The records of the regions of a page, and the features as they are weighed (see `ranking.pyi`)."""
    regions = auto.find(page).regions
    rows = [[float(region.why[name]) for name in ranking.FEATURES] for region in regions]
    features = dict(zip(ranking.FEATURES, np.array(rows).reshape(-1, len(ranking.FEATURES)).T, strict=True))
    features["count"] = np.minimum(features["count"], 12)
    for name in ("quality", "coverage"):
        features[name] = np.log(features[name])
    for name in ("count", "letters", "longest", "items"):
        features[name] = np.log1p(features[name])
    return [region.records.tolist() for region in regions], np.stack(list(features.values()), axis=1)


def text_of(page: Page, start: int, end: int, attributes: bool) -> str:
    """All text of a record, with what its attributes say where the truth has that."""
    parts = [page.span_text(start, end)]
    if attributes:
        numbers = {ATTRIBUTE_NUMBER[name] for name in CONTENT}
        arrays = page.arrays
        for k in range(int(page.attribute_start[start]), int(page.attribute_start[end])):
            if int(arrays.attribute_name[k]) in numbers:
                value = arrays.values[int(arrays.value_start[k]) : int(arrays.value_start[k + 1])]
                parts.append(value.decode("utf-8", "replace"))
    return " ".join(parts)


def sample(corpus: str, site: str, data: bytes, true: list[Any], fields: bool) -> Sample:
    """A page; a true record is its text or, for `fields`, the values of its fields."""
    page = Page(data)
    regions, found = read(page)
    counts = [len(records) for records in regions]
    pairing = Pairing([] if fields else [tokens(text) for text in true], 0.8)
    right = np.zeros(len(regions))
    for k, records in enumerate(regions):
        texts = [text_of(page, first, last, fields) for first, last in records]
        if true and len(texts) <= 2000:
            hits = held(texts, true) if fields else len(pairing.pair(map(tokens, texts)))
            right[k] = 2 * hits / (len(texts) + len(true))
    weight = {"modern": MODERN, "articles": ARTICLE}.get(corpus, 1.0)
    return Sample(corpus, site, found, right, counts, len(true), np.array(read_evidence(page)), weight)


def labelled(corpus: str, site: str, data: bytes, lists: list[list[int]], weight: float) -> Sample:
    """A page whose main lists are given by the first nodes of their records; none if it has no list."""
    page = Page(data)
    regions, found = read(page)
    right = np.zeros(len(regions))
    whole = sorted({node for nodes in lists for node in nodes})
    for k, records in enumerate(regions):
        starts = {start for start, _ in records}
        for rank, nodes in enumerate([*lists, whole] if lists else []):
            likeness = 2 * len(starts.intersection(nodes)) / (len(starts) + len(nodes))
            right[k] = max(right[k], likeness * (1.0 if rank == 0 or nodes is whole else 0.95))
    counts = [len(records) for records in regions]
    return Sample(corpus, site, found, right, counts, len(whole), np.array(read_evidence(page)), weight)


def held(texts: list[str], true: list[list[Any]]) -> int:
    """Records that hold at least half of the words of a labelled one, each for one."""
    own = [collections.Counter(text.lower().split()) for text in texts]
    pairs = []
    for j, values in enumerate(true):
        words = collections.Counter(" ".join(str(value) for value in values if value is not None).lower().split())
        pairs += [
            ((words & counter).total() / words.total(), i, j)
            for i, counter in enumerate(own)
            if words and 2 * (words & counter).total() >= words.total()
        ]
    used: set[int] = set()
    matched: set[int] = set()
    for _, i, j in sorted(pairs, reverse=True):
        if i not in used and j not in matched:
            used.add(i)
            matched.add(j)
    return len(used)


def truths(path: Path) -> list[dict[str, Any]]:
    """The lines of a file: only a line feed ends one."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def load(root: Path) -> list[Sample]:
    samples = []
    seen: collections.Counter[tuple[str, str]] = collections.Counter()
    for folder in sorted(path for path in root.iterdir() if (path / "truth.jsonl").exists()):
        lines = truths(folder / "truth.jsonl")
        if "records" in lines[0]:
            for truth in lines:
                data = (folder / truth["page"]).read_bytes()
                samples.append(sample(folder.name, truth["page"], data, truth["records"], False))
        elif "type" in lines[0]:
            lists = {label["page"]: label["lists"] for label in truths(LABELS)}
            for truth in lines:
                if truth["page"] in lists or truth["type"] in WITHOUT:
                    data = gzip.decompress((folder / truth["page"]).read_bytes())
                    site, weight = urlsplit(truth["url"] or "").netloc, WITHOUT.get(truth["type"], BY_EYE)
                    corpus = truth["type"] if truth["type"] in WITHOUT else "labelled"
                    samples.append(labelled(corpus, site, data, lists.get(truth["page"], []), weight))
    for path in sorted((root / "fields").glob("*.jsonl")):
        for truth in truths(path):
            seen[path.stem, truth["site"]] += truth["kind"] == "list"
            if truth["kind"] == "list" and seen[path.stem, truth["site"]] <= PER_SITE:
                data = (path.parent / truth["page"]).read_bytes()
                samples.append(sample(path.stem, truth["site"], data, truth["records"], True))
    articles = sorted((root / "articles").rglob("*.html"))
    samples += [sample("articles", path.name, path.read_bytes(), [], False) for path in articles]
    return [one for one in samples if len(one.right)]


def columns(names: Iterable[str]) -> list[int]:
    return [ranking.FEATURES.index(name) for name in names]


def share(samples: list[Sample]) -> Floats:
    """The weight of each page: sites count the same."""
    pages = collections.Counter((one.corpus, one.site) for one in samples)
    return np.array([one.weight / pages[one.corpus, one.site] for one in samples])


def bounds(names: Iterable[str]) -> tuple[Floats, Floats]:
    """The least and the largest weight of each feature."""
    signs = np.array([SIGNS.get(name, 0) for name in names])
    return np.where(signs > 0, 0.0, -np.inf), np.where(signs < 0, 0.0, np.inf)


def fit_order(samples: list[Sample], strength: float = 0.005) -> Floats:
    """Weights of ORDER, by maximum likelihood of the regions that are right."""
    samples = [one for one in samples if one.true > 0 and one.right.max() > 0.3]
    rows = np.concatenate([one.features[:, columns(ORDER)] for one in samples])
    spread = rows.std(axis=0) + 1e-3
    rows = rows / spread
    first = np.cumsum([0, *(len(one.right) for one in samples[:-1])])
    page = np.repeat(np.arange(len(samples)), [len(one.right) for one in samples])
    wanted = np.concatenate([one.right**4 / (one.right**4).sum() for one in samples])
    weight = share(samples)
    weight /= weight.sum()
    drawn_to = np.array([PRIOR.get(name, 0.0) for name in ORDER]) * spread

    def loss(weights: Floats) -> tuple[float, Floats]:
        sums = rows @ weights
        chance = np.exp(sums - np.maximum.reduceat(sums, first)[page])
        chance /= np.add.reduceat(chance, first)[page]
        away = weights - drawn_to
        certain = -float((weight[page] * wanted * np.log(chance + 1e-12)).sum())
        return certain + strength * away @ away, rows.T @ (weight[page] * (chance - wanted)) + 2 * strength * away

    found: Floats = descend(loss, drawn_to, *bounds(ORDER)) / spread
    return found


def descend(loss: Callable[[Floats], tuple[float, Floats]], start: Floats, low: Floats, high: Floats) -> Floats:
    """The minimum of a convex function within bounds: projected gradient descent (FISTA, Beck & Teboulle 2009)."""
    at, ahead, momentum, step = start, start, 1.0, 1.0
    for _ in range(3000):
        value, slope = loss(ahead)
        while True:
            following = np.clip(ahead - step * slope, low, high)
            moved = following - ahead
            if loss(following)[0] <= value + slope @ moved + moved @ moved / (2 * step) + 1e-12 or step < 1e-9:
                break
            step /= 2
        if np.abs(following - at).max() < 1e-7:
            break
        faster = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = following + (momentum - 1) / faster * (following - at)
        at, momentum = following, faster
    return at


def first_of(one: Sample, order: Floats) -> int:
    return int((one.features[:, columns(ORDER)] @ order).argmax())


def row_of(one: Sample, order: Floats) -> Floats:
    """What the confidence weighs of a page."""
    return np.append(one.features[first_of(one, order), columns(CONFIDENCE)], one.evidence)


def is_right(one: Sample, order: Floats) -> bool:
    """Whether the first region is the main list; values of fields only say so roughly."""
    return bool(one.right[first_of(one, order)] >= (RIGHT if one.corpus not in FIELDS else 0.6))


def fit_confidence(samples: list[Sample], order: Floats, strength: float = 0.001) -> Floats:
    """Weights of CONFIDENCE and EVIDENCE, then the intercept (logistic regression)."""
    rows = np.array([row_of(one, order) for one in samples])
    answer = np.array([float(is_right(one, order)) for one in samples])
    weight = share(samples)
    weight /= weight.sum()
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    given = np.c_[(rows - middle) / spread, np.ones(len(rows))]

    def loss(weights: Floats) -> tuple[float, Floats]:
        chance = 1 / (1 + np.exp(-given @ weights))
        certain = answer * np.log(chance + 1e-12) + (1 - answer) * np.log(1 - chance + 1e-12)
        drawn = np.append(weights[:-1], 0.0)
        return -float(weight @ certain) + strength * drawn @ drawn, given.T @ (weight * (chance - answer)) + (
            2 * strength * drawn
        )

    low, high = bounds((*CONFIDENCE, *EVIDENCE, "intercept"))
    found = descend(loss, np.zeros(len(low)), low, high)
    weights = found[:-1] / spread
    return np.append(weights, found[-1] - weights @ middle)


def sure(one: Sample, order: Floats, confidence: Floats) -> float:
    """The confidence of a page, as `ranking.confidence` has it."""
    row = row_of(one, order)
    last = EVIDENCE.index("next_page") - len(EVIDENCE)
    odds = float(np.delete(row, last) @ np.delete(confidence[:-1], last) + confidence[-1])
    return autorm.chance(ranking.with_next_page(odds, confidence[last - 1]) if row[last] else odds)


def calibration_error(pairs: list[tuple[float, bool]], bins: int = 10) -> float:
    """The expected calibration error, over bins of equal count (Nixon et al. 2019)."""
    parts = np.array_split(np.array(sorted(pairs), dtype=np.float64), bins)
    return float(sum(len(part) * abs(part[:, 0].mean() - part[:, 1].mean()) for part in parts) / len(pairs))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--write", action="store_true", help="fit all sites and save the weights")
    parser.add_argument("--splits", type=int, default=5)
    given = parser.parse_args()
    samples = load(given.corpus)
    if not samples:
        print(f"no pages in {given.corpus}", file=sys.stderr)
        return 2
    sites = sorted({(one.corpus, one.site) for one in samples})
    chosen: dict[tuple[str, str], list[float]] = collections.defaultdict(list)
    certain: dict[str, list[tuple[float, bool]]] = collections.defaultdict(list)
    for split in range(given.splits):
        shuffled = random.Random(split).sample(sites, len(sites))
        half = set(shuffled[: len(sites) // 2])
        for part in (half, set(sites) - half):
            inside = [one for one in samples if (one.corpus, one.site) in part]
            outside = [one for one in samples if (one.corpus, one.site) not in part]
            order = fit_order(inside)
            confidence = fit_confidence(inside, order)
            for name, group in (("fitted", inside), ("held out", outside)):
                for one in group:
                    if one.true:
                        chosen[one.corpus, name].append(float(one.right[first_of(one, order)]))
            for one in outside:
                certain[one.corpus].append((sure(one, order, confidence), is_right(one, order)))
    best = {name: np.mean([one.right.max() for one in samples if one.corpus == name]) for name in certain}
    print("F1 of the first region, mean over pages: sites fitted, held out, best region; confidence >= 0.5 (held out)")
    for corpus in sorted(certain):
        means = [np.mean(chosen[corpus, name] or [0.0]) for name in ("fitted", "held out")]
        above = np.mean([chance >= 0.5 for chance, _ in certain[corpus]])
        print(f"{corpus:14} {means[0]:.4f}  {means[1]:.4f}  {best[corpus]:.4f}   {above:.3f}")
    everything = [pair for corpus, pairs in certain.items() if corpus in JUDGED for pair in pairs]
    print(f"expected calibration error (held out; {', '.join(JUDGED)}): {calibration_error(everything):.4f}")
    for tenth in np.array_split(np.array(sorted(everything)), 10):
        mean = tenth.mean(axis=0)
        print(f"{tenth[0, 0]:.2f}-{tenth[-1, 0]:.2f}  {mean[0]:.2f}  {mean[1]:.2f}  {len(tenth)}")
    if given.write:
        order = fit_order(samples)
        confidence = fit_confidence(samples, order).round(4).tolist()
        own = dict(zip((*CONFIDENCE, *EVIDENCE, "intercept"), confidence, strict=True))
        data = {
            "order": {"weights": dict(zip(ORDER, order.round(4).tolist(), strict=True))},
            "confidence": {"weights": {name: own[name] for name in own if name not in EVIDENCE}},
            "evidence": {"weights": {name: own[name] for name in EVIDENCE}},
        }
        OUT.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
        print(f"wrote {OUT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
