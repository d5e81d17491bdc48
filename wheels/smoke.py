"""Tries an installed fastwrap: compiled, optimised, portable, and able to read a page.
Run by `build.py` in an environment that has nothing else."""

from __future__ import annotations

import subprocess
import sys
import warnings
from decimal import Decimal
from pathlib import Path

warnings.simplefilter("error")

import fastwrap  # noqa: E402
from fastwrap._core.common import build_info  # noqa: E402
from fastwrap.common import backend  # noqa: E402
from fastwrap.similarity import measures  # noqa: E402
from fastwrap.types import Money  # noqa: E402


def expect(found: object, wanted: object) -> None:
    """Stop with what differs."""
    if found != wanted:
        raise SystemExit(f"smoke test: found {found!r}, expected {wanted!r}")


source = Path(__file__).resolve().parent.parent / "src"
expect(source in Path(fastwrap.__file__).resolve().parents, False)
expect(backend.BACKEND, "cython")
expect((build_info.OPTIMISED, build_info.PORTABLE, build_info.ADDRESS_SANITIZER), (True, True, False))
page = fastwrap.Page("<ul>" + "<li><a href=/1>one</a> <b>1.00</b></li>" * 5 + "</ul>")
items = list(page.children(3))
expect(page.text(items[0]), "one 1.00")
expect(measures.tree_distance(page, items[:-1], items[1:]).tolist(), [0.0] * 4)
expect(fastwrap.clean(page).text().count("one"), 5)
html = "<ul>" + "".join(f"<li><a href=/{k}>Name {k}</a> <b>{k}.50 EUR</b></li>" for k in range(5)) + "</ul>"
found = fastwrap.extract(html)
expect([record.texts for record in found.records][4], ["/4", "Name 4", "4.50 EUR"])
expect(found.records[4].values[2], Money(Decimal("4.50"), "EUR"))
wrapper = fastwrap.Wrapper.loads(fastwrap.learn(html).dumps())
expect([record.texts for record in wrapper.extract(html).records], [record.texts for record in found.records])
examples = source.parent / "examples"
command = [sys.executable, "-m", "fastwrap.cli", "bench", "--repeat", "1", "--corpus", str(examples)]
expect("wrapper texts" in subprocess.run(command, capture_output=True, text=True, check=True).stdout, True)
print(f"smoke test passed: fastwrap {fastwrap.__version__}, {build_info.COMPILER}")
