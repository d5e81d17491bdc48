# Two commands do everything on a fresh machine (Python 3.11+ with its headers, gcc, make):
#   make demo   builds fastwrap and goes through the main job on a page that ships with it
#   make test   builds fastwrap and runs all checks and tests
PYTHON ?= python3
VENV := .venv
ENGINES := .venv-engines
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py $(wildcard src/fastwrap/_core/*/*.pyx src/fastwrap/_core/*/*.pxd src/fastwrap/_core/*/*.h)
SOURCES += src/fastwrap/_core/page/tables.py src/fastwrap/page/names.py

.PHONY: demo test lint bench readme readme-table figures instructions instructions-update fuzz fuzz-reader soups attack \
	load longrun test-debug test-browser test-engines test-ray test-kill wheels clean

demo: $(VENV)/.built
	$(BIN)/python examples/demo.py

test: $(VENV)/.tools lint
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint src/fastwrap/_core
	$(BIN)/mypy

# Speed, as ratios in one run: against the parse, the Python twins, zss, apted and rapidfuzz.
bench: $(VENV)/.tools
	$(BIN)/python -m pytest benchmarks --benchmark-only --benchmark-columns=median,iqr,rounds -o addopts=
	$(BIN)/fastwrap bench --compare

# The table of the README, anew: on a machine that does nothing else.
readme: $(VENV)/.tools
	mkdir -p build
	$(BIN)/fastwrap bench --repeat 21 --markdown > build/bench.md
	sed -i -e '/^<!-- fastwrap bench/,/^<!-- end/{//!d}' -e '/^<!-- fastwrap bench/r build/bench.md' README.md

# What the commands in docs/accuracy.md print, anew.
figures: $(VENV)/.tools
	$(BIN)/python benchmarks/shown_output.py

# The table of the shop in the README, anew: as a terminal of 80 characters shows it.
readme-table: $(VENV)/.tools
	mkdir -p build
	( echo '```text'; COLUMNS=80 $(BIN)/fastwrap extract examples/shop.html -f table -q | sed -e 's/ *$$//' -e '/^$$/d' \
	  | sed -n -e '1,8p' -e '$$p'; echo '```' ) > build/table.md
	sed -i -e '/^<!-- fastwrap extract/,/^<!-- end/{//!d}' -e '/^<!-- fastwrap extract/r build/table.md' README.md

# Instructions of the main path by callgrind, against those that are kept; needs valgrind, so not part of `make test`.
instructions: $(VENV)/.tools
	$(BIN)/python benchmarks/instructions/count.py

instructions-update: $(VENV)/.tools
	$(BIN)/python benchmarks/instructions/count.py --write

# Each fuzz target for FUZZ_SECONDS, on kernels compiled for it (Atheris, AddressSanitizer; needs clang).
FUZZ_SECONDS ?= 1800
CLANG ?= clang
fuzz:
	PYTHON=$(PYTHON) fuzz/build.sh
	set -e; for target in extract wrapper grammar; do fuzz/run.sh $$target $(FUZZ_SECONDS); done

# The reader in C, without Python: libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer (needs clang).
fuzz-reader: $(VENV)/.built
	mkdir -p build/fuzz/reader
	$(CLANG) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined $(FUZZ_FLAGS) \
	  -Isrc/fastwrap/_core/page -Ibuild/generated fuzz/fuzz_reader.c -o build/fuzz/fuzz_reader
	nice -n 19 build/fuzz/fuzz_reader -dict=fuzz/corpora/reader.dict -max_len=8192 -timeout=20 \
	  -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=build/fuzz/reader-crash- build/fuzz/reader

# SOUPS random soups of tags: the arrays of the reader against those of selectolax's tree.
SOUPS ?= 1000000
soups: $(VENV)/.tools
	nice -n 19 $(BIN)/python fuzz/soups.py $(SOUPS)

# CASES pages, made of real ones, through all that the library does: time, memory, crashes and exceptions are watched.
# Of ../shared/corpus where that is, else of examples/; ATTACK has further options, such as --seed 2.
CASES ?= 100000
attack: $(VENV)/.built
	nice -n 10 $(BIN)/python fuzz/attack.py --cases $(CASES) $(ATTACK)

# The page of `fastwrap serve` in Debian's Chromium, driven by Playwright; what is missing of them is installed.
test-browser: $(VENV)/.tools
	command -v chromium > /dev/null || { apt-get update && apt-get install --yes --no-install-recommends chromium; }
	$(BIN)/python -m pip install --quiet --group test --group browser "fastwrap[all]"
	FASTWRAP_TEST_BROWSER=1 $(BIN)/python -m pytest -n 0 tests/browser

# The server's throughput against a bare loop, the tail of its answers, its memory, and others during attacks. LOAD has further
# options, such as --pages FOLDER, --requests 100000 or --only speed.
load: $(VENV)/.tools
	$(BIN)/python -m benchmarks.load $(LOAD)

# A million extractions on four threads: memory flat, results those of one thread.
longrun: $(VENV)/.tools
	$(BIN)/python tests/longrun.py

# The suite with bounds checks, AddressSanitizer and UndefinedBehaviorSanitizer (gcc's runtime: not in `make test`).
test-debug:
	PYTHON=$(PYTHON) tests/debug_build.sh

# fastwrap in Spark, Ray Data, Daft, datatrove and NeMo Curator: a gigabyte of packages in an environment of their own.
# Spark needs Java: `apt-get install default-jre-headless`. NeMo Curator comes without its cluster software.
test-engines: $(VENV)/.engines
	$(ENGINES)/bin/python -m pytest -n 0 tests/engines/test_engines.py

# Batch runs on a Ray cluster of several nodes on this machine, of which one is killed.
test-ray: $(VENV)/.engines
	$(ENGINES)/bin/python -m pytest -n 0 tests/engines/test_ray_batch.py

$(VENV)/.engines: $(VENV)/.built
	$(PYTHON) -m venv $(ENGINES)
	$(ENGINES)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(ENGINES)/bin/python -m pip install --quiet --editable ".[batch,ray,spark,daft,datatrove]"
	$(ENGINES)/bin/python -m pip install --quiet "pytest>=8" "pytest-xdist>=3.6" "hypothesis>=6.100" orjson
	$(ENGINES)/bin/python -m pip install --quiet --no-deps nemo-curator
	touch $@

# Batch runs killed at ten random moments and gone on with (three in `make test`); FASTWRAP_SEED has others.
test-kill: $(VENV)/.tools
	FASTWRAP_KILLS=10 $(BIN)/python -m pytest -n 0 tests/batch/test_killed.py

# The sdist and a manylinux wheel for each CPython at hand, each tried in an environment of its own.
wheels:
	$(PYTHON) wheels/build.py

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	touch $@

$(VENV)/.built: $(VENV)/.created $(SOURCES)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

# What is installed already is not built again: this adds the packages of the extras and of the checks alone.
$(VENV)/.tools: $(VENV)/.built
	$(BIN)/python -m pip install --quiet --group test --group crawlers --group lint "fastwrap[all,bench]"
	touch $@

clean:
	rm -rf build dist .venv .venv-debug .venv-fuzz $(ENGINES) wheels/out src/fastwrap.egg-info
	find src \( -name '*.so' -o -name '*.c' \) -delete
