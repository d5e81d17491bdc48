#!/usr/bin/env bash
# Makes what fuzz/run.sh needs, away from the ordinary build: an environment with Atheris (.venv-fuzz), and a copy of
# the source whose kernels are compiled by clang for AddressSanitizer and libFuzzer's coverage (build/fuzz/tree).
# Needs clang and its sanitizers (Debian: clang libclang-rt-14-dev) and a Python that Atheris has a wheel for (3.11).
set -euo pipefail
cd "$(dirname "$0")/.."
[ -d .venv-fuzz ] || "${PYTHON:-python3}" -m venv .venv-fuzz
bin=$PWD/.venv-fuzz/bin
"$bin/python" -m pip install --quiet --upgrade "pip>=25.1" "setuptools>=77" "cython>=3.1,<4" "atheris>=3" \
    numpy selectolax w3lib chardetng-py msgspec
tree=build/fuzz/tree
mkdir -p "$tree"
cp -r setup.py pyproject.toml README.md LICENSE src "$tree"
find "$tree/src" \( -name '*.so' -o -name '__pycache__' \) -prune -exec rm -rf {} +
cd "$tree"
# No sanitizer is linked: Atheris's own, which run.sh preloads, is the one that must be found.
CC=clang LDSHARED="clang -shared" CFLAGS="-fsanitize=address,fuzzer-no-link -g1 -fno-omit-frame-pointer" \
    nice -n 19 "$bin/python" setup.py --quiet build_ext --inplace
