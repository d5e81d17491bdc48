# Two commands do everything on a fresh machine (Python 3.11+ with its headers, gcc, make):
#   make demo   builds fastwrap and runs it on a page that ships with it
#   make test   builds fastwrap and runs all checks and tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py $(wildcard src/fastwrap/_core/*.pyx src/fastwrap/_core/*.pxd)

.PHONY: demo test lint bench test-debug wheels clean

demo: $(VENV)/.built
	$(BIN)/python examples/demo.py

test: $(VENV)/.tools lint
	$(BIN)/python -m pytest

lint: $(VENV)/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint src/fastwrap/_core
	$(BIN)/mypy

# Speed, as ratios in one run: against the parse, the Python twins, zss, apted and rapidfuzz.
bench: $(VENV)/.tools
	$(BIN)/python -m pytest benchmarks --benchmark-only --benchmark-columns=median,iqr,rounds -o addopts=
	$(BIN)/fastwrap bench

# The suite on a build with bounds checks and AddressSanitizer (gcc's runtime, so not part of `make test`).
test-debug:
	PYTHON=$(PYTHON) tests/debug_build.sh

# Wheel and sdist, each installed into an environment of its own and tried there.
wheels:
	$(PYTHON) wheels/build.py

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	touch $@

$(VENV)/.built: $(VENV)/.created $(SOURCES)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

# Builds by itself, with everything: a second build for the tools alone would take minutes.
$(VENV)/.tools: $(VENV)/.created $(SOURCES)
	$(BIN)/python -m pip install --quiet --group test --group lint --editable ".[all]"
	touch $(VENV)/.built $@

clean:
	rm -rf build dist .venv .venv-debug wheels/out src/fastwrap.egg-info
	find src \( -name '*.so' -o -name '*.c' \) -delete
