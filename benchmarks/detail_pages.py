"""Records of pages about one thing: how much of what was put into pages is read again, and what that costs.

    python -m benchmarks.detail_pages                   the made-up sites of the tests
    python -m benchmarks.detail_pages FIELDS.jsonl ...  and sites with labelled fields (those of kind "detail")

Learned from 3 pages, ten draws a site (made-up sites: one); all other pages are read. Each field has the one column
of the first forty that is right most often, and a column serves one field. Schema: a field is found if its column is
right on nine of ten pages that have it; precision is of the columns in use, recall of all fields that any page has.
Alignment: by values, precision over all filled cells of the columns in use, recall over all that were put in. Records:
those whose first field (the title) is right. Times are medians of rounds in which the bare parse and the work are done
once each, as ratios of processor time.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from tests.helpers.detail_sites import Site

import fastwrap
from fastwrap.tools.timing import bare_parse, medians, seconds_of, without_collector

LEARNED, MOST, DRAWS, ROUNDS, SITES = 3, 40, 10, 60, 60
RIGHT = 0.85
"""Of the words of two texts that are the same value (Dice)."""

WORD = re.compile(r"\w+")


class Labelled(NamedTuple):
    """A page, and what is on it by field."""

    html: bytes
    fields: dict[str, Any]


def words(value: Any) -> Counter[str]:
    """The words of a value, those of lists one after the other."""
    if isinstance(value, list):
        return sum(map(words, value), Counter())
    return Counter(WORD.findall(str(value).lower())) if value is not None else Counter()


def same(one: Any, other: Any) -> bool:
    """Whether two values have the same words."""
    a, b = words(one), words(other)
    total = a.total() + b.total()
    return bool(total) and 2 * (a & b).total() / total >= RIGHT


def made_up(count: int) -> dict[str, list[Labelled]]:
    """Pages of the sites of the tests."""
    found = {}
    for seed in range(count):
        site = Site(seed)
        pages = [site.page(number) for number in range(20)]
        found[f"made up {seed}"] = [Labelled(page.html.encode(), {**page.fields, **page.lists}) for page in pages]
    return found


def labelled(path: Path) -> dict[str, list[Labelled]]:
    """Detail pages with labelled fields, by site."""
    found = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["kind"] == "detail":
            values = dict(zip(entry["fields"], entry["records"][0], strict=True))
            found[entry["site"]].append(Labelled((path.parent / entry["page"]).read_bytes(), values))
    return dict(found)


def texts_of(wrapper: fastwrap.Wrapper, html: bytes) -> list[Any]:
    """The record that a wrapper reads on a page."""
    record = wrapper.extract(html).record
    return [] if record is None else record.texts


def columns_of(wrapper: fastwrap.Wrapper, html: bytes) -> list[Any]:
    """The same, with each column of a nested list by itself."""
    record = wrapper.extract(html).record
    found: list[Any] = []
    for column, cell in zip(record.columns, record.texts, strict=True) if record is not None else ():
        if len(column.columns) > 1:
            found += [[row[k] for row in cell] if cell else None for k in range(len(column.columns))]
        else:
            found.append(cell)
    return found


def counts_of(pages: list[Labelled], draw: int, site: str) -> Counter[str]:
    """What is right and wrong on the pages that were not learned from."""
    pages = list(pages)
    random.Random(f"{draw} {site}").shuffle(pages)
    wrapper = fastwrap.learn([page.html for page in pages[:LEARNED]])
    rows = [columns_of(wrapper, page.html)[:MOST] for page in pages[LEARNED:]]
    truths = [page.fields for page in pages[LEARNED:]]
    names = list(dict.fromkeys(name for truth in truths for name in truth))
    hits = Counter(
        {
            (column, name): count
            for name in names
            for column in range(len(rows[0]))
            if (count := sum(same(row[column], truth.get(name)) for row, truth in zip(rows, truths, strict=True)))
        }
    )
    chosen: dict[str, int] = {}
    for (column, name), _ in hits.most_common():
        if name not in chosen and column not in chosen.values():
            chosen[name] = column
    counts: Counter[str] = Counter()
    for name in names:
        there = sum(bool(words(truth.get(name))) for truth in truths)
        counts["values"] += there
        counts["fields"] += there > 0
        if name in chosen:
            counts["right"] += hits[chosen[name], name]
            counts["given"] += sum(bool(words(row[chosen[name]])) for row in rows)
            counts["found fields"] += hits[chosen[name], name] >= 0.9 * there > 0
    first = names[0]
    counts["records"] = len(rows)
    counts["right records"] = hits[chosen[first], first] if first in chosen else 0
    counts["columns"] = len(chosen)
    counts["sets"] = repr(wrapper.schema).count("{")
    return counts


def told(counts: Counter[str]) -> dict[str, float]:
    """Shares of the counts, in per cent."""

    def share(part: str, of: str) -> float:
        return round(100 * counts[part] / max(1, counts[of]), 1)

    return {
        "schema P": share("found fields", "columns"),
        "schema R": share("found fields", "fields"),
        "alignment P": share("right", "given"),
        "alignment R": share("right", "values"),
        "records": share("right records", "records"),
    }


def times_of(pages: list[Labelled]) -> dict[str, float]:
    """What learning and reading cost, as ratios to the bare parse of the page that is read."""
    sources = [page.html for page in pages[:LEARNED]]
    html = pages[LEARNED].html
    wrapper = fastwrap.learn(sources)
    parse = bare_parse(html)
    work = {
        "learn": lambda: fastwrap.learn(sources),
        "learn detail": lambda: fastwrap.learn(sources, kind="detail"),
        "extract": lambda: texts_of(wrapper, html),
    }
    ratios = {}
    with without_collector():
        for name, task in work.items():
            pairs = [("parse", parse), (name, task)]
            rounds = [{each: seconds_of(todo, time.process_time) for each, todo in pairs} for _ in range(ROUNDS)]
            found = medians(rounds)
            ratios[name] = round(found[name] / found["parse"], 2)
    return ratios


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print one line for each site and one for each group of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fields", type=Path, nargs="*")
    parser.add_argument("--site", help="only this one of the labelled sites")
    options = parser.parse_args(arguments)
    groups = {"made up": made_up(SITES)} | {path.stem: labelled(path) for path in options.fields}
    for group, sites in groups.items():
        total: Counter[str] = Counter()
        for site, pages in sites.items():
            if group != "made up" and options.site not in (None, site):
                continue
            counts = sum(
                (counts_of(pages, draw, site) for draw in range(DRAWS if group != "made up" else 1)), Counter()
            )
            total += counts
            if group != "made up":
                print(f"{site:<24} {told(counts)}  times the parse: {times_of(pages)}")
        print(f"{group:<24} {told(total)}")
    print(f"{'made up, times':<24} {times_of(next(iter(groups['made up'].values())))}")


if __name__ == "__main__":
    main()
