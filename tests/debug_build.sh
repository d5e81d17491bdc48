#!/usr/bin/env bash
# Builds fastwrap with FASTWRAP_DEBUG=1 (bounds checks, sanitizers of gcc) away from the ordinary build,
# and runs the test suite on it. Needs gcc's libasan. Python itself leaks by design, so leaks are not reported.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
tree=build/debug
rm -rf "$tree"
mkdir -p "$tree"
cp -r CHANGELOG.md LICENSE MANIFEST.in Makefile README.md SECURITY.md pyproject.toml setup.py \
    benchmarks docs examples src tests training wheels "$tree"
rm -rf "$tree/wheels/out"
find "$tree" \( -name '*.so' -o -name '__pycache__' \) -prune -exec rm -rf {} +
[ -d .venv-debug ] || "$python" -m venv .venv-debug
bin=$PWD/.venv-debug/bin
"$bin/python" -m pip install --quiet --upgrade "pip>=25.1"
cd "$tree"
"$bin/python" -m pip install --quiet --group test
FASTWRAP_DEBUG=1 "$bin/python" -m pip install --quiet ".[all,bench]"
runtime=$(gcc -print-file-name=libasan.so)
options=detect_leaks=0:abort_on_error=1:allocator_may_return_null=1
export LD_PRELOAD="$runtime" ASAN_OPTIONS="$options"
cd tests
"$bin/python" -c "from fastwrap._core.common import build_info; assert build_info.ADDRESS_SANITIZER, 'not a debug build'"
exec "$bin/python" -m pytest -p no:cacheprovider -o addopts= -q . "$@"
