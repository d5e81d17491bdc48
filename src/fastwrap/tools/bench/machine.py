"""Describes the machine that figures were taken on, and the versions of what ran there.
A figure without them cannot be compared with another."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
from pathlib import Path

from fastwrap._version import __version__


def describe() -> dict[str, str]:
    """What ran where, by name.

    >>> list(describe())
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
        "selectolax": version_of("selectolax"),
        "numpy": version_of("numpy"),
    }


def version_of(package: str) -> str:
    """The version of a package; fastwrap's own is known where it is not installed, too."""
    return __version__ if package == "fastwrap" else importlib.metadata.version(package)


def cpu() -> str:
    """The model of the processor, as far as the system tells."""
    try:
        model = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        model = None
    return model[1] if model else platform.processor() or platform.machine()
