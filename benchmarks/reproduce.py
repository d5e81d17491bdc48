"""Prints the tables of docs/methods.md, "Published results reproduced": the papers' figures beside ours, as Markdown.

    python benchmarks/reproduce.py [CORPUS_FOLDER]      default: ../shared/corpus, beside the repository
    python benchmarks/reproduce.py --pages              also table 2 of seed 004 page by page

The pages are not part of the repository; the folder must hold tpsf, tbdw, zhao1 and fields. It takes about a minute.
Figures of the papers are those that the seeds quote. The corpus and the evaluator for seed 003 are one class each.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastwrap.evaluate.answers import AnswerKey
from fastwrap.evaluate.benchmark import PageResult, run, summarise
from fastwrap.evaluate.corpora import Document, Folder
from fastwrap.evaluate.evaluators import Attempt, Figures, NoiseRemoval, Referee, Totals, removed, scores, summed
from fastwrap.evaluate.extractors import method
from fastwrap.evaluate.pairing import Pairing, distinct, tokens

CORPUS = Path(__file__).parent.parent.parent / "shared" / "corpus"

OUTSIDE_TABLE_2 = """
    adimoveis airbnb carros crateandbarrel hardmob netimoveis pciconcursos penseimoveis ppgcc ppgcc-2 shopping.com
    sistema-de-busca-textual-modulo-de-busca-tjsc trindadeimobiliaria vivareal
    """.split()
"""Pages that came with those of seed 004 but are not in its table 2."""

SCORES = ("precision", "recall", "f1")
CLEANED = {
    "MDR as published": "mdr:distance=dc,search=mdr,clean=true",
    "our MDR": "mdr:clean=true",
}
"""Seed 004's extractor was an MDR of its time; ours, by default, finds what that one cannot."""

PAPERS_ON_TBDW = {
    "mdr": "–",
    "depta": "P 91.1, R 53.9 (Kayed & Chang 2010)",
    "signal": "F1 79.2 (the author's sheet)",
    "autorm": "P 99.8, R 99.6 on its one-region pages (Shi et al. 2015)",
    "gstm": "P 100, R 96.5 with other public pages (Jindal & Liu 2010)",
}
PAPERS_ON_ZHAO1 = {
    "mdr": "–",
    "depta": "–",
    "signal": "F1 83.6 (the author's sheet)",
    "autorm": "–",
    "gstm": "P 100, R 96.5 with other public pages (Jindal & Liu 2010)",
}


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


# Seed 004: MDR alone and after TPS


def noise_removal(corpus: Path, every_page: bool) -> Iterator[str]:
    """Tables 2 and 3 of seed 004."""
    pages = Folder(corpus / "tpsf")
    evaluators = [NoiseRemoval()]
    results = list(run([pages], [method(written) for written in CLEANED.values()], evaluators, repeat=1))
    sets = {
        "the pages of table 2": [result for result in results if Path(result.page).stem not in OUTSIDE_TABLE_2],
        "all pages": results,
    }
    yield "### Seed 004, tables 2 and 3: MDR alone and after noise removal (TPS)\n"
    yield (
        "Averages are the paper's: precision is the mean over the pages whose main list is kept, recall after the\n"
        "filter is the share of those pages, F comes from the two; noise removed is equation 4.1, the mean over the\n"
        "same pages (only so does its table 2 give its table 3). Its recall before is 100 by its own count, ours is\n"
        "measured. The last columns count records over all pages instead. Records are those of all regions.\n"
    )
    rows = [["seed 004", "51", "82.4", "88.9", "50.2", "18.9", "100", "31.8", "75.1", "82.4", "78.6", "", ""]]
    for (name, chosen), (label, written) in ((s, m) for s in sets.items() for m in CLEANED.items()):
        figures = [result.figures["noise"] for result in chosen if result.method == written]
        total = NoiseRemoval().total(figures)
        kept = [page for page in figures if page["kept"]]
        before = statistics.mean(page["before_right"] / page["before_found"] for page in kept if page["before_found"])
        after = statistics.mean(page["after_right"] / page["after_found"] for page in kept if page["after_found"])
        recall = total["before"]["recall"]
        rows.append(
            [f"fastwrap, {label}, {name}", str(len(figures))]
            + [percent(total[figure]) for figure in ("main_list_kept", "noise_removed", "nodes_pruned")]
            + [percent(before), percent(recall), percent(harmonic(before, recall)), percent(after)]
            + [percent(total["main_list_kept"]), percent(harmonic(after, total["main_list_kept"]))]
            + [
                " / ".join(percent(total[when][score]) for score in ("precision", "recall", "f1"))
                for when in ("before", "after")
            ]
        )
    yield table(
        ["", "pages", "list kept", "noise removed", "nodes pruned", "MDR P", "R", "F", "MDR after TPS P", "R", "F",
         "all records: MDR P/R/F", "after TPS P/R/F"],
        rows,
    )  # fmt: skip
    for label, written in CLEANED.items() if every_page else ():
        yield f"#### Table 2, {label}\n"
        yield page_by_page([result for result in results if result.method == written])


def harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def page_by_page(results: Sequence[PageResult]) -> str:
    """Table 2 itself: nodes, main region, records of MDR (all and right) before and after."""
    rows = []
    for result in results:
        page = result.figures["noise"]
        share = removed(page) if page["kept"] else None
        counts = (page[f"{when}_{what}"] for when in ("before", "after") for what in ("found", "right"))
        rows.append(
            [Path(result.page).stem, f"{page['before_nodes']}", f"{page['after_nodes']}"]
            + [percent(1 - page["after_nodes"] / page["before_nodes"]), "yes" if page["kept"] else "no"]
            + [f"{count}" for count in (page["true"], *counts)]
            + [percent(share)]
        )
    return table(
        ["page", "nodes", "after", "pruned", "list kept", "true records", "MDR", "right", "MDR after TPS", "right",
         "noise removed"],
        rows,
    )  # fmt: skip


# Seed 003: records and attributes


@dataclass(frozen=True)
class LabelledRecords(AnswerKey):
    """A key that knows the values of each record: it has them, not all of the record's text."""

    values: Sequence[Sequence[str]] = ()


class Fields:
    """List pages whose records' values are labelled, one line a page: `page`, `kind`, `fields`, `records`.

    Lists within the details of one thing are left out: their page has a line of the kind "detail" as well.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        details = {truth["page"] for truth in lines if truth["kind"] == "detail"}
        self.documents = [
            Document(
                f"{truth['site']}:{truth['page']}", (path.parent / truth["page"]).read_bytes, key_of(truth["records"])
            )
            for truth in lines
            # Two records are the least that a class of equal subtrees can have.
            if truth["page"] not in details and len(truth["records"]) > 1
        ]

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)


def key_of(records: Sequence[Sequence[str | list[str] | None]]) -> LabelledRecords:
    values = [
        [value for field in record for value in (field if isinstance(field, list) else [field]) if value]
        for record in records
    ]
    return LabelledRecords([" ".join(record) for record in values], values)


class Attributes:
    """Records and attributes as seed 003 counts them, of the first region.

    A found record is a true one when it holds half of its labelled words or more. An attribute is right when it
    is an item of its record. Attributes are the labelled values that are texts of their own on the page, as those
    of the seed are (its method takes texts, no attributes, no parts); given are the right ones and all items of
    records that are none.
    """

    name = "attributes"
    HELD = 0.5
    LEAST = 0.85

    def measure(self, attempt: Attempt) -> Figures | None:
        key = attempt.key
        if not isinstance(key, LabelledRecords):
            return None
        on_page = {tuple(tokens(attempt.page.text(n))) for n in range(len(attempt.page)) if attempt.page.tag[n] == 0}
        labelled = [[value for value in record if tuple(tokens(value)) in on_page] for record in key.values]
        items = attempt.found.items(0) if attempt.found.regions else []
        pairs = self.pairs([" ".join(record) for record in items], labelled)
        right = sum(
            len(Pairing([tokens(value) for value in labelled[true]], self.LEAST).pair(map(tokens, items[found])))
            for found, true in pairs.items()
        )
        return {
            "records_true": len(key.records),
            "records_found": len(items),
            "records_right": len(pairs),
            "attributes_true": sum(map(len, labelled)),
            "attributes_found": right + sum(len(record) for k, record in enumerate(items) if k not in pairs),
            "attributes_right": right,
        }

    def pairs(self, found: Sequence[str], labelled: Sequence[Sequence[str]]) -> dict[int, int]:
        """Which found record is which true one: the largest share of labelled words first."""
        bags = [distinct(tokens(text)) for text in found]
        wanted = [distinct(tokens(" ".join(record))) for record in labelled]
        shares = sorted(
            (-len(bag & words) / len(words), abs(k - n), k, n)
            for k, bag in enumerate(bags)
            for n, words in enumerate(wanted)
            if words and len(bag & words) >= self.HELD * len(words)
        )
        partner: dict[int, int] = {}
        for _, _, k, n in shares:
            if k not in partner and n not in partner.values():
                partner[k] = n
        return partner

    def total(self, pages: Sequence[Figures]) -> Totals:
        return {
            what: scores(summed(pages, f"{what}_right"), summed(pages, f"{what}_found"), summed(pages, f"{what}_true"))
            for what in ("records", "attributes")
        }


def classes(corpus: Path) -> Iterator[str]:
    """Table 13 of seed 003."""
    evaluator = Attributes()
    results = list(
        run(
            [Fields(corpus / "fields" / f"{name}.jsonl") for name in ("wien", "exalg")],
            [method("classes")],
            [evaluator],
            1,
        )
    )
    sites: dict[str, list[Figures]] = {}
    for result in results:
        sites.setdefault(result.page.partition(":")[0], []).append(result.figures["attributes"])
    yield "### Seed 003, table 13: records and attributes by equivalence classes\n"
    yield (
        "The seed's four collections are not to be had; these are comparable list pages of their time with labelled\n"
        "values. As in the seed, a collection's figure is that of all its pages, and the mean is over collections.\n"
    )
    totals = {site: evaluator.total(figures) for site, figures in sites.items()}
    rows = [["seed 003 (mean of 4 collections)", "12", "79", "97", "95", "94"]]
    means = [
        statistics.mean(total[what][score] for total in totals.values())
        for what in ("records", "attributes")
        for score in ("precision", "recall")
    ]
    rows.append([f"fastwrap (mean of {len(sites)} collections)", str(len(results)), *map(percent, means)])
    for site, total in totals.items():
        cells = [percent(total[what][score]) for what in ("records", "attributes") for score in ("precision", "recall")]
        rows.append([site, str(len(sites[site])), *cells])
    yield table(["", "pages", "record P", "R", "attribute P", "R"], rows)


# The papers on public test sets


def records(corpus: Path) -> Iterator[str]:
    """Records on TBDW and ViNTs test set 1, against what the papers report."""
    for name, title, papers in (
        ("tbdw", "TBDW 1.02 (51 pages)", PAPERS_ON_TBDW),
        ("zhao1", "ViNTs test set 1 (97 pages)", PAPERS_ON_ZHAO1),
    ):
        yield f"### Records on {title}\n"
        evaluators = [Referee()]
        results = run([Folder(corpus / name)], [method(written) for written in papers], evaluators, repeat=1)
        totals = {
            total.method: total.figures["referee"] for total in summarise(results, evaluators) if total.corpus == name
        }
        rows = [
            [written, papers[written]]
            + [percent(total[view][score]) for view in ("any", "main") for score in ("precision", "recall", "f1")]
            for written, total in totals.items()
        ]
        yield table(["method", "paper", "best region P", "R", "F1", "first region P", "R", "F1"], rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--pages", action="store_true", help="also print table 2 of seed 004 page by page")
    options = parser.parse_args()
    corpus: Path = options.corpus
    if not corpus.is_dir():
        print(f"{corpus} is not a folder: the pages are not part of the repository", file=sys.stderr)
        return 2
    for text in itertools.chain(noise_removal(corpus, options.pages), classes(corpus), records(corpus)):
        print(text, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
