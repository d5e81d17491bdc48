"""Measures every table of docs/methods.md, the papers' figures beside ours, and prints them or writes them there.

    python benchmarks/reproduce.py                  all tables, on stdout
    python benchmarks/reproduce.py cost noise       only these (of accuracy, cost, noise, classes, items, papers,
                                                    alignment)
    python benchmarks/reproduce.py cost --write     puts them in their places in docs/methods.md
    python benchmarks/reproduce.py noise --pages    page by page (Velloso 2014, table 2); also for classes

The pages are not part of the repository: --corpus names their folder (default: ../shared/corpus, beside the
repository), and a table whose pages are not there is skipped. It takes about two minutes.
The papers' figures are those that Moura 2018 and other theses quote (docs/methods.md has the bibliography).
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fastwrap.noise.cleaning import MODES
from fastwrap.page.names import TEXT
from fastwrap.regions import methods
from fastwrap.tools.evaluate.benchmark import ALL, PageResult, Summary, method, run, summarise
from fastwrap.tools.evaluate.column_evaluators import Alignment
from fastwrap.tools.evaluate.corpora import Document, Folder, TableFile
from fastwrap.tools.evaluate.evaluators import (
    Attempt,
    Evaluator,
    Figures,
    ItemSets,
    NoiseRemoval,
    Referee,
    Time,
    Totals,
    removed,
    scored,
)
from fastwrap.tools.evaluate.marks import AnswerKey
from fastwrap.tools.evaluate.pairing import Pairing, distinct, tokens

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "methods.md"
WITH_KEYS = ("tbdw", "zhao1", "tpsf", "shops")
SCORES = ("precision", "recall", "f1")


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def percents(figures: Totals, names: Sequence[str] = SCORES) -> list[str]:
    return [percent(figures[name]) for name in names]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def totals(corpora: Iterable[Path], names: Iterable[str], evaluator: Evaluator, repeat: int = 1) -> list[Summary]:
    """The methods on each corpus, and on all of them."""
    extractors = [method(name) for name in names]
    return summarise(run(map(Folder, corpora), extractors, [evaluator], repeat), [evaluator])


# Ours alone


def accuracy(corpus: Path, details: bool) -> Iterator[str]:
    """F1 of every method on every corpus, as the referee prints it."""
    measured = totals([corpus / name for name in WITH_KEYS], methods(), Referee())
    rows = []
    for name in methods():
        of_method = [total.figures["referee"] for total in measured if total.method == name]
        rows.append([name, *(f"{total[view]['f1']:.3f}" for total in of_method for view in ("main", "any"))])
    yield table(["method", *(f"{name}{view}" for name in (*WITH_KEYS, "all") for view in ("", ", best"))], rows)


def cost(corpus: Path, details: bool) -> Iterator[str]:
    """Time as a multiple of the bare parse, each method in a run of its own; and the slowest of all pages."""
    rows = []
    for name in methods():
        time = totals([corpus / "tpsf"], [name], Time(), repeat=7)[0].figures["time"]
        every = totals([corpus], [name], Time())[0]  # all that is HTML below the folder, as pages without a list
        figures = [time[figure] for figure in ("median_multiple", "percentile_95_multiple", "median_ms")]
        slowest = every.figures["time"]["slowest_ms"]
        rows.append([name, *(f"{x:.2f}" for x in figures), f"{every.pages}", f"{every.errors}", f"{slowest:.0f}"])
    yield table(["method", "× parse", "95% of pages", "ms", "all pages", "failed", "slowest, ms"], rows)


# Velloso 2014: MDR alone and after TPS


def noise(corpus: Path, details: bool) -> Iterator[str]:
    """Tables 2 and 3 of Velloso 2014.

    The averages are those of the thesis: precision and noise removed (equation 4.1) are means over the pages whose list
    is kept, recall after the filter is the share of those pages, F comes from the two. Only so does its table 2 give
    its table 3.
    """
    tried = [*(f"mdr:clean={mode}" for mode in MODES), "mdr:distance=dt,search=mdr,clean=plain"]
    evaluator = NoiseRemoval()
    results = list(run([Folder(corpus / "tpsf")], [method(written) for written in tried], [evaluator], repeat=1))
    rows = [["Velloso 2014", "51", "82.4", "88.9", "50.2", "18.9", "100", "31.8", "75.1", "82.4", "78.6"]]
    for written in tried:
        pages = [result.figures["noise"] for result in results if result.method == written]
        total = evaluator.total(pages)
        kept = [page for page in pages if page["kept"]]
        row = [f"`{written}`", f"{len(pages)}"]
        row += percents(total, ("main_list_kept", "noise_removed", "nodes_pruned"))
        for when, recall in (("before", total["before"]["recall"]), ("after", total["main_list_kept"])):
            precision = statistics.mean(
                page[f"{when}_right"] / page[f"{when}_found"] for page in kept if page[f"{when}_found"]
            )
            row += map(percent, (precision, recall, statistics.harmonic_mean([precision, recall])))
        rows.append(row)
    yield table(
        ["", "pages", "list kept", "noise removed", "nodes pruned", "MDR P", "R", "F", "after TPS P", "R", "F"], rows
    )
    for written in tried if details else ():
        yield f"\n{written}\n\n" + page_by_page([result for result in results if result.method == written])


def page_by_page(results: Iterable[PageResult]) -> str:
    """Table 2 itself: nodes, main region, records of MDR (all and right) before and after."""
    rows = []
    for result in results:
        page = result.figures["noise"]
        counts = (page[f"{when}_{what}"] for when in ("before", "after") for what in ("found", "right"))
        rows.append(
            [Path(result.page).stem, f"{page['before_nodes']}", f"{page['after_nodes']}"]
            + [percent(1 - page["after_nodes"] / page["before_nodes"]), "yes" if page["kept"] else "no"]
            + [f"{count}" for count in (page["true"], *counts)]
            + [percent(removed(page) if page["kept"] else None)]
        )
    return table(
        ["page", "nodes", "after", "pruned", "list kept", "true records", "MDR", "right", "MDR after TPS", "right",
         "noise removed"],
        rows,
    )  # fmt: skip


# Ribeiro & Miranda 2011: records and attributes


@dataclass(frozen=True)
class LabelledRecords(AnswerKey):
    """A key that knows the values of each record: it has them, not all of the record's text."""

    values: Sequence[Sequence[str]] = ()


class Fields:
    """List pages whose records' values are labelled, one line a page: `site`, `page`, `kind`, `records`.

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
    """Records and attributes as Ribeiro & Miranda 2011 count them: of all that is extracted, with no main list.

    A found record is a true one when it holds half of its labelled words or more. An attribute is right when it
    is an item of its record. Attributes are the labelled values that are texts of their own on the page, as those
    of theirs are (their method takes texts, no attributes, no parts); found are the right ones and all items of
    records that are not true ones.
    """

    name = "attributes"
    HELD = 0.5
    LEAST = 0.85

    def measure(self, attempt: Attempt) -> Figures | None:
        key = attempt.key
        if not isinstance(key, LabelledRecords):
            return None
        texts = np.flatnonzero(attempt.page.tag == TEXT).tolist()
        on_page = {tuple(tokens(attempt.page.text(node))) for node in texts}
        labelled = [[value for value in record if tuple(tokens(value)) in on_page] for record in key.values]
        items = [record for region in range(len(attempt.found.regions)) for record in attempt.found.items(region)]
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
        taken: set[int] = set()
        for _, _, k, n in shares:
            if k not in partner and n not in taken:
                partner[k] = n
                taken.add(n)
        return partner

    def total(self, pages: Sequence[Figures]) -> Totals:
        return {
            what: scored(pages, f"{what}_right", f"{what}_found", f"{what}_true") for what in ("records", "attributes")
        }


def classes(corpus: Path, details: bool) -> Iterator[str]:
    """Table 13 of Ribeiro & Miranda 2011: figures are those of whole collections, the mean is over these."""
    evaluator = Attributes()
    collections = [Fields(corpus / "fields" / f"{name}.jsonl") for name in ("wien", "exalg")]
    sites: dict[str, list[Figures]] = {}
    for result in run(collections, [method("classes")], [evaluator], repeat=1):
        sites.setdefault(result.page.partition(":")[0], []).append(result.figures["attributes"])
    measured = {
        site: [evaluator.total(pages)[what][score] for what in ("records", "attributes") for score in SCORES[:2]]
        for site, pages in sites.items()
    }
    means = map(statistics.mean, zip(*measured.values(), strict=True))
    rows = [
        ["Ribeiro & Miranda 2011, mean of 4 sites", "12", "79", "97", "95", "94"],
        [f"`classes`, mean of {len(sites)} sites", f"{sum(map(len, sites.values()))}", *map(percent, means)],
    ]
    for site, shares in measured.items() if details else ():
        rows.append([site, f"{len(sites[site])}", *map(percent, shares)])
    yield table(["", "pages", "record P", "R", "attribute P", "R"], rows)


# Moura 2018, and the papers


def items(corpus: Path, details: bool) -> Iterator[str]:
    """Tables 8 and 9 of Moura 2018."""
    rows = [["Moura 2018", "its 15 pages of 3 sites", "26 to 97", "12 to 62"]]
    for total in totals([corpus / name for name in WITH_KEYS], ["gstm", "gstm:main=longest"], ItemSets()):
        figures = total.figures["items"]
        rows.append(
            [f"`{total.method}`", f"{total.corpus}, {total.pages} pages"]
            + [percent(figures[what]["f1"]) for what in ("records", "items")]
        )
    yield table(["", "", "record F", "item F"], rows)


PAPERS: dict[tuple[str, str], str] = {
    ("depta", "tbdw"): "P 91.1, R 53.9 (Kayed & Chang 2010); R 60 to 100 by kind of page (Shi et al. 2015)",
    ("signal", "tbdw"): "F 79.2 (the author's sheet)",
    ("signal", "zhao1"): "F 83.6 (the author's sheet)",
    ("autorm", "tbdw"): "P 99.8 to 100, R 99.6 to 100 by kind of page (Shi et al. 2015)",
    ("gstm", "tbdw"): "P 100, R 96.5 on this set and the next (Jindal & Liu 2010)",
    ("gstm", "zhao1"): "P 100, R 96.5 on this set and the one before (Jindal & Liu 2010)",
}


def papers(corpus: Path, details: bool) -> Iterator[str]:
    """Records on TBDW and ViNTs test set 1, against what the papers report."""
    for name, title in (("tbdw", "TBDW 1.02"), ("zhao1", "ViNTs test set 1")):
        rows = []
        for total in totals([corpus / name], ["mdr", "depta", "signal", "autorm", "gstm"], Referee()):
            if total.corpus == name:
                main, best = (percents(total.figures["referee"][view]) for view in ("main", "any"))
                rows.append([total.method, *best, *main, PAPERS.get((total.method, name), "–")])
        yield table([title, "best region P", "R", "F1", "first region P", "R", "F1", "papers"], rows) + "\n"


# Alignment

PUBLISHED = [
    ["Zhai & Liu 2005: DEPTA, their pages", "–", "99.7", "98.2", "–", "–", "–"],
    ["Kayed & Chang 2010: FiVaTech, search results", "–", "–", "–", "90.1", "89.1", "–"],
    ["Kayed & Chang 2010: DEPTA, the same pages", "–", "–", "–", "48.4", "48.9", "–"],
    ["Kayed & Chang 2010: FiVaTech, schemas of sites", "–", "–", "–", "90.6", "95.1", "–"],
    ["Kayed & Chang 2010: EXALG, the same schemas", "–", "–", "–", "90.6", "75.8", "–"],
]


class Part(list[Document]):
    """Some pages of a corpus."""

    def __init__(self, name: str, documents: Iterable[Document]) -> None:
        self.name = name
        super().__init__(documents)


def alignment(corpus: Path, details: bool) -> Iterator[str]:
    """Values in the columns of their fields, and columns that are right, beside what the papers report."""
    tables = TableFile(corpus / "tables" / "tables.jsonl")
    parts = [
        Part("tables of TBDW", (page for page in tables if page.name.startswith("../tbdw/"))),
        Part("tables", tables),
    ]
    for name in ("wien", "exalg", "courts", "dockets"):
        path = corpus / "fields" / f"{name}.jsonl"
        lines = (json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line)
        of_details = {truth["page"] for truth in lines if truth["kind"] == "detail"}
        # A page that has several lists is numbered.
        lists = (page for page in TableFile(path) if re.sub(r" \(\d+\)$", "", page.name) not in of_details)
        parts.append(Part(name, lists))
    evaluator = Alignment()
    results = list(run(parts, [method("auto"), method("depta")], [evaluator], repeat=1))
    rows = []
    for total in summarise(results, [evaluator]):
        if total.corpus != ALL:
            figures = total.figures["alignment"]
            shares = [*percents(figures["values"], SCORES[:2]), *percents(figures["columns"], SCORES[:2])]
            rows.append([f"`{total.method}`, {total.corpus}", f"{total.pages}", *shares, percent(figures["whole"])])
    yield table(["", "pages", "value P", "R", "column P", "R", "whole"], [*PUBLISHED, *rows])


# The command

TABLES: dict[str, tuple[Callable[[Path, bool], Iterator[str]], tuple[str, ...]]] = {
    "accuracy": (accuracy, WITH_KEYS),
    "cost": (cost, ("tpsf",)),
    "noise": (noise, ("tpsf",)),
    "classes": (classes, ("fields",)),
    "items": (items, WITH_KEYS),
    "papers": (papers, ("tbdw", "zhao1")),
    "alignment": (alignment, ("tables", "fields")),
}
"""Each with the folders that it needs."""


def placed(document: str, name: str, text: str) -> str:
    """The document with this text where the table of this name belongs."""
    place = re.compile(rf"(<!-- table: {name} -->\n)(?:(?!<!-- ).)*(<!-- end -->)", re.DOTALL)
    if not place.search(document):
        raise SystemExit(f"{DOCUMENT} has no place for the table {name}")
    return place.sub(lambda around: f"{around[1]}{text}\n{around[2]}", document)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"some of {', '.join(TABLES)} (default: all)")
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus", metavar="FOLDER")
    parser.add_argument("--write", action="store_true", help="put the tables in their places in docs/methods.md")
    parser.add_argument("--pages", action="store_true", help="also print what the averages are made of")
    options = parser.parse_args()
    if unknown := [name for name in options.tables if name not in TABLES]:
        parser.error(f"there is no table {unknown[0]}")
    for name in options.tables or TABLES:
        measure, folders = TABLES[name]
        if absent := [folder for folder in folders if not (options.corpus / folder).is_dir()]:
            print(f"{name}: skipped, for {options.corpus} has no {' nor '.join(absent)}", file=sys.stderr)
            continue
        text = "".join(measure(options.corpus, options.pages and not options.write)).strip()
        if options.write:
            DOCUMENT.write_text(placed(DOCUMENT.read_text(encoding="utf-8"), name, text), encoding="utf-8")
        else:
            print(f"{name}\n\n{text}\n", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
