# Everything starts here: `make` lists the targets. Works with GNU make 3.81 and bash 3.2 (as on macOS), needs only git,
# make and a Python >= 3.11; tools/venv.sh finds one, or says how to install it. `make PYTHON=...` names it.

VENV   := .venv
PY     := $(VENV)/bin/python
READY  := $(VENV)/.ready
GAME   ?= dune
ARGS   ?=
# Tests at a time: one more than our machines have cores, for many wait for another process.
JOBS   ?= 3
# Minutes for fuzz, and the most seconds that the fast tests may take.
MINUTES      ?= 2
TEST_SECONDS ?= 1000

export PYTHON
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format type check fuzz bench proto reference lock clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1|/p' Makefile | while IFS='|' read -r name what; do printf '%-16s %s\n' "$$name" "$$what"; done

setup: $(READY) ## make .venv with everything pinned in requirements-dev.lock, once
	@echo "ready: $(VENV)/bin/landsraad"

$(READY): requirements-dev.lock pyproject.toml server/pyproject.toml loadtest/pyproject.toml
	@sh tools/venv.sh $(VENV)
	$(PY) -m pip install --quiet --require-hashes -r requirements-dev.lock
	$(PY) -m pip install --quiet --no-deps --no-build-isolation --editable . --editable ./server --editable ./loadtest
	@touch $(READY)

demo: $(READY) ## a whole match in front of you, played over gRPC by bots (GAME=arrakis, ARGS=--fast)
	@$(VENV)/bin/landsraad demo $(GAME) $(ARGS)

test: $(READY) ## the fast tests
	$(PY) tools/bounded.py $(TEST_SECONDS) $(PY) -m pytest -q -n $(JOBS) $(ARGS)

lint: $(READY) ## style, formatting and the contracts between the packages
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/lint-imports

format: $(READY) ## put the sources into the project's format
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

type: $(READY) ## mypy in strict mode
	$(VENV)/bin/mypy

check: lint type test ## all of the three above

fuzz: $(READY) ## random play with every invariant checked (GAME=dune, MINUTES=2)
	$(VENV)/bin/landsraad fuzz $(GAME) --minutes $(MINUTES) $(ARGS)

bench: $(READY) ## the engine's figures beside a calibration loop
	$(VENV)/bin/landsraad bench engine $(ARGS)

proto: $(READY) ## make the protocol's typed acts, Python code and test vectors anew
	$(PY) tools/gen_proto.py $(ARGS)
	$(PY) tools/gen_vectors.py

reference: $(READY) ## make the reference pages in docs/reference anew (ARGS=--check compares only)
	$(PY) tools/gen_reference.py $(ARGS)

lock: $(READY) ## remake the lock files (ARGS=--upgrade for the newest versions)
	$(PY) tools/lock.py $(ARGS)

clean: ## remove .venv, caches and build results
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
