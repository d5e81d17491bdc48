"""Runs other libraries beside fastwrap in one process, on the same pages, each at a task that it has in common with it.
No two libraries do quite the same: what each does is said beside its time."""

from __future__ import annotations

import importlib.util
import itertools
import operator
import statistics
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

import fastwrap
from fastwrap._version import __version__
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.decode import decode
from fastwrap.similarity import measures as kernels
from fastwrap.tools.bench.stages import CONTENT, WRAPPER, task_of
from fastwrap.tools.timing import Clock, Task, bare_parse, seconds_of, without_collector

FASTWRAP = "fastwrap"
LIBRARIES = (
    "selectolax",
    "lxml",
    "resiliparse",
    "turbohtml",
    "rapidfuzz",
    "zss",
    "apted",
    "trafilatura",
    "autoscraper",
)

# Some libraries take seconds for more than this:
LARGEST_PAGE = 10_000  # nodes of the pages that are compared on
LARGEST_LEARNED = 3_000  # nodes of the pages that autoscraper learns from
LARGEST_TREE = 40  # nodes of the trees whose distance is compared
SECONDS = 1.0  # budget of one library for one task on one page: no further round is begun when it is spent

MOST_PAGES = 12
MOST_TREES = 32  # records of a page whose distances are compared, each with each
WANTED = 3  # texts of the first record that autoscraper is told to look for


class Example:
    """A page that is compared on, with what several tasks need and what is not timed."""

    def __init__(self, html: bytes) -> None:
        self.html = html
        self.page = Page(html)

    @lazy_property
    def regions(self) -> Sequence[fastwrap.Region]:
        """What fastwrap finds on the page."""
        return fastwrap.extract(self.page, structured=False).regions

    @lazy_property
    def trees(self) -> Int32Array:
        """The records of the first region that are one small subtree each, as spans."""
        spans = self.regions[0].spans if self.regions else np.empty((0, 2), dtype=np.int32)
        sizes = spans[:, 1] - spans[:, 0]
        is_small_tree = (self.page.size[spans[:, 0]] == sizes) & (sizes <= LARGEST_TREE)
        small: Int32Array = spans[is_small_tree][:MOST_TREES]
        return small


@dataclass(frozen=True)
class Result:
    """A library at a task, over all pages on which fastwrap and it could do it."""

    task: str
    library: str
    version: str
    does: str
    pages: int
    seconds: float  # median over the pages
    multiple: float  # of fastwrap's time on the same page, median over the pages


def trees_of(page: Page, make: Callable[[str, list[Any]], Any], spans: Iterable[Sequence[int]]) -> list[Any]:
    """Subtrees as objects of another library, made from the last node to the first."""
    found = []
    for first, last in spans:
        children: dict[int, list[Any]] = {}
        for node in range(last - 1, first - 1, -1):
            made = make(page.tag_name(node), children.pop(node, [])[::-1])
            children.setdefault(int(page.parent[node]), []).append(made)
        found.append(made)
    return found


class Batch(NamedTuple):
    """A task that is done many times in one run."""

    run: Task
    times: int


class Contender(NamedTuple):
    """A library at a task."""

    does: str
    prepare: Callable[[Example], Task | Batch | None]
    """Makes what is timed on a page, outside of the time; None if the library cannot do the task there."""


# What takes more than a line to prepare. A library that is not installed is not asked for.


def parsed(parse: Task, read: Callable[[Any], Any]) -> Task:
    """Parse, and read something from the tree."""
    return lambda: read(parse())


def lxml_tree(example: Example) -> Task:
    """Parse by libxml2."""
    return partial(import_module("lxml.html").document_fromstring, example.html)


def lxml_columns(example: Example) -> Task | None:
    """The columns by the XPaths that the wrapper exports."""
    try:
        paths = fastwrap.learn(example.page).to_xpath()
    except FastwrapError:
        return None
    xpath, parse = import_module("lxml.etree").XPath, lxml_tree(example)
    records, columns = xpath(paths["records"]), [xpath(path) for path in paths["columns"].values()]
    return lambda: [[column(record) for column in columns] for record in records(parse())]


def resiliparse_tree(example: Example) -> Task:
    """Detect the encoding, parse."""
    parse = import_module("resiliparse.parse.html").HTMLTree.parse_from_bytes
    detect = import_module("resiliparse.parse.encoding").detect_encoding
    return lambda: parse(example.html, detect(example.html))


def resiliparse_text(example: Example, main_content: bool) -> Task:
    """All visible text, or that of the main content."""
    extract = import_module("resiliparse.extract.html2text").extract_plain_text
    return parsed(resiliparse_tree(example), partial(extract, main_content=main_content))


def fastwrap_columns(example: Example) -> Task | None:
    """All columns by a wrapper that was learned, saved and loaded."""
    read = task_of(WRAPPER, example.html)
    return read if read() else None


def autoscraper_items(example: Example) -> Task | None:
    """What resembles some texts of the first record."""
    regions = example.regions if len(example.page) <= LARGEST_LEARNED else []
    texts = zip(regions[0].columns, regions[0].texts[0], strict=True) if regions else ()
    wanted = [text for column, text in texts if isinstance(text, str) and column.path.endswith("#text")][:WANTED]
    scraper, html = import_module("autoscraper").AutoScraper(), decode(example.html).html.decode()
    can = wanted and scraper.build(html=html, wanted_list=wanted)
    return partial(scraper.get_result_similar, html=html) if can else None


def fastwrap_pairs(example: Example, kernel: Callable[..., Any]) -> Batch | None:
    """A kernel on each pair of records."""
    left, right = (example.trees[side] for side in np.triu_indices(len(example.trees), 1))
    example.page.structural_class  # noqa: B018 - computed on first use, once per page
    return Batch(lambda: kernel(example.page, left, right), len(left)) if len(left) else None


def rapidfuzz_edits(example: Example) -> Batch | None:
    """Edits between the tags of records, a byte for each tag: rapidfuzz is fastest so."""
    distance = import_module("rapidfuzz.distance").Levenshtein.distance
    symbols, symbol = np.unique(example.page.tag, return_inverse=True)
    trees = example.trees.tolist() if len(symbols) <= 256 else []
    pairs = list(itertools.combinations([symbol[first:last].astype(np.uint8).tobytes() for first, last in trees], 2))
    return Batch(lambda: [distance(*pair) for pair in pairs], len(pairs)) if pairs else None


def edit_distance(example: Example, library: str) -> Task | None:
    """The tree edit distance of the first two records, by zss or apted."""
    if len(spans := example.trees[:2].tolist()) < 2:
        return None
    if library == "zss":
        zss = import_module("zss")
        trees = trees_of(example.page, zss.Node, spans)
        return lambda: zss.simple_distance(*trees, label_dist=operator.ne)
    apted, node = import_module("apted").APTED, import_module("apted.helpers").Tree
    nodes = trees_of(example.page, lambda name, children: node(name, *children), spans)
    return lambda: apted(*nodes).compute_edit_distance()


CONTESTS: dict[str, dict[str, Contender]] = {
    "HTML to a tree": {
        FASTWRAP: Contender("Page: decodes, parses, node arrays", lambda e: partial(Page, e.html)),
        "selectolax": Contender("parses (Lexbor); takes the bytes for UTF-8", lambda e: bare_parse(e.html)),
        "lxml": Contender("decodes, parses (libxml2, not HTML5)", lxml_tree),
        "resiliparse": Contender("detects the encoding, decodes, parses (Lexbor)", resiliparse_tree),
        "turbohtml": Contender("decodes, parses", lambda e: partial(import_module("turbohtml").parse, e.html)),
    },
    "HTML to text": {
        FASTWRAP: Contender("text of all nodes, white space normalised", lambda e: lambda: Page(e.html).text()),
        "selectolax": Contender(
            "text of the body, as it is",
            lambda e: parsed(bare_parse(e.html), lambda tree: tree.body and tree.body.text(separator=" ")),
        ),
        "lxml": Contender(
            "text of all nodes, as it is, scripts included",
            lambda e: parsed(lxml_tree(e), lambda tree: tree.text_content()),
        ),
        "resiliparse": Contender("visible text, laid out", partial(resiliparse_text, main_content=False)),
    },
    "HTML to its main content": {
        FASTWRAP: Contender("content: text, by the shipped model", lambda e: task_of(CONTENT, e.html)),
        "resiliparse": Contender("text, by rules", partial(resiliparse_text, main_content=True)),
        "trafilatura": Contender(
            "text, by rules made for articles", lambda e: partial(import_module("trafilatura").extract, e.html)
        ),
    },
    "HTML to known columns": {
        FASTWRAP: Contender("wrapper learned before: all columns of all records", fastwrap_columns),
        "lxml": Contender("XPaths that the wrapper exports: the columns that a path can tell", lxml_columns),
        "autoscraper": Contender(f"rules learned before from {WANTED} texts: items, no records", autoscraper_items),
    },
    "edit distance of two records' tags": {
        FASTWRAP: Contender("kernels.tag_edits, many pairs a call", partial(fastwrap_pairs, kernel=kernels.tag_edits)),
        "rapidfuzz": Contender("Levenshtein.distance on bytes, pair by pair", rapidfuzz_edits),
    },
    "distance of two records' trees": {
        FASTWRAP: Contender(
            "simple tree matching: pairs level by level, many a call",
            partial(fastwrap_pairs, kernel=kernels.tree_distance),
        ),
        "zss": Contender("tree edit distance, more general", partial(edit_distance, library="zss")),
        "apted": Contender("tree edit distance, more general", partial(edit_distance, library="apted")),
    },
}
"""By task, the libraries that do it, fastwrap first."""


def missing() -> list[str]:
    """The libraries that are not installed."""
    return [library for library in LIBRARIES if importlib.util.find_spec(library) is None]


def idle(found: Sequence[Result]) -> list[str]:
    """The libraries that are installed and could do nothing on any page."""
    return [library for library in LIBRARIES if library not in {*missing(), *(result.library for result in found)}]


def chosen(pages: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The pages that are compared on: none that is too large, and if there are many, evenly some of them.

    >>> [name for name, _ in chosen([(str(k), b"<p>") for k in range(24)])][:3]
    ['0', '2', '4']
    """
    small = [(name, html) for name, html in pages if len(Page(html)) <= LARGEST_PAGE]
    return small[:: -(-len(small) // MOST_PAGES)] if small else []


def compare_on(html: bytes, repeat: int, clock: Clock = time.process_time) -> dict[tuple[str, str], float]:
    """All tasks on one page: seconds by task and library, where both fastwrap and the library can do it.

    >>> items = b"".join(b"<li><b>Name %d</b> <i>%d EUR</i></li>" % (k, k) for k in range(5))
    >>> (("HTML to text", "selectolax") in compare_on(b"<ul>" + items + b"</ul>", repeat=1))
    True
    """
    example = Example(html)
    installed = {FASTWRAP, *LIBRARIES} - set(missing())
    found: dict[tuple[str, str], float] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what others are warned of is theirs
        for task, contenders in CONTESTS.items():
            works = {
                library: work
                for library, contender in contenders.items()
                if library in installed and (work := contender.prepare(example)) is not None
            }
            if FASTWRAP in works:
                found |= {(task, library): seconds for library, seconds in race(works, repeat, clock).items()}
    return found


def race(works: Mapping[str, Task | Batch], repeat: int, clock: Clock) -> dict[str, float]:
    """Seconds that the task takes once: medians of rounds in turn, fewer where the budget is spent."""
    batches = {library: work if isinstance(work, Batch) else Batch(work, 1) for library, work in works.items()}
    taken: dict[str, list[float]] = {library: [] for library in works}
    with without_collector():
        for _ in range(repeat):
            for library, batch in batches.items():
                if sum(taken[library]) < SECONDS:
                    taken[library].append(seconds_of(batch.run, clock))
    return {library: statistics.median(taken[library]) / batch.times for library, batch in batches.items()}


def results(pages: Sequence[Mapping[tuple[str, str], float]]) -> list[Result]:
    """The libraries at each task, over all pages."""
    found = []
    for task, contenders in CONTESTS.items():
        for library, contender in contenders.items():
            both = [page for page in pages if (task, library) in page]
            if both:
                seconds = statistics.median(page[task, library] for page in both)
                multiple = statistics.median(page[task, library] / page[task, FASTWRAP] for page in both)
                known = __version__ if library == FASTWRAP else version(library)  # ours even where it is not installed
                found.append(Result(task, library, known, contender.does, len(both), seconds, multiple))
    return found
