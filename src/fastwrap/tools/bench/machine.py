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

CPU_FILE = Path("/proc/cpuinfo")


def describe() -> dict[str, str]:
    """What ran where, by name.

    >>> list(describe())
    ['cpu', 'cores', 'system', 'python', 'fastwrap', 'compiler', 'selectolax', 'numpy']
    """
    from fastwrap._core.common.build_info import COMPILER
    from fastwrap.common.backend import BACKEND

    lock = "" if getattr(sys, "_is_gil_enabled", lambda: True)() else ", without the global lock"
    return {
        "cpu": cpu(),
        "cores": str(usable_cores()),
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
        found = re.search(r"^model name\s*:\s*(.+)$", CPU_FILE.read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def usable_cores() -> int:
    """The cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
