# The commands of the README. All make the virtual environment themselves.

PYTHON ?= python3
BIN := .venv/bin

# Tests start many processes, each of which would compile anew what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all docs links benchmarks proof proof-quick

demo: .venv/cli
	@mkdir -p build
	$(BIN)/deptrees sample train | $(BIN)/deptrees train - --output build/sample.model
	$(BIN)/deptrees sample dev > build/gold.conllu
	$(BIN)/deptrees parse build/sample.model build/gold.conllu --output build/parsed.conllu
	sed '/^$$/q' build/parsed.conllu | $(BIN)/deptrees draw --labels -
	$(BIN)/deptrees evaluate build/gold.conllu build/parsed.conllu

# The quick tier: a verdict in minutes.
test: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses=auto --dist=worksteal --quick-limit=2

# Everything else, too: PyTorch, JAX, real treebanks where there are some, and the exhaustive tier.
test-all: .venv/all
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses=auto --dist=worksteal -m "not proof" --hypothesis-profile=exhaustive --durations=20

# The site of the documentation: build/site/index.html.
docs: .venv/docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --fresh-env docs build/site

# Whether all pages that the documentation points to are still there, which takes a network.
links: .venv/docs
	$(BIN)/sphinx-build --quiet --builder linkcheck docs build/links

# The proof at length, which takes two and a half hours of processor time: build/proof/report.md. The short form takes minutes.
proof: .venv/proof
	$(BIN)/python -m proof

proof-quick: .venv/proof
	$(BIN)/python -m proof --quick

# The page of benchmarks: docs/benchmarks.md.
benchmarks: .venv/all
	$(BIN)/pip install --quiet ufal.udpipe
	$(BIN)/python benchmarks/page.py $(TREEBANKS) --output docs

SOURCES := pyproject.toml $(shell find deptrees -name "*.pyx" -o -name "*.pxi" -o -name "*.h")

.venv/cli: $(SOURCES)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --no-compile --editable '.[cli]'
	touch $@

.venv/dev: $(SOURCES)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --no-compile --editable '.[dev]'
	touch .venv/cli $@

# PyTorch, JAX, Ray, spaCy and others are large, and few of the tests need them.
.venv/all: .venv/dev
	$(BIN)/pip install --quiet --no-compile --editable '.[all,dev,browser,docs,examples]'
	touch $@

.venv/docs: $(SOURCES)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --no-compile --editable '.[all,docs]'
	touch .venv/cli $@

.venv/proof: .venv/dev
	$(BIN)/pip install --quiet --no-compile --editable '.[dev,proof]'
	touch $@
