"""The registry of limits: it has all that the engine names, no others, and a sentence for each."""

from __future__ import annotations

import re

import pytest

from fastwrap.common.backend import KERNELS
from fastwrap.limits import LIMITS, union
from tests.helpers.paths import ROOT

SOURCE = ROOT / "src" / "fastwrap"
ROOMS = sorted({name.split(".")[0] for name in LIMITS})
NAME = re.compile(rf"""["']((?:{"|".join(ROOMS)})\.(?!js["'])[a-z_]+)["']""")
"""A string such as "regions.edits", but not the name of a script, such as "columns.js"."""


def used() -> set[str]:
    """The names in all modules of the engine; kernels, and measures of the tools, have names like these, too."""
    files = [path for suffix in ("py", "pyx") for path in SOURCE.rglob(f"*.{suffix}")]
    return {
        name
        for path in files
        if path.name != "limits.py" and "tools" not in path.relative_to(SOURCE).parts
        for name in NAME.findall(path.read_text(encoding="utf-8"))
        if name not in KERNELS
    }


def test_every_limit_that_is_used_is_registered() -> None:
    assert used() - set(LIMITS) == set()


def test_every_limit_that_is_registered_is_used() -> None:
    assert set(LIMITS) - used() == set()


@pytest.mark.parametrize("name", LIMITS)
def test_a_sentence_says_what_it_means_and_what_to_do(name: str) -> None:
    assert re.fullmatch(r"[A-Z`][^\n]+: [^\n]+\.", LIMITS[name])


def test_a_union_has_each_limit_once_in_order() -> None:
    assert union([], ("b", "a"), ["a", "c"], ("b",)) == ("b", "a", "c")
    assert union() == ()
