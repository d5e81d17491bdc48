#!/usr/bin/env bash
# Fuzzes one target: fuzz/run.sh extract|wrapper|grammar SECONDS [more options of libFuzzer].
# Runs one input again: fuzz/run.sh extract|wrapper|grammar FILE.
# What it finds is in build/fuzz: new inputs in the folder TARGET, what fails in TARGET-crash-* and TARGET-timeout-*.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$1 what=$2
shift 2
python=$PWD/.venv-fuzz/bin/python
export PATH=$PWD/.venv-fuzz/bin:$PATH  # a merge runs the target again, as a command
found=$PWD/build/fuzz/$target
mkdir -p "$found"
# The kernels are compiled for AddressSanitizer and libFuzzer, so both must be there before Python itself is.
# libFuzzer looks for a mutator when it is loaded, which is why Atheris's own is preloaded, too (it needs Python's
# symbols, which the shell that a merge starts does not have; a merge needs no mutator).
packages=$("$python" -c "import atheris; print(atheris.path())")
preload=$packages/asan_with_fuzzer.so
if [[ $* != *-merge=1* ]] && grep -q custom_mutator= "fuzz/fuzz_$target.py"; then
    preload="$preload $(ls "$packages"/atheris/custom_mutator.*.so)"
fi
# Python's own allocator hides small blocks from the sanitizer, and Python leaks by design.
# PYTHONMALLOC=pymalloc is twice as fast; numpy's arrays and what kernels allocate are watched all the same.
export PYTHONMALLOC=${PYTHONMALLOC:-malloc} PYTHONPATH=$PWD/build/fuzz/tree/src:$PWD/fuzz
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0:symbolize=0:quarantine_size_mb=64
if [ -f "$what" ]; then
    inputs=("$what")
else
    inputs=(-max_total_time="$what" "$@" "$found" "fuzz/corpora/$target")
fi
exec nice -n 19 env LD_PRELOAD="$preload" "$python" "fuzz/fuzz_$target.py" -timeout=60 -rss_limit_mb=4096 \
    -max_len=8192 -len_control=0 -print_funcs=0 -print_final_stats=1 -artifact_prefix="$found-" "${inputs[@]}"
