# make help lists what there is. Everything below works on a fresh machine with Python >= 3.11 and Node >= 20.
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/pytest -q -n 2 --dist worksteal --durations=20
BROWSER := $(PYTEST) e2e
SETTINGS := DJANGO_SETTINGS_MODULE=console.testing.settings
SOURCES := console accounts groups sandbox e2e bench conftest.py manage.py gunicorn.conf.py

.PHONY: help demo test check test-fast test-browser test-all test-ways test-queries test-postgres soak setup build chromium messages bench conformance types

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

demo: build ## start sandbox and console with demo data
	@$(BIN)/python manage.py demo $(if $(PORT),--port $(PORT))

test: check test-fast test-browser ## what has to pass: lint, types, units, contract, every flow in the browser once

test-all: test-ways test-queries test-postgres ## the rest: the same by touch, in Arabic, without JavaScript; PostgreSQL

check: build ## lint and types; seconds
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy $(SOURCES)
	$(BIN)/lint-imports
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/python -m console.testing.templates
	$(SETTINGS) $(BIN)/python manage.py messages --check
	$(SETTINGS) $(BIN)/python manage.py makemigrations --check --dry-run
	$(SETTINGS) $(BIN)/python manage.py island_types --check
	$(BIN)/python -m console.testing.deploy_check
	$(BIN)/python -m console.testing.words
	npx --no-install biome ci .
	npx --no-install tsc --noEmit

test-fast: build ## all tests except those in the browser
	npx --no-install vitest run
	$(PYTEST)

test-browser: build chromium ## the whole system in a real browser, every flow once
	$(BROWSER) -m "not all_ways"

test-ways: build chromium ## the same flows in all other ways: touch, Arabic, no JavaScript, other widths
	$(BROWSER) -m all_ways

test-queries: build ## 2,000 generated queries for each list, and generated calls of the sandbox
	EXAMPLES=2000 FUZZING=1 $(PYTEST) groups/tests/test_queries.py sandbox/tests/test_contract.py \
		-k "no_query_can_break or schemathesis"

chromium:
	@$(BIN)/python -m e2e.chromium

test-postgres: build ## the database tests on PostgreSQL, which it installs where it may
	$(BIN)/python -m console.testing.postgres console/grants console/tests accounts groups -k "not no_query_can_break"

soak: build chromium ## the full figures of the session: 200 rounds of each race, 20 kills
	ROUNDS=200 $(BIN)/pytest -q e2e/test_stampede.py e2e/test_refresh_failures.py

conformance: ## the requirement ids, and the tests that prove each
	@$(BIN)/python -m console.testing.conformance

messages: build ## extract, merge, check and compile the catalogs
	$(SETTINGS) $(BIN)/python manage.py messages

bench: build ## the benchmarks, with ratios inside one run
	$(BIN)/python -m bench.pages
	$(BIN)/python -m bench.many

setup: .venv/ready node_modules/.package-lock.json ## virtual environment and packages

build: setup ## the islands and styles
	@npm run --silent build

.venv/ready: requirements.txt requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed.") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

node_modules/.package-lock.json: package.json package-lock.json
	@node -e 'if (+process.versions.node.split(".")[0] < 20) { console.error("Node 20 or newer is needed."); process.exit(1) }'
	npm ci --no-audit --no-fund
	@touch $@
