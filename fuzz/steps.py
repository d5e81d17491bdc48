"""The way of a page through the library, step by step: what the attack times, and what must hold after each step.
A step ends with a result or with FastwrapError; `Run` notes what else happened, and where."""

from __future__ import annotations

import faulthandler
import os
import re
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import msgspec
from cases import Case

from fastwrap import Content, Extraction, FastwrapError, Page, Wrapper, clean, content, extract, learn
from fastwrap.output import write
from fastwrap.show import view
from fastwrap.structured import carried_prose

SECONDS = 2.0
"""Of processor time for one step: more is a finding."""

DEADLY_SECONDS = 20.0
"""After which the process ends itself."""

MEMORY = 1_000_000_000
"""Bytes that a case may make the process hold: more is a finding."""

NEVER_REFUSED = {
    "extract",
    "load",
    "dumps",
    "confidence",
    "records",
    "to_json",
    "to_dicts",
    "next_page",
    "content",
    "text",
    "markdown",
    "title and language",
    "nodes",
    "check",
    "fit",
}
"""Steps that must come to a result where those before them did: what was written can be read."""

MOST_REGIONS = 3
FORMATS = ("csv", "jsonl", "md", "html")
SELECTORS = ("to_css", "to_xpath", "to_scrapy")
FRAME = re.compile(r'File "([^"]+)", line \d+ in (.+)')


@dataclass
class Finding:
    """Something that must not happen."""

    kind: str
    """The name of an exception or a signal, "time" or "memory"."""
    step: str
    place: str
    """The innermost function of the library that was at work."""
    detail: str


@dataclass
class Outcome:
    """What a case came to."""

    number: int
    size: int
    seconds: dict[str, float] = field(default_factory=dict)
    """Of processor time, by step: the most that it took at once."""
    refused: Counter[str] = field(default_factory=Counter)
    """FastwrapError, by step."""
    memory: int = 0
    """The most bytes that the process held."""
    findings: list[Finding] = field(default_factory=list)


class Run:
    """One case."""

    def __init__(self, case: Case, number: int, folder: Path, stacks: IO[str]) -> None:
        self.case = case
        self.outcome = Outcome(number, len(case.page))
        self.folder = folder
        self.stacks = stacks
        """Where the stack is written to when a step takes too long."""

    def step(self, name: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Do one step; None if it did not come to a result."""
        start_watch(self.stacks, name)
        began = time.process_time()
        try:
            return function(*arguments, **options)
        except FastwrapError as error:
            self.outcome.refused[name] += 1
            if name in NEVER_REFUSED:
                reason = re.sub(r"\d+", "N", str(error))[:60]
                self.outcome.findings.append(Finding("refused", name, reason, traceback.format_exc()))
        except Exception as error:
            stack = traceback.format_exc()
            self.outcome.findings.append(Finding(type(error).__name__, name, place_in(error), stack))
        finally:
            seconds = time.process_time() - began
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.outcome.seconds[name] = max(seconds, self.outcome.seconds.get(name, 0))
            if seconds > SECONDS:
                stack = Path(self.stacks.name).read_text(encoding="utf-8")
                self.outcome.findings.append(
                    Finding("time", name, place_of(stack), f"{seconds:.1f} s of processor time\n{stack}")
                )
        return None

    def go(self) -> Outcome:
        """All steps."""
        reset_peak()
        case, step = self.case, self.step
        page: Page | None = step("Page", Page, case.page, case.url)
        second: Page | None = step("Page", Page, case.second, case.url)
        if page is not None:
            found = step("extract", extract, page, method=case.method, clean=case.clean, min_confidence=0)
            if found is not None:
                self.ask(found)
                step("next_page", lambda: found.next_page)
                form = FORMATS[self.outcome.number % len(FORMATS)]
                step(f"write {form}", write, found, self.folder / f"table.{form}")
                if not case.clean:
                    step("show", view, case.page, found)
            step("carried prose", carried_prose, page)
            cleaned = step("clean", clean, page)
            if cleaned is not None:
                step("selectors of nodes", lambda: (page.css_path(len(page) - 1), page.xpath(len(page) - 1)))
            kept = step("content", content, page)
            if kept is not None:
                self.ask_content(kept)
            self.through_a_wrapper([page], page)
        if page is not None and second is not None:
            self.through_a_wrapper([page, second], second)
        self.outcome.memory = peak()
        if self.outcome.memory > MEMORY:
            costly = max(self.outcome.seconds, key=self.outcome.seconds.__getitem__, default="")
            detail = f"{self.outcome.memory / 1e6:.0f} MB"
            self.outcome.findings.append(Finding("memory", costly, "", detail))
        return self.outcome

    def ask(self, found: Extraction) -> None:
        """Ask an extraction for all that it has."""
        step = self.step
        step("confidence", lambda: found.confidence)
        step("records", read_records, found)
        step("to_json", lambda: msgspec.json.decode(found.to_json()))
        step("to_dicts", lambda: (found.to_dicts(), found.limits, repr(found)))
        step("notebook", lambda: (found._repr_html_(), [dict(record) for record in found[:3]]))

    def ask_content(self, kept: Content) -> None:
        """Ask the content of a page for all that it has."""
        step = self.step
        step("text", lambda: (kept.text, len(kept), bool(kept), kept.limits))
        step("markdown", lambda: (kept.markdown, kept._repr_markdown_()))
        step("title and language", lambda: (kept.title, kept.language))
        step("nodes", lambda: [(node.text, node.path) for node in kept.nodes])

    def through_a_wrapper(self, pages: list[Page], page: Page) -> None:
        """Learn from pages, save and load; what is loaded reads a page as what was learned does."""
        step, path = self.step, self.folder / "wrapper.json"
        wrapper: Wrapper | None = step("learn", learn, pages)
        if wrapper is None or step("save", lambda: wrapper.save(path) or True) is None:
            return
        loaded: Wrapper | None = step("load", Wrapper.load, path)
        if loaded is None:
            return
        step("dumps", same_file, loaded, path)
        read = step("wrapper.extract", loaded.extract, page)
        if read is not None:
            self.ask(read)
            step("fit", lambda: (read.fit, read.skipped))
        step("check", same_check, wrapper, loaded, page)
        selectors = SELECTORS[self.outcome.number % len(SELECTORS)]
        step(selectors, getattr(wrapper, selectors))
        step(selectors, getattr(loaded, selectors), page)


def read_records(found: Extraction) -> None:
    """The table of the first regions: as many texts and values as columns, whose names differ."""
    for region in found.regions[:MOST_REGIONS]:
        dict(region.why)
        width = len(region.columns)
        assert len({column.name for column in region.columns}) == width
        for record in region.records:
            assert len(record.texts) == len(record.values) == width
            assert isinstance(record.text, str)
            assert repr(record)
            assert record.link is None or isinstance(record.link, str)
    assert 0 <= found.confidence <= 1


def same_file(loaded: Wrapper, path: Path) -> None:
    """What was read from a file is written as it was."""
    assert loaded.dumps() == path.read_text(encoding="utf-8")


def same_check(wrapper: Wrapper, loaded: Wrapper, page: Page) -> None:
    """A wrapper from a file finds a page to fit as the wrapper does that was learned."""
    assert loaded.check(page).fit == wrapper.check(page).fit


# Where the time goes, and the memory


def start_watch(stacks: IO[str], name: str) -> None:
    """From now on: the stack is written after SECONDS, and the process ends after DEADLY_SECONDS."""
    os.ftruncate(stacks.fileno(), 0)
    os.lseek(stacks.fileno(), 0, os.SEEK_SET)
    os.write(stacks.fileno(), f"step: {name}\n".encode())
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.setitimer(signal.ITIMER_VIRTUAL, DEADLY_SECONDS)


def prepare_watch(stacks: IO[str]) -> None:
    """Stacks are written where the process is, whatever it does: at a time limit, and at a crash."""
    faulthandler.enable(stacks, all_threads=False)
    faulthandler.register(signal.SIGPROF, stacks, all_threads=False)
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)


def place_in(error: BaseException) -> str:
    """The innermost function of the library that an exception went through."""
    return innermost([(frame.filename, frame.name) for frame in reversed(traceback.extract_tb(error.__traceback__))])


def place_of(stack: str) -> str:
    """The same of a stack that was written by faulthandler."""
    return innermost(FRAME.findall(stack))


def innermost(frames: list[tuple[str, str]]) -> str:
    """The first frame of the library that has a name; the first one at all where there is none."""
    ours = [frame for frame in frames if "fastwrap" in frame[0] and not frame[1].startswith("<")] or frames
    return f"{ours[0][0].rpartition('fastwrap/')[2]}:{ours[0][1]}" if ours else "unknown"


def reset_peak() -> None:
    """Count the most memory from now on (Linux)."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak() -> int:
    """The most memory that the process held since, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024
