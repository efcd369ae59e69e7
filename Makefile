# make help lists what there is. Everything below works on a fresh machine with Python >= 3.11 and Node >= 20.
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
# The order of the tests; `make test SEED=1` repeats a run.
SEED ?= $(shell date +%s)
PYTEST := $(BIN)/pytest -q --dist worksteal --durations=20 --randomly-seed=$(SEED)
STAGES := SEED=$(SEED) $(BIN)/python -m tools.stages
PIP := $(BIN)/pip --quiet --disable-pip-version-check
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"
SETTINGS := DJANGO_SETTINGS_MODULE=tests.support.settings
APPS := accounts groups scanners partners overview notifications
SOURCES := upstream console translations $(APPS) sandbox tests tools lab conftest.py manage.py gunicorn.conf.py

.PHONY: help demo test test-all ci check check-types check-style check-texts test-js test-unit test-unit-slow test-browser test-browser-slow test-engines test-postgres soak setup runtime build browsers programs messages proofread bench evidence conformance types lock bom licenses release

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

demo: runtime ## start sandbox and console with demo data
	@$(BIN)/python manage.py demo $(if $(PORT),--port $(PORT))

test: setup browsers ## what has to pass before a commit lands: lint, types, every rule, the main flows and every screen in a browser
	@$(STAGES) check test-js test-unit test-browser

test-all: setup programs ## the rest: matrices, other flows, ways and languages, long stories, processes; PostgreSQL; licenses
	@$(STAGES) licenses test-unit-slow test-browser-slow test-engines test-postgres

ci: setup programs ## both
	@$(STAGES) check test-js test-unit test-browser licenses test-unit-slow test-browser-slow test-engines test-postgres

check: setup ## lint and types; seconds
	@$(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) check-types check-style check-texts

check-types:
	$(BIN)/mypy $(SOURCES)
	npx --no-install tsc --noEmit
	npx --no-install biome ci .

check-style:
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/lint-imports
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/python -m tools.templates
	$(SETTINGS) $(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m tools.migrations
	$(SETTINGS) $(BIN)/python manage.py island_types --check
	$(BIN)/python -m tools.deploy_check
	$(BIN)/python -m tools.words
	$(BIN)/python -m tools.error_families
	$(SETTINGS) $(BIN)/python -m tools.private_names

check-texts:
	$(SETTINGS) $(BIN)/python manage.py messages --check --complete

test-js: setup ## the TypeScript tests
	npx --no-install vitest run

test-unit: setup ## the Python tests without a browser
	$(PYTEST) -n 2 -m "not slow"

test-unit-slow: setup programs
	EXAMPLES=200 $(PYTEST) -n 2 -m slow

test-browser: setup browsers ## the whole system in a real browser, Chromium
	$(PYTEST) -n 3 tests/e2e -m "not slow"

test-browser-slow: setup programs
	$(PYTEST) -n 3 tests/e2e -m slow --ignore tests/e2e/test_engines.py

test-engines: setup browsers ## the main flows in Firefox and WebKit
	$(PYTEST) -n 0 tests/e2e/test_engines.py

browsers: setup ## install the browsers of the tests: Chromium, Firefox, WebKit
	@$(BIN)/python -m tests.e2e.browsers

programs: browsers
	@$(BIN)/python -m tests.e2e.browsers --programs

test-postgres: setup programs ## what has SQL of its own, on PostgreSQL
	$(BIN)/python -m tools.postgres -n 2 --dist worksteal --durations=20 --randomly-seed=$(SEED) -m "sql and not slow"
	$(BIN)/python -m tools.postgres -q -n 2 --randomly-seed=$(SEED) -m slow console/tests/test_audit_sequences.py

soak: setup programs ## the full figures: 50,000 odd requests, 20,000 faults, 1,000 stampedes, 60 kills, 150 slow clients, 120 connections of wrong logins, 200 tries of known and unknown emails, 20,000 posts of forms, 5,000 addresses that would lead away, every screen in every language, 50 rounds of four translators on one host and on two, 6 switches and back, 5 kills of one of two hosts, upgrades of two hosts, 1,000 writes in the activity while workers are killed, an export in LibreOffice; hours
	EXAMPLES=2000 $(BIN)/pytest -q -m slow groups/tests/test_queries.py accounts/tests/test_odd_answers.py console/tests/test_odd_answers.py
	ROUNDS=200 $(BIN)/pytest -q tests/e2e/test_stampede.py tests/e2e/test_refresh_failures.py
	$(BIN)/python -m lab.soak
	$(BIN)/python -m tests.support.spreadsheet_program

conformance: ## the requirement ids, and the tests that prove each
	@$(BIN)/python -m tools.conformance

messages: setup ## extract, merge, check and compile the catalogs
	$(SETTINGS) $(BIN)/python manage.py messages

proofread: setup ## a report about the translations, to be read: questions of pofilter, and words that no dictionary has
	$(BIN)/python -m tools.proofread

bench: setup ## the benchmarks, with ratios inside one run
	$(BIN)/python -m lab.bench.pages
	$(BIN)/python -m lab.bench.many
	$(BIN)/python -m lab.bench.browser

evidence: setup programs bom ## measure all that is promised, and write it down in docs/evidence.md; hours
	$(BIN)/python -m lab.bench.evidence

lock: .venv/ready ## write what requirements*.in needs, exact and with hashes; UPGRADE=1 for the newest
	$(LOCK) $(if $(UPGRADE),--upgrade) requirements.in -o requirements.txt
	$(LOCK) $(if $(UPGRADE),--upgrade) requirements-dev.in -o requirements-dev.txt

bom: setup ## bills of materials (CycloneDX) of a fresh installation, in build/bom
	$(BIN)/python -m venv --clear --without-pip build/runtime
	$(PIP) --python build/runtime/bin/python install --require-hashes --only-binary :all: -r requirements.txt
	mkdir -p build/bom
	$(BIN)/cyclonedx-py environment --output-reproducible -o build/bom/python.cdx.json build/runtime/bin/python
	npm sbom --sbom-format cyclonedx --package-lock-only > build/bom/npm.cdx.json

licenses: bom ## the licenses of all packages that run or are shipped, against those that are allowed
	$(BIN)/python -m tools.licenses

release: setup bom ## the archive for a server, which then needs no Node, with changes, bills of materials and checksums, in build/release; DRAFT=1 for what is not committed
	$(BIN)/python -m tools.release $(if $(DRAFT),--draft)

setup: .venv/ready node_modules/ready build ## everything for development: packages, tools, islands and styles

# What runs, without tools and tests: all that the demo needs.
runtime: .venv/runtime node_modules/runtime build

build: node_modules/runtime ## the islands and styles
	@npm run --silent build

.venv/runtime: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed.") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install --require-hashes --only-binary :all: -r requirements.txt
	@touch $@

.venv/ready: .venv/runtime requirements-dev.txt
	$(PIP) install --require-hashes -r requirements-dev.txt
	@touch $@

node_modules/runtime: package.json package-lock.json
	@node -e 'if (+process.versions.node.split(".")[0] < 20) { console.error("Node 20 or newer is needed."); process.exit(1) }'
	npm ci --omit=dev --no-audit --no-fund
	@touch $@

node_modules/ready: package.json package-lock.json
	@node -e 'if (+process.versions.node.split(".")[0] < 20) { console.error("Node 20 or newer is needed."); process.exit(1) }'
	npm ci --no-audit --no-fund
	@touch node_modules/runtime $@
