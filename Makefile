# Every target first installs what it needs (.ci/tools) and prints what it is doing; `make help` lists them. The scripts
# are in .ci, so that each can be read and run separately.
.DEFAULT_GOAL := help
.PHONY: help dev serve token client build pkg docs generate check test test-fork test-tools torture fuzz size bench bench-query bench-work bench-creations deploy smoke prove audit release clean

PORT ?= 8787
ADDRESS ?= 127.0.0.1
DATA ?= .workerd
PROJECT ?= demo
SCOPE ?= manage_test
ID ?= my-client
# Not from the environment: a shell sets SECONDS to its own running time.
SECONDS :=
TARGET ?= all
TIME ?= 300
# Not from the environment: it selects another test.
HUNKS :=
MINUTES ?= 10

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

dev: ## serve on this machine, with data kept (PORT=8787)
	@.ci/dev '$(PORT)'

serve: ## serve without Cloudflare, settings from the environment (ADDRESS=127.0.0.1 PORT=8787 DATA=.workerd)
	@.ci/serve '$(ADDRESS)' '$(PORT)' '$(DATA)'

token: ## print a token of the local server (PROJECT=demo SCOPE=manage_test PORT=8787)
	@.ci/cli token --url 'http://127.0.0.1:$(PORT)' --project '$(PROJECT)' --scope '$(SCOPE)'

client: ## create an API client for a deployment (ID=my-client)
	@.ci/cli client '$(ID)'

build: ## build what a deploy would upload, into build/dist
	@.ci/tools
	@.ci/dist

pkg: ## build the npm package in pkg/dist
	@.ci/tools
	@.ci/pkg

docs: ## build the site of the documents in build/docs/dist
	@.ci/tools
	@PATH="$$PWD/node_modules/.bin:$$PATH" node .ci/docs.mjs
	@echo "Any server of static files shows the site, for example: python3 -m http.server -d build/docs/dist"

generate: ## write the files that are generated from the code: pkg/src/generated, the OpenAPI document, pages of the guide
	@.ci/tools
	@.ci/generate

check: ## format, lints, documentation, native tests
	@.ci/tools
	@.ci/check

test: ## everything: check, end to end on workerd, in Node and in a browser (.ci/stages.mk)
	@.ci/tools browser
	@.ci/test

test-fork: ## add an operation and a parameter to a copy, and test it (HUNKS=all: omit each part in turn)
	@.ci/tools browser
	@.ci/fork $(HUNKS)

test-tools: ## the npm package in every tool, generated clients, the inspector of agents: minutes (ONLY="vite kubb", WRITE=1 into documents)
	@.ci/tools
	@.ci/pkg
	@node tests/package/tools/run.mjs $(if $(WRITE),--write) $(ONLY)
	@.ci/dist
	@PATH="$$PWD/node_modules/.bin:$$PATH" node tests/package/tools/generators/run.mjs $(if $(WRITE),--write) $(ONLY)
	@PATH="$$PWD/node_modules/.bin:$$PATH" node tests/package/tools/inspector.mjs $(ONLY)

torture: ## crash workerd again and again under load, and check every operation (KILLS=100 SECONDS= SEED=)
	@.ci/tools
	@.ci/torture '$(KILLS)' '$(SECONDS)' '$(SEED)'

fuzz: ## fuzz one target or all, each for TIME seconds (TARGET=all TIME=300)
	@.ci/tools fuzz
	@.ci/fuzz '$(TARGET)' '$(TIME)'

size: ## how large a deploy would be, and what the npm package adds to a page
	@.ci/tools
	@.ci/pkg
	@.ci/dist size
	@for file in build/dist/*.js build/dist/*.wasm; do \
	  printf '%9d bytes, gzip %8d  %s\n' "$$(wc -c <$$file)" "$$(gzip -9 -c $$file | wc -c)" "$$file"; done
	@node .ci/sizes.mjs

bench: ## compare with a peer on workerd (a quarter of an hour; WRITE=1: into the documents), the package with others
	@.ci/tools
	@.ci/dist
	@.ci/pkg
	@node benches/run.mjs $(if $(WRITE),--write)
	@node benches/rows.mjs --short
	@node benches/validate.mjs
	@node benches/client.mjs
	@node benches/cold.mjs
	@node benches/lag.mjs
	@node benches/followers.mjs

bench-query: ## how queries grow from 1,000 to 100,000 resources, on SQLite and in workerd
	@.ci/tools
	@.ci/dist
	@cargo bench --quiet --no-default-features --bench query
	@node benches/query.mjs

bench-work: ## what the heaviest calls cost in a project of 100,000 resources, and of the largest ones
	@cargo bench --quiet --no-default-features --bench work

bench-creations: ## what creations with thousands of items cost, on SQLite
	@cargo bench --quiet --no-default-features --bench creations

deploy: ## deploy to Cloudflare, and test the deployed address (URL=, if it is not one of workers.dev)
	@.ci/tools
	@.ci/deploy '$(URL)'

smoke: ## test a deployed address, changing nothing there (URL=https://...)
	@.ci/cli smoke '$(URL)'

prove: ## try everything on a deployed address, in new projects, for cents (URL=https://... MINUTES=10 ONLY= LOG_FILE= CREDENTIALS=)
	@.ci/tools
	@.ci/prove '$(URL)' --minutes '$(MINUTES)' --only '$(ONLY)' --log '$(LOG_FILE)' --credentials '$(CREDENTIALS)'

audit: ## look up known vulnerabilities of all dependencies
	@.ci/tools audit
	@.ci/audit

release: ## publish the version of this commit's tag to npm, with an SBOM (DRY_RUN=1: everything but the upload)
	@.ci/tools
	@node .ci/lines.mjs --release
	@.ci/pkg
	@node .ci/publish.mjs $(if $(DRY_RUN),--dry-run)

clean: ## remove what was built; data of `make dev` remains in .wrangler/state
	@rm -rf build pkg/dist
	@cargo clean
