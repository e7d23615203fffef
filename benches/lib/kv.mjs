// A light KV for both sides: a Worker that keeps entries in memory and implements the protocol of workerd's KV binding.
// It responds to reads immediately and to puts after `PUT_MS` milliseconds. A read of Miniflare's simulator would cost
// more than the request that needs it.

const PAGE = 1_000;

/** Entries by name: `{value, metadata, expires}`. */
const entries = new Map();
/** The sorted names, until a name is added. */
let names;
/** When the last put was done. */
let lastPut = 0;
/** The entry of an ID that every other ID under its prefix has, too, unless it has another one. */
const model = { prefix: " ", id: "" };

function live(name) {
  const entry = entries.get(name) ?? copy(name);
  return entry !== undefined && entry.expires <= Date.now() ? undefined : entry;
}

/** Makes a collection of any size from one entry, so that it needs no memory. */
function copy(name) {
  if (!name.startsWith(model.prefix)) return undefined;
  const { value, ...more } = entries.get(model.prefix + model.id);
  return { value: new TextDecoder().decode(value).replaceAll(model.id, name.slice(model.prefix.length)), ...more };
}

function get(name) {
  const entry = live(name);
  if (entry === undefined) return new Response("Not Found", { status: 404 });
  return new Response(
    entry.value,
    entry.metadata === null ? undefined : { headers: { "CF-KV-Metadata": entry.metadata } },
  );
}

async function put(name, request, parameters, ms) {
  const value = await request.arrayBuffer();
  const ttl = Number(parameters.get("expiration_ttl") ?? Infinity);
  if (!entries.has(name)) names = undefined;
  entries.set(name, { value, metadata: request.headers.get("CF-KV-Metadata"), expires: Date.now() + ttl * 1000 });
  await scheduler.wait(ms);
  lastPut = Date.now();
  return new Response();
}

function list(parameters) {
  names ??= [...entries.keys()].sort();
  const prefix = parameters.get("prefix") ?? "";
  const after = parameters.get("cursor") ?? "";
  const limit = Number(parameters.get("key_count_limit") ?? PAGE);
  const found = names.filter((name) => name.startsWith(prefix) && name > after && live(name) !== undefined);
  const keys = found.slice(0, limit).map((name) => ({ name, metadata: live(name).metadata ?? undefined }));
  const complete = found.length <= limit;
  return Response.json({
    keys,
    list_complete: complete,
    ...(complete ? {} : { cursor: keys.at(-1).name }),
    cacheStatus: null,
  });
}

export default {
  fetch(request, { PUT_MS }) {
    const { url, method } = request;
    const start = url.indexOf("/", "https://".length) + 1;
    const query = url.indexOf("?", start);
    const name = decodeURIComponent(url.slice(start, query === -1 ? undefined : query));
    if (method === "GET" && name !== "") return get(name);
    const parameters = new URLSearchParams(query === -1 ? "" : url.slice(query));
    if (method === "GET") return list(parameters);
    if (method === "POST") {
      Object.assign(model, Object.fromEntries(parameters));
      return Response.json(lastPut);
    }
    if (method === "PUT") return put(name, request, parameters, PUT_MS);
    if (method !== "DELETE") return new Response("Method Not Allowed", { status: 405 });
    if (entries.delete(name)) names = undefined;
    return new Response();
  },
};
