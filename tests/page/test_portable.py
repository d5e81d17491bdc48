"""The reader makes the same of a page however it looks at bytes: by the machine's own instructions, or in plain C."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.paths import ROOT
from tests.reference.html import html
from tests.reference.soups import soups

KERNELS, TABLES = ROOT / "src/fastwrap/_core/page", ROOT / "build/generated"
COMPILER = shutil.which("gcc") or shutil.which("cc")

pytestmark = pytest.mark.skipif(
    COMPILER is None or not (TABLES / "tables.h").exists(), reason="needs a C compiler, and a build in this folder"
)
Digest = Callable[[bytes, int, int], int]


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Digest]:
    """By what looks at sixteen bytes at a time, the function that makes one number of a page."""
    made: dict[str, Digest] = {}
    for name, flags in (("own", []), ("portable", ["-DFASTWRAP_PORTABLE"])):
        target: Path = tmp_path_factory.mktemp("builds") / f"{name}.so"
        source = Path(__file__).with_name("reader_digest.c")
        command = [
            COMPILER,
            "-O1",
            "-w",
            "-shared",
            "-fPIC",
            *flags,
            f"-I{KERNELS}",
            f"-I{TABLES}",
            source,
            "-o",
            target,
        ]
        subprocess.run([str(part) for part in command], check=True)
        library = ctypes.CDLL(str(target))
        library.simd.restype = ctypes.c_char_p
        library.digest.restype = ctypes.c_uint64
        library.digest.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
        made[library.simd().decode() if name == "own" else "none"] = library.digest
    return made


def assert_same(builds: dict[str, Digest], page: bytes) -> None:
    for wanted in range(4):  # the arrays, the whole tree, tokens, preformatted texts
        assert len({digest(page, len(page), wanted) for digest in builds.values()}) == 1


@settings(max_examples=1_000)
@given(page=st.one_of(soups, html.map(str.encode), st.binary(max_size=200)))
def test_builds_agree_on_random_pages(builds: dict[str, Digest], page: bytes) -> None:
    assert_same(builds, page)


def test_builds_agree_on_the_examples(builds: dict[str, Digest], example: bytes) -> None:
    assert_same(builds, example)
    for end in range(len(example) - 200, len(example)):
        assert_same(builds, example[:end])
