# Every command sets up what it needs first; `make help` lists them.

SHELL := bash

# Puts this project's tools in PATH (tools/env.sh says which); starts each recipe that uses them.
env := . tools/env.sh &&

# All that the page is built from. Folders count too: they change when a file is removed.
page_sources := $(shell find src locales lessons style 2>/dev/null) index.html Trunk.toml \
  Cargo.toml Cargo.lock .cargo/config.toml tools/package-lock.json

.DEFAULT_GOAL := help
.PHONY: help serve dev build single test bench fmt lint setup clean

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

serve: build ## Build the page and serve it on 127.0.0.1, port 8080 or another if that is taken
	@$(env) node tools/serve.mjs

dev: ## Build without optimizations, serve, and rebuild and reload at every change
	@tools/setup.sh page
	@$(env) mkdir -p target/dev && trunk serve --dist target/dev

build: ## Build the page into dist/, as it is published
	@tools/setup.sh page
	@$(MAKE) --no-print-directory dist/index.html

# The page gets the time when its build began, so that a file saved during the build counts as newer.
dist/index.html: $(page_sources)
	@echo "==> Building the page (2 to 4 minutes the first time)"
	@mkdir -p target && touch target/build-began
	@$(env) trunk build --release && touch -r target/build-began dist/index.html

test: ## Run all tests: of the core, of the command and of the page in Chromium
	@tools/setup.sh tests
	@echo "==> Testing the core, which needs no web crate"
	@$(env) cargo test --no-default-features --lib
	@echo "==> Testing everything that runs without a browser"
	@$(env) cargo test
	@$(MAKE) --no-print-directory dist/index.html
	@echo "==> Testing the page in Chromium"
	@$(env) node --test --test-reporter=spec tests/browser/*.test.mjs

single: build ## Build the page as one file that opens from disk, target/effectively-once.html
	@$(env) node tools/single-file.mjs

bench: ## Measure; prints `name: value unit` and writes target/bench.json
	@tools/setup.sh tests
	@$(MAKE) --no-print-directory dist/index.html
	@$(env) node tools/bench.mjs

fmt: ## Format the Rust code
	@tools/setup.sh lint
	@$(env) cargo fmt

lint: ## Check the format, and let clippy check the code for this machine and for the browser
	@tools/setup.sh lint
	@$(env) cargo fmt --check
	@$(env) cargo clippy --all-targets -- -D warnings
	@$(env) cargo clippy --target wasm32-unknown-unknown -- -D warnings

setup: ## Install all that the other commands need
	@tools/setup.sh all

clean: ## Remove all that was built in this folder
	rm -rf dist target tools/node_modules
