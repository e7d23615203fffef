// Counts the calls between JavaScript and WebAssembly.

/**
 * The names of the boundary calls so far: exports of the WebAssembly, and imports after an arrow. Empty it with `length
 * = 0`.
 */
export const boundaryCalls = [];

/** Wraps functions so that each call is recorded under its name. */
function counted(functions, mark) {
  const wrap = ([name, value]) => [
    name,
    typeof value !== "function"
      ? value
      : (...args) => {
          // The hash in the name of an import changes with its signature.
          boundaryCalls.push(mark + name.replace(/^__wbg_|_[0-9a-f]{16}$/g, ""));
          return value(...args);
        },
  ];
  return Object.fromEntries(Object.entries(functions).map(wrap));
}

/** Runs `start`, which instantiates the WebAssembly, and counts every later call of the instance. */
export async function counting(start) {
  const { Instance } = WebAssembly;
  Object.assign(WebAssembly, {
    // biome-ignore lint/complexity/useArrowFunction: it is called with `new`
    Instance: function (module, imports) {
      const wrapped = Object.entries(imports).map(([name, functions]) => [name, counted(functions, "-> ")]);
      return { exports: counted(new Instance(module, Object.fromEntries(wrapped)).exports, "") };
    },
  });
  try {
    return await start();
  } finally {
    Object.assign(WebAssembly, { Instance });
  }
}
