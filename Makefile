# Every target sets up all that it needs. What is needed beforehand: Python >= 3.11, a C++20 compiler, make.

PYTHON ?= python3
FUZZ_SECONDS ?= 300
THREAD_SECONDS ?= 5
PYTEST_ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
SANITIZE_VENV := .venv-sanitize
THREADS_VENV := .venv-threads
OLDEST_VENV := .venv-oldest
WHEELS_VENV := .venv-wheels
PEERS_VENV := .venv-peers
# Python compiles what it imports, and remembers it; to compile all that packages have takes longer than to install them.
PIP_INSTALL = -m pip install --quiet --disable-pip-version-check --no-compile

native := $(shell find cpp cmake -type f) CMakeLists.txt
fuzz_sources := $(wildcard tests/fuzz/*.cpp tests/fuzz/*.hpp tests/fuzz/CMakeLists.txt)
clang_formatted := $(filter %.cpp %.hpp,$(native) $(fuzz_sources))
stub := src/hedgerow/_core.pyi

# What scikit-build-core would fetch for an isolated build. The environments build without isolation, so that the
# build folder stays valid and a change of one C++ file compiles one file.
build_tools := import tomllib; \
  print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], "cmake", "ninja", sep="\n")
# $(call create_venv,folder)
define create_venv
$(PYTHON) -m venv $(1)
$(1)/bin/python -c '$(build_tools)' > $(1)/build-tools.txt
$(1)/bin/python $(PIP_INSTALL) -r $(1)/build-tools.txt
endef
# $(call install,folder,extras,settings): editable, so a change of Python code needs no new install. Whoever works in
# this folder has warnings as errors, whatever the extras are: other settings would compile everything anew.
werror := -C cmake.define.HEDGEROW_WERROR=ON
install = $(1)/bin/python $(PIP_INSTALL) --no-build-isolation -e '.$(2)' $(3)

# Where Python is told to keep no byte code, every process that a test starts would compile the package anew.
export PYTHONDONTWRITEBYTECODE :=

# Stamps: the time when an environment was last brought up to date.
tools := $(VENV)/tools.stamp
user := $(VENV)/user.stamp
dev := $(VENV)/dev.stamp
sanitize_tools := $(SANITIZE_VENV)/tools.stamp
sanitized := $(SANITIZE_VENV)/dev.stamp
threads_tools := $(THREADS_VENV)/tools.stamp
threads_sanitized := $(THREADS_VENV)/dev.stamp
oldest := $(OLDEST_VENV)/dev.stamp
wheel_tools := $(WHEELS_VENV)/tools.stamp
peers := $(PEERS_VENV)/peers.stamp

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-slow test-oldest wheels docs bench bench-peers lint tidy format stubs sanitize sanitize-threads fuzz check-install clean

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

$(tools):
	$(call create_venv,$(VENV))
	@touch $@

$(user): $(tools) $(native) pyproject.toml
	$(call install,$(VENV),[report],$(werror))
	@touch $@

$(dev): $(tools) $(native) pyproject.toml papers/pyproject.toml
	$(call install,$(VENV),[dev],$(werror))
	$(BIN)/python $(PIP_INSTALL) --no-build-isolation -e ./papers
	@touch $@ $(user)

demo: $(if $(wildcard $(dev)),$(dev),$(user))  ## Learn to classify questions by their parse trees, show why, and write a page about it
	$(BIN)/python examples/classify_questions.py

test: $(dev)  ## Run all tests but the slow ones (PYTEST_ARGS="-k forest" for some)
	$(BIN)/python -m pytest -n 2 -m "not slow" $(PYTEST_ARGS)

# Many of them wait for other processes.
test-slow: $(dev)  ## Run the slow tests
	$(BIN)/python -m pytest -n 3 -m slow $(PYTEST_ARGS)

# The constraints are the lower bounds of pyproject.toml; the build folder is one of its own.
$(oldest): $(native) pyproject.toml papers/pyproject.toml tools/oldest_requirements.py
	$(call create_venv,$(OLDEST_VENV))
	$(PYTHON) tools/oldest_requirements.py > $(OLDEST_VENV)/oldest.txt
	$(call install,$(OLDEST_VENV),[test],$(werror) -C build-dir=build/oldest -c $(OLDEST_VENV)/oldest.txt)
	$(OLDEST_VENV)/bin/python $(PIP_INSTALL) --no-build-isolation -e ./papers -c $(OLDEST_VENV)/oldest.txt
	@touch $@

test-oldest: $(oldest)  ## Run the tests with the oldest dependencies that pyproject.toml admits
	$(OLDEST_VENV)/bin/python -m pytest -n 2 -m "not slow" $(PYTEST_ARGS)

$(wheel_tools):
	$(PYTHON) -m venv $(WHEELS_VENV)
	$(WHEELS_VENV)/bin/python $(PIP_INSTALL) ziglang pyelftools wheel
	@touch $@

WHEEL_ARGS ?=
wheels: $(wheel_tools)  ## Build wheels in dist, by tools/build_wheels.py (WHEEL_ARGS="--platforms musllinux_1_2_x86_64" for some)
	$(WHEELS_VENV)/bin/python tools/build_wheels.py dist $(WHEEL_ARGS)

docs: $(dev)  ## Build the documentation in build/docs; a warning is an error
	$(BIN)/python -m sphinx --fresh-env --fail-on-warning --keep-going --quiet docs build/docs
	$(BIN)/python tools/check_pages.py build/docs
	@echo "open build/docs/index.html"

bench: $(dev)  ## Run the benchmarks
	@set -e; for script in $(sort $(wildcard benchmarks/bench_*.py)); do \
	  echo "== $$script"; $(BIN)/python $$script; done

# An environment of its own for what others make, which finds all else in that of the developer.
$(peers): $(dev)
	$(PYTHON) -m venv $(PEERS_VENV)
	$(PEERS_VENV)/bin/python -c 'import pathlib, sysconfig; \
	  pathlib.Path(sysconfig.get_path("purelib"), "developer.pth").write_text( \
	    "import site; site.addsitedir(\"%s\")\n" % sysconfig.get_path("purelib", vars={"base": "$(abspath $(VENV))"}))'
	$(PEERS_VENV)/bin/python $(PIP_INSTALL) vowpalwabbit river liblinear-official python-crfsuite
	@touch $@

bench_peers := streams texts structured svmlight_tk
bench-peers: $(peers)  ## Run the benchmarks beside other programs, which are installed for it
	@set -e; for name in $(bench_peers); do \
	  echo "== $$name"; $(PEERS_VENV)/bin/python benchmarks/bench_$$name.py; done

lint: $(dev)  ## Check style, types, layers and the stubs
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(clang_formatted)
	CXX=$(CXX) $(BIN)/python tools/check_native_names.py
	$(BIN)/lint-imports
	@mkdir -p build/stubs
	@$(call make_stub,build/stubs/_core.pyi)
	diff -u $(stub) build/stubs/_core.pyi || { echo "$(stub) is out of date: run make stubs"; exit 1; }

tidy: $(tools)  ## Check the core for faults by clang-tidy
	$(BIN)/python $(PIP_INSTALL) clang-tidy==23.1.*
	$(BIN)/clang-tidy --quiet $(filter-out cpp/python/%,$(filter %.cpp,$(native))) -- -std=c++20 -Icpp

format: $(dev)  ## Format Python and C++, and mend what ruff can mend
	$(BIN)/ruff check --fix --quiet || true
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(clang_formatted)

# $(call make_stub,file). The formatter evens out what versions of the generator do differently.
make_stub = $(BIN)/python -m nanobind.stubgen -q -m hedgerow._core -o $(1) && $(BIN)/ruff format --quiet $(1)

stubs: $(dev)  ## Write the type stubs of the native module anew
	$(call make_stub,$(stub))

$(sanitize_tools):
	$(call create_venv,$(SANITIZE_VENV))
	@touch $@

$(sanitized): $(sanitize_tools) $(native) pyproject.toml
	$(call install,$(SANITIZE_VENV),[test],-C build-dir=build/sanitize -C cmake.define.HEDGEROW_SANITIZE=ON)
	@touch $@

# The interpreter is not instrumented: the sanitizer's runtime has to come first, with libstdc++ beside it so that
# it finds the functions that throw. What the interpreter itself never frees is no leak of ours.
CXX ?= g++
runtime = $(shell $(CXX) -print-file-name=libasan.so) $(shell $(CXX) -print-file-name=libstdc++.so.6)
SANITIZE_TESTS ?= $(wildcard tests/data tests/io tests/kernels tests/models) tests/svm/test_smo.py tests/svm/test_hinge_losses.py src/hedgerow/data src/hedgerow/kernels \
  $(wildcard tests/online/test_against_slow.py tests/online/test_contract.py tests/online/test_custom_and_trace.py) \
  $(wildcard tests/online/linear tests/feature_extraction tests/structured) \
  tests/inspection/test_fragments.py tests/inspection/test_explanations.py

# $(call under_sanitizers,options of the address sanitizer)
under_sanitizers = LD_PRELOAD="$(runtime)" ASAN_OPTIONS=detect_leaks=0$(1) UBSAN_OPTIONS=print_stacktrace=1 \
	  $(SANITIZE_VENV)/bin/python

sanitize: $(sanitized)  ## Run the tests of readers, kernels, models and learners under address and undefined-behaviour sanitizers
	$(call under_sanitizers) -m pytest -n 2 $(SANITIZE_TESTS) $(PYTEST_ARGS)

$(threads_tools):
	$(call create_venv,$(THREADS_VENV))
	@touch $@

$(threads_sanitized): $(threads_tools) $(native) pyproject.toml
	$(call install,$(THREADS_VENV),[test],-C build-dir=build/threads -C cmake.define.HEDGEROW_SANITIZE=thread)
	@touch $@

sanitize-threads: $(threads_sanitized)  ## Let threads share models under ThreadSanitizer, THREAD_SECONDS (5) for each kind
	for group in weights kernels structured indexes batch data; do \
	  LD_PRELOAD="$(shell $(CXX) -print-file-name=libtsan.so)" \
	  TSAN_OPTIONS="history_size=4 suppressions=tests/hostile/thread_sanitizer.txt" \
	  $(THREADS_VENV)/bin/python -m tests.hostile.thread_stress $$group $(THREAD_SECONDS) || exit 1; \
	done

# libFuzzer's flags; the driver for compilers without it takes the same. With sanitizers a model file may ask for a
# gigabyte at a time, as it may without.
fuzz: $(dev) $(sanitized)  ## Feed broken input to the readers, and forged model files to load, each for FUZZ_SECONDS (300)
	$(BIN)/python -m tests.hostile.fuzz_models --seconds $(FUZZ_SECONDS)
	$(call under_sanitizers,:max_allocation_size_mb=1024:allocator_may_return_null=1) \
	  -m tests.hostile.fuzz_models --seconds $(FUZZ_SECONDS)
	$(BIN)/cmake --log-level=WARNING -S . -B build/fuzz -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) \
	  -DHEDGEROW_FUZZ=ON -DHEDGEROW_SANITIZE=ON -DHEDGEROW_WERROR=ON
	$(BIN)/cmake --build build/fuzz
	@mkdir -p build/fuzz/corpus
	build/fuzz/tests/fuzz/fuzz_readers -max_total_time=$(FUZZ_SECONDS) -dict=tests/fuzz/readers.dict \
	  -artifact_prefix=build/fuzz/ build/fuzz/corpus tests/fuzz/corpus

check-install: $(tools)  ## Install from a source archive into a fresh environment, as users do
	rm -rf build/check-install
	$(PYTHON) -m venv build/check-install/venv
	$(BIN)/python $(PIP_INSTALL) build
	$(BIN)/python -m build --sdist --outdir build/check-install .
	build/check-install/venv/bin/python $(PIP_INSTALL) build/check-install/hedgerow-*.tar.gz
	cd build/check-install && venv/bin/python -c \
	  'from hedgerow import datasets; X, y = datasets.load_questions(); assert len(X) == len(y) > 0; print(X)'

clean:  ## Remove environments, builds and caches
	rm -rf $(VENV) $(SANITIZE_VENV) $(THREADS_VENV) $(OLDEST_VENV) $(WHEELS_VENV) $(PEERS_VENV) build dist .hypothesis .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	find src papers tests examples benchmarks tools -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
