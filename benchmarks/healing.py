"""Healing on real pages: `python -m benchmarks.healing [--part 0...3] [--verbose]` prints a table.
Pages whose list is found right are redesigned by script; their wrappers, from files, are healed, and read them."""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.helpers.damage import nodes_of, plain
from tests.helpers.paths import CORPUS
from tests.helpers.redesign import KINDS, LIST_GONE, dice, redesign, words_in, words_of

from fastwrap.columns import Cell
from fastwrap.page import Page
from fastwrap.wrapper import Wrapper, learn

FOLDERS = ("tbdw", "zhao1", "tpsf", "shops", "modern")

SAME, SOME, OTHER, NUMBERS = "same", "some", "other", "numbers"
RECORDS = {
    SAME: "the records that the wrapper was learned from",
    SOME: "half of these, and as many others",
    OTHER: "none of these, only others",
    NUMBERS: "these, with other numbers in all texts",
}
"""Which records the page has when the wrapper is healed."""

FOREIGN = "foreign page"
"""Kind of a case: the page is one of another site."""

PARTS = 4
"""Every fourth page is in the same part; what is fitted is fitted on the first of them."""

FEWEST = 6
"""Records of pages that are cut in halves."""

SAME_TEXT = 0.9
"""Two records are the same if this share of their words is (Dice)."""

SAME_CELLS = 0.95
"""A column is kept if this share of the records has the same in it."""


class Site(NamedTuple):
    """A page whose main list is found right."""

    name: str
    html: str
    wrapper: str
    """As a file has it."""


class Case(NamedTuple):
    """A wrapper, a page to heal it on, and what should be read there."""

    site: str
    kind: str
    records_are: str
    wrapper: Wrapper
    html: str
    records: list[Counter[str]]
    """The words of each record; none if the list is not on the page."""
    columns: dict[str, tuple[int, Sequence[Cell]]]
    """By name, the id and the cells of each column that has any."""


def matches(found: Sequence[Counter[str]], true: Sequence[Counter[str]], least: float = SAME_TEXT) -> dict[int, int]:
    """For true records the place of the one that was found, best pairs first."""
    pairs = ((dice(one, other), -i, -j) for i, one in enumerate(true) for j, other in enumerate(found))
    taken: dict[int, int] = {}
    used: set[int] = set()
    for likeness, i, j in sorted(pairs, reverse=True):
        if likeness < least:
            break
        if -i not in taken and -j not in used:
            taken[-i] = -j
            used.add(-j)
    return taken


def f_measure(hits: int, found: int, true: int) -> float:
    """The harmonic mean of precision and recall."""
    return 2 * hits / (found + true) if found + true else 1.0


def sites(part: int) -> Iterator[Site]:
    """The pages of a part of the corpus whose main list is found right, as `plain` writes them."""
    listed = [
        (folder, json.loads(line))
        for folder in FOLDERS
        for line in (CORPUS / folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    for folder, truth in listed[part::PARTS]:
        html = plain((CORPUS / folder / truth["page"]).read_bytes())
        wrapper = learn(html)
        true = [words_of(text) for text in truth["records"]]
        if len(true) > 1 and wrapper.patterns:
            found = [words_of(record.text) for record in wrapper.extract(html).records]
            if f_measure(len(matches(found, true, 0.8)), len(found), len(true)) >= 0.95:
                yield Site(f"{folder}/{Path(truth['page']).stem}", html, wrapper.dumps())


def with_other_numbers(html: str, wrapper: Wrapper) -> str:
    """The page, with other digits in all texts of its records."""
    page = Page(html)
    nodes = nodes_of(page)
    source = random.Random(len(html))
    for start, end in wrapper.extract(page).region(0).spans.tolist():
        for node in nodes[start:end]:
            node.text = re.sub("[1-9]", lambda _: source.choice("123456789"), node.text)
    return "<!doctype html>" + nodes[0].html()


def learned_from(site: Site, records_are: str) -> tuple[Wrapper, str] | None:
    """The wrapper, and the page to heal it on before its redesign; None if the two do not fit."""
    wrapper = Wrapper.loads(site.wrapper)
    if records_are == SAME:
        return wrapper, site.html
    if records_are == NUMBERS:
        html = with_other_numbers(site.html, wrapper)
    else:
        count = len(wrapper.extract(site.html).records)
        if count < FEWEST:
            return None
        first, then = (count // 2, count // 2) if records_are == OTHER else (2 * count // 3, count // 3)
        html = cut(site.html, wrapper, slice(then, None))
        learned = learn(cut(site.html, wrapper, slice(0, first)))
        wrapper, whole = Wrapper.loads(learned.dumps()), wrapper
        true = [words_of(record.text) for record in whole.extract(html).records]
        found = [words_of(record.text) for record in wrapper.extract(html).records]
        if f_measure(len(matches(found, true)), len(found), len(true)) < 0.95:
            return None
    return (wrapper, html) if wrapper.extract(html).fit >= 0.5 else None


def cut(html: str, wrapper: Wrapper, keep: slice) -> str:
    """The page with some of its records."""
    done = redesign(html, wrapper, "", keep=keep)
    assert done is not None
    return done.html


def cases(site: Site, seed: int, records: Sequence[str], kinds: Sequence[str]) -> Iterator[Case]:
    """What is measured on a page."""
    for records_are in records:
        known = learned_from(site, records_are)
        if known is None:
            continue
        wrapper, html = known
        region = wrapper.extract(html).region(0)
        ids = [profile.id for profile in wrapper.patterns[0].profiles]
        cells = list(zip(*region.table.texts, strict=True))
        for kind in kinds:
            if kind == "twin first" and records_are == OTHER:
                continue  # nothing tells the list from its twin
            done = redesign(html, wrapper, kind, seed)
            if done is None:
                continue
            columns: dict[str, tuple[int, Sequence[Cell]]] = {
                name: (ids[number], cells[number])
                for number, name in enumerate(wrapper.patterns[0].column_names)
                if number not in done.lost and any(cell is not None for cell in cells[number])
            }
            is_there = kind != LIST_GONE
            yield Case(
                site.name, kind, records_are, wrapper, done.html, done.records if is_there else [],
                columns if is_there else {},
            )  # fmt: skip


def foreign_cases(all_sites: Sequence[Site]) -> Iterator[Case]:
    """Each wrapper with the page of the next site but one."""
    for place, site in enumerate(all_sites):
        other = all_sites[(place + 2) % len(all_sites)]
        yield Case(site.name, FOREIGN, OTHER, Wrapper.loads(site.wrapper), other.html, [], {})


@dataclass
class Result:
    """What came of a case."""

    case: Case
    found: bool
    confidence: float
    fit: float
    seconds: float
    f_measure: float = 0.0
    kept: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def is_wrong(self) -> bool:
        """Whether another list is read, and the fit does not tell."""
        return self.found and self.fit >= 0.5 and self.f_measure < 0.5


def measure(case: Case) -> Result:
    """Heal a wrapper, and compare what it reads with what it should."""
    page = Page(case.html)
    start = time.perf_counter()
    new, report = case.wrapper.heal(page)
    result = Result(case, report.found, report.confidence, report.fit, time.perf_counter() - start)
    if not report.found:
        result.missed = list(case.columns)
        return result
    new = Wrapper.loads(new.dumps())
    region = new.extract(page).region(0)
    pairs = matches([words_of(record.text) for record in region.records], case.records)
    result.f_measure = f_measure(len(pairs), len(region), len(case.records))
    columns = zip(new.patterns[0].column_names, new.patterns[0].profiles, strict=True)
    places = {(name, profile.id): place for place, (name, profile) in enumerate(columns)}
    rows = region.table.texts
    for name, (id_, cells) in case.columns.items():
        place = places.get((name, id_))
        same = 0
        if place is not None:
            same = sum(words_in(cells[true]) == words_in(rows[there][place]) for true, there in pairs.items())
        (result.kept if pairs and same >= SAME_CELLS * len(cells) else result.missed).append(name)
    return result


def line_of(name: str, results: Sequence[Result]) -> str:
    """A line of the table."""
    kept, missed = (sum(len(getattr(result, what)) for result in results) for what in ("kept", "missed"))
    there = [result for result in results if result.case.records]
    scores = [result.f_measure for result in there]
    shown = (
        f"{sum(scores) / len(scores):8.3f} {kept + missed:8} {kept / (kept + missed):8.3f}"
        f" {sum(not each.found for each in there):10}"
        if there
        else f"{'':37}"
    )
    slow = max(result.seconds for result in results)
    return f"{name:<28} {len(results):6} {shown} {sum(each.is_wrong for each in results):8} {slow:8.2f}"


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--part", type=int, action="append", choices=range(PARTS), help="a part of the pages; 0 is fitted on"
    )
    parser.add_argument("--records", default=",".join(RECORDS), help="; ".join(f"{k}: {v}" for k, v in RECORDS.items()))
    parser.add_argument("--kinds", default=",".join((*KINDS, LIST_GONE)))
    parser.add_argument("--verbose", action="store_true", help="also what is not as it should be")
    options = parser.parse_args()
    chosen = [site for part in options.part or range(1, PARTS) for site in sites(part)]
    results: dict[str, list[Result]] = {}
    for seed, site in enumerate(chosen):
        for case in cases(site, seed, options.records.split(","), options.kinds.split(",")):
            results.setdefault(f"{case.records_are}: {case.kind}", []).append(measure(case))
    results[FOREIGN] = [measure(case) for case in foreign_cases(chosen)]
    heads = ("cases", 6), ("F1", 8), ("columns", 8), ("kept", 8), ("not found", 10), ("wrong", 8), ("slowest", 8)
    print(f"{f'{len(chosen)} pages':28}", *(f"{head:>{width}}" for head, width in heads))
    for name, found in results.items():
        print(line_of(name, found))
    every = [result for found in results.values() for result in found]
    for records_are in options.records.split(","):
        there = [each for each in every if each.case.records_are == records_are and each.case.records]
        print(line_of(f"{records_are}: all", there))
    print(line_of("all", every))
    if options.verbose:
        for result in every:
            if result.is_wrong or result.missed or (result.case.records and result.f_measure < 0.95):
                print(
                    f"{result.case.site} {result.case.records_are} {result.case.kind}: F1 {result.f_measure:.2f},"
                    f" confidence {result.confidence:.2f}, {'WRONG' if result.is_wrong else ''} missed {result.missed}"
                )


if __name__ == "__main__":
    main()
