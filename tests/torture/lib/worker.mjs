// Around the built Worker: a clock that runs `SPEED` times as fast, so that a minute of the service passes in seconds.
// Waits become as much shorter, and alarms ring at the instant that the fast clock names. Nothing else differs.

import { env } from "cloudflare:workers";
import worker, { ProjectObject as Real } from "./entry.js";

const { SPEED, START } = env;
const real = Date.now.bind(Date);
const fast = (at) => START + (at - START) * SPEED;
const slow = (at) => START + (at - START) / SPEED;
Date.now = () => Math.floor(fast(real()));
const wait = globalThis.setTimeout;
globalThis.setTimeout = (run, ms, ...rest) => wait(run, ms / SPEED, ...rest);

/** Makes a storage's alarm follow the fast clock. */
function hasten(storage) {
  const prototype = Object.getPrototypeOf(storage);
  if (Object.hasOwn(prototype, "hastened")) return;
  const { setAlarm, getAlarm } = prototype;
  prototype.hastened = true;
  prototype.setAlarm = function (at) {
    return setAlarm.call(this, Math.ceil(slow(Number(at))));
  };
  prototype.getAlarm = async function () {
    const at = await getAlarm.call(this);
    return at === null ? null : Math.ceil(fast(at));
  };
}

export class ProjectObject extends Real {
  constructor(ctx, bindings) {
    hasten(ctx.storage);
    super(ctx, bindings);
  }
}

export default worker;
