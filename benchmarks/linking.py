"""How well `fastwrap.join` and `fastwrap.match` link records and columns, on random catalogues with truth:
`python -m benchmarks.linking [first seed] [number of seeds]`."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from rapidfuzz import fuzz
from tests.helpers.catalogue import DOMAINS, LABELS, Site, sites

import fastwrap
from fastwrap.linking.assignment import greedy

LIKE = 80
SCORES: Counter[tuple[int, bool]] = Counter()
"""By step of the score, and whether it is right, how many links there are."""

STYLES = ((0, 1), (0, 2), (1, 2), (0, 1, 2))


def shares(counts: Counter[str]) -> str:
    """Precision, recall and F1 of what was counted."""
    precision = counts["right"] / max(1, counts["found"])
    recall = counts["right"] / max(1, counts["there"])
    score = 2 * precision * recall / max(1e-9, precision + recall)
    return f"{precision:9.3f} {recall:6.3f} {score:6.3f}"


def extraction_of(site: Site) -> fastwrap.Extraction:
    found = fastwrap.extract(site.listing(), url=site.url, min_confidence=0)
    assert len(found) == len(site.rows), "the list was not found, so that nothing is told of linking"
    return found


def meaning_of(site: Site, tables: fastwrap.Extraction) -> dict[str, str]:
    """By name of a column, the field that it has: told by its texts."""
    found = {}
    for place, column in enumerate(tables.columns):
        texts = [record.texts[place] for record in tables.records]
        for name, meaning in site.meaning.items():
            own = [row.get(name) for row in site.rows]
            if any(own) and sum(a == b for a, b in zip(texts, own, strict=True)) > 0.9 * len(own):
                found[column.name] = meaning
    return found


def evaluate_titles(domain: str, seed: int, styles: Sequence[int], links: Counter[str]) -> None:
    """What there is without us: pairs of titles that are alike, the most alike first, none of them twice."""
    given = sites(domain, seed, styles=tuple(styles))
    for one, other in combinations(given, 2):
        titles = [[site.shown(record, "title").lower() for record in range(len(site.rows))] for site in (one, other)]
        alike = {
            (left, right): score
            for left, mine in enumerate(titles[0])
            for right, theirs in enumerate(titles[1])
            if (score := fuzz.token_sort_ratio(mine, theirs)) >= LIKE
        }
        chosen = greedy(list(alike), alike)
        links["there"] += len(set(one.truth) & set(other.truth))
        links["found"] += len(chosen)
        links["right"] += sum(one.truth[left] == other.truth[right] for left, right in chosen)


def evaluate_match(domain: str, seed: int, styles: Sequence[int], links: Counter[str], columns: Counter[str]) -> None:
    given = sites(domain, seed, styles=tuple(styles))
    tables = [extraction_of(site) for site in given]
    found = fastwrap.match(tables)
    for one in range(len(given)):
        for other in range(one + 1, len(given)):
            links["there"] += len(set(given[one].truth) & set(given[other].truth))
    for link in found.links:
        is_right = given[link.table].truth[link.record] == given[link.other_table].truth[link.other_record]
        links["found"] += 1
        links["right"] += is_right
        SCORES[min(4, int(10 * link.score - 5)), is_right] += 1
    meanings = [meaning_of(site, table) for site, table in zip(given, tables, strict=True)]
    for one in range(len(given)):
        for other in range(one + 1, len(given)):
            columns["there"] += len(set(meanings[one].values()) & set(meanings[other].values()))
            for group in found.groups:
                left, right = group.columns[one], group.columns[other]
                if left in meanings[one] and right in meanings[other]:
                    columns["found"] += 1
                    columns["right"] += meanings[one][left] == meanings[other][right]


def evaluate_join(domain: str, seed: int, mode: str, links: Counter[str], columns: Counter[str]) -> None:
    """A listing with two thirds of its detail pages, and those of some things that it does not have."""
    style = seed % 3
    site, foreign = sites(domain, seed, styles=(style, style))
    rng = random.Random(seed)
    strangers = [number for number, thing in enumerate(foreign.truth) if thing not in site.truth]
    pages: list[tuple[int | None, str]] = [
        (record, site.detail(record, rng)) for record in range(len(site.rows)) if rng.random() < 0.67
    ]
    pages += [(None, foreign.detail(record, rng)) for record in strangers[:8]]
    rng.shuffle(pages)
    linked = mode == "links and values"
    html = site.listing(linked, cut=24 if mode == "titles cut off" else 0)
    listing = fastwrap.extract(html, url=site.url, min_confidence=0)
    if linked:
        addresses = [
            f"http://x.example/{number}"
            if record is None
            else f"http://www.{site.name}.example{site.link(record)}/?utm_source=l"
            for number, (record, _) in enumerate(pages)
        ]
        found = fastwrap.join(listing, dict(zip(addresses, (page for _, page in pages), strict=True)))
    else:
        found = fastwrap.join(listing, [page for _, page in pages])
    links["there"] += sum(record is not None for record, _ in pages)
    for link in found.links:
        links["found"] += 1
        links["right"] += pages[link.page][0] == link.record
    meanings = meaning_of(site, listing)
    fields = {label: meaning for meaning, label in LABELS.items()} | {"title": "title", "price": "price"}
    columns["there"] += sum(meaning in fields.values() for meaning in meanings.values())
    agreed: dict[str, set[str | None]] = {}
    for agreement in found.agreements:
        agreed.setdefault(agreement.listing, set()).add(fields.get(agreement.detail))
    for name in agreed.keys() & meanings.keys():
        columns["found"] += 1
        columns["right"] += meanings[name] in agreed[name]


def main() -> None:
    first, count = (int(argument) for argument in (sys.argv[1:] + ["1000", "20"][len(sys.argv) - 1 :])[:2])
    print(f"{'match':28} precision recall     F1   columns: precision recall     F1")
    for domain in DOMAINS:
        for styles in STYLES:
            links: Counter[str] = Counter()
            columns: Counter[str] = Counter()
            for seed in range(first, first + count):
                evaluate_match(domain, seed, styles, links, columns)
            print(f"{domain:10} {styles!s:17} {shares(links)}            {shares(columns)}")
        links = Counter()
        for seed in range(first, first + count):
            evaluate_titles(domain, seed, STYLES[0], links)
        print(f"{domain:10} {'likeness of title':17} {shares(links)}   {STYLES[0]}")
    for step in range(5):
        right, wrong = SCORES[step, True], SCORES[step, False]
        print(f"scores from {0.5 + step / 10:.1f}: {right + wrong:5} links, {right / max(1, right + wrong):.3f} right")
    print(f"\n{'join':28} precision recall     F1   columns: precision recall     F1")
    for domain in DOMAINS:
        for mode in ("links and values", "values alone", "titles cut off"):
            links, columns = Counter(), Counter()
            for seed in range(first, first + count):
                evaluate_join(domain, seed, mode, links, columns)
            print(f"{domain:10} {mode:17} {shares(links)}            {shares(columns)}")
    given = sites("products", first, 12_000, 0.85)
    large = [extraction_of(site) for site in given]
    start = time.process_time()
    found = fastwrap.match(large)
    taken = time.process_time() - start
    links = Counter(found=len(found.links), there=len(set(given[0].truth) & set(given[1].truth)))
    links["right"] = sum(given[0].truth[link.record] == given[1].truth[link.other_record] for link in found.links)
    print(f"\n{len(large[0])} x {len(large[1])} records {shares(links)}  in {taken:.1f} s, limits {found.limits}")


if __name__ == "__main__":
    main()
