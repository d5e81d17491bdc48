"""Builds the native kernels of `fastwrap._core`: one extension module a `.pyx` file.

FASTWRAP_DEBUG=1  bounds checks and sanitizers (addresses, undefined behaviour) instead of -O3 (`make test-debug`)
FASTWRAP_PURE=1   no compiled module at all: the numba backend and the public-API walk do the work
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

DEBUG = os.environ.get("FASTWRAP_DEBUG") == "1"
PURE = os.environ.get("FASTWRAP_PURE") == "1"

# What is shipped must run on any x86_64, so a build machine's own instruction set is refused, not ignored.
FORBIDDEN_FLAGS = ("-march=native", "-mtune=native", "-Ofast", "-ffast-math")


def compile_flags() -> tuple[list[str], list[str]]:
    """Compiler and linker flags; `fastwrap._core.build_info` tells afterwards which ones took effect."""
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
    # -g0: the wheels need no debug sections; hidden: no symbol but the module's entry point.
    return ["-O3", "-g0", "-fvisibility=hidden"], []


def extensions() -> list[Extension]:
    if PURE:
        return []
    from Cython.Build import cythonize

    compile_args, link_args = compile_flags()
    modules = [
        Extension(
            f"fastwrap._core.{source.stem}",
            [str(source)],
            extra_compile_args=compile_args,
            extra_link_args=link_args,
        )
        for source in sorted(Path("src/fastwrap/_core").glob("*.pyx"))
    ]
    return cythonize(  # type: ignore[no-any-return, no-untyped-call]
        modules,
        build_dir="build/cython-debug" if DEBUG else "build/cython",
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


setup(ext_modules=extensions())
