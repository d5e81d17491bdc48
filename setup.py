"""Builds the native kernels of `fastwrap._core`: one extension module for each `.pyx` file, all cores at work.

FASTWRAP_DEBUG=1  bounds checks and sanitizers (addresses, undefined behaviour) instead of -O3 (`make test-debug`)
"""

import os
import runpy
import sys
from pathlib import Path

from setuptools import Extension, setup

DEBUG = os.environ.get("FASTWRAP_DEBUG") == "1"
SOURCE = Path("src")
TABLES = Path("build/generated/tables.h")
"""What `fastwrap/_core/page/tables.py` writes for the compiler."""
SHARED = "fastwrap._core.common._cyutility"
"""What Cython would otherwise write into every module that has a typed memoryview: some 30,000 lines of C each."""

# What is shipped must run on any x86_64, so a build machine's own instruction set is refused, not ignored.
FORBIDDEN_FLAGS = ("-march=native", "-mtune=native", "-Ofast", "-ffast-math")


def compile_flags() -> tuple[list[str], list[str]]:
    """Compiler and linker flags; `fastwrap._core.common.build_info` tells afterwards which ones took effect."""
    given = os.environ.get("CFLAGS", "").split()
    refused = [flag for flag in FORBIDDEN_FLAGS if flag in given]
    if refused:
        raise SystemExit(f"fastwrap: refusing to build with {' '.join(refused)}: take it out of CFLAGS")
    if sys.platform == "win32":
        return (["/Od", "/Zi"], []) if DEBUG else (["/O2"], [])
    if DEBUG:
        flags = ["-O1", "-g", "-UNDEBUG", "-fno-omit-frame-pointer"]
        if "clang" in os.environ.get("CC", ""):  # for the fuzzer, whose runtime has AddressSanitizer alone
            return [*flags, "-fsanitize=address"], ["-fsanitize=address", "-shared-libasan"]
        sanitizers = "-fsanitize=address,undefined"
        return [*flags, sanitizers, "-fno-sanitize-recover=undefined"], [sanitizers]
    # -g0, -s: the wheels need no debug sections and no symbol table; hidden: no symbol but the module's entry point.
    return ["-O3", "-g0", "-fvisibility=hidden"], [] if sys.platform == "darwin" else ["-s"]


def write_tables() -> None:
    """The tables of names and character references that the reader is compiled with; left alone if nothing changed."""
    names = runpy.run_path(str(SOURCE / "fastwrap/page/names.py"))
    written = runpy.run_path(str(SOURCE / "fastwrap/_core/page/tables.py"))["written"](names)
    TABLES.parent.mkdir(parents=True, exist_ok=True)
    if not TABLES.exists() or TABLES.read_text() != written:
        TABLES.write_text(written)


def headers_of(source: str) -> list[str]:
    """What a module is built from besides its own source."""
    folder = Path(source).parent
    headers = sorted(folder.glob("*.h")) if source.endswith(".pyx") else []
    return [str(header) for header in headers] + ([str(TABLES)] if headers else [])


def extensions() -> list[Extension]:
    """Every `.pyx` file as a module of the name of its path, and the module of what they share."""
    from Cython.Build import cythonize

    write_tables()
    compile_args, link_args = compile_flags()
    build_dir = Path("build/cython-debug" if DEBUG else "build/cython")
    sources = {
        ".".join(source.relative_to(SOURCE).with_suffix("").parts): str(source)
        for source in sorted(SOURCE.glob("fastwrap/_core/*/*.pyx"))
    }
    sources[SHARED] = str(SOURCE / Path(*SHARED.split(".")).with_suffix(".c"))
    return cythonize(  # type: ignore[no-any-return, no-untyped-call]
        [
            Extension(
                name,
                [source],
                include_dirs=[str(Path(source).parent), str(TABLES.parent)],
                depends=headers_of(source),
                extra_compile_args=compile_args,
                extra_link_args=link_args,
            )
            for name, source in sources.items()
        ],
        build_dir=str(build_dir),
        nthreads=os.cpu_count() or 1,
        shared_utility_qualified_name=SHARED,
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": DEBUG,
            "cdivision": True,
            "freethreading_compatible": True,
            "embedsignature": True,
        },
    )


if __name__ == "__main__":  # the processes that write C import this file, and must not build
    setup(ext_modules=extensions(), options={"build_ext": {"parallel": os.cpu_count() or 1}})
