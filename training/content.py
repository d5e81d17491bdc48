"""Fits the model of content and noise that fastwrap ships, and measures it on sites that it has not learned from.
The measure is that of the corpus itself (WCXB, Foley 2026): F1 over words, a mean over pages."""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fastwrap._version import __version__
from fastwrap.errors import FastwrapError
from fastwrap.noise import model as models
from fastwrap.noise.content import content
from fastwrap.noise.features import NAMES, PLACE, RELATIVE
from fastwrap.noise.model import Floats, Model
from fastwrap.tools.labelled import LabelledPage, Score, labelled_pages, score_rows
from fastwrap.tools.tables import aligned
from fastwrap.tools.training import FOLDS, Example, example, fit_trees, fit_weights, held_out, mixed, tokens

SHIPPED = Path(models.__file__).with_name("content.model")

Measure = Callable[[str, str], tuple[float, float, float]]

PARTS = {
    "names": r".*score_(above|near)(_by_words)?",
    "words": r".*score_words(_by_words)?",
    "heading": r".*score_heading_words(_by_words)?",
    "neighbours": r"(previous|next)_.*",
    "containers": r"level_.*|alike",
    "paths": r"path_.*",
    "position": "|".join([*PLACE, *(name for name in RELATIVE if name != "copies")]),
    "page": r"page_.*",
}
"""Patterns of the names of features, by what they say: the linear part (`names`, `words`, `heading`), the blocks near
by, the elements around a block, the blocks of its tag path, where it stands, and what the page is like."""
GROUPS = {
    part: [number for number, name in enumerate(NAMES) if re.fullmatch(pattern, name)]
    for part, pattern in PARTS.items()
}
"""The numbers of the features of each part."""


class Known(NamedTuple):
    """A page of the corpus that can be learned from, or measured on."""

    labelled: LabelledPage
    example: Example
    half: int


def referee(corpus: Path) -> Any:
    """The measure that comes with the corpus."""
    path = corpus.resolve().parent.parent / "tools" / "score_content.py"
    spec = importlib.util.spec_from_file_location("score_content", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FastwrapError(f"{path} is not there: it measures what was learned")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def known_pages(corpus: Path, limit: int | None, half_of: Callable[[dict[str, str]], int]) -> Iterator[Known]:
    """The pages of a corpus; those that cannot be read are told."""
    for labelled in labelled_pages(corpus / "truth.jsonl")[:limit]:
        try:
            found = example(labelled.page(), labelled.content, labelled.group)
        except (FastwrapError, OSError) as error:
            print(f"{labelled.name}: {error}", file=sys.stderr)
        else:
            yield Known(labelled, found, half_of({"url": labelled.url or "", "page": labelled.name}))


class Learned(NamedTuple):
    """What models are fitted on: the same pages serve for several, each without some features."""

    examples: list[Example]
    rows: Floats
    weights: models.Weights

    def model(self, about: str, without: Sequence[int] = ()) -> Model:
        """A model whose trees ask for none of these features."""
        rows = self.rows.copy()
        rows[:, list(without)] = 0
        content, weight = (
            np.concatenate(part) for part in zip(*((each.content, each.weight) for each in self.examples), strict=True)
        )
        return Model(self.weights, fit_trees(rows, content, weight), about)


def learned(pages: Sequence[Known]) -> Learned:
    """The linear part, and the features of all blocks by weights that were fitted on other sites."""
    examples = [page.example for page in pages if page.example.shown]
    of = [tokens(each.page) for each in examples]
    return Learned(examples, np.concatenate(held_out(examples, of)), fit_weights(examples, of))


def scores(pages: Sequence[Known], model: Model, measure: Measure) -> list[Score]:
    """How well a model does on pages."""
    return [
        Score(page.labelled.type, *measure(content(page.example.page, model=model).text, page.labelled.content))
        for page in pages
    ]


def in_folds(pages: Sequence[Known], measure: Measure) -> Iterator[Score]:
    """How well models do on all pages, each fitted on the sites of the other folds."""
    fold_of = {group: number % FOLDS for number, group in enumerate(mixed(page.example.group for page in pages))}
    for fold in range(FOLDS):
        others = [page for page in pages if fold_of[page.example.group] != fold]
        own = [page for page in pages if fold_of[page.example.group] == fold]
        if own and others:
            print(f"fold {fold + 1} of {FOLDS}", file=sys.stderr)
            yield from scores(own, learned(others).model("the other folds"), measure)


def show(title: str, found: Sequence[Score]) -> None:
    """Print a table of means."""
    print(title, *aligned(score_rows(found)), sep="\n", end="\n\n", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit and measure, as the options say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, help="the folder with truth.jsonl; ../../tools has its measure")
    parser.add_argument(
        "-o", "--output", type=Path, default=SHIPPED, help="the file of the model (default: the shipped)"
    )
    parser.add_argument("--limit", type=int, help="take the first so many pages alone")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--half", type=int, choices=(0, 1), help="fit on this half of the sites, measure on the other")
    what.add_argument("--folds", action="store_true", help="measure on all pages, in folds of sites")
    what.add_argument(
        "--without", action="append", choices=[*GROUPS, "all"],
        help="as --half 0, without these features; repeat it for several, one after the other; all for each of them",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    judge = referee(options.corpus) if options.folds or options.without or options.half is not None else None
    half_of = judge.half_of if judge is not None else lambda _: 0
    pages = list(known_pages(options.corpus, options.limit, half_of))
    if judge is None:
        counted = (
            f"{sum(page.example.shown for page in pages):,} pages of {len({p.example.group for p in pages}):,} sites"
        )
        learned(pages).model(f"fastwrap {__version__}: {counted}").save(options.output)
        print(f"{options.output}: {options.output.stat().st_size:,} bytes, from {counted}")
    elif options.folds:
        show(f"in {FOLDS} folds of sites", list(in_folds(pages, judge.measure)))
    else:
        half = options.half or 0
        known = learned([page for page in pages if page.half == half])
        others = [page for page in pages if page.half != half]
        show(f"fitted on half {half}, measured on the other", scores(others, known.model(""), judge.measure))
        asked = options.without or []
        for name in GROUPS if "all" in asked else asked:
            show(f"without {name}", scores(others, known.model("", GROUPS[name]), judge.measure))


if __name__ == "__main__":
    main()
