"""Runs all measurements one after the other and puts them together, with what the machine is.
Pages that cannot be read are left out and told; no page stops a run."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from fastwrap._version import __version__
from fastwrap.errors import FastwrapError
from fastwrap.tools.bench import memory, rivals, scaling, stages
from fastwrap.tools.bench.figures import Run
from fastwrap.tools.bench.pages import KINDS, SIZES

THREAD_PAGES = 20_000
"""Nodes of the pages that threads share: a larger one would keep one of them busy while the others are done."""

THREAD_TASKS = (stages.TEXTS, stages.WRAPPER, stages.JSON)


def steps(pages: int, generated: bool, compare: bool) -> int:
    """How many steps a run has at most."""
    return pages + len(KINDS) * generated + len(THREAD_TASKS) + 1 + min(pages, rivals.MOST_PAGES) * compare


def measure_all(
    pages: Sequence[tuple[str, bytes]],
    corpus: str | None,
    repeat: int,
    compare: bool,
    step: Callable[[str], None],
    tell: Callable[[str], None],
) -> Run | None:
    """Measure everything; None where no page can be read. `corpus` is None for the pages that are generated, with
    which sizes are measured, too. `step` is called before each step, `tell` with what is wrong with a page."""
    timed, readable = [], []
    for name, html in pages:
        step(name)
        try:
            timed.append(stages.measure(name, html, repeat))
            readable.append((name, html))
        except FastwrapError as error:
            tell(f"{name}: {error}")
    if not timed:
        return None
    sizes = []
    for kind in KINDS if corpus is None else ():
        step(f"sizes: {kind}")
        sizes.append(scaling.measure_sizes(kind, SIZES, repeat))
    shared = [html for page, (_, html) in zip(timed, readable, strict=True) if page.nodes <= THREAD_PAGES]
    threads = []
    for task in THREAD_TASKS if shared else ():
        step(f"threads: {task}")
        threads.append(scaling.measure_threads(shared, task, repeat))
    step("memory")
    largest = max(range(len(timed)), key=lambda number: timed[number].nodes)
    peaks = None
    try:
        peaks = memory.measure(timed[largest].nodes, *readable[largest])
    except FastwrapError as error:
        tell(str(error))
    compared = []
    for name, html in rivals.chosen(readable) if compare else ():
        step(f"other libraries: {name}")
        compared.append(rivals.compare_on(html, repeat))
    results = rivals.results(compared)
    if compared and (idle := rivals.idle(results)):
        tell(f"on none of the pages could anything be compared with {', '.join(idle)}")
    return Run(machine(), corpus or "generated", repeat, timed, sizes, threads, peaks, results)


def machine() -> dict[str, str]:
    """What runs where, by name: figures can be compared only with those of the same machine and versions.

    >>> list(machine())
    ['cpu', 'cores', 'system', 'python', 'fastwrap', 'compiler', 'selectolax', 'numpy']
    """
    from fastwrap._core.common.build_info import COMPILER
    from fastwrap.common.backend import BACKEND

    lock = "" if getattr(sys, "_is_gil_enabled", lambda: True)() else ", without the global lock"
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return {
        "cpu": cpu(),
        "cores": str(cores),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}{lock}",
        "fastwrap": f"{__version__} ({BACKEND})",
        "compiler": COMPILER,
        "selectolax": version("selectolax"),
        "numpy": version("numpy"),
    }


def cpu() -> str:
    """The model of the processor, as far as the system tells."""
    try:
        model = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        model = None
    return model[1] if model else platform.processor() or platform.machine()
