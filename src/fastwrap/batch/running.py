"""A batch run: workers take parts from the plan, and what they have done is recorded in the manifest.
Each part is in the output once or not at all, whenever the run is stopped; it goes on where it was."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from fastwrap.batch.manifest import Manifest
from fastwrap.batch.parts import Result, Task
from fastwrap.batch.plan import Chain, Plan, identity
from fastwrap.batch.reading import Reading
from fastwrap.batch.sources import Source, check_inputs, sources_of
from fastwrap.batch.worker import Read, Worker
from fastwrap.batch.writing import take_names
from fastwrap.errors import FastwrapError

ENGINES = ("local", "ray")

WAIT_SECONDS = 1.0
"""A worker that has waited for a part so long lets others have its place."""

LAG = 16
"""With `auto_site`, a part uses the wrappers that were learned so many parts before it, and earlier. More where there
are more workers: each may be at work on a part meanwhile."""


class Works(Protocol):
    """Whatever works on one part at a time: a process of this machine, or of a cluster."""

    restarts: int

    def begin(self, task: Task) -> Read:
        """Have a part read; how far it reaches."""

    def finish(self) -> Result:
        """What has become of the part."""

    def rest(self) -> None:
        """Make room for other workers that have none, as long as there is nothing to do."""

    def close(self, kill: bool = False) -> None:
        """End it."""


@dataclass
class Summary:
    """What a run has done so far, the parts of earlier runs of the same output included."""

    parts: int = 0
    pages: int = 0
    records: int = 0
    errors: int = 0
    skipped: int = 0
    """What is no page: other members of archives, other records of WARCs."""
    unfit: int = 0
    """Pages that no wrapper fitted, where there were any."""
    wrappers: int = 0
    """Wrappers that were learned, ..."""
    drifted: int = 0
    """... and those of them that were learned because another one had drifted."""
    bytes: int = 0
    """Of the output."""
    consumed: int = 0
    """Bytes of the input that are done with."""
    seconds: float = 0.0
    """Of processor time of the workers."""
    restarts: int = field(default=0, compare=False)
    """Workers that were started again."""

    def add(self, part: dict[str, Any]) -> None:
        """Count a part, as it was recorded."""
        self.parts += 1
        for name in ("pages", "records", "errors", "skipped", "unfit", "consumed", "seconds"):
            setattr(self, name, getattr(self, name) + part[name])
        self.bytes += sum(file["bytes"] for file in part["files"])
        self.wrappers += len(part["wrappers"])
        self.drifted += sum(wrapper["why"] == "drift" for wrapper in part["wrappers"])


Tell = Callable[[Summary], None]
"""Is told how far the run is, after each part."""


def run(
    inputs: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    reading: Reading | None = None,
    *,
    engine: str = "local",
    workers: int | None = None,
    resume: bool = False,
    tell: Tell | None = None,
) -> Summary:
    """Extract the pages of files, folders and archives into a folder of Parquet or JSON lines.

    `inputs` are names of files and folders, and patterns. `out` is a folder that is made, or that of a run that is to
    go on (`resume`): pages that are done are not read again. `reading` says how pages are read and written. `engine` is
    "local" for processes of this machine, or "ray" for those of a Ray cluster: the one that is connected, or that
    RAY_ADDRESS names, or else one of this machine. All its nodes must see the inputs and `out` by the same names.
    `workers` is the number of processes, by default one for each core. FastwrapError if the run cannot begin or cannot
    go on, as where the disk is full; what a page does is a row in `errors`.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "one.html").write_text("".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(9)))
    >>> run([folder / "one.html"], folder / "out", Reading(format="jsonl"), workers=1).records
    9
    """
    if workers is not None and workers < 1:
        raise FastwrapError(f"workers is {workers}: expected 1 or more")
    if engine not in ENGINES:
        raise FastwrapError(f"there is no engine {engine!r}: choose {' or '.join(ENGINES)}")
    reading = Reading() if reading is None else reading
    if reading.wrappers:
        reading.given  # noqa: B018 - a file that is no wrapper is told before anything is written
    folder = os.path.abspath(out)
    names = [os.fspath(name) for name in inputs]
    check_inputs(names)
    there, make = engine_of(engine)
    count = there if workers is None else workers
    sources = sources_of(names, folder)
    described = {"inputs": names, "lag": max(LAG, 2 * count), **reading.described()}
    manifest = Manifest(folder, described, resume)
    try:
        return Run(manifest, reading, sources, tell).go([make(folder, reading) for _ in range(count)])
    finally:
        manifest.close()


def engine_of(name: str) -> tuple[int, Callable[[str, Reading], Works]]:
    """How many workers an engine has room for, and what makes one."""
    if name == "local":
        return cores(), Worker
    from fastwrap.batch.ray_workers import RayWorker, connected

    return connected(), RayWorker


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Run:
    """One run, from where the manifest stands."""

    def __init__(self, manifest: Manifest, reading: Reading, sources: Iterable[Source], tell: Tell | None) -> None:
        self._manifest = manifest
        self._plan = Plan(sources, dict(manifest.parts), manifest.run["lag"] if reading.auto_site else None)
        self._tell = tell
        self._lock = threading.Lock()
        """Of the manifest and the summary."""
        self.summary = Summary()
        for part in manifest.parts.values():
            self.summary.add(part)

    def go(self, workers: Sequence[Works]) -> Summary:
        """Work on all parts that are left."""
        threads = [threading.Thread(target=self._work, args=(worker,), daemon=True) for worker in workers]
        begun = time.monotonic()
        try:
            if self._tell is not None:
                self._tell(self.summary)
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.5)
        except BaseException as error:  # such as KeyboardInterrupt: no part is begun any more
            self._plan.fail(error)
            raise
        finally:
            for worker in workers:
                with suppress(Exception):
                    worker.close(kill=self._plan.failed is not None)
        if self._plan.failed is not None:
            raise self._plan.failed
        self._plan.check_done()
        totals = asdict(self.summary)
        self._manifest.finish(totals | {"elapsed": round(time.monotonic() - begun, 3)})
        return self.summary

    def _work(self, worker: Works) -> None:
        """What a thread does: one part after the other, by one worker."""
        try:
            taken = None
            while taken is not None or not self._plan.is_over:
                if taken is None:
                    taken = self._plan.take(WAIT_SECONDS)
                if taken is None:
                    worker.rest()
                    continue
                task, chain = taken
                read = worker.begin(task)
                self._has_read(task, chain, read)
                taken = self._plan.take_ahead()
                self._record(task, chain, read, worker.finish(), worker)
        except BaseException as error:  # told by the thread that waits for this one
            self._plan.fail(error)

    def _has_read(self, task: Task, chain: Chain, read: Read) -> None:
        if task.reach is None:
            self._plan.has_read(chain, read.end)

    def _record(self, task: Task, chain: Chain, read: Read, result: Result, worker: Works) -> None:
        """Give the files of a part their names, and record it: from then on it is done."""
        take_names(self._manifest.folder, result.files)
        entry = {
            "source": chain.source.name, "from": identity(chain.source), "start": task.start, "end": read.end,
            "pages": result.pages, "records": result.records, "errors": result.errors, "skipped": read.skipped,
            "unfit": result.unfit, "consumed": read.consumed, "seconds": round(result.seconds, 3),
            "files": [{"name": file.name, "rows": file.rows, "bytes": file.bytes} for file in result.files],
            "wrappers": [learned._asdict() for learned in result.learned],
        }  # fmt: skip
        with self._lock:
            self._manifest.record(task.number, entry)
            self.summary.add(entry)
            self.summary.restarts += worker.restarts
            worker.restarts = 0
            if self._tell is not None:
                self._tell(self.summary)
        self._plan.has_done(task.number)


def size_of(inputs: Iterable[str], out: str | os.PathLike[str]) -> int:
    """The bytes of all inputs of a run."""
    return sum(source.size for source in sources_of(inputs, os.path.abspath(out)))
