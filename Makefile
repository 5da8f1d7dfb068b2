# The two commands of the README. Both make the virtual environment themselves.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test

demo: .venv/installed
	@mkdir -p build
	$(BIN)/deptrees sample train | $(BIN)/deptrees train - --output build/sample.model
	$(BIN)/deptrees sample dev > build/gold.conllu
	$(BIN)/deptrees parse build/sample.model build/gold.conllu --output build/parsed.conllu
	sed '/^$$/q' build/parsed.conllu | $(BIN)/deptrees draw --labels -
	$(BIN)/deptrees evaluate build/gold.conllu build/parsed.conllu

test: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses=auto

.venv/installed: pyproject.toml $(wildcard deptrees/engine/*.pyx deptrees/engine/*.pxd)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@
