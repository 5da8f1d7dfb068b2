# The two commands of the README. Both make the virtual environment themselves.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test

demo: .venv/cli
	@mkdir -p build
	$(BIN)/deptrees sample train | $(BIN)/deptrees train - --output build/sample.model
	$(BIN)/deptrees sample dev > build/gold.conllu
	$(BIN)/deptrees parse build/sample.model build/gold.conllu --output build/parsed.conllu
	sed '/^$$/q' build/parsed.conllu | $(BIN)/deptrees draw --labels -
	$(BIN)/deptrees evaluate build/gold.conllu build/parsed.conllu

test: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses=auto

SOURCES := pyproject.toml $(wildcard deptrees/engine/core/*.pyx deptrees/engine/core/*.pxi)

.venv/cli: $(SOURCES)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[cli]'
	touch $@

# PyTorch, which some of the tests need, is large: trying the library out does without it.
.venv/dev: $(SOURCES)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch .venv/cli $@
