"""The check of Lexbor's memory layout: accepts the one there is, refuses any other, and never crashes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fastwrap._core.page import layout
from fastwrap._core.page.layout import Layout, LayoutError, Memory
from fastwrap._core.page.walk import OFFSETS, walk
from fastwrap.page.names import ATTRIBUTES


def test_the_layout_holds() -> None:
    assert isinstance(layout.verified(), Layout)


@pytest.mark.parametrize("field", sorted(OFFSETS))
@pytest.mark.parametrize("shift", [-8, 8, 64, 4096])
def test_a_field_elsewhere_is_noticed(field: str, shift: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever single field moves, the check says so; it survives whatever it finds there."""
    if OFFSETS[field] + shift < 0:
        return
    monkeypatch.setitem(OFFSETS, field, OFFSETS[field] + shift)
    layout.verified.cache_clear()
    try:
        assert isinstance(layout.verified(), LayoutError)
    finally:
        monkeypatch.undo()
        layout.verified.cache_clear()
        assert isinstance(layout.verified(), Layout)


def test_names_that_are_not_all_there_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser drops the second of two equal names, which would shift the numbers of those after it."""
    monkeypatch.setattr(layout, "ATTRIBUTES", (*ATTRIBUTES, "ID"))
    with Memory() as memory, pytest.raises(LayoutError, match="attributes"):
        layout.attribute_table(memory)


def test_no_address_is_no_crash() -> None:
    known = layout.verified()
    assert isinstance(known, Layout)
    with pytest.raises(ValueError, match="no element"):
        walk(0, known.tags, known.attributes, known.type_name, {})


@pytest.mark.parametrize("address", [0, 8, 1 << 20, (1 << 47) - 4096, 1 << 60])
def test_an_address_that_is_not_mapped_is_an_error(address: int) -> None:
    with Memory() as memory, pytest.raises((OSError, LayoutError)):
        memory.read(address, 8)


def test_nothing_is_left_open() -> None:
    code = (
        "import os\n"
        "from fastwrap._core.page import layout\n"
        "before = set(os.listdir('/proc/self/fd'))\n"
        "assert isinstance(layout.verified(), layout.Layout)\n"
        "print(len(set(os.listdir('/proc/self/fd')) - before))\n"
    )
    if not sys.platform.startswith("linux"):
        pytest.skip("counts open files through /proc")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
