"""Learning from several pages: whether the right list is learned when some of them have one record of it, or none.
`python benchmarks/several_pages.py CORPUS...` cuts copies of the pages of folders with a `truth.jsonl`, learns from the
copies and the whole page in every order, and prints the share of pages on which all is right; `--fields FILE...` learns
from pages of the same site instead, and counts those that do not fit their own wrapper.

    python benchmarks/several_pages.py ../shared/corpus/tpsf ../shared/corpus/tbdw
    python benchmarks/several_pages.py --fields ../shared/corpus/fields/wien.jsonl ../shared/corpus/fields/exalg.jsonl

A copy is cut by taking nodes away: all records of the main list but one, or all of them, what stands between them, and
the elements that held nothing else. Only pages are used on which `fastwrap.extract` finds the list of the truth.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fastwrap import Page, extract
from fastwrap.noise.cleaning import keep
from fastwrap.page.arrays import Int32Array
from fastwrap.tools.evaluate.evaluators import f1
from fastwrap.tools.evaluate.pairing import Pairing, tokens
from fastwrap.wrapper import Wrapper, learn

LEAST = 0.8
"""Records are the same if their tokens agree with this Dice coefficient, as the referee of the corpus has it."""

RIGHT = 0.9
"""A page is used if the F1 of `extract` against the truth is at least this."""

GOOD = 0.95
"""The F1 of a list that another method finds."""

FIT = 0.5


class Cut(NamedTuple):
    """A page, and its copies with fewer records."""

    full: Page
    one: Page
    none: Page
    records: list[str]
    """The texts of all records of the page, as `extract` finds them; the first is that of `one`."""


def record_f1(found: Sequence[str], true: Sequence[str]) -> float:
    """The F1 of records, by their texts."""
    pairs = Pairing([tokens(text) for text in true], LEAST).pair(tokens(text) for text in found)
    return f1(len(pairs), len(found), len(true))


def without(page: Page, spans: Int32Array) -> Page:
    """The page without the nodes of spans, which are in order."""
    bounds = [0, *spans.ravel().tolist(), len(page)]
    kept = np.array([(a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True) if a < b], dtype=np.int32)
    return keep(page, kept)


def cut_off(page: Page, spans: Int32Array, kept: int, between: bool) -> Page:
    """The page without all records from number `kept` on, and what stands between them.

    An element that held nothing but such records goes with them, unless it is the last that is left.
    """
    parents = page.parent[spans[:, 0]]
    gone: list[tuple[int, int]] = []
    for parent in dict.fromkeys(parents.tolist()):
        own = np.flatnonzero(parents == parent)
        lost = own[own >= kept]
        if not len(lost):
            continue
        first, end = int(spans[lost[0], 0]), int(spans[lost[-1], 1])
        whole = first == parent + 1 and end == parent + page.size[parent] and len(lost) == len(own)
        if whole and parent != parents[0]:
            gone.append((parent, end))
        elif between:
            # From the end of what stays, so that no separator is left at its end.
            gone.append((int(spans[lost[0] - 1, 1]) if lost[0] in own[1:] else first, end))
        else:
            gone += [(int(spans[k, 0]), int(spans[k, 1])) for k in lost]
    return without(page, np.array(sorted(gone), dtype=np.int32).reshape(-1, 2))


def cut_pages(folder: Path, between: bool) -> Iterator[tuple[str, Cut]]:
    """The pages of a corpus on which the main list is found, each with its copies."""
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        page = Page((folder / truth["page"]).read_bytes())
        found = extract(page)
        records = [record.text for record in found.records]
        if len(records) < 3 or record_f1(records, truth["records"]) < RIGHT:
            continue
        spans = found.regions[0].spans
        one, none = (cut_off(page, spans, kept, between) for kept in (1, 0))
        yield f"{folder.name}/{truth['page']}", Cut(page, one, none, records)


def wrong(wrapper: Wrapper, pages: Sequence[Page], cut: Cut) -> str:
    """What is wrong with what a wrapper reads on the pages that it was learned from; nothing if all is right."""
    misfits = {misfit.page for misfit in wrapper.misfits}
    for number, page in enumerate(pages):
        extraction = wrapper.extract(page)
        texts = [record.text for record in extraction.records]
        if page is cut.full and (len(texts) != len(cut.records) or record_f1(texts, cut.records) < 1):
            return f"list: {len(texts)} of {len(cut.records)} records"
        if page is cut.one and (len(texts) != 1 or record_f1(texts, cut.records[:1]) < 1):
            return f"one: {len(texts)} records"
        if page is cut.none and texts and extraction.fit >= FIT:
            return f"none: {len(texts)} records"
        if extraction.fit < FIT and number not in misfits:
            return f"page {number} fits with {extraction.fit:.2f} and is not named"
    return ""


def evaluate_cuts(folders: Sequence[Path], between: bool) -> None:
    """Learn from cut pages in every order, and print how often all is right."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    seconds = 0.0
    for folder in folders:
        for name, cut in cut_pages(folder, between):
            for kind, chosen in (("one, full", (cut.one, cut.full)), ("one, none, full", cut[:3])):
                written = set()
                for order in permutations(chosen):
                    pages = list(order)
                    start = time.perf_counter()
                    wrapper = learn(pages)
                    seconds += time.perf_counter() - start
                    written.add(wrapper.dumps())
                    total[kind] += 1
                    fault = wrong(wrapper, pages, cut)
                    right[kind] += not fault
                    if fault:
                        order_names = ", ".join(
                            next(k for k in cut._fields if getattr(cut, k) is page) for page in pages
                        )
                        print(f"{name} [{order_names}] {fault}")
                total[f"same file, {kind}"] += 1
                right[f"same file, {kind}"] += len(written) == 1
    for kind, count in total.items():
        print(f"{kind}: {right[kind]} of {count} ({right[kind] / count:.1%})")
    print(f"learning took {seconds:.1f} s")


def evaluate_gstm(folders: Sequence[Path], between: bool) -> None:
    """Find lists by G-STM on each page alone and together with its copy, and print how often the first is right."""
    right: Counter[str] = Counter()
    pages = 0
    for folder in folders:
        for _, cut in cut_pages(folder, between):
            pages += 1
            for name, page, other in (("full", cut.full, cut.one), ("one", cut.one, cut.full)):
                true = cut.records if page is cut.full else cut.records[:1]
                alone = extract(page, method="gstm", min_confidence=0)
                both = extract(page, method="gstm", min_confidence=0, other=other)
                for how, found in (("alone", alone), ("with the other", both)):
                    texts = [record.text for record in found.records]
                    right[f"{name}, {how}"] += record_f1(texts, true) > GOOD
    for kind, count in right.items():
        print(f"gstm, {kind}: {count} of {pages}")


def evaluate_sites(files: Sequence[Path], count: int) -> None:
    """Learn from the first pages of each site, and print how many of these do not fit, and are not named."""
    pages = unfit = unnamed = 0
    for file in files:
        sites: dict[str, list[Page]] = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            truth = json.loads(line)
            if truth["kind"] == "list":
                sites.setdefault(truth["site"], []).append(Page((file.parent / truth["page"]).read_bytes()))
        for site, of_site in sites.items():
            if len(of_site) < count:
                continue
            for first in range(0, len(of_site) - count + 1, count):
                chosen = of_site[first : first + count]
                wrapper = learn(chosen)
                written = {learn(list(order)).dumps() for order in permutations(chosen)}
                misfits = {misfit.page: misfit for misfit in wrapper.misfits}
                if len(written) > 1:
                    print(f"{file.stem}/{site} {first}: the order changes what is learned")
                for number, page in enumerate(chosen):
                    fit = wrapper.extract(page).fit
                    pages += 1
                    unfit += fit < FIT
                    unnamed += fit < FIT and number not in misfits
                    if fit < FIT:
                        why = misfits[number].why if number in misfits else "not named"
                        print(f"{file.stem}/{site} page {first + number}: fit {fit:.2f}: {why}")
    print(f"{unfit} of {pages} pages do not fit the wrapper that was learned from them, {unnamed} are not named")


def main() -> None:
    """Read the arguments, and evaluate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--fields", action="store_true", help="the paths are files of pages by site")
    parser.add_argument("--pages", type=int, default=3, help="with --fields: how many pages are learned from")
    parser.add_argument("--records-alone", action="store_true", help="leave what stands between the records")
    parser.add_argument("--gstm", action="store_true", help="G-STM of each page alone and with its copy")
    options = parser.parse_args()
    if options.fields:
        evaluate_sites(options.paths, options.pages)
    elif options.gstm:
        evaluate_gstm(options.paths, not options.records_alone)
    else:
        evaluate_cuts(options.paths, not options.records_alone)


if __name__ == "__main__":
    main()
