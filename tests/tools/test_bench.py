"""`fastwrap bench`: what is timed, the arithmetic of its figures with a clock of our own, its tables and its report."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

import fastwrap
from fastwrap.cli import main
from fastwrap.cli.messages import progress
from fastwrap.errors import FastwrapError
from fastwrap.tools.bench import figures, memory, pages, report, rivals, running, scaling, stages
from fastwrap.tools.bench.figures import Run
from fastwrap.tools.bench.rivals import Result
from fastwrap.tools.bench.scaling import SizeTimes, ThreadTimes
from fastwrap.tools.bench.stages import PARSE, STAGES, TASKS, TEXTS, WRAPPER, PageTimes
from fastwrap.tools.reports.plots import bars
from tests.helpers.paths import ROOT

LISTING = pages.generate("table", 200)
MACHINE = {
    "cpu": "a <b>CPU</b>", "cores": "2", "system": "Linux", "python": "CPython 3.11", "fastwrap": "1", "compiler": "12",
    "selectolax": "1.0", "numpy": "2",
}  # fmt: skip


def ticking(seconds: float = 1.0) -> Callable[[], float]:
    """A clock on which everything that is timed takes the same time."""
    return map(float, itertools.count(step=seconds)).__next__


def page_times(name: str, parse: float, texts: float, nodes: int = 1_000) -> PageTimes:
    tasks = dict.fromkeys(TASKS, 2 * parse) | {PARSE: parse, TEXTS: texts}
    return PageTimes(
        name, 50 * nodes, nodes, records=10, wrapper_records=10, page_bytes=40 * nodes,
        stages={stage: parse * (k + 1) for k, stage in enumerate(STAGES)}, tasks=tasks,
    )  # fmt: skip


def complete_run() -> Run:
    """A run with everything in it, its figures made up."""
    return Run(
        machine=MACHINE,
        corpus="made up",
        repeat=3,
        pages=[page_times("one", 0.001, 0.002), page_times("<i>two</i>", 0.002, 0.006), page_times("x", 0.001, 0.001)],
        sizes=[
            SizeTimes("shop", [500, 2_000, 100_000], {PARSE: [1.0, 4.0, 100.0], TEXTS: [1.0, 4.0, 300.0]}),
            SizeTimes("old", [500, 2_000, 100_000], {PARSE: [1.0, 4.0, 300.0], TEXTS: [1.0, 4.0, 250.0]}),
            SizeTimes("table", [500, 2_000, 100_000], {PARSE: [1.0, 4.0, 200.0], TEXTS: [1.0, 4.0, 200.0]}),
        ],
        threads=[
            ThreadTimes(TEXTS, 1_000, {1: 8.0, 2: 4.0, 4: 5.0}),
            ThreadTimes(WRAPPER, 1_000, {1: 6.0, 2: 4.0, 4: 3.0}),
        ],
        memory=memory.PeakMemory("one", 1_000, 50_000, {PARSE: 500_000, TEXTS: 800_000}),
        rivals=[
            Result("HTML to text", "fastwrap", "1", "all <text>", 3, 0.001, 1.0),
            Result("HTML to text", "lxml", "6", "all text", 3, 0.0025, 2.5),
        ],
    )


def test_every_stage_and_task_is_timed_once_a_round() -> None:
    ticks = itertools.count()
    times = stages.measure("page", LISTING, repeat=2, clock=lambda: float(next(ticks)))
    assert next(ticks) == 2 * 2 * (len(TASKS) + len(STAGES))
    assert times.tasks == dict.fromkeys(TASKS, 1.0)
    assert times.stages == dict.fromkeys(STAGES, 1.0)
    assert (list(times.tasks), list(times.stages)) == (list(TASKS), list(STAGES))
    assert times.nodes == len(fastwrap.Page(LISTING))
    assert times.html_bytes == len(LISTING)
    assert times.records == times.wrapper_records == len(fastwrap.extract(LISTING).records) > 2
    assert 20 * times.nodes < times.page_bytes < 200 * times.nodes


def test_tasks_do_what_they_say() -> None:
    found = {task: stages.task_of(task, LISTING)() for task in TASKS}
    extraction = fastwrap.extract(LISTING)
    assert isinstance(found[PARSE], LexborHTMLParser)
    assert len(found[stages.PAGE]) == len(extraction.page)
    assert found[TEXTS] == found[WRAPPER] == [record.texts for record in extraction.records]
    assert found[stages.JSON] == extraction.to_json()
    wrapped = json.loads(found[stages.WRAPPER_JSON])["regions"][0]["records"]
    assert [record["texts"] for record in wrapped] == found[TEXTS]
    assert found[stages.VALUES] == [record.values for record in extraction.records]
    assert found[stages.PATHS].path.tolist() == extraction.page.retps().path.tolist()
    assert found[stages.CONTENT] == fastwrap.content(LISTING).text != ""
    with pytest.raises(FastwrapError, match="no task is called 'nothing'"):
        stages.task_of("nothing", LISTING)


def test_what_the_parser_cannot_take_does_not_reach_it() -> None:
    with pytest.raises(FastwrapError):
        stages.measure("deep", b"<div>" * 50_000, repeat=1)
    assert stages.measure("growing", b"&nGt;" * 300_000, repeat=1).nodes == 4


def test_figures_of_stages_and_tasks() -> None:
    run = complete_run()
    by_name = {task.name: task for task in figures.task_figures(run)}
    assert list(by_name) == list(TASKS)
    texts = by_name[TEXTS]
    # Multiples 2, 3 and 1 of the parse; 3,000 nodes and 150,000 bytes in 9 ms.
    assert (texts.median, texts.percentile_95, texts.seconds) == pytest.approx((2, 3, 0.002))
    assert (texts.nodes_a_second, texts.megabytes_a_second) == pytest.approx((3_000 / 0.009, 0.15 / 0.009))
    assert texts.share is None
    parse, *others = figures.stage_figures(run)
    assert (parse.name, parse.median, parse.percentile_95, parse.share) == (PARSE, 1.0, 1.0, None)
    assert [stage.median for stage in others] == pytest.approx([*range(1, len(STAGES) + 1)])
    shares = [stage.share or 0.0 for stage in others]
    assert sum(shares) == pytest.approx(1)
    assert shares[1] == pytest.approx(2 * shares[0])
    assert run.bytes_a_node == 40


def test_scaling() -> None:
    run = complete_run()
    # 1 and 3 ms a node at 100,000 against 2 at 2,000; the median of three kinds.
    assert figures.growth(run.sizes) == pytest.approx({PARSE: 1.0, TEXTS: 1.25})
    assert [figures.speedups(times) for times in run.threads] == [{1: 1.0, 2: 2.0, 4: 1.6}, {1: 1.0, 2: 1.5, 4: 2.0}]
    assert figures.growth([]) == {}


def test_sizes_and_threads_are_measured() -> None:
    sizes = scaling.measure_sizes("old", [100, 300], repeat=3, clock=ticking(0.5))
    nodes = [len(fastwrap.Page(pages.generate("old", wanted))) for wanted in (100, 300)]
    assert sizes.nodes == nodes
    assert sizes.seconds == {PARSE: [0.5, 0.5], TEXTS: [0.5, 0.5], WRAPPER: [0.5, 0.5]}
    assert figures.nanoseconds_a_node(sizes, TEXTS) == pytest.approx([0.5e9 / own for own in nodes])
    threads = scaling.measure_threads([LISTING, b"<p>x"], TEXTS, repeat=2, threads=(1, 3), clock=ticking(2.0))
    assert threads.seconds == {1: 2.0, 3: 2.0}
    assert threads.nodes == 30 * (len(fastwrap.Page(LISTING)) + 5)
    assert scaling.measure_threads([b""], TEXTS, repeat=1, clock=ticking()).seconds == {1: 1.0, 2: 1.0, 4: 1.0}


def test_an_error_in_a_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise FastwrapError("in a thread")

    monkeypatch.setattr(scaling, "task_of", lambda task, html: fail)
    with pytest.raises(FastwrapError, match="in a thread"):
        scaling.measure_threads([b"<p>x"], TEXTS, repeat=1)


def test_peak_memory_grows_with_the_page() -> None:
    if not memory.STATUS.exists():
        pytest.skip("the peak of a process is told by Linux alone")
    small, large = memory.peak(TEXTS, LISTING), memory.peak(TEXTS, pages.generate("table", 30_000))
    assert 0 <= small < large < 200_000_000
    with pytest.raises(FastwrapError, match="no memory was measured"):
        memory.peak("nothing", LISTING)


def test_the_machine_is_described() -> None:
    described = running.machine()
    assert int(described["cores"]) >= 1
    assert fastwrap.__version__ in described["fastwrap"]
    assert all(described.values())


def test_rivals_are_compared() -> None:
    pytest.importorskip("lxml")
    seconds = rivals.compare_on(LISTING, repeat=1, clock=ticking())
    assert {task for task, _ in seconds} == set(rivals.CONTESTS)
    trees = [(task, library) for task, library in seconds if task == "HTML to a tree"]
    assert ("HTML to a tree", "selectolax") in trees
    assert all(seconds[key] == 1.0 for key in trees)
    # Many pairs a call: seconds are those of one.
    pairs = seconds["edit distance of two records' tags", "fastwrap"]
    assert pairs < 1
    assert seconds["distance of two records' trees", "fastwrap"] == pairs
    found = rivals.results([seconds, {("HTML to text", "fastwrap"): 1.0, ("HTML to text", "lxml"): 3.0}])
    assert {result.multiple for result in found if result.library == "fastwrap"} == {1.0}
    [text] = [result for result in found if (result.task, result.library) == ("HTML to text", "lxml")]
    assert (text.pages, text.seconds, text.multiple) == (2, 2.0, 2.0)
    assert text.does == rivals.CONTESTS["HTML to text"]["lxml"].does
    assert "lxml" not in rivals.idle(found)
    assert rivals.idle([]) == [library for library in rivals.LIBRARIES if library not in rivals.missing()]


@pytest.mark.parametrize("library", ["zss", "apted"])
def test_trees_given_to_others_are_those_of_the_page(library: str) -> None:
    pytest.importorskip(library)
    example = rivals.Example(b"<ul>" + b"<li><b>Name</b> <i>1 EUR</i></li>" * 3 + b"<li><b>Name</b></li></ul>")
    spans = [[int(child), int(child + example.page.size[child])] for child in example.page.children(3)]
    one, _, _, other = rivals.trees_of(example.page, lambda name, children: (name, children), spans)
    text: tuple[str, list[object]] = ("#text", [])
    assert one == ("li", [("b", [text]), ("i", [text])])
    assert other == ("li", [("b", [text])])


def test_a_library_that_takes_long_is_not_asked_again() -> None:
    asked: list[str] = []
    works = {name: partial(asked.append, name) for name in ("slow", "slower")}
    assert rivals.race(works, repeat=5, clock=ticking(rivals.SECONDS)) == {"slow": 1.0, "slower": 1.0}
    assert asked == ["slow", "slower"]


def test_pages_without_records_have_nothing_to_compare_there() -> None:
    found = rivals.compare_on(b"<p>x", repeat=1)
    assert {task for task, library in found if library == "fastwrap"} == {
        "HTML to a tree", "HTML to text", "HTML to its main content",
    }  # fmt: skip


def test_json_is_plain_data_and_keeps_its_names() -> None:
    data = json.loads(json.dumps(figures.as_json(complete_run())))
    assert data["format"] == 1
    assert list(data) == [
        "format", "machine", "corpus", "repeat", "pages", "stages", "tasks", "bytes_a_node", "growth", "sizes",
        "threads", "memory", "rivals",
    ]  # fmt: skip
    assert [stage["name"] for stage in data["stages"]] == [PARSE, *STAGES]
    assert data["threads"][0]["speedups"] == {"1": 1.0, "2": 2.0, "4": 1.6}
    assert data["pages"][0]["tasks"][TEXTS] == 0.002
    assert data["memory"]["bytes_by_task"] == {PARSE: 500_000, TEXTS: 800_000}
    assert data["rivals"][1]["multiple"] == 2.5


def test_table_for_a_terminal() -> None:
    text = report.terminal(complete_run())
    assert "3 pages, 3,000 nodes, 150,000 bytes of HTML (made up); records found on 3" in text
    assert re.search(r"^texts +2 ms +2\.00 +3\.00 +0\.33 +17$", text, re.MULTILINE)
    assert re.search(r"^texts +2000000 +2000000 +2500000 +1\.25$", text, re.MULTILINE)
    assert re.search(r"^texts +1\.00 +2\.00 +1\.60$", text, re.MULTILINE)
    assert re.search(r"^ +lxml 6 +2\.5 ms +2\.50 +3 +all text$", text, re.MULTILINE)
    assert re.search(r"^texts: peak, one +800 +0\.8 MB$", text, re.MULTILINE)


def test_the_readme_has_the_table_of_markdown() -> None:
    made = report.markdown(complete_run())
    head = made.splitlines()[:2]
    assert head[1] == "|---|---|---|---|"
    assert "| `[r.texts for r in extract(b).records]` | 2.00 | 3.00 | 17 |" in made
    assert "Time a node at 100,000 nodes is 1.25 times that at 2,000." in made
    assert "Two threads: 2.00 times as fast as one (texts)." in made
    written = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "\n".join(head) in written
    for task in TASKS.values():
        assert re.search(rf"^\| `{re.escape(task)}` \| \d+\.\d\d \| \d+\.\d\d \| \d+ \|$", written, re.MULTILINE), task


def test_report_needs_nothing_else() -> None:
    html = report.html_report(complete_run())
    tree = LexborHTMLParser(html)
    assert [title.text() for title in tree.css("head title")] == ["fastwrap bench"]
    assert len(tree.css("svg")) == 4
    assert not tree.css("script, link, img, iframe, object, embed, [src], [href]")
    assert "url(" not in html
    assert "@import" not in html
    assert not tree.css("i, b")  # what names of pages and processors hold is text
    assert [cell for cell in tree.css("td") if cell.text() == "<i>two</i>"]
    assert len(tree.css("table.figures")) == 7
    bare = Run(machine=MACHINE, corpus="x", repeat=1, pages=[page_times("one", 0.001, 0.002)])
    assert len(LexborHTMLParser(report.html_report(bare)).css("svg")) == 3


def test_bars_on_a_logarithmic_scale() -> None:
    svg = bars([("slower", 100.0, 0), ("faster", 0.5, 1)], "times", 100, log=True)
    widths = [float(width) for width in re.findall(r'width="([\d.]+)"', svg)]
    starts = [float(start) for start in re.findall(r'<rect [^>]*x="([\d.]+)"', svg)]
    assert widths[0] > 3 * widths[1] > 0
    assert starts[1] + widths[1] == pytest.approx(starts[0], abs=0.2)  # one ends where the other begins: at 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.html").write_bytes(LISTING)
    (tmp_path / "corpus" / "deep.html").write_bytes(b"<div>" * 50_000)
    return tmp_path / "corpus"


def test_bench_writes_everything(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = folder.parent / "report.html"
    assert main(["bench", "--corpus", str(folder), "--repeat", "1", "--compare", "--json", "--html", str(made)]) == 0
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    assert [page["name"] for page in data["pages"]] == ["a.html"]
    assert data["corpus"] == str(folder)
    assert data["growth"] == {}
    assert [times["task"] for times in data["threads"]] == [TEXTS, WRAPPER, stages.JSON]
    assert {result["library"] for result in data["rivals"]} >= {"fastwrap", "selectolax"}
    assert "deep.html: the page nests" in captured.err
    assert made.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["bench", "--corpus", str(folder), "--repeat", "1", "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("| from bytes |")


def test_a_library_that_is_not_installed_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rivals, "missing", lambda: ["lxml", "trafilatura"])
    assert main(["bench", "--corpus", str(folder), "--repeat", "1", "--compare"]) == 0
    captured = capsys.readouterr()
    assert "not installed, so not compared: lxml, trafilatura (pip install 'fastwrap[bench]')" in captured.err
    assert "lxml" not in captured.out


def test_progress_shows_names_as_they_are(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress(2) as step:
        step("one.html")
        step("[/b]two\x1b[2J.html")  # the last one is drawn in any case
    captured = capsys.readouterr()
    assert "[/b]two [2J.html" in captured.err
    assert captured.out == ""


def test_bad_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--corpus", str(folder), "--html", str(folder / "none" / "a.html")]) == 2
    with pytest.raises(SystemExit) as stopped:
        main(["bench", "--json", "--markdown"])
    assert stopped.value.code == 2
    assert capsys.readouterr().out == ""


def test_a_run_without_a_readable_page(folder: Path) -> None:
    told: list[str] = []
    begun: list[str] = []
    assert running.measure_all([("deep", b"<div>" * 50_000)], "x", 1, False, begun.append, told.append) is None
    assert begun == ["deep"]
    assert "deep: the page nests" in told[0]
    assert running.steps(3, generated=True, compare=True) == 3 + len(pages.KINDS) + len(running.THREAD_TASKS) + 1 + 3
