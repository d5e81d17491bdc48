"""Chooses who computes the three kernels that exist twice: compiled C (`_core`), or numba (`_numba`).
FASTWRAP_BACKEND=cython or numba decides, cython if it is not set; read once, at import."""

from __future__ import annotations

import importlib
import importlib.util
import os
from types import ModuleType

from fastwrap.errors import FastwrapError

CHOICES = {"cython": "_core", "numba": "_numba"}
"""The backends, and the packages that they are in."""

KERNELS = ("similarity.matching", "similarity.levenshtein", "noise.tag_path")
"""The kernels that both backends have; all others are compiled C."""


def chosen() -> str:
    """The backend that FASTWRAP_BACKEND asks for."""
    wanted = os.environ.get("FASTWRAP_BACKEND") or "cython"
    if wanted not in CHOICES:
        raise FastwrapError(f"FASTWRAP_BACKEND is {wanted!r}: expected one of {', '.join(CHOICES)}")
    if wanted == "numba" and importlib.util.find_spec("numba") is None:
        raise FastwrapError("FASTWRAP_BACKEND is 'numba', which is not installed: pip install 'fastwrap[numba]'")
    return wanted


BACKEND = chosen()


def kernel(name: str) -> ModuleType:
    """The module of one of KERNELS in the backend in use.

    >>> kernel("similarity.levenshtein").UNKNOWN
    -1
    """
    return importlib.import_module(f"fastwrap.{CHOICES[BACKEND]}.{name}")
