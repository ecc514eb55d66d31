# Every target sets up what it needs in .venv and target/, and does it again only where something changed.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check fmt lint bench docs lock clean

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
export VIRTUAL_ENV := $(CURDIR)/.venv

ifndef PYTHON
PYTHON := $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	command -v $$name >/dev/null && $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' && echo $$name && break; done)
endif
BIN := .venv/bin
# The wheel is tested where nothing else of the checkout can be imported.
WHEEL_ENV := target/wheel-environment
WHEELS := target/wheels

RUST_SOURCES := $(shell find src -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock pyproject.toml
PYTHON_SOURCES := $(shell find python -name '*.py' -o -name '*.pyi' -o -name py.typed)

say = @printf '\n==> %s\n' "$(1)"

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ------------------------------------------------------------------------------------ for users

demo: .venv/.development ## Measure the embedded model on examples/support.jsonl
	$(call say,Checking the labelled messages: minos validate examples/support.jsonl)
	@$(BIN)/minos validate examples/support.jsonl
	$(call say,Asking the embedded model: minos calibrate --dataset examples/support.jsonl --provider embedded)
	@$(BIN)/minos calibrate --dataset examples/support.jsonl --provider embedded --config examples/minos.json

# ----------------------------------------------------------------------------- for contributors

test: .venv/.development ## Build for development and run the Python tests
	$(call say,Testing the development build)
	@$(BIN)/python -m pytest

fmt: .venv/.tools ## Format the code and mend what can be mended without thought
	$(call say,Formatting)
	@cargo fmt --all
	@cargo fmt --manifest-path benches/rust/Cargo.toml
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix --quiet .

lint: .venv/.tools ## Check formats, style, types and the layers of the Rust code
	$(call say,Checking the format)
	@cargo fmt --all --check
	@cargo fmt --manifest-path benches/rust/Cargo.toml --check
	@$(BIN)/ruff format --quiet --check .
	$(call say,Checking the Python code)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	$(call say,Checking the Rust code)
	@cargo clippy --locked --quiet --workspace --all-targets -- --deny warnings
	@cargo clippy --locked --quiet --manifest-path benches/rust/Cargo.toml --target-dir target --all-targets -- --deny warnings
	@if cargo tree --locked --package minos-core --prefix none | grep pyo3; then \
		echo "error: the core must not know Python" >&2; exit 1; fi

docs: .venv/.development ## Check the documentation of the core, and run what README and docs/ show
	@$(MAKE) --no-print-directory rustdoc
	$(call say,Running the code and the commands of README and docs)
	@$(BIN)/python -m pytest tests/docs

bench: wheel-environment ## Measure speed (benches/README.md says how to read it)
	@$(WHEEL_ENV)/bin/python -m pip install --quiet duckdb msgspec orjson pydantic
	$(call say,Measuring validation against parsers and validators)
	@$(WHEEL_ENV)/bin/python benches/python/bench_validate.py
	$(call say,Measuring the client against other clients)
	@cargo build --locked --quiet --release --package minos-bench-server
	@$(WHEEL_ENV)/bin/python benches/python/bench_client.py
	$(call say,Measuring runs over cases)
	@$(WHEEL_ENV)/bin/python benches/python/bench_cases.py
	@$(WHEEL_ENV)/bin/python -m pip install --quiet decision-metrics jev-eval jevassert jevkit-calibrate
	$(call say,Measuring results and reports against data frames and other tools)
	@$(WHEEL_ENV)/bin/python benches/python/bench_report.py
	$(call say,Measuring each part of the core by itself)
	@cargo bench --locked --quiet --manifest-path benches/rust/Cargo.toml --target-dir target

check: tools ## Everything that must hold before a change is merged; ends with pytest on the release wheel
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory rusttest
	@$(MAKE) --no-print-directory rustdoc
	@$(MAKE) --no-print-directory wheel-environment
	$(call say,Checking the stub against the extension)
	@$(WHEEL_ENV)/bin/stubtest --allowlist src/bindings/stubtest-allowlist.txt minos._native
	$(call say,Testing the release wheel)
	@$(WHEEL_ENV)/bin/python -m pytest

lock: .venv/.tools ## Pin the development dependencies anew (requirements/dev.txt)
	$(call say,Pinning the development dependencies)
	@$(BIN)/pip install --quiet uv
	@$(BIN)/uv pip compile pyproject.toml --quiet --upgrade --extra embedded --extra parquet --extra schema --group dev --universal \
		--python-version 3.11 --generate-hashes --no-annotate --no-header --output-file requirements/dev.txt

clean: ## Remove everything that was made
	rm -rf .venv target .hypothesis .mypy_cache .pytest_cache .ruff_cache python/minos/_native*.so

# ---------------------------------------------------------------------------------------- parts

.PHONY: rustdoc rusttest tools wheel-environment
rusttest:
	$(call say,Testing the core)
	@cargo test --locked --quiet --package minos-core

rustdoc:
	$(call say,Building the documentation of the core)
	@RUSTDOCFLAGS="--deny warnings" cargo doc --locked --quiet --no-deps --package minos-core

tools:
	@missing() { printf 'error: %s\nhint: %s\n' "$$1" "$$2" >&2; exit 1; }; \
	test -n "$(PYTHON)" || missing "Python 3.11 or newer is needed" \
		"install it (Debian: apt install python3 python3-venv), or name it: make PYTHON=/path/to/python3"; \
	"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || missing \
		"Python 3.11 or newer is needed, not $$("$(PYTHON)" --version 2>&1)" "make PYTHON=/path/to/python3"; \
	"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || missing "$(PYTHON) cannot make virtual environments" \
		"Debian: apt install python3-venv"; \
	command -v cargo >/dev/null || missing "cargo is needed to build the native half" \
		"install Rust from https://rustup.rs"; \
	for part in fmt clippy; do cargo $$part --version >/dev/null 2>&1 || missing "cargo $$part is missing" \
		"rustup component add rustfmt clippy"; done; \
	command -v cc >/dev/null || missing "a C compiler is needed to build the native half" \
		"Debian: apt install build-essential"

.venv/.tools: requirements/dev.txt | tools
	$(call say,Setting up .venv)
	@test -x $(BIN)/python || "$(PYTHON)" -m venv .venv
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@$(BIN)/python -m pip install --quiet --requirement requirements/dev.txt
	@touch $@

.venv/.development: .venv/.tools $(RUST_SOURCES)
	$(call say,Building the native half for development)
	@PIP_QUIET=1 $(BIN)/maturin develop --locked --quiet --extras embedded
	@touch $@

$(WHEELS)/.made: .venv/.tools $(RUST_SOURCES) $(PYTHON_SOURCES) README.md LICENSE
	$(call say,Building the release wheel)
	@rm -rf $(WHEELS)
	@$(BIN)/maturin build --locked --quiet --release --sdist --out $(WHEELS)
	@touch $@

wheel-environment: $(WHEELS)/.made
	$(call say,Installing the release wheel into a clean environment)
	@rm -rf $(WHEEL_ENV)
	@"$(PYTHON)" -m venv $(WHEEL_ENV)
	@$(WHEEL_ENV)/bin/python -m pip install --quiet --upgrade pip
	@$(WHEEL_ENV)/bin/python -m pip install --quiet --requirement requirements/dev.txt
	@$(WHEEL_ENV)/bin/python -m pip install --quiet --no-index --no-deps $(WHEELS)/minos_eval-*.whl
	@$(WHEEL_ENV)/bin/python -m pip check
	@cd / && $(CURDIR)/$(WHEEL_ENV)/bin/python -c "import minos; assert 'site-packages' in minos.__file__; print('minos', minos.__version__, 'from', minos.__file__)"
