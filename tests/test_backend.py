"""The choice of backend: by environment, by what is there, and both with the same functions."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys

import pytest

from fastwrap.common import backend
from fastwrap.errors import FastwrapError

KERNELS = ("matching", "levenshtein", "tag_path", "contour")

SAME_RESULTS = """
import json, pathlib, sys
from fastwrap import Page, clean
from fastwrap.common import backend
from fastwrap.similarity import measures as kernels
page = Page(pathlib.Path(sys.argv[1]).read_bytes())
nodes = [n for n in range(len(page)) if 5 < page.size[n] < 60][:40]
print(json.dumps([backend.BACKEND, kernels.tree_matching(page, nodes[:-1], nodes[1:]).tolist(),
    kernels.tree_mapping(page, nodes[0], nodes[1]).tolist(),
    kernels.tag_edits(page, nodes[:-1], nodes[1:]).tolist(), clean(page).origin.tolist(),
    page.path_symbol.tolist(), page.hidden.tolist()]))
"""

HIDE_COMPILED = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("fastwrap._core."):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hidden())
"""


def run(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", code, *arguments],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


@pytest.mark.parametrize("name", KERNELS)
def test_both_backends_have_the_same_functions(name: str) -> None:
    pytest.importorskip("numba")
    compiled = importlib.import_module(f"fastwrap._core.{name}")
    jitted = importlib.import_module(f"fastwrap._numba.{name}")
    public = [
        attribute
        for attribute, value in vars(compiled).items()
        if not attribute.startswith("_") and not inspect.ismodule(value) and (callable(value) or attribute.isupper())
    ]
    assert public
    for attribute in public:
        assert hasattr(jitted, attribute), attribute


def test_an_unknown_backend_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTWRAP_BACKEND", "rust")
    with pytest.raises(FastwrapError, match="'rust': expected one of cython, numba"):
        backend.chosen()


def test_compiled_modules_that_are_missing_are_an_error_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "compiled", lambda: False)
    monkeypatch.setenv("FASTWRAP_BACKEND", "cython")
    with pytest.raises(FastwrapError, match="not installed"):
        backend.chosen()
    monkeypatch.delenv("FASTWRAP_BACKEND")
    assert backend.chosen() == "numba"


def test_numba_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "BACKEND", "numba")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(FastwrapError, match=r"pip install 'fastwrap\[numba\]'"):
        backend.kernel("matching")


def test_same_results_without_any_compiled_module() -> None:
    """As on a platform without a wheel or a compiler: public-API walk, plain symbols, numba kernels."""
    pytest.importorskip("numba")
    from tests.conftest import EXAMPLES

    page = str(EXAMPLES[0])
    native = run(SAME_RESULTS, page)
    assert native.returncode == 0, native.stderr
    assert native.stderr == ""
    jitted = run(SAME_RESULTS, page, FASTWRAP_BACKEND="numba")
    hidden = run(HIDE_COMPILED + SAME_RESULTS, page)
    assert hidden.stderr.count("reads pages through the slower public API: the compiled modules are not installed") == 1
    results = [native.stdout.partition(",")[2], jitted.stdout.partition(",")[2], hidden.stdout.partition(",")[2]]
    assert native.stdout.startswith('["cython"')
    assert jitted.stdout.startswith('["numba"'), jitted.stderr
    assert hidden.stdout.startswith('["numba"'), hidden.stderr
    assert results[0] == results[1] == results[2]
