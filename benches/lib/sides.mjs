// The sides of the table: our Worker in some settings, and those beside it.
import { Instance, empty, ours } from "./instance.mjs";
import { peer } from "./peer.mjs";

export const OURS = "ours";
export const PEER = "hono";
/** The peer with an index of two fields: the one of `contains any` and the one of sorts. */
export const TWO_FIELDS = "hono with two indexed fields";
/** The floor of writes. */
export const MINIMAL = "the minimal Worker";
export const RULES = "ours with rules";
export const NO_RULES = "no rules";
/** Other requests to the Worker of another side. */
export const A_TOKEN = "a token";
export const ONE_BY_ONE = "a call each";

const resources = {
  product: {
    type: "object",
    required: ["title"],
    properties: {
      title: { type: "string", minLength: 1, maxLength: 80 },
      price: { type: "number", minimum: 0 },
      status: { type: "string", enum: ["draft", "active"] },
      tags: { type: "array", items: { type: "string" } },
    },
  },
};
const rules = { product: { anonymous: 'status = "active"', read: 'status = "active"', update: "title = :sub" } };

/** The Workers by side. */
const WORKERS = {
  [OURS]: () => ours(),
  [RULES]: () => ours({ resources: { resources, rules } }),
  [NO_RULES]: () => ours({ resources: { resources } }),
  [PEER]: () => peer(),
  [TWO_FIELDS]: () => peer("hono", ["arrayOfIntExample", "someProperty"]),
  [MINIMAL]: () => peer("minimal"),
  empty: () => empty(),
};
const SAME = { [A_TOKEN]: RULES, [ONE_BY_ONE]: OURS };

/** The running Workers by side. */
const running = new Map();

/** Starts the Worker of a side on first use. `ours@FOLDER` is that of another build. */
export function instanceOf(side) {
  const name = SAME[side] ?? side;
  if (!running.has(name)) running.set(name, start(name));
  return running.get(name);
}

async function start(name) {
  const [, folder] = name.split(/@(.*)/);
  // Sides that are named twice are two processes, which shows how much equal sides differ.
  const of = name.replace(/@.*| again$/, "");
  if (WORKERS[of] === undefined)
    throw new Error(`there is no side '${name}', only: ${Object.keys(WORKERS).join("; ")}`);
  return Instance.start(await (folder === undefined ? WORKERS[of]() : ours({ folder })));
}

/** Stops all. */
export async function stop() {
  for (const instance of await Promise.all(running.values())) await instance.stop();
}
