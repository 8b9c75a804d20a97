# Docstead. `make demo` shows it, `make test` proves it.

PYTHON ?= python3
# A system's interpreter is built with profiles of its use, those that are compiled on the spot
# seldom are: it exports in nine tenths of their time. Another one: make INTERPRETER=python3.13.
INTERPRETER ?= $(shell /usr/bin/python3 -c 'import sys; print(sys.executable if sys.version_info >= (3, 11) else "$(PYTHON)")' 2>/dev/null || echo $(PYTHON))
NPM ?= npm
UV := $(or $(shell command -v uv 2>/dev/null),.tools/bin/uv)
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
BUILT := src/docstead/markup/assets/built
TEST_PACKAGES := tests/api/assistant/client tests/agent/forges/contract tests/deploy/helm
TRANSLATIONS := src/docstead/markup/translations
ENGINE_SOURCES := $(shell find engine $(TRANSLATIONS) -path engine/node_modules -prune -o -type f -print)

# Tests start this program many times: bytecode that is kept makes each start 2 s shorter.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo setup engine test test-fast test-deep test-inference check audit test-python test-engine bench fuzz fuzz-quick wheel image image-base clean
.PHONY: deep-docs deep-newcomer deep-sentences deep-conditions deep-defects deep-suite deep-doubling deep-hostile deep-kills deep-agent-kills deep-soak deep-outages

help: ## Show what this file can do
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: setup ## Publish this project's own docs on http://127.0.0.1:8080 and print how to use it
	@exec $(UV) run --no-sync docstead demo docs

setup: .venv/.synced engine ## Install what is missing and build the engine

engine: $(BUILT)/.stamp

.tools/bin/uv:
	$(PYTHON) -m venv .tools
	.tools/bin/pip install --quiet uv

# Confined processes cannot store bytecode: without it each would compile what only they import.
.venv/.synced: pyproject.toml uv.lock $(filter .tools/bin/uv,$(UV))
	$(UV) sync --quiet --locked --compile-bytecode --python $(INTERPRETER)
	.venv/bin/python -m compileall -q src/docstead
	@touch $@

engine/node_modules/.package-lock.json: engine/package-lock.json
	cd engine && $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

$(BUILT)/.stamp: engine/node_modules/.package-lock.json $(ENGINE_SOURCES)
	cd engine && $(NPM) run --silent build
	@touch $@

test: ## Run every check and every test, side by side
	@$(MAKE) --jobs --no-print-directory check test-engine test-python

test-fast: setup ## Run more than 4,000 tests without servers (about a minute)
	@$(UV) run --no-sync pytest --fast -n 2 -q

test-deep: deep-docs deep-newcomer deep-sentences deep-conditions deep-defects deep-suite deep-doubling deep-hostile deep-kills deep-agent-kills deep-outages deep-soak fuzz ## Run all that takes longer than the suite: about five hours

# Compiled from its source package for any x86-64 processor, without what a tiny model needs not.
INFERENCE := .tools/inference
INFERENCE_FLAGS := -DCMAKE_BUILD_TYPE=MinSizeRel -DGGML_NATIVE=OFF -DGGML_AVX512=OFF \
	-DGGML_LLAMAFILE=OFF -DGGML_OPENMP=OFF -DLLAVA_BUILD=OFF -DLLAMA_BUILD_EXAMPLES=OFF \
	-DLLAMA_BUILD_TESTS=OFF

test-inference: setup $(INFERENCE)/.synced ## Test the model client against a real inference server (compiles it first: 3 min)
	$(UV) run --no-sync pytest tests/inference/inference_server.py --timeout 60

$(INFERENCE)/.synced: $(wildcard tests/inference/*requirements.txt)
	$(UV) venv --quiet --clear --python $(INTERPRETER) $(INFERENCE)
	CMAKE_ARGS="$(INFERENCE_FLAGS)" $(UV) pip install --quiet --python $(INFERENCE)/bin/python \
		--require-hashes --requirement tests/inference/requirements.txt \
		--build-constraints tests/inference/build-requirements.txt
	@touch $@

deep-docs: setup tests/deploy/helm/node_modules/.package-lock.json ## Run every command of docs/ and README against a demo (5 min)
	$(UV) run --no-sync python tests/deep/docs_commands.py

deep-newcomer: setup ## Follow README and quickstart in a fresh clone and an empty home (5 min)
	$(UV) run --no-sync python tests/deep/newcomer.py

deep-sentences: setup ## Break the product once for each sentence of the interface and see a test fail (30 min)
	$(UV) run --no-sync python tests/deep/seeded_mutations.py

deep-conditions: setup ## Drop each condition of each query and see a test fail (30 min, goes on where it stopped)
	$(UV) run --no-sync python tests/deep/dropped_conditions.py

deep-defects: setup ## Put small defects into modules and see a test fail (30 min, goes on where it stopped)
	$(UV) run --no-sync python tests/deep/small_defects.py

deep-suite: setup ## Run the tests of the suite that are marked as deep, and on the other backend (20 min)
	$(UV) run --no-sync pytest --deep -n 2

deep-outages: setup ## Stop PostgreSQL and S3 ten times while everything is at work (10 min)
	$(UV) run --no-sync python tests/deep/outages.py

deep-doubling: setup ## Double inputs and measure how the time grows (30 min)
	$(UV) run --no-sync python tests/deep/doubling.py

deep-hostile: setup ## Publish hostile repositories while another site is read (90 min)
	$(UV) run --no-sync python tests/deep/hostile_repositories.py
	$(UV) run --no-sync python tests/deep/broken_installations.py
	$(UV) run --no-sync python tests/deep/bounded_requests.py

deep-kills: setup ## Kill a node at every checkpoint of its work, 200 times (25 min)
	$(UV) run --no-sync python tests/deep/kills.py --rounds 6

deep-agent-kills: setup ## Kill a node at every step of agent jobs (20 min)
	$(UV) run --no-sync python bench/agent_kills.py

deep-soak: setup ## Keep a service at work and watch memory, threads, files and rows (30 min)
	$(UV) run --no-sync python tests/deep/soak.py

check: .venv/.synced ## Format, lint, types, import contract, words, divided modules
	$(UV) run --no-sync ruff format --check .
	$(UV) run --no-sync ruff check .
	$(UV) run --no-sync mypy
	$(UV) run --no-sync lint-imports
	$(UV) run --no-sync python checks/words.py
	$(UV) run --no-sync python checks/glossary.py
	$(UV) run --no-sync python checks/modules.py

audit: dist/requirements.txt ## Look up known vulnerabilities of every pinned package
	$(UV) tool run pip-audit --disable-pip --require-hashes --requirement dist/requirements.txt
	cd engine && $(NPM) audit --omit=dev

fuzz: setup ## Make 50,000 requests from the service's own description, on SQLite and PostgreSQL (2 h)
	$(UV) run --no-sync python tests/deep/schemas.py --cases 50000 --minutes 120

fuzz-quick: setup ## Make some hundred of these requests on SQLite (1 min)
	$(UV) run --no-sync python tests/deep/schemas.py --quick --cases 400 --minutes 3 --databases sqlite

test-engine: setup
	cd engine && $(NPM) run --silent check && $(NPM) test --silent

# Four on two processors: a third of their time is waiting.
test-python: setup .venv/.compiled $(TEST_PACKAGES:%=%/node_modules/.package-lock.json)
	$(UV) run --no-sync pytest -n 4

# Four processes that begin at once would each compile everything. What is wrong fails in the tests.
.venv/.compiled: .venv/.synced
	-@$(UV) run --no-sync pytest --collect-only -qq >/dev/null 2>&1
	@touch $@

$(TEST_PACKAGES:%=%/node_modules/.package-lock.json): %/node_modules/.package-lock.json: %/package-lock.json
	cd $* && $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

bench: setup ## Measure rendering, answering and the footprint
	$(UV) run --no-sync python bench/footprint.py
	$(UV) run --no-sync python bench/search.py
	$(UV) run --no-sync python bench/assistant.py
	$(UV) run --no-sync python bench/streams.py
	$(UV) run --no-sync python bench/render.py docs

wheel: setup ## Build the wheel, engine included
	rm -f dist/*.whl
	$(UV) build --wheel

dist/requirements.txt: pyproject.toml uv.lock $(filter .tools/bin/uv,$(UV))
	@mkdir -p dist
	$(UV) export --quiet --locked --no-dev --no-emit-project --no-header --output-file $@

image: image-base wheel dist/requirements.txt ## Build the container image: make image BASE=NAME@sha256:DIGEST
	docker build --file deploy/Dockerfile --build-arg BASE=$(BASE) --tag docstead:$(VERSION) .

image-base:
	@case "$(BASE)" in *@sha256:*) ;; *) echo "BASE must name a digest: see deploy/Dockerfile" >&2; exit 1 ;; esac

clean: ## Remove what was built; the demo's data stays
	rm -rf $(BUILT) engine/node_modules $(TEST_PACKAGES:%=%/node_modules) .venv .tools dist
