"""`fastwrap train`: a model of content and noise, fitted to pages whose content is known.
It says how well the model does on sites that were kept apart."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from fastwrap.cli.codes import BAD_USE, DONE, NOTHING_FOUND
from fastwrap.cli.messages import progress, tell
from fastwrap.errors import FastwrapError

if TYPE_CHECKING:
    from fastwrap.noise.model import Model
    from fastwrap.tools.labelled import LabelledPage, Score
    from fastwrap.tools.training import Example

ERRORS_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `fastwrap train`."""
    parser.add_argument(
        "truth", type=Path, metavar="TRUTH.jsonl",
        help='a file with a line {"page": path, "content": text} for each page, or {"html": ..., "content": ...}; with'
        ' "url", pages of one host are kept together',
    )  # fmt: skip
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="write the model here")
    parser.add_argument(
        "--hold-out", type=float, metavar="SHARE",
        help="learn nothing from this share of the sites, as 0.2, and say how well the model does on their pages",
    )  # fmt: skip
    parser.add_argument("-q", "--quiet", action="store_true", help="no messages but errors")


def run(options: argparse.Namespace) -> int:
    """Fit a model and write it; 1 where there is nothing to learn from, 2 where no page can be read."""
    from fastwrap.tools.labelled import labelled_pages, score_rows
    from fastwrap.tools.tables import aligned
    from fastwrap.tools.training import need_libraries, train

    if options.hold_out is not None and not 0 < options.hold_out < 1:
        raise FastwrapError("--hold-out takes a number between 0 and 1")
    spare(options.output, options.truth)
    need_libraries()
    pages = labelled_pages(options.truth)
    if not pages:
        tell(f"{options.truth}: no page to learn from")
        return NOTHING_FOUND
    for page in pages:
        if isinstance(page.source, Path):
            spare(options.output, page.source)
    kept, apart = split(pages, options.hold_out)
    failed: list[tuple[str, Exception]] = []
    with nullcontext(ignore) if options.quiet else progress(len(pages) + 1) as step:
        examples = read(kept, step, failed)
        taught = [example for example in examples if example.shown]
        sites = len({example.group for example in taught})
        counted = number_of(len(taught), "page") + (f" of {number_of(sites, 'site')}" if sites < len(taught) else "")
        if taught:
            step("fitting")
            model = train(taught, f"{options.truth.name}: {counted}")
            model.save(options.output)
            measured = list(scores(apart, model, step, failed))
    for name, error in failed[:ERRORS_SHOWN]:
        tell(f"{name}: {error.strerror if isinstance(error, OSError) and error.strerror else error}")
    if len(failed) > ERRORS_SHOWN:
        tell(f"and {len(failed) - ERRORS_SHOWN:,} more that cannot be read")
    if not examples:
        tell("no page can be read")
        return BAD_USE
    note = ignore if options.quiet else tell
    if len(taught) < len(examples):
        note(
            f"{len(examples) - len(taught):,} of {len(examples):,} pages do not show the content that is given for them"
        )
    if not taught:
        note("nothing to learn from")
        return NOTHING_FOUND
    note(f"learned from {counted}, written to {options.output}")
    if measured:
        sites = len({page.group for page in apart})
        note(f"held out: {number_of(len(measured), 'page')} of {number_of(sites, 'site')}")
        for line in aligned(score_rows(measured)):
            note(line)
    return DONE


def number_of(count: int, thing: str) -> str:
    """A number of things, as it is written.

    >>> number_of(1, "site"), number_of(1200, "page")
    ('1 site', '1,200 pages')
    """
    return f"{count:,} {thing}{'s' if count != 1 else ''}"


def ignore(_: str) -> None:
    """Say nothing."""


def spare(output: str, read: Path) -> None:
    """Raise FastwrapError if what is to be written is a file that is read."""
    try:
        is_same = os.path.samefile(output, read)
    except (OSError, ValueError):
        return  # one of them is not there; reading or writing will tell what is wrong
    if is_same:
        raise FastwrapError(f"{output} would be written over {read}, which is read: give another name with -o")


def split(pages: Sequence[LabelledPage], share: float | None) -> tuple[Sequence[LabelledPage], Sequence[LabelledPage]]:
    """The pages to learn from; and those of a share of the sites, at least of one, that are kept apart."""
    from fastwrap.tools.training import mixed

    if share is None:
        return pages, []
    sites = mixed(page.group for page in pages)
    if len(sites) < 2:
        raise FastwrapError("there is only one page: it cannot be held out and learned from")
    held = set(sites[: min(max(round(share * len(sites)), 1), len(sites) - 1)])
    return [page for page in pages if page.group not in held], [page for page in pages if page.group in held]


def read(
    pages: Sequence[LabelledPage], step: Callable[[str], None], failed: list[tuple[str, Exception]]
) -> list[Example]:
    """The pages as examples; what cannot be read, or is too long to learn from, is left out."""
    from fastwrap.tools.training import example

    examples = []
    for page in pages:
        step(f"reading {page.name}")
        try:
            examples.append(example(page.page(), page.content, page.group))
        except (FastwrapError, OSError) as error:
            failed.append((page.name, error))
    return examples


def scores(
    pages: Sequence[LabelledPage], model: Model, step: Callable[[str], None], failed: list[tuple[str, Exception]]
) -> Iterator[Score]:
    """How well a model does on pages; those that cannot be read are left out."""
    from fastwrap.noise.content import content
    from fastwrap.tools.labelled import Score, word_scores

    for page in pages:
        step(f"held out: {page.name}")
        try:
            text = content(page.page(), model=model).text
        except (FastwrapError, OSError) as error:
            failed.append((page.name, error))
        else:
            yield Score(page.type, *word_scores(text, page.content))
