// Services that break a promise, which the torture test has to detect (broken.test.mjs).

/** Returns whether this is one of every `period` calls. */
function every(period) {
  let count = 0;
  return () => (count += 1) % period === 0;
}

const without = (name) => ({
  request(request) {
    const headers = new Headers(request.headers);
    headers.delete(name);
    return new Request(request, { headers });
  },
});

/** By name: changes to a request, a transaction, or a put. */
const BROKEN = {
  /** Reads ignore the minimum revision. */
  minimum: () => without("Resource-Min-Revision"),
  /** Fresh reads may come from a cache copy. */
  fresh: () => without("Cache-Control"),
  /** A repeated write is performed again. */
  repeat: () => without("Idempotency-Key"),
  /** PUT ignores its expected version. */
  version: () => ({
    async request(request) {
      if (request.method !== "PUT") return request;
      const { version, ...body } = await request.json();
      return new Request(request.url, { method: "POST", headers: request.headers, body: JSON.stringify(body) });
    },
  }),
  /** Some transactions are acknowledged and rolled back. */
  commit: () => {
    const lost = every(40);
    return {
      transaction(perform, run) {
        if (!lost()) return perform(run);
        try {
          perform(() => {
            run();
            throw new Error("rolled back");
          });
        } catch {
          return undefined;
        }
      },
    };
  },
  /** A batch of which a write is refused keeps the writes before it. */
  batch: () => ({
    transaction(perform, run) {
      const failures = [];
      const result = perform(() => {
        try {
          return run();
        } catch (error) {
          failures.push(error);
        }
      });
      if (failures.length > 0) throw failures[0];
      return result;
    },
  }),
  /** Some frames are lost, and the window of the next one hides it. */
  frame: () => {
    const isLost = every(5);
    const lost = new WeakMap();
    return {
      frame(socket, text) {
        const from = lost.get(socket);
        lost.delete(socket);
        const next = from === undefined ? text : text.replace(/"from":"[^"]*"/, from);
        if (!isLost()) return next;
        lost.set(socket, /"from":"[^"]*"/.exec(next)?.[0]);
        return undefined;
      },
    };
  },
  /** Some puts are never sent. */
  put: () => {
    const lost = every(20);
    return { put: (send) => (lost() ? Promise.resolve() : send()) };
  },
};

const SOUND = {
  frame: (_, text) => text,
  request: (request) => request,
  transaction: (perform, run) => perform(run),
  put: (send) => send(),
};

export const breaks = (name) => ({ ...SOUND, ...BROKEN[name]?.() });
