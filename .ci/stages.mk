# The stages of `make test` (.ci/test), and what each of them waits for, in the order in which they begin. Long ones
# begin first, so that no processor is idle at the end. `make` is the scheduler, because everybody has it.
STAGES := check build console torture workerd package fork schemathesis wasm validate docs
.PHONY: all $(STAGES)

all: $(STAGES)

console package workerd schemathesis torture validate: build
# They would wait for cargo's lock, which these hold. The fork links what they have compiled.
fork: check build
wasm: check

$(STAGES):
	@.ci/stage $@
