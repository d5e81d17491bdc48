"""EDREW's experiment: content or noise for every text of a page by its reversed tag path alone, by a linear model.
On sites that the model has seen and on sites that it has not, beside calling every text content."""

from __future__ import annotations

import argparse
import gzip
import re
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, KFold

from fastwrap import Page

WORD = re.compile(r"\w+")
GRAM = 4
"""Words in a row that stand in the truth: shorter runs stand everywhere."""
FEATURES = 1 << 18
"""Places that tokens, and pairs of tokens, are hashed into."""
FOLDS = 5

Flags = npt.NDArray[np.bool_]


class Texts(NamedTuple):
    """All texts of a corpus that have words."""

    path: npt.NDArray[np.int64]
    """[t] The number of the path of each: equal paths have one number on all pages."""
    content: Flags
    """[t] Whether each is content."""
    page: npt.NDArray[np.int64]
    """[t] The page of each."""
    site: npt.NDArray[np.int64]
    """[t] The site of each."""
    features: csr_matrix
    """[paths, FEATURES] The tokens and pairs of tokens of each path."""


class Labelled(NamedTuple):
    """One page, and which of its texts are content."""

    page: Page
    site: str
    content: list[bool | None]
    """For each text; None for one without words."""


def words_of(text: str) -> list[str]:
    """The words of a text, as the measure of WCXB counts them."""
    return WORD.findall(text.lower())


def standing_in(texts: list[list[str]], truth: list[str]) -> list[bool | None]:
    """Which texts stand in the truth: those of which most words are in a run of words that the truth has, too. Runs go
    on from text to text, so that a heading of two words is found by what stands around it.

    >>> page = [["home", "news"], ["one", "two"], ["three", "four", "five"], [], ["home"]]
    >>> standing_in(page, "one two three four five".split())
    [False, True, True, None, False]
    """
    runs = {tuple(truth[k : k + GRAM]) for k in range(len(truth) - GRAM + 1)}
    words = [word for text in texts for word in text]
    there = np.zeros(len(words), dtype=bool)
    for k in range(len(words) - GRAM + 1):
        if tuple(words[k : k + GRAM]) in runs:
            there[k : k + GRAM] = True
    ends = np.cumsum([len(text) for text in texts])
    return [
        bool(there[end - len(text) : end].mean() > 0.5) if text else None for text, end in zip(texts, ends, strict=True)
    ]


def whole_pages(corpus: Path) -> Iterator[Labelled]:
    """Pages with their main content (WCXB): what stands in it is content."""
    for line in (corpus / "wcxb" / "truth.jsonl").read_bytes().splitlines():
        truth = msgspec.json.decode(line)
        page = Page(gzip.decompress((corpus / "wcxb" / truth["page"]).read_bytes()))
        texts = [words_of(page.text(node)) for node in page.retps()]
        host = urllib.parse.urlsplit(truth["url"] or "").netloc.removeprefix("www.")
        yield Labelled(page, host or truth["page"], standing_in(texts, words_of(truth["content"])))


def values_of_pages(corpus: Path) -> Iterator[Labelled]:
    """Pages about one thing with its values (SWDE): a text that is one of them is content."""
    for line in (corpus / "fields" / "swde.jsonl").read_bytes().splitlines():
        truth = msgspec.json.decode(line)
        page = Page((corpus / "fields" / truth["page"]).read_bytes())
        values = [words_of(value) for record in truth["records"] for field in record for value in field or ()]
        texts = [words_of(page.text(node)) for node in page.retps()]
        yield Labelled(page, truth["site"], [text in values if text else None for text in texts])


def features_of(tokens: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The tokens of a path and its pairs of tokens, hashed."""
    one = tokens.astype(np.uint64)
    both = np.concatenate([one * np.uint64(0x9E3779B97F4A7C15), (one[:-1] * np.uint64(31) + one[1:])])
    mixed = (both ^ both >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
    return np.unique(mixed >> np.uint64(64 - FEATURES.bit_length() + 1)).astype(np.int64)


def gathered(pages: Iterator[Labelled]) -> Texts:
    """The texts of all pages, each different path once."""
    numbers: dict[bytes, int] = {}
    sites: dict[str, int] = {}
    rows: list[npt.NDArray[np.int64]] = []
    texts: list[tuple[int, bool, int, int]] = []
    for number, (page, site, content) in enumerate(pages):
        found = page.retps()
        starts = found.starts.tolist()
        for path, is_content in zip(found.path.tolist(), content, strict=True):
            if is_content is None:
                continue
            tokens = found.tokens[starts[path] : starts[path + 1]]
            if (known := numbers.setdefault(tokens.tobytes(), len(rows))) == len(rows):
                rows.append(features_of(tokens))
            texts.append((known, is_content, number, sites.setdefault(site, len(sites))))
    columns = np.array(texts, dtype=np.int64).T
    ends = np.cumsum([0, *map(len, rows)])
    features = csr_matrix((np.ones(ends[-1]), np.concatenate(rows), ends), shape=(len(rows), FEATURES))
    return Texts(columns[0], columns[1].astype(bool), columns[2], columns[3], features)


def scores(predicted: Flags, content: Flags) -> tuple[float, float, float]:
    """Precision, recall and F1 of content, in percent."""
    right = int((predicted & content).sum())
    precision, recall = right / max(1, int(predicted.sum())), right / max(1, int(content.sum()))
    return 100 * precision, 100 * recall, 200 * right / max(1, int(predicted.sum()) + int(content.sum()))


def best_by_path(path: npt.NDArray[np.int64], content: Flags) -> float:
    """The F1 that no classifier of paths can exceed: that of the best set of paths to call content, knowing the truth.
    Paths with a larger share of content go first, whichever set is the best one.

    >>> round(best_by_path(np.array([0, 0, 1, 1, 2]), np.array([True, True, True, False, False])), 1)
    85.7
    """
    texts_of, content_of = np.bincount(path), np.bincount(path, content)
    order = np.argsort(-content_of / texts_of, kind="stable")
    right, called = np.cumsum(content_of[order]), np.cumsum(texts_of[order])
    return float(np.max(200 * right / (called + content.sum())))


def predicted(texts: Texts, train: npt.NDArray[np.int64]) -> Flags:
    """For every path, whether a model of some of the texts calls it content. It learns each path once, by how many of
    these texts have it and how many of them are content."""
    count = texts.features.shape[0]
    of_content = np.bincount(texts.path[train], texts.content[train], count)
    of_noise = np.bincount(texts.path[train], ~texts.content[train], count)
    content, noise = np.flatnonzero(of_content), np.flatnonzero(of_noise)
    model = LogisticRegression(solver="liblinear", random_state=1)
    model.fit(
        vstack([texts.features[content], texts.features[noise]]),
        np.repeat([True, False], [len(content), len(noise)]),
        np.concatenate([of_content[content], of_noise[noise]]),
    )
    answers: Flags = model.predict(texts.features)
    return answers


def cross_validated(texts: Texts, groups: npt.NDArray[np.int64] | None) -> Flags:
    """What models say of the texts that they have not seen: single texts, or whole groups of them kept apart."""
    answers = np.zeros(len(texts.path), dtype=bool)
    fold = (
        KFold(FOLDS, shuffle=True, random_state=1)
        if groups is None
        else GroupKFold(FOLDS, shuffle=True, random_state=1)
    )
    for train, test in fold.split(texts.path, groups=groups):
        answers[test] = predicted(texts, train)[texts.path[test]]
    return answers


def main() -> None:
    """Print the table of docs/methods.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, help="a folder with wcxb/truth.jsonl and fields/swde.jsonl")
    corpus = parser.parse_args().corpus
    print("| texts of | kept apart | P | R | F1 | best by path: F1 | all content: F1 |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    sizes = []
    for name, pages in (("WCXB", whole_pages(corpus)), ("SWDE", values_of_pages(corpus))):
        texts = gathered(pages)
        count, sites = len(texts.path), len(np.unique(texts.site))
        everything = scores(np.ones(count, dtype=bool), texts.content)[2]
        bounds = f"{best_by_path(texts.path, texts.content):.1f} | {everything:.1f}"
        splits = {"single texts": None, "pages": texts.page} | ({"sites": texts.site} if sites >= FOLDS else {})
        for apart, groups in splits.items():
            precision, recall, f1 = scores(cross_validated(texts, groups), texts.content)
            print(f"| {name} | {apart} | {precision:.1f} | {recall:.1f} | {f1:.1f} | {bounds} |", flush=True)
        sizes.append(
            f"{name}: {count:,} texts, {texts.content.mean():.1%} of them content, on {texts.page.max() + 1:,} pages "
            f"of {sites:,} sites; {texts.features.shape[0]:,} different paths."
        )
    print("", *sizes, sep="\n")


if __name__ == "__main__":
    main()
