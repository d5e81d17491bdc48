#!/usr/bin/env bash
# Builds fastwrap with FASTWRAP_DEBUG=1 (bounds checks, AddressSanitizer) away from the ordinary build,
# and runs the test suite on it. Needs gcc's libasan. Python itself leaks by design, so leaks are not reported.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
tree=build/debug
rm -rf "$tree"
mkdir -p "$tree"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$tree" 2>/dev/null || true
[ -d .venv-debug ] || "$python" -m venv .venv-debug
bin=$PWD/.venv-debug/bin
"$bin/python" -m pip install --quiet --upgrade "pip>=25.1"
cd "$tree"
"$bin/python" -m pip install --quiet --group test
FASTWRAP_DEBUG=1 "$bin/python" -m pip install --quiet ".[all]"
runtime=$(gcc -print-file-name=libasan.so)
export LD_PRELOAD="$runtime" ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:allocator_may_return_null=1
cd tests
exec "$bin/python" -m pytest -p no:cacheprovider -o addopts= -q . "$@"
