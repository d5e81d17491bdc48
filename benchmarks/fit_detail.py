"""Fits the weights that say how sure it is that a page is about one thing; writes src/fastwrap/detail/detail_weights.json.

    python benchmarks/fit_detail.py ../shared/corpus [--write]

Pages about one thing are articles, recipes and other details of fields/*.jsonl, and pages of some types; listing pages
have a truth.jsonl with records, or are labelled with a main list (main_lists.jsonl). Prints the kinds that weights
fitted on one half of the sites give the pages of the other half; with --write, fits all and saves.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import hashlib
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

import fastwrap
from fastwrap import detail
from fastwrap.detail.confidence import Evidence

OUT = Path(__file__).parent.parent / "src" / "fastwrap" / "detail" / "detail_weights.json"
LABELS = Path(__file__).with_name("main_lists.jsonl")
LISTS = ("tbdw", "zhao1", "tpsf", "shops", "modern")
DETAILS = ("article", "product", "documentation", "service")
"""Types of pages that are about one thing, unless they are labelled with a main list."""
PER_SITE = 3
"""Pages of one site that are read: the others say the same."""
HELD_OUT = ("tennis",)
"""Sites that others are measured by."""
WEIGHTS = {"recipes": 3.0, "swde": 3.0, "exalg": 3.0, "modern": 2.0, "product": 2.0, "article": 0.7}
SIGNS = {
    "thing": 1, "named": 1, "meta": 1, "heading": 1, "agreement": 1, "prose": 1, "prose_share": 1, "linked": -1,
    "pairs": 1, "price": 1, "byline": 1, "sections": 1, "list": -1,
}  # fmt: skip
"""The sign that a weight may have: what is known need not be learned."""
Floats = npt.NDArray[np.float64]


class Sample(NamedTuple):
    """A page: where it is from, what it is about, and what speaks for that."""

    corpus: str
    site: str
    kind: str
    evidence: Evidence
    confidence: float
    """That of the list, unless it is one of other things."""
    substance: float


def sample(corpus: str, site: str, data: bytes, kind: str) -> Sample:
    extraction = fastwrap.extract(data)
    found = detail.find(extraction.page)
    share = found.share_beside(extraction.regions[0].spans) if extraction.regions else 0.0
    return Sample(corpus, site, kind, found.evidence, extraction.confidence * (1 - share), found.substance)


def truths(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def load(root: Path) -> Iterator[Sample]:
    for name in LISTS:
        for truth in truths(root / name / "truth.jsonl"):
            page = str(truth["page"])
            yield sample(name, page, (root / name / page).read_bytes(), "list")
    for path in sorted((root / "articles").rglob("*.html")):
        yield sample("articles", path.name, path.read_bytes(), "detail")
    lists = {label["page"]: label["lists"] for label in truths(LABELS)}
    for truth in truths(root / "wcxb" / "truth.jsonl"):
        page, kind = str(truth["page"]), str(truth["type"])
        about = "list" if lists.get(page) else "detail" if kind in DETAILS else "?"
        data = gzip.decompress((root / "wcxb" / page).read_bytes())
        yield sample(kind, urlsplit(str(truth["url"] or page)).netloc, data, about)
    seen: collections.Counter[str] = collections.Counter()
    for path in sorted((root / "fields").glob("*.jsonl")):
        for truth in truths(path):
            site = str(truth["site"])
            if truth["kind"] == "detail" and site not in HELD_OUT and seen[site] < PER_SITE:
                seen[site] += 1
                yield sample(path.stem, site, (path.parent / str(truth["page"])).read_bytes(), "detail")


def fitted(samples: list[Sample]) -> Floats:
    """The weights and the intercept: logistic regression by gradient descent, drawn to 0, with signs."""
    known = [one for one in samples if one.kind != "?"]
    rows = np.array([[*one.evidence._replace(list=one.confidence), 1.0] for one in known])
    right = np.array([one.kind == "detail" for one in known], dtype=np.float64)
    counts = np.array([WEIGHTS.get(one.corpus, 1.0) for one in known])
    balance = np.where(right == 1, counts[right == 0].sum(), counts[right == 1].sum())
    counts = counts * balance
    counts /= counts.sum()
    signs = np.array([SIGNS.get(name, 0) for name in (*Evidence._fields, "intercept")])
    weights, momentum = np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    for _ in range(6000):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (chance - right)) + 1e-4 * np.r_[weights[:-1], 0]
        momentum = 0.9 * momentum + slope
        weights -= 0.5 * momentum
        weights[(signs != 0) & (np.sign(weights) == -signs)] = 0
    return weights


def kind_of(one: Sample, weights: Floats) -> str:
    """What `Extraction.kind` would say."""
    odds = float(np.dot([*one.evidence._replace(list=one.confidence), 1.0], weights))
    chance = one.substance / (1 + math.exp(-max(-60.0, min(60.0, odds))))
    if one.confidence >= 0.5 and one.confidence >= chance:
        return "list"
    return "detail" if chance >= 0.5 else "list" if one.confidence >= 0.5 else "none"


def is_first_half(site: str) -> bool:
    return hashlib.md5(site.encode()).digest()[0] % 2 == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    samples = list(load(options.corpus))
    table: dict[tuple[str, str], collections.Counter[str]] = {}
    for first in (True, False):
        weights = fitted([one for one in samples if is_first_half(one.site) == first])
        for one in samples:
            if is_first_half(one.site) != first:
                table.setdefault((one.corpus, one.kind), collections.Counter())[kind_of(one, weights)] += 1
    print(f"{'set':<16}{'true':<8}{'list':>6}{'detail':>8}{'none':>6}")
    for (corpus, kind), row in sorted(table.items()):
        print(f"{corpus:<16}{kind:<8}{row['list']:>6}{row['detail']:>8}{row['none']:>6}")
    weights = fitted(samples)
    for name, weight in zip((*Evidence._fields, "intercept"), weights, strict=True):
        print(f"{name:<14}{weight:8.3f}")
    if options.write:
        named = {name: round(float(weight), 4) for name, weight in zip(Evidence._fields, weights, strict=False)}
        OUT.write_text(json.dumps({"weights": named, "intercept": round(float(weights[-1]), 4)}, indent=1) + "\n")


if __name__ == "__main__":
    main()
