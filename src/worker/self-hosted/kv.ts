// KV on disk, for workerd without Cloudflare: one object that keeps the entries in SQLite. It implements the protocol
// of workerd's KV binding, which is HTTP: the path is the key, `CF-KV-Metadata` the metadata. The Worker deletes no
// entry, and gives each its time to live, if it has one.

import type { ObjectState } from "../types.js";
import { DurableObject } from "cloudflare:workers";

const PAGE = 1_000;
const TABLE =
  "CREATE TABLE IF NOT EXISTS entry(key TEXT PRIMARY KEY, value BLOB NOT NULL, metadata TEXT, expires INTEGER) " +
  "STRICT, WITHOUT ROWID";
const LIVE = "(expires IS NULL OR expires > ?)";

export class Namespace extends DurableObject {
  #sql;

  constructor(ctx: ObjectState, env: object) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(TABLE);
  }

  /** Responds to a request of the binding. `key` is empty for a list. */
  async fetch(request: Request) {
    const { pathname, searchParams } = new URL(request.url);
    const key = decodeURIComponent(pathname.slice(1));
    switch (request.method) {
      case "GET":
        return key === "" ? this.#list(searchParams) : this.#get(key);
      case "PUT":
        return this.#put(key, request, searchParams);
      default:
        return new Response("Method Not Allowed", { status: 405 });
    }
  }

  #get(key: string) {
    const [entry] = this.#sql.exec(`SELECT value, metadata FROM entry WHERE key = ? AND ${LIVE}`, key, Date.now());
    if (entry === undefined) return new Response("Not Found", { status: 404 });
    return new Response(
      entry.value as ArrayBuffer,
      entry.metadata === null ? undefined : { headers: { "CF-KV-Metadata": String(entry.metadata) } },
    );
  }

  async #put(key: string, request: Request, parameters: URLSearchParams) {
    const value = await request.arrayBuffer();
    const ttl = parameters.get("expiration_ttl");
    const expires = ttl === null ? null : Date.now() + Number(ttl) * 1000;
    const metadata = request.headers.get("CF-KV-Metadata");
    this.#sql.exec(
      "INSERT OR REPLACE INTO entry(key, value, metadata, expires) VALUES(?, ?, ?, ?)",
      key,
      value,
      metadata,
      expires,
    );
    return new Response();
  }

  #list(parameters: URLSearchParams) {
    const prefix = parameters.get("prefix") ?? "";
    const after = parameters.get("cursor") ?? "";
    const limit = Number(parameters.get("key_count_limit") ?? PAGE);
    this.#sql.exec("DELETE FROM entry WHERE expires <= ?", Date.now());
    const found = this.#sql
      .exec(
        "SELECT key, metadata FROM entry WHERE key > ? AND substr(key, 1, ?) = ? ORDER BY key LIMIT ?",
        after,
        prefix.length,
        prefix,
        limit + 1,
      )
      .toArray();
    const keys = found.slice(0, limit).map(({ key, metadata }) => ({ name: key, metadata: metadata ?? undefined }));
    const complete = found.length <= limit;
    return Response.json({
      keys,
      list_complete: complete,
      ...(complete ? {} : { cursor: keys.at(-1)?.name }),
      cacheStatus: null,
    });
  }
}

export default {
  fetch(
    request: Request,
    env: { NAMESPACE: { getByName(name: string): { fetch(request: Request): Promise<Response> } } },
  ) {
    return env.NAMESPACE.getByName("entries").fetch(request);
  },
};
