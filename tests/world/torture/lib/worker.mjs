// A module around the built Worker with a clock that runs `SPEED` times as fast, so that a minute of the service passes
// in seconds. Waits are shortened by the same factor, and alarms ring at the instant of the fast clock. Nothing else
// differs, unless `BROKEN` names a promise to break.

import { env } from "cloudflare:workers";
import { breaks } from "./broken.mjs";
import worker, { ProjectObject as Real } from "./entry.js";

const { SPEED, START, BROKEN } = env;
const broken = breaks(BROKEN);

const real = Date.now.bind(Date);
const fast = (at) => START + (at - START) * SPEED;
const slow = (at) => START + (at - START) / SPEED;
Date.now = () => Math.floor(fast(real()));
const wait = globalThis.setTimeout;
globalThis.setTimeout = /** @type {any} */ ((run, ms, ...rest) => wait(run, ms / SPEED, ...rest));

/** Makes the alarms of storages follow the fast clock. */
function wrap(prototype) {
  if (Object.hasOwn(prototype, "wrapped")) return;
  const { setAlarm, getAlarm, transactionSync } = prototype;
  prototype.wrapped = true;
  prototype.setAlarm = function (at) {
    return setAlarm.call(this, Math.ceil(slow(Number(at))));
  };
  prototype.getAlarm = async function () {
    const at = await getAlarm.call(this);
    return at === null ? null : Math.ceil(fast(at));
  };
  prototype.transactionSync = function (run) {
    return broken.transaction((perform) => transactionSync.call(this, perform), run);
  };
}

/** A name that the KV of the test counts (kv.mjs). */
const BATCH = "batch-of-a-helper";

const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (text) {
  const sent = broken.frame(this, text);
  if (sent !== undefined) send.call(this, sent);
};

const kvOf = (kv) => ({ put: (...args) => broken.put(() => kv.put(...args)), list: (...args) => kv.list(...args) });

export class ProjectObject extends Real {
  constructor(ctx, bindings) {
    wrap(Object.getPrototypeOf(ctx.storage));
    super(ctx, { ...bindings, RESOURCES: kvOf(bindings.RESOURCES) });
    this.count = () => bindings.RESOURCES.get(BATCH);
  }

  async putAll(entries, limits) {
    await this.count();
    return super.putAll(entries, limits);
  }
}

export default {
  fetch(request, bindings, ctx) {
    const changed = broken.request(request);
    return changed instanceof Promise
      ? changed.then((sent) => worker.fetch(sent, bindings, ctx))
      : worker.fetch(changed, bindings, ctx);
  },
};
