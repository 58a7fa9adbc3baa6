# Everything from a bare clone: `make sample` builds a dataset from the embedded corpus, `make test` runs all checks.
# Needs Python >= 3.11 with venv, g++ and a package index; Java and the models come with the packages.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Byte code is made when a module is first imported: compiling all of it takes longer than installing it. Without byte code,
# each process compiles torch and Stanza again, for five seconds.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check -c constraints.txt
# torch for processors, which lacks gigabytes of CUDA. With a GPU: the index of a build with CUDA (docs/howto/install.md).
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
RUN := out/sample/runs/sample
# Files begin in the order of testpaths, so that the few long tests of whole runs are not the last (tests/conftest.py says
# which tests run in one process); libraries start no threads of their own beside these processes.
TEST_PROCESSES ?= 2
PYTEST := OMP_NUM_THREADS=1 $(BIN)/pytest -n $(TEST_PROCESSES) --no-loadscope-reorder

# An emulated sentence takes seconds.
PROCESSORS ?= --cpu Nehalem Haswell --sentences 20 --pairs 6

# pip-audit and uv are installed for one command, and are no part of the environment.
TOOLS := build/tools
# Nothing is locked of torch, which comes from another index, and of what only its build with CUDA needs; and nothing that
# Linux does not need.
NOT_LOCKED := torch triton cuda-bindings cuda-pathfinder cuda-toolkit nvidia-cublas nvidia-cuda-cupti nvidia-cuda-nvrtc \
  nvidia-cuda-runtime nvidia-cudnn-cu13 nvidia-cufft nvidia-cufile nvidia-curand nvidia-cusolver nvidia-cusparse \
  nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvjitlink nvidia-nvshmem-cu13 nvidia-nvtx httpx2-jsfetch pip pywin32 pywin32-ctypes

.DEFAULT_GOAL := help
.PHONY: help bootstrap locked lock audit dist sample reuters release-check browser processors test suite test-nightly bench docs lint typecheck clean distclean

help:  ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap: $(VENV)/.installed  ## make .venv with everything in it; nothing to do: quick

# The packages and lmplz do not wait for each other: the one is mostly network and disk, the other the compiler.
$(VENV)/.installed: pyproject.toml constraints.txt src/wdw_build/adapters/kenlm_build.py | $(VENV)/.python
	@$(MAKE) --no-print-directory -j2 $(VENV)/.packages $(VENV)/.lmplz
	@touch $@

$(VENV)/.python:
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) is not there; set PYTHON=/path/to/python3.11" >&2; exit 3; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: $$($(PYTHON) --version) is too old, 3.11 or newer is needed; set PYTHON=/path/to/python3.11" >&2; exit 3; }
	@echo "python: making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "make: $(PYTHON) -m venv failed (Debian, Ubuntu: apt-get install python3-venv)" >&2; rm -rf $(VENV); exit 3; }
	@touch $@

$(VENV)/.torch: constraints.txt | $(VENV)/.python
	@echo "python: installing torch"
	@$(PIP) --no-deps --index-url $(TORCH_INDEX) --retries 0 --timeout 10 torch 2>/dev/null || $(PIP) torch
	@touch $@

$(VENV)/.packages: pyproject.toml constraints.txt | $(VENV)/.torch
	@echo "python: installing the packages of constraints.txt (2 GB on disk; a minute or two)"
	@$(PIP) -e '.[dev]'
	@touch $@
	@echo "python: ready"

$(VENV)/.lmplz: src/wdw_build/adapters/kenlm_build.py | $(VENV)/.python
	@$(BIN)/python -P src/wdw_build/adapters/kenlm_build.py $(VENV)
	@touch $@

locked: | $(VENV)/.python  ## like bootstrap, but each file of a package must have a hash of requirements.lock
	@$(MAKE) --no-print-directory $(VENV)/.torch
	@echo "python: installing the packages of requirements.lock (2 GB on disk; a minute or two)"
	@$(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	@$(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(VENV)/.packages
	@$(MAKE) --no-print-directory bootstrap

# The hashes of all files of each release, so that the lock fits every platform and Python.
lock: | $(VENV)/.python  ## write requirements.lock anew from constraints.txt (needs uv from the package index)
	@$(PYTHON) -m venv $(TOOLS) && $(TOOLS)/bin/python -m pip install -qq --disable-pip-version-check uv
	@{ sed '/^$$/q' requirements.lock; $(TOOLS)/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-header --extra dev -c constraints.txt $(NOT_LOCKED:%=--no-emit-package %) pyproject.toml; } >$(TOOLS)/requirements.lock
	@mv $(TOOLS)/requirements.lock requirements.lock

# Without --strict, pip-audit skips packages that the service does not answer for, and then reports that all is well.
audit:  ## ask PyPI's advisory service for known weaknesses of the versions in constraints.txt (SECURITY.md)
	@$(PYTHON) -m venv $(TOOLS) && $(TOOLS)/bin/python -m pip install -qq --disable-pip-version-check pip-audit
	@$(TOOLS)/bin/pip-audit --strict --progress-spinner off --no-deps --disable-pip -r constraints.txt || { \
	  echo "make: pip-audit found a weakness, or the advisory service did not answer for a package (above)." >&2; \
	  echo "make: in the second case nothing was checked; run make audit on a machine that reaches the service." >&2; exit 1; }

sample: bootstrap  ## build a dataset from the embedded corpus, in minutes
	@$(BIN)/wdw-build all --config configs/sample.yaml
	@echo
	@echo "dataset   $(RUN)/export/jsonl/{train,train.relaxed,validation,test}.jsonl"
	@echo "          $(RUN)/export/wdw-xml (the released form)"
	@echo "summary   $(RUN)/summary.json"
	@echo "next      $(BIN)/wdw-build inspect dedup --sample 3 --config configs/sample.yaml"
	@echo "          $(BIN)/wdw-build inspect questions --rejected --config configs/sample.yaml"
	@echo "          $(BIN)/wdw-build verify --config configs/sample.yaml"
	@echo "          $(BIN)/wdw-build bench --config configs/sample.yaml --systems word-overlap,distance,semantic-features"
	@echo "          make reuters"

reuters: bootstrap  ## fetch Reuters-21578 (npm) and build a dataset from it
	@scripts/fetch_reuters.sh
	@$(BIN)/wdw-build all --config configs/reuters21578.yaml

release-check: bootstrap  ## rebuild the published dataset from its keys, byte for byte; LK_NEWS=folder of the corpus's repository
	@test -d "$(LK_NEWS)/data/lk_news/2020s/2024" || { \
	  echo "make: there is no corpus in $(LK_NEWS); data/releases/lk-2024/README.md says how to get it" >&2; exit 1; }
	@$(BIN)/wdw-build rebuild data/releases/lk-2024/keys --corpus "$(LK_NEWS)/data/lk_news/2020s/2024" \
	  --out build/release --verify --force

browser: $(VENV)/.browser  ## install what the tests of pages drive a browser with; Chromium itself: scripts/install_browser.sh

# Without a package index, the tests of pages are skipped and the others still run.
$(VENV)/.browser: pyproject.toml constraints.txt $(VENV)/.installed
	@if $(PIP) -e '.[browser]' 2>/dev/null; then touch $@; else \
	  echo "browser: the package index has no Playwright or does not answer; the tests in tests/browser are skipped" >&2; fi

# mypy needs one process for most of a minute: the tests begin beside it, once ruff and the contracts have passed.
test: bootstrap  ## the static checks and the whole test suite
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory -j2 typecheck suite

suite: bootstrap
	$(PYTEST)

test-nightly: bootstrap  ## the whole test suite, its property tests with new random examples
	$(PYTEST) --hypothesis-profile=random

processors: bootstrap  ## compare results of this processor and two emulated ones; PROCESSORS='' for all sentences and three
	@$(BIN)/python scripts/processors.py $(PROCESSORS)

bench: bootstrap  ## measure against yardsticks (docs/development/performance.md); BENCH='--quick' for small inputs
	@$(BIN)/python scripts/run_benchmarks.py $(BENCH)

dist: bootstrap  ## make the source archive, and the wheel from it, in build/dist
	@mkdir -p build/dist
	@$(BIN)/python -c 'from setuptools import build_meta; build_meta.build_sdist("build/dist")' >build/dist/log
	@$(BIN)/python -m pip wheel -qq --no-deps --no-build-isolation -w build/dist build/dist/wdw_build-*.tar.gz
	@ls build/dist/wdw_build-*

docs: $(VENV)/.docs  ## build the documentation as a site, into build/site
	$(BIN)/python scripts/generate_reference.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "site: build/site (to search it: $(BIN)/python -m http.server --directory build/site)"

$(VENV)/.docs: $(VENV)/.installed
	@$(PIP) -e '.[docs]'
	@touch $@

lint: bootstrap  ## ruff and the import contracts; prints the lines of code of each package
	$(BIN)/ruff check src tests scripts
	$(BIN)/ruff format --check --quiet src tests scripts
	$(BIN)/lint-imports
	@$(BIN)/python scripts/count_code.py

typecheck: bootstrap  ## mypy, strict
	$(BIN)/mypy

clean:  ## remove outputs and caches; .venv and fetched corpora stay
	@! find out -name events.sqlite 2>/dev/null | grep . || { \
	  echo "make: out holds what people answered or wrote (above): move these folders away, or remove out yourself" >&2; exit 1; }
	rm -rf out build artefacts src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean  ## also remove .venv
	rm -rf $(VENV)
