"""The choice of backend: by environment, for exactly the kernels that both have, with the same results."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import subprocess
import sys

import pytest

import fastwrap._numba
from fastwrap.common import backend
from fastwrap.errors import FastwrapError
from tests.conftest import EXAMPLES

SAME_RESULTS = """
import json, pathlib, sys
from fastwrap import Page, clean, extract
from fastwrap.common import backend
from fastwrap.similarity import measures
page = Page(pathlib.Path(sys.argv[1]).read_bytes())
nodes = [n for n in range(len(page)) if 5 < page.size[n] < 60][:40]
print(json.dumps([backend.BACKEND, measures.tree_matching(page, nodes[:-1], nodes[1:]).tolist(),
    measures.tree_mapping(page, nodes[0], nodes[1]).tolist(),
    measures.tag_edits(page, nodes[:-1], nodes[1:]).tolist(),
    measures.name_edits(page, nodes[:-1], nodes[1:]).tolist(), clean(page).origin.tolist()]
    + [[record.texts for record in extract(page, method=method).records] for method in ("mdr", "depta", "signal")]))
"""


def run(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", code, *arguments],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


def signatures(module: object) -> dict[str, list[str]]:
    """The public functions of a module and the names of their parameters."""
    functions = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return {
        name: [*inspect.signature(value).parameters]
        for name, value in functions.items()
        if getattr(value, "__module__", None) == getattr(module, "__name__", "") and inspect.isroutine(value)
    }


@pytest.mark.parametrize("name", backend.KERNELS)
def test_both_backends_have_the_same_functions(name: str) -> None:
    pytest.importorskip("numba")
    compiled = importlib.import_module(f"fastwrap._core.{name}")
    jitted = importlib.import_module(f"fastwrap._numba.{name}")
    wanted = signatures(compiled)
    assert wanted
    for function, parameters in wanted.items():
        assert signatures(jitted).get(function) == parameters, function
    constants = [constant for constant in vars(compiled) if constant.isupper()]
    for constant in constants:
        assert getattr(jitted, constant) == getattr(compiled, constant)


def test_numba_covers_these_kernels_and_no_others() -> None:
    modules = list(pkgutil.walk_packages(fastwrap._numba.__path__, "fastwrap._numba."))
    kernels = {module.name.removeprefix("fastwrap._numba.") for module in modules if not module.ispkg}
    assert kernels - {"similarity.pairs"} == set(backend.KERNELS)


def test_an_unknown_backend_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTWRAP_BACKEND", "rust")
    with pytest.raises(FastwrapError, match="'rust': expected one of cython, numba"):
        backend.chosen()
    done = run("import fastwrap; fastwrap.clean(fastwrap.Page('<p>x'))", FASTWRAP_BACKEND="rust")
    assert done.returncode == 1
    assert "FASTWRAP_BACKEND is 'rust': expected one of cython, numba" in done.stderr


def test_cython_is_what_nobody_needs_to_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for unset in ("", None):
        if unset is None:
            monkeypatch.delenv("FASTWRAP_BACKEND")
        else:
            monkeypatch.setenv("FASTWRAP_BACKEND", unset)
        assert backend.chosen() == "cython"


def test_numba_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTWRAP_BACKEND", "numba")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(FastwrapError, match=r"pip install 'fastwrap\[numba\]'"):
        backend.chosen()


def test_the_same_results_by_either_backend() -> None:
    pytest.importorskip("numba")
    page = str(EXAMPLES[0])
    compiled, jitted = run(SAME_RESULTS, page), run(SAME_RESULTS, page, FASTWRAP_BACKEND="numba")
    for name, done in (("cython", compiled), ("numba", jitted)):
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        assert done.stdout.startswith(f'["{name}"')
    assert compiled.stdout.partition(",")[2] == jitted.stdout.partition(",")[2]


def test_numba_is_not_imported_unasked() -> None:
    done = run("import sys, fastwrap; fastwrap.clean(fastwrap.Page('<p>x')); print('numba' in sys.modules)")
    assert done.stdout == "False\n", done.stderr
