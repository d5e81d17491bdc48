"""Chooses who computes: the compiled kernels (`_core`), or numba (`_numba`) where asked for or where the
compiled modules cannot be imported. FASTWRAP_BACKEND=cython or numba decides; read once, at import."""

from __future__ import annotations

import importlib
import importlib.util
import os
from functools import cache
from types import ModuleType

from fastwrap.errors import FastwrapError

CHOICES = ("cython", "numba")


@cache
def compiled() -> bool:
    """Whether the compiled modules can be imported here."""
    try:
        importlib.import_module("fastwrap._core.walk")
    except ImportError:
        return False
    return True


def chosen() -> str:
    """The backend that FASTWRAP_BACKEND asks for, or else what there is."""
    wanted = os.environ.get("FASTWRAP_BACKEND", "")
    if wanted and wanted not in CHOICES:
        raise FastwrapError(f"FASTWRAP_BACKEND is {wanted!r}: expected one of {', '.join(CHOICES)}")
    if wanted == "cython" and not compiled():
        raise FastwrapError("FASTWRAP_BACKEND is 'cython', but the compiled modules are not installed")
    return wanted or ("cython" if compiled() else "numba")


BACKEND = chosen()


def kernel(name: str) -> ModuleType:
    """The module of a kernel (matching, levenshtein, tag_path, contour) in the backend in use.

    >>> kernel("levenshtein").UNKNOWN
    -1
    """
    if BACKEND == "cython":
        return importlib.import_module(f"fastwrap._core.{name}")
    if importlib.util.find_spec("numba") is None:
        raise FastwrapError("the numba backend needs numba: pip install 'fastwrap[numba]'")
    return importlib.import_module(f"fastwrap._numba.{name}")
