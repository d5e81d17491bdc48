"""Fits the weights that rank regions and say how sure a main list is; writes src/fastwrap/regions/ranking_weights.json.

    python benchmarks/fit_ranking.py ../shared/corpus [--write]

Listing pages have a truth.jsonl (tbdw, zhao1, tpsf, shops) or are lists of fields/*.jsonl; pages of `articles` have no
main list. Prints what the weights of one half of the sites do on the other half; with --write, fits all and saves.

The order is a softmax over the regions of a page, drawn towards fixed weights of the quality and of the longest text:
with few sites, these are changed only where many pages ask for it. The confidence is a logistic regression.
"""

from __future__ import annotations

import argparse
import collections
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
from fastwrap.regions import auto, ranking
from fastwrap.tools.evaluate.pairing import Pairing, tokens

OUT = Path(__file__).parent.parent / "src" / "fastwrap" / "regions" / "ranking_weights.json"
ORDER = ("quality", "longest", "linked", "unique", "navigation", "items", "count")
MORE, LESS = (0.0, np.inf), (-np.inf, 0.0)
CONFIDENCE = {
    "similarity": MORE, "variety": MORE, "coverage": MORE, "count": MORE, "items": MORE,
    "longest": LESS, "linked": LESS, "navigation": LESS, "prose": LESS,
}  # fmt: skip
"""What the confidence weighs, and the sign that its weight may have: what is known need not be learned."""
PRIOR = {"quality": 1.5, "longest": 0.4}
"""The weights that the order is drawn to: quality first, and records that say more than a label."""
LISTINGS = 0.62
"""The share of listings among the pages of users, as the confidence takes it."""
UNKNOWN = -1
"""In place of the number of true records."""
CONTENT = ("href", "src", "alt", "title")
Floats = npt.NDArray[np.float64]


class Sample(NamedTuple):
    """A page: its regions by their features, and how right each is."""

    corpus: str
    site: str
    features: Floats
    right: Floats
    hits: list[int]
    found: list[int]
    true: int


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
    hits, counts = [], []
    pairing = Pairing([] if fields else [tokens(text) for text in true], 0.8)
    for records in regions:
        texts = [text_of(page, first, last, fields) for first, last in records]
        counts.append(len(texts))
        if not true or len(texts) > 2000:
            hits.append(0)
        elif fields:
            hits.append(held(texts, true))
        else:
            hits.append(len(pairing.pair(map(tokens, texts))))
    right = np.array([2 * h / (c + len(true)) if true else 0.0 for h, c in zip(hits, counts, strict=True)])
    return Sample(corpus, site, found, right, hits, counts, len(true))


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
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        if folder.name == "paging":
            # A page that has a next one is a listing, or a thread; which records it has is not known.
            for truth in truths(folder / "truth.jsonl"):
                if truth["next"]:
                    data = (folder / truth["page"]).read_bytes()
                    one = sample(folder.name, urlsplit(truth["url"]).netloc, data, [], False)
                    samples.append(one._replace(true=UNKNOWN))
        elif (folder / "truth.jsonl").exists():
            for truth in truths(folder / "truth.jsonl"):
                if "records" in truth:
                    data = (folder / truth["page"]).read_bytes()
                    samples.append(sample(folder.name, truth["page"], data, truth["records"], False))
        for path in sorted(folder.glob("*.jsonl")) if folder.name == "fields" else []:
            for truth in truths(path):
                if truth["kind"] == "list":
                    data = (folder / truth["page"]).read_bytes()
                    samples.append(sample(path.stem, truth["site"], data, truth["records"], True))
        if folder.name == "articles":
            samples += [
                sample(folder.name, path.name, path.read_bytes(), [], False) for path in sorted(folder.rglob("*.html"))
            ]
    return [one for one in samples if len(one.right)]


def columns(names: Iterable[str]) -> list[int]:
    return [ranking.FEATURES.index(name) for name in names]


def share(samples: list[Sample]) -> Floats:
    """The weight of each page: sites count the same."""
    pages = collections.Counter((one.corpus, one.site) for one in samples)
    return np.array([1 / pages[one.corpus, one.site] for one in samples])


def fit_order(samples: list[Sample], strength: float = 0.01) -> Floats:
    """Weights of ORDER, by maximum likelihood of the regions that are right."""
    samples = [one for one in samples if one.true > 0 and one.right.max() > 0.3]
    places, weight = columns(ORDER), share(samples)
    spread = np.concatenate([one.features[:, places] for one in samples]).std(axis=0) + 1e-9
    given = [one.features[:, places] / spread for one in samples]
    wanted = [one.right**4 / (one.right**4).sum() for one in samples]
    drawn_to = np.array([PRIOR.get(name, 0.0) for name in ORDER]) * spread

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 0.0, np.zeros_like(weights)
        for rows, want, own in zip(given, wanted, weight, strict=True):
            sums = rows @ weights
            chance = np.exp(sums - sums.max())
            chance /= chance.sum()
            total -= own * float((want * np.log(chance + 1e-12)).sum())
            slope += own * rows.T @ (chance - want)
        away = weights - drawn_to
        return total / weight.sum() + strength * away @ away, slope / weight.sum() + 2 * strength * away

    free = np.full(len(ORDER), np.inf)
    found: Floats = descend(loss, drawn_to, -free, free) / spread
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


def fit_confidence(samples: list[Sample], order: Floats, strength: float = 0.005) -> Floats:
    """Weights of CONFIDENCE, then the intercept: of right first regions against those of pages without a list."""
    chosen = [(one, first_of(one, order)) for one in samples]
    chosen = [(one, k) for one, k in chosen if one.true <= 0 or one.right[k] >= 0.5]
    rows = np.array([one.features[k, columns(CONFIDENCE)] for one, k in chosen])
    answer = np.array([float(one.true != 0) for one, _ in chosen])
    weight = share([one for one, _ in chosen])
    for value, prior in ((1.0, LISTINGS), (0.0, 1 - LISTINGS)):
        weight[answer == value] *= prior / weight[answer == value].sum()
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    given = np.c_[(rows - middle) / spread, np.ones(len(rows))]

    def loss(weights: Floats) -> tuple[float, Floats]:
        chance = 1 / (1 + np.exp(-given @ weights))
        certain = answer * np.log(chance + 1e-12) + (1 - answer) * np.log(1 - chance + 1e-12)
        drawn = np.append(weights[:-1], 0.0)
        return -float(weight @ certain) + strength * drawn @ drawn, given.T @ (weight * (chance - answer)) + (
            2 * strength * drawn
        )

    low, high = np.array([*CONFIDENCE.values(), (-np.inf, np.inf)]).T
    found = descend(loss, np.zeros(len(CONFIDENCE) + 1), low, high)
    weights = found[:-1] / spread
    return np.append(weights, found[-1] - weights @ middle)


def sure(one: Sample, order: Floats, confidence: Floats) -> float:
    row = one.features[first_of(one, order), columns(CONFIDENCE)]
    return float(1 / (1 + np.exp(-(row @ confidence[:-1] + confidence[-1]))))


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
    measured: dict[tuple[str, str], list[tuple[int, int, int]]] = collections.defaultdict(list)
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
                    k = first_of(one, order)
                    measured[one.corpus, name].append((one.hits[k], one.found[k], max(one.true, 0)))
            for one in outside:
                right = one.true == UNKNOWN or (one.true > 0 and one.right[first_of(one, order)] >= 0.5)
                certain[one.corpus].append((sure(one, order, confidence), right))
    print("record F1 of the first region, on the sites fitted and on those held out")
    for corpus in sorted({corpus for corpus, _ in measured}):
        rows = {name: np.array(measured[corpus, name]).sum(axis=0) for name in ("fitted", "held out")}
        figures = [f"{2 * hits / max(1, found + true):.4f}" for hits, found, true in rows.values()]
        above = np.mean([chance >= 0.5 for chance, _ in certain[corpus]])
        print(f"{corpus:10} {figures[0]}  {figures[1]}   confidence >= 0.5 (held out): {above:.3f}")
    print("reliability (held out): confidence, share that is right, pages")
    everything = sorted(pair for pairs in certain.values() for pair in pairs)
    for low in np.arange(0, 1, 0.1):
        inside_bin = [pair for pair in everything if low <= pair[0] < low + 0.1 or (low > 0.85 and pair[0] == 1)]
        if inside_bin:
            chance, right = np.mean(inside_bin, axis=0)
            print(f"{low:.1f}-{low + 0.1:.1f}  {chance:.2f}  {right:.2f}  {len(inside_bin)}")
    if given.write:
        order = fit_order(samples)
        confidence = fit_confidence(samples, order)
        data = {
            "order": {"weights": dict(zip(ORDER, order.round(4).tolist(), strict=True))},
            "confidence": {"weights": dict(zip((*CONFIDENCE, "intercept"), confidence.round(4).tolist(), strict=True))},
        }
        OUT.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
        print(f"wrote {OUT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
