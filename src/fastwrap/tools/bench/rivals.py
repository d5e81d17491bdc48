"""Runs other libraries beside fastwrap in one process, on the same pages, each at a task that it has in common with it.
No two libraries do quite the same: what each does is said beside its time."""

from __future__ import annotations

import importlib.util
import itertools
import statistics
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from selectolax.lexbor import LexborHTMLParser

import fastwrap
from fastwrap.common.lazy import lazy_property
from fastwrap.errors import FastwrapError
from fastwrap.page import Page
from fastwrap.page.arrays import Int32Array
from fastwrap.page.references import spell_out
from fastwrap.similarity import measures as kernels
from fastwrap.tools.bench.machine import version_of
from fastwrap.tools.bench.stages import Clock, Task, bare_parse, seconds_of, without_collector

FASTWRAP = "fastwrap"
LIBRARIES = ("selectolax", "lxml", "resiliparse", "rapidfuzz", "zss", "apted", "trafilatura", "autoscraper")

LARGEST_PAGE = 10_000
"""Nodes of the pages that are compared on: some libraries take seconds for more."""

MOST_PAGES = 12

SECONDS = 1.0
"""Budget of one library for one task on one page: no further round is begun when it is spent."""

LARGEST_TREE = 40
"""Nodes of the trees whose distance is compared: the general edit distance takes seconds for more."""

MOST_TREES = 32
"""Records of a page whose distances are compared, each with each."""

LARGEST_BUILT = 3_000
"""Nodes of the pages that autoscraper learns from: it takes seconds for more."""

WANTED = 3
"""Texts of the first record that autoscraper is told to look for."""


class Work(NamedTuple):
    """Something to time: what is done, and how many times at once."""

    run: Task
    units: int = 1


class Example:
    """A page that is compared on, with what the tasks need and what is not timed."""

    def __init__(self, html: bytes) -> None:
        self.html = html
        self.page = Page(html)

    @lazy_property
    def text(self) -> str:
        """The HTML as text, for libraries that take no bytes."""
        from fastwrap.page.decode import decode

        return decode(self.html).html.decode()

    @lazy_property
    def extraction(self) -> fastwrap.Extraction:
        """What fastwrap finds on the page."""
        return fastwrap.extract(self.page)

    @lazy_property
    def wrapper(self) -> fastwrap.Wrapper:
        """The wrapper of the page."""
        return fastwrap.learn(self.page)

    @lazy_property
    def trees(self) -> Int32Array:
        """The records of the first region that are one small subtree each, as spans."""
        regions = self.extraction.regions
        if not regions:
            return np.empty((0, 2), dtype=np.int32)
        spans = regions[0].spans
        single = self.page.size[spans[:, 0]] == spans[:, 1] - spans[:, 0]
        small: Int32Array = spans[single & (spans[:, 1] - spans[:, 0] <= LARGEST_TREE)][:MOST_TREES]
        return small

    @lazy_property
    def tree_pairs(self) -> tuple[Int32Array, Int32Array]:
        """Each pair of these trees."""
        left, right = np.triu_indices(len(self.trees), 1)
        return self.trees[left], self.trees[right]

    @lazy_property
    def tag_strings(self) -> list[bytes]:
        """The tags of each of these trees, a byte for each: the form in which rapidfuzz is fastest."""
        _, symbol = np.unique(self.page.tag, return_inverse=True)
        if symbol.max() > 255:
            return []
        return [symbol[first:last].astype(np.uint8).tobytes() for first, last in self.trees.tolist()]


Prepare = Callable[[Example], Work | None]
"""Makes the work of a library on a page; None if it cannot do that there."""


@dataclass(frozen=True)
class Contender:
    """A library at a task."""

    library: str
    does: str
    prepare: Prepare


@dataclass(frozen=True)
class Contest:
    """A task that several libraries have in common."""

    name: str
    contenders: tuple[Contender, ...]
    """fastwrap first."""


@dataclass(frozen=True)
class Result:
    """A library at a task, over all pages on which fastwrap and it could do it."""

    task: str
    library: str
    version: str
    does: str
    pages: int
    seconds: float
    """Median over the pages."""
    multiple: float
    """Of fastwrap's time on the same page, median over the pages."""


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


# The work of each library. Imports are inside: a library that is not installed is not asked for.


def lxml_tree(example: Example) -> Work:
    """Parse by libxml2."""
    from lxml import html

    return Work(lambda: html.document_fromstring(example.html))


def lxml_text(example: Example) -> Work:
    """All text, scripts and styles included."""
    from lxml import html

    return Work(lambda: html.document_fromstring(example.html).text_content())


def lxml_columns(example: Example) -> Work | None:
    """The columns of the records by the XPaths that the wrapper exports."""
    from lxml import etree, html

    try:
        paths = example.wrapper.to_xpath()
    except FastwrapError:
        return None
    records, columns = etree.XPath(paths["records"]), [etree.XPath(path) for path in paths["columns"].values()]

    def read() -> list[list[Any]]:
        return [[column(record) for column in columns] for record in records(html.document_fromstring(example.html))]

    return Work(read)


def resiliparse_tree(example: Example) -> Work:
    """Detect the encoding, parse by Lexbor."""
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    return Work(lambda: HTMLTree.parse_from_bytes(example.html, detect_encoding(example.html)))


def resiliparse_text(example: Example, main_content: bool = False) -> Work:
    """All visible text, or that of the main content."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def read() -> Any:
        tree = HTMLTree.parse_from_bytes(example.html, detect_encoding(example.html))
        return extract_plain_text(tree, main_content=main_content)

    return Work(read)


def trafilatura_text(example: Example) -> Work:
    """The main text of the page."""
    import trafilatura

    return Work(lambda: trafilatura.extract(example.html))


def autoscraper_items(example: Example) -> Work | None:
    """What resembles some texts of the first record, by rules that were learned before."""
    from autoscraper import AutoScraper

    regions = example.extraction.regions if len(example.page) <= LARGEST_BUILT else []
    texts = zip(regions[0].columns, regions[0].texts[0], strict=True) if regions else ()
    wanted = [text for column, text in texts if isinstance(text, str) and column.path.endswith("#text")][:WANTED]
    scraper = AutoScraper()
    if not wanted or not scraper.build(html=example.text, wanted_list=wanted):
        return None
    return Work(lambda: scraper.get_result_similar(html=example.text))


def wrapper_columns(example: Example) -> Work | None:
    """The columns of the records."""
    wrapper = fastwrap.Wrapper.loads(example.wrapper.dumps())
    if not wrapper.extract(example.page).records:
        return None
    return Work(lambda: [record.texts for record in wrapper.extract(example.html).records])


def fastwrap_edits(example: Example) -> Work | None:
    """Edits between the tags of records, each with each."""
    page, (left, right) = example.page, example.tree_pairs
    return Work(lambda: kernels.tag_edits(page, left, right), len(left)) if len(left) else None


def rapidfuzz_edits(example: Example) -> Work | None:
    """The same by a loop over pairs."""
    from rapidfuzz.distance import Levenshtein

    pairs = list(itertools.combinations(example.tag_strings, 2))
    return Work(lambda: [Levenshtein.distance(*pair) for pair in pairs], len(pairs)) if pairs else None


def fastwrap_distance(example: Example) -> Work | None:
    """Simple tree matching of records, each with each."""
    page, (left, right) = example.page, example.tree_pairs
    page.structural_class  # noqa: B018 - computed on first use, once a page
    return Work(lambda: kernels.tree_distance(page, left, right), len(left)) if len(left) else None


def zss_distance(example: Example) -> Work | None:
    """The tree edit distance of the first two records."""
    import zss

    trees = trees_of(example.page, zss.Node, example.trees[:2].tolist())
    return (
        Work(lambda: zss.simple_distance(*trees, label_dist=lambda one, other: int(one != other)))
        if len(trees) == 2
        else None
    )


def apted_distance(example: Example) -> Work | None:
    """The same."""
    from apted import APTED
    from apted.helpers import Tree

    trees = trees_of(example.page, lambda name, children: Tree(name, *children), example.trees[:2].tolist())
    return Work(lambda: APTED(*trees).compute_edit_distance()) if len(trees) == 2 else None


def page_tree(example: Example) -> Work:
    """A Page."""
    return Work(lambda: Page(example.html))


def page_text(example: Example) -> Work:
    """The text of a Page."""
    return Work(lambda: Page(example.html).text())


def records(example: Example) -> Work:
    """The records of the main list."""
    return Work(lambda: [record.texts for record in fastwrap.extract(example.html).records])


def selectolax_tree(example: Example) -> Work:
    """The bare parse."""
    return Work(bare_parse(example.html))


def selectolax_text(example: Example) -> Work:
    """The text of the body."""
    safe = spell_out(example.html)

    def read() -> str:
        body = LexborHTMLParser(safe).body
        return "" if body is None else body.text(separator=" ")

    return Work(read)


def resiliparse_main(example: Example) -> Work:
    """The text of the main content."""
    return resiliparse_text(example, main_content=True)


CONTESTS = (
    Contest(
        "HTML to a tree",
        (
            Contender(FASTWRAP, "Page: decodes, guards, parses (Lexbor), node arrays", page_tree),
            Contender("selectolax", "parses (Lexbor); takes the bytes for UTF-8", selectolax_tree),
            Contender("lxml", "decodes, parses (libxml2, not HTML5)", lxml_tree),
            Contender("resiliparse", "detects the encoding, decodes, parses (Lexbor)", resiliparse_tree),
        ),
    ),
    Contest(
        "HTML to text",
        (
            Contender(FASTWRAP, "text of all nodes, white space normalised", page_text),
            Contender("selectolax", "text of the body, as it is", selectolax_text),
            Contender("lxml", "text of all nodes, as it is, scripts included", lxml_text),
            Contender("resiliparse", "visible text, laid out", resiliparse_text),
        ),
    ),
    Contest(
        "HTML to what the page is about",
        (
            Contender(FASTWRAP, "extract: the records of the main list, in columns", records),
            Contender("resiliparse", "main content as text, no records", resiliparse_main),
            Contender("trafilatura", "main content as text, made for articles, no records", trafilatura_text),
        ),
    ),
    Contest(
        "HTML to known columns",
        (
            Contender(FASTWRAP, "wrapper learned before: all columns of all records", wrapper_columns),
            Contender("lxml", "XPaths that the wrapper exports: the columns that a path can tell", lxml_columns),
            Contender("autoscraper", f"rules learned before from {WANTED} texts: items, no records", autoscraper_items),
        ),
    ),
    Contest(
        "edit distance of two records' tags",
        (
            Contender(FASTWRAP, "kernels.tag_edits, many pairs a call", fastwrap_edits),
            Contender("rapidfuzz", "Levenshtein.distance on bytes, pair by pair", rapidfuzz_edits),
        ),
    ),
    Contest(
        "distance of two records' trees",
        (
            Contender(FASTWRAP, "simple tree matching: pairs level by level, many a call", fastwrap_distance),
            Contender("zss", "tree edit distance, more general", zss_distance),
            Contender("apted", "tree edit distance, more general", apted_distance),
        ),
    ),
)


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
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what others are warned of is theirs
        for contest in CONTESTS:
            works: dict[str, Work] = {}
            for contender in contest.contenders:
                if contender.library in installed and (work := contender.prepare(example)) is not None:
                    works[contender.library] = work
            if FASTWRAP in works:
                for library, seconds in race(works, repeat, clock).items():
                    found[contest.name, library] = seconds
    return found


def race(works: Mapping[str, Work], repeat: int, clock: Clock) -> dict[str, float]:
    """Seconds a unit of each work: medians of rounds in turn, fewer where the budget is spent."""
    taken: dict[str, list[float]] = {library: [] for library in works}
    with without_collector():
        for _ in range(repeat):
            for library, work in works.items():
                if sum(taken[library]) < SECONDS:
                    taken[library].append(seconds_of(work.run, clock))
    return {library: statistics.median(taken[library]) / work.units for library, work in works.items()}


def results(pages: Sequence[Mapping[tuple[str, str], float]]) -> list[Result]:
    """The libraries at each task, over all pages."""
    found = []
    for contest in CONTESTS:
        for contender in contest.contenders:
            key, own = (contest.name, contender.library), (contest.name, FASTWRAP)
            both = [page for page in pages if key in page]
            if both:
                found.append(
                    Result(
                        contest.name,
                        contender.library,
                        version_of(contender.library),
                        contender.does,
                        len(both),
                        statistics.median(page[key] for page in both),
                        statistics.median(page[key] / page[own] for page in both),
                    )
                )
    return found
