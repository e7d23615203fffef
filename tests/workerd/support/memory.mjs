// Records the memory of each WebAssembly instance. It is loaded before the built Worker, which creates an instance.

export const memories = [];

const { Instance } = WebAssembly;
Object.assign(WebAssembly, {
  // biome-ignore lint/complexity/useArrowFunction: it is called with `new`
  Instance: function (module, imports) {
    const instance = new Instance(module, imports);
    memories.push(instance.exports.memory);
    return instance;
  },
});
