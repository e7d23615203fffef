// Notes the memory of each WebAssembly instance: loaded before the built Worker, which makes one.

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
