# Every target installs what it needs first (.ci/tools) and says what it is doing; `make help` lists them.
# The scripts are in .ci, so that each can be read and run by itself.
.DEFAULT_GOAL := help
.PHONY: help dev token client build pkg check test torture fuzz size bench bench-query bench-work deploy clean

PORT ?= 8787
PROJECT ?= demo
SCOPE ?= manage_test
ID ?= my-client
# Not from the environment: a shell counts in its own SECONDS.
SECONDS :=
TARGET ?= all
TIME ?= 300

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

dev: ## serve on this machine, with data kept (PORT=8787)
	@.ci/dev '$(PORT)'

token: ## print a token of the local server (PROJECT=demo SCOPE=manage_test PORT=8787)
	@node .ci/token.mjs '$(PORT)' '$(PROJECT)' '$(SCOPE)'

client: ## make an API client for a deployment (ID=my-client)
	@node .ci/secrets.mjs client '$(ID)'

build: ## build what a deploy would upload, into build/dist
	@.ci/tools
	@.ci/dist

pkg: ## build the npm package in pkg
	@.ci/tools
	@.ci/pkg

check: ## format, lints, documentation, native tests
	@.ci/tools
	@.ci/check

test: ## everything: check, then end to end on workerd, in Node and in a browser
	@.ci/tools browser
	@.ci/check
	@.ci/test

torture: ## crash workerd again and again under load, and check every operation (KILLS=100 SECONDS= SEED=)
	@.ci/tools
	@.ci/torture '$(KILLS)' '$(SECONDS)' '$(SEED)'

fuzz: ## fuzz one target or all, for so many seconds each (TARGET=all TIME=300)
	@.ci/tools fuzz
	@.ci/fuzz '$(TARGET)' '$(TIME)'

size: ## how large a deploy would be
	@.ci/tools
	@.ci/dist size
	@for file in build/dist/*.js build/dist/*.wasm; do \
	  printf '%9d bytes, gzip %8d  %s\n' "$$(wc -c <$$file)" "$$(gzip -9 -c $$file | wc -c)" "$$file"; done

bench: ## compare with a peer on workerd (ten minutes), the client with openapi-fetch, validation with ajv and zod
	@.ci/tools
	@.ci/dist
	@.ci/pkg
	@node benches/run.mjs
	@node benches/client.mjs
	@node benches/validate.mjs

bench-query: ## how queries grow from 1,000 to 100,000 resources, on SQLite and in workerd
	@.ci/tools
	@.ci/dist
	@cargo bench --quiet --no-default-features --bench query
	@node benches/query.mjs

bench-work: ## what the heaviest calls cost in a project of 100,000 resources
	@cargo bench --quiet --no-default-features --bench work

deploy: ## deploy to Cloudflare
	@.ci/tools
	@.ci/deploy

clean: ## remove what was built; data of `make dev` stays in .wrangler/state
	@rm -rf build pkg/wasm pkg/testing/worker.js pkg/testing/files.js
	@cargo clean
